/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Histograms: edges against exact integer arithmetic, sums over hosts, quantiles.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "model/hist.h"

/* xorshift64*: the same numbers on every machine. */
static uint64_t next(uint64_t *seed)
{
	*seed ^= *seed >> 12;
	*seed ^= *seed << 25;
	*seed ^= *seed >> 27;
	return *seed * 2685821657736338717ull;
}

/* A value of random size, so that all buckets are met. */
static uint64_t any(uint64_t *seed)
{
	uint64_t v = next(seed);

	return v >> (next(seed) % 65 & 63) >> (next(seed) % 8 == 0);
}

#ifdef __SIZEOF_INT128__
typedef unsigned __int128 u128;

/* v^4 in four 64-bit words, lowest first. */
static void fourth_power(uint64_t v, uint64_t w[4])
{
	u128 sq = (u128)v * v;
	uint64_t lo = (uint64_t)sq, hi = (uint64_t)(sq >> 64);
	u128 ll = (u128)lo * lo, lh = (u128)lo * hi, hh = (u128)hi * hi, t;

	/* (hi * 2^64 + lo)^2 = hh * 2^128 + 2 * lh * 2^64 + ll */
	w[0] = (uint64_t)ll;
	t = (ll >> 64) + (uint64_t)lh + (uint64_t)lh;
	w[1] = (uint64_t)t;
	t = (t >> 64) + (lh >> 64) + (lh >> 64) + (uint64_t)hh;
	w[2] = (uint64_t)t;
	w[3] = (uint64_t)((t >> 64) + (hh >> 64));
}

/* v >= 2^(i/4), that is v^4 >= 2^i: some bit at or above @i is set. */
static int at_least(uint64_t v, unsigned int i)
{
	uint64_t w[4];

	fourth_power(v, w);
	for (unsigned int word = i / 64; word < 4; word++) {
		if (word == i / 64 ? w[word] >> i % 64 : w[word])
			return 1;
	}
	return 0;
}

static void test_bounds_exact(void **state)
{
	(void)state;
	assert_true(swt_hist_bound(0) == 1);
	for (unsigned int i = 1; i < SWT_HIST_BUCKETS - 1; i++) {
		uint64_t b = swt_hist_bound(i);

		assert_true(at_least(b, i));
		assert_false(at_least(b - 1, i));
	}
	assert_true(swt_hist_bound(SWT_HIST_BUCKETS - 1) == UINT64_MAX);
}

static void test_bucket_exact(void **state)
{
	uint64_t seed = 42;

	(void)state;
	for (int n = 0; n < 200000; n++) {
		uint64_t v = n < 4096 ? (uint64_t)n + 1 : any(&seed);
		unsigned int i = swt_hist_bucket(v);

		assert_in_range(i, v ? 1 : 0, SWT_HIST_BUCKETS - 1);
		if (!v)
			continue;
		assert_true(at_least(v, i - 1));
		assert_true(i == 256 || !at_least(v, i));
	}
}
#endif

static void test_bucket_edges(void **state)
{
	(void)state;
	assert_int_equal(swt_hist_bucket(0), 0);
	assert_int_equal(swt_hist_bucket(1), 1);
	assert_int_equal(swt_hist_bucket(2), 5);
	assert_int_equal(swt_hist_bucket(3), 7); /* 2^1.5 = 2.83 <= 3 < 3.36 = 2^1.75 */
	assert_int_equal(swt_hist_bucket(4), 9);
	assert_int_equal(swt_hist_bucket(1ull << 63), 253);
	assert_int_equal(swt_hist_bucket(UINT64_MAX), 256);
	/* Each edge: the last value of a bucket and the first of the next one that is not empty. */
	for (unsigned int i = 0; i < SWT_HIST_BUCKETS - 1; i++) {
		uint64_t b = swt_hist_bound(i);

		assert_true(swt_hist_bucket(b) > i);
		assert_true(swt_hist_bucket(b - 1) <= i);
		if (i)
			assert_true(swt_hist_bound(i) >= swt_hist_bound(i - 1));
	}
}

static void test_merge_equals_adding_all(void **state)
{
	static struct swt_hist all, part[3], sum, none;
	uint64_t seed = 7;

	(void)state;
	memset(&all, 0, sizeof(all));
	memset(part, 0, sizeof(part));
	memset(&sum, 0, sizeof(sum));
	for (int i = 0; i < 10000; i++) {
		uint64_t v = any(&seed);

		swt_hist_add(&all, v);
		swt_hist_add(&part[v % 3], v);
	}
	swt_hist_merge(&sum, &none);
	for (int i = 0; i < 3; i++)
		swt_hist_merge(&sum, &part[i]);
	swt_hist_merge(&sum, &none);
	assert_memory_equal(&sum, &all, sizeof(all));
	assert_true(sum.min <= sum.max);
}

