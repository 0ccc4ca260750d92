/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which path skins and finds normals: transform feedback, or compute shaders where the driver has them.
 *
 * A window measures both when it opens, on a made-up character, and takes compute only where it is faster by a tenth: which one
 * wins is a matter of the driver (some write transform feedback through the vertex pipeline in order, some emulate it), and a
 * draw near enough keeps the path that every machine has. Pictures to files always take transform feedback, so that a machine
 * that measures differently from day to day still draws the same bits.
 */
#ifndef SINEW_UI_RENDER_DRAW_GPU_PATH_H
#define SINEW_UI_RENDER_DRAW_GPU_PATH_H

#include "render/mesh/gpu_mesh.h"
#include "render/skin/gpu_program.h"

/* Measures, and sets the path of both. Without compute shaders nothing is measured. */
snw_status snw_path_choose(snw_skin_shaders *skin, snw_gpu_mesh_shaders *gpu_mesh, snw_error *error);

/* The shortest of several runs of `run`, seconds, each so many times over that a glFinish between them costs little; at least
 * three, and until `seconds` have passed. */
double snw_gpu_time(void (*run)(void *argument), void *argument, double seconds);

#endif
