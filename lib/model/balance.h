/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Can the count of events be right?  Checks against counters that do not come from the trace.
 *
 * Both are plausibility checks: they can show that something is missing, not that nothing is.
 */
#ifndef SWT_MODEL_BALANCE_H
#define SWT_MODEL_BALANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/opt.h"
#include "model/note.h"

/** struct swt_balance - one span between two samples; zero-initialised is "nothing begun". */
struct swt_balance {
	bool open, lost_unknown;
	struct swt_opt processes, living;
	uint64_t seen, lost;
	/* The newest sample, and what came after it. */
	bool has_next, lost_unknown_after;
	uint64_t next_ts, after, lost_after;
	struct swt_opt next_processes, next_living;
};

/**
 * swt_balance_begin - start of a span
 * @processes: forks since boot (/proc/stat), threads included
 * @living: tasks alive (the number after the slash in /proc/loadavg, or counted), threads included; may be
 * unknown
 */
void swt_balance_begin(struct swt_balance *b, struct swt_opt processes, struct swt_opt living);
/** swt_balance_seen - one birth seen (task_newtask, else sched_process_fork: not both). */
void swt_balance_seen(struct swt_balance *b);
/** swt_balance_lost - a gap; @known false: at least one event. */
void swt_balance_lost(struct swt_balance *b, uint64_t count, bool known);
/**
 * swt_balance_end - end of the span
 * @bits: width of the kernel's counter, 32 or 64
 *
 * Returns events that nobody accounts for (after those reported lost); unknown when the numbers of living
 * tasks differ or are unknown, when a counter is missing or went back, or when the loss is without a number.
 * Notes them as SWT_NOTE_LOSS: "about 40 exits unaccounted: …".
 */
struct swt_opt swt_balance_end(struct swt_balance *b, uint64_t ts, struct swt_opt processes,
			       struct swt_opt living, int bits, const struct swt_noter *note);

/**
 * swt_balance_born - one birth at @ts, for spans that follow each other; see swt_balance_sample()
 */
void swt_balance_born(struct swt_balance *b, uint64_t ts);
/**
 * swt_balance_sample - a sample of the counters at @ts; each ends a span and begins the next
 *
 * A live sample is newer than events still in the rings.  So a span is judged when the sample after it comes,
 * by the births up to its own time.  Returns what swt_balance_end() would for the span before last, and notes
 * it.  Use it with swt_balance_born() and swt_balance_lost(), not together with begin, seen and end.
 */
struct swt_opt swt_balance_sample(struct swt_balance *b, uint64_t ts, struct swt_opt processes,
				  struct swt_opt living, int bits, const struct swt_noter *note);
/** swt_balance_finish - the stream ended and all its events came: judge the last span. */
struct swt_opt swt_balance_finish(struct swt_balance *b, int bits, const struct swt_noter *note);

/* What releases gave up against what SwapFree says, over one span.  Bytes. */
struct swt_balance_swap {
	struct swt_opt free_before, free_after; /* SwapFree */
	struct swt_opt out;   /* pages that took a slot meanwhile (pswpout + swpout_zero) in bytes */
	struct swt_opt freed; /* sum over releases that have a count */
	uint64_t uncounted;   /* releases without a count */
};

/**
 * swt_balance_swap_total - slots given back by everybody: rise of SwapFree plus what was swapped out;
 * unknown or at least 0.
 */
struct swt_opt swt_balance_swap_total(const struct swt_balance_swap *b);
/**
 * swt_balance_swap_text - "at least 1.20 G of swap freed by exits (3 without a count), 1.50 G given back in
 * all".
 */
int swt_balance_swap_text(const struct swt_balance_swap *b, struct swt_buf *out);

#endif
