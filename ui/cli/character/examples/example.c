/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew example: sculpts, and the groups that they belong to.
 */
#include <string.h>

#include "cli/character/examples/example_layers.h"
#include "cli/character/examples/example_parts.h"
#include "cli/character/examples/example_sources.h"
#include "cli/character/examples/read_sculpt.h"
#include "cli/character/group.h"
#include "cli/character/mirror.h"
#include "cli/command_line/actions.h"
#include "cli/command_line/options/mask.h"
#include "cli/command_line/options/worker_limits.h"
#include "edit/drivers/groups.h"
#include "fit/sculpt_reference.h"
#include "pose/pose.h"

static snw_status list(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
	(void)unused, (void)error;
	const snw_scene *scene = opened->scene;
	cJSON *rows = snw_answer_list(call->answer, "examples");
	for (uint32_t i = 0; i < scene->example_count; i++) {
		const snw_example *example = &scene->examples[i];
		const char *groups = "";
		cJSON *row = snw_answer_row(rows);
		snw_answer_text(row, "name", example->name);
		snw_answer_text(row, "pose", scene->poses[example->pose].name);
		snw_answer_text(row, "mesh", scene->meshes[example->mesh].name);
		cJSON *group_list = snw_answer_list(row, "groups");
		for (uint32_t g = 0; g < scene->group_count; g++) {
			for (uint32_t m = 0; m < scene->groups[g].member_count; m++) {
				if (scene->groups[g].members[m].example == i) {
					groups = snw_arena_format(call->arena, "%s %s", groups, scene->groups[g].name);
					if (group_list) {
						cJSON_AddItemToArray(group_list, cJSON_CreateString(scene->groups[g].name));
					}
				}
			}
		}
		const uint32_t points = scene->meshes[example->mesh].point_count;
		const uint32_t edited = example->edited ? example->edited_count : points;
		const bool is_one_mesh = scene->mesh_count == 1;
		snw_say(call, "%s pose %s %7u of %u points edited%s%s, groups%s%s", snw_padded(call, example->name, 24),
				snw_padded(call, scene->poses[example->pose].name, 20), edited, points, is_one_mesh ? "" : " of the mesh ",
				is_one_mesh ? "" : scene->meshes[example->mesh].name, groups, example->muted ? "  (muted)" : "");
		snw_answer_number(row, "edited", edited);
		snw_answer_bool(row, "muted", example->muted);
	}
	return SNW_OK;
}

/* A point that moved less, as a share of the mesh's diagonal, was not edited: files round to six decimals of metres. */
static const double FILE_PRECISION = 2e-6;

/* The sculpt as an example with its list of edited points. */
static snw_status find_edits(const snw_call *call, const snw_opened *opened, uint32_t mesh, const snw_pose *pose,
							 snw_example *example, snw_error *error) {
	const uint32_t count = opened->scene->meshes[mesh].point_count;
	double *below = snw_arena_array(call->arena, count, 3 * sizeof *below);
	const snw_status status = snw_reference_points(opened->scene, opened->registry, mesh, 1, &pose, &below, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_example_find_edited(example, count, below, FILE_PRECISION * snw_scene_diagonal(opened->scene, mesh), call->arena);
	if (example->edited && example->edited_count == 0) {
		snw_task_notice(&call->task, SNW_LOG_WARNING,
						"example %s edits nothing: every point is where the skin puts it in this pose", example->name);
	}
	const uint32_t edited = example->edited ? example->edited_count : count;
	snw_say(call, "%u of %u points are edited; the others follow the skin", edited, count);
	snw_answer_number(call->answer, "edited", edited);
	return SNW_OK;
}

/* The named pose; or a moment of a clip, as a new pose without an id that has the example's name. */
static snw_status find_pose(const snw_call *call, const snw_opened *opened, const char *example, snw_pose **pose,
							snw_error *error) {
	const char *text = snw_call_option(call, "--pose");
	if (!text) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "the pose is missing; give it with --pose NAME or --pose CLIP:SECONDS");
	}
	const snw_status status = snw_pose_resolve(opened->scene, text, call->arena, pose, error);
	if (snw_failed(status) || snw_scene_find_pose(opened->scene, text) != SNW_NONE) {
		return status;
	}
	(*pose)->id = 0;
	(*pose)->name = example;
	return snw_scene_find_pose(opened->scene, example) == SNW_NONE
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_CONFLICT, "%s: a pose with this name exists; choose another name for the example",
						  example);
}

