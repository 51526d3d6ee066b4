/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exit records and their updates.
 */
#include <string.h>

#include "out/json.h"
#include "out/jval.h"

static void put_cause(struct jv *o, const struct swt_release *r)
{
	struct jv c = jv_object(o, "cause");
	bool known = r->cause_known || r->signal;

	/* 0 is an answer: signals were watched and none was fatal. */
	jv_opt(&c, "signal", known ? swt_some((uint64_t)r->signal) : SWT_UNKNOWN);
	jv_pid(&c, "sender_pid", r->sender);
	if (r->oom || r->cause_known)
		jv_bool(&c, "oom", r->oom);
	else
		jv_null(&c, "oom");
}

static void put_evidence(struct jv *o, const struct swt_release *r)
{
	struct jv e = jv_object(o, "evidence");

	jv_str(&e, "start", swt_evidence_name(r->by_start));
	jv_str(&e, "end", swt_evidence_name(r->by_end));
	jv_str(&e, "entries", swt_evidence_name(r->by_entries));
	jv_str(&e, "swap_ns", swt_evidence_name(r->by_swap_ns));
}

static void put_who(struct jv *o, const struct swt_release *r)
{
	size_t len = strnlen(r->comm, sizeof(r->comm));

	if (r->comm_len && r->comm_len <= sizeof(r->comm))
		len = r->comm_len;
	jv_str(o, "kind", swt_release_kind_name(r->kind));
	jv_pid(o, "pid", r->pid);
	jv_opt_str(o, "start_mono_ns", r->born_ns);
	jv_pid(o, "ppid", r->ppid);
	jv_name(o, "comm", "comm_hex", len ? r->comm : NULL, len);
	jv_name(o, "cgroup", "cgroup_hex", r->cgroup, r->cgroup ? strlen(r->cgroup) : 0);
	jv_opt(o, "threads", r->threads);
}

/* A quotient by zero is undefined, whatever was computed. */
static struct swt_opt per_entry(const struct swt_release *r)
{
	return r->freed.known && !r->freed.v ? SWT_UNKNOWN : r->ns_per_entry;
}

static void put_costs(struct jv *o, const struct swt_release *r)
{
	jv_opt(o, "swap_entries", r->swap_entries);
	jv_opt(o, "swapped_while_dying_entries", r->swapped_dying);
	jv_opt(o, "freed_entries", r->freed);
	jv_opt(o, "sync_entries", r->sync);
	jv_opt(o, "late_entries", r->late);
	jv_opt(o, "deferred_entries", r->deferred);
	jv_opt(o, "fallback_entries", r->fallback);
	jv_opt(o, "signal_ns", r->signal_ns);
	jv_opt(o, "teardown_ns", r->teardown);
	jv_opt(o, "swap_ns", r->swap_ns);
	jv_opt(o, "other_ns", r->other_ns);
	jv_opt(o, "reap_ns", r->reap_ns);
	jv_opt(o, "ns_per_entry", per_entry(r));
	jv_opt(o, "concurrency", r->concurrency ? swt_some(r->concurrency) : SWT_UNKNOWN);
	jv_str(o, "backend", r->backend);
}

int swt_json_exit(struct swt_json *j, uint64_t now_ns, const struct swt_release *r)
{
	struct jv o;
	int rc = swt_json_begin(j, "exit", r->end_ns ? r->end_ns : now_ns, &o);

	if (rc)
		return rc;
	jv_str(&o, "release", r->id);
	put_who(&o, r);
	put_cause(&o, r);
	put_evidence(&o, r);
	put_costs(&o, r);
	jv_opt_str(&o, "released_mono_ns", r->released_at);
	jv_opt(&o, "lag_ns", r->lag);
	jv_pid(&o, "released_by_pid", r->released_by);
	jv_bool(&o, "held", r->held);
	jv_opt(&o, "memory_lag_ns", r->memory_lag);
	jv_opt(&o, "swap_cached_before_bytes", r->swapcached_before);
	jv_opt(&o, "swap_cached_after_bytes", r->swapcached_after);
	jv_num(&o, "lost", r->lost);
	jv_bool(&o, "final", r->final);
	jv_bool(&o, "complete", r->complete);
	rc = swt_json_put(j, &o);
	if (!rc)
		j->exits++;
	return rc;
}

int swt_json_exit_update(struct swt_json *j, uint64_t now_ns, const struct swt_release *r)
{
	struct jv o;
	int rc = swt_json_begin(j, "exit_update", now_ns, &o);

	if (rc)
		return rc;
	jv_str(&o, "release", r->id);
	/* What a held address space shows only when somebody else drops it. */
	jv_opt(&o, "freed_entries", r->freed);
	jv_opt(&o, "teardown_ns", r->teardown);
	jv_opt(&o, "swap_ns", r->swap_ns);
	jv_opt(&o, "reap_ns", r->reap_ns);
	jv_opt_str(&o, "released_mono_ns", r->released_at);
	jv_opt(&o, "lag_ns", r->lag);
	jv_pid(&o, "released_by_pid", r->released_by);
	jv_opt(&o, "memory_lag_ns", r->memory_lag);
	jv_bool(&o, "final", r->final);
	jv_bool(&o, "complete", r->complete);
	return swt_json_put(j, &o);
}
