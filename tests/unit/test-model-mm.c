/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Address spaces: exec, fork, sharing, last references, reapers, recycled ids.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "modelrun.h"

#define MS 1000000ull

/* F16: exec releases the old program's memory, in 8 ms, and the pid goes on with nothing in swap. */
static void exec_releases(void **state)
{
	struct swt_snapshot *snap = test_malloc(sizeof(*snap));
	struct run run;
	const struct swt_release *r;

	(void)state;
	for (int order = 0; order < 2; order++) {
		run_init(&run, order, 4);
		run_file(&run, 1, "/proc/300/stat",
			 "300 (hog) S 10 300 300 0 -1 0 0 0 0 0 1 2 0 0 20 0 1 0 77 0 0\n");
		run_lines(
			&run,
			"hog-300 [000] ..... 1.000: rss_stat: mm_id=30 curr=1 type=MM_SWAPENTS size=67108864B\n"
			"hog-300 [000] ..... 2.000: rss_stat: mm_id=30 curr=0 type=MM_SWAPENTS size=65011712B\n"
			"hog-300 [000] ..... 2.004: rss_stat: mm_id=30 curr=0 type=MM_SWAPENTS size=33554432B\n"
			"hog-300 [000] ..... 2.008: rss_stat: mm_id=30 curr=0 type=MM_SWAPENTS size=0B\n"
			"hog-300 [000] ..... 2.008: exit_mmap: mm=0\n"
			"hog-300 [000] ..... 2.008: rss_stat: mm_id=31 curr=1 type=MM_ANONPAGES size=4096B\n");
		assert_int_equal(run.n, 0);
		run_lines(
			&run,
			"sleep-300 [000] ..... 2.009: sched_process_exec: filename=/usr/bin/sleep pid=300 old_pid=300\n");
		assert_int_equal(run_count(&run), 1);
		r = run_done(&run, 300, 0);
		assert_non_null(r);
		assert_int_equal(r->kind, SWT_REL_EXEC);
		assert_string_equal(r->comm, "hog");
		assert_opt(r->swap_entries, 16384);
		assert_opt(r->freed, 16384);
		assert_opt(r->teardown, 8 * MS);
		assert_true(r->final);
		swt_model_snapshot(run.m, 2100 * MS, snap);
		assert_opt(snap->held_bytes, 0);
		assert_int_equal(snap->processes, 1);
		assert_int_equal(snap->exits.count, 1);
		assert_opt(snap->exits.freed_entries, 16384);
		/* It ends as sleep, with nothing. */
		if (order)
			run_lines(
				&run,
				"sleep-300 [000] ..... 3.0: sched_process_exit: comm=sleep pid=300 prio=120 group_dead=true\n");
		run_lines(&run, "sleep-300 [000] ..... 3.0: exit_mmap: mm=0\n");
		if (!order)
			run_lines(
				&run,
				"sleep-300 [000] ..... 3.1: sched_process_exit: comm=sleep pid=300 prio=120\n");
		r = run_done(&run, 300, 1);
		assert_non_null(r);
		assert_int_equal(r->kind, SWT_REL_EXIT);
		assert_string_equal(r->comm, "sleep");
		assert_opt(r->freed, 0);
		run_free(&run);
	}
	test_free(snap);
}

/*
 * The same with what a watch list gives: nothing of the address space was seen before its first step, only a sample.
 * The first step has taken one page table away already; it is not what there was at the start.
 */
