/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside of a live source.  Private to lib/trace.
 */
#ifndef SWT_TRACE_LIVE_PRIV_H
#define SWT_TRACE_LIVE_PRIV_H

#include "trace/arm.h"
#include "trace/live.h"
#include "trace/reader.h"
#include "trace/ring.h"
#include "trace/watch.h"

struct swt_live {
	const struct swt_root *root;
	const struct swt_clock *clock;
	const struct swt_log *log;
	char *tracefs;
	struct swt_source_info info;
	struct swt_formats *formats;
	struct swt_reader *reader;
	unsigned int ninst; /* 2: the second one is for rss_stat */
	struct swt_instance in[2];
	struct swt_rings rings[2];
	struct swt_watch *watch; /* NULL: no second instance */
	bool decoded;		 /* the reader has seen everything so far */
	uint64_t counted;	 /* events by the rings' counters, of the last swt_live_loss() */
	uint32_t mark_serial;
	int mark_fd;
	/* during a drain */
	const struct swt_sink *sink;
};

/** swt_live_ring_kb - KiB per CPU of instance @which of @instances; @want_bytes 0: default. */
uint64_t swt_live_ring_kb(uint64_t want_bytes, unsigned int cpus, unsigned int instances, unsigned int which);

#endif
