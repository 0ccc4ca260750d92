/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lowering: the influences over the model's own palette.
 */
#include "sad/sad.h"

snw_status lower(const snw_model *model, const double *values, uint32_t mesh, snw_program_part *part, const char **reason) {
	(void)values;
	(void)reason;
	if (mesh >= model->mesh_count) {
		return SNW_ERROR_ARGUMENT;
	}
	const sad_mesh *own = &model->meshes[mesh];
	*part = (snw_program_part){.size = sizeof *part, .blend = SNW_BLEND_NONE};
	if (own->slot_count > 0) {
		part->blend = model->width == 8 ? SNW_BLEND_DUAL_QUATERNION : SNW_BLEND_LINEAR;
		part->palette = model->width == 8 ? SNW_PALETTE_DUAL_QUATERNIONS : SNW_PALETTE_MATRICES;
		part->sign_rule = SNW_SIGN_AS_GIVEN;
		part->slot_count = model->slot_count;
		part->influence_offsets = own->offsets;
		part->influence_slots = own->slots;
		part->influence_weights = own->weights;
	}
	if (own->normals_rest) {
		part->normal_palette = model->width == 8 ? SNW_NORMALS_QUATERNIONS : SNW_NORMALS_MATRICES;
		part->normal_z = model->slot_count * model->width;
		part->normals_rest = own->normals_rest;
		part->rest_normals = (snw_displacements){.count = own->normal_detail_count,
												 .coefficients = own->detail_coefficients + own->detail_count,
												 .offsets = own->detail_offsets,
												 .points = own->detail_points,
												 .vectors = own->normal_detail_vectors};
	}
	if (own->detail_count > 0) {
		part->rest = (snw_displacements){.count = own->detail_count,
										 .coefficients = own->detail_coefficients,
										 .offsets = own->detail_offsets,
										 .points = own->detail_points,
										 .vectors = own->detail_vectors};
	}
	return SNW_OK;
}
