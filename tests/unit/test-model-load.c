/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Many at once, and nonsense: concurrency, mass kills, a soup of random events, bounded memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/state.h"
#include "modelrun.h"

#define MS 1000000ull

/* Four killed, three of them at once with the fourth following the first. */
static void at_once(void **state)
{
	struct run run;

	(void)state;
	run_init(&run, true, 2);
	run_lines(&run, "a-10 [000] ..... 1.000: sched_process_exit: comm=a pid=10 prio=120 group_dead=true\n"
			"b-20 [000] ..... 1.001: sched_process_exit: comm=b pid=20 prio=120 group_dead=true\n"
			"c-30 [000] ..... 1.002: sched_process_exit: comm=c pid=30 prio=120 group_dead=true\n"
			"a-10 [000] ..... 1.003: exit_mmap: mm=0\n"
			"d-40 [000] ..... 1.004: sched_process_exit: comm=d pid=40 prio=120 group_dead=true\n"
			"b-20 [000] ..... 1.005: exit_mmap: mm=0\n"
			"c-30 [000] ..... 1.005: exit_mmap: mm=0\n"
			"d-40 [000] ..... 1.006: exit_mmap: mm=0\n"
			"e-50 [000] ..... 2.000: sched_process_exit: comm=e pid=50 prio=120 group_dead=true\n"
			"e-50 [000] ..... 2.006: exit_mmap: mm=0\n");
	for (int pid = 10; pid <= 40; pid += 10)
		assert_int_equal(run_done(&run, pid, 0)->concurrency, 3);
	assert_int_equal(run_done(&run, 50, 0)->concurrency, 1);
	run_free(&run);
}

/* What the staircase keeps is what asking everybody on each step would give. */
static void concurrency_oracle(void **state)
{
	enum { N = 300 };
	struct {
		uint64_t seq;
		unsigned int most;
		bool open;
	} r[N] = { 0 };
	unsigned int open = 0, x = 12345;
	struct run run;

	(void)state;
	run_init(&run, true, 2);
	/* Through the model: pids are slots. */
	for (int i = 0; i < 20000; i++) {
		char line[128];
		unsigned int k;

		x = x * 1103515245u + 12345u;
		k = (x >> 8) % N;
		if (!r[k].open) {
			r[k].open = true;
			r[k].most = ++open;
			for (int j = 0; j < N; j++)
				if (r[j].open && r[j].most < open)
					r[j].most = open;
			snprintf(
				line, sizeof(line),
				"x-%u [000] ..... %d.%06d: sched_process_exit: comm=x pid=%u group_dead=true\n",
				k + 100, i / 1000000 + 1, i, k + 100);
			run_lines(&run, line);
		} else {
			size_t before = run.n;

			r[k].open = false;
			open--;
			snprintf(line, sizeof(line),
				 "x-%u [000] ..... %d.%06d: exit_mmap: mm=0\n"
				 "x-%u [000] ..... %d.%06d: sched_process_free: comm=x pid=%u\n",
				 k + 100, i / 1000000 + 1, i, k + 100, i / 1000000 + 1, i, k + 100);
			run_lines(&run, line);
			if (before < RUN_MAX)
				assert_int_equal(run.out[before].r.concurrency, r[k].most);
		}
	}
	run_free(&run);
}

/* F42: 2,104 exits in one second, each 2,560 pages: all reported, the total exact. */
static void mass_kill(void **state)
{
	struct swt_snapshot *snap = test_malloc(sizeof(*snap));
	struct run run;
	char line[512];

	(void)state;
	run_init(&run, true, 4);
	for (int i = 0; i < 2104; i++) {
		int pid = 5000 + i;

		snprintf(
			line, sizeof(line),
			"p-%d [000] ..... 1.%06d: rss_stat: mm_id=%d curr=1 type=MM_SWAPENTS size=10485760B\n",
			pid, i, pid);
		run_lines(&run, line);
	}
	for (int i = 0; i < 2104; i++) {
		int pid = 5000 + i;

		snprintf(
			line, sizeof(line),
			"p-%d [000] ..... 2.%06d: sched_process_exit: comm=p pid=%d prio=120 group_dead=true\n",
			pid, i, pid);
		run_lines(&run, line);
	}
	for (int i = 0; i < 2104; i++) {
		int pid = 5000 + i;

		snprintf(line, sizeof(line),
			 "p-%d [000] ..... 2.%06d: rss_stat: mm_id=%d curr=0 type=MM_SWAPENTS size=0B\n"
			 "p-%d [000] ..... 2.%06d: exit_mmap: mm=0\n",
			 pid, 100000 + i * 10, pid, pid, 100000 + i * 10);
		run_lines(&run, line);
	}
	assert_int_equal(run_count(&run), 2104);
	swt_model_snapshot(run.m, 3000 * MS, snap);
	assert_int_equal(snap->exits.count, 2104);
	assert_opt(snap->exits.freed_entries, 5386240);
	assert_int_equal(snap->exits.in_flight, 0);
	assert_int_equal(run_done(&run, 5000, 0)->concurrency, 2104);
	assert_int_equal(snap->exits.teardown_ns.count, 2104);
	swt_model_snapshot(run.m, 4000 * MS, snap);
	assert_int_equal(snap->exits.count, 0);
	assert_unknown(snap->exits.freed_entries);
	run_free(&run);
	test_free(snap);
}

