/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Driving: the palette. Slot (s, r) holds R's column r times row r of Rᵀ T_s, so that the results of the three slots sum to R
 * y.
 */
#include "multi-weight/multi-weight.h"
#include "sinew/algebra.h"
#include "sinew/put.h"

void SNW_CALL layout(const snw_model *model, snw_model_layout *dest) {
	SNW_PUT(dest, snw_model_layout, .z_count = 12 * COMPONENTS * model->slot_count);
}

void root_rotation(const snw_model *model, const snw_pose_view *pose, double rotation[9]) {
	double posed[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, rest[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
	if (model->root != SNW_NONE) {
		snw_mat34_rotation(pose->global + (size_t)12 * model->root, posed);
		snw_mat34_rotation(model->root_rest, rest);
	}
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			rotation[3 * r + c] =
				posed[3 * r] * rest[3 * c] + posed[3 * r + 1] * rest[3 * c + 1] + posed[3 * r + 2] * rest[3 * c + 2];
		}
	}
}

snw_status SNW_CALL drive(const snw_drive_call *call) {
	double rotation[9];
	root_rotation(call->model, call->pose, rotation);
	for (uint32_t s = 0; s < call->model->slot_count; s++) {
		const double *t = call->pose->palette + (size_t)12 * s;
		for (int r = 0; r < COMPONENTS; r++) {
			double *z = call->output->z + ((size_t)s * COMPONENTS + (size_t)r) * 12;
			for (int c = 0; c < 4; c++) {
				const double row = rotation[r] * t[c] + rotation[3 + r] * t[4 + c] + rotation[6 + r] * t[8 + c];
				for (int a = 0; a < 3; a++) {
					z[4 * a + c] = rotation[3 * a + r] * row;
				}
			}
		}
	}
	return SNW_OK;
}
