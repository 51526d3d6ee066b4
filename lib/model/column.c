/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The columns of a release, in the order of the help list.
 */
#include "model/column.h"

#include <errno.h>
#include <string.h>

static struct swt_cell opt_cell(enum swt_cell_kind kind, struct swt_opt o)
{
	return o.known ? (struct swt_cell){ .kind = kind, .v = o.v }
		       : (struct swt_cell){ .kind = SWT_CELL_NONE };
}

static struct swt_cell count(struct swt_opt o)
{
	return opt_cell(SWT_CELL_U64, o);
}

static struct swt_cell ns(struct swt_opt o)
{
	return opt_cell(SWT_CELL_NS, o);
}

/* 0 stands for unknown in pids. */
static struct swt_cell pid(int v)
{
	return count(v > 0 ? swt_some((uint64_t)v) : SWT_UNKNOWN);
}

static struct swt_cell bytes(const char *s, size_t len)
{
	if (!s || !len)
		return (struct swt_cell){ .kind = SWT_CELL_NONE };
	return (struct swt_cell){ .kind = SWT_CELL_TEXT, .s = s, .len = len };
}

static struct swt_cell word(const char *s)
{
	return bytes(s, s ? strlen(s) : 0);
}

static struct swt_cell yes_no(bool v)
{
	return (struct swt_cell){ .kind = SWT_CELL_BOOL, .v = v };
}

static const char *signal_word(int no)
{
	static const char *const names[] = { NULL,   "HUP",  "INT",  "QUIT", "ILL",  "TRAP", "ABRT", "BUS",
					     "FPE",  "KILL", "USR1", "SEGV", "USR2", "PIPE", "ALRM", "TERM",
					     "STKF", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
					     "XCPU", "XFSZ", "VTAL", "PROF", "WNCH", "IO",   "PWR",  "SYS" };

	return no > 0 && no < (int)(sizeof(names) / sizeof(names[0])) ? names[no] : "signal";
}

static struct swt_cell get_cause(const struct swt_release *r)
{
	if (r->kind != SWT_REL_EXIT)
		return word(swt_release_kind_name(r->kind));
	if (r->oom)
		return word("OOM");
	if (r->signal)
		return word(signal_word(r->signal));
	return word(r->cause_known ? "exit" : NULL);
}

static struct swt_cell get_fate(const struct swt_release *r)
{
	bool sync = swt_opt_or(r->sync, 0), late = swt_opt_or(r->late, 0), async = swt_opt_or(r->deferred, 0);

	if (r->held)
		return word("held");
	if (sync + late + async > 1)
		return word("mixed");
	return word(sync ? "sync" : late ? "late" : async ? "async" : NULL);
}

#define GET(name, expr)                                                \
	static struct swt_cell get_##name(const struct swt_release *r) \
	{                                                              \
		return expr;                                           \
	}
GET(time, ns(r->end_ns ? swt_some(r->end_ns) : SWT_UNKNOWN))
GET(pid, pid(r->pid))
GET(name, bytes(r->comm, r->comm_len <= sizeof(r->comm) ? r->comm_len : sizeof(r->comm)))
GET(kind, word(swt_release_kind_name(r->kind)))
GET(signal, count(r->cause_known || r->signal ? swt_some((uint64_t)r->signal) : SWT_UNKNOWN))
GET(sender, pid(r->sender))
GET(ppid, pid(r->ppid))
GET(tid, pid(r->tid))
GET(cgroup, word(r->cgroup))
GET(threads, count(r->threads))
GET(swap, count(r->swap_entries))
GET(dying, count(r->swapped_dying))
GET(freed, count(r->freed))
GET(sync, count(r->sync))
GET(late, count(r->late))
GET(deferred, count(r->deferred))
GET(fallback, count(r->fallback))
GET(teardown, ns(r->teardown))
GET(swap_ns, ns(r->swap_ns))
GET(other, ns(r->other_ns))
GET(per_entry, count(r->ns_per_entry))
GET(at_once, count(r->concurrency ? swt_some(r->concurrency) : SWT_UNKNOWN))
GET(lag, ns(r->lag))
GET(memory_lag, ns(r->memory_lag))
GET(reap, ns(r->reap_ns))
GET(signal_ns, ns(r->signal_ns))
GET(released_by, pid(r->released_by))
GET(backend, word(r->backend))
GET(held, yes_no(r->held))
GET(complete, yes_no(r->complete))
GET(start_by, word(swt_evidence_name(r->by_start)))
GET(end_by, word(swt_evidence_name(r->by_end)))
GET(entries_by, word(swt_evidence_name(r->by_entries)))
GET(release, word(r->id))

