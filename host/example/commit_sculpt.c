/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A stroke is committed to an example: to its sculpt, or to a layer of it.
 */
#include "example/sculpts.h"

#include <math.h>
#include <string.h>

#include "example/groups.h"
#include "fit/fit.h"
#include "fit/samples.h"
#include "pose/pose.h"
#include "sinew/kit/clock.h"
#include "stack/stack.h"

/* ---- layers of a sculpt -------------------------------------------------------------------------------------------------- */

/* A point counts as edited if it is farther from the skin than this share of the mesh's diagonal, along an axis. */
static const double EDIT_TOLERANCE = 1e-9;

uint32_t snw_sculpt_layer_find(const snw_example *example, const char *name) {
	for (uint32_t i = 0; i < example->layer_count; i++) {
		if (strcmp(example->layers[i].name, name) == 0) {
			return i;
		}
	}
	return SNW_NONE;
}

uint32_t snw_sculpt_layer_of_id(const snw_example *example, int64_t id) {
	for (uint32_t i = 0; i < example->layer_count; i++) {
		if (example->layers[i].id == id) {
			return i;
		}
	}
	return example->layer_count > 0 ? example->layer_count - 1 : SNW_NONE;
}

double snw_sculpt_layer_amount(const snw_sculpt_layer *layer) {
	return layer->muted ? 0 : layer->opacity;
}

/* ---- differences --------------------------------------------------------------------------------------------------------- */

/* In an example in memory: the difference between two sets of points [point_count][3], as far as it is above the tolerance,
 * becomes a part of the layer. The example gets a new list of layers in `arena`. */
static void add_layer_change(snw_example *example, uint32_t layer, uint32_t point_count, const double *before,
							 const double *after, double tolerance, snw_arena *arena) {
	snw_sculpt_layer *layers = snw_arena_copy(arena, example->layers, example->layer_count * sizeof *layers);
	const snw_sculpt_layer *old = &example->layers[layer];
	uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, (size_t)point_count + 1), count = 0, next = 0;
	double *vectors = SNW_NEW_ARRAY(arena, double, 3 * (size_t)point_count + 1);
	for (uint32_t p = 0; p < point_count; p++) {
		const double *a = before + 3 * (size_t)p, *b = after + 3 * (size_t)p;
		double *vector = vectors + 3 * (size_t)count;
		const bool was_in = next < old->count && old->points[next] == p;
		const bool changes = fabs(b[0] - a[0]) > tolerance || fabs(b[1] - a[1]) > tolerance || fabs(b[2] - a[2]) > tolerance;
		for (size_t k = 0; k < 3; k++) {
			vector[k] = (was_in ? old->vectors[3 * (size_t)next + k] : 0) + (changes ? (b[k] - a[k]) / old->opacity : 0);
		}
		next += was_in;
		if (was_in || changes) {
			points[count++] = p;
		}
	}
	layers[layer].count = count;
	layers[layer].points = points;
	layers[layer].vectors = vectors;
	example->layers = layers;
}

/* ---- a change ------------------------------------------------------------------------------------------------------------ */

/* An example and what changes in it. */
typedef struct layer_change {
	snw_project *project;
	const snw_scene *scene;
	const snw_mesh *mesh;
	snw_example example; /* its points and layers are copies in `arena` */
	snw_sculpt_layer *layers;
	double *points, *below; /* [point_count][3]: of the example, and of the skin without sculpts */
	snw_arena *arena;
} layer_change;

static snw_status begin(layer_change *c, snw_project *project, const snw_scene *scene, const snw_registry *registry,
						uint32_t example, snw_error *error) {
	const snw_example *old = &scene->examples[example];
	*c = (layer_change){.project = project, .scene = scene, .mesh = &scene->meshes[old->mesh], .example = *old};
	c->arena = snw_arena_create();
	const size_t numbers = 3 * (size_t)c->mesh->point_count;
	c->below = SNW_NEW_ARRAY(c->arena, double, numbers);
	c->layers = snw_arena_array(c->arena, (size_t)old->layer_count + 2, sizeof *c->layers);
	if (old->layer_count > 0) {
		memcpy(c->layers, old->layers, old->layer_count * sizeof *c->layers);
	}
	const snw_pose *pose = &scene->poses[old->pose];
	const snw_status status = snw_reference_points(scene, registry, old->mesh, 1, &pose, &c->below, error);
	if (!snw_failed(status)) {
		c->points = snw_arena_copy(c->arena, c->below, numbers * sizeof *c->points);
		snw_example_apply_edited(old, c->mesh->point_count, c->points);
	}
	return status;
}

