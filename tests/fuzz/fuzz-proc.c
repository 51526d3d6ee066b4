/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzz target: texts of /proc and /sys.
 *
 * The input is a row of samples, separated by 0xff bytes.  The first byte of each says which file it is; the rest
 * is its text.  All samples of an input go into one struct swt_sys, so that a text also meets what others left.
 * Built with -DFUZZ_REPLAY it is a program that replays the files named.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/hist.h"
#include "model/pidfile.h"
#include "model/sys-parts.h"
#include "model/sys.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "fuzz-proc: %s\n", what);
	abort();
}
#define CHECK(x) check(!!(x), #x)

static const char *const paths[] = {
	"/proc/vmstat",
	"/proc/meminfo",
	"/proc/swaps",
	"/proc/stat",
	"/proc/pressure/memory",
	"/sys/block/zram0/mm_stat",
	"/sys/block/zram0/debug_stat",
	"/sys/block/zram0/io_stat",
	"/sys/block/zram0/orig_data_size",
	"/sys/block/zram0/compr_data_size",
	"/sys/block/zram0/mem_used_total",
	"/sys/block/zram3/mm_stat",
	"/sys/block/zram3/debug_stat",
	"/sys/kernel/mm/transparent_hugepage/khugepaged/full_scans",
	"/sys/kernel/mm/transparent_hugepage/khugepaged/max_ptes_swap",
	"/sys/module/zswap/parameters/enabled",
	"/sys/kernel/mm/swap/exit_release/mode",
	"/proc/38/stat",
};
#define NPATHS (sizeof(paths) / sizeof(paths[0]))

static void opt_ok(struct swt_opt o)
{
	CHECK(o.known || !o.v);
}

static void sys_ok(const struct swt_sys *s)
{
	struct swt_buf b = SWT_BUF_INIT;
	const char *backend = swt_sys_backend(s);

	CHECK(s->nareas <= SWT_MAX_SWAPS && s->nzram <= SWT_MAX_ZRAM);
	for (unsigned int i = 0; i < SWT_VM_COUNT; i++)
		opt_ok(s->vm[i]);
	for (unsigned int i = 0; i < s->nareas; i++) {
		CHECK(memchr(s->area[i].name, 0, sizeof(s->area[i].name)));
		opt_ok(s->area[i].used);
	}
	for (unsigned int i = 0; i < s->nzram; i++)
		CHECK(swt_zram_name(s->zram[i].name, strlen(s->zram[i].name)));
	CHECK(memchr(s->mode, 0, sizeof(s->mode)) && memchr(s->debug_note, 0, sizeof(s->debug_note)));
	for (const char *p = s->debug_note; *p; p++)
		CHECK(*p >= ' ' && *p <= '~');
	CHECK(backend && *backend);
	CHECK(!swt_sys_explain(s, 4096, &b));
	CHECK(!b.len || (!strncmp(b.s, "slots in use ", 13) && !memchr(b.s, '\n', b.len)));
	swt_buf_free(&b);
}

/* What is left of a file after trimming says what the whole file said. */
static void trim_ok(const char *path, const char *text, size_t len)
{
	static struct swt_sys whole, part;
	struct swt_buf b = SWT_BUF_INIT;

	memset(&whole, 0, sizeof(whole));
	memset(&part, 0, sizeof(part));
	CHECK(!swt_sys_trim(path, text, len, &b));
	CHECK(b.len <= len + 1);
	swt_sys_file(&whole, 1, path, text, len);
	swt_sys_file(&part, 1, path, swt_buf_str(&b), b.len);
	/* A file of which nothing is left is still one that was there. */
	CHECK(!memcmp(&whole, &part, sizeof(whole)));
	swt_buf_free(&b);
}

static void pid_files(const char *text, size_t len)
{
	struct swt_pid_status status;
	struct swt_pid_stat st;
	const char *group;
	size_t n = 0;

	if (!swt_pid_stat(text, len, &st)) {
		CHECK(st.pid >= 0 && st.ppid >= 0 && st.threads >= 0);
		CHECK(st.comm_len < sizeof(st.comm) && !st.comm[st.comm_len]);
		opt_ok(st.utime);
		opt_ok(st.stime);
	}
	if (!swt_pid_status(text, len, &status)) {
		CHECK(status.nnspid <= SWT_MAX_NSPID);
		CHECK(!status.vm_swap.known || status.vm_swap.v % 1024 == 0);
		opt_ok(status.vm_rss);
	}
	group = swt_pid_cgroup(text, len, &n);
	if (group)
		CHECK(n && *group == '/' && group >= text && group + n <= text + len &&
		      !memchr(group, '\n', n));
}

static void values(const char *text, size_t len)
{
	static struct swt_hist h;
	struct swt_opt q;

	memset(&h, 0, sizeof(h));
	for (; len >= 8; text += 8, len -= 8) {
		uint64_t v;

		memcpy(&v, text, 8);
		swt_hist_add(&h, v);
		CHECK(swt_hist_bucket(v) < SWT_HIST_BUCKETS);
		CHECK(v < swt_hist_bound(swt_hist_bucket(v)) || v == UINT64_MAX);
	}
	q = swt_hist_quantile(&h, 0.95);
	CHECK(q.known == (h.count > 0));
	CHECK(!q.known || (q.v >= h.min && q.v <= h.max));
}

/* A copy of its own, so that a sanitizer sees each byte read outside. */
static void sample(struct swt_sys *s, unsigned int what, const uint8_t *data, size_t len)
{
	char *text = malloc(len ? len : 1);

	if (!text)
		return;
	memcpy(text, data, len);
	what %= NPATHS + 2;
	if (what < NPATHS) {
		CHECK(swt_sys_file(s, 1, paths[what], text, len) == 1 ||
		      !strcmp(paths[what], "/proc/38/stat"));
		sys_ok(s);
		trim_ok(paths[what], text, len);
	} else if (what == NPATHS) {
		pid_files(text, len);
	} else {
		values(text, len);
	}
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct swt_sys s;

	memset(&s, 0, sizeof(s));
	while (size) {
		const uint8_t *end = memchr(data, 0xff, size);
		size_t len = end ? (size_t)(end - data) : size;

		if (len)
			sample(&s, data[0], data + 1, len - 1);
		data += len + (end != NULL);
		size -= len + (end != NULL);
	}
	return 0;
}

#ifdef FUZZ_REPLAY
static int replay(const char *name)
{
	static uint8_t buf[1 << 20];
	FILE *f = fopen(name, "rb");
	size_t n;

	if (!f) {
		perror(name);
		return 1;
	}
	n = fread(buf, 1, sizeof(buf), f);
	fclose(f);
	LLVMFuzzerTestOneInput(buf, n);
	return 0;
}

int main(int argc, char **argv)
{
	int rc = 0;

	for (int i = 1; i < argc; i++)
		rc |= replay(argv[i]);
	return rc;
}
#endif
