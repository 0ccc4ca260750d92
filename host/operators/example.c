/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Examples: sculpts from files and from other examples, the groups that they are in, and what they are called.
 */
#include <string.h>

#include "base/plural.h"
#include "example/groups.h"
#include "example/masks.h"
#include "example/mirror.h"
#include "example/new_examples.h"
#include "example/parts.h"
#include "example/sculpt_files.h"
#include "example/sculpt_layers.h"
#include "fit/sculpt_reference.h"
#include "operators/arguments.h"
#include "operators/example.h"
#include "operators/nouns.h"
#include "pose/pose.h"
#include "sculpt/symmetry_plane.h"

/* A point that moved less, as a share of the mesh's diagonal, was not edited: files round to six decimals of metres. */
#define FILE_PRECISION 2e-6

#define EXAMPLE                                                                                                                \
	{                                                                                                                          \
		"example", SNW_ARGUMENT_THING, "EXAMPLE", "the example",                                                               \
			.flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED | SNW_ARGUMENT_CHOSEN, .noun = SNW_NOUN_EXAMPLE                   \
	}
/* Of which it is a member. */
#define ITS_GROUP(also)                                                                                                        \
	{                                                                                                                          \
		"group", SNW_ARGUMENT_THING, "GROUP", "the group, if it is in several", .flags = SNW_ARGUMENT_CHOSEN | (also),         \
																				.noun = SNW_NOUN_GROUP                         \
	}
#define MASK                                                                                                                   \
	{                                                                                                                          \
		"mask", SNW_ARGUMENT_TEXT, "MASK",                                                                                     \
			"the part that the group moves: x+, x- (y, z), joints:A,B or field:NAME (default: all of it)", .flags = 0          \
	}

#define SCULPT(flags_of, meaning)                                                                                              \
	{ "file", SNW_ARGUMENT_FILE, "TARGET.obj", meaning, .flags = (flags_of), .was = "mesh" }
#define NAME(meaning)                                                                                                          \
	{ "name", SNW_ARGUMENT_TEXT, "NAME", meaning, .flags = 0 }