/* Adds a multiple of a layer to the points. */
static void add_to_points(layer_change *c, const snw_sculpt_layer *layer, double factor) {
	for (size_t i = 0; i < layer->count && factor != 0; i++) {
		for (size_t k = 0; k < 3; k++) {
			c->points[3 * (size_t)layer->points[i] + k] += factor * layer->vectors[3 * i + k];
		}
	}
}

static snw_status end(layer_change *c, snw_status status, snw_error *error) {
	const uint32_t count = c->mesh->point_count;
	const double tolerance = EDIT_TOLERANCE * snw_scene_diagonal(c->scene, c->example.mesh);
	if (!snw_failed(status)) {
		c->example.points_posed = c->points;
		c->example.layers = c->layers;
		snw_example_find_edited(&c->example, count, c->below, tolerance, c->arena);
		int64_t id;
		status = snw_project_put_example(c->project, &c->example, c->scene->poses[c->example.pose].id, c->mesh->id, count, &id,
										 error);
	}
	snw_arena_destroy(c->arena);
	return status;
}

/* ---- the changes --------------------------------------------------------------------------------------------------------- */

static const char *free_layer_name(const layer_change *c) {
	const char *name = "layer";
	for (unsigned i = 2; snw_sculpt_layer_find(&c->example, name) != SNW_NONE; i++) {
		name = snw_arena_format(c->arena, "layer-%u", i);
	}
	return name;
}

static snw_status check_free(const snw_example *example, const char *name, snw_error *error) {
	return snw_sculpt_layer_find(example, name) == SNW_NONE
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_CONFLICT, "%s: example %s has a sculpt layer with this name; choose another", name,
						  example->name);
}

snw_status snw_project_add_sculpt_layer(snw_project *project, const snw_scene *scene, const snw_registry *registry,
										uint32_t example, const char *name, snw_error *error) {
	layer_change c;
	snw_status status = begin(&c, project, scene, registry, example, error);
	const double tolerance = EDIT_TOLERANCE * snw_scene_diagonal(scene, scene->examples[example].mesh);
	if (!snw_failed(status) && c.example.layer_count == 0) {
		c.layers[c.example.layer_count++] = (snw_sculpt_layer){.name = "base", .opacity = 1};
		c.example.layers = c.layers;
		add_layer_change(&c.example, 0, c.mesh->point_count, c.below, c.points, tolerance, c.arena);
		c.layers[0] = c.example.layers[0];
		c.example.layers = c.layers;
	}
	status = snw_failed(status) || !name[0] ? status : check_free(&c.example, name, error);
	if (!snw_failed(status)) {
		const snw_sculpt_layer added = {.name = name[0] ? name : free_layer_name(&c), .opacity = 1};
		c.layers[c.example.layer_count++] = added;
	}
	return end(&c, status, error);
}

snw_status snw_project_set_sculpt_layer(snw_project *project, const snw_scene *scene, const snw_registry *registry,
										uint32_t example, uint32_t layer, const snw_sculpt_layer *changed, snw_error *error) {
	layer_change c;
	snw_status status = begin(&c, project, scene, registry, example, error);
	snw_sculpt_layer *row = &c.layers[layer];
	if (!snw_failed(status) && strcmp(row->name, changed->name) != 0) {
		status = check_free(&c.example, changed->name, error);
	}
	if (!snw_failed(status)) {
		const double before = snw_sculpt_layer_amount(row);
		row->name = changed->name;
		row->opacity = changed->opacity;
		row->muted = changed->muted;
		add_to_points(&c, row, snw_sculpt_layer_amount(row) - before);
	}
	return end(&c, status, error);
}

