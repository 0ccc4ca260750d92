/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Creates the host's sculpt and updates it when the document changes.
 */
#include "window/session/sculpting.h"

#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "example/sculpts.h"
#include "fit/samples.h"
#include "measure/contact_moments.h"
#include "pose/pose.h"
#include "sculpt/sculpt.h"
#include "sinew/algebra.h"
#include "window/session/session.h"

/* Until the size of a mesh is known; then a share of its diagonal. */
#define UNSIZED_RADIUS 0.05
#define FIRST_RADIUS 0.06

/* ---- the brush ----------------------------------------------------------------------------------------------------------- */

void snw_sculpting_start(snw_sculpting *sculpting) {
	sculpting->brush = (snw_brush){.kind = SNW_BRUSH_GRAB, .radius = UNSIZED_RADIUS, .value = 1, .symmetric = false};
	for (int i = 0; i < SNW_BRUSH_COUNT; i++) {
		sculpting->strengths[i] = snw_brush_drags((snw_brush_kind)i) || i == SNW_BRUSH_SLIDE ? 1 : 0.5;
	}
	sculpting->brush.strength = sculpting->strengths[SNW_BRUSH_GRAB];
	sculpting->under.face = SNW_NONE;
	sculpting->painted_joint = sculpting->painted_partner = sculpting->chosen_point = SNW_NONE;
}

void snw_sculpting_end(snw_sculpting *sculpting) {
	snw_sculpt_destroy(sculpting->sculpt);
	snw_arena_destroy(sculpting->arena);
	sculpting->sculpt = NULL;
	sculpting->arena = NULL;
	sculpting->mesh = NULL;
	sculpting->partners = NULL;
	sculpting->plane = (snw_mirror_plane){0};
	sculpting->parts = NULL;
	sculpting->part_count = 0;
	sculpting->chosen_point = SNW_NONE;
	sculpting->outline = SNW_OUTLINE_NONE;
	sculpting->shown = NULL;
	memcpy(sculpting->sent, sculpting->made, sizeof sculpting->sent);
	sculpting->is_over = false;
}

/* ---- the host's session -------------------------------------------------------------------------------------------------- */