static const snw_argument add_arguments[] = {
	{"name", SNW_ARGUMENT_TEXT, "NAME", "its name", .flags = SNW_ARGUMENT_NEEDED},
	{"pose", SNW_ARGUMENT_TEXT, "POSE", "the pose it was sculpted in: NAME, or CLIP:SECONDS", .flags = SNW_ARGUMENT_NEEDED},
	SCULPT(SNW_ARGUMENT_NEEDED, "the sculpt, with its points in the order of the exported pose"),
	{"mesh", SNW_ARGUMENT_THING, "MESH", "which mesh, if there are several", .flags = SNW_ARGUMENT_ONLY, .noun = SNW_NOUN_MESH,
	 .was = "on"},
	{"group", SNW_ARGUMENT_TEXT, "GROUP", "a group that it joins, new or not (default: main)", .flags = SNW_ARGUMENT_MANY},
	{"mask", SNW_ARGUMENT_TEXT, "MASK",
	 "the part that the group moves, one for each: x+, x- (y, z), joints:A,B or field:NAME (default: all of it)",
	 .flags = SNW_ARGUMENT_MANY, .only_with = "group"},
	{"joints", SNW_ARGUMENT_THING, "A,B", "the joints that drive the group (default: chosen by the method)",
	 .flags = SNW_ARGUMENT_MANY, .noun = SNW_NOUN_JOINT},
	SNW_LIMIT_ARGUMENTS,
	{0},
};
static const snw_argument folder_arguments[] = {
	{"folder", SNW_ARGUMENT_FILE, "DIR",
	 "the folder; NAME.obj is the sculpt of the example NAME, or of a new one in the pose NAME",
	 .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED | SNW_ARGUMENT_FOLDER},
	{"group", SNW_ARGUMENT_TEXT, "GROUP", "the group of new examples (default: that of the joint that drives each)",
	 .flags = 0},
	{"mesh", SNW_ARGUMENT_THING, "MESH", "which mesh, if there are several", .noun = SNW_NOUN_MESH, .was = "on"},
	SNW_SWITCH_ARGUMENT("mirror",
						"mirror the examples that have a side in their name, unless the folder has the other side too"),
	SNW_LIMIT_ARGUMENTS,
	{0},
};
static const snw_argument transfer_arguments[] = {
	{"other", SNW_ARGUMENT_FILE, "OTHER.sinew", "the other project",
	 .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED | SNW_ARGUMENT_PROJECT},
	{"example", SNW_ARGUMENT_TEXT, "EXAMPLE", "an example to copy (default: all that are not muted)",
	 .flags = SNW_ARGUMENT_MANY},
	{"mesh", SNW_ARGUMENT_THING, "MESH", "which mesh gets them, if there are several", .flags = SNW_ARGUMENT_CHOSEN,
	 .noun = SNW_NOUN_MESH, .was = "on"},
	{"from-mesh", SNW_ARGUMENT_TEXT, "MESH",
	 "which mesh of the other project (default: all with sculpts; several go to the meshes of the same names)", .flags = 0},
	{0},
};
static const snw_argument update_arguments[] = {
	EXAMPLE,
	SCULPT(SNW_ARGUMENT_NEEDED, "the sculpt, with its points in the order of the exported pose"),
	SNW_LIMIT_ARGUMENTS,
	{0},
};
static const snw_argument between_arguments[] = {
	EXAMPLE,
	{"at", SNW_ARGUMENT_NUMBER, "PERCENT", "how far on the way from rest to the pose of the example", .least = 0.001,
	 .most = 99.999, .initial = 50},
	NAME("name of the new example and its pose (default: EXAMPLE-PERCENT)"),
	SCULPT(0, "its sculpt (default: the skin as it is there)"),
	SNW_LIMIT_ARGUMENTS,
	{0},
};
static const snw_argument mirror_arguments[] = {
	EXAMPLE,
	NAME("name of the mirrored example (default: the sides are exchanged)"),
	{"by", SNW_ARGUMENT_CHOICE, "auto|topology|position",
	 "how points are paired; auto: by position if that pairs all points, else by whichever pairs more",
	 .choices = "auto|topology|position"},
	{"tolerance", SNW_ARGUMENT_NUMBER, "METRES",
	 "how far a point may be from its partner's reflection (default: diagonal / 1000)", .least = 1e-9, .most = 1e6,
	 .initial = SNW_NO_DEFAULT},
	SNW_PLANE_ARGUMENTS,
	{0},
};
static const snw_argument split_arguments[] = {
	EXAMPLE,
	{"mask", SNW_ARGUMENT_TEXT, "MASK",
	 "the first part: x+, x- (y, z), joints:A,B or field:NAME (default: regions that faces connect)", .flags = 0},
	{"name", SNW_ARGUMENT_TEXT, "NAME", "the names of the parts, one for each", .flags = SNW_ARGUMENT_MANY},
	{0},
};
static const snw_argument merge_arguments[] = {
	EXAMPLE,
	{"other", SNW_ARGUMENT_THING, "OTHER", "the other example", .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED,
	 .noun = SNW_NOUN_EXAMPLE},
	NAME("the name of both together (default: EXAMPLE)"),
	{0},
};
static const snw_argument name_arguments[] = {
	EXAMPLE,
	{"new", SNW_ARGUMENT_TEXT, "NEW", "the new name", .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED},
	{0},
};
static const snw_argument layer_arguments[] = {
	EXAMPLE,
	{"layer", SNW_ARGUMENT_TEXT, "LAYER", "the sculpt layer; a new one needs no name",
	 .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_SCULPT_LAYER},
	{"add", SNW_ARGUMENT_SWITCH, NULL, "add it, empty, on top; the sculpt so far becomes the layer base",
	 .not_with = "opacity|mute|unmute|rename|merge|remove"},
	{"opacity", SNW_ARGUMENT_NUMBER, "X", "how much of it the sculpt has", .least = 0, .most = 1, .initial = SNW_NO_DEFAULT,
	 .not_with = "merge|remove"},
	{"mute", SNW_ARGUMENT_SWITCH, NULL, "leave it out of the sculpt", .not_with = "unmute|merge|remove"},
	{"unmute", SNW_ARGUMENT_SWITCH, NULL, "let it act again", .not_with = "merge|remove"},
	{"rename", SNW_ARGUMENT_TEXT, "NEW", "its new name", .not_with = "merge|remove"},
	{"merge", SNW_ARGUMENT_SWITCH, NULL, "merge it with the one below", .not_with = "remove"},
	SNW_SWITCH_ARGUMENT("remove", "remove it and what was sculpted on it"),
	{0},
};
static const snw_argument example_arguments[] = {EXAMPLE, {0}};
static const snw_argument join_arguments[] = {
	EXAMPLE,
	{"group", SNW_ARGUMENT_THING, "GROUP", "the group", .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED,
	 .noun = SNW_NOUN_GROUP},
	MASK,
	{0},
};
static const snw_argument move_arguments[] = {
	EXAMPLE,
	{"to", SNW_ARGUMENT_THING, "GROUP", "the group that it joins", .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED,
	 .noun = SNW_NOUN_GROUP},
	{"from", SNW_ARGUMENT_THING, "GROUP", "the group that it leaves, if it is in several", .flags = SNW_ARGUMENT_CHOSEN,
	 .noun = SNW_NOUN_GROUP},
	{0},
};
static const snw_argument drive_arguments[] = {
	EXAMPLE,
	{"joint", SNW_ARGUMENT_THING, "JOINT", "the joint", .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED,
	 .noun = SNW_NOUN_JOINT},
	{"group", SNW_ARGUMENT_THING, "GROUP", "the group that it leaves (default: the first that it is in)",
	 .flags = SNW_ARGUMENT_CHOSEN, .noun = SNW_NOUN_GROUP},
	{0},
};
static const snw_argument leave_arguments[] = {EXAMPLE, ITS_GROUP(SNW_ARGUMENT_BARE), {0}};
static const snw_argument mask_arguments[] = {EXAMPLE, MASK, ITS_GROUP(0), {0}};
static const snw_argument place_arguments[] = {EXAMPLE, SNW_PLACE_ARGUMENTS("the top of its group"), ITS_GROUP(0), {0}};

