/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Timelines of OOM victims.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "ftext.h"
#include "model/oom.h"
#include "notes.h"

#define SEC SWT_NS_PER_SEC

static const char *comm_of(void *arg, pid_t pid)
{
	(void)arg;
	return pid == 10 ? "java" : NULL;
}

static const char *cgroup_of(void *arg, pid_t pid)
{
	(void)arg;
	return pid == 999 ? "/box" : pid == 1234 ? "/wrong" : NULL;
}

static pid_t tgid_of(void *arg, pid_t tid)
{
	(void)arg;
	return tid == 71 ? 70 : tid;
}

static struct swt_oom *oom_new(struct notes *notes)
{
	struct swt_oom_who who = { NULL, comm_of, cgroup_of, tgid_of };
	struct swt_noter noter = notes_to(notes);
	struct swt_oom *o;

	notes->n = 0;
	assert_int_equal(swt_oom_new(&noter, &who, &o), 0);
	return o;
}

static int to_oom(void *arg, const struct swt_event *ev)
{
	return swt_oom_event(arg, ev);
}

static void feed(struct swt_oom *o, const char *lines)
{
	struct swt_sink sink = { .arg = o, .event = to_oom };

	assert_int_equal(ftext_feed(lines, &sink), 0);
}

static void test_second_victim_before_the_first_is_back(void **state)
{
	struct notes n;
	struct swt_oom *o = oom_new(&n);
	int i;

	(void)state;
	feed(o, "alloc-5 [000] ..... 1.0: mark_victim: pid=10\n"
		"alloc-6 [000] ..... 1.3: mark_victim: pid=11\n");
	assert_int_equal(notes_find(&n, "before victim"), -1);
	feed(o, "oom_reaper-3 [000] ..... 1.6: finish_task_reaping: pid=10\n");
	i = notes_find(&n, "before victim");
	assert_true(i >= 0);
	assert_string_equal(notes_text(&n, (unsigned int)i),
			    "victim 11 chosen 0.3 s before victim 10's memory came back");
	assert_int_equal(n.line[i].kind, SWT_NOTE_OOM);
	assert_int_equal(n.line[i].ts, 1600000000ull);
	swt_oom_free(o);
}

/* Without a reaper it is the release that brings memory back; and it is said once. */
static void test_overlap_by_release(void **state)
{
	struct notes n;
	struct swt_oom *o = oom_new(&n);

	(void)state;
	feed(o, "alloc-5 [000] ..... 1.0: mark_victim: pid=10\n"
		"alloc-6 [000] ..... 1.3: mark_victim: pid=11\n"
		"alloc-6 [000] ..... 3.0: mark_victim: pid=12\n");
	swt_oom_returned(o, 2 * SEC, 10, swt_some(64 << 20));
	assert_int_equal(notes_find(&n, "victim 11 chosen 0.7 s before victim 10's memory came back"), 3);
	assert_int_equal(notes_find(&n, "victim 12 chosen 0"), -1);
	swt_oom_returned(o, 2 * SEC + 1, 10, swt_some(64 << 20));
	assert_int_equal(n.n, 4);
	swt_oom_free(o);
}

static void test_no_overlap(void **state)
{
	struct notes n;
	struct swt_oom *o = oom_new(&n);

	(void)state;
	feed(o, "alloc-5 [000] ..... 1.0: mark_victim: pid=10\n"
		"oom_reaper-3 [000] ..... 1.2: finish_task_reaping: pid=10\n"
		"alloc-6 [000] ..... 1.3: mark_victim: pid=11\n"
		"oom_reaper-3 [000] ..... 1.6: finish_task_reaping: pid=11\n");
	assert_int_equal(notes_find(&n, "before victim"), -1);
	swt_oom_free(o);
}

static void test_victim_is_the_pid_in_the_event(void **state)
{
	const struct swt_oom_victim *v;
	struct notes n;
	struct swt_oom *o = oom_new(&n);

	(void)state;
	feed(o, "alloc-1234 [001] ..... 5.0: mark_victim: pid=999 comm=big one total-vm=1kB anon-rss=2kB\n");
	v = swt_oom_find(o, 999);
	assert_non_null(v);
	assert_int_equal(v->pid, 999);
	assert_int_equal(v->triggered_by, 1234);
	assert_string_equal(v->cgroup, "/box");
	assert_int_equal(v->chosen, 5 * SEC);
	assert_null(swt_oom_find(o, 1234));
	assert_non_null(strstr(notes_text(&n, 0), "victim 999 (big one"));
	assert_non_null(strstr(notes_text(&n, 0), "chosen, triggered by 1234, group /box"));
	swt_oom_free(o);
}

/* The event of old kernels has only the pid: the name is the last one seen, or none. */
static void test_names(void **state)
{
	struct notes n;
	struct swt_oom *o = oom_new(&n);

	(void)state;
	feed(o, "a-1 [000] ..... 1.0: mark_victim: pid=10\n"
		"a-1 [000] ..... 1.1: mark_victim: pid=20\n");
	assert_string_equal(swt_oom_find(o, 10)->comm, "java");
	assert_string_equal(swt_oom_find(o, 20)->comm, "");
	assert_string_equal(notes_text(&n, 0), "victim 10 (java) chosen, triggered by 1");
	assert_string_equal(notes_text(&n, 1), "victim 20 chosen, triggered by 1");
	swt_oom_free(o);
}

