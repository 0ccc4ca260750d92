/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Binding: from faces to each point's ring of neighbours.
 */
#include <stdlib.h>

#include "smooth/smooth.h"

/* How often each edge is seen from each of its ends: `seen` [starts[i] .. starts[i + 1]] holds the other ends, with repeats. */
typedef struct edges {
	uint32_t *starts;
	uint32_t *seen;
} edges;

static int by_index(const void *a, const void *b) {
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

static void visit_edges(const snw_mesh_view *mesh, void (*visit)(edges *edges, uint32_t a, uint32_t b), edges *found) {
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t first = mesh->face_offsets[f], end = mesh->face_offsets[f + 1];
		for (uint32_t c = first; c < end; c++) {
			const uint32_t a = mesh->face_points[c], b = mesh->face_points[c + 1 < end ? c + 1 : first];
			if (a != b) {
				visit(found, a, b);
				visit(found, b, a);
			}
		}
	}
}

static void count_edge(edges *found, uint32_t a, uint32_t b) {
	(void)b;
	found->starts[a + 2]++;
}

static void place_edge(edges *found, uint32_t a, uint32_t b) {
	found->seen[found->starts[a + 1]++] = b;
}

/* starts [point_count + 2]: while edges are placed, starts[i + 1] is where point i's next one goes. */
static snw_status gather_edges(const snw_mesh_view *mesh, snw_pool *pool, edges *found) {
	found->starts = SNW_POOL_ARRAY(pool, uint32_t, (size_t)mesh->point_count + 2);
	if (!found->starts) {
		return SNW_ERROR_MEMORY;
	}
	if (mesh->face_count > 0 && mesh->face_offsets[mesh->face_count] > UINT32_MAX / 2) {
		return SNW_ERROR_LIMIT;
	}
	visit_edges(mesh, count_edge, found);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		found->starts[i + 2] += found->starts[i + 1];
	}
	found->seen = SNW_POOL_ARRAY(pool, uint32_t, found->starts[mesh->point_count + 1]);
	if (!found->seen) {
		return SNW_ERROR_MEMORY;
	}
	visit_edges(mesh, place_edge, found);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		qsort(found->seen + found->starts[i], found->starts[i + 1] - found->starts[i], sizeof *found->seen, by_index);
	}
	return SNW_OK;
}

/* Keeps each neighbour once, or only those along edges that do not have exactly two faces. Returns how many are kept. */
static uint32_t keep_neighbours(const uint32_t *seen, uint32_t count, int border_only, uint32_t *ring) {
	uint32_t kept = 0;
	for (uint32_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count && seen[next] == seen[i]; next++) {
		}
		if (!border_only || next - i != 2) {
			ring[kept++] = seen[i];
		}
	}
	return kept;
}

/* A point on a border has its neighbours along the border, any other has them all. */
static uint32_t ring_of(const uint32_t *seen, uint32_t count, uint32_t *ring) {
	const uint32_t along_border = keep_neighbours(seen, count, 1, ring);
	return along_border > 0 ? along_border : keep_neighbours(seen, count, 0, ring);
}

static snw_status find_rings(const snw_mesh_view *mesh, snw_pool *pool, rings *found) {
	snw_pool scratch = snw_pool_open(pool->host);
	edges all = {0};
	snw_status status = gather_edges(mesh, &scratch, &all);
	if (status == SNW_OK) {
		uint32_t *offsets = SNW_POOL_ARRAY(pool, uint32_t, (size_t)mesh->point_count + 1);
		uint32_t *neighbours = SNW_POOL_ARRAY(pool, uint32_t, all.starts[mesh->point_count]);
		for (uint32_t i = 0; !pool->failed && i < mesh->point_count; i++) {
			const uint32_t count = all.starts[i + 1] - all.starts[i];
			offsets[i + 1] = offsets[i] + ring_of(all.seen + all.starts[i], count, neighbours + offsets[i]);
		}
		*found = (rings){.point_count = mesh->point_count, .offsets = offsets, .neighbours = neighbours};
		status = pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
	}
	snw_pool_release(&scratch);
	return status;
}

snw_status fit(snw_instance *instance, const snw_fit_input *input, snw_model **model) {
	const snw_character_view *character = input->character;
	snw_pool pool = snw_pool_open(instance->host);
	snw_model *made = SNW_POOL_ARRAY(&pool, snw_model, 1);
	rings *meshes = SNW_POOL_ARRAY(&pool, rings, character->mesh_count);
	snw_status status = pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
	for (uint32_t m = 0; status == SNW_OK && m < character->mesh_count; m++) {
		status = find_rings(character->meshes[m], &pool, &meshes[m]);
	}
	if (status != SNW_OK) {
		snw_pool_release(&pool);
		return status;
	}
	*made = (snw_model){.pool = pool, .mesh_count = character->mesh_count, .meshes = meshes};
	*model = made;
	return SNW_OK;
}

void release(snw_model *model) {
	if (model) {
		snw_pool_release(&model->pool);
	}
}
