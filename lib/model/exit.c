/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The end of tasks and address spaces: sched_process_exit, exit_mmap, sched_process_exec.
 */
#include "model/marks.h"
#include "model/proc-table.h"
#include "model/teardown.h"
#include "model/track.h"

#include <string.h>

static struct swt_td *open_of(const struct swt_proc *p)
{
	return p->td && p->td->state != SWT_TD_WAITING ? p->td : NULL;
}

/* The release of a process that is certainly exiting. */
static struct swt_td *exiting(struct swt_model *m, struct swt_proc *p, struct swt_task *t,
			      const struct swt_event *ev)
{
	struct swt_td *td = open_of(p);

	if (!td)
		td = swt_td_open(m, p, swt_proc_mm(m, p), t->tid, ev->ts, SWT_TD_RUNNING);
	if (!td)
		return NULL;
	if (td->state == SWT_TD_MAYBE)
		td->state = SWT_TD_RUNNING;
	td->exit_seen = true;
	td->task = t->tid;
	swt_td_mark(td, ev);
	return td;
}

static void thread_gone(struct swt_model *m, struct swt_proc *p, struct swt_task *t, uint64_t ts)
{
	if (t->tid != p->tgid || p->dying || p->leader_gone || !p->alive)
		return;
	p->leader_gone = true;
	swt_track_leader(m, p, ts);
}

/* sched_process_exit comes before the teardown. */
static void exit_begins(struct swt_model *m, struct swt_proc *p, struct swt_task *t,
			const struct swt_event *ev)
{
	struct swt_td *td;

	if (!ev->f[SWT_F_SCHED_EXIT_GROUP_DEAD]) {
		thread_gone(m, p, t, ev->ts);
		return;
	}
	p->dying = true;
	p->alive = 0;
	if (p->no_mm)
		return;
	td = exiting(m, p, t, ev);
	if (!td)
		return;
	swt_td_start(td, SWT_BY_SCHED_EXIT, ev->ts);
	swt_track_start(m, td);
}

static void start_by_signal(struct swt_task *t, struct swt_td *td)
{
	if (t->deliver_sig)
		swt_td_start(td, SWT_BY_SIGNAL_DELIVER, t->deliver_ts);
}

/* sched_process_exit comes after it. */
static void exit_ends(struct swt_model *m, struct swt_proc *p, struct swt_task *t, const struct swt_event *ev)
{
	struct swt_td *td = open_of(p);
	bool settled = false;

	if (p->no_mm)
		return;
	if (t->has_stray && (!td || td->state != SWT_TD_ENDED)) {
		settled = swt_rss_settle(m, t, p);
		td = open_of(p);
	}
	if (t->mapped || settled ||
	    (td && td->task == t->tid && (td->state == SWT_TD_ENDED || td->steps.any_ts))) {
		p->dying = true;
		td = exiting(m, p, t, ev);
		if (!td)
			return;
		start_by_signal(t, td);
		if (t->mapped)
			swt_td_end(td, SWT_BY_EXIT_MMAP, t->map_ts);
		swt_td_end(td, SWT_BY_SCHED_EXIT, ev->ts);
		swt_td_done(m, td, SWT_REL_EXIT, true);
		return;
	}
	thread_gone(m, p, t, ev->ts);
	if (p->alive || !(p->sure || p->threads_known))
		return;
	/* The last one, and no exit_mmap: somebody else holds it, or there is no such event. */
	p->dying = true;
	td = exiting(m, p, t, ev);
	if (!td)
		return;
	start_by_signal(t, td);
	if (!swt_have(m, SWT_EV_EXIT_MMAP)) {
		swt_td_end(td, SWT_BY_SCHED_EXIT, ev->ts);
		swt_td_done(m, td, SWT_REL_EXIT, true);
	}
}

void swt_mark_exit(struct swt_model *m, const struct swt_event *ev)
{
	int32_t tid =
		swt_event_has(ev, SWT_F_SCHED_EXIT_PID) ? (int32_t)ev->f[SWT_F_SCHED_EXIT_PID] : ev->task;
	struct swt_task *t = swt_task_touch(m, tid, ev->ts);
	struct swt_proc *p;
	bool begins;

	if (!t)
		return;
	p = t->p;
	/* Another thread's name is not the process's. */
	if (t->tid == p->tgid || !p->comm_len)
		swt_proc_comm(p, ev->str[0].s, ev->str[0].len);
	if (t->dead || p->over)
		return;
	t->dead = true;
	if (p->alive)
		p->alive--;
	begins = swt_event_has(ev, SWT_F_SCHED_EXIT_GROUP_DEAD) || (m->cfg.info && m->cfg.info->group_dead);
	if (begins)
		exit_begins(m, p, t, ev);
	else
		exit_ends(m, p, t, ev);
	t->mapped = false;
}

/* A gap in the events of the CPU it ran on: is this still the end of what began before? */
static bool chained(const struct swt_td *td)
{
	return !td->touched || td->steps.has_prev;
}

