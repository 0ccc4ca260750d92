/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Examples: added and updated with sculpts from files or the skin, named, muted, in layers; the rows of all that can be done
 * with them.
 */
#include <math.h>
#include <string.h>

#include "example/examples.h"
#include "example/groups.h"
#include "example/sculpts.h"
#include "fit/samples.h"
#include "operators/arguments.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "stack/stack.h"

/* A point that moved less, as a share of the mesh's diagonal, was not edited: files round to six decimals of metres. */
#define FILE_PRECISION 2e-6
#define SKIN_PRECISION 1e-9

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
	{ "file", SNW_ARGUMENT_FILE, "TARGET.obj", meaning, .flags = (flags_of) }
#define NAME(meaning)                                                                                                          \
	{ "name", SNW_ARGUMENT_TEXT, "NAME", meaning, .flags = 0 }

/* Of what is sculpted by no file. */
#define SKIN                                                                                                                   \
	{                                                                                                                          \
		"method", SNW_ARGUMENT_TEXT, "METHOD",                                                                                 \
			"without a file: the method or layer whose skin it is (default: the whole stack)", .not_with = "file"              \
	}

static const snw_argument add_example_arguments[] = {
	{"name", SNW_ARGUMENT_TEXT, "NAME", "its name (default: its pose's, or after the joint that drives it)", .flags = 0},
	{"pose", SNW_ARGUMENT_TEXT, "POSE", "the pose it was sculpted in: NAME, or CLIP:SECONDS", .flags = SNW_ARGUMENT_NEEDED},
	SCULPT(0, "the sculpt, with its points in the order of the exported pose (default: the skin as it is there)"),
	SKIN,
	{"target", SNW_ARGUMENT_THING, "TARGET",
	 "a target of the mesh: its frame nearest to CLIP:SECONDS is the sculpt, and the pose is that of the frame",
	 .noun = SNW_NOUN_TARGET, .not_with = "file|method"},
	{"mesh", SNW_ARGUMENT_THING, "MESH", "which mesh, if there are several", .flags = SNW_ARGUMENT_ONLY | SNW_ARGUMENT_CHOSEN,
	 .noun = SNW_NOUN_MESH},
	{"group", SNW_ARGUMENT_TEXT, "GROUP", "a group that it joins, new or not (default: that of the joint that drives it)",
	 .flags = SNW_ARGUMENT_MANY},
	{"mask", SNW_ARGUMENT_TEXT, "MASK",
	 "the part that the group moves, one for each: x+, x- (y, z), joints:A,B or field:NAME (default: all of it)",
	 .flags = SNW_ARGUMENT_MANY, .only_with = "group"},
	{"joints", SNW_ARGUMENT_THING, "A,B", "the joints that drive the group (default: chosen by the method)",
	 .only_with = "group", .flags = SNW_ARGUMENT_MANY, .noun = SNW_NOUN_JOINT},
	SNW_LIMIT_ARGUMENTS,
	{0},
};
static const snw_argument folder_arguments[] = {
	{"folder", SNW_ARGUMENT_FILE, "DIR",
	 "the folder; NAME.obj is the sculpt of the example NAME, or of a new one in the pose NAME",
	 .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED | SNW_ARGUMENT_FOLDER},
	{"group", SNW_ARGUMENT_TEXT, "GROUP", "the group of new examples (default: that of the joint that drives each)",
	 .flags = 0},
	{"mesh", SNW_ARGUMENT_THING, "MESH", "which mesh, if there are several", .noun = SNW_NOUN_MESH},
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
	 .noun = SNW_NOUN_MESH},
	{"from-mesh", SNW_ARGUMENT_TEXT, "MESH",
	 "which mesh of the other project (default: all with sculpts; several go to the meshes of the same names)", .flags = 0},
	{0},
};
static const snw_argument update_arguments[] = {
	EXAMPLE, SCULPT(0, "the sculpt, with its points in the order of the exported pose (default: the skin as it is there)"),
	SKIN,    SNW_LIMIT_ARGUMENTS,
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
static const snw_argument mirror_example_arguments[] = {
	EXAMPLE,
	NAME("name of the mirrored example (default: the sides are exchanged)"),
	SNW_SWITCH_ARGUMENT("alone", "this example alone; otherwise those of other meshes in its pose and group are mirrored too"),
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
static const snw_argument carry_arguments[] = {
	{"example", SNW_ARGUMENT_THING, "EXAMPLE", "an example of the body (default: all that are not muted)",
	 .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_MANY | SNW_ARGUMENT_CHOSEN, .noun = SNW_NOUN_EXAMPLE},
	{"group", SNW_ARGUMENT_THING, "GROUP", "a group whose examples are carried", .flags = SNW_ARGUMENT_MANY,
	 .noun = SNW_NOUN_GROUP, .not_with = "example"},
	{"to", SNW_ARGUMENT_THING, "MESH", "a mesh that gets them (default: all that lie over the sculpt)",
	 .flags = SNW_ARGUMENT_MANY, .noun = SNW_NOUN_MESH},
	{"reach", SNW_ARGUMENT_NUMBER, "METRES",
	 "how far from the skin a point may be at rest; the sculpt fades from half of it on (default: 3 % of the diagonal)",
	 .least = 1e-9, .most = 1e6, .initial = SNW_NO_DEFAULT},
	{0},
};
#define MILLIMETRES(name, help)                                                                                                \
	{ name, SNW_ARGUMENT_NUMBER, "MM", help, .least = 0, .most = 1e6, .initial = SNW_NO_DEFAULT }
static const snw_argument push_arguments[] = {
	{"mesh", SNW_ARGUMENT_THING, "MESH", "the mesh that is pushed: the only one that changes",
	 .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED | SNW_ARGUMENT_CHOSEN, .noun = SNW_NOUN_MESH},
	{"out-of", SNW_ARGUMENT_THING, "MESH", "what it is pushed out of (default: all other meshes)", .flags = SNW_ARGUMENT_MANY,
	 .noun = SNW_NOUN_MESH},
	{"clip", SNW_ARGUMENT_THING, "CLIP,…",
	 "a clip in which nothing should be deep (default: all that move joints); the others get no deeper",
	 .flags = SNW_ARGUMENT_MANY, .noun = SNW_NOUN_CLIP},
	{"poses", SNW_ARGUMENT_COUNT, "N", "the most poses that get an example", .least = 1, .most = 64, .initial = 6},
	MILLIMETRES("deepest", "how deep a point may stay; poses are added until nothing is deeper (default: 0.5 of a human, in "
						   "proportion)"),
	MILLIMETRES("most", "how far a point may be moved (default: 25 of a human, in proportion)"),
	MILLIMETRES(
		"clearance",
		"how far it should stay away; half as far as at rest where that is less (default: 1 of a human, in proportion)"),
	{0},
};
static const snw_argument merge_arguments[] = {
	EXAMPLE,
	{"other", SNW_ARGUMENT_THING, "OTHER", "the other example", .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED,
	 .noun = SNW_NOUN_EXAMPLE},
	NAME("the name of both together (default: EXAMPLE)"),
	{0},
};
static const snw_argument name_example_arguments[] = {
	EXAMPLE,
	{"new", SNW_ARGUMENT_TEXT, "NEW", "the new name", .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED},
	{0},
};
static const snw_argument sculpt_layer_arguments[] = {
	EXAMPLE,
	{"layer", SNW_ARGUMENT_TEXT, "LAYER", "the sculpt layer; a new one needs no name",
	 .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_SCULPT_LAYER},
	{"add", SNW_ARGUMENT_SWITCH, NULL, "add it, empty, on top; the sculpt so far becomes the layer base",
	 .not_with = "opacity|mute|unmute|rename|merge|remove"},
	{"opacity", SNW_ARGUMENT_NUMBER, "X", "how much of it the sculpt has: beyond 1 it is exaggerated, below 0 inverted",
	 .least = -SNW_OPACITY_MOST, .most = SNW_OPACITY_MOST, .initial = SNW_NO_DEFAULT, .not_with = "merge|remove"},
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
static const snw_argument move_example_arguments[] = {
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

const snw_example *snw_example_given(const snw_operation *o) {
	return &o->scene->examples[snw_operation_thing(o, "example")];
}

/* ---- the example itself -------------------------------------------------------------------------------------------------- */

static snw_status put_edited_example(const snw_operation *o, const snw_example *example, snw_error *error) {
	const snw_mesh *mesh = &o->scene->meshes[example->mesh];
	snw_report_changed(o->report, SNW_NOUN_EXAMPLE, example->name);
	return snw_project_put_example(o->project, example, o->scene->poses[example->pose].id, mesh->id, mesh->point_count, NULL,
								   error);
}

static snw_status rename_example(snw_operation *o, snw_error *error) {
	snw_example example = *snw_example_given(o);
	const char *name = snw_operation_text(o, "new");
	const bool is_same = strcmp(name, example.name) == 0;
	const snw_status status = is_same ? SNW_OK : snw_noun_expect_free(o->scene, SNW_NOUN_EXAMPLE, name, error);
	example.name = name;
	return snw_failed(status) ? status : put_edited_example(o, &example, error);
}

static snw_status put_muted_example(const snw_operation *o, bool muted, snw_error *error) {
	snw_example example = *snw_example_given(o);
	example.muted = muted;
	snw_report_say(o->report, "example %s is %s", example.name, muted ? "muted" : "not muted");
	return put_edited_example(o, &example, error);
}

static snw_status mute_example(snw_operation *o, snw_error *error) {
	return put_muted_example(o, true, error);
}

static snw_status unmute_example(snw_operation *o, snw_error *error) {
	return put_muted_example(o, false, error);
}

static snw_status remove_example(snw_operation *o, snw_error *error) {
	snw_report_removed(o->report, SNW_NOUN_EXAMPLE, snw_example_given(o)->name);
	return snw_project_remove(o->project, SNW_PROJECT_EXAMPLE, snw_example_given(o)->id, error);
}

/* ---- sculpts from files -------------------------------------------------------------------------------------------------- */

/* The skin of the stack, or of the method that is given. */
static snw_status find_skin(const snw_operation *o, uint32_t mesh, const snw_pose *pose, const double **points,
							snw_error *error) {
	const snw_stack_options options = {.method = snw_operation_text(o, "method")};
	snw_stack *stack = NULL;
	if (o->scene->layer_count == 0 && !options.method) {
		*points = o->scene->meshes[mesh].points_rest;
		return SNW_OK;
	}
	snw_status status = snw_stack_build(o->scene, o->in->registry, &options, o->in->task, &stack, error);
	if (snw_failed(status)) {
		return status;
	}
	double *posed = SNW_NEW_ARRAY(o->arena, double, 3 * (size_t)o->scene->meshes[mesh].point_count);
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	status = snw_stack_drive(stack, snw_pose_view_make(o->scene, pose, o->arena), evaluation, error);
	status = snw_failed(status) ? status : snw_stack_reference(stack, evaluation, mesh, NULL, posed, error);
	snw_evaluation_destroy(evaluation);
	snw_stack_destroy(stack);
	*points = posed;
	return status;
}

snw_status snw_example_read_sculpt(const snw_operation *o, uint32_t mesh, const double **points, snw_error *error) {
	const snw_worker_limits limits = snw_operation_limits(o);
	return snw_sculpt_read(snw_operation_text(o, "file"), &o->scene->meshes[mesh], &limits, o->in->task, o->arena, points,
						   error);
}

/* The frame of the target nearest to the moment that is given, as the moment of the frame. */
static snw_status find_frame(const snw_operation *o, uint32_t mesh, const char **moment, const double **points,
							 snw_error *error) {
	const snw_target *target = &o->scene->targets[snw_operation_thing(o, "target")];
	const uint32_t clip = snw_target_clip(o->scene, target);
	double seconds = 0;
	if (target->mesh != mesh) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "target '%s' is of mesh '%s'; give --mesh", target->name,
						o->scene->meshes[target->mesh].name);
	}
	if (clip == SNW_NONE || snw_pose_parse_moment(o->scene, *moment, o->arena, &seconds) != clip) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "target '%s' has frames of clip '%s': give --pose '%s:SECONDS'",
						target->name, clip == SNW_NONE ? target->name : o->scene->clips[clip].name,
						clip == SNW_NONE ? "CLIP" : o->scene->clips[clip].name);
	}
	uint32_t frame = 0;
	for (uint32_t f = 1; f < target->frame_count; f++) {
		frame = fabs(target->seconds[f] - seconds) < fabs(target->seconds[frame] - seconds) ? f : frame;
	}
	const size_t numbers = 3 * (size_t)o->scene->meshes[mesh].point_count;
	double *posed = SNW_NEW_ARRAY(o->arena, double, numbers);
	for (size_t i = 0; i < numbers; i++) {
		posed[i] = (double)target->points_posed[frame * numbers + i];
	}
	*moment = snw_arena_format(o->arena, "%s:%.17g", o->scene->clips[clip].name, target->seconds[frame]);
	*points = posed;
	snw_report_number(o->report, "seconds", target->seconds[frame]);
	return SNW_OK;
}

