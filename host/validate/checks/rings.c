/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether a black box reads only as far as its descriptor says: with every point beyond the declared rings changed to NaN, a
 * point must go where it went before.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "plugin/deformer_calls.h"
#include "validate/checks/checks.h"

enum { POINTS = 12, MOST_RINGS = 1000 };

/* Marks what is at most `rings` rings away, by the rule of sinew/view.h. */
static void mark_rings(const snw_mesh *mesh, uint32_t point, uint32_t rings, unsigned char *near) {
	memset(near, 0, mesh->point_count);
	near[point] = 1;
	for (uint32_t r = 0; r < rings; r++) {
		bool grows = false;
		for (uint32_t f = 0; f < mesh->face_count; f++) {
			bool touches = false;
			for (uint32_t c = mesh->face_offsets[f]; c < mesh->face_offsets[f + 1]; c++) {
				touches = touches || (near[mesh->face_points[c]] & 1);
			}
			for (uint32_t c = mesh->face_offsets[f]; touches && c < mesh->face_offsets[f + 1]; c++) {
				grows = grows || near[mesh->face_points[c]] == 0;
				near[mesh->face_points[c]] |= 2;
			}
		}
		for (uint32_t p = 0; p < mesh->point_count; p++) {
			near[p] = near[p] != 0;
		}
		if (!grows) {
			return;
		}
	}
}

/* The point as a pass moves it, from these points. */
static snw_status deform_point(const harness *b, const snw_deform_call *like, const snw_model_layout *layout, uint32_t point,
							   const double *points, double *out) {
	snw_deform_call call = *like;
	call.begin = point;
	call.end = point + 1;
	call.points_in = call.points_below = points;
	call.points_out = out;
	call.scratch = harness_scratch(layout->scratch_bytes, 0);
	const snw_thread_call previous = snw_thread_enter(
		(snw_thread_call){.role = SNW_ROLE_EVALUATION, .who = b->deformer->descriptor->short_name, .function = "deform"});
	const snw_status status = snw_deny_caveat(b->deformer->deform(&call));
	snw_thread_leave(previous);
	harness_scratch_end(layout->scratch_bytes, call.scratch);
	return status;
}

static snw_status check_point(const harness *b, const snw_deform_call *call, const snw_model_layout *layout, uint32_t point,
							  double *points, double *out, unsigned char *near, snw_error *finding) {
	const snw_mesh *mesh = &b->scene->meshes[call->mesh];
	const uint32_t rings = b->deformer->descriptor->rings;
	double wanted[3];
	snw_status status = deform_point(b, call, layout, point, mesh->points_rest, out);
	memcpy(wanted, out + (size_t)3 * point, sizeof wanted);
	mark_rings(mesh, point, rings, near);
	for (size_t i = 0; i < (size_t)3 * mesh->point_count; i++) {
		points[i] = near[i / 3] ? mesh->points_rest[i] : (double)NAN;
	}
	status = snw_failed(status) ? status : deform_point(b, call, layout, point, points, out);
	const bool same = !snw_failed(status) && memcmp(wanted, out + (size_t)3 * point, sizeof wanted) == 0;
	return same ? SNW_OK
				: snw_fail(
					  finding, SNW_ERROR_INTERNAL,
					  "its descriptor says that a pass reads %u ring%s around a point, but point %u of mesh '%s' depends on "
					  "others",
					  rings, rings == 1 ? "" : "s", point, mesh->name);
}

/* What a pass prepares of the whole mesh stays the same while points beyond the rings change. */
static snw_status prepare(const harness *b, snw_deform_call call, const snw_model_layout *layout) {
	if (!b->deformer->prepare) {
		return SNW_OK;
	}
	call.points_in = call.points_below = call.points_rest;
	call.scratch = harness_scratch(layout->scratch_bytes, 0);
	const snw_thread_call previous = snw_thread_enter(
		(snw_thread_call){.role = SNW_ROLE_EVALUATION, .who = b->deformer->descriptor->short_name, .function = "prepare"});
	const snw_status status = snw_deny_caveat(b->deformer->prepare(&call));
	snw_thread_leave(previous);
	harness_scratch_end(layout->scratch_bytes, call.scratch);
	return status;
}

static snw_status check_mesh(const harness *b, const harness_driven *driven, uint32_t mesh, uint64_t *random,
							 snw_error *finding) {
	const uint32_t count = b->scene->meshes[mesh].point_count;
	const size_t bytes = (size_t)3 * count * sizeof(double);
	double *points = malloc(bytes), *out = malloc(bytes);
	unsigned char *near = malloc(count);
	snw_deform_call call = harness_deform_call(b, b->model, 0, driven, mesh);
	call.prepared = harness_scratch(driven->layout.prepared_bytes, 0);
	snw_status status = prepare(b, call, &driven->layout);
	for (uint32_t i = 0; i < POINTS && !snw_failed(status); i++) {
		const uint32_t point = (uint32_t)(snw_random_next(random) % count);
		status = check_point(b, &call, &driven->layout, point, points, out, near, finding);
	}
	harness_scratch_end(driven->layout.prepared_bytes, call.prepared);
	free(near);
	free(out);
	free(points);
	return status;
}

snw_status snw_validate_rings(harness *b, const check_settings *settings, snw_error *finding) {
	const uint32_t rings = b->deformer->descriptor->rings;
	if (!b->deformer->deform || rings > MOST_RINGS) {
		return snw_fail(finding, SNW_OK, "%s",
						!b->deformer->deform ? "no deform; it always lowers" : "it reads the whole mesh");
	}
	uint64_t random = settings->seed;
	uint32_t count = 0;
	harness_driven driven;
	snw_status status = harness_driven_make(b, b->model, &driven, finding);
	status = snw_failed(status) ? status : harness_drive(b, b->model, 0, 0, &driven, finding);
	for (uint32_t m = 0; m < b->scene->mesh_count && !snw_failed(status); m++) {
		if (harness_is_black_box(b, b->model, m)) {
			status = check_mesh(b, &driven, m, &random, finding);
			count++;
		}
	}
	harness_driven_free(&driven);
	return snw_failed(status) ? status
		   : count > 0        ? snw_fail(finding, SNW_OK, "a pass reads at most %u ring%s", rings, rings == 1 ? "" : "s")
							  : snw_fail(finding, SNW_OK, "it lowers for every mesh");
}
