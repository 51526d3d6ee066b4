/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Record bytes to events: exact bytes of several kernels and machines.
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

#define FIX "tests/fixtures/formats/"

/* "32 01 .." to bytes, in memory of exactly that size. */
static uint8_t *bytes(const char *hex, size_t *len)
{
	uint8_t *p = malloc(strlen(hex) / 3 + 1), *q = p;
	unsigned int v;

	for (; sscanf(hex, "%2x", &v) == 1; hex += hex[2] ? 3 : 2)
		*q++ = (uint8_t)v;
	*len = (size_t)(q - p);
	return realloc(p, *len);
}

static int decode(const char *dir, bool big, int long_size, const char *hex, struct swt_event *ev, char *name)
{
	struct swt_formats *f = pagegen_formats(dir, big, long_size);
	size_t len;
	uint8_t *rec = bytes(hex, &len);
	int rc = swt_decode(f, rec, len, ev);

	/* The string dies with the record. */
	if (rc == 1 && name)
		snprintf(name, 64, "%.*s", (int)ev->str[0].len, ev->str[0].s ? ev->str[0].s : "");
	free(rec);
	swt_formats_free(f);
	return rc;
}

/* The same event, the name as an array and as a dynamic string: fixed offsets would read bytes of the name. */
static void test_moved_field(void **state)
{
	static const char *const v[][2] = {
		{ FIX "comm-data-loc",
		  "32 01 00 00 00 00 00 00 14 00 08 00 92 10 00 00 78 00 00 00 73 77 61 70 68 6f 67 "
		  "00" },
		{ FIX "comm-array",
		  "32 01 00 00 00 00 00 00 73 77 61 70 68 6f 67 00 00 00 00 00 00 00 00 00 92 10 00 00 "
		  "78 00 00 00" },
		/* Relative to the end of the field: 20 - 12. */
		{ FIX "comm-rel-loc",
		  "32 01 00 00 00 00 00 00 08 00 08 00 92 10 00 00 78 00 00 00 73 77 61 70 68 6f 67 "
		  "00" },
	};
	struct swt_event ev;
	char name[64];

	(void)state;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(decode(v[i][0], false, 8, v[i][1], &ev, name), 1);
		assert_int_equal(ev.id, SWT_EV_SCHED_FREE);
		assert_string_equal(name, "swaphog");
		assert_int_equal(ev.f[SWT_F_SCHED_FREE_PID], 4242);
		assert_int_equal(ev.have, 3);
	}
}

static void test_machines(void **state)
{
	static const struct {
		const char *dir;
		bool big;
		int long_size;
		const char *hex;
	} v[] = {
		{ FIX "arm32", false, 4,
		  "37 00 00 00 92 10 00 00 4d 3c 2b 1a 00 00 00 00 02 00 00 00 00 00 00 19" },
		{ FIX "plain64", false, 8,
		  "37 00 00 00 92 10 00 00 4d 3c 2b 1a 00 00 00 00 02 00 00 00 00 00 00 00 00 00 00 19 00 00 00 00" },
		{ FIX "s390x", true, 8,
		  "00 37 00 00 00 00 10 92 1a 2b 3c 4d 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00 00 19 00 00 00" },
	};
	struct swt_event ev;

	(void)state;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(decode(v[i].dir, v[i].big, v[i].long_size, v[i].hex, &ev, NULL), 1);
		assert_int_equal(ev.id, SWT_EV_RSS_STAT);
		assert_int_equal(ev.task, 4242);
		assert_int_equal(ev.have, 0xf);
		assert_int_equal(ev.f[SWT_F_RSS_STAT_MM_ID], 439041101);
		assert_int_equal(ev.f[SWT_F_RSS_STAT_CURR], 0);
		assert_int_equal(ev.f[SWT_F_RSS_STAT_MEMBER], 2);
		assert_int_equal(ev.f[SWT_F_RSS_STAT_SIZE], 419430400);
		assert_int_equal(ev.f[SWT_F_RSS_STAT_SIZE] / 4096, 102400);
	}
	/* 3 GiB do not fit a 32-bit long: negative, for the model to call out of range. */
	assert_int_equal(decode(FIX "arm32", false, 4,
				"37 00 00 00 92 10 00 00 4d 3c 2b 1a 00 00 00 00 02 00 00 00 00 00 00 c0",
				&ev, NULL),
			 1);
	assert_true(ev.f[SWT_F_RSS_STAT_SIZE] == -1073741824);
}