/* Creates a session, or updates a given one for the document. */
typedef struct prepare_request {
	uint32_t entered, mesh_index, example;
	int64_t layer;        /* the active sculpt layer */
	const snw_pose *pose; /* NULL: the rest */
	uint64_t pose_hash;
	const bool *takes_part; /* [mesh_count]: may be sculpted together with this mesh */
	const bool *stops;      /* [mesh_count]: visible, and the brush stays outside; NULL: it does not */
	snw_morph_kind morph;   /* what the morph brush moves towards */
	uint32_t morph_example; /* SNW_NONE: none */
	/* The result. While the job runs, only the job may use the session. */
	snw_arena *arena;
	const snw_mesh *mesh;
	snw_sculpt *sculpt;
	const uint32_t *partners;
	snw_mirror_plane plane;
	uint32_t part_count;
	snw_sculpted_part *parts;
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

/* The points to sculpt and the points that erasing restores, of a mesh in a pose (NULL: the rest pose). */
static snw_status find_points_of(const snw_scene *scene, const snw_registry *registry, const prepare_request *request,
								 uint32_t mesh, uint32_t example, snw_arena *arena, double **points, double **original,
								 snw_error *error) {
	if (request->pose) {
		const snw_status status = snw_sculpt_points(scene, registry, mesh, request->pose, example,
													snw_reference_layer(scene, registry), arena, points, original, error);
		if (!snw_failed(status) && example < scene->example_count && scene->examples[example].layer_count > 0) {
			find_original(&scene->examples[example], request->layer, scene->meshes[mesh].point_count, *points, *original);
		}
		return status;
	}
	const size_t bytes = 3 * (size_t)scene->meshes[mesh].point_count * sizeof(double);
	*points = snw_arena_copy(arena, scene->meshes[mesh].points_rest, bytes);
	*original = *points;
	return SNW_OK;
}

/* The same of the mesh and its parts, one after another. */
static snw_status find_points(const snw_scene *scene, const snw_registry *registry, const prepare_request *request,
							  snw_arena *arena, double **points, double **original, snw_error *error) {
	snw_status status =
		find_points_of(scene, registry, request, request->mesh_index, request->example, arena, points, original, error);
	if (snw_failed(status) || request->part_count == 0) {
		return status;
	}
	const size_t count = scene->meshes[request->mesh_index].point_count, size = 3 * (size_t)request->mesh->point_count;
	double *all = SNW_NEW_ARRAY(arena, double, size), *all_original = SNW_NEW_ARRAY(arena, double, size);
	memcpy(all, *points, 3 * count * sizeof *all);
	memcpy(all_original, *original, 3 * count * sizeof *all);
	for (uint32_t p = 0; p < request->part_count && !snw_failed(status); p++) {
		const snw_sculpted_part *part = &request->parts[p];
		const uint32_t example = request->pose ? snw_sculpt_example(scene, part->mesh, request->pose) : SNW_NONE;
		status = find_points_of(scene, registry, request, part->mesh, example, arena, points, original, error);
		if (!snw_failed(status)) {
			const size_t first = 3 * (size_t)part->first_point,
						 bytes = 3 * (size_t)scene->meshes[part->mesh].point_count * sizeof *all;
			memcpy(all + first, *points, bytes);
			memcpy(all_original + first, *original, bytes);
			memcpy(part->before, *points, bytes);
		}
	}
	*points = all;
	*original = all_original;
	return status;
}

static const uint32_t *find_partners(const snw_mesh *mesh, const snw_mirror_plane *plane, snw_arena *arena) {
	snw_mirror_map map;
	const snw_mirror_options options = {.method = SNW_MIRROR_AUTO, .plane = *plane};
	return !snw_failed(snw_mirror_map_build(mesh, &options, arena, &map, NULL)) && map.pair_count > 0 ? map.partners : NULL;
}

/* ---- preparation --------------------------------------------------------------------------------------------------------- */

/* The counterpart of the mesh, unless a seam leads to it anyway; SNW_NONE: none. */
static uint32_t find_counterpart(const prepare_request *request, const snw_scene *scene, uint32_t count,
								 const uint32_t *meshes) {
	uint32_t found = snw_counterpart_of(scene, request->mesh_index, &request->plane, request->takes_part);
	for (uint32_t i = 0; i < count; i++) {
		found = found == meshes[i] ? SNW_NONE : found;
	}
	return found;
}

static void join_parts(prepare_request *request, const snw_scene *scene, snw_arena *scratch) {
	snw_arena *arena = request->arena;
	uint32_t *meshes;
	uint32_t count = snw_seam_meshes(scene, request->mesh_index, request->takes_part, scratch, &meshes);
	const uint32_t counterpart = find_counterpart(request, scene, count, meshes);
	if (counterpart != SNW_NONE) {
		meshes[count++] = counterpart; /* there is room for all meshes */
	}
	request->mesh = snw_join_meshes(scene, count, meshes, arena);
	request->part_count = count - 1;
	request->parts = SNW_NEW_ARRAY(arena, snw_sculpted_part, count);
	uint32_t first_point = 0, first_face = 0;
	for (uint32_t i = 0; i < count; i++) {
		const snw_mesh *mesh = &scene->meshes[meshes[i]];
		if (i > 0) {
			request->parts[i - 1] = (snw_sculpted_part){.mesh = meshes[i],
														.first_point = first_point,
														.first_face = first_face,
														.before = SNW_NEW_ARRAY(arena, double, 3 * (size_t)mesh->point_count),
														.is_counterpart = meshes[i] == counterpart};
		}
		first_point += mesh->point_count;
		first_face += mesh->face_count;
	}
}

/* The joined mesh, to pair its points. */
static const snw_mesh *align_counterpart(const prepare_request *request, const snw_scene *scene, snw_arena *scratch) {
	const snw_sculpted_part *last = request->part_count > 0 ? &request->parts[request->part_count - 1] : NULL;
	return last && last->is_counterpart ? snw_counterpart_align(scene, request->mesh_index, last->mesh, &request->plane,
																request->mesh, last->first_point, scratch)
										: request->mesh;
}

static snw_status make_session(prepare_request *request, const snw_scene *scene, const double *points, const double *original,
							   snw_arena *scratch, snw_error *error) {
	request->partners = find_partners(align_counterpart(request, scene, scratch), &request->plane, request->arena);
	const snw_sculpt_setup setup = {.mesh = request->mesh,
									.points_posed = points,
									.points_original = original,
									.partners = request->partners,
									.mirror_axis = request->plane.axis};
	return snw_sculpt_create(&setup, &request->sculpt, error);
}

static snw_status reset_session(const prepare_request *request, const double *points, const double *original,
								snw_error *error) {
	const snw_status status = snw_sculpt_reset(request->sculpt, points, NULL, NULL, error);
	return snw_failed(status) ? status : snw_sculpt_set_original(request->sculpt, original, error);
}

static bool is_requested(const prepare_request *request, uint32_t mesh) {
	bool is = mesh == request->mesh_index;
	for (uint32_t p = 0; p < request->part_count; p++) {
		is = is || request->parts[p].mesh == mesh;
	}
	return is;
}

/* The other meshes, for brushes that stay outside. */
static snw_status set_walls(const snw_scene *scene, const snw_registry *registry, const prepare_request *request,
							snw_arena *scratch, snw_error *error) {
	snw_sculpt_wall *walls = SNW_NEW_ARRAY(scratch, snw_sculpt_wall, scene->mesh_count);
	uint32_t count = 0;
	snw_status status = SNW_OK;
	for (uint32_t m = 0; request->stops && m < scene->mesh_count && !snw_failed(status); m++) {
		double *points, *original;
		if (!request->stops[m] || is_requested(request, m)) {
			continue;
		}
		const uint32_t example = request->pose ? snw_sculpt_example(scene, m, request->pose) : SNW_NONE;
		status = find_points_of(scene, registry, request, m, example, scratch, &points, &original, error);
		walls[count++] = (snw_sculpt_wall){&scene->meshes[m], points};
	}
	if (!snw_failed(status)) {
		snw_sculpt_set_walls(request->sculpt, count, walls, snw_contact_default_patch(scene));
	}
	return status;
}

/* The example of a part in the pose of the one that is morphed to. */
static uint32_t find_morph_example(const snw_scene *scene, const prepare_request *request, uint32_t mesh) {
	const uint32_t example = request->morph_example;
	if (example >= scene->example_count || scene->examples[example].mesh == mesh) {
		return example;
	}
	return snw_sculpt_example(scene, mesh, &scene->poses[scene->examples[example].pose]);
}

/* Of the mesh and its parts. `original` is the skin below all of them. */
static snw_status set_morph(const snw_scene *scene, const snw_registry *registry, const prepare_request *request,
							const double *original, snw_arena *arena, snw_error *error) {
	if (request->morph == SNW_MORPH_BELOW) {
		return snw_sculpt_set_morph(request->sculpt, NULL, error);
	}
	double *all = SNW_NEW_ARRAY(arena, double, 3 * (size_t)request->mesh->point_count);
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i <= request->part_count && !snw_failed(status); i++) {
		const uint32_t mesh = i == 0 ? request->mesh_index : request->parts[i - 1].mesh;
		const size_t first = i == 0 ? 0 : 3 * (size_t)request->parts[i - 1].first_point;
		double *points;
		status = snw_morph_shape(scene, registry, mesh, request->pose, request->morph, find_morph_example(scene, request, mesh),
								 original + first, arena, &points, error);
		if (!snw_failed(status)) {
			memcpy(all + first, points, 3 * (size_t)scene->meshes[mesh].point_count * sizeof *all);
		}
	}
	return snw_failed(status) ? status : snw_sculpt_set_morph(request->sculpt, all, error);
}

