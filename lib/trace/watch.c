/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which tasks' rss_stat events are wanted, see watch.h.
 *
 * TIDs are bits: the kernel has at most 4 Mi of them, and pages of the map that are not used cost nothing.  A write to
 * set_event_pid waits for a grace period (40 ms here, whatever its length), so a change is one write.
 * Stale TIDs on the kernel's list are harmless (a new task with that TID is recorded for nothing); the list is
 * built anew only when it is full of them.  That must not be done with rss_stat on: for a moment the list is
 * empty, and an empty list means everybody.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fmt.h"
#include "trace/arm.h"
#include "trace/watch.h"

#define TID_MAX	    (4u << 20) /* PID_MAX_LIMIT */
#define WORDS	    (TID_MAX / 64)
#define RSS_ENABLE  "events/kmem/rss_stat/enable"
#define REAPERS_MAX 64
/* Least time from one change to the next: doubled while they follow each other. */
#define WAIT_MIN_NS (200 * SWT_NS_PER_MS)
#define WAIT_MAX_NS (5 * SWT_NS_PER_SEC)

struct swt_watch {
	const struct swt_instance *in;
	const struct swt_log *log;
	enum swt_watch_how how;
	uint64_t *live;	  /* wanted */
	uint64_t *kernel; /* on the kernel's list (LIST) */
	size_t nlive, nkernel;
	pid_t max;  /* highest TID ever wanted */
	bool on;    /* LIST: rss_stat enabled */
	bool dirty; /* something waits for apply() */
	bool scanned;
	uint64_t now, next, wait, gaps;
	pid_t reaper[REAPERS_MAX];
	size_t nreaper;
	struct swt_arm arm;
};

static bool bit(const uint64_t *map, pid_t tid)
{
	return tid > 0 && (uint32_t)tid < TID_MAX && (map[tid / 64] >> (tid % 64) & 1);
}

static bool flip(uint64_t *map, pid_t tid, bool to)
{
	uint64_t m = 1ull << (tid % 64);
	bool was = map[tid / 64] & m;

	if (to)
		map[tid / 64] |= m;
	else
		map[tid / 64] &= ~m;
	return was != to;
}

int swt_watch_new(const struct swt_instance *in, enum swt_watch_how how, const struct swt_log *log,
		  struct swt_watch **ret)
{
	struct swt_watch *w = calloc(1, sizeof(*w));

	if (!w)
		return -ENOMEM;
	w->in = in;
	w->log = log;
	w->how = how;
	w->wait = WAIT_MIN_NS;
	w->arm.in = in;
	w->live = calloc(WORDS, sizeof(*w->live));
	w->kernel = calloc(WORDS, sizeof(*w->kernel));
	if (!w->live || !w->kernel) {
		swt_watch_free(w);
		return -ENOMEM;
	}
	*ret = w;
	return 0;
}

void swt_watch_free(struct swt_watch *w)
{
	if (!w)
		return;
	swt_arm_free(&w->arm);
	free(w->live);
	free(w->kernel);
	free(w);
}

size_t swt_watch_room(const struct swt_watch *w)
{
	return SWT_WATCH_CAP - w->nlive;
}

uint64_t swt_watch_gaps(const struct swt_watch *w)
{
	return w->gaps;
}

struct reapers {
	struct swt_watch *w;
	bool oom;
	unsigned int after; /* processes looked at since oom_reaper */
};

/* Kernel threads of boot time: their pids are low, and oom_reaper and kswapd are near each other. */
static int see_reaper(void *arg, const char *name)
{
	struct reapers *r = arg;
	struct swt_buf b = SWT_BUF_INIT;
	char path[64];
	uint64_t pid;

	if (swt_parse_u64(name, &pid))
		return 0;
	if (pid > 8192 || r->after > 256 || r->w->nreaper == REAPERS_MAX)
		return 1;
	snprintf(path, sizeof(path), "/proc/%llu/comm", (unsigned long long)pid);
	r->after += r->oom;
	if (!swt_root_read(r->w->in->root, path, &b) && b.len) {
		bool oom = !strcmp(b.s, "oom_reaper\n");

		if (oom || (!strncmp(b.s, "kswapd", 6) && b.s[6] >= '0' && b.s[6] <= '9'))
			r->w->reaper[r->w->nreaper++] = (pid_t)pid;
		r->oom |= oom;
	}
	swt_buf_free(&b);
	return 0;
}