static uint64_t rnd(uint64_t *s)
{
	*s ^= *s << 13;
	*s ^= *s >> 7;
	*s ^= *s << 17;
	return *s;
}

static int32_t rnd_pid(uint64_t *s, bool wide)
{
	uint64_t r = rnd(s);

	/* A few pids give deep histories, many give large tables. */
	return wide && !(r & 7) ? (int32_t)(r >> 33) : (int32_t)(r >> 40 & 63);
}

static void soup_event(uint64_t *s, struct swt_event *ev, bool wide)
{
	static const char *const names[] = {
		"", "hog", "swapoff", "\x1b[31m\xff\xfe",
		"a-name-that-is-longer-than-sixty-four-bytes-xxxxxxxxxxxxxxxxxxxxxxxxxxxx"
	};
	uint64_t r = rnd(s);

	ev->id = (uint16_t)(r % SWT_EV_COUNT);
	if (r >> 20 & 1)
		ev->id = SWT_EV_RSS_STAT;
	ev->cpu = (uint16_t)(r >> 32 & 3);
	ev->task = rnd_pid(s, wide);
	ev->have = r >> 50 & 15 ? ~0u : (uint32_t)rnd(s);
	ev->ts += r >> 12 & 0xfffff;
	for (int i = 0; i < SWT_EV_MAX_FIELDS; i++) {
		switch (rnd(s) & 7) {
		case 0:
			ev->f[i] = (int64_t)rnd(s);
			break;
		case 1:
			ev->f[i] = 0;
			break;
		case 2:
			ev->f[i] = 17;
			break;
		case 3:
			ev->f[i] = 0x10f00;
			break;
		case 4:
			ev->f[i] = (int64_t)(rnd(s) & 0x7ff000);
			break;
		default:
			ev->f[i] = rnd_pid(s, wide);
			break;
		}
	}
	if (ev->id == SWT_EV_RSS_STAT) {
		ev->f[SWT_F_RSS_STAT_MEMBER] = (int64_t)(rnd(s) & 3);
		ev->f[SWT_F_RSS_STAT_CURR] = (int64_t)(rnd(s) & 1);
		ev->f[SWT_F_RSS_STAT_MM_ID] = (int64_t)(wide && !(r & 3) ? rnd(s) : rnd(s) & 63);
	}
	for (int i = 0; i < SWT_EV_MAX_STR; i++) {
		ev->str[i].s = names[rnd(s) % 5];
		ev->str[i].len = (uint32_t)strlen(ev->str[i].s);
	}
}

static void soup_file(uint64_t *s, struct run *run, uint64_t ts)
{
	char path[64], text[256];
	int pid = rnd_pid(s, false), n;
	uint64_t r = rnd(s);

	switch (r & 3) {
	case 0:
		snprintf(path, sizeof(path), "/proc/%d/status", pid);
		n = snprintf(
			text, sizeof(text),
			"Name:\tx\nState:\t%c\nTgid:\t%d\nPid:\t%d\nPPid:\t%d\nVmRSS:\t%d kB\nVmSwap:\t%d kB\nThreads:\t%d\n",
			r >> 8 & 1 ? 'Z' : 'S', r >> 9 & 3 ? pid : rnd_pid(s, false), pid, rnd_pid(s, false),
			10, (int)(r >> 16 & 0xffff), (int)(r >> 40 & 7));
		break;
	case 1:
		snprintf(path, sizeof(path), "/proc/%d/stat", pid);
		n = snprintf(text, sizeof(text), "%d (x) S 1 1 1 0 -1 0 0 0 0 0 1 2 0 0 20 0 2 0 %d 0 0\n",
			     pid, (int)(r >> 8 & 3));
		break;
	case 2:
		snprintf(path, sizeof(path), "/proc/%d/cgroup", pid);
		n = snprintf(text, sizeof(text), "0::/job-%d\n", (int)(r >> 8 & 0xffff));
		break;
	default:
		snprintf(path, sizeof(path), "/proc/%d/status", pid);
		n = 0;
		break;
	}
	assert_int_equal(swt_model_file(run->m, ts, path, text, (size_t)n), 0);
}

