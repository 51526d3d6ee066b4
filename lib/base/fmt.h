/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers to text and back.  Pure functions, independent of the locale.
 */
#ifndef SWT_BASE_FMT_H
#define SWT_BASE_FMT_H

#include <stddef.h>
#include <stdint.h>

#include "base/opt.h"

#define SWT_FMT_LEN 32 /* enough for every swt_fmt_* result */

/*
 * Each writes at most @size bytes with NUL and returns @dst.  Three digits, rounded half up:
 *
 *   bytes  "0 B", "31.2 M", "2.10 G" (powers of 1024)
 *   ns     "0 s", "850 ns", "12.4 us", "66.0 ms", "1.84 s", "12 min 5 s", "3 h 59 min", "2 d 3 h"
 *   count  "104,032"
 *   ms     milliseconds with one decimal: "66.0"
 */
const char *swt_fmt_bytes(char *dst, size_t size, uint64_t bytes);
const char *swt_fmt_ns(char *dst, size_t size, uint64_t ns);
const char *swt_fmt_count(char *dst, size_t size, uint64_t n);
const char *swt_fmt_ms(char *dst, size_t size, uint64_t ns);
/** swt_fmt_opt - @fn(value), or "-" when unknown. */
const char *swt_fmt_opt(char *dst, size_t size, struct swt_opt o,
			const char *(*fn)(char *, size_t, uint64_t));
/** swt_fmt_time - RFC 3339 UTC with microseconds, "2026-11-30T12:04:30.512345Z", from ns since 1970. */
const char *swt_fmt_time(char *dst, size_t size, uint64_t real_ns);

/*
 * Parsers take the whole string: 0, -EINVAL (not a number), -ERANGE (too big); *ret untouched on failure.
 *
 *   size      "4096", "64K", "64k", "64KiB", "1.5G": powers of 1024; not "KB", which means two things
 *   duration  ns from "200ms", "1.5s", "2" (seconds), "3min", "10us", "1h"; not "m"
 */
int swt_parse_u64(const char *s, uint64_t *ret);
int swt_parse_size(const char *s, uint64_t *ret);
int swt_parse_duration(const char *s, uint64_t *ret);

#endif
