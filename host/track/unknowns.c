/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a pose may change, and the joints' twists as functions of it.
 */
#include <string.h>

#include "sinew/algebra.h"
#include "task/task.h"
#include "track/track_internal.h"

/* ---- the program's structure --------------------------------------------------------------------------------------------- */

static void find_pairs(tracker *t, const snw_program *p) {
	const size_t joints = t->scene->skeleton.joint_count;
	const uint32_t *slot_joints = t->scene->slot_joints, *slots = p->influence_slots;
	for (uint32_t i = 0; i < p->point_count; i++) {
		const uint32_t begin = p->influence_offsets[i], end = p->influence_offsets[i + 1];
		t->most_influences = end - begin > t->most_influences ? end - begin : t->most_influences;
		for (uint32_t a = begin; a < end; a++) {
			const uint32_t joint = slot_joints[slots[a]];
			t->moves_points[joint] = true;
			for (uint32_t b = begin; b <= a; b++) {
				const uint32_t other = slot_joints[slots[b]];
				uint32_t *pair = &t->pair_of[joint * joints + other];
				if (*pair == SNW_NONE) {
					*pair = t->pair_count++;
					t->pair_of[other * joints + joint] = *pair;
				}
			}
		}
	}
}

static void find_joint_reaches(tracker *t) {
	const snw_skeleton *skeleton = &t->scene->skeleton;
	memcpy(t->reaches, t->moves_points, skeleton->joint_count * sizeof *t->reaches);
	for (uint32_t n = skeleton->joint_count; n-- > 0;) {
		const uint32_t j = skeleton->order[n], parent = skeleton->parents[j];
		if (parent != SNW_NONE) {
			t->reaches[parent] = t->reaches[parent] || t->reaches[j];
		}
	}
}

/* Where joints above the body move no points and have one branch that does, one of them could undo the rotation of another. So
 * only the first joint that moves points, or that has several branches, rotates. */
static void find_above_body(tracker *t) {
	const snw_skeleton *skeleton = &t->scene->skeleton;
	uint32_t *branches = SNW_NEW_ARRAY(t->arena, uint32_t, skeleton->joint_count);
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		if (skeleton->parents[j] != SNW_NONE) {
			branches[skeleton->parents[j]] += t->reaches[j];
		}
	}
	for (uint32_t n = 0; n < skeleton->joint_count; n++) {
		const uint32_t j = skeleton->order[n], parent = skeleton->parents[j];
		t->is_above_body[j] = !t->moves_points[j] && branches[j] == 1 && (parent == SNW_NONE || t->is_above_body[parent]);
	}
}

static void choose_unknowns(tracker *t) {
	const snw_skeleton *skeleton = &t->scene->skeleton;
	for (uint32_t n = 0; n < skeleton->joint_count; n++) {
		const uint32_t j = skeleton->order[n];
		const bool is_root = skeleton->parents[j] == SNW_NONE && t->reaches[j];
		const bool rotates = t->request->is_free ? t->moves_points[j] : t->reaches[j] && !t->is_above_body[j];
		const bool moves = t->request->is_free ? t->moves_points[j] : is_root;
		t->unknowns[j] = (joint_unknowns){SNW_NONE, SNW_NONE};
		if (rotates) {
			t->unknowns[j].rotation = t->unknown_count;
			t->unknown_count += 3;
		}
		if (moves) {
			t->unknowns[j].translation = t->unknown_count;
			t->unknown_count += 3;
		}
	}
}

static void acquire_equations(tracker *t, posed_equations *equations) {
	const size_t joints = t->scene->skeleton.joint_count;
	equations->global = SNW_NEW_ARRAY(t->arena, double, 12 * joints);
	equations->palette = SNW_NEW_ARRAY(t->arena, double, 12 * (size_t)t->scene->slot_count);
	equations->gradients = SNW_NEW_ARRAY(t->arena, double, 6 * joints);
	equations->blocks = SNW_NEW_ARRAY(t->arena, double, 36 * (size_t)t->pair_count);
}

static void acquire_scratch(tracker *t) {
	const size_t joints = t->scene->skeleton.joint_count, unknowns = t->unknown_count;
	size_t slots = 0;
	for (uint32_t k = 0; k < t->part_count; k++) {
		tracked_part *part = &t->parts[k];
		part->points = SNW_NEW_ARRAY(t->arena, double, 3 * (size_t)part->program->point_count);
		part->added = SNW_NEW_ARRAY(t->arena, double, 3 * (size_t)part->program->point_count);
		slots = part->program->slot_count > slots ? part->program->slot_count : slots;
	}
	t->slot_quaternions = SNW_NEW_ARRAY(t->arena, double, 8 * slots);
	t->slot_stretches = SNW_NEW_ARRAY(t->arena, double, 9 * slots);
	t->derivatives = SNW_NEW_ARRAY(t->arena, point_derivative, (size_t)snw_parallel_thread_count() * (t->most_influences + 1));
	t->partial_sums = SNW_NEW_ARRAY(t->arena, double, TRACK_CHUNKS *(1 + 6 * joints + 36 * (size_t)t->pair_count));
	t->twists = SNW_NEW_ARRAY(t->arena, double, 36 * joints * joints);
	t->matrix = SNW_NEW_ARRAY(t->arena, double, unknowns *unknowns);
	t->damped = SNW_NEW_ARRAY(t->arena, double, unknowns *unknowns);
	t->right = SNW_NEW_ARRAY(t->arena, double, unknowns);
	t->step = SNW_NEW_ARRAY(t->arena, double, unknowns);
	acquire_equations(t, &t->present);
	acquire_equations(t, &t->trial);
}

