/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * khugepaged: cost, results by the names of the kernel, and whose pages it read in.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "ftext.h"
#include "model/khuge.h"
#include "notes.h"
#include "trace/decode.h"

#define SEC SWT_NS_PER_SEC

struct fix {
	struct notes notes;
	struct swt_khuge *k;
};

static void fix_new(struct fix *f, const struct swt_formats *formats)
{
	struct swt_khuge_cfg cfg = { .note = notes_to(&f->notes), .formats = formats };

	f->notes.n = 0;
	assert_int_equal(swt_khuge_new(&cfg, &f->k), 0);
}

static struct swt_khugepaged counters(uint64_t ticks, uint64_t scans, uint64_t collapsed)
{
	return (struct swt_khugepaged){ .pid = 40,
					.cpu_ticks = swt_some(ticks),
					.full_scans = swt_some(scans),
					.pages_collapsed = swt_some(collapsed) };
}

static void feed(struct swt_khuge *k, const char *line)
{
	struct ftext t;

	assert_int_equal(ftext_parse(line, &t), 0);
	swt_khuge_event(k, &t.ev);
}

/* A whole CPU for ten seconds, and nothing came of it. */
static void test_busy_without_result(void **state)
{
	struct swt_khugepaged a = counters(5000, 7, 90), b = counters(6000, 7, 90);
	struct swt_khuge_report r;
	struct fix f;

	(void)state;
	fix_new(&f, NULL);
	swt_khuge_sample(f.k, 100 * SEC, &a);
	swt_khuge_sample(f.k, 110 * SEC, &b);
	assert_int_equal(f.notes.n, 1);
	assert_int_equal(f.notes.line[0].kind, SWT_NOTE_KHUGEPAGED);
	assert_string_equal(notes_text(&f.notes, 0),
			    "khugepaged 100.0 % CPU, 0 collapsed, 0 full passes, no result in 10 s");
	swt_khuge_report(f.k, false, &r);
	assert_true(r.cpu_hundredths.known);
	assert_int_equal(r.cpu_hundredths.v, 10000);
	assert_int_equal(r.full_scans.kind, SWT_DELTA_OK);
	assert_int_equal(r.full_scans.v, 0);
	assert_int_equal(r.collapsed.kind, SWT_DELTA_OK);
	assert_int_equal(r.collapsed.v, 0);
	assert_false(r.results_known);
	assert_false(r.swapped_in.known);
	swt_khuge_free(f.k);
}

/* The next line comes after 20 s without a result, not after another 10. */
static void test_says_it_less_and_less(void **state)
{
	struct fix f;

	(void)state;
	fix_new(&f, NULL);
	for (unsigned int i = 0; i <= 45; i++) {
		struct swt_khugepaged s = counters(100 * i, 0, 5);

		swt_khuge_sample(f.k, (1 + i) * SEC, &s);
	}
	assert_int_equal(f.notes.n, 3);
	assert_non_null(strstr(notes_text(&f.notes, 1), "no result in 20 s"));
	assert_non_null(strstr(notes_text(&f.notes, 2), "no result in 40 s"));
	swt_khuge_free(f.k);
}

static void test_useful_or_idle_is_silent(void **state)
{
	struct fix f;

	(void)state;
	fix_new(&f, NULL);
	for (unsigned int i = 0; i <= 30; i++) { /* busy, one huge page every 5 s */
		struct swt_khugepaged s = counters(100 * i, 0, i / 5);

		swt_khuge_sample(f.k, (1 + i) * SEC, &s);
	}
	for (unsigned int i = 31; i <= 90; i++) { /* a tenth of a CPU, nothing collapsed */
		struct swt_khugepaged s = counters(3000 + 10 * (i - 30), 0, 6);

		swt_khuge_sample(f.k, (1 + i) * SEC, &s);
	}
	assert_int_equal(f.notes.n, 0);
	swt_khuge_free(f.k);
}

