/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The system's files: several kernels, missing counters, and texts no kernel writes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/root.h"
#include "model/sys-parts.h"
#include "model/sys.h"

#define MIB   (1024ull * 1024)
#define ZRAM0 "/sys/block/zram0/"

static struct swt_sys sys;

static int reset(void **state)
{
	(void)state;
	memset(&sys, 0, sizeof(sys));
	return 0;
}

static void feed(const char *path, const char *text)
{
	static uint64_t ts;

	assert_int_equal(swt_sys_file(&sys, ++ts, path, text, strlen(text)), 1);
	assert_true(sys.ts == ts);
}

static void is(struct swt_opt o, uint64_t v)
{
	assert_true(o.known);
	assert_true(o.v == v);
}

static void unknown(struct swt_opt o)
{
	assert_false(o.known);
}

/* Every file of a fixture, by the paths that a report reads. */
static void feed_fixture(const char *name)
{
	static const char *const paths[] = {
		"/proc/vmstat",
		"/proc/meminfo",
		"/proc/swaps",
		"/proc/stat",
		"/proc/pressure/memory",
		ZRAM0 "mm_stat",
		ZRAM0 "io_stat",
		ZRAM0 "debug_stat",
		ZRAM0 "orig_data_size",
		ZRAM0 "compr_data_size",
		ZRAM0 "mem_used_total",
		"/sys/block/zram3/mm_stat",
		"/sys/block/zram3/debug_stat",
		"/proc/38/stat",
		"/sys/module/zswap/parameters/enabled",
		"/sys/kernel/mm/swap/exit_release/mode",
		"/sys/kernel/mm/transparent_hugepage/khugepaged/full_scans",
		"/sys/kernel/mm/transparent_hugepage/khugepaged/max_ptes_swap",
		"/sys/kernel/mm/transparent_hugepage/khugepaged/scan_sleep_millisecs",
	};
	struct swt_buf b = SWT_BUF_INIT;
	struct swt_root *root;
	char dir[256];

	snprintf(dir, sizeof(dir), "tests/fixtures/proc/%s", name);
	assert_int_equal(swt_root_new(dir, &root), 0);
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		if (!swt_root_read(root, paths[i], &b))
			assert_int_equal(swt_sys_file(&sys, 1, paths[i], b.s, b.len), 1);
	}
	swt_buf_free(&b);
	swt_root_free(root);
}

static void test_this_kernel(void **state)
{
	(void)state;
	feed_fixture("v6.18-noswap");
	is(sys.vm[SWT_VM_PSWPOUT], 102402);
	is(sys.vm[SWT_VM_ZSWPWB], 0);
	unknown(sys.vm[SWT_VM_NR_SWAP_DEFERRED]);
	is(sys.mem_total, 24683656ull * 1024);
	is(sys.swap_total, 0);
	is(sys.zswap_pool, 0);
	is(sys.psi_some_avg10, 0);
	assert_true(sys.processes.known && sys.processes.v == 15045);
	assert_true(sys.areas_known);
	assert_int_equal(sys.nareas, 0);
	assert_int_equal(sys.nzram, 1);
	is(sys.zram[0].missed_free, 0);
	is(sys.zram[0].notify_free, 0);
	assert_int_equal(sys.khuge.pid, 38);
	is(sys.khuge.cpu_ticks, 0);
	is(sys.khuge.full_scans, 0);
	is(sys.khuge.max_ptes_swap, 64);
	is(sys.khuge.scan_sleep_ms, 10000);
	assert_string_equal(swt_sys_backend(&sys), "unknown");
	assert_string_equal(sys.mode, "");
}

static void count(void *arg, const char *name)
{
	int *n = arg;

	assert_true(*name);
	++*n;
}

static void test_patched(void **state)
{
	int missing = 0;

	(void)state;
	feed_fixture("v6.12-patched");
	swt_sys_missing(&sys, count, &missing);
	assert_int_equal(missing, 0);
	is(sys.vm[SWT_VM_NR_SWAP_DEFERRED], 4096);
	is(sys.vm[SWT_VM_EXIT_DEFERRED], 90000);
	is(sys.vm[SWT_VM_EXIT_RELEASED], 85904);
	is(sys.vm[SWT_VM_THP_ABORT], 11);
	assert_string_equal(sys.mode, "async");
	assert_int_equal(sys.nareas, 2);
	assert_string_equal(sys.area[1].name, "/dev/zram3");
	assert_int_equal(sys.area[1].priority, 100);
	is(sys.area[1].used, 1000000ull * 1024);
	assert_int_equal(sys.nzram, 2);
	assert_string_equal(sys.zram[1].name, "zram3");
	is(sys.zram[1].data, 1015808000);
	is(sys.psi_some_avg10, 1234);
	is(sys.psi_full_avg10, 7);
	is(sys.processes, 5000);
	assert_string_equal(swt_sys_backend(&sys), "zram");
}

