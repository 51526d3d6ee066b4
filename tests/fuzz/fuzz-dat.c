/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as a recording: opened, read to the end.  Version 7 is left out: libtracecmd crashes, which is
 * known and contained (lib/trace/dat7.c), and a fork per input would make this slow.
 */
#include "replay.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "trace/dat.h"

static volatile uint64_t sum;

static void touch(const char *s, size_t n)
{
	while (n--)
		sum += (uint8_t)*s++;
}

static int on_event(void *arg, const struct swt_event *ev)
{
	uint64_t *n = arg;

	touch(ev->str[0].s, ev->str[0].len);
	touch(ev->str[1].s, ev->str[1].len);
	sum += (uint64_t)ev->f[0] + ev->ts;
	++*n;
	return 0;
}

static int on_lost(void *arg, const struct swt_lost *lost)
{
	(void)arg;
	sum += lost->count + lost->since;
	return 0;
}

static int on_file(void *arg, uint64_t ts, const char *path, const char *text, size_t len)
{
	(void)arg;
	sum += ts;
	touch(path, strlen(path));
	touch(text, len);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	static char path[32];
	uint64_t n = 0;
	struct swt_sink sink = { &n, on_event, on_lost, on_file };
	struct swt_err err = { "" };
	struct swt_dat *d = NULL;

	if (size > 10 && data[10] == '7')
		return 0;
	if (fd < 0) {
		fd = memfd_create("fuzz", 0);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	if (ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size)
		return 0;
	if (swt_dat_open(path, &d, &err)) {
		FUZZ_CHECK(!d && err.text[0]);
		return 0;
	}
	FUZZ_CHECK(!swt_dat_run(d, UINT64_MAX, &sink) && n <= size);
	touch(swt_dat_info(d)->cut_why, strlen(swt_dat_info(d)->cut_why));
	swt_dat_close(d);
	return 0;
}
