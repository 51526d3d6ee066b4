/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text from outside, see text.h.
 */
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "base/width.h"

#define ILL_FORMED  UINT32_MAX
#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/*
 * Take one code point, or one maximal ill-formed part, from the @len > 0 bytes at @s; returns the bytes
 * taken.  Only the second byte has limits of its own: they shut out overlong forms (E0, F0), surrogates (ED)
 * and what lies above U+10FFFF (F4).  A byte that cannot continue the sequence is not taken.
 */
static size_t take(const char *s, size_t len, uint32_t *cp)
{
	const unsigned char *p = (const unsigned char *)s;
	unsigned char lo = 0x80, hi = 0xbf;
	size_t n, i;
	uint32_t c = p[0];

	*cp = ILL_FORMED;
	if (c < 0x80) {
		*cp = c;
		return 1;
	}
	if (c < 0xc2 || c > 0xf4)
		return 1;
	if (c < 0xe0) {
		n = 2;
		c &= 0x1f;
	} else if (c < 0xf0) {
		n = 3;
		if (c == 0xe0)
			lo = 0xa0;
		else if (c == 0xed)
			hi = 0x9f;
		c &= 0x0f;
	} else {
		n = 4;
		if (c == 0xf0)
			lo = 0x90;
		else if (c == 0xf4)
			hi = 0x8f;
		c &= 0x07;
	}
	for (i = 1; i < n; i++) {
		if (i == len || p[i] < lo || p[i] > hi)
			return i;
		c = c << 6 | (p[i] & 0x3f);
		lo = 0x80;
		hi = 0xbf;
	}
	*cp = c;
	return n;
}

bool swt_text_valid(const char *s, size_t len)
{
	size_t i = 0;
	uint32_t cp;

	while (i < len) {
		i += take(s + i, len - i, &cp);
		if (cp == ILL_FORMED)
			return false;
	}
	return true;
}

/* Characters that move the cursor, end the line or turn the order of what stands around them. */
static bool is_control(uint32_t cp)
{
	return cp < 0x20 || (cp >= 0x7f && cp <= 0x9f) || cp == 0x061c || cp == 0x200e || cp == 0x200f ||
	       (cp >= 0x2028 && cp <= 0x202e) || (cp >= 0x2066 && cp <= 0x2069);
}

enum outlet { FOR_JSON, FOR_TERMINAL, FOR_ASCII };

static bool must_replace(uint32_t cp, enum outlet outlet)
{
	switch (outlet) {
	case FOR_JSON:
		return cp == ILL_FORMED;
	case FOR_TERMINAL:
		return cp == ILL_FORMED || is_control(cp);
	case FOR_ASCII:
		break;
	}
	return cp < 0x20 || cp > 0x7e;
}

static int convert(struct swt_buf *out, const char *s, size_t len, enum outlet outlet)
{
	const char *mark = outlet == FOR_ASCII ? "?" : REPLACEMENT;
	size_t before = out->len, i = 0, n;
	uint32_t cp;
	int rc = 0;

	while (i < len && !rc) {
		n = take(s + i, len - i, &cp);
		rc = must_replace(cp, outlet) ? swt_buf_adds(out, mark) : swt_buf_add(out, s + i, n);
		i += n;
	}
	if (rc && out->s) {
		out->len = before;
		out->s[before] = '\0';
	}
	return rc;
}

int swt_text_utf8(struct swt_buf *out, const char *s, size_t len)
{
	return convert(out, s, len, FOR_JSON);
}

int swt_text_clean(struct swt_buf *out, const char *s, size_t len, bool ascii)
{
	return convert(out, s, len, ascii ? FOR_ASCII : FOR_TERMINAL);
}

int swt_text_hex(struct swt_buf *out, const char *s, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	size_t twice;
	int rc;

	if (__builtin_mul_overflow(len, (size_t)2, &twice))
		twice = SIZE_MAX; /* the buffer refuses it */
	rc = swt_buf_reserve(out, twice);
	if (rc)
		return rc;
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)s[i];

		out->s[out->len++] = digits[c >> 4];
		out->s[out->len++] = digits[c & 15];
	}
	out->s[out->len] = '\0';
	return 0;
}

size_t swt_text_width(const char *s, size_t len)
{
	size_t cols = 0, i = 0;
	uint32_t cp;

	while (i < len) {
		i += take(s + i, len - i, &cp);
		cols += swt_width_of(cp);
	}
	return cols;
}

static int pad(struct swt_buf *out, size_t n)
{
	int rc = swt_buf_reserve(out, n);

	if (rc || !n)
		return rc;
	memset(out->s + out->len, ' ', n);
	out->len += n;
	out->s[out->len] = '\0';
	return 0;
}

int swt_text_fit(struct swt_buf *out, const char *s, size_t len, size_t width, bool right)
{
	size_t before = out->len, cols = 0, end = 0;
	int rc = 0;

	/* Past the last column combining marks still belong to the character before. */
	while (end < len) {
		uint32_t cp;
		size_t n = take(s + end, len - end, &cp);
		unsigned int w = swt_width_of(cp);

		if (w > width - cols)
			break;
		cols += w;
		end += n;
	}
	if (right)
		rc = pad(out, width - cols);
	if (!rc)
		rc = swt_buf_add(out, s, end);
	if (!rc && !right)
		rc = pad(out, width - cols);
	if (rc && out->s) {
		out->len = before;
		out->s[before] = '\0';
	}
	return rc;
}