struct seen {
	struct run *run;
	size_t done, update;
};

static void soup_release(void *arg, const struct swt_release *r, enum swt_step step)
{
	struct seen *seen = arg;

	if (step == SWT_STEP_DONE)
		seen->done++;
	else
		seen->update++;
	/* What must hold whatever came in. */
	assert_true(memchr(r->id, 0, sizeof(r->id)) && r->id[0]);
	assert_true(r->comm_len < sizeof(r->comm));
	assert_true(r->concurrency >= (step == SWT_STEP_DONE && r->kind == SWT_REL_EXIT ? 1u : 0u));
	if (r->teardown.known) {
		assert_true(r->end_ns >= r->start_ns);
		assert_int_equal(r->teardown.v, r->end_ns - r->start_ns);
		if (r->swap_ns.known)
			assert_true(r->swap_ns.v <= r->teardown.v);
	}
	if (r->ns_per_entry.known)
		assert_true(r->freed.known && r->freed.v);
	if (r->cgroup)
		assert_true(strlen(r->cgroup) > 0);
}

static void soup(bool group_dead, bool wide, int level, uint64_t seed, int events)
{
	struct swt_snapshot *snap = calloc(1, sizeof(*snap));
	struct swt_event ev = { .ts = 1000 * MS };
	struct seen seen = { 0 };
	struct run run;
	struct swt_model_cfg cfg = { .ops = { .arg = &seen, .release = soup_release }, .info = &run.info };
	pid_t pids[16];

	run_init(&run, group_dead, level);
	for (int i = 0; i < SWT_EV_COUNT; i++)
		run.info.state[i] = SWT_EV_HAVE;
	assert_int_equal(swt_model_new(&cfg, &run.m), 0);
	for (int i = 0; i < events; i++) {
		soup_event(&seed, &ev, wide);
		assert_true(swt_model_event(run.m, &ev) <= 0);
		if (!(i & 63))
			soup_file(&seed, &run, ev.ts);
		if (!(i & 4095)) {
			struct swt_lost lost = {
				.ts = ev.ts, .count = 3, .known = true, .cpu = (uint16_t)(i >> 12 & 3)
			};

			swt_model_lost(run.m, &lost);
			swt_model_tick(run.m, ev.ts);
			swt_model_wants(run.m, pids, 16);
		}
		if (!(i & 0x1ffff))
			swt_model_snapshot(run.m, ev.ts, snap);
		/* State follows the living, not the events. */
		assert_true(run.m->nprocs <= SWT_MAX_PROCS && run.m->ntasks <= SWT_MAX_TASKS);
		assert_true(run.m->nstrays <= SWT_MAX_STRAYS && run.m->nwaiting <= SWT_MAX_WAITING + 1);
		assert_true(run.m->nmms <= run.m->nprocs + run.m->ntds + run.m->nstrays);
		assert_true(run.m->ntds <= SWT_MAX_WAITING + 1 + 4 * run.m->nprocs);
	}
	assert_true(seen.done > 100);
	swt_model_end(run.m, ev.ts);
	assert_int_equal(run.m->ntds, 0);
	assert_int_equal(run.m->conc.open, 0);
	run_free(&run);
	free(snap);
}

static void soup_narrow(void **state)
{
	(void)state;
	soup(true, false, 4, 0x9e3779b97f4a7c15ull, 500000);
	soup(false, false, 4, 0xdeadbeefcafef00dull, 500000);
	soup(true, false, 3, 77, 200000);
}

static void soup_wide(void **state)
{
	(void)state;
	soup(true, true, 4, 4711, 400000);
	soup(false, true, 2, 815, 400000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(at_once),   cmocka_unit_test(concurrency_oracle),
		cmocka_unit_test(mass_kill), cmocka_unit_test(soup_narrow),
		cmocka_unit_test(soup_wide),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
