/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where tracefs is, and whether we may use it.
 *
 * "Not there", "not allowed" and "locked down" need three different remedies, and a directory without search
 * permission makes every file in it look missing.  So the directory itself is asked first.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/instance.h"
#include "trace/tracefs.h"

#define MOUNT_HINT "mount it with: mount -t tracefs nodev /sys/kernel/tracing"

int swt_tracefs_denied(const struct swt_root *root, const char *path, int rc, struct swt_err *err)
{
	struct swt_buf b = SWT_BUF_INIT;

	if (rc != -EPERM)
		return swt_err_set(
			err, rc, "cannot use '%s': %s; run as root, or with the capability CAP_DAC_OVERRIDE",
			path, strerror(-rc));
	if (!swt_root_read(root, "/sys/kernel/security/lockdown", &b) && b.len && !strstr(b.s, "[none]")) {
		b.s[strcspn(b.s, "\n")] = '\0';
		swt_err_set(
			err, rc,
			"cannot use '%s': the kernel is locked down (%s), tracing is not allowed even for root; "
			"boot without lockdown=confidentiality",
			path, b.s);
	} else {
		swt_err_set(
			err, rc,
			"cannot use '%s': operation not permitted, also for root; a security module or the "
			"container forbids it, run outside of it",
			path);
	}
	swt_buf_free(&b);
	return rc;
}

/* Is the directory a tracefs that we may use?  0, -ENOENT (nothing there), -EACCES, -EPERM. */
static int probe(const struct swt_root *root, const char *dir)
{
	char path[SWT_TRACEFS_PATH];
	int fd, rc = 0;

	fd = swt_root_open(root, dir, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return fd == -ENOTDIR || fd == -ENODEV ? -ENOENT : fd;
	if (faccessat(fd, ".", R_OK | X_OK, AT_EACCESS))
		rc = -errno;
	close(fd);
	if (rc)
		return rc;
	if (snprintf(path, sizeof(path), "%s/trace_clock", dir) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	/* An empty mount point has no such file; lockdown lets us see the names and refuses to open them. */
	fd = swt_root_open(root, path, O_RDONLY);
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

/* Take back the octal escapes of /proc/mounts: space, tab, newline, backslash. */
static void unescape(char *s)
{
	char *to = s;

	while (*s) {
		if (s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] >= '0' && s[2] <= '7' && s[3] >= '0' &&
		    s[3] <= '7') {
			*to++ = (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0'));
			s += 4;
		} else {
			*to++ = *s++;
		}
	}
	*to = '\0';
}

struct search {
	const struct swt_root *root;
	struct swt_buf *path;
	int denied; /* first -EACCES or -EPERM */
	char where[SWT_TRACEFS_PATH];
};

/* 1: found. */
static int try_dir(struct search *s, const char *dir, const char *sub)
{
	char path[SWT_TRACEFS_PATH];
	int rc;

	if (*dir != '/' || snprintf(path, sizeof(path), "%s%s", dir, sub) >= (int)sizeof(path) - 32)
		return 0;
	rc = probe(s->root, path);
	if (!rc) {
		swt_buf_reset(s->path);
		rc = swt_buf_adds(s->path, path);
		return rc ? rc : 1;
	}
	if ((rc == -EACCES || rc == -EPERM) && !s->denied) {
		s->denied = rc;
		snprintf(s->where, sizeof(s->where), "%s", path);
	}
	return 0;
}

/* Every mount of @type in the table, with @sub added. */
static int try_mounts(struct search *s, const char *table, const char *type, const char *sub)
{
	char line[1024], *dir, *fstype, *save;

	for (const char *p = table; *p;) {
		size_t n = strcspn(p, "\n");
		int rc = 0;

		if (n < sizeof(line)) {
			memcpy(line, p, n);
			line[n] = '\0';
			save = NULL;
			if (strtok_r(line, " ", &save) && (dir = strtok_r(NULL, " ", &save)) &&
			    (fstype = strtok_r(NULL, " ", &save)) && !strcmp(fstype, type)) {
				unescape(dir);
				rc = try_dir(s, dir, sub);
			}
		}
		if (rc)
			return rc;
		p += n + (p[n] == '\n');
	}
	return 0;
}

static int not_found(const struct swt_root *root, struct swt_err *err)
{
	struct swt_buf b = SWT_BUF_INIT;
	bool known = true;

	if (!swt_root_read(root, "/proc/filesystems", &b) && b.len)
		known = strstr(b.s, "\ttracefs\n") || strstr(b.s, "\tdebugfs\n");
	swt_buf_free(&b);
	if (!known)
		return swt_err_set(err, -EOPNOTSUPP,
				   "no tracefs: this kernel is built without tracing (CONFIG_FTRACE)");
	return swt_err_set(err, -EOPNOTSUPP, "tracefs is not mounted; " MOUNT_HINT);
}

int swt_tracefs_find(const struct swt_root *root, struct swt_buf *path, struct swt_err *err)
{
	struct swt_buf table = SWT_BUF_INIT;
	struct search s = { .root = root, .path = path };
	int rc = 0;

	if (!swt_root_read(root, "/proc/self/mounts", &table) && table.len) {
		rc = try_mounts(&s, table.s, "tracefs", "");
		if (!rc)
			rc = try_mounts(&s, table.s, "debugfs", "/tracing");
	}
	swt_buf_free(&table);
	if (!rc)
		rc = try_dir(&s, "/sys/kernel/tracing", "");
	if (!rc)
		rc = try_dir(&s, "/sys/kernel/debug/tracing", "");
	if (rc > 0)
		return 0;
	if (rc < 0)
		return swt_err_set(err, rc, "cannot look for tracefs: %s", strerror(-rc));
	if (s.denied)
		return swt_tracefs_denied(root, s.where, s.denied, err);
	return not_found(root, err);
}

int swt_tracefs_stat(const char *line, pid_t *pid, uint64_t *start)
{
	const char *p = strrchr(line, ')'); /* the name may hold anything, also ") " */
	char *end;
	long n;

	errno = 0;
	n = strtol(line, &end, 10);
	if (errno || end == line || n <= 0 || n > INT32_MAX || !p || p < end)
		return -EBADMSG;
	/* Behind the name comes field 3; the start time is field 22. */
	for (int field = 3; field <= 22; field++) {
		p = strchr(p, ' ');
		if (!p)
			return -EBADMSG;
		p += strspn(p, " ");
	}
	if (*p < '0' || *p > '9')
		return -EBADMSG;
	*pid = (pid_t)n;
	*start = strtoull(p, NULL, 10);
	return 0;
}

int swt_tracefs_instance_name(const struct swt_root *root, struct swt_buf *buf)
{
	struct swt_buf b = SWT_BUF_INIT;
	uint64_t start;
	pid_t pid;
	int rc;

	/* Of /proc, not getpid(): the pid must be the one that a sweep finds in the same /proc. */
	rc = swt_root_read(root, "/proc/self/stat", &b);
	if (!rc)
		rc = swt_tracefs_stat(swt_buf_str(&b), &pid, &start);
	swt_buf_free(&b);
	if (rc)
		return rc;
	swt_buf_reset(buf);
	return swt_buf_addf(buf, "swaptop.%d.%llu", (int)pid, (unsigned long long)start);
}
