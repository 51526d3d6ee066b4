/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Movement, reports, and the calls of sampler.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/sampler-parts.h"
#include "model/sys-parts.h"

#define SETTLE_TICKS 10 /* memory comes back for a while after the last entry is freed */

int swt_sampler_new(const struct swt_sampler_cfg *cfg, struct swt_sampler **ret)
{
	struct swt_sampler *s;

	if (!cfg->root || !cfg->clock)
		return -EINVAL;
	s = calloc(1, sizeof(*s));
	if (!s)
		return -ENOMEM;
	s->cfg = *cfg;
	if (!s->cfg.watch_min_bytes)
		s->cfg.watch_min_bytes = 128 << 10;
	if (!s->cfg.budget_ns)
		s->cfg.budget_ns = 2 * SWT_NS_PER_MS;
	for (int i = 0; i < SWT_KEPT_COUNT; i++)
		s->kept[i] = -1;
	swt_sampler_find_limit(cfg->root, s->limited, sizeof(s->limited));
	*ret = s;
	return 0;
}

void swt_sampler_free(struct swt_sampler *s)
{
	if (!s)
		return;
	s->cursor = NULL;
	while (s->procs)
		swt_sampler_proc_drop(s, s->procs);
	if (s->dir)
		closedir(s->dir);
	for (int i = 0; i < SWT_KEPT_COUNT; i++) {
		if (s->kept[i] >= 0)
			close(s->kept[i]);
	}
	swt_buf_free(&s->buf);
	swt_buf_free(&s->trimmed);
	free(s->hot);
	free(s->tids);
	free(s);
}

/* Put @now in place of @old; true when both are known and differ. */
static bool changed(struct swt_opt *old, struct swt_opt now)
{
	bool differs = old->known && now.known && old->v != now.v;

	*old = now;
	return differs;
}

/*
 * Swap in use, by the cheapest file that has it: /proc/swaps takes a seventh of the time of /proc/meminfo.
 * @areas: false when there is certainly nothing to swap to.
 */
static bool used_moved(struct swt_sampler *s, bool *areas)
{
	*areas = true;
	if (!swt_sampler_kept(s, SWT_KEPT_SWAPS) && s->buf.len) {
		swt_sys_swaps(&s->sys, s->buf.s, s->buf.len);
		*areas = s->sys.nareas > 0;
		return changed(&s->used, swt_sys_used(&s->sys));
	}
	s->sys.areas_known = false;
	if (swt_sampler_kept(s, SWT_KEPT_MEMINFO))
		return changed(&s->used, SWT_UNKNOWN);
	swt_sys_meminfo(&s->sys, swt_buf_str(&s->buf), s->buf.len);
	return changed(&s->used, swt_sys_used(&s->sys));
}

/* Pages can go out as fast as others come in, so that the sum stands still. */
static bool pswpout_moved(struct swt_sampler *s)
{
	if (swt_sampler_kept(s, SWT_KEPT_VMSTAT))
		return changed(&s->pswpout, SWT_UNKNOWN);
	swt_sys_vmstat(&s->sys, swt_buf_str(&s->buf), s->buf.len);
	return changed(&s->pswpout, s->sys.vm[SWT_VM_PSWPOUT]);
}

static int deliver_now(struct swt_sampler *s, enum swt_kept k)
{
	return swt_sampler_kept(s, k) ? 0 : swt_sampler_deliver_kept(s, k);
}

static int movement(struct swt_sampler *s)
{
	bool areas, moved = used_moved(s, &areas);
	int rc = 0;

	/* The dearest of these files: every other tick will do. */
	if (areas && !(s->ticks++ & 1) && pswpout_moved(s))
		moved = true;
	if (moved) {
		s->moves++;
		s->settle = SETTLE_TICKS;
	}
	if (s->settle) {
		s->settle--;
		rc = deliver_now(s, SWT_KEPT_MEMINFO);
		if (!rc)
			rc = deliver_now(s, SWT_KEPT_VMSTAT);
	}
	return rc;
}

int swt_sampler_tick(struct swt_sampler *s)
{
	uint64_t start = swt_sampler_now(s);
	int rc;

	rc = movement(s);
	if (!rc)
		rc = swt_sampler_slice(s, swt_sampler_now(s) + s->cfg.budget_ns);
	s->cost += swt_sampler_now(s) - start;
	return rc;
}

int swt_sampler_pid(struct swt_sampler *s, pid_t pid)
{
	struct swt_sampled stranger = { .pid = pid }, *p;
	uint64_t start = swt_sampler_now(s);
	int sink_rc = 0, rc;

	if (pid <= 0)
		return -EINVAL;
	p = swt_sampler_proc_add(s, pid);
	rc = swt_sampler_meet(s, p ? p : &stranger, &sink_rc);
	if (!sink_rc && rc == -ENOENT) {
		if (p)
			swt_sampler_proc_drop(s, p);
		sink_rc = swt_sampler_gone(s, pid);
	}
	s->cost += swt_sampler_now(s) - start;
	return sink_rc ? sink_rc : rc;
}

void swt_sampler_born(struct swt_sampler *s, pid_t pid)
{
	if (pid <= 0)
		return;
	s->born[s->nborn++ % SWT_SAMPLER_MAX_BORN] = pid;
}

const char *swt_sampler_limited(const struct swt_sampler *s)
{
	return s->limited;
}

uint64_t swt_sampler_cost(const struct swt_sampler *s)
{
	return s->cost;
}
