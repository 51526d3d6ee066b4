/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clock of this machine, see clock.h.
 */
#include <time.h>

#include "base/clock.h"

static uint64_t read_clock(clockid_t id)
{
	struct timespec ts;

	/* Cannot fail for these two clocks and a valid address. */
	clock_gettime(id, &ts);
	return (uint64_t)ts.tv_sec * SWT_NS_PER_SEC + (uint64_t)ts.tv_nsec;
}

static uint64_t system_mono(void *arg)
{
	(void)arg;
	return read_clock(CLOCK_MONOTONIC);
}

static uint64_t system_real(void *arg)
{
	(void)arg;
	return read_clock(CLOCK_REALTIME);
}

static const struct swt_clock system_clock = { system_mono, system_real, NULL };

const struct swt_clock *swt_clock_system(void)
{
	return &system_clock;
}
