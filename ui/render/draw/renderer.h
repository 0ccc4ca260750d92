/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is on the GPU: scenes, their cache, the path that skins them, the ground, and the renderer's objects.
 */
#ifndef SINEW_UI_RENDER_DRAW_RENDERER_H
#define SINEW_UI_RENDER_DRAW_RENDERER_H

#include "render/draw/viewport.h"
#include "render/gl/context.h"
#include "render/gl/target.h"
#include "render/mesh/gpu_mesh.h"
#include "render/overlay/canvas.h"
#include "render/overlay/lines.h"
#include "render/render.h"
#include "render/shading/shading.h"
#include "render/skin/gpu_program.h"
#include "render/skin/gpu_stack.h"

/* ---- scenes -------------------------------------------------------------------------------------------------------------- */

/* A scene on the GPU: its meshes, its materials, its ghosts; posed by a stack. All functions need the context to be current. */

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

/* ---- the cache ----------------------------------------------------------------------------------------------------------- */

/* The uploaded scenes and stacks, each once: for one sheet, or for as long as a viewport exists. All functions need the
 * context to be current. */

typedef struct snw_gpu_cache {
	snw_renderer *renderer;
	snw_arena *arena;
	uint32_t scene_count, stack_count;
	snw_gpu_scene *scenes; /* [most] */
	snw_arena *stack_arena;
	snw_gpu_stack **stacks;   /* [most] */
	uint64_t previous_drives; /* of stacks that were replaced */
} snw_gpu_cache;
/* `most`: the number of different scenes, and of stacks, that will be requested. */
void snw_gpu_cache_begin(snw_gpu_cache *cache, snw_renderer *renderer, size_t most);
void snw_gpu_cache_end(snw_gpu_cache *cache);
snw_status snw_gpu_cache_find(snw_gpu_cache *cache, const snw_scene *scene, snw_gpu_scene **gpu_scene, snw_error *error);
/* The same for the cache's first scene, from prepared data (NULL: none). */
snw_status snw_gpu_cache_start(snw_gpu_cache *cache, const snw_scene *scene, snw_gpu_scene_data *data, snw_uploads *uploads,
							   snw_gpu_scene **gpu_scene, snw_error *error);
snw_gpu_stack *snw_gpu_cache_stack(snw_gpu_cache *cache, const snw_scene *scene, const snw_stack *stack);
/* For a cache of one scene: another scene with the same meshes replaces it, and `most` other stacks replace the old ones. */
void snw_gpu_cache_replace_scene(snw_gpu_cache *cache, const snw_scene *scene, size_t most, const snw_stack_change *changes,
								 uint32_t change_count);
/* How often its stacks were driven, including replaced ones. */
uint64_t snw_gpu_cache_drives(const snw_gpu_cache *cache);

/* ---- the path ------------------------------------------------------------------------------------------------------------ */

/* The path for skinning and normals: transform feedback, or compute shaders if the driver has them.
 *
 * A window measures both when it opens, on a synthetic character, and uses compute only if it is faster by a tenth. Which
 * one is faster depends on the driver: some write transform feedback in order through the vertex pipeline, others emulate
 * it. When they are about equal, the path that every machine has is used. Pictures in files always use transform feedback,
 * so that a machine whose measurements vary still draws the same bits. */

/* Measures, and sets the path of both. Without compute shaders nothing is measured. */
snw_status snw_path_choose(snw_skin_shaders *skin, snw_gpu_mesh_shaders *gpu_mesh, snw_error *error);

/* The shortest time of one `run`, seconds. It is repeated in batches, so that a glFinish between them costs little: at least
 * three batches, and until `seconds` have passed. */
double snw_gpu_time(void (*run)(void *argument), void *argument, double seconds);

/* ---- the ground ---------------------------------------------------------------------------------------------------------- */

/* The ground under a character: a grid in steps of a power of ten metres, and a soft shadow. All functions need the context to
 * be current. */

typedef struct snw_ground {
	GLuint programs[2]; /* without shadows, and with them */
	GLuint blur, array;
	GLuint framebuffers[2], textures[2]; /* the shadow; one is blurred into the other */
} snw_ground;
snw_status snw_ground_create(snw_ground *ground, snw_error *error);
void snw_ground_destroy(snw_ground *ground);

/* The ground under a character in `box`. */
typedef struct snw_ground_place {
	float middle[3]; /* y is the ground's height: 0 if the box reaches down to it, else the lower side of the box */
	double reach;    /* half the side of the drawn square, metres */
	double shadow_reach;
	double grid_step;
} snw_ground_place;
snw_ground_place snw_ground_place_under(const snw_box *box);

/* ---- the renderer -------------------------------------------------------------------------------------------------------- */

/* The renderer's objects, which exist as long as its context, and the drawing of a view. For ui/render/draw alone. */

struct snw_renderer {
	snw_context context;
	snw_skin_shaders skin_shaders;
	snw_gpu_mesh_shaders mesh_shaders;
	snw_ground ground;
	snw_key_light key_light;
	snw_bones bones;
	snw_line_drawer lines;
	snw_stencil_shader stencil;
	GLuint background, screen, empty_array, heat_ramp;
	snw_font *font;
	uint32_t context_number; /* counts the contexts that it has had */
	bool is_seen;            /* it has a window: paths are chosen by measurement */
	snw_viewport *viewports; /* a linked list */
};
/* `wish` NULL: without a window to look at. */
snw_status snw_renderer_start(snw_renderer **renderer, const snw_window_wish *wish, snw_error *error);

/* Puts what was resolved on the window; `smooth` if it is of another size. */
void snw_renderer_put_on_window(const snw_renderer *renderer, const snw_target_buffers *target, const snw_viewport_place *place,
								bool smooth);

/* When the context is lost: the next viewport of the renderer; deleting what is on the GPU; and uploading it again. */
snw_viewport *snw_viewport_next(const snw_viewport *viewport);
void snw_viewport_leave(snw_viewport *viewport);
snw_status snw_viewport_return(snw_viewport *viewport, snw_error *error);

/* The extent of everything that a view draws, once its scene is posed. */
typedef struct snw_extent {
	snw_box box;             /* of the character, for the near and far planes and the shadows */
	snw_ground_place ground; /* only with SNW_VIEW_GRID */
} snw_extent;
/* The ground has the height and the scale of the rest, and follows a character that walks. */
snw_extent snw_extent_of_viewport(const snw_gpu_scene *gpu_scene, const snw_view *view);
/* The same, but a pose that ends far above or below the ground of the rest has one under it; and bones that are drawn count. */
snw_extent snw_extent_of_picture(const snw_gpu_scene *gpu_scene, const snw_view *view);

/* The camera that frames one view whose scene is posed, and its bones where it draws them. `evaluation` is what posed it; NULL:
 * the rest. */
snw_camera snw_camera_frame_posed(const snw_gpu_scene *gpu_scene, const snw_view *view, const snw_evaluation *evaluation,
								  uint32_t width, uint32_t height);

/* Draws a posed scene into the target's multisampled buffers, which stay bound. Allocates nothing. */
void snw_view_paint(const snw_renderer *renderer, const snw_gpu_scene *gpu_scene, const snw_view *view,
					const snw_camera *camera, const snw_extent *extent, const snw_target_buffers *target);

/* Draws a posed scene with its text; `canvas` receives the picture. */
void snw_view_draw(snw_renderer *renderer, const snw_gpu_scene *gpu_scene, const snw_view *view, const snw_camera *camera,
				   const snw_extent *extent, const snw_target_buffers *target, const snw_canvas *canvas);

#endif
