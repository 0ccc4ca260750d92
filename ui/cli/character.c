/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Verbs for the parts of a character: its poses, joints, clips, examples, groups, morph targets and tracking.
 */
#include <math.h>

#include "base/error.h"
#include "cli/command_line/verb.h"
#include "example/examples.h"
#include "example/groups.h"
#include "import/import.h"
#include "measure/measure.h"
#include "operators/arguments.h"
#include "operators/operator.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "sinew/algebra.h"

/* ---- pose ---------------------------------------------------------------------------------------------------------------- */

/* sinew pose: lists the poses of a project, and suggests some. Its operators change them. */

static snw_status list_poses(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
	(void)unused, (void)error;
	cJSON *rows = snw_answer_list(call->answer, "poses");
	for (uint32_t i = 0; i < opened->scene->pose_count; i++) {
		const snw_pose *pose = &opened->scene->poses[i];
		uint32_t rotated = 0;
		for (uint32_t j = 0; j < opened->scene->skeleton.joint_count; j++) {
			rotated += snw_length3(&pose->rotation_vectors[3 * j]) > 1e-6;
		}
		snw_say(call, "%s %u joint%s rotated", snw_padded(call, pose->name, 24), rotated, snw_plural(rotated));
		cJSON *row = snw_answer_row(rows);
		snw_answer_text(row, "name", pose->name);
		snw_answer_number(row, "joints_turned", rotated);
	}
	return SNW_OK;
}

static const snw_action pose_actions[] = {
	{"list", list_poses, SNW_OPEN_READ | SNW_OPEN_OUTLINE},
	{0},
};

static const snw_action_table pose_table = {.noun = SNW_NOUN_POSE, .actions = pose_actions};

/* ---- suggest ------------------------------------------------------------------------------------------------------------- */

static const char *group_names(const snw_call *call, const snw_suggestion *suggestion) {
	const char *names = "";
	for (uint32_t g = 0; g < suggestion->group_count; g++) {
		names = snw_arena_format(call->arena, "%s %s", names, suggestion->groups[g]);
	}
	return names;
}

static void show_without(const snw_call *call, const snw_suggestions *found) {
	cJSON *rows = snw_answer_list(call->answer, "without");
	for (uint32_t i = 0; i < found->example_count; i++) {
		if (!isnan(found->erms_without[i])) {
			snw_say(call, "%-28s %12.4f %+12.4f", snw_arena_format(call->arena, "without %s", found->examples[i]),
					found->erms_without[i], found->erms_without[i] - found->erms);
			cJSON *row = snw_answer_row(rows);
			snw_answer_text(row, "example", found->examples[i]);
			snw_answer_number(row, "erms", found->erms_without[i]);
		}
	}
}

static void show_with(const snw_call *call, const snw_suggestion *one, double before, cJSON *row) {
	snw_say(call, "%-28s %12.4f %+12.4f  (before: %.4f; groups%s)", snw_arena_format(call->arena, "with %s", one->pose),
			one->erms, one->erms - before, one->erms_before, group_names(call, one));
	snw_answer_text(row, "pose", one->pose);
	snw_answer_number(row, "seconds", one->seconds);
	snw_answer_number(row, "erms_before", one->erms_before);
	snw_answer_number(row, "erms", one->erms);
	cJSON *groups = snw_answer_list(row, "groups");
	for (uint32_t g = 0; g < one->group_count && groups; g++) {
		cJSON_AddItemToArray(groups, cJSON_CreateString(one->groups[g]));
	}
}

static snw_status show_pose(snw_call *call, const char *path, const snw_operator_work *work, snw_error *error) {
	(void)path, (void)error;
	const snw_suggestions *found = work->suggested;
	snw_say(call, "%-28s %12s %12s", "examples", "erms of clip", "change");
	snw_say(call, "%-28s %12.4f", "all", found->erms);
	snw_answer_number(call->answer, "erms", found->erms);
	show_without(call, found);
	cJSON *rows = snw_answer_list(call->answer, "suggested");
	for (uint32_t i = 0; i < found->count; i++) {
		show_with(call, &found->list[i], i > 0 ? found->list[i - 1].erms : found->erms, snw_answer_row(rows));
	}
	return SNW_OK;
}

static const snw_option pose_options[] = {{NULL, NULL, NULL}};

const snw_verb snw_verb_pose = {
	.name = "pose",
	.part = SNW_VERB_SCULPTS,
	.table = &pose_table,
	.noun = &snw_operators_pose,
	.show = show_pose,
	.least_arguments = 1,
	.most_arguments = 2,
	.options = pose_options,
};