static snw_status find_sculpt(const snw_operation *o, uint32_t mesh, const snw_pose *pose, const double **points,
							  snw_error *error) {
	return snw_operation_has(o, "file") ? snw_example_read_sculpt(o, mesh, points, error)
										: find_skin(o, mesh, pose, points, error);
}

/* Lists the points that the sculpt of an example edits: the others follow the skin. `is_rounded`: it comes from a file or a
 * target. */
static snw_status list_edited(const snw_operation *o, const snw_pose *pose, bool is_rounded, snw_example *example,
							  snw_error *error) {
	const uint32_t mesh = example->mesh, count = o->scene->meshes[mesh].point_count;
	double *below = snw_arena_array(o->arena, count, 3 * sizeof *below);
	const snw_status status = snw_reference_points(o->scene, o->in->registry, mesh, 1, &pose, &below, error);
	if (snw_failed(status)) {
		return status;
	}
	const double precision = is_rounded ? FILE_PRECISION : SKIN_PRECISION;
	snw_example_find_edited(example, count, below, precision * snw_scene_diagonal(o->scene, mesh), o->arena);
	const uint32_t edited = example->edited ? example->edited_count : count;
	if (edited == 0 && is_rounded) {
		snw_report_warn(o->report, "example %s edits nothing: every point is where the skin puts it in this pose",
						example->name);
	}
	snw_report_number(o->report, "edited", edited);
	snw_report_say(o->report, "%u of %u points are edited; the others follow the skin", edited, count);
	return SNW_OK;
}

