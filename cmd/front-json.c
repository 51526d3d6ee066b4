/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <unistd.h>

#include "cmd/front.h"
#include "out/json.h"

struct front {
	struct swt_json json;
	const struct swt_session *s;
	bool reports;
	uint64_t rows;
};

static int on_start(void *arg, const struct swt_session *s)
{
	struct front *f = arg;
	struct swt_json_header h = {
		.host = s->host.host,
		.boot_id = s->host.boot_id,
		.kernel = s->host.kernel,
		.arch = s->host.arch,
		.page_size = s->host.page_size,
		.info = &s->info,
		.interval_ns = f->reports ? s->opts->delay_ns : 0,
		.mode = swt_session_sys(s)->mode,
		.sys = swt_session_sys(s),
	};

	f->s = s;
	f->json.wall = &s->wall;
	return swt_json_header(&f->json, s->now, &h);
}

static int on_release(void *arg, const struct swt_release *r, enum swt_step step)
{
	struct front *f = arg;
	const struct swt_opt count = f->s->opts->count;
	int rc;

	if (step == SWT_STEP_UPDATE)
		return swt_json_exit_update(&f->json, f->s->now, r);
	rc = swt_json_exit(&f->json, f->s->now, r);
	if (rc == 0 && !f->reports && count.known && ++f->rows >= count.v)
		rc = SWT_FRONT_STOP;
	return rc;
}

static int on_report(void *arg, const struct swt_snapshot *snap)
{
	return swt_json_report(&((struct front *)arg)->json, snap);
}

static int on_end(void *arg, uint64_t ts, const struct swt_totals *t, enum swt_reason why)
{
	struct front *f = arg;
	struct swt_json_end e = {
		.events = f->s->info.kind == SWT_SOURCE_PROC ? SWT_UNKNOWN : swt_some(t->events),
		.lost = f->s->info.kind == SWT_SOURCE_PROC ? SWT_UNKNOWN : swt_some(t->lost),
		.complete = t->complete,
		.reason = swt_reason_name(why),
	};

	return swt_json_end(&f->json, ts, &e);
}

int swt_front_json(const struct swt_opts *o, bool reports)
{
	struct front f = { .reports = reports };
	struct swt_front front = {
		.arg = &f,
		.start = on_start,
		.release = on_release,
		.report = reports ? on_report : NULL,
		.end = on_end,
	};
	int status;

	swt_json_init(&f.json, STDOUT_FILENO, NULL);
	status = swt_session_run(o, &front);
	swt_json_fini(&f.json);
	return status;
}
