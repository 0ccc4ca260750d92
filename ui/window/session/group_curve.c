/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stack is driven at poses around the example's; no point is run.
 */
#include "window/session/group_curve.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "example/groups.h"
#include "fit/sculpt_reference.h"
#include "parameter/parameters.h"
#include "pose/pose.h"
#include "sinew/algebra.h"
#include "window/session/session.h"

static const double FARTHEST = 1.5; /* of the way to the pose */

/* The example's pose, with the axis of a joint's rotation rotated by an angle. */
static snw_pose *pose_around(const snw_scene *scene, const snw_pose *example, uint32_t joint, double angle, snw_arena *arena) {
	snw_pose *pose = snw_pose_copy(scene, example, arena);
	double *vector = pose->rotation_vectors + 3 * (size_t)joint, axis[3] = {0}, perpendicular[3], q[4];
	size_t least = 0;
	for (size_t c = 1; c < 3; c++) {
		least = fabs(vector[c]) < fabs(vector[least]) ? c : least;
	}
	axis[least] = 1;
	snw_cross3(vector, axis, perpendicular);
	snw_normalize3(perpendicular);
	const double length = snw_length3(vector);
	for (size_t c = 0; c < 3; c++) {
		vector[c] = cos(angle) * vector[c] + sin(angle) * length * perpendicular[c];
	}
	snw_quat_from_rotation_vector(vector, q);
	snw_quat_multiply(scene->skeleton.rest_local[joint].rotation, q, pose->local[joint].rotation);
	return pose;
}

/* Whether the joint drives the group: of a group without joints, whether the method has chosen it; without a description, any
 * may. */
static bool may_drive(const snw_scene *scene, const snw_group *group, const cJSON *space, uint32_t joint) {
	const bool is_automatic = group->joint_count == 0;
	const cJSON *names = is_automatic ? cJSON_GetObjectItemCaseSensitive(space, "joints") : NULL, *name;
	bool may = is_automatic && !names;
	for (uint32_t i = 0; i < group->joint_count; i++) {
		may = may || group->joints[i] == joint;
	}
	cJSON_ArrayForEach(name, names) {
		may = may || (cJSON_IsString(name) && strcmp(name->valuestring, scene->skeleton.names[joint]) == 0);
	}
	return may;
}

/* Of the joints that drive the group and rotate in the pose, the one that moves the sculpt most, as far as that is known; else
 * the one that is rotated most. */
static uint32_t find_joint(const snw_scene *scene, const snw_group *group, const cJSON *space, const snw_drivers *known,
						   const snw_pose *pose) {
	uint32_t joint = SNW_NONE;
	double most = 0;
	for (uint32_t i = 0; known && i < known->count; i++) {
		const uint32_t j = known->items[i].joint;
		if (snw_length3(pose->rotation_vectors + 3 * (size_t)j) > 0 && may_drive(scene, group, space, j)) {
			return j;
		}
	}
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		const double angle = snw_length3(pose->rotation_vectors + 3 * (size_t)j);
		if (angle > most && may_drive(scene, group, space, j)) {
			joint = j;
			most = angle;
		}
	}
	return joint;
}

static bool weigh(const snw_stack *stack, snw_evaluation *evaluation, const snw_pose *pose, const snw_scene *scene,
				  uint32_t example, snw_arena *scratch, double *weight) {
	double *weights = SNW_NEW_ARRAY(scratch, double, scene->example_count);
	if (snw_failed(snw_stack_drive(stack, snw_pose_view_make(scene, pose, scratch), evaluation, NULL))) {
		return false;
	}
	snw_stack_example_weights(evaluation, weights);
	*weight = weights[example];
	return !isnan(*weight);
}

static bool find_curves(const snw_scene *scene, const snw_stack *stack, const cJSON *space, const snw_drivers *known,
						snw_group_curve *curve) {
	const snw_pose *example = &scene->poses[scene->examples[curve->example].pose];
	const uint32_t joint = find_joint(scene, &scene->groups[curve->group], space, known, example);
	if (joint == SNW_NONE) {
		return false;
	}
	curve->joint = joint;
	curve->angle = snw_length3(example->rotation_vectors + 3 * (size_t)joint);
	curve->end = fmax(fmin(FARTHEST, M_PI / curve->angle), 1);
	snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
	snw_arena *scratch = snw_arena_create();
	bool is_known = true;
	for (int i = 0; i < SNW_GROUP_CURVE_POINTS && is_known; i++) {
		const double part = (double)i / (SNW_GROUP_CURVE_POINTS - 1);
		const snw_pose *along = snw_pose_along(scene, example, part * curve->end, scratch);
		const snw_pose *around = pose_around(scene, example, joint, part * M_PI, scratch);
		is_known = weigh(stack, evaluation, along, scene, curve->example, scratch, &curve->along[i]) &&
				   weigh(stack, evaluation, around, scene, curve->example, scratch, &curve->around[i]);
	}
	snw_arena_destroy(scratch);
	snw_evaluation_destroy(evaluation);
	return is_known;
}

