/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inside the renderer: what lives as long as its context, and what is kept of the scenes and stacks that a sheet shows.
 */
#ifndef SINEW_UI_RENDER_DRAW_RENDERER_H
#define SINEW_UI_RENDER_DRAW_RENDERER_H

#include "render/draw/ground.h"
#include "render/draw/scene_data.h"
#include "render/draw/viewport.h"
#include "render/gl/context.h"
#include "render/gl/target.h"
#include "render/mesh/gpu_mesh.h"
#include "render/mesh/subdivide.h"
#include "render/overlay/bones.h"
#include "render/overlay/canvas.h"
#include "render/overlay/line_drawer.h"
#include "render/render.h"
#include "render/shading/key_light.h"
#include "render/skin/gpu_program.h"
#include "render/skin/gpu_stack.h"

struct snw_renderer {
	snw_context context;
	snw_skin_shaders skin_shaders;
	snw_gpu_mesh_shaders mesh_shaders;
	snw_ground ground;
	snw_key_light key_light;
	snw_bones bones;
	snw_line_drawer lines;
	snw_stencil_shader stencil;
	GLuint background, empty_array, heat_ramp;
	snw_font *font;
	bool is_seen;            /* its window: paths are chosen by measurement */
	snw_viewport *viewports; /* the first of them */
};
/* `wish` NULL: without a window to look at. */
snw_status snw_renderer_start(snw_renderer **renderer, const snw_window_wish *wish, snw_error *error);

/* For a context that is lost: the next viewport of the renderer; giving back what is on the GPU; and having it there again. */
snw_viewport *snw_viewport_next(const snw_viewport *viewport);
void snw_viewport_leave(snw_viewport *viewport);
snw_status snw_viewport_return(snw_viewport *viewport, snw_error *error);

/* What has been taken over is NULL. */
struct snw_scene_data {
	snw_arena *arena;
	uint32_t mesh_count, level;
	snw_gpu_mesh_data **gpu_meshes;         /* [mesh_count] */
	snw_gpu_subdivision_data **subdivision; /* [mesh_count], of the level */
	snw_materials_data *materials;
};

/* A scene's meshes and materials on the GPU. */
typedef struct snw_gpu_scene {
	const snw_scene *scene;
	snw_gpu_mesh **gpu_meshes;                                   /* [mesh_count], in the arena it was made with */
	snw_gpu_mesh **shown;                                        /* what is drawn: gpu_meshes, or the subdivided ones */
	uint32_t level;                                              /* how often they are subdivided; 0: not */
	snw_gpu_subdivision **subdivision[SNW_SUBDIVISION_MOST + 1]; /* [mesh_count] by level; NULL until first needed, and for 0 */
	snw_materials *materials;
	uint32_t ghost_count;                            /* that have been posed */
	uint64_t ghost_drives[SNW_GHOST_MOST];           /* the stack and pose of each, as a hash; 0: to be posed */
	snw_gpu_mesh_pose **ghost_poses[SNW_GHOST_MOST]; /* [mesh_count] each, in the same arena; NULL until first needed */
	size_t bytes_sent;                               /* in the last posing */
	snw_arena *arena;
} snw_gpu_scene;
/* What `data` (NULL: none) has is taken over, `uploads` (NULL: all at once) send it. */
snw_status snw_gpu_scene_create(snw_renderer *renderer, const snw_scene *scene, snw_scene_data *data, snw_uploads *uploads,
								snw_arena *arena, snw_gpu_scene *gpu_scene, snw_error *error);
void snw_gpu_scene_destroy(snw_gpu_scene *gpu_scene);

/* A stack on the GPU, for the meshes of one scene. */
typedef struct snw_gpu_stack {
	snw_arena *arena; /* of what follows */
	const snw_stack *stack;
	uint32_t mesh_count;
	snw_gpu_mesh_stack **meshes; /* [mesh_count] */
	snw_stack_frame *frame;
	uint64_t driven; /* the pose that the frame is driven for, as a hash; 0: none */
	uint64_t drives; /* how often it was */
	float *normals;  /* [points of the largest mesh][3], where the stack brings normals itself; else NULL */
} snw_gpu_stack;

