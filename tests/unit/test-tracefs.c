/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tracefs below a sysroot: finding it, rights, sweep, and the live source on a made tree.
 *
 * The kernel's part is played here: this program's own mkdirat(), unlinkat() and write() stand before libc's.  A new
 * directory in "instances" gets the files of the top level, trace_clock answers with brackets, ring sizes with
 * what a test wants.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "trace/arm.h"
#include "trace/instance.h"
#include "trace/live-priv.h"
#include "trace/live.h"
#include "trace/tracefs.h"

#define CLOCKS "[local] global counter uptime perf mono mono_raw boot tai x86-tsc\n"

static char top[PATH_MAX]; /* the sysroot */
static struct {
	bool on;	    /* write() plays the kernel */
	long size_add;	    /* added to a ring size */
	long size_fixed;    /* -1: none */
	const char *refuse; /* a write to a path that ends so fails with refuse_errno */
	int refuse_errno;
	char log[4096];	    /* what the code logged */
	char writes[65536]; /* "path=text\n", path from "instances/" on */
	int busy;	    /* removing fails with EBUSY */
} fake;

/* ---- the tree ---- */

static void put(const char *path, const char *text)
{
	char full[PATH_MAX * 2];
	FILE *f;

	snprintf(full, sizeof(full), "%s%s", top, path);
	for (char *p = full + strlen(top) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		syscall(SYS_mkdirat, AT_FDCWD, full, 0755);
		*p = '/';
	}
	f = fopen(full, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	fclose(f);
}

static void remove_tree(const char *dir)
{
	char path[PATH_MAX * 2];
	struct dirent *de;
	DIR *d = opendir(dir);

	while (d && (de = readdir(d))) {
		if (!strcmp(de->d_name, ".") || !strcmp(de->d_name, ".."))
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, de->d_name);
		if (syscall(SYS_unlinkat, AT_FDCWD, path, 0))
			remove_tree(path);
	}
	if (d)
		closedir(d);
	syscall(SYS_unlinkat, AT_FDCWD, dir, AT_REMOVEDIR);
}

static bool exists(const char *path)
{
	char full[PATH_MAX * 2];

	snprintf(full, sizeof(full), "%s%s", top, path);
	return !access(full, F_OK);
}

static void cut(const char *path)
{
	char full[PATH_MAX * 2];

	snprintf(full, sizeof(full), "%s%s", top, path);
	remove_tree(full);
}

static void put_event(const char *system, const char *name, int id, const char *fields)
{
	char path[256], text[2048];

	snprintf(path, sizeof(path), "/sys/kernel/tracing/events/%s/%s/format", system, name);
	snprintf(text, sizeof(text),
		 "name: %s\nID: %d\nformat:\n"
		 "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		 "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		 "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
		 "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n%s\nprint fmt: \"\"\n",
		 name, id, fields);
	put(path, text);
}

/* Every event of the catalogue, each with one plain field. */
static void put_tracefs(bool patched, bool group_dead)
{
	put("/sys/kernel/tracing/trace_clock", CLOCKS);
	put("/sys/kernel/tracing/events/enable", "0\n");
	put("/sys/kernel/tracing/instances/other/trace_clock", CLOCKS);
	put("/sys/kernel/tracing/events/header_page",
	    "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	    "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
	    "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
	    "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n");
	for (int i = 0; i < SWT_EV_COUNT; i++) {
		const struct swt_event_desc *d = swt_catalog((enum swt_ev)i);

		if (d->source == SWT_EVS_PATCH && !patched)
			continue;
		put_event(d->system, d->name, 100 + i,
			  i == SWT_EV_SCHED_EXIT && group_dead
				  ? "\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n"
				    "\tfield:bool group_dead;\toffset:12;\tsize:1;\tsigned:0;\n"
				  : "\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n");
	}
	put("/proc/self/stat", "77 (swap) top) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 5555 0 0\n");
	put("/proc/77/stat", "77 (swap) top) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 5555 0 0\n");
	put("/proc/self/mounts", "proc /proc proc rw 0 0\ntracefs /sys/kernel/tracing tracefs rw 0 0\n");
	put("/proc/filesystems", "nodev\tproc\nnodev\ttracefs\n");
}

/* ---- the kernel's part ---- */

static void fd_path(int dirfd, char *path)
{
	char link[64];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", dirfd);
	n = readlink(link, path, PATH_MAX - 1);
	path[n > 0 ? n : 0] = '\0';
}

static void fill_instance(const char *dir)
{
	static const char *const files[] = { "trace_clock",
					     "buffer_size_kb",
					     "tracing_on",
					     "set_event_pid",
					     "trace_marker_raw",
					     "options/record-cmd",
					     "events/enable",
					     "events/sched/sched_process_exit/trigger",
					     "per_cpu/cpu0/trace_pipe_raw",
					     "per_cpu/cpu1/trace_pipe_raw" };
	const char *rel = dir + strlen(top);
	char path[PATH_MAX * 2];

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", rel, files[i]);
		put(path, i ? "" : CLOCKS);
	}
	for (unsigned int cpu = 0; cpu < 2; cpu++) {
		snprintf(path, sizeof(path), "%s/per_cpu/cpu%u/stats", rel, cpu);
		put(path,
		    "entries: 3\noverrun: 5\ncommit overrun: 1\nbytes: 9\noldest event ts:     0.000000\n"
		    "now ts:    12.345678\ndropped events: 2\nread events: 7\n");
	}
	for (int i = 0; i < SWT_EV_COUNT; i++) {
		const struct swt_event_desc *d = swt_catalog((enum swt_ev)i);
		char format[128];

		snprintf(format, sizeof(format), "/sys/kernel/tracing/events/%s/%s", d->system, d->name);
		if (!exists(format))
			continue;
		snprintf(path, sizeof(path), "%s/events/%s/%s/enable", rel, d->system, d->name);
		put(path, "0\n");
		snprintf(path, sizeof(path), "%s/events/%s/%s/filter", rel, d->system, d->name);
		put(path, "none\n");
	}
}

