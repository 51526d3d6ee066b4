/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ring pages of many CPUs in, events of all CPUs in time order out.
 *
 * Each ring is a stream: a queue of pages (live: pushed) or a function that yields them (recording: pulled).
 * A heap picks the stream with the oldest next event.  Nothing is allocated per event; strings point into the
 * page, which stays until its last event was delivered.  Memory is bounded by the pages queued.
 *
 * Time order across CPUs needs every stream to have been read past the events delivered: live callers pass
 * the clock as it was before the drain began as @until_ns; recordings pass UINT64_MAX.
 */
#ifndef SWT_TRACE_READER_H
#define SWT_TRACE_READER_H

#include <stddef.h>
#include <stdint.h>

#include "trace/event.h"
#include "trace/formats.h"

struct swt_reader;

/** struct swt_reader_stats - totals since the start. */
struct swt_reader_stats {
	uint64_t events;    /* records walked, of any type, padding not counted */
	uint64_t decoded;   /* of the catalogue, delivered */
	uint64_t unknown;   /* of a type no format describes */
	uint64_t bad_pages; /* refused by the page check */
	uint64_t lost;	    /* sum of the known numbers in page headers */
	uint64_t gaps;	    /* gaps seen, known and unknown */
	uint64_t backwards; /* events older than one already delivered */
};

int swt_reader_new(const struct swt_formats *f, struct swt_reader **ret); /* @f must outlive the reader */
void swt_reader_free(struct swt_reader *r);

/**
 * swt_reader_stream - add a ring
 * @buffer: 0 or 1, copied to struct swt_lost
 * @pull: NULL for a pushed stream.  Sets *page and *len and returns 1, 0 at the end, or -errno; the page must
 *        stay valid until the next pull of this stream
 *
 * Returns the stream's number or -errno.
 */
int swt_reader_stream(struct swt_reader *r, unsigned int cpu, unsigned int buffer,
		      int (*pull)(void *arg, const void **page, size_t *len), void *arg);

/** swt_reader_push - copy a page to the end of a pushed stream. */
int swt_reader_push(struct swt_reader *r, int stream, const void *page, size_t len);

/**
 * swt_reader_run - deliver, in time order, everything up to and including @until_ns
 *
 * Marker records of our own are put together and delivered as sink->file().  Returns 0, the non-zero value
 * of a sink callback (delivery can be resumed), or -errno of a pull.
 */
int swt_reader_run(struct swt_reader *r, uint64_t until_ns, const struct swt_sink *sink);

const struct swt_reader_stats *swt_reader_stats(const struct swt_reader *r);

#endif
