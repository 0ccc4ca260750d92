/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The joints of the skeleton, at rest, and what they may do in poses.
 *
 * No change moves a point of the rest: binds follow their joints. Poses and clips keep each joint's transform relative to rest,
 * and a sculpt is displaced with the joints that move its points (transfer/transfer.h).
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "operators/arguments.h"
#include "parameter/parameters.h"
#include "pose/pose.h"
#include "scene/check.h"
#include "scene/scene.h"
#include "sinew/algebra.h"
#include "transfer/transfer.h"
#include "weights/weights.h"

#define JOINT                                                                                                                  \
	{                                                                                                                          \
		"joint", SNW_ARGUMENT_THING, "JOINT", "the joint",                                                                     \
			.flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED | SNW_ARGUMENT_CHOSEN, .noun = SNW_NOUN_JOINT                     \
	}
#define AT                                                                                                                     \
	{ "at", SNW_ARGUMENT_PLACE, "X,Y,Z", "a place at rest, in metres", .flags = SNW_ARGUMENT_NEEDED }

static const snw_argument add_joint_arguments[] = {
	{"name", SNW_ARGUMENT_TEXT, "NAME", "its name (default: the next free one)", .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEW,
	 .noun = SNW_NOUN_JOINT},
	AT,
	{"parent", SNW_ARGUMENT_THING, "JOINT", "the joint above it (default: none, a root)", .flags = SNW_ARGUMENT_CHOSEN,
	 .noun = SNW_NOUN_JOINT},
	{0},
};
static const snw_argument move_joint_arguments[] = {JOINT, AT, {0}};
static const snw_argument parent_arguments[] = {
	JOINT,
	{"parent", SNW_ARGUMENT_THING, "PARENT", "the joint above it", .flags = SNW_ARGUMENT_BARE, .noun = SNW_NOUN_JOINT,
	 .not_with = "root"},
	SNW_SWITCH_ARGUMENT("root", "no joint above it"),
	{0},
};
static const snw_argument name_joint_arguments[] = {
	JOINT,
	{"new", SNW_ARGUMENT_TEXT, "NEW", "the new name", .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED},
	{0},
};
static const snw_argument limit_arguments[] = {
	JOINT,
	{"degrees", SNW_ARGUMENT_NUMBER, "DEGREES", "the largest rotation away from rest; 0: no limit",
	 .flags = SNW_ARGUMENT_BARE | SNW_ARGUMENT_NEEDED, .least = 0, .most = 3600},
	{0},
};
static const snw_argument moves_arguments[] = {
	JOINT,
	{"moves", SNW_ARGUMENT_CHOICE, "toggle|on|off", "whether it may be moved as well as rotated", .flags = SNW_ARGUMENT_BARE,
	 .choices = "toggle|on|off"},
	{0},
};
static const snw_argument remove_joint_arguments[] = {JOINT, SNW_LOCK_ARGUMENT, {0}};

static const char *name_of_joint(const snw_operation *o, uint32_t joint) {
	return o->scene->skeleton.names[joint];
}

/* A transform read back from a matrix may differ by this part of the matrix; by more, the matrix has no such form. */
static const double unskewed = 1e-6;

typedef struct joint_edit {
	const snw_operation *o;
	const snw_scene *scene;
	snw_arena *arena;
	snw_scene fresh; /* with the changed skeleton, slots and meshes */
	snw_error *error;
} joint_edit;

static const double *global_of(const snw_scene *scene, uint32_t joint) {
	return scene->skeleton.rest_global + 12 * (size_t)joint;
}

/* ---- one change ---------------------------------------------------------------------------------------------------------- */

