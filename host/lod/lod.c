/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lod/lod.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit/samples.h"
#include "fit/stale.h"
#include "lod/level_skin.h"
#include "lod/lod_internal.h"
#include "motion/motion.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "sinew/kit/numerics/nnls.h"

/* Poses that levels are measured in: frames and shuffled ones that were held out. */
enum {
	HELD_FRAMES = 16,
	HELD_SHUFFLES = 8,
	HELD_MOST = HELD_FRAMES + HELD_SHUFFLES + 1,
	RANGE_POSES = 160,
	USUAL_INFLUENCES = 4,
	MOST_PLAYED = 40000000
};

static const double rest_weight = 8;     /* against one of a clip: no motion may be near the rest */
static const double range_weight = 0.05; /* of a pose of the range of motion against one of a clip */

/* ---- limits -------------------------------------------------------------------------------------------------------------- */

static bool read_triangles(const char *value, size_t length, snw_lod_limits *limits) {
	char copy[32] = "", *end;
	if (length == 0 || length >= sizeof copy) {
		return false;
	}
	memcpy(copy, value, length);
	const double number = strtod(copy, &end);
	if (end != copy && strcmp(end, "%") == 0 && number > 0 && number <= 100) {
		limits->share = number / 100;
		return true;
	}
	limits->triangles = number >= 1 && number <= 4e9 ? (uint32_t)number : 0;
	return end != copy && *end == 0 && number == floor(number) && limits->triangles > 0;
}

static bool read_count(const char *value, size_t length, uint32_t most, uint32_t *count) {
	uint64_t number = 0;
	for (size_t i = 0; i < length; i++) {
		if (value[i] < '0' || value[i] > '9' || number > most) {
			return false;
		}
		number = 10 * number + (uint64_t)(value[i] - '0');
	}
	*count = (uint32_t)number;
	return length > 0 && number >= 1 && number <= most;
}

/* What is wrong with a part of a level; NULL for nothing. */
static const char *read_limit(const char *at, size_t length, snw_lod_limits *limits) {
	const size_t key = strcspn(at, "="), value = key < length ? length - key - 1 : 0;
	if (key == 9 && strncmp(at, "triangles", key) == 0) {
		return read_triangles(at + key + 1, value, limits) ? NULL
														   : "triangles= takes a whole number, or a share from over 0 to 100%";
	}
	if (key == 10 && strncmp(at, "influences", key) == 0) {
		return read_count(at + key + 1, value, 8, &limits->influences) ? NULL : "influences= takes 1 to 8";
	}
	if (key == 6 && strncmp(at, "joints", key) == 0) {
		return read_count(at + key + 1, value, 65536, &limits->joints) ? NULL : "joints= takes a whole number from 1 on";
	}
	return "a level is triangles=N or triangles=N%, and if you like influences=N and joints=N, with commas between";
}

/* Whether an earlier part sets the same as the part at `at`. */
static bool is_repeated(const char *text, const char *at) {
	const size_t key = strcspn(at, "=,") + 1;
	bool found = false;
	for (const char *part = text; part < at; part += strcspn(part, ",") + 1) {
		found = found || strncmp(part, at, key) == 0;
	}
	return found;
}

snw_status snw_lod_limits_parse(const char *text, snw_lod_limits *limits, snw_error *error) {
	*limits = (snw_lod_limits){.influences = USUAL_INFLUENCES};
	for (const char *at = text; *at;) {
		const size_t length = strcspn(at, ",");
		const char *wrong = at[length] == ',' && !at[length + 1] ? "nothing follows the comma"
							: is_repeated(text, at)              ? "this is given twice"
																 : read_limit(at, length, limits);
		if (wrong) {
			return snw_fail(error, SNW_ERROR_ARGUMENT, "'%.*s': %s", (int)length, at, wrong);
		}
		at += length + (at[length] == ',');
	}
	return limits->triangles > 0 || limits->share > 0
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_ARGUMENT, "'%s': a level needs triangles=N or triangles=N%%", text);
}

