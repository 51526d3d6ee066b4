/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A summary as text: sentences for what is one number, tables for the rest.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <libsmartcols/libsmartcols.h>

#include "base/fmt.h"
#include "base/text.h"
#include "out/summary-priv.h"

struct page {
	const struct swt_summary *s;
	const struct swt_summary_src *src;
	struct swt_buf *out;
	bool ascii;
	int rc;
};

/* The first failure stays in the page. */
#define ADD(p, ...)                                                    \
	do {                                                           \
		if (!(p)->rc)                                          \
			(p)->rc = swt_buf_addf((p)->out, __VA_ARGS__); \
	} while (0)

static void add_clean(struct page *p, const char *s)
{
	if (!p->rc)
		p->rc = swt_text_clean(p->out, s, strlen(s), p->ascii);
}

/* A table under construction. */
struct table {
	struct libscols_table *t;
	struct libscols_line *line;
	size_t column;
	struct page *p;
};

static void fail(struct page *p, int rc)
{
	if (!p->rc && rc)
		p->rc = rc < 0 ? rc : -ENOMEM;
}

/* @heads: headings separated by "|"; one that begins with "<" is aligned to the left. */
static void table_begin(struct table *t, struct page *p, const char *heads)
{
	*t = (struct table){ .t = scols_new_table(), .p = p };
	if (!t->t) {
		fail(p, -ENOMEM);
		return;
	}
	scols_table_set_termforce(t->t, SCOLS_TERMFORCE_NEVER);
	while (*heads) {
		size_t n = strcspn(heads, "|");
		bool left = *heads == '<';
		char name[32];

		snprintf(name, sizeof(name), "%.*s", (int)n - left, heads + left);
		if (!scols_table_new_column(t->t, name, 0, left ? 0 : SCOLS_FL_RIGHT))
			fail(p, -ENOMEM);
		heads += n + (heads[n] == '|');
	}
}

static void table_row(struct table *t)
{
	t->line = t->t ? scols_table_new_line(t->t, NULL) : NULL;
	t->column = 0;
	if (!t->line)
		fail(t->p, -ENOMEM);
}

static void table_text(struct table *t, const char *s)
{
	if (t->line)
		fail(t->p, scols_line_set_data(t->line, t->column++, s));
}

/* A name from outside. */
static void table_name(struct table *t, const char *s, size_t len)
{
	struct swt_buf clean = SWT_BUF_INIT;

	fail(t->p, swt_text_clean(&clean, s, len, t->p->ascii));
	table_text(t, swt_buf_str(&clean));
	swt_buf_free(&clean);
}

static void table_opt(struct table *t, struct swt_opt v, const char *(*fn)(char *, size_t, uint64_t))
{
	char buf[SWT_FMT_LEN];

	table_text(t, swt_fmt_opt(buf, sizeof(buf), v, fn));
}

static void table_count(struct table *t, uint64_t v)
{
	table_opt(t, swt_some(v), swt_fmt_count);
}

static void table_hist(struct table *t, const struct swt_hist *h, const char *(*fn)(char *, size_t, uint64_t))
{
	table_opt(t, swt_hist_quantile(h, 0.50), fn);
	table_opt(t, swt_hist_quantile(h, 0.95), fn);
	table_opt(t, swt_hist_quantile(h, 0.99), fn);
	table_opt(t, h->count ? swt_some(h->max) : SWT_UNKNOWN, fn);
}

static void table_end(struct table *t)
{
	char *s = NULL;

	if (t->t && !t->p->rc)
		fail(t->p, scols_print_table_to_string(t->t, &s));
	if (s)
		ADD(t->p, "%s\n", s);
	free(s);
	scols_unref_table(t->t);
}

static void put_when(struct page *p, const struct swt_wall *w, bool utc)
{
	struct swt_opt first = p->src->first_ns.known ? p->src->first_ns : p->s->first_ns;
	struct swt_opt last = p->src->last_ns.known ? p->src->last_ns : p->s->last_ns;
	struct swt_opt span = swt_opt_sub(last, first), real[2];
	char buf[SWT_FMT_LEN], when[2][40];
	int i;

	if (!span.known)
		return;
	real[0] = swt_out_time(w, first.v);
	real[1] = swt_out_time(w, last.v);
	for (i = 0; i < 2; i++) {
		time_t s = (time_t)(real[i].v / SWT_NS_PER_SEC);
		struct tm tm;

		snprintf(when[i], sizeof(when[i]), "-");
		if (real[i].known && (utc ? gmtime_r(&s, &tm) : localtime_r(&s, &tm)))
			strftime(when[i], sizeof(when[i]),
				 utc ? "%Y-%m-%d %H:%M:%S UTC" : "%Y-%m-%d %H:%M:%S %z", &tm);
	}
	ADD(p, "time       ");
	if (real[0].known)
		ADD(p, "%s to %s, ", when[0], when[1]);
	ADD(p, "%s\n", swt_fmt_ns(buf, sizeof(buf), span.v));
}

