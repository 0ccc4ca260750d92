/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands on the skin weights of the active mesh, as a whole. Locked joints keep theirs, in painting too.
 */
#include <stdio.h>
#include <stdlib.h>

#include "edit/weights/edit_weights.h"
#include "edit/weights/take_weights.h"
#include "sculpt/symmetry_plane.h"
#include "window/jobs/project_edit.h"
#include "window/session/painted_values.h"
#include "window/session/session.h"

enum { INFLUENCES_MOST = 4 };
#define LEAST_WEIGHT 0.01

typedef enum weights_edit { NORMALISE, PRUNE, MIRROR_FROM_LARGER, MIRROR_FROM_SMALLER, COPY } weights_edit;

typedef struct weights_request {
	weights_edit edit;
	uint32_t mesh, lock_count;
	const uint32_t *locked; /* [lock_count] */
	uint32_t unpaired;      /* points without a partner, for a mirrored skin */
	uint32_t from;          /* the mesh to copy from */
} weights_request;

static snw_status mirror(const snw_scene *scene, weights_request *request, snw_arena *arena, snw_mesh *result,
						 snw_error *error) {
	const snw_mesh *mesh = &scene->meshes[request->mesh];
	const snw_mirror_options options = {.method = SNW_MIRROR_AUTO, .plane = snw_symmetry_plane(scene, request->mesh)};
	snw_mirror_map map;
	snw_mirror_joints joints;
	const snw_status status = snw_mirror_map_build(mesh, &options, arena, &map, error);
	if (status == SNW_ERROR_MISSING) {
		return snw_fail(
			error, status,
			"The sides of %.120s are not alike at rest, so its weights have no mirror image. Paint those of the other "
			"side, or copy them from a mesh that has them (Copy from…).",
			mesh->name);
	}
	if (snw_failed(status)) {
		return status;
	}
	request->unpaired = map.unpaired_count;
	snw_mirror_joints_find(scene, &options.plane, 0, arena, &joints);
	return snw_skin_mirror(scene, mesh, &map, &joints, request->edit == MIRROR_FROM_LARGER, arena, result, error);
}

static snw_status run(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	weights_request *request = data;
	const snw_scene *scene = context->document->scene;
	const snw_mesh *mesh = &scene->meshes[request->mesh];
	snw_status status = SNW_OK;
	snw_mesh result;
	if (!context->project) {
		return snw_fail(error, SNW_ERROR_MISSING, "no project is open; open one first");
	}
	if (request->edit == NORMALISE) {
		result = snw_skin_normalise(mesh, job->arena);
	} else if (request->edit == PRUNE) {
		result = snw_skin_prune(scene, mesh, INFLUENCES_MOST, LEAST_WEIGHT, request->lock_count, request->locked, job->arena);
	} else if (request->edit == COPY) {
		status = snw_skin_from_mesh(mesh, &scene->meshes[request->from], context->task, job->arena, &result, error);
	} else {
		status = mirror(scene, request, job->arena, &result, error);
	}
	if (!snw_failed(status)) {
		result = snw_skin_lock(scene, mesh, &result, request->lock_count, request->locked, job->arena);
		status = snw_project_commit_skin(context->project, job->label, &result, error);
	}
	return snw_failed(status) ? status : snw_edit_refresh(context, job, error);
}

static void report(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	const weights_request *request = data;
	if (request->unpaired > 0) {
		snw_view_state_say(&session->state, "%s: %u points have no partner and keep their weights.", job->label,
						   request->unpaired);
	}
}

/* For the active mesh. */
static snw_job *make_job(snw_session *session, weights_edit edit, const char *verb) {
	const uint32_t mesh = snw_session_mesh(session);
	snw_job *job = snw_job_create(verb, sizeof(weights_request));
	weights_request *request = job->request;
	request->edit = edit;
	request->mesh = mesh;
	request->lock_count = snw_display_locked_joints(&session->display, job->arena, &request->locked);
	job->label = snw_arena_format(job->arena, "%s of %s", verb, session->document->scene->meshes[mesh].name);
	job->run = run;
	job->done = report;
	return job;
}

static void send(snw_session *session, weights_edit edit, const char *verb) {
	const snw_scene *scene = session->document->scene;
	const uint32_t mesh = snw_session_mesh(session);
	if (mesh >= scene->mesh_count || !scene->meshes[mesh].influence_offsets) {
		snw_view_state_warn(&session->state, "This mesh has no skin weights. Pose > Bind skin makes them.");
		return;
	}
	snw_session_send(session, make_job(session, edit, verb));
}

void snw_do_weights_normalise(snw_session *session, const snw_command *command) {
	(void)command;
	send(session, NORMALISE, "normalise weights");
}

void snw_do_weights_prune(snw_session *session, const snw_command *command) {
	(void)command;
	send(session, PRUNE, "prune weights");
}