static void test_unknown_reset_and_new_thread(void **state)
{
	struct swt_khugepaged s = counters(100, 9, 50);
	struct swt_khuge_report r;
	struct fix f;

	(void)state;
	fix_new(&f, NULL);
	swt_khuge_report(f.k, true, &r); /* nothing seen yet */
	assert_false(r.cpu_hundredths.known);
	assert_int_equal(r.full_scans.kind, SWT_DELTA_UNKNOWN);
	assert_true(r.results_known);
	assert_true(r.swapped_in.known);

	swt_khuge_sample(f.k, 10 * SEC, &s);
	s = counters(600, 8, 60); /* passes went backwards */
	swt_khuge_sample(f.k, 20 * SEC, &s);
	swt_khuge_report(f.k, false, &r);
	assert_int_equal(r.cpu_hundredths.v, 5000);
	assert_int_equal(r.full_scans.kind, SWT_DELTA_RESET);
	assert_int_equal(r.collapsed.v, 10);

	s = counters(650, 8, 60);
	s.pid = 41; /* switched off and on: another thread, whose ticks are its own */
	swt_khuge_sample(f.k, 30 * SEC, &s);
	swt_khuge_report(f.k, false, &r);
	assert_false(r.cpu_hundredths.known);
	assert_int_equal(r.collapsed.v, 0);

	swt_khuge_report(f.k, false, &r); /* no sample since */
	assert_false(r.cpu_hundredths.known);
	assert_int_equal(r.collapsed.kind, SWT_DELTA_UNKNOWN);

	s.cpu_ticks = SWT_UNKNOWN;
	swt_khuge_sample(f.k, 40 * SEC, &s);
	swt_khuge_report(f.k, false, &r);
	assert_false(r.cpu_hundredths.known);
	swt_khuge_free(f.k);
}

#define SCAN_HEAD                                                                      \
	"name: mm_khugepaged_scan_pmd\nID: 759\nformat:\n"                             \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"                   \
	"\tfield:struct mm_struct * mm;\toffset:8;\tsize:8;\tsigned:0;\n"              \
	"\tfield:unsigned long pfn;\toffset:16;\tsize:8;\tsigned:0;\n"
#define SYMBOLS_TO_10                                                                    \
	"{0, \"failed\"}, {1, \"succeeded\"}, {2, \"pmd_null\"}, {3, \"pmd_none\"}, "    \
	"{4, \"page_pmd_mapped\"}, {5, \"exceed_none_pte\"}, {6, \"exceed_swap_pte\"}, " \
	"{7, \"exceed_shared_pte\"}, {8, \"pte_non_present\"}, {9, \"pte_uffd_wp\"}, "   \
	"{10, \"pte_mapped_hugepage\"}, "

static const char format_6_12[] = SCAN_HEAD
	"\tfield:bool writable;\toffset:24;\tsize:1;\tsigned:0;\n"
	"\tfield:int referenced;\toffset:28;\tsize:4;\tsigned:1;\n"
	"\tfield:int none_or_zero;\toffset:32;\tsize:4;\tsigned:1;\n"
	"\tfield:int status;\toffset:36;\tsize:4;\tsigned:1;\n"
	"\tfield:int unmapped;\toffset:40;\tsize:4;\tsigned:1;\n\n"
	"print fmt: \"mm=%p, status=%s, unmapped=%d\", REC->mm, __print_symbolic(REC->status, " SYMBOLS_TO_10
	"{11, \"no_writable_page\"}, {12, \"lack_referenced_page\"}), REC->unmapped\n";

static const char format_6_18[] = SCAN_HEAD
	"\tfield:int referenced;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:int none_or_zero;\toffset:28;\tsize:4;\tsigned:1;\n"
	"\tfield:int status;\toffset:32;\tsize:4;\tsigned:1;\n"
	"\tfield:int unmapped;\toffset:36;\tsize:4;\tsigned:1;\n\n"
	"print fmt: \"mm=%p, status=%s, unmapped=%d\", REC->mm, __print_symbolic(REC->status, " SYMBOLS_TO_10
	"{11, \"lack_referenced_page\"}, {12, \"page_null\"}), REC->unmapped\n";

