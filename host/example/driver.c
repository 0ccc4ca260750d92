/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "example/groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pose/pose.h"
#include "sinew/algebra.h"
#include "stack/stack.h"

enum { MOST_SAMPLES = 500 }; /* points that are measured, of a larger sculpt */

static const double LEAST_MOTION = 0.05; /* radians, or the like: nearer to rest a joint does not move */
/* Points edited by less than this part of the longest edit do not count. */
static const double NEGLIGIBLE_EDIT = 0.01;
static const double PROBE = 1e-3;  /* of the mesh's diagonal: how far joints are displaced */
static const double NEARBY = 0.1;  /* moving a point rigidly counts less than bending the skin there */
static const double LITTLE = 1e-4; /* of all points: a joint that moves fewer moves no skin */

typedef struct finding {
	const snw_scene *scene;
	const snw_driver_query *query;
	snw_arena *arena;
	const snw_stack *stack; /* the layers below the corrective */
	snw_evaluation *evaluation;
	double diagonal;
	/* The points that are measured. */
	uint32_t count, *points;
	double *parts; /* [count]: the part of the sculpt that each stands for; their sum is 1 */
	double *rest;  /* [count][3] */
	bool is_edited;
	bool runs_black_boxes;
	double *motions;  /* [joint_count]: away from rest; 0 for less than LEAST_MOTION */
	double **shares;  /* [joint_count][count]: W; NULL: not measured */
	bool *moves_skin; /* [joint_count]: a point of the base skins follows the joint, or one below it */
} finding;

/* ---- the sculpt ---------------------------------------------------------------------------------------------------------- */

static double edit_length(const snw_driver_query *query, size_t point) {
	double gap[3];
	for (size_t c = 0; c < 3; c++) {
		gap[c] = query->points_posed[3 * point + c] - query->points_original[3 * point + c];
	}
	return snw_length3(gap);
}

/* Of all edited points, or of all points if none is edited, every n-th. */
static void choose_samples(finding *f) {
	const snw_mesh *mesh = &f->scene->meshes[f->query->mesh];
	double longest = 0, sum = 0;
	uint32_t edited = 0, step = 1;
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		longest = fmax(longest, edit_length(f->query, i));
	}
	f->is_edited = longest > 1e-9 * f->diagonal;
	const double least = f->is_edited ? NEGLIGIBLE_EDIT * longest : -1;
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		edited += edit_length(f->query, i) > least;
	}
	step += edited / MOST_SAMPLES;
	f->points = SNW_NEW_ARRAY(f->arena, uint32_t, edited / step + 1u);
	f->parts = SNW_NEW_ARRAY(f->arena, double, edited / step + 1u);
	f->rest = SNW_NEW_ARRAY(f->arena, double, 3 * ((size_t)edited / step + 1));
	for (uint32_t i = 0, seen = 0; i < mesh->point_count; i++) {
		if (edit_length(f->query, i) > least && seen++ % step == 0) {
			memcpy(f->rest + 3 * (size_t)f->count, mesh->points_rest + 3 * (size_t)i, 3 * sizeof(double));
			f->parts[f->count] = f->is_edited ? edit_length(f->query, i) : 1;
			sum += f->parts[f->count];
			f->points[f->count++] = i;
		}
	}
	for (uint32_t i = 0; i < f->count; i++) {
		f->parts[i] /= sum;
	}
}

/* How far a joint is from rest: its rotation in radians, or its translation in diagonals, or its scale. */
static double motion_of(const finding *f, uint32_t joint) {
	const snw_transform *here = &f->query->pose->local[joint], *rest = &f->scene->skeleton.rest_local[joint];
	double motion = snw_length3(f->query->pose->rotation_vectors + 3 * (size_t)joint);
	for (size_t c = 0; c < 3; c++) {
		motion = fmax(motion, fabs(here->translation[c] - rest->translation[c]) / fmax(f->diagonal, 1e-300));
		motion = fmax(motion, fabs(here->scale[c] - rest->scale[c]));
	}
	return motion > LEAST_MOTION ? motion : 0;
}

/* ---- what follows a joint ------------------------------------------------------------------------------------------------ */

