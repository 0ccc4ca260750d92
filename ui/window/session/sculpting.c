/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Creates the host's sculpting session and updates it when the document changes.
 */
#include "window/session/sculpting.h"

#include <math.h>
#include <string.h>

#include "edit/commit_sculpt.h"
#include "edit/sculpt_layers.h"
#include "mesh/mirror/counterpart.h"
#include "pose/pose.h"
#include "sinew/algebra.h"
#include "window/session/background.h"
#include "window/session/painted_values.h"
#include "window/session/session.h"

/* Until the size of a mesh is known; then a share of its diagonal. */
#define UNSIZED_RADIUS 0.05
#define FIRST_RADIUS 0.06

/* ---- the brush ---------------------------------------------------------------------------------------------------- */

void snw_sculpting_start(snw_sculpting *sculpting) {
	sculpting->brush = (snw_brush){.kind = SNW_BRUSH_GRAB, .radius = UNSIZED_RADIUS, .value = 1, .symmetric = false};
	for (int i = 0; i < SNW_BRUSH_COUNT; i++) {
		sculpting->strengths[i] = snw_brush_drags((snw_brush_kind)i) || i == SNW_BRUSH_SLIDE ? 1 : 0.5;
	}
	sculpting->brush.strength = sculpting->strengths[SNW_BRUSH_GRAB];
	sculpting->under.face = SNW_NONE;
	sculpting->painted_joint = sculpting->chosen_point = sculpting->counterpart = SNW_NONE;
}

void snw_sculpting_end(snw_sculpting *sculpting) {
	snw_sculpt_destroy(sculpting->sculpt);
	snw_arena_destroy(sculpting->arena);
	sculpting->sculpt = NULL;
	sculpting->arena = NULL;
	sculpting->mesh = NULL;
	sculpting->counterpart = SNW_NONE;
	sculpting->stored = NULL;
	sculpting->partners = NULL;
	sculpting->chosen_point = SNW_NONE;
	sculpting->outline = SNW_OUTLINE_NONE;
	sculpting->shown = NULL;
	memcpy(sculpting->sent, sculpting->made, sizeof sculpting->sent);
	sculpting->is_over = false;
}

/* ---- the host's session -------------------------------------------------------------------------------------------------- */

static snw_mesh *copy_mesh(const snw_mesh *mesh, snw_arena *arena) {
	const size_t corners = mesh->face_offsets[mesh->face_count];
	snw_mesh *copy = SNW_NEW(arena, snw_mesh);
	*copy = (snw_mesh){
		.name = snw_arena_text(arena, mesh->name),
		.point_count = mesh->point_count,
		.points_rest = snw_arena_copy(arena, mesh->points_rest, 3 * (size_t)mesh->point_count * sizeof(double)),
		.face_count = mesh->face_count,
		.face_offsets = snw_arena_copy(arena, mesh->face_offsets, ((size_t)mesh->face_count + 1) * sizeof(uint32_t)),
		.face_points = snw_arena_copy(arena, mesh->face_points, corners * sizeof(uint32_t)),
	};
	return copy;
}

/* Creates a session, or updates a given one for the document. */
typedef struct prepare_request {
	uint32_t entered, mesh_index;
	const uint32_t *examples; /* [mesh_count]: those of the pose */
	int64_t layer;            /* the active sculpt layer */
	const snw_pose *pose;     /* NULL: the rest */
	/* The result. While the job runs, only the job may use the session. */
	snw_arena *arena;
	const snw_mesh *mesh;
	snw_sculpt *sculpt;
	const uint32_t *partners;
	uint32_t counterpart;
	double *stored;
} prepare_request;

/* Erasing on a sculpt layer restores the sculpt without it. */
static void find_original(const snw_example *example, int64_t id, uint32_t point_count, const double *points,
						  double *original) {
	const snw_sculpt_layer *layer = &example->layers[snw_sculpt_layer_of_id(example, id)];
	const double amount = snw_sculpt_layer_amount(layer);
	memcpy(original, points, 3 * (size_t)point_count * sizeof *original);
	for (size_t i = 0; i < layer->count; i++) {
		for (size_t k = 0; k < 3; k++) {
			original[3 * (size_t)layer->points[i] + k] -= amount * layer->vectors[3 * i + k];
		}
	}
}