/* The group of the joint that drives a sculpt. */
static snw_status join_driven(const snw_operation *o, const snw_example *example, const snw_pose *pose, int64_t id,
							  snw_error *error) {
	const snw_scene *scene = o->scene;
	const uint32_t corrective = snw_reference_layer(scene, o->in->registry);
	double *points, *original;
	snw_driver *drivers;
	uint32_t count = 0;
	snw_status status = snw_sculpt_points(scene, o->in->registry, example->mesh, pose, SNW_NONE, corrective, o->arena, &points,
										  &original, error);
	const snw_driver_query query = {example->mesh, pose, example->points_posed, snw_failed(status) ? NULL : original,
									corrective};
	status = snw_failed(status) ? status : snw_find_drivers(scene, o->in->registry, &query, o->arena, &drivers, &count, error);
	if (snw_failed(status)) {
		return status;
	}
	uint32_t *joints = SNW_NEW_ARRAY(o->arena, uint32_t, count);
	for (uint32_t i = 0; i < count; i++) {
		joints[i] = drivers[i].joint;
	}
	uint32_t shared, shared_count;
	const uint32_t leader = snw_sculpt_leader(scene, example->mesh, pose, count, drivers, &shared, &shared_count);
	if (leader != SNW_NONE && shared_count == 1) {
		return snw_example_put_member(o, &scene->groups[shared], SNW_NONE, id, scene->groups[shared].member_count, 0, error);
	}
	const snw_group_choice choice = snw_choose_group(scene, example->mesh, pose, SNW_NONE, count, joints, o->arena);
	snw_group group = {.name = choice.name, .joint_count = choice.joint_count, .joints = choice.joints};
	group = choice.group == SNW_NONE ? group : scene->groups[choice.group];
	return snw_example_put_member(o, &group, SNW_NONE, id, group.member_count, 0, error);
}

