/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Differences of kernel counters, see rate.h.
 */
#include "model/rate.h"

/*
 * How far across 2^32 still counts as a wrap.  2^28 pages are 1 TiB between two samples: more than any
 * device moves, and little enough that a counter that was really reset is seldom taken for a wrapped one.
 */
#define WRAP_MAX (1u << 28)

struct swt_delta swt_delta(struct swt_opt before, struct swt_opt now, int bits)
{
	uint32_t step;

	if (!before.known || !now.known)
		return (struct swt_delta){ SWT_DELTA_UNKNOWN, 0 };
	if (now.v >= before.v)
		return (struct swt_delta){ SWT_DELTA_OK, now.v - before.v };
	/* Some counters are 64 bits wide on 32-bit kernels too: those do not wrap here. */
	if (bits == 32 && before.v <= UINT32_MAX) {
		step = (uint32_t)now.v - (uint32_t)before.v;
		if (step <= WRAP_MAX)
			return (struct swt_delta){ SWT_DELTA_OK, step };
	}
	return (struct swt_delta){ SWT_DELTA_RESET, 0 };
}

struct swt_opt swt_delta_opt(struct swt_delta d)
{
	return d.kind == SWT_DELTA_OK ? swt_some(d.v) : SWT_UNKNOWN;
}
