/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counted group paths.
 */
#define HASH_NONFATAL_OOM 1
#include "model/intern.h"

#include <stdlib.h>
#include <string.h>

struct swt_path *swt_intern_get(struct swt_intern *in, const char *s, size_t len)
{
	struct swt_path *p;

	len = strnlen(s, len);
	if (!len || len > SWT_INTERN_MAX)
		return NULL;
	HASH_FIND(hh, in->head, s, len, p);
	if (p)
		return swt_intern_ref(p);
	p = calloc(1, sizeof(*p) + len + 1);
	if (!p)
		return NULL;
	memcpy(p->s, s, len);
	p->len = len;
	p->refs = 1;
	HASH_ADD_KEYPTR(hh, in->head, p->s, p->len, p);
	if (!p->hh.tbl) {
		free(p);
		return NULL;
	}
	return p;
}

struct swt_path *swt_intern_ref(struct swt_path *p)
{
	if (p)
		p->refs++;
	return p;
}

void swt_intern_put(struct swt_intern *in, struct swt_path *p)
{
	if (!p || --p->refs)
		return;
	HASH_DEL(in->head, p);
	free(p);
}
