/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rings of one instance, see ring.h.
 *
 * The pipes stay open: opening one per drain costs more than reading it.  buffer_percent stays at its default
 * of 50, so poll() wakes when a ring is half full and not for every event.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fmt.h"
#include "trace/ring.h"

#define CPUS_MAX 8192u

struct cpus {
	unsigned int n, top;
	unsigned int *cpu; /* NULL: only count */
};

static int see_cpu(void *arg, const char *name)
{
	struct cpus *c = arg;
	uint64_t cpu;

	if (strncmp(name, "cpu", 3) || swt_parse_u64(name + 3, &cpu) || cpu >= CPUS_MAX)
		return 0;
	if (c->n >= CPUS_MAX)
		return -E2BIG;
	if (c->cpu)
		c->cpu[c->n] = (unsigned int)cpu;
	c->n++;
	if (cpu + 1 > c->top)
		c->top = (unsigned int)cpu + 1;
	return 0;
}

static int each_cpu(const struct swt_instance *in, struct cpus *c)
{
	char path[SWT_TRACEFS_PATH + 16];

	snprintf(path, sizeof(path), "%s/per_cpu", in->dir);
	return swt_root_each(in->root, path, see_cpu, c);
}

int swt_rings_cpus(const struct swt_instance *in, unsigned int *n, unsigned int *top)
{
	struct cpus c = { 0 };
	int rc = each_cpu(in, &c);

	if (rc)
		return rc;
	*n = c.n;
	*top = c.top;
	return c.n ? 0 : -ENOENT;
}

static int by_number(const void *a, const void *b)
{
	unsigned int x = *(const unsigned int *)a, y = *(const unsigned int *)b;

	return x < y ? -1 : x > y;
}

static int open_ring(struct swt_ring *ring, const struct swt_instance *in, unsigned int cpu,
		     struct swt_err *err)
{
	struct swt_buf who = SWT_BUF_INIT;
	char file[64];
	int rc;

	*ring = (struct swt_ring){ .cpu = cpu, .stream = -1 };
	snprintf(file, sizeof(file), "per_cpu/cpu%u/trace_pipe_raw", cpu);
	ring->fd = swt_instance_open(in, file, O_RDONLY | O_NONBLOCK);
	if (ring->fd >= 0) {
		struct pollfd p = { .fd = ring->fd, .events = POLLIN };

		/* A CPU that is possible but has no ring yet answers POLLERR, for ever. */
		ring->pollable = poll(&p, 1, 0) >= 0 && !(p.revents & (POLLERR | POLLNVAL));
		return 0;
	}
	rc = ring->fd;
	if (rc == -EACCES || rc == -EPERM)
		return swt_tracefs_denied(in->root, in->dir, rc, err);
	if (rc == -EBUSY && !swt_tracefs_holder(in->root, in->dir, &who))
		swt_err_set(err, rc, "cannot read '%s/%s': %s has it open", in->dir, file, who.s);
	swt_buf_free(&who);
	return swt_err_set(err, rc, "cannot read '%s/%s': %s", in->dir, file, strerror(-rc));
}

int swt_rings_open(struct swt_rings *r, const struct swt_instance *in, unsigned int buffer, size_t page_size,
		   uint64_t bytes, struct swt_err *err)
{
	struct cpus c = { 0 };
	int rc = -ENOMEM;

	memset(r, 0, sizeof(*r));
	r->buffer = buffer;
	r->page_size = page_size;
	r->page = malloc(page_size);
	c.cpu = calloc(CPUS_MAX, sizeof(*c.cpu));
	if (!r->page || !c.cpu)
		goto out;
	rc = each_cpu(in, &c);
	if (!rc && !c.n)
		rc = -ENOENT;
	if (rc) {
		swt_err_set(err, rc, "no CPU in '%s/per_cpu': %s", in->dir, strerror(-rc));
		goto out;
	}
	qsort(c.cpu, c.n, sizeof(*c.cpu), by_number);
	r->max_pages = bytes / page_size + 2;
	r->ring = calloc(c.n, sizeof(*r->ring));
	if (!r->ring)
		rc = -ENOMEM;
	for (unsigned int i = 0; !rc && i < c.n; i++) {
		rc = open_ring(&r->ring[i], in, c.cpu[i], err);
		if (!rc)
			r->n++;
	}
out:
	free(c.cpu);
	if (rc)
		swt_rings_close(r);
	return rc;
}

