/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/PID/{stat,status,cgroup}, also as no kernel writes them.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "model/pidfile.h"

#define STAT(s, ret)   swt_pid_stat(s, sizeof(s) - 1, ret)
#define STATUS(s, ret) swt_pid_status(s, sizeof(s) - 1, ret)

static void test_stat(void **state)
{
	struct swt_pid_stat st;

	(void)state;
	assert_int_equal(STAT("7048 (cat) R 6907 6907 3211 0 -1 4194304 99 0 0 0 12 34 0 0 20 0 3 0 103984 "
			      "3133440 362 18446744073709551615 0\n",
			      &st),
			 0);
	assert_int_equal(st.pid, 7048);
	assert_int_equal(st.ppid, 6907);
	assert_int_equal(st.state, 'R');
	assert_string_equal(st.comm, "cat");
	assert_int_equal(st.comm_len, 3);
	assert_int_equal(st.threads, 3);
	assert_true(st.start_ticks == 103984);
	assert_true(st.utime.known && st.utime.v == 12);
	assert_true(st.stime.known && st.stime.v == 34);
	assert_true(st.flags == 4194304);
	assert_false(st.flags & SWT_PF_KTHREAD);
	assert_int_equal(STAT("38 (khugepaged) S 2 0 0 0 -1 2097216 0 0 0 0 0 0 0 0 39 19 1 0 17 0 0\n", &st),
			 0);
	assert_true(st.flags & SWT_PF_KTHREAD);
}

/* Names with brackets, blanks, newlines, nothing: from the first "(" to the last ")". */
static void test_stat_names(void **state)
{
	struct swt_pid_stat st;

	(void)state;
	assert_int_equal(STAT("83875 (sleep (2) .sh) S 75750 ...", &st), 0);
	assert_int_equal(st.state, 'S');
	assert_int_equal(st.ppid, 75750);
	assert_string_equal(st.comm, "sleep (2) .sh");
	assert_int_equal(st.threads, 0);
	assert_false(st.utime.known);
	assert_int_equal(STAT("7 (a) R 1 (b) S 75750 7 7\n", &st), 0);
	assert_string_equal(st.comm, "a) R 1 (b");
	assert_int_equal(st.state, 'S');
	assert_int_equal(st.ppid, 75750);
	assert_int_equal(STAT("7 () S 1\n", &st), 0);
	assert_int_equal(st.comm_len, 0);
	assert_int_equal(STAT("7 (a\nb) S 1\n", &st), 0);
	assert_string_equal(st.comm, "a\nb");
	assert_int_equal(STAT("7 (\033[31m\0x) Z 1\n", &st), 0);
	assert_int_equal(st.comm_len, 7);
	assert_memory_equal(st.comm, "\033[31m\0x", 8);
	assert_int_equal(
		STAT("7 (kworker/u64:12-events_freezable_power_efficient_and_more_and_more_and_more) I 2\n",
		     &st),
		0);
	assert_int_equal(st.comm_len, 63);
	assert_int_equal(strlen(st.comm), 63);
}

static void test_stat_damaged(void **state)
{
	static const char *const bad[] = {
		"",
		"\n",
		"7",
		"7 (",
		"7 (a",
		"7 )a( S 1",
		"7 (a)",
		"7 (a) ",
		"7 (a) S",
		"7 (a) S ",
		"(a) S 1",
		"x (a) S 1",
		"7 8 (a) S 1",
		"-7 (a) S 1",
		"99999999999 (a) S 1",
		"7 (a) SS 1",
		"7 (a) S -1",
		"7 (a) S 99999999999999999999999",
		"7 (a)\nS 1",
	};
	struct swt_pid_stat st, before;

	(void)state;
	memset(&st, 0x5a, sizeof(st));
	before = st;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(swt_pid_stat(bad[i], strlen(bad[i]), &st), -EBADMSG);
		assert_memory_equal(&st, &before, sizeof(st));
	}
	/* Numbers out of range are unknown, the others stay. */
	assert_int_equal(
		STAT("7 (a) S 1 7 7 0 -1 x 0 0 0 0 18446744073709551616 5 0 0 20 0 99999999999 0 -3\n", &st),
		0);
	assert_false(st.utime.known);
	assert_true(st.stime.known && st.stime.v == 5);
	assert_int_equal(st.threads, 0);
	assert_true(st.start_ticks == 0);
}

static void test_status(void **state)
{
	struct swt_pid_status st;

	(void)state;
	assert_int_equal(
		STATUS("Name:\thog\nUmask:\t0022\nState:\tS (sleeping)\nTgid:\t4211\nNgid:\t0\nPid:\t4211\n"
		       "PPid:\t99\nTracerPid:\t0\nNStgid:\t4211\t7\nNSpid:\t4211\t7\nNSpgid:\t4211\t7\n"
		       "VmPeak:\t  100 kB\nVmRSS:\t    1024 kB\nVmSwap:\t  131072 kB\nTHP_enabled:\t1\n"
		       "Threads:\t8\n",
		       &st),
		0);
	assert_int_equal(st.tgid, 4211);
	assert_int_equal(st.pid, 4211);
	assert_int_equal(st.ppid, 99);
	assert_int_equal(st.state, 'S');
	assert_true(st.vm_swap.known && st.vm_swap.v == 131072ull * 1024);
	assert_true(st.vm_rss.known && st.vm_rss.v == 1024 * 1024);
	assert_true(st.threads.known && st.threads.v == 8);
	assert_true(st.thp_enabled.known && st.thp_enabled.v == 1);
	assert_int_equal(st.nnspid, 2);
	assert_int_equal(st.nspid[0], 4211);
	assert_int_equal(st.nspid[1], 7);
}

