/* SPDX-License-Identifier: MIT
 *
 * A skin of 4-vectors: made of a linear blend, saved, lowered.
 */
#include "sinew/kit/skin/row_skin.h"

#include "kit/skin/saved_influences.h"
#include "sinew/kit/status.h"
#include "sinew/put.h"
#include "sinew/report.h"

snw_status snk_row_skin_of_linear_blend(const snw_mesh_view *mesh, snw_pool *pool, snk_row_skin_mesh *skin) {
	*skin = (snk_row_skin_mesh){.point_count = mesh->point_count};
	if (!mesh->influence_offsets) {
		return SNW_OK;
	}
	const size_t count = mesh->influence_offsets[mesh->point_count];
	uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)mesh->point_count + 1);
	uint32_t *slots = SNW_POOL_ARRAY(pool, uint32_t, count);
	double *rows = SNW_POOL_ARRAY(pool, double, 4 * count);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	memcpy(offsets, mesh->influence_offsets, ((size_t)mesh->point_count + 1) * sizeof *offsets);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		for (uint32_t k = offsets[i]; k < offsets[i + 1]; k++) {
			const double weight = mesh->influence_weights[k];
			slots[k] = mesh->influence_slots[k];
			for (size_t c = 0; c < 3; c++) {
				rows[4 * (size_t)k + c] = weight * mesh->points_rest[3 * (size_t)i + c];
			}
			rows[4 * (size_t)k + 3] = weight;
		}
	}
	*skin = (snk_row_skin_mesh){mesh->point_count, offsets, slots, rows};
	return SNW_OK;
}

snw_status snk_row_skin_of_rows(const snw_character_view *character, const snw_rows_view *const *rows, snw_pool *pool,
								snk_row_skin *skin) {
	snk_row_skin_mesh *meshes = SNW_POOL_ARRAY(pool, snk_row_skin_mesh, character->mesh_count);
	for (uint32_t m = 0; meshes && m < character->mesh_count; m++) {
		const uint32_t points = character->meshes[m]->point_count;
		meshes[m].point_count = points;
		if (rows[m]->influence_offsets) {
			const size_t count = rows[m]->influence_offsets[points];
			uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)points + 1);
			uint32_t *slots = SNW_POOL_ARRAY(pool, uint32_t, count);
			double *numbers = SNW_POOL_ARRAY(pool, double, 4 * count);
			if (pool->failed) {
				return SNW_ERROR_MEMORY;
			}
			memcpy(offsets, rows[m]->influence_offsets, ((size_t)points + 1) * sizeof *offsets);
			memcpy(slots, rows[m]->influence_slots, count * sizeof *slots);
			memcpy(numbers, rows[m]->influence_rows, 4 * count * sizeof *numbers);
			meshes[m] = (snk_row_skin_mesh){points, offsets, slots, numbers};
		}
	}
	*skin = (snk_row_skin){.slot_count = character->slot_count, .mesh_count = character->mesh_count, .meshes = meshes};
	return meshes ? SNW_OK : SNW_ERROR_MEMORY;
}

snw_status snk_row_skin_check_below(const snw_host *host, const snw_character_view *character, uint32_t mesh,
									const snw_pose_view *pose, const char *method) {
	const snw_below_service *below = (const snw_below_service *)host->service(host, SNW_SERVICE_BELOW);
	const uint32_t first = 0;
	double matrix[12];
	const snw_below_matrices_call call = {
		.size = sizeof call, .mesh = mesh, .pose = pose, .count = 1, .indices = &first, .matrices = matrix};
	const snw_status status = below ? below->matrices(host, &call) : SNW_OK;
	return status != SNW_ERROR_UNSUPPORTED
			   ? status
			   : snw_report_fail(
					 host, status,
					 "mesh '%s' has a black box below the blend, whose points the rows of %s would ignore; move that "
					 "layer above it, or mute it",
					 character->meshes[mesh]->name, method);
}

void snk_row_skin_write(const snk_row_skin *skin, snw_writer *writer) {
	snk_write_influences_head(writer, skin->slot_count, skin->mesh_count);
	for (uint32_t m = 0; m < skin->mesh_count; m++) {
		const snk_row_skin_mesh *mesh = &skin->meshes[m];
		snk_write_influences(writer, &(snk_saved_influences){mesh->point_count, mesh->offsets, mesh->slots, mesh->rows}, 4);
	}
}

snw_status snk_row_skin_read(snw_reader *reader, const snw_character_view *character, uint32_t slot_count, snw_pool *pool,
							 snk_row_skin *skin) {
	snw_status status = snk_read_influences_head(reader, character, slot_count);
	if (snk_failed(status)) {
		return status;
	}
	snk_row_skin_mesh *meshes = SNW_POOL_ARRAY(pool, snk_row_skin_mesh, character->mesh_count);
	status = meshes ? SNW_OK : SNW_ERROR_MEMORY;
	for (uint32_t m = 0; !snk_failed(status) && m < character->mesh_count; m++) {
		snk_saved_influences found;
		status = snk_read_influences(reader, character->meshes[m], slot_count, 4, pool, &found);
		meshes[m] = (snk_row_skin_mesh){found.point_count, found.offsets, found.slots, found.numbers};
	}
	*skin = (snk_row_skin){.slot_count = slot_count, .mesh_count = character->mesh_count, .meshes = meshes};
	return status;
}

void snk_row_skin_lower(const snk_row_skin *skin, uint32_t mesh, snw_palette palette, snw_program_part *part) {
	const snk_row_skin_mesh *source = &skin->meshes[mesh];
	const snw_program_part made = {
		.size = sizeof made,
		.blend = source->offsets ? SNW_BLEND_AFFINE : SNW_BLEND_NONE,
		.palette = (int32_t)palette,
		.sign_rule = SNW_SIGN_SHORTEST,
		.slot_count = skin->slot_count,
		.influence_offsets = source->offsets,
		.influence_slots = source->slots,
		.influence_rows = source->rows,
	};
	snw_put(part, &made);
}
