/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "example/sculpts.h"

#include <string.h>

#include "example/examples.h"
#include "example/groups.h"
#include "file/file.h"
#include "fit/samples.h"
#include "pose/pose.h"
#include "sculpt/sculpt.h"
#include "sinew/algebra.h"

typedef struct storing {
	snw_project *project;
	const snw_scene *scene; /* the project's */
	const snw_registry *registry;
	const snw_task *task;
	snw_arena *arena;
	snw_stored_sculpt *sculpt;
	bool is_in_step;      /* a command is open, and is fitted again by who has opened it */
	uint32_t found;       /* the example that is there; SNW_NONE: a new one */
	uint32_t leader;      /* whose groups a new one joins; SNW_NONE for none */
	uint32_t group;       /* the one of these that moves it */
	uint32_t corrective;  /* a layer; SNW_NONE for none */
	const snw_pose *pose; /* of the example */
	double *original;     /* [point_count][3], the skin without sculpts */
} storing;

/* A pose without a name may have got an example by an earlier stroke. */
static uint32_t find_earlier(const snw_scene *scene, const snw_stored_sculpt *sculpt) {
	return sculpt->name ? snw_scene_find_example(scene, sculpt->name) : snw_sculpt_example(scene, sculpt->mesh, sculpt->pose);
}

/* The name of an example beside that of the stroked mesh, which none of the others in this step has: their meshes have other
 * names. */
static const char *name_beside(const snw_scene *scene, const char *name, uint32_t mesh, snw_arena *arena) {
	return snw_scene_free_name(scene, snw_scene_find_example, snw_arena_format(arena, "%s-%s", name, scene->meshes[mesh].name),
							   arena);
}

/* Names what the stroke moved of other meshes, and finds it without the sculpt. */
static snw_status find_beside(const storing *s, snw_error *error) {
	const snw_scene *scene = s->scene;
	snw_status status = SNW_OK;
	for (uint32_t k = 0; k < s->sculpt->beside_count && !snw_failed(status); k++) {
		snw_sculpt_beside *beside = &s->sculpt->beside[k];
		const uint32_t found = snw_sculpt_example(scene, beside->mesh, s->pose);
		double *points, *original;
		status = snw_sculpt_points(scene, s->registry, beside->mesh, s->pose, found, s->corrective, s->arena, &points,
								   &original, error);
		beside->points_original = original;
		beside->example = found != SNW_NONE ? snw_arena_text(s->arena, scene->examples[found].name)
											: name_beside(scene, s->sculpt->name, beside->mesh, s->arena);
	}
	return status;
}

bool snw_stored_sculpt_is_driven(const snw_stored_sculpt *sculpt) {
	return sculpt->driver_count > 0 && sculpt->drivers[0].share >= SNW_LEAST_DRIVEN;
}

/* The joints that could drive the sculpt; and under symmetry those of both sides. */
static snw_status find_drivers(const storing *s, snw_error *error) {
	snw_stored_sculpt *sculpt = s->sculpt;
	const snw_driver_query query = {.mesh = sculpt->mesh,
									.pose = sculpt->pose,
									.points_posed = sculpt->points,
									.points_original = s->original,
									.corrective = s->corrective};
	const snw_status status =
		snw_find_drivers(s->scene, s->registry, &query, s->arena, &sculpt->drivers, &sculpt->driver_count, error);
	if (!snw_failed(status) && sculpt->is_symmetric) {
		sculpt->sides = snw_choose_groups_of_sides(s->scene, &query, &sculpt->plane, s->found, sculpt->driver_count,
												   sculpt->drivers, s->arena);
	}
	return status;
}

/* Whether one of a group's joints moves what is sculpted, or the method chooses them. */
static bool may_drive(const snw_group *group, uint32_t count, const snw_driver *drivers) {
	bool may = group->joint_count == 0;
	for (uint32_t i = 0; i < count && !may; i++) {
		for (uint32_t j = 0; j < group->joint_count; j++) {
			may = may || (group->joints[j] == drivers[i].joint && drivers[i].share >= SNW_LEAST_DRIVEN);
		}
	}
	return may;
}