snw_status snw_project_remove_sculpt_layer(snw_project *project, const snw_scene *scene, const snw_registry *registry,
										   uint32_t example, uint32_t layer, snw_error *error) {
	layer_change c;
	const snw_status status = begin(&c, project, scene, registry, example, error);
	if (!snw_failed(status)) {
		add_to_points(&c, &c.layers[layer], -snw_sculpt_layer_amount(&c.layers[layer]));
		c.example.layer_count--;
		memmove(&c.layers[layer], &c.layers[layer + 1], (c.example.layer_count - layer) * sizeof *c.layers);
	}
	return end(&c, status, error);
}

snw_status snw_project_merge_sculpt_layer(snw_project *project, const snw_scene *scene, const snw_registry *registry,
										  uint32_t example, uint32_t layer, snw_error *error) {
	const snw_example *old = &scene->examples[example];
	if (layer == 0) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "%s is the lowest sculpt layer of %s: there is none below to merge it with",
						old->layers[layer].name, old->name);
	}
	if (old->layers[layer].muted || old->layers[layer - 1].muted) {
		return snw_fail(error, SNW_ERROR_CONFLICT, "a muted sculpt layer cannot be merged; unmute %s first",
						old->layers[old->layers[layer].muted ? layer : layer - 1].name);
	}
	layer_change c;
	const snw_status status = begin(&c, project, scene, registry, example, error);
	if (!snw_failed(status)) {
		const size_t numbers = 3 * (size_t)c.mesh->point_count;
		snw_sculpt_layer *lower = &c.layers[layer - 1];
		double *points = c.points, *none = SNW_NEW_ARRAY(c.arena, double, numbers),
			   *sum = SNW_NEW_ARRAY(c.arena, double, numbers);
		c.points = sum;
		add_to_points(&c, lower, lower->opacity);
		add_to_points(&c, &c.layers[layer], c.layers[layer].opacity);
		c.points = points;
		lower->opacity = 1;
		lower->count = 0;
		c.example.layers = c.layers;
		add_layer_change(&c.example, layer - 1, c.mesh->point_count, none, sum, 0, c.arena);
		*lower = c.example.layers[layer - 1];
		c.example.layer_count--;
		memmove(&c.layers[layer], &c.layers[layer + 1], (c.example.layer_count - layer) * sizeof *c.layers);
	}
	return end(&c, status, error);
}

/* ---- the commit ---------------------------------------------------------------------------------------------------------- */

/* The fitted scene shares all large arrays with the old one; only a few lists are replaced. */

/* A point counts as edited if it moved farther than this share of the mesh's diagonal. */
static const double MOVE_TOLERANCE = 1e-9;

/* ---- committing ---------------------------------------------------------------------------------------------------------- */

/* The scene after the commit: new rows are at the end of its lists, with id 0. */
typedef struct sculpt_job {
	const snw_sculpt_commit *sculpt;
	const snw_scene *scene;
	snw_scene next;
	snw_arena *arena; /* for the data that `next` does not share with the scene */
	/* The sculpted mesh first, then those beside it; and their examples. */
	uint32_t part_count;
	snw_sculpt_beside *parts;
	uint32_t *examples;
	uint32_t pose;                 /* SNW_NONE: no example is new */
	uint32_t group_count, *groups; /* that the examples join */
	bool puts_pose;                /* the pose is new or gets a name */
} sculpt_job;

static void *extended(snw_arena *arena, const void *list, uint32_t count, size_t size) {
	char *longer = snw_arena_array(arena, (size_t)count + 1, size);
	if (count > 0) {
		memcpy(longer, list, count * size);
	}
	return longer;
}

/* Only points that were moved are part of the sculpt. */
static void find_edited(const sculpt_job *job, const snw_sculpt_beside *part, snw_example *example) {
	const uint32_t count = job->scene->meshes[part->mesh].point_count;
	const double tolerance = MOVE_TOLERANCE * snw_scene_diagonal(job->scene, part->mesh);
	uint32_t *edited = SNW_NEW_ARRAY(job->arena, uint32_t, (size_t)count + 1);
	example->edited_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		const double *point = part->points_posed + 3 * (size_t)i, *before = part->points_original + 3 * (size_t)i;
		if (fabs(point[0] - before[0]) > tolerance || fabs(point[1] - before[1]) > tolerance ||
			fabs(point[2] - before[2]) > tolerance) {
			edited[example->edited_count++] = i;
		}
	}
	example->edited = example->edited_count < count ? edited : NULL;
	example->edited_count = example->edited ? example->edited_count : 0;
	example->points_posed = part->points_posed;
}

