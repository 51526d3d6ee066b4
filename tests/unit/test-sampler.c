/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the sampler reads, when, in which order, and what it never opens.  Made-up trees, a clock of our own.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "model/sampler.h"
#include "model/sys.h"

#define MS     SWT_NS_PER_MS
#define VMSTAT "nr_dirty 5\npswpout 10\nnr_file_pages 3\noom_kill 0\n"
#define HEAD   "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"

static char dir[64];
static struct swt_root *root;
static struct swt_sampler *smp;

/* A clock that moves only when told, or a little with every look at it. */
static uint64_t now_ns, step_ns;

static uint64_t fake_mono(void *arg)
{
	(void)arg;
	now_ns += step_ns;
	return now_ns;
}

static const struct swt_clock fake = { fake_mono, fake_mono, NULL };

/* What was delivered, one "path" or "path=" (no text) a line; /proc is left out of paths of processes. */
static char seen[1 << 20];
static size_t nseen;
static uint64_t last_ts;
static struct swt_sys sys;
static const char *stop_at;

static int file(void *arg, uint64_t ts, const char *path, const char *text, size_t len)
{
	(void)arg;
	assert_true(ts >= last_ts && ts <= now_ns);
	last_ts = ts;
	assert_true(nseen + strlen(path) + 3 < sizeof(seen));
	nseen += (size_t)sprintf(seen + nseen, "%s%s\n", path, len ? "" : "=");
	swt_sys_file(&sys, ts, path, text, len);
	if (stop_at && !strcmp(path, stop_at))
		return 77;
	return 0;
}

static void forget(void)
{
	nseen = 0;
	seen[0] = '\0';
}

static unsigned int times(const char *line)
{
	char want[128];
	unsigned int n = 0;

	snprintf(want, sizeof(want), "%s\n", line);
	for (const char *p = seen; (p = strstr(p, want)); p++)
		n += p == seen || p[-1] == '\n';
	return n;
}

/* Where in the deliveries a line is, or -1. */
static long at(const char *line)
{
	char want[128];

	snprintf(want, sizeof(want), "%s\n", line);
	for (const char *p = seen; (p = strstr(p, want)); p++) {
		if (p == seen || p[-1] == '\n')
			return (long)(p - seen);
	}
	return -1;
}

static void make_dirs(const char *path)
{
	char part[256];

	for (const char *p = path + 1; (p = strchr(p, '/')); p++) {
		snprintf(part, sizeof(part), "%s%.*s", dir, (int)(p - path), path);
		mkdir(part, 0755);
	}
}

