/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One tracefs instance of our own, see instance.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fmt.h"
#include "trace/instance.h"

static int instances_dir(const struct swt_root *root, const char *tracefs)
{
	char path[SWT_TRACEFS_PATH];

	if (snprintf(path, sizeof(path), "%s/instances", tracefs) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	return swt_root_open(root, path, O_RDONLY | O_DIRECTORY);
}

int swt_tracefs_rmdir(const struct swt_root *root, const char *tracefs, const char *name)
{
	int rc = 0, fd = instances_dir(root, tracefs);

	if (fd < 0)
		return fd;
	if (unlinkat(fd, name, AT_REMOVEDIR))
		rc = -errno;
	close(fd);
	return rc;
}

int swt_instance_make(struct swt_instance *in, const struct swt_root *root, const char *tracefs,
		      const char *name, struct swt_err *err)
{
	int fd, rc = 0;

	memset(in, 0, sizeof(*in));
	in->root = root;
	if (snprintf(in->name, sizeof(in->name), "%s", name) >= (int)sizeof(in->name) ||
	    snprintf(in->tracefs, sizeof(in->tracefs), "%s", tracefs) >= (int)sizeof(in->tracefs) ||
	    snprintf(in->dir, sizeof(in->dir), "%s/instances/%s", tracefs, name) >= (int)sizeof(in->dir))
		return swt_err_set(err, -ENAMETOOLONG, "path of tracefs is too long: '%s'", tracefs);
	fd = instances_dir(root, tracefs);
	if (fd >= 0) {
		if (mkdirat(fd, name, 0750))
			rc = -errno;
		close(fd);
	} else {
		rc = fd;
	}
	if (!rc) {
		in->made = true;
		return 0;
	}
	if (rc == -EEXIST) /* the caller tries the next name */
		return rc;
	if (rc == -EACCES || rc == -EPERM)
		return swt_tracefs_denied(root, in->dir, rc, err);
	if (rc == -ENOENT)
		return swt_err_set(
			err, -EOPNOTSUPP,
			"cannot trace: '%s/instances' is missing, this kernel has no trace instances",
			tracefs);
	return swt_err_set(err, rc, "cannot make the trace instance '%s': %s", in->dir, strerror(-rc));
}

int swt_instance_remove(struct swt_instance *in)
{
	int rc;

	if (!in->made)
		return 0;
	/* The kernel does the same in rmdir; this is for the case that rmdir is refused. */
	swt_instance_set(in, "tracing_on", "0");
	swt_instance_set(in, "events/enable", "0");
	rc = swt_tracefs_rmdir(in->root, in->tracefs, in->name);
	if (!rc || rc == -ENOENT) {
		in->made = false;
		return 0;
	}
	return rc;
}

static int file_path(const struct swt_instance *in, const char *file, char *path, size_t size)
{
	return snprintf(path, size, "%s/%s", in->dir, file) >= (int)size ? -ENAMETOOLONG : 0;
}

int swt_instance_read(const struct swt_instance *in, const char *file, struct swt_buf *out)
{
	char path[SWT_TRACEFS_PATH + 128];
	int rc = file_path(in, file, path, sizeof(path));

	return rc ? rc : swt_root_read(in->root, path, out);
}

int swt_instance_set(const struct swt_instance *in, const char *file, const char *text)
{
	char path[SWT_TRACEFS_PATH + 128];
	int rc = file_path(in, file, path, sizeof(path));

	return rc ? rc : swt_root_write(in->root, path, text);
}

int swt_instance_open(const struct swt_instance *in, const char *file, int flags)
{
	char path[SWT_TRACEFS_PATH + 128];
	int rc = file_path(in, file, path, sizeof(path));

	return rc ? rc : swt_root_open(in->root, path, flags);
}

bool swt_instance_has(const struct swt_instance *in, const char *file)
{
	int fd = swt_instance_open(in, file, O_RDONLY | O_NONBLOCK);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

int swt_instance_add(const struct swt_instance *in, const char *file, const char *text, size_t len)
{
	int rc = 0, fd = swt_instance_open(in, file, O_WRONLY);

	if (fd < 0)
		return fd;
	while (len) {
		ssize_t n = write(fd, text, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			rc = n ? -errno : -EIO;
			break;
		}
		text += n;
		len -= (size_t)n;
	}
	close(fd);
	return rc;
}

/* Is the word in the list, in brackets or not? */
static bool has_clock(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = text; (p = strstr(p, word)); p += n) {
		bool begins = p == text || strchr(" [\n", p[-1]);

		if (begins && strchr(" ]\n", p[n]))
			return true; /* also at the end: strchr() finds the NUL */
	}
	return false;
}

int swt_clock_current(const char *text, char *clock, size_t size)
{
	const char *p = strchr(text, '[');
	size_t n;

	if (!p)
		return -EBADMSG;
	n = strcspn(++p, "] \n");
	if (p[n] != ']' || !n || n >= size)
		return -EBADMSG;
	memcpy(clock, p, n);
	clock[n] = '\0';
	return 0;
}

int swt_clock_pick(const char *text, char *clock, size_t size)
{
	/* "local" may disagree between CPUs; "boot" goes on in suspend, which the other sources do not. */
	static const char *const order[] = { "mono", "boot", "global" };

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if (has_clock(text, order[i])) {
			snprintf(clock, size, "%s", order[i]);
			return 0;
		}
	}
	return swt_clock_current(text, clock, size);
}