/* Single zram files, no oom_kill, no MemAvailable, no pressure. */
static void test_old_kernel(void **state)
{
	(void)state;
	feed_fixture("v3.10-zram");
	unknown(sys.vm[SWT_VM_OOM_KILL]);
	is(sys.vm[SWT_VM_PSWPOUT], 40112);
	unknown(sys.mem_available);
	unknown(sys.zswap_pool);
	unknown(sys.psi_some_avg10);
	is(sys.processes, 4321);
	assert_int_equal(sys.nzram, 1);
	is(sys.zram[0].data, 133169152);
	is(sys.zram[0].compressed, 40265318);
	is(sys.zram[0].pool, 42991616);
	unknown(sys.zram[0].pool_peak);
	unknown(sys.zram[0].missed_free);
	assert_int_equal(sys.area[0].kind, SWT_SWAP_ZRAM); /* /dev/block/zram0 */
	assert_string_equal(swt_sys_backend(&sys), "zram");
}

static void test_vmstat_counter_missing(void **state)
{
	int missing = 0;

	(void)state;
	feed("/proc/vmstat", "nr_free_pages 1000\n");
	is(sys.vm[SWT_VM_NR_FREE_PAGES], 1000);
	for (int i = 0; i < SWT_VM_COUNT; i++) {
		if (i != SWT_VM_NR_FREE_PAGES)
			unknown(sys.vm[i]);
	}
	swt_sys_missing(&sys, count, &missing);
	assert_int_equal(missing, SWT_VM_COUNT - 1);
	feed("/proc/vmstat", "");
	unknown(sys.vm[SWT_VM_NR_FREE_PAGES]);
}

static void test_missing_is_not_zero(void **state)
{
	(void)state;
	feed("/proc/vmstat", "pswpin 5\npswpout 6\n");
	unknown(sys.vm[SWT_VM_OOM_KILL]);
	feed("/proc/vmstat", "oom_kill 0\n");
	is(sys.vm[SWT_VM_OOM_KILL], 0);
	unknown(sys.vm[SWT_VM_PSWPIN]);
}

/* Each counter on its own line is found, under its own name, whatever is around it. */
static void test_vmstat_every_name(void **state)
{
	char text[128];

	(void)state;
	for (int i = 0; i < SWT_VM_COUNT; i++) {
		snprintf(text, sizeof(text), "x%s 1\n%s %d\n%s_x 2\n", swt_vmstat_name((enum swt_vmstat)i),
			 swt_vmstat_name((enum swt_vmstat)i), i + 10, swt_vmstat_name((enum swt_vmstat)i));
		feed("/proc/vmstat", text);
		for (int k = 0; k < SWT_VM_COUNT; k++) {
			if (k == i)
				is(sys.vm[k], (uint64_t)i + 10);
			else
				unknown(sys.vm[k]);
		}
	}
	assert_null(swt_vmstat_name(SWT_VM_COUNT));
	/* The beginning of a name is not the name (none of ours begins another). */
	for (int i = 0; i < SWT_VM_COUNT; i++) {
		const char *name = swt_vmstat_name((enum swt_vmstat)i);

		for (int n = 1; n < (int)strlen(name); n++) {
			snprintf(text, sizeof(text), "%.*s 5\n", n, name);
			feed("/proc/vmstat", text);
			for (int k = 0; k < SWT_VM_COUNT; k++)
				unknown(sys.vm[k]);
		}
	}
}

