/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lag between gone and memory back, see memback.h.
 *
 * With others dying at the same time a rise of the level can be theirs or ours.  Earliest, ours is back when
 * the rise reaches 90 % of what we expect (all of it ours); latest, when it reaches that on top of everything
 * the others hold (ours came last).  Only when both moments are nearly the same is the lag known.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "model/memback.h"

#define MAX_OPEN      256
#define MAX_DONE      256
#define GIVE_UP_NS    (60 * SWT_NS_PER_SEC)
#define NEVER_GONE_NS (600 * SWT_NS_PER_SEC)
/* What the dead of this last second have not given back yet can still arrive. */
#define SHADOW_NS SWT_NS_PER_SEC
#define LEVELS	  64 /* samples kept, to find the one before a start that is told late */

struct level {
	uint64_t ts, bytes;
};

struct open {
	char id[SWT_MEMBACK_ID]; /* "" free */
	uint64_t start, gone, earliest, latest, before_latest;
	struct swt_opt base, expected, others;
};

struct swt_memback {
	struct level level[LEVELS];
	unsigned int nlevels, newest;
	struct open open[MAX_OPEN];
	unsigned int nopen; /* places in use are not packed; this only says when to look */
	struct swt_opt shadow;
	uint64_t shadow_until;
	struct swt_memback_done done[MAX_DONE];
	unsigned int first, ndone;
};

int swt_memback_new(struct swt_memback **ret)
{
	struct swt_memback *m = calloc(1, sizeof(*m));

	if (!m)
		return -ENOMEM;
	*ret = m;
	return 0;
}

void swt_memback_free(struct swt_memback *m)
{
	free(m);
}

static struct open *find(struct swt_memback *m, const char *id)
{
	for (unsigned int i = 0; m->nopen && i < MAX_OPEN; i++)
		if (m->open[i].id[0] && !strncmp(m->open[i].id, id, SWT_MEMBACK_ID - 1))
			return &m->open[i];
	return NULL;
}

/* The newest level at or before @ts. */
static struct swt_opt level_before(const struct swt_memback *m, uint64_t ts)
{
	for (unsigned int i = 0; i < m->nlevels; i++) {
		const struct level *l = &m->level[(m->newest + LEVELS - i) % LEVELS];

		if (l->ts <= ts)
			return swt_some(l->bytes);
	}
	return SWT_UNKNOWN;
}

static struct swt_opt opt_add(struct swt_opt a, struct swt_opt b)
{
	if (!a.known || !b.known || a.v + b.v < a.v)
		return SWT_UNKNOWN;
	return swt_some(a.v + b.v);
}

static void close_open(struct swt_memback *m, struct open *o)
{
	o->id[0] = '\0';
	m->nopen--;
}

static void push_done(struct swt_memback *m, struct open *o, uint64_t now, struct swt_opt lag)
{
	struct swt_opt rest = lag.known ? swt_some(o->expected.v / 10) : o->expected;
	struct swt_memback_done *d;

	m->shadow = opt_add(now < m->shadow_until ? m->shadow : swt_some(0), rest);
	m->shadow_until = now + SHADOW_NS;
	if (m->ndone == MAX_DONE) {
		m->first = (m->first + 1) % MAX_DONE;
		m->ndone--;
	}
	d = &m->done[(m->first + m->ndone++) % MAX_DONE];
	memcpy(d->id, o->id, sizeof(d->id));
	d->lag = lag;
	d->gone_ts = o->gone;
	d->back_ts = lag.known ? o->latest : 0;
	close_open(m, o);
}

void swt_memback_start(struct swt_memback *m, uint64_t ts, const char *id, struct swt_opt expected)
{
	struct open *o = NULL;

	if (!id[0] || find(m, id))
		return;
	if (!expected.v)
		expected = SWT_UNKNOWN;
	for (unsigned int i = 0; i < MAX_OPEN; i++) {
		if (!m->open[i].id[0])
			o = o ? o : &m->open[i];
		else
			m->open[i].others = opt_add(m->open[i].others, expected);
	}
	if (!o)
		return; /* too many at once: the others know of it, this one stays unknown */
	memset(o, 0, sizeof(*o));
	snprintf(o->id, sizeof(o->id), "%s", id);
	o->start = ts;
	o->base = level_before(m, ts);
	o->expected = expected;
	o->others = ts < m->shadow_until ? m->shadow : swt_some(0);
	for (unsigned int i = 0; m->nopen && i < MAX_OPEN; i++)
		if (m->open[i].id[0] && &m->open[i] != o)
			o->others = opt_add(o->others, m->open[i].expected);
	m->nopen++;
}