/* The points of a mesh to sculpt and the points that erasing restores, in a pose (NULL: the rest pose). */
static snw_status find_points(const snw_scene *scene, const snw_registry *registry, const prepare_request *request,
							  uint32_t mesh, snw_arena *arena, double **points, double **original, snw_error *error) {
	const uint32_t example = request->examples[mesh];
	if (request->pose) {
		const snw_status status = snw_sculpt_points(scene, registry, mesh, request->pose, example,
													snw_sculpt_corrective(scene, registry), arena, points, original, error);
		if (!snw_failed(status) && example < scene->example_count && scene->examples[example].layer_count > 0) {
			find_original(&scene->examples[example], mesh == request->mesh_index ? request->layer : 0,
						  scene->meshes[mesh].point_count, *points, *original);
		}
		return status;
	}
	const size_t bytes = 3 * (size_t)scene->meshes[mesh].point_count * sizeof(double);
	*points = snw_arena_copy(arena, scene->meshes[mesh].points_rest, bytes);
	*original = *points;
	return SNW_OK;
}

static double *concatenated(const double *one, size_t count, const double *other, size_t other_count, snw_arena *arena) {
	double *both = SNW_NEW_ARRAY(arena, double, count + other_count);
	memcpy(both, one, count * sizeof *both);
	memcpy(both + count, other, other_count * sizeof *both);
	return both;
}

/* The same for the mesh and its counterpart. */
static snw_status find_all_points(const snw_scene *scene, const snw_registry *registry, const prepare_request *request,
								  snw_arena *arena, double **points, double **original, snw_error *error) {
	snw_status status = find_points(scene, registry, request, request->mesh_index, arena, points, original, error);
	if (snw_failed(status) || request->counterpart == SNW_NONE) {
		return status;
	}
	const size_t count = 3 * (size_t)scene->meshes[request->mesh_index].point_count;
	const size_t other_count = 3 * (size_t)scene->meshes[request->counterpart].point_count;
	double *other, *other_original;
	status = find_points(scene, registry, request, request->counterpart, arena, &other, &other_original, error);
	if (!snw_failed(status)) {
		*points = concatenated(*points, count, other, other_count, arena);
		*original = concatenated(*original, count, other_original, other_count, arena);
		memcpy(request->stored, other, other_count * sizeof *other);
	}
	return status;
}

static const uint32_t *find_partners(const snw_mesh *mesh, snw_arena *arena) {
	snw_mirror_map map;
	const snw_mirror_options options = {.method = SNW_MIRROR_AUTO};
	return !snw_failed(snw_mirror_map_build(mesh, &options, arena, &map, NULL)) && map.pair_count > 0 ? map.partners : NULL;
}

/* ---- preparation --------------------------------------------------------------------------------------------------------- */

/* A mesh without symmetry of its own is sculpted together with its counterpart, so that symmetry reaches it. */
static void choose_meshes(prepare_request *request, const snw_scene *scene) {
	snw_counterpart found;
	request->arena = snw_arena_create();
	if (snw_counterpart_find(scene, request->mesh_index, request->arena, &found)) {
		const size_t count = scene->meshes[found.mesh].point_count;
		request->counterpart = found.mesh;
		request->mesh = found.joined;
		request->partners = found.map.partners;
		request->stored = SNW_NEW_ARRAY(request->arena, double, 3 * count);
	} else {
		request->counterpart = SNW_NONE;
		request->mesh = copy_mesh(&scene->meshes[request->mesh_index], request->arena);
		request->partners = find_partners(request->mesh, request->arena);
	}
}

static snw_status make_session(prepare_request *request, const double *points, const double *original, snw_error *error) {
	const snw_sculpt_setup setup = {.mesh = request->mesh,
									.points_posed = points,
									.points_original = original,
									.partners = request->partners,
									.mirror_axis = 0};
	return snw_sculpt_create(&setup, &request->sculpt, error);
}

static snw_status reset_session(const prepare_request *request, const double *points, const double *original,
								snw_error *error) {
	const snw_status status = snw_sculpt_reset(request->sculpt, points, NULL, NULL, error);
	return snw_failed(status) ? status : snw_sculpt_set_original(request->sculpt, original, error);
}