uint32_t snw_sculpt_leader(const snw_scene *scene, uint32_t mesh, const snw_pose *pose, uint32_t driver_count,
						   const snw_driver *drivers, uint32_t *group, uint32_t *group_count) {
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const uint32_t found = m == mesh ? SNW_NONE : snw_sculpt_example(scene, m, pose);
		*group = SNW_NONE;
		*group_count = 0;
		for (uint32_t g = 0; g < scene->group_count && found != SNW_NONE; g++) {
			const bool is_in = snw_group_member(&scene->groups[g], found) != SNW_NONE;
			*group = is_in && *group == SNW_NONE && may_drive(&scene->groups[g], driver_count, drivers) ? g : *group;
			*group_count += is_in;
		}
		if (*group != SNW_NONE) {
			return found;
		}
	}
	return SNW_NONE;
}

static void find_leader(storing *s) {
	const snw_stored_sculpt *sculpt = s->sculpt;
	uint32_t group_count = 0;
	const uint32_t found = sculpt->must_be_driven ? SNW_NONE
												  : snw_sculpt_leader(s->scene, sculpt->mesh, s->pose, sculpt->driver_count,
																	  sculpt->drivers, &s->group, &group_count);
	const bool is_apart = sculpt->sides.sides == SNW_SIDES_APART;
	s->leader = is_apart && group_count < 2 ? SNW_NONE : found;
	if (s->leader != SNW_NONE) {
		s->pose = &s->scene->poses[s->scene->examples[s->leader].pose];
	}
}

/* The joint that drives the group comes first among those that could drive the sculpt. */
static void put_first(const snw_group *group, uint32_t count, snw_driver *drivers) {
	uint32_t at = 0;
	while (group->joint_count > 0 && at < count && drivers[at].joint != group->joints[0]) {
		at++;
	}
	for (; group->joint_count > 0 && at > 0 && at < count; at--) {
		const snw_driver first = drivers[at];
		drivers[at] = drivers[at - 1];
		drivers[at - 1] = first;
	}
}

/* A new example in the groups of its leader. */
static void follow_leader(const storing *s) {
	const snw_scene *scene = s->scene;
	const snw_example *leader = &scene->examples[s->leader];
	snw_stored_sculpt *sculpt = s->sculpt;
	const snw_group *group = &scene->groups[s->group];
	put_first(group, sculpt->driver_count, sculpt->drivers);
	sculpt->is_new = true;
	sculpt->sides = (snw_groups_of_sides){0};
	sculpt->group = (snw_group_choice){.group = s->group, .name = snw_arena_text(s->arena, group->name), .twin = SNW_NONE};
	sculpt->name = sculpt->name ? sculpt->name : name_beside(scene, leader->name, sculpt->mesh, s->arena);
	sculpt->pose_name = snw_arena_text(s->arena, s->pose->name);
}

/* The group of a new example, and the names that follow from the joint that drives it. */
static void choose_names(const storing *s) {
	const snw_scene *scene = s->scene;
	snw_stored_sculpt *sculpt = s->sculpt;
	const bool is_driven = sculpt->driver_count > 0;
	const uint32_t driver = is_driven ? sculpt->drivers[0].joint : SNW_NONE;
	uint32_t *joints = SNW_NEW_ARRAY(s->arena, uint32_t, sculpt->driver_count);
	for (uint32_t i = 0; i < sculpt->driver_count; i++) {
		joints[i] = sculpt->drivers[i].joint;
	}
	sculpt->is_new = true;
	sculpt->group = snw_choose_group(scene, sculpt->mesh, sculpt->pose, SNW_NONE, sculpt->driver_count, joints, s->arena);
	if (!sculpt->name) {
		sculpt->name = is_driven ? snw_sculpt_example_name(scene, sculpt->pose, driver, s->arena)
								 : snw_scene_free_name(scene, snw_scene_find_example, "example", s->arena);
	}
	if (!sculpt->pose_name) {
		sculpt->pose_name = is_driven ? snw_sculpt_pose_name(scene, sculpt->pose, sculpt->name, driver, s->arena)
									  : snw_scene_free_name(scene, snw_scene_find_pose, sculpt->name, s->arena);
	}
}

