/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session on the running system: one epoll loop that drains the rings every 100 ms (and whenever one is half
 * full), samples /proc, reports, and, when recording, keeps every ring page.
 */
#include "cmd/session.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "base/loop.h"
#include "cmd/child.h"
#include "cmd/queue.h"
#include "model/nspid.h"
#include "trace/record.h"
#include "trace/tracefs.h"

#define TICK_NS (100 * SWT_NS_PER_MS)
/* Samples younger than this wait for the next drain: events of that moment may still be on their way. */
#define SLACK_NS  (2 * SWT_NS_PER_MS)
#define ANCHOR_NS (10 * SWT_NS_PER_SEC)
#define WANTS_MAX 256
#define MAX_FDS	  1024

struct live {
	struct swt_session *s;
	struct swt_loop *loop;
	struct swt_live_tee tee, *tee_ptr;
	struct swt_sink sink;
	struct swt_child child;
	uint64_t last_anchor;
	int tee_rc; /* of the recorder */
	bool mark_failed;
};

/* A sample that does not get into the ring is missing from the recording: say so, once, and go on. */
static int keep_sample(struct live *l, const char *path, const char *text, size_t len)
{
	int rc = swt_live_mark(l->s->live, path, text, len);

	if (rc < 0) {
		l->s->totals.complete = false;
		if (!l->mark_failed)
			swt_msg("warning: samples are missing from the recording: %s", strerror(-rc));
		l->mark_failed = true;
	}
	return 0;
}

/* Samples: of processes in line with the events, of the system at once, in a recording through the ring. */
static int on_sample(void *arg, uint64_t ts, const char *path, const char *text, size_t len)
{
	struct live *l = arg;
	struct swt_session *s = l->s;

	if (s->record)
		return keep_sample(l, path, text, len);
	if (s->live && strncmp(path, "/proc/", 6) == 0 && path[6] >= '0' && path[6] <= '9')
		return swt_file_queue_add(s->files, ts, path, text, len);
	return swt_session_file(s, ts, path, text, len);
}

static int on_event(void *arg, const struct swt_event *ev)
{
	struct live *l = arg;
	struct swt_sink files = { .arg = l->s, .file = swt_session_file };
	int rc;

	rc = swt_file_queue_run(l->s->files, ev->ts, &files);
	if (rc == 0)
		rc = swt_session_event(l->s, ev);
	return rc;
}

static int on_lost(void *arg, const struct swt_lost *lost)
{
	return swt_session_lost(((struct live *)arg)->s, lost);
}

static int on_file(void *arg, uint64_t ts, const char *path, const char *text, size_t len)
{
	return swt_session_file(((struct live *)arg)->s, ts, path, text, len);
}

/* Every ring page, to the recorder; what it says is told apart from trouble with the rings. */
static int on_page(void *arg, unsigned int buffer, unsigned int cpu, const void *page, size_t len)
{
	struct live *l = arg;

	if (!l->tee_rc)
		l->tee_rc = swt_record_page(l->s->record, buffer, cpu, page, len);
	return l->tee_rc;
}

/* A process with much swap: watch all its threads. */
static int on_watch(void *arg, pid_t pid, const pid_t *tids, size_t n, uint64_t swap_bytes)
{
	struct live *l = arg;

	(void)pid;
	(void)swap_bytes;
	return swt_live_watch_free(l->s->live) ? swt_live_watch(l->s->live, tids, n) : 0;
}

static int drain(struct live *l, bool last)
{
	struct swt_session *s = l->s;
	struct swt_sink files = { .arg = s, .file = swt_session_file };
	uint64_t before = swt_clock_mono(s->clock);
	int rc = 0;

	if (s->live)
		rc = swt_live_drain(s->live, &l->sink, l->tee_ptr, last);
	if (rc == 0 && before > SLACK_NS)
		rc = swt_file_queue_run(s->files, last ? UINT64_MAX : before - SLACK_NS, &files);
	if (before > s->now)
		s->now = before;
	if (rc < 0 && !s->rc) {
		if (l->tee_rc)
			swt_msg("cannot write the recording '%s': %s", s->opts->output, strerror(-rc));
		else
			swt_msg("cannot read the rings: %s", strerror(-rc));
		s->rc = rc;
		s->stop = true;
	}
	return s->stop;
}

static void anchor(struct live *l, bool force)
{
	struct swt_session *s = l->s;
	uint64_t mono = swt_clock_mono(s->clock);
	char text[64];

	if (!force && mono - l->last_anchor < ANCHOR_NS)
		return;
	l->last_anchor = mono;
	swt_wall_now(&s->wall, s->clock);
	if (!s->record)
		return;
	snprintf(text, sizeof(text), "%llu %llu\n", (unsigned long long)mono,
		 (unsigned long long)swt_clock_real(s->clock));
	swt_live_mark(s->live, "@anchor", text, strlen(text));
}