static void exec_sampled(void **state)
{
	static const struct {
		const char *vmswap;
		bool known;
	} cases[] = { { "65536", true }, { "70000", false }, { "60000", false } };
	struct run run;
	const struct swt_release *r;
	char text[256];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		run_init(&run, 1, 3);
		snprintf(
			text, sizeof(text),
			"Name:\thog\nState:\tS\nTgid:\t300\nPid:\t300\nPPid:\t10\nVmRSS:\t 1388 kB\nVmSwap:\t %s kB\nThreads:\t1\n",
			cases[i].vmswap);
		run_file(&run, 1, "/proc/300/status", text);
		run_lines(
			&run,
			"sleep-300 [000] ..... 2.000: rss_stat: mm_id=30 curr=0 type=MM_FILEPAGES size=1359872B\n"
			"sleep-300 [000] ..... 2.000: rss_stat: mm_id=30 curr=0 type=MM_SWAPENTS size=65011712B\n"
			"sleep-300 [000] ..... 2.004: rss_stat: mm_id=30 curr=0 type=MM_SWAPENTS size=33554432B\n"
			"sleep-300 [000] ..... 2.008: rss_stat: mm_id=30 curr=0 type=MM_SWAPENTS size=0B\n"
			"sleep-300 [000] ..... 2.008: exit_mmap: mm=0\n"
			"sleep-300 [000] ..... 2.009: sched_process_exec: filename=/usr/bin/sleep pid=300 old_pid=300\n");
		r = run_done(&run, 300, 0);
		assert_non_null(r);
		assert_int_equal(r->kind, SWT_REL_EXEC);
		assert_int_equal(r->freed.known, cases[i].known);
		if (cases[i].known) {
			assert_opt(r->swap_entries, 16384);
			assert_opt(r->freed, 16384);
			assert_int_equal(r->by_entries, SWT_BY_VMSWAP_RSS);
		}
		run_free(&run);
	}
}

/* A launcher: several exit_mmap of one pid before its exit (failed and nested execs), nothing in swap: one row. */
static void exec_chain(void **state)
{
	struct run run;

	(void)state;
	for (int order = 0; order < 2; order++) {
		run_init(&run, order, 4);
		run_file(
			&run, 1, "/proc/10/status",
			"Name:\tsh\nState:\tS\nTgid:\t10\nPid:\t10\nPPid:\t1\nVmRSS:\t 10 kB\nVmSwap:\t 0 kB\nThreads:\t1\n");
		run_lines(
			&run,
			"sh-10 [000] ..... 1.0: task_newtask: pid=50 comm=sh clone_flags=1200011\n"
			"sh-50 [000] ..... 1.001: exit_mmap: mm=1\n" /* an exec that failed */
			"sh-50 [000] ..... 1.002: exit_mmap: mm=2\n"
			"env-50 [000] ..... 1.003: sched_process_exec: filename=/usr/bin/env pid=50 old_pid=50\n"
			"env-50 [000] ..... 1.004: rss_stat: mm_id=51 curr=1 type=MM_ANONPAGES size=4096B\n"
			"env-50 [000] ..... 1.005: exit_mmap: mm=3\n"
			"python3-50 [000] ..... 1.006: sched_process_exec: filename=/usr/bin/python3 pid=50 old_pid=50\n");
		assert_int_equal(run_count(&run), 0);
		if (order)
			run_lines(
				&run,
				"python3-50 [000] ..... 1.1: sched_process_exit: comm=python3 pid=50 prio=120 group_dead=true\n");
		run_lines(&run, "python3-50 [000] ..... 1.2: exit_mmap: mm=4\n");
		if (!order)
			run_lines(
				&run,
				"python3-50 [000] ..... 1.3: sched_process_exit: comm=python3 pid=50 prio=120\n");
		assert_int_equal(run_count(&run), 1);
		assert_non_null(run_done(&run, 50, 0));
		assert_string_equal(run_done(&run, 50, 0)->comm, "python3");
		run_free(&run);
	}
}

/* vfork: the child borrows the parent's memory until it executes; nothing is released by that. */
static void vfork_child(void **state)
{
	struct run run;

	(void)state;
	run_init(&run, true, 4);
	run_lines(&run, "sh-10 [000] ..... 0.5: rss_stat: mm_id=1 curr=1 type=MM_SWAPENTS size=4096000B\n"
			"sh-10 [000] ..... 1.0: task_newtask: pid=50 comm=sh clone_flags=4111\n"
			"sh-50 [000] ..... 1.001: rss_stat: mm_id=1 curr=1 type=MM_ANONPAGES size=4096B\n"
			"sh-50 [000] ..... 1.002: rss_stat: mm_id=2 curr=1 type=MM_ANONPAGES size=4096B\n"
			"ls-50 [000] ..... 1.003: sched_process_exec: filename=/bin/ls pid=50 old_pid=50\n"
			"ls-50 [000] ..... 1.1: sched_process_exit: comm=ls pid=50 prio=120 group_dead=true\n"
			"ls-50 [000] ..... 1.2: exit_mmap: mm=4\n");
	assert_int_equal(run_count(&run), 1);
	assert_opt(run_done(&run, 50, 0)->freed, 0);
	/* The parent still has what it had. */
	run_lines(&run, "sh-10 [000] ..... 2.1: sched_process_exit: comm=sh pid=10 prio=120 group_dead=true\n"
			"sh-10 [000] ..... 2.15: rss_stat: mm_id=1 curr=0 type=MM_SWAPENTS size=2048000B\n"
			"sh-10 [000] ..... 2.17: rss_stat: mm_id=1 curr=0 type=MM_SWAPENTS size=0B\n"
			"sh-10 [000] ..... 2.2: exit_mmap: mm=4\n");
	assert_opt(run_done(&run, 10, 0)->freed, 1000);
	run_free(&run);
}