static snw_status prepare(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	prepare_request *request = data;
	const snw_scene *scene = context->document->scene;
	if (context->document->number != job->number) {
		return SNW_CANCELLED; /* it will be sent again for the new document */
	}
	if (!request->sculpt) {
		choose_meshes(request, scene);
	}
	double *points = NULL, *original = NULL;
	const snw_status status = find_all_points(scene, context->registry, request, job->arena, &points, &original, error);
	if (snw_failed(status)) {
		return status;
	}
	return request->sculpt ? reset_session(request, points, original, error) : make_session(request, points, original, error);
}

static void free_prepared(void *data) {
	prepare_request *request = data;
	snw_sculpt_destroy(request->sculpt);
	snw_arena_destroy(request->arena);
}

/* Whether a face of the session belongs to its mesh, not to the counterpart. */
static bool is_of_mesh(const snw_sculpting *s, uint32_t face) {
	return s->mesh->face_points[s->mesh->face_offsets[face]] < s->point_count;
}

static void take_prepared(snw_session *session, prepare_request *request) {
	snw_sculpting *s = &session->sculpting;
	const snw_scene *scene = session->document->scene;
	s->arena = request->arena;
	s->mesh = request->mesh;
	s->sculpt = request->sculpt;
	s->partners = request->partners;
	s->mesh_index = request->mesh_index;
	s->point_count = scene->meshes[s->mesh_index].point_count;
	s->counterpart = request->counterpart;
	s->stored = request->stored;
	request->arena = NULL;
	request->sculpt = NULL;
	if (!s->shown) {
		s->shown = SNW_NEW_ARRAY(s->arena, const float *, scene->mesh_count);
		s->values = SNW_NEW_ARRAY(s->arena, const double *, scene->mesh_count);
	}
	s->shown[s->mesh_index] = snw_sculpt_get_view(s->sculpt)->points_single;
	if (s->counterpart != SNW_NONE) {
		s->shown[s->counterpart] = s->shown[s->mesh_index] + 3 * (size_t)s->point_count;
	}
	snw_sculpting_hide_faces(session);
	s->longest = snw_sculpt_get_view(s->sculpt)->longest;
	if (!s->has_radius) {
		s->brush.radius = FIRST_RADIUS * s->longest;
		s->has_radius = true;
	} else if (!s->is_switching) {
		s->brush.radius = fmin(fmax(s->brush.radius, 0.005 * s->longest), 0.5 * s->longest);
	}
	s->is_switching = false;
	snw_painted_values_read(session);
	snw_painted_values_show(session);
}

static bool may_be_stroked(const snw_display *display, uint32_t mesh) {
	return !display->hidden[mesh] && !display->locked[mesh];
}

/* Strokes act on the counterpart while symmetry takes them there. */
static bool reaches_counterpart(const snw_session *session) {
	const snw_sculpting *s = &session->sculpting;
	return s->counterpart != SNW_NONE && s->brush.symmetric && session->state.shape == 0 &&
		   !snw_painted_values_are_weights(session) && may_be_stroked(&session->display, s->mesh_index) &&
		   may_be_stroked(&session->display, s->counterpart);
}

void snw_sculpting_hide_faces(snw_session *session) {
	snw_sculpting *s = &session->sculpting;
	if (!s->sculpt) {
		return;
	}
	const snw_viewport *viewport = session->display.viewport;
	const bool *hidden = snw_viewport_hidden_faces(viewport, s->mesh_index);
	if (s->counterpart == SNW_NONE) {
		(void)snw_sculpt_hide_faces(s->sculpt, hidden, NULL);
		return;
	}
	const bool reaches = reaches_counterpart(session), *others = snw_viewport_hidden_faces(viewport, s->counterpart);
	snw_arena *scratch = snw_arena_create();
	bool *faces = SNW_NEW_ARRAY(scratch, bool, s->mesh->face_count);
	uint32_t own = 0;
	for (uint32_t f = 0; f < s->mesh->face_count; f++) {
		const bool is_own = is_of_mesh(s, f);
		faces[f] = is_own ? hidden && hidden[f] : !reaches || (others && others[f - own]);
		own += is_own;
	}
	(void)snw_sculpt_hide_faces(s->sculpt, faces, NULL);
	snw_arena_destroy(scratch);
}

