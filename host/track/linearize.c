/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a pose may change, and the normal equations of the joints' twists at it.
 */
#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "pose/pose.h"
#include "program/program.h"
#include "sinew/algebra.h"
#include "task/task.h"
#include "track/track_internal.h"

/* ---- unknowns ------------------------------------------------------------------------------------------------------------ */

/* What a pose may change, and the joints' twists as functions of it. */

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

/* matrix and right: the unknowns' normal equations at `equations`. */
static void reduce_columns(tracker *t, const posed_equations *equations) {
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

/* The pose `to` is `from` after a step of the unknowns. */
static void apply_steps(const tracker *t, const posed_equations *from, const double *step, snw_pose *to) {
	if (t->request->is_free) {
		apply_free(t, from, step, to);
	} else {
		apply_jointed(t, from, step, to);
	}
}

/* ---- the equations ------------------------------------------------------------------------------------------------------- */

/* The normal equations of the joints' twists at a pose. Coefficients of displacements are evaluated at the pose; that they
 * change with it is left out of the derivatives. */

static uint32_t tracked_joint(const tracker *t, const snw_program *program, uint32_t influence) {
	return t->scene->slot_joints[program->influence_slots[influence]];
}

static size_t sum_length(const tracker *t) {
	return 1 + 6 * (size_t)t->scene->skeleton.joint_count + 36 * (size_t)t->pair_count;
}

/* ---- the derivative of one point ----------------------------------------------------------------------------------------- */

/* The place of a joint among a point's derivatives; a new one is zero. */
static point_derivative *derivative_of(point_derivative *list, uint32_t *count, uint32_t joint) {
	uint32_t at = 0;
	while (at < *count && list[at].joint != joint) {
		at++;
	}
	if (at == *count) {
		list[(*count)++] = (point_derivative){.joint = joint};
	}
	return &list[at];
}

/* Adds the derivative of a vector that the twist moves: rotation × vector + weight · translation. */
static void add_twist(const double vector[3], double weight, point_derivative *d) {
	d->rows[0][1] += vector[2];
	d->rows[0][2] -= vector[1];
	d->rows[1][0] -= vector[2];
	d->rows[1][2] += vector[0];
	d->rows[2][0] += vector[1];
	d->rows[2][1] -= vector[0];
	for (int c = 0; c < 3; c++) {
		d->rows[c][3 + c] += weight;
	}
}

/* Linear and affine blends: the point is a sum of vectors, each moved by its joint. */
static uint32_t derive_matrices(const tracker *t, const tracked_part *part, const snw_program_input *input, uint32_t point,
								double posed[3], point_derivative *list) {
	const snw_program *p = part->program;
	const double *x = part->points + 3 * (size_t)point, *rest = p->points_rest + 3 * (size_t)point;
	uint32_t count = 0;
	memset(posed, 0, 3 * sizeof *posed);
	for (uint32_t k = p->influence_offsets[point]; k < p->influence_offsets[point + 1]; k++) {
		const double *m = input->matrices + 12 * (size_t)p->influence_slots[k];
		const double *row = p->blend == SNW_BLEND_AFFINE ? p->influence_rows + 4 * (size_t)k : NULL;
		const double weight = row ? row[3] : p->influence_weights[k];
		double local[3], vector[3];
		for (int c = 0; c < 3; c++) {
			local[c] = row ? row[c] + weight * (x[c] - rest[c]) : weight * x[c];
		}
		snw_mat34_vector(m, local, vector);
		for (int c = 0; c < 3; c++) {
			vector[c] += weight * m[4 * c + 3];
			posed[c] += vector[c];
			vector[c] -= weight * t->centre[c];
		}
		add_twist(vector, weight, derivative_of(list, &count, tracked_joint(t, p, k)));
	}
	return count;
}

/* The sum of a point's dual quaternions, its length, and the stretched point. */
typedef struct blended {
	double q[8]; /* of length 1 */
	double length;
	double x[3];
} blended;

static double sign_of(const tracker *t, const snw_program *p, uint32_t influence, uint32_t pivot) {
	return p->sign_rule == SNW_SIGN_AS_GIVEN
			   ? 1
			   : snw_dual_quaternion_sign(t->slot_quaternions + 8 * (size_t)p->influence_slots[influence],
										  t->slot_quaternions + 8 * (size_t)p->influence_slots[pivot]);
}

static void blend_quaternions(const tracker *t, const tracked_part *part, uint32_t point, uint32_t pivot, blended *b) {
	const snw_program *p = part->program;
	const double *x = part->points + 3 * (size_t)point;
	*b = (blended){.x = {x[0], x[1], x[2]}};
	for (uint32_t k = p->influence_offsets[point]; k < p->influence_offsets[point + 1]; k++) {
		const double weight = p->influence_weights[k], sign = sign_of(t, p, k, pivot);
		const double *q = t->slot_quaternions + 8 * (size_t)p->influence_slots[k];
		const double *stretch = t->slot_stretches + 9 * (size_t)p->influence_slots[k];
		for (int c = 0; c < 8; c++) {
			b->q[c] += weight * sign * q[c];
		}
		for (int c = 0; c < 3; c++) {
			b->x[c] += weight * (snw_dot3(stretch + 3 * c, x) - x[c]);
		}
	}
	b->length = sqrt(snw_quat_dot(b->q, b->q));
	for (int c = 0; c < 8; c++) {
		b->q[c] = b->length > 0 ? b->q[c] / b->length : 0;
	}
}

/* x + 2 r × (r × x + w x) + 2 (w d − d_w r + r × d), as the reference evaluator has it. */
static void transform_blended(const blended *b, double posed[3]) {
	const double *r = b->q, *d = b->q + 4;
	double inner[3], outer[3], cross[3];
	snw_cross3(r, b->x, inner);
	for (int c = 0; c < 3; c++) {
		inner[c] += r[3] * b->x[c];
	}
	snw_cross3(r, inner, outer);
	snw_cross3(r, d, cross);
	for (int c = 0; c < 3; c++) {
		posed[c] = b->x[c] + 2 * (outer[c] + r[3] * d[c] - d[3] * r[c] + cross[c]);
	}
}

/* The derivative of the above by a change of the sum before it is normalised. */
static void derive_blended(const blended *b, const double change[8], double velocity[3]) {
	const double *r = b->q, *d = b->q + 4, along = snw_quat_dot(b->q, change);
	double dr[4], dd[4], inner[3], outer[3], varied[3], cross[3];
	for (int c = 0; c < 4; c++) {
		dr[c] = (change[c] - r[c] * along) / b->length;
		dd[c] = (change[4 + c] - d[c] * along) / b->length;
	}
	snw_cross3(r, b->x, inner);
	snw_cross3(dr, b->x, varied);
	for (int c = 0; c < 3; c++) {
		inner[c] += r[3] * b->x[c];
		varied[c] += dr[3] * b->x[c];
	}
	snw_cross3(dr, inner, outer);
	snw_cross3(r, varied, cross);
	for (int c = 0; c < 3; c++) {
		velocity[c] = outer[c] + cross[c];
	}
	snw_cross3(dr, d, outer);
	snw_cross3(r, dd, cross);
	for (int c = 0; c < 3; c++) {
		velocity[c] += outer[c] + cross[c] + dr[3] * d[c] + r[3] * dd[c] - dd[3] * r[c] - d[3] * dr[c];
		velocity[c] *= 2;
	}
}

/* The change of a slot's dual quaternion under a unit twist: half the twist times it. */
static void twist_quaternion(const tracker *t, const double q[8], int axis, double change[8]) {
	double rotation[4] = {0}, translation[4] = {0}, shift[4];
	if (axis < 3) {
		rotation[axis] = 0.5;
		snw_cross3(t->centre, rotation, translation); /* so that the centre stays */
	} else {
		translation[axis - 3] = 0.5;
	}
	snw_quat_multiply(rotation, q, change);
	snw_quat_multiply(rotation, q + 4, change + 4);
	snw_quat_multiply(translation, q, shift);
	for (int c = 0; c < 4; c++) {
		change[4 + c] += shift[c];
	}
}

static uint32_t derive_quaternions(const tracker *t, const tracked_part *part, uint32_t point, double posed[3],
								   point_derivative *list) {
	const snw_program *p = part->program;
	const uint32_t begin = p->influence_offsets[point], end = p->influence_offsets[point + 1];
	const uint32_t pivot = begin < end ? snw_program_pivot(p, begin, end) : begin;
	uint32_t count = 0;
	blended b;
	blend_quaternions(t, part, point, pivot, &b);
	transform_blended(&b, posed);
	for (uint32_t k = begin; k < end && b.length > 0; k++) {
		const double factor = p->influence_weights[k] * sign_of(t, p, k, pivot);
		point_derivative *d = derivative_of(list, &count, tracked_joint(t, p, k));
		for (int axis = 0; axis < 6; axis++) {
			double change[8], velocity[3];
			twist_quaternion(t, t->slot_quaternions + 8 * (size_t)p->influence_slots[k], axis, change);
			derive_blended(&b, change, velocity);
			for (int c = 0; c < 3; c++) {
				d->rows[c][axis] += factor * velocity[c];
			}
		}
	}
	return count;
}

/* ---- sums ---------------------------------------------------------------------------------------------------------------- */

static void add_block(const point_derivative *a, const point_derivative *b, double *block) {
	for (int i = 0; i < 6; i++) {
		for (int j = 0; j < 6; j++) {
			block[6 * i + j] += a->rows[0][i] * b->rows[0][j] + a->rows[1][i] * b->rows[1][j] + a->rows[2][i] * b->rows[2][j];
		}
	}
}

/* Blocks are those of the pair's lower joint first. */
static void add_equations(const tracker *t, const point_derivative *list, uint32_t count, const double residual[3],
						  double *sums) {
	const uint32_t joints = t->scene->skeleton.joint_count;
	double *gradients = sums + 1, *blocks = gradients + 6 * (size_t)joints;
	sums[0] += snw_dot3(residual, residual);
	for (uint32_t a = 0; a < count; a++) {
		for (int i = 0; i < 6; i++) {
			gradients[6 * (size_t)list[a].joint + (size_t)i] +=
				list[a].rows[0][i] * residual[0] + list[a].rows[1][i] * residual[1] + list[a].rows[2][i] * residual[2];
		}
		for (uint32_t b = 0; b < count; b++) {
			if (list[a].joint <= list[b].joint) {
				const uint32_t pair = t->pair_of[(size_t)list[a].joint * joints + list[b].joint];
				add_block(&list[a], &list[b], blocks + 36 * (size_t)pair);
			}
		}
	}
}

typedef struct linearization {
	const tracker *t;
	const tracked_part *part;
	const snw_program_input *input;
	uint32_t grain;
} linearization;

static void add_chunk(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	const linearization *l = argument;
	const tracker *t = l->t;
	const tracked_part *part = l->part;
	point_derivative *list = t->derivatives + (size_t)thread * t->most_influences;
	double *sums = t->partial_sums + begin / l->grain * sum_length(t);
	memset(sums, 0, sum_length(t) * sizeof *sums);
	for (uint32_t i = begin; i < end; i++) {
		double posed[3], residual[3];
		const uint32_t count = part->program->blend == SNW_BLEND_DUAL_QUATERNION
								   ? derive_quaternions(t, part, i, posed, list)
								   : derive_matrices(t, part, l->input, i, posed, list);
		for (int c = 0; c < 3; c++) {
			residual[c] = (double)part->target[3 * (size_t)i + (size_t)c] - posed[c] - part->added[3 * (size_t)i + (size_t)c];
		}
		add_equations(t, list, count, residual, sums);
	}
}

/* Rest points with their displacements, and the displacements after the blend. */
static void displace(const tracked_part *part, const snw_program_input *input) {
	snw_program displacing = *part->program;
	const size_t bytes = 3 * (size_t)displacing.point_count * sizeof(double);
	displacing.blend = SNW_BLEND_NONE;
	displacing.posed.count = 0;
	snw_program_reference(&displacing, input, NULL, part->points);
	displacing.posed.count = part->program->posed.count;
	displacing.rest.count = 0;
	memset(part->added, 0, bytes);
	snw_program_reference(&displacing, input, part->added, part->added);
}

static void decompose_slots(const tracker *t, const snw_program *program, const snw_program_input *input) {
	for (uint32_t s = 0; s < program->slot_count && program->blend == SNW_BLEND_DUAL_QUATERNION; s++) {
		snw_dual_quaternion_from_mat34(input->matrices + 12 * (size_t)s, t->slot_quaternions + 8 * (size_t)s,
									   t->slot_stretches + 9 * (size_t)s);
	}
}

static void clear_sums(const tracker *t, posed_equations *equations) {
	equations->squares = 0;
	memset(equations->gradients, 0, 6 * (size_t)t->scene->skeleton.joint_count * sizeof(double));
	memset(equations->blocks, 0, 36 * (size_t)t->pair_count * sizeof(double));
}

static void add_chunks(const tracker *t, uint32_t chunks, posed_equations *equations) {
	const size_t gradients = 6 * (size_t)t->scene->skeleton.joint_count, blocks = 36 * (size_t)t->pair_count;
	for (uint32_t n = 0; n < chunks; n++) {
		const double *sums = t->partial_sums + n * sum_length(t);
		equations->squares += sums[0];
		for (size_t i = 0; i < gradients; i++) {
			equations->gradients[i] += sums[1 + i];
		}
		for (size_t i = 0; i < blocks; i++) {
			equations->blocks[i] += sums[1 + gradients + i];
		}
	}
}

static void add_part(const tracker *t, const tracked_part *part, posed_equations *equations) {
	const uint32_t count = part->program->point_count, grain = (count + TRACK_CHUNKS - 1) / TRACK_CHUNKS;
	linearization l = {t, part, snw_stack_program_input(t->evaluation, part->mesh, 0), grain};
	displace(part, l.input);
	decompose_slots(t, part->program, l.input);
	snw_parallel_for(count, grain, add_chunk, &l);
	add_chunks(t, (count + grain - 1) / grain, equations);
}

/* Matrices and normal equations of equations->pose. */
static snw_status tracker_linearize(tracker *t, posed_equations *equations, snw_error *error) {
	snw_pose_view view;
	snw_pose_unwind(t->scene, equations->pose); /* correctives read rotation vectors */
	snw_pose_solve(t->scene, equations->pose, equations->global, equations->palette, &view);
	const snw_status status = snw_stack_drive(t->stack, &view, t->evaluation, error);
	if (snw_failed(status)) {
		return status;
	}
	clear_sums(t, equations);
	for (uint32_t k = 0; k < t->part_count; k++) {
		add_part(t, &t->parts[k], equations);
	}
	return SNW_OK;
}

/* ---- a frame ------------------------------------------------------------------------------------------------------------- */

/* One frame: damped Gauss-Newton steps (Levenberg 1944, Marquardt 1963). */

enum { MOST_STEPS = 60 };

/* A search ends if a step lowers the error by less than this share, or if the error is below this part of the diagonal. */
static const double least_gain = 1e-6, exact = 1e-10;

static const double first_damping = 1e-4, least_damping = 1e-9, most_damping = 1e6;

/* This part of the mean diagonal entry is added to all, so that unknowns which move no point stay 0. */
static const double floor_damping = 1e-9;

static bool solve_damped(tracker *t, double damping) {
	const size_t n = t->unknown_count;
	double mean = 0;
	memcpy(t->damped, t->matrix, n * n * sizeof *t->damped);
	memcpy(t->step, t->right, n * sizeof *t->step);
	for (size_t i = 0; i < n; i++) {
		mean += t->matrix[i * (n + 1)] / (double)n;
	}
	for (size_t i = 0; i < n; i++) {
		t->damped[i * (n + 1)] += damping * t->matrix[i * (n + 1)] + floor_damping * mean;
	}
	return snw_solve_positive(n, 1, t->damped, t->step);
}

static void swap_equations(tracker *t) {
	const posed_equations present = t->present;
	t->present = t->trial;
	t->trial = present;
}

snw_status tracker_fit_frame(tracker *t, snw_error *error) {
	const double points = t->point_count, enough = exact * t->diagonal;
	double damping = first_damping;
	snw_status status = tracker_linearize(t, &t->present, error);
	for (int n = 0; n < MOST_STEPS && !snw_failed(status) && t->unknown_count > 0; n++) {
		reduce_columns(t, &t->present);
		double gain = 0;
		while (gain <= 0 && damping < most_damping && !snw_failed(status)) {
			if (solve_damped(t, damping)) {
				apply_steps(t, &t->present, t->step, t->trial.pose);
				status = tracker_linearize(t, &t->trial, error);
				gain = t->present.squares - t->trial.squares;
			}
			damping = gain > 0 ? fmax(damping / 10, least_damping) : damping * 10;
		}
		if (gain > 0) {
			swap_equations(t);
		}
		if (!(gain > least_gain * t->present.squares) || t->present.squares < points * enough * enough) {
			break;
		}
	}
	return status;
}