static snw_status pose_samples(const finding *f, const snw_pose_view *view, double *posed, snw_error *error) {
	const snw_status status = snw_stack_drive(f->stack, view, f->evaluation, error);
	if (snw_failed(status)) {
		return status;
	}
	if (f->runs_black_boxes) {
		return snw_stack_reference_at(f->stack, f->evaluation, f->query->mesh, f->count, f->points, f->rest, posed, error);
	}
	snw_stack_programs_at(f->stack, f->evaluation, f->query->mesh, f->count, f->points, posed);
	return SNW_OK;
}

static void find_shares(const finding *f, const double displaced[3], const double *before, const double *after,
						double *shares) {
	const double squared = snw_dot3(displaced, displaced);
	for (uint32_t i = 0; i < f->count && squared > 0; i++) {
		double gap[3];
		for (size_t c = 0; c < 3; c++) {
			gap[c] = after[3 * (size_t)i + c] - before[3 * (size_t)i + c];
		}
		const double share = snw_dot3(gap, displaced) / squared;
		shares[i] = isfinite(share) ? fmin(fmax(share, 0), 1) : 0;
	}
}

/* Joints that move, and those beside them: what belongs to a joint is what follows it and none of its children. */
static bool is_measured(const finding *f, uint32_t joint) {
	const snw_skeleton *skeleton = &f->scene->skeleton;
	bool is_beside = f->motions[joint] > 0;
	for (uint32_t j = 0; j < skeleton->joint_count && !is_beside; j++) {
		const uint32_t parent = skeleton->parents[j];
		is_beside = f->motions[j] > 0 && parent != SNW_NONE && (parent == joint || parent == skeleton->parents[joint]);
	}
	return is_beside;
}

static snw_status measure(finding *f, snw_error *error) {
	const snw_skeleton *skeleton = &f->scene->skeleton;
	snw_arena *scratch = snw_arena_create();
	snw_pose *pose = snw_pose_copy(f->scene, f->query->pose, scratch);
	const snw_pose_view *still = snw_pose_view_make(f->scene, f->query->pose, scratch);
	double *global = SNW_NEW_ARRAY(scratch, double, 12 * (size_t)skeleton->joint_count);
	double *palette = SNW_NEW_ARRAY(scratch, double, 12 * (size_t)f->scene->slot_count);
	double *before = SNW_NEW_ARRAY(scratch, double, 3 * (size_t)f->count + 1);
	double *after = SNW_NEW_ARRAY(scratch, double, 3 * (size_t)f->count + 1);
	snw_status status = pose_samples(f, still, before, error);
	for (uint32_t j = 0; j < skeleton->joint_count && !snw_failed(status); j++) {
		f->shares[j] = NULL;
		if (!is_measured(f, j)) {
			continue;
		}
		const double x = pose->local[j].translation[0];
		double displaced[3];
		snw_pose_view view;
		pose->local[j].translation[0] = x + PROBE * f->diagonal;
		snw_pose_solve(f->scene, pose, global, palette, &view);
		pose->local[j].translation[0] = x;
		for (size_t c = 0; c < 3; c++) {
			displaced[c] = global[12 * (size_t)j + 4 * c + 3] - still->global[12 * (size_t)j + 4 * c + 3];
		}
		status = pose_samples(f, &view, after, error);
		f->shares[j] = SNW_NEW_ARRAY(f->arena, double, f->count + 1u);
		find_shares(f, displaced, before, after, f->shares[j]);
	}
	snw_arena_destroy(scratch);
	return status;
}

static bool moves_any(const finding *f) {
	for (uint32_t j = 0; j < f->scene->skeleton.joint_count; j++) {
		for (uint32_t i = 0; f->shares[j] && i < f->count; i++) {
			if (f->shares[j][i] > LITTLE) {
				return true;
			}
		}
	}
	return false;
}

/* ---- the choice ---------------------------------------------------------------------------------------------------------- */

/* The part of a point that belongs to a joint, or to joints below it up to the next one that moves (`by_motion`) or to the
 * children. */
static double belongs_to(const finding *f, uint32_t joint, uint32_t point, bool by_motion) {
	const snw_skeleton *skeleton = &f->scene->skeleton;
	double part = f->shares[joint] ? f->shares[joint][point] : 0;
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		uint32_t above = skeleton->parents[j];
		while (by_motion && above != SNW_NONE && f->motions[above] == 0) {
			above = skeleton->parents[above];
		}
		part -= above == joint && f->shares[j] && (!by_motion || f->motions[j] > 0) ? f->shares[j][point] : 0;
	}
	return fmax(part, 0);
}

