/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Format files: what is taken from them, and that no text can do harm.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pagegen.h"
#include "prng.h"
#include "trace/decode.h"
#include "trace/formats.h"

static void assert_pos(struct swt_field_pos p, unsigned int offset, unsigned int size, int kind)
{
	assert_int_equal(p.offset, offset);
	assert_int_equal(p.size, size);
	assert_int_equal(p.kind, kind);
}

static void test_kernels(void **state)
{
	static const char *const dirs[] = { "tracepoints/formats/6.1", "tracepoints/formats/6.12",
					    "tracepoints/formats/6.18" };

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct swt_formats *f = pagegen_formats(dirs[i], false, 8);

		for (int id = 0; id < SWT_EV_COUNT; id++)
			assert_int_equal(swt_formats_have(f, id), swt_catalog(id)->source != SWT_EVS_PATCH);
		assert_string_equal(swt_formats_warnings(f), "");
		assert_pos(swt_formats_field(f, SWT_EV_RSS_STAT, SWT_F_RSS_STAT_SIZE), 24, 8, SWT_POS_INT);
		/* The switch for the two meanings of sched_process_exit. */
		assert_int_equal(swt_formats_field(f, SWT_EV_SCHED_EXIT, SWT_F_SCHED_EXIT_GROUP_DEAD).size,
				 i == 2 ? 1 : 0);
		/* exit_mmap of 6.1 has a line break inside its print format. */
		assert_pos(swt_formats_field(f, SWT_EV_EXIT_MMAP, SWT_F_EXIT_MMAP_MM), 8, 8, SWT_POS_INT);
		assert_pos(swt_formats_field(f, SWT_EV_SCHED_FORK, SWT_F_SCHED_FORK_CHILD_COMM),
			   i == 2 ? 16 : 28, i == 2 ? 4 : 16, i == 2 ? SWT_POS_DATA_LOC : SWT_POS_ARRAY);
		assert_int_equal(swt_formats_field(f, SWT_EV_RAW_DATA, SWT_F_RAW_DATA_BUF).kind,
				 SWT_POS_REST);
		swt_formats_free(f);
	}
}

static void test_patched(void **state)
{
	struct swt_formats *f =
		pagegen_formats("tracepoints/formats/6.12:tracepoints/formats/6.12-swaptop", false, 8);

	(void)state;
	for (int id = 0; id < SWT_EV_COUNT; id++) {
		assert_true(swt_formats_have(f, id));
		for (unsigned int i = 0; i < swt_catalog(id)->nfields; i++)
			if (swt_catalog(id)->source == SWT_EVS_PATCH)
				assert_int_not_equal(swt_formats_field(f, id, i).size, 0);
	}
	assert_string_equal(swt_formats_symbol(f, SWT_EV_SWAP_EXIT_END, SWT_F_SWAP_EXIT_END_MODE, 2),
			    "async");
	assert_string_equal(swt_formats_symbol(f, SWT_EV_SWAP_EXIT_END, SWT_F_SWAP_EXIT_END_CTX, 3),
			    "oom_reaper");
	assert_string_equal(swt_formats_symbol(f, SWT_EV_KHUGE_SKIP, SWT_F_KHUGE_SKIP_REASON, 0), "disabled");
	assert_null(swt_formats_symbol(f, SWT_EV_SWAP_EXIT_END, SWT_F_SWAP_EXIT_END_MODE, 3));
	assert_null(swt_formats_symbol(f, SWT_EV_SWAP_EXIT_END, SWT_F_SWAP_EXIT_END_SYNC, 0));
	swt_formats_free(f);
}

/* The same number has another name on another kernel, and some numbers have none. */
static void test_status_names(void **state)
{
	struct swt_formats *a = pagegen_formats("tracepoints/formats/6.12", false, 8);
	struct swt_formats *b = pagegen_formats("tracepoints/formats/6.18", false, 8);
	const unsigned int field = SWT_F_KHUGE_SCAN_PMD_STATUS;

	(void)state;
	assert_string_equal(swt_formats_symbol(a, SWT_EV_KHUGE_SCAN_PMD, field, 11), "no_writable_page");
	assert_string_equal(swt_formats_symbol(b, SWT_EV_KHUGE_SCAN_PMD, field, 11), "lack_referenced_page");
	assert_string_equal(swt_formats_symbol(b, SWT_EV_KHUGE_SCAN_PMD, field, 3), "pmd_none");
	assert_null(swt_formats_symbol(a, SWT_EV_KHUGE_SCAN_PMD, field, 37));
	assert_null(swt_formats_symbol(b, SWT_EV_KHUGE_SCAN_PMD, field, -1));
	assert_string_equal(swt_formats_symbol(a, SWT_EV_RSS_STAT, SWT_F_RSS_STAT_MEMBER, 2), "MM_SWAPENTS");
	assert_null(swt_formats_symbol(a, SWT_EV_KHUGE_SKIP, SWT_F_KHUGE_SKIP_REASON, 0));
	swt_formats_free(a);
	swt_formats_free(b);
}

