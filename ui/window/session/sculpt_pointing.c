/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is under the mouse while sculpting: the place of the brush's ring, its mirrored one, and the mesh.
 */
#include <math.h>
#include <string.h>

#include "fit/samples.h"
#include "pose/pose.h"
#include "sinew/algebra.h"
#include "window/session/sculpting.h"
#include "window/session/session.h"

/* ---- drivers ------------------------------------------------------------------------------------------------------------- */

typedef struct drivers_request {
	int64_t example; /* its id */
	uint32_t count;
	snw_driver *items;
} drivers_request;

static uint32_t find_example(const snw_scene *scene, int64_t id) {
	uint32_t i = 0;
	while (i < scene->example_count && scene->examples[i].id != id) {
		i++;
	}
	return i;
}

static snw_status find(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	drivers_request *request = data;
	const snw_scene *scene = context->document->scene;
	const uint32_t at = find_example(scene, request->example);
	if (at == scene->example_count || context->document->number != job->number) {
		return SNW_CANCELLED; /* it will be sent again for the new document */
	}
	const snw_example *example = &scene->examples[at];
	const snw_pose *pose = &scene->poses[example->pose];
	const uint32_t corrective = snw_reference_layer(scene, context->registry);
	double *points, *original;
	const snw_status status =
		snw_sculpt_points(scene, context->registry, example->mesh, pose, at, corrective, job->arena, &points, &original, error);
	const snw_driver_query query = {
		.mesh = example->mesh, .pose = pose, .points_posed = points, .points_original = original, .corrective = corrective};
	/* Where the stack fails, the view says so. */
	return snw_failed(status) || snw_failed(snw_find_drivers(scene, context->registry, &query, job->arena, &request->items,
															 &request->count, error))
			   ? SNW_CANCELLED
			   : SNW_OK;
}

static snw_drivers_key drivers_key(const snw_document *document, uint32_t example) {
	const snw_scene *scene = document->scene;
	return (snw_drivers_key){example < scene->example_count ? scene->examples[example].id : 0, document->number};
}

static bool are_same(snw_drivers_key one, snw_drivers_key other) {
	return one.example == other.example && one.document == other.document;
}

static void found(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	const drivers_request *request = data;
	const snw_scene *scene = session->document->scene;
	const snw_drivers_key key = {request->example, job->number};
	if (job->number != session->document->number || !are_same(key, session->drivers.requested)) {
		return;
	}
	if (snw_failed(job->status)) {
		snw_drivers_forget(session);
		session->drivers.requested = key;
	} else {
		snw_drivers_take(session, find_example(scene, request->example), request->count, request->items);
	}
}

void snw_drivers_take(snw_session *session, uint32_t example, uint32_t count, const snw_driver *items) {
	snw_drivers *drivers = &session->drivers;
	snw_drivers_forget(session);
	drivers->arena = snw_arena_create();
	drivers->key = drivers_key(session->document, example);
	drivers->items = count > 0 ? snw_arena_copy(drivers->arena, items, count * sizeof *items) : NULL;
	drivers->count = count;
}

void snw_drivers_forget(snw_session *session) {
	snw_arena_destroy(session->drivers.arena);
	session->drivers = (snw_drivers){0};
}

void snw_drivers_succeed(snw_session *session, const snw_document *former) {
	snw_drivers *drivers = &session->drivers;
	uint32_t kept = 0;
	for (uint32_t i = 0; i < drivers->count; i++) {
		snw_driver item = drivers->items[i];
		item.joint = snw_scene_find_joint(session->document->scene, former->scene->skeleton.names[item.joint]);
		if (item.joint != SNW_NONE) {
			drivers->items[kept++] = item;
		}
	}
	drivers->count = kept;
}

void snw_drivers_follow(snw_session *session) {
	const snw_drivers_key chosen = drivers_key(session->document, session->state.example);
	if (chosen.example == 0 || are_same(chosen, session->drivers.key) || are_same(chosen, session->drivers.requested)) {
		return;
	}
	snw_job *job = snw_job_create("finding the joints that drive the example", sizeof(drivers_request));
	((drivers_request *)job->request)->example = chosen.example;
	job->run = find;
	job->done = found;
	session->drivers.requested = chosen;
	snw_background_send(session, job);
}