/* ---- joint --------------------------------------------------------------------------------------------------------------- */

/* sinew joint: lists the joints of the skeleton at rest. Its operators change them. */

static snw_status list_joints(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
	(void)unused, (void)error;
	const snw_skeleton *skeleton = &opened->scene->skeleton;
	cJSON *rows = snw_answer_list(call->answer, "joints");
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		const double *global = skeleton->rest_global + 12 * (size_t)j;
		const char *parent = skeleton->parents[j] == SNW_NONE ? "" : skeleton->names[skeleton->parents[j]];
		snw_say(call, "%s %s %.4f %.4f %.4f", snw_padded(call, skeleton->names[j], 24), snw_padded(call, parent, 24), global[3],
				global[7], global[11]);
		cJSON *row = snw_answer_row(rows), *place;
		snw_answer_text(row, "name", skeleton->names[j]);
		snw_answer_text(row, "parent", parent);
		const double most = snw_joint_limit(opened->scene, j);
		snw_answer_number(row, "limit_degrees", isfinite(most) ? most * 180 / M_PI : 0);
		snw_answer_bool(row, "moves", snw_joint_moves(opened->scene, j));
		place = snw_answer_list(row, "place");
		for (int c = 0; place && c < 3; c++) {
			cJSON_AddItemToArray(place, cJSON_CreateNumber(global[4 * c + 3]));
		}
	}
	return SNW_OK;
}

static const snw_action joint_actions[] = {
	{"list", list_joints, SNW_OPEN_READ | SNW_OPEN_OUTLINE},
	{0},
};

static const snw_action_table joint_table = {.noun = SNW_NOUN_JOINT, .actions = joint_actions};

static const snw_option joint_options[] = {{NULL, NULL, NULL}};

const snw_verb snw_verb_joint = {
	.name = "joint",
	.part = SNW_VERB_MAKES,
	.table = &joint_table,
	.noun = &snw_operators_joint,
	.least_arguments = 1,
	.most_arguments = 2,
	.options = joint_options,
};

/* ---- clip ---------------------------------------------------------------------------------------------------------------- */

/* sinew clip: lists the clips of a project. Its operators change them. */

static uint32_t count_joints(const snw_call *call, const snw_scene *scene, const snw_clip *clip) {
	bool *is_moved = SNW_NEW_ARRAY(call->arena, bool, scene->skeleton.joint_count);
	uint32_t count = 0;
	for (uint32_t t = 0; t < clip->track_count; t++) {
		const snw_track *track = &clip->tracks[t];
		if (track->path != SNW_PATH_CHANNEL && !is_moved[track->target]) {
			is_moved[track->target] = true;
			count++;
		}
	}
	return count;
}

static snw_status list_clips(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
	(void)unused, (void)error;
	const snw_scene *scene = opened->scene;
	cJSON *rows = snw_answer_list(call->answer, "clips");
	for (uint32_t c = 0; c < scene->clip_count; c++) {
		const snw_clip *clip = &scene->clips[c];
		const uint32_t joints = count_joints(call, scene, clip);
		double *seconds;
		uint32_t times;
		snw_clip_times(scene, c, call->arena, &seconds, &times);
		snw_say(call, "%s %.4g s, %u time%s of keys, moves %u joint%s", snw_padded(call, clip->name, 24),
				clip->duration_seconds, times, snw_plural(times), joints, snw_plural(joints));
		cJSON *row = snw_answer_row(rows);
		snw_answer_text(row, "name", clip->name);
		snw_answer_number(row, "seconds", clip->duration_seconds);
		snw_answer_number(row, "times", times);
		snw_answer_number(row, "joints", joints);
		snw_answer_number(row, "tracks", clip->track_count);
	}
	return SNW_OK;
}

static const snw_action clip_actions[] = {
	{"list", list_clips, SNW_OPEN_READ | SNW_OPEN_OUTLINE},
	{0},
};

static const snw_action_table clip_table = {.noun = SNW_NOUN_CLIP, .actions = clip_actions};

static const snw_option clip_options[] = {{NULL, NULL, NULL}};

const snw_verb snw_verb_clip = {
	.name = "clip",
	.part = SNW_VERB_SCULPTS,
	.table = &clip_table,
	.noun = &snw_operators_clip,
	.least_arguments = 1,
	.most_arguments = 2,
	.options = clip_options,
};

/* ---- example ------------------------------------------------------------------------------------------------------------- */

/* sinew example: sculpts, and the groups that they belong to. */

