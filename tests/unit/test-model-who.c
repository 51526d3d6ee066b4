/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who it was and why it died: names, groups, recycled pids, signals, samples.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "modelrun.h"

#define MS 1000000ull

/* F66: any name is a name. */
static void odd_name(void **state)
{
	struct run run;

	(void)state;
	run_init(&run, true, 2);
	run_lines(
		&run,
		"  a: b [001]-42-10180   [000] .....   831.301673: sched_process_exit: comm=a: b [001]-42 pid=10180 prio=120 group_dead=true\n"
		"  a: b [001]-42-10180   [000] .....   831.311673: exit_mmap: mm=0\n");
	assert_non_null(run_done(&run, 10180, 0));
	assert_string_equal(run_done(&run, 10180, 0)->comm, "a: b [001]-42");
	assert_opt(run_done(&run, 10180, 0)->teardown, 10 * MS);
	run_free(&run);
}

/* F73: the late end of the old process must not touch the new one. */
static void pid_reuse(void **state)
{
	struct run run;
	const struct swt_release *a, *b;

	(void)state;
	run_init(&run, true, 4);
	run_lines(
		&run,
		"sh-10 [000] ..... 0.9: task_newtask: pid=399 comm=sh clone_flags=1200011\n"
		"hog-399 [000] ..... 0.95: sched_process_exec: filename=/bin/hog pid=399 old_pid=399\n"
		"hog-399 [000] ..... 1.0: rss_stat: mm_id=1 curr=1 type=MM_SWAPENTS size=4096000B\n"
		"hog-399 [000] ..... 1.1: sched_process_exit: comm=hog pid=399 prio=120 group_dead=true\n"
		"hog-399 [000] ..... 1.11: rss_stat: mm_id=1 curr=0 type=MM_SWAPENTS size=0B\n"
		"hog-399 [000] ..... 1.12: exit_mmap: mm=0\n"
		"hog-399 [000] ..... 1.13: signal_generate: sig=17 errno=0 code=1 comm=sh pid=10 grp=1 res=0\n"
		"sh-10 [001] ..... 1.20: task_newtask: pid=399 comm=sh clone_flags=1200011\n"
		"sh-10 [001] ..... 1.20: sched_process_fork: comm=sh pid=10 child_comm=sh child_pid=399\n"
		"cat-399 [001] ..... 1.21: sched_process_exec: filename=/bin/cat pid=399 old_pid=399\n"
		"cat-399 [001] ..... 1.22: rss_stat: mm_id=2 curr=1 type=MM_SWAPENTS size=40960B\n"
		"rcu-15 [000] ..... 1.23: sched_process_free: comm=hog pid=399 prio=120\n");
	a = run_done(&run, 399, 0);
	assert_non_null(a);
	assert_string_equal(a->comm, "hog");
	assert_opt(a->freed, 1000);
	assert_true(run_last(&run, a->id)->r.final);
	assert_opt(run_last(&run, a->id)->r.reap_ns, 100 * MS);
	assert_int_equal(swt_model_tgid(run.m, 399), 399);
	run_lines(&run,
		  "cat-399 [001] ..... 2.1: sched_process_exit: comm=cat pid=399 prio=120 group_dead=true\n"
		  "cat-399 [001] ..... 2.11: rss_stat: mm_id=2 curr=0 type=MM_SWAPENTS size=0B\n"
		  "cat-399 [001] ..... 2.12: exit_mmap: mm=0\n");
	b = run_done(&run, 399, 1);
	assert_non_null(b);
	assert_string_equal(b->comm, "cat");
	assert_opt(b->freed, 10);
	assert_opt(b->born_ns, 1200 * MS);
	assert_string_not_equal(a->id, b->id);
	run_free(&run);
}