/* ---- staleness ----------------------------------------------------------------------------------------------------------- */

bool snw_level_is_stale(const snw_scene *scene, const snw_registry *registry, const snw_level *level) {
	return level->samples && level->reads != snw_played_hash(scene, registry, level->samples);
}

/* ---- programs ------------------------------------------------------------------------------------------------------------ */

/* Displacements of the mesh's points as those of the level's. */
static snw_displacements through_stencils(const snw_displacements *from, uint32_t point_count, const snw_level *level,
										  snw_arena *arena) {
	snw_displacements made = *from;
	snw_arena *scratch = snw_arena_create();
	const snw_mesh *shape = &level->shape;
	double *dense = SNW_NEW_ARRAY(scratch, double, 3 * (size_t)point_count);
	double *coarse = SNW_NEW_ARRAY(scratch, double, 3 * (size_t)shape->point_count * from->count);
	uint64_t *offsets = SNW_NEW_ARRAY(arena, uint64_t, (size_t)from->count + 1);
	for (uint32_t k = 0; k < from->count; k++) {
		double *to = coarse + 3 * (size_t)shape->point_count * k;
		for (uint64_t i = from->offsets[k]; i < from->offsets[k + 1]; i++) {
			const size_t point = from->points ? from->points[i] : i - from->offsets[k];
			memcpy(dense + 3 * point, from->vectors + 3 * i, 3 * sizeof *dense);
		}
		offsets[k + 1] = offsets[k];
		for (uint32_t p = 0; p < shape->point_count; p++) {
			for (uint32_t j = level->stencil_offsets[p]; j < level->stencil_offsets[p + 1]; j++) {
				for (size_t c = 0; c < 3; c++) {
					to[3 * (size_t)p + c] += level->stencil_weights[j] * dense[3 * (size_t)level->stencil_points[j] + c];
				}
			}
			const double *v = to + 3 * (size_t)p;
			offsets[k + 1] += v[0] != 0 || v[1] != 0 || v[2] != 0;
		}
		for (uint64_t i = from->offsets[k]; i < from->offsets[k + 1]; i++) {
			const size_t point = from->points ? from->points[i] : i - from->offsets[k];
			memset(dense + 3 * point, 0, 3 * sizeof *dense);
		}
	}
	uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, offsets[from->count]);
	double *vectors = SNW_NEW_ARRAY(arena, double, 3 * offsets[from->count]);
	uint64_t at = 0;
	for (uint32_t k = 0; k < from->count; k++) {
		for (uint32_t p = 0; p < shape->point_count; p++) {
			const double *v = coarse + 3 * ((size_t)shape->point_count * k + p);
			if (v[0] != 0 || v[1] != 0 || v[2] != 0) {
				points[at] = p;
				memcpy(vectors + 3 * at++, v, 3 * sizeof *vectors);
			}
		}
	}
	made.offsets = offsets;
	made.points = points;
	made.vectors = vectors;
	snw_arena_destroy(scratch);
	return made;
}

/* The clips that a level was made from: all that move joints, for one from a file. */
static const uint32_t *clips_of(const snw_scene *scene, const snw_level *level, snw_arena *arena, uint32_t *count) {
	uint32_t *clips = SNW_NEW_ARRAY(arena, uint32_t, scene->clip_count);
	*count = 0;
	for (uint32_t c = 0; c < scene->clip_count; c++) {
		const bool was_read = level->samples ? snw_samples_have_clip(level->samples, scene->clips[c].name)
											 : snw_clip_moves_joints(&scene->clips[c]);
		if (was_read) {
			clips[(*count)++] = c;
		}
	}
	return clips;
}

