/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One tracefs instance of our own, through plain files below the sysroot.  Private to lib/trace.
 *
 * libtracefs is not used here: it knows one tracefs for the whole process, and tracefs_instance_create() takes over an
 * existing instance without a word.
 */
#ifndef SWT_TRACE_INSTANCE_H
#define SWT_TRACE_INSTANCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/root.h"

#define SWT_TRACEFS_PATH 512

struct swt_instance {
	const struct swt_root *root;
	char name[80];
	char tracefs[256];
	char dir[SWT_TRACEFS_PATH]; /* <tracefs>/instances/<name> */
	bool made;
};

/** swt_tracefs_denied - one line about -EACCES or -EPERM at @path, with the remedy; returns @rc. */
int swt_tracefs_denied(const struct swt_root *root, const char *path, int rc, struct swt_err *err);

/** swt_tracefs_holder - "NAME (pid N)" of a process with a file open below @dir, 0 or -ENOENT. */
int swt_tracefs_holder(const struct swt_root *root, const char *dir, struct swt_buf *out);

/** swt_tracefs_name_owner - pid and start time in an instance name of ours; false for any other name. */
bool swt_tracefs_name_owner(const char *name, pid_t *pid, uint64_t *start);

/** swt_tracefs_stat - pid and start time (fields 1 and 22) of a /proc/PID/stat line; 0 or -EBADMSG. */
int swt_tracefs_stat(const char *line, pid_t *pid, uint64_t *start);

/** swt_tracefs_rmdir - remove <tracefs>/instances/<name>; 0 or -errno. */
int swt_tracefs_rmdir(const struct swt_root *root, const char *tracefs, const char *name);

/** swt_instance_make - create it; -EEXIST is an error (it is somebody else's). */
int swt_instance_make(struct swt_instance *in, const struct swt_root *root, const char *tracefs,
		      const char *name, struct swt_err *err);

/**
 * swt_instance_remove - switch everything off and remove it
 *
 * No file of it may be open any more.  Returns 0 (also when there is nothing to remove) or -errno; on -EBUSY
 * somebody else has one of its files open, and it stays behind with all events off.
 */
int swt_instance_remove(struct swt_instance *in);

/* Files of the instance; 0 or -errno.  set() truncates on opening, add() does not: that matters for
 * set_event_pid and for triggers, where truncating drops what is there. */
int swt_instance_read(const struct swt_instance *in, const char *file, struct swt_buf *out);
int swt_instance_set(const struct swt_instance *in, const char *file, const char *text);
int swt_instance_add(const struct swt_instance *in, const char *file, const char *text, size_t len);
int swt_instance_open(const struct swt_instance *in, const char *file, int flags);
bool swt_instance_has(const struct swt_instance *in, const char *file);

/** swt_clock_pick - the best clock of a trace_clock file: mono, boot, global, else the current one. */
int swt_clock_pick(const char *text, char *clock, size_t size);
/** swt_clock_current - the clock in brackets; 0 or -EBADMSG. */
int swt_clock_current(const char *text, char *clock, size_t size);

/** swt_instance_clock - set the best clock, read back what it is into @clock. */
int swt_instance_clock(const struct swt_instance *in, char *clock, size_t size, struct swt_err *err);

/**
 * swt_instance_size - ask for a ring size
 * @kb: KiB per CPU
 *
 * Less than asked for is a warning (others may be short of memory), more is usual: the kernel adds spare pages.
 * Returns the bytes of all rings as the kernel made them.
 */
uint64_t swt_instance_size(const struct swt_instance *in, uint64_t kb, unsigned int cpus,
			   const struct swt_log *log);

#endif
