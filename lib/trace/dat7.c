/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Version 7 recordings, through libtracecmd in a child process.
 *
 * Measured with libtracecmd 1.3.1 on a real zstd file: 500 truncations gave 0 crashes, 500 copies with one
 * to three bytes changed in the data and options gave 145 segmentation faults.  A check of our own cannot
 * cover what is compressed.  So the library lives in a child that sends frames through a pipe: formats,
 * DAT7_READY, events in time order, DAT7_END.  When the child dies early the recording counts as cut there.
 *
 * Options are not compressed: dat7-opt.c reads them, which also tells a cut file from a whole one.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <fcntl.h>

#include "trace/dat-impl.h"
#include "trace/decode.h"

struct dat7 {
	struct swt_dat *d;
	pid_t pid;
	int fd;
	bool ended;   /* nothing more will come */
	bool pending; /* frame and payload hold an event not yet delivered */
	struct dat7_frame frame;
	struct swt_buf payload;
	unsigned char in[65536];
	size_t in_pos, in_len;
	struct swt_marker_joiner *joiner;
	struct swt_reader_stats stats;
	uint64_t newest;
	struct {
		uint64_t *cpu; /* time of the last event of each CPU */
		size_t n;
	} last[DAT_MAX_BUFFERS + 1];
};

/* ---- the child -------------------------------------------------------------------------------------- */

static int start_child(struct dat7 *v)
{
	int p[2], rc;

	if (pipe2(p, O_CLOEXEC))
		return -errno;
	v->pid = fork();
	if (!v->pid) {
		close(p[0]);
		dat7_child(v->d->fd, p[1]);
	}
	rc = v->pid < 0 ? -errno : 0;
	close(p[1]);
	v->fd = p[0];
	return rc;
}

/* End of the child: how it went decides whether the recording was read whole. */
static void reap(struct dat7 *v, bool whole, const char *why)
{
	int status = 0;
	pid_t got;

	v->ended = true;
	if (v->pid <= 0)
		return;
	if (!whole)
		kill(v->pid, SIGKILL);
	do {
		got = waitpid(v->pid, &status, 0);
	} while (got < 0 && errno == EINTR);
	v->pid = 0;
	if (!whole && why)
		dat_cut(v->d, "%s", why);
}

/*
 * How long the child may be silent.  The library loops for ever on some damaged files; on good ones it is
 * silent while it unpacks a ring, which takes time by the size of the file: this allows for 8 MB/s.
 */
static int silence_ms(uint64_t size)
{
	uint64_t ms = size >> 13;

	return 10000 + (int)(ms < 3600000 ? ms : 3600000);
}

/* 1 with n bytes at @to, 0 at the end of the pipe or when the child is stuck. */
static int pipe_get(struct dat7 *v, void *to, size_t n)
{
	struct pollfd pfd = { v->fd, POLLIN, 0 };
	char *p = to;
	ssize_t got;
	size_t have;
	int rc;

	while (n) {
		if (v->in_pos == v->in_len) {
			do {
				rc = poll(&pfd, 1, silence_ms(v->d->size));
			} while (rc < 0 && errno == EINTR);
			if (rc <= 0)
				return 0;
			do {
				got = read(v->fd, v->in, sizeof(v->in));
			} while (got < 0 && errno == EINTR);
			if (got <= 0)
				return 0;
			v->in_pos = 0;
			v->in_len = (size_t)got;
		}
		have = v->in_len - v->in_pos < n ? v->in_len - v->in_pos : n;
		memcpy(p, v->in + v->in_pos, have);
		v->in_pos += have;
		p += have;
		n -= have;
	}
	return 1;
}

/* Next frame: 1, 0 at the end (DAT7_END or a dead child), -errno. */
static int next_frame(struct dat7 *v)
{
	int rc;

	if (v->ended)
		return 0;
	if (!pipe_get(v, &v->frame, sizeof(v->frame)) || v->frame.len > DAT7_MAX_FRAME)
		goto dead;
	swt_buf_reset(&v->payload);
	rc = swt_buf_reserve(&v->payload, (size_t)v->frame.len + 1);
	if (rc)
		return rc;
	if (!pipe_get(v, v->payload.s, v->frame.len))
		goto dead;
	v->payload.len = v->frame.len;
	v->payload.s[v->frame.len] = '\0';
	if (v->frame.type != DAT7_END)
		return 1;
	reap(v, true, NULL);
	return 0;
dead:
	reap(v, false, "libtracecmd gave up in the middle of it");
	return 0;
}

static int read_formats(struct dat7 *v, struct swt_err *err)
{
	const char *nul;
	int rc;

	while ((rc = next_frame(v)) == 1 && v->frame.type != DAT7_READY) {
		nul = memchr(v->payload.s, '\0', v->payload.len);
		if (v->frame.type != DAT7_FORMAT || !nul)
			continue;
		nul++;
		rc = swt_formats_add(v->d->formats, v->payload.s, nul,
				     v->payload.len - (size_t)(nul - v->payload.s), NULL);
		if (rc == -ENOMEM)
			return rc;
	}
	if (!rc)
		return swt_err_set(err, -EBADMSG,
				   "libtracecmd cannot read '%s': damaged, or compressed by a method "
				   "it does not have",
				   v->d->path);
	return rc < 0 ? rc : 0;
}