/* No Vm lines (kernel thread, zombie leader) is unknown, not 0; "VmSwap: 0 kB" is 0. */
static void test_status_missing_is_not_zero(void **state)
{
	struct swt_pid_status st;

	(void)state;
	assert_int_equal(STATUS("Name:\thog\nState:\tZ (zombie)\nPid:\t5\nThreads:\t3\n", &st), 0);
	assert_false(st.vm_swap.known);
	assert_false(st.vm_rss.known);
	assert_int_equal(st.nnspid, 0);
	assert_int_equal(STATUS("VmSwap:\t       0 kB\n", &st), 0);
	assert_true(st.vm_swap.known && st.vm_swap.v == 0);
}

static void test_status_hostile(void **state)
{
	struct swt_pid_status st;
	char *big;
	size_t n = 0, size = 1 << 20;

	(void)state;
	assert_int_equal(STATUS("", &st), -EBADMSG);
	assert_int_equal(STATUS("\n\n\nName:\tx\nVm\nVmSwa", &st), -EBADMSG);
	assert_int_equal(STATUS("VmSwap:\t18446744073709551615 kB\n", &st), 0);
	assert_false(st.vm_swap.known);
	assert_int_equal(STATUS("VmSwap:\t18014398509481983 kB\n", &st), 0);
	assert_true(st.vm_swap.known && st.vm_swap.v == 18014398509481983ull * 1024);
	assert_int_equal(STATUS("VmSwap:\t18014398509481984 kB\n", &st), 0);
	assert_false(st.vm_swap.known);
	assert_int_equal(STATUS("VmSwap:\t-4 kB\nVmRSS:\t 0x10 kB\nPid:\t-3\nState:", &st), 0);
	assert_false(st.vm_swap.known);
	assert_false(st.vm_rss.known);
	assert_int_equal(st.pid, 0);
	assert_int_equal(st.state, 0);
	assert_int_equal(STATUS("VmSwap:\t4\0 kB\nThreads:", &st), 0);
	assert_false(st.vm_swap.known);
	assert_false(st.threads.known);
	assert_int_equal(STATUS("NSpid:\t1\t2\t3\t4\t5\t6\t7\t8\t9\t10\n", &st), 0);
	assert_int_equal(st.nnspid, SWT_MAX_NSPID);
	assert_int_equal(st.nspid[7], 8);
	/* A name cannot add lines: the kernel writes its newline as \n. */
	assert_int_equal(STATUS("Name:\tx\\nVmSwap:\t1 kB\nPid:\t4\n", &st), 0);
	assert_false(st.vm_swap.known);

	big = malloc(size);
	assert_non_null(big);
	while (n + 40 < size)
		n += (size_t)snprintf(big + n, size - n, "VmUnknown%zu:\t%zu kB\n", n, n);
	memcpy(big + n, "VmSwap:\t4 kB", 12);
	assert_int_equal(swt_pid_status(big, n + 12, &st), 0);
	assert_true(st.vm_swap.known && st.vm_swap.v == 4096);
	memset(big, 'V', size);
	assert_int_equal(swt_pid_status(big, size, &st), -EBADMSG);
	free(big);
}

static void cgroup(const char *text, const char *want)
{
	size_t len = 77;
	const char *p = swt_pid_cgroup(text, strlen(text), &len);

	if (!want) {
		assert_null(p);
		assert_int_equal(len, 77);
		return;
	}
	assert_non_null(p);
	assert_true(p >= text && p + len <= text + strlen(text));
	assert_int_equal(len, strlen(want));
	assert_memory_equal(p, want, len);
}

static void test_cgroup(void **state)
{
	(void)state;
	cgroup("0::/user.slice/a.scope\n", "/user.slice/a.scope");
	cgroup("0::/\n", "/");
	cgroup("0::/x", "/x");
	/* Mixed hierarchies. */
	cgroup("9:name=systemd:/s\n4:memory:/m/1\n0::/\n", "/m/1");
	cgroup("5:cpu,memory:/m\n1:cpuset:/c\n", "/m");
	cgroup("4:memory:/m\n0::/u\n", "/u");
	cgroup("9:name=systemd:/s\n0::/\n", "/");
	cgroup("9:name=systemd:/s\n", NULL);
	cgroup("9:memoryless,xmemory:/s\n", NULL);
	/* A colon is legal in a name, and so is the mark of a removed group. */
	cgroup("0::/a:b:c (deleted)\n", "/a:b:c (deleted)");
	cgroup("4:memory:/\n", "/");
	cgroup("", NULL);
	cgroup("\n\n:\n::\n0::\n0:\n4:memory:\n4:memory:x\n0::relative\n", NULL);
	cgroup("10::/not-unified\n", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stat),
		cmocka_unit_test(test_stat_names),
		cmocka_unit_test(test_stat_damaged),
		cmocka_unit_test(test_status),
		cmocka_unit_test(test_status_missing_is_not_zero),
		cmocka_unit_test(test_status_hostile),
		cmocka_unit_test(test_cgroup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