static int tick(struct live *l)
{
	struct swt_session *s = l->s;
	pid_t pids[WANTS_MAX];
	size_t n;

	if (drain(l, false))
		return 1;
	anchor(l, false);
	/* Who was seen first by an event: its name, group and start time while it lives. */
	n = swt_model_wants(s->model, pids, WANTS_MAX);
	for (size_t i = 0; i < n; i++)
		swt_sampler_pid(s->sampler, pids[i]);
	swt_sampler_tick(s->sampler);
	swt_model_tick(s->model, s->now > SLACK_NS ? s->now - SLACK_NS : s->now);
	return s->stop;
}

static int on_tick(void *arg, uint32_t events)
{
	(void)events;
	return tick(arg);
}

static int on_ring(void *arg, uint32_t events)
{
	(void)events;
	return drain(arg, false);
}

static int on_report(void *arg, uint32_t events)
{
	struct live *l = arg;
	struct swt_session *s = l->s;

	(void)events;
	if (tick(l))
		return 1;
	swt_sampler_system(s->sampler);
	swt_session_report(s, swt_clock_mono(s->clock));
	if (s->opts->count.known && !s->stop && (s->front.report || s->record) &&
	    ++s->ticks >= s->opts->count.v) {
		s->why = SWT_REASON_COUNT;
		s->stop = true;
	}
	return s->stop;
}

static int on_signal(void *arg, uint32_t signo)
{
	struct live *l = arg;

	if (signo == SIGCHLD && !swt_child_reap(&l->child))
		return 0;
	l->s->why = signo == SIGCHLD ? SWT_REASON_CHILD : SWT_REASON_SIGNAL;
	l->s->stop = true;
	return 1;
}

/* Events of this system, or the reason why there are none. */
static int open_source(struct swt_session *s, struct swt_err *err)
{
	const struct swt_opts *o = s->opts;
	/* Without events there is nothing that exits or record could show. */
	bool must =
		o->level > 0 || o->source > SWT_SOURCE_PROC || s->recording || o->cmd->bit == SWT_CMD_EXITS;
	struct swt_buf tracefs = SWT_BUF_INIT;
	struct swt_live_cfg cfg = { .root = s->root,
				    .clock = s->clock,
				    .log = swt_cmd_log(),
				    .level = o->level,
				    .want = o->source,
				    .rings_bytes = o->buffer,
				    .recording = s->recording };
	int rc = 0;

	snprintf(s->info.clock, sizeof(s->info.clock), "mono");
	if (o->source == SWT_SOURCE_PROC || o->level == 0) {
		snprintf(s->info.why_proc, sizeof(s->info.why_proc), "not asked for");
		return 0;
	}
	rc = swt_nspid_check(s->root, err);
	if (rc == 0)
		rc = swt_tracefs_find(s->root, &tracefs, err);
	if (rc == 0) {
		cfg.tracefs = swt_buf_str(&tracefs);
		rc = swt_live_open(&cfg, &s->live, err);
	}
	if (rc == 0) {
		s->info = *swt_live_info(s->live);
		snprintf(s->tracefs, sizeof(s->tracefs), "%s", swt_buf_str(&tracefs));
	} else if (!must) {
		snprintf(s->info.why_proc, sizeof(s->info.why_proc), "%.255s",
			 err->text[0] ? err->text : strerror(-rc));
		swt_msg("no events, /proc only: %s", s->info.why_proc);
		rc = 0;
	}
	swt_buf_free(&tracefs);
	return rc;
}

static int open_recorder(struct swt_session *s, const char *path, struct swt_err *err)
{
	struct swt_record_cfg cfg = {
		.root = s->root,
		.tracefs = s->tracefs,
		.info = &s->info,
		.buffers = s->info.level == 3 ? 2 : 1,
		.ncpus = s->info.ncpus,
		.page_size = swt_formats_page(swt_live_formats(s->live))->data_offset +
			     swt_formats_page(swt_live_formats(s->live))->data_size,
	};

	return swt_record_new(path, &cfg, &s->record, err);
}

/* What a reader elsewhere has to know about this machine. */
static void mark_info(struct swt_session *s)
{
	char text[1024];

	snprintf(text, sizeof(text),
		 "schema swaptop/1.0\nversion %s\nhost %s\nboot_id %s\nkernel %s\narch %s\npage_size %llu\n"
		 "level %d\nsource %s\nclock %s\n",
		 SWT_VERSION, s->host.host, s->host.boot_id, s->host.kernel, s->host.arch,
		 (unsigned long long)s->host.page_size, s->info.level, swt_source_name(s->info.kind),
		 s->info.clock);
	swt_live_mark(s->live, "@info", text, strlen(text));
}

