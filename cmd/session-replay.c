/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session over a recording: as fast as it can be read, with reports at the times they would have been made.
 */
#include "cmd/session.h"

#include <string.h>

#include "base/fmt.h"

struct replay {
	struct swt_session *s;
	uint64_t next_tick, next_report;
};

/* Time passes with the events: catch up with every tick and report that lies before @ts. */
static int advance(struct replay *r, uint64_t ts)
{
	struct swt_session *s = r->s;

	/* A damaged page may claim any time; the sums below must not wrap. */
	if (ts > INT64_MAX)
		ts = INT64_MAX;
	if (!r->next_tick) {
		s->now = s->started = s->last_report = ts;
		r->next_tick = ts + SWT_NS_PER_SEC;
		r->next_report = ts + s->opts->delay_ns;
		return 0;
	}
	while (!s->stop && ts >= (r->next_tick < r->next_report ? r->next_tick : r->next_report)) {
		/* A long silence is one step: nothing can have changed in it. */
		if (r->next_report <= r->next_tick) {
			swt_session_report(s, r->next_report);
			r->next_report += s->opts->delay_ns;
			if (s->opts->count.known && s->front.report &&
			    s->totals.reports >= s->opts->count.v) {
				s->why = SWT_REASON_COUNT;
				s->stop = true;
			}
		} else {
			swt_model_tick(s->model, r->next_tick);
			r->next_tick += SWT_NS_PER_SEC;
			if (ts > r->next_tick + 3600 * SWT_NS_PER_SEC)
				r->next_tick = ts - 3600 * SWT_NS_PER_SEC;
		}
		if (ts > r->next_report + 3600 * SWT_NS_PER_SEC)
			r->next_report = ts - 3600 * SWT_NS_PER_SEC;
	}
	return s->stop;
}

static int on_event(void *arg, const struct swt_event *ev)
{
	struct replay *r = arg;

	if (advance(r, ev->ts))
		return 1;
	swt_session_event(r->s, ev);
	return r->s->stop;
}

static int on_lost(void *arg, const struct swt_lost *lost)
{
	struct replay *r = arg;

	if (lost->ts && advance(r, lost->ts))
		return 1;
	swt_session_lost(r->s, lost);
	return r->s->stop;
}

static int on_file(void *arg, uint64_t ts, const char *path, const char *text, size_t len)
{
	struct replay *r = arg;

	if (advance(r, ts))
		return 1;
	swt_session_file(r->s, ts, path, text, len);
	return r->s->stop;
}

/*
 * The header needs what the recorder said of itself, and the first samples: a look ahead of one second.  When the
 * recording begins is seen on the way: not every format says so at the front, and there may be samples alone.
 */
struct peek {
	struct swt_session *s;
	struct swt_opt first;
};

static int peek_time(struct peek *p, uint64_t ts)
{
	if (!p->first.known)
		p->first = swt_some(ts);
	return ts > p->first.v && ts - p->first.v > SWT_NS_PER_SEC;
}

static int peek_event(void *arg, const struct swt_event *ev)
{
	return peek_time(arg, ev->ts);
}

static int peek_file(void *arg, uint64_t ts, const char *path, const char *text, size_t len)
{
	struct peek *p = arg;
	struct swt_session *s = p->s;

	if (peek_time(p, ts))
		return 1;
	if (strcmp(path, "@anchor") == 0)
		swt_wall_parse(&s->wall, text, len);
	if (strcmp(path, "@info") == 0 && s->recorder.len == 0)
		swt_buf_add(&s->recorder, text, len);
	swt_sys_file(&s->snap->sys, ts, path, text, len);
	return 0;
}

static int peek(struct swt_session *s, const char *path, struct swt_err *err)
{
	struct peek p = { .s = s };
	struct swt_sink sink = { .arg = &p, .event = peek_event, .file = peek_file };
	struct swt_dat *d;
	int rc;

	rc = swt_dat_open(path, &d, err);
	if (rc < 0)
		return rc;
	swt_dat_run(d, UINT64_MAX, &sink);
	if (p.first.known)
		s->now = p.first.v;
	swt_dat_close(d);
	return 0;
}

/* The value of "key value\n" in what the recorder said of itself; "" when it is not there. */
static void recorder_value(const struct swt_session *s, const char *key, char *dst, size_t size)
{
	const char *p = swt_buf_str(&s->recorder);
	size_t n = strlen(key);

	dst[0] = '\0';
	for (; *p; p += strcspn(p, "\n"), p += *p == '\n') {
		if (strncmp(p, key, n) != 0 || p[n] != ' ')
			continue;
		snprintf(dst, size, "%.*s", (int)strcspn(p + n + 1, "\n"), p + n + 1);
		return;
	}
}

static uint64_t recorder_number(const struct swt_session *s, const char *key, uint64_t min, uint64_t max,
				uint64_t other)
{
	char text[32];
	uint64_t v;

	recorder_value(s, key, text, sizeof(text));
	return swt_parse_u64(text, &v) == 0 && v >= min && v <= max ? v : other;
}

static void fill_host(struct swt_session *s)
{
	struct swt_host *h = &s->host;

	memset(h, 0, sizeof(*h));
	recorder_value(s, "host", h->host, sizeof(h->host));
	recorder_value(s, "boot_id", h->boot_id, sizeof(h->boot_id));
	recorder_value(s, "arch", h->arch, sizeof(h->arch));
	recorder_value(s, "kernel", h->kernel, sizeof(h->kernel));
	if (!h->kernel[0])
		snprintf(h->kernel, sizeof(h->kernel), "%s", swt_dat_info(s->dat)->kernel);
	h->page_size = recorder_number(s, "page_size", 512, 1 << 20, 4096);
	h->ncpus = s->info.ncpus;
	s->info.level = (int)recorder_number(s, "level", 0, 4, (uint64_t)s->info.level);
}

int swt_session_replay(struct swt_session *s, const char *path)
{
	struct replay r = { .s = s };
	struct swt_sink sink = { .arg = &r, .event = on_event, .lost = on_lost, .file = on_file };
	struct swt_err err = { "" };
	int rc;

	rc = peek(s, path, &err);
	if (rc == 0)
		rc = swt_dat_open(path, &s->dat, &err);
	if (rc < 0)
		return swt_fail(rc, &err);
	s->info = *swt_dat_source(s->dat);
	fill_host(s);
	rc = swt_filter_init(s->opts, NULL, s->host.page_size, &s->filter, &err);
	if (rc == 0)
		rc = swt_session_model(s, swt_dat_formats(s->dat), &err);
	if (rc < 0) {
		rc = swt_fail(rc, &err);
		goto out;
	}
	s->why = SWT_REASON_EOF;
	rc = swt_session_start(s);
	if (!s->stop)
		rc = swt_dat_run(s->dat, UINT64_MAX, &sink);
	if (rc < 0 && !s->rc) {
		swt_msg("'%s': reading stopped early: %s", path, strerror(-rc));
		s->totals.complete = false;
	}
	if (swt_dat_info(s->dat)->cut)
		swt_msg("'%s' is cut: %s", path, swt_dat_info(s->dat)->cut_why);
	if (!s->stop && s->now > s->last_report)
		swt_session_report(s, s->now);
	rc = swt_session_finish(s);
out:
	swt_dat_close(s->dat);
	s->dat = NULL;
	return rc;
}
