/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scene/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "scene/scene.h"
#include "sinew/algebra.h"

/* ---- check --------------------------------------------------------------------------------------------------------------- */

/* Of a scene. Names are compared, poses are computed and layers are bound for each of them, whatever they hold. */
#define SNW_MOST_JOINTS ((uint32_t)1 << 16)
#define SNW_MOST_MESHES ((uint32_t)1 << 14)

enum { LONGEST_NAME = 1000 };

static const double ROTATION_TOLERANCE = 1e-3;

/* ---- names and numbers --------------------------------------------------------------------------------------------------- */

snw_status snw_check_name(const char *kind, const char *name, snw_error *error) {
	if (!name || !name[0]) {
		return snw_fail(error, SNW_ERROR_DATA, "a %s has no name; give it one", kind);
	}
	if (strnlen(name, LONGEST_NAME + 1) > LONGEST_NAME) {
		return snw_fail(error, SNW_ERROR_DATA, "a %s has a name of more than %d bytes, '%.40s…'; shorten it", kind,
						LONGEST_NAME, name);
	}
	for (size_t i = 0; name[i]; i += snw_text_letter(name + i)) {
		if (snw_text_letter(name + i) == 0) {
			return snw_fail(error, SNW_ERROR_DATA, "the name of a %s, '%.*s…', is not UTF-8 at position %zu; rename it", kind,
							i < 40 ? (int)i : 40, name, i);
		}
		if (snw_text_control(name + i)) {
			return snw_fail(error, SNW_ERROR_DATA,
							"the name of a %s, '%.*s…', has a control character (byte 0x%02x) at position %zu; remove it", kind,
							i < 40 ? (int)i : 40, name, (unsigned)(unsigned char)name[i], i);
		}
	}
	return SNW_OK;
}

/* `breaks`: the control characters that it may have. */
static snw_status check_letters(const char *kind, const char *name, const char *text, const char *breaks, snw_error *error) {
	for (size_t i = 0; text[i]; i += snw_text_letter(text + i)) {
		const bool is_control = snw_text_control(text + i) > 0 && !strchr(breaks, text[i]);
		if (is_control || snw_text_letter(text + i) == 0) {
			return snw_fail(error, SNW_ERROR_DATA, "%s '%s': its text has %s (byte 0x%02x) at position %zu; remove it", kind,
							name, is_control ? "a control character" : "a byte that is not UTF-8", (unsigned char)text[i], i);
		}
	}
	return SNW_OK;
}

snw_status snw_check_text(const char *kind, const char *name, const char *text, snw_error *error) {
	return strnlen(text, SNW_LONGEST_TEXT + 1) <= SNW_LONGEST_TEXT
			   ? check_letters(kind, name, text, "", error)
			   : snw_fail(error, SNW_ERROR_DATA, "%s '%s': its text has more than %d bytes; shorten it", kind, name,
						  SNW_LONGEST_TEXT);
}

static snw_status fail_number(const char *kind, const char *name, const char *array, size_t index, double number,
							  snw_error *error) {
	return snw_fail(error, SNW_ERROR_DATA, "%s '%s': number %zu of its %s is %g", kind, name, index, array, number);
}

snw_status snw_check_numbers(const char *kind, const char *name, const char *array, const double *numbers, size_t count,
							 snw_error *error) {
	for (size_t i = 0; i < count; i++) {
		if (!(fabs(numbers[i]) <= SNW_LARGEST_NUMBER)) {
			return fail_number(kind, name, array, i, numbers[i], error);
		}
	}
	return SNW_OK;
}

static snw_status check_floats(const char *kind, const char *name, const char *array, const float *numbers, size_t count,
							   snw_error *error) {
	for (size_t i = 0; i < count; i++) {
		if (!(fabs((double)numbers[i]) <= SNW_LARGEST_NUMBER)) {
			return fail_number(kind, name, array, i, (double)numbers[i], error);
		}
	}
	return SNW_OK;
}

static bool is_unit(const double quaternion[4]) {
	return fabs(sqrt(snw_quat_dot(quaternion, quaternion)) - 1) <= ROTATION_TOLERANCE; /* false for NaN */
}

