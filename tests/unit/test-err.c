/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lib/base/err.c: the first message stays, nothing overflows, NULL sinks are fine.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"

static void first_message_stays(void **state)
{
	struct swt_err err = { "" };

	(void)state;
	assert_int_equal(swt_err_set(&err, -ENOENT, "cannot open '%s'", "/proc/x"), -ENOENT);
	assert_int_equal(swt_err_set(&err, -EIO, "cannot start"), -EIO);
	assert_string_equal(err.text, "cannot open '/proc/x'");
}

static void null_error_only_returns(void **state)
{
	(void)state;
	assert_int_equal(swt_err_set(NULL, -EPERM, "x %d", 1), -EPERM);
}

static void long_message_is_cut(void **state)
{
	struct swt_err err = { "" };
	char big[2000];

	(void)state;
	memset(big, 'a', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	swt_err_set(&err, -EIO, "%s", big);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
}

struct seen {
	int calls;
	enum swt_log_level level;
	char text[2048];
};

static void keep(void *arg, enum swt_log_level level, const char *msg)
{
	struct seen *s = arg;

	s->calls++;
	s->level = level;
	strncpy(s->text, msg, sizeof(s->text) - 1);
}

static void log_gets_one_finished_line(void **state)
{
	struct seen s = { 0 };
	struct swt_log log = { keep, &s };

	(void)state;
	swt_log(&log, SWT_LOG_NOTE, "%d events lost on cpu %d", 57, 2);
	assert_int_equal(s.calls, 1);
	assert_int_equal(s.level, SWT_LOG_NOTE);
	assert_string_equal(s.text, "57 events lost on cpu 2");
}

static void log_may_be_missing(void **state)
{
	struct swt_log empty = { NULL, NULL };

	(void)state;
	swt_log(NULL, SWT_LOG_WARN, "dropped %s", "x");
	swt_log(&empty, SWT_LOG_WARN, "dropped %s", "x");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_message_stays), cmocka_unit_test(null_error_only_returns),
		cmocka_unit_test(long_message_is_cut), cmocka_unit_test(log_gets_one_finished_line),
		cmocka_unit_test(log_may_be_missing),
	};

	return cmocka_run_group_tests_name("err", tests, NULL, NULL);
}
