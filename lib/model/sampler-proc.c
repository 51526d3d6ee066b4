/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One process: its entry, its files, whether it is watched.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/sampler-parts.h"
#include "model/scan.h"

#define PATH_LEN 64

struct swt_sampled *swt_sampler_proc(struct swt_sampler *s, int pid)
{
	struct swt_sampled *p;

	HASH_FIND_INT(s->procs, &pid, p);
	return p;
}

struct swt_sampled *swt_sampler_proc_add(struct swt_sampler *s, int pid)
{
	struct swt_sampled *p = swt_sampler_proc(s, pid);

	if (p)
		return p;
	if (HASH_COUNT(s->procs) >= SWT_SAMPLER_MAX_PROCS)
		return NULL;
	p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->pid = pid;
	p->listing = s->listing; /* a listing that is under way may have passed it already */
	HASH_ADD_INT(s->procs, pid, p);
	if (!swt_sampler_proc(s, pid)) {
		free(p); /* uthash could not allocate */
		return NULL;
	}
	return p;
}

void swt_sampler_proc_drop(struct swt_sampler *s, struct swt_sampled *p)
{
	if (s->cursor == p)
		s->cursor = p->hh.prev;
	if (s->khuge == p->pid)
		s->khuge = 0;
	HASH_DEL(s->procs, p);
	free(p);
}

int swt_sampler_gone(struct swt_sampler *s, int pid)
{
	char path[PATH_LEN];

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	return swt_sampler_deliver(s, path, "", 0);
}

/* Read a file of a process into s->buf.  An empty text is one of a process on its way out. */
static int read_file(struct swt_sampler *s, const char *path)
{
	int rc = swt_root_read(s->cfg.root, path, &s->buf);

	if (rc == -ESRCH || (!rc && !s->buf.len))
		return -ENOENT;
	return rc;
}

static int deliver_file(struct swt_sampler *s, const char *path, int *sink_rc)
{
	int rc = read_file(s, path);

	if (!rc)
		*sink_rc = swt_sampler_deliver(s, path, s->buf.s, s->buf.len);
	return rc;
}

static int add_tid(void *arg, const char *name)
{
	struct swt_sampler *s = arg;
	struct swt_scan n = swt_scan(name, strlen(name));
	struct swt_opt tid = swt_scan_number(&n);
	pid_t *bigger;

	if (!tid.known || !tid.v || tid.v > INT_MAX || s->ntids >= SWT_SAMPLER_MAX_TIDS)
		return 0;
	if (s->ntids == s->tids_cap) {
		size_t cap = s->tids_cap ? s->tids_cap * 2 : 64;

		bigger = realloc(s->tids, cap * sizeof(*bigger));
		if (!bigger)
			return -ENOMEM;
		s->tids = bigger;
		s->tids_cap = cap;
	}
	s->tids[s->ntids++] = (pid_t)tid.v;
	return 0;
}

static int list_tids(struct swt_sampler *s, int pid)
{
	char path[PATH_LEN];

	s->ntids = 0;
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	return swt_root_each(s->cfg.root, path, add_tid, s);
}

/*
 * The leader of a process may end before its other threads; its own status then says nothing about memory.
 * Deliver the status of the threads that are left, and take their word for the swap.
 */
static void leaderless(struct swt_sampler *s, const struct swt_sampled *p, struct swt_pid_status *st,
		       int *sink_rc)
{
	struct swt_pid_status one;
	char path[PATH_LEN];

	if (list_tids(s, p->pid))
		return;
	for (size_t i = 0; i < s->ntids && i < SWT_SAMPLER_MAX_LEADERLESS && !*sink_rc; i++) {
		if (s->tids[i] == p->pid)
			continue;
		snprintf(path, sizeof(path), "/proc/%d/task/%d/status", p->pid, s->tids[i]);
		if (deliver_file(s, path, sink_rc) || swt_pid_status(s->buf.s, s->buf.len, &one))
			continue;
		if (!st->vm_swap.known)
			st->vm_swap = one.vm_swap;
	}
}

