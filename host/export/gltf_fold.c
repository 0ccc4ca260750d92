/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Displacements after the blend, for a format that has none: each goes through the inverse of the blend at the pose it was made
 * for, and on into a morph target.
 *
 * It stands behind the blend because the blend is singular there, so the inverse is regularised: Δ = (AᵀA + λ² I)⁻¹ Aᵀ F E with λ a
 * tenth of A's mean stretch. That bounds Δ to five times E, since the target also acts halfway to its pose, where
 * nothing is singular and what it adds is seen in full. The rest is a loss, and is reported.
 */
#include <string.h>

#include "export/gltf.h"
#include "scene/pose.h"
#include "sinew/algebra.h"

static const double REGULARISATION = 0.1;

/* For each displacement: the pose at which it acts most, and how much. */
static snw_status find_poses(const snw_gltf_plan *plan, const snw_gltf_mesh *mesh, const snw_pose *const *poses,
							 uint32_t pose_count, uint32_t *best, double *most, bool *same, snw_error *error) {
	const snw_displacements *posed = &mesh->program->posed;
	for (uint32_t p = 0; p < pose_count; p++) {
		const snw_pose_view *view;
		const snw_status status = snw_gltf_drive(plan, poses[p], plan->arena, &view, error);
		if (status < 0) {
			return status;
		}
		const snw_program_frame *frame = snw_stack_program_frame(plan->frame, mesh->index, mesh->segment);
		for (uint32_t l = 0; l < posed->count; l++) {
			const double e = frame->e[posed->coefficients[l]];
			if (fabs(e) > fabs(most[l])) {
				most[l] = e;
				best[l] = p;
			}
			for (uint32_t t = 0; t < mesh->target_count; t++) {
				const uint32_t d = mesh->targets[t].d;
				same[(size_t)l * mesh->target_count + t] &= d != SNW_NONE && fabs(frame->d[d] - e) <= 1e-9;
			}
		}
	}
	return SNW_OK;
}

/* The linear part of what moves a point in the exported file. */
static void blend_matrix(const snw_gltf_mesh *mesh, const snw_pose_view *view, uint32_t point, double matrix[12]) {
	if (mesh->placement == SNW_GLTF_PLAIN) {
		snw_mat34_identity(matrix);
		return;
	}
	memset(matrix, 0, 12 * sizeof *matrix);
	for (uint32_t i = 0; i < mesh->width; i++) {
		const double weight = (double)mesh->weights[(size_t)point * mesh->width + i];
		const double *slot = view->palette + 12 * (size_t)mesh->slots[(size_t)point * mesh->width + i];
		for (int c = 0; c < 12; c++) {
			matrix[c] += weight * slot[c];
		}
	}
}

/* Δ for one point; returns the length of what it leaves, A Δ − F E. */
static double invert(const double a[12], const double posed[3], double vector[3]) {
	double normal[12] = {0}, right[3] = {0}, trace = 0;
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			for (int k = 0; k < 3; k++) {
				normal[4 * r + c] += a[4 * k + r] * a[4 * k + c];
			}
			right[r] += a[4 * c + r] * posed[c];
		}
		trace += normal[5 * r];
	}
	for (int r = 0; r < 3; r++) {
		normal[5 * r] += REGULARISATION * REGULARISATION * trace / 3;
	}
	double inverse[12], reached[3];
	memset(vector, 0, 3 * sizeof *vector);
	if (snw_mat34_invert(normal, inverse)) {
		snw_mat34_vector(inverse, right, vector);
	}
	snw_mat34_vector(a, vector, reached);
	for (int r = 0; r < 3; r++) {
		reached[r] -= posed[r];
	}
	return snw_length3(reached);
}