static void test_numbers(void **state)
{
	(void)state;
	feed("/proc/vmstat",
	     "pswpin 18446744073709551615\npswpout 18446744073709551616\noom_kill -1\n"
	     "zswpin 12abc\nzswpout\nzswpwb \nswpin_zero 99999999999999999999999999999999999\n"
	     "swpout_zero 0x10\nnr_swapcached 00000000000000000000000000000007");
	is(sys.vm[SWT_VM_PSWPIN], UINT64_MAX);
	unknown(sys.vm[SWT_VM_PSWPOUT]);
	unknown(sys.vm[SWT_VM_OOM_KILL]);
	unknown(sys.vm[SWT_VM_ZSWPIN]);
	unknown(sys.vm[SWT_VM_ZSWPOUT]);
	unknown(sys.vm[SWT_VM_ZSWPWB]);
	unknown(sys.vm[SWT_VM_SWPIN_ZERO]);
	unknown(sys.vm[SWT_VM_SWPOUT_ZERO]);
	is(sys.vm[SWT_VM_NR_SWAPCACHED], 7); /* last line without a newline */
	feed("/proc/meminfo",
	     "MemTotal: 18446744073709551615 kB\nMemFree: -1 kB\nSwapFree:\nSwapTotal:\t4 kB\n"
	     "MemAvailable: 18014398509481983 kB\nZswap 3 kB\nXMemTotal: 1 kB");
	unknown(sys.mem_total);
	unknown(sys.mem_free);
	unknown(sys.swap_free);
	is(sys.swap_total, 4096);
	is(sys.mem_available, 18014398509481983ull * 1024);
	unknown(sys.zswap_pool);
}

static void test_meminfo(void **state)
{
	(void)state;
	/* 1163 MiB in use, 308 MiB of them also in RAM. */
	feed("/proc/meminfo", "SwapCached: 315392 kB\nSwapTotal: 8387584 kB\nSwapFree: 7196672 kB\n"
			      "Zswap: 8 kB\nZswapped: 20 kB\n");
	is(swt_opt_sub(sys.swap_total, sys.swap_free), 1163 * MIB);
	is(sys.swap_cached, 308 * MIB);
	is(sys.zswap_pool, 8192);
	is(sys.zswap_data, 20480);
	is(swt_sys_used(&sys), 1163 * MIB);
	feed("/proc/meminfo", "");
	unknown(sys.swap_total);
	unknown(sys.zswap_data);
	unknown(swt_sys_used(&sys));
}

static void test_psi(void **state)
{
	(void)state;
	feed("/proc/pressure/memory", "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n"
				      "full avg10=100.00 avg60=1.00 avg300=1.00 total=9\n");
	is(sys.psi_some_avg10, 0);
	is(sys.psi_full_avg10, 10000);
	feed("/proc/pressure/memory", "some avg60=1.00 avg10=3.5\nfull avg10=7.129");
	is(sys.psi_some_avg10, 350);
	is(sys.psi_full_avg10, 712);
	feed("/proc/pressure/memory", "some avg10=-1.00\nfull avg10=184467440737095516.16\n");
	unknown(sys.psi_some_avg10);
	unknown(sys.psi_full_avg10);
	feed("/proc/pressure/memory", "some avg10=nan\nfull avg10=1.x\n");
	unknown(sys.psi_some_avg10);
	unknown(sys.psi_full_avg10);
	feed("/proc/pressure/memory", "some avg10=\nfull avg10=.5\n");
	unknown(sys.psi_some_avg10);
	unknown(sys.psi_full_avg10);
	feed("/proc/pressure/memory", "some avg10=5\n");
	is(sys.psi_some_avg10, 500);
	feed("/proc/pressure/memory", "");
	unknown(sys.psi_some_avg10);
}

#define HEAD "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"

static void test_swaps(void **state)
{
	(void)state;
	feed("/proc/swaps", HEAD "/dev/zram0   partition\t100\t\t50\t\t100\n"
				 "/swap\\040file\\011x\\134  file\t\t8\t\t4\t\t-2\n"
				 "/old\\040(deleted)  file\t\t8\t\t0\t\t-3\n"
				 "/dev/zram1\\040(deleted) partition 8 1 5\n"
				 "/home/zram0 file 8 1 5\n"
				 "/dev/sda2 partition 8 1 5\n/dev/zramX partition 8 1 5\n"
				 "/a\\000b\\777\\9\\04 file 1 1 99999999999\n");
	assert_int_equal(sys.nareas, 8);
	assert_int_equal(sys.area[0].kind, SWT_SWAP_ZRAM);
	is(sys.area[0].size, 102400);
	is(sys.area[0].used, 51200);
	assert_string_equal(sys.area[1].name, "/swap file\tx\\");
	assert_int_equal(sys.area[1].kind, SWT_SWAP_FILE);
	assert_int_equal(sys.area[1].priority, -2);
	assert_string_equal(sys.area[2].name, "/old (deleted)");
	assert_int_equal(sys.area[3].kind, SWT_SWAP_ZRAM);
	assert_int_equal(sys.area[4].kind, SWT_SWAP_FILE);
	assert_int_equal(sys.area[5].kind, SWT_SWAP_PARTITION);
	assert_int_equal(sys.area[6].kind, SWT_SWAP_PARTITION);
	assert_string_equal(sys.area[7].name, "/a\\000b\\777\\9\\04");
	assert_int_equal(sys.area[7].priority, 0);
	assert_string_equal(swt_sys_backend(&sys), "mixed");
	feed("/proc/swaps", HEAD);
	assert_int_equal(sys.nareas, 0);
	assert_true(sys.areas_known);
	feed("/proc/swaps", "");
	assert_false(sys.areas_known);
}

