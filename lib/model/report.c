/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reporting releases: what is known at the end of the teardown, and what becomes known later.
 */
#include <stdio.h>
#include <string.h>

#include "model/concurrency.h"
#include "model/proc-table.h"
#include "model/teardown.h"
#include "model/track.h"

static bool reap_expected(const struct swt_model *m, const struct swt_td *td)
{
	return td->r.kind == SWT_REL_EXIT && !td->reaped && td->p && swt_have(m, SWT_EV_SCHED_FREE);
}

static bool outstanding(const struct swt_model *m, const struct swt_td *td)
{
	const struct swt_release *r = &td->r;

	return reap_expected(m, td) || (r->held && !r->released_at.known) ||
	       (r->deferred.known && r->deferred.v > td->worker_freed);
}

static void tell(struct swt_model *m, struct swt_td *td, enum swt_step step)
{
	swt_track_release(m, td, step);
	if (m->cfg.ops.release)
		m->cfg.ops.release(m->cfg.ops.arg, &td->r, step);
}

static void cause(struct swt_model *m, struct swt_release *r, const struct swt_proc *p)
{
	bool watched = swt_have(m, SWT_EV_SIGNAL_GENERATE) && swt_have(m, SWT_EV_SIGNAL_DELIVER);

	r->oom = p->oom;
	if (r->kind == SWT_REL_EXEC)
		return;
	r->cause_known = watched && r->complete;
	if (!p->sig.no || (!p->sig.confirmed && !p->oom && p->sig.no != 9))
		return;
	r->signal = p->sig.no;
	r->sender = p->sig.sender;
	if (r->by_start != SWT_BY_NONE)
		r->signal_ns = swt_opt_sub(swt_some(r->start_ns), swt_some(p->sig.ts));
}

static void identity(struct swt_model *m, struct swt_td *td)
{
	struct swt_release *r = &td->r;
	struct swt_proc *p = td->p;

	if (!p)
		return;
	r->ppid = p->ppid;
	r->born_ns = p->born;
	/* exec: the name of the old program was kept when the new one got its own. */
	if (!r->comm_len) {
		memcpy(r->comm, p->comm, sizeof(r->comm));
		r->comm_len = p->comm_len;
	}
	if (p->threads_known)
		r->threads = swt_some(p->max_alive);
	if (!td->cgroup)
		td->cgroup = swt_intern_ref(p->cgroup);
	if (!r->gone_at.known)
		r->gone_at = p->told;
	cause(m, r, p);
}

void swt_td_leave(struct swt_model *m, struct swt_td *td)
{
	if (td->state != SWT_TD_WAITING)
		identity(m, td);
	if (td->p && td->p->td == td)
		td->p->td = NULL;
	swt_list_del(&td->in_proc);
	td->p = NULL;
}

static void count(struct swt_model *m, const struct swt_release *r)
{
	struct swt_exits *x = &m->exits;

	x->count++;
	if (r->freed.known)
		x->freed_entries = swt_some(swt_opt_or(x->freed_entries, 0) + r->freed.v);
	else
		x->freed_unknown +=
			!r->swap_entries.known || r->swap_entries.v; /* none is no gap in the sum */
	if (r->teardown.known)
		swt_hist_add(&x->teardown_ns, r->teardown.v);
	if (r->ns_per_entry.known)
		swt_hist_add(&x->ns_per_entry, r->ns_per_entry.v);
}

/* Exits that left @mm behind learn who gave it back. */
static void release_held(struct swt_model *m, struct swt_mm *mm, uint64_t ts, int by)
{
	while (!swt_list_empty(&mm->held)) {
		struct swt_td *h = swt_list_item(mm->held.next, struct swt_td, held);

		swt_list_del(&h->held);
		h->r.released_at = swt_some(ts);
		h->r.lag = swt_opt_sub(h->r.released_at, h->r.gone_at);
		h->r.released_by = by;
		swt_td_update(m, h);
	}
}

static void end_mm(struct swt_model *m, struct swt_td *td)
{
	struct swt_mm *mm = td->mm;
	int by = td->r.released_by ? td->r.released_by : td->r.pid;
	uint64_t ts = td->r.end_ns;

	if (!mm)
		return;
	swt_mm_get(m, mm);
	if (!mm->dead)
		swt_mm_end(m, mm);
	if (mm->td == td)
		mm->td = NULL;
	if (mm->reap == td)
		mm->reap = NULL;
	/* The other side's view of the same memory ends with it. */
	if (mm->reap)
		swt_td_done(m, mm->reap, SWT_REL_REAPED, false);
	release_held(m, mm, ts, by);
	swt_mm_put(m, mm);
}

static void to_waiting(struct swt_model *m, struct swt_td *td)
{
	swt_list_del(&td->list);
	td->state = SWT_TD_WAITING;
	swt_list_add_tail(&m->waiting, &td->list);
	if (++m->nwaiting > SWT_MAX_WAITING) {
		struct swt_td *old = swt_list_item(m->waiting.next, struct swt_td, list);

		old->r.final = false;
		tell(m, old, SWT_STEP_UPDATE);
		swt_td_free(m, old);
	}
}

