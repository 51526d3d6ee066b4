/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The page of swaptop report: totals exact, unknown told, names clean, memory bounded.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/text.h"
#include "out/summary.h"
#include "outgen.h"

static struct swt_wall wall;
static struct swt_summary *s;
static struct swt_buf page;
static struct swt_source_info info;

static int setup(void **state)
{
	(void)state;
	outgen_source(&info, SWT_SOURCE_PATCHED);
	return swt_summary_new(&s);
}

static int teardown(void **state)
{
	(void)state;
	swt_summary_free(s);
	swt_buf_free(&page);
	return 0;
}

static void add(const struct swt_release *r)
{
	assert_int_equal(swt_summary_release(s, r, SWT_STEP_DONE), 0);
}

static const char *print(bool complete, uint64_t lost, bool ascii)
{
	struct swt_summary_src src = {
		.name = "a.dat",
		.kernel = "6.12.117",
		.info = &info,
		.page_size = 4096,
		.events = swt_some(212),
		.lost = swt_some(lost),
		.complete = complete,
	};

	swt_buf_reset(&page);
	assert_int_equal(swt_summary_text(s, &src, &wall, true, ascii, &page), 0);
	return swt_buf_str(&page);
}

static void has(const char *what)
{
	if (!strstr(swt_buf_str(&page), what))
		fail_msg("not in the page: %s\n%s", what, swt_buf_str(&page));
}

/* A line with these words, whatever the blanks between them. */
static void has_row(const char *words)
{
	char line[512], want[256], *save, *w;
	const char *p = swt_buf_str(&page), *at;
	size_t n;

	for (; *p; p += n + (p[n] == '\n')) {
		n = strcspn(p, "\n");
		snprintf(line, sizeof(line), "%.*s", (int)(n < 500 ? n : 500), p);
		snprintf(want, sizeof(want), "%s", words);
		at = line;
		for (w = strtok_r(want, "|", &save); w && at; w = strtok_r(NULL, "|", &save)) {
			at = strstr(at, w);
			at = at ? at + strlen(w) : NULL;
		}
		if (at && !w)
			return;
	}
	fail_msg("no row %s in\n%s", words, swt_buf_str(&page));
}

/* F42: 2,104 processes of one group, 2,560 entries each, and as many names. */
static void test_mass_kill(void **state)
{
	struct swt_release r;
	unsigned int i;

	(void)state;
	for (i = 0; i < 2104; i++) {
		outgen_exit(&r);
		r.pid = (int)(1000 + i);
		r.comm_len = (uint8_t)snprintf(r.comm, sizeof(r.comm), "worker-%u", i);
		r.cgroup = "/user.slice/session-2";
		r.freed = r.swap_entries = r.sync = swt_some(2560);
		r.deferred = swt_some(0);
		r.concurrency = 1 + i % 20;
		add(&r);
	}
	print(true, 0, false);
	assert_int_equal(swt_summary_exits(s), 2104);
	has("releases   2,104: 2,104 exit\n");
	has("entries    5,386,240 freed (20.5 G); swapped out while dying 0\n");
	has_row("/user.slice/session-2|2,104|5,386,240|66.0 ms");
	has_row("KILL|2,104|5,386,240");
	has_row("zram|2,104|5,386,240");
	/* Ten names and what is left: 2,104 - 10, of which 56 were past the limit. */
	has_row("worker-0|1|2,560");
	has_row("or more others|2,094|5,360,640");
	has_row("17+|420");
	has_row("9-16|840");
	has_row("all|2,104|66.0 ms");
}

static void test_shares(void **state)
{
	struct swt_release r;

	(void)state;
	outgen_exit(&r);
	r.concurrency = 1;
	r.swapped_dying = swt_some(1000);
	r.fallback = swt_some(100);
	add(&r);
	r.kind = SWT_REL_EXEC;
	r.concurrency = 4;
	r.teardown = swt_some(9000000);
	add(&r);
	outgen_blank(&r);
	add(&r);
	print(true, 0, false);
	has("releases   3: 2 exit, 1 exec\n");
	has("entries    15,984 freed (62.4 M) and an unknown number by 1 release; swapped out while dying 2,000\n");
	has("fate       240 sync (of these 200 fallback), 0 late, 15,744 deferred\n");
	has("time       2026-11-30 12:04:30 UTC to 2026-11-30 12:04:30 UTC, 66.0 ms\n");
	has("data       complete, 212 events, 0 lost, 1 touched by loss\n");
	has_row("3-4|1|9.00 ms");
	has_row("KILL|1|7,992");
	has_row("exec|1|7,992");
}

/* Nothing known is "-", never 0. */
static void test_unknown(void **state)
{
	struct swt_release r;

	(void)state;
	outgen_blank(&r);
	r.cgroup = "/g";
	add(&r);
	print(false, 57, false);
	has("entries    - freed (-) and an unknown number by 1 release; swapped out while dying -\n");
	has("not complete, 212 events, 57 lost");
	has_row("/g|1|-|-");
}

static void test_held(void **state)
{
	struct swt_release r;

	(void)state;
	outgen_exit(&r);
	r.held = true;
	r.freed = swt_some(0);
	r.final = false;
	add(&r);
	print(true, 0, false);
	has("of 1 the memory is still held by others");
	/* Reaped by its parent: still held.  Then dropped by somebody. */
	assert_int_equal(swt_summary_release(s, &r, SWT_STEP_UPDATE), 0);
	print(true, 0, false);
	has("of 1 the memory is still held by others");
	r.final = true;
	r.lag = swt_some(1100000000);
	assert_int_equal(swt_summary_release(s, &r, SWT_STEP_UPDATE), 0);
	print(true, 0, false);
	assert_null(strstr(swt_buf_str(&page), "still held"));
	has("last entry freed after the process had gone: p50 1.10 s, p95 1.10 s, max 1.10 s\n");
	assert_int_equal(swt_summary_exits(s), 1);
}

static void test_clean(void **state)
{
	static struct swt_snapshot snap;
	struct swt_release r;
	const char *p;
	int ascii;

	(void)state;
	outgen_odd(&r);
	add(&r);
	outgen_snapshot_odd(&snap);
	swt_summary_report(s, &snap);
	for (ascii = 0; ascii < 2; ascii++) {
		print(true, 0, ascii);
		p = swt_buf_str(&page);
		assert_true(swt_text_valid(p, page.len));
		for (; *p; p++) {
			assert_true(*p == '\n' || ((unsigned char)*p >= 0x20 && *p != 0x7f));
			assert_true(!ascii || (unsigned char)*p < 0x80);
		}
	}
}

static void test_intervals(void **state)
{
	static struct swt_snapshot snap;

	(void)state;
	outgen_snapshot(&snap);
	swt_summary_report(s, &snap);
	swt_summary_report(s, &snap);
	print(true, 0, false);
	has("khugepaged: 4 passes, 14 huge pages made\n");
	has_row("exceed_swap_pte|410");
	has("traffic    22 pages swapped out, 20 swapped in\n");
	/* A reset counter adds nothing (F85). */
	outgen_snapshot_odd(&snap);
	swt_summary_report(s, &snap);
	print(true, 0, false);
	has("traffic    22 pages swapped out, 20 swapped in\n");
}

#define ONE(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ONE(test_mass_kill), ONE(test_shares), ONE(test_unknown),
		ONE(test_held),	     ONE(test_clean),  ONE(test_intervals),
	};

	swt_wall_add(&wall, OUTGEN_MONO, OUTGEN_REAL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
