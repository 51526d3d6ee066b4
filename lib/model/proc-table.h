/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks, processes and address spaces: who is who.
 */
#ifndef SWT_MODEL_PROC_TABLE_H
#define SWT_MODEL_PROC_TABLE_H

#include "model/state.h"

/** swt_task_find - a known TID, or NULL. */
struct swt_task *swt_task_find(const struct swt_model *m, int32_t tid);
/** swt_task_touch - a TID seen in an event: found, or taken for a process of its own; NULL for 0 and without memory. */
struct swt_task *swt_task_touch(struct swt_model *m, int32_t tid, uint64_t ts);
/** swt_task_add - a thread of @p; NULL without memory. */
struct swt_task *swt_task_add(struct swt_model *m, struct swt_proc *p, int32_t tid);
/** swt_task_drop - forget a TID; its process stays. */
void swt_task_drop(struct swt_model *m, struct swt_task *t);
/** swt_task_move - a TID belongs to another process than assumed; an assumed one left without tasks is dropped. */
void swt_task_move(struct swt_model *m, struct swt_task *t, struct swt_proc *p);

/** swt_proc_new - a process with its leader; drops who had the pid before; NULL without memory. */
struct swt_proc *swt_proc_new(struct swt_model *m, int32_t tgid, uint64_t ts);
/** swt_proc_find - the process with this pid, or NULL. */
struct swt_proc *swt_proc_find(const struct swt_model *m, int32_t tgid);
/** swt_proc_drop - forget a process, its tasks and what is known of it; its teardown lives on without it. */
void swt_proc_drop(struct swt_model *m, struct swt_proc *p);
/** swt_proc_bury - the pid is used again: keep @p aside until its free event, take it out of the table. */
void swt_proc_bury(struct swt_model *m, struct swt_proc *p);
void swt_proc_comm(struct swt_proc *p, const char *s, size_t len);
void swt_proc_cgroup(struct swt_model *m, struct swt_proc *p, const char *s, size_t len);
/** swt_proc_suspect - put on the list that swt_model_tick() looks through. */
void swt_proc_suspect(struct swt_model *m, struct swt_proc *p);
void swt_want(struct swt_model *m, struct swt_proc *p);

/** swt_mm_new - an address space without an owner and with no references. */
struct swt_mm *swt_mm_new(struct swt_model *m);
/** swt_mm_find - by mm_id. */
struct swt_mm *swt_mm_find(const struct swt_model *m, uint32_t id);
/** swt_mm_stray - the address space with this id; made, without owner, when new; NULL without memory. */
struct swt_mm *swt_mm_stray(struct swt_model *m, uint32_t id);
/** swt_mm_set_id - @mm is known by @id from now on; whoever had the id before has none. */
void swt_mm_set_id(struct swt_model *m, struct swt_mm *mm, uint32_t id);
void swt_mm_get(struct swt_model *m, struct swt_mm *mm);
/** swt_mm_put - one reference less; the last one frees it (or makes it a stray when it lives on unseen). */
void swt_mm_put(struct swt_model *m, struct swt_mm *mm);
/** swt_mm_end - it is torn down: the id is free for others. Pointers to it stay valid until they are put. */
void swt_mm_end(struct swt_model *m, struct swt_mm *mm);
/** swt_proc_mm - the living address space of @p, made when nothing is known yet; NULL: kernel thread, gone. */
struct swt_mm *swt_proc_mm(struct swt_model *m, struct swt_proc *p);
/** swt_proc_set_mm - @p runs in @mm (NULL: none). */
void swt_proc_set_mm(struct swt_model *m, struct swt_proc *p, struct swt_mm *mm);

#endif
