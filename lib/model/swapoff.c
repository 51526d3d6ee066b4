/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Running swapoffs, see swapoff.h.
 *
 * Seen on 6.18 with a swapoff of zram: from the first moment SwapTotal is what the area still uses and
 * SwapFree has nothing of it, while /proc/swaps goes on listing the area with its full size and the same
 * priority until the end.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/swapoff-parts.h"

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

void swt_swapoff_freed(struct swt_swapoff *s, uint64_t bytes)
{
	s->freed += bytes;
}

static struct swapoff_area *area_get(struct swt_swapoff *s, const char *name)
{
	struct swapoff_area *slot = NULL;

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
 * Which areas are being switched off, by arithmetic: SwapTotal lacks the free part of each.  Returns bits of
 * sys->area, and whether SwapTotal could say anything.  With several candidates the set that fits best wins,
 * and the smaller one of equals.
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

static void begin(struct swapoff_area *a, uint64_t ts, uint64_t used)
{
	if (!a->first_ts || ts > a->ended + SWAPOFF_FORGET_NS) {
		a->first_ts = ts;
		a->first_used = used;
		a->attempts = a->killed = 0;
		a->exact_start = false;
	}
	a->active = true;
	a->began = ts;
	a->stall_said = false;
	a->npoints = 0;
	a->moved = ts;
	a->next_note = 0;
	a->point[a->npoints++] = (struct swapoff_point){ ts, used };
}

static void gone(struct swt_swapoff *s, struct swapoff_area *a, uint64_t ts)
{
	if (!a->active) {
		/* Came and went between two samples, the last of which is the best known begin. */
		begin(a, a->prev_ts, a->used);
	}
	swapoff_assign(s, a);
	swapoff_finished(s, a, ts);
	swapoff_let_go(s, a);
	memset(a, 0, sizeof(*a));
}

/* Switched off and on again between two samples: the attempt is over, and hardly anything is in the area. */
static void came_back(struct swt_swapoff *s, struct swapoff_area *a, uint64_t ts)
{
	swapoff_assign(s, a);
	swapoff_finished(s, a, ts);
	swapoff_let_go(s, a);
	a->active = false;
	a->first_ts = 0;
	a->attempts = a->killed = 0;
	a->falls = 0;
}

static void stopped(struct swt_swapoff *s, struct swapoff_area *a, uint64_t ts)
{
	a->active = false;
	a->falls = 0;
	a->ended = ts;
	if (!a->attempts)
		a->attempts = 1; /* whose process was not seen */
	swapoff_say(s, a, ts, "");
	swapoff_let_go(s, a);
}

/*
 * Is the attempt over, with the area still there? Files are not read at one instant: SwapTotal must say so
 * twice.
 */
static bool is_over(const struct swt_swapoff *s, const struct swapoff_area *a, uint64_t ts, uint64_t used,
		    bool is_short, bool can_say)
{
	if (can_say)
		return !is_short && !a->was_short;
	/*
	 * Only a fall spoke for it; a rise, or a long stand-still with no process to be seen, speaks against
	 * it.
	 */
	return used > a->used || (!swapoff_any_proc(s) && ts > a->moved + 6 * SWAPOFF_STALL_NS);
}

/*
 * One listed area. @is_short, @can_say: what SwapTotal says; @explained: releases gave up as much as all
 * areas lost.
 */
static void listed(struct swt_swapoff *s, struct swapoff_area *a, uint64_t ts,
		   const struct swt_swap_area *now, bool is_short, bool can_say, bool explained)
{
	uint64_t used = now->used.v;
	bool fell = a->prev_ts && used < a->used;

	a->falls = fell && !explained ? a->falls + 1 : 0;
	if (!a->active) {
		bool sure = is_short && (a->was_short || fell);
		bool named = fell && swapoff_any_proc(s) && (is_short || !can_say);

		if (sure || named)
			begin(a, a->prev_ts ? a->prev_ts : ts, a->prev_ts ? a->used : used);
		else if (!can_say && a->falls == 1)
			a->point[0] = (struct swapoff_point){ a->prev_ts,
							      a->used }; /* begins here, if it goes on */
		else if (!can_say && a->falls >= 2)
			begin(a, a->point[0].ts, a->point[0].used);
	} else if (is_over(s, a, ts, used, is_short, can_say)) {
		a->used = used;
		a->size = now->size.v;
		if (used <= a->first_used / 64)
			came_back(s, a, ts);
		else
			stopped(s, a, ts);
	}
	if (!is_short)
		a->seen_short = 0;
	else if (!a->seen_short)
		a->seen_short = ts;
	a->was_short = is_short;
	if (a->active && used != a->used) {
		a->moved = ts;
		a->stall_said = false;
	}
	a->used = used;
	a->size = now->size.v;
	a->prev_ts = ts;
	if (a->active)
		swapoff_add_point(a, ts, used);
}

void swt_swapoff_areas(struct swt_swapoff *s, uint64_t ts, const struct swt_sys *sys)
{
	struct swapoff_area *of[SWT_MAX_SWAPS] = { NULL };
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
	swapoff_assign(s, NULL);
	for (unsigned int i = 0; i < sys->nareas; i++)
		if (of[i] && of[i]->active)
			swapoff_progress(s, of[i], ts);
	for (unsigned int i = 0; i < SWAPOFF_PROCS; i++) /* nobody's: ended long ago without moving an area */
		if (s->proc[i].end && (s->proc[i].taken || ts > s->proc[i].end + SWAPOFF_STALL_NS))
			s->proc[i].pid = 0;
}
