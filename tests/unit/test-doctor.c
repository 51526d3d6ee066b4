/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What doctor says: each thing that is not there, why, what is lost and what to do (F50, F65, F93).
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/text.h"
#include "out/doctor.h"
#include "outgen.h"

static struct swt_source_info info;
static struct swt_snapshot snap;
static struct swt_doctor d;
static struct swt_buf page;

static void examine(enum swt_source_kind kind)
{
	outgen_source(&info, kind);
	outgen_snapshot(&snap);
	d = (struct swt_doctor){
		.host = "host7",
		.kernel = "6.12.117",
		.arch = "x86_64",
		.ncpus = 2,
		.page_size = 4096,
		.info = &info,
		.tracefs = "/sys/kernel/tracing",
		.sys = &snap.sys,
		.min_entries = swt_some(32),
		.min_exiting = swt_some(2),
		.events_per_exit_hundredths = swt_some(90),
		.ns_per_event = swt_some(270),
	};
}

static void print(bool ascii)
{
	swt_buf_reset(&page);
	assert_int_equal(swt_doctor_text(&d, ascii, &page), 0);
}

/* The page without its line breaks: each run of blanks one space. */
static const char *words(void)
{
	static char flat[1 << 14];
	size_t n = 0, i;

	for (i = 0; i < page.len && n < sizeof(flat) - 1; i++) {
		char c = page.s[i] == '\n' ? ' ' : page.s[i];

		if (c != ' ' || (n && flat[n - 1] != ' '))
			flat[n++] = c;
	}
	flat[n] = '\0';
	return flat;
}

static void has(const char *what)
{
	if (!strstr(words(), what))
		fail_msg("not on the page: %s\n%s", what, swt_buf_str(&page));
}

static void has_line(const char *what)
{
	if (!strstr(swt_buf_str(&page), what))
		fail_msg("not on the page: %s\n%s", what, swt_buf_str(&page));
}

static void has_not(const char *what)
{
	if (strstr(words(), what))
		fail_msg("on the page: %s\n%s", what, swt_buf_str(&page));
}

static void test_patched(void **state)
{
	(void)state;
	examine(SWT_SOURCE_PATCHED);
	d.others = "trace-cmd (pid 712): instance foo\n";
	print(false);
	has_line("kernel      6.12.117 x86_64, 2 CPUs, page 4096\n");
	has("source patched: events 7 of 7, counters of the patch 11 of 11, mode async (32 entries, 2 exiting)");
	has_line("tracefs     /sys/kernel/tracing, instance ok, clock mono, rings 16.0 M, level 2\n");
	has("events ok: sched (4), task (1), mmap (1), signal (1), oom (5), huge_memory (5), swap (6)");
	has_line("            not used at this level: kmem:rss_stat\n");
	has_line("            no access: signal:signal_deliver\n");
	has_line("              lost: handled and fatal signals look alike\n");
	/* The command on one line, to be copied. */
	has_line("  permission; run as root or: mount -o remount,gid=GROUP /sys/kernel/tracing\n");
	has_line("counters    all 24 are there\n");
	has_line("swap        /dev/zram0 (zram), 1.50 G of 2.00 G used, priority -2\n");
	has("zram: zram0; zswap off");
	has("khugepaged may fill 511 empty, read back 64 swapped and copy 256 shared pages to make a huge page; "
	    "looks at 4,096 pages, then sleeps");
	has("price 0.9 events per exit, 270 ns each; nothing for processes that do not exit");
	has_line("others      trace-cmd (pid 712): instance foo\n");
	has_not("limited view");
}

static void test_stock(void **state)
{
	(void)state;
	examine(SWT_SOURCE_STOCK);
	memset(snap.sys.mode, 0, sizeof(snap.sys.mode));
	snap.sys.vm[SWT_VM_ZSWPWB] = SWT_UNKNOWN;
	snap.sys.vm[SWT_VM_EXIT_SYNC] = SWT_UNKNOWN;
	d.limited = "hidepid=2: own processes only";
	print(false);
	has("source stock: events 17 of 18, counters of the patch 10 of 11, mode not in this kernel");
	has("not in this kernel (it comes with the swaptop patch series): swap:swap_exit_begin");
	has("lost: the start of a release is taken from stock events; the fate of the entries of a release is unknown; ");
	has_line("  boot a kernel with kernel-patch/ applied\n");
	has_line("counters    not in this kernel: zswpwb swap_exit_sync\n");
	has("price 0.9 events per exit, 270 ns each; kmem:rss_stat slows page faults of the processes with much swap");
	has_line("others      no other tracer found\n");
	has("limited view: hidepid=2: own processes only");
}

