/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The header of a recording: trace-cmd.dat.v6(5), and what trace-cmd 2.x and 3.x write beyond that page: the
 * named buffer (options 8 and 3), and the clock's text behind each table of rings when option 4 is there.
 */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/utsname.h>

#include "trace/record-impl.h"

enum {
	OPT_CPUSTAT = 2,
	OPT_BUFFER = 3,
	OPT_CLOCK = 4,
	OPT_UNAME = 5,
	OPT_CPUCOUNT = 8,
	OPT_VERSION = 9,
	OPT_ID = 11
};

static int add16(struct swt_buf *b, uint16_t v)
{
	return swt_buf_add(b, &v, sizeof(v));
}

static int add32(struct swt_buf *b, uint32_t v)
{
	return swt_buf_add(b, &v, sizeof(v));
}

static int add64(struct swt_buf *b, uint64_t v)
{
	return swt_buf_add(b, &v, sizeof(v));
}

int record_option(struct swt_buf *b, uint16_t id, const void *data, size_t len)
{
	int rc = add16(b, id);

	if (!rc)
		rc = add32(b, (uint32_t)len);
	return rc ? rc : swt_buf_add(b, data, len);
}

/* ---- the part known at the start -------------------------------------------------------------------- */

/* A file below tracefs into @text; a message unless it may be missing. */
static int slurp(const struct swt_record *r, struct swt_buf *path, struct swt_buf *text, const char *rel)
{
	int rc;

	swt_buf_reset(path);
	rc = swt_buf_addf(path, "%s/%s", r->tracefs, rel);
	return rc ? rc : swt_root_read(r->root, path->s, text);
}

static int add_sized(struct swt_buf *b, const struct swt_buf *text)
{
	int rc = add64(b, text->len);

	return rc ? rc : swt_buf_add(b, swt_buf_str(text), text->len);
}

struct names {
	char **v;
	size_t n;
};

