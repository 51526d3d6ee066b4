/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Record bytes to struct swt_event, by cached field positions.
 */
#ifndef SWT_TRACE_DECODE_H
#define SWT_TRACE_DECODE_H

#include <stddef.h>

#include "trace/event.h"
#include "trace/formats.h"

/**
 * swt_decode - decode one record
 * @ev: ts and cpu are the caller's; everything else is set here
 *
 * Returns 1 (decoded), 0 (an event that is not ours) or -EBADMSG (shorter than its common fields, or a type
 * nobody described).  A field that reaches outside the record is "not had", the rest is decoded.
 */
int swt_decode(const struct swt_formats *f, const void *rec, size_t len, struct swt_event *ev);

#endif
