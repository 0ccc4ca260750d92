/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What can be fuzzed: each reader of untrusted bytes, as a function of these bytes. It returns, whatever they are; a fault is a
 * crash, a hang, a sanitizer's report or an abort.
 */
#ifndef SINEW_TESTS_FUZZ_TARGETS_H
#define SINEW_TESTS_FUZZ_TARGETS_H

#include <stddef.h>

typedef struct fuzz_target {
	const char *name;
	void (*read)(const unsigned char *bytes, size_t count);
	/* Seeds [0, seed_count): bytes that it can read, to be freed. */
	unsigned seed_count;
	unsigned char *(*seed)(unsigned index, size_t *count);
} fuzz_target;

/* NULL after the last. */
const fuzz_target *fuzz_target_at(unsigned index);
/* NULL for an unknown name. */
const fuzz_target *fuzz_target_find(const char *name);

#endif
