/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Concurrency of releases: see concurrency.h.
 */
#include "model/concurrency.h"

#include <stdlib.h>

uint64_t swt_conc_open(struct swt_concurrency *c)
{
	struct swt_peak *p;

	c->seq++;
	c->open++;
	while (c->npeaks && c->peak[c->npeaks - 1].open <= c->open)
		c->npeaks--;
	if (c->npeaks == c->cap) {
		p = realloc(c->peak, (c->cap ? c->cap * 2 : 16) * sizeof(*p));
		if (!p) /* without memory: the last step of the staircase stands for this one too */
			return c->seq;
		c->peak = p;
		c->cap = c->cap ? c->cap * 2 : 16;
	}
	c->peak[c->npeaks++] = (struct swt_peak){ c->seq, c->open };
	return c->seq;
}

unsigned int swt_conc_close(struct swt_concurrency *c, uint64_t since)
{
	size_t lo = 0, hi = c->npeaks;
	unsigned int most = c->open;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (c->peak[mid].seq < since)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo < c->npeaks && c->peak[lo].open > most)
		most = c->peak[lo].open;
	if (c->open && !--c->open)
		c->npeaks = 0;
	return most;
}

void swt_conc_free(struct swt_concurrency *c)
{
	free(c->peak);
	c->peak = NULL;
	c->npeaks = c->cap = 0;
}