static snw_driver rate(const finding *f, uint32_t joint) {
	const uint32_t parent = f->scene->skeleton.parents[joint];
	double bends = 0, moves = 0, beside = 0;
	for (uint32_t i = 0; i < f->count; i++) {
		const double share = f->shares[joint][i];
		bends += f->parts[i] * 4 * share * (1 - share);
		moves += f->parts[i] * belongs_to(f, joint, i, true);
		beside += parent == SNW_NONE || !f->moves_skin[joint] ? 0 : f->parts[i] * belongs_to(f, parent, i, false);
	}
	const double near = moves + beside, weight = f->is_edited ? bends + NEARBY * near : bends + moves > LITTLE;
	/* If no joint moves the points, the one that moves most comes first. */
	return (snw_driver){.joint = joint, .share = fmin(fmax(bends, near), 1), .score = f->motions[joint] * (weight + 1e-6)};
}

/* A joint that moves no skin anywhere, such as a handle of inverse kinematics, is beside no point. */
static void find_skin(const finding *f) {
	const snw_scene *scene = f->scene;
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		const snw_mesh *mesh = &scene->meshes[m];
		const uint32_t count = mesh->influence_offsets ? mesh->influence_offsets[mesh->point_count] : 0;
		for (uint32_t i = 0; i < count; i++) {
			f->moves_skin[scene->slot_joints[mesh->influence_slots[i]]] |= mesh->influence_weights[i] != 0;
		}
	}
	for (uint32_t i = scene->skeleton.joint_count; i-- > 0;) {
		const uint32_t joint = scene->skeleton.order[i], parent = scene->skeleton.parents[joint];
		if (parent != SNW_NONE && f->moves_skin[joint]) {
			f->moves_skin[parent] = true;
		}
	}
}

static int compare_drivers(const void *one, const void *other) {
	const snw_driver *a = one, *b = other;
	return a->score != b->score ? (a->score < b->score) - (a->score > b->score) : (a->joint > b->joint) - (a->joint < b->joint);
}

static snw_status measure_below(finding *f, const snw_registry *registry, snw_error *error) {
	const uint32_t layer = f->query->corrective == SNW_NONE ? f->scene->layer_count : f->query->corrective;
	const snw_stack_options below = {.only_below = true, .below_layer = layer};
	const snw_stack *stack = NULL;
	snw_status status = snw_stack_borrow(f->scene, registry, &below, NULL, &stack, error);
	if (snw_failed(status)) {
		return status;
	}
	f->stack = stack;
	f->evaluation = snw_evaluation_create_reference(stack);
	status = measure(f, error);
	if (!snw_failed(status) && !moves_any(f)) {
		f->runs_black_boxes = true;
		status = measure(f, error);
	}
	snw_evaluation_destroy(f->evaluation);
	snw_stack_give_back(stack);
	return status;
}

snw_status snw_find_drivers(const snw_scene *scene, const snw_registry *registry, const snw_driver_query *query,
							snw_arena *arena, snw_driver **drivers, uint32_t *count, snw_error *error) {
	const uint32_t joint_count = scene->skeleton.joint_count;
	finding f = {
		.scene = scene, .query = query, .arena = snw_arena_create(), .diagonal = snw_scene_diagonal(scene, query->mesh)};
	f.motions = SNW_NEW_ARRAY(f.arena, double, joint_count + 1u);
	f.shares = SNW_NEW_ARRAY(f.arena, double *, joint_count + 1u);
	f.moves_skin = SNW_NEW_ARRAY(f.arena, bool, joint_count + 1u);
	find_skin(&f);
	choose_samples(&f);
	for (uint32_t j = 0; j < joint_count; j++) {
		f.motions[j] = motion_of(&f, j);
	}
	const snw_status status = measure_below(&f, registry, error);
	*drivers = SNW_NEW_ARRAY(arena, snw_driver, joint_count + 1u);
	*count = 0;
	for (uint32_t j = 0; j < joint_count && !snw_failed(status); j++) {
		if (f.motions[j] > 0) {
			(*drivers)[(*count)++] = rate(&f, j);
		}
	}
	qsort(*drivers, *count, sizeof **drivers, compare_drivers);
	snw_arena_destroy(f.arena);
	return snw_failed(status) ? status : SNW_OK;
}
