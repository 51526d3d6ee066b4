/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report of swaptop doctor as text, and the reasons both forms share.
 */
#include "out/doctor.h"

#include <errno.h>
#include <string.h>

#include "base/fmt.h"
#include "base/text.h"

#define LABEL 12 /* columns before the text */
#define WIDTH 79

const char *swt_doctor_reason(const struct swt_doctor *d, enum swt_ev id)
{
	bool lockdown = d->lockdown && *d->lockdown && strcmp(d->lockdown, "none");

	switch (d->info->state[id]) {
	case SWT_EV_MISSING:
		if (swt_catalog(id)->source == SWT_EVS_PATCH)
			return "not in this kernel (it comes with the swaptop patch series)";
		return "not in this kernel";
	case SWT_EV_NO_ACCESS:
		if (d->info->error[id] == -EBUSY)
			return "busy: somebody else holds it";
		return lockdown && d->info->error[id] == -EPERM ? "lockdown" : "permission";
	default:
		return NULL;
	}
}

int swt_doctor_fix(const struct swt_doctor *d, enum swt_ev id, struct swt_buf *out)
{
	const char *reason = swt_doctor_reason(d, id);

	if (!reason)
		return 0;
	if (!strcmp(reason, "permission"))
		return swt_buf_addf(out, "run as root or: mount -o remount,gid=GROUP %s",
				    d->tracefs && *d->tracefs ? d->tracefs : "/sys/kernel/tracing");
	if (!strcmp(reason, "lockdown"))
		return swt_buf_addf(out, "boot without lockdown=%s", d->lockdown);
	if (d->info->state[id] == SWT_EV_NO_ACCESS)
		return swt_buf_adds(out, "end the other tracer, then start again");
	if (swt_catalog(id)->source == SWT_EVS_PATCH)
		return swt_buf_adds(out, "boot a kernel with kernel-patch/ applied");
	return 0;
}

/* One labelled paragraph.  Text from outside is cleaned here; lines break at spaces and only where @wrap allows. */
struct page {
	struct swt_buf *out;
	bool ascii;
	int rc;
};

static void indent(struct page *p, const char *label)
{
	if (!p->rc)
		p->rc = swt_text_fit(p->out, label, strlen(label), LABEL, false);
}

static void put_line(struct page *p, const char *label, const char *text, bool wrap)
{
	struct swt_buf clean = SWT_BUF_INIT;
	const char *s;
	size_t col = LABEL, skip = 0, n, w;

	if (!p->rc)
		p->rc = swt_text_clean(&clean, text, strlen(text), p->ascii);
	indent(p, label);
	for (s = swt_buf_str(&clean); *s && !p->rc; s += n) {
		n = strspn(s, " ");
		n += strcspn(s + n, " ");
		w = swt_text_width(s, n);
		if (wrap && col > LABEL && col + w > WIDTH) {
			p->rc = swt_buf_addc(p->out, '\n');
			indent(p, "");
			col = LABEL;
			skip = strspn(s, " ");
		}
		if (!p->rc)
			p->rc = swt_buf_add(p->out, s + skip, n - skip);
		col += w - skip;
		skip = 0;
	}
	if (!p->rc)
		p->rc = swt_buf_addc(p->out, '\n');
	swt_buf_free(&clean);
}

static void flush(struct page *p, const char *label, struct swt_buf *text, bool wrap)
{
	put_line(p, label, swt_buf_str(text), wrap);
	swt_buf_reset(text);
}

/* Adding to the paragraph at hand; the first failure stays in the page. */
#define ADD(p, b, ...)                                            \
	do {                                                      \
		if (!(p)->rc)                                     \
			(p)->rc = swt_buf_addf((b), __VA_ARGS__); \
	} while (0)

static const char *or_dash(const char *s)
{
	return s && *s ? s : "-";
}

