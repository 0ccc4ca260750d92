/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command that gives the chosen example another driver: it goes from its group to the group of that joint. If an example
 * there has the same rotation of the joint, a second joint drives a group of both. A name that the example has after its old
 * driver, and a pose of the same name, follow. A symmetric stroke does not part the sides of an example whose driver was
 * chosen.
 */
#include <stdio.h>
#include <string.h>

#include "example/groups.h"
#include "example/names.h"
#include "example/sides.h"
#include "window/document/titles.h"
#include "window/jobs/project_edit.h"
#include "window/session/session.h"

typedef struct driver_request {
	uint32_t from;         /* the group that the example leaves; SNW_NONE: none */
	bool is_emptied;       /* and which is then deleted */
	snw_group left_behind; /* that group without the example */
	snw_group joined;      /* a new version of the joint's group, or a new group */
	const char *name;      /* of the joint's group */
	uint32_t example;
	const char *example_name; /* the new one; NULL: it keeps its own */
} driver_request;

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

static snw_status rename_example(const snw_job_context *context, const driver_request *request, snw_error *error) {
	const snw_scene *scene = context->document->scene;
	snw_example example = scene->examples[request->example];
	snw_pose pose = scene->poses[example.pose];
	const snw_mesh *mesh = &scene->meshes[example.mesh];
	const bool is_also_pose = strcmp(pose.name, example.name) == 0;
	int64_t id;
	example.name = pose.name = request->example_name;
	example.has_chosen_driver = true;
	const snw_status status =
		snw_project_put_example(context->project, &example, pose.id, mesh->id, mesh->point_count, &id, error);
	return snw_failed(status) || !is_also_pose ? status : snw_project_put_pose(context->project, &pose, &id, error);
}

static snw_status change_group(snw_job_context *context, void *data, snw_error *error) {
	const driver_request *request = data;
	const snw_scene *scene = context->document->scene;
	snw_status status = snw_project_put_group_of(context->project, scene, &request->joined, NULL, error);
	if (!snw_failed(status)) {
		status = request->example_name ? rename_example(context, request, error)
									   : snw_project_keep_driver(context->project, scene, request->example, error);
	}
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

static snw_group new_group(const snw_scene *scene, const snw_group_choice *choice, snw_arena *arena) {
	snw_group group = snw_group_copy(scene, SNW_NONE, arena);
	group.joints = snw_arena_copy(arena, choice->joints, choice->joint_count * sizeof *choice->joints);
	group.joint_count = choice->joint_count;
	group.name = choice->name;
	return group;
}

static void fill_request(const snw_scene *scene, uint32_t from, const snw_group_choice *to, uint32_t example, snw_arena *arena,
						 driver_request *request) {
	snw_member member = {.example = example, .mask = SNW_NONE};
	request->from = from;
	request->example = example;
	if (from != SNW_NONE) {
		const uint32_t at = snw_group_member(&scene->groups[from], example);
		member.mask = scene->groups[from].members[at].mask;
		request->left_behind = snw_group_copy(scene, from, arena);
		snw_group_leave(&request->left_behind, at);
		request->is_emptied = request->left_behind.member_count == 0;
	}
	request->joined = to->group == SNW_NONE ? new_group(scene, to, arena) : snw_group_copy(scene, to->group, arena);
	request->name = request->joined.name;
	if (snw_group_member(&request->joined, example) == SNW_NONE) {
		snw_member *members = (snw_member *)(uintptr_t)request->joined.members; /* the job's copy */
		members[request->joined.member_count++] = member;
	}
}

/* NULL if the user named the example. */
static const char *find_new_name(const snw_scene *scene, uint32_t from, uint32_t example, uint32_t joint, snw_arena *arena) {
	const snw_pose *pose = &scene->poses[scene->examples[example].pose];
	const snw_group *group = from == SNW_NONE ? NULL : &scene->groups[from];
	const bool follows = group && group->joint_count > 0 &&
						 snw_sculpt_is_named_after(scene, pose, group->joints[0], scene->examples[example].name);
	return follows ? snw_sculpt_example_name(scene, pose, joint, arena) : NULL;
}

/* The joint comes first, then the others that could drive the example: they may have to tell it from others of the joint's
 * group. */
static snw_group_choice choose_driven_group(const snw_session *session, uint32_t example, uint32_t joint, snw_arena *arena) {
	const snw_scene *scene = session->document->scene;
	const snw_drivers *known = snw_drivers_known(session);
	const uint32_t others = known ? known->count : 0;
	uint32_t *joints = SNW_NEW_ARRAY(arena, uint32_t, (size_t)others + 1), count = 0;
	joints[count++] = joint;
	for (uint32_t i = 0; i < others; i++) {
		if (known->items[i].joint != joint) {
			joints[count++] = known->items[i].joint;
		}
	}
	const snw_example *driven = &scene->examples[example];
	return snw_choose_group(scene, driven->mesh, &scene->poses[driven->pose], example, count, joints, arena);
}

static void warn_of_twin(snw_session *session, const snw_group_choice *to, uint32_t example) {
	const snw_scene *scene = session->document->scene;
	char words[500], title[200];
	snprintf(words, sizeof words, "%.100s cannot tell %.150s from %.150s: it is bent alike in both. Choose another joint.",
			 snw_joint_words(&scene->skeleton, to->joints[0], title, sizeof title), scene->examples[example].name,
			 scene->examples[to->twin].name);
	snw_view_state_warn(&session->state, words);
}

void snw_do_driver(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const uint32_t example = snw_session_example(session, "");
	const uint32_t joint = example == SNW_NONE ? SNW_NONE : snw_session_find(session, SNW_NOUN_JOINT, command->text);
	if (joint == SNW_NONE) {
		return;
	}
	snw_job *job = snw_job_create("", sizeof(driver_request));
	const snw_group_choice to = choose_driven_group(session, example, joint, job->arena);
	const uint32_t from = find_from(session, example);
	const bool is_current = to.group != SNW_NONE && to.group == from;
	if (is_current && snw_group_to_part(scene, example) != from) {
		char title[200];
		snw_view_state_say(&session->state, "%s already drives %s.",
						   snw_joint_words(&scene->skeleton, joint, title, sizeof title), scene->examples[example].name);
		snw_job_destroy(job);
		return;
	}
	if (to.twin != SNW_NONE && !is_current) {
		warn_of_twin(session, &to, example);
		snw_job_destroy(job);
		return;
	}
	/* The present driver, clicked, is chosen: the groups stay as they are. */
	fill_request(scene, is_current ? SNW_NONE : from, &to, example, job->arena, job->request);
	((driver_request *)job->request)->example_name = is_current ? NULL : find_new_name(scene, from, example, joint, job->arena);
	job->label = snw_arena_format(job->arena, "drive %s by %s", scene->examples[example].name, scene->skeleton.names[joint]);
	job->run = commit;
	job->done = choose_group;
	snw_session_send(session, job);
}
