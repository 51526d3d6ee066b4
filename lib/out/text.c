/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plain rows for logs and pipes.
 */
#include "out/text.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/fmt.h"
#include "base/text.h"
#include "out/emit.h"

#define TIME_WIDTH 8
#define GAP	   "  "

void swt_text_init(struct swt_text *t, int fd, const struct swt_wall *wall, const int *columns, size_t n)
{
	size_t i;

	memset(t, 0, sizeof(*t));
	t->fd = fd;
	t->wall = wall;
	for (i = 0; i < n && t->ncolumns < SWT_TEXT_MAX_COLUMNS; i++)
		if (columns[i] >= 0 && (size_t)columns[i] < swt_ncolumns)
			t->column[t->ncolumns++] = columns[i];
}

void swt_text_fini(struct swt_text *t)
{
	swt_buf_free(&t->line);
	swt_buf_free(&t->clean);
}

int swt_text_time(const struct swt_wall *w, bool utc, uint64_t mono_ns, struct swt_buf *out)
{
	struct swt_opt real = swt_out_time(w, mono_ns);
	char buf[16];
	struct tm tm;
	time_t s;

	if (!real.known)
		return swt_buf_addc(out, '-');
	s = (time_t)(real.v / SWT_NS_PER_SEC);
	if (!(utc ? gmtime_r(&s, &tm) : localtime_r(&s, &tm)) || !strftime(buf, sizeof(buf), "%H:%M:%S", &tm))
		return swt_buf_addc(out, '-');
	return swt_buf_adds(out, buf);
}

static int remark(struct swt_buf *out, size_t from, const char *text)
{
	int rc = out->len > from ? swt_buf_adds(out, "; ") : 0;

	return rc ? rc : swt_buf_adds(out, text);
}

static int remark_number(struct swt_buf *out, size_t from, const char *before, uint64_t n, const char *after)
{
	int rc = remark(out, from, before);

	return rc ? rc : swt_buf_addf(out, "%" PRIu64 "%s", n, after);
}

int swt_text_note(const struct swt_release *r, struct swt_buf *out)
{
	size_t from = out->len;
	int rc = 0;

	if (!r->complete && r->lost)
		rc = remark_number(out, from, "lost ", r->lost, r->lost == 1 ? " event" : " events");
	else if (!r->complete)
		rc = remark(out, from, "events lost, number unknown");
	if (!rc && r->held)
		rc = remark(out, from, "held by others");
	else if (!rc && !r->teardown.known)
		rc = remark(out, from, r->by_end == SWT_BY_NONE ? "release not observed" : "start not seen");
	if (!rc && r->released_by)
		rc = remark_number(out, from, "released by pid ", (uint64_t)r->released_by, "");
	if (!rc && !r->freed.known && r->swap_entries.known && r->swap_entries.v &&
	    (r->by_entries == SWT_BY_VMSWAP || r->by_entries == SWT_BY_INHERITED))
		rc = remark(out, from, "was not watched");
	if (!rc && r->swapped_dying.known && r->swapped_dying.v)
		rc = remark_number(out, from, "swapped out while dying ", r->swapped_dying.v,
				   r->swapped_dying.v == 1 ? " entry" : " entries");
	return rc;
}

/* Shown as milliseconds? */
static bool is_ms(const struct swt_column *c)
{
	return !strcmp(c->unit, "ns");
}

/* "NS/E" stays, "AT ONCE" becomes "AT_ONCE": a heading is one word, so that a row splits into as many. */
static int heading(struct swt_buf *out, const struct swt_column *c)
{
	size_t from = out->len, i;
	int rc = swt_buf_adds(out, c->title);

	if (!rc && is_ms(c))
		rc = swt_buf_adds(out, "_MS");
	for (i = from; !rc && i < out->len; i++)
		if (out->s[i] == ' ')
			out->s[i] = '_';
	return rc;
}

static size_t width(struct swt_text *t, const struct swt_column *c)
{
	size_t w;

	swt_buf_reset(&t->clean);
	if (heading(&t->clean, c))
		return c->width;
	w = swt_text_width(swt_buf_str(&t->clean), t->clean.len);
	return c->width > w ? c->width : w;
}

