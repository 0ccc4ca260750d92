/* SPDX-License-Identifier: MIT
 *
 * What a fit learns from, as one list: the points of a mesh in each pose of the examples, targets and sequences.
 */
#ifndef SINEW_KIT_FIT_SAMPLES_H
#define SINEW_KIT_FIT_SAMPLES_H

#include "sinew/deformer.h"
#include "sinew/pool.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A mesh in one pose. Views are the fit's and last as long as its input. */
typedef struct snk_sample {
	const snw_pose_view *pose;
	/* [point_count][3]; one of the two is NULL. */
	const double *points_posed; /* of an example */
	const float *floats_posed;  /* of a target or a sequence */
	int continues;              /* whether it is a later moment, near or far, of the motion that the sample before it shows */
} snk_sample;

/* The position of a point in a sample, metres. */
static inline void snk_sample_point(const snk_sample *sample, uint32_t point, double dest[3]) {
	for (size_t c = 0; c < 3; c++) {
		const size_t at = (size_t)3 * point + c;
		dest[c] = sample->points_posed ? sample->points_posed[at] : (double)sample->floats_posed[at];
	}
}

/* Whether the frames of a sequence or target have no order. */
static inline int snk_is_set(const snw_sequence_view *sequence) {
	return SNW_HAS(sequence, is_set) && sequence->is_set;
}

/* The samples of a mesh that have a pose: of its examples, then of the frames of its targets, then of its sequences'.
 * Sequences without poses have none. Frames that have no order are dealt out, so that any consecutive samples are spread over
 * all of them: what holds blocks of samples out, because neighbours in time are alike, need not know of sets. *samples [*count]
 * is the pool's. Errors: SNW_ERROR_MEMORY; SNW_ERROR_LIMIT for 2³² samples or more. Any thread. */
snw_status snk_samples_gather(const snw_fit_input *input, uint32_t mesh, snw_pool *pool, snk_sample **samples, uint32_t *count);

/* Deals samples to folds [count], each fold every so many blocks of consecutive samples: neighbours in time are alike, and a
 * range of motion has most joints move for a short while only. Returns the number of folds: fewer where the samples are. */
uint32_t snk_samples_deal(uint32_t count, uint32_t block_count, uint32_t fold_count, unsigned char *folds);

/* The samples that are not of a fold; *chosen [*chosen_count] is the pool's. SNW_ERROR_MEMORY. */
snw_status snk_samples_without(const snk_sample *samples, uint32_t count, const unsigned char *folds, uint32_t fold,
							   snw_pool *pool, const snk_sample **chosen, uint32_t *chosen_count);

/* How many samples are in poses where a morph channel is not 0: they include the displacements of the character's morph
 * targets. */
uint32_t snk_samples_count_morphed(const snk_sample *samples, uint32_t count);

/* Warns, where there are any, that so many of a fit's samples are in such poses. Any thread. */
void snk_samples_warn_of_morphs(const snw_host *host, uint32_t morphed, uint32_t count);

/* The same for a fit that needs samples: SNW_ERROR_MISSING, with a message in the task, where no mesh has any. Any thread. */
snw_status snk_samples_check(const snw_host *host, uint32_t morphed, uint32_t count);

/* ---- frames, with poses or without --------------------------------------------------------------------------------------- */

/* The sequences, then the targets, that show a mesh in at least one frame. */
typedef struct snk_animations {
	uint32_t count;
	const snw_sequence_view **sequences; /* [count], the pool's */
	uint64_t frame_count;                /* of all together */
} snk_animations;

/* SNW_ERROR_MEMORY. Any thread. */
snw_status snk_animations_gather(const snw_fit_input *input, uint32_t mesh, snw_pool *pool, snk_animations *animations);

/* SNW_ERROR_DATA, with a message in the task, where a coordinate is not finite or the times do not rise. Any thread. */
snw_status snk_animation_check(const snw_host *host, const snw_sequence_view *sequence, uint32_t point_count);

/* Places in a field over SNW_DOMAIN_FRAMES: how many there are, and the first of a sequence or target of the input. */
uint64_t snk_frame_field_count(const snw_fit_input *input);
uint64_t snk_frame_field_first(const snw_fit_input *input, const snw_sequence_view *sequence);

/* ---- residuals ----------------------------------------------------------------------------------------------------------- */

/* Residuals: what the layers below leave of samples, blends and black boxes alike. A corrective that is added after them learns
 * the posed ones; one that moves the rest learns the offsets of the rest. */

/* Of one mesh. */
typedef struct snk_residuals {
	const snw_host *host;
	const snw_below_service *below;
	const snw_mesh_view *mesh;
	uint32_t mesh_index;
	int is_affine; /* the layers below are affine at each point, as far as is known */
	/* Of the last sample. */
	const snk_sample *sample;
	double *rest, *posed; /* [point_count][3] */
	double *matrices;     /* [point_count][12] */
} snk_residuals;

/* The view and the pool must outlive it. Errors: SNW_ERROR_MISSING where the host has no service `below`, SNW_ERROR_MEMORY. */
snw_status snk_residuals_open(const snw_host *host, const snw_character_view *character, uint32_t mesh, snw_pool *pool,
							  snk_residuals *residuals);

/* posed [point_count][3]: the sample's points, less where the layers below put them. Errors: those of the layers below. Owner
 * thread. */
snw_status snk_residuals_posed(snk_residuals *residuals, const snk_sample *sample, double *posed);

/* offsets [point_count][3]: the offset of each rest point with which the layers below reproduce its position in the sample. If
 * they are affine at each point, it follows from their matrices. Otherwise the matrices of the base skin approximate theirs,
 * and a few rounds correct the result. Directions that a matrix nearly flattens are not inverted: one bad sample would spoil a
 * regression. Errors: those of the layers below. Owner thread; the same bits on any number of threads. */
snw_status snk_residuals_rest(snk_residuals *residuals, const snk_sample *sample, double *offsets);

#ifdef __cplusplus
}
#endif

#endif
