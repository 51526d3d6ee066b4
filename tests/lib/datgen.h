/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recordings (trace.dat version 6) from readable lines.
 *
 * Written from the layout of trace-cmd.dat.v6(5) and from files of trace-cmd, without a line of
 * lib/trace/record.c, so that a test of the reader does not ask the writer whether it is right.  Any byte
 * order, any width of a long.
 *
 *	struct datgen_cfg cfg = { .formats = "tracepoints/formats/6.18", .long_size = 8, .ncpus = 2 };
 *	g = datgen_new(&cfg);
 *	datgen_lines(g, "hog-600 [001] 20.000200: rss_stat: mm_id=7 curr=0 type=MM_SWAPENTS size=20971520B\n"
 *			"CPU:1 [LOST 57 EVENTS]\n"
 *			"@FILE 20.1 /proc/vmstat <<<pswpin 1\\npswpout 2\\n\n");
 *	datgen_write(g, path);
 *
 * A line is one of ftext.h, or "@FILE <seconds> <path> <<<text" with \n, \t and \\ for a sample: it goes
 * into the ring of CPU 0, "@FILE [003] ..." into that of CPU 3.  Lines of one CPU are in the order of time.
 * With two buffers, rss_stat goes into the second, named "rss".  Wrong use stops the test program with a
 * message.
 */
#ifndef TEST_DATGEN_H
#define TEST_DATGEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pagegen.h"

struct datgen;

struct datgen_cfg {
	const char *formats; /* directories, see pagegen_formats() */
	bool big_endian;
	int long_size;	      /* 0: 8 */
	unsigned int ncpus;   /* 0: 1; at most DATGEN_CPUS */
	unsigned int buffers; /* 0: 1; 2: rss_stat in "rss" */
	const char *clock;    /* NULL: "mono"; "": no clock option at all */
	const char *uname;    /* NULL: no option */
	const char *version;  /* of the writer; NULL: no option */
	const char *cpustat;  /* statistics text, one option for each CPU; NULL: none */
	bool no_options;      /* as the first writers of version 6: the table follows the number of CPUs */
	bool latency;	      /* text instead of rings */
};

#define DATGEN_CPUS	64
#define DATGEN_SECTIONS 64

/* A finished file in memory, and where its parts begin (for tests that cut it there). */
struct datgen_image {
	unsigned char *data;
	size_t len;
	size_t part[DATGEN_SECTIONS];
	size_t nparts;
};

struct datgen *datgen_new(const struct datgen_cfg *cfg);
void datgen_free(struct datgen *g);

const struct swt_formats *datgen_formats(const struct datgen *g);
/** datgen_ring - the generator of one ring, for what lines cannot say. */
struct pagegen *datgen_ring(struct datgen *g, unsigned int buffer, unsigned int cpu);
/** datgen_lines - many lines, separated by newline. */
void datgen_lines(struct datgen *g, const char *lines);
/** datgen_sample - a sample into the ring of @cpu. */
void datgen_sample(struct datgen *g, unsigned int cpu, uint64_t ts, const char *path, const char *text,
		   size_t len);

/** datgen_image - the file; free(image->data). */
void datgen_image(struct datgen *g, struct datgen_image *ret);
/** datgen_write - the file at @path. */
void datgen_write(struct datgen *g, const char *path);
/** datgen_save - any bytes at @path. */
void datgen_save(const char *path, const void *data, size_t len);

#endif
