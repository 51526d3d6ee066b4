/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pids of containers and of the host, in made-up trees.
 */
#include <errno.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "model/nspid.h"

#define HOST_NS	 "pid:[4026531836]"
#define OUR_NS	 "pid:[4026532741]"
#define OTHER_NS "pid:[4026532999]"

static char dir[64];
static struct swt_root *root;

static void make_dirs(const char *path)
{
	char part[256];

	for (const char *p = path + 1; (p = strchr(p, '/')); p++) {
		snprintf(part, sizeof(part), "%s%.*s", dir, (int)(p - path), path);
		mkdir(part, 0755);
	}
}

static void put(const char *path, const char *text)
{
	char full[256];
	FILE *f;

	make_dirs(path);
	snprintf(full, sizeof(full), "%s%s", dir, path);
	f = fopen(full, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void put_link(const char *path, const char *target)
{
	char full[256];

	make_dirs(path);
	snprintf(full, sizeof(full), "%s%s", dir, path);
	assert_int_equal(symlink(target, full), 0);
}

static int setup(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/swt-nspid-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	put("/proc/vmstat", "");
	return swt_root_new(dir, &root);
}

static int rm(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

static int teardown(void **state)
{
	(void)state;
	swt_root_free(root);
	return nftw(dir, rm, 16, FTW_DEPTH | FTW_PHYS);
}

static void process(int host, const char *nspid, const char *ns)
{
	char path[64], text[256];

	snprintf(path, sizeof(path), "/proc/%d/status", host);
	snprintf(text, sizeof(text), "Name:\thog\nState:\tS (sleeping)\nPid:\t%d\n%s", host, nspid);
	put(path, text);
	if (ns) {
		snprintf(path, sizeof(path), "/proc/%d/ns/pid", host);
		put_link(path, ns);
	}
}

static void expect(pid_t pid, int want_rc, pid_t want, const char *words)
{
	struct swt_err err = { "" };
	pid_t host = -77;
	int rc = swt_nspid_host(root, pid, &host, &err);

	assert_int_equal(rc, want_rc);
	assert_int_equal(host, rc ? -77 : want);
	if (words)
		assert_non_null(strstr(err.text, words));
	else
		assert_string_equal(err.text, "");
}

/* A container whose process 7 is the host's 4211. */
static void test_translated(void **state)
{
	char label[SWT_NSPID_LABEL];

	(void)state;
	process(1, "NSpid:\t1\n", NULL);
	process(4211, "NSpid:\t4211\t7\n", NULL);
	expect(7, 0, 4211, NULL);
	assert_string_equal(swt_nspid_label(label, sizeof(label), 7, 4211), "7 (host 4211)");
	assert_string_equal(swt_nspid_label(label, sizeof(label), 4211, 4211), "4211");
	assert_string_equal(swt_nspid_label(label, sizeof(label), INT32_MAX, INT32_MAX - 1),
			    "2147483647 (host 2147483646)");
}

static void test_no_nspid_lines(void **state)
{
	(void)state;
	process(1, "", NULL);
	process(4211, "", NULL);
	expect(7, -EOPNOTSUPP, 0, "has no NSpid lines");
	/* The host's own number needs no translation. */
	expect(4211, 0, 4211, NULL);
}

static void test_no_such_process(void **state)
{
	(void)state;
	process(1, "NSpid:\t1\n", NULL);
	process(4211, "NSpid:\t4211\t8\n", NULL);
	expect(7, -ESRCH, 0, "no process with pid 7");
	expect(0, -EINVAL, 0, "not a pid");
	expect(-4, -EINVAL, 0, "not a pid");
}

static void test_empty_proc(void **state)
{
	(void)state;
	expect(7, -ESRCH, 0, "no process with pid 7");
}

/* On the host its own numbers go first. */
static void test_host_first(void **state)
{
	(void)state;
	process(7, "NSpid:\t7\n", HOST_NS);
	process(4211, "NSpid:\t4211\t7\n", OUR_NS);
	process(100, "NSpid:\t100\n", HOST_NS);
	put_link("/proc/self", "100");
	expect(7, 0, 7, NULL);
	expect(4211, 0, 4211, NULL);
}

static void test_several_containers(void **state)
{
	(void)state;
	process(4211, "NSpid:\t4211\t7\n", NULL);
	process(5300, "NSpid:\t5300\t7\n", NULL);
	expect(7, -ENOTUNIQ, 0, "in 2 containers (host pids ");
	process(6300, "NSpid:\t6300\t2\t7\n", NULL);
	expect(7, -ENOTUNIQ, 0, "in 3 containers");
}

/* The host's /proc, seen from a container: ours is the one with our namespace. */
static void test_own_container(void **state)
{
	(void)state;
	process(1, "NSpid:\t1\n", HOST_NS);
	process(4000, "NSpid:\t4000\t20\n", OUR_NS);
	process(4211, "NSpid:\t4211\t7\n", OUR_NS);
	process(5300, "NSpid:\t5300\t7\n", OTHER_NS);
	process(7, "NSpid:\t7\n", HOST_NS);
	put_link("/proc/self", "4000");
	expect(7, 0, 4211, NULL);
	expect(9, -ESRCH, 0, "no process with pid 9");
}

/* One level further in: the number is looked up where we are, not where the process is. */
static void test_nested(void **state)
{
	(void)state;
	process(4000, "NSpid:\t4000\t20\n", OUR_NS);
	process(4300, "NSpid:\t4300\t9\t7\n", OTHER_NS);
	process(4301, "NSpid:\t4301\t7\t1\n", OTHER_NS);
	put_link("/proc/self", "4000");
	expect(7, 0, 4301, NULL);
}

/* Namespaces cannot be read, as by anybody but root: two of them stay two. */
static void test_own_container_unreadable(void **state)
{
	(void)state;
	process(4000, "NSpid:\t4000\t20\n", OUR_NS);
	process(4211, "NSpid:\t4211\t7\n", NULL);
	put_link("/proc/self", "4000");
	expect(7, 0, 4211, NULL);
	process(5300, "NSpid:\t5300\t7\n", NULL);
	expect(7, -ENOTUNIQ, 0, "give the host's pid");
}

/* The container's own /proc shows inner numbers only: say what to do. */
static void test_containers_own_proc(void **state)
{
	struct swt_err err = { "" };

	(void)state;
	process(7, "NSpid:\t7\n", OUR_NS);
	put_link("/proc/self", "7");
	expect(7, -EOPNOTSUPP, 0, "--pid=host");
	assert_int_equal(swt_nspid_check(root, &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "mount the host's /proc"));
}

static void test_containers_own_proc_old_kernel(void **state)
{
	struct swt_err err = { "" };

	(void)state;
	process(7, "", OUR_NS);
	put_link("/proc/self", "7");
	assert_int_equal(swt_nspid_check(root, &err), -EOPNOTSUPP);
	expect(7, -EOPNOTSUPP, 0, "--pid=host");
}

/* A container in a container with the outer one's /proc: still not the host's numbers. */
static void test_outer_containers_proc(void **state)
{
	struct swt_err err = { "" };

	(void)state;
	process(1, "NSpid:\t1\n", OTHER_NS);
	process(30, "NSpid:\t30\t7\n", OUR_NS);
	put_link("/proc/self", "30");
	assert_int_equal(swt_nspid_check(root, &err), -EOPNOTSUPP);
}

static void test_host_is_fine(void **state)
{
	struct swt_err err = { "" };

	(void)state;
	assert_int_equal(swt_nspid_check(root, &err), 0); /* nothing known */
	process(100, "NSpid:\t100\n", HOST_NS);
	put_link("/proc/self", "100");
	assert_int_equal(swt_nspid_check(root, &err), 0);
	process(1, "NSpid:\t1\n", HOST_NS);
	assert_int_equal(swt_nspid_check(root, &err), 0);
	assert_string_equal(err.text, "");
}

static void test_hostile(void **state)
{
	(void)state;
	put("/proc/12/status", "NSpid:\t99999999999999999999\t7\n");
	put("/proc/13/status", "NSpid:\t-4\t7\nPid:\t1");
	put("/proc/14/status", "");
	put("/proc/99999999999/status", "NSpid:\t5\t7\n");
	put("/proc/x7/status", "NSpid:\t5\t7\n");
	put("/proc/15/status", "NSpid:\t15\t1\t2\t3\t4\t5\t6\t7\t8\t9\t10\t11\n");
	put_link("/proc/self", "nowhere");
	put_link("/proc/1/ns/pid", "pid:[x]");
	/* Eight levels are kept: 15 is 7 in the last of them. */
	expect(7, 0, 15, NULL);
	expect(11, -ESRCH, 0, "no process");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_translated),
		TEST(test_no_nspid_lines),
		TEST(test_no_such_process),
		TEST(test_empty_proc),
		TEST(test_host_first),
		TEST(test_several_containers),
		TEST(test_own_container),
		TEST(test_nested),
		TEST(test_own_container_unreadable),
		TEST(test_containers_own_proc),
		TEST(test_containers_own_proc_old_kernel),
		TEST(test_outer_containers_proc),
		TEST(test_host_is_fine),
		TEST(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
