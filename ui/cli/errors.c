/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/errors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "measure/measure.h"

static const char *number(const snw_call *call, double value) {
	return isfinite(value) ? snw_arena_format(call->arena, "%.4f", value) : "–";
}

static snw_status tell_one(const snw_call *call, const snw_desk *desk, cJSON *list, const char *what, const char *method,
						   const snw_measure_request *request, snw_error *error) {
	snw_measure m;
	const snw_status status = snw_measure_run(desk->scene, desk->registry, request, &call->task, &m, error);
	if (status != SNW_OK) {
		return status;
	}
	snw_say(call, "%-28s %-18s %10s %12s %10s %9s  point %u, frame %u", what, method, number(call, m.erms),
			number(call, m.distortion_percent), number(call, m.enveloping_error), number(call, m.max_percent), m.max_point,
			m.max_frame);
	cJSON *row = snw_answer_row(list);
	snw_answer_text(row, "against", what);
	snw_answer_text(row, "mesh", desk->scene->meshes[request->mesh].name);
	snw_answer_text(row, "method", method);
	snw_answer_number(row, "frames", m.frame_count);
	snw_answer_number(row, "erms", m.erms);
	snw_answer_number(row, "distortion_percent", m.distortion_percent);
	snw_answer_number(row, "enveloping_error", m.enveloping_error);
	snw_answer_number(row, "max_percent", m.max_percent);
	snw_answer_number(row, "max_point", m.max_point);
	snw_answer_number(row, "max_frame", m.max_frame);
	return SNW_OK;
}

/* All the methods against one thing. */
static snw_status tell_methods(const snw_call *call, const snw_desk *desk, cJSON *list, const char *what, uint32_t mesh,
							   uint32_t target, const char *const *methods, uint32_t method_count, snw_error *error) {
	snw_status status = SNW_OK;
	if (desk->scene->meshes[mesh].influence_offsets) {
		const snw_measure_request request = {.mesh = mesh, .target = target, .method = "linear-blend"};
		status = tell_one(call, desk, list, what, "linear-blend", &request, error);
	}
	for (uint32_t i = 0; status == SNW_OK && i < method_count; i++) {
		if (methods[i] && strcmp(methods[i], "linear-blend") == 0) {
			continue;
		}
		const snw_measure_request request = {.mesh = mesh, .target = target, .method = methods[i]};
		status = tell_one(call, desk, list, what, methods[i] ? methods[i] : "stack", &request, error);
	}
	return status;
}

static bool has_examples(const snw_scene *scene, uint32_t mesh) {
	for (uint32_t i = 0; i < scene->example_count; i++) {
		if (scene->examples[i].mesh == mesh) {
			return true;
		}
	}
	return false;
}

snw_status snw_errors_tell(const snw_call *call, const snw_desk *desk, const char *const *methods, uint32_t method_count,
						   const char *clip, snw_error *error) {
	const snw_scene *scene = desk->scene;
	cJSON *list = snw_answer_list(call->answer, "errors");
	uint32_t measured = 0;
	snw_status status = SNW_OK;
	for (uint32_t mesh = 0; status == SNW_OK && mesh < scene->mesh_count; mesh++) {
		const char *suffix = scene->mesh_count > 1 ? snw_arena_format(call->arena, " of %s", scene->meshes[mesh].name) : "";
		if (!clip && has_examples(scene, mesh)) {
			if (!measured++) {
				snw_say(call, "%-28s %-18s %10s %12s %10s %9s", "against", "method", "erms", "distortion %", "enveloping",
						"max %");
			}
			status = tell_methods(call, desk, list, snw_arena_format(call->arena, "examples%s", suffix), mesh, SNW_NONE,
								  methods, method_count, error);
		}
		for (uint32_t t = 0; status == SNW_OK && t < scene->target_count; t++) {
			const snw_target *target = &scene->targets[t];
			const char *owner = target->clip == SNW_NONE ? target->name : scene->clips[target->clip].name;
			if (target->mesh != mesh || (clip && strcmp(clip, owner) != 0)) {
				continue;
			}
			if (!measured++) {
				snw_say(call, "%-28s %-18s %10s %12s %10s %9s", "against", "method", "erms", "distortion %", "enveloping",
						"max %");
			}
			status = tell_methods(call, desk, list, snw_arena_format(call->arena, "%s%s", target->name, suffix), mesh, t,
								  methods, method_count, error);
		}
	}
	if (status == SNW_OK && !measured) {
		snw_task_notice(&call->task, SNW_LOG_INFO, "there is nothing to measure against; add an example or a target");
	}
	return status;
}
