/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Releases in progress.
 *
 *            curr=0 step            end mark                 exit or exec event
 *   (none) ----------------> MAYBE ------------> ENDED -----------------------> reported
 *      |                       |                  ^  |
 *      | group_dead, signal,   | anything that     |  | it was another address space, or shared
 *      | swap_exit_begin       | says so           |  v
 *      +------------------> RUNNING ---------------+ cancelled
 *
 * Reported ones wait (WAITING) for the parent, the worker or whoever holds the address space, or are dropped at
 * once when nothing is outstanding.
 */
#ifndef SWT_MODEL_TEARDOWN_H
#define SWT_MODEL_TEARDOWN_H

#include "model/state.h"

/**
 * swt_td_open - a release begins, by the process itself
 * @mm: NULL: it has none that we know
 */
struct swt_td *swt_td_open(struct swt_model *m, struct swt_proc *p, struct swt_mm *mm, int32_t tid,
			   uint64_t ts, enum swt_td_state state);
/** swt_td_open_other - somebody else works on @mm, charged to @p (NULL: unknown). */
struct swt_td *swt_td_open_other(struct swt_model *m, struct swt_proc *p, struct swt_mm *mm, int32_t tid,
				 uint64_t ts);
/** swt_td_mark - an event about it: task, CPU and time are remembered. */
void swt_td_mark(struct swt_td *td, const struct swt_event *ev);
/** swt_td_start - a start mark; a better one replaces a worse one. */
void swt_td_start(struct swt_td *td, enum swt_evidence by, uint64_t ts);
/** swt_td_end - an end mark; the first one counts. */
void swt_td_end(struct swt_td *td, enum swt_evidence by, uint64_t ts);
/** swt_td_cancel - it was no release. */
void swt_td_cancel(struct swt_model *m, struct swt_td *td);
/** swt_td_free - forget it, reported or not. */
void swt_td_free(struct swt_model *m, struct swt_td *td);
/** swt_td_leave - its process is about to go: take over what is known of it. */
void swt_td_leave(struct swt_model *m, struct swt_td *td);
/** swt_td_no_worker - stop matching the worker's batches with it. */
void swt_td_no_worker(struct swt_model *m, struct swt_td *td);
/** swt_td_adopt_mm - the address space of @td turns out to be @mm, which nobody owned. */
void swt_td_adopt_mm(struct swt_model *m, struct swt_td *td, struct swt_mm *mm);
/** swt_td_bases - take over what is known of the entries in @td's address space. */
void swt_td_bases(struct swt_model *m, struct swt_td *td);

/**
 * swt_td_done - report it
 * @released: the address space is gone with it
 *
 * Frees @td when nothing is outstanding.
 */
void swt_td_done(struct swt_model *m, struct swt_td *td, enum swt_release_kind kind, bool released);
/** swt_td_update - report what became known; frees @td when nothing is outstanding. */
void swt_td_update(struct swt_model *m, struct swt_td *td);
/** swt_td_reaped - the parent collected the process. */
void swt_td_reaped(struct swt_model *m, struct swt_td *td, uint64_t ts);
/** swt_td_orphan - its process leaves the table. */
void swt_td_orphan(struct swt_model *m, struct swt_td *td);
/** swt_td_over - the process is gone for its parent: report what was seen of its release. */
void swt_td_over(struct swt_model *m, struct swt_td *td, uint64_t ts);

/* steps.c */
/** swt_step_start - decide what was there at the start, given the first size (@after) that was seen after it. */
void swt_step_start(struct swt_model *m, struct swt_td *td, uint64_t after);
/** swt_step - one rss_stat of the task at work (@foreign: of another task) with the size of one member. */
void swt_step(struct swt_model *m, struct swt_td *td, uint64_t ts, int member, struct swt_opt entries,
	      bool foreign);
/** swt_step_result - entries, times and rates from what was seen. */
void swt_step_result(struct swt_model *m, struct swt_td *td, bool released);

#endif