/* Finds the pose by its name; otherwise by its id, and renames it; otherwise adds it. */
static uint32_t find_pose(sculpt_job *job) {
	const snw_pose *pose = job->sculpt->pose;
	const uint32_t found = snw_scene_find_pose(job->scene, pose->name);
	if (found != SNW_NONE) {
		return found;
	}
	uint32_t place = 0;
	while (place < job->scene->pose_count && (pose->id == 0 || job->scene->poses[place].id != pose->id)) {
		place++;
	}
	const bool exists = place < job->scene->pose_count;
	snw_pose *poses = extended(job->arena, job->scene->poses, job->scene->pose_count, sizeof *poses);
	poses[place] = *pose;
	poses[place].id = exists ? pose->id : 0;
	job->next.poses = poses;
	job->next.pose_count += !exists;
	job->puts_pose = true;
	return place;
}

/* The field of one half of a mesh; it is added if there is none. */
static uint32_t find_half(sculpt_job *job, uint32_t mesh, bool is_left) {
	const snw_half half = {.mesh = mesh, .plane = job->sculpt->plane, .is_left = is_left};
	const uint32_t found = snw_half_find(&job->next, &half);
	if (found != SNW_NONE) {
		return found;
	}
	snw_field *fields = extended(job->arena, job->next.fields, job->next.field_count, sizeof *fields);
	fields[job->next.field_count] = snw_half_make(&job->next, &half, job->arena);
	job->next.fields = fields;
	return job->next.field_count++;
}

/* An example joins a group, or stays in it, under a mask. */
static void join_under_mask(const sculpt_job *job, snw_group *group, uint32_t example, uint32_t mask) {
	snw_member *members = extended(job->arena, group->members, group->member_count, sizeof *members);
	uint32_t at = 0;
	while (at < group->member_count && members[at].example != example) {
		at++;
	}
	members[at] = (snw_member){.example = example, .mask = mask};
	group->member_count += at == group->member_count;
	group->members = members;
}

/* The groups can be changed, and one more can be added. */
static snw_group *change_groups(sculpt_job *job) {
	snw_group *groups = extended(job->arena, job->next.groups, job->next.group_count, sizeof *groups);
	job->next.groups = groups;
	return groups;
}

/* New examples join the group; all of a symmetric sculpt join those of both sides. */
static void join_new_examples(sculpt_job *job) {
	const snw_sculpt_commit *sculpt = job->sculpt;
	const char *names[2] = {sculpt->group, sculpt->other_group};
	const uint32_t *joints[2] = {sculpt->joints, sculpt->other_joints};
	const uint32_t counts[2] = {sculpt->joint_count, sculpt->other_joint_count};
	for (uint32_t g = 0; g < 2 && names[g]; g++) {
		const uint32_t found = snw_scene_find_group(&job->next, names[g]);
		snw_group *groups = change_groups(job), *group = &groups[found != SNW_NONE ? found : job->next.group_count++];
		job->groups[job->group_count++] = (uint32_t)(group - groups);
		if (found == SNW_NONE) {
			/* Not NULL even without joints, as in a scene read from the project. */
			*group = (snw_group){.name = names[g], .joint_count = counts[g]};
			group->joints = extended(job->arena, joints[g], counts[g], sizeof *group->joints);
		}
		for (uint32_t p = 0; p < job->part_count; p++) {
			const bool is_left = (g == 1) == sculpt->other_is_left;
			if (sculpt->other_group) {
				join_under_mask(job, group, job->examples[p], find_half(job, job->parts[p].mesh, is_left));
			} else if (job->examples[p] >= job->scene->example_count) {
				join_under_mask(job, group, job->examples[p], SNW_NONE);
			}
		}
	}
}

/* What was made beside an example that was there before joins its groups, on the same side. Of several groups that share it by
 * other masks it joins the first. */
