/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is in swap and why, see explain.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/fmt.h"
#include "model/explain.h"

/* Counters that move when pages go in or out, besides pswpin and pswpout which every kernel has. */
static const enum swt_vmstat in_counters[] = { SWT_VM_PSWPIN, SWT_VM_SWPIN_ZERO, SWT_VM_ZSWPIN };
static const enum swt_vmstat out_counters[] = { SWT_VM_PSWPOUT, SWT_VM_SWPOUT_ZERO, SWT_VM_ZSWPOUT };

void swt_held(const struct swt_snapshot *s, uint64_t page_size, struct swt_held *ret)
{
	const struct swt_sys *sys = &s->sys;
	uint64_t known;

	if (!page_size)
		page_size = 4096;
	memset(ret, 0, sizeof(*ret));
	ret->used = swt_opt_sub(sys->swap_total, sys->swap_free);
	ret->cached = sys->swap_cached;
	ret->processes = s->held_bytes;
	ret->deferred = swt_opt_mul(sys->vm[SWT_VM_NR_SWAP_DEFERRED], page_size);
	ret->just_freed = swt_opt_mul(s->exits.freed_entries, page_size);
	if (!ret->processes.known || __builtin_add_overflow(ret->processes.v, ret->deferred.v, &known))
		return;
	/* A kernel without deferral has nothing deferred: unknown adds 0 here. */
	ret->other = swt_opt_sub(ret->used, swt_some(known));
}

/* 1 moved, 0 did not, -1 not known.  Only the first counter must be there. */
static int moved(const struct swt_snapshot *s, const enum swt_vmstat *counters, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s->vm[counters[i]].kind == SWT_DELTA_OK && s->vm[counters[i]].v)
			return 1;
	return s->vm[counters[0]].kind == SWT_DELTA_OK ? 0 : -1;
}

enum swt_traffic swt_traffic(const struct swt_snapshot *s)
{
	int in = moved(s, in_counters, sizeof(in_counters) / sizeof(in_counters[0]));
	int out = moved(s, out_counters, sizeof(out_counters) / sizeof(out_counters[0]));

	if (in == 1 && out == 1)
		return SWT_TRAFFIC_BOTH;
	if (in < 0 || out < 0)
		return SWT_TRAFFIC_UNKNOWN;
	return in ? SWT_TRAFFIC_IN : out ? SWT_TRAFFIC_OUT : SWT_TRAFFIC_NONE;
}

/* Whole MB as free(1) and /proc/meminfo readers count them; "-" when unknown. */
static const char *mb(char *dst, struct swt_opt bytes)
{
	if (bytes.known)
		snprintf(dst, SWT_FMT_LEN, "%" PRIu64 " MB", bytes.v / (1u << 20) + (bytes.v >> 19 & 1));
	else
		snprintf(dst, SWT_FMT_LEN, "-");
	return dst;
}

static const char *traffic_text(enum swt_traffic t)
{
	switch (t) {
	case SWT_TRAFFIC_NONE:
		return "no swap traffic";
	case SWT_TRAFFIC_IN:
		return "pages are read in";
	case SWT_TRAFFIC_OUT:
		return "pages are written out";
	case SWT_TRAFFIC_BOTH:
		return "pages are read in and written out";
	case SWT_TRAFFIC_UNKNOWN:
		break;
	}
	return "swap traffic not known";
}

int swt_explain_used(const struct swt_snapshot *s, uint64_t page_size, struct swt_buf *out)
{
	struct swt_held h;
	char used[SWT_FMT_LEN], cached[SWT_FMT_LEN];
	int rc;

	swt_held(s, page_size, &h);
	if (s->sys.swap_total.known && !s->sys.swap_total.v)
		return swt_buf_adds(out, "no swap");
	rc = swt_buf_addf(out, "%s in use", mb(used, h.used));
	if (!rc && !(h.used.known && !h.used.v))
		rc = swt_buf_addf(out, ", %s also in RAM", mb(cached, h.cached));
	return rc ? rc : swt_buf_addf(out, ", %s", traffic_text(swt_traffic(s)));
}

int swt_explain_held(const struct swt_snapshot *s, uint64_t page_size, struct swt_buf *out)
{
	struct swt_held h;
	char text[SWT_FMT_LEN];
	int rc;

	swt_held(s, page_size, &h);
	rc = swt_buf_addf(out, "held by living processes %s", mb(text, h.processes));
	if (!rc)
		rc = swt_buf_addf(out, "; cached also in RAM %s", mb(text, h.cached));
	if (!rc && h.deferred.known)
		rc = swt_buf_addf(out, "; of dead ones, waiting to be freed %s", mb(text, h.deferred));
	if (!rc)
		rc = swt_buf_addf(out, "; shared memory and unaccounted %s", mb(text, h.other));
	if (!rc)
		rc = swt_buf_addf(out, "; just freed by exits %s%s",
				  s->exits.freed_unknown ? "at least " : "", mb(text, h.just_freed));
	return rc;
}
