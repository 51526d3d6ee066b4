/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of swapoff.c, and the parts it is made of.  Private to lib/model/swapoff*.c.
 */
#ifndef SWT_MODEL_SWAPOFF_PARTS_H
#define SWT_MODEL_SWAPOFF_PARTS_H

#include "base/clock.h"
#include "model/swapoff.h"

#define SWAPOFF_PROCS	 32
#define SWAPOFF_POINTS	 12 /* about one a second: the rate is over the last 10 s */
#define SWAPOFF_STALL_NS (10 * SWT_NS_PER_SEC)
/* Attempts further apart are not the same shutdown or the same person trying. */
#define SWAPOFF_FORGET_NS (600 * SWT_NS_PER_SEC)

struct swapoff_proc {
	pid_t pid;	     /* 0: the place is free */
	uint64_t start, end; /* end 0: alive */
	bool killed, taken;  /* taken: counted for an area */
};

struct swapoff_point {
	uint64_t ts, used;
};

struct swapoff_area {
	char name[128];
	bool here, listed, active, was_short;
	unsigned int falls;		      /* samples running in which the use fell without a reason */
	uint64_t size, used, prev_ts;	      /* as of the last sample */
	uint64_t first_ts, first_used, ended; /* of all attempts; end of the last one */
	bool exact_start;
	uint64_t began;	     /* this attempt: last sample before it */
	uint64_t seen_short; /* first sample in which SwapTotal told of it */
	struct swapoff_point point[SWAPOFF_POINTS];
	unsigned int npoints;
	uint64_t moved; /* when the use last changed */
	bool stall_said;
	uint64_t next_note;
	unsigned int attempts, killed;
	pid_t owner; /* living swapoff that works on it, 0 unknown */
	uint64_t owner_end;
};

struct swt_swapoff {
	struct swt_noter note;
	struct swapoff_proc proc[SWAPOFF_PROCS];
	struct swapoff_area area[SWT_MAX_SWAPS];
	uint64_t last, freed;
};

/** swapoff_any_proc - does a swapoff live, or did one end that is not counted for an area yet? */
bool swapoff_any_proc(const struct swt_swapoff *s);
/**
 * swapoff_assign - give living and just ended swapoffs to the areas they work on; only when there is no
 * choice
 * @gone: an area that just vanished counts as worked on; may be NULL
 */
void swapoff_assign(struct swt_swapoff *s, const struct swapoff_area *gone);
/** swapoff_let_go - a living swapoff may go on to the next area ("swapoff -a"). */
void swapoff_let_go(struct swt_swapoff *s, struct swapoff_area *a);

void swapoff_add_point(struct swapoff_area *a, uint64_t ts, uint64_t used);
/** swapoff_say - a line about @a as it stands, with @more behind it. */
void swapoff_say(struct swt_swapoff *s, const struct swapoff_area *a, uint64_t ts, const char *more);
/** swapoff_progress - a line when one is due: often at first, then less often, at least once a minute. */
void swapoff_progress(struct swt_swapoff *s, struct swapoff_area *a, uint64_t ts);
/**
 * swapoff_finished - the last line: it took from first_ts to the end of the process, or at most until now.
 */
void swapoff_finished(struct swt_swapoff *s, const struct swapoff_area *a, uint64_t ts);

#endif
