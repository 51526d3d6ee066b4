/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes that sleep, so that a fall of their swap is somebody else's doing.
 */
#define HASH_FUNCTION(key, len, hash) ((hash) = swt_khuge_hash(key, len))
#define HASH_NONFATAL_OOM	      1
#define uthash_nonfatal_oom(obj)      ((void)(obj))
#include <stdlib.h>
#include <uthash.h>

#include "model/khuge-parts.h"
#include "model/scan.h"

#define MAX_SLEEPERS 4096

/* One thread, something in swap, asleep; as of its last sample. */
struct swt_sleeper {
	int pid;
	uint64_t ts, vm_swap, switches;
	UT_hash_handle hh;
};

void swt_sleepers_free(struct swt_sleeper **head)
{
	struct swt_sleeper *s, *tmp;

	HASH_ITER(hh, *head, s, tmp)
	{
		HASH_DEL(*head, s);
		free(s);
	}
}

/* What of a status says whether the process ran; false unless it sleeps and has one thread. */
static bool asleep(const char *text, size_t len, struct swt_sleeper *ret)
{
	struct swt_scan s = swt_scan(text, len), l;
	struct swt_opt swap = SWT_UNKNOWN, threads = SWT_UNKNOWN, vol = SWT_UNKNOWN, invol = SWT_UNKNOWN;
	char state = 0;

	while (swt_scan_line(&s, &l)) {
		if (SWT_SCAN_SKIP(&l, "State:")) {
			swt_scan_blanks(&l);
			state = l.p < l.end ? *l.p : 0;
		} else if (SWT_SCAN_SKIP(&l, "VmSwap:")) {
			swap = swt_scan_kib(&l);
		} else if (SWT_SCAN_SKIP(&l, "Threads:")) {
			threads = swt_scan_u64(&l);
		} else if (SWT_SCAN_SKIP(&l, "voluntary_ctxt_switches:")) {
			vol = swt_scan_u64(&l);
		} else if (SWT_SCAN_SKIP(&l, "nonvoluntary_ctxt_switches:")) {
			invol = swt_scan_u64(&l);
		}
	}
	if ((state != 'S' && state != 'D' && state != 'T') || !swap.known || !threads.known ||
	    threads.v != 1 || !vol.known || !invol.known)
		return false;
	ret->vm_swap = swap.v;
	ret->switches = vol.v + invol.v;
	return true;
}

/*
 * Only who has something in swap can have it read back.  When there is no room or no memory, it is not
 * followed.
 */
static void follow(struct swt_sleeper **head, const struct swt_sleeper *now)
{
	struct swt_sleeper *s;

	if (!now->vm_swap || HASH_COUNT(*head) >= MAX_SLEEPERS)
		return;
	s = calloc(1, sizeof(*s));
	if (!s)
		return;
	s->pid = now->pid;
	s->ts = now->ts;
	s->vm_swap = now->vm_swap;
	s->switches = now->switches;
	HASH_ADD(hh, *head, pid, sizeof(s->pid), s);
	if (!s->hh.tbl)
		free(s);
}

bool swt_sleepers_fell(struct swt_sleeper **head, uint64_t ts, pid_t pid, const char *text, size_t len,
		       uint64_t *since, struct swt_opt *before, struct swt_opt *after)
{
	struct swt_sleeper now = { .pid = pid, .ts = ts }, *s;
	bool still = len && asleep(text, len, &now), fell;

	HASH_FIND(hh, *head, &pid, sizeof(pid), s);
	if (!s) {
		if (still)
			follow(head, &now);
		return false;
	}
	*since = s->ts;
	if (!still || !now.vm_swap) {
		fell = still && s->switches == now.switches;
		*before = swt_some(s->vm_swap);
		*after = swt_some(0);
		HASH_DEL(*head, s);
		free(s);
		return fell;
	}
	fell = s->switches == now.switches && s->vm_swap > now.vm_swap;
	*before = swt_some(s->vm_swap);
	*after = swt_some(now.vm_swap);
	s->ts = ts;
	s->vm_swap = now.vm_swap;
	s->switches = now.switches;
	return fell;
}
