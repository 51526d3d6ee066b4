/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of the running system or of a sysroot, see root.h.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/root.h"

#define READ_MAX (16u << 20)

struct swt_root {
	char *prefix; /* "" for the running system */
	int fd;	      /* the directory, O_PATH */
};

int swt_root_new(const char *prefix, struct swt_root **ret)
{
	struct swt_root *r;
	int rc;

	if (!prefix || !prefix[strspn(prefix, "/")]) {
		/* "", NULL and any number of slashes; "" must not silently mean the working directory. */
		prefix = "";
	}
	r = calloc(1, sizeof(*r));
	if (!r)
		return -ENOMEM;
	r->prefix = strdup(prefix);
	r->fd = -1;
	if (!r->prefix) {
		rc = -ENOMEM;
		goto fail;
	}
	r->fd = open(*prefix ? prefix : "/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (r->fd < 0) {
		rc = -errno;
		goto fail;
	}
	*ret = r;
	return 0;
fail:
	swt_root_free(r);
	return rc;
}

void swt_root_free(struct swt_root *r)
{
	if (!r)
		return;
	if (r->fd >= 0)
		close(r->fd);
	free(r->prefix);
	free(r);
}

bool swt_root_live(const struct swt_root *r)
{
	return !*r->prefix;
}

const char *swt_root_prefix(const struct swt_root *r)
{
	return r->prefix;
}

static bool has_dotdot(const char *path)
{
	while (*path) {
		size_t n = strcspn(path, "/");

		if (n == 2 && path[0] == '.' && path[1] == '.')
			return true;
		path += n;
		path += strspn(path, "/");
	}
	return false;
}

/*
 * Open below a sysroot.  The kernel keeps symlinks inside: an absolute target counts from the sysroot, and
 * ".." in a target stops at its top.  Kernels before 5.6 (and some container filters) have no openat2();
 * there a reader may follow a link to the outside, but nothing is ever written through one.
 */
static int open_below(int dirfd, const char *rel, int flags, mode_t mode)
{
	struct open_how how = {
		.flags = (unsigned int)flags,
		.mode = mode,
		.resolve = RESOLVE_IN_ROOT,
	};
	int fd, tries = 0;

	/* EAGAIN: something was renamed or mounted while the kernel followed a "..". */
	do {
		fd = (int)syscall(SYS_openat2, dirfd, rel, &how, sizeof(how));
	} while (fd < 0 && errno == EAGAIN && ++tries < 16);
	if (fd >= 0)
		return fd;
	if (errno != ENOSYS && errno != EPERM)
		return -errno;
	if ((flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)))
		return -errno;
	fd = openat(dirfd, rel, flags, mode);
	return fd < 0 ? -errno : fd;
}

int swt_root_open(const struct swt_root *r, const char *path, int flags)
{
	mode_t mode = flags & O_CREAT ? 0644 : 0;
	const char *rel;
	int fd;

	if (!path || *path != '/' || has_dotdot(path))
		return -EINVAL;
	flags |= O_CLOEXEC | O_NOCTTY;
	if (swt_root_live(r)) {
		fd = open(path, flags, mode);
		return fd < 0 ? -errno : fd;
	}
	rel = path + strspn(path, "/");
	return open_below(r->fd, *rel ? rel : ".", flags, mode);
}

static int read_all(int fd, struct swt_buf *out)
{
	for (;;) {
		ssize_t n;
		int rc = swt_buf_reserve(out, 4096);

		if (rc)
			return rc;
		n = read(fd, out->s + out->len, out->cap - out->len - 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			return 0;
		out->len += (size_t)n;
		out->s[out->len] = '\0';
		if (out->len > READ_MAX)
			return -EFBIG;
	}
}

int swt_root_read(const struct swt_root *r, const char *path, struct swt_buf *out)
{
	int fd, rc;

	swt_buf_reset(out);
	/* A FIFO or a terminal in somebody's sysroot must not make us wait. */
	fd = swt_root_open(r, path, O_RDONLY | O_NONBLOCK);
	if (fd < 0)
		return fd;
	rc = read_all(fd, out);
	close(fd);
	if (rc)
		swt_buf_reset(out);
	return rc;
}

int swt_root_write(const struct swt_root *r, const char *path, const char *text)
{
	size_t len = strlen(text);
	ssize_t n;
	int fd, rc = 0;

	fd = swt_root_open(r, path, O_WRONLY | O_TRUNC | O_NONBLOCK);
	if (fd < 0)
		return fd;
	do {
		n = write(fd, text, len);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		rc = -errno;
	else if ((size_t)n != len)
		rc = -EIO;
	if (close(fd) && !rc)
		rc = -errno;
	return rc;
}

int swt_root_each(const struct swt_root *r, const char *path, int (*fn)(void *arg, const char *name),
		  void *arg)
{
	struct dirent *de;
	int fd, rc = 0;
	DIR *dir;

	fd = swt_root_open(r, path, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return fd;
	dir = fdopendir(fd);
	if (!dir) {
		rc = -errno;
		close(fd);
		return rc;
	}
	for (;;) {
		errno = 0;
		de = readdir(dir);
		if (!de) {
			rc = -errno;
			break;
		}
		if (!strcmp(de->d_name, ".") || !strcmp(de->d_name, ".."))
			continue;
		rc = fn(arg, de->d_name);
		if (rc)
			break;
	}
	closedir(dir);
	return rc;
}
