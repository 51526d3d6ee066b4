/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The NDJSON writer: keys, nulls, strings, numbers, and what happens on the descriptor.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include <json-c/json.h>

#include "model/column.h"
#include "out/emit.h"
#include "out/schema.h"
#include "outgen.h"

#define MAX_LINE (1 << 16)

/* A stream whose every write(2) arrives as one packet. */
struct tap {
	int fd[2];
	struct swt_json j;
	struct swt_wall wall;
	char line[MAX_LINE];
	size_t len;
};

static struct tap tap;

static int open_tap(void **state)
{
	int size = 1 << 18;

	memset(&tap, 0, sizeof(tap));
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, tap.fd), 0);
	setsockopt(tap.fd[1], SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	swt_wall_add(&tap.wall, OUTGEN_MONO, OUTGEN_REAL);
	swt_json_init(&tap.j, tap.fd[1], &tap.wall);
	*state = &tap;
	return 0;
}

static int close_tap(void **state)
{
	struct tap *t = *state;

	swt_json_fini(&t->j);
	close(t->fd[0]);
	close(t->fd[1]);
	return 0;
}

/* The next packet: it must be one whole line. */
static struct json_object *next(struct tap *t)
{
	ssize_t n = recv(t->fd[0], t->line, sizeof(t->line) - 1, MSG_DONTWAIT);
	struct json_tokener *tok = json_tokener_new();
	struct json_object *o;

	assert_true(n > 0);
	t->len = (size_t)n;
	t->line[n] = '\0';
	assert_ptr_equal(memchr(t->line, '\n', (size_t)n), t->line + n - 1);
	json_tokener_set_flags(tok, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	o = json_tokener_parse_ex(tok, t->line, (int)n);
	assert_int_equal(json_tokener_get_error(tok), json_tokener_success);
	assert_non_null(o);
	json_tokener_free(tok);
	return o;
}

/* A member by its dotted path; *there says whether it exists (null members give NULL). */
static struct json_object *find(struct json_object *o, const char *path, bool *there)
{
	char key[64];
	size_t n;

	*there = true;
	while (*path && *there) {
		n = strcspn(path, ".");
		memcpy(key, path, n);
		key[n] = '\0';
		*there = json_object_object_get_ex(o, key, &o);
		path += n + (path[n] == '.');
	}
	return *there ? o : NULL;
}

static struct json_object *get(struct json_object *o, const char *path)
{
	bool there;
	struct json_object *v = find(o, path, &there);

