/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The NDJSON stream, schema "swaptop/1.0": header, then reports, exits and their updates, then end.
 *
 * One object a line, with one write(2) that includes the newline.  Keys, their order and their types are fixed
 * (schema.h lists them); unknown is null.  Each object has type, seq, time and mono_ns.
 *
 * Functions return 0 or -errno.  The first error stays: later calls return it and write nothing, so a cut stream
 * never goes on behind the cut.  -EPIPE is the reader going away: end quietly.
 */
#ifndef SWT_OUT_JSON_H
#define SWT_OUT_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "model/release.h"
#include "model/snapshot.h"
#include "out/wall.h"
#include "trace/source.h"

#define SWT_SCHEMA "swaptop/1.0"

struct swt_json {
	int fd;
	const struct swt_wall *wall; /* may be NULL: every time is null */
	uint64_t seq;		     /* of the next object */
	uint64_t reports, exits;     /* written so far */
	int rc;
	struct swt_buf line, tmp;
};

/** swt_json_init - a writer on @fd, which stays the caller's, as does @wall. */
void swt_json_init(struct swt_json *j, int fd, const struct swt_wall *wall);
void swt_json_fini(struct swt_json *j);

struct swt_json_header {
	const char *host, *boot_id, *kernel, *arch; /* NULL or "": unknown */
	uint64_t page_size;
	const struct swt_source_info *info;
	uint64_t interval_ns;	   /* 0: no reports in this stream */
	const char *mode;	   /* of the kernel knob; NULL or "": none */
	const struct swt_sys *sys; /* for the counters that are missing; NULL: unknown */
};

int swt_json_header(struct swt_json *j, uint64_t mono_ns, const struct swt_json_header *h);

/** swt_json_report - one interval; its time is @s->ts. */
int swt_json_report(struct swt_json *j, const struct swt_snapshot *s);

/** swt_json_exit - a finished teardown; its time is the end of the teardown, @now_ns when that is unknown. */
int swt_json_exit(struct swt_json *j, uint64_t now_ns, const struct swt_release *r);

/** swt_json_exit_update - something outstanding became known at @now_ns. */
int swt_json_exit_update(struct swt_json *j, uint64_t now_ns, const struct swt_release *r);

struct swt_json_end {
	struct swt_opt events, lost;
	bool complete;
	const char *reason; /* "count", "signal", "input", "command", "threshold", "strict", "error" */
};

/** swt_json_end - the last line; reports and exits are those written. */
int swt_json_end(struct swt_json *j, uint64_t mono_ns, const struct swt_json_end *e);

/*
 * For the other records of lib/out (see jval.h): begin fills the common keys, put writes the line and frees
 * the object, also on failure.
 */
struct jv;
int swt_json_begin(struct swt_json *j, const char *type, uint64_t mono_ns, struct jv *ret);
int swt_json_put(struct swt_json *j, struct jv *o);

#endif
