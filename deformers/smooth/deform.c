/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running: one pass moves each point toward its ring. Neighbours are summed in
 * the order of their indices, so any split into ranges gives the same bits.
 */
#include "smooth/smooth.h"

uint32_t passes(const snw_model *model, const double *values) {
	(void)model;
	return (uint32_t)values[PASSES];
}

snw_status deform(const snw_model *model, const double *values, const snw_pose_view *pose, const snw_drive_output *driven,
				  uint32_t mesh, uint32_t pass, const double *points_in, double *points_out, uint32_t begin, uint32_t end,
				  void *scratch) {
	(void)pose;
	(void)driven;
	(void)pass;
	(void)scratch;
	if (mesh >= model->mesh_count || end > model->meshes[mesh].point_count || begin > end) {
		return SNW_ERROR_ARGUMENT;
	}
	const rings *around = &model->meshes[mesh];
	const double strength = values[STRENGTH];
	for (uint32_t i = begin; i < end; i++) {
		const uint32_t first = around->offsets[i], last = around->offsets[i + 1];
		double sum[3] = {0, 0, 0};
		for (uint32_t k = first; k < last; k++) {
			const double *neighbour = points_in + 3 * (size_t)around->neighbours[k];
			for (int c = 0; c < 3; c++) {
				sum[c] += neighbour[c];
			}
		}
		for (int c = 0; c < 3; c++) {
			const double here = points_in[3 * (size_t)i + c];
			points_out[3 * (size_t)i + c] = last > first ? here + strength * (sum[c] / (last - first) - here) : here;
		}
	}
	return SNW_OK;
}