static const snw_example *example_of(const snw_operation *o) {
	return &o->scene->examples[snw_operation_thing(o, "example")];
}

/* ---- the example itself -------------------------------------------------------------------------------------------------- */

static snw_status put(const snw_operation *o, const snw_example *example, snw_error *error) {
	const snw_mesh *mesh = &o->scene->meshes[example->mesh];
	snw_report_changed(o->report, SNW_NOUN_EXAMPLE, example->name);
	return snw_project_put_example(o->project, example, o->scene->poses[example->pose].id, mesh->id, mesh->point_count, NULL,
								   error);
}

static snw_status rename_example(snw_operation *o, snw_error *error) {
	snw_example example = *example_of(o);
	const char *name = snw_operation_text(o, "new");
	const bool is_same = strcmp(name, example.name) == 0;
	const snw_status status = is_same ? SNW_OK : snw_noun_expect_free(o->scene, SNW_NOUN_EXAMPLE, name, error);
	example.name = name;
	return snw_failed(status) ? status : put(o, &example, error);
}

static snw_status put_muted(const snw_operation *o, bool muted, snw_error *error) {
	snw_example example = *example_of(o);
	example.muted = muted;
	snw_report_say(o->report, "example %s is %s", example.name, muted ? "muted" : "not muted");
	return put(o, &example, error);
}

static snw_status mute(snw_operation *o, snw_error *error) {
	return put_muted(o, true, error);
}

static snw_status unmute(snw_operation *o, snw_error *error) {
	return put_muted(o, false, error);
}

static snw_status remove_example(snw_operation *o, snw_error *error) {
	snw_report_removed(o->report, SNW_NOUN_EXAMPLE, example_of(o)->name);
	return snw_project_remove(o->project, SNW_PROJECT_EXAMPLE, example_of(o)->id, error);
}

/* ---- sculpts from files -------------------------------------------------------------------------------------------------- */

static snw_status read_sculpt(const snw_operation *o, uint32_t mesh, const double **points, snw_error *error) {
	const snw_worker_limits limits = snw_operation_limits(o);
	return snw_sculpt_read(snw_operation_text(o, "file"), &o->scene->meshes[mesh], &limits, o->in->task, o->arena, points,
						   error);
}

