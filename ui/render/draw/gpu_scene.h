/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A scene on the GPU: its meshes, its materials, its ghosts; posed by a stack. All functions need the context to be current.
 */
#ifndef SINEW_UI_RENDER_DRAW_GPU_SCENE_H
#define SINEW_UI_RENDER_DRAW_GPU_SCENE_H

#include "render/draw/gpu_scene_data.h"
#include "render/mesh/faces.h"
#include "render/mesh/gpu_mesh.h"
#include "render/render.h"
#include "render/skin/gpu_stack.h"

/* Members that were taken over are NULL. */
struct snw_gpu_scene_data {
	snw_arena *arena;
	uint32_t mesh_count, level;
	snw_gpu_mesh_data **meshes;             /* [mesh_count] */
	snw_gpu_subdivision_data **subdivision; /* [mesh_count], of this level */
	snw_materials_data *materials;
};

struct snw_gpu_cache;

/* A scene's meshes and materials on the GPU. */
typedef struct snw_gpu_scene {
	const snw_scene *scene;
	snw_gpu_mesh **meshes;                                       /* [mesh_count], in the arena given at creation */
	snw_gpu_mesh **drawn;                                        /* `meshes`, or the subdivided ones */
	snw_box *boxes;                                              /* [mesh_count]: they contain the meshes as they are posed */
	uint32_t level;                                              /* how often they are subdivided; 0: not */
	snw_gpu_subdivision **subdivision[SNW_SUBDIVISION_MOST + 1]; /* [mesh_count] by level; NULL until first needed, and for 0 */
	snw_materials *materials;
	uint32_t ghost_count;                            /* of ghosts that have been posed */
	uint64_t ghost_drives[SNW_GHOST_MOST];           /* snw_gpu_stack_drive_hash of each; 0: must be posed */
	snw_gpu_mesh_pose **ghost_poses[SNW_GHOST_MOST]; /* [mesh_count] each, in the same arena; NULL until first needed */
	size_t bytes_sent;                               /* by the last pose */
	snw_arena *arena;
} snw_gpu_scene;
/* Takes over the members of `data` (NULL: none). `uploads` (NULL: at once) send them. */
snw_status snw_gpu_scene_create(snw_renderer *renderer, const snw_scene *scene, snw_gpu_scene_data *data, snw_uploads *uploads,
								snw_arena *arena, snw_gpu_scene *gpu_scene, snw_error *error);
void snw_gpu_scene_destroy(snw_gpu_scene *gpu_scene);

/* Takes over the refined meshes of `data`. SNW_ERROR_DATA, with nothing taken over, if their meshes have other numbers of
 * points. */
snw_status snw_gpu_scene_refine(snw_renderer *renderer, snw_gpu_scene *gpu_scene, snw_gpu_scene_data *data,
								snw_uploads *uploads, snw_error *error);
bool snw_gpu_scene_has_level(const snw_gpu_scene *gpu_scene, uint32_t level);
/* Shows the scene subdivided from the next pose on, and creates levels that are missing. Nothing changes on failure. */
snw_status snw_gpu_scene_subdivide(snw_renderer *renderer, snw_gpu_scene *gpu_scene, uint32_t level, snw_error *error);

/* Poses the scene as the view says; `gpu_stack` is that of view->stack, or NULL. Only the palette and the coefficients are
 * sent to the GPU. Allocates nothing. */
snw_status snw_gpu_scene_pose(snw_gpu_scene *gpu_scene, const snw_view *view, snw_gpu_stack *gpu_stack, snw_error *error);
/* Poses the view's ghosts; `cache` holds their stacks. The scene's pose does not change. */
snw_status snw_gpu_scene_pose_ghosts(snw_gpu_scene *gpu_scene, const snw_view *view, struct snw_gpu_cache *cache,
									 snw_error *error);
/* Faces of a mesh that are not drawn, also where it is subdivided, [face_count]; NULL: none. */
void snw_gpu_scene_hide_faces(snw_gpu_scene *gpu_scene, uint32_t mesh, const bool *hidden);
/* Boxes round all meshes: at rest, and as they are posed. Without meshes they are empty. */
snw_box snw_gpu_scene_rest_box(const snw_gpu_scene *gpu_scene);
snw_box snw_gpu_scene_posed_box(const snw_gpu_scene *gpu_scene);
/* Shows the view's heat map, or hides it if there is none. */
void snw_gpu_scene_show_heat(snw_gpu_scene *gpu_scene, const snw_view *view);
/* The range of a heat map's colours: the view's, or that of the values. */
void snw_view_heat_range(const snw_view *view, double *minimum, double *maximum);

#endif
