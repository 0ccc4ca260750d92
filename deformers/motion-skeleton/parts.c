/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rigid parts of a motion.
 */
#include <math.h>

#include "motion-skeleton/fit.h"
#include "motion/decompose/decompose.h"
#include "sinew/kit/status.h"

/* Iterations of the decomposition: more lower its error by a few percent and seldom change the tree. */
enum { ITERATIONS = 16, MORE_CLUSTERS = 4, AUTO_CLUSTERS = 64 };

static int decomposition_goes_on(void *context, double done) {
	return go_on(context, 0.05 + 0.45 * done, "finding rigid parts");
}

static int clusters_go_on(void *context, double done) {
	return go_on(context, 0.05 * done, "finding rigid parts");
}

/* The blend's motions, frame by frame. */
static void copy_parts(skeleton_fit *f, const snk_transforms *transforms) {
	for (uint32_t frame = 0; frame < f->frame_count; frame++) {
		const snk_lanes *block = snk_transforms_block(transforms, frame / SNK_LANES);
		for (uint32_t b = 0; b < f->bone_count; b++) {
			for (uint32_t k = 0; k < 12; k++) {
				f->parts[(size_t)frame * f->bone_count + b].m[k] = block[(size_t)12 * b + k][frame % SNK_LANES];
			}
		}
	}
}

static void copy_weights(skeleton_fit *f, const snk_influences *from) {
	for (uint32_t i = 0; i < f->motion.point_count; i++) {
		influence_set *set = &f->weights[i];
		double largest = -1;
		set->count = from->offsets[i + 1] - from->offsets[i];
		for (uint32_t k = 0; k < set->count; k++) {
			set->bones[k] = from->joints[from->offsets[i] + k];
			set->weights[k] = from->weights[from->offsets[i] + k];
			if (set->weights[k] > largest) {
				largest = set->weights[k];
				f->labels[i] = set->bones[k];
			}
		}
	}
}

snw_status refine_parts(skeleton_fit *f) {
	snk_influences start;
	snw_status status = snk_cluster_influences(&f->pool, f->motion.point_count, f->bone_count, f->labels, &start);
	if (snk_failed(status)) {
		return status;
	}
	const snk_decompose_options options = {.host = f->host,
										   .motion = &f->motion,
										   .kind = SNK_TRANSFORMS_RIGID,
										   .joint_count = f->bone_count,
										   .influences = (uint32_t)f->input->values[INFLUENCES].numbers[0],
										   .iterations = ITERATIONS,
										   .steps = {decomposition_goes_on, f}};
	snk_decomposition found;
	status = snk_decompose(&options, 1, &start, &f->pool, &found);
	if (snk_failed(status) || f->stopped) {
		return snk_failed(status) ? status : SNW_CANCELLED;
	}
	f->parts_rms = sqrt(found.squares / ((double)f->motion.point_count * f->frame_count));
	copy_parts(f, &found.transforms);
	copy_weights(f, &found.influences);
	return SNW_OK;
}

/* Starts with more clusters than bones, and merges those that move alike. */
static snw_status find_labels(skeleton_fit *f) {
	const uint32_t points = f->motion.point_count, wanted = (uint32_t)f->input->values[BONES].numbers[0];
	const uint32_t spare = wanted == BONES_AUTO ? AUTO_CLUSTERS : 2 * wanted + MORE_CLUSTERS;
	const uint32_t clusters = spare < points ? spare : points;
	const snk_steps steps = {clusters_go_on, f};
	const snw_status status = snk_motion_clusters(f->host, &f->motion, clusters, &steps, f->labels);
	return snk_failed(status) ? status : merge_labels(f, clusters, wanted < clusters ? wanted : clusters);
}

snw_status open_points(skeleton_fit *f) {
	const uint32_t points = f->motion.point_count;
	f->labels = SNW_POOL_ARRAY(&f->pool, uint32_t, points);
	f->weights = SNW_POOL_ARRAY(&f->pool, influence_set, points);
	f->next = SNW_POOL_ARRAY(&f->pool, influence_set, points);
	return f->pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
}

snw_status open_motions(skeleton_fit *f) {
	const size_t motions = (size_t)f->frame_count * f->bone_count;
	f->parts = SNW_POOL_ARRAY(&f->pool, rigid, motions);
	f->motions = SNW_POOL_ARRAY(&f->pool, rigid, motions);
	f->bodies = SNW_POOL_ARRAY(&f->pool, rigid, f->frame_count);
	f->squares = SNW_POOL_ARRAY(&f->pool, double, f->frame_count);
	return f->pool.failed ? SNW_ERROR_MEMORY : SNW_OK;
}

snw_status find_parts(skeleton_fit *f) {
	snw_status status = open_points(f);
	status = snk_failed(status) ? status : find_labels(f);
	status = snk_failed(status) ? status : open_motions(f);
	return snk_failed(status) ? status : refine_parts(f);
}