static void test_swaps_hostile(void **state)
{
	char *text, *p;

	(void)state;
	feed("/proc/swaps",
	     HEAD "\n   \n/only-a-name\n/x file\n/y file -1 18446744073709551616 -\n/z file 1 1");
	assert_int_equal(sys.nareas, 3);
	unknown(sys.area[0].size);
	unknown(sys.area[1].size);
	unknown(sys.area[1].used);
	is(sys.area[2].used, 1024);
	unknown(swt_sys_used(&sys)); /* one part unknown: no sum */
	p = text = malloc(300000);
	assert_non_null(text);
	for (int i = 0; i < 5000; i++)
		p += sprintf(p, "/swap%d file 10 1 -%d\n", i, i);
	feed("/proc/swaps", text);
	assert_int_equal(sys.nareas, SWT_MAX_SWAPS);
	assert_string_equal(sys.area[31].name, "/swap31");
	memset(text, 'a', 299999);
	text[299980] = ' ';
	text[299999] = '\0';
	feed("/proc/swaps", text);
	assert_int_equal(sys.nareas, 1);
	assert_int_equal(strlen(sys.area[0].name), sizeof(sys.area[0].name) - 1);
	free(text);
}

static void backend(const char *swaps, const char *zswap, const char *zswapped, const char *want)
{
	feed("/proc/swaps", swaps);
	feed("/sys/module/zswap/parameters/enabled", zswap);
	feed("/proc/meminfo", zswapped);
	assert_string_equal(swt_sys_backend(&sys), want);
}

static void test_backend(void **state)
{
	(void)state;
	assert_string_equal(swt_sys_backend(&sys), "unknown");
	backend(HEAD, "N\n", "", "unknown");
	backend(HEAD "/dev/zram0 partition 8 4 1\n", "N\n", "", "zram");
	backend(HEAD "/dev/sda1 partition 8 4 1\n", "N\n", "", "partition");
	backend(HEAD "/swap file 8 4 1\n", "N\n", "", "file");
	backend(HEAD "/swap file 8 4 1\n/dev/zram0 partition 8 4 1\n", "N\n", "", "mixed");
	backend(HEAD "/swap file 8 4 1\n/dev/sda1 partition 8 4 1\n", "N\n", "", "mixed");
	/* Only what is in use counts. */
	backend(HEAD "/swap file 8 0 1\n/dev/zram0 partition 8 4 1\n", "N\n", "", "zram");
	/* Nothing in use: clear only when there is but one kind. */
	backend(HEAD "/swap file 8 0 1\n", "N\n", "", "file");
	backend(HEAD "/dev/zram0 partition 8 0 1\n/dev/zram3 partition 8 0 1\n", "N\n", "", "zram");
	backend(HEAD "/swap file 8 0 1\n/dev/zram0 partition 8 0 1\n", "N\n", "", "unknown");
	/* zswap: on, and holding something. */
	backend(HEAD "/swap file 8 4 1\n", "Y\n", "Zswapped: 4 kB\n", "zswap");
	backend(HEAD "/swap file 8 4 1\n/dev/sda1 partition 8 4 1\n", "1\n", "Zswapped: 4 kB\n", "zswap");
	backend(HEAD "/swap file 8 4 1\n", "Y\n", "Zswapped: 0 kB\n", "file");
	backend(HEAD "/swap file 8 4 1\n", "Y\n", "", "file");
	backend(HEAD "/swap file 8 4 1\n", "N\n", "Zswapped: 4 kB\n", "file");
	backend(HEAD "/dev/zram0 partition 8 4 1\n", "Y\n", "Zswapped: 4 kB\n", "mixed");
	backend(HEAD "/dev/zram0 partition 8 4 1\n/swap file 8 4 1\n", "Y\n", "Zswapped: 4 kB\n", "mixed");
	assert_string_equal(swt_swap_kind_name(SWT_SWAP_ZRAM), "zram");
	assert_string_equal(swt_swap_kind_name((enum swt_swap_kind)99), "unknown");
}

