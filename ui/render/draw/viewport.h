/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Viewports, and what is prepared and shown with them.
 */
#ifndef SINEW_UI_RENDER_DRAW_VIEWPORT_H
#define SINEW_UI_RENDER_DRAW_VIEWPORT_H

#include "base/error.h"
#include "render/gl/context.h"
#include "render/render.h"
#include "render/view/view.h"
#include "scene/scene.h"
#include "stack/stack.h"

/* ---- prepared scenes ----------------------------------------------------------------------------------------------------- */

/* A scene prepared for the GPU: the slow part of showing a character. It needs no context and runs in any thread; afterwards
 * the data only have to be sent. */

typedef struct snw_gpu_scene_data snw_gpu_scene_data;

/* The scene must outlive it. `level`: how often its meshes are refined, 0 for not. Meshes that cannot be refined are
 * omitted; showing that level then fails. */
snw_gpu_scene_data *snw_gpu_scene_data_create(const snw_scene *scene, uint32_t level);
/* Only the refined meshes. Errors as in snw_gpu_subdivision_data_create. */
snw_status snw_gpu_scene_data_refine(const snw_scene *scene, uint32_t level, snw_gpu_scene_data **data, snw_error *error);
void snw_gpu_scene_data_destroy(snw_gpu_scene_data *data); /* NULL: does nothing */

/* ---- changed stacks ------------------------------------------------------------------------------------------------------ */

/* A stack that replaces another when a scene is replaced: data that are equal in their programs stay on the GPU. */
typedef struct snw_stack_change {
	const snw_stack *from, *to;
} snw_stack_change;

/* ---- viewports ----------------------------------------------------------------------------------------------------------- */

/* A scene that stays on the GPU and is drawn into a window. A new pose sends a palette and coefficients; moving the camera
 * sends nothing. Posing, heat maps and drawing allocate nothing. */

/* A renderer with a visible window. SNW_ERROR_UNSUPPORTED if there is no display or no OpenGL 4.1. */
snw_status snw_renderer_open_window(const snw_window_wish *wish, snw_renderer **renderer, snw_error *error);
struct SDL_Window *snw_renderer_window(const snw_renderer *renderer);
void *snw_renderer_gl(const snw_renderer *renderer);
/* Whether the driver has lost the context (after a reset of the card, or a switch to another card). Drawing then fails with
 * an error. */
bool snw_renderer_is_lost(snw_renderer *renderer);
/* Creates the context and everything in it again. Viewports stay valid, but must be posed again, with heat maps and ghosts.
 * Callers that created objects in the old context (panels) delete them before and create them again afterwards. On failure
 * the window is gone: destroy the viewports, then the renderer. */
snw_status snw_renderer_recover(snw_renderer *renderer, snw_error *error);
void snw_renderer_lose(snw_renderer *renderer); /* simulates a loss, for tests */
/* The window's back buffer, [height][width][4], top row first. */
void snw_renderer_read_window(const snw_renderer *renderer, uint32_t width, uint32_t height, unsigned char *pixels);
void snw_renderer_show(const snw_renderer *renderer); /* swaps buffers */

typedef struct snw_viewport_place {
	int x, y, width, height;
	uint32_t picture; /* 0 or 1 */
} snw_viewport_place;

typedef struct snw_viewport snw_viewport;

/* Uploads the scene, which must outlive the viewport, as must the at most `stack_most` stacks that it is given. With `data`,
 * whose members are taken over, snw_viewport_upload sends it in slices; NULL: everything is prepared and sent at once. */
snw_status snw_viewport_create(snw_renderer *renderer, const snw_scene *scene, uint32_t stack_most, snw_gpu_scene_data *data,
							   snw_viewport **viewport, snw_error *error);
/* Sends more, for about this long. True once everything was sent; until then the viewport shows an incomplete scene. */
bool snw_viewport_upload(snw_viewport *viewport, double seconds);
/* Takes over the refined meshes of `data`, which snw_viewport_upload sends, so that they can be shown without delay.
 * SNW_ERROR_DATA, with nothing taken over, if their meshes have other numbers of points. */
snw_status snw_viewport_refine(snw_viewport *viewport, snw_gpu_scene_data *data, snw_error *error);
bool snw_viewport_has_level(const snw_viewport *viewport, uint32_t level);
void snw_viewport_destroy(snw_viewport *viewport); /* NULL: does nothing */

/* Replaces the scene by another with the same meshes, materials and pictures. These stay on the GPU, and so do data that are
 * equal in the programs of changed stacks. Call it while the old scene and stacks still exist, then pose it again. */
void snw_viewport_replace_scene(snw_viewport *viewport, const snw_scene *scene, uint32_t stack_most,
								const snw_stack_change *changes, uint32_t change_count);

