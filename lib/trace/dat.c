/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recordings, what versions 6 and 7 share: opening, bounded reading of the header, options, delivery.
 */
#include "trace/dat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fmt.h"
#include "trace/dat-impl.h"

void dat_cut(struct swt_dat *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (!d->info.cut)
		vsnprintf(d->info.cut_why, sizeof(d->info.cut_why), fmt, ap);
	va_end(ap);
	d->info.cut = true;
}

static int check_magic(struct swt_dat *d, struct dat_in *in, struct swt_err *err)
{
	static const char magic[10] = "\x17\x08\x44tracing";
	char got[10], version[8], why[64] = "";
	unsigned char arch[2];

	if (dat_get(in, got, sizeof(got)) || memcmp(got, magic, sizeof(got)))
		return swt_err_set(err, -EBADMSG, "'%s' is not a recording (no trace.dat header)", d->path);
	if (dat_str(in, version, sizeof(version)) || dat_get(in, arch, sizeof(arch)) || arch[0] > 1)
		return swt_err_set(err, -EBADMSG, "'%s' is damaged: its first bytes make no sense", d->path);
	if (strcmp(version, "6") && strcmp(version, "7")) {
		/* The text is the file's: show it only when it is a number. */
		if (version[0] && strspn(version, "0123456789") == strlen(version))
			snprintf(why, sizeof(why), " %s", version);
		return swt_err_set(err, -EOPNOTSUPP,
				   "'%s' is of trace.dat version%s, only 6 and 7 can be read", d->path, why);
	}
	d->info.version = version[0] - '0';
	in->big = d->big_endian = arch[0];
	d->long_size = arch[1];
	if (dat_u32(in, &d->page_size))
		return swt_err_set(err, -EBADMSG, "'%s' is damaged: it ends in its first bytes", d->path);
	if (d->long_size != 4 && d->long_size != 8)
		return swt_err_set(err, -EBADMSG, "'%s' is damaged: a long of %d bytes", d->path,
				   d->long_size);
	if (d->page_size < 1024 || d->page_size > DAT_MAX_PAGE || (d->page_size & (d->page_size - 1)))
		return swt_err_set(err, -EBADMSG, "'%s' is damaged: pages of %u bytes", d->path,
				   d->page_size);
	return 0;
}

static int open_file(struct swt_dat *d, struct swt_err *err)
{
	struct stat st;

	/* O_NONBLOCK: opening a pipe that has no writer must not hang. */
	d->fd = open(d->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (d->fd < 0 || fstat(d->fd, &st))
		return swt_err_set(err, -errno, "cannot open '%s': %s", d->path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return swt_err_set(err, S_ISDIR(st.st_mode) ? -EISDIR : -EINVAL,
				   "cannot read '%s': it is not a regular file", d->path);
	if (!st.st_size)
		return swt_err_set(err, -EBADMSG, "'%s' is empty", d->path);
	d->size = (uint64_t)st.st_size;
	d->budget = d->size;
	return 0;
}

int swt_dat_open(const char *path, struct swt_dat **ret, struct swt_err *err)
{
	struct dat_in *in = malloc(sizeof(*in));
	struct swt_dat *d = calloc(1, sizeof(*d));
	int rc = -ENOMEM;

	if (!in || !d)
		goto out;
	d->fd = -1;
	d->path = strdup(path);
	if (!d->path)
		goto out;
	rc = open_file(d, err);
	if (rc)
		goto out;
	dat_in_init(in, d, 0);
	rc = check_magic(d, in, err);
	if (!rc)
		rc = swt_formats_new(d->big_endian, d->long_size, &d->formats);
	if (!rc)
		rc = d->info.version == 6 ? dat6_open(d, in, err) : dat7_open(d, in, err);
out:
	if (rc == -ENOMEM)
		swt_err_set(err, rc, "cannot open '%s': out of memory", path);
	else if (rc)
		swt_err_set(err, rc, "cannot read '%s': %s", path, strerror(-rc));
	free(in);
	if (rc)
		swt_dat_close(d);
	else
		*ret = d;
	return rc;
}

void swt_dat_close(struct swt_dat *d)
{
	size_t i;

	if (!d)
		return;
	dat7_close(d->v7);
	swt_reader_free(d->reader);
	swt_formats_free(d->formats);
	for (i = 0; i < d->nstreams; i++)
		free(d->streams[i].win);
	free(d->streams);
	if (d->fd >= 0)
		close(d->fd);
	free(d->path);
	free(d);
}

const struct swt_source_info *swt_dat_source(const struct swt_dat *d)
{
	return &d->src;
}

const struct swt_dat_info *swt_dat_info(const struct swt_dat *d)
{
	return &d->info;
}

const struct swt_formats *swt_dat_formats(const struct swt_dat *d)
{
	return d->formats;
}

const struct swt_reader_stats *swt_dat_stats(const struct swt_dat *d)
{
	return d->v7 ? dat7_stats(d->v7) : swt_reader_stats(d->reader);
}

/* Between the reader and the user's sink: note the time of the last event, look into @info. */
static int on_event(void *arg, const struct swt_event *ev)
{
	struct swt_dat *d = arg;

	/* The look at the first pages misses events behind pages full of samples. */
	if (!d->info.first_ts.known || ev->ts < d->info.first_ts.v)
		d->info.first_ts = swt_some(ev->ts);
	d->info.last_ts.v = ev->ts;
	return d->user->event ? d->user->event(d->user->arg, ev) : 0;
}

static int on_lost(void *arg, const struct swt_lost *lost)
{
	struct swt_dat *d = arg;

	return d->user->lost ? d->user->lost(d->user->arg, lost) : 0;
}

static int on_file(void *arg, uint64_t ts, const char *path, const char *text, size_t len)
{
	struct swt_dat *d = arg;

	if (!strcmp(path, "@info"))
		dat_info_sample(d, text, len);
	return d->user->file ? d->user->file(d->user->arg, ts, path, text, len) : 0;
}

int swt_dat_run(struct swt_dat *d, uint64_t until_ns, const struct swt_sink *sink)
{
	struct swt_sink mine = { d, on_event, on_lost, on_file };
	uint64_t bad;
	int rc;

	d->user = sink;
	if (d->v7)
		rc = dat7_run(d, until_ns, &mine);
	else
		rc = swt_reader_run(d->reader, until_ns, &mine);
	d->user = NULL;
	bad = swt_dat_stats(d)->bad_pages;
	if (bad)
		dat_cut(d, "%llu ring %s could not be read", (unsigned long long)bad,
			bad == 1 ? "page" : "pages");
	if (!rc && until_ns == UINT64_MAX && d->info.first_ts.known)
		d->info.last_ts.known = d->info.last_ts.v != 0;
	return rc;
}
