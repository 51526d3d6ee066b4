/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The formats of one kernel or recording: which number is which event, and where its fields are.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/formats-priv.h"

#define MAX_WARNINGS	4096 /* bytes of text */
#define MIN_DATA	64u
#define MAX_DATA	(16u << 20) /* of one sub-buffer: far above what a kernel can make */
#define MAX_PAGE_HEADER 256u

int swt_formats_new(bool big_endian, int long_size, struct swt_formats **ret)
{
	const bool host_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	struct swt_formats *f;

	if (long_size != 4 && long_size != 8)
		return -EINVAL;
	f = calloc(1, sizeof(*f));
	if (!f)
		return -ENOMEM;
	f->swap = big_endian != host_big;
	f->foreign.id = -1;
	f->page = (struct swt_page_layout){
		.commit_offset = 8,
		.commit_size = (uint32_t)long_size,
		.data_offset = 8 + (uint32_t)long_size,
		.data_size = 4096 - 8 - (uint32_t)long_size,
		.big_endian = big_endian,
		.long_size = long_size,
	};
	*ret = f;
	return 0;
}

static void event_free(struct swt_fmt_event *ev)
{
	if (!ev || ev->id < 0) /* NULL or f->foreign */
		return;
	for (unsigned int i = 0; i < SWT_EV_MAX_FIELDS; i++)
		swt_symbols_free(&ev->sym[i]);
	free(ev);
}

void swt_formats_free(struct swt_formats *f)
{
	if (!f)
		return;
	for (unsigned int i = 0; i < f->nnumber; i++)
		event_free(f->number[i]);
	free(f->number);
	swt_buf_free(&f->warnings);
	free(f);
}

