/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands on the joints of the skeleton at rest: drawn on the skin, moved, parented, renamed, deleted. Each is one step of the journal.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/plural.h"
#include "edit/joints/edit_joints.h"
#include "render/view/pick.h"
#include "window/jobs/project_edit.h"
#include "window/session/session.h"

/* Joints by name, because they may have other indices when the job runs; "" for none. */
typedef struct joint_request {
	const char *joint, *parent;
	double place[3];
	char message[400];
} joint_request;

/* ---- jobs ---------------------------------------------------------------------------------------------------------------- */

static snw_status find(const snw_job_context *context, const char *name, uint32_t *joint, snw_error *error) {
	*joint = name[0] ? snw_scene_find_joint(context->document->scene, name) : SNW_NONE;
	return !name[0] || *joint != SNW_NONE ? SNW_OK : snw_fail(error, SNW_ERROR_MISSING, "%s: there is no such joint", name);
}

static snw_status add(snw_job_context *context, void *data, snw_error *error) {
	joint_request *request = data;
	uint32_t parent;
	const snw_status status = find(context, request->parent, &parent, error);
	snprintf(request->message, sizeof request->message, "%.150s is %s%.150s.", request->joint,
			 parent == SNW_NONE ? "a root" : "below ", request->parent);
	return snw_failed(status) ? status
							  : snw_project_add_joint(context->project, context->document->scene, request->joint, parent,
													  request->place, error);
}

static snw_status move(snw_job_context *context, void *data, snw_error *error) {
	const joint_request *request = data;
	uint32_t joint;
	const snw_status status = find(context, request->joint, &joint, error);
	return snw_failed(status)
			   ? status
			   : snw_project_move_joint(context->project, context->document->scene, joint, request->place, error);
}

static snw_status set_parent(snw_job_context *context, void *data, snw_error *error) {
	const joint_request *request = data;
	uint32_t joint, parent;
	snw_status status = find(context, request->joint, &joint, error);
	status = snw_failed(status) ? status : find(context, request->parent, &parent, error);
	return snw_failed(status) ? status
							  : snw_project_parent_joint(context->project, context->document->scene, joint, parent, error);
}

/* The new name is in `parent`. */
static snw_status rename_joint(snw_job_context *context, void *data, snw_error *error) {
	const joint_request *request = data;
	uint32_t joint;
	const snw_status status = find(context, request->joint, &joint, error);
	return snw_failed(status) ? status
							  : snw_project_rename_joint(context->project, context->document->scene, context->registry, joint,
														 request->parent, error);
}

static snw_status take_away(snw_job_context *context, void *data, snw_error *error) {
	joint_request *request = data;
	const snw_scene *scene = context->document->scene;
	snw_joint_removal removal;
	uint32_t joint;
	snw_status status = find(context, request->joint, &joint, error);
	status = snw_failed(status) ? status
								: snw_project_remove_joint(context->project, scene, context->registry, joint, &removal, error);
	if (!snw_failed(status) && removal.point_count + removal.clip_count > 0) {
		snprintf(request->message, sizeof request->message,
				 "Its weights at %u point%s went to its parent; its keys in %u clip%s were removed. Undo restores it.",
				 removal.point_count, snw_plural(removal.point_count), removal.clip_count, snw_plural(removal.clip_count));
	}
	return status;
}

static snw_status run_add(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	return snw_edit_commit(context, job, add, request, error);
}

static snw_status run_move(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	return snw_edit_commit(context, job, move, request, error);
}

static snw_status run_parent(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	return snw_edit_commit(context, job, set_parent, request, error);
}

static snw_status run_rename(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	return snw_edit_commit(context, job, rename_joint, request, error);
}

static snw_status run_remove(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	return snw_edit_commit(context, job, take_away, request, error);
}

/* Selects the joint that was changed. */
static void select_joint(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	const joint_request *request = data;
	const snw_scene *scene = session->document->scene;
	const uint32_t joint = snw_scene_find_joint(scene, job->run == run_rename ? request->parent : request->joint);
	session->state.joint = job->run == run_remove ? snw_scene_find_joint(scene, request->parent) : joint;
	if (request->message[0]) {
		snw_view_state_say(&session->state, "%s", request->message);
	}
}

static snw_job *make_job(const char *label, const char *joint, const char *parent,
						 snw_status (*run)(snw_job_context *, snw_job *, void *, snw_error *)) {
	snw_job *job = snw_job_create(label, sizeof(joint_request));
	joint_request *request = job->request;
	request->joint = snw_arena_text(job->arena, joint);
	request->parent = snw_arena_text(job->arena, parent);
	job->label = snw_arena_format(job->arena, "%s %.150s", label, joint);
	job->run = run;
	job->done = select_joint;
	return job;
}

/* ---- drawing ------------------------------------------------------------------------------------------------------------- */

/* The named joint or, if the name is empty, the selected one; NULL with a message. */
static const char *joint_of(snw_session *session, const char *name) {
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	const uint32_t joint = name[0] ? snw_scene_find_joint(session->document->scene, name) : session->state.joint;
	if (joint >= skeleton->joint_count) {
		snw_view_state_warn(&session->state, name[0] ? "No joint has this name." : "Select a joint first.");
		return NULL;
	}
	return skeleton->names[joint];
}