/* fork fills the child's page tables in the parent's context: sizes rise, nothing is released. */
static void fork_copies(void **state)
{
	struct run run;
	const struct swt_release *r;

	(void)state;
	run_init(&run, true, 4);
	run_lines(
		&run,
		"app-10 [000] ..... 0.5: rss_stat: mm_id=1 curr=1 type=MM_SWAPENTS size=4194304B\n"
		"app-10 [000] ..... 1.000: rss_stat: mm_id=2 curr=0 type=MM_SWAPENTS size=2097152B\n"
		"app-10 [000] ..... 1.001: rss_stat: mm_id=2 curr=0 type=MM_SWAPENTS size=4194304B\n"
		"app-10 [000] ..... 1.002: task_newtask: pid=50 comm=app clone_flags=1200011\n"
		"app-10 [000] ..... 1.002: sched_process_fork: comm=app pid=10 child_comm=app child_pid=50\n"
		"app-50 [001] ..... 1.003: rss_stat: mm_id=2 curr=1 type=MM_ANONPAGES size=4096B\n");
	run_tick(&run, 3000);
	assert_int_equal(run.n, 0);
	run_lines(&run,
		  "app-50 [001] ..... 4.000: sched_process_exit: comm=app pid=50 prio=120 group_dead=true\n"
		  "app-50 [001] ..... 4.001: rss_stat: mm_id=2 curr=0 type=MM_SWAPENTS size=2097152B\n"
		  "app-50 [001] ..... 4.002: rss_stat: mm_id=2 curr=0 type=MM_SWAPENTS size=0B\n"
		  "app-50 [001] ..... 4.003: exit_mmap: mm=4\n");
	r = run_done(&run, 50, 0);
	assert_non_null(r);
	assert_opt(r->swap_entries, 1024);
	assert_opt(r->freed, 1024);
	assert_int_equal(r->ppid, 10);
	assert_int_equal(run_count(&run), 1);
	run_free(&run);
}

/* Not watched: what a child has in swap is what its parent had. */
static void inherited(void **state)
{
	struct run run;
	const struct swt_release *r;

	(void)state;
	run_init(&run, true, 2);
	run_file(
		&run, 1, "/proc/10/status",
		"Name:\tapp\nState:\tS\nTgid:\t10\nPid:\t10\nPPid:\t1\nVmRSS:\t 10 kB\nVmSwap:\t 400 kB\nThreads:\t1\n");
	run_lines(&run,
		  "app-10 [000] ..... 1.002: task_newtask: pid=50 comm=app clone_flags=1200011\n"
		  "app-50 [001] ..... 4.000: sched_process_exit: comm=app pid=50 prio=120 group_dead=true\n"
		  "app-50 [001] ..... 4.003: exit_mmap: mm=4\n");
	r = run_done(&run, 50, 0);
	assert_non_null(r);
	assert_opt(r->swap_entries, 100);
	assert_int_equal(r->by_entries, SWT_BY_INHERITED);
	assert_unknown(r->freed);
	assert_unknown(r->ns_per_entry);
	run_free(&run);
}