static snw_status prepare(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	prepare_request *request = data;
	const snw_scene *scene = context->document->scene;
	if (context->document->number != job->number) {
		return SNW_CANCELLED; /* it will be sent again for the new document */
	}
	if (!request->sculpt) {
		request->arena = snw_arena_create();
		request->plane = snw_symmetry_plane(scene, request->mesh_index);
		join_parts(request, scene, job->arena);
	}
	double *points = NULL, *original = NULL;
	snw_status status = find_points(scene, context->registry, request, job->arena, &points, &original, error);
	if (!snw_failed(status)) {
		status = request->sculpt ? reset_session(request, points, original, error)
								 : make_session(request, scene, points, original, job->arena, error);
	}
	status = snw_failed(status) ? status : set_morph(scene, context->registry, request, original, job->arena, error);
	return snw_failed(status) ? status : set_walls(scene, context->registry, request, job->arena, error);
}

static void free_prepared(void *data) {
	prepare_request *request = data;
	snw_sculpt_destroy(request->sculpt);
	snw_arena_destroy(request->arena);
}

static void take_prepared(snw_session *session, prepare_request *request) {
	snw_sculpting *s = &session->sculpting;
	const snw_scene *scene = session->document->scene;
	s->arena = request->arena;
	s->mesh = request->mesh;
	s->sculpt = request->sculpt;
	s->partners = request->partners;
	s->plane = request->plane;
	s->mesh_index = request->mesh_index;
	s->point_count = scene->meshes[s->mesh_index].point_count;
	s->face_count = scene->meshes[s->mesh_index].face_count;
	s->part_count = request->part_count;
	s->parts = request->parts;
	s->pose_hash = request->pose_hash;
	request->arena = NULL;
	request->sculpt = NULL;
	if (!s->shown) {
		s->shown = SNW_NEW_ARRAY(s->arena, const float *, scene->mesh_count);
		s->values = SNW_NEW_ARRAY(s->arena, const double *, scene->mesh_count);
	}
	const float *shown = snw_sculpt_get_view(s->sculpt)->points_single;
	s->shown[s->mesh_index] = shown;
	for (uint32_t p = 0; p < s->part_count; p++) {
		s->shown[s->parts[p].mesh] = shown + 3 * (size_t)s->parts[p].first_point;
	}
	snw_sculpting_hide_faces(session, SNW_BRUSH_POINTS);
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

bool snw_sculpting_reaches(const snw_sculpting *sculpting, const snw_sculpted_part *part) {
	return !part->is_counterpart || sculpting->brush.symmetric;
}

/* Fills the hidden faces of one mesh of the session; NULL: none, or all. */
static void hide_part(const snw_mesh *mesh, const bool *faces, bool hides_all, bool *hidden) {
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		hidden[f] = hides_all || (faces && faces[f]);
	}
}

