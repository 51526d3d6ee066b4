/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reader of readable lines, on which the tests of the model stand.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ftext.h"

static void assert_str(struct swt_str s, const char *want)
{
	assert_int_equal(s.len, strlen(want));
	assert_memory_equal(s.s, want, s.len);
}

static void test_rss_stat(void **state)
{
	struct ftext t;

	(void)state;
	assert_int_equal(ftext_parse("  hog-600   [001] d..2.    20.000200: rss_stat: mm_id=7 curr=0 "
				     "type=MM_SWAPENTS size=20971520B",
				     &t),
			 0);
	assert_false(t.is_lost);
	assert_string_equal(t.name, "hog");
	assert_int_equal(t.ev.id, SWT_EV_RSS_STAT);
	assert_int_equal(t.ev.task, 600);
	assert_int_equal(t.ev.cpu, 1);
	assert_int_equal(t.ev.ts, 20000200000ull);
	assert_int_equal(t.ev.have, 0xf);
	assert_int_equal(t.ev.f[SWT_F_RSS_STAT_MM_ID], 7);
	assert_int_equal(t.ev.f[SWT_F_RSS_STAT_CURR], 0);
	assert_int_equal(t.ev.f[SWT_F_RSS_STAT_MEMBER], 2);
	assert_int_equal(t.ev.f[SWT_F_RSS_STAT_SIZE], 20971520);
}

static void test_awkward_name(void **state)
{
	struct ftext t;

	(void)state;
	assert_int_equal(ftext_parse("  a: b [001]-42-10180   [000] .....   831.301673: sched_process_exit: "
				     "comm=a: b [001]-42 pid=10180 prio=120 group_dead=true",
				     &t),
			 0);
	assert_string_equal(t.name, "a: b [001]-42");
	assert_int_equal(t.ev.task, 10180);
	assert_int_equal(t.ev.cpu, 0);
	assert_int_equal(t.ev.ts, 831301673000ull);
	assert_str(t.ev.str[0], "a: b [001]-42");
	assert_int_equal(t.ev.f[SWT_F_SCHED_EXIT_PID], 10180);
	assert_int_equal(t.ev.f[SWT_F_SCHED_EXIT_GROUP_DEAD], 1);

	/* A name that is itself a header, in the header and in the payload. */
	assert_int_equal(ftext_parse(" -1 [0] 1.0: f:-77 [003] 9.5: sched_process_exit: comm=-1 [0] 1.0: f: "
				     "pid=77 prio=120",
				     &t),
			 0);
	assert_string_equal(t.name, "-1 [0] 1.0: f:");
	assert_int_equal(t.ev.task, 77);
	assert_int_equal(t.ev.cpu, 3);
	assert_int_equal(t.ev.ts, 9500000000ull);
	assert_str(t.ev.str[0], "-1 [0] 1.0: f:");
	assert_int_equal(t.ev.have, 1u << SWT_F_SCHED_EXIT_COMM | 1u << SWT_F_SCHED_EXIT_PID);
}

static void test_other_events(void **state)
{
	struct ftext t;

	(void)state;
	assert_int_equal(
		ftext_parse("sh-5 [000] 1.5: sched_process_fork: comm=sh pid=5 child_comm=a b child_pid=6",
			    &t),
		0);
	assert_str(t.ev.str[0], "sh");
	assert_str(t.ev.str[1], "a b");
	assert_int_equal(t.ev.f[SWT_F_SCHED_FORK_PARENT_PID], 5);
	assert_int_equal(t.ev.f[SWT_F_SCHED_FORK_CHILD_PID], 6);

	assert_int_equal(ftext_parse("sh-5 [000] 1.5: signal_generate: sig=9 errno=0 code=-6 comm=x y pid=8 "
				     "grp=1 res=2",
				     &t),
			 0);
	assert_int_equal(t.ev.f[SWT_F_SIGNAL_GENERATE_SIG], 9);
	assert_int_equal(t.ev.f[SWT_F_SIGNAL_GENERATE_CODE], -6);
	assert_int_equal(t.ev.f[SWT_F_SIGNAL_GENERATE_GROUP], 1);
	assert_int_equal(t.ev.f[SWT_F_SIGNAL_GENERATE_RESULT], 2);
	assert_str(t.ev.str[0], "x y");

	assert_int_equal(ftext_parse("w-5 [000] 1.5: swap_exit_drain: entries=4 pending=18446744073709551615 "
				     "dur_ns=7 reason=memcg_oom",
				     &t),
			 0);
	assert_int_equal(t.ev.f[SWT_F_SWAP_EXIT_DRAIN_REASON], 2);
	assert_int_equal((uint64_t)t.ev.f[SWT_F_SWAP_EXIT_DRAIN_PENDING], UINT64_MAX);
	assert_int_equal(ftext_parse("w-5 [000] 1.5: exit_mmap: mm=ffff888012345678", &t), 0);
	assert_int_equal((uint64_t)t.ev.f[SWT_F_EXIT_MMAP_MM], 0xffff888012345678ull);
}

static void test_refused(void **state)
{
	static const char *const bad[] = {
		"x-1 [000] 1.0: no_such_event: pid=1",
		"x-1 [000] 1.0 sched_process_exit: pid=1",
		"x [000] 1.0: sched_process_exit: pid=1",
		"x-1 [000] 1.0: sched_process_exit: pid=one",
		"CPU:2 [LOST many EVENTS]",
		"nonsense",
	};
	struct ftext t;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(ftext_parse(bad[i], &t), -EBADMSG);
	assert_int_equal(ftext_parse("", &t), 1);
	assert_int_equal(ftext_parse("  # comment", &t), 1);
}

struct seen {
	int nevents, nlost;
	struct swt_lost lost[4];
	int lost_before[4];
};

static int on_event(void *arg, const struct swt_event *ev)
{
	struct seen *s = arg;

	(void)ev;
	s->nevents++;
	return 0;
}

static int on_lost(void *arg, const struct swt_lost *lost)
{
	struct seen *s = arg;

	assert_in_range(s->nlost, 0, 3);
	s->lost_before[s->nlost] = s->nevents;
	s->lost[s->nlost++] = *lost;
	return 0;
}

static void test_feed(void **state)
{
	struct seen s = { 0 };
	struct swt_sink sink = { .arg = &s, .event = on_event, .lost = on_lost };

	(void)state;
	assert_int_equal(ftext_feed("# events\n"
				    "x-1 [002] 1.0: sched_process_exit: comm=x pid=1\n"
				    "CPU:2 [LOST 57 EVENTS]\n"
				    "y-2 [001] 2.0: sched_process_exit: comm=y pid=2\n"
				    "\n"
				    "z-3 [002] 9.0: sched_process_free: comm=x pid=1\n"
				    "CPU:7 [LOST EVENTS]\n",
				    &sink),
			 0);
	assert_int_equal(s.nevents, 3);
	assert_int_equal(s.nlost, 2);
	assert_int_equal(s.lost[0].cpu, 2);
	assert_int_equal(s.lost[0].count, 57);
	assert_true(s.lost[0].known);
	assert_int_equal(s.lost[0].since, 1000000000ull);
	assert_int_equal(s.lost[0].ts, 9000000000ull);
	assert_int_equal(s.lost_before[0], 2);
	assert_int_equal(s.lost[1].cpu, 7);
	assert_false(s.lost[1].known);
	assert_int_equal(s.lost[1].ts, 0);
	assert_int_equal(s.lost[1].since, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rss_stat),     cmocka_unit_test(test_awkward_name),
		cmocka_unit_test(test_other_events), cmocka_unit_test(test_refused),
		cmocka_unit_test(test_feed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
