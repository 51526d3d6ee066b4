/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random numbers that are the same in every run, and damage made with them.
 */
#ifndef TEST_PRNG_H
#define TEST_PRNG_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* splitmix64: any seed will do */
static inline uint64_t prng_next(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15ull);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static inline uint64_t prng_below(uint64_t *state, uint64_t n)
{
	return prng_next(state) % n;
}

/** prng_damage - change up to eight places of @data: bits, bytes, digits, copies, removals (@len shrinks). */
static inline void prng_damage(uint64_t *state, void *data, size_t *len)
{
	static const char special[] = "[];:,_09-\"{}() \n\t\\%~\xff";
	unsigned char *p = data;

	for (uint64_t n = 1 + prng_below(state, 8); n && *len; n--) {
		size_t at = prng_below(state, *len), from = prng_below(state, *len),
		       l = prng_below(state, 16);

		if (l > *len - at)
			l = *len - at;
		if (l > *len - from)
			l = *len - from;
		switch (prng_below(state, 6)) {
		case 0:
			p[at] ^= (unsigned char)(1u << prng_below(state, 8));
			break;
		case 1:
			p[at] = (unsigned char)prng_next(state);
			break;
		case 2:
			p[at] = (unsigned char)special[prng_below(state, sizeof(special) - 1)];
			break;
		case 3:
			p[at] = (unsigned char)('0' + prng_below(state, 10));
			break;
		case 4:
			memmove(p + at, p + from, l);
			break;
		default:
			memmove(p + at, p + at + l, *len - at - l);
			*len -= l;
			break;
		}
	}
}

#endif