static bool fits_document(const snw_session *session) {
	const snw_sculpting *s = &session->sculpting;
	const snw_scene *scene = session->document->scene;
	const uint32_t others = s->mesh->point_count - s->point_count; /* of the counterpart, 0 if there is none */
	return s->mesh_index < scene->mesh_count && scene->meshes[s->mesh_index].point_count == s->point_count &&
		   (others == 0 || (s->counterpart < scene->mesh_count && scene->meshes[s->counterpart].point_count == others));
}

static void send_prepare(snw_session *session, uint32_t mesh);

static void prepared(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	prepare_request *request = data;
	snw_sculpting *s = &session->sculpting;
	if (!session->state.sculpting || request->entered != s->entered) {
		return;
	}
	s->is_preparing = false;
	if (snw_failed(job->status) && job->status != SNW_CANCELLED) {
		snw_sculpting_leave(session);
		return;
	}
	const bool is_late = job->number != session->document->number,
			   is_same_session = request->sculpt && request->mesh == s->mesh;
	if (!is_late || is_same_session) {
		take_prepared(session, request);
	}
	if (is_late) {
		send_prepare(session, request->mesh_index);
	}
}

/* For the document and the pose that are shown. The job owns the session until it is done. */
static void send_prepare(snw_session *session, uint32_t mesh) {
	snw_sculpting *s = &session->sculpting;
	const snw_scene *scene = session->document->scene;
	snw_job *job = snw_job_create(s->sculpt ? "updating the sculpting session" : "preparing the mesh", sizeof(prepare_request));
	prepare_request *request = job->request;
	const snw_pose *pose = snw_display_pose(&session->display, &session->state);
	*request = (prepare_request){.entered = ++s->entered,
								 .mesh_index = mesh < scene->mesh_count ? mesh : snw_scene_largest_mesh(scene),
								 .pose = pose ? snw_pose_copy(scene, pose, job->arena) : NULL,
								 .layer = session->state.sculpt_layer,
								 .arena = s->arena,
								 .mesh = s->mesh,
								 .sculpt = s->sculpt,
								 .partners = s->partners,
								 .counterpart = s->counterpart,
								 .stored = s->stored};
	s->arena = NULL;
	s->sculpt = NULL;
	uint32_t *examples = SNW_NEW_ARRAY(job->arena, uint32_t, scene->mesh_count);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		examples[m] = snw_session_example_here(session, m);
	}
	request->examples = examples;
	job->run = prepare;
	job->done = prepared;
	job->free_request = free_prepared;
	s->is_preparing = true;
	s->is_outdated = false;
	snw_background_send(session, job);
}

bool snw_sculpting_is_preparing(const snw_session *session) {
	return session->state.sculpting && session->sculpting.is_preparing;
}

void snw_sculpting_enter(snw_session *session) {
	const snw_scene *scene = session->document->scene;
	if (scene->mesh_count == 0) {
		snw_view_state_warn(&session->state, "There is no mesh to sculpt; open a character first.");
		return;
	}
	session->state.playing = session->state.before = session->state.drawing_joints = false;
	session->state.method = 0;
	const uint32_t chosen = session->state.example;
	const bool is_here =
		chosen < scene->example_count && session->state.clip == SNW_NONE && scene->examples[chosen].pose == session->state.pose;
	const uint32_t mesh = is_here ? scene->examples[chosen].mesh : snw_session_mesh(session);
	const uint32_t here = snw_session_example_here(session, mesh);
	snw_sculpting_end(&session->sculpting);
	session->state.example = here != SNW_NONE ? here : session->state.example;
	session->state.sculpting = true;
	send_prepare(session, mesh);
}

void snw_sculpting_take_mesh(snw_session *session, uint32_t mesh) {
	snw_sculpting *s = &session->sculpting;
	if (!session->state.sculpting || mesh == s->mesh_index) {
		return;
	}
	snw_sculpting_end(s);
	s->is_switching = true;
	session->display.sculpt = NULL;
	session->display.values = NULL;
	session->display.is_stale = true;
	session->state.example = snw_session_example_here(session, mesh);
	send_prepare(session, mesh);
}

