/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event catalogue as data: names, fields, what each is for.  Made from tracepoints/events.def.
 */
#ifndef SWT_TRACE_CATALOG_H
#define SWT_TRACE_CATALOG_H

#include <stddef.h>

#include "trace/event.h"

enum swt_ev_source { SWT_EVS_STOCK, SWT_EVS_PATCH, SWT_EVS_FTRACE };
enum swt_field_kind { SWT_FIELD_INT, SWT_FIELD_STR };

struct swt_field_desc {
	const char *name, *unit;
	enum swt_field_kind kind;
};

struct swt_event_desc {
	const char *system, *name, *full; /* full: "system:name" */
	enum swt_ev_source source;
	int level;	  /* lowest level that enables it */
	const char *lost; /* what is not seen without it */
	unsigned int nfields;
	const struct swt_field_desc *fields;
};

/** swt_catalog - description of event @id; static. */
const struct swt_event_desc *swt_catalog(enum swt_ev id);

/** swt_catalog_find - id of "system", "name", or -1. */
int swt_catalog_find(const char *system, const char *name);

/* What became of an event on this kernel or in this recording. */
enum swt_ev_state {
	SWT_EV_UNUSED, /* not wanted at this level */
	SWT_EV_HAVE,
	SWT_EV_MISSING,	  /* this kernel or recording has no such event */
	SWT_EV_NO_ACCESS, /* it is there, we may not use it */
};

/** swt_ev_state_name - "unused", "have", "missing", "no_access" (the words of the JSON header). */
const char *swt_ev_state_name(enum swt_ev_state s);

#endif
