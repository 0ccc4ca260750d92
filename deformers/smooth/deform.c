/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running: one pass moves each point toward its ring. Neighbours are summed in the order of their indices, so any split into
 * ranges gives the same bits. It does not lower.
 */
#include "smooth/smooth.h"

uint32_t SNW_CALL passes(const snw_model *model, const snw_value *values) {
	(void)model;
	return (uint32_t)values[PASSES].numbers[0];
}

snw_status SNW_CALL deform(const snw_deform_call *call) {
	const snw_model *model = call->model;
	if (call->mesh >= model->mesh_count || call->end > model->meshes[call->mesh].point_count || call->begin > call->end) {
		return SNW_ERROR_ARGUMENT;
	}
	const rings *around = &model->meshes[call->mesh];
	const double strength = call->values[STRENGTH].numbers[0], *points_in = call->points_in;
	for (uint32_t i = call->begin; i < call->end; i++) {
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
			call->points_out[3 * (size_t)i + c] = last > first ? here + strength * (sum[c] / (last - first) - here) : here;
		}
	}
	return SNW_OK;
}

snw_status SNW_CALL lower(const snw_lower_call *call) {
	*call->reason = "each point moves towards its neighbours, and a skin program moves every point independently";
	return SNW_ERROR_UNSUPPORTED;
}
