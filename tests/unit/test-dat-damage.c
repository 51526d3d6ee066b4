/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Damaged recordings: read as far as they go, said to be cut, never a crash, a hang or an event that was not
 * there.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "datgen.h"
#include "trace/dat.h"

#define NEW "tracepoints/formats/6.18"

static char dir[64], file[96];

struct count {
	uint64_t events, files, lost, last_pid;
};

static int on_event(void *arg, const struct swt_event *ev)
{
	struct count *c = arg;

	c->events++;
	c->last_pid = (uint64_t)ev->f[SWT_F_SCHED_FREE_PID];
	return 0;
}

static int on_lost(void *arg, const struct swt_lost *lost)
{
	struct count *c = arg;

	(void)lost;
	c->lost++;
	return 0;
}

static int on_file(void *arg, uint64_t ts, const char *path, const char *text, size_t len)
{
	struct count *c = arg;

	(void)ts;
	(void)path;
	c->files += len && text[len - 1] ? 1 : 0; /* reads the ends of what was given */
	return 0;
}

/* Open and read to the end; the result of the open.  @cut: what the reader says. */
static int read_bytes(const void *data, size_t len, struct count *c, bool *cut)
{
	struct swt_sink sink = { c, on_event, on_lost, on_file };
	struct swt_dat *d = NULL;
	int rc;

	memset(c, 0, sizeof(*c));
	/* A new file each time: ext4 writes a truncated one out at close, thousands of times. */
	unlink(file);
	datgen_save(file, data, len);
	rc = swt_dat_open(file, &d, NULL);
	if (rc)
		return rc;
	assert_int_equal(swt_dat_run(d, UINT64_MAX, &sink), 0);
	*cut = swt_dat_info(d)->cut;
	if (*cut)
		assert_true(swt_dat_info(d)->cut_why[0]);
	assert_string_equal(swt_source_name(swt_dat_source(d)->kind), "stock");
	swt_dat_close(d);
	return 0;
}

/* Two CPUs, two buffers, samples, 3000 events: some pages in each ring. */
static void make(struct datgen_image *im, unsigned int ncpus, unsigned int buffers)
{
	struct datgen_cfg cfg = { .formats = NEW,
				  .ncpus = ncpus,
				  .buffers = buffers,
				  .uname = "Linux b 1",
				  .cpustat = "overrun: 1\n" };
	struct datgen *g = datgen_new(&cfg);
	char line[256];
	unsigned int i;

	datgen_lines(g,
		     "@FILE 0.5 @info <<<level 3\\nclock mono\\n\n@FILE 0.6 /proc/vmstat <<<pswpin 1\\n\n");
	for (i = 1; i <= 3000; i++) {
		if (i % 3)
			snprintf(line, sizeof(line),
				 "h-%u [%03u] %u.%03u: sched_process_free: comm=h pid=%u prio=120\n", i,
				 i % ncpus, 1 + i / 1000, i % 1000, i);
		else
			snprintf(
				line, sizeof(line),
				"h-%u [%03u] %u.%03u: rss_stat: mm_id=7 curr=0 type=MM_SWAPENTS size=4096B\n",
				i, i % ncpus, 1 + i / 1000, i % 1000);
		datgen_lines(g, line);
	}
	datgen_image(g, im);
	datgen_free(g);
}

static void check_cut(const struct datgen_image *im, size_t len, uint64_t all)
{
	struct count c;
	bool cut = false;
	int rc = read_bytes(im->data, len, &c, &cut);

	assert_true(rc == 0 || rc == -EBADMSG);
	assert_true(c.events <= all);
	if (!rc && len < im->len)
		assert_true(cut);
	if (len == im->len) {
		assert_false(cut);
		assert_int_equal(c.events, all);
	}
}

static void test_cut_at_parts(void **state)
{
	struct datgen_image im;
	size_t i;
	int by;

	(void)state;
	make(&im, 2, 2);
	assert_in_range(im.nparts, 15, DATGEN_SECTIONS);
	for (i = 0; i < im.nparts; i++)
		for (by = -1; by <= 1; by++)
			check_cut(&im, im.part[i] + (size_t)by, 3000);
	check_cut(&im, im.len, 3000);
	free(im.data);
}

static void test_cut_anywhere(void **state)
{
	struct datgen_image im;
	int i;

	(void)state;
	make(&im, 2, 2);
	srandom(4711);
	for (i = 0; i < 1000; i++)
		check_cut(&im, (size_t)random() % im.len, 3000);
	free(im.data);
}