void tracker_prepare(tracker *t) {
	const size_t joints = t->scene->skeleton.joint_count;
	t->pair_of = SNW_NEW_ARRAY(t->arena, uint32_t, joints * joints);
	t->moves_points = SNW_NEW_ARRAY(t->arena, bool, joints);
	t->reaches = SNW_NEW_ARRAY(t->arena, bool, joints);
	t->is_above_body = SNW_NEW_ARRAY(t->arena, bool, joints);
	t->unknowns = SNW_NEW_ARRAY(t->arena, joint_unknowns, joints);
	for (size_t i = 0; i < joints * joints; i++) {
		t->pair_of[i] = SNW_NONE;
	}
	for (uint32_t k = 0; k < t->part_count; k++) {
		find_pairs(t, t->parts[k].program);
	}
	find_joint_reaches(t);
	find_above_body(t);
	choose_unknowns(t);
	acquire_scratch(t);
}

/* ---- equations ----------------------------------------------------------------------------------------------------------- */

/* The blocks as one symmetric matrix. */
static void spread_blocks(const tracker *t, const double *blocks) {
	const size_t joints = t->scene->skeleton.joint_count, width = 6 * joints;
	memset(t->twists, 0, width * width * sizeof *t->twists);
	for (size_t a = 0; a < joints; a++) {
		for (size_t b = a; b < joints; b++) {
			const uint32_t pair = t->pair_of[a * joints + b];
			for (size_t i = 0; i < 36 && pair != SNW_NONE; i++) {
				const size_t row = 6 * a + i / 6, column = 6 * b + i % 6;
				t->twists[row * width + column] = t->twists[column * width + row] = blocks[36 * (size_t)pair + i];
			}
		}
	}
}

/* Adds rows and columns of a joint to those of its parent: the parent moves what the joint moves. */
static void add_to_parents(const tracker *t, double *gradients) {
	const snw_skeleton *skeleton = &t->scene->skeleton;
	const size_t width = 6 * (size_t)skeleton->joint_count;
	for (uint32_t n = skeleton->joint_count; n-- > 0;) {
		const size_t j = skeleton->order[n], parent = skeleton->parents[j];
		if (parent == SNW_NONE) {
			continue;
		}
		for (size_t i = 0; i < 6; i++) {
			gradients[6 * parent + i] += gradients[6 * j + i];
			for (size_t c = 0; c < width; c++) {
				t->twists[(6 * parent + i) * width + c] += t->twists[(6 * j + i) * width + c];
			}
		}
		for (size_t r = 0; r < width; r++) {
			for (size_t i = 0; i < 6; i++) {
				t->twists[r * width + 6 * parent + i] += t->twists[r * width + 6 * j + i];
			}
		}
	}
}

/* The twist of a joint for one unit of an unknown. A rotation about the joint's own place also moves the centre. */
static void twist_of(const tracker *t, const double *global, bool rotates, int axis, double twist[6]) {
	memset(twist, 0, 6 * sizeof *twist);
	twist[rotates ? axis : 3 + axis] = 1;
	if (rotates) {
		const double arm[3] = {t->centre[0] - global[3], t->centre[1] - global[7], t->centre[2] - global[11]};
		snw_cross3(twist, arm, twist + 3);
	}
}

/* An unknown: its joint and its twist. */
typedef struct unknown {
	size_t joint;
	double twist[6];
} unknown;

static void list_unknowns(const tracker *t, const double *global, unknown *list) {
	for (uint32_t j = 0; j < t->scene->skeleton.joint_count; j++) {
		const uint32_t places[2] = {t->unknowns[j].rotation, t->unknowns[j].translation};
		for (int kind = 0; kind < 2; kind++) {
			for (int axis = 0; axis < 3 && places[kind] != SNW_NONE; axis++) {
				unknown *u = &list[places[kind] + (uint32_t)axis];
				u->joint = j;
				twist_of(t, global + 12 * (size_t)j, kind == 0, axis, u->twist);
			}
		}
	}
}

