/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "example/examples.h"

#include <math.h>
#include <string.h>

#include "example/groups.h"
#include "fit/samples.h"
#include "plugin/registry.h"
#include "pose/pose.h"
#include "project/project.h"

/* Splits an example (an index). With a mask, [point_count], into two: the edited points where it is 0.5 or more, and the
 * others. With a NULL mask, into the regions of edited points that faces connect. Each part is an example of the same pose, in
 * the groups whose masks reach it named by `names` (one for each part) or NAME-1, NAME-2, … if that is
 * NULL. SNW_ERROR_CONFLICT if there is only one part, if there are more than SNW_MOST_PARTS, or if a name is taken. */
enum { SNW_MOST_PARTS = 64 };

/* ---- the groups of the parts --------------------------------------------------------------------------------------------- */

/* A part is in those groups of the whole whose masks reach it: of a symmetric sculpt each side stays with the joint that drives
 * it. A group can have one example of a mesh in a pose. So a further part that a group's mask reaches gets a group of its own,
 * with the same joints and settings, under the same mask on its points alone: a group reproduces its examples, and would take
 * the other parts away. The shape in the pose stays as it was, because no two parts edit the same point. */
typedef struct example_part {
	int64_t id;
	uint32_t edited_count;
	const uint32_t *edited; /* [edited_count] */
} example_part;

typedef struct parts_job {
	snw_project *project;
	const snw_scene *scene;
	uint32_t whole, count;
	const example_part *parts;
	snw_arena *arena;
	uint32_t made_count;
	snw_group_like *made; /* groups for further parts */
	snw_error *error;
} parts_job;

