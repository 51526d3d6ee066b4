/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The door to /proc, /sys and tracefs.
 *
 * Every file of the running system is opened below a sysroot, so that tests and --sysroot can show another
 * machine.  Paths are absolute ("/proc/vmstat"); ".." is refused with -EINVAL.  Symlinks are followed, and
 * below a sysroot an absolute target counts from the sysroot, so that nothing outside of it is reached.
 */
#ifndef SWT_BASE_ROOT_H
#define SWT_BASE_ROOT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct swt_root;

/**
 * swt_root_new - open a sysroot
 * @prefix: directory; NULL, "" or "/" for the running system
 *
 * Returns 0, or -errno of opening @prefix.  Free with swt_root_free() (NULL is fine).
 */
int swt_root_new(const char *prefix, struct swt_root **ret);
void swt_root_free(struct swt_root *r);

/** swt_root_live - true when this is the running system. */
bool swt_root_live(const struct swt_root *r);
/** swt_root_prefix - the directory, "" for the running system. */
const char *swt_root_prefix(const struct swt_root *r);

/** swt_root_open - open(2) below the sysroot with O_CLOEXEC; a descriptor or -errno. */
int swt_root_open(const struct swt_root *r, const char *path, int flags);

/**
 * swt_root_read - read a whole file into @out (which is reset first)
 *
 * Interrupted reads go on, a FIFO without data is not waited for.  Returns 0 or -errno (then @out is empty);
 * -EFBIG above 16 MiB.
 */
int swt_root_read(const struct swt_root *r, const char *path, struct swt_buf *out);

/**
 * swt_root_write - write @text with a single write(2), for knobs
 *
 * The file must exist and is truncated first, as by the shell's ">".  Returns 0 or -errno (short write: -EIO).
 */
int swt_root_write(const struct swt_root *r, const char *path, const char *text);

/**
 * swt_root_each - call @fn for every entry of a directory but "." and ".."
 *
 * A non-zero return of @fn ends the walk and is returned.  Otherwise 0 or -errno.
 */
int swt_root_each(const struct swt_root *r, const char *path, int (*fn)(void *arg, const char *name),
		  void *arg);

#endif
