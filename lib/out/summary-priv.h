/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside of a summary, shared by the file that adds up and the one that prints.
 */
#ifndef SWT_OUT_SUMMARY_PRIV_H
#define SWT_OUT_SUMMARY_PRIV_H

#define HASH_NONFATAL_OOM 1
/* The default one falls through switch labels, which clang warns about in the caller. */
#define HASH_FUNCTION(keyptr, keylen, hashv) HASH_OAT(keyptr, keylen, hashv)
#include <uthash.h>

#include "model/hist.h"
#include "out/summary.h"

#define CLASSES 6 /* of concurrency: 1, 2, 3-4, 5-8, 9-16, more */

/* One name: what its releases sum up to. */
struct tally {
	uint64_t count, entries, unknown; /* @unknown: releases without a number of entries */
	uint64_t teardown_max;
	UT_hash_handle hh;
	size_t len;
	char key[];
};

struct tallies {
	struct tally *head;
	unsigned int n;
	uint64_t rest_count, rest_entries; /* of names beyond the limit */
	uint64_t nameless;
};

struct class
{
	uint64_t count, entries;
	struct swt_hist teardown, per_entry;
};

struct swt_summary {
	uint64_t count, incomplete;
	uint64_t held; /* gone, their memory still in other hands */
	uint64_t kind[4];
	uint64_t freed, freed_unknown, dying;
	uint64_t sync, late, deferred, fallback;
	bool freed_known, dying_known, fate_known;
	struct class class[CLASSES], all;
	struct swt_hist lag;
	struct tallies cause, backend, comm, cgroup, khuge;
	uint64_t khuge_full, khuge_collapsed, in, out;
	bool khuge_known, traffic_known;
	struct swt_opt first_ns, last_ns; /* of the releases */
	struct tallies open;		  /* ids of held address spaces whose costs are still to come */
};

/** tally_get - the entry of a name, made when it is new; NULL when the table is full or without memory (*rc). */
struct tally *tally_get(struct tallies *t, const char *key, size_t len, int *rc);

#endif
