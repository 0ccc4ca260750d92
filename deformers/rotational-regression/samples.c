/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the samples show: the deformation gradients of a mesh's triangles, and what is wrong with the samples.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rotational-regression/fit.h"
#include "sinew/algebra.h"
#include "sinew/kit/numerics/eigen.h"
#include "sinew/kit/status.h"
#include "sinew/report.h"

static int report_check(const mesh_fit *f) {
	return snw_report_progress(f->host, f->progress, "checking samples");
}

/* ---- gradients ----------------------------------------------------------------------------------------------------------- */

/* The triangles of a mesh, the weights of their edges, and their deformation gradients over the samples. */

/* The least weight of an edge, and the most: slivers have cotangents without bound, and obtuse angles negative ones. */
static const double lightest = 0.05, heaviest = 10;

/* Triangles of less area than this part of the squared diagonal have no gradient. */
static const double no_area = 1e-14;

static double least_area(const mesh_fit *f) {
	return no_area * f->diagonal * f->diagonal;
}

static double cotangent_weight(const double *points, uint32_t a, uint32_t b, uint32_t opposite) {
	double u[3], v[3], normal[3];
	for (size_t c = 0; c < 3; c++) {
		u[c] = points[3 * (size_t)a + c] - points[3 * (size_t)opposite + c];
		v[c] = points[3 * (size_t)b + c] - points[3 * (size_t)opposite + c];
	}
	snw_cross3(u, v, normal);
	const double twice_area = snw_length3(normal);
	return twice_area > 0 ? fmin(fmax(0.5 * snw_dot3(u, v) / twice_area, lightest), heaviest) : lightest;
}

/* The paper takes the second and the third edge of each triangle from its first corner. A triangle without a gradient says
 * nothing of its edges. */
static void find_weights(const mesh_fit *f, const uint32_t corners[3], double area, double weights[3]) {
	for (int e = 0; e < 3; e++) {
		weights[e] = !(area > least_area(f)) ? 0
					 : f->model->anchors == ANCHORS_FIXED
						 ? e != 1
						 : cotangent_weight(f->mesh->points_rest, corners[e], corners[(e + 1) % 3], corners[(e + 2) % 3]);
	}
}

/* Columns: two edges, and the unit normal (R. Sumner, J. Popović, Deformation transfer, 2004, with the normal's length 1).
 * Returns the area. `sample` NULL: at rest. */
static double read_edges(const mesh_fit *f, const snk_sample *sample, const uint32_t corners[3], double columns[12]) {
	double points[3][3], edges[2][3], normal[3];
	for (int k = 0; k < 3; k++) {
		if (sample) {
			snk_sample_point(sample, corners[k], points[k]);
		} else {
			memcpy(points[k], f->mesh->points_rest + 3 * (size_t)corners[k], sizeof points[k]);
		}
	}
	for (int c = 0; c < 3; c++) {
		edges[0][c] = points[1][c] - points[0][c];
		edges[1][c] = points[2][c] - points[0][c];
	}
	snw_cross3(edges[0], edges[1], normal);
	const double twice_area = snw_length3(normal);
	snw_normalize3(normal);
	for (int r = 0; r < 3; r++) {
		const double row[4] = {edges[0][r], edges[1][r], normal[r], 0};
		memcpy(columns + 4 * (size_t)r, row, sizeof row);
	}
	return twice_area / 2;
}

snw_status open_triangles(mesh_fit *f, snw_pool *pool) {
	const snk_faces faces = snk_faces_of(f->mesh);
	const snw_status status = snk_triangulate(&faces, pool, &f->triangles);
	if (snk_failed(status)) {
		return status;
	}
	double *weights = SNW_POOL_ARRAY(pool, double, 3 * (size_t)f->triangles.face_count);
	double *areas = SNW_POOL_ARRAY(pool, double, f->triangles.face_count);
	for (uint32_t t = 0; !pool->failed && t < f->triangles.face_count; t++) {
		const uint32_t *corners = f->triangles.points + 3 * (size_t)t;
		double columns[12];
		areas[t] = read_edges(f, NULL, corners, columns);
		find_weights(f, corners, areas[t], weights + 3 * (size_t)t);
	}
	f->edge_weights = weights;
	f->areas = areas;
	f->gradient_squares = SNW_POOL_ARRAY(pool, double, f->triangles.face_count);
	return pool->failed ? SNW_ERROR_MEMORY : SNW_OK;
}

