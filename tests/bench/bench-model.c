/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How fast ring pages become releases: pages of two CPUs, in which processes with 128 page tables of swap die one after
 * the other, through page check, merge, decoder and model.
 *
 *	bench-model [RUNS]		RUNS defaults to 15
 *
 * Prints n, median and spread of the CPU time per event, and checks that every release was counted exactly.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model/model.h"
#include "pagegen.h"
#include "trace/reader.h"

#define CPUS	 2
#define RELEASES 8000u
#define STEPS	 128u
#define ENTRIES	 (STEPS * 512ull)
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

static void put(struct ring *r, uint64_t ts, enum swt_ev id, int task, const int64_t *f, unsigned int n,
		const char *comm)
{
	struct swt_event ev = { .ts = ts, .id = (uint16_t)id, .task = task, .have = (1u << n) - 1 };

	memcpy(ev.f, f, n * sizeof(f[0]));
	if (comm)
		ev.str[0] = (struct swt_str){ comm, (uint32_t)strlen(comm) };
	pagegen_event(r->g, &ev);
}

static uint64_t fill(struct ring *rings, const struct swt_formats *f)
{
	uint64_t ts = 1000000000ull, events = 0;

	for (int i = 0; i < CPUS; i++)
		rings[i].g = pagegen_new(f);
	for (unsigned int k = 0; k < RELEASES; k++) {
		struct ring *r = &rings[k % CPUS];
		int tid = 1000 + (int)(k % 30000);
		int64_t rss[] = { 100000 + k, 1, 2, (int64_t)ENTRIES * 4096 };
		int64_t dead[] = { 0, tid, 1 }, none[] = { 0 };

		put(r, ts += 500, SWT_EV_RSS_STAT, tid, rss, 4, NULL);
		put(r, ts += 500, SWT_EV_SCHED_EXIT, tid, dead, 3, "hog");
		rss[1] = 0;
		for (unsigned int s = 1; s <= STEPS; s++) {
			rss[3] = (int64_t)(ENTRIES - s * 512) * 4096;
			put(r, ts += 500, SWT_EV_RSS_STAT, tid, rss, 4, NULL);
		}
		put(r, ts += 500, SWT_EV_EXIT_MMAP, tid, none, 1, NULL);
		dead[2] = 0;
		put(r, ts += 500, SWT_EV_SCHED_FREE, 0, dead, 2, "hog");
		events += STEPS + 4;
	}
	for (int i = 0; i < CPUS; i++) {
		rings[i].n = pagegen_count(rings[i].g);
		rings[i].size = pagegen_page_size(rings[i].g);
	}
	return events;
}

struct sum {
	uint64_t n, freed;
};

static void on_release(void *arg, const struct swt_release *r, enum swt_step step)
{
	struct sum *s = arg;

	if (step != SWT_STEP_DONE)
		return;
	s->n++;
	s->freed += swt_opt_or(r->freed, 0);
}

static double cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double run(const struct swt_formats *f, struct ring *rings, const struct swt_source_info *info)
{
	struct sum sum = { 0, 0 };
	struct swt_model_cfg cfg = { .ops = { .arg = &sum, .release = on_release },
				     .info = info,
				     .formats = f };
	struct swt_sink sink = { .event = swt_model_event, .lost = swt_model_lost };
	struct swt_model *m;
	struct swt_reader *r;
	double t;

	if (swt_reader_new(f, &r) || swt_model_new(&cfg, &m))
		exit(1);
	sink.arg = m;
	for (unsigned int i = 0; i < CPUS; i++) {
		rings[i].next = 0;
		if (swt_reader_stream(r, i, 0, pull, &rings[i]) < 0)
			exit(1);
	}
	t = cpu_ns();
	if (swt_reader_run(r, UINT64_MAX, &sink))
		exit(1);
	t = cpu_ns() - t;
	swt_model_free(m);
	swt_reader_free(r);
	if (sum.n != RELEASES || sum.freed != RELEASES * ENTRIES) {
		fprintf(stderr,
			"bench-model: %" PRIu64 " releases of %" PRIu64 " entries, expected %u of %llu\n",
			sum.n, sum.freed, RELEASES, RELEASES * ENTRIES);
		exit(1);
	}
	return t;
}

static int cmp(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

int main(int argc, char **argv)
{
	static double v[MAX_RUNS];
	long n = argc > 1 ? strtol(argv[1], NULL, 10) : 15;
	struct swt_formats *f = pagegen_formats("tracepoints/formats/6.18", false, 8);
	struct swt_source_info info = { .kind = SWT_SOURCE_STOCK, .level = 4, .group_dead = true };
	struct ring rings[CPUS] = { { 0 } };
	uint64_t events;

	if (n < 1 || n > MAX_RUNS)
		return 2;
	for (int i = 0; i < SWT_EV_COUNT; i++)
		info.state[i] = swt_formats_have(f, (enum swt_ev)i) ? SWT_EV_HAVE : SWT_EV_MISSING;
	events = fill(rings, f);
	run(f, rings, &info); /* warm up */
	for (long i = 0; i < n; i++)
		v[i] = run(f, rings, &info) / (double)events;
	qsort(v, (size_t)n, sizeof(v[0]), cmp);
	printf("page->model: n=%ld, %" PRIu64
	       " events each, median %.1f ns/event, min %.1f, quartiles %.1f..%.1f, "
	       "max %.1f, %.1f million events/s\n",
	       n, events, v[n / 2], v[0], v[n / 4], v[3 * n / 4], v[n - 1], 1e3 / v[n / 2]);
	for (int i = 0; i < CPUS; i++)
		pagegen_free(rings[i].g);
	swt_formats_free(f);
	return 0;
}
