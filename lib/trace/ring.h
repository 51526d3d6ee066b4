/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rings of one instance: kept-open raw pipes and the counters beside them.  Private to lib/trace.
 */
#ifndef SWT_TRACE_RING_H
#define SWT_TRACE_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/instance.h"
#include "trace/live.h"
#include "trace/reader.h"

struct swt_ring {
	unsigned int cpu;
	int fd;
	int stream; /* of the reader, -1: none yet */
	bool pollable;
};

struct swt_rings {
	unsigned int buffer; /* 0 events, 1 rss_stat */
	unsigned int n;
	struct swt_ring *ring;
	size_t page_size;
	uint64_t max_pages; /* read from one ring in one go */
	void *page;
};

/* Counters of one instance since it was made. */
struct swt_ring_counts {
	uint64_t overrun, dropped, commit_overrun, entries, read;
};

/** swt_rings_cpus - how many rings <dir>/per_cpu has, and the highest CPU number + 1 in @top. */
int swt_rings_cpus(const struct swt_instance *in, unsigned int *n, unsigned int *top);

/** swt_rings_open - open every trace_pipe_raw; -EBUSY names the holder. */
int swt_rings_open(struct swt_rings *r, const struct swt_instance *in, unsigned int buffer, size_t page_size,
		   uint64_t bytes, struct swt_err *err);
void swt_rings_close(struct swt_rings *r);

/** swt_rings_streams - add each ring to @reader. */
int swt_rings_streams(struct swt_rings *r, struct swt_reader *reader);

/**
 * swt_rings_drain - read what is there
 * @until: trace clock; a ring is left when a page begins at or after it (UINT64_MAX: only when it is empty)
 * @reader, @tee: either may be NULL
 *
 * Reads no more from a ring than all of them hold together, so that a writer that is faster than we are cannot
 * keep us here; what was in the ring before the call has been read all the same.
 */
int swt_rings_drain(struct swt_rings *r, uint64_t until, struct swt_reader *reader,
		    const struct swt_live_tee *tee);

/** swt_rings_counts - sum of per_cpu/cpuN/stats. */
int swt_rings_counts(const struct swt_rings *r, const struct swt_instance *in, struct swt_ring_counts *ret);

/** swt_ring_stats_parse - add the counters of one stats file to @ret; -EBADMSG when it has none of them. */
int swt_ring_stats_parse(const char *text, struct swt_ring_counts *ret);

/** swt_ring_now - "now ts" of a stats file in ns; 0 or -EBADMSG. */
int swt_ring_now(const char *text, uint64_t *ns);

#endif
