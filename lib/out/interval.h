/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One interval in one line of text: what is in swap, what moved, who died, what it cost to look.
 */
#ifndef SWT_OUT_INTERVAL_H
#define SWT_OUT_INTERVAL_H

#include "base/buf.h"
#include "model/snapshot.h"

/**
 * swt_interval_line - append the line
 *
 * "1163 MB in use, 308 MB also in RAM, no swap traffic | 15 exits, 6 now, p50 66.0 ms, max 91.0 ms, 1190 ns/entry | lost 0"
 * Parts that are unknown say so with "-"; parts that do not apply are left out.  Returns 0 or -ENOMEM.
 */
int swt_interval_line(const struct swt_snapshot *s, uint64_t page_size, struct swt_buf *out);

#endif
