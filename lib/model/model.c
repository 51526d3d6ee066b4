/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The model: where events and samples come in, and where time passes.
 */
#include "model/model.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/concurrency.h"
#include "model/marks.h"
#include "model/proc-table.h"
#include "model/teardown.h"
#include "model/track.h"

#define SEC 1000000000ull
#define MS  1000000ull

int swt_model_new(const struct swt_model_cfg *cfg, struct swt_model **ret)
{
	struct swt_model *m = calloc(1, sizeof(*m));
	int rc;

	if (!m)
		return -ENOMEM;
	m->cfg = *cfg;
	if (!m->cfg.page_size || m->cfg.page_size < 512)
		m->cfg.page_size = 4096;
	if (!m->cfg.user_hz || m->cfg.user_hz > 1000000)
		m->cfg.user_hz = 100;
	if (m->cfg.bits != 32)
		m->cfg.bits = 64;
	swt_idmap_init(&m->tasks);
	swt_idmap_init(&m->limbo);
	swt_idmap_init(&m->mms);
	m->paths.seed = m->tasks.seed;
	swt_list_init(&m->procs);
	swt_list_init(&m->open);
	swt_list_init(&m->waiting);
	swt_list_init(&m->strays);
	swt_list_init(&m->suspects);
	swt_list_init(&m->deferring);
	m->exits.freed_entries = SWT_UNKNOWN;
	rc = swt_track_new(m);
	if (rc) {
		swt_model_free(m);
		return rc;
	}
	*ret = m;
	return 0;
}

void swt_model_free(struct swt_model *m)
{
	if (!m)
		return;
	/* Nobody is told any more. */
	memset(&m->cfg.ops, 0, sizeof(m->cfg.ops));
	swt_track_free(m);
	while (!swt_list_empty(&m->open))
		swt_td_free(m, swt_list_item(m->open.next, struct swt_td, list));
	while (!swt_list_empty(&m->waiting))
		swt_td_free(m, swt_list_item(m->waiting.next, struct swt_td, list));
	while (!swt_list_empty(&m->procs))
		swt_proc_drop(m, swt_list_item(m->procs.next, struct swt_proc, all));
	while (!swt_list_empty(&m->strays))
		swt_mm_end(m, swt_list_item(m->strays.next, struct swt_mm, stray));
	swt_idmap_free(&m->tasks);
	swt_idmap_free(&m->limbo);
	swt_idmap_free(&m->mms);
	swt_conc_free(&m->conc);
	free(m);
}

static void dispatch(struct swt_model *m, const struct swt_event *ev)
{
	switch (ev->id) {
	case SWT_EV_SCHED_EXIT:
		swt_mark_exit(m, ev);
		break;
	case SWT_EV_SCHED_EXEC:
		swt_mark_exec(m, ev);
		break;
	case SWT_EV_SCHED_FREE:
		swt_mark_free(m, ev);
		break;
	case SWT_EV_SCHED_FORK:
		swt_mark_fork(m, ev);
		break;
	case SWT_EV_TASK_NEWTASK:
		swt_mark_newtask(m, ev);
		break;
	case SWT_EV_EXIT_MMAP:
		swt_mark_exit_mmap(m, ev);
		break;
	case SWT_EV_SIGNAL_GENERATE:
		swt_mark_generate(m, ev);
		break;
	case SWT_EV_SIGNAL_DELIVER:
		swt_mark_deliver(m, ev);
		break;
	case SWT_EV_OOM_MARK_VICTIM:
	case SWT_EV_OOM_WAKE_REAPER:
	case SWT_EV_OOM_START_REAPING:
	case SWT_EV_OOM_FINISH_REAPING:
	case SWT_EV_OOM_SKIP_REAPING:
		swt_mark_oom(m, ev);
		break;
	default:
		swt_mark_swap(m, ev);
		break;
	}
}

int swt_model_event(void *model, const struct swt_event *ev)
{
	struct swt_model *m = model;

	m->now = ev->ts;
	if (ev->id == SWT_EV_RSS_STAT) {
		swt_mark_rss(m, ev);
		return 0;
	}
	dispatch(m, ev);
	return swt_track_event(m, ev);
}

int swt_model_lost(void *model, const struct swt_lost *lost)
{
	struct swt_model *m = model;
	struct swt_node *n, *tmp;

	m->epoch++;
	m->any_loss = true;
	m->last_loss = lost->ts;
	m->interval_lost = true;
	m->last_mm = NULL;
	swt_list_each(n, tmp, &m->open) {
		struct swt_td *td = swt_list_item(n, struct swt_td, list);

		td->r.complete = false;
		td->r.lost += lost->count;
		/* Tasks move between CPUs; still, what was last seen on the CPU with the gap is worst off. */
		if (!lost->buffer && (td->last_cpu < 0 || td->last_cpu == lost->cpu)) {
			td->touched = true;
			td->steps.has_prev = false;
		}
		td->steps.prev_end = 0;
	}
	swt_track_lost(m, lost);
	return 0;
}

int swt_model_file(void *model, uint64_t ts, const char *path, const char *text, size_t len)
{
	struct swt_model *m = model;

	if (path[0] == '@')
		return 0;
	if (ts > m->now)
		m->now = ts;
	swt_sample_pid(m, ts, path, text, len);
	if (swt_sys_file(&m->sys, ts, path, text, len) || !strcmp(path, "/proc/loadavg"))
		swt_track_system(m, ts, path, text, len);
	swt_track_file(m, ts, path, text, len);
	return 0;
}

