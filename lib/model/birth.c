/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Births (task_newtask, sched_process_fork) and the last trace of a task (sched_process_free).
 *
 * task_newtask comes first and has the clone flags; sched_process_fork follows and is all there is on some
 * kernels.  It cannot tell a thread from a process, so its child is a process until a sample of /proc says otherwise.
 */
#include "model/marks.h"
#include "model/proc-table.h"
#include "model/teardown.h"
#include "model/track.h"

#define SWT_CLONE_VM	 0x100
#define SWT_CLONE_PARENT 0x8000
#define SWT_CLONE_THREAD 0x10000

/* What a copy of the address space holds is what the original holds. */
static void inherit_entries(struct swt_model *m, struct swt_mm *from, struct swt_mm *to, uint64_t ts)
{
	if (from->exact && from->epoch == m->epoch) {
		to->sample = from->entries;
	} else if (from->sample_by != SWT_BY_NONE) {
		to->sample = from->sample;
	} else {
		return;
	}
	to->sample_by = SWT_BY_INHERITED;
	to->sample_ts = ts;
}

static void inherit(struct swt_model *m, struct swt_proc *parent, struct swt_proc *p, int64_t flags,
		    uint64_t ts)
{
	struct swt_mm *pm;

	p->ppid = flags & SWT_CLONE_PARENT ? parent->ppid : parent->tgid;
	if (parent->comm_len)
		swt_proc_comm(p, parent->comm, parent->comm_len);
	p->cgroup = swt_intern_ref(parent->cgroup);
	p->no_mm |= parent->no_mm;
	if (p->no_mm)
		return;
	pm = swt_proc_mm(m, parent);
	if (!pm)
		return;
	if (flags & SWT_CLONE_VM) {
		swt_proc_set_mm(m, p, pm);
	} else if (swt_proc_mm(m, p)) {
		inherit_entries(m, pm, p->mm, ts);
	}
}

/* A birth: whoever has the number now is dead, however late its own events come. */
static struct swt_proc *new_process(struct swt_model *m, int32_t pid, uint64_t ts)
{
	struct swt_task *old = swt_task_find(m, pid);
	struct swt_proc *p;

	if (old && old->p->tgid == pid && !old->p->over && old->p->td)
		swt_proc_over(m, old->p, ts);
	p = swt_proc_new(m, pid, ts);
	if (!p)
		return NULL;
	p->sure = true;
	p->threads_known = true;
	p->born = swt_some(ts);
	return p;
}

static void told(struct swt_model *m, int32_t tgid, int32_t tid, bool thread, bool born)
{
	if (m->cfg.ops.task)
		m->cfg.ops.task(m->cfg.ops.arg, tgid, tid, thread, born);
}

void swt_mark_newtask(struct swt_model *m, const struct swt_event *ev)
{
	int32_t pid = (int32_t)ev->f[SWT_F_TASK_NEWTASK_PID];
	int64_t flags = ev->f[SWT_F_TASK_NEWTASK_CLONE_FLAGS];
	struct swt_task *pt = swt_task_touch(m, ev->task, ev->ts), *t;
	struct swt_proc *p;

	if (!swt_event_has(ev, SWT_F_TASK_NEWTASK_PID) || pid <= 0 || pid == ev->task)
		return;
	if (pt && flags & SWT_CLONE_THREAD && pid != pt->p->tgid) {
		t = swt_task_find(m, pid);
		if (t && t->p->tgid == pid)
			swt_proc_bury(m, t->p);
		else if (t)
			swt_task_drop(m, t);
		t = swt_task_add(m, pt->p, pid);
		if (t)
			t->newborn = true;
		told(m, pt->p->tgid, pid, true, true);
		return;
	}
	p = new_process(m, pid, ev->ts);
	/* Making room for the child may have cost the parent its place. */
	pt = swt_task_find(m, ev->task);
	if (!p)
		return;
	if (pt)
		inherit(m, pt->p, p, flags, ev->ts);
	if (!p->comm_len)
		swt_proc_comm(p, ev->str[0].s, ev->str[0].len);
	t = swt_task_find(m, pid);
	if (t)
		t->newborn = true;
	told(m, pid, pid, false, true);
}

void swt_mark_fork(struct swt_model *m, const struct swt_event *ev)
{
	int32_t child = (int32_t)ev->f[SWT_F_SCHED_FORK_CHILD_PID];
	int32_t parent = ev->task;
	struct swt_task *t, *pt;
	struct swt_proc *p;

	if (!swt_event_has(ev, SWT_F_SCHED_FORK_CHILD_PID) || child <= 0)
		return;
	if (swt_event_has(ev, SWT_F_SCHED_FORK_PARENT_PID))
		parent = (int32_t)ev->f[SWT_F_SCHED_FORK_PARENT_PID];
	if (parent == child)
		return;
	pt = swt_task_touch(m, parent, ev->ts);
	if (pt && pt->tid == pt->p->tgid && !pt->p->comm_len)
		swt_proc_comm(pt->p, ev->str[0].s, ev->str[0].len);
	t = swt_task_find(m, child);
	if (t && t->newborn) { /* task_newtask said it all */
		t->newborn = false;
		return;
	}
	p = new_process(m, child, ev->ts);
	pt = swt_task_find(m, parent);
	if (!p)
		return;
	p->sure = p->threads_known = false;
	if (pt)
		inherit(m, pt->p, p, 0, ev->ts);
	if (!p->comm_len)
		swt_proc_comm(p, ev->str[1].s, ev->str[1].len);
	swt_want(m, p);
	told(m, child, child, false, true);
}

void swt_mark_free(struct swt_model *m, const struct swt_event *ev)
{
	int32_t tid = (int32_t)ev->f[SWT_F_SCHED_FREE_PID];
	struct swt_proc *p;
	struct swt_task *t;

	if (!swt_event_has(ev, SWT_F_SCHED_FREE_PID) || tid <= 0)
		return;
	p = swt_idmap_get(&m->limbo, (uint32_t)tid);
	t = swt_task_find(m, tid);
	if (p) {
		/* The pid lives again: this is the late end of the one before. */
		swt_idmap_del(&m->limbo, (uint32_t)tid);
	} else if (!t) {
		return;
	} else if (tid != t->p->tgid) {
		told(m, t->p->tgid, tid, true, false);
		swt_task_drop(m, t);
		return;
	} else {
		p = t->p;
		/*
		 * Nobody saw it exit.  Without exit events, or after a loss, that is its end.  Otherwise the pid
		 * was used again unseen, and this belongs to an older process.
		 */
		if (!t->dead && !p->dying && swt_have(m, SWT_EV_SCHED_EXIT) && !m->any_loss)
			return;
	}
	told(m, p->tgid, tid, false, false);
	/* Of a task nobody knows (old order) only its own exit was seen: it may have been a thread. */
	if (!p->over && (p->td || p->dying || (t && t->dead && p->sure)))
		swt_proc_over(m, p, ev->ts);
	if (p->td && p->td->state == SWT_TD_WAITING)
		swt_td_reaped(m, p->td, ev->ts);
	swt_proc_drop(m, p);
}
