/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is wrong with the samples, in words: joints that never move, poses that contradict each other, targets beside their
 * skeleton, scaled joints, and triangles without area or on their other side. The fit goes on with all of them.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rotational-regression/fit.h"
#include "sinew/algebra.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

enum { MOST_COMPARED = 200 /* samples, each with each */, MOST_NAMED = 4, NAME_BYTES = 240 };

/* Radians; and parts of the diagonal, and of a length. */
static const double never = 1e-3, same_pose = 1e-3, contradiction = 2e-3, drift = 0.03, scaled = 0.01;

int report_check(const mesh_fit *f) {
	return snw_report_progress(f->host, f->progress, "checking samples");
}

static double distance_between(const mesh_fit *f, const snk_sample *a, const snk_sample *b) {
	double squares = 0;
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		double x[3], y[3];
		snk_sample_point(a, i, x);
		snk_sample_point(b, i, y);
		squares += snw_squared_distance3(x, y);
	}
	return sqrt(squares / f->mesh->point_count);
}

static int are_alike(const snw_pose_view *a, const snw_pose_view *b) {
	int alike = 1;
	for (uint32_t i = 0; alike && i < 12 * a->joint_count; i++) {
		alike = fabs(a->global[i] - b->global[i]) < same_pose;
	}
	return alike;
}

static snw_status check_contradictions(const mesh_fit *f) {
	const uint32_t count = f->sample_count < MOST_COMPARED ? f->sample_count : MOST_COMPARED;
	uint32_t pairs = 0;
	double most = 0;
	for (uint32_t a = 0; a < count; a++) {
		if (!report_check(f)) {
			return SNW_CANCELLED;
		}
		for (uint32_t b = 0; b < a; b++) {
			if (are_alike(f->samples[a].pose, f->samples[b].pose)) {
				const double distance = distance_between(f, &f->samples[a], &f->samples[b]);
				pairs += distance > contradiction * f->diagonal;
				most = fmax(most, distance);
			}
		}
	}
	if (pairs > 0) {
		snw_report_line(
			f->host, SNW_LOG_WARNING,
			"mesh '%s': %u pairs of samples have the same pose and other points, up to %.3g mm apart; the fit takes "
			"the mean, so remove the wrong ones",
			f->mesh->name, pairs, 1e3 * most);
	}
	return SNW_OK;
}

/* The mean distance between a sample and the learned blend. */
static double offset_of(const mesh_fit *f, const snk_sample *sample) {
	const snk_base_skin_mesh *skin = &f->dest->skin;
	double sum[3] = {0};
	for (uint32_t i = 0; i < f->mesh->point_count; i++) {
		double posed[3], blended[3];
		snk_sample_point(sample, i, posed);
		snk_blend_point(skin->offsets, skin->slots, skin->weights, sample->pose->palette, i,
						f->mesh->points_rest + 3 * (size_t)i, blended);
		for (int c = 0; c < 3; c++) {
			sum[c] += posed[c] - blended[c];
		}
	}
	return snw_length3(sum) / f->mesh->point_count;
}

static snw_status check_drift(const mesh_fit *f) {
	uint32_t count = 0;
	double most = 0;
	for (uint32_t s = 0; s < f->sample_count; s++) {
		if (!report_check(f)) {
			return SNW_CANCELLED;
		}
		const double offset = offset_of(f, &f->samples[s]);
		count += offset > drift * f->diagonal;
		most = fmax(most, offset);
	}
	if (count > 0) {
		snw_report_line(
			f->host, SNW_LOG_WARNING,
			"mesh '%s': %u of %u samples are beside their skeleton, by up to %.3g m; check that the target belongs to "
			"the clip, and its frames per second",
			f->mesh->name, count, f->sample_count, most);
	}
	return SNW_OK;
}

static int is_scaled(const double matrix[12]) {
	int found = 0;
	for (int c = 0; c < 3; c++) {
		const double column[3] = {matrix[c], matrix[4 + c], matrix[8 + c]};
		const double other[3] = {matrix[(c + 1) % 3], matrix[4 + (c + 1) % 3], matrix[8 + (c + 1) % 3]};
		found |= fabs(snw_length3(column) - 1) > scaled || fabs(snw_dot3(column, other)) > scaled;
	}
	return found;
}

static void check_scale(const mesh_fit *f) {
	uint32_t count = 0;
	for (uint32_t s = 0; s < f->sample_count; s++) {
		const snw_pose_view *pose = f->samples[s].pose;
		int found = 0;
		for (uint32_t k = 0; k < pose->slot_count; k++) {
			found |= is_scaled(pose->palette + 12 * (size_t)k);
		}
		count += (uint32_t)found;
	}
	if (count > 0) {
		snw_report_line(
			f->host, SNW_LOG_WARNING,
			"mesh '%s': joints are scaled or sheared in %u of %u samples; gradients follow rotations alone, so the mesh "
			"is scaled by its learned blend only",
			f->mesh->name, count, f->sample_count);
	}
}

static int moves(const mesh_fit *f, uint32_t joint) {
	const double *first = f->posed[joint].vector;
	int found = 0;
	for (uint32_t s = 1; s < f->sample_count; s++) {
		found |= snw_squared_distance3(first, f->posed[(size_t)s * f->model->joint_count + joint].vector) > never * never;
	}
	return found;
}

/* Of the joints that move points. */
static void check_joints(const mesh_fit *f) {
	const snw_character_view *character = f->input->character;
	char names[NAME_BYTES] = "";
	uint32_t count = 0;
	for (uint32_t j = 0; j < f->model->joint_count; j++) {
		int is_used = 0;
		for (uint32_t k = 0; k < f->dest->skin.offsets[f->mesh->point_count]; k++) {
			is_used |= character->slot_joints[f->dest->skin.slots[k]] == j;
		}
		if (is_used && f->model->joints[j].bends && !moves(f, j)) {
			const size_t at = strlen(names);
			if (count++ < MOST_NAMED) {
				snprintf(names + at, sizeof names - at, "%s'%s'", at > 0 ? ", " : "", character->skeleton->names[j]);
			}
		}
	}
	if (count > 0) {
		snw_report_line(f->host, SNW_LOG_WARNING,
						"mesh '%s': %u joints never move in the samples (%s%s); their effect on the mesh is not learned",
						f->mesh->name, count, names, count > MOST_NAMED ? ", …" : "");
	}
}

static void report_triangles(const mesh_fit *f) {
	if (f->degenerate > 0) {
		snw_report_line(f->host, SNW_LOG_WARNING, "mesh '%s': %u triangles have no area at rest; their neighbours place them",
						f->mesh->name, f->degenerate);
	}
	if (f->collapsed > 0) {
		snw_report_line(f->host, SNW_LOG_WARNING,
						"mesh '%s': triangles have no area in samples (%u times); they rotate with the learned blend there",
						f->mesh->name, f->collapsed);
	}
	if (f->inverted > 0) {
		snw_report_line(f->host, SNW_LOG_WARNING,
						"mesh '%s': triangles are inverted in samples (%u times), as where a mesh folds or is mirrored",
						f->mesh->name, f->inverted);
	}
}

snw_status check_samples(mesh_fit *f) {
	snw_status status = check_triangles(f);
	if (!snk_failed(status)) {
		report_triangles(f);
		check_joints(f);
		check_scale(f);
		status = check_drift(f);
	}
	return snk_failed(status) ? status : check_contradictions(f);
}
