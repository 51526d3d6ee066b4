/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Releases in progress: opening, marks, and giving up on what was none.
 */
#include "model/teardown.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/concurrency.h"
#include "model/proc-table.h"
#include "model/track.h"

static void set_mm(struct swt_model *m, struct swt_td *td, struct swt_mm *mm, bool other)
{
	td->mm = mm;
	if (!mm)
		return;
	swt_mm_get(m, mm);
	/* Of several processes that share it and die at once, the last one is expected to tear it down. */
	if (other)
		mm->reap = td;
	else
		mm->td = td;
	if (m->last_mm == mm)
		m->last_mm = NULL;
}

static void unset_mm(struct swt_model *m, struct swt_td *td)
{
	struct swt_mm *mm = td->mm;

	if (!mm)
		return;
	td->mm = NULL;
	if (mm->td == td)
		mm->td = NULL;
	if (mm->reap == td)
		mm->reap = NULL;
	swt_list_del(&td->held);
	swt_mm_put(m, mm);
}

void swt_td_bases(struct swt_model *m, struct swt_td *td)
{
	struct swt_mm *mm = td->mm;

	if (!mm)
		return;
	if (mm->has_id)
		td->mm_id = mm->id;
	if (mm->exact) {
		td->e0 = swt_some(mm->entries);
		td->e0_ts = mm->entries_ts;
		td->e0_fresh = mm->epoch == m->epoch;
	}
	if (mm->sample_by != SWT_BY_NONE) {
		td->sample = swt_some(mm->sample);
		td->sample_by = mm->sample_by;
		td->sample_ts = mm->sample_ts;
	}
}

static struct swt_td *td_new(struct swt_model *m, struct swt_proc *p, int32_t tid, uint64_t ts)
{
	struct swt_td *td = calloc(1, sizeof(*td));

	if (!td)
		return NULL;
	m->ntds++;
	td->p = p;
	if (p)
		swt_list_add_tail(&p->releases, &td->in_proc);
	td->task = tid;
	td->last_cpu = -1;
	td->created_ts = td->last_event_ts = ts;
	td->r.pid = p ? p->tgid : 0;
	td->r.start_ns = ts;
	td->r.complete = true;
	snprintf(td->r.backend, sizeof(td->r.backend), "%s", swt_sys_backend(&m->sys));
	td->r.swapcached_before = m->sys.swap_cached;
	swt_list_add_tail(&m->open, &td->list);
	return td;
}

struct swt_td *swt_td_open(struct swt_model *m, struct swt_proc *p, struct swt_mm *mm, int32_t tid,
			   uint64_t ts, enum swt_td_state state)
{
	struct swt_td *td;

	if (p->td)
		swt_td_orphan(m, p->td);
	td = td_new(m, p, tid, ts);
	if (!td)
		return NULL;
	td->state = state;
	p->td = td;
	set_mm(m, td, mm, false);
	swt_td_bases(m, td);
	td->counted = true;
	td->opened_seq = swt_conc_open(&m->conc);
	return td;
}

struct swt_td *swt_td_open_other(struct swt_model *m, struct swt_proc *p, struct swt_mm *mm, int32_t tid,
				 uint64_t ts)
{
	struct swt_td *td = td_new(m, p, tid, ts);

	if (!td)
		return NULL;
	td->state = SWT_TD_MAYBE;
	td->r.kind = SWT_REL_REAPED;
	set_mm(m, td, mm, true);
	swt_td_bases(m, td);
	/* Whoever does it sees every step of its own: nothing before the first one matters. */
	td->e0_fresh = td->e0.known;
	td->counted = true;
	td->opened_seq = swt_conc_open(&m->conc);
	return td;
}

void swt_td_adopt_mm(struct swt_model *m, struct swt_td *td, struct swt_mm *mm)
{
	unset_mm(m, td);
	set_mm(m, td, mm, false);
	swt_td_bases(m, td);
}

void swt_td_mark(struct swt_td *td, const struct swt_event *ev)
{
	td->last_cpu = ev->cpu;
	td->last_event_ts = ev->ts;
}

/* Lower is better. */
static int rank(enum swt_evidence by)
{
	switch (by) {
	case SWT_BY_SWAP_EXIT_BEGIN:
		return 0;
	case SWT_BY_SCHED_EXIT:
		return 1;
	case SWT_BY_SIGNAL_DELIVER:
		return 2;
	case SWT_BY_RSS_STAT:
		return 3;
	default:
		return 4;
	}
}

void swt_td_start(struct swt_td *td, enum swt_evidence by, uint64_t ts)
{
	if (td->r.by_start != SWT_BY_NONE && rank(by) >= rank(td->r.by_start))
		return;
	td->r.by_start = by;
	td->r.start_ns = ts;
	if (!td->steps.has_prev)
		td->steps.prev_end = ts;
}

void swt_td_end(struct swt_td *td, enum swt_evidence by, uint64_t ts)
{
	if (td->r.by_end != SWT_BY_NONE)
		return;
	td->r.by_end = by;
	td->r.end_ns = ts;
}

void swt_td_no_worker(struct swt_model *m, struct swt_td *td)
{
	if (!swt_list_on(&td->deferring))
		return;
	swt_list_del(&td->deferring);
	m->ndeferring--;
}

void swt_td_free(struct swt_model *m, struct swt_td *td)
{
	if (td->counted)
		swt_conc_close(&m->conc, td->opened_seq);
	if (td->p && td->p->td == td)
		td->p->td = NULL;
	if (td->state == SWT_TD_WAITING)
		m->nwaiting--;
	unset_mm(m, td);
	swt_list_del(&td->list);
	swt_list_del(&td->in_proc);
	swt_td_no_worker(m, td);
	swt_intern_put(&m->paths, td->cgroup);
	m->ntds--;
	free(td);
}

void swt_td_cancel(struct swt_model *m, struct swt_td *td)
{
	swt_td_free(m, td);
}
