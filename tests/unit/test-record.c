/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing recordings: what was put in comes out, byte by byte; trace-cmd opens it; nothing but the recording
 * is left behind, and nothing is harmed that is not a recording.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "pagegen.h"
#include "trace/dat.h"
#include "trace/record.h"

#define FORMATS "tracepoints/formats/6.18"

static char dir[64], file[96];
static struct swt_root *root;
static struct swt_source_info info;

static void save(const char *path, const char *text, size_t len)
{
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

/* One format of the fixture as tracefs would show it below the sysroot. */
static void tracefs_event(const char *system, const char *event)
{
	char from[256], to[256], *text;
	size_t len;

	snprintf(from, sizeof(from), FORMATS "/%s/%s", system, event);
	text = pagegen_read(from, &len);
	snprintf(to, sizeof(to), "%s/sys/t/events/%s", dir, system);
	mkdir(to, 0700);
	snprintf(to, sizeof(to), "%s/sys/t/events/%s/%s", dir, system, event);
	mkdir(to, 0700);
	strcat(to, "/format");
	save(to, text, len);
	free(text);
}

static void make_tracefs(void)
{
	static const char *const dirs[] = { "sys",	"sys/t",	"sys/t/events",
					    "sys/proc", "sys/proc/sys", "sys/proc/sys/kernel" };
	static const char event[] = "# compressed entry header\n\ttype_len    :    5 bits\n";
	char path[256], *text;
	size_t i, len;

	for (i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, dirs[i]);
		mkdir(path, 0700);
	}
	text = pagegen_read(FORMATS "/header_page", &len);
	snprintf(path, sizeof(path), "%s/sys/t/events/header_page", dir);
	save(path, text, len);
	free(text);
	snprintf(path, sizeof(path), "%s/sys/t/events/header_event", dir);
	save(path, event, sizeof(event) - 1);
	tracefs_event("ftrace", "raw_data");
	tracefs_event("sched", "sched_process_exit");
	tracefs_event("sched", "sched_process_free");
	tracefs_event("kmem", "rss_stat");
	snprintf(path, sizeof(path), "%s/sys/t/events/ftrace/enable", dir); /* a file among the directories */
	save(path, "0\n", 2);
	snprintf(path, sizeof(path), "%s/sys/t/saved_cmdlines", dir);
	save(path, "600 hog\n", 8);
	snprintf(path, sizeof(path), "%s/sys/proc/sys/kernel/osrelease", dir);
	save(path, "6.18.44\n", 8);
}

static struct swt_record *start(const char *path, unsigned int buffers)
{
	struct swt_record_cfg cfg = { root, "/t", &info, buffers, 2, 4096 };
	struct swt_record *r = NULL;
	struct swt_err err = { "" };

	if (swt_record_new(path, &cfg, &r, &err))
		fail_msg("%s", err.text);
	return r;
}

static int refuse(const char *path, char *text)
{
	struct swt_record_cfg cfg = { root, "/t", &info, 1, 2, 4096 };
	struct swt_record *r = NULL;
	struct swt_err err = { "" };
	int rc = swt_record_new(path, &cfg, &r, &err);

	assert_true(rc < 0);
	assert_null(r);
	strcpy(text, err.text);
	return rc;
}

/* Names in the directory of the recordings, the tracefs tree not counted. */
static int entries(void)
{
	struct dirent *e;
	DIR *d = opendir(dir);
	int n = 0;

	assert_non_null(d);
	while ((e = readdir(d)))
		n += strcmp(e->d_name, ".") && strcmp(e->d_name, "..") && strcmp(e->d_name, "sys");
	closedir(d);
	return n;
}

/* Rings with @events events each, some pages long. */
static void fill(struct pagegen *g[2][2], struct swt_formats *f, unsigned int buffers, unsigned int events)
{
	unsigned int b, c, i;
	char line[160];

	for (b = 0; b < buffers; b++) {
		for (c = 0; c < 2; c++) {
			g[b][c] = pagegen_new(f);
			for (i = 0; i < events; i++) {
				if (b)
					snprintf(line, sizeof(line),
						 "hog-600 [%03u] %u.%06u: rss_stat: mm_id=7 curr=0 "
						 "type=MM_SWAPENTS size=%uB",
						 c, 10 + c, i, 4096 * i);
				else
					snprintf(line, sizeof(line),
						 "hog-600 [%03u] %u.%06u: sched_process_free: "
						 "comm=hog pid=%u prio=120",
						 c, 10 + c, i, i);
				pagegen_line(g[b][c], line);
			}
		}
	}
}

