/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the tests of isolation: a character with a layer of a plug-in of the tests.
 */
#ifndef SINEW_TESTS_PLUGIN_OPEN_LAYER_H
#define SINEW_TESTS_PLUGIN_OPEN_LAYER_H

#include "../playback/fit_with.h"
#include "sample/sample.h"
#include "tiny_arm.h"

/* The sample arm with a layer of a plug-in of the tests, which is the only one that is isolated if `isolation` says so. */
static inline snw_registry *open_layer(const char *name, snw_isolation isolation, snw_scene **scene) {
	char path[2048], old[1024];
	snw_error error = {0};
	snprintf(old, sizeof old, "%s", getenv("SINEW_PLUGIN_PATH") ? getenv("SINEW_PLUGIN_PATH") : "");
	snprintf(path, sizeof path, "%s:" TEST_PLUGINS "/small-%s.so", old, name);
	setenv("SINEW_PLUGIN_PATH", path, 1);
	assert_true(snw_registry_isolate(isolation));
	snw_registry *registry = snw_registry_open();
	snw_registry_isolate(SNW_ISOLATE_NONE);
	setenv("SINEW_PLUGIN_PATH", old, 1);
	check_ok(make_tiny_arm(scene, &error), error);
	fit_with(scene, registry, "test-small", "");
	return registry;
}

#endif
