/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ring pages: the check, the walk, and the generator the other tests stand on.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pagegen.h"
#include "prng.h"
#include "trace/page.h"
#include "trace/walk.h"

static const struct swt_page_layout le64 = { 8, 8, 16, 4080, false, 8 };
static const struct swt_page_layout be64 = { 8, 8, 16, 4080, true, 8 };
static const struct swt_page_layout le32 = { 8, 4, 12, 4084, false, 4 };

static uint64_t visit(const void *page, size_t len, const struct swt_page_layout *l, uint64_t *ts, size_t max)
{
	struct swt_walk w;
	size_t n = 0;

	assert_int_equal(swt_page_check(page, len, l), 0);
	assert_int_equal(swt_walk_start(&w, page, len, l, NULL), 0);
	while (swt_walk_next(&w, false) == 1) {
		assert_in_range((uintptr_t)w.rec, (uintptr_t)page, (uintptr_t)page + len);
		assert_true(w.rec + w.len <= (const uint8_t *)page + len);
		if (n < max)
			ts[n] = w.ts;
		n++;
	}
	return n;
}

/* Written down byte by byte, so that generator and walk cannot share an error. */
static void test_bytes(void **state)
{
	static const uint8_t le[] = {
		0x10, 0x27, 0, 0, 0, 0, 0, 0,		  /* 10000 ns */
		0x2c, 0,    0, 0, 0, 0, 0, 0,		  /* 44 bytes */
		0xa1, 0,    0, 0, 1, 2, 3, 4,		  /* type_len 1, delta 5 */
		0x1e, 0,    0, 0, 2, 0, 0, 0,		  /* time extend: 2 << 27 */
		0x40, 0,    0, 0, 8, 0, 0, 0, 5, 6, 7, 8, /* length word: 8 counts itself; delta 2 */
		0x3d, 0,    0, 0, 4, 0, 0, 0,		  /* discarded, delta 1: none of its own */
		0x02, 0,    0, 0, 0, 0, 0, 0,		  /* type_len 2 */
	};
	static const uint8_t be[] = {
		0,    0, 0, 0, 0, 0, 0x27, 0x10, 0, 0, 0, 0, 0, 0, 0, 0x1c, /* 28 bytes */
		0x08, 0, 0, 5, 1, 2, 3,	   4,				    /* type_len 1, delta 5 */
		0xf0, 0, 0, 7, 0, 0, 0,	   1,				    /* time extend: 1 << 27 and 7 */
		0xe8, 0, 0, 3, 0, 0, 0,	   4,				    /* discarded, delta 3 */
		0xe8, 0, 0, 0,						    /* padding to the end */
	};
	uint8_t page[64];
	uint64_t ts[4];

	(void)state;
	memset(page, 0, sizeof(page));
	memcpy(page, le, sizeof(le));
	page[8] = sizeof(le) - 16 + 4;
	assert_int_equal(visit(page, sizeof(page), &le64, ts, 4), 3);
	assert_int_equal(ts[0], 10005);
	assert_int_equal(ts[1], 10005 + (2ull << 27) + 2);
	assert_int_equal(ts[2], 10005 + (2ull << 27) + 2);
	assert_int_equal(visit(be, sizeof(be), &be64, ts, 4), 1);
	assert_int_equal(ts[0], 10005);
}

static void test_stamp(void **state)
{
	/* 59 bits fit into the record; the upper five are those of the time before. */
	const uint64_t before = 0x0fffffffffffffffull;

	(void)state;
	assert_int_equal(swt_walk_fix_stamp(5, 3), 5);
	assert_int_equal(swt_walk_fix_stamp(before & ~SWT_TS_MSB, before), before);
	assert_int_equal(swt_walk_fix_stamp(5, before), 0x1000000000000005ull);
}

static void put64(uint8_t *p, uint64_t v)
{
	memcpy(p, &v, 8);
}

