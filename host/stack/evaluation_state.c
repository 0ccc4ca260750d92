/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Frames: everything that changes from pose to pose, allocated once.
 */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "sinew/algebra.h"
#include "stack/stack_internal.h"

/* ---- making ---------------------------------------------------------------------------------------------------------------- */

static void open_program(snw_stack_frame *frame, const stack_segment *segment, segment_frame *target) {
	snw_arena *arena = frame->arena;
	target->rotations = SNW_NEW_ARRAY(arena, double, (size_t)9 * segment->program.posed.count);
	target->program = (snw_program_input){.d = frame->d, .e = frame->e, .rotations = target->rotations};
	if (!segment->part) {
		return;
	}
	const double *z = frame->z + frame->stack->layers[segment->layer].z_offset;
	target->program.normal_palette =
		segment->program.normals.palette == SNW_NORMALS_FROM_FACES ? NULL : z + segment->part->normal_z;
	switch (segment->part->palette) {
	case SNW_PALETTE_MATRICES:
		target->program.matrices = z;
		break;
	case SNW_PALETTE_DUAL_QUATERNIONS:
		target->program.dual_quaternions = z;
		break;
	case SNW_PALETTE_COMBINED:
		target->combined = SNW_NEW_ARRAY(arena, double, (size_t)12 * segment->part->slot_count);
		target->program.matrices = target->combined;
		target->program.z = z;
		break;
	default: /* the pose's own palette: known when it is driven */
		break;
	}
}

static void open_buffers(snw_stack_frame *frame, bool packed) {
	const snw_stack *stack = frame->stack;
	const size_t numbers = (size_t)3 * stack->most_points;
	bool any_box = false;
	for (uint32_t m = 0; m < stack->scene->mesh_count; m++) {
		any_box = any_box || stack->meshes[m].has_box;
	}
	frame->scratch_threads = any_box ? snw_parallel_thread_count() : 1;
	frame->scratch = SNW_NEW_ARRAY(frame->arena, unsigned char, stack->scratch_bytes * frame->scratch_threads);
	frame->prepared = any_box ? SNW_NEW_ARRAY(frame->arena, unsigned char, stack->prepared_bytes) : NULL;
	for (int i = 0; i < 3; i++) {
		frame->points[i] = any_box ? SNW_NEW_ARRAY(frame->arena, double, numbers) : NULL;
	}
	for (int i = 0; i < 2; i++) {
		frame->floats[i] = packed ? SNW_NEW_ARRAY(frame->arena, float, numbers) : NULL;
	}
	frame->points_assembled = any_box ? SNW_NEW_ARRAY(frame->arena, double, numbers) : NULL;
	frame->wanted = any_box ? SNW_NEW_ARRAY(frame->arena, bool, (size_t)stack->most_points + 1) : NULL;
}

static snw_stack_frame *create_frame(const snw_stack *stack, bool packed) {
	snw_arena *arena = snw_arena_create();
	snw_stack_frame *frame = SNW_NEW(arena, snw_stack_frame);
	frame->arena = arena;
	frame->stack = stack;
	frame->z = SNW_NEW_ARRAY(arena, double, stack->z_count);
	frame->d = SNW_NEW_ARRAY(arena, double, stack->d_count);
	frame->e = SNW_NEW_ARRAY(arena, double, stack->e_count);
	frame->joint_rotations = SNW_NEW_ARRAY(arena, double, (size_t)9 * stack->scene->skeleton.joint_count);
	frame->segments = SNW_NEW_ARRAY(arena, segment_frame *, stack->scene->mesh_count);
	for (uint32_t m = 0; m < stack->scene->mesh_count; m++) {
		const stack_mesh *mesh = &stack->meshes[m];
		frame->segments[m] = SNW_NEW_ARRAY(arena, segment_frame, mesh->segment_count);
		for (uint32_t s = 0; s < mesh->segment_count; s++) {
			if (mesh->segments[s].info.is_program) {
				open_program(frame, &mesh->segments[s], &frame->segments[m][s]);
				frame->segments[m][s].packed = packed ? snw_program_pack(&mesh->segments[s].program) : NULL;
			}
		}
	}
	open_buffers(frame, packed);
	return frame;
}

snw_stack_frame *snw_stack_frame_create(const snw_stack *stack) {
	return create_frame(stack, true);
}

snw_stack_frame *snw_stack_frame_create_truth(const snw_stack *stack) {
	return create_frame(stack, false);
}

void snw_stack_frame_destroy(snw_stack_frame *frame) {
	if (!frame) {
		return;
	}
	for (uint32_t m = 0; m < frame->stack->scene->mesh_count; m++) {
		for (uint32_t s = 0; s < frame->stack->meshes[m].segment_count; s++) {
			snw_packed_program_destroy(frame->segments[m][s].packed);
		}
	}
	snw_arena_destroy(frame->arena);
}

/* ---- driving --------------------------------------------------------------------------------------------------------------- */

