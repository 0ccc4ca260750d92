/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One job: it stores pose, example and group, and fits the corrective.
 */
#include "window/commands/store_sculpt.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "edit/commit_fit.h"
#include "edit/commit_sculpt.h"
#include "edit/groups.h"
#include "fit/fit.h"
#include "pose/pose.h"
#include "sinew/algebra.h"
#include "window/jobs/project_edit.h"
#include "window/session/session.h"

#define STILL 1e-6 /* radians, metres, factors: a smaller difference from rest does not count */

typedef struct store_request {
	const char *name; /* of the example */
	const char *pose_name;
	snw_pose *pose;
	const char *group; /* of a new example */
	uint32_t joint;    /* the joint that drives a new group; SNW_NONE: the method chooses */
	uint32_t mesh;
	const double *points; /* NULL: where the method puts them in the pose */
	uint32_t method;      /* index of the document's method; SNW_NONE: the rest is shown */
	uint32_t stroke;
} store_request;

/* ---- the worker's part --------------------------------------------------------------------------------------------------- */

static uint32_t count_learners(const snw_scene *scene, const snw_registry *registry) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < scene->layer_count; i++) {
		const snw_deformer *deformer = snw_registry_find(registry, scene->layers[i].deformer);
		count += deformer && deformer->descriptor->needs & SNW_NEEDS_EXAMPLES && !scene->layers[i].muted;
	}
	return count;
}

/* The points of the mesh as they are shown. */
static snw_status find_shown(const snw_job_context *context, const store_request *request, snw_arena *arena,
							 const double **points, snw_error *error) {
	const snw_scene *scene = context->document->scene;
	const snw_mesh *mesh = &scene->meshes[request->mesh];
	const bool has_method = request->method < context->document->method_count;
	const snw_stack *stack = has_method ? context->document->methods[request->method].stack : NULL;
	if (!stack) {
		*points = mesh->points_rest;
		return SNW_OK;
	}
	double *posed = SNW_NEW_ARRAY(arena, double, 3 * (size_t)mesh->point_count);
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	snw_status status = snw_stack_drive(stack, snw_pose_view_make(scene, request->pose, arena), evaluation, error);
	status = snw_failed(status) ? status : snw_stack_reference(stack, evaluation, request->mesh, NULL, posed, error);
	snw_evaluation_destroy(evaluation);
	*points = posed;
	return status;
}

/* Stores the example and fits the corrective in one step. The caveat says why a fit was not possible. */
static snw_status commit(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	const store_request *request = data;
	const snw_scene *scene = context->document->scene;
	const uint32_t found = snw_scene_find_example(scene, request->name),
				   corrective = snw_sculpt_corrective(scene, context->registry);
	if (!context->project) {
		return snw_fail(error, SNW_ERROR_MISSING, "no project is open; open one first");
	}
	request->pose->name = request->pose_name;
	const snw_pose *pose = found == SNW_NONE ? request->pose : &scene->poses[scene->examples[found].pose];
	double *points, *original;
	snw_status status = snw_sculpt_points(scene, context->registry, request->mesh, pose, found, corrective, job->arena, &points,
										  &original, error);
	const double *wanted = request->points;
	status = snw_failed(status) || wanted ? status : find_shown(context, request, job->arena, &wanted, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_sculpt_commit commit_options = {.label = job->label,
											  .example = request->name,
											  .mesh = request->mesh,
											  .points_posed = wanted,
											  .points_original = original,
											  .pose = pose,
											  .group = request->group,
											  .joint_count = request->joint == SNW_NONE ? 0 : 1,
											  .joints = &request->joint,
											  .corrective = corrective,
											  .method = snw_registry_trait_name(context->registry, SNW_CORRECTS)};
	snw_sculpt_committed done;
	status = snw_sculpt_commit_example(context->project, scene, context->registry, &commit_options, context->task, job->arena,
									   &done, error);
	if (!snw_failed(status) && done.warning) {
		snprintf(job->caveat.text, sizeof job->caveat.text, "%s", done.warning);
	}
	const bool others_learn = count_learners(scene, context->registry) > 1;
	return snw_failed(status) || !others_learn ? status : snw_edit_refresh(context, job, error);
}

/* ---- the window's part --------------------------------------------------------------------------------------------------- */

/* Also chooses a group that contains it, unless the chosen one does. */
static void choose(snw_session *session, uint32_t example) {
	const snw_scene *scene = session->document->scene;
	const uint32_t group = session->state.group;
	session->state.example = example;
	if (group < scene->group_count && snw_group_member(&scene->groups[group], example) != SNW_NONE) {
		return;
	}
	for (uint32_t g = scene->group_count; g-- > 0;) {
		session->state.group = snw_group_member(&scene->groups[g], example) != SNW_NONE ? g : session->state.group;
	}
}

static void done(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	(void)job;
	const store_request *request = data;
	const uint32_t example = snw_scene_find_example(session->document->scene, request->name);
	snw_sculpting *s = &session->sculpting;
	if (request->stroke > 0) {
		s->sent[SNW_BRUSH_POINTS] = request->stroke; /* this stroke and all before it */
	}
	if (example != SNW_NONE) {
		choose(session, example);
		if (session->state.sculpting || session->state.clip != SNW_NONE || session->edited_pose) {
			session->state.pose = session->document->scene->examples[example].pose;
			session->state.clip = SNW_NONE;
			snw_session_discard_pose(session);
			snw_display_choose_clip(&session->display, SNW_NONE);
		}
	}
	snw_sculpting_follow(session, false);
	const snw_document *document = session->document;
	if (example != SNW_NONE && document->scene->examples[example].muted) {
		snw_view_state_say(&session->state, "%s is muted: its sculpt is stored but has no effect until you unmute it.",
						   request->name);
	} else if (example != SNW_NONE && document->solo != SNW_NONE && document->solo != example) {
		snw_view_state_say(&session->state, "%s is stored; only %s is shown until you press Solo again.", request->name,
						   document->scene->examples[document->solo].name);
	}
}

/* The joint that differs most from its rest, which the sculpt is probably for. */
static uint32_t most_rotated(const snw_scene *scene, const snw_pose *pose) {
	uint32_t most = SNW_NONE;
	double angle = 0.05;
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		const double angle_of_joint = snw_length3(pose->rotation_vectors + 3 * (size_t)j);
		if (angle_of_joint > angle) {
			angle = angle_of_joint;
			most = j;
		}
	}
	return most;
}

