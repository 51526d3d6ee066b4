/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The schema against streams: right ones pass, wrong ones do not, and every key of the format is in it.
 *
 * Validation is Python's (tests/tools/check-schema.py); without python3-jsonschema those tests are skipped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "out/doctor.h"
#include "out/schema.h"
#include "outgen.h"

static char dir[] = "/tmp/swt-schema-XXXXXX";
static char schema[64], stream[64];

static void put_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static int setup(void **state)
{
	struct swt_buf b = SWT_BUF_INIT;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(schema, sizeof(schema), "%s/schema", dir);
	snprintf(stream, sizeof(stream), "%s/stream", dir);
	assert_int_equal(swt_schema(&b), 0);
	put_file(schema, swt_buf_str(&b));
	swt_buf_free(&b);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	unlink(schema);
	unlink(stream);
	return rmdir(dir);
}

static bool refused[64]; /* by line, from 0 */

/* 0: valid, 1: not (see refused); skips without the module. */
static int validate(void)
{
	char line[512];
	unsigned int n;
	FILE *f;
	int rc;

	snprintf(line, sizeof(line), "/usr/bin/python3 tests/tools/check-schema.py %s %s >/dev/null 2>%s/err",
		 schema, stream, dir);
	rc = system(line);
	assert_true(WIFEXITED(rc));
	snprintf(line, sizeof(line), "%s/err", dir);
	f = fopen(line, "r");
	assert_non_null(f);
	unlink(line);
	memset(refused, 0, sizeof(refused));
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "line %u:", &n) == 1 && n && n <= 64)
			refused[n - 1] = true;
		else if (WEXITSTATUS(rc) != 77)
			print_error("%s", line);
	}
	fclose(f);
	if (WEXITSTATUS(rc) == 77)
		skip();
	assert_true(WEXITSTATUS(rc) == 0 || WEXITSTATUS(rc) == 1);
	return WEXITSTATUS(rc);
}

static void test_our_stream(void **state)
{
	static struct swt_wall w;
	FILE *f = fopen(stream, "w");

	(void)state;
	assert_non_null(f);
	swt_wall_add(&w, OUTGEN_MONO, OUTGEN_REAL);
	assert_int_equal(outgen_stream(fileno(f), &w), 0);
	assert_int_equal(outgen_stream(fileno(f), NULL), 0);
	fclose(f);
	assert_int_equal(validate(), 0);
}

/* Two parsers that know nothing of us. */
static void test_strict_parsers(void **state)
{
	char line[256];
	FILE *f = fopen(stream, "w");

	(void)state;
	assert_non_null(f);
	assert_int_equal(outgen_stream(fileno(f), NULL), 0);
	fclose(f);
	snprintf(line, sizeof(line), "python3 -m json.tool --json-lines %s >/dev/null", stream);
	assert_int_equal(system(line), 0);
	snprintf(line, sizeof(line), "command -v jq >/dev/null || exit 0; test \"$(jq -s length <%s)\" = 11",
		 stream);
	assert_int_equal(system(line), 0);
}

static void test_doctor(void **state)
{
	static struct swt_sys sys;
	struct swt_source_info info;
	struct swt_doctor d = { .info = &info, .ncpus = 2, .page_size = 4096 };
	struct swt_json j;
	FILE *f = fopen(stream, "w");
	int kind;

	(void)state;
	assert_non_null(f);
	for (kind = SWT_SOURCE_PROC; kind <= SWT_SOURCE_PATCHED; kind++) {
		outgen_source(&info, (enum swt_source_kind)kind);
		d.sys = kind == SWT_SOURCE_PROC ? NULL : &sys;
		d.others = kind == SWT_SOURCE_PROC ? NULL : "trace-cmd (pid 712)\n\xff\n";
		swt_json_init(&j, fileno(f), NULL);
		assert_int_equal(swt_doctor_json(&d, &j, 5), 0);
		swt_json_fini(&j);
	}
	fclose(f);
	assert_int_equal(validate(), 0);
}

#define COMMON "\"seq\":1,\"time\":null,\"mono_ns\":\"5\""
#define END                         \
	"{\"type\":\"end\"," COMMON \
	",\"reports\":1,\"exits\":2,\"events\":null,\"lost\":0,\"complete\":true,\"reason\":\"count\"}\n"