snw_program snw_lod_program(const snw_scene *scene, const snw_stack *stack, const snw_level *level, snw_arena *arena) {
	const snw_mesh *shape = &level->shape;
	const bool is_one = lod_is_one_program(stack, level->mesh);
	const snw_program *program = is_one ? snw_stack_segment(stack, level->mesh, 0).program : NULL;
	snw_program made = program ? *program : (snw_program){.slot_count = level->slot_count};
	made.blend = shape->influence_offsets ? SNW_BLEND_LINEAR : SNW_BLEND_NONE;
	made.point_count = shape->point_count;
	made.points_rest = shape->points_rest;
	made.influence_offsets = shape->influence_offsets;
	made.influence_slots = shape->influence_slots;
	made.influence_weights = shape->influence_weights;
	made.influence_rows = NULL;
	made.normals = (snw_program_normals){0};
	if (program) {
		made.rest = through_stencils(&program->rest, program->point_count, level, arena);
		made.posed = through_stencils(&program->posed, program->point_count, level, arena);
	}
	if (program && program->blend == SNW_BLEND_AFFINE && shape->influence_offsets && level->samples) {
		uint32_t clip_count;
		const uint32_t *clips = clips_of(scene, level, arena, &clip_count);
		lod_rows_put(scene, stack, level, clip_count, clips, arena, &made);
	}
	return made;
}

/* ---- making -------------------------------------------------------------------------------------------------------------- */

uint32_t snw_triangle_count(const snw_mesh *mesh) {
	return mesh->face_count > 0 ? mesh->face_offsets[mesh->face_count] - 2 * mesh->face_count : 0;
}

size_t snw_level_bytes(const snw_level *level) {
	const snw_mesh *shape = &level->shape;
	const size_t points = shape->point_count, corners = 3 * (size_t)shape->face_count;
	return points * 12 + corners * 4 + (shape->influence_offsets ? points * 8 * (size_t)4 : 0) +
		   (shape->corner_uvs ? points * 8 : 0) + (shape->corner_normals ? points * 12 : 0);
}

uint32_t snw_level_influences(const snw_level *level) {
	const uint32_t *offsets = level->shape.influence_offsets;
	uint32_t most = 0;
	for (uint32_t p = 0; offsets && p < level->shape.point_count; p++) {
		most = offsets[p + 1] - offsets[p] > most ? offsets[p + 1] - offsets[p] : most;
	}
	return most;
}

typedef struct making {
	const snw_scene *scene;
	const snw_registry *registry;
	const snw_lod_request *request;
	const snw_task *task;
	snw_arena *arena, *scratch;
	snw_arena *large; /* what levels are made from; gone when they are measured */
	snw_lod_made *made;
	snw_stack *stack;
	snw_motion motion;
	bool *takes_part;             /* [mesh_count] */
	uint32_t *meshes, mesh_count; /* those that take part */
	lod_play *plays;              /* [mesh_count] */
	uint32_t triangle_count;
	bool was_stopped; /* with some levels finished */
	snw_error *error;
} making;

static snw_status choose_simplified(making *m) {
	m->takes_part = SNW_NEW_ARRAY(m->scratch, bool, m->scene->mesh_count);
	m->meshes = SNW_NEW_ARRAY(m->scratch, uint32_t, m->scene->mesh_count);
	for (uint32_t i = 0; i < m->scene->mesh_count; i++) {
		const uint32_t triangles = snw_triangle_count(&m->scene->meshes[i]);
		if (triangles > 0 && (m->request->mesh == SNW_NONE || m->request->mesh == i)) {
			m->takes_part[i] = true;
			m->meshes[m->mesh_count++] = i;
			m->triangle_count += triangles;
		}
	}
	return m->mesh_count > 0
			   ? SNW_OK
			   : snw_fail(m->error, SNW_ERROR_MISSING, "there are no faces to make levels of; import a mesh with faces");
}

/* Their triangles, the level before having as many at least. */
static uint32_t goal_of(const making *m, uint32_t level) {
	const snw_lod_limits *limits = &m->request->levels[level];
	return limits->triangles > 0 ? limits->triangles : (uint32_t)fmax(1, floor(limits->share * m->triangle_count + 0.5));
}

