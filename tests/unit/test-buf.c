/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lib/base/buf.c: growth, NULs inside, and what is left after a failed allocation.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"

/* Linked with --wrap=realloc: every allocation of a buffer goes through here. */
void *__real_realloc(void *p, size_t n);
void *__wrap_realloc(void *p, size_t n);
static int allocations, fail_alloc;

void *__wrap_realloc(void *p, size_t n)
{
	allocations++;
	return fail_alloc ? NULL : __real_realloc(p, n);
}

static void empty_is_empty_text(void **state)
{
	struct swt_buf b = SWT_BUF_INIT;

	(void)state;
	assert_string_equal(swt_buf_str(&b), "");
	swt_buf_reset(&b);
	swt_buf_free(&b);
	assert_null(b.s);
}

static void bytes_are_kept_as_they_are(void **state)
{
	struct swt_buf b = SWT_BUF_INIT;

	(void)state;
	assert_int_equal(swt_buf_add(&b, "a\0b", 3), 0);
	assert_int_equal(swt_buf_addc(&b, '\0'), 0);
	assert_int_equal(swt_buf_adds(&b, "cd"), 0);
	assert_int_equal(b.len, 6);
	assert_memory_equal(b.s, "a\0b\0cd", 7); /* with the NUL behind */
	assert_int_equal(swt_buf_add(&b, NULL, 0), 0);
	assert_int_equal(b.len, 6);
	swt_buf_free(&b);
}

static void grows_and_stays_terminated(void **state)
{
	struct swt_buf b = SWT_BUF_INIT;

	(void)state;
	for (size_t i = 0; i < 100000; i++) {
		assert_int_equal(swt_buf_addc(&b, (char)('a' + i % 26)), 0);
		assert_true(b.cap > b.len);
		assert_int_equal(b.s[b.len], '\0');
	}
	for (size_t i = 0; i < 100000; i++)
		assert_int_equal(b.s[i], 'a' + i % 26);
	swt_buf_free(&b);
}

static void reset_keeps_the_memory(void **state)
{
	struct swt_buf b = SWT_BUF_INIT;

	(void)state;
	swt_buf_reserve(&b, 5000);
	allocations = 0;
	for (int i = 0; i < 10; i++) {
		swt_buf_reset(&b);
		assert_string_equal(swt_buf_str(&b), "");
		assert_int_equal(swt_buf_addf(&b, "%05000d", i), 0);
	}
	assert_int_equal(allocations, 0);
	swt_buf_free(&b);
}

static void formats_append(void **state)
{
	struct swt_buf b = SWT_BUF_INIT;
	char big[500];

	(void)state;
	memset(big, 'x', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	assert_int_equal(swt_buf_addf(&b, "%s=%d", "pid", 42), 0);
	assert_int_equal(swt_buf_addf(&b, ";%s", big), 0);
	assert_int_equal(b.len, 6 + 1 + 499);
	assert_memory_equal(b.s, "pid=42;xxx", 10);
	assert_int_equal(strlen(b.s), b.len);
	swt_buf_free(&b);
}

/* A text that ends exactly at, one before and one behind the end of the memory. */
static void format_at_the_edge(void **state)
{
	(void)state;
	for (int n = 50; n < 80; n++) {
		struct swt_buf b = SWT_BUF_INIT;

		assert_int_equal(swt_buf_addc(&b, '>'), 0);
		assert_int_equal(swt_buf_addf(&b, "%0*d", n, 7), 0);
		assert_int_equal(b.len, n + 1);
		assert_int_equal(b.s[n], '7');
		assert_int_equal(b.s[n + 1], '\0');
		swt_buf_free(&b);
	}
}

static void failure_leaves_it_as_it_was(void **state)
{
	struct swt_buf b = SWT_BUF_INIT;
	char big[1000];

	(void)state;
	memset(big, 'y', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	assert_int_equal(swt_buf_adds(&b, "keep"), 0);
	fail_alloc = 1;
	assert_int_equal(swt_buf_adds(&b, big), -ENOMEM);
	assert_int_equal(swt_buf_addf(&b, "%s", big), -ENOMEM);
	assert_int_equal(swt_buf_reserve(&b, 4096), -ENOMEM);
	fail_alloc = 0;
	assert_int_equal(b.len, 4);
	assert_string_equal(swt_buf_str(&b), "keep");
	swt_buf_free(&b);
}

static void absurd_sizes_overflow(void **state)
{
	struct swt_buf b = SWT_BUF_INIT;

	(void)state;
	assert_int_equal(swt_buf_adds(&b, "keep"), 0);
	assert_int_equal(swt_buf_reserve(&b, SIZE_MAX), -EOVERFLOW);
	assert_int_equal(swt_buf_reserve(&b, SIZE_MAX - 4), -EOVERFLOW);
	assert_int_equal(swt_buf_reserve(&b, PTRDIFF_MAX), -EOVERFLOW);
	assert_string_equal(swt_buf_str(&b), "keep");
	swt_buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(empty_is_empty_text),
		cmocka_unit_test(bytes_are_kept_as_they_are),
		cmocka_unit_test(grows_and_stays_terminated),
		cmocka_unit_test(reset_keeps_the_memory),
		cmocka_unit_test(formats_append),
		cmocka_unit_test(format_at_the_edge),
		cmocka_unit_test(failure_leaves_it_as_it_was),
		cmocka_unit_test(absurd_sizes_overflow),
	};

	return cmocka_run_group_tests_name("buf", tests, NULL, NULL);
}
