/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which tasks' rss_stat events are wanted.  Private to lib/trace.
 *
 * rss_stat taxes every page fault of everybody, so the kernel must be told whom to skip before the event is
 * built.  There are two ways, and both are about TIDs, because the last thread of a process tears it down:
 *
 * LIST  set_event_pid.  An active list puts probes on sched_switch and sched_waking, which every task pays for.
 * ARM   rss_stat is attached but asleep (soft-disabled: a test of one flag in the page fault).  A trigger on
 *       sched_process_exit wakes it when a watched task begins to die, and we put it back to sleep when nothing watched
 *       is dying any more.  Needs sched_process_exit before the teardown (group_dead), and triggers.
 *
 * Measured on 6.18 with 2 CPUs (tests/bench/bench-unwatched.c; median ratio to no source within a round, quartiles),
 * for tasks that are not watched: pipe round trip LIST 1.16 (1.06 .. 1.26, n=60), ARM 1.00 (0.96 .. 1.06, n=120), level 1 alone 1.00;
 * page fault LIST 1.06, ARM 1.02 (0.88 .. 1.10, n=60).  A kernel filter on rss_stat without either: page fault 1.17
 * (1.15 .. 1.22, n=11).
 *
 * While an armed event is awake it records every task; swt_watch_pass() sorts those out that were not
 * watched from the beginning of their teardown.
 *
 * event-fork: seen on 6.18 with programs of one and of three threads: a task of the list keeps its place through
 * its whole teardown (all rss_stat events with curr=0 and exit_mmap were there with the option on and off) and leaves the
 * list after sched_process_free, as the kernel hooks that event, not sched_process_exit.  So the option would be safe for
 * both orders.  It is off all the same: it follows fork as well as clone, and one watched ancestor (a shell,
 * zygote) would soon put everybody on the list.  New threads are followed from task_newtask instead.
 */
#ifndef SWT_TRACE_WATCH_H
#define SWT_TRACE_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "trace/event.h"
#include "trace/instance.h"
#include "trace/live.h"

#define SWT_WATCH_CAP 8192u

struct swt_watch;

/**
 * swt_watch_new - an empty watch list on @in, whose rss_stat is off
 * @how: LIST or ARM
 */
int swt_watch_new(const struct swt_instance *in, enum swt_watch_how how, const struct swt_log *log,
		  struct swt_watch **ret);
void swt_watch_free(struct swt_watch *w); /* leaves the kernel's side as it is: the instance goes away */

size_t swt_watch_room(const struct swt_watch *w);
/**
 * swt_watch_add - add TIDs; those already there, and impossible ones, are skipped. -ENOSPC when full.
 *
 * The kernel is told by swt_watch_apply(), or by the next swt_watch_tick() that may: many changes become one.
 */
int swt_watch_add(struct swt_watch *w, const pid_t *tids, size_t n);
/** swt_watch_apply - tell the kernel at once, @now of the trace clock; waits for it (tens of ms, no CPU). */
int swt_watch_apply(struct swt_watch *w, uint64_t now);
void swt_watch_del(struct swt_watch *w, pid_t tid);
/** swt_watch_has - is it on the list, and does the kernel know it? */
bool swt_watch_has(const struct swt_watch *w, pid_t tid);

/**
 * swt_watch_see - look at one event, before it is delivered
 *
 * Returns true when rss_stat events were missed from here on although they were wanted.
 */
bool swt_watch_see(struct swt_watch *w, const struct swt_event *ev);
/** swt_watch_done - look at it again, after it was delivered. */
void swt_watch_done(struct swt_watch *w, const struct swt_event *ev);
/** swt_watch_pass - is this rss_stat event of a watched task? */
bool swt_watch_pass(const struct swt_watch *w, const struct swt_event *ev);

/** swt_watch_tick - after a drain: apply what is waiting, put rss_stat to sleep.  @now of the trace clock. */
int swt_watch_tick(struct swt_watch *w, uint64_t now);

/** swt_watch_gaps - how often rss_stat was off although something was watched. */
uint64_t swt_watch_gaps(const struct swt_watch *w);

/** swt_watch_ranges - trigger condition "pid==1||(pid>=3&&pid<=9)" for sorted TIDs, at most @max bytes. */
int swt_watch_ranges(const pid_t *sorted, size_t n, size_t max, struct swt_buf *out);

#endif