/* The groups that are given, each under its mask. */
static snw_status join_groups(const snw_operation *o, uint32_t mesh, int64_t example, snw_error *error) {
	const snw_argument_values *groups = snw_operation_values(o, "group"), *masks = snw_operation_values(o, "mask");
	snw_status status = SNW_OK;
	if (masks->count > 0 && masks->count != groups->count) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%u groups but %u masks: give one --mask for each --group, or none",
						groups->count, masks->count);
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

/* Under the name that is given, or that of its pose. */
static snw_status add_grouped(const snw_operation *o, uint32_t mesh, const char *name, snw_pose *pose, const double *points,
							  snw_error *error) {
	const bool is_grouped = snw_operation_has(o, "group");
	snw_example example = {.name = name, .mesh = mesh, .points_posed = points, .has_chosen_driver = is_grouped};
	int64_t pose_id = pose->id, id = 0;
	const bool is_rounded = snw_operation_has(o, "file") || snw_operation_has(o, "target");
	snw_status status = list_edited(o, pose, is_rounded, &example, error);
	status = snw_failed(status) || pose_id ? status : snw_project_put_pose(o->project, pose, &pose_id, error);
	snw_report_made(o->report, SNW_NOUN_EXAMPLE, example.name);
	status = snw_failed(status) ? status
								: snw_project_put_example(o->project, &example, pose_id, o->scene->meshes[mesh].id,
														  o->scene->meshes[mesh].point_count, &id, error);
	if (snw_failed(status)) {
		return status;
	}
	return is_grouped ? join_groups(o, mesh, id, error) : join_driven(o, &example, pose, id, error);
}

