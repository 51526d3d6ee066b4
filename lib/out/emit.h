/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes to a descriptor, whole or not at all.
 */
#ifndef SWT_OUT_EMIT_H
#define SWT_OUT_EMIT_H

#include <stddef.h>

/**
 * swt_out_write - write all bytes, with a single write(2) when the kernel takes them at once
 *
 * Goes on after EINTR and short writes; waits when a non-blocking descriptor is full.  Returns 0 or -errno;
 * -EPIPE means that the reader has gone (the program must ignore SIGPIPE) and calls for a quiet end.
 */
int swt_out_write(int fd, const void *data, size_t len);

#endif
