/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A growing byte string.
 *
 * Always NUL-terminated once something was added (the NUL is not counted in @len); the bytes may contain
 * NULs of their own.  Zero-initialised is empty.  The owner calls swt_buf_free(); swt_buf_reset() keeps the
 * memory for the next use.  Adding fails only with -ENOMEM or -EOVERFLOW and then leaves the buffer as it was.
 */
#ifndef SWT_BASE_BUF_H
#define SWT_BASE_BUF_H

#include <stddef.h>

#include "base/err.h"

struct swt_buf {
	char *s;
	size_t len, cap;
};

/* clang-format off */
#define SWT_BUF_INIT { NULL, 0, 0 }
/* clang-format on */

int swt_buf_reserve(struct swt_buf *b, size_t more);
int swt_buf_add(struct swt_buf *b, const void *data, size_t len);
int swt_buf_adds(struct swt_buf *b, const char *s);
int swt_buf_addc(struct swt_buf *b, char c);
int swt_buf_addf(struct swt_buf *b, const char *fmt, ...) SWT_PRINTF(2, 3);
void swt_buf_reset(struct swt_buf *b);
void swt_buf_free(struct swt_buf *b);

/** swt_buf_str - the text, "" when nothing was ever added; valid until the next change. */
const char *swt_buf_str(const struct swt_buf *b);

#endif