static void put_mode(struct page *p, const struct swt_doctor *d, struct swt_buf *b)
{
	char n[SWT_FMT_LEN];

	if (!d->sys || !*d->sys->mode) {
		ADD(p, b, "mode not in this kernel");
		return;
	}
	ADD(p, b, "mode %s (%s entries, ", d->sys->mode,
	    swt_fmt_opt(n, sizeof(n), d->min_entries, swt_fmt_count));
	ADD(p, b, "%s exiting)", swt_fmt_opt(n, sizeof(n), d->min_exiting, swt_fmt_count));
}

static void put_source(struct page *p, const struct swt_doctor *d, struct swt_buf *b)
{
	const struct swt_source_info *info = d->info;
	enum swt_ev_source kind = info->kind == SWT_SOURCE_PATCHED ? SWT_EVS_PATCH : SWT_EVS_STOCK;
	unsigned int i, have = 0, all = 0, counters = 0, ncounters = 0;

	for (i = 0; i < SWT_EV_COUNT; i++) {
		if (swt_catalog((enum swt_ev)i)->source != kind || info->state[i] == SWT_EV_UNUSED)
			continue;
		all++;
		have += info->state[i] == SWT_EV_HAVE;
	}
	for (i = SWT_VM_NR_SWAP_DEFERRED; i <= SWT_VM_THP_ABORT; i++) {
		ncounters++;
		counters += d->sys && d->sys->vm[i].known;
	}
	ADD(p, b, "%s: ", swt_source_name(info->kind));
	if (info->kind == SWT_SOURCE_PROC)
		ADD(p, b, "sampling only, %s", *info->why_proc ? info->why_proc : "no events");
	else
		ADD(p, b, "events %u of %u", have, all);
	ADD(p, b, ", counters of the patch %u of %u, ", counters, ncounters);
	put_mode(p, d, b);
	flush(p, "source", b, true);
}

static void put_tracefs(struct page *p, const struct swt_doctor *d, struct swt_buf *b)
{
	char n[SWT_FMT_LEN];

	ADD(p, b, "%s", or_dash(d->tracefs));
	if (d->tracefs_problem && *d->tracefs_problem) {
		ADD(p, b, ": %s", d->tracefs_problem);
	} else if (d->info->kind != SWT_SOURCE_PROC) {
		ADD(p, b, ", instance ok, clock %s, rings %s, level %d%s", or_dash(d->info->clock),
		    swt_fmt_bytes(n, sizeof(n), d->info->rings_bytes), d->info->level,
		    d->info->level_forced ? " (asked for)" : "");
	}
	if (d->lockdown && *d->lockdown)
		ADD(p, b, ", lockdown %s", d->lockdown);
	flush(p, "tracefs", b, true);
}

/* Few by name, many by how many there are of each system. */
static void put_state(struct page *p, const struct swt_doctor *d, enum swt_ev_state state, const char *text,
		      const char **label, struct swt_buf *b)
{
	const char *system[SWT_EV_COUNT] = { NULL };
	unsigned int count[SWT_EV_COUNT] = { 0 }, i, k, n = 0, nsys = 0;
	const char *name[SWT_EV_COUNT];

	for (i = 0; i < SWT_EV_COUNT; i++) {
		const struct swt_event_desc *e = swt_catalog((enum swt_ev)i);

		if (d->info->state[i] != state || e->source == SWT_EVS_FTRACE)
			continue;
		name[n++] = e->full;
		for (k = 0; k < nsys && strcmp(system[k], e->system); k++)
			;
		nsys += k == nsys;
		system[k] = e->system;
		count[k]++;
	}
	if (!n)
		return;
	for (i = 0; n <= 4 && i < n; i++)
		ADD(p, b, "%s%s", i ? " " : text, name[i]);
	for (i = 0; n > 4 && i < nsys; i++)
		ADD(p, b, "%s%s (%u)", i ? ", " : text, system[i], count[i]);
	flush(p, *label, b, true);
	*label = "";
}

