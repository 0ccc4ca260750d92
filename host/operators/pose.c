/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Poses. In the window 'add' stores the pose that is shown, and 'set' changes it.
 */
#include "pose/pose.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "example/examples.h"
#include "fit/samples.h"
#include "measure/measure.h"
#include "operators/arguments.h"
#include "pose/clip.h"
#include "sculpt/sculpt.h"

#define POSE                                                                                                                   \
	{                                                                                                                          \
		"pose", SNW_ARGUMENT_THING, "POSE", "the pose",                                                                        \
			.flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED | SNW_ARGUMENT_CHOSEN, .noun = SNW_NOUN_POSE                      \
	}
#define FROM(initial)                                                                                                          \
	{ "from", SNW_ARGUMENT_TEXT, "POSE", "start from a pose: NAME, or CLIP:SECONDS (default: " initial ")", .flags = 0 }
#define JOINT_CHANGES                                                                                                          \
	{"reset",                                                                                                                  \
	 SNW_ARGUMENT_THING,                                                                                                       \
	 "JOINT",                                                                                                                  \
	 "return a joint to rest, before the other changes",                                                                       \
	 .flags = SNW_ARGUMENT_MANY,                                                                                               \
	 .noun = SNW_NOUN_JOINT},                                                                                                  \
		{"rotate",                                                                                                             \
		 SNW_ARGUMENT_THING_PLACE,                                                                                             \
		 "JOINT=X,Y,Z",                                                                                                        \
		 "rotate a joint away from rest, by a rotation vector in radians",                                                     \
		 .flags = SNW_ARGUMENT_MANY,                                                                                           \
		 .noun = SNW_NOUN_JOINT},                                                                                              \
		{"move",                                                                                                               \
		 SNW_ARGUMENT_THING_PLACE,                                                                                             \
		 "JOINT=X,Y,Z",                                                                                                        \
		 "move a joint away from rest along its parent's axes, in metres, where it may",                                       \
		 .flags = SNW_ARGUMENT_MANY,                                                                                           \
		 .noun = SNW_NOUN_JOINT},                                                                                              \
		{"shape",                                                                                                              \
		 SNW_ARGUMENT_THING_NUMBER,                                                                                            \
		 "NAME=WEIGHT",                                                                                                        \
		 "the weight of a morph target, such as smile=0.5",                                                                    \
		 .flags = SNW_ARGUMENT_MANY,                                                                                           \
		 .noun = SNW_NOUN_SHAPE,                                                                                               \
		 .least = -1e6,                                                                                                        \
		 .most = 1e6},                                                                                                         \
		SNW_SWITCH_ARGUMENT("mirror", "swap left and right, after the other changes")

static const snw_argument add_pose_arguments[] = {
	{"name", SNW_ARGUMENT_TEXT, "NAME", "its name", .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED, .noun = SNW_NOUN_POSE},
	{"file", SNW_ARGUMENT_FILE, "POSE.json",
	 "{\"local_rotations_xyzw\": {\"JOINT\": [x, y, z, w]}}: rotations after the rest rotation", .not_with = "from"},
	FROM("rest"),
	SNW_SWITCH_ARGUMENT("replace", "replace the pose of this name, if there is one"),
	JOINT_CHANGES,
	SNW_LIMIT_ARGUMENTS,
	{0},
};
static const snw_argument set_pose_arguments[] = {POSE, FROM("as it is"), JOINT_CHANGES, {0}};
static const snw_argument name_pose_arguments[] = {
	POSE,
	{"new", SNW_ARGUMENT_TEXT, "NEW", "the new name", .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED},
	{0},
};
static const snw_argument mirror_pose_arguments[] = {
	POSE,
	{"name", SNW_ARGUMENT_TEXT, "NEW", "name of the new pose (default: the old name with its sides exchanged)", .flags = 0},
	SNW_PLANE_ARGUMENTS,
	{0},
};
static const snw_argument remove_pose_arguments[] = {POSE, {0}};
static const snw_argument suggest_arguments[] = {
	{"clip", SNW_ARGUMENT_THING, "CLIP", "the clip whose target is the ground truth", .flags = SNW_ARGUMENT_NEEDED,
	 .noun = SNW_NOUN_CLIP},
	{"count", SNW_ARGUMENT_COUNT, "N", "how many poses, one after another", .least = 1, .most = 1000, .initial = 1},
	{"method", SNW_ARGUMENT_TEXT, "METHOD",
	 "the method that learns from the examples, or a layer of it (default: the one that fits sculpts)", .flags = 0},
	SNW_SWITCH_ARGUMENT("add", "add the poses, named CLIP-SECONDS"),
	{"from-target", SNW_ARGUMENT_SWITCH, NULL,
	 "with --add: add them as examples too, with the target's points as their sculpts", .only_with = "add"},
	{0},
};

