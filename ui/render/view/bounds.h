/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a posed character may be, found from its skeleton alone, so that a window need not read points back from the GPU.
 */
#ifndef SINEW_UI_RENDER_VIEW_BOUNDS_H
#define SINEW_UI_RENDER_VIEW_BOUNDS_H

#include "render/view/camera.h"
#include "scene/scene.h"

typedef struct snw_bounds {
	uint32_t joint_count;
	double
		*radii; /* [joint_count]: how far from its joint lies what mostly follows it, at rest; 0 for a joint without a skin */
	snw_box still; /* of meshes that follow no joint; may be empty */
	snw_box rest;  /* of all meshes at rest */
} snw_bounds;

snw_bounds snw_bounds_make(const snw_scene *scene, snw_arena *arena);

/* `global` is [joint_count][12]. A little wide: a sphere round every joint, and a margin for what correctives add. */
snw_box snw_bounds_posed(const snw_bounds *bounds, const double *global);

#endif