static int note_name(void *arg, const char *name)
{
	struct names *l = arg;
	char **v = reallocarray(l->v, l->n + 1, sizeof(*v));

	if (!v)
		return -ENOMEM;
	l->v = v;
	v[l->n] = strdup(name);
	return v[l->n++] ? 0 : -ENOMEM;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* All of events/ftrace: trace-cmd and we need "raw_data", and trace-cmd warns when "print" is missing. */
static int ftrace_formats(struct swt_record *r, struct swt_buf *path, struct swt_buf *text)
{
	struct swt_buf body = SWT_BUF_INIT, rel = SWT_BUF_INIT;
	struct names l = { NULL, 0 };
	uint32_t count = 0;
	size_t i;
	int rc;

	rc = swt_buf_addf(path, "%s/events/ftrace", r->tracefs);
	if (!rc)
		rc = swt_root_each(r->root, path->s, note_name, &l);
	if (l.n)
		qsort(l.v, l.n, sizeof(*l.v), by_name);
	for (i = 0; i < l.n && !rc; i++) {
		swt_buf_reset(&rel);
		rc = swt_buf_addf(&rel, "events/ftrace/%s/format", l.v[i]);
		if (rc || slurp(r, path, text, rel.s)) /* "enable", "filter": no directory with a format */
			continue;
		rc = add_sized(&body, text);
		count++;
	}
	if (!rc)
		rc = add32(&r->head, count);
	if (!rc)
		rc = swt_buf_add(&r->head, swt_buf_str(&body), body.len);
	for (i = 0; i < l.n; i++)
		free(l.v[i]);
	free(l.v);
	swt_buf_free(&body);
	swt_buf_free(&rel);
	return rc;
}

static bool wanted(const struct swt_record *r, int id, const char *system)
{
	const struct swt_event_desc *e = swt_catalog((enum swt_ev)id);

	return e->source != SWT_EVS_FTRACE && r->info.state[id] == SWT_EV_HAVE && !strcmp(e->system, system);
}

/* The formats of one system into @body; returns how many, or -errno. */
static int system_formats(struct swt_record *r, const char *system, struct swt_buf *body,
			  struct swt_buf *path, struct swt_buf *text, struct swt_err *err)
{
	struct swt_buf rel = SWT_BUF_INIT;
	int id, count = 0, rc = 0;

	for (id = 0; id < SWT_EV_COUNT && !rc; id++) {
		if (!wanted(r, id, system))
			continue;
		swt_buf_reset(&rel);
		rc = swt_buf_addf(&rel, "events/%s/%s/format", system, swt_catalog((enum swt_ev)id)->name);
		if (!rc) {
			rc = slurp(r, path, text, rel.s);
			if (rc)
				swt_err_set(err, rc, "cannot read '%s': %s", path->s, strerror(-rc));
		}
		if (!rc)
			rc = add_sized(body, text);
		count++;
	}
	swt_buf_free(&rel);
	return rc ? rc : count;
}

static int event_formats(struct swt_record *r, struct swt_buf *path, struct swt_buf *text,
			 struct swt_err *err)
{
	struct swt_buf all = SWT_BUF_INIT, body = SWT_BUF_INIT;
	uint32_t systems = 0;
	const char *system;
	int id, k, n, rc = 0;

	for (id = 0; id < SWT_EV_COUNT && !rc; id++) {
		system = swt_catalog((enum swt_ev)id)->system;
		if (!wanted(r, id, system))
			continue;
		for (k = 0; k < id && !wanted(r, k, system); k++)
			;
		if (k < id) /* this system was written with its first event */
			continue;
		swt_buf_reset(&body);
		n = system_formats(r, system, &body, path, text, err);
		rc = n < 0 ? n : swt_buf_add(&all, system, strlen(system) + 1);
		if (!rc)
			rc = add32(&all, (uint32_t)n);
		if (!rc)
			rc = swt_buf_add(&all, swt_buf_str(&body), body.len);
		systems++;
	}
	if (!rc)
		rc = add32(&r->head, systems);
	if (!rc)
		rc = swt_buf_add(&r->head, swt_buf_str(&all), all.len);
	swt_buf_free(&all);
	swt_buf_free(&body);
	return rc;
}

static int header_files(struct swt_record *r, struct swt_buf *path, struct swt_buf *text, struct swt_err *err)
{
	static const char *const names[] = { "header_page", "header_event" };
	char rel[32];
	size_t i;
	int rc;

	for (i = 0; i < 2; i++) {
		snprintf(rel, sizeof(rel), "events/%s", names[i]);
		rc = slurp(r, path, text, rel);
		if (rc)
			return swt_err_set(err, rc, "cannot read '%s': %s", swt_buf_str(path), strerror(-rc));
		rc = swt_buf_add(&r->head, names[i], strlen(names[i]) + 1);
		if (!rc)
			rc = add_sized(&r->head, text);
		if (rc)
			return rc;
	}
	swt_buf_reset(path);
	return 0;
}

int record_head(struct swt_record *r, struct swt_err *err)
{
	struct swt_buf path = SWT_BUF_INIT, text = SWT_BUF_INIT;
	const char arch[2] = { __BYTE_ORDER == __BIG_ENDIAN, sizeof(long) };
	int rc;

	rc = swt_buf_add(&r->head, "\x17\x08\x44tracing6", 12); /* with the NUL */
	if (!rc)
		rc = swt_buf_add(&r->head, arch, sizeof(arch));
	if (!rc)
		rc = add32(&r->head, r->page_size);
	if (!rc)
		rc = header_files(r, &path, &text, err);
	if (!rc)
		rc = ftrace_formats(r, &path, &text);
	if (!rc)
		rc = event_formats(r, &path, &text, err);
	if (!rc)
		rc = add32(&r->head, 0); /* kallsyms: none of our events needs addresses named */
	if (!rc) {
		/* Not needed by our events, but trace-cmd stores it; not every kernel has it. */
		if (slurp(r, &path, &text, "printk_formats") || text.len > UINT32_MAX)
			swt_buf_reset(&text);
		rc = add32(&r->head, (uint32_t)text.len);
	}
	if (!rc)
		rc = swt_buf_add(&r->head, swt_buf_str(&text), text.len);
	swt_buf_free(&path);
	swt_buf_free(&text);
	return rc;
}

/* ---- the part known at the end ---------------------------------------------------------------------- */

/* "Linux host 6.12.1 x86_64" */
static int uname_option(const struct swt_record *r, struct swt_buf *b)
{
	static const char *const files[] = { "ostype", "hostname", "osrelease", "arch" };
	struct swt_buf path = SWT_BUF_INIT, text = SWT_BUF_INIT, all = SWT_BUF_INIT;
	struct utsname u;
	size_t i, n;
	int rc = 0;

	for (i = 0; i < 4 && !rc; i++) {
		swt_buf_reset(&path);
		rc = swt_buf_addf(&path, "/proc/sys/kernel/%s", files[i]);
		if (rc)
			break;
		if (swt_root_read(r->root, path.s, &text)) {
			/* "arch" is there since 6.1 only. */
			swt_buf_reset(&text);
			rc = swt_buf_adds(&text, i == 3 && !uname(&u) ? u.machine : "unknown");
		}
		n = strcspn(swt_buf_str(&text), "\n");
		if (!rc)
			rc = swt_buf_addf(&all, "%s%.*s", i ? " " : "", (int)n, swt_buf_str(&text));
	}
	if (!rc)
		rc = record_option(b, OPT_UNAME, all.s, all.len + 1);
	swt_buf_free(&path);
	swt_buf_free(&text);
	swt_buf_free(&all);
	return rc;
}

static int options(const struct swt_record *r, struct swt_buf *b, const char *clock, size_t *buffer_off)
{
	const char zero[8] = { 0 };
	uint64_t id = 0;
	int rc;

	rc = swt_buf_add(b, "options  ", 10);
	if (!rc && *clock)
		rc = record_option(b, OPT_CLOCK, clock, strlen(clock) + 1);
	if (!rc)
		rc = uname_option(r, b);
	if (!rc)
		rc = record_option(b, OPT_VERSION, "swaptop " SWT_VERSION, sizeof("swaptop " SWT_VERSION));
	if (getrandom(&id, sizeof(id), GRND_NONBLOCK) != sizeof(id))
		id = 0;
	if (!rc && id)
		rc = record_option(b, OPT_ID, &id, sizeof(id));
	if (!rc)
		rc = swt_buf_add(b, swt_buf_str(&r->stats), r->stats.len);
	if (!rc && r->buffers > 1) {
		uint32_t cpus = r->ncpus;

		rc = record_option(b, OPT_CPUCOUNT, &cpus, sizeof(cpus));
		if (!rc)
			rc = record_option(b, OPT_BUFFER, "\0\0\0\0\0\0\0\0rss", 12);
		*buffer_off = b->len - 12;
	}
	return rc ? rc : swt_buf_add(b, zero, 2);
}

/* "flyrecord", a table of zeros for now, and the clock. */
static int table(const struct swt_record *r, struct swt_buf *b, const char *clock, size_t *at)
{
	unsigned int i;
	int rc;

	rc = swt_buf_add(b, "flyrecord", 10);
	*at = b->len;
	for (i = 0; i < 2 * r->ncpus && !rc; i++)
		rc = add64(b, 0);
	if (rc || !*clock) /* the text goes with the option */
		return rc;
	rc = add64(b, strlen(clock));
	return rc ? rc : swt_buf_adds(b, clock);
}

int record_tail(const struct swt_record *r, struct swt_buf *b)
{
	struct swt_buf path = SWT_BUF_INIT, text = SWT_BUF_INIT;
	char clock[sizeof(r->info.clock) + 3] = "";
	size_t at[2] = { 0, 0 }, buffer_off = 0, section = 0;
	uint64_t pos, entry[2];
	unsigned int i, k;
	int rc;

	if (r->info.clock[0])
		snprintf(clock, sizeof(clock), "[%s]", r->info.clock);
	if (slurp(r, &path, &text, "saved_cmdlines"))
		swt_buf_reset(&text);
	rc = add_sized(b, &text);
	if (!rc)
		rc = add32(b, r->ncpus);
	if (!rc)
		rc = options(r, b, clock, &buffer_off);
	for (i = 0; i < r->buffers && !rc; i++) {
		section = b->len;
		rc = table(r, b, clock, &at[i]);
	}
	while (!rc && b->len % r->page_size)
		rc = swt_buf_addc(b, '\0');
	swt_buf_free(&path);
	swt_buf_free(&text);
	if (rc)
		return rc;
	pos = section;
	if (r->buffers > 1)
		memcpy(b->s + buffer_off, &pos, sizeof(pos));
	for (pos = b->len, i = 0; i < r->buffers; i++) {
		for (k = 0; k < r->ncpus; k++) {
			entry[0] = pos;
			entry[1] = r->rings[i * r->ncpus + k].pages * r->page_size;
			memcpy(b->s + at[i] + k * sizeof(entry), entry, sizeof(entry));
			pos += entry[1];
		}
	}
	return 0;
}
