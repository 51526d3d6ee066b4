/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exits: marks on both sides of the teardown, counts, threads, loss.
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

/* F03: reclaim adds to a dying process. */
static void swapped_out_while_dying(void **state)
{
	struct run run;
	const struct swt_release *r;

	(void)state;
	run_init(&run, true, 4);
	run_lines(&run,
		  "hog-500 [000] ..... 1.000: sched_process_exit: comm=hog pid=500 prio=120 group_dead=true\n"
		  "hog-500 [000] ..... 1.001: rss_stat: mm_id=5 curr=0 type=MM_SWAPENTS size=40960000B\n"
		  "hog-500 [000] ..... 1.002: rss_stat: mm_id=5 curr=0 type=MM_SWAPENTS size=45056000B\n"
		  "hog-500 [000] ..... 1.020: rss_stat: mm_id=5 curr=0 type=MM_SWAPENTS size=0B\n"
		  "hog-500 [000] ..... 1.021: exit_mmap: mt_mod mm=0\n");
	r = run_done(&run, 500, 0);
	assert_non_null(r);
	assert_opt(r->swap_entries, 10000);
	assert_opt(r->swapped_dying, 1000);
	assert_opt(r->freed, 11000);
	assert_opt(r->teardown, 21 * MS);
	assert_int_equal(r->by_start, SWT_BY_SCHED_EXIT);
	assert_int_equal(r->by_end, SWT_BY_EXIT_MMAP);
	assert_opt(r->swap_ns, 18 * MS);
	assert_opt(r->other_ns, 3 * MS);
	assert_string_equal(r->comm, "hog");
	run_free(&run);
}

/* The same when kswapd is the one that adds, and the number before is known. */
static void swapped_out_by_reclaim(void **state)
{
	struct run run;
	const struct swt_release *r;

	(void)state;
	run_init(&run, true, 4);
	run_lines(&run,
		  "hog-500 [000] ..... 0.900: rss_stat: mm_id=5 curr=1 type=MM_SWAPENTS size=40960000B\n"
		  "hog-500 [000] ..... 1.000: sched_process_exit: comm=hog pid=500 prio=120 group_dead=true\n"
		  "kswapd0-80 [001] ..... 1.0005: rss_stat: mm_id=5 curr=0 type=MM_SWAPENTS size=45056000B\n"
		  "hog-500 [000] ..... 1.001: rss_stat: mm_id=5 curr=0 type=MM_SWAPENTS size=43008000B\n"
		  "hog-500 [000] ..... 1.020: rss_stat: mm_id=5 curr=0 type=MM_SWAPENTS size=0B\n"
		  "hog-500 [000] ..... 1.021: exit_mmap: mm=0\n");
	r = run_done(&run, 500, 0);
	assert_non_null(r);
	assert_opt(r->swap_entries, 10000);
	assert_opt(r->swapped_dying, 1000);
	assert_opt(r->freed, 11000);
	assert_int_equal(r->by_entries, SWT_BY_RSS_STAT);
	assert_int_equal(run_count(&run), 1);
	run_free(&run);
}

static const char f12[] =
	"hog-700 [000] ..... 10.000: rss_stat: mm_id=7 curr=0 type=MM_SWAPENTS size=4194304B\n"
	"hog-700 [000] ..... 10.050: rss_stat: mm_id=7 curr=0 type=MM_SWAPENTS size=2097152B\n"
	"hog-700 [000] ..... 10.100: rss_stat: mm_id=7 curr=0 type=MM_SWAPENTS size=0B\n"
	"hog-700 [000] ..... 10.100: exit_mmap: mm=0\n";

/* F12: the exit event comes before the teardown or after it; 100 ms within 1 % both times. */
static void two_orders(void **state)
{
	struct run run;
	const struct swt_release *r;

	(void)state;
	run_init(&run, false, 4);
	run_lines(&run, f12);
	assert_int_equal(run.n, 0); /* could still be an exec */
	run_lines(&run, "hog-700 [000] ..... 10.101: sched_process_exit: comm=hog pid=700 prio=120\n");
	r = run_done(&run, 700, 0);
	assert_non_null(r);
	assert_in_range(swt_opt_or(r->teardown, 0), 99 * MS, 101 * MS);
	assert_int_equal(r->by_start, SWT_BY_RSS_STAT);
	assert_int_equal(r->by_end, SWT_BY_EXIT_MMAP);
	assert_int_equal(r->kind, SWT_REL_EXIT);
	run_free(&run);

	run_init(&run, true, 4);
	run_lines(
		&run,
		"hog-700 [000] ..... 9.999: sched_process_exit: comm=hog pid=700 prio=120 group_dead=true\n");
	run_lines(&run, f12);
	r = run_done(&run, 700, 0);
	assert_non_null(r);
	assert_in_range(swt_opt_or(r->teardown, 0), 99 * MS, 101 * MS);
	assert_int_equal(r->by_start, SWT_BY_SCHED_EXIT);
	assert_int_equal(run_count(&run), 1);
	run_free(&run);
}

