/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trackers as the model feeds them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "modelrun.h"

static bool said(const struct run *run, const char *text)
{
	return strstr(run->notes, text) != NULL;
}

/* The second victim was chosen while the first one's memory was still out. */
static void oom_overlap(void **state)
{
	struct run run;

	(void)state;
	run_init(&run, true, 4);
	run_file(&run, 900, "/proc/999/status", "Name:\tbig\nTgid:\t999\nPid:\t999\nVmSwap:\t10 kB\n");
	run_file(&run, 900, "/proc/999/cgroup", "0::/box\n");
	run_lines(&run, "alloc-5 [000] ..... 1.0: mark_victim: pid=10\n"
			"alloc-6 [000] ..... 1.3: mark_victim: pid=11\n"
			"oom_reaper-3 [000] ..... 1.6: finish_task_reaping: pid=10\n"
			"alloc-1234 [001] ..... 5.0: mark_victim: pid=999\n");
	assert_true(said(&run, "victim 11 chosen 0.3 s before victim 10's memory came back"));
	assert_true(said(&run, "victim 999"));
	assert_true(said(&run, "chosen, triggered by 1234, group /box"));
	run_free(&run);
}

static void swapoff_seen(void **state)
{
	static const char swaps[] = "Filename Type Size Used Priority\n";
	struct run run;
	char text[200];

	(void)state;
	run_init(&run, true, 4);
	for (unsigned int i = 0; i < 5; i++) {
		snprintf(text, sizeof(text), "%s%s %u -2\n", swaps, "/dev/zram0 partition 1048576",
			 307200 - 76800 * (i > 1 ? i - 1 : 0));
		run_file(&run, 1000 + 1000 * i, "/proc/meminfo",
			 i < 2	  ? "SwapTotal: 1048576 kB\nSwapFree: 741376 kB\n"
			 : i == 2 ? "SwapTotal: 230400 kB\nSwapFree: 0 kB\n"
			 : i == 3 ? "SwapTotal: 153600 kB\nSwapFree: 0 kB\n"
				  : "SwapTotal: 0 kB\nSwapFree: 0 kB\n");
		if (i == 2)
			run_lines(&run,
				  "sh-70 [000] ..... 2.500: sched_process_fork: comm=sh pid=70 child_comm=sh "
				  "child_pid=71\n"
				  "swapoff-71 [000] ..... 2.501: sched_process_exec: filename=/sbin/swapoff "
				  "pid=71 old_pid=71\n");
		if (i == 4)
			run_lines(&run,
				  "swapoff-71 [000] ..... 4.500: sched_process_exit: comm=swapoff pid=71 "
				  "prio=120 group_dead=true\n"
				  "swapoff-71 [000] ..... 4.501: exit_mmap: mm=0\n");
		run_file(&run, 1000 + 1000 * i + 1, "/proc/swaps", i < 4 ? text : swaps);
	}
	assert_true(said(&run, "swapoff /dev/zram0: 225 M left, 75.0 MiB/s, ETA about 3 s"));
	assert_true(said(&run, "swapoff /dev/zram0: 300 MiB in 2 s (150.0 MiB/s)"));
	run_free(&run);
}

/* The mm of huge_memory events gets its owner when it is torn down. */
static void khugepaged_for_whom(void **state)
{
	struct run run;

	(void)state;
	run_init(&run, true, 4);
	run_lines(&run,
		  "khugepaged-40 [000] ..... 5.1: mm_collapse_huge_page_swapin: mm=0x1234 swapped_in=60\n"
		  "java-800 [000] ..... 9.000: sched_process_exit: comm=java pid=800 prio=120 "
		  "group_dead=true\n"
		  "java-800 [000] ..... 9.010: exit_mmap: mm=0x1234\n"
		  "java-800 [000] ..... 9.011: sched_process_free: comm=java pid=800\n");
	run_end(&run, 10000);
	assert_true(said(&run, "60 pages read in by khugepaged for pid 800 (java)"));
	run_free(&run);
}

/* The same while it lives and sleeps, by its VmSwap. */
static void khugepaged_for_a_sleeper(void **state)
{
	struct run run;
	char text[256];

	(void)state;
	run_init(&run, true, 4);
	run_file(&run, 900, "/proc/800/stat",
		 "800 (java) S 1 800 800 0 -1 0 0 0 0 0 1 2 0 0 20 0 1 0 77 0 0\n");
	for (unsigned int i = 0; i < 2; i++) {
		snprintf(
			text, sizeof(text),
			"Name:\tjava\nState:\tS (sleeping)\nTgid:\t800\nPid:\t800\nVmSwap:\t%u kB\nThreads:\t1\n"
			"voluntary_ctxt_switches:\t5\nnonvoluntary_ctxt_switches:\t0\n",
			400 - 240 * i);
		run_file(&run, 1000 + 5000 * i, "/proc/800/status", text);
		if (!i)
			run_lines(&run,
				  "khugepaged-40 [000] ..... 5.1: mm_collapse_huge_page_swapin: mm=0x1234 "
				  "swapped_in=60\n");
	}
	run_tick(&run, 7000);
	assert_true(said(&run, "60 pages read in by khugepaged for pid 800 (java)"));
	run_free(&run);
}