/* The cell as clean text in t->clean. */
static int cell(struct swt_text *t, const struct swt_column *c, const struct swt_release *r)
{
	struct swt_cell v = c->get(r);
	char buf[SWT_FMT_LEN];

	swt_buf_reset(&t->clean);
	switch (v.kind) {
	case SWT_CELL_NONE:
		break;
	case SWT_CELL_U64:
	case SWT_CELL_NS:
		if (is_ms(c))
			return swt_buf_adds(&t->clean, swt_fmt_ms(buf, sizeof(buf), v.v));
		return swt_buf_addf(&t->clean, "%" PRIu64, v.v);
	case SWT_CELL_TEXT:
		if (v.len)
			return swt_text_clean(&t->clean, v.s, v.len, t->ascii);
		break;
	case SWT_CELL_BOOL:
		return swt_buf_adds(&t->clean, v.v ? "yes" : "no");
	}
	return swt_buf_addc(&t->clean, '-');
}

/* Adds t->clean to the row.  *debt: columns by which the row is too wide so far. */
static int put_cell(struct swt_text *t, size_t w, bool right, bool cut, size_t *debt)
{
	const char *s = swt_buf_str(&t->clean);
	size_t len = t->clean.len, have = swt_text_width(s, len), give;
	int rc = swt_buf_adds(&t->line, GAP);

	if (rc)
		return rc;
	if (have > w && !cut) {
		*debt += have - w;
		return swt_buf_add(&t->line, s, len);
	}
	give = have < w ? w - have : 0;
	if (give > *debt)
		give = *debt;
	*debt -= give;
	return swt_text_fit(&t->line, s, len, w - give, right);
}

static int put_line(struct swt_text *t)
{
	int rc;

	while (t->line.len && t->line.s[t->line.len - 1] == ' ')
		t->line.len--;
	rc = swt_buf_addc(&t->line, '\n');
	return rc ? rc : swt_out_write(t->fd, t->line.s, t->line.len);
}

static int put_heading(struct swt_text *t)
{
	size_t i, debt = 0;
	int rc;

	swt_buf_reset(&t->line);
	rc = swt_text_fit(&t->line, "TIME", 4, TIME_WIDTH, false);
	for (i = 0; !rc && i < t->ncolumns; i++) {
		const struct swt_column *c = &swt_columns[t->column[i]];
		size_t w = width(t, c);

		rc = put_cell(t, w, c->right, false, &debt);
	}
	if (!rc)
		rc = swt_buf_adds(&t->line, GAP "NOTE");
	if (!rc)
		rc = put_line(t);
	t->since = 0;
	t->started = true;
	return rc;
}

static int put_time(struct swt_text *t, uint64_t ts)
{
	int rc;

	swt_buf_reset(&t->line);
	swt_buf_reset(&t->clean);
	rc = swt_text_time(t->wall, t->utc, ts, &t->clean);
	return rc ? rc : swt_text_fit(&t->line, swt_buf_str(&t->clean), t->clean.len, TIME_WIDTH, false);
}

static int put_row(struct swt_text *t, uint64_t now_ns, const struct swt_release *r)
{
	size_t i, debt = 0;
	int rc = put_time(t, r->end_ns ? r->end_ns : now_ns);

	for (i = 0; !rc && i < t->ncolumns; i++) {
		const struct swt_column *c = &swt_columns[t->column[i]];
		size_t w = width(t, c);

		rc = cell(t, c, r);
		if (!rc)
			rc = put_cell(t, w, c->right, c->get(r).kind == SWT_CELL_TEXT, &debt);
	}
	if (!rc)
		rc = swt_buf_adds(&t->line, GAP);
	swt_buf_reset(&t->clean);
	if (!rc)
		rc = swt_text_note(r, &t->clean);
	if (!rc)
		rc = swt_buf_add(&t->line, swt_buf_str(&t->clean), t->clean.len);
	return rc ? rc : put_line(t);
}

int swt_text_row(struct swt_text *t, uint64_t now_ns, const struct swt_release *r)
{
	if (t->rc)
		return t->rc;
	if (!t->started || (t->again && t->since >= t->again))
		t->rc = put_heading(t);
	if (!t->rc)
		t->rc = put_row(t, now_ns, r);
	t->since++;
	return t->rc;
}

int swt_text_message(struct swt_text *t, uint64_t ts, const char *text)
{
	if (!t->rc)
		t->rc = put_time(t, ts);
	if (!t->rc)
		t->rc = swt_buf_adds(&t->line, GAP "# ");
	if (!t->rc)
		t->rc = swt_text_clean(&t->line, text, strlen(text), t->ascii);
	if (!t->rc)
		t->rc = put_line(t);
	return t->rc;
}
