/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of the model, shared by its files and by nobody else.
 *
 *   task      one TID; belongs to a process
 *   process   a thread group, identified by pid and birth, not by pid alone; has an address space (or none)
 *   mm        an address space; processes made with CLONE_VM share one, and it may outlive all of them
 *   teardown  one release from its first sign until nothing about it is outstanding
 *
 * Who points to what: a task to its process; a process to its mm (counted) and to its teardown; a teardown to
 * its mm (counted) and to its process while that is in the table.
 */
#ifndef SWT_MODEL_STATE_H
#define SWT_MODEL_STATE_H

#include "model/balance.h"
#include "model/idmap.h"
#include "model/intern.h"
#include "model/list.h"
#include "model/model.h"

/* A hostile recording must not eat all memory: above these the oldest entry is dropped. */
#define SWT_MAX_PROCS	  131072u
#define SWT_MAX_TASKS	  1048576u
#define SWT_MAX_STRAYS	  8192u /* address spaces nobody owns */
#define SWT_MAX_WAITING	  65536u
#define SWT_MAX_DEFERRING 4096u /* releases whose batches are followed */
#define SWT_MAX_WANTS	  1024u

#define SWT_COMM_MAX 64u

struct swt_proc;
struct swt_td;

struct swt_mm {
	uint32_t id; /* of rss_stat; recycled by the kernel after the end */
	bool has_id, dead, exact;
	bool no_entries_at_birth;
	uint32_t refs;	   /* processes and teardowns that point here */
	uint32_t users;	   /* processes among them */
	int32_t bound_tid; /* task that last proved to run in it; 0 none */
	int32_t stray_tid; /* last task that changed it without owning it; 0 none */
	uint32_t epoch;	   /* of model->epoch when @entries was learned */
	uint32_t sample_epoch;
	uint64_t entries, entries_ts; /* with @exact: from rss_stat */
	uint64_t sample, sample_ts;   /* with sample_by: from /proc or from the parent */
	enum swt_evidence sample_by;  /* SWT_BY_NONE, SWT_BY_VMSWAP or SWT_BY_INHERITED */
	/* What a task that does not own it did to it, should it turn out to be a release. */
	uint64_t stray_ts;
	struct swt_opt stray_first; /* first MM_SWAPENTS of it, when nothing exact was known before */
	struct swt_opt stray_start, stray_fell;
	struct swt_proc *owner; /* process it is charged to; NULL: unknown or gone */
	struct swt_td *td;	/* teardown by its own process */
	struct swt_td *reap;	/* teardown by somebody else */
	struct swt_node held;	/* finished exits that left it behind */
	struct swt_node stray;	/* on model->strays when nobody points here */
};

struct swt_task {
	int32_t tid;
	bool dead, newborn, mapped, has_stray;
	uint8_t deliver_sig;	     /* fatal signal delivered to it, 0 none */
	uint32_t stray;		     /* mm_id it last changed without owning it */
	uint64_t deliver_ts, map_ts; /* map_ts, with @mapped: exit_mmap whose meaning is open */
	uint64_t map_id;	     /* raw address in it, only to be handed to the khugepaged tracker */
	struct swt_proc *p;
	struct swt_node in_proc;
};

struct swt_sig {
	uint64_t ts;
	int32_t sender;
	uint8_t no;	/* 0 none */
	bool confirmed; /* seen delivered, with no handler */
};

struct swt_proc {
	int32_t tgid, ppid;
	uint32_t alive, max_alive; /* tasks */
	bool threads_known, sure; /* sure: identity from its birth or from /proc, not assumed from an event */
	bool no_mm, dying, leader_gone, over, oom, wanted, zombie, is_gone, new_mm, swapoff;
	uint8_t comm_len;
	char comm[SWT_COMM_MAX];
	struct swt_opt born;
	struct swt_opt start_ticks;
	uint64_t seen_ts, zombie_ts, gone_ts;
	struct swt_opt told; /* parent was told */
	struct swt_opt rss;
	struct swt_sig sig;
	struct swt_path *cgroup;
	struct swt_mm *mm;
	struct swt_td *td;
	struct swt_node tasks, all, suspect;
	struct swt_node releases; /* teardowns that point here, @td among them */
};

enum swt_td_state {
	SWT_TD_MAYBE, /* signs of a release that may turn out to be none */
	SWT_TD_RUNNING,
	SWT_TD_ENDED,	/* end mark seen, meaning open (exit or exec) or more marks expected */
	SWT_TD_WAITING, /* reported; parent, worker or holder outstanding */
};

struct swt_steps {
	bool seen, fell, bad; /* bad: a size out of range */
	bool open, mixed, has_prev;
	int member;
	uint64_t last, last_ts; /* MM_SWAPENTS */
	uint64_t any_ts;	/* of any member */
	uint64_t first_ts, prev_end, end, entries;
	uint64_t pure_ns, pure_entries, mixed_ns, mixed_entries;
};

struct swt_td {
	struct swt_release r;
	enum swt_td_state state;
	bool counted, touched, exit_seen, mm_gone, patched, reaped;
	int32_t task;	  /* TID at work, 0 unknown */
	int32_t last_cpu; /* -1 unknown */
	uint32_t mm_id;
	uint64_t opened_seq, created_ts, last_event_ts;
	struct swt_opt e0, sample;
	enum swt_evidence sample_by;
	bool e0_fresh;
	uint64_t e0_ts, sample_ts;
	uint64_t other_freed;
	struct swt_opt dying;
	struct swt_steps steps;
	uint64_t worker_freed, worker_ts;
	int32_t worker;
	struct swt_path *cgroup;
	struct swt_mm *mm;
	struct swt_proc *p;
	struct swt_node list, held, deferring, in_proc;
};

/* Maxima of the number of open releases since a moment: a falling staircase of (moment, number). */
struct swt_peak {
	uint64_t seq;
	uint32_t open;
};

struct swt_concurrency {
	struct swt_peak *peak;
	size_t npeaks, cap;
	uint64_t seq;
	uint32_t open;
};

struct swt_trackers;

struct swt_model {
	struct swt_model_cfg cfg;
	struct swt_intern paths;
	struct swt_idmap tasks, limbo, mms;
	struct swt_node procs; /* oldest first */
	struct swt_node open, waiting, strays, suspects, deferring;
	size_t nprocs, ntasks, nmms, ntds, nwaiting, nstrays, ndeferring;
	struct swt_mm *last_mm; /* of the last rss_stat */
	struct swt_concurrency conc;
	uint32_t epoch; /* grows with every loss */
	uint64_t now;
	uint64_t last_loss;
	bool any_loss;
	pid_t wants[SWT_MAX_WANTS];
	size_t want_first, nwants;
	struct swt_sys sys, sys_before;
	struct swt_exits exits;
	uint64_t snap_ts;
	bool have_snap, interval_lost;
	struct swt_trackers *trackers;
};

static inline bool swt_have(const struct swt_model *m, enum swt_ev id)
{
	return m->cfg.info && m->cfg.info->state[id] == SWT_EV_HAVE;
}

/* rss_stat of every task, not only of watched ones: then no change of any address space is missed. */
static inline bool swt_rss_all(const struct swt_model *m)
{
	return swt_have(m, SWT_EV_RSS_STAT) && m->cfg.info->level >= 4;
}

#endif
