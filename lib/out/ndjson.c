/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading our own streams back.
 */
#include "out/ndjson.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <json-c/json.h>

#include "base/buf.h"
#include "base/text.h"

#define CHUNK 65536u

struct reader {
	struct swt_ndjson *n;
	struct swt_err *err;
	struct json_tokener *tok;
	bool after_end; /* something follows the end record */
	bool disagree;	/* the end record counts other records than were read */
	uint64_t next_seq, gaps;
	bool end_complete;
};

static int bad(struct reader *r, int rc, const char *what)
{
	return swt_err_set(r->err, rc, "line %llu: %s", (unsigned long long)r->n->lines, what);
}

/* A member of that type, or NULL. */
static struct json_object *member(struct json_object *o, const char *key, enum json_type type)
{
	struct json_object *v;

	if (!json_object_object_get_ex(o, key, &v) || !json_object_is_type(v, type))
		return NULL;
	return v;
}

/* Not cleaned text may be cut anywhere: cut first, then clean, then cut at a whole character. */
static void get_str(struct json_object *o, const char *key, char *dst, size_t size)
{
	struct json_object *v = member(o, key, json_type_string);
	struct swt_buf clean = SWT_BUF_INIT;
	size_t len, n;

	dst[0] = '\0';
	if (!v)
		return;
	len = (size_t)json_object_get_string_len(v);
	if (!swt_text_clean(&clean, json_object_get_string(v), len < size ? len : size, false)) {
		n = clean.len < size ? clean.len : size - 1;
		while (n < clean.len && n && ((unsigned char)clean.s[n] & 0xc0) == 0x80)
			n--;
		memcpy(dst, swt_buf_str(&clean), n);
		dst[n] = '\0';
	}
	swt_buf_free(&clean);
}

static struct swt_opt get_num(struct json_object *o, const char *key)
{
	struct json_object *v = member(o, key, json_type_int);

	if (!v || json_object_get_int64(v) < 0)
		return SWT_UNKNOWN;
	return swt_some(json_object_get_uint64(v));
}

static bool get_true(struct json_object *o, const char *key)
{
	struct json_object *v = member(o, key, json_type_boolean);

	return v && json_object_get_boolean(v);
}

static int take_header(struct reader *r, struct json_object *o)
{
	struct swt_ndjson *n = r->n;

	get_str(o, "schema", n->schema, sizeof(n->schema));
	if (strncmp(n->schema, "swaptop/", 8))
		return bad(r, -EBADMSG, "not a header of a swaptop stream");
	if (strncmp(n->schema, "swaptop/1.", 10))
		return swt_err_set(r->err, -EOPNOTSUPP,
				   "schema '%s' is not one this version reads (swaptop/1.x)", n->schema);
	get_str(o, "version", n->version, sizeof(n->version));
	get_str(o, "host", n->host, sizeof(n->host));
	get_str(o, "kernel", n->kernel, sizeof(n->kernel));
	get_str(o, "source", n->source, sizeof(n->source));
	get_str(o, "clock", n->clock, sizeof(n->clock));
	get_str(o, "mode", n->mode, sizeof(n->mode));
	get_str(o, "time", n->first_time, sizeof(n->first_time));
	n->page_size = get_num(o, "page_size");
	n->level = get_num(o, "level");
	return 0;
}

static void take_exit(struct swt_ndjson *n, struct json_object *o)
{
	struct swt_opt freed = get_num(o, "freed_entries");

	n->exits++;
	n->incomplete_exits += !get_true(o, "complete");
	/* A sum that does not fit is no sum. */
	if (freed.known && __builtin_add_overflow(swt_opt_or(n->freed_entries, 0), freed.v, &freed.v))
		freed.v = UINT64_MAX;
	if (freed.known)
		n->freed_entries = freed;
}

static void take_end(struct reader *r, struct json_object *o)
{
	struct swt_ndjson *n = r->n;
	struct swt_opt reports = get_num(o, "reports"), exits = get_num(o, "exits");

	n->have_end = true;
	n->events = get_num(o, "events");
	n->lost = get_num(o, "lost");
	get_str(o, "reason", n->reason, sizeof(n->reason));
	r->end_complete = get_true(o, "complete");
	r->disagree = !reports.known || !exits.known || reports.v != n->reports || exits.v != n->exits;
}

