/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading our own streams back: is this one whole, and what does it say about itself?
 *
 * The input is untrusted: lines above 1 MiB and deep nesting are refused, memory is bounded by one line.
 */
#ifndef SWT_OUT_NDJSON_H
#define SWT_OUT_NDJSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/opt.h"

#define SWT_NDJSON_MAX_LINE  (1u << 20)
#define SWT_NDJSON_MAX_DEPTH 12

struct swt_ndjson {
	/* from the header; "" unknown; clean for terminals */
	char schema[32], version[64], host[128], kernel[128], source[16], clock[16], mode[16];
	struct swt_opt page_size, level;
	char first_time[40], last_time[40]; /* RFC 3339, of the first and the last record */

	/* counted */
	uint64_t lines, reports, exits, updates, others;
	uint64_t incomplete_exits, incomplete_reports; /* that say "complete": false */
	struct swt_opt freed_entries;		       /* sum of the exits that have a number */

	/* from the end record */
	bool have_end;
	struct swt_opt events, lost;
	char reason[32];

	bool complete; /* an end record that agrees with what was read, and nothing lost */
	char why[160]; /* "incomplete: no end record", ...; "" when complete */
};

/**
 * swt_ndjson_read - read a stream to its end
 * @fd: stays the caller's
 *
 * Returns 0 also for a stream that is not complete (@ret says so).  -EBADMSG: not a stream of ours, or a broken line
 * in the middle; -EOPNOTSUPP: another major version of the schema; -EMSGSIZE: a line is too long; or -errno of
 * read(2).  @ret then holds what was read so far.
 */
int swt_ndjson_read(int fd, struct swt_ndjson *ret, struct swt_err *err);

/** swt_ndjson_sniff - could a file that begins with these bytes be a stream of ours? */
bool swt_ndjson_sniff(const void *data, size_t len);

#endif