int mkdirat(int dirfd, const char *name, mode_t mode)
{
	char path[PATH_MAX * 2];
	int rc = (int)syscall(SYS_mkdirat, dirfd, name, mode);

	if (!rc) {
		fd_path(dirfd, path);
		snprintf(path + strlen(path), PATH_MAX, "/%s", name);
		fill_instance(path);
	}
	return rc;
}

int unlinkat(int dirfd, const char *name, int flags)
{
	char path[PATH_MAX * 2];

	if (fake.busy) {
		errno = EBUSY;
		return -1;
	}
	fd_path(dirfd, path);
	snprintf(path + strlen(path), PATH_MAX, "/%s", name);
	if (access(path, F_OK))
		return -1;
	if (flags & AT_REMOVEDIR)
		remove_tree(path);
	return 0;
}

static bool ends(const char *s, const char *with)
{
	size_t a = strlen(s), b = strlen(with);

	return a >= b && !strcmp(s + a - b, with);
}

static ssize_t real_write(int fd, const void *buf, size_t len)
{
	return (ssize_t)syscall(SYS_write, fd, buf, len);
}

ssize_t write(int fd, const void *buf, size_t len)
{
	char path[PATH_MAX], text[64];
	const char *in;
	size_t used;

	fd_path(fd, path);
	in = strstr(path, "/instances/");
	if (!fake.on || !in)
		return real_write(fd, buf, len);
	if (fake.refuse && ends(path, fake.refuse)) {
		errno = fake.refuse_errno;
		return -1;
	}
	used = strlen(fake.writes);
	snprintf(fake.writes + used, sizeof(fake.writes) - used, "%s=%.*s\n", in + 1, (int)len,
		 (const char *)buf);
	if (ends(path, "/trace_clock")) {
		snprintf(text, sizeof(text), "local global [%.*s] boot\n", (int)len, (const char *)buf);
		real_write(fd, text, strlen(text));
	} else if (ends(path, "/buffer_size_kb")) {
		snprintf(text, sizeof(text), "%ld\n",
			 fake.size_fixed >= 0 ? fake.size_fixed : atol(buf) + fake.size_add);
		real_write(fd, text, strlen(text));
	} else {
		real_write(fd, buf, len);
	}
	return (ssize_t)len;
}

static void to_log(void *arg, enum swt_log_level level, const char *msg)
{
	size_t used = strlen(fake.log);

	(void)arg;
	snprintf(fake.log + used, sizeof(fake.log) - used, "%d %s\n", (int)level, msg);
}

static const struct swt_log logger = { to_log, NULL };

static int setup(void **state)
{
	struct swt_root *root;

	snprintf(top, sizeof(top), "/tmp/swt-tracefs.XXXXXX");
	assert_non_null(mkdtemp(top));
	memset(&fake, 0, sizeof(fake));
	fake.size_fixed = -1;
	fake.on = true;
	assert_int_equal(swt_root_new(top, &root), 0);
	*state = root;
	return 0;
}

static int teardown(void **state)
{
	swt_root_free(*state);
	remove_tree(top);
	return 0;
}

/* ---- finding (F48) ---- */

static void find(struct swt_root *root, int rc, const char *want)
{
	struct swt_buf path = SWT_BUF_INIT;
	struct swt_err err = { "" };

	assert_int_equal(swt_tracefs_find(root, &path, &err), rc);
	if (rc)
		assert_non_null(strstr(err.text, want));
	else
		assert_string_equal(swt_buf_str(&path), want);
	swt_buf_free(&path);
}

static void find_tracefs_in_mount_table(void **state)
{
	put("/proc/self/mounts", "tracefs /sys/kernel/tracing tracefs rw 0 0\n");
	put("/sys/kernel/tracing/trace_clock", CLOCKS);
	find(*state, 0, "/sys/kernel/tracing");
}

static void find_below_debugfs_only(void **state)
{
	put("/proc/self/mounts", "debugfs /sys/kernel/debug debugfs rw 0 0\n");
	put("/sys/kernel/debug/tracing/trace_clock", CLOCKS);
	find(*state, 0, "/sys/kernel/debug/tracing");
}

static void find_at_another_place(void **state)
{
	put("/proc/self/mounts", "none /mnt/t tracefs rw 0 0\n");
	put("/mnt/t/trace_clock", CLOCKS);
	find(*state, 0, "/mnt/t");
}

static void find_with_a_space_in_the_path(void **state)
{
	put("/proc/self/mounts", "none /mnt/a\\040b\\134c tracefs rw 0 0\n");
	put("/mnt/a b\\c/trace_clock", CLOCKS);
	find(*state, 0, "/mnt/a b\\c");
}

static void find_prefers_tracefs_to_debugfs(void **state)
{
	put("/proc/self/mounts", "debugfs /sys/kernel/debug debugfs rw 0 0\nt /mnt/t tracefs rw 0 0\n");
	put("/sys/kernel/debug/tracing/trace_clock", CLOCKS);
	put("/mnt/t/trace_clock", CLOCKS);
	find(*state, 0, "/mnt/t");
}

/* A device may be called "tracefs" and a directory too: only the third column counts. */
static void find_is_not_fooled_by_names(void **state)
{
	put("/proc/self/mounts", "tracefs /tracefs tmpfs rw 0 0\n");
	put("/tracefs/trace_clock", CLOCKS);
	find(*state, -EOPNOTSUPP, "mount -t tracefs nodev /sys/kernel/tracing");
}

