/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why /proc/swaps and zram disagree, in one line.
 */
#include <inttypes.h>

#include "base/fmt.h"
#include "model/sys-parts.h"

struct sums {
	struct swt_opt used, data, pool, same, missed;
	struct swt_opt zero; /* at most so many bytes of zero-filled pages have a slot now */
	bool only_zram;
};

/* a + b, where an unknown part adds nothing; unknown only when both are. */
static struct swt_opt plus(struct swt_opt a, struct swt_opt b)
{
	uint64_t v;

	if (!a.known || !b.known)
		return a.known ? a : b;
	return __builtin_add_overflow(a.v, b.v, &v) ? SWT_UNKNOWN : swt_some(v);
}

static struct swt_opt least(struct swt_opt a, struct swt_opt b)
{
	if (!a.known || !b.known)
		return SWT_UNKNOWN;
	return a.v < b.v ? a : b;
}

static void sum_up(const struct swt_sys *s, uint64_t page_size, struct sums *sum)
{
	struct swt_opt written = swt_opt_mul(s->vm[SWT_VM_SWPOUT_ZERO], page_size);

	*sum = (struct sums){ .used = swt_sys_used(s), .only_zram = s->areas_known && s->nareas };
	for (unsigned int i = 0; i < s->nzram; i++) {
		const struct swt_zram *z = &s->zram[i];

		sum->data = plus(sum->data, z->data);
		sum->pool = plus(sum->pool, z->pool);
		sum->same = plus(sum->same, z->same_pages);
		sum->missed = plus(sum->missed, z->missed_free);
	}
	for (unsigned int i = 0; i < s->nareas; i++) {
		if (s->area[i].kind != SWT_SWAP_ZRAM)
			sum->only_zram = false;
	}
	/*
	 * The counter says how many were ever written, not how many are left.  With zram alone what is not
	 * stored there bounds it, too.
	 */
	if (sum->only_zram && sum->used.known && sum->data.known) {
		struct swt_opt rest = swt_opt_sub(sum->used, sum->data);

		sum->zero = least(written, rest.known ? rest : swt_some(0));
	} else {
		sum->zero = least(written, sum->used);
	}
}

static int add_bytes(struct swt_buf *out, const char *before, struct swt_opt v, const char *after)
{
	char num[SWT_FMT_LEN];

	return swt_buf_addf(out, "%s%s%s", before, swt_fmt_opt(num, sizeof(num), v, swt_fmt_bytes), after);
}

/* Small amounts in whole KiB, so that 120 pages are 480 KiB and not 0.47 M. */
static int add_missed(struct swt_buf *out, struct swt_opt missed, uint64_t page_size)
{
	struct swt_opt held = swt_opt_mul(missed, page_size);
	char n[SWT_FMT_LEN];

	swt_fmt_count(n, sizeof(n), missed.v);
	if (held.known && held.v < 1u << 20)
		return swt_buf_addf(out, "; %s frees missed (up to %" PRIu64 " KiB of data held)", n,
				    held.v >> 10);
	if (held.known && held.v >> 20 < 10240)
		return swt_buf_addf(out, "; %s frees missed (up to %" PRIu64 " MiB of data held)", n,
				    held.v >> 20);
	if (held.known)
		return swt_buf_addf(out, "; %s frees missed (up to %" PRIu64 " GiB of data held)", n,
				    held.v >> 30);
	return swt_buf_addf(out, "; %s frees missed", n);
}

static int add_zram(struct swt_buf *out, const struct sums *sum)
{
	char n[SWT_FMT_LEN];
	int rc;

	rc = add_bytes(out, "; stored in zram ", sum->data, "");
	if (!rc)
		rc = add_bytes(out, ", pool memory ", sum->pool, "");
	if (!rc && swt_opt_or(sum->same, 0))
		rc = swt_buf_addf(out, " (%s same-filled pages take none)",
				  swt_fmt_count(n, sizeof(n), sum->same.v));
	if (!rc && sum->only_zram && sum->used.known && sum->data.known && sum->data.v > sum->used.v)
		rc = add_bytes(out, " (", swt_opt_sub(sum->data, sum->used),
			       " of it without a slot: not freed yet)");
	return rc;
}

int swt_sys_explain(const struct swt_sys *s, uint64_t page_size, struct swt_buf *out)
{
	struct sums sum;
	int rc;

	sum_up(s, page_size, &sum);
	if (!swt_opt_or(sum.used, 0) && !swt_opt_or(sum.data, 0) && !swt_opt_or(sum.missed, 0))
		return 0;
	rc = add_bytes(out, "slots in use ", sum.used, "");
	if (!rc && s->nzram)
		rc = add_zram(out, &sum);
	if (!rc)
		rc = swt_opt_or(sum.zero, 0)
			     ? add_bytes(out, "; zero-filled up to ", sum.zero, " take a slot and no memory")
			     : add_bytes(out, "; zero-filled ", sum.zero, "");
	if (!rc && swt_opt_or(s->swap_cached, 0))
		rc = add_bytes(out, "; ", s->swap_cached, " also in RAM");
	if (!rc && swt_opt_or(sum.missed, 0))
		rc = add_missed(out, sum.missed, page_size);
	if (!rc && s->debug_note[0])
		rc = swt_buf_addf(out, "; %s", s->debug_note);
	return rc;
}
