/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lag between gone and memory back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "model/memback.h"

#define MS  SWT_NS_PER_MS
#define MIB (1ull << 20)

static struct swt_memback *fresh(void)
{
	struct swt_memback *m;

	assert_int_equal(swt_memback_new(&m), 0);
	return m;
}

static void sample(struct swt_memback *m, uint64_t ms, uint64_t mib)
{
	/* Both parts move; only their sum counts. */
	swt_memback_sample(m, ms * MS, swt_some(mib / 3 * MIB), swt_some((mib - mib / 3) * MIB));
}

/* Gone at 0.10 s; 90 % of 1000 MiB are back at 0.85 s, and not a sample earlier. */
static void test_one(void **state)
{
	struct swt_memback *m = fresh();
	struct swt_memback_done d;

	(void)state;
	sample(m, 50, 2000);
	sample(m, 100, 2000);
	swt_memback_gone(m, 100 * MS, "a", swt_some(1000 * MIB));
	for (unsigned int ms = 150; ms < 850; ms += 50)
		sample(m, ms, 2000 + (ms - 100) * 1198 / 1000);
	assert_false(swt_memback_next(m, &d));
	assert_false(swt_memback_lag(m, "a").known);
	sample(m, 850, 2900);
	assert_true(swt_memback_lag(m, "a").known);
	assert_int_equal(swt_memback_lag(m, "a").v, 750 * MS);
	assert_true(swt_memback_next(m, &d));
	assert_string_equal(d.id, "a");
	assert_int_equal(d.lag.v, 750 * MS);
	assert_int_equal(d.gone_ts, 100 * MS);
	assert_int_equal(d.back_ts, 850 * MS);
	assert_false(swt_memback_next(m, &d));
	swt_memback_free(m);
}

/* The teardown gives memory back before the parent is told: the level before it counts, and the lag is 0. */
static void test_back_before_gone(void **state)
{
	struct swt_memback *m = fresh();

	(void)state;
	sample(m, 100, 1000);
	swt_memback_start(m, 120 * MS, "a", swt_some(100 * MIB));
	sample(m, 200, 1095);
	swt_memback_gone(m, 250 * MS, "a", swt_some(5 * MIB));
	assert_true(swt_memback_lag(m, "a").known);
	assert_int_equal(swt_memback_lag(m, "a").v, 0);
	swt_memback_free(m);
}

static void test_unknown(void **state)
{
	struct swt_memback *m = fresh();
	struct swt_memback_done d;

	(void)state;
	swt_memback_gone(m, 10 * MS, "no-base", swt_some(MIB)); /* no sample before */
	assert_true(swt_memback_next(m, &d));
	assert_string_equal(d.id, "no-base");
	assert_false(d.lag.known);
	assert_int_equal(d.back_ts, 0);
	sample(m, 2000, 1000);
	swt_memback_gone(m, 2000 * MS, "no-size", SWT_UNKNOWN);
	assert_true(swt_memback_next(m, &d));
	assert_false(d.lag.known);
	/* Samples with a part unknown are no samples. */
	swt_memback_sample(m, 4000 * MS, SWT_UNKNOWN, swt_some(9000 * MIB));
	swt_memback_gone(m, 5000 * MS, "never", swt_some(500 * MIB));
	swt_memback_sample(m, 5100 * MS, swt_some(9000 * MIB), SWT_UNKNOWN);
	sample(m, 30000, 1010);
	assert_false(swt_memback_next(m, &d));
	sample(m, 66000, 1010); /* a minute without the rise */
	assert_true(swt_memback_next(m, &d));
	assert_string_equal(d.id, "never");
	assert_false(d.lag.known);
	swt_memback_free(m);
}

