/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A model fed with readable lines, and everything it says, kept.
 */
#ifndef TEST_MODELRUN_H
#define TEST_MODELRUN_H

#include "model/model.h"

#define RUN_MAX 8192

struct run_release {
	struct swt_release r; /* r.cgroup points to @cgroup */
	enum swt_step step;
	char cgroup[256];
};

struct run {
	struct swt_model *m;
	struct swt_source_info info;
	struct run_release *out; /* RUN_MAX; more are counted only */
	size_t n;
	char notes[65536];
	size_t born, freed; /* task callbacks */
};

/** run_init - @group_dead: kernel of the new order; every stock event is there, at @level. */
void run_init(struct run *run, bool group_dead, int level);
/** run_without - the source has no such event; before the first line. */
void run_without(struct run *run, enum swt_ev id);
/** run_lines - feed lines of ftext.h; asserts that they are understood. */
void run_lines(struct run *run, const char *lines);
/** run_file - a sample at @ms milliseconds. */
void run_file(struct run *run, double ms, const char *path, const char *text);
void run_tick(struct run *run, double ms);
void run_end(struct run *run, double ms);
void run_free(struct run *run);

/** run_done - the @nth report (step DONE) of @pid, NULL: none. */
const struct swt_release *run_done(const struct run *run, int pid, unsigned int nth);
/** run_last - the last thing said about the release with this id. */
const struct run_release *run_last(const struct run *run, const char *id);
/** run_count - reports with step DONE. */
size_t run_count(const struct run *run);

/* Unknown fails, and so does another value. */
#define assert_opt(o, value)                               \
	do {                                               \
		struct swt_opt o_ = (o);                   \
		assert_true(o_.known);                     \
		assert_int_equal(o_.v, (uint64_t)(value)); \
	} while (0)
#define assert_unknown(o) assert_false((o).known)

#endif
