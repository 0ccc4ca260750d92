/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Commands on corrective groups: which examples learn together, what drives them, in which order they act.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "edit/groups.h"
#include "window/jobs/project_edit.h"
#include "window/session/session.h"

enum { MOST_CHANGED = 2 };

/* Groups as they become, or a change to the one of index `group`. */
typedef struct group_order {
	uint32_t count;
	snw_group groups[MOST_CHANGED]; /* in the errand's arena */
	uint32_t group, place;
	const char *name; /* of the one that is chosen when it is done; NULL: it stays */
} group_order;

/* The group that the words name, else the chosen one; SNW_NONE with a message. */
static uint32_t group_of(snw_session *session, const char *name) {
	const snw_scene *scene = session->document->scene;
	const uint32_t group = name[0] ? snw_scene_find_group(scene, name) : session->state.group;
	if (group >= scene->group_count) {
		snw_view_state_warn(&session->state, name[0] ? "There is no group of that name." : "Choose a group first.");
		return SNW_NONE;
	}
	return group;
}

/* ---- errands ------------------------------------------------------------------------------------------------------ */

static snw_status put_groups(snw_desk_space *desk, void *given, snw_error *error) {
	const group_order *order = given;
	snw_status status = SNW_OK;
	for (uint32_t i = 0; status == SNW_OK && i < order->count; i++) {
		status = snw_project_put_group_of(desk->project, desk->document->scene, &order->groups[i], NULL, error);
	}
	return status;
}

static snw_status rename_group(snw_desk_space *desk, void *given, snw_error *error) {
	const group_order *order = given;
	return snw_project_rename_group(desk->project, desk->document->scene, desk->registry, order->group, order->name, error);
}

static snw_status drop_group(snw_desk_space *desk, void *given, snw_error *error) {
	const group_order *order = given;
	return snw_project_drop_group(desk->project, desk->document->scene, desk->registry, order->group, error);
}

static snw_status move_group(snw_desk_space *desk, void *given, snw_error *error) {
	const group_order *order = given;
	return snw_project_move_group(desk->project, desk->document->scene, order->group, order->place, error);
}

static snw_status commit_groups(snw_desk_space *desk, snw_errand *errand, void *order, snw_error *error) {
	return snw_errand_commit(desk, errand, put_groups, order, error);
}

static snw_status commit_name(snw_desk_space *desk, snw_errand *errand, void *order, snw_error *error) {
	return snw_errand_commit(desk, errand, rename_group, order, error);
}

static snw_status commit_drop(snw_desk_space *desk, snw_errand *errand, void *order, snw_error *error) {
	return snw_errand_commit(desk, errand, drop_group, order, error);
}

static snw_status commit_move(snw_desk_space *desk, snw_errand *errand, void *order, snw_error *error) {
	return snw_errand_commit(desk, errand, move_group, order, error);
}

static void choose(snw_session *session, const snw_errand *errand, void *given) {
	(void)errand;
	const group_order *order = given;
	if (order->name) {
		session->state.group = snw_scene_find_group(session->document->scene, order->name);
	}
}

static snw_errand *make(snw_status (*run)(snw_desk_space *, snw_errand *, void *, snw_error *), const char *verb,
						const char *name, group_order **order) {
	snw_errand *errand = snw_errand_make(verb, sizeof(group_order));
	errand->what = snw_arena_format(errand->arena, "%s %s", verb, name);
	errand->run = run;
	errand->done = choose;
	*order = errand->order;
	return errand;
}

/* ---- the groups themselves ---------------------------------------------------------------------------------------- */

void snw_do_group(snw_session *session, const snw_command *command) {
	session->state.group = snw_scene_find_group(session->document->scene, command->text);
}

void snw_do_group_add(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	snw_arena *scratch = snw_arena_create();
	const bool waits = snw_session_asks(session, command, snw_free_name(scene, snw_scene_find_group, "group", scratch));
	snw_arena_destroy(scratch);
	if (waits) {
		return;
	}
	if (snw_scene_find_group(scene, command->text) != SNW_NONE) {
		snw_view_state_warn(&session->state, "There is a group of that name already.");
		return;
	}
	group_order *order;
	snw_errand *errand = make(commit_groups, "group add", command->text, &order);
	order->name = snw_arena_text(errand->arena, command->text);
	order->groups[0] = snw_group_copy(scene, SNW_NONE, errand->arena);
	order->groups[0].name = order->name;
	order->count = 1;
	snw_session_send(session, errand);
}

void snw_do_group_name(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const uint32_t group = group_of(session, "");
	if (group == SNW_NONE || snw_session_asks(session, command, scene->groups[group].name)) {
		return;
	}
	group_order *order;
	snw_errand *errand = make(commit_name, "group name", command->text, &order);
	order->group = group;
	order->name = snw_arena_text(errand->arena, command->text);
	snw_session_send(session, errand);
}

void snw_do_group_remove(snw_session *session, const snw_command *command) {
	const uint32_t group = group_of(session, command->text);
	if (group != SNW_NONE) {
		group_order *order;
		snw_errand *errand = make(commit_drop, "group remove", session->document->scene->groups[group].name, &order);
		order->group = group;
		snw_session_send(session, errand);
	}
}

