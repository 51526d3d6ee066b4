/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes named swapoff, and which area each of them works on.
 */
#include <string.h>

#include "model/swapoff-parts.h"

void swt_swapoff_proc_start(struct swt_swapoff *s, uint64_t ts, pid_t pid)
{
	struct swapoff_proc *slot = NULL;

	if (pid <= 0)
		return;
	for (unsigned int i = 0; i < SWAPOFF_PROCS; i++) {
		struct swapoff_proc *p = &s->proc[i];

		if (p->pid == pid && !p->end)
			return; /* seen by exec and again in /proc */
		/* A free place, else the oldest. */
		if (!slot || (slot->pid && (!p->pid || p->start < slot->start)))
			slot = p;
	}
	*slot = (struct swapoff_proc){ .pid = pid, .start = ts };
}

void swt_swapoff_proc_end(struct swt_swapoff *s, uint64_t ts, pid_t pid, bool killed)
{
	struct swapoff_proc *p = NULL;

	for (unsigned int i = 0; i < SWAPOFF_PROCS && !p; i++)
		if (s->proc[i].pid == pid && !s->proc[i].end)
			p = &s->proc[i];
	if (!p || pid <= 0)
		return;
	p->end = ts;
	p->killed = killed;
	for (unsigned int i = 0; i < SWT_MAX_SWAPS; i++) {
		struct swapoff_area *a = &s->area[i];

		if (!a->here || a->owner != pid)
			continue;
		a->killed += killed;
		a->owner = 0;
		a->owner_end = killed ? 0 : ts;
	}
}

bool swapoff_any_proc(const struct swt_swapoff *s)
{
	for (unsigned int i = 0; i < SWAPOFF_PROCS; i++)
		if (s->proc[i].pid && (!s->proc[i].end || !s->proc[i].taken))
			return true;
	return false;
}

void swapoff_assign(struct swt_swapoff *s, const struct swapoff_area *gone)
{
	for (;;) {
		struct swapoff_area *only = NULL;
		struct swapoff_proc *p = NULL;
		unsigned int free_areas = 0;

		for (unsigned int i = 0; i < SWT_MAX_SWAPS; i++) {
			struct swapoff_area *a = &s->area[i];

			if (a->here && (a->active || a == gone) && !a->owner) {
				only = a;
				free_areas++;
			}
		}
		for (unsigned int i = 0; i < SWAPOFF_PROCS; i++) {
			struct swapoff_proc *q = &s->proc[i];

			/* One that ended before the use began to fall did something else. */
			if (!q->pid || q->taken || (only && q->end && q->end < only->began))
				continue;
			if (!p || q->start < p->start)
				p = q;
		}
		if (!p || free_areas != 1)
			return;
		p->taken = true;
		if (!only->attempts && only->seen_short && only->seen_short < p->start)
			only->attempts++; /* somebody had begun before this one */
		else if (!only->attempts) {
			only->first_ts = p->start;
			only->exact_start = true;
		}
		only->attempts++;
		only->killed += p->killed;
		only->owner = p->end ? 0 : p->pid;
		only->owner_end = p->end && !p->killed ? p->end : 0;
	}
}

void swapoff_let_go(struct swt_swapoff *s, struct swapoff_area *a)
{
	for (unsigned int i = 0; i < SWAPOFF_PROCS; i++)
		if (a->owner && s->proc[i].pid == a->owner && !s->proc[i].end)
			s->proc[i].taken = false;
	a->owner = 0;
}
