/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lib/base/fmt.c: numbers to text and back, with the edges where rounding changes the unit.
 */
#include <errno.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/fmt.h"

#define KIB (1ull << 10)
#define MIB (1ull << 20)
#define GIB (1ull << 30)
#define EIB (1ull << 60)
#define SEC 1000000000ull

typedef const char *(*fmt_fn)(char *, size_t, uint64_t);

struct to_text {
	uint64_t v;
	const char *text;
};

static void check(fmt_fn fn, const struct to_text *t, size_t n)
{
	char s[SWT_FMT_LEN];

	for (size_t i = 0; i < n; i++) {
		assert_ptr_equal(fn(s, sizeof(s), t[i].v), s);
		assert_string_equal(s, t[i].text);
	}
}

#define CHECK(fn, t) check(fn, t, sizeof(t) / sizeof((t)[0]))

static void bytes(void **state)
{
	static const struct to_text t[] = {
		{ 0, "0 B" },
		{ 1, "1 B" },
		{ 1023, "1023 B" },
		{ 1024, "1.00 K" },
		{ 4096, "4.00 K" },
		{ 10 * KIB - 1, "10.0 K" }, /* 9.999 */
		{ 100 * KIB - 1, "100 K" }, /* 99.999 */
		{ 1023 * KIB, "1023 K" },
		{ MIB - 1, "1.00 M" }, /* not 1024 K */
		{ 32715571, "31.2 M" },
		{ 2254857830ull, "2.10 G" },
		{ GIB + GIB / 8, "1.13 G" }, /* 1.125 exactly: half goes up */
		{ 1ull << 40, "1.00 T" },
		{ EIB - 1, "1.00 E" },
		{ UINT64_MAX, "16.0 E" },
	};

	(void)state;
	CHECK(swt_fmt_bytes, t);
}

static void times(void **state)
{
	static const struct to_text t[] = {
		{ 0, "0 s" },
		{ 1, "1 ns" },
		{ 850, "850 ns" },
		{ 999, "999 ns" },
		{ 1000, "1.00 us" },
		{ 12400, "12.4 us" },
		{ 999499, "999 us" },
		{ 999500, "1.00 ms" },
		{ 66000000, "66.0 ms" },
		{ 1840000000, "1.84 s" },
		{ 9994999999ull, "9.99 s" },
		{ 9995000000ull, "10.0 s" },
		{ 59949999999ull, "59.9 s" },
		{ 59950000000ull, "1 min 0 s" },
		{ 61 * SEC, "1 min 1 s" },
		{ 3599 * SEC, "59 min 59 s" },
		{ 3600 * SEC - 1, "1 h 0 min" },
		{ 14334 * SEC, "3 h 59 min" }, /* 14,678,016 kB at 1 MiB/s */
		{ 86399 * SEC, "1 d 0 h" },
		{ 86400 * SEC * 2 + 3600 * 3 * SEC, "2 d 3 h" },
		{ UINT64_MAX, "213504 d 0 h" }, /* 213503 days and 23.58 hours */
	};

	(void)state;
	CHECK(swt_fmt_ns, t);
}

static void counts(void **state)
{
	static const struct to_text t[] = {
		{ 0, "0" },
		{ 999, "999" },
		{ 1000, "1,000" },
		{ 104032, "104,032" },
		{ 1000000, "1,000,000" },
		{ UINT64_MAX, "18,446,744,073,709,551,615" },
	};

	(void)state;
	CHECK(swt_fmt_count, t);
}

static void milliseconds(void **state)
{
	static const struct to_text t[] = {
		{ 0, "0.0" },
		{ 49999, "0.0" },
		{ 50000, "0.1" },
		{ 66000000, "66.0" },
		{ 4200000, "4.2" },
		{ 999950000, "1000.0" },
		{ UINT64_MAX, "18446744073709.6" },
	};

	(void)state;
	CHECK(swt_fmt_ms, t);
}

static void wall_clock(void **state)
{
	static const struct to_text t[] = {
		{ 0, "1970-01-01T00:00:00.000000Z" },
		{ 1796040270512345678ull, "2026-11-30T12:04:30.512345Z" },
		{ 951782400ull * SEC, "2000-02-29T00:00:00.000000Z" },
		{ 951868799ull * SEC + 999999999, "2000-02-29T23:59:59.999999Z" },
		{ 951868800ull * SEC, "2000-03-01T00:00:00.000000Z" },
		{ 4107542400ull * SEC, "2100-03-01T00:00:00.000000Z" }, /* 2100 has no 29 February */
		{ 2147483648ull * SEC, "2038-01-19T03:14:08.000000Z" },
		{ UINT64_MAX, "2554-07-21T23:34:33.709551Z" },
	};

	(void)state;
	CHECK(swt_fmt_time, t);
}

static void unknown_is_a_dash(void **state)
{
	char s[SWT_FMT_LEN];

	(void)state;
	assert_string_equal(swt_fmt_opt(s, sizeof(s), SWT_UNKNOWN, swt_fmt_bytes), "-");
	assert_string_equal(swt_fmt_opt(s, sizeof(s), swt_some(0), swt_fmt_bytes), "0 B");
	assert_string_equal(swt_fmt_opt(s, sizeof(s), swt_some(0), swt_fmt_ns), "0 s");
}

static void small_buffer_is_cut(void **state)
{
	char s[4] = "zzz";

	(void)state;
	assert_string_equal(swt_fmt_count(s, sizeof(s), UINT64_MAX), "18,");
	assert_string_equal(swt_fmt_bytes(s, sizeof(s), MIB), "1.0");
	assert_string_equal(swt_fmt_opt(s, 1, SWT_UNKNOWN, swt_fmt_ns), "");
}

