/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of a format file: lines of "field:TYPE NAME; offset:N; size:N; signed:N;".
 *
 * libtraceevent's tep_parse_event() reads them too.  Tried with 1.7.1 under the address sanitizer on 1,800 cut or
 * damaged copies of three formats, the "print fmt" line already dropped, it did not crash but left memory behind in
 * 202 of them.  A recording decides how often that happens, and the lines are simple, so they are read here.
 */
#include <errno.h>
#include <string.h>

#include "trace/formats-priv.h"

#define MAX_COMMON 64	      /* common fields end here or before; the kernel's end at 8 */
#define MAX_POS	   (1u << 30) /* no offset or size is above this, so that sums fit */

long swt_fmt_line(const char *text, size_t len, size_t *pos, const char **line)
{
	const char *nl;
	size_t n;

	if (*pos >= len)
		return -1;
	*line = text + *pos;
	nl = memchr(*line, '\n', len - *pos);
	n = nl ? (size_t)(nl - *line) : len - *pos;
	*pos += n + (nl != NULL);
	return (long)n;
}

int swt_fmt_number(const char **s, const char *end, uint64_t max, uint64_t *ret)
{
	const char *p = *s;
	uint64_t v = 0;

	for (; p < end && *p >= '0' && *p <= '9'; p++) {
		if (__builtin_mul_overflow(v, 10u, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(*p - '0'), &v) || v > max)
			return -EBADMSG;
	}
	if (p == *s)
		return -EBADMSG;
	*s = p;
	*ret = v;
	return 0;
}

static const char *skip_blanks(const char *s, const char *end)
{
	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	return s;
}

/* "key:" at *s, blanks before it allowed; moves behind it. */
static bool take_key(const char **s, const char *end, const char *key)
{
	const char *p = skip_blanks(*s, end);
	size_t n = strlen(key);

	if ((size_t)(end - p) < n || memcmp(p, key, n))
		return false;
	*s = p + n;
	return true;
}

static bool is_ident(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool has_word(const char *s, size_t len, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= len; i++)
		if (!memcmp(s + i, word, n) && (!i || !is_ident(s[i - 1])) &&
		    (i + n == len || !is_ident(s[i + n])))
			return true;
	return false;
}

