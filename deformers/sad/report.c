/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report of a fit: lines for the log, and fields for the window.
 */
#include <math.h>
#include <stdio.h>

#include "sad/fit.h"
#include "sinew/kit/fit/fields.h"
#include "sinew/report.h"

void write_frame_errors(const mesh_fit *f, double *errors) {
	uint32_t at = 0;
	for (uint32_t s = 0; s < f->animations.count; s++) {
		double *to = errors + snk_frame_field_first(f->input, f->animations.sequences[s]);
		for (uint32_t frame = 0; frame < f->animations.sequences[s]->frame_count; frame++) {
			to[frame] = sqrt(f->current.squares[at++] / f->motion.point_count);
		}
	}
}

snw_status report_stop(const mesh_fit *f) {
	const uint32_t joints = f->current.influences.joint_count;
	if (seeks_joint_count(f)) {
		return snw_report_fail(f->host, SNW_NOT_CONVERGED,
							   "stopped while choosing the number of joints; kept the best so far: %u joints leave %.4g %%, %s "
							   "the %g %% asked for",
							   joints, f->current.error_percent, misses_error(f, &f->current) ? "more than" : "within",
							   f->input->values[ERROR].numbers[0]);
	}
	return snw_report_fail(f->host, SNW_NOT_CONVERGED, "stopped after %u refinements; kept the best so far",
						   f->current.refinements);
}

static void report_seconds(const mesh_fit *f, const char *mesh) {
	const part_seconds *t = &f->seconds;
	const snw_measured_number numbers[] = {
		{"reading", t->reading, "s"}, {"joints", t->joints, "s"},     {"transforms", t->transforms, "s"},
		{"steps", t->steps, "s"},     {"refining", t->refining, "s"}, {"refinements", f->current.refinements, ""},
		{"details", t->details, "s"}, {"normals", t->normals, "s"},   {"measuring", t->measuring, "s"}};
	char subject[200];
	snprintf(subject, sizeof subject, "mesh '%s': time", mesh);
	snw_report_measurements(f->host, subject, numbers, sizeof numbers / sizeof *numbers);
}

/* Whether the bound on the largest distance holds, if there is one. */
static void report_largest(const mesh_fit *f, const char *mesh) {
	const double wanted = f->input->values[LARGEST].numbers[0], reached = f->current.largest;
	if (wanted > 0 && reached > wanted) {
		snw_report_line(
			f->host, SNW_LOG_WARNING,
			"mesh '%s': the largest distance is %.4g %% of the diagonal, more than the %g %% asked for; more joints or a "
			"higher 'refine' reduce it",
			mesh, reached, wanted);
	} else if (wanted > 0) {
		snw_report_line(f->host, SNW_LOG_INFO, "mesh '%s': the largest distance is %.4g %% of the diagonal", mesh, reached);
	}
}

/* Smoothness acts where weights are refined. */
static void report_unused(const mesh_fit *f, const char *mesh) {
	if (f->input->values[SMOOTHNESS].numbers[0] > 0 && f->choice.refinements == 0) {
		snw_report_line(f->host, SNW_LOG_WARNING, "mesh '%s': smoothness has no effect without refine; add 'refine=auto'",
						mesh);
	}
}

void report_mesh(const mesh_fit *f) {
	const char *name = f->input->character->meshes[f->mesh]->name;
	char distortion[40] = "nothing moves";
	if (isfinite(f->current.distortion)) {
		snprintf(distortion, sizeof distortion, "distortion %.4g %%", f->current.distortion);
	}
	const uint32_t joints = f->current.influences.joint_count, frames = f->motion.frame_count;
	snw_report_line(f->host, SNW_LOG_INFO, "mesh '%s': %u joint%s, %u frame%s: E_RMS %.4g, %s", name, joints,
					joints == 1 ? "" : "s", frames, frames == 1 ? "" : "s", f->current.erms, distortion);
	report_largest(f, name);
	report_unused(f, name);
	report_seconds(f, name);
	if (f->normal_angle >= 0) {
		snw_report_line(f->host, SNW_LOG_INFO,
						"mesh '%s': normals with separate transforms%s: %.3g degrees off on average (RMS)", name,
						f->normal_details.count > 0 ? ", with eigen-displacements" : "", f->normal_angle * 57.29577951308232);
	}
	if (f->current.flat_joints > 0) {
		snw_report_line(f->host, SNW_LOG_INFO,
						"mesh '%s': %u joints have too few points, or points on a line or in a plane; what these do not "
						"determine follows the neighbouring joints",
						name, f->current.flat_joints);
	}
	snk_field_propose(f->host, f->mesh, "residual", SNW_DOMAIN_POINTS, f->motion.point_count, f->current.residuals);
}
