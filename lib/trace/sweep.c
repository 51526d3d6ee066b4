/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Removing instances whose owner is dead.
 *
 * A killed tool leaves its instance behind with its events on, and everybody pays for them.  The name says whose
 * it was.  An owner in another pid namespace cannot be seen from here and looks dead; but it holds its raw
 * pipes open, and then rmdir(2) is refused.  So nothing is switched off before rmdir: a living one is never harmed.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/instance.h"
#include "trace/tracefs.h"

bool swt_tracefs_name_owner(const char *name, pid_t *pid, uint64_t *start)
{
	static const char prefix[] = "swaptop.";
	unsigned long long n[2];
	const char *p = name;

	if (strncmp(p, prefix, sizeof(prefix) - 1))
		return false;
	p += sizeof(prefix) - 1;
	for (int i = 0; i < 2; i++) {
		char *end;

		if (*p < '0' || *p > '9')
			return false;
		errno = 0;
		n[i] = strtoull(p, &end, 10);
		if (errno)
			return false;
		if (i == 0 && *end++ != '.')
			return false;
		p = end;
	}
	if ((*p && *p != '.') || !n[0] || n[0] > INT32_MAX)
		return false;
	*pid = (pid_t)n[0];
	*start = n[1];
	return true;
}

/* Dead means: no such process, or one that started at another time.  In doubt it lives. */
static bool owner_dead(const struct swt_root *root, pid_t pid, uint64_t start)
{
	struct swt_buf b = SWT_BUF_INIT;
	bool dead = false;
	uint64_t its_start;
	char path[64];
	pid_t its;
	int rc;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	rc = swt_root_read(root, path, &b);
	if (rc == -ENOENT || rc == -ESRCH)
		dead = true;
	else if (!rc && !swt_tracefs_stat(swt_buf_str(&b), &its, &its_start))
		dead = its == pid && its_start != start;
	swt_buf_free(&b);
	return dead;
}

struct names {
	struct swt_buf list; /* NUL-separated */
};

static int collect(void *arg, const char *name)
{
	struct names *n = arg;
	uint64_t start;
	pid_t pid;

	if (!swt_tracefs_name_owner(name, &pid, &start))
		return 0;
	return swt_buf_add(&n->list, name, strlen(name) + 1);
}

static int remove_dead(const struct swt_root *root, const char *tracefs, const char *name,
		       const struct swt_log *log)
{
	int rc = swt_tracefs_rmdir(root, tracefs, name);
	struct swt_buf who = SWT_BUF_INIT;
	char dir[SWT_TRACEFS_PATH];

	if (!rc) {
		swt_log(log, SWT_LOG_NOTE, "removed the trace instance '%s' of a dead process", name);
		return 1;
	}
	if (rc == -ENOENT) /* another one of us was faster */
		return 0;
	snprintf(dir, sizeof(dir), "%s/instances/%s", tracefs, name);
	if (rc == -EBUSY && !swt_tracefs_holder(root, dir, &who))
		swt_log(log, SWT_LOG_WARN, "trace instance '%s' has no owner, but %s has it open", name,
			who.s);
	else
		swt_log(log, SWT_LOG_WARN, "cannot remove the trace instance '%s' of a dead process: %s",
			name, strerror(-rc));
	swt_buf_free(&who);
	return 0;
}

int swt_tracefs_sweep(const struct swt_root *root, const char *tracefs, const struct swt_log *log)
{
	struct names n = { SWT_BUF_INIT };
	char dir[SWT_TRACEFS_PATH];
	int rc, removed = 0;

	if (snprintf(dir, sizeof(dir), "%s/instances", tracefs) >= (int)sizeof(dir))
		return -ENAMETOOLONG;
	/* Names first: removing while the directory is being read may skip some. */
	rc = swt_root_each(root, dir, collect, &n);
	for (size_t at = 0; !rc && at < n.list.len; at += strlen(n.list.s + at) + 1) {
		uint64_t start;
		pid_t pid;

		if (swt_tracefs_name_owner(n.list.s + at, &pid, &start) && owner_dead(root, pid, start))
			removed += remove_dead(root, tracefs, n.list.s + at, log);
	}
	swt_buf_free(&n.list);
	return rc ? rc : removed;
}
