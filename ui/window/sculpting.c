/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The host's sculpting session, kept in step with what is shown.
 */
#include "window/sculpting.h"

#include <math.h>
#include <string.h>

#include "scene/mirror.h"
#include "window/session.h"

/* ---- the brush ---------------------------------------------------------------------------------------------------- */

void snw_sculpting_start(snw_sculpting *sculpting) {
	sculpting->brush = (snw_brush){.kind = SNW_BRUSH_GRAB, .radius = 0.05, .value = 1, .symmetric = false};
	for (int i = 0; i < SNW_BRUSH_COUNT; i++) {
		sculpting->strengths[i] = i == SNW_BRUSH_GRAB || i == SNW_BRUSH_SLIDE ? 1 : 0.5;
	}
	sculpting->brush.strength = sculpting->strengths[SNW_BRUSH_GRAB];
	sculpting->under.face = SNW_NONE;
}

void snw_sculpting_end(snw_sculpting *sculpting) {
	snw_sculpt_destroy(sculpting->sculpt);
	snw_arena_destroy(sculpting->arena);
	sculpting->sculpt = NULL;
	sculpting->arena = NULL;
	sculpting->shown = NULL;
	sculpting->unsent = 0;
	sculpting->is_over = false;
}

/* ---- a session of the host's -------------------------------------------------------------------------------------- */

static snw_mesh copy_mesh(const snw_mesh *mesh, snw_arena *arena) {
	const size_t corners = mesh->face_offsets[mesh->face_count];
	return (snw_mesh){
		.point_count = mesh->point_count,
		.points_rest = snw_arena_copy(arena, mesh->points_rest, 3 * (size_t)mesh->point_count * sizeof(double)),
		.face_count = mesh->face_count,
		.face_offsets = snw_arena_copy(arena, mesh->face_offsets, ((size_t)mesh->face_count + 1) * sizeof(uint32_t)),
		.face_points = snw_arena_copy(arena, mesh->face_points, corners * sizeof(uint32_t)),
	};
}

/* The sculpt of the mesh in the pose that is shown; SNW_NONE where there is none. */
static uint32_t example_here(const snw_session *session, uint32_t mesh) {
	const snw_scene *scene = session->document->scene;
	for (uint32_t i = 0; session->state.clip == SNW_NONE && !session->hand && i < scene->example_count; i++) {
		if (scene->examples[i].pose == session->state.pose && scene->examples[i].mesh == mesh) {
			return i;
		}
	}
	return SNW_NONE;
}

/* What a stack makes of a mesh in the pose that is shown. */
static snw_status posed_points(const snw_session *session, const snw_stack *stack, uint32_t mesh, double *points,
							   snw_error *error) {
	const snw_mesh *rest = &session->document->scene->meshes[mesh];
	if (!stack || !session->studio.posed) {
		memcpy(points, rest->points_rest, 3 * (size_t)rest->point_count * sizeof(double));
		return SNW_OK;
	}
	snw_stack_frame *frame = snw_stack_frame_create_truth(stack);
	snw_status status = snw_stack_drive(stack, &session->studio.pose, frame, error);
	status = status < 0 ? status : snw_stack_truth(stack, frame, mesh, NULL, points, error);
	snw_stack_frame_destroy(frame);
	return status;
}

/* What is to be sculpted: the example of this pose, else the skin as it is. */
static snw_status points_here(const snw_session *session, uint32_t mesh, double *points, snw_error *error) {
	const uint32_t example = example_here(session, mesh);
	const snw_scene *scene = session->document->scene;
	if (example != SNW_NONE) {
		memcpy(points, scene->examples[example].points_posed, 3 * (size_t)scene->meshes[mesh].point_count * sizeof(double));
		return SNW_OK;
	}
	const snw_document *document = session->document;
	return posed_points(session, document->method_count > 0 ? document->methods[0].stack : NULL, mesh, points, error);
}

static const uint32_t *find_partners(const snw_mesh *mesh, snw_arena *arena) {
	snw_mirror_map map;
	const snw_mirror_options options = {.method = SNW_MIRROR_AUTO};
	return snw_mirror_map_build(mesh, &options, arena, &map, NULL) >= 0 && map.pair_count > 0 ? map.partners : NULL;
}

static uint32_t largest_mesh(const snw_scene *scene) {
	uint32_t largest = 0;
	for (uint32_t m = 1; m < scene->mesh_count; m++) {
		largest = scene->meshes[m].point_count > scene->meshes[largest].point_count ? m : largest;
	}
	return largest;
}