/* 7, 8, 9 and 10 columns: the same first seven. */
static void test_mm_stat_columns(void **state)
{
	static const char *const text[] = {
		" 1000 400 8192 0 12288 3 5\n",
		" 1000 400 8192 0 12288 3 5 6\n",
		" 1000 400 8192 0 12288 3 5 6 7\n",
		" 1000 400 8192 0 12288 3 5 6 7 18446744073709551616\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(text) / sizeof(text[0]); i++) {
		const struct swt_zram *z = &sys.zram[1];

		reset(NULL);
		feed("/sys/block/zram0/mm_stat", "1 2 3\n");
		feed("/sys/block/zram3/mm_stat", text[i]);
		assert_int_equal(sys.nzram, 2);
		assert_string_equal(z->name, "zram3");
		is(z->data, 1000);
		is(z->compressed, 400);
		is(z->pool, 8192);
		is(z->pool_peak, 12288);
		is(z->same_pages, 3);
		is(sys.zram[0].pool, 3);
		unknown(sys.zram[0].pool_peak);
	}
	feed("/sys/block/zram3/mm_stat", "5 -6 x 0\n");
	is(sys.zram[1].data, 5);
	unknown(sys.zram[1].compressed);
	unknown(sys.zram[1].pool);
	unknown(sys.zram[1].pool_peak);
}

static void test_zram_single_files(void **state)
{
	(void)state;
	feed(ZRAM0 "orig_data_size", "1000\n");
	feed(ZRAM0 "compr_data_size", "400\n");
	feed(ZRAM0 "mem_used_total", "8192");
	feed("/sys/block/zram3/orig_data_size", "7\n");
	assert_int_equal(sys.nzram, 2);
	is(sys.zram[0].data, 1000);
	is(sys.zram[0].compressed, 400);
	is(sys.zram[0].pool, 8192);
	is(sys.zram[1].data, 7);
}

static void test_zram_goes_away(void **state)
{
	(void)state;
	feed(ZRAM0 "mm_stat", "1 2 3 4 5 6 7\n");
	feed(ZRAM0 "debug_stat", "version: 1\n0 120\n");
	feed("/sys/block/zram3/mm_stat", "9 2 3 4 5 6 7\n");
	feed(ZRAM0 "mm_stat", "");
	assert_int_equal(sys.nzram, 2);
	unknown(sys.zram[0].data);
	is(sys.zram[0].missed_free, 120);
	feed(ZRAM0 "debug_stat", "");
	assert_int_equal(sys.nzram, 1);
	assert_string_equal(sys.zram[0].name, "zram3");
	is(sys.zram[0].data, 9);
	feed(ZRAM0 "mm_stat", ""); /* no entry is made for what is not there */
	assert_int_equal(sys.nzram, 1);
}

static void test_zram_names(void **state)
{
	static const char *const not_ours[] = {
		"/sys/block/zram/mm_stat",
		"/sys/block/zramx/mm_stat",
		"/sys/block/zram0",
		"/sys/block/zram0/size",
		"/sys/block/sda/mm_stat",
		"/sys/block/zram0/mm_stat/x",
		"/sys/block/zram0123456789012/mm_stat",
		"/sys/block//mm_stat",
		"/sys/block/",
		"",
	};
	char path[64];

	(void)state;
	for (size_t i = 0; i < sizeof(not_ours) / sizeof(not_ours[0]); i++)
		assert_int_equal(swt_sys_file(&sys, 5, not_ours[i], "1 2 3\n", 6), 0);
	assert_int_equal(sys.nzram, 0);
	assert_true(sys.ts == 0);
	for (int i = 0; i < 100; i++) {
		snprintf(path, sizeof(path), "/sys/block/zram%d/mm_stat", i);
		assert_int_equal(swt_sys_file(&sys, 5, path, "1 2 3\n", 6), 1);
	}
	assert_int_equal(sys.nzram, SWT_MAX_ZRAM);
}