/* A copy of the skeleton with room for one joint more. */
static joint_edit open_edit(const snw_operation *o, snw_error *error) {
	joint_edit e = {.o = o, .scene = o->scene, .arena = o->arena, .fresh = *o->scene, .error = error};
	const snw_skeleton *old = &o->scene->skeleton;
	snw_skeleton *s = &e.fresh.skeleton;
	const size_t room = (size_t)old->joint_count + 1;
	s->names = SNW_NEW_ARRAY(e.arena, const char *, room);
	s->parents = SNW_NEW_ARRAY(e.arena, uint32_t, room);
	s->rest_local = SNW_NEW_ARRAY(e.arena, snw_transform, room);
	for (uint32_t j = 0; j < old->joint_count; j++) {
		s->names[j] = old->names[j];
		s->parents[j] = old->parents[j];
		s->rest_local[j] = old->rest_local[j];
	}
	return e;
}

/* Puts the changed character. `old` is the scene, or what is left of it where something goes with the change. */
static snw_status put_edited_skeleton(joint_edit *e, const snw_scene *old, snw_status status) {
	snw_transfer *transfer = SNW_NEW(e->arena, snw_transfer);
	status = snw_failed(status) ? status : snw_skeleton_finish(&e->fresh.skeleton, e->arena, e->error);
	if (!snw_failed(status)) {
		e->fresh.clip_count = 0; /* all clips and poses but the rest are the old ones */
		e->fresh.poses = snw_pose_rest(&e->fresh, e->arena);
		e->fresh.pose_count = 1;
		status = snw_scene_transfer(old, &e->fresh, e->arena, transfer, e->error);
	}
	return snw_failed(status) ? status : snw_project_put_character(e->o->project, transfer, e->error);
}

/* ---- places -------------------------------------------------------------------------------------------------------------- */

static snw_status check_place(const char *name, const double place[3], snw_error *error) {
	return snw_check_numbers("joint", name, "place", place, 3, error);
}

/* From the rest space to the axes of a joint; of the rest space itself for SNW_NONE. */
static snw_status into_joint(const joint_edit *e, uint32_t joint, double inverse[12]) {
	snw_mat34_identity(inverse);
	return joint == SNW_NONE || snw_mat34_invert(global_of(e->scene, joint), inverse)
			   ? SNW_OK
			   : snw_fail(e->error, SNW_ERROR_CONFLICT,
						  "joint '%s' has a scale of 0 at rest, so nothing can be placed below it",
						  e->scene->skeleton.names[joint]);
}

/* The local transform of a joint that is at `global`, below a parent. */
static snw_status place_below(const joint_edit *e, uint32_t joint, uint32_t parent, const double global[12],
							  snw_transform *local) {
	double inverse[12], wanted[12], found[12], size = 0, apart = 0;
	const snw_status status = into_joint(e, parent, inverse);
	if (snw_failed(status)) {
		return status;
	}
	snw_mat34_multiply(inverse, global, wanted);
	snw_transform_from_mat34(wanted, local);
	snw_transform_to_mat34(local, found);
	for (int i = 0; i < 12; i++) {
		size = fmax(size, fabs(wanted[i]));
		apart = fmax(apart, fabs(wanted[i] - found[i]));
	}
	return apart <= unskewed * size
			   ? SNW_OK
			   : snw_fail(e->error, SNW_ERROR_CONFLICT,
						  "joint '%s' would be skewed there, because '%s' has a different scale along each axis at rest; "
						  "choose a different parent",
						  e->scene->skeleton.names[joint], parent == SNW_NONE ? "" : e->scene->skeleton.names[parent]);
}

/* ---- added, moved -------------------------------------------------------------------------------------------------------- */

static snw_status check_free_name(const snw_scene *scene, const char *name, snw_error *error) {
	const snw_status status = snw_check_name("joint", name, error);
	return snw_failed(status) || snw_scene_find_joint(scene, name) == SNW_NONE
			   ? status
			   : snw_fail(error, SNW_ERROR_CONFLICT, "%s: a joint with this name exists; choose another name", name);
}

