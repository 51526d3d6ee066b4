/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many releases are in progress, and the most at any moment since a given one began.
 *
 * Asking every open release on each new one would cost their product when thousands of processes are killed at
 * once.  Only the moments that are maxima for somebody are kept instead: later ones are lower.
 */
#ifndef SWT_MODEL_CONCURRENCY_H
#define SWT_MODEL_CONCURRENCY_H

#include "model/state.h"

/** swt_conc_open - one more; returns the moment to ask with. */
uint64_t swt_conc_open(struct swt_concurrency *c);
/** swt_conc_close - one less; the most open at once since @since, itself included. */
unsigned int swt_conc_close(struct swt_concurrency *c, uint64_t since);
void swt_conc_free(struct swt_concurrency *c);

#endif
