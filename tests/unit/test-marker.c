/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples cut into records and put together again.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "prng.h"
#include "trace/marker.h"

#define MAX_RECS 512

struct recs {
	struct {
		char data[SWT_MARKER_CHUNK];
		size_t len;
	} r[MAX_RECS];
	size_t n;
};

static int keep(void *arg, const void *rec, size_t len)
{
	struct recs *r = arg;

	assert_in_range(len, 4, SWT_MARKER_CHUNK);
	assert_true(r->n < MAX_RECS);
	memcpy(r->r[r->n].data, rec, len);
	r->r[r->n++].len = len;
	return 0;
}

struct seen {
	int n, stop;
	uint64_t ts;
	char path[256];
	char *text;
	size_t len;
};

static int on_file(void *arg, uint64_t ts, const char *path, const char *text, size_t len)
{
	struct seen *s = arg;

	s->n++;
	s->ts = ts;
	assert_true(strlen(path) < sizeof(s->path));
	memcpy(s->path, path, strlen(path) + 1);
	free(s->text);
	s->text = malloc(len + 1);
	memcpy(s->text, text, len);
	s->len = len;
	return s->stop;
}

/* Feeds one record with @extra bytes of rubbish behind it, as the ring rounds up; in memory of exactly that size. */
static int join(struct swt_marker_joiner *j, uint64_t ts, const char *payload, size_t len, size_t extra,
		struct seen *s)
{
	struct swt_sink sink = { .arg = s, .file = on_file };
	char *copy = malloc(len + extra + 1);
	int rc;

	memset(copy, 'x', len + extra);
	memcpy(copy, payload, len);
	copy = realloc(copy, len + extra ? len + extra : 1);
	rc = swt_marker_join(j, ts, copy, len + extra, &sink);
	free(copy);
	return rc;
}

static void test_round_trip(void **state)
{
	static const size_t lens[] = { 0, 1, 2000, 2479, 2480, 2481, 2482, 10000, 1u << 20 };
	char *text = malloc(1u << 20);
	struct recs *r = malloc(sizeof(*r));
	struct swt_marker_joiner *j;
	struct seen s = { 0 };
	uint64_t seed = 4;

	(void)state;
	for (size_t i = 0; i < 1u << 20; i++)
		text[i] = (char)prng_next(&seed);
	assert_int_equal(swt_marker_joiner_new(&j), 0);
	for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		r->n = 0;
		assert_int_equal(swt_marker_split((uint32_t)i, "/proc/vmstat", text, lens[i], keep, r), 0);
		for (size_t k = 0; k < r->n; k++) {
			uint32_t id;

			memcpy(&id, r->r[k].data, 4);
			assert_int_equal(id, SWT_MARKER_ID);
			assert_int_equal(s.n, i);
			assert_int_equal(join(j, 100 * i + k, r->r[k].data + 4, r->r[k].len - 4, k % 8, &s),
					 0);
		}
		assert_int_equal(s.n, i + 1);
		assert_string_equal(s.path, "/proc/vmstat");
		assert_int_equal(s.ts, 100 * i + r->n - 1);
		assert_int_equal(s.len, lens[i]);
		assert_memory_equal(s.text, text, s.len);
	}
	assert_int_equal(swt_marker_split(1, "/x", text, (1u << 20) + 1, keep, r), -EFBIG);
	assert_int_equal(swt_marker_split(1, "", text, 1, keep, r), -EINVAL);
	assert_int_equal(swt_marker_split(1, "/a\nb", text, 1, keep, r), -EINVAL);
	swt_marker_joiner_free(j);
	free(s.text);
	free(text);
	free(r);
}

static int refuse(void *arg, const void *rec, size_t len)
{
	(void)rec;
	(void)len;
	return ++*(int *)arg == 2 ? -EBADF : 0;
}

static void test_callbacks_stop(void **state)
{
	static char text[8000];
	struct swt_marker_joiner *j;
	struct seen s = { .stop = 7 };
	int calls = 0;

	(void)state;
	assert_int_equal(swt_marker_split(1, "/x", text, sizeof(text), refuse, &calls), -EBADF);
	assert_int_equal(calls, 2);
	assert_int_equal(swt_marker_joiner_new(&j), 0);
	assert_int_equal(join(j, 1, "swt1 1 0 1 2 /x\nab", 18, 0, &s), 7);
	assert_int_equal(join(j, 1, "swt1 1 0 2 2 /x\nab", 18, 0, &s), 0);
	assert_int_equal(join(j, 1, "swt1 1 1 2 2 /x\ncd", 18, 0, &s), 7);
	swt_marker_joiner_free(j);
	free(s.text);
}

#define JOIN(text) assert_int_equal(join(j, 1, text, sizeof(text) - 1, 3, &s), 0)

