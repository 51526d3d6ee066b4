/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report of swaptop doctor as a JSON object.
 */
#include <errno.h>
#include <string.h>

#include "out/doctor.h"
#include "out/jval.h"

static int put_event(struct jv *o, struct json_object *array, const struct swt_doctor *d, enum swt_ev id)
{
	const struct swt_event_desc *desc = swt_catalog(id);
	enum swt_ev_state state = d->info->state[id];
	bool gone = state == SWT_EV_MISSING || state == SWT_EV_NO_ACCESS;
	struct jv e = jv_item(o, array);
	struct swt_buf fix = SWT_BUF_INIT;
	int rc = swt_doctor_fix(d, id, &fix);

	jv_str(&e, "name", desc->full);
	jv_num(&e, "level", (uint64_t)desc->level);
	jv_str(&e, "state", swt_ev_state_name(state));
	jv_str(&e, "reason", swt_doctor_reason(d, id));
	jv_str(&e, "fix", swt_buf_str(&fix));
	jv_str(&e, "lost", gone ? desc->lost : NULL);
	swt_buf_free(&fix);
	return rc;
}

static void put_events(struct jv *o, const struct swt_doctor *d)
{
	struct json_object *array = jv_array(o, "events");
	unsigned int i;

	for (i = 0; i < SWT_EV_COUNT; i++)
		if (swt_catalog((enum swt_ev)i)->source != SWT_EVS_FTRACE &&
		    put_event(o, array, d, (enum swt_ev)i))
			*o->rc = -ENOMEM;
}

static void put_counters(struct jv *o, const struct swt_sys *sys)
{
	struct json_object *have, *missing;
	unsigned int i;

	if (!sys) {
		jv_null(o, "counters_have");
		jv_null(o, "counters_missing");
		return;
	}
	have = jv_array(o, "counters_have");
	missing = jv_array(o, "counters_missing");
	for (i = 0; i < SWT_VM_COUNT; i++) {
		const char *name = swt_vmstat_name((enum swt_vmstat)i);

		jv_item_bytes(o, sys->vm[i].known ? have : missing, name, strlen(name));
	}
}

static void put_swap(struct jv *o, const struct swt_sys *sys)
{
	struct json_object *array;
	unsigned int i;

	jv_areas(o, "devices", sys);
	array = jv_array(o, "zram");
	for (i = 0; sys && i < sys->nzram && i < SWT_MAX_ZRAM; i++)
		jv_item_bytes(o, array, sys->zram[i].name,
			      strnlen(sys->zram[i].name, sizeof(sys->zram[i].name)));
	jv_bool(o, "zswap_enabled", sys && sys->zswap_enabled);
	jv_str(o, "mode", sys ? sys->mode : NULL);
}

static void put_khugepaged(struct jv *root, const struct swt_sys *sys)
{
	struct jv o = jv_object(root, "khugepaged");
	struct swt_khugepaged k;

	memset(&k, 0, sizeof(k));
	if (sys)
		k = sys->khuge;
	jv_opt(&o, "max_ptes_none", k.max_ptes_none);
	jv_opt(&o, "max_ptes_swap", k.max_ptes_swap);
	jv_opt(&o, "max_ptes_shared", k.max_ptes_shared);
	jv_opt(&o, "pages_to_scan", k.pages_to_scan);
}

static void put_others(struct jv *o, const char *lines)
{
	struct json_object *array = jv_array(o, "others");

	while (lines && *lines) {
		size_t n = strcspn(lines, "\n");

		if (n)
			jv_item_bytes(o, array, lines, n);
		lines += n + (lines[n] == '\n');
	}
}

int swt_doctor_json(const struct swt_doctor *d, struct swt_json *j, uint64_t mono_ns)
{
	const struct swt_source_info *info = d->info;
	struct jv o, price;
	int rc = swt_json_begin(j, "doctor", mono_ns, &o);

	if (rc)
		return rc;
	jv_str(&o, "schema", SWT_SCHEMA);
	jv_str(&o, "version", SWT_VERSION);
	jv_str(&o, "host", d->host);
	jv_str(&o, "kernel", d->kernel);
	jv_str(&o, "arch", d->arch);
	jv_num(&o, "cpus", d->ncpus);
	jv_num(&o, "page_size", d->page_size);
	jv_str(&o, "source", swt_source_name(info->kind));
	jv_str(&o, "why_proc", info->why_proc);
	jv_opt(&o, "level", info->level < 0 ? SWT_UNKNOWN : swt_some((uint64_t)info->level));
	jv_str(&o, "clock", info->clock);
	jv_opt(&o, "rings_bytes", info->rings_bytes ? swt_some(info->rings_bytes) : SWT_UNKNOWN);
	jv_str(&o, "tracefs", d->tracefs);
	jv_str(&o, "tracefs_problem", d->tracefs_problem);
	jv_str(&o, "lockdown", d->lockdown);
	put_events(&o, d);
	put_counters(&o, d->sys);
	put_swap(&o, d->sys);
	jv_opt(&o, "min_entries", d->min_entries);
	jv_opt(&o, "min_exiting", d->min_exiting);
	put_khugepaged(&o, d->sys);
	price = jv_object(&o, "price");
	jv_hundredths(&price, "events_per_exit", d->events_per_exit_hundredths);
	jv_opt(&price, "ns_per_event", d->ns_per_event);
	put_others(&o, d->others);
	jv_str(&o, "limited", d->limited);
	return swt_json_put(j, &o);
}