static void join_groups_of_first(sculpt_job *job) {
	bool is_shared = false;
	for (uint32_t g = 0; g < job->scene->group_count; g++) {
		const uint32_t member = snw_group_member(&job->scene->groups[g], job->examples[0]);
		const uint32_t mask = member == SNW_NONE ? SNW_NONE : job->scene->groups[g].members[member].mask;
		bool is_left;
		const bool is_half = snw_mask_is_half(job->scene, mask, &job->sculpt->plane, &is_left);
		const bool joins = mask == SNW_NONE || is_half || !is_shared;
		is_shared = is_shared || (mask != SNW_NONE && !is_half);
		for (uint32_t p = 1; p < job->part_count && member != SNW_NONE && joins; p++) {
			if (job->examples[p] >= job->scene->example_count) {
				const uint32_t half = is_half ? find_half(job, job->parts[p].mesh, is_left) : SNW_NONE;
				join_under_mask(job, &change_groups(job)[g], job->examples[p], half);
			}
		}
		if (member != SNW_NONE && joins) {
			job->groups[job->group_count++] = g;
		}
	}
}

/* What the stroke changed becomes a part of the active sculpt layer. */
static void change_layer(const sculpt_job *job, const snw_sculpt_beside *part, snw_example *example) {
	const uint32_t count = job->scene->meshes[part->mesh].point_count;
	const uint32_t layer = snw_sculpt_layer_of_id(example, job->sculpt->layer);
	if (fabs(snw_sculpt_layer_amount(&example->layers[layer])) < SNW_LEAST_STROKE_OPACITY) {
		return; /* it is not in the points: the change stays in them */
	}
	double *before = snw_arena_copy(job->arena, part->points_original, 3 * (size_t)count * sizeof *before);
	snw_example_apply_edited(example, count, before);
	add_layer_change(example, layer, count, before, part->points_posed,
					 MOVE_TOLERANCE * snw_scene_diagonal(job->scene, part->mesh), job->arena);
}

static void list_parts(sculpt_job *job) {
	const snw_sculpt_commit *sculpt = job->sculpt;
	job->part_count = 1 + sculpt->beside_count;
	job->parts = SNW_NEW_ARRAY(job->arena, snw_sculpt_beside, job->part_count);
	job->examples = SNW_NEW_ARRAY(job->arena, uint32_t, job->part_count);
	job->parts[0] = (snw_sculpt_beside){.example = sculpt->example,
										.mesh = sculpt->mesh,
										.points_posed = sculpt->points_posed,
										.points_original = sculpt->points_original};
	for (uint32_t p = 1; p < job->part_count; p++) {
		job->parts[p] = sculpt->beside[p - 1];
	}
}

static void make_next(sculpt_job *job) {
	list_parts(job);
	const uint32_t count = job->scene->example_count;
	snw_example *examples = SNW_NEW_ARRAY(job->arena, snw_example, (size_t)count + job->part_count);
	if (count > 0) {
		memcpy(examples, job->scene->examples, count * sizeof *examples);
	}
	job->next = *job->scene;
	job->next.arena = job->arena;
	job->next.examples = examples;
	job->pose = SNW_NONE;
	job->groups = SNW_NEW_ARRAY(job->arena, uint32_t, (size_t)job->scene->group_count + 2);
	for (uint32_t p = 0; p < job->part_count; p++) {
		const snw_sculpt_beside *part = &job->parts[p];
		const uint32_t found = snw_scene_find_example(job->scene, part->example);
		job->examples[p] = found != SNW_NONE ? found : job->next.example_count++;
		snw_example *example = &examples[job->examples[p]];
		if (p == 0 && job->sculpt->keeps_example) {
			continue;
		}
		if (found == SNW_NONE) {
			job->pose = job->pose == SNW_NONE ? find_pose(job) : job->pose;
			*example = (snw_example){.name = part->example, .pose = job->pose, .mesh = part->mesh};
		}
		if (example->layer_count > 0) {
			change_layer(job, part, example);
		}
		find_edited(job, part, example);
	}
	if (job->sculpt->other_group || (job->sculpt->group && job->pose != SNW_NONE)) {
		join_new_examples(job);
	} else if (job->pose != SNW_NONE) {
		join_groups_of_first(job);
	}
}