void snw_sculpting_hide_faces(snw_session *session, snw_brush_target target) {
	snw_sculpting *s = &session->sculpting;
	const snw_viewport *viewport = session->display.viewport;
	const snw_scene *scene = session->document->scene;
	if (!s->sculpt) {
		return;
	}
	if (s->part_count == 0) {
		(void)snw_sculpt_hide_faces(s->sculpt, snw_viewport_hidden_faces(viewport, s->mesh_index), NULL);
		return;
	}
	snw_arena *scratch = snw_arena_create();
	bool *hidden = SNW_NEW_ARRAY(scratch, bool, s->mesh->face_count);
	hide_part(&scene->meshes[s->mesh_index], snw_viewport_hidden_faces(viewport, s->mesh_index), false, hidden);
	for (uint32_t p = 0; p < s->part_count; p++) {
		const snw_sculpted_part *part = &s->parts[p];
		const bool is_changed = target == SNW_BRUSH_POINTS ? snw_sculpting_reaches(s, part)
														   : snw_painted_values_counterpart(session, target) == part;
		hide_part(&scene->meshes[part->mesh], snw_viewport_hidden_faces(viewport, part->mesh), !is_changed,
				  hidden + part->first_face);
	}
	(void)snw_sculpt_hide_faces(s->sculpt, hidden, NULL);
	snw_arena_destroy(scratch);
}

