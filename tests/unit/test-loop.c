/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lib/base/loop.c.  Nothing here depends on how fast the machine is: times are only compared with lower
 * bounds that a correct loop cannot go below.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/loop.h"

#define MS SWT_NS_PER_MS

static int stop_with(void *arg, uint32_t events)
{
	(void)events;
	return *(int *)arg;
}

struct reader {
	int fd, calls;
	uint32_t events;
};

static int read_one(void *arg, uint32_t events)
{
	struct reader *r = arg;
	char c;

	r->calls++;
	r->events = events;
	if (read(r->fd, &c, 1) != 1)
		return 99;
	return c == 'q' ? 7 : 0;
}

static void descriptor_until_stopped(void **state)
{
	struct reader r = { 0 };
	struct swt_loop *l;
	int p[2];

	(void)state;
	assert_int_equal(pipe(p), 0);
	assert_int_equal(swt_loop_new(&l), 0);
	r.fd = p[0];
	assert_int_equal(swt_loop_fd(l, p[0], EPOLLIN, read_one, &r), 0);
	assert_int_equal(swt_loop_fd(l, p[0], EPOLLIN, read_one, &r), -EEXIST);
	assert_int_equal(write(p[1], "abqz", 4), 4);
	assert_int_equal(swt_loop_run(l), 7);
	assert_int_equal(r.calls, 3);
	assert_true(r.events & EPOLLIN);

	/* It can run again, and end of file is reported, not hidden. */
	close(p[1]);
	assert_int_equal(swt_loop_run(l), 99);
	assert_int_equal(r.calls, 5);
	assert_true(r.events & EPOLLHUP);
	swt_loop_free(l);
	close(p[0]);
}

static void regular_files_are_refused(void **state)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct swt_loop *l;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(swt_loop_new(&l), 0);
	assert_int_equal(swt_loop_fd(l, fd, EPOLLIN, read_one, NULL), -EPERM);
	assert_int_equal(swt_loop_fd(l, -1, EPOLLIN, read_one, NULL), -EBADF);
	assert_int_equal(swt_loop_fd_del(l, fd), -ENOENT);
	swt_loop_free(l);
	swt_loop_free(NULL);
	close(fd);
}

struct pair {
	struct swt_loop *l;
	int a, b, calls;
};

static int drop_both(void *arg, uint32_t events)
{
	struct pair *p = arg;

	(void)events;
	p->calls++;
	assert_int_equal(swt_loop_fd_del(p->l, p->a), 0);
	assert_int_equal(swt_loop_fd_del(p->l, p->b), 0);
	assert_int_equal(swt_loop_fd_del(p->l, p->b), -ENOENT);
	return 0;
}

/* Both are ready in the same round: whichever comes first takes away the other, which must not be called. */
static void deleted_in_a_callback(void **state)
{
	int p[2], q[2], rc = 3;
	struct pair pair = { 0 };
	struct swt_loop *l;

	(void)state;
	assert_int_equal(pipe(p), 0);
	assert_int_equal(pipe(q), 0);
	assert_int_equal(write(p[1], "x", 1), 1);
	assert_int_equal(write(q[1], "x", 1), 1);
	assert_int_equal(swt_loop_new(&l), 0);
	pair = (struct pair){ l, p[0], q[0], 0 };
	assert_int_equal(swt_loop_fd(l, p[0], EPOLLIN, drop_both, &pair), 0);
	assert_int_equal(swt_loop_fd(l, q[0], EPOLLIN, drop_both, &pair), 0);
	assert_int_equal(swt_loop_tick(l, 5 * MS, 5 * MS, stop_with, &rc), 0);
	assert_int_equal(swt_loop_run(l), 3);
	assert_int_equal(pair.calls, 1);
	/* and it may come back */
	assert_int_equal(swt_loop_fd(l, p[0], EPOLLIN, stop_with, &pair.calls), 0);
	swt_loop_free(l);
	for (int i = 0; i < 2; i++) {
		close(p[i]);
		close(q[i]);
	}
}

static uint64_t now(void)
{
	return swt_clock_mono(swt_clock_system());
}

struct ticks {
	int calls;
	uint64_t at[3];
	uint64_t sleep_ns;
	uint32_t events;
};

static int three_ticks(void *arg, uint32_t events)
{
	struct ticks *t = arg;
	struct timespec ts = { 0, (long)t->sleep_ns };

	t->at[t->calls] = now();
	t->events |= events;
	if (t->calls++ == 0 && t->sleep_ns)
		nanosleep(&ts, NULL);
	return t->calls == 3;
}