	if (!there)
		fail_msg("no key %s", path);
	return v;
}

static void is_null(struct json_object *o, const char *path)
{
	if (get(o, path))
		fail_msg("%s is not null", path);
}

static void is_num(struct json_object *o, const char *path, uint64_t want)
{
	struct json_object *v = get(o, path);

	assert_true(json_object_is_type(v, json_type_int));
	assert_int_equal(json_object_get_uint64(v), want);
}

static void is_str(struct json_object *o, const char *path, const char *want)
{
	struct json_object *v = get(o, path);

	assert_true(json_object_is_type(v, json_type_string));
	assert_string_equal(json_object_get_string(v), want);
}

static struct json_object *write_exit(struct tap *t, const struct swt_release *r)
{
	assert_int_equal(swt_json_exit(&t->j, OUTGEN_MONO, r), 0);
	return next(t);
}

/* Keys of the record type in the table: every one is written, in this order, and no other. */
static void check_keys(struct json_object *o, const char *record, const char *path)
{
	size_t i, depth = strlen(path);

	json_object_object_foreach(o, key, v)
	{
		char full[128];
		bool known = false;

		snprintf(full, sizeof(full), "%s%s", path, key);
		for (i = 0; i < swt_nkeys && !known; i++) {
			if (strcmp(swt_keys[i].record, record) && strcmp(swt_keys[i].record, "*"))
				continue;
			if (strcmp(swt_keys[i].path, full))
				continue;
			known = true;
			if (!v && !swt_keys[i].null)
				fail_msg("%s.%s is null", record, full);
			if (v && swt_keys[i].type == SWT_KEY_OBJECT) {
				strcat(full, ".");
				check_keys(v, record, full);
			}
			if (v && swt_keys[i].type == SWT_KEY_LIST && json_object_array_length(v)) {
				strcat(full, "[].");
				check_keys(json_object_array_get_idx(v, 0), record, full);
			}
		}
		if (!known)
			fail_msg("%s.%s is not in the table", record, full);
	}
	for (i = 0; i < swt_nkeys; i++) {
		const struct swt_key *k = &swt_keys[i];

		if (strcmp(k->record, record) || strncmp(k->path, path, depth) ||
		    strpbrk(k->path + depth, ".["))
			continue;
		if (!json_object_object_get_ex(o, k->path + depth, NULL))
			fail_msg("%s.%s is not written", record, k->path);
	}
}

static void test_every_key(void **state)
{
	struct tap *t = *state;
	struct json_object *o;
	unsigned int n = 0;

	assert_int_equal(outgen_stream(t->fd[1], &t->wall), 0);
	for (n = 0; n < 11; n++) {
		o = next(t);
		check_keys(o, json_object_get_string(get(o, "type")), "");
		is_num(o, "seq", n);
		json_object_put(o);
	}
	assert_int_equal(recv(t->fd[0], t->line, sizeof(t->line), MSG_DONTWAIT), -1);
}

/* The example of the design, value by value. */
static void test_exit_values(void **state)
{
	static const char *const order[] = {
		"type",
		"seq",
		"time",
		"mono_ns",
		"release",
		"kind",
		"pid",
		"start_mono_ns",
		"ppid",
		"comm",
		"comm_hex",
		"cgroup",
		"cgroup_hex",
		"threads",
		"cause",
		"evidence",
		"swap_entries",
		"swapped_while_dying_entries",
		"freed_entries",
		"sync_entries",
		"late_entries",
		"deferred_entries",
		"fallback_entries",
		"signal_ns",
		"teardown_ns",
		"swap_ns",
		"other_ns",
		"reap_ns",
		"ns_per_entry",
		"concurrency",
		"backend",
		"released_mono_ns",
		"lag_ns",
		"released_by_pid",
	};
	struct swt_release r;
	struct json_object *o;
	unsigned int i = 0;

	outgen_exit(&r);
	o = write_exit(*state, &r);
	is_str(o, "type", "exit");
	is_str(o, "time", "2026-11-30T12:04:30.512345Z");
	is_str(o, "mono_ns", "81234512345000");
	is_str(o, "release", "81234446345000-4198");
	is_str(o, "kind", "exit");
	is_num(o, "pid", 4198);
	is_str(o, "start_mono_ns", "80000000000000");
	is_str(o, "comm", "com.maps");
	is_null(o, "comm_hex");
	is_null(o, "cgroup_hex");
	is_num(o, "cause.signal", 9);
	is_num(o, "cause.sender_pid", 412);
	assert_false(json_object_get_boolean(get(o, "cause.oom")));
	is_str(o, "evidence.start", "swap_exit_begin");
	is_num(o, "deferred_entries", 7872);
	is_num(o, "teardown_ns", 66000000);
	is_null(o, "reap_ns");
	is_num(o, "ns_per_entry", 1040);
	is_num(o, "concurrency", 15);
	is_null(o, "released_mono_ns");
	json_object_object_foreach(o, key, v)
	{
		(void)v;
		if (i < sizeof(order) / sizeof(order[0]))
			assert_string_equal(key, order[i]);
		i++;
	}
	json_object_put(o);
}

static void test_unknown_is_null(void **state)
{
	static const char *const nulls[] = {
		"pid",		 "start_mono_ns", "ppid",      "comm",		 "cgroup",
		"threads",	 "cause.signal",  "cause.oom", "evidence.start", "swap_entries",
		"freed_entries", "sync_entries",  "signal_ns", "teardown_ns",	 "swap_ns",
		"ns_per_entry",	 "concurrency",	  "backend",   "lag_ns",	 "released_by_pid",
	};
	struct swt_release r;
	struct json_object *o;
	unsigned int i;

	outgen_blank(&r);
	o = write_exit(*state, &r);
	for (i = 0; i < sizeof(nulls) / sizeof(nulls[0]); i++)
		is_null(o, nulls[i]);
	json_object_put(o);

	/* Signals were watched and there was none: that is known. */
	r.cause_known = true;
	o = write_exit(*state, &r);
	is_num(o, "cause.signal", 0);
	json_object_put(o);
}

/* F102: 0 entries in 0 ns. */
static void test_no_nan(void **state)
{
	struct swt_release r;
	struct json_object *o;

	outgen_exit(&r);
	r.freed = r.ns_per_entry = r.swap_ns = swt_some(0);
	o = write_exit(*state, &r);
	is_null(o, "ns_per_entry");
	is_num(o, "freed_entries", 0);
	is_num(o, "swap_ns", 0);
	json_object_put(o);
	assert_null(strstr(tap.line, "NaN"));
	assert_null(strstr(tap.line, "nan"));
	assert_null(strstr(tap.line, "Inf"));
}

/* F106: what passes 2^53 survives a parser that keeps doubles. */
static void test_big_numbers(void **state)
{
	struct tap *t = *state;
	struct swt_release r;
	struct json_object *o;
	char *p;

	outgen_exit(&r);
	r.born_ns = r.released_at = swt_some(9007199254740993ull);
	r.end_ns = 9007199254740993ull;
	o = write_exit(t, &r);
	is_str(o, "start_mono_ns", "9007199254740993");
	is_str(o, "released_mono_ns", "9007199254740993");
	is_str(o, "mono_ns", "9007199254740993");
	json_object_put(o);

	outgen_odd(&r);
	o = write_exit(t, &r);
	is_str(o, "mono_ns", "18446744073709551615");
	is_null(o, "time"); /* there is no such time */
	is_num(o, "swap_entries", 9007199254740991ull);
	is_null(o, "teardown_ns"); /* 2^53: a double cannot tell it from its neighbour */
	is_null(o, "freed_entries");
	is_num(o, "lost", 9007199254740991ull);
	json_object_put(o);
	/* No bare number in the text above 2^53-1. */
	for (p = t->line; (p = strchr(p, ':')); p++)
		if (p[1] >= '0' && p[1] <= '9')
			assert_true(strtod(p + 1, NULL) <= 9007199254740991.0);
}

static void test_names(void **state)
{
	struct tap *t = *state;
	struct swt_release r;
	struct json_object *o;
	const char *s;

	outgen_odd(&r);
	o = write_exit(t, &r);
	/* a " \ / ESC [ 3 1 m BEL DEL 0xff U+0419 0xd0 */
	is_str(o, "comm", "a\"\\/\x1b[31m\x07\x7f\xef\xbf\xbd\xd0\x99\xef\xbf\xbd");
	is_str(o, "comm_hex", "61225c2f1b5b33316d077fffd099d0");
	/* 0xc3 does not begin a character here; a surrogate is three ill-formed bytes. */
	is_str(o, "cgroup", "/x/\xef\xbf\xbd(\n\xe2\x80\xae/\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	is_str(o, "cgroup_hex", "2f782fc3280ae280ae2feda080");
	json_object_put(o);
	assert_non_null(strstr(t->line, "\\u001b[31m\\u0007"));
	assert_null(strchr(t->line, '\x1b'));
	assert_null(strchr(t->line, '\x07'));
	assert_non_null(strstr(t->line, "\\u0007\\u007f"));
	assert_null(strchr(t->line, '\x7f'));
	for (s = t->line; *s; s++)
		assert_true(*s != '\xff');

	/* CSI as one character; what only looks like it (U+041B ends with 9b, U+00A0 follows the C1 block) stays. */
	outgen_exit(&r);
	r.comm_len = 10;
	memcpy(r.comm,
	       "\xc2\x9b"
	       "1m\xd0\x9b\xc2\xa0\xc2\x80",
	       11);
	o = write_exit(t, &r);
	is_str(o, "comm",
	       "\xc2\x9b"
	       "1m\xd0\x9b\xc2\xa0\xc2\x80");
	json_object_put(o);
	assert_non_null(strstr(t->line, "\"\\u009b"
					"1m\xd0\x9b\xc2\xa0\\u0080\""));

	/* F72: seven letters and a half. */
	outgen_exit(&r);
	memcpy(r.comm, "\xd0\x99\xd0\xa6\xd0\xa3\xd0\x9a\xd0\x95\xd0\x9d\xd0\x93\xd0", 16);
	r.comm_len = 15;
	o = write_exit(t, &r);
	is_str(o, "comm", "\xd0\x99\xd0\xa6\xd0\xa3\xd0\x9a\xd0\x95\xd0\x9d\xd0\x93\xef\xbf\xbd");
	is_str(o, "comm_hex", "d099d0a6d0a3d09ad095d09dd093d0");
	json_object_put(o);

	/* Odd and valid: as it is, with no hex. */
	strcpy(r.comm, "a\nb\t\xd0\x99");
	r.comm_len = 6;
	o = write_exit(t, &r);
	is_str(o, "comm", "a\nb\t\xd0\x99");
	is_null(o, "comm_hex");
	json_object_put(o);
}

static void test_header(void **state)
{
	struct tap *t = *state;
	struct swt_source_info info;
	struct swt_json_header h;
	static struct swt_sys sys;
	struct json_object *o;
	unsigned int i;

	outgen_source(&info, SWT_SOURCE_STOCK);
	outgen_header(&h, &info, &sys);
	h.interval_ns = 250000000;
	assert_int_equal(swt_json_header(&t->j, OUTGEN_MONO, &h), 0);
	o = next(t);
	is_num(o, "seq", 0);
	is_str(o, "schema", "swaptop/1.0");
	is_str(o, "source", "stock");
	is_num(o, "level", 3);
	is_null(o, "mode");
	is_str(json_object_object_get(o, "events"), "kmem:rss_stat", "have");
	is_str(json_object_object_get(o, "events"), "signal:signal_deliver", "no_access");
	is_str(json_object_object_get(o, "events"), "swap:swap_exit_begin", "missing");
	assert_false(json_object_object_get_ex(json_object_object_get(o, "events"), "ftrace:raw_data", NULL));
	/* A kernel without one counter: all are named. */
	assert_int_equal(json_object_array_length(get(o, "missing")), SWT_VM_COUNT);
	assert_string_equal(json_object_get_string(json_object_array_get_idx(get(o, "missing"), 0)),
			    "pswpin");
	json_object_put(o);
	assert_non_null(strstr(t->line, "\"interval_s\":0.25,"));

	for (i = 0; i < SWT_VM_COUNT; i++)
		sys.vm[i] = swt_some(0);
	outgen_source(&info, SWT_SOURCE_PROC);
	outgen_header(&h, &info, &sys);
	assert_int_equal(swt_json_header(&t->j, OUTGEN_MONO, &h), 0);
	o = next(t);
	assert_int_equal(json_object_object_length(get(o, "events")), 0);
	assert_int_equal(json_object_array_length(get(o, "missing")), 0); /* 0 is not missing (F83) */
	is_num(o, "rings_bytes", 0);
	is_null(o, "clock");
	json_object_put(o);
	assert_non_null(strstr(t->line, "\"interval_s\":1.0,"));
}

static void test_report(void **state)
{
	static struct swt_snapshot s;
	struct tap *t = *state;
	struct json_object *o, *b;

	outgen_snapshot(&s);
	memset(&s.exits.ns_per_entry, 0, sizeof(s.exits.ns_per_entry));
	swt_hist_add(&s.exits.ns_per_entry, 0);
	swt_hist_add(&s.exits.ns_per_entry, 1024);
	swt_hist_add(&s.exits.ns_per_entry, 1025);
	assert_int_equal(swt_json_report(&t->j, &s), 0);
	o = next(t);
	is_num(o, "swap.used_bytes", 1536ull << 20);
	is_num(o, "swap.zero_filled_entries", 10 + SWT_VM_SWPOUT_ZERO);
	is_num(o, "swap.in_entries", 10 + SWT_VM_PSWPIN);
	is_num(o, "defer.pending_entries", 104032);
	is_num(o, "defer.fallback_by_reason.budget", 12);
	is_num(o, "khugepaged.results.exceed_swap_pte", 205);
	is_num(o, "khugepaged.skipped.exiting", 10 + SWT_VM_THP_SKIP_EXIT);
	assert_int_equal(
		json_object_get_int(get(json_object_array_get_idx(get(o, "swap.devices"), 0), "priority")),
		-2);
	/* 1024 = 2^((41-1)/4) opens bucket 41; zeros are in bucket 0. */
	b = get(o, "exits.ns_per_entry.buckets");
	assert_string_equal(json_object_to_json_string_ext(b, JSON_C_TO_STRING_PLAIN), "[[0,1],[41,2]]");
	is_num(o, "exits.ns_per_entry.max", 1025);
	json_object_put(o);
	/* Ratios have fixed digits. */
	assert_non_null(strstr(t->line, "\"some_avg10_percent\":12.10,\"full_avg10_percent\":0.05}"));
	assert_non_null(strstr(t->line, "\"cpu_percent\":0.30,"));

	outgen_snapshot_blank(&s);
	assert_int_equal(swt_json_report(&t->j, &s), 0);
	o = next(t);
	is_null(o, "swap.devices");
	is_null(o, "swap.zswap");
	is_null(o, "defer.mode");
	is_null(o, "defer.fallback_by_reason");
	is_null(o, "defer.batch_ns");
	is_null(o, "exits.teardown_ns.p50");
	is_null(o, "khugepaged.cpu_percent");
	is_null(o, "khugepaged.skipped");
	is_null(o, "trace.lost");
	json_object_put(o);

	/* Resets (F85) and impossible pairs are unknown, a name that comes twice is one key. */
	outgen_snapshot_odd(&s);
	assert_int_equal(swt_json_report(&t->j, &s), 0);
	o = next(t);
	is_null(o, "swap.used_bytes");
	is_null(o, "swap.in_entries");
	is_null(o, "khugepaged.aborted");
	assert_int_equal(json_object_object_length(get(o, "khugepaged.results")), 2);
	assert_int_equal(json_object_array_length(get(o, "swap.zram")), SWT_MAX_ZRAM);
	json_object_put(o);
}

static void test_end_counts(void **state)
{
	static struct swt_snapshot s;
	struct tap *t = *state;
	struct swt_json_end e = { SWT_UNKNOWN, swt_some(57), false, "count" };
	struct swt_release r;
	struct json_object *o;
	int i;

	outgen_exit(&r);
	outgen_snapshot(&s);
	for (i = 0; i < 3; i++)
		json_object_put(write_exit(t, &r));
	assert_int_equal(swt_json_exit_update(&t->j, 1, &r), 0);
	json_object_put(next(t));
	assert_int_equal(swt_json_report(&t->j, &s), 0);
	json_object_put(next(t));
	assert_int_equal(swt_json_end(&t->j, 2, &e), 0);
	o = next(t);
	is_num(o, "exits", 3);
	is_num(o, "reports", 1);
	is_null(o, "events");
	is_num(o, "lost", 57);
	assert_false(json_object_get_boolean(get(o, "complete"))); /* F55 */
	is_num(o, "seq", 5);
	json_object_put(o);
}

/* F78: replayed elsewhere, the same wall times as at recording; none invented without an anchor. */
static void test_wall(void **state)
{
	struct tap *t = *state;
	struct swt_release r;
	struct json_object *o;

	outgen_exit(&r);
	swt_wall_add(&t->wall, 81234500000000ull,
		     OUTGEN_REAL + 3600500000000ull); /* the clock was set forward */
	o = write_exit(t, &r);
	is_str(o, "time", "2026-11-30T13:04:30.512345Z");
	json_object_put(o);
	t->j.wall = NULL;
	o = write_exit(t, &r);
	is_null(o, "time");
	json_object_put(o);
}

/* Every column that has a JSON key names a key of the exit record. */
static void test_columns(void **state)
{
	struct swt_release r;
	struct json_object *o;
	size_t i;
	bool there;

	outgen_exit(&r);
	o = write_exit(*state, &r);
	assert_true(swt_ncolumns > 0);
	for (i = 0; i < swt_ncolumns; i++) {
		const struct swt_column *c = &swt_columns[i];
		struct swt_cell cell = c->get(&r);
		struct json_object *v;

		if (!c->json || !*c->json)
			continue;
		v = find(o, c->json, &there);
		if (!there)
			fail_msg("column %s: no key %s in exit records", c->name, c->json);
		if (!v || (cell.kind != SWT_CELL_U64 && cell.kind != SWT_CELL_NS))
			continue;
		if (c->as_string != json_object_is_type(v, json_type_string))
			fail_msg("column %s: key %s has another type", c->name, c->json);
		if (json_object_get_uint64(v) != cell.v)
			fail_msg("column %s: key %s has another value", c->name, c->json);
	}
	json_object_put(o);
}

static void test_reader_gone(void **state)
{
	struct tap *t = *state;
	struct swt_release r;
	uint64_t seq;

	signal(SIGPIPE, SIG_IGN);
	outgen_exit(&r);
	json_object_put(write_exit(t, &r));
	close(t->fd[0]);
	assert_int_equal(swt_json_exit(&t->j, 1, &r), -EPIPE);
	seq = t->j.seq;
	/* Nothing more is tried, even if somebody listens again. */
	close(t->fd[1]);
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, t->fd), 0);
	t->j.fd = t->fd[1];
	assert_int_equal(swt_json_exit(&t->j, 1, &r), -EPIPE);
	assert_int_equal(t->j.seq, seq);
	assert_int_equal(t->j.exits, 1);
	assert_int_equal(recv(t->fd[0], t->line, 10, MSG_DONTWAIT), -1);
}

