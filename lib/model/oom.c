/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Timelines of OOM victims, see oom.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "model/oom.h"

/* Victims kept: a kill storm takes hundreds, a recording may claim millions. */
#define MAX_VICTIMS 256
#define LATE_NS	    (10 * SWT_NS_PER_SEC)

struct victim {
	struct swt_oom_victim v;
	uint64_t serial; /* order of being chosen; 0: the place is free */
	bool over, late_said, overlap_said;
};

struct swt_oom {
	struct swt_noter note;
	struct swt_oom_who who;
	uint64_t serial;
	struct victim victim[MAX_VICTIMS];
};

int swt_oom_new(const struct swt_noter *note, const struct swt_oom_who *who, struct swt_oom **ret)
{
	struct swt_oom *o = calloc(1, sizeof(*o));

	if (!o)
		return -ENOMEM;
	o->note = *note;
	if (who)
		o->who = *who;
	*ret = o;
	return 0;
}

void swt_oom_free(struct swt_oom *o)
{
	free(o);
}

/* The newest victim with this pid; @open: only one whose timeline goes on. */
static struct victim *find(struct swt_oom *o, pid_t pid, bool open)
{
	struct victim *best = NULL;

	for (unsigned int i = 0; i < MAX_VICTIMS; i++) {
		struct victim *v = &o->victim[i];

		if (!v->serial || (open && v->over) || (v->v.pid != pid && v->v.tgid != pid))
			continue;
		if (!best || v->serial > best->serial)
			best = v;
	}
	return best;
}

const struct swt_oom_victim *swt_oom_find(const struct swt_oom *o, pid_t pid)
{
	const struct victim *best = NULL;

	for (unsigned int i = 0; i < MAX_VICTIMS; i++) {
		const struct victim *v = &o->victim[i];

		if (v->serial && (v->v.pid == pid || v->v.tgid == pid) && (!best || v->serial > best->serial))
			best = v;
	}
	return best ? &best->v : NULL;
}

static struct victim *add(struct swt_oom *o, pid_t pid)
{
	struct victim *slot = &o->victim[0];
	const char *text;

	/* A free place, else the oldest that is over, else the oldest. */
	for (unsigned int i = 0; i < MAX_VICTIMS && slot->serial; i++) {
		struct victim *v = &o->victim[i];

		if (!v->serial || (v->over && !slot->over) ||
		    (v->over == slot->over && v->serial < slot->serial))
			slot = v;
	}
	memset(slot, 0, sizeof(*slot));
	slot->serial = ++o->serial;
	slot->v.pid = pid;
	slot->v.tgid = o->who.tgid ? o->who.tgid(o->who.arg, pid) : 0;
	text = o->who.comm ? o->who.comm(o->who.arg, pid) : NULL;
	snprintf(slot->v.comm, sizeof(slot->v.comm), "%s", text ? text : "");
	text = o->who.cgroup ? o->who.cgroup(o->who.arg, pid) : NULL;
	snprintf(slot->v.cgroup, sizeof(slot->v.cgroup), "%s", text ? text : "");
	return slot;
}

uint64_t swt_oom_back(const struct swt_oom_victim *v)
{
	if (v->finish && v->returned)
		return v->finish < v->returned ? v->finish : v->returned;
	return v->finish ? v->finish : v->returned;
}

/* "victim 10 (java)" */
static const char *who_text(const struct swt_oom_victim *v, char *dst, size_t size)
{
	if (v->comm[0])
		snprintf(dst, size, "victim %d (%s)", (int)v->pid, v->comm);
	else
		snprintf(dst, size, "victim %d", (int)v->pid);
	return dst;
}

/* @back is known now: which victims were chosen while it was still out? */
static void say_overlap(struct swt_oom *o, struct victim *v, uint64_t back)
{
	char span[SWT_FMT_LEN];

	if (v->overlap_said || !v->v.chosen)
		return;
	v->overlap_said = true;
	for (unsigned int i = 0; i < MAX_VICTIMS; i++) {
		const struct victim *w = &o->victim[i];

		if (w->serial <= v->serial || !w->v.chosen || w->v.chosen >= back)
			continue;
		swt_notef(&o->note, back, SWT_NOTE_OOM,
			  "victim %d chosen %s before victim %d's memory came back", (int)w->v.pid,
			  swt_note_seconds(span, back - w->v.chosen), (int)v->v.pid);
	}
}

