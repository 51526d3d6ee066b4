/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading streams back: whole, cut, and not ours.
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
#include <unistd.h>
#include <cmocka.h>

#include "out/ndjson.h"
#include "outgen.h"

static struct swt_ndjson n;
static struct swt_err err;

static int read_bytes(const char *s, size_t len)
{
	int fd = memfd_create("stream", MFD_CLOEXEC), rc;

	assert_int_equal(write(fd, s, len), len);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	memset(&err, 0, sizeof(err));
	rc = swt_ndjson_read(fd, &n, &err);
	close(fd);
	return rc;
}

static int read_text(const char *s)
{
	return read_bytes(s, strlen(s));
}

/* Our own stream: a header, 3 reports, 3 exits with an update each, an end record. */
static char *whole(size_t *len)
{
	static struct swt_wall w;
	int fd = memfd_create("stream", MFD_CLOEXEC);
	char *s = malloc(1 << 17);
	ssize_t got;

	swt_wall_add(&w, OUTGEN_MONO, OUTGEN_REAL);
	assert_int_equal(outgen_stream(fd, &w), 0);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	got = read(fd, s, (1 << 17) - 1);
	assert_true(got > 0);
	close(fd);
	s[got] = '\0';
	*len = (size_t)got;
	return s;
}

/* The end of line number @k, newline included. */
static size_t after_line(const char *s, unsigned int k)
{
	const char *p = s;

	while (k--)
		p = strchr(p, '\n') + 1;
	return (size_t)(p - s);
}

static void test_whole(void **state)
{
	size_t len;
	char *s = whole(&len);

	(void)state;
	assert_int_equal(read_bytes(s, len), 0);
	assert_string_equal(n.why, "");
	assert_true(n.complete);
	assert_int_equal(n.lines, 11);
	assert_int_equal(n.reports, 3);
	assert_int_equal(n.exits, 3);
	assert_int_equal(n.updates, 3);
	assert_int_equal(n.incomplete_exits, 2);
	assert_int_equal(n.incomplete_reports, 2);
	assert_true(n.freed_entries.known);
	assert_int_equal(n.freed_entries.v, 7992);
	assert_int_equal(n.events.v, 212);
	assert_string_equal(n.reason, "count");
	assert_string_equal(n.kernel, "6.12.117");
	assert_string_equal(n.source, "patched");
	assert_string_equal(n.mode, "async");
	assert_int_equal(n.page_size.v, 4096);
	assert_string_equal(n.first_time, "2026-11-30T12:04:30.000000Z");
	assert_string_equal(n.last_time, "2026-11-30T12:04:33.000100Z");
	assert_true(swt_ndjson_sniff(s, len));
	free(s);
}

/* F105: cut behind line 5, which looks fine; cut inside a line, as after kill -9. */
static void test_cut(void **state)
{
	size_t len, at;
	char *s = whole(&len);

	(void)state;
	assert_int_equal(read_bytes(s, after_line(s, 5)), 0);
	assert_false(n.complete);
	assert_false(n.have_end);
	assert_string_equal(n.why, "incomplete: no end record");
	assert_int_equal(n.lines, 5);
	for (at = after_line(s, 5) + 1; at < len; at += 97) {
		assert_int_equal(read_bytes(s, at), 0);
		assert_false(n.complete);
		assert_int_equal(strncmp(n.why, "incomplete: no end record", 25), 0);
	}
	/* Only the last newline is missing: the end record may be cut too. */
	assert_int_equal(read_bytes(s, len - 1), 0);
	assert_string_equal(n.why, "incomplete: no end record, and the last line is cut");
	/* Within the header there is nothing to say about the stream. */
	assert_int_equal(read_bytes(s, 100), -EBADMSG);
	assert_string_equal(err.text, "the header line is cut");
	free(s);
}

static void test_missing_records(void **state)
{
	size_t len, from, to;
	char *s = whole(&len);

	(void)state;
	/* Without its 4th line (a report): the end record counts one more. */
	from = after_line(s, 3);
	to = after_line(s, 4);
	memmove(s + from, s + to, len - to);
	assert_int_equal(read_bytes(s, len - (to - from)), 0);
	assert_string_equal(n.why, "incomplete: the end record counts other records than were read");
	free(s);

	/* Without an update only the sequence tells. */
	s = whole(&len);
	from = after_line(s, 2);
	to = after_line(s, 3);
	memmove(s + from, s + to, len - to);
	assert_int_equal(read_bytes(s, len - (to - from)), 0);
	assert_string_equal(n.why, "incomplete: records are missing (seq)");
	free(s);
}

#define HEAD "{\"type\":\"header\",\"seq\":0,\"schema\":\"swaptop/1.0\",\"host\":\"h\"}\n"

