/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The directions of a joint's motion that its points do not determine.
 */
#include <string.h>

#include "motion/transforms/transforms.h"
#include "sinew/kit/numerics/svd3.h"

/* Relative to the squared spread: below flat_ratio a direction counts as missing and is held with `strong`; otherwise with
 * `weak`, which is far above rounding errors and far below visible ones. */
static const double flat_ratio = 1e-4, strong = 1e-3, weak = 1e-9;

static void find_spread(const double *moment, double covariance[9]) {
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			covariance[3 * r + c] = moment[15] > 0 ? moment[4 * r + c] / moment[15] -
														 moment[4 * r + 3] * moment[4 * c + 3] / (moment[15] * moment[15])
												   : 0;
		}
	}
}

/* The mean squared spread of all points, for joints without points. */
static double spread_of_all(const snk_blend_graph *graph) {
	double sum = 0, mean[3] = {0, 0, 0};
	const uint32_t count = graph->influences->point_count;
	for (size_t i = 0; i < 3 * (size_t)count; i++) {
		mean[i % 3] += graph->points_rest[i] / count;
		sum += graph->points_rest[i] * graph->points_rest[i] / count;
	}
	sum -= mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2];
	return sum > 0 ? sum : 1;
}

uint32_t snk_joint_ranks(const snk_blend_graph *graph, snk_joint_rank *ranks) {
	const double whole = spread_of_all(graph);
	uint32_t flat = 0;
	for (uint32_t j = 0; j < graph->joint_count; j++) {
		const double *moment = graph->moments[graph->places[j]];
		const double mass = moment[15] > 0 ? moment[15] : 1;
		double covariance[9];
		snk_svd3 svd;
		find_spread(moment, covariance);
		snk_svd3_compute(covariance, &svd);
		snk_joint_rank *rank = &ranks[j];
		memset(rank, 0, sizeof *rank);
		const int none = !(svd.s[0] > 1e-14 * whole);
		rank->size = none ? 1e-4 * whole : svd.s[0];
		rank->flat = none || svd.s[2] < flat_ratio * svd.s[0];
		rank->collinear = none || svd.s[1] < flat_ratio * svd.s[0];
		flat += (uint32_t)rank->flat;
		for (int k = 0; k < 3; k++) {
			const double strength = mass * rank->size * (none || svd.s[k] < flat_ratio * svd.s[0] ? strong : weak);
			for (int r = 0; r < 3; r++) {
				for (int c = 0; c < 3; c++) {
					rank->metric[4 * r + c] += strength * svd.v[3 * r + k] * svd.v[3 * c + k];
				}
			}
		}
		rank->metric[15] = mass * weak;
	}
	return flat;
}