static int open_all(struct live *l, const char *out_path, struct swt_err *err)
{
	struct swt_session *s = l->s;
	struct swt_sampler_cfg scfg = { .root = s->root,
					.clock = s->clock,
					.sink = { .arg = l, .file = on_sample } };
	int rc;

	swt_host_read(s->root, &s->host);
	s->recording = out_path != NULL;
	rc = swt_filter_init(s->opts, s->root, s->host.page_size, &s->filter, err);
	if (rc == 0)
		rc = open_source(s, err);
	if (rc == 0 && out_path)
		rc = open_recorder(s, out_path, err);
	if (rc == 0)
		rc = swt_session_model(s, s->live ? swt_live_formats(s->live) : NULL, err);
	if (rc == 0)
		rc = swt_file_queue_new(&s->files);
	if (rc < 0)
		return rc;
	if (s->live && s->info.level == 3) {
		scfg.watch = on_watch;
		scfg.watch_arg = l;
	}
	return swt_sampler_new(&scfg, &s->sampler);
}

static int open_loop(struct live *l)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD };
	struct swt_session *s = l->s;
	int fds[MAX_FDS], rc;
	size_t n = 0;

	rc = swt_loop_new(&l->loop);
	for (size_t i = 0; rc == 0 && i < sizeof(signals) / sizeof(signals[0]); i++)
		rc = swt_loop_signal(l->loop, signals[i], on_signal, l);
	if (s->live)
		n = swt_live_fds(s->live, fds, MAX_FDS);
	for (size_t i = 0; rc == 0 && i < n && i < MAX_FDS; i++)
		rc = swt_loop_fd(l->loop, fds[i], EPOLLIN, on_ring, l);
	if (rc == 0)
		rc = swt_loop_tick(l->loop, 0, TICK_NS, on_tick, l);
	if (rc == 0)
		rc = swt_loop_tick(l->loop, 0, s->opts->delay_ns, on_report, l);
	return rc;
}

static int record_stats(void *arg, unsigned int cpu, const char *text)
{
	return swt_record_cpustat(arg, cpu, text);
}

/* The rings stop first, so that the last drain is really the last. */
static int finish(struct live *l)
{
	struct swt_session *s = l->s;
	struct swt_err err = { "" };
	int rc, status;

	if (!s->stop || s->why != SWT_REASON_PIPE) {
		anchor(l, true);
		if (s->live)
			swt_live_stop(s->live);
		s->stop = false;
		drain(l, true);
	}
	status = swt_session_finish(s);
	if (!s->record)
		return status;
	/* What was lost behind the last page is in these counters only. */
	if (swt_live_stats(s->live, record_stats, s->record) < 0)
		swt_msg("warning: the recording says nothing of events lost at its end");
	rc = swt_record_finish(s->record, &err);
	if (rc < 0)
		return swt_fail(rc, &err);
	return status;
}

static int run(struct live *l, const char *out_path, struct swt_err *err)
{
	struct swt_session *s = l->s;
	int rc;

	rc = open_all(l, out_path, err);
	if (rc == 0)
		rc = open_loop(l);
	if (rc < 0)
		return rc;
	if (s->record) {
		l->tee = (struct swt_live_tee){ l, on_page };
		l->tee_ptr = &l->tee;
	}
	l->sink = (struct swt_sink){ .arg = l, .event = on_event, .lost = on_lost, .file = on_file };
	s->now = s->started = swt_clock_mono(s->clock);
	if (s->record)
		mark_info(s);
	anchor(l, true);
	swt_sampler_system(s->sampler);
	swt_model_snapshot(s->model, s->now, s->snap); /* the base of the first interval */
	rc = swt_session_start(s);
	if (!s->stop && s->opts->child)
		rc = swt_child_start(&l->child, s->opts->child, err);
	if (rc == 0 && !s->stop)
		rc = swt_loop_run(l->loop);
	return rc < 0 && !s->rc ? rc : 0;
}

void swt_hold_signals(sigset_t *before)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGQUIT);
	sigprocmask(SIG_BLOCK, &set, before);
}

int swt_session_live(struct swt_session *s, const char *out_path)
{
	struct live l = { .s = s };
	struct swt_err err = { "" };
	sigset_t before;
	int rc, status;

	/* For good: the loop takes them, and what comes after it is the end of the program. */
	swt_hold_signals(&before);
	rc = run(&l, out_path, &err);
	if (rc < 0)
		status = swt_fail(rc, &err);
	else
		status = finish(&l);
	swt_loop_free(l.loop);
	swt_sampler_free(s->sampler);
	swt_file_queue_free(s->files);
	swt_record_free(s->record);
	swt_model_free(s->model);
	s->model = NULL;
	swt_live_close(s->live);
	/* A command may not listen to TERM: nothing of ours is left to lose, so a signal may end the wait for it. */
	if (l.child.pid > 0)
		sigprocmask(SIG_SETMASK, &before, NULL);
	swt_child_end(&l.child);
	return status;
}