static bool is_nameless(const snw_session *session, const snw_pose *pose) {
	return session->edited_pose || session->state.clip != SNW_NONE || snw_pose_is_unnamed(pose->name) ||
		   session->state.pose == 0;
}

/* At rest the skin is given, so there is nothing to learn. */
static bool is_at_rest(const snw_scene *scene, const snw_pose *pose) {
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		const snw_transform *local = &pose->local[j], *rest = &scene->skeleton.rest_local[j];
		for (size_t c = 0; c < 3; c++) {
			if (fabs(pose->rotation_vectors[3 * (size_t)j + c]) > STILL ||
				fabs(local->translation[c] - rest->translation[c]) > STILL || fabs(local->scale[c] - rest->scale[c]) > STILL) {
				return false;
			}
		}
	}
	return true;
}

bool snw_may_store_sculpt(snw_session *session, uint32_t mesh) {
	const snw_pose *pose = snw_display_pose(&session->display, &session->state);
	const snw_scene *scene = session->document->scene;
	if (!pose || scene->skeleton.joint_count == 0) {
		snw_view_state_warn(&session->state,
							"There is no pose to sculpt in: the character has no skeleton. Import one that has a skeleton.");
		return false;
	}
	if (snw_session_example_here(session, mesh) == SNW_NONE && is_at_rest(scene, pose)) {
		snw_view_state_warn(&session->state,
							"No joint is rotated, and in the rest pose the skin cannot change. Click a joint and "
							"drag a ring or type degrees to bend it; then sculpt, or press Add.");
		return false;
	}
	return true;
}

void snw_store_sculpt(snw_session *session, const char *verb, const char *name, uint32_t mesh, const double *points,
					  uint32_t stroke) {
	const snw_scene *scene = session->document->scene;
	const snw_pose *pose = snw_display_pose(&session->display, &session->state);
	const uint32_t here = snw_session_example_here(session, mesh), unnamed = snw_session_unnamed(session);
	snw_job *job = snw_job_create(verb, sizeof(store_request));
	snw_arena *arena = job->arena;
	store_request *request = job->request;
	const uint32_t joint = most_rotated(scene, pose);
	const bool nameless = is_nameless(session, pose);
	const char *stem = nameless ? (joint != SNW_NONE ? scene->skeleton.names[joint] : "example") : pose->name;
	request->name = here != SNW_NONE ? snw_arena_text(arena, scene->examples[here].name)
					: name           ? snw_arena_text(arena, name)
									 : snw_scene_free_name(scene, snw_scene_find_example, stem, arena);
	request->pose_name =
		nameless ? snw_scene_free_name(scene, snw_scene_find_pose, request->name, arena) : snw_arena_text(arena, pose->name);
	request->pose = snw_pose_copy(scene, pose, arena);
	request->pose->id = unnamed == SNW_NONE ? 0 : scene->poses[unnamed].id; /* this pose gets the example's name */
	request->joint = joint;
	request->group = snw_arena_text(arena, joint == SNW_NONE ? "main" : scene->skeleton.names[joint]);
	request->mesh = mesh;
	request->points =
		points ? snw_arena_copy(arena, points, 3 * (size_t)scene->meshes[mesh].point_count * sizeof(double)) : NULL;
	request->method = snw_display_method(&session->display, &session->state);
	request->stroke = stroke;
	job->label = snw_arena_format(arena, "%s %s", verb, request->name);
	job->run = commit;
	job->done = done;
	snw_session_send(session, job);
}
