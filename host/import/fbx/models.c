/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Models: the nodes of the scene graph, and their transforms.
 */
#include <math.h>
#include <string.h>

#include "import/common/names.h"
#include "import/fbx/fbx_internal.h"
#include "sinew/algebra.h"

/* ---- transforms ---------------------------------------------------------------------------------------------------------- */

static void rotate(const double q[4], const double v[3], double dest[3]) {
	double matrix[12];
	snw_quat_to_mat34(q, matrix);
	snw_mat34_vector(matrix, v, dest);
}

void snw_fbx_local(const snw_fbx_model *model, const snw_fbx_motion *motion, const snw_fbx_space *space, snw_transform *local) {
	double rotation[4], inner[3];
	snw_fbx_euler(motion->rotation, model->order, rotation);
	snw_quat_multiply(model->pre, rotation, rotation);
	snw_quat_multiply(rotation, model->post_inverse, rotation);
	for (int i = 0; i < 3; i++) {
		inner[i] = (1 - motion->scale[i]) * model->scaling_pivot[i] + model->scaling_offset[i] - model->rotation_pivot[i];
	}
	rotate(rotation, inner, inner);
	for (int i = 0; i < 3; i++) {
		inner[i] += motion->translation[i] + model->rotation_offset[i] + model->rotation_pivot[i];
	}
	snw_fbx_space_point(space, inner, local->translation);
	snw_fbx_space_rotation(space, rotation, local->rotation);
	snw_fbx_space_scale(space, motion->scale, local->scale);
}

snw_fbx_motion snw_fbx_default_motion(const snw_fbx_model *model) {
	snw_fbx_motion motion = {0};
	memcpy(motion.translation, model->translation, sizeof motion.translation);
	memcpy(motion.rotation, model->rotation, sizeof motion.rotation);
	memcpy(motion.scale, model->scale, sizeof motion.scale);
	return motion;
}

uint32_t snw_fbx_full_node(const snw_fbx_models *models, uint32_t model) {
	return models->models[model].scaled_node == SNW_NONE ? model : models->models[model].scaled_node;
}

/* ---- reading ------------------------------------------------------------------------------------------------------------- */

static void read_geometric(const snw_fbx_objects *objects, uint32_t object, const snw_fbx_space *space, double dest[12]) {
	double degrees[3] = {0};
	snw_transform file = {.scale = {1, 1, 1}};
	snw_fbx_property_vector(objects, object, "GeometricTranslation", file.translation);
	snw_fbx_property_vector(objects, object, "GeometricRotation", degrees);
	snw_fbx_property_vector(objects, object, "GeometricScaling", file.scale);
	snw_fbx_euler(degrees, 0, file.rotation);
	snw_transform_to_mat34(&file, dest);
	snw_fbx_space_matrix(space, dest, dest);
}

/* Pre- and post-rotation and the order of rotations count only where the model says so. */
static void read_rotation(const snw_fbx_objects *objects, snw_fbx_model *model) {
	double pre[3] = {0}, post[3] = {0};
	if (snw_fbx_property_integer(objects, model->object, "RotationActive", 0)) {
		const int64_t order = snw_fbx_property_integer(objects, model->object, "RotationOrder", 0);
		model->order = order > 0 && order < 6 ? (int)order : 0;
		snw_fbx_property_vector(objects, model->object, "PreRotation", pre);
		snw_fbx_property_vector(objects, model->object, "PostRotation", post);
	}
	snw_fbx_euler(pre, 0, model->pre);
	snw_fbx_euler(post, 0, model->post_inverse);
	snw_quat_conjugate(model->post_inverse, model->post_inverse);
}

static void read_model(snw_fbx *f, const snw_fbx_objects *objects, const snw_fbx_space *space, uint32_t object,
					   snw_fbx_model *model) {
	*model = (snw_fbx_model){.object = object, .parent = SNW_NONE, .geometry = SNW_NONE, .scale = {1, 1, 1}};
	model->scaled_node = model->unscaled_parent = SNW_NONE;
	model->name = snw_name_clean(f->reading.arena, snw_fbx_object_name(f, objects, object), f->reading.task);
	model->is_bone = snw_fbx_object_is(objects, object, "Model", "LimbNode") ||
					 snw_fbx_object_is(objects, object, "Model", "Limb") || snw_fbx_object_is(objects, object, "Model", "Root");
	const int64_t inherit = snw_fbx_property_integer(objects, object, "InheritType", SNW_FBX_RRSS);
	model->inherit = inherit >= SNW_FBX_RRSS && inherit <= SNW_FBX_RRS ? (int)inherit : SNW_FBX_RRSS;
	snw_fbx_property_vector(objects, object, "RotationOffset", model->rotation_offset);
	snw_fbx_property_vector(objects, object, "RotationPivot", model->rotation_pivot);
	snw_fbx_property_vector(objects, object, "ScalingOffset", model->scaling_offset);
	snw_fbx_property_vector(objects, object, "ScalingPivot", model->scaling_pivot);
	snw_fbx_property_vector(objects, object, "Lcl Translation", model->translation);
	snw_fbx_property_vector(objects, object, "Lcl Rotation", model->rotation);
	snw_fbx_property_vector(objects, object, "Lcl Scaling", model->scale);
	read_rotation(objects, model);
	read_geometric(objects, object, space, model->geometric);
}

bool snw_fbx_read_models(snw_fbx *f, const snw_fbx_objects *objects, const snw_fbx_space *space, snw_fbx_models *models) {
	*models = (snw_fbx_models){.of_objects = SNW_NEW_ARRAY(f->reading.scratch, uint32_t, objects->count)};
	for (uint32_t o = 0; o < objects->count; o++) {
		const bool is_model = snw_fbx_object_is(objects, o, "Model", NULL);
		models->of_objects[o] = is_model ? models->count++ : SNW_NONE;
	}
	if (!snw_reading_reserve(&f->reading, models->count, sizeof(snw_fbx_model) + sizeof(snw_rig_node))) {
		return false;
	}
	models->models = SNW_NEW_ARRAY(f->reading.scratch, snw_fbx_model, models->count);
	for (uint32_t o = 0; o < objects->count; o++) {
		if (models->of_objects[o] != SNW_NONE) {
			snw_fbx_model *model = &models->models[models->of_objects[o]];
			read_model(f, objects, space, o, model);
			const uint32_t parent = snw_fbx_owner(objects, o, "Model", NULL);
			model->parent = parent == SNW_NONE ? SNW_NONE : models->of_objects[parent];
		}
	}
	return true;
}
