/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What died together, and what did not die as it should.
 *
 * A mass kill is one line: processes that one sender killed, or that left one control group, within a short time.
 */
#ifndef SWT_MODEL_GROUPS_H
#define SWT_MODEL_GROUPS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/opt.h"
#include "base/root.h"
#include "model/note.h"
#include "model/release.h"

struct swt_groups;

struct swt_groups_cfg {
	struct swt_noter note;
	uint64_t page_size; /* 0: 4096 */
	uint64_t quiet_ns;  /* a group ends when nothing died for so long; 0: 1 s */
	unsigned int least; /* fewest processes worth a line; 0: 3 */
};

int swt_groups_new(const struct swt_groups_cfg *cfg, struct swt_groups **ret);
void swt_groups_free(struct swt_groups *g);

/** swt_groups_release - every release with every step, as given to the release callback; 0 or -ENOMEM. */
int swt_groups_release(struct swt_groups *g, const struct swt_release *r, enum swt_step step);
/** swt_groups_tick - end groups that went quiet (and, with entries pending, at the latest after 30 s). */
void swt_groups_tick(struct swt_groups *g, uint64_t now);
/** swt_groups_end - the stream ends: end them all. */
void swt_groups_end(struct swt_groups *g, uint64_t now);

/** swt_leader_text - the leader of a process exited, others live on: "leader exited, 3 threads alive". */
int swt_leader_text(struct swt_opt threads, struct swt_buf *out);

/**
 * swt_zombie_leader - is @pid a zombie with living threads?
 *
 * Reads /proc/PID/stat and /proc/PID/task.  Returns 1 with "leader zombie; 1 thread alive: 22950 D" appended to
 * @out (at most 8 threads by name, then how many more), 0 when it is not so, or -errno (-ENOENT: no such process).
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
 * "kill pending, blocked in io_schedule, exit not begun", "kill pending, exit not begun" (it may be running or sleep
 * for a moment only), "dying, 37 % of swap released", "dying, swap released so far not known".  Nothing is appended when it was not killed.
 */
int swt_kill_label(const struct swt_kill_state *k, struct swt_buf *out);
/** swt_kill_read - fill state, wchan (into @wchan) and signalled from /proc/PID; 0 or -errno. */
int swt_kill_read(const struct swt_root *root, pid_t pid, struct swt_buf *wchan, struct swt_kill_state *ret);

#endif