/* The old order without exit_mmap (the event is not on): the exit event itself is the end. */
static void old_order_no_mmap(void **state)
{
	struct run run;
	const struct swt_release *r;

	(void)state;
	run_init(&run, false, 4);
	run_without(&run, SWT_EV_EXIT_MMAP);
	run_lines(&run,
		  "hog-700 [000] ..... 9.000: rss_stat: mm_id=7 curr=1 type=MM_SWAPENTS size=4194304B\n"
		  "hog-700 [000] ..... 10.000: rss_stat: mm_id=7 curr=0 type=MM_SWAPENTS size=2097152B\n"
		  "hog-700 [000] ..... 10.100: rss_stat: mm_id=7 curr=0 type=MM_SWAPENTS size=0B\n"
		  "hog-700 [000] ..... 10.101: sched_process_exit: comm=hog pid=700 prio=120\n");
	r = run_done(&run, 700, 0);
	assert_non_null(r);
	assert_opt(r->teardown, 101 * MS);
	assert_int_equal(r->by_end, SWT_BY_SCHED_EXIT);
	assert_opt(r->swap_entries, 1024);
	assert_opt(r->freed, 1024);
	run_free(&run);
}

/* A fatal signal delivered to the thread is an earlier start than the first page table. */
static void old_order_signal(void **state)
{
	struct run run;
	const struct swt_release *r;

	(void)state;
	run_init(&run, false, 2);
	run_lines(
		&run,
		"lmkd-40 [001] ..... 9.990: signal_generate: sig=9 errno=0 code=0 comm=hog pid=700 grp=1 res=0\n"
		"hog-700 [000] ..... 10.000: signal_deliver: sig=9 errno=0 code=0 sa_handler=0 sa_flags=0\n"
		"hog-700 [000] ..... 10.100: exit_mmap: mm=0\n"
		"hog-700 [000] ..... 10.101: sched_process_exit: comm=hog pid=700 prio=120\n");
	r = run_done(&run, 700, 0);
	assert_non_null(r);
	assert_int_equal(r->by_start, SWT_BY_SIGNAL_DELIVER);
	assert_opt(r->teardown, 100 * MS);
	assert_opt(r->signal_ns, 10 * MS);
	assert_int_equal(r->signal, 9);
	assert_int_equal(r->sender, 40);
	assert_unknown(r->freed);
	run_free(&run);
}

/* F20: curr=0 in its own context is its own teardown; without the lines nothing was observed. */
static void own_context(void **state)
{
	struct run run;
	const struct swt_release *r;

	(void)state;
	run_init(&run, true, 4);
	run_lines(&run,
		  "x-600 [001] ..... 20.000000: sched_process_exit: comm=x pid=600 prio=120 group_dead=true\n"
		  "x-600 [001] ..... 20.000200: rss_stat: mm_id=9 curr=0 type=MM_SWAPENTS size=20971520B\n"
		  "x-600 [001] ..... 20.004200: rss_stat: mm_id=9 curr=0 type=MM_SWAPENTS size=0B\n");
	run_end(&run, 21000);
	r = run_done(&run, 600, 0);
	assert_non_null(r);
	assert_opt(r->teardown, 4200000);
	assert_int_equal(r->by_end, SWT_BY_RSS_STAT);
	run_free(&run);

	run_init(&run, true, 4);
	run_lines(
		&run,
		"x-600 [001] ..... 20.000000: sched_process_exit: comm=x pid=600 prio=120 group_dead=true\n");
	run_end(&run, 21000);
	r = run_done(&run, 600, 0);
	assert_non_null(r);
	assert_unknown(r->teardown);
	assert_unknown(r->freed);
	assert_unknown(r->swap_ns);
	assert_int_equal(r->by_end, SWT_BY_NONE);
	assert_false(r->held);
	assert_false(r->final);
	run_free(&run);
}

/* F53: an end on the other side of a gap belongs to nobody. */
static void gap(void **state)
{
	struct run run;
	const struct swt_release *r;

	(void)state;
	run_init(&run, true, 2);
	run_lines(&run, "x-100 [002] ..... 1.0: sched_process_exit: comm=x pid=100 prio=120 group_dead=true\n"
			"CPU:2 [LOST 57 EVENTS]\n"
			"rcu-15 [002] ..... 9.0: sched_process_free: comm=x pid=100 prio=120\n");
	r = run_done(&run, 100, 0);
	assert_non_null(r);
	assert_unknown(r->teardown);
	assert_unknown(r->reap_ns);
	assert_int_equal(r->lost, 57);
	assert_false(r->complete);
	assert_false(r->held);
	assert_true(run_last(&run, r->id)->r.final);
	run_free(&run);
}

