/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Can the count of events be right?
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/balance.h"
#include "notes.h"

#define MIB (1ull << 20)

static struct swt_balance span(uint64_t processes, struct swt_opt living, unsigned int seen, uint64_t lost)
{
	struct swt_balance b;

	swt_balance_begin(&b, swt_some(processes), living);
	for (unsigned int i = 0; i < seen; i++)
		swt_balance_seen(&b);
	if (lost)
		swt_balance_lost(&b, lost, true);
	return b;
}

/* 500 forks, 450 seen, 10 lost: about 40 are not accounted for. */
static void test_unaccounted(void **state)
{
	struct swt_balance b = span(1000, swt_some(120), 450, 10);
	struct notes n = { 0 };
	struct swt_noter noter = notes_to(&n);
	struct swt_opt r;

	(void)state;
	r = swt_balance_end(&b, 77, swt_some(1500), swt_some(120), 64, &noter);
	assert_true(r.known);
	assert_int_equal(r.v, 40);
	assert_int_equal(n.n, 1);
	assert_int_equal(n.line[0].ts, 77);
	assert_int_equal(n.line[0].kind, SWT_NOTE_LOSS);
	assert_string_equal(notes_text(&n, 0),
			    "about 40 exits unaccounted: 500 tasks were born, 450 seen, 10 events lost");
}

static void test_all_accounted(void **state)
{
	struct notes n = { 0 };
	struct swt_noter noter = notes_to(&n);
	struct swt_balance b = span(1000, swt_some(120), 490, 10);
	struct swt_opt r;

	(void)state;
	r = swt_balance_end(&b, 1, swt_some(1500), swt_some(120), 64, &noter);
	assert_true(r.known);
	assert_int_equal(r.v, 0);
	b = span(1000, swt_some(120), 503, 0); /* the counter is read a moment earlier than the ring */
	r = swt_balance_end(&b, 1, swt_some(1500), swt_some(120), 64, &noter);
	assert_int_equal(r.v, 0);
	b = span(4294967290ull, swt_some(5), 10, 0); /* a 32-bit counter wraps */
	r = swt_balance_end(&b, 1, swt_some(10), swt_some(5), 32, &noter);
	assert_int_equal(r.v, 6);
	assert_int_equal(n.n, 1);
}

static void test_says_nothing_when_it_cannot(void **state)
{
	struct notes n = { 0 };
	struct swt_noter noter = notes_to(&n);
	struct swt_balance b;

	(void)state;
	b = span(1000, swt_some(120), 450, 10); /* 121 living: one more birth than exits */
	assert_false(swt_balance_end(&b, 1, swt_some(1500), swt_some(121), 64, &noter).known);
	b = span(1000, SWT_UNKNOWN, 450, 10);
	assert_false(swt_balance_end(&b, 1, swt_some(1500), swt_some(120), 64, &noter).known);
	b = span(1000, swt_some(120), 450, 10);
	assert_false(swt_balance_end(&b, 1, SWT_UNKNOWN, swt_some(120), 64, &noter).known);
	b = span(1000, swt_some(120), 450, 10);
	assert_false(swt_balance_end(&b, 1, swt_some(999), swt_some(120), 64, &noter).known); /* went back */
	b = span(1000, swt_some(120), 450, 0);
	swt_balance_lost(&b, 0, false); /* lost, nobody knows how many */
	assert_false(swt_balance_end(&b, 1, swt_some(1500), swt_some(120), 64, &noter).known);
	b = (struct swt_balance){ 0 }; /* never begun */
	assert_false(swt_balance_end(&b, 1, swt_some(1500), swt_some(0), 64, &noter).known);
	assert_int_equal(n.n, 0);
}

static void born(struct swt_balance *b, unsigned int n, uint64_t ts)
{
	while (n--)
		swt_balance_born(b, ts);
}

/* Spans in a row; events are delivered after the sample they happened before, as live rings do it. */
static void test_in_a_row(void **state)
{
	struct notes n = { 0 };
	struct swt_noter noter = notes_to(&n);
	struct swt_balance b = { 0 };
	struct swt_opt tasks = swt_some(120);

	(void)state;
	born(&b, 77, 5); /* before the first sample: no span's */
	assert_false(swt_balance_sample(&b, 10, swt_some(1000), tasks, 64, &noter).known);
	born(&b, 3, 9); /* late, also of no span */
	born(&b, 400, 15);
	assert_false(
		swt_balance_sample(&b, 20, swt_some(1500), tasks, 64, &noter).known); /* too early to say */
	born(&b, 100, 19); /* late, of the first span */
	born(&b, 450, 25);
	swt_balance_lost(&b, 10, true);
	assert_int_equal(n.n, 0);
	assert_true(swt_balance_sample(&b, 30, swt_some(2000), tasks, 64, &noter).known);
	assert_int_equal(n.n, 0); /* all 500 of the first span were seen */
	assert_false(swt_balance_sample(&b, 30, swt_some(9000), tasks, 64, &noter)
			     .known); /* the same moment again */
	born(&b, 0, 31);
	assert_int_equal(swt_balance_finish(&b, 64, &noter).v, 40);
	assert_int_equal(n.n, 1);
	assert_int_equal(n.line[0].ts, 30);
	assert_false(swt_balance_finish(&b, 64, &noter).known);
	assert_int_equal(n.n, 1);
}

static void check_swap(const struct swt_balance_swap *s, const char *want)
{
	struct swt_buf b = SWT_BUF_INIT;

	assert_int_equal(swt_balance_swap_text(s, &b), 0);
	assert_string_equal(swt_buf_str(&b), want);
	swt_buf_free(&b);
}

static void test_swap(void **state)
{
	struct swt_balance_swap s = {
		.free_before = swt_some(1000 * MIB),
		.free_after = swt_some(1080 * MIB),
		.out = swt_some(20 * MIB),
		.freed = swt_some(64 * MIB),
	};

	(void)state;
	assert_int_equal(swt_balance_swap_total(&s).v, 100 * MIB);
	check_swap(&s, "64.0 M of swap freed by exits, 100 M given back in all");
	s.uncounted = 3;
	check_swap(&s, "at least 64.0 M of swap freed by exits (3 without a count), 100 M given back in all");
	s.freed = SWT_UNKNOWN;
	check_swap(&s, "swap freed by exits not known (3 without a count), 100 M given back in all");
	s.freed = swt_some(200 * MIB);
	s.uncounted = 0;
	check_swap(&s, "200 M of swap freed by exits, 100 M given back in all; the two do not agree");
	s.out = SWT_UNKNOWN;
	check_swap(&s, "200 M of swap freed by exits");
	s.out = swt_some(0);
	s.free_after = swt_some(10 * MIB); /* an area went away meanwhile */
	assert_false(swt_balance_swap_total(&s).known);
	s.free_after = swt_some(UINT64_MAX);
	s.out = swt_some(5);
	assert_false(swt_balance_swap_total(&s).known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unaccounted),
		cmocka_unit_test(test_all_accounted),
		cmocka_unit_test(test_says_nothing_when_it_cannot),
		cmocka_unit_test(test_in_a_row),
		cmocka_unit_test(test_swap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
