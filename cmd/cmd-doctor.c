/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * swaptop doctor: try what a start would do, and say what came of it.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/fmt.h"
#include "cmd/session.h"
#include "out/doctor.h"
#include "trace/tracefs.h"

struct exam {
	struct swt_session s;
	struct swt_doctor d;
	struct swt_source_info info;
	struct swt_sys sys;
	struct swt_err problem;
	struct swt_buf tracefs, others, lockdown;
};

static int take_file(void *arg, uint64_t ts, const char *path, const char *text, size_t len)
{
	swt_sys_file(arg, ts, path, text, len);
	return 0;
}

/* The word in brackets, "none" being no lockdown. */
static const char *read_lockdown(struct exam *x)
{
	char *open, *close;

	if (swt_root_read(x->s.root, "/sys/kernel/security/lockdown", &x->lockdown) < 0)
		return NULL;
	open = strchr(x->lockdown.s, '[');
	close = open ? strchr(open, ']') : NULL;
	if (!close)
		return NULL;
	*close = '\0';
	return strcmp(open + 1, "none") == 0 ? NULL : open + 1;
}

static void examine_events(struct exam *x, const struct swt_opts *o)
{
	struct swt_live_cfg cfg = { .root = x->s.root,
				    .clock = x->s.clock,
				    .level = o->level,
				    .want = o->source,
				    .rings_bytes = o->buffer };
	struct swt_live *live;
	sigset_t before;

	if (swt_tracefs_find(x->s.root, &x->tracefs, &x->problem) < 0)
		return;
	cfg.tracefs = swt_buf_str(&x->tracefs);
	if (o->source == SWT_SOURCE_PROC || o->level == 0)
		return;
	swt_hold_signals(&before);
	if (swt_live_open(&cfg, &live, &x->problem) == 0) {
		x->info = *swt_live_info(live);
		swt_live_close(live);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	swt_tracefs_others(x->s.root, cfg.tracefs, &x->others);
}

static struct swt_opt read_knob(const struct exam *x, const char *path)
{
	struct swt_buf b = SWT_BUF_INIT;
	struct swt_opt ret = SWT_UNKNOWN;
	uint64_t v;

	if (swt_root_read(x->s.root, path, &b) == 0 && b.len > 0) {
		b.s[strcspn(b.s, "\n")] = '\0';
		if (swt_parse_u64(b.s, &v) == 0)
			ret = swt_some(v);
	}
	swt_buf_free(&b);
	return ret;
}

static int examine(struct exam *x, const struct swt_opts *o, struct swt_sampler **sampler)
{
	struct swt_sampler_cfg cfg = { .root = x->s.root,
				       .clock = x->s.clock,
				       .sink = { .arg = &x->sys, .file = take_file } };
	int rc;

	swt_host_read(x->s.root, &x->s.host);
	examine_events(x, o);
	rc = swt_sampler_new(&cfg, sampler);
	if (rc == 0)
		rc = swt_sampler_system(*sampler);
	return rc;
}

static void fill(struct exam *x, const struct swt_sampler *sampler)
{
	x->d = (struct swt_doctor){
		.host = x->s.host.host,
		.kernel = x->s.host.kernel,
		.arch = x->s.host.arch,
		.ncpus = x->s.host.ncpus,
		.page_size = x->s.host.page_size,
		.info = &x->info,
		.tracefs = swt_buf_str(&x->tracefs),
		.tracefs_problem = x->problem.text,
		.lockdown = read_lockdown(x),
		.sys = &x->sys,
		.min_entries = read_knob(x, "/sys/kernel/mm/swap/exit_release/min_entries"),
		.min_exiting = read_knob(x, "/sys/kernel/mm/swap/exit_release/min_exiting"),
		.others = swt_buf_str(&x->others),
		.limited = sampler ? swt_sampler_limited(sampler) : "",
		.ns_per_event = swt_some(SWT_EVENT_COST_NS),
	};
}

static int tell(struct exam *x, const struct swt_opts *o)
{
	struct swt_buf out = SWT_BUF_INIT;
	struct swt_json j;
	int rc;

	if (o->json) {
		swt_wall_now(&x->s.wall, x->s.clock);
		swt_json_init(&j, STDOUT_FILENO, &x->s.wall);
		rc = swt_doctor_json(&x->d, &j, swt_clock_mono(x->s.clock));
		swt_json_fini(&j);
	} else {
		rc = swt_doctor_text(&x->d, o->ascii, &out);
		if (rc == 0)
			fwrite(swt_buf_str(&out), 1, out.len, stdout);
		swt_buf_free(&out);
	}
	return rc;
}

int cmd_doctor(const struct swt_opts *o)
{
	static const struct swt_front none;
	struct exam x = { .info = { .kind = SWT_SOURCE_PROC, .clock = "mono" } };
	struct swt_sampler *sampler = NULL;
	struct swt_err err = { "" };
	int rc, status;

	rc = swt_session_init(&x.s, o, &none, &err);
	if (rc == 0) {
		examine(&x, o, &sampler);
		fill(&x, sampler);
		rc = tell(&x, o);
	}
	if (rc < 0 && rc != -EPIPE)
		status = swt_fail(rc, &err);
	else
		status = x.problem.text[0] ? SWT_EXIT_NO_ACCESS : SWT_EXIT_OK;
	swt_sampler_free(sampler);
	swt_buf_free(&x.tracefs);
	swt_buf_free(&x.others);
	swt_buf_free(&x.lockdown);
	swt_session_free(&x.s);
	return status;
}
