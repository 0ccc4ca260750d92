/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The interface between gather.c and the test that loads it, besides the ABI.
 */
#ifndef SINEW_TESTS_PLUGIN_GATHER_H
#define SINEW_TESTS_PLUGIN_GATHER_H

#include <stdatomic.h>
#include <stdint.h>

/* What the host has called, exported as `gather_calls_made`. */
typedef struct gather_calls {
	int refuses; /* set by the test: open fails */
	uint32_t opens, closes;
	char path[1024];             /* the last that open was given */
	_Atomic uint32_t *prepares;  /* the test's, since evaluation keeps nothing in static data; NULL: not counted */
	_Atomic uint32_t collisions; /* chunks that ran at the same time with one thread index */
	_Atomic uint32_t past;       /* chunks with a thread index that is not below thread_count */
	_Atomic uint32_t chunks;
} gather_calls;

/* The table of the extension GATHER_EXTENSION. */
#define GATHER_EXTENSION "org.sinew.test.gather.strength/0"
typedef struct gather_strength {
	uint32_t size;
	double (*strength)(void); /* how far a point of u = 1 moves towards the centroid in one pass */
} gather_strength;

#endif
