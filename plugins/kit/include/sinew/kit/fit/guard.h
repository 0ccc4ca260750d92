/* SPDX-License-Identifier: MIT
 *
 * A guard for fits: what was learned from little must not be worse than the layers below.
 *
 *     v = below + s (learned − below),   0 ≤ s ≤ 1, by region: the points that one joint moves most
 *
 * Left-out samples: the fit learns again without some of them, and shows these. Where it is worse there than the layers below,
 * s is what brings it nearest to them: Σ h·t / Σ h·h over the points of the region and these samples, with h = learned − below
 * and t = sample − below.
 *
 * Joints rotated alone: each joint that bends the skin, to either side about each of its axes, to its limit or by 60 degrees.
 * Nobody knows the truth there, but what was learned may not go much farther from the layers below than the samples do:
 *
 *     s ≤ c a seen / alone,   a = 2 F / (F + few) max(1, angle alone / angle seen)
 *
 * `seen` is the largest distance in any of the F samples between the sample and the layers below, `alone` the largest in any of
 * those poses between what was learned and these layers: root mean square over the region, or at one point, whichever gives the
 * smaller s. `angle seen` is the largest of the joint in the samples; for a joint that they hardly rotate, that factor is
 * `unseen`. c is the distance of left-out samples from the layers below over that from what was learned without them, at
 * least 1.
 *
 * A point's strength is the mean of those of the joints that move it, by its base weights, so that regions have no seams.
 */
#ifndef SINEW_KIT_FIT_GUARD_H
#define SINEW_KIT_FIT_GUARD_H

#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/fit/samples.h"
#include "sinew/kit/skin/skins.h"
#include "sinew/parameter.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Folds are every so many blocks of consecutive samples in turn. To learn without each of two takes no longer than the fit. */
enum { SNK_GUARD_FOLDS = 2, SNK_GUARD_BLOCKS = 15 };

/* A fold that is left out. */
typedef struct snk_left_out {
	uint32_t fold;
	const unsigned char *folds; /* [sample_count of the guard]: the fold of each */
	uint32_t sample_count;
	const snk_sample *samples; /* the others */
} snk_left_out;

/* What a guard has found of a region, for refits: */
typedef struct snk_guard_region {
	double strength; /* 0 to 1 */
	double seen;     /* the largest distance in any sample between the sample and the layers below, metres */
} snk_guard_region;

/* Of one mesh, which has a skin. */
typedef struct snk_guard {
	const snw_host *host;
	const snw_character_view *character;
	uint32_t mesh;
	uint32_t sample_count;
	const snk_sample *samples;
	/* Where the layers below, and what was learned, put the points in a pose: [point_count][3] each. Any thread. */
	snw_status(SNW_CALL *place)(const void *learned, const snw_pose_view *pose, double *below, double *points);
	const void *learned; /* from all samples */
	/* Learns without a fold. *learned is for `place`; the pool is released before the next. Owner thread. */
	snw_status(SNW_CALL *learn_without)(const void *context, const snk_left_out *out, snw_pool *pool, const void **learned);
	const void *context;
	uint32_t block_count; /* SNK_GUARD_BLOCKS; one, as one sample: none is left out */
	double few;           /* samples that are few: after so many, half as much is trusted as after many */
	double unseen;        /* the part of what the samples have that a joint may do which they hardly rotate */
	double progress;      /* of the fit */
	/* [joint_count of the skeleton]: receives the region of each joint. NULL where the method does not refit. */
	snk_guard_region *regions;
} snk_guard;

/* A method's parameter, a row of its table. Off: the method keeps what it has learned, whatever else it costs. */
#define SNK_GUARD_SWITCH                                                                                                       \
	SNW_SWITCH("guard", "Guard",                                                                                               \
			   "Shrinks what was learned towards the layers below where left-out samples, or joints rotated alone, show that " \
			   "it is worse. Off: the samples are met as well as they can be.",                                                \
			   1, SNW_STAGE_FIT)

/* For methods that may learn anything from a few samples. */
#define SNK_GUARD_FEW 12.0

/* What was learned of the points that an unseen joint moves is from other joints. */
#define SNK_GUARD_UNSEEN 0.25

/* strengths [point_count], from 0 to 1. Says in a line what is shrunk, if anything is; with a warning if nothing is left of
 * what was learned. SNW_CANCELLED; SNW_ERROR_MEMORY; errors of the functions. Owner thread; the same bits on any number of
 * threads. */
snw_status snk_guard_find(const snk_guard *guard, double *strengths);

/* The strengths of a refit: those that a guard has found of the regions [joint_count]. A region in which no sample was away
 * from the layers below then, and one is now, counts in full until it is guarded again. Nothing is left out or rotated alone.
 * Status and threads as above. */
snw_status snk_guard_keep(const snk_guard *guard, const snk_guard_region *regions, double *strengths);

/* The regions of a mesh, one for each joint, or none, as a part of a model's bytes. A load for a skeleton with other joints has
 * none. */
void snk_guard_regions_bytes(snk_bytes *bytes, uint32_t *count, snk_guard_region **regions);

/* A skin whose weights go from those of the mesh (strength 0) to what they are (1), with at most `most` influences a point: the
 * largest, of sum 1. Points of strength 1 keep theirs to the last bit. `first_slot`: the number that the skin has for the
 * character's first slot. The pool's. SNW_ERROR_MEMORY. */
snw_status snk_guard_skin(const snw_mesh_view *mesh, const double *strengths, uint32_t most, uint32_t first_slot,
						  snw_pool *pool, snk_base_skin_mesh *skin);

#ifdef __cplusplus
}
#endif

#endif