static snw_status send(const storing *s, const snw_sculpt_commit *order, snw_error *error) {
	if (s->is_in_step) {
		return snw_sculpt_put_example(s->project, s->scene, order, error);
	}
	snw_sculpt_committed done;
	const snw_status status =
		snw_sculpt_commit_example(s->project, s->scene, s->registry, order, s->task, s->arena, &done, error);
	s->sculpt->warning = snw_failed(status) ? NULL : done.warning;
	return status;
}

static snw_status commit_beside(const storing *s, bool amends, snw_error *error) {
	const snw_example *leader = &s->scene->examples[s->leader];
	snw_stored_sculpt *sculpt = s->sculpt;
	snw_sculpt_beside *parts = SNW_NEW_ARRAY(s->arena, snw_sculpt_beside, (size_t)sculpt->beside_count + 1);
	parts[0] = (snw_sculpt_beside){
		.example = sculpt->name, .mesh = sculpt->mesh, .points_posed = sculpt->points, .points_original = s->original};
	for (uint32_t i = 0; i < sculpt->beside_count; i++) {
		parts[i + 1] = sculpt->beside[i];
	}
	const snw_sculpt_commit order = {.label = snw_arena_format(s->arena, "%s %s", sculpt->verb, sculpt->name),
									 .stores_later = sculpt->stores_later,
									 .amends = amends,
									 .example = leader->name,
									 .keeps_example = true,
									 .mesh = leader->mesh,
									 .beside_count = sculpt->beside_count + 1,
									 .beside = parts,
									 .layer = sculpt->layer,
									 .pose = s->pose,
									 .plane = snw_symmetry_plane(s->scene, leader->mesh),
									 .corrective = s->corrective,
									 .method = snw_registry_trait_name(s->registry, SNW_CORRECTS)};
	return send(s, &order, error);
}

static snw_status commit(const storing *s, bool amends, snw_error *error) {
	snw_stored_sculpt *sculpt = s->sculpt;
	if (s->leader != SNW_NONE) {
		return commit_beside(s, amends, error);
	}
	const bool are_apart = sculpt->sides.sides == SNW_SIDES_APART;
	const snw_group_choice *group = are_apart ? &sculpt->sides.group : &sculpt->group, *other = &sculpt->sides.other;
	const snw_sculpt_commit order = {.label = snw_arena_format(s->arena, "%s %s", sculpt->verb, sculpt->name),
									 .stores_later = sculpt->stores_later,
									 .amends = amends,
									 .example = sculpt->name,
									 .mesh = sculpt->mesh,
									 .points_posed = sculpt->points,
									 .points_original = s->original,
									 .beside_count = sculpt->beside_count,
									 .beside = sculpt->beside,
									 .layer = sculpt->layer,
									 .pose = s->pose,
									 .group = group->name,
									 .joint_count = group->joint_count,
									 .joints = group->joints,
									 .other_group = are_apart ? other->name : NULL,
									 .other_joint_count = other->joint_count,
									 .other_joints = other->joints,
									 .other_is_left = sculpt->sides.other_is_left,
									 .plane = sculpt->plane,
									 .corrective = s->corrective,
									 .method = snw_registry_trait_name(s->registry, SNW_CORRECTS)};
	return send(s, &order, error);
}

/* In one step, or as a part of the last one. */
static snw_status store(storing *s, bool amends, snw_error *error) {
	const snw_scene *scene = s->scene;
	snw_stored_sculpt *sculpt = s->sculpt;
	double *points;
	s->found = find_earlier(scene, sculpt);
	s->corrective = snw_reference_layer(scene, s->registry);
	s->pose = s->found == SNW_NONE ? sculpt->pose : &scene->poses[scene->examples[s->found].pose];
	snw_status status = snw_sculpt_points(scene, s->registry, sculpt->mesh, s->pose, s->found, s->corrective, s->arena, &points,
										  &s->original, error);
	const bool may_part = sculpt->is_symmetric && s->found != SNW_NONE && snw_group_to_part(scene, s->found) != SNW_NONE;
	if (!snw_failed(status) && (s->found == SNW_NONE || may_part)) {
		status = find_drivers(s, error);
	}
	s->leader = SNW_NONE;
	if (!snw_failed(status) && s->found == SNW_NONE) {
		find_leader(s);
	}
	if (!snw_failed(status) && s->leader != SNW_NONE) {
		follow_leader(s);
	} else if (!snw_failed(status) && s->found == SNW_NONE) {
		choose_names(s);
	}
	if (snw_failed(status) || (sculpt->must_be_driven && sculpt->is_new && !snw_stored_sculpt_is_driven(sculpt))) {
		return status;
	}
	sculpt->name = s->found == SNW_NONE ? sculpt->name : snw_arena_text(s->arena, scene->examples[s->found].name);
	sculpt->pose->name = sculpt->pose_name;
	status = find_beside(s, error);
	return snw_failed(status) ? status : commit(s, amends, error);
}