/* Events that are not there: those with the same reason share a paragraph, each loss is said once. */
static void put_absent(struct page *p, const struct swt_doctor *d, unsigned int first, const char *label,
		       struct swt_buf *b)
{
	const char *reason = swt_doctor_reason(d, (enum swt_ev)first);
	const char *said = NULL;
	unsigned int i;
	size_t len;

	ADD(p, b, "%s:", d->info->state[first] == SWT_EV_MISSING ? reason : "no access");
	for (i = first; i < SWT_EV_COUNT; i++)
		if (swt_doctor_reason(d, (enum swt_ev)i) == reason)
			ADD(p, b, " %s", swt_catalog((enum swt_ev)i)->full);
	flush(p, label, b, true);
	for (i = first; i < SWT_EV_COUNT; i++) {
		const char *lost = swt_catalog((enum swt_ev)i)->lost;

		if (swt_doctor_reason(d, (enum swt_ev)i) != reason || (said && !strcmp(said, lost)))
			continue;
		ADD(p, b, "%s%s", said ? "; " : "  lost: ", lost);
		said = lost;
	}
	flush(p, "", b, true);
	/* On a line of its own that is never broken, so that a command can be copied. */
	if (d->info->state[first] == SWT_EV_NO_ACCESS)
		ADD(p, b, "  %s; ", reason);
	else
		ADD(p, b, "  ");
	len = b->len;
	if (!p->rc)
		p->rc = swt_doctor_fix(d, (enum swt_ev)first, b);
	if (b->len > len)
		flush(p, "", b, false);
	swt_buf_reset(b);
}

static void put_events(struct page *p, const struct swt_doctor *d, struct swt_buf *b)
{
	const char *label = "events";
	unsigned int i, k;

	put_state(p, d, SWT_EV_HAVE, "ok: ", &label, b);
	put_state(p, d, SWT_EV_UNUSED, "not used at this level: ", &label, b);
	for (i = 0; i < SWT_EV_COUNT; i++) {
		const char *reason = swt_doctor_reason(d, (enum swt_ev)i);

		if (!reason || swt_catalog((enum swt_ev)i)->source == SWT_EVS_FTRACE)
			continue;
		for (k = 0; k < i && swt_doctor_reason(d, (enum swt_ev)k) != reason; k++)
			;
		if (k < i)
			continue;
		put_absent(p, d, i, label, b);
		label = "";
	}
}

static void put_counters(struct page *p, const struct swt_doctor *d, struct swt_buf *b)
{
	unsigned int i, n = 0;

	if (!d->sys) {
		put_line(p, "counters", "/proc/vmstat cannot be read", true);
		return;
	}
	for (i = 0; i < SWT_VM_COUNT; i++)
		if (!d->sys->vm[i].known)
			ADD(p, b, "%s%s",
			    n++ ? " " : "not in this kernel: ", swt_vmstat_name((enum swt_vmstat)i));
	if (!n)
		ADD(p, b, "all %u are there", (unsigned int)SWT_VM_COUNT);
	flush(p, "counters", b, true);
}

static void put_swap(struct page *p, const struct swt_sys *sys, struct swt_buf *b)
{
	char n[SWT_FMT_LEN];
	unsigned int i;

	for (i = 0; i < sys->nareas && i < SWT_MAX_SWAPS; i++) {
		const struct swt_swap_area *a = &sys->area[i];

		ADD(p, b, "%.*s (%s), ", (int)sizeof(a->name), a->name, swt_swap_kind_name(a->kind));
		ADD(p, b, "%s of ", swt_fmt_opt(n, sizeof(n), a->used, swt_fmt_bytes));
		ADD(p, b, "%s used, priority %d", swt_fmt_opt(n, sizeof(n), a->size, swt_fmt_bytes),
		    a->priority);
		flush(p, i ? "" : "swap", b, true);
	}
	if (!sys->nareas)
		put_line(p, "swap", sys->areas_known ? "no swap area is active" : "unknown", true);
	for (i = 0; i < sys->nzram && i < SWT_MAX_ZRAM; i++)
		ADD(p, b, "%s%.*s", i ? ", " : "zram: ", (int)sizeof(sys->zram[i].name), sys->zram[i].name);
	ADD(p, b, "%szswap %s", sys->nzram ? "; " : "", sys->zswap_enabled ? "on" : "off");
	flush(p, "", b, true);
}