static bool is_reached(const parts_job *job, uint32_t mask, const example_part *part) {
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
static const char *free_part_name(const parts_job *job, const char *stem) {
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
static snw_status put_part_mask(const parts_job *job, const char *name, uint32_t mask, const example_part *part, int64_t *id) {
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
static snw_status put_further_group(parts_job *job, uint32_t like, uint32_t mask, const example_part *part) {
	const snw_group *from = &job->scene->groups[like];
	const snw_group group = {
		.name = free_part_name(job, from->name), .joint_count = from->joint_count, .joints = from->joints, .member_count = 1};
	int64_t masks[1], id;
	const snw_status status = put_part_mask(job, group.name, mask, part, masks);
	job->made[job->made_count++] = (snw_group_like){.group = like, .name = group.name};
	return snw_failed(status) ? status : snw_project_put_group(job->project, &group, &part->id, masks, &id, job->error);
}

/* The group with another part in the place of the whole. */
static snw_status replace_member(const parts_job *job, uint32_t index, uint32_t place, const example_part *part) {
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
		const example_part *part = &job->parts[p];
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

/* `whole` is an index in `scene`, which is from before the split; the first part has its row, and so its places in groups. */
static snw_status put_groups(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t whole,
							 uint32_t count, const example_part *parts, snw_arena *arena, snw_error *error) {
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

/* In a sculpt without a list of edited points, a point counts as edited if it is farther from the skin than the precision of
 * files, as a share of the mesh's diagonal. */
static const double WHOLE_TOLERANCE = 2e-6;

/* The example with its list of edited points, and the skin below it. */
static snw_status find_edits(const snw_scene *scene, const snw_registry *registry, uint32_t index, snw_arena *arena,
							 snw_example *example, double **below, snw_error *error) {
	*example = scene->examples[index];
	const uint32_t count = scene->meshes[example->mesh].point_count;
	*below = snw_arena_array(arena, count, 3 * sizeof **below);
	const snw_pose *const pose = &scene->poses[example->pose];
	const snw_status status = snw_reference_points(scene, registry, example->mesh, 1, &pose, below, error);
	if (!snw_failed(status) && !example->edited) {
		snw_example_find_edited(example, count, *below, WHOLE_TOLERANCE * snw_scene_diagonal(scene, example->mesh), arena);
	}
	if (!snw_failed(status) && !example->edited) { /* all points are edited */
		uint32_t *all = SNW_NEW_ARRAY(arena, uint32_t, count);
		for (uint32_t i = 0; i < count; i++) {
			all[i] = i;
		}
		example->edited = all;
		example->edited_count = count;
	}
	return status;
}

static snw_status put_part_example(snw_project *project, const snw_scene *scene, const snw_example *example, int64_t *id,
								   snw_error *error) {
	const snw_mesh *mesh = &scene->meshes[example->mesh];
	return snw_project_put_example(project, example, scene->poses[example->pose].id, mesh->id, mesh->point_count, id, error);
}

/* ---- splitting ----------------------------------------------------------------------------------------------------------- */

static uint32_t find_root(uint32_t *parents, uint32_t point) {
	while (parents[point] != point) {
		parents[point] = parents[parents[point]];
		point = parents[point];
	}
	return point;
}

/* Assigns each edited point to its part: the regions of edited points that faces connect, in the order of their first
 * points. */
static uint32_t find_regions(const snw_mesh *mesh, const snw_example *example, snw_arena *arena, uint32_t *parts) {
	uint32_t *parents = SNW_NEW_ARRAY(arena, uint32_t, mesh->point_count), count = 0;
	uint32_t *numbers = SNW_NEW_ARRAY(arena, uint32_t, mesh->point_count);
	memset(parents, 0xff, mesh->point_count * sizeof *parents);
	memset(numbers, 0xff, mesh->point_count * sizeof *numbers);
	for (uint32_t i = 0; i < example->edited_count; i++) {
		parents[example->edited[i]] = example->edited[i];
	}
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		for (uint32_t c = mesh->face_offsets[f], last = mesh->face_offsets[f + 1] - 1; c < mesh->face_offsets[f + 1];
			 last = c++) {
			const uint32_t a = mesh->face_points[last], b = mesh->face_points[c];
			if (parents[a] != SNW_NONE && parents[b] != SNW_NONE) {
				parents[find_root(parents, a)] = find_root(parents, b);
			}
		}
	}
	for (uint32_t i = 0; i < example->edited_count; i++) {
		const uint32_t root = find_root(parents, example->edited[i]);
		numbers[root] = numbers[root] == SNW_NONE ? count++ : numbers[root];
		parts[i] = numbers[root];
	}
	return count;
}

static uint32_t find_masked_sides(const snw_example *example, const double *mask, uint32_t *parts) {
	uint32_t inside = 0;
	for (uint32_t i = 0; i < example->edited_count; i++) {
		parts[i] = mask[example->edited[i]] >= 0.5 ? 0 : 1;
		inside += parts[i] == 0;
	}
	return inside == 0 || inside == example->edited_count ? 1 : 2;
}

static snw_status name_parts(const snw_scene *scene, const snw_example *example, uint32_t name_count, const char *const *names,
							 snw_arena *arena, snw_split *split, snw_error *error) {
	if (names && name_count != split->count) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "example %s splits into %u parts; give as many names", example->name,
						split->count);
	}
	split->names = SNW_NEW_ARRAY(arena, const char *, split->count);
	for (uint32_t p = 0; p < split->count; p++) {
		split->names[p] = names ? names[p] : snw_arena_format(arena, "%s-%u", example->name, p + 1);
		const uint32_t taken = snw_scene_find_example(scene, split->names[p]);
		if (taken != SNW_NONE && scene->examples[taken].id != example->id) {
			return snw_fail(error, SNW_ERROR_CONFLICT, "%s: an example has this name already; choose other names for the parts",
							split->names[p]);
		}
	}
	return SNW_OK;
}

static snw_status put_parts(snw_project *project, const snw_scene *scene, const snw_example *whole, const uint32_t *parts,
							snw_arena *arena, example_part *stored, snw_split *split, snw_error *error) {
	snw_status status = SNW_OK;
	split->edited_counts = SNW_NEW_ARRAY(arena, uint32_t, split->count);
	for (uint32_t p = 0; !snw_failed(status) && p < split->count; p++) {
		snw_example part = *whole;
		part.layer_count = 0; /* a part has the sum */
		uint32_t *edited = SNW_NEW_ARRAY(arena, uint32_t, (size_t)whole->edited_count + 1);
		part.id = p == 0 ? whole->id : 0;
		part.name = split->names[p];
		part.edited = edited;
		part.edited_count = 0;
		for (uint32_t i = 0; i < whole->edited_count; i++) {
			if (parts[i] == p) {
				edited[part.edited_count++] = whole->edited[i];
			}
		}
		split->edited_counts[p] = part.edited_count;
		stored[p] = (example_part){.edited_count = part.edited_count, .edited = edited};
		status = put_part_example(project, scene, &part, &stored[p].id, error);
	}
	return status;
}

snw_status snw_project_put_split(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t index,
								 const double *mask, uint32_t name_count, const char *const *names, snw_arena *arena,
								 snw_split *split, snw_error *error) {
	snw_example example;
	double *below;
	snw_status status = find_edits(scene, registry, index, arena, &example, &below, error);
	if (snw_failed(status)) {
		return status;
	}
	uint32_t *parts = SNW_NEW_ARRAY(arena, uint32_t, (size_t)example.edited_count + 1);
	*split = (snw_split){.count = mask ? find_masked_sides(&example, mask, parts)
									   : find_regions(&scene->meshes[example.mesh], &example, arena, parts)};
	if (split->count < 2 || split->count > SNW_MOST_PARTS) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "example %s: its %u edited points are in %u %s; %s", example.name,
						example.edited_count, split->count, split->count == 1 ? "part" : "parts",
						split->count < 2 ? "nothing to split" : "split it by a mask");
	}
	status = name_parts(scene, &example, name_count, names, arena, split, error);
	example_part *stored = SNW_NEW_ARRAY(arena, example_part, split->count);
	status = snw_failed(status) ? status : put_parts(project, scene, &example, parts, arena, stored, split, error);
	return snw_failed(status) ? status : put_groups(project, scene, registry, index, split->count, stored, arena, error);
}

