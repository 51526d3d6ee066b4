/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plain rows: in line, clean, and with the right remarks.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/text.h"
#include "out/text.h"
#include "outgen.h"

static struct swt_wall wall;
static char out[1 << 16];
static int fd = -1;
static struct swt_text t;

static void begin(const char *columns)
{
	int list[SWT_TEXT_MAX_COLUMNS], n;

	n = swt_column_parse(columns, list, SWT_TEXT_MAX_COLUMNS, NULL);
	assert_true(n > 0);
	fd = memfd_create("rows", MFD_CLOEXEC);
	swt_text_init(&t, fd, &wall, list, (size_t)n);
	t.utc = true;
}

/* All that was written. */
static const char *end(void)
{
	ssize_t n = pread(fd, out, sizeof(out) - 1, 0);

	assert_true(n >= 0);
	out[n] = '\0';
	swt_text_fini(&t);
	close(fd);
	return out;
}

#define DEFAULT "pid,name,cause,swap,teardown,ns_per_entry,at_once,fate,lag"

static void test_default_rows(void **state)
{
	struct swt_release r;

	(void)state;
	begin(DEFAULT);
	outgen_exit(&r);
	r.lag = swt_some(240955000);
	assert_int_equal(swt_text_row(&t, 0, &r), 0);
	r.complete = false;
	r.lost = 12;
	r.pid = 3702;
	strcpy(r.comm, "java");
	r.comm_len = 4;
	r.oom = true;
	r.swap_entries = swt_some(550502);
	r.teardown = swt_some(1840000000);
	r.ns_per_entry = SWT_UNKNOWN;
	r.sync = SWT_UNKNOWN;
	assert_int_equal(swt_text_row(&t, 0, &r), 0);
	assert_string_equal(
		end(),
		"TIME          PID  NAME             CAUSE    SWAP_ENTRIES  TEARDOWN_MS  NS_PER_ENTRY  AT_ONCE  FATE      LAG_MS  NOTE\n"
		"12:04:30     4198  com.maps         KILL             7992         66.0          1040       15  mixed      241.0\n"
		"12:04:30     3702  java             OOM            550502       1840.0             -       15  async      241.0  lost 12 events\n");
}

static unsigned int count(const char *s, const char *what)
{
	unsigned int n = 0;

	for (; (s = strstr(s, what)); s += strlen(what))
		n++;
	return n;
}

static void test_heading_again(void **state)
{
	struct swt_release r;
	int i;

	(void)state;
	outgen_exit(&r);
	begin(DEFAULT);
	t.again = 3;
	for (i = 0; i < 7; i++)
		assert_int_equal(swt_text_row(&t, 0, &r), 0);
	assert_int_equal(count(end(), "TIME "), 3); /* before rows 1, 4 and 7 */
	assert_int_equal(count(out, "com.maps"), 7);
	begin(DEFAULT);
	for (i = 0; i < 100; i++)
		assert_int_equal(swt_text_row(&t, 0, &r), 0);
	assert_int_equal(count(end(), "TIME "), 1);
}

/* F70: nothing from outside reaches a terminal or a log as a control byte. */
static void test_clean(void **state)
{
	static const char name[] = "x \x1b[31mred \x07\x9b";
	const char *p;
	struct swt_release r;
	int ascii;

	(void)state;
	for (ascii = 0; ascii < 2; ascii++) {
		outgen_exit(&r);
		memcpy(r.comm, name, sizeof(name));
		r.comm_len = sizeof(name) - 1;
		r.cgroup = "/a\x1b]0;pwned\x07\xc2\x9b/\n/b";
		begin("pid,name,cgroup,kind");
		t.ascii = ascii;
		assert_int_equal(swt_text_row(&t, 0, &r), 0);
		assert_int_equal(swt_text_message(&t, OUTGEN_MONO, "victim 'x\x1b[2J\n'\x9b chosen"), 0);
		end();
		assert_int_equal(count(out, "\n"), 3);
		for (p = out; *p; p++) {
			assert_true(*p == '\n' || ((unsigned char)*p >= 0x20 && *p != 0x7f));
			assert_true(!ascii || (unsigned char)*p < 0x80);
		}
		assert_null(strstr(out, "\xc2\x9b"));
		assert_true(swt_text_valid(out, strlen(out)));
		assert_non_null(strstr(out, "12:04:30  # victim 'x"));
	}
}

/* F72: a name cut within a letter shows seven letters and one replacement, and the columns behind stay in line. */
static void test_half_letter(void **state)
{
	struct swt_release r;

	(void)state;
	outgen_exit(&r);
	begin("name,pid");
	assert_int_equal(swt_text_row(&t, 0, &r), 0);
	memcpy(r.comm, "\xd0\x99\xd0\xa6\xd0\xa3\xd0\x9a\xd0\x95\xd0\x9d\xd0\x93\xd0", 16);
	r.comm_len = 15;
	assert_int_equal(swt_text_row(&t, 0, &r), 0);
	end();
	assert_non_null(strstr(
		out,
		"\xd0\x99\xd0\xa6\xd0\xa3\xd0\x9a\xd0\x95\xd0\x9d\xd0\x93\xef\xbf\xbd            4198\n"));
	assert_non_null(strstr(out, "com.maps            4198\n"));
}

/* The column where @what ends, in terminal columns. */
static size_t column_of(const char *line, const char *what)
{
	const char *p = strstr(line, what);

	assert_non_null(p);
	return swt_text_width(line, (size_t)(p - line) + strlen(what));
}