/* A gap on another CPU leaves the pair whole, and says that something is missing. */
static void gap_elsewhere(void **state)
{
	struct run run;
	const struct swt_release *r;

	(void)state;
	run_init(&run, true, 2);
	run_lines(&run,
		  "x-100 [002] ..... 1.0: sched_process_exit: comm=x pid=100 prio=120 group_dead=true\n"
		  "y-3 [001] ..... 1.0005: signal_generate: sig=14 errno=0 code=0 comm=y pid=3 grp=1 res=0\n"
		  "CPU:1 [LOST 5 EVENTS]\n"
		  "y-3 [001] ..... 1.001: signal_generate: sig=14 errno=0 code=0 comm=y pid=3 grp=1 res=0\n"
		  "x-100 [002] ..... 1.004: exit_mmap: mm=0\n"
		  "x-100 [002] ..... 1.010: sched_process_exit: comm=z pid=101 prio=120 group_dead=true\n"
		  "z-101 [002] ..... 1.014: exit_mmap: mm=0\n");
	r = run_done(&run, 100, 0);
	assert_non_null(r);
	assert_opt(r->teardown, 4 * MS);
	assert_false(r->complete);
	assert_int_equal(r->lost, 5);
	r = run_done(&run, 101, 0);
	assert_non_null(r);
	assert_true(r->complete);
	run_free(&run);
}

/* F14 and the last thread that is not the leader. */
static void leader_first(void **state)
{
	struct run run;
	const struct swt_release *r;
	struct swt_snapshot *snap = test_malloc(sizeof(*snap));

	(void)state;
	run_init(&run, true, 4);
	run_lines(&run,
		  "sh-10 [000] ..... 0.1: task_newtask: pid=20 comm=sh clone_flags=1200011 oom_score_adj=0\n"
		  "app-20 [000] ..... 0.2: sched_process_exec: filename=/bin/app pid=20 old_pid=20\n"
		  "app-20 [000] ..... 0.3: task_newtask: pid=21 comm=app clone_flags=3d0f00 oom_score_adj=0\n"
		  "app-20 [000] ..... 0.3: task_newtask: pid=22 comm=app clone_flags=3d0f00 oom_score_adj=0\n"
		  "app-20 [000] ..... 0.3: task_newtask: pid=23 comm=app clone_flags=3d0f00 oom_score_adj=0\n"
		  "app-21 [000] ..... 0.4: rss_stat: mm_id=3 curr=1 type=MM_SWAPENTS size=4096000B\n"
		  "app-20 [000] ..... 0.5: sched_process_exit: comm=app pid=20 prio=120 group_dead=false\n");
	assert_int_equal(run.n, 0);
	assert_non_null(strstr(run.notes, "leader exited, 3 threads alive"));
	/* A zombie leader without Vm lines says nothing about swap. */
	run_file(&run, 600, "/proc/20/status",
		 "Name:\tapp\nState:\tZ (zombie)\nTgid:\t20\nPid:\t20\nPPid:\t10\nThreads:\t4\n");
	run_tick(&run, 1500);
	assert_int_equal(run.n, 0);
	swt_model_snapshot(run.m, 1600 * MS, snap);
	assert_opt(snap->held_bytes, 4096000);
	run_lines(&run,
		  "app-21 [001] ..... 2.5: sched_process_exit: comm=w1 pid=21 prio=120 group_dead=false\n"
		  "app-22 [001] ..... 2.5: sched_process_exit: comm=w2 pid=22 prio=120 group_dead=false\n"
		  "app-23 [001] ..... 2.5: sched_process_exit: comm=w3 pid=23 prio=120 group_dead=true\n"
		  "app-23 [001] ..... 2.51: rss_stat: mm_id=3 curr=0 type=MM_SWAPENTS size=2048000B\n"
		  "app-23 [001] ..... 2.52: rss_stat: mm_id=3 curr=0 type=MM_SWAPENTS size=0B\n"
		  "app-23 [001] ..... 2.53: exit_mmap: mm=0\n");
	assert_int_equal(run_count(&run), 1);
	r = run_done(&run, 20, 0);
	assert_non_null(r);
	assert_int_equal(r->tid, 23);
	assert_string_equal(r->comm, "app"); /* not the thread's name */
	assert_opt(r->threads, 4);
	assert_opt(r->freed, 1000);
	assert_opt(r->teardown, 30 * MS);
	assert_int_equal(r->ppid, 10);
	run_free(&run);
	test_free(snap);
}