/* CPU time counts between the moments it was read at, whenever reports are due. */
static void khugepaged_cost(void **state)
{
	static const char stat[] = "40 (khugepaged) R 2 0 0 0 -1 2097152 0 0 0 0 0 %u 0 0 39 19 1 0 20 0 0\n";
	static const char knob[] = "/sys/kernel/mm/transparent_hugepage/khugepaged/";
	struct swt_snapshot snap;
	struct run run;
	char text[200], path[128];

	(void)state;
	run_init(&run, true, 4);
	for (unsigned int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%sfull_scans", knob);
		run_file(&run, 1000 + 10000 * i, path, "7\n");
		snprintf(path, sizeof(path), "%spages_collapsed", knob);
		run_file(&run, 1000 + 10000 * i, path, "90\n");
		snprintf(text, sizeof(text), stat, 5000 + 1000 * i);
		run_file(&run, 1000 + 10000 * i, "/proc/40/stat", text);
		swt_model_snapshot(run.m, (1500 + 10100ull * i) * 1000000, &snap);
	}
	assert_opt(snap.khuge.cpu_hundredths, 10000);
	assert_int_equal(snap.khuge.collapsed.kind, SWT_DELTA_OK);
	assert_int_equal(snap.khuge.collapsed.v, 0);
	assert_true(said(&run, "khugepaged 100.0 % CPU, 0 collapsed, 0 full passes, no result in 10 s"));
	run_free(&run);
}

static void kill_pending(void **state)
{
	struct run run;
	pid_t want[8];
	bool asked = false;
	size_t n;

	(void)state;
	run_init(&run, true, 4);
	run_file(&run, 500, "/proc/300/status",
		 "Name:\twriter\nState:\tS (sleeping)\nTgid:\t300\nPid:\t300\n");
	run_lines(&run,
		  "sh-70 [000] ..... 1.0: signal_generate: sig=9 errno=0 code=0 comm=writer pid=300 grp=1 "
		  "res=0\n");
	swt_model_wants(run.m, want, 8);
	run_tick(&run, 1600);
	n = swt_model_wants(run.m, want, 8);
	for (size_t i = 0; i < n; i++)
		asked |= want[i] == 300;
	assert_true(asked);
	run_file(&run, 1700, "/proc/300/status",
		 "Name:\twriter\nState:\tD (disk sleep)\nTgid:\t300\nPid:\t300\n");
	run_file(&run, 1700, "/proc/300/wchan", "percpu_rwsem_wait");
	run_tick(&run, 2100);
	assert_true(
		said(&run, "pid 300 (writer): kill pending, blocked in percpu_rwsem_wait, exit not begun"));
	run_free(&run);
}

static void dying_for_long(void **state)
{
	struct run run;

	(void)state;
	run_init(&run, true, 4);
	run_lines(
		&run,
		"java-800 [000] ..... 0.9: rss_stat: mm_id=7 curr=1 type=MM_SWAPENTS size=40960000B\n"
		"sh-70 [000] ..... 1.0: signal_generate: sig=9 errno=0 code=0 comm=java pid=800 grp=1 res=0\n"
		"java-800 [000] ..... 1.1: sched_process_exit: comm=java pid=800 prio=120 group_dead=true\n"
		"java-800 [000] ..... 2.1: rss_stat: mm_id=7 curr=0 type=MM_SWAPENTS size=25804800B\n");
	run_tick(&run, 2200);
	assert_true(said(&run, "pid 800 (java): dying, 37 % of swap released"));
	assert_false(said(&run, "kill pending"));
	run_free(&run);
}

static void zombie_leader(void **state)
{
	struct run run;

	(void)state;
	run_init(&run, true, 4);
	for (unsigned int i = 1; i <= 2; i++) {
		run_file(&run, 1000 * i, "/proc/22912/status",
			 "Name:\trunc\nState:\tZ (zombie)\nTgid:\t22912\nPid:\t22912\nThreads:\t2\n");
		run_file(&run, 1000 * i, "/proc/22912/task/22950/status",
			 "Name:\trunc\nState:\tD (disk sleep)\nTgid:\t22912\nPid:\t22950\nThreads:\t2\n");
		run_tick(&run, 1000 * i + 100);
	}
	assert_true(said(&run, "leader zombie; 1 thread alive: 22950 D"));
	run_free(&run);
}

static void unaccounted(void **state)
{
	struct run run;
	char line[200];

	(void)state;
	run_init(&run, true, 1);
	run_file(&run, 1000, "/proc/stat", "processes 1000\n");
	run_file(&run, 1000, "/proc/loadavg", "0.20 0.18 0.12 1/120 11206\n");
	for (unsigned int i = 0; i < 450; i++) {
		snprintf(line, sizeof(line),
			 "sh-70 [000] ..... 1.5%05u: task_newtask: pid=%u comm=sh clone_flags=1200000\n", i,
			 2000 + i);
		run_lines(&run, line);
	}
	run_lines(&run,
		  "CPU:0 [LOST 10 EVENTS]\n"
		  "sh-70 [000] ..... 1.9: sched_process_exit: comm=sh pid=2000 prio=120 group_dead=true\n");
	run_file(&run, 2000, "/proc/stat", "processes 1500\n");
	run_file(&run, 2000, "/proc/loadavg", "0.20 0.18 0.12 1/120 11706\n");
	run_end(&run, 3000);
	assert_true(said(&run, "about 40 exits unaccounted"));
	run_free(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(oom_overlap),	       cmocka_unit_test(swapoff_seen),
		cmocka_unit_test(khugepaged_for_whom), cmocka_unit_test(khugepaged_for_a_sleeper),
		cmocka_unit_test(khugepaged_cost),     cmocka_unit_test(kill_pending),
		cmocka_unit_test(dying_for_long),      cmocka_unit_test(zombie_leader),
		cmocka_unit_test(unaccounted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