/* A decimal comma would break JSON and every parser behind it. */
static void locale_changes_nothing(void **state)
{
	char s[SWT_FMT_LEN];
	uint64_t v = 0;

	(void)state;
	setlocale(LC_ALL, "de_DE.UTF-8");
	setlocale(LC_ALL, "");
	assert_string_equal(swt_fmt_bytes(s, sizeof(s), GIB * 3 / 2), "1.50 G");
	assert_int_equal(swt_parse_size("1.5G", &v), 0);
	assert_int_equal(v, GIB * 3 / 2);
	setlocale(LC_ALL, "C");
}

struct from_text {
	const char *text;
	int rc;
	uint64_t v;
};

static void parse(int (*fn)(const char *, uint64_t *), const struct from_text *t, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t v = 0xdead;
		int rc = fn(t[i].text, &v);

		if (rc != t[i].rc || v != (rc ? 0xdead : t[i].v))
			fail_msg("'%s': rc %d value %llu", t[i].text, rc, (unsigned long long)v);
	}
}

#define PARSE(fn, t) parse(fn, t, sizeof(t) / sizeof((t)[0]))

static void parse_numbers(void **state)
{
	static const struct from_text t[] = {
		{ "0", 0, 0 },
		{ "007", 0, 7 },
		{ "18446744073709551615", 0, UINT64_MAX },
		{ "18446744073709551616", -ERANGE, 0 },
		{ "99999999999999999999999", -ERANGE, 0 },
		{ "99999999999999999999999x", -EINVAL, 0 },
		{ "", -EINVAL, 0 },
		{ "-1", -EINVAL, 0 },
		{ "+1", -EINVAL, 0 },
		{ " 1", -EINVAL, 0 },
		{ "1 ", -EINVAL, 0 },
		{ "1\n", -EINVAL, 0 },
		{ "0x10", -EINVAL, 0 },
		{ "1e3", -EINVAL, 0 },
		{ "1.0", -EINVAL, 0 },
	};

	(void)state;
	PARSE(swt_parse_u64, t);
}

static void parse_sizes(void **state)
{
	static const struct from_text t[] = {
		{ "4096", 0, 4096 },
		{ "4096B", 0, 4096 },
		{ "64K", 0, 64 * KIB },
		{ "64k", 0, 64 * KIB },
		{ "64KiB", 0, 64 * KIB },
		{ "1.5G", 0, GIB + GIB / 2 },
		{ ".5M", 0, MIB / 2 },
		{ "0.0009765625K", 0, 0 }, /* ten digits: the last is dropped, just under one byte */
		{ "15E", 0, 15 * EIB },
		{ "15.999999999E", 0, 15 * EIB + 1152921503453925471ull },
		{ "16E", -ERANGE, 0 },
		{ "18446744073709551615", 0, UINT64_MAX },
		{ "18446744073709551616", -ERANGE, 0 },
		{ "18446744073709551615.5K", -ERANGE, 0 },
		{ "1.5", -EINVAL, 0 }, /* half a byte */
		{ "1.K", -EINVAL, 0 },
		{ ".", -EINVAL, 0 },
		{ ".K", -EINVAL, 0 },
		{ "1..5K", -EINVAL, 0 },
		{ "1,5K", -EINVAL, 0 },
		{ "K", -EINVAL, 0 },
		{ "", -EINVAL, 0 },
		{ "-1K", -EINVAL, 0 },
		{ "1KB", -EINVAL, 0 }, /* 1000 to some, 1024 to others */
		{ "1 K", -EINVAL, 0 },
		{ "1Kx", -EINVAL, 0 },
		{ "99999999999999999999Q", -EINVAL, 0 },
	};

	(void)state;
	PARSE(swt_parse_size, t);
}

static void parse_durations(void **state)
{
	static const struct from_text t[] = {
		{ "200ms", 0, 200000000 },
		{ "1.5s", 0, 1500000000 },
		{ "2", 0, 2 * SEC },
		{ "0.1", 0, 100000000 },
		{ ".5", 0, 500000000 },
		{ "3min", 0, 180 * SEC },
		{ "10us", 0, 10000 },
		{ "7ns", 0, 7 },
		{ "1h", 0, 3600 * SEC },
		{ "2d", 0, 172800 * SEC },
		{ "0.000000001", 0, 1 },
		{ "0.0000000019", 0, 1 },
		{ "18446744073", 0, 18446744073 * SEC },
		{ "18446744074", -ERANGE, 0 },
		{ "18446744073.709551615", 0, UINT64_MAX },
		{ "18446744073.709551616", -ERANGE, 0 },
		{ "1.5ns", -EINVAL, 0 },
		{ "5m", -EINVAL, 0 }, /* minutes or milliseconds? */
		{ "1S", -EINVAL, 0 },
		{ "inf", -EINVAL, 0 },
		{ "nan", -EINVAL, 0 },
		{ "-2", -EINVAL, 0 },
		{ "", -EINVAL, 0 },
	};

	(void)state;
	PARSE(swt_parse_duration, t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes),
		cmocka_unit_test(times),
		cmocka_unit_test(counts),
		cmocka_unit_test(milliseconds),
		cmocka_unit_test(wall_clock),
		cmocka_unit_test(unknown_is_a_dash),
		cmocka_unit_test(small_buffer_is_cut),
		cmocka_unit_test(locale_changes_nothing),
		cmocka_unit_test(parse_numbers),
		cmocka_unit_test(parse_sizes),
		cmocka_unit_test(parse_durations),
	};

	return cmocka_run_group_tests_name("fmt", tests, NULL, NULL);
}
