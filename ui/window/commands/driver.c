/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command that gives the chosen example another driver: it goes from its group to the group of that joint.
 */
#include "edit/groups.h"
#include "window/jobs/project_edit.h"
#include "window/session/session.h"

typedef struct driver_request {
	uint32_t from;         /* the group that the example leaves; SNW_NONE: none */
	bool is_emptied;       /* and which is then deleted */
	snw_group left_behind; /* that group without the example */
	snw_group joined;      /* a new version of the joint's group, or a new group */
	const char *name;      /* of the joint's group */
} driver_request;

/* The group that this joint alone drives; SNW_NONE for none. */
static uint32_t find_group(const snw_scene *scene, uint32_t joint) {
	for (uint32_t g = 0; g < scene->group_count; g++) {
		if (scene->groups[g].joint_count == 1 && scene->groups[g].joints[0] == joint) {
			return g;
		}
	}
	return SNW_NONE;
}

/* The chosen group if it contains the example, otherwise the first that does. */
static uint32_t find_from(const snw_session *session, uint32_t example) {
	const snw_scene *scene = session->document->scene;
	const uint32_t chosen = session->state.group;
	if (chosen < scene->group_count && snw_group_member(&scene->groups[chosen], example) != SNW_NONE) {
		return chosen;
	}
	for (uint32_t g = 0; g < scene->group_count; g++) {
		if (snw_group_member(&scene->groups[g], example) != SNW_NONE) {
			return g;
		}
	}
	return SNW_NONE;
}

static snw_status change_group(snw_job_context *context, void *data, snw_error *error) {
	const driver_request *request = data;
	const snw_scene *scene = context->document->scene;
	snw_status status = snw_project_put_group_of(context->project, scene, &request->joined, NULL, error);
	if (snw_failed(status) || request->from == SNW_NONE) {
		return status;
	}
	return request->is_emptied ? snw_project_drop_group(context->project, scene, context->registry, request->from, error)
							   : snw_project_put_group_of(context->project, scene, &request->left_behind, NULL, error);
}

static snw_status commit(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	return snw_edit_commit(context, job, change_group, request, error);
}

static void choose_group(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	(void)job;
	const driver_request *request = data;
	session->state.group = snw_scene_find_group(session->document->scene, request->name);
}

static snw_group new_group(const snw_scene *scene, uint32_t joint, snw_arena *arena) {
	snw_group group = snw_group_copy(scene, SNW_NONE, arena);
	uint32_t *joints = SNW_NEW_ARRAY(arena, uint32_t, 1);
	joints[0] = joint;
	group.joints = joints;
	group.joint_count = 1;
	group.name = snw_scene_free_name(scene, snw_scene_find_group, scene->skeleton.names[joint], arena);
	return group;
}

static void fill_request(const snw_scene *scene, uint32_t from, uint32_t to, uint32_t joint, uint32_t example, snw_arena *arena,
						 driver_request *request) {
	snw_member member = {.example = example, .mask = SNW_NONE};
	request->from = from;
	if (from != SNW_NONE) {
		const uint32_t at = snw_group_member(&scene->groups[from], example);
		member.mask = scene->groups[from].members[at].mask;
		request->left_behind = snw_group_copy(scene, from, arena);
		snw_group_leave(&request->left_behind, at);
		request->is_emptied = request->left_behind.member_count == 0;
	}
	request->joined = to == SNW_NONE ? new_group(scene, joint, arena) : snw_group_copy(scene, to, arena);
	request->name = request->joined.name;
	if (snw_group_member(&request->joined, example) == SNW_NONE) {
		snw_member *members = (snw_member *)(uintptr_t)request->joined.members; /* the job's copy */
		members[request->joined.member_count++] = member;
	}
}

void snw_do_driver(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const uint32_t example = snw_session_example(session, ""), joint = snw_scene_find_joint(scene, command->text);
	if (example == SNW_NONE) {
		return;
	}
	if (joint == SNW_NONE) {
		snw_view_state_warn(&session->state, "No joint has this name.");
		return;
	}
	const uint32_t from = find_from(session, example), to = find_group(scene, joint);
	if (to != SNW_NONE && to == from) {
		snw_view_state_say(&session->state, "%s already drives %s.", scene->skeleton.names[joint],
						   scene->examples[example].name);
		return;
	}
	snw_job *job = snw_job_create("", sizeof(driver_request));
	fill_request(scene, from, to, joint, example, job->arena, job->request);
	job->label = snw_arena_format(job->arena, "drive %s by %s", scene->examples[example].name, scene->skeleton.names[joint]);
	job->run = commit;
	job->done = choose_group;
	snw_session_send(session, job);
}
