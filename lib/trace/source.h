/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a source of events tells about itself, live or recorded.
 */
#ifndef SWT_TRACE_SOURCE_H
#define SWT_TRACE_SOURCE_H

#include <stdint.h>

#include "base/opt.h"
#include "trace/catalog.h"
#include "trace/formats.h"

enum swt_source_kind { SWT_SOURCE_PROC, SWT_SOURCE_STOCK, SWT_SOURCE_PATCHED };

/** swt_source_name - "proc", "stock", "patched". */
const char *swt_source_name(enum swt_source_kind k);

struct swt_source_info {
	enum swt_source_kind kind;
	int level;	      /* 0..4 */
	bool level_forced;    /* asked for by number */
	char clock[16];	      /* "mono" */
	uint64_t rings_bytes; /* all rings together, as the kernel made them */
	unsigned int ncpus;
	bool group_dead; /* sched_process_exit begins a teardown here; without it, it ends one */
	enum swt_ev_state state[SWT_EV_COUNT];
	int error[SWT_EV_COUNT]; /* -errno behind MISSING or NO_ACCESS */
	char why_proc[256];	 /* why there are no events at all; "" when there are */
};

/** struct swt_loss - totals since the source was opened, from the counters of every CPU. */
struct swt_loss {
	uint64_t lost;	 /* overruns and dropped events, all rings */
	uint64_t unread; /* still in the rings at the end, never delivered */
	bool complete;	 /* nothing lost, nothing damaged */
};

#endif