/* A sample says how much there was; the first page table can confirm it. */
static void sampled(void **state)
{
	struct run run;
	const struct swt_release *r;
	static const char status[] =
		"Name:\tapp\nState:\tS\nTgid:\t50\nPid:\t50\nPPid:\t1\nVmRSS:\t 10 kB\nVmSwap:\t 4096 kB\nThreads:\t1\n";

	(void)state;
	run_init(&run, true, 3);
	run_file(&run, 1, "/proc/50/status", status);
	run_lines(&run,
		  "app-50 [001] ..... 4.000: sched_process_exit: comm=app pid=50 prio=120 group_dead=true\n"
		  "app-50 [001] ..... 4.001: rss_stat: mm_id=2 curr=0 type=MM_SWAPENTS size=2097152B\n"
		  "app-50 [001] ..... 4.002: rss_stat: mm_id=2 curr=0 type=MM_SWAPENTS size=0B\n"
		  "app-50 [001] ..... 4.003: exit_mmap: mm=4\n");
	r = run_done(&run, 50, 0);
	assert_opt(r->swap_entries, 1024);
	assert_opt(r->freed, 1024);
	assert_int_equal(r->by_entries, SWT_BY_VMSWAP_RSS);
	run_free(&run);

	/* One page table more than can be: the sample was out of date. */
	run_init(&run, true, 3);
	run_file(&run, 1, "/proc/50/status", status);
	run_lines(&run,
		  "app-50 [001] ..... 4.000: sched_process_exit: comm=app pid=50 prio=120 group_dead=true\n"
		  "app-50 [001] ..... 4.001: rss_stat: mm_id=2 curr=0 type=MM_SWAPENTS size=2093056B\n"
		  "app-50 [001] ..... 4.002: rss_stat: mm_id=2 curr=0 type=MM_SWAPENTS size=0B\n"
		  "app-50 [001] ..... 4.003: exit_mmap: mm=4\n");
	r = run_done(&run, 50, 0);
	assert_unknown(r->swap_entries);
	assert_unknown(r->freed);
	run_free(&run);

	/* Not watched at all. */
	run_init(&run, true, 3);
	run_file(&run, 1, "/proc/50/status", status);
	run_lines(&run,
		  "app-50 [001] ..... 4.000: sched_process_exit: comm=app pid=50 prio=120 group_dead=true\n"
		  "app-50 [001] ..... 4.003: exit_mmap: mm=4\n");
	r = run_done(&run, 50, 0);
	assert_opt(r->swap_entries, 1024);
	assert_unknown(r->freed);
	assert_int_equal(r->by_entries, SWT_BY_VMSWAP);
	run_free(&run);
}

/* The id of a dead address space comes back for another one. */
static void recycled_id(void **state)
{
	struct run run;

	(void)state;
	run_init(&run, true, 4);
	run_lines(&run, "a-50 [001] ..... 1.0: rss_stat: mm_id=2 curr=1 type=MM_SWAPENTS size=8192000B\n"
			"a-50 [001] ..... 2.000: sched_process_exit: comm=a pid=50 prio=120 group_dead=true\n"
			"a-50 [001] ..... 2.001: rss_stat: mm_id=2 curr=0 type=MM_SWAPENTS size=0B\n"
			"a-50 [001] ..... 2.003: exit_mmap: mm=4\n"
			"b-60 [001] ..... 2.004: rss_stat: mm_id=2 curr=1 type=MM_ANONPAGES size=4096B\n"
			"b-60 [001] ..... 2.005: rss_stat: mm_id=2 curr=1 type=MM_SWAPENTS size=40960B\n"
			"b-60 [001] ..... 3.000: sched_process_exit: comm=b pid=60 prio=120 group_dead=true\n"
			"b-60 [001] ..... 3.001: rss_stat: mm_id=2 curr=0 type=MM_SWAPENTS size=0B\n"
			"b-60 [001] ..... 3.003: exit_mmap: mm=4\n");
	assert_int_equal(run_count(&run), 2);
	assert_opt(run_done(&run, 50, 0)->freed, 2000);
	assert_opt(run_done(&run, 60, 0)->freed, 10);
	run_free(&run);
}

