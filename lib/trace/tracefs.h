/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finding tracefs, and keeping it clean.
 */
#ifndef SWT_TRACE_TRACEFS_H
#define SWT_TRACE_TRACEFS_H

#include "base/buf.h"
#include "base/err.h"
#include "base/root.h"

/**
 * swt_tracefs_find - where tracefs is
 * @path: gets the path without the sysroot, e.g. "/sys/kernel/tracing"
 *
 * Looks into /proc/self/mounts (tracefs, then debugfs + "/tracing"), then at the two usual places.  The root
 * directory's rights are checked first.  Returns 0; -EOPNOTSUPP (message says how to mount it); -EACCES or -EPERM
 * (message says how to get access).
 */
int swt_tracefs_find(const struct swt_root *root, struct swt_buf *path, struct swt_err *err);

/** swt_tracefs_instance_name - "swaptop.<pid>.<starttime>" of this process into @buf; 0 or -errno. */
int swt_tracefs_instance_name(const struct swt_root *root, struct swt_buf *buf);

/**
 * swt_tracefs_sweep - remove instances named swaptop.<pid>.<starttime>[.x] whose owner is dead
 *
 * An owner is dead when its pid is gone or has another start time.  Anything else is not touched.
 * Returns the number removed, or -errno when the instances cannot be listed.
 */
int swt_tracefs_sweep(const struct swt_root *root, const char *tracefs, const struct swt_log *log);

/**
 * swt_tracefs_others - who else traces: one line each ("trace-cmd (pid 712): instance foo") appended to @out
 *
 * Instances other than ours, and a top level whose tracer or events are on; holders are found through
 * /proc/PID/fd where permitted.  Returns the number of lines or -errno.
 */
int swt_tracefs_others(const struct swt_root *root, const char *tracefs, struct swt_buf *out);

#endif