/* The rotation of the learned blend at a triangle: the mean over its corners. */
static void blend_rotation(const mesh_fit *f, uint32_t sample, const uint32_t corners[3], double rotation[9]) {
	const snk_base_skin_mesh *skin = &f->dest->skin;
	double mean[9] = {0};
	for (int k = 0; k < 3; k++) {
		double linear[9];
		snk_linear_part(skin->offsets, skin->slots, skin->weights, f->samples[sample].pose->palette, corners[k], linear);
		for (int i = 0; i < 9; i++) {
			mean[i] += linear[i] / 3;
		}
	}
	snk_nearest_rotation(mean, rotation);
}

int find_gradients(const mesh_fit *f, uint32_t triangle, double (*gradients)[9]) {
	const uint32_t *corners = f->triangles.points + 3 * (size_t)triangle;
	double rest[12], inverse[12];
	if (!(read_edges(f, NULL, corners, rest) > least_area(f)) || !snw_mat34_invert(rest, inverse)) {
		return 0;
	}
	for (uint32_t s = 0; s < f->sample_count; s++) {
		double posed[12], product[12];
		if (!(read_edges(f, &f->samples[s], corners, posed) > least_area(f))) {
			blend_rotation(f, s, corners, gradients[s]);
			continue;
		}
		snw_mat34_multiply(posed, inverse, product);
		for (int i = 0; i < 9; i++) {
			gradients[s][i] = product[4 * (i / 3) + i % 3];
		}
	}
	return 1;
}

enum { PER_REPORT = 256 }; /* triangles */

/* Counts triangles without area, and those on the other side of what the learned blend makes of them. SNW_CANCELLED if the fit
 * is to stop. */
static snw_status check_triangles(mesh_fit *f) {
	for (uint32_t t = 0; t < f->triangles.face_count; t++) {
		if (t % PER_REPORT == 0 && !report_check(f)) {
			return SNW_CANCELLED;
		}
		const uint32_t *corners = f->triangles.points + 3 * (size_t)t;
		double rest[12], posed[12];
		if (!(read_edges(f, NULL, corners, rest) > least_area(f))) {
			f->degenerate++;
			continue;
		}
		for (uint32_t s = 0; s < f->sample_count; s++) {
			double linear[9], rotated[3];
			f->collapsed += !(read_edges(f, &f->samples[s], corners, posed) > least_area(f));
			snk_linear_part(f->dest->skin.offsets, f->dest->skin.slots, f->dest->skin.weights, f->samples[s].pose->palette,
							corners[0], linear);
			for (size_t r = 0; r < 3; r++) {
				rotated[r] = linear[3 * r] * rest[2] + linear[3 * r + 1] * rest[6] + linear[3 * r + 2] * rest[10];
			}
			f->inverted += rotated[0] * posed[2] + rotated[1] * posed[6] + rotated[2] * posed[10] < -0.5 * snw_length3(rotated);
		}
	}
	return SNW_OK;
}

/* ---- what is wrong with the samples -------------------------------------------------------------------------------------- */

/* What is wrong with the samples, in words: joints that never move, poses that contradict each other, targets beside their
 * skeleton, scaled joints, and triangles without area or on their other side. The fit goes on with all of them. */

enum { MOST_COMPARED = 200 /* samples, each with each */, MOST_NAMED = 4, NAME_BYTES = 240 };

/* Radians; and parts of the diagonal, and of a length. */
static const double never = 1e-3, same_pose = 1e-3, contradiction = 2e-3, drift = 0.03, scaled = 0.01;

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

/* Away from rest. */
static int moves(const mesh_fit *f, uint32_t joint) {
	int found = 0;
	for (uint32_t s = 0; s < f->sample_count; s++) {
		const double *vector = f->posed[(size_t)s * f->model->joint_count + joint].vector;
		found |= snw_dot3(vector, vector) > never * never;
	}
	return found;
}

snw_status find_moved(mesh_fit *f, snw_pool *pool) {
	unsigned char *flags = SNW_POOL_ARRAY(pool, unsigned char, f->model->joint_count);
	for (uint32_t j = 0; flags && j < f->model->joint_count; j++) {
		flags[j] = !f->model->joints[j].bends || moves(f, j);
	}
	f->is_moved = flags;
	return flags ? SNW_OK : SNW_ERROR_MEMORY;
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
		if (is_used && !f->is_moved[j]) {
			const size_t at = strlen(names);
			if (count++ < MOST_NAMED) {
				snprintf(names + at, sizeof names - at, "%s'%s'", at > 0 ? ", " : "", character->skeleton->names[j]);
			}
		}
	}
	if (count > 0) {
		snw_report_line(f->host, SNW_LOG_WARNING,
						"mesh '%s': %u joints never move in the samples (%s%s); points follow them as in the rig",
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