/* Lists the points that the sculpt of an example edits: the others follow the skin. */
static snw_status find_edits(const snw_operation *o, const snw_pose *pose, snw_example *example, snw_error *error) {
	const uint32_t mesh = example->mesh, count = o->scene->meshes[mesh].point_count;
	double *below = snw_arena_array(o->arena, count, 3 * sizeof *below);
	const snw_status status = snw_reference_points(o->scene, o->in->registry, mesh, 1, &pose, &below, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_example_find_edited(example, count, below, FILE_PRECISION * snw_scene_diagonal(o->scene, mesh), o->arena);
	const uint32_t edited = example->edited ? example->edited_count : count;
	if (edited == 0) {
		snw_report_warn(o->report, "example %s edits nothing: every point is where the skin puts it in this pose",
						example->name);
	}
	snw_report_number(o->report, "edited", edited);
	snw_report_say(o->report, "%u of %u points are edited; the others follow the skin", edited, count);
	return SNW_OK;
}

/* The named pose; or a moment of a clip, as a new pose without an id that has the example's name. */
static snw_status find_pose(const snw_operation *o, const char *example, snw_pose **pose, snw_error *error) {
	const char *text = snw_operation_text(o, "pose");
	const snw_status status = snw_pose_resolve(o->scene, text, o->arena, pose, error);
	if (snw_failed(status) || snw_scene_find_pose(o->scene, text) != SNW_NONE) {
		return status;
	}
	(*pose)->id = 0;
	(*pose)->name = example;
	return snw_noun_expect_free(o->scene, SNW_NOUN_POSE, example, error);
}

/* The groups that are given, each under its mask. */
static snw_status join_groups(const snw_operation *o, uint32_t mesh, int64_t example, snw_error *error) {
	const snw_argument_values none = {1, &(const snw_argument_value){.text = "main"}};
	const snw_argument_values *given = snw_operation_values(o, "group"), *masks = snw_operation_values(o, "mask");
	const snw_argument_values *groups = given->count > 0 ? given : &none;
	snw_status status = SNW_OK;
	if (masks->count > 0 && masks->count != given->count) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%u groups but %u masks: give one --mask for each --group, or none",
						given->count, masks->count);
	}
	for (uint32_t i = 0; i < groups->count && !snw_failed(status); i++) {
		const uint32_t found = snw_scene_find_group(o->scene, groups->at[i].text);
		snw_group group = found == SNW_NONE ? (snw_group){.name = groups->at[i].text} : o->scene->groups[found];
		int64_t mask = 0;
		if (snw_operation_has(o, "joints")) {
			group.joints = snw_operation_things(o, "joints", &group.joint_count);
		}
		status =
			masks->count > 0 ? snw_mask_store(o->project, o->scene, mesh, masks->at[i].text, o->arena, &mask, error) : SNW_OK;
		status =
			snw_failed(status) ? status : snw_example_put_member(o, &group, SNW_NONE, example, group.member_count, mask, error);
	}
	return status;
}

static snw_status add(snw_operation *o, snw_error *error) {
	const uint32_t mesh = snw_operation_thing(o, "mesh");
	snw_example example = {.name = snw_operation_text(o, "name"),
						   .mesh = mesh,
						   .has_chosen_driver = snw_operation_has(o, "group") || snw_operation_has(o, "joints")};
	snw_pose *pose = NULL;
	int64_t pose_id = 0, id = 0;
	snw_status status = snw_noun_expect_free(o->scene, SNW_NOUN_EXAMPLE, example.name, error);
	status = snw_failed(status) ? status : read_sculpt(o, mesh, &example.points_posed, error);
	status = snw_failed(status) ? status : find_pose(o, example.name, &pose, error);
	status = snw_failed(status) ? status : find_edits(o, pose, &example, error);
	if (!snw_failed(status)) {
		pose_id = pose->id;
		status = pose_id ? SNW_OK : snw_project_put_pose(o->project, pose, &pose_id, error);
	}
	snw_report_made(o->report, SNW_NOUN_EXAMPLE, example.name);
	status = snw_failed(status) ? status
								: snw_project_put_example(o->project, &example, pose_id, o->scene->meshes[mesh].id,
														  o->scene->meshes[mesh].point_count, &id, error);
	return snw_failed(status) ? status : join_groups(o, mesh, id, error);
}