static void tick_open(struct swt_model *m, struct swt_td *td, uint64_t now)
{
	uint64_t idle = now > td->last_event_ts ? now - td->last_event_ts : 0;

	switch (td->state) {
	case SWT_TD_MAYBE:
		if (idle < SEC)
			break;
		if (td->r.kind == SWT_REL_REAPED) {
			swt_td_end(td, SWT_BY_RSS_STAT, td->last_event_ts);
			swt_td_done(m, td, SWT_REL_REAPED, false);
		} else {
			swt_td_cancel(m, td);
		}
		break;
	case SWT_TD_ENDED:
		if (td->patched && idle >= 100 * MS)
			swt_td_done(m, td, td->r.kind, true);
		else if (!td->patched && idle >= SEC)
			swt_td_cancel(m, td);
		break;
	case SWT_TD_RUNNING:
		/* The last entry went long ago, and the end mark does not come. */
		if (td->steps.seen && !td->steps.last && td->exit_seen &&
		    idle >= (swt_have(m, SWT_EV_EXIT_MMAP) ? 5 * SEC : SEC)) {
			swt_td_end(td, SWT_BY_RSS_STAT, td->steps.last_ts);
			swt_td_done(m, td, td->r.kind, true);
		} else if (idle >= 3600 * SEC) {
			swt_td_orphan(m, td);
		}
		break;
	case SWT_TD_WAITING:
		break;
	}
}

static void tick_suspect(struct swt_model *m, struct swt_proc *p, uint64_t now)
{
	if (p->is_gone && now >= p->gone_ts + 2 * SEC) {
		swt_proc_drop(m, p); /* a ghost: its exit was not seen */
		return;
	}
	if (p->zombie && !p->over && p->dying && now >= p->zombie_ts + 300 * MS)
		swt_proc_over(m, p, p->zombie_ts);
	if (!p->is_gone && (!p->zombie || p->over))
		swt_list_del(&p->suspect);
}

void swt_model_tick(struct swt_model *m, uint64_t now)
{
	struct swt_node *n, *tmp, mark = { NULL, NULL };

	m->now = now;
	/* Reporting one release may end any other: a mark of our own in the list keeps the place. */
	for (n = m->open.next; n != &m->open; n = mark.next) {
		swt_list_del(&mark);
		swt_list_add_after(n, &mark);
		tick_open(m, swt_list_item(n, struct swt_td, list), now);
	}
	swt_list_del(&mark);
	swt_list_each(n, tmp, &m->suspects)
		tick_suspect(m, swt_list_item(n, struct swt_proc, suspect), now);
	while (!swt_list_empty(&m->waiting)) {
		struct swt_td *td = swt_list_item(m->waiting.next, struct swt_td, list);

		if (now < td->r.end_ns + 3600 * SEC)
			break;
		td->r.final = false;
		if (m->cfg.ops.release)
			m->cfg.ops.release(m->cfg.ops.arg, &td->r, SWT_STEP_UPDATE);
		swt_td_free(m, td);
	}
	swt_track_tick(m, now);
}

static void end_open(struct swt_model *m, struct swt_td *td)
{
	if (td->r.kind == SWT_REL_REAPED) {
		swt_td_end(td, SWT_BY_RSS_STAT, td->last_event_ts);
	} else if (td->state == SWT_TD_MAYBE ||
		   (td->state == SWT_TD_ENDED && !td->exit_seen && !td->patched)) {
		swt_td_cancel(m, td);
		return;
	} else if (td->steps.seen && !td->steps.last) {
		swt_td_end(td, SWT_BY_RSS_STAT, td->steps.last_ts);
	}
	swt_td_done(m, td, td->r.kind, false);
}

void swt_model_end(struct swt_model *m, uint64_t now)
{
	struct swt_node *n;

	m->now = now;
	while (!swt_list_empty(&m->waiting)) {
		struct swt_td *td = swt_list_item(m->waiting.next, struct swt_td, list);

		td->r.final = false;
		swt_track_release(m, td, SWT_STEP_UPDATE);
		if (m->cfg.ops.release)
			m->cfg.ops.release(m->cfg.ops.arg, &td->r, SWT_STEP_UPDATE);
		swt_td_free(m, td);
	}
	while ((n = m->open.next) != &m->open)
		end_open(m, swt_list_item(n, struct swt_td, list));
	while (!swt_list_empty(&m->waiting))
		swt_td_free(m, swt_list_item(m->waiting.next, struct swt_td, list));
	swt_track_end(m, now);
}

size_t swt_model_wants(struct swt_model *m, pid_t *pids, size_t max)
{
	size_t n = 0;

	while (n < max && m->nwants) {
		pids[n++] = m->wants[m->want_first];
		m->want_first = (m->want_first + 1) % SWT_MAX_WANTS;
		m->nwants--;
	}
	return n;
}

pid_t swt_model_tgid(const struct swt_model *m, pid_t tid)
{
	const struct swt_task *t = swt_task_find(m, tid);

	return t ? t->p->tgid : 0;
}
