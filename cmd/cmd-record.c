/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * swaptop record: keep every ring page, and the samples of /proc beside them.
 */
#include <inttypes.h>
#include <sys/stat.h>

#include "base/fmt.h"
#include "cmd/session.h"

static int on_end(void *arg, uint64_t ts, const struct swt_totals *t, enum swt_reason why)
{
	(void)ts;
	(void)why;
	*(struct swt_totals *)arg = *t;
	return 0;
}

/* One line for the person who waits: what is in the file now. */
static void tell(const char *path, const struct swt_totals *t)
{
	char size[SWT_FMT_LEN], events[SWT_FMT_LEN];
	struct stat st;

	if (stat(path, &st) < 0)
		return;
	swt_fmt_bytes(size, sizeof(size), (uint64_t)st.st_size);
	swt_fmt_count(events, sizeof(events), t->events);
	if (t->lost)
		swt_msg("'%s': %s, %s events, %" PRIu64 " exits, LOST %" PRIu64
			" events (a larger --buffer helps)",
			path, size, events, t->exits, t->lost);
	else
		swt_msg("'%s': %s, %s events, %" PRIu64 " exits, %s", path, size, events, t->exits,
			t->complete ? "nothing lost" : "INCOMPLETE");
}

int cmd_record(const struct swt_opts *o)
{
	struct swt_totals totals = { .complete = false };
	struct swt_front front = { .arg = &totals, .end = on_end };
	struct swt_session s;
	struct swt_err err = { "" };
	int rc;

	if (o->source == SWT_SOURCE_PROC || o->level == 0) {
		swt_msg("a recording is made of events; /proc alone (--source proc, --level 0) has none");
		return SWT_EXIT_USAGE;
	}
	rc = swt_session_init(&s, o, &front, &err);
	if (rc < 0)
		rc = swt_fail(rc, &err);
	else
		rc = swt_session_live(&s, o->output);
	swt_session_free(&s);
	if (rc == SWT_EXIT_OK || rc == SWT_EXIT_INCOMPLETE)
		tell(o->output, &totals);
	return rc;
}
