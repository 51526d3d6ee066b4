/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Running swapoffs: recognition, progress, stalls, attempts, the end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "model/swapoff.h"
#include "notes.h"

#define SEC SWT_NS_PER_SEC
#define KIB 1024ull
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)

static struct notes notes;

static struct swt_swapoff *fresh(void)
{
	struct swt_noter noter = notes_to(&notes);
	struct swt_swapoff *s;

	notes.n = 0;
	assert_int_equal(swt_swapoff_new(&noter, &s), 0);
	return s;
}

static struct swt_sys one_area(const char *name, uint64_t size, uint64_t used)
{
	struct swt_sys sys = { .areas_known = true, .nareas = 1 };

	snprintf(sys.area[0].name, sizeof(sys.area[0].name), "%s", name);
	sys.area[0].size = swt_some(size);
	sys.area[0].used = swt_some(used);
	return sys;
}

/* Only /proc/swaps is known, as in the report: used falls by 1 MiB a second. */
static void test_rate_and_eta(void **state)
{
	struct swt_swapoff_state st;
	struct swt_swapoff *s = fresh();

	(void)state;
	for (unsigned int i = 0; i < 3; i++) {
		struct swt_sys sys = one_area("/dev/sda2", 16 * GIB, (14680064 - 1024 * i) * KIB);

		swt_swapoff_areas(s, (100 + i) * SEC, &sys);
	}
	assert_int_equal(swt_swapoff_get(s, &st, 1), 1);
	assert_true(st.running);
	assert_false(st.stalled);
	assert_int_equal(st.left, 14678016 * KIB);
	assert_int_equal(st.done, 2 * MIB);
	assert_int_equal(st.rate.v, MIB);
	assert_int_equal(st.eta_ns.v / SEC, 14334);
	assert_int_equal(notes.n, 1);
	assert_int_equal(notes.line[0].kind, SWT_NOTE_SWAPOFF);
	assert_string_equal(notes_text(&notes, 0),
			    "swapoff /dev/sda2: 14.0 G left, 1.0 MiB/s, ETA about 3 h 59 min");
	swt_swapoff_free(s);
}

static void test_stalled(void **state)
{
	struct swt_swapoff_state st;
	struct swt_swapoff *s = fresh();
	int i;

	(void)state;
	swt_swapoff_proc_start(s, 1, 100);
	for (unsigned int t = 0; t <= 30; t++) {
		struct swt_sys sys = one_area("/dev/sda2", 16 * GIB, 14 * GIB - (t < 3 ? t : 3) * MIB);

		swt_swapoff_areas(s, (100 + t) * SEC, &sys);
		if (t == 12)
			assert_int_equal(notes_find(&notes, "stalled"), -1);
	}
	i = notes_find(&notes, "stalled");
	assert_true(i >= 0);
	assert_int_equal(notes.line[i].ts, 113 * SEC); /* unchanged since 103 */
	assert_string_equal(notes_text(&notes, (unsigned int)i),
			    "swapoff /dev/sda2: 14.0 G left, stalled for 10 s");
	assert_int_equal(notes.n, (unsigned int)i + 1); /* said once */
	assert_int_equal(swt_swapoff_get(s, &st, 1), 1);
	assert_true(st.stalled);
	assert_false(st.rate.known);
	assert_false(st.eta_ns.known);
	swt_swapoff_free(s);
}

/* pids 100 (killed), 101 (killed), 102 on one area that falls by 0.5 MiB a second. */
static void test_attempts(void **state)
{
	struct swt_swapoff_state st;
	struct swt_swapoff *s = fresh();

	(void)state;
	for (unsigned int t = 0; t <= 30; t++) {
		struct swt_sys sys = one_area("/dev/sda2", GIB, 300 * MIB - t * MIB / 2);

		if (t == 1)
			swt_swapoff_proc_start(s, t * SEC - 1, 100);
		if (t == 10) {
			swt_swapoff_proc_end(s, t * SEC - 2, 100, true);
			swt_swapoff_proc_start(s, t * SEC - 1, 101);
		}
		if (t == 20) {
			swt_swapoff_proc_end(s, t * SEC - 2, 101, true);
			swt_swapoff_proc_start(s, t * SEC - 1, 102);
		}
		swt_swapoff_areas(s, (1 + t) * SEC, &sys);
	}
	assert_int_equal(swt_swapoff_get(s, &st, 1), 1);
	assert_int_equal(st.attempts, 3);
	assert_int_equal(st.killed, 2);
	assert_true(notes_find(&notes, "3 attempts, 2 killed, 0.5 MiB/s") >= 0);
	swt_swapoff_free(s);
}

