/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What live and replayed sessions share: source to model, model to front end, totals.
 */
#include "cmd/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

const char *swt_reason_name(enum swt_reason r)
{
	static const char *const names[] = {
		[SWT_REASON_COUNT] = "count", [SWT_REASON_SIGNAL] = "signal", [SWT_REASON_EOF] = "input",
		[SWT_REASON_LOST] = "strict", [SWT_REASON_CHILD] = "command", [SWT_REASON_PIPE] = "error",
		[SWT_REASON_ERROR] = "error",
	};

	return names[r];
}

static void read_line(const struct swt_root *root, const char *path, char *dst, size_t size)
{
	struct swt_buf b = SWT_BUF_INIT;

	dst[0] = '\0';
	if (swt_root_read(root, path, &b) == 0)
		snprintf(dst, size, "%.*s", (int)strcspn(swt_buf_str(&b), "\n"), swt_buf_str(&b));
	swt_buf_free(&b);
}

void swt_host_read(const struct swt_root *root, struct swt_host *ret)
{
	struct utsname u;
	long ncpus = sysconf(_SC_NPROCESSORS_ONLN);

	memset(ret, 0, sizeof(*ret));
	read_line(root, "/proc/sys/kernel/hostname", ret->host, sizeof(ret->host));
	read_line(root, "/proc/sys/kernel/random/boot_id", ret->boot_id, sizeof(ret->boot_id));
	read_line(root, "/proc/sys/kernel/osrelease", ret->kernel, sizeof(ret->kernel));
	ret->page_size = (uint64_t)sysconf(_SC_PAGESIZE);
	if (!swt_root_live(root))
		return;
	if (uname(&u) == 0)
		snprintf(ret->arch, sizeof(ret->arch), "%s", u.machine);
	ret->ncpus = ncpus > 0 ? (unsigned int)ncpus : 0;
}

/* The first error of the front end stops the session. */
static int front_rc(struct swt_session *s, int rc)
{
	if (rc == 0)
		return 0;
	if (rc == SWT_FRONT_STOP) {
		s->why = SWT_REASON_COUNT;
	} else if (!s->rc) {
		s->rc = rc;
		s->why = rc == -EPIPE ? SWT_REASON_PIPE : SWT_REASON_ERROR;
	}
	s->stop = true;
	return s->rc;
}

static void on_release(void *arg, const struct swt_release *r, enum swt_step step)
{
	struct swt_session *s = arg;

	/* Rows are counted: what the last drain still brings is not shown. */
	if (s->rc || (s->why == SWT_REASON_COUNT && !s->front.report))
		return;
	if (!swt_filter_match(&s->filter, r))
		return;
	if (step == SWT_STEP_DONE)
		s->totals.exits++;
	if (s->front.release)
		front_rc(s, s->front.release(s->front.arg, r, step));
}

static void on_note(void *arg, uint64_t ts, enum swt_note_kind kind, const char *text)
{
	struct swt_session *s = arg;

	if (s->front.note && !s->rc)
		front_rc(s, s->front.note(s->front.arg, ts, kind, text));
}

/* Threads of a watched process go on the list; a process that was born is looked at early. */
static void on_task(void *arg, pid_t tgid, pid_t tid, bool is_thread, bool born)
{
	struct swt_session *s = arg;

	if (!s->live)
		return;
	if (!born) {
		swt_live_unwatch(s->live, tid);
	} else if (!is_thread) {
		if (s->sampler)
			swt_sampler_born(s->sampler, tid);
	} else if (swt_live_watched(s->live, tgid)) {
		swt_live_watch(s->live, &tid, 1);
	}
}

int swt_session_event(void *session, const struct swt_event *ev)
{
	struct swt_session *s = session;

	if (ev->ts > s->now)
		s->now = ev->ts;
	swt_model_event(s->model, ev);
	return s->rc;
}

int swt_session_lost(void *session, const struct swt_lost *lost)
{
	struct swt_session *s = session;

	s->totals.complete = false;
	swt_model_lost(s->model, lost);
	if (s->opts->strict) {
		s->why = SWT_REASON_LOST;
		s->stop = true;
	}
	return s->rc;
}

int swt_session_file(void *session, uint64_t ts, const char *path, const char *text, size_t len)
{
	struct swt_session *s = session;

	if (ts > s->now)
		s->now = ts;
	if (strcmp(path, "@anchor") == 0)
		swt_wall_parse(&s->wall, text, len);
	swt_model_file(s->model, ts, path, text, len);
	return s->rc;
}

int swt_session_init(struct swt_session *s, const struct swt_opts *o, const struct swt_front *front,
		     struct swt_err *err)
{
	int rc;

	memset(s, 0, sizeof(*s));
	s->opts = o;
	s->front = *front;
	s->clock = swt_clock_system();
	s->totals.complete = true;
	s->why = SWT_REASON_ERROR;
	s->snap = calloc(1, sizeof(*s->snap));
	if (!s->snap)
		return -ENOMEM;
	rc = swt_root_new(o->sysroot, &s->root);
	if (rc < 0)
		return swt_err_set(err, rc, "cannot open the sysroot '%s': %s", o->sysroot, strerror(-rc));
	return 0;
}

