/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Driving: the distances of the pose to the examples' poses, through the kernel, give one coefficient for each example
 * (equation 7). Lowering: displacements before and after the blend of the layers below. A weighted model has coefficients for
 * each point, which a skin program cannot hold, so it is a black box.
 */
#include <math.h>
#include <string.h>

#include "inverse-psd/inverse-psd.h"
#include "sinew/algebra.h"
#include "sinew/kit/skin/skins.h"

/* ---- the cone ------------------------------------------------------------------------------------------------------------ */

/* The cone's part of drive: poses are compared by the way that leads to them from rest. */

uint32_t rest_pose(const pose_space *group) {
	return group->coefficient_count;
}

size_t way_count(const pose_space *group) {
	return group->kernel == SNK_KERNEL_CONE
			   ? (size_t)group->joint_count * (SNK_POSE_COORDINATES + 1) * snk_pose_stride(group->pose_count)
			   : 0;
}

/* The coordinates of a joint at a pose, minus those at rest. There only translation and scale are not 0, and these are features
 * as they are. */
static void find_way(const pose_space *group, uint32_t joint, const double *rotation_vector, const double *here,
					 double way[SNK_POSE_COORDINATES]) {
	const size_t stride = snk_pose_stride(group->pose_count);
	const double *features = group->features + SNK_POSE_FEATURES * stride * joint + rest_pose(group);
	snk_pose_coordinates(&group->metrics[joint], rotation_vector, here, way);
	for (size_t c = 3; c < SNK_POSE_COORDINATES; c++) {
		way[c] -= features[(SNK_POSE_FEATURES - SNK_POSE_COORDINATES + c) * stride];
	}
}

void group_ways(const pose_space *group, double *ways) {
	const size_t stride = snk_pose_stride(group->pose_count), joints = group->joint_count;
	for (size_t j = 0; way_count(group) > 0 && j < joints; j++) {
		double *rows = ways + (SNK_POSE_COORDINATES + 1) * stride * j;
		memset(rows, 0, (SNK_POSE_COORDINATES + 1) * stride * sizeof *rows);
		for (size_t p = 0; p < group->pose_count; p++) {
			double here[SNK_POSE_FEATURES], way[SNK_POSE_COORDINATES];
			for (size_t f = 0; f < SNK_POSE_FEATURES; f++) {
				here[f] = group->features[(SNK_POSE_FEATURES * j + f) * stride + p];
			}
			find_way(group, (uint32_t)j, group->rotation_vectors + 3 * (p * joints + j), here, way);
			for (size_t c = 0; c < SNK_POSE_COORDINATES; c++) {
				rows[c * stride + p] = way[c];
				rows[SNK_POSE_COORDINATES * stride + p] += way[c] * way[c];
			}
		}
	}
}

/* For a cone, the terms of a joint at a pose: products [stride] of its way from rest and those of the poses; returns its
 * squared length. `here` [SNK_POSE_FEATURES]. */
static double joint_products(const pose_space *group, uint32_t joint, const double *rotation_vector, const double *here,
							 double *products) {
	const size_t stride = snk_pose_stride(group->pose_count);
	const double *rows = group->ways + (SNK_POSE_COORDINATES + 1) * stride * joint;
	double way[SNK_POSE_COORDINATES], squared = 0;
	find_way(group, joint, rotation_vector, here, way);
	memset(products, 0, stride * sizeof *products);
	for (size_t c = 0; c < SNK_POSE_COORDINATES; c++) {
		squared += way[c] * way[c];
		for (size_t p = 0; p < stride; p++) {
			products[p] += way[c] * rows[c * stride + p];
		}
	}
	return squared;
}

/* The cones at a pose for one class: terms [pose_count] from the joints' products and squared lengths. */
static void cone_terms(const pose_space *group, const double *shares, const double *products, const double *squared_lengths,
					   double *terms) {
	const size_t stride = snk_pose_stride(group->pose_count);
	double squared = 0;
	for (size_t j = 0; j < group->joint_count; j++) {
		squared += shares[j] * squared_lengths[j];
	}
	for (size_t p = 0; p < group->pose_count; p++) {
		double product = 0, other = 0;
		for (size_t j = 0; j < group->joint_count; j++) {
			const double *rows = group->ways + (SNK_POSE_COORDINATES + 1) * stride * j;
			product += shares[j] * products[j * stride + p];
			other += shares[j] * rows[SNK_POSE_COORDINATES * stride + p];
		}
		terms[p] = snk_cone_value(group->width, squared, other, product);
	}
}

/* ---- coefficients -------------------------------------------------------------------------------------------------------- */

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

/* ---- weighted models ----------------------------------------------------------------------------------------------------- */

/* Runs a weighted model: adds each point's displacements to the points from below, scaled by the point's coefficients and
 * transformed to posed space by the base skin. */

/* The index of the first point of a displacement that is not before `point`. */
static uint64_t first_from(const snw_displacements *list, uint32_t displacement, uint32_t point) {
	uint64_t low = list->offsets[displacement], high = list->offsets[displacement + 1];
	while (low < high) {
		const uint64_t middle = low + (high - low) / 2;
		if (list->points[middle] < point) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

static void add_list(const correction *corrective, const snw_pose_view *pose, const snw_displacements *list,
					 const uint32_t *classes, const double *coefficients, uint32_t begin, uint32_t end, double *points) {
	for (uint32_t n = 0; n < list->count; n++) {
		double m[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
		if (list->joints && list->joints[n] != SNW_NONE) {
			snw_mat34_rotation(pose->global + 12 * (size_t)list->joints[n], m);
		}
		for (uint64_t i = first_from(list, n, begin); i < list->offsets[n + 1] && list->points[i] < end; i++) {
			const double c = coefficients[list->coefficients[n] + (classes ? classes[i] : 0)];
			double *point = points + 3 * (size_t)list->points[i];
			if (!list->joints) {
				snk_linear_part(corrective->influence_offsets, corrective->influence_slots, corrective->influence_weights,
								pose->palette, list->points[i], m);
			}
			for (size_t r = 0; r < 3; r++) {
				point[r] += c * snw_dot3(m + 3 * r, list->vectors + 3 * i);
			}
		}
	}
}

snw_status SNW_CALL deform(const snw_deform_call *call) {
	const snw_model *model = call->model;
	const uint32_t mesh = call->mesh, begin = call->begin, end = call->end;
	double *points = call->points_out;
	if (mesh >= model->mesh_count || end > model->meshes[mesh].point_count) {
		return SNW_ERROR_ARGUMENT;
	}
	const correction *corrective = &model->meshes[mesh];
	memcpy(points + 3 * (size_t)begin, call->points_in + 3 * (size_t)begin, 3 * (size_t)(end - begin) * sizeof *points);
	add_list(corrective, call->pose, &corrective->rest, corrective->rest_classes, call->driven->d, begin, end, points);
	add_list(corrective, call->pose, &corrective->posed, corrective->posed_classes, call->driven->e, begin, end, points);
	return SNW_OK;
}