static void put32(uint8_t *rec, size_t off, uint32_t v)
{
	memcpy(rec + off, &v, sizeof(v));
}

/* Status 11 and then 37, twice, as records of the kernel that wrote @text. */
static void check_names(const char *text, size_t status_at, const char *eleven)
{
	struct swt_formats *formats;
	struct swt_khuge_report r;
	struct swt_event ev = { .ts = 1 };
	uint8_t rec[48] = { 0 };
	struct fix f;

	assert_int_equal(swt_formats_new(__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, 8, &formats), 0);
	assert_int_equal(swt_formats_add(formats, "huge_memory", text, strlen(text), NULL), 0);
	fix_new(&f, formats);
	memcpy(rec, &(uint16_t){ 759 }, 2);
	put32(rec, 4, 40);
	put32(rec, 8, 0x1000);
	for (unsigned int i = 0; i < 3; i++) {
		put32(rec, status_at, i ? 37 : 11);
		assert_int_equal(swt_decode(formats, rec, sizeof(rec), &ev), 1);
		swt_khuge_event(f.k, &ev);
	}
	swt_khuge_report(f.k, true, &r);
	assert_int_equal(r.nresults, 2);
	assert_string_equal(r.result[0].name, eleven);
	assert_int_equal(r.result[0].count, 1);
	assert_string_equal(r.result[1].name, "status 37");
	assert_int_equal(r.result[1].count, 2);
	swt_khuge_free(f.k);
	swt_formats_free(formats);
}

static void test_names_of_this_kernel(void **state)
{
	(void)state;
	check_names(format_6_12, 36, "no_writable_page");
	check_names(format_6_18, 32, "lack_referenced_page");
}

static void test_swapped_in_named_at_exit(void **state)
{
	struct swt_khugepaged s = counters(0, 0, 0);
	struct swt_khuge_report r;
	struct fix f;

	(void)state;
	fix_new(&f, NULL);
	swt_khuge_sample(f.k, 1, &s);
	feed(f.k, "khugepaged-40 [000] ..... 5.0: mm_khugepaged_scan_pmd: mm=0x1234 status=1 unmapped=60");
	feed(f.k, "khugepaged-40 [000] ..... 5.1: mm_collapse_huge_page_swapin: mm=0x1234 swapped_in=60");
	feed(f.k, "khugepaged-40 [000] ..... 5.2: mm_khugepaged_scan_pmd: mm=0x9999 status=6 unmapped=0");
	/* MADV_COLLAPSE of somebody else is not khugepaged's doing. */
	feed(f.k, "app-77 [000] ..... 5.3: mm_collapse_huge_page_swapin: mm=0x9999 swapped_in=500");
	assert_int_equal(swt_khuge_unnamed(f.k), 60);
	swt_khuge_report(f.k, true, &r);
	assert_int_equal(r.swapped_in.v, 60);
	assert_int_equal(r.ntop, 2);
	assert_int_equal(r.top[0].pid, 0); /* not known while it lives */
	assert_int_equal(r.top[0].scans, 1);
	assert_int_equal(f.notes.n, 0);

	swt_khuge_owner(f.k, 9 * SEC, 0x1234, 4711, "java");
	assert_int_equal(f.notes.n, 1);
	assert_int_equal(f.notes.line[0].ts, 9 * SEC);
	assert_string_equal(notes_text(&f.notes, 0), "60 pages read in by khugepaged for pid 4711 (java)");
	assert_int_equal(swt_khuge_unnamed(f.k), 0);

	/* The same address again is another process. */
	feed(f.k, "khugepaged-40 [000] ..... 10.0: mm_collapse_huge_page_swapin: mm=0x1234 swapped_in=1");
	assert_int_equal(swt_khuge_unnamed(f.k), 1);
	swt_khuge_owner(f.k, 11 * SEC, 0x1234, 0, NULL); /* its owner was not known */
	assert_int_equal(f.notes.n, 1);
	assert_int_equal(swt_khuge_unnamed(f.k), 1);
	swt_khuge_report(f.k, true, &r);
	assert_int_equal(r.swapped_in.v, 1);
	assert_int_equal(r.ntop, 0);
	swt_khuge_free(f.k);
}

