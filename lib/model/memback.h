/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From "gone" to "memory back": when 90 % of a dead process's RAM and swap were available again.
 *
 * Judged by samples of SwapFree + MemAvailable, so it is as fine as these.  When several processes die at
 * once, the rise may be anybody's: a lag is given only when it comes out the same whoever's memory came back
 * first.  Otherwise, and after 60 s without the rise, it is unknown.
 */
#ifndef SWT_MODEL_MEMBACK_H
#define SWT_MODEL_MEMBACK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/opt.h"

#define SWT_MEMBACK_ID 48

struct swt_memback;

int swt_memback_new(struct swt_memback **ret);
void swt_memback_free(struct swt_memback *m);

/**
 * swt_memback_start - a teardown begins: the level before it is the base
 * @id: of the release
 * @expected: its RAM (rss) and swap in bytes; unknown or 0: no lag will be given, and none to those that die
 * with it
 */
void swt_memback_start(struct swt_memback *m, uint64_t ts, const char *id, struct swt_opt expected);
/**
 * swt_memback_gone - the process is gone; without a start before, the last sample before @ts is the base
 * @expected: used only without a start
 */
void swt_memback_gone(struct swt_memback *m, uint64_t ts, const char *id, struct swt_opt expected);
/** swt_memback_drop - forget a release that turned out to keep its memory (held by somebody else). */
void swt_memback_drop(struct swt_memback *m, const char *id);
/** swt_memback_sample - both known, else the sample is skipped. */
void swt_memback_sample(struct swt_memback *m, uint64_t ts, struct swt_opt swap_free,
			struct swt_opt mem_available);

struct swt_memback_done {
	char id[SWT_MEMBACK_ID];
	struct swt_opt lag;	   /* ns, 0 when it was back before the process was gone */
	uint64_t gone_ts, back_ts; /* back_ts 0: unknown */
};

/**
 * swt_memback_next - take one that is decided; false when there is none. Decided ones wait here, the last
 * 256.
 */
bool swt_memback_next(struct swt_memback *m, struct swt_memback_done *ret);
/** swt_memback_lag - the lag of a release that is decided and not yet taken. */
struct swt_opt swt_memback_lag(const struct swt_memback *m, const char *id);

#endif