/* Of a ring that is cut, every whole page is delivered: nothing less, nothing more. */
static void test_whole_pages_survive(void **state)
{
	struct datgen_cfg cfg = { .formats = NEW };
	struct datgen *g = datgen_new(&cfg);
	struct pagegen *ring = datgen_ring(g, 0, 0);
	uint64_t upto[16] = { 0 };
	struct datgen_image im;
	size_t i, start, pages;
	struct count c;
	char line[128];
	bool cut;

	(void)state;
	for (i = 1; i <= 6; i++) {
		snprintf(line, sizeof(line), "h-1 [000] %zu.0: sched_process_free: comm=h pid=%zu prio=120\n",
			 i, i);
		datgen_lines(g, line);
		if (i % 2 == 0)
			pagegen_close(ring, false);
		upto[pagegen_count(ring)] = i;
	}
	pages = pagegen_count(ring);
	datgen_image(g, &im);
	start = im.len - pages * 4096;
	for (i = 0; i < pages; i++) {
		assert_int_equal(read_bytes(im.data, start + i * 4096, &c, &cut), 0);
		assert_true(cut);
		assert_int_equal(c.events, upto[i]);
		assert_int_equal(c.last_pid, upto[i]);
	}
	free(im.data);
	datgen_free(g);
}

/* The 64-bit number at @at, little-endian. */
static void set64(struct datgen_image *im, size_t at, uint64_t v)
{
	size_t i;

	for (i = 0; i < 8; i++)
		im->data[at + i] = (unsigned char)(v >> (8 * i));
}

static size_t find(const struct datgen_image *im, const char *what, size_t len)
{
	unsigned char *p = memmem(im->data, im->len, what, len);

	assert_non_null(p);
	return (size_t)(p - im->data);
}

/* Sizes and counts that would cost memory or time if they were believed. */
static void test_hostile_numbers(void **state)
{
	static const uint64_t huge[] = { UINT64_MAX, INT64_MAX, 1ull << 40, 1ull << 32, 0xfffffff0 };
	struct datgen_image im;
	struct count c;
	size_t i, table, buffer;
	bool cut = false;

	(void)state;
	make(&im, 1, 2);
	table = find(&im, "flyrecord", 10) + 10;
	buffer = find(&im, "rss", 4) - 8;
	for (i = 0; i < sizeof(huge) / sizeof(huge[0]); i++) {
		uint64_t off, size, where;

		memcpy(&off, im.data + table, 8);
		memcpy(&size, im.data + table + 8, 8);
		memcpy(&where, im.data + buffer, 8);
		set64(&im, table, huge[i]); /* a ring far outside */
		assert_int_equal(read_bytes(im.data, im.len, &c, &cut), 0);
		assert_true(cut);
		assert_int_equal(c.events, 1000);
		set64(&im, table, off);
		set64(&im, table + 8,
		      huge[i]); /* a ring longer than the file: what is there is read, other rings too */
		assert_int_equal(read_bytes(im.data, im.len, &c, &cut), 0);
		assert_true(cut);
		assert_true(c.events >= 2000);
		set64(&im, table + 8, size);
		set64(&im, buffer, huge[i]); /* a buffer that is nowhere: the main one is whole */
		assert_int_equal(read_bytes(im.data, im.len, &c, &cut), 0);
		assert_true(cut);
		assert_int_equal(c.events, 2000);
		set64(&im, buffer, where);
		where = find(&im, "header_event", 13) + 13;
		memcpy(&size, im.data + where, 8);
		set64(&im, where, huge[i]); /* a text longer than the file */
		assert_int_equal(read_bytes(im.data, im.len, &c, &cut), -EBADMSG);
		set64(&im, where, size);
	}
	free(im.data);
}