static void test_commit(void **state)
{
	struct swt_page_head head;
	struct swt_walk w;
	uint8_t page[4096] = { 0 };
	uint32_t head_word = 28; /* 112 bytes */

	(void)state;
	memcpy(page + 16, &head_word, 4);
	put64(page + 8, 116);
	put64(page + 16 + 116, 57);
	assert_int_equal(swt_walk_start(&w, page, sizeof(page), &le64, &head), 0);
	assert_false(head.missed);
	/* The flags as the kernel adds them: a negative int, so the upper half is all ones. */
	put64(page + 8, 116 + (uint64_t)INT32_MIN);
	assert_int_equal(swt_page_check(page, sizeof(page), &le64), 0);
	assert_int_equal(swt_walk_start(&w, page, sizeof(page), &le64, &head), 0);
	assert_true(head.missed);
	assert_false(head.stored);
	put64(page + 8, 116 + (1u << 30) + (uint64_t)INT32_MIN);
	assert_int_equal(swt_walk_start(&w, page, sizeof(page), &le64, &head), 0);
	assert_true(head.stored);
	assert_int_equal(head.count, 57);
	/* "-1" is the kernel's word for "some". */
	put64(page + 16 + 116, UINT64_MAX);
	assert_int_equal(swt_walk_start(&w, page, sizeof(page), &le64, &head), 0);
	assert_true(head.missed);
	assert_false(head.stored);
	/* The number would be behind the end of what was read. */
	assert_int_equal(swt_walk_start(&w, page, 16 + 116 + 7, &le64, &head), 0);
	assert_false(head.stored);
	/* More data than there are bytes. */
	put64(page + 8, 4081);
	assert_int_equal(swt_page_check(page, sizeof(page), &le64), -EBADMSG);
	put64(page + 8, 0);
	assert_int_equal(swt_page_check(page, sizeof(page), &le64), 0);
	for (size_t len = 0; len < 16; len++)
		assert_int_equal(swt_page_check(page, len, &le64), -EBADMSG);
	assert_int_equal(swt_page_check(page, 16, &le64), 0);
}

/* The header of one record and the bytes behind it; is the page good? */
static int one(uint32_t head_word, uint32_t next, uint32_t commit)
{
	uint8_t *page = calloc(1, 12 + commit);
	int rc;

	memcpy(page + 8, &commit, 4);
	if (commit >= 4)
		memcpy(page + 12, &head_word, 4);
	if (commit >= 8)
		memcpy(page + 16, &next, 4);
	rc = swt_page_check(page, 12 + commit, &le32);
	free(page);
	return rc;
}

static void test_bad_lengths(void **state)
{
	(void)state;
	assert_int_equal(one(2, 0, 12), 0);
	assert_int_equal(one(2, 0, 11), -EBADMSG);
	assert_int_equal(one(28, 0, 115), -EBADMSG);
	assert_int_equal(one(0, 8, 12), 0);
	assert_int_equal(one(0, 4, 8), 0);
	assert_int_equal(one(0, 0, 8), -EBADMSG); /* would never end */
	assert_int_equal(one(0, 12, 12), -EBADMSG);
	assert_int_equal(one(0, 0xffffffff, 12), -EBADMSG);
	assert_int_equal(one(0, 0xfffffffc, 12), -EBADMSG);
	assert_int_equal(one(0, 0, 4), -EBADMSG);
	assert_int_equal(one(29, 0, 4), 0); /* padding to the end */
	assert_int_equal(one(29 | 1 << 5, 4, 8), 0);
	assert_int_equal(one(29 | 1 << 5, 0, 8), -EBADMSG);
	assert_int_equal(one(29 | 1 << 5, 0x7fffffff, 8), -EBADMSG);
	assert_int_equal(one(30, 0, 4), -EBADMSG);
	assert_int_equal(one(31, 0, 7), -EBADMSG);
	assert_int_equal(one(31, 0, 8), 0);
	assert_int_equal(one(0, 0, 3), -EBADMSG); /* a rest that is no record */
}

static struct pagegen *filled(const char *dir, bool big, int long_size, struct swt_formats **f)
{
	struct pagegen *g;

	*f = pagegen_formats(dir, big, long_size);
	g = pagegen_new(*f);
	pagegen_line(g, "hog-600 [001] 20.000200: rss_stat: mm_id=7 curr=0 type=MM_SWAPENTS size=20971520B");
	pagegen_line(g, "hog-600 [001] 20.000200001: sched_process_free: comm=hog pid=600");
	pagegen_discard(g, 20000300000ull, 36);
	pagegen_line(g, "hog-600 [001] 25.0: sched_process_exit: comm=hog pid=600");
	pagegen_stamp(g, 26000000000ull);
	pagegen_raw(g, 26000000001ull,
		    "\x01\x00too long for a header, so that a word of length comes first: 0123456789 "
		    "0123456789 0123456789 0123456789 0123456789 0123456789",
		    128);
	pagegen_close(g, true);
	pagegen_lost(g, 57, true);
	pagegen_line(g, "hog-600 [001] 30.0: rss_stat: mm_id=7 curr=0 type=MM_SWAPENTS size=0B");
	assert_int_equal(pagegen_count(g), 2);
	return g;
}

