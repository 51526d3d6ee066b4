/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Errors and warnings as one line of text, see err.h.
 */
#include <stdio.h>

#include "base/err.h"

int swt_err_set(struct swt_err *err, int rc, const char *fmt, ...)
{
	va_list ap;

	/* The first failure is the cause; what follows from it would only hide it. */
	if (!err || err->text[0])
		return rc;
	va_start(ap, fmt);
	if (vsnprintf(err->text, sizeof(err->text), fmt, ap) < 0)
		err->text[0] = '\0';
	va_end(ap);
	return rc;
}

void swt_log(const struct swt_log *log, enum swt_log_level level, const char *fmt, ...)
{
	char line[1024];
	va_list ap;
	int n;

	if (!log || !log->fn)
		return;
	va_start(ap, fmt);
	n = vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (n >= 0)
		log->fn(log->arg, level, line);
}
