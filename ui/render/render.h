/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The renderer that the command line and the window share: OpenGL core 4.1, offscreen where there is no display. The GPU runs
 * the skin program; a black box runs on the CPU and its points are uploaded.
 */
#ifndef SINEW_UI_RENDER_RENDER_H
#define SINEW_UI_RENDER_RENDER_H

#include "base/error.h"
#include "base/task.h"
#include "render/camera.h"
#include "render/picture.h"
#include "stack/stack.h"

/* A GL context of our own, hidden or offscreen. Only the thread that made it may use it. SNW_ERROR_UNSUPPORTED says what is
 * missing where there is no OpenGL 4.1. */
typedef struct snw_renderer snw_renderer;
snw_status snw_renderer_create(snw_renderer **renderer, snw_error *error);
void snw_renderer_destroy(snw_renderer *renderer);             /* NULL does nothing */
const char *snw_renderer_device(const snw_renderer *renderer); /* "llvmpipe (LLVM 15.0.6, 256 bits)" */

typedef enum snw_view_flags {
	SNW_VIEW_GRID = 1 << 0, /* the ground: grid and soft shadow */
	SNW_VIEW_SKELETON = 1 << 1,
	SNW_VIEW_WIREFRAME = 1 << 2,
	SNW_VIEW_FLAT = 1 << 3,
	SNW_VIEW_SCALE_BAR = 1 << 4, /* where there is a heat map */
	SNW_VIEW_DARK = 1 << 5,      /* on a dark background */
} snw_view_flags;

/* One picture of one pose of everything in the scene. */
typedef struct snw_view {
	const snw_scene *scene;
	const snw_stack *stack; /* NULL: the rest */
	const snw_pose_view *pose;
	const float *const *points; /* [mesh_count] posed points in place of the stack's (a sculpt); NULL or entries NULL: none */
	const double *const *heat;  /* [mesh_count][point_count] a scalar field as heat map; NULL: materials. An entry NULL, or a
	                               value that is not finite: that mesh, that point without one */
	double heat_minimum, heat_maximum; /* equal: from the values */
	const char *heat_label;            /* "error (mm)": stands at the scale bar */
	const char *caption;               /* UTF-8 */
	uint32_t flags;
	snw_camera camera; /* distance 0: framed to fit */
} snw_view;

/* A sheet of columns × rows views, each width × height, into an RGBA image [rows·height][columns·width][4], top row first; row
 * after row of views. SNW_ERROR_LIMIT where the driver cannot draw so large a view, SNW_CANCELLED where the task (may be NULL) is
 * to stop. On failure `pixels` may be half filled. */
snw_status snw_renderer_sheet(snw_renderer *renderer, const snw_view *views, uint32_t columns, uint32_t rows, uint32_t width,
							  uint32_t height, unsigned char *pixels, const snw_task *task, snw_error *error);

/* The camera that frames the rest (stack NULL) or the pose of a view's scene in a picture of that size, from the yaw and pitch
 * of the view's camera; its flags tell whether a scale bar needs room. A pose that cannot be evaluated frames the rest. */
snw_camera snw_camera_frame(const snw_view *view, uint32_t width, uint32_t height);

/* The points of one mesh as the GPU's skin program made them from a frame that has been driven, read back, [point_count][3]:
 * for tests. */
snw_status snw_renderer_skin(snw_renderer *renderer, const snw_stack *stack, snw_stack_frame *frame, uint32_t mesh,
							 float *points_posed, snw_error *error);

#endif
