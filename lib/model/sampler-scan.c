/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whom to look at next, in slices.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/sampler-parts.h"
#include "model/scan.h"

#define HOT_PERIOD_NS (200 * SWT_NS_PER_MS) /* one tick less than the 300 ms that are promised */

static bool time_left(const struct swt_sampler *s, uint64_t deadline)
{
	return swt_sampler_now(s) < deadline;
}

/*
 * Look at one process; 0 or the sink's value. @p may be dropped.
 * @anew: read all its files again, an exec may have changed its name
 */
static int visit(struct swt_sampler *s, struct swt_sampled *p, bool anew)
{
	int sink_rc = 0, rc, pid = p->pid;
	bool known = p->known;

	rc = known && !anew ? swt_sampler_look(s, p, &sink_rc) : swt_sampler_meet(s, p, &sink_rc);
	if (sink_rc)
		return sink_rc;
	p->round = s->round; /* also when it cannot be read */
	if (rc != -ENOENT)
		return 0;
	swt_sampler_proc_drop(s, p);
	/* One that came and went between two looks was never there for anybody. */
	return known ? swt_sampler_gone(s, pid) : 0;
}

static int hot_push(struct swt_sampler *s, int pid, bool born, uint64_t swap)
{
	struct swt_hot_item *bigger;

	if (s->nhot == s->hot_cap) {
		size_t cap = s->hot_cap ? s->hot_cap * 2 : 256;

		bigger = realloc(s->hot, cap * sizeof(*bigger));
		if (!bigger)
			return -ENOMEM;
		s->hot = bigger;
		s->hot_cap = cap;
	}
	s->hot[s->nhot++] = (struct swt_hot_item){ .pid = pid, .born = born, .swap = swap };
	return 0;
}

static int larger_first(const void *a, const void *b)
{
	const struct swt_hot_item *x = a, *y = b;

	return x->swap > y->swap ? -1 : x->swap < y->swap;
}

static int hot_start(struct swt_sampler *s)
{
	uint64_t n = s->nborn < SWT_SAMPLER_MAX_BORN ? s->nborn : SWT_SAMPLER_MAX_BORN;
	size_t born;
	int rc;

	s->nhot = s->hot_at = 0;
	s->hot_moves = s->moves;
	s->hot_started = swt_sampler_now(s);
	s->hot_once = true;
	s->cold_ran = false;
	s->round++;
	for (uint64_t i = 0; i < n; i++) {
		rc = hot_push(s, s->born[(s->nborn - 1 - i) % SWT_SAMPLER_MAX_BORN], true, 0);
		if (rc)
			return rc;
	}
	s->nborn = 0;
	born = s->nhot;
	for (struct swt_sampled *p = s->procs; p; p = p->hh.next) {
		if (!p->swap || p->skip)
			continue;
		rc = hot_push(s, p->pid, false, p->swap);
		if (rc)
			return rc;
	}
	if (s->nhot > born)
		qsort(s->hot + born, s->nhot - born, sizeof(*s->hot), larger_first);
	return 0;
}

static int hot_item(struct swt_sampler *s, const struct swt_hot_item *it)
{
	struct swt_sampled *p = swt_sampler_proc(s, it->pid);

	if (!p && it->born)
		p = swt_sampler_proc_add(s, it->pid);
	if (!p || (p->round == s->round && p->known))
		return 0;
	return visit(s, p, it->born);
}

static void cold_start(struct swt_sampler *s, bool adds)
{
	int fd = swt_root_open(s->cfg.root, "/proc", O_RDONLY | O_DIRECTORY);

	if (fd < 0)
		return;
	s->dir = fdopendir(fd);
	if (!s->dir) {
		close(fd);
		return;
	}
	s->cold = SWT_COLD_LIST;
	s->list_adds = adds;
	s->listing++;
	s->cold_round = s->round;
	s->cold_moves = s->hot_moves;
}

/* The listing is complete: drop whom it did not have. */
static int list_end(struct swt_sampler *s)
{
	struct swt_sampled *p = s->procs, *next;
	int rc;

	closedir(s->dir);
	s->dir = NULL;
	s->cold = SWT_COLD_IDLE;
	for (; p; p = next) {
		bool known = p->known;
		int pid = p->pid;

		next = p->hh.next;
		if (p->listing == s->listing)
			continue;
		swt_sampler_proc_drop(s, p);
		rc = known ? swt_sampler_gone(s, pid) : 0;
		if (rc)
			return rc;
	}
	s->listed = HASH_COUNT(s->procs);
	if (s->list_adds && s->procs) {
		s->cold = SWT_COLD_READ;
		s->cursor = ELMT_FROM_HH(s->procs->hh.tbl, s->procs->hh.tbl->tail);
	}
	return 0;
}

static int list_one(struct swt_sampler *s)
{
	struct dirent *de = readdir(s->dir);
	struct swt_sampled *p;
	struct swt_scan n;
	struct swt_opt pid;

	if (!de)
		return list_end(s);
	n = swt_scan(de->d_name, strlen(de->d_name));
	pid = swt_scan_number(&n);
	if (!pid.known || !pid.v || pid.v > INT_MAX)
		return 0;
	p = s->list_adds ? swt_sampler_proc_add(s, (int)pid.v) : swt_sampler_proc(s, (int)pid.v);
	if (p)
		p->listing = s->listing;
	return 0;
}

static int read_one(struct swt_sampler *s)
{
	struct swt_sampled *p = s->cursor;

	if (!p) {
		s->cold = SWT_COLD_IDLE;
		return 0;
	}
	s->cursor = p->hh.prev;
	/* The hot pass had it. Rounds only grow; a difference of int keeps the order when they wrap. */
	if (p->known && (p->skip || (int32_t)(p->round - s->cold_round) >= 0))
		return 0;
	return visit(s, p, false);
}

/* The table follows the living: when much has been added since the last listing, see who is still there. */
static bool overgrown(const struct swt_sampler *s)
{
	return HASH_COUNT(s->procs) > 2 * s->listed + 1024;
}

static int cold_slice(struct swt_sampler *s, uint64_t deadline)
{
	int rc = 0;

	if (s->cold == SWT_COLD_IDLE && s->hot_at == s->nhot) {
		/* At start, and once after each hot pass: what that one has read need not be read again. */
		if (!s->listing || s->hot_moves != s->cold_moves)
			cold_start(s, true);
		else if (overgrown(s))
			cold_start(s, false);
	}
	while (!rc && s->cold != SWT_COLD_IDLE && time_left(s, deadline)) {
		s->cold_ran = true;
		rc = s->cold == SWT_COLD_LIST ? list_one(s) : read_one(s);
	}
	return rc;
}

static bool hot_due(const struct swt_sampler *s)
{
	if (s->moves == s->hot_moves || s->hot_at < s->nhot)
		return false;
	if (!s->hot_once)
		return true;
	return swt_sampler_now(s) - s->hot_started >= HOT_PERIOD_NS &&
	       (s->cold_ran || s->cold == SWT_COLD_IDLE);
}

int swt_sampler_slice(struct swt_sampler *s, uint64_t deadline)
{
	int rc = 0;

	if (hot_due(s))
		rc = hot_start(s);
	while (!rc && s->hot_at < s->nhot && time_left(s, deadline))
		rc = hot_item(s, &s->hot[s->hot_at++]);
	if (!rc)
		rc = cold_slice(s, deadline);
	return rc;
}
