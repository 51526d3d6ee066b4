/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Address spaces.
 *
 * An mm_id is a hash of the kernel's pointer: the id of a dead address space comes back for a new one.  So an
 * id is forgotten at the teardown, and a process that shows up with another id than before has executed.
 * Ids seen before their owner is known (a fork fills the child's page tables before the child runs) are strays.
 */
#include <stdlib.h>
#include <string.h>

#include "model/proc-table.h"

struct swt_mm *swt_mm_new(struct swt_model *m)
{
	struct swt_mm *mm = calloc(1, sizeof(*mm));

	if (!mm)
		return NULL;
	swt_list_init(&mm->held);
	m->nmms++;
	return mm;
}

static void forget_id(struct swt_model *m, struct swt_mm *mm)
{
	if (mm->has_id && swt_idmap_get(&m->mms, mm->id) == mm)
		swt_idmap_del(&m->mms, mm->id);
	mm->has_id = false;
	if (m->last_mm == mm)
		m->last_mm = NULL;
}

static void unstray(struct swt_model *m, struct swt_mm *mm)
{
	if (!swt_list_on(&mm->stray))
		return;
	swt_list_del(&mm->stray);
	m->nstrays--;
}

static void mm_free(struct swt_model *m, struct swt_mm *mm)
{
	forget_id(m, mm);
	unstray(m, mm);
	m->nmms--;
	free(mm);
}

struct swt_mm *swt_mm_find(const struct swt_model *m, uint32_t id)
{
	return swt_idmap_get(&m->mms, id);
}

void swt_mm_set_id(struct swt_model *m, struct swt_mm *mm, uint32_t id)
{
	struct swt_mm *old = swt_mm_find(m, id);

	if (old == mm)
		return;
	forget_id(m, mm);
	if (old) {
		forget_id(m, old);
		if (!old->refs)
			mm_free(m, old);
	}
	if (swt_idmap_put(&m->mms, id, mm))
		return;
	mm->id = id;
	mm->has_id = true;
}

struct swt_mm *swt_mm_stray(struct swt_model *m, uint32_t id)
{
	struct swt_mm *mm = swt_mm_find(m, id);

	if (mm)
		return mm;
	mm = swt_mm_new(m);
	if (!mm)
		return NULL;
	swt_mm_set_id(m, mm, id);
	if (!mm->has_id) {
		mm_free(m, mm);
		return NULL;
	}
	while (m->nstrays >= SWT_MAX_STRAYS)
		mm_free(m, swt_list_item(m->strays.next, struct swt_mm, stray));
	swt_list_add_tail(&m->strays, &mm->stray);
	m->nstrays++;
	return mm;
}

void swt_mm_get(struct swt_model *m, struct swt_mm *mm)
{
	unstray(m, mm);
	mm->refs++;
}

void swt_mm_put(struct swt_model *m, struct swt_mm *mm)
{
	if (!mm || --mm->refs)
		return;
	mm_free(m, mm);
}

void swt_mm_end(struct swt_model *m, struct swt_mm *mm)
{
	mm->dead = true;
	mm->owner = NULL;
	mm->bound_tid = 0;
	forget_id(m, mm);
	if (!mm->refs)
		mm_free(m, mm);
}

void swt_proc_set_mm(struct swt_model *m, struct swt_proc *p, struct swt_mm *mm)
{
	struct swt_mm *old = p->mm;

	if (old == mm)
		return;
	if (mm) {
		swt_mm_get(m, mm);
		mm->users++;
		if (!mm->owner)
			mm->owner = p;
	}
	p->mm = mm;
	if (!old)
		return;
	old->users--;
	if (old->owner == p)
		old->owner = NULL;
	if (m->last_mm == old)
		m->last_mm = NULL;
	old->bound_tid = 0;
	swt_mm_put(m, old);
}

struct swt_mm *swt_proc_mm(struct swt_model *m, struct swt_proc *p)
{
	struct swt_mm *mm = p->mm;

	if (mm && mm->dead) {
		/* A process that goes on without one is in the middle of dying or executing. */
		swt_proc_set_mm(m, p, NULL);
		return NULL;
	}
	if (mm || p->no_mm || p->over)
		return mm;
	mm = swt_mm_new(m);
	if (mm)
		swt_proc_set_mm(m, p, mm);
	return mm;
}
