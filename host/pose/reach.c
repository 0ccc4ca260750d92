/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pose/pose.h"

#include <math.h>
#include <string.h>

#include "sinew/algebra.h"

/* ---- reach --------------------------------------------------------------------------------------------------------------- */

enum { MOST_STEPS = 100, ROWS = 3 * SNW_REACH_MOST_GOALS };

static const double LEAST_DAMPING = 0.05; /* λ, of the chain's length */
static const double MOST_DAMPING = 1e3;
static const double LONGEST_STEP = 0.25; /* of the chain's length, for one goal */
static const double CLOSE = 1e-7;        /* of the chain's length: a goal is reached */
static const double STUCK = 1e-3;        /* the same: a goal is missed although the chain is long enough */
static const double FIRST_BEND = 0.05;   /* radians */

typedef struct solver {
	const snw_scene *scene;
	const snw_reach *reach;
	snw_pose *pose;
	double *global, *palette;
	double length;  /* of the longest chain from a turning joint to its goal, metres */
	uint32_t count; /* of the joints that turn and are above a goal, parents first */
	uint32_t *joints;
	snw_transform *before; /* [count]: of these joints, before a step */
	double damping;
} solver;

uint32_t snw_reach_chain(const snw_scene *scene, uint32_t joint, const bool *pinned, bool *turning) {
	const snw_skeleton *skeleton = &scene->skeleton;
	const uint32_t count = skeleton->joint_count;
	snw_arena *scratch = snw_arena_create();
	uint32_t *children = SNW_NEW_ARRAY(scratch, uint32_t, count), *limbs = SNW_NEW_ARRAY(scratch, uint32_t, count);
	bool has_pin = false;
	for (uint32_t j = 0; j < count; j++) {
		children[skeleton->parents[j] == SNW_NONE ? j : skeleton->parents[j]] += skeleton->parents[j] != SNW_NONE;
		turning[j] = false;
	}
	for (uint32_t j = 0; j < count; j++) { /* a leaf is no limb: rigs add joints for twist */
		if (skeleton->parents[j] != SNW_NONE && children[j] > 0) {
			limbs[skeleton->parents[j]]++;
		}
	}
	for (uint32_t j = skeleton->parents[joint]; j != SNW_NONE; j = skeleton->parents[j]) {
		has_pin = has_pin || (pinned && pinned[j]);
	}
	uint32_t found = 0;
	for (uint32_t j = skeleton->parents[joint]; j != SNW_NONE; j = skeleton->parents[j]) {
		if (has_pin ? pinned[j] : limbs[j] > 1) {
			break;
		}
		turning[j] = true;
		found++;
	}
	snw_arena_destroy(scratch);
	return found;
}

static void reached_place(const solver *s, uint32_t joint, double dest[3]) {
	for (size_t c = 0; c < 3; c++) {
		dest[c] = s->global[12 * (size_t)joint + 4 * c + 3];
	}
}

static void pose_joints(solver *s) {
	snw_pose_view view;
	snw_pose_solve(s->scene, s->pose, s->global, s->palette, &view);
}

static bool is_above(const solver *s, uint32_t joint, uint32_t other) {
	uint32_t j = s->scene->skeleton.parents[other];
	while (j != SNW_NONE && j != joint) {
		j = s->scene->skeleton.parents[j];
	}
	return j == joint;
}

/* The joints that rotate, parents first, and the length of the longest chain. */
static void find_joints(solver *s) {
	const snw_skeleton *skeleton = &s->scene->skeleton;
	for (uint32_t j = 0; j < skeleton->joint_count; j++) {
		bool is_used = false;
		for (uint32_t g = 0; g < s->reach->goal_count && s->reach->turning[j]; g++) {
			is_used = is_used || is_above(s, j, s->reach->goals[g].joint);
		}
		if (is_used) {
			s->joints[s->count++] = j;
		}
	}
	for (uint32_t g = 0; g < s->reach->goal_count; g++) {
		double length = 0, reached = 0;
		for (uint32_t j = s->reach->goals[g].joint; skeleton->parents[j] != SNW_NONE; j = skeleton->parents[j]) {
			double from[3], to[3];
			reached_place(s, skeleton->parents[j], from);
			reached_place(s, j, to);
			length += hypot(hypot(to[0] - from[0], to[1] - from[1]), to[2] - from[2]);
			reached = s->reach->turning[skeleton->parents[j]] ? length : reached;
		}
		s->length = fmax(s->length, reached);
	}
}

