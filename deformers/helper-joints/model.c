/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fitted model: what it knows of its character, what a pose makes of it, as bytes, and as JSON for engines.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "helper-joints/helper-joints.h"
#include "sinew/algebra.h"
#include "sinew/kit/bytes/json.h"
#include "sinew/kit/bytes/saved.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/guard.h"
#include "sinew/kit/skin/transfer.h"
#include "sinew/kit/status.h"

/* What a model knows of its character. */

snw_status open_model(const snw_character_view *character, snw_model *model) {
	const snw_skeleton_view *skeleton = character->skeleton;
	model->joint_count = skeleton->joint_count;
	model->slot_count = character->slot_count;
	double *inverses = SNW_POOL_ARRAY(&model->pool, double, 12 * (size_t)skeleton->joint_count);
	double *axes = SNW_POOL_ARRAY(&model->pool, double, 9 * (size_t)skeleton->joint_count);
	model->joint_names = (const char **)snw_pool_acquire(&model->pool, skeleton->joint_count, sizeof(char *));
	if (model->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		const size_t bytes = strlen(skeleton->names[j]) + 1;
		char *name = SNW_POOL_ARRAY(&model->pool, char, bytes);
		if (!name) {
			return SNW_ERROR_MEMORY;
		}
		memcpy(name, skeleton->names[j], bytes);
		model->joint_names[j] = name;
		const double *rest = skeleton->rest_global + 12 * (size_t)j;
		snw_mat34_identity(inverses + 12 * (size_t)j); /* of a joint without a volume at rest, which moves nothing */
		snw_mat34_invert(rest, inverses + 12 * (size_t)j);
		snw_mat34_rotation(rest, axes + 9 * (size_t)j);
	}
	model->rest_inverses = inverses;
	model->axes = axes;
	return SNW_OK;
}

snw_status list_helpers(const snw_character_view *character, snw_model *model) {
	enum { MOST_NAME = 200 };
	snw_helper_joint *joints = SNW_POOL_ARRAY(&model->pool, snw_helper_joint, model->helper_count);
	const snw_helper_joint **listed = SNW_POOL_ARRAY(&model->pool, const snw_helper_joint *, model->helper_count);
	char *names = SNW_POOL_ARRAY(&model->pool, char, (size_t)MOST_NAME * model->helper_count);
	if (model->pool.failed) {
		return SNW_ERROR_MEMORY;
	}
	for (uint32_t h = 0; h < model->helper_count; h++) {
		const helper *one = &model->helpers[h];
		char *name = names + (size_t)MOST_NAME * h;
		snprintf(name, MOST_NAME, "%.160s helper %02u", character->skeleton->names[one->parent], h + 1);
		joints[h] = (snw_helper_joint){.size = sizeof joints[h], .name = name, .parent = one->parent};
		memcpy(joints[h].place, one->place, sizeof one->place);
		listed[h] = &joints[h];
	}
	model->listed = listed;
	return SNW_OK;
}

static uint32_t slot_of_joint(const snw_character_view *character, uint32_t joint) {
	uint32_t slot = 0;
	while (slot < character->slot_count && character->slot_joints[slot] != joint) {
		slot++;
	}
	return slot;
}

snw_status widen_character(const snw_character_view *character, uint32_t count, const helper *helpers, snw_pool *pool,
						   snw_character_view *wider) {
	const uint32_t slots = character->slot_count;
	uint32_t *joints = SNW_POOL_ARRAY(pool, uint32_t, (size_t)slots + count);
	double *binds = SNW_POOL_ARRAY(pool, double, 12 * ((size_t)slots + count));
	if (pool->failed) {
		return SNW_ERROR_MEMORY;
	}
	if (slots > 0) {
		memcpy(joints, character->slot_joints, slots * sizeof *joints);
		memcpy(binds, character->slot_inverse_binds, 12 * (size_t)slots * sizeof *binds);
	}
	for (uint32_t h = 0; h < count && helpers; h++) {
		const uint32_t slot = slot_of_joint(character, helpers[h].parent);
		joints[slots + h] = helpers[h].parent;
		if (slot < slots) {
			memcpy(binds + 12 * (size_t)(slots + h), binds + 12 * (size_t)slot, 12 * sizeof *binds);
		}
	}
	*wider = (snw_character_view){.size = sizeof *wider,
								  .mesh_count = character->mesh_count,
								  .meshes = character->meshes,
								  .skeleton = character->skeleton,
								  .slot_count = slots + count,
								  .slot_joints = joints,
								  .slot_inverse_binds = binds,
								  .channel_count = character->channel_count,
								  .channel_names = character->channel_names};
	return SNW_OK;
}

