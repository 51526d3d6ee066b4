/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The live source against the running kernel.  TAP; needs root and tracefs, else all is skipped.
 *
 * Only things that hold on a busy machine are asserted: which events come, in which order, and what tracefs looks like.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "trace/live.h"
#include "trace/tracefs.h"

static int count, failed;
static struct swt_root *root;
static struct swt_buf tracefs;
static char last_log[1024];

static void ok(int good, const char *fmt, ...) SWT_PRINTF(2, 3);
static void ok(int good, const char *fmt, ...)
{
	va_list ap;

	printf("%sok %d - ", good ? "" : "not ", ++count);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	fflush(stdout);
	failed += !good;
}

static void skip(const char *what, const char *why)
{
	printf("ok %d - %s # SKIP %s\n", ++count, what, why);
}

static void die(const char *what, const char *why)
{
	printf("Bail out! %s: %s\n", what, why);
	exit(1);
}

static void to_diag(void *arg, enum swt_log_level level, const char *msg)
{
	(void)arg;
	(void)level;
	snprintf(last_log, sizeof(last_log), "%s", msg);
	printf("# %s\n", msg);
}

static const struct swt_log diag = { to_diag, NULL };

static struct swt_live *open_live(int level, uint64_t bytes, enum swt_watch_how how)
{
	struct swt_live_cfg cfg = {
		.root = root,
		.clock = swt_clock_system(),
		.log = &diag,
		.tracefs = tracefs.s,
		.level = level,
		.want = -1,
		.rings_bytes = bytes,
		.watch = how,
	};
	struct swt_err err = { "" };
	struct swt_live *l = NULL;

	if (swt_live_open(&cfg, &l, &err))
		die("swt_live_open", err.text);
	return l;
}

