/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * swaptop without a command: releases and the state of swap.  The dashboard will take over here when the standard
 * output is a terminal; until then both get rows.
 */
#include "cmd/front.h"

int cmd_top(const struct swt_opts *o)
{
	return o->json ? swt_front_json(o, true) : swt_front_text(o, true);
}
