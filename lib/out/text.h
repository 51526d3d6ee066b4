/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plain rows for logs and pipes: one release a line, TIME first, NOTE last, the chosen columns between.
 *
 * TIME is the wall clock at the end of the teardown, HH:MM:SS in local time (UTC when asked for); "-" when a
 * recording carries no wall clock.  Times in ns are shown as milliseconds under a heading that ends in _MS.
 * Texts from outside are cleaned and cut to their column; a number is never cut: it takes what it needs, and the
 * columns after it give up their padding until the row is in line again.
 */
#ifndef SWT_OUT_TEXT_H
#define SWT_OUT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "model/column.h"
#include "model/release.h"
#include "out/wall.h"

#define SWT_TEXT_MAX_COLUMNS 64

struct swt_text {
	int fd;
	const struct swt_wall *wall; /* may be NULL */
	bool utc, ascii;
	unsigned int again;		  /* heading again after so many rows; 0: only once */
	int column[SWT_TEXT_MAX_COLUMNS]; /* indices into swt_columns */
	size_t ncolumns;
	unsigned int since; /* rows since the heading */
	bool started;
	int rc;
	struct swt_buf line, clean;
};

/** swt_text_init - rows to @fd with the given columns (at most SWT_TEXT_MAX_COLUMNS are kept). */
void swt_text_init(struct swt_text *t, int fd, const struct swt_wall *wall, const int *columns, size_t n);
void swt_text_fini(struct swt_text *t);

/** swt_text_row - a release, with the heading before it when one is due; @now_ns serves when its end is unknown. */
int swt_text_row(struct swt_text *t, uint64_t now_ns, const struct swt_release *r);

/** swt_text_message - a line that is no row, "12:04:31  # text"; cleaned. */
int swt_text_message(struct swt_text *t, uint64_t ts, const char *text);

/**
 * swt_text_note - append the remarks on a release: "held by others", "lost 12 events", "was not watched", ...
 *
 * Nothing is appended when there is nothing to say.
 */
int swt_text_note(const struct swt_release *r, struct swt_buf *out);

/** swt_text_time - append HH:MM:SS, or "-". */
int swt_text_time(const struct swt_wall *w, bool utc, uint64_t mono_ns, struct swt_buf *out);

#endif
