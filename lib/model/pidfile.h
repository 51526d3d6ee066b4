/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /proc/PID/{stat,status,cgroup}: parsers.  Pure, of untrusted text.
 */
#ifndef SWT_MODEL_PIDFILE_H
#define SWT_MODEL_PIDFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/opt.h"

struct swt_pid_stat {
	int pid, ppid, threads; /* threads 0: unknown */
	char state;		/* 'R', 'S', 'D', 'Z', ...; 0 unknown */
	char comm[64];		/* between the first "(" and the last ")"; any bytes, NUL-terminated */
	size_t comm_len;
	uint64_t start_ticks;	     /* since boot, USER_HZ; 0 unknown */
	uint64_t flags;		     /* PF_*; 0 unknown */
	struct swt_opt utime, stime; /* ticks */
};

#define SWT_PF_KTHREAD 0x00200000ull

/**
 * swt_pid_stat - parse /proc/PID/stat; 0 or -EBADMSG (no pid, name, state or parent)
 *
 * The other fields are filled as far as the line goes.
 */
int swt_pid_stat(const char *text, size_t len, struct swt_pid_stat *ret);

#define SWT_MAX_NSPID 8

struct swt_pid_status {
	int tgid, pid, ppid; /* 0 unknown */
	char state;
	struct swt_opt vm_swap,
		vm_rss; /* bytes; unknown when the line is missing (no mm: kernel thread, zombie leader) */
	struct swt_opt threads, thp_enabled;
	int nspid[SWT_MAX_NSPID]; /* outermost first; deeper levels are left out */
	unsigned int nnspid;	  /* 0: no NSpid line (before 4.1, or without pid namespaces) */
};

/** swt_pid_status - parse /proc/PID/status; 0 or -EBADMSG (not one line understood). */
int swt_pid_status(const char *text, size_t len, struct swt_pid_status *ret);

/**
 * swt_pid_cgroup - the group of /proc/PID/cgroup: the unified line ("0::/path") when it has a path other than "/"
 * or is alone, else that of the memory controller; the unified "/" when there is none
 * @len_ret: bytes at the returned pointer, which points into @text; untouched when there is none (NULL)
 */
const char *swt_pid_cgroup(const char *text, size_t len, size_t *len_ret);

#endif
