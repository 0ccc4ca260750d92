/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * snw_scene_check: checks each object (scene/check.h), and the references between them.
 */
#include <stdlib.h>
#include <string.h>

#include "scene/check.h"

/* ---- unique names -------------------------------------------------------------------------------------------------------- */

static int compare_names(const void *a, const void *b) {
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names are pointers, `stride` bytes apart. No name is NULL: all have been checked. */
static snw_status check_unique(const char *kind, const void *first_name, uint32_t count, size_t stride, snw_error *error) {
	if (count < 2) {
		return SNW_OK;
	}
	const char **names = malloc(count * sizeof *names);
	if (!names) {
		return snw_fail(error, SNW_ERROR_MEMORY, "out of memory for %u names", count);
	}
	for (uint32_t i = 0; i < count; i++) {
		memcpy(&names[i], (const char *)first_name + i * stride, sizeof *names);
	}
	qsort(names, count, sizeof *names, compare_names);
	snw_status status = SNW_OK;
	for (uint32_t i = 1; !snw_failed(status) && i < count; i++) {
		if (strcmp(names[i], names[i - 1]) == 0) {
			status = snw_fail(error, SNW_ERROR_DATA, "two %s have the name '%s'; rename one", kind, names[i]);
		}
	}
	free(names);
	return status;
}

#define UNIQUE(kind, array, count) check_unique((kind), (array) ? &(array)->name : NULL, (count), sizeof *(array), error)

static int compare_fields(const void *a, const void *b) {
	const snw_field *p = *(const snw_field *const *)a, *q = *(const snw_field *const *)b;
	return p->mesh != q->mesh ? (p->mesh > q->mesh) - (p->mesh < q->mesh) : strcmp(p->name, q->name);
}

/* Fields of different meshes can have the same name. */
static snw_status check_unique_fields(const snw_scene *scene, snw_error *error) {
	const uint32_t count = scene->field_count;
	const snw_field **fields = malloc((count + 1) * sizeof(const snw_field *));
	if (!fields) {
		return snw_fail(error, SNW_ERROR_MEMORY, "out of memory for %u fields", count);
	}
	for (uint32_t i = 0; i < count; i++) {
		fields[i] = &scene->fields[i];
	}
	qsort(fields, count, sizeof(const snw_field *), compare_fields);
	snw_status status = SNW_OK;
	for (uint32_t i = 1; !snw_failed(status) && i < count; i++) {
		if (compare_fields(&fields[i - 1], &fields[i]) == 0) {
			status = snw_fail(error, SNW_ERROR_DATA, "two fields of one mesh have the name '%s'; rename one", fields[i]->name);
		}
	}
	free(fields);
	return status;
}

static snw_status check_unique_names(const snw_scene *scene, snw_error *error) {
	snw_status status = check_unique("joints", scene->skeleton.names, scene->skeleton.joint_count, sizeof(char *), error);
	status = snw_failed(status) ? status : UNIQUE("meshes", scene->meshes, scene->mesh_count);
	status = snw_failed(status) ? status : UNIQUE("channels", scene->channels, scene->channel_count);
	status = snw_failed(status) ? status : UNIQUE("clips", scene->clips, scene->clip_count);
	status = snw_failed(status) ? status : UNIQUE("poses", scene->poses, scene->pose_count);
	status = snw_failed(status) ? status : UNIQUE("examples", scene->examples, scene->example_count);
	status = snw_failed(status) ? status : UNIQUE("groups", scene->groups, scene->group_count);
	status = snw_failed(status) ? status : UNIQUE("targets", scene->targets, scene->target_count);
	status = snw_failed(status) ? status : UNIQUE("models", scene->models, scene->model_count);
	status = snw_failed(status) ? status : UNIQUE("layers", scene->layers, scene->layer_count);
	return snw_failed(status) ? status : check_unique_fields(scene, error);
}

/* ---- appearance ---------------------------------------------------------------------------------------------------------- */

static snw_status check_material(const snw_scene *scene, uint32_t index, snw_error *error) {
	const snw_material *material = &scene->materials[index];
	snw_status status = snw_check_name("material", material->name, error);
	if (snw_failed(status)) {
		return status;
	}
	const uint32_t images[] = {material->base_color_image, material->metallic_roughness_image, material->normal_image,
							   material->emissive_image};
	for (size_t i = 0; i < sizeof images / sizeof *images; i++) {
		if (images[i] != SNW_NONE && images[i] >= scene->image_count) {
			return snw_fail(error, SNW_ERROR_DATA, "material '%s': it refers to image %u of %u", material->name, images[i],
							scene->image_count);
		}
	}
	for (uint32_t i = 0; i < material->kept_image_count; i++) {
		if (!material->kept_images || material->kept_images[i] >= scene->image_count) {
			return snw_fail(error, SNW_ERROR_DATA, "material '%s': picture %u of those that it keeps is not there",
							material->name, i);
		}
	}
	status =
		material->kept ? snw_check_text("what glTF alone says of material", material->name, material->kept, error) : SNW_OK;
	if (snw_failed(status)) {
		return status;
	}
	if (material->alpha < 0 || material->alpha > 2) {
		return snw_fail(error, SNW_ERROR_DATA, "material '%s': its alpha mode is %d; it is 0, 1 or 2", material->name,
						material->alpha);
	}
	const double numbers[] = {material->base_color[0], material->base_color[1], material->base_color[2],
							  material->base_color[3], material->metallic,      material->roughness,
							  material->emissive[0],   material->emissive[1],   material->emissive[2],
							  material->alpha_cutoff};
	return snw_check_numbers("material", material->name, "factors", numbers, sizeof numbers / sizeof *numbers, error);
}

static snw_status check_kept_node(const snw_scene *scene, const snw_kept_node *node, snw_error *error) {
	snw_status status = snw_check_name("camera or light", node->name, error);
	if (!snw_failed(status) && (!node->kept || (node->joint != SNW_NONE && node->joint >= scene->skeleton.joint_count))) {
		return snw_fail(error, SNW_ERROR_DATA, "camera or light '%s': it is on joint %u of %u, or nothing is known of it",
						node->name, node->joint, scene->skeleton.joint_count);
	}
	status = snw_failed(status) ? status : snw_check_text("what glTF says of", node->name, node->kept, error);
	return snw_failed(status) ? status : snw_check_numbers("camera or light", node->name, "place", node->place, 12, error);
}

static snw_status check_looks(const snw_scene *scene, snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < scene->image_count; i++) {
		const snw_image *image = &scene->images[i];
		status = snw_check_name("image", image->name, error);
		if (!snw_failed(status) && (!image->media || (image->byte_count > 0 && !image->bytes && !scene->is_outline))) {
			status = snw_fail(error, SNW_ERROR_DATA, "image '%s': its kind or its bytes are missing", image->name);
		}
		if (!snw_failed(status)) {
			status = snw_check_text("the kind of image", image->name, image->media, error);
		}
	}
	for (uint32_t i = 0; !snw_failed(status) && i < scene->kept_node_count; i++) {
		status = check_kept_node(scene, &scene->kept_nodes[i], error);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < scene->material_count; i++) {
		status = check_material(scene, i, error);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < scene->mesh_count; i++) {
		status = snw_mesh_check(&scene->meshes[i], scene->material_count, scene->slot_count, scene->channel_count, error);
	}
	return status;
}

