/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What works here, what does not, why, and how to get it: one screen of text, or one JSON object.
 *
 * The caller gathers, this prints.  NULL and "" mean none or unknown.
 */
#ifndef SWT_OUT_DOCTOR_H
#define SWT_OUT_DOCTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "model/sys.h"
#include "out/json.h"
#include "trace/source.h"

struct swt_doctor {
	const char *host, *kernel, *arch;
	unsigned int ncpus;
	uint64_t page_size;
	const struct swt_source_info *info;	 /* what a start would use; never NULL */
	const char *tracefs;			 /* path */
	const char *tracefs_problem;		 /* message of looking for it or of making an instance */
	const char *lockdown;			 /* "integrity", "confidentiality" */
	const struct swt_sys *sys;		 /* NULL: /proc could not be read */
	struct swt_opt min_entries, min_exiting; /* knobs of the patch */
	const char *others;			 /* other tracers, a line each (names not cleaned) */
	const char *limited;			 /* why not every process is visible */
	struct swt_opt events_per_exit_hundredths;
	struct swt_opt ns_per_event;
};

/**
 * swt_doctor_reason - why an event is not there
 *
 * Returns a static text, NULL when there is nothing to explain.
 */
const char *swt_doctor_reason(const struct swt_doctor *d, enum swt_ev id);

/** swt_doctor_fix - append what to do about it (the exact command), or nothing. */
int swt_doctor_fix(const struct swt_doctor *d, enum swt_ev id, struct swt_buf *out);

/** swt_doctor_text - append one screen, clean for terminals (@ascii: 7-bit). */
int swt_doctor_text(const struct swt_doctor *d, bool ascii, struct swt_buf *out);

/** swt_doctor_json - write one "doctor" object. */
int swt_doctor_json(const struct swt_doctor *d, struct swt_json *j, uint64_t mono_ns);

#endif