/* One more common field moves everything behind it. */
static void test_common_extra(void **state)
{
	struct swt_event ev;

	(void)state;
	assert_int_equal(decode(FIX "common-extra", false, 8,
				"86 02 00 00 92 10 00 00 01 00 00 00 07 00 00 00 00 00 00 00 02 00 00 00 "
				"00 10 00 00 00 00 00 00",
				&ev, NULL),
			 1);
	assert_int_equal(ev.task, 4242);
	assert_int_equal(ev.f[SWT_F_RSS_STAT_MM_ID], 7);
	assert_int_equal(ev.f[SWT_F_RSS_STAT_MEMBER], 2);
	assert_int_equal(ev.f[SWT_F_RSS_STAT_SIZE], 4096);
}

/* mark_victim had a pid only; the victim is its payload, not the task that ran out of memory. */
static void test_mark_victim(void **state)
{
	struct swt_event ev;
	char name[64];

	(void)state;
	assert_int_equal(
		decode(FIX "mark-victim-pid", false, 8, "61 02 00 00 d2 04 00 00 e7 03 00 00", &ev, name), 1);
	assert_int_equal(ev.task, 1234);
	assert_int_equal(ev.have, 1u << SWT_F_OOM_MARK_VICTIM_PID);
	assert_int_equal(ev.f[SWT_F_OOM_MARK_VICTIM_PID], 999);
	assert_string_equal(name, "");

	assert_int_equal(decode(FIX "mark-victim-full", false, 8,
				"61 02 00 00 d2 04 00 00 e7 03 00 00 44 00 04 00 00 10 00 00 00 00 00 00 "
				"00 08 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
				"e8 03 00 00 00 00 00 00 40 00 00 00 00 00 00 00 00 00 00 00 68 6f 67 00",
				&ev, name),
			 1);
	assert_int_equal(ev.have, 0xf);
	assert_int_equal(ev.f[SWT_F_OOM_MARK_VICTIM_PID], 999);
	assert_string_equal(name, "hog");
	assert_int_equal(ev.f[SWT_F_OOM_MARK_VICTIM_ANON_RSS], 2048);
	assert_int_equal(ev.f[SWT_F_OOM_MARK_VICTIM_TOTAL_VM], 4096);
}

/* A field of a type nobody knows costs that field only. */
static void test_unknown_type(void **state)
{
	struct swt_event ev;
	char name[64];

	(void)state;
	assert_int_equal(decode(FIX "unknown-type", false, 8,
				"71 01 00 00 92 10 00 00 73 77 61 70 68 6f 67 00 00 00 00 00 00 00 00 00 "
				"92 10 00 00 78 00 00 00 01 00 00 00 ff ff ff ff ff ff ff ff ff ff ff ff",
				&ev, name),
			 1);
	assert_string_equal(name, "swaphog");
	assert_int_equal(ev.f[SWT_F_SCHED_EXIT_PID], 4242);
	assert_int_equal(ev.f[SWT_F_SCHED_EXIT_GROUP_DEAD], 1);
	assert_int_equal(ev.have, 7);
	/* Without the field there is no bit, whatever the bytes say. */
	assert_int_equal(decode(FIX "no-group-dead", false, 8,
				"71 01 00 00 92 10 00 00 73 77 61 70 68 6f 67 00 00 00 00 00 00 00 00 00 "
				"92 10 00 00 78 00 00 00 01 00 00 00",
				&ev, name),
			 1);
	assert_false(swt_event_has(&ev, SWT_F_SCHED_EXIT_GROUP_DEAD));
	assert_int_equal(ev.f[SWT_F_SCHED_EXIT_GROUP_DEAD], 0);
}