static snw_status check_field(const snw_scene *scene, const snw_field *field, snw_error *error) {
	const bool over_mesh = field->domain == SNW_DOMAIN_POINTS || field->domain == SNW_DOMAIN_FACES;
	if (over_mesh ? field->mesh >= scene->mesh_count : field->mesh != SNW_NONE) {
		const snw_status status = snw_check_name("field", field->name, error);
		return snw_failed(status) ? status
								  : snw_fail(error, SNW_ERROR_DATA, "field '%s': it refers to mesh %u of %u", field->name,
											 field->mesh, scene->mesh_count);
	}
	return snw_field_check(field, snw_scene_domain_count(scene, field->domain, field->mesh), error);
}

/* ---- motion -------------------------------------------------------------------------------------------------------------- */

static int compare_ids(const void *a, const void *b) {
	const int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
	return (p > q) - (p < q);
}

/* A pose refers to its clip by the project's id; 0 for none. */
static snw_status check_clips_of_poses(const snw_scene *scene, snw_error *error) {
	int64_t *ids = malloc((scene->clip_count + 1) * sizeof *ids);
	if (!ids) {
		return snw_fail(error, SNW_ERROR_MEMORY, "out of memory for %u clips", scene->clip_count);
	}
	for (uint32_t i = 0; i < scene->clip_count; i++) {
		ids[i] = scene->clips[i].id;
	}
	qsort(ids, scene->clip_count, sizeof *ids, compare_ids);
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < scene->pose_count; i++) {
		const int64_t clip = scene->poses[i].clip;
		if (clip != 0 && !bsearch(&clip, ids, scene->clip_count, sizeof *ids, compare_ids)) {
			status = snw_fail(error, SNW_ERROR_DATA, "pose '%s': its clip does not exist", scene->poses[i].name);
		}
	}
	free(ids);
	return status;
}

