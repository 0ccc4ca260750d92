/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The charts of the UVs that a mesh has, to be shown.
 */
#ifndef SINEW_HOST_UNWRAP_LAYOUT_H
#define SINEW_HOST_UNWRAP_LAYOUT_H

#include "scene/scene.h"

typedef struct snw_uv_layout {
	uint32_t chart_count, triangle_count, border_count;
	uint32_t *triangles;       /* [triangle_count][3]: corners */
	uint32_t *triangle_charts; /* [triangle_count] */
	uint32_t *borders;         /* [border_count][2]: corners at both ends of an edge that a chart ends at */
	float low[2], high[2];     /* a box of these UVs and the unit square */
} snw_uv_layout;

/* Of the faces with a material (SNW_NONE: of those without one). All 0 where there are none, or no UVs. In `arena`. */
snw_uv_layout snw_uv_layout_make(const snw_mesh *mesh, uint32_t material, snw_arena *arena);

#endif
