/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * swaptop exits: releases and nothing else.
 */
#include "cmd/front.h"

int cmd_exits(const struct swt_opts *o)
{
	if (o->source == SWT_SOURCE_PROC || o->level == 0) {
		swt_msg("exits are seen through events; /proc alone (--source proc, --level 0) has none");
		return SWT_EXIT_USAGE;
	}
	return o->json ? swt_front_json(o, false) : swt_front_text(o, false);
}
