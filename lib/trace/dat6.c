/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The header of a version 6 recording.
 *
 * Not in trace-cmd.dat.v6(5) but in every file of trace-cmd since 2.x, and honoured here:
 *   - option 3 names a further buffer: u64 offset of its "options"/"flyrecord" part, then its name;
 *   - option 8 replaces the number of CPUs of the tables that follow;
 *   - with option 4 (clock) each table of offsets is followed by u64 size and the clock's text.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/dat-impl.h"

struct hdr {
	struct swt_dat *d;
	struct dat_in *in;
	struct swt_buf text;
	const char *part; /* for the message: where the header ended or broke */
	uint32_t events;  /* formats seen */
	uint32_t cpus;
	bool clock_text; /* tables are followed by the clock */
	struct {
		uint64_t off;
	} buffers[DAT_MAX_BUFFERS];
	size_t nbuffers;
};

static int expect(struct hdr *h, const char *word, size_t len)
{
	char got[16];
	int rc = dat_get(h->in, got, len);

	if (rc)
		return rc;
	return memcmp(got, word, len) ? -EBADMSG : 0;
}

static int header_info(struct hdr *h)
{
	uint64_t n;
	int rc;

	h->part = "header_page";
	rc = expect(h, "header_page", 12);
	if (rc || (rc = dat_u64(h->in, &n)) || ((rc = dat_text(h->in, n, &h->text)) && rc != -EFBIG))
		return rc;
	if (rc || !n || swt_formats_header_page(h->d->formats, swt_buf_str(&h->text), h->text.len, NULL)) {
		/* Kernels before 2.6.31 have no such file, and trace-cmd then writes size 0. */
		if (n)
			dat_cut(h->d, "header_page is damaged; the usual page layout is assumed");
		rc = dat_default_header_page(h->d);
		if (rc)
			return rc;
	}
	h->part = "header_event";
	rc = expect(h, "header_event", 13);
	if (rc || (rc = dat_u64(h->in, &n)))
		return rc;
	return dat_skip(h->in, n);
}

static int formats(struct hdr *h, const char *system, uint32_t count)
{
	uint64_t n;
	int rc;

	while (count--) {
		if (h->events++ >= DAT_MAX_EVENTS)
			return -EBADMSG;
		rc = dat_u64(h->in, &n);
		if (!rc)
			rc = dat_text(h->in, n, &h->text);
		if (rc == -EFBIG)
			continue;
		if (rc)
			return rc;
		/* An event that cannot be understood is not ours to read; the others are. */
		rc = swt_formats_add(h->d->formats, system, swt_buf_str(&h->text), h->text.len, NULL);
		if (rc == -ENOMEM)
			return rc;
	}
	return 0;
}

static int all_formats(struct hdr *h)
{
	uint32_t systems, count;
	char name[256];
	int rc;

	h->part = "formats of ftrace";
	rc = dat_u32(h->in, &count);
	if (!rc)
		rc = formats(h, "ftrace", count);
	if (rc)
		return rc;
	h->part = "formats of events";
	rc = dat_u32(h->in, &systems);
	while (!rc && systems--) {
		/* Empty systems cost five bytes each: bounded like events, so that no count makes us spin. */
		if (h->events++ >= DAT_MAX_EVENTS)
			return -EBADMSG;
		rc = dat_str(h->in, name, sizeof(name));
		if (!rc)
			rc = dat_u32(h->in, &count);
		if (!rc)
			rc = formats(h, name, count);
	}
	return rc;
}

static int skipped_texts(struct hdr *h)
{
	uint32_t n;
	uint64_t n64;
	int rc;

	h->part = "kallsyms";
	rc = dat_u32(h->in, &n);
	if (rc || (rc = dat_skip(h->in, n)))
		return rc;
	h->part = "printk formats";
	rc = dat_u32(h->in, &n);
	if (rc || (rc = dat_skip(h->in, n)))
		return rc;
	h->part = "command names";
	rc = dat_u64(h->in, &n64);
	return rc ? rc : dat_skip(h->in, n64);
}

