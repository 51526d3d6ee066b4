/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Running swapoffs, see swapoff.h.
 *
 * Seen on 6.18 with a swapoff of zram: from the first moment SwapTotal is what the area still uses and SwapFree has nothing
 * of it, while /proc/swaps goes on listing the area with its full size and the same priority until the end.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "model/swapoff.h"

#define MAX_PROCS 32
#define POINTS	  12 /* about one a second: the rate is over the last 10 s */
#define STALL_NS  (10 * SWT_NS_PER_SEC)
#define WINDOW_NS (10 * SWT_NS_PER_SEC)
/* Attempts further apart are not the same shutdown or the same person trying. */
#define FORGET_NS (600 * SWT_NS_PER_SEC)

struct proc {
	pid_t pid;	     /* 0: the place is free */
	uint64_t start, end; /* end 0: alive */
	bool killed, taken;  /* taken: counted for an area */
};

struct point {
	uint64_t ts, used;
};

struct area {
	char name[128];
	bool here, listed, active, was_short;
	unsigned int falls;		      /* samples running in which the use fell without a reason */
	uint64_t size, used, prev_ts;	      /* as of the last sample */
	uint64_t first_ts, first_used, ended; /* of all attempts; end of the last one */
	bool exact_start;
	struct point point[POINTS];
	unsigned int npoints;
	uint64_t moved; /* when the use last changed */
	bool stall_said;
	uint64_t next_note;
	unsigned int attempts, killed;
	pid_t owner; /* living swapoff that works on it, 0 unknown */
	uint64_t owner_end;
};

struct swt_swapoff {
	struct swt_noter note;
	struct proc proc[MAX_PROCS];
	struct area area[SWT_MAX_SWAPS];
	uint64_t last, freed;
};

int swt_swapoff_new(const struct swt_noter *note, struct swt_swapoff **ret)
{
	struct swt_swapoff *s = calloc(1, sizeof(*s));

	if (!s)
		return -ENOMEM;
	s->note = *note;
	*ret = s;
	return 0;
}

void swt_swapoff_free(struct swt_swapoff *s)
{
	free(s);
}

void swt_swapoff_proc_start(struct swt_swapoff *s, uint64_t ts, pid_t pid)
{
	struct proc *slot = NULL;

	if (pid <= 0)
		return;
	for (unsigned int i = 0; i < MAX_PROCS; i++) {
		struct proc *p = &s->proc[i];

		if (p->pid == pid && !p->end)
			return; /* seen by exec and again in /proc */
		/* A free place, else the oldest. */
		if (!slot || (slot->pid && (!p->pid || p->start < slot->start)))
			slot = p;
	}
	*slot = (struct proc){ .pid = pid, .start = ts };
}

void swt_swapoff_proc_end(struct swt_swapoff *s, uint64_t ts, pid_t pid, bool killed)
{
	struct proc *p = NULL;

	for (unsigned int i = 0; i < MAX_PROCS && !p; i++)
		if (s->proc[i].pid == pid && !s->proc[i].end)
			p = &s->proc[i];
	if (!p || pid <= 0)
		return;
	p->end = ts;
	p->killed = killed;
	for (unsigned int i = 0; i < SWT_MAX_SWAPS; i++) {
		struct area *a = &s->area[i];

		if (!a->here || a->owner != pid)
			continue;
		a->killed += killed;
		a->owner = 0;
		a->owner_end = killed ? 0 : ts;
	}
}

void swt_swapoff_freed(struct swt_swapoff *s, uint64_t bytes)
{
	s->freed += bytes;
}

static struct area *area_get(struct swt_swapoff *s, const char *name)
{
	struct area *slot = NULL;

	for (unsigned int i = 0; i < SWT_MAX_SWAPS; i++) {
		if (s->area[i].here && !strcmp(s->area[i].name, name))
			return &s->area[i];
		if (!s->area[i].here && !slot)
			slot = &s->area[i];
	}
	if (slot) {
		memset(slot, 0, sizeof(*slot));
		slot->here = true;
		snprintf(slot->name, sizeof(slot->name), "%s", name);
	}
	return slot;
}

/*
 * Which areas are being switched off, by arithmetic: SwapTotal lacks the free part of each.  Returns bits of sys->area,
 * and whether SwapTotal could say anything.  With several candidates the set that fits best wins, and the smaller one of equals.
 */
