/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lowering: displacements before the blend of whatever lies below.
 */
#include "pose-regression/pose-regression.h"

snw_status SNW_CALL lower(const snw_lower_call *call) {
	const snw_model *model = call->model;
	if (call->mesh >= model->mesh_count) {
		return SNW_ERROR_ARGUMENT;
	}
	SNW_PUT(call->part, snw_program_part, .blend = SNW_BLEND_NONE, .rest = &model->meshes[call->mesh]);
	return SNW_OK;
}
