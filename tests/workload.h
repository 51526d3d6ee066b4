/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of the workload program: workload.c is the runner (orders, report), workload-opt.c its options,
 * workload-child.c the processes that hold swap and die.  They talk through two pipes per process (an order is
 * a byte, the answer the same byte) and through memory they share, where each process writes down what is true
 * of it.
 */
#ifndef TESTS_WORKLOAD_H
#define TESTS_WORKLOAD_H

#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#define MAX_PROCS   256
#define MAX_THREADS 64

enum fill { FILL_RAND, FILL_ZERO };
enum ending { END_EXIT, END_EXEC, END_KILL, END_LEADER_FIRST };

struct options {
	unsigned int procs, mib, swapped, threads, touch_every, swarm, life_ms;
	enum fill fill;
	enum ending ending;
	double clone_vm_s, exec_s, leader_s, kill_after_s;
	bool clone_vm, ignore_term, interleave, hold, kill_after;
	int hold_fd, signo;
	unsigned int timeout_s;
	char name[16]; /* as the kernel keeps it */
	bool named;
};

/* What a process says of itself; written by it, read by the runner after the answer. */
struct slot {
	uint64_t mono_ns;	 /* when it was counted */
	uint64_t swap_entries;	 /* swap entries in its memory block */
	uint64_t mm_entries;	 /* in the whole address space */
	uint64_t present_pages;	 /* pages of the block that are in RAM */
	uint64_t wanted;	 /* entries that were asked for */
	bool exact;		 /* paging out gave exactly what was wanted */
	long vmswap_kb;		 /* as /proc/self/status has it, -1 unknown */
	uint64_t exec_mono_ns;	 /* just before exec */
	uint64_t leader_mono_ns; /* just before the leader thread ended */
	pid_t vm_child;		 /* the process that shares this memory, 0 none */
	pid_t tid[MAX_THREADS];	 /* the other threads */
};

struct shared {
	sem_t turn[MAX_PROCS]; /* --interleave: whose page is next */
	struct slot slot[MAX_PROCS];
};

/* Orders */
#define DO_COUNT  'c'
#define DO_TOUCH  't'
#define DO_EXIT	  'x'
#define DO_EXEC	  'e'
#define DO_LEADER 'l'

static inline uint64_t mono_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static inline void sleep_s(double s)
{
	struct timespec ts = { (time_t)s, (long)((s - (double)(time_t)s) * 1e9) };

	nanosleep(&ts, NULL); /* a signal that is not deadly may cut it short: none is sent */
}

/* -1 to go on, else the exit status. */
int parse_options(struct options *o, int argc, char **argv);
/* Be process @index: never returns. */
void child_main(const struct options *o, struct shared *sh, unsigned int index, int orders, int answers)
	__attribute__((noreturn));
/* Be one of a swarm: never returns. */
void swarm_main(const struct options *o, const char *name) __attribute__((noreturn));

#endif