static void put(const char *path, const char *text)
{
	char full[256];
	FILE *f;

	make_dirs(path);
	snprintf(full, sizeof(full), "%s%s", dir, path);
	f = fopen(full, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static int rm(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

static void gone(const char *path)
{
	char full[256];

	snprintf(full, sizeof(full), "%s%s", dir, path);
	assert_int_equal(nftw(full, rm, 16, FTW_DEPTH | FTW_PHYS), 0);
}

static void swaps(unsigned int used_kib)
{
	char text[256];

	snprintf(text, sizeof(text), HEAD "/dev/zram0 partition 2097148 %u 100\n", used_kib);
	put("/proc/swaps", text);
}

static void status(int pid, const char *name, unsigned int swap_kib, unsigned int threads)
{
	char path[64], text[256];

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	snprintf(text, sizeof(text),
		 "Name:\t%s\nState:\tS (sleeping)\nPid:\t%d\nPPid:\t1\nVmSwap:\t%u kB\nThreads:\t%u\n", name,
		 pid, swap_kib, threads);
	put(path, text);
}

static void process(int pid, const char *name, unsigned int swap_kib)
{
	char path[64], text[256];

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	snprintf(text, sizeof(text), "%d (%s) S 1 1 1 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 5\n", pid, name);
	put(path, text);
	status(pid, name, swap_kib, 1);
	snprintf(path, sizeof(path), "/proc/%d/cgroup", pid);
	put(path, "0::/x\n");
	snprintf(path, sizeof(path), "/proc/%d/task/%d/status", pid, pid);
	put(path, "x");
}

static void kthread(int pid, const char *name)
{
	char path[64], text[256];

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	snprintf(text, sizeof(text), "%d (%s) S 2 0 0 0 -1 2097216 0 0 0 0 3 4 0 0 39 19 1 0 17\n", pid,
		 name);
	put(path, text);
	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	put(path, "Name:\tk\nPPid:\t2\n");
	snprintf(path, sizeof(path), "/proc/%d/cgroup", pid);
	put(path, "0::/\n");
}

/* The watch list, as one line: "pid:swap[tid,...] ". */
static char watched[4096];
static int watch_rc;

static int watch(void *arg, pid_t pid, const pid_t *tids, size_t n, uint64_t swap_bytes)
{
	size_t len = strlen(watched);

	(void)arg;
	len += (size_t)snprintf(watched + len, sizeof(watched) - len, "%d:%llu[", pid,
				(unsigned long long)swap_bytes);
	for (size_t i = 0; i < n && i < 10; i++)
		len += (size_t)snprintf(watched + len, sizeof(watched) - len, "%d%s", tids[i],
					i + 1 < n ? "," : "");
	snprintf(watched + len, sizeof(watched) - len, "] ");
	return watch_rc;
}

static int setup(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/swt-sampler-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	now_ns = 1000 * MS;
	step_ns = 0;
	last_ts = 0;
	stop_at = NULL;
	watched[0] = '\0';
	watch_rc = 0;
	memset(&sys, 0, sizeof(sys));
	forget();
	put("/proc/vmstat", VMSTAT);
	put("/proc/meminfo", "MemTotal: 100 kB\nBuffers: 1 kB\nSwapTotal: 50 kB\nSwapFree: 40 kB\n");
	put("/proc/stat", "cpu 1 2 3\nprocesses 17\n");
	swaps(1000);
	return swt_root_new(dir, &root);
}

static void start_with(uint64_t budget)
{
	struct swt_sampler_cfg cfg = {
		.root = root,
		.clock = &fake,
		.sink = { .file = file },
		.watch = watch,
		.budget_ns = budget,
	};

	assert_int_equal(swt_sampler_new(&cfg, &smp), 0);
}

static int teardown(void **state)
{
	(void)state;
	swt_sampler_free(smp);
	smp = NULL;
	swt_root_free(root);
	return nftw(dir, rm, 16, FTW_DEPTH | FTW_PHYS);
}

static void tick(void)
{
	now_ns += 100 * MS;
	assert_int_equal(swt_sampler_tick(smp), 0);
}

static void ticks(int n)
{
	while (n--)
		tick();
}

static void test_first_sight(void **state)
{
	(void)state;
	process(100, "a", 0);
	process(200, "b", 0);
	kthread(38, "khugepaged");
	put("/proc/self/status", "Name:\tnot-a-number\n");
	put("/proc/0/stat", "0 (x) S 0\n");
	start_with(0);
	tick();
	assert_int_equal(times("/proc/100/stat"), 1);
	assert_int_equal(times("/proc/100/status"), 1);
	assert_int_equal(times("/proc/100/cgroup"), 1);
	assert_int_equal(times("/proc/200/status"), 1);
	assert_int_equal(times("/proc/38/stat"), 1);
	assert_int_equal(times("/proc/38/status"), 0);
	assert_int_equal(times("/proc/0/stat"), 0);
	assert_int_equal(times("/proc/self/status"), 0);
	assert_string_equal(watched, "");
	/* Nothing moves: nothing more is read. */
	forget();
	process(300, "c", 0);
	ticks(20);
	assert_string_equal(seen, "");
	/* Found by its name and its being a kernel thread. */
	assert_int_equal(swt_sampler_system(smp), 0);
	assert_int_equal(times("/proc/38/stat"), 1);
	assert_int_equal(sys.khuge.pid, 38);
	assert_true(sys.khuge.cpu_ticks.known && sys.khuge.cpu_ticks.v == 7);
}

/* Born newest first, then by swap, then the rest, those just found first; each once. */
static void test_order(void **state)
{
	static const int want[] = { 302, 301, 120, 110, 130, 303 };
	char line[64];
	long before = -1;

	(void)state;
	process(100, "zero", 0);
	process(110, "big", 50000);
	process(120, "biggest", 90000);
	process(130, "small", 4);
	process(200, "zero", 0);
	start_with(0);
	tick();
	forget();
	process(301, "born", 0);
	process(302, "born", 0);
	process(303, "unseen", 0);
	swt_sampler_born(smp, 301);
	swt_sampler_born(smp, 9999); /* dead already */
	swt_sampler_born(smp, 302);
	swt_sampler_born(smp, 301);
	swt_sampler_born(smp, -1);
	swt_sampler_born(smp, 302);
	swaps(1001);
	tick();
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		snprintf(line, sizeof(line), "/proc/%d/status", want[i]);
		assert_int_equal(times(line), 1);
		assert_true(at(line) > before);
		before = at(line);
	}
	/* These two in the order of the listing. */
	assert_true(at("/proc/200/status") > before && at("/proc/100/status") > before);
	assert_int_equal(times("/proc/200/status"), 1);
	assert_int_equal(times("/proc/100/status"), 1);
	assert_int_equal(times("/proc/9999/status="), 0);
	assert_int_equal(times("/proc/301/stat"), 1);
	assert_int_equal(times("/proc/303/cgroup"), 1);
	/* Those met before: status alone. */
	assert_int_equal(times("/proc/120/stat"), 0);
	assert_int_equal(times("/proc/120/cgroup"), 0);
}

/* An exec gives a known process another name. */
static void test_born_again(void **state)
{
	(void)state;
	process(100, "a", 0);
	start_with(0);
	tick();
	forget();
	swt_sampler_born(smp, 100);
	swaps(1001);
	tick();
	assert_int_equal(times("/proc/100/stat"), 1);
	assert_int_equal(times("/proc/100/status"), 1);
	assert_int_equal(times("/proc/100/cgroup"), 1);
}

/* The same number, another process: everything is read again. */
static void test_pid_used_again(void **state)
{
	(void)state;
	process(100, "a", 1000);
	start_with(0);
	tick();
	forget();
	process(100, "b", 2000);
	swaps(1001);
	tick();
	assert_int_equal(times("/proc/100/stat"), 1);
	assert_int_equal(times("/proc/100/status"), 1);
	assert_int_equal(times("/proc/100/cgroup"), 1);
}

static void test_movement(void **state)
{
	(void)state;
	process(100, "a", 0);
	start_with(0);
	ticks(4);
	forget();
	ticks(4);
	assert_string_equal(seen, "");
	/* Pages go out as fast as others come in: only pswpout tells.  Seen within 200 ms. */
	put("/proc/vmstat", "pswpout 11\n");
	ticks(2);
	assert_int_equal(times("/proc/100/status"), 1);
	assert_true(times("/proc/vmstat") >= 1);
	assert_true(times("/proc/meminfo") >= 1);
	/* Memory is sampled until a second after the movement, and then no more. */
	ticks(9);
	assert_int_equal(times("/proc/meminfo"), 10);
	forget();
	ticks(20);
	assert_string_equal(seen, "");
	/* Swap falls. */
	swaps(0);
	tick();
	assert_int_equal(times("/proc/100/status"), 1);
	/* A counter that is gone for a while is no movement. */
	ticks(12);
	forget();
	put("/proc/vmstat", "oom_kill 0\n");
	ticks(2);
	put("/proc/vmstat", "pswpout 11\n");
	ticks(4);
	assert_string_equal(seen, "");
}

static void test_movement_without_proc_swaps(void **state)
{
	(void)state;
	process(100, "a", 0);
	gone("/proc/swaps");
	start_with(0);
	ticks(4);
	forget();
	ticks(2);
	assert_string_equal(seen, "");
	put("/proc/meminfo", "SwapTotal: 50 kB\nSwapFree: 39 kB\n");
	tick();
	assert_int_equal(times("/proc/100/status"), 1);
}

static void test_no_files_at_all(void **state)
{
	(void)state;
	gone("/proc");
	start_with(0);
	ticks(5);
	assert_int_equal(swt_sampler_system(smp), 0);
	assert_string_equal(seen, "");
	assert_int_equal(swt_sampler_pid(smp, 5), -ENOENT);
	assert_string_equal(seen, "/proc/5/status=\n");
	assert_string_equal(swt_sampler_limited(smp), "");
}

/* Movement all the time: the largest come round within 300 ms, and still everybody gets a turn. */
static void test_budget(void **state)
{
	char line[64];
	unsigned int big = 0;

	(void)state;
	for (int i = 0; i < 60; i++)
		process(100 + i, "p", i < 3 ? 1000u : 0);
	start_with(20 * MS);
	tick();
	for (int i = 0; i < 60; i++) {
		snprintf(line, sizeof(line), "/proc/%d/status", 100 + i);
		assert_int_equal(times(line), 1);
	}
	/* From now on each look at the clock takes 2 ms: about five processes a tick. */
	step_ns = 2 * MS;
	forget();
	for (unsigned int i = 0; i < 60; i++) {
		swaps(2000 + i);
		now_ns += 70 * MS;
		assert_int_equal(swt_sampler_tick(smp), 0);
		if (i % 3 == 2) {
			unsigned int n = times("/proc/101/status");

			assert_true(n > big || i == 2);
			big = n;
		}
	}
	assert_in_range(big, 19, 31);
	for (int i = 0; i < 60; i++) {
		snprintf(line, sizeof(line), "/proc/%d/status", 100 + i);
		assert_true(times(line) >= 1);
	}
	assert_true(swt_sampler_cost(smp) > 0);
}

/* The largest alone need three ticks, and the next movement is there before they are done. */
static void test_rest_is_not_starved(void **state)
{
	char line[64];

	(void)state;
	for (int i = 0; i < 8; i++)
		process(100 + i, "p", i < 3 ? 1000u : 0);
	start_with(40 * MS);
	tick();
	forget();
	/* One look at the clock before each process, one for its sample: one process a tick. */
	step_ns = 15 * MS;
	for (unsigned int i = 0; i < 300; i++) {
		swaps(2000 + i);
		tick();
	}
	for (int i = 0; i < 8; i++) {
		snprintf(line, sizeof(line), "/proc/%d/status", 100 + i);
		assert_true(times(line) >= 2);
	}
}

/* The first listing is cut into slices, too, and misses nobody. */
static void test_first_listing_in_slices(void **state)
{
	unsigned int before = 0, n = 0;

	(void)state;
	for (int i = 0; i < 40; i++)
		process(100 + i, "p", 0);
	step_ns = MS;
	start_with(10 * MS);
	for (int t = 0; t < 60 && n < 40; t++) {
		char line[64];

		tick();
		n = 0;
		for (int i = 0; i < 40; i++) {
			snprintf(line, sizeof(line), "/proc/%d/cgroup", 100 + i);
			n += times(line);
		}
		assert_true(n - before <= 10);
		before = n;
	}
	assert_int_equal(n, 40);
}

static void test_watch(void **state)
{
	(void)state;
	process(100, "below", 127);
	process(200, "above", 128);
	put("/proc/200/task/201/status", "x");
	start_with(0);
	tick();
	assert_true(!strcmp(watched, "200:131072[200,201] ") || !strcmp(watched, "200:131072[201,200] "));
	/* The same again: no need to say it twice. */
	watched[0] = '\0';
	swaps(1001);
	tick();
	assert_string_equal(watched, "");
	/* Another thread. */
	status(200, "above", 128, 2);
	swaps(1002);
	ticks(3);
	assert_non_null(strstr(watched, "200:131072["));
	/* Far more swap: its place among the largest changes. */
	watched[0] = '\0';
	status(200, "above", 1000, 2);
	swaps(1003);
	ticks(3);
	assert_non_null(strstr(watched, "200:1024000["));
	/* The other one comes above the threshold, the list is full: asked again at the next look. */
	watched[0] = '\0';
	watch_rc = -ENOSPC;
	status(100, "below", 128, 1);
	swaps(1004);
	ticks(3);
	assert_string_equal(watched, "100:131072[100] ");
	watch_rc = 0;
	swaps(1005);
	ticks(3);
	assert_string_equal(watched, "100:131072[100] 100:131072[100] ");
	swaps(1006);
	ticks(3);
	assert_string_equal(watched, "100:131072[100] 100:131072[100] ");
}

static void test_gone(void **state)
{
	(void)state;
	process(100, "a", 1000);
	process(200, "b", 0);
	kthread(5, "kworker/0:1");
	start_with(0);
	tick();
	gone("/proc/100");
	gone("/proc/200");
	gone("/proc/5");
	forget();
	swaps(0);
	tick();
	assert_int_equal(times("/proc/100/status="), 1);
	assert_int_equal(times("/proc/200/status="), 1);
	assert_int_equal(times("/proc/5/status="), 1);
	forget();
	swaps(1);
	ticks(3);
	assert_int_equal(times("/proc/100/status="), 0);
	/* A dying process can have an empty status. */
	process(300, "c", 1000);
	swaps(2);
	ticks(3);
	forget();
	put("/proc/300/status", "");
	swaps(3);
	ticks(3);
	assert_int_equal(times("/proc/300/status="), 1);
	swaps(4);
	ticks(3);
	assert_int_equal(times("/proc/300/status="), 1);
}

static void test_pid(void **state)
{
	uint64_t cost;

	(void)state;
	process(100, "a", 128);
	start_with(0);
	step_ns = 1;
	cost = swt_sampler_cost(smp);
	assert_int_equal(swt_sampler_pid(smp, 100), 0);
	assert_true(swt_sampler_cost(smp) > cost);
	assert_string_equal(seen, "/proc/100/stat\n/proc/100/status\n/proc/100/cgroup\n");
	assert_string_equal(watched, "100:131072[100] ");
	forget();
	assert_int_equal(swt_sampler_pid(smp, 101), -ENOENT);
	assert_string_equal(seen, "/proc/101/status=\n");
	assert_int_equal(swt_sampler_pid(smp, 0), -EINVAL);
	assert_int_equal(swt_sampler_pid(smp, -1), -EINVAL);
	/* Met already: the first listing does not read it again. */
	forget();
	tick();
	assert_int_equal(times("/proc/100/stat"), 0);
	gone("/proc/100");
	forget();
	assert_int_equal(swt_sampler_pid(smp, 100), -ENOENT);
	assert_string_equal(seen, "/proc/100/status=\n");
}

/* Zombie leader, living threads: their word counts, not a swap of 0. */
static void test_leaderless(void **state)
{
	(void)state;
	process(22912, "hog", 0);
	put("/proc/22912/status", "Name:\thog\nState:\tZ (zombie)\nPid:\t22912\nPPid:\t1\nThreads:\t2\n");
	put("/proc/22912/task/22950/status",
	    "Name:\thog\nState:\tD (disk sleep)\nPid:\t22950\nVmSwap:\t4096 kB\n");
	start_with(0);
	tick();
	assert_int_equal(times("/proc/22912/status"), 1);
	assert_int_equal(times("/proc/22912/task/22950/status"), 1);
	assert_int_equal(times("/proc/22912/task/22912/status"), 0);
	assert_non_null(strstr(watched, "22912:4194304["));
}

/* Killed while it waits for a device: what it waits for tells why it lives on. */
static void test_blocked(void **state)
{
	(void)state;
	process(300, "writer", 0);
	put("/proc/300/wchan", "percpu_rwsem_wait");
	start_with(0);
	tick();
	assert_int_equal(times("/proc/300/wchan"), 0);
	put("/proc/300/status", "Name:\twriter\nState:\tD (disk sleep)\nPid:\t300\nPPid:\t1\nThreads:\t1\n");
	forget();
	assert_int_equal(swt_sampler_pid(smp, 300), 0);
	assert_int_equal(times("/proc/300/wchan"), 1);
}

/* Many processes came and went without movement: the table is cleared by names alone. */
static void test_overgrown(void **state)
{
	char path[64], text[128];

	(void)state;
	start_with(0);
	tick();
	for (int pid = 1000; pid < 2100; pid++) {
		snprintf(path, sizeof(path), "/proc/%d/stat", pid);
		snprintf(text, sizeof(text), "%d (x) S 2 0 0 0 -1 2097216\n", pid);
		put(path, text);
		assert_int_equal(swt_sampler_pid(smp, pid), 0);
		if (pid >= 1001)
			gone(strrchr(path, '/') ? (*strrchr(path, '/') = '\0', path) : path);
	}
	forget();
	ticks(3);
	assert_int_equal(times("/proc/1001/status="), 1);
	assert_int_equal(times("/proc/2099/status="), 1);
	assert_int_equal(times("/proc/1000/status="), 0);
	assert_null(strstr(seen, "/stat\n"));
	forget();
	ticks(3);
	assert_string_equal(seen, "");
}

static void test_system(void **state)
{
	(void)state;
	put("/sys/block/zram0/mm_stat", "1000 400 8192 0 12288 3 5 6 7\n");
	put("/sys/block/zram0/debug_stat", "version: 1\n0 120\n");
	put("/sys/block/zram0/io_stat", "0 0 0 55\n");
	put("/sys/block/zram3/orig_data_size", "2000\n");
	put("/sys/block/zram3/compr_data_size", "900\n");
	put("/sys/block/zram3/mem_used_total", "4096\n");
	put("/sys/block/sda/mm_stat", "1\n");
	put("/sys/block/zramx/mm_stat", "1\n");
	put("/proc/pressure/memory", "some avg10=1.00\nfull avg10=0.50\n");
	put("/sys/kernel/mm/transparent_hugepage/khugepaged/full_scans", "9\n");
	put("/sys/module/zswap/parameters/enabled", "Y\n");
	put("/sys/kernel/mm/swap/exit_release/mode", "sync [late] async\n");
	start_with(0);
	assert_int_equal(swt_sampler_system(smp), 0);
	assert_true(sys.vm[SWT_VM_PSWPOUT].known && sys.vm[SWT_VM_PSWPOUT].v == 10);
	assert_true(sys.swap_total.known && sys.swap_total.v == 50 * 1024);
	assert_int_equal(sys.nareas, 1);
	assert_true(sys.processes.known && sys.processes.v == 17);
	assert_true(sys.psi_full_avg10.known && sys.psi_full_avg10.v == 50);
	assert_int_equal(sys.nzram, 2);
	assert_true(sys.khuge.full_scans.known && sys.khuge.full_scans.v == 9);
	assert_true(sys.zswap_enabled);
	assert_string_equal(sys.mode, "late");
	assert_int_equal(times("/sys/block/zram3/orig_data_size"), 1);
	assert_int_equal(times("/sys/block/zram0/orig_data_size"), 0);
	assert_int_equal(times("/sys/block/sda/mm_stat"), 0);
	assert_int_equal(times("/sys/block/zramx/mm_stat"), 0);
	/* A device and a file go away: said once. */
	gone("/sys/block/zram0");
	gone("/proc/pressure/memory");
	gone("/sys/kernel/mm/swap/exit_release/mode");
	forget();
	assert_int_equal(swt_sampler_system(smp), 0);
	assert_int_equal(sys.nzram, 1);
	assert_string_equal(sys.zram[0].name, "zram3");
	assert_false(sys.psi_full_avg10.known);
	assert_string_equal(sys.mode, "");
	assert_int_equal(times("/proc/pressure/memory="), 1);
	forget();
	assert_int_equal(swt_sampler_system(smp), 0);
	assert_null(strstr(seen, "=\n"));
}

static char trimmed[256];

static int keep_vmstat(void *arg, uint64_t ts, const char *path, const char *text, size_t len)
{
	(void)arg;
	(void)ts;
	if (!strcmp(path, "/proc/vmstat"))
		snprintf(trimmed, sizeof(trimmed), "%.*s", (int)len, text);
	return 0;
}

static void test_trimmed(void **state)
{
	struct swt_sampler_cfg cfg = { .root = root, .clock = &fake, .sink = { .file = keep_vmstat } };

	(void)state;
	assert_int_equal(swt_sampler_new(&cfg, &smp), 0);
	assert_int_equal(swt_sampler_system(smp), 0);
	assert_string_equal(trimmed, "pswpout 10\noom_kill 0\n");
}

static void test_sink_stops(void **state)
{
	(void)state;
	process(100, "a", 0);
	start_with(0);
	stop_at = "/proc/100/status";
	now_ns += 100 * MS;
	assert_int_equal(swt_sampler_tick(smp), 77);
	assert_int_equal(swt_sampler_pid(smp, 100), 77);
	stop_at = "/proc/swaps";
	assert_int_equal(swt_sampler_system(smp), 77);
	stop_at = "/proc/101/status";
	assert_int_equal(swt_sampler_pid(smp, 101), 77);
}

static void test_no_sink(void **state)
{
	struct swt_sampler_cfg cfg = { .root = root, .clock = &fake };

	(void)state;
	process(100, "a", 50000);
	assert_int_equal(swt_sampler_new(&cfg, &smp), 0);
	tick();
	swaps(5);
	tick();
	assert_int_equal(swt_sampler_system(smp), 0);
	assert_int_equal(swt_sampler_pid(smp, 100), 0);
}

static void limited(const char *file_name, const char *mounts, const char *want)
{
	put(file_name, mounts);
	swt_sampler_free(smp);
	smp = NULL;
	start_with(0);
	assert_string_equal(swt_sampler_limited(smp), want);
	gone(file_name);
}

#define LIMITED(v) "limited view: own processes only (/proc is mounted with hidepid=" v ")"

static void test_hidepid(void **state)
{
	char own[256];

	(void)state;
	limited("/proc/mounts", "proc /proc proc rw,nosuid,hidepid=2 0 0\n", LIMITED("2"));
	limited("/proc/self/mounts",
		"sysfs /sys sysfs rw 0 0\nproc /proc proc rw,hidepid=invisible,gid=4 0 0\n",
		LIMITED("invisible"));
	limited("/proc/self/mounts", "proc /proc proc rw,hidepid=1 0 0", LIMITED("1"));
	limited("/proc/self/mounts", "proc /proc proc rw 0 0\n", "");
	limited("/proc/self/mounts", "proc /proc proc rw,hidepid=0 0 0\n", "");
	limited("/proc/self/mounts", "proc /proc proc rw,hidepid=off 0 0\n", "");
	/* Another mount is none of ours; the last one on /proc is. */
	limited("/proc/self/mounts", "proc /mnt/proc proc rw,hidepid=2 0 0\n", "");
	limited("/proc/self/mounts", "proc /proc proc rw,hidepid=2 0 0\nproc /proc proc rw 0 0\n", "");
	limited("/proc/self/mounts", "tmpfs /proc tmpfs rw,hidepid=2 0 0\n", "");
	/* The sysroot itself may be where another machine's files are mounted. */
	snprintf(own, sizeof(own), "proc %s/proc proc rw,hidepid=2 0 0\n", dir);
	limited("/proc/self/mounts", own, LIMITED("2"));
	/* Damaged. */
	limited("/proc/self/mounts", "proc /proc proc rw,hidepid=\033[31m 0 0\n", LIMITED(""));
	limited("/proc/self/mounts", "proc /proc proc rw,hidepid= 0 0\n", "");
	limited("/proc/self/mounts", "proc /proc proc hidepid=999999999999999999999999999 0 0\n",
		LIMITED("9999999999999999"));
	limited("/proc/self/mounts", "\n\nproc\nproc /proc\nproc /proc proc\n", "");
	/* With the right to trace, or in the excepted group, all are visible. */
	process(1, "init", 0);
	limited("/proc/self/mounts", "proc /proc proc rw,hidepid=2 0 0\n", "");
}

/* Names opened in a directory since it was watched, blank-separated. */
static void opened(int fd, char *names, size_t size)
{
	char buf[65536];
	ssize_t n = read(fd, buf, sizeof(buf));
	size_t len = 0;

	names[0] = '\0';
	for (char *p = buf; n > 0 && p < buf + n;) {
		struct inotify_event ev;

		memcpy(&ev, p, sizeof(ev));
		if (ev.len && len < size)
			len += (size_t)snprintf(names + len, size - len, "%s ", p + sizeof(ev));
		p += sizeof(ev) + ev.len;
	}
}

/* smaps walks every page under the lock of the process; nothing of the kind is ever opened. */
static void test_never_smaps(void **state)
{
	static const char *const never[] = { "smaps",	"smaps_rollup", "maps",	   "numa_maps",
					     "pagemap", "mem",		"environ", "cmdline" };
	static const char *const always[] = { "stat", "status", "cgroup", "task" };
	char path[128], names[8192], word[32];
	int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);

	(void)state;
	if (fd < 0)
		skip();
	process(100, "hog", 50000);
	for (size_t i = 0; i < sizeof(never) / sizeof(never[0]); i++) {
		snprintf(path, sizeof(path), "/proc/100/%s", never[i]);
		put(path, "x");
	}
	snprintf(path, sizeof(path), "%s/proc/100", dir);
	assert_true(inotify_add_watch(fd, path, IN_OPEN) >= 0);
	start_with(0);
	for (unsigned int i = 0; i < 20; i++) {
		swaps(5000 + i);
		swt_sampler_born(smp, 100);
		tick();
		assert_int_equal(swt_sampler_system(smp), 0);
		assert_int_equal(swt_sampler_pid(smp, 100), 0);
	}
	opened(fd, names, sizeof(names));
	close(fd);
	for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++) {
		snprintf(word, sizeof(word), "%s ", always[i]);
		assert_non_null(strstr(names, word));
	}
	for (char *save, *w = strtok_r(names, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
		bool ok = false;

		for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++)
			ok = ok || !strcmp(w, always[i]);
		assert_true(ok);
	}
}