/* ---- poses --------------------------------------------------------------------------------------------------------------- */

/* Driving: the pose's own palette, then the helpers' matrices; and the rest shape, in all poses alike. Lowering: linear blend
 * over the joints and the helpers, of points that may be moved at rest. */

static const double least_scale = 0.25, most_scale = 4; /* far from the samples no helper folds or explodes */

void helper_motion(const snw_model *model, const helper *from, const snw_pose_view *pose, double motion[MOTIONS]) {
	memset(motion, 0, MOTIONS * sizeof *motion);
	for (uint32_t k = 0; k < from->driver_count; k++) {
		double features[JOINT_FEATURES];
		const uint32_t joint = from->drivers[k];
		snk_rotation_features(model->axes + 9 * (size_t)joint, pose->rotation_vectors + 3 * (size_t)joint, features);
		for (uint32_t i = 0, f = JOINT_FEATURES * k; i < JOINT_FEATURES; i++, f++) {
			const double value = fmin(fmax(features[i], from->lowest[f]), from->highest[f]);
			for (int m = 0; m < MOTIONS; m++) {
				motion[m] += from->factors[m][f] * value;
			}
		}
	}
}

/* ---- between two joints -------------------------------------------------------------------------------------------------- */

/* x + first r × x + second r × (r × x). */
static void add_crossed(const double r[3], double first, double second, double x[3]) {
	double once[3], twice[3];
	snw_cross3(r, x, once);
	snw_cross3(r, once, twice);
	for (int c = 0; c < 3; c++) {
		x[c] += first * once[c] + second * twice[c];
	}
}

/* A rigid motion to the power `share`, along its screw: exp(share log). The translations of a logarithm and of its motion
 * differ by V(r) = ∫ exp(u r) du over 0 to 1, for the rotation vector r. */
static void power_of(const double motion[12], double share, double dest[12]) {
	double rotation[9], as_matrix[12] = {0}, quaternion[4], r[3], move[3];
	snw_mat34_rotation(motion, rotation);
	for (int i = 0; i < 9; i++) {
		as_matrix[4 * (i / 3) + i % 3] = rotation[i];
	}
	snw_quat_from_mat34(as_matrix, quaternion);
	snw_quat_to_rotation_vector(quaternion, r);
	for (int c = 0; c < 3; c++) {
		move[c] = motion[4 * c + 3];
	}
	const double angle = snw_length3(r), square = angle * angle, part = share * angle;
	const int is_small = angle < 1e-3; /* the series have no digits to lose there */
	add_crossed(r, -0.5, is_small ? 1.0 / 12 : (1 - angle * sin(angle) / (2 * (1 - cos(angle)))) / square, move);
	for (int c = 0; c < 3; c++) {
		move[c] *= share;
		r[c] *= share;
	}
	add_crossed(r, is_small ? 0.5 : (1 - cos(part)) / (part * part),
				is_small ? 1.0 / 6 : (part - sin(part)) / (part * part * part), move);
	snw_quat_from_rotation_vector(r, quaternion);
	snw_quat_to_mat34(quaternion, dest);
	for (int c = 0; c < 3; c++) {
		dest[4 * c + 3] = move[c];
	}
}

static void joint_motion(const snw_model *model, const snw_pose_view *pose, uint32_t joint, double motion[12]) {
	snw_mat34_multiply(pose->global + 12 * (size_t)joint, model->rest_inverses + 12 * (size_t)joint, motion);
}

void helper_ends(const snw_model *model, const helper *from, const snw_pose_view *pose, double first[12], double second[12]) {
	joint_motion(model, pose, from->parent, first);
	joint_motion(model, pose, from->toward, second);
}