/* The angle between rotations by the example's angle whose axes are this far apart. */
static double distance_at(const snw_group_curve *curve, double angle) {
	const double half = curve->angle / 2;
	return 2 * acos(fmin(fabs(cos(half) * cos(half) + sin(half) * sin(half) * cos(angle)), 1));
}

/* Where the weight has fallen to a half of what it is in the example's pose; 0 if it does not. */
static double half_angle(const snw_group_curve *curve) {
	for (int i = 1; i < SNW_GROUP_CURVE_POINTS; i++) {
		const double before = curve->around[i - 1], here = curve->around[i], half = curve->around[0] / 2;
		if (before >= half && here < half) {
			return (i - 1 + (before - half) / (before - here)) * M_PI / (SNW_GROUP_CURVE_POINTS - 1);
		}
	}
	return 0;
}

/* The width that the description gives. Kernels without a scale have none. */
static void read_width(const cJSON *space, snw_group_curve *curve) {
	const char *kernel = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(space, "kernel"));
	const cJSON *number = cJSON_GetObjectItemCaseSensitive(space, "width");
	if (kernel && cJSON_IsNumber(number)) {
		const bool is_angle = strcmp(kernel, "cone") == 0;
		curve->width_is_distance = strcmp(kernel, "gaussian") == 0 || strcmp(kernel, "inverse-multiquadric") == 0;
		curve->width = is_angle || curve->width_is_distance ? number->valuedouble : 0;
		curve->edge = is_angle ? curve->width : curve->width_is_distance ? half_angle(curve) : 0;
	}
}

double snw_group_curve_width(const snw_group_curve *curve, double edge) {
	const double before = curve->width_is_distance ? distance_at(curve, curve->edge) : 0;
	return before > 0 ? curve->width * distance_at(curve, edge) / before : edge;
}

/* The corrective's description of its pose spaces (docs/pose-space.md), to be deleted; NULL: it has none. */
static cJSON *describe(const snw_scene *scene, const snw_stack *stack, uint32_t layer) {
	snw_arena *scratch = snw_arena_create();
	snw_stack_description *descriptions;
	uint32_t count = 0;
	cJSON *root = NULL;
	if (layer != SNW_NONE && !snw_failed(snw_stack_describe(stack, scratch, &descriptions, &count, NULL))) {
		for (uint32_t i = 0; i < count && !root; i++) {
			root = strcmp(descriptions[i].layer, scene->layers[layer].name) == 0 ? cJSON_Parse(descriptions[i].json) : NULL;
		}
	}
	snw_arena_destroy(scratch);
	return root;
}

static const cJSON *space_of(const cJSON *root, const char *group) {
	const cJSON *spaces = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(root, "poseSpace"), "groups"),
				*item;
	cJSON_ArrayForEach(item, spaces) {
		const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "name"));
		if (name && strcmp(name, group) == 0) {
			return item;
		}
	}
	return NULL;
}

/* The key of the width that a group may have for itself; NULL where the method has none. */
static const char *width_key_of(const snw_deformer *deformer) {
	const snw_parameter *width = deformer ? snw_parameter_of_role(deformer->descriptor, SNW_ROLE_WIDTH) : NULL;
	return width && strlen(width->key) < sizeof((snw_group_curve *)0)->width_key ? width->key : NULL;
}

static void make(const snw_session *session, const snw_drivers *known, snw_group_curve *curve) {
	const snw_scene *scene = session->document->scene;
	const snw_stack *stack = session->document->methods[0].stack;
	const uint32_t layer = snw_reference_layer(scene, session->registry);
	cJSON *root = describe(scene, stack, layer);
	const cJSON *space = space_of(root, scene->groups[curve->group].name);
	curve->is_known = find_curves(scene, stack, space, known, curve);
	const char *key =
		width_key_of(layer == SNW_NONE ? NULL : snw_registry_find(session->registry, scene->layers[layer].deformer));
	if (curve->is_known && space && key) {
		curve->layer = layer;
		snprintf(curve->width_key, sizeof curve->width_key, "%s", key);
		read_width(space, curve);
	}
	cJSON_Delete(root);
}

const snw_group_curve *snw_group_curve_read(snw_session *session) {
	const snw_document *document = session->document;
	const snw_scene *scene = document->scene;
	const uint32_t group = session->state.group, chosen = session->state.example;
	if (group >= scene->group_count || scene->groups[group].member_count == 0 || document->method_count == 0 ||
		!document->methods[0].stack) {
		return NULL;
	}
	const bool is_member = chosen < scene->example_count && snw_group_member(&scene->groups[group], chosen) != SNW_NONE;
	const uint32_t example = is_member ? chosen : scene->groups[group].members[0].example;
	const snw_drivers *known = is_member ? snw_drivers_known(session) : NULL;
	const uint64_t drivers = known ? known->key.document : 0;
	snw_group_curve *curve = &session->group_curve;
	if (curve->document != document->number || curve->group != group || curve->example != example ||
		curve->drivers != drivers) {
		*curve = (snw_group_curve){
			.document = document->number, .group = group, .example = example, .drivers = drivers, .layer = SNW_NONE};
		make(session, known, curve);
	}
	return curve->is_known ? curve : NULL;
}
