/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a level-3 source costs tasks that are not watched.
 *
 * Three loops: page faults (touching fresh anonymous memory), context switches (two tasks of one CPU and a
 * pipe), system calls (getppid).  Ways: no source; level 1, and the same for a recording (names of tasks are saved); level 3 with one idle task on the watch list, by trigger (arm)
 * and by set_event_pid (list).  The ways alternate and each round starts with another one, so that what the machine does
 * besides falls on all of them; a ratio is taken within a round.  CPU time is measured, of both tasks for the pipe: other
 * tasks' turns are not in it, what the source adds to a fault, a switch or a call is.  Root and tracefs needed.
 *
 * usage: bench-unwatched [ROUNDS]
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "trace/live.h"
#include "trace/tracefs.h"

enum way { OFF, LEVEL1, NAMES, ARM, LIST, WAYS };
enum loop { FAULT, SWITCH, SYSCALL, LOOPS };

static const char *const way_name[] = { "no source", "level 1", "1, recording", "level 3 arm",
					"level 3 list" };
static const char *const loop_name[] = { "page fault", "pipe round trip", "getppid" };

#define ROUNDS_MAX 500
#define PAGES	   24576u
#define TRIPS	   40000
#define CALLS	   2000000

static double ns[WAYS][LOOPS][ROUNDS_MAX];

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double child_time(pid_t pid)
{
	struct rusage ru;

	if (wait4(pid, NULL, 0, &ru) != pid)
		exit(1);
	return (double)(ru.ru_utime.tv_sec + ru.ru_stime.tv_sec) * 1e9 +
	       (double)(ru.ru_utime.tv_usec + ru.ru_stime.tv_usec) * 1e3;
}

static double faults(void)
{
	size_t len = (size_t)PAGES * 4096;
	char *p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	double t;

	if (p == MAP_FAILED)
		exit(1);
	madvise(p, len, MADV_NOHUGEPAGE);
	t = now();
	for (size_t i = 0; i < len; i += 4096)
		p[i] = 1;
	t = now() - t;
	munmap(p, len);
	return t / PAGES;
}

static double switches(void)
{
	int a[2], b[2], bad = 0;
	char c = 0;
	double t;
	pid_t pid;

	if (pipe(a) || pipe(b))
		exit(1);
	pid = fork();
	if (!pid) {
		for (int i = 0; i < TRIPS; i++)
			if (read(a[0], &c, 1) != 1 || write(b[1], &c, 1) != 1)
				_exit(1);
		_exit(0);
	}
	t = now();
	for (int i = 0; i < TRIPS && !bad; i++)
		bad = write(a[1], &c, 1) != 1 || read(b[0], &c, 1) != 1;
	t = now() - t + child_time(pid);
	for (int i = 0; i < 2; i++) {
		close(a[i]);
		close(b[i]);
	}
	return t / TRIPS;
}

static double calls(void)
{
	double t = now();

	for (int i = 0; i < CALLS; i++)
		syscall(SYS_getppid);
	return (now() - t) / CALLS;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void report(int rounds)
{
	double v[ROUNDS_MAX] = { 0 }, r[ROUNDS_MAX] = { 0 };

	printf("%-16s %-13s %4s %10s %22s %8s %17s\n", "loop", "way", "n", "median ns", "quartiles", "ratio",
	       "quartiles");
	for (int l = 0; l < LOOPS; l++) {
		for (int w = 0; w < WAYS; w++) {
			for (int i = 0; i < rounds; i++) {
				v[i] = ns[w][l][i];
				r[i] = ns[w][l][i] / ns[OFF][l][i];
			}
			qsort(v, (size_t)rounds, sizeof(*v), by_value);
			qsort(r, (size_t)rounds, sizeof(*r), by_value);
			printf("%-16s %-13s %4d %10.1f %10.1f ..%10.1f %8.3f %7.3f ..%7.3f\n", loop_name[l],
			       way_name[w], rounds, v[rounds / 2], v[rounds / 4], v[3 * rounds / 4],
			       r[rounds / 2], r[rounds / 4], r[3 * rounds / 4]);
		}
	}
}

static int start(struct swt_live_cfg *cfg, enum way w, pid_t idle, struct swt_live **l)
{
	struct swt_err err = { "" };
	int rc;

	*l = NULL;
	if (w == OFF)
		return 0;
	cfg->level = w == LEVEL1 || w == NAMES ? 1 : 3;
	cfg->recording = w == NAMES;
	cfg->watch = w == ARM ? SWT_WATCH_ARM : SWT_WATCH_LIST;
	rc = swt_live_open(cfg, l, &err);
	if (rc) {
		fprintf(stderr, "bench-unwatched: %s: %s\n", way_name[w], err.text);
		return rc;
	}
	if (cfg->level == 1)
		return 0;
	rc = swt_live_watch(*l, &idle, 1);
	return rc ? rc : swt_live_watch_now(*l);
}

static int measure(struct swt_live_cfg *cfg, int rounds, pid_t idle)
{
	for (int i = 0; i < rounds; i++) {
		for (int k = 0; k < WAYS; k++) {
			enum way w = (enum way)((k + i) % WAYS);
			struct swt_live *l;

			if (start(cfg, w, idle, &l))
				return 1;
			usleep(20000);
			ns[w][FAULT][i] = faults();
			ns[w][SWITCH][i] = switches();
			ns[w][SYSCALL][i] = calls();
			swt_live_close(l);
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 60, rc;
	struct swt_live_cfg cfg = { .clock = swt_clock_system(), .want = -1 };
	struct swt_buf path = SWT_BUF_INIT;
	struct swt_err err = { "" };
	struct swt_root *root;
	cpu_set_t one;
	pid_t idle;

	if (rounds < 1 || rounds > ROUNDS_MAX || swt_root_new(NULL, &root))
		return 2;
	if (swt_tracefs_find(root, &path, &err)) {
		fprintf(stderr, "bench-unwatched: %s\n", err.text);
		return 4;
	}
	cfg.root = root;
	cfg.tracefs = path.s;
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	idle = fork();
	if (!idle) {
		pause();
		_exit(0);
	}
	rc = measure(&cfg, rounds, idle);
	kill(idle, SIGKILL);
	waitpid(idle, NULL, 0);
	if (!rc)
		report(rounds);
	swt_buf_free(&path);
	swt_root_free(root);
	return rc;
}