static void report_driven(const snw_operation *o, const snw_stored_sculpt *sculpt) {
	const char *driver =
		sculpt->driver_count > 0 ? snw_joint_title(&o->scene->skeleton, sculpt->drivers[0].joint, o->arena) : NULL;
	if (snw_scene_find_pose(o->scene, sculpt->pose_name) == SNW_NONE) {
		snw_report_made(o->report, SNW_NOUN_POSE, sculpt->pose_name);
	}
	snw_report_made(o->report, SNW_NOUN_EXAMPLE, sculpt->name);
	snw_report_made(o->report, SNW_NOUN_GROUP, sculpt->group.name);
	if (driver && snw_stored_sculpt_is_driven(sculpt)) {
		snw_report_say(o->report, "%s drives the new example %s, in group %s", driver, sculpt->name, sculpt->group.name);
	} else if (driver) {
		snw_report_warn(o->report,
						"%s drives %s but does not move these points; 'example drive' chooses another joint, or bend one that "
						"does",
						driver, sculpt->name);
	}
}

/* In the group of the joint that drives it. A pose that nobody has named gets the example's name, which is
 * after that joint if none is given. */
static snw_status add_driven(snw_operation *o, uint32_t mesh, const char *name, snw_pose *pose, const double *points,
							 snw_error *error) {
	const bool is_named = snw_scene_find_pose(o->scene, pose->name) != SNW_NONE && !snw_pose_is_unnamed(pose->name);
	snw_stored_sculpt sculpt = {.verb = "add example",
								.name = name,
								.pose_name = is_named ? pose->name : NULL,
								.pose = pose,
								.mesh = mesh,
								.points = points,
								.counterpart = SNW_NONE};
	const snw_status status = snw_put_sculpt_as_example(o->project, o->scene, o->in->registry, &sculpt, o->arena, error);
	if (!snw_failed(status)) {
		o->label = snw_arena_format(o->arena, "add example %s", sculpt.name);
		report_driven(o, &sculpt);
	}
	return status;
}

