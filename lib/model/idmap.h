/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 32-bit numbers (TIDs, mm_ids) to pointers: open addressing, linear probing, no tombstones.
 *
 * A look-up happens for almost every event, so the table is one flat array.  Keys come from recordings, which
 * are hostile: the hash is seeded per table, so nobody can prepare keys that all collide.
 */
#ifndef SWT_MODEL_IDMAP_H
#define SWT_MODEL_IDMAP_H

#include <stddef.h>
#include <stdint.h>

struct swt_idmap_slot {
	uint32_t key;
	void *value; /* NULL: empty */
};

struct swt_idmap {
	struct swt_idmap_slot *slot;
	uint32_t mask; /* slots - 1; 0 before the first insertion */
	uint32_t seed;
	size_t count;
};

void swt_idmap_init(struct swt_idmap *map);
void swt_idmap_free(struct swt_idmap *map);

/** swt_idmap_put - set @key to @value (not NULL), replacing what was there; 0 or -ENOMEM. */
int swt_idmap_put(struct swt_idmap *map, uint32_t key, void *value);
/** swt_idmap_del - forget @key; nothing happens when it is not there. */
void swt_idmap_del(struct swt_idmap *map, uint32_t key);

static inline uint32_t swt_idmap_hash(const struct swt_idmap *map, uint32_t key)
{
	uint32_t h = (key ^ map->seed) * 0x9e3779b1u;

	h ^= h >> 15;
	h *= 0x85ebca77u;
	return h ^ h >> 13;
}

/** swt_idmap_get - the pointer of @key, or NULL. */
static inline void *swt_idmap_get(const struct swt_idmap *map, uint32_t key)
{
	uint32_t i;

	if (!map->slot)
		return NULL;
	for (i = swt_idmap_hash(map, key) & map->mask; map->slot[i].value; i = (i + 1) & map->mask) {
		if (map->slot[i].key == key)
			return map->slot[i].value;
	}
	return NULL;
}

#endif
