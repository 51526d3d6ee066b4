/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What khuge.c leaves to its helper.  Private to lib/model/khuge*.c.
 */
#ifndef SWT_MODEL_KHUGE_PARTS_H
#define SWT_MODEL_KHUGE_PARTS_H

#include <string.h>

#include "model/khuge.h"

/*
 * For uthash: its own function falls through switch labels, which clang does not accept here. Keys have up to
 * 8 bytes.
 */
static inline unsigned int swt_khuge_hash(const void *key, size_t len)
{
	uint64_t v = 0;

	memcpy(&v, key, len < sizeof(v) ? len : sizeof(v));
	return (unsigned int)((v * 0x9e3779b97f4a7c15ull) >> 32);
}

struct swt_sleeper;

/**
 * swt_sleepers_fell - take in a status; did the process sleep since the last one while its swap fell?
 * @head: the sleeping processes known, at first NULL
 * @since: time of the last one
 */
bool swt_sleepers_fell(struct swt_sleeper **head, uint64_t ts, pid_t pid, const char *text, size_t len,
		       uint64_t *since, struct swt_opt *before, struct swt_opt *after);
void swt_sleepers_free(struct swt_sleeper **head);

#endif
