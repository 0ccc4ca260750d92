/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The joints that share points, and the parts of a fit's normal equations that depend on the rest points alone: the elimination
 * order of the joints, the blocks that elimination fills in, and the second moments of the rest points for each pair of joints.
 */
#ifndef SINEW_DEFORMERS_MOTION_BLEND_GRAPH_H
#define SINEW_DEFORMERS_MOTION_BLEND_GRAPH_H

#include "motion/animation.h"
#include "sinew/pool.h"

/* A symmetric matrix of blocks, one for each pair of joints that share points or are filled in. Block k < joint_count is the
 * diagonal one of joint order[k]; the row of the others is the joint that is eliminated later. */
typedef struct snk_blend_graph {
	snw_pool pool;
	const snk_influences *influences;
	const double *points_rest;
	uint32_t joint_count;
	uint32_t block_count;
	uint32_t *order;      /* [joint_count]: the joint at each place of the elimination order */
	uint32_t *places;     /* [joint_count]: the place of each joint */
	uint32_t *offsets;    /* [joint_count + 1]: blocks below the diagonal, of the column at each place */
	uint32_t *rows;       /* [block_count − joint_count]: places, ascending in each column; of block joint_count + i */
	uint32_t *blocks;     /* [joint_count][joint_count]: the block of two places, SNW_NONE for none */
	double (*centres)[3]; /* [joint_count]: the weighted mean of its points */
	double *masses;       /* [joint_count]: Σ w */
	double (*moments)[16]; /* [block_count]: Σ w_r w_c v̂_r v̂_cᵀ, v̂ = (v − centre of the joint, 1); 0 for blocks filled in */
	uint32_t *visit; /* [point_count]: points, ordered so that consecutive ones share joints */
} snk_blend_graph;

/* SNW_ERROR_MEMORY if memory runs out. `points_rest` and `influences` must outlive the graph. */
snw_status snk_blend_graph_make(const snw_host *host, const double *points_rest, const snk_influences *influences,
								snk_blend_graph *graph);
void snk_blend_graph_drop(snk_blend_graph *graph);

/* The block of two joints; *is_transposed if it is stored with `a` as its column. */
static inline uint32_t snk_blend_graph_block(const snk_blend_graph *graph, uint32_t a, uint32_t b, int *is_transposed) {
	const uint32_t row = graph->places[a], column = graph->places[b];
	*is_transposed = row < column;
	return graph->blocks[(size_t)row * graph->joint_count + column];
}

#endif
