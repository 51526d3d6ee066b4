/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is in swap and why, in words.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/explain.h"

#define MIB (1ull << 20)

static struct swt_snapshot snap(uint64_t total, uint64_t free, uint64_t cached)
{
	struct swt_snapshot s = { 0 };

	s.sys.swap_total = swt_some(total * MIB);
	s.sys.swap_free = swt_some(free * MIB);
	s.sys.swap_cached = swt_some(cached * MIB);
	s.vm[SWT_VM_PSWPIN].kind = SWT_DELTA_OK;
	s.vm[SWT_VM_PSWPOUT].kind = SWT_DELTA_OK;
	return s;
}

static void check_used(const struct swt_snapshot *s, const char *want)
{
	struct swt_buf b = SWT_BUF_INIT;

	assert_int_equal(swt_explain_used(s, 4096, &b), 0);
	assert_string_equal(swt_buf_str(&b), want);
	swt_buf_free(&b);
}

static void check_held(const struct swt_snapshot *s, const char *want)
{
	struct swt_buf b = SWT_BUF_INIT;

	assert_int_equal(swt_explain_held(s, 4096, &b), 0);
	assert_string_equal(swt_buf_str(&b), want);
	swt_buf_free(&b);
}

/* Used for days though memory is free, and nothing moves. */
static void test_idle(void **state)
{
	struct swt_snapshot s = snap(8191, 7028, 308);

	(void)state;
	check_used(&s, "1163 MB in use, 308 MB also in RAM, no swap traffic");
}

static void test_traffic(void **state)
{
	struct swt_snapshot s = snap(8191, 7028, 308);

	(void)state;
	s.vm[SWT_VM_PSWPIN].v = 1;
	check_used(&s, "1163 MB in use, 308 MB also in RAM, pages are read in");
	s.vm[SWT_VM_PSWPOUT].v = 1;
	check_used(&s, "1163 MB in use, 308 MB also in RAM, pages are read in and written out");
	s.vm[SWT_VM_PSWPIN].v = 0;
	check_used(&s, "1163 MB in use, 308 MB also in RAM, pages are written out");
	s.vm[SWT_VM_PSWPOUT].v = 0;
	s.vm[SWT_VM_SWPOUT_ZERO] = (struct swt_delta){ SWT_DELTA_OK, 5 }; /* a slot without a write */
	assert_int_equal(swt_traffic(&s), SWT_TRAFFIC_OUT);
	s.vm[SWT_VM_SWPOUT_ZERO] = (struct swt_delta){ 0 };
	s.vm[SWT_VM_ZSWPIN] = (struct swt_delta){ SWT_DELTA_OK, 5 };
	assert_int_equal(swt_traffic(&s), SWT_TRAFFIC_IN);
}

static void test_unknown(void **state)
{
	struct swt_snapshot s = snap(8191, 7028, 308);

	(void)state;
	s.vm[SWT_VM_PSWPIN].kind = SWT_DELTA_UNKNOWN;
	s.sys.swap_cached = SWT_UNKNOWN;
	check_used(&s, "1163 MB in use, - also in RAM, swap traffic not known");
	s.vm[SWT_VM_PSWPIN].kind = SWT_DELTA_RESET;
	check_used(&s, "1163 MB in use, - also in RAM, swap traffic not known");
	s.sys.swap_free = SWT_UNKNOWN;
	check_used(&s, "- in use, - also in RAM, swap traffic not known");
	memset(&s, 0, sizeof(s));
	check_used(&s, "- in use, - also in RAM, swap traffic not known");
	check_held(&s, "held by living processes -; cached also in RAM -; shared memory and unaccounted -; "
		       "just freed by exits -");
	s.sys.swap_total = swt_some(0);
	s.sys.swap_free = swt_some(0);
	check_used(&s, "no swap");
}

static void test_held(void **state)
{
	struct swt_snapshot s = snap(8191, 7028, 308);

	(void)state;
	s.held_bytes = swt_some(900 * MIB);
	s.exits.freed_entries = swt_some(2560);
	check_held(
		&s,
		"held by living processes 900 MB; cached also in RAM 308 MB; shared memory and unaccounted "
		"263 MB; just freed by exits 10 MB");
	s.exits.freed_unknown = 1;
	s.sys.vm[SWT_VM_NR_SWAP_DEFERRED] = swt_some(256 * 100);
	check_held(
		&s,
		"held by living processes 900 MB; cached also in RAM 308 MB; of dead ones, waiting to be freed "
		"100 MB; shared memory and unaccounted 163 MB; just freed by exits at least 10 MB");
	s.held_bytes = swt_some(1200 * MIB); /* shared pages count in each process */
	check_held(
		&s,
		"held by living processes 1200 MB; cached also in RAM 308 MB; of dead ones, waiting to be freed "
		"100 MB; shared memory and unaccounted -; just freed by exits at least 10 MB");
	s.held_bytes = SWT_UNKNOWN;
	s.exits.freed_entries = SWT_UNKNOWN;
	s.exits.freed_unknown = 0;
	check_held(
		&s,
		"held by living processes -; cached also in RAM 308 MB; of dead ones, waiting to be freed 100 MB; "
		"shared memory and unaccounted -; just freed by exits -");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_idle),
		cmocka_unit_test(test_traffic),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_held),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