/* "TYPE NAME" or "TYPE NAME[N]": the name and what the type says about reading it. */
static int parse_decl(const char *s, size_t len, struct swt_fmt_field *ret)
{
	const char *end = s + len, *start;

	while (end > s && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	ret->kind = SWT_POS_INT;
	if (end > s && end[-1] == ']') {
		while (end > s && *--end != '[')
			;
		ret->kind = SWT_POS_ARRAY;
	}
	for (start = end; start > s && is_ident(start[-1]); start--)
		;
	/* A name needs a type before it. */
	if (start == end || start == s || (*start >= '0' && *start <= '9'))
		return -EBADMSG;
	ret->name = start;
	ret->name_len = (size_t)(end - start);
	len = (size_t)(start - s);
	if (has_word(s, len, "__data_loc"))
		ret->kind = SWT_POS_DATA_LOC;
	else if (has_word(s, len, "__rel_loc"))
		ret->kind = SWT_POS_REL_LOC;
	ret->is_char = has_word(s, len, "char") || has_word(s, len, "u8") || has_word(s, len, "__u8");
	ret->is_pointer = memchr(s, '*', len) != NULL;
	return 0;
}

int swt_fmt_field(const char *line, size_t len, struct swt_fmt_field *ret)
{
	const char *s = line, *end = line + len, *semi;
	uint64_t offset, size, is_signed = 0;

	memset(ret, 0, sizeof(*ret));
	if (!take_key(&s, end, "field:"))
		return 0;
	s = skip_blanks(s, end);
	semi = memchr(s, ';', (size_t)(end - s));
	if (!semi || parse_decl(s, (size_t)(semi - s), ret))
		return -EBADMSG;
	s = semi + 1;
	if (!take_key(&s, end, "offset:") || swt_fmt_number(&s, end, MAX_POS, &offset) || s == end ||
	    *s++ != ';')
		return -EBADMSG;
	if (!take_key(&s, end, "size:") || swt_fmt_number(&s, end, MAX_POS, &size) || s == end || *s++ != ';')
		return -EBADMSG;
	/* Kernels before 2.6.33 did not say. */
	if (take_key(&s, end, "signed:") && (swt_fmt_number(&s, end, 1, &is_signed) || s == end || *s != ';'))
		return -EBADMSG;
	if (ret->kind == SWT_POS_ARRAY && !size)
		ret->kind = SWT_POS_REST;
	ret->offset = (uint32_t)offset;
	ret->size = (uint32_t)size;
	ret->is_signed = is_signed;
	return 1;
}

static bool int_size(unsigned int size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static struct swt_field_pos field_pos(const struct swt_fmt_field *ff)
{
	return (struct swt_field_pos){
		.offset = (uint16_t)ff->offset,
		.size = (uint16_t)ff->size,
		.is_signed = ff->is_signed,
		.kind = ff->kind,
	};
}

static int add_op(struct swt_fmt_event *ev, unsigned int field, const struct swt_fmt_field *ff, bool str)
{
	static const uint8_t ints[9] = {
		[1] = SWT_OP_U8, [2] = SWT_OP_U16, [4] = SWT_OP_U32, [8] = SWT_OP_64
	};
	const struct swt_event_desc *d = swt_catalog((enum swt_ev)ev->id);
	struct swt_op *op = &ev->op[ev->nops];

	if (ff->offset + ff->size > UINT16_MAX)
		return -EBADMSG;
	if (!str) {
		if (ff->kind != SWT_POS_INT || !int_size(ff->size))
			return -EBADMSG;
		op->code = (uint8_t)(ints[ff->size] + (ff->is_signed && ff->size < 8));
	} else {
		if (!ff->is_char || ff->is_pointer || ff->kind == SWT_POS_INT)
			return -EBADMSG;
		if ((ff->kind == SWT_POS_DATA_LOC || ff->kind == SWT_POS_REL_LOC) && ff->size != 4)
			return -EBADMSG;
		op->code = (uint8_t)(SWT_OP_ARRAY + (ff->kind - SWT_POS_ARRAY));
	}
	op->field = (uint8_t)field;
	op->str = 0;
	for (unsigned int i = 0; i < field; i++)
		op->str += d->fields[i].kind == SWT_FIELD_STR;
	op->offset = (uint16_t)ff->offset;
	op->size = (uint16_t)ff->size;
	ev->nops++;
	ev->field[field] = field_pos(ff);
	/* "char buf[]" has size 0, which would read as "no such field". */
	if (ff->kind == SWT_POS_REST)
		ev->field[field].size = 1;
	return 0;
}

static void take_field(struct swt_formats *f, struct swt_fmt_event *ev, const struct swt_fmt_field *ff)
{
	const struct swt_event_desc *d = swt_catalog((enum swt_ev)ev->id);

	for (unsigned int i = 0; d && i < d->nfields; i++) {
		if (strlen(d->fields[i].name) != ff->name_len ||
		    memcmp(d->fields[i].name, ff->name, ff->name_len))
			continue;
		if (!ev->field[i].size && add_op(ev, i, ff, d->fields[i].kind == SWT_FIELD_STR))
			swt_fmt_warn(f, "%s: field \"%s\" has a type that is not understood, left out",
				     d->full, d->fields[i].name);
		return;
	}
}

static bool is_named(const struct swt_fmt_field *ff, const char *name)
{
	return strlen(name) == ff->name_len && !memcmp(name, ff->name, ff->name_len);
}

static bool common_ok(const struct swt_fmt_field *ff)
{
	return ff->kind == SWT_POS_INT && int_size(ff->size) && ff->size <= 4 &&
	       ff->offset + ff->size <= MAX_COMMON;
}

static int parse_line(struct swt_formats *f, const char *line, size_t len, struct swt_fmt_event *ev,
		      struct swt_field_pos *type)
{
	struct swt_fmt_field ff;
	int rc = swt_fmt_field(line, len, &ff);

	if (rc <= 0)
		return rc;
	if (ff.offset + ff.size > ev->size)
		ev->size = ff.offset + ff.size;
	if (is_named(&ff, "common_type") && common_ok(&ff))
		*type = field_pos(&ff);
	else if (is_named(&ff, "common_pid") && common_ok(&ff))
		ev->pid = field_pos(&ff);
	else
		take_field(f, ev, &ff);
	return 0;
}

/* The value of "key:" lines before the fields. */
static bool header_value(const char *line, size_t len, const char *key, const char **value)
{
	const char *s = line;

	if (!take_key(&s, line + len, key))
		return false;
	*value = skip_blanks(s, line + len);
	return true;
}

int swt_fmt_event_parse(struct swt_formats *f, const char *system, const char *text, size_t len,
			struct swt_fmt_event *ev, struct swt_field_pos *type, struct swt_err *err)
{
	const char *line, *v, *fullname = "?";
	bool have_id = false;
	char name[64] = "";
	size_t pos = 0;
	uint64_t id;
	long n;

	ev->id = -1;
	while ((n = swt_fmt_line(text, len, &pos, &line)) >= 0) {
		const char *end = line + n;

		if (!name[0] && header_value(line, (size_t)n, "name:", &v)) {
			if (v == end || (size_t)(end - v) >= sizeof(name) ||
			    memchr(v, '\0', (size_t)(end - v)))
				return swt_err_set(err, -EBADMSG, "%s: a format with a bad name", system);
			memcpy(name, v, (size_t)(end - v));
			name[end - v] = '\0';
			ev->id = swt_catalog_find(system, name);
			if (ev->id >= 0)
				fullname = swt_catalog((enum swt_ev)ev->id)->full;
		} else if (!have_id && header_value(line, (size_t)n, "ID:", &v)) {
			if (swt_fmt_number(&v, end, UINT16_MAX, &id) || v != end)
				return swt_err_set(err, -EBADMSG, "%s: a format with a bad number", system);
			ev->number = (uint16_t)id;
			have_id = true;
		} else if (parse_line(f, line, (size_t)n, ev, type)) {
			swt_fmt_warn(f, "%s: a field line that cannot be read, left out", fullname);
		}
	}
	if (!name[0] || !have_id || !type->size || !ev->pid.size)
		return swt_err_set(err, -EBADMSG, "%s: a format without %s", system,
				   !name[0]	 ? "a name"
				   : !have_id	 ? "a number"
				   : !type->size ? "common_type"
						 : "common_pid");
	return 0;
}
