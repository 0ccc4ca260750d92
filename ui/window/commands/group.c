/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands on corrective groups: their examples, the joints that drive them, and their order.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "edit/drivers/groups.h"
#include "window/jobs/project_edit.h"
#include "window/session/session.h"

enum { MOST_CHANGED = 2 };

/* New versions of groups, or a change of the group at index `group`. */
typedef struct group_request {
	uint32_t count;
	snw_group groups[MOST_CHANGED]; /* in the job's arena */
	uint32_t group, place;
	const char *name;     /* the group that is chosen afterwards; NULL: the choice stays */
	bool chooses_drivers; /* of all examples of the first group, or of `example` alone */
	uint32_t example;     /* SNW_NONE: all */
	uint32_t silenced_count;
	const char *silenced; /* what a removal says of the examples that are in no group any more */
} group_request;

/* The named group, or the chosen one if `name` is empty; SNW_NONE with a message. */
static uint32_t group_of(snw_session *session, const char *name) {
	const snw_scene *scene = session->document->scene;
	const uint32_t group = name[0] ? snw_scene_find_group(scene, name) : session->state.group;
	if (group >= scene->group_count) {
		snw_view_state_warn(&session->state, name[0] ? "No group has this name." : "Select a group first.");
		return SNW_NONE;
	}
	return group;
}

/* ---- jobs ------------------------------------------------------------------------------------------------------ */

static snw_status put_all(snw_job_context *context, void *data, snw_error *error) {
	const group_request *request = data;
	const snw_scene *scene = context->document->scene;
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < request->count; i++) {
		status = snw_project_put_group_of(context->project, scene, &request->groups[i], NULL, error);
	}
	if (snw_failed(status) || !request->chooses_drivers) {
		return status;
	}
	return request->example == SNW_NONE ? snw_project_keep_drivers(context->project, scene, &request->groups[0], error)
										: snw_project_keep_driver(context->project, scene, request->example, error);
}

static snw_status rename_group(snw_job_context *context, void *data, snw_error *error) {
	const group_request *request = data;
	return snw_project_rename_group(context->project, context->document->scene, context->registry, request->group,
									request->name, error);
}

static snw_status remove_group(snw_job_context *context, void *data, snw_error *error) {
	const group_request *request = data;
	return snw_project_drop_group(context->project, context->document->scene, context->registry, request->group, error);
}

static snw_status move_group(snw_job_context *context, void *data, snw_error *error) {
	const group_request *request = data;
	return snw_project_move_group(context->project, context->document->scene, request->group, request->place, error);
}

static snw_status commit_groups(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	return snw_edit_commit(context, job, put_all, request, error);
}

static snw_status commit_name(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	return snw_edit_commit(context, job, rename_group, request, error);
}

static snw_status commit_removal(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	return snw_edit_commit(context, job, remove_group, request, error);
}

static snw_status commit_move(snw_job_context *context, snw_job *job, void *request, snw_error *error) {
	return snw_edit_commit(context, job, move_group, request, error);
}

static void choose_group(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	(void)job;
	const group_request *request = data;
	if (request->name) {
		session->state.group = snw_scene_find_group(session->document->scene, request->name);
	}
}

static snw_job *make_job(snw_status (*run)(snw_job_context *, snw_job *, void *, snw_error *), const char *verb,
						 const char *name, group_request **request) {
	snw_job *job = snw_job_create(verb, sizeof(group_request));
	job->label = snw_arena_format(job->arena, "%s %s", verb, name);
	job->run = run;
	job->done = choose_group;
	*request = job->request;
	return job;
}

/* ---- groups -------------------------------------------------------------------------------------------------------------- */

void snw_do_group(snw_session *session, const snw_command *command) {
	session->state.group = snw_scene_find_group(session->document->scene, command->text);
}

void snw_do_group_add(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	snw_arena *scratch = snw_arena_create();
	const bool waits = snw_session_asks(session, command, snw_scene_free_name(scene, snw_scene_find_group, "group", scratch));
	snw_arena_destroy(scratch);
	if (waits) {
		return;
	}
	if (snw_scene_find_group(scene, command->text) != SNW_NONE) {
		snw_view_state_warn(&session->state, "A group with this name already exists.");
		return;
	}
	group_request *request;
	snw_job *job = make_job(commit_groups, "add group", command->text, &request);
	request->name = snw_arena_text(job->arena, command->text);
	request->groups[0] = snw_group_copy(scene, SNW_NONE, job->arena);
	request->groups[0].name = request->name;
	request->count = 1;
	snw_session_send(session, job);
}

void snw_do_group_name(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const uint32_t group = group_of(session, "");
	if (group == SNW_NONE || snw_session_asks(session, command, scene->groups[group].name)) {
		return;
	}
	group_request *request;
	snw_job *job = make_job(commit_name, "rename group to", command->text, &request);
	request->group = group;
	request->name = snw_arena_text(job->arena, command->text);
	snw_session_send(session, job);
}

