/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lib/base/text.c: ill-formed UTF-8 against the tables of the Unicode standard (chapter 3.9), hostile names,
 * columns.  The process stays in the C locale, as a service would.
 */
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"

#define R	 "\xef\xbf\xbd"
#define BYTES(s) s, sizeof(s) - 1

struct pair {
	const char *in;
	size_t len;
	const char *want;
};

#define PAIR(in, want)                   \
	{                                \
		in, sizeof(in) - 1, want \
	}

static void ill_formed(void **state)
{
	static const struct pair t[] = {
		/* Tables 3-8 to 3-11 */
		PAIR("\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41", R R R R R R R R "A"),
		PAIR("\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41", R R R R R R R R "A"),
		PAIR("\xf4\x91\x92\x93\xff\x41\x80\xbf\x42", R R R R R "A" R R "B"),
		PAIR("\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41", R R R R "A"),
		/* cut at the end: one mark for the part */
		PAIR("a\xe2\x82", "a" R),
		PAIR("a\xf0\x9f\x98", "a" R),
		PAIR("\xc3", R),
		/* five and six byte forms of old */
		PAIR("\xf8\x88\x80\x80\x80", R R R R R),
		PAIR("\xfc\x84\x80\x80\x80\x80", R R R R R R),
		/* overlong NUL and slash */
		PAIR("\xc0\x80", R R),
		PAIR("\xe0\x80\xaf", R R R),
		/* edges that are well-formed */
		PAIR("\xc2\x80", "\xc2\x80"),
		PAIR("\xe0\xa0\x80", "\xe0\xa0\x80"),
		PAIR("\xed\x9f\xbf", "\xed\x9f\xbf"),
		PAIR("\xee\x80\x80", "\xee\x80\x80"),
		PAIR("\xf0\x90\x80\x80", "\xf0\x90\x80\x80"),
		PAIR("\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"),
		/* controls stay for JSON */
		PAIR("a\x1b[31m\x07\x7f", "a\x1b[31m\x07\x7f"),
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct swt_buf b = SWT_BUF_INIT;

		assert_int_equal(swt_text_utf8(&b, t[i].in, t[i].len), 0);
		assert_string_equal(swt_buf_str(&b), t[i].want);
		assert_int_equal(b.len, strlen(t[i].want));
		assert_true(swt_text_valid(b.s, b.len));
		assert_int_equal(swt_text_valid(t[i].in, t[i].len), !strcmp(t[i].in, t[i].want));
		swt_buf_free(&b);
	}
}

static size_t encode(char *s, uint32_t cp)
{
	if (cp < 0x80) {
		s[0] = (char)cp;
		return 1;
	}
	if (cp < 0x800) {
		s[0] = (char)(0xc0 | cp >> 6);
		s[1] = (char)(0x80 | (cp & 63));
		return 2;
	}
	if (cp < 0x10000) {
		s[0] = (char)(0xe0 | cp >> 12);
		s[1] = (char)(0x80 | (cp >> 6 & 63));
		s[2] = (char)(0x80 | (cp & 63));
		return 3;
	}
	s[0] = (char)(0xf0 | cp >> 18);
	s[1] = (char)(0x80 | (cp >> 12 & 63));
	s[2] = (char)(0x80 | (cp >> 6 & 63));
	s[3] = (char)(0x80 | (cp & 63));
	return 4;
}

/* Every code point: exactly the surrogates and what is above U+10FFFF are refused. */
static void every_code_point(void **state)
{
	(void)state;
	for (uint32_t cp = 0; cp < 0x120000; cp++) {
		bool good = cp <= 0x10ffff && (cp < 0xd800 || cp > 0xdfff);
		char s[4];
		size_t n = encode(s, cp);

		if (swt_text_valid(s, n) != good)
			fail_msg("U+%04X", cp);
		/* cut short it is never valid */
		if (n > 1 && swt_text_valid(s, n - 1))
			fail_msg("U+%04X cut", cp);
	}
}

/* Which code points a terminal must not see: named here one by one, apart from the rule in the code. */
static bool dangerous(uint32_t cp)
{
	static const uint32_t list[] = { 0x61c,	 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b,
					 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069 };

	if (cp < 32 || cp == 127 || (cp >= 128 && cp < 160))
		return true;
	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		if (list[i] == cp)
			return true;
	return false;
}

static void clean_every_code_point(void **state)
{
	struct swt_buf b = SWT_BUF_INIT;

	(void)state;
	for (uint32_t cp = 0; cp <= 0x10ffff; cp++) {
		char s[4];
		size_t n = encode(s, cp);

		if (cp >= 0xd800 && cp <= 0xdfff)
			continue;
		swt_buf_reset(&b);
		assert_int_equal(swt_text_clean(&b, s, n, false), 0);
		if (dangerous(cp) ? b.len != 3 || memcmp(b.s, R, 3) : b.len != n || memcmp(b.s, s, n))
			fail_msg("U+%04X", cp);
		swt_buf_reset(&b);
		assert_int_equal(swt_text_clean(&b, s, n, true), 0);
		if (b.len != 1 || b.s[0] != (cp >= 32 && cp < 127 ? (char)cp : '?'))
			fail_msg("ascii U+%04X", cp);
	}
	swt_buf_free(&b);
}

