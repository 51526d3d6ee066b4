/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Streams of ring pages, merged by time.
 *
 * Every stream with a record at hand is in a binary heap ordered by that record's time.  Records of types that
 * are not ours pass through the heap like the others: the mark of a loss sits on whatever record comes first.
 */
#include "trace/reader.h"

#include <errno.h>
#include <stdlib.h>

#include "trace/decode.h"
#include "trace/marker.h"
#include "trace/page.h"
#include "trace/walk.h"

#define MAX_STREAMS 65536
#define MAX_PAGE    (16u << 20)
#define KEEP_FREE   64 /* pages kept for the next push; more would hold the memory of one burst for ever */

struct qpage {
	struct qpage *next;
	size_t len, cap;
	uint8_t data[];
};

struct stream {
	int (*pull)(void *arg, const void **page, size_t *len);
	void *arg;
	struct qpage *head, *tail; /* pushed pages; the head is the one being read when @reading */
	struct swt_walk walk;
	uint64_t last;		   /* time of the record delivered last */
	struct swt_lost lost, bad; /* gaps to deliver before the next record */
	bool have_lost, have_bad;
	bool reading; /* @walk is inside a page */
	bool ready;   /* @walk is at a record that waits for its delivery */
	bool ended;   /* pull said so */
	uint16_t cpu;
	uint8_t buffer;
};

/* A stream that is ready, with the time of its record, so that comparing touches the heap only. */
struct node {
	uint64_t ts;
	uint32_t stream;
};

struct swt_reader {
	const struct swt_formats *f;
	struct stream *s;
	struct node *heap;
	size_t n, nheap;
	struct qpage *free;
	size_t nfree;
	uint64_t newest; /* time of the newest record delivered */
	struct swt_marker_joiner *joiner;
	struct swt_reader_stats stats;
};

int swt_reader_new(const struct swt_formats *f, struct swt_reader **ret)
{
	struct swt_reader *r = calloc(1, sizeof(*r));
	int rc;

	if (!r)
		return -ENOMEM;
	rc = swt_marker_joiner_new(&r->joiner);
	if (rc) {
		free(r);
		return rc;
	}
	r->f = f;
	*ret = r;
	return 0;
}

static void free_pages(struct qpage *p)
{
	struct qpage *next;

	for (; p; p = next) {
		next = p->next;
		free(p);
	}
}

void swt_reader_free(struct swt_reader *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n; i++)
		free_pages(r->s[i].head);
	free_pages(r->free);
	swt_marker_joiner_free(r->joiner);
	free(r->s);
	free(r->heap);
	free(r);
}

int swt_reader_stream(struct swt_reader *r, unsigned int cpu, unsigned int buffer,
		      int (*pull)(void *arg, const void **page, size_t *len), void *arg)
{
	struct stream *s;
	struct node *heap;

	if (r->n >= MAX_STREAMS || cpu > UINT16_MAX || buffer > 1)
		return -EINVAL;
	s = realloc(r->s, (r->n + 1) * sizeof(*s));
	if (!s)
		return -ENOMEM;
	r->s = s;
	heap = realloc(r->heap, (r->n + 1) * sizeof(*heap));
	if (!heap)
		return -ENOMEM;
	r->heap = heap;
	s[r->n] =
		(struct stream){ .pull = pull, .arg = arg, .cpu = (uint16_t)cpu, .buffer = (uint8_t)buffer };
	return (int)r->n++;
}

int swt_reader_push(struct swt_reader *r, int stream, const void *page, size_t len)
{
	struct qpage *p = r->free;
	struct stream *s;

	if (stream < 0 || (size_t)stream >= r->n || r->s[stream].pull || len > MAX_PAGE)
		return -EINVAL;
	s = &r->s[stream];
	if (p && p->cap >= len) {
		r->free = p->next;
		r->nfree--;
	} else {
		p = malloc(sizeof(*p) + len);
		if (!p)
			return -ENOMEM;
		p->cap = len;
	}
	memcpy(p->data, page, len);
	p->len = len;
	p->next = NULL;
	if (s->tail)
		s->tail->next = p;
	else
		s->head = p;
	s->tail = p;
	return 0;
}

