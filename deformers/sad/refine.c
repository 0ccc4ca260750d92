/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Beyond the paper: weights and transforms fitted to each other.
 */
#include "motion/decompose/decompose.h"
#include "sad/fit.h"
#include "sinew/kit/bounds.h"
#include "sinew/kit/status.h"

static const double of_clusters = 0.05; /* of the fit for a number of joints */

/* Clusters of points that move together. */
static snw_status start_from_clusters(mesh_fit *f, snk_influences *start) {
	const uint32_t points = f->motion.point_count, joints = f->current.influences.joint_count;
	uint32_t *clusters = SNW_POOL_ARRAY(&f->current.pool, uint32_t, points);
	if (!clusters) {
		return SNW_ERROR_MEMORY;
	}
	const snk_steps steps = begin_part(f, refining_from, refining_from + of_clusters, "finding clusters");
	const snw_status status = snk_motion_clusters(f->host, &f->motion, joints, &steps, clusters);
	return snk_failed(status) ? status : snk_cluster_influences(&f->current.pool, points, joints, clusters, start);
}

static snw_status rebuild_graph(mesh_fit *f) {
	snk_blend_graph_drop(&f->current.graph);
	const snw_status status = snk_blend_graph_make(f->host, f->motion.points_rest, &f->current.influences, &f->current.graph);
	f->current.has_graph = !snk_failed(status);
	return snk_failed(status) ? status : count_flat_joints(f);
}

/* Where weights of all joints follow, few iterations. */
static uint32_t iterations_of(const mesh_fit *f) {
	return f->choice.is_dense ? REFINE_FEW : f->choice.refinements < 0 ? 0 : (uint32_t)f->choice.refinements;
}

static snw_status decompose(mesh_fit *f, uint32_t count, const snk_influences *starts) {
	const snw_value *values = f->input->values;
	const double diagonal = snk_bounds_diagonal(f->motion.points_rest, f->motion.point_count);
	const double smoothness = values[SMOOTHNESS].numbers[0], largest = values[LARGEST].numbers[0];
	const snk_decompose_options options = {
		.host = f->host,
		.motion = &f->motion,
		.kind = f->current.transforms.kind,
		.joint_count = f->current.influences.joint_count,
		.influences = most_influences(f),
		.iterations = iterations_of(f),
		.smoothness = smoothness * f->motion.frame_count * diagonal * diagonal,
		.adjacency = smoothness > 0 ? &f->adjacency : NULL,
		.largest = largest / 100 * diagonal,
		.held = f->held,
		.locked = f->current.locked,
		.given = f->current.given,
		.steps = begin_part(f, refining_from + of_clusters, f->choice.is_dense ? dense_from : details_from, "refining")};
	snk_decomposition found;
	const snw_status status = snk_decompose(&options, count, starts, &f->current.pool, &found);
	if (snk_failed(status)) {
		return status;
	}
	f->current.refinements = found.iterations;
	const int has_other_aims = smoothness > 0 || largest > 0;
	if (!has_other_aims && !(found.squares < f->current.transforms.squares)) {
		return SNW_OK;
	}
	f->current.influences = found.influences;
	f->current.transforms = found.transforms;
	return rebuild_graph(f);
}

snw_status refine_fit(mesh_fit *f) {
	const double begun = snk_clock_seconds();
	const int start = f->choice.start;
	if (f->choice.refinements == 0 || f->stopped_at > 0) {
		return SNW_OK;
	}
	const snk_influences proxies = f->current.influences;
	snk_influences starts[2];
	uint32_t count = 0;
	snw_status status = SNW_OK;
	if (start != START_CLUSTERS || f->held || f->current.locked) {
		starts[count++] = f->current.influences;
	}
	/* Clusters know neither the weights that held points keep nor the places of locked joints. */
	if (start != START_P_CENTRE && !f->held && !f->current.locked) {
		status = start_from_clusters(f, &starts[count++]);
	}
	status = snk_failed(status) ? status : decompose(f, count, starts);
	if (!snk_failed(status) && f->choice.is_dense) {
		status = fit_dense(f, &proxies);
	}
	f->seconds.refining += snk_clock_seconds() - begun;
	return status == SNW_CANCELLED ? status_of_stop(f) : status;
}