static void explain(const char *want)
{
	struct swt_buf b = SWT_BUF_INIT;

	assert_int_equal(swt_sys_explain(&sys, 4096, &b), 0);
	assert_string_equal(swt_buf_str(&b), want);
	swt_buf_free(&b);
}

static void test_debug_stat(void **state)
{
	(void)state;
	feed(ZRAM0 "debug_stat", "version: 1\n       0      120\n");
	is(sys.zram[0].missed_free, 120);
	assert_string_equal(sys.debug_note, "");
	explain("slots in use -; stored in zram -, pool memory -; zero-filled -; "
		"120 frees missed (up to 480 KiB of data held)");
	feed(ZRAM0 "debug_stat", "version: 2\n0 120 77\n");
	unknown(sys.zram[0].missed_free);
	assert_string_equal(sys.debug_note, "zram0: debug_stat version 2 is not known, ignored");
	/* Another device does not take the note away, the same one does. */
	feed("/sys/block/zram3/debug_stat", "version: 1\n0 5\n");
	assert_string_equal(sys.debug_note, "zram0: debug_stat version 2 is not known, ignored");
	feed(ZRAM0 "debug_stat", "version: 1\n0 7\n");
	assert_string_equal(sys.debug_note, "");
	feed("/sys/block/zram10/debug_stat", "version: 3\n");
	feed("/sys/block/zram1/debug_stat", "version: 1\n0 1\n");
	assert_string_equal(sys.debug_note, "zram10: debug_stat version 3 is not known, ignored");
	feed("/sys/block/zram10/debug_stat", "");
	assert_string_equal(sys.debug_note, "");
	/* Before 5.0 there was one number. */
	feed(ZRAM0 "debug_stat", "version: 1\n       9\n");
	unknown(sys.zram[0].missed_free);
	feed(ZRAM0 "debug_stat", "version: 1");
	unknown(sys.zram[0].missed_free);
	feed(ZRAM0 "debug_stat", "0 120\n");
	unknown(sys.zram[0].missed_free);
	assert_string_equal(sys.debug_note, "zram0: debug_stat without a version, ignored");
	feed(ZRAM0 "debug_stat", "version: 10\n0 120\n");
	assert_string_equal(sys.debug_note, "zram0: debug_stat version 10 is not known, ignored");
	feed(ZRAM0 "debug_stat", "version: \033[31m\n0 120\n");
	unknown(sys.zram[0].missed_free);
	assert_string_equal(sys.debug_note, "zram0: debug_stat of a version that is no number, ignored");
	feed(ZRAM0 "debug_stat", "version:\n0 120\n");
	assert_string_equal(sys.debug_note, "zram0: debug_stat of a version that is no number, ignored");
}

/* Slots, stored data, pool memory and zero-filled pages side by side. */
static void test_explain(void **state)
{
	(void)state;
	explain("");
	/* 64 MiB of zeros: slots and a counter, nothing stored. */
	feed("/proc/swaps", HEAD "/dev/zram0 partition 2097148 65536 100\n");
	feed("/proc/vmstat", "swpout_zero 16384\n");
	feed(ZRAM0 "mm_stat", "0 0 4096 0 4096 0 0 0 0\n");
	explain("slots in use 64.0 M; stored in zram 0 B, pool memory 4.00 K; "
		"zero-filled up to 64.0 M take a slot and no memory");
	/* Then 64 MiB of random bytes as well. */
	feed("/proc/swaps", HEAD "/dev/zram0 partition 2097148 131072 100\n");
	feed(ZRAM0 "mm_stat", "67108864 67108864 67633152 0 67633152 0 0 0 0\n");
	explain("slots in use 128 M; stored in zram 64.0 M, pool memory 64.5 M; "
		"zero-filled up to 64.0 M take a slot and no memory");
	/* The zeros are gone: the counter stays, the bound does not. */
	feed("/proc/swaps", HEAD "/dev/zram0 partition 2097148 65536 100\n");
	explain("slots in use 64.0 M; stored in zram 64.0 M, pool memory 64.5 M; zero-filled 0 B");
	/* A kernel that does not count them. */
	feed("/proc/vmstat", "pswpout 1\n");
	feed("/proc/meminfo", "SwapCached: 2048 kB\n");
	feed(ZRAM0 "mm_stat", "67108864 67108864 67633152 0 67633152 25 0 0 0\n");
	explain("slots in use 64.0 M; stored in zram 64.0 M, pool memory 64.5 M (25 same-filled pages take none); "
		"zero-filled -; 2.00 M also in RAM");
	/* Freed slots whose data is still there. */
	feed("/proc/swaps", HEAD "/dev/zram0 partition 2097148 0 100\n");
	feed("/proc/meminfo", "");
	feed(ZRAM0 "mm_stat", "491520 300 8192 0 8192 0 0 0 0\n");
	feed(ZRAM0 "debug_stat", "version: 1\n0 120\n");
	explain("slots in use 0 B; stored in zram 480 K, pool memory 8.00 K (480 K of it without a slot: not freed "
		"yet); zero-filled -; 120 frees missed (up to 480 KiB of data held)");
}

