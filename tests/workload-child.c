/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process with a known number of swap entries, which dies in the way that was asked for.
 *
 * Nothing is allocated from the heap after the block is filled: the block and what the kernel counts for the
 * whole address space should stay the same thing.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "workload.h"

#define PM_SWAP	       (1ull << 62)
#define PM_PRESENT     (1ull << 63)
#define PAGEOUT_ROUNDS 60

struct self {
	const struct options *o;
	struct shared *sh;
	struct slot *slot;
	unsigned int index;
	char *block;
	size_t pages, want, page_size;
	int pagemap;
	sem_t leader_gone;
};

static struct self self;
static uint64_t pm[1024]; /* a stretch of pagemap */
static char text[16384];  /* a /proc file */

static void die(const char *what)
{
	fprintf(stderr, "workload %d: %s: %s\n", getpid(), what, strerror(errno));
	_exit(1);
}

/* Call @fn for every page of [first, first + n) that pagemap knows. */
static void walk_pages(uintptr_t first, size_t n, void (*fn)(void *arg, size_t i, uint64_t entry), void *arg)
{
	for (size_t done = 0; done < n;) {
		size_t some = n - done < 1024 ? n - done : 1024;
		ssize_t got = pread(self.pagemap, pm, some * 8, (off_t)((first + done) * 8));

		if (got <= 0)
			return;
		for (size_t i = 0; i < (size_t)got / 8; i++)
			fn(arg, done + i, pm[i]);
		done += (size_t)got / 8;
	}
}

struct tally {
	uint64_t swap, present;
};

static void add_up(void *arg, size_t i, uint64_t entry)
{
	struct tally *t = arg;

	(void)i;
	t->swap += !!(entry & PM_SWAP);
	t->present += !!(entry & PM_PRESENT);
}

static ssize_t slurp(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n, len = 0;

	if (fd < 0)
		return -1;
	while (len < (ssize_t)sizeof(text) - 1 &&
	       (n = read(fd, text + len, sizeof(text) - 1 - (size_t)len)) > 0)
		len += n;
	close(fd);
	text[len] = '\0';
	return len;
}

static uint64_t whole_mm(void)
{
	struct tally t = { 0, 0 };
	char *line, *save = NULL;

	if (slurp("/proc/self/maps") < 0)
		return 0;
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		unsigned long from, to;

		/* the vsyscall page is no memory of ours */
		if (sscanf(line, "%lx-%lx", &from, &to) == 2 && !strstr(line, "[vsyscall]"))
			walk_pages(from / self.page_size, (to - from) / self.page_size, add_up, &t);
	}
	return t.swap;
}

/* The truth, counted page by page; VmSwap beside it is what others can read, and may be a little off. */
static void count(void)
{
	struct tally t = { 0, 0 };
	const char *p;

	walk_pages((uintptr_t)self.block / self.page_size, self.pages, add_up, &t);
	self.slot->swap_entries = t.swap;
	self.slot->present_pages = t.present;
	self.slot->mm_entries = whole_mm();
	self.slot->vmswap_kb = -1;
	if (slurp("/proc/self/status") > 0 && (p = strstr(text, "\nVmSwap:")))
		self.slot->vmswap_kb = strtol(p + 8, NULL, 10);
	self.slot->mono_ns = mono_ns();
}

static void fill_block(void)
{
	size_t words = self.pages * self.page_size / 8;
	uint64_t *w = (uint64_t *)(void *)self.block;
	uint64_t x = 0x9e3779b97f4a7c15ull ^ ((uint64_t)getpid() << 20) ^ mono_ns();

	if (self.o->fill == FILL_ZERO) {
		memset(self.block, 0, words * 8);
		return;
	}
	/* xorshift never gives zero, so no page is zero-filled, and nothing compresses it */
	for (size_t i = 0; i < words; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		w[i] = x;
	}
}

struct run {
	size_t start, len, out;
};

static void flush_run(struct run *r)
{
	if (r->len)
		madvise(self.block + r->start * self.page_size, r->len * self.page_size, MADV_PAGEOUT);
	r->len = 0;
}

static void page_out_run(void *arg, size_t i, uint64_t entry)
{
	struct run *r = arg;

	if (entry & PM_SWAP) {
		r->out++;
		flush_run(r);
		return;
	}
	if (!r->len)
		r->start = i;
	r->len++;
}

/*
 * Reclaim may pass over a page (it was on a list of another CPU, writeback was slow): ask again, for what is
 * still in RAM only, until all is out or it has become hopeless (no swap left).
 */
static void page_out(size_t want)
{
	for (int round = 0; round < PAGEOUT_ROUNDS; round++) {
		struct run r = { 0, 0, 0 };

		walk_pages((uintptr_t)self.block / self.page_size, want, page_out_run, &r);
		flush_run(&r);
		if (r.out == want)
			return;
		if (round > 1)
			sleep_s(0.001 * round);
	}
}

/* One page, then it is the next process's turn. */
static void page_out_in_turns(size_t want)
{
	sem_t *mine = &self.sh->turn[self.index];
	sem_t *next = &self.sh->turn[(self.index + 1) % self.o->procs];

	for (size_t i = 0; i < want; i++) {
		while (sem_wait(mine) && errno == EINTR)
			;
		madvise(self.block + i * self.page_size, self.page_size, MADV_PAGEOUT);
		sem_post(next);
	}
}

/*
 * Fresh pages wait in a list of the CPU that faulted them in, where only that CPU's reclaim finds them; and
 * slots are handed out per CPU, so that turns interleave them only on the same one.
 */
