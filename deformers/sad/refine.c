/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Beyond the paper: weights and transforms fitted to each other.
 */
#include "math/decompose.h"
#include "sad/fit.h"
#include "sinew/report.h"

static int go_on(void *context, double fraction) {
	const mesh_fit *f = context;
	const double meshes = f->input->character->mesh_count;
	return snw_report_progress(f->host, (f->mesh + 0.3 + 0.6 * fraction) / meshes, "refining");
}

/* Clusters of points that move as one. */
static snw_status start_from_clusters(mesh_fit *f, snw_influences *start) {
	const uint32_t points = f->motion.point_count, joints = f->influences.joint_count;
	uint32_t *clusters = SNW_POOL_ARRAY(&f->found, uint32_t, points);
	if (!clusters) {
		return SNW_ERROR_MEMORY;
	}
	snw_status status = snw_motion_clusters(f->host, &f->motion, joints, clusters);
	return status == SNW_OK ? snw_cluster_influences(&f->found, points, joints, clusters, start) : status;
}

static snw_status rebuild_graph(mesh_fit *f) {
	snw_blend_graph_drop(&f->graph);
	const snw_status status = snw_blend_graph_make(f->host, f->motion.points_rest, &f->influences, &f->graph);
	f->has_graph = status == SNW_OK;
	return status == SNW_OK ? count_flat_joints(f) : status;
}

snw_status refine_fit(mesh_fit *f) {
	const double begun = seconds_now(), asked = f->input->values[REFINE];
	if (asked == 0 || f->in_a_hurry) {
		return SNW_OK;
	}
	const snw_decompose_options options = {
		.host = f->host,
		.motion = &f->motion,
		.kind = f->transforms.kind,
		.joint_count = f->influences.joint_count,
		.influences = (uint32_t)f->input->values[INFLUENCES],
		.iterations = asked < 0 ? 0 : (uint32_t)asked,
		.go_on = go_on,
		.context = f,
	};
	const double from = f->input->values[START];
	snw_influences starts[2];
	uint32_t count = 0;
	snw_decomposition found = {.squares = 0};
	snw_status status = SNW_OK;
	if (from != START_CLUSTERS) {
		starts[count++] = f->influences;
	}
	if (from != START_P_CENTRE) {
		status = start_from_clusters(f, &starts[count++]);
	}
	status = status == SNW_OK ? snw_decompose(&options, count, starts, &f->found, &found) : status;
	if (status == SNW_OK) {
		f->refinements = found.iterations;
		f->stopped = found.stopped;
		if (found.squares < f->transforms.squares) {
			f->influences = found.influences;
			f->transforms = found.transforms;
			status = rebuild_graph(f);
		}
	}
	f->seconds.refining += seconds_now() - begun;
	return status;
}
