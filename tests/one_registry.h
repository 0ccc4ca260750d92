/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One registry of the shipped deformers for all tests of a program: the functions that open and close it around a group.
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

#endif