/* One ring listed for thousands of CPUs is not read thousands of times. */
static void test_overlapping_rings(void **state)
{
	struct datgen_image im, many;
	size_t table, i, n = 20000;
	struct count c;
	uint64_t off, size;
	bool cut = false;

	(void)state;
	make(&im, 1, 1);
	table = find(&im, "flyrecord", 10) + 10;
	memcpy(&off, im.data + table, 8);
	memcpy(&size, im.data + table + 8, 8);
	many.len = im.len + 16 * n;
	many.data = calloc(1, many.len);
	assert_non_null(many.data);
	memcpy(many.data, im.data, table);
	for (i = 0; i < n; i++) {
		set64(&many, table + 16 * i, off + 16 * n);
		set64(&many, table + 16 * i + 8, size);
	}
	memcpy(many.data + off + 16 * n, im.data + off, size);
	i = find(&many, "options  ", 10) - 4;
	many.data[i] = (unsigned char)n;
	many.data[i + 1] = (unsigned char)(n >> 8);
	assert_int_equal(read_bytes(many.data, many.len, &c, &cut), 0);
	assert_true(cut);
	assert_in_range(c.events, 3000, 3000 * (many.len / size));
	free(many.data);
	free(im.data);
}

static void mutate(const unsigned char *data, size_t len, int rounds, unsigned int seed, uint64_t most)
{
	unsigned char *m = malloc(len);
	struct count c;
	bool cut;
	int i, k;

	assert_non_null(m);
	srandom(seed);
	for (i = 0; i < rounds; i++) {
		memcpy(m, data, len);
		for (k = (int)(random() % 8); k >= 0; k--)
			m[(size_t)random() % len] = random() % 4 ? (unsigned char)random() : 0xff;
		read_bytes(m, (size_t)random() % 4 ? len : (size_t)random() % len, &c, &cut);
		assert_true(c.events <= most);
	}
	free(m);
}

static void test_mutations(void **state)
{
	struct datgen_image im;

	(void)state;
	make(&im, 2, 2);
	/* A record takes 8 bytes at least. */
	mutate(im.data, im.len, 2000, 1, im.len / 8);
	free(im.data);
}

static unsigned char *load(const char *name, size_t *len)
{
	const char *src = getenv("SWT_SRCDIR");
	unsigned char *data = malloc(1 << 20);
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s%stests/fixtures/dat/%s", src ? src : "", src ? "/" : "", name);
	f = fopen(path, "re");
	if (!f || !data)
		fail_msg("%s", path);
	*len = fread(data, 1, 1 << 20, f);
	fclose(f);
	return data;
}

/* A kernel's pages: cut at the end of every part and every page, at 1,000 places between, and changed. */
static void test_real_v6(void **state)
{
	struct datgen_image im = { 0 };
	size_t at;
	int i;

	(void)state;
	im.data = load("real-v6.dat", &im.len);
	for (at = 0; at < im.len; at += at < 10000 ? 37 : 512)
		check_cut(&im, at, 190);
	srandom(99);
	for (i = 0; i < 1000; i++)
		check_cut(&im, (size_t)random() % im.len, 190);
	check_cut(&im, im.len, 190);
	mutate(im.data, im.len, 1000, 2, im.len / 8);
	free(im.data);
}

/* libtracecmd crashes on some of these; we must not. */
static void test_real_v7(void **state)
{
	struct datgen_image im = { 0 };
	struct count c;
	bool cut = false;
	int i, rc;

	(void)state;
	im.data = load("real-v7.dat", &im.len);
	for (i = 0; i < 60; i++) {
		rc = read_bytes(im.data, im.len * (size_t)i / 60, &c, &cut);
		assert_true(rc == 0 || rc == -EBADMSG);
		assert_true(c.events <= 190);
		if (!rc)
			assert_true(cut || c.events == 190);
	}
	mutate(im.data, im.len, 120, 3, UINT64_MAX);
	/* The end of the file is where the damage reaches the library. */
	srandom(5);
	for (i = 0; i < 120; i++) {
		size_t where = im.len - 1 - (size_t)random() % 600;
		unsigned char old = im.data[where];

		im.data[where] = (unsigned char)random();
		read_bytes(im.data, im.len, &c, &cut);
		im.data[where] = old;
	}
	assert_int_equal(read_bytes(im.data, im.len, &c, &cut), 0);
	assert_int_equal(c.events, 190);
	free(im.data);
}

static int setup(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/swt-dat-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(file, sizeof(file), "%s/t.dat", dir);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	unlink(file);
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cut_at_parts),
		cmocka_unit_test(test_cut_anywhere),
		cmocka_unit_test(test_whole_pages_survive),
		cmocka_unit_test(test_hostile_numbers),
		cmocka_unit_test(test_overlapping_rings),
		cmocka_unit_test(test_mutations),
		cmocka_unit_test(test_real_v6),
		cmocka_unit_test(test_real_v7),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