/* Finite, with a unit rotation. */
static snw_status check_transform(const char *kind, const char *name, uint32_t joint, const snw_transform *transform,
								  snw_error *error) {
	for (int i = 0; i < 3; i++) {
		if (!(fabs(transform->translation[i]) <= SNW_LARGEST_NUMBER) || !(fabs(transform->scale[i]) <= SNW_LARGEST_NUMBER)) {
			return snw_fail(error, SNW_ERROR_DATA, "%s '%s': the translation or scale of joint %u is not a usable number", kind,
							name, joint);
		}
	}
	if (!is_unit(transform->rotation)) {
		return snw_fail(error, SNW_ERROR_DATA, "%s '%s': the rotation of joint %u is not a unit quaternion; normalise it", kind,
						name, joint);
	}
	return SNW_OK;
}

/* ---- skeletons, clips and poses ------------------------------------------------------------------------------------------ */

snw_status snw_scene_check_size(uint32_t joint_count, uint32_t mesh_count, snw_error *error) {
	if (joint_count > SNW_MOST_JOINTS) {
		return snw_fail(error, SNW_ERROR_LIMIT, "the skeleton has %u joints, more than the %u it may have; export fewer",
						joint_count, SNW_MOST_JOINTS);
	}
	return mesh_count <= SNW_MOST_MESHES
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_LIMIT, "the scene has %u meshes, more than the %u it may have; join some of them",
						  mesh_count, SNW_MOST_MESHES);
}

snw_status snw_skeleton_check(const snw_skeleton *skeleton, snw_error *error) {
	const uint32_t count = skeleton->joint_count;
	snw_status status = snw_scene_check_size(count, 0, error);
	if (!snw_failed(status) && count > 0 &&
		(!skeleton->names || !skeleton->parents || !skeleton->order || !skeleton->rest_local || !skeleton->rest_global)) {
		return snw_fail(error, SNW_ERROR_DATA, "the skeleton is incomplete: names, parents, order or rest are missing");
	}
	/* If the order has every joint once and after its parent, there is no cycle. */
	unsigned char *seen = snw_failed(status) ? NULL : calloc((size_t)count + 1, 1);
	status = seen || snw_failed(status) ? status : snw_fail(error, SNW_ERROR_MEMORY, "out of memory for %u joints", count);
	for (uint32_t i = 0; !snw_failed(status) && i < count; i++) {
		const uint32_t j = skeleton->order[i];
		if (j >= count || seen[j]) {
			status = snw_fail(error, SNW_ERROR_DATA, "the skeleton's order has joint %u of %u twice or out of range", j, count);
		} else if (!snw_failed(status = snw_check_name("joint", skeleton->names[j], error))) {
			const uint32_t parent = skeleton->parents[j];
			if (parent != SNW_NONE && (parent >= count || !seen[parent])) {
				status = snw_fail(error, SNW_ERROR_DATA,
								  "joint '%s': its parent, number %u of %u, is out of range or does not come before it",
								  skeleton->names[j], parent, count);
			} else if ((status = check_transform("joint", skeleton->names[j], j, &skeleton->rest_local[j], error)) == SNW_OK) {
				status = snw_check_numbers("joint", skeleton->names[j], "rest matrix", skeleton->rest_global + 12 * (size_t)j,
										   12, error);
			}
			seen[j] = 1;
		}
	}
	free(seen);
	return status;
}

snw_status snw_slots_check(const uint32_t *slot_joints, const double *slot_inverse_binds, uint32_t slot_count,
						   uint32_t joint_count, snw_error *error) {
	if (slot_count > SNW_LARGEST_COUNT || (slot_count > 0 && (!slot_joints || !slot_inverse_binds))) {
		return snw_fail(error, SNW_ERROR_DATA, "the skin has %u slots, too many, or they have no joints", slot_count);
	}
	for (uint32_t s = 0; s < slot_count; s++) {
		if (slot_joints[s] >= joint_count) {
			return snw_fail(error, SNW_ERROR_DATA, "slot %u refers to joint %u of %u", s, slot_joints[s], joint_count);
		}
	}
	return snw_check_numbers("the skin's", "slots", "inverse bind matrices", slot_inverse_binds, 12 * (size_t)slot_count,
							 error);
}