/* What the stroke made of the counterpart, in the pose that the example of the mesh has now. A new example is named after the
 * joint that drives it, which is that of the other side. If that side is not bent, nothing is stored: the example would appear
 * whenever this side bends. */
static snw_status store_counterpart(const storing *first, snw_error *error) {
	snw_stored_sculpt *stored = first->sculpt;
	snw_scene *scene = NULL;
	snw_status status = snw_project_scene(first->project, &scene, error);
	if (snw_failed(status)) {
		return status;
	}
	const snw_example *example = &scene->examples[snw_scene_find_example(scene, stored->name)];
	const snw_pose *pose = &scene->poses[example->pose];
	const uint32_t found = snw_sculpt_example(scene, stored->counterpart, pose);
	snw_stored_sculpt other = {.verb = stored->verb,
							   .pose_name = snw_arena_text(first->arena, pose->name),
							   .pose = snw_pose_copy(scene, pose, first->arena),
							   .mesh = stored->counterpart,
							   .points = stored->counterpart_points,
							   .counterpart = SNW_NONE,
							   .must_be_driven = true};
	other.pose->id = pose->id;
	other.name = found == SNW_NONE ? NULL : snw_arena_text(first->arena, scene->examples[found].name);
	storing s = *first;
	s.scene = scene;
	s.sculpt = &other;
	status = store(&s, true, error);
	stored->leaves_counterpart = other.is_new && !snw_stored_sculpt_is_driven(&other);
	stored->warning = other.warning ? other.warning : stored->warning;
	snw_scene_destroy(scene);
	return status;
}

const char *snw_example_name_in_pose(const snw_scene *scene, const snw_pose *pose, uint32_t mesh, snw_arena *arena) {
	const uint32_t found = snw_scene_find_example(scene, pose->name);
	const bool is_other = found != SNW_NONE && scene->examples[found].mesh != mesh;
	const char *stem = is_other ? snw_arena_format(arena, "%s-%s", pose->name, scene->meshes[mesh].name) : pose->name;
	return snw_scene_free_name(scene, snw_scene_find_example, stem, arena);
}

snw_status snw_put_sculpt_as_example(snw_project *project, const snw_scene *scene, const snw_registry *registry,
									 snw_stored_sculpt *sculpt, snw_arena *arena, snw_error *error) {
	storing s = {
		.project = project, .scene = scene, .registry = registry, .arena = arena, .sculpt = sculpt, .is_in_step = true};
	return store(&s, false, error);
}

snw_status snw_store_sculpt_as_example(snw_project *project, const snw_scene *scene, const snw_registry *registry,
									   snw_stored_sculpt *sculpt, const snw_task *task, snw_arena *arena, snw_error *error) {
	storing s = {.project = project, .scene = scene, .registry = registry, .task = task, .arena = arena, .sculpt = sculpt};
	const snw_status status = store(&s, false, error);
	return snw_failed(status) || sculpt->counterpart == SNW_NONE ? status : store_counterpart(&s, error);
}

/* ---- sculpts from files -------------------------------------------------------------------------------------------------- */

/* One file, or a folder of them with an example for each. */

/* ---- one file ------------------------------------------------------------------------------------------------------------ */

/* If the edges of a sculpt are this many times longer or shorter than at rest, it has other units, or its points are in
 * another order. */
static const double MOST_STRETCH = 3;

/* The mean length of a mesh's edges with its points at `points`. */
static double edge_length(const snw_mesh *mesh, const double *points) {
	double sum = 0;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		for (uint32_t c = mesh->face_offsets[f], last = mesh->face_offsets[f + 1] - 1; c < mesh->face_offsets[f + 1];
			 last = c++) {
			const double *a = points + 3 * (size_t)mesh->face_points[last], *b = points + 3 * (size_t)mesh->face_points[c];
			sum += snw_length3((double[]){a[0] - b[0], a[1] - b[1], a[2] - b[2]});
		}
	}
	return sum / mesh->face_offsets[mesh->face_count];
}

