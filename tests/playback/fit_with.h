/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the tests of playback: a deformer fitted to a mesh animation.
 */
#ifndef SINEW_TESTS_PLAYBACK_FIT_WITH_H
#define SINEW_TESTS_PLAYBACK_FIT_WITH_H

#include "check.h"

#include "fit/fit.h"
#include "parameter/parameters.h"
#include "pose/pose.h"
#include "sample/sample.h"

/* Fits a deformer with settings "key=value key=value"; the result replaces the scene. */
static inline void fit_with(snw_scene **scene, snw_registry *registry, const char *method, const char *settings) {
	char words[200];
	snw_setting list[8];
	snw_error error = {0};
	snw_fit_request request = {.method = method, .left_out_example = SNW_NONE, .settings = list};
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	const snw_descriptor *descriptor = snw_registry_find(registry, method)->descriptor;
	snprintf(words, sizeof words, "%s", settings);
	for (char *rest, *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		uint32_t index;
		snw_value value;
		check_ok(snw_parameter_parse(descriptor, word, &index, &value, &error), error);
		list[request.setting_count++] = (snw_setting){descriptor->parameters[index]->key, value};
	}
	snw_scene *fitted = NULL;
	check_ok(snw_fit_run(*scene, registry, &request, NULL, &outcome, &error), error);
	check_ok(snw_fit_apply(*scene, &outcome, &fitted, &error), error);
	snw_arena_destroy(outcome.arena);
	snw_scene_destroy(*scene);
	*scene = fitted;
}

#endif