static snw_status check_motion(const snw_scene *scene, snw_error *error) {
	const uint32_t joint_count = scene->skeleton.joint_count;
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < scene->channel_count; i++) {
		status = snw_check_name("channel", scene->channels[i].name, error);
		status = snw_failed(status) ? status
									: snw_check_numbers("channel", scene->channels[i].name, "initial value",
														&scene->channels[i].initial, 1, error);
		const double percent = scene->channels[i].in_between_percent;
		if (!snw_failed(status) && !(percent >= 0 && percent < 100)) {
			status = snw_fail(error, SNW_ERROR_DATA, "channel '%s': is an in-between at %g %%; expected less than 100",
							  scene->channels[i].name, percent);
		}
	}
	for (uint32_t i = 0; !snw_failed(status) && i < scene->clip_count; i++) {
		status = snw_clip_check(&scene->clips[i], joint_count, scene->channel_count, error);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < scene->pose_count; i++) {
		status = snw_pose_check(&scene->poses[i], joint_count, scene->channel_count, error);
	}
	status = snw_failed(status) ? status : check_clips_of_poses(scene, error);
	const bool moves = joint_count > 0 || scene->channel_count > 0;
	if (!snw_failed(status) && moves && (scene->pose_count == 0 || strcmp(scene->poses[0].name, "rest") != 0)) {
		status = snw_fail(error, SNW_ERROR_DATA, "the first pose is not 'rest'; a scene that moves starts with it");
	}
	return status;
}

/* ---- examples, groups, targets ------------------------------------------------------------------------------------------- */

static snw_status check_example(const snw_scene *scene, const snw_example *example, snw_error *error) {
	const snw_status status = snw_check_name("example", example->name, error);
	if (snw_failed(status)) {
		return status;
	}
	if (example->pose >= scene->pose_count || example->mesh >= scene->mesh_count) {
		return snw_fail(error, SNW_ERROR_DATA, "example '%s': it refers to pose %u of %u and mesh %u of %u", example->name,
						example->pose, scene->pose_count, example->mesh, scene->mesh_count);
	}
	return snw_example_check(example, scene->meshes[example->mesh].point_count, error);
}

/* `in_group` has, for each example, the last group with it. */
static snw_status check_member(const snw_scene *scene, const snw_group *group, uint32_t index, const snw_group **in_group,
							   snw_error *error) {
	const snw_member *member = &group->members[index];
	if (member->example >= scene->example_count) {
		return snw_fail(error, SNW_ERROR_DATA, "group '%s': it refers to example %u of %u", group->name, member->example,
						scene->example_count);
	}
	const snw_example *example = &scene->examples[member->example];
	if (in_group[member->example] == group) {
		return snw_fail(error, SNW_ERROR_DATA, "group '%s': example '%s' appears twice", group->name, example->name);
	}
	in_group[member->example] = group;
	if (member->mask == SNW_NONE) {
		return SNW_OK;
	}
	if (member->mask >= scene->field_count) {
		return snw_fail(error, SNW_ERROR_DATA, "group '%s': the mask of example '%s' is field %u of %u", group->name,
						example->name, member->mask, scene->field_count);
	}
	const snw_field *mask = &scene->fields[member->mask];
	if (mask->domain != SNW_DOMAIN_POINTS || mask->components != 1 || mask->mesh != example->mesh) {
		return snw_fail(error, SNW_ERROR_DATA,
						"group '%s': field '%s' cannot mask example '%s': a mask has one number for each point of its mesh",
						group->name, mask->name, example->name);
	}
	return SNW_OK;
}

static snw_status check_group(const snw_scene *scene, const snw_group *group, const snw_group **in_group, snw_error *error) {
	snw_status status = snw_check_name("group", group->name, error);
	if (!snw_failed(status) &&
		((group->joint_count > 0 && !group->joints) || (group->member_count > 0 && !group->members) ||
		 group->joint_count > scene->skeleton.joint_count || group->member_count > scene->example_count)) {
		status = snw_fail(error, SNW_ERROR_DATA, "group '%s': it has %u joints of %u and %u examples of %u", group->name,
						  group->joint_count, scene->skeleton.joint_count, group->member_count, scene->example_count);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < group->joint_count; i++) {
		if (group->joints[i] >= scene->skeleton.joint_count) {
			status = snw_fail(error, SNW_ERROR_DATA, "group '%s': joint %u is out of range; the skeleton has %u joints",
							  group->name, group->joints[i], scene->skeleton.joint_count);
		}
	}
	for (uint32_t i = 0; !snw_failed(status) && i < group->member_count; i++) {
		status = check_member(scene, group, i, in_group, error);
	}
	return status;
}

