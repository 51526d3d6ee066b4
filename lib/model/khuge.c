/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * khugepaged: counters over time and the events of address spaces, see khuge.h.
 */
/* Keys are addresses; the stock function falls through switch labels, which clang does not accept here. */
#define HASH_FUNCTION(key, len, hash) ((hash) = swt_khuge_hash(key, len))
#define HASH_NONFATAL_OOM	      1
#define uthash_nonfatal_oom(obj)      ((void)(obj))
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "model/khuge-parts.h"

/* Address spaces followed at once; what is forgotten stays in the sums, without a name. */
#define MAX_MMS	  2048
#define MAX_FALLS 64
#define RECENT	  8
/* A live sample is newer than events still in the rings: they had come by then. */
#define SETTLE_NS    (SWT_NS_PER_SEC / 2)
#define NO_RESULT_NS (10 * SWT_NS_PER_SEC)

struct mm {
	uint64_t addr;
	pid_t pid; /* 0: not known yet */
	char comm[64];
	uint64_t scans, swapped_in; /* of the interval */
	uint64_t unsaid;	    /* pages read in that no note has told */
	struct read_in {
		uint64_t ts, pages;
	} recent[RECENT]; /* the last times it was read in, for settle() */
	unsigned int nrecent;
	UT_hash_handle hh;
};

/* A process whose swap fell while it slept, until settle() looks for the mm that fits. */
struct fall {
	pid_t pid; /* 0: free */
	char comm[64];
	uint64_t since, ts, pages;
};

struct sample {
	uint64_t ts; /* 0: none */
	struct swt_khugepaged s;
};

struct swt_khuge {
	struct swt_khuge_cfg cfg;
	struct mm *mms;
	struct swt_sleeper *sleepers;
	struct fall fall[MAX_FALLS];
	struct sample base, last, idle; /* last report, newest, begin of a stretch without a result */
	uint64_t idle_span;
	uint64_t unnamed;
	uint64_t swapped_in;
	struct swt_named_count result[SWT_MAX_RESULTS];
	unsigned int nresults;
	uint64_t other_results;
};

int swt_khuge_new(const struct swt_khuge_cfg *cfg, struct swt_khuge **ret)
{
	struct swt_khuge *k = calloc(1, sizeof(*k));

	if (!k)
		return -ENOMEM;
	k->cfg = *cfg;
	if (!k->cfg.page_size)
		k->cfg.page_size = 4096;
	if (!k->cfg.user_hz)
		k->cfg.user_hz = 100;
	if (!k->cfg.bits)
		k->cfg.bits = 64;
	k->idle_span = NO_RESULT_NS;
	*ret = k;
	return 0;
}

static void mm_drop(struct swt_khuge *k, struct mm *mm)
{
	if (!mm->pid)
		k->unnamed += mm->unsaid;
	HASH_DEL(k->mms, mm);
	free(mm);
}

static void mm_drop_all(struct swt_khuge *k)
{
	struct mm *mm, *tmp;

	HASH_ITER(hh, k->mms, mm, tmp)
	mm_drop(k, mm);
}

void swt_khuge_free(struct swt_khuge *k)
{
	if (!k)
		return;
	mm_drop_all(k);
	swt_sleepers_free(&k->sleepers);
	free(k);
}

static struct mm *mm_find(struct swt_khuge *k, uint64_t addr)
{
	struct mm *mm;

	HASH_FIND(hh, k->mms, &addr, sizeof(addr), mm);
	return mm;
}

/*
 * Make room: first those that nothing happened to in this interval, then the older half (hash order is age).
 */
static void mm_make_room(struct swt_khuge *k)
{
	unsigned int n = HASH_COUNT(k->mms), half = n / 2;
	struct mm *mm, *tmp;

	if (n < MAX_MMS)
		return;
	HASH_ITER(hh, k->mms, mm, tmp)
	if (!mm->scans && !mm->unsaid)
		mm_drop(k, mm);
	HASH_ITER(hh, k->mms, mm, tmp)
	{
		if (HASH_COUNT(k->mms) <= half)
			break;
		mm_drop(k, mm);
	}
}

static struct mm *mm_get(struct swt_khuge *k, uint64_t addr)
{
	struct mm *mm = mm_find(k, addr);

	if (mm)
		return mm;
	mm_make_room(k);
	mm = calloc(1, sizeof(*mm));
	if (!mm)
		return NULL;
	mm->addr = addr;
	HASH_ADD(hh, k->mms, addr, sizeof(mm->addr), mm);
	if (!mm->hh.tbl) {
		free(mm);
		return NULL;
	}
	return mm;
}