static void mark_victim(struct swt_oom *o, const struct swt_event *ev, pid_t pid)
{
	struct victim *v = find(o, pid, true);
	const struct swt_str *comm = &ev->str[0];
	char who[96];

	/*
	 * Marked before: another thread of it, or the kernel tries again.  But a pid that is gone is used
	 * anew.
	 */
	if (v && !v->v.gone && v->v.chosen)
		return;
	if (!v || v->v.gone)
		v = add(o, pid);
	v->v.chosen = ev->ts;
	v->v.triggered_by = ev->task;
	if (swt_event_has(ev, SWT_F_OOM_MARK_VICTIM_COMM) && comm->len)
		snprintf(v->v.comm, sizeof(v->v.comm), "%.*s", (int)(comm->len < 63 ? comm->len : 63),
			 comm->s);
	swt_notef(&o->note, ev->ts, SWT_NOTE_OOM, "%s chosen, triggered by %d%s%s",
		  who_text(&v->v, who, sizeof(who)), (int)ev->task, v->v.cgroup[0] ? ", group " : "",
		  v->v.cgroup);
}

/* Events of the reaper are about a victim; if its choice was not seen, the timeline begins here. */
static struct victim *reaper_victim(struct swt_oom *o, pid_t pid)
{
	struct victim *v = find(o, pid, true);

	return v ? v : add(o, pid);
}

static void wake_reaper(struct swt_oom *o, uint64_t ts, pid_t pid)
{
	struct victim *v = reaper_victim(o, pid);
	char who[96];

	v->v.wakes++;
	if (!v->v.woken)
		v->v.woken = ts;
	else
		swt_notef(&o->note, ts, SWT_NOTE_OOM, "%s queued for the reaper %u times",
			  who_text(&v->v, who, sizeof(who)), v->v.wakes);
}

static void reaping(struct swt_oom *o, const struct swt_event *ev, pid_t pid)
{
	struct victim *v = reaper_victim(o, pid);

	switch (ev->id) {
	case SWT_EV_OOM_START_REAPING:
		v->v.starts++;
		if (!v->v.start)
			v->v.start = ev->ts;
		break;
	case SWT_EV_OOM_FINISH_REAPING:
		v->v.finish = ev->ts;
		say_overlap(o, v, ev->ts);
		break;
	default:
		v->v.skips++;
		break;
	}
}

int swt_oom_event(struct swt_oom *o, const struct swt_event *ev)
{
	/* pid is the first field of all five. */
	pid_t pid = swt_event_has(ev, 0) ? (pid_t)ev->f[0] : 0;

	_Static_assert(SWT_F_OOM_MARK_VICTIM_PID == 0 && SWT_F_OOM_WAKE_REAPER_PID == 0 &&
			       SWT_F_OOM_START_REAPING_PID == 0 && SWT_F_OOM_FINISH_REAPING_PID == 0 &&
			       SWT_F_OOM_SKIP_REAPING_PID == 0,
		       "the pid comes first");
	if (pid <= 0)
		return 0;
	switch (ev->id) {
	case SWT_EV_OOM_MARK_VICTIM:
		mark_victim(o, ev, pid);
		break;
	case SWT_EV_OOM_WAKE_REAPER:
		wake_reaper(o, ev->ts, pid);
		break;
	case SWT_EV_OOM_START_REAPING:
	case SWT_EV_OOM_FINISH_REAPING:
	case SWT_EV_OOM_SKIP_REAPING:
		reaping(o, ev, pid);
		break;
	default:
		break;
	}
	return 0;
}

/* Nothing more will come: tell the whole story once. */
static void end_victim(struct swt_oom *o, struct victim *v, uint64_t ts)
{
	struct swt_buf line = SWT_BUF_INIT;

	v->over = true;
	if (!swt_oom_timeline(&v->v, &line))
		swt_notef(&o->note, ts, SWT_NOTE_OOM, "%s", swt_buf_str(&line));
	swt_buf_free(&line);
}

