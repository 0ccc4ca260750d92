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
	const sad_mesh *animation = &model->meshes[mesh];
	*part = (snw_program_part){.size = sizeof *part, .blend = SNW_BLEND_NONE};
	if (animation->slot_count > 0) {
		part->blend = model->width == 8 ? SNW_BLEND_DUAL_QUATERNION : SNW_BLEND_LINEAR;
		part->palette = model->width == 8 ? SNW_PALETTE_DUAL_QUATERNIONS : SNW_PALETTE_MATRICES;
		part->sign_rule = SNW_SIGN_AS_GIVEN;
		part->slot_count = model->slot_count;
		part->influence_offsets = animation->offsets;
		part->influence_slots = animation->slots;
		part->influence_weights = animation->weights;
	}
	if (animation->normals_rest) {
		part->normal_palette = model->width == 8 ? SNW_NORMALS_QUATERNIONS : SNW_NORMALS_MATRICES;
		part->normal_z = model->slot_count * model->width;
		part->normals_rest = animation->normals_rest;
		part->rest_normals = (snw_displacements){.count = animation->normal_detail_count,
												 .coefficients = animation->detail_coefficients + animation->detail_count,
												 .offsets = animation->detail_offsets,
												 .points = animation->detail_points,
												 .vectors = animation->normal_detail_vectors};
	}
	if (animation->detail_count > 0) {
		part->rest = (snw_displacements){.count = animation->detail_count,
										 .coefficients = animation->detail_coefficients,
										 .offsets = animation->detail_offsets,
										 .points = animation->detail_points,
										 .vectors = animation->detail_vectors};
	}
	return SNW_OK;
}
