/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Process ids of containers and of the host.
 *
 * Trace events carry the ids of the initial pid namespace.  Somebody inside a container knows other numbers, and
 * so does the container's own /proc.  Both are joined by the NSpid lines of /proc/PID/status (Linux 4.1 and
 * later), which list the ids of a process from the namespace of that /proc inwards.
 *
 * Which namespace is ours is told by /proc/self below the sysroot, when it is there: its NSpid line says how deep
 * we are below that /proc, its ns/pid which one it is.
 */
#ifndef SWT_MODEL_NSPID_H
#define SWT_MODEL_NSPID_H

#include <stddef.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/root.h"

#define SWT_NSPID_LABEL 40 /* enough for swt_nspid_label() */

/**
 * swt_nspid_check - do the numbers of this /proc match those of trace events?
 *
 * 0, or -EOPNOTSUPP with a message that says what to do: this is the /proc of a container.
 */
int swt_nspid_check(const struct swt_root *root, struct swt_err *err);

/**
 * swt_nspid_host - the host's id of a process
 * @pid: as the user knows it: of our own pid namespace, else of the host, else of the only container that has it
 * @ret: the id in trace events and in this /proc; untouched on failure
 *
 * 0; -ESRCH: no such process; -EOPNOTSUPP: it cannot be told (no NSpid lines, the /proc of a container); -ENOTUNIQ:
 * several containers have such a process.  Each with a message.
 */
int swt_nspid_host(const struct swt_root *root, pid_t pid, pid_t *ret, struct swt_err *err);

/** swt_nspid_label - "7 (host 4211)", or "4211" when both are the same. */
const char *swt_nspid_label(char *dst, size_t size, pid_t pid, pid_t host);

#endif
