/* SPDX-License-Identifier: MIT
 *
 * A model's copy of the skin that the character came with: the influences of every mesh.
 *
 * The arrays of a copy belong to the pool and live as long as it does. A pool, a reader and a writer are for one thread at a
 * time; a finished skin may be read by any number.
 */
#ifndef SINEW_KIT_SKIN_BASE_SKIN_H
#define SINEW_KIT_SKIN_BASE_SKIN_H

#include "sinew/kit/bytes/saved.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct snk_base_skin_mesh {
	uint32_t point_count;
	const uint32_t *offsets; /* [point_count + 1]; NULL where the mesh has no skin */
	const uint32_t *slots;   /* [offsets[point_count]] */
	const double *weights;
} snk_base_skin_mesh;

typedef struct snk_base_skin {
	uint32_t slot_count;
	uint32_t mesh_count;
	snk_base_skin_mesh *meshes;
} snk_base_skin;

/* A copy of one mesh's influences; offsets are NULL where it has none. SNW_ERROR_MEMORY. */
snw_status snk_base_skin_copy_mesh(const snw_mesh_view *mesh, snw_pool *pool, snk_base_skin_mesh *copy);

/* The influences of a mesh's point with the largest weights above 0, at most `most`, the largest first, of equal ones the
 * first: slots and weights [most]. Returns how many there are. Any thread. */
uint32_t snk_largest_influences(const snw_mesh_view *mesh, uint32_t point, uint32_t most, uint32_t *slots, double *weights);

/* Puts an influence among the largest of a point, of which there are at most `most`, the largest first, of equal ones the
 * first: slots and weights [most]. Any thread. */
void snk_keep_influence(uint32_t most, uint32_t slot, double weight, uint32_t *count, uint32_t *slots, double *weights);

/* Sorts the influences of a point by slot, in place. Any thread. */
void snk_sort_influences(uint32_t count, uint32_t *slots, double *weights);

/* The linear part of linear blend at a point: Σ w T's first three columns, m row-major; the identity where the point has no
 * influences or `offsets` is NULL. `palette` as in snw_pose_view. Nothing allocates; any thread. */
void snk_linear_part(const uint32_t *offsets, const uint32_t *slots, const double *weights, const double *palette,
					 uint32_t point, double m[9]);

/* Where linear blend moves a point that is at `rest`: there where the point has no influences or `offsets` is NULL. The other
 * arguments as above. */
void snk_blend_point(const uint32_t *offsets, const uint32_t *slots, const double *weights, const double *palette,
					 uint32_t point, const double rest[3], double posed[3]);

/* A copy of all meshes' influences. SNW_ERROR_MEMORY. */
snw_status snk_base_skin_copy(const snw_character_view *character, snw_pool *pool, snk_base_skin *skin);

/* As bytes and back. A load must find the skin's slot_count, which is set before. */
void snk_base_skin_bytes(snk_bytes *bytes, snk_base_skin *skin);

/* The part of a mesh: its influences, with the blend given; SNW_BLEND_NONE if the mesh has none. SNW_ERROR_ARGUMENT for a mesh
 * that the skin does not know. */
snw_status snk_base_skin_lower(const snk_base_skin *skin, const snw_lower_call *call, snw_blend blend);

#ifdef __cplusplus
}
#endif

#endif
