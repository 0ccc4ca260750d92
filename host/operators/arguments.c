/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "operators/arguments.h"

#include <string.h>

#include "fit/samples.h"
#include "parameter/parameters.h"
#include "pose/pose_sets.h"

snw_mirror_plane snw_operation_plane(const snw_operation *operation, snw_mirror_plane found) {
	const uint32_t axis = snw_operation_count(operation, "axis");
	snw_mirror_plane plane = axis == 0 ? found : (snw_mirror_plane){.axis = axis};
	if (snw_operation_has(operation, "plane")) {
		plane.offset = snw_operation_number(operation, "plane");
	}
	return plane;
}

snw_status snw_operation_place(const snw_operation *operation, uint32_t present, uint32_t count, uint32_t *place,
							   snw_error *error) {
	const bool is_given = snw_operation_has(operation, "to");
	const double wished = is_given ? snw_operation_number(operation, "to") : present + snw_operation_number(operation, "by");
	if (!is_given && !snw_operation_has(operation, "by")) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "where to? give either a place from 0 to %u, or --by N", count - 1);
	}
	if (is_given && wished >= count) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "there is no place %g; choose one from 0 to %u", wished, count - 1);
	}
	*place = (uint32_t)fmin(fmax(wished, 0), count - 1);
	return SNW_OK;
}

snw_worker_limits snw_operation_limits(const snw_operation *operation) {
	snw_worker_limits limits = operation->in->limits ? *operation->in->limits : (snw_worker_limits){0};
	if (snw_operation_has(operation, "memory")) {
		limits.memory_bytes = (uint64_t)(snw_operation_number(operation, "memory") * (1u << 30));
	}
	if (snw_operation_has(operation, "seconds")) {
		limits.total_seconds = snw_operation_number(operation, "seconds");
	}
	return limits;
}

/* The clips of --clip, in the form that a fit takes. */
static const char *selected_clips(const snw_operation *o, const char *before) {
	const snw_argument_values *given = snw_operation_values(o, "clip");
	const char *names = given->at[0].text;
	for (uint32_t i = 1; i < given->count; i++) {
		names = snw_arena_format(o->arena, "%s,%s", names, given->at[i].text);
	}
	const bool is_all = strcmp(names, "all") == 0;
	return snw_samples_with_names(before, is_all ? "" : snw_samples_parse(o->scene, names, o->arena), o->arena);
}

snw_status snw_operation_samples(const snw_operation *o, const char *layer, const char **samples, snw_error *error) {
	const uint32_t existing = snw_scene_find_layer(o->scene, layer);
	const char *before = existing == SNW_NONE ? NULL : o->scene->layers[existing].samples;
	*samples = snw_operation_has(o, "clip") ? selected_clips(o, before) : NULL;
	if (!snw_operation_has(o, "frames")) {
		return SNW_OK;
	}
	snw_frame_choice choice;
	snw_error cause = {0};
	const snw_status status = snw_frame_choice_parse(snw_operation_text(o, "frames"), &choice, &cause);
	if (snw_failed(status)) {
		return snw_fail(error, status, "--frames %s", cause.text);
	}
	const char *combined = snw_samples_with_frames(*samples ? *samples : before, choice, o->arena);
	*samples = combined ? combined : "";
	return SNW_OK;
}

snw_status snw_operation_method(const snw_operation *operation, const char *name, const snw_deformer **deformer,
								snw_error *error) {
	const char *method = snw_operation_text(operation, name);
	*deformer = snw_registry_find(operation->in->registry, method);
	return *deformer ? SNW_OK
					 : snw_fail(error, SNW_ERROR_MISSING, "no method is named '%s'; 'sinew plugins' lists them", method);
}

snw_status snw_operation_fit_settings(const snw_operation *operation, const snw_descriptor *descriptor,
									  snw_fit_request *request, snw_error *error) {
	const snw_argument_values *given = snw_operation_values(operation, "set");
	const char **changes = SNW_NEW_ARRAY(operation->arena, const char *, (size_t)given->count + 1);
	snw_settings settings = {request->setting_count, request->settings};
	for (uint32_t i = 0; i < given->count; i++) {
		changes[i] = given->at[i].text;
	}
	const snw_status status = snw_settings_change(operation->scene, descriptor, operation->in->folder, true, given->count,
												  changes, operation->arena, &settings, error);
	request->setting_count = settings.count;
	request->settings = settings.list;
	return status;
}

snw_status snw_operation_fit(const snw_operation *operation, const char *path, const snw_fit_request *request,
							 snw_error *error) {
	const snw_worker_limits limits = snw_operation_limits(operation);
	snw_fit_outcome *outcome = SNW_NEW(operation->arena, snw_fit_outcome);
	*outcome = (snw_fit_outcome){.arena = operation->arena};
	operation->work->outcome = outcome;
	return snw_worker_fit(path, request, &limits, operation->in->task, outcome, error);
}

const uint32_t *snw_operation_clips(const snw_operation *o, uint32_t *count) {
	const uint32_t *given = snw_operation_things(o, "clip", count);
	if (*count > 0) {
		return given;
	}
	uint32_t *clips = SNW_NEW_ARRAY(o->arena, uint32_t, o->scene->clip_count);
	for (uint32_t c = 0; c < o->scene->clip_count; c++) {
		if (snw_clip_moves_joints(&o->scene->clips[c])) {
			clips[(*count)++] = c;
		}
	}
	return clips;
}
