/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loss at a steady rate: two processes, one per CPU, make rss_stat events by page faults at 100,000 a second each
 * while "swaptop --json --level 4" watches with default rings.  Prints the rate reached and what was lost.
 */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SECONDS	 10
#define RATE	 100000 /* per process */
#define PAGES	 1024
#define SLICE_NS 1000000ull

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000ull + (uint64_t)ts.tv_nsec;
}

/* One event per fault of a new page, a few per unmapping: RATE/1000 faults each millisecond. */
static void storm(void)
{
	long page = sysconf(_SC_PAGESIZE);
	uint64_t start = now_ns(), slice = start;
	char *mem =
		mmap(NULL, PAGES * (size_t)page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t at = 0;

	if (mem == MAP_FAILED || madvise(mem, PAGES * (size_t)page, MADV_NOHUGEPAGE))
		_exit(1);
	while (now_ns() - start < SECONDS * 1000000000ull) {
		for (int i = 0; i < RATE / 1000; i++) {
			mem[at * (size_t)page] = 1;
			if (++at == PAGES) {
				madvise(mem, PAGES * (size_t)page, MADV_DONTNEED);
				at = 0;
			}
		}
		slice += SLICE_NS;
		while (now_ns() < slice)
			;
	}
	_exit(0);
}

int main(int argc, char **argv)
{
	char line[4096], out[] = "/tmp/bench-storm.XXXXXX";
	unsigned long long events = 0, lost = 0;
	const char *p;
	pid_t tool, kids[2];
	FILE *f;
	int fd;

	if (argc != 2)
		return 2;
	fd = mkstemp(out);
	tool = fork();
	if (tool == 0) {
		dup2(fd, STDOUT_FILENO);
		execl(argv[1], argv[1], "--json", "--level", "4", "-d", "1", (char *)NULL);
		_exit(127);
	}
	sleep(1);
	for (int i = 0; i < 2; i++) {
		kids[i] = fork();
		if (kids[i] == 0)
			storm();
	}
	for (int i = 0; i < 2; i++)
		waitpid(kids[i], NULL, 0);
	sleep(1);
	kill(tool, SIGINT);
	waitpid(tool, NULL, 0);
	f = fdopen(fd, "r");
	if (!f)
		return 1;
	rewind(f);
	while (fgets(line, sizeof(line), f)) {
		if (!strstr(line, "\"type\":\"end\""))
			continue;
		p = strstr(line, "\"events\":");
		if (p)
			events = strtoull(p + 9, NULL, 10);
		p = strstr(line, "\"lost\":");
		if (p)
			lost = strtoull(p + 7, NULL, 10);
	}
	fclose(f);
	unlink(out);
	printf("events %llu in %d s: %llu events/s, lost %llu\n", events, SECONDS, events / SECONDS, lost);
	return lost != 0;
}