static void find_reapers(struct swt_watch *w)
{
	struct reapers r = { .w = w };

	if (w->scanned)
		return;
	w->scanned = true;
	swt_root_each(w->in->root, "/proc", see_reaper, &r);
}

static bool is_reaper(const struct swt_watch *w, pid_t tid)
{
	for (size_t i = 0; i < w->nreaper; i++)
		if (w->reaper[i] == tid)
			return true;
	return false;
}

static int list_add_text(struct swt_watch *w, struct swt_buf *text, pid_t tid)
{
	if (!flip(w->kernel, tid, true))
		return 0;
	w->nkernel++;
	return swt_buf_addf(text, "%d ", tid);
}

/* Put everything wanted on the kernel's list that is not there yet. */
static int list_fill(struct swt_watch *w)
{
	struct swt_buf text = SWT_BUF_INIT;
	int rc = 0;

	for (size_t i = 0; i < w->nreaper && !rc; i++)
		rc = list_add_text(w, &text, w->reaper[i]);
	for (pid_t word = 0; word <= w->max / 64 && !rc; word++) {
		uint64_t todo = w->live[word] & ~w->kernel[word];

		for (; todo && !rc; todo &= todo - 1)
			rc = list_add_text(w, &text, word * 64 + __builtin_ctzll(todo));
	}
	/* Whole numbers, each followed by a space: the kernel keeps a number that a write ends in for the next one. */
	if (!rc && text.len)
		rc = swt_instance_add(w->in, "set_event_pid", text.s, text.len);
	swt_buf_free(&text);
	return rc;
}

/* First the event, then the list. */
static int list_clear(struct swt_watch *w)
{
	int rc = swt_instance_set(w->in, RSS_ENABLE, "0");

	if (rc)
		return rc;
	w->on = false;
	/* Opened with O_TRUNC, and nothing written. */
	rc = swt_instance_set(w->in, "set_event_pid", "\n");
	memset(w->kernel, 0, WORDS * sizeof(*w->kernel));
	w->nkernel = 0;
	return rc;
}

static int apply_list(struct swt_watch *w)
{
	size_t was = w->nkernel;
	int rc;

	if (!w->nlive)
		return was || w->on ? list_clear(w) : 0;
	if (w->nkernel + w->nlive > 2 * SWT_WATCH_CAP && w->on) {
		w->gaps++;
		rc = list_clear(w);
		if (rc)
			return rc;
	}
	rc = list_fill(w);
	if (!rc && !w->on) {
		rc = swt_instance_set(w->in, RSS_ENABLE, "1");
		w->on = !rc;
	}
	return rc;
}

static int apply_arm(struct swt_watch *w)
{
	pid_t *tid = NULL;
	size_t n = 0;
	int rc;

	if (w->nlive) {
		tid = calloc(w->nlive, sizeof(*tid));
		if (!tid)
			return -ENOMEM;
	}
	for (pid_t word = 0; word <= w->max / 64; word++)
		for (uint64_t m = w->live[word]; m && n < w->nlive; m &= m - 1)
			tid[n++] = word * 64 + __builtin_ctzll(m);
	rc = swt_arm_set(&w->arm, tid, n, w->now);
	free(tid);
	if (!rc || !n)
		return rc;
	swt_log(w->log, SWT_LOG_NOTE, "rss_stat cannot be woken by a trigger (%s), using a list of pids",
		strerror(-rc));
	swt_arm_set(&w->arm, NULL, 0, w->now);
	w->how = SWT_WATCH_LIST;
	return apply_list(w);
}

