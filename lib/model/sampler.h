/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads /proc and /sys below a sysroot and hands the texts to a sink, and decides whom to watch.
 *
 * What is read when:
 *  - every tick of 100 ms: /proc/vmstat (pswpout) and /proc/meminfo (SwapFree), for movement;
 *  - every report: the files of swt_sys_file();
 *  - a process at first sight: stat, status, cgroup;
 *  - after movement, within 300 ms: status (VmSwap) of processes, recently forked and largest first, within a
 *    time budget per tick that carries on in the next tick; a process above the watch threshold goes on the watch list.
 * Never smaps, maps or numa_maps.  Never a walk of all of /proc without movement (but once, in slices, at start).
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
	struct swt_sink sink;              /* only ->file is used */
	/* Put the TIDs of a process with @entries_bytes of swap on the watch list; NULL: no watching. */
	int (*watch)(void *arg, pid_t pid, const pid_t *tids, size_t n, uint64_t swap_bytes);
	void *watch_arg;
	uint64_t watch_min_bytes;          /* 0: 128 KiB (32 entries) */
	uint64_t budget_ns;                /* per tick, 0: 2 ms */
};

int swt_sampler_new(const struct swt_sampler_cfg *cfg, struct swt_sampler **ret);
void swt_sampler_free(struct swt_sampler *s);

/** swt_sampler_tick - the 100 ms work: movement, and a slice of the scan when one is due. */
int swt_sampler_tick(struct swt_sampler *s);
/** swt_sampler_system - the files of a report. */
int swt_sampler_system(struct swt_sampler *s);
/** swt_sampler_pid - stat, status and cgroup of one process; -ENOENT when it is gone (an empty status is delivered). */
int swt_sampler_pid(struct swt_sampler *s, pid_t pid);
/** swt_sampler_born - a process was forked or executed: look at it early in the next scan. */
void swt_sampler_born(struct swt_sampler *s, pid_t pid);
/** swt_sampler_limited - "" or why not every process is visible ("hidepid=2: own processes only"). */
const char *swt_sampler_limited(const struct swt_sampler *s);

/** swt_sampler_cost - CPU time spent reading so far, ns. */
uint64_t swt_sampler_cost(const struct swt_sampler *s);

#endif