snw_status snw_sculpt_read(const char *path, const snw_mesh *mesh, const snw_worker_limits *limits, const snw_task *task,
						   snw_arena *arena, const double **points, snw_error *error) {
	snw_mesh sculpt = {0};
	const snw_status status = snw_worker_read_mesh(path, limits, task, arena, &sculpt, error);
	if (snw_failed(status)) {
		return status;
	}
	if (sculpt.point_count != mesh->point_count) {
		return snw_fail(
			error, SNW_ERROR_DATA,
			"%s: it has %u points, but mesh %s has %u; export the pose as .obj, sculpt that file, and keep its points in order",
			path, sculpt.point_count, mesh->name, mesh->point_count);
	}
	const bool same_faces =
		sculpt.face_count == mesh->face_count &&
		memcmp(sculpt.face_offsets, mesh->face_offsets, ((size_t)mesh->face_count + 1) * sizeof *mesh->face_offsets) == 0 &&
		memcmp(sculpt.face_points, mesh->face_points,
			   (size_t)mesh->face_offsets[mesh->face_count] * sizeof *mesh->face_points) == 0;
	if (!same_faces) {
		snw_task_notice(task, SNW_LOG_INFO,
						"%s: it has %u polygons, but mesh %s has %u; the point counts match, so its points are used in order",
						path, sculpt.face_count, mesh->name, mesh->face_count);
	}
	const double stretch = edge_length(mesh, sculpt.points_rest) / edge_length(mesh, mesh->points_rest);
	if (!(stretch > 1 / MOST_STRETCH && stretch < MOST_STRETCH)) {
		snw_task_notice(task, SNW_LOG_WARNING,
						"%s: its edges are %.3g times as long as at rest; check the units and the order of the points", path,
						stretch);
	}
	*points = sculpt.points_rest;
	return SNW_OK;
}

/* ---- a folder ------------------------------------------------------------------------------------------------------------ */

/* The scene is read again after each change, because groups and poses of one file matter to the next. */

/* A point that moved less, as a share of the mesh's diagonal, was not edited: files round. */
static const double FILE_PRECISION = 2e-6;

typedef struct folder_job {
	snw_project *project;
	const snw_registry *registry;
	const snw_task *task;
	snw_arena *arena;
	snw_sculpt_folder *folder;
	snw_error *error;
} folder_job;

static snw_status list_files(folder_job *job) {
	snw_sculpt_folder *folder = job->folder;
	char **paths;
	size_t count;
	const snw_status status =
		snw_path_sequence(snw_path_join(job->arena, folder->folder, "*.obj"), job->arena, &paths, &count, job->error);
	if (snw_failed(status)) {
		return status;
	}
	folder->files = SNW_NEW_ARRAY(job->arena, snw_sculpt_file, count + 1);
	folder->count = (uint32_t)count;
	for (size_t i = 0; i < count; i++) {
		char *name = snw_arena_text(job->arena, snw_path_name(paths[i]));
		name[strlen(name) - strlen(".obj")] = '\0';
		folder->files[i] = (snw_sculpt_file){.path = paths[i], .name = name};
	}
	return SNW_OK;
}

/* The mesh of a new example. */
static uint32_t find_mesh(const folder_job *job, const snw_scene *scene, uint32_t point_count, snw_sculpt_file *file) {
	uint32_t mesh = job->folder->mesh, fitting = 0;
	for (uint32_t m = 0; m < scene->mesh_count && job->folder->mesh == SNW_NONE; m++) {
		if (scene->meshes[m].point_count == point_count) {
			mesh = m;
			fitting++;
		}
	}
	if (fitting > 1) {
		file->skipped = "several meshes have as many points; name one";
		return SNW_NONE;
	}
	return mesh;
}