static snw_status update(snw_operation *o, snw_error *error) {
	snw_example example = *example_of(o);
	snw_status status = read_sculpt(o, example.mesh, &example.points_posed, error);
	status = snw_failed(status) ? status : find_edits(o, &o->scene->poses[example.pose], &example, error);
	return snw_failed(status) ? status : put(o, &example, error);
}

/* ---- examples from others ------------------------------------------------------------------------------------------------ */

static snw_status between(snw_operation *o, snw_error *error) {
	const double percent = snw_operation_number(o, "at");
	const char *of = example_of(o)->name;
	const double *sculpt = NULL;
	snw_new_example made;
	snw_status status = snw_operation_has(o, "file") ? read_sculpt(o, example_of(o)->mesh, &sculpt, error) : SNW_OK;
	status = snw_failed(status)
				 ? status
				 : snw_project_put_between(o->project, o->scene, o->in->registry, snw_operation_thing(o, "example"),
										   percent / 100, snw_operation_text(o, "name"), sculpt, o->arena, &made, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_report_made(o->report, SNW_NOUN_POSE, made.pose);
	snw_report_made(o->report, SNW_NOUN_EXAMPLE, made.name);
	if (made.group) {
		snw_report_changed(o->report, SNW_NOUN_GROUP, made.group);
	}
	snw_report_number(o->report, "edited", made.edited_count);
	snw_report_say(o->report, "example %s is in the pose of that name, at %g %% of the way to %s%s", made.name, percent, of,
				   sculpt ? "" : "; it starts as the skin is there; sculpt it");
	return SNW_OK;
}

static void report_mirrored(const snw_operation *o, const snw_mirrored *mirrored) {
	const snw_mirror_map *map = &mirrored->map;
	const char *by = map->method == SNW_MIRROR_TOPOLOGY ? "topology" : "position";
	snw_operator_report *report = o->report;
	snw_report_made(report, SNW_NOUN_EXAMPLE, mirrored->name);
	snw_report_text(report, "pose", mirrored->pose);
	snw_report_text(report, "mesh", o->scene->meshes[mirrored->mesh].name);
	snw_report_text(report, "by", by);
	snw_report_number(report, "edited", mirrored->edited_count);
	snw_report_number(report, "without_partner", mirrored->left_count);
	snw_report_number(report, "plane", map->plane.offset);
	snw_report_number(report, "pairs", map->pair_count);
	snw_report_number(report, "middle", map->middle_count);
	snw_report_number(report, "unpaired", map->unpaired_count);
	snw_report_number(report, "mismatch", map->largest_mismatch);
	snw_report_number(report, "joint_pairs", mirrored->joints.pair_count);
	snw_report_number(report, "unpaired_joints", mirrored->joints.unpaired_count);
	snw_report_say(report, "example %s in pose %s is its mirror image", mirrored->name, mirrored->pose);
	if (mirrored->left_count > 0) {
		snw_report_say(report, "%u of its edited points have no partner; sculpt them in that pose", mirrored->left_count);
	}
	snw_report_say(report, "points are paired by %s: %u pair%s, %u in the middle, %u without a partner", by, map->pair_count,
				   snw_plural(map->pair_count), map->middle_count, map->unpaired_count);
	if (mirrored->joints.unpaired_count > 0) {
		snw_report_say(report, "%u joint%s without a partner stay at rest", mirrored->joints.unpaired_count,
					   snw_plural(mirrored->joints.unpaired_count));
	}
}

static snw_status mirror(snw_operation *o, snw_error *error) {
	static const snw_mirror_method methods[] = {SNW_MIRROR_AUTO, SNW_MIRROR_TOPOLOGY, SNW_MIRROR_POSITION};
	const uint32_t example = snw_operation_thing(o, "example"), mesh = example_of(o)->mesh;
	const snw_mirror_options options = {
		.plane = snw_operation_plane(o, snw_symmetry_plane(o->scene, mesh)),
		.method = methods[snw_operation_count(o, "by")],
		.tolerance = snw_operation_has(o, "tolerance") ? snw_operation_number(o, "tolerance") : 0,
	};
	const char *given = snw_operation_text(o, "name");
	const char *name = given ? given : snw_mirrored_example_name(o->scene, &options.plane, example, o->arena);
	snw_mirrored mirrored = {0};
	const snw_status status = snw_project_put_mirrored_example(o->project, o->scene, o->in->registry, &options, example, name,
															   o->arena, &mirrored, error);
	if (snw_failed(status) && mirrored.is_unpaired) {
		return snw_fail(error, SNW_ERROR_MISSING,
						"nothing on the other side is like %.120s where %.120s is sculpted, so it has no mirror image; sculpt "
						"that side by hand in the mirrored pose, or pair the points with --by or a larger --tolerance",
						o->scene->meshes[mesh].name, example_of(o)->name);
	}
	if (!snw_failed(status)) {
		report_mirrored(o, &mirrored);
	}
	return status;
}

static snw_status split(snw_operation *o, snw_error *error) {
	const snw_argument_values *given = snw_operation_values(o, "name");
	const char *mask_text = snw_operation_text(o, "mask"), **names = SNW_NEW_ARRAY(o->arena, const char *, given->count + 1u);
	const double *mask = NULL;
	snw_split parts;
	for (uint32_t i = 0; i < given->count; i++) {
		names[i] = given->at[i].text;
	}
	snw_status status = mask_text ? snw_mask_values(o->scene, example_of(o)->mesh, mask_text, o->arena, &mask, error) : SNW_OK;
	status = snw_failed(status)
				 ? status
				 : snw_project_put_split(o->project, o->scene, o->in->registry, snw_operation_thing(o, "example"), mask,
										 given->count, given->count > 0 ? names : NULL, o->arena, &parts, error);
	for (uint32_t i = 0; !snw_failed(status) && i < parts.count; i++) {
		if (i == 0) {
			snw_report_changed(o->report, SNW_NOUN_EXAMPLE, parts.names[i]);
		} else {
			snw_report_made(o->report, SNW_NOUN_EXAMPLE, parts.names[i]);
		}
		snw_report_say(o->report, "example %s: %u point%s edited", parts.names[i], parts.edited_counts[i],
					   snw_plural(parts.edited_counts[i]));
	}
	return status;
}

static snw_status merge(snw_operation *o, snw_error *error) {
	const uint32_t first = snw_operation_thing(o, "example"), second = snw_operation_thing(o, "other");
	const char *name = snw_operation_text(o, "name");
	uint32_t edited = 0;
	const snw_status status =
		snw_project_put_merged(o->project, o->scene, o->in->registry, first, second, name, o->arena, &edited, error);
	snw_report_removed(o->report, SNW_NOUN_EXAMPLE, o->scene->examples[second].name);
	snw_report_changed(o->report, SNW_NOUN_EXAMPLE, name ? name : example_of(o)->name);
	snw_report_number(o->report, "edited", edited);
	snw_report_say(o->report, "example %s: %u point%s edited", name ? name : example_of(o)->name, edited, snw_plural(edited));
	return status;
}

/* ---- sculpt layers ------------------------------------------------------------------------------------------------------- */

/* Opacity, mute and name. */
static snw_status set_layer(const snw_operation *o, uint32_t layer, snw_error *error) {
	const char *name = snw_operation_text(o, "rename");
	snw_sculpt_layer changed = example_of(o)->layers[layer];
	changed.muted = snw_operation_has(o, "mute") || (changed.muted && !snw_operation_has(o, "unmute"));
	changed.name = name ? name : changed.name;
	changed.opacity = snw_operation_has(o, "opacity") ? snw_operation_number(o, "opacity") : changed.opacity;
	return snw_project_set_sculpt_layer(o->project, o->scene, o->in->registry, snw_operation_thing(o, "example"), layer,
										&changed, error);
}

static snw_status change_layer(snw_operation *o, snw_error *error) {
	const uint32_t example = snw_operation_thing(o, "example");
	const char *name = snw_operation_text(o, "layer");
	snw_report_changed(o->report, SNW_NOUN_EXAMPLE, example_of(o)->name);
	if (snw_operation_has(o, "add")) {
		return snw_project_add_sculpt_layer(o->project, o->scene, o->in->registry, example, name ? name : "", error);
	}
	if (!name) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "which sculpt layer of example '%s'? without one, --add makes one",
						example_of(o)->name);
	}
	const uint32_t layer = snw_sculpt_layer_find(example_of(o), name);
	if (layer == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING, "example '%s' has no sculpt layer named '%s'; 'example layers' lists them",
						example_of(o)->name, name);
	}
	if (snw_operation_has(o, "merge")) {
		return snw_project_merge_sculpt_layer(o->project, o->scene, o->in->registry, example, layer, error);
	}
	return snw_operation_has(o, "remove")
			   ? snw_project_remove_sculpt_layer(o->project, o->scene, o->in->registry, example, layer, error)
			   : set_layer(o, layer, error);
}

