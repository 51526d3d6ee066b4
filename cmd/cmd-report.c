/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * swaptop report: a recording, or a saved --json stream, on one page.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/front.h"
#include "out/ndjson.h"
#include "out/summary.h"
#include "out/text.h"

#define SLOWEST 10

/* The releases listed one by one: the first of the chosen order, copies that outlive the model. */
struct slowest {
	struct swt_release r[SLOWEST + 1];
	size_t n;
	int column;
};

struct report {
	const struct swt_opts *o;
	const struct swt_session *s;
	struct swt_summary *sum;
	struct slowest slow;
	char *groups[SLOWEST + 1]; /* unused slots NULL; groups of the releases above */
	struct swt_text text;
};

static void slot_free(struct report *p, size_t i)
{
	free(p->groups[i]);
	p->groups[i] = NULL;
}

/* Insert @r, largest first; what falls off the end goes. */
static int keep(struct report *p, const struct swt_release *r)
{
	struct slowest *s = &p->slow;
	size_t i = s->n;

	while (i > 0 && swt_column_cmp(s->column, r, &s->r[i - 1]) > 0)
		i--;
	if (i >= SLOWEST)
		return 0;
	memmove(&s->r[i + 1], &s->r[i], (s->n - i) * sizeof(s->r[0]));
	memmove(&p->groups[i + 1], &p->groups[i], (s->n - i) * sizeof(p->groups[0]));
	s->r[i] = *r;
	p->groups[i] = r->cgroup ? strdup(r->cgroup) : NULL;
	s->n++;
	if (s->n > SLOWEST)
		slot_free(p, --s->n);
	for (i = 0; i < s->n; i++)
		s->r[i].cgroup = p->groups[i];
	return 0;
}

static int on_start(void *arg, const struct swt_session *s)
{
	((struct report *)arg)->s = s;
	return 0;
}

static int on_release(void *arg, const struct swt_release *r, enum swt_step step)
{
	struct report *p = arg;
	int rc = swt_summary_release(p->sum, r, step);

	if (rc == 0 && step == SWT_STEP_DONE && (r->teardown.known || r->freed.known))
		rc = keep(p, r);
	return rc;
}

static int on_report(void *arg, const struct swt_snapshot *snap)
{
	swt_summary_report(((struct report *)arg)->sum, snap);
	return 0;
}

static int list_slowest(struct report *p)
{
	int rc = 0;

	if (p->slow.n == 0)
		return 0;
	printf("\nThe %zu %s by %s\n", p->slow.n, p->slow.n == 1 ? "release" : "releases",
	       swt_columns[p->slow.column].name);
	fflush(stdout);
	p->text.wall = &p->s->wall;
	for (size_t i = 0; rc == 0 && i < p->slow.n; i++)
		rc = swt_text_row(&p->text, p->slow.r[i].end_ns, &p->slow.r[i]);
	return rc;
}

static int on_end(void *arg, uint64_t ts, const struct swt_totals *t, enum swt_reason why)
{
	struct report *p = arg;
	const struct swt_session *s = p->s;
	struct swt_summary_src src = {
		.name = s->opts->input,
		.kernel = s->host.kernel,
		.info = &s->info,
		.page_size = s->host.page_size,
		.first_ns = swt_dat_info(s->dat)->first_ts,
		.last_ns = swt_some(ts),
		.events = swt_some(t->events),
		.lost = swt_some(t->lost),
		.complete = t->complete,
		.why = swt_dat_info(s->dat)->cut ? swt_dat_info(s->dat)->cut_why : "",
	};
	struct swt_buf out = SWT_BUF_INIT;
	int rc;

	(void)why;
	rc = swt_summary_text(p->sum, &src, &s->wall, false, p->o->ascii, &out);
	if (rc == 0)
		fwrite(swt_buf_str(&out), 1, out.len, stdout);
	swt_buf_free(&out);
	return rc ? rc : list_slowest(p);
}

static int report_recording(const struct swt_opts *o)
{
	struct report p = { .o = o, .slow.column = o->sort >= 0 ? o->sort : swt_column_find("teardown") };
	struct swt_front front = {
		.arg = &p, .start = on_start, .release = on_release, .report = on_report, .end = on_end
	};
	int def[SWT_MAX_COLUMNS], rc;
	size_t n = o->ncolumns ? o->ncolumns : swt_column_default(def, SWT_MAX_COLUMNS);

	rc = swt_summary_new(&p.sum);
	if (rc < 0)
		return swt_fail(rc, NULL);
	swt_text_init(&p.text, STDOUT_FILENO, NULL, o->ncolumns ? o->column : def, n);
	p.text.ascii = o->ascii;
	rc = swt_session_run(o, &front);
	swt_text_fini(&p.text);
	swt_summary_free(p.sum);
	for (size_t i = 0; i <= SLOWEST; i++)
		slot_free(&p, i);
	return rc;
}

static int report_stream(const struct swt_opts *o, int fd)
{
	struct swt_ndjson st;
	struct swt_err err = { "" };
	int rc;

	if (o->json || o->pid.known || o->comm || o->cgroup || o->min_swap.known) {
		swt_msg("'%s' is a JSON stream already: --json and filters are for recordings", o->input);
		return SWT_EXIT_USAGE;
	}
	rc = swt_ndjson_read(fd, &st, &err);
	if (rc < 0)
		return swt_fail(rc, &err);
	printf("stream       %s, swaptop %s\n", st.schema, st.version);
	printf("host         %s, kernel %s, source %s, clock %s\n", st.host, st.kernel, st.source, st.clock);
	printf("time         %s to %s\n", st.first_time, st.last_time);
	printf("records      %" PRIu64 " reports, %" PRIu64 " exits, %" PRIu64 " updates\n", st.reports,
	       st.exits, st.updates);
	if (st.freed_entries.known)
		printf("freed        %" PRIu64 " entries\n", st.freed_entries.v);
	if (st.events.known)
		printf("events       %" PRIu64 "\n", st.events.v);
	if (st.lost.known)
		printf("lost         %" PRIu64 "\n", st.lost.v);
	printf("complete     %s\n", st.complete ? "yes" : st.why);
	return st.complete ? SWT_EXIT_OK : SWT_EXIT_INCOMPLETE;
}

int cmd_report(const struct swt_opts *o)
{
	struct swt_opts in = *o;
	char head[256];
	ssize_t n;
	int fd, rc;

	in.input = o->args[0];
	fd = open(in.input, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		swt_msg("cannot open '%s': %s", in.input, strerror(errno));
		return SWT_EXIT_FAILED;
	}
	n = pread(fd, head, sizeof(head), 0);
	if (n > 0 && swt_ndjson_sniff(head, (size_t)n))
		rc = report_stream(&in, fd);
	else
		rc = in.json ? swt_front_json(&in, true) : report_recording(&in);
	close(fd);
	return rc;
}