/* Two samples at once; a part that is missing, doubled, out of order or of another sample drops the sample. */
static void test_broken(void **state)
{
	static const char *const bad[] = {
		"",
		"swt1",
		"swt1 ",
		"swt2 1 0 1 2 /x\nab",
		"swt1 1 0 1 2 /x",
		"swt1 1 0 1 9 /x\nab", /* promises more than there is */
		"swt1 1 1 1 2 /x\nab", /* part 1 of 1 */
		"swt1 1 0 0 2 /x\nab",
		"swt1 1 0 1 2 \nab", /* no path */
		"swt1 99999999999 0 1 2 /x\nab",
		"swt1 -1 0 1 2 /x\nab",
		"swt1 1 0 4294967295 2 /x\nab",
		"swt1 1  0 1 2 /x\nab",
	};
	struct swt_marker_joiner *j;
	struct seen s = { 0 };

	(void)state;
	assert_int_equal(swt_marker_joiner_new(&j), 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(join(j, 1, bad[i], strlen(bad[i]), 0, &s), 0);
	assert_int_equal(s.n, 0);

	JOIN("swt1 1 0 2 2 /a\nab");
	JOIN("swt1 2 0 2 2 /b\nAB");
	JOIN("swt1 1 1 2 2 /a\ncd");
	assert_int_equal(s.n, 1);
	assert_memory_equal(s.text, "abcd", 4);
	JOIN("swt1 2 1 2 1 /b\nC");
	assert_int_equal(s.n, 2);
	assert_int_equal(s.len, 3);
	assert_memory_equal(s.text, "ABC", 3);
	assert_string_equal(s.path, "/b");

	JOIN("swt1 3 1 2 2 /a\ncd"); /* the first part is missing */
	JOIN("swt1 4 0 3 2 /a\nab");
	JOIN("swt1 4 2 3 2 /a\nef"); /* the second */
	JOIN("swt1 4 1 3 2 /a\ncd");
	JOIN("swt1 5 0 2 2 /a\nab");
	JOIN("swt1 5 1 2 2 /b\ncd"); /* another path */
	JOIN("swt1 5 1 2 2 /a\ncd");
	JOIN("swt1 6 0 2 2 /a\nab");
	JOIN("swt1 6 1 3 2 /a\ncd"); /* another number of parts */
	assert_int_equal(s.n, 2);

	/* The serial again: the old one is given up. */
	JOIN("swt1 7 0 2 2 /old\nab");
	JOIN("swt1 7 0 2 2 /new\nAB");
	JOIN("swt1 7 1 2 2 /new\nCD");
	assert_int_equal(s.n, 3);
	assert_string_equal(s.path, "/new");
	assert_memory_equal(s.text, "ABCD", 4);
	swt_marker_joiner_free(j);
	free(s.text);
}

/* Of 65 unfinished samples the oldest is gone, the others can still be finished. */
static void test_bounded(void **state)
{
	struct swt_marker_joiner *j;
	struct seen s = { 0 };
	char buf[64];

	(void)state;
	assert_int_equal(swt_marker_joiner_new(&j), 0);
	for (int part = 0; part < 2; part++)
		for (int i = 0; i < 65; i++) {
			snprintf(buf, sizeof(buf), "swt1 %d %d 2 2 /x\nab", i, part);
			assert_int_equal(join(j, 1, buf, strlen(buf), 0, &s), 0);
		}
	assert_int_equal(s.n, 64);
	swt_marker_joiner_free(j);
	free(s.text);
}

/* More than 1 MiB is never collected, however many parts are promised. */
static void test_too_long(void **state)
{
	struct swt_marker_joiner *j;
	struct seen s = { 0 };
	char buf[2100];

	(void)state;
	assert_int_equal(swt_marker_joiner_new(&j), 0);
	memset(buf, 'a', sizeof(buf));
	for (int i = 0; i < 600; i++) {
		char *copy = malloc(sizeof(buf));
		int n = snprintf(copy, sizeof(buf), "swt1 1 %d 600 2000 /x\n", i);

		memcpy(copy + n, buf, 2000);
		assert_int_equal(join(j, 1, copy, (size_t)n + 2000, 0, &s), 0);
		free(copy);
	}
	assert_int_equal(s.n, 0);
	swt_marker_joiner_free(j);
	free(s.text);
}

static void test_damaged(void **state)
{
	struct recs *r = calloc(1, sizeof(*r));
	static char text[6000];
	uint64_t seed = 5;
	int whole = 0;

	(void)state;
	memset(text, 't', sizeof(text));
	assert_int_equal(swt_marker_split(77, "/proc/vmstat", text, sizeof(text), keep, r), 0);
	assert_int_equal(r->n, 3);
	for (int i = 0; i < 6000; i++) {
		struct swt_marker_joiner *j;
		struct seen s = { 0 };

		assert_int_equal(swt_marker_joiner_new(&j), 0);
		for (size_t k = 0; k < r->n; k++) {
			char copy[SWT_MARKER_CHUNK];
			size_t len = r->r[k].len - 4, head = 40;

			memcpy(copy, r->r[k].data + 4, len);
			if (i < 3000 && k == 1)
				len = (size_t)i < len ? (size_t)i : len; /* cut at every byte */
			else if (i >= 3000)
				prng_damage(&seed, copy, &head);
			assert_int_equal(join(j, k, copy, len, 0, &s), 0);
		}
		assert_in_range(s.n, 0, 3);
		whole += s.n && s.len == sizeof(text);
		if (i < 2400)
			assert_int_equal(s.n, 0);
		swt_marker_joiner_free(j);
		free(s.text);
	}
	assert_int_not_equal(whole, 0);
	free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip), cmocka_unit_test(test_callbacks_stop),
		cmocka_unit_test(test_broken),	   cmocka_unit_test(test_bounded),
		cmocka_unit_test(test_too_long),   cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