static snw_status check_seconds(const char *kind, const char *name, const double *seconds, uint32_t count, snw_error *error) {
	for (uint32_t i = 0; i < count; i++) {
		if (!(fabs(seconds[i]) <= SNW_LARGEST_NUMBER) || (i > 0 && seconds[i] <= seconds[i - 1])) {
			return snw_fail(error, SNW_ERROR_DATA, "%s '%s': its times do not increase: number %u is %g s", kind, name, i,
							seconds[i]);
		}
	}
	return SNW_OK;
}

static snw_status check_track(const snw_clip *clip, uint32_t index, uint32_t joint_count, uint32_t channel_count,
							  snw_error *error) {
	static const uint32_t widths[] = {3, 4, 3, 1};
	const snw_track *track = &clip->tracks[index];
	if (track->path < SNW_PATH_TRANSLATION || track->path > SNW_PATH_CHANNEL || track->interpolation < SNW_STEP ||
		track->interpolation > SNW_CUBIC) {
		return snw_fail(error, SNW_ERROR_DATA, "clip '%s': track %u has path %d and interpolation %d, which do not exist",
						clip->name, index, track->path, track->interpolation);
	}
	const uint32_t target_count = track->path == SNW_PATH_CHANNEL ? channel_count : joint_count;
	if (track->target >= target_count) {
		return snw_fail(error, SNW_ERROR_DATA, "clip '%s': track %u moves %s %u of %u", clip->name, index,
						track->path == SNW_PATH_CHANNEL ? "channel" : "joint", track->target, target_count);
	}
	if (track->key_count == 0 || track->key_count > SNW_LARGEST_COUNT || !track->seconds || !track->values) {
		return snw_fail(error, SNW_ERROR_DATA, "clip '%s': track %u has %u keys", clip->name, index, track->key_count);
	}
	snw_status status = check_seconds("clip", clip->name, track->seconds, track->key_count, error);
	const size_t width = widths[track->path], parts = track->interpolation == SNW_CUBIC ? 3 : 1;
	status = snw_failed(status)
				 ? status
				 : snw_check_numbers("clip", clip->name, "key values", track->values, track->key_count * parts * width, error);
	for (size_t k = 0; !snw_failed(status) && track->path == SNW_PATH_ROTATION && k < track->key_count; k++) {
		if (!is_unit(track->values + (k * parts + parts / 2) * width)) {
			status = snw_fail(error, SNW_ERROR_DATA, "clip '%s': key %zu of track %u is not a unit quaternion; normalise it",
							  clip->name, k, index);
		}
	}
	return status;
}

snw_status snw_clip_check(const snw_clip *clip, uint32_t joint_count, uint32_t channel_count, snw_error *error) {
	snw_status status = snw_check_name("clip", clip->name, error);
	if (!snw_failed(status) && !(clip->duration_seconds >= 0 && clip->duration_seconds <= SNW_LARGEST_NUMBER)) {
		status = snw_fail(error, SNW_ERROR_DATA, "clip '%s': it lasts %g s", clip->name, clip->duration_seconds);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < clip->track_count; i++) {
		status = check_track(clip, i, joint_count, channel_count, error);
	}
	return status;
}

snw_status snw_pose_check(const snw_pose *pose, uint32_t joint_count, uint32_t channel_count, snw_error *error) {
	snw_status status = snw_check_name("pose", pose->name, error);
	if (!snw_failed(status) &&
		((joint_count > 0 && (!pose->local || !pose->rotation_vectors)) || (channel_count > 0 && !pose->channels))) {
		status = snw_fail(error, SNW_ERROR_DATA, "pose '%s': it has no transforms, rotation vectors or channels", pose->name);
	}
	for (uint32_t j = 0; !snw_failed(status) && j < joint_count; j++) {
		status = check_transform("pose", pose->name, j, &pose->local[j], error);
	}
	status = snw_failed(status) ? status
								: snw_check_numbers("pose", pose->name, "rotation vectors", pose->rotation_vectors,
													3 * (size_t)joint_count, error);
	status =
		snw_failed(status) ? status : snw_check_numbers("pose", pose->name, "channels", pose->channels, channel_count, error);
	return snw_failed(status) ? status : snw_check_numbers("pose", pose->name, "seconds", &pose->seconds, 1, error);
}