/* The same when SwapTotal shows that nothing was switched off between the attempts. */
static void test_attempts_with_pauses(void **state)
{
	struct swt_swapoff_state st;
	struct swt_swapoff *s = fresh();
	uint64_t used = 300 * MIB;

	(void)state;
	for (unsigned int t = 0; t < 60; t++) {
		unsigned int phase = t % 20;
		bool off = phase >= 5 && phase < 15;
		struct swt_sys sys;

		if (phase == 5)
			swt_swapoff_proc_start(s, t * SEC, (pid_t)(100 + t / 20));
		if (phase == 15)
			swt_swapoff_proc_end(s, t * SEC, (pid_t)(100 + t / 20), true);
		used -= off ? MIB / 2 : 0;
		sys = one_area("/dev/sda2", GIB, used);
		sys.swap_total = swt_some(off ? used : GIB);
		swt_swapoff_areas(s, t * SEC + SEC / 2, &sys);
	}
	assert_int_equal(swt_swapoff_get(s, &st, 1), 1);
	assert_false(st.running);
	assert_int_equal(st.attempts, 3);
	assert_int_equal(st.killed, 3);
	assert_int_equal(st.done, 15 * MIB);
	assert_true(notes_find(&notes, "285 M left, 3 attempts, 3 killed, not running") >= 0);
	swt_swapoff_free(s);
}

static void test_end_with_process(void **state)
{
	struct swt_swapoff_state st;
	struct swt_swapoff *s = fresh();
	struct swt_sys sys = one_area("/dev/zram0", GIB, 300 * MIB);

	(void)state;
	sys.swap_total = swt_some(GIB);
	swt_swapoff_areas(s, 10 * SEC, &sys);
	swt_swapoff_proc_start(s, 10 * SEC + SEC / 2, 100);
	sys = one_area("/dev/zram0", GIB, 200 * MIB);
	sys.swap_total = swt_some(200 * MIB);
	swt_swapoff_areas(s, 11 * SEC, &sys);
	assert_int_equal(swt_swapoff_get(s, &st, 1), 1);
	assert_int_equal(st.attempts, 1);
	swt_swapoff_proc_end(s, 12 * SEC, 100, false);
	sys.nareas = 0;
	sys.swap_total = swt_some(0);
	swt_swapoff_areas(s, 13 * SEC, &sys);
	assert_string_equal(notes_text(&notes, notes.n - 1),
			    "swapoff /dev/zram0: 300 MiB in 1.5 s (200.0 MiB/s)");
	assert_int_equal(swt_swapoff_get(s, &st, 1), 0);
	swt_swapoff_free(s);
}

/* All between two samples and nobody saw the process: the time is an upper bound. */
static void test_end_between_samples(void **state)
{
	struct swt_swapoff *s = fresh();
	struct swt_sys sys = one_area("/dev/zram0", GIB, 300 * MIB);

	(void)state;
	swt_swapoff_areas(s, 10 * SEC, &sys);
	sys.nareas = 0;
	swt_swapoff_areas(s, 12 * SEC, &sys);
	assert_int_equal(notes.n, 1);
	assert_string_equal(notes_text(&notes, 0),
			    "swapoff /dev/zram0: 300 MiB in at most 2 s (150.0 MiB/s)");
	swt_swapoff_free(s);
}

/* Use falls fast, and SwapTotal says that nothing is being switched off: pages are read back, processes die. */
static void test_fall_is_not_swapoff(void **state)
{
	struct swt_swapoff_state st;
	struct swt_swapoff *s = fresh();

	(void)state;
	swt_swapoff_proc_start(s, 1, 100); /* even with a swapoff about: of something else */
	for (unsigned int t = 0; t < 10; t++) {
		struct swt_sys sys = one_area("/dev/sda2", GIB, (900 - 50 * t) * MIB);

		sys.swap_total = swt_some(GIB);
		swt_swapoff_areas(s, (1 + t) * SEC, &sys);
	}
	assert_int_equal(swt_swapoff_get(s, &st, 1), 0);
	assert_int_equal(notes.n, 0);
	swt_swapoff_free(s);
}

/* Without SwapTotal: falls that exits explain are not a swapoff, and neither is a single one. */
static void test_fall_explained(void **state)
{
	struct swt_swapoff_state st;
	struct swt_swapoff *s = fresh();
	uint64_t used = 900 * MIB;

	(void)state;
	for (unsigned int t = 0; t < 10; t++) {
		struct swt_sys sys = one_area("/dev/sda2", GIB, used);

		swt_swapoff_areas(s, (1 + t) * SEC, &sys);
		used -= t % 3 == 2 ? 0 : 10 * MIB;
		if (t % 3 == 0)
			swt_swapoff_freed(s, 10 * MIB);
	}
	assert_int_equal(swt_swapoff_get(s, &st, 1), 0);
	assert_int_equal(notes.n, 0);
	swt_swapoff_free(s);
}

/* Two areas; SwapTotal tells which of them is going. */
static void test_which_of_two(void **state)
{
	struct swt_swapoff_state st[4];
	struct swt_swapoff *s = fresh();

	(void)state;
	for (unsigned int t = 0; t < 5; t++) {
		struct swt_sys sys = one_area("/dev/zram0", 2 * GIB, GIB + 3 * MIB * t);

		sys.nareas = 2;
		snprintf(sys.area[1].name, sizeof(sys.area[1].name), "/swap file");
		sys.area[1].size = swt_some(4 * GIB);
		sys.area[1].used = swt_some(GIB - 2 * MIB * t);
		sys.swap_total = swt_some(2 * GIB + GIB - 2 * MIB * t);
		swt_swapoff_areas(s, (1 + t) * SEC, &sys);
	}
	assert_int_equal(swt_swapoff_get(s, st, 4), 1);
	assert_string_equal(st[0].name, "/swap file");
	assert_int_equal(st[0].rate.v, 2 * MIB);
	assert_int_equal(st[0].attempts, 0); /* its process was not seen */
	swt_swapoff_free(s);
}