/* ---- changes ------------------------------------------------------------------------------------------------------------- */

static void rotate_joint(const snw_operation *o, const snw_argument_value *given, snw_pose *pose) {
	if (snw_pose_rotate_joint(o->scene, pose, given->index, given->place)) {
		snw_report_warn(o->report, "joint %s is rotated to its limit of %.4g degrees; 'joint limit' changes it",
						o->scene->skeleton.names[given->index], snw_joint_limit(o->scene, given->index) * 180 / M_PI);
	}
}

static snw_status move_joint(const snw_operation *o, const snw_argument_value *given, snw_pose *pose, snw_error *error) {
	const uint32_t joint = given->index;
	if (!snw_joint_moves(o->scene, joint)) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "joint '%s' only rotates; 'joint moves %s on' lets it move",
						o->scene->skeleton.names[joint], o->scene->skeleton.names[joint]);
	}
	for (size_t c = 0; c < 3; c++) {
		pose->local[joint].translation[c] = o->scene->skeleton.rest_local[joint].translation[c] + given->place[c];
	}
	return SNW_OK;
}

/* Left and right swapped; joints without a partner stay at rest. */
static snw_status swap_sides(const snw_operation *o, snw_pose **pose, snw_error *error) {
	const snw_mirror_plane plane = snw_character_plane(o->scene);
	snw_mirror_joints joints;
	snw_mirror_joints_find(o->scene, &plane, 0, o->arena, &joints);
	if (joints.pair_count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING, "no joint has a mirrored counterpart; 'joint name' gives one its name");
	}
	*pose = snw_mirror_pose(o->scene, &joints, *pose, o->arena);
	return SNW_OK;
}

static void reset_joint(const snw_operation *o, const snw_argument_value *given, snw_pose *pose) {
	pose->local[given->index] = o->scene->skeleton.rest_local[given->index];
	memset(&pose->rotation_vectors[(size_t)3 * given->index], 0, 3 * sizeof(double));
}

/* A pose that changes is no longer the moment of a clip. */
static snw_status change(const snw_operation *o, snw_pose **changed, snw_error *error) {
	const snw_argument_values *resets = snw_operation_values(o, "reset"), *rotations = snw_operation_values(o, "rotate"),
							  *moves = snw_operation_values(o, "move"), *shapes = snw_operation_values(o, "shape");
	const bool mirrors = snw_operation_has(o, "mirror");
	snw_pose *pose = *changed;
	snw_status status = SNW_OK;
	pose->clip = resets->count + rotations->count + moves->count + shapes->count + mirrors > 0 ? 0 : pose->clip;
	for (uint32_t i = 0; i < resets->count; i++) {
		reset_joint(o, &resets->at[i], pose);
	}
	for (uint32_t i = 0; i < rotations->count; i++) {
		rotate_joint(o, &rotations->at[i], pose);
	}
	for (uint32_t i = 0; i < moves->count && !snw_failed(status); i++) {
		status = move_joint(o, &moves->at[i], pose, error);
	}
	for (uint32_t i = 0; i < shapes->count; i++) {
		pose->channels[shapes->at[i].index] = shapes->at[i].number;
	}
	return snw_failed(status) || !mirrors ? status : swap_sides(o, changed, error);
}

/* The rest is the bind. Joints that a clip does not animate are in the default pose, so changing that would change every
 * clip. */
static snw_status refuse_fixed(const char *name, uint32_t index, snw_error *error) {
	if (index == 0) {
		return snw_fail(error, SNW_ERROR_CONFLICT,
						"%s: the rest pose is the bind pose and cannot be changed; add a pose with another name", name);
	}
	return strcmp(name, "default") != 0
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_CONFLICT,
						  "default: this is the pose that came with the file, and clips start from it; choose another name");
}

