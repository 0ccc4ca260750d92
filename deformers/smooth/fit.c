/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Binding: from faces to each point's ring of neighbours.
 */
#include "sinew/kit/mesh/adjacency.h"
#include "sinew/kit/status.h"
#include "smooth/smooth.h"

static snw_status find_rings(const snw_mesh_view *mesh, snw_pool *pool, rings *found) {
	snw_pool scratch = snw_pool_open(pool->host);
	const snk_faces faces = snk_faces_of(mesh);
	snk_adjacency all;
	snw_status status = snk_adjacency_find(&faces, SNK_NEIGHBOURS_ASCENDING, &scratch, &all);
	if (!snk_failed(status)) {
		uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)mesh->point_count + 1);
		uint32_t *neighbours = SNW_POOL_ARRAY(pool, uint32_t, all.offsets[mesh->point_count]);
		for (uint32_t i = 0; !pool->failed && i < mesh->point_count; i++) {
			offsets[i + 1] = offsets[i] + snk_smoothing_neighbours(&all, i, neighbours + offsets[i]);
		}
		*found = (rings){.point_count = mesh->point_count, .offsets = offsets, .neighbours = neighbours};
		status = pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
	}
	snw_pool_release(&scratch);
	return status;
}

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	const snw_character_view *character = input->character;
	snw_pool pool = snw_pool_open(instance->host);
	snw_model *made = SNW_POOL_ARRAY(&pool, snw_model, 1);
	rings *meshes = SNW_POOL_ARRAY(&pool, rings, character->mesh_count);
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	for (uint32_t m = 0; !snk_failed(status) && m < character->mesh_count; m++) {
		status = find_rings(character->meshes[m], &pool, &meshes[m]);
	}
	if (snk_failed(status)) {
		snw_pool_release(&pool);
		return status;
	}
	*made = (snw_model){.pool = pool, .mesh_count = character->mesh_count, .meshes = meshes};
	*model = made;
	return SNW_OK;
}

void SNW_CALL release(snw_model *model) {
	if (model) {
		snw_pool_release(&model->pool);
	}
}
