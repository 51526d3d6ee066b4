/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rate, time left and the lines about a swapoff.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/fmt.h"
#include "model/swapoff-parts.h"

#define WINDOW_NS (10 * SWT_NS_PER_SEC)

void swapoff_add_point(struct swapoff_area *a, uint64_t ts, uint64_t used)
{
	unsigned int drop = 0;

	/*
	 * However often we are called, the points are about a second apart: the newest moves until it is that
	 * far.
	 */
	if (a->npoints > 1 &&
	    a->point[a->npoints - 1].ts - a->point[a->npoints - 2].ts < SWT_NS_PER_SEC * 9 / 10)
		a->npoints--;
	while (drop + 1 < a->npoints && a->point[drop + 1].ts + WINDOW_NS <= ts)
		drop++;
	if (!drop && a->npoints == SWAPOFF_POINTS)
		drop = 1;
	memmove(a->point, a->point + drop, (a->npoints - drop) * sizeof(a->point[0]));
	a->npoints -= drop;
	a->point[a->npoints++] = (struct swapoff_point){ ts, used };
}

static struct swt_opt rate_of(const struct swapoff_area *a)
{
	const struct swapoff_point *first = &a->point[0], *last = &a->point[a->npoints - 1];

	if (a->npoints < 2 || last->ts <= first->ts || last->used >= first->used)
		return SWT_UNKNOWN;
	return swt_some(
		(uint64_t)((double)(first->used - last->used) * 1e9 / (double)(last->ts - first->ts) + 0.5));
}

static void fill_state(const struct swapoff_area *a, uint64_t now, struct swt_swapoff_state *st)
{
	memset(st, 0, sizeof(*st));
	snprintf(st->name, sizeof(st->name), "%s", a->name);
	st->left = a->used;
	st->done = a->first_used > a->used ? a->first_used - a->used : 0;
	st->running = a->active;
	st->stalled = a->active && now >= a->moved + SWAPOFF_STALL_NS;
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

void swapoff_say(struct swt_swapoff *s, const struct swapoff_area *a, uint64_t ts, const char *more)
{
	struct swt_swapoff_state st;
	struct swt_buf line = SWT_BUF_INIT;

	fill_state(a, ts, &st);
	if (!swt_swapoff_line(&st, &line))
		swt_notef(&s->note, ts, SWT_NOTE_SWAPOFF, "%s%s", swt_buf_str(&line), more);
	swt_buf_free(&line);
}

void swapoff_progress(struct swt_swapoff *s, struct swapoff_area *a, uint64_t ts)
{
	uint64_t gap;

	if (ts >= a->moved + SWAPOFF_STALL_NS) {
		if (!a->stall_said) {
			char more[SWT_FMT_LEN + 8], span[SWT_FMT_LEN];

			a->stall_said = true;
			snprintf(more, sizeof(more), " for %s", swt_note_seconds(span, ts - a->moved));
			swapoff_say(s, a, ts, more);
		}
		return;
	}
	if (ts < a->next_note || !rate_of(a).known)
		return;
	swapoff_say(s, a, ts, "");
	gap = (ts - a->first_ts) / 2;
	gap = gap < SWT_NS_PER_SEC ? SWT_NS_PER_SEC : gap > 60 * SWT_NS_PER_SEC ? 60 * SWT_NS_PER_SEC : gap;
	a->next_note = ts + gap;
}

void swapoff_finished(struct swt_swapoff *s, const struct swapoff_area *a, uint64_t ts)
{
	uint64_t end = a->owner_end > a->first_ts ? a->owner_end : ts, t;
	bool exact = a->exact_start && a->owner_end > a->first_ts;
	char mib[SWT_FMT_LEN], span[SWT_FMT_LEN], rate[SWT_FMT_LEN], tries[64] = "";

	if (!a->first_used) {
		swt_notef(&s->note, ts, SWT_NOTE_SWAPOFF, "swapoff %s: it was empty", a->name);
		return;
	}
	t = end > a->first_ts ? end - a->first_ts : 1;
	if (a->attempts > 1 || a->killed)
		snprintf(tries, sizeof(tries), ", %u attempts, %u killed", a->attempts, a->killed);
	swt_notef(&s->note, ts, SWT_NOTE_SWAPOFF, "swapoff %s: %s in %s%s (%s)%s", a->name,
		  swt_note_mib(mib, a->first_used), exact ? "" : "at most ", swt_note_seconds(span, t),
		  swt_note_rate(rate, (uint64_t)((double)a->first_used * 1e9 / (double)t)), tries);
}

unsigned int swt_swapoff_get(const struct swt_swapoff *s, struct swt_swapoff_state *ret, unsigned int max)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < SWT_MAX_SWAPS && n < max; i++) {
		const struct swapoff_area *a = &s->area[i];

		if (!a->here || !(a->active || (a->first_ts && s->last < a->ended + SWAPOFF_FORGET_NS)))
			continue;
		fill_state(a, s->last, &ret[n++]);
	}
	return n;
}
