/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers that look random and are the same in every run, by the splitmix64 generator. Every state, also 0, begins a good
 * sequence.
 */
#ifndef SINEW_HOST_BASE_RANDOM_H
#define SINEW_HOST_BASE_RANDOM_H

#include <stdint.h>

/* The next number of the sequence with this state: all 64 bits count. */
static inline uint64_t snw_random_next(uint64_t *state) {
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

#endif
