/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs a weighted model: adds each point's displacements to the points from below, scaled by the point's coefficients and
 * transformed to posed space by the base skin.
 */
#include <string.h>

#include "inverse-psd/inverse-psd.h"
#include "sinew/algebra.h"
#include "sinew/kit/skin/base_skin.h"

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