/* Writes a group (or a new, empty one) after adding a member, or changing the mask of the example's membership. */
static snw_status join_group(const snw_call *call, const snw_opened *opened, const char *name, int64_t example,
							 uint32_t example_index, int64_t mask, snw_error *error) {
	const snw_scene *scene = opened->scene;
	const uint32_t found = snw_scene_find_group(scene, name);
	snw_group group = {.name = name};
	if (found != SNW_NONE) {
		group = scene->groups[found];
	}
	int64_t *examples = SNW_NEW_ARRAY(call->arena, int64_t, group.member_count + 1u);
	int64_t *masks = SNW_NEW_ARRAY(call->arena, int64_t, group.member_count + 1u);
	uint32_t count = 0;
	for (uint32_t i = 0; i < group.member_count; i++) {
		const snw_member *member = &group.members[i];
		if (member->example != example_index) {
			examples[count] = scene->examples[member->example].id;
			masks[count++] = member->mask == SNW_NONE ? 0 : scene->fields[member->mask].id;
		}
	}
	examples[count] = example;
	masks[count++] = mask;
	group.member_count = count;
	const char *joints = snw_call_option(call, "--joints");
	if (joints) {
		uint32_t *list;
		const snw_status status = snw_group_joints(call, scene, joints, &group.joint_count, &list, error);
		if (snw_failed(status)) {
			return status;
		}
		group.joints = list;
	}
	int64_t id;
	return snw_project_put_group(opened->project, &group, examples, masks, &id, error);
}

static snw_status join_groups(const snw_call *call, const snw_opened *opened, uint32_t mesh, int64_t example,
							  uint32_t example_index, snw_error *error) {
	int group_count = 0, mask_count = 0;
	while (snw_call_option_at(call, "--group", group_count)) {
		group_count++;
	}
	while (snw_call_option_at(call, "--mask", mask_count)) {
		mask_count++;
	}
	if (mask_count > 0 && mask_count != group_count) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%d groups but %d masks: give one --mask for each --group, or none",
						group_count, mask_count);
	}
	snw_status status = SNW_OK;
	for (int i = 0; !snw_failed(status) && (i < group_count || i == 0); i++) {
		const char *group = group_count ? snw_call_option_at(call, "--group", i) : "main";
		int64_t mask = 0;
		if (mask_count) {
			status = snw_mask_store(call, opened, mesh, snw_call_option_at(call, "--mask", i), &mask, error);
		}
		if (!snw_failed(status)) {
			status = join_group(call, opened, group, example, example_index, mask, error);
		}
	}
	return status;
}

static snw_status add(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
	(void)unused;
	const char *name = snw_call_option(call, "--name");
	if (!name || !name[0]) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "the example's name is missing; give it with --name N");
	}
	if (snw_scene_find_example(opened->scene, name) != SNW_NONE) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s: an example with this name exists; 'example update' changes it", name);
	}
	uint32_t mesh;
	snw_example example = {.name = name,
						   .has_chosen_driver = snw_call_option(call, "--group") || snw_call_option(call, "--joints")};
	snw_pose *pose = NULL;
	int64_t pose_id, id;
	snw_status status = snw_opened_mesh(call, opened, &mesh, error);
	status =
		snw_failed(status) ? status : snw_call_read_sculpt(call, &opened->scene->meshes[mesh], &example.points_posed, error);
	status = snw_failed(status) ? status : find_pose(call, opened, name, &pose, error);
	status = snw_failed(status) ? status : find_edits(call, opened, mesh, pose, &example, error);
	if (!snw_failed(status)) {
		pose_id = pose->id;
		status = pose_id ? SNW_OK : snw_project_put_pose(opened->project, pose, &pose_id, error);
	}
	if (!snw_failed(status)) {
		status = snw_project_put_example(opened->project, &example, pose_id, opened->scene->meshes[mesh].id,
										 opened->scene->meshes[mesh].point_count, &id, error);
	}
	return snw_failed(status) ? status : join_groups(call, opened, mesh, id, SNW_NONE, error);
}

/* Writes an existing example with another sculpt, or muted or unmuted. */
static snw_status put(const snw_opened *opened, const snw_example *example, snw_error *error) {
	const snw_scene *scene = opened->scene;
	const snw_mesh *mesh = &scene->meshes[example->mesh];
	int64_t id;
	return snw_project_put_example(opened->project, example, scene->poses[example->pose].id, mesh->id, mesh->point_count, &id,
								   error);
}

static snw_status update(const snw_call *call, const snw_opened *opened, uint32_t index, snw_error *error) {
	const snw_scene *scene = opened->scene;
	snw_example example = scene->examples[index];
	snw_status status = snw_call_read_sculpt(call, &scene->meshes[example.mesh], &example.points_posed, error);
	status = snw_failed(status) ? status : find_edits(call, opened, example.mesh, &scene->poses[example.pose], &example, error);
	return snw_failed(status) ? status : put(opened, &example, error);
}

static snw_status join(const snw_call *call, const snw_opened *opened, uint32_t index, snw_error *error) {
	const snw_example *example = &opened->scene->examples[index];
	if (!snw_call_option(call, "--group")) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "the group is missing; name it with --group G");
	}
	const snw_status status = join_groups(call, opened, example->mesh, example->id, index, error);
	return snw_failed(status) ? status : snw_project_keep_driver(opened->project, opened->scene, index, error);
}

