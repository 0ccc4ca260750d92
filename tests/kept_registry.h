/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A registry of the shipped deformers for all tests of a program: to open one loads them all. Whoever asks first opens it; it
 * is closed at the end of the program.
 */
#ifndef SINEW_TESTS_KEPT_REGISTRY_H
#define SINEW_TESTS_KEPT_REGISTRY_H

#include "check.h"
#include "plugin/registry.h"

static snw_registry *kept_registry_opened;

static inline void kept_registry_close(void) {
	snw_registry_close(kept_registry_opened);
}

static inline snw_registry *kept_registry(void) {
	if (!kept_registry_opened) {
		kept_registry_opened = snw_registry_open();
		assert_int_equal(atexit(kept_registry_close), 0);
	}
	return kept_registry_opened;
}

/* With a deformer of the tests' own, by its short name and its file. */
static inline snw_registry *kept_registry_with(const char *name, const char *module) {
	snw_error error = {0};
	snw_registry *registry = kept_registry();
	if (!snw_registry_find(registry, name)) {
		check_ok(snw_registry_load(registry, module, &error), error);
	}
	return registry;
}

#endif