static void ticks_come_with_the_period(void **state)
{
	struct ticks t = { 0 };
	struct swt_loop *l;
	uint64_t start = now();

	(void)state;
	assert_int_equal(swt_loop_new(&l), 0);
	assert_int_equal(swt_loop_tick(l, 0, 10 * MS, three_ticks, &t), 0);
	assert_int_equal(swt_loop_run(l), 1);
	for (unsigned int i = 0; i < 3; i++)
		assert_true(t.at[i] - start >= (i + 1) * 10 * MS);
	assert_int_equal(t.events, 0);
	assert_int_equal(swt_loop_tick(l, MS, 0, three_ticks, &t), -EINVAL);
	swt_loop_free(l);
}

/*
 * First at 1 ms, period 20 ms, 70 ms spent in the first call: the ticks at 21, 41 and 61 ms are one call at
 * about 71 ms, and the third call waits for 81 ms.  Ticks that are caught up would come at 71 ms.
 */
static void missed_ticks_are_one(void **state)
{
	struct ticks t = { .sleep_ns = 70 * MS };
	struct swt_loop *l;
	uint64_t start;

	(void)state;
	assert_int_equal(swt_loop_new(&l), 0);
	start = now();
	assert_int_equal(swt_loop_tick(l, MS, 20 * MS, three_ticks, &t), 0);
	assert_int_equal(swt_loop_run(l), 1);
	assert_true(t.at[2] - start >= 81 * MS);
	swt_loop_free(l);
}

struct sig {
	int calls;
	uint32_t signo;
};

static int got_signal(void *arg, uint32_t events)
{
	struct sig *s = arg;

	s->calls++;
	s->signo = events;
	return 5;
}

static void signals_come_through_the_loop(void **state)
{
	struct sig u1 = { 0 }, u2 = { 0 };
	sigset_t before, after;
	struct swt_loop *l;

	(void)state;
	sigprocmask(SIG_SETMASK, NULL, &before);
	assert_int_equal(swt_loop_new(&l), 0);
	assert_int_equal(swt_loop_signal(l, SIGUSR1, got_signal, &u1), 0);
	assert_int_equal(swt_loop_signal(l, SIGUSR2, got_signal, &u2), 0);
	assert_int_equal(swt_loop_signal(l, SIGUSR2, got_signal, &u2), -EEXIST);
	assert_int_equal(swt_loop_signal(l, 0, got_signal, &u2), -EINVAL);
	assert_int_equal(swt_loop_signal(l, 4711, got_signal, &u2), -EINVAL);
	raise(SIGUSR2);
	assert_int_equal(swt_loop_run(l), 5);
	assert_int_equal(u1.calls, 0);
	assert_int_equal(u2.calls, 1);
	assert_int_equal(u2.signo, SIGUSR2);

	/* Still pending when the loop goes: it would end this program once the mask is back. */
	raise(SIGUSR1);
	swt_loop_free(l);
	sigprocmask(SIG_SETMASK, NULL, &after);
	for (int i = 1; i < SIGRTMIN; i++)
		assert_int_equal(sigismember(&before, i), sigismember(&after, i));
	assert_false(sigismember(&after, SIGUSR1));
}

static volatile sig_atomic_t alarms;

static void on_alarm(int signo)
{
	(void)signo;
	alarms++;
}

static int enough_alarms(void *arg, uint32_t events)
{
	(void)arg;
	(void)events;
	return alarms >= 5 ? 4 : 0;
}

/* A handler without SA_RESTART interrupts epoll_wait() again and again. */
static void interrupted_waits_go_on(void **state)
{
	struct sigaction sa = { .sa_handler = on_alarm }, old;
	struct itimerval every_ms = { { 0, 1000 }, { 0, 1000 } }, off = { { 0, 0 }, { 0, 0 } };
	struct swt_loop *l;

	(void)state;
	assert_int_equal(swt_loop_new(&l), 0);
	assert_int_equal(swt_loop_tick(l, 20 * MS, 20 * MS, enough_alarms, NULL), 0);
	sigaction(SIGALRM, &sa, &old);
	setitimer(ITIMER_REAL, &every_ms, NULL);
	assert_int_equal(swt_loop_run(l), 4);
	setitimer(ITIMER_REAL, &off, NULL);
	sigaction(SIGALRM, &old, NULL);
	swt_loop_free(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(descriptor_until_stopped), cmocka_unit_test(regular_files_are_refused),
		cmocka_unit_test(deleted_in_a_callback),    cmocka_unit_test(ticks_come_with_the_period),
		cmocka_unit_test(missed_ticks_are_one),	    cmocka_unit_test(signals_come_through_the_loop),
		cmocka_unit_test(interrupted_waits_go_on),
	};

	return cmocka_run_group_tests_name("loop", tests, NULL, NULL);
}
