/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is under the mouse while sculpting: the place of the brush's ring, its mirrored one, and the mesh.
 */
#include <math.h>
#include <string.h>

#include "sinew/algebra.h"
#include "window/session/session.h"

/* The barycentric coordinates of a place in a triangle; returns the smallest. */
static double shares_of(double corners[3][3], const double place[3], double shares[3]) {
	double areas[3][3], whole[3] = {0}, least = INFINITY;
	for (int i = 0; i < 3; i++) {
		double to[2][3];
		for (int c = 0; c < 3; c++) {
			to[0][c] = corners[(i + 1) % 3][c] - place[c];
			to[1][c] = corners[(i + 2) % 3][c] - place[c];
		}
		snw_cross3(to[0], to[1], areas[i]);
		for (int c = 0; c < 3; c++) {
			whole[c] += areas[i][c];
		}
	}
	const double size = fmax(snw_dot3(whole, whole), 1e-300);
	for (int i = 0; i < 3; i++) {
		shares[i] = snw_dot3(areas[i], whole) / size;
		least = fmin(least, shares[i]);
	}
	return least;
}

/* The mirrored place of the one under the mouse: the same coordinates on the mirrored points of its face. */
static bool find_other(const snw_sculpting *s, double other[3]) {
	const double *points = snw_sculpt_get_view(s->sculpt)->points;
	const uint32_t begin = s->mesh->face_offsets[s->under.face], end = s->mesh->face_offsets[s->under.face + 1];
	double best = -INFINITY;
	for (uint32_t i = begin + 1; i + 1 < end; i++) {
		const uint32_t at[3] = {s->mesh->face_points[begin], s->mesh->face_points[i], s->mesh->face_points[i + 1]};
		double corners[3][3], shares[3];
		for (int k = 0; k < 3; k++) {
			if (s->partners[at[k]] == SNW_NONE) {
				return false;
			}
			memcpy(corners[k], points + 3 * (size_t)at[k], sizeof corners[k]);
		}
		const double least = shares_of(corners, s->under.position, shares);
		for (int c = 0; c < 3 && least > best; c++) {
			other[c] = 0;
			for (int k = 0; k < 3; k++) {
				other[c] += shares[k] * points[3 * (size_t)s->partners[at[k]] + (size_t)c];
			}
		}
		best = fmax(best, least);
	}
	return isfinite(best);
}

void snw_sculpting_point(snw_sculpting *s, const snw_ray *ray) {
	s->under = snw_sculpt_pick(s->sculpt, ray);
	s->under_mesh = s->mesh_index;
	for (uint32_t p = 0; p < s->part_count && s->under.face != SNW_NONE; p++) {
		s->under_mesh = s->under.face >= s->parts[p].first_face ? s->parts[p].mesh : s->under_mesh;
	}
	s->is_over = s->under.face != SNW_NONE;
	s->has_other = s->is_over && s->brush.symmetric && s->partners && find_other(s, s->other);
}

/* Places the ring on another mesh if that is nearer to the eye. */
static void point_at_others(snw_session *session, const snw_ray *ray, double x, double y) {
	snw_sculpting *s = &session->sculpting;
	const snw_display *display = &session->display;
	const uint32_t count = session->document->scene->mesh_count;
	if (count < 2 || display->is_uploading) {
		return;
	}
	snw_arena *scratch = snw_arena_create();
	bool *left_out = SNW_NEW_ARRAY(scratch, bool, count);
	for (uint32_t m = 0; m < count; m++) {
		left_out[m] = m == s->mesh_index || !snw_may_be_stroked(display, m);
	}
	for (uint32_t p = 0; p < s->part_count; p++) { /* the session's ray finds them */
		left_out[s->parts[p].mesh] = left_out[s->parts[p].mesh] || snw_sculpting_reaches(s, &s->parts[p]);
	}
	snw_hit hit;
	const snw_picture_size size = {session->aspect > 0 ? session->aspect : 1, 1};
	const bool is_hit = snw_viewport_pick(display->viewport, &session->state.camera, size, x * size.width, y, left_out, &hit);
	snw_arena_destroy(scratch);
	double away[3];
	for (size_t c = 0; c < 3; c++) {
		away[c] = s->under.position[c] - ray->origin[c];
	}
	if (is_hit && (!s->is_over || hit.distance < snw_length3(away))) {
		s->under = (snw_pick){.face = hit.face, .point = hit.point, .distance = hit.distance};
		memcpy(s->under.position, hit.place, sizeof hit.place);
		memcpy(s->under.normal, hit.normal, sizeof hit.normal);
		s->under_mesh = hit.mesh;
		s->is_over = true;
		s->has_other = false;
	}
}

/* Whether the session has the mesh: alone, or as a part. */
static bool is_in_session(const snw_sculpting *s, uint32_t mesh) {
	bool found = mesh == s->mesh_index;
	for (uint32_t p = 0; p < s->part_count; p++) {
		found = found || s->parts[p].mesh == mesh;
	}
	return found;
}

/* Where faces are larger than the brush, it may lie between their points. */
static bool reaches_none(const snw_sculpting *s) {
	const double *points = snw_sculpt_get_view(s->sculpt)->points;
	const uint32_t face = s->under.face;
	for (uint32_t c = s->mesh->face_offsets[face]; c < s->mesh->face_offsets[face + 1]; c++) {
		double away[3];
		for (size_t k = 0; k < 3; k++) {
			away[k] = points[3 * (size_t)s->mesh->face_points[c] + k] - s->under.position[k];
		}
		if (snw_length3(away) < snw_brush_reach(&s->brush)) {
			return false;
		}
	}
	const uint32_t *reached;
	const double *weights;
	return snw_sculpt_reach(s->sculpt, &s->brush, &s->under, &reached, &weights) == 0;
}

void snw_sculpting_hover(snw_session *session, double x, double y, bool inside) {
	snw_sculpting *s = &session->sculpting;
	if (s->mesh && !s->sculpt && inside) {
		return; /* a job has the session */
	}
	s->is_over = s->has_other = s->reaches_none = false;
	if (s->sculpt && inside && !snw_sculpt_is_stroking(s->sculpt)) {
		const snw_ray ray = snw_session_ray(session, x, y);
		snw_sculpting_point(s, &ray);
		if (!snw_may_be_stroked(&session->display, s->mesh_index)) {
			s->is_over = s->has_other = false;
		}
		point_at_others(session, &ray, x, y);
		s->reaches_none = s->is_over && is_in_session(s, s->under_mesh) && reaches_none(s);
	}
}

uint32_t snw_sculpting_mesh_at(snw_session *session, double x, double y) {
	const snw_sculpting *s = &session->sculpting;
	if (!session->state.sculpting || !s->sculpt || snw_sculpt_is_stroking(s->sculpt)) {
		return SNW_NONE;
	}
	snw_sculpting_hover(session, x, y, true);
	return s->is_over ? s->under_mesh : SNW_NONE;
}