static snw_level level_of(const making *m, uint32_t number, uint32_t mesh, const lod_level_mesh *from, uint32_t slot_count,
						  uint32_t joint_count) {
	return (snw_level){.mesh = mesh,
					   .number = number + 1,
					   .request = m->request->texts[number],
					   .shape = from->mesh,
					   .slot_count = slot_count,
					   .joint_count = joint_count,
					   .stencil_offsets = from->stencils.offsets,
					   .stencil_points = from->stencils.indices,
					   .stencil_weights = from->stencils.weights,
					   .worst_pose = ""};
}

static snw_status make_level(making *m, const lod_surface *surface, lod_collapse *collapse, uint32_t number,
							 const snw_task *task) {
	snw_subtask parts[2] = {{task, 0, 0.7}, {task, 0.7, 1}};
	const snw_task collapsing = snw_task_of_subtask(&parts[0]), fitting = snw_task_of_subtask(&parts[1]);
	lod_level_mesh *meshes = SNW_NEW_ARRAY(m->scratch, lod_level_mesh, m->mesh_count);
	const char *activity = snw_arena_format(m->scratch, "collapsing edges of level %u", number + 1);
	snw_status status = lod_collapse_to(collapse, goal_of(m, number), activity, &collapsing, m->error);
	if (snw_failed(status)) {
		return status;
	}
	for (uint32_t i = 0; i < m->mesh_count; i++) {
		meshes[i] = lod_level_mesh_make(surface, collapse, m->meshes[i], m->arena);
	}
	uint32_t joint_count = 0;
	status = lod_skin_fit(m->scene, m->mesh_count, m->plays, meshes, &m->request->levels[number], &fitting, m->arena,
						  &joint_count, m->error);
	for (uint32_t i = 0; i < m->mesh_count && !snw_failed(status); i++) {
		m->made->levels[m->made->count++] = level_of(m, number, m->meshes[i], &meshes[i], m->plays[i].slot_count, joint_count);
	}
	return status;
}

/* A level starts from the one before. */
static snw_status check_order(const making *m) {
	for (uint32_t n = 1; n < m->request->level_count; n++) {
		if (goal_of(m, n) > goal_of(m, n - 1)) {
			return snw_fail(m->error, SNW_ERROR_ARGUMENT,
							"%s has more triangles than %s before it; give the finest level first", m->request->texts[n],
							m->request->texts[n - 1]);
		}
	}
	return SNW_OK;
}

/* What was finished before a stop stays. */
static snw_status make_levels(making *m, const snw_task *task) {
	lod_surface surface;
	const uint32_t level_count = m->request->level_count;
	lod_surface_make(m->scene, &m->motion, m->request->protect, m->takes_part, m->large, &surface);
	lod_collapse *collapse = lod_collapse_make(&surface, m->large);
	snw_status status = SNW_OK;
	m->made->levels = SNW_NEW_ARRAY(m->arena, snw_level, (size_t)level_count * m->mesh_count);
	uint32_t *goals = SNW_NEW_ARRAY(m->arena, uint32_t, level_count);
	for (uint32_t n = 0; n < level_count; n++) {
		goals[n] = goal_of(m, n);
	}
	m->made->goals = goals;
	m->made->asked_count = level_count;
	for (uint32_t n = 0; n < level_count && !snw_failed(status); n++) {
		snw_subtask part = {task, (double)n / level_count, (double)(n + 1) / level_count};
		const snw_task making_one = snw_task_of_subtask(&part);
		status = make_level(m, &surface, collapse, n, &making_one);
	}
	m->was_stopped = status == SNW_CANCELLED && m->made->count > 0;
	return m->was_stopped ? SNW_OK : status;
}

static void take(const snw_pose_set *set, uint32_t begin, uint32_t end, uint32_t most, uint32_t *count, snw_pose **poses) {
	const uint32_t all = end - begin, kept = all < most ? all : most;
	for (uint32_t i = 0; i < kept; i++) {
		poses[(*count)++] = set->list[begin + (uint64_t)i * all / kept];
	}
}