void swt_fmt_warn(struct swt_formats *f, const char *fmt, ...)
{
	char line[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	/* Once is enough, and hostile text must not fill memory.  A warning that cannot be kept is no failure. */
	if (f->warnings.len > MAX_WARNINGS || strstr(swt_buf_str(&f->warnings), line))
		return;
	swt_buf_addf(&f->warnings, "%s%s", f->warnings.len ? "\n" : "", line);
}

const char *swt_formats_warnings(const struct swt_formats *f)
{
	return swt_buf_str(&f->warnings);
}

/* Everything a page reader relies on; the rest of the page is checked page by page. */
static bool layout_ok(const struct swt_fmt_field *stamp, const struct swt_fmt_field *commit,
		      const struct swt_fmt_field *data)
{
	return stamp->size == 8 && stamp->offset == 0 && (commit->size == 4 || commit->size == 8) &&
	       commit->offset >= 8 && commit->offset + commit->size <= data->offset &&
	       data->offset <= MAX_PAGE_HEADER && data->size >= MIN_DATA && data->size <= MAX_DATA;
}

int swt_formats_header_page(struct swt_formats *f, const char *text, size_t len, struct swt_err *err)
{
	struct swt_fmt_field stamp = { 0 }, commit = { 0 }, data = { 0 }, ff;
	const char *line;
	size_t pos = 0;
	long n;

	while ((n = swt_fmt_line(text, len, &pos, &line)) >= 0) {
		if (swt_fmt_field(line, (size_t)n, &ff) != 1)
			continue;
		if (ff.name_len == 9 && !memcmp(ff.name, "timestamp", 9))
			stamp = ff;
		else if (ff.name_len == 6 && !memcmp(ff.name, "commit", 6))
			commit = ff;
		else if (ff.name_len == 4 && !memcmp(ff.name, "data", 4))
			data = ff;
	}
	if (!layout_ok(&stamp, &commit, &data))
		return swt_err_set(err, -EBADMSG,
				   "header_page makes no sense: commit at %u size %u, data at %u size %u",
				   commit.offset, commit.size, data.offset, data.size);
	f->page.commit_offset = commit.offset;
	f->page.commit_size = commit.size;
	f->page.data_offset = data.offset;
	f->page.data_size = data.size;
	return 0;
}

static int number_reserve(struct swt_formats *f, unsigned int number)
{
	unsigned int n = (number | 1023u) + 1;
	struct swt_fmt_event **v;

	if (number < f->nnumber)
		return 0;
	v = realloc(f->number, n * sizeof(*v));
	if (!v)
		return -ENOMEM;
	memset(v + f->nnumber, 0, (n - f->nnumber) * sizeof(*v));
	f->number = v;
	f->nnumber = n;
	return 0;
}

/* Make @ev the meaning of its number. */
static int install(struct swt_formats *f, const struct swt_fmt_event *ev, struct swt_err *err)
{
	struct swt_fmt_event *old, *copy = &f->foreign;
	int rc = number_reserve(f, ev->number);

	if (rc)
		return rc;
	old = f->number[ev->number];
	if (old && old->id != ev->id)
		return swt_err_set(err, -EBADMSG, "two events have the number %u", ev->number);
	if (ev->id >= 0) {
		copy = malloc(sizeof(*copy));
		if (!copy)
			return -ENOMEM;
		*copy = *ev;
		f->event[ev->id] = copy;
	}
	event_free(old);
	f->number[ev->number] = copy;
	return 0;
}

int swt_formats_add(struct swt_formats *f, const char *system, const char *text, size_t len,
		    struct swt_err *err)
{
	const char *print = memmem(text, len, "\nprint fmt:", 11);
	size_t n = print ? (size_t)(print - text) + 1 : len;
	struct swt_field_pos type = { 0 };
	struct swt_fmt_event *ev = calloc(1, sizeof(*ev));
	int rc = ev ? swt_fmt_event_parse(f, system, text, n, ev, &type, err) : -ENOMEM;

	/* One record in, the number must be found before anything else is known. */
	if (!rc && f->type.size && memcmp(&f->type, &type, sizeof(type)))
		rc = swt_err_set(err, -EBADMSG, "%s: a format whose common_type is elsewhere", system);
	if (!rc && print && ev->id >= 0)
		rc = swt_symbols_parse(ev, text + n, len - n);
	if (!rc)
		rc = install(f, ev, err);
	if (!rc)
		f->type = type;
	else
		for (unsigned int i = 0; ev && i < SWT_EV_MAX_FIELDS; i++)
			swt_symbols_free(&ev->sym[i]);
	free(ev);
	return rc;
}

int swt_formats_by_number(const struct swt_formats *f, unsigned int common_type)
{
	if (common_type >= f->nnumber || !f->number[common_type])
		return -2;
	return f->number[common_type]->id;
}

bool swt_formats_have(const struct swt_formats *f, enum swt_ev id)
{
	return (unsigned int)id < SWT_EV_COUNT && f->event[id];
}

struct swt_field_pos swt_formats_field(const struct swt_formats *f, enum swt_ev id, unsigned int field)
{
	if (!swt_formats_have(f, id) || field >= SWT_EV_MAX_FIELDS)
		return (struct swt_field_pos){ 0 };
	return f->event[id]->field[field];
}

const char *swt_formats_symbol(const struct swt_formats *f, enum swt_ev id, unsigned int field, int64_t value)
{
	const struct swt_symbols *sym;
	uint64_t mask;

	if (!swt_formats_field(f, id, field).size)
		return NULL;
	sym = &f->event[id]->sym[field];
	if (!sym->n || f->event[id]->field[field].size > 8)
		return NULL;
	/* The table may say -1 where the field is unsigned, and the other way round. */
	mask = UINT64_MAX >> (64 - 8 * (f->event[id]->field[field].size));
	for (unsigned int i = 0; i < sym->n; i++)
		if (!(((uint64_t)sym->v[i].value ^ (uint64_t)value) & mask))
			return sym->v[i].name;
	return NULL;
}

const struct swt_page_layout *swt_formats_page(const struct swt_formats *f)
{
	return &f->page;
}
