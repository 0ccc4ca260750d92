/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What there is to say about a fit: lines for the log, and fields for the window.
 */
#include <math.h>
#include <stdio.h>

#include "sad/fit.h"
#include "sinew/report.h"

static void propose_points(const mesh_fit *f, const char *name, const double *values) {
	const snw_proposal_service *proposal = f->host->service(f->host, SNW_SERVICE_PROPOSAL);
	if (proposal) {
		const snw_field_view field = {.size = sizeof field,
									  .name = name,
									  .domain = SNW_DOMAIN_POINTS,
									  .components = 1,
									  .count = f->motion.point_count,
									  .values = values};
		proposal->field(f->host, f->mesh, &field);
	}
}

/* Where a sequence's frames begin among those of all sequences in turn, then of all targets. */
static uint32_t first_frame(const snw_fit_input *input, const snw_sequence_view *sequence) {
	uint32_t first = 0;
	for (uint32_t i = 0; i < input->sequence_count; i++) {
		if (input->sequences[i] == sequence) {
			return first;
		}
		first += input->sequences[i]->frame_count;
	}
	for (uint32_t i = 0; input->targets[i] != sequence; i++) {
		first += input->targets[i]->frame_count;
	}
	return first;
}

void note_frame_errors(const mesh_fit *f, double *errors) {
	uint32_t at = 0;
	for (uint32_t s = 0; s < f->sequence_count; s++) {
		double *to = errors + first_frame(f->input, f->sequences[s]);
		for (uint32_t frame = 0; frame < f->sequences[s]->frame_count; frame++) {
			to[frame] = sqrt(f->now.squares[at++] / f->motion.point_count);
		}
	}
}

void propose_frame_errors(const snw_host *host, uint32_t count, const double *errors) {
	const snw_proposal_service *proposal = host->service(host, SNW_SERVICE_PROPOSAL);
	if (proposal && count > 0) {
		const snw_field_view field = {.size = sizeof field,
									  .name = "error-over-time",
									  .domain = SNW_DOMAIN_FRAMES,
									  .components = 1,
									  .count = count,
									  .values = errors};
		proposal->field(host, 0, &field);
	}
}

snw_status report_stop(const mesh_fit *f) {
	const uint32_t joints = f->now.influences.joint_count;
	if (seeks_joint_count(f)) {
		return snw_report_fail(
			f->host, SNW_NOT_CONVERGED,
			"stopped while it sought the number of joints: %u leave %.4g %%, %s the %g %% asked for: this is the best "
			"so far",
			joints, f->now.left, misses_error(f, &f->now) ? "more than" : "within", f->input->values[ERROR].numbers[0]);
	}
	return snw_report_fail(f->host, SNW_NOT_CONVERGED, "stopped after %u refinements: this is the best so far",
						   f->now.refinements);
}

void report_mesh(const mesh_fit *f) {
	const char *name = f->input->character->meshes[f->mesh]->name;
	char distortion[40] = "nothing moves";
	if (isfinite(f->now.distortion)) {
		snprintf(distortion, sizeof distortion, "distortion %.4g %%", f->now.distortion);
	}
	const uint32_t joints = f->now.influences.joint_count, frames = f->motion.frame_count;
	snw_report_line(f->host, SNW_LOG_INFO, "mesh '%s': %u joint%s, %u frame%s: E_RMS %.4g, %s", name, joints,
					joints == 1 ? "" : "s", frames, frames == 1 ? "" : "s", f->now.erms, distortion);
	const part_seconds *t = &f->seconds;
	snw_report_line(
		f->host, SNW_LOG_INFO,
		"mesh '%s': seconds: reading %.3f, joints %.3f, transforms %.3f, steps %.3f, refining %.3f (%u times), details %.3f, "
		"normals %.3f, measuring %.3f",
		name, t->reading, t->joints, t->transforms, t->steps, t->refining, f->now.refinements, t->details, t->normals,
		t->measuring);
	if (f->normal_angle >= 0) {
		snw_report_line(f->host, SNW_LOG_INFO,
						"mesh '%s': normals by transforms of their own%s: %.3g degrees off on average (RMS)", name,
						f->normal_details.count > 0 ? ", with eigen-displacements" : "", f->normal_angle * 57.29577951308232);
	}
	if (f->now.flat_joints > 0) {
		snw_report_line(f->host, SNW_LOG_INFO,
						"mesh '%s': %u of the joints with points that are few, on a line or in a plane: what these leave open "
						"follows their "
						"neighbours",
						name, f->now.flat_joints);
	}
	propose_points(f, "residual", f->now.residuals);
}