const snw_drivers *snw_drivers_known(const snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const snw_drivers *drivers = &session->drivers;
	const uint32_t example = session->state.example;
	return drivers->arena && example < scene->example_count && scene->examples[example].id == drivers->key.example ? drivers
																												   : NULL;
}

/* ---- sculpt distances ---------------------------------------------------------------------------------------------------- */

typedef struct distances_request {
	int64_t example; /* its id */
	uint32_t mesh, count;
	double *values;
} distances_request;

static snw_status find_distances(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	distances_request *request = data;
	const snw_scene *scene = context->document->scene;
	const uint32_t at = find_example(scene, request->example);
	if (at == scene->example_count || context->document->number != job->number) {
		return SNW_CANCELLED; /* it will be sent again for the new document */
	}
	const snw_example *example = &scene->examples[at];
	double *points, *original;
	const uint32_t corrective = snw_reference_layer(scene, context->registry);
	if (snw_failed(snw_sculpt_points(scene, context->registry, example->mesh, &scene->poses[example->pose], at, corrective,
									 job->arena, &points, &original, error))) {
		return SNW_CANCELLED; /* where the stack fails, the view says so */
	}
	request->mesh = example->mesh;
	request->count = scene->meshes[example->mesh].point_count;
	request->values = SNW_NEW_ARRAY(job->arena, double, request->count);
	for (size_t p = 0; p < request->count; p++) {
		request->values[p] = 1000 * sqrt(snw_squared_distance3(points + 3 * p, original + 3 * p));
	}
	return SNW_OK;
}

static snw_drivers_key key_of(const snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const uint32_t example = session->state.example;
	const bool is_shown = session->state.heat == SNW_HEAT_SCULPT && example < scene->example_count;
	return (snw_drivers_key){is_shown ? scene->examples[example].id : 0, session->document->number};
}

static void found_distances(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	const distances_request *request = data;
	snw_sculpt_distances *distances = &session->sculpt_distances;
	const snw_drivers_key key = {request->example, job->number};
	if (job->number != session->document->number || !are_same(key, distances->requested)) {
		return;
	}
	snw_sculpt_distances_forget(session);
	distances->key = distances->requested = key;
	if (!snw_failed(job->status)) {
		distances->arena = snw_arena_create();
		distances->mesh = request->mesh;
		distances->count = request->count;
		distances->values = snw_arena_copy(distances->arena, request->values, request->count * sizeof *request->values);
	}
}

void snw_sculpt_distances_forget(snw_session *session) {
	snw_arena_destroy(session->sculpt_distances.arena);
	session->sculpt_distances = (snw_sculpt_distances){0};
	session->display.sculpt_distances = NULL;
	session->display.is_stale = true;
}

void snw_sculpt_distances_follow(snw_session *session) {
	const snw_drivers_key chosen = key_of(session);
	snw_sculpt_distances *distances = &session->sculpt_distances;
	if (chosen.example != 0 && !are_same(chosen, distances->key) && !are_same(chosen, distances->requested)) {
		snw_job *job = snw_job_create("measuring the sculpt", sizeof(distances_request));
		((distances_request *)job->request)->example = chosen.example;
		job->run = find_distances;
		job->done = found_distances;
		distances->requested = chosen;
		snw_background_send(session, job);
	}
	/* those of the example before a stroke stay until the new ones are there */
	const snw_scene *scene = session->document->scene;
	const bool is_known = distances->values && distances->key.example == chosen.example &&
						  distances->mesh < scene->mesh_count && scene->meshes[distances->mesh].point_count == distances->count;
	const double *shown = is_known ? distances->values : NULL;
	if (shown != session->display.sculpt_distances) {
		session->display.sculpt_distances = shown;
		session->display.sculpt_mesh = distances->mesh;
		session->display.is_stale = true;
	}
}

/* ---- sculpt pointing ----------------------------------------------------------------------------------------------------- */

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