/* A record of the format with one fault each. */
static void test_wrong_records(void **state)
{
	static const struct {
		const char *line, *what;
	} bad[] = {
		{ "{\"type\":\"end\"," COMMON
		  ",\"exits\":2,\"events\":null,\"lost\":0,\"complete\":true,\"reason\":null}\n",
		  "a key is missing" },
		{ "{\"type\":\"end\"," COMMON
		  ",\"reports\":\"1\",\"exits\":2,\"events\":0,\"lost\":0,\"complete\":true,\"reason\":null}\n",
		  "a string for a number" },
		{ "{\"type\":\"end\"," COMMON
		  ",\"reports\":1,\"exits\":-2,\"events\":0,\"lost\":0,\"complete\":true,\"reason\":null}\n",
		  "a negative count" },
		{ "{\"type\":\"end\"," COMMON
		  ",\"reports\":1,\"exits\":null,\"events\":0,\"lost\":0,\"complete\":true,\"reason\":null}\n",
		  "null where it is never null" },
		{ "{\"type\":\"end\"," COMMON
		  ",\"reports\":1,\"exits\":2,\"events\":0,\"lost\":NaN,\"complete\":true,\"reason\":null}\n",
		  "NaN" },
		{ "{\"type\":\"end\"," COMMON
		  ",\"reports\":1,\"exits\":2,\"events\":9007199254740993,\"lost\":0,\"complete\":true,\"reason\":null}\n",
		  "above 2^53" },
		{ "{\"type\":\"end\",\"seq\":1,\"time\":\"2026-11-30 12:04:30\",\"mono_ns\":\"5\",\"reports\":1,\"exits\":2,\"events\":0,\"lost\":0,\"complete\":true,\"reason\":null}\n",
		  "another form of time" },
		{ "{\"type\":\"end\",\"seq\":1,\"time\":null,\"mono_ns\":5,\"reports\":1,\"exits\":2,\"events\":0,\"lost\":0,\"complete\":true,\"reason\":null}\n",
		  "a number for a 64-bit string" },
		{ "{\"type\":\"end\"," COMMON
		  ",\"reports\":1,\"reports\":1,\"exits\":2,\"events\":0,\"lost\":0,\"complete\":true,\"reason\":null}\n",
		  "a key twice" },
		{ "{\"type\":\"stop\"," COMMON "}\n", "an unknown type" },
		{ "{" COMMON "}\n", "no type" },
		{ "{\"type\":\"exit_update\"," COMMON
		  ",\"release\":null,\"reap_ns\":null,\"released_mono_ns\":null,\"lag_ns\":null,\"released_by_pid\":null,\"final\":true,\"complete\":true}\n",
		  "no release" },
		{ "[]\n", "not an object" },
	};
	size_t i;
	FILE *f;

	(void)state;
	put_file(stream, END);
	assert_int_equal(validate(), 0);
	put_file(
		stream,
		"{\"type\":\"end\"," COMMON
		",\"new_key\":[1],\"reports\":1,\"exits\":2,\"events\":0,\"lost\":0,\"complete\":true,\"reason\":null}\n");
	assert_int_equal(validate(), 0); /* keys of a later minor version */
	f = fopen(stream, "w");
	assert_non_null(f);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		fputs(bad[i].line, f);
	fclose(f);
	assert_int_equal(validate(), 1);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (!refused[i])
			fail_msg("accepted: %s", bad[i].what);
}

/* The worked example of the manual: one stream, as it was written down before the writer existed. */
static void test_example(void **state)
{
	(void)state;
	put_file(
		stream,
		"{\"type\":\"header\",\"seq\":0,\"time\":\"2026-11-30T12:04:30.000000Z\",\"mono_ns\":\"81234000000000\","
		"\"schema\":\"swaptop/1.0\",\"version\":\"1.0.0\",\"host\":\"host7\",\"boot_id\":\"3c0b6f0e-8f0d-4f6d-9a57-3b1a5a5a0001\","
		"\"kernel\":\"6.12.117\",\"arch\":\"x86_64\",\"page_size\":4096,\"source\":\"patched\",\"level\":2,\"clock\":\"mono\","
		"\"interval_s\":1.0,\"mode\":\"async\",\"events\":{\"swap:swap_exit_begin\":\"have\",\"kmem:rss_stat\":\"have\","
		"\"signal:signal_deliver\":\"no_access\"},\"missing\":[\"zswpwb\"],\"rings_bytes\":16777216}\n"
		"{\"type\":\"exit\",\"seq\":1,\"time\":\"2026-11-30T12:04:30.512345Z\",\"mono_ns\":\"81234512345000\","
		"\"release\":\"81234446345000-4198\",\"kind\":\"exit\",\"pid\":4198,\"start_mono_ns\":\"80000000000000\",\"ppid\":1,"
		"\"comm\":\"com.maps\",\"comm_hex\":null,\"cgroup\":\"/user.slice/app-maps\",\"threads\":8,"
		"\"cause\":{\"signal\":9,\"sender_pid\":412,\"oom\":false},"
		"\"evidence\":{\"start\":\"swap_exit_begin\",\"end\":\"swap_exit_end\",\"entries\":\"swap_exit_end\"},"
		"\"swap_entries\":7992,\"swapped_while_dying_entries\":0,\"freed_entries\":7992,\"sync_entries\":120,"
		"\"late_entries\":0,\"deferred_entries\":7872,\"fallback_entries\":0,\"signal_ns\":1800000,\"teardown_ns\":66000000,"
		"\"swap_ns\":8300000,\"other_ns\":57700000,\"reap_ns\":null,\"ns_per_entry\":1040,\"concurrency\":15,"
		"\"backend\":\"zram\",\"released_mono_ns\":null,\"lag_ns\":null,\"released_by_pid\":null,\"final\":false,\"complete\":true}\n"
		"{\"type\":\"exit_update\",\"seq\":2,\"time\":\"2026-11-30T12:04:30.753345Z\",\"mono_ns\":\"81234753345000\","
		"\"release\":\"81234446345000-4198\",\"reap_ns\":400000,\"released_mono_ns\":\"81234753300000\",\"lag_ns\":240955000,"
		"\"released_by_pid\":61,\"final\":true,\"complete\":true}\n"
		"{\"type\":\"end\",\"seq\":9,\"time\":\"2026-11-30T12:04:33.000100Z\",\"mono_ns\":\"81237000100000\",\"reports\":3,"
		"\"exits\":15,\"events\":212,\"lost\":0,\"complete\":true,\"reason\":\"count\"}\n");
	assert_int_equal(validate(), 0);
}

