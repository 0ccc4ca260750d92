/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "edit/examples/groups_of_parts.h"

#include <string.h>

#include "edit/drivers/groups.h"

typedef struct parts_job {
	snw_project *project;
	const snw_scene *scene;
	uint32_t whole, count;
	const snw_example_part *parts;
	snw_arena *arena;
	uint32_t made_count;
	snw_group_like *made; /* groups for further parts */
	snw_error *error;
} parts_job;

static bool is_reached(const parts_job *job, uint32_t mask, const snw_example_part *part) {
	bool is = mask == SNW_NONE;
	for (uint32_t i = 0; i < part->edited_count && !is; i++) {
		is = job->scene->fields[mask].values[part->edited[i]] > 0;
	}
	return is;
}

static bool is_taken(const parts_job *job, const char *name) {
	const uint32_t mesh = job->scene->examples[job->whole].mesh;
	bool is = snw_scene_find_group(job->scene, name) != SNW_NONE || snw_scene_find_field(job->scene, mesh, name) != SNW_NONE;
	for (uint32_t k = 0; k < job->made_count; k++) {
		is = is || strcmp(job->made[k].name, name) == 0;
	}
	return is;
}

/* Of a group and its mask. */
static const char *free_name(const parts_job *job, const char *stem) {
	const char *name;
	uint32_t number = 2;
	do {
		name = snw_arena_format(job->arena, "%s-%u", stem, number++);
	} while (is_taken(job, name));
	return name;
}

static int64_t mask_id(const parts_job *job, uint32_t mask) {
	return mask == SNW_NONE ? 0 : job->scene->fields[mask].id;
}

/* A mask of the part's points alone. */
static snw_status put_mask(const parts_job *job, const char *name, uint32_t mask, const snw_example_part *part, int64_t *id) {
	const snw_mesh *mesh = &job->scene->meshes[job->scene->examples[job->whole].mesh];
	double *values = SNW_NEW_ARRAY(job->arena, double, mesh->point_count);
	for (uint32_t i = 0; i < part->edited_count; i++) {
		const uint32_t point = part->edited[i];
		values[point] = mask == SNW_NONE ? 1 : job->scene->fields[mask].values[point];
	}
	const snw_field field = {
		.name = name, .domain = SNW_DOMAIN_POINTS, .components = 1, .count = mesh->point_count, .values = values};
	return snw_project_put_field(job->project, &field, mesh->id, id, job->error);
}

/* A group for one part alone. */
static snw_status put_further_group(parts_job *job, uint32_t like, uint32_t mask, const snw_example_part *part) {
	const snw_group *from = &job->scene->groups[like];
	const snw_group group = {
		.name = free_name(job, from->name), .joint_count = from->joint_count, .joints = from->joints, .member_count = 1};
	int64_t masks[1], id;
	const snw_status status = put_mask(job, group.name, mask, part, masks);
	job->made[job->made_count++] = (snw_group_like){.group = like, .name = group.name};
	return snw_failed(status) ? status : snw_project_put_group(job->project, &group, &part->id, masks, &id, job->error);
}

/* The group with another part in the place of the whole. */
static snw_status replace_member(const parts_job *job, uint32_t index, uint32_t place, const snw_example_part *part) {
	const snw_group *group = &job->scene->groups[index];
	int64_t *examples = SNW_NEW_ARRAY(job->arena, int64_t, group->member_count), id;
	int64_t *masks = SNW_NEW_ARRAY(job->arena, int64_t, group->member_count);
	for (uint32_t m = 0; m < group->member_count; m++) {
		examples[m] = m == place ? part->id : job->scene->examples[group->members[m].example].id;
		masks[m] = mask_id(job, group->members[m].mask);
	}
	return snw_project_put_group(job->project, group, examples, masks, &id, job->error);
}

static snw_status put_group(parts_job *job, uint32_t index) {
	const uint32_t place = snw_group_member(&job->scene->groups[index], job->whole);
	snw_status status = SNW_OK;
	if (place == SNW_NONE) {
		return SNW_OK;
	}
	const uint32_t mask = job->scene->groups[index].members[place].mask;
	uint32_t reached_count = 0;
	for (uint32_t p = 0; p < job->count && !snw_failed(status); p++) {
		const snw_example_part *part = &job->parts[p];
		if (!is_reached(job, mask, part)) {
			continue;
		}
		if (reached_count++ > 0) {
			status = put_further_group(job, index, mask, part);
		} else if (p > 0) {
			status = replace_member(job, index, place, part);
		}
	}
	return status;
}

snw_status snw_project_put_groups_of_parts(snw_project *project, const snw_scene *scene, const snw_registry *registry,
										   uint32_t whole, uint32_t count, const snw_example_part *parts, snw_arena *arena,
										   snw_error *error) {
	parts_job job = {.project = project,
					 .scene = scene,
					 .whole = whole,
					 .count = count,
					 .parts = parts,
					 .arena = arena,
					 .made = SNW_NEW_ARRAY(arena, snw_group_like, (size_t)scene->group_count * count),
					 .error = error};
	snw_status status = SNW_OK;
	for (uint32_t g = 0; g < scene->group_count && !snw_failed(status); g++) {
		status = put_group(&job, g);
	}
	return snw_failed(status) ? status
							  : snw_project_copy_group_settings(project, scene, registry, job.made_count, job.made, error);
}