static void status(struct swt_khuge *k, uint64_t ts, pid_t pid, const char *state, unsigned int pages,
		   unsigned int switches)
{
	char text[256];

	snprintf(text, sizeof(text),
		 "Name:\tjava\nState:\t%s\nVmSwap:\t%u kB\nThreads:\t1\n"
		 "voluntary_ctxt_switches:\t%u\nnonvoluntary_ctxt_switches:\t3\n",
		 state, pages * 4, switches);
	swt_khuge_status(k, ts, pid, "java", text, strlen(text));
}

/* 60 of the pages of a sleeping process are read in; a live sample may come before the event does. */
static void test_swapped_in_while_it_did_not_run(void **state)
{
	struct swt_khuge_report r;
	struct fix f;

	(void)state;
	fix_new(&f, NULL);
	feed(f.k,
	     "khugepaged-40 [000] ..... 0.5: mm_collapse_huge_page_swapin: mm=1 swapped_in=7"); /* earlier */
	status(f.k, 1 * SEC, 4711, "S (sleeping)", 100, 9);
	status(f.k, 1 * SEC, 500, "S (sleeping)", 100, 9);
	status(f.k, 1 * SEC, 501, "R (running)", 100, 9);
	status(f.k, 1 * SEC, 502, "S (sleeping)", 100, 9);
	status(f.k, 6 * SEC, 4711, "S (sleeping)", 40, 9);
	status(f.k, 6 * SEC, 500, "S (sleeping)", 41, 9);  /* 59 */
	status(f.k, 6 * SEC, 501, "S (sleeping)", 40, 9);  /* may have run */
	status(f.k, 6 * SEC, 502, "S (sleeping)", 40, 10); /* ran */
	swt_khuge_tick(f.k, 6 * SEC + SEC / 10);
	assert_int_equal(f.notes.n, 0);
	feed(f.k, "khugepaged-40 [000] ..... 5.1: mm_collapse_huge_page_swapin: mm=1 swapped_in=20");
	feed(f.k, "khugepaged-40 [000] ..... 5.9: mm_collapse_huge_page_swapin: mm=1 swapped_in=40");
	swt_khuge_tick(f.k, 7 * SEC);
	assert_int_equal(f.notes.n, 1);
	assert_string_equal(
		notes_text(&f.notes, 0),
		"67 pages read in by khugepaged for pid 4711 (java), as its swap fell while it did not run");
	swt_khuge_report(f.k, true, &r);
	assert_int_equal(r.ntop, 1);
	assert_int_equal(r.top[0].pid, 4711);
	assert_string_equal(r.top[0].comm, "java");
	assert_int_equal(r.top[0].swapped_in, 67);

	/* From now on it is known, and said once per interval. */
	feed(f.k, "khugepaged-40 [000] ..... 7.0: mm_collapse_huge_page_swapin: mm=1 swapped_in=3");
	feed(f.k, "khugepaged-40 [000] ..... 7.1: mm_collapse_huge_page_swapin: mm=1 swapped_in=4");
	swt_khuge_report(f.k, true, &r);
	assert_int_equal(f.notes.n, 2);
	assert_string_equal(notes_text(&f.notes, 1), "7 pages read in by khugepaged for pid 4711 (java)");
	swt_khuge_free(f.k);
}