static void test_loss_and_more(void **state)
{
	(void)state;
	assert_int_equal(read_text(HEAD "{\"type\":\"end\",\"seq\":1,\"reports\":0,\"exits\":0,\"lost\":57,"
					"\"complete\":false}\n"),
			 0);
	assert_string_equal(n.why, "incomplete: lost 57 events");
	assert_int_equal(read_text(HEAD "{\"type\":\"end\",\"seq\":1,\"reports\":0,\"exits\":0,\"lost\":0,"
					"\"complete\":false}\n"),
			 0);
	assert_string_equal(n.why, "incomplete: the end record says so");
	assert_int_equal(
		read_text(HEAD "{\"type\":\"end\",\"seq\":1,\"reports\":0,\"exits\":0,\"complete\":true}\n"
			       "{\"type\":\"note\",\"seq\":2}\n"),
		0);
	assert_string_equal(n.why, "incomplete: records follow the end record");
	/* A kind of record of a later minor version is no fault. */
	assert_int_equal(
		read_text(HEAD "{\"type\":\"note\",\"seq\":1,\"x\":[{}]}\n"
			       "{\"type\":\"end\",\"seq\":2,\"reports\":0,\"exits\":0,\"complete\":true}\n"),
		0);
	assert_true(n.complete);
	assert_int_equal(n.others, 1);
	assert_false(n.lost.known);
}

static void test_refused(void **state)
{
	static const struct {
		const char *text;
		int rc;
		const char *why;
	} t[] = {
		{ "", -EBADMSG, "the stream is empty" },
		{ "hello\n", -EBADMSG, "line 1: not a header of a swaptop stream" },
		{ "{}\n", -EBADMSG, "line 1: a stream begins with a header" },
		{ "[]\n", -EBADMSG, "line 1: not a header of a swaptop stream" },
		{ "{\"type\":\"header\",\"schema\":\"other/1.0\"}\n", -EBADMSG,
		  "line 1: not a header of a swaptop stream" },
		{ "{\"type\":\"header\",\"schema\":\"swaptop/2.0\"}\n", -EOPNOTSUPP,
		  "schema 'swaptop/2.0' is not one this version reads (swaptop/1.x)" },
		{ HEAD HEAD, -EBADMSG, "line 2: a second header" },
		{ HEAD "{\"type\":\"exit\",\n", -EBADMSG, "line 2: not a JSON object" },
		{ HEAD "{} {}\n", -EBADMSG, "line 2: not a JSON object" },
		{ HEAD "\n", -EBADMSG, "line 2: not a JSON object" },
		{ HEAD "null\n", -EBADMSG, "line 2: not a JSON object" },
		{ HEAD "{\"a\":\"\xff\"}\n", -EBADMSG, "line 2: not a JSON object" },
		{ HEAD "{\"a\":[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]}\n", -EBADMSG, "line 2: not a JSON object" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		assert_int_equal(read_text(t[i].text), t[i].rc);
		assert_string_equal(err.text, t[i].why);
	}
}

static void test_long_line(void **state)
{
	size_t len = SWT_NDJSON_MAX_LINE, head = sizeof(HEAD) - 1;
	char *s = malloc(head + len + 16);

	(void)state;
	/* A line of exactly the limit is read, one more byte is not. */
	memcpy(s, HEAD, head);
	memset(s + head, ' ', len + 16);
	memcpy(s + head, "{\"seq\":1,\"type\":\"n\"}", 20);
	s[head + len - 1] = '\n';
	assert_int_equal(read_bytes(s, head + len), 0);
	assert_int_equal(n.lines, 2);
	s[head + len - 1] = ' ';
	s[head + len] = '\n';
	assert_int_equal(read_bytes(s, head + len + 1), -EMSGSIZE);
	assert_string_equal(err.text, "line 2: longer than 1 MiB");
	/* Without a newline it must not grow for ever. */
	memset(s, 'x', head + len + 16);
	assert_int_equal(read_bytes(s, head + len + 16), -EMSGSIZE);
	free(s);
}

static void test_texts_are_clean(void **state)
{
	const char *p;

	(void)state;
	assert_int_equal(
		read_text(
			"{\"type\":\"header\",\"seq\":0,\"schema\":\"swaptop/1.0\","
			"\"host\":\"a\\u001b[31m\\u009b\\u0007\\u0000b\",\"mode\":\"\xd0\x99\xd0\x99\xd0\x99\xd0\x99"
			"\xd0\x99\xd0\x99\xd0\x99\xd0\x99\xd0\x99\"}\n"),
		0);
	for (p = n.host; *p; p++)
		assert_true((unsigned char)*p >= 0x20 && *p != 0x7f);
	assert_null(strstr(n.host, "\xc2\x9b"));
	assert_int_equal(strlen(n.mode), 14); /* 7 letters of 2 bytes: not cut within one */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_missing_records), cmocka_unit_test(test_loss_and_more),
		cmocka_unit_test(test_refused),		cmocka_unit_test(test_long_line),
		cmocka_unit_test(test_texts_are_clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