void tracker_reduce(tracker *t, const posed_equations *equations) {
	const size_t joints = t->scene->skeleton.joint_count, width = 6 * joints, unknowns = t->unknown_count;
	snw_arena *scratch = snw_arena_create();
	unknown *list = SNW_NEW_ARRAY(scratch, unknown, unknowns);
	double *gradients = snw_arena_copy(scratch, equations->gradients, width * sizeof *gradients);
	list_unknowns(t, equations->global, list);
	spread_blocks(t, equations->blocks);
	if (!t->request->is_free) {
		add_to_parents(t, gradients);
	}
	for (size_t a = 0; a < unknowns; a++) {
		double row[6] = {0};
		t->right[a] = 0;
		for (size_t i = 0; i < 6; i++) {
			t->right[a] += list[a].twist[i] * gradients[6 * list[a].joint + i];
		}
		for (size_t b = 0; b < unknowns; b++) {
			if (b == 0 || list[b].joint != list[b - 1].joint) {
				memset(row, 0, sizeof row);
				for (size_t i = 0; i < 36; i++) {
					row[i % 6] +=
						list[a].twist[i / 6] * t->twists[(6 * list[a].joint + i / 6) * width + 6 * list[b].joint + i % 6];
				}
			}
			double sum = 0;
			for (size_t i = 0; i < 6; i++) {
				sum += row[i] * list[b].twist[i];
			}
			t->matrix[a * unknowns + b] = sum;
		}
	}
	snw_arena_destroy(scratch);
}

/* ---- steps --------------------------------------------------------------------------------------------------------------- */

static void step_vector(const double *step, uint32_t at, double vector[3]) {
	for (uint32_t c = 0; c < 3; c++) {
		vector[c] = at == SNW_NONE ? 0 : step[at + c];
	}
}

/* local = P⁻¹ exp(rotation) P local, with the parent's rotation P. */
static void rotate_local(const double *parent_global, const double rotation[3], snw_transform *local) {
	snw_transform parent = {.rotation = {0, 0, 0, 1}};
	double q[4], inverse[4];
	if (parent_global) {
		snw_transform_from_mat34(parent_global, &parent);
	}
	snw_quat_from_rotation_vector(rotation, q);
	snw_quat_conjugate(parent.rotation, inverse);
	snw_quat_multiply(q, parent.rotation, q);
	snw_quat_multiply(inverse, q, q);
	snw_quat_multiply(q, local->rotation, local->rotation);
	snw_quat_normalize(local->rotation);
}

static void apply_jointed(const tracker *t, const posed_equations *from, const double *step, snw_pose *to) {
	const snw_skeleton *skeleton = &t->scene->skeleton;
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		const uint32_t parent = skeleton->parents[j];
		double rotation[3], translation[3];
		to->local[j] = from->pose->local[j];
		step_vector(step, t->unknowns[j].rotation, rotation);
		step_vector(step, t->unknowns[j].translation, translation);
		if (t->unknowns[j].rotation != SNW_NONE) {
			rotate_local(parent == SNW_NONE ? NULL : from->global + 12 * (size_t)parent, rotation, &to->local[j]);
		}
		for (int c = 0; c < 3; c++) {
			to->local[j].translation[c] += translation[c];
		}
	}
}

/* Each joint moves by itself. Those that move no points follow their parent. */
static void apply_free(const tracker *t, const posed_equations *from, const double *step, snw_pose *to) {
	const snw_skeleton *skeleton = &t->scene->skeleton;
	snw_arena *scratch = snw_arena_create();
	double *globals = SNW_NEW_ARRAY(scratch, double, 12 * (size_t)skeleton->joint_count);
	for (uint32_t n = 0; n < skeleton->joint_count; n++) {
		const uint32_t j = skeleton->order[n], parent = skeleton->parents[j];
		const double *above = parent == SNW_NONE ? NULL : globals + 12 * (size_t)parent;
		double *global = globals + 12 * (size_t)j, vector[3], q[4], rotation[12], inverse[12], relative[12];
		to->local[j] = from->pose->local[j];
		if (t->unknowns[j].rotation == SNW_NONE) {
			snw_transform_to_mat34(&to->local[j], global);
			if (above) {
				snw_mat34_multiply(above, global, global);
			}
			continue;
		}
		step_vector(step, t->unknowns[j].rotation, vector);
		snw_quat_from_rotation_vector(vector, q);
		snw_quat_to_mat34(q, rotation);
		snw_mat34_multiply(rotation, from->global + 12 * (size_t)j, global);
		step_vector(step, t->unknowns[j].translation, vector);
		for (int c = 0; c < 3; c++) {
			global[4 * c + 3] = from->global[12 * (size_t)j + 4 * (size_t)c + 3] + vector[c];
		}
		memcpy(relative, global, sizeof relative);
		if (above && snw_mat34_invert(above, inverse)) {
			snw_mat34_multiply(inverse, global, relative);
		}
		snw_transform_from_mat34(relative, &to->local[j]);
	}
	snw_arena_destroy(scratch);
}

void tracker_apply(const tracker *t, const posed_equations *from, const double *step, snw_pose *to) {
	if (t->request->is_free) {
		apply_free(t, from, step, to);
	} else {
		apply_jointed(t, from, step, to);
	}
}
