/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading the header of a recording: forward, buffered, never outside the file.
 */
#include "trace/dat-impl.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

void dat_in_init(struct dat_in *in, const struct swt_dat *d, uint64_t pos)
{
	in->fd = d->fd;
	in->big = d->big_endian;
	in->size = d->size;
	in->pos = pos;
	in->at = 0;
	in->len = 0;
}

int dat_get(struct dat_in *in, void *to, size_t n)
{
	unsigned char *p = to;
	ssize_t got;
	size_t have;

	if (in->pos > in->size || n > in->size - in->pos)
		return -EBADMSG;
	while (n) {
		if (in->pos < in->at || in->pos >= in->at + in->len) {
			do {
				got = pread(in->fd, in->buf, sizeof(in->buf), (off_t)in->pos);
			} while (got < 0 && errno == EINTR);
			if (got < 0)
				return -errno;
			if (!got) /* shortened while we read */
				return -EBADMSG;
			in->at = in->pos;
			in->len = (size_t)got;
		}
		have = in->len - (size_t)(in->pos - in->at);
		if (have > n)
			have = n;
		memcpy(p, in->buf + (in->pos - in->at), have);
		p += have;
		n -= have;
		in->pos += have;
	}
	return 0;
}

static int get_uint(struct dat_in *in, size_t n, uint64_t *ret)
{
	unsigned char b[8];
	uint64_t v = 0;
	size_t i;
	int rc = dat_get(in, b, n);

	if (rc)
		return rc;
	for (i = 0; i < n; i++)
		v |= (uint64_t)b[in->big ? n - 1 - i : i] << (8 * i);
	*ret = v;
	return 0;
}

int dat_u16(struct dat_in *in, uint16_t *ret)
{
	uint64_t v;
	int rc = get_uint(in, 2, &v);

	if (!rc)
		*ret = (uint16_t)v;
	return rc;
}

int dat_u32(struct dat_in *in, uint32_t *ret)
{
	uint64_t v;
	int rc = get_uint(in, 4, &v);

	if (!rc)
		*ret = (uint32_t)v;
	return rc;
}

int dat_u64(struct dat_in *in, uint64_t *ret)
{
	return get_uint(in, 8, ret);
}

int dat_str(struct dat_in *in, char *to, size_t cap)
{
	size_t i;
	int rc;

	for (i = 0; i < cap; i++) {
		rc = dat_get(in, &to[i], 1);
		if (rc)
			return rc;
		if (!to[i])
			return 0;
	}
	return -EBADMSG;
}

int dat_skip(struct dat_in *in, uint64_t n)
{
	if (in->pos > in->size || n > in->size - in->pos)
		return -EBADMSG;
	in->pos += n;
	return 0;
}

int dat_text(struct dat_in *in, uint64_t n, struct swt_buf *b)
{
	int rc;

	swt_buf_reset(b);
	if (n > DAT_MAX_TEXT) {
		rc = dat_skip(in, n);
		return rc ? rc : -EFBIG;
	}
	/* Checked before the memory is asked for: the size is the file's word. */
	if (in->pos > in->size || n > in->size - in->pos)
		return -EBADMSG;
	rc = swt_buf_reserve(b, (size_t)n + 1);
	if (rc)
		return rc;
	rc = dat_get(in, b->s, (size_t)n);
	if (rc)
		return rc;
	b->len = (size_t)n;
	b->s[n] = '\0';
	return 0;
}