static void test_generated(void **state)
{
	static const struct {
		const char *dir;
		bool big;
		int long_size;
	} v[] = { { "tests/fixtures/formats/plain64", false, 8 },
		  { "tests/fixtures/formats/arm32", false, 4 },
		  { "tests/fixtures/formats/s390x", true, 8 } };

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct swt_formats *f;
		struct pagegen *g = filled(v[i].dir, v[i].big, v[i].long_size, &f);
		struct swt_page_head head;
		struct swt_walk w;
		uint64_t ts[8];

		assert_int_equal(pagegen_page_size(g), 4096);
		assert_int_equal(visit(pagegen_page(g, 0), 4096, swt_formats_page(f), ts, 8), 4);
		assert_int_equal(ts[0], 20000200000ull);
		assert_int_equal(ts[1], 20000200001ull);
		assert_int_equal(ts[2], 25000000000ull);
		assert_int_equal(ts[3], 26000000001ull);
		assert_int_equal(visit(pagegen_page(g, 1), 4096, swt_formats_page(f), ts, 8), 1);
		assert_int_equal(ts[0], 30000000000ull);
		assert_int_equal(swt_walk_start(&w, pagegen_page(g, 1), 4096, swt_formats_page(f), &head), 0);
		assert_true(head.stored);
		assert_int_equal(head.count, 57);
		pagegen_free(g);
		swt_formats_free(f);
	}
}

/* A rss_stat record takes 36 bytes in the ring: a page of 4080 bytes holds 113 of them. */
static void test_full_page(void **state)
{
	struct swt_formats *f = pagegen_formats("tracepoints/formats/6.18", false, 8);
	struct pagegen *g = pagegen_new(f);
	uint64_t ts[128];

	(void)state;
	for (int i = 0; i < 200; i++)
		pagegen_line(g, "hog-600 [001] 20.000200: rss_stat: mm_id=7 curr=0 type=MM_SWAPENTS size=1B");
	assert_int_equal(pagegen_count(g), 2);
	assert_in_range(visit(pagegen_page(g, 0), 4096, swt_formats_page(f), ts, 128), 112, 113);
	pagegen_free(g);
	swt_formats_free(f);
}

/* Whatever the check lets through can be walked without a check. */
static void try_page(const uint8_t *page, size_t len, const struct swt_page_layout *l)
{
	uint8_t *copy = malloc(len ? len : 1); /* exact size, for the address sanitizer */
	struct swt_page_head head;
	struct swt_walk w;
	unsigned int sum = 0;

	memcpy(copy, page, len);
	if (!swt_page_check(copy, len, l)) {
		assert_int_equal(swt_walk_start(&w, copy, len, l, &head), 0);
		while (swt_walk_next(&w, false) == 1)
			for (uint32_t i = 0; i < w.len; i++)
				sum += w.rec[i];
	}
	assert_true(sum < UINT32_MAX);
	free(copy);
}

static void test_truncated(void **state)
{
	struct swt_formats *f;
	struct pagegen *g = filled("tests/fixtures/formats/plain64", false, 8, &f);

	(void)state;
	for (size_t i = 0; i < 2; i++)
		for (size_t n = 0; n <= 4096; n++) {
			try_page(pagegen_page(g, i), n, swt_formats_page(f));
			/* The first record is complete after 16 + 36 bytes; less must be refused. */
			if (n < 16 + 36)
				assert_int_equal(swt_page_check(pagegen_page(g, i), n, swt_formats_page(f)),
						 -EBADMSG);
		}
	pagegen_free(g);
	swt_formats_free(f);
}

static void test_mutated(void **state)
{
	static const char *const dirs[] = { "plain64", "arm32", "s390x" };
	uint64_t seed = 2;

	(void)state;
	for (int d = 0; d < 3; d++) {
		char path[64] = "tests/fixtures/formats/";
		struct swt_formats *f;
		struct pagegen *g = filled(strcat(path, dirs[d]), d == 2, d == 1 ? 4 : 8, &f);

		for (int i = 0; i < 4000; i++) {
			uint8_t page[4096];
			size_t len = 400; /* where the records are, and some of what follows */

			memcpy(page, pagegen_page(g, prng_below(&seed, 2)), sizeof(page));
			prng_damage(&seed, page, &len);
			if (prng_below(&seed, 4))
				len = sizeof(page);
			try_page(page, len, swt_formats_page(f));
		}
		pagegen_free(g);
		swt_formats_free(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes),	  cmocka_unit_test(test_stamp),
		cmocka_unit_test(test_commit),	  cmocka_unit_test(test_bad_lengths),
		cmocka_unit_test(test_generated), cmocka_unit_test(test_full_page),
		cmocka_unit_test(test_truncated), cmocka_unit_test(test_mutated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