static uint32_t short_areas(const struct swt_sys *sys, bool *can_say)
{
	unsigned int n = sys->nareas < 12 ? sys->nareas : 12;
	uint64_t sum = 0, gap, best_miss = UINT64_MAX;
	uint32_t best = 0;

	*can_say = sys->swap_total.known;
	for (unsigned int i = 0; i < sys->nareas; i++) {
		*can_say = *can_say && sys->area[i].size.known && sys->area[i].used.known;
		sum += sys->area[i].size.v;
	}
	if (!*can_say || sum <= sys->swap_total.v)
		return 0;
	gap = sum - sys->swap_total.v;
	for (uint32_t set = 1; set < 1u << n; set++) {
		uint64_t free_part = 0, miss;

		for (unsigned int i = 0; i < n; i++)
			if (set >> i & 1 && sys->area[i].size.v > sys->area[i].used.v)
				free_part += sys->area[i].size.v - sys->area[i].used.v;
		miss = free_part > gap ? free_part - gap : gap - free_part;
		if (miss < best_miss ||
		    (miss == best_miss && __builtin_popcount(set) < __builtin_popcount(best))) {
			best = set;
			best_miss = miss;
		}
	}
	return best;
}

static bool any_proc(const struct swt_swapoff *s)
{
	for (unsigned int i = 0; i < MAX_PROCS; i++)
		if (s->proc[i].pid && (!s->proc[i].end || !s->proc[i].taken))
			return true;
	return false;
}

static void begin(struct area *a, uint64_t ts, uint64_t used)
{
	if (!a->first_ts || ts > a->ended + FORGET_NS) {
		a->first_ts = ts;
		a->first_used = used;
		a->attempts = a->killed = 0;
		a->exact_start = false;
	}
	a->active = true;
	a->stall_said = false;
	a->npoints = 0;
	a->moved = ts;
	a->next_note = 0;
	a->point[a->npoints++] = (struct point){ ts, used };
}

