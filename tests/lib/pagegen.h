/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ring-buffer pages from readable lines.
 *
 * A generator is one ring of one CPU.  Records are laid out by the positions of a struct swt_formats: byte order,
 * width of numbers, char[N], __data_loc and __rel_loc strings, and pages by its struct swt_page_layout.  What
 * the kernel does by itself happens by itself here: a page is closed when the next record does not fit, steps
 * above 2^27 ns get a time extend, and the rest of a page is zero.  Fields that a line does not give are zero.
 *
 *	f = pagegen_formats("tracepoints/formats/6.18", false, 8);
 *	g = pagegen_new(f);
 *	pagegen_line(g, "hog-600 [001] 20.000200: rss_stat: mm_id=7 curr=0 type=MM_SWAPENTS size=20971520B");
 *	pagegen_lost(g, 57, true);
 *	pagegen_line(g, ...);
 *	for (i = 0; i < pagegen_count(g); i++)
 *		use(pagegen_page(g, i), pagegen_page_size(g));
 *
 * Every function stops the test program with a message when it is used wrongly or memory is short, so that
 * tests need not check.
 */
#ifndef TEST_PAGEGEN_H
#define TEST_PAGEGEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/event.h"
#include "trace/formats.h"

struct pagegen;

/**
 * pagegen_formats - all formats of a directory: <dir>/header_page and <dir>/<system>/<event>
 * @dirs: one or more, with colons between ("tracepoints/formats/6.12:tracepoints/formats/6.12-swaptop")
 *
 * Relative to $SWT_SRCDIR, or to the working directory.  Without a header_page the usual 4096-byte page.
 */
struct swt_formats *pagegen_formats(const char *dirs, bool big_endian, int long_size);
/** pagegen_read - a whole file (path as above), NUL-terminated; the caller frees it. */
char *pagegen_read(const char *path, size_t *len);

struct pagegen *pagegen_new(const struct swt_formats *f);
void pagegen_free(struct pagegen *g);

/** pagegen_line - one line of ftext.h; a LOST line is pagegen_lost().  The CPU in it is not looked at. */
void pagegen_line(struct pagegen *g, const char *line);
/** pagegen_event - one event; fields this kernel has not are dropped. */
void pagegen_event(struct pagegen *g, const struct swt_event *ev);
/** pagegen_raw - a record as it is, e.g. of an unknown type; padded to a multiple of 4. */
void pagegen_raw(struct pagegen *g, uint64_t ts, const void *rec, size_t len);
/** pagegen_encode - the bytes of one record without the ring's header; returns their number. */
size_t pagegen_encode(const struct swt_formats *f, const struct swt_event *ev, void *rec, size_t max);
/** pagegen_marker - a sample, as swt_marker_split() cuts it, one record a nanosecond from @ts on. */
void pagegen_marker(struct pagegen *g, uint64_t ts, int32_t task, uint32_t serial, const char *path,
		    const char *text, size_t len);
/** pagegen_discard - a discarded event of @len bytes (4 or more, multiple of 4). */
void pagegen_discard(struct pagegen *g, uint64_t ts, size_t len);
/** pagegen_stamp - an absolute time stamp record. */
void pagegen_stamp(struct pagegen *g, uint64_t ts);
/** pagegen_lost - close the page; the next one says that @count events are missing (@stored: with the number). */
void pagegen_lost(struct pagegen *g, uint64_t count, bool stored);
/** pagegen_close - close the page; @null_padding ends it with a null event up to the end, as the kernel can. */
void pagegen_close(struct pagegen *g, bool null_padding);

/** pagegen_count - closes the page; number of pages so far. */
size_t pagegen_count(struct pagegen *g);
/** pagegen_page - a page; may be changed (damaged); valid until the next addition. */
void *pagegen_page(struct pagegen *g, size_t i);
size_t pagegen_page_size(const struct pagegen *g);

/**
 * pagegen_lines - many lines to the rings their CPUs name
 * @g: generators of CPU 0..@ncpus-1
 */
void pagegen_lines(struct pagegen **g, size_t ncpus, const char *lines);

#endif
