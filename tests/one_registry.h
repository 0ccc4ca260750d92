/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One registry of the shipped deformers for all tests of a program, since a registry loads them all: the functions that open
 * and close it around a group; and one that opens it for whoever asks first, and closes it at the end of the program.
 */
#ifndef SINEW_TESTS_ONE_REGISTRY_H
#define SINEW_TESTS_ONE_REGISTRY_H

#include "check.h"
#include "plugin/registry.h"

static snw_registry *registry;

static inline int open_registry(void **state) {
	(void)state;
	registry = snw_registry_open();
	return 0;
}

static inline int close_registry(void **state) {
	(void)state;
	snw_registry_close(registry);
	return 0;
}

static inline void close_registry_at_exit(void) {
	snw_registry_close(registry);
}

static inline snw_registry *one_registry(void) {
	if (!registry) {
		registry = snw_registry_open();
		assert_int_equal(atexit(close_registry_at_exit), 0);
	}
	return registry;
}

#endif
