/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The model: events and samples in, releases and snapshots out.  Nothing is read or printed here.
 *
 * All input must come in time order.  Files may come between events.  Live and replayed input go through the
 * same calls, so the same recording gives the same releases.
 *
 * Bounded memory: state follows living processes and open releases; names and groups of the dead are dropped
 * when their release is final (or, held address spaces, after an hour).
 */
#ifndef SWT_MODEL_MODEL_H
#define SWT_MODEL_MODEL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "model/release.h"
#include "model/snapshot.h"
#include "trace/event.h"
#include "trace/formats.h"
#include "trace/source.h"

struct swt_model;

enum swt_step {
	SWT_STEP_DONE, /* the teardown ended (or the exit was seen to leave its memory behind: release.held) */
	SWT_STEP_UPDATE, /* something outstanding became known; final says whether it was the last */
};

enum swt_note_kind {
	SWT_NOTE_SWAPOFF, /* progress, stall, end, attempts */
	SWT_NOTE_OOM,	  /* victim timelines */
	SWT_NOTE_KHUGEPAGED,
	SWT_NOTE_PROCESS, /* leader exited, zombie leader, held address space, blocked kill */
	SWT_NOTE_ZRAM,
	SWT_NOTE_LOSS,	/* plausibility of the event count */
	SWT_NOTE_GROUP, /* what died together */
};

struct swt_model_ops {
	void *arg;
	void (*release)(void *arg, const struct swt_release *r, enum swt_step step);
	/* A line for the log; not yet clean for terminals (it may quote names). */
	void (*note)(void *arg, uint64_t ts, enum swt_note_kind kind, const char *text);
	/* A task was born (is_thread: into @tgid) or freed; for the watch list. May be NULL. */
	void (*task)(void *arg, pid_t tgid, pid_t tid, bool is_thread, bool born);
};

struct swt_model_cfg {
	struct swt_model_ops ops;
	const struct swt_source_info *info; /* must outlive the model; NULL: no events */
	const struct swt_formats *formats;  /* for names of numbers; may be NULL */
	uint64_t page_size;		    /* 0: 4096 */
	unsigned int user_hz;		    /* 0: 100 */
	int bits;			    /* width of the kernel's long, 0: 64 */
};

int swt_model_new(const struct swt_model_cfg *cfg, struct swt_model **ret);
void swt_model_free(struct swt_model *m);

/* A sink for sources: events, gaps, samples. */
int swt_model_event(void *model, const struct swt_event *ev);
int swt_model_lost(void *model, const struct swt_lost *lost);
int swt_model_file(void *model, uint64_t ts, const char *path, const char *text, size_t len);

/** swt_model_tick - time passed: end stale intervals, notice stalls; call at least once a second of trace time. */
void swt_model_tick(struct swt_model *m, uint64_t now);

/**
 * swt_model_end - the stream ends
 *
 * Reported releases that are not final get a last update, final false; running ones are reported (SWT_STEP_DONE)
 * with what is known: a teardown whose end was not seen has by_end SWT_BY_NONE and no duration.
 */
void swt_model_end(struct swt_model *m, uint64_t now);

/**
 * swt_model_wants - processes whose /proc files the model would like to see (seen first by an event)
 *
 * Fills at most @max pids, oldest wish first, and forgets them.
 */
size_t swt_model_wants(struct swt_model *m, pid_t *pids, size_t max);

/** swt_model_tgid - process of a TID as far as known; 0 unknown. */
pid_t swt_model_tgid(const struct swt_model *m, pid_t tid);

/**
 * swt_model_snapshot - the interval since the last snapshot, and the gauges now
 *
 * Resets the interval's counts.  @ret is filled, owns nothing, and points to texts of the model that live until
 * the next call into it.
 */
void swt_model_snapshot(struct swt_model *m, uint64_t now, struct swt_snapshot *ret);

#endif
