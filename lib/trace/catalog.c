/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event catalogue, expanded from tracepoints/events.def.
 */
#include "trace/catalog.h"

#include <string.h>

#define SWT_FIELD(id, field, name, kind, unit) { name, unit, SWT_FIELD_##kind },
#define SWT_EVENT(id, system, name, source, level, lost, fields) \
	static const struct swt_field_desc fields_##id[] = { fields };
#include "tracepoints/events.def"
#undef SWT_EVENT

#define SWT_EVENT(id, system, name, source, level, lost, fields)              \
	[SWT_EV_##id] = { system, name, system ":" name,    SWT_EVS_##source, \
			  level,  lost, SWT_F_##id##_COUNT, fields_##id },
static const struct swt_event_desc catalog[SWT_EV_COUNT] = {
#include "tracepoints/events.def"
};
#undef SWT_EVENT

/* struct swt_event has room for every event of the catalogue. */
#define SWT_EVENT(id, system, name, source, level, lost, fields) \
	_Static_assert(SWT_F_##id##_COUNT <= SWT_EV_MAX_FIELDS, name ": too many fields");
#include "tracepoints/events.def"
#undef SWT_EVENT
#undef SWT_FIELD

const struct swt_event_desc *swt_catalog(enum swt_ev id)
{
	return (unsigned int)id < SWT_EV_COUNT ? &catalog[id] : NULL;
}

int swt_catalog_find(const char *system, const char *name)
{
	for (int i = 0; i < SWT_EV_COUNT; i++)
		if (!strcmp(catalog[i].name, name) && !strcmp(catalog[i].system, system))
			return i;
	return -1;
}

const char *swt_ev_state_name(enum swt_ev_state s)
{
	static const char *const names[] = {
		[SWT_EV_UNUSED] = "unused",
		[SWT_EV_HAVE] = "have",
		[SWT_EV_MISSING] = "missing",
		[SWT_EV_NO_ACCESS] = "no_access",
	};

	return (size_t)s < sizeof(names) / sizeof(names[0]) ? names[s] : "?";
}
