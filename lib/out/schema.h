/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The keys of every JSON record, said once: --print-schema, the tests of the writer and the check of
 * swaptop-json(5) come from this table.
 */
#ifndef SWT_OUT_SCHEMA_H
#define SWT_OUT_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum swt_key_type {
	SWT_KEY_STRING,
	SWT_KEY_TIME,	/* RFC 3339 UTC, microseconds */
	SWT_KEY_U64,	/* decimal string: can pass 2^53 */
	SWT_KEY_NUMBER, /* whole number, 0 to 2^53-1 */
	SWT_KEY_INT,	/* whole number, may be negative */
	SWT_KEY_RATIO,	/* number with a fraction, not negative */
	SWT_KEY_BOOL,
	SWT_KEY_OBJECT,	 /* keys follow as "path.key" */
	SWT_KEY_LIST,	 /* of objects, whose keys follow as "path[].key" */
	SWT_KEY_STRINGS, /* list of strings */
	SWT_KEY_COUNTS,	 /* object: name to number, names from the kernel */
	SWT_KEY_STATES,	 /* object: event name to "have", "missing" or "no_access" */
	SWT_KEY_HIST,	 /* object: p50, p95, p99, max, buckets */
};

struct swt_key {
	const char *record; /* "exit"; "*" for every record */
	const char *path;   /* "cause.signal", "swap.devices[].name" */
	enum swt_key_type type;
	bool null;	   /* may be null */
	bool optional;	   /* a reader must not count on it (added by a minor version) */
	const char *words; /* all values a string can have, separated by spaces; NULL: any */
	const char *help;  /* with the unit */
};

extern const struct swt_key swt_keys[];
extern const size_t swt_nkeys;

/** swt_schema - append the JSON Schema (draft 2020-12), indented, with a final newline; 0 or -ENOMEM. */
int swt_schema(struct swt_buf *out);

#endif
