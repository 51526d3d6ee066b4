/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command of "record -- COMMAND": started when everything is ready, watched until it ends.
 */
#ifndef SWT_CMD_CHILD_H
#define SWT_CMD_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

struct swt_child {
	pid_t pid; /* 0: none */
	int status;
};

/** swt_child_start - run argv with the signal mask and SIGPIPE of a fresh program; -errno of the exec when it fails. */
int swt_child_start(struct swt_child *c, char **argv, struct swt_err *err);
/** swt_child_reap - collect what has ended; true when it was the command. */
bool swt_child_reap(struct swt_child *c);
/** swt_child_end - a command still running is asked to stop (TERM) and waited for. */
void swt_child_end(struct swt_child *c);

#endif