/* The group of a new example: the one that is wished, or that of the joint that drives it. */
static snw_status group_of_file(const folder_job *job, const snw_scene *scene, const snw_example *example, uint32_t pose,
								const double *below, snw_group *group) {
	const char *name = job->folder->group;
	uint32_t found = name ? snw_scene_find_group(scene, name) : SNW_NONE;
	if (!name) {
		const uint32_t corrective = snw_reference_layer(scene, job->registry);
		const snw_driver_query query = {example->mesh, &scene->poses[pose], example->points_posed, below, corrective};
		snw_driver *drivers;
		uint32_t count, joints[8];
		const snw_status status = snw_find_drivers(scene, job->registry, &query, job->arena, &drivers, &count, job->error);
		if (snw_failed(status)) {
			return status;
		}
		count = count < 8 ? count : 8;
		for (uint32_t i = 0; i < count; i++) {
			joints[i] = drivers[i].joint;
		}
		const snw_group_choice choice =
			snw_choose_group(scene, example->mesh, &scene->poses[pose], SNW_NONE, count, joints, job->arena);
		found = choice.group;
		name = choice.name;
		uint32_t *list = snw_arena_copy(job->arena, choice.joints, sizeof choice.joints);
		*group = (snw_group){.joint_count = choice.joint_count, .joints = list};
	}
	if (found != SNW_NONE) {
		*group = scene->groups[found];
	}
	group->name = name;
	return SNW_OK;
}

static snw_status join_group(const folder_job *job, const snw_scene *scene, const snw_group *group, int64_t example) {
	snw_group longer = *group;
	int64_t *examples = SNW_NEW_ARRAY(job->arena, int64_t, group->member_count + 1u), id;
	int64_t *masks = SNW_NEW_ARRAY(job->arena, int64_t, group->member_count + 1u);
	for (uint32_t m = 0; m < group->member_count; m++) {
		const snw_member *member = &group->members[m];
		examples[m] = scene->examples[member->example].id;
		masks[m] = member->mask == SNW_NONE ? 0 : scene->fields[member->mask].id;
	}
	examples[longer.member_count++] = example;
	return snw_project_put_group(job->project, &longer, examples, masks, &id, job->error);
}

/* Stores the sculpt as an example. */
static snw_status put_sculpt(const folder_job *job, const snw_scene *scene, snw_example *example, uint32_t pose,
							 snw_sculpt_file *file) {
	const snw_mesh *mesh = &scene->meshes[example->mesh];
	const snw_pose *poses[] = {&scene->poses[pose]};
	const bool is_new = example->id == 0;
	double *below = snw_arena_array(job->arena, mesh->point_count, 3 * sizeof *below);
	snw_status status = snw_reference_points(scene, job->registry, example->mesh, 1, poses, &below, job->error);
	if (snw_failed(status)) {
		return status;
	}
	snw_example_find_edited(example, mesh->point_count, below, FILE_PRECISION * snw_scene_diagonal(scene, example->mesh),
							job->arena);
	file->edited_count = example->edited ? example->edited_count : mesh->point_count;
	snw_group group = {0};
	int64_t id;
	status = is_new ? group_of_file(job, scene, example, pose, below, &group) : SNW_OK;
	status = snw_failed(status) ? status
								: snw_project_put_example(job->project, example, scene->poses[pose].id, mesh->id,
														  mesh->point_count, &id, job->error);
	if (!snw_failed(status) && is_new) {
		file->group = snw_arena_text(job->arena, group.name);
		status = join_group(job, scene, &group, id);
	}
	return status;
}

static snw_status take_file(const folder_job *job, const snw_scene *scene, snw_sculpt_file *file) {
	const uint32_t old = snw_scene_find_example(scene, file->name), pose = snw_scene_find_pose(scene, file->name);
	if (old == SNW_NONE && pose == SNW_NONE) {
		file->skipped = "no example and no pose has this name";
		return SNW_OK;
	}
	snw_mesh sculpt = {0};
	const snw_status status = snw_worker_read_mesh(file->path, job->folder->limits, job->task, job->arena, &sculpt, job->error);
	if (snw_failed(status)) {
		return status;
	}
	snw_example example = {.name = file->name};
	if (old != SNW_NONE) {
		example = scene->examples[old];
	} else {
		example.mesh = find_mesh(job, scene, sculpt.point_count, file);
	}
	if (example.mesh == SNW_NONE || scene->meshes[example.mesh].point_count != sculpt.point_count) {
		file->skipped = file->skipped ? file->skipped
						: example.mesh == SNW_NONE
							? snw_arena_format(job->arena, "no mesh has its %u points", sculpt.point_count)
							: snw_arena_format(job->arena, "it has %u points, but mesh %s has %u", sculpt.point_count,
											   scene->meshes[example.mesh].name, scene->meshes[example.mesh].point_count);
		return SNW_OK;
	}
	example.points_posed = sculpt.points_rest;
	return put_sculpt(job, scene, &example, old == SNW_NONE ? pose : example.pose, file);
}

