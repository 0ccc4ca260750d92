/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Joints and weights: proxy joints, or those of a rig.
 */
#include "motion/animation/proxy_joints.h"
#include "sad/fit.h"
#include "sinew/kit/skin/base_skin.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

uint32_t most_influences(const mesh_fit *f) {
	return f->choice.is_dense ? USUAL_INFLUENCES : (uint32_t)f->input->values[INFLUENCES].numbers[0];
}

static snw_status choose_proxies(mesh_fit *f, uint32_t wanted) {
	if (f->held) {
		return choose_part_proxies(f, wanted);
	}
	const snw_value *values = f->input->values;
	uint32_t *centres = SNW_POOL_ARRAY(&f->current.pool, uint32_t, wanted);
	double *radii = SNW_POOL_ARRAY(&f->current.pool, double, wanted);
	double *scratch = SNW_POOL_ARRAY(&f->current.pool, double, f->motion.point_count);
	if (f->current.pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	const uint32_t count = snk_p_centre(f->motion.point_count, f->motion.points_rest, wanted, centres, radii, scratch);
	if (count == 0) {
		return snw_report_fail(f->host, SNW_ERROR_DATA,
							   "all points of mesh '%s' are in one place at rest, so there is no skin to fit",
							   f->input->character->meshes[f->mesh]->name);
	}
	if (count < wanted) {
		snw_report_line(f->host, SNW_LOG_WARNING, "mesh '%s' has room for only %u joints, not the %u asked for",
						f->input->character->meshes[f->mesh]->name, count, wanted);
	}
	return snk_proxy_weights(&f->current.pool, f->motion.point_count, f->motion.points_rest, count, centres, radii[count - 1],
							 values[RADIUS].numbers[0], most_influences(f), &f->current.influences);
}

int has_rig(const snw_mesh_view *mesh) {
	return mesh->influence_offsets && mesh->influence_offsets[mesh->point_count] > 0;
}

/* The largest weights of a point, normalised to a sum of 1; those of a point that a mask holds as they are, if there is room
 * for all. */
static uint32_t find_largest(const mesh_fit *f, uint32_t point, uint32_t most, uint32_t *slots, double *weights) {
	const snw_mesh_view *mesh = f->input->character->meshes[f->mesh];
	const uint32_t all = mesh->influence_offsets[point + 1] - mesh->influence_offsets[point];
	const uint32_t count = snk_largest_influences(mesh, point, most, slots, weights);
	double sum = 0;
	for (uint32_t k = 0; k < count; k++) {
		sum += weights[k];
	}
	for (uint32_t k = 0; k < count && !(f->held && f->held[point] && all <= most); k++) {
		weights[k] /= sum;
	}
	return count;
}

/* The rig's weights, the largest of each point; slots that move nothing of the mesh get no joint. */
static snw_status choose_rig(mesh_fit *f) {
	const snw_mesh_view *mesh = f->input->character->meshes[f->mesh];
	const uint32_t most = most_influences(f), slots = f->input->character->slot_count;
	uint32_t *offsets = SNW_POOL_ARRAY(&f->current.pool, uint32_t, (size_t)mesh->point_count + 1);
	uint32_t *joints = SNW_POOL_ARRAY(&f->current.pool, uint32_t, (size_t)most * mesh->point_count);
	double *weights = SNW_POOL_ARRAY(&f->current.pool, double, (size_t)most * mesh->point_count);
	uint32_t *joint_of = SNW_POOL_ARRAY(&f->current.pool, uint32_t, slots), count = 0;
	if (f->current.pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	memset(joint_of, 0xff, slots * sizeof *joint_of);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		offsets[i + 1] = offsets[i] + find_largest(f, i, most, joints + offsets[i], weights + offsets[i]);
		if (offsets[i + 1] == offsets[i]) {
			return snw_report_fail(
				f->host, SNW_ERROR_DATA,
				"point %u of mesh '%s' has no weights; give it some, or ask for proxy joints with joints=100", i, mesh->name);
		}
	}
	for (uint32_t k = 0; k < offsets[mesh->point_count]; k++) {
		uint32_t *joint = &joint_of[joints[k]];
		*joint = *joint == SNW_NONE ? count++ : *joint;
		joints[k] = *joint;
	}
	f->current.influences = (snk_influences){mesh->point_count, count, offsets, joints, weights};
	return lock_rig(f, joint_of);
}

snw_status count_flat_joints(mesh_fit *f) {
	snw_pool scratch = snw_pool_open(f->host);
	snk_joint_rank *ranks = SNW_POOL_ARRAY(&scratch, snk_joint_rank, f->current.influences.joint_count);
	f->current.flat_joints = ranks ? snk_joint_ranks(&f->current.graph, ranks) : 0;
	snw_pool_release(&scratch);
	return ranks ? SNW_OK : SNW_ERROR_MEMORY;
}

snw_status choose_joints(mesh_fit *f, uint32_t joint_count) {
	const double begun = snk_clock_seconds();
	snw_status status = joint_count == 0 ? choose_rig(f) : choose_proxies(f, joint_count);
	if (!snk_failed(status)) {
		status = snk_blend_graph_make(f->host, f->motion.points_rest, &f->current.influences, &f->current.graph);
		f->current.has_graph = !snk_failed(status);
	}
	status = snk_failed(status) ? status : count_flat_joints(f);
	f->seconds.joints += snk_clock_seconds() - begun;
	return status;
}
