/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A scene prepared for the GPU: the slow part of showing a character. It needs no context and runs in any thread; afterwards
 * the data only have to be sent.
 */
#ifndef SINEW_UI_RENDER_DRAW_GPU_SCENE_DATA_H
#define SINEW_UI_RENDER_DRAW_GPU_SCENE_DATA_H

#include "base/error.h"
#include "scene/scene.h"

typedef struct snw_gpu_scene_data snw_gpu_scene_data;

/* The scene must outlive it. `level`: how often its meshes are refined, 0 for not. Meshes that cannot be refined are
 * omitted; showing that level then fails. */
snw_gpu_scene_data *snw_gpu_scene_data_create(const snw_scene *scene, uint32_t level);
/* Only the refined meshes. Errors as in snw_gpu_subdivision_data_create. */
snw_status snw_gpu_scene_data_refine(const snw_scene *scene, uint32_t level, snw_gpu_scene_data **data, snw_error *error);
void snw_gpu_scene_data_destroy(snw_gpu_scene_data *data); /* NULL: does nothing */

#endif
