/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers to text and back, see fmt.h.
 *
 * Integers only: no floating point and no locale, so the same value gives the same text everywhere, and
 * every 64-bit value is rounded exactly.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/fmt.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

struct unit {
	uint64_t size;
	const char *name;
};

/*
 * v / size rounded half up to three digits, as whole and fraction.  Long division digit by digit: the rest
 * stays below @size, which is at most 2^60, so times ten never overflows.
 */
static int three_digits(uint64_t v, uint64_t size, uint64_t *whole, unsigned int *frac)
{
	uint64_t q = v / size, r = v % size;
	int decimals = size == 1 ? 0 : q >= 100 ? 0 : q >= 10 ? 1 : 2;
	unsigned int f = 0, one = 1;

	for (int i = 0; i < decimals; i++) {
		r *= 10;
		f = f * 10 + (unsigned int)(r / size);
		r %= size;
		one *= 10;
	}
	if (r && r >= size - r)
		f++;
	if (f >= one) {
		/* 9.996 became 10.0, 99.96 became 100: one digit less behind the point. */
		f -= one;
		q++;
		if (decimals && (q == 10 || q == 100)) {
			f /= 10;
			decimals--;
		}
	}
	*whole = q;
	*frac = f;
	return decimals;
}

/* Print @v in the largest of the ascending @units in which it is at least 1 once rounded. */
static const char *scaled(char *dst, size_t size, uint64_t v, const struct unit *units, size_t n)
{
	uint64_t whole;
	unsigned int frac;
	size_t i = n - 1;
	int decimals;

	while (i > 0 && v < units[i].size)
		i--;
	decimals = three_digits(v, units[i].size, &whole, &frac);
	if (i + 1 < n && whole >= units[i + 1].size / units[i].size)
		decimals = three_digits(units[i + 1].size, units[i + 1].size, &whole, &frac), i++;
	if (decimals)
		snprintf(dst, size, "%" PRIu64 ".%0*u %s", whole, decimals, frac, units[i].name);
	else
		snprintf(dst, size, "%" PRIu64 " %s", whole, units[i].name);
	return dst;
}

const char *swt_fmt_bytes(char *dst, size_t size, uint64_t bytes)
{
	static const struct unit units[] = {
		{ 1, "B" },	     { 1ull << 10, "K" }, { 1ull << 20, "M" }, { 1ull << 30, "G" },
		{ 1ull << 40, "T" }, { 1ull << 50, "P" }, { 1ull << 60, "E" },
	};

	return scaled(dst, size, bytes, units, ARRAY_SIZE(units));
}

/* Two neighbouring units, the value rounded to the smaller one first so that "3 h 60 min" cannot appear. */
static const char *long_time(char *dst, size_t size, uint64_t secs)
{
	uint64_t mins = secs / 60 + (secs % 60 >= 30);
	uint64_t hours = secs / 3600 + (secs % 3600 >= 1800);

	if (secs < 3600)
		snprintf(dst, size, "%" PRIu64 " min %" PRIu64 " s", secs / 60, secs % 60);
	else if (mins < 24 * 60)
		snprintf(dst, size, "%" PRIu64 " h %" PRIu64 " min", mins / 60, mins % 60);
	else
		snprintf(dst, size, "%" PRIu64 " d %" PRIu64 " h", hours / 24, hours % 24);
	return dst;
}

const char *swt_fmt_ns(char *dst, size_t size, uint64_t ns)
{
	static const struct unit units[] = {
		{ 1, "ns" },
		{ 1000, "us" },
		{ SWT_NS_PER_MS, "ms" },
		{ SWT_NS_PER_SEC, "s" },
	};

	if (!ns) {
		snprintf(dst, size, "0 s");
		return dst;
	}
	/* From 59.95 s on the short form would say "60.0 s". */
	if (ns < 59950 * SWT_NS_PER_MS)
		return scaled(dst, size, ns, units, ARRAY_SIZE(units));
	return long_time(dst, size, ns / SWT_NS_PER_SEC + (ns % SWT_NS_PER_SEC >= SWT_NS_PER_SEC / 2));
}

const char *swt_fmt_count(char *dst, size_t size, uint64_t n)
{
	char digits[24], out[32];
	int len = snprintf(digits, sizeof(digits), "%" PRIu64, n);
	size_t o = 0;

	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			out[o++] = ',';
		out[o++] = digits[i];
	}
	out[o] = '\0';
	snprintf(dst, size, "%s", out);
	return dst;
}

const char *swt_fmt_ms(char *dst, size_t size, uint64_t ns)
{
	uint64_t tenths = ns / (SWT_NS_PER_MS / 10);

	if (ns % (SWT_NS_PER_MS / 10) >= SWT_NS_PER_MS / 20)
		tenths++;
	snprintf(dst, size, "%" PRIu64 ".%" PRIu64, tenths / 10, tenths % 10);
	return dst;
}

const char *swt_fmt_opt(char *dst, size_t size, struct swt_opt o, const char *(*fn)(char *, size_t, uint64_t))
{
	if (o.known)
		return fn(dst, size, o.v);
	snprintf(dst, size, "-");
	return dst;
}

