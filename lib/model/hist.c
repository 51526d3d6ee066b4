/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Histograms with four buckets per power of two, see hist.h.  Integers only: two hosts must never put the
 * same value into different buckets because of rounding.
 */
#include "model/hist.h"

/*
 * 2^(63 + j/4) rounded up.  These are irrational for j = 1..3, so rounded up is rounded down plus one, and
 * "v >= 2^(k + j/4)" is the same as "v << (63 - k) >= step[j]" for every integer v.
 */
static const uint64_t step[4] = {
	0x8000000000000000ull,
	0x9837f0518db8a970ull,
	0xb504f333f9de6485ull,
	0xd744fccad69d6af5ull,
};

unsigned int swt_hist_bucket(uint64_t v)
{
	unsigned int log2;
	uint64_t top;

	if (!v)
		return 0;
	log2 = 63 - (unsigned int)__builtin_clzll(v);
	top = v << (63 - log2);
	return 1 + 4 * log2 + (top >= step[1]) + (top >= step[2]) + (top >= step[3]);
}

uint64_t swt_hist_bound(unsigned int bucket)
{
	unsigned int log2 = bucket / 4, quarter = bucket % 4;

	if (bucket >= SWT_HIST_BUCKETS - 1)
		return UINT64_MAX;
	if (!quarter)
		return 1ull << log2;
	return ((step[quarter] - 1) >> (63 - log2)) + 1;
}

static uint64_t add_u64(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint32_t add_u32(uint32_t a, uint32_t b)
{
	return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

void swt_hist_add(struct swt_hist *h, uint64_t v)
{
	unsigned int b = swt_hist_bucket(v);

	if (!h->count || v < h->min)
		h->min = v;
	if (v > h->max)
		h->max = v;
	h->count = add_u64(h->count, 1);
	h->sum = add_u64(h->sum, v);
	h->bucket[b] = add_u32(h->bucket[b], 1);
}

void swt_hist_merge(struct swt_hist *dst, const struct swt_hist *src)
{
	if (!src->count)
		return;
	if (!dst->count || src->min < dst->min)
		dst->min = src->min;
	if (src->max > dst->max)
		dst->max = src->max;
	dst->count = add_u64(dst->count, src->count);
	dst->sum = add_u64(dst->sum, src->sum);
	for (unsigned int i = 0; i < SWT_HIST_BUCKETS; i++)
		dst->bucket[i] = add_u32(dst->bucket[i], src->bucket[i]);
}

/* ceil(count * q), within 1..count.  By millionths, so that 0.07 of 100 is 7 and not 7.000000000000001. */
static uint64_t rank(uint64_t count, double q)
{
	const uint64_t million = 1000000;
	uint64_t part, r;

	if (!(q > 0)) /* also not a number */
		return 1;
	if (q >= 1)
		return count;
	part = (uint64_t)(q * 1e6 + 0.5);
	r = count / million * part + (count % million * part + million - 1) / million;
	return r < 1 ? 1 : r > count ? count : r;
}

struct swt_opt swt_hist_quantile(const struct swt_hist *h, double q)
{
	uint64_t want, seen = 0, bound;

	if (!h->count)
		return SWT_UNKNOWN;
	want = rank(h->count, q);
	for (unsigned int i = 0; i < SWT_HIST_BUCKETS; i++) {
		seen += h->bucket[i];
		if (seen < want)
			continue;
		/* The largest value the bucket can hold; the bound itself belongs to the next one. */
		bound = i == SWT_HIST_BUCKETS - 1 ? UINT64_MAX : swt_hist_bound(i) - 1;
		return swt_some(bound < h->max ? bound : h->max);
	}
	/* Bucket counts stopped at their limit, or a made-up histogram: the maximum is still true. */
	return swt_some(h->max);
}
