/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples inside a recording.
 *
 * A sample is the text of one file, as read at one moment.  In a recording it travels as raw marker records
 * (trace_marker_raw) of our own instance, in chunks:
 *
 *   u32 id = SWT_MARKER_ID
 *   "swt1 <serial> <part> <parts> <bytes> <path>\n" followed by the chunk's <bytes> bytes
 *
 * serial counts samples (wraps at 2^32), part runs from 0 to parts - 1, in order.  The number of bytes is given because
 * the ring rounds records up and what it adds is not always zero.
 *
 * Special paths: "@anchor" carries "<mono_ns> <real_ns>\n" (the wall-clock pair), "@info" carries
 * "key value\n" lines about the recorder (schema, version, host, boot_id, kernel, arch, page_size, level, source, clock).
 */
#ifndef SWT_TRACE_MARKER_H
#define SWT_TRACE_MARKER_H

#include <stddef.h>
#include <stdint.h>

#include "trace/event.h"

#define SWT_MARKER_ID	 0x73777431u /* "swt1" */
#define SWT_MARKER_PATH	 255u	     /* longest path */
#define SWT_MARKER_CHUNK 2800u /* bytes per record with its header; 6.1 takes 3 KiB, 6.12 and later 4 KiB */

/**
 * swt_marker_split - cut a sample into raw marker records
 * @path: without newline, at most SWT_MARKER_PATH bytes
 * @write: gets each record, starting with the id, in our byte order; non-zero stops and is returned
 *
 * An empty sample is one record.  Returns 0, the value of @write, -EINVAL (such a path) or -EFBIG (above 1 MiB).
 */
int swt_marker_split(uint32_t serial, const char *path, const char *text, size_t len,
		     int (*write)(void *arg, const void *rec, size_t len), void *arg);

struct swt_marker_joiner;
int swt_marker_joiner_new(struct swt_marker_joiner **ret);
void swt_marker_joiner_free(struct swt_marker_joiner *j);
/**
 * swt_marker_join - feed the payload (after the id) of one record
 *
 * Calls sink->file() when a sample is whole, with the @ts of its last part, so that time order is kept; broken or
 * foreign ones are dropped.  At most 64 samples are put together at a time (a new one displaces the oldest), 1 MiB
 * each.  Returns 0, the sink's value, or -ENOMEM.
 */
int swt_marker_join(struct swt_marker_joiner *j, uint64_t ts, const char *payload, size_t len,
		    const struct swt_sink *sink);

#endif