/* ---- merging ------------------------------------------------------------------------------------------------------------- */

static snw_status check_mergeable(const snw_scene *scene, const snw_example *a, const snw_example *b, snw_error *error) {
	if (a->mesh != b->mesh) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "examples %s and %s belong to different meshes and cannot be merged",
						a->name, b->name);
	}
	const double *x = scene->poses[a->pose].rotation_vectors, *y = scene->poses[b->pose].rotation_vectors;
	for (size_t i = 0; i < 3 * (size_t)scene->skeleton.joint_count; i++) {
		if (!(fabs(x[i] - y[i]) <= 1e-6)) {
			return snw_fail(error, SNW_ERROR_CONFLICT,
							"examples %s and %s were sculpted in different poses (%s and %s) and cannot be merged: joint %s "
							"rotates differently",
							a->name, b->name, scene->poses[a->pose].name, scene->poses[b->pose].name,
							scene->skeleton.names[i / 3]);
		}
	}
	return SNW_OK;
}

static double mask_at(const snw_scene *scene, uint32_t mask, uint32_t point) {
	return mask == SNW_NONE ? 1 : scene->fields[mask].values[point];
}

/* Whether another group of the same joints takes at least as much of the example: the part of a split may have one of its
 * own. */
static bool has_like_group(const snw_scene *scene, const snw_group *group, uint32_t mask, uint32_t example) {
	const uint32_t points = scene->meshes[scene->examples[example].mesh].point_count;
	bool has = false;
	for (uint32_t g = 0; g < scene->group_count && !has; g++) {
		const snw_group *other = &scene->groups[g];
		const uint32_t place = snw_group_member(other, example);
		has = place != SNW_NONE && group->joint_count > 0 && other->joint_count == group->joint_count &&
			  memcmp(other->joints, group->joints, group->joint_count * sizeof *group->joints) == 0;
		for (uint32_t i = 0; i < points && has; i++) {
			has = mask_at(scene, other->members[place].mask, i) >= mask_at(scene, mask, i);
		}
	}
	return has;
}

