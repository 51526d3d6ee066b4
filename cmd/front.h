/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The two front ends of a session: text rows and JSON lines.
 */
#ifndef SWT_CMD_FRONT_H
#define SWT_CMD_FRONT_H

#include "cmd/session.h"

/**
 * swt_front_json - NDJSON on stdout
 * @reports: write report records, too
 *
 * Runs the session; an exit status.
 */
int swt_front_json(const struct swt_opts *o, bool reports);

/**
 * swt_front_text - a row for every release on stdout
 * @reports: also a few lines about swap at each interval, and the notes
 */
int swt_front_text(const struct swt_opts *o, bool reports);

#endif
