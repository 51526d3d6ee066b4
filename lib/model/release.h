/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A release: one address space giving back its swap entries.
 *
 * Times are ns of the trace clock.  Everything that may not have been seen is a struct swt_opt.
 */
#ifndef SWT_MODEL_RELEASE_H
#define SWT_MODEL_RELEASE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/opt.h"

enum swt_release_kind { SWT_REL_EXIT, SWT_REL_EXEC, SWT_REL_LASTREF, SWT_REL_REAPED };
const char *swt_release_kind_name(enum swt_release_kind k); /* "exit", "exec", "lastref", "reaped" */

/* What a time or a count rests on.  Names appear in JSON "evidence". */
enum swt_evidence {
	SWT_BY_NONE, /* not seen */
	SWT_BY_SWAP_EXIT_BEGIN,
	SWT_BY_SWAP_EXIT_END,
	SWT_BY_SCHED_EXIT, /* sched_process_exit (group_dead: begins; old order: ends) */
	SWT_BY_SIGNAL_DELIVER,
	SWT_BY_RSS_STAT, /* kmem:rss_stat */
	SWT_BY_EXIT_MMAP,
	SWT_BY_SCHED_EXEC,
	SWT_BY_SCHED_FREE,
	SWT_BY_VMSWAP,	   /* the last /proc/PID/status sample, not confirmed */
	SWT_BY_VMSWAP_RSS, /* the last sample, and the first rss_stat step fits it */
	SWT_BY_INHERITED,  /* what the parent had at fork */
	SWT_BY_SAMPLE,	   /* seen or gone in /proc */
};
const char *swt_evidence_name(enum swt_evidence e); /* NULL for SWT_BY_NONE */

struct swt_release {
	char id[48]; /* "<start ns>-<pid>": unique on one boot */
	enum swt_release_kind kind;
	int pid;		/* process whose memory it is (TGID); 0 unknown */
	int tid;		/* task that did the teardown */
	int ppid;		/* 0 unknown */
	struct swt_opt born_ns; /* start time of the process, trace clock */
	char comm[64];		/* any bytes; "" unknown */
	uint8_t comm_len;
	const char *cgroup;	/* NUL-terminated path, NULL unknown; owned by the model */
	struct swt_opt threads; /* most threads seen alive at once */

	int signal;	  /* fatal signal, 0 none seen */
	int sender;	  /* pid that sent it, 0 unknown or the kernel */
	bool cause_known; /* signal events were on: signal 0 means "exited by itself" */
	bool oom;

	enum swt_evidence by_start, by_end, by_entries, by_swap_ns;
	struct swt_opt swap_entries;  /* at the start */
	struct swt_opt swapped_dying; /* swapped out while dying */
	struct swt_opt freed;	      /* given up by this release; sync + late + deferred */
	struct swt_opt sync, late, deferred, fallback;

	uint64_t start_ns;	  /* best start mark */
	uint64_t end_ns;	  /* of the teardown; 0 while it runs */
	struct swt_opt signal_ns; /* signal to start */
	struct swt_opt teardown;  /* ns, start to end */
	struct swt_opt swap_ns;	  /* part spent on swap entries */
	struct swt_opt other_ns;
	struct swt_opt gone_at; /* parent told (exit_notify), or the end */
	struct swt_opt reap_ns; /* gone to reaped */
	struct swt_opt ns_per_entry;
	struct swt_opt swapcached_before, swapcached_after; /* SwapCached of the system, bytes */

	unsigned int concurrency;
	char backend[12];
	bool held;		    /* exited, address space still alive in somebody else's hands */
	struct swt_opt released_at; /* last entry freed */
	struct swt_opt lag;	    /* gone to released */
	int released_by;	    /* pid that did it when not the process itself, 0 */
	struct swt_opt memory_lag;  /* gone until 90 % of its RAM and swap were back, from samples */

	bool final;    /* nothing outstanding */
	bool complete; /* no events were lost while it ran */
	uint64_t lost; /* events lost while it ran (known ones) */
};

#endif