/* Poses that were held out of the clips; the rest alone, where there are too few. */
static uint32_t choose_held_out(const snw_scene *scene, uint32_t clip_count, const uint32_t *clips, snw_arena *arena,
								snw_pose **poses) {
	snw_pose_set fitted, held_out;
	uint32_t count = 0;
	poses[count++] = snw_pose_rest(scene, arena);
	if (scene->skeleton.joint_count == 0) {
		snw_motion_choose_frames(scene, HELD_FRAMES + HELD_SHUFFLES, 0.5, arena, &count, poses);
	} else if (!snw_failed(snw_pose_sets_choose(scene, clip_count, clips, arena, &fitted, &held_out, NULL))) {
		take(&held_out, 0, held_out.frame_count, HELD_FRAMES, &count, poses);
		take(&held_out, held_out.frame_count, held_out.count, HELD_SHUFFLES, &count, poses);
	} else {
		snw_pose_set_shuffle(scene, HELD_FRAMES + HELD_SHUFFLES, arena, &fitted);
		take(&fitted, fitted.frame_count, fitted.count, HELD_FRAMES + HELD_SHUFFLES, &count, poses);
	}
	return count;
}

static snw_status measure_levels(making *m, const snw_task *task) {
	snw_pose **poses = SNW_NEW_ARRAY(m->scratch, snw_pose *, HELD_MOST);
	const uint32_t clip_count = m->request->clip_count, *clips = m->request->clips;
	m->made->held_count = choose_held_out(m->scene, clip_count, clips, m->scratch, poses);
	const char *samples = snw_samples_of_poses(m->scene, clip_count, clips, m->arena);
	samples = m->request->protect ? snw_samples_add_note(samples, "protect", m->request->protect, m->arena) : samples;
	const uint64_t reads = snw_played_hash(m->scene, m->registry, samples);
	for (uint32_t i = 0; i < m->made->count; i++) {
		m->made->levels[i].samples = samples;
		m->made->levels[i].reads = reads;
	}
	snw_status status =
		lod_levels_measure(m->scene, m->stack, &m->made->held_count, poses, m->made->count, m->made->levels, task, m->error);
	status = status == SNW_CANCELLED ? SNW_OK : status; /* the levels are finished, and told of fewer poses */
	for (uint32_t i = 0; i < m->made->count && !snw_failed(status); i++) {
		m->made->levels[i].worst_pose = snw_arena_text(m->arena, m->made->levels[i].worst_pose);
	}
	return status;
}

/* So many poses of the range of motion: fewer of large meshes, whose points in all poses are held in memory. */
static uint32_t room_for_range(const making *m, uint32_t pose_count) {
	uint64_t points = 1;
	for (uint32_t i = 0; i < m->mesh_count; i++) {
		points += m->scene->meshes[m->meshes[i]].point_count;
	}
	const uint64_t most = MOST_PLAYED / points;
	return most > pose_count + RANGE_POSES ? RANGE_POSES : most > pose_count ? (uint32_t)(most - pose_count) : 0;
}

/* The poses of the motion, and each joint alone: a skin, and above all a choice of joints, that knows only clips may forget
 * what no clip moves. */
static snw_status play(making *m, uint32_t pose_count, snw_pose *const *poses, const snw_task *task) {
	snw_pose_set range = {0};
	snw_pose_set_range_of_motion(m->scene, m->scratch, &range);
	const uint32_t room = room_for_range(m, pose_count), kept = range.count < room ? range.count : room,
				   all = pose_count + kept;
	snw_pose **played = SNW_NEW_ARRAY(m->scratch, snw_pose *, all);
	double *weights = SNW_NEW_ARRAY(m->scratch, double, all);
	for (uint32_t i = 0; i < all; i++) {
		played[i] = i < pose_count ? poses[i] : range.list[(uint64_t)(i - pose_count) * range.count / kept];
		weights[i] = i == 0 ? rest_weight : i < pose_count ? 1 : range_weight;
	}
	snw_status status = SNW_OK;
	m->plays = SNW_NEW_ARRAY(m->scratch, lod_play, m->mesh_count);
	for (uint32_t i = 0; i < m->mesh_count && !snw_failed(status); i++) {
		status = lod_play_make(m->stack, m->scene, m->meshes[i], all, played, weights, task, m->large, &m->plays[i], m->error);
	}
	return status;
}

