/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tasks and processes.
 *
 * A pid is used again soon after its process was reaped, while the clean-up of the old one is still on its
 * way (sched_process_free comes a grace period later).  So a new birth takes the pid out of the table and the old
 * process waits aside ("limbo") for its own free event.
 */
#include "model/proc-table.h"

#include <stdlib.h>
#include <string.h>

#include "model/teardown.h"

struct swt_task *swt_task_find(const struct swt_model *m, int32_t tid)
{
	return tid > 0 ? swt_idmap_get(&m->tasks, (uint32_t)tid) : NULL;
}

struct swt_proc *swt_proc_find(const struct swt_model *m, int32_t tgid)
{
	struct swt_task *t = swt_task_find(m, tgid);

	return t && t->p->tgid == tgid ? t->p : NULL;
}

struct swt_task *swt_task_add(struct swt_model *m, struct swt_proc *p, int32_t tid)
{
	struct swt_task *t;

	if (m->ntasks >= SWT_MAX_TASKS)
		return NULL;
	t = calloc(1, sizeof(*t));
	if (!t)
		return NULL;
	if (swt_idmap_put(&m->tasks, (uint32_t)tid, t)) {
		free(t);
		return NULL;
	}
	t->tid = tid;
	t->p = p;
	swt_list_add_tail(&p->tasks, &t->in_proc);
	m->ntasks++;
	p->alive++;
	if (p->alive > p->max_alive)
		p->max_alive = p->alive;
	return t;
}

void swt_task_drop(struct swt_model *m, struct swt_task *t)
{
	if (swt_idmap_get(&m->tasks, (uint32_t)t->tid) == t)
		swt_idmap_del(&m->tasks, (uint32_t)t->tid);
	if (!t->dead && t->p->alive)
		t->p->alive--;
	swt_list_del(&t->in_proc);
	m->ntasks--;
	free(t);
}

void swt_task_move(struct swt_model *m, struct swt_task *t, struct swt_proc *p)
{
	struct swt_proc *old = t->p;

	if (old == p)
		return;
	swt_list_del(&t->in_proc);
	if (!t->dead && old->alive)
		old->alive--;
	t->p = p;
	swt_list_add_tail(&p->tasks, &t->in_proc);
	/* A number of threads from /proc has counted it already. */
	if (!t->dead && !p->threads_known && ++p->alive > p->max_alive)
		p->max_alive = p->alive;
	if (swt_list_empty(&old->tasks) && !old->sure)
		swt_proc_drop(m, old);
}

/* Room for one more: the oldest process without a release of its own goes. */
static void make_room(struct swt_model *m)
{
	struct swt_node *n, *tmp;

	if (m->nprocs < SWT_MAX_PROCS && m->ntasks < SWT_MAX_TASKS)
		return;
	swt_list_each(n, tmp, &m->procs) {
		struct swt_proc *p = swt_list_item(n, struct swt_proc, all);

		if (!p->td) {
			swt_proc_drop(m, p);
			return;
		}
	}
	if (!swt_list_empty(&m->procs))
		swt_proc_drop(m, swt_list_item(m->procs.next, struct swt_proc, all));
}

struct swt_proc *swt_proc_new(struct swt_model *m, int32_t tgid, uint64_t ts)
{
	struct swt_task *old;
	struct swt_proc *p;

	if (tgid <= 0)
		return NULL;
	make_room(m);
	old = swt_task_find(m, tgid);
	if (old && old->p->tgid == tgid)
		swt_proc_bury(m, old->p);
	else if (old)
		swt_task_drop(m, old);
	p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->tgid = tgid;
	p->seen_ts = ts;
	p->no_mm = tgid == 2;
	swt_list_init(&p->tasks);
	swt_list_init(&p->releases);
	swt_list_add_tail(&m->procs, &p->all);
	m->nprocs++;
	if (!swt_task_add(m, p, tgid)) {
		swt_proc_drop(m, p);
		return NULL;
	}
	return p;
}

struct swt_task *swt_task_touch(struct swt_model *m, int32_t tid, uint64_t ts)
{
	struct swt_task *t = swt_task_find(m, tid);
	struct swt_proc *p;

	if (t || tid <= 0)
		return t;
	p = swt_proc_new(m, tid, ts);
	if (!p)
		return NULL;
	swt_want(m, p);
	return swt_task_find(m, tid);
}

void swt_proc_drop(struct swt_model *m, struct swt_proc *p)
{
	struct swt_node *n, *tmp;

	if (p->td)
		swt_td_orphan(m, p->td);
	swt_list_each(n, tmp, &p->releases)
		swt_td_leave(m, swt_list_item(n, struct swt_td, in_proc));
	swt_list_each(n, tmp, &p->tasks)
		swt_task_drop(m, swt_list_item(n, struct swt_task, in_proc));
	if (swt_idmap_get(&m->limbo, (uint32_t)p->tgid) == p)
		swt_idmap_del(&m->limbo, (uint32_t)p->tgid);
	swt_proc_set_mm(m, p, NULL);
	swt_intern_put(&m->paths, p->cgroup);
	swt_list_del(&p->all);
	swt_list_del(&p->suspect);
	m->nprocs--;
	free(p);
}

void swt_proc_bury(struct swt_model *m, struct swt_proc *p)
{
	struct swt_proc *older = swt_idmap_get(&m->limbo, (uint32_t)p->tgid);
	struct swt_node *n, *tmp;

	if (older && older != p)
		swt_proc_drop(m, older);
	/* Alive as far as we know: its exit was lost, nothing will follow. */
	if (!p->td || !swt_have(m, SWT_EV_SCHED_FREE) || swt_idmap_put(&m->limbo, (uint32_t)p->tgid, p)) {
		swt_proc_drop(m, p);
		return;
	}
	swt_list_each(n, tmp, &p->tasks)
		swt_task_drop(m, swt_list_item(n, struct swt_task, in_proc));
}

void swt_proc_comm(struct swt_proc *p, const char *s, size_t len)
{
	len = len ? strnlen(s, len) : 0; /* s may be NULL then */
	if (!len)
		return;
	if (len > SWT_COMM_MAX - 1)
		len = SWT_COMM_MAX - 1;
	memcpy(p->comm, s, len);
	p->comm[len] = '\0';
	p->comm_len = (uint8_t)len;
}

void swt_proc_cgroup(struct swt_model *m, struct swt_proc *p, const char *s, size_t len)
{
	struct swt_path *path = swt_intern_get(&m->paths, s, len);

	if (!path)
		return;
	swt_intern_put(&m->paths, p->cgroup);
	p->cgroup = path;
}

void swt_proc_suspect(struct swt_model *m, struct swt_proc *p)
{
	if (!swt_list_on(&p->suspect))
		swt_list_add_tail(&m->suspects, &p->suspect);
}

void swt_want(struct swt_model *m, struct swt_proc *p)
{
	if (p->wanted || m->nwants == SWT_MAX_WANTS)
		return;
	p->wanted = true;
	m->wants[(m->want_first + m->nwants++) % SWT_MAX_WANTS] = p->tgid;
}