/* Long cells: a text is cut, a number is not, and what follows is in line again as soon as there is room. */
static void test_long_cells(void **state)
{
	struct swt_release r;
	char *second;

	(void)state;
	outgen_exit(&r);
	r.held = true;
	begin("name,pid,swap,teardown,kind");
	assert_int_equal(swt_text_row(&t, 0, &r), 0);
	memset(r.comm, 'n', sizeof(r.comm));
	r.comm_len = 63;
	r.swap_entries = swt_some(UINT64_MAX);
	assert_int_equal(swt_text_row(&t, 0, &r), 0);
	end();
	second = strstr(strchr(out, '\n') + 1, "\n") + 1;
	assert_non_null(strstr(second, "  nnnnnnnnnnnnnnn  ")); /* 15 columns */
	assert_null(strstr(second, "nnnnnnnnnnnnnnnn"));
	assert_non_null(strstr(second, " 18446744073709551615 ")); /* 8 columns too wide */
	assert_int_equal(column_of(strchr(out, '\n') + 1, "66.0"),
			 column_of(second, "66.0") - 1); /* 7 of padding */
	assert_int_equal(column_of(strchr(out, '\n') + 1, "exit"),
			 column_of(second, "exit") - 1); /* 1 more */
	assert_int_equal(column_of(strchr(out, '\n') + 1, "held by"), column_of(second, "held by"));
}

static const char *note_of(const struct swt_release *r)
{
	static struct swt_buf b;

	swt_buf_reset(&b);
	assert_int_equal(swt_text_note(r, &b), 0);
	return swt_buf_str(&b);
}

static void test_notes(void **state)
{
	struct swt_release r;

	(void)state;
	outgen_exit(&r);
	assert_string_equal(note_of(&r), "");
	r.swapped_dying = swt_some(1000);
	assert_string_equal(note_of(&r), "swapped out while dying 1000 entries");
	r.complete = false;
	r.lost = 1;
	assert_string_equal(note_of(&r), "lost 1 event; swapped out while dying 1000 entries");
	r.lost = 0;
	r.swapped_dying = SWT_UNKNOWN;
	assert_string_equal(note_of(&r), "events lost, number unknown");

	outgen_exit(&r);
	r.held = true;
	assert_string_equal(note_of(&r), "held by others");
	r.held = false;
	r.released_by = 4711;
	assert_string_equal(note_of(&r), "released by pid 4711");

	outgen_exit(&r);
	r.freed = SWT_UNKNOWN;
	r.by_entries = SWT_BY_VMSWAP;
	assert_string_equal(note_of(&r), "was not watched");

	/* F20 without its events: not 0 ms. */
	outgen_exit(&r);
	r.teardown = SWT_UNKNOWN;
	r.by_end = SWT_BY_NONE;
	assert_string_equal(note_of(&r), "release not observed");
	r.by_end = SWT_BY_EXIT_MMAP;
	r.by_start = SWT_BY_NONE;
	assert_string_equal(note_of(&r), "start not seen");
}

static void test_time(void **state)
{
	struct swt_buf b = SWT_BUF_INIT;

	(void)state;
	assert_int_equal(swt_text_time(&wall, true, OUTGEN_MONO + 61999999999ull, &b), 0);
	assert_string_equal(swt_buf_str(&b), "12:05:31");
	swt_buf_reset(&b);
	assert_int_equal(swt_text_time(NULL, true, OUTGEN_MONO, &b), 0);
	assert_string_equal(swt_buf_str(&b), "-");
	swt_buf_reset(&b);
	setenv("TZ", "XYZ-05:30", 1);
	tzset();
	assert_int_equal(swt_text_time(&wall, false, OUTGEN_MONO, &b), 0);
	assert_string_equal(swt_buf_str(&b), "17:34:30");
	swt_buf_free(&b);
}

static void test_every_column(void **state)
{
	struct swt_release r;
	int list[SWT_TEXT_MAX_COLUMNS];
	size_t i;

	(void)state;
	assert_true(swt_ncolumns <= SWT_TEXT_MAX_COLUMNS);
	for (i = 0; i < swt_ncolumns; i++)
		list[i] = (int)i;
	fd = memfd_create("rows", MFD_CLOEXEC);
	swt_text_init(&t, fd, NULL, list, swt_ncolumns);
	outgen_exit(&r);
	assert_int_equal(swt_text_row(&t, 0, &r), 0);
	outgen_blank(&r);
	assert_int_equal(swt_text_row(&t, 0, &r), 0);
	outgen_odd(&r);
	assert_int_equal(swt_text_row(&t, 0, &r), 0);
	end();
	assert_int_equal(count(out, "\n"), 4);
	/* A heading is one word, so there are as many as columns, TIME and NOTE. */
	*strchr(out, '\n') = '\0';
	for (i = 0; strtok(i ? NULL : out, " "); i++)
		;
	assert_int_equal(i, swt_ncolumns + 2);
}

static void test_error_stays(void **state)
{
	struct swt_release r;

	(void)state;
	begin(DEFAULT);
	outgen_exit(&r);
	t.fd = -1;
	assert_int_equal(swt_text_row(&t, 0, &r), -EBADF);
	t.fd = fd;
	assert_int_equal(swt_text_row(&t, 0, &r), -EBADF);
	assert_string_equal(end(), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_default_rows), cmocka_unit_test(test_heading_again),
		cmocka_unit_test(test_clean),	     cmocka_unit_test(test_half_letter),
		cmocka_unit_test(test_long_cells),   cmocka_unit_test(test_notes),
		cmocka_unit_test(test_time),	     cmocka_unit_test(test_every_column),
		cmocka_unit_test(test_error_stays),
	};

	swt_wall_add(&wall, OUTGEN_MONO, OUTGEN_REAL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
