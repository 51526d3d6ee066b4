/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One interval and the gauges at its end: what a report shows.
 */
#ifndef SWT_MODEL_SNAPSHOT_H
#define SWT_MODEL_SNAPSHOT_H

#include <stdbool.h>

#include "model/hist.h"
#include "model/sys.h"

#define SWT_MAX_RESULTS 64
#define SWT_MAX_TOP	5

struct swt_named_count {
	char name[48];
	uint64_t count;
};

struct swt_exits {
	uint64_t count;		      /* releases that ended in the interval */
	uint64_t in_flight;	      /* running now */
	struct swt_opt freed_entries; /* unknown when no release of the interval had a count */
	uint64_t freed_unknown;	      /* releases without a count */
	struct swt_hist teardown_ns, ns_per_entry;
};

struct swt_khuge_report {
	struct swt_opt cpu_hundredths; /* hundredths of a percent of one CPU */
	struct swt_delta full_scans, collapsed;
	struct swt_named_count result[SWT_MAX_RESULTS]; /* by the names of this kernel */
	unsigned int nresults;
	bool results_known;
	struct swt_opt swapped_in; /* pages read in by khugepaged */
	struct {
		int pid;
		char comm[64];
		uint64_t scans, swapped_in;
	} top[SWT_MAX_TOP];
	unsigned int ntop;
};

#define SWT_MAX_REASONS 12

/* Deferral as the events of a patched kernel tell it; the counters are in vm[].  All unknown elsewhere. */
struct swt_defer_report {
	bool known;								    /* the events were on */
	struct swt_named_count fallback[SWT_MAX_REASONS], drained[SWT_MAX_REASONS]; /* entries by reason */
	unsigned int nfallback, ndrained;
	struct swt_opt age_max_ns; /* oldest batch: pending now, or released in the interval */
	uint64_t batches;	   /* released in the interval */
	struct swt_hist batch_ns;  /* time the worker spent on each of them */
};

struct swt_snapshot {
	uint64_t ts, interval_ns;
	bool complete;			   /* no loss in this interval */
	struct swt_sys sys;		   /* as of now */
	struct swt_delta vm[SWT_VM_COUNT]; /* over the interval */
	struct swt_exits exits;
	struct swt_khuge_report khuge;
	struct swt_defer_report defer;
	struct swt_opt events, lost, cost_ns; /* of the interval; filled by whoever owns the source */
	struct swt_opt self_cpu_hundredths, self_rss;
	const char *backend;
	uint64_t processes;	   /* living processes known */
	struct swt_opt held_bytes; /* swap of living processes known by sample */
};

#endif