static snw_status begin(snw_session *session, uint32_t mesh, snw_error *error) {
	snw_sculpting *s = &session->sculpting;
	const snw_scene *scene = session->document->scene;
	snw_sculpting_end(s);
	s->arena = snw_arena_create();
	s->mesh = copy_mesh(&scene->meshes[mesh], s->arena);
	s->mesh_index = mesh;
	s->shown = SNW_NEW_ARRAY(s->arena, const float *, scene->mesh_count);
	double *points = SNW_NEW_ARRAY(s->arena, double, 3 * (size_t)s->mesh.point_count);
	double *original = SNW_NEW_ARRAY(s->arena, double, 3 * (size_t)s->mesh.point_count);
	const snw_document *document = session->document;
	const snw_stack *linear = document->linear != SNW_NONE ? document->methods[document->linear].stack : NULL;
	snw_status status = snw_studio_update(&session->studio, &session->state, error);
	status = status < 0 ? status : points_here(session, mesh, points, error);
	status = status < 0 ? status : posed_points(session, linear, mesh, original, error);
	const snw_sculpt_setup setup = {.mesh = &s->mesh,
									.points_posed = points,
									.points_original = original,
									.partners = find_partners(&s->mesh, s->arena),
									.mirror_axis = 0};
	s->has_partners = setup.partners != NULL;
	status = status < 0 ? status : snw_sculpt_create(&setup, &s->sculpt, error);
	if (status < 0) {
		snw_sculpting_end(s);
		return status;
	}
	s->shown[mesh] = snw_sculpt_look(s->sculpt)->points_single;
	const double longest = snw_sculpt_look(s->sculpt)->longest;
	s->brush.radius = fmin(fmax(s->brush.radius, 0.005 * longest), 0.5 * longest);
	return SNW_OK;
}

void snw_sculpting_enter(snw_session *session) {
	const snw_scene *scene = session->document->scene;
	snw_error error = {0};
	if (scene->mesh_count == 0) {
		snw_view_state_warn(&session->state, "There is no mesh to sculpt; open a character first.");
		return;
	}
	session->state.playing = session->state.before = false;
	session->state.method = 0;
	const uint32_t chosen = session->state.example;
	const uint32_t mesh = chosen < scene->example_count ? scene->examples[chosen].mesh : largest_mesh(scene);
	if (begin(session, mesh, &error) < 0) {
		snw_view_state_warn(&session->state, error.text);
		return;
	}
	const uint32_t here = example_here(session, mesh);
	session->state.example = here != SNW_NONE ? here : session->state.example;
	session->state.sculpting = true;
}

void snw_sculpting_leave(snw_session *session) {
	if (session->state.sculpting) {
		snw_sculpting_abort(session);
		session->state.sculpting = false;
		session->studio.sculpt = NULL;
		snw_sculpting_end(&session->sculpting);
	}
}

void snw_sculpting_follow(snw_session *session, bool is_other) {
	snw_sculpting *s = &session->sculpting;
	snw_error error = {0};
	if (!session->state.sculpting || !s->sculpt) {
		return;
	}
	const snw_scene *scene = session->document->scene;
	if (is_other || s->mesh_index >= scene->mesh_count || scene->meshes[s->mesh_index].point_count != s->mesh.point_count) {
		snw_sculpting_leave(session);
		return;
	}
	if (snw_sculpt_is_stroking(s->sculpt) || s->unsent > 0) {
		session->studio.sculpt = s->shown; /* it is ahead of the project */
		return;
	}
	snw_arena *scratch = snw_arena_create();
	double *points = SNW_NEW_ARRAY(scratch, double, 3 * (size_t)s->mesh.point_count);
	snw_status status = snw_studio_update(&session->studio, &session->state, &error);
	status = status < 0 ? status : points_here(session, s->mesh_index, points, &error);
	status = status < 0 ? status : snw_sculpt_reset(s->sculpt, points, NULL, NULL, &error);
	if (status < 0) {
		snw_view_state_warn(&session->state, error.text);
	}
	session->studio.sculpt = NULL;
	snw_arena_destroy(scratch);
}

/* ---- the mouse ---------------------------------------------------------------------------------------------------- */

bool snw_sculpting_is_stroking(const snw_sculpting *sculpting) {
	return sculpting->sculpt && snw_sculpt_is_stroking(sculpting->sculpt);
}

void snw_sculpting_abort(snw_session *session) {
	if (snw_sculpting_is_stroking(&session->sculpting)) {
		snw_sculpt_abort(session->sculpting.sculpt);
		session->studio.is_stale = true;
		session->studio.sculpt = session->sculpting.unsent > 0 ? session->sculpting.shown : NULL;
	}
}

void snw_sculpting_hover(snw_session *session, double x, double y, bool inside) {
	snw_sculpting *s = &session->sculpting;
	s->is_over = false;
	if (s->sculpt && inside && !snw_sculpt_is_stroking(s->sculpt)) {
		const snw_ray ray = snw_session_ray(session, x, y);
		s->under = snw_sculpt_pick(s->sculpt, &ray);
		s->is_over = s->under.face != SNW_NONE;
	}
}