#define COMMON                                                                 \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define RSS(fields, print) "name: rss_stat\nID: 7\nformat:\n" COMMON fields "\nprint fmt: " print "\n"
#define MEMBER		   "\tfield:int member;\toffset:8;\tsize:4;\tsigned:1;\n"
#define UMEMBER		   "\tfield:unsigned int member;\toffset:8;\tsize:4;\tsigned:0;\n"

static struct swt_formats *add_text(const char *system, const char *text, int want)
{
	struct swt_formats *f;
	struct swt_err err = { "" };

	assert_int_equal(swt_formats_new(false, 8, &f), 0);
	assert_int_equal(swt_formats_add(f, system, text, strlen(text), &err), want);
	assert_int_equal(err.text[0] != '\0', want != 0);
	return f;
}

static const char *member(const struct swt_formats *f, int64_t value)
{
	const char *s = swt_formats_symbol(f, SWT_EV_RSS_STAT, SWT_F_RSS_STAT_MEMBER, value);

	return s ? s : "(none)";
}

static void test_symbol_forms(void **state)
{
	struct swt_formats *f;

	(void)state;
	f = add_text(
		"kmem",
		RSS(MEMBER,
		    "\"__print_symbolic(REC->member, {5, \\\"no\\\"})\", __print_symbolic((REC->member), "
		    "{0x10, \"hex\"},{ -2 , \"minus\" }, {(3), \"br\"}, {4UL, \"suffix\"}, "
		    "{1 << 3, \"shift\"}, {NAME, \"enum\"}, {6, \"a\\\"b\"}, {6, \"second\"}, "
		    "{99999999999999999999, \"big\"}, {9, \"last\"})"),
		0);
	assert_string_equal(member(f, 5), "(none)"); /* that list is inside a string */
	assert_string_equal(member(f, 16), "hex");
	assert_string_equal(member(f, -2), "minus");
	assert_string_equal(member(f, 3), "br");
	assert_string_equal(member(f, 4), "suffix");
	assert_string_equal(member(f, 8), "(none)");
	assert_string_equal(member(f, 1), "(none)");
	assert_string_equal(member(f, 6), "a\"b");
	assert_string_equal(member(f, 9), "last");
	swt_formats_free(f);

	/* -1 in the table of an unsigned field is what the kernel compares it with: the same bits. */
	f = add_text("kmem", RSS(UMEMBER, "\"%s\", __print_symbolic(REC->member, {-1, \"all\"})"), 0);
	assert_string_equal(member(f, 0xffffffff), "all");
	swt_formats_free(f);

	/* A list of something else than the field itself says nothing about the field. */
	f = add_text("kmem", RSS(MEMBER, "\"%s\", __print_symbolic(REC->member & 3, {1, \"masked\"})"), 0);
	assert_string_equal(member(f, 1), "(none)");
	swt_formats_free(f);
	f = add_text("kmem", RSS(MEMBER, "\"%s\", __print_symbolic(REC->other, {1, \"other\"})"), 0);
	assert_string_equal(member(f, 1), "(none)");
	swt_formats_free(f);
}

static void test_unknown_type(void **state)
{
	struct swt_formats *f = pagegen_formats("tests/fixtures/formats/unknown-type", false, 8);

	(void)state;
	assert_pos(swt_formats_field(f, SWT_EV_SCHED_EXIT, SWT_F_SCHED_EXIT_PID), 24, 4, SWT_POS_INT);
	assert_pos(swt_formats_field(f, SWT_EV_SCHED_EXIT, SWT_F_SCHED_EXIT_GROUP_DEAD), 32, 1, SWT_POS_INT);
	swt_formats_free(f);
}