/* Options up to DONE.  @top: of the file, not of a named buffer. */
static int options(struct hdr *h, bool top)
{
	uint16_t id;
	uint32_t n;
	uint64_t end;
	int rc;

	for (;;) {
		rc = dat_u16(h->in, &id);
		if (rc || id == DAT_OPT_DONE)
			return rc;
		rc = dat_u32(h->in, &n);
		if (rc)
			return rc;
		if (n > h->in->size - h->in->pos)
			return -EBADMSG;
		end = h->in->pos + n;
		if (id == DAT_OPT_BUFFER && top && n >= 8 && h->nbuffers < DAT_MAX_BUFFERS) {
			rc = dat_u64(h->in, &h->buffers[h->nbuffers++].off);
		} else if (id == DAT_OPT_BUFFER && top && n >= 8) {
			dat_cut(h->d, "more than %u buffers", DAT_MAX_BUFFERS);
		} else if (id == DAT_OPT_CPUCOUNT && n == 4) {
			rc = dat_u32(h->in, &h->cpus);
		} else if (n <= 65536) {
			h->clock_text |= id == DAT_OPT_CLOCK;
			rc = dat_text(h->in, n, &h->text);
			/* A named buffer says nothing about the machine, and its clock is everybody's. */
			if (!rc && top)
				dat_option(h->d, id, h->text.s, n);
		}
		if (rc)
			return rc;
		h->in->pos = end;
	}
}

static int table(struct hdr *h, unsigned int buffer)
{
	uint64_t off, size;
	uint32_t cpu;
	int rc = 0;

	if (h->cpus > DAT_MAX_CPUS)
		return -EBADMSG;
	for (cpu = 0; cpu < h->cpus && !rc; cpu++) {
		rc = dat_u64(h->in, &off);
		if (!rc)
			rc = dat_u64(h->in, &size);
		if (!rc)
			rc = dat6_stream(h->d, cpu, buffer, off, size);
	}
	if (rc || !h->clock_text || buffer)
		return rc;
	/* The text behind the table is what trace-cmd goes by; files of old versions end without it. */
	if (!dat_u64(h->in, &size) && size && size <= 4096 && !dat_text(h->in, size, &h->text))
		dat_clock(h->d, h->text.s, h->text.len);
	return 0;
}

/* "options  " (any number of options), then "flyrecord" and its table. */
static int section(struct hdr *h, unsigned int buffer)
{
	char word[10];
	int rc;

	rc = dat_get(h->in, word, sizeof(word));
	if (!rc && !memcmp(word, "options  ", 10)) {
		rc = options(h, !buffer);
		if (!rc)
			rc = dat_get(h->in, word, sizeof(word));
	}
	if (rc)
		return rc;
	if (!memcmp(word, "latency  ", 10))
		return -EOPNOTSUPP;
	if (memcmp(word, "flyrecord", 10))
		return -EBADMSG;
	return table(h, buffer);
}

static int header(struct hdr *h)
{
	size_t i;
	int rc;

	rc = header_info(h);
	if (!rc)
		rc = all_formats(h);
	if (!rc)
		rc = skipped_texts(h);
	if (rc)
		return rc;
	h->part = "number of CPUs";
	rc = dat_u32(h->in, &h->cpus);
	if (rc)
		return rc;
	h->part = "options and table of rings";
	rc = section(h, 0);
	if (rc)
		return rc;
	h->d->src.ncpus = h->cpus;
	for (i = 0; i < h->nbuffers; i++) {
		dat_in_init(h->in, h->d, h->buffers[i].off);
		rc = section(h, (unsigned int)i + 1);
		if (rc == -EBADMSG || rc == -EOPNOTSUPP)
			dat_cut(h->d, "buffer %zu of %zu is damaged or outside the file", i + 1, h->nbuffers);
		else if (rc)
			return rc;
		if (h->cpus <= DAT_MAX_CPUS && h->cpus > h->d->src.ncpus)
			h->d->src.ncpus = h->cpus;
	}
	return 0;
}

int dat6_open(struct swt_dat *d, struct dat_in *in, struct swt_err *err)
{
	struct hdr *h = calloc(1, sizeof(*h));
	int rc;

	if (!h)
		return -ENOMEM;
	h->d = d;
	h->in = in;
	rc = header(h);
	if (rc == -EOPNOTSUPP)
		swt_err_set(err, rc, "'%s' holds text of a latency tracer, not events", d->path);
	else if (rc == -EBADMSG)
		swt_err_set(err, rc, "'%s' is cut or damaged at byte %llu, in its %s", d->path,
			    (unsigned long long)in->pos, h->part);
	swt_buf_free(&h->text);
	free(h);
	if (rc)
		return rc;
	dat_source(d);
	return dat6_rings(d);
}