static snw_status add_below(joint_edit *e, const char *name, uint32_t parent, const double place[3]) {
	snw_skeleton *s = &e->fresh.skeleton;
	snw_transform *local = &s->rest_local[s->joint_count];
	double inverse[12];
	const snw_status status = into_joint(e, parent, inverse);
	*local = (snw_transform){.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	if (parent != SNW_NONE && !snw_failed(status)) {
		snw_transform above;
		snw_transform_from_mat34(global_of(e->scene, parent), &above);
		snw_quat_conjugate(above.rotation, local->rotation);
	}
	snw_mat34_point(inverse, place, local->translation);
	s->names[s->joint_count] = name;
	s->parents[s->joint_count++] = parent;
	return status;
}

static snw_status add_joint(snw_operation *o, snw_error *error) {
	const char *name = snw_operation_text(o, "name");
	const uint32_t parent = snw_operation_thing(o, "parent");
	const double *place = snw_operation_values(o, "at")->at[0].place;
	snw_status status = check_free_name(o->scene, name, error);
	status = snw_failed(status) ? status : check_place(name, place, error);
	if (snw_failed(status)) {
		return status;
	}
	joint_edit e = open_edit(o, error);
	snw_report_made(o->report, SNW_NOUN_JOINT, name);
	snw_report_say(o->report, "joint %s is %s%s", name, parent == SNW_NONE ? "a root" : "below ",
				   parent == SNW_NONE ? "" : name_of_joint(o, parent));
	return put_edited_skeleton(&e, o->scene, add_below(&e, name, parent, place));
}

/* The axes of the joint stay, so what is below it needs another translation and nothing else. */
static snw_status move_to(joint_edit *e, uint32_t joint, const double place[3]) {
	snw_skeleton *s = &e->fresh.skeleton;
	double inverse[12], global[12], *binds;
	snw_status status = into_joint(e, s->parents[joint], inverse);
	snw_mat34_point(inverse, place, s->rest_local[joint].translation);
	memcpy(global, global_of(e->scene, joint), sizeof global);
	for (int c = 0; c < 3; c++) {
		global[4 * c + 3] = place[c];
	}
	if (!snw_failed(status) && !snw_mat34_invert(global, inverse)) {
		status = into_joint(e, joint, inverse); /* which says why */
	}
	for (uint32_t j = 0; !snw_failed(status) && j < s->joint_count; j++) {
		if (s->parents[j] == joint) {
			const double *below = global_of(e->scene, j), stays[3] = {below[3], below[7], below[11]};
			snw_mat34_point(inverse, stays, s->rest_local[j].translation);
		}
	}
	binds = snw_arena_copy(e->arena, e->scene->slot_inverse_binds, 12 * (size_t)e->scene->slot_count * sizeof *binds);
	for (uint32_t i = 0; !snw_failed(status) && i < e->scene->slot_count; i++) {
		if (e->scene->slot_joints[i] == joint) {
			double rest[12];
			snw_mat34_multiply(global_of(e->scene, joint), binds + 12 * (size_t)i, rest);
			snw_mat34_multiply(inverse, rest, binds + 12 * (size_t)i);
		}
	}
	e->fresh.slot_inverse_binds = binds;
	return status;
}

static snw_status move_resting_joint(snw_operation *o, snw_error *error) {
	const uint32_t joint = snw_operation_thing(o, "joint");
	const double *place = snw_operation_values(o, "at")->at[0].place;
	const snw_status status = check_place(name_of_joint(o, joint), place, error);
	if (snw_failed(status)) {
		return status;
	}
	joint_edit e = open_edit(o, error);
	snw_report_changed(o->report, SNW_NOUN_JOINT, name_of_joint(o, joint));
	return put_edited_skeleton(&e, o->scene, move_to(&e, joint, place));
}

/* ---- parented ------------------------------------------------------------------------------------------------------------ */

static snw_status set_parent(snw_operation *o, snw_error *error) {
	const uint32_t joint = snw_operation_thing(o, "joint"), parent = snw_operation_thing(o, "parent");
	if (parent == SNW_NONE && !snw_operation_has(o, "root")) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "joint '%s' needs either a parent or --root", name_of_joint(o, joint));
	}
	if (parent != SNW_NONE && snw_skeleton_is_below(&o->scene->skeleton, parent, joint)) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "joint '%s' cannot be below %s; choose a parent that is not below it",
						name_of_joint(o, joint), parent == joint ? "itself" : name_of_joint(o, parent));
	}
	joint_edit e = open_edit(o, error);
	snw_transform *local = &e.fresh.skeleton.rest_local[joint];
	e.fresh.skeleton.parents[joint] = parent;
	snw_report_changed(o->report, SNW_NOUN_JOINT, name_of_joint(o, joint));
	return put_edited_skeleton(&e, o->scene, place_below(&e, joint, parent, global_of(o->scene, joint), local));
}