/* "elbow, wrist": the examples that are in this group and in no other; returns how many. */
static uint32_t list_silenced(const snw_scene *scene, uint32_t group, char *names, size_t size) {
	uint32_t count = 0;
	size_t used = 0;
	names[0] = '\0';
	for (uint32_t i = 0; i < scene->groups[group].member_count && scene->group_count > 1; i++) {
		const uint32_t example = scene->groups[group].members[i].example;
		bool is_elsewhere = false;
		for (uint32_t g = 0; g < scene->group_count; g++) {
			is_elsewhere = is_elsewhere || (g != group && snw_group_member(&scene->groups[g], example) != SNW_NONE);
		}
		if (!is_elsewhere && used < size) {
			used += (size_t)snprintf(names + used, size - used, "%s%s", count > 0 ? ", " : "", scene->examples[example].name);
		}
		count += !is_elsewhere;
	}
	return count;
}

static void report_removal(void *owner, const snw_job *job, void *data) {
	snw_session *session = owner;
	const group_request *request = data;
	(void)job;
	if (request->silenced_count > 0) {
		snw_view_state_warn(&session->state, request->silenced);
	}
}

void snw_do_group_remove(snw_session *session, const snw_command *command) {
	const uint32_t group = group_of(session, command->text);
	if (group != SNW_NONE) {
		group_request *request;
		const snw_scene *scene = session->document->scene;
		char names[300];
		snw_job *job = make_job(commit_removal, "delete group", scene->groups[group].name, &request);
		request->group = group;
		request->silenced_count = list_silenced(scene, group, names, sizeof names);
		request->silenced =
			snw_arena_format(job->arena, "%s %s in no group now and %s no effect. Drag %s to a group, or undo.", names,
							 request->silenced_count > 1 ? "are" : "is", request->silenced_count > 1 ? "have" : "has",
							 request->silenced_count > 1 ? "them" : "it");
		job->done = report_removal;
		snw_session_send(session, job);
	}
}

static void place_group(snw_session *session, uint32_t group, double place) {
	const snw_scene *scene = session->document->scene;
	if (group != SNW_NONE && place >= 0 && place < scene->group_count && llround(place) != (long long)group) {
		group_request *request;
		snw_job *job = make_job(commit_move, "move group", scene->groups[group].name, &request);
		request->group = group;
		request->place = (uint32_t)place;
		snw_session_send(session, job);
	}
}

void snw_do_group_place(snw_session *session, const snw_command *command) {
	place_group(session, group_of(session, ""), command->n[0]);
}

void snw_do_group_earlier(snw_session *session, const snw_command *command) {
	(void)command;
	const uint32_t group = group_of(session, "");
	place_group(session, group, (double)group - 1);
}

void snw_do_group_later(snw_session *session, const snw_command *command) {
	(void)command;
	const uint32_t group = group_of(session, "");
	place_group(session, group, (double)group + 1);
}

/* ---- joints -------------------------------------------------------------------------------------------------------------- */

static void toggle_joint(snw_group *group, uint32_t joint) {
	uint32_t *joints = (uint32_t *)(uintptr_t)group->joints; /* the job's copy */
	uint32_t count = 0;
	for (uint32_t i = 0; i < group->joint_count; i++) {
		if (joints[i] != joint) {
			joints[count++] = joints[i];
		}
	}
	if (count == group->joint_count) {
		joints[count++] = joint;
	}
	group->joint_count = count;
}

void snw_do_group_joint(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const uint32_t group = group_of(session, ""), joint = snw_scene_find_joint(scene, command->text);
	if (group == SNW_NONE) {
		return;
	}
	if (joint == SNW_NONE) {
		snw_view_state_warn(&session->state, "No joint has this name.");
		return;
	}
	group_request *request;
	snw_job *job = make_job(commit_groups, "change joints of", scene->groups[group].name, &request);
	request->groups[0] = snw_group_copy(scene, group, job->arena);
	request->count = 1;
	request->chooses_drivers = true;
	request->example = SNW_NONE;
	toggle_joint(&request->groups[0], joint);
	snw_session_send(session, job);
}

void snw_do_group_free(snw_session *session, const snw_command *command) {
	(void)command;
	const uint32_t group = group_of(session, "");
	if (group != SNW_NONE) {
		group_request *request;
		snw_job *job = make_job(commit_groups, "change joints of", session->document->scene->groups[group].name, &request);
		request->groups[0] = snw_group_copy(session->document->scene, group, job->arena);
		request->groups[0].joint_count = 0;
		request->count = 1;
		snw_session_send(session, job);
	}
}

/* ---- members ------------------------------------------------------------------------------------------------------------- */

static snw_member *members_of(const snw_group *copy) {
	return (snw_member *)(uintptr_t)copy->members;
}