static void feed(struct swt_record *r, struct pagegen *g[2][2], unsigned int buffers)
{
	unsigned int b, c;
	size_t i, most = 0;

	/* Interleaved, as a drain does it. */
	for (b = 0; b < buffers; b++)
		for (c = 0; c < 2; c++)
			most = pagegen_count(g[b][c]) > most ? pagegen_count(g[b][c]) : most;
	for (i = 0; i < most; i++)
		for (b = 0; b < buffers; b++)
			for (c = 0; c < 2; c++)
				if (i < pagegen_count(g[b][c]))
					assert_int_equal(
						swt_record_page(r, b, c, pagegen_page(g[b][c], i), 4096), 0);
}

static void drop(struct pagegen *g[2][2], unsigned int buffers)
{
	unsigned int b, c;

	for (b = 0; b < buffers; b++)
		for (c = 0; c < 2; c++)
			pagegen_free(g[b][c]);
}

static int count_event(void *arg, const struct swt_event *ev)
{
	uint64_t *n = arg;

	n[ev->id == SWT_EV_RSS_STAT]++;
	return 0;
}

static char *slurp(const char *path, size_t *len)
{
	char *data = malloc(4 << 20);
	FILE *f = fopen(path, "re");

	assert_non_null(data);
	assert_non_null(f);
	*len = fread(data, 1, 4 << 20, f);
	fclose(f);
	return data;
}

/* The pages of a ring in the file, found by the table that follows the @nth "flyrecord". */
static const char *ring_of(const char *data, size_t len, int nth, unsigned int cpu, uint64_t *size)
{
	const char *p = data;
	uint64_t off;

	for (; nth >= 0; nth--) {
		p = memmem(p, len - (size_t)(p - data), "flyrecord", 10);
		assert_non_null(p);
		p += 10;
	}
	memcpy(&off, p + 16 * cpu, 8);
	memcpy(size, p + 16 * cpu + 8, 8);
	assert_true(off % 4096 == 0 && off + *size <= len);
	return data + off;
}

static void test_round_trip(void **state)
{
	struct swt_formats *f = pagegen_formats(FORMATS, false, 8);
	uint64_t n[2] = { 0, 0 }, size;
	struct swt_sink sink = { n, count_event, NULL, NULL };
	struct pagegen *g[2][2];
	struct swt_err err = { "" };
	struct swt_record *r;
	unsigned int b, c;
	const char *ring;
	struct swt_dat *d;
	size_t len, i;
	char *data;

	(void)state;
	fill(g, f, 2, 1000);
	r = start(file, 2);
	feed(r, g, 2);
	assert_int_equal(swt_record_cpustat(r, 0, "entries: 0\noverrun: 3\ndropped events: 4\n"), 0);
	assert_int_equal(entries(), 0); /* nothing has a name before it is finished */
	if (swt_record_finish(r, &err))
		fail_msg("%s", err.text);
	assert_int_equal(swt_record_finish(r, NULL), -EINVAL);
	swt_record_free(r);
	assert_int_equal(entries(), 1);

	data = slurp(file, &len);
	for (b = 0; b < 2; b++) {
		for (c = 0; c < 2; c++) {
			ring = ring_of(data, len, (int)b, c, &size);
			assert_int_equal(size, 4096 * pagegen_count(g[b][c]));
			for (i = 0; i < pagegen_count(g[b][c]); i++)
				assert_memory_equal(ring + 4096 * i, pagegen_page(g[b][c], i), 4096);
		}
	}
	free(data);

	assert_int_equal(swt_dat_open(file, &d, NULL), 0);
	assert_string_equal(swt_dat_source(d)->clock, "mono");
	assert_string_equal(swt_dat_info(d)->trace_cmd, "swaptop " SWT_VERSION);
	assert_non_null(strstr(swt_dat_info(d)->kernel, " 6.18.44 "));
	assert_int_equal(swt_dat_info(d)->recorded_lost.v, 7);
	assert_int_equal(swt_dat_source(d)->state[SWT_EV_SCHED_FREE], SWT_EV_HAVE);
	/* There on this kernel, but not asked for: its format is not stored. */
	assert_int_equal(swt_dat_source(d)->state[SWT_EV_SCHED_EXIT], SWT_EV_MISSING);
	assert_int_equal(swt_dat_run(d, UINT64_MAX, &sink), 0);
	assert_false(swt_dat_info(d)->cut);
	assert_int_equal(n[0], 2000);
	assert_int_equal(n[1], 2000);
	swt_dat_close(d);
	drop(g, 2);
	swt_formats_free(f);
}