static bool fits_document(const snw_session *session) {
	const snw_sculpting *s = &session->sculpting;
	const snw_scene *scene = session->document->scene;
	bool fits = s->mesh_index < scene->mesh_count && scene->meshes[s->mesh_index].point_count == s->point_count;
	for (uint32_t p = 0; p < s->part_count && fits; p++) {
		const uint32_t mesh = s->parts[p].mesh, first = s->parts[p].first_point;
		const uint32_t end = p + 1 < s->part_count ? s->parts[p + 1].first_point : s->mesh->point_count;
		fits = mesh < scene->mesh_count && scene->meshes[mesh].point_count == end - first;
	}
	return fits;
}

static void send_prepare(snw_session *session, uint32_t mesh);

/* The visible meshes, if the brush stays outside of them. */
static const bool *list_walls(const snw_session *session, snw_arena *arena) {
	const uint32_t count = session->document->scene->mesh_count;
	bool *visible = SNW_NEW_ARRAY(arena, bool, count);
	for (uint32_t m = 0; m < count; m++) {
		visible[m] = !session->display.hidden[m];
	}
	return session->sculpting.brush.stays_outside ? visible : NULL;
}

/* The switch, or what is hidden, may change while a job has the sculpt. */
static bool has_same_walls(const snw_session *session, const prepare_request *request, snw_arena *scratch) {
	const bool *walls = list_walls(session, scratch);
	const size_t size = session->document->scene->mesh_count * sizeof *walls;
	return walls && request->stops ? memcmp(walls, request->stops, size) == 0 : !walls && !request->stops;
}

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
	const bool is_late = job->number != session->document->number || !has_same_walls(session, request, job->arena),
			   is_same_session = request->sculpt && request->mesh == s->mesh;
	if (!is_late || is_same_session) {
		take_prepared(session, request);
	}
	if (is_late) {
		send_prepare(session, request->mesh_index);
	}
}

bool snw_may_be_stroked(const snw_display *display, uint32_t mesh) {
	return !display->hidden[mesh] && !display->locked[mesh];
}

/* The meshes that may be sculpted together. A morph target is one mesh's. */
static const bool *list_takers(const snw_session *session, uint32_t mesh, snw_arena *arena) {
	const snw_display *display = &session->display;
	const uint32_t count = session->document->scene->mesh_count;
	const bool takes_any = mesh < count && snw_may_be_stroked(display, mesh) && session->state.shape == 0;
	bool *takes_part = SNW_NEW_ARRAY(arena, bool, count);
	for (uint32_t m = 0; m < count; m++) {
		takes_part[m] = takes_any && snw_may_be_stroked(display, m);
	}
	return takes_part;
}

static uint64_t shown_pose_hash(const snw_session *session) {
	const snw_scene *scene = session->document->scene;
	const snw_pose *pose = snw_display_pose(&session->display, &session->state);
	snw_hash hash = {0};
	if (!pose) {
		return 0;
	}
	snw_hash_bytes(&hash, pose->local, scene->skeleton.joint_count * sizeof *pose->local);
	snw_hash_f64s(&hash, pose->channels, scene->channel_count);
	return snw_hash_value(&hash);
}

snw_morph_kind snw_sculpting_morph(const snw_session *session, uint32_t *example) {
	static const char prefix[] = "example ";
	const char *words = session->sculpting.morph_to;
	*example = strncmp(words, prefix, strlen(prefix)) == 0
				   ? snw_scene_find_example(session->document->scene, words + strlen(prefix))
				   : SNW_NONE;
	return *example != SNW_NONE ? SNW_MORPH_EXAMPLE : strcmp(words, "rest") == 0 ? SNW_MORPH_REST : SNW_MORPH_BELOW;
}

