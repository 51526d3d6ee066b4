/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One epoll loop: descriptors, ticks (timerfd, CLOCK_MONOTONIC) and signals (signalfd).  No threads.
 *
 * Callbacks return 0 to go on or non-zero to stop the loop with that value.  EINTR is handled here and
 * nowhere else.  Ticks that were missed (stopped process, busy machine) are delivered once, not caught up.
 * Everything registered lives until swt_loop_free().
 */
#ifndef SWT_BASE_LOOP_H
#define SWT_BASE_LOOP_H

#include <stdint.h>

struct swt_loop;

typedef int (*swt_loop_fn)(void *arg, uint32_t events);

int swt_loop_new(struct swt_loop **ret);
void swt_loop_free(struct swt_loop *l);

/** swt_loop_fd - watch a descriptor (EPOLLIN etc.); it stays the caller's. -EPERM for regular files. */
int swt_loop_fd(struct swt_loop *l, int fd, uint32_t events, swt_loop_fn fn, void *arg);
/** swt_loop_fd_del - stop watching; call it before close(fd).  -ENOENT when it is not watched. */
int swt_loop_fd_del(struct swt_loop *l, int fd);
/** swt_loop_tick - call @fn every @period_ns, first after @first_ns (0: after one period); @events is 0. */
int swt_loop_tick(struct swt_loop *l, uint64_t first_ns, uint64_t period_ns, swt_loop_fn fn, void *arg);
/**
 * swt_loop_signal - block @signo and deliver it through the loop; @events is the signal number
 *
 * -EEXIST when it is registered already.  swt_loop_free() drops what is still pending of it, so that a second
 * Ctrl-C cannot kill a program that is leaving, and restores the signal mask that was in force before.
 */
int swt_loop_signal(struct swt_loop *l, int signo, swt_loop_fn fn, void *arg);
/** swt_loop_run - run until a callback stops it; that value, or -errno. */
int swt_loop_run(struct swt_loop *l);

#endif