static void count_result(struct swt_khuge *k, const struct swt_event *ev, unsigned int field)
{
	const char *name;
	char number[48];
	unsigned int i;

	if (!swt_event_has(ev, field))
		return;
	name = k->cfg.formats ? swt_formats_symbol(k->cfg.formats, ev->id, field, ev->f[field]) : NULL;
	if (!name) {
		snprintf(number, sizeof(number), "status %" PRId64, ev->f[field]);
		name = number;
	}
	/* A range found fit is then collapsed, and how that went is told by an event of its own. */
	if (ev->id == SWT_EV_KHUGE_SCAN_PMD && !strcmp(name, "succeeded") &&
	    swt_formats_have(k->cfg.formats, SWT_EV_KHUGE_COLLAPSE))
		return;
	for (i = 0; i < k->nresults; i++)
		if (!strncmp(k->result[i].name, name, sizeof(k->result[i].name) - 1))
			break;
	if (i == SWT_MAX_RESULTS - 1) { /* the last place is for all that did not fit */
		k->other_results++;
		return;
	}
	if (i == k->nresults) {
		snprintf(k->result[i].name, sizeof(k->result[i].name), "%s", name);
		k->result[i].count = 0;
		k->nresults++;
	}
	k->result[i].count++;
}

static void scanned(struct swt_khuge *k, const struct swt_event *ev, unsigned int mm_field)
{
	struct mm *mm = swt_event_has(ev, mm_field) ? mm_get(k, (uint64_t)ev->f[mm_field]) : NULL;

	if (mm)
		mm->scans++;
}

static void swapin(struct swt_khuge *k, const struct swt_event *ev)
{
	int64_t n = ev->f[SWT_F_KHUGE_SWAPIN_SWAPPED_IN];
	struct mm *mm;

	if (!swt_event_has(ev, SWT_F_KHUGE_SWAPIN_SWAPPED_IN) || n <= 0)
		return;
	k->swapped_in += (uint64_t)n;
	mm = swt_event_has(ev, SWT_F_KHUGE_SWAPIN_MM) ? mm_get(k, (uint64_t)ev->f[SWT_F_KHUGE_SWAPIN_MM])
						      : NULL;
	if (!mm) {
		k->unnamed += (uint64_t)n;
		return;
	}
	mm->swapped_in += (uint64_t)n;
	mm->unsaid += (uint64_t)n;
	mm->recent[mm->nrecent++ % RECENT] = (struct read_in){ ev->ts, (uint64_t)n };
}

void swt_khuge_event(struct swt_khuge *k, const struct swt_event *ev)
{
	int pid = k->last.s.pid;

	if (pid && ev->task != pid)
		return;
	switch (ev->id) {
	case SWT_EV_KHUGE_SCAN_PMD:
		scanned(k, ev, SWT_F_KHUGE_SCAN_PMD_MM);
		count_result(k, ev, SWT_F_KHUGE_SCAN_PMD_STATUS);
		break;
	case SWT_EV_KHUGE_SCAN_FILE:
		scanned(k, ev, SWT_F_KHUGE_SCAN_FILE_MM);
		count_result(k, ev, SWT_F_KHUGE_SCAN_FILE_RESULT);
		break;
	case SWT_EV_KHUGE_COLLAPSE:
		count_result(k, ev, SWT_F_KHUGE_COLLAPSE_STATUS);
		break;
	case SWT_EV_KHUGE_SWAPIN:
		swapin(k, ev);
		break;
	default:
		break;
	}
}

static void say_swapin(struct swt_khuge *k, uint64_t ts, struct mm *mm, const char *how)
{
	char n[SWT_FMT_LEN];

	if (!mm->unsaid)
		return;
	swt_fmt_count(n, sizeof(n), mm->unsaid);
	swt_notef(&k->cfg.note, ts, SWT_NOTE_KHUGEPAGED, "%s page%s read in by khugepaged for pid %d%s%s%s%s",
		  n, mm->unsaid == 1 ? "" : "s", (int)mm->pid, mm->comm[0] ? " (" : "", mm->comm,
		  mm->comm[0] ? ")" : "", how);
	mm->unsaid = 0;
}

static void name_mm(struct mm *mm, pid_t pid, const char *comm)
{
	mm->pid = pid;
	snprintf(mm->comm, sizeof(mm->comm), "%s", comm ? comm : "");
}