/* clang-format off */
const struct swt_column swt_columns[] = {
	/* name, title, json, unit, help, width, right, as_string, get */
	{ "pid", "PID", "pid", "", "process whose memory it was", 7, true, false, get_pid },
	{ "name", "NAME", "comm", "", "its name; for exec, of the program that was left", 15, false, false, get_name },
	{ "cause", "CAUSE", NULL, "", "fatal signal, OOM, exit, or exec, lastref, reaped", 7, false, false, get_cause },
	{ "swap", "SWAP ENTRIES", "swap_entries", "entries", "entries in swap at the start", 12, true, false, get_swap },
	{ "freed", "FREED", "freed_entries", "entries", "entries given up by this release", 9, true, false, get_freed },
	{ "dying", "DYING", "swapped_while_dying_entries", "entries", "entries added by reclaim after the start", 6, true, false, get_dying },
	{ "teardown", "TEARDOWN", "teardown_ns", "ns", "time from the start to the end of the teardown", 9, true, false, get_teardown },
	{ "swap_ns", "SWAP", "swap_ns", "ns", "part of it spent on swap entries", 9, true, false, get_swap_ns },
	{ "other", "OTHER", "other_ns", "ns", "the rest of it", 9, true, false, get_other },
	{ "ns_per_entry", "NS PER ENTRY", "ns_per_entry", "", "swap time per entry freed, ns", 12, true, false, get_per_entry },
	{ "at_once", "AT ONCE", "concurrency", "", "most releases in progress at any moment of this one, itself included", 7, true, false, get_at_once },
	{ "fate", "FATE", NULL, "", "how the entries went: sync, late, async, mixed; held: by others", 5, false, false, get_fate },
	{ "lag", "LAG", "lag_ns", "ns", "time from gone until the last entry was freed", 9, true, false, get_lag },
	{ "reap", "REAP", "reap_ns", "ns", "time from gone until the parent collected it", 9, true, false, get_reap },
	{ "signal_ns", "TO START", "signal_ns", "ns", "time from the fatal signal to the start", 9, true, false, get_signal_ns },
	{ "memory_lag", "MEM LAG", "memory_lag_ns", "ns", "time from gone until 90 % of its RAM and swap were back", 9, true, false, get_memory_lag },
	{ "backend", "BACKEND", "backend", "", "what swap lay on: zram, zswap, file, partition, mixed", 9, false, false, get_backend },
	{ "cgroup", "CGROUP", "cgroup", "", "its control group", 24, false, false, get_cgroup },
	{ "threads", "THREADS", "threads", "", "most threads alive at once", 7, true, false, get_threads },
	{ "kind", "KIND", "kind", "", "exit, exec, lastref or reaped", 7, false, false, get_kind },
	{ "signal", "SIGNAL", "cause.signal", "", "number of the fatal signal, 0: none", 6, true, false, get_signal },
	{ "sender", "SENDER", "cause.sender_pid", "", "process that sent it", 7, true, false, get_sender },
	{ "ppid", "PPID", "ppid", "", "its parent", 7, true, false, get_ppid },
	{ "tid", "TID", NULL, "", "task that did the teardown", 7, true, false, get_tid },
	{ "sync", "SYNC", "sync_entries", "entries", "entries freed in line while unmapping", 9, true, false, get_sync },
	{ "late", "LATE", "late_entries", "entries", "entries freed after the present pages", 9, true, false, get_late },
	{ "deferred", "DEFERRED", "deferred_entries", "entries", "entries handed to the kernel worker", 9, true, false, get_deferred },
	{ "fallback", "FALLBACK", "fallback_entries", "entries", "eligible entries freed in line all the same", 9, true, false, get_fallback },
	{ "released_by", "BY", "released_by_pid", "", "process that freed the entries when it was another one", 7, true, false, get_released_by },
	{ "held", "HELD", "held", "", "exited, its address space alive in other hands", 4, false, false, get_held },
	{ "complete", "COMPLETE", "complete", "", "no event was lost while it ran", 8, false, false, get_complete },
	{ "start_by", "START BY", "evidence.start", "", "mark that began the teardown", 18, false, false, get_start_by },
	{ "end_by", "END BY", "evidence.end", "", "mark that ended it", 18, false, false, get_end_by },
	{ "entries_by", "ENTRIES BY", "evidence.entries", "", "what the counts rest on", 15, false, false, get_entries_by },
	{ "time", "END", "mono_ns", "ns", "end of the teardown on the trace clock", 16, true, true, get_time },
	{ "release", "RELEASE", "release", "", "id of the release", 24, false, false, get_release },
};
/* clang-format on */

