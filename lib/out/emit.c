/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes to a descriptor, whole or not at all.
 */
#include "out/emit.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

int swt_out_write(int fd, const void *data, size_t len)
{
	const char *p = data;

	while (len) {
		ssize_t n = write(fd, p, len);

		if (n > 0) {
			p += n;
			len -= (size_t)n;
		} else if (n < 0 && errno == EAGAIN) {
			struct pollfd pfd = { .fd = fd, .events = POLLOUT };

			if (poll(&pfd, 1, -1) < 0 && errno != EINTR)
				return -errno;
		} else if (n == 0) {
			return -EIO;
		} else if (errno != EINTR) {
			return -errno;
		}
	}
	return 0;
}