static snw_status list_examples(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
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

/* The sculpt layers of an example. */
static snw_status list_layers(const snw_call *call, const snw_opened *opened, uint32_t example, snw_error *error) {
	(void)error;
	const snw_example *row = &opened->scene->examples[example];
	cJSON *rows = snw_answer_list(call->answer, "layers");
	for (uint32_t i = row->layer_count; i-- > 0;) {
		const snw_sculpt_layer *layer = &row->layers[i];
		cJSON *answer = snw_answer_row(rows);
		snw_say(call, "%s opacity %4.2f %7u points%s", snw_padded(call, layer->name, 24), layer->opacity, layer->count,
				layer->muted ? "  (muted)" : "");
		snw_answer_text(answer, "name", layer->name);
		snw_answer_number(answer, "opacity", layer->opacity);
		snw_answer_bool(answer, "muted", layer->muted);
		snw_answer_number(answer, "points", layer->count);
	}
	if (row->layer_count == 0) {
		snw_say(call, "%s has no sculpt layers; 'example layer %s NAME --add' adds one", row->name, row->name);
	}
	return SNW_OK;
}

static const snw_action example_actions[] = {
	{"list", list_examples, SNW_OPEN_READ | SNW_OPEN_OUTLINE},
	{"layers", list_layers, SNW_OPEN_READ | SNW_OPEN_OUTLINE | SNW_ACTION_NAMED},
	{0},
};

static const snw_action_table example_table = {.noun = SNW_NOUN_EXAMPLE, .actions = example_actions};

static const snw_option example_options[] = {{NULL, NULL, NULL}};

const snw_verb snw_verb_example = {
	.name = "example",
	.part = SNW_VERB_SCULPTS,
	.usage = "P.sinew list | layers N | "
			 "add|update|folder|transfer|between|mirror|split|merge|join|move|leave|mask|place|drive|layer|mute|unmute|name|"
			 "remove …",
	.table = &example_table,
	.noun = &snw_operators_example,
	.least_arguments = 1,
	.most_arguments = 3,
	.options = example_options,
};

/* ---- group --------------------------------------------------------------------------------------------------------------- */

/* sinew group: lists corrective groups and falloffs. Its operators change them. */

static snw_status list_groups(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
	(void)unused, (void)error;
	const snw_scene *scene = opened->scene;
	cJSON *rows = snw_answer_list(call->answer, "groups");
	for (uint32_t g = 0; g < scene->group_count; g++) {
		const snw_group *group = &scene->groups[g];
		const char *joints = "", *examples = "";
		cJSON *row = snw_answer_row(rows);
		snw_answer_text(row, "name", group->name);
		cJSON *joint_list = snw_answer_list(row, "joints"), *example_list = snw_answer_list(row, "examples");
		for (uint32_t j = 0; j < group->joint_count; j++) {
			const char *name = scene->skeleton.names[group->joints[j]];
			joints = snw_arena_format(call->arena, "%s%s%s", joints, j ? "," : "", name);
			snw_answer_text(snw_answer_row(joint_list), "name", name);
		}
		for (uint32_t m = 0; m < group->member_count; m++) {
			const snw_member *member = &group->members[m];
			const char *mask = member->mask == SNW_NONE ? NULL : scene->fields[member->mask].name;
			examples = snw_arena_format(call->arena, "%s %s%s%s%s", examples, scene->examples[member->example].name,
										mask ? " (" : "", mask ? mask : "", mask ? ")" : "");
			cJSON *one = snw_answer_row(example_list);
			snw_answer_text(one, "name", scene->examples[member->example].name);
			snw_answer_text(one, "mask", mask);
		}
		snw_say(call, "%3u  %-20s driven by %s; examples:%s", g, group->name,
				group->joint_count ? joints : "joints chosen by the method", group->member_count ? examples : " none");
	}
	return SNW_OK;
}

/* falloffs GROUP: those that it may have, and the one that it has. */
static snw_status list_falloffs(const snw_call *call, const snw_opened *opened, uint32_t index, snw_error *error) {
	const snw_scene *scene = opened->scene;
	const char *settings = snw_group_falloff_of(scene, opened->registry, index, call->arena);
	uint32_t count;
	const snw_group_falloff *falloffs = snw_group_falloffs_list(snw_group_falloffs_of_method(scene, opened->registry),
																snw_group_falloffs_path(call->arena), call->arena, &count);
	if (!settings) {
		return snw_fail(error, SNW_ERROR_MISSING, "no layer learns from sculpts with a falloff for each group; fit one first");
	}
	cJSON *rows = snw_answer_list(call->answer, "falloffs");
	for (uint32_t i = 0; i < count; i++) {
		snw_say(call, "%s %s%s", snw_padded(call, falloffs[i].name, 16), falloffs[i].settings,
				falloffs[i].is_saved ? "  (saved)" : "");
		cJSON *row = snw_answer_row(rows);
		snw_answer_text(row, "name", falloffs[i].name);
		snw_answer_text(row, "settings", falloffs[i].settings);
	}
	snw_say(call, "%s has: %s", scene->groups[index].name, settings);
	snw_answer_text(call->answer, "settings", settings);
	return SNW_OK;
}

static const snw_action group_actions[] = {
	{"list", list_groups, SNW_OPEN_READ | SNW_OPEN_OUTLINE},
	{"falloffs", list_falloffs, SNW_OPEN_READ | SNW_OPEN_PLUGINS | SNW_ACTION_NAMED},
	{0},
};

static const snw_action_table group_table = {.noun = SNW_NOUN_GROUP, .actions = group_actions};

static const snw_option group_options[] = {{NULL, NULL, NULL}};

const snw_verb snw_verb_group = {
	.name = "group",
	.part = SNW_VERB_SCULPTS,
	.table = &group_table,
	.noun = &snw_operators_group,
	.least_arguments = 1,
	.most_arguments = 3,
	.options = group_options,
};

/* ---- shape --------------------------------------------------------------------------------------------------------------- */

/* sinew shape: lists the morph targets that came with the file. */

static snw_status list_shapes(const snw_call *call, const snw_opened *opened, uint32_t unused, snw_error *error) {
	(void)unused, (void)error;
	const snw_scene *scene = opened->scene;
	cJSON *rows = snw_answer_list(call->answer, "shapes");
	for (uint32_t c = 0; c < scene->channel_count; c++) {
		uint32_t points = 0;
		const char *meshes = "";
		for (uint32_t m = 0; m < scene->mesh_count; m++) {
			const uint32_t at = snw_mesh_shape(&scene->meshes[m], c);
			if (at != SNW_NONE) {
				points += scene->meshes[m].morphs[at].count;
				meshes = snw_arena_format(call->arena, "%s%s%s", meshes, meshes[0] ? ", " : "", scene->meshes[m].name);
			}
		}
		snw_say(call, "%s moves %u point%s of %s", snw_padded(call, scene->channels[c].name, 24), points, snw_plural(points),
				meshes[0] ? meshes : "no mesh");
		cJSON *row = snw_answer_row(rows);
		snw_answer_text(row, "name", scene->channels[c].name);
		snw_answer_number(row, "points", points);
	}
	return SNW_OK;
}

static const snw_action shape_actions[] = {
	{"list", list_shapes, SNW_OPEN_READ | SNW_OPEN_OUTLINE},
	{0},
};

static const snw_action_table shape_table = {.noun = SNW_NOUN_SHAPE, .actions = shape_actions};

static const snw_option shape_options[] = {{NULL, NULL, NULL}};

const snw_verb snw_verb_shape = {
	.name = "shape",
	.part = SNW_VERB_SCULPTS,
	.table = &shape_table,
	.noun = &snw_operators_shape,
	.least_arguments = 1,
	.most_arguments = 2,
	.options = shape_options,
};

/* ---- track --------------------------------------------------------------------------------------------------------------- */

/* sinew track: the frames that its operator (operators/track.c) has tracked, a line each. */

static snw_status show_tracked(snw_call *call, const char *path, const snw_operator_work *work, snw_error *error) {
	(void)path, (void)error;
	const snw_tracked_motion *motion = work->tracked;
	cJSON *rows = snw_answer_list(call->answer, "frames");
	for (uint32_t f = 0; f < motion->request.frame_count; f++) {
		const snw_tracked_frame *frame = &motion->found.frames[f];
		const double percent = 100 * frame->rms / motion->found.diagonal;
		snw_say(call, "%-10s %9.4g s  off by %8.4f %% of the diagonal%s", snw_tracked_frame_label(motion, f, call->arena),
				motion->seconds[f], percent, frame->is_lost ? ", lost" : "");
		cJSON *row = snw_answer_row(rows);
		snw_answer_number(row, "seconds", motion->seconds[f]);
		snw_answer_number(row, "rms_percent", percent);
		snw_answer_bool(row, "lost", frame->is_lost);
	}
	return SNW_OK;
}

static const snw_option track_options[] = {{NULL, NULL, NULL}};

const snw_verb snw_verb_track = {
	.name = "track",
	.part = SNW_VERB_SCULPTS,
	.noun = &snw_operators_track,
	.show = show_tracked,
	.options = track_options,
	.formats = snw_import_formats,
	.formats_hold = SNW_FILE_FRAMES,
};