static void hostile_names(void **state)
{
	static const struct {
		struct pair clean;
		const char *ascii;
	} t[] = {
		{ PAIR("x \x1b[31mred \x07", "x " R "[31mred " R), "x ?[31mred ?" },
		{ PAIR("\x9b"
		       "31m",
		       R "31m"),
		  "?31m" },
		{ PAIR("\xc2\x9b"
		       "31m",
		       R "31m"),
		  "?31m" },
		{ PAIR("a\nb\rc\td", "a" R "b" R "c" R "d"), "a?b?c?d" },
		{ PAIR("nul\0in", "nul" R "in"), "nul?in" },
		{ PAIR("exe\xe2\x80\xaegnp.sh", "exe" R "gnp.sh"), "exe?gnp.sh" },
		/* fifteen bytes of a Cyrillic name: seven letters and a half */
		{ PAIR("ЙЦУКЕНГ\xd0", "ЙЦУКЕНГ" R), "????????" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct swt_buf b = SWT_BUF_INIT;

		assert_int_equal(swt_text_clean(&b, t[i].clean.in, t[i].clean.len, false), 0);
		assert_string_equal(swt_buf_str(&b), t[i].clean.want);
		swt_buf_reset(&b);
		assert_int_equal(swt_text_clean(&b, t[i].clean.in, t[i].clean.len, true), 0);
		assert_string_equal(swt_buf_str(&b), t[i].ascii);
		swt_buf_free(&b);
	}
}

/* Whatever comes in: what goes out is valid, has no control byte, and appending keeps what was there. */
static void random_bytes(void **state)
{
	struct swt_buf b = SWT_BUF_INIT;
	uint64_t x = 88172645463325252ull;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		char in[24];

		for (size_t i = 0; i < sizeof(in); i++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			in[i] = (char)(x >> 24);
			if (x & 1)
				in[i] = (char)(in[i] | 0x80);
		}
		swt_buf_reset(&b);
		swt_buf_adds(&b, "pre");
		assert_int_equal(swt_text_clean(&b, in, sizeof(in), false), 0);
		assert_memory_equal(b.s, "pre", 3);
		assert_true(swt_text_valid(b.s, b.len));
		for (size_t i = 0; i < b.len; i++)
			assert_false((unsigned char)b.s[i] < 32 || b.s[i] == 127);
	}
	swt_buf_free(&b);
}

static void hex(void **state)
{
	struct swt_buf b = SWT_BUF_INIT;

	(void)state;
	assert_int_equal(swt_text_hex(&b, BYTES("a\0\x1b\xff")), 0);
	assert_string_equal(swt_buf_str(&b), "61001bff");
	assert_int_equal(swt_text_hex(&b, "", 0), 0);
	assert_int_equal(b.len, 8);
	swt_buf_free(&b);
}

static void widths(void **state)
{
	static const struct {
		const char *s;
		size_t want;
	} t[] = {
		{ "", 0 },
		{ "swaptop", 7 },
		{ R, 1 },
		{ "ЙЦУ", 3 },
		{ "e\xcc\x81", 1 }, /* e and a combining accent */
		{ "日本語", 6 },
		{ "한국", 4 },
		{ "\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab", 2 }, /* the same first syllable in parts */
		{ "\xef\xbc\xa1", 2 },			       /* fullwidth A */
		{ "\xef\xbd\xb1", 1 },			       /* halfwidth katakana */
		{ "a\xe2\x80\x8b"
		  "b",
		  2 },			   /* zero width space */
		{ "\xf0\x9f\x98\x80", 2 }, /* emoji */
		{ "\xf0\xa0\x80\x80", 2 }, /* second ideographic plane */
		{ "\xf0\xaf\xbf\xbd", 2 }, /* its last place, unassigned */
		{ "\xc2\xad", 1 },	   /* soft hyphen */
		{ "│█▁", 3 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++)
		if (swt_text_width(t[i].s, strlen(t[i].s)) != t[i].want)
			fail_msg("'%s': %zu", t[i].s, swt_text_width(t[i].s, strlen(t[i].s)));
}

static void fit(void **state)
{
	static const struct {
		const char *s;
		size_t width;
		bool right;
		const char *want;
	} t[] = {
		{ "abc", 5, false, "abc  " },
		{ "abc", 5, true, "  abc" },
		{ "abc", 3, false, "abc" },
		{ "abcdef", 3, false, "abc" },
		{ "abcdef", 3, true, "abc" },
		{ "", 2, false, "  " },
		{ "abc", 0, false, "" },
		{ "日本語", 5, false, "日本 " },
		{ "日本語", 5, true, " 日本" },
		{ "日本語", 1, false, " " },
		{ "日", 2, false, "日" },
		{ "xe\xcc\x81y", 2, false, "xe\xcc\x81" }, /* the accent stays with its letter */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct swt_buf b = SWT_BUF_INIT;

		assert_int_equal(swt_text_fit(&b, t[i].s, strlen(t[i].s), t[i].width, t[i].right), 0);
		assert_string_equal(swt_buf_str(&b), t[i].want);
		assert_int_equal(swt_text_width(swt_buf_str(&b), b.len), t[i].width);
		swt_buf_free(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ill_formed),
		cmocka_unit_test(every_code_point),
		cmocka_unit_test(clean_every_code_point),
		cmocka_unit_test(hostile_names),
		cmocka_unit_test(random_bytes),
		cmocka_unit_test(hex),
		cmocka_unit_test(widths),
		cmocka_unit_test(fit),
	};

	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
