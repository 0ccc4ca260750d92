/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Evaluations: all data that change from pose to pose, allocated once.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "isolation/isolated_deformer.h"
#include "isolation/plugin_process.h"
#include "sinew/algebra.h"
#include "stack/stack_internal.h"
#include "task/task.h"

/* ---- creation ------------------------------------------------------------------------------------------------------------ */

static void init_segment(snw_evaluation *evaluation, const stack_segment *segment, segment_state *target) {
	snw_arena *arena = evaluation->arena;
	target->rotations = SNW_NEW_ARRAY(arena, double, (size_t)9 * segment->program.posed.count);
	target->program = (snw_program_input){.d = evaluation->d, .e = evaluation->e, .rotations = target->rotations};
	if (!segment->part) {
		return;
	}
	const double *z = evaluation->z + evaluation->stack->layers[segment->layer].z_offset;
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
	default: /* the pose's palette, set when it is driven */
		break;
	}
}

/* Whether a plug-in process may deform points: they are then where it sees them. */
static bool has_isolated(const snw_stack *stack) {
	bool any = false;
	for (uint32_t i = 0; i < stack->layer_count; i++) {
		any = any || snw_deformer_is_isolated(stack->layers[i].deformer);
	}
	return any;
}

static void allocate_buffers(snw_evaluation *evaluation, bool packed) {
	const snw_stack *stack = evaluation->stack;
	const size_t numbers = (size_t)3 * stack->most_points;
	bool any_black_box = false;
	for (uint32_t m = 0; m < stack->scene->mesh_count; m++) {
		any_black_box = any_black_box || stack->meshes[m].has_black_box;
	}
	evaluation->scratch_threads = any_black_box ? snw_parallel_thread_count() : 1;
	evaluation->scratch = SNW_NEW_ARRAY(evaluation->arena, unsigned char, stack->scratch_bytes * evaluation->scratch_threads);
	evaluation->prepared = any_black_box ? SNW_NEW_ARRAY(evaluation->arena, unsigned char, stack->prepared_bytes) : NULL;
	evaluation->shared = any_black_box && has_isolated(stack) ? snw_shared_memory_acquire(4 * numbers * sizeof(double)) : NULL;
	for (size_t i = 0; i < 3; i++) {
		evaluation->points[i] = evaluation->shared ? evaluation->shared + i * numbers
								: any_black_box    ? SNW_NEW_ARRAY(evaluation->arena, double, numbers)
												   : NULL;
	}
	for (int i = 0; i < 2; i++) {
		evaluation->floats[i] = packed ? SNW_NEW_ARRAY(evaluation->arena, float, numbers) : NULL;
	}
	evaluation->points_assembled = evaluation->shared ? evaluation->shared + 3 * numbers
								   : any_black_box    ? SNW_NEW_ARRAY(evaluation->arena, double, numbers)
													  : NULL;
	evaluation->wanted = any_black_box ? SNW_NEW_ARRAY(evaluation->arena, bool, (size_t)stack->most_points + 1) : NULL;
}

static snw_evaluation *create_evaluation(const snw_stack *stack, bool packed) {
	snw_arena *arena = snw_arena_create();
	snw_evaluation *evaluation = SNW_NEW(arena, snw_evaluation);
	evaluation->arena = arena;
	evaluation->stack = stack;
	evaluation->z = SNW_NEW_ARRAY(arena, double, stack->z_count);
	evaluation->d = SNW_NEW_ARRAY(arena, double, stack->d_count);
	evaluation->e = SNW_NEW_ARRAY(arena, double, stack->e_count);
	evaluation->joint_rotations = SNW_NEW_ARRAY(arena, double, (size_t)9 * stack->scene->skeleton.joint_count);
	evaluation->bounds = SNW_NEW(arena, evaluation_bounds);
	evaluation->segments = SNW_NEW_ARRAY(arena, segment_state *, stack->scene->mesh_count);
	for (uint32_t m = 0; m < stack->scene->mesh_count; m++) {
		const stack_mesh *mesh = &stack->meshes[m];
		evaluation->segments[m] = SNW_NEW_ARRAY(arena, segment_state, mesh->segment_count);
		for (uint32_t s = 0; s < mesh->segment_count; s++) {
			if (mesh->segments[s].info.is_program) {
				init_segment(evaluation, &mesh->segments[s], &evaluation->segments[m][s]);
				evaluation->segments[m][s].packed = packed ? snw_program_pack(&mesh->segments[s].program) : NULL;
			}
		}
	}
	allocate_buffers(evaluation, packed);
	return evaluation;
}