/* Adds an example to the groups of another, under the same masks, except those that do for it what a group does in which it
 * is. */
static snw_status join_groups_of(snw_project *project, const snw_scene *scene, uint32_t model, uint32_t added, snw_arena *arena,
								 snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t g = 0; !snw_failed(status) && g < scene->group_count; g++) {
		const uint32_t place = snw_group_member(&scene->groups[g], model);
		const uint32_t mask = place == SNW_NONE ? SNW_NONE : scene->groups[g].members[place].mask;
		if (place == SNW_NONE || snw_group_member(&scene->groups[g], added) != SNW_NONE ||
			has_like_group(scene, &scene->groups[g], mask, added)) {
			continue;
		}
		snw_group group = snw_group_copy(scene, g, arena);
		snw_member *members = (snw_member *)(uintptr_t)group.members; /* the copy */
		members[group.member_count++] = (snw_member){.example = added, .mask = mask};
		status = snw_project_put_group_of(project, scene, &group, NULL, error);
	}
	return status;
}

/* Adds the displacements of both. */
static snw_example merge(const snw_scene *scene, const snw_example *a, const snw_example *b, const double *below,
						 snw_arena *arena) {
	const uint32_t count = scene->meshes[a->mesh].point_count;
	double *points = snw_arena_copy(arena, below, 3 * (size_t)count * sizeof *points);
	bool *is_edited = SNW_NEW_ARRAY(arena, bool, count);
	uint32_t *edited = SNW_NEW_ARRAY(arena, uint32_t, (size_t)count + 1);
	const snw_example *both[] = {a, b};
	for (int e = 0; e < 2; e++) {
		for (uint32_t i = 0; i < both[e]->edited_count; i++) {
			const uint32_t point = both[e]->edited[i];
			is_edited[point] = true;
			for (size_t k = 3 * (size_t)point; k < 3 * (size_t)point + 3; k++) {
				points[k] += both[e]->points_posed[k] - below[k];
			}
		}
	}
	snw_example merged = *a;
	merged.has_chosen_driver = a->has_chosen_driver || b->has_chosen_driver;
	merged.points_posed = points;
	merged.edited_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (is_edited[i]) {
			edited[merged.edited_count++] = i;
		}
	}
	merged.edited = edited;
	return merged;
}

snw_status snw_project_put_merged(snw_project *project, const snw_scene *scene, const snw_registry *registry, uint32_t first,
								  uint32_t second, const char *name, snw_arena *arena, uint32_t *edited_count,
								  snw_error *error) {
	snw_example a, b;
	double *below;
	if (first == second) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: an example cannot be merged with itself", scene->examples[first].name);
	}
	snw_status status = check_mergeable(scene, &scene->examples[first], &scene->examples[second], error);
	status = snw_failed(status) ? status : find_edits(scene, registry, second, arena, &b, &below, error);
	status = snw_failed(status) ? status : find_edits(scene, registry, first, arena, &a, &below, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_example merged = merge(scene, &a, &b, below, arena);
	merged.name = name ? name : a.name;
	*edited_count = merged.edited_count;
	int64_t id;
	/* Read the second example's groups before removing it; its name may be the merged example's. */
	status = join_groups_of(project, scene, second, first, arena, error);
	status = snw_failed(status) ? status : snw_project_remove(project, SNW_PROJECT_EXAMPLE, b.id, error);
	return snw_failed(status) ? status : put_part_example(project, scene, &merged, &id, error);
}
