/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading recordings: trace.dat version 6 through mmap and our own reader, version 7 (compressed) through
 * libtracecmd.  Layout: trace-cmd.dat.v6(5), trace-cmd.dat.v7(5).
 *
 * A recording is untrusted input.  A cut or damaged one is read as far as it goes; info->cut says so.
 * Resident memory is bounded: pages behind the reader are given back (MADV_DONTNEED).
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
	int version;             /* 6 or 7 */
	bool cut;                /* the file ends early, or a part was skipped */
	char cut_why[160];
	char kernel[128];        /* from the uname option, "" unknown */
	char trace_cmd[64];      /* version string of the writer, "" unknown */
	struct swt_opt first_ts, last_ts; /* of the events; last is known after a full run */
	struct swt_opt recorded_lost;     /* from the cpustat option: overruns the writer counted */
};

/**
 * swt_dat_open - open a recording
 *
 * Returns 0, -errno of the file, -EBADMSG (not a trace.dat file, or unusable: the message says what is
 * wrong) or -EOPNOTSUPP (a version or compression that cannot be read here).
 */
int swt_dat_open(const char *path, struct swt_dat **ret, struct swt_err *err);
void swt_dat_close(struct swt_dat *d);

const struct swt_source_info *swt_dat_source(const struct swt_dat *d);
const struct swt_dat_info *swt_dat_info(const struct swt_dat *d);
const struct swt_formats *swt_dat_formats(const struct swt_dat *d);
const struct swt_reader_stats *swt_dat_stats(const struct swt_dat *d);

/** swt_dat_run - deliver events up to @until_ns (UINT64_MAX: all), samples included; see swt_reader_run(). */
int swt_dat_run(struct swt_dat *d, uint64_t until_ns, const struct swt_sink *sink);

#endif
