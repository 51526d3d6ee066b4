/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event loop, see loop.h.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/loop.h"

enum watch_kind { WATCH_FD, WATCH_TICK, WATCH_SIGNAL };

struct watch {
	struct watch *next;
	enum watch_kind kind;
	int fd;
	int signo;
	bool dead;	/* no more calls; freed when no event of this round can name it */
	bool forgotten; /* epoll no longer knows it */
	swt_loop_fn fn;
	void *arg;
};

struct swt_loop {
	int epfd;
	struct watch *watches;
	sigset_t old_mask;
	bool mask_saved;
};

int swt_loop_new(struct swt_loop **ret)
{
	struct swt_loop *l = calloc(1, sizeof(*l));
	int rc;

	if (!l)
		return -ENOMEM;
	l->epfd = epoll_create1(EPOLL_CLOEXEC);
	if (l->epfd < 0) {
		rc = -errno;
		free(l);
		return rc;
	}
	*ret = l;
	return 0;
}

/* A second Ctrl-C while the program is leaving must not kill it at the moment the mask is restored. */
static void drain_signal(int fd)
{
	struct signalfd_siginfo si;
	ssize_t n;

	do {
		n = read(fd, &si, sizeof(si));
	} while (n > 0 || (n < 0 && errno == EINTR));
}

void swt_loop_free(struct swt_loop *l)
{
	struct watch *w;

	if (!l)
		return;
	while ((w = l->watches)) {
		l->watches = w->next;
		if (w->kind == WATCH_SIGNAL)
			drain_signal(w->fd);
		if (w->kind != WATCH_FD)
			close(w->fd);
		free(w);
	}
	if (l->mask_saved)
		sigprocmask(SIG_SETMASK, &l->old_mask, NULL);
	close(l->epfd);
	free(l);
}

/* Takes over @fd of a tick or signal only on success. */
static int watch_add(struct swt_loop *l, enum watch_kind kind, int fd, int signo, uint32_t events,
		     swt_loop_fn fn, void *arg)
{
	struct watch *w = calloc(1, sizeof(*w));
	struct epoll_event ev = { .events = events, .data.ptr = w };
	int rc;

	if (!w)
		return -ENOMEM;
	w->kind = kind;
	w->fd = fd;
	w->signo = signo;
	w->fn = fn;
	w->arg = arg;
	if (epoll_ctl(l->epfd, EPOLL_CTL_ADD, fd, &ev)) {
		rc = -errno;
		free(w);
		return rc;
	}
	w->next = l->watches;
	l->watches = w;
	return 0;
}

int swt_loop_fd(struct swt_loop *l, int fd, uint32_t events, swt_loop_fn fn, void *arg)
{
	return watch_add(l, WATCH_FD, fd, 0, events, fn, arg);
}

int swt_loop_fd_del(struct swt_loop *l, int fd)
{
	struct watch *w;

	for (w = l->watches; w; w = w->next) {
		if (w->kind != WATCH_FD || w->fd != fd || w->dead)
			continue;
		/*
		 * When the caller closed it first and a copy of the descriptor lives on, epoll goes on naming
		 * the watch: then it is kept to the end of the loop.
		 */
		w->forgotten = epoll_ctl(l->epfd, EPOLL_CTL_DEL, fd, NULL) == 0;
		w->dead = true;
		return 0;
	}
	return -ENOENT;
}

int swt_loop_tick(struct swt_loop *l, uint64_t first_ns, uint64_t period_ns, swt_loop_fn fn, void *arg)
{
	struct itimerspec its;
	int fd, rc;

	if (!period_ns)
		return -EINVAL;
	if (!first_ns)
		first_ns = period_ns;
	its.it_value.tv_sec = (time_t)(first_ns / SWT_NS_PER_SEC);
	its.it_value.tv_nsec = (long)(first_ns % SWT_NS_PER_SEC);
	its.it_interval.tv_sec = (time_t)(period_ns / SWT_NS_PER_SEC);
	its.it_interval.tv_nsec = (long)(period_ns % SWT_NS_PER_SEC);

	fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	rc = timerfd_settime(fd, 0, &its, NULL) ? -errno : 0;
	if (!rc)
		rc = watch_add(l, WATCH_TICK, fd, 0, EPOLLIN, fn, arg);
	if (rc)
		close(fd);
	return rc;
}

int swt_loop_signal(struct swt_loop *l, int signo, swt_loop_fn fn, void *arg)
{
	sigset_t set, before;
	struct watch *w;
	int fd, rc;

	sigemptyset(&set);
	if (sigaddset(&set, signo))
		return -EINVAL;
	for (w = l->watches; w; w = w->next)
		if (w->kind == WATCH_SIGNAL && w->signo == signo)
			return -EEXIST; /* two readers would take the signals from each other */

	if (sigprocmask(SIG_BLOCK, &set, &before))
		return -errno;
	fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	rc = fd < 0 ? -errno : watch_add(l, WATCH_SIGNAL, fd, signo, EPOLLIN, fn, arg);
	if (rc) {
		if (fd >= 0)
			close(fd);
		sigprocmask(SIG_SETMASK, &before, NULL);
		return rc;
	}
	if (!l->mask_saved) {
		l->old_mask = before;
		l->mask_saved = true;
	}
	return 0;
}

/* Call the watch for what epoll said; 0 to go on. */
static int dispatch(struct watch *w, uint32_t events)
{
	struct signalfd_siginfo si;
	uint64_t expired;

	if (w->dead)
		return 0;
	switch (w->kind) {
	case WATCH_TICK:
		/* Any number of missed ticks is one call.  EAGAIN: somebody else was faster, nothing is due. */
		if (read(w->fd, &expired, sizeof(expired)) != sizeof(expired))
			return 0;
		return w->fn(w->arg, 0);
	case WATCH_SIGNAL:
		if (read(w->fd, &si, sizeof(si)) != sizeof(si))
			return 0;
		return w->fn(w->arg, si.ssi_signo);
	case WATCH_FD:
		break;
	}
	return w->fn(w->arg, events);
}

static void bury(struct swt_loop *l)
{
	struct watch **pos = &l->watches, *w;

	while ((w = *pos)) {
		if (w->dead && w->forgotten) {
			*pos = w->next;
			free(w);
		} else {
			pos = &w->next;
		}
	}
}

int swt_loop_run(struct swt_loop *l)
{
	struct epoll_event ev[32];
	int n, rc = 0;

	while (!rc) {
		n = epoll_wait(l->epfd, ev, 32, -1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		/* What is left of a round after a stop is ready again at the next run: all are level-triggered. */
		for (int i = 0; i < n && !rc; i++)
			rc = dispatch(ev[i].data.ptr, ev[i].events);
		bury(l);
	}
	return rc;
}