/* What has been uploaded: scenes and stacks, each once, for a sheet or for as long as a viewport lives. */
typedef struct snw_gpu_cache {
	snw_renderer *renderer;
	snw_arena *arena;
	uint32_t scene_count, stack_count;
	snw_gpu_scene *scenes; /* [most] */
	snw_arena *stack_arena;
	snw_gpu_stack *stacks;    /* [most] */
	uint64_t previous_drives; /* of stacks that were replaced */
} snw_gpu_cache;
/* `most`: how many different scenes, and how many stacks, it will be asked for. */
void snw_gpu_cache_begin(snw_gpu_cache *cache, snw_renderer *renderer, size_t most);
void snw_gpu_cache_end(snw_gpu_cache *cache);
snw_status snw_gpu_cache_find(snw_gpu_cache *cache, const snw_scene *scene, snw_gpu_scene **gpu_scene, snw_error *error);
/* The same for the cache's first scene, from what was prepared (NULL: nothing). */
snw_status snw_gpu_cache_start(snw_gpu_cache *cache, const snw_scene *scene, snw_scene_data *data, snw_uploads *uploads,
							   snw_gpu_scene **gpu_scene, snw_error *error);
snw_gpu_stack *snw_gpu_cache_stack(snw_gpu_cache *cache, const snw_scene *scene, const snw_stack *stack);
/* For a cache of one scene: another of the same shape takes its place, and its stacks, `most` of them, that of the old ones. */
void snw_gpu_cache_replace_scene(snw_gpu_cache *cache, const snw_scene *scene, size_t most, const snw_stack_change *changes,
								 uint32_t change_count);

/* Takes over the refined meshes of `data`. */
snw_status snw_gpu_scene_refine(snw_renderer *renderer, snw_gpu_scene *gpu_scene, snw_scene_data *data, snw_uploads *uploads,
								snw_error *error);
bool snw_gpu_scene_has_level(const snw_gpu_scene *gpu_scene, uint32_t level);
/* Shows it subdivided from the next posing on; what is not there yet is made. On failure it stays as it was. */
snw_status snw_gpu_scene_subdivide(snw_renderer *renderer, snw_gpu_scene *gpu_scene, uint32_t level, snw_error *error);

/* Drives the stack's frame at a pose, unless it is driven for that pose. Allocates nothing. */
snw_status snw_gpu_stack_drive(snw_gpu_stack *posed, const snw_pose_view *pose, snw_error *error);
/* Poses the scene as the view says; `posed` is that of view->stack, NULL without one. Only the palette and the coefficients
 * cross to the GPU. Allocates nothing. */
snw_status snw_gpu_scene_pose(snw_gpu_scene *gpu_scene, const snw_view *view, snw_gpu_stack *posed, snw_error *error);
/* Poses the view's ghosts; `cache` holds their stacks. What the scene itself shows stays as it is. */
snw_status snw_gpu_scene_pose_ghosts(snw_gpu_scene *gpu_scene, const snw_view *view, snw_gpu_cache *cache, snw_error *error);
/* Shows the view's heat map, or takes it away. */
void snw_gpu_scene_show_heat(snw_gpu_scene *gpu_scene, const snw_view *view);

/* The range that a heat map's colours span: the view's, or that of the values. */
void snw_view_heat_range(const snw_view *view, double *minimum, double *maximum);

/* Where everything is that a view draws. */
typedef struct snw_extent {
	snw_box box;             /* of what stands in the scene, for near and far planes and shadows */
	snw_ground_place ground; /* read with SNW_VIEW_GRID */
} snw_extent;

/* Draws a posed scene into the target's multisampled buffers, which stay bound. Allocates nothing. */
void snw_view_paint(const snw_renderer *renderer, const snw_gpu_scene *gpu_scene, const snw_view *view,
					const snw_camera *camera, const snw_extent *extent, const snw_target_buffers *target);

/* Draws a posed scene, framed where the view has no distance, and writes what belongs on it; `canvas` gets the picture. */
void snw_view_draw(snw_renderer *renderer, const snw_gpu_scene *gpu_scene, const snw_view *view,
				   const snw_target_buffers *target, const snw_canvas *canvas);

#endif