void helper_base(const snw_model *model, const helper *from, const snw_pose_view *pose, double base[12]) {
	double back[12], relative[12];
	joint_motion(model, pose, from->parent, base);
	if (from->toward == SNW_NONE || !snw_mat34_invert(base, back)) {
		return;
	}
	joint_motion(model, pose, from->toward, relative);
	snw_mat34_multiply(back, relative, relative);
	power_of(relative, from->share, relative);
	snw_mat34_multiply(base, relative, base);
}

/* ---- a helper ------------------------------------------------------------------------------------------------------------ */

void helper_stretch(const snw_model *model, const helper *from, const double motion[MOTIONS], double stretched[9]) {
	const double *axes = model->axes + 9 * (size_t)from->parent;
	memset(stretched, 0, 9 * sizeof *stretched);
	for (int i = 0; i < 9; i++) {
		for (int k = 0; k < 3; k++) {
			const double scale = fmin(fmax(1 + motion[6 + k], least_scale), most_scale);
			stretched[i] += axes[3 * (i / 3) + k] * scale * axes[3 * (i % 3) + k];
		}
	}
}

void helper_matrix(const snw_model *model, const helper *from, const snw_pose_view *pose, const double motion[MOTIONS],
				   double matrix[12]) {
	double quaternion[4], rotation[12], local[12] = {0}, stretched[9], rotated[3], base[12];
	snw_quat_from_rotation_vector(motion, quaternion);
	snw_quat_to_mat34(quaternion, rotation);
	helper_stretch(model, from, motion, stretched);
	for (int i = 0; i < 9; i++) {
		local[4 * (i / 3) + i % 3] = stretched[i];
	}
	snw_mat34_multiply(rotation, local, local);
	snw_mat34_vector(local, from->place, rotated);
	for (int r = 0; r < 3; r++) {
		local[4 * r + 3] = from->place[r] + motion[3 + r] - rotated[r];
	}
	helper_base(model, from, pose, base);
	snw_mat34_multiply(base, local, matrix);
}

static void SNW_CALL layout(const snw_model *model, snw_model_layout *layout) {
	SNW_PUT(layout, snw_model_layout, .z_count = 12 * (model->slot_count + model->helper_count),
			.d_count = model->rest.coefficient_count);
}

static snw_status SNW_CALL drive(const snw_drive_call *call) {
	const snw_model *model = call->model;
	if (call->pose->joint_count != model->joint_count || call->pose->slot_count != model->slot_count) {
		return SNW_ERROR_ARGUMENT;
	}
	double *z = call->output->z;
	if (model->slot_count > 0) {
		memcpy(z, call->pose->palette, 12 * (size_t)model->slot_count * sizeof *z);
	}
	z += 12 * (size_t)model->slot_count;
	for (uint32_t h = 0; h < model->helper_count; h++, z += 12) {
		double motion[MOTIONS];
		helper_motion(model, &model->helpers[h], call->pose, motion);
		helper_matrix(model, &model->helpers[h], call->pose, motion, z);
	}
	snk_rest_shape_drive(&model->rest, call->output->d);
	return SNW_OK;
}

static snw_status SNW_CALL lower(const snw_lower_call *call) {
	const snw_model *model = call->model;
	if (call->mesh >= model->skin.mesh_count) {
		return SNW_ERROR_ARGUMENT;
	}
	const snk_base_skin_mesh *skin = &model->skin.meshes[call->mesh];
	SNW_PUT(call->part, snw_program_part, .blend = skin->offsets ? SNW_BLEND_LINEAR : SNW_BLEND_NONE,
			.palette = SNW_PALETTE_MATRICES, .slot_count = model->skin.slot_count, .influence_offsets = skin->offsets,
			.influence_slots = skin->slots, .influence_weights = skin->weights);
	snk_rest_shape_lower(&model->rest, call->mesh, call->part);
	return SNW_OK;
}

/* ---- bytes --------------------------------------------------------------------------------------------------------------- */