/* F18: a CLONE_VM child lives on: the parent's exit releases nothing, the child's does. */
static void held_by_child(void **state)
{
	struct run run;
	const struct swt_release *r;
	const struct run_release *last;

	(void)state;
	for (int order = 0; order < 2; order++) {
		const char *dead = order ? " group_dead=true" : "";
		char line[256];

		run_init(&run, order, 4);
		run_lines(
			&run,
			"sh-10 [000] ..... 0.1: task_newtask: pid=50 comm=hog clone_flags=1200011\n"
			"hog-50 [001] ..... 0.2: rss_stat: mm_id=2 curr=1 type=MM_SWAPENTS size=67108864B\n"
			"hog-50 [001] ..... 0.3: task_newtask: pid=51 comm=hog clone_flags=111\n"
			"sh-10 [000] ..... 0.99: signal_generate: sig=9 errno=0 code=0 comm=hog pid=50 grp=1 res=0\n"
			"hog-50 [001] ..... 0.995: signal_deliver: sig=9 errno=0 code=0 sa_handler=0 sa_flags=0\n");
		snprintf(line, sizeof(line),
			 "hog-50 [001] ..... 1.000: sched_process_exit: comm=hog pid=50 prio=120%s\n", dead);
		run_lines(&run, line);
		run_lines(
			&run,
			"hog-50 [001] ..... 1.001: signal_generate: sig=17 errno=0 code=2 comm=sh pid=10 grp=1 res=0\n"
			"rcu-15 [001] ..... 1.020: sched_process_free: comm=hog pid=50 prio=120\n");
		r = run_done(&run, 50, 0);
		assert_non_null(r);
		assert_true(r->held);
		assert_opt(r->freed, 0);
		assert_opt(r->swap_entries, 16384);
		assert_unknown(r->teardown);
		assert_false(r->final);
		assert_int_equal(r->signal, 9);
		last = run_last(&run, r->id);
		assert_opt(last->r.reap_ns, 19 * MS);
		assert_false(last->r.final);

		if (order)
			run_lines(
				&run,
				"hog-51 [001] ..... 2.0916: sched_process_exit: comm=hog pid=51 prio=120 group_dead=true\n");
		run_lines(
			&run,
			"hog-51 [001] ..... 2.0920: rss_stat: mm_id=2 curr=0 type=MM_SWAPENTS size=65011712B\n"
			"hog-51 [001] ..... 2.1000: rss_stat: mm_id=2 curr=0 type=MM_SWAPENTS size=0B\n"
			"hog-51 [001] ..... 2.1010: exit_mmap: mm=0\n");
		if (!order)
			run_lines(
				&run,
				"hog-51 [001] ..... 2.1011: sched_process_exit: comm=hog pid=51 prio=120\n");
		last = run_last(&run, r->id);
		assert_int_equal(last->step, SWT_STEP_UPDATE);
		assert_true(last->r.final);
		assert_int_equal(last->r.released_by, 51);
		assert_opt(last->r.released_at, 2101 * MS);
		assert_opt(last->r.lag, 1100 * MS);
		r = run_done(&run, 51, 0);
		assert_non_null(r);
		assert_false(r->held);
		assert_opt(r->freed, 16384);
		if (order)
			assert_opt(r->teardown, 9400000);
		run_free(&run);
	}
}

/* A reader of /proc holds the last reference: it does the work, after the parent was told or before. */
static void last_reference(void **state)
{
	static const char exit[] =
		"hog-50 [001] ..... 0.2: rss_stat: mm_id=2 curr=1 type=MM_SWAPENTS size=4194304B\n"
		"top-77 [000] ..... 0.3: rss_stat: mm_id=7 curr=1 type=MM_ANONPAGES size=4096B\n"
		"hog-50 [001] ..... 1.000: sched_process_exit: comm=hog pid=50 prio=120 group_dead=true\n";
	static const char told[] =
		"hog-50 [001] ..... 1.001: signal_generate: sig=17 errno=0 code=2 comm=sh pid=10 grp=1 res=0\n";
	static const char work[] =
		"top-77 [000] ..... 1.0011: rss_stat: mm_id=2 curr=0 type=MM_SWAPENTS size=2097152B\n"
		"top-77 [000] ..... 1.0021: rss_stat: mm_id=2 curr=0 type=MM_SWAPENTS size=0B\n"
		"top-77 [000] ..... 1.0031: exit_mmap: mm=0\n";
	struct run run;

	(void)state;
	for (int early = 0; early < 2; early++) {
		const struct swt_release *r = NULL, *l = NULL;

		run_init(&run, true, 4);
		run_lines(&run, exit);
		run_lines(&run, early ? work : told);
		run_lines(&run, early ? told : work);
		for (size_t i = 0; i < run.n; i++) {
			if (run.out[i].step != SWT_STEP_DONE)
				continue;
			if (run.out[i].r.kind == SWT_REL_EXIT)
				r = &run.out[i].r;
			else if (run.out[i].r.kind == SWT_REL_LASTREF)
				l = &run.out[i].r;
		}
		assert_int_equal(run_count(&run), 2);
		assert_non_null(r);
		assert_non_null(l);
		assert_true(r->held);
		assert_opt(r->freed, 0);
		assert_opt(r->swap_entries, 1024);
		assert_int_equal(l->pid, 50);
		assert_string_equal(l->comm, "hog");
		assert_int_equal(l->released_by, 77);
		assert_opt(l->freed, 1024);
		assert_int_equal(run_last(&run, r->id)->r.released_by, 77);
		assert_opt(run_last(&run, r->id)->r.released_at, 1003100000);
		run_free(&run);
	}
}

