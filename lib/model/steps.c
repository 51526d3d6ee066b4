/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entries and swap time of a release from kmem:rss_stat.
 *
 * While an address space is unmapped the kernel emits one event per changed counter and page table, all counters
 * of a page table together.  Sizes are absolute, so a lost or unseen event makes a step larger, not wrong.  A page table
 * in which only MM_SWAPENTS changed took its time for swap; in a mixed one the entries are charged at the rate
 * of the pure ones.
 */
#include "model/teardown.h"

/* Counters of one page table come within a few events of each other; freeing one takes longer. */
#define BURST_NS 5000

/* Entries one page table can hold: the most the first step can have taken away already. */
static uint64_t table_entries(const struct swt_model *m)
{
	return m->cfg.page_size / 8;
}

static bool fits(const struct swt_model *m, struct swt_opt before, uint64_t after)
{
	return before.known && before.v >= after && before.v - after <= table_entries(m);
}

/*
 * What was there at the start, given the first size seen after it.  What is remembered may be out of date: with a
 * watch list the kernel does not tell us what reclaim did to the address space in the meantime, so
 * then the newer of event and sample has to fit.
 */
void swt_step_start(struct swt_model *m, struct swt_td *td, uint64_t after)
{
	bool sample_fits = fits(m, td->sample, after);
	bool trust = td->e0.known && td->e0_fresh && (swt_rss_all(m) || after <= td->e0.v);

	if (trust && (swt_rss_all(m) || !sample_fits || td->sample_ts <= td->e0_ts)) {
		td->r.swap_entries = td->e0;
		td->r.by_entries = SWT_BY_RSS_STAT;
	} else if (sample_fits) {
		td->r.swap_entries = td->sample;
		td->r.by_entries = td->sample_by == SWT_BY_VMSWAP ? SWT_BY_VMSWAP_RSS : td->sample_by;
	} else if (fits(m, td->e0, after)) {
		td->r.swap_entries = td->e0;
		td->r.by_entries = SWT_BY_RSS_STAT;
	}
}

static void close_burst(struct swt_steps *s)
{
	uint64_t ns;

	if (!s->open)
		return;
	ns = s->prev_end && s->end > s->prev_end ? s->end - s->prev_end : 0;
	if (s->entries && (s->mixed || !s->has_prev)) {
		s->mixed_ns += ns;
		s->mixed_entries += s->entries;
	} else if (s->entries) {
		s->pure_ns += ns;
		s->pure_entries += s->entries;
	}
	s->prev_end = s->end;
	s->has_prev = true;
	s->open = false;
}

static void burst(struct swt_steps *s, uint64_t ts, int member, uint64_t freed)
{
	if (!s->open || member <= s->member || ts - s->end > BURST_NS) {
		close_burst(s);
		s->open = true;
		s->mixed = false;
		s->entries = 0;
		s->first_ts = ts;
	}
	if (member == 2)
		s->entries += freed;
	else
		s->mixed = true;
	s->member = member;
	s->end = ts;
}

static uint64_t swap_step(struct swt_model *m, struct swt_td *td, uint64_t ts, uint64_t now, bool foreign)
{
	struct swt_steps *s = &td->steps;
	struct swt_opt before;
	uint64_t freed = 0;

	if (!s->seen) {
		if (!td->r.swap_entries.known)
			swt_step_start(m, td, now);
		before = td->r.swap_entries;
	} else {
		before = swt_some(s->last);
	}
	if (before.known && now > before.v) {
		td->dying = swt_some(swt_opt_or(td->dying, 0) + (now - before.v));
		/* It grew before anything was freed: what was seen first is what there was. */
		if (s->seen && !s->fell && !td->r.swap_entries.known) {
			td->r.swap_entries = before;
			td->r.by_entries = SWT_BY_RSS_STAT;
		}
	} else if (before.known && now < before.v) {
		s->fell = true;
		freed = before.v - now;
		if (foreign)
			td->other_freed += freed;
	}
	s->seen = true;
	s->last = now;
	s->last_ts = ts;
	return freed;
}

