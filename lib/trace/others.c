/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who else traces.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "trace/instance.h"
#include "trace/tracefs.h"

struct holder {
	const struct swt_root *root;
	const char *dir; /* "/instances/NAME": tracefs may have been reached through another mount */
	size_t len;
	char pid[16];
	char fds[48]; /* /proc/PID/fd */
	bool found;
};

static int see_fd(void *arg, const char *name)
{
	struct holder *h = arg;
	char target[SWT_TRACEFS_PATH];
	ssize_t n;
	int fd;

	/* readlinkat() below the sysroot: the directory is opened through it. */
	fd = swt_root_open(h->root, h->fds, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return 1;
	n = readlinkat(fd, name, target, sizeof(target) - 1);
	close(fd);
	if (n <= 0)
		return 0;
	target[n] = '\0';
	for (const char *p = target; (p = strstr(p, h->dir)); p++) {
		if (!p[h->len] || p[h->len] == '/') {
			h->found = true;
			return 1;
		}
	}
	return 0;
}

static int see_process(void *arg, const char *name)
{
	struct holder *h = arg;

	if (name[strspn(name, "0123456789")] || strlen(name) >= sizeof(h->pid))
		return 0;
	snprintf(h->fds, sizeof(h->fds), "/proc/%s/fd", name);
	swt_root_each(h->root, h->fds, see_fd, h); /* may be gone or forbidden */
	if (!h->found)
		return 0;
	snprintf(h->pid, sizeof(h->pid), "%s", name);
	return 1;
}

int swt_tracefs_holder(const struct swt_root *root, const char *dir, struct swt_buf *out)
{
	struct swt_buf comm = SWT_BUF_INIT;
	struct holder h = { .root = root, .dir = strstr(dir, "/instances/") };
	char path[64];
	int rc;

	if (!h.dir)
		h.dir = dir;
	h.len = strlen(h.dir);
	rc = swt_root_each(root, "/proc", see_process, &h);
	if (rc < 0)
		return rc;
	if (!h.found)
		return -ENOENT;
	snprintf(path, sizeof(path), "/proc/%s/comm", h.pid);
	swt_buf_reset(out);
	rc = swt_root_read(root, path, &comm);
	if (!rc && comm.len && comm.s[comm.len - 1] == '\n')
		comm.len--;
	/* The name is anybody's to choose. */
	rc = !rc && comm.len ? swt_text_clean(out, comm.s, comm.len, false) : swt_buf_adds(out, "a process");
	if (!rc)
		rc = swt_buf_addf(out, " (pid %s)", h.pid);
	swt_buf_free(&comm);
	return rc;
}

struct others {
	const struct swt_root *root;
	const char *tracefs;
	struct swt_buf *out;
	int lines;
	int rc;
};

static int see_instance(void *arg, const char *name)
{
	struct others *o = arg;
	struct swt_buf who = SWT_BUF_INIT;
	char dir[SWT_TRACEFS_PATH];
	uint64_t start;
	pid_t pid;
	int rc;

	if (swt_tracefs_name_owner(name, &pid, &start))
		return 0;
	if (snprintf(dir, sizeof(dir), "%s/instances/%s", o->tracefs, name) >= (int)sizeof(dir))
		return 0;
	if (swt_tracefs_holder(o->root, dir, &who))
		rc = swt_buf_adds(o->out, "unknown (nobody has it open): instance ");
	else
		rc = swt_buf_addf(o->out, "%s: instance ", who.s);
	if (!rc)
		rc = swt_text_clean(o->out, name, strlen(name), false);
	if (!rc)
		rc = swt_buf_addc(o->out, '\n');
	swt_buf_free(&who);
	o->lines++;
	return rc;
}

/* The first word of a top-level file. */
static void top_word(const struct others *o, const char *file, char *word, size_t size)
{
	struct swt_buf b = SWT_BUF_INIT;
	char path[SWT_TRACEFS_PATH];

	snprintf(path, sizeof(path), "%s/%s", o->tracefs, file);
	*word = '\0';
	if (!swt_root_read(o->root, path, &b) && b.len)
		snprintf(word, size, "%.*s", (int)strcspn(b.s, " \n"), b.s);
	swt_buf_free(&b);
}

static int see_top(struct others *o)
{
	char word[64];
	int rc = 0;

	top_word(o, "current_tracer", word, sizeof(word));
	if (*word && strcmp(word, "nop")) {
		rc = swt_buf_adds(o->out, "unknown: tracer ");
		if (!rc)
			rc = swt_text_clean(o->out, word, strlen(word), false);
		if (!rc)
			rc = swt_buf_adds(o->out, " at the top level\n");
		o->lines++;
	}
	/* "0" all off, "1" all on, "X" some */
	top_word(o, "events/enable", word, sizeof(word));
	if (!rc && *word && strcmp(word, "0")) {
		rc = swt_buf_adds(o->out, "unknown: events at the top level\n");
		o->lines++;
	}
	return rc;
}

int swt_tracefs_others(const struct swt_root *root, const char *tracefs, struct swt_buf *out)
{
	struct others o = { .root = root, .tracefs = tracefs, .out = out };
	char dir[SWT_TRACEFS_PATH];
	int rc;

	if (snprintf(dir, sizeof(dir), "%s/instances", tracefs) >= (int)sizeof(dir))
		return -ENAMETOOLONG;
	rc = swt_root_each(root, dir, see_instance, &o);
	if (!rc)
		rc = see_top(&o);
	return rc ? rc : o.lines;
}
