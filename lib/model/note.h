/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the trackers of the model send their lines.
 *
 * A line is plain text without a newline.  It may quote names of processes, groups and devices with whatever
 * bytes they have: whoever prints it cleans it.
 */
#ifndef SWT_MODEL_NOTE_H
#define SWT_MODEL_NOTE_H

#include <stdint.h>

#include "base/err.h"
#include "model/model.h"

/** struct swt_noter - the receiver; the same shape as note and arg of struct swt_model_ops. */
struct swt_noter {
	void (*note)(void *arg, uint64_t ts, enum swt_note_kind kind, const char *text); /* NULL: drop */
	void *arg;
};

/** swt_notef - send one line, cut at 511 bytes. */
void swt_notef(const struct swt_noter *n, uint64_t ts, enum swt_note_kind kind, const char *fmt, ...)
	SWT_PRINTF(4, 5);

/**
 * swt_note_seconds - a time span for a sentence: "0.3 s", "0.75 s", "12.4 s", "3 h 59 min"; @dst of
 * SWT_FMT_LEN.
 */
const char *swt_note_seconds(char *dst, uint64_t ns);
/** swt_note_mib - "300 MiB", "0.5 MiB"; @dst of SWT_FMT_LEN. */
const char *swt_note_mib(char *dst, uint64_t bytes);
/** swt_note_rate - "1.0 MiB/s", below 0.1 MiB/s "51.2 KiB/s"; @dst of SWT_FMT_LEN. */
const char *swt_note_rate(char *dst, uint64_t bytes_per_second);

#endif
