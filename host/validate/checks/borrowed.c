/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether a model keeps pointers into what its fit or its load was given, which lives as long as the call: that memory is
 * overwritten before the model evaluates.
 */
#include <stdio.h>

#include "fit/input.h"
#include "plugin/deformer_calls.h"
#include "plugin/memory_sink.h"
#include "plugin/requirements.h"
#include "validate/checks/checks.h"

/* A value that is no address and no index, so that reading through it crashes or changes the result. */
enum { OVERWRITTEN = 0xDB };

/* The trial character once more, in memory of its own, with the views that a fit of the harness gets. */
static snw_status make_input(const harness *b, snw_scene **scene, snw_fit_input **input, snw_error *finding) {
	const snw_descriptor *descriptor = b->deformer->descriptor;
	*scene = harness_make_scene(descriptor, SNW_TRIAL_USUAL);
	snw_arena *arena = (*scene)->arena;
	const snw_value *values = snw_arena_copy(arena, b->values, descriptor->parameter_count * sizeof *values);
	return snw_fit_input_make(*scene, descriptor->needs, NULL, SNW_NONE, descriptor->parameter_count, values, NULL, arena,
							  input, finding);
}

static snw_status make_model(harness *b, const snw_fit_input *input, const snw_memory_sink *saved, snw_model **model) {
	if (saved) {
		return harness_load(b, input->character, saved->bytes, saved->count, model);
	}
	const snw_thread_call previous = snw_thread_enter(
		(snw_thread_call){.role = SNW_ROLE_OWNER, .who = b->deformer->descriptor->short_name, .function = "fit"});
	harness_forget_proposals(b);
	const snw_status status = b->deformer->fit(b->instance, input, model);
	snw_thread_leave(previous);
	return status;
}

/* By a fit, or by a load of what `saved` holds. */
static snw_status check_model(harness *b, const snw_memory_sink *saved, snw_error *finding) {
	const char *function = saved ? "load" : "fit";
	snw_scene *scene;
	snw_fit_input *input;
	snw_model *model = NULL;
	snw_status status = make_input(b, &scene, &input, finding);
	snw_arena *arena = scene->arena;
	status = snw_failed(status) ? status : make_model(b, input, saved, &model);
	if (!model) {
		snw_arena_destroy(arena);
		return snw_fail(finding, SNW_ERROR_INTERNAL, "another %s returned status %d and no model", function, status);
	}
	snw_arena_overwrite(arena, OVERWRITTEN);
	snw_validate_note("after its %s had returned and what %s was given was overwritten: a model copies what it keeps", function,
					  function);
	char which[100];
	snprintf(which, sizeof which, "a model that kept a pointer into what its %s was given", function);
	status = snw_validate_same_evaluation(b, model, which, finding);
	const snw_thread_call previous = snw_thread_enter(
		(snw_thread_call){.role = SNW_ROLE_OWNER, .who = b->deformer->descriptor->short_name, .function = "release"});
	b->deformer->release(model);
	snw_thread_leave(previous);
	snw_validate_note("%s", "");
	snw_arena_destroy(arena);
	return status;
}

snw_status snw_validate_borrowed(harness *b, const check_settings *settings, snw_error *finding) {
	(void)settings;
	snw_status status = check_model(b, NULL, finding);
	if (!snw_failed(status) && b->deformer->save && b->deformer->load) {
		snw_memory_sink saved;
		status = harness_save(b, b->model, &saved, finding);
		if (!snw_failed(status)) {
			status = check_model(b, &saved, finding);
			snw_memory_sink_close(&saved);
		}
	}
	return snw_failed(status) ? status : snw_fail(finding, SNW_OK, "the model needs nothing of what made it");
}
