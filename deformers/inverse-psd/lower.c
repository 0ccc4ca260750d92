/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lowers to displacements before and after the blend of the layers below. A weighted model has coefficients for each point,
 * which a skin program cannot hold, so it is a black box (deform.c).
 */
#include "inverse-psd/inverse-psd.h"

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