/* trace-cmd is the judge of what a trace.dat is: not a word on stderr, and as many events as we count. */
static void test_trace_cmd(void **state)
{
	struct swt_formats *f = pagegen_formats(FORMATS, false, 8);
	unsigned long lines = 0, rss = 0;
	struct pagegen *g[2][2];
	struct swt_record *r;
	char cmd[512], line[512];
	struct stat st;
	FILE *p;

	(void)state;
	if (system("command -v trace-cmd >/dev/null 2>&1")) {
		print_message("# no trace-cmd here\n");
		swt_formats_free(f);
		skip();
	}
	fill(g, f, 2, 1000);
	r = start(file, 2);
	feed(r, g, 2);
	assert_int_equal(swt_record_finish(r, NULL), 0);
	swt_record_free(r);
	drop(g, 2);
	swt_formats_free(f);

	snprintf(cmd, sizeof(cmd), "trace-cmd report '%s' 2>'%s.err'", file, file);
	p = popen(cmd, "re");
	assert_non_null(p);
	while (fgets(line, sizeof(line), p)) {
		lines += strstr(line, "sched_process_free:") || strstr(line, "rss_stat:");
		rss += !strncmp(line, "rss: ", 5) && strstr(line, "type=MM_SWAPENTS");
	}
	assert_int_equal(pclose(p), 0);
	assert_int_equal(lines, 4000);
	assert_int_equal(rss, 2000);
	snprintf(line, sizeof(line), "%s.err", file);
	assert_int_equal(stat(line, &st), 0);
	assert_int_equal(st.st_size, 0);
	unlink(line);
	snprintf(cmd, sizeof(cmd), "trace-cmd dump --clock '%s' | grep -c -F '[mono]' >/dev/null", file);
	assert_int_equal(system(cmd), 0);
}

/* A kernel that is read page by page gives short ones at the end. */
static void test_pages(void **state)
{
	struct swt_formats *f = pagegen_formats(FORMATS, false, 8);
	uint64_t n[2] = { 0, 0 }, size;
	struct swt_sink sink = { n, count_event, NULL, NULL };
	struct pagegen *g[2][2];
	struct swt_record *r;
	struct swt_dat *d;
	const char *ring;
	size_t len, i;
	char *data;

	(void)state;
	fill(g, f, 1, 5);
	assert_int_equal(pagegen_count(g[0][0]), 1);
	r = start(file, 1);
	assert_int_equal(swt_record_page(r, 0, 1, pagegen_page(g[0][0], 0), 1024), 0);
	assert_int_equal(swt_record_page(r, 0, 2, pagegen_page(g[0][0], 0), 4096), -EINVAL);
	assert_int_equal(swt_record_page(r, 1, 0, pagegen_page(g[0][0], 0), 4096), -EINVAL);
	assert_int_equal(swt_record_page(r, 0, 0, pagegen_page(g[0][0], 0), 4097), -EINVAL);
	assert_int_equal(swt_record_finish(r, NULL), 0); /* wrong calls are not failures of the disk */
	swt_record_free(r);
	data = slurp(file, &len);
	ring = ring_of(data, len, 0, 1, &size);
	assert_int_equal(size, 4096);
	for (i = 1024; i < 4096; i++)
		assert_int_equal(ring[i], 0);
	free(data);
	assert_int_equal(swt_dat_open(file, &d, NULL), 0);
	assert_int_equal(swt_dat_run(d, UINT64_MAX, &sink), 0);
	assert_int_equal(n[0], 5);
	swt_dat_close(d);
	drop(g, 1);
	swt_formats_free(f);
}

/* An empty recording is one too. */
static void test_empty(void **state)
{
	struct swt_record *r = start(file, 2);
	struct swt_dat *d;

	(void)state;
	assert_int_equal(swt_record_finish(r, NULL), 0);
	swt_record_free(r);
	assert_int_equal(swt_dat_open(file, &d, NULL), 0);
	assert_false(swt_dat_info(d)->cut);
	swt_dat_close(d);
}

static void test_nothing_left_behind(void **state)
{
	char page[4096] = { 0 };
	struct swt_record *r;

	(void)state;
	save(file, "old", 3);
	r = start(file, 2);
	assert_int_equal(swt_record_page(r, 0, 0, page, sizeof(page)), 0);
	swt_record_free(r);
	assert_int_equal(entries(), 1);
	assert_int_equal(access(file, F_OK), 0);
	swt_record_free(NULL);
}

