/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "example/groups.h"

#include <math.h>
#include <string.h>

#include "parameter/settings.h"
#include "pose/joint_title.h"
#include "sinew/algebra.h"

static const double SAME_ANGLE = 0.02; /* radians */

/* ---- lists --------------------------------------------------------------------------------------------------------------- */

snw_group snw_group_copy(const snw_scene *scene, uint32_t group, snw_arena *arena) {
	const snw_group none = {0}, *from = group == SNW_NONE ? &none : &scene->groups[group];
	snw_group copy = *from;
	snw_member *members = SNW_NEW_ARRAY(arena, snw_member, (size_t)from->member_count + 1);
	uint32_t *joints = SNW_NEW_ARRAY(arena, uint32_t, (size_t)from->joint_count + 1);
	for (uint32_t i = 0; i < from->member_count; i++) {
		members[i] = from->members[i];
	}
	for (uint32_t i = 0; i < from->joint_count; i++) {
		joints[i] = from->joints[i];
	}
	copy.name = snw_arena_text(arena, from->name);
	copy.members = members;
	copy.joints = joints;
	return copy;
}

uint32_t snw_group_member(const snw_group *group, uint32_t example) {
	for (uint32_t i = 0; i < group->member_count; i++) {
		if (group->members[i].example == example) {
			return i;
		}
	}
	return SNW_NONE;
}

void snw_group_leave(snw_group *copy, uint32_t member) {
	snw_member *members = (snw_member *)(uintptr_t)copy->members;
	copy->member_count--;
	memmove(members + member, members + member + 1, (copy->member_count - member) * sizeof *members);
}

snw_status snw_project_put_group_of(snw_project *project, const snw_scene *scene, const snw_group *group, int64_t *id,
									snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	int64_t *examples = SNW_NEW_ARRAY(scratch, int64_t, group->member_count);
	int64_t *masks = SNW_NEW_ARRAY(scratch, int64_t, group->member_count), unused;
	for (uint32_t i = 0; i < group->member_count; i++) {
		const snw_member *member = &group->members[i];
		examples[i] = scene->examples[member->example].id;
		masks[i] = member->mask == SNW_NONE ? 0 : scene->fields[member->mask].id;
	}
	const snw_status status = snw_project_put_group(project, group, examples, masks, id ? id : &unused, error);
	snw_arena_destroy(scratch);
	return status;
}

/* ---- the group of an example --------------------------------------------------------------------------------------------- */

static bool is_driven_as(const snw_group *group, const snw_group_choice *choice) {
	bool are_all = group->joint_count == choice->joint_count;
	for (uint32_t i = 0; are_all && i < choice->joint_count; i++) {
		const uint32_t *joints = group->joints;
		are_all = joints[0] == choice->joints[i] || joints[group->joint_count - 1] == choice->joints[i]; /* of one or two */
	}
	return are_all;
}

/* Of this name, if the method chooses its joints. */
static uint32_t find_free_group(const snw_scene *scene, const char *name) {
	const uint32_t named = snw_scene_find_group(scene, name);
	return named != SNW_NONE && scene->groups[named].joint_count == 0 ? named : SNW_NONE;
}

/* The group with just these joints; else the one of that name, or of the joint's, if the method chooses its joints. */
static uint32_t find_group(const snw_scene *scene, const snw_group_choice *choice) {
	for (uint32_t g = 0; g < scene->group_count && choice->joint_count > 0; g++) {
		if (is_driven_as(&scene->groups[g], choice)) {
			return g;
		}
	}
	const uint32_t named = find_free_group(scene, choice->name);
	return named == SNW_NONE && choice->joint_count == 1 ? find_free_group(scene, scene->skeleton.names[choice->joints[0]])
														 : named;
}

/* How far a joint is rotated between two poses, radians. */
static double angle_between(const snw_pose *one, const snw_pose *other, uint32_t joint) {
	double gap[3];
	for (size_t c = 0; c < 3; c++) {
		gap[c] = one->rotation_vectors[3 * (size_t)joint + c] - other->rotation_vectors[3 * (size_t)joint + c];
	}
	return snw_length3(gap);
}

