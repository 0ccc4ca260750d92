/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Models of meshes whose points and faces have changed: a deformer with `transfer` takes its model there, by stencils.
 */
#ifndef SINEW_HOST_FIT_TRANSFER_MODEL_H
#define SINEW_HOST_FIT_TRANSFER_MODEL_H

#include "plugin/registry.h"
#include "scene/scene.h"
#include "task/task.h"

typedef struct snw_model_transfer {
	const snw_scene *before;
	const snw_scene *after; /* the same joints, slots, channels and meshes, in the same order */
	const snw_registry *registry;
	const snw_stencils_view *const *stencils; /* [mesh_count] */
	const snw_task *task;
	snw_arena *arena;
} snw_model_transfer;

/* The model of a layer of `before` for the layer of that name at index `layer_after` of `after`, whose layers below it have
 * their models already. What was stale stays stale. `model` is in the arena. SNW_ERROR_UNSUPPORTED: the method has no
 * `transfer`, or not for this model; the message names the layer and says why. */
snw_status snw_transfer_model(const snw_model_transfer *transfer, uint32_t layer_before, uint32_t layer_after,
							  snw_saved_model *model, snw_error *error);

#endif