/* Unsigned 64-bit values keep their bits, and a full name has no NUL. */
static void test_extremes(void **state)
{
	struct swt_formats *f =
		pagegen_formats("tracepoints/formats/6.12:tracepoints/formats/6.12-swaptop", false, 8);
	struct swt_event in = { .id = SWT_EV_SWAP_EXIT_DEFER, .task = -1, .have = 0xff }, ev;
	uint8_t rec[256];
	size_t len;

	(void)state;
	in.f[SWT_F_SWAP_EXIT_DEFER_MEMCG] = -1;
	in.f[SWT_F_SWAP_EXIT_DEFER_MM_ID] = 0xffffffff;
	in.f[SWT_F_SWAP_EXIT_DEFER_NID] = -1;
	len = pagegen_encode(f, &in, rec, sizeof(rec));
	assert_int_equal(swt_decode(f, rec, len, &ev), 1);
	assert_int_equal((uint64_t)ev.f[SWT_F_SWAP_EXIT_DEFER_MEMCG], UINT64_MAX);
	assert_int_equal(ev.f[SWT_F_SWAP_EXIT_DEFER_MM_ID], 0xffffffff);
	assert_true(ev.f[SWT_F_SWAP_EXIT_DEFER_NID] == -1);
	assert_int_equal(ev.task, -1);

	in = (struct swt_event){ .id = SWT_EV_SCHED_EXIT, .have = 1 };
	in.str[0] = (struct swt_str){ "x", 1 };
	len = pagegen_encode(f, &in, rec, sizeof(rec));
	memset(rec + 8, 'a', 16);
	assert_int_equal(swt_decode(f, rec, len, &ev), 1);
	assert_int_equal(ev.str[0].len, 16);
	swt_formats_free(f);
}

/* A field outside the record is not had; the others are. */
static void test_short(void **state)
{
	static const char hex[] =
		"37 00 00 00 92 10 00 00 4d 3c 2b 1a 00 00 00 00 02 00 00 00 00 00 00 00 00 00 00 19 "
		"00 00 00 00";
	static const uint8_t have[] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 3,
					3, 3, 3, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 15 };
	struct swt_formats *f = pagegen_formats(FIX "plain64", false, 8);
	struct swt_event ev;

	(void)state;
	for (size_t n = 0; n <= 32; n++) {
		size_t len;
		uint8_t *rec = bytes(hex, &len);

		rec = realloc(rec, n ? n : 1);
		assert_int_equal(swt_decode(f, rec, n, &ev), n < 8 ? -EBADMSG : 1);
		if (n >= 8) {
			assert_int_equal(ev.have, have[n]);
			if (n < 32)
				assert_int_equal(ev.f[SWT_F_RSS_STAT_SIZE], 0);
		}
		free(rec);
	}
	swt_formats_free(f);
}

static void test_strings_outside(void **state)
{
	static const struct {
		const char *loc;
		bool had;
		const char *name;
	} v[] = {
		{ "14 00 08 00", true, "swaphog" }, { "14 00 04 00", true, "swap" },
		{ "14 00 00 00", true, "" },	    { "1c 00 00 00", true, "" },
		{ "14 00 09 00", false, "" },	    { "1d 00 00 00", false, "" },
		{ "ff ff 01 00", false, "" },	    { "14 00 ff ff", false, "" },
	};
	struct swt_event ev;
	char name[64], hex[256];

	(void)state;
	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		snprintf(hex, sizeof(hex),
			 "32 01 00 00 00 00 00 00 %s 92 10 00 00 78 00 00 00 73 77 61 70 68 6f 67 00",
			 v[i].loc);
		assert_int_equal(decode(FIX "comm-data-loc", false, 8, hex, &ev, name), 1);
		assert_int_equal(swt_event_has(&ev, SWT_F_SCHED_FREE_COMM), v[i].had);
		assert_string_equal(name, v[i].name);
		assert_int_equal(ev.f[SWT_F_SCHED_FREE_PID], 4242);
	}
}