void swt_khuge_owner(struct swt_khuge *k, uint64_t ts, uint64_t addr, pid_t pid, const char *comm)
{
	struct mm *mm = mm_find(k, addr);

	if (!mm)
		return;
	if (pid > 0) {
		name_mm(mm, pid, comm);
		say_swapin(k, ts, mm, "");
	}
	mm_drop(k, mm);
}

void swt_khuge_vmswap(struct swt_khuge *k, uint64_t since, uint64_t ts, pid_t pid, const char *comm,
		      struct swt_opt before, struct swt_opt after)
{
	struct swt_opt fall = swt_opt_sub(before, after);
	struct fall *f = NULL;
	struct mm *mm, *tmp;

	if (pid <= 0 || !fall.known || !fall.v || fall.v % k->cfg.page_size)
		return;
	HASH_ITER(hh, k->mms, mm, tmp)
	if (mm->pid == pid)
		return; /* known already */
	for (unsigned int i = 0; i < MAX_FALLS && !f; i++)
		if (!k->fall[i].pid)
			f = &k->fall[i];
	if (!f)
		return;
	*f = (struct fall){ .pid = pid, .since = since, .ts = ts, .pages = fall.v / k->cfg.page_size };
	snprintf(f->comm, sizeof(f->comm), "%s", comm ? comm : "");
}

/* Was exactly what @f lost read in for @mm in that time? */
static bool fits(const struct mm *mm, const struct fall *f)
{
	unsigned int n = mm->nrecent < RECENT ? mm->nrecent : RECENT;
	uint64_t pages = 0, oldest = UINT64_MAX;

	for (unsigned int i = 0; i < n; i++) {
		const struct read_in *r = &mm->recent[i];

		oldest = r->ts < oldest ? r->ts : oldest;
		if (r->ts > f->since && r->ts <= f->ts)
			pages += r->pages;
	}
	/* More may have been forgotten. */
	if (mm->nrecent > RECENT && oldest > f->since)
		return false;
	return pages == f->pages;
}

/* The one mm that fits, if no other does and no other fall of a process has the same claim to it. */
static struct mm *owned_by(struct swt_khuge *k, const struct fall *f)
{
	struct mm *mm, *tmp, *match = NULL;

	HASH_ITER(hh, k->mms, mm, tmp)
	{
		if (mm->pid || !fits(mm, f))
			continue;
		if (match)
			return NULL;
		match = mm;
	}
	for (unsigned int i = 0; match && i < MAX_FALLS; i++)
		if (k->fall[i].pid && &k->fall[i] != f && fits(match, &k->fall[i]))
			return NULL;
	return match;
}

void swt_khuge_tick(struct swt_khuge *k, uint64_t now)
{
	struct mm *mm[MAX_FALLS];

	for (unsigned int i = 0; i < MAX_FALLS; i++)
		mm[i] = k->fall[i].pid && now >= k->fall[i].ts + SETTLE_NS ? owned_by(k, &k->fall[i]) : NULL;
	for (unsigned int i = 0; i < MAX_FALLS; i++) {
		struct fall *f = &k->fall[i];

		if (mm[i] && !mm[i]->pid) {
			name_mm(mm[i], f->pid, f->comm);
			say_swapin(k, now, mm[i], ", as its swap fell while it did not run");
		}
		if (now >= f->ts + SETTLE_NS)
			f->pid = 0;
	}
}

void swt_khuge_status(struct swt_khuge *k, uint64_t ts, pid_t pid, const char *comm, const char *text,
		      size_t len)
{
	struct swt_opt before, after;
	uint64_t since;

	if (swt_sleepers_fell(&k->sleepers, ts, pid, text, len, &since, &before, &after))
		swt_khuge_vmswap(k, since, ts, pid, comm, before, after);
}

void swt_khuge_lost(struct swt_khuge *k)
{
	memset(k->fall, 0, sizeof(k->fall));
	mm_drop_all(k);
}

uint64_t swt_khuge_unnamed(const struct swt_khuge *k)
{
	uint64_t n = k->unnamed;
	struct mm *mm, *tmp;

	HASH_ITER(hh, k->mms, mm, tmp)
	if (!mm->pid)
		n += mm->unsaid;
	return n;
}

/* CPU share between two samples in hundredths of a percent; a new thread counts from 0 again. */
static struct swt_opt cpu_share(const struct swt_khuge *k, const struct sample *a, const struct sample *b)
{
	struct swt_opt ticks = swt_opt_sub(b->s.cpu_ticks, a->s.cpu_ticks);

