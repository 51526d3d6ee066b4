/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples inside a recording.
 *
 * A sample is the text of one file, as read at one moment.  In a recording it travels as raw marker records
 * (trace_marker_raw) of our own instance, in chunks:
 *
 *   u32 id = SWT_MARKER_ID
 *   "swt1 <serial> <part> <parts> <path>\n" followed by the chunk's bytes
 *
 * Special paths: "@anchor" carries "<mono_ns> <real_ns>\n" (the wall-clock pair), "@info" carries
 * "key value\n" lines about the recorder (schema, version, host, boot_id, kernel, arch, page_size, level, source, clock).
 */
#ifndef SWT_TRACE_MARKER_H
#define SWT_TRACE_MARKER_H

#include <stddef.h>
#include <stdint.h>

#include "trace/event.h"

#define SWT_MARKER_ID 0x73777431u /* "swt1" */
#define SWT_MARKER_CHUNK 2800u    /* bytes per record with its header; 6.1 takes 3 KiB, 6.12 and later 4 KiB */

/**
 * swt_marker_split - cut a sample into raw marker records
 * @write: gets each record, starting with the id; non-zero stops and is returned
 */
int swt_marker_split(uint32_t serial, const char *path, const char *text, size_t len,
		     int (*write)(void *arg, const void *rec, size_t len), void *arg);

struct swt_marker_joiner;
int swt_marker_joiner_new(struct swt_marker_joiner **ret);
void swt_marker_joiner_free(struct swt_marker_joiner *j);
/**
 * swt_marker_join - feed the payload (after the id) of one record
 *
 * Calls sink->file() when a sample is whole; broken or foreign ones are dropped.  At most 64 samples are put
 * together at a time, 1 MiB each.  Returns 0, the sink's value, or -ENOMEM.
 */
int swt_marker_join(struct swt_marker_joiner *j, uint64_t ts, const char *payload, size_t len,
		    const struct swt_sink *sink);

#endif
