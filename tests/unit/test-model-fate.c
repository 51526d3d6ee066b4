/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The patched kernel's account of its releases, and of what the worker frees later.
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

static void patched(struct run *run, bool group_dead)
{
	run_init(run, group_dead, 2);
	for (int i = 0; i < SWT_EV_COUNT; i++)
		run->info.state[i] = i == SWT_EV_RSS_STAT ? SWT_EV_UNUSED : SWT_EV_HAVE;
}

/* Deferred entries: reported at the end of the teardown, final when the last one is freed and the parent has reaped. */
static void deferred(void **state)
{
	(void)state;
	for (int order = 0; order < 2; order++) {
		const struct swt_release *r;
		const struct run_release *last;
		struct run run;

		patched(&run, order);
		run_lines(
			&run,
			"lmkd-412 [001] ..... 10.000: signal_generate: sig=9 errno=0 code=0 comm=com.maps pid=4198 grp=1 res=0\n"
			"com.maps-4198 [000] ..... 10.001: signal_deliver: sig=9 errno=0 code=0 sa_handler=0 sa_flags=0\n");
		if (order)
			run_lines(
				&run,
				"com.maps-4198 [000] ..... 10.0015: sched_process_exit: comm=com.maps pid=4198 prio=120 group_dead=true\n");
		run_lines(
			&run,
			"com.maps-4198 [000] ..... 10.002: swap_exit_begin: swapents=7992 mm_id=77 tgid=4198 exiting=15 mode=async ctx=exit\n"
			"com.maps-4198 [000] ..... 10.030: swap_exit_defer: batch=1 entries=4000 pending=4000 memcg=0 runs=9 mm_id=77 tgid=4198 nid=0\n"
			"kworker-61 [001] ..... 10.040: swap_exit_release: batch=1 age_ns=10000000 dur_ns=100 entries=4000 pending=0 runs=9 mm_id=77 tgid=4198 nid=0 by=worker\n"
			"com.maps-4198 [000] ..... 10.050: swap_exit_defer: batch=2 entries=3872 pending=3872 memcg=0 runs=9 mm_id=77 tgid=4198 nid=0\n"
			"com.maps-4198 [000] ..... 10.068: swap_exit_end: dur_ns=66000000 late_ns=0 sync=120 late=0 deferred=3872 fallback=20 mm_id=77 tgid=4198 mode=async ctx=exit\n");
		assert_int_equal(run.n, 0);
		run_lines(&run, "com.maps-4198 [000] ..... 10.070: exit_mmap: mm=0\n");
		if (!order)
			run_lines(
				&run,
				"com.maps-4198 [000] ..... 10.071: sched_process_exit: comm=com.maps pid=4198 prio=120\n");
		r = run_done(&run, 4198, 0);
		assert_non_null(r);
		assert_int_equal(r->by_start, SWT_BY_SWAP_EXIT_BEGIN);
		assert_int_equal(r->by_end, SWT_BY_SWAP_EXIT_END);
		assert_int_equal(r->by_entries, SWT_BY_SWAP_EXIT_END);
		assert_opt(r->teardown, 66 * MS);
		assert_opt(r->swap_entries, 7992);
		assert_opt(r->sync, 120);
		assert_opt(r->deferred, 3872);
		assert_opt(r->fallback, 20);
		assert_opt(r->freed, 3992);
		assert_unknown(r->ns_per_entry);
		assert_int_equal(r->signal, 9);
		run_free(&run);

		/* Now with numbers that add up, and the worker late. */
		patched(&run, order);
		run_lines(
			&run,
			"com.maps-4198 [000] ..... 10.002: swap_exit_begin: swapents=7992 mm_id=77 tgid=4198 exiting=15 mode=async ctx=exit\n"
			"com.maps-4198 [000] ..... 10.068: swap_exit_end: dur_ns=66000000 late_ns=0 sync=120 late=0 deferred=7872 fallback=0 mm_id=77 tgid=4198 mode=async ctx=exit\n"
			"com.maps-4198 [000] ..... 10.070: exit_mmap: mm=0\n");
		run_tick(&run, 10300);
		r = run_done(&run, 4198, 0);
		assert_non_null(r);
		assert_opt(r->freed, 7992);
		assert_false(r->final);
		run_lines(
			&run,
			"kworker-61 [001] ..... 10.400: swap_exit_release: batch=1 age_ns=1 dur_ns=100 entries=4000 pending=0 runs=9 mm_id=77 tgid=4198 nid=0 by=worker\n"
			"kworker-61 [001] ..... 10.410: swap_exit_release: batch=9 age_ns=1 dur_ns=100 entries=500 pending=0 runs=9 mm_id=78 tgid=4199 nid=0 by=worker\n");
		assert_int_equal(run.n, 1);
		run_lines(
			&run,
			"kworker-61 [001] ..... 10.418: swap_exit_release: batch=2 age_ns=1 dur_ns=100 entries=3872 pending=0 runs=9 mm_id=77 tgid=4198 nid=0 by=drain\n");
		last = run_last(&run, r->id);
		assert_int_equal(last->step, SWT_STEP_UPDATE);
		assert_opt(last->r.released_at, 10418 * MS);
		assert_opt(last->r.lag, 350 * MS);
		assert_int_equal(last->r.released_by, 61);
		assert_false(last->r.final); /* the parent has not reaped */
		run_free(&run);
	}
}