/* F75: 200 children of 5 ms: every one has its own name, though nobody could look. */
static void short_lived(void **state)
{
	struct run run;
	char line[512], want[16];

	(void)state;
	run_init(&run, true, 2);
	for (int i = 0; i < 200; i++) {
		int pid = 1000 + i;
		double t = 1.0 + i * 0.005;

		snprintf(
			line, sizeof(line),
			"sh-10 [000] ..... %.6f: task_newtask: pid=%d comm=sh clone_flags=4111\n"
			"job-%d [000] ..... %.6f: sched_process_exec: filename=/opt/jobs/job%d pid=%d old_pid=%d\n"
			"job-%d [000] ..... %.6f: sched_process_exit: comm=job%d pid=%d prio=120 group_dead=true\n"
			"job-%d [000] ..... %.6f: exit_mmap: mm=0\n"
			"rcu-15 [000] ..... %.6f: sched_process_free: comm=job%d pid=%d prio=120\n",
			t, pid, pid, t + 0.001, i, pid, pid, pid, t + 0.003, i, pid, pid, t + 0.004,
			t + 0.0045, i, pid);
		run_lines(&run, line);
	}
	assert_int_equal(run_count(&run), 200);
	for (int i = 0; i < 200; i++) {
		const struct swt_release *r = run_done(&run, 1000 + i, 0);

		snprintf(want, sizeof(want), "job%d", i);
		assert_non_null(r);
		assert_string_equal(r->comm, want);
		assert_int_equal(r->ppid, 10);
		assert_opt(r->teardown, 1 * MS);
	}
	assert_int_equal(run.born, 200);
	assert_int_equal(run.freed, 200);
	run_free(&run);
}

/* The group is read while the process lives, passed to its children, and kept after death. */
static void cgroups(void **state)
{
	struct run run;

	(void)state;
	run_init(&run, true, 2);
	run_file(
		&run, 1, "/proc/10/status",
		"Name:\tsh\nState:\tS\nTgid:\t10\nPid:\t10\nPPid:\t1\nVmRSS:\t 10 kB\nVmSwap:\t 0 kB\nThreads:\t1\n");
	run_file(&run, 1, "/proc/10/cgroup", "0::/user.slice/a\n");
	run_lines(&run, "sh-10 [000] ..... 1.0: task_newtask: pid=50 comm=sh clone_flags=1200011\n"
			"sh-10 [000] ..... 1.0: task_newtask: pid=51 comm=sh clone_flags=1200011\n");
	run_file(&run, 1010, "/proc/51/cgroup", "0::/user.slice/b\n");
	run_lines(&run, "sh-50 [000] ..... 1.1: sched_process_exit: comm=sh pid=50 prio=120 group_dead=true\n"
			"sh-50 [000] ..... 1.2: exit_mmap: mm=0\n"
			"sh-51 [000] ..... 1.3: sched_process_exit: comm=sh pid=51 prio=120 group_dead=true\n"
			"sh-51 [000] ..... 1.4: exit_mmap: mm=0\n"
			"x-60 [000] ..... 1.3: sched_process_exit: comm=x pid=60 prio=120 group_dead=true\n"
			"x-60 [000] ..... 1.4: exit_mmap: mm=0\n");
	assert_string_equal(run_done(&run, 50, 0)->cgroup, "/user.slice/a");
	assert_string_equal(run_done(&run, 51, 0)->cgroup, "/user.slice/b");
	assert_null(run_done(&run, 60, 0)->cgroup);
	run_free(&run);
}

struct cause {
	const char *lines;
	int signal, sender;
	bool known;
};

