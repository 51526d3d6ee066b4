/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kmem:rss_stat: the size of one counter of one address space.
 *
 * curr=1: the running task changed its own address space, which tells whose mm_id it is.  curr=0: everything
 * else.  A dying or executing task has left its address space before it tears it down, so its own teardown is curr=0 as
 * well; so are forks (the child's page tables), reclaim, khugepaged, reapers and readers of /proc.
 */
#include "model/marks.h"
#include "model/proc-table.h"
#include "model/teardown.h"

#define SWAPENTS 2

/* 128 TiB: no address space holds more; a 32-bit size above 2 GiB comes out negative. */
#define SIZE_LIMIT (1ll << 47)

static struct swt_opt entries_of(const struct swt_model *m, int64_t size)
{
	if (size < 0 || size > SIZE_LIMIT)
		return SWT_UNKNOWN;
	return swt_some((uint64_t)size / m->cfg.page_size);
}

static void set_exact(struct swt_model *m, struct swt_mm *mm, uint64_t ts, struct swt_opt n)
{
	mm->exact = n.known;
	mm->entries = n.v;
	mm->entries_ts = ts;
	mm->epoch = m->epoch;
}

/* The process shows up in another address space than before: it has executed, the event is still to come. */
static void leave_mm(struct swt_model *m, struct swt_task *t, struct swt_proc *p, const struct swt_event *ev)
{
	struct swt_td *td = p->td;

	if (!td && p->mm && !p->mm->dead && p->mm->users == 1) {
		td = swt_td_open(m, p, p->mm, t->tid, ev->ts, SWT_TD_MAYBE);
		if (td && t->mapped) {
			td->state = SWT_TD_ENDED;
			swt_td_end(td, SWT_BY_EXIT_MMAP, t->map_ts);
		}
	}
	if (td)
		swt_td_mark(td, ev);
	t->mapped = false;
	p->new_mm = true;
}

/* curr=1: @t's process owns @id. */
static struct swt_mm *bind(struct swt_model *m, struct swt_task *t, struct swt_mm *mm, uint32_t id,
			   const struct swt_event *ev)
{
	struct swt_proc *p = t->p;
	struct swt_mm *own = p->mm;

	if (mm && mm == own)
		goto bound;
	/* A kernel thread that borrows an address space does not own it. */
	if (p->no_mm || p->over || p->dying)
		return mm;
	if (own && !own->dead && !own->has_id && !t->mapped) {
		if (!mm) {
			swt_mm_set_id(m, own, id);
			mm = own;
			goto bound;
		}
		/* Seen before anybody knew whose it is: keep what it is known to hold. */
		if (!mm->users && mm->sample_by == SWT_BY_NONE) {
			mm->sample_by = own->sample_by;
			mm->sample = own->sample;
			mm->sample_ts = own->sample_ts;
		}
	} else if (own && !own->dead && !own->has_id) {
		/* An exit_mmap came, and what it meant is not known yet: could be either address space. */
		if (ev->ts - t->map_ts < 100 * 1000 * 1000ull)
			return mm;
		t->mapped = false;
		return bind(m, t, mm, id, ev);
	} else if (own && !own->dead) {
		leave_mm(m, t, p, ev);
	}
	if (!mm)
		mm = swt_mm_stray(m, id);
	if (!mm)
		return NULL;
	swt_proc_set_mm(m, p, mm);
bound:
	mm->bound_tid = t->tid;
	if (!mm->owner)
		mm->owner = p;
	return mm;
}

/* The task runs in the very address space whose teardown we thought to see. */
static void still_alive(struct swt_model *m, struct swt_task *t, struct swt_mm *mm)
{
	struct swt_td *td = mm->td;

	t->mapped = false;
	if (td && td->p == t->p && !td->exit_seen && !td->patched && td->state != SWT_TD_RUNNING)
		swt_td_cancel(m, td);
}

static void own_step(struct swt_model *m, struct swt_task *t, struct swt_mm *mm, const struct swt_event *ev,
		     int member, struct swt_opt n)
{
	struct swt_proc *p = t->p;
	struct swt_td *td = p->td;

	if (td && td->state == SWT_TD_WAITING)
		return;
	if (!td) {
		td = swt_td_open(m, p, mm, t->tid, ev->ts, SWT_TD_MAYBE);
		if (!td)
			return;
		if (t->deliver_sig) {
			td->state = SWT_TD_RUNNING;
			swt_td_start(td, SWT_BY_SIGNAL_DELIVER, t->deliver_ts);
		}
	}
	if (td->mm != mm)
		swt_td_adopt_mm(m, td, mm);
	else if (mm->td != td)
		mm->td = td;
	swt_td_start(td, SWT_BY_RSS_STAT, ev->ts);
	td->task = t->tid;
	swt_td_mark(td, ev);
	swt_step(m, td, ev->ts, member, n, false);
	/* Whoever reaps beside it must not be credited with this. */
	if (mm->reap && member == SWAPENTS)
		swt_step(m, mm->reap, ev->ts, member, n, true);
}

/* Remember what a task does to an address space it does not own: exit_mmap or a birth will say what it was. */
static void stray_step(struct swt_mm *mm, struct swt_task *t, const struct swt_event *ev, int member,
		       struct swt_opt n)
{
	if (mm->stray_tid != t->tid) {
		mm->stray_tid = t->tid;
		mm->stray_ts = ev->ts;
		mm->stray_first = SWT_UNKNOWN;
		mm->stray_start = SWT_UNKNOWN;
		mm->stray_fell = SWT_UNKNOWN;
	}
	if (member == SWAPENTS && n.known && !mm->exact && !mm->stray_first.known)
		mm->stray_first = n;
	if (member == SWAPENTS && n.known && mm->exact && n.v < mm->entries) {
		if (!mm->stray_fell.known && !mm->stray_first.known)
			mm->stray_start = swt_some(mm->entries);
		mm->stray_fell = swt_some(swt_opt_or(mm->stray_fell, 0) + (mm->entries - n.v));
	} else if (member == SWAPENTS && n.known && mm->exact && n.v > mm->entries) {
		mm->stray_fell = SWT_UNKNOWN; /* filling, as in a fork */
	}
	t->stray = mm->id;
	t->has_stray = true;
}

/*
 * The address space @mm, which nobody owns, turns out to be that of @p.  When @p has one that never showed its id, both
 * are the same: that one stays, since others may share it or wait for its end, and learns what is known of @mm.
 */
static struct swt_mm *claim(struct swt_model *m, struct swt_proc *p, struct swt_mm *mm)
{
	struct swt_mm *own = p->mm;

	if (!own || own->dead) {
		swt_proc_set_mm(m, p, mm);
		return mm;
	}
	own->exact = mm->exact;
	own->entries = mm->entries;
	own->entries_ts = mm->entries_ts;
	own->epoch = mm->epoch;
	own->stray_tid = mm->stray_tid;
	own->stray_ts = mm->stray_ts;
	own->stray_first = mm->stray_first;
	own->stray_start = mm->stray_start;
	own->stray_fell = mm->stray_fell;
	swt_mm_set_id(m, own, mm->id); /* frees @mm */
	return own;
}

struct swt_td *swt_rss_settle(struct swt_model *m, struct swt_task *t, struct swt_proc *p)
{
	struct swt_mm *mm = t->has_stray ? swt_mm_find(m, t->stray) : NULL;
	struct swt_mm *own = p->mm;
	struct swt_td *td;

	t->has_stray = false;
	if (!mm || mm->users || mm->td || mm->stray_tid != t->tid || (own && (own->has_id || own->users > 1)))
		return NULL;
	mm = claim(m, p, mm);
	td = p->td;
	if (td && td->state != SWT_TD_WAITING)
		swt_td_adopt_mm(m, td, mm);
	else
		td = swt_td_open(m, p, mm, t->tid, mm->stray_ts, SWT_TD_MAYBE);
	if (!td)
		return NULL;
	swt_td_start(td, t->deliver_sig ? SWT_BY_SIGNAL_DELIVER : SWT_BY_RSS_STAT,
		     t->deliver_sig ? t->deliver_ts : mm->stray_ts);
	/* The steps themselves are gone; their ends are known. */
	td->e0_fresh = false;
	if (mm->stray_start.known) {
		td->r.swap_entries = mm->stray_start;
		td->r.by_entries = SWT_BY_RSS_STAT;
	} else if (mm->stray_first.known) {
		swt_step_start(m, td, mm->stray_first.v);
	}
	if (mm->exact) {
		td->steps.seen = true;
		td->steps.last = mm->entries;
		td->steps.last_ts = mm->entries_ts;
	}
	return td;
}

/* A dying task works on an address space nobody owns, and its process's own was never seen: it is that one. */
static bool adoptable(const struct swt_task *t, const struct swt_mm *mm)
{
	const struct swt_proc *p = t->p;

	return !mm->users && !p->no_mm && (p->dying || t->deliver_sig) && (!p->mm || !p->mm->has_id) &&
	       (!p->td || p->td->state != SWT_TD_WAITING);
}

/* Returns the address space that has the id now. */
static struct swt_mm *not_current(struct swt_model *m, struct swt_task *t, struct swt_mm *mm,
				  const struct swt_event *ev, int member, struct swt_opt n)
{
	struct swt_proc *p = t->p;

	if (adoptable(t, mm))
		mm = claim(m, p, mm);
	if (p->mm == mm || (mm->td && mm->td->p == p))
		own_step(m, t, mm, ev, member, n);
	else if (!mm->users && !mm->td && swt_list_empty(&mm->held))
		stray_step(mm, t, ev, member, n);
	else
		swt_reap_step(m, t, mm, ev, member, n);
	return mm;
}

void swt_mark_rss(struct swt_model *m, const struct swt_event *ev)
{
	const uint32_t need =
		1u << SWT_F_RSS_STAT_MM_ID | 1u << SWT_F_RSS_STAT_MEMBER | 1u << SWT_F_RSS_STAT_SIZE;
	uint32_t id = (uint32_t)ev->f[SWT_F_RSS_STAT_MM_ID];
	bool curr = ev->f[SWT_F_RSS_STAT_CURR];
	int member = (int)ev->f[SWT_F_RSS_STAT_MEMBER];
	struct swt_mm *mm = m->last_mm;
	struct swt_task *t;
	struct swt_opt n;

	if ((ev->have & need) != need)
		return;
	if (!mm || mm->id != id) {
		mm = swt_mm_find(m, id);
		m->last_mm = mm;
	}
	if (curr && mm && mm->bound_tid == ev->task && !mm->td) {
		if (member == SWAPENTS)
			set_exact(m, mm, ev->ts, entries_of(m, ev->f[SWT_F_RSS_STAT_SIZE]));
		return;
	}
	t = swt_task_touch(m, ev->task, ev->ts);
	if (!t)
		return;
	n = entries_of(m, ev->f[SWT_F_RSS_STAT_SIZE]);
	if (curr) {
		mm = bind(m, t, mm, id, ev);
		if (mm && mm == t->p->mm)
			still_alive(m, t, mm);
	} else {
		if (!mm)
			mm = swt_mm_stray(m, id);
		if (mm)
			mm = not_current(m, t, mm, ev, member, n);
	}
	/* The steps above may have ended the address space. */
	if (mm && member == SWAPENTS && swt_mm_find(m, id) == mm)
		set_exact(m, mm, ev->ts, n);
}
