/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What did not die as it should: the leader gone and threads alive, a zombie with living threads, a kill that
 * waits.
 */
#ifndef SWT_MODEL_DYING_H
#define SWT_MODEL_DYING_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/opt.h"
#include "base/root.h"

/** swt_leader_text - the leader of a process exited, others live on: "leader exited, 3 threads alive". */
int swt_leader_text(struct swt_opt threads, struct swt_buf *out);

/**
 * swt_zombie_leader - is @pid a zombie with living threads?
 *
 * Reads the states of /proc/PID and its threads, from stat or else from status.  Returns 1 with "leader
 * zombie; 1 thread alive: 22950 D" appended to @out (at most 8 threads by name, then how many more), 0 when
 * it is not so, or -errno (-ENOENT: no such process).
 */
int swt_zombie_leader(const struct swt_root *root, pid_t pid, struct swt_buf *out);

struct swt_kill_state {
	char state;	   /* of /proc/PID/stat, 0 unknown */
	const char *wchan; /* /proc/PID/wchan, NULL, "" or "0": unknown or running */
	size_t wchan_len;
	bool signalled;		       /* a fatal signal was sent or is pending */
	bool begun;		       /* the teardown has begun */
	struct swt_opt entries, freed; /* at its start, given up so far */
};

/**
 * swt_kill_label - what is a killed process doing?
 *
 * "kill pending, blocked in io_schedule, exit not begun", "kill pending, exit not begun" (it may be running
 * or sleep for a moment only), "dying, 37 % of swap released", "dying, swap released so far not known".
 * Nothing is appended when it was not killed.
 */
int swt_kill_label(const struct swt_kill_state *k, struct swt_buf *out);
/** swt_kill_read - fill state, wchan (into @wchan) and signalled from /proc/PID; 0 or -errno. */
int swt_kill_read(const struct swt_root *root, pid_t pid, struct swt_buf *wchan, struct swt_kill_state *ret);

#endif
