/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lib/base/root.c: a sysroot cannot be left, odd files do not hang, kernels without openat2() still read.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/root.h"

/*
 * Linked with --wrap=syscall,--wrap=read: the first can take openat2() away, the second gives one byte at a
 * time and interrupts every other call.
 */
long __real_syscall(long nr, ...);
long __wrap_syscall(long nr, ...);
ssize_t __real_read(int fd, void *buf, size_t n);
ssize_t __wrap_read(int fd, void *buf, size_t n);

static int openat2_errno;
static bool slow_reads;

long __wrap_syscall(long nr, ...)
{
	va_list ap;
	long a[4];

	va_start(ap, nr);
	for (int i = 0; i < 4; i++)
		a[i] = va_arg(ap, long);
	va_end(ap);
	if (nr == SYS_openat2 && openat2_errno) {
		errno = openat2_errno;
		return -1;
	}
	return __real_syscall(nr, a[0], a[1], a[2], a[3]);
}

ssize_t __wrap_read(int fd, void *buf, size_t n)
{
	static unsigned int calls;

	if (!slow_reads)
		return __real_read(fd, buf, n);
	if (calls++ % 2) {
		errno = EINTR;
		return -1;
	}
	return __real_read(fd, buf, n ? 1 : 0);
}

static char top[] = "/tmp/swt-root-XXXXXX";
static char inside[64];
static struct swt_root *root;

static void put(const char *name, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s%s", top, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static void make_dir(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s%s", top, name);
	assert_int_equal(mkdir(path, 0755), 0);
}

static void make_link(const char *target, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s%s", top, name);
	assert_int_equal(symlink(target, path), 0);
}

static int setup(void **state)
{
	char path[128];

	(void)state;
	if (!mkdtemp(top))
		return -1;
	snprintf(inside, sizeof(inside), "%s/root", top);
	make_dir("/root");
	make_dir("/root/proc");
	make_dir("/root/empty");
	put("/secret", "outside\n");
	put("/root/proc/vmstat", "nr_free_pages 1000\n");
	put("/root/proc/..odd", "name with dots\n");
	put("/root/knob", "something long\n");
	put("/root/void", "");
	make_link("/proc/vmstat", "/root/abs");
	make_link("proc/vmstat", "/root/rel");
	make_link("../../../../../../secret", "/root/up");
	make_link("loop", "/root/loop");
	snprintf(path, sizeof(path), "%s/secret", top);
	make_link(path, "/root/out");
	snprintf(path, sizeof(path), "%s/root/fifo", top);
	if (mkfifo(path, 0600))
		return -1;
	return swt_root_new(inside, &root);
}

static int teardown(void **state)
{
	char cmd[128];

	(void)state;
	swt_root_free(root);
	snprintf(cmd, sizeof(cmd), "rm -rf '%s'", top);
	return system(cmd);
}

static void which_system(void **state)
{
	static const char *const live[] = { NULL, "", "/", "//" };
	struct swt_root *r;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(swt_root_new(live[i], &r), 0);
		assert_true(swt_root_live(r));
		assert_string_equal(swt_root_prefix(r), "");
		swt_root_free(r);
	}
	assert_false(swt_root_live(root));
	assert_string_equal(swt_root_prefix(root), inside);
	swt_root_free(NULL);
}

static void bad_prefix(void **state)
{
	struct swt_root *r = (struct swt_root *)0x1;
	char path[128];

	(void)state;
	assert_int_equal(swt_root_new("/nonexistent/dir", &r), -ENOENT);
	snprintf(path, sizeof(path), "%s/secret", top);
	assert_int_equal(swt_root_new(path, &r), -ENOTDIR);
	assert_ptr_equal(r, (struct swt_root *)0x1);
}

static void reads_below_the_prefix(void **state)
{
	struct swt_buf b = SWT_BUF_INIT;
	static const char *const same[] = { "/proc/vmstat", "//proc//vmstat", "/proc/./vmstat", "/abs",
					    "/rel" };

	(void)state;
	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		assert_int_equal(swt_root_read(root, same[i], &b), 0);
		assert_string_equal(swt_buf_str(&b), "nr_free_pages 1000\n");
	}
	assert_int_equal(swt_root_read(root, "/proc/..odd", &b), 0);
	assert_string_equal(swt_buf_str(&b), "name with dots\n");
	assert_int_equal(swt_root_read(root, "/void", &b), 0);
	assert_int_equal(b.len, 0);
	swt_buf_free(&b);
}

static void dotdot_is_refused(void **state)
{
	static const char *const bad[] = { "/..",	   "/../secret", "/proc/../proc/vmstat", "/proc/..",
					   "/proc//../..", "../secret",	 "proc/vmstat",		 "" };
	struct swt_buf b = SWT_BUF_INIT;
	struct swt_root *live;

	(void)state;
	assert_int_equal(swt_root_new(NULL, &live), 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(swt_root_open(root, bad[i], O_RDONLY), -EINVAL);
		assert_int_equal(swt_root_open(live, bad[i], O_RDONLY), -EINVAL);
		assert_int_equal(swt_root_read(root, bad[i], &b), -EINVAL);
		assert_int_equal(swt_root_write(root, bad[i], "x"), -EINVAL);
	}
	swt_root_free(live);
	swt_buf_free(&b);
}

static void links_stay_inside(void **state)
{
	struct swt_buf b = SWT_BUF_INIT;

	(void)state;
	assert_int_equal(swt_root_read(root, "/out", &b), -ENOENT);
	assert_int_equal(swt_root_read(root, "/up", &b), -ENOENT);
	assert_int_equal(swt_root_write(root, "/out", "x"), -ENOENT);
	assert_int_equal(swt_root_read(root, "/loop", &b), -ELOOP);
	swt_buf_free(&b);
}

