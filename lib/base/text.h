/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text from outside: names of processes, groups and files, which anybody can set to anything.
 *
 * Two outlets, two rules.  A terminal or a log gets swt_text_clean(): printable UTF-8 only.  JSON gets
 * swt_text_utf8(): valid UTF-8 with control characters kept (the JSON writer escapes them), and the exact
 * bytes as hex beside it.  U+FFFD stands for each maximal ill-formed part (Unicode 15, 3.9, as the WHATWG decoder).
 */
#ifndef SWT_BASE_TEXT_H
#define SWT_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/** swt_text_valid - true when @s is well-formed UTF-8 (no surrogates, no overlong forms). */
bool swt_text_valid(const char *s, size_t len);

/** swt_text_utf8 - append @s with ill-formed parts replaced by U+FFFD. */
int swt_text_utf8(struct swt_buf *out, const char *s, size_t len);

/**
 * swt_text_clean - append @s fit for a terminal or log
 * @ascii: replace everything outside 0x20..0x7e by '?'
 *
 * C0, DEL, C1 (also as UTF-8 U+0080..U+009F), bidirectional controls and line separators become U+FFFD
 * ('?' with @ascii), as do ill-formed parts.  No byte of an escape sequence survives.
 */
int swt_text_clean(struct swt_buf *out, const char *s, size_t len, bool ascii);

/** swt_text_hex - append lower-case hex of the bytes. */
int swt_text_hex(struct swt_buf *out, const char *s, size_t len);

/** swt_text_width - terminal columns of clean UTF-8 text (wide characters 2, combining 0). */
size_t swt_text_width(const char *s, size_t len);

/**
 * swt_text_fit - append @s cut or padded to exactly @width columns
 * @right: align to the right
 *
 * @s must be clean.  A wide character that does not fit whole is left out and padded.
 */
int swt_text_fit(struct swt_buf *out, const char *s, size_t len, size_t width, bool right);

#endif