static void put_khugepaged(struct page *p, const struct swt_khugepaged *k, struct swt_buf *b)
{
	char none[SWT_FMT_LEN], in[SWT_FMT_LEN], shared[SWT_FMT_LEN], scan[SWT_FMT_LEN];

	if (!k->max_ptes_none.known && !k->max_ptes_swap.known)
		return;
	ADD(p, b,
	    "may fill %s empty, read back %s swapped and copy %s shared pages to make a huge page; "
	    "looks at %s pages, then sleeps",
	    swt_fmt_opt(none, sizeof(none), k->max_ptes_none, swt_fmt_count),
	    swt_fmt_opt(in, sizeof(in), k->max_ptes_swap, swt_fmt_count),
	    swt_fmt_opt(shared, sizeof(shared), k->max_ptes_shared, swt_fmt_count),
	    swt_fmt_opt(scan, sizeof(scan), k->pages_to_scan, swt_fmt_count));
	flush(p, "khugepaged", b, true);
}

static void put_price(struct page *p, const struct swt_doctor *d, struct swt_buf *b)
{
	struct swt_opt per = d->events_per_exit_hundredths;

	if (d->info->kind == SWT_SOURCE_PROC) {
		put_line(p, "price", "none for the machine: no events are on", true);
		return;
	}
	if (per.known)
		ADD(p, b, "%llu.%llu events per exit", (unsigned long long)(per.v / 100),
		    (unsigned long long)(per.v % 100 / 10));
	else
		ADD(p, b, "events per exit not measured yet");
	if (d->ns_per_event.known)
		ADD(p, b, ", %llu ns each", (unsigned long long)d->ns_per_event.v);
	if (d->info->level >= 4)
		ADD(p, b, "; kmem:rss_stat is on for all: it slows every page fault of every process");
	else if (d->info->level == 3)
		ADD(p, b,
		    "; kmem:rss_stat slows page faults of the processes with much swap, and task switches a little");
	else
		ADD(p, b, "; nothing for processes that do not exit");
	flush(p, "price", b, true);
}

static void put_others(struct page *p, const char *lines, struct swt_buf *b)
{
	const char *label = "others";

	while (lines && *lines) {
		size_t n = strcspn(lines, "\n");

		ADD(p, b, "%.*s", (int)n, lines);
		if (b->len)
			flush(p, label, b, true);
		label = "";
		lines += n + (lines[n] == '\n');
	}
	if (*label)
		put_line(p, label, "no other tracer found", true);
}

int swt_doctor_text(const struct swt_doctor *d, bool ascii, struct swt_buf *out)
{
	struct page p = { out, ascii, 0 };
	struct swt_buf b = SWT_BUF_INIT;

	ADD(&p, &b, "%s %s, %u CPU%s, page %llu", or_dash(d->kernel), or_dash(d->arch), d->ncpus,
	    d->ncpus == 1 ? "" : "s", (unsigned long long)d->page_size);
	flush(&p, "kernel", &b, true);
	put_source(&p, d, &b);
	put_tracefs(&p, d, &b);
	put_events(&p, d, &b);
	put_counters(&p, d, &b);
	if (d->sys) {
		put_swap(&p, d->sys, &b);
		put_khugepaged(&p, &d->sys->khuge, &b);
	}
	put_price(&p, d, &b);
	put_others(&p, d->others, &b);
	if (d->limited && *d->limited) {
		ADD(&p, &b, "limited view: %s", d->limited);
		flush(&p, "processes", &b, true);
	}
	swt_buf_free(&b);
	return p.rc;
}