static void old_kernel_reads_but_does_not_write(void **state)
{
	struct swt_buf b = SWT_BUF_INIT;

	(void)state;
	openat2_errno = ENOSYS;
	assert_int_equal(swt_root_read(root, "/proc/vmstat", &b), 0);
	assert_string_equal(swt_buf_str(&b), "nr_free_pages 1000\n");
	assert_int_equal(swt_root_write(root, "/out", "x"), -ENOSYS);
	openat2_errno = EPERM;
	assert_int_equal(swt_root_read(root, "/proc/vmstat", &b), 0);
	assert_int_equal(swt_root_write(root, "/out", "x"), -EPERM);
	openat2_errno = EACCES; /* a real answer, not a missing call */
	assert_int_equal(swt_root_read(root, "/proc/vmstat", &b), -EACCES);
	openat2_errno = 0;
	swt_buf_free(&b);
}

static void failures_leave_an_empty_buffer(void **state)
{
	struct swt_buf b = SWT_BUF_INIT;

	(void)state;
	swt_buf_adds(&b, "old");
	assert_int_equal(swt_root_read(root, "/missing", &b), -ENOENT);
	assert_int_equal(b.len, 0);
	swt_buf_adds(&b, "old");
	assert_int_equal(swt_root_read(root, "/proc", &b), -EISDIR);
	assert_string_equal(swt_buf_str(&b), "");
	swt_buf_free(&b);
}

static void fifo_is_not_waited_for(void **state)
{
	struct swt_buf b = SWT_BUF_INIT;

	(void)state;
	alarm(60); /* ends the program if it hangs */
	assert_int_equal(swt_root_read(root, "/fifo", &b), 0);
	assert_int_equal(b.len, 0);
	assert_int_equal(swt_root_write(root, "/fifo", "x"), -ENXIO);
	alarm(0);
	swt_buf_free(&b);
}

static void size_is_bounded(void **state)
{
	struct swt_buf b = SWT_BUF_INIT;
	char path[128];

	(void)state;
	put("/root/big", "");
	snprintf(path, sizeof(path), "%s/root/big", top);
	assert_int_equal(truncate(path, 16 << 20), 0);
	assert_int_equal(swt_root_read(root, "/big", &b), 0);
	assert_int_equal(b.len, 16 << 20);
	assert_int_equal(truncate(path, (16 << 20) + 1), 0);
	assert_int_equal(swt_root_read(root, "/big", &b), -EFBIG);
	assert_int_equal(b.len, 0);
	unlink(path);
	swt_buf_free(&b);
}

static void short_and_interrupted_reads(void **state)
{
	struct swt_buf b = SWT_BUF_INIT;

	(void)state;
	slow_reads = true;
	assert_int_equal(swt_root_read(root, "/proc/vmstat", &b), 0);
	slow_reads = false;
	assert_string_equal(swt_buf_str(&b), "nr_free_pages 1000\n");
	swt_buf_free(&b);
}

static void write_replaces(void **state)
{
	struct swt_buf b = SWT_BUF_INIT;

	(void)state;
	assert_int_equal(swt_root_write(root, "/knob", "async\n"), 0);
	assert_int_equal(swt_root_read(root, "/knob", &b), 0);
	assert_string_equal(swt_buf_str(&b), "async\n");
	assert_int_equal(swt_root_write(root, "/missing", "x"), -ENOENT);
	assert_int_equal(swt_root_write(root, "/proc", "x"), -EISDIR);
	swt_buf_free(&b);
}

static void descriptors_close_on_exec(void **state)
{
	int fd = swt_root_open(root, "/proc/vmstat", O_RDONLY);

	(void)state;
	assert_true(fd >= 0);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	close(fd);
}

struct names {
	int n, stop_at;
	bool vmstat, odd, dots;
};

static int count_name(void *arg, const char *name)
{
	struct names *s = arg;

	s->n++;
	s->vmstat |= !strcmp(name, "vmstat");
	s->odd |= !strcmp(name, "..odd");
	s->dots |= !strcmp(name, ".") || !strcmp(name, "..");
	return s->n == s->stop_at ? 42 : 0;
}

static void walks_a_directory(void **state)
{
	struct names all = { .stop_at = -1 }, one = { .stop_at = 1 }, none = { .stop_at = -1 };

	(void)state;
	assert_int_equal(swt_root_each(root, "/proc", count_name, &all), 0);
	assert_int_equal(all.n, 2);
	assert_true(all.vmstat && all.odd && !all.dots);
	assert_int_equal(swt_root_each(root, "/proc", count_name, &one), 42);
	assert_int_equal(one.n, 1);
	assert_int_equal(swt_root_each(root, "/empty", count_name, &none), 0);
	assert_int_equal(none.n, 0);
	assert_int_equal(swt_root_each(root, "/missing", count_name, &none), -ENOENT);
	assert_int_equal(swt_root_each(root, "/knob", count_name, &none), -ENOTDIR);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(which_system),
		cmocka_unit_test(bad_prefix),
		cmocka_unit_test(reads_below_the_prefix),
		cmocka_unit_test(dotdot_is_refused),
		cmocka_unit_test(links_stay_inside),
		cmocka_unit_test(old_kernel_reads_but_does_not_write),
		cmocka_unit_test(failures_leave_an_empty_buffer),
		cmocka_unit_test(fifo_is_not_waited_for),
		cmocka_unit_test(size_is_bounded),
		cmocka_unit_test(short_and_interrupted_reads),
		cmocka_unit_test(write_replaces),
		cmocka_unit_test(descriptors_close_on_exec),
		cmocka_unit_test(walks_a_directory),
	};

	return cmocka_run_group_tests_name("root", tests, setup, teardown);
}
