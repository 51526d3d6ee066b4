/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * khugepaged: what it costs, what it achieves, and for whom.
 *
 * CPU, passes and collapses come from samples; reasons, pages read back from swap and the most scanned
 * address spaces from huge_memory events.
 *
 * Those events carry the address of the mm, which no other event has but mmap:exit_mmap.  So the owner of an
 * mm is known for certain only when it dies or executes.  Until then it is counted without a name (pid 0),
 * unless the swap of a process that did not run fell by just the pages read in for exactly one mm.
 */
#ifndef SWT_MODEL_KHUGE_H
#define SWT_MODEL_KHUGE_H

#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "model/note.h"
#include "model/snapshot.h"
#include "trace/event.h"
#include "trace/formats.h"

struct swt_khuge;

struct swt_khuge_cfg {
	struct swt_noter note;
	const struct swt_formats *formats; /* names of scan results; NULL: numbers */
	uint64_t page_size;		   /* 0: 4096 */
	unsigned int user_hz;		   /* 0: 100 */
	int bits;			   /* width of the kernel's long, 0: 64 */
};

int swt_khuge_new(const struct swt_khuge_cfg *cfg, struct swt_khuge **ret);
void swt_khuge_free(struct swt_khuge *k);

/**
 * swt_khuge_event - take in a huge_memory event (others are ignored)
 *
 * Work done by other tasks than khugepaged (MADV_COLLAPSE) is not counted once khugepaged's pid is known.
 */
void swt_khuge_event(struct swt_khuge *k, const struct swt_event *ev);
/**
 * swt_khuge_owner - exit_mmap of @mm was seen: it was the memory of @pid
 * @pid: 0 when unknown; the address is forgotten all the same, since it is used again
 * @comm: may be NULL
 */
void swt_khuge_owner(struct swt_khuge *k, uint64_t ts, uint64_t mm, pid_t pid, const char *comm);
/**
 * swt_khuge_vmswap - two samples (@since, @ts) of a living process that did not run in between
 *
 * Only call it when that is certain and no swapoff was under way: somebody else read the pages in.
 * swt_khuge_tick() then looks whether khugepaged did, for exactly one mm.
 */
void swt_khuge_vmswap(struct swt_khuge *k, uint64_t since, uint64_t ts, pid_t pid, const char *comm,
		      struct swt_opt before, struct swt_opt after);
/** swt_khuge_tick - time passed. */
void swt_khuge_tick(struct swt_khuge *k, uint64_t now);
/**
 * swt_khuge_status - a text of /proc/PID/status; empty: the process is gone
 * @comm: may be NULL
 *
 * Finds out for swt_khuge_vmswap() who did not run: one thread, asleep in two samples, as many context
 * switches in both.
 */
void swt_khuge_status(struct swt_khuge *k, uint64_t ts, pid_t pid, const char *comm, const char *text,
		      size_t len);
/** swt_khuge_lost - events were lost: addresses seen before may belong to somebody else now. */
void swt_khuge_lost(struct swt_khuge *k);

/** swt_khuge_sample - counters as of @ts; notes long work without a result. */
void swt_khuge_sample(struct swt_khuge *k, uint64_t ts, const struct swt_khugepaged *s);

/**
 * swt_khuge_report - the interval since the last report; begins a new one. @events: were huge_memory events
 * on?
 */
void swt_khuge_report(struct swt_khuge *k, bool events, struct swt_khuge_report *ret);

/* Pages read in for address spaces nobody could name, since the start. */
uint64_t swt_khuge_unnamed(const struct swt_khuge *k);

enum swt_khuge_limit {
	SWT_KHUGE_PTES_NONE,
	SWT_KHUGE_PTES_SWAP,
	SWT_KHUGE_PTES_SHARED,
	SWT_KHUGE_PAGES_TO_SCAN
};
/**
 * swt_khuge_limit - one line: the limit, its value and what that means
 * @page_size: 0: 4096
 *
 * "max_ptes_swap 64: a range with up to 64 pages in swap is collapsed, and they are read back for it".
 */
int swt_khuge_limit(const struct swt_khugepaged *s, enum swt_khuge_limit limit, uint64_t page_size,
		    struct swt_buf *out);

#endif
