/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Live tracefs, see live.h: reading, the watch list, samples, loss.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "trace/live-priv.h"
#include "trace/marker.h"

/*
 * An event gets its time before it is in the ring, so one that is older than the clock was before a drain may come
 * after it.  Writers do not sleep in between, but a virtual CPU may be taken away from them.
 */
#define SLACK_NS SWT_NS_PER_MS

/* The trace clock now; "mono" is ours, any other is asked for. */
static int trace_now(const struct swt_live *l, uint64_t *ns)
{
	struct swt_buf b = SWT_BUF_INIT;
	int rc;

	if (!strcmp(l->info.clock, "mono")) {
		*ns = swt_clock_mono(l->clock);
		return 0;
	}
	rc = swt_instance_read(&l->in[0], "per_cpu/cpu0/stats", &b);
	if (!rc)
		rc = swt_ring_now(swt_buf_str(&b), ns);
	swt_buf_free(&b);
	return rc;
}

static int on_event(void *arg, const struct swt_event *ev)
{
	struct swt_live *l = arg;
	int rc = 0;

	if (l->watch && swt_watch_see(l->watch, ev) && l->sink && l->sink->lost) {
		struct swt_lost lost = { .ts = ev->ts, .since = ev->ts, .cpu = ev->cpu, .buffer = 1 };

		rc = l->sink->lost(l->sink->arg, &lost);
	}
	if (!rc && l->sink && l->sink->event &&
	    (ev->id != SWT_EV_RSS_STAT || !l->watch || swt_watch_pass(l->watch, ev)))
		rc = l->sink->event(l->sink->arg, ev);
	if (l->watch)
		swt_watch_done(l->watch, ev);
	return rc;
}

static int on_lost(void *arg, const struct swt_lost *lost)
{
	struct swt_live *l = arg;

	return l->sink && l->sink->lost ? l->sink->lost(l->sink->arg, lost) : 0;
}

static int on_file(void *arg, uint64_t ts, const char *path, const char *text, size_t len)
{
	struct swt_live *l = arg;

	return l->sink && l->sink->file ? l->sink->file(l->sink->arg, ts, path, text, len) : 0;
}

static int run(struct swt_live *l, const struct swt_sink *sink, uint64_t until)
{
	struct swt_sink mine = { .arg = l, .event = on_event, .lost = on_lost, .file = on_file };
	int rc;

	l->sink = sink;
	rc = swt_reader_run(l->reader, until, &mine);
	l->sink = NULL;
	return rc;
}

int swt_live_drain(struct swt_live *l, const struct swt_sink *sink, const struct swt_live_tee *tee, bool last)
{
	uint64_t now, until;
	int rc = trace_now(l, &now);

	/* Without a clock everything is delivered as it comes. */
	if (last || rc)
		now = UINT64_MAX;
	until = last || rc ? UINT64_MAX : now > SLACK_NS ? now - SLACK_NS : 0;
	rc = 0;
	for (unsigned int i = 0; !rc && i < l->ninst; i++) {
		/* The watch list lives from the events of the first instance, so these are decoded in any case. */
		bool decode = sink || (l->watch && i == 0);

		rc = swt_rings_drain(&l->rings[i], now, decode ? l->reader : NULL, tee);
	}
	l->decoded |= sink != NULL;
	if (!rc && (sink || l->watch))
		rc = run(l, sink, until);
	/* A watch list that cannot be changed is in the log; the events go on. */
	if (!rc && l->watch && !last && !trace_now(l, &now))
		swt_watch_tick(l->watch, now);
	return rc;
}

size_t swt_live_watch_free(const struct swt_live *l)
{
	return l->watch ? swt_watch_room(l->watch) : 0;
}

int swt_live_watch(struct swt_live *l, const pid_t *tids, size_t n)
{
	return l->watch ? swt_watch_add(l->watch, tids, n) : -EOPNOTSUPP;
}

int swt_live_watch_now(struct swt_live *l)
{
	uint64_t now;
	int rc;

	if (!l->watch)
		return 0;
	rc = trace_now(l, &now);
	return rc ? rc : swt_watch_apply(l->watch, now);
}

void swt_live_unwatch(struct swt_live *l, pid_t tid)
{
	if (l->watch)
		swt_watch_del(l->watch, tid);
}

bool swt_live_watched(const struct swt_live *l, pid_t tid)
{
	return l->watch && swt_watch_has(l->watch, tid);
}

static int write_mark(void *arg, const void *rec, size_t len)
{
	struct swt_live *l = arg;
	ssize_t n;

	do {
		n = write(l->mark_fd, rec, len);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	/* The kernel cuts what is too long for it. */
	return (size_t)n >= len ? 0 : -EMSGSIZE;
}

int swt_live_mark(struct swt_live *l, const char *path, const char *text, size_t len)
{
	if (l->mark_fd < 0) {
		int fd = swt_instance_open(&l->in[0], "trace_marker_raw", O_WRONLY);

		if (fd < 0)
			return fd;
		l->mark_fd = fd;
	}
	return swt_marker_split(l->mark_serial++, path, text, len, write_mark, l);
}

int swt_live_stats(struct swt_live *l, int (*fn)(void *arg, unsigned int cpu, const char *text), void *arg)
{
	struct swt_buf b = SWT_BUF_INIT;
	int rc = 0;

	for (unsigned int i = 0; i < l->ninst; i++) {
		for (unsigned int k = 0; k < l->rings[i].n && !rc; k++) {
			char file[64];

			snprintf(file, sizeof(file), "per_cpu/cpu%u/stats", l->rings[i].ring[k].cpu);
			rc = swt_instance_read(&l->in[i], file, &b);
			if (!rc)
				rc = fn(arg, l->rings[i].ring[k].cpu, swt_buf_str(&b));
		}
	}
	swt_buf_free(&b);
	return rc;
}

int swt_live_loss(struct swt_live *l, struct swt_loss *ret)
{
	const struct swt_reader_stats *st = swt_reader_stats(l->reader);
	struct swt_loss sum = { 0 };
	uint64_t counted = 0;

	for (unsigned int i = 0; i < l->ninst; i++) {
		struct swt_ring_counts c;
		int rc = swt_rings_counts(&l->rings[i], &l->in[i], &c);

		if (rc)
			return rc;
		/* What a full ring threw away, what did not fit, and what an interrupt could not place. */
		sum.lost += c.overrun + c.dropped + c.commit_overrun;
		sum.unread += c.entries;
		counted += c.read + c.entries + c.overrun;
	}
	l->counted = counted;
	/* Gaps seen in the pages are the same loss again, but a damaged page is in no counter. */
	sum.complete = !sum.lost && !st->bad_pages && !st->gaps && (!l->watch || !swt_watch_gaps(l->watch));
	*ret = sum;
	return 0;
}

uint64_t swt_live_events(const struct swt_live *l)
{
	uint64_t seen = swt_reader_stats(l->reader)->events;

	return l->decoded && seen > l->counted ? seen : l->counted > seen ? l->counted : seen;
}

int swt_live_stop(struct swt_live *l)
{
	int rc = 0;

	for (unsigned int i = 0; i < l->ninst; i++) {
		int rc2 = swt_instance_set(&l->in[i], "tracing_on", "0");

		rc = rc ? rc : rc2;
	}
	return rc;
}