static void find_without_mount_table(void **state)
{
	put("/sys/kernel/tracing/trace_clock", CLOCKS);
	find(*state, 0, "/sys/kernel/tracing");
}

static void find_nothing_says_how_to_mount(void **state)
{
	put("/proc/self/mounts", "proc /proc proc rw 0 0\n");
	put("/proc/filesystems", "nodev\tproc\nnodev\ttracefs\n");
	put("/sys/kernel/tracing/empty", ""); /* the mount point alone */
	find(*state, -EOPNOTSUPP, "mount -t tracefs nodev /sys/kernel/tracing");
}

static void find_says_when_the_kernel_has_none(void **state)
{
	put("/proc/self/mounts", "proc /proc proc rw 0 0\n");
	put("/proc/filesystems", "nodev\tproc\n");
	find(*state, -EOPNOTSUPP, "CONFIG_FTRACE");
}

/* ---- rights (F50) ---- */

/* The message of a find() as nobody in @err: in a child when we are root, who may everything. */
static int find_as_user(struct swt_root *root, char *text, size_t size)
{
	struct swt_err err = { "" };
	struct swt_buf path = SWT_BUF_INIT;
	int p[2], st;
	ssize_t n;
	pid_t pid;

	if (geteuid()) {
		int rc = swt_tracefs_find(root, &path, &err);

		swt_buf_free(&path);
		snprintf(text, size, "%s", err.text);
		return rc;
	}
	chmod(top, 0755);
	assert_int_equal(pipe(p), 0);
	pid = fork();
	if (!pid) {
		int rc;

		if (setgid(65534) || setuid(65534))
			_exit(255);
		rc = swt_tracefs_find(root, &path, &err);
		real_write(p[1], err.text, strlen(err.text));
		_exit(-rc);
	}
	close(p[1]);
	n = read(p[0], text, size - 1);
	text[n > 0 ? n : 0] = '\0';
	close(p[0]);
	waitpid(pid, &st, 0);
	return WIFEXITED(st) ? -WEXITSTATUS(st) : -EIO;
}

static void no_permission_is_told_as_such(void **state)
{
	char dir[PATH_MAX * 2], text[512];

	put_tracefs(false, false);
	snprintf(dir, sizeof(dir), "%s/sys/kernel/tracing", top);
	chmod(dir, 0000);
	assert_int_equal(find_as_user(*state, text, sizeof(text)), -EACCES);
	assert_non_null(strstr(text, "/sys/kernel/tracing"));
	assert_non_null(strstr(text, "run as root"));
	assert_null(strstr(text, "CONFIG"));
	assert_null(strchr(text, '\n'));
	/* Search without reading, as some distributions have it, is not enough either. */
	chmod(dir, 0311);
	assert_int_equal(find_as_user(*state, text, sizeof(text)), -EACCES);
	chmod(dir, 0755);
	assert_int_equal(find_as_user(*state, text, sizeof(text)), 0);
}