snw_drive_output stack_driven(const snw_stack_frame *frame, const stack_layer *layer) {
	return (snw_drive_output){
		.size = sizeof(snw_drive_output),
		.z = frame->z + layer->z_offset,
		.d = frame->d + layer->d_offset,
		.e = frame->e + layer->e_offset,
	};
}

static bool all_finite(const double *values, uint32_t count) {
	for (uint32_t i = 0; i < count; i++) {
		if (!isfinite(values[i])) {
			return false;
		}
	}
	return true;
}

static snw_status drive_layer(const stack_layer *layer, snw_stack_frame *frame, snw_error *error) {
	if (!layer->deformer->drive) {
		return SNW_OK;
	}
	snw_drive_output output = stack_driven(frame, layer);
	const snw_thread_call previous = snw_thread_enter(SNW_ROLE_EVALUATION, layer->deformer->descriptor->short_name);
	const snw_drive_call call = {
		.size = sizeof call,
		.model = layer->model,
		.values = layer->values,
		.pose = frame->pose,
		.scratch = frame->scratch,
		.output = &output,
	};
	const snw_status status = layer->deformer->drive(&call);
	snw_thread_leave(previous);
	if (snw_failed(status)) {
		return snw_fail(error, status, "layer '%s' (%s) failed while driving a pose: it %s", layer->name,
						layer->deformer->descriptor->short_name, snw_status_words(status));
	}
	output = stack_driven(frame, layer);
	if (!all_finite(output.z, layer->layout.z_count) || !all_finite(output.d, layer->layout.d_count) ||
		!all_finite(output.e, layer->layout.e_count)) {
		return snw_fail(error, SNW_ERROR_INTERNAL, "layer '%s' (%s) drove a pose to numbers that are not finite", layer->name,
						layer->deformer->descriptor->short_name);
	}
	return SNW_OK;
}

/* T = C z: row 4s + c of C z is column c of T_s. */
static void combine_palette(const snw_program_part *part, const double *z, double *matrices) {
	const uint32_t n = part->combined_count;
	for (uint32_t row = 0; row < 4 * part->slot_count; row++) {
		const double *c = part->combined + (size_t)row * n;
		double column[3] = {0, 0, 0};
		for (uint32_t k = 0; k < n; k++) {
			for (int r = 0; r < 3; r++) {
				column[r] += c[k] * z[(size_t)3 * k + r];
			}
		}
		for (uint32_t r = 0; r < 3; r++) {
			matrices[(size_t)12 * (row / 4) + 4 * r + row % 4] = column[r];
		}
	}
}

static void drive_program(const snw_stack_frame *frame, const stack_segment *segment, segment_frame *target) {
	if (segment->part && segment->part->palette == SNW_PALETTE_JOINTS) {
		target->program.matrices = frame->pose->palette;
	}
	if (target->combined) {
		combine_palette(segment->part, frame->z + frame->stack->layers[segment->layer].z_offset, target->combined);
	}
	static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
	const snw_displacements *posed = &segment->program.posed;
	for (uint32_t k = 0; k < posed->count; k++) {
		const uint32_t joint = posed->joints[k];
		const double *rotation = joint == SNW_NONE ? identity : frame->joint_rotations + (size_t)9 * joint;
		memcpy(target->rotations + (size_t)9 * k, rotation, sizeof identity);
	}
}

snw_status snw_stack_drive(const snw_stack *stack, const snw_pose_view *pose, snw_stack_frame *frame, snw_error *error) {
	const snw_scene *scene = stack->scene;
	if (pose->joint_count != scene->skeleton.joint_count || pose->slot_count != scene->slot_count ||
		pose->channel_count != scene->channel_count) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "a pose of %u joints and %u channels does not belong to this character",
						pose->joint_count, pose->channel_count);
	}
	frame->pose = pose;
	if (scene->channel_count > 0) {
		memcpy(frame->d, pose->channels, scene->channel_count * sizeof *frame->d);
	}
	for (uint32_t i = 0; i < stack->layer_count; i++) {
		const snw_status status = drive_layer(&stack->layers[i], frame, error);
		if (snw_failed(status)) {
			frame->pose = NULL;
			return status;
		}
	}
	for (uint32_t i = 0; i < stack->frame_joint_count; i++) {
		const uint32_t joint = stack->frame_joints[i];
		snw_mat34_rotation(pose->global + (size_t)12 * joint, frame->joint_rotations + (size_t)9 * joint);
	}
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		for (uint32_t s = 0; s < stack->meshes[m].segment_count; s++) {
			if (stack->meshes[m].segments[s].info.is_program) {
				drive_program(frame, &stack->meshes[m].segments[s], &frame->segments[m][s]);
			}
		}
	}
	return SNW_OK;
}

const snw_program_input *snw_stack_program_frame(const snw_stack_frame *frame, uint32_t mesh, uint32_t segment) {
	return &frame->segments[mesh][segment].program;
}
