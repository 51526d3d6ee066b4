/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The column table: names, lists, cells, order.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/column.h"

static void table(void **state)
{
	(void)state;
	for (size_t i = 0; i < swt_ncolumns; i++) {
		const struct swt_column *c = &swt_columns[i];

		assert_int_equal(swt_column_find(c->name), i); /* so no name is there twice */
		assert_true(strlen(c->help) > 5 && strlen(c->title) > 0 && c->width > 0);
		assert_non_null(c->get);
		assert_null(strpbrk(c->name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ ,+"));
		/* Right-aligned are the numbers, and times in ns say so. */
		if (c->json && strstr(c->json, "_ns"))
			assert_true(!strcmp(c->unit, "ns") || !strcmp(c->name, "ns_per_entry"));
	}
	assert_int_equal(swt_column_find("nope"), -1);
	assert_int_equal(swt_column_find(""), -1);
}

static void lists(void **state)
{
	struct swt_buf bad = SWT_BUF_INIT;
	int c[64], d[64];
	size_t n;

	(void)state;
	assert_int_equal(swt_column_parse("pid,name,lag", c, 64, &bad), 3);
	assert_int_equal(c[0], swt_column_find("pid"));
	assert_int_equal(c[2], swt_column_find("lag"));
	n = swt_column_default(d, 64);
	assert_true(n > 3);
	assert_int_equal(swt_column_parse("+cgroup,+backend", c, 64, &bad), n + 2);
	assert_memory_equal(c, d, n * sizeof(d[0]));
	assert_int_equal(c[n], swt_column_find("cgroup"));
	/* Twice is once. */
	assert_int_equal(swt_column_parse("pid,pid", c, 64, &bad), 1);
	assert_int_equal(swt_column_parse("+pid", c, 64, &bad), n);
	assert_int_equal(swt_column_parse("pid,nope,lag", c, 64, &bad), -EINVAL);
	assert_string_equal(swt_buf_str(&bad), "nope");
	assert_int_equal(swt_column_parse("pid,,lag", c, 64, &bad), -EINVAL);
	assert_int_equal(swt_column_parse("", c, 64, NULL), -EINVAL);
	assert_int_equal(swt_column_parse("pid,name,lag", c, 2, NULL), -EINVAL);
	assert_int_equal(swt_column_default(d, 2), 2);
	swt_buf_free(&bad);
}

static struct swt_cell cell(const char *name, const struct swt_release *r)
{
	return swt_columns[swt_column_find(name)].get(r);
}

static void assert_text(struct swt_cell c, const char *want)
{
	assert_int_equal(c.kind, SWT_CELL_TEXT);
	assert_int_equal(c.len, strlen(want));
	assert_memory_equal(c.s, want, c.len);
}

static void cells(void **state)
{
	struct swt_release r = { .pid = 7, .comm = "a\0b", .comm_len = 3, .teardown = { 5, true } };

	(void)state;
	assert_int_equal(cell("pid", &r).v, 7);
	assert_int_equal(cell("name", &r).len, 3); /* any bytes */
	assert_int_equal(cell("teardown", &r).kind, SWT_CELL_NS);
	assert_int_equal(cell("freed", &r).kind, SWT_CELL_NONE);
	assert_int_equal(cell("sender", &r).kind, SWT_CELL_NONE);
	assert_int_equal(cell("cgroup", &r).kind, SWT_CELL_NONE);
	assert_int_equal(cell("fate", &r).kind, SWT_CELL_NONE);

	assert_int_equal(cell("cause", &r).kind, SWT_CELL_NONE); /* not watched: not "exit" */
	assert_int_equal(cell("signal", &r).kind, SWT_CELL_NONE);
	r.cause_known = true;
	assert_text(cell("cause", &r), "exit");
	assert_int_equal(cell("signal", &r).v, 0);
	r.signal = 15;
	assert_text(cell("cause", &r), "TERM");
	r.signal = 34;
	assert_text(cell("cause", &r), "signal");
	r.oom = true;
	assert_text(cell("cause", &r), "OOM");
	r.kind = SWT_REL_EXEC;
	assert_text(cell("cause", &r), "exec");

	r.deferred = (struct swt_opt){ 5, true };
	assert_text(cell("fate", &r), "async");
	r.sync = (struct swt_opt){ 1, true };
	assert_text(cell("fate", &r), "mixed");
	r.deferred.v = 0;
	assert_text(cell("fate", &r), "sync");
	r.held = true;
	assert_text(cell("fate", &r), "held");
}

static void order(void **state)
{
	struct swt_release a = { .freed = { 5, true }, .comm = "ab", .comm_len = 2 };
	struct swt_release b = { .freed = { 7, true }, .comm = "abc", .comm_len = 3 };
	struct swt_release u = { .comm = "" };
	int freed = swt_column_find("freed"), name = swt_column_find("name");

	(void)state;
	assert_true(swt_column_cmp(freed, &a, &b) < 0);
	assert_true(swt_column_cmp(freed, &b, &a) > 0);
	assert_int_equal(swt_column_cmp(freed, &a, &a), 0);
	/* Largest first puts the unknown last, and a known 0 is more than unknown. */
	a.freed.v = 0;
	assert_true(swt_column_cmp(freed, &a, &u) > 0);
	assert_true(swt_column_cmp(freed, &u, &a) < 0);
	assert_int_equal(swt_column_cmp(freed, &u, &u), 0);
	assert_true(swt_column_cmp(name, &a, &b) < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table),
		cmocka_unit_test(lists),
		cmocka_unit_test(cells),
		cmocka_unit_test(order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
