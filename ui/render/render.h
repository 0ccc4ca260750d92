/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The renderer that the command line and the window share: OpenGL core 4.1, offscreen if there is no display. The GPU runs
 * skin programs; a black box runs on the CPU and its points are uploaded.
 *
 * Each object of the host has one counterpart on the graphics card, whose name has `gpu`. What is prepared for it in memory,
 * in any thread, has `data` as well:
 *
 *     host          data                      graphics card
 *     snw_scene     snw_gpu_scene_data        snw_gpu_scene          the scene's meshes and materials
 *     snw_mesh      snw_gpu_mesh_data         snw_gpu_mesh           buffers, normals, drawing
 *     its preview   snw_gpu_subdivision_data  snw_gpu_subdivision    stencils that fill another snw_gpu_mesh
 *     snw_stack                               snw_gpu_stack          writes the posed points of each snw_gpu_mesh
 *
 * A snw_gpu_mesh_pose is another set of posed points of a snw_gpu_mesh, for ghosts. A snw_gpu_cache finds scenes and stacks
 * that were already uploaded, for one sheet or one viewport.
 */
#ifndef SINEW_UI_RENDER_RENDER_H
#define SINEW_UI_RENDER_RENDER_H

#include "base/error.h"
#include "render/view/view.h"
#include "task/task.h"

/* A GL context, hidden or offscreen. Only the thread that created it may use it. SNW_ERROR_UNSUPPORTED if there is no OpenGL
 * 4.1, with a message that says what is missing. */
typedef struct snw_renderer snw_renderer;
snw_status snw_renderer_create(snw_renderer **renderer, snw_error *error);
void snw_renderer_destroy(snw_renderer *renderer);             /* NULL: does nothing */
const char *snw_renderer_device(const snw_renderer *renderer); /* "llvmpipe (LLVM 15.0.6, 256 bits)" */

/* A sheet of columns × rows views, each width × height, into an RGBA image [rows·height][columns·width][4], top row first;
 * the views row by row. SNW_ERROR_LIMIT if the driver cannot draw a view of this size, SNW_CANCELLED if the task (may be
 * NULL) is stopped. On failure `pixels` may be partly filled. */
snw_status snw_renderer_sheet(snw_renderer *renderer, const snw_view *views, uint32_t columns, uint32_t rows, uint32_t width,
							  uint32_t height, unsigned char *pixels, const snw_task *task, snw_error *error);

/* Runs the meshes of a view that have a black box, whose bounds are not known in advance: their points become the view's, in
 * `arena`. The view is then framed by them, and drawn without running them again. If one cannot be run, the view does not
 * change. */
void snw_view_run_black_boxes(snw_view *view, snw_arena *arena);

/* The camera that frames the rest (stack NULL) or the pose of a view in a picture of this size, from the yaw and pitch of
 * the view's camera; the view's flags say whether a scale bar needs room. If the pose cannot be evaluated, frames the rest.
 * No point is run: black boxes are framed by the layers below them, unless the view has their points. */
snw_camera snw_camera_frame(const snw_view *view, uint32_t width, uint32_t height);
/* One camera for several views of one scene that frames all of them, from the yaw and pitch of the first. `part`
 * [mesh_count][point_count]: frames only the points with 0.5 or more; NULL: all; an entry NULL: none of that mesh. */
snw_camera snw_camera_frame_all(const snw_view *views, size_t count, const double *const *part, uint32_t width,
								uint32_t height);

/* The posed points of one mesh as the GPU computes them, read back, [point_count][3]: for tests. */
snw_status snw_renderer_skin(snw_renderer *renderer, const snw_scene *scene, const snw_stack *stack, const snw_pose_view *pose,
							 uint32_t mesh, float *points_posed, snw_error *error);

/* Writes a picture to a file, atomically. Pixels are 8-bit RGBA, sRGB, [height][width][4], top row first. */
snw_status snw_png_write(const char *path, const unsigned char *pixels, uint32_t width, uint32_t height, snw_error *error);

#endif