/* For the document and the pose that are shown. The job owns the session until it is done. */
static void send_prepare(snw_session *session, uint32_t mesh) {
	snw_sculpting *s = &session->sculpting;
	const snw_scene *scene = session->document->scene;
	snw_job *job = snw_job_create(s->sculpt ? "updating the sculpted mesh" : "preparing the mesh", sizeof(prepare_request));
	prepare_request *request = job->request;
	const snw_pose *pose = snw_display_pose(&session->display, &session->state);
	*request = (prepare_request){.entered = ++s->entered,
								 .mesh_index = mesh < scene->mesh_count ? mesh : snw_scene_largest_mesh(scene),
								 .pose = pose ? snw_pose_copy(scene, pose, job->arena) : NULL,
								 .pose_hash = shown_pose_hash(session),
								 .layer = session->state.sculpt_layer,
								 .takes_part = list_takers(session, mesh, job->arena),
								 .part_count = s->part_count,
								 .parts = s->parts,
								 .arena = s->arena,
								 .mesh = s->mesh,
								 .sculpt = s->sculpt,
								 .partners = s->partners,
								 .plane = s->plane};
	s->arena = NULL;
	s->sculpt = NULL;
	request->example = snw_session_example_here(session, request->mesh_index);
	request->stops = list_walls(session, job->arena);
	request->morph = snw_sculpting_morph(session, &request->morph_example);
	job->run = prepare;
	job->done = prepared;
	job->free_request = free_prepared;
	s->is_preparing = true;
	s->is_outdated = false;
	snw_background_send(session, job);
}

bool snw_sculpting_is_preparing(const snw_session *session) {
	const snw_sculpting *s = &session->sculpting;
	return session->state.sculpting && (s->is_preparing || s->pose_hash != shown_pose_hash(session));
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
	const uint32_t mesh = snw_session_shows_example(session, chosen) ? scene->examples[chosen].mesh : snw_session_mesh(session);
	const uint32_t here = snw_session_example_here(session, mesh);
	snw_sculpting_end(&session->sculpting);
	session->state.example = here != SNW_NONE ? here : session->state.example;
	session->state.sculpting = true;
	send_prepare(session, mesh);
}

/* Creates the host's session again, for this mesh. */
static void renew_session(snw_session *session, uint32_t mesh) {
	snw_sculpting *s = &session->sculpting;
	snw_sculpting_end(s);
	s->is_switching = true;
	session->display.sculpt = NULL;
	session->display.values = NULL;
	session->display.is_stale = true;
	session->state.example = snw_session_example_here(session, mesh);
	send_prepare(session, mesh);
}

void snw_sculpting_take_mesh(snw_session *session, uint32_t mesh) {
	if (session->state.sculpting && mesh != session->sculpting.mesh_index) {
		renew_session(session, mesh);
	}
}

void snw_sculpting_take_parts(snw_session *session) {
	const snw_sculpting *s = &session->sculpting;
	if (session->state.sculpting && session->document->scene->mesh_count > 1 && s->sculpt &&
		!snw_sculpt_is_stroking(s->sculpt)) {
		renew_session(session, s->mesh_index);
	}
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

/* Strokes that are not stored yet were made in the pose before. */
void snw_sculpting_follow_pose(snw_session *session) {
	snw_sculpting *s = &session->sculpting;
	if (!session->state.sculpting || s->is_preparing || !s->sculpt || s->pose_hash == shown_pose_hash(session)) {
		return;
	}
	snw_sculpting_abort(session);
	memcpy(s->sent, s->made, sizeof s->sent);
	session->display.sculpt = NULL;
	if (!session->state.playing) {
		const uint32_t here = snw_session_example_here(session, s->mesh_index);
		session->state.example = here != SNW_NONE ? here : session->state.example;
		send_prepare(session, s->mesh_index);
	}
}

/* ---- the mouse ----------------------------------------------------------------------------------------------------------- */

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
	for (uint32_t i = 0; view && i < sculpting->point_count; i++) {
		if (view->mask[i] > 0) {
			return true;
		}
	}
	return false;
}

void snw_sculpting_abort(snw_session *session) {
	if (snw_sculpting_is_stroking(&session->sculpting)) {
		snw_sculpt_abort(session->sculpting.sculpt);
		if (session->sculpting.part_count > 0) {
			snw_sculpting_hide_faces(session, SNW_BRUSH_POINTS);
		}
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
