/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plausibility of the event count, see balance.h.
 */
#include <inttypes.h>
#include <string.h>

#include "base/fmt.h"
#include "model/balance.h"
#include "model/rate.h"

void swt_balance_begin(struct swt_balance *b, struct swt_opt processes, struct swt_opt living)
{
	memset(b, 0, sizeof(*b));
	b->open = true;
	b->processes = processes;
	b->living = living;
}

void swt_balance_seen(struct swt_balance *b)
{
	b->seen++;
}

void swt_balance_lost(struct swt_balance *b, uint64_t count, bool known)
{
	/* A gap around a sample may belong to either side: it excuses both. */
	b->lost += count;
	b->lost_after += count;
	b->lost_unknown |= !known;
	b->lost_unknown_after |= !known;
}

void swt_balance_born(struct swt_balance *b, uint64_t ts)
{
	if (b->has_next && ts > b->next_ts)
		b->after++;
	else
		b->seen++;
}

struct swt_opt swt_balance_end(struct swt_balance *b, uint64_t ts, struct swt_opt processes,
			       struct swt_opt living, int bits, const struct swt_noter *note)
{
	struct swt_opt born = swt_delta_opt(swt_delta(b->processes, processes, bits)), missing;
	char n[SWT_FMT_LEN], forks[SWT_FMT_LEN], seen[SWT_FMT_LEN], lost[SWT_FMT_LEN];
	bool usable = b->open && born.known && !b->lost_unknown && b->living.known && living.known &&
		      b->living.v == living.v;

	b->open = false;
	if (!usable)
		return SWT_UNKNOWN;
	/*
	 * As many exits as births, since as many live as before.  More events than births: a fork that ran
	 * into the next sample.
	 */
	missing = swt_some(born.v > b->seen && born.v - b->seen > b->lost ? born.v - b->seen - b->lost : 0);
	if (!missing.v)
		return missing;
	swt_notef(note, ts, SWT_NOTE_LOSS,
		  "about %s exits unaccounted: %s tasks were born, %s seen, %s events lost",
		  swt_fmt_count(n, sizeof(n), missing.v), swt_fmt_count(forks, sizeof(forks), born.v),
		  swt_fmt_count(seen, sizeof(seen), b->seen), swt_fmt_count(lost, sizeof(lost), b->lost));
	return missing;
}

struct swt_opt swt_balance_finish(struct swt_balance *b, int bits, const struct swt_noter *note)
{
	if (!b->has_next)
		return SWT_UNKNOWN;
	b->has_next = false;
	return swt_balance_end(b, b->next_ts, b->next_processes, b->next_living, bits, note);
}

struct swt_opt swt_balance_sample(struct swt_balance *b, uint64_t ts, struct swt_opt processes,
				  struct swt_opt living, int bits, const struct swt_noter *note)
{
	struct swt_balance next = { 0 };
	struct swt_opt missing;
	bool first = !b->has_next;

	if (!first && ts <= b->next_ts)
		return SWT_UNKNOWN;
	next.open = !first;
	next.processes = b->next_processes;
	next.living = b->next_living;
	next.seen = b->after;
	next.lost = b->lost_after;
	next.lost_unknown = b->lost_unknown_after;
	next.has_next = true;
	next.next_ts = ts;
	next.next_processes = processes;
	next.next_living = living;
	missing = swt_balance_finish(b, bits, note);
	*b = next;
	return missing;
}

struct swt_opt swt_balance_swap_total(const struct swt_balance_swap *b)
{
	uint64_t back;

	if (!b->free_before.known || !b->free_after.known || !b->out.known ||
	    __builtin_add_overflow(b->free_after.v, b->out.v, &back))
		return SWT_UNKNOWN;
	/* Below 0: the size of swap changed meanwhile (swapon, swapoff). */
	return swt_opt_sub(swt_some(back), b->free_before);
}

int swt_balance_swap_text(const struct swt_balance_swap *b, struct swt_buf *out)
{
	struct swt_opt total = swt_balance_swap_total(b);
	char freed[SWT_FMT_LEN], all[SWT_FMT_LEN];
	int rc;

	if (b->freed.known)
		rc = swt_buf_addf(out, "%s%s of swap freed by exits", b->uncounted ? "at least " : "",
				  swt_fmt_bytes(freed, sizeof(freed), b->freed.v));
	else
		rc = swt_buf_adds(out, "swap freed by exits not known");
	if (!rc && b->uncounted)
		rc = swt_buf_addf(out, " (%" PRIu64 " without a count)", b->uncounted);
	if (!rc && total.known)
		rc = swt_buf_addf(out, ", %s given back in all", swt_fmt_bytes(all, sizeof(all), total.v));
	/* Samples are not taken at one instant; only a clear contradiction is worth a word. */
	if (!rc && total.known && b->freed.known && b->freed.v > total.v + total.v / 10 + (1u << 20))
		rc = swt_buf_adds(out, "; the two do not agree");
	return rc;
}