/* Whether it has changed so much that the list of its threads, or its place among the largest, may be old. */
static bool moved_much(const struct swt_sampled *p, uint64_t threads)
{
	uint64_t diff = p->swap > p->watched_swap ? p->swap - p->watched_swap : p->watched_swap - p->swap;

	return threads != p->watched_threads || diff > p->watched_swap / 4;
}

static void maybe_watch(struct swt_sampler *s, struct swt_sampled *p, const struct swt_pid_status *st)
{
	uint64_t threads = swt_opt_or(st->threads, 1);

	if (!s->cfg.watch || p->swap < s->cfg.watch_min_bytes || (p->watched && !moved_much(p, threads)))
		return;
	if (list_tids(s, p->pid) || !s->ntids)
		return; /* gone meanwhile: the next look says so */
	/* Refused (a full list): offered again at the next look. */
	p->watched = !s->cfg.watch(s->cfg.watch_arg, p->pid, s->tids, s->ntids, p->swap);
	p->watched_swap = p->swap;
	p->watched_threads = threads;
}

/* FNV-1a of the lines that say who it is. */
static uint32_t identity(const char *text, size_t len)
{
	struct swt_scan s = swt_scan(text, len), line, key;
	uint32_t h = 2166136261u;

	for (int n = 0; n < 8 && swt_scan_line(&s, &line); n++) {
		key = line;
		if (!SWT_SCAN_SKIP(&key, "Name:") && !SWT_SCAN_SKIP(&key, "PPid:"))
			continue;
		for (const char *p = line.p; p < line.end; p++)
			h = (h ^ (unsigned char)*p) * 16777619u;
	}
	return h;
}

int swt_sampler_look(struct swt_sampler *s, struct swt_sampled *p, int *sink_rc)
{
	struct swt_pid_status st;
	char path[PATH_LEN];
	uint32_t id;
	int rc;

	snprintf(path, sizeof(path), "/proc/%d/status", p->pid);
	rc = read_file(s, path);
	if (rc)
		return rc;
	id = identity(s->buf.s, s->buf.len);
	if (p->known && id != p->identity) {
		/* Another process under the same number, or another name: meet it again. */
		p->known = p->watched = false;
		p->identity = id;
		return swt_sampler_meet(s, p, sink_rc);
	}
	p->identity = id;
	p->round = s->round;
	*sink_rc = swt_sampler_deliver(s, path, s->buf.s, s->buf.len);
	if (*sink_rc || swt_pid_status(s->buf.s, s->buf.len, &st))
		return 0;
	if (st.state == 'Z' && swt_opt_or(st.threads, 0) > 1)
		leaderless(s, p, &st, sink_rc);
	if (st.state == 'D') {
		/* Should it be killed now, this is what keeps it.  "0" for those who may not know. */
		snprintf(path, sizeof(path), "/proc/%d/wchan", p->pid);
		deliver_file(s, path, sink_rc);
	}
	p->swap = swt_opt_or(st.vm_swap, 0);
	maybe_watch(s, p, &st);
	return 0;
}

int swt_sampler_meet(struct swt_sampler *s, struct swt_sampled *p, int *sink_rc)
{
	struct swt_pid_stat st;
	char path[PATH_LEN];
	int rc;

	p->known = p->watched = p->skip = false;
	p->round = s->round;
	snprintf(path, sizeof(path), "/proc/%d/stat", p->pid);
	rc = deliver_file(s, path, sink_rc);
	if (rc == -EACCES || rc == -EPERM)
		p->known = p->skip = true; /* hidepid=1: the name of the directory is all we get */
	if (rc || *sink_rc)
		return rc;
	if (!swt_pid_stat(s->buf.s, s->buf.len, &st) && st.flags & SWT_PF_KTHREAD) {
		/* No memory of its own, no group of interest: its name is enough. */
		if (!strcmp(st.comm, "khugepaged"))
			s->khuge = p->pid;
		p->known = p->skip = true;
		return 0;
	}
	rc = swt_sampler_look(s, p, sink_rc);
	if (rc || *sink_rc)
		return rc;
	snprintf(path, sizeof(path), "/proc/%d/cgroup", p->pid);
	(void)deliver_file(s, path, sink_rc);
	p->known = true;
	/* Without cgroups there is no such file; that it ended just now is seen at the next look. */
	return 0;
}
