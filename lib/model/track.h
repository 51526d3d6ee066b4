/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the trackers hang on the model: khugepaged, OOM victims, swapoff, memory coming back, plausibility of the
 * event count, groups that died together, processes that are stuck.  Each gets what it needs and speaks through notes and snapshots.
 */
#ifndef SWT_MODEL_TRACK_H
#define SWT_MODEL_TRACK_H

#include "model/state.h"

int swt_track_new(struct swt_model *m);
void swt_track_free(struct swt_model *m);

/** swt_track_event - any event but rss_stat, after the model has taken it in. */
int swt_track_event(struct swt_model *m, const struct swt_event *ev);
void swt_track_lost(struct swt_model *m, const struct swt_lost *lost);
/** swt_track_start - a teardown of a process began, its id is set. */
void swt_track_start(struct swt_model *m, const struct swt_td *td);
/** swt_track_release - a release is about to be reported. */
int swt_track_release(struct swt_model *m, const struct swt_td *td, enum swt_step step);
/** swt_track_gone - the parent of @p was told. */
void swt_track_gone(struct swt_model *m, const struct swt_proc *p, uint64_t ts);
/** swt_track_owner - the address space at kernel address @mm was torn down; it was that of @p (NULL: unknown). */
void swt_track_owner(struct swt_model *m, uint64_t ts, uint64_t mm, const struct swt_proc *p);
/** swt_track_name - a process got a name by exec or was found. */
void swt_track_name(struct swt_model *m, struct swt_proc *p, uint64_t ts);
/** swt_track_leader - the leader of @p exited, others live on. */
void swt_track_leader(struct swt_model *m, const struct swt_proc *p, uint64_t ts);
/** swt_track_system - a file about the system was taken in. */
void swt_track_system(struct swt_model *m, uint64_t ts, const char *path, const char *text, size_t len);
/** swt_track_file - a file about a process was taken in. */
void swt_track_file(struct swt_model *m, uint64_t ts, const char *path, const char *text, size_t len);
void swt_track_tick(struct swt_model *m, uint64_t now);
void swt_track_end(struct swt_model *m, uint64_t now);
void swt_track_snapshot(struct swt_model *m, uint64_t now, struct swt_snapshot *ret);

#endif