/* Both bounds are there and the process is gone: decide. */
static void decide(struct swt_memback *m, struct open *o, uint64_t now)
{
	uint64_t early, late, slack;

	if (!o->gone || !o->earliest || !o->latest)
		return;
	early = o->earliest > o->gone ? o->earliest - o->gone : 0;
	late = o->latest > o->gone ? o->latest - o->gone : 0;
	slack = o->latest - o->before_latest; /* one step between samples */
	if (late / 10 > slack)
		slack = late / 10;
	push_done(m, o, now, late - early <= slack ? swt_some(late) : SWT_UNKNOWN);
}

void swt_memback_gone(struct swt_memback *m, uint64_t ts, const char *id, struct swt_opt expected)
{
	struct open *o = find(m, id);

	if (!o) {
		swt_memback_start(m, ts, id, expected);
		o = find(m, id);
	}
	if (!o || o->gone)
		return;
	o->gone = ts;
	if (!o->expected.known || !o->base.known)
		push_done(m, o, ts, SWT_UNKNOWN);
	else
		decide(m, o, ts);
}

void swt_memback_drop(struct swt_memback *m, const char *id)
{
	struct open *o = find(m, id);

	if (o)
		close_open(m, o);
}

static void sample_one(struct swt_memback *m, struct open *o, uint64_t ts, uint64_t prev, uint64_t level)
{
	uint64_t rise, part;

	if (ts <= o->start)
		return;
	if (o->gone && ts > o->gone + GIVE_UP_NS) {
		push_done(m, o, ts, SWT_UNKNOWN);
		return;
	}
	if (!o->gone && ts > o->start + NEVER_GONE_NS) {
		close_open(m, o);
		return;
	}
	if (!o->base.known || !o->expected.known || level < o->base.v)
		return;
	rise = level - o->base.v;
	part = o->expected.v - o->expected.v / 10;
	if (!o->earliest && rise >= part)
		o->earliest = ts;
	if (!o->latest && o->others.known && rise >= part && rise - part >= o->others.v) {
		o->latest = ts;
		o->before_latest = prev;
		decide(m, o, ts);
	}
}

void swt_memback_sample(struct swt_memback *m, uint64_t ts, struct swt_opt swap_free,
			struct swt_opt mem_available)
{
	struct swt_opt level = opt_add(swap_free, mem_available);
	uint64_t prev;

	if (!level.known)
		return;
	prev = m->nlevels ? m->level[m->newest].ts : ts;
	if (m->nlevels && ts <= prev)
		return;
	m->newest = (m->newest + 1) % LEVELS;
	m->level[m->newest] = (struct level){ ts, level.v };
	if (m->nlevels < LEVELS)
		m->nlevels++;
	for (unsigned int i = 0; m->nopen && i < MAX_OPEN; i++)
		if (m->open[i].id[0])
			sample_one(m, &m->open[i], ts, prev, level.v);
}

bool swt_memback_next(struct swt_memback *m, struct swt_memback_done *ret)
{
	if (!m->ndone)
		return false;
	*ret = m->done[m->first];
	m->first = (m->first + 1) % MAX_DONE;
	m->ndone--;
	return true;
}

struct swt_opt swt_memback_lag(const struct swt_memback *m, const char *id)
{
	for (unsigned int i = 0; i < m->ndone; i++) {
		const struct swt_memback_done *d = &m->done[(m->first + i) % MAX_DONE];

		if (!strncmp(d->id, id, SWT_MEMBACK_ID - 1))
			return d->lag;
	}
	return SWT_UNKNOWN;
}
