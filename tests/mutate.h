/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hostile copies of files, for tests of whatever reads files: seeded, so that a failure can be had again.
 */
#ifndef SINEW_TESTS_MUTATE_H
#define SINEW_TESTS_MUTATE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

/* A copy of `bytes` that is truncated, bit-flipped (a few or many bits), has numbers replaced by extreme ones, a range
 * duplicated, removed or zeroed, or several of these: which, is drawn from the seed. The caller frees it. NULL only where
 * memory is out. */
static inline unsigned char *mutate_copy(const unsigned char *bytes, size_t count, uint64_t seed, size_t *mutated_count) {
	static const uint64_t extremes[] = {0,          0xff,       0x7f,       0xffff,     0x7fff,         0xffffffff,
										0x7fffffff, 0x80000000, 0x7f800000, 0x7fc00000, UINT64_MAX,     0x7ff0000000000000,
										1,          2,          0x10000000, 0x40000000, 0xfffffffffff0, 0x8000000000000000};
	uint64_t state = seed;
	size_t n = count;
	unsigned char *copy = malloc(2 * count + 16);
	if (!copy) {
		return NULL;
	}
	memcpy(copy, bytes, count);
	const size_t changes = 1 + random_below(&state, 3);
	for (size_t change = 0; change < changes && n > 0; change++) {
		const size_t at = random_below(&state, n);
		const size_t length = 1 + random_below(&state, random_below(&state, 2) ? n - at : (n - at < 64 ? n - at : 64));
		switch (random_below(&state, 8)) {
		case 0:
			n = at;
			break;
		case 1:
		case 2:
			for (size_t i = 1 + random_below(&state, 4); i > 0; i--) {
				copy[random_below(&state, n)] ^= (unsigned char)(1u << random_below(&state, 8));
			}
			break;
		case 3:
			for (size_t i = n / 200 + 1; i > 0; i--) {
				copy[random_below(&state, n)] ^= (unsigned char)(1u << random_below(&state, 8));
			}
			break;
		case 4: {
			const size_t width = (size_t)1 << random_below(&state, 4);
			const uint64_t extreme = extremes[random_below(&state, sizeof extremes / sizeof *extremes)];
			memcpy(copy + at, &extreme, width < n - at ? width : n - at);
			break;
		}
		case 5: /* a range twice; never beyond twice the size of the original */
			if (n + length <= 2 * count) {
				memmove(copy + at + length, copy + at, n - at);
				n += length;
			}
			break;
		case 6:
			memmove(copy + at, copy + at + length, n - at - length);
			n -= length;
			break;
		default:
			memset(copy + at, 0, length);
		}
	}
	*mutated_count = n;
	return copy;
}

#endif