/* Two at once: after 300 ms enough is back for either alone.  Whose it is cannot be told. */
static void test_two_unclear(void **state)
{
	struct swt_memback *m = fresh();
	struct swt_memback_done d;

	(void)state;
	sample(m, 100, 1000);
	swt_memback_gone(m, 100 * MS, "a", swt_some(100 * MIB));
	swt_memback_gone(m, 110 * MS, "b", swt_some(100 * MIB));
	sample(m, 300, 1100);
	sample(m, 400, 1100);
	sample(m, 500, 1100);
	assert_false(swt_memback_next(m, &d));
	sample(m, 1100, 1195); /* both are back, long after one of them was */
	assert_true(swt_memback_next(m, &d));
	assert_false(d.lag.known);
	assert_true(swt_memback_next(m, &d));
	assert_false(d.lag.known);
	swt_memback_free(m);
}

/* Two at once, and everything comes in one step: each lag is known, whoever was first. */
static void test_two_clear(void **state)
{
	struct swt_memback *m = fresh();
	struct swt_memback_done d;

	(void)state;
	sample(m, 100, 1000);
	swt_memback_gone(m, 100 * MS, "a", swt_some(100 * MIB));
	swt_memback_gone(m, 150 * MS, "b", swt_some(300 * MIB));
	sample(m, 200, 1001);
	sample(m, 300, 1400);
	assert_true(swt_memback_lag(m, "a").known);
	assert_int_equal(swt_memback_lag(m, "a").v, 200 * MS);
	assert_int_equal(swt_memback_lag(m, "b").v, 150 * MS);
	assert_true(swt_memback_next(m, &d));
	assert_true(swt_memback_next(m, &d));
	swt_memback_free(m);
}

/* One whose size nobody knows makes the other's lag a guess. */
static void test_beside_an_unknown(void **state)
{
	struct swt_memback *m = fresh();
	struct swt_memback_done d;

	(void)state;
	sample(m, 100, 1000);
	swt_memback_gone(m, 100 * MS, "dark", SWT_UNKNOWN);
	assert_true(swt_memback_next(m, &d));
	swt_memback_gone(m, 110 * MS, "a", swt_some(100 * MIB)); /* right after it */
	sample(m, 200, 2000);
	assert_false(swt_memback_next(m, &d));
	/* A second later that one is no longer in the way, and "a" turned out to be held by somebody. */
	swt_memback_drop(m, "a");
	sample(m, 1500, 2000);
	swt_memback_gone(m, 1500 * MS, "b", swt_some(100 * MIB));
	assert_false(swt_memback_lag(m, "b").known);
	swt_memback_gone(m, 1501 * MS, "c", swt_some(100 * MIB));
	sample(m, 1600, 2200);
	assert_true(swt_memback_lag(m, "b").known);
	assert_int_equal(swt_memback_lag(m, "b").v, 100 * MS);
	assert_int_equal(swt_memback_lag(m, "c").v, 99 * MS);
	swt_memback_free(m);
}

static void test_bounds(void **state)
{
	struct swt_memback *m = fresh();
	struct swt_memback_done d;
	unsigned int n = 0, known = 0;
	char id[80];

	(void)state;
	sample(m, 1, 1000);
	for (unsigned int i = 0; i < 5000; i++) {
		snprintf(id, sizeof(id), "%u-and-a-name-that-is-longer-than-any-release-has-one", i);
		swt_memback_gone(m, 2 * MS, id, swt_some(i % 2 ? UINT64_MAX / 2 : MIB));
	}
	swt_memback_start(m, 3 * MS, "", swt_some(1));
	sample(m, 2, UINT64_MAX >> 21);
	sample(m, 70000, 1000);
	while (swt_memback_next(m, &d)) {
		n++;
		known += d.lag.known;
	}
	assert_true(n > 0 && n <= 256);
	assert_int_equal(known, 0);
	swt_memback_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one),	  cmocka_unit_test(test_back_before_gone),
		cmocka_unit_test(test_unknown),	  cmocka_unit_test(test_two_unclear),
		cmocka_unit_test(test_two_clear), cmocka_unit_test(test_beside_an_unknown),
		cmocka_unit_test(test_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
