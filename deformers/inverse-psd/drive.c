/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Driving: the distances of the pose to the examples' poses, through the kernel, give one coefficient for each example
 * (equation 7). Lowering: displacements before and after the blend of the layers below. A weighted model has coefficients for
 * each point, which a skin program cannot hold, so it is a black box (deform.c).
 */
#include <math.h>
#include <string.h>

#include "inverse-psd/inverse-psd.h"

/* Coefficients that are summed together. */
enum { SIDE_BY_SIDE = 8 };

uint32_t driven_count(const pose_space *group) {
	return group->coefficient_count * group->class_count;
}

uint32_t term_count(const pose_space *group) {
	const uint32_t slopes = group->polynomial == SNK_POLYNOMIAL_LINEAR ? SNK_POSE_COORDINATES * group->joint_count : 0;
	return group->pose_count + 1 + slopes;
}

size_t feature_count(const pose_space *group) {
	return (size_t)group->joint_count * SNK_POSE_FEATURES * snk_pose_stride(group->pose_count);
}

/* Squared distances of all joints and of the whole pose (or products and squared lengths, for cones), features and rotation
 * vectors of the current pose, terms. */
size_t scratch_count(const pose_space *group) {
	const size_t stride = snk_pose_stride(group->pose_count);
	return ((size_t)group->joint_count + 1) * stride + (SNK_POSE_FEATURES + 4) * (size_t)group->joint_count + term_count(group);
}

void SNW_CALL layout(const snw_model *model, snw_model_layout *layout) {
	size_t most = 0;
	for (uint32_t g = 0; g < model->group_count; g++) {
		const size_t count = scratch_count(&model->groups[g]);
		most = count > most ? count : most;
	}
	SNW_PUT(layout, snw_model_layout, .d_count = model->coefficient_count,
			.e_count = model->has_posed ? model->coefficient_count : 0, .scratch_bytes = most * sizeof(double),
			.coefficient_examples = model->coefficient_examples);
}

/* d and e have the same coefficients. */
snw_status list_coefficient_examples(snw_pool *pool, snw_model *model) {
	const size_t lists = model->has_posed ? 2 : 1;
	const char **all = SNW_POOL_ARRAY(pool, const char *, lists * model->coefficient_count);
	size_t n = 0;
	for (size_t list = 0; all && list < lists; list++) {
		for (uint32_t g = 0; g < model->group_count; g++) {
			for (uint32_t i = 0; i < driven_count(&model->groups[g]); i++) {
				all[n++] = model->groups[g].examples[i / model->groups[g].class_count];
			}
		}
	}
	model->coefficient_examples = all;
	return all ? SNW_OK : SNW_ERROR_MEMORY;
}

void group_features(const pose_space *group, double *features) {
	const size_t stride = snk_pose_stride(group->pose_count), joints = group->joint_count;
	for (size_t p = 0; p < group->pose_count; p++) {
		for (size_t j = 0; j < joints; j++) {
			const double *place = group->places + 6 * (p * joints + j);
			const snw_transform local = {.translation = {place[0], place[1], place[2]},
										 .scale = {place[3], place[4], place[5]}};
			double here[SNK_POSE_FEATURES];
			snk_pose_features(&group->metrics[j], group->rotation_vectors + 3 * (p * joints + j), &local, here);
			for (size_t f = 0; f < SNK_POSE_FEATURES; f++) {
				features[(j * SNK_POSE_FEATURES + f) * stride + p] = here[f];
			}
		}
	}
}

void group_coordinates(const pose_space *group, uint32_t class_index, const double *rotation_vectors, const double *here,
					   double *coordinates) {
	for (size_t j = 0; j < group->joint_count; j++) {
		const double share = sqrt(group->shares[(size_t)class_index * group->joint_count + j]);
		double *values = coordinates + SNK_POSE_COORDINATES * j;
		snk_pose_coordinates(&group->metrics[j], rotation_vectors + 3 * j, here + SNK_POSE_FEATURES * j, values);
		for (int c = 0; c < SNK_POSE_COORDINATES; c++) {
			values[c] *= share;
		}
	}
}

/* The kernels of distances at a pose for one class. */
static void distance_terms(const pose_space *group, const double *shares, const double *squares, double *sums, double *terms) {
	const size_t stride = snk_pose_stride(group->pose_count);
	memset(sums, 0, stride * sizeof *sums);
	for (size_t j = 0; j < group->joint_count; j++) {
		for (size_t p = 0; p < stride; p++) {
			sums[p] += shares[j] * squares[j * stride + p];
		}
	}
	for (size_t p = 0; p < group->pose_count; p++) {
		terms[p] = snk_kernel_value(group->kernel, group->width, sqrt(sums[p]));
	}
}

/* A pose measured against the group's poses, in scratch. */
typedef struct measured_pose {
	double *squares;          /* [joint_count][stride]: squared distances; for cones products */
	double *sums;             /* [stride] */
	double *here;             /* [joint_count][SNK_POSE_FEATURES] */
	double *rotation_vectors; /* [joint_count][3] */
	double *squared_lengths;  /* [joint_count], for cones */
	double *terms;            /* [term_count] */
} measured_pose;