/* "swapoff -a": one process, one area after the other. */
static void test_all_areas(void **state)
{
	struct swt_swapoff *s = fresh();

	(void)state;
	swt_swapoff_proc_start(s, SEC, 100);
	for (unsigned int t = 0; t < 8; t++) {
		struct swt_sys sys = { .areas_known = true };
		bool first = t < 4;

		for (unsigned int i = first ? 0 : 1; i < 2 && t < 7; i++) {
			struct swt_swap_area *a = &sys.area[sys.nareas++];

			snprintf(a->name, sizeof(a->name), "/dev/sd%c", 'a' + i);
			a->size = swt_some(GIB);
			a->used = swt_some((100 - 20 * (i ? (first ? 0 : t - 3) : t)) * MIB);
		}
		sys.swap_total = swt_some(t == 7 ? 0 : first ? GIB + sys.area[0].used.v : sys.area[0].used.v);
		swt_swapoff_areas(s, (1 + t) * SEC, &sys);
	}
	assert_true(notes_find(&notes, "swapoff /dev/sda: 100 MiB in ") >= 0);
	assert_true(notes_find(&notes, "swapoff /dev/sdb: 100 MiB in ") >= 0);
	assert_int_equal(notes_find(&notes, "attempts"), -1);
	swt_swapoff_free(s);
}

/* Sampled ten times a second the rate is still over the last 10 s. */
static void test_window(void **state)
{
	struct swt_swapoff_state st;
	struct swt_swapoff *s = fresh();
	uint64_t used = 10 * GIB;

	(void)state;
	for (unsigned int t = 0; t < 600; t++) {
		struct swt_sys sys = one_area("/dev/sda2", 16 * GIB, used);

		sys.swap_total = swt_some(used);
		swt_swapoff_areas(s, SEC + t * SEC / 10, &sys);
		used -= t < 400 ? 10 * MIB : MIB; /* 100, then 10 MiB/s */
	}
	assert_int_equal(swt_swapoff_get(s, &st, 1), 1);
	assert_in_range(st.rate.v, 10 * MIB - 10, 10 * MIB + 10);
	assert_in_range(notes.n, 3, 20); /* a minute: not a line each sample */
	swt_swapoff_free(s);
}

static void test_unknown_and_hostile(void **state)
{
	struct swt_swapoff_state st;
	struct swt_swapoff *s = fresh();
	struct swt_sys sys = one_area("/dev/sda2", GIB, MIB);

	(void)state;
	sys.areas_known = false; /* an unreadable file is not an empty one */
	swt_swapoff_areas(s, SEC, &sys);
	sys.areas_known = true;
	sys.area[0].used = SWT_UNKNOWN;
	swt_swapoff_areas(s, 2 * SEC, &sys);
	sys.areas_known = false;
	swt_swapoff_areas(s, 3 * SEC, &sys);
	assert_int_equal(notes.n, 0);
	swt_swapoff_proc_end(s, 4 * SEC, 0, true);
	swt_swapoff_proc_end(s, 4 * SEC, 77, true);
	for (int i = 1; i < 1000; i++)
		swt_swapoff_proc_start(s, (uint64_t)i, i);
	for (unsigned int t = 0; t < 5; t++) {
		memset(&sys, 0, sizeof(sys));
		sys.areas_known = true;
		sys.nareas = SWT_MAX_SWAPS;
		sys.swap_total = swt_some(t);
		for (unsigned int i = 0; i < SWT_MAX_SWAPS; i++) {
			snprintf(sys.area[i].name, sizeof(sys.area[i].name), "/x%u", t % 2 ? i : 0);
			sys.area[i].size = swt_some(UINT64_MAX / 2 + i);
			sys.area[i].used = swt_some(UINT64_MAX - i * t);
		}
		swt_swapoff_areas(s, (10 + t) * SEC, &sys);
		swt_swapoff_areas(s, (10 + t) * SEC, &sys); /* the same time again */
	}
	swt_swapoff_get(s, &st, 1);
	swt_swapoff_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rate_and_eta),
		cmocka_unit_test(test_stalled),
		cmocka_unit_test(test_attempts),
		cmocka_unit_test(test_attempts_with_pauses),
		cmocka_unit_test(test_end_with_process),
		cmocka_unit_test(test_end_between_samples),
		cmocka_unit_test(test_fall_is_not_swapoff),
		cmocka_unit_test(test_fall_explained),
		cmocka_unit_test(test_which_of_two),
		cmocka_unit_test(test_all_areas),
		cmocka_unit_test(test_window),
		cmocka_unit_test(test_unknown_and_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
