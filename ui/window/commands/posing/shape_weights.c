/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The morph targets that came with the file: their weights, which are part of the pose, and strokes that change one.
 */
#include <stdio.h>
#include <string.h>

#include "example/new_examples.h"
#include "fit/sculpt_reference.h"
#include "pose/pose.h"
#include "window/commands/store_pose.h"
#include "window/commands/store_shape.h"
#include "window/document/titles.h"
#include "window/jobs/project_edit.h"
#include "window/session/session.h"

static const snw_pose *set_weight(snw_session *session, const snw_command *command) {
	const uint32_t channel = snw_session_find(session, SNW_NOUN_SHAPE, command->text);
	if (channel == SNW_NONE) {
		return NULL;
	}
	snw_pose *pose = snw_session_edit_pose(session);
	const snw_scene *scene = session->document->scene;
	const uint32_t first = snw_shape_first(scene, channel);
	for (uint32_t c = first; pose && c < scene->channel_count; c++) {
		pose->channels[c] = snw_shape_first(scene, c) == first ? command->n[0] : pose->channels[c];
	}
	return pose;
}

void snw_do_try_shape_weight(snw_session *session, const snw_command *command) {
	session->edit_is_trial = set_weight(session, command) != NULL;
}

void snw_do_shape_weight(snw_session *session, const snw_command *command) {
	snw_sculpting_leave(session);
	const snw_pose *pose = set_weight(session, command);
	if (pose) {
		char label[200];
		snprintf(label, sizeof label, "set morph target %.150s", command->text);
		session->edit_is_trial = false;
		snw_store_edited_pose(session, label, pose);
	}
}

void snw_do_shape_weights_reset(snw_session *session, const snw_command *command) {
	(void)command;
	const snw_scene *scene = session->document->scene;
	snw_pose *pose = scene->channel_count > 0 ? snw_session_edit_pose(session) : NULL;
	if (!pose) {
		snw_view_state_warn(&session->state, "The character has no morph targets.");
		return;
	}
	for (uint32_t c = 0; c < scene->channel_count; c++) {
		pose->channels[c] = scene->channels[c].initial;
	}
	snw_sculpting_leave(session);
	session->edit_is_trial = false;
	snw_store_edited_pose(session, "reset morph targets", pose);
}

/* ---- strokes on a shape -------------------------------------------------------------------------------------------------- */

/* The shape alone, at rest. */
void snw_do_shape_edit(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	if (scene->channel_count == 0) {
		snw_view_state_warn(&session->state, "The character has no morph targets.");
		return;
	}
	if (snw_session_asks(session, command, scene->channels[0].name)) {
		return;
	}
	const uint32_t channel = snw_session_find(session, SNW_NOUN_SHAPE, command->text);
	if (channel == SNW_NONE) {
		return;
	}
	snw_arena *scratch = snw_arena_create();
	snw_pose *pose = snw_pose_rest(scene, scratch);
	pose->channels[channel] = 1;
	snw_sculpting_leave(session);
	snw_store_unnamed_pose(session, "show a morph target", pose);
	snw_arena_destroy(scratch);
	session->state.shape = channel + 1;
	snw_view_state_say(&session->state, "Strokes now change %s, until you show another pose. Press Tab to sculpt.",
					   scene->channels[channel].name);
}

bool snw_is_editing_shape(const snw_session *session, uint32_t mesh) {
	const snw_scene *scene = session->document->scene;
	const uint32_t channel = session->state.shape - 1;
	const snw_pose *pose = snw_display_pose(&session->display, &session->state);
	return session->state.shape > 0 && channel < scene->channel_count && pose && session->state.clip == SNW_NONE &&
		   snw_pose_is_unnamed(pose->name) && snw_mesh_shape(&scene->meshes[mesh], channel) != SNW_NONE &&
		   pose->channels[channel] > 0.05 && snw_pose_has_joints_at_rest(scene, pose);
}

typedef struct shape_request {
	uint32_t mesh, channel, stroke;
	snw_pose *pose;
	const double *points;
} shape_request;

static snw_status put_stroke(snw_job_context *context, void *data, snw_error *error) {
	const shape_request *request = data;
	const snw_scene *scene = context->document->scene;
	snw_arena *scratch = snw_arena_create();
	double *shown, *original;
	snw_status status = snw_sculpt_points(scene, context->registry, request->mesh, request->pose, SNW_NONE,
										  snw_reference_layer(scene, context->registry), scratch, &shown, &original, error);
	status = snw_failed(status)
				 ? status
				 : snw_project_put_shape_sculpt(context->project, scene, request->mesh, request->channel,
												request->pose->channels[request->channel], request->points, shown, NULL, error);
	snw_arena_destroy(scratch);
	return status;
}

static snw_status commit_stroke(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	return snw_edit_commit(context, job, put_stroke, request, error);
}

static void settle_stroke(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	(void)job;
	snw_sculpting_settle(&session->sculpting, SNW_BRUSH_POINTS, ((shape_request *)data)->stroke);
}

static void finish_stroke(void *owner, const snw_job *job, void *data) {
	settle_stroke(owner, job, data);
	snw_sculpting_follow(owner, false);
}

void snw_store_shape(snw_session *session, uint32_t mesh, const double *points, uint32_t stroke) {
	const snw_scene *scene = session->document->scene;
	snw_job *job = snw_job_create("shape", sizeof(shape_request));
	shape_request *request = job->request;
	request->mesh = mesh;
	request->channel = session->state.shape - 1;
	request->stroke = stroke;
	request->pose = snw_pose_copy(scene, snw_display_pose(&session->display, &session->state), job->arena);
	request->points = snw_arena_copy(job->arena, points, 3 * (size_t)scene->meshes[mesh].point_count * sizeof(double));
	job->label = snw_arena_format(job->arena, "sculpt morph target %s", scene->channels[request->channel].name);
	job->run = commit_stroke;
	job->done = finish_stroke;
	job->failed = settle_stroke;
	snw_session_send(session, job);
}
