/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Binding: from faces to each point's ring of neighbours.
 */
#include "sinew/kit/fit/model.h"
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
	snw_model *made = snk_model_open(instance->host, sizeof *made);
	if (!made) {
		return SNW_ERROR_MEMORY;
	}
	rings *meshes = SNW_POOL_ARRAY(&made->pool, rings, character->mesh_count);
	snw_status status = meshes ? SNW_OK : SNW_ERROR_MEMORY;
	for (uint32_t m = 0; !snk_failed(status) && m < character->mesh_count; m++) {
		status = find_rings(character->meshes[m], &made->pool, &meshes[m]);
	}
	made->mesh_count = character->mesh_count;
	made->meshes = meshes;
	return snk_model_finish(status, made, model);
}
