/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session wires a source to the model and the model to a front end.
 *
 * The front end is a set of callbacks (text rows, JSON); the source is this system or a recording.  The session owns
 * everything it hands to the callbacks.
 */
#ifndef SWT_CMD_SESSION_H
#define SWT_CMD_SESSION_H

#include <signal.h>

#include "base/clock.h"
#include "base/root.h"
#include "cmd/cmd.h"
#include "cmd/filter.h"
#include "model/model.h"
#include "model/sampler.h"
#include "out/wall.h"
#include "trace/dat.h"
#include "trace/live.h"
#include "trace/source.h"

/* What one event costs the task it fires in; see README.md, "Price", for the measurement. */
#define SWT_EVENT_COST_NS 280

struct swt_host {
	char host[72], boot_id[40], kernel[128], arch[72];
	uint64_t page_size;
	unsigned int ncpus;
};

enum swt_reason {
	SWT_REASON_COUNT,
	SWT_REASON_SIGNAL,
	SWT_REASON_EOF,
	SWT_REASON_LOST,
	SWT_REASON_CHILD,
	SWT_REASON_PIPE,
	SWT_REASON_ERROR
};
/** swt_reason_name - the word of the JSON end record: "count", "signal", "input", "strict", "command", "error". */
const char *swt_reason_name(enum swt_reason r);

struct swt_totals {
	uint64_t reports, exits, events, lost;
	bool complete;
};

struct swt_session;

#define SWT_FRONT_STOP 1

/**
 * struct swt_front - a front end
 *
 * Each callback returns 0, -errno (-EPIPE: stop quietly) or SWT_FRONT_STOP (it has seen enough).  Any may be NULL.
 */
struct swt_front {
	void *arg;
	int (*start)(void *arg, const struct swt_session *s);
	int (*release)(void *arg, const struct swt_release *r, enum swt_step step);
	int (*note)(void *arg, uint64_t ts, enum swt_note_kind kind, const char *text);
	int (*report)(void *arg, const struct swt_snapshot *snap);
	int (*end)(void *arg, uint64_t ts, const struct swt_totals *t, enum swt_reason why);
};

struct swt_file_queue;

struct swt_session {
	const struct swt_opts *opts;
	const struct swt_clock *clock;
	struct swt_front front;
	struct swt_root *root;
	struct swt_host host;
	struct swt_filter filter;
	struct swt_wall wall;
	struct swt_buf recorder;     /* "key value" lines the recorder wrote of itself */
	struct swt_source_info info; /* a copy that lives as long as the session */
	struct swt_model *model;
	struct swt_totals totals;
	uint64_t started, now; /* trace clock */
	int rc;		       /* first error of the front end */
	enum swt_reason why;
	bool stop;
	struct swt_dat *dat;   /* a recording, or NULL */
	struct swt_live *live; /* this system's events, or NULL */
	struct swt_sampler *sampler;
	struct swt_file_queue *files;
	struct swt_snapshot *snap;
	struct swt_record *record; /* being written, or NULL */
	bool recording;
	char tracefs[256];
	uint64_t ticks; /* reports due so far */
	uint64_t last_events, last_lost, last_report;
	uint64_t self_cpu_ns;
};

/** swt_session_run - run @front over --input or this system; an exit status. */
int swt_session_run(const struct swt_opts *o, const struct swt_front *front);

/* Parts, for the files session*.c and record.c. */
/** swt_session_sys - the system as sampled last. */
const struct swt_sys *swt_session_sys(const struct swt_session *s);
int swt_session_init(struct swt_session *s, const struct swt_opts *o, const struct swt_front *front,
		     struct swt_err *err);
void swt_session_free(struct swt_session *s);
int swt_session_model(struct swt_session *s, const struct swt_formats *formats, struct swt_err *err);
int swt_session_start(struct swt_session *s);
int swt_session_report(struct swt_session *s, uint64_t now);
int swt_session_finish(struct swt_session *s); /* last updates and the end record; an exit status */
int swt_session_event(void *session, const struct swt_event *ev);
int swt_session_lost(void *session, const struct swt_lost *lost);
int swt_session_file(void *session, uint64_t ts, const char *path, const char *text, size_t len);

int swt_session_replay(struct swt_session *s, const char *path); /* session-replay.c */
int swt_session_live(struct swt_session *s,
		     const char *out_path); /* session-live.c; @out_path: record there */

/**
 * swt_hold_signals - let INT, TERM, HUP and QUIT wait, so that none ends the program while it has a trace instance
 *
 * @before: the mask to go back to
 */
void swt_hold_signals(sigset_t *before);

/** swt_host_read - name, kernel, page size of the system below @root. */
void swt_host_read(const struct swt_root *root, struct swt_host *ret);

#endif
