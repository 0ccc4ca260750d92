/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bounds of what an engine plays: boxes of the kept influences with the morph targets in them, and boxes of clips, wider by
 * what the file loses against the stack. All poses have a box where the skeleton's joints alone move a mesh: how far helper
 * joints and proxy joints go in poses that no clip shows is not known.
 */
#include "stack/bounds.h"
#include "export/plan/passes.h"

/* The kept influences and the morph targets as a program whose coefficients are the morph targets' weights. */
static snw_program playable(const snw_plan_mesh *mesh, snw_arena *arena) {
	const uint32_t points = mesh->mesh->point_count, width = mesh->width;
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)points + 1);
	uint32_t *slots = SNW_NEW_ARRAY(arena, uint32_t, (size_t)points * width);
	double *weights = SNW_NEW_ARRAY(arena, double, (size_t)points *width);
	for (uint32_t p = 0; p < points; p++) {
		offsets[p + 1] = offsets[p];
		for (size_t i = (size_t)p * width; i < (size_t)(p + 1) * width && mesh->weights[i] > 0; i++) {
			slots[offsets[p + 1]] = mesh->slots[i];
			weights[offsets[p + 1]++] = (double)mesh->weights[i];
		}
	}
	return (snw_program){.point_count = points,
						 .blend = SNW_BLEND_LINEAR,
						 .points_rest = mesh->points_rest,
						 .influence_offsets = offsets,
						 .influence_slots = slots,
						 .influence_weights = weights};
}

static void add_morphs(const snw_plan_mesh *mesh, snw_program *program, snw_arena *arena) {
	const uint32_t count = mesh->morph_count;
	uint64_t *offsets = SNW_NEW_ARRAY(arena, uint64_t, (size_t)count + 1);
	uint32_t *coefficients = SNW_NEW_ARRAY(arena, uint32_t, count);
	for (uint32_t t = 0; t < count; t++) {
		coefficients[t] = t;
		offsets[t + 1] = offsets[t] + mesh->morphs[t].count;
	}
	uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, offsets[count]);
	double *vectors = SNW_NEW_ARRAY(arena, double, 3 * offsets[count]);
	for (uint32_t t = 0; t < count; t++) {
		const snw_plan_morph *morph = &mesh->morphs[t];
		for (uint32_t i = 0; i < morph->count; i++) {
			points[offsets[t] + i] = morph->points[i];
			for (size_t c = 0; c < 3; c++) {
				vectors[3 * (offsets[t] + i) + c] = morph->vectors[3 * (size_t)i + c];
			}
		}
	}
	program->d_count = count;
	program->rest = (snw_displacements){
		.count = count, .coefficients = coefficients, .offsets = offsets, .points = points, .vectors = vectors};
}

static void add_boxes(const snw_plan *plan, const snw_motion_bounds *clips, snw_plan_mesh *mesh) {
	snw_arena *scratch = snw_arena_create();
	snw_program program = playable(mesh, scratch);
	program.slot_count = plan->rig.slot_count;
	add_morphs(mesh, &program, scratch);
	const uint32_t count = mesh->morph_count;
	snw_interval *ranges = SNW_NEW_ARRAY(scratch, snw_interval, count);
	double *values = SNW_NEW_ARRAY(scratch, double, (size_t)clips->sample_count *count);
	for (uint32_t t = 0; t < count; t++) {
		const snw_plan_morph *morph = &mesh->morphs[t];
		const bool is_rest = morph->d != SNW_NONE;
		ranges[t] = is_rest ? clips->ranges[morph->d] : snw_interval_empty();
		for (size_t i = 0; i < clips->sample_count; i++) {
			values[i * count + t] = is_rest ? clips->d[i * clips->d_count + morph->d] : clips->e[i * clips->e_count + morph->e];
		}
	}
	const snw_coefficient_samples samples = {clips->sample_count, values, ranges};
	mesh->boxes = snw_slot_boxes_make(&program, &samples, plan->arena);
	snw_arena_destroy(scratch);
}

static void bound_mesh(const snw_plan *plan, const snw_motion_bounds *clips, snw_plan_mesh *mesh) {
	const double percent = fmax(plan->report.playback_max_percent, plan->report.between_max_percent);
	const double margin = percent / 100 * mesh->diagonal;
	mesh->clip_boxes = plan->clip_count > 0 ? SNW_NEW_ARRAY(plan->arena, snw_box, plan->clip_count) : NULL;
	if (mesh->placement == SNW_PLAN_SKINNED) {
		add_boxes(plan, clips, mesh);
	}
	for (uint32_t c = 0; c < plan->clip_count; c++) {
		mesh->clip_boxes[c] = snw_box_widened(&clips->clips[mesh->index][plan->clips[c]], margin);
	}
	mesh->box_of_all_poses = snw_box_widened(&clips->poses[mesh->index], margin);
}

static bool report_bounds(void *plan, double fraction, const char *activity) {
	(void)activity;
	return snw_plan_progress(plan, SNW_PLAN_FINDS_BOUNDS, fraction);
}

snw_status snw_plan_find_bounds(snw_plan *plan, snw_error *error) {
	snw_motion_bounds clips;
	snw_error failure = {0};
	const snw_task task = {.context = plan, .progress = report_bounds};
	const snw_status status =
		snw_motion_bounds_make(plan->scene, plan->stack, plan->request->clip, &task, plan->arena, &clips, &failure);
	if (status == SNW_CANCELLED) {
		return snw_fail(error, status, "%s", failure.text);
	}
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		if (snw_failed(status)) {
			plan->meshes[m].box_of_all_poses = snw_box_empty();
		} else {
			bound_mesh(plan, &clips, &plan->meshes[m]);
		}
	}
	if (snw_failed(status)) {
		snw_task_notice(plan->task, SNW_LOG_WARNING, "the bounds in the extras are left out: %s", failure.text);
	}
	return SNW_OK;
}