/* What the goals miss, [3 goal_count]; returns the sum of their squares. */
static double find_misses(const solver *s, double *misses) {
	double sum = 0;
	for (uint32_t g = 0; g < s->reach->goal_count; g++) {
		double place[3], *miss = misses + 3 * (size_t)g;
		reached_place(s, s->reach->goals[g].joint, place);
		for (int c = 0; c < 3; c++) {
			miss[c] = s->reach->goals[g].place[c] - place[c];
		}
		sum += snw_dot3(miss, miss);
	}
	return sum;
}

/* Columns of the Jacobian: how a goal's joint moves when joint `j` rotates about each axis. */
static void find_columns(const solver *s, uint32_t j, double columns[3][ROWS]) {
	static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
	double center[3], place[3], arm[3];
	reached_place(s, j, center);
	for (uint32_t g = 0; g < s->reach->goal_count; g++) {
		const bool moves = is_above(s, j, s->reach->goals[g].joint);
		reached_place(s, s->reach->goals[g].joint, place);
		for (int c = 0; c < 3; c++) {
			arm[c] = moves ? place[c] - center[c] : 0;
		}
		for (int a = 0; a < 3; a++) {
			snw_cross3(axes[a], arm, columns[a] + 3 * (size_t)g);
		}
	}
}

/* Solves a symmetric positive definite system by Cholesky's method, in place: `b` becomes the solution. */
static void solve_rows(double matrix[ROWS][ROWS], double *b, uint32_t rows) {
	for (uint32_t i = 0; i < rows; i++) {
		for (uint32_t j = 0; j <= i; j++) {
			double sum = matrix[i][j];
			for (uint32_t k = 0; k < j; k++) {
				sum -= matrix[i][k] * matrix[j][k];
			}
			matrix[i][j] = i == j ? sqrt(sum) : sum / matrix[j][j];
		}
	}
	for (uint32_t i = 0; i < rows; i++) {
		for (uint32_t k = 0; k < i; k++) {
			b[i] -= matrix[i][k] * b[k];
		}
		b[i] /= matrix[i][i];
	}
	for (uint32_t i = rows; i-- > 0;) {
		for (uint32_t k = i + 1; k < rows; k++) {
			b[i] -= matrix[k][i] * b[k];
		}
		b[i] /= matrix[i][i];
	}
}

/* Rotates a joint in posed space, within its limit. */
static void rotate_posed(solver *s, uint32_t joint, const double rotation[3]) {
	const snw_skeleton *skeleton = &s->scene->skeleton;
	const uint32_t parent = skeleton->parents[joint];
	snw_transform above = {.rotation = {0, 0, 0, 1}};
	double q[4], back[4], away[4], vector[3], *local = s->pose->local[joint].rotation;
	if (parent != SNW_NONE) {
		snw_transform_from_mat34(s->global + 12 * (size_t)parent, &above);
	}
	/* local' = above⁻¹ · rotation · above · local */
	snw_quat_multiply(above.rotation, local, away);
	snw_quat_from_rotation_vector(rotation, q);
	snw_quat_multiply(q, away, back);
	snw_quat_conjugate(above.rotation, q);
	snw_quat_multiply(q, back, local);
	snw_quat_normalize(local);
	if (!s->reach->limits) {
		return;
	}
	snw_quat_conjugate(skeleton->rest_local[joint].rotation, back);
	snw_quat_multiply(back, local, away);
	snw_quat_to_rotation_vector(away, vector);
	const double angle = snw_length3(vector), most = s->reach->limits[joint];
	if (angle > most) {
		for (int c = 0; c < 3; c++) {
			vector[c] *= most / angle;
		}
		snw_quat_from_rotation_vector(vector, q);
		snw_quat_multiply(skeleton->rest_local[joint].rotation, q, local);
	}
}

