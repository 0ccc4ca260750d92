/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skeletons and skin weights made by a method for the project, in the worker process. Each is one step of the journal.
 */
#include <stdio.h>

#include "base/plural.h"
#include "fit/commit.h"
#include "window/jobs/project_edit.h"
#include "window/session/session.h"
#include "worker/worker.h"

typedef struct make_request {
	uint32_t trait; /* of the method */
	bool follows_joints;
	snw_skin_choice choice; /* which weights are replaced */
	char message[500];
} make_request;

static snw_status commit(snw_job_context *context, const make_request *request, snw_fit_outcome *outcome, snw_error *error) {
	return request->trait == SNW_MAKES_SKELETON
			   ? snw_project_commit_fit(context->project, context->registry, outcome, "make a skeleton", error)
			   : snw_project_commit_skins(context->project, context->registry, &request->choice, outcome, "bind", error);
}

static void describe(make_request *request, const snw_fit_outcome *outcome) {
	const uint32_t joints = outcome->proposals.skeleton.joint_count, skins = outcome->proposals.skin_count;
	const char *caveat = outcome->status > 0 && outcome->caveat ? outcome->caveat : "";
	if (request->trait == SNW_MAKES_SKELETON) {
		snprintf(request->message, sizeof request->message, "A skeleton of %u joints in %.2f s. %.300s", joints,
				 outcome->seconds, caveat);
	} else {
		snprintf(request->message, sizeof request->message, "Bound the skin of %u mesh%s in %.2f s. %.300s", skins,
				 skins == 1 ? "" : "es", outcome->seconds, caveat);
	}
}

static snw_status make(snw_job_context *context, snw_job *job, void *data, snw_error *error) {
	make_request *request = data;
	const snw_fit_request options = {.method = snw_registry_trait_name(context->registry, request->trait),
									 .left_out_example = SNW_NONE,
									 .replaces_skeleton = request->follows_joints,
									 .follows_joints = request->follows_joints};
	if (!options.method) {
		return snw_fail(error, SNW_ERROR_MISSING, "no loaded plug-in makes %s",
						request->trait == SNW_MAKES_SKELETON ? "skeletons" : "skin weights");
	}
	const snw_worker_limits limits = {0};
	snw_fit_outcome outcome = {.arena = job->arena};
	snw_status status = snw_worker_fit(context->path, &options, &limits, context->task, &outcome, error);
	if (snw_failed(status)) {
		return status;
	}
	status = commit(context, request, &outcome, error);
	describe(request, &outcome);
	return snw_failed(status) ? status : snw_edit_refresh(context, job, error);
}

static void report_made(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	(void)job;
	session->state.drawing_joints = false;
	snw_view_state_say(&session->state, "%s", ((const make_request *)data)->message);
}

static make_request *open_job(const char *label, uint32_t trait, snw_job **job) {
	*job = snw_job_create(label, sizeof(make_request));
	make_request *request = (*job)->request;
	request->trait = trait;
	(*job)->is_long = true;
	(*job)->run = make;
	(*job)->done = report_made;
	return request;
}

void snw_do_skeleton_fit(snw_session *session, const snw_command *command) {
	(void)command;
	snw_job *job;
	if (session->document->scene->skeleton.joint_count > 0) {
		snw_view_state_warn(&session->state,
							"There are joints already. Use Skeleton from drawn joints to follow them, or delete them first.");
		return;
	}
	open_job("finding a skeleton", SNW_MAKES_SKELETON, &job);
	snw_session_send(session, job);
}

void snw_do_skeleton_follow(snw_session *session, const snw_command *command) {
	(void)command;
	snw_job *job;
	if (session->document->scene->skeleton.joint_count == 0) {
		snw_view_state_warn(&session->state, "Draw joints first: at least two, one below the other.");
		return;
	}
	open_job("finding the skeleton", SNW_MAKES_SKELETON, &job)->follows_joints = true;
	snw_session_send(session, job);
}

/* Whether each mesh has weights, so that there are only some to replace. */
static bool all_are_bound(const snw_scene *scene) {
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		if (!scene->meshes[m].influence_offsets) {
			return false;
		}
	}
	return true;
}

void snw_do_bind_skin(snw_session *session, const snw_command *command) {
	(void)command;
	const snw_scene *scene = session->document->scene;
	snw_job *job;
	if (scene->skeleton.joint_count == 0 || scene->mesh_count == 0) {
		snw_view_state_warn(&session->state, "Draw joints first: skin weights need a skeleton.");
		return;
	}
	snw_skin_choice *choice = &open_job("binding the skin", SNW_MAKES_WEIGHTS, &job)->choice;
	choice->replaces = all_are_bound(scene);
	if (choice->replaces) { /* else no mesh that has weights is bound */
		choice->lock_count = snw_display_locked_joints(&session->display, job->arena, &choice->locked);
	}
	snw_session_send(session, job);
}
