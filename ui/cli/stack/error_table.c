/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/stack/error_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/command_line/mask.h"
#include "fit/sculpt_reference.h"
#include "measure/measure.h"

/* To so many columns; a dash, of three bytes, for what is not known. */
static const char *number(const snw_call *call, double value, int columns) {
	return isfinite(value) ? snw_arena_format(call->arena, "%*.4f", columns, value)
						   : snw_arena_format(call->arena, "%*s", columns + 2, "–");
}

/* What is measured in one go: which methods, and where. */
typedef struct telling {
	const snw_call *call;
	const snw_opened *opened;
	cJSON *list;
	const char *const *methods;
	uint32_t method_count;
	const char *clip;
	const char *region_name; /* NULL: everywhere */
	const double *region;
	uint32_t measured;
} telling;

static snw_status tell_one(telling *t, const char *what, uint32_t mesh, uint32_t target, const char *method, snw_error *error) {
	const snw_call *call = t->call;
	const snw_measure_request request = {.mesh = mesh, .target = target, .method = method, .region = t->region};
	snw_measure m;
	const snw_status status = snw_measure_run(t->opened->scene, t->opened->registry, &request, &call->task, &m, error);
	if (snw_failed(status)) {
		return status;
	}
	const char *name = method ? method : "stack";
	const char *where =
		isfinite(m.max_percent) ? snw_arena_format(call->arena, "  point %u, frame %u", m.max_point, m.max_frame) : "";
	snw_say(call, "%s %s %s %s %s %s%s", snw_padded(call, what, 28), snw_padded(call, name, 18), number(call, m.erms, 10),
			number(call, m.distortion_percent, 12), number(call, m.enveloping_error, 10), number(call, m.max_percent, 9),
			where);
	cJSON *row = snw_answer_row(t->list);
	snw_answer_text(row, "against", what);
	snw_answer_text(row, "mesh", t->opened->scene->meshes[mesh].name);
	snw_answer_text(row, "method", name);
	snw_answer_text(row, "region", t->region_name);
	snw_answer_number(row, "points", m.point_count);
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
static snw_status tell_methods(telling *t, const char *what, uint32_t mesh, uint32_t target, snw_error *error) {
	if (!t->measured++) {
		snw_say(t->call, "%-28s %-18s %10s %12s %10s %9s", "against", "method", "erms", "distortion %", "enveloping", "max %");
	}
	const char *label = t->region ? snw_arena_format(t->call->arena, "%s in %s", what, t->region_name) : what;
	snw_status status = SNW_OK;
	const char *baseline = snw_registry_trait_name(t->opened->registry, SNW_BASELINE);
	if (baseline && t->opened->scene->meshes[mesh].influence_offsets) {
		status = tell_one(t, label, mesh, target, baseline, error);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < t->method_count; i++) {
		if (!t->methods[i] || !baseline || strcmp(t->methods[i], baseline) != 0) {
			status = tell_one(t, label, mesh, target, t->methods[i], error);
		}
	}
	return status;
}

static bool has_examples(const snw_scene *scene, uint32_t mesh) {
	for (uint32_t i = 0; i < scene->example_count; i++) {
		if (scene->examples[i].mesh == mesh && !scene->examples[i].muted) {
			return true;
		}
	}
	return false;
}

/* One mesh against its examples and targets. */
static snw_status tell_mesh(telling *t, uint32_t mesh, snw_error *error) {
	const snw_scene *scene = t->opened->scene;
	const char *suffix = scene->mesh_count > 1 ? snw_arena_format(t->call->arena, " of %s", scene->meshes[mesh].name) : "";
	snw_status status = SNW_OK;
	if (!t->clip && has_examples(scene, mesh)) {
		status = tell_methods(t, snw_arena_format(t->call->arena, "examples%s", suffix), mesh, SNW_NONE, error);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < scene->target_count; i++) {
		const snw_target *target = &scene->targets[i];
		const char *owner = target->clip == SNW_NONE ? target->name : scene->clips[target->clip].name;
		if (target->mesh == mesh && (!t->clip || strcmp(t->clip, owner) == 0)) {
			status = tell_methods(t, snw_arena_format(t->call->arena, "%s%s", target->name, suffix), mesh, i, error);
		}
	}
	return status;
}

snw_status snw_errors_tell(const snw_call *call, const snw_opened *opened, const char *const *methods, uint32_t method_count,
						   const char *clip, snw_error *error) {
	telling t = {.call = call,
				 .opened = opened,
				 .list = snw_answer_list(call->answer, "errors"),
				 .methods = methods,
				 .method_count = method_count,
				 .clip = clip};
	snw_status status = snw_examples_settle(opened->scene, opened->registry, error);
	for (uint32_t mesh = 0; !snw_failed(status) && mesh < opened->scene->mesh_count; mesh++) {
		t.region_name = snw_call_option_at(call, "--region", 0);
		for (int r = 0; !snw_failed(status) && (r == 0 || t.region_name);
			 t.region_name = snw_call_option_at(call, "--region", ++r)) {
			if (t.region_name) {
				status = snw_mask_values(call, opened->scene, mesh, t.region_name, &t.region, error);
			}
			status = snw_failed(status) ? status : tell_mesh(&t, mesh, error);
		}
	}
	if (!snw_failed(status) && !t.measured) {
		snw_task_notice(&call->task, SNW_LOG_INFO, "nothing to measure against; add an example or a target");
	}
	return status;
}