/* One step of damped least squares. All joints rotate by what the pose before it asks for. */
static void step(solver *s, const double *misses) {
	const uint32_t rows = 3 * s->reach->goal_count;
	double matrix[ROWS][ROWS] = {0}, y[ROWS], columns[3][ROWS], rotation[3];
	for (uint32_t g = 0; g < s->reach->goal_count; g++) {
		const double length = snw_length3(misses + 3 * (size_t)g);
		const double scale = fmin(1, LONGEST_STEP * s->length / fmax(length, 1e-300));
		for (size_t c = 0; c < 3; c++) {
			y[3 * (size_t)g + c] = scale * misses[3 * (size_t)g + c];
		}
	}
	for (uint32_t i = 0; i < s->count; i++) {
		find_columns(s, s->joints[i], columns);
		for (uint32_t r = 0; r < rows; r++) {
			for (uint32_t c = 0; c < rows; c++) {
				matrix[r][c] += columns[0][r] * columns[0][c] + columns[1][r] * columns[1][c] + columns[2][r] * columns[2][c];
			}
		}
	}
	for (uint32_t r = 0; r < rows; r++) {
		matrix[r][r] += s->damping * s->damping * s->length * s->length;
	}
	solve_rows(matrix, y, rows);
	for (uint32_t i = 0; i < s->count; i++) {
		find_columns(s, s->joints[i], columns);
		for (int a = 0; a < 3; a++) {
			rotation[a] = 0;
			for (uint32_t r = 0; r < rows; r++) {
				rotation[a] += columns[a][r] * y[r];
			}
		}
		rotate_posed(s, s->joints[i], rotation);
	}
	pose_joints(s);
}

/* Steps that bring nothing nearer are taken back and shortened by more damping. Returns how far the first goal is missed. */
static double descend(solver *s) {
	double misses[ROWS], tried[ROWS];
	double sum = find_misses(s, misses);
	s->damping = LEAST_DAMPING;
	for (int k = 0; k < MOST_STEPS && sqrt(sum) > CLOSE * s->length && s->damping < MOST_DAMPING; k++) {
		for (uint32_t i = 0; i < s->count; i++) {
			s->before[i] = s->pose->local[s->joints[i]];
		}
		step(s, misses);
		const double after = find_misses(s, tried);
		if (after < sum) {
			s->damping = fmax(LEAST_DAMPING, s->damping / 2);
			memcpy(misses, tried, sizeof misses);
			sum = after;
			continue;
		}
		for (uint32_t i = 0; i < s->count; i++) {
			s->pose->local[s->joints[i]] = s->before[i];
		}
		pose_joints(s);
		s->damping *= 4;
	}
	return snw_length3(misses);
}

/* A straight chain that should become shorter has no direction in which to bend: no rotation brings its end nearer at first. */
static void bend(solver *s) {
	const double sign[2] = {1, -2};
	for (uint32_t i = 0; i < s->count; i++) {
		double rotation[3];
		for (int c = 0; c < 3; c++) {
			rotation[c] = sign[i % 2] * FIRST_BEND * s->reach->bend_axis[c];
		}
		rotate_posed(s, s->joints[i], rotation);
	}
	pose_joints(s);
}

/* Whether the first goal is within the chain's length of the joint where the chain begins. */
static bool is_within_length(const solver *s) {
	double from[3], away[3];
	reached_place(s, s->joints[0], from);
	for (int c = 0; c < 3; c++) {
		away[c] = s->reach->goals[0].place[c] - from[c];
	}
	return snw_length3(away) < (1 - STUCK) * s->length;
}