static measured_pose measure_pose(const pose_space *group, const snw_pose_view *pose, double *scratch) {
	const size_t stride = snk_pose_stride(group->pose_count), joints = group->joint_count;
	measured_pose measured = {.squares = scratch};
	measured.sums = measured.squares + joints * stride;
	measured.here = measured.sums + stride;
	measured.rotation_vectors = measured.here + SNK_POSE_FEATURES * joints;
	measured.squared_lengths = measured.rotation_vectors + 3 * joints;
	measured.terms = measured.squared_lengths + joints;
	for (size_t j = 0; j < joints; j++) {
		const uint32_t joint = group->joints[j];
		double *vector = measured.rotation_vectors + 3 * j, *here = measured.here + SNK_POSE_FEATURES * j;
		memcpy(vector, pose->rotation_vectors + 3 * (size_t)joint, 3 * sizeof *vector);
		snk_pose_features(&group->metrics[j], vector, &pose->local[joint], here);
		if (group->kernel == SNK_KERNEL_CONE) {
			measured.squared_lengths[j] = joint_products(group, (uint32_t)j, vector, here, measured.squares + stride * j);
		} else {
			snk_pose_squared_distances(&group->metrics[j], (uint32_t)stride, group->features + SNK_POSE_FEATURES * stride * j,
									   here, measured.squares + stride * j);
		}
	}
	return measured;
}

/* The terms of one class: kernels, 1, and coordinates if there are slopes. */
static void find_terms(const pose_space *group, uint32_t class_index, const measured_pose *measured) {
	const double *shares = group->shares + (size_t)class_index * group->joint_count;
	if (group->kernel == SNK_KERNEL_CONE) {
		cone_terms(group, shares, measured->squares, measured->squared_lengths, measured->terms);
	} else {
		distance_terms(group, shares, measured->squares, measured->sums, measured->terms);
	}
	measured->terms[group->pose_count] = 1;
	if (group->polynomial == SNK_POLYNOMIAL_LINEAR) {
		group_coordinates(group, class_index, measured->rotation_vectors, measured->here,
						  measured->terms + group->pose_count + 1);
	}
}

/* Sums of weights times terms, several coefficients side by side, so that none waits for another. */
static void add_terms(const pose_space *group, uint32_t class_index, const double *terms, double *coefficients) {
	const size_t count = group->coefficient_count, classes = group->class_count, rows = term_count(group);
	const double *weights = group->weights + class_index * rows * count;
	double *values = coefficients + class_index;
	for (size_t k = 0; k < count; k += SIDE_BY_SIDE) {
		const size_t some = count - k < SIDE_BY_SIDE ? count - k : SIDE_BY_SIDE;
		double sums[SIDE_BY_SIDE] = {0};
		if (some == SIDE_BY_SIDE) {
			for (size_t t = 0; t < rows; t++) {
				for (size_t i = 0; i < SIDE_BY_SIDE; i++) {
					sums[i] += terms[t] * weights[t * count + k + i];
				}
			}
		} else {
			for (size_t t = 0; t < rows; t++) {
				for (size_t i = 0; i < some; i++) {
					sums[i] += terms[t] * weights[t * count + k + i];
				}
			}
		}
		for (size_t i = 0; i < some; i++) {
			values[(k + i) * classes] = group->clamps ? fmin(fmax(sums[i], 0), 1) : sums[i];
		}
	}
}

void group_coefficients(const pose_space *group, const snw_pose_view *pose, double *scratch, double *coefficients) {
	const measured_pose measured = measure_pose(group, pose, scratch);
	for (uint32_t c = 0; c < group->class_count; c++) {
		find_terms(group, c, &measured);
		add_terms(group, c, measured.terms, coefficients);
	}
}

snw_status SNW_CALL drive(const snw_drive_call *call) {
	const snw_model *model = call->model;
	if (call->pose->joint_count != model->joint_count) {
		return SNW_ERROR_ARGUMENT;
	}
	double *next = call->output->d;
	for (uint32_t g = 0; g < model->group_count; g++) {
		group_coefficients(&model->groups[g], call->pose, call->scratch, next);
		next += driven_count(&model->groups[g]);
	}
	if (model->has_posed) {
		memcpy(call->output->e, call->output->d, model->coefficient_count * sizeof *call->output->e);
	}
	return SNW_OK;
}

const char *coefficient_name(uint32_t group_count, const pose_space *groups, uint32_t coefficient) {
	for (uint32_t g = 0; g < group_count; g++) {
		if (coefficient < driven_count(&groups[g])) {
			return groups[g].names[coefficient / groups[g].class_count];
		}
		coefficient -= driven_count(&groups[g]);
	}
	return NULL;
}

snw_status SNW_CALL lower(const snw_lower_call *call) {
	const snw_model *model = call->model;
	if (call->mesh >= model->mesh_count) {
		return SNW_ERROR_ARGUMENT;
	}
	if (model->is_weighted) {
		*call->reason = "weighted=on gives every point its own coefficients, and a skin program has one set for the whole mesh";
		return SNW_ERROR_UNSUPPORTED;
	}
	const correction *corrective = &model->meshes[call->mesh];
	SNW_PUT(call->part, snw_program_part, .blend = SNW_BLEND_NONE, .rest = &corrective->rest, .posed = &corrective->posed);
	return SNW_OK;
}