static const snw_pose *pose_of(const snw_operation *o) {
	return &o->scene->poses[snw_operation_thing(o, "pose")];
}

/* As a row of the project: 0 for a new one. */
static snw_status put_pose(const snw_operation *o, snw_pose *pose, const char *name, int64_t id, snw_error *error) {
	pose->name = name;
	pose->id = id;
	return snw_project_put_pose(o->project, pose, &id, error);
}

/* ---- operators ----------------------------------------------------------------------------------------------------------- */

static snw_status read_pose(const snw_operation *o, snw_pose **pose, snw_error *error) {
	const snw_worker_limits limits = snw_operation_limits(o);
	return snw_worker_read_pose(o->scene, snw_operation_text(o, "file"), &limits, o->in->task, o->arena, pose, error);
}

/* The pose that a new one begins with. */
static snw_status first_pose(const snw_operation *o, snw_pose **pose, snw_error *error) {
	const char *from = snw_operation_text(o, "from");
	if (snw_operation_has(o, "file")) {
		return read_pose(o, pose, error);
	}
	return snw_pose_resolve(o->scene, from ? from : "rest", o->arena, pose, error);
}

static snw_status refuse_sculpted(const snw_operation *o, uint32_t pose, snw_error *error) {
	for (uint32_t i = 0; i < o->scene->example_count; i++) {
		if (o->scene->examples[i].pose == pose) {
			return snw_fail(error, SNW_ERROR_CONFLICT, "example '%s' was sculpted in pose '%s'; remove that example first",
							o->scene->examples[i].name, o->scene->poses[pose].name);
		}
	}
	return SNW_OK;
}

