/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mass deaths, see groups.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "model/groups.h"

/* Groups open at once; the quietest is ended early to make room. */
#define MAX_GROUPS 64
#define PENDING_NS (30 * SWT_NS_PER_SEC)

struct group {
	bool used, cgroup_known, cgroup_mixed;
	int sender; /* 0: by control group */
	char cgroup[256];
	uint64_t n, uncounted, pending; /* releases; without a count; with entries outstanding */
	uint64_t entries;
	uint64_t first, last_death, last_back; /* first start, last end, last entry freed */
};

struct swt_groups {
	struct swt_groups_cfg cfg;
	struct group group[MAX_GROUPS];
};

int swt_groups_new(const struct swt_groups_cfg *cfg, struct swt_groups **ret)
{
	struct swt_groups *g = calloc(1, sizeof(*g));

	if (!g)
		return -ENOMEM;
	g->cfg = *cfg;
	if (!g->cfg.page_size)
		g->cfg.page_size = 4096;
	if (!g->cfg.quiet_ns)
		g->cfg.quiet_ns = SWT_NS_PER_SEC;
	if (!g->cfg.least)
		g->cfg.least = 3;
	*ret = g;
	return 0;
}

void swt_groups_free(struct swt_groups *g)
{
	free(g);
}

/* One sender kills over many control groups (one app each); else the control group is what they share. */
static bool same(const struct group *g, const struct swt_release *r)
{
	if (!g->used || g->sender != r->sender)
		return false;
	return g->sender || !strncmp(g->cgroup, r->cgroup, sizeof(g->cgroup) - 1);
}

static void say(struct swt_groups *gs, const struct group *g, uint64_t ts)
{
	uint64_t end = g->last_back > g->last_death ? g->last_back : g->last_death;
	uint64_t bytes = g->entries * gs->cfg.page_size; /* only shown; the exact number is in entries */
	char n[SWT_FMT_LEN], size[SWT_FMT_LEN], entries[SWT_FMT_LEN], span[SWT_FMT_LEN], more[96] = "";
	char killer[32] = "", of[sizeof(g->cgroup) + 8] = "";

	if (g->sender)
		snprintf(killer, sizeof(killer), " killed by %d", g->sender);
	if (g->cgroup_mixed)
		snprintf(of, sizeof(of), " of several groups");
	else if (g->cgroup_known)
		snprintf(of, sizeof(of), " of %s", g->cgroup);
	if (g->uncounted)
		snprintf(more, sizeof(more), ", %" PRIu64 " without a count", g->uncounted);
	if (g->pending) {
		size_t len = strlen(more);

		snprintf(more + len, sizeof(more) - len, ", %" PRIu64 " still being released", g->pending);
	}
	if (g->uncounted == g->n) {
		swt_notef(&gs->cfg.note, ts, SWT_NOTE_GROUP,
			  "%s processes%s%s in %s: swap that returned not known",
			  swt_fmt_count(n, sizeof(n), g->n), of, killer,
			  swt_note_seconds(span, end - g->first));
		return;
	}
	swt_notef(&gs->cfg.note, ts, SWT_NOTE_GROUP,
		  "%s processes%s%s: %s%s of swap returned in %s (%s entries%s)",
		  swt_fmt_count(n, sizeof(n), g->n), of, killer,
		  g->uncounted || g->pending ? "at least " : "", swt_fmt_bytes(size, sizeof(size), bytes),
		  swt_note_seconds(span, end - g->first), swt_fmt_count(entries, sizeof(entries), g->entries),
		  more);
}

static void end_group(struct swt_groups *gs, struct group *g, uint64_t ts)
{
	/* Ordinary exits of one group are no news, unless swap came back with them. */
	if (g->n >= gs->cfg.least && (g->sender || g->entries))
		say(gs, g, ts);
	g->used = false;
}

static bool quiet(const struct swt_groups *gs, const struct group *g, uint64_t now)
{
	if (now < g->last_death || now - g->last_death < gs->cfg.quiet_ns)
		return false;
	return !g->pending || now - g->last_death >= PENDING_NS;
}

static struct group *new_group(struct swt_groups *gs, const struct swt_release *r, uint64_t ts)
{
	struct group *g = &gs->group[0];

	for (unsigned int i = 0; i < MAX_GROUPS; i++) {
		struct group *h = &gs->group[i];

		if (!h->used) {
			g = h;
			break;
		}
		if (h->last_death < g->last_death)
			g = h;
	}
	if (g->used)
		end_group(gs, g, ts);
	memset(g, 0, sizeof(*g));
	g->used = true;
	g->sender = r->sender;
	g->cgroup_known = r->cgroup != NULL;
	snprintf(g->cgroup, sizeof(g->cgroup), "%s", r->cgroup ? r->cgroup : "");
	g->first = r->start_ns;
	return g;
}

static uint64_t back_at(const struct swt_release *r)
{
	return r->released_at.known ? r->released_at.v : r->end_ns;
}

static void count(struct group *g, const struct swt_release *r)
{
	g->n++;
	if (r->freed.known)
		g->entries += r->freed.v;
	else
		g->uncounted++;
	/* Outstanding is only what waits for the worker; not that the parent has not reaped yet. */
	if (r->deferred.v && !r->released_at.known)
		g->pending++;
	if (r->start_ns < g->first)
		g->first = r->start_ns;
	if (r->end_ns > g->last_death)
		g->last_death = r->end_ns;
	if (back_at(r) > g->last_back)
		g->last_back = back_at(r);
	if (!r->cgroup || !g->cgroup_known)
		g->cgroup_mixed |= (r->cgroup != NULL) != g->cgroup_known;
	else
		g->cgroup_mixed |= strncmp(g->cgroup, r->cgroup, sizeof(g->cgroup) - 1) != 0;
}

static void update(struct group *g, const struct swt_release *r)
{
	/* Of this group, and of those that were outstanding when they were counted? */
	if (!g->pending || !r->deferred.v || !r->released_at.known || r->end_ns > g->last_death ||
	    r->start_ns < g->first || r->released_at.v <= r->end_ns)
		return;
	g->pending--;
	if (r->released_at.v > g->last_back)
		g->last_back = r->released_at.v;
}

int swt_groups_release(struct swt_groups *gs, const struct swt_release *r, enum swt_step step)
{
	struct group *g = NULL;

	/* An exec gives memory back and nobody died. */
	if (r->kind == SWT_REL_EXEC || r->held || !r->end_ns || (!r->sender && !r->cgroup))
		return 0;
	for (unsigned int i = 0; i < MAX_GROUPS && !g; i++)
		if (same(&gs->group[i], r))
			g = &gs->group[i];
	if (step == SWT_STEP_UPDATE) {
		if (g)
			update(g, r);
		return 0;
	}
	if (g && r->start_ns > g->last_death && r->start_ns - g->last_death >= gs->cfg.quiet_ns) {
		end_group(gs, g, r->end_ns);
		g = NULL;
	}
	if (!g)
		g = new_group(gs, r, r->end_ns);
	count(g, r);
	return 0;
}

void swt_groups_tick(struct swt_groups *gs, uint64_t now)
{
	for (unsigned int i = 0; i < MAX_GROUPS; i++)
		if (gs->group[i].used && quiet(gs, &gs->group[i], now))
			end_group(gs, &gs->group[i], now);
}

void swt_groups_end(struct swt_groups *gs, uint64_t now)
{
	for (unsigned int i = 0; i < MAX_GROUPS; i++)
		if (gs->group[i].used)
			end_group(gs, &gs->group[i], now);
}
