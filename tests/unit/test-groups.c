/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What died together.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "model/groups.h"
#include "notes.h"

#define SEC SWT_NS_PER_SEC
#define MS  SWT_NS_PER_MS

static struct notes notes;

static struct swt_groups *fresh(void)
{
	struct swt_groups_cfg cfg = { .note = notes_to(&notes) };
	struct swt_groups *g;

	notes.n = 0;
	assert_int_equal(swt_groups_new(&cfg, &g), 0);
	return g;
}

static struct swt_release dead(const char *cgroup, int sender, uint64_t start, uint64_t end, uint64_t freed)
{
	return (struct swt_release){ .kind = SWT_REL_EXIT,
				     .cgroup = cgroup,
				     .sender = sender,
				     .start_ns = start,
				     .end_ns = end,
				     .freed = swt_some(freed),
				     .deferred = swt_some(0) };
}

static void done(struct swt_groups *g, const struct swt_release *r)
{
	assert_int_equal(swt_groups_release(g, r, SWT_STEP_DONE), 0);
}

/* 2,104 exits within a second, 2,560 entries each. */
static void test_mass_kill(void **state)
{
	struct swt_groups *g = fresh();

	(void)state;
	for (unsigned int i = 0; i < 2104; i++) {
		uint64_t start = 10 * SEC + i * (SEC / 2104);
		struct swt_release r =
			dead("/x", 812, start, start + (i == 2103 ? 400 * MS + 999999 : MS), 2560);

		done(g, &r);
		swt_groups_tick(g, r.end_ns);
	}
	assert_int_equal(notes.n, 0);
	swt_groups_tick(g, 13 * SEC);
	assert_int_equal(notes.n, 1);
	assert_int_equal(notes.line[0].kind, SWT_NOTE_GROUP);
	assert_string_equal(
		notes_text(&notes, 0),
		"2,104 processes of /x killed by 812: 20.5 G of swap returned in 1.4 s (5,386,240 entries)");
	swt_groups_tick(g, 20 * SEC);
	assert_int_equal(notes.n, 1);
	swt_groups_free(g);
}

/* One killer, one control group per app. */
static void test_one_sender_many_groups(void **state)
{
	const char *paths[] = { "/app-1", "/app-2", NULL, "/app-3" };
	struct swt_groups *g = fresh();

	(void)state;
	for (unsigned int i = 0; i < 4; i++) {
		struct swt_release r = dead(paths[i], 412, SEC, SEC + 100 * MS, 256);

		done(g, &r);
	}
	swt_groups_end(g, 2 * SEC);
	assert_int_equal(notes.n, 1);
	assert_string_equal(notes_text(&notes, 0),
			    "4 processes of several groups killed by 412: 4.00 M of swap returned "
			    "in 0.1 s (1,024 entries)");
	swt_groups_free(g);
}

static void test_not_a_group(void **state)
{
	struct swt_groups *g = fresh();
	struct swt_release r;

	(void)state;
	for (unsigned int i = 0; i < 10; i++) { /* the same group, 3 s apart */
		r = dead("/slow", 0, (1 + 3 * i) * SEC, (1 + 3 * i) * SEC + MS, 10);
		done(g, &r);
	}
	r = dead("/two", 0, SEC, 2 * SEC, 10); /* two are a coincidence */
	done(g, &r);
	done(g, &r);
	for (unsigned int i = 0; i < 10; i++) {
		r = dead("/exec", 0, SEC, 2 * SEC, 10);
		r.kind = SWT_REL_EXEC; /* nobody died */
		done(g, &r);
		r = dead("/held", 0, SEC, 2 * SEC, 10);
		r.held = true; /* nothing came back */
		done(g, &r);
		r = dead(NULL, 0, SEC, 2 * SEC, 10); /* nothing in common that we know */
		done(g, &r);
	}
	swt_groups_end(g, 100 * SEC);
	assert_int_equal(notes.n, 0);
	swt_groups_free(g);
}

/* Entries handed to the worker: the group is told when the last of them is back. */
static void test_deferred(void **state)
{
	struct swt_groups *g = fresh();
	struct swt_release r[3];

	(void)state;
	for (unsigned int i = 0; i < 3; i++) {
		r[i] = dead("/x", 5, SEC, SEC + 10 * MS, 1000);
		r[i].deferred = swt_some(900);
		done(g, &r[i]);
	}
	swt_groups_tick(g, 4 * SEC);
	assert_int_equal(notes.n, 0);
	for (unsigned int i = 0; i < 3; i++) {
		r[i].released_at = swt_some(5 * SEC);
		assert_int_equal(swt_groups_release(g, &r[i], SWT_STEP_UPDATE), 0);
	}
	swt_groups_tick(g, 6 * SEC);
	assert_string_equal(notes_text(&notes, 0),
			    "3 processes of /x killed by 5: 11.7 M of swap returned in 4 s (3,000 entries)");
	swt_groups_free(g);
}

static void test_never_released(void **state)
{
	struct swt_groups *g = fresh();
	struct swt_release r;

	(void)state;
	for (unsigned int i = 0; i < 3; i++) {
		r = dead("/x", 5, SEC, 2 * SEC, 1000);
		r.deferred = swt_some(i == 1 ? 900 : 0);
		done(g, &r);
	}
	swt_groups_tick(g, 31 * SEC);
	assert_int_equal(notes.n, 0);
	swt_groups_tick(g, 32 * SEC);
	assert_string_equal(notes_text(&notes, 0),
			    "3 processes of /x killed by 5: at least 11.7 M of swap returned in "
			    "1 s (3,000 entries, 1 still being released)");
	swt_groups_free(g);
}

/* Kills are told without counts, too; ordinary exits of a group only when swap came back with them. */
static void test_without_counts(void **state)
{
	struct swt_groups *g = fresh();
	struct swt_release r;

	(void)state;
	for (unsigned int i = 0; i < 9; i++) {
		r = dead(i < 6 ? "/none" : "/some", i < 3 ? 7 : 0, SEC, 2 * SEC, 256);
		if (i < 6 || i == 7)
			r.freed = SWT_UNKNOWN;
		done(g, &r);
	}
	swt_groups_tick(g, 9 * SEC);
	assert_int_equal(notes.n, 2);
	assert_string_equal(notes_text(&notes, 0),
			    "3 processes of /none killed by 7 in 1 s: swap that returned not known");
	assert_string_equal(notes_text(&notes, 1),
			    "3 processes of /some: at least 2.00 M of swap returned in 1 s (512 "
			    "entries, 1 without a count)");
	swt_groups_free(g);
}

/* More groups at once than are kept: the quietest are told early, no death is lost. */
static void test_bounds(void **state)
{
	struct swt_groups *g = fresh();
	char path[400];

	(void)state;
	for (unsigned int i = 0; i < 500; i++) {
		memset(path, 'a' + i % 26, sizeof(path) - 1);
		path[sizeof(path) - 1] = '\0';
		snprintf(path, 12, "/%u", i);
		path[strlen(path)] = '/';
		for (unsigned int k = 0; k < 3; k++) {
			struct swt_release r = dead(path, 0, SEC + i * MS, SEC + i * MS + 1, 1);

			done(g, &r);
		}
	}
	swt_groups_end(g, 9 * SEC);
	assert_int_equal(notes.n, 500);
	swt_groups_free(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mass_kill),      cmocka_unit_test(test_one_sender_many_groups),
		cmocka_unit_test(test_not_a_group),    cmocka_unit_test(test_deferred),
		cmocka_unit_test(test_never_released), cmocka_unit_test(test_without_counts),
		cmocka_unit_test(test_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