/* The OOM reaper frees most, the victim the rest: two rows, and no entry counted twice. */
static void reaped_by_oom(void **state)
{
	struct run run;
	const struct swt_release *r, *x;

	(void)state;
	run_init(&run, true, 4);
	run_lines(
		&run,
		"hog-50 [001] ..... 0.2: rss_stat: mm_id=2 curr=1 type=MM_SWAPENTS size=8388608B\n"
		"alloc-9 [000] ..... 1.00: mark_victim: pid=50 comm=hog total-vm:0kB\n"
		"alloc-9 [000] ..... 1.00: signal_generate: sig=9 errno=0 code=128 comm=hog pid=50 grp=1 res=0\n"
		"oom_reaper-40 [000] ..... 1.01: start_task_reaping: pid=50\n"
		"oom_reaper-40 [000] ..... 1.02: rss_stat: mm_id=2 curr=0 type=MM_SWAPENTS size=6291456B\n"
		"oom_reaper-40 [000] ..... 1.03: rss_stat: mm_id=2 curr=0 type=MM_SWAPENTS size=4194304B\n"
		"oom_reaper-40 [000] ..... 1.04: finish_task_reaping: pid=50\n"
		"hog-50 [001] ..... 2.00: sched_process_exit: comm=hog pid=50 prio=120 group_dead=true\n"
		"hog-50 [001] ..... 2.01: rss_stat: mm_id=2 curr=0 type=MM_SWAPENTS size=2097152B\n"
		"hog-50 [001] ..... 2.02: rss_stat: mm_id=2 curr=0 type=MM_SWAPENTS size=0B\n"
		"hog-50 [001] ..... 2.03: exit_mmap: mm=0\n");
	assert_int_equal(run_count(&run), 2);
	r = run_done(&run, 50, 0);
	x = run_done(&run, 50, 1);
	assert_non_null(x);
	assert_int_equal(r->kind, SWT_REL_REAPED);
	assert_int_equal(r->released_by, 40);
	assert_opt(r->freed, 1024);
	assert_int_equal(x->kind, SWT_REL_EXIT);
	assert_true(x->oom);
	assert_int_equal(x->signal, 9);
	assert_int_equal(x->sender, 0);
	assert_opt(x->swap_entries, 1024);
	assert_opt(x->freed, 1024);
	run_free(&run);
}

/* process_mrelease works beside the victim, without events of its own. */
static void mrelease_beside(void **state)
{
	struct run run;
	const struct swt_release *r, *x = NULL;

	(void)state;
	run_init(&run, true, 4);
	run_lines(
		&run,
		"hog-50 [001] ..... 0.2: rss_stat: mm_id=2 curr=1 type=MM_SWAPENTS size=8388608B\n"
		"lmkd-40 [000] ..... 1.00: signal_generate: sig=9 errno=0 code=0 comm=hog pid=50 grp=1 res=0\n"
		"hog-50 [001] ..... 1.01: sched_process_exit: comm=hog pid=50 prio=120 group_dead=true\n"
		"lmkd-40 [000] ..... 1.02: rss_stat: mm_id=2 curr=0 type=MM_SWAPENTS size=6291456B\n"
		"hog-50 [001] ..... 1.03: rss_stat: mm_id=2 curr=0 type=MM_SWAPENTS size=4194304B\n"
		"lmkd-40 [000] ..... 1.04: rss_stat: mm_id=2 curr=0 type=MM_SWAPENTS size=2097152B\n"
		"hog-50 [001] ..... 1.05: rss_stat: mm_id=2 curr=0 type=MM_SWAPENTS size=0B\n"
		"hog-50 [001] ..... 1.06: exit_mmap: mm=0\n");
	assert_int_equal(run_count(&run), 2);
	for (unsigned int i = 0; i < 2; i++) {
		r = run_done(&run, 50, i);
		if (r->kind == SWT_REL_EXIT)
			x = r;
		assert_opt(r->freed, 1024);
	}
	assert_non_null(x);
	assert_opt(x->swap_entries, 2048);
	run_free(&run);
}

