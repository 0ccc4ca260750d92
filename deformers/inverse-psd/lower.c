/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lowering: displacements before and after the blend of whatever lies below.
 */
#include "inverse-psd/inverse-psd.h"

const char *coefficient_name(uint32_t group_count, const pose_space *groups, uint32_t coefficient) {
	for (uint32_t g = 0; g < group_count; g++) {
		if (coefficient < groups[g].coefficient_count) {
			return groups[g].names[coefficient];
		}
		coefficient -= groups[g].coefficient_count;
	}
	return NULL;
}

snw_status lower(const snw_model *model, const double *values, uint32_t mesh, snw_program_part *part, const char **reason) {
	(void)values;
	(void)reason;
	if (mesh >= model->mesh_count) {
		return SNW_ERROR_ARGUMENT;
	}
	*part = (snw_program_part){
		.size = sizeof *part, .blend = SNW_BLEND_NONE, .rest = model->meshes[mesh].rest, .posed = model->meshes[mesh].posed};
	return SNW_OK;
}
