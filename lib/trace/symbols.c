/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of numbers, from the print format of this kernel:
 *
 *   __print_symbolic(REC->status, {0, "failed"}, { 0x1, "succeeded" }, {-2, "x"})
 *
 * The numbers of the same names differ from kernel to kernel, so no table of our own can be right.  A list whose
 * first argument is more than one field is not taken; an entry that is not a plain number is left out.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/formats-priv.h"

#define MAX_SYMBOLS 256
#define MAX_NAME    64

struct cursor {
	const char *p, *end;
};

static void skip_blanks(struct cursor *c)
{
	while (c->p < c->end && (*c->p == ' ' || *c->p == '\t' || *c->p == '\n'))
		c->p++;
}

static bool take(struct cursor *c, const char *word)
{
	size_t n = strlen(word);

	skip_blanks(c);
	if ((size_t)(c->end - c->p) < n || memcmp(c->p, word, n))
		return false;
	c->p += n;
	return true;
}

static bool is_ident(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Behind a string literal whose opening quote is at p. */
static void skip_string(struct cursor *c)
{
	for (c->p++; c->p < c->end && *c->p != '"'; c->p++)
		if (*c->p == '\\')
			c->p++;
	c->p = c->p < c->end ? c->p + 1 : c->end;
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 99;
}

/* Decimal or hexadecimal, with a sign, brackets and a suffix; false for anything else. */
static bool take_number(struct cursor *c, int64_t *ret)
{
	int base = 10, brackets = 0;
	bool minus = false;
	uint64_t v = 0;
	const char *start;

	while (take(c, "("))
		brackets++;
	if (take(c, "-"))
		minus = true;
	if (take(c, "0x") || take(c, "0X"))
		base = 16;
	for (start = c->p; c->p < c->end && digit(*c->p) < base; c->p++)
		if (__builtin_mul_overflow(v, (unsigned int)base, &v) ||
		    __builtin_add_overflow(v, (unsigned int)digit(*c->p), &v))
			return false;
	if (c->p == start)
		return false;
	while (c->p < c->end && (*c->p == 'U' || *c->p == 'u' || *c->p == 'L' || *c->p == 'l'))
		c->p++;
	while (brackets--)
		if (!take(c, ")"))
			return false;
	*ret = (int64_t)(minus ? 0 - v : v);
	return true;
}

/* A quoted name; false when it is too long or holds anything but printable ASCII. */
static bool take_name(struct cursor *c, char *name)
{
	size_t n = 0;
	bool ok = true;

	if (!take(c, "\""))
		return false;
	for (; c->p < c->end && *c->p != '"'; c->p++) {
		if (*c->p == '\\' && c->p + 1 < c->end)
			c->p++;
		if (n + 1 >= MAX_NAME || *c->p < 0x20 || *c->p > 0x7e)
			ok = false;
		else
			name[n++] = *c->p;
	}
	name[n] = '\0';
	return take(c, "\"") && ok;
}

static int add_symbol(struct swt_symbols *s, int64_t value, const char *name)
{
	struct swt_symbol *v;

	if (s->n == MAX_SYMBOLS)
		return 0;
	v = realloc(s->v, (s->n + 1) * sizeof(*v));
	if (!v)
		return -ENOMEM;
	s->v = v;
	v[s->n].value = value;
	v[s->n].name = strdup(name);
	if (!v[s->n].name)
		return -ENOMEM;
	s->n++;
	return 0;
}

/* "{ number, "name" }" up to its closing brace; an entry of another form is skipped. */
static int take_entry(struct cursor *c, struct swt_symbols *s)
{
	char name[MAX_NAME];
	int64_t value;
	bool ok = take_number(c, &value) && take(c, ",") && take_name(c, name) && take(c, "}");

	if (ok)
		return add_symbol(s, value, name);
	while (c->p < c->end && *c->p != '}') {
		if (*c->p == '"')
			skip_string(c);
		else
			c->p++;
	}
	take(c, "}");
	return 0;
}

/* "REC->field" as the whole first argument: the position of the field, or -1. */
static int take_field(struct cursor *c, const struct swt_event_desc *d)
{
	const char *start;
	int brackets = 0, found = -1;
	size_t n;

	while (take(c, "("))
		brackets++;
	if (!take(c, "REC->"))
		return -1;
	for (start = c->p; c->p < c->end && is_ident(*c->p); c->p++)
		;
	n = (size_t)(c->p - start);
	for (unsigned int i = 0; i < d->nfields; i++)
		if (strlen(d->fields[i].name) == n && !memcmp(d->fields[i].name, start, n))
			found = (int)i;
	while (brackets--)
		if (!take(c, ")"))
			return -1;
	return take(c, ",") ? found : -1;
}

static int take_list(struct cursor *c, struct swt_fmt_event *ev)
{
	int field = take_field(c, swt_catalog((enum swt_ev)ev->id)), rc;

	/* A second list for the same field is another view of it; the first one is what is printed first. */
	if (field < 0 || ev->sym[field].n)
		return 0;
	while (take(c, "{")) {
		rc = take_entry(c, &ev->sym[field]);
		if (rc)
			return rc;
		if (!take(c, ","))
			break;
	}
	return 0;
}

int swt_symbols_parse(struct swt_fmt_event *ev, const char *text, size_t len)
{
	static const char call[] = "__print_symbolic";
	struct cursor c = { text, text + len };
	int rc;

	for (skip_blanks(&c); c.p < c.end; skip_blanks(&c)) {
		if (*c.p == '"') {
			skip_string(&c);
		} else if (take(&c, call)) {
			/* On 32-bit kernels 64-bit values have a function of their own. */
			rc = take(&c, "_u64(") || take(&c, "(") ? take_list(&c, ev) : 0;
			if (rc)
				return rc;
		} else {
			c.p++;
		}
	}
	return 0;
}

void swt_symbols_free(struct swt_symbols *s)
{
	for (unsigned int i = 0; i < s->n; i++)
		free(s->v[i].name);
	free(s->v);
	*s = (struct swt_symbols){ NULL, 0 };
}
