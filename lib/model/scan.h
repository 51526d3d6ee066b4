/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading lines, words and numbers of kernel text without copying.  Private to lib/model.
 *
 * The text is untrusted and not NUL-terminated; it may hold NULs, which are bytes like any other.  Inline,
 * because a sample of /proc/vmstat is 200 lines and comes ten times a second.
 */
#ifndef SWT_MODEL_SCAN_H
#define SWT_MODEL_SCAN_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/opt.h"

/* What is left to read: [p, end). */
struct swt_scan {
	const char *p, *end;
};

static inline struct swt_scan swt_scan(const char *s, size_t len)
{
	return (struct swt_scan){ s, s + len };
}

static inline size_t swt_scan_left(const struct swt_scan *s)
{
	return (size_t)(s->end - s->p);
}

/** swt_scan_line - take one line, without its newline, into @line; false at the end. */
static inline bool swt_scan_line(struct swt_scan *s, struct swt_scan *line)
{
	const char *nl;

	if (s->p == s->end)
		return false;
	nl = memchr(s->p, '\n', swt_scan_left(s));
	line->p = s->p;
	line->end = nl ? nl : s->end;
	s->p = nl ? nl + 1 : s->end;
	return true;
}

static inline void swt_scan_blanks(struct swt_scan *s)
{
	while (s->p < s->end && (*s->p == ' ' || *s->p == '\t'))
		s->p++;
}

/** swt_scan_word - skip blanks, take bytes up to the next blank; false when there are none. */
static inline bool swt_scan_word(struct swt_scan *s, struct swt_scan *word)
{
	swt_scan_blanks(s);
	word->p = s->p;
	while (s->p < s->end && *s->p != ' ' && *s->p != '\t')
		s->p++;
	word->end = s->p;
	return word->p != word->end;
}

/** swt_scan_is - is this text exactly @name? */
static inline bool swt_scan_is(const struct swt_scan *s, const char *name, size_t len)
{
	return swt_scan_left(s) == len && !memcmp(s->p, name, len);
}
#define SWT_SCAN_IS(s, literal) swt_scan_is(s, "" literal, sizeof(literal) - 1)

/** swt_scan_skip - step over @prefix if the text begins with it. */
static inline bool swt_scan_skip(struct swt_scan *s, const char *prefix, size_t len)
{
	if (swt_scan_left(s) < len || memcmp(s->p, prefix, len))
		return false;
	s->p += len;
	return true;
}
#define SWT_SCAN_SKIP(s, literal) swt_scan_skip(s, "" literal, sizeof(literal) - 1)

/**
 * swt_scan_number - the whole text as a decimal number
 *
 * Unknown for anything but digits, and for 2^64 and above: a number we cannot read is not a small one.
 */
static inline struct swt_opt swt_scan_number(const struct swt_scan *s)
{
	const char *p = s->p;
	uint64_t v = 0;

	if (p == s->end)
		return SWT_UNKNOWN;
	/* 19 digits always fit; only the ones after that need the check. */
	for (; p < s->end && p - s->p < 19; p++) {
		unsigned int d = (unsigned char)*p - (unsigned int)'0';

		if (d > 9)
			return SWT_UNKNOWN;
		v = v * 10 + d;
	}
	for (; p < s->end; p++) {
		unsigned int d = (unsigned char)*p - (unsigned int)'0';

		if (d > 9 || __builtin_mul_overflow(v, 10u, &v) || __builtin_add_overflow(v, d, &v))
			return SWT_UNKNOWN;
	}
	return swt_some(v);
}

/** swt_scan_u64 - the next word as a number; the word is consumed whatever it is. */
static inline struct swt_opt swt_scan_u64(struct swt_scan *s)
{
	struct swt_scan word;

	return swt_scan_word(s, &word) ? swt_scan_number(&word) : SWT_UNKNOWN;
}

/** swt_scan_kib - the next word as a number of KiB, in bytes; unknown when the bytes do not fit. */
static inline struct swt_opt swt_scan_kib(struct swt_scan *s)
{
	return swt_opt_mul(swt_scan_u64(s), 1024);
}

/** swt_scan_pid - the next word as a process id; -1 when it is none (0 is possible: no parent). */
static inline int swt_scan_pid(struct swt_scan *s)
{
	struct swt_opt o = swt_scan_u64(s);

	return o.known && o.v <= INT_MAX ? (int)o.v : -1;
}

/** swt_scan_trimmed - one value alone in a file: the first line without blanks around it. */
static inline struct swt_scan swt_scan_trimmed(const char *text, size_t len)
{
	struct swt_scan s = swt_scan(text, len), line = { text, text };

	swt_scan_line(&s, &line);
	swt_scan_blanks(&line);
	while (line.end > line.p && (line.end[-1] == ' ' || line.end[-1] == '\t' || line.end[-1] == '\r'))
		line.end--;
	return line;
}

#endif