static void test_queued_twice(void **state)
{
	struct notes n;
	struct swt_oom *o = oom_new(&n);

	(void)state;
	feed(o, "a-1 [000] ..... 1.0: mark_victim: pid=10\n"
		"a-1 [000] ..... 1.0: wake_reaper: pid=10\n"
		"a-1 [000] ..... 1.0: wake_reaper: pid=11\n");
	assert_int_equal(notes_find(&n, "queued"), -1);
	feed(o, "a-1 [000] ..... 1.1: wake_reaper: pid=10\n");
	assert_string_equal(notes_text(&n, n.n - 1), "victim 10 (java) queued for the reaper 2 times");
	assert_int_equal(swt_oom_find(o, 10)->wakes, 2);
	assert_int_equal(swt_oom_find(o, 10)->woken, SEC);
	swt_oom_free(o);
}

static void test_whole_timeline(void **state)
{
	struct notes n;
	struct swt_oom *o = oom_new(&n);

	(void)state;
	feed(o, "a-1 [000] ..... 1.0: mark_victim: pid=10\n"
		"i-0 [000] ..... 3.0: wake_reaper: pid=10\n"
		"oom_reaper-3 [000] ..... 3.1: skip_task_reaping: pid=10\n"
		"oom_reaper-3 [000] ..... 3.2: start_task_reaping: pid=10\n"
		"oom_reaper-3 [000] ..... 3.7: finish_task_reaping: pid=10\n");
	swt_oom_returned(o, 4 * SEC, 10, swt_some(2ull << 30));
	swt_oom_gone(o, 4 * SEC + SEC / 4, 10);
	assert_string_equal(
		notes_text(&n, n.n - 1),
		"victim 10 (java): chosen, queued for the reaper +2 s, reaping +2.2 s, reaped +2.7 s, "
		"skipped 1 time, gone +3.25 s, 2.00 G of swap back +3 s");
	/* The pid again: another process. */
	feed(o, "a-1 [000] ..... 9.0: mark_victim: pid=10\n");
	assert_int_equal(swt_oom_find(o, 10)->chosen, 9 * SEC);
	assert_int_equal(swt_oom_find(o, 10)->wakes, 0);
	swt_oom_free(o);
}

/* Marked through a thread; the process is what exits. */
static void test_thread_of_the_victim(void **state)
{
	struct notes n;
	struct swt_oom *o = oom_new(&n);

	(void)state;
	feed(o, "a-1 [000] ..... 1.0: mark_victim: pid=71\n");
	swt_oom_gone(o, 2 * SEC, 70);
	swt_oom_returned(o, 3 * SEC, 70, SWT_UNKNOWN);
	assert_string_equal(notes_text(&n, n.n - 1),
			    "victim 71: chosen, gone +1 s, swap back (amount not known) +2 s");
	swt_oom_free(o);
}

static void test_late_is_said_once(void **state)
{
	struct notes n;
	struct swt_oom *o = oom_new(&n);

	(void)state;
	feed(o, "a-1 [000] ..... 1.0: mark_victim: pid=10\n"
		"oom_reaper-3 [000] ..... 3.1: skip_task_reaping: pid=10\n");
	for (unsigned int i = 2; i < 30; i++)
		swt_oom_tick(o, i * SEC);
	assert_int_equal(n.n, 2);
	assert_string_equal(notes_text(&n, 1),
			    "victim 10 (java) chosen 10 s ago: the reaper could not get its locks");
	swt_oom_gone(o, 40 * SEC, 5555); /* no victim */
	swt_oom_returned(o, 40 * SEC, 5555, SWT_UNKNOWN);
	assert_int_equal(n.n, 2);
	swt_oom_free(o);
}

/* Hostile: more victims than can be kept, and events without a pid. */
static void test_bounds(void **state)
{
	struct swt_event ev = { .id = SWT_EV_OOM_MARK_VICTIM, .have = 1 };
	struct notes n;
	struct swt_oom *o = oom_new(&n);

	(void)state;
	for (unsigned int i = 1; i <= 2000; i++) {
		ev.ts = i;
		ev.f[0] = i;
		assert_int_equal(swt_oom_event(o, &ev), 0);
	}
	assert_non_null(swt_oom_find(o, 2000));
	assert_null(swt_oom_find(o, 1));
	ev.have = 0;
	ev.f[0] = 5;
	swt_oom_event(o, &ev);
	ev.have = 1;
	ev.f[0] = -7;
	swt_oom_event(o, &ev);
	assert_null(swt_oom_find(o, -7));
	assert_int_equal(n.n, 2000);
	swt_oom_free(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_second_victim_before_the_first_is_back),
		cmocka_unit_test(test_overlap_by_release),
		cmocka_unit_test(test_no_overlap),
		cmocka_unit_test(test_victim_is_the_pid_in_the_event),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_queued_twice),
		cmocka_unit_test(test_whole_timeline),
		cmocka_unit_test(test_thread_of_the_victim),
		cmocka_unit_test(test_late_is_said_once),
		cmocka_unit_test(test_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
