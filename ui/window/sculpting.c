/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The host's sculpting session, kept in step with what is shown.
 */
#include "window/sculpting.h"

#include <math.h>
#include <string.h>

#include "scene/mirror.h"
#include "sculpt/keep.h"
#include "window/sculpt_values.h"
#include "window/session.h"

/* ---- the brush ---------------------------------------------------------------------------------------------------- */

void snw_sculpting_start(snw_sculpting *sculpting) {
	sculpting->brush = (snw_brush){.kind = SNW_BRUSH_GRAB, .radius = 0.05, .value = 1, .symmetric = false};
	for (int i = 0; i < SNW_BRUSH_COUNT; i++) {
		sculpting->strengths[i] = i == SNW_BRUSH_GRAB || i == SNW_BRUSH_SLIDE ? 1 : 0.5;
	}
	sculpting->brush.strength = sculpting->strengths[SNW_BRUSH_GRAB];
	sculpting->under.face = SNW_NONE;
	sculpting->painted_joint = SNW_NONE;
}

void snw_sculpting_end(snw_sculpting *sculpting) {
	snw_sculpt_destroy(sculpting->sculpt);
	snw_arena_destroy(sculpting->arena);
	sculpting->sculpt = NULL;
	sculpting->arena = NULL;
	sculpting->shown = NULL;
	memcpy(sculpting->sent, sculpting->made, sizeof sculpting->sent);
	sculpting->is_over = false;
}

/* ---- a session of the host's -------------------------------------------------------------------------------------- */

static snw_mesh copy_mesh(const snw_mesh *mesh, snw_arena *arena) {
	const size_t corners = mesh->face_offsets[mesh->face_count];
	return (snw_mesh){
		.name = snw_arena_text(arena, mesh->name),
		.point_count = mesh->point_count,
		.points_rest = snw_arena_copy(arena, mesh->points_rest, 3 * (size_t)mesh->point_count * sizeof(double)),
		.face_count = mesh->face_count,
		.face_offsets = snw_arena_copy(arena, mesh->face_offsets, ((size_t)mesh->face_count + 1) * sizeof(uint32_t)),
		.face_points = snw_arena_copy(arena, mesh->face_points, corners * sizeof(uint32_t)),
	};
}

/* What is to be sculpted, and what erase brings back. */
static snw_status points_here(const snw_session *session, uint32_t mesh, snw_arena *arena, double **points, double **original,
							  snw_error *error) {
	const snw_scene *scene = session->document->scene;
	const snw_pose *pose = snw_studio_pose(&session->studio, &session->state);
	if (pose) {
		return snw_sculpt_points(scene, session->registry, mesh, pose, snw_session_example_here(session, mesh),
								 snw_sculpt_corrective(scene, session->registry), arena, points, original, error);
	}
	const size_t bytes = 3 * (size_t)scene->meshes[mesh].point_count * sizeof(double);
	*points = snw_arena_copy(arena, scene->meshes[mesh].points_rest, bytes);
	*original = *points;
	return SNW_OK;
}

static const uint32_t *find_partners(const snw_mesh *mesh, snw_arena *arena) {
	snw_mirror_map map;
	const snw_mirror_options options = {.method = SNW_MIRROR_AUTO};
	return snw_mirror_map_build(mesh, &options, arena, &map, NULL) >= 0 && map.pair_count > 0 ? map.partners : NULL;
}

static snw_status begin(snw_session *session, uint32_t mesh, snw_error *error) {
	snw_sculpting *s = &session->sculpting;
	const snw_scene *scene = session->document->scene;
	snw_sculpting_end(s);
	s->arena = snw_arena_create();
	s->mesh = copy_mesh(&scene->meshes[mesh], s->arena);
	s->mesh_index = mesh;
	s->shown = SNW_NEW_ARRAY(s->arena, const float *, scene->mesh_count);
	s->values = SNW_NEW_ARRAY(s->arena, const double *, scene->mesh_count);
	snw_arena *scratch = snw_arena_create();
	double *points = NULL, *original = NULL;
	snw_status status = points_here(session, mesh, scratch, &points, &original, error);
	const snw_sculpt_setup setup = {.mesh = &s->mesh,
									.points_posed = points,
									.points_original = original,
									.partners = find_partners(&s->mesh, s->arena),
									.mirror_axis = 0};
	s->has_partners = setup.partners != NULL;
	status = status < 0 ? status : snw_sculpt_create(&setup, &s->sculpt, error);
	snw_arena_destroy(scratch);
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
	const uint32_t mesh = chosen < scene->example_count ? scene->examples[chosen].mesh : snw_scene_largest_mesh(scene);
	if (begin(session, mesh, &error) < 0) {
		snw_view_state_warn(&session->state, error.text);
		return;
	}
	const uint32_t here = snw_session_example_here(session, mesh);
	session->state.example = here != SNW_NONE ? here : session->state.example;
	session->state.sculpting = true;
	snw_sculpt_values_read(session);
	snw_sculpt_values_show(session);
}

void snw_sculpting_leave(snw_session *session) {
	if (session->state.sculpting) {
		snw_sculpting_abort(session);
		session->state.sculpting = false;
		session->studio.sculpt = NULL;
		session->studio.values = NULL;
		session->studio.is_stale = true;
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
	if (snw_sculpt_is_stroking(s->sculpt) || snw_sculpting_is_ahead(s)) {
		session->studio.sculpt = s->shown; /* it is ahead of the project */
		snw_sculpt_values_show(session);
		return;
	}
	snw_arena *scratch = snw_arena_create();
	double *points = NULL, *original = NULL;
	snw_status status = points_here(session, s->mesh_index, scratch, &points, &original, &error);
	status = status < 0 ? status : snw_sculpt_reset(s->sculpt, points, NULL, NULL, &error);
	status = status < 0 ? status : snw_sculpt_set_original(s->sculpt, original, &error);
	if (status < 0) {
		snw_view_state_warn(&session->state, error.text);
	}
	session->studio.sculpt = NULL;
	snw_sculpt_values_read(session);
	snw_sculpt_values_show(session);
	snw_arena_destroy(scratch);
}

/* ---- the mouse ---------------------------------------------------------------------------------------------------- */

bool snw_sculpting_is_ahead(const snw_sculpting *sculpting) {
	return memcmp(sculpting->made, sculpting->sent, sizeof sculpting->made) != 0;
}

bool snw_sculpting_is_stroking(const snw_sculpting *sculpting) {
	return sculpting->sculpt && snw_sculpt_is_stroking(sculpting->sculpt);
}

void snw_sculpting_abort(snw_session *session) {
	if (snw_sculpting_is_stroking(&session->sculpting)) {
		snw_sculpt_abort(session->sculpting.sculpt);
		session->studio.is_stale = true;
		session->studio.sculpt = snw_sculpting_is_ahead(&session->sculpting) ? session->sculpting.shown : NULL;
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