snw_evaluation *snw_evaluation_create(const snw_stack *stack) {
	return create_evaluation(stack, true);
}

snw_evaluation *snw_evaluation_create_reference(const snw_stack *stack) {
	return create_evaluation(stack, false);
}

void snw_evaluation_destroy(snw_evaluation *evaluation) {
	if (!evaluation) {
		return;
	}
	for (uint32_t m = 0; m < evaluation->stack->scene->mesh_count; m++) {
		for (uint32_t s = 0; s < evaluation->stack->meshes[m].segment_count; s++) {
			snw_packed_program_destroy(evaluation->segments[m][s].packed);
		}
	}
	snw_shared_memory_release(evaluation->shared);
	snw_arena_destroy(evaluation->arena);
}

/* ---- driving ------------------------------------------------------------------------------------------------------------- */

snw_drive_output stack_driven(const snw_evaluation *evaluation, const stack_layer *layer) {
	return (snw_drive_output){
		.size = sizeof(snw_drive_output),
		.z = evaluation->z + layer->z_offset,
		.d = evaluation->d + layer->d_offset,
		.e = evaluation->e + layer->e_offset,
	};
}

/* Zero times a number is zero, unless the number is not finite: so without a branch for each. */
static bool all_finite(const double *values, uint32_t count) {
	typedef double pair __attribute__((vector_size(16), may_alias, aligned(8)));
	pair sums[2] = {{0}, {0}};
	double sum = 0;
	uint32_t i = 0;
	for (; i + 4 <= count; i += 4) {
		sums[0] += *(const pair *)(values + i) * 0;
		sums[1] += *(const pair *)(values + i + 2) * 0;
	}
	for (; i < count; i++) {
		sum += values[i] * 0;
	}
	sums[0] += sums[1];
	return sum + sums[0][0] + sums[0][1] == 0;
}

snw_status stack_layer_failed(snw_evaluation *evaluation, const stack_layer *layer, snw_status status, snw_error *error,
							  const char *format, ...) {
	snw_layer_failure *failure = &evaluation->failure;
	va_list values;
	va_start(values, format);
	vsnprintf(failure->problem, sizeof failure->problem, format, values);
	va_end(values);
	failure->layer = layer->name;
	return stack_layer_fail(layer, status, error, "%s", failure->problem);
}

const snw_layer_failure *snw_evaluation_failure(const snw_evaluation *evaluation) {
	return &evaluation->failure;
}

static snw_status drive_layer(const stack_layer *layer, snw_evaluation *evaluation, snw_error *error) {
	if (!layer->deformer->drive) {
		return SNW_OK;
	}
	snw_drive_output output = stack_driven(evaluation, layer);
	const snw_thread_call previous = snw_thread_enter(stack_call_of(layer, SNW_ROLE_EVALUATION, "drive"));
	const snw_drive_call call = {
		.size = sizeof call,
		.model = layer->model,
		.values = layer->values,
		.pose = evaluation->pose,
		.scratch = layer->layout.scratch_bytes > 0 ? evaluation->scratch : NULL,
		.output = &output,
	};
	const snw_status status = snw_deny_caveat(layer->deformer->drive(&call));
	snw_thread_leave(previous);
	if (snw_failed(status)) {
		const char *problem = snw_deformer_problem(layer->deformer);
		return problem
				   ? stack_layer_failed(evaluation, layer, status, error, "%s", problem)
				   : stack_layer_failed(evaluation, layer, status, error, "failed in drive: it %s", snw_status_words(status));
	}
	output = stack_driven(evaluation, layer);
	if (!all_finite(output.z, layer->layout.z_count) || !all_finite(output.d, layer->layout.d_count) ||
		!all_finite(output.e, layer->layout.e_count)) {
		return stack_layer_failed(evaluation, layer, SNW_ERROR_INTERNAL, error,
								  "failed in drive: it gives numbers that are not finite");
	}
	return SNW_OK;
}

