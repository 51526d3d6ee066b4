/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Errors and warnings.
 *
 * Library functions return 0 (or a count) or -errno, never print and never exit.  A function that knows
 * more than errno says takes a struct swt_err and writes one line into it: lower case, no full stop, the
 * thing quoted, what failed first and what to do last.  The caller that started the work prints it once.
 *
 * Warnings (the work goes on) go to a struct swt_log; NULL is a valid log that drops everything.
 */
#ifndef SWT_BASE_ERR_H
#define SWT_BASE_ERR_H

#include <stdarg.h>
#include <stddef.h>

#define SWT_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/** struct swt_err - one line about the first thing that failed; empty when nothing did. */
struct swt_err {
	char text[512];
};

/**
 * swt_err_set - record a message, keep the first one
 * @err: may be NULL
 * @rc: negative errno to return
 *
 * Returns @rc, so that callers can write "return swt_err_set(...)".
 */
int swt_err_set(struct swt_err *err, int rc, const char *fmt, ...) SWT_PRINTF(3, 4);

enum swt_log_level { SWT_LOG_WARN, SWT_LOG_NOTE, SWT_LOG_DEBUG };

/** struct swt_log - where warnings go; @fn gets one finished line without newline. */
struct swt_log {
	void (*fn)(void *arg, enum swt_log_level level, const char *msg);
	void *arg;
};

/** swt_log - send one line to @log (NULL drops it). */
void swt_log(const struct swt_log *log, enum swt_log_level level, const char *fmt, ...) SWT_PRINTF(3, 4);

#endif