enum { CHANGES = SNW_OPERATOR_REFITS | SNW_OPERATOR_PLUGINS };

static const snw_operator operators[] = {
	{"add", "Add example", "Adds an example in a pose from a file.", "add example", CHANGES, add_arguments, add},
	{"update", "Update example", "Replaces the sculpt of an example by that of a file with the same number of points.",
	 "update example", CHANGES, update_arguments, update},
	{"folder", "Import sculpts from folder", "Takes in sculpts by their names: examples are updated, poses get new ones.",
	 "import sculpts from", CHANGES | SNW_OPERATOR_LONG | SNW_OPERATOR_STAYS, folder_arguments, snw_example_folder},
	{"transfer", "Transfer sculpts from project",
	 "Copies the sculpts of another project, by the nearest places at rest; its character may differ in points, faces and "
	 "shape.",
	 "transfer sculpts from", CHANGES | SNW_OPERATOR_LONG | SNW_OPERATOR_STAYS, transfer_arguments, snw_example_transfer_from},
	{"between", "Add in-between",
	 "Adds an example on the way from rest to the pose of another, in its groups, with the skin as it is there.",
	 "add in-between of", CHANGES, between_arguments, between},
	{"mirror", "Mirror", "Creates or updates the example of the other side, in the mirrored pose and groups.", "mirror example",
	 CHANGES | SNW_OPERATOR_STAYS, mirror_arguments, mirror},
	{"split", "Split example", "Splits an example into parts, each in the groups whose masks reach it.", "split example",
	 CHANGES, split_arguments, split},
	{"merge", "Merge examples", "Merges two examples of the same mesh and pose; where both were edited, their edits are added.",
	 "merge examples $1 and", CHANGES, merge_arguments, merge},
	{"join", "Add to group", "Adds an example to a group; it may be in several, each of which moves some of its points.",
	 "group example", CHANGES | SNW_OPERATOR_CHOOSES, join_arguments, snw_example_join},
	{"move", "Move to group", "Moves an example from a group to another.", "regroup example", CHANGES | SNW_OPERATOR_CHOOSES,
	 move_arguments, snw_example_move},
	{"leave", "Remove from group", "Removes an example from a group without deleting it.", "ungroup example", CHANGES,
	 leave_arguments, snw_example_leave},
	{"mask", "Group mask", "Says which points of an example its group moves; without a mask, all points.", "change mask of",
	 CHANGES, mask_arguments, snw_example_mask},
	{"place", "Move example", "Moves an example up or down in its group.", "move example", CHANGES, place_arguments,
	 snw_example_place},
	{"drive", "Change driver",
	 "Moves an example to the group of a joint, or of that joint and another where it cannot tell the example from others. A "
	 "name "
	 "that the example has after its old driver follows, also that of its pose.",
	 "let $1 drive", CHANGES | SNW_OPERATOR_CHOOSES, drive_arguments, snw_example_drive},
	{"layer", "Sculpt layer", "Adds a sculpt layer to an example, changes it, merges it with the one below, or removes it.",
	 "change sculpt layers of", CHANGES, layer_arguments, change_layer},
	{"mute", "Mute", "Ignores an example in fits until you unmute it.", "mute example", CHANGES, example_arguments, mute},
	{"unmute", "Unmute", "Takes an example into fits again.", "unmute example", CHANGES, example_arguments, unmute},
	{"name", "Rename example", "Renames an example.", "rename example", CHANGES, name_arguments, rename_example},
	{"remove", "Delete example", "Deletes an example.", "delete example", CHANGES, example_arguments, remove_example},
	{0},
};

const snw_operator_noun snw_operators_example = {"example", "Lists and changes sculpted examples, and puts them into groups.",
												 operators};
