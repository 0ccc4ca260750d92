/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The offset of each rest point with which the layers below reproduce its position in a sample.
 */
#include "pose-regression/fit.h"
#include "sinew/kit/fit/residuals.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

static void keep_offsets(const mesh_fit *f, uint32_t sample, const double *offsets) {
	for (size_t i = 0; i < f->mesh->point_count; i++) {
		for (size_t c = 0; c < 3; c++) {
			f->offsets[3 * (i * f->sample_count + sample) + c] = (float)offsets[3 * i + c];
		}
	}
}

snw_status find_offsets(mesh_fit *f, double progress, double share) {
	snw_pool pool = snw_pool_open(f->host);
	snk_residuals residuals;
	snw_status status = snk_residuals_open(f->host, f->input->character, f->mesh_index, &pool, &residuals);
	double *offsets = SNW_POOL_ARRAY(&pool, double, 3 * (size_t)f->mesh->point_count);
	if (status == SNW_ERROR_MISSING) {
		snw_report_fail(f->host, status, "this host lacks the service sinew.below, which pose-regression needs");
	}
	status = snk_failed(status) || offsets ? status : SNW_ERROR_MEMORY;
	for (uint32_t s = 0; !snk_failed(status) && s < f->sample_count; s++) {
		status = snw_report_progress(f->host, progress + share * s / f->sample_count, "inverting samples")
					 ? snk_residuals_rest(&residuals, &f->samples[s], offsets)
					 : SNW_CANCELLED;
		if (status == SNW_OK) {
			keep_offsets(f, s, offsets);
		}
	}
	snw_pool_release(&pool);
	return status;
}
