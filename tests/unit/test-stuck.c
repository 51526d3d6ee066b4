/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes that should be gone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "model/stuck.h"
#include "notes.h"

#define SEC SWT_NS_PER_SEC

static struct notes notes;

static struct swt_stuck *fresh(void)
{
	struct swt_noter noter = notes_to(&notes);
	struct swt_stuck *s;

	notes.n = 0;
	assert_int_equal(swt_stuck_new(&noter, &s), 0);
	return s;
}

static void file(struct swt_stuck *s, uint64_t ts, const char *path, const char *text)
{
	swt_stuck_file(s, ts, path, text, strlen(text));
}

static void test_kill_pending(void **state)
{
	struct swt_stuck *s = fresh();
	pid_t want[4];

	(void)state;
	swt_stuck_killed(s, 10 * SEC, 300, "writer");
	swt_stuck_killed(s, 10 * SEC + 1, 300, "writer"); /* again: the first counts */
	assert_int_equal(swt_stuck_wants(s, 10 * SEC, want, 4), 0);
	assert_int_equal(swt_stuck_wants(s, 10 * SEC + SEC / 2, want, 4), 1);
	assert_int_equal(want[0], 300);
	assert_int_equal(swt_stuck_wants(s, 10 * SEC + SEC / 2, want, 4), 0); /* asked for once */
	file(s, 10 * SEC + SEC / 2, "/proc/300/status", "State:\tD (disk sleep)\nTgid:\t300\nPid:\t300\n");
	file(s, 10 * SEC + SEC / 2, "/proc/300/wchan", "percpu_rwsem_wait");
	swt_stuck_tick(s, 11 * SEC - 1);
	assert_int_equal(notes.n, 0);
	swt_stuck_tick(s, 11 * SEC);
	assert_int_equal(notes.n, 1);
	assert_int_equal(notes.line[0].kind, SWT_NOTE_PROCESS);
	assert_string_equal(notes_text(&notes, 0),
			    "pid 300 (writer): kill pending, blocked in percpu_rwsem_wait, "
			    "exit not begun (for 1 s)");
	for (unsigned int i = 12; i <= 30; i++)
		swt_stuck_tick(s, i * SEC);
	assert_int_equal(notes.n, 2); /* once more, after 10 s */
	assert_int_equal(notes.line[1].ts, 20 * SEC);
	swt_stuck_begun(s, 300);
	for (unsigned int i = 31; i <= 300; i++)
		swt_stuck_tick(s, i * SEC);
	assert_int_equal(notes.n, 2);
	swt_stuck_free(s);
}

/* No look at it since the kill, or it is gone: then nothing is said. */
static void test_kill_over(void **state)
{
	struct swt_stuck *s = fresh();
	pid_t want[4];

	(void)state;
	file(s, SEC, "/proc/300/status", "State:\tD (disk sleep)\nPid:\t300\n");
	swt_stuck_killed(s, 2 * SEC, 300, NULL); /* the sample is older */
	swt_stuck_killed(s, 2 * SEC, 301, NULL);
	file(s, 3 * SEC, "/proc/301/status", ""); /* gone; its exit was among lost events */
	swt_stuck_killed(s, 2 * SEC, 302, NULL);
	file(s, 3 * SEC, "/proc/302/status", "State:\tZ (zombie)\nPid:\t302\n");
	for (unsigned int i = 3; i <= 100; i++)
		swt_stuck_tick(s, i * SEC);
	assert_int_equal(notes.n, 0);
	assert_int_equal(swt_stuck_wants(s, 101 * SEC, want, 4), 0);
	swt_stuck_free(s);
}

