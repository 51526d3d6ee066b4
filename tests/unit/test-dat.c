/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading whole recordings: what is in them is delivered, and what they tell about themselves is found.
 */
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "datgen.h"
#include "trace/dat.h"

#define OLD	"tracepoints/formats/6.12"
#define NEW	"tracepoints/formats/6.18"
#define PATCHED OLD ":tracepoints/formats/6.12-swaptop"

static char dir[64], file[96];

/* What came out of a recording. */
struct got {
	struct swt_event ev[64];
	struct swt_lost lost[8];
	char path[8][32], text[8][4096];
	uint64_t file_ts[8];
	size_t nev, nlost, nfile, stop_after;
};

static int on_event(void *arg, const struct swt_event *ev)
{
	struct got *g = arg;

	if (g->nev < 64)
		g->ev[g->nev] = *ev;
	return ++g->nev == g->stop_after ? 7 : 0;
}

static int on_lost(void *arg, const struct swt_lost *lost)
{
	struct got *g = arg;

	if (g->nlost < 8)
		g->lost[g->nlost] = *lost;
	g->nlost++;
	return 0;
}

static int on_file(void *arg, uint64_t ts, const char *path, const char *text, size_t len)
{
	struct got *g = arg;

	if (g->nfile < 8 && len < 4096) {
		snprintf(g->path[g->nfile], 32, "%s", path);
		memcpy(g->text[g->nfile], text, len);
		g->file_ts[g->nfile] = ts;
	}
	g->nfile++;
	return 0;
}

static struct swt_sink sink_of(struct got *g)
{
	struct swt_sink s = { g, on_event, on_lost, on_file };

	memset(g, 0, sizeof(*g));
	return s;
}

/* Make a recording of @lines, open it and deliver everything; the caller closes it. */
static struct swt_dat *play(const struct datgen_cfg *cfg, const char *lines, struct got *g)
{
	struct datgen *gen = datgen_new(cfg);
	struct swt_sink sink = sink_of(g);
	struct swt_err err = { "" };
	struct swt_dat *d = NULL;

	datgen_lines(gen, lines);
	datgen_write(gen, file);
	datgen_free(gen);
	if (swt_dat_open(file, &d, &err))
		fail_msg("%s", err.text);
	assert_int_equal(swt_dat_run(d, UINT64_MAX, &sink), 0);
	return d;
}

/*
 * The same release seen by an old and a new kernel.  What decides is the format in the recording: it says
 * which end of the teardown sched_process_exit marks.
 */
static void test_exit_side(void **state)
{
	static const char releases[] =
		"h-600 [001] 10.000: rss_stat: mm_id=7 curr=0 type=MM_SWAPENTS size=8388608B\n"
		"h-600 [001] 10.050: rss_stat: mm_id=7 curr=0 type=MM_SWAPENTS size=4194304B\n"
		"h-600 [001] 10.100: rss_stat: mm_id=7 curr=0 type=MM_SWAPENTS size=0B\n";
	static const char exit_new[] =
		"h-600 [001] 9.999: sched_process_exit: comm=h pid=600 prio=120 group_dead=true\n";
	static const char exit_old[] = "h-600 [001] 10.101: sched_process_exit: comm=h pid=600 prio=120\n";
	struct datgen_cfg cfg = { .ncpus = 2 };
	struct swt_dat *d;
	char lines[1024];
	struct got g;

	(void)state;
	cfg.formats = OLD;
	snprintf(lines, sizeof(lines), "%s%s", releases, exit_old);
	d = play(&cfg, lines, &g);
	assert_false(swt_dat_source(d)->group_dead);
	assert_int_equal(g.nev, 4);
	assert_int_equal(g.ev[3].id, SWT_EV_SCHED_EXIT);
	assert_int_equal(g.ev[3].ts, 10101000000ull);
	assert_false(swt_event_has(&g.ev[3], SWT_F_SCHED_EXIT_GROUP_DEAD));
	assert_int_equal(g.ev[2].ts - g.ev[0].ts, 100000000ull);
	swt_dat_close(d);

	cfg.formats = NEW;
	snprintf(lines, sizeof(lines), "%s%s", exit_new, releases);
	d = play(&cfg, lines, &g);
	assert_true(swt_dat_source(d)->group_dead);
	assert_int_equal(g.nev, 4);
	assert_int_equal(g.ev[0].id, SWT_EV_SCHED_EXIT);
	assert_int_equal(g.ev[0].ts, 9999000000ull);
	assert_true(swt_event_has(&g.ev[0], SWT_F_SCHED_EXIT_GROUP_DEAD));
	assert_int_equal(g.ev[0].f[SWT_F_SCHED_EXIT_GROUP_DEAD], 1);
	assert_int_equal(g.ev[3].ts - g.ev[1].ts, 100000000ull);
	swt_dat_close(d);
}

