/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples of /proc/PID/{status,stat,cgroup}.
 *
 * A live sample may be newer than events that are still in the rings.  So what it says about a death is only
 * acted upon a while later (swt_model_tick), when the events had their turn.
 */
#include "model/marks.h"
#include "model/pidfile.h"
#include "model/proc-table.h"
#include "model/teardown.h"
#include "model/track.h"

#include <string.h>

#define KTHREADD 2

static void gone(struct swt_model *m, int32_t pid, uint64_t ts)
{
	struct swt_proc *p = swt_proc_find(m, pid);
	struct swt_td *td;

	if (!p || p->is_gone)
		return;
	p->is_gone = true;
	p->gone_ts = ts;
	if (swt_have(m, SWT_EV_SCHED_EXIT)) {
		swt_proc_suspect(m, p);
		return;
	}
	/* No events: this is all that will ever be seen of its exit. */
	if (!p->no_mm && p->sure && !p->td) {
		td = swt_td_open(m, p, p->mm, 0, ts, SWT_TD_RUNNING);
		if (td) {
			swt_td_end(td, SWT_BY_SAMPLE, ts);
			swt_td_done(m, td, SWT_REL_EXIT, true);
		}
	}
	swt_proc_drop(m, p);
}

/* The TID turned out to be a thread: of a process we may not know yet. */
static void is_thread(struct swt_model *m, int32_t tid, int32_t tgid, uint64_t ts)
{
	struct swt_task *t = swt_task_find(m, tid);
	struct swt_proc *p;

	if (!t || t->p->tgid == tgid)
		return;
	p = swt_proc_find(m, tgid);
	if (!p) {
		p = swt_proc_new(m, tgid, ts);
		if (!p)
			return;
		swt_want(m, p);
	}
	t = swt_task_find(m, tid);
	if (!t || t->p == p)
		return;
	if (t->p->td)
		swt_td_cancel(m, t->p->td);
	if (t->p->tgid == tid)
		t->p->sure = false;
	swt_task_move(m, t, p);
}

static void take_mm(struct swt_model *m, struct swt_proc *p, uint64_t ts, const struct swt_pid_status *st)
{
	struct swt_mm *mm;

	if (!st->vm_swap.known && !st->vm_rss.known) {
		if (st->ppid == KTHREADD || p->tgid == KTHREADD)
			p->no_mm = true;
		return;
	}
	p->rss = st->vm_rss;
	if (p->dying || p->over)
		return;
	p->no_mm = false;
	mm = swt_proc_mm(m, p);
	if (!mm || !st->vm_swap.known)
		return;
	mm->sample_by = SWT_BY_VMSWAP;
	mm->sample = st->vm_swap.v / m->cfg.page_size;
	mm->sample_ts = ts;
	mm->sample_epoch = m->epoch;
}

static void status(struct swt_model *m, int32_t pid, uint64_t ts, const char *text, size_t len)
{
	struct swt_pid_status st;
	struct swt_proc *p;

	memset(&st, 0, sizeof(st));
	if (swt_pid_status(text, len, &st))
		return;
	if (st.tgid > 0 && st.tgid != pid) {
		is_thread(m, pid, st.tgid, ts);
		return;
	}
	p = swt_proc_find(m, pid);
	if (!p)
		p = swt_proc_new(m, pid, ts);
	if (!p)
		return;
	p->sure = true;
	p->wanted = true;
	p->is_gone = false;
	if (st.ppid > 0)
		p->ppid = st.ppid;
	if (st.threads.known && st.threads.v && st.threads.v <= SWT_MAX_TASKS && !p->dying) {
		p->threads_known = true;
		p->alive = (uint32_t)st.threads.v;
		if (p->alive > p->max_alive)
			p->max_alive = p->alive;
	}
	/* A leader that exited before its threads is a zombie too, and has no Vm lines: nothing is known anew. */
	if (st.state == 'Z' && (!st.threads.known || st.threads.v <= 1) && !p->zombie) {
		p->zombie = true;
		p->zombie_ts = ts;
		swt_proc_suspect(m, p);
	}
	if (st.state != 'Z')
		take_mm(m, p, ts, &st);
}

static void stat(struct swt_model *m, int32_t pid, uint64_t ts, const char *text, size_t len)
{
	struct swt_pid_stat st;
	struct swt_proc *p;

	memset(&st, 0, sizeof(st));
	if (swt_pid_stat(text, len, &st) || st.pid != pid)
		return;
	p = swt_proc_find(m, pid);
	if (p && p->start_ticks.known && p->start_ticks.v != st.start_ticks)
		p = NULL; /* the pid was used again unseen */
	if (!p) {
		struct swt_task *t = swt_task_find(m, pid);

		if (t && t->p->tgid != pid)
			return;
		p = swt_proc_new(m, pid, ts);
		if (!p)
			return;
		swt_want(m, p);
	}
	p->start_ticks = swt_some(st.start_ticks);
	if (!p->born.known)
		p->born = swt_opt_mul(p->start_ticks, 1000000000ull / m->cfg.user_hz);
	if (st.ppid > 0)
		p->ppid = st.ppid;
	swt_proc_comm(p, st.comm, st.comm_len);
	swt_track_name(m, p, ts);
}

int swt_sample_pid(struct swt_model *m, uint64_t ts, const char *path, const char *text, size_t len)
{
	const char *s = path + 6;
	struct swt_proc *p;
	int32_t pid = 0;
	size_t n;

	if (strncmp(path, "/proc/", 6) || *s < '1' || *s > '9')
		return 0;
	for (; *s >= '0' && *s <= '9'; s++) {
		if (pid > (INT32_MAX - 9) / 10)
			return 0;
		pid = pid * 10 + (*s - '0');
	}
	if (!strcmp(s, "/status")) {
		if (len)
			status(m, pid, ts, text, len);
		else
			gone(m, pid, ts);
		return 1;
	}
	if (!strcmp(s, "/stat")) {
		if (len)
			stat(m, pid, ts, text, len);
		return 1;
	}
	if (strcmp(s, "/cgroup"))
		return 0;
	p = swt_proc_find(m, pid);
	s = p && len ? swt_pid_cgroup(text, len, &n) : NULL;
	if (s)
		swt_proc_cgroup(m, p, s, n);
	return 1;
}