/* ---- examples, targets, fields and the stack ----------------------------------------------------------------------------- */

static snw_status check_sculpt_layer(const snw_example *example, uint32_t index, uint32_t point_count, snw_error *error) {
	const snw_sculpt_layer *layer = &example->layers[index];
	snw_status status = snw_check_name("sculpt layer", layer->name, error);
	for (uint32_t i = 0; !snw_failed(status) && i < index; i++) {
		if (strcmp(example->layers[i].name, layer->name) == 0) {
			status = snw_fail(error, SNW_ERROR_DATA, "example '%s': it has two sculpt layers called '%s'", example->name,
							  layer->name);
		}
	}
	if (!snw_failed(status) && !(fabs(layer->opacity) <= SNW_OPACITY_MOST)) {
		status = snw_fail(error, SNW_ERROR_DATA, "example '%s': the opacity of sculpt layer '%s' is %g, not from -%d to %d",
						  example->name, layer->name, layer->opacity, SNW_OPACITY_MOST, SNW_OPACITY_MOST);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < layer->count; i++) {
		if (layer->points[i] >= point_count || (i > 0 && layer->points[i] <= layer->points[i - 1])) {
			status = snw_fail(error, SNW_ERROR_DATA,
							  "example '%s': the points of sculpt layer '%s' do not ascend, or end beyond the mesh's %u",
							  example->name, layer->name, point_count);
		}
	}
	return snw_failed(status)
			   ? status
			   : snw_check_numbers("sculpt layer", layer->name, "vectors", layer->vectors, 3 * (size_t)layer->count, error);
}

snw_status snw_example_check(const snw_example *example, uint32_t point_count, snw_error *error) {
	const snw_status status = snw_check_name("example", example->name, error);
	if (snw_failed(status)) {
		return status;
	}
	if (!example->points_posed) {
		return snw_fail(error, SNW_ERROR_DATA, "example '%s': it has no points", example->name);
	}
	if (!example->edited && example->edited_count > 0) {
		return snw_fail(error, SNW_ERROR_DATA, "example '%s': its list of %u edited points is missing", example->name,
						example->edited_count);
	}
	for (uint32_t i = 0; i < example->edited_count; i++) {
		if (example->edited[i] >= point_count || (i > 0 && example->edited[i] <= example->edited[i - 1])) {
			return snw_fail(error, SNW_ERROR_DATA, "example '%s': its edited points do not ascend, or end beyond the mesh's %u",
							example->name, point_count);
		}
	}
	snw_status sound =
		snw_check_numbers("example", example->name, "points", example->points_posed, 3 * (size_t)point_count, error);
	for (uint32_t i = 0; !snw_failed(sound) && i < example->layer_count; i++) {
		sound = check_sculpt_layer(example, i, point_count, error);
	}
	return sound;
}

snw_status snw_target_check_times(const snw_target *target, snw_error *error) {
	const snw_status status = snw_check_name("target", target->name, error);
	if (snw_failed(status)) {
		return status;
	}
	if (target->frame_count == 0 || target->frame_count > SNW_LARGEST_COUNT || !target->seconds) {
		return snw_fail(error, SNW_ERROR_DATA, "target '%s': it has %u frames, or they have no times", target->name,
						target->frame_count);
	}
	return check_seconds("target", target->name, target->seconds, target->frame_count, error);
}

snw_status snw_target_check(const snw_target *target, uint32_t point_count, snw_error *error) {
	const snw_status status = snw_target_check_times(target, error);
	if (snw_failed(status)) {
		return status;
	}
	if (!target->points_posed) {
		return snw_fail(error, SNW_ERROR_DATA, "target '%s': its frames have no points", target->name);
	}
	return check_floats("target", target->name, "points", target->points_posed, 3 * (size_t)target->frame_count * point_count,
						error);
}

