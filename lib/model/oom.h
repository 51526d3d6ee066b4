/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One timeline per OOM victim: chosen, handed to the reaper, reaped, gone, memory back.
 *
 * Notes (SWT_NOTE_OOM) when a victim is chosen, when it is queued for the reaper twice, when another victim
 * was chosen before its memory came back, and its whole timeline when it is over.  The victim is the pid in
 * the event; the task the event ran in is only who asked for memory.
 */
#ifndef SWT_MODEL_OOM_H
#define SWT_MODEL_OOM_H

#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/opt.h"
#include "model/note.h"
#include "trace/event.h"

struct swt_oom;

/* What is known about a task; each may be NULL, and each may return NULL or 0 for unknown. */
struct swt_oom_who {
	void *arg;
	const char *(*comm)(void *arg, pid_t pid);
	const char *(*cgroup)(void *arg, pid_t pid);
	pid_t (*tgid)(void *arg, pid_t tid);
};

int swt_oom_new(const struct swt_noter *note, const struct swt_oom_who *who, struct swt_oom **ret);
void swt_oom_free(struct swt_oom *o);

/** swt_oom_event - take in an oom:* event (others are ignored); 0 or -ENOMEM. */
int swt_oom_event(struct swt_oom *o, const struct swt_event *ev);
/** swt_oom_gone - process @tgid exited (its parent was told); ignored when it is no victim. */
void swt_oom_gone(struct swt_oom *o, uint64_t ts, pid_t tgid);
/**
 * swt_oom_returned - the last swap entry of @tgid was freed; ends its timeline
 * @bytes: swap that came back, may be unknown
 */
void swt_oom_returned(struct swt_oom *o, uint64_t ts, pid_t tgid, struct swt_opt bytes);
/** swt_oom_tick - note victims whose memory has not come back for 10 s (once each). */
void swt_oom_tick(struct swt_oom *o, uint64_t now);

/* Times are 0 when not seen. */
struct swt_oom_victim {
	pid_t pid, tgid;	    /* tgid 0: unknown */
	pid_t triggered_by;	    /* TID of the task that ran out of memory */
	char comm[64], cgroup[256]; /* "" unknown */
	uint64_t chosen, woken, start, finish, gone, returned;
	unsigned int wakes, starts, skips;
	struct swt_opt bytes;
};

/**
 * swt_oom_find - the newest victim with this pid (or tgid), kept for a while after its end; NULL when none.
 */
const struct swt_oom_victim *swt_oom_find(const struct swt_oom *o, pid_t pid);
/** swt_oom_back - when memory first came back: the reaper finished or the release did; 0 not yet. */
uint64_t swt_oom_back(const struct swt_oom_victim *v);
/** swt_oom_timeline - "victim 10 (java): chosen 0 s, reaper woken +2.0 s, …". */
int swt_oom_timeline(const struct swt_oom_victim *v, struct swt_buf *out);

#endif