static void helper_bytes(snk_bytes *bytes, uint32_t joint_count, helper *one) {
	snk_bytes_index(bytes, joint_count, &one->parent);
	snk_bytes_u32(bytes, &one->toward);
	snk_bytes_f64(bytes, 1, &one->share);
	snk_bytes_f64(bytes, 3, one->place);
	snk_bytes_index(bytes, MOST_DRIVERS + 1, &one->driver_count);
	snk_bytes_need(bytes, one->toward < joint_count || one->toward == SNW_NONE);
	if (!snk_bytes_need(bytes, one->share >= 0 && one->share <= 1)) {
		return;
	}
	for (uint32_t k = 0; k < one->driver_count; k++) {
		snk_bytes_index(bytes, joint_count, &one->drivers[k]);
	}
	const size_t features = (size_t)JOINT_FEATURES * one->driver_count;
	for (int m = 0; m < MOTIONS; m++) {
		snk_bytes_f64(bytes, features, one->factors[m]);
	}
	snk_bytes_f64(bytes, features, one->lowest);
	snk_bytes_f64(bytes, features, one->highest);
}

static void model_bytes(snk_bytes *bytes, snw_model *model) {
	if (bytes->is_load) {
		bytes->status = open_model(bytes->character, model);
	}
	snk_bytes_count(bytes, 3 * sizeof(uint32_t) + 4 * sizeof(double), &model->helper_count);
	if (bytes->is_load) {
		model->helpers = snk_bytes_acquire(bytes, model->helper_count, sizeof *model->helpers);
		model->skin.slot_count = model->slot_count + model->helper_count;
	}
	for (uint32_t h = 0; !snk_failed(bytes->status) && h < model->helper_count; h++) {
		helper_bytes(bytes, model->joint_count, &model->helpers[h]);
	}
	snk_base_skin_bytes(bytes, &model->skin);
	snk_rest_shape_bytes(bytes, &model->rest);
	if (bytes->is_load && !snk_failed(bytes->status)) {
		bytes->status = list_helpers(bytes->character, model);
	}
}

static const snk_model_format format = {"SNWHELPJ", 2, sizeof(snw_model), model_bytes};

static snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink) {
	return snk_save_model(&format, model, sink);
}

static snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model) {
	(void)self;
	return snk_load_model(&format, call, model);
}

static snw_status follow(const snw_transfer_call *call, snw_model *model) {
	const snw_status status = snk_transfer_base_skin(call, &model->pool, &model->skin);
	return snk_failed(status) ? status : snk_rest_shape_transfer(call, &model->pool, &model->rest);
}

static snw_status SNW_CALL transfer(const snw_deformer *self, const snw_transfer_call *call, snw_model **model) {
	(void)self;
	return snk_transfer_model(&format, call, follow, model);
}

/* ---- as JSON ------------------------------------------------------------------------------------------------------------- */

/* The motion of the helpers as JSON, for engines that drive them live. docs/pose-space.md defines the format. */

static void write_driver(snk_json *json, const snw_model *model, const helper *one, uint32_t k) {
	static const char *const names[MOTIONS] = {"rotationX",    "rotationY", "rotationZ", "translationX", "translationY",
											   "translationZ", "stretchX",  "stretchY",  "stretchZ"};
	const size_t first = (size_t)JOINT_FEATURES * k;
	snk_json_open_object(json, NULL);
	snk_json_text(json, "joint", model->joint_names[one->drivers[k]]);
	snk_json_numbers(json, "axes", 9, model->axes + 9 * (size_t)one->drivers[k]);
	snk_json_numbers(json, "lowest", JOINT_FEATURES, one->lowest + first);
	snk_json_numbers(json, "highest", JOINT_FEATURES, one->highest + first);
	for (int m = 0; m < MOTIONS; m++) {
		snk_json_numbers(json, names[m], JOINT_FEATURES, one->factors[m] + first);
	}
	snk_json_close_object(json);
}