/* Poses the scene as the view says; a stack is uploaded when first used. */
snw_status snw_viewport_pose(snw_viewport *viewport, const snw_view *view, snw_error *error);
/* The evaluation of a stack at a pose, for other uses. It is not driven again if posing has driven it. NULL if driving
 * fails. Valid until the stack is posed otherwise. */
const snw_evaluation *snw_viewport_drive(snw_viewport *viewport, const snw_stack *stack, const snw_pose_view *pose);
/* The layer that failed if posing by this stack returned an error; its `layer` is NULL if the error has another cause. */
const snw_layer_failure *snw_viewport_failure(snw_viewport *viewport, const snw_stack *stack);
/* How often a stack was driven. */
uint64_t snw_viewport_drives(const snw_viewport *viewport);
/* The surface under a pixel, as last posed; false if there is none. x and y count from the upper left corner of a view of
 * this size, y down. `left_out`: [mesh_count], meshes that are passed over; NULL: none. The points of meshes whose box is hit
 * are read back once for each pose. */
bool snw_viewport_pick(snw_viewport *viewport, const snw_camera *camera, snw_picture_size size, double x, double y,
					   const bool *left_out, snw_hit *hit);
/* Faces of a mesh that are neither drawn nor picked, [face_count], copied; NULL: none. They stay hidden when the scene is
 * replaced. Not while an upload is incomplete. */
void snw_viewport_hide_faces(snw_viewport *viewport, uint32_t mesh, const bool *hidden);
const bool *snw_viewport_hidden_faces(const snw_viewport *viewport, uint32_t mesh); /* NULL: none */
/* A box that contains a mesh as it was posed. */
snw_box snw_viewport_box(const snw_viewport *viewport, uint32_t mesh);
/* The posed points of a mesh, read back, [point_count][3]. */
void snw_viewport_points(const snw_viewport *viewport, uint32_t mesh, float *points);
/* Shows the meshes refined 0 to 2 times from the next pose on, with brush rings and heat maps; picking uses the mesh itself.
 * SNW_ERROR_DATA or _LIMIT if a mesh cannot be refined; then nothing changes. */
snw_status snw_viewport_subdivide(snw_viewport *viewport, uint32_t level, snw_error *error);
/* Poses the view's ghosts; call it when they have changed. They are drawn in the view's colours until the view has none.
 * Their stacks count towards `stack_most`. */
snw_status snw_viewport_ghosts(snw_viewport *viewport, const snw_view *view, snw_error *error);
/* Shows the view's heat map, or hides it if there is none. */
void snw_viewport_heat(snw_viewport *viewport, const snw_view *view);
/* Whether edges are smoothed; they are unless this says otherwise. */
void snw_viewport_antialias(snw_viewport *viewport, bool on);
/* The window's pixels, to a side, that each pixel of the picture covers; 1 unless this says otherwise. */
void snw_viewport_pixel_size(snw_viewport *viewport, uint32_t size);
/* The bytes sent to the GPU by the last pose: the inputs of programs, and the points of meshes that the CPU ran. */
size_t snw_viewport_bytes_sent(const snw_viewport *viewport);
/* The base colour texture of a material on the GPU, to be drawn elsewhere in the window; 0: none. */
uint32_t snw_viewport_base_color(const snw_viewport *viewport, uint32_t material);
/* Draws what was posed into the viewport's picture, unless nothing in it has changed: then `changed` is false. An area of no
 * pixels draws nothing; one larger than the driver's limit is drawn smaller. */
snw_status snw_viewport_draw(snw_viewport *viewport, const snw_view *view, const snw_viewport_place *place, bool *changed,
							 snw_error *error);
/* Puts the picture into the window's back buffer; one that was drawn smaller is stretched. */
snw_status snw_viewport_put_on_window(const snw_viewport *viewport, const snw_viewport_place *place, snw_error *error);
/* Fills the window with a colour: that of the panels, which are drawn on it. */
void snw_viewport_clear(int width, int height, const float color[3]);

/* ---- pictures of panels -------------------------------------------------------------------------------------------------- */

/* Pictures for the panels of a window: pixels, and their texture in the renderer's context, which is made again after the
 * context was lost. */

typedef struct snw_panel_picture {
	uint32_t width, height;
	const unsigned char *pixels; /* [height][width][4], sRGB; the caller's */
	uint32_t texture, context;   /* 0: none yet; the number of the context that has it */
} snw_panel_picture;

/* The texture, made if it is not there. */
uint32_t snw_panel_picture_texture(const snw_renderer *renderer, snw_panel_picture *picture);
/* Deletes the texture. */
void snw_panel_picture_drop(const snw_renderer *renderer, snw_panel_picture *picture);

#endif