static void test_proc(void **state)
{
	(void)state;
	examine(SWT_SOURCE_PROC);
	d.tracefs = NULL;
	d.tracefs_problem = "no tracefs: mount -t tracefs nodev /sys/kernel/tracing";
	d.sys = NULL;
	print(false);
	has("source proc: sampling only, tracefs: permission: run as root");
	has_line("tracefs     -: no tracefs: mount -t tracefs nodev /sys/kernel/tracing\n");
	has_line("counters    /proc/vmstat cannot be read\n");
	has_line("price       none for the machine: no events are on\n");
}

/* Each event taken away in turn: named, with what is lost and what to do. */
static void test_each_event(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < SWT_EV_COUNT; i++) {
		const struct swt_event_desc *e = swt_catalog((enum swt_ev)i);
		struct swt_buf fix = SWT_BUF_INIT;

		if (e->source == SWT_EVS_FTRACE)
			continue;
		examine(SWT_SOURCE_PATCHED);
		info.state[SWT_EV_SIGNAL_DELIVER] = SWT_EV_HAVE;
		info.state[i] = SWT_EV_MISSING;
		info.error[i] = -ENOENT;
		print(false);
		has(e->full);
		has(e->lost);
		assert_non_null(swt_doctor_reason(&d, (enum swt_ev)i));
		assert_int_equal(swt_doctor_fix(&d, (enum swt_ev)i, &fix), 0);
		assert_int_equal(fix.len > 0, e->source == SWT_EVS_PATCH);

		/* EACCES, EPERM under lockdown and EBUSY have different answers. */
		swt_buf_reset(&fix);
		info.state[i] = SWT_EV_NO_ACCESS;
		info.error[i] = -EACCES;
		d.lockdown = "confidentiality";
		assert_string_equal(swt_doctor_reason(&d, (enum swt_ev)i), "permission");
		info.error[i] = -EPERM;
		assert_string_equal(swt_doctor_reason(&d, (enum swt_ev)i), "lockdown");
		assert_int_equal(swt_doctor_fix(&d, (enum swt_ev)i, &fix), 0);
		assert_string_equal(swt_buf_str(&fix), "boot without lockdown=confidentiality");
		info.error[i] = -EBUSY;
		assert_string_equal(swt_doctor_reason(&d, (enum swt_ev)i), "busy: somebody else holds it");
		swt_buf_free(&fix);
	}
}

static void test_clean_and_narrow(void **state)
{
	const char *p;
	int ascii;

	(void)state;
	examine(SWT_SOURCE_STOCK);
	d.others = "evil \x1b[31m\x07 (pid 1)\n\n\x9b\n";
	d.kernel = "6\x1b";
	outgen_snapshot_odd(&snap);
	for (ascii = 0; ascii < 2; ascii++) {
		print(ascii);
		assert_true(swt_text_valid(page.s, page.len));
		for (p = page.s; *p; p++) {
			assert_true(*p == '\n' || ((unsigned char)*p >= 0x20 && *p != 0x7f));
			assert_true(!ascii || (unsigned char)*p < 0x80);
		}
	}
	examine(SWT_SOURCE_STOCK);
	print(false);
	for (p = page.s; *p; p += strcspn(p, "\n") + 1)
		assert_true(swt_text_width(p, strcspn(p, "\n")) <= 90); /* commands are not broken */
}

static int done(void **state)
{
	(void)state;
	swt_buf_free(&page);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_patched),
		cmocka_unit_test(test_stock),
		cmocka_unit_test(test_proc),
		cmocka_unit_test(test_each_event),
		cmocka_unit_test(test_clean_and_narrow),
	};

	return cmocka_run_group_tests(tests, NULL, done);
}