void swt_step(struct swt_model *m, struct swt_td *td, uint64_t ts, int member, struct swt_opt entries,
	      bool foreign)
{
	struct swt_steps *s = &td->steps;
	uint64_t freed = 0;

	if (member == 2 && !entries.known)
		s->bad = true;
	else if (member == 2)
		freed = swap_step(m, td, ts, entries.v, foreign);
	if (foreign)
		return;
	s->any_ts = ts;
	burst(s, ts, member, freed);
}

static void entries_unseen(struct swt_model *m, struct swt_td *td, bool released)
{
	struct swt_release *r = &td->r;
	bool watched = swt_rss_all(m) || td->steps.any_ts;
	bool contradicts = td->e0.known && td->e0_fresh && td->e0.v;

	if (released && watched && r->complete && r->by_end != SWT_BY_NONE && !contradicts) {
		r->swap_entries = r->swapped_dying = r->freed = swt_some(0);
		r->by_entries = SWT_BY_RSS_STAT;
		return;
	}
	if (td->e0.known && td->e0_fresh && (!td->sample.known || td->e0_ts >= td->sample_ts)) {
		r->swap_entries = td->e0;
		r->by_entries = SWT_BY_RSS_STAT;
	} else if (td->sample.known) {
		r->swap_entries = td->sample;
		r->by_entries = td->sample_by;
	} else if (td->e0.known && td->e0_fresh) {
		r->swap_entries = td->e0;
		r->by_entries = SWT_BY_RSS_STAT;
	}
}

static void entries_seen(struct swt_td *td)
{
	struct swt_release *r = &td->r;
	uint64_t dying = swt_opt_or(td->dying, 0), gone = td->other_freed + td->steps.last, total;

	if (td->steps.bad)
		return;
	r->swapped_dying = swt_some(dying);
	if (!r->swap_entries.known || __builtin_add_overflow(r->swap_entries.v, dying, &total))
		return;
	r->freed = swt_opt_sub(swt_some(total), swt_some(gone));
}

static void swap_time(struct swt_td *td)
{
	struct swt_steps *s = &td->steps;
	struct swt_release *r = &td->r;
	uint64_t extra;

	close_burst(s);
	if (r->swap_ns.known || !s->pure_entries || s->pure_entries < s->mixed_entries)
		return;
	if (__builtin_mul_overflow(s->mixed_entries, s->pure_ns, &extra))
		extra = s->mixed_ns;
	else
		extra /= s->pure_entries;
	r->swap_ns = swt_some(s->pure_ns + (extra < s->mixed_ns ? extra : s->mixed_ns));
	r->by_swap_ns = SWT_BY_RSS_STAT;
}

void swt_step_result(struct swt_model *m, struct swt_td *td, bool released)
{
	struct swt_release *r = &td->r;

	/* A single step is one moment: how long the teardown took is not in it. */
	if (r->by_start != SWT_BY_NONE && r->by_end != SWT_BY_NONE &&
	    !(r->by_start == r->by_end && r->start_ns == r->end_ns))
		r->teardown = swt_opt_sub(swt_some(r->end_ns), swt_some(r->start_ns));
	if (!r->freed.known && !td->steps.seen && !td->steps.bad)
		entries_unseen(m, td, released);
	else if (!r->freed.known)
		entries_seen(td);
	swap_time(td);
	if (r->freed.known && !r->freed.v && !td->steps.bad) {
		/* Nothing to free: no time went into it, and no rate can be given. */
		r->swap_ns = swt_some(0);
		r->ns_per_entry = SWT_UNKNOWN;
	} else if (r->swap_ns.known && r->freed.known && r->freed.v) {
		r->ns_per_entry = swt_some(r->swap_ns.v / r->freed.v);
	}
	if (r->swap_ns.known && r->teardown.known && r->swap_ns.v > r->teardown.v)
		r->swap_ns = r->teardown;
	r->other_ns = swt_opt_sub(r->teardown, r->swap_ns);
}