/* Reclaim of somebody who lives, swapoff, khugepaged: changes, but no releases. */
static void bystanders(void **state)
{
	struct run run;

	(void)state;
	run_init(&run, true, 4);
	run_lines(&run,
		  "app-50 [001] ..... 0.2: rss_stat: mm_id=2 curr=1 type=MM_SWAPENTS size=8388608B\n"
		  "swapoff-70 [000] ..... 1.0: rss_stat: mm_id=2 curr=0 type=MM_SWAPENTS size=4194304B\n"
		  "swapoff-70 [000] ..... 1.1: rss_stat: mm_id=3 curr=0 type=MM_SWAPENTS size=4194304B\n"
		  "swapoff-70 [000] ..... 1.2: rss_stat: mm_id=3 curr=0 type=MM_SWAPENTS size=0B\n"
		  "swapoff-70 [000] ..... 1.3: rss_stat: mm_id=2 curr=0 type=MM_SWAPENTS size=0B\n");
	run_tick(&run, 5000);
	assert_int_equal(run.n, 0);
	run_lines(&run,
		  "app-50 [001] ..... 6.0: sched_process_exit: comm=app pid=50 prio=120 group_dead=true\n"
		  "app-50 [001] ..... 6.1: exit_mmap: mm=0\n");
	assert_opt(run_done(&run, 50, 0)->freed, 0);
	run_free(&run);
}

/* Two that share one address space are killed together: the first leaves it to the second. */
static void sharers_die_together(void **state)
{
	struct run run;

	(void)state;
	run_init(&run, true, 4);
	run_lines(
		&run,
		"sh-10 [000] ..... 0.1: task_newtask: pid=50 comm=hog clone_flags=1200011\n"
		"hog-50 [001] ..... 0.2: rss_stat: mm_id=2 curr=1 type=MM_SWAPENTS size=4194304B\n"
		"hog-50 [001] ..... 0.3: task_newtask: pid=51 comm=hog clone_flags=111\n"
		"hog-51 [000] ..... 1.000: sched_process_exit: comm=hog pid=51 prio=120 group_dead=true\n"
		"hog-50 [001] ..... 1.001: sched_process_exit: comm=hog pid=50 prio=120 group_dead=true\n"
		"hog-51 [000] ..... 1.002: rss_stat: mm_id=2 curr=0 type=MM_SWAPENTS size=2097152B\n"
		"hog-50 [001] ..... 1.003: signal_generate: sig=17 errno=0 code=2 comm=sh pid=10 grp=1 res=0\n"
		"hog-51 [000] ..... 1.004: rss_stat: mm_id=2 curr=0 type=MM_SWAPENTS size=0B\n"
		"hog-51 [000] ..... 1.005: exit_mmap: mm=0\n");
	assert_int_equal(run_count(&run), 2);
	assert_opt(run_done(&run, 51, 0)->freed, 1024);
	assert_true(run_done(&run, 50, 0)->held);
	assert_opt(run_done(&run, 50, 0)->freed, 0);
	assert_int_equal(run_last(&run, run_done(&run, 50, 0)->id)->r.released_by, 51);
	run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exec_releases), cmocka_unit_test(exec_sampled),
		cmocka_unit_test(exec_chain),	 cmocka_unit_test(vfork_child),
		cmocka_unit_test(fork_copies),	 cmocka_unit_test(inherited),
		cmocka_unit_test(sampled),	 cmocka_unit_test(recycled_id),
		cmocka_unit_test(held_by_child), cmocka_unit_test(last_reference),
		cmocka_unit_test(reaped_by_oom), cmocka_unit_test(mrelease_beside),
		cmocka_unit_test(bystanders),	 cmocka_unit_test(sharers_die_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
