/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "base/fmt.h"
#include "cmd/front.h"
#include "out/interval.h"
#include "out/text.h"

#define HEADING_EVERY 40

struct front {
	struct swt_text text;
	struct swt_buf line;
	const struct swt_session *s;
	bool reports;
	uint64_t rows;
};

static int say(struct front *f, uint64_t ts, int rc)
{
	if (rc == 0)
		rc = swt_text_message(&f->text, ts, swt_buf_str(&f->line));
	swt_buf_reset(&f->line);
	return rc;
}

/* What cannot be seen is said once, first. */
static int on_start(void *arg, const struct swt_session *s)
{
	struct front *f = arg;
	const struct swt_source_info *info = &s->info;
	int rc;

	f->s = s;
	f->text.wall = &s->wall;
	if (!f->reports)
		return 0;
	rc = swt_buf_addf(&f->line, "%s %s, source %s, level %d", s->host.host[0] ? s->host.host : "-",
			  s->host.kernel[0] ? s->host.kernel : "-", swt_source_name(info->kind), info->level);
	if (rc == 0 && info->kind == SWT_SOURCE_PROC)
		rc = swt_buf_addf(&f->line, ": no exits can be seen (%s)", info->why_proc);
	else if (rc == 0 && info->kind == SWT_SOURCE_STOCK)
		rc = swt_buf_adds(&f->line, ": fate and pending need the kernel patch (swaptop doctor)");
	if (rc == 0 && s->filter.swap_only)
		rc = swt_buf_adds(&f->line, "; exits without swap are only counted");
	return say(f, s->now, rc);
}

static int on_release(void *arg, const struct swt_release *r, enum swt_step step)
{
	struct front *f = arg;
	char lag[SWT_FMT_LEN];
	int rc;

	if (step == SWT_STEP_DONE) {
		rc = swt_text_row(&f->text, f->s->now, r);
		f->rows++;
		if (rc == 0 && !f->reports && f->s->opts->count.known && f->rows >= f->s->opts->count.v)
			rc = SWT_FRONT_STOP;
		return rc;
	}
	/* Of updates only one kind is news for a reader of rows: memory that outlived its process is back. */
	if (!r->held || !r->released_at.known)
		return 0;
	rc = swt_buf_addf(&f->line,
			  "%s (pid %d): its address space was released by pid %d, %s after the exit", r->comm,
			  r->pid, r->released_by, swt_fmt_opt(lag, sizeof(lag), r->lag, swt_fmt_ns));
	return say(f, f->s->now, rc);
}

static int on_note(void *arg, uint64_t ts, enum swt_note_kind kind, const char *text)
{
	(void)kind;
	return swt_text_message(&((struct front *)arg)->text, ts, text);
}

static int on_report(void *arg, const struct swt_snapshot *snap)
{
	struct front *f = arg;

	return say(f, snap->ts, swt_interval_line(snap, f->s->host.page_size, &f->line));
}

static int on_end(void *arg, uint64_t ts, const struct swt_totals *t, enum swt_reason why)
{
	struct front *f = arg;
	int rc;

	(void)why;
	if (t->complete || f->s->info.kind == SWT_SOURCE_PROC)
		return 0;
	/* A recording that is cut has lost an unknown number. */
	if (t->lost)
		rc = swt_buf_addf(&f->line, "INCOMPLETE: %" PRIu64 " events lost", t->lost);
	else
		rc = swt_buf_adds(&f->line, "INCOMPLETE: not everything was seen");
	return say(f, ts, rc);
}

int swt_front_text(const struct swt_opts *o, bool reports)
{
	struct front f = { .reports = reports };
	struct swt_front front = {
		.arg = &f,
		.start = on_start,
		.release = on_release,
		.note = reports ? on_note : NULL,
		.report = reports ? on_report : NULL,
		.end = on_end,
	};
	int def[SWT_MAX_COLUMNS], status;
	size_t n = o->ncolumns ? o->ncolumns : swt_column_default(def, SWT_MAX_COLUMNS);

	swt_text_init(&f.text, STDOUT_FILENO, NULL, o->ncolumns ? o->column : def, n);
	f.text.ascii = o->ascii;
	f.text.again = HEADING_EVERY;
	status = swt_session_run(o, &front);
	swt_text_fini(&f.text);
	swt_buf_free(&f.line);
	return status;
}
