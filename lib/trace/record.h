/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing recordings: trace.dat version 6, as trace-cmd writes it ("flyrecord"), with the events of our
 * second instance as a named buffer ("rss").
 *
 * Ring pages are appended to one unlinked temporary file per ring beside the target (opened with its first
 * page) and put together by finish() under a temporary name, so a crash leaves no half-written recording
 * under the final name.  While finish() runs, the disk holds the largest ring twice; each ring's file is
 * dropped once copied.
 *
 * A target that exists and is no regular file (a pipe, /dev/null) is written to, never replaced.
 */
#ifndef SWT_TRACE_RECORD_H
#define SWT_TRACE_RECORD_H

#include "base/err.h"
#include "base/root.h"
#include "trace/source.h"

struct swt_record;

struct swt_record_cfg {
	const struct swt_root *root; /* must outlive the recorder */
	const char *tracefs;	     /* where format files, header_page and saved_cmdlines come from */
	const struct swt_source_info
		*info;	      /* copied; only formats of events that are HAVE, and ftrace's, are stored */
	unsigned int buffers; /* 1, or 2 with the rss instance */
	unsigned int ncpus;
	unsigned int page_size; /* sub-buffer size */
};

/**
 * swt_record_new - begin a recording
 *
 * Reads the formats and tries the target's directory.  Returns 0, or -errno with a message that names the
 * file.
 */
int swt_record_new(const char *path, const struct swt_record_cfg *cfg, struct swt_record **ret,
		   struct swt_err *err);
/**
 * swt_record_page - append a ring page (fits struct swt_live_tee)
 * @len: at most the page size; a short page is filled up with zeros
 *
 * Returns 0 or -errno (-ENOSPC ...).  The first failure stays: later calls and finish() return it, and
 * finish() has the message.
 */
int swt_record_page(void *rec, unsigned int buffer, unsigned int cpu, const void *page, size_t len);
/** swt_record_cpustat - statistics text of a ring, as in per_cpu/cpuN/stats (trace-cmd's cpustat option). */
int swt_record_cpustat(struct swt_record *r, unsigned int cpu, const char *text);
/** swt_record_finish - write the file and rename it to its name; 0 or -errno.  Frees nothing; once only. */
int swt_record_finish(struct swt_record *r, struct swt_err *err);
/** swt_record_free - drop what is not finished.  NULL is fine. */
void swt_record_free(struct swt_record *r);

#endif