static void put_source(struct page *p)
{
	const struct swt_summary_src *src = p->src;

	if (src->name) {
		ADD(p, "file       ");
		add_clean(p, src->name);
		ADD(p, "\n");
	}
	ADD(p, "kernel     ");
	add_clean(p, src->kernel && *src->kernel ? src->kernel : "-");
	if (src->info) {
		ADD(p, ", source %s", swt_source_name(src->info->kind));
		if (src->info->level >= 0)
			ADD(p, ", level %d", src->info->level);
		ADD(p, ", clock ");
		add_clean(p, *src->info->clock ? src->info->clock : "-");
	}
	ADD(p, "\n");
}

static void put_data(struct page *p)
{
	const struct swt_summary_src *src = p->src;
	char buf[SWT_FMT_LEN];

	ADD(p, "data       ");
	if (src->complete)
		ADD(p, "complete");
	else if (src->why && *src->why)
		add_clean(p, src->why);
	else
		ADD(p, "not complete");
	ADD(p, ", %s events", swt_fmt_opt(buf, sizeof(buf), src->events, swt_fmt_count));
	ADD(p, ", %s lost", swt_fmt_opt(buf, sizeof(buf), src->lost, swt_fmt_count));
	if (p->s->incomplete)
		ADD(p, ", %s touched by loss",
		    swt_fmt_opt(buf, sizeof(buf), swt_some(p->s->incomplete), swt_fmt_count));
	ADD(p, "\n");
}

static void put_kinds(struct page *p)
{
	static const char *const name[] = { "exit", "exec", "lastref", "reaped" };
	const struct swt_summary *s = p->s;
	char buf[SWT_FMT_LEN];
	unsigned int i, n = 0;

	ADD(p, "releases   %s", swt_fmt_count(buf, sizeof(buf), s->count));
	for (i = 0; i < 4; i++)
		if (s->kind[i])
			ADD(p, "%s%s %s", n++ ? ", " : ": ", swt_fmt_count(buf, sizeof(buf), s->kind[i]),
			    name[i]);
	if (s->held)
		ADD(p, "; of %s the memory is still held by others",
		    swt_fmt_count(buf, sizeof(buf), s->held));
	ADD(p, "\n");
}

static void put_entries(struct page *p)
{
	const struct swt_summary *s = p->s;
	struct swt_opt bytes =
		s->freed_known ? swt_opt_mul(swt_some(s->freed), p->src->page_size) : SWT_UNKNOWN;
	char a[SWT_FMT_LEN], b[SWT_FMT_LEN], c[SWT_FMT_LEN], d[SWT_FMT_LEN];

	ADD(p, "entries    %s freed (%s)", s->freed_known ? swt_fmt_count(a, sizeof(a), s->freed) : "-",
	    swt_fmt_opt(b, sizeof(b), bytes, swt_fmt_bytes));
	if (s->freed_unknown)
		ADD(p, " and an unknown number by %s release%s",
		    swt_fmt_count(a, sizeof(a), s->freed_unknown), s->freed_unknown == 1 ? "" : "s");
	ADD(p, "; swapped out while dying %s\n",
	    s->dying_known ? swt_fmt_count(a, sizeof(a), s->dying) : "-");
	if (s->fate_known)
		ADD(p, "fate       %s sync (of these %s fallback), %s late, %s deferred\n",
		    swt_fmt_count(a, sizeof(a), s->sync), swt_fmt_count(b, sizeof(b), s->fallback),
		    swt_fmt_count(c, sizeof(c), s->late), swt_fmt_count(d, sizeof(d), s->deferred));
	if (s->lag.count)
		ADD(p, "last entry freed after the process had gone: p50 %s, p95 %s, max %s\n",
		    swt_fmt_opt(a, sizeof(a), swt_hist_quantile(&s->lag, 0.50), swt_fmt_ns),
		    swt_fmt_opt(b, sizeof(b), swt_hist_quantile(&s->lag, 0.95), swt_fmt_ns),
		    swt_fmt_ns(c, sizeof(c), s->lag.max));
	if (s->traffic_known)
		ADD(p, "traffic    %s pages swapped out, %s swapped in\n",
		    swt_fmt_count(a, sizeof(a), s->out), swt_fmt_count(b, sizeof(b), s->in));
}

static void class_row(struct table *t, const char *name, const struct class *c)
{
	table_row(t);
	table_text(t, name);
	table_count(t, c->count);
	table_hist(t, &c->teardown, swt_fmt_ns);
	table_hist(t, &c->per_entry, swt_fmt_count);
}

