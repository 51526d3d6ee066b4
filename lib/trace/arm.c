/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rss_stat asleep until a watched task dies, see arm.h.
 *
 * The trigger is "enable_event:kmem:rss_stat if group_dead==1&&(pid==…||…)".  A trigger line is limited to a page, so TIDs
 * are merged into ranges until it fits; a task that is covered by chance only costs a little.  There can be one such
 * trigger per event: to replace it, the old one must go first.  That waits for the kernel (80 ms here), and
 * rss_stat is kept awake meanwhile, so that no exit is missed.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "trace/arm.h"
#include "trace/watch.h"

#define RSS_ENABLE   "events/kmem/rss_stat/enable"
#define EXIT_TRIGGER "events/sched/sched_process_exit/trigger"
#define EXEC_TRIGGER "events/sched/sched_prepare_exec/trigger"
#define OOM_TRIGGER  "events/oom/start_task_reaping/trigger"
#define ACTION	     "enable_event:kmem:rss_stat"

#define COND_MAX     3900u		   /* of 4095, with the action in front of it */
#define QUIET_NS     (150 * SWT_NS_PER_MS) /* more than one drain, so that a neighbour's exit is seen in time */
#define DYING_MAX_NS (30 * SWT_NS_PER_SEC) /* somebody else did the end of the teardown */

/* The condition with TIDs up to @gap apart merged; false when it is too long. */
static bool ranges_text(const pid_t *tid, size_t n, pid_t gap, size_t max, struct swt_buf *out, int *rc)
{
	swt_buf_reset(out);
	for (size_t i = 0, j; i < n && !*rc; i = j) {
		const char * or = i ? "||" : "";

		for (j = i + 1; j < n && tid[j] - tid[j - 1] <= gap; j++)
			;
		if (tid[j - 1] == tid[i])
			*rc = swt_buf_addf(out, "%spid==%d", or, tid[i]);
		else
			*rc = swt_buf_addf(out, "%s(pid>=%d&&pid<=%d)", or, tid[i], tid[j - 1]);
		if (out->len > max)
			return false;
	}
	return true;
}

/* Smallest gap that fits, by doubling. */
static int merge(const pid_t *tid, size_t n, size_t max, struct swt_buf *out, pid_t *gap)
{
	int rc = 0;

	for (*gap = 1; !rc; *gap *= 2)
		if (ranges_text(tid, n, *gap, max, out, &rc) || *gap > INT32_MAX / 4)
			break;
	return rc;
}

int swt_watch_ranges(const pid_t *sorted, size_t n, size_t max, struct swt_buf *out)
{
	pid_t gap;

	return merge(sorted, n, max, out, &gap);
}

static int add(const struct swt_arm *a, const char *file, const char *text)
{
	return swt_instance_add(a->in, file, text, strlen(text));
}

bool swt_arm_possible(const struct swt_instance *in)
{
	return swt_instance_has(in, EXIT_TRIGGER);
}

static int keep_ranges(struct swt_arm *a, const pid_t *tid, size_t n, pid_t gap)
{
	struct swt_arm_range *r = calloc(n, sizeof(*r));
	size_t k = 0;

	if (!r)
		return -ENOMEM;
	for (size_t i = 0, j; i < n; i = j) {
		for (j = i + 1; j < n && tid[j] - tid[j - 1] <= gap; j++)
			;
		r[k++] = (struct swt_arm_range){ tid[i], tid[j - 1] };
	}
	free(a->range);
	a->range = r;
	a->nrange = k;
	return 0;
}

/* Take the triggers back; rss_stat stays as it is, awake or asleep. */
static void disarm(struct swt_arm *a)
{
	if (a->armed)
		add(a, EXIT_TRIGGER, "!" ACTION);
	if (a->exec)
		add(a, EXEC_TRIGGER, "!" ACTION);
	a->armed = a->exec = false;
}

static int stop(struct swt_arm *a)
{
	disarm(a);
	if (a->oom)
		add(a, OOM_TRIGGER, "!" ACTION);
	a->oom = a->awake = false;
	a->slept_at = 0; /* nobody watched, nothing to be cut */
	a->ndying = 0;
	a->nrange = 0;
	return swt_instance_set(a->in, RSS_ENABLE, "0");
}

