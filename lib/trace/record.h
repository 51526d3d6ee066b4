/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing recordings: trace.dat version 6, as trace-cmd writes it ("flyrecord"), with the events of our
 * second instance as a named buffer ("rss").
 *
 * Ring pages are appended to one unlinked temporary file per ring beside the target and put together by
 * finish(), so a crash leaves no half-written recording under the final name.
 */
#ifndef SWT_TRACE_RECORD_H
#define SWT_TRACE_RECORD_H

#include "base/err.h"
#include "base/root.h"
#include "trace/source.h"

struct swt_record;

struct swt_record_cfg {
	const struct swt_root *root;
	const char *tracefs;       /* where format files, header_page, kallsyms-free metadata come from */
	const struct swt_source_info *info; /* events wanted: only formats of events that are HAVE, and ftrace's, are stored */
	unsigned int buffers;      /* 1, or 2 with the rss instance */
	unsigned int ncpus;
	unsigned int page_size;    /* sub-buffer size */
};

int swt_record_new(const char *path, const struct swt_record_cfg *cfg, struct swt_record **ret, struct swt_err *err);
/** swt_record_page - append a ring page (fits struct swt_live_tee). */
int swt_record_page(void *rec, unsigned int buffer, unsigned int cpu, const void *page, size_t len);
/** swt_record_cpustat - per-CPU statistics text (trace-cmd's cpustat option). */
int swt_record_cpustat(struct swt_record *r, unsigned int cpu, const char *text);
/** swt_record_finish - write the file and rename it to its name; 0 or -errno.  Frees nothing. */
int swt_record_finish(struct swt_record *r, struct swt_err *err);
/** swt_record_free - drop what is not finished. */
void swt_record_free(struct swt_record *r);

#endif
