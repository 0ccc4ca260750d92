/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The renderer's objects, which exist as long as its context, and the drawing of a view. For ui/render/draw alone.
 */
#ifndef SINEW_UI_RENDER_DRAW_RENDERER_H
#define SINEW_UI_RENDER_DRAW_RENDERER_H

#include "render/draw/gpu_cache.h"
#include "render/draw/ground.h"
#include "render/draw/viewport.h"
#include "render/gl/context.h"
#include "render/gl/target.h"
#include "render/overlay/canvas.h"
#include "render/overlay/lines.h"
#include "render/render.h"
#include "render/shading/look.h"

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