static bool has_file(const snw_sculpt_folder *folder, const char *name) {
	bool is_there = false;
	for (uint32_t i = 0; i < folder->count; i++) {
		is_there = is_there || (!folder->files[i].skipped && strcmp(folder->files[i].name, name) == 0);
	}
	return is_there;
}

static snw_status mirror_file(const folder_job *job, const snw_scene *scene, snw_sculpt_file *file) {
	const char *other = snw_mirror_name(file->name, job->arena);
	if (file->skipped || !other || has_file(job->folder, other)) {
		return SNW_OK;
	}
	const uint32_t example = snw_scene_find_example(scene, file->name);
	const snw_mirror_options options = {.plane = snw_symmetry_plane(scene, scene->examples[example].mesh)};
	snw_mirrored mirrored = {0};
	const snw_status status = snw_project_put_mirrored_example(job->project, scene, job->registry, &options, example, NULL,
															   job->arena, &mirrored, job->error);
	file->mirrored = snw_failed(status) ? NULL : other;
	return status;
}

typedef snw_status file_action(const folder_job *, const snw_scene *, snw_sculpt_file *);

/* Takes a file in or mirrors it. If that fails, nothing of it is left, and `why` gets the reason: one file must not cost the
 * others. */
static snw_status try_file(const folder_job *job, file_action *act, snw_sculpt_file *file, const char **why) {
	snw_error fault = {0};
	folder_job part = *job;
	part.error = &fault;
	snw_scene *scene = NULL;
	snw_status status = snw_project_scene(job->project, &scene, job->error);
	status = snw_failed(status) ? status : snw_project_begin_part(job->project, job->error);
	if (!snw_failed(status)) {
		const snw_status acted = act(&part, scene, file);
		const bool is_over = acted == SNW_CANCELLED || acted == SNW_ERROR_MEMORY;
		if (snw_failed(acted) && !is_over) {
			snw_error_rename(&fault, file->path, snw_path_name(file->path));
			*why = snw_arena_text(job->arena, fault.text);
		}
		status = snw_project_end_part(job->project, !snw_failed(acted), job->error);
		status = is_over ? snw_fail(job->error, acted, "%s", fault.text) : status;
	}
	snw_scene_destroy(scene);
	return status;
}

/* For every file, with the scene as the ones before it have left it. */
static snw_status for_each(const folder_job *job, const char *words, file_action *act) {
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < job->folder->count && !snw_failed(status); i++) {
		snw_sculpt_file *file = &job->folder->files[i];
		if (!snw_task_progress(job->task, (double)i / job->folder->count, words)) {
			return snw_fail(job->error, SNW_CANCELLED, "%s was cancelled; nothing was changed", words);
		}
		status = try_file(job, act, file, act == mirror_file ? &file->unmirrored : &file->skipped);
	}
	return status;
}

snw_status snw_project_put_sculpt_folder(snw_project *project, const snw_registry *registry, const snw_task *task,
										 snw_arena *arena, snw_sculpt_folder *folder, snw_error *error) {
	folder_job job = {project, registry, task, arena, folder, error};
	folder->taken_count = 0;
	snw_status status = list_files(&job);
	status = snw_failed(status) ? status : for_each(&job, "reading sculpts", take_file);
	for (uint32_t i = 0; i < folder->count && !snw_failed(status); i++) {
		folder->taken_count += !folder->files[i].skipped;
	}
	if (!snw_failed(status) && folder->taken_count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s: no file was taken; %s: %s", folder->folder, folder->files[0].name,
						folder->files[0].skipped);
	}
	if (!snw_failed(status) && folder->is_mirrored) {
		status = for_each(&job, "mirroring sculpts", mirror_file);
	}
	return status;
}