static int take(struct reader *r, struct json_object *o)
{
	struct swt_ndjson *n = r->n;
	struct json_object *v = member(o, "type", json_type_string);
	const char *type = v ? json_object_get_string(v) : "";
	struct swt_opt seq = get_num(o, "seq");
	int rc = 0;

	if (n->lines == 1 && strcmp(type, "header"))
		return bad(r, -EBADMSG, "a stream begins with a header");
	if (n->have_end)
		r->after_end = true;
	if (!seq.known || seq.v != r->next_seq)
		r->gaps++;
	r->next_seq = swt_opt_or(seq, r->next_seq) + 1;
	if (!strcmp(type, "header")) {
		if (n->lines > 1)
			return bad(r, -EBADMSG, "a second header");
		rc = take_header(r, o);
	} else if (!strcmp(type, "report")) {
		n->reports++;
		n->incomplete_reports += !get_true(o, "complete");
	} else if (!strcmp(type, "exit")) {
		take_exit(n, o);
	} else if (!strcmp(type, "exit_update")) {
		n->updates++;
	} else if (!strcmp(type, "end")) {
		take_end(r, o);
	} else {
		n->others++; /* of a later minor version */
	}
	if (member(o, "time", json_type_string))
		get_str(o, "time", n->last_time, sizeof(n->last_time));
	return rc;
}

static int line(struct reader *r, const char *s, size_t len)
{
	struct json_object *o;
	int rc;

	r->n->lines++;
	json_tokener_reset(r->tok);
	/* The newline ends the value: without it a bare number would stay unfinished. */
	o = json_tokener_parse_ex(r->tok, s, (int)len);
	if (json_tokener_get_error(r->tok) != json_tokener_success ||
	    !json_object_is_type(o, json_type_object)) {
		json_object_put(o);
		return bad(r, -EBADMSG,
			   r->n->lines == 1 ? "not a header of a swaptop stream" : "not a JSON object");
	}
	rc = take(r, o);
	json_object_put(o);
	return rc;
}

static void judge(struct reader *r, bool cut)
{
	struct swt_ndjson *n = r->n;
	const char *why = "";

	if (cut)
		why = "incomplete: no end record, and the last line is cut";
	else if (!n->have_end)
		why = "incomplete: no end record";
	else if (r->after_end)
		why = "incomplete: records follow the end record";
	else if (r->disagree)
		why = "incomplete: the end record counts other records than were read";
	else if (r->gaps)
		why = "incomplete: records are missing (seq)";
	snprintf(n->why, sizeof(n->why), "%s", why);
	if (*why)
		return;
	if (n->lost.known && n->lost.v)
		snprintf(n->why, sizeof(n->why), "incomplete: lost %llu events",
			 (unsigned long long)n->lost.v);
	else if (!r->end_complete)
		snprintf(n->why, sizeof(n->why), "incomplete: the end record says so");
	n->complete = !*n->why;
}

/* Cuts @b into lines and takes them; what is left over moves to the front.  *seen: bytes known to hold no newline. */
static int lines(struct reader *r, struct swt_buf *b, size_t *seen)
{
	size_t at = 0, from = *seen;
	char *nl;
	int rc;

	while (from < b->len && (nl = memchr(b->s + from, '\n', b->len - from))) {
		size_t len = (size_t)(nl - b->s) - at + 1;

		if (len > SWT_NDJSON_MAX_LINE) {
			r->n->lines++;
			return bad(r, -EMSGSIZE, "longer than 1 MiB");
		}
		rc = line(r, b->s + at, len);
		if (rc)
			return rc;
		at += len;
		from = at;
	}
	memmove(b->s, b->s + at, b->len - at);
	b->len -= at;
	*seen = b->len;
	if (b->len <= SWT_NDJSON_MAX_LINE)
		return 0;
	r->n->lines++;
	return bad(r, -EMSGSIZE, "longer than 1 MiB");
}

static int read_all(int fd, struct reader *r, struct swt_buf *b)
{
	size_t seen = 0;
	int rc = 0;

	while (!rc) {
		ssize_t got;

		rc = swt_buf_reserve(b, CHUNK);
		if (rc)
			return rc;
		got = read(fd, b->s + b->len, CHUNK);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return swt_err_set(r->err, -errno, "cannot read the stream: %s", strerror(errno));
		if (!got)
			break;
		b->len += (size_t)got;
		rc = lines(r, b, &seen);
	}
	return rc;
}

int swt_ndjson_read(int fd, struct swt_ndjson *ret, struct swt_err *err)
{
	struct reader r = { .n = ret, .err = err };
	struct swt_buf b = SWT_BUF_INIT;
	int rc;

	memset(ret, 0, sizeof(*ret));
	r.tok = json_tokener_new_ex(SWT_NDJSON_MAX_DEPTH);
	if (!r.tok)
		return -ENOMEM;
	json_tokener_set_flags(r.tok, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	rc = read_all(fd, &r, &b);
	if (!rc && !ret->lines)
		rc = swt_err_set(err, -EBADMSG, "%s",
				 b.len ? "the header line is cut" : "the stream is empty");
	if (!rc)
		judge(&r, b.len > 0);
	swt_buf_free(&b);
	json_tokener_free(r.tok);
	return rc;
}

bool swt_ndjson_sniff(const void *data, size_t len)
{
	static const char head[] = "{\"type\":\"header\"";

	return len >= sizeof(head) - 1 && !memcmp(data, head, sizeof(head) - 1);
}
