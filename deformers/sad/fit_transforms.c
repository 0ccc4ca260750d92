/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fit for one number of joints.
 */
#include "sad/fit.h"
#include "sinew/kit/status.h"

enum { ROUNDS = 12 };
static const double least_gain = 2e-3;

void open_joints(const snw_host *host, joints_fit *fit) {
	*fit = (joints_fit){.pool = snw_pool_open(host)};
}

void drop_joints(joints_fit *fit) {
	const snw_host *host = fit->pool.host;
	if (fit->has_graph) {
		snk_blend_graph_drop(&fit->graph);
	}
	snw_pool_release(&fit->pool);
	open_joints(host, fit);
}

/* ---- transforms ---------------------------------------------------------------------------------------------------------- */

/* The linear system minimises the algebraic error; steps on the distance follow. */
static snw_status step_closer(mesh_fit *f, snk_transform_fit how) {
	const double begun = snk_clock_seconds();
	how.linear_only = 0;
	how.warm = 1;
	how.steps = begin_part(f, closer_from, f->choice.refinements == 0 ? details_from : refining_from, "refining transforms");
	const snw_status status = snk_transforms_fit(&how, &f->current.transforms);
	f->seconds.steps += snk_clock_seconds() - begun;
	return snk_failed(status) ? status : status_of_stop(f);
}

static snw_status fit_transforms(mesh_fit *f) {
	const double begun = snk_clock_seconds();
	const snk_transform_kind kind = f->choice.kind;
	const snk_transform_fit how = {.host = f->host,
								   .motion = &f->motion,
								   .graph = &f->current.graph,
								   .rounds = ROUNDS,
								   .enough = least_gain,
								   .locked = f->current.locked,
								   .linear_only = 1};
	snw_status status =
		snk_transforms_make(&f->current.pool, kind, f->current.influences.joint_count, &f->motion, &f->current.transforms);
	if (!snk_failed(status)) {
		put_given(f);
		status = snk_transforms_fit(&how, &f->current.transforms);
	}
	f->current.has_transforms = !snk_failed(status);
	f->seconds.transforms += snk_clock_seconds() - begun;
	if (!snk_failed(status) && kind == SNK_TRANSFORMS_DUAL_QUATERNION) {
		status = go_on(f, closer_from, "refining transforms");
		status = !snk_failed(status) && has_time(f) ? step_closer(f, how) : status;
	}
	return status;
}

/* ---- eigen-displacements ------------------------------------------------------------------------------------------------- */

static snw_status find_details(mesh_fit *f) {
	const double begun = snk_clock_seconds();
	const uint32_t wanted = (uint32_t)f->input->values[EIGEN].numbers[0];
	f->current.details.count = 0;
	if (wanted == 0) {
		return SNW_OK;
	}
	const snk_steps steps = begin_part(f, details_from, 1, "fitting eigen-displacements");
	const snw_status status = snk_eigen_details_of_points(f->host, &f->motion, &f->current.influences, &f->current.transforms,
														  wanted, &steps, &f->current.pool, &f->current.details);
	f->seconds.details += snk_clock_seconds() - begun;
	return status == SNW_CANCELLED ? status_of_stop(f) : status;
}

/* ---- all parts ----------------------------------------------------------------------------------------------------------- */

snw_status fit_joints(mesh_fit *f, uint32_t joint_count) {
	drop_joints(&f->current);
	snw_status status = choose_joints(f, joint_count);
	status = snk_failed(status) ? status : go_on(f, 0.05, "fitting transforms");
	status = snk_failed(status) ? status : fit_transforms(f);
	status = snk_failed(status) ? status : refine_fit(f);
	status = snk_failed(status) ? status : find_details(f);
	return snk_failed(status) ? status : measure_fit(f);
}