/* Files of a sysroot that make readers wait. */
static void test_fifos(void **state)
{
	char full[256];

	(void)state;
	process(100, "hog", 50000);
	gone("/proc/100/status");
	gone("/proc/swaps");
	snprintf(full, sizeof(full), "%s/proc/100/status", dir);
	assert_int_equal(mkfifo(full, 0644), 0);
	snprintf(full, sizeof(full), "%s/proc/swaps", dir);
	assert_int_equal(mkfifo(full, 0644), 0);
	alarm(60);
	start_with(0);
	ticks(3);
	assert_int_equal(swt_sampler_system(smp), 0);
	alarm(0);
}

/* More births than are remembered: the newest are. */
static void test_birth_storm(void **state)
{
	(void)state;
	process(100, "old", 0);
	process(200, "new", 0);
	start_with(0);
	tick();
	forget();
	swt_sampler_born(smp, 100);
	for (int i = 0; i < 5000; i++)
		swt_sampler_born(smp, 100000 + i);
	swt_sampler_born(smp, 200);
	swaps(1);
	tick();
	assert_int_equal(times("/proc/200/stat"), 1);
	assert_int_equal(times("/proc/100/stat"), 0);
	assert_int_equal(times("/proc/100/status"), 1);
}

static void test_arguments(void **state)
{
	struct swt_sampler_cfg cfg = { .root = root };

	(void)state;
	assert_int_equal(swt_sampler_new(&cfg, &smp), -EINVAL);
	assert_null(smp);
	swt_sampler_free(NULL);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_first_sight),
		TEST(test_order),
		TEST(test_born_again),
		TEST(test_pid_used_again),
		TEST(test_movement),
		TEST(test_movement_without_proc_swaps),
		TEST(test_no_files_at_all),
		TEST(test_budget),
		TEST(test_rest_is_not_starved),
		TEST(test_first_listing_in_slices),
		TEST(test_watch),
		TEST(test_gone),
		TEST(test_pid),
		TEST(test_leaderless),
		TEST(test_blocked),
		TEST(test_overgrown),
		TEST(test_system),
		TEST(test_trimmed),
		TEST(test_sink_stops),
		TEST(test_no_sink),
		TEST(test_hidepid),
		TEST(test_never_smaps),
		TEST(test_fifos),
		TEST(test_birth_storm),
		TEST(test_arguments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
