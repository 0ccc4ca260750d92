/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A character whose meshes have other faces in a new file: what lies over the old points follows the nearest place at rest.
 *
 * Each shell of a new mesh (what its faces connect) follows the shell of the old one that most of its points lie on, so that
 * the lips do not follow each other, nor a sleeve the arm. A point that is far from that shell, or from all, is told.
 */
#ifndef SINEW_HOST_REMESH_REMESH_H
#define SINEW_HOST_REMESH_REMESH_H

#include "plugin/registry.h"
#include "scene/scene.h"
#include "task/task.h"

/* What is farther from the old mesh, as a share of its diagonal, has no partner there. */
#define SNW_REMESH_FAR 0.02

typedef struct snw_remesh {
	/* The old character on the new faces, to be transferred to the new one (transfer/transfer.h): rests, base skins, sculpts
	 * and fields by the stencils; targets and sequences too, beside the surface as at rest. */
	snw_scene scene;
	const snw_stencils_view *const *stencils; /* [mesh_count]: how new points follow old ones */
	/* That have other faces, and something that needs their points. 0: the scene is `old`, and there are no stencils. */
	uint32_t mesh_count;
	uint32_t far_count;    /* points without a partner */
	double farthest;       /* of all, metres */
	uint32_t target_count; /* targets and sequences that were resampled */
} snw_remesh;

/* `old` with the unedited points of its examples in place. Arrays are in `arena` or belong to the two scenes. SNW_CANCELLED. */
snw_status snw_remesh_make(const snw_scene *old, const snw_scene *fresh, const snw_task *task, snw_arena *arena,
						   snw_remesh *remesh, snw_error *error);

/* The models of the layers of `before` for the transferred scene: models and is_transferred [layer_count]. Layers that are
 * fitted again stay. SNW_ERROR_CONFLICT names a layer that cannot follow. */
snw_status snw_remesh_models(const snw_remesh *remesh, const snw_scene *before, const snw_scene *after,
							 const snw_registry *registry, const snw_task *task, snw_arena *arena, snw_saved_model *models,
							 bool *is_transferred, snw_error *error);

#endif