/*
 * Not gmtime_r(): time_t has 32 bits on some of the machines whose recordings come here.  Days are counted
 * from 1 March of year 0, so that the leap day is the last of its year.
 */
const char *swt_fmt_time(char *dst, size_t size, uint64_t real_ns)
{
	uint64_t secs = real_ns / SWT_NS_PER_SEC, day_s = secs % 86400;
	uint64_t days = secs / 86400 + 719468;
	uint64_t era = days / 146097, doe = days % 146097;
	uint64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	uint64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
	uint64_t mp = (5 * doy + 2) / 153;
	uint64_t day = doy - (153 * mp + 2) / 5 + 1;
	uint64_t month = mp < 10 ? mp + 3 : mp - 9;
	uint64_t year = yoe + era * 400 + (month <= 2);
	uint64_t us = real_ns % SWT_NS_PER_SEC / 1000;

	snprintf(dst, size,
		 "%04" PRIu64 "-%02" PRIu64 "-%02" PRIu64 "T%02" PRIu64 ":%02" PRIu64 ":%02" PRIu64
		 ".%06" PRIu64 "Z",
		 year, month, day, day_s / 3600, day_s / 60 % 60, day_s % 60, us);
	return dst;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Read digits from *@s into *@v; 0, -EINVAL without any digit, -ERANGE. */
static int take_digits(const char **s, uint64_t *v)
{
	const char *p = *s;
	bool over = false;
	uint64_t r = 0;

	if (!is_digit(*p))
		return -EINVAL;
	for (; is_digit(*p); p++)
		over |= __builtin_mul_overflow(r, 10u, &r) || __builtin_add_overflow(r, *p - '0', &r);
	*s = p;
	*v = r;
	return over ? -ERANGE : 0;
}

int swt_parse_u64(const char *s, uint64_t *ret)
{
	uint64_t v;
	int rc = take_digits(&s, &v);

	if (rc == -EINVAL || *s)
		return -EINVAL;
	if (!rc)
		*ret = v;
	return rc;
}

/*
 * Digits after the point: numerator of at most nine, further ones are checked and dropped (nine are enough
 * for a nanosecond of a second).
 */
static int take_fraction(const char **s, uint64_t *num, uint64_t *den)
{
	const char *p = *s;

	if (!is_digit(*p))
		return -EINVAL;
	*num = 0;
	*den = 1;
	for (; is_digit(*p); p++) {
		if (*den >= 1000000000)
			continue;
		*num = *num * 10 + (uint64_t)(*p - '0');
		*den *= 10;
	}
	*s = p;
	return 0;
}

/* "NUMBER[.FRACTION][UNIT]" or ".FRACTION[UNIT]"; the empty name in @units is the default unit. */
static int parse_scaled(const char *s, const struct unit *units, size_t n, uint64_t *ret)
{
	uint64_t whole = 0, num = 0, den = 1, v;
	size_t i;
	int rc = 0;

	if (*s != '.')
		rc = take_digits(&s, &whole);
	if (rc == -EINVAL)
		return rc;
	if (*s == '.') {
		s++;
		if (take_fraction(&s, &num, &den))
			return -EINVAL;
	}
	for (i = 0; i < n && strcmp(s, units[i].name) != 0; i++)
		;
	if (i == n || (den > 1 && units[i].size == 1))
		return -EINVAL; /* no such unit, or a part of a byte or nanosecond */
	if (rc || __builtin_mul_overflow(whole, units[i].size, &v))
		return -ERANGE;
	/* size * num / den, rounded down, without leaving 64 bits: num < den <= 10^9. */
	if (__builtin_add_overflow(v, units[i].size / den * num + units[i].size % den * num / den, &v))
		return -ERANGE;
	*ret = v;
	return 0;
}

int swt_parse_size(const char *s, uint64_t *ret)
{
	static const struct unit units[] = {
		{ 1, "" },
		{ 1, "B" },
		{ 1ull << 10, "K" },
		{ 1ull << 10, "k" },
		{ 1ull << 10, "KiB" },
		{ 1ull << 20, "M" },
		{ 1ull << 20, "MiB" },
		{ 1ull << 30, "G" },
		{ 1ull << 30, "GiB" },
		{ 1ull << 40, "T" },
		{ 1ull << 40, "TiB" },
		{ 1ull << 50, "P" },
		{ 1ull << 50, "PiB" },
		{ 1ull << 60, "E" },
		{ 1ull << 60, "EiB" },
		{ 1ull << 20, "m" },
		{ 1ull << 30, "g" },
		{ 1ull << 40, "t" },
	};

	return parse_scaled(s, units, ARRAY_SIZE(units), ret);
}

int swt_parse_duration(const char *s, uint64_t *ret)
{
	static const struct unit units[] = {
		{ SWT_NS_PER_SEC, "" },
		{ SWT_NS_PER_SEC, "s" },
		{ SWT_NS_PER_MS, "ms" },
		{ 1000, "us" },
		{ 1, "ns" },
		{ 60 * SWT_NS_PER_SEC, "min" },
		{ 3600 * SWT_NS_PER_SEC, "h" },
		{ 86400 * SWT_NS_PER_SEC, "d" },
	};

	return parse_scaled(s, units, ARRAY_SIZE(units), ret);
}