static void test_dying(void **state)
{
	struct swt_stuck *s = fresh();

	(void)state;
	swt_stuck_killed(s, SEC, 40, "java");
	for (unsigned int i = 0; i < 30; i++) /* 2 to 5 s */
		swt_stuck_dying(s, 2 * SEC + i * SEC / 10, 2 * SEC, 40, "java", swt_some(1000),
				swt_some(i * 33));
	swt_stuck_tick(s, 6 * SEC);
	assert_int_equal(notes.n, 1);
	assert_string_equal(notes_text(&notes, 0), "pid 40 (java): dying, 33 % of swap released (for 1 s)");
	/* The pid again, and nothing known of its swap. */
	swt_stuck_dying(s, 30 * SEC, 20 * SEC, 40, NULL, SWT_UNKNOWN, SWT_UNKNOWN);
	assert_string_equal(notes_text(&notes, 1),
			    "pid 40: dying, swap released so far not known (for 10 s)");
	swt_stuck_free(s);
}

static void zombie(struct swt_stuck *s, uint64_t ts)
{
	file(s, ts, "/proc/22912/status",
	     "Name:\trunc\nState:\tZ (zombie)\nTgid:\t22912\nPid:\t22912\nThreads:\t2\n");
	file(s, ts, "/proc/22912/task/22912/status", "State:\tZ (zombie)\nTgid:\t22912\nPid:\t22912\n");
	file(s, ts, "/proc/22912/task/22950/status", "State:\tD (disk sleep)\nTgid:\t22912\nPid:\t22950\n");
}

static void test_zombie_leader(void **state)
{
	struct swt_stuck *s = fresh();
	pid_t want[4];

	(void)state;
	zombie(s, 10 * SEC); /* may be an ordinary exit under way */
	swt_stuck_tick(s, 10 * SEC + 1);
	assert_int_equal(notes.n, 0);
	assert_int_equal(swt_stuck_wants(s, 10 * SEC + SEC / 2, want, 4), 1);
	assert_int_equal(want[0], 22912);
	zombie(s, 11 * SEC);
	file(s, 11 * SEC, "/proc/5/status", "State:\tS (sleeping)\nPid:\t5\n"); /* another's ends the list */
	file(s, 11 * SEC, "/proc/22912/task/99/status", "State:\tD (disk sleep)\n");
	assert_int_equal(notes.n, 1);
	assert_string_equal(notes_text(&notes, 0),
			    "pid 22912: leader zombie; 1 thread alive: 22950 D (for 1 s)");
	swt_stuck_tick(s, 15 * SEC);
	zombie(s, 15 * SEC);
	swt_stuck_tick(s, 16 * SEC);
	assert_int_equal(notes.n, 1);
	swt_stuck_free(s);
}

static void test_hostile(void **state)
{
	static const char *const paths[] = { "",
					     "/proc/",
					     "/proc/0/status",
					     "/proc/99999999999999999999/status",
					     "/proc/1/task//status",
					     "/proc/1/task/-4/status",
					     "/proc/1/task/99999999999/status",
					     "/proc/1",
					     "/proc/1/task/2/wchan",
					     "/proc/vmstat" };
	struct swt_stuck *s = fresh();
	char path[64];
	pid_t want[4];

	(void)state;
	for (unsigned int i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		file(s, SEC, paths[i], "State:\tZ (zombie)\nThreads:\t7\n");
	for (int i = -5; i < 5000; i++)
		swt_stuck_killed(s, SEC, i, "x");
	file(s, SEC, "/proc/7/status", "State:\tZ (zombie)\nThreads:\t100000\n");
	for (int i = 0; i < 100000; i++) {
		snprintf(path, sizeof(path), "/proc/7/task/%d/status", 1000000 + i);
		file(s, SEC, path, "State:\tS (sleeping)\n");
	}
	file(s, 2 * SEC, "/proc/8/status", "\xff\xfe");
	assert_true(swt_stuck_wants(s, 3 * SEC, want, 4) <= 4);
	swt_stuck_tick(s, UINT64_MAX);
	swt_stuck_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kill_pending), cmocka_unit_test(test_kill_over),
		cmocka_unit_test(test_dying),	     cmocka_unit_test(test_zombie_leader),
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
