/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How one kernel, or one recording, lays out its records.
 *
 * Made from the text of events/header_page and of the events' format files.  The text is untrusted: it may
 * come from a recording, so it is read by a parser of our own (fmttext.c and symbols.c say why).  A field that
 * cannot be understood is left out, the event stays.  Facts are taken from the format alone, never from a kernel version.
 */
#ifndef SWT_TRACE_FORMATS_H
#define SWT_TRACE_FORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "trace/catalog.h"

struct swt_formats;

/* Where a field sits in a record. */
struct swt_field_pos {
	uint16_t offset, size;	 /* size 0: this kernel has no such field */
	uint8_t is_signed, kind; /* enum swt_pos_kind */
};
enum swt_pos_kind { SWT_POS_INT, SWT_POS_ARRAY, SWT_POS_DATA_LOC, SWT_POS_REL_LOC, SWT_POS_REST };

/**
 * swt_formats_new - empty set
 * @big_endian, @long_size: of the machine that wrote the records (4 or 8, else -EINVAL)
 */
int swt_formats_new(bool big_endian, int long_size, struct swt_formats **ret);
void swt_formats_free(struct swt_formats *f);

/** swt_formats_header_page - parse events/header_page; -EBADMSG with a message when it makes no sense. */
int swt_formats_header_page(struct swt_formats *f, const char *text, size_t len, struct swt_err *err);

/**
 * swt_formats_add - add one event's format file
 * @system: e.g. "sched"; events that are not in the catalogue are known by number only
 *
 * Returns 0, -EBADMSG (unusable: no ID, no common_pid, offsets that make no sense) or -ENOMEM.
 */
int swt_formats_add(struct swt_formats *f, const char *system, const char *text, size_t len,
		    struct swt_err *err);

/** swt_formats_by_number - catalogue id of a record's common_type: id, -1 known but not ours, -2 unknown. */
int swt_formats_by_number(const struct swt_formats *f, unsigned int common_type);

/** swt_formats_have - is the event there? */
bool swt_formats_have(const struct swt_formats *f, enum swt_ev id);
/** swt_formats_field - position of a field, size 0 when absent. */
struct swt_field_pos swt_formats_field(const struct swt_formats *f, enum swt_ev id, unsigned int field);
/** swt_formats_warnings - lines about fields skipped, joined by newline; "" when none. */
const char *swt_formats_warnings(const struct swt_formats *f);

/**
 * swt_formats_symbol - the name this kernel's print format gives a number
 *
 * NULL when the print format has no name for @value (print "status 37" then).  Owned by @f.
 */
const char *swt_formats_symbol(const struct swt_formats *f, enum swt_ev id, unsigned int field,
			       int64_t value);

/* Layout of ring pages. */
struct swt_page_layout {
	uint32_t commit_offset, commit_size, data_offset, data_size;
	bool big_endian;
	int long_size;
};
const struct swt_page_layout *swt_formats_page(const struct swt_formats *f);

#endif
