/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads /proc and /sys below a sysroot and hands the texts to a sink, and decides whom to watch.
 *
 * What is read when:
 *  - every tick of 100 ms, for movement: /proc/swaps (used) and every other tick /proc/vmstat (pswpout); without
 *    /proc/swaps, /proc/meminfo (SwapFree).  From movement until a second after it, meminfo and vmstat are
 *    delivered each tick, so that one can see when memory came back;
 *  - every report: the files of swt_sys_file(), for the zram devices that are there;
 *  - a process at first sight: stat, status, cgroup; kernel threads stat alone;
 *  - with a status that says "D": wchan, what the process waits for;
 *  - after movement, within 300 ms: status (VmSwap) of processes, recently born and largest first, within a
 *    time budget per tick that carries on in the next tick; a process above the watch threshold goes on the watch list.
 *    Under a leader that ended before its threads: also /proc/PID/task/TID/status of those.
 * Never smaps, maps or numa_maps.  Never a walk of all of /proc without movement, but once, in slices, at start; and
 * one of its names only (no file is opened) when more than twice as many processes were met as the last one had.
 *
 * vmstat, meminfo and /proc/stat are delivered cut down to the lines that are read of them.  A file that has gone
 * is delivered once with no text; so is /proc/PID/status of a process that has gone.
 * Memory is bounded: 65536 living processes are followed, 4096 births remembered.
 */
#ifndef SWT_MODEL_SAMPLER_H
#define SWT_MODEL_SAMPLER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/clock.h"
#include "base/root.h"
#include "trace/event.h"

struct swt_sampler;

struct swt_sampler_cfg {
	const struct swt_root *root;
	const struct swt_clock *clock;
	struct swt_sink sink; /* only ->file is used */
	/*
	 * Put the TIDs of a process with @swap_bytes of swap on the watch list; NULL: no watching.  Called again when
	 * the number of threads or a quarter of the swap has changed.  Non-zero: not now, offered again at the next look.
	 */
	int (*watch)(void *arg, pid_t pid, const pid_t *tids, size_t n, uint64_t swap_bytes);
	void *watch_arg;
	uint64_t watch_min_bytes; /* 0: 128 KiB (32 entries) */
	uint64_t budget_ns;	  /* per tick and for processes, 0: 2 ms */
};

int swt_sampler_new(const struct swt_sampler_cfg *cfg, struct swt_sampler **ret);
void swt_sampler_free(struct swt_sampler *s);

/* These return 0, the first non-zero value of the sink, or -ENOMEM; files that cannot be read are no error. */
/** swt_sampler_tick - the 100 ms work: movement, and a slice of the scan when one is due. */
int swt_sampler_tick(struct swt_sampler *s);
/** swt_sampler_system - the files of a report. */
int swt_sampler_system(struct swt_sampler *s);
/** swt_sampler_pid - stat, status and cgroup of one process; -ENOENT when it is gone (an empty status is delivered). */
int swt_sampler_pid(struct swt_sampler *s, pid_t pid);
/** swt_sampler_born - a process was forked or executed: look at it early in the next scan. */
void swt_sampler_born(struct swt_sampler *s, pid_t pid);
/**
 * swt_sampler_limited - "" or why not every process is visible
 *
 * "limited view: own processes only (/proc is mounted with hidepid=2)"; not when the rights we have show all.
 */
const char *swt_sampler_limited(const struct swt_sampler *s);

/** swt_sampler_cost - time spent in here so far, the sink's included, ns of cfg.clock: an upper bound of the CPU time. */
uint64_t swt_sampler_cost(const struct swt_sampler *s);

#endif
