/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inside of the sampler.  Private to lib/model/sampler*.c.
 *
 * Two passes look at processes.  The hot pass runs at once after movement: processes born since the last one,
 * newest first, then those that had swap, largest first.  The cold pass lists /proc again and reads whoever was not
 * read yet, newest first.  Both carry on in the next tick when the time of this one is used up; a new hot pass may
 * cut in between slices of the cold one, but never twice in a row, so both make progress.
 */
#ifndef SWT_MODEL_SAMPLER_PARTS_H
#define SWT_MODEL_SAMPLER_PARTS_H

#include <dirent.h>
#include <stdbool.h>

/* Keys are pids, one int; the default hash is for byte strings and trips -Wimplicit-fallthrough of clang. */
#define HASH_FUNCTION(key, len, h) ((h) = swt_hash_pid(*(key)))
#define HASH_NONFATAL_OOM	   1
#include <uthash.h>

#include "base/buf.h"
#include "model/pidfile.h"
#include "model/sampler.h"
#include "model/sys.h"

#define SWT_SAMPLER_MAX_PROCS	   65536u
#define SWT_SAMPLER_MAX_TIDS	   65536u
#define SWT_SAMPLER_MAX_BORN	   4096u /* older births are found by the next listing */
#define SWT_SAMPLER_MAX_LEADERLESS 64u

/* Read so often that opening them each time would double the cost. */
enum swt_kept {
	SWT_KEPT_VMSTAT,
	SWT_KEPT_MEMINFO,
	SWT_KEPT_SWAPS,
	SWT_KEPT_STAT,
	SWT_KEPT_PSI,
	SWT_KEPT_COUNT
};

static inline unsigned int swt_hash_pid(int pid)
{
	unsigned int h = (unsigned int)pid * 2654435769u;

	return h ^ h >> 15;
}

/* A living process. */
struct swt_sampled {
	int pid;
	uint32_t round;	       /* of the last look at it */
	uint32_t listing;      /* last listing of /proc that had it */
	uint32_t identity;     /* hash of name and parent: a pid that is used again shows */
	uint64_t swap;	       /* bytes when last looked at */
	uint64_t watched_swap; /* the same when it was put on the watch list */
	uint64_t watched_threads;
	bool known; /* its stat, status and cgroup were delivered */
	bool skip;  /* kernel thread, or not ours to read: never in swap */
	bool watched;
	UT_hash_handle hh;
};

struct swt_hot_item {
	int pid;
	bool born;
	uint64_t swap;
};

enum swt_cold { SWT_COLD_IDLE, SWT_COLD_LIST, SWT_COLD_READ };

struct swt_sampler {
	struct swt_sampler_cfg cfg;
	struct swt_buf buf, trimmed;
	int kept[SWT_KEPT_COUNT];
	bool had[24]; /* files of a report that were there: their end is delivered once */
	char limited[96];
	uint64_t cost;

	/* Movement. */
	struct swt_sys sys; /* scratch of the parsers */
	struct swt_opt used, pswpout;
	uint64_t ticks;
	uint32_t moves;	     /* how often something moved */
	unsigned int settle; /* ticks that still deliver memory samples */

	struct swt_sampled *procs; /* in the order they were found */
	uint32_t round;

	struct swt_hot_item *hot;
	size_t nhot, hot_at, hot_cap;
	uint32_t hot_moves;
	uint64_t hot_started;
	bool hot_once, cold_ran;

	int born[SWT_SAMPLER_MAX_BORN];
	uint64_t nborn; /* since the last hot pass; the ring keeps the newest */

	enum swt_cold cold;
	DIR *dir;
	struct swt_sampled *cursor;
	uint32_t listing, cold_round, cold_moves;
	bool list_adds;
	unsigned int listed; /* processes after the last listing */

	pid_t *tids;
	size_t ntids, tids_cap;

	int khuge; /* pid of khugepaged, 0 not found */
	char zram[SWT_MAX_ZRAM][16];
	unsigned int nzram;
};

/* sampler-read.c */
/** swt_sampler_kept - read one of the kept files into s->buf; 0 or -errno. */
int swt_sampler_kept(struct swt_sampler *s, enum swt_kept k);
const char *swt_sampler_kept_path(enum swt_kept k);
/** swt_sampler_deliver - hand a text to the sink, as of now; the sink's value. */
int swt_sampler_deliver(struct swt_sampler *s, const char *path, const char *text, size_t len);
/** swt_sampler_deliver_kept - s->buf as that file, cut down to what is read of it. */
int swt_sampler_deliver_kept(struct swt_sampler *s, enum swt_kept k);
static inline uint64_t swt_sampler_now(const struct swt_sampler *s)
{
	return swt_clock_mono(s->cfg.clock);
}

/* sampler-hidepid.c */
void swt_sampler_find_limit(const struct swt_root *root, char *dst, size_t size);

/* sampler-proc.c */
struct swt_sampled *swt_sampler_proc(struct swt_sampler *s, int pid);
/** swt_sampler_proc_add - find or make; NULL when the table is full or memory is short. */
struct swt_sampled *swt_sampler_proc_add(struct swt_sampler *s, int pid);
void swt_sampler_proc_drop(struct swt_sampler *s, struct swt_sampled *p);
/**
 * swt_sampler_meet - deliver stat, status and cgroup
 * @p: its entry, or a made-up one outside the table
 * @sink_rc: value of the sink
 *
 * 0, -ENOENT (gone; nothing is delivered for that) or -errno.
 */
int swt_sampler_meet(struct swt_sampler *s, struct swt_sampled *p, int *sink_rc);
/** swt_sampler_look - deliver status alone, for a process met before; as swt_sampler_meet(). */
int swt_sampler_look(struct swt_sampler *s, struct swt_sampled *p, int *sink_rc);
/** swt_sampler_gone - deliver the end of a process; the sink's value. */
int swt_sampler_gone(struct swt_sampler *s, int pid);

/* sampler-scan.c */
int swt_sampler_slice(struct swt_sampler *s, uint64_t deadline);

#endif