static void test_min_max_sum(void **state)
{
	struct swt_hist h = { 0 }, other = { 0 };

	(void)state;
	swt_hist_add(&h, 5);
	swt_hist_add(&h, 3);
	swt_hist_add(&h, 9);
	assert_true(h.min == 3 && h.max == 9 && h.sum == 17 && h.count == 3);
	swt_hist_add(&other, 0);
	swt_hist_merge(&h, &other);
	assert_true(h.min == 0 && h.max == 9 && h.count == 4);
}

static void test_saturates(void **state)
{
	struct swt_hist h = { 0 };

	(void)state;
	swt_hist_add(&h, UINT64_MAX);
	swt_hist_add(&h, UINT64_MAX);
	assert_true(h.sum == UINT64_MAX);
	h.bucket[256] = UINT32_MAX;
	swt_hist_merge(&h, &h);
	assert_true(h.bucket[256] == UINT32_MAX);
	assert_true(h.count == 4);
}

static void test_quantile(void **state)
{
	struct swt_hist h = { 0 };

	(void)state;
	assert_false(swt_hist_quantile(&h, 0.5).known);
	for (uint64_t v = 1; v <= 100; v++)
		swt_hist_add(&h, v);
	/* The 50th value is 50: its bucket is [46, 53], 2^5.5 = 45.25 and 2^5.75 = 53.8. */
	assert_int_equal(swt_hist_quantile(&h, 0.5).v, 53);
	/* The 7th is 7: [7, 7], 2^2.75 = 6.7. */
	assert_int_equal(swt_hist_quantile(&h, 0.07).v, 7);
	assert_int_equal(swt_hist_quantile(&h, 0.01).v, 1);
	assert_int_equal(swt_hist_quantile(&h, 0).v, 1);
	assert_int_equal(swt_hist_quantile(&h, -3).v, 1);
	assert_int_equal(swt_hist_quantile(&h, __builtin_nan("")).v, 1);
	/* Never above the largest value seen, though its bucket reaches to 107. */
	assert_int_equal(swt_hist_quantile(&h, 0.99).v, 100);
	assert_int_equal(swt_hist_quantile(&h, 1).v, 100);
	assert_int_equal(swt_hist_quantile(&h, 7).v, 100);
}

static void test_quantile_zeros(void **state)
{
	struct swt_hist h = { 0 };

	(void)state;
	swt_hist_add(&h, 0);
	assert_true(swt_hist_quantile(&h, 0.5).known);
	assert_int_equal(swt_hist_quantile(&h, 0.5).v, 0);
	swt_hist_add(&h, 0);
	swt_hist_add(&h, 1000);
	assert_int_equal(swt_hist_quantile(&h, 0.5).v, 0);
	assert_int_equal(swt_hist_quantile(&h, 0.99).v, 1000);
}

static int by_value(const void *a, const void *b)
{
	uint64_t x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return x < y ? -1 : x > y;
}

/* Whatever the values: at or above the true quantile, and in the same bucket. */
static void test_quantile_property(void **state)
{
	static const double q[] = { 0, 0.001, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999, 1 };
	static const unsigned int thousandths[] = { 0, 1, 250, 500, 900, 950, 990, 999, 1000 };
	uint64_t seed = 99, v[500];

	(void)state;
	for (int round = 0; round < 200; round++) {
		size_t n = 1 + next(&seed) % 500;
		struct swt_hist h = { 0 };

		for (size_t i = 0; i < n; i++) {
			v[i] = any(&seed);
			swt_hist_add(&h, v[i]);
		}
		qsort(v, n, sizeof(v[0]), by_value);
		for (size_t k = 0; k < sizeof(q) / sizeof(q[0]); k++) {
			size_t rank = (n * thousandths[k] + 999) / 1000;
			uint64_t want = v[rank ? rank - 1 : 0];
			struct swt_opt got = swt_hist_quantile(&h, q[k]);

			assert_true(got.known);
			assert_true(got.v >= want && got.v <= h.max);
			assert_int_equal(swt_hist_bucket(got.v), swt_hist_bucket(want));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#ifdef __SIZEOF_INT128__
		cmocka_unit_test(test_bounds_exact),	  cmocka_unit_test(test_bucket_exact),
#endif
		cmocka_unit_test(test_bucket_edges),	  cmocka_unit_test(test_merge_equals_adding_all),
		cmocka_unit_test(test_min_max_sum),	  cmocka_unit_test(test_saturates),
		cmocka_unit_test(test_quantile),	  cmocka_unit_test(test_quantile_zeros),
		cmocka_unit_test(test_quantile_property),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