/* mute and unmute */
static snw_status set_muted(const snw_call *call, const snw_opened *opened, uint32_t index, snw_error *error) {
	snw_example example = opened->scene->examples[index];
	example.muted = snw_action_is(call, "mute");
	return put(opened, &example, error);
}

static snw_status remove_example(const snw_call *call, const snw_opened *opened, uint32_t index, snw_error *error) {
	(void)call;
	return snw_project_remove(opened->project, SNW_PROJECT_EXAMPLE, opened->scene->examples[index].id, error);
}

/* Mirror, split and merge name their steps and print their results themselves. */
static const snw_action actions[] = {
	{"list", list, SNW_OPEN_READ | SNW_OPEN_OUTLINE, NULL},
	{"add", add, SNW_ACTION_CHANGES & ~SNW_ACTION_NAMED, "add example"},
	{"update", update, SNW_ACTION_CHANGES, "update example"},
	{"folder", snw_example_folder, SNW_OPEN_WRITE | SNW_OPEN_PLUGINS | SNW_ACTION_REFITS, NULL},
	{"between", snw_example_between, SNW_ACTION_CHANGES & ~SNW_ACTION_REPORTS, "add in-between of"},
	{"mirror", snw_example_mirror, SNW_ACTION_CHANGES & ~SNW_ACTION_ONE_STEP, NULL},
	{"split", snw_example_split, SNW_ACTION_CHANGES & ~SNW_ACTION_ONE_STEP, NULL},
	{"merge", snw_example_merge, SNW_ACTION_CHANGES & ~SNW_ACTION_ONE_STEP, NULL},
	{"join", join, SNW_ACTION_CHANGES, "group example"},
	{"mute", set_muted, SNW_ACTION_CHANGES, "mute example"},
	{"unmute", set_muted, SNW_ACTION_CHANGES, "unmute example"},
	{"layers", snw_example_layers, SNW_OPEN_READ | SNW_OPEN_OUTLINE | SNW_ACTION_NAMED, NULL},
	{"layer", snw_example_layer, SNW_ACTION_CHANGES, "change sculpt layers of"},
	{"remove", remove_example, SNW_ACTION_CHANGES, "delete example"},
	{0},
};

static const snw_action_table examples = {.noun = "example",
										  .listed_by = "example list",
										  .find = snw_scene_find_example,
										  .name_option = "--name",
										  .actions = actions};

static const snw_option options[] = {
	{"--name", "N", "name of the new example; split: give it once for each part"},
	{"--pose", "POSE", "the pose it was sculpted in: NAME, or CLIP:SECONDS"},
	{"--mesh", "TARGET.obj", "the sculpt, with its points in the order of the exported pose"},
	{"--group", "G", "a corrective group to put it in (default: main); may be repeated"},
	{"--mask", "MASK",
	 "the part of the sculpt that the group gets, one for each --group: x+, x- (y, z), joints:A,B or field:NAME"},
	{"--joints", "A,B", "the joints that drive the group (default: chosen by the method)"},
	{"--on", "MESH", "which mesh, if there are several"},
	{"--at", "PERCENT", "between: how far on the way from rest to the pose of N (default: 50)"},
	{"--mirror", NULL, "folder: mirror the examples that have a side in their name, unless the folder has the other side too"},
	{"--add", NULL, "layer: add it, empty, on top; the sculpt so far becomes the layer base"},
	{"--opacity", "X", "layer: how much of it the sculpt has, 0 to 1"},
	{"--mute", NULL, "layer: leave it out of the sculpt"},
	{"--unmute", NULL, "layer: let it act again"},
	{"--rename", "M", "layer: its new name"},
	{"--merge", NULL, "layer: merge it with the one below"},
	{"--remove", NULL, "layer: remove it and what was sculpted on it"},
	{"--by", "topology|position",
	 "mirror: how points are paired (default: position if it pairs all points, else whichever pairs more)"},
	{"--tolerance", "METRES", "mirror: how far a point may be from its partner's reflection (default: diagonal / 1000)"},
	SNW_SIDE_OPTIONS,
	SNW_MEMORY_OPTION,
	SNW_SECONDS_OPTION,
	{NULL, NULL, NULL},
};

const snw_verb snw_verb_example = {
	.name = "example",
	.usage =
		"P.sinew list | add --name N --pose POSE --mesh TARGET.obj [--group G [--mask MASK]]… | update N --mesh TARGET.obj | "
		"folder DIR [--group G] [--mirror] | between N [--at PERCENT] [--name M] [--mesh TARGET.obj] | "
		"mirror N [--name M] [--by topology|position] | split N [--mask MASK] [--name A --name B]… | merge N M [--name A] | "
		"join N --group G [--mask MASK] | mute N | unmute N | layers N | layer N LAYER --add|--opacity "
		"X|--mute|--unmute|--rename M|--merge|--remove | remove N",
	.help = "Lists and changes sculpted examples, and puts them into groups.",
	.table = &examples,
	.least_arguments = 1,
	.most_arguments = 4,
	.options = options,
};