/* Adds vectors to a target that has others already: both lists of points ascend. */
static void add_to_target(const snw_gltf_plan *plan, snw_gltf_target *target, uint32_t count, const uint32_t *points,
						  const double *vectors) {
	const size_t most = (size_t)target->count + count;
	uint32_t *merged = SNW_NEW_ARRAY(plan->arena, uint32_t, most);
	double *sum = SNW_NEW_ARRAY(plan->arena, double, most * 3);
	uint32_t a = 0, b = 0, n = 0;
	while (a < target->count || b < count) {
		const bool from_a = b == count || (a < target->count && target->points[a] <= points[b]);
		const bool from_b = a == target->count || (b < count && points[b] <= target->points[a]);
		merged[n] = from_a ? target->points[a] : points[b];
		for (int c = 0; c < 3; c++) {
			sum[3 * n + (size_t)c] =
				(from_a ? target->vectors[3 * a + (size_t)c] : 0) + (from_b ? vectors[3 * b + (size_t)c] : 0);
		}
		a += from_a;
		b += from_b;
		n++;
	}
	target->count = n;
	target->points = merged;
	target->vectors = sum;
}

static snw_status fold_one(snw_gltf_plan *plan, snw_gltf_mesh *mesh, uint32_t l, const snw_pose *pose, double most,
						   const bool *same, uint32_t rest_targets, snw_error *error) {
	const snw_displacements *posed = &mesh->program->posed;
	const uint32_t begin = posed->offsets[l], count = posed->offsets[l + 1] - begin;
	const snw_pose_view *view;
	const snw_status status = snw_gltf_drive(plan, pose, plan->arena, &view, error);
	if (status < 0) {
		return status;
	}
	const double *rotation = snw_stack_program_frame(plan->frame, mesh->index, mesh->segment)->rotations + 9 * (size_t)l;
	double *vectors = SNW_NEW_ARRAY(plan->arena, double, (size_t)count * 3), worst = 0;
	for (uint32_t i = 0; i < count; i++) {
		const double *vector = posed->vectors + 3 * (size_t)(begin + i);
		double matrix[12], turned[3];
		for (int r = 0; r < 3; r++) {
			turned[r] = snw_dot3(rotation + 3 * r, vector);
		}
		blend_matrix(mesh, view, posed->points[begin + i], matrix);
		worst = fmax(worst, invert(matrix, turned, vectors + 3 * (size_t)i));
	}
	uint32_t t = 0;
	while (t < rest_targets && !(same[t] && mesh->targets[t].channel == SNW_NONE)) {
		t++;
	}
	if (t == rest_targets || most == 0) {
		t = mesh->target_count++;
		mesh->targets[t] = (snw_gltf_target){.d = SNW_NONE, .e = posed->coefficients[l], .channel = SNW_NONE};
		mesh->targets[t].model_name = posed->names ? posed->names[l] : NULL;
	}
	add_to_target(plan, &mesh->targets[t], count, posed->points + begin, vectors);
	plan->report.folded_count++;
	plan->report.folded_max_percent = fmax(plan->report.folded_max_percent, 100 * worst * fabs(most) / mesh->diagonal);
	return SNW_OK;
}

snw_status snw_gltf_fold(snw_gltf_plan *plan, snw_gltf_mesh *mesh, const snw_pose *const *poses, uint32_t pose_count,
						 snw_error *error) {
	const uint32_t count = mesh->program->posed.count, rest_targets = mesh->target_count;
	uint32_t *best = SNW_NEW_ARRAY(plan->arena, uint32_t, count);
	double *most = SNW_NEW_ARRAY(plan->arena, double, count);
	bool *same = SNW_NEW_ARRAY(plan->arena, bool, (size_t)count *rest_targets);
	memset(same, 1, (size_t)count * rest_targets * sizeof *same);
	snw_status status = find_poses(plan, mesh, poses, pose_count, best, most, same, error);
	for (uint32_t l = 0; l < count && status >= 0; l++) {
		if (mesh->program->posed.offsets[l + 1] > mesh->program->posed.offsets[l]) {
			status = fold_one(plan, mesh, l, poses[best[l]], most[l], same + (size_t)l * rest_targets, rest_targets, error);
		}
	}
	return status;
}
