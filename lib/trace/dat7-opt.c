/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of a version 7 recording: clock, machine, statistics, and where the rings should be.
 */
#include <errno.h>
#include <string.h>

#include "trace/dat-impl.h"

#define MAX_SECTIONS 1024

static uint64_t le(const struct swt_dat *d, const char *p, size_t n)
{
	uint64_t v = 0;
	size_t i;

	for (i = 0; i < n; i++)
		v |= (uint64_t)(unsigned char)p[d->big_endian ? n - 1 - i : i] << (8 * i);
	return v;
}

static void note_cpus(struct swt_dat *d, uint64_t cpus)
{
	if (cpus <= DAT_MAX_CPUS && cpus > d->src.ncpus)
		d->src.ncpus = (unsigned int)cpus;
}

/* BUFFER: u64 section, name, clock, u32 page, u32 cpus, then u32 cpu, u64 offset, u64 size of each. */
static void buffer_option(struct swt_dat *d, const char *p, size_t n)
{
	const char *end = p + n, *name, *clock;
	uint64_t cpus, i, off, size;

	if (n < 8)
		return;
	name = p + 8;
	clock = memchr(name, '\0', (size_t)(end - name));
	if (!clock++)
		return;
	p = memchr(clock, '\0', (size_t)(end - clock));
	if (!p++ || end - p < 8)
		return;
	if (*clock)
		dat_clock(d, clock, (size_t)(p - clock));
	cpus = le(d, p + 4, 4);
	p += 8;
	for (i = 0; i < cpus && end - p >= 20; i++, p += 20) {
		off = le(d, p + 4, 8);
		size = le(d, p + 12, 8);
		if (off > d->size || size > d->size - off)
			dat_cut(d, "the file ends at byte %llu; CPU %llu claims bytes beyond it",
				(unsigned long long)d->size, (unsigned long long)le(d, p, 4));
	}
	note_cpus(d, cpus);
}

/* One options section; *next is the offset of the following one, 0 at the end. */
static int options_section(struct swt_dat *d, struct dat_in *in, uint64_t off, uint64_t *next,
			   struct swt_buf *b)
{
	uint16_t id, flags;
	uint32_t n;
	uint64_t size;
	int rc;

	dat_in_init(in, d, off);
	if ((rc = dat_u16(in, &id)) || (rc = dat_u16(in, &flags)) || (rc = dat_u32(in, &n)) ||
	    (rc = dat_u64(in, &size)))
		return rc;
	if (id || size > in->size - in->pos)
		return -EBADMSG;
	*next = 0;
	if (flags & 1) /* no known writer compresses them; the library will read them */
		return 0;
	for (;;) {
		if ((rc = dat_u16(in, &id)) || (rc = dat_u32(in, &n)) || (rc = dat_text(in, n, b)))
			return rc;
		if (id == DAT_OPT_DONE) {
			if (n >= 8)
				*next = le(d, b->s, 8);
			return 0;
		}
		if (id == DAT_OPT_BUFFER)
			buffer_option(d, b->s, n);
		else if (id == DAT_OPT_CPUCOUNT && n == 4)
			note_cpus(d, le(d, b->s, 4));
		else
			dat_option(d, id, b->s, n);
	}
}

int dat7_options(struct swt_dat *d, struct dat_in *in, struct swt_err *err)
{
	char name[64], version[64];
	struct swt_buf b = SWT_BUF_INIT;
	uint64_t off;
	unsigned int i;
	int rc;

	rc = dat_str(in, name, sizeof(name));
	if (!rc)
		rc = dat_str(in, version, sizeof(version));
	if (!rc)
		rc = dat_u64(in, &off);
	for (i = 0; !rc && off && i < MAX_SECTIONS; i++) {
		rc = options_section(d, in, off, &off, &b);
		if (rc == -EBADMSG && i) {
			dat_cut(d, "options section %u is damaged or outside the file", i + 1);
			rc = 0;
			break;
		}
	}
	swt_buf_free(&b);
	if (rc == -EBADMSG)
		swt_err_set(err, rc, "'%s' is cut or damaged: its options cannot be read", d->path);
	return rc;
}
