/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Running swapoffs: progress, rate, time left, stalls and attempts.
 *
 * How one is recognised, best first:
 *  - while an area is switched off, the kernel counts of its size only what is still used: SwapTotal of
 *    /proc/meminfo is smaller than the sizes in /proc/swaps together;
 *  - a process named swapoff lives, and the use of an area falls;
 *  - SwapTotal is not known, and the use of an area falls in two samples running with no release that
 *    explains it.
 * SwapTotal equal to the sum of the sizes rules a swapoff out.
 */
#ifndef SWT_MODEL_SWAPOFF_H
#define SWT_MODEL_SWAPOFF_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/opt.h"
#include "model/note.h"
#include "model/sys.h"

struct swt_swapoff;

int swt_swapoff_new(const struct swt_noter *note, struct swt_swapoff **ret);
void swt_swapoff_free(struct swt_swapoff *s);

/** swt_swapoff_proc_start - a process got the name "swapoff" (exec, or found in /proc). */
void swt_swapoff_proc_start(struct swt_swapoff *s, uint64_t ts, pid_t pid);
/** swt_swapoff_proc_end - it exited; @killed: by a signal. Unknown pids are ignored. */
void swt_swapoff_proc_end(struct swt_swapoff *s, uint64_t ts, pid_t pid, bool killed);
/** swt_swapoff_freed - a release gave up @bytes of swap since the last areas sample. */
void swt_swapoff_freed(struct swt_swapoff *s, uint64_t bytes);
/**
 * swt_swapoff_areas - a new sample of /proc/swaps (and meminfo); call after every report sample, and on each
 * text of /proc/swaps.
 */
void swt_swapoff_areas(struct swt_swapoff *s, uint64_t ts, const struct swt_sys *sys);

struct swt_swapoff_state {
	char name[128];
	uint64_t left, done;	     /* bytes; done: since the first attempt was seen */
	struct swt_opt rate, eta_ns; /* bytes a second over the last 10 s; unknown while stalled */
	bool running, stalled;
	unsigned int attempts, killed; /* attempts 0: the process was not seen */
};

/** swt_swapoff_get - areas being switched off, now or between attempts; how many were filled in. */
unsigned int swt_swapoff_get(const struct swt_swapoff *s, struct swt_swapoff_state *ret, unsigned int max);
/**
 * swt_swapoff_line - "swapoff /dev/zram0: 1.2 G left, 1.0 MiB/s, ETA about 3 h 59 min, 3 attempts, 2
 * killed".
 */
int swt_swapoff_line(const struct swt_swapoff_state *st, struct swt_buf *out);

#endif