/* ---- renamed ------------------------------------------------------------------------------------------------------------- */

/* Whether a setting is for this joint alone, and whether its value is this joint. */
typedef struct joint_use {
	const snw_parameter *parameter;
	bool in_key, in_value;
} joint_use;

static joint_use find_use(const snw_scene *scene, const snw_descriptor *descriptor, const snw_setting *setting,
						  const char *joint) {
	const char *name;
	uint32_t index;
	const uint32_t row = snw_parameter_of_key(descriptor, setting->key, &name);
	if (row == SNW_NONE) {
		return (joint_use){0};
	}
	const snw_parameter *p = descriptor->parameters[row];
	return (joint_use){
		.parameter = p,
		.in_key = name && strcmp(name, joint) == 0 && snw_override_scope(scene, p->scopes, name, &index) == SNW_SCOPE_JOINT,
		.in_value = p->kind == SNW_PARAMETER_JOINT && setting->value.text && strcmp(setting->value.text, joint) == 0};
}

/* The layer's settings with the new name, or without those of the joint. Returns whether any has changed. */
static bool change_joint_settings(const snw_scene *scene, const snw_descriptor *descriptor, const char *name,
								  const char *new_name, snw_layer *layer, snw_arena *arena) {
	snw_setting *settings = SNW_NEW_ARRAY(arena, snw_setting, layer->setting_count);
	bool has_changed = false;
	uint32_t count = 0;
	for (uint32_t i = 0; i < layer->setting_count; i++) {
		snw_setting setting = layer->settings[i];
		const joint_use use = find_use(scene, descriptor, &setting, name);
		has_changed = has_changed || use.in_key || use.in_value;
		if (!new_name && (use.in_key || use.in_value)) {
			continue;
		}
		if (use.in_key) {
			setting.key = snw_arena_format(arena, "%s@%s", use.parameter->key, new_name);
		}
		if (use.in_value) {
			setting.value.text = new_name;
		}
		settings[count++] = setting;
	}
	layer->settings = settings;
	layer->setting_count = count;
	return has_changed;
}

/* Replaces a joint's name in the settings of layers: "twist@elbow", and values that are joints. NULL `new_name`: removes the
 * settings with it. Layers of missing plug-ins stay as they are. */
static snw_status rename_in_settings(const snw_operation *o, const char *name, const char *new_name, snw_error *error) {
	const snw_scene *scene = o->scene;
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < scene->layer_count; i++) {
		const snw_deformer *deformer = snw_registry_find(o->in->registry, scene->layers[i].deformer);
		snw_layer layer = scene->layers[i];
		if (deformer && change_joint_settings(scene, deformer->descriptor, name, new_name, &layer, o->arena)) {
			int64_t id;
			status = snw_project_put_layer(o->project, &layer, layer.model == SNW_NONE ? 0 : scene->models[layer.model].id, -1,
										   &id, error);
		}
	}
	return status;
}

static snw_status rename_joint(snw_operation *o, snw_error *error) {
	const char *old = name_of_joint(o, snw_operation_thing(o, "joint")), *name = snw_operation_text(o, "new");
	snw_report_changed(o->report, SNW_NOUN_JOINT, name);
	if (strcmp(old, name) == 0) {
		return SNW_OK;
	}
	snw_status status = check_free_name(o->scene, name, error);
	status = snw_failed(status) ? status : snw_project_put_joint_name(o->project, old, name, error);
	return snw_failed(status) ? status : rename_in_settings(o, old, name, error);
}

/* ---- removed ------------------------------------------------------------------------------------------------------------- */