void swt_td_done(struct swt_model *m, struct swt_td *td, enum swt_release_kind kind, bool released)
{
	struct swt_release *r = &td->r;

	r->kind = kind;
	if (td->counted)
		r->concurrency = swt_conc_close(&m->conc, td->opened_seq);
	td->counted = false;
	swt_step_result(m, td, released);
	if (r->held) { /* whatever was done to it, others did */
		r->freed = swt_some(0);
		r->swap_ns = r->other_ns = r->ns_per_entry = SWT_UNKNOWN;
		r->by_swap_ns = SWT_BY_NONE;
	}
	if (r->by_start == SWT_BY_NONE && r->end_ns)
		r->start_ns = r->end_ns;
	snprintf(r->id, sizeof(r->id), "%llu-%d", (unsigned long long)r->start_ns, r->pid);
	r->tid = td->task;
	identity(m, td);
	r->cgroup = td->cgroup ? td->cgroup->s : NULL;
	if (kind == SWT_REL_EXEC &&
	    (!r->swap_entries.known ? m->sys.swap_total.known && !m->sys.swap_total.v
				    : !r->swap_entries.v && !swt_opt_or(r->freed, 0))) {
		if (released)
			end_mm(m, td);
		swt_td_free(m, td);
		return;
	}
	if (kind == SWT_REL_REAPED && !(r->freed.known ? r->freed.v : td->steps.fell)) {
		swt_td_free(m, td);
		return;
	}
	r->final = !outstanding(m, td);
	count(m, r);
	tell(m, td, SWT_STEP_DONE);
	to_waiting(m, td);
	if (kind != SWT_REL_EXIT) /* the process goes on without it */
		swt_td_leave(m, td);
	if (released)
		end_mm(m, td);
	if (r->final)
		swt_td_free(m, td);
}

void swt_td_update(struct swt_model *m, struct swt_td *td)
{
	if (td->state != SWT_TD_WAITING)
		return;
	td->r.final = !outstanding(m, td);
	if (m->sys.swap_cached.known && m->sys.ts > td->r.end_ns)
		td->r.swapcached_after = m->sys.swap_cached;
	tell(m, td, SWT_STEP_UPDATE);
	if (td->r.final)
		swt_td_free(m, td);
}

void swt_td_reaped(struct swt_model *m, struct swt_td *td, uint64_t ts)
{
	struct swt_release *r = &td->r;

	td->reaped = true;
	if (!r->gone_at.known && r->by_end != SWT_BY_NONE)
		r->gone_at = swt_some(r->end_ns);
	r->reap_ns = swt_opt_sub(swt_some(ts), r->gone_at);
	swt_td_leave(m, td);
	swt_td_update(m, td);
}

void swt_td_orphan(struct swt_model *m, struct swt_td *td)
{
	if (td->state == SWT_TD_MAYBE || (td->state == SWT_TD_ENDED && !td->exit_seen && !td->patched)) {
		swt_td_cancel(m, td);
		return;
	}
	td->reaped = true;
	swt_td_leave(m, td);
	if (td->state == SWT_TD_WAITING)
		swt_td_update(m, td);
	else
		swt_td_done(m, td, td->r.kind, td->r.by_end != SWT_BY_NONE);
}

/* It had an address space for certain: it is no kernel thread we know nothing of. */
static bool had_mm(const struct swt_td *td)
{
	const struct swt_mm *mm = td->mm;

	return mm && (mm->has_id || mm->exact || mm->sample_by != SWT_BY_NONE || (td->p && td->p->sure));
}

/* Its address space lives on, or its teardown was not seen: two different answers. */
void swt_td_over(struct swt_model *m, struct swt_td *td, uint64_t ts)
{
	struct swt_release *r = &td->r;
	bool chain = td->steps.seen && !td->steps.last && td->steps.last_ts >= r->start_ns;

	if (td->state == SWT_TD_WAITING)
		return;
	if (td->p)
		r->gone_at = td->p->told.known ? td->p->told : r->gone_at;
	if (r->by_end == SWT_BY_NONE && chain)
		swt_td_end(td, SWT_BY_RSS_STAT, td->steps.last_ts);
	if (r->by_end != SWT_BY_NONE) {
		swt_td_done(m, td, SWT_REL_EXIT, true);
		return;
	}
	r->end_ns = ts;
	if (r->complete && swt_have(m, SWT_EV_EXIT_MMAP) && had_mm(td) && !td->steps.any_ts) {
		if (td->mm->td == td)
			td->mm->td = NULL;
		if (td->mm->dead) { /* a sharer that died at the same time did it all */
			r->freed = swt_some(0);
		} else {
			r->held = true;
			swt_list_add_tail(&td->mm->held, &td->held);
		}
	}
	swt_td_done(m, td, SWT_REL_EXIT, false);
}