/* Eight threads, old order: only the last one's exit is the exit of the process. */
static void threads_old_order(void **state)
{
	struct run run;
	char line[256];

	(void)state;
	run_init(&run, false, 2);
	run_lines(&run, "sh-10 [000] ..... 0.1: task_newtask: pid=20 comm=app clone_flags=1200011\n");
	for (int i = 21; i < 28; i++) {
		snprintf(line, sizeof(line),
			 "app-20 [000] ..... 0.2: task_newtask: pid=%d comm=app clone_flags=3d0f00\n", i);
		run_lines(&run, line);
	}
	for (int i = 20; i < 27; i++) {
		snprintf(line, sizeof(line),
			 "app-%d [000] ..... 1.0: sched_process_exit: comm=t pid=%d prio=120\n", i, i);
		run_lines(&run, line);
	}
	assert_int_equal(run.n, 0);
	run_lines(&run, "app-27 [000] ..... 1.1: exit_mmap: mm=0\n"
			"app-27 [000] ..... 1.2: sched_process_exit: comm=t pid=27 prio=120\n");
	assert_int_equal(run_count(&run), 1);
	assert_non_null(run_done(&run, 20, 0));
	assert_opt(run_done(&run, 20, 0)->threads, 8);
	assert_unknown(run_done(&run, 20, 0)->teardown); /* no start mark: not 0 */
	run_free(&run);
}

/* F102: no entries, no time, no rate. */
static void nothing_in_swap(void **state)
{
	struct run run;
	const struct swt_release *r;

	(void)state;
	run_init(&run, true, 4);
	run_lines(&run, "x-100 [002] ..... 1.0: sched_process_exit: comm=x pid=100 prio=120 group_dead=true\n"
			"x-100 [002] ..... 1.0: exit_mmap: mm=0\n");
	r = run_done(&run, 100, 0);
	assert_non_null(r);
	assert_opt(r->freed, 0);
	assert_opt(r->teardown, 0);
	assert_unknown(r->ns_per_entry);
	run_free(&run);
}

/* Sizes of a 32-bit kernel above 2 GiB are negative: out of range, not negative swap. */
static void out_of_range(void **state)
{
	struct run run;
	const struct swt_release *r;

	(void)state;
	run_init(&run, true, 4);
	run_lines(&run, "x-100 [002] ..... 0.9: rss_stat: mm_id=5 curr=1 type=MM_SWAPENTS size=-1073741824B\n"
			"x-100 [002] ..... 1.0: sched_process_exit: comm=x pid=100 prio=120 group_dead=true\n"
			"x-100 [002] ..... 1.1: rss_stat: mm_id=5 curr=0 type=MM_SWAPENTS size=-1073750000B\n"
			"x-100 [002] ..... 1.2: rss_stat: mm_id=5 curr=0 type=MM_SWAPENTS size=0B\n"
			"x-100 [002] ..... 1.3: exit_mmap: mm=0\n");
	r = run_done(&run, 100, 0);
	assert_non_null(r);
	assert_unknown(r->swap_entries);
	assert_unknown(r->freed);
	assert_unknown(r->ns_per_entry);
	run_free(&run);
}

/* The parent is told, and collects. */
static void told_and_reaped(void **state)
{
	struct run run;
	const struct swt_release *r;

	(void)state;
	run_init(&run, true, 2);
	run_lines(&run,
		  "sh-10 [000] ..... 0.1: task_newtask: pid=20 comm=app clone_flags=1200011\n"
		  "app-20 [000] ..... 1.0: sched_process_exit: comm=app pid=20 prio=120 group_dead=true\n"
		  "app-20 [000] ..... 1.010: exit_mmap: mm=0\n");
	r = run_done(&run, 20, 0);
	assert_non_null(r);
	assert_false(r->final);
	run_lines(
		&run,
		"app-20 [000] ..... 1.011: signal_generate: sig=17 errno=0 code=1 comm=sh pid=10 grp=1 res=0\n"
		"rcu-15 [000] ..... 1.051: sched_process_free: comm=app pid=20 prio=120\n");
	assert_int_equal(run.n, 2);
	assert_int_equal(run.out[1].step, SWT_STEP_UPDATE);
	assert_true(run.out[1].r.final);
	assert_opt(run.out[1].r.gone_at, 1011 * MS);
	assert_opt(run.out[1].r.reap_ns, 40 * MS);
	assert_int_equal(run.born, 1);
	assert_int_equal(run.freed, 1);
	run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(swapped_out_while_dying),
		cmocka_unit_test(swapped_out_by_reclaim),
		cmocka_unit_test(two_orders),
		cmocka_unit_test(old_order_no_mmap),
		cmocka_unit_test(old_order_signal),
		cmocka_unit_test(own_context),
		cmocka_unit_test(gap),
		cmocka_unit_test(gap_elsewhere),
		cmocka_unit_test(leader_first),
		cmocka_unit_test(threads_old_order),
		cmocka_unit_test(nothing_in_swap),
		cmocka_unit_test(out_of_range),
		cmocka_unit_test(told_and_reaped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
