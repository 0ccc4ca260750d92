/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A scene prepared for the GPU: the slow part of bringing a character to the screen. It needs no context and runs in any thread;
 * afterwards the data only has to be sent.
 */
#ifndef SINEW_UI_RENDER_DRAW_GPU_SCENE_DATA_H
#define SINEW_UI_RENDER_DRAW_GPU_SCENE_DATA_H

#include "base/error.h"
#include "scene/scene.h"

typedef struct snw_gpu_scene_data snw_gpu_scene_data;

/* The scene must outlive it. `level`: how often its meshes are refined besides, 0 for not; meshes that cannot be refined are left
 * out, and are refused when that level is to be shown. */
snw_gpu_scene_data *snw_gpu_scene_data_create(const snw_scene *scene, uint32_t level);
/* The refined meshes alone. Errors as snw_gpu_subdivision_data_create. */
snw_status snw_gpu_scene_data_refine(const snw_scene *scene, uint32_t level, snw_gpu_scene_data **data, snw_error *error);
void snw_gpu_scene_data_destroy(snw_gpu_scene_data *data); /* NULL does nothing */

#endif
