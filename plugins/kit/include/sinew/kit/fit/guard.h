/* SPDX-License-Identifier: MIT
 *
 * A guard for fits that learn a blend: a skin learned from little must not be worse than the one it replaces. Each joint that
 * bends the skin is rotated alone, by 60 degrees to either side about each of its axes. Nobody knows the truth there, but what
 * was learned may not go much farther from the layers below than the samples do. Where it does, it is shrunk.
 *
 *     v = below + s (learned − below),   s = min(1, a seen / alone),   a = 2 F / (F + 12) max(1, 60° / angle)
 *
 * by region: the points that one joint moves most. `seen` is the largest distance in any of the F samples between the sample
 * and the layers below, `alone` the largest in any of those poses between what was learned and these layers: root mean square
 * over the region, or at one point, whichever gives the smaller s. `angle` is the largest of the joint in the samples, if it
 * rotates at all. A point's strength is the mean of those of the joints that move it, by its base weights, so that regions have
 * no seams.
 */
#ifndef SINEW_KIT_FIT_GUARD_H
#define SINEW_KIT_FIT_GUARD_H

#include "sinew/kit/fit/samples.h"
#include "sinew/kit/skin/base_skin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of one mesh, which has a skin. */
typedef struct snk_guard {
	const snw_host *host;
	const snw_character_view *character;
	uint32_t mesh;
	uint32_t sample_count;
	const snk_sample *samples;
	/* Where the layers below, and what was learned, put the points in a pose: [point_count][3] each. Any thread. */
	void(SNW_CALL *place)(const void *context, const snw_pose_view *pose, double *below, double *learned);
	const void *context;
	double progress; /* of the fit */
} snk_guard;

/* strengths [point_count], from 0 to 1. Says in a line what is shrunk, if anything is. SNW_CANCELLED; SNW_ERROR_MEMORY. Owner
 * thread; the same bits on any number of threads. */
snw_status snk_guard_find(const snk_guard *guard, double *strengths);

/* A skin whose weights go from those of the mesh (strength 0) to what they are (1), with at most `most` influences a point: the
 * largest, of sum 1. Points of strength 1 keep theirs to the last bit. The pool's. SNW_ERROR_MEMORY. */
snw_status snk_guard_skin(const snw_mesh_view *mesh, const double *strengths, uint32_t most, snw_pool *pool,
						  snk_base_skin_mesh *skin);

#ifdef __cplusplus
}
#endif

#endif