/* What cannot be understood is left out with one warning; the event and its other fields stay. */
static void test_odd_fields(void **state)
{
	struct swt_formats *f;

	(void)state;
	f = add_text("kmem",
		     RSS("\tfield:foo_t member[3];\toffset:8;\tsize:12;\tsigned:0;\n"
			 "\tfield:foo_t member[3];\toffset:8;\tsize:12;\tsigned:0;\n"
			 "\tfield:unsigned int curr;\toffset:20;\tsize:3;\tsigned:0;\n"
			 "\tfield:long size;\toffset:65534;\tsize:8;\tsigned:1;\n"
			 "\tfield:unsigned int mm_id;\toffset:24;\tsize:4;\tsigned:0;\n",
			 "\"\""),
		     0);
	assert_int_equal(swt_formats_field(f, SWT_EV_RSS_STAT, SWT_F_RSS_STAT_MEMBER).size, 0);
	assert_int_equal(swt_formats_field(f, SWT_EV_RSS_STAT, SWT_F_RSS_STAT_CURR).size, 0);
	assert_int_equal(swt_formats_field(f, SWT_EV_RSS_STAT, SWT_F_RSS_STAT_SIZE).size, 0);
	assert_pos(swt_formats_field(f, SWT_EV_RSS_STAT, SWT_F_RSS_STAT_MM_ID), 24, 4, SWT_POS_INT);
	assert_string_equal(swt_formats_warnings(f),
			    "kmem:rss_stat: field \"member\" has a type that is not understood, left out\n"
			    "kmem:rss_stat: field \"curr\" has a type that is not understood, left out\n"
			    "kmem:rss_stat: field \"size\" has a type that is not understood, left out");
	swt_formats_free(f);

	f = add_text("kmem", RSS("\tfield:int member;\toffset:x;\n" UMEMBER, "\"\""), 0);
	assert_pos(swt_formats_field(f, SWT_EV_RSS_STAT, SWT_F_RSS_STAT_MEMBER), 8, 4, SWT_POS_INT);
	assert_non_null(strstr(swt_formats_warnings(f), "cannot be read"));
	swt_formats_free(f);

	/* A name that is a pointer, or a number that is a name. */
	f = add_text("sched",
		     "name: sched_process_free\nID: 7\nformat:\n" COMMON
		     "\tfield:const char * comm;\toffset:8;\tsize:8;\tsigned:0;\n"
		     "\tfield:char pid[16];\toffset:16;\tsize:16;\tsigned:0;\n",
		     0);
	assert_true(swt_formats_have(f, SWT_EV_SCHED_FREE));
	assert_int_equal(swt_formats_field(f, SWT_EV_SCHED_FREE, SWT_F_SCHED_FREE_COMM).size, 0);
	assert_int_equal(swt_formats_field(f, SWT_EV_SCHED_FREE, SWT_F_SCHED_FREE_PID).size, 0);
	swt_formats_free(f);
}

static void test_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"name: rss_stat\nformat:\n" COMMON,	       /* no number */
		"name: rss_stat\nID: 70000\nformat:\n" COMMON, /* does not fit common_type */
		"name: rss_stat\nID: 7x\nformat:\n" COMMON,
		"ID: 7\nformat:\n" COMMON,		   /* no name */
		"name: rss_stat\nID: 7\nformat:\n" MEMBER, /* no common fields */
		"name: rss_stat\nID: 7\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n",
		"name: rss_stat\nID: 7\nformat:\n" /* a common field far away */
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4000;\tsize:4;\tsigned:1;\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		swt_formats_free(add_text("kmem", bad[i], -EBADMSG));
}

static void test_numbers(void **state)
{
	static const char other[] = "name: other\nID: 7\nformat:\n" COMMON;
	static const char moved[] = "name: rss_stat\nID: 8\nformat:\n"
				    "\tfield:unsigned short common_type;\toffset:2;\tsize:2;\tsigned:0;\n"
				    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n";
	struct swt_formats *f = add_text("x", other, 0);

	(void)state;
	assert_int_equal(swt_formats_by_number(f, 7), -1);
	assert_int_equal(swt_formats_by_number(f, 8), -2);
	assert_int_equal(swt_formats_by_number(f, 1000000), -2);
	/* Twice the same is no news, another event under the same number is. */
	assert_int_equal(swt_formats_add(f, "x", other, strlen(other), NULL), 0);
	assert_int_equal(swt_formats_add(f, "kmem", RSS(MEMBER, ""), strlen(RSS(MEMBER, "")), NULL),
			 -EBADMSG);
	assert_false(swt_formats_have(f, SWT_EV_RSS_STAT));
	assert_int_equal(swt_formats_add(f, "kmem", moved, strlen(moved), NULL), -EBADMSG);
	swt_formats_free(f);
	/* The same name in another system is another event. */
	f = add_text("notkmem", RSS(MEMBER, ""), 0);
	assert_int_equal(swt_formats_by_number(f, 7), -1);
	assert_false(swt_formats_have(f, SWT_EV_RSS_STAT));
	/* Added again, it replaces what was there. */
	swt_formats_free(f);
	f = add_text("kmem", RSS(MEMBER, "\"\", __print_symbolic(REC->member, {1, \"old\"})"), 0);
	assert_int_equal(swt_formats_add(f, "kmem", RSS(UMEMBER, ""), strlen(RSS(UMEMBER, "")), NULL), 0);
	assert_string_equal(member(f, 1), "(none)");
	assert_int_equal(swt_formats_by_number(f, 7), SWT_EV_RSS_STAT);
	swt_formats_free(f);
}