static void test_explain_disk(void **state)
{
	(void)state;
	feed("/proc/swaps", HEAD "/swap file 2097148 65536 100\n");
	feed("/proc/vmstat", "swpout_zero 99999999\n");
	explain("slots in use 64.0 M; zero-filled up to 64.0 M take a slot and no memory");
	/* Too much to multiply. */
	feed("/proc/vmstat", "swpout_zero 18446744073709551615\n");
	explain("slots in use 64.0 M; zero-filled -");
}

static void test_khugepaged(void **state)
{
	static const char other[] = "38 (khugepaged) S 1 0 0 0 -1 0 0 0 0 0 7 8 0 0\n";
	static const char real[] = "38 (khugepaged) S 2 0 0 0 -1 2097216 0 0 0 0 700 300 0 0 39 19 1 0 17\n";

	(void)state;
	/* Anybody can take the name, but not the parent. */
	assert_int_equal(swt_sys_file(&sys, 1, "/proc/38/stat", other, sizeof(other) - 1), 0);
	assert_int_equal(sys.khuge.pid, 0);
	assert_int_equal(swt_sys_file(&sys, 1, "/proc/7/stat", "7 (bash) S 2 0", 14), 0);
	feed("/proc/38/stat", real);
	assert_int_equal(sys.khuge.pid, 38);
	is(sys.khuge.cpu_ticks, 1000);
	feed("/proc/38/stat", "38 (khugepaged) S 2 0 0 0 -1 2097216 0 0 0 0 18446744073709551615 1 0 0");
	unknown(sys.khuge.cpu_ticks);
	feed("/proc/38/stat", real);
	feed("/proc/38/stat", "");
	assert_int_equal(sys.khuge.pid, 0);
	unknown(sys.khuge.cpu_ticks);
	feed("/proc/38/stat", real);
	feed("/proc/38/stat", "38 (bash) S 1 0");
	assert_int_equal(sys.khuge.pid, 0);
	assert_int_equal(swt_sys_file(&sys, 1, "/proc/self/stat", real, sizeof(real) - 1), 0);
	assert_int_equal(swt_sys_file(&sys, 1, "/proc//stat", real, sizeof(real) - 1), 0);
	assert_int_equal(swt_sys_file(&sys, 1, "/proc/stat/stat", real, sizeof(real) - 1), 0);
	assert_int_equal(swt_sys_file(&sys, 1, "/proc/99999999999/stat", real, sizeof(real) - 1), 0);
	feed("/sys/kernel/mm/transparent_hugepage/khugepaged/pages_to_scan", "4096\n");
	is(sys.khuge.pages_to_scan, 4096);
	feed("/sys/kernel/mm/transparent_hugepage/khugepaged/pages_to_scan", "");
	unknown(sys.khuge.pages_to_scan);
	assert_int_equal(
		swt_sys_file(&sys, 1, "/sys/kernel/mm/transparent_hugepage/khugepaged/defrag", "1\n", 2), 0);
}

static void test_mode(void **state)
{
	static const char path[] = "/sys/kernel/mm/swap/exit_release/mode";

	(void)state;
	feed(path, "sync late [async]\n");
	assert_string_equal(sys.mode, "async");
	feed(path, "[sync] late async\n");
	assert_string_equal(sys.mode, "sync");
	feed(path, "sync late async\n");
	assert_string_equal(sys.mode, "");
	feed(path, "[sync");
	assert_string_equal(sys.mode, "");
	feed(path, "[\033[31m]");
	assert_string_equal(sys.mode, "");
	feed(path, "[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa]");
	assert_string_equal(sys.mode, "");
	feed(path, "late [x] [sync]");
	feed(path, "");
	assert_string_equal(sys.mode, "");
}