void snw_sculpting_leave(snw_session *session) {
	if (session->state.sculpting) {
		snw_sculpting_abort(session);
		session->state.mesh = snw_session_mesh(session);
		session->state.sculpting = false;
		session->display.sculpt = NULL;
		session->display.values = NULL;
		session->display.is_stale = true;
		snw_sculpting_end(&session->sculpting);
	}
}

void snw_sculpting_follow(snw_session *session, bool is_other) {
	snw_sculpting *s = &session->sculpting;
	if (!session->state.sculpting || !s->mesh) {
		return; /* `prepared` sends a first session again if the document has changed by then */
	}
	if (is_other || !fits_document(session)) {
		snw_sculpting_leave(session);
		return;
	}
	if (!s->sculpt) {
		return; /* a job has it; `prepared` sends it again if the document has changed by then */
	}
	if (snw_sculpt_is_stroking(s->sculpt) || snw_sculpting_is_ahead(s)) {
		session->display.sculpt = s->shown; /* it is ahead of the project */
		s->is_outdated = true;
		snw_painted_values_show(session);
		return;
	}
	session->display.sculpt = NULL;
	send_prepare(session, s->mesh_index);
}

/* ---- the mouse ---------------------------------------------------------------------------------------------------- */

void snw_sculpting_settle(snw_sculpting *sculpting, snw_brush_target target, uint32_t stroke) {
	if (sculpting->sent[target] < stroke) { /* else it is from before sculpting began again */
		sculpting->sent[target] = stroke;
	}
}

bool snw_sculpting_is_ahead(const snw_sculpting *sculpting) {
	return memcmp(sculpting->made, sculpting->sent, sizeof sculpting->made) != 0;
}

bool snw_sculpting_is_stroking(const snw_sculpting *sculpting) {
	return sculpting->sculpt && snw_sculpt_is_stroking(sculpting->sculpt);
}

bool snw_sculpting_is_masked(const snw_sculpting *sculpting) {
	const snw_sculpt_view *view = sculpting->sculpt ? snw_sculpt_get_view(sculpting->sculpt) : NULL;
	for (uint32_t i = 0; view && i < view->point_count; i++) {
		if (view->mask[i] > 0) {
			return true;
		}
	}
	return false;
}

const double *snw_sculpting_take_counterpart(snw_sculpting *sculpting) {
	if (!sculpting->sculpt || sculpting->counterpart == SNW_NONE) {
		return NULL;
	}
	const double *points = snw_sculpt_get_view(sculpting->sculpt)->points + 3 * (size_t)sculpting->point_count;
	const size_t bytes = 3 * (size_t)(sculpting->mesh->point_count - sculpting->point_count) * sizeof *points;
	if (memcmp(sculpting->stored, points, bytes) == 0) {
		return NULL;
	}
	memcpy(sculpting->stored, points, bytes);
	return points;
}

void snw_sculpting_abort(snw_session *session) {
	if (snw_sculpting_is_stroking(&session->sculpting)) {
		snw_sculpt_abort(session->sculpting.sculpt);
		session->display.is_stale = true;
	}
}

void snw_sculpting_rest(snw_session *session) {
	snw_sculpting *s = &session->sculpting;
	const bool is_ahead = snw_sculpting_is_ahead(s);
	session->display.sculpt = is_ahead ? s->shown : NULL;
	if (s->is_outdated && !is_ahead) {
		snw_sculpting_follow(session, false);
	}
}

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
	s->is_over = s->under.face != SNW_NONE;
	s->under_mesh = s->is_over && !is_of_mesh(s, s->under.face) ? s->counterpart : s->mesh_index;
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
		const bool is_in_session = m == s->mesh_index || (m == s->counterpart && reaches_counterpart(session));
		left_out[m] = is_in_session || !may_be_stroked(display, m);
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
		if (!may_be_stroked(&session->display, s->mesh_index)) {
			s->is_over = s->has_other = false;
		}
		point_at_others(session, &ray, x, y);
		s->reaches_none = s->is_over && s->under_mesh == s->mesh_index && reaches_none(s);
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
