/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trace time to wall-clock time.
 *
 * Anchors are pairs of the two clocks read at the same moment: at the start, at the end, after jumps.  A time is
 * turned by the nearest anchor before it (the first one, for times before all), so a recording shows the same
 * wall times wherever and whenever it is read.  Pure; memory is bounded: when the table is full, every second anchor
 * goes.  Zero-initialised is empty.
 */
#ifndef SWT_OUT_WALL_H
#define SWT_OUT_WALL_H

#include <stddef.h>

#include "base/clock.h"
#include "base/opt.h"

#define SWT_WALL_MAX 256

struct swt_anchor {
	uint64_t mono_ns, real_ns;
};

struct swt_wall {
	struct swt_anchor a[SWT_WALL_MAX]; /* sorted by mono_ns */
	size_t n;
};

/**
 * swt_wall_add - take in one pair, in any order
 *
 * One that agrees with the anchor before it to the microsecond adds nothing and is dropped.
 */
void swt_wall_add(struct swt_wall *w, uint64_t mono_ns, uint64_t real_ns);

/** swt_wall_now - take a pair from a clock. */
void swt_wall_now(struct swt_wall *w, const struct swt_clock *c);

/** swt_wall_parse - the text of an "@anchor" sample, "<mono_ns> <real_ns>\n"; 0 or -EBADMSG. */
int swt_wall_parse(struct swt_wall *w, const char *text, size_t len);

/** swt_out_time - ns since 1970 for a trace time; unknown without an anchor (or with a NULL @w). */
struct swt_opt swt_out_time(const struct swt_wall *w, uint64_t mono_ns);

#endif