const size_t swt_ncolumns = sizeof(swt_columns) / sizeof(swt_columns[0]);

static int find(const char *name, size_t len)
{
	for (size_t i = 0; i < swt_ncolumns; i++)
		if (strlen(swt_columns[i].name) == len && !memcmp(swt_columns[i].name, name, len))
			return (int)i;
	return -1;
}

int swt_column_find(const char *name)
{
	return find(name, strlen(name));
}

size_t swt_column_default(int *ret, size_t max)
{
	static const char *const names[] = { "pid",	     "name",	"cause", "swap", "teardown",
					     "ns_per_entry", "at_once", "fate",	 "lag" };
	size_t n;

	for (n = 0; n < sizeof(names) / sizeof(names[0]) && n < max; n++)
		ret[n] = swt_column_find(names[n]);
	return n;
}

static int add(int *ret, size_t *n, size_t max, int column)
{
	for (size_t i = 0; i < *n; i++)
		if (ret[i] == column)
			return 0;
	if (*n == max)
		return -EINVAL;
	ret[(*n)++] = column;
	return 0;
}

int swt_column_parse(const char *list, int *ret, size_t max, struct swt_buf *bad)
{
	size_t n = 0, len;
	const char *s = list;

	/* "+lag" adds to what is shown anyway; so does a list with a "+" anywhere in it. */
	if (strchr(list, '+'))
		n = swt_column_default(ret, max);
	for (;; s += len + 1) {
		size_t plus = *s == '+';
		int column;

		len = strcspn(s, ",");
		column = len > plus ? find(s + plus, len - plus) : -1;
		if (column < 0 || add(ret, &n, max, column)) {
			if (bad) {
				swt_buf_reset(bad);
				swt_buf_add(bad, s + (len > plus ? plus : 0), len > plus ? len - plus : len);
			}
			return -EINVAL;
		}
		if (!s[len])
			return (int)n;
	}
}

int swt_column_cmp(int column, const struct swt_release *a, const struct swt_release *b)
{
	const struct swt_column *c = &swt_columns[column];
	struct swt_cell x = c->get(a), y = c->get(b);
	size_t len;
	int rc;

	if (x.kind == SWT_CELL_NONE || y.kind == SWT_CELL_NONE)
		return (x.kind != SWT_CELL_NONE) - (y.kind != SWT_CELL_NONE);
	if (x.kind != SWT_CELL_TEXT || y.kind != SWT_CELL_TEXT)
		return (x.v > y.v) - (x.v < y.v);
	len = x.len < y.len ? x.len : y.len;
	rc = memcmp(x.s, y.s, len);
	return rc ? rc : (x.len > y.len) - (x.len < y.len);
}