/* The member on the mesh that the joints cannot tell from the pose. */
static uint32_t find_twin(const snw_scene *scene, const snw_group_choice *choice, uint32_t mesh, const snw_pose *pose,
						  uint32_t except) {
	const snw_group none = {0}, *group = choice->group == SNW_NONE ? &none : &scene->groups[choice->group];
	for (uint32_t m = 0; m < group->member_count && choice->joint_count > 0; m++) {
		const snw_example *example = &scene->examples[group->members[m].example];
		double most = 0;
		for (uint32_t k = 0; k < choice->joint_count; k++) {
			most = fmax(most, angle_between(pose, &scene->poses[example->pose], choice->joints[k]));
		}
		if (group->members[m].example != except && example->mesh == mesh && most <= SAME_ANGLE) {
			return group->members[m].example;
		}
	}
	return SNW_NONE;
}

snw_group_choice snw_choose_group(const snw_scene *scene, uint32_t mesh, const snw_pose *pose, uint32_t example,
								  uint32_t joint_count, const uint32_t *joints, snw_arena *arena) {
	snw_group_choice first = {.twin = SNW_NONE};
	for (uint32_t k = 0; k == 0 || k < joint_count; k++) {
		snw_group_choice next = {.joint_count = joint_count == 0 ? 0 : k == 0 ? 1 : 2, .name = "main"};
		for (uint32_t i = 0; i < next.joint_count; i++) {
			next.joints[i] = joints[i == 0 ? 0 : k];
		}
		if (joint_count > 0) {
			const char *one = snw_joint_title(&scene->skeleton, joints[0], arena);
			next.name =
				k == 0 ? one : snw_arena_format(arena, "%s + %s", one, snw_joint_title(&scene->skeleton, joints[k], arena));
		}
		next.group = find_group(scene, &next);
		next.name =
			snw_arena_text(arena, next.group == SNW_NONE ? snw_scene_free_name(scene, snw_scene_find_group, next.name, arena)
														 : scene->groups[next.group].name);
		next.twin = find_twin(scene, &next, mesh, pose, example);
		if (k > 0 && next.twin == SNW_NONE) {
			next.twin = find_twin(scene,
								  &(snw_group_choice){.group = first.group,
													  .joint_count = next.joint_count,
													  .joints = {next.joints[0], next.joints[1]}},
								  mesh, pose, example);
		}
		first = k == 0 ? next : first;
		if (next.twin == SNW_NONE) {
			return next;
		}
	}
	return first;
}

/* ---- settings of one group ----------------------------------------------------------------------------------------------- */

static snw_status change_settings(snw_project *project, const snw_scene *scene, const snw_registry *registry, const char *group,
								  const char *new_name, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < scene->layer_count; i++) {
		const snw_deformer *deformer = snw_registry_find(registry, scene->layers[i].deformer);
		snw_layer layer = scene->layers[i];
		bool has_any = false;
		for (uint32_t s = 0; s < layer.setting_count; s++) {
			const char *at = strchr(layer.settings[s].key, '@');
			has_any = has_any || (at && strcmp(at + 1, group) == 0);
		}
		if (!deformer || !has_any) {
			continue;
		}
		snw_setting *settings = SNW_NEW_ARRAY(scratch, snw_setting, layer.setting_count);
		layer.setting_count =
			snw_overrides_of_group(scene, deformer->descriptor, &scene->layers[i], group, new_name, settings, scratch);
		layer.settings = settings;
		const int64_t model = layer.model == SNW_NONE ? 0 : scene->models[layer.model].id;
		int64_t id;
		status = snw_project_put_layer(project, &layer, model, -1, &id, error);
	}
	snw_arena_destroy(scratch);
	return status;
}