static void lockdown_is_named(void **state)
{
	struct swt_err err = { "" };

	put("/sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
	assert_int_equal(swt_tracefs_denied(*state, "/sys/kernel/tracing", -EPERM, &err), -EPERM);
	assert_non_null(strstr(err.text, "locked down"));
	assert_non_null(strstr(err.text, "[confidentiality]"));
	assert_null(strstr(err.text, "run as root"));
	assert_null(strchr(err.text, '\n'));
}

static void no_lockdown_is_not_blamed(void **state)
{
	struct swt_err err = { "" };

	put("/sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
	assert_int_equal(swt_tracefs_denied(*state, "/sys/kernel/tracing", -EPERM, &err), -EPERM);
	assert_null(strstr(err.text, "locked down"));
	assert_non_null(strstr(err.text, "not permitted"));
}

/* ---- names and sweep ---- */

static void owner_of_a_name(void **state)
{
	static const char *const bad[] = { "swaptop",
					   "swaptop.",
					   "swaptop.12",
					   "swaptop.12.",
					   "swaptop.12.x",
					   "swaptop.x.34",
					   "swaptop.12.34x",
					   "swaptop.-1.34",
					   "swaptop.0.34",
					   "aswaptop.12.34",
					   "swaptop.12.34-x",
					   "swaptop. 12.34",
					   "swaptop.99999999999999999999.1",
					   "swaptop.4294967297.1" };
	uint64_t start;
	pid_t pid;

	(void)state;
	assert_true(swt_tracefs_name_owner("swaptop.12.34", &pid, &start));
	assert_int_equal(pid, 12);
	assert_int_equal(start, 34);
	assert_true(swt_tracefs_name_owner("swaptop.12.34.rss", &pid, &start));
	assert_true(swt_tracefs_name_owner("swaptop.12.34.2.rss", &pid, &start));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(swt_tracefs_name_owner(bad[i], &pid, &start));
}

static void start_time_of_odd_names(void **state)
{
	uint64_t start;
	pid_t pid;

	(void)state;
	assert_int_equal(swt_tracefs_stat("9 (a) b) (c) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 123 0\n",
					  &pid, &start),
			 0);
	assert_int_equal(pid, 9);
	assert_int_equal(start, 123);
	assert_int_equal(swt_tracefs_stat("9 (a) S 1 1", &pid, &start), -EBADMSG);
	assert_int_equal(swt_tracefs_stat("", &pid, &start), -EBADMSG);
	assert_int_equal(swt_tracefs_stat("9", &pid, &start), -EBADMSG);
	assert_int_equal(swt_tracefs_stat("x (a) S", &pid, &start), -EBADMSG);
}

static void put_stat(int pid, int start)
{
	char path[64], text[128];

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	snprintf(text, sizeof(text), "%d (x) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 %d 0 0\n", pid, start);
	put(path, text);
}

static void sweep_takes_the_dead_only(void **state)
{
	put_tracefs(false, false);
	put_stat(100, 1000);
	put_stat(200, 2001);					     /* pid 200 is another process by now */
	put("/sys/kernel/tracing/instances/swaptop.100.1000/x", ""); /* lives */
	put("/sys/kernel/tracing/instances/swaptop.100.1000.rss/x", ""); /* lives */
	put("/sys/kernel/tracing/instances/swaptop.200.2000/x", "");	 /* pid reused */
	put("/sys/kernel/tracing/instances/swaptop.300.3000/x", "");	 /* gone */
	put("/sys/kernel/tracing/instances/swaptop.300.3000.rss/x", "");
	put("/sys/kernel/tracing/instances/swaptop.300/x", "");		  /* not our form of name */
	put("/sys/kernel/tracing/instances/swaptop.300.3000-mine/x", ""); /* nor this */
	put("/proc/400/stat", "nonsense");
	put("/sys/kernel/tracing/instances/swaptop.400.4000/x", ""); /* cannot tell: keep */
	assert_int_equal(swt_tracefs_sweep(*state, "/sys/kernel/tracing", &logger), 3);
	assert_true(exists("/sys/kernel/tracing/instances/swaptop.100.1000"));
	assert_true(exists("/sys/kernel/tracing/instances/swaptop.100.1000.rss"));
	assert_false(exists("/sys/kernel/tracing/instances/swaptop.200.2000"));
	assert_false(exists("/sys/kernel/tracing/instances/swaptop.300.3000"));
	assert_false(exists("/sys/kernel/tracing/instances/swaptop.300.3000.rss"));
	assert_true(exists("/sys/kernel/tracing/instances/swaptop.300"));
	assert_true(exists("/sys/kernel/tracing/instances/swaptop.300.3000-mine"));
	assert_true(exists("/sys/kernel/tracing/instances/swaptop.400.4000"));
	assert_true(exists("/sys/kernel/tracing/instances/other"));
}

/* Somebody has it open: perhaps its owner, in a pid namespace we do not see.  Nothing of it is changed. */
static void sweep_leaves_a_busy_one_alone(void **state)
{
	char link[PATH_MAX * 2];

	put_tracefs(false, false);
	put("/sys/kernel/tracing/instances/swaptop.300.3000/tracing_on", "1");
	put("/sys/kernel/tracing/instances/swaptop.300.3000/events/enable", "1");
	put("/proc/501/comm", "bad\033[31mname\n");
	put("/proc/501/fd/x", "");
	snprintf(link, sizeof(link), "%s/proc/501/fd/3", top);
	assert_int_equal(symlink("/sys/kernel/debug/tracing/instances/swaptop.300.3000/trace_pipe", link), 0);
	fake.busy = 1;
	assert_int_equal(swt_tracefs_sweep(*state, "/sys/kernel/tracing", &logger), 0);
	fake.busy = 0;
	assert_string_equal(fake.writes, "");
	assert_non_null(strstr(fake.log, "(pid 501)"));
	assert_null(strchr(fake.log, '\033'));
}

static void others_are_listed(void **state)
{
	struct swt_buf out = SWT_BUF_INIT;

	put_tracefs(false, false);
	put("/sys/kernel/tracing/current_tracer", "function\n");
	put("/sys/kernel/tracing/instances/swaptop.300.3000/x", "");
	assert_int_equal(swt_tracefs_others(*state, "/sys/kernel/tracing", &out), 2);
	assert_non_null(strstr(out.s, "instance other\n"));
	assert_non_null(strstr(out.s, "tracer function"));
	assert_null(strstr(out.s, "swaptop.300"));
	swt_buf_free(&out);
}

/* ---- clock (F76), sizes (F52) ---- */

static void clocks(void **state)
{
	char c[16];

	(void)state;
	assert_int_equal(swt_clock_current(CLOCKS, c, sizeof(c)), 0);
	assert_string_equal(c, "local");
	assert_int_equal(
		swt_clock_current("local global counter uptime perf [mono] mono_raw boot", c, sizeof(c)), 0);
	assert_string_equal(c, "mono");
	assert_int_equal(swt_clock_pick(CLOCKS, c, sizeof(c)), 0);
	assert_string_equal(c, "mono");
	assert_int_equal(swt_clock_pick("[local] global mono_raw boot\n", c, sizeof(c)), 0);
	assert_string_equal(c, "boot"); /* mono_raw is not mono */
	assert_int_equal(swt_clock_pick("[local] counter\n", c, sizeof(c)), 0);
	assert_string_equal(c, "local");
	assert_int_equal(swt_clock_pick("local [mono]\n", c, sizeof(c)), 0);
	assert_string_equal(c, "mono");
	assert_int_equal(swt_clock_pick("", c, sizeof(c)), -EBADMSG);
	assert_int_equal(swt_clock_current("[unfinished", c, sizeof(c)), -EBADMSG);
	assert_int_equal(swt_clock_current("[averyveryverylongname]", c, sizeof(c)), -EBADMSG);
}

static void sizes(void **state)
{
	struct swt_instance in = { .root = *state, .dir = "/sys/kernel/tracing/instances/i", .name = "i" };

	put("/sys/kernel/tracing/instances/i/buffer_size_kb", "7 (expanded: 1408)\n");
	fake.size_add = 3; /* ask 4096, read 4099 */
	assert_int_equal(swt_instance_size(&in, 4096, 2, &logger), 4099ull * 2 * 1024);
	assert_string_equal(fake.log, "");
	fake.size_fixed = 512; /* ask 4096, read 512 */
	assert_int_equal(swt_instance_size(&in, 4096, 2, &logger), 512ull * 2 * 1024);
	assert_non_null(strstr(fake.log, "512 kB per CPU instead of 4096 kB"));
}

static void ring_budget(void **state)
{
	(void)state;
	/* 16 MiB in all; at least 1 MiB per CPU up to 16 CPUs, 256 KiB above; a quarter and three quarters. */
	assert_int_equal(swt_live_ring_kb(0, 1, 1, 0), 16384);
	assert_int_equal(swt_live_ring_kb(0, 2, 1, 0), 8192);
	assert_int_equal(swt_live_ring_kb(0, 2, 2, 0), 2048);
	assert_int_equal(swt_live_ring_kb(0, 2, 2, 1), 6144);
	assert_int_equal(swt_live_ring_kb(0, 16, 1, 0), 1024);
	assert_int_equal(swt_live_ring_kb(0, 17, 1, 0), 16384 / 17);
	assert_int_equal(swt_live_ring_kb(0, 64, 1, 0), 256);
	assert_int_equal(swt_live_ring_kb(0, 256, 1, 0), 256);
	assert_int_equal(swt_live_ring_kb(0, 256, 2, 1), 192);
	assert_int_equal(swt_live_ring_kb(14336, 2, 1, 0), 7);
	assert_int_equal(swt_live_ring_kb(1, 256, 2, 0), 1);
}

static void ring_counters(void **state)
{
	struct swt_ring_counts c = { 0 };
	uint64_t ns;

	(void)state;
	assert_int_equal(swt_ring_stats_parse("entries: 3\noverrun: 5\ncommit overrun: 1\nbytes: 9\n"
					      "dropped events: 2\nread events: 7\n",
					      &c),
			 0);
	/* "commit overrun" is not "overrun" */
	assert_int_equal(c.overrun, 5);
	assert_int_equal(c.commit_overrun, 1);
	assert_int_equal(c.dropped, 2);
	assert_int_equal(c.entries, 3);
	assert_int_equal(c.read, 7);
	assert_int_equal(swt_ring_stats_parse("", &c), -EBADMSG);
	assert_int_equal(swt_ring_now("now ts:  1048.733292\n", &ns), 0);
	assert_int_equal(ns, 1048733292000ull);
	assert_int_equal(swt_ring_now("now ts: 12345\n", &ns), -EBADMSG); /* the clock "counter" */
	assert_int_equal(swt_ring_now("nothing\n", &ns), -EBADMSG);
}

/* ---- the live source on a made tree (F65) ---- */

static int open_live(struct swt_root *root, int level, int want, struct swt_live **l, struct swt_err *err)
{
	struct swt_live_cfg cfg = { .root = root,
				    .clock = swt_clock_system(),
				    .log = &logger,
				    .tracefs = "/sys/kernel/tracing",
				    .level = level,
				    .want = want };

	err->text[0] = '\0';
	*l = NULL;
	return swt_live_open(&cfg, l, err);
}

static void live_goes_without_any_one_event(void **state)
{
	for (int i = 0; i < SWT_EV_COUNT; i++) {
		const struct swt_event_desc *d = swt_catalog((enum swt_ev)i);
		char path[128];
		struct swt_err err;
		struct swt_live *l;

		put_tracefs(true, true);
		snprintf(path, sizeof(path), "/sys/kernel/tracing/events/%s/%s", d->system, d->name);
		cut(path);
		fake.log[0] = '\0';
		assert_int_equal(open_live(*state, 4, -1, &l, &err), 0);
		if (i != SWT_EV_SCHED_FORK) { /* not used when there is newtask */
			assert_int_equal(swt_live_info(l)->state[i], SWT_EV_MISSING);
			assert_int_equal(swt_live_info(l)->error[i], -ENOENT);
		}
		if (d->source == SWT_EVS_STOCK && i != SWT_EV_SCHED_FORK) {
			assert_non_null(strstr(fake.log, d->full));
			assert_non_null(strstr(fake.log, d->lost));
		}
		swt_live_close(l);
		assert_false(exists("/sys/kernel/tracing/instances/swaptop.77.5555"));
	}
}

static void live_fork_or_newtask(void **state)
{
	struct swt_err err;
	struct swt_live *l;

	put_tracefs(false, true);
	assert_int_equal(open_live(*state, 1, -1, &l, &err), 0);
	assert_int_equal(swt_live_info(l)->state[SWT_EV_SCHED_FORK], SWT_EV_UNUSED);
	assert_null(strstr(fake.writes, "sched_process_fork/enable=1"));
	swt_live_close(l);
	/* It is there and cannot be switched on. */
	fake.refuse = "task_newtask/enable";
	fake.refuse_errno = EPERM;
	assert_int_equal(open_live(*state, 1, -1, &l, &err), 0);
	assert_int_equal(swt_live_info(l)->state[SWT_EV_TASK_NEWTASK], SWT_EV_NO_ACCESS);
	assert_int_equal(swt_live_info(l)->error[SWT_EV_TASK_NEWTASK], -EPERM);
	assert_int_equal(swt_live_info(l)->state[SWT_EV_SCHED_FORK], SWT_EV_HAVE);
	assert_non_null(strstr(fake.writes, "sched_process_fork/enable=1"));
	swt_live_close(l);
}

static void live_needs_an_end(void **state)
{
	struct swt_err err;
	struct swt_live *l;

	put_tracefs(false, true);
	cut("/sys/kernel/tracing/events/sched/sched_process_exit");
	cut("/sys/kernel/tracing/events/mmap");
	assert_int_equal(open_live(*state, -1, -1, &l, &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "mmap:exit_mmap"));
	assert_false(exists("/sys/kernel/tracing/instances/swaptop.77.5555"));
}

static void live_levels(void **state)
{
	struct swt_err err;
	struct swt_live *l;

	put_tracefs(false, true);
	assert_int_equal(open_live(*state, -1, -1, &l, &err), 0);
	assert_int_equal(swt_live_info(l)->level, 3);
	assert_false(swt_live_info(l)->level_forced);
	assert_int_equal(swt_live_info(l)->kind, SWT_SOURCE_STOCK);
	assert_int_equal(swt_live_info(l)->state[SWT_EV_RSS_STAT], SWT_EV_HAVE);
	assert_true(swt_live_info(l)->group_dead);
	assert_int_equal(swt_live_info(l)->ncpus, 2);
	assert_string_equal(swt_live_info(l)->clock, "mono");
	assert_true(exists("/sys/kernel/tracing/instances/swaptop.77.5555.rss"));
	assert_null(strstr(fake.writes, "rss_stat/enable=1")); /* not before something is watched */
	swt_live_close(l);
	assert_int_equal(open_live(*state, -1, SWT_SOURCE_PATCHED, &l, &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "swap_exit_end"));

	put_tracefs(true, true);
	assert_int_equal(open_live(*state, -1, -1, &l, &err), 0);
	assert_int_equal(swt_live_info(l)->level, 2);
	assert_int_equal(swt_live_info(l)->kind, SWT_SOURCE_PATCHED);
	assert_int_equal(swt_live_info(l)->state[SWT_EV_SWAP_EXIT_END], SWT_EV_HAVE);
	assert_int_equal(swt_live_info(l)->state[SWT_EV_RSS_STAT], SWT_EV_UNUSED);
	assert_int_equal(swt_live_watch_free(l), 0);
	swt_live_close(l);
	assert_int_equal(open_live(*state, -1, SWT_SOURCE_STOCK, &l, &err), 0);
	assert_int_equal(swt_live_info(l)->kind, SWT_SOURCE_STOCK);
	assert_int_equal(swt_live_info(l)->state[SWT_EV_SWAP_EXIT_END], SWT_EV_UNUSED);
	assert_int_equal(swt_live_info(l)->level, 3);
	swt_live_close(l);
	assert_int_equal(open_live(*state, 1, -1, &l, &err), 0);
	assert_int_equal(swt_live_info(l)->state[SWT_EV_SWAP_EXIT_END], SWT_EV_UNUSED);
	assert_true(swt_live_info(l)->level_forced);
	swt_live_close(l);
	assert_int_equal(open_live(*state, 0, -1, &l, &err), -EINVAL);
}

/* A filter that is refused costs more events, not the source. */
static void live_without_filters(void **state)
{
	struct swt_err err;
	struct swt_live *l;

	put_tracefs(false, false);
	fake.refuse = "signal_generate/filter";
	fake.refuse_errno = EINVAL;
	assert_int_equal(open_live(*state, 1, -1, &l, &err), 0);
	assert_int_equal(swt_live_info(l)->state[SWT_EV_SIGNAL_GENERATE], SWT_EV_HAVE);
	assert_non_null(strstr(fake.log, "no filter on signal:signal_generate"));
	swt_live_close(l);
}

static void live_writes_in_order(void **state)
{
	struct swt_err err;
	struct swt_live *l;
	const char *clock, *size, *filter, *enable;

	put_tracefs(false, false);
	assert_int_equal(open_live(*state, 1, -1, &l, &err), 0);
	clock = strstr(fake.writes, "trace_clock=mono");
	size = strstr(fake.writes, "buffer_size_kb=");
	filter = strstr(fake.writes, "signal_deliver/filter=");
	enable = strstr(fake.writes, "signal_deliver/enable=1");
	assert_non_null(clock);
	assert_true(clock == strstr(fake.writes, "instances/swaptop.77.5555/trace_clock") +
				     strlen("instances/swaptop.77.5555/"));
	assert_true(clock < size && size < filter && filter < enable);
	/* Saving names of tasks costs every context switch; before the first event. */
	assert_non_null(strstr(fake.writes, "options/record-cmd=0"));
	assert_true(strstr(fake.writes, "options/record-cmd=0") < enable);
	/* SIGKILL in both filters, SIGCHLD in that of signal_generate only. */
	assert_non_null(strstr(fake.writes, "sig == 9 ||"));
	assert_null(memmem(filter, strcspn(filter, "\n"), "sig == 17", 9));
	swt_live_close(l);
	/* Nothing of the top level was written. */
	assert_false(exists("/sys/kernel/tracing/instances/swaptop.77.5555"));
	assert_true(exists("/sys/kernel/tracing/instances/other"));
}

static void live_two_in_one_process(void **state)
{
	struct swt_live *a, *b;
	struct swt_err err;

	put_tracefs(false, false);
	assert_int_equal(open_live(*state, 3, -1, &a, &err), 0);
	assert_int_equal(open_live(*state, 3, -1, &b, &err), 0);
	assert_true(exists("/sys/kernel/tracing/instances/swaptop.77.5555.rss"));
	assert_true(exists("/sys/kernel/tracing/instances/swaptop.77.5555.2.rss"));
	swt_live_close(a);
	assert_true(exists("/sys/kernel/tracing/instances/swaptop.77.5555.2"));
	swt_live_close(b);
	assert_false(exists("/sys/kernel/tracing/instances/swaptop.77.5555.2"));
}

static int count_stats(void *arg, unsigned int cpu, const char *text)
{
	unsigned int *seen = arg;

	assert_true(cpu < 2 && strstr(text, "overrun:"));
	seen[cpu]++;
	return 0;
}

static void live_loss_of_every_cpu(void **state)
{
	unsigned int seen[2] = { 0, 0 };
	struct swt_err err;
	struct swt_live *l;
	struct swt_loss loss;

	put_tracefs(false, false);
	assert_int_equal(open_live(*state, 3, -1, &l, &err), 0);
	assert_int_equal(swt_live_stats(l, count_stats, seen), 0);
	assert_true(seen[0] == 2 && seen[1] == 2); /* a ring in each of two instances */
	assert_int_equal(swt_live_loss(l, &loss), 0);
	/* two instances, two CPUs, each 5 + 2 + 1 */
	assert_int_equal(loss.lost, 32);
	assert_int_equal(loss.unread, 12);
	assert_false(loss.complete);
	swt_live_close(l);
}

/* ---- the watch list ---- */

static void watch_by_list(void **state)
{
	static const pid_t tids[] = { 10, 11, 12, 10, 0, -5, 4194304 };
	struct swt_err err;
	struct swt_live *l;

	put_tracefs(false, false);
	put("/proc/33/comm", "oom_reaper\n");
	put("/proc/45/comm", "kswapd0\n");
	put("/proc/46/comm", "kswapd-not\n");
	assert_int_equal(open_live(*state, 3, -1, &l, &err), 0);
	assert_int_equal(swt_live_watch_free(l), 8192);
	fake.writes[0] = '\0';
	assert_int_equal(swt_live_watch(l, tids, 7), 0);
	assert_int_equal(swt_live_watch_now(l), 0);
	/* one write, whole numbers, the reapers too; the event only after the list */
	assert_non_null(strstr(fake.writes, ".rss/set_event_pid=33 45 10 11 12 \n"));
	assert_true(strstr(fake.writes, "set_event_pid=") < strstr(fake.writes, "rss_stat/enable=1"));
	assert_int_equal(swt_live_watch_free(l), 8189);
	assert_true(swt_live_watched(l, 11));
	assert_false(swt_live_watched(l, 33));
	assert_false(swt_live_watched(l, 4194304));
	fake.writes[0] = '\0';
	assert_int_equal(swt_live_watch(l, tids, 3), 0); /* known already */
	assert_int_equal(swt_live_watch_now(l), 0);
	swt_live_unwatch(l, 10);
	swt_live_unwatch(l, 10);
	swt_live_unwatch(l, 11);
	assert_string_equal(fake.writes, "");
	assert_int_equal(swt_live_watch_free(l), 8191);
	swt_live_unwatch(l, 12);
	assert_int_equal(swt_live_watch_now(l), 0);
	/* Empty means everybody: the event goes first. */
	assert_true(strstr(fake.writes, "rss_stat/enable=0") < strstr(fake.writes, "set_event_pid="));
	assert_non_null(strstr(fake.writes, "rss_stat/enable=0"));
	swt_live_close(l);
}

/* A change waits for the next drain; later ones wait longer, and come together. */
static void watch_changes_come_together(void **state)
{
	struct swt_err err;
	struct swt_live *l;
	unsigned int writes = 0;

	put_tracefs(false, false);
	assert_int_equal(open_live(*state, 3, -1, &l, &err), 0);
	fake.writes[0] = '\0';
	for (pid_t tid = 100; tid < 150; tid++)
		assert_int_equal(swt_live_watch(l, &tid, 1), 0);
	assert_string_equal(fake.writes, "");
	assert_false(swt_live_watched(l, 100));
	assert_int_equal(swt_live_drain(l, NULL, NULL, false), 0);
	assert_true(swt_live_watched(l, 100) && swt_live_watched(l, 149));
	for (const char *p = fake.writes; (p = strstr(p, "set_event_pid=")); p++)
		writes++;
	assert_int_equal(writes, 1);
	swt_live_close(l);
}

static void watch_list_is_bounded(void **state)
{
	static pid_t tids[9000];
	struct swt_err err;
	struct swt_live *l;

	for (int i = 0; i < 9000; i++)
		tids[i] = 1000 + i;
	put_tracefs(false, false);
	assert_int_equal(open_live(*state, 3, -1, &l, &err), 0);
	assert_int_equal(swt_live_watch(l, tids, 9000), -ENOSPC);
	assert_int_equal(swt_live_watch_now(l), 0);
	assert_int_equal(swt_live_watch_free(l), 0);
	assert_true(swt_live_watched(l, 1000 + 8191));
	assert_false(swt_live_watched(l, 1000 + 8192));
	swt_live_close(l);
}

static void watch_by_trigger(void **state)
{
	static const pid_t tids[] = { 50, 51, 52, 90 };
	struct swt_err err;
	struct swt_live *l;

	put_tracefs(false, true);
	assert_int_equal(open_live(*state, 3, -1, &l, &err), 0);
	fake.writes[0] = '\0';
	assert_int_equal(swt_live_watch(l, tids, 4), 0);
	assert_int_equal(swt_live_watch_now(l), 0);
	assert_non_null(strstr(fake.writes, "sched_process_exit/trigger=enable_event:kmem:rss_stat if "
					    "group_dead==1&&((pid>=50&&pid<=52)||pid==90)\n"));
	assert_null(strstr(fake.writes, "set_event_pid"));
	assert_null(strstr(fake.writes, "rss_stat/enable=1"));
	assert_true(swt_live_watched(l, 51));
	for (int i = 0; i < 4; i++)
		swt_live_unwatch(l, tids[i]);
	assert_int_equal(swt_live_watch_now(l), 0);
	assert_non_null(strstr(fake.writes, "trigger=!enable_event:kmem:rss_stat\n"));
	swt_live_close(l);
}

/* Triggers refused: the list does it. */
static void watch_falls_back_to_the_list(void **state)
{
	static const pid_t tid = 50;
	struct swt_err err;
	struct swt_live *l;

	put_tracefs(false, true);
	fake.refuse = "/trigger";
	fake.refuse_errno = EINVAL;
	assert_int_equal(open_live(*state, 3, -1, &l, &err), 0);
	assert_int_equal(swt_live_watch(l, &tid, 1), 0);
	assert_int_equal(swt_live_watch_now(l), 0);
	assert_non_null(strstr(fake.writes, "set_event_pid=50 \n"));
	assert_true(swt_live_watched(l, 50));
	swt_live_close(l);
}

static void watch_ranges_fit(void **state)
{
	static pid_t tids[8192];
	struct swt_buf b = SWT_BUF_INIT;

	(void)state;
	tids[0] = 7;
	assert_int_equal(swt_watch_ranges(tids, 1, 3900, &b), 0);
	assert_string_equal(b.s, "pid==7");
	/* As far apart as they can be: still one line that fits, and it covers the first and the last. */
	for (int i = 0; i < 8192; i++)
		tids[i] = 1 + i * 511;
	assert_int_equal(swt_watch_ranges(tids, 8192, 3900, &b), 0);
	assert_true(b.len <= 3900);
	assert_non_null(strstr(b.s, "pid>=1&&"));
	assert_non_null(strstr(b.s, "pid<=4185602"));
	swt_buf_free(&b);
}

static struct swt_event exit_of(pid_t tid, uint64_t ts)
{
	struct swt_event ev = { .ts = ts, .id = SWT_EV_SCHED_EXIT, .task = tid };

	ev.have = 1u << SWT_F_SCHED_EXIT_GROUP_DEAD;
	ev.f[SWT_F_SCHED_EXIT_GROUP_DEAD] = 1;
	return ev;
}

/* rss_stat goes to sleep when nothing dies, and an exit that fell into the moment before is called cut. */
static void arm_sleeps_and_wakes(void **state)
{
	static const char *const rss = "/sys/kernel/tracing/instances/i/events/kmem/rss_stat/enable";
	struct swt_instance in = { .root = *state, .dir = "/sys/kernel/tracing/instances/i", .name = "i" };
	struct swt_arm a = { .in = &in };
	struct swt_event end = { .ts = 5000000000ull, .id = SWT_EV_EXIT_MMAP, .task = 50 };
	struct swt_event ev;
	static const pid_t tids[] = { 50, 60 };

	put(rss, "0\n");
	put("/sys/kernel/tracing/instances/i/events/sched/sched_process_exit/trigger", "");
	assert_int_equal(swt_arm_set(&a, tids, 2, 1), 0);
	assert_true(swt_arm_covers(&a, 50) && swt_arm_covers(&a, 60));
	assert_false(swt_arm_covers(&a, 55));
	put(rss, "1*\n"); /* the trigger fired */
	ev = exit_of(50, 1000000000ull);
	assert_false(swt_arm_see(&a, &ev));
	fake.writes[0] = '\0';
	assert_int_equal(swt_arm_tick(&a, 4000000000ull), 0);
	assert_string_equal(fake.writes, ""); /* 50 is still dying */
	assert_false(swt_arm_see(&a, &end));
	assert_int_equal(swt_arm_tick(&a, 5000000000ull), 0);
	assert_non_null(strstr(fake.writes, "rss_stat/enable=0"));
	put(rss, "0*\n");
	/* The write came 700 us after the clock was read (the CPU was taken away), and an exit fell in between. */
	ev = exit_of(60, 5000600000ull);
	fake.writes[0] = '\0';
	assert_true(swt_arm_see(&a, &ev));
	assert_non_null(strstr(fake.writes, "rss_stat/enable=1"));
	ev = exit_of(55, 4999999000ull); /* nobody watches that one */
	assert_false(swt_arm_see(&a, &ev));
	end.task = 60;
	assert_false(swt_arm_see(&a, &end));
	put(rss, "1*\n");
	assert_int_equal(swt_arm_tick(&a, 6000000000ull), 0); /* to sleep again */
	put(rss, "0*\n");
	assert_int_equal(swt_arm_tick(&a, 6100000000ull),
			 0); /* sleeps for sure: what wakes it now is the trigger */
	ev = exit_of(50, 6200000000ull);
	assert_false(swt_arm_see(&a, &ev));
	swt_arm_free(&a);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(find_tracefs_in_mount_table),
		T(find_below_debugfs_only),
		T(find_at_another_place),
		T(find_with_a_space_in_the_path),
		T(find_prefers_tracefs_to_debugfs),
		T(find_is_not_fooled_by_names),
		T(find_without_mount_table),
		T(find_nothing_says_how_to_mount),
		T(find_says_when_the_kernel_has_none),
		T(no_permission_is_told_as_such),
		T(lockdown_is_named),
		T(no_lockdown_is_not_blamed),
		T(owner_of_a_name),
		T(start_time_of_odd_names),
		T(sweep_takes_the_dead_only),
		T(sweep_leaves_a_busy_one_alone),
		T(others_are_listed),
		T(clocks),
		T(sizes),
		T(ring_budget),
		T(ring_counters),
		T(live_goes_without_any_one_event),
		T(live_fork_or_newtask),
		T(live_needs_an_end),
		T(live_levels),
		T(live_without_filters),
		T(live_writes_in_order),
		T(live_two_in_one_process),
		T(live_loss_of_every_cpu),
		T(watch_by_list),
		T(watch_changes_come_together),
		T(watch_list_is_bounded),
		T(watch_by_trigger),
		T(watch_falls_back_to_the_list),
		T(watch_ranges_fit),
		T(arm_sleeps_and_wakes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