static snw_status check_color(const snw_field *field, size_t numbers, snw_error *error) {
	if (field->components != 3) {
		return snw_fail(error, SNW_ERROR_DATA, "field '%s': a colour has 3 components, it has %u", field->name,
						field->components);
	}
	for (size_t i = 0; i < numbers; i++) {
		if (field->values[i] < 0 || field->values[i] > 1) {
			return snw_fail(error, SNW_ERROR_DATA,
							"field '%s': element %zu has the colour component %g, they must be between 0 and 1", field->name,
							i / 3, field->values[i]);
		}
	}
	return SNW_OK;
}

snw_status snw_field_check(const snw_field *field, uint32_t domain_count, snw_error *error) {
	snw_status status = snw_check_name("field", field->name, error);
	if (!snw_failed(status) && field->unit) {
		status = snw_check_text("the unit of field", field->name, field->unit, error);
	}
	if (snw_failed(status)) {
		return status;
	}
	if (field->domain < SNW_DOMAIN_POINTS || field->domain > SNW_DOMAIN_FRAMES) {
		return snw_fail(error, SNW_ERROR_DATA, "field '%s': unknown domain %d", field->name, field->domain);
	}
	if (domain_count != SNW_NONE && field->count != domain_count) {
		return snw_fail(error, SNW_ERROR_DATA, "field '%s': it has %u elements for %u of its domain", field->name, field->count,
						domain_count);
	}
	if (field->components == 0 || field->components > SNW_LARGEST_COUNT || field->count > SNW_LARGEST_COUNT ||
		(field->count > 0 && !field->values)) {
		return snw_fail(error, SNW_ERROR_DATA, "field '%s': it has %u elements of %u components", field->name, field->count,
						field->components);
	}
	const size_t numbers = (size_t)field->count * field->components;
	const snw_status finite = snw_check_numbers("field", field->name, "values", field->values, numbers, error);
	return snw_failed(finite) || !snw_field_is_color(field) ? finite : check_color(field, numbers, error);
}

snw_status snw_layer_check(const snw_layer *layer, snw_error *error) {
	snw_status status = snw_check_name("layer", layer->name, error);
	status = snw_failed(status) ? status : snw_check_name("layer's deformer", layer->deformer, error);
	if (!snw_failed(status) && !layer->deformer_version) {
		status = snw_fail(error, SNW_ERROR_DATA, "layer '%s': its deformer has no version", layer->name);
	}
	if (!snw_failed(status)) {
		status = snw_check_text("the version of the deformer of layer", layer->name, layer->deformer_version, error);
	}
	if (!snw_failed(status) && layer->samples) {
		status = check_letters("the clips of layer", layer->name, layer->samples, "\n\t", error);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < layer->setting_count; i++) {
		const snw_setting *setting = &layer->settings[i];
		status = snw_check_name("setting's key", setting->key, error);
		status =
			snw_failed(status) ? status : snw_check_numbers("setting", setting->key, "value", setting->value.numbers, 4, error);
		if (!snw_failed(status) && setting->value.text) {
			status = snw_check_text("setting", setting->key, setting->value.text, error);
		}
	}
	return status;
}