void snw_do_draw_joints(snw_session *session, const snw_command *command) {
	(void)command;
	if (!session->document->path) {
		snw_view_state_warn(&session->state, "Open a character first.");
		return;
	}
	const bool begins = !session->state.drawing_joints;
	if (begins) {
		session->state.pose = 0;
		snw_session_choose_clip(session, SNW_NONE);
		session->state.flags |= SNW_VIEW_SKELETON;
	}
	session->state.drawing_joints = begins;
}

static void send_add(snw_session *session, const char *name, const double place[3]) {
	const snw_scene *scene = session->document->scene;
	const uint32_t parent = session->state.joint;
	snw_arena *scratch = snw_arena_create();
	const char *joint = name[0] ? name : snw_scene_free_name(scene, snw_scene_find_joint, "joint-1", scratch);
	snw_job *job =
		make_job("add joint", joint, parent < scene->skeleton.joint_count ? scene->skeleton.names[parent] : "", run_add);
	memcpy(((joint_request *)job->request)->place, place, 3 * sizeof *place);
	snw_arena_destroy(scratch);
	snw_session_send(session, job);
}

void snw_do_joint_add(snw_session *session, const snw_command *command) {
	send_add(session, command->text, command->n);
}

void snw_do_joint_draw(snw_session *session, const snw_command *command) {
	double place[3];
	if (snw_session_limb_middle(session, command->n[0], command->n[1], place)) {
		send_add(session, command->text, place);
	} else {
		snw_view_state_warn(&session->state, "There is no skin here. Click on the skin to draw a joint.");
	}
}

/* ---- changing ------------------------------------------------------------------------------------------------------------ */

/* Only the bones follow the drag: no skin moves, because a bind follows its joint. */
void snw_do_try_joint_move(snw_session *session, const snw_command *command) {
	const char *name = session->state.drawing_joints ? joint_of(session, command->text) : NULL;
	if (name && session->display.posed) {
		double *global = session->display.global + 12 * (size_t)snw_scene_find_joint(session->document->scene, name);
		for (int c = 0; c < 3; c++) {
			global[4 * c + 3] = command->n[c];
		}
		session->edit_is_trial = true;
	}
}

void snw_do_joint_move(snw_session *session, const snw_command *command) {
	const char *name = joint_of(session, command->text);
	if (name) {
		snw_job *job = make_job("move joint", name, "", run_move);
		memcpy(((joint_request *)job->request)->place, command->n, 3 * sizeof(double));
		session->edit_is_trial = false;
		snw_session_send(session, job);
	}
}

void snw_do_joint_name(snw_session *session, const snw_command *command) {
	const char *name = joint_of(session, "");
	if (name && !snw_session_asks(session, command, name)) {
		snw_session_send(session, make_job("rename joint", name, command->text, run_rename));
	}
}

void snw_do_joint_parent(snw_session *session, const snw_command *command) {
	const char *name = joint_of(session, "");
	const snw_skeleton *skeleton = &session->document->scene->skeleton;
	if (!name) {
		return;
	}
	const uint32_t parent = skeleton->parents[session->state.joint];
	if (!snw_session_asks(session, command, parent == SNW_NONE ? "" : skeleton->names[parent])) {
		snw_session_send(session, make_job("parent joint", name, command->text, run_parent));
	}
}

void snw_do_joint_root(snw_session *session, const snw_command *command) {
	(void)command;
	const char *name = joint_of(session, "");
	if (name) {
		snw_session_send(session, make_job("unparent joint", name, "", run_parent));
	}
}

static bool has_weights(const snw_scene *scene, uint32_t joint) {
	bool has = false;
	for (uint32_t m = 0; m < scene->mesh_count && !has; m++) {
		const snw_mesh *mesh = &scene->meshes[m];
		const uint32_t count = mesh->influence_offsets ? mesh->influence_offsets[mesh->point_count] : 0;
		for (uint32_t k = 0; k < count && !has; k++) {
			has = mesh->influence_weights[k] != 0 && scene->slot_joints[mesh->influence_slots[k]] == joint;
		}
	}
	return has;
}

/* Whether deleting a joint would change weights that are locked; if so, a message says so. */
static bool is_kept_by_lock(snw_session *session, uint32_t joint) {
	const snw_scene *scene = session->document->scene;
	const bool *locked = session->display.locked_joints;
	const uint32_t parent = scene->skeleton.parents[joint];
	const uint32_t holder = locked[joint] || parent == SNW_NONE ? joint : parent;
	const bool is_kept = locked[holder] && has_weights(scene, joint);
	if (is_kept) {
		snw_view_state_say(&session->state, "The weights of %s are locked; unlock them to delete %s.",
						   scene->skeleton.names[holder], scene->skeleton.names[joint]);
	}
	return is_kept;
}

void snw_do_joint_remove(snw_session *session, const snw_command *command) {
	const char *name = joint_of(session, command->text);
	const uint32_t joint = name ? snw_scene_find_joint(session->document->scene, name) : SNW_NONE;
	if (name && !is_kept_by_lock(session, joint)) {
		const snw_skeleton *skeleton = &session->document->scene->skeleton;
		const uint32_t parent = skeleton->parents[joint];
		snw_session_send(session,
						 make_job("delete joint", name, parent == SNW_NONE ? "" : skeleton->names[parent], run_remove));
	}
}