int swt_instance_clock(const struct swt_instance *in, char *clock, size_t size, struct swt_err *err)
{
	struct swt_buf b = SWT_BUF_INIT;
	int rc = swt_instance_read(in, "trace_clock", &b);

	if (!rc)
		rc = swt_clock_pick(swt_buf_str(&b), clock, size);
	if (!rc)
		rc = swt_instance_set(in, "trace_clock", clock);
	/* Believe what is there, not what was asked for. */
	if (!rc)
		rc = swt_instance_read(in, "trace_clock", &b);
	if (!rc)
		rc = swt_clock_current(swt_buf_str(&b), clock, size);
	swt_buf_free(&b);
	return rc ? swt_err_set(err, rc, "cannot set the clock in '%s/trace_clock': %s", in->dir,
				strerror(-rc))
		  : 0;
}

/* "1408" or "7 (expanded: 1408)"; "X" (CPUs differ) is no number. */
static bool read_kb(const struct swt_instance *in, const char *file, uint64_t *kb)
{
	struct swt_buf b = SWT_BUF_INIT;
	bool ok = false;

	if (!swt_instance_read(in, file, &b) && b.len) {
		b.s[strcspn(b.s, " \n")] = '\0';
		ok = !swt_parse_u64(b.s, kb);
	}
	swt_buf_free(&b);
	return ok;
}

uint64_t swt_instance_size(const struct swt_instance *in, uint64_t kb, unsigned int cpus,
			   const struct swt_log *log)
{
	uint64_t got = 0, total;
	char text[32];
	int rc;

	snprintf(text, sizeof(text), "%llu", (unsigned long long)kb);
	rc = swt_instance_set(in, "buffer_size_kb", text);
	if (!read_kb(in, "buffer_size_kb", &got))
		swt_log(log, SWT_LOG_WARN, "cannot read the ring size of '%s'", in->name);
	else if (got < kb)
		swt_log(log, SWT_LOG_WARN,
			"rings of '%s' have %llu kB per CPU instead of %llu kB%s%s, events may be lost",
			in->name, (unsigned long long)got, (unsigned long long)kb, rc ? ": " : "",
			rc ? strerror(-rc) : "");
	if (read_kb(in, "buffer_total_size_kb", &total) && total >= got)
		return total * 1024;
	return got * cpus * 1024;
}
