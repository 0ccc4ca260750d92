/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Normal maps that hold in every pose. A level of detail has a map of the normals of its mesh; a mesh has one of another mesh
 * with more detail, or its own again.
 *
 *   frames    normals and tangents of the source and of the level in many poses; those of the level as an engine makes them
 *   partners  for each sample the nearest place of the source in motion coordinates (motion/motion.h), so that lips that are
 *             closed at rest stay apart; rays at rest, for a source that is known at rest alone
 *   texels    the mean over poses of the source's normal in the level's frame, which is the best single normal for all of them
 *
 * A tangent map as in B. Merry's thesis (2007, 7.5) follows each pose, at many times the cost; the same mean there would be a
 * fitted tangent plane (4.3, A.1).
 */
#ifndef SINEW_HOST_NORMALS_NORMAL_MAP_H
#define SINEW_HOST_NORMALS_NORMAL_MAP_H

#include "picture/pictures.h"
#include "plugin/registry.h"
#include "scene/scene.h"
#include "task/task.h"

#define SNW_NORMAL_MAP_SIZE 2048
enum { SNW_NORMAL_MAP_LEAST_SIZE = 16, SNW_NORMAL_MAP_MOST_SIZE = 8192 };

typedef struct snw_normal_map_request {
	uint32_t level;       /* the meshes at this level of detail; 0: as they are */
	uint32_t mesh;        /* the only one; SNW_NONE: all */
	const snw_mesh *high; /* the source at rest; NULL: the mesh itself, with its normal map */
	uint32_t size;        /* pixels along a side */
	bool at_rest;         /* the rest alone counts */
	uint32_t clip_count;  /* whose poses count; 0: the project's named poses */
	const uint32_t *clips;
	const snw_mipmap *pictures; /* [image_count]: those of normal maps, decoded; NULL for none */
} snw_normal_map_request;

typedef struct snw_normal_map {
	uint32_t material;          /* of the faces that it is for; SNW_NONE: those without one */
	const unsigned char *bytes; /* PNG, green up */
	size_t byte_count;
	double covered, overlapping; /* of the square; UVs that overlap: the first face has the texel */
} snw_normal_map;

/* A mesh that got tangents. */
typedef struct snw_normal_mapped {
	uint32_t mesh;
	const snw_level *level; /* NULL: the mesh itself */
	const float *tangents;  /* [corner_count][4] */
} snw_normal_mapped;

typedef struct snw_normal_maps {
	uint32_t count, mesh_count, pose_count;
	snw_normal_map *maps;
	snw_normal_mapped *meshes;
	uint32_t left_out_count;
	uint32_t *left_out; /* meshes without UVs */
} snw_normal_maps;

/* All in `arena`. SNW_ERROR_MISSING without such a level or without UVs; SNW_ERROR_DATA for UVs that no texture holds, or a
 * source that is elsewhere; SNW_ERROR_CONFLICT for levels of another palette; SNW_CANCELLED; the errors of the stack. The same
 * bits for any number of threads. */
snw_status snw_normal_map_bake(const snw_scene *scene, const snw_registry *registry, const snw_normal_map_request *request,
							   const snw_task *task, snw_arena *arena, snw_normal_maps *made, snw_error *error);

#endif