/* The same number for two address spaces, or lost by two processes: whose is whose cannot be told. */
static void test_swapped_in_ambiguous(void **state)
{
	struct swt_opt hundred = swt_some(100 * 4096), forty = swt_some(40 * 4096);
	struct fix f;

	(void)state;
	fix_new(&f, NULL);
	feed(f.k, "khugepaged-40 [000] ..... 5.1: mm_collapse_huge_page_swapin: mm=1 swapped_in=60");
	feed(f.k, "khugepaged-40 [000] ..... 5.2: mm_collapse_huge_page_swapin: mm=2 swapped_in=60");
	swt_khuge_vmswap(f.k, 5 * SEC, 6 * SEC, 4711, "java", hundred, forty);
	swt_khuge_tick(f.k, 7 * SEC);
	feed(f.k, "khugepaged-40 [000] ..... 8.1: mm_collapse_huge_page_swapin: mm=3 swapped_in=60");
	swt_khuge_vmswap(f.k, 8 * SEC, 9 * SEC, 4711, "java", hundred, forty);
	swt_khuge_vmswap(f.k, 8 * SEC, 9 * SEC, 4712, "java", hundred, forty);
	swt_khuge_vmswap(f.k, 8 * SEC, 9 * SEC, 4713, "java", SWT_UNKNOWN, forty);
	swt_khuge_vmswap(f.k, 8 * SEC, 9 * SEC, 4714, "java", forty, hundred); /* rose */
	swt_khuge_tick(f.k, 10 * SEC);
	assert_int_equal(f.notes.n, 0);
	assert_int_equal(swt_khuge_unnamed(f.k), 180);
	/* More often than is remembered: the sum is not known. */
	for (unsigned int i = 0; i < 20; i++)
		feed(f.k, "khugepaged-40 [000] ..... 10.1: mm_collapse_huge_page_swapin: mm=4 swapped_in=6");
	swt_khuge_vmswap(f.k, 10 * SEC, 11 * SEC, 4711, "java", hundred, swt_some(52 * 4096)); /* 8 x 6 */
	swt_khuge_tick(f.k, 12 * SEC);
	assert_int_equal(f.notes.n, 0);
	/* After a gap the addresses may be somebody else's. */
	swt_khuge_lost(f.k);
	swt_khuge_owner(f.k, 13 * SEC, 1, 99, "late");
	assert_int_equal(f.notes.n, 0);
	assert_int_equal(swt_khuge_unnamed(f.k), 300);
	swt_khuge_free(f.k);
}

/* Statuses of more processes than are followed, of none, and of nonsense. */
static void test_sleepers_bounds(void **state)
{
	struct fix f;

	(void)state;
	fix_new(&f, NULL);
	for (int i = 1; i < 10000; i++)
		status(f.k, SEC, i, "S (sleeping)", 100, 1);
	for (int i = 1; i < 10000; i++)
		status(f.k, 2 * SEC, i, "S (sleeping)", 50, 1);
	swt_khuge_status(f.k, 3 * SEC, 5, NULL, "", 0);
	swt_khuge_status(f.k, 3 * SEC, 6, NULL, "\xff\0VmSwap:", 9);
	swt_khuge_tick(f.k, 9 * SEC);
	assert_int_equal(f.notes.n, 0);
	swt_khuge_free(f.k);
}

/* 70 pages in swap, limit 64: nothing is read in and the reason is counted. */
static void test_exceed_swap(void **state)
{
	struct swt_formats *formats;
	struct swt_khuge_report r;
	struct fix f;

	(void)state;
	assert_int_equal(swt_formats_new(false, 8, &formats), 0);
	assert_int_equal(swt_formats_add(formats, "huge_memory", format_6_18, strlen(format_6_18), NULL), 0);
	fix_new(&f, formats);
	feed(f.k, "khugepaged-40 [000] ..... 5.0: mm_khugepaged_scan_pmd: mm=1 status=6 unmapped=0");
	swt_khuge_report(f.k, true, &r);
	assert_int_equal(r.swapped_in.v, 0);
	assert_int_equal(r.nresults, 1);
	assert_string_equal(r.result[0].name, "exceed_swap_pte");
	assert_int_equal(f.notes.n, 0);
	swt_khuge_free(f.k);
	swt_formats_free(formats);
}