static snw_status add_pose(snw_operation *o, snw_error *error) {
	const char *name = snw_operation_text(o, "name");
	const uint32_t old = snw_operation_has(o, "replace") ? snw_scene_find_pose(o->scene, name) : SNW_NONE;
	snw_pose *pose = NULL;
	snw_status status = refuse_fixed(name, old, error);
	status = snw_failed(status) ? status : refuse_sculpted(o, old, error);
	status = snw_failed(status) || old != SNW_NONE ? status : snw_noun_expect_free(o->scene, SNW_NOUN_POSE, name, error);
	status = snw_failed(status) ? status : first_pose(o, &pose, error);
	status = snw_failed(status) ? status : change(o, &pose, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_report_made(o->report, SNW_NOUN_POSE, name);
	return put_pose(o, pose, name, old == SNW_NONE ? 0 : o->scene->poses[old].id, error);
}

static snw_status warn_of_examples(snw_operation *o, snw_error *error) {
	(void)error;
	for (uint32_t i = 0; i < o->scene->example_count; i++) {
		if (o->scene->examples[i].pose == snw_operation_thing(o, "pose")) {
			snw_report_warn(
				o->report, "example %s was sculpted in this pose and is now a sculpt of the changed pose; undo takes that back",
				o->scene->examples[i].name);
		}
	}
	return SNW_OK;
}

static snw_status set_pose(snw_operation *o, snw_error *error) {
	const snw_pose *old = pose_of(o);
	const uint32_t index = snw_operation_thing(o, "pose");
	const char *from = snw_operation_text(o, "from");
	snw_pose *pose = NULL;
	snw_status status = refuse_fixed(old->name, index, error);
	status = snw_failed(status) ? status : snw_pose_resolve(o->scene, from ? from : old->name, o->arena, &pose, error);
	status = snw_failed(status) ? status : change(o, &pose, error);
	if (snw_failed(status)) {
		return status;
	}
	o->is_unread = true;
	for (uint32_t i = 0; i < o->scene->example_count; i++) {
		o->is_unread = o->is_unread && o->scene->examples[i].pose != index;
	}
	o->after = warn_of_examples;
	snw_report_changed(o->report, SNW_NOUN_POSE, old->name);
	return put_pose(o, pose, old->name, old->id, error);
}

static snw_status rename_pose(snw_operation *o, snw_error *error) {
	const snw_pose *old = pose_of(o);
	const char *name = snw_operation_text(o, "new");
	const bool is_same = strcmp(name, old->name) == 0;
	snw_status status = refuse_fixed(old->name, snw_operation_thing(o, "pose"), error);
	status = snw_failed(status) || is_same ? status : snw_noun_expect_free(o->scene, SNW_NOUN_POSE, name, error);
	snw_report_changed(o->report, SNW_NOUN_POSE, name);
	return snw_failed(status) ? status : put_pose(o, snw_pose_copy(o->scene, old, o->arena), name, old->id, error);
}

static const char *joint_name(const snw_scene *scene, uint32_t joint) {
	return joint == SNW_NONE ? "none" : scene->skeleton.names[joint];
}

/* The new pose may replace one of its name. */
static snw_status mirror_pose(snw_operation *o, snw_error *error) {
	const snw_mirror_plane plane = snw_operation_plane(o, snw_character_plane(o->scene));
	snw_mirrored mirrored;
	const snw_status status = snw_project_put_mirrored_pose(o->project, o->scene, &plane, snw_operation_thing(o, "pose"),
															snw_operation_text(o, "name"), o->arena, &mirrored, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_mirror_joints *joints = &mirrored.joints;
	snw_report_made(o->report, SNW_NOUN_POSE, mirrored.name);
	snw_report_say(o->report, "pose %s is %s mirrored", mirrored.name, pose_of(o)->name);
	snw_report_say(o->report, "%u pair%s of joints (%u by name), %u in the middle; the largest mismatch at rest is %.3g m (%s)",
				   joints->pair_count, snw_plural(joints->pair_count), joints->named_count, joints->middle_count,
				   joints->largest_mismatch, joint_name(o->scene, joints->worst_joint));
	if (joints->unpaired_count > 0) {
		snw_report_say(o->report, "%u joint%s without a partner stay at rest", joints->unpaired_count,
					   snw_plural(joints->unpaired_count));
	}
	snw_report_number(o->report, "pairs", joints->pair_count);
	snw_report_number(o->report, "by_name", joints->named_count);
	snw_report_number(o->report, "middle", joints->middle_count);
	snw_report_number(o->report, "unpaired", joints->unpaired_count);
	snw_report_number(o->report, "largest_mismatch", joints->largest_mismatch);
	return status;
}

static snw_status remove_pose(snw_operation *o, snw_error *error) {
	const snw_pose *pose = pose_of(o);
	const uint32_t index = snw_operation_thing(o, "pose");
	snw_status status = refuse_fixed(pose->name, index, error);
	status = snw_failed(status) ? status : refuse_sculpted(o, index, error);
	snw_report_removed(o->report, SNW_NOUN_POSE, pose->name);
	return snw_failed(status) ? status : snw_project_remove(o->project, SNW_PROJECT_POSE, pose->id, error);
}

/* ---- suggestions --------------------------------------------------------------------------------------------------------- */

/* A point that moved less, as a share of the mesh's diagonal, was not edited: targets are floats. */
static const double TARGET_PRECISION = 2e-6;

/* The suggested frames as they become poses and examples. */
typedef struct addition {
	const snw_target *target;
	const snw_suggestions *found;
	const char **names; /* [found->count]: of the poses, and of the examples */
	int64_t *examples;  /* [found->count] */
} addition;

/* The target's frame as an example of that pose. */
static snw_status put_moved_example(const snw_operation *o, const addition *a, uint32_t i, const snw_pose *pose,
									int64_t pose_id, snw_error *error) {
	const snw_mesh *mesh = &o->scene->meshes[a->target->mesh];
	const size_t numbers = 3 * (size_t)mesh->point_count;
	const float *frame = a->target->points_posed + numbers * a->found->list[i].frame;
	double *points = SNW_NEW_ARRAY(o->arena, double, numbers), *below = SNW_NEW_ARRAY(o->arena, double, numbers);
	for (size_t n = 0; n < numbers; n++) {
		points[n] = (double)frame[n];
	}
	snw_example example = {.name = pose->name, .points_posed = points};
	const snw_status status = snw_reference_points(o->scene, o->in->registry, a->target->mesh, 1, &pose, &below, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_report_made(o->report, SNW_NOUN_EXAMPLE, example.name);
	snw_example_find_edited(&example, mesh->point_count, below,
							TARGET_PRECISION * snw_scene_diagonal(o->scene, a->target->mesh), o->arena);
	return snw_project_put_example(o->project, &example, pose_id, mesh->id, mesh->point_count, &a->examples[i], error);
}

static bool is_in_group(const snw_suggestion *suggestion, const char *name) {
	for (uint32_t g = 0; g < suggestion->group_count; g++) {
		if (strcmp(suggestion->groups[g], name) == 0) {
			return true;
		}
	}
	return false;
}

/* A group (or a new one) with all of the examples that were suggested for it, under the mask of its first member. */
static snw_status put_group(const snw_operation *o, const addition *a, const char *name, snw_error *error) {
	const snw_scene *scene = o->scene;
	const uint32_t place = snw_scene_find_group(scene, name);
	snw_group group = place == SNW_NONE ? (snw_group){.name = name} : scene->groups[place];
	const size_t most = (size_t)group.member_count + a->found->count;
	int64_t *examples = SNW_NEW_ARRAY(o->arena, int64_t, most), *masks = SNW_NEW_ARRAY(o->arena, int64_t, most);
	uint32_t count = 0;
	for (; count < group.member_count; count++) {
		const snw_member *member = &group.members[count];
		examples[count] = scene->examples[member->example].id;
		masks[count] = member->mask == SNW_NONE ? 0 : scene->fields[member->mask].id;
	}
	for (uint32_t i = 0; i < a->found->count; i++) {
		if (is_in_group(&a->found->list[i], name)) {
			masks[count] = group.member_count > 0 ? masks[0] : 0;
			examples[count++] = a->examples[i];
		}
	}
	group.member_count = count;
	return snw_project_put_group(o->project, &group, examples, masks, NULL, error);
}

static snw_status put_groups(const snw_operation *o, const addition *a, snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < a->found->count; i++) {
		for (uint32_t g = 0; g < a->found->list[i].group_count && !snw_failed(status); g++) {
			const char *name = a->found->list[i].groups[g];
			bool is_done = false;
			for (uint32_t before = 0; before < i; before++) {
				is_done = is_done || is_in_group(&a->found->list[before], name);
			}
			status = is_done ? SNW_OK : put_group(o, a, name, error);
		}
	}
	return status;
}

static bool is_taken(const snw_operation *o, const addition *a, uint32_t count, const char *name) {
	bool taken = snw_scene_find_pose(o->scene, name) != SNW_NONE || snw_scene_find_example(o->scene, name) != SNW_NONE;
	for (uint32_t i = 0; i < count && !taken; i++) {
		taken = strcmp(a->names[i], name) == 0;
	}
	return taken;
}

/* Names that no pose and no example has: after the clip and the time, with a number if that is taken. */
static void choose_names(const snw_operation *o, const addition *a) {
	const char *clip = o->scene->clips[a->target->clip].name;
	for (uint32_t i = 0; i < a->found->count; i++) {
		const double seconds = a->found->list[i].seconds;
		const char *name = snw_arena_format(o->arena, "%s-%.*g", clip, seconds < 1000 ? 4 : 9, seconds);
		a->names[i] = name;
		for (uint32_t number = 2; is_taken(o, a, i, a->names[i]); number++) {
			a->names[i] = snw_arena_format(o->arena, "%s-%u", name, number);
		}
	}
}

/* The target of the clip. */
static snw_status find_target(const snw_operation *o, uint32_t *target, snw_error *error) {
	const uint32_t clip = snw_operation_thing(o, "clip");
	for (uint32_t i = 0; i < o->scene->target_count; i++) {
		if (o->scene->targets[i].clip == clip) {
			*target = i;
			return SNW_OK;
		}
	}
	return snw_fail(error, SNW_ERROR_MISSING,
					"clip %s has no target to measure against; add one with 'sinew target %s add --clip %s'",
					o->scene->clips[clip].name, o->in->name, o->scene->clips[clip].name);
}

static snw_status add_suggested(snw_operation *o, snw_error *error) {
	const snw_suggestions *found = o->work->suggested;
	const bool as_examples = snw_operation_has(o, "from-target");
	addition a = {.found = found,
				  .names = SNW_NEW_ARRAY(o->arena, const char *, found->count),
				  .examples = SNW_NEW_ARRAY(o->arena, int64_t, found->count)};
	uint32_t target = 0;
	snw_status status = find_target(o, &target, error);
	a.target = &o->scene->targets[target];
	choose_names(o, &a);
	for (uint32_t i = 0; i < found->count && !snw_failed(status); i++) {
		int64_t id = 0;
		snw_pose *pose = snw_pose_sample(o->scene, snw_target_clip(o->scene, a.target), found->list[i].seconds, o->arena);
		pose->name = a.names[i];
		snw_report_made(o->report, SNW_NOUN_POSE, pose->name);
		status = snw_project_put_pose(o->project, pose, &id, error);
		status = snw_failed(status) || !as_examples ? status : put_moved_example(o, &a, i, pose, id, error);
	}
	return snw_failed(status) || !as_examples ? status : put_groups(o, &a, error);
}

/* A method that learns from examples, and its topmost layer. */
static snw_status find_learner(const snw_operation *o, snw_suggest_request *request, snw_error *error) {
	const char *name = snw_operation_text(o, "method");
	const char *method = name ? name : snw_registry_trait_name(o->in->registry, SNW_CORRECTS);
	if (!method) {
		return snw_fail(error, SNW_ERROR_MISSING, "no corrective plug-in was found; name a method with --method");
	}
	for (uint32_t i = o->scene->layer_count; i-- > 0 && !request->layer;) {
		const snw_layer *layer = &o->scene->layers[i];
		const snw_deformer *deformer = snw_registry_find(o->in->registry, layer->deformer);
		if (deformer && (strcmp(layer->name, method) == 0 || strcmp(deformer->descriptor->short_name, method) == 0)) {
			request->layer = layer;
			method = deformer->descriptor->short_name;
		}
	}
	const snw_deformer *deformer = snw_registry_find(o->in->registry, method);
	request->method = method;
	return deformer && deformer->descriptor->needs & SNW_NEEDS_EXAMPLES
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_ARGUMENT, "--method %s: %s", method,
						  deformer ? "it does not learn from examples" : "no such method or layer; 'sinew plugins' lists them");
}

static snw_status suggest(snw_operation *o, snw_error *error) {
	snw_suggest_request request = {.count = snw_operation_count(o, "count")};
	snw_suggestions *found = SNW_NEW(o->arena, snw_suggestions);
	const bool adds = snw_operation_has(o, "add");
	snw_status status = find_target(o, &request.target, error);
	status = snw_failed(status) ? status : find_learner(o, &request, error);
	status =
		snw_failed(status) ? status : snw_suggest(o->scene, o->in->registry, &request, o->in->task, o->arena, found, error);
	if (snw_failed(status)) {
		return status;
	}
	const char *poses = "";
	for (uint32_t i = 0; i < found->count; i++) {
		poses = snw_arena_format(o->arena, "%s%s%s", poses, i ? ", " : "", found->list[i].pose);
	}
	if (found->count > 0) {
		snw_report_say(o->report, "worth sculpting: %s", poses);
	}
	if (found->count < request.count) {
		snw_report_say(o->report, "no further example from this clip would lower the error");
	}
	*o->work = (snw_operator_work){.write = adds ? add_suggested : NULL, .suggested = found};
	return status;
}

/* Layers can only become stale if an existing pose changes. */
static const snw_operator pose_operators[] = {
	{"add", "Add pose", "Stores a pose under a name: in the window the one that is shown.", "add pose",
	 SNW_OPERATOR_SHOWN | SNW_OPERATOR_CHOOSES, add_pose_arguments, add_pose},
	{"set", "Change pose", "Rotates, moves and resets joints of a pose, sets its morph targets, and mirrors it.", "change pose",
	 SNW_OPERATOR_SHOWN | SNW_OPERATOR_REFITS | SNW_OPERATOR_CHOOSES, set_pose_arguments, set_pose},
	{"name", "Rename pose", "Renames a pose.", "rename pose", 0, name_pose_arguments, rename_pose},
	{"mirror", "Mirror pose", "Adds the mirror image of a pose.", "mirror pose", SNW_OPERATOR_REFITS | SNW_OPERATOR_CHOOSES,
	 mirror_pose_arguments, mirror_pose},
	{"remove", "Delete pose", "Deletes a pose.", "delete pose", 0, remove_pose_arguments, remove_pose},
	{"suggest", "Suggest poses", "Finds frames of a clip that are worth sculpting, by trial against its target.",
	 "add suggested poses of", SNW_OPERATOR_LONG | SNW_OPERATOR_PLUGINS | SNW_OPERATOR_REFITS, suggest_arguments, suggest},
	{0},
};

const snw_operator_noun snw_operators_pose = {
	"pose", "Lists, adds, changes, mirrors, renames and removes poses, and suggests which to sculpt next.", pose_operators};
