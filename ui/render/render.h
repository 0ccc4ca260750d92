/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The renderer that the command line and the window share: OpenGL core 4.1, offscreen where there is no display. The GPU runs
 * the skin program; a black box runs on the CPU and its points are uploaded.
 */
#ifndef SINEW_UI_RENDER_RENDER_H
#define SINEW_UI_RENDER_RENDER_H

#include "base/error.h"
#include "stack/stack.h"

/* A GL context of our own, hidden or offscreen. Only the thread that made it may use it. */
typedef struct snw_renderer snw_renderer;
snw_status snw_renderer_create(snw_renderer **renderer, snw_error *error);
void snw_renderer_destroy(snw_renderer *renderer);
const char *snw_renderer_device(const snw_renderer *renderer); /* "llvmpipe (LLVM 15.0.6, 256 bits)" */

typedef enum snw_view_flags {
	SNW_VIEW_GRID = 1 << 0,
	SNW_VIEW_SKELETON = 1 << 1,
	SNW_VIEW_WIREFRAME = 1 << 2,
	SNW_VIEW_FLAT = 1 << 3,
	SNW_VIEW_SCALE_BAR = 1 << 4,
} snw_view_flags;

typedef struct snw_camera {
	double target[3];  /* metres */
	double yaw, pitch; /* radians; yaw 0 looks along −Z */
	double distance;
	double field_of_view; /* vertical, radians */
} snw_camera;

/* One picture of one pose of everything in the scene. */
typedef struct snw_view {
	const snw_scene *scene;
	const snw_stack *stack; /* NULL: the rest */
	const snw_pose_view *pose;
	const float *const *points; /* [mesh_count] posed points in place of the stack's (a sculpt); NULL or entries NULL: none */
	const double *const *heat;  /* [mesh_count][point_count] a scalar field as heat map; NULL: materials */
	double heat_minimum, heat_maximum;
	const char *heat_label; /* "error (mm)": stands at the scale bar */
	const char *caption;
	uint32_t flags;
	snw_camera camera; /* distance 0: framed to fit */
} snw_view;

/* A sheet of columns × rows views, each width × height, into an RGBA image [rows·height][columns·width][4], top row first. */
snw_status snw_renderer_sheet(snw_renderer *renderer, const snw_view *views, uint32_t columns, uint32_t rows, uint32_t width,
							  uint32_t height, unsigned char *pixels, snw_error *error);

/* The camera that frames the rest (or the pose) of a scene from an angle. */
snw_camera snw_camera_frame(const snw_scene *scene, const snw_stack *stack, const snw_pose_view *pose, double yaw,
							double pitch);

/* The points of one mesh as the GPU's skin program made them, read back: for tests. */
snw_status snw_renderer_skin(snw_renderer *renderer, const snw_stack *stack, snw_stack_frame *frame, uint32_t mesh,
							 float *points_posed, snw_error *error);

/* Atomic; 8-bit RGBA. */
snw_status snw_png_write(const char *path, const unsigned char *pixels, uint32_t width, uint32_t height, snw_error *error);

#endif