static void drive_program(const snw_evaluation *evaluation, const stack_segment *segment, segment_state *target) {
	if (segment->part && segment->part->palette == SNW_PALETTE_JOINTS) {
		target->program.matrices = evaluation->pose->palette;
	}
	if (target->combined) {
		snw_program_combine(&segment->program, target->program.z, target->combined);
	}
	static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
	const snw_displacements *posed = &segment->program.posed;
	for (uint32_t k = 0; k < posed->count; k++) {
		const uint32_t joint = posed->joints[k];
		const double *rotation = joint == SNW_NONE ? identity : evaluation->joint_rotations + (size_t)9 * joint;
		memcpy(target->rotations + (size_t)9 * k, rotation, sizeof identity);
	}
}

snw_status snw_stack_drive(const snw_stack *stack, const snw_pose_view *pose, snw_evaluation *evaluation, snw_error *error) {
	const snw_scene *scene = stack->scene;
	if (pose->joint_count != scene->skeleton.joint_count || pose->slot_count != scene->slot_count ||
		pose->channel_count != scene->channel_count) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "a pose with %u joints and %u channels does not match this character",
						pose->joint_count, pose->channel_count);
	}
	evaluation->pose = pose;
	evaluation->failure.layer = NULL;
	if (scene->channel_count > 0) {
		memcpy(evaluation->d, pose->channels, scene->channel_count * sizeof *evaluation->d);
	}
	for (uint32_t i = 0; i < stack->layer_count; i++) {
		const snw_status status = drive_layer(&stack->layers[i], evaluation, error);
		if (snw_failed(status)) {
			evaluation->pose = NULL;
			return status;
		}
	}
	for (uint32_t i = 0; i < stack->rotation_joint_count; i++) {
		const uint32_t joint = stack->rotation_joints[i];
		snw_mat34_rotation(pose->global + (size_t)12 * joint, evaluation->joint_rotations + (size_t)9 * joint);
	}
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		for (uint32_t s = 0; s < stack->meshes[m].segment_count; s++) {
			if (stack->meshes[m].segments[s].info.is_program) {
				drive_program(evaluation, &stack->meshes[m].segments[s], &evaluation->segments[m][s]);
			}
		}
	}
	return SNW_OK;
}

static void add_weights(const double *values, const uint32_t *examples, uint32_t count, double *weights) {
	for (uint32_t i = 0; i < count; i++) {
		if (examples[i] != SNW_NONE && !(fabs(values[i]) <= fabs(weights[examples[i]]))) {
			weights[examples[i]] = values[i];
		}
	}
}

void snw_stack_example_weights(const snw_evaluation *evaluation, double *weights) {
	const snw_stack *stack = evaluation->stack;
	for (uint32_t i = 0; i < stack->scene->example_count; i++) {
		weights[i] = (double)NAN;
	}
	add_weights(evaluation->d, stack->d_examples, stack->d_count, weights);
	add_weights(evaluation->e, stack->e_examples, stack->e_count, weights);
}

const snw_program_input *snw_stack_program_input(const snw_evaluation *evaluation, uint32_t mesh, uint32_t segment) {
	return &evaluation->segments[mesh][segment].program;
}