static void test_rights(void **state)
{
	mode_t mask = umask(027);
	struct swt_record *r;
	struct stat st;

	(void)state;
	r = start(file, 1);
	assert_int_equal(swt_record_finish(r, NULL), 0);
	swt_record_free(r);
	assert_int_equal(stat(file, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	assert_int_equal(chmod(file, 0600), 0);
	r = start(file, 1); /* somebody made it private: it stays so */
	assert_int_equal(swt_record_finish(r, NULL), 0);
	swt_record_free(r);
	assert_int_equal(stat(file, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	umask(mask);
}

static void test_link_stays(void **state)
{
	struct swt_record *r;
	char link[128];
	struct stat st;

	(void)state;
	save(file, "old", 3);
	snprintf(link, sizeof(link), "%s/link", dir);
	assert_int_equal(symlink(file, link), 0);
	r = start(link, 1);
	assert_int_equal(swt_record_finish(r, NULL), 0);
	swt_record_free(r);
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(stat(file, &st), 0);
	assert_true(st.st_size > 4000);
	unlink(link);
}

/* Devices and pipes are written to.  A rename would put a file in place of /dev/null, for everybody. */
static void test_not_a_file(void **state)
{
	char data[65536], fifo[128], want[256];
	struct swt_err err = { "" };
	struct swt_record *r;
	struct stat st;
	ssize_t n;
	int fd;

	(void)state;
	snprintf(fifo, sizeof(fifo), "%s/fifo", dir);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	fd = open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	r = start(fifo, 1);
	assert_int_equal(swt_record_finish(r, NULL), 0);
	swt_record_free(r);
	n = read(fd, data, sizeof(data));
	assert_true(n > 4000);
	assert_memory_equal(data, "\x17\x08\x44tracing6", 12);
	close(fd);
	assert_int_equal(stat(fifo, &st), 0);
	assert_true(S_ISFIFO(st.st_mode));
	unlink(fifo);

	/* The disk that is always full; through a link, which a mistake here costs instead of the device. */
	assert_int_equal(symlink("/dev/full", fifo), 0);
	r = start(fifo, 1);
	assert_int_equal(swt_record_finish(r, &err), -ENOSPC);
	snprintf(want, sizeof(want), "cannot write '%s': No space left on device", fifo);
	assert_string_equal(err.text, want);
	swt_record_free(r);
	unlink(fifo);
}

static void test_refused(void **state)
{
	char text[512];

	(void)state;
	assert_int_equal(refuse("/nonexistent/x.dat", text), -ENOENT);
	assert_string_equal(text, "cannot write '/nonexistent/x.dat': No such file or directory");
	assert_int_equal(refuse(dir, text), -EISDIR);
	assert_int_equal(refuse("", text), -ENOENT);
	info.state[SWT_EV_OOM_MARK_VICTIM] = SWT_EV_HAVE; /* told to be there, but is not */
	assert_int_equal(refuse(file, text), -ENOENT);
	assert_non_null(strstr(text, "/t/events/oom/mark_victim/format"));
	info.state[SWT_EV_OOM_MARK_VICTIM] = SWT_EV_MISSING;
	assert_int_equal(entries(), 0);
}

/*
 * The disk fills up in the middle: the failure stays, is told with the name, and no half recording is left.
 * A limit on file size stands for the full disk; it is lifted again before the finish.
 */
static void test_disk_full(void **state)
{
	struct rlimit old, small;
	struct swt_err err = { "" };
	char page[4096] = { 0 }, want[256];
	struct swt_record *r = start(file, 1);
	void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
	int i, rc = 0;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = old;
	small.rlim_cur = 5 * sizeof(page) + 100;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	for (i = 0; i < 100 && !rc; i++)
		rc = swt_record_page(r, 0, 0, page, sizeof(page));
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	signal(SIGXFSZ, handler);
	assert_int_equal(rc, -EFBIG);
	assert_int_equal(i, 6);
	assert_int_equal(swt_record_page(r, 0, 1, page, sizeof(page)), -EFBIG);
	assert_int_equal(swt_record_finish(r, &err), -EFBIG);
	snprintf(want, sizeof(want), "cannot write '%s': File too large", file);
	assert_string_equal(err.text, want);
	swt_record_free(r);
	assert_int_equal(entries(), 0);
}

static int setup(void **state)
{
	char sys[80];

	(void)state;
	strcpy(dir, "/tmp/swt-rec-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(file, sizeof(file), "%s/r.dat", dir);
	make_tracefs();
	snprintf(info.clock, sizeof(info.clock), "mono");
	info.state[SWT_EV_SCHED_FREE] = info.state[SWT_EV_RSS_STAT] = info.state[SWT_EV_RAW_DATA] =
		SWT_EV_HAVE;
	snprintf(sys, sizeof(sys), "%s/sys", dir);
	return swt_root_new(sys, &root);
}

static int each_teardown(void **state)
{
	(void)state;
	unlink(file);
	return 0;
}

static int teardown(void **state)
{
	char cmd[128];

	(void)state;
	swt_root_free(root);
	snprintf(cmd, sizeof(cmd), "rm -rf '%s'", dir);
	return system(cmd);
}

#define T(fn) cmocka_unit_test_teardown(fn, each_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_round_trip), T(test_trace_cmd),		 T(test_pages),
		T(test_empty),	    T(test_nothing_left_behind), T(test_rights),
		T(test_link_stays), T(test_not_a_file),		 T(test_refused),
		T(test_disk_full),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
