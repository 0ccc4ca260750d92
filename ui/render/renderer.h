/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inside the renderer: what lives as long as its context, and what is kept of the scenes and stacks that a sheet shows.
 */
#ifndef SINEW_UI_RENDER_RENDERER_H
#define SINEW_UI_RENDER_RENDERER_H

#include "render/bones.h"
#include "render/canvas.h"
#include "render/context.h"
#include "render/ground.h"
#include "render/key_light.h"
#include "render/poser.h"
#include "render/render.h"
#include "render/skin.h"
#include "render/surface.h"
#include "render/target.h"

struct snw_renderer {
	snw_context context;
	snw_skin_shaders skin;
	snw_surface_shaders surface;
	snw_ground ground;
	snw_key_light key_light;
	snw_bones bones;
	GLuint background, empty_array, heat_ramp;
	snw_font *font;
};

/* A scene's meshes and materials. */
typedef struct snw_figure {
	const snw_scene *scene;
	snw_surface **surfaces; /* [mesh_count], in the arena it was made with */
	snw_materials *materials;
} snw_figure;
snw_status snw_figure_create(snw_renderer *renderer, const snw_scene *scene, snw_arena *arena, snw_figure *figure,
							 snw_error *error);
void snw_figure_destroy(snw_figure *figure);

/* Poses the figure as the view says. `posers` [mesh_count] and `frame` are those of view->stack; not read without one. */
snw_status snw_figure_pose(snw_figure *figure, const snw_view *view, snw_poser *const *posers, snw_stack_frame *frame,
						   snw_error *error);

/* The range that a heat map's colours span: the view's, or that of the values. */
void snw_view_heat_range(const snw_view *view, double *minimum, double *maximum);

/* Draws a posed figure into the target, and writes what belongs on it; `canvas` gets the picture. */
void snw_view_draw(snw_renderer *renderer, const snw_figure *figure, const snw_view *view, const snw_target_buffers *target,
				   const snw_canvas *canvas);

#endif