/* Give living and just ended swapoffs to the areas they work on; only when there is no choice. */
static void assign(struct swt_swapoff *s, const struct area *gone)
{
	for (;;) {
		struct area *only = NULL;
		struct proc *p = NULL;
		unsigned int free_areas = 0;

		for (unsigned int i = 0; i < SWT_MAX_SWAPS; i++) {
			struct area *a = &s->area[i];

			if (a->here && (a->active || a == gone) && !a->owner) {
				only = a;
				free_areas++;
			}
		}
		for (unsigned int i = 0; i < MAX_PROCS; i++) {
			struct proc *q = &s->proc[i];

			if (q->pid && !q->taken && (!p || q->start < p->start))
				p = q;
		}
		if (!p || free_areas != 1)
			return;
		p->taken = true;
		if (!only->attempts && only->first_ts < p->start && only->was_short)
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

/* A living swapoff may go on to the next area ("swapoff -a"). */
static void let_go(struct swt_swapoff *s, struct area *a)
{
	for (unsigned int i = 0; i < MAX_PROCS; i++)
		if (a->owner && s->proc[i].pid == a->owner && !s->proc[i].end)
			s->proc[i].taken = false;
	a->owner = 0;
}

static void add_point(struct area *a, uint64_t ts, uint64_t used)
{
	unsigned int drop = 0;

	if (a->npoints && ts < a->point[a->npoints - 1].ts + SWT_NS_PER_SEC * 9 / 10 && a->npoints > 1)
		a->npoints--; /* replaces the newest: the ring must span 10 s, however often we are called */
	while (drop + 1 < a->npoints && a->point[drop + 1].ts + WINDOW_NS <= ts)
		drop++;
	if (!drop && a->npoints == POINTS)
		drop = 1;
	memmove(a->point, a->point + drop, (a->npoints - drop) * sizeof(a->point[0]));
	a->npoints -= drop;
	a->point[a->npoints++] = (struct point){ ts, used };
}

static struct swt_opt rate_of(const struct area *a)
{
	const struct point *first = &a->point[0], *last = &a->point[a->npoints - 1];

	if (a->npoints < 2 || last->ts <= first->ts || last->used >= first->used)
		return SWT_UNKNOWN;
	return swt_some(
		(uint64_t)((double)(first->used - last->used) * 1e9 / (double)(last->ts - first->ts) + 0.5));
}

static void fill_state(const struct area *a, uint64_t now, struct swt_swapoff_state *st)
{
	memset(st, 0, sizeof(*st));
	snprintf(st->name, sizeof(st->name), "%s", a->name);
	st->left = a->used;
	st->done = a->first_used > a->used ? a->first_used - a->used : 0;
	st->running = a->active;
	st->stalled = a->active && now >= a->moved + STALL_NS;
	st->attempts = a->attempts;
	st->killed = a->killed;
	if (!a->active || st->stalled)
		return;
	st->rate = rate_of(a);
	if (st->rate.known && st->rate.v && (double)a->used / (double)st->rate.v < 1e9)
		st->eta_ns = swt_some((uint64_t)((double)a->used / (double)st->rate.v * 1e9));
}

int swt_swapoff_line(const struct swt_swapoff_state *st, struct swt_buf *out)
{
	char text[SWT_FMT_LEN];
	int rc;

	rc = swt_buf_addf(out, "swapoff %s: %s left", st->name, swt_fmt_bytes(text, sizeof(text), st->left));
	if (!rc && (st->attempts > 1 || st->killed))
		rc = swt_buf_addf(out, ", %u attempt%s, %u killed", st->attempts,
				  st->attempts == 1 ? "" : "s", st->killed);
	if (!rc && !st->running)
		return swt_buf_adds(out, ", not running");
	if (!rc && st->stalled)
		return swt_buf_adds(out, ", stalled");
	if (!rc && st->rate.known)
		rc = swt_buf_addf(out, ", %s", swt_note_rate(text, st->rate.v));
	if (!rc && st->eta_ns.known)
		rc = swt_buf_addf(out, ", ETA about %s", swt_note_seconds(text, st->eta_ns.v));
	return rc;
}

static void say(struct swt_swapoff *s, const struct area *a, uint64_t ts, const char *more)
{
	struct swt_swapoff_state st;
	struct swt_buf line = SWT_BUF_INIT;

	fill_state(a, ts, &st);
	if (!swt_swapoff_line(&st, &line))
		swt_notef(&s->note, ts, SWT_NOTE_SWAPOFF, "%s%s", swt_buf_str(&line), more);
	swt_buf_free(&line);
}

/* Progress: often at first, then less often, at least once a minute. */
static void progress(struct swt_swapoff *s, struct area *a, uint64_t ts)
{
	uint64_t gap;

	if (ts >= a->moved + STALL_NS) {
		if (!a->stall_said) {
			char more[SWT_FMT_LEN + 8], span[SWT_FMT_LEN];

			a->stall_said = true;
			snprintf(more, sizeof(more), " for %s", swt_note_seconds(span, ts - a->moved));
			say(s, a, ts, more);
		}
		return;
	}
	if (ts < a->next_note || !rate_of(a).known)
		return;
	say(s, a, ts, "");
	gap = (ts - a->first_ts) / 2;
	gap = gap < SWT_NS_PER_SEC ? SWT_NS_PER_SEC : gap > 60 * SWT_NS_PER_SEC ? 60 * SWT_NS_PER_SEC : gap;
	a->next_note = ts + gap;
}

/* The area is gone from /proc/swaps: it took from first_ts to the end of the process, or at most until now. */
static void finished(struct swt_swapoff *s, struct area *a, uint64_t ts)
{
	uint64_t end = a->owner_end > a->first_ts ? a->owner_end : ts, t;
	bool exact = a->exact_start && a->owner_end > a->first_ts;
	char mib[SWT_FMT_LEN], span[SWT_FMT_LEN], rate[SWT_FMT_LEN], tries[64] = "";

	t = end > a->first_ts ? end - a->first_ts : 1;
	if (a->attempts > 1 || a->killed)
		snprintf(tries, sizeof(tries), ", %u attempts, %u killed", a->attempts, a->killed);
	swt_notef(&s->note, ts, SWT_NOTE_SWAPOFF, "swapoff %s: %s in %s%s (%s)%s", a->name,
		  swt_note_mib(mib, a->first_used), exact ? "" : "at most ", swt_note_seconds(span, t),
		  swt_note_rate(rate, (uint64_t)((double)a->first_used * 1e9 / (double)t)), tries);
}

static void gone(struct swt_swapoff *s, struct area *a, uint64_t ts)
{
	if (!a->active) {
		/* Came and went between two samples, the last of which is the best known begin. */
		begin(a, a->prev_ts, a->used);
	}
	assign(s, a);
	finished(s, a, ts);
	let_go(s, a);
	memset(a, 0, sizeof(*a));
}

static void stopped(struct swt_swapoff *s, struct area *a, uint64_t ts)
{
	a->active = false;
	a->falls = 0;
	a->ended = ts;
	say(s, a, ts, "");
	let_go(s, a);
}

/* One listed area. @is_short, @can_say: what SwapTotal says; @explained: releases gave up as much as all areas lost. */
static void listed(struct swt_swapoff *s, struct area *a, uint64_t ts, const struct swt_swap_area *now,
		   bool is_short, bool can_say, bool explained)
{
	uint64_t used = now->used.v;
	bool fell = a->prev_ts && used < a->used;

	a->falls = fell && !explained ? a->falls + 1 : 0;
	if (!a->active) {
		bool sure = is_short && (a->was_short || fell);
		bool named = fell && any_proc(s) && (is_short || !can_say);

		if (sure || named)
			begin(a, a->prev_ts ? a->prev_ts : ts, a->prev_ts ? a->used : used);
		else if (!can_say && a->falls == 1)
			a->point[0] = (struct point){ a->prev_ts, a->used }; /* begins here, if it goes on */
		else if (!can_say && a->falls >= 2)
			begin(a, a->point[0].ts, a->point[0].used);
	} else if (can_say ? !is_short && !a->was_short : used > a->used) {
		a->used = used;
		a->size = now->size.v;
		stopped(s, a, ts);
	}
	a->was_short = is_short;
	if (a->active && used != a->used) {
		a->moved = ts;
		a->stall_said = false;
	}
	a->used = used;
	a->size = now->size.v;
	a->prev_ts = ts;
	if (a->active)
		add_point(a, ts, used);
}

void swt_swapoff_areas(struct swt_swapoff *s, uint64_t ts, const struct swt_sys *sys)
{
	struct area *of[SWT_MAX_SWAPS] = { NULL };
	uint64_t fall = 0;
	uint32_t off;
	bool can_say, explained;

	if (!sys->areas_known || (s->last && ts <= s->last))
		return;
	s->last = ts;
	for (unsigned int i = 0; i < SWT_MAX_SWAPS; i++)
		s->area[i].listed = false;
	for (unsigned int i = 0; i < sys->nareas; i++) {
		of[i] = sys->area[i].used.known ? area_get(s, sys->area[i].name) : NULL;
		if (!of[i])
			continue;
		of[i]->listed = true;
		if (of[i]->prev_ts && of[i]->used > sys->area[i].used.v)
			fall += of[i]->used - sys->area[i].used.v;
	}
	explained = fall <= s->freed;
	s->freed = 0;
	for (unsigned int i = 0; i < SWT_MAX_SWAPS; i++)
		if (s->area[i].here && !s->area[i].listed)
			gone(s, &s->area[i], ts);
	off = short_areas(sys, &can_say);
	for (unsigned int i = 0; i < sys->nareas; i++)
		if (of[i])
			listed(s, of[i], ts, &sys->area[i], i < 32 && off >> i & 1, can_say, explained);
	assign(s, NULL);
	for (unsigned int i = 0; i < sys->nareas; i++)
		if (of[i] && of[i]->active)
			progress(s, of[i], ts);
	for (unsigned int i = 0; i < MAX_PROCS; i++) /* nobody's: ended long ago without moving an area */
		if (s->proc[i].end && (s->proc[i].taken || ts > s->proc[i].end + STALL_NS))
			s->proc[i].pid = 0;
}

unsigned int swt_swapoff_get(const struct swt_swapoff *s, struct swt_swapoff_state *ret, unsigned int max)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < SWT_MAX_SWAPS && n < max; i++) {
		const struct area *a = &s->area[i];

		if (!a->here || !(a->active || (a->first_ts && s->last < a->ended + FORGET_NS)))
			continue;
		fill_state(a, s->last, &ret[n++]);
	}
	return n;
}
