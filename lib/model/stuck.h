/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes that should be gone: killed ones whose exit has not begun, ones that have been dying for long,
 * zombies with living threads.
 *
 * Fed with what the trace and the samples of /proc say, so that a recording tells the same.  A line
 * (SWT_NOTE_PROCESS) after 1 s, and again after 10, 100, … seconds, with what is known then.  That a kill is
 * pending is said only when a sample taken after the kill shows the process alive.
 */
#ifndef SWT_MODEL_STUCK_H
#define SWT_MODEL_STUCK_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/opt.h"
#include "model/note.h"

struct swt_stuck;

int swt_stuck_new(const struct swt_noter *note, struct swt_stuck **ret);
void swt_stuck_free(struct swt_stuck *s);

/** swt_stuck_killed - SIGKILL was sent to process @tgid; @comm may be NULL. */
void swt_stuck_killed(struct swt_stuck *s, uint64_t ts, pid_t tgid, const char *comm);
/** swt_stuck_begun - its exit began, or it is gone: nothing is pending any more. */
void swt_stuck_begun(struct swt_stuck *s, pid_t tgid);
/**
 * swt_stuck_dying - @tgid is still being torn down since @since
 * @entries, @freed: at the start, given up so far
 *
 * Call it for each running teardown with every tick.
 */
void swt_stuck_dying(struct swt_stuck *s, uint64_t now, uint64_t since, pid_t tgid, const char *comm,
		     struct swt_opt entries, struct swt_opt freed);
/**
 * swt_stuck_file - a sample
 *
 * /proc/PID/status of any process (a zombie with threads begins a list), /proc/PID/task/TID/status (its
 * threads, right after it) and /proc/PID/wchan.  Others are ignored.
 */
void swt_stuck_file(struct swt_stuck *s, uint64_t ts, const char *path, const char *text, size_t len);
/**
 * swt_stuck_wants - killed processes a fresh status and wchan of which would help; each at most once before
 * each line.
 */
size_t swt_stuck_wants(struct swt_stuck *s, uint64_t now, pid_t *pids, size_t max);
void swt_stuck_tick(struct swt_stuck *s, uint64_t now);

#endif
