/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group paths, stored once however many processes are in the group.
 *
 * Counted: a path is freed when the last process or release that names it lets go, so a machine that makes a
 * new group for every job does not grow.
 */
#ifndef SWT_MODEL_INTERN_H
#define SWT_MODEL_INTERN_H

#include <stddef.h>
#include <stdint.h>

#include "uthash.h"

#define SWT_INTERN_MAX 4096 /* longest path kept, PATH_MAX */

struct swt_path {
	UT_hash_handle hh;
	unsigned int refs;
	size_t len;
	char s[]; /* NUL-terminated */
};

struct swt_intern {
	struct swt_path *head;
	uint32_t seed;
};

/** swt_intern_get - the path with one reference, or NULL (empty, too long, out of memory). */
struct swt_path *swt_intern_get(struct swt_intern *in, const char *s, size_t len);
/** swt_intern_ref - one more reference; NULL is fine. */
struct swt_path *swt_intern_ref(struct swt_path *p);
/** swt_intern_put - one reference less; NULL is fine. */
void swt_intern_put(struct swt_intern *in, struct swt_path *p);

#endif
