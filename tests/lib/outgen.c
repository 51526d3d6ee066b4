/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Made-up releases, intervals and sources.
 */
#include "outgen.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void outgen_exit(struct swt_release *r)
{
	memset(r, 0, sizeof(*r));
	strcpy(r->id, "81234446345000-4198");
	r->kind = SWT_REL_EXIT;
	r->pid = r->tid = 4198;
	r->ppid = 1;
	r->born_ns = swt_some(80000000000000);
	strcpy(r->comm, "com.maps");
	r->comm_len = 8;
	r->cgroup = "/user.slice/app-maps";
	r->threads = swt_some(8);
	r->signal = 9;
	r->sender = 412;
	r->cause_known = true;
	r->by_start = SWT_BY_SWAP_EXIT_BEGIN;
	r->by_end = r->by_entries = r->by_swap_ns = SWT_BY_SWAP_EXIT_END;
	r->swap_entries = r->freed = swt_some(7992);
	r->swapped_dying = swt_some(0);
	r->sync = swt_some(120);
	r->late = swt_some(0);
	r->deferred = swt_some(7872);
	r->fallback = swt_some(0);
	r->start_ns = 81234446345000;
	r->end_ns = 81234512345000;
	r->signal_ns = swt_some(1800000);
	r->teardown = swt_some(66000000);
	r->swap_ns = swt_some(8300000);
	r->other_ns = swt_some(57700000);
	r->gone_at = swt_some(81234512345000);
	r->ns_per_entry = swt_some(1040);
	r->concurrency = 15;
	strcpy(r->backend, "zram");
	r->complete = true;
}

void outgen_blank(struct swt_release *r)
{
	memset(r, 0, sizeof(*r));
	strcpy(r->id, "5-0");
}

void outgen_odd(struct swt_release *r)
{
	static const char comm[] = "a\"\\/\x1b[31m\x07\x7f\xff\xd0\x99\xd0";
	static const char group[] = "/x/\xc3\x28\n\xe2\x80\xae/\xed\xa0\x80";

	memset(r, 0, sizeof(*r));
	strcpy(r->id, "18446744073709551615-4194304");
	r->kind = SWT_REL_REAPED;
	r->pid = r->tid = 4194304;
	r->ppid = r->sender = r->released_by = 2147483647;
	r->signal = 64;
	r->born_ns = r->released_at = swt_some(9007199254740993);
	memcpy(r->comm, comm, sizeof(comm) - 1);
	r->comm_len = sizeof(comm) - 1;
	r->cgroup = group;
	r->oom = r->held = r->final = true;
	r->swap_entries = swt_some(9007199254740991);
	r->freed = r->sync = swt_some(UINT64_MAX);
	r->teardown = swt_some(9007199254740992);
	r->start_ns = 1;
	r->end_ns = UINT64_MAX;
	r->lost = UINT64_MAX;
	r->concurrency = 4294967295u;
	strcpy(r->backend, "zram");
}

static void hist(struct swt_hist *h, uint64_t first, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		swt_hist_add(h, first + first * i / n);
}

static struct swt_delta step(uint64_t v)
{
	return (struct swt_delta){ SWT_DELTA_OK, v };
}

static void name_count(struct swt_named_count *c, const char *name, uint64_t n)
{
	snprintf(c->name, sizeof(c->name), "%s", name);
	c->count = n;
}

