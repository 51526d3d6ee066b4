/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rss_stat asleep, woken by a trigger when a watched task dies (the ARM way of watch.h).  Private to lib/trace.
 */
#ifndef SWT_TRACE_ARM_H
#define SWT_TRACE_ARM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "trace/event.h"
#include "trace/instance.h"

#define SWT_ARM_DYING 64u

struct swt_arm_range {
	pid_t from, to;
};

struct swt_arm {
	const struct swt_instance *in;
	bool armed;	/* the trigger on sched_process_exit is there */
	bool awake;	/* as far as we know */
	bool exec, oom; /* triggers on sched_prepare_exec and start_task_reaping */
	struct swt_arm_range *range;
	size_t nrange;
	struct {
		pid_t tid;
		uint64_t since;
	} dying[SWT_ARM_DYING];
	unsigned int ndying;
	uint64_t active;   /* time of the last sign of work */
	uint64_t slept_at; /* we put it to sleep before; UINT64_MAX: since the last tick */
};

/** swt_arm_possible - are there triggers?  Whether they take the condition, only the first swt_arm_set() tells. */
bool swt_arm_possible(const struct swt_instance *in);

/** swt_arm_set - watch these (sorted) TIDs instead of the present ones; 0 TIDs: take everything back. */
int swt_arm_set(struct swt_arm *a, const pid_t *sorted, size_t n, uint64_t now);
void swt_arm_free(struct swt_arm *a);

/** swt_arm_covers - is the TID inside the armed ranges? */
bool swt_arm_covers(const struct swt_arm *a, pid_t tid);

/** swt_arm_see - follow who dies; true when an exit began just before we put rss_stat to sleep. */
bool swt_arm_see(struct swt_arm *a, const struct swt_event *ev);

/** swt_arm_tick - put rss_stat to sleep when nothing watched is dying; @now as just read. */
int swt_arm_tick(struct swt_arm *a, uint64_t now);

#endif