void swt_oom_gone(struct swt_oom *o, uint64_t ts, pid_t tgid)
{
	struct victim *v = find(o, tgid, true);

	if (!v || v->v.gone)
		return;
	v->v.gone = ts;
	if (v->v.returned)
		end_victim(o, v, ts);
}

void swt_oom_returned(struct swt_oom *o, uint64_t ts, pid_t tgid, struct swt_opt bytes)
{
	struct victim *v = find(o, tgid, true);

	if (!v || v->v.returned)
		return;
	v->v.returned = ts;
	v->v.bytes = bytes;
	say_overlap(o, v, ts);
	/* Memory is mostly back before the parent is told; give that a moment to be seen. */
	if (v->v.gone)
		end_victim(o, v, ts);
}

static void tick_victim(struct swt_oom *o, struct victim *v, uint64_t now)
{
	uint64_t since = v->v.gone > v->v.chosen ? v->v.gone : v->v.chosen;
	char who[96], span[SWT_FMT_LEN];

	if (!v->serial || v->over)
		return;
	if (v->v.returned) {
		if (now >= v->v.returned + SWT_NS_PER_SEC)
			end_victim(o, v, now);
		return;
	}
	if (v->late_said || !since || now < since + LATE_NS)
		return;
	v->late_said = true;
	/*
	 * Reaped and gone without a count of entries is how it looks without rss_stat: not worth a warning.
	 */
	if (v->v.finish && v->v.gone) {
		end_victim(o, v, now);
		return;
	}
	swt_notef(&o->note, now, SWT_NOTE_OOM, "%s %s%s ago: %s", who_text(&v->v, who, sizeof(who)),
		  v->v.gone ? "gone " : "chosen ", swt_note_seconds(span, now - since),
		  v->v.gone	? "its swap was not seen coming back"
		  : v->v.finish ? "reaped, but not gone"
		  : v->v.start	? "the reaper began and has not finished"
		  : v->v.skips	? "the reaper could not get its locks"
				: "no sign that its memory comes back");
}

void swt_oom_tick(struct swt_oom *o, uint64_t now)
{
	for (unsigned int i = 0; i < MAX_VICTIMS; i++)
		tick_victim(o, &o->victim[i], now);
}

static int step(struct swt_buf *out, const char *what, uint64_t base, uint64_t ts)
{
	char span[SWT_FMT_LEN];

	if (!ts)
		return 0;
	return swt_buf_addf(out, ", %s %s%s", what, ts < base ? "-" : "+",
			    swt_note_seconds(span, ts < base ? base - ts : ts - base));
}

int swt_oom_timeline(const struct swt_oom_victim *v, struct swt_buf *out)
{
	char text[96], again[32] = "", bytes[SWT_FMT_LEN];
	uint64_t base = v->chosen ? v->chosen : v->woken ? v->woken : v->start;
	int rc;

	if (v->wakes > 1)
		snprintf(again, sizeof(again), " (%u times)", v->wakes);
	rc = swt_buf_addf(out, "%s: %s", who_text(v, text, sizeof(text)),
			  v->chosen ? "chosen" : "choice not seen");
	snprintf(text, sizeof(text), "queued for the reaper%s", again);
	rc = rc ? rc : step(out, text, base, v->woken);
	rc = rc ? rc : step(out, "reaping", base, v->start);
	rc = rc ? rc : step(out, "reaped", base, v->finish);
	if (!rc && v->skips)
		rc = swt_buf_addf(out, ", skipped %u time%s", v->skips, v->skips == 1 ? "" : "s");
	rc = rc ? rc : step(out, "gone", base, v->gone);
	if (v->bytes.known)
		snprintf(text, sizeof(text), "%s of swap back",
			 swt_fmt_bytes(bytes, sizeof(bytes), v->bytes.v));
	else
		snprintf(text, sizeof(text), "swap back (amount not known)");
	rc = rc ? rc : step(out, text, base, v->returned);
	if (!rc && !v->returned)
		rc = swt_buf_adds(out, ", swap not seen coming back");
	return rc;
}