static void fill_sys(struct swt_sys *sys)
{
	unsigned int i;

	for (i = 0; i < SWT_VM_COUNT; i++)
		sys->vm[i] = swt_some(1000 + i);
	sys->vm[SWT_VM_NR_SWAP_DEFERRED] = swt_some(104032);
	sys->mem_total = swt_some(8ull << 30);
	sys->mem_available = swt_some(1ull << 30);
	sys->swap_total = swt_some(2ull << 30);
	sys->swap_free = swt_some(512ull << 20);
	sys->swap_cached = swt_some(96ull << 20);
	sys->zswap_pool = swt_some(1 << 20);
	sys->zswap_data = swt_some(3 << 20);
	sys->psi_some_avg10 = swt_some(1210);
	sys->psi_full_avg10 = swt_some(5);
	sys->areas_known = true;
	sys->nareas = 1;
	strcpy(sys->area[0].name, "/dev/zram0");
	sys->area[0].kind = SWT_SWAP_ZRAM;
	sys->area[0].size = swt_some(2ull << 30);
	sys->area[0].used = swt_some(1536ull << 20);
	sys->area[0].priority = -2;
	sys->nzram = 1;
	strcpy(sys->zram[0].name, "zram0");
	sys->zram[0].data = swt_some(1400ull << 20);
	sys->zram[0].compressed = swt_some(400ull << 20);
	sys->zram[0].pool = swt_some(410ull << 20);
	sys->zram[0].pool_peak = swt_some(500ull << 20);
	sys->zram[0].missed_free = swt_some(120);
	sys->khuge.max_ptes_none = swt_some(511);
	sys->khuge.max_ptes_swap = swt_some(64);
	sys->khuge.max_ptes_shared = swt_some(256);
	sys->khuge.pages_to_scan = swt_some(4096);
	strcpy(sys->mode, "async");
}

void outgen_snapshot(struct swt_snapshot *s)
{
	unsigned int i;

	memset(s, 0, sizeof(*s));
	s->ts = OUTGEN_MONO + 1000000000;
	s->interval_ns = 1000000000;
	s->complete = true;
	fill_sys(&s->sys);
	for (i = 0; i < SWT_VM_COUNT; i++)
		s->vm[i] = step(10 + i);
	s->exits.count = 15;
	s->exits.in_flight = 6;
	s->exits.freed_entries = swt_some(119880);
	hist(&s->exits.teardown_ns, 66000000, 15);
	hist(&s->exits.ns_per_entry, 1190, 15);
	s->khuge.cpu_hundredths = swt_some(30);
	s->khuge.full_scans = step(2);
	s->khuge.collapsed = step(7);
	s->khuge.results_known = true;
	s->khuge.nresults = 2;
	name_count(&s->khuge.result[0], "succeeded", 7);
	name_count(&s->khuge.result[1], "exceed_swap_pte", 205);
	s->defer.known = true;
	s->defer.nfallback = s->defer.ndrained = 1;
	name_count(&s->defer.fallback[0], "budget", 12);
	name_count(&s->defer.drained[0], "swapoff", 40);
	s->defer.age_max_ns = swt_some(210000000);
	s->defer.batches = 33;
	hist(&s->defer.batch_ns, 40000, 33);
	s->events = swt_some(212);
	s->lost = swt_some(0);
	s->cost_ns = swt_some(59360);
	s->self_cpu_hundredths = swt_some(20);
	s->self_rss = swt_some(5 << 20);
	s->backend = "zram";
}

void outgen_snapshot_blank(struct swt_snapshot *s)
{
	memset(s, 0, sizeof(*s));
}

void outgen_snapshot_odd(struct swt_snapshot *s)
{
	unsigned int i;

	outgen_snapshot(s);
	s->complete = false;
	s->ts = UINT64_MAX;
	s->interval_ns = UINT64_MAX;
	for (i = 0; i < SWT_VM_COUNT; i++)
		s->vm[i] = (struct swt_delta){ SWT_DELTA_RESET, 0 };
	s->sys.swap_free = swt_some(3ull << 30); /* more than there is */
	s->sys.nareas = SWT_MAX_SWAPS;
	memset(s->sys.area[1].name, 0xff, sizeof(s->sys.area[1].name)); /* no NUL */
	s->sys.nzram = SWT_MAX_ZRAM;
	s->exits.freed_entries = SWT_UNKNOWN;
	s->exits.freed_unknown = 3;
	memset(&s->exits.ns_per_entry, 0, sizeof(s->exits.ns_per_entry));
	for (i = 0; i < 64; i++) {
		swt_hist_add(&s->exits.teardown_ns, 1ull << i);
		name_count(&s->khuge.result[i], i < 32 ? "status \xff\x1b" : "twice", i);
	}
	s->khuge.nresults = SWT_MAX_RESULTS;
	s->khuge.result[63].count = UINT64_MAX;
	s->lost = swt_some(57);
}

