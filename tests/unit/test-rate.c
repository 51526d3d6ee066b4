/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Differences of counters: missing, reset, wrapped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/rate.h"

static void expect(struct swt_opt before, struct swt_opt now, int bits, enum swt_delta_kind kind, uint64_t v)
{
	struct swt_delta d = swt_delta(before, now, bits);
	struct swt_opt o = swt_delta_opt(d);

	assert_int_equal(d.kind, kind);
	assert_int_equal(o.known, kind == SWT_DELTA_OK);
	if (kind == SWT_DELTA_OK) {
		assert_true(d.v == v);
		assert_true(o.v == v);
	}
}

static void test_forward(void **state)
{
	(void)state;
	expect(swt_some(100), swt_some(100), 64, SWT_DELTA_OK, 0);
	expect(swt_some(100), swt_some(350), 64, SWT_DELTA_OK, 250);
	expect(swt_some(0), swt_some(UINT64_MAX), 64, SWT_DELTA_OK, UINT64_MAX);
	expect(swt_some(18446744073709551000ull), swt_some(18446744073709551615ull), 64, SWT_DELTA_OK, 615);
}

static void test_unknown(void **state)
{
	(void)state;
	expect(SWT_UNKNOWN, swt_some(5), 64, SWT_DELTA_UNKNOWN, 0);
	expect(swt_some(5), SWT_UNKNOWN, 64, SWT_DELTA_UNKNOWN, 0);
	expect(SWT_UNKNOWN, SWT_UNKNOWN, 32, SWT_DELTA_UNKNOWN, 0);
}

static void test_reset(void **state)
{
	(void)state;
	expect(swt_some(100), swt_some(90), 64, SWT_DELTA_RESET, 0);
	expect(swt_some(100), swt_some(90), 32, SWT_DELTA_RESET, 0);
	expect(swt_some(4294967290u), swt_some(10), 64, SWT_DELTA_RESET, 0);
	/* A device that had moved 3 G pages was replaced: 2^32 - 3e9 + 5e8 is no small step. */
	expect(swt_some(3000000000u), swt_some(500000000u), 32, SWT_DELTA_RESET, 0);
	/* 64 bits wide on a 32-bit kernel. */
	expect(swt_some(1ull << 32), swt_some(10), 32, SWT_DELTA_RESET, 0);
	expect(swt_some(UINT64_MAX), swt_some(0), 32, SWT_DELTA_RESET, 0);
}

static void test_wrap(void **state)
{
	(void)state;
	expect(swt_some(4294967290u), swt_some(10), 32, SWT_DELTA_OK, 16);
	expect(swt_some(UINT32_MAX), swt_some(0), 32, SWT_DELTA_OK, 1);
	expect(swt_some(UINT32_MAX), swt_some((1u << 28) - 1), 32, SWT_DELTA_OK, 1u << 28);
	expect(swt_some(UINT32_MAX), swt_some(1u << 28), 32, SWT_DELTA_RESET, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forward),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_reset),
		cmocka_unit_test(test_wrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
