/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trace time to wall-clock time (F76, F78).
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "out/wall.h"

static struct swt_wall w;

static int setup(void **state)
{
	(void)state;
	memset(&w, 0, sizeof(w));
	return 0;
}

static void is(uint64_t mono, uint64_t real)
{
	struct swt_opt t = swt_out_time(&w, mono);

	assert_true(t.known);
	assert_int_equal(t.v, real);
}

static void test_nearest_earlier(void **state)
{
	(void)state;
	assert_false(swt_out_time(NULL, 5).known);
	assert_false(swt_out_time(&w, 5).known);
	/* Given in any order; the clock was set back by 50 s at 2,000 and forward again at 3,000. */
	swt_wall_add(&w, 3000, 1000000003000);
	swt_wall_add(&w, 1000, 1000000001000);
	swt_wall_add(&w, 2000, 950000002000);
	assert_int_equal(w.n, 3);
	is(1000, 1000000001000);
	is(1999, 1000000001999);
	is(2000, 950000002000);
	is(2999, 950000002999);
	is(3000, 1000000003000);
	is(9000, 1000000009000);
	is(400, 1000000000400); /* before all: by the first */
}

static void test_ends_of_time(void **state)
{
	(void)state;
	swt_wall_add(&w, 1000, 500);
	assert_false(swt_out_time(&w, 499).known); /* before 1970 */
	is(500, 0);
	swt_wall_add(&w, 2000, UINT64_MAX - 10);
	is(2010, UINT64_MAX);
	assert_false(swt_out_time(&w, 2011).known);
}

static void test_drops_what_agrees(void **state)
{
	uint64_t i;

	(void)state;
	for (i = 0; i < 100000; i++)
		swt_wall_add(&w, i * 1000, 77000000 + i * 1000 + i % 2);
	assert_int_equal(w.n, 1);
	/* 20 us of drift between anchors is kept. */
	swt_wall_add(&w, 200000000, 277020000);
	assert_int_equal(w.n, 2);
}

static void test_bounded(void **state)
{
	uint64_t i;

	(void)state;
	/* A clock that jumps by 5 us each time. */
	for (i = 0; i < 100000; i++)
		swt_wall_add(&w, i * 1000, 77000000 + i * 6000);
	assert_true(w.n <= SWT_WALL_MAX);
	for (i = 1; i < w.n; i++)
		assert_true(w.a[i - 1].mono_ns < w.a[i].mono_ns);
	/* The newest stay exact. */
	is(99999000, 77000000 + 99999ull * 6000);
}

static void test_parse(void **state)
{
	static const char *const bad[] = { "",	     "\n",   "1",     "1 ",   " 1",
					   "1 x\n",  "1  2", "1 2 3", "-1 2", "99999999999999999999 1",
					   "1 2\n\n" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(swt_wall_parse(&w, bad[i], strlen(bad[i])), -EBADMSG);
	assert_int_equal(swt_wall_parse(&w, "1 2\0", 4), -EBADMSG);
	assert_int_equal(w.n, 0);
	assert_int_equal(swt_wall_parse(&w, "81234000000000 1796040270000000000\n", 35), 0);
	is(81234512345000, 1796040270512345000);
}

static uint64_t mono(void *arg)
{
	return *(uint64_t *)arg += 10;
}

static uint64_t real(void *arg)
{
	return 5000 + *(uint64_t *)arg;
}

static void test_now(void **state)
{
	uint64_t t = 100;
	struct swt_clock c = { mono, real, &t };

	(void)state;
	swt_wall_now(&w, &c); /* mono 110 and 120 around real 5110 */
	is(115, 5110);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_nearest_earlier, setup),
		cmocka_unit_test_setup(test_ends_of_time, setup),
		cmocka_unit_test_setup(test_drops_what_agrees, setup),
		cmocka_unit_test_setup(test_bounded, setup),
		cmocka_unit_test_setup(test_parse, setup),
		cmocka_unit_test_setup(test_now, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