/* Writes the rows of the examples and their pose; `ids` [part_count] are the examples'. */
static snw_status put_examples(const sculpt_job *job, snw_project *project, int64_t *ids, snw_error *error) {
	int64_t pose_id = 0;
	snw_status status = job->puts_pose ? snw_project_put_pose(project, &job->next.poses[job->pose], &pose_id, error) : SNW_OK;
	for (uint32_t p = 0; p < job->part_count && !snw_failed(status); p++) {
		const snw_example *example = &job->next.examples[job->examples[p]];
		const snw_mesh *mesh = &job->next.meshes[example->mesh];
		const bool has_new_pose = job->puts_pose && example->pose == job->pose;
		if (p == 0 && job->sculpt->keeps_example) {
			ids[p] = example->id;
			continue;
		}
		status = snw_project_put_example(project, example, has_new_pose ? pose_id : job->next.poses[example->pose].id, mesh->id,
										 mesh->point_count, &ids[p], error);
	}
	return status;
}

/* The id of an example of `next`, whose new ones have got theirs by now. */
static int64_t id_of(const sculpt_job *job, const int64_t *ids, uint32_t example) {
	for (uint32_t p = 0; p < job->part_count; p++) {
		if (job->examples[p] == example) {
			return ids[p];
		}
	}
	return job->scene->examples[example].id;
}

/* Writes the fields that are new; `ids` [field_count] are those of all. */
static snw_status put_fields(const sculpt_job *job, snw_project *project, int64_t *ids, snw_error *error) {
	snw_status status = SNW_OK;
	for (uint32_t f = 0; f < job->next.field_count && !snw_failed(status); f++) {
		const snw_field *field = &job->next.fields[f];
		ids[f] = field->id;
		if (f >= job->scene->field_count) {
			status = snw_project_put_field(project, field, job->scene->meshes[field->mesh].id, &ids[f], error);
		}
	}
	return status;
}

static snw_status put_group(const sculpt_job *job, snw_project *project, const snw_group *group, const int64_t *ids,
							const int64_t *field_ids, snw_error *error) {
	int64_t *examples = SNW_NEW_ARRAY(job->arena, int64_t, group->member_count);
	int64_t *masks = SNW_NEW_ARRAY(job->arena, int64_t, group->member_count), id;
	for (uint32_t i = 0; i < group->member_count; i++) {
		const snw_member *member = &group->members[i];
		examples[i] = id_of(job, ids, member->example);
		masks[i] = member->mask == SNW_NONE ? 0 : field_ids[member->mask];
	}
	return snw_project_put_group(project, group, examples, masks, &id, error);
}

static snw_status put_groups(const sculpt_job *job, snw_project *project, const int64_t *ids, snw_error *error) {
	int64_t *fields = SNW_NEW_ARRAY(job->arena, int64_t, (size_t)job->next.field_count + 1);
	snw_status status = put_fields(job, project, fields, error);
	for (uint32_t g = 0; g < job->group_count && !snw_failed(status); g++) {
		status = put_group(job, project, &job->next.groups[job->groups[g]], ids, fields, error);
	}
	return status;
}

/* Failures and caveats go to `warning`. False if there is no fit. */
static bool fit_next(const sculpt_job *job, const snw_registry *registry, const snw_task *task, snw_arena *arena,
					 snw_fit_outcome *outcome, snw_sculpt_committed *committed) {
	const snw_layer *layer = job->sculpt->corrective == SNW_NONE ? NULL : &job->scene->layers[job->sculpt->corrective];
	const snw_fit_request request = {.method = layer ? layer->deformer : job->sculpt->method,
									 .layer = layer ? layer->name : NULL,
									 .setting_count = layer ? layer->setting_count : 0,
									 .settings = layer ? layer->settings : NULL,
									 .left_out_example = SNW_NONE};
	if (!request.method) {
		return false;
	}
	const double begun = snk_clock_seconds();
	snw_error why = {0};
	const snw_status status = snw_fit_run(&job->next, registry, &request, task, outcome, &why);
	committed->fit_seconds = snk_clock_seconds() - begun;
	committed->warning =
		status == SNW_OK ? NULL : snw_arena_text(arena, status > 0 && outcome->caveat ? outcome->caveat : why.text);
	return !snw_failed(status);
}

