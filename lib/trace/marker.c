/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples cut into raw marker records, and put together again.
 *
 * The records come from a ring and may be lost, damaged or somebody else's: a sample is delivered only when
 * all its parts came, in order, each with the bytes it promised.
 */
#include "trace/marker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

#define MAX_SAMPLES 64
#define MAX_SAMPLE  (1u << 20)
#define HEAD_MAX    (SWT_MARKER_PATH + 64) /* "swt1", four numbers, blanks and the path */

struct sample {
	uint64_t age; /* 0: free */
	uint32_t serial, parts, next;
	char path[SWT_MARKER_PATH + 1];
	struct swt_buf text;
};

struct swt_marker_joiner {
	struct sample s[MAX_SAMPLES];
	uint64_t age;
};

static size_t chunk_room(size_t head)
{
	return SWT_MARKER_CHUNK - sizeof(uint32_t) - head;
}

int swt_marker_split(uint32_t serial, const char *path, const char *text, size_t len,
		     int (*write)(void *arg, const void *rec, size_t len), void *arg)
{
	char rec[SWT_MARKER_CHUNK];
	const uint32_t id = SWT_MARKER_ID;
	const size_t plen = strlen(path), room = chunk_room(HEAD_MAX);
	const size_t parts = len ? (len + room - 1) / room : 1;
	int rc = 0;

	if (!plen || plen > SWT_MARKER_PATH || memchr(path, '\n', plen))
		return -EINVAL;
	if (len > MAX_SAMPLE)
		return -EFBIG;
	memcpy(rec, &id, sizeof(id));
	for (size_t part = 0; part < parts && !rc; part++) {
		size_t n = len - part * room < room ? len - part * room : room;
		int head = snprintf(rec + sizeof(id), sizeof(rec) - sizeof(id), "swt1 %u %zu %zu %zu %s\n",
				    serial, part, parts, n, path);

		if (n)
			memcpy(rec + sizeof(id) + head, text + part * room, n);
		rc = write(arg, rec, sizeof(id) + (size_t)head + n);
	}
	return rc;
}

int swt_marker_joiner_new(struct swt_marker_joiner **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? 0 : -ENOMEM;
}

static void sample_drop(struct sample *s)
{
	swt_buf_free(&s->text);
	s->age = 0;
}

void swt_marker_joiner_free(struct swt_marker_joiner *j)
{
	if (!j)
		return;
	for (int i = 0; i < MAX_SAMPLES; i++)
		swt_buf_free(&j->s[i].text);
	free(j);
}

/* One record taken apart; @path and @data point into it. */
struct chunk {
	uint32_t serial, part, parts, bytes;
	const char *path, *data;
	size_t path_len;
};

static const char *take_number(const char *s, const char *end, uint32_t *ret)
{
	uint64_t v = 0;
	const char *start = s;

	for (; s < end && *s >= '0' && *s <= '9'; s++) {
		v = v * 10 + (uint64_t)(*s - '0');
		if (v > UINT32_MAX)
			return NULL;
	}
	if (s == start || s == end || *s != ' ')
		return NULL;
	*ret = (uint32_t)v;
	return s + 1;
}

static bool parse_chunk(const char *s, size_t len, struct chunk *c)
{
	const char *end = s + len, *nl;

	if (len < 5 || memcmp(s, "swt1 ", 5))
		return false;
	s = take_number(s + 5, end, &c->serial);
	s = s ? take_number(s, end, &c->part) : NULL;
	s = s ? take_number(s, end, &c->parts) : NULL;
	s = s ? take_number(s, end, &c->bytes) : NULL;
	nl = s ? memchr(s, '\n', (size_t)(end - s)) : NULL;
	if (!nl || nl == s || (size_t)(nl - s) > SWT_MARKER_PATH || memchr(s, '\0', (size_t)(nl - s)))
		return false;
	c->path = s;
	c->path_len = (size_t)(nl - s);
	c->data = nl + 1;
	return c->part < c->parts && c->parts <= MAX_SAMPLE && c->bytes <= (size_t)(end - c->data);
}

static struct sample *find(struct swt_marker_joiner *j, uint32_t serial)
{
	for (int i = 0; i < MAX_SAMPLES; i++)
		if (j->s[i].age && j->s[i].serial == serial)
			return &j->s[i];
	return NULL;
}

static struct sample *begin(struct swt_marker_joiner *j, const struct chunk *c)
{
	struct sample *s = find(j, c->serial);

	if (!s) {
		s = &j->s[0];
		for (int i = 0; i < MAX_SAMPLES && s->age; i++)
			if (j->s[i].age < s->age)
				s = &j->s[i];
	}
	sample_drop(s);
	s->age = ++j->age;
	s->serial = c->serial;
	s->parts = c->parts;
	s->next = 0;
	memcpy(s->path, c->path, c->path_len);
	s->path[c->path_len] = '\0';
	return s;
}

static bool follows(const struct sample *s, const struct chunk *c)
{
	return s->next == c->part && s->parts == c->parts && s->text.len + c->bytes <= MAX_SAMPLE &&
	       strlen(s->path) == c->path_len && !memcmp(s->path, c->path, c->path_len);
}

int swt_marker_join(struct swt_marker_joiner *j, uint64_t ts, const char *payload, size_t len,
		    const struct swt_sink *sink)
{
	struct sample *s;
	struct chunk c;
	int rc;

	if (!parse_chunk(payload, len, &c))
		return 0;
	if (c.parts == 1 && c.bytes <= MAX_SAMPLE) {
		struct sample *old = find(j, c.serial);
		char path[SWT_MARKER_PATH + 1];

		if (old)
			sample_drop(old);
		memcpy(path, c.path, c.path_len);
		path[c.path_len] = '\0';
		return sink->file ? sink->file(sink->arg, ts, path, c.data, c.bytes) : 0;
	}
	s = c.part ? find(j, c.serial) : begin(j, &c);
	if (!s)
		return 0;
	if (!follows(s, &c)) {
		sample_drop(s);
		return 0;
	}
	rc = swt_buf_add(&s->text, c.data, c.bytes);
	if (rc) {
		sample_drop(s);
		return rc;
	}
	if (++s->next < s->parts)
		return 0;
	rc = sink->file ? sink->file(sink->arg, ts, s->path, swt_buf_str(&s->text), s->text.len) : 0;
	sample_drop(s);
	return rc;
}
