/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Joints and weights: proxy joints, or those of a rig.
 */
#include "math/proxies.h"
#include "sad/fit.h"
#include "sinew/report.h"

static snw_status choose_proxies(mesh_fit *f) {
	const double *values = f->input->values;
	const uint32_t wanted = (uint32_t)values[JOINTS];
	uint32_t *centres = SNW_POOL_ARRAY(&f->pool, uint32_t, wanted);
	double *radii = SNW_POOL_ARRAY(&f->pool, double, wanted);
	double *scratch = SNW_POOL_ARRAY(&f->pool, double, f->motion.point_count);
	if (f->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	const uint32_t count = snw_p_centre(f->motion.point_count, f->motion.points_rest, wanted, centres, radii, scratch);
	if (count == 0) {
		return snw_report_fail(f->host, SNW_ERROR_DATA,
							   "all points of mesh '%s' are in one place at rest: there is no skin to fit",
							   f->input->character->meshes[f->mesh].name);
	}
	if (count < wanted) {
		snw_report_line(f->host, SNW_LOG_WARNING, "mesh '%s' has only %u places for joints, not the %u asked for",
						f->input->character->meshes[f->mesh].name, count, wanted);
	}
	return snw_proxy_weights(&f->pool, f->motion.point_count, f->motion.points_rest, count, centres, radii[count - 1],
							 values[RADIUS], (uint32_t)values[INFLUENCES], &f->influences);
}

snw_status choose_joints(mesh_fit *f) {
	const double begun = seconds_now();
	snw_status status = choose_proxies(f);
	if (status == SNW_OK) {
		status = snw_blend_graph_make(f->host, f->motion.points_rest, &f->influences, &f->graph);
		f->has_graph = status == SNW_OK;
	}
	f->seconds.joints += seconds_now() - begun;
	return status;
}