void snw_do_weights_mirror(snw_session *session, const snw_command *command) {
	(void)command;
	send(session, MIRROR_FROM_LARGER, "mirror weights");
}

void snw_do_weights_mirror_back(snw_session *session, const snw_command *command) {
	(void)command;
	send(session, MIRROR_FROM_SMALLER, "mirror weights");
}

/* Onto the active mesh, which may have no weights yet. */
void snw_do_weights_copy(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const uint32_t mesh = snw_session_mesh(session);
	if (scene->mesh_count < 2 || mesh >= scene->mesh_count) {
		snw_view_state_warn(&session->state, "There is no other mesh to copy weights from.");
		return;
	}
	if (snw_session_asks(session, command, scene->meshes[mesh == 0 ? 1 : 0].name)) {
		return;
	}
	const uint32_t from = snw_scene_find_mesh(scene, command->text);
	if (from == SNW_NONE || from == mesh || !scene->meshes[from].influence_offsets) {
		snw_view_state_warn(&session->state, from == SNW_NONE ? "No mesh has this name."
											 : from == mesh   ? "This is the current mesh; choose another."
															  : "That mesh has no skin weights.");
		return;
	}
	snw_job *job = make_job(session, COPY, "copy weights");
	((weights_request *)job->request)->from = from;
	job->is_long = true;
	snw_session_send(session, job);
}

static snw_status take_learned(snw_job_context *context, void *data, snw_error *error) {
	(void)data;
	const snw_scene *scene = context->document->scene;
	const uint32_t layer = snw_learned_blend(scene, context->registry);
	return layer == SNW_NONE ? snw_fail(error, SNW_ERROR_MISSING, "no layer has learned weights: what you paint shows already")
							 : snw_project_take_weights(context->project, scene, context->registry, layer, error);
}

static snw_status commit_taken(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	return snw_edit_commit(context, job, take_learned, request, error);
}

static void took(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	(void)job, (void)data;
	snw_view_state_say(&session->state, "The weights are copied to the skin, and the layer is muted.");
}

void snw_do_weights_take(snw_session *session, const snw_command *command) {
	(void)command;
	const snw_scene *scene = session->document->scene;
	const uint32_t layer = snw_learned_blend(scene, session->registry);
	snw_job *job = snw_job_create("take weights", sizeof(weights_request));
	job->label = snw_arena_format(job->arena, "take weights of %s", layer == SNW_NONE ? "no layer" : scene->layers[layer].name);
	job->run = commit_taken;
	job->done = took;
	snw_session_send(session, job);
}

void snw_do_joint_lock(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const uint32_t joint = command->text[0] ? snw_scene_find_joint(scene, command->text) : session->state.joint;
	if (joint >= scene->skeleton.joint_count) {
		snw_view_state_warn(&session->state, command->text[0] ? "No joint has this name." : "Select a joint first.");
		return;
	}
	session->display.locked_joints[joint] = !session->display.locked_joints[joint];
	for (int i = 0; i < SNW_PAINTED_MESHES; i++) { /* they were made for other locks */
		session->display.paintings[i].skin = NULL;
	}
}

/* ---- one point ----------------------------------------------------------------------------------------------------------- */

void snw_do_weights_point(snw_session *session, const snw_command *command) {
	snw_sculpting *s = &session->sculpting;
	char *end = NULL, words[20];
	const unsigned long typed = strtoul(command->text, &end, 10);
	const bool is_typed = end != command->text, is_under = s->is_over && s->under_mesh == s->mesh_index;
	const unsigned long point = is_typed ? typed : is_under ? s->under.point : SNW_NONE;
	if (!s->mesh || point >= s->point_count) {
		snw_view_state_warn(&session->state, is_typed ? "The mesh has no such point."
													  : "Move the mouse over the skin to list the weights of a point.");
		return;
	}
	if (!is_typed) { /* as a command with the index, so that a script repeats it without a mouse */
		snprintf(words, sizeof words, "%lu", point);
		snw_emit_text(&session->queue, SNW_DO_WEIGHTS_POINT, words);
		return;
	}
	s->chosen_point = (uint32_t)point;
	if (snw_brush_changes(s->brush.kind) != SNW_BRUSH_FIELD) { /* the list is among the settings of brushes that paint */
		static const snw_command paint = {.id = SNW_DO_BRUSH, .text = "paint"};
		snw_do_brush(session, &paint);
	}
	if (!s->paints_weights) {
		snw_do_paint_weights(session, command);
	}
}

void snw_do_weight(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const snw_sculpting *s = &session->sculpting;
	const uint32_t joint = snw_scene_find_joint(scene, command->text);
	if (joint >= scene->skeleton.joint_count || !s->sculpt || s->chosen_point == SNW_NONE) {
		snw_view_state_warn(&session->state, "List the weights of a point first, and name one of its joints.");
		return;
	}
	snw_painted_values_commit_weight(session, s->chosen_point, joint, command->n[0]);
}
