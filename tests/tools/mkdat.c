/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mkdat - make a recording from lines on standard input, for tests written in shell
 *
 *	mkdat --formats DIR --out FILE [--cpus N] [--rss] [--big-endian] [--long 4|8] [--clock NAME]
 *	      [--uname TEXT] [--cpustat TEXT] [--cut BYTES] < lines
 *
 * Lines as in tests/lib/datgen.h.  --rss puts rss_stat into a buffer of that name; --cut drops that many
 * bytes at the end.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "datgen.h"

static void usage(void)
{
	fputs("usage: mkdat --formats DIR --out FILE [--cpus N] [--rss] [--big-endian] [--long 4|8]\n"
	      "             [--clock NAME] [--uname TEXT] [--cpustat TEXT] [--cut BYTES] < lines\n",
	      stderr);
	exit(2);
}

int main(int argc, char **argv)
{
	static const struct option opts[] = {
		{ "formats", 1, NULL, 'f' }, { "out", 1, NULL, 'o' },	     { "cpus", 1, NULL, 'c' },
		{ "rss", 0, NULL, 'r' },     { "big-endian", 0, NULL, 'b' }, { "long", 1, NULL, 'l' },
		{ "clock", 1, NULL, 'k' },   { "uname", 1, NULL, 'u' },	     { "cpustat", 1, NULL, 's' },
		{ "cut", 1, NULL, 'x' },     { NULL, 0, NULL, 0 },
	};
	struct datgen_cfg cfg = { .ncpus = 4, .version = "mkdat" };
	struct swt_buf in = SWT_BUF_INIT;
	struct datgen_image im;
	const char *out = NULL;
	char buf[65536];
	size_t n, cut = 0;
	struct datgen *g;
	int c;

	while ((c = getopt_long(argc, argv, "", opts, NULL)) != -1) {
		switch (c) {
		case 'f':
			cfg.formats = optarg;
			break;
		case 'o':
			out = optarg;
			break;
		case 'c':
			cfg.ncpus = (unsigned int)atoi(optarg);
			break;
		case 'r':
			cfg.buffers = 2;
			break;
		case 'b':
			cfg.big_endian = true;
			break;
		case 'l':
			cfg.long_size = atoi(optarg);
			break;
		case 'k':
			cfg.clock = optarg;
			break;
		case 'u':
			cfg.uname = optarg;
			break;
		case 's':
			cfg.cpustat = optarg;
			break;
		case 'x':
			cut = (size_t)atol(optarg);
			break;
		default:
			usage();
		}
	}
	if (optind != argc || !cfg.formats || !out)
		usage();
	while ((n = fread(buf, 1, sizeof(buf), stdin)) > 0)
		if (swt_buf_add(&in, buf, n))
			abort();
	g = datgen_new(&cfg);
	datgen_lines(g, swt_buf_str(&in));
	datgen_image(g, &im);
	datgen_save(out, im.data, cut < im.len ? im.len - cut : 0);
	free(im.data);
	datgen_free(g);
	swt_buf_free(&in);
	return 0;
}