/* The scene without the joint's keys. */
static snw_scene without_keys(const joint_edit *e, uint32_t joint, uint32_t *clip_count) {
	snw_scene old = *e->scene;
	snw_clip *clips = snw_arena_copy(e->arena, old.clips, old.clip_count * sizeof *clips);
	for (uint32_t i = 0; i < old.clip_count; i++) {
		snw_track *tracks = SNW_NEW_ARRAY(e->arena, snw_track, clips[i].track_count);
		uint32_t kept = 0;
		for (uint32_t t = 0; t < clips[i].track_count; t++) {
			if (clips[i].tracks[t].path == SNW_PATH_CHANNEL || clips[i].tracks[t].target != joint) {
				tracks[kept++] = clips[i].tracks[t];
			}
		}
		*clip_count += kept < clips[i].track_count;
		clips[i].tracks = tracks;
		clips[i].track_count = kept;
	}
	old.clips = clips;
	return old;
}

static snw_status drop_joint(joint_edit *e, uint32_t joint) {
	const snw_skeleton *old = &e->scene->skeleton;
	snw_skeleton *s = &e->fresh.skeleton;
	snw_status status = SNW_OK;
	uint32_t count = 0;
	for (uint32_t j = 0; !snw_failed(status) && j < old->joint_count; j++) {
		if (j == joint) {
			continue;
		}
		uint32_t parent = old->parents[j];
		s->rest_local[count] = old->rest_local[j];
		if (parent == joint) {
			parent = old->parents[joint];
			status = place_below(e, j, parent, global_of(e->scene, j), &s->rest_local[count]);
		}
		s->names[count] = old->names[j];
		s->parents[count++] = parent == SNW_NONE || parent < joint ? parent : parent - 1;
	}
	s->joint_count = count;
	return status;
}

static bool has_weights(const snw_scene *scene, uint32_t joint) {
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_mesh *mesh = &scene->meshes[m];
		const uint32_t count = mesh->influence_offsets ? mesh->influence_offsets[mesh->point_count] : 0;
		for (uint32_t k = 0; k < count; k++) {
			if (mesh->influence_weights[k] != 0 && scene->slot_joints[mesh->influence_slots[k]] == joint) {
				return true;
			}
		}
	}
	return false;
}

/* A joint's weights go to its parent: neither may be locked. */
static snw_status expect_unlocked(const snw_operation *o, uint32_t joint, snw_error *error) {
	const snw_argument_values *locked = snw_operation_values(o, "lock");
	for (uint32_t k = 0; k < locked->count; k++) {
		const uint32_t holder = locked->at[k].index;
		if ((holder == joint || holder == o->scene->skeleton.parents[joint]) && has_weights(o->scene, joint)) {
			return snw_fail(error, SNW_ERROR_CONFLICT, "the weights of joint '%s' are locked; unlock them to delete '%s'",
							name_of_joint(o, holder), name_of_joint(o, joint));
		}
	}
	return SNW_OK;
}