static void test_top_five_and_bounds(void **state)
{
	struct swt_event ev = { .id = SWT_EV_KHUGE_SCAN_PMD, .have = 7 };
	struct swt_khuge_report r;
	struct fix f;

	(void)state;
	fix_new(&f, NULL);
	for (unsigned int i = 0; i < 10000; i++) {
		ev.f[SWT_F_KHUGE_SCAN_PMD_MM] = 0x100000 + i;
		ev.f[SWT_F_KHUGE_SCAN_PMD_STATUS] = i % 100; /* more results than places */
		swt_khuge_event(f.k, &ev);
	}
	for (unsigned int mm = 1; mm <= 7; mm++)
		for (unsigned int i = 0; i < mm * 10; i++) {
			ev.f[SWT_F_KHUGE_SCAN_PMD_MM] = mm;
			ev.f[SWT_F_KHUGE_SCAN_PMD_STATUS] = 0;
			swt_khuge_event(f.k, &ev);
		}
	swt_khuge_report(f.k, true, &r);
	assert_int_equal(r.ntop, SWT_MAX_TOP);
	for (unsigned int i = 0; i < SWT_MAX_TOP; i++)
		assert_int_equal(r.top[i].scans, (7 - i) * 10);
	assert_int_equal(r.nresults, SWT_MAX_RESULTS);
	assert_string_equal(r.result[SWT_MAX_RESULTS - 1].name, "other");
	assert_int_equal(r.result[SWT_MAX_RESULTS - 1].count, 100 * (100 - (SWT_MAX_RESULTS - 1)));
	assert_int_equal(r.result[0].count, 100 + 280);
	swt_khuge_free(f.k);
}

static void test_limits(void **state)
{
	struct swt_khugepaged s = { .max_ptes_none = swt_some(511),
				    .max_ptes_swap = swt_some(64),
				    .max_ptes_shared = swt_some(0),
				    .pages_to_scan = swt_some(4096),
				    .scan_sleep_ms = swt_some(10000) };
	struct swt_buf b = SWT_BUF_INIT;

	(void)state;
	assert_int_equal(swt_khuge_limit(&s, SWT_KHUGE_PTES_NONE, 0, &b), 0);
	assert_string_equal(
		swt_buf_str(&b),
		"max_ptes_none 511: a range is collapsed although up to 511 of its 512 pages were never "
		"used; they are filled with zeros, so memory use can grow");
	swt_buf_reset(&b);
	assert_int_equal(swt_khuge_limit(&s, SWT_KHUGE_PTES_SWAP, 0, &b), 0);
	assert_string_equal(swt_buf_str(&b),
			    "max_ptes_swap 64: a range with up to 64 pages in swap is collapsed, and "
			    "they are read back for it; above that it is left alone");
	swt_buf_reset(&b);
	assert_int_equal(swt_khuge_limit(&s, SWT_KHUGE_PTES_SHARED, 0, &b), 0);
	assert_string_equal(
		swt_buf_str(&b),
		"max_ptes_shared 0: ranges with pages shared with other processes are left alone");
	swt_buf_reset(&b);
	assert_int_equal(swt_khuge_limit(&s, SWT_KHUGE_PAGES_TO_SCAN, 0, &b), 0);
	assert_string_equal(swt_buf_str(&b),
			    "pages_to_scan 4096: 4,096 pages (16.0 M) are looked at in one go, then "
			    "khugepaged sleeps for 10000 ms");
	swt_buf_reset(&b);
	s.max_ptes_swap = SWT_UNKNOWN;
	assert_int_equal(swt_khuge_limit(&s, SWT_KHUGE_PTES_SWAP, 0, &b), 0);
	assert_string_equal(swt_buf_str(&b), "max_ptes_swap -: not known");
	swt_buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_busy_without_result),
		cmocka_unit_test(test_says_it_less_and_less),
		cmocka_unit_test(test_useful_or_idle_is_silent),
		cmocka_unit_test(test_unknown_reset_and_new_thread),
		cmocka_unit_test(test_names_of_this_kernel),
		cmocka_unit_test(test_swapped_in_named_at_exit),
		cmocka_unit_test(test_swapped_in_while_it_did_not_run),
		cmocka_unit_test(test_swapped_in_ambiguous),
		cmocka_unit_test(test_sleepers_bounds),
		cmocka_unit_test(test_exceed_swap),
		cmocka_unit_test(test_top_five_and_bounds),
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