static snw_status add_example(snw_operation *o, snw_error *error) {
	const char *text = snw_operation_text(o, "pose"), *name = snw_operation_text(o, "name");
	const uint32_t mesh = snw_operation_thing(o, "mesh"), stored = snw_scene_find_pose(o->scene, text);
	const bool is_named = stored != SNW_NONE && !snw_pose_is_unnamed(text);
	const bool is_driven = !snw_operation_has(o, "file") && !snw_operation_has(o, "group");
	const double *points = NULL;
	snw_pose *pose = NULL;
	snw_status status = name ? snw_noun_expect_free(o->scene, SNW_NOUN_EXAMPLE, name, error) : SNW_OK;
	if (!snw_failed(status) && snw_operation_has(o, "target")) {
		status = find_frame(o, mesh, &text, &points, error);
	}
	status = snw_failed(status) ? status : snw_pose_resolve(o->scene, text, o->arena, &pose, error);
	if (snw_failed(status)) {
		return status;
	}
	if (is_driven && stored == 0) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "the rest pose cannot be sculpted; pose the character first");
	}
	name = !name && is_named ? snw_example_name_in_pose(o->scene, pose, mesh, o->arena) : name;
	if (!is_driven && !name) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "pose '%s' has no name that the example could have; give --name", text);
	}
	if (!is_driven && stored == SNW_NONE) { /* a moment of a clip, as a new pose */
		pose->id = 0;
		pose->name = name;
		status = snw_noun_expect_free(o->scene, SNW_NOUN_POSE, name, error);
	}
	status = snw_failed(status) || points ? status : find_sculpt(o, mesh, pose, &points, error);
	if (snw_failed(status)) {
		return status;
	}
	return is_driven ? add_driven(o, mesh, name, pose, points, error) : add_grouped(o, mesh, name, pose, points, error);
}

/* As a whole, so that it changes what is in no sculpt layer. */
static snw_status update(snw_operation *o, snw_error *error) {
	snw_example example = *snw_example_given(o);
	const snw_pose *pose = &o->scene->poses[example.pose];
	snw_status status = find_sculpt(o, example.mesh, pose, &example.points_posed, error);
	status = snw_failed(status) ? status : list_edited(o, pose, snw_operation_has(o, "file"), &example, error);
	if (example.muted) {
		snw_report_say(o->report, "example %s is muted: its sculpt has no effect until you unmute it", example.name);
	}
	return snw_failed(status) ? status : put_edited_example(o, &example, error);
}

/* ---- sculpt layers ------------------------------------------------------------------------------------------------------- */

/* Opacity, mute and name. */
static snw_status set_layer(const snw_operation *o, uint32_t layer, snw_error *error) {
	const char *name = snw_operation_text(o, "rename");
	snw_sculpt_layer changed = snw_example_given(o)->layers[layer];
	changed.muted = snw_operation_has(o, "mute") || (changed.muted && !snw_operation_has(o, "unmute"));
	changed.name = name ? name : changed.name;
	changed.opacity = snw_operation_has(o, "opacity") ? snw_operation_number(o, "opacity") : changed.opacity;
	return snw_project_set_sculpt_layer(o->project, o->scene, o->in->registry, snw_operation_thing(o, "example"), layer,
										&changed, error);
}

static snw_status change_layer(snw_operation *o, snw_error *error) {
	const uint32_t example = snw_operation_thing(o, "example");
	const char *name = snw_operation_text(o, "layer");
	snw_report_changed(o->report, SNW_NOUN_EXAMPLE, snw_example_given(o)->name);
	if (snw_operation_has(o, "add")) {
		return snw_project_add_sculpt_layer(o->project, o->scene, o->in->registry, example, name ? name : "", error);
	}
	if (!name) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "which sculpt layer of example '%s'? without one, --add makes one",
						snw_example_given(o)->name);
	}
	const uint32_t layer = snw_sculpt_layer_find(snw_example_given(o), name);
	if (layer == SNW_NONE) {
		return snw_fail(error, SNW_ERROR_MISSING, "example '%s' has no sculpt layer named '%s'; 'example layers' lists them",
						snw_example_given(o)->name, name);
	}
	if (snw_operation_has(o, "merge")) {
		return snw_project_merge_sculpt_layer(o->project, o->scene, o->in->registry, example, layer, error);
	}
	return snw_operation_has(o, "remove")
			   ? snw_project_remove_sculpt_layer(o->project, o->scene, o->in->registry, example, layer, error)
			   : set_layer(o, layer, error);
}

