/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A number that may be unknown.
 *
 * Unknown means that nobody saw the value.  It is printed as "-", written as JSON null and never becomes 0.
 * Arithmetic with an unknown gives an unknown.
 */
#ifndef SWT_BASE_OPT_H
#define SWT_BASE_OPT_H

#include <stdbool.h>
#include <stdint.h>

struct swt_opt {
	uint64_t v;
	bool known;
};

#define SWT_UNKNOWN ((struct swt_opt){ 0, false })

static inline struct swt_opt swt_some(uint64_t v)
{
	return (struct swt_opt){ v, true };
}

/** swt_opt_or - the value, or @other when unknown. */
static inline uint64_t swt_opt_or(struct swt_opt o, uint64_t other)
{
	return o.known ? o.v : other;
}

/** swt_opt_sub - a - b; unknown when either is, or when the result would be negative. */
static inline struct swt_opt swt_opt_sub(struct swt_opt a, struct swt_opt b)
{
	if (!a.known || !b.known || a.v < b.v)
		return SWT_UNKNOWN;
	return swt_some(a.v - b.v);
}

/** swt_opt_mul - a * k; unknown when @a is, or when the product does not fit. */
static inline struct swt_opt swt_opt_mul(struct swt_opt a, uint64_t k)
{
	uint64_t r;

	if (!a.known || __builtin_mul_overflow(a.v, k, &r))
		return SWT_UNKNOWN;
	return swt_some(r);
}

#endif
