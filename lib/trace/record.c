/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The recorder: ring pages into temporary files, and those into one trace.dat.
 */
#include "trace/record.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/record-impl.h"

/* A file without a name in r->dir. */
static int unnamed(const struct swt_record *r)
{
	char *name;
	int fd;

	fd = open(r->dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	/* Not every file system has O_TMPFILE (NFS, FAT, old overlayfs); the errno differs between them. */
	if (asprintf(&name, "%s/.swaptop-XXXXXX", r->dir) < 0)
		return -ENOMEM;
	fd = mkostemp(name, O_CLOEXEC);
	if (fd < 0)
		fd = -errno;
	else
		unlink(name);
	free(name);
	return fd;
}

/*
 * Where the recording goes.  A rename would turn a symbolic link into a file and /dev/null into a recording,
 * so links are followed and anything but a regular file is written to directly.
 */
static int find_target(struct swt_record *r, struct swt_err *err)
{
	struct stat st;
	char *slash;

	if (!*r->path) {
		swt_err_set(err, -ENOENT, "no name for the recording");
		return -ENOENT;
	}
	if (!stat(r->path, &st)) {
		if (S_ISDIR(st.st_mode))
			return -EISDIR;
		r->direct = !S_ISREG(st.st_mode);
		r->target = r->direct ? strdup(r->path) : realpath(r->path, NULL);
	} else {
		r->target = strdup(r->path);
	}
	if (!r->target)
		return -ENOMEM;
	if (r->direct) {
		r->dir = strdup(access("/var/tmp", W_OK) ? "/tmp" : "/var/tmp");
		return r->dir ? 0 : -ENOMEM;
	}
	slash = strrchr(r->target, '/');
	if (slash && !slash[1])
		return -EISDIR;
	r->dir = slash == r->target ? strdup("/")
		 : slash	    ? strndup(r->target, (size_t)(slash - r->target))
				    : strdup(".");
	return r->dir ? 0 : -ENOMEM;
}

static int fill(struct swt_record *r, const char *path, const struct swt_record_cfg *cfg)
{
	size_t i, n = (size_t)cfg->buffers * cfg->ncpus;

	r->root = cfg->root;
	r->info = *cfg->info;
	r->info.clock[sizeof(r->info.clock) - 1] = '\0';
	r->buffers = cfg->buffers;
	r->ncpus = cfg->ncpus;
	r->page_size = cfg->page_size;
	r->path = strdup(path);
	r->tracefs = strdup(cfg->tracefs);
	r->rings = calloc(n, sizeof(*r->rings));
	if (!r->path || !r->tracefs || !r->rings)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		r->rings[i].fd = -1;
	return 0;
}

int swt_record_new(const char *path, const struct swt_record_cfg *cfg, struct swt_record **ret,
		   struct swt_err *err)
{
	struct swt_record *r;
	int rc, fd;

	if (cfg->buffers < 1 || cfg->buffers > 2 || !cfg->ncpus || cfg->ncpus > UINT16_MAX ||
	    cfg->page_size < 1024)
		return swt_err_set(err, -EINVAL, "cannot write '%s': no rings", path);
	r = calloc(1, sizeof(*r));
	rc = r ? fill(r, path, cfg) : -ENOMEM;
	if (!rc)
		rc = find_target(r, err);
	if (!rc) {
		/* Better now than after an hour of recording. */
		fd = unnamed(r);
		rc = fd < 0 ? fd : 0;
		if (fd >= 0)
			close(fd);
	}
	if (!rc)
		rc = record_head(r, err);
	if (rc) {
		swt_err_set(err, rc, "cannot write '%s': %s", path, strerror(-rc));
		swt_record_free(r);
		return rc;
	}
	*ret = r;
	return 0;
}

void swt_record_free(struct swt_record *r)
{
	size_t i;

	if (!r)
		return;
	for (i = 0; r->rings && i < (size_t)r->buffers * r->ncpus; i++)
		if (r->rings[i].fd >= 0)
			close(r->rings[i].fd);
	free(r->rings);
	swt_buf_free(&r->head);
	swt_buf_free(&r->stats);
	free(r->tracefs);
	free(r->target);
	free(r->dir);
	free(r->path);
	free(r);
}

static int write_all(int fd, const void *data, size_t len)
{
	const char *p = data;
	ssize_t n;

	while (len) {
		n = write(fd, p, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

static int zeros(int fd, size_t len)
{
	static const char zero[512];
	size_t n;
	int rc = 0;

	for (; len && !rc; len -= n) {
		n = len < sizeof(zero) ? len : sizeof(zero);
		rc = write_all(fd, zero, n);
	}
	return rc;
}

int swt_record_page(void *rec, unsigned int buffer, unsigned int cpu, const void *page, size_t len)
{
	struct swt_record *r = rec;
	struct record_ring *ring;

	if (r->rc)
		return r->rc;
	if (r->finished || buffer >= r->buffers || cpu >= r->ncpus || len > r->page_size)
		return -EINVAL;
	ring = &r->rings[buffer * r->ncpus + cpu];
	if (ring->fd < 0) {
		ring->fd = unnamed(r);
		if (ring->fd < 0) {
			r->rc = ring->fd;
			ring->fd = -1;
			return r->rc;
		}
	}
	r->rc = write_all(ring->fd, page, len);
	if (!r->rc)
		r->rc = zeros(ring->fd, r->page_size - len);
	ring->pages += !r->rc;
	return r->rc;
}

int swt_record_cpustat(struct swt_record *r, unsigned int cpu, const char *text)
{
	struct swt_buf b = SWT_BUF_INIT;
	int rc;

	rc = swt_buf_addf(&b, "CPU: %u\n%s", cpu, text);
	if (!rc)
		rc = record_option(&r->stats, 2, b.s, b.len + 1);
	swt_buf_free(&b);
	return rc;
}

/* Append a ring to the output; copy_file_range shares blocks where the file system can. */
static int copy_ring(const struct record_ring *ring, uint64_t left, int out, char *buf, size_t cap)
{
	bool plain = false;
	loff_t from = 0;
	ssize_t n;
	int rc = 0;

	while (left && !rc) {
		if (!plain) {
			n = copy_file_range(ring->fd, &from, out, NULL, left < 1u << 30 ? left : 1u << 30, 0);
			/* Whatever it does not like, read and write will tell what is really wrong. */
			plain = n <= 0;
			if (n > 0)
				left -= (uint64_t)n;
			continue;
		}
		n = pread(ring->fd, buf, left < cap ? (size_t)left : cap, from);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		rc = write_all(out, buf, (size_t)n);
		from += n;
		left -= (uint64_t)n;
	}
	return rc;
}

static int write_out(struct swt_record *r, int out)
{
	const size_t cap = 256 << 10;
	char *buf = malloc(cap);
	size_t i;
	int rc = -ENOMEM;

	if (!buf)
		return rc;
	rc = record_tail(r, &r->head);
	if (!rc)
		rc = write_all(out, r->head.s, r->head.len);
	for (i = 0; i < (size_t)r->buffers * r->ncpus && !rc; i++) {
		rc = copy_ring(&r->rings[i], r->rings[i].pages * r->page_size, out, buf, cap);
		if (r->rings[i].fd >= 0)
			close(r->rings[i].fd); /* gives its space back */
		r->rings[i].fd = -1;
	}
	free(buf);
	return rc;
}

static int finish_direct(struct swt_record *r)
{
	int out = open(r->target, O_WRONLY | O_CLOEXEC | O_NOCTTY), rc;

	if (out < 0)
		return -errno;
	rc = write_out(r, out);
	close(out);
	return rc;
}

static int finish_file(struct swt_record *r)
{
	struct stat st;
	mode_t mask;
	char *name;
	int out, rc;

	if (asprintf(&name, "%s/.swaptop-XXXXXX", r->dir) < 0)
		return -ENOMEM;
	out = mkostemp(name, O_CLOEXEC);
	if (out < 0) {
		rc = -errno;
		free(name);
		return rc;
	}
	rc = write_out(r, out);
	/* mkstemp makes it private; a new file gets the usual rights, a replaced one keeps its own. */
	mask = umask(0);
	umask(mask);
	if (!rc && fchmod(out, stat(r->target, &st) ? 0666 & ~mask : st.st_mode & 0777))
		rc = -errno;
	if (close(out) && !rc) /* NFS tells here that the disk is full */
		rc = -errno;
	if (!rc && rename(name, r->target))
		rc = -errno;
	if (rc)
		unlink(name);
	free(name);
	return rc;
}

int swt_record_finish(struct swt_record *r, struct swt_err *err)
{
	if (!r->rc && r->finished)
		r->rc = -EINVAL;
	r->finished = true;
	if (!r->rc)
		r->rc = r->direct ? finish_direct(r) : finish_file(r);
	if (r->rc)
		swt_err_set(err, r->rc, "cannot write '%s': %s", r->path, strerror(-r->rc));
	return r->rc;
}