void outgen_source(struct swt_source_info *i, enum swt_source_kind kind)
{
	unsigned int e;

	memset(i, 0, sizeof(*i));
	i->kind = kind;
	i->level = kind == SWT_SOURCE_PROC ? 0 : kind == SWT_SOURCE_STOCK ? 3 : 2;
	if (kind == SWT_SOURCE_PROC) {
		strcpy(i->why_proc, "tracefs: permission: run as root");
		return;
	}
	strcpy(i->clock, "mono");
	i->rings_bytes = 16777216;
	i->ncpus = 2;
	for (e = 0; e < SWT_EV_COUNT; e++) {
		enum swt_ev_source src = swt_catalog((enum swt_ev)e)->source;

		i->state[e] = SWT_EV_HAVE;
		if (src == SWT_EVS_PATCH && kind == SWT_SOURCE_STOCK) {
			i->state[e] = SWT_EV_MISSING;
			i->error[e] = -ENOENT;
		}
	}
	i->state[SWT_EV_SIGNAL_DELIVER] = SWT_EV_NO_ACCESS;
	i->error[SWT_EV_SIGNAL_DELIVER] = -EACCES;
	if (kind == SWT_SOURCE_PATCHED)
		i->state[SWT_EV_RSS_STAT] = SWT_EV_UNUSED;
}

void outgen_header(struct swt_json_header *h, const struct swt_source_info *i, const struct swt_sys *sys)
{
	*h = (struct swt_json_header){
		.host = "host7",
		.boot_id = "3c0b6f0e-8f0d-4f6d-9a57-3b1a5a5a0001",
		.kernel = "6.12.117",
		.arch = "x86_64",
		.page_size = 4096,
		.info = i,
		.interval_ns = 1000000000,
		.mode = sys ? sys->mode : NULL,
		.sys = sys,
	};
}

int outgen_stream(int fd, const struct swt_wall *w)
{
	static struct swt_snapshot s;
	struct swt_source_info info;
	struct swt_json_header h;
	struct swt_json_end e = { swt_some(212), swt_some(0), true, "count" };
	struct swt_release r;
	struct swt_json j;
	int rc;

	swt_json_init(&j, fd, w);
	outgen_source(&info, SWT_SOURCE_PATCHED);
	outgen_snapshot(&s);
	outgen_header(&h, &info, &s.sys);
	rc = swt_json_header(&j, OUTGEN_MONO, &h);
	outgen_exit(&r);
	rc = rc ? rc : swt_json_exit(&j, OUTGEN_MONO, &r);
	r.reap_ns = swt_some(400000);
	r.released_at = swt_some(81234753300000);
	r.lag = swt_some(240955000);
	r.released_by = 61;
	r.final = true;
	rc = rc ? rc : swt_json_exit_update(&j, 81234753345000, &r);
	rc = rc ? rc : swt_json_report(&j, &s);
	outgen_blank(&r);
	rc = rc ? rc : swt_json_exit(&j, OUTGEN_MONO, &r);
	rc = rc ? rc : swt_json_exit_update(&j, OUTGEN_MONO, &r);
	outgen_odd(&r);
	rc = rc ? rc : swt_json_exit(&j, OUTGEN_MONO, &r);
	rc = rc ? rc : swt_json_exit_update(&j, OUTGEN_MONO, &r);
	outgen_snapshot_blank(&s);
	rc = rc ? rc : swt_json_report(&j, &s);
	outgen_snapshot_odd(&s);
	rc = rc ? rc : swt_json_report(&j, &s);
	rc = rc ? rc : swt_json_end(&j, 81237000100000, &e);
	swt_json_fini(&j);
	return rc;
}
