/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Live tracefs: instances of our own, drained ring by ring.
 *
 * Two instances: "swaptop.<pid>.<starttime>" holds the cheap events of everybody, "….rss" holds kmem:rss_stat
 * for a watch list (level 3).  At level 4 rss_stat is in the first one, for all.  Top-level files are never
 * written.  The clock is set before anything else, since that clears a ring.  close() removes both instances.
 *
 * The watch list goes by TID.  Where sched_process_exit comes before the teardown, rss_stat sleeps and a trigger wakes it
 * when a watched task begins to die (ARM); elsewhere the kernel filters by set_event_pid (LIST), which puts probes on
 * sched_switch and costs every context switch.  Either way rss_stat is off while nothing is watched.  watch.h has the
 * figures, and tells what event-fork does and why it stays off.
 */
#ifndef SWT_TRACE_LIVE_H
#define SWT_TRACE_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/root.h"
#include "trace/event.h"
#include "trace/source.h"

struct swt_live;

/* How rss_stat is limited to the watch list at level 3, see trace/watch.h. */
enum swt_watch_how {
	SWT_WATCH_AUTO, /* ARM where possible, else LIST; LIST for recordings */
	SWT_WATCH_LIST, /* the rings hold watched tasks only, each from beginning to end */
	SWT_WATCH_ARM, /* the rings also hold pieces of others, which swt_live_drain() leaves out for the sink */
};

struct swt_live_cfg {
	const struct swt_root *root;
	const struct swt_clock *clock;
	const struct swt_log *log;
	const char *tracefs;  /* as found by swt_tracefs_find() */
	int level;	      /* 1..4, or -1 for auto */
	int want;	      /* enum swt_source_kind to insist on, or -1 */
	uint64_t rings_bytes; /* 0: default (16 MiB in all, at least 1 MiB per CPU, 256 KiB above 16 CPUs) */
	enum swt_watch_how watch;
	bool recording; /* the raw pages are kept: AUTO means LIST, and names of tasks are saved (record-cmd) */
};

/**
 * swt_live_open - make the instances and switch the events on
 *
 * Returns 0, -EACCES or -EPERM (no rights), -EOPNOTSUPP (no tracefs, or not one event of those needed), -EBUSY (a
 * ring is held by somebody; the message names the holder when it can be found), or another -errno.  On
 * failure nothing is left behind.
 */
int swt_live_open(const struct swt_live_cfg *cfg, struct swt_live **ret, struct swt_err *err);

/** swt_live_close - switch off, remove the instances, free.  NULL is fine. */
void swt_live_close(struct swt_live *l);

const struct swt_source_info *swt_live_info(const struct swt_live *l);
const struct swt_formats *swt_live_formats(const struct swt_live *l);

/** swt_live_fds - descriptors that become readable when a ring is half full; returns how many there are. */
size_t swt_live_fds(const struct swt_live *l, int *fds, size_t max);

/**
 * struct swt_live_tee - gets every ring page as read (a recorder), in ring order
 * @buffer: 0 or 1
 */
struct swt_live_tee {
	void *arg;
	int (*page)(void *arg, unsigned int buffer, unsigned int cpu, const void *page, size_t len);
};

/**
 * swt_live_drain - read every ring and deliver what is certain to be in order
 * @sink, @tee: either may be NULL; without a sink pages are decoded only as far as the watch list needs it
 * @last: deliver everything, nothing more will come
 */
int swt_live_drain(struct swt_live *l, const struct swt_sink *sink, const struct swt_live_tee *tee,
		   bool last);

/** swt_live_watch_free - how many more TIDs the watch list takes (0 at levels other than 3). */
size_t swt_live_watch_free(const struct swt_live *l);
/**
 * swt_live_watch - add TIDs to the watch list; those already there are skipped
 *
 * New threads of a watched task, and the reapers (oom_reaper, kswapd), are added by themselves.  Returns 0, -ENOSPC when
 * full, or -EOPNOTSUPP.  The kernel is told with the next drain, so that many changes become one; changes that follow
 * each other wait for up to 5 s.
 */
int swt_live_watch(struct swt_live *l, const pid_t *tids, size_t n);
/** swt_live_watch_now - tell the kernel now (waits for it, tens of ms without CPU); 0 or -errno. */
int swt_live_watch_now(struct swt_live *l);
/** swt_live_unwatch - forget a TID (it has been freed); the kernel's list is cleaned up when it is worth it. */
void swt_live_unwatch(struct swt_live *l, pid_t tid);
/** swt_live_watched - is this TID on the list, and known to the kernel? */
bool swt_live_watched(const struct swt_live *l, pid_t tid);

/** swt_live_mark - put a sample into the ring as raw marker records (see marker.h). */
int swt_live_mark(struct swt_live *l, const char *path, const char *text, size_t len);

/** swt_live_stats - the statistics text of every ring, as per_cpu/cpuN/stats has it; 0, -errno, or what @fn returned. */
int swt_live_stats(struct swt_live *l, int (*fn)(void *arg, unsigned int cpu, const char *text), void *arg);

/** swt_live_loss - read the loss counters of every CPU. */
int swt_live_loss(struct swt_live *l, struct swt_loss *ret);

/** swt_live_events - records seen since the start (events), for the price. */
uint64_t swt_live_events(const struct swt_live *l);

/** swt_live_stop - stop writing into the rings (tracing_on 0), so that the last drain is final. */
int swt_live_stop(struct swt_live *l);

#endif
