/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside of struct swt_formats, for lib/trace's decoder and the tests' record encoder.  Not for anybody else.
 */
#ifndef SWT_TRACE_FORMATS_PRIV_H
#define SWT_TRACE_FORMATS_PRIV_H

#include "base/buf.h"
#include "trace/catalog.h"
#include "trace/event.h"
#include "trace/formats.h"

/* One name of a number, from __print_symbolic(). */
struct swt_symbol {
	int64_t value;
	char *name;
};

struct swt_symbols {
	struct swt_symbol *v;
	unsigned int n;
};

/* What to do for one field of a record; made once per format, run once per record. */
enum swt_op_code {
	SWT_OP_U8,
	SWT_OP_S8,
	SWT_OP_U16,
	SWT_OP_S16,
	SWT_OP_U32,
	SWT_OP_S32,
	SWT_OP_64,
	SWT_OP_ARRAY,
	SWT_OP_DATA_LOC,
	SWT_OP_REL_LOC,
	SWT_OP_REST,
};

struct swt_op {
	uint8_t code, field, str;
	uint16_t offset, size;
};

struct swt_fmt_event {
	int id;	       /* enum swt_ev, -1: not in the catalogue (then only @number counts) */
	uint32_t size; /* bytes of the fixed part, all fields, also those not in the catalogue */
	uint16_t number;
	struct swt_field_pos pid;
	struct swt_field_pos field[SWT_EV_MAX_FIELDS];
	struct swt_symbols sym[SWT_EV_MAX_FIELDS];
	unsigned int nops;
	struct swt_op op[SWT_EV_MAX_FIELDS];
};

struct swt_formats {
	struct swt_page_layout page;
	bool swap;		       /* the other byte order than ours */
	struct swt_field_pos type;     /* common_type, the same in every event; size 0 before the first */
	struct swt_fmt_event **number; /* by common_type; NULL unknown */
	unsigned int nnumber;
	struct swt_fmt_event *event[SWT_EV_COUNT]; /* by catalogue id; NULL not there */
	struct swt_fmt_event foreign;		   /* stands for every event that is known and not ours */
	struct swt_buf warnings;
};

/* One "field:" line. */
struct swt_fmt_field {
	const char *name;
	size_t name_len;
	uint32_t offset, size;
	uint8_t kind; /* enum swt_pos_kind as declared; REST for an array without size */
	bool is_signed;
	bool is_char; /* elements are characters */
	bool is_pointer;
};

/**
 * swt_fmt_field - read one line of a format file
 *
 * Returns 1 (@ret filled), 0 (not a field line) or -EBADMSG (a field line that cannot be understood).
 */
int swt_fmt_field(const char *line, size_t len, struct swt_fmt_field *ret);

/** swt_fmt_line - next line of @text at *pos; its length, or -1 at the end. */
long swt_fmt_line(const char *text, size_t len, size_t *pos, const char **line);

/**
 * swt_fmt_number - a non-negative decimal number of at most @max at *s, which moves behind it
 *
 * Returns 0 or -EBADMSG.
 */
int swt_fmt_number(const char **s, const char *end, uint64_t max, uint64_t *ret);

/** swt_fmt_warn - keep one line about something left out; the list is bounded. */
void swt_fmt_warn(struct swt_formats *f, const char *fmt, ...) SWT_PRINTF(2, 3);

/** swt_fmt_event_parse - one event's text without what follows "print fmt:"; 0, -EBADMSG or -ENOMEM. */
int swt_fmt_event_parse(struct swt_formats *f, const char *system, const char *text, size_t len,
			struct swt_fmt_event *ev, struct swt_field_pos *type, struct swt_err *err);

/** swt_symbols_parse - take every __print_symbolic(REC->field, ...) of a "print fmt:" line; 0 or -ENOMEM. */
int swt_symbols_parse(struct swt_fmt_event *ev, const char *text, size_t len);
void swt_symbols_free(struct swt_symbols *s);

#endif