	if (!a->ts || b->ts <= a->ts || !ticks.known || a->s.pid != b->s.pid)
		return SWT_UNKNOWN;
	/* double: ticks x 10^13 may not fit, and a hundredth of a percent is far above its error. */
	return swt_some(
		(uint64_t)((double)ticks.v * 1e4 * 1e9 / k->cfg.user_hz / (double)(b->ts - a->ts) + 0.5));
}

static void watch_result(struct swt_khuge *k, const struct sample *now)
{
	struct sample *idle = &k->idle;
	struct swt_opt cpu = cpu_share(k, idle, now);
	struct swt_opt done = swt_opt_sub(now->s.pages_collapsed, idle->s.pages_collapsed);
	struct swt_opt passes = swt_opt_sub(now->s.full_scans, idle->s.full_scans);
	char span[SWT_FMT_LEN], n[SWT_FMT_LEN];

	if (!idle->ts || !cpu.known || !done.known || done.v) {
		*idle = *now;
		k->idle_span = NO_RESULT_NS;
		return;
	}
	if (now->ts - idle->ts < k->idle_span)
		return;
	if (cpu.v < 5000) { /* below half a CPU nobody waits for it */
		*idle = *now;
		k->idle_span = NO_RESULT_NS;
		return;
	}
	swt_notef(&k->cfg.note, now->ts, SWT_NOTE_KHUGEPAGED,
		  "khugepaged %" PRIu64 ".%" PRIu64 " %% CPU, 0 collapsed, %s full passes, no result in %s",
		  (cpu.v + 5) / 100, (cpu.v + 5) / 10 % 10, swt_fmt_opt(n, sizeof(n), passes, swt_fmt_count),
		  swt_note_seconds(span, now->ts - idle->ts));
	/* Say it again after twice the time, not every ten seconds for hours. */
	k->idle_span = (now->ts - idle->ts) * 2;
}

void swt_khuge_sample(struct swt_khuge *k, uint64_t ts, const struct swt_khugepaged *s)
{
	struct sample now = { ts, *s };

	if (k->last.ts && ts <= k->last.ts)
		return;
	k->last = now;
	if (!k->base.ts)
		k->base = now;
	watch_result(k, &now);
}

/* Keep the SWT_MAX_TOP most scanned in order; insertion, since the list is short. */
static void top_add(struct swt_khuge_report *r, const struct mm *mm)
{
	unsigned int i = r->ntop;

	while (i > 0 && r->top[i - 1].scans < mm->scans)
		i--;
	if (i >= SWT_MAX_TOP)
		return;
	if (r->ntop < SWT_MAX_TOP)
		r->ntop++;
	memmove(&r->top[i + 1], &r->top[i], (r->ntop - 1 - i) * sizeof(r->top[0]));
	r->top[i].pid = mm->pid;
	snprintf(r->top[i].comm, sizeof(r->top[i].comm), "%s", mm->comm);
	r->top[i].scans = mm->scans;
	r->top[i].swapped_in = mm->swapped_in;
}

static void report_results(struct swt_khuge *k, struct swt_khuge_report *ret)
{
	memcpy(ret->result, k->result, k->nresults * sizeof(k->result[0]));
	ret->nresults = k->nresults;
	if (k->other_results) {
		snprintf(ret->result[ret->nresults].name, sizeof(ret->result[0].name), "other");
		ret->result[ret->nresults++].count = k->other_results;
	}
	k->nresults = 0;
	k->other_results = 0;
}

void swt_khuge_report(struct swt_khuge *k, bool events, struct swt_khuge_report *ret)
{
	const struct sample *a = &k->base, *b = &k->last;
	struct mm *mm, *tmp;

	memset(ret, 0, sizeof(*ret));
	ret->cpu_hundredths = cpu_share(k, a, b);
	if (a->ts && b->ts > a->ts) {
		ret->full_scans = swt_delta(a->s.full_scans, b->s.full_scans, k->cfg.bits);
		ret->collapsed = swt_delta(a->s.pages_collapsed, b->s.pages_collapsed, k->cfg.bits);
	}
	k->base = k->last;
	ret->results_known = events;
	if (events)
		ret->swapped_in = swt_some(k->swapped_in);
	k->swapped_in = 0;
	report_results(k, ret);
	HASH_ITER(hh, k->mms, mm, tmp)
	{
		if (mm->scans || mm->swapped_in)
			top_add(ret, mm);
		if (mm->pid)
			say_swapin(k, k->last.ts, mm, "");
		mm->scans = mm->swapped_in = 0;
	}
}