/* rss_stat of a kernel with longs of @size bytes, ID 55 */
static void write_rss_format(const char *to, int size)
{
	char path[160], text[1024];
	int n;

	snprintf(path, sizeof(path), "%s/%s", dir, to);
	mkdir(path, 0700);
	n = snprintf(text, sizeof(text),
		     "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		     "\tfield: local_t commit;\toffset:8;\tsize:%d;\tsigned:1;\n"
		     "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		     "\tfield: char data;\toffset:%d;\tsize:%d;\tsigned:0;\n",
		     size, 8 + size, 4096 - 8 - size);
	snprintf(path, sizeof(path), "%s/%s/header_page", dir, to);
	datgen_save(path, text, (size_t)n);
	snprintf(path, sizeof(path), "%s/%s/kmem", dir, to);
	mkdir(path, 0700);
	n = snprintf(text, sizeof(text),
		     "name: rss_stat\nID: 55\nformat:\n"
		     "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		     "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		     "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		     "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
		     "\tfield:unsigned int mm_id;\toffset:8;\tsize:4;\tsigned:0;\n"
		     "\tfield:unsigned int curr;\toffset:12;\tsize:4;\tsigned:0;\n"
		     "\tfield:int member;\toffset:16;\tsize:4;\tsigned:1;\n"
		     "\tfield:long size;\toffset:%d;\tsize:%d;\tsigned:1;\n\n"
		     "print fmt: \"mm_id=%%u\", REC->mm_id\n",
		     size == 4 ? 20 : 24, size);
	snprintf(path, sizeof(path), "%s/%s/kmem/rss_stat", dir, to);
	datgen_save(path, text, (size_t)n);
}

/* Bytes of real machines; each holds the same event. */
static void test_other_machines(void **state)
{
	static const unsigned char arm[] = { 0x37, 0, 0, 0, 0x92, 0x10, 0, 0, 0x4d, 0x3c, 0x2b, 0x1a,
					     0,	   0, 0, 0, 2,	  0,	0, 0, 0,    0,	  0,	0x19 };
	static const unsigned char x86[] = { 0x37, 0, 0, 0, 0x92, 0x10, 0, 0, 0x4d, 0x3c, 0x2b,
					     0x1a, 0, 0, 0, 0,	  2,	0, 0, 0,    0,	  0,
					     0,	   0, 0, 0, 0,	  0x19, 0, 0, 0,    0 };
	static const unsigned char s390[] = { 0,    0x37, 0, 0, 0, 0, 0x10, 0x92, 0x1a, 0x2b, 0x3c,
					      0x4d, 0,	  0, 0, 0, 0, 0,    0,	  2,	0,    0,
					      0,    0,	  0, 0, 0, 0, 0x19, 0,	  0,	0 };
	static const unsigned char big_arm[] = { 0x37, 0, 0, 0, 0x92, 0x10, 0, 0, 0x4d, 0x3c, 0x2b, 0x1a,
						 0,    0, 0, 0, 2,    0,    0, 0, 0,	0,    0,    0xc0 };
	static const struct {
		const char *dir;
		bool big;
		int long_size;
		const unsigned char *rec;
		size_t len;
		int64_t size;
	} m[] = {
		{ "l32", false, 4, arm, sizeof(arm), 419430400 },
		{ "l64", false, 8, x86, sizeof(x86), 419430400 },
		{ "l64", true, 8, s390, sizeof(s390), 419430400 },
		{ "l32", false, 4, big_arm, sizeof(big_arm),
		  -1073741824 }, /* 3 GiB in a signed long of 4 bytes */
	};
	struct datgen_cfg cfg = { .ncpus = 1 };
	struct swt_dat *d;
	struct swt_sink sink;
	struct datgen *gen;
	char formats[96];
	struct got g;
	size_t i;

	(void)state;
	write_rss_format("l32", 4);
	write_rss_format("l64", 8);
	for (i = 0; i < sizeof(m) / sizeof(m[0]); i++) {
		snprintf(formats, sizeof(formats), "%s/%s", dir, m[i].dir);
		cfg.formats = formats;
		cfg.big_endian = m[i].big;
		cfg.long_size = m[i].long_size;
		gen = datgen_new(&cfg);
		pagegen_raw(datgen_ring(gen, 0, 0), 5000000001ull, m[i].rec, m[i].len);
		datgen_write(gen, file);
		datgen_free(gen);
		assert_int_equal(swt_dat_open(file, &d, NULL), 0);
		sink = sink_of(&g);
		assert_int_equal(swt_dat_run(d, UINT64_MAX, &sink), 0);
		assert_false(swt_dat_info(d)->cut);
		assert_int_equal(g.nev, 1);
		assert_int_equal(g.ev[0].id, SWT_EV_RSS_STAT);
		assert_int_equal(g.ev[0].ts, 5000000001ull);
		assert_int_equal(g.ev[0].task, 4242);
		assert_int_equal(g.ev[0].f[SWT_F_RSS_STAT_MM_ID], 439041101);
		assert_int_equal(g.ev[0].f[SWT_F_RSS_STAT_MEMBER], 2);
		assert_true(g.ev[0].f[SWT_F_RSS_STAT_SIZE] == m[i].size);
		swt_dat_close(d);
	}
}

