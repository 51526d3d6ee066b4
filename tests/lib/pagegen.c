/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ring-buffer pages from readable lines: see pagegen.h.
 */
#include "pagegen.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ftext.h"
#include "trace/formats-priv.h"
#include "trace/marker.h"
#include "trace/walk.h"

#define MAX_REC	  8192
#define MAX_SMALL 28 /* words of data a header alone can tell */

struct pagegen {
	const struct swt_formats *f;
	struct swt_page_layout l;
	uint8_t *pages;
	size_t n, page_size;
	uint8_t *cur; /* NULL: no page is open */
	size_t used;  /* bytes of data in it */
	uint64_t ts;
	bool lost, stored;
	uint64_t count;
};

static void *need(void *p, const char *what)
{
	if (!p) {
		fprintf(stderr, "pagegen: %s: %s\n", what, strerror(errno));
		abort();
	}
	return p;
}

#define CHECK(cond)                                                             \
	do {                                                                    \
		if (!(cond)) {                                                  \
			fprintf(stderr, "pagegen.c:%d: %s\n", __LINE__, #cond); \
			abort();                                                \
		}                                                               \
	} while (0)

static void store(uint8_t *p, uint64_t v, size_t size, bool big)
{
	for (size_t i = 0; i < size; i++)
		p[big ? size - 1 - i : i] = (uint8_t)(v >> (8 * i));
}

/* Files. */

char *pagegen_read(const char *path, size_t *len)
{
	const char *dir = *path == '/' ? NULL : getenv("SWT_SRCDIR");
	char full[4096];
	FILE *fp;
	char *s = need(malloc(1u << 20), path);

	snprintf(full, sizeof(full), "%s%s%s", dir ? dir : "", dir ? "/" : "", path);
	fp = need(fopen(full, "r"), full);
	*len = fread(s, 1, (1u << 20) - 1, fp);
	s[*len] = '\0';
	fclose(fp);
	return s;
}

static void add_file(struct swt_formats *f, const char *path, const char *system)
{
	struct swt_err err = { "" };
	size_t len;
	char *text = pagegen_read(path, &len);
	int rc = system ? swt_formats_add(f, system, text, len, &err)
			: swt_formats_header_page(f, text, len, &err);

	if (rc) {
		fprintf(stderr, "pagegen: %s: %s\n", path, err.text);
		abort();
	}
	free(text);
}

/* scandir() sorts, so that duplicates are always resolved in the same way. */
static int list(const char *path, struct dirent ***ret)
{
	const char *dir = *path == '/' ? NULL : getenv("SWT_SRCDIR");
	char full[4096];

	snprintf(full, sizeof(full), "%s%s%s", dir ? dir : "", dir ? "/" : "", path);
	return scandir(full, ret, NULL, alphasort);
}

static void add_system(struct swt_formats *f, const char *dir, const char *system)
{
	struct dirent **events;
	char path[4096];
	int n;

	snprintf(path, sizeof(path), "%s/%s", dir, system);
	n = list(path, &events);
	for (int i = 0; i < n; i++) {
		if (events[i]->d_name[0] != '.') {
			snprintf(path, sizeof(path), "%s/%s/%s", dir, system, events[i]->d_name);
			add_file(f, path, system);
		}
		free(events[i]);
	}
	if (n >= 0)
		free(events);
}

static void add_dir(struct swt_formats *f, const char *dir)
{
	struct dirent **d;
	char path[4096];
	int n = list(dir, &d);

	if (n < 0)
		need(NULL, dir);
	for (int i = 0; i < n; i++) {
		const char *name = d[i]->d_name;

		snprintf(path, sizeof(path), "%s/%s", dir, name);
		if (!strcmp(name, "header_page"))
			add_file(f, path, NULL);
		else if (!strchr(name, '.') && strcmp(name, "README"))
			add_system(f, dir, name);
		free(d[i]);
	}
	free(d);
}

struct swt_formats *pagegen_formats(const char *dirs, bool big_endian, int long_size)
{
	struct swt_formats *f = NULL;
	char *copy = need(strdup(dirs), dirs), *rest = copy, *dir;

	CHECK(!swt_formats_new(big_endian, long_size, &f));
	while ((dir = strsep(&rest, ":")))
		add_dir(f, dir);
	free(copy);
	return f;
}

/* Pages. */

struct pagegen *pagegen_new(const struct swt_formats *f)
{
	struct pagegen *g = need(calloc(1, sizeof(*g)), "new");

	g->f = f;
	g->l = *swt_formats_page(f);
	g->page_size = g->l.data_offset + g->l.data_size;
	return g;
}

void pagegen_free(struct pagegen *g)
{
	if (!g)
		return;
	free(g->pages);
	free(g);
}

size_t pagegen_page_size(const struct pagegen *g)
{
	return g->page_size;
}

static uint8_t *data(struct pagegen *g)
{
	return g->cur + g->l.data_offset;
}

static void put_word(struct pagegen *g, uint32_t v)
{
	store(data(g) + g->used, v, 4, g->l.big_endian);
	g->used += 4;
}

static void put_head(struct pagegen *g, uint32_t type, uint32_t delta)
{
	put_word(g, g->l.big_endian ? type << SWT_TS_SHIFT | delta : delta << 5 | type);
}

static void open_page(struct pagegen *g, uint64_t ts)
{
	g->pages = need(realloc(g->pages, (g->n + 1) * g->page_size), "page");
	g->cur = g->pages + g->n++ * g->page_size;
	memset(g->cur, 0, g->page_size);
	store(g->cur, ts, 8, g->l.big_endian);
	g->used = 0;
	g->ts = ts;
}

void pagegen_close(struct pagegen *g, bool null_padding)
{
	size_t room = g->l.data_size - g->used;
	int64_t commit;

	if (!g->cur)
		return;
	if (null_padding && room >= 4) {
		put_head(g, SWT_REC_PADDING, 0);
		g->used = g->l.data_size;
		room = 0;
	}
	commit = (int64_t)g->used;
	if (g->lost) {
		/* As the kernel adds its flags: one bit each, the upper one as a negative int. */
		if (g->stored && room >= g->l.commit_size) {
			store(data(g) + g->used, g->count, g->l.commit_size, g->l.big_endian);
			commit += SWT_COMMIT_STORED;
		}
		commit += (int32_t)SWT_COMMIT_MISSED;
	}
	store(g->cur + g->l.commit_offset, (uint64_t)commit, g->l.commit_size, g->l.big_endian);
	g->lost = g->stored = false;
	g->cur = NULL;
}

/* Room for @size bytes and a time extend; the delta to put into the header of the record. */
static uint32_t reserve(struct pagegen *g, uint64_t ts, size_t size)
{
	uint64_t delta;

	/* The kernel leaves room for the count of the page's gap, or does not store it. */
	if (g->cur && g->used + size + 8 + (g->stored ? g->l.commit_size : 0) > g->l.data_size)
		pagegen_close(g, false);
	if (!g->cur)
		open_page(g, ts);
	CHECK(g->used + size + 8 <= g->l.data_size);
	if (ts < g->ts) { /* backwards: only an absolute stamp can say that */
		pagegen_stamp(g, ts);
		return 0;
	}
	delta = ts - g->ts;
	g->ts = ts;
	if (delta <= SWT_TS_MASK)
		return (uint32_t)delta;
	put_head(g, SWT_REC_EXTEND, (uint32_t)delta & SWT_TS_MASK);
	put_word(g, (uint32_t)(delta >> SWT_TS_SHIFT));
	return 0;
}

void pagegen_stamp(struct pagegen *g, uint64_t ts)
{
	if (!g->cur || g->used + 8 > g->l.data_size) {
		pagegen_close(g, false);
		open_page(g, ts);
	}
	put_head(g, SWT_REC_STAMP, (uint32_t)ts & SWT_TS_MASK);
	put_word(g, (uint32_t)(ts >> SWT_TS_SHIFT));
	g->ts = ts;
}

void pagegen_raw(struct pagegen *g, uint64_t ts, const void *rec, size_t len)
{
	size_t padded = (len + 3) & ~(size_t)3;
	uint32_t delta = reserve(g, ts, 8 + padded);

	if (padded && padded <= MAX_SMALL * 4) {
		put_head(g, (uint32_t)(padded / 4), delta);
	} else {
		put_head(g, 0, delta);
		put_word(g, (uint32_t)(padded + 4));
	}
	if (len)
		memcpy(data(g) + g->used, rec, len);
	g->used += padded;
}

void pagegen_discard(struct pagegen *g, uint64_t ts, size_t len)
{
	uint32_t delta = reserve(g, ts, 4 + len);

	CHECK(len >= 4 && !(len & 3));
	put_head(g, SWT_REC_PADDING, delta ? delta : 1);
	put_word(g, (uint32_t)len);
	g->used += len - 4;
}

void pagegen_lost(struct pagegen *g, uint64_t count, bool stored)
{
	pagegen_close(g, false);
	g->lost = true;
	g->stored = stored;
	g->count = count;
}

size_t pagegen_count(struct pagegen *g)
{
	pagegen_close(g, false);
	return g->n;
}

void *pagegen_page(struct pagegen *g, size_t i)
{
	CHECK(i < g->n);
	return g->pages + i * g->page_size;
}

/* Records. */

static size_t put_str(uint8_t *rec, size_t len, size_t max, const struct swt_op *op, struct swt_str s,
		      bool big)
{
	size_t n = s.len;

	if (op->code == SWT_OP_ARRAY) {
		n = n < op->size ? n : op->size - 1u;
		memcpy(rec + op->offset, s.s, n);
		return len;
	}
	if (op->code == SWT_OP_REST) {
		CHECK(op->offset + n <= max);
		memcpy(rec + op->offset, s.s, n);
		return op->offset + n;
	}
	CHECK(len + n + 1 <= max);
	memcpy(rec + len, s.s, n);
	rec[len + n] = '\0';
	store(rec + op->offset, (n + 1) << 16 | (len - (op->code == SWT_OP_REL_LOC ? op->offset + 4u : 0)), 4,
	      big);
	return len + n + 1;
}

size_t pagegen_encode(const struct swt_formats *f, const struct swt_event *ev, void *buf, size_t max)
{
	static const struct swt_str none = { "", 0 };
	const struct swt_fmt_event *fe;
	const bool big = f->page.big_endian;
	uint8_t *rec = buf;
	size_t len;

	CHECK(swt_formats_have(f, ev->id));
	fe = f->event[ev->id];
	len = fe->size;
	CHECK(len <= max);
	memset(rec, 0, max);
	store(rec + f->type.offset, fe->number, f->type.size, big);
	store(rec + fe->pid.offset, (uint64_t)ev->task, fe->pid.size, big);
	for (unsigned int i = 0; i < fe->nops; i++) {
		const struct swt_op *op = &fe->op[i];
		bool had = swt_event_has(ev, op->field);

		/* A dynamic string is there even when it is empty. */
		if (op->code >= SWT_OP_ARRAY)
			len = put_str(rec, len, max, op, had ? ev->str[op->str] : none, big);
		else if (had)
			store(rec + op->offset, (uint64_t)ev->f[op->field], op->size, big);
	}
	return len;
}

void pagegen_event(struct pagegen *g, const struct swt_event *ev)
{
	uint8_t rec[MAX_REC];
	size_t len = pagegen_encode(g->f, ev, rec, sizeof(rec));

	pagegen_raw(g, ev->ts, rec, len);
}

void pagegen_line(struct pagegen *g, const char *line)
{
	struct ftext t;
	int rc = ftext_parse(line, &t);

	if (rc < 0) {
		fprintf(stderr, "pagegen: bad line: %s\n", line);
		abort();
	}
	if (rc)
		return;
	if (t.is_lost)
		pagegen_lost(g, t.lost.count, t.lost.known);
	else
		pagegen_event(g, &t.ev);
}

void pagegen_lines(struct pagegen **g, size_t ncpus, const char *lines)
{
	char *copy = need(strdup(lines), "lines"), *line, *next;

	for (line = copy; line; line = next) {
		struct ftext t;
		size_t cpu;
		int rc;

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		rc = ftext_parse(line, &t);
		cpu = t.is_lost ? t.lost.cpu : t.ev.cpu;
		if (!rc)
			CHECK(cpu < ncpus);
		if (rc <= 0)
			pagegen_line(g[cpu < ncpus ? cpu : 0], line);
	}
	free(copy);
}

struct marker {
	struct pagegen *g;
	uint64_t ts;
	int32_t task;
};

static int put_marker(void *arg, const void *rec, size_t len)
{
	struct marker *m = arg;
	struct swt_event ev = { .ts = m->ts++, .id = SWT_EV_RAW_DATA, .task = m->task };
	uint32_t id;

	memcpy(&id, rec, sizeof(id));
	ev.have = 1u << SWT_F_RAW_DATA_ID | 1u << SWT_F_RAW_DATA_BUF;
	ev.f[SWT_F_RAW_DATA_ID] = id;
	ev.str[0] = (struct swt_str){ (const char *)rec + sizeof(id), (uint32_t)(len - sizeof(id)) };
	pagegen_event(m->g, &ev);
	return 0;
}

void pagegen_marker(struct pagegen *g, uint64_t ts, int32_t task, uint32_t serial, const char *path,
		    const char *text, size_t len)
{
	struct marker m = { g, ts, task };

	CHECK(!swt_marker_split(serial, path, text, len, put_marker, &m));
}