static snw_status check_groups(const snw_scene *scene, snw_error *error) {
	const snw_group **in_group = calloc((size_t)scene->example_count + 1, sizeof(const snw_group *));
	snw_status status =
		in_group ? SNW_OK : snw_fail(error, SNW_ERROR_MEMORY, "out of memory for %u examples", scene->example_count);
	for (uint32_t i = 0; !snw_failed(status) && i < scene->group_count; i++) {
		status = check_group(scene, &scene->groups[i], in_group, error);
	}
	free(in_group);
	return status;
}

static snw_status check_target(const snw_scene *scene, const snw_target *target, snw_error *error) {
	const snw_status status = snw_check_name("target", target->name, error);
	if (snw_failed(status)) {
		return status;
	}
	if (target->mesh >= scene->mesh_count || (target->clip != SNW_NONE && target->clip >= scene->clip_count)) {
		return snw_fail(error, SNW_ERROR_DATA, "target '%s': it refers to mesh %u of %u and clip %u of %u", target->name,
						target->mesh, scene->mesh_count, target->clip, scene->clip_count);
	}
	return scene->is_outline && !target->points_posed
			   ? snw_target_check_times(target, error)
			   : snw_target_check(target, scene->meshes[target->mesh].point_count, error);
}

static snw_status check_layer(const snw_scene *scene, const snw_layer *layer, snw_error *error) {
	const snw_status status = snw_layer_check(layer, error);
	if (!snw_failed(status) && layer->model != SNW_NONE && layer->model >= scene->model_count) {
		return snw_fail(error, SNW_ERROR_DATA, "layer '%s': it refers to model %u of %u", layer->name, layer->model,
						scene->model_count);
	}
	return status;
}

/* ---- the whole scene ----------------------------------------------------------------------------------------------------- */

static snw_status check_arrays(const snw_scene *scene, snw_error *error) {
	const struct {
		const char *kind;
		const void *array;
		uint32_t count;
	} arrays[] = {
		{"meshes", scene->meshes, scene->mesh_count},
		{"materials", scene->materials, scene->material_count},
		{"images", scene->images, scene->image_count},
		{"fields", scene->fields, scene->field_count},
		{"cameras and lights", scene->kept_nodes, scene->kept_node_count},
		{"channels", scene->channels, scene->channel_count},
		{"clips", scene->clips, scene->clip_count},
		{"poses", scene->poses, scene->pose_count},
		{"examples", scene->examples, scene->example_count},
		{"groups", scene->groups, scene->group_count},
		{"targets", scene->targets, scene->target_count},
		{"layers", scene->layers, scene->layer_count},
		{"models", scene->models, scene->model_count},
		{"levels", scene->levels, scene->level_count},
	};
	for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
		if (arrays[i].count > SNW_LARGEST_COUNT || (arrays[i].count > 0 && !arrays[i].array)) {
			return snw_fail(error, SNW_ERROR_DATA, "the scene has %u %s, too many, or they are missing", arrays[i].count,
							arrays[i].kind);
		}
	}
	return SNW_OK;
}

snw_status snw_scene_check(const snw_scene *scene, snw_error *error) {
	snw_status status = snw_scene_check_size(scene->skeleton.joint_count, scene->mesh_count, error);
	status = snw_failed(status) ? status : check_arrays(scene, error);
	status = snw_failed(status) ? status : snw_skeleton_check(&scene->skeleton, error);
	status = snw_failed(status) ? status
								: snw_slots_check(scene->slot_joints, scene->slot_inverse_binds, scene->slot_count,
												  scene->skeleton.joint_count, error);
	status = snw_failed(status) ? status : check_looks(scene, error);
	status = snw_failed(status) ? status : check_motion(scene, error);
	for (uint32_t i = 0; !snw_failed(status) && i < scene->field_count; i++) {
		status = check_field(scene, &scene->fields[i], error);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < scene->example_count; i++) {
		status = check_example(scene, &scene->examples[i], error);
	}
	status = snw_failed(status) ? status : check_groups(scene, error);
	for (uint32_t i = 0; !snw_failed(status) && i < scene->target_count; i++) {
		status = check_target(scene, &scene->targets[i], error);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < scene->model_count; i++) {
		status = snw_saved_model_check(&scene->models[i], error);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < scene->level_count; i++) {
		const snw_level *level = &scene->levels[i];
		status = level->mesh < scene->mesh_count
					 ? snw_level_check(level, &scene->meshes[level->mesh], scene->material_count, error)
					 : snw_fail(error, SNW_ERROR_DATA, "level %u is of mesh %u of %u", level->number, level->mesh,
								scene->mesh_count);
	}
	for (uint32_t i = 0; !snw_failed(status) && i < scene->layer_count; i++) {
		status = check_layer(scene, &scene->layers[i], error);
	}
	return snw_failed(status) ? status : check_unique_names(scene, error);
}
