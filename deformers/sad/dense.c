/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Weights of all joints at every point. Normals are then those of the posed faces, and no joint lacks points.
 */
#include "motion/dense/dense.h"

#include "sad/fit.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

snw_status fit_dense(mesh_fit *f, const snk_influences *others) {
	const snk_dense_options options = {.host = f->host,
									   .motion = &f->motion,
									   .joint_count = f->current.influences.joint_count,
									   .iterations = f->choice.refinements < 0 ? 0 : (uint32_t)f->choice.refinements,
									   .steps = begin_part(f, dense_from, details_from, "fitting dense weights")};
	if (options.joint_count > SNK_DENSE_JOINTS) {
		return snw_report_fail(f->host, SNW_ERROR_LIMIT,
							   "influences=all takes at most %d joints, and mesh '%s' is to have %u; set joints=",
							   SNK_DENSE_JOINTS, f->input->character->meshes[f->mesh]->name, options.joint_count);
	}
	snk_dense_fit found;
	const snk_influences starts[] = {f->current.influences, *others};
	const snw_status status = snk_dense_decompose(&options, 2, starts, &f->current.pool, &found);
	if (snk_failed(status)) {
		return status;
	}
	f->current.refinements = found.iterations;
	f->current.influences = found.influences;
	f->current.transforms = found.transforms;
	f->current.flat_joints = 0;
	return SNW_OK;
}
