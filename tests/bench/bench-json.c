/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bench-json [RUNS] - CPU cost of one exit record, built, printed and written to /dev/null.
 *
 * Prints n, median and spread over the runs, each of 20,000 records.  The bar is 15 us.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "outgen.h"

#define RECORDS	 20000u
#define MAX_RUNS 101

static double cpu_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec * 1e6 + (double)ts.tv_nsec / 1e3;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	static struct swt_wall w;
	int runs = argc > 1 ? atoi(argv[1]) : 21, fd = open("/dev/null", O_WRONLY), i;
	double us[MAX_RUNS];
	struct swt_release r;

	if (fd < 0 || runs < 1 || runs > MAX_RUNS)
		return 2;
	swt_wall_add(&w, OUTGEN_MONO, OUTGEN_REAL);
	outgen_exit(&r);
	for (i = 0; i < runs; i++) {
		struct swt_json j;
		double t = cpu_us();
		unsigned int k;

		swt_json_init(&j, fd, &w);
		for (k = 0; k < RECORDS; k++)
			if (swt_json_exit(&j, OUTGEN_MONO, &r))
				return 1;
		us[i] = (cpu_us() - t) / RECORDS;
		swt_json_fini(&j);
	}
	qsort(us, (size_t)runs, sizeof(us[0]), by_value);
	printf("json exit record: n=%d runs of %u, median %.2f us, min %.2f, max %.2f (bar 15)\n", runs,
	       RECORDS, us[runs / 2], us[0], us[runs - 1]);
	close(fd);
	return us[runs / 2] < 15.0 ? 0 : 1;
}