/* Those of the layer, followed by those of the new groups. */
static uint32_t settings_with_likes(const snw_scene *scene, const snw_descriptor *descriptor, const snw_layer *layer,
									uint32_t count, const snw_group_like *likes, snw_arena *arena, snw_setting **settings) {
	uint32_t total = layer->setting_count;
	*settings = SNW_NEW_ARRAY(arena, snw_setting, (size_t)layer->setting_count * (count + 1));
	for (uint32_t s = 0; s < layer->setting_count; s++) {
		(*settings)[s] = layer->settings[s];
	}
	snw_setting *renamed = SNW_NEW_ARRAY(arena, snw_setting, layer->setting_count);
	for (uint32_t k = 0; k < count; k++) {
		const char *from = scene->groups[likes[k].group].name;
		(void)snw_overrides_of_group(scene, descriptor, layer, from, likes[k].name, renamed, arena);
		for (uint32_t s = 0; s < layer->setting_count; s++) {
			if (strcmp(renamed[s].key, layer->settings[s].key) != 0) {
				(*settings)[total++] = renamed[s];
			}
		}
	}
	return total;
}

snw_status snw_project_copy_group_settings(snw_project *project, const snw_scene *scene, const snw_registry *registry,
										   uint32_t count, const snw_group_like *likes, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	snw_status status = SNW_OK;
	for (uint32_t i = 0; !snw_failed(status) && i < scene->layer_count; i++) {
		const snw_deformer *deformer = snw_registry_find(registry, scene->layers[i].deformer);
		snw_layer layer = scene->layers[i];
		snw_setting *settings;
		const uint32_t total =
			deformer ? settings_with_likes(scene, deformer->descriptor, &scene->layers[i], count, likes, scratch, &settings)
					 : 0;
		if (total > layer.setting_count) {
			const int64_t model = layer.model == SNW_NONE ? 0 : scene->models[layer.model].id;
			layer.setting_count = total;
			layer.settings = settings;
			status = snw_project_put_layer(project, &layer, model, -1, NULL, error);
		}
	}
	snw_arena_destroy(scratch);
	return status;
}

/* ---- changes ------------------------------------------------------------------------------------------------------------- */

snw_status snw_project_keep_driver(snw_project *project, const snw_scene *scene, uint32_t example, snw_error *error) {
	snw_example chosen = scene->examples[example];
	const snw_mesh *mesh = &scene->meshes[chosen.mesh];
	if (chosen.has_chosen_driver) {
		return SNW_OK;
	}
	chosen.has_chosen_driver = true;
	return snw_project_put_example(project, &chosen, scene->poses[chosen.pose].id, mesh->id, mesh->point_count, NULL, error);
}

snw_status snw_project_keep_drivers(snw_project *project, const snw_scene *scene, const snw_group *group, snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < group->member_count && !snw_failed(status); m++) {
		status = snw_project_keep_driver(project, scene, group->members[m].example, error);
	}
	return status;
}

snw_status snw_project_rename_group(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t group,
									const char *name, snw_error *error) {
	snw_group renamed = scene->groups[group];
	renamed.name = name;
	const snw_status status = snw_project_put_group_of(project, scene, &renamed, NULL, error);
	return snw_failed(status) ? status : change_settings(project, scene, registry, scene->groups[group].name, name, error);
}

snw_status snw_project_drop_group(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t group,
								  snw_error *error) {
	const snw_status status = snw_project_remove(project, SNW_PROJECT_GROUP, scene->groups[group].id, error);
	return snw_failed(status) ? status : change_settings(project, scene, registry, scene->groups[group].name, NULL, error);
}

snw_status snw_project_move_group(snw_project *project, const snw_scene *scene, uint32_t group, uint32_t index,
								  snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	int64_t *order = SNW_NEW_ARRAY(scratch, int64_t, scene->group_count);
	for (uint32_t i = 0, next = 0; i < scene->group_count; i++) {
		next += next == index;
		order[i == group ? index : next++] = scene->groups[i].id;
	}
	const snw_status status = snw_project_put_group_order(project, scene->group_count, order, error);
	snw_arena_destroy(scratch);
	return status;
}