static void place_group(snw_session *session, uint32_t group, double place) {
	const snw_scene *scene = session->document->scene;
	if (group != SNW_NONE && place >= 0 && place < scene->group_count && llround(place) != (long long)group) {
		group_order *order;
		snw_errand *errand = make(commit_move, "group move", scene->groups[group].name, &order);
		order->group = group;
		order->place = (uint32_t)place;
		snw_session_send(session, errand);
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

/* ---- what drives it ----------------------------------------------------------------------------------------------- */

static void toggle_joint(snw_group *group, uint32_t joint) {
	uint32_t *joints = (uint32_t *)(uintptr_t)group->joints; /* a copy */
	uint32_t kept = 0;
	for (uint32_t i = 0; i < group->joint_count; i++) {
		if (joints[i] != joint) {
			joints[kept++] = joints[i];
		}
	}
	if (kept == group->joint_count) {
		joints[kept++] = joint;
	}
	group->joint_count = kept;
}

void snw_do_group_joint(snw_session *session, const snw_command *command) {
	const snw_scene *scene = session->document->scene;
	const uint32_t group = group_of(session, ""), joint = snw_scene_find_joint(scene, command->text);
	if (group == SNW_NONE) {
		return;
	}
	if (joint == SNW_NONE) {
		snw_view_state_warn(&session->state, "There is no joint of that name.");
		return;
	}
	group_order *order;
	snw_errand *errand = make(commit_groups, "joints of", scene->groups[group].name, &order);
	order->groups[0] = snw_group_copy(scene, group, errand->arena);
	order->count = 1;
	toggle_joint(&order->groups[0], joint);
	snw_session_send(session, errand);
}

void snw_do_group_free(snw_session *session, const snw_command *command) {
	(void)command;
	const uint32_t group = group_of(session, "");
	if (group != SNW_NONE) {
		group_order *order;
		snw_errand *errand = make(commit_groups, "joints of", session->document->scene->groups[group].name, &order);
		order->groups[0] = snw_group_copy(session->document->scene, group, errand->arena);
		order->groups[0].joint_count = 0;
		order->count = 1;
		snw_session_send(session, errand);
	}
}

/* ---- who is in it ------------------------------------------------------------------------------------------------- */

static snw_member *members_of(const snw_group *copy) {
	return (snw_member *)(uintptr_t)copy->members;
}

/* The chosen example into a group, and, with `from`, out of that one. */
static void join(snw_session *session, uint32_t from, uint32_t to) {
	const snw_scene *scene = session->document->scene;
	const uint32_t example = snw_session_example(session, "");
	if (to == SNW_NONE || example == SNW_NONE) {
		return;
	}
	if (snw_group_member(&scene->groups[to], example) != SNW_NONE) {
		snw_view_state_say(&session->state, "%s is in %s already.", scene->examples[example].name, scene->groups[to].name);
		return;
	}
	const uint32_t was = from == SNW_NONE ? SNW_NONE : snw_group_member(&scene->groups[from], example);
	group_order *order;
	snw_errand *errand =
		make(commit_groups, was == SNW_NONE ? "example join" : "example move", scene->examples[example].name, &order);
	snw_group *group = &order->groups[order->count++];
	*group = snw_group_copy(scene, to, errand->arena);
	members_of(group)[group->member_count++] = (snw_member){example, SNW_NONE};
	if (was != SNW_NONE) {
		members_of(group)[group->member_count - 1].mask = scene->groups[from].members[was].mask;
		order->groups[order->count] = snw_group_copy(scene, from, errand->arena);
		snw_group_leave(&order->groups[order->count++], was);
	}
	order->name = snw_arena_text(errand->arena, scene->groups[to].name);
	snw_session_send(session, errand);
}

void snw_do_example_join(snw_session *session, const snw_command *command) {
	join(session, SNW_NONE, group_of(session, command->text));
}

void snw_do_example_move(snw_session *session, const snw_command *command) {
	const uint32_t from = session->state.group < session->document->scene->group_count ? session->state.group : SNW_NONE;
	join(session, from, group_of(session, command->text));
}

/* The chosen example in the chosen group, as it becomes; NULL, with a message, where it is not in it. */
static snw_errand *change_member(snw_session *session, const char *verb, const char *group_name, uint32_t *at,
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
	group_order *order;
	snw_errand *errand = make(commit_groups, verb, scene->examples[example].name, &order);
	order->groups[0] = snw_group_copy(scene, group, errand->arena);
	order->count = 1;
	*changed = &order->groups[0];
	return errand;
}

void snw_do_example_leave(snw_session *session, const snw_command *command) {
	uint32_t at;
	snw_group *group;
	snw_errand *errand = change_member(session, "example leave", command->text, &at, &group);
	if (errand) {
		snw_group_leave(group, at);
		snw_session_send(session, errand);
	}
}

void snw_do_example_mask(snw_session *session, const snw_command *command) {
	uint32_t at;
	snw_group *group;
	snw_errand *errand = change_member(session, "mask of", "", &at, &group);
	if (!errand) {
		return;
	}
	const snw_scene *scene = session->document->scene;
	const uint32_t mesh = scene->examples[group->members[at].example].mesh;
	const uint32_t field = command->text[0] ? snw_scene_find_field(scene, mesh, command->text) : SNW_NONE;
	if (command->text[0] && field == SNW_NONE) {
		snw_view_state_warn(&session->state, "The mesh has no field of that name.");
		snw_errand_destroy(errand);
		return;
	}
	members_of(group)[at].mask = field;
	snw_session_send(session, errand);
}

void snw_do_example_place(snw_session *session, const snw_command *command) {
	uint32_t at;
	snw_group *group;
	snw_errand *errand = change_member(session, "example move", "", &at, &group);
	if (!errand) {
		return;
	}
	const double most = group->member_count - 1;
	const uint32_t to = (uint32_t)fmin(fmax(command->n[0], 0), most);
	snw_member *members = members_of(group), moved = members[at];
	snw_group_leave(group, at);
	memmove(members + to + 1, members + to, (group->member_count - to) * sizeof *members);
	members[to] = moved;
	group->member_count++;
	snw_session_send(session, errand);
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
