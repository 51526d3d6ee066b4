/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Somebody else's hands on a dying address space: the OOM reaper, process_mrelease, the last reference.
 *
 * What falls in a task that neither owns it nor reclaims memory is work done for the victim.  It ends with
 * finish_task_reaping, with exit_mmap by that task (it held the last reference), or with the victim's own teardown.
 */
#include "model/marks.h"
#include "model/proc-table.h"
#include "model/teardown.h"

#include <string.h>

#define SWAPENTS 2
#define K_KILL	 9

static bool victim(const struct swt_mm *mm)
{
	const struct swt_proc *p = mm->owner;

	if (!mm->users)
		return true; /* everybody who ran in it is gone */
	return p && (p->dying || p->oom || p->sig.no == K_KILL);
}

static void reap_close(struct swt_model *m, struct swt_td *td)
{
	swt_td_end(td, SWT_BY_RSS_STAT, td->last_event_ts);
	swt_td_done(m, td, SWT_REL_REAPED, false);
}

/* The dead cannot be asked: what their own record says. */
static void charge_to_held(struct swt_model *m, struct swt_td *td, const struct swt_mm *mm)
{
	const struct swt_td *h;
	struct swt_release *r = &td->r;

	if (td->p || swt_list_empty(&mm->held))
		return;
	h = swt_list_item(mm->held.next, struct swt_td, held);
	r->pid = h->r.pid;
	r->ppid = h->r.ppid;
	r->born_ns = h->r.born_ns;
	memcpy(r->comm, h->r.comm, sizeof(r->comm));
	r->comm_len = h->r.comm_len;
	r->threads = h->r.threads;
	swt_intern_put(&m->paths, td->cgroup);
	td->cgroup = swt_intern_ref(h->cgroup);
}

static struct swt_td *reaping(struct swt_model *m, struct swt_task *t, struct swt_mm *mm, uint64_t ts)
{
	struct swt_td *td = mm->reap;

	if (td && td->task == t->tid)
		return td;
	swt_mm_get(m, mm); /* the one before may have been all that kept it */
	if (td)
		reap_close(m, td);
	td = swt_td_open_other(m, mm->owner, mm, t->tid, ts);
	swt_mm_put(m, mm);
	if (!td)
		return NULL;
	td->r.released_by = t->p->tgid;
	swt_td_start(td, SWT_BY_RSS_STAT, ts);
	charge_to_held(m, td, mm);
	return td;
}

void swt_reap_step(struct swt_model *m, struct swt_task *t, struct swt_mm *mm, const struct swt_event *ev,
		   int member, struct swt_opt n)
{
	bool fall = member == SWAPENTS && n.known && mm->exact && n.v < mm->entries;
	struct swt_td *own = mm->td, *td;

	if (!victim(mm))
		return;
	if (own && member == SWAPENTS)
		swt_step(m, own, ev->ts, member, n, true);
	/* Reclaim changes dying memory too, but it only adds entries. */
	if (!fall && mm->users && !(mm->reap && mm->reap->task == t->tid))
		return;
	td = reaping(m, t, mm, ev->ts);
	if (!td)
		return;
	td->last_cpu = ev->cpu;
	td->last_event_ts = ev->ts;
	swt_step(m, td, ev->ts, member, n, false);
	t->stray = mm->id;
	t->has_stray = mm->has_id;
}

void swt_reap_lastref(struct swt_model *m, struct swt_task *t, struct swt_mm *mm, const struct swt_event *ev)
{
	struct swt_td *td = mm->reap, *own = mm->td;

	(void)t;
	td->last_event_ts = ev->ts;
	swt_td_end(td, SWT_BY_EXIT_MMAP, ev->ts);
	/* The owner is on its way out and has not been reported: it left the work to @t. */
	if (own && own->state != SWT_TD_WAITING) {
		mm->td = NULL;
		own->r.held = true;
		own->r.end_ns = ev->ts;
		swt_list_add_tail(&mm->held, &own->held);
		swt_td_done(m, own, SWT_REL_EXIT, false);
	}
	swt_td_done(m, td, SWT_REL_LASTREF, true);
}

void swt_mark_oom(struct swt_model *m, const struct swt_event *ev)
{
	/* The pid is the first field of each of them. */
	struct swt_task *t = swt_task_find(m, (int32_t)ev->f[SWT_F_OOM_MARK_VICTIM_PID]);
	struct swt_proc *p;

	if (!swt_event_has(ev, SWT_F_OOM_MARK_VICTIM_PID))
		return;
	if (ev->id == SWT_EV_OOM_MARK_VICTIM) {
		t = swt_task_touch(m, (int32_t)ev->f[SWT_F_OOM_MARK_VICTIM_PID], ev->ts);
		if (!t)
			return;
		t->p->oom = true;
		if (t->tid == t->p->tgid && !t->p->comm_len)
			swt_proc_comm(t->p, ev->str[0].s, ev->str[0].len);
		return;
	}
	if (!t || ev->id != SWT_EV_OOM_FINISH_REAPING)
		return;
	p = t->p;
	if (p->mm && p->mm->reap && p->mm->reap->task == ev->task)
		reap_close(m, p->mm->reap);
}
