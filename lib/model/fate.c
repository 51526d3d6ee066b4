/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The patched kernel's own account: swap_exit_begin and _end around each release that has entries, and the fate
 * of every entry.  Exact, so it replaces what the stock events say.
 */
#include "model/marks.h"
#include "model/proc-table.h"
#include "model/teardown.h"

#include <string.h>

enum ctx { CTX_EXIT, CTX_EXEC, CTX_LASTREF, CTX_OOM_REAPER, CTX_MRELEASE };

/* The names are the interface, the numbers behind them are not. */
static enum ctx ctx_of(const struct swt_model *m, const struct swt_event *ev, unsigned int field)
{
	static const char *const names[] = { "exit", "exec", "lastref", "oom_reaper", "mrelease" };
	const char *name = NULL;

	if (m->cfg.formats)
		name = swt_formats_symbol(m->cfg.formats, ev->id, field, ev->f[field]);
	for (int i = 0; i <= CTX_MRELEASE; i++)
		if (name ? !strcmp(name, names[i]) : ev->f[field] == i)
			return (enum ctx)i;
	return CTX_EXIT;
}

static struct swt_opt field(const struct swt_event *ev, unsigned int f)
{
	return swt_event_has(ev, f) ? swt_some((uint64_t)ev->f[f]) : SWT_UNKNOWN;
}

/* Whose memory it is: the tgid in the event, else of the task at work. */
static struct swt_proc *whose(struct swt_model *m, int64_t tgid, struct swt_task *t, enum ctx ctx)
{
	struct swt_task *leader = tgid > 0 ? swt_task_find(m, (int32_t)tgid) : NULL;

	if (leader)
		return leader->p;
	return ctx == CTX_EXIT || ctx == CTX_EXEC ? t->p : NULL;
}

static struct swt_mm *which(struct swt_model *m, struct swt_proc *p, uint32_t id)
{
	struct swt_mm *mm = swt_mm_find(m, id);

	if (p && p->mm && !p->mm->dead && !p->mm->has_id && (!mm || !mm->users)) {
		swt_mm_set_id(m, p->mm, id);
		return p->mm;
	}
	return mm ? mm : swt_mm_stray(m, id);
}

static void begin(struct swt_model *m, const struct swt_event *ev)
{
	struct swt_task *t = swt_task_touch(m, ev->task, ev->ts);
	enum ctx ctx = ctx_of(m, ev, SWT_F_SWAP_EXIT_BEGIN_CTX);
	struct swt_td *td = NULL;
	struct swt_proc *p;
	struct swt_mm *mm;

	if (!t || !swt_event_has(ev, SWT_F_SWAP_EXIT_BEGIN_MM_ID))
		return;
	p = whose(m, ev->f[SWT_F_SWAP_EXIT_BEGIN_TGID], t, ctx);
	if (p && (ctx == CTX_EXIT || ctx == CTX_EXEC))
		swt_proc_mm(m, p);
	mm = which(m, p, (uint32_t)ev->f[SWT_F_SWAP_EXIT_BEGIN_MM_ID]);
	if (!mm)
		return;
	if (p && (ctx == CTX_EXIT || ctx == CTX_EXEC)) {
		td = p->td;
		if (td && td->state == SWT_TD_WAITING)
			return;
		if (!td)
			td = swt_td_open(m, p, mm, t->tid, ev->ts, SWT_TD_RUNNING);
		else if (td->mm != mm)
			swt_td_adopt_mm(m, td, mm);
	} else {
		/* The one before may have been all that kept it. */
		swt_mm_get(m, mm);
		if (mm->reap)
			swt_td_done(m, mm->reap, SWT_REL_REAPED, false);
		td = swt_td_open_other(m, p ? p : mm->owner, mm, t->tid, ev->ts);
		swt_mm_put(m, mm);
		if (td && t->p)
			td->r.released_by = t->p->tgid;
	}
	if (!td)
		return;
	td->patched = true;
	td->state = SWT_TD_RUNNING;
	if (ctx == CTX_EXEC)
		td->r.kind = SWT_REL_EXEC;
	td->task = t->tid;
	swt_td_mark(td, ev);
	swt_td_start(td, SWT_BY_SWAP_EXIT_BEGIN, ev->ts);
	td->r.swap_entries = field(ev, SWT_F_SWAP_EXIT_BEGIN_SWAPENTS);
	if (td->r.swap_entries.known)
		td->r.by_entries = SWT_BY_SWAP_EXIT_BEGIN;
}

static struct swt_td *at_work(struct swt_model *m, uint32_t mm_id, int32_t tid)
{
	struct swt_mm *mm = swt_mm_find(m, mm_id);

	if (!mm)
		return NULL;
	if (mm->reap && mm->reap->task == tid)
		return mm->reap;
	return mm->td && mm->td->task == tid ? mm->td : NULL;
}

