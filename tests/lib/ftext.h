/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events from readable lines, in the text form of ftrace:
 *
 *   hog-600   [001] d..2.    20.000200: rss_stat: mm_id=7 curr=0 type=MM_SWAPENTS size=20971520B
 *   CPU:2 [LOST 57 EVENTS]
 *   # comment
 *
 * Names may hold spaces, brackets, colons and dashes: the header is read from its right end ("-pid [cpu] flags
 * time: event:", flags optional), and a value ends where the next known key of the event begins.  Keys are the field names of tracepoints/events.def;
 * "type=" names rss_stat's member, "true"/"false" and a trailing "B" are understood, "grp"/"res"/"errno" of signal_generate too.
 * Unknown keys are ignored.
 */
#ifndef TEST_FTEXT_H
#define TEST_FTEXT_H

#include "trace/event.h"

struct ftext {
	struct swt_event ev; /* strings point into @text */
	struct swt_lost lost;
	bool is_lost;	/* a LOST line: @lost is filled (cpu, count), ts is 0 */
	char name[256]; /* the name in the header, exact bytes */
	char text[1024];
};

/** ftext_parse - one line; 0 (filled), 1 (empty or a comment), -EBADMSG. */
int ftext_parse(const char *line, struct ftext *ret);

/**
 * ftext_feed - many lines, separated by newline, into a sink
 *
 * A LOST line is delivered as a gap before the next event of its CPU: ts is that event's time, since the time of the last event of that CPU.
 * Returns the first non-zero value of the sink, or -EBADMSG.
 */
int ftext_feed(const char *lines, const struct swt_sink *sink);

#endif
