/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading recordings: trace.dat version 6 through our own reader, version 7 (compressed) through libtracecmd
 * in a child process.  Layout: trace-cmd.dat.v6(5), trace-cmd.dat.v7(5).
 *
 * A recording is untrusted input.  A cut or damaged one is read as far as it goes; info->cut says so.
 *
 * Ring pages are copied in small windows with pread(2), not mapped.  A mapped file that somebody shortens
 * kills the reader with SIGBUS, and one that somebody changes differs between the check of a page and its
 * use.  The windows also bound resident memory, 8 MiB in all, whatever the size of the file.
 */
#ifndef SWT_TRACE_DAT_H
#define SWT_TRACE_DAT_H

#include "base/err.h"
#include "base/opt.h"
#include "trace/event.h"
#include "trace/reader.h"
#include "trace/source.h"

struct swt_dat;

struct swt_dat_info {
	int version; /* 6 or 7 */
	bool cut;    /* the file ends early, or a part was skipped; final after a full run */
	char cut_why[160];
	char kernel[128];	 /* from the uname option, "" unknown */
	char trace_cmd[64];	 /* version string of the writer, "" unknown */
	struct swt_opt first_ts; /* of the events; version 7: known after the first event was delivered */
	struct swt_opt last_ts;	 /* of the events; known after a full run */
	struct swt_opt
		recorded_lost; /* from the cpustat option: overruns and drops the writer counted, all rings */
};

/**
 * swt_dat_open - open a recording
 *
 * Returns 0, -errno of the file, -EBADMSG (not a trace.dat file, or unusable: the message says what is
 * wrong) or -EOPNOTSUPP (a version or compression that cannot be read here, or text instead of ring pages).
 */
int swt_dat_open(const char *path, struct swt_dat **ret, struct swt_err *err);
void swt_dat_close(struct swt_dat *d); /* NULL is fine */

/**
 * swt_dat_source - what the recording says about its source
 *
 * The level is that of the recorder's @info sample when it is in the first page of a ring (ours is), else
 * what the events suggest: 4 with rss_stat, 2 patched, 1 otherwise.  An @info sample met later corrects it.
 * The clock is "" when the recording does not name one.
 */
const struct swt_source_info *swt_dat_source(const struct swt_dat *d);
const struct swt_dat_info *swt_dat_info(const struct swt_dat *d);
const struct swt_formats *swt_dat_formats(const struct swt_dat *d);
const struct swt_reader_stats *swt_dat_stats(const struct swt_dat *d);

/**
 * swt_dat_run - deliver events up to @until_ns (UINT64_MAX: all), samples included; see swt_reader_run()
 *
 * Buffer 0 is the top-level one, named buffers follow in the order of the file.
 */
int swt_dat_run(struct swt_dat *d, uint64_t until_ns, const struct swt_sink *sink);

#endif