static const snw_operator example_operators[] = {
	{"add", "Add example", "Adds an example in a pose, with the sculpt of a file, the frame of a target, or the skin as it is.",
	 "add example", CHANGES | SNW_OPERATOR_SHOWN | SNW_OPERATOR_CHOOSES, add_example_arguments, add_example},
	{"update", "Update example", "Replaces the sculpt of an example by that of a file, or by the skin as it is.",
	 "update example", CHANGES, update_arguments, update},
	{"folder", "Import sculpts from folder", "Takes in sculpts by their names: examples are updated, poses get new ones.",
	 "import sculpts from", CHANGES | SNW_OPERATOR_LONG | SNW_OPERATOR_STAYS, folder_arguments, snw_example_folder},
	{"transfer", "Transfer sculpts from project",
	 "Copies the sculpts of another project, by the nearest places at rest; its character may differ in points, faces and "
	 "shape.",
	 "transfer sculpts from", CHANGES | SNW_OPERATOR_LONG | SNW_OPERATOR_STAYS, transfer_arguments, snw_example_transfer_from},
	{"between", "Add in-between",
	 "Adds an example on the way from rest to the pose of another, in its groups, with the skin as it is there.",
	 "add in-between of", CHANGES, between_arguments, snw_example_between},
	{"mirror", "Mirror", "Creates or updates the example of the other side, in the mirrored pose and groups.", "mirror example",
	 CHANGES | SNW_OPERATOR_STAYS, mirror_example_arguments, snw_example_mirror},
	{"carry", "Carry to clothes",
	 "Gives the meshes over a sculpt, such as clothes, the motion of the skin below them: an example each, in its groups.",
	 "carry", CHANGES | SNW_OPERATOR_STAYS, carry_arguments, snw_example_carry},
	{"push-out", "Push out",
	 "Adds examples that push a mesh out of others over clips, such as a shirt out of the body; they can be sculpted on.",
	 "push out", CHANGES | SNW_OPERATOR_LONG | SNW_OPERATOR_STAYS | SNW_OPERATOR_CURRENT, push_arguments, snw_example_push_out},
	{"split", "Split example", "Splits an example into parts, each in the groups whose masks reach it.", "split example",
	 CHANGES, split_arguments, snw_example_split},
	{"merge", "Merge examples", "Merges two examples of the same mesh and pose; where both were edited, their edits are added.",
	 "merge examples $1 and", CHANGES, merge_arguments, snw_example_merge},
	{"join", "Add to group", "Adds an example to a group; it may be in several, each of which moves some of its points.",
	 "group example", CHANGES | SNW_OPERATOR_CHOOSES, join_arguments, snw_example_join},
	{"move", "Move to group", "Moves an example from a group to another.", "regroup example", CHANGES | SNW_OPERATOR_CHOOSES,
	 move_example_arguments, snw_example_move},
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
	 "change sculpt layers of", CHANGES, sculpt_layer_arguments, change_layer},
	{"mute", "Mute", "Ignores an example in fits until you unmute it.", "mute example", CHANGES, example_arguments,
	 mute_example},
	{"unmute", "Unmute", "Takes an example into fits again.", "unmute example", CHANGES, example_arguments, unmute_example},
	{"name", "Rename example", "Renames an example.", "rename example", CHANGES, name_example_arguments, rename_example},
	{"remove", "Delete example", "Deletes an example.", "delete example", CHANGES, example_arguments, remove_example},
	{0},
};

const snw_operator_noun snw_operators_example = {"example", "Lists and changes sculpted examples, and puts them into groups.",
												 example_operators};
