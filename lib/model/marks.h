/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each event says about processes and releases.
 *
 * Where the marks of a teardown lie depends on the kernel.  With group_dead in sched_process_exit (about 6.16):
 * sched_process_exit begins it, exit_mmap ends it.  Without: exit_mmap ends it and sched_process_exit, a little later,
 * says that it was an exit and no exec.
 */
#ifndef SWT_MODEL_MARKS_H
#define SWT_MODEL_MARKS_H

#include "model/state.h"

/* rss.c */
void swt_mark_rss(struct swt_model *m, const struct swt_event *ev);
/** swt_rss_settle - @t ended an address space it only changed before: take the signs for a release of @p's. */
struct swt_td *swt_rss_settle(struct swt_model *m, struct swt_task *t, struct swt_proc *p);

/* birth.c */
void swt_mark_newtask(struct swt_model *m, const struct swt_event *ev);
void swt_mark_fork(struct swt_model *m, const struct swt_event *ev);
void swt_mark_free(struct swt_model *m, const struct swt_event *ev);

/* exit.c */
void swt_mark_exit(struct swt_model *m, const struct swt_event *ev);
void swt_mark_exit_mmap(struct swt_model *m, const struct swt_event *ev);
void swt_mark_exec(struct swt_model *m, const struct swt_event *ev);
/** swt_proc_over - the parent was told, or cannot be any more. */
void swt_proc_over(struct swt_model *m, struct swt_proc *p, uint64_t ts);

/* signal.c */
void swt_mark_generate(struct swt_model *m, const struct swt_event *ev);
void swt_mark_deliver(struct swt_model *m, const struct swt_event *ev);

/* reap.c */
void swt_mark_oom(struct swt_model *m, const struct swt_event *ev);
/** swt_reap_step - @t changed an address space of a dying process of somebody else. */
void swt_reap_step(struct swt_model *m, struct swt_task *t, struct swt_mm *mm, const struct swt_event *ev,
		   int member, struct swt_opt entries);
/** swt_reap_lastref - exit_mmap by @t, which does not die and changed @mm last: it dropped the last reference. */
void swt_reap_lastref(struct swt_model *m, struct swt_task *t, struct swt_mm *mm, const struct swt_event *ev);

/* fate.c: the patched kernel's own account */
void swt_mark_swap(struct swt_model *m, const struct swt_event *ev);

/* sample.c */
int swt_sample_pid(struct swt_model *m, uint64_t ts, const char *path, const char *text, size_t len);

#endif