/* The keys the format promises (swaptop-json(5)), by record. */
static void test_promised_keys(void **state)
{
	static const struct {
		const char *record, *keys;
	} want[] = {
		{ "*", "type seq time mono_ns" },
		{ "header",
		  "schema version host boot_id kernel arch page_size source level clock interval_s mode events missing "
		  "rings_bytes" },
		{ "report",
		  "interval_ns complete swap.total_bytes swap.used_bytes swap.cached_bytes swap.zero_filled_entries "
		  "swap.in_entries swap.out_entries swap.devices[].name swap.devices[].kind swap.devices[].size_bytes "
		  "swap.devices[].used_bytes swap.devices[].priority swap.zram[].name swap.zram[].data_bytes "
		  "swap.zram[].compressed_bytes swap.zram[].pool_bytes swap.zram[].pool_peak_bytes swap.zram[].missed_free "
		  "swap.zswap.data_bytes swap.zswap.pool_bytes memory.total_bytes memory.available_bytes "
		  "psi.some_avg10_percent psi.full_avg10_percent defer.mode defer.pending_entries defer.deferred_entries "
		  "defer.released_entries defer.fallback_by_reason defer.drained_by_reason defer.age_max_ns defer.batches "
		  "defer.batch_ns exits.count exits.in_flight exits.freed_entries exits.teardown_ns exits.ns_per_entry "
		  "khugepaged.cpu_percent khugepaged.full_scans khugepaged.collapsed_pages khugepaged.results "
		  "khugepaged.skipped khugepaged.aborted trace.events trace.lost trace.cost_ns self.cpu_percent self.rss_bytes" },
		{ "exit",
		  "release kind pid start_mono_ns ppid comm comm_hex cgroup cgroup_hex threads cause.signal cause.sender_pid "
		  "cause.oom evidence.start evidence.end evidence.entries swap_entries swapped_while_dying_entries "
		  "freed_entries sync_entries late_entries deferred_entries fallback_entries signal_ns teardown_ns swap_ns "
		  "other_ns reap_ns ns_per_entry concurrency backend released_mono_ns lag_ns released_by_pid final complete" },
		{ "exit_update", "release reap_ns released_mono_ns lag_ns released_by_pid final complete" },
		{ "end", "reports exits events lost complete reason" },
	};
	size_t i, k;

	(void)state;
	for (i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		const char *p = want[i].keys;

		while (*p) {
			size_t n = strcspn(p, " ");

			for (k = 0; k < swt_nkeys; k++)
				if (!strcmp(swt_keys[k].record, want[i].record) &&
				    strlen(swt_keys[k].path) == n && !strncmp(swt_keys[k].path, p, n))
					break;
			if (k == swt_nkeys)
				fail_msg("%s.%.*s is not in the table", want[i].record, (int)n, p);
			p += n + (p[n] == ' ');
		}
	}
}

/* The table itself: no key twice, every key explained, units in names, what passes 2^53 a string. */
static void test_table(void **state)
{
	size_t i, k;

	(void)state;
	for (i = 0; i < swt_nkeys; i++) {
		const struct swt_key *a = &swt_keys[i];
		const char *leaf = strrchr(a->path, '.') ? strrchr(a->path, '.') + 1 : a->path;

		if (strlen(a->help) < 4)
			fail_msg("%s.%s is not explained", a->record, a->path);
		for (k = 0; k < i; k++)
			if (!strcmp(a->record, swt_keys[k].record) && !strcmp(a->path, swt_keys[k].path))
				fail_msg("%s.%s is there twice", a->record, a->path);
		if (a->type == SWT_KEY_RATIO)
			assert_true(strstr(leaf, "percent") || !strcmp(leaf, "interval_s") ||
				    strstr(leaf, "per_exit"));
		if (strstr(leaf, "mono_ns"))
			assert_int_equal(a->type, SWT_KEY_U64);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_our_stream), cmocka_unit_test(test_strict_parsers),
		cmocka_unit_test(test_doctor),	   cmocka_unit_test(test_wrong_records),
		cmocka_unit_test(test_example),	   cmocka_unit_test(test_promised_keys),
		cmocka_unit_test(test_table),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