void swt_mark_exit_mmap(struct swt_model *m, const struct swt_event *ev)
{
	struct swt_task *t = swt_task_touch(m, ev->task, ev->ts);
	struct swt_mm *stray;
	struct swt_proc *p;
	struct swt_td *td;

	if (!t)
		return;
	p = t->p;
	td = open_of(p);
	stray = t->has_stray ? swt_mm_find(m, t->stray) : NULL;
	if (p->dying && td) {
		swt_td_mark(td, ev);
		swt_track_owner(m, ev->ts, (uint64_t)ev->f[SWT_F_EXIT_MMAP_MM], p);
		if (chained(td))
			swt_td_end(td, SWT_BY_EXIT_MMAP, ev->ts);
		else
			td->r.end_ns = ev->ts;
		swt_td_done(m, td, SWT_REL_EXIT, true);
		return;
	}
	/* What it worked on last is what it ended. */
	if (stray && stray->reap && stray->reap->task == t->tid &&
	    (!td || td->last_event_ts < stray->reap->last_event_ts)) {
		t->has_stray = false;
		swt_reap_lastref(m, t, stray, ev);
		return;
	}
	/* An exit (old order), an exec, or the remains of an exec that failed: the next event of this task tells. */
	t->mapped = true;
	t->map_ts = ev->ts;
	t->map_id = swt_event_has(ev, SWT_F_EXIT_MMAP_MM) ? (uint64_t)ev->f[SWT_F_EXIT_MMAP_MM] : 0;
	if (td && td->task == t->tid) {
		swt_td_mark(td, ev);
		td->state = SWT_TD_ENDED;
		swt_td_end(td, SWT_BY_EXIT_MMAP, ev->ts);
	}
}

static void exec_release(struct swt_model *m, struct swt_proc *p, struct swt_task *t,
			 const struct swt_event *ev)
{
	struct swt_td *td;

	if (t->has_stray && t->mapped)
		swt_rss_settle(m, t, p);
	td = open_of(p);
	/* It left a shared address space to the others, or there was none: nothing was released. */
	if (!p->new_mm && (!p->mm || p->mm->dead || p->mm->users > 1)) {
		if (td)
			swt_td_cancel(m, td);
		return;
	}
	if (!td && (p->new_mm || (!t->mapped && swt_have(m, SWT_EV_EXIT_MMAP))))
		return;
	if (!td)
		td = swt_td_open(m, p, p->mm, t->tid, ev->ts, SWT_TD_ENDED);
	if (!td)
		return;
	swt_td_mark(td, ev);
	if (t->mapped)
		swt_td_end(td, SWT_BY_EXIT_MMAP, t->map_ts);
	if (!swt_have(m, SWT_EV_EXIT_MMAP))
		swt_td_end(td, SWT_BY_SCHED_EXEC, ev->ts);
	swt_td_done(m, td, SWT_REL_EXEC, true);
}

/* All other threads are dead by now; a thread that executes takes over the pid of the process. */
static void single(struct swt_model *m, struct swt_proc *p)
{
	struct swt_node *n, *tmp;

	swt_list_each(n, tmp, &p->tasks) {
		struct swt_task *t = swt_list_item(n, struct swt_task, in_proc);

		if (t->tid != p->tgid)
			swt_task_drop(m, t);
		else
			t->dead = t->mapped = t->has_stray = t->newborn = false;
	}
	p->alive = p->max_alive = 1;
	p->threads_known = true;
	p->leader_gone = false;
	if (p->sig.no != 9)
		memset(&p->sig, 0, sizeof(p->sig));
}

static void new_name(struct swt_proc *p, const struct swt_str *path)
{
	uint32_t i = path->len, len;

	while (i && path->s[i - 1] != '/')
		i--;
	len = path->len - i;
	swt_proc_comm(p, path->s + i, len > 15 ? 15 : len);
}

void swt_mark_exec(struct swt_model *m, const struct swt_event *ev)
{
	int32_t pid =
		swt_event_has(ev, SWT_F_SCHED_EXEC_PID) ? (int32_t)ev->f[SWT_F_SCHED_EXEC_PID] : ev->task;
	int32_t old =
		swt_event_has(ev, SWT_F_SCHED_EXEC_OLD_PID) ? (int32_t)ev->f[SWT_F_SCHED_EXEC_OLD_PID] : pid;
	struct swt_task *ot = swt_task_find(m, old), *t;
	struct swt_proc *p;

	if (ot && old != pid && ot->p->tgid == old) /* a thread taken for a process of its own */
		swt_proc_drop(m, ot->p);
	t = swt_task_touch(m, pid, ev->ts);
	if (!t || t->p->tgid != pid)
		return;
	p = t->p;
	if (p->dying || p->over) { /* its death was a mistake, or the pid was used again unseen */
		p = swt_proc_new(m, pid, ev->ts);
		t = swt_task_find(m, pid);
		if (!p || !t)
			return;
	}
	if (!p->no_mm)
		exec_release(m, p, t, ev);
	if (!p->new_mm)
		swt_proc_set_mm(m, p, NULL);
	p->new_mm = p->no_mm = false;
	if (swt_proc_mm(m, p) && !p->mm->exact && p->mm->sample_by == SWT_BY_NONE) {
		p->mm->exact = true; /* a new program has nothing in swap */
		p->mm->entries = 0;
		p->mm->entries_ts = ev->ts;
		p->mm->epoch = m->epoch;
	}
	single(m, p);
	p->sure = true;
	new_name(p, &ev->str[0]);
	p->wanted = false;
	swt_want(m, p);
	swt_track_name(m, p, ev->ts);
}

void swt_proc_over(struct swt_model *m, struct swt_proc *p, uint64_t ts)
{
	struct swt_td *td = open_of(p);

	p->dying = p->over = true;
	if (!p->told.known)
		swt_track_gone(m, p, ts);
	if (!td && !p->td && !p->no_mm) {
		/* Old order, threads unknown: this is the first word of its death. */
		td = swt_td_open(m, p, p->mm, p->tgid, ts, SWT_TD_RUNNING);
		if (td)
			td->exit_seen = true;
	}
	if (td)
		swt_td_over(m, td, ts);
}