static void fates(struct swt_td *td, const struct swt_event *ev)
{
	struct swt_release *r = &td->r;
	uint64_t sum;

	r->sync = field(ev, SWT_F_SWAP_EXIT_END_SYNC);
	r->late = field(ev, SWT_F_SWAP_EXIT_END_LATE);
	r->deferred = field(ev, SWT_F_SWAP_EXIT_END_DEFERRED);
	r->fallback = field(ev, SWT_F_SWAP_EXIT_END_FALLBACK);
	if (!r->sync.known || !r->late.known || !r->deferred.known)
		return;
	if (__builtin_add_overflow(r->sync.v, r->late.v, &sum) ||
	    __builtin_add_overflow(sum, r->deferred.v, &sum))
		return;
	r->freed = swt_some(sum);
	r->by_entries = SWT_BY_SWAP_EXIT_END;
	if (r->swap_entries.known)
		r->swapped_dying = swt_some(sum > r->swap_entries.v ? sum - r->swap_entries.v : 0);
	/* In line, swap and present pages are freed together; afterwards the time is swap's alone. */
	if (!r->sync.v && !r->deferred.v && swt_event_has(ev, SWT_F_SWAP_EXIT_END_LATE_NS)) {
		r->swap_ns = swt_some((uint64_t)ev->f[SWT_F_SWAP_EXIT_END_LATE_NS]);
		r->by_swap_ns = SWT_BY_SWAP_EXIT_END;
	}
	if (r->deferred.v && td->worker_freed >= r->deferred.v) {
		r->released_at = swt_some(td->worker_ts);
		r->released_by = td->worker;
	}
}

static void await_worker(struct swt_model *m, struct swt_td *td)
{
	if (swt_list_on(&td->deferring))
		return;
	if (m->ndeferring == SWT_MAX_DEFERRING)
		swt_td_no_worker(m, swt_list_item(m->deferring.next, struct swt_td, deferring));
	swt_list_add_tail(&m->deferring, &td->deferring);
	m->ndeferring++;
}

static void end(struct swt_model *m, const struct swt_event *ev)
{
	uint32_t id = (uint32_t)ev->f[SWT_F_SWAP_EXIT_END_MM_ID];
	enum ctx ctx = ctx_of(m, ev, SWT_F_SWAP_EXIT_END_CTX);
	struct swt_td *td = at_work(m, id, ev->task);

	if (!td)
		return;
	td->patched = true;
	swt_td_mark(td, ev);
	if (swt_event_has(ev, SWT_F_SWAP_EXIT_END_DUR_NS) &&
	    (uint64_t)ev->f[SWT_F_SWAP_EXIT_END_DUR_NS] <= ev->ts)
		swt_td_start(td, SWT_BY_SWAP_EXIT_BEGIN,
			     ev->ts - (uint64_t)ev->f[SWT_F_SWAP_EXIT_END_DUR_NS]);
	fates(td, ev);
	swt_td_end(td, SWT_BY_SWAP_EXIT_END, ev->ts);
	td->mm_id = id;
	if (td->r.deferred.known && td->r.deferred.v > td->worker_freed)
		await_worker(m, td);
	if (ctx == CTX_LASTREF && td->r.kind == SWT_REL_REAPED)
		swt_td_done(m, td, SWT_REL_LASTREF, true);
	else if (td->r.kind == SWT_REL_REAPED)
		swt_td_done(m, td, SWT_REL_REAPED, false);
	else
		td->state = SWT_TD_ENDED;
}

static void defer(struct swt_model *m, const struct swt_event *ev)
{
	struct swt_td *td = at_work(m, (uint32_t)ev->f[SWT_F_SWAP_EXIT_DEFER_MM_ID], ev->task);

	if (td) {
		td->mm_id = (uint32_t)ev->f[SWT_F_SWAP_EXIT_DEFER_MM_ID];
		await_worker(m, td);
	}
}

/* Oldest first: an mm_id that was recycled belongs to the newer one only when the older is done. */
static struct swt_td *deferring(struct swt_model *m, uint32_t mm_id, int64_t tgid)
{
	struct swt_node *n, *tmp;

	swt_list_each(n, tmp, &m->deferring) {
		struct swt_td *td = swt_list_item(n, struct swt_td, deferring);

		if (td->mm_id == mm_id && (tgid <= 0 || td->r.pid == tgid))
			return td;
	}
	return NULL;
}

static void released(struct swt_model *m, const struct swt_event *ev)
{
	struct swt_td *td = deferring(m, (uint32_t)ev->f[SWT_F_SWAP_EXIT_RELEASE_MM_ID],
				      ev->f[SWT_F_SWAP_EXIT_RELEASE_TGID]);
	struct swt_task *t;

	if (!td || !swt_event_has(ev, SWT_F_SWAP_EXIT_RELEASE_ENTRIES))
		return;
	if (__builtin_add_overflow(td->worker_freed, (uint64_t)ev->f[SWT_F_SWAP_EXIT_RELEASE_ENTRIES],
				   &td->worker_freed))
		td->worker_freed = UINT64_MAX;
	t = swt_task_find(m, ev->task);
	td->worker = t ? t->p->tgid : ev->task;
	td->worker_ts = ev->ts;
	if (!td->r.deferred.known || td->worker_freed < td->r.deferred.v)
		return;
	swt_td_no_worker(m, td);
	td->r.released_at = swt_some(ev->ts);
	td->r.released_by = td->worker;
	if (td->p && td->p->told.known)
		td->r.gone_at = td->p->told;
	if (!td->r.gone_at.known && td->r.by_end != SWT_BY_NONE)
		td->r.lag = swt_opt_sub(td->r.released_at, swt_some(td->r.end_ns));
	else
		td->r.lag = swt_opt_sub(td->r.released_at, td->r.gone_at);
	swt_td_update(m, td);
}

void swt_mark_swap(struct swt_model *m, const struct swt_event *ev)
{
	switch (ev->id) {
	case SWT_EV_SWAP_EXIT_BEGIN:
		begin(m, ev);
		break;
	case SWT_EV_SWAP_EXIT_END:
		end(m, ev);
		break;
	case SWT_EV_SWAP_EXIT_DEFER:
		defer(m, ev);
		break;
	case SWT_EV_SWAP_EXIT_RELEASE:
		released(m, ev);
		break;
	default:
		break;
	}
}