static snw_status SNW_CALL describe(const snw_model *model, const snw_value *values, const snw_sink *sink) {
	(void)values;
	snk_json json = snk_json_start(sink);
	snk_json_open_object(&json, NULL);
	snk_json_open_object(&json, "helperJoints");
	snk_json_integer(&json, "version", 2);
	snk_json_text(&json, "format", "org.sinew.helper-joints");
	snk_json_open_array(&json, "helpers");
	for (uint32_t h = 0; h < model->helper_count; h++) {
		const helper *one = &model->helpers[h];
		snk_json_open_object(&json, NULL);
		snk_json_text(&json, "name", model->listed[h]->name);
		snk_json_text(&json, "parent", model->joint_names[one->parent]);
		snk_json_numbers(&json, "place", 3, one->place);
		snk_json_numbers(&json, "stretchAxes", 9, model->axes + 9 * (size_t)one->parent);
		if (one->toward != SNW_NONE) {
			snk_json_text(&json, "toward", model->joint_names[one->toward]);
			snk_json_numbers(&json, "share", 1, &one->share);
		}
		snk_json_open_array(&json, "drivers");
		for (uint32_t k = 0; k < one->driver_count; k++) {
			write_driver(&json, model, one, k);
		}
		snk_json_close_array(&json);
		snk_json_close_object(&json);
	}
	snk_json_close_array(&json);
	snk_json_close_object(&json);
	snk_json_close_object(&json);
	return snk_json_finish(&json);
}

/* ---- what the host sees -------------------------------------------------------------------------------------------------- */

static const char *const rest_choices[] = {"auto", "kept", NULL};

static const snw_parameter *const parameters[PARAMETER_COUNT] = {
	[INFLUENCES] = SNW_COUNT("influences", "Influences", "The most joints and helper joints that may move one point.", 4, 1, 12,
							 SNW_STAGE_FIT, SNW_SOFT(1, 8), .role = SNW_ROLE_INFLUENCES),
	[HELPERS] = SNW_COUNT("helpers", "Helper joints", "The most helper joints, of all meshes together.", 24, 1, 1024,
						  SNW_STAGE_FIT, SNW_SOFT(1, 64), .role = SNW_ROLE_HELPERS),
	[DRIVERS] = SNW_COUNT("drivers", "Drivers", "The most joints whose rotations move one helper joint.", 3, 1, MOST_DRIVERS,
						  SNW_STAGE_FIT),
	[RIDGE] = SNW_NUMBER("ridge", "Ridge", "How strongly helper joints stay with their parents where the samples say little.",
						 "", 1e-3, 0, 1, SNW_STAGE_FIT, SNW_SOFT(0, 0.1)),
	[JOINTS] = SNW_COUNT("joints", "Joints",
						 "The most joints that may move points beside the helpers; others give their weights to joints near "
						 "them, those that matter least first. 0: as many as there are.",
						 0, 0, 65536, SNW_STAGE_FIT, SNW_SOFT(0, 255), .role = SNW_ROLE_JOINTS),
	[REST] =
		SNW_CHOICE("rest", "Rest",
				   "Moves the mesh at rest to where the samples have it, if they have it elsewhere in all poses; or keeps it.",
				   rest_choices, 0, SNW_STAGE_FIT),
	[GUARD] = SNK_GUARD_SWITCH,
};

static const snw_field_info *const fields[] = {SNK_RESIDUAL_FIELD};

static const snw_descriptor descriptor = {
	.size = sizeof descriptor,
	.id = "org.sinew.helper-joints",
	.short_name = "helper-joints",
	.name = "Helper joints",
	.version = "1.0",
	.paper = "B. Le, Z. Deng: Smooth skinning decomposition with rigid bones, 2012",
	.needs = SNW_NEEDS_MESH | SNW_NEEDS_SKELETON | SNW_NEEDS_SKIN | SNW_NEEDS_SAMPLES,
	.traits = SNW_REPLACES_BLEND,
	.parameter_count = PARAMETER_COUNT,
	.parameters = parameters,
	.field_count = sizeof fields / sizeof *fields,
	.fields = fields,
};

static void SNW_CALL list(const snw_model *model, uint32_t *count, const snw_helper_joint *const **helpers) {
	*count = model->helper_count;
	*helpers = model->listed;
}

static const void *SNW_CALL extension(const snw_deformer *self, const char *id) {
	static const snw_helper_joints helpers = {.size = sizeof helpers, .list = list};
	(void)self;
	return strcmp(id, SNW_HELPER_JOINTS) == 0 ? &helpers : NULL;
}

SNW_DEFORMER(.fit = fit, .layout = layout, .drive = drive, .lower = lower, .save = save, .load = load,
			 .release = snk_model_release, .describe = describe, .extension = extension, .transfer = transfer)