static int apply(struct swt_watch *w)
{
	int rc = w->how == SWT_WATCH_ARM ? apply_arm(w) : apply_list(w);

	w->dirty = false;
	/*
	 * To change an armed list keeps rss_stat awake for some 300 ms, at the cost of everybody's page faults; a list only
	 * makes us wait.
	 */
	w->wait = w->how == SWT_WATCH_LIST || w->now > w->next + WAIT_MAX_NS ? WAIT_MIN_NS : w->wait * 2;
	if (w->wait > WAIT_MAX_NS)
		w->wait = WAIT_MAX_NS;
	w->next = w->now + w->wait;
	if (rc)
		swt_log(w->log, SWT_LOG_WARN, "cannot change the watch list of '%s': %s", w->in->name,
			strerror(-rc));
	return rc;
}

/* 1: new. */
static int want(struct swt_watch *w, pid_t tid)
{
	if (tid <= 0 || (uint32_t)tid >= TID_MAX || bit(w->live, tid))
		return 0;
	if (!swt_watch_room(w))
		return -ENOSPC;
	flip(w->live, tid, true);
	w->nlive++;
	if (tid > w->max)
		w->max = tid;
	if (w->how == SWT_WATCH_ARM ? !swt_arm_covers(&w->arm, tid) : !bit(w->kernel, tid))
		w->dirty = true;
	return 1;
}

int swt_watch_add(struct swt_watch *w, const pid_t *tids, size_t n)
{
	int rc = 0;

	find_reapers(w);
	for (size_t i = 0; i < n && rc >= 0; i++)
		rc = want(w, tids[i]);
	return rc < 0 ? rc : 0;
}

int swt_watch_apply(struct swt_watch *w, uint64_t now)
{
	w->now = now;
	return w->dirty ? apply(w) : 0;
}

void swt_watch_del(struct swt_watch *w, pid_t tid)
{
	if (!bit(w->live, tid))
		return;
	flip(w->live, tid, false);
	if (!--w->nlive)
		w->dirty = true;
}

bool swt_watch_has(const struct swt_watch *w, pid_t tid)
{
	if (!bit(w->live, tid))
		return false;
	return w->how == SWT_WATCH_ARM ? swt_arm_covers(&w->arm, tid) : bit(w->kernel, tid);
}

/* New threads of watched tasks.  A vfork child shares the memory for a moment only. */
static void see_thread(struct swt_watch *w, const struct swt_event *ev)
{
	uint64_t flags = (uint64_t)ev->f[SWT_F_TASK_NEWTASK_CLONE_FLAGS];

	if (!swt_event_has(ev, SWT_F_TASK_NEWTASK_CLONE_FLAGS) || !swt_event_has(ev, SWT_F_TASK_NEWTASK_PID))
		return;
	if (bit(w->live, ev->task) && (flags & CLONE_VM) && !(flags & CLONE_VFORK))
		want(w, (pid_t)ev->f[SWT_F_TASK_NEWTASK_PID]);
}

bool swt_watch_see(struct swt_watch *w, const struct swt_event *ev)
{
	bool gap = w->how == SWT_WATCH_ARM && swt_arm_see(&w->arm, ev);

	w->gaps += gap;
	if (ev->id == SWT_EV_TASK_NEWTASK)
		see_thread(w, ev);
	return gap;
}

void swt_watch_done(struct swt_watch *w, const struct swt_event *ev)
{
	int64_t pid = ev->f[SWT_F_SCHED_FREE_PID];

	if (ev->id == SWT_EV_SCHED_FREE && pid > 0 && pid < (int64_t)TID_MAX)
		swt_watch_del(w, (pid_t)pid);
}

bool swt_watch_pass(const struct swt_watch *w, const struct swt_event *ev)
{
	return w->how != SWT_WATCH_ARM || swt_arm_covers(&w->arm, ev->task) || is_reaper(w, ev->task);
}

int swt_watch_tick(struct swt_watch *w, uint64_t now)
{
	int rc = 0;

	w->now = now;
	if (w->how == SWT_WATCH_ARM)
		rc = swt_arm_tick(&w->arm, now);
	if (w->dirty && now >= w->next) {
		int rc2 = apply(w);

		rc = rc ? rc : rc2;
	}
	return rc;
}