/* late mode: the time is swap's alone and gives a rate. */
static void late(void **state)
{
	struct run run;
	const struct swt_release *r;

	(void)state;
	patched(&run, true);
	run_lines(
		&run,
		"a-50 [000] ..... 1.000: sched_process_exit: comm=a pid=50 prio=120 group_dead=true\n"
		"a-50 [000] ..... 1.001: swap_exit_begin: swapents=1000 mm_id=77 tgid=50 exiting=1 mode=late ctx=exit\n"
		"a-50 [000] ..... 1.011: swap_exit_end: dur_ns=10000000 late_ns=500000 sync=0 late=1000 deferred=0 fallback=0 mm_id=77 tgid=50 mode=late ctx=exit\n"
		"a-50 [000] ..... 1.012: exit_mmap: mm=0\n");
	r = run_done(&run, 50, 0);
	assert_non_null(r);
	assert_opt(r->freed, 1000);
	assert_opt(r->swap_ns, 500000);
	assert_opt(r->ns_per_entry, 500);
	assert_opt(r->other_ns, 9500000);
	assert_int_equal(r->by_swap_ns, SWT_BY_SWAP_EXIT_END);
	run_free(&run);
}

/* Who works is common_pid, whose memory it is says the event. */
static void others(void **state)
{
	struct run run;
	const struct swt_release *r;

	(void)state;
	patched(&run, true);
	run_lines(
		&run,
		"sh-10 [000] ..... 0.1: task_newtask: pid=50 comm=hog clone_flags=1200011\n"
		"lmkd-40 [000] ..... 1.000: swap_exit_begin: swapents=1000 mm_id=77 tgid=50 exiting=1 mode=late ctx=mrelease\n"
		"lmkd-40 [000] ..... 1.010: swap_exit_end: dur_ns=10000000 late_ns=500000 sync=0 late=600 deferred=0 fallback=0 mm_id=77 tgid=50 mode=late ctx=mrelease\n"
		"hog-50 [000] ..... 2.000: sched_process_exit: comm=hog pid=50 prio=120 group_dead=true\n"
		"hog-50 [000] ..... 2.001: swap_exit_begin: swapents=400 mm_id=77 tgid=50 exiting=1 mode=late ctx=exit\n"
		"hog-50 [000] ..... 2.011: swap_exit_end: dur_ns=10000000 late_ns=500000 sync=0 late=400 deferred=0 fallback=0 mm_id=77 tgid=50 mode=late ctx=exit\n"
		"hog-50 [000] ..... 2.012: exit_mmap: mm=0\n");
	r = run_done(&run, 50, 0);
	assert_non_null(r);
	assert_int_equal(r->kind, SWT_REL_REAPED);
	assert_int_equal(r->released_by, 40);
	assert_opt(r->freed, 600);
	assert_string_equal(r->comm, "hog");
	r = run_done(&run, 50, 1);
	assert_non_null(r);
	assert_int_equal(r->kind, SWT_REL_EXIT);
	assert_opt(r->freed, 400);
	run_free(&run);

	/* exec */
	patched(&run, true);
	run_lines(
		&run,
		"sh-10 [000] ..... 0.1: task_newtask: pid=50 comm=hog clone_flags=1200011\n"
		"hog-50 [000] ..... 2.001: swap_exit_begin: swapents=400 mm_id=77 tgid=50 exiting=1 mode=sync ctx=exec\n"
		"hog-50 [000] ..... 2.011: swap_exit_end: dur_ns=10000000 late_ns=0 sync=400 late=0 deferred=0 fallback=0 mm_id=77 tgid=50 mode=sync ctx=exec\n"
		"hog-50 [000] ..... 2.012: exit_mmap: mm=0\n"
		"sleep-50 [000] ..... 2.013: sched_process_exec: filename=/bin/sleep pid=50 old_pid=50\n");
	r = run_done(&run, 50, 0);
	assert_non_null(r);
	assert_int_equal(r->kind, SWT_REL_EXEC);
	assert_opt(r->sync, 400);
	assert_opt(r->teardown, 10 * MS);
	run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(deferred),
		cmocka_unit_test(late),
		cmocka_unit_test(others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
