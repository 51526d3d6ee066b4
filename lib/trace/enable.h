/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which events are there, and switching them on.  Private to lib/trace.
 */
#ifndef SWT_TRACE_ENABLE_H
#define SWT_TRACE_ENABLE_H

#include "base/err.h"
#include "trace/formats.h"
#include "trace/instance.h"
#include "trace/source.h"

struct swt_enable {
	const struct swt_root *root;
	const struct swt_log *log;
	const char *tracefs;
	struct swt_formats *formats;
	struct swt_source_info *info; /* level, kind, state, error, group_dead */
};

/**
 * swt_enable_choose - source and level
 * @level: 1..4 or -1, @want: enum swt_source_kind or -1
 *
 * Returns 0, -EINVAL, or -EOPNOTSUPP when the patch's events are asked for and this kernel has none.
 */
int swt_enable_choose(struct swt_enable *e, int level, int want, struct swt_err *err);

/**
 * swt_enable_formats - read the formats of what the level wants
 *
 * Sets state to HAVE, MISSING or NO_ACCESS; nothing is switched on yet.  -EOPNOTSUPP, -EACCES or -EPERM when not one of
 * the events that end a release can be used.
 */
int swt_enable_formats(struct swt_enable *e, struct swt_err *err);

/**
 * swt_enable_on - switch on what is HAVE
 * @first: gets everything but rss_stat at level 3
 * @rss: gets rss_stat's filter at level 3; the watch list switches the event
 */
int swt_enable_on(struct swt_enable *e, const struct swt_instance *first, const struct swt_instance *rss,
		  struct swt_err *err);

#endif
