/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counted group paths.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Paths come from recordings: seeded, so that nobody can prepare a thousand that all fall into one chain. */
static uint32_t path_hash(uint32_t seed, const void *key, size_t len)
{
	const unsigned char *s = key;
	uint64_t h = 0xcbf29ce484222325ull ^ (uint64_t)seed << 16;

	for (size_t i = 0; i < len; i++)
		h = (h ^ s[i]) * 0x100000001b3ull;
	return (uint32_t)(h ^ h >> 32);
}

#define HASH_NONFATAL_OOM		  1
#define HASH_FUNCTION(key, length, hashv) ((hashv) = path_hash(in->seed, key, length))
#include "model/intern.h"

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