/* The head page of a pushed stream has been read. */
static void drop_head(struct swt_reader *r, struct stream *s)
{
	struct qpage *p = s->head;

	s->head = p->next;
	if (!s->head)
		s->tail = NULL;
	if (r->nfree < KEEP_FREE) {
		p->next = r->free;
		r->free = p;
		r->nfree++;
	} else {
		free(p);
	}
}

static void note_gap(struct swt_reader *r, struct stream *s, const struct swt_page_head *head)
{
	struct swt_lost *l = &s->lost;

	r->stats.gaps++;
	if (head->stored)
		r->stats.lost += head->count;
	if (!s->have_lost) {
		*l = (struct swt_lost){ .since = s->last, .cpu = s->cpu, .buffer = s->buffer };
		l->count = head->count;
		l->known = head->stored;
		s->have_lost = true;
		return;
	}
	/* Two gaps without a record between them are one. */
	l->known = l->known && head->stored && !__builtin_add_overflow(l->count, head->count, &l->count);
	if (!l->known)
		l->count = 0;
}

static void note_bad(struct swt_reader *r, struct stream *s)
{
	r->stats.bad_pages++;
	if (s->have_bad)
		return;
	s->bad = (struct swt_lost){ .since = s->last, .damaged = true, .cpu = s->cpu, .buffer = s->buffer };
	s->have_bad = true;
}

/* Next page of a stream into s->walk: 1, 0 none at hand, or -errno of the pull. */
static int next_page(struct swt_reader *r, struct stream *s)
{
	const struct swt_page_layout *layout = swt_formats_page(r->f);
	struct swt_page_head head;
	const void *page;
	size_t len;
	int rc;

	for (;;) {
		if (s->reading && !s->pull)
			drop_head(r, s);
		s->reading = false;
		if (s->pull) {
			rc = s->ended ? 0 : s->pull(s->arg, &page, &len);
			if (rc <= 0) {
				s->ended |= !rc;
				return rc;
			}
		} else {
			if (!s->head)
				return 0;
			page = s->head->data;
			len = s->head->len;
		}
		s->reading = true;
		if (!swt_page_check(page, len, layout) && !swt_walk_start(&s->walk, page, len, layout, &head))
			break;
		note_bad(r, s);
	}
	if (head.missed)
		note_gap(r, s, &head);
	return 1;
}

/* Move to the next record: 1, 0 none at hand, or -errno. */
static int advance(struct swt_reader *r, struct stream *s)
{
	int rc = 0;

	s->ready = false;
	/* Checked again, since a recording is mapped and somebody may write to the file meanwhile. */
	while (!s->reading || (rc = swt_walk_next(&s->walk, true)) <= 0) {
		if (rc < 0)
			note_bad(r, s);
		rc = next_page(r, s);
		if (rc <= 0)
			return rc;
	}
	s->ready = true;
	return 1;
}

/* Equal times: the stream that was added first, so that the order does not depend on how pages arrived. */
static inline bool before(struct node a, struct node b)
{
	return a.ts < b.ts || (a.ts == b.ts && a.stream < b.stream);
}

/* Put @node where the first one was, then where it belongs. */
static inline void heap_replace_first(struct swt_reader *r, struct node node)
{
	size_t i = 0, c;

	while ((c = 2 * i + 1) < r->nheap) {
		if (c + 1 < r->nheap && before(r->heap[c + 1], r->heap[c]))
			c++;
		if (!before(r->heap[c], node))
			break;
		r->heap[i] = r->heap[c];
		i = c;
	}
	r->heap[i] = node;
}

