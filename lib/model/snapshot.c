/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Snapshots: one interval's counts, and the gauges at its end.
 */
#include "model/snapshot.h"

#include <string.h>

#include "model/state.h"
#include "model/track.h"

static void living(const struct swt_model *m, struct swt_snapshot *ret)
{
	const struct swt_node *n;
	uint64_t held = 0;
	bool known = false;

	for (n = m->procs.next; n != &m->procs; n = n->next) {
		const struct swt_proc *p =
			(const struct swt_proc *)(const void *)((const char *)n -
								offsetof(struct swt_proc, all));
		const struct swt_mm *mm = p->mm;

		if (p->dying || p->over)
			continue;
		ret->processes++;
		/* A shared address space is counted once. */
		if (!mm || mm->dead || mm->owner != p)
			continue;
		if (mm->exact && (mm->sample_by == SWT_BY_NONE || mm->entries_ts >= mm->sample_ts))
			held += mm->entries;
		else if (mm->sample_by != SWT_BY_NONE)
			held += mm->sample;
		else
			continue;
		known = true;
	}
	if (known)
		ret->held_bytes = swt_opt_mul(swt_some(held), m->cfg.page_size);
}

void swt_model_snapshot(struct swt_model *m, uint64_t now, struct swt_snapshot *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->ts = now;
	ret->interval_ns = m->have_snap && now > m->snap_ts ? now - m->snap_ts : 0;
	ret->complete = !m->interval_lost;
	ret->sys = m->sys;
	for (int i = 0; i < SWT_VM_COUNT; i++) {
		if (m->have_snap)
			ret->vm[i] = swt_delta(m->sys_before.vm[i], m->sys.vm[i], m->cfg.bits);
	}
	ret->exits = m->exits;
	ret->exits.in_flight = m->conc.open;
	ret->backend = swt_sys_backend(&m->sys);
	living(m, ret);
	swt_track_snapshot(m, now, ret);
	memset(&m->exits, 0, sizeof(m->exits));
	m->sys_before = m->sys;
	m->snap_ts = now;
	m->have_snap = true;
	m->interval_lost = false;
}
