/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What did not die as it should.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/dying.h"

static char dir[64];

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

/* A directory that plays /proc. */
static int setup(void **state)
{
	struct swt_root *root;

	snprintf(dir, sizeof(dir), "/tmp/swt-dying-XXXXXX");
	if (!mkdtemp(dir) || swt_root_new(dir, &root))
		return -1;
	*state = root;
	return 0;
}

static int teardown(void **state)
{
	swt_root_free(*state);
	return nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void put(const char *path, const char *text)
{
	char full[256], *slash;
	FILE *f;

	snprintf(full, sizeof(full), "%s%s", dir, path);
	for (slash = full + strlen(dir) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(full, 0755);
		*slash = '/';
	}
	f = fopen(full, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void put_task(int pid, int tid, const char *comm, char state)
{
	char path[64], text[160];

	snprintf(text, sizeof(text), "%d (%s) %c 1 1 1 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 2 0 4242 0 0\n", tid,
		 comm, state);
	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, tid);
	put(path, text);
	if (pid == tid) {
		snprintf(path, sizeof(path), "/proc/%d/stat", pid);
		put(path, text);
	}
}

static void check_zombie(struct swt_root *root, pid_t pid, int rc, const char *want)
{
	struct swt_buf b = SWT_BUF_INIT;

	assert_int_equal(swt_zombie_leader(root, pid, &b), rc);
	assert_string_equal(swt_buf_str(&b), want);
	swt_buf_free(&b);
}

static void test_zombie_leader(void **state)
{
	put_task(22912, 22912, "runc", 'Z');
	put_task(22912, 22950, "a) R 1 (b", 'D');
	check_zombie(*state, 22912, 1, "leader zombie; 1 thread alive: 22950 D");
}

/* The same from status files alone. */
static void test_zombie_leader_status(void **state)
{
	put("/proc/22912/status",
	    "Name:\trunc\nState:\tZ (zombie)\nTgid:\t22912\nPid:\t22912\nThreads:\t2\n");
	put("/proc/22912/task/22912/status", "Name:\trunc\nState:\tZ (zombie)\nTgid:\t22912\nPid:\t22912\n");
	put("/proc/22912/task/22950/status",
	    "Name:\trunc\nState:\tD (disk sleep)\nTgid:\t22912\nPid:\t22950\n");
	check_zombie(*state, 22912, 1, "leader zombie; 1 thread alive: 22950 D");
}

static void test_not_zombie_leader(void **state)
{
	put_task(50, 50, "alone", 'Z');
	put_task(60, 60, "fine", 'S');
	put_task(60, 61, "fine", 'R');
	put_task(70, 70, "all dead", 'Z');
	put_task(70, 71, "all dead", 'X');
	put("/proc/70/task/72/stat", "garbage");
	put("/proc/70/task/notanumber/stat", "7 (x) D 1");
	check_zombie(*state, 50, 0, "");
	check_zombie(*state, 60, 0, "");
	check_zombie(*state, 70, 0, "");
	check_zombie(*state, 80, -ENOENT, "");
}

static void test_many_threads(void **state)
{
	struct swt_buf b = SWT_BUF_INIT;

	put_task(100, 100, "big", 'Z');
	for (int i = 1; i <= 2000; i++)
		put_task(100, 100 + i, "big", 'S');
	assert_int_equal(swt_zombie_leader(*state, 100, &b), 1);
	assert_non_null(strstr(swt_buf_str(&b), "leader zombie; 2,000 threads alive: "));
	assert_non_null(strstr(swt_buf_str(&b), ", 1,992 more"));
	assert_true(b.len < 200);
	swt_buf_free(&b);
}

static void test_leader_text(void **state)
{
	struct swt_buf b = SWT_BUF_INIT;

	(void)state;
	assert_int_equal(swt_leader_text(swt_some(3), &b), 0);
	assert_string_equal(swt_buf_str(&b), "leader exited, 3 threads alive");
	swt_buf_reset(&b);
	assert_int_equal(swt_leader_text(swt_some(1), &b), 0);
	assert_string_equal(swt_buf_str(&b), "leader exited, 1 thread alive");
	swt_buf_reset(&b);
	assert_int_equal(swt_leader_text(SWT_UNKNOWN, &b), 0);
	assert_string_equal(swt_buf_str(&b), "leader exited, others alive");
	swt_buf_free(&b);
}

static void check_label(struct swt_kill_state k, const char *want)
{
	struct swt_buf b = SWT_BUF_INIT;

	k.wchan_len = k.wchan ? strlen(k.wchan) : 0;
	assert_int_equal(swt_kill_label(&k, &b), 0);
	assert_string_equal(swt_buf_str(&b), want);
	swt_buf_free(&b);
}

static void test_kill_label(void **state)
{
	struct swt_kill_state k = { .state = 'D', .wchan = "percpu_rwsem_wait", .signalled = true };

	(void)state;
	check_label(k, "kill pending, blocked in percpu_rwsem_wait, exit not begun");
	k.wchan = "0"; /* hidden from this user */
	check_label(k, "kill pending, blocked (where is not known), exit not begun");
	k.wchan = NULL;
	k.state = 'S';
	check_label(k, "kill pending, exit not begun");
	k.signalled = false;
	check_label(k, "");
	k.begun = true;
	check_label(k, "dying, swap released so far not known");
	k.entries = swt_some(1000);
	k.freed = swt_some(374);
	check_label(k, "dying, 37 % of swap released");
	k.freed = swt_some(1100); /* some were swapped out while it died */
	check_label(k, "dying, 100 % of swap released");
	k.freed = swt_some(999);
	check_label(k, "dying, 99 % of swap released"); /* not done is not 100 */
	k.entries = swt_some(0);
	check_label(k, "dying, had no swap");
	k.entries = swt_some(UINT64_MAX);
	k.freed = swt_some(UINT64_MAX - 1);
	check_label(k, "dying, 99 % of swap released");
}

static void test_kill_read(void **state)
{
	struct swt_buf wchan = SWT_BUF_INIT, b = SWT_BUF_INIT;
	struct swt_kill_state k;

	put_task(300, 300, "writer", 'D');
	put("/proc/300/status", "Name:\tSigPnd:\nState:\tD (disk sleep)\nSigPnd:\t0000000000000000\n"
				"ShdPnd:\t0000000000000100\n");
	put("/proc/300/wchan", "percpu_rwsem_wait");
	assert_int_equal(swt_kill_read(*state, 300, &wchan, &k), 0);
	assert_true(k.signalled);
	assert_int_equal(swt_kill_label(&k, &b), 0);
	assert_string_equal(swt_buf_str(&b), "kill pending, blocked in percpu_rwsem_wait, exit not begun");
	put("/proc/300/status",
	    "State:\tD (disk sleep)\nSigPnd:\t0000000000004000\nShdPnd:\t0000000000004000\n");
	assert_int_equal(swt_kill_read(*state, 300, &wchan, &k), 0);
	assert_false(k.signalled); /* SIGTERM: it may be handled */
	assert_int_equal(swt_kill_read(*state, 301, &wchan, &k), -ENOENT);
	swt_buf_free(&wchan);
	swt_buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_zombie_leader, setup, teardown),
		cmocka_unit_test_setup_teardown(test_zombie_leader_status, setup, teardown),
		cmocka_unit_test_setup_teardown(test_not_zombie_leader, setup, teardown),
		cmocka_unit_test_setup_teardown(test_many_threads, setup, teardown),
		cmocka_unit_test(test_leader_text),
		cmocka_unit_test(test_kill_label),
		cmocka_unit_test_setup_teardown(test_kill_read, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