void swt_rings_close(struct swt_rings *r)
{
	for (unsigned int i = 0; r->ring && i < r->n; i++)
		close(r->ring[i].fd);
	free(r->ring);
	free(r->page);
	memset(r, 0, sizeof(*r));
}

int swt_rings_streams(struct swt_rings *r, struct swt_reader *reader)
{
	for (unsigned int i = 0; i < r->n; i++) {
		int stream = swt_reader_stream(reader, r->ring[i].cpu, r->buffer, NULL, NULL);

		if (stream < 0)
			return stream;
		r->ring[i].stream = stream;
	}
	return 0;
}

static int drain_ring(struct swt_rings *r, struct swt_ring *ring, uint64_t until, struct swt_reader *reader,
		      const struct swt_live_tee *tee)
{
	uint64_t first = 0;

	/* A read takes what a page has so far: behind a busy writer each page would hold a few events only. */
	for (uint64_t i = 0; i < r->max_pages && first < until; i++) {
		ssize_t n = read(ring->fd, r->page, r->page_size);
		int rc = 0;

		if (n < 0 && errno == EINTR)
			continue;
		/* Empty, or a CPU without a ring (not plugged in). */
		if (!n || (n < 0 && (errno == EAGAIN || errno == ENODEV)))
			return 0;
		if (n < 0)
			return -errno;
		if ((size_t)n >= sizeof(first))
			memcpy(&first, r->page, sizeof(first)); /* each page begins with its time */
		if (tee && tee->page)
			rc = tee->page(tee->arg, r->buffer, ring->cpu, r->page, (size_t)n);
		if (!rc && reader)
			rc = swt_reader_push(reader, ring->stream, r->page, (size_t)n);
		if (rc)
			return rc;
	}
	return 0;
}

int swt_rings_drain(struct swt_rings *r, uint64_t until, struct swt_reader *reader,
		    const struct swt_live_tee *tee)
{
	for (unsigned int i = 0; i < r->n; i++) {
		int rc = drain_ring(r, &r->ring[i], until, reader, tee);

		if (rc)
			return rc;
	}
	return 0;
}

/* Value of "name: number" at the start of a line. */
static bool stat_value(const char *text, const char *name, uint64_t *v)
{
	size_t n = strlen(name);

	for (const char *p = text; *p; p += strcspn(p, "\n"), p += *p == '\n') {
		if (!strncmp(p, name, n) && p[n] == ':') {
			p += n + 1;
			p += strspn(p, " ");
			if (*p < '0' || *p > '9')
				return false;
			*v = strtoull(p, NULL, 10);
			return true;
		}
	}
	return false;
}

int swt_ring_stats_parse(const char *text, struct swt_ring_counts *ret)
{
	const struct {
		const char *name;
		uint64_t *to;
	} want[] = {
		{ "overrun", &ret->overrun },
		{ "dropped events", &ret->dropped },
		{ "commit overrun", &ret->commit_overrun },
		{ "entries", &ret->entries },
		{ "read events", &ret->read },
	};
	unsigned int seen = 0;
	uint64_t v;

	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		if (!stat_value(text, want[i].name, &v))
			continue;
		*want[i].to += v;
		seen++;
	}
	return seen ? 0 : -EBADMSG;
}

int swt_ring_now(const char *text, uint64_t *ns)
{
	const char *p = strstr(text, "now ts:");
	uint64_t sec, usec = 0;
	char *end;

	if (!p)
		return -EBADMSG;
	p += strlen("now ts:");
	p += strspn(p, " ");
	if (*p < '0' || *p > '9')
		return -EBADMSG;
	sec = strtoull(p, &end, 10);
	if (*end != '.') /* a counting clock */
		return -EBADMSG;
	usec = strtoull(end + 1, NULL, 10);
	if (__builtin_mul_overflow(sec, 1000000000u, ns) || usec >= 1000000)
		return -EBADMSG;
	*ns += usec * 1000;
	return 0;
}

int swt_rings_counts(const struct swt_rings *r, const struct swt_instance *in, struct swt_ring_counts *ret)
{
	struct swt_buf b = SWT_BUF_INIT;
	int rc = 0;

	memset(ret, 0, sizeof(*ret));
	for (unsigned int i = 0; !rc && i < r->n; i++) {
		char file[64];

		snprintf(file, sizeof(file), "per_cpu/cpu%u/stats", r->ring[i].cpu);
		rc = swt_instance_read(in, file, &b);
		if (!rc)
			rc = swt_ring_stats_parse(swt_buf_str(&b), ret);
	}
	swt_buf_free(&b);
	return rc;
}