/*
 * The pair of clocks travels with the recording: the wall time of an event follows from the file alone,
 * whatever day and time zone it is read on.
 */
static void test_wall_clock(void **state)
{
	struct datgen_cfg cfg = { .formats = NEW, .ncpus = 2 };
	uint64_t mono, real;
	struct swt_dat *d;
	struct got g;
	int zone;

	(void)state;
	for (zone = 0; zone < 2; zone++) {
		setenv("TZ", zone ? "Pacific/Kiritimati" : "UTC", 1);
		d = play(&cfg,
			 "@FILE 100.0 @anchor <<<100000000000 1700000000000000000\\n\n"
			 "h-600 [001] 103.25: sched_process_exit: comm=h pid=600 prio=120 group_dead=true\n"
			 "@FILE 200.0 @anchor <<<200000000000 1700000100000000000\\n\n",
			 &g);
		assert_int_equal(g.nfile, 2);
		assert_string_equal(g.path[0], "@anchor");
		assert_string_equal(g.path[1], "@anchor");
		assert_int_equal(g.file_ts[1], 200000000000ull);
		assert_int_equal(sscanf(g.text[0], "%" SCNu64 " %" SCNu64, &mono, &real), 2);
		assert_int_equal(g.ev[0].ts - mono + real, 1700000003250000000ull);
		assert_string_equal(swt_dat_source(d)->clock, "mono");
		swt_dat_close(d);
	}
	unsetenv("TZ");
}

static void test_two_buffers(void **state)
{
	struct datgen_cfg cfg = { .formats = NEW, .ncpus = 2, .buffers = 2 };
	struct swt_dat *d;
	struct got g;

	(void)state;
	d = play(&cfg,
		 "a-1 [000] 1.000: sched_process_exit: comm=a pid=1 prio=120 group_dead=true\n"
		 "a-1 [000] 1.001: rss_stat: mm_id=7 curr=0 type=MM_SWAPENTS size=4096B\n"
		 "b-2 [001] 1.002: sched_process_free: comm=b pid=2 prio=120\n"
		 "CPU:0 [LOST 57 EVENTS]\n"
		 "a-1 [000] 1.003: rss_stat: mm_id=7 curr=0 type=MM_SWAPENTS size=0B\n",
		 &g);
	assert_int_equal(g.nev, 4);
	assert_int_equal(g.ev[0].id, SWT_EV_SCHED_EXIT);
	assert_int_equal(g.ev[1].id, SWT_EV_RSS_STAT);
	assert_int_equal(g.ev[2].id, SWT_EV_SCHED_FREE);
	assert_int_equal(g.ev[2].cpu, 1);
	assert_int_equal(g.ev[3].id, SWT_EV_RSS_STAT);
	assert_int_equal(g.nlost, 1);
	assert_int_equal(g.lost[0].buffer, 1);
	assert_int_equal(g.lost[0].count, 57);
	assert_int_equal(g.lost[0].ts, 1003000000);
	assert_int_equal(g.lost[0].since, 1001000000);
	assert_int_equal(swt_dat_source(d)->ncpus, 2);
	assert_true(swt_dat_info(d)->first_ts.known);
	assert_int_equal(swt_dat_info(d)->first_ts.v, 1000000000);
	assert_true(swt_dat_info(d)->last_ts.known);
	assert_int_equal(swt_dat_info(d)->last_ts.v, 1003000000);
	assert_false(swt_dat_info(d)->cut);
	swt_dat_close(d);
}

