/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cone's part of drive: poses are compared by the way that leads to them from rest.
 */
#include <string.h>

#include "inverse-psd/inverse-psd.h"

uint32_t rest_pose(const pose_space *group) {
	return group->coefficient_count;
}

size_t way_count(const pose_space *group) {
	return group->kernel == SNK_KERNEL_CONE
			   ? (size_t)group->joint_count * (SNK_POSE_COORDINATES + 1) * snk_pose_stride(group->pose_count)
			   : 0;
}

/* The coordinates of a joint at a pose, minus those at rest. There only translation and scale are not 0, and these are features
 * as they are. */
static void find_way(const pose_space *group, uint32_t joint, const double *rotation_vector, const double *here,
					 double way[SNK_POSE_COORDINATES]) {
	const size_t stride = snk_pose_stride(group->pose_count);
	const double *features = group->features + SNK_POSE_FEATURES * stride * joint + rest_pose(group);
	snk_pose_coordinates(&group->metrics[joint], rotation_vector, here, way);
	for (size_t c = 3; c < SNK_POSE_COORDINATES; c++) {
		way[c] -= features[(SNK_POSE_FEATURES - SNK_POSE_COORDINATES + c) * stride];
	}
}

void group_ways(const pose_space *group, double *ways) {
	const size_t stride = snk_pose_stride(group->pose_count), joints = group->joint_count;
	for (size_t j = 0; way_count(group) > 0 && j < joints; j++) {
		double *rows = ways + (SNK_POSE_COORDINATES + 1) * stride * j;
		memset(rows, 0, (SNK_POSE_COORDINATES + 1) * stride * sizeof *rows);
		for (size_t p = 0; p < group->pose_count; p++) {
			double here[SNK_POSE_FEATURES], way[SNK_POSE_COORDINATES];
			for (size_t f = 0; f < SNK_POSE_FEATURES; f++) {
				here[f] = group->features[(SNK_POSE_FEATURES * j + f) * stride + p];
			}
			find_way(group, (uint32_t)j, group->rotation_vectors + 3 * (p * joints + j), here, way);
			for (size_t c = 0; c < SNK_POSE_COORDINATES; c++) {
				rows[c * stride + p] = way[c];
				rows[SNK_POSE_COORDINATES * stride + p] += way[c] * way[c];
			}
		}
	}
}

double joint_products(const pose_space *group, uint32_t joint, const double *rotation_vector, const double *here,
					  double *products) {
	const size_t stride = snk_pose_stride(group->pose_count);
	const double *rows = group->ways + (SNK_POSE_COORDINATES + 1) * stride * joint;
	double way[SNK_POSE_COORDINATES], squared = 0;
	find_way(group, joint, rotation_vector, here, way);
	memset(products, 0, stride * sizeof *products);
	for (size_t c = 0; c < SNK_POSE_COORDINATES; c++) {
		squared += way[c] * way[c];
		for (size_t p = 0; p < stride; p++) {
			products[p] += way[c] * rows[c * stride + p];
		}
	}
	return squared;
}

void cone_terms(const pose_space *group, const double *shares, const double *products, const double *squared_lengths,
				double *terms) {
	const size_t stride = snk_pose_stride(group->pose_count);
	double squared = 0;
	for (size_t j = 0; j < group->joint_count; j++) {
		squared += shares[j] * squared_lengths[j];
	}
	for (size_t p = 0; p < group->pose_count; p++) {
		double product = 0, other = 0;
		for (size_t j = 0; j < group->joint_count; j++) {
			const double *rows = group->ways + (SNK_POSE_COORDINATES + 1) * stride * j;
			product += shares[j] * products[j * stride + p];
			other += shares[j] * rows[SNK_POSE_COORDINATES * stride + p];
		}
		terms[p] = snk_cone_value(group->width, squared, other, product);
	}
}
