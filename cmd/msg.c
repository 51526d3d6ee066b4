/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages on stderr, and which exit status an error gives.
 */
#include "cmd/cmd.h"

#include <errno.h>
#include <string.h>

#include "base/text.h"

void swt_msg(const char *fmt, ...)
{
	struct swt_buf clean = SWT_BUF_INIT;
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	/* It may quote names from outside: nothing but printable text reaches a terminal or a journal. */
	if (swt_text_clean(&clean, text, strlen(text), false) == 0)
		fprintf(stderr, "swaptop: %s\n", swt_buf_str(&clean));
	swt_buf_free(&clean);
}

int swt_fail(int rc, const struct swt_err *err)
{
	if (err && err->text[0])
		swt_msg("%s", err->text);
	else
		swt_msg("%s", strerror(-rc));
	switch (-rc) {
	case EACCES:
	case EPERM:
	case EOPNOTSUPP:
	case ENOSYS:
	case EBUSY:
		return SWT_EXIT_NO_ACCESS;
	default:
		return SWT_EXIT_FAILED;
	}
}

static void log_line(void *arg, enum swt_log_level level, const char *msg)
{
	(void)arg;
	if (level == SWT_LOG_DEBUG)
		return;
	swt_msg("%s%s", level == SWT_LOG_WARN ? "warning: " : "", msg);
}

const struct swt_log *swt_cmd_log(void)
{
	static const struct swt_log log = { log_line, NULL };

	return &log;
}
