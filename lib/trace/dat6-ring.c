/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rings of a version 6 recording: from ranges of the file to pages for the reader.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/dat-impl.h"

/*
 * Note a ring.  What lies outside the file is cut off.  Rings may not claim more bytes than the file has, all
 * together: the same megabytes listed for 65,536 CPUs would keep us busy for hours.
 */
int dat6_stream(struct swt_dat *d, unsigned int cpu, unsigned int buffer, uint64_t off, uint64_t size)
{
	struct dat_stream *s;

	if (!size)
		return 0;
	if (off >= d->size || size > d->size - off) {
		dat_cut(d, "the file ends at byte %llu; CPU %u claims %llu bytes from %llu on",
			(unsigned long long)d->size, cpu, (unsigned long long)size, (unsigned long long)off);
		if (off >= d->size)
			return 0;
		size = d->size - off;
	}
	if (size > d->budget || d->nstreams >= DAT_MAX_STREAMS) {
		dat_cut(d, "the rings overlap each other");
		return 0;
	}
	if (!(d->nstreams & (d->nstreams - 1))) {
		s = reallocarray(d->streams, d->nstreams ? 2 * d->nstreams : 1, sizeof(*s));
		if (!s)
			return -ENOMEM;
		d->streams = s;
	}
	d->budget -= size;
	s = &d->streams[d->nstreams++];
	memset(s, 0, sizeof(*s));
	s->d = d;
	s->off = off;
	s->left = size;
	s->cpu = cpu;
	s->buffer = buffer;
	return 0;
}

/* Read the next window; 1 when there is something in it. */
static int fill(struct dat_stream *s)
{
	size_t want = s->left < s->cap ? (size_t)s->left : s->cap, n = 0;
	ssize_t got;

	s->len = s->pos = 0;
	if (!want)
		return 0;
	if (!s->win) {
		s->win = malloc(want);
		if (!s->win)
			return -ENOMEM;
	}
	while (n < want) {
		got = pread(s->d->fd, s->win + n, want - n, (off_t)(s->off + n));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (!got)
			break;
		n += (size_t)got;
	}
	if (n < want) {
		dat_cut(s->d, "the file became shorter while it was read");
		s->left = n;
	}
	s->off += n;
	s->left -= n;
	s->len = n;
	return n != 0;
}

static int pull(void *arg, const void **page, size_t *len)
{
	struct dat_stream *s = arg;
	int rc;

	if (s->pos == s->len) {
		rc = fill(s);
		if (rc <= 0) {
			/* The reader is done with the last page when it asks for the next. */
			free(s->win);
			s->win = NULL;
			return rc;
		}
	}
	*len = s->len - s->pos < s->d->page_size ? s->len - s->pos : s->d->page_size;
	*page = s->win + s->pos;
	s->pos += *len;
	return 1;
}

/* Look at the first page of each ring: the time of the first event, and the @info sample of our recorder. */
struct peek {
	struct swt_dat *d;
	bool first, info;
};

static int peek_event(void *arg, const struct swt_event *ev)
{
	struct peek *p = arg;

	if (!p->first)
		p->d->info.first_ts = swt_some(ev->ts);
	p->first = true;
	return p->info;
}

static int peek_file(void *arg, uint64_t ts, const char *path, const char *text, size_t len)
{
	struct peek *p = arg;

	(void)ts;
	if (strcmp(path, "@info"))
		return 0;
	dat_info_sample(p->d, text, len);
	p->info = true;
	return p->first;
}

static int add_streams(struct swt_reader *r, struct dat_stream *s, size_t n)
{
	size_t i;
	int rc;

	for (i = 0; i < n; i++) {
		rc = swt_reader_stream(r, s[i].cpu, s[i].buffer, pull, &s[i]);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int peek(struct swt_dat *d)
{
	struct peek p = { d, false, false };
	struct swt_sink sink = { &p, peek_event, NULL, peek_file };
	struct dat_stream *s = calloc(d->nstreams ? d->nstreams : 1, sizeof(*s));
	struct swt_reader *r = NULL;
	size_t i;
	int rc = -ENOMEM;

	if (!s)
		return rc;
	for (i = 0; i < d->nstreams; i++) {
		s[i] = d->streams[i];
		s[i].cap = d->page_size;
		if (s[i].left > d->page_size)
			s[i].left = d->page_size;
	}
	rc = swt_reader_new(d->formats, &r);
	if (!rc)
		rc = add_streams(r, s, d->nstreams);
	if (!rc)
		rc = swt_reader_run(r, UINT64_MAX, &sink);
	swt_reader_free(r);
	for (i = 0; i < d->nstreams; i++)
		free(s[i].win);
	free(s);
	return rc > 0 ? 0 : rc;
}

int dat6_rings(struct swt_dat *d)
{
	const struct swt_page_layout *l = swt_formats_page(d->formats);
	size_t i, cap;
	int rc;

	/* Kernels with larger sub-buffers tell in header_page; the file's page size is then the machine's. */
	if (l && l->data_offset + (uint64_t)l->data_size > d->page_size &&
	    l->data_offset + (uint64_t)l->data_size <= DAT_MAX_PAGE)
		d->page_size = l->data_offset + l->data_size;
	cap = DAT_WINDOWS / (d->nstreams ? d->nstreams : 1);
	if (cap > DAT_WINDOW)
		cap = DAT_WINDOW;
	cap -= cap % d->page_size;
	for (i = 0; i < d->nstreams; i++)
		d->streams[i].cap = cap ? cap : d->page_size;
	rc = peek(d);
	if (!rc)
		rc = swt_reader_new(d->formats, &d->reader);
	if (!rc)
		rc = add_streams(d->reader, d->streams, d->nstreams);
	return rc;
}