/* Puts the chosen example into a group, and takes it out of the group `from` (SNW_NONE: none). */
static void join(snw_session *session, uint32_t from, uint32_t to) {
	const snw_scene *scene = session->document->scene;
	const uint32_t example = snw_session_example(session, "");
	if (to == SNW_NONE || example == SNW_NONE) {
		return;
	}
	if (snw_group_member(&scene->groups[to], example) != SNW_NONE) {
		snw_view_state_say(&session->state, "%s is already in %s.", scene->examples[example].name, scene->groups[to].name);
		return;
	}
	const uint32_t member = from == SNW_NONE ? SNW_NONE : snw_group_member(&scene->groups[from], example);
	group_request *request;
	snw_job *job = make_job(commit_groups, member == SNW_NONE ? "group example" : "regroup example",
							scene->examples[example].name, &request);
	snw_group *group = &request->groups[request->count++];
	*group = snw_group_copy(scene, to, job->arena);
	members_of(group)[group->member_count++] = (snw_member){example, SNW_NONE};
	if (member != SNW_NONE) {
		members_of(group)[group->member_count - 1].mask = scene->groups[from].members[member].mask;
		request->groups[request->count] = snw_group_copy(scene, from, job->arena);
		snw_group_leave(&request->groups[request->count++], member);
	}
	request->name = snw_arena_text(job->arena, scene->groups[to].name);
	request->chooses_drivers = true;
	request->example = example;
	snw_session_send(session, job);
}

void snw_do_example_join(snw_session *session, const snw_command *command) {
	join(session, SNW_NONE, group_of(session, command->text));
}

void snw_do_example_move(snw_session *session, const snw_command *command) {
	const uint32_t from = session->state.group < session->document->scene->group_count ? session->state.group : SNW_NONE;
	join(session, from, group_of(session, command->text));
}

/* A job that changes the chosen example's membership in a group; NULL with a message if it is not a member. */
static snw_job *change_member(snw_session *session, const char *verb, const char *group_name, uint32_t *at,
							  snw_group **changed) {
	const snw_scene *scene = session->document->scene;
	const uint32_t example = snw_session_example(session, "");
	const uint32_t group = example == SNW_NONE ? SNW_NONE : group_of(session, group_name);
	if (group == SNW_NONE) {
		return NULL;
	}
	*at = snw_group_member(&scene->groups[group], example);
	if (*at == SNW_NONE) {
		snw_view_state_say(&session->state, "%s is not in %s.", scene->examples[example].name, scene->groups[group].name);
		return NULL;
	}
	group_request *request;
	snw_job *job = make_job(commit_groups, verb, scene->examples[example].name, &request);
	request->groups[0] = snw_group_copy(scene, group, job->arena);
	request->count = 1;
	*changed = &request->groups[0];
	return job;
}

void snw_do_example_leave(snw_session *session, const snw_command *command) {
	uint32_t at;
	snw_group *group;
	snw_job *job = change_member(session, "ungroup example", command->text, &at, &group);
	if (job) {
		snw_group_leave(group, at);
		snw_session_send(session, job);
	}
}

void snw_do_example_mask(snw_session *session, const snw_command *command) {
	uint32_t at;
	snw_group *group;
	snw_job *job = change_member(session, "change mask of", "", &at, &group);
	if (!job) {
		return;
	}
	const snw_scene *scene = session->document->scene;
	const uint32_t mesh = scene->examples[group->members[at].example].mesh;
	const uint32_t field = command->text[0] ? snw_scene_find_field(scene, mesh, command->text) : SNW_NONE;
	if (command->text[0] && field == SNW_NONE) {
		snw_view_state_warn(&session->state, "The mesh has no field with this name.");
		snw_job_destroy(job);
		return;
	}
	members_of(group)[at].mask = field;
	snw_session_send(session, job);
}

void snw_do_example_place(snw_session *session, const snw_command *command) {
	uint32_t at;
	snw_group *group;
	snw_job *job = change_member(session, "move example", "", &at, &group);
	if (!job) {
		return;
	}
	const double most = group->member_count - 1;
	const uint32_t to = (uint32_t)fmin(fmax(command->n[0], 0), most);
	snw_member *members = members_of(group), member = members[at];
	snw_group_leave(group, at);
	memmove(members + to + 1, members + to, (group->member_count - to) * sizeof *members);
	members[to] = member;
	group->member_count++;
	snw_session_send(session, job);
}

static void step_member(snw_session *session, int steps) {
	const snw_scene *scene = session->document->scene;
	const uint32_t example = snw_session_example(session, ""), group = example == SNW_NONE ? SNW_NONE : group_of(session, "");
	const uint32_t at = group == SNW_NONE ? SNW_NONE : snw_group_member(&scene->groups[group], example);
	const int64_t to = (int64_t)at + steps;
	if (at != SNW_NONE && to >= 0 && to < scene->groups[group].member_count) {
		snw_emit_number(&session->queue, SNW_DO_EXAMPLE_PLACE, (double)to);
	}
}

void snw_do_example_earlier(snw_session *session, const snw_command *command) {
	(void)command;
	step_member(session, -1);
}

void snw_do_example_later(snw_session *session, const snw_command *command) {
	(void)command;
	step_member(session, 1);
}
