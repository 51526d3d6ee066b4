/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Terminal columns of one code point, the same in every locale.
 */
#ifndef SWT_BASE_WIDTH_H
#define SWT_BASE_WIDTH_H

#include <stdint.h>

/** swt_width_of - 0 (combining, invisible), 1 or 2 (wide); control characters count 1. */
unsigned int swt_width_of(uint32_t cp);

#endif
