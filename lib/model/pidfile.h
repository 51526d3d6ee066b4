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
	int pid, ppid, threads;
	char state;          /* 'R', 'S', 'D', 'Z', ...; 0 unknown */
	char comm[64];       /* between the first "(" and the last ")"; any bytes, NUL-terminated */
	size_t comm_len;
	uint64_t start_ticks;/* since boot, USER_HZ */
	struct swt_opt utime, stime; /* ticks */
};

/** swt_pid_stat - parse /proc/PID/stat; 0 or -EBADMSG. */
int swt_pid_stat(const char *text, size_t len, struct swt_pid_stat *ret);

#define SWT_MAX_NSPID 8

struct swt_pid_status {
	int tgid, pid, ppid; /* 0 unknown */
	char state;
	struct swt_opt vm_swap, vm_rss; /* bytes; unknown when the line is missing (no mm: kernel thread, zombie leader) */
	struct swt_opt threads, thp_enabled;
	int nspid[SWT_MAX_NSPID]; /* outermost first */
	unsigned int nnspid;      /* 0: no NSpid line */
};

/** swt_pid_status - parse /proc/PID/status; 0 or -EBADMSG (not one line understood). */
int swt_pid_status(const char *text, size_t len, struct swt_pid_status *ret);

/**
 * swt_pid_cgroup - the group of /proc/PID/cgroup: the unified line ("0::/path") when it has a path other than "/"
 * or is alone, else that of the memory controller
 * @len_ret: bytes at the returned pointer, which points into @text; NULL when there is none
 */
const char *swt_pid_cgroup(const char *text, size_t len, size_t *len_ret);

#endif
