/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A growing byte string, see buf.h.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

int swt_buf_reserve(struct swt_buf *b, size_t more)
{
	size_t need, cap;
	char *s;

	if (__builtin_add_overflow(b->len, more, &need) || need > PTRDIFF_MAX - 1)
		return -EOVERFLOW;
	need++; /* the NUL */
	if (need <= b->cap)
		return 0;

	/* Half as much again, so that adding a byte at a time stays linear. */
	cap = b->cap < 64 ? 64 : b->cap + b->cap / 2;
	if (cap < need || cap > PTRDIFF_MAX)
		cap = need;
	s = realloc(b->s, cap);
	if (!s)
		return -ENOMEM;
	b->s = s;
	b->cap = cap;
	b->s[b->len] = '\0';
	return 0;
}

int swt_buf_add(struct swt_buf *b, const void *data, size_t len)
{
	int rc = swt_buf_reserve(b, len);

	if (rc)
		return rc;
	if (len)
		memcpy(b->s + b->len, data, len);
	b->len += len;
	b->s[b->len] = '\0';
	return 0;
}

int swt_buf_adds(struct swt_buf *b, const char *s)
{
	return swt_buf_add(b, s, strlen(s));
}

int swt_buf_addc(struct swt_buf *b, char c)
{
	return swt_buf_add(b, &c, 1);
}

int swt_buf_addf(struct swt_buf *b, const char *fmt, ...)
{
	size_t room = b->cap - b->len;
	va_list ap;
	int n, rc;

	va_start(ap, fmt);
	n = vsnprintf(b->s ? b->s + b->len : NULL, b->s ? room : 0, fmt, ap);
	va_end(ap);
	if (n >= 0 && (!b->s || (size_t)n >= room)) {
		/* The first try may have written a part; take it back before anything can fail. */
		if (b->s)
			b->s[b->len] = '\0';
		rc = swt_buf_reserve(b, n);
		if (rc)
			return rc;
		va_start(ap, fmt);
		n = vsnprintf(b->s + b->len, b->cap - b->len, fmt, ap);
		va_end(ap);
	}
	if (n < 0) {
		/* glibc: the result is longer than INT_MAX, or the memory for a wide field is missing. */
		if (b->s)
			b->s[b->len] = '\0';
		return errno == ENOMEM ? -ENOMEM : -EOVERFLOW;
	}
	b->len += n;
	return 0;
}

void swt_buf_reset(struct swt_buf *b)
{
	b->len = 0;
	if (b->s)
		b->s[0] = '\0';
}

void swt_buf_free(struct swt_buf *b)
{
	free(b->s);
	*b = (struct swt_buf)SWT_BUF_INIT;
}

const char *swt_buf_str(const struct swt_buf *b)
{
	return b->s ? b->s : "";
}