static void trims_to(const char *path, const char *text, const char *want)
{
	struct swt_buf b = SWT_BUF_INIT;

	assert_int_equal(swt_sys_trim(path, text, strlen(text), &b), 0);
	assert_string_equal(swt_buf_str(&b), want);
	swt_buf_free(&b);
}

static void test_trim(void **state)
{
	(void)state;
	trims_to("/proc/vmstat", "nr_dirty 1\npswpout 6\nx 2\noom_kill 0", "pswpout 6\noom_kill 0\n");
	trims_to("/proc/meminfo", "MemTotal: 1 kB\nBuffers: 3 kB\nSwapFree:  2 kB\n",
		 "MemTotal: 1 kB\nSwapFree:  2 kB\n");
	trims_to("/proc/stat", "cpu 1\nprocesses 77\nprocs_running 1\n", "processes 77\n");
	trims_to("/proc/swaps", HEAD, HEAD);
	trims_to("/proc/vmstat", "", "");
}

/* A sample and what is left of it say the same. */
static void test_trim_loses_nothing(void **state)
{
	static const char *const paths[] = { "/proc/vmstat", "/proc/meminfo", "/proc/stat" };
	static struct swt_sys whole, trimmed;
	struct swt_buf b = SWT_BUF_INIT, t = SWT_BUF_INIT;
	struct swt_root *root;

	(void)state;
	assert_int_equal(swt_root_new("tests/fixtures/proc/v6.18-noswap", &root), 0);
	memset(&whole, 0, sizeof(whole));
	memset(&trimmed, 0, sizeof(trimmed));
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		assert_int_equal(swt_root_read(root, paths[i], &b), 0);
		swt_buf_reset(&t);
		assert_int_equal(swt_sys_trim(paths[i], b.s, b.len, &t), 0);
		assert_true(t.len < b.len / 4);
		swt_sys_file(&whole, 1, paths[i], b.s, b.len);
		swt_sys_file(&trimmed, 1, paths[i], t.s, t.len);
	}
	assert_memory_equal(&whole, &trimmed, sizeof(whole));
	swt_buf_free(&b);
	swt_buf_free(&t);
	swt_root_free(root);
}

static void test_unknown_lines(void **state)
{
	char *text = malloc(4 * MIB), *p = text;

	(void)state;
	assert_non_null(text);
	for (int i = 0; i < 20000; i++)
		p += sprintf(p, "pswpout_%d %d\n", i, i);
	memset(p, 'p', MIB);
	p += MIB;
	p += sprintf(p, "\npswpout 6\n");
	assert_int_equal(swt_sys_file(&sys, 1, "/proc/vmstat", text, (size_t)(p - text)), 1);
	is(sys.vm[SWT_VM_PSWPOUT], 6);
	assert_int_equal(swt_sys_file(&sys, 1, "/proc/vmstat", "pswpin 1\0\npswp\0out 2\npswpout 3\n", 32),
			 1);
	unknown(sys.vm[SWT_VM_PSWPIN]);
	is(sys.vm[SWT_VM_PSWPOUT], 3);
	free(text);
}

static void test_newest_time(void **state)
{
	(void)state;
	swt_sys_file(&sys, 20, "/proc/vmstat", "", 0);
	swt_sys_file(&sys, 10, "/proc/meminfo", "", 0);
	assert_true(sys.ts == 20);
	assert_int_equal(swt_sys_file(&sys, 30, "/proc/7/status", "", 0), 0);
	assert_int_equal(swt_sys_file(&sys, 30, "/proc/vmstat", NULL, 0), 1);
	assert_true(sys.ts == 30);
}

#define TEST(f) cmocka_unit_test_setup(f, reset)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_this_kernel),
		TEST(test_patched),
		TEST(test_old_kernel),
		TEST(test_vmstat_counter_missing),
		TEST(test_missing_is_not_zero),
		TEST(test_vmstat_every_name),
		TEST(test_numbers),
		TEST(test_meminfo),
		TEST(test_psi),
		TEST(test_swaps),
		TEST(test_swaps_hostile),
		TEST(test_backend),
		TEST(test_mm_stat_columns),
		TEST(test_zram_single_files),
		TEST(test_zram_goes_away),
		TEST(test_zram_names),
		TEST(test_debug_stat),
		TEST(test_explain),
		TEST(test_explain_disk),
		TEST(test_khugepaged),
		TEST(test_mode),
		TEST(test_trim),
		TEST(test_trim_loses_nothing),
		TEST(test_unknown_lines),
		TEST(test_newest_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
