/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How fast ring pages become events: pages of kmem:rss_stat records (36 bytes each in the ring) of two CPUs through
 * the page check, the merge by time and the decoder to a callback that adds up.
 *
 *	bench-decode [RUNS]		RUNS defaults to 15
 *
 * Prints n, median and spread of the time per event, and allocations per event, which must be 0.
 */
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "pagegen.h"
#include "trace/reader.h"

#define CPUS	 2
#define EVENTS	 2000000u
#define MAX_RUNS 1000

struct ring {
	struct pagegen *g;
	size_t next, n, size;
};

static int pull(void *arg, const void **page, size_t *len)
{
	struct ring *r = arg;

	if (r->next == r->n)
		return 0;
	*page = pagegen_page(r->g, r->next++);
	*len = r->size;
	return 1;
}

struct sum {
	uint64_t n, size;
};

static int on_event(void *arg, const struct swt_event *ev)
{
	struct sum *s = arg;

	s->n++;
	s->size += (uint64_t)ev->f[SWT_F_RSS_STAT_SIZE];
	return 0;
}

static double cpu_ns(void)
{
	struct timespec t;

	/* CPU time: other programs on the machine are not our cost. */
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void fill(const struct swt_formats *f, struct ring *rings)
{
	for (int i = 0; i < CPUS; i++)
		rings[i].g = pagegen_new(f);
	for (unsigned int i = 0; i < EVENTS; i++) {
		struct swt_event ev = { .ts = 1000000000ull + i * 500ull,
					.id = SWT_EV_RSS_STAT,
					.task = 4242 };

		ev.have = 0xf;
		ev.f[SWT_F_RSS_STAT_MM_ID] = 7;
		ev.f[SWT_F_RSS_STAT_MEMBER] = 2;
		ev.f[SWT_F_RSS_STAT_SIZE] = 4096;
		pagegen_event(rings[i % CPUS].g, &ev);
	}
	for (int i = 0; i < CPUS; i++) {
		rings[i].n = pagegen_count(rings[i].g);
		rings[i].size = pagegen_page_size(rings[i].g);
	}
}

/* ns for one event; bytes of heap that one more run takes go to @heap. */
static double run(const struct swt_formats *f, struct ring *rings, long *heap)
{
	struct sum sum = { 0, 0 };
	struct swt_sink sink = { .arg = &sum, .event = on_event };
	struct swt_reader *r;
	size_t before;
	double t;

	if (swt_reader_new(f, &r))
		exit(1);
	for (unsigned int i = 0; i < CPUS; i++) {
		rings[i].next = 0;
		if (swt_reader_stream(r, i, 0, pull, &rings[i]) < 0)
			exit(1);
	}
	before = mallinfo2().uordblks;
	t = cpu_ns();
	if (swt_reader_run(r, UINT64_MAX, &sink))
		exit(1);
	t = cpu_ns() - t;
	*heap += (long)(mallinfo2().uordblks - before);
	swt_reader_free(r);
	if (sum.n != EVENTS || sum.size != 4096ull * EVENTS) {
		fprintf(stderr, "bench-decode: %" PRIu64 " of %u events\n", sum.n, EVENTS);
		exit(1);
	}
	return t / EVENTS;
}

static int cmp(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

int main(int argc, char **argv)
{
	static double v[MAX_RUNS];
	long n = argc > 1 ? strtol(argv[1], NULL, 10) : 15, heap = 0;
	struct swt_formats *f = pagegen_formats("tracepoints/formats/6.18", false, 8);
	struct ring rings[CPUS] = { { 0 } };

	if (n < 1 || n > MAX_RUNS)
		return 2;
	fill(f, rings);
	run(f, rings, &heap); /* warm up */
	for (long i = 0; i < n; i++)
		v[i] = run(f, rings, &heap);
	qsort(v, (size_t)n, sizeof(v[0]), cmp);
	printf("page->event callback: n=%ld, %u events each, median %.1f ns/event, min %.1f, quartiles %.1f..%.1f, "
	       "max %.1f, %.1f million events/s, heap growth %ld bytes\n",
	       n, EVENTS, v[n / 2], v[0], v[n / 4], v[3 * n / 4], v[n - 1], 1e3 / v[n / 2], heap);
	for (int i = 0; i < CPUS; i++)
		pagegen_free(rings[i].g);
	swt_formats_free(f);
	return 0;
}