static snw_status remove_joint(snw_operation *o, snw_error *error) {
	const uint32_t joint = snw_operation_thing(o, "joint"), parent = o->scene->skeleton.parents[joint];
	const char *name = name_of_joint(o, joint);
	uint32_t point_count = 0, clip_count = 0;
	joint_edit e = open_edit(o, error);
	const snw_scene old = without_keys(&e, joint, &clip_count);
	snw_status status = expect_unlocked(o, joint, error);
	status =
		snw_failed(status) ? status : snw_joint_weights_to_parent(o->scene, joint, o->arena, &e.fresh, &point_count, error);
	status = snw_failed(status) ? status : drop_joint(&e, joint);
	status = put_edited_skeleton(&e, &old, status);
	status = snw_failed(status) ? status : rename_in_settings(o, name, NULL, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_report_removed(o->report, SNW_NOUN_JOINT, name);
	if (parent != SNW_NONE) {
		snw_report_changed(o->report, SNW_NOUN_JOINT, name_of_joint(o, parent));
	}
	if (point_count > 0) {
		snw_report_say(o->report, "the weights of %s at %u point%s are now those of %s", name, point_count,
					   snw_plural(point_count), name_of_joint(o, parent));
	}
	if (clip_count > 0) {
		snw_report_say(o->report, "its keys in %u clip%s are removed", clip_count, snw_plural(clip_count));
	}
	snw_report_number(o->report, "points", point_count);
	snw_report_number(o->report, "clips", clip_count);
	return status;
}

/* ---- what poses may do --------------------------------------------------------------------------------------------------- */

/* Sets the value of a joint in the field of that name (pose/pose.h), which is made if there is none and the value is
 * not 0. */
static snw_status put_value(const snw_operation *o, const char *name, uint32_t joint, double value, snw_error *error) {
	const snw_scene *scene = o->scene;
	const uint32_t found = snw_scene_find_field(scene, SNW_NONE, name), count = scene->skeleton.joint_count;
	const snw_field *old = found == SNW_NONE ? NULL : &scene->fields[found];
	if (old && (old->domain != SNW_DOMAIN_JOINTS || old->components != 1)) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "the field '%s' does not have one number per joint; rename it", name);
	}
	if (!old && value == 0) {
		return SNW_OK;
	}
	double *values = SNW_NEW_ARRAY(o->arena, double, count);
	if (old) {
		memcpy(values, old->values, count * sizeof *values);
	}
	values[joint] = value;
	const snw_field field = {.id = old ? old->id : 0,
							 .name = name,
							 .domain = SNW_DOMAIN_JOINTS,
							 .mesh = SNW_NONE,
							 .components = 1,
							 .count = count,
							 .values = values,
							 .unit = strcmp(name, SNW_JOINT_LIMITS) == 0 ? "rad" : ""};
	return snw_project_put_field(o->project, &field, 0, NULL, error);
}

static snw_status limit(snw_operation *o, snw_error *error) {
	const uint32_t joint = snw_operation_thing(o, "joint");
	snw_report_changed(o->report, SNW_NOUN_JOINT, name_of_joint(o, joint));
	return put_value(o, SNW_JOINT_LIMITS, joint, snw_operation_number(o, "degrees") * M_PI / 180, error);
}

static snw_status set_moves(snw_operation *o, snw_error *error) {
	enum { TOGGLE, ON };
	const uint32_t joint = snw_operation_thing(o, "joint"), wished = snw_operation_count(o, "moves");
	const bool moves = wished == TOGGLE ? !(snw_joint_value(o->scene, SNW_JOINT_MOVES, joint) > 0) : wished == ON;
	snw_report_changed(o->report, SNW_NOUN_JOINT, name_of_joint(o, joint));
	snw_report_say(o->report, "joint %s %s", name_of_joint(o, joint), moves ? "may move as well as rotate" : "only rotates");
	return put_value(o, SNW_JOINT_MOVES, joint, moves, error);
}

static const snw_operator joint_operators[] = {
	{"add", "Add joint", "Adds a joint at rest. It moves no points until it has weights.", "add joint", CHANGES,
	 add_joint_arguments, add_joint},
	{"move", "Move joint", "Moves a joint at rest. Those below it stay.", "move joint", CHANGES, move_joint_arguments,
	 move_resting_joint},
	{"parent", "Parent joint", "Puts a joint below another one, or makes it a root; it stays in place.", "parent joint",
	 CHANGES, parent_arguments, set_parent},
	{"name", "Rename joint", "Renames a joint, also in clips, groups and settings.", "rename joint", CHANGES,
	 name_joint_arguments, rename_joint},
	{"limit", "Limit joint", "Sets the largest rotation away from rest.", "limit joint", CHANGES, limit_arguments, limit},
	{"moves", "Joint may move", "Lets a joint be moved as well as rotated in poses, or only rotated. Roots may always move.",
	 "change joint", CHANGES, moves_arguments, set_moves},
	{"remove", "Delete joint", "Deletes a joint. Its parent takes over its weights and what is below it; its keys are removed.",
	 "delete joint", CHANGES, remove_joint_arguments, remove_joint},
	{0},
};

const snw_operator_noun snw_operators_joint = {
	"joint",
	"Lists, adds, moves, parents, renames and removes the joints of the skeleton, at rest; and sets what they may do in poses.",
	joint_operators};
