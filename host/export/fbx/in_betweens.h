/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In-betweens: a channel of FBX may have several shapes, each with the percent at which it is whole. Between two of them the
 * channel goes from one to the other. In a plan each is a shape with a weight of its own.
 */
#ifndef SINEW_HOST_EXPORT_FBX_IN_BETWEENS_H
#define SINEW_HOST_EXPORT_FBX_IN_BETWEENS_H

#include "export/plan/plan.h"

/* The shapes of one channel: in-betweens, then their own. */
typedef struct snw_fbx_joined {
	const snw_plan_mesh *mesh;
	uint32_t first, count; /* among the mesh's shapes; count is 1 for a shape alone */
	double *percents;      /* [count]: where each is whole */
	int64_t channel;       /* the object in the file, once it is written */
} snw_fbx_joined;

/* The shapes from `shape` on that are one channel in the file: several only if the engine plays them, and if their weights are
 * those of one channel wherever the file plays them; if they are not, that is told. In `arena`. */
snw_fbx_joined snw_fbx_join_shapes(const snw_plan *plan, uint32_t mesh, uint32_t shape, snw_arena *arena);

/* The percent of the channel from the weights of its shapes, [count]. */
double snw_fbx_joined_percent(const snw_fbx_joined *joined, const double *weights);

#endif
