/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of the trackers, see note.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "model/note.h"

void swt_notef(const struct swt_noter *n, uint64_t ts, enum swt_note_kind kind, const char *fmt, ...)
{
	char line[512];
	va_list ap;

	if (!n->note)
		return;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	n->note(n->arg, ts, kind, line);
}

/* @v / @unit with @decimals digits behind the point, rounded half up. @v is below 2^64 / 100. */
static uint64_t scale(uint64_t v, uint64_t unit, unsigned int decimals)
{
	uint64_t one = decimals == 2 ? 100 : decimals == 1 ? 10 : 1;

	return v / unit * one + (v % unit * one + unit / 2) / unit;
}

const char *swt_note_seconds(char *dst, uint64_t ns)
{
	unsigned int decimals = ns < 10 * SWT_NS_PER_SEC ? 2 : 1;
	uint64_t n;
	size_t len;

	/* The general form keeps three digits ("850 ms"); a sentence reads better in seconds. */
	if (ns < 10 * SWT_NS_PER_MS || ns >= 59950 * SWT_NS_PER_MS)
		return swt_fmt_ns(dst, SWT_FMT_LEN, ns);
	n = scale(ns, SWT_NS_PER_SEC, decimals);
	if (decimals == 2)
		snprintf(dst, SWT_FMT_LEN, "%" PRIu64 ".%02" PRIu64, n / 100, n % 100);
	else
		snprintf(dst, SWT_FMT_LEN, "%" PRIu64 ".%" PRIu64, n / 10, n % 10);
	len = strlen(dst);
	while (dst[len - 1] == '0')
		len--;
	if (dst[len - 1] == '.')
		len--;
	snprintf(dst + len, SWT_FMT_LEN - len, " s");
	return dst;
}

const char *swt_note_mib(char *dst, uint64_t bytes)
{
	uint64_t tenths = scale(bytes, 1u << 20, 1);

	if (tenths % 10)
		snprintf(dst, SWT_FMT_LEN, "%" PRIu64 ".%" PRIu64 " MiB", tenths / 10, tenths % 10);
	else
		snprintf(dst, SWT_FMT_LEN, "%" PRIu64 " MiB", tenths / 10);
	return dst;
}

const char *swt_note_rate(char *dst, uint64_t bps)
{
	bool small = bps < (1u << 20) / 10;
	uint64_t tenths = scale(bps, small ? 1u << 10 : 1u << 20, 1);

	snprintf(dst, SWT_FMT_LEN, "%" PRIu64 ".%" PRIu64 " %s/s", tenths / 10, tenths % 10,
		 small ? "KiB" : "MiB");
	return dst;
}