static void stay_on_a_cpu(cpu_set_t *before)
{
	cpu_set_t one;
	int cpu = sched_getcpu();

	sched_getaffinity(0, sizeof(*before), before);
	if (self.o->interleave)
		for (cpu = 0; cpu < CPU_SETSIZE && !CPU_ISSET(cpu, before); cpu++)
			;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static void prepare_block(void)
{
	cpu_set_t before;

	self.page_size = (size_t)sysconf(_SC_PAGESIZE);
	self.pages = ((size_t)self.o->mib << 20) / self.page_size;
	self.want = self.pages * self.o->swapped / 100;
	self.slot->wanted = self.want;
	self.pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	if (self.pagemap < 0)
		die("/proc/self/pagemap");
	if (!self.pages)
		return;
	self.block = mmap(NULL, self.pages * self.page_size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (self.block == MAP_FAILED)
		die("mmap");
	/* Kernels without huge pages refuse it, and there it is true anyway. */
	madvise(self.block, self.pages * self.page_size, MADV_NOHUGEPAGE);
	stay_on_a_cpu(&before);
	fill_block();
	if (self.o->interleave)
		page_out_in_turns(self.want);
	page_out(self.want);
	sched_setaffinity(0, sizeof(before), &before);
}

static void touch(unsigned int every)
{
	for (size_t i = 0; i < self.pages; i += every)
		(void)*(volatile char *)(self.block + i * self.page_size);
}

static void *thread_main(void *arg)
{
	unsigned int n = (unsigned int)(uintptr_t)arg;

	self.slot->tid[n] = (pid_t)syscall(SYS_gettid);
	while (sem_wait(&self.leader_gone) && errno == EINTR)
		;
	sleep_s(self.o->leader_s);
	/* This thread only; the last one takes the address space with it. */
	syscall(SYS_exit, 0);
	return NULL;
}

static void start_threads(void)
{
	pthread_attr_t attr;
	pthread_t t;

	sem_init(&self.leader_gone, 0, 0);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 65536);
	for (unsigned int i = 1; i < self.o->threads; i++) {
		errno = pthread_create(&t, &attr, thread_main, (void *)(uintptr_t)i);
		if (errno)
			die("pthread_create");
	}
	pthread_attr_destroy(&attr);
	for (unsigned int i = 1; i < self.o->threads; i++)
		while (!*(volatile pid_t *)&self.slot->tid[i])
			sched_yield();
}

/*
 * Shares the memory, not the descriptors or the group, and outlives its parent by a while.  It runs on a stack of
 * its own with the thread area of the parent, so only plain system calls are used here.
 */
static int vm_child(void *arg)
{
	pid_t parent = *(pid_t *)arg;

	setpgid(0, 0);
	while (getppid() == parent)
		sleep_s(0.0005);
	sleep_s(self.o->clone_vm_s);
	syscall(SYS_exit_group, 0);
	return 0;
}

static void start_vm_child(void)
{
	static pid_t me;
	size_t size = 65536;
	char *stack =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

	if (stack == MAP_FAILED)
		die("mmap");
	me = getpid();
	self.slot->vm_child = clone(vm_child, stack + size, CLONE_VM | SIGCHLD, &me);
	if (self.slot->vm_child < 0)
		die("clone");
	/* Whoever is first: the call that kills the group may come before the child has run at all. */
	setpgid(self.slot->vm_child, self.slot->vm_child);
}

static void exec_sleep(double s)
{
	char arg[32];

	snprintf(arg, sizeof(arg), "%.3f", s);
	execlp("sleep", "sleep", arg, (char *)NULL);
	die("exec sleep");
}

static void leave_leader_first(int answers)
{
	self.slot->leader_mono_ns = mono_ns();
	if (write(answers, "l", 1) != 1)
		_exit(1);
	for (unsigned int i = 1; i < self.o->threads; i++)
		sem_post(&self.leader_gone);
	syscall(SYS_exit, 0);
}

static void set_name(const char *name)
{
	if (prctl(PR_SET_NAME, name))
		die("PR_SET_NAME");
}

static void obey(int orders, int answers)
{
	char c;

	while (read(orders, &c, 1) == 1) {
		switch (c) {
		case DO_COUNT:
			count();
			break;
		case DO_TOUCH:
			touch(self.o->touch_every ? self.o->touch_every : 1);
			break;
		case DO_EXEC:
			self.slot->exec_mono_ns = mono_ns();
			exec_sleep(self.o->exec_s);
			break;
		case DO_LEADER:
			leave_leader_first(answers);
			break;
		case DO_EXIT:
			_exit(0);
		}
		if (write(answers, &c, 1) != 1)
			break;
	}
	_exit(1); /* the runner is gone */
}

void child_main(const struct options *o, struct shared *sh, unsigned int index, int orders, int answers)
{
	self.o = o;
	self.sh = sh;
	self.index = index;
	self.slot = &sh->slot[index];
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (o->named)
		set_name(o->name);
	if (o->ignore_term)
		signal(SIGTERM, SIG_IGN);
	prepare_block();
	start_threads();
	if (o->clone_vm)
		start_vm_child();
	count();
	self.slot->exact = self.slot->swap_entries == self.slot->wanted;
	if (write(answers, "r", 1) != 1)
		_exit(1);
	obey(orders, answers);
	_exit(1);
}

void swarm_main(const struct options *o, const char *name)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	set_name(name);
	if (o->ending == END_EXEC)
		exec_sleep(o->life_ms / 1000.0);
	sleep_s(o->life_ms / 1000.0);
	_exit(0);
}