int swt_arm_set(struct swt_arm *a, const pid_t *sorted, size_t n, uint64_t now)
{
	struct swt_buf cond = SWT_BUF_INIT, line = SWT_BUF_INIT;
	pid_t gap = 1;
	int rc;

	if (!n)
		return stop(a);
	rc = merge(sorted, n, COND_MAX, &cond, &gap);
	if (!rc)
		rc = swt_buf_addf(&line, ACTION " if group_dead==1&&(%s)", cond.s);
	if (rc)
		goto out;
	if (a->armed) {
		rc = swt_instance_set(a->in, RSS_ENABLE, "1");
		if (rc)
			goto out;
		a->awake = true;
		a->active = now;
	}
	disarm(a);
	rc = keep_ranges(a, sorted, n, gap);
	if (!rc)
		rc = add(a, EXIT_TRIGGER, line.s);
	if (rc)
		goto out;
	a->armed = true;
	swt_buf_reset(&line);
	/* A release by exec, and the OOM reaper's: a bonus where the kernel has the events. */
	if (!swt_buf_addf(&line, ACTION " if %s", cond.s) && swt_instance_has(a->in, EXEC_TRIGGER))
		a->exec = !add(a, EXEC_TRIGGER, line.s);
	if (!a->oom && swt_instance_has(a->in, OOM_TRIGGER))
		a->oom = !add(a, OOM_TRIGGER, ACTION);
out:
	swt_buf_free(&cond);
	swt_buf_free(&line);
	return rc;
}

void swt_arm_free(struct swt_arm *a)
{
	free(a->range);
	a->range = NULL;
	a->nrange = 0;
}

bool swt_arm_covers(const struct swt_arm *a, pid_t tid)
{
	size_t lo = 0, hi = a->nrange;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (tid < a->range[mid].from)
			hi = mid;
		else if (tid > a->range[mid].to)
			lo = mid + 1;
		else
			return true;
	}
	return false;
}

static void drop_dying(struct swt_arm *a, unsigned int i)
{
	a->dying[i] = a->dying[--a->ndying];
}

static int read_awake(const struct swt_arm *a, bool *awake)
{
	struct swt_buf b = SWT_BUF_INIT;
	int rc = swt_instance_read(a->in, RSS_ENABLE, &b);

	*awake = !rc && b.len && b.s[0] == '1'; /* "0*" and "1*": a trigger is attached */
	swt_buf_free(&b);
	return rc;
}

/*
 * A watched task begins to die.  When it did so before we put rss_stat to sleep, but its event came to us only now, then
 * the kernel's trigger had nothing to wake and the rest of the teardown would not be seen.
 */
static bool begins(struct swt_arm *a, const struct swt_event *ev)
{
	bool cut = a->armed && !a->awake && ev->ts <= a->slept_at;
	bool awake;

	if (cut && !read_awake(a, &awake) && awake)
		cut = false;
	if (a->ndying == SWT_ARM_DYING)
		drop_dying(a, 0);
	a->dying[a->ndying].tid = ev->task;
	a->dying[a->ndying++].since = ev->ts;
	a->active = ev->ts;
	if (cut && !swt_instance_set(a->in, RSS_ENABLE, "1"))
		a->awake = true;
	return cut;
}

bool swt_arm_see(struct swt_arm *a, const struct swt_event *ev)
{
	if (!swt_arm_covers(a, ev->task))
		return false;
	switch (ev->id) {
	case SWT_EV_SCHED_EXIT:
		if (swt_event_has(ev, SWT_F_SCHED_EXIT_GROUP_DEAD) && ev->f[SWT_F_SCHED_EXIT_GROUP_DEAD])
			return begins(a, ev);
		break;
	case SWT_EV_EXIT_MMAP:
		for (unsigned int i = 0; i < a->ndying; i++)
			if (a->dying[i].tid == ev->task)
				drop_dying(a, i--);
		break;
	case SWT_EV_RSS_STAT:
		if (!ev->f[SWT_F_RSS_STAT_CURR])
			a->active = ev->ts;
		break;
	default:
		break;
	}
	return false;
}

int swt_arm_tick(struct swt_arm *a, uint64_t now)
{
	bool awake;
	int rc;

	if (a->slept_at == UINT64_MAX)
		a->slept_at = now;
	if (!a->armed)
		return 0;
	for (unsigned int i = 0; i < a->ndying; i++)
		if (now > a->dying[i].since + DYING_MAX_NS)
			drop_dying(a, i--);
	rc = read_awake(a, &awake);
	if (rc)
		return rc;
	if (awake && !a->awake)
		a->active = now;
	a->awake = awake;
	if (!awake || a->ndying || now < a->active + QUIET_NS)
		return 0;
	rc = swt_instance_set(a->in, RSS_ENABLE, "0");
	a->awake = false;
	/* We may be taken off the CPU before the write: that it is over is sure at the next tick only. */
	a->slept_at = UINT64_MAX;
	return rc;
}