static void test_options(void **state)
{
	struct datgen_cfg cfg = { .formats = NEW,
				  .ncpus = 3,
				  .clock = "boot",
				  .uname = "Linux phone 6.18.1 aarch64\x1b[31m",
				  .version = "3.1.6",
				  .cpustat = "entries: 0\noverrun: 5\ncommit overrun: 1000\nbytes: 0\n"
					     "dropped events: 2\nread events: 9\n" };
	struct swt_dat *d;
	struct got g;

	(void)state;
	d = play(&cfg, "", &g);
	assert_string_equal(swt_dat_source(d)->clock, "boot");
	assert_string_equal(swt_dat_info(d)->kernel, "Linux phone 6.18.1 aarch64?[31m");
	assert_string_equal(swt_dat_info(d)->trace_cmd, "3.1.6");
	assert_int_equal(swt_dat_info(d)->version, 6);
	assert_true(swt_dat_info(d)->recorded_lost.known);
	assert_int_equal(swt_dat_info(d)->recorded_lost.v, 21);
	assert_int_equal(swt_dat_source(d)->ncpus, 3);
	assert_false(swt_dat_info(d)->first_ts.known);
	assert_false(swt_dat_info(d)->last_ts.known);
	swt_dat_close(d);
}

/* The first version 6 files had no options at all: nothing is known, nothing is invented. */
static void test_no_options(void **state)
{
	struct datgen_cfg cfg = { .formats = OLD, .no_options = true };
	struct swt_dat *d;
	struct got g;

	(void)state;
	d = play(&cfg, "h-600 [000] 1.5: sched_process_exit: comm=h pid=600 prio=120\n", &g);
	assert_int_equal(g.nev, 1);
	assert_string_equal(swt_dat_source(d)->clock, "");
	assert_string_equal(swt_dat_info(d)->kernel, "");
	assert_false(swt_dat_info(d)->recorded_lost.known);
	assert_false(swt_dat_info(d)->cut);
	swt_dat_close(d);
}

static void test_source_and_level(void **state)
{
	static const char info[] =
		"@FILE 1.0 @info <<<schema swaptop-recording/1\\nlevel 3\\nsource stock\\nclock mono\\n\n";
	struct datgen_cfg cfg = { .formats = NEW };
	struct swt_err err = { "" };
	struct datgen *gen;
	struct swt_dat *d;
	struct got g;

	(void)state;
	d = play(&cfg, "", &g); /* rss_stat is described, nobody says for whom */
	assert_int_equal(swt_dat_source(d)->kind, SWT_SOURCE_STOCK);
	assert_int_equal(swt_dat_source(d)->level, 4);
	assert_int_equal(swt_dat_source(d)->state[SWT_EV_RSS_STAT], SWT_EV_HAVE);
	assert_int_equal(swt_dat_source(d)->state[SWT_EV_SWAP_EXIT_END], SWT_EV_MISSING);
	swt_dat_close(d);

	gen = datgen_new(&cfg); /* the recorder says: known at once, before anything is delivered */
	datgen_lines(gen, info);
	datgen_write(gen, file);
	datgen_free(gen);
	assert_int_equal(swt_dat_open(file, &d, &err), 0);
	assert_int_equal(swt_dat_source(d)->level, 3);
	swt_dat_close(d);

	cfg.formats = PATCHED;
	d = play(&cfg, "", &g);
	assert_int_equal(swt_dat_source(d)->kind, SWT_SOURCE_PATCHED);
	assert_int_equal(swt_dat_source(d)->state[SWT_EV_SWAP_EXIT_END], SWT_EV_HAVE);
	swt_dat_close(d);
}

