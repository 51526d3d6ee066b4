/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A model fed with readable lines: see modelrun.h.
 */
#include "modelrun.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ftext.h"

static void on_release(void *arg, const struct swt_release *r, enum swt_step step)
{
	struct run *run = arg;
	struct run_release *o;

	if (run->n++ >= RUN_MAX)
		return;
	o = &run->out[run->n - 1];
	o->r = *r;
	o->step = step;
	if (r->cgroup) {
		snprintf(o->cgroup, sizeof(o->cgroup), "%s", r->cgroup);
		o->r.cgroup = o->cgroup;
	}
}

static void on_note(void *arg, uint64_t ts, enum swt_note_kind kind, const char *text)
{
	struct run *run = arg;
	size_t len = strlen(run->notes);

	(void)ts;
	(void)kind;
	snprintf(run->notes + len, sizeof(run->notes) - len, "%s\n", text);
}

static void on_task(void *arg, pid_t tgid, pid_t tid, bool is_thread, bool born)
{
	struct run *run = arg;

	(void)is_thread;
	assert_true(tgid > 0 && tid > 0);
	if (born)
		run->born++;
	else
		run->freed++;
}

void run_init(struct run *run, bool group_dead, int level)
{
	memset(run, 0, sizeof(*run));
	run->info.kind = SWT_SOURCE_STOCK;
	run->info.level = level;
	run->info.ncpus = 4;
	run->info.group_dead = group_dead;
	for (int i = 0; i < SWT_EV_COUNT; i++) {
		enum swt_ev_source src = swt_catalog((enum swt_ev)i)->source;

		run->info.state[i] = src == SWT_EVS_PATCH ? SWT_EV_MISSING : SWT_EV_HAVE;
	}
	if (level < 3)
		run->info.state[SWT_EV_RSS_STAT] = SWT_EV_UNUSED;
	run->out = calloc(RUN_MAX, sizeof(*run->out));
	assert_non_null(run->out);
}

static void start(struct run *run)
{
	struct swt_model_cfg cfg = { .ops = { run, on_release, on_note, on_task }, .info = &run->info };

	if (!run->m)
		assert_int_equal(swt_model_new(&cfg, &run->m), 0);
}

void run_without(struct run *run, enum swt_ev id)
{
	run->info.state[id] = SWT_EV_MISSING;
}

void run_lines(struct run *run, const char *lines)
{
	struct swt_sink sink = { .event = swt_model_event, .lost = swt_model_lost, .file = swt_model_file };

	start(run);
	sink.arg = run->m;
	assert_int_equal(ftext_feed(lines, &sink), 0);
}

void run_file(struct run *run, double ms, const char *path, const char *text)
{
	start(run);
	assert_int_equal(swt_model_file(run->m, (uint64_t)(ms * 1e6), path, text, strlen(text)), 0);
}

void run_tick(struct run *run, double ms)
{
	start(run);
	swt_model_tick(run->m, (uint64_t)(ms * 1e6));
}

void run_end(struct run *run, double ms)
{
	start(run);
	swt_model_end(run->m, (uint64_t)(ms * 1e6));
}

void run_free(struct run *run)
{
	swt_model_free(run->m);
	free(run->out);
	memset(run, 0, sizeof(*run));
}

const struct swt_release *run_done(const struct run *run, int pid, unsigned int nth)
{
	for (size_t i = 0; i < run->n && i < RUN_MAX; i++)
		if (run->out[i].step == SWT_STEP_DONE && run->out[i].r.pid == pid && !nth--)
			return &run->out[i].r;
	return NULL;
}

const struct run_release *run_last(const struct run *run, const char *id)
{
	const struct run_release *last = NULL;

	for (size_t i = 0; i < run->n && i < RUN_MAX; i++)
		if (!strcmp(run->out[i].r.id, id))
			last = &run->out[i];
	return last;
}

size_t run_count(const struct run *run)
{
	size_t n = 0;

	for (size_t i = 0; i < run->n && i < RUN_MAX; i++)
		n += run->out[i].step == SWT_STEP_DONE;
	return n;
}
