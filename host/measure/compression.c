/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure/compression.h"

#include <math.h>

#include "pose/clip_times.h"
#include "pose/pose.h"
#include "sinew/algebra.h"

enum { LOOKS = 5 }; /* frames of each sequence whose matrices are tested */
static const double RIGID_TOLERANCE = 1e-5;

static bool is_rigid(const double matrix[12]) {
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c <= r; c++) {
			if (!(fabs(snw_dot3(matrix + 4 * r, matrix + 4 * c) - (r == c)) <= RIGID_TOLERANCE)) {
				return false;
			}
		}
	}
	return snw_mat34_determinant(matrix) > 0;
}

/* Whether all matrices are rigid over a sequence. A stack that cannot be driven counts as not rigid. */
static bool stays_rigid(const snw_scene *scene, const snw_stack *stack, uint32_t mesh, const snw_target *target) {
	snw_arena *arena = snw_arena_create();
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	const uint32_t clip = snw_target_clip(scene, target);
	bool rigid = true;
	for (uint32_t i = 0; i < LOOKS && clip != SNW_NONE && rigid; i++) {
		const double seconds = target->seconds[(size_t)(target->frame_count - 1) * i / (LOOKS - 1)];
		const snw_pose *pose = snw_pose_sample(scene, clip, seconds, arena);
		rigid = !snw_failed(snw_stack_drive(stack, snw_pose_view_make(scene, pose, arena), evaluation, NULL));
		const snw_program_input *driven = snw_stack_program_input(evaluation, mesh, 0);
		for (uint32_t s = 0; s < snw_stack_segment(stack, mesh, 0).program->slot_count && rigid; s++) {
			rigid = is_rigid(driven->matrices + 12 * (size_t)s);
		}
	}
	snw_evaluation_destroy(evaluation);
	snw_arena_destroy(arena);
	return rigid;
}

/* The slots that move the mesh: a palette serves all meshes of its model. */
static uint32_t count_proxies(const snw_program *program) {
	snw_arena *arena = snw_arena_create();
	bool *moves = SNW_NEW_ARRAY(arena, bool, program->slot_count);
	uint32_t count = 0;
	for (uint32_t i = 0; i < program->influence_offsets[program->point_count]; i++) {
		count += !moves[program->influence_slots[i]];
		moves[program->influence_slots[i]] = true;
	}
	snw_arena_destroy(arena);
	return count;
}

bool snw_compression_find(const snw_scene *scene, const snw_stack *stack, uint32_t mesh, snw_compression *compression) {
	if (snw_stack_segment_count(stack, mesh) != 1 || !snw_stack_segment(stack, mesh, 0).has_palette) {
		return false;
	}
	const snw_program *program = snw_stack_segment(stack, mesh, 0).program;
	snw_compression found = {.rigid = true, .displacement_count = program->rest.count};
	found.proxy_count = program->blend == SNW_BLEND_NONE ? 0 : count_proxies(program);
	for (uint32_t t = 0; t < scene->target_count; t++) {
		const snw_target *target = &scene->targets[t];
		if (target->mesh == mesh && target->frame_count > 0) {
			found.frame_count += target->frame_count;
			found.rigid = found.rigid && (program->dual_quaternion_palette || stays_rigid(scene, stack, mesh, target));
		}
	}
	if (found.frame_count == 0) {
		return false;
	}
	const double m = program->point_count, n = found.frame_count, p = found.proxy_count, f = found.displacement_count;
	found.ratio = 6 * m * n / ((found.rigid ? 12 : 24) * p * n + 6 * m + f * (6 * m + 2 * n));
	found.point_bytes = 3 * m * n * sizeof(float);
	*compression = found;
	return true;
}
