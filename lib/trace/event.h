/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One decoded trace event: plain data, no library types.
 *
 * tracepoints/events.def is the catalogue; the enums below are made from it.  An event lives until the
 * callback that received it returns; strings point into the ring page and are not NUL-terminated.
 */
#ifndef SWT_TRACE_EVENT_H
#define SWT_TRACE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SWT_EV_MAX_FIELDS 12
#define SWT_EV_MAX_STR	  2

enum swt_ev {
#define SWT_FIELD(id, field, name, kind, unit)
#define SWT_EVENT(id, system, name, source, level, lost, fields) SWT_EV_##id,
#include "tracepoints/events.def"
#undef SWT_EVENT
	SWT_EV_COUNT
};

/* SWT_F_<EVENT>_<FIELD>: position of a field in its event. */
#undef SWT_FIELD
#define SWT_FIELD(id, field, name, kind, unit)			 SWT_F_##id##_##field,
#define SWT_EVENT(id, system, name, source, level, lost, fields) enum { fields SWT_F_##id##_COUNT };
#include "tracepoints/events.def"
#undef SWT_EVENT
#undef SWT_FIELD

struct swt_str {
	const char *s; /* not NUL-terminated */
	uint32_t len;
};

struct swt_event {
	uint64_t ts; /* ns of the trace clock */
	uint16_t id; /* enum swt_ev */
	uint16_t cpu;
	int32_t task;		      /* common_pid: the TID that was running */
	uint32_t have;		      /* bit SWT_F_*: the format has the field and it was inside the record */
	int64_t f[SWT_EV_MAX_FIELDS]; /* INT fields; unsigned 64-bit ones keep their bits; 0 when not had */
	struct swt_str str[SWT_EV_MAX_STR];
};

/** swt_event_has - was field SWT_F_<ID>_<FIELD> decoded? */
static inline bool swt_event_has(const struct swt_event *ev, unsigned int field)
{
	return ev->have >> field & 1;
}

/** struct swt_lost - events of one ring are missing before @ts. */
struct swt_lost {
	uint64_t ts;	/* of the first event after the gap; 0: at the end of the data, not followed by one */
	uint64_t since; /* of the last event before the gap; 0: none */
	uint64_t count; /* how many; 0 and @known false: at least one, number unknown */
	bool known;
	bool damaged; /* not lost by the kernel: the page could not be read */
	uint16_t cpu;
	uint8_t buffer; /* 0 events, 1 rss_stat */
};

/**
 * struct swt_sink - where a source delivers, in time order
 *
 * @event: one event
 * @lost: a gap in one ring, before the first event that follows it there
 * @file: a sample: the text of one file of /proc or /sys as read at @ts (recordings; text not NUL-terminated)
 *
 * Each returns 0, or non-zero to stop the source with that value.  Any may be NULL.
 */
struct swt_sink {
	void *arg;
	int (*event)(void *arg, const struct swt_event *ev);
	int (*lost)(void *arg, const struct swt_lost *lost);
	int (*file)(void *arg, uint64_t ts, const char *path, const char *text, size_t len);
};

#endif
