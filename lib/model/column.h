/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The column table of releases: one row here gives -C, --sort, the heading, the JSON key and the help line.
 */
#ifndef SWT_MODEL_COLUMN_H
#define SWT_MODEL_COLUMN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "model/release.h"

enum swt_cell_kind {
	SWT_CELL_NONE, /* unknown: "-", null */
	SWT_CELL_U64,
	SWT_CELL_NS,
	SWT_CELL_TEXT, /* bytes from outside: clean before showing */
	SWT_CELL_BOOL,
};

struct swt_cell {
	enum swt_cell_kind kind;
	uint64_t v;
	const char *s;
	size_t len;
};

struct swt_column {
	const char *name;  /* -C and -s, lower case: "pid" */
	const char *title; /* heading: "PID" */
	const char *json;  /* key in an exit record; "cause.signal" for nested ones */
	const char *unit;  /* "entries", "ns", "" */
	const char *help;
	unsigned int width; /* columns in plain text */
	bool right;
	bool as_string; /* JSON string although a number (can pass 2^53) */
	struct swt_cell (*get)(const struct swt_release *r);
};

extern const struct swt_column swt_columns[];
extern const size_t swt_ncolumns;

/** swt_column_find - index of a column name, or -1. */
int swt_column_find(const char *name);
/** swt_column_default - the columns shown without -C, in their order: indices into @ret; how many. */
size_t swt_column_default(int *ret, size_t max);
/** swt_column_parse - "pid,name,+lag": indices into @ret (at most @max); count or -EINVAL with *bad set to the unknown name. */
int swt_column_parse(const char *list, int *ret, size_t max, struct swt_buf *bad);
/**
 * swt_column_cmp - order of two releases by a column
 *
 * Below, at or above 0 as @a is smaller, equal or larger.  Unknown is smaller than anything known: last in a list
 * that has the largest first.
 */
int swt_column_cmp(int column, const struct swt_release *a, const struct swt_release *b);

#endif
