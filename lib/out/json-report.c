/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Report records: one interval and the gauges at its end.
 */
#include <string.h>

#include "out/json.h"
#include "out/jval.h"

static void put_zram(struct jv *o, const struct swt_sys *sys)
{
	struct json_object *array = jv_array(o, "zram");
	unsigned int i;

	for (i = 0; i < sys->nzram && i < SWT_MAX_ZRAM; i++) {
		const struct swt_zram *z = &sys->zram[i];
		struct jv d = jv_item(o, array);

		jv_bytes(&d, "name", z->name, strnlen(z->name, sizeof(z->name)));
		jv_opt(&d, "data_bytes", z->data);
		jv_opt(&d, "compressed_bytes", z->compressed);
		jv_opt(&d, "pool_bytes", z->pool);
		jv_opt(&d, "pool_peak_bytes", z->pool_peak);
		jv_opt(&d, "missed_free", z->missed_free);
	}
}

static void put_swap(struct jv *root, const struct swt_snapshot *s)
{
	const struct swt_sys *sys = &s->sys;
	struct jv o = jv_object(root, "swap");

	jv_opt(&o, "total_bytes", sys->swap_total);
	jv_opt(&o, "used_bytes", swt_opt_sub(sys->swap_total, sys->swap_free));
	jv_opt(&o, "cached_bytes", sys->swap_cached);
	jv_delta(&o, "zero_filled_entries", s->vm[SWT_VM_SWPOUT_ZERO]);
	jv_delta(&o, "in_entries", s->vm[SWT_VM_PSWPIN]);
	jv_delta(&o, "out_entries", s->vm[SWT_VM_PSWPOUT]);
	jv_areas(&o, "devices", sys);
	put_zram(&o, sys);
	if (sys->zswap_data.known || sys->zswap_pool.known) {
		struct jv z = jv_object(&o, "zswap");

		jv_opt(&z, "data_bytes", sys->zswap_data);
		jv_opt(&z, "pool_bytes", sys->zswap_pool);
	} else {
		jv_null(&o, "zswap");
	}
}

/* Names are the kernel's; two equal ones add up rather than make a key twice. */
static void put_counts(struct jv *root, const char *key, bool known, const struct swt_named_count *c,
		       unsigned int n)
{
	char name[sizeof(c->name)];
	struct jv o;
	unsigned int i, k;

	if (!known) {
		jv_null(root, key);
		return;
	}
	o = jv_object(root, key);
	for (i = 0; i < n; i++) {
		uint64_t sum = c[i].count;

		memcpy(name, c[i].name, sizeof(name));
		name[sizeof(name) - 1] = '\0';
		for (k = 0; k < i; k++)
			if (!strncmp(c[k].name, c[i].name, sizeof(c[i].name)) &&
			    __builtin_add_overflow(sum, c[k].count, &sum))
				sum = UINT64_MAX;
		jv_count(&o, name, sum);
	}
}

static unsigned int at_most(unsigned int n, unsigned int max)
{
	return n < max ? n : max;
}

static void put_defer(struct jv *root, const struct swt_snapshot *s)
{
	const struct swt_defer_report *d = &s->defer;
	struct jv o = jv_object(root, "defer");

	jv_str(&o, "mode", s->sys.mode);
	jv_opt(&o, "pending_entries", s->sys.vm[SWT_VM_NR_SWAP_DEFERRED]);
	jv_delta(&o, "deferred_entries", s->vm[SWT_VM_EXIT_DEFERRED]);
	jv_delta(&o, "released_entries", s->vm[SWT_VM_EXIT_RELEASED]);
	put_counts(&o, "fallback_by_reason", d->known, d->fallback, at_most(d->nfallback, SWT_MAX_REASONS));
	put_counts(&o, "drained_by_reason", d->known, d->drained, at_most(d->ndrained, SWT_MAX_REASONS));
	jv_opt(&o, "age_max_ns", d->known ? d->age_max_ns : SWT_UNKNOWN);
	jv_opt(&o, "batches", d->known ? swt_some(d->batches) : SWT_UNKNOWN);
	if (d->known)
		jv_hist(&o, "batch_ns", &d->batch_ns);
	else
		jv_null(&o, "batch_ns");
}

static void put_exits(struct jv *root, const struct swt_exits *x)
{
	struct jv o = jv_object(root, "exits");

	jv_num(&o, "count", x->count);
	jv_num(&o, "in_flight", x->in_flight);
	jv_opt(&o, "freed_entries", x->freed_entries);
	jv_num(&o, "freed_unknown", x->freed_unknown);
	jv_hist(&o, "teardown_ns", &x->teardown_ns);
	jv_hist(&o, "ns_per_entry", &x->ns_per_entry);
}

static void put_khugepaged(struct jv *root, const struct swt_snapshot *s)
{
	const struct swt_khuge_report *k = &s->khuge;
	const struct swt_delta *vm = s->vm;
	struct jv o = jv_object(root, "khugepaged");

	jv_hundredths(&o, "cpu_percent", k->cpu_hundredths);
	jv_delta(&o, "full_scans", k->full_scans);
	jv_delta(&o, "collapsed_pages", k->collapsed);
	put_counts(&o, "results", k->results_known, k->result, at_most(k->nresults, SWT_MAX_RESULTS));
	if (s->sys.vm[SWT_VM_THP_SKIP_DISABLED].known || s->sys.vm[SWT_VM_THP_SKIP_EXIT].known ||
	    s->sys.vm[SWT_VM_THP_SKIP_LOCK].known) {
		struct jv skip = jv_object(&o, "skipped");

		jv_delta(&skip, "disabled", vm[SWT_VM_THP_SKIP_DISABLED]);
		jv_delta(&skip, "exiting", vm[SWT_VM_THP_SKIP_EXIT]);
		jv_delta(&skip, "lock", vm[SWT_VM_THP_SKIP_LOCK]);
	} else {
		jv_null(&o, "skipped");
	}
	jv_delta(&o, "aborted", vm[SWT_VM_THP_ABORT]);
}

int swt_json_report(struct swt_json *j, const struct swt_snapshot *s)
{
	struct jv root, o;
	int rc = swt_json_begin(j, "report", s->ts, &root);

	if (rc)
		return rc;
	jv_num(&root, "interval_ns", s->interval_ns);
	jv_bool(&root, "complete", s->complete);
	put_swap(&root, s);
	o = jv_object(&root, "memory");
	jv_opt(&o, "total_bytes", s->sys.mem_total);
	jv_opt(&o, "available_bytes", s->sys.mem_available);
	o = jv_object(&root, "psi");
	jv_hundredths(&o, "some_avg10_percent", s->sys.psi_some_avg10);
	jv_hundredths(&o, "full_avg10_percent", s->sys.psi_full_avg10);
	put_defer(&root, s);
	put_exits(&root, &s->exits);
	put_khugepaged(&root, s);
	o = jv_object(&root, "trace");
	jv_opt(&o, "events", s->events);
	jv_opt(&o, "lost", s->lost);
	jv_opt(&o, "cost_ns", s->cost_ns);
	o = jv_object(&root, "self");
	jv_hundredths(&o, "cpu_percent", s->self_cpu_hundredths);
	jv_opt(&o, "rss_bytes", s->self_rss);
	rc = swt_json_put(j, &root);
	if (!rc)
		j->reports++;
	return rc;
}