int dat7_open(struct swt_dat *d, struct dat_in *in, struct swt_err *err)
{
	struct dat7 *v;
	int rc;

	rc = dat7_options(d, in, err);
	if (rc)
		return rc;
	v = calloc(1, sizeof(*v));
	if (!v)
		return -ENOMEM;
	d->v7 = v;
	v->d = d;
	v->fd = -1;
	rc = swt_marker_joiner_new(&v->joiner);
	if (!rc)
		rc = dat_default_header_page(d);
	if (!rc)
		rc = start_child(v);
	if (!rc)
		rc = read_formats(v, err);
	if (rc)
		return rc;
	dat_source(d);
	return 0;
}

void dat7_close(struct dat7 *v)
{
	size_t i;

	if (!v)
		return;
	if (v->fd >= 0)
		close(v->fd);
	reap(v, false, NULL);
	for (i = 0; i <= DAT_MAX_BUFFERS; i++)
		free(v->last[i].cpu);
	swt_marker_joiner_free(v->joiner);
	swt_buf_free(&v->payload);
	free(v);
}

const struct swt_reader_stats *dat7_stats(const struct dat7 *v)
{
	return &v->stats;
}

/* ---- delivery --------------------------------------------------------------------------------------- */

/* Where the time of this CPU's last event is kept. */
static uint64_t *last_of(struct dat7 *v, const struct dat7_frame *f)
{
	uint64_t *p;
	size_t n;

	n = v->last[f->buffer].n;
	if (f->cpu >= n) {
		n = f->cpu + 16u;
		p = reallocarray(v->last[f->buffer].cpu, n, sizeof(*p));
		if (!p)
			return NULL;
		memset(p + v->last[f->buffer].n, 0, (n - v->last[f->buffer].n) * sizeof(*p));
		v->last[f->buffer].cpu = p;
		v->last[f->buffer].n = n;
	}
	return &v->last[f->buffer].cpu[f->cpu];
}

static int deliver_lost(struct dat7 *v, uint64_t since, const struct swt_sink *sink)
{
	struct swt_lost lost = { .ts = v->frame.ts, .since = since };

	lost.known = v->frame.missed != UINT64_MAX;
	lost.count = lost.known ? v->frame.missed : 0;
	lost.cpu = (uint16_t)v->frame.cpu;
	lost.buffer = (uint8_t)v->frame.buffer;
	v->stats.gaps++;
	v->stats.lost += lost.count;
	return sink->lost ? sink->lost(sink->arg, &lost) : 0;
}

static int deliver_event(struct dat7 *v, const struct swt_sink *sink)
{
	struct swt_event ev;
	int rc;

	v->stats.events++;
	rc = swt_decode(v->d->formats, v->payload.s, v->payload.len, &ev);
	if (rc <= 0) {
		v->stats.unknown += rc < 0;
		return 0;
	}
	v->stats.decoded++;
	ev.ts = v->frame.ts;
	ev.cpu = (uint16_t)v->frame.cpu;
	if (ev.ts < v->newest)
		v->stats.backwards++;
	else
		v->newest = ev.ts;
	if (ev.id == SWT_EV_RAW_DATA && swt_event_has(&ev, SWT_F_RAW_DATA_ID) &&
	    (uint32_t)ev.f[SWT_F_RAW_DATA_ID] == SWT_MARKER_ID)
		return swt_marker_join(v->joiner, ev.ts, ev.str[0].s, ev.str[0].len, sink);
	return sink->event ? sink->event(sink->arg, &ev) : 0;
}

int dat7_run(struct swt_dat *d, uint64_t until_ns, const struct swt_sink *sink)
{
	struct dat7 *v = d->v7;
	uint64_t *last, since;
	int rc;

	for (;;) {
		if (!v->pending) {
			rc = next_frame(v);
			if (rc <= 0)
				return rc;
			if (v->frame.type != DAT7_EVENT || v->frame.cpu >= DAT_MAX_CPUS ||
			    v->frame.buffer > DAT_MAX_BUFFERS)
				continue;
			v->pending = true;
		}
		if (v->frame.ts > until_ns)
			return 0;
		last = last_of(v, &v->frame);
		if (!last)
			return -ENOMEM;
		since = *last;
		*last = v->frame.ts;
		if (v->frame.missed) {
			rc = deliver_lost(v, since, sink);
			v->frame.missed = 0; /* not again when the sink stops here */
			if (rc)
				return rc;
		}
		v->pending = false;
		rc = deliver_event(v, sink);
		if (rc)
			return rc;
	}
}