static snw_status put_rows(const sculpt_job *job, snw_project *project, const snw_fit_outcome *outcome, int64_t *id,
						   snw_error *error) {
	int64_t *ids = SNW_NEW_ARRAY(job->arena, int64_t, job->part_count);
	snw_status status = put_examples(job, project, ids, error);
	status = snw_failed(status) ? status : put_groups(job, project, ids, error);
	*id = ids[0];
	return !snw_failed(status) && outcome ? snw_project_put_fit(project, &job->next, outcome, error) : status;
}

static snw_status put_all(const sculpt_job *job, snw_project *project, const snw_fit_outcome *outcome, int64_t *id,
						  snw_error *error) {
	snw_status status =
		job->sculpt->amends ? snw_project_begin_amend(project, error) : snw_project_begin(project, job->sculpt->label, error);
	if (snw_failed(status)) {
		return status;
	}
	status = put_rows(job, project, outcome, id, error);
	if (snw_failed(status)) {
		snw_project_rollback(project);
		return status;
	}
	return job->sculpt->stores_later ? snw_project_finish(project, error) : snw_project_commit(project, error);
}

void snw_sculpt_scene_after(const snw_scene *scene, const snw_sculpt_commit *sculpt, snw_arena *arena, snw_scene *after) {
	sculpt_job job = {.sculpt = sculpt, .scene = scene, .arena = arena};
	make_next(&job);
	*after = job.next;
}

snw_status snw_sculpt_put_example(snw_project *project, const snw_scene *scene, const snw_sculpt_commit *sculpt,
								  snw_error *error) {
	sculpt_job job = {.sculpt = sculpt, .scene = scene, .arena = snw_arena_create()};
	int64_t id;
	make_next(&job);
	const snw_status status = put_rows(&job, project, NULL, &id, error);
	snw_arena_destroy(job.arena);
	return status;
}

snw_status snw_sculpt_commit_example(snw_project *project, const snw_scene *scene, const snw_registry *registry,
									 const snw_sculpt_commit *sculpt, const snw_task *task, snw_arena *arena,
									 snw_sculpt_committed *committed, snw_error *error) {
	const double begun = snk_clock_seconds();
	sculpt_job job = {.sculpt = sculpt, .scene = scene, .arena = snw_arena_create()};
	snw_fit_outcome outcome = {.arena = snw_arena_create()};
	*committed = (snw_sculpt_committed){0};
	make_next(&job);
	const bool is_fitted = fit_next(&job, registry, task, arena, &outcome, committed);
	const snw_status status = put_all(&job, project, is_fitted ? &outcome : NULL, &committed->example, error);
	committed->fitted = is_fitted ? snw_arena_text(arena, outcome.layer.name) : NULL;
	committed->seconds = snk_clock_seconds() - begun;
	snw_arena_destroy(outcome.arena);
	snw_arena_destroy(job.arena);
	return status;
}

static snw_status put_field(snw_project *project, const snw_scene *scene, const char *name, const snw_painted_mesh *painted,
							snw_error *error) {
	const snw_mesh *mesh = &scene->meshes[painted->mesh];
	const uint32_t found = snw_scene_find_field(scene, painted->mesh, name);
	if (found != SNW_NONE && (scene->fields[found].domain != SNW_DOMAIN_POINTS || scene->fields[found].components != 1)) {
		return snw_fail(
			error, SNW_ERROR_CONFLICT,
			"field '%s' of mesh '%s' does not have one number per point, so it cannot be painted; choose another name", name,
			mesh->name);
	}
	const snw_field field = {.id = found == SNW_NONE ? 0 : scene->fields[found].id,
							 .name = name,
							 .domain = SNW_DOMAIN_POINTS,
							 .mesh = painted->mesh,
							 .components = 1,
							 .count = mesh->point_count,
							 .values = painted->values};
	int64_t id;
	return snw_project_put_field(project, &field, mesh->id, &id, error);
}

snw_status snw_sculpt_commit_field(snw_project *project, const snw_scene *scene, const char *label, const char *name,
								   uint32_t count, const snw_painted_mesh *painted, snw_error *error) {
	snw_status status = snw_project_begin(project, label, error);
	if (snw_failed(status)) {
		return status;
	}
	for (uint32_t i = 0; i < count && !snw_failed(status); i++) {
		status = put_field(project, scene, name, &painted[i], error);
	}
	if (snw_failed(status)) {
		snw_project_rollback(project);
		return status;
	}
	return snw_project_commit(project, error);
}