snw_status snw_level_check(const snw_level *level, const snw_mesh *mesh, uint32_t material_count, snw_error *error) {
	snw_mesh shape = level->shape;
	shape.name = mesh->name;
	snw_status status = snw_mesh_check(&shape, material_count, level->slot_count, 0, error);
	status = snw_failed(status) ? status : snw_check_text("the request of a level of", mesh->name, level->request, error);
	status = snw_failed(status) ? status : snw_check_text("the worst pose of a level of", mesh->name, level->worst_pose, error);
	if (!snw_failed(status) && level->samples) {
		status = check_letters("the clips of a level of", mesh->name, level->samples, "\n\t", error);
	}
	for (uint32_t p = 0; p < shape.point_count && !snw_failed(status); p++) {
		if (level->stencil_offsets[0] != 0 || level->stencil_offsets[p + 1] <= level->stencil_offsets[p]) {
			status =
				snw_fail(error, SNW_ERROR_DATA, "mesh '%s', level %u: point %u has no stencil", mesh->name, level->number, p);
		}
	}
	const uint32_t entries = snw_failed(status) || !level->stencil_offsets ? 0 : level->stencil_offsets[shape.point_count];
	for (uint32_t i = 0; i < entries && !snw_failed(status); i++) {
		if (level->stencil_points[i] >= mesh->point_count) {
			status = snw_fail(error, SNW_ERROR_DATA, "mesh '%s', level %u: its stencils refer to point %u of %u", mesh->name,
							  level->number, level->stencil_points[i], mesh->point_count);
		}
	}
	return snw_failed(status)
			   ? status
			   : snw_check_numbers("level of", mesh->name, "stencil weights", level->stencil_weights, entries, error);
}

snw_status snw_saved_model_check(const snw_saved_model *model, snw_error *error) {
	snw_status status = snw_check_name("model", model->name, error);
	status = snw_failed(status) ? status : snw_check_name("model's deformer", model->deformer, error);
	if (!snw_failed(status) && (!model->deformer_version || (model->byte_count > 0 && !model->bytes))) {
		status =
			snw_fail(error, SNW_ERROR_DATA, "model '%s': its deformer has no version, or its bytes are missing", model->name);
	}
	return snw_failed(status)
			   ? status
			   : snw_check_text("the version of the deformer of model", model->name, model->deformer_version, error);
}

uint32_t snw_scene_domain_count(const snw_scene *scene, int32_t domain, uint32_t mesh) {
	switch (domain) {
	case SNW_DOMAIN_POINTS:
		return mesh < scene->mesh_count ? scene->meshes[mesh].point_count : 0;
	case SNW_DOMAIN_FACES:
		return mesh < scene->mesh_count ? scene->meshes[mesh].face_count : 0;
	case SNW_DOMAIN_JOINTS:
		return scene->skeleton.joint_count;
	default:
		return SNW_NONE;
	}
}

/* ---- check mesh ---------------------------------------------------------------------------------------------------------- */

/* Checks meshes. */

#define MESH "mesh '%s': "

static const double WEIGHT_SUM_TOLERANCE = 1e-4, NORMAL_TOLERANCE = 1e-3;

static snw_status check_count(const char *mesh, const char *array, uint32_t count, snw_error *error) {
	if (count > SNW_LARGEST_COUNT) {
		return snw_fail(error, SNW_ERROR_DATA, MESH "it has %u %s, more than the %u that a mesh may have", mesh, count, array,
						SNW_LARGEST_COUNT);
	}
	return SNW_OK;
}

static snw_status check_faces(const snw_mesh *mesh, snw_error *error) {
	if (!mesh->face_offsets || mesh->face_offsets[0] != 0) {
		return snw_fail(error, SNW_ERROR_DATA, MESH "its face offsets do not start at 0", mesh->name);
	}
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t begin = mesh->face_offsets[f], end = mesh->face_offsets[f + 1];
		if (end < begin || end - begin < 3) {
			return snw_fail(error, SNW_ERROR_DATA, MESH "face %u has %u corners; a face needs 3 or more", mesh->name, f,
							end < begin ? 0 : end - begin);
		}
	}
	const uint32_t corner_count = mesh->face_offsets[mesh->face_count];
	const snw_status status = check_count(mesh->name, "corners", corner_count, error);
	if (snw_failed(status)) {
		return status;
	}
	if (corner_count > 0 && !mesh->face_points) {
		return snw_fail(error, SNW_ERROR_DATA, MESH "its faces have no points", mesh->name);
	}
	for (uint32_t c = 0; c < corner_count; c++) {
		if (mesh->face_points[c] >= mesh->point_count) {
			return snw_fail(error, SNW_ERROR_DATA, MESH "corner %u refers to point %u of %u", mesh->name, c,
							mesh->face_points[c], mesh->point_count);
		}
	}
	return SNW_OK;
}

