/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a recording or a stream holds, on one page: swaptop report.
 *
 * Fed with every release as it completes and with every interval, it keeps sums and histograms, not releases: memory
 * is bounded by the number of different names and groups (at most SWT_SUMMARY_MAX_NAMES of each; the rest is one
 * sum).
 */
#ifndef SWT_OUT_SUMMARY_H
#define SWT_OUT_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "model/model.h"
#include "out/wall.h"

#define SWT_SUMMARY_MAX_NAMES 2048
#define SWT_SUMMARY_TOP	      10

struct swt_summary;

int swt_summary_new(struct swt_summary **ret);
void swt_summary_free(struct swt_summary *s);

/** swt_summary_release - take in a release, as the model reports it; 0 or -ENOMEM. */
int swt_summary_release(struct swt_summary *s, const struct swt_release *r, enum swt_step step);

/** swt_summary_report - take in an interval (khugepaged and traffic; exits come by swt_summary_release). */
void swt_summary_report(struct swt_summary *s, const struct swt_snapshot *snap);

/** struct swt_summary_src - what is known of the input as a whole. */
struct swt_summary_src {
	const char *name;   /* of the file, NULL: none */
	const char *kernel; /* NULL or "": unknown */
	const struct swt_source_info *info;
	uint64_t page_size;
	struct swt_opt first_ns, last_ns; /* trace clock */
	struct swt_opt events, lost;
	bool complete;
	const char *why; /* why not complete, "" or NULL: by loss */
};

/**
 * swt_summary_text - append the page
 * @wall: NULL or empty: no wall-clock times
 * @ascii: 7-bit
 */
int swt_summary_text(const struct swt_summary *s, const struct swt_summary_src *src,
		     const struct swt_wall *wall, bool utc, bool ascii, struct swt_buf *out);

/** swt_summary_exits - releases taken in. */
uint64_t swt_summary_exits(const struct swt_summary *s);

#endif