static snw_status check(const snw_scene *scene, const snw_reach *reach, snw_error *error) {
	if (reach->goal_count == 0 || reach->goal_count > SNW_REACH_MOST_GOALS) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%u joints are to be placed; from 1 to %d can be", reach->goal_count,
						SNW_REACH_MOST_GOALS);
	}
	for (uint32_t g = 0; g < reach->goal_count; g++) {
		const snw_reach_goal *goal = &reach->goals[g];
		if (goal->joint >= scene->skeleton.joint_count) {
			return snw_fail(error, SNW_ERROR_ARGUMENT, "there is no joint %u", goal->joint);
		}
		if (!isfinite(goal->place[0]) || !isfinite(goal->place[1]) || !isfinite(goal->place[2])) {
			return snw_fail(error, SNW_ERROR_ARGUMENT, "the place for joint '%s' is not finite",
							scene->skeleton.names[goal->joint]);
		}
	}
	return SNW_OK;
}

snw_status snw_pose_reach(const snw_scene *scene, const snw_reach *reach, snw_pose *pose, double *missed, snw_error *error) {
	const snw_status status = check(scene, reach, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_arena *scratch = snw_arena_create();
	solver s = {.scene = scene, .reach = reach, .pose = pose};
	s.global = SNW_NEW_ARRAY(scratch, double, 12 * (size_t)scene->skeleton.joint_count);
	s.palette = SNW_NEW_ARRAY(scratch, double, 12 * (size_t)scene->slot_count);
	s.joints = SNW_NEW_ARRAY(scratch, uint32_t, scene->skeleton.joint_count);
	s.before = SNW_NEW_ARRAY(scratch, snw_transform, scene->skeleton.joint_count);
	pose_joints(&s);
	find_joints(&s);
	double misses[ROWS];
	if (s.count > 0 && s.length > 0) {
		*missed = descend(&s);
		if (*missed > STUCK * s.length && reach->bend_axis && is_within_length(&s)) {
			bend(&s);
			*missed = descend(&s);
		}
		snw_pose_unwind(scene, pose);
	} else {
		(void)find_misses(&s, misses);
		*missed = snw_length3(misses);
	}
	snw_arena_destroy(scratch);
	return SNW_OK;
}

/* ---- joint limits -------------------------------------------------------------------------------------------------------- */

double snw_joint_value(const snw_scene *scene, const char *name, uint32_t joint) {
	const uint32_t found = snw_scene_find_field(scene, SNW_NONE, name);
	if (found == SNW_NONE) {
		return 0;
	}
	const snw_field *field = &scene->fields[found];
	const bool is_valid = field->domain == SNW_DOMAIN_JOINTS && field->components == 1 && joint < field->count;
	return is_valid ? field->values[joint] : 0;
}

double snw_joint_limit(const snw_scene *scene, uint32_t joint) {
	const double limit = snw_joint_value(scene, SNW_JOINT_LIMITS, joint);
	return limit > 0 ? limit : (double)INFINITY;
}

double *snw_joint_limits(const snw_scene *scene, snw_arena *arena) {
	double *limits = SNW_NEW_ARRAY(arena, double, scene->skeleton.joint_count);
	for (uint32_t j = 0; j < scene->skeleton.joint_count; j++) {
		limits[j] = snw_joint_limit(scene, j);
	}
	return limits;
}

bool snw_pose_rotate_joint(const snw_scene *scene, snw_pose *pose, uint32_t joint, const double rotation[3]) {
	const double limit = snw_joint_limit(scene, joint), length = snw_length3(rotation);
	const bool is_limited = length > limit * (1 + 1e-12); /* what was limited before is rounded */
	double *vector = pose->rotation_vectors + 3 * (size_t)joint, *local = pose->local[joint].rotation, q[4];
	for (int c = 0; c < 3; c++) {
		vector[c] = is_limited ? rotation[c] * (limit / length) : rotation[c];
	}
	snw_quat_from_rotation_vector(vector, q);
	snw_quat_multiply(scene->skeleton.rest_local[joint].rotation, q, local);
	snw_quat_normalize(local);
	return is_limited;
}

bool snw_joint_moves(const snw_scene *scene, uint32_t joint) {
	return scene->skeleton.parents[joint] == SNW_NONE || snw_joint_value(scene, SNW_JOINT_MOVES, joint) > 0;
}