static void put_classes(struct page *p)
{
	static const char *const name[CLASSES] = { "1", "2", "3-4", "5-8", "9-16", "17+" };
	struct table t;
	unsigned int i, used = 0;

	if (!p->s->all.count)
		return;
	ADD(p, "\nTeardown and ns per entry, by releases in progress at once\n");
	table_begin(&t, p, "<AT ONCE|RELEASES|TEARDOWN P50|P95|P99|MAX|NS/ENTRY P50|P95|P99|MAX");
	for (i = 0; i < CLASSES; i++) {
		if (!p->s->class[i].count)
			continue;
		class_row(&t, name[i], &p->s->class[i]);
		used++;
	}
	if (used > 1)
		class_row(&t, "all", &p->s->all);
	table_end(&t);
}

static int by_entries(const void *va, const void *vb)
{
	const struct tally *a = *(struct tally *const *)va, *b = *(struct tally *const *)vb;
	size_t n = a->len < b->len ? a->len : b->len;
	int c;

	if (a->entries != b->entries)
		return a->entries < b->entries ? 1 : -1;
	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	c = memcmp(a->key, b->key, n);
	return c ? c : (a->len > b->len) - (a->len < b->len);
}

static void rest_row(struct table *t, const struct tallies *all, struct tally **sorted, unsigned int from)
{
	uint64_t count = all->rest_count, entries = all->rest_entries;
	char name[48], n[SWT_FMT_LEN];
	unsigned int i;

	for (i = from; i < all->n; i++) {
		if (__builtin_add_overflow(count, sorted[i]->count, &count))
			count = UINT64_MAX;
		if (__builtin_add_overflow(entries, sorted[i]->entries, &entries))
			entries = UINT64_MAX;
	}
	if (!count)
		return;
	snprintf(name, sizeof(name), all->rest_count ? "%s or more others" : "%s more",
		 swt_fmt_count(n, sizeof(n), all->n > from ? all->n - from : 1));
	table_row(t);
	table_text(t, name);
	table_count(t, count);
	table_count(t, entries);
	table_text(t, "");
}

/* The names with the most entries; the totals stay exact, since what is cut off is one row. */
static void put_top(struct page *p, const char *title, const char *head, const struct tallies *all)
{
	struct tally **sorted = calloc(all->n + 1u, sizeof(*sorted)), *i;
	unsigned int n = 0, k;
	struct table t;
	char heads[64];

	if (!sorted)
		fail(p, -ENOMEM);
	if (p->rc || (!all->n && !all->rest_count)) {
		free(sorted);
		return;
	}
	for (i = all->head; i; i = i->hh.next)
		sorted[n++] = i;
	qsort(sorted, n, sizeof(*sorted), by_entries);
	ADD(p, "\n%s\n", title);
	snprintf(heads, sizeof(heads), "<%s|RELEASES|ENTRIES|MAX TEARDOWN", head);
	table_begin(&t, p, heads);
	for (k = 0; k < n && k < SWT_SUMMARY_TOP; k++) {
		table_row(&t);
		table_name(&t, sorted[k]->key, sorted[k]->len);
		table_count(&t, sorted[k]->count);
		table_opt(&t,
			  sorted[k]->unknown == sorted[k]->count ? SWT_UNKNOWN : swt_some(sorted[k]->entries),
			  swt_fmt_count);
		table_opt(&t, sorted[k]->teardown_max ? swt_some(sorted[k]->teardown_max) : SWT_UNKNOWN,
			  swt_fmt_ns);
	}
	rest_row(&t, all, sorted, k);
	table_end(&t);
	free(sorted);
}

static void put_khugepaged(struct page *p)
{
	const struct swt_summary *s = p->s;
	char a[SWT_FMT_LEN], b[SWT_FMT_LEN];
	struct tally *i;
	struct table t;

	if (!s->khuge_known && !s->khuge.n)
		return;
	ADD(p, "\nkhugepaged: %s passes, %s huge pages made\n",
	    s->khuge_known ? swt_fmt_count(a, sizeof(a), s->khuge_full) : "-",
	    s->khuge_known ? swt_fmt_count(b, sizeof(b), s->khuge_collapsed) : "-");
	if (!s->khuge.n)
		return;
	table_begin(&t, p, "<RESULT|SCANS");
	for (i = s->khuge.head; i; i = i->hh.next) {
		table_row(&t);
		table_name(&t, i->key, i->len);
		table_count(&t, i->count);
	}
	table_end(&t);
}

int swt_summary_text(const struct swt_summary *s, const struct swt_summary_src *src,
		     const struct swt_wall *wall, bool utc, bool ascii, struct swt_buf *out)
{
	struct page p = { s, src, out, ascii, 0 };

	put_source(&p);
	put_when(&p, wall, utc);
	put_data(&p);
	put_kinds(&p);
	put_entries(&p);
	put_classes(&p);
	put_top(&p, "By cause", "CAUSE", &s->cause);
	put_top(&p, "By what swap lies on", "BACKEND", &s->backend);
	put_top(&p, "By control group", "CGROUP", &s->cgroup);
	put_top(&p, "By name", "NAME", &s->comm);
	put_khugepaged(&p);
	return p.rc;
}