static void heap_add(struct swt_reader *r, size_t stream)
{
	struct node node = { r->s[stream].walk.ts, (uint32_t)stream };
	size_t i = r->nheap++;

	for (; i && before(node, r->heap[(i - 1) / 2]); i = (i - 1) / 2)
		r->heap[i] = r->heap[(i - 1) / 2];
	r->heap[i] = node;
}

static int deliver_gap(bool *have, struct swt_lost *gap, uint64_t ts, const struct swt_sink *sink)
{
	*have = false;
	gap->ts = ts;
	return sink->lost ? sink->lost(sink->arg, gap) : 0;
}

static int deliver_gaps(struct stream *s, uint64_t ts, const struct swt_sink *sink)
{
	int rc = 0;

	if (s->have_bad)
		rc = deliver_gap(&s->have_bad, &s->bad, ts, sink);
	if (!rc && s->have_lost)
		rc = deliver_gap(&s->have_lost, &s->lost, ts, sink);
	return rc;
}

static int deliver(struct swt_reader *r, struct stream *s, const struct swt_sink *sink)
{
	struct swt_event ev;
	int rc;

	rc = swt_decode(r->f, s->walk.rec, s->walk.len, &ev);
	if (rc <= 0) {
		r->stats.unknown += rc < 0;
		return 0;
	}
	r->stats.decoded++;
	ev.ts = s->walk.ts;
	ev.cpu = s->cpu;
	if (ev.id == SWT_EV_RAW_DATA && swt_event_has(&ev, SWT_F_RAW_DATA_ID) &&
	    (uint32_t)ev.f[SWT_F_RAW_DATA_ID] == SWT_MARKER_ID && swt_event_has(&ev, SWT_F_RAW_DATA_BUF))
		return swt_marker_join(r->joiner, ev.ts, ev.str[0].s, ev.str[0].len, sink);
	return sink->event ? sink->event(sink->arg, &ev) : 0;
}

/* Every stream that could have a record gets to it. */
static int fill(struct swt_reader *r)
{
	for (size_t i = 0; i < r->n; i++) {
		struct stream *s = &r->s[i];
		int rc;

		if (s->ready || s->ended || (!s->pull && !s->head))
			continue;
		rc = advance(r, s);
		if (rc < 0)
			return rc;
		if (rc)
			heap_add(r, i);
	}
	return 0;
}

/* Gaps that nothing follows. */
static int deliver_tails(struct swt_reader *r, uint64_t until_ns, const struct swt_sink *sink)
{
	for (size_t i = 0; i < r->n; i++) {
		struct stream *s = &r->s[i];
		int rc;

		if (s->ready || !(s->pull ? s->ended : until_ns == UINT64_MAX))
			continue;
		rc = deliver_gaps(s, 0, sink);
		if (rc)
			return rc;
	}
	return 0;
}

int swt_reader_run(struct swt_reader *r, uint64_t until_ns, const struct swt_sink *sink)
{
	int rc = fill(r), next;

	while (!rc && r->nheap && r->heap[0].ts <= until_ns) {
		const uint32_t at = r->heap[0].stream;
		struct stream *s = &r->s[at];

		if (s->have_lost || s->have_bad) {
			rc = deliver_gaps(s, s->walk.ts, sink);
			if (rc)
				return rc;
		}
		r->stats.events++;
		if (s->walk.ts < r->newest)
			r->stats.backwards++;
		else
			r->newest = s->walk.ts;
		s->last = s->walk.ts;
		rc = deliver(r, s, sink);
		/* Delivered or refused, the record is done with; the page may go only now. */
		next = advance(r, s);
		if (next > 0)
			heap_replace_first(r, (struct node){ s->walk.ts, at });
		else if (--r->nheap)
			heap_replace_first(r, r->heap[r->nheap]);
		if (!rc && next < 0)
			rc = next;
	}
	return rc ? rc : deliver_tails(r, until_ns, sink);
}

const struct swt_reader_stats *swt_reader_stats(const struct swt_reader *r)
{
	return &r->stats;
}