static snw_status check_materials(const snw_mesh *mesh, uint32_t material_count, snw_error *error) {
	for (uint32_t f = 0; mesh->face_materials && f < mesh->face_count; f++) {
		if (mesh->face_materials[f] != SNW_NONE && mesh->face_materials[f] >= material_count) {
			return snw_fail(error, SNW_ERROR_DATA, MESH "face %u refers to material %u of %u", mesh->name, f,
							mesh->face_materials[f], material_count);
		}
	}
	return SNW_OK;
}

static double length_of(const float *vector) {
	return sqrt((double)vector[0] * (double)vector[0] + (double)vector[1] * (double)vector[1] +
				(double)vector[2] * (double)vector[2]);
}

/* A tangent is a unit vector and a sign, or four zeros. */
static bool is_tangent(const float *t) {
	const double length = length_of(t);
	return (length == 0 && t[3] == 0) || (fabs(length - 1) <= NORMAL_TOLERANCE && (t[3] == 1 || t[3] == -1));
}

static snw_status check_tangents(const snw_mesh *mesh, size_t corner_count, snw_error *error) {
	for (size_t c = 0; mesh->corner_tangents && c < corner_count; c++) {
		if (!is_tangent(mesh->corner_tangents + 4 * c)) {
			return snw_fail(error, SNW_ERROR_DATA, MESH "the tangent of corner %zu is not a unit vector and a sign", mesh->name,
							c);
		}
	}
	return SNW_OK;
}

static snw_status check_attributes(const snw_mesh *mesh, size_t corner_count, snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < mesh->attribute_count && !snw_failed(status); i++) {
		const snw_attribute *attribute = &mesh->attributes[i];
		const bool has_width = attribute->is_uv ? attribute->width == 2 : attribute->width >= 1 && attribute->width <= 4;
		if (!attribute->name || !has_width || attribute->corner_count != corner_count || !attribute->values) {
			return snw_fail(error, SNW_ERROR_DATA,
							MESH "attribute %u has %u numbers for each of %u corners; it has %zu corners", mesh->name, i,
							attribute->width, attribute->corner_count, corner_count);
		}
		status = attribute->name[0] ? snw_check_name("vertex attribute", attribute->name, error) : SNW_OK;
		if (snw_failed(status)) {
			return status;
		}
		status = check_floats("mesh", mesh->name, "attributes", attribute->values, attribute->width * corner_count, error);
	}
	return status;
}

static snw_status check_corners(const snw_mesh *mesh, snw_error *error) {
	const size_t corner_count = mesh->face_offsets[mesh->face_count];
	snw_status status = SNW_OK;
	if (mesh->corner_uvs) {
		status = check_floats("mesh", mesh->name, "UVs", mesh->corner_uvs, 2 * corner_count, error);
	}
	if (!snw_failed(status) && mesh->corner_colors) {
		status = check_floats("mesh", mesh->name, "corner colours", mesh->corner_colors, 4 * corner_count, error);
	}
	status = snw_failed(status) ? status : check_attributes(mesh, corner_count, error);
	for (size_t c = 0; !snw_failed(status) && mesh->corner_normals && c < corner_count; c++) {
		const double length = length_of(mesh->corner_normals + 3 * c);
		if (!(fabs(length - 1) <= NORMAL_TOLERANCE)) {
			status = snw_fail(error, SNW_ERROR_DATA, MESH "the normal of corner %zu has the length %g instead of 1", mesh->name,
							  c, length);
		}
	}
	return snw_failed(status) ? status : check_tangents(mesh, corner_count, error);
}

