/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 32-bit numbers to pointers: growing and deleting.
 */
#include "model/idmap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

void swt_idmap_init(struct swt_idmap *map)
{
	memset(map, 0, sizeof(*map));
	if (getrandom(&map->seed, sizeof(map->seed), GRND_NONBLOCK) != sizeof(map->seed))
		map->seed = (uint32_t)time(NULL) ^ (uint32_t)(uintptr_t)map;
}

void swt_idmap_free(struct swt_idmap *map)
{
	free(map->slot);
	map->slot = NULL;
	map->mask = 0;
	map->count = 0;
}

static void insert(struct swt_idmap *map, uint32_t key, void *value)
{
	uint32_t i = swt_idmap_hash(map, key) & map->mask;

	while (map->slot[i].value && map->slot[i].key != key)
		i = (i + 1) & map->mask;
	if (!map->slot[i].value)
		map->count++;
	map->slot[i].key = key;
	map->slot[i].value = value;
}

static int resize(struct swt_idmap *map, size_t slots)
{
	struct swt_idmap old = *map;
	size_t i;

	map->slot = calloc(slots, sizeof(*map->slot));
	if (!map->slot) {
		*map = old;
		return -ENOMEM;
	}
	map->mask = (uint32_t)(slots - 1);
	map->count = 0;
	for (i = 0; old.slot && i <= old.mask; i++) {
		if (old.slot[i].value)
			insert(map, old.slot[i].key, old.slot[i].value);
	}
	free(old.slot);
	return 0;
}

int swt_idmap_put(struct swt_idmap *map, uint32_t key, void *value)
{
	size_t slots = map->slot ? (size_t)map->mask + 1 : 0;
	int rc;

	/* Half full at most: probe chains stay short. */
	if ((map->count + 1) * 2 > slots) {
		rc = resize(map, slots ? slots * 2 : 64);
		if (rc)
			return rc;
	}
	insert(map, key, value);
	return 0;
}

void swt_idmap_del(struct swt_idmap *map, uint32_t key)
{
	uint32_t i, j, home;

	if (!map->slot)
		return;
	for (i = swt_idmap_hash(map, key) & map->mask; map->slot[i].key != key || !map->slot[i].value;
	     i = (i + 1) & map->mask) {
		if (!map->slot[i].value)
			return;
	}
	/* Move back what probed past the hole, so that no chain is cut. */
	for (j = (i + 1) & map->mask; map->slot[j].value; j = (j + 1) & map->mask) {
		home = swt_idmap_hash(map, map->slot[j].key) & map->mask;
		if (((j - home) & map->mask) >= ((j - i) & map->mask)) {
			map->slot[i] = map->slot[j];
			i = j;
		}
	}
	map->slot[i].value = NULL;
	map->count--;
	/* Give memory back after a storm. */
	if (map->mask > 4096 && map->count * 16 < map->mask)
		(void)resize(map, ((size_t)map->mask + 1) / 4);
}