static void causes(void **state)
{
	static const struct cause c[] = {
		/* SIGKILL */
		{ "lmkd-40 [001] ..... 1.0: signal_generate: sig=9 errno=0 code=0 comm=a pid=50 grp=1 res=0\n"
		  "a-50 [000] ..... 1.1: signal_deliver: sig=9 errno=0 code=0 sa_handler=0 sa_flags=0\n",
		  9, 40, true },
		/* SIGTERM with a handler: it exits by itself */
		{ "init-1 [001] ..... 1.0: signal_generate: sig=15 errno=0 code=0 comm=a pid=50 grp=1 res=0\n"
		  "a-50 [000] ..... 1.1: signal_deliver: sig=15 errno=0 code=0 sa_handler=55d0 sa_flags=0\n",
		  0, 0, true },
		/* SIGTERM by default: the kernel turns it into SIGKILL for every thread */
		{ "init-1 [001] ..... 1.0: signal_generate: sig=15 errno=0 code=0 comm=a pid=50 grp=1 res=0\n"
		  "a-50 [000] ..... 1.1: signal_deliver: sig=9 errno=0 code=0 sa_handler=0 sa_flags=0\n",
		  15, 1, true },
		/* handled SIGTERM, then SIGKILL: the last one counts */
		{ "init-1 [001] ..... 1.0: signal_generate: sig=15 errno=0 code=0 comm=a pid=50 grp=1 res=0\n"
		  "a-50 [000] ..... 1.1: signal_deliver: sig=15 errno=0 code=0 sa_handler=55d0 sa_flags=0\n"
		  "init-1 [001] ..... 1.2: signal_generate: sig=9 errno=0 code=0 comm=a pid=50 grp=1 res=0\n"
		  "a-50 [000] ..... 1.3: signal_deliver: sig=9 errno=0 code=0 sa_handler=0 sa_flags=0\n",
		  9, 1, true },
		/* ignored by the target (result 1) */
		{ "init-1 [001] ..... 1.0: signal_generate: sig=15 errno=0 code=0 comm=a pid=50 grp=1 res=1\n",
		  0, 0, true },
		/* SIGCHLD and SIGWINCH have no handler and kill nobody */
		{ "a-50 [000] ..... 1.1: signal_deliver: sig=17 errno=0 code=0 sa_handler=0 sa_flags=0\n"
		  "a-50 [000] ..... 1.1: signal_deliver: sig=28 errno=0 code=0 sa_handler=0 sa_flags=0\n",
		  0, 0, true },
		/* a fault: sent by the kernel, in its own context */
		{ "a-50 [000] ..... 1.0: signal_generate: sig=11 errno=0 code=1 comm=a pid=50 grp=0 res=0\n"
		  "a-50 [000] ..... 1.1: signal_deliver: sig=11 errno=0 code=1 sa_handler=0 sa_flags=0\n",
		  11, 0, true },
		/* killed by another thread's exit_group: a SIGKILL that nobody generated */
		{ "a-50 [000] ..... 1.1: signal_deliver: sig=9 errno=0 code=0 sa_handler=0 sa_flags=0\n", 0,
		  0, true },
		/* a signal we do not watch being sent, seen delivered */
		{ "a-50 [000] ..... 1.1: signal_deliver: sig=6 errno=0 code=-6 sa_handler=0 sa_flags=0\n", 6,
		  0, true },
		{ "", 0, 0, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		struct run run;
		const struct swt_release *r;

		run_init(&run, true, 2);
		run_lines(&run, c[i].lines);
		run_lines(&run,
			  "a-50 [000] ..... 2.0: sched_process_exit: comm=a pid=50 prio=120 group_dead=true\n"
			  "a-50 [000] ..... 2.1: exit_mmap: mm=0\n");
		r = run_done(&run, 50, 0);
		assert_non_null(r);
		assert_int_equal(r->signal, c[i].signal);
		assert_int_equal(r->sender, c[i].sender);
		assert_int_equal(r->cause_known, c[i].known);
		assert_false(r->oom);
		run_free(&run);
	}
	/* Not watched: unknown, which is not "by itself". */
	struct run run;

	run_init(&run, true, 2);
	run_without(&run, SWT_EV_SIGNAL_DELIVER);
	run_lines(&run, "a-50 [000] ..... 2.0: sched_process_exit: comm=a pid=50 prio=120 group_dead=true\n"
			"a-50 [000] ..... 2.1: exit_mmap: mm=0\n");
	assert_false(run_done(&run, 50, 0)->cause_known);
	run_free(&run);
}

/* F25, F27: the victim is the pid in the event; who allocated is somebody else. */
static void oom_victim(void **state)
{
	struct run run;

	(void)state;
	run_init(&run, true, 2);
	run_file(&run, 1, "/proc/999/stat",
		 "999 (java) S 10 300 300 0 -1 0 0 0 0 0 1 2 0 0 20 0 1 0 77 0 0\n");
	run_file(&run, 1, "/proc/999/cgroup", "0::/victims\n");
	run_file(&run, 1, "/proc/1234/cgroup", "0::/allocators\n");
	run_lines(
		&run,
		"alloc-1234 [001] ..... 5.0: mark_victim: pid=999\n"
		"x-999 [000] ..... 6.0: sched_process_exit: comm=worker pid=1000 prio=120 group_dead=false\n"
		"java-999 [000] ..... 6.0: sched_process_exit: comm=java pid=999 prio=120 group_dead=true\n"
		"java-999 [000] ..... 6.1: exit_mmap: mm=0\n");
	assert_true(run_done(&run, 999, 0)->oom);
	assert_string_equal(run_done(&run, 999, 0)->comm, "java");
	assert_string_equal(run_done(&run, 999, 0)->cgroup, "/victims");
	assert_null(run_done(&run, 1234, 0));
	assert_non_null(strstr(run.notes, "java"));
	run_free(&run);
}

/* A TID seen first in an event is taken for a process until its status tells. */
static void thread_found_late(void **state)
{
	struct run run;
	pid_t want[8];
	size_t n;

	(void)state;
	run_init(&run, true, 2);
	run_file(
		&run, 1, "/proc/50/status",
		"Name:\tapp\nState:\tS\nTgid:\t50\nPid:\t50\nPPid:\t1\nVmRSS:\t 10 kB\nVmSwap:\t 400 kB\nThreads:\t2\n");
	run_file(&run, 1, "/proc/50/stat", "50 (app) S 10 300 300 0 -1 0 0 0 0 0 1 2 0 0 20 0 2 0 77 0 0\n");
	run_lines(&run,
		  "w-53 [000] ..... 1.0: signal_deliver: sig=10 errno=0 code=0 sa_handler=55 sa_flags=0\n");
	assert_int_equal(swt_model_tgid(run.m, 53), 53);
	n = swt_model_wants(run.m, want, 8);
	assert_int_equal(n, 1);
	assert_int_equal(want[0], 53);
	assert_int_equal(swt_model_wants(run.m, want, 8), 0);
	run_file(
		&run, 1100, "/proc/53/status",
		"Name:\tw\nState:\tS\nTgid:\t50\nPid:\t53\nPPid:\t1\nVmRSS:\t 10 kB\nVmSwap:\t 400 kB\nThreads:\t2\n");
	assert_int_equal(swt_model_tgid(run.m, 53), 50);
	run_lines(&run,
		  "app-50 [000] ..... 2.0: sched_process_exit: comm=app pid=50 prio=120 group_dead=false\n"
		  "w-53 [000] ..... 2.0: sched_process_exit: comm=w pid=53 prio=120 group_dead=true\n"
		  "w-53 [000] ..... 2.1: exit_mmap: mm=0\n");
	assert_int_equal(run_count(&run), 1);
	assert_non_null(run_done(&run, 50, 0));
	assert_string_equal(run_done(&run, 50, 0)->comm, "app");
	assert_opt(run_done(&run, 50, 0)->swap_entries, 100);
	assert_opt(run_done(&run, 50, 0)->threads, 2);
	assert_opt(run_done(&run, 50, 0)->born_ns, 770 * MS);
	run_free(&run);
}

/* Kernel threads come and go without memory: no release, held or otherwise. */
static void kernel_threads(void **state)
{
	struct run run;

	(void)state;
	run_init(&run, true, 2);
	run_lines(
		&run,
		"kthreadd-2 [000] ..... 1.0: task_newtask: pid=70 comm=kthreadd clone_flags=800700\n"
		"kworker-70 [000] ..... 2.0: sched_process_exit: comm=kworker/0:1 pid=70 prio=120 group_dead=true\n"
		"rcu-15 [000] ..... 2.1: sched_process_free: comm=kworker/0:1 pid=70 prio=120\n");
	run_end(&run, 3000);
	assert_int_equal(run.n, 0);
	run_free(&run);
}

/* A program started by the kernel has memory from its exec on. */
static void usermode_helper(void **state)
{
	struct run run;

	(void)state;
	run_init(&run, true, 2);
	run_lines(
		&run,
		"kthreadd-2 [000] ..... 1.0: task_newtask: pid=70 comm=kthreadd clone_flags=800700\n"
		"kworker-70 [000] ..... 1.1: task_newtask: pid=71 comm=kworker clone_flags=800011\n"
		"modprobe-71 [000] ..... 1.2: sched_process_exec: filename=/sbin/modprobe pid=71 old_pid=71\n"
		"modprobe-71 [000] ..... 2.0: sched_process_exit: comm=modprobe pid=71 prio=120 group_dead=true\n"
		"modprobe-71 [000] ..... 2.1: exit_mmap: mm=0\n");
	assert_int_equal(run_count(&run), 1);
	assert_non_null(run_done(&run, 71, 0));
	run_free(&run);
}

/* Gone in /proc without an exit event: a ghost, dropped; but not before late events had their turn. */
static void ghosts(void **state)
{
	struct swt_snapshot *snap = test_malloc(sizeof(*snap));
	struct run run;

	(void)state;
	run_init(&run, true, 2);
	run_file(&run, 1, "/proc/50/stat", "50 (late) S 10 300 300 0 -1 0 0 0 0 0 1 2 0 0 20 0 2 0 77 0 0\n");
	run_file(&run, 1, "/proc/51/stat",
		 "51 (ghost) S 10 300 300 0 -1 0 0 0 0 0 1 2 0 0 20 0 2 0 77 0 0\n");
	run_file(&run, 1000, "/proc/50/status", "");
	run_file(&run, 1000, "/proc/51/status", "");
	run_tick(&run, 1500);
	run_lines(&run,
		  "late-50 [000] ..... 0.9: sched_process_exit: comm=worker pid=50 prio=120 group_dead=true\n"
		  "late-50 [000] ..... 0.95: exit_mmap: mm=0\n");
	assert_int_equal(run_count(&run), 1);
	assert_int_equal(run_done(&run, 50, 0)->ppid, 10);
	swt_model_snapshot(run.m, 1600 * MS, snap);
	assert_int_equal(snap->processes, 1);
	run_tick(&run, 4000);
	swt_model_snapshot(run.m, 4100 * MS, snap);
	assert_int_equal(snap->processes, 0);
	assert_null(run_done(&run, 51, 0));
	run_free(&run);
	test_free(snap);
}

/* Without any events a process that vanished is an exit known by sample alone. */
static void samples_only(void **state)
{
	struct run run;
	const struct swt_release *r;

	(void)state;
	run_init(&run, true, 0);
	for (int i = 0; i < SWT_EV_COUNT; i++)
		run_without(&run, (enum swt_ev)i);
	run_file(&run, 1, "/proc/50/stat", "50 (app) S 10 300 300 0 -1 0 0 0 0 0 1 2 0 0 20 0 2 0 77 0 0\n");
	run_file(
		&run, 1, "/proc/50/status",
		"Name:\tapp\nState:\tS\nTgid:\t50\nPid:\t50\nPPid:\t1\nVmRSS:\t 10 kB\nVmSwap:\t 400 kB\nThreads:\t1\n");
	run_file(&run, 1000, "/proc/50/status", "");
	r = run_done(&run, 50, 0);
	assert_non_null(r);
	assert_opt(r->swap_entries, 100);
	assert_unknown(r->freed);
	assert_unknown(r->teardown);
	assert_int_equal(r->by_end, SWT_BY_SAMPLE);
	assert_int_equal(r->by_entries, SWT_BY_VMSWAP);
	assert_false(r->cause_known);
	assert_true(r->final);
	run_free(&run);
}

/* A zombie of which no exit_mmap came: its memory is in somebody else's hands. */
static void zombie_sample(void **state)
{
	struct run run;

	(void)state;
	run_init(&run, true, 2);
	run_lines(&run,
		  "sh-10 [000] ..... 0.1: task_newtask: pid=50 comm=hog clone_flags=1200011\n"
		  "hog-50 [001] ..... 1.000: sched_process_exit: comm=hog pid=50 prio=120 group_dead=true\n");
	run_file(&run, 1200, "/proc/50/status",
		 "Name:\thog\nState:\tZ (zombie)\nTgid:\t50\nPid:\t50\nPPid:\t10\nThreads:\t1\n");
	assert_int_equal(run.n, 0);
	run_tick(&run, 2000);
	assert_int_equal(run_count(&run), 1);
	assert_true(run_done(&run, 50, 0)->held);
	run_free(&run);
}

/* An exec by a thread that is not the leader takes over the pid. */
static void exec_by_thread(void **state)
{
	struct run run;
	const struct swt_release *r;

	(void)state;
	run_init(&run, true, 4);
	run_lines(&run,
		  "sh-10 [000] ..... 0.1: task_newtask: pid=50 comm=app clone_flags=1200011\n"
		  "app-50 [000] ..... 0.2: task_newtask: pid=51 comm=app clone_flags=3d0f00\n"
		  "app-51 [000] ..... 0.3: rss_stat: mm_id=2 curr=1 type=MM_SWAPENTS size=4096000B\n"
		  "app-50 [000] ..... 0.4: sched_process_exit: comm=app pid=50 prio=120 group_dead=false\n"
		  "app-50 [000] ..... 0.5: rss_stat: mm_id=2 curr=0 type=MM_SWAPENTS size=0B\n"
		  "app-50 [000] ..... 0.6: exit_mmap: mm=0\n"
		  "new-50 [000] ..... 0.7: sched_process_exec: filename=/bin/new pid=50 old_pid=51\n");
	r = run_done(&run, 50, 0);
	assert_non_null(r);
	assert_int_equal(r->kind, SWT_REL_EXEC);
	assert_opt(r->freed, 1000);
	assert_int_equal(swt_model_tgid(run.m, 51), 0);
	run_lines(&run,
		  "rcu-15 [000] ..... 0.8: sched_process_free: comm=app pid=51 prio=120\n"
		  "new-50 [000] ..... 1.0: sched_process_exit: comm=new pid=50 prio=120 group_dead=true\n"
		  "new-50 [000] ..... 1.1: exit_mmap: mm=0\n");
	r = run_done(&run, 50, 1);
	assert_non_null(r);
	assert_string_equal(r->comm, "new");
	assert_opt(r->threads, 1);
	run_free(&run);
}

/* The end of the stream: what is reported and not final is said once more. */
static void stream_ends(void **state)
{
	struct run run;

	(void)state;
	run_init(&run, true, 2);
	run_lines(&run, "a-50 [000] ..... 1.0: sched_process_exit: comm=a pid=50 prio=120 group_dead=true\n"
			"a-50 [000] ..... 1.1: exit_mmap: mm=0\n"
			"b-60 [000] ..... 1.2: sched_process_exit: comm=b pid=60 prio=120 group_dead=true\n");
	assert_int_equal(run.n, 1);
	run_end(&run, 2000);
	assert_int_equal(run.n, 3);
	assert_int_equal(run_count(&run), 2);
	for (size_t i = 0; i < run.n; i++)
		assert_false(run.out[i].r.final);
	assert_int_equal(run_last(&run, run_done(&run, 50, 0)->id)->step, SWT_STEP_UPDATE);
	assert_unknown(run_done(&run, 60, 0)->teardown);
	run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(odd_name),
		cmocka_unit_test(pid_reuse),
		cmocka_unit_test(short_lived),
		cmocka_unit_test(cgroups),
		cmocka_unit_test(causes),
		cmocka_unit_test(oom_victim),
		cmocka_unit_test(thread_found_late),
		cmocka_unit_test(kernel_threads),
		cmocka_unit_test(usermode_helper),
		cmocka_unit_test(ghosts),
		cmocka_unit_test(samples_only),
		cmocka_unit_test(zombie_sample),
		cmocka_unit_test(exec_by_thread),
		cmocka_unit_test(stream_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