static void test_not_ours(void **state)
{
	static const char other[] = "name: other\nID: 9\nformat:\n"
				    "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
				    "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n";
	uint8_t rec[8] = { 9 };
	struct swt_formats *f;
	struct swt_event ev;

	(void)state;
	assert_int_equal(swt_formats_new(false, 8, &f), 0);
	assert_int_equal(swt_decode(f, rec, sizeof(rec), &ev), -EBADMSG);
	assert_int_equal(swt_formats_add(f, "x", other, strlen(other), NULL), 0);
	assert_int_equal(swt_decode(f, rec, sizeof(rec), &ev), 0);
	rec[0] = 10;
	assert_int_equal(swt_decode(f, rec, sizeof(rec), &ev), -EBADMSG);
	swt_formats_free(f);
}

/* Every event of every kernel survives encoding and decoding. */
static void test_round_trip(void **state)
{
	static const char *const dirs[] = { "tracepoints/formats/6.1",
					    "tracepoints/formats/6.12:tracepoints/formats/6.12-swaptop",
					    "tracepoints/formats/6.18", FIX "s390x", FIX "arm32" };

	static const struct swt_str first = { "first one", 9 }, second = { "second", 6 };

	(void)state;
	for (int d = 0; d < 5; d++) {
		struct swt_formats *f = pagegen_formats(dirs[d], d == 3, d == 4 ? 4 : 8);

		for (int id = 0; id < SWT_EV_COUNT; id++) {
			const struct swt_event_desc *desc = swt_catalog(id);
			struct swt_event in = { .id = (uint16_t)id, .task = 4242, .str = { first, second } },
					 ev;
			uint8_t rec[512];
			unsigned int nstr = 0;
			size_t len;

			if (!swt_formats_have(f, id))
				continue;
			for (unsigned int i = 0; i < desc->nfields; i++) {
				if (!swt_formats_field(f, id, i).size)
					continue;
				in.have |= 1u << i;
				in.f[i] = desc->fields[i].kind == SWT_FIELD_INT ? 100 + i : 0;
				if (desc->fields[i].kind == SWT_FIELD_STR)
					nstr++;
			}
			len = pagegen_encode(f, &in, rec, sizeof(rec));
			assert_int_equal(swt_decode(f, rec, len, &ev), 1);
			assert_int_equal(ev.id, id);
			assert_int_equal(ev.task, 4242);
			assert_int_equal(ev.have, in.have);
			assert_memory_equal(ev.f, in.f, sizeof(in.f));
			for (unsigned int i = 0; i < nstr; i++) {
				assert_int_equal(ev.str[i].len, in.str[i].len);
				assert_memory_equal(ev.str[i].s, in.str[i].s, in.str[i].len);
			}
		}
		swt_formats_free(f);
	}
}

static void test_mutated(void **state)
{
	struct swt_formats *f = pagegen_formats("tracepoints/formats/6.18", false, 8);
	uint64_t seed = 3;
	unsigned int sum = 0;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct swt_event in = { .id = (uint16_t)prng_below(&seed, SWT_EV_COUNT), .have = UINT32_MAX },
				 ev;
		uint8_t rec[512], *copy;
		size_t len;

		if (!swt_formats_have(f, in.id))
			continue;
		in.str[0] = in.str[1] = (struct swt_str){ "name", 4 };
		len = pagegen_encode(f, &in, rec, sizeof(rec));
		prng_damage(&seed, rec + 2, &(size_t){ len - 2 });
		len = prng_below(&seed, len + 1);
		copy = malloc(len ? len : 1);
		memcpy(copy, rec, len);
		if (swt_decode(f, copy, len, &ev) == 1)
			for (int s = 0; s < SWT_EV_MAX_STR; s++)
				for (uint32_t c = 0; c < ev.str[s].len; c++)
					sum += (unsigned char)ev.str[s].s[c];
		free(copy);
	}
	assert_int_not_equal(sum, 0);
	swt_formats_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_moved_field),  cmocka_unit_test(test_machines),
		cmocka_unit_test(test_common_extra), cmocka_unit_test(test_mark_victim),
		cmocka_unit_test(test_unknown_type), cmocka_unit_test(test_extremes),
		cmocka_unit_test(test_short),	     cmocka_unit_test(test_strings_outside),
		cmocka_unit_test(test_not_ours),     cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_mutated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
