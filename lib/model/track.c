/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trackers and what each is fed with.
 */
#include "model/track.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/dying.h"
#include "model/groups.h"
#include "model/khuge.h"
#include "model/memback.h"
#include "model/oom.h"
#include "model/proc-table.h"
#include "model/scan.h"
#include "model/stuck.h"
#include "model/swapoff.h"

#define K_KILL 9

/* Below this a rise of free memory cannot be told from noise. */
#define MEMBACK_MIN (1024 * 1024u)

struct swt_trackers {
	struct swt_noter note;
	struct swt_khuge *khuge;
	struct swt_oom *oom;
	struct swt_swapoff *swapoff;
	struct swt_memback *memback;
	struct swt_groups *groups;
	struct swt_stuck *stuck;
	struct swt_balance balance;
};

static const char *who_comm(void *arg, pid_t pid)
{
	struct swt_task *t = swt_task_find(arg, pid);

	return t && t->p->comm_len ? t->p->comm : NULL;
}

static const char *who_cgroup(void *arg, pid_t pid)
{
	struct swt_task *t = swt_task_find(arg, pid);

	return t && t->p->cgroup ? t->p->cgroup->s : NULL;
}

static pid_t who_tgid(void *arg, pid_t tid)
{
	return swt_model_tgid(arg, tid);
}

int swt_track_new(struct swt_model *m)
{
	struct swt_trackers *k = calloc(1, sizeof(*k));
	struct swt_khuge_cfg khuge = { .formats = m->cfg.formats,
				       .page_size = m->cfg.page_size,
				       .user_hz = m->cfg.user_hz,
				       .bits = m->cfg.bits };
	struct swt_groups_cfg groups = { .page_size = m->cfg.page_size };
	struct swt_oom_who who = { m, who_comm, who_cgroup, who_tgid };
	int rc;

	if (!k)
		return -ENOMEM;
	m->trackers = k;
	k->note = (struct swt_noter){ m->cfg.ops.note, m->cfg.ops.arg };
	khuge.note = groups.note = k->note;
	rc = swt_khuge_new(&khuge, &k->khuge);
	if (!rc)
		rc = swt_oom_new(&k->note, &who, &k->oom);
	if (!rc)
		rc = swt_swapoff_new(&k->note, &k->swapoff);
	if (!rc)
		rc = swt_memback_new(&k->memback);
	if (!rc)
		rc = swt_groups_new(&groups, &k->groups);
	if (!rc)
		rc = swt_stuck_new(&k->note, &k->stuck);
	return rc;
}

void swt_track_free(struct swt_model *m)
{
	struct swt_trackers *k = m->trackers;

	if (!k)
		return;
	swt_khuge_free(k->khuge);
	swt_oom_free(k->oom);
	swt_swapoff_free(k->swapoff);
	swt_memback_free(k->memback);
	swt_groups_free(k->groups);
	swt_stuck_free(k->stuck);
	free(k);
	m->trackers = NULL;
}

/* The model has just taken in a signal: was it the one that kills? */
static void killed(struct swt_model *m, const struct swt_event *ev)
{
	struct swt_task *t = swt_task_find(m, (int32_t)ev->f[SWT_F_SIGNAL_GENERATE_PID]);

	if (t && !t->p->dying && t->p->sig.no == K_KILL && t->p->sig.ts == ev->ts)
		swt_stuck_killed(m->trackers->stuck, ev->ts, t->p->tgid, t->p->comm_len ? t->p->comm : NULL);
}

int swt_track_event(struct swt_model *m, const struct swt_event *ev)
{
	struct swt_trackers *k = m->trackers;

	switch (ev->id) {
	case SWT_EV_KHUGE_SCAN_PMD:
	case SWT_EV_KHUGE_SCAN_FILE:
	case SWT_EV_KHUGE_COLLAPSE:
	case SWT_EV_KHUGE_SWAPIN:
	case SWT_EV_KHUGE_SKIP:
		swt_khuge_event(k->khuge, ev);
		return 0;
	case SWT_EV_OOM_MARK_VICTIM:
	case SWT_EV_OOM_WAKE_REAPER:
	case SWT_EV_OOM_START_REAPING:
	case SWT_EV_OOM_FINISH_REAPING:
	case SWT_EV_OOM_SKIP_REAPING:
		return swt_oom_event(k->oom, ev);
	case SWT_EV_TASK_NEWTASK:
		swt_balance_born(&k->balance, ev->ts);
		return 0;
	case SWT_EV_SCHED_FORK:
		if (!swt_have(m, SWT_EV_TASK_NEWTASK))
			swt_balance_born(&k->balance, ev->ts);
		return 0;
	case SWT_EV_SIGNAL_GENERATE:
		killed(m, ev);
		return 0;
	default:
		return 0;
	}
}

void swt_track_lost(struct swt_model *m, const struct swt_lost *lost)
{
	struct swt_trackers *k = m->trackers;

	swt_khuge_lost(k->khuge);
	if (!lost->buffer)
		swt_balance_lost(&k->balance, lost->count, lost->known);
}

