/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Differences of kernel counters.
 *
 * A counter that is missing is unknown.  One that went backwards was reset (a device re-used, a kernel bug):
 * that is its own answer, neither 0 nor a huge number.  On 32-bit kernels a step of at most 2^28 across 2^32 is a wrap.
 */
#ifndef SWT_MODEL_RATE_H
#define SWT_MODEL_RATE_H

#include <stdbool.h>

#include "base/opt.h"

enum swt_delta_kind { SWT_DELTA_UNKNOWN, SWT_DELTA_OK, SWT_DELTA_RESET };

struct swt_delta {
	enum swt_delta_kind kind;
	uint64_t v; /* with SWT_DELTA_OK */
};

/** swt_delta - @now - @before; @bits is the width of the kernel's long (32 or 64). */
struct swt_delta swt_delta(struct swt_opt before, struct swt_opt now, int bits);

/** swt_delta_opt - the difference, unknown for resets. */
struct swt_opt swt_delta_opt(struct swt_delta d);

#endif