static void on_alarm(int signo)
{
	(void)signo;
}

/* A small pipe, a reader that reads a little at a time, signals in between: all bytes arrive, once, in order. */
static void slow_reader(int flags)
{
	static unsigned char data[300000];
	struct sigaction sa = { .sa_handler = on_alarm };
	struct itimerval every = { { 0, 500 }, { 0, 500 } }, off = { { 0, 0 }, { 0, 0 } };
	int fd[2], status;
	size_t i;
	pid_t pid;

	for (i = 0; i < sizeof(data); i++)
		data[i] = (unsigned char)(i * 7 + i / 251);
	assert_int_equal(pipe2(fd, flags), 0);
	fcntl(fd[1], F_SETPIPE_SZ, 4096);
	pid = fork();
	if (!pid) {
		unsigned char buf[1000];
		size_t at = 0;

		close(fd[1]);
		fcntl(fd[0], F_SETFL, 0);
		for (;;) {
			ssize_t n = read(fd[0], buf, sizeof(buf));

			if (n <= 0 || at + (size_t)n > sizeof(data) || memcmp(buf, data + at, (size_t)n))
				_exit(!(n == 0 && at == sizeof(data)));
			at += (size_t)n;
			usleep(100);
		}
	}
	close(fd[0]);
	sigaction(SIGALRM, &sa, NULL); /* no SA_RESTART: write(2) is interrupted */
	setitimer(ITIMER_REAL, &every, NULL);
	assert_int_equal(swt_out_write(fd[1], data, sizeof(data)), 0);
	setitimer(ITIMER_REAL, &off, NULL);
	close(fd[1]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void test_partial_writes(void **state)
{
	(void)state;
	slow_reader(0);
}

static void test_full_pipe(void **state)
{
	(void)state;
	slow_reader(O_NONBLOCK);
}

static void test_bad_fd(void **state)
{
	struct swt_release r;

	(void)state;
	outgen_exit(&r);
	tap.j.fd = -1;
	assert_int_equal(swt_json_exit(&tap.j, 1, &r), -EBADF);
}

#define TAP(fn) cmocka_unit_test_setup_teardown(fn, open_tap, close_tap)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TAP(test_every_key),
		TAP(test_exit_values),
		TAP(test_unknown_is_null),
		TAP(test_no_nan),
		TAP(test_big_numbers),
		TAP(test_names),
		TAP(test_header),
		TAP(test_report),
		TAP(test_end_counts),
		TAP(test_wall),
		TAP(test_columns),
		TAP(test_reader_gone),
		TAP(test_bad_fd),
		cmocka_unit_test(test_partial_writes),
		cmocka_unit_test(test_full_pipe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