/* Not the release's id: that is settled at its end, when the best start mark is known. */
static void memback_id(char *dst, uint64_t created, int pid)
{
	snprintf(dst, SWT_MEMBACK_ID, "%llu-%d", (unsigned long long)created, pid);
}

static struct swt_opt swap_at_start(const struct swt_td *td)
{
	if (td->r.swap_entries.known)
		return td->r.swap_entries;
	return td->e0.known ? td->e0 : td->sample;
}

static struct swt_opt expected(const struct swt_model *m, const struct swt_td *td)
{
	struct swt_opt swap = swt_opt_mul(swap_at_start(td), m->cfg.page_size);
	uint64_t sum;

	if (!swap.known || !td->p || !td->p->rss.known || __builtin_add_overflow(swap.v, td->p->rss.v, &sum))
		return SWT_UNKNOWN;
	return swt_some(sum);
}

void swt_track_start(struct swt_model *m, const struct swt_td *td)
{
	struct swt_opt bytes = expected(m, td);
	char id[SWT_MEMBACK_ID];

	swt_stuck_begun(m->trackers->stuck, td->r.pid);
	if (!bytes.known || bytes.v < MEMBACK_MIN)
		return;
	memback_id(id, td->created_ts, td->r.pid);
	swt_memback_start(m->trackers->memback, td->created_ts, id, bytes);
}

static void memback_done(struct swt_model *m, const struct swt_td *td)
{
	struct swt_opt bytes = expected(m, td);
	char id[SWT_MEMBACK_ID];

	if (td->r.kind != SWT_REL_EXIT || !bytes.known || bytes.v < MEMBACK_MIN)
		return;
	memback_id(id, td->created_ts, td->r.pid);
	if (td->r.held)
		swt_memback_drop(m->trackers->memback, id);
	else
		swt_memback_gone(m->trackers->memback, td->r.end_ns, id, bytes);
}

int swt_track_release(struct swt_model *m, const struct swt_td *td, enum swt_step step)
{
	struct swt_trackers *k = m->trackers;
	const struct swt_release *r = &td->r;
	struct swt_opt bytes = swt_opt_mul(r->freed, m->cfg.page_size);

	if (!k)
		return 0;
	if (step == SWT_STEP_DONE) {
		memback_done(m, td);
		if (bytes.known && !swt_opt_or(r->deferred, 0))
			swt_swapoff_freed(k->swapoff, bytes.v);
		if (r->kind == SWT_REL_EXIT)
			swt_swapoff_proc_end(k->swapoff, r->end_ns, r->pid, r->signal != 0);
		if (r->kind == SWT_REL_EXIT && !r->held && !swt_opt_or(r->deferred, 0))
			swt_oom_returned(k->oom, r->end_ns, r->pid, bytes);
	} else if (r->released_at.known) {
		if (bytes.known && swt_opt_or(r->deferred, 0))
			swt_swapoff_freed(k->swapoff, bytes.v);
		swt_oom_returned(k->oom, r->released_at.v, r->pid, bytes);
	}
	return swt_groups_release(k->groups, r, step);
}

void swt_track_gone(struct swt_model *m, const struct swt_proc *p, uint64_t ts)
{
	if (!m->trackers)
		return;
	swt_oom_gone(m->trackers->oom, ts, p->tgid);
	swt_stuck_begun(m->trackers->stuck, p->tgid);
}

void swt_track_owner(struct swt_model *m, uint64_t ts, uint64_t mm, const struct swt_proc *p)
{
	swt_khuge_owner(m->trackers->khuge, ts, mm, p ? p->tgid : 0, p && p->comm_len ? p->comm : NULL);
}

void swt_track_name(struct swt_model *m, struct swt_proc *p, uint64_t ts)
{
	bool is = !strcmp(p->comm, "swapoff");

	if (is && !p->swapoff)
		swt_swapoff_proc_start(m->trackers->swapoff, ts, p->tgid);
	else if (!is && p->swapoff)
		swt_swapoff_proc_end(m->trackers->swapoff, ts, p->tgid, false);
	p->swapoff = is;
}

void swt_track_leader(struct swt_model *m, const struct swt_proc *p, uint64_t ts)
{
	struct swt_buf text = SWT_BUF_INIT;

	if (!swt_buf_addf(&text, "pid %d%s%s%s: ", p->tgid, p->comm_len ? " (" : "", p->comm,
			  p->comm_len ? ")" : "") &&
	    !swt_leader_text(p->threads_known ? swt_some(p->alive) : SWT_UNKNOWN, &text))
		swt_notef(&m->trackers->note, ts, SWT_NOTE_PROCESS, "%s", swt_buf_str(&text));
	swt_buf_free(&text);
}

/* "0.20 0.18 0.12 1/80 11206": the number behind the slash. */
static struct swt_opt living_tasks(const char *text, size_t len)
{
	struct swt_scan s = swt_scan(text, len), word;
	const char *slash;

	for (int i = 0; i < 4; i++)
		if (!swt_scan_word(&s, &word))
			return SWT_UNKNOWN;
	slash = memchr(word.p, '/', swt_scan_left(&word));
	if (!slash)
		return SWT_UNKNOWN;
	word.p = slash + 1;
	return swt_scan_number(&word);
}

