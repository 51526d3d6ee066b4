/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bounds check of a whole ring-buffer sub-buffer before anything in it is believed.
 *
 * Layout: Documentation/trace/ring-buffer-design.rst and events/header_event: type_len 5 bits, time_delta 27.
 */
#ifndef SWT_TRACE_PAGE_H
#define SWT_TRACE_PAGE_H

#include <stddef.h>

#include "trace/formats.h"

/**
 * swt_page_check - is every record of this page inside it?
 * @len: bytes that may be read at @page
 *
 * Returns 0 or -EBADMSG.
 */
int swt_page_check(const void *page, size_t len, const struct swt_page_layout *layout);

#endif
