/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adding up a recording or a stream.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/column.h"
#include "out/summary-priv.h"

int swt_summary_new(struct swt_summary **ret)
{
	struct swt_summary *s = calloc(1, sizeof(*s));

	if (!s)
		return -ENOMEM;
	*ret = s;
	return 0;
}

static void free_tallies(struct tallies *t)
{
	struct tally *i, *next;

	HASH_ITER(hh, t->head, i, next)
	{
		HASH_DEL(t->head, i);
		free(i);
	}
}

void swt_summary_free(struct swt_summary *s)
{
	if (!s)
		return;
	free_tallies(&s->cause);
	free_tallies(&s->backend);
	free_tallies(&s->comm);
	free_tallies(&s->cgroup);
	free_tallies(&s->khuge);
	free(s);
}

/* Sums stop at the largest value: a wrapped one would look small. */
static void sum(uint64_t *dst, uint64_t v)
{
	if (__builtin_add_overflow(*dst, v, dst))
		*dst = UINT64_MAX;
}

struct tally *tally_get(struct tallies *t, const char *key, size_t len, int *rc)
{
	struct tally *i;

	HASH_FIND(hh, t->head, key, len, i);
	if (i || t->n >= SWT_SUMMARY_MAX_NAMES)
		return i;
	i = calloc(1, sizeof(*i) + len + 1);
	if (!i) {
		*rc = -ENOMEM;
		return NULL;
	}
	memcpy(i->key, key, len);
	i->len = len;
	HASH_ADD_KEYPTR(hh, t->head, i->key, len, i);
	if (!i->hh.tbl) {
		free(i);
		*rc = -ENOMEM;
		return NULL;
	}
	t->n++;
	return i;
}

static int add(struct tallies *t, const char *key, size_t len, const struct swt_release *r)
{
	struct tally *i;
	int rc = 0;

	if (!len) {
		sum(&t->nameless, 1);
		return 0;
	}
	i = tally_get(t, key, len, &rc);
	if (!i) {
		sum(&t->rest_count, 1);
		sum(&t->rest_entries, swt_opt_or(r->freed, 0));
		return rc;
	}
	sum(&i->count, 1);
	sum(&i->entries, swt_opt_or(r->freed, 0));
	i->unknown += !r->freed.known;
	if (r->teardown.known && r->teardown.v > i->teardown_max)
		i->teardown_max = r->teardown.v;
	return 0;
}

static void add_class(struct class *c, const struct swt_release *r)
{
	c->count++;
	sum(&c->entries, swt_opt_or(r->freed, 0));
	if (r->teardown.known)
		swt_hist_add(&c->teardown, r->teardown.v);
	if (r->ns_per_entry.known && !(r->freed.known && !r->freed.v))
		swt_hist_add(&c->per_entry, r->ns_per_entry.v);
}

/* 1, 2, 3-4, 5-8, 9-16, more */
static unsigned int class_of(unsigned int concurrency)
{
	unsigned int c = 0, top = 1;

	while (c < CLASSES - 1 && concurrency > top) {
		top *= 2;
		c++;
	}
	return c;
}

static int add_names(struct swt_summary *s, const struct swt_release *r)
{
	int cause = swt_column_find("cause"), rc = 0;

	/* The same words as in the rows. */
	if (cause >= 0) {
		struct swt_cell c = swt_columns[cause].get(r);

		rc = add(&s->cause, c.kind == SWT_CELL_TEXT ? c.s : "", c.kind == SWT_CELL_TEXT ? c.len : 0,
			 r);
	}
	if (!rc)
		rc = add(&s->backend, r->backend, strnlen(r->backend, sizeof(r->backend)), r);
	if (!rc)
		rc = add(&s->comm, r->comm, strnlen(r->comm, sizeof(r->comm)), r);
	if (!rc)
		rc = add(&s->cgroup, r->cgroup ? r->cgroup : "", r->cgroup ? strlen(r->cgroup) : 0, r);
	return rc;
}

static int add_costs(struct swt_summary *s, const struct swt_release *r)
{
	if (r->freed.known) {
		s->freed_known = true;
		sum(&s->freed, r->freed.v);
	} else if (!r->swap_entries.known || r->swap_entries.v) {
		s->freed_unknown++; /* one that had none when last looked at is no gap in the sum */
	}
	if (r->sync.known || r->late.known || r->deferred.known) {
		s->fate_known = true;
		sum(&s->sync, swt_opt_or(r->sync, 0));
		sum(&s->late, swt_opt_or(r->late, 0));
		sum(&s->deferred, swt_opt_or(r->deferred, 0));
		sum(&s->fallback, swt_opt_or(r->fallback, 0));
	}
	if (r->swapped_dying.known) {
		s->dying_known = true;
		sum(&s->dying, r->swapped_dying.v);
	}
	add_class(&s->all, r);
	add_class(&s->class[class_of(r->concurrency)], r);
	return add_names(s, r);
}

static void add_span(struct swt_summary *s, const struct swt_release *r)
{
	uint64_t end = r->end_ns ? r->end_ns : r->start_ns;

	if (r->start_ns && (!s->first_ns.known || r->start_ns < s->first_ns.v))
		s->first_ns = swt_some(r->start_ns);
	if (end && (!s->last_ns.known || end > s->last_ns.v))
		s->last_ns = swt_some(end);
}

int swt_summary_release(struct swt_summary *s, const struct swt_release *r, enum swt_step step)
{
	if (r->final && r->lag.known)
		swt_hist_add(&s->lag, r->lag.v);
	add_span(s, r);
	if (step == SWT_STEP_UPDATE) {
		/* Final: whoever held its memory has dropped it (a release of its own, with the entries). */
		if (r->held && r->final && s->held)
			s->held--;
		return 0;
	}
	s->count++;
	s->kind[(unsigned int)r->kind % 4]++;
	s->incomplete += !r->complete;
	s->held += r->held && !r->final;
	return add_costs(s, r);
}

static void add_delta(uint64_t *dst, bool *known, struct swt_delta d)
{
	if (d.kind != SWT_DELTA_OK)
		return;
	*known = true;
	sum(dst, d.v);
}

void swt_summary_report(struct swt_summary *s, const struct swt_snapshot *snap)
{
	const struct swt_khuge_report *k = &snap->khuge;
	unsigned int i;

	add_delta(&s->khuge_full, &s->khuge_known, k->full_scans);
	add_delta(&s->khuge_collapsed, &s->khuge_known, k->collapsed);
	add_delta(&s->in, &s->traffic_known, snap->vm[SWT_VM_PSWPIN]);
	add_delta(&s->out, &s->traffic_known, snap->vm[SWT_VM_PSWPOUT]);
	for (i = 0; i < k->nresults && i < SWT_MAX_RESULTS; i++) {
		int rc = 0;
		struct tally *t = tally_get(&s->khuge, k->result[i].name,
					    strnlen(k->result[i].name, sizeof(k->result[i].name)), &rc);

		sum(t ? &t->count : &s->khuge.rest_count, k->result[i].count);
	}
}

uint64_t swt_summary_exits(const struct swt_summary *s)
{
	return s->count;
}
