/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is in swap and why it is still there, in words.  Pure functions of samples; unknown parts say so.
 */
#ifndef SWT_MODEL_EXPLAIN_H
#define SWT_MODEL_EXPLAIN_H

#include "base/buf.h"
#include "base/opt.h"
#include "model/snapshot.h"

/* Swap in use, by who has it.  Bytes. */
struct swt_held {
	struct swt_opt used;	   /* SwapTotal - SwapFree */
	struct swt_opt cached;	   /* of it, also in RAM (SwapCached) */
	struct swt_opt processes;  /* VmSwap of living processes */
	struct swt_opt deferred;   /* of dead ones, waiting for the worker */
	struct swt_opt other;	   /* used - processes - deferred: shared memory, or not looked at */
	struct swt_opt just_freed; /* given back by exits in the interval */
};

/**
 * swt_held - work it out. Pages of shared address spaces count twice in VmSwap: a sum above @used makes
 * other unknown.
 */
void swt_held(const struct swt_snapshot *s, uint64_t page_size, struct swt_held *ret);

enum swt_traffic { SWT_TRAFFIC_UNKNOWN, SWT_TRAFFIC_NONE, SWT_TRAFFIC_IN, SWT_TRAFFIC_OUT, SWT_TRAFFIC_BOTH };
/**
 * swt_traffic - what moved in the interval, by pswpin and pswpout and, where there, their zero-filled and
 * zswap kin.
 */
enum swt_traffic swt_traffic(const struct swt_snapshot *s);

/** swt_explain_used - "1163 MB in use, 308 MB also in RAM, no swap traffic". */
int swt_explain_used(const struct swt_snapshot *s, uint64_t page_size, struct swt_buf *out);
/**
 * swt_explain_held - "held by living processes 900 MB; cached also in RAM 308 MB; …"; unknown parts are "-".
 */
int swt_explain_held(const struct swt_snapshot *s, uint64_t page_size, struct swt_buf *out);

#endif
