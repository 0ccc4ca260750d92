/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The path for skinning and normals: transform feedback, or compute shaders if the driver has them.
 *
 * A window measures both when it opens, on a synthetic character, and uses compute only if it is faster by a tenth. Which
 * one is faster depends on the driver: some write transform feedback in order through the vertex pipeline, others emulate
 * it. When they are about equal, the path that every machine has is used. Pictures in files always use transform feedback,
 * so that a machine whose measurements vary still draws the same bits.
 */
#ifndef SINEW_UI_RENDER_DRAW_GPU_PATH_H
#define SINEW_UI_RENDER_DRAW_GPU_PATH_H

#include "render/mesh/gpu_mesh.h"
#include "render/skin/gpu_program.h"

/* Measures, and sets the path of both. Without compute shaders nothing is measured. */
snw_status snw_path_choose(snw_skin_shaders *skin, snw_gpu_mesh_shaders *gpu_mesh, snw_error *error);

/* The shortest time of one `run`, seconds. It is repeated in batches, so that a glFinish between them costs little: at least
 * three batches, and until `seconds` have passed. */
double snw_gpu_time(void (*run)(void *argument), void *argument, double seconds);

#endif