snw_status snw_skin_check(const char *mesh, uint32_t point_count, const uint32_t *influence_offsets,
						  const uint32_t *influence_slots, const double *influence_weights, uint32_t slot_count,
						  snw_error *error) {
	if (influence_offsets[0] != 0) {
		return snw_fail(error, SNW_ERROR_DATA, MESH "its influence offsets do not start at 0", mesh);
	}
	for (uint32_t i = 0; i < point_count; i++) {
		if (influence_offsets[i + 1] <= influence_offsets[i]) {
			return snw_fail(error, SNW_ERROR_DATA, MESH "point %u has no influence; give it one", mesh, i);
		}
	}
	const snw_status status = check_count(mesh, "influences", influence_offsets[point_count], error);
	if (snw_failed(status)) {
		return status;
	}
	if (point_count > 0 && (!influence_slots || !influence_weights)) {
		return snw_fail(error, SNW_ERROR_DATA, MESH "its influences have no slots or no weights", mesh);
	}
	for (uint32_t i = 0; i < point_count; i++) {
		double sum = 0;
		for (uint32_t k = influence_offsets[i]; k < influence_offsets[i + 1]; k++) {
			if (influence_slots[k] >= slot_count) {
				return snw_fail(error, SNW_ERROR_DATA, MESH "point %u refers to slot %u of %u", mesh, i, influence_slots[k],
								slot_count);
			}
			if (!(fabs(influence_weights[k]) <= SNW_LARGEST_NUMBER)) {
				return snw_fail(error, SNW_ERROR_DATA, MESH "a weight of point %u is %g", mesh, i, influence_weights[k]);
			}
			sum += influence_weights[k];
		}
		if (!(fabs(sum - 1) <= WEIGHT_SUM_TOLERANCE)) {
			return snw_fail(error, SNW_ERROR_DATA, MESH "the weights of point %u sum to %g instead of 1; normalise them", mesh,
							i, sum);
		}
	}
	return SNW_OK;
}

static snw_status check_morph(const snw_mesh *mesh, const snw_morph *morph, uint32_t channel_count, snw_error *error) {
	const snw_status status = snw_check_name("morph target", morph->name, error);
	if (snw_failed(status)) {
		return status;
	}
	if (morph->channel >= channel_count) {
		return snw_fail(error, SNW_ERROR_DATA, MESH "morph target '%s' refers to channel %u of %u", mesh->name, morph->name,
						morph->channel, channel_count);
	}
	if (morph->count > 0 && (!morph->points || !morph->vectors)) {
		return snw_fail(error, SNW_ERROR_DATA, MESH "morph target '%s' has no displacements", mesh->name, morph->name);
	}
	for (uint32_t i = 0; i < morph->count; i++) {
		const uint32_t point = morph->points[i];
		if (point >= mesh->point_count || (i > 0 && point <= morph->points[i - 1])) {
			return snw_fail(error, SNW_ERROR_DATA, MESH "morph target '%s' refers to point %u of %u; its points must ascend",
							mesh->name, morph->name, point, mesh->point_count);
		}
	}
	return snw_check_numbers("morph target", morph->name, "displacements", morph->vectors, 3 * (size_t)morph->count, error);
}

snw_status snw_mesh_check(const snw_mesh *mesh, uint32_t material_count, uint32_t slot_count, uint32_t channel_count,
						  snw_error *error) {
	snw_status status = snw_check_name("mesh", mesh->name, error);
	status = snw_failed(status) ? status : check_count(mesh->name, "points", mesh->point_count, error);
	status = snw_failed(status) ? status : check_count(mesh->name, "faces", mesh->face_count, error);
	if (!snw_failed(status) && (mesh->point_count == 0 || !mesh->points_rest)) {
		status = snw_fail(error, SNW_ERROR_DATA, MESH "it has no points", mesh->name);
	}
	status = snw_failed(status) ? status
								: snw_check_numbers("mesh", mesh->name, "rest points", mesh->points_rest,
													3 * (size_t)mesh->point_count, error);
	status = snw_failed(status) ? status : check_faces(mesh, error);
	status = snw_failed(status) ? status : check_materials(mesh, material_count, error);
	status = snw_failed(status) ? status : check_corners(mesh, error);
	if (!snw_failed(status) && mesh->influence_offsets) {
		status = snw_skin_check(mesh->name, mesh->point_count, mesh->influence_offsets, mesh->influence_slots,
								mesh->influence_weights, slot_count, error);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < mesh->morph_count; i++) {
		status = check_morph(mesh, &mesh->morphs[i], channel_count, error);
	}
	return status;
}