static void ms(long n)
{
	struct timespec t = { n / 1000, n % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

/* What came, in order: of one TID, or of all. */
struct seen {
	pid_t tid; /* 0: all */
	unsigned int n[SWT_EV_COUNT];
	uint64_t first[SWT_EV_COUNT], last[SWT_EV_COUNT];
	uint64_t at, back; /* order */
	uint64_t lost_calls, files;
	unsigned int rss_dying;
	char file[64];
};

static int see(void *arg, const struct swt_event *ev)
{
	struct seen *s = arg;
	pid_t of = ev->task;

	if (ev->ts < s->at)
		s->back++;
	s->at = ev->ts;
	if (ev->id == SWT_EV_SCHED_FREE)
		of = (pid_t)ev->f[SWT_F_SCHED_FREE_PID];
	if (s->tid && of != s->tid)
		return 0;
	if (!s->n[ev->id]++)
		s->first[ev->id] = ev->ts;
	s->last[ev->id] = ev->ts;
	if (ev->id == SWT_EV_RSS_STAT && !ev->f[SWT_F_RSS_STAT_CURR])
		s->rss_dying++;
	return 0;
}

static int see_lost(void *arg, const struct swt_lost *lost)
{
	(void)lost;
	((struct seen *)arg)->lost_calls++;
	return 0;
}

static int see_file(void *arg, uint64_t ts, const char *path, const char *text, size_t len)
{
	struct seen *s = arg;

	(void)ts;
	s->files++;
	snprintf(s->file, sizeof(s->file), "%s=%.*s", path, (int)len, text);
	return 0;
}

static struct swt_sink sink_of(struct seen *s)
{
	return (struct swt_sink){ .arg = s, .event = see, .lost = see_lost, .file = see_file };
}

/* A child that waits for a byte, touches memory, exits. */
static pid_t child(int *go, size_t bytes)
{
	int p[2], up[2];
	char c = 0;
	pid_t pid;

	if (pipe(p) || pipe(up))
		die("pipe", strerror(errno));
	pid = fork();
	if (!pid) {
		char *m = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		close(p[1]);
		memset(m, 1, bytes);
		if (write(up[1], &c, 1) != 1 || read(p[0], &c, 1) < 0)
			_exit(1);
		_exit(0);
	}
	close(p[0]);
	close(up[1]);
	if (read(up[0], &c, 1) != 1)
		die("child", "did not start");
	close(up[0]);
	*go = p[1];
	return pid;
}

static void let_go(int go, pid_t pid)
{
	/* A byte: other children have the pipe too, so closing it says nothing. */
	if (write(go, "", 1) != 1)
		die("child", "is gone");
	close(go);
	waitpid(pid, NULL, 0);
}

static int drain(struct swt_live *l, struct seen *s)
{
	struct swt_sink sink = sink_of(s);

	return swt_live_drain(l, &sink, NULL, false);
}

static int finish(struct swt_live *l, struct seen *s)
{
	struct swt_sink sink = sink_of(s);

	ms(50); /* freeing a task waits for a grace period */
	swt_live_stop(l);
	return swt_live_drain(l, &sink, NULL, true);
}

static void test_order(void)
{
	struct swt_live *l = open_live(1, 0, SWT_WATCH_AUTO);
	const struct swt_source_info *info = swt_live_info(l);
	struct seen s = { 0 };
	struct swt_loss loss;
	int go, rc;

	s.tid = child(&go, 1 << 20);
	let_go(go, s.tid);
	ms(300);
	ok(finish(l, &s) == 0, "level 1: drained");
	ok(!strcmp(info->clock, "mono"), "clock is mono");
	ok(info->rings_bytes >= 16u << 20, "rings have 16 MiB or more: %llu",
	   (unsigned long long)info->rings_bytes);
	ok(info->state[SWT_EV_RSS_STAT] == SWT_EV_UNUSED, "rss_stat is not used at level 1");
	ok(s.n[SWT_EV_SCHED_EXIT] == 1 && s.n[SWT_EV_EXIT_MMAP] == 1 && s.n[SWT_EV_SCHED_FREE] == 1,
	   "exit, exit_mmap and free of a child are seen once: %u %u %u", s.n[SWT_EV_SCHED_EXIT],
	   s.n[SWT_EV_EXIT_MMAP], s.n[SWT_EV_SCHED_FREE]);
	if (info->group_dead)
		ok(s.first[SWT_EV_SCHED_EXIT] < s.first[SWT_EV_EXIT_MMAP] &&
			   s.first[SWT_EV_EXIT_MMAP] < s.first[SWT_EV_SCHED_FREE],
		   "in the order exit, exit_mmap, free");
	else
		ok(s.first[SWT_EV_EXIT_MMAP] < s.first[SWT_EV_SCHED_EXIT] &&
			   s.first[SWT_EV_SCHED_EXIT] < s.first[SWT_EV_SCHED_FREE],
		   "in the order exit_mmap, exit, free");
	ok(s.n[SWT_EV_SIGNAL_GENERATE] == 1, "the parent is told once (SIGCHLD)");
	ok(s.back == 0, "times never go back");
	rc = swt_live_loss(l, &loss);
	ok(!rc && loss.lost == 0 && loss.complete, "nothing lost");
	ok(swt_live_events(l) >= 4, "events are counted: %llu", (unsigned long long)swt_live_events(l));
	swt_live_close(l);
}

static void test_mark(void)
{
	struct swt_live *l = open_live(1, 0, SWT_WATCH_AUTO);
	struct seen s = { 0 };
	int rc;

	ok(!swt_live_mark(l, "/proc/test", "hello", 5), "a sample is written");
	rc = finish(l, &s);
	ok(!rc && s.files == 1 && !strcmp(s.file, "/proc/test=hello"), "and comes back: '%s'", s.file);
	swt_live_close(l);
}

/* Rings of the smallest size, and more events than fit. */
static void test_loss(void)
{
	struct swt_live *l = open_live(1, 7168, SWT_WATCH_AUTO);
	struct seen s = { 0 };
	struct swt_loss loss;
	int rc;

	for (int i = 0; i < 400; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
	rc = swt_live_loss(l, &loss);
	ok(!rc && loss.lost > 0 && !loss.complete && loss.unread > 0,
	   "a small ring loses, seen by the counters before anything is read: lost %llu, unread %llu",
	   (unsigned long long)loss.lost, (unsigned long long)loss.unread);
	finish(l, &s);
	rc = swt_live_loss(l, &loss);
	ok(!rc && loss.lost > 0 && loss.unread == 0, "after the last drain nothing is unread");
	ok(s.lost_calls > 0, "the gap is told to the sink");
	swt_live_close(l);
}

static void test_watch(enum swt_watch_how how, const char *name)
{
	struct swt_live *l = open_live(3, 0, how);
	struct seen a = { 0 };
	struct swt_sink sink = sink_of(&a);
	pid_t b;
	int ga, gb;

	a.tid = child(&ga, 8 << 20);
	b = child(&gb, 8 << 20);
	ok(swt_live_watch_free(l) == 8192, "%s: room for 8192", name);
	ok(!swt_live_watched(l, a.tid), "%s: not watched before", name);
	ok(!swt_live_watch(l, &a.tid, 1) && !swt_live_watch_now(l) && swt_live_watched(l, a.tid) &&
		   !swt_live_watched(l, b),
	   "%s: one is watched", name);
	ok(swt_live_watch_free(l) == 8191, "%s: room for one less", name);
	/* The unwatched one first: while a watched one dies an armed event is on for all. */
	let_go(gb, b);
	let_go(ga, a.tid);
	ms(50);
	swt_live_stop(l);
	ok(!swt_live_drain(l, &sink, NULL, true), "%s: drained", name);
	ok(a.n[SWT_EV_EXIT_MMAP] == 1 && a.rss_dying > 4, "%s: rss_stat of the watched one: %u while dying",
	   name, a.rss_dying);
	ok(a.n[SWT_EV_RSS_STAT] && a.last[SWT_EV_RSS_STAT] < a.last[SWT_EV_EXIT_MMAP],
	   "%s: before its exit_mmap", name);
	ok(!swt_live_watched(l, a.tid) && swt_live_watch_free(l) == 8192, "%s: a freed task leaves the list",
	   name);
	swt_live_close(l);
}

static void test_unwatched(enum swt_watch_how how, const char *name)
{
	struct swt_live *l = open_live(3, 0, how);
	struct seen b = { 0 };
	pid_t idle;
	int gi, gb;

	idle = child(&gi, 1 << 20);
	b.tid = child(&gb, 8 << 20);
	swt_live_watch(l, &idle, 1);
	swt_live_watch_now(l);
	let_go(gb, b.tid);
	finish(l, &b);
	ok(b.n[SWT_EV_EXIT_MMAP] == 1 && b.n[SWT_EV_RSS_STAT] == 0, "%s: an unwatched one makes no rss_stat",
	   name);
	let_go(gi, idle);
	swt_live_close(l);
}

/* A watched task that dies after rss_stat went back to sleep, and lists that change in between. */
static void test_again(enum swt_watch_how how, const char *name)
{
	struct swt_live *l = open_live(3, 0, how);
	struct seen s[3] = { { 0 } };
	struct seen all = { 0 };
	pid_t tid[3];
	int go[3];

	for (int i = 0; i < 3; i++)
		tid[i] = child(&go[i], 4 << 20);
	for (int i = 0; i < 3; i++) {
		swt_live_watch(l, &tid[i], 1);
		for (int k = 0; k < 14 || (!swt_live_watched(l, tid[i]) && k < 100); k++) {
			drain(l, &all);
			ms(100);
		}
		memset(&s[i], 0, sizeof(s[i]));
		s[i].tid = tid[i];
		let_go(go[i], tid[i]);
		for (int k = 0; k < 4; k++) {
			drain(l, &s[i]);
			ms(100);
		}
	}
	ok(s[0].rss_dying > 4 && s[1].rss_dying > 4 && s[2].rss_dying > 4,
	   "%s: three after each other are all seen: %u %u %u", name, s[0].rss_dying, s[1].rss_dying,
	   s[2].rss_dying);
	swt_live_close(l);
}

/* Where a trigger can wake rss_stat, it must sleep between exits: everybody would pay. */
static void test_sleeping(void)
{
	struct swt_live *l = open_live(3, 0, SWT_WATCH_AUTO);
	struct swt_buf b = SWT_BUF_INIT, name = SWT_BUF_INIT;
	struct seen all = { 0 };
	char path[700];
	pid_t pid;
	int go;

	if (!swt_live_info(l)->group_dead) {
		skip("rss_stat sleeps", "no group_dead in this kernel");
		swt_live_close(l);
		return;
	}
	swt_tracefs_instance_name(root, &name);
	snprintf(path, sizeof(path), "%s/instances/%s.rss/events/kmem/rss_stat/enable", tracefs.s, name.s);
	swt_root_read(root, path, &b);
	ok(!strcmp(swt_buf_str(&b), "0\n"), "rss_stat is off while nothing is watched");
	pid = child(&go, 4 << 20);
	swt_live_watch(l, &pid, 1);
	swt_live_watch_now(l);
	swt_root_read(root, path, &b);
	ok(!strcmp(swt_buf_str(&b), "0*\n"), "and asleep while a watched task lives");
	let_go(go, pid);
	swt_root_read(root, path, &b);
	ok(!strcmp(swt_buf_str(&b), "1*\n"), "its exit wakes it");
	for (int k = 0; k < 100 && strcmp(swt_buf_str(&b), "0\n"); k++) {
		drain(l, &all);
		ms(20);
		swt_root_read(root, path, &b);
	}
	ok(!strcmp(swt_buf_str(&b), "0\n"), "and it is off again when the task has been freed");
	swt_live_close(l);
	swt_buf_free(&b);
	swt_buf_free(&name);
}

static void test_two(void)
{
	struct swt_live *l1 = open_live(1, 0, SWT_WATCH_AUTO), *l2 = open_live(3, 0, SWT_WATCH_AUTO);
	struct seen s1 = { 0 }, s2 = { 0 };
	pid_t pid;
	int go;

	pid = child(&go, 1 << 20);
	s1.tid = s2.tid = pid;
	let_go(go, pid);
	finish(l1, &s1);
	swt_live_close(l1);
	finish(l2, &s2);
	ok(s1.n[SWT_EV_EXIT_MMAP] == 1 && s2.n[SWT_EV_EXIT_MMAP] == 1,
	   "two sources at once both see an exit");
	swt_live_close(l2);
}

/* Names and settings that must be as found. */
static int add_name(void *arg, const char *name)
{
	return swt_buf_addf(arg, "instance %s\n", name);
}

static int by_line(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void snapshot(struct swt_buf *out, const char *only)
{
	static const char *const files[] = { "trace_clock",
					     "buffer_size_kb",
					     "set_event",
					     "set_event_pid",
					     "tracing_on",
					     "trace_options",
					     "current_tracer",
					     "events/enable",
					     "set_event_notrace_pid",
					     "dynamic_events",
					     "events/sched/sched_process_exit/trigger" };
	struct swt_buf names = SWT_BUF_INIT, b = SWT_BUF_INIT;
	char path[512], *line[256] = { NULL }, *save = NULL;
	size_t n = 0;

	swt_buf_reset(out);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", tracefs.s, files[i]);
		swt_root_read(root, path, &b);
		swt_buf_addf(out, "%s: %s\n", files[i], swt_buf_str(&b));
	}
	snprintf(path, sizeof(path), "%s/instances", tracefs.s);
	swt_root_each(root, path, add_name, &names);
	for (char *p = names.len ? strtok_r(names.s, "\n", &save) : NULL; p && n < 256;
	     p = strtok_r(NULL, "\n", &save))
		if (strstr(p, only))
			line[n++] = p;
	qsort(line, n, sizeof(*line), by_line);
	for (size_t i = 0; i < n; i++)
		swt_buf_addf(out, "%s\n", line[i]);
	swt_buf_free(&names);
	swt_buf_free(&b);
}

/* Open a source in a child and leave it there; the pid. */
static pid_t owner(int *go)
{
	int up[2], down[2];
	char c = 0;
	pid_t pid;

	if (pipe(up) || pipe(down))
		die("pipe", strerror(errno));
	pid = fork();
	if (!pid) {
		struct swt_live *l = open_live(3, 0, SWT_WATCH_AUTO);
		pid_t me = getpid();

		close(down[1]);
		swt_live_watch(l, &me, 1);
		swt_live_watch_now(l);
		if (write(up[1], &c, 1) != 1 || read(down[0], &c, 1) < 0)
			_exit(1);
		swt_live_close(l);
		_exit(0);
	}
	close(down[0]);
	close(up[1]);
	if (read(up[0], &c, 1) != 1)
		die("owner", "did not start");
	close(up[0]);
	*go = down[1];
	return pid;
}

static int instances_of(pid_t pid)
{
	struct swt_buf b = SWT_BUF_INIT;
	char want[32];
	int n = 0;

	snprintf(want, sizeof(want), "swaptop.%d.", (int)pid);
	snapshot(&b, want);
	for (const char *p = b.s; (p = strstr(p, "\ninstance ")); p++)
		n++;
	swt_buf_free(&b);
	return n;
}

static void test_clean(void)
{
	struct swt_buf before = SWT_BUF_INIT, after = SWT_BUF_INIT;
	char mine[32];
	pid_t dead, alive;
	int gd, ga;

	snprintf(mine, sizeof(mine), "swaptop.%d.", (int)getpid());
	snapshot(&before, mine);
	swt_live_close(open_live(3, 0, SWT_WATCH_AUTO));
	snapshot(&after, mine);
	ok(!strcmp(before.s, after.s), "tracefs is as found after a normal end");

	dead = owner(&gd);
	alive = owner(&ga);
	ok(instances_of(dead) == 2 && instances_of(alive) == 2, "two owners have two instances each");
	kill(dead, SIGKILL);
	waitpid(dead, NULL, 0);
	ok(instances_of(dead) == 2, "a killed one leaves its instances");
	swt_live_close(open_live(1, 0, SWT_WATCH_AUTO));
	ok(instances_of(dead) == 0, "the next start removes them");
	ok(instances_of(alive) == 2, "and leaves those of a living one");
	close(gd);
	let_go(ga, alive);
	snapshot(&after, mine);
	ok(!strcmp(before.s, after.s), "tracefs is as found after kill -9 and the next start");
	swt_buf_free(&before);
	swt_buf_free(&after);
}

static void test_busy(void)
{
	struct swt_live *l = open_live(1, 0, SWT_WATCH_AUTO);
	struct swt_buf name = SWT_BUF_INIT;
	char path[600];
	int up[2], down[2];
	char c = 0;
	pid_t pid;

	swt_tracefs_instance_name(root, &name);
	snprintf(path, sizeof(path), "%s/instances/%s/trace_clock", tracefs.s, name.s);
	if (pipe(up) || pipe(down))
		die("pipe", strerror(errno));
	pid = fork();
	if (!pid) {
		close(down[1]);
		if (open(path, O_RDONLY) < 0 || write(up[1], &c, 1) != 1 || read(down[0], &c, 1) < 0)
			_exit(1);
		_exit(0);
	}
	close(down[0]);
	if (read(up[0], &c, 1) != 1)
		die("holder", "did not start");
	last_log[0] = '\0';
	swt_live_close(l);
	snprintf(path, sizeof(path), "(pid %d)", (int)pid);
	ok(strstr(last_log, path) != NULL, "an instance that is held open is named with its holder");
	close(down[1]);
	waitpid(pid, NULL, 0);
	/* Its name is ours and we live, so only we may remove it. */
	snprintf(path, sizeof(path), "%s/instances/%s", tracefs.s, name.s);
	ok(!rmdir(path), "and is left switched off");
	swt_buf_free(&name);
	close(up[0]);
	close(up[1]);
}

static void test_trace_cmd(void)
{
	struct seen s = { 0 };
	struct swt_live *l;
	char path[512];
	pid_t tc, pid;
	int go, st = -1;

	if (access("/usr/bin/trace-cmd", X_OK)) {
		skip("beside trace-cmd", "no trace-cmd");
		return;
	}
	tc = fork();
	if (!tc) {
		int null = open("/dev/null", O_WRONLY);

		dup2(null, 1);
		dup2(null, 2);
		execl("/usr/bin/trace-cmd", "trace-cmd", "record", "-q", "-B", "swttest", "-e",
		      "sched:sched_process_exit", "-o", "/dev/null", "sleep", "1", (char *)NULL);
		_exit(127);
	}
	ms(500);
	l = open_live(3, 0, SWT_WATCH_AUTO);
	s.tid = pid = child(&go, 1 << 20);
	let_go(go, pid);
	finish(l, &s);
	swt_live_close(l);
	waitpid(tc, &st, 0);
	if (!WIFEXITED(st) || WEXITSTATUS(st))
		skip("beside trace-cmd", "trace-cmd does not work here");
	else
		ok(s.n[SWT_EV_EXIT_MMAP] == 1, "beside trace-cmd an exit is seen");
	snprintf(path, sizeof(path), "%s/instances/swttest", tracefs.s);
	rmdir(path); /* trace-cmd leaves it behind */
}

static void test_wanted(void)
{
	struct swt_live_cfg cfg = { .root = root,
				    .clock = swt_clock_system(),
				    .tracefs = tracefs.s,
				    .level = -1,
				    .want = SWT_SOURCE_PATCHED };
	struct swt_err err = { "" };
	struct swt_live *l = NULL;
	int rc = swt_live_open(&cfg, &l, &err);

	if (!rc)
		ok(swt_live_info(l)->kind == SWT_SOURCE_PATCHED, "patched: there");
	else
		ok(rc == -EOPNOTSUPP && strstr(err.text, "swap_exit_end"),
		   "patched: refused on a stock kernel: %s", err.text);
	swt_live_close(l);
}

int main(void)
{
	struct swt_err err = { "" };
	int rc = swt_root_new(NULL, &root);

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!rc)
		rc = swt_tracefs_find(root, &tracefs, &err);
	if (rc || geteuid()) {
		printf("1..0 # SKIP %s\n", rc ? err.text : "needs root");
		return 0;
	}
	test_order();
	test_mark();
	test_loss();
	test_watch(SWT_WATCH_LIST, "list");
	test_unwatched(SWT_WATCH_LIST, "list");
	test_again(SWT_WATCH_LIST, "list");
	test_watch(SWT_WATCH_AUTO, "auto");
	test_unwatched(SWT_WATCH_AUTO, "auto");
	test_again(SWT_WATCH_AUTO, "auto");
	test_sleeping();
	test_two();
	test_busy();
	test_trace_cmd();
	test_wanted();
	test_clean();
	printf("1..%d\n", count);
	swt_buf_free(&tracefs);
	swt_root_free(root);
	return failed != 0;
}
