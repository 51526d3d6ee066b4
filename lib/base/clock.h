/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time comes through here, so that tests can set it.
 */
#ifndef SWT_BASE_CLOCK_H
#define SWT_BASE_CLOCK_H

#include <stdint.h>

#define SWT_NS_PER_SEC 1000000000ull
#define SWT_NS_PER_MS  1000000ull

struct swt_clock {
	uint64_t (*mono_ns)(void *arg); /* CLOCK_MONOTONIC */
	uint64_t (*real_ns)(void *arg); /* ns since 1970 UTC */
	void *arg;
};

/** swt_clock_system - the clock of this machine; static, never freed. */
const struct swt_clock *swt_clock_system(void);

static inline uint64_t swt_clock_mono(const struct swt_clock *c)
{
	return c->mono_ns(c->arg);
}

static inline uint64_t swt_clock_real(const struct swt_clock *c)
{
	return c->real_ns(c->arg);
}

#endif
