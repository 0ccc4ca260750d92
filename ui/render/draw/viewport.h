/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A scene that stays on the GPU and is drawn into a window. A new pose sends a palette and coefficients, nothing else; moving the
 * camera sends nothing. Posing, heat and drawing allocate nothing.
 */
#ifndef SINEW_UI_RENDER_DRAW_VIEWPORT_H
#define SINEW_UI_RENDER_DRAW_VIEWPORT_H

#include "render/draw/gpu_scene_data.h"
#include "render/draw/stack_change.h"
#include "render/gl/context.h"
#include "render/render.h"
#include "render/view/pick.h"

/* A renderer with a window that people see. SNW_ERROR_UNSUPPORTED where there is no display or no OpenGL 4.1. */
snw_status snw_renderer_open_window(const snw_window_wish *wish, snw_renderer **renderer, snw_error *error);
struct SDL_Window *snw_renderer_window(const snw_renderer *renderer);
void *snw_renderer_gl(const snw_renderer *renderer);
/* True once the driver has lost the context (a reset of the card, a laptop that changed cards); drawing fails from then on, and
 * says so. */
bool snw_renderer_is_lost(snw_renderer *renderer);
/* Creates the context and everything in it again. Viewports stay valid and are to be posed again, with heat and ghosts. What others
 * made in the old context (panels) they give back before and make again after. On failure the window is gone: only
 * snw_renderer_destroy is left, after its viewports. */
snw_status snw_renderer_recover(snw_renderer *renderer, snw_error *error);
void snw_renderer_lose(snw_renderer *renderer); /* as if the driver had: for tests */
/* What lies in the window's back buffer, [height][width][4], top row first. */
void snw_renderer_read_window(const snw_renderer *renderer, uint32_t width, uint32_t height, unsigned char *pixels);
void snw_renderer_show(const snw_renderer *renderer); /* swaps buffers */

/* Part of the window, in its pixels, from its lower left corner. */
typedef struct snw_viewport_place {
	int x, y, width, height;
} snw_viewport_place;

typedef struct snw_viewport snw_viewport;

/* Uploads the scene, which must outlive it, as must the stacks that it is given: `stack_most` of them. With `data`, of which
 * nothing remains but to destroy it, snw_viewport_upload sends it in slices; NULL: all is worked out and sent here. */
snw_status snw_viewport_create(snw_renderer *renderer, const snw_scene *scene, uint32_t stack_most, snw_gpu_scene_data *data,
							   snw_viewport **viewport, snw_error *error);
/* Sends more of what waits, for about so long. True once nothing does; until then the viewport shows what is not all there. */
bool snw_viewport_upload(snw_viewport *viewport, double seconds);
/* Takes over the refined meshes of `data`, which snw_viewport_upload sends: then they can be shown at once. SNW_ERROR_DATA, with
 * nothing taken, where they are not of meshes with as many points. */
snw_status snw_viewport_refine(snw_viewport *viewport, snw_gpu_scene_data *data, snw_error *error);
bool snw_viewport_has_level(const snw_viewport *viewport, uint32_t level);
void snw_viewport_destroy(snw_viewport *viewport); /* NULL does nothing */

/* Another scene with the same meshes, materials and pictures replaces the one shown: they stay on the GPU, and of changed
 * stacks what their programs have alike. Call it while the old scene and stacks are still there; it is to be posed again. */
void snw_viewport_replace_scene(snw_viewport *viewport, const snw_scene *scene, uint32_t stack_most,
								const snw_stack_change *changes, uint32_t change_count);

/* Poses the scene as the view says; a stack is uploaded when it is first met. */
snw_status snw_viewport_pose(snw_viewport *viewport, const snw_view *view, snw_error *error);
/* The frame of a stack at a pose, for what else is shown of it. Nothing is driven where posing has driven it already. NULL where
 * driving fails. Valid until the stack is posed otherwise. */
const snw_evaluation *snw_viewport_drive(snw_viewport *viewport, const snw_stack *stack, const snw_pose_view *pose);
/* How often a stack was driven so far. */
uint64_t snw_viewport_drives(const snw_viewport *viewport);
/* What lies under a pixel of what was posed; false where there is nothing. x and y count from the upper left corner of a view of
 * that size, y down. Points are read back once for each pose. */
bool snw_viewport_pick(snw_viewport *viewport, const snw_camera *camera, snw_picture_size size, double x, double y,
					   snw_hit *hit);
/* A box that contains a mesh as it was posed. */
snw_box snw_viewport_box(const snw_viewport *viewport, uint32_t mesh);
/* The posed points of a mesh, read back, [point_count][3]. */
void snw_viewport_points(const snw_viewport *viewport, uint32_t mesh, float *points);
/* Shows the meshes refined 0 to 2 times, from the next posing on: brush rings and heat maps too; picking stays on the mesh itself.
 * SNW_ERROR_DATA or _LIMIT where a mesh cannot be; then it shows what it showed. */
snw_status snw_viewport_subdivide(snw_viewport *viewport, uint32_t level, snw_error *error);
/* Poses the view's ghosts; call it when they have changed. They are drawn in the view's colours until the view has none. A
 * ghost's stack counts among the viewport's. */
snw_status snw_viewport_ghosts(snw_viewport *viewport, const snw_view *view, snw_error *error);
/* Shows the view's heat map; none hides it. */
void snw_viewport_heat(snw_viewport *viewport, const snw_view *view);
/* What crossed to the GPU in the last posing, bytes: frames of programs, and the points of meshes that the CPU ran. */
size_t snw_viewport_bytes_sent(const snw_viewport *viewport);
/* Draws what was posed, or shows the last picture again where nothing in it has changed. A place of no pixels draws nothing; one
 * that is larger than the driver's limit is drawn smaller and stretched. */
snw_status snw_viewport_draw(snw_viewport *viewport, const snw_view *view, const snw_viewport_place *place, snw_error *error);
/* Fills a rectangle of the window, for what lies under panels. */
void snw_viewport_clear(int width, int height);

#endif
