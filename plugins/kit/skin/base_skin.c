/* SPDX-License-Identifier: MIT
 *
 * A model's own copy of the base skin.
 */
#include "sinew/kit/skin/base_skin.h"

#include "kit/skin/saved_influences.h"
#include "sinew/algebra.h"
#include "sinew/kit/status.h"
#include "sinew/put.h"

snw_status snk_base_skin_copy_mesh(const snw_mesh_view *mesh, snw_pool *pool, snk_base_skin_mesh *copy) {
	*copy = (snk_base_skin_mesh){.point_count = mesh->point_count};
	if (!mesh->influence_offsets) {
		return SNW_OK;
	}
	const size_t count = mesh->influence_offsets[mesh->point_count];
	uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)mesh->point_count + 1);
	uint32_t *slots = SNW_POOL_ARRAY(pool, uint32_t, count);
	double *weights = SNW_POOL_ARRAY(pool, double, count);
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	memcpy(offsets, mesh->influence_offsets, ((size_t)mesh->point_count + 1) * sizeof *offsets);
	if (count > 0) {
		memcpy(slots, mesh->influence_slots, count * sizeof *slots);
		memcpy(weights, mesh->influence_weights, count * sizeof *weights);
	}
	copy->offsets = offsets;
	copy->slots = slots;
	copy->weights = weights;
	return SNW_OK;
}

void snk_keep_influence(uint32_t most, uint32_t slot, double weight, uint32_t *count, uint32_t *slots, double *weights) {
	uint32_t at = *count;
	while (at > 0 && weights[at - 1] < weight) {
		at--;
	}
	if (at >= most) {
		return;
	}
	*count += *count < most;
	for (uint32_t k = *count - 1; k > at; k--) {
		slots[k] = slots[k - 1];
		weights[k] = weights[k - 1];
	}
	slots[at] = slot;
	weights[at] = weight;
}

uint32_t snk_largest_influences(const snw_mesh_view *mesh, uint32_t point, uint32_t most, uint32_t *slots, double *weights) {
	const uint32_t first = mesh->influence_offsets ? mesh->influence_offsets[point] : 0;
	const uint32_t end = mesh->influence_offsets ? mesh->influence_offsets[point + 1] : 0;
	uint32_t count = 0;
	for (uint32_t k = first; k < end; k++) {
		if (mesh->influence_weights[k] > 0) {
			snk_keep_influence(most, mesh->influence_slots[k], mesh->influence_weights[k], &count, slots, weights);
		}
	}
	return count;
}

void snk_sort_influences(uint32_t count, uint32_t *slots, double *weights) {
	for (uint32_t k = 1; k < count; k++) {
		const uint32_t slot = slots[k];
		const double weight = weights[k];
		uint32_t at = k;
		for (; at > 0 && slots[at - 1] > slot; at--) {
			slots[at] = slots[at - 1];
			weights[at] = weights[at - 1];
		}
		slots[at] = slot;
		weights[at] = weight;
	}
}

void snk_linear_part(const uint32_t *offsets, const uint32_t *slots, const double *weights, const double *palette,
					 uint32_t point, double m[9]) {
	const uint32_t begin = offsets ? offsets[point] : 0, end = offsets ? offsets[point + 1] : 0;
	for (int i = 0; i < 9; i++) {
		m[i] = begin == end && i % 4 == 0;
	}
	for (uint32_t n = begin; n < end; n++) {
		const double *t = palette + 12 * (size_t)slots[n];
		for (size_t r = 0; r < 3; r++) {
			for (size_t c = 0; c < 3; c++) {
				m[3 * r + c] += weights[n] * t[4 * r + c];
			}
		}
	}
}

void snk_blend_point(const uint32_t *offsets, const uint32_t *slots, const double *weights, const double *palette,
					 uint32_t point, const double rest[3], double posed[3]) {
	const uint32_t begin = offsets ? offsets[point] : 0, end = offsets ? offsets[point + 1] : 0;
	double sum[3] = {0, 0, 0};
	for (uint32_t n = begin; n < end; n++) {
		double by_slot[3];
		snw_mat34_point(palette + 12 * (size_t)slots[n], rest, by_slot);
		for (int c = 0; c < 3; c++) {
			sum[c] += weights[n] * by_slot[c];
		}
	}
	memcpy(posed, begin == end ? rest : sum, sizeof sum);
}

snw_status snk_base_skin_copy(const snw_character_view *character, snw_pool *pool, snk_base_skin *skin) {
	snk_base_skin_mesh *meshes = SNW_POOL_ARRAY(pool, snk_base_skin_mesh, character->mesh_count);
	snw_status status = meshes ? SNW_OK : SNW_ERROR_MEMORY;
	for (uint32_t m = 0; !snk_failed(status) && m < character->mesh_count; m++) {
		status = snk_base_skin_copy_mesh(character->meshes[m], pool, &meshes[m]);
	}
	*skin = (snk_base_skin){.slot_count = character->slot_count, .mesh_count = character->mesh_count, .meshes = meshes};
	return status;
}

void snk_base_skin_write(const snk_base_skin *skin, snw_writer *writer) {
	snk_write_influences_head(writer, skin->slot_count, skin->mesh_count);
	for (uint32_t m = 0; m < skin->mesh_count; m++) {
		const snk_base_skin_mesh *mesh = &skin->meshes[m];
		snk_write_influences(writer, &(snk_saved_influences){mesh->point_count, mesh->offsets, mesh->slots, mesh->weights}, 1);
	}
}

snw_status snk_base_skin_read(snw_reader *reader, const snw_character_view *character, snw_pool *pool, snk_base_skin *skin) {
	snw_status status = snk_read_influences_head(reader, character, character->slot_count);
	if (snk_failed(status)) {
		return status;
	}
	snk_base_skin_mesh *meshes = SNW_POOL_ARRAY(pool, snk_base_skin_mesh, character->mesh_count);
	status = meshes ? SNW_OK : SNW_ERROR_MEMORY;
	for (uint32_t m = 0; !snk_failed(status) && m < character->mesh_count; m++) {
		snk_saved_influences found;
		status = snk_read_influences(reader, character->meshes[m], character->slot_count, 1, pool, &found);
		meshes[m] = (snk_base_skin_mesh){found.point_count, found.offsets, found.slots, found.numbers};
	}
	*skin = (snk_base_skin){.slot_count = character->slot_count, .mesh_count = character->mesh_count, .meshes = meshes};
	return status;
}

void snk_base_skin_lower(const snk_base_skin *skin, uint32_t mesh, snw_blend blend, snw_program_part *part) {
	const snk_base_skin_mesh *source = &skin->meshes[mesh];
	const snw_program_part made = {
		.size = sizeof made,
		.blend = source->offsets ? (int32_t)blend : SNW_BLEND_NONE,
		.palette = SNW_PALETTE_JOINTS,
		.sign_rule = SNW_SIGN_SHORTEST,
		.slot_count = skin->slot_count,
		.influence_offsets = source->offsets,
		.influence_slots = source->slots,
		.influence_weights = source->weights,
	};
	snw_put(part, &made);
}
