/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Histograms whose buckets are powers of two to the quarter: they add up over hosts without error and map to
 * Prometheus native and OpenTelemetry exponential histograms of scale 2.
 *
 * Bucket 0 holds zeros; bucket i >= 1 holds values v with 2^((i-1)/4) <= v < 2^(i/4), so each is known by its upper
 * bound's exponent.  (Bounds are compared as integers: v is in the bucket of the largest lower bound
 * ceil(2^((i-1)/4)) that is not above v; buckets that contain no integer stay empty.)
 */
#ifndef SWT_MODEL_HIST_H
#define SWT_MODEL_HIST_H

#include "base/opt.h"

#define SWT_HIST_BUCKETS 257 /* zero, then 4 per power of two up to 2^64 */

struct swt_hist {
	uint64_t count, sum, max, min;
	uint32_t bucket[SWT_HIST_BUCKETS];
};

/* Sums and counts stop at their largest value instead of wrapping. */
void swt_hist_add(struct swt_hist *h, uint64_t v);
void swt_hist_merge(struct swt_hist *dst, const struct swt_hist *src);
/**
 * swt_hist_quantile - @q in 0..1 (to the millionth): the largest value that fits the bucket that holds it, never above max
 *
 * That is swt_hist_bound() - 1, so a quantile among zeros is 0.  Unknown when empty.
 */
struct swt_opt swt_hist_quantile(const struct swt_hist *h, double q);
/** swt_hist_bucket - which bucket @v falls into. */
unsigned int swt_hist_bucket(uint64_t v);
/** swt_hist_bound - exclusive upper bound of a bucket, rounded up; UINT64_MAX for the last. */
uint64_t swt_hist_bound(unsigned int bucket);

#endif