void swt_session_free(struct swt_session *s)
{
	swt_model_free(s->model);
	swt_buf_free(&s->recorder);
	swt_root_free(s->root);
	free(s->snap);
}

int swt_session_model(struct swt_session *s, const struct swt_formats *formats, struct swt_err *err)
{
	struct swt_model_cfg cfg = {
		.ops = { .arg = s, .release = on_release, .note = on_note, .task = on_task },
		.info = &s->info,
		.formats = formats,
		.page_size = s->host.page_size,
		.user_hz = (unsigned int)sysconf(_SC_CLK_TCK),
		.bits = formats ? 8 * swt_formats_page(formats)->long_size : (int)(8 * sizeof(long)),
	};
	int rc;

	rc = swt_model_new(&cfg, &s->model);
	if (rc < 0)
		return swt_err_set(err, rc, "cannot start: %s", strerror(-rc));
	return 0;
}

const struct swt_sys *swt_session_sys(const struct swt_session *s)
{
	return &s->snap->sys;
}

int swt_session_start(struct swt_session *s)
{
	s->last_report = s->now;
	return s->front.start ? front_rc(s, s->front.start(s->front.arg, s)) : 0;
}

/* Our own price: CPU time since the last report, resident memory now. */
static void measure_self(struct swt_session *s, uint64_t interval_ns, struct swt_snapshot *snap)
{
	struct swt_buf b = SWT_BUF_INIT;
	const char *p;
	struct rusage ru;
	uint64_t cpu;

	getrusage(RUSAGE_SELF, &ru);
	cpu = (uint64_t)(ru.ru_utime.tv_sec + ru.ru_stime.tv_sec) * SWT_NS_PER_SEC +
	      (uint64_t)(ru.ru_utime.tv_usec + ru.ru_stime.tv_usec) * 1000;
	if (interval_ns > 0 && s->totals.reports > 0)
		snap->self_cpu_hundredths = swt_some((cpu - s->self_cpu_ns) * 10000 / interval_ns);
	s->self_cpu_ns = cpu;
	if (swt_root_live(s->root) && swt_root_read(s->root, "/proc/self/statm", &b) == 0 &&
	    (p = strchr(swt_buf_str(&b), ' ')))
		snap->self_rss = swt_some(strtoull(p, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE));
	swt_buf_free(&b);
}

static void count_events(struct swt_session *s, struct swt_snapshot *snap)
{
	struct swt_loss loss = { .complete = true };
	uint64_t events;

	if (s->dat) {
		events = swt_dat_stats(s->dat)->decoded;
		/* The writer's counters see more than page headers: what was lost after the last event, too. */
		loss.lost = swt_opt_or(swt_dat_info(s->dat)->recorded_lost, 0);
		if (swt_dat_stats(s->dat)->lost > loss.lost)
			loss.lost = swt_dat_stats(s->dat)->lost;
	} else if (s->live) {
		events = swt_live_events(s->live);
		if (swt_live_loss(s->live, &loss) < 0)
			loss.complete = false; /* not known is not nothing */
	} else {
		return; /* no events: unknown, not 0 */
	}
	s->totals.events = events;
	if (loss.lost > s->totals.lost)
		s->totals.lost = loss.lost;
	snap->events = swt_some(events - s->last_events);
	snap->cost_ns = swt_opt_mul(snap->events, SWT_EVENT_COST_NS);
	snap->lost = swt_some(s->totals.lost - s->last_lost);
	if (!loss.complete || snap->lost.v > 0) {
		snap->complete = snap->lost.v == 0 && snap->complete;
		s->totals.complete = false;
		if (s->opts->strict) {
			s->why = SWT_REASON_LOST;
			s->stop = true;
		}
	}
	s->last_events = events;
	s->last_lost = s->totals.lost;
}

int swt_session_report(struct swt_session *s, uint64_t now)
{
	struct swt_snapshot *snap = s->snap;

	swt_model_snapshot(s->model, now, snap);
	count_events(s, snap);
	if (!s->dat)
		measure_self(s, now - s->last_report, snap);
	s->last_report = now;
	if (!s->front.report)
		return 0;
	s->totals.reports++;
	return front_rc(s, s->front.report(s->front.arg, snap));
}

int swt_session_finish(struct swt_session *s)
{
	struct swt_snapshot *snap = s->snap;

	swt_model_end(s->model, s->now);
	memset(snap, 0, sizeof(*snap));
	count_events(s, snap);
	if (s->dat && swt_dat_info(s->dat)->cut)
		s->totals.complete = false;
	if (s->front.end && !s->rc)
		front_rc(s, s->front.end(s->front.arg, s->now, &s->totals, s->why));
	if (s->rc && s->rc != -EPIPE)
		return swt_fail(s->rc, NULL);
	return s->totals.complete ? SWT_EXIT_OK : SWT_EXIT_INCOMPLETE;
}

int swt_session_run(const struct swt_opts *o, const struct swt_front *front)
{
	struct swt_session s;
	struct swt_err err = { "" };
	int rc;

	rc = swt_session_init(&s, o, front, &err);
	if (rc < 0)
		rc = swt_fail(rc, &err);
	else if (o->input)
		rc = swt_session_replay(&s, o->input);
	else
		rc = swt_session_live(&s, NULL);
	swt_session_free(&s);
	return rc;
}
