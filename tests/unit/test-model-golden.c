/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Real traces of Linux 6.18 (tests/fixtures/model), of a program that counted its own swap entries and times
 * right before its end.  What it counted is what is expected here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ftext.h"
#include "modelrun.h"

#define MS 1000000ull

static void replay(struct run *run, const char *name, int level)
{
	struct ftext *t = test_malloc(sizeof(*t));
	const char *src = getenv("SWT_SRCDIR");
	char path[512], line[1024];
	uint64_t last = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s%stests/fixtures/model/%s.txt", src ? src : "", src ? "/" : "", name);
	f = fopen(path, "re");
	assert_non_null(f);
	run_init(run, true, level);
	run_lines(run, "");
	while (fgets(line, sizeof(line), f)) {
		int rc;

		line[strcspn(line, "\n")] = '\0';
		rc = ftext_parse(line, t);
		assert_in_range(rc, 0, 1);
		if (rc || (level < 3 && t->ev.id == SWT_EV_RSS_STAT))
			continue;
		if (t->ev.ts > last + 1000 * MS) {
			last = t->ev.ts;
			swt_model_tick(run->m, last);
		}
		assert_int_equal(swt_model_event(run->m, &t->ev), 0);
	}
	fclose(f);
	test_free(t);
}

/* Entries exact, nothing left over, marks of this kernel, and the time within what the program saw from outside. */
static void check_exit(const struct swt_release *r, uint64_t entries, uint64_t kill_to_wait)
{
	assert_non_null(r);
	assert_string_equal(r->comm, "workload");
	assert_opt(r->swap_entries, entries);
	assert_opt(r->freed, entries);
	assert_opt(r->swapped_dying, 0);
	assert_int_equal(r->by_entries, SWT_BY_RSS_STAT);
	assert_int_equal(r->by_end, SWT_BY_EXIT_MMAP);
	assert_true(r->teardown.known && r->teardown.v > 0 && r->teardown.v < kill_to_wait);
	assert_true(r->swap_ns.known && r->swap_ns.v <= r->teardown.v);
	/* Nothing but swap entries was there to free. */
	assert_true(r->swap_ns.v > r->teardown.v * 8 / 10);
	assert_opt(r->ns_per_entry, r->swap_ns.v / entries);
	assert_true(r->complete);
	assert_false(r->held);
}

static void four_at_once(void **state)
{
	struct run run;

	(void)state;
	replay(&run, "four", 4);
	for (int pid = 13665; pid <= 13668; pid++) {
		const struct swt_release *r = run_done(&run, pid, 0);

		check_exit(r, 16384, 400 * MS);
		assert_int_equal(r->concurrency, 4);
		assert_int_equal(r->signal, 9);
		assert_int_equal(r->sender, 13664);
		assert_int_equal(r->ppid, 13664);
		assert_true(run_last(&run, r->id)->r.final);
		assert_true(run_last(&run, r->id)->r.reap_ns.known);
	}
	assert_int_equal(run_count(&run), 5); /* and the runner */
	assert_opt(run_done(&run, 13664, 0)->freed, 0);
	assert_int_equal(run_done(&run, 13664, 0)->signal, 0);
	assert_true(run_done(&run, 13664, 0)->cause_known);
	run_free(&run);

	/* Without rss_stat the times stay, the counts are unknown. */
	replay(&run, "four", 2);
	for (int pid = 13665; pid <= 13668; pid++) {
		assert_true(run_done(&run, pid, 0)->teardown.known);
		assert_unknown(run_done(&run, pid, 0)->freed);
		assert_unknown(run_done(&run, pid, 0)->ns_per_entry);
	}
	run_free(&run);
}

static void exec_row(void **state)
{
	struct run run;
	const struct swt_release *r;

	(void)state;
	replay(&run, "exec", 4);
	r = run_done(&run, 13440, 0);
	check_exit(r, 8192, 315 * MS);
	assert_int_equal(r->kind, SWT_REL_EXEC);
	r = run_done(&run, 13440, 1);
	assert_non_null(r);
	assert_int_equal(r->kind, SWT_REL_EXIT);
	assert_string_equal(r->comm, "sleep");
	assert_opt(r->freed, 0);
	assert_int_equal(run_count(&run), 3);
	run_free(&run);
}

static void held_row(void **state)
{
	struct run run;
	const struct swt_release *r;

	(void)state;
	replay(&run, "clone-vm", 4);
	r = run_done(&run, 13477, 0);
	assert_non_null(r);
	assert_true(r->held);
	assert_opt(r->swap_entries, 8192);
	assert_opt(r->freed, 0);
	assert_unknown(r->teardown);
	check_exit(run_done(&run, 13478, 0), 8192, 100 * MS);
	r = &run_last(&run, r->id)->r;
	assert_true(r->final);
	assert_int_equal(r->released_by, 13478);
	/* The child lived one second longer. */
	assert_in_range(swt_opt_or(r->lag, 0), 1000 * MS, 1100 * MS);
	assert_int_equal(run_count(&run), 3);
	/* Reported, reaped, released: nothing is said twice. */
	assert_int_equal(run.n, 3 + 2 + 2);
	run_free(&run);
}

static void leader_row(void **state)
{
	struct run run;
	const struct swt_release *r;

	(void)state;
	replay(&run, "leader-first", 4);
	r = run_done(&run, 13562, 0);
	check_exit(r, 8192, 100 * MS);
	assert_int_not_equal(r->tid, 13562);
	assert_opt(r->threads, 4);
	assert_non_null(strstr(run.notes, "leader exited, 3 threads alive"));
	assert_int_equal(run_count(&run), 2);
	run_free(&run);
}

static void threads_row(void **state)
{
	struct run run;
	const struct swt_release *r;

	(void)state;
	replay(&run, "threads", 4);
	r = run_done(&run, 13630, 0);
	check_exit(r, 8192, 8 * MS);
	assert_opt(r->threads, 8);
	assert_int_equal(r->signal, 9);
	assert_int_equal(run_count(&run), 2);
	run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(four_at_once), cmocka_unit_test(exec_row),    cmocka_unit_test(held_row),
		cmocka_unit_test(leader_row),	cmocka_unit_test(threads_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