static snw_status run(making *m) {
	snw_subtask parts[4] = {{m->task, 0, 0.15}, {m->task, 0.15, 0.25}, {m->task, 0.25, 0.8}, {m->task, 0.8, 1}};
	const snw_task moving = snw_task_of_subtask(&parts[0]), playing = snw_task_of_subtask(&parts[1]);
	const snw_task collapsing = snw_task_of_subtask(&parts[2]), measuring = snw_task_of_subtask(&parts[3]);
	uint32_t pose_count;
	snw_pose **poses;
	snw_motion_choose_poses(m->scene, m->request->clip_count, m->request->clips, m->scratch, &pose_count, &poses);
	snw_status status = snw_motion_make(m->stack, m->scene, pose_count, poses, &moving, m->large, &m->motion, m->error);
	status = snw_failed(status) ? status : play(m, pose_count, poses, &playing);
	status = snw_failed(status) ? status : make_levels(m, &collapsing);
	m->made->axis_count = m->motion.axis_count;
	m->made->left_percent = m->motion.left_percent;
	m->made->pose_count = pose_count;
	snw_arena_destroy(m->large);
	m->large = NULL;
	return snw_failed(status) ? status : measure_levels(m, m->was_stopped ? NULL : &measuring);
}

snw_status snw_lod_make(const snw_scene *scene, const snw_registry *registry, const snw_lod_request *request,
						const snw_task *task, snw_arena *arena, snw_lod_made *made, snw_error *error) {
	making m = {
		.scene = scene, .registry = registry, .request = request, .task = task, .arena = arena, .made = made, .error = error};
	*made = (snw_lod_made){0};
	m.scratch = snw_arena_create();
	m.large = snw_arena_create();
	snw_status status = choose_simplified(&m);
	status = snw_failed(status) ? status : check_order(&m);
	const snw_stack_options whole = {0};
	status = snw_failed(status) ? status : snw_stack_build(scene, registry, &whole, task, &m.stack, error);
	status = snw_failed(status) ? status : run(&m);
	snw_stack_destroy(m.stack);
	snw_arena_destroy(m.large);
	snw_arena_destroy(m.scratch);
	return status;
}

/* ---- measuring again ----------------------------------------------------------------------------------------------------- */

/* Frames of a clip, evenly. */
static uint32_t choose_frames(const snw_scene *scene, uint32_t clip, snw_arena *arena, snw_pose **poses) {
	double *seconds;
	uint32_t all;
	snw_clip_times(scene, clip, arena, &seconds, &all);
	const uint32_t count = all < HELD_MOST ? all : HELD_MOST;
	for (uint32_t i = 0; i < count; i++) {
		seconds[i] = seconds[(uint64_t)i * all / count];
	}
	snw_pose_sample_series(scene, clip, count, seconds, arena, poses);
	for (uint32_t i = 0; i < count; i++) {
		poses[i]->name = snw_arena_format(arena, "%s at %.4g s", scene->clips[clip].name, seconds[i]);
	}
	return count;
}

snw_status snw_lod_measure(const snw_scene *scene, const snw_registry *registry, uint32_t clip, uint32_t count,
						   snw_level *levels, const snw_task *task, snw_arena *arena, snw_error *error) {
	snw_pose **poses = SNW_NEW_ARRAY(arena, snw_pose *, HELD_MOST);
	uint32_t clip_count;
	const uint32_t *clips = clips_of(scene, &levels[0], arena, &clip_count);
	uint32_t pose_count =
		clip == SNW_NONE ? choose_held_out(scene, clip_count, clips, arena, poses) : choose_frames(scene, clip, arena, poses);
	const snw_stack_options whole = {0};
	snw_stack *stack = NULL;
	snw_status status = snw_stack_build(scene, registry, &whole, task, &stack, error);
	status = snw_failed(status) ? status : lod_levels_measure(scene, stack, &pose_count, poses, count, levels, task, error);
	snw_stack_destroy(stack);
	return status;
}