static void memback_take(struct swt_model *m)
{
	struct swt_memback_done d;
	struct swt_node *n, *tmp;
	char id[SWT_MEMBACK_ID];

	while (swt_memback_next(m->trackers->memback, &d)) {
		swt_list_each(n, tmp, &m->waiting) {
			struct swt_td *td = swt_list_item(n, struct swt_td, list);

			memback_id(id, td->created_ts, td->r.pid);
			if (!strcmp(id, d.id))
				td->r.memory_lag = d.lag;
		}
	}
}

void swt_track_system(struct swt_model *m, uint64_t ts, const char *path, const char *text, size_t len)
{
	struct swt_trackers *k = m->trackers;

	if (!strcmp(path, "/proc/loadavg")) {
		/* Read right after /proc/stat, so both say how it was at this moment. */
		swt_balance_sample(&k->balance, ts, m->sys.processes, living_tasks(text, len), m->cfg.bits,
				   &k->note);
	} else if (!strcmp(path, "/proc/meminfo")) {
		swt_memback_sample(k->memback, ts, m->sys.swap_free, m->sys.mem_available);
		memback_take(m);
	} else if (!strcmp(path, "/proc/swaps")) {
		swt_swapoff_areas(k->swapoff, ts, &m->sys);
	}
}

/* Whose pages did khugepaged read in?  A swapoff reads in everybody's, so then a fall says nothing. */
static void khuge_status(struct swt_model *m, uint64_t ts, const char *path, const char *text, size_t len)
{
	struct swt_swapoff_state off;
	const struct swt_proc *p;
	char *end;
	long pid;

	if (!swt_have(m, SWT_EV_KHUGE_SWAPIN) || strncmp(path, "/proc/", 6))
		return;
	pid = strtol(path + 6, &end, 10);
	if (strcmp(end, "/status") || pid <= 0 || pid > INT32_MAX)
		return;
	if (swt_swapoff_get(m->trackers->swapoff, &off, 1))
		len = 0;
	p = swt_proc_find(m, (int32_t)pid);
	swt_khuge_status(m->trackers->khuge, ts, (pid_t)pid, p && p->comm_len ? p->comm : NULL, text, len);
}

void swt_track_file(struct swt_model *m, uint64_t ts, const char *path, const char *text, size_t len)
{
	struct swt_trackers *k = m->trackers;
	char khuge[32];

	khuge_status(m, ts, path, text, len);
	swt_stuck_file(k->stuck, ts, path, text, len);
	/* Its CPU time counts from when it was read, not from when a report is due. */
	snprintf(khuge, sizeof(khuge), "/proc/%d/stat", m->sys.khuge.pid);
	if (m->sys.khuge.pid && !strcmp(path, khuge))
		swt_khuge_sample(k->khuge, ts, &m->sys.khuge);
}

static void still_dying(struct swt_model *m, const struct swt_td *td, uint64_t now)
{
	struct swt_opt start = swap_at_start(td), left = SWT_UNKNOWN;

	if (td->steps.seen && !td->steps.bad)
		left = swt_some(td->steps.last);
	swt_stuck_dying(m->trackers->stuck, now, td->r.start_ns, td->r.pid, td->p->comm, start,
			swt_opt_sub(start, left));
}

static void tick_stuck(struct swt_model *m, uint64_t now)
{
	struct swt_stuck *stuck = m->trackers->stuck;
	struct swt_node *n, *tmp;
	pid_t pids[16];
	size_t npids;

	swt_list_each(n, tmp, &m->open) {
		struct swt_td *td = swt_list_item(n, struct swt_td, list);

		if (td->state == SWT_TD_RUNNING && td->p && td->p->dying)
			still_dying(m, td, now);
	}
	npids = swt_stuck_wants(stuck, now, pids, sizeof(pids) / sizeof(pids[0]));
	for (size_t i = 0; i < npids; i++) {
		struct swt_proc *p = swt_proc_find(m, pids[i]);

		if (p) {
			p->wanted = false;
			swt_want(m, p);
		}
	}
	swt_stuck_tick(stuck, now);
}

void swt_track_tick(struct swt_model *m, uint64_t now)
{
	swt_khuge_tick(m->trackers->khuge, now);
	swt_oom_tick(m->trackers->oom, now);
	swt_groups_tick(m->trackers->groups, now);
	tick_stuck(m, now);
}

void swt_track_end(struct swt_model *m, uint64_t now)
{
	swt_groups_end(m->trackers->groups, now);
	swt_balance_finish(&m->trackers->balance, m->cfg.bits, &m->trackers->note);
}

void swt_track_snapshot(struct swt_model *m, uint64_t now, struct swt_snapshot *ret)
{
	struct swt_trackers *k = m->trackers;

	(void)now;
	swt_khuge_report(k->khuge, swt_have(m, SWT_EV_KHUGE_SCAN_PMD) || swt_have(m, SWT_EV_KHUGE_COLLAPSE),
			 &ret->khuge);
}