static void test_stop_and_resume(void **state)
{
	struct datgen_cfg cfg = { .formats = NEW, .ncpus = 2 };
	struct swt_sink sink;
	struct swt_dat *d;
	struct got g;

	(void)state;
	swt_dat_close(play(&cfg,
			   "a-1 [000] 1.0: sched_process_free: comm=a pid=1 prio=120\n"
			   "a-1 [001] 2.0: sched_process_free: comm=a pid=2 prio=120\n"
			   "a-1 [000] 3.0: sched_process_free: comm=a pid=3 prio=120\n",
			   &g));
	assert_int_equal(swt_dat_open(file, &d, NULL), 0);
	sink = sink_of(&g);
	g.stop_after = 2;
	assert_int_equal(swt_dat_run(d, 1999999999, &sink), 0);
	assert_int_equal(g.nev, 1);
	assert_false(swt_dat_info(d)->last_ts.known);
	assert_int_equal(swt_dat_run(d, UINT64_MAX, &sink), 7);
	assert_int_equal(g.nev, 2);
	assert_int_equal(swt_dat_run(d, UINT64_MAX, &sink), 0);
	assert_int_equal(g.nev, 3);
	assert_int_equal(g.ev[2].f[SWT_F_SCHED_FREE_PID], 3);
	swt_dat_close(d);
}

/* A kernel's own pages.  The number of events is trace-cmd's. */
static void test_real(void **state)
{
	static const char *const names[] = { "tests/fixtures/dat/real-v6.dat",
					     "tests/fixtures/dat/real-v7.dat" };
	const char *src = getenv("SWT_SRCDIR");
	uint64_t last[2] = { 0, 0 };
	struct swt_sink sink;
	struct swt_err err;
	struct swt_dat *d;
	char path[4096];
	struct got g;
	int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s%s%s", src ? src : "", src ? "/" : "", names[i]);
		err.text[0] = '\0';
		if (swt_dat_open(path, &d, &err))
			fail_msg("%s", err.text);
		assert_int_equal(swt_dat_info(d)->version, 6 + i);
		assert_string_equal(swt_dat_source(d)->clock, "mono");
		assert_true(swt_dat_source(d)->group_dead);
		assert_int_equal(swt_dat_source(d)->ncpus, 2);
		assert_string_equal(swt_dat_info(d)->kernel, "Linux box 6.18.44 x86_64");
		sink = sink_of(&g);
		assert_int_equal(swt_dat_run(d, UINT64_MAX, &sink), 0);
		assert_int_equal(g.nev, 190);
		assert_int_equal(swt_dat_stats(d)->events, 190);
		assert_int_equal(g.nlost, 0);
		assert_false(swt_dat_info(d)->cut);
		assert_string_equal(
			swt_formats_symbol(swt_dat_formats(d), SWT_EV_RSS_STAT, SWT_F_RSS_STAT_MEMBER, 2),
			"MM_SWAPENTS");
		last[i] = swt_dat_info(d)->last_ts.v;
		swt_dat_close(d);
	}
	assert_true(last[0] && last[0] == last[1]);
}

static void refuse(const char *path, int want)
{
	struct swt_err err = { "" };
	struct swt_dat *d = NULL;

	assert_int_equal(swt_dat_open(path, &d, &err), want);
	assert_null(d);
	assert_non_null(strstr(err.text, path));
}

static void test_refused(void **state)
{
	struct datgen_cfg cfg = { .formats = NEW, .latency = true };
	struct datgen *gen = datgen_new(&cfg);
	struct datgen_image im;

	(void)state;
	refuse("/nonexistent/x.dat", -ENOENT);
	refuse(dir, -EISDIR);
	datgen_save(file, "", 0);
	refuse(file, -EBADMSG);
	datgen_save(file, "trace-cmd is not this\n", 22);
	refuse(file, -EBADMSG);
	datgen_write(gen, file);
	refuse(file, -EOPNOTSUPP); /* text of a latency tracer */
	datgen_image(gen, &im);
	datgen_free(gen);
	im.data[10] = '8';
	datgen_save(file, im.data, im.len);
	refuse(file, -EOPNOTSUPP); /* a later version */
	im.data[10] = '6';
	im.data[13] = 16;
	datgen_save(file, im.data, im.len);
	refuse(file, -EBADMSG); /* longs of 16 bytes */
	free(im.data);
	unlink(file);
	assert_int_equal(mkfifo(file, 0600), 0);
	refuse(file, -EINVAL); /* and does not wait for somebody to write into it */
	unlink(file);
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
	char cmd[128];

	(void)state;
	snprintf(cmd, sizeof(cmd), "rm -rf '%s'", dir);
	return system(cmd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exit_side),
		cmocka_unit_test(test_other_machines),
		cmocka_unit_test(test_wall_clock),
		cmocka_unit_test(test_two_buffers),
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_no_options),
		cmocka_unit_test(test_source_and_level),
		cmocka_unit_test(test_stop_and_resume),
		cmocka_unit_test(test_real),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