#define PAGE(commit_off, commit_size, data_off, data_size)                                     \
	"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"                             \
	"\tfield: local_t commit;\toffset:" commit_off ";\tsize:" commit_size ";\tsigned:1;\n" \
	"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"                             \
	"\tfield: char data;\toffset:" data_off ";\tsize:" data_size ";\tsigned:1;\n"

static void test_header_page(void **state)
{
	static const char *const bad[] = {
		"",
		PAGE("8", "8", "16", "0"),
		PAGE("8", "8", "16", "999999999"),
		PAGE("8", "8", "12", "4080"), /* commit inside the data */
		PAGE("4", "8", "16", "4080"), /* commit inside the time */
		PAGE("8", "3", "16", "4080"),
		PAGE("8", "8", "100000", "4080"),
		"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n",
	};
	const struct swt_page_layout *l;
	struct swt_formats *f;
	struct swt_err err;

	(void)state;
	assert_int_equal(swt_formats_new(false, 5, &f), -EINVAL);
	assert_int_equal(swt_formats_new(true, 4, &f), 0);
	l = swt_formats_page(f);
	assert_int_equal(l->data_offset, 12);
	assert_true(l->big_endian);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		err.text[0] = '\0';
		assert_int_equal(swt_formats_header_page(f, bad[i], strlen(bad[i]), &err), -EBADMSG);
		assert_int_not_equal(err.text[0], '\0');
		assert_int_equal(l->data_size, 4084); /* as it was */
	}
	/* A sub-buffer of 128 KiB. */
	assert_int_equal(swt_formats_header_page(f, PAGE("8", "8", "16", "131056"),
						 strlen(PAGE("8", "8", "16", "131056")), &err),
			 0);
	assert_int_equal(l->commit_size, 8);
	assert_int_equal(l->data_offset, 16);
	assert_int_equal(l->data_size, 131056);
	swt_formats_free(f);
}

/* Every text ends well: with an event whose fields can be read, or with an error. */
static void try_text(const char *system, const char *text, size_t len)
{
	uint8_t *copy = malloc(len + 1), rec[64] = { 0 }; /* exact size, for the address sanitizer */
	struct swt_err err = { "" };
	struct swt_formats *f;
	struct swt_event ev;

	memcpy(copy, text, len);
	copy = realloc(copy, len ? len : 1);
	assert_int_equal(swt_formats_new(false, 8, &f), 0);
	swt_formats_header_page(f, (char *)copy, len, NULL);
	if (swt_formats_add(f, system, (char *)copy, len, &err))
		assert_int_not_equal(err.text[0], '\0');
	for (unsigned int n = 0; n < 700; n++) {
		memcpy(rec, &n, 2);
		for (size_t l = 0; l <= sizeof(rec); l += 7)
			swt_decode(f, rec, l, &ev);
		for (unsigned int i = 0; n < SWT_EV_COUNT && i < SWT_EV_MAX_FIELDS; i++)
			swt_formats_symbol(f, n, i, 2);
	}
	swt_formats_free(f);
	free(copy);
}

static const char *const victims[][2] = {
	{ "kmem", "tracepoints/formats/6.18/kmem/rss_stat" },
	{ "sched", "tracepoints/formats/6.18/sched/sched_process_free" },
	{ "huge_memory", "tracepoints/formats/6.12/huge_memory/mm_khugepaged_scan_pmd" },
	{ "ftrace", "tracepoints/formats/6.12/ftrace/raw_data" },
	{ "x", "tracepoints/formats/6.18/header_page" },
};

static void test_truncated(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(victims) / sizeof(victims[0]); i++) {
		size_t len;
		char *text = pagegen_read(victims[i][1], &len);

		for (size_t n = 0; n <= len; n++)
			try_text(victims[i][0], text, n);
		free(text);
	}
}

static void test_mutated(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (int round = 0; round < 1000; round++) {
		const char *const *v = victims[prng_below(&seed, sizeof(victims) / sizeof(victims[0]))];
		size_t len;
		char *text = pagegen_read(v[1], &len);

		prng_damage(&seed, text, &len);
		try_text(v[0], text, len);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kernels),	     cmocka_unit_test(test_patched),
		cmocka_unit_test(test_status_names), cmocka_unit_test(test_symbol_forms),
		cmocka_unit_test(test_unknown_type), cmocka_unit_test(test_odd_fields),
		cmocka_unit_test(test_refused),	     cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_header_page),  cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_mutated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
