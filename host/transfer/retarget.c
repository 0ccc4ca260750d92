/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How two rigs at rest belong together: whether they are one rig, which way they face, and how large they are.
 */
#include "transfer/retarget.h"

#include <math.h>
#include <string.h>

#include "sinew/algebra.h"

/* ---- the rest in the world ----------------------------------------------------------------------------------------------- */

static void find_world(const snw_skeleton *skeleton, const snw_transform *local, double *rotations, double *globals) {
	for (uint32_t i = 0; i < skeleton->joint_count; i++) {
		const uint32_t j = skeleton->order[i], parent = skeleton->parents[j];
		double *rotation = rotations + 4 * (size_t)j, *global = globals + 12 * (size_t)j;
		memcpy(rotation, local[j].rotation, 4 * sizeof *rotation);
		snw_transform_to_mat34(&local[j], global);
		if (parent != SNW_NONE) {
			snw_quat_multiply(rotations + 4 * (size_t)parent, rotation, rotation);
			snw_mat34_multiply(globals + 12 * (size_t)parent, global, global);
		}
		snw_quat_normalize(rotation);
	}
}

static void position_of(const double *globals, uint32_t joint, double position[3]) {
	for (size_t i = 0; i < 3; i++) {
		position[i] = globals[12 * (size_t)joint + 4 * i + 3];
	}
}

/* ---- the same rig -------------------------------------------------------------------------------------------------------- */

/* Whether two joints hang from one in directions that differ: then the offsets of both say how its axes lie. */
static bool is_branch(const snw_skeleton *skeleton, uint32_t a, uint32_t b) {
	const double *p = skeleton->rest_local[a].translation, *q = skeleton->rest_local[b].translation;
	double across[3];
	snw_cross3(p, q, across);
	return a != b && skeleton->parents[a] == skeleton->parents[b] &&
		   snw_length3(across) > 0.1 * snw_length3(p) * snw_length3(q);
}

/* The matched joints below a matched parent, both in both rigs. */
static uint32_t list_pairs(const snw_retarget *r, uint32_t *pairs) {
	const snw_skeleton *source = &r->source->skeleton, *target = &r->target->skeleton;
	uint32_t count = 0;
	for (uint32_t j = 0; j < target->joint_count; j++) {
		const uint32_t s = r->match.sources[j], parent = target->parents[j];
		if (s != SNW_NONE && parent != SNW_NONE && source->parents[s] != SNW_NONE &&
			r->match.sources[parent] == source->parents[s]) {
			pairs[count++] = j;
		}
	}
	return count;
}

/* Whether all offsets of the source's joints are those of the target's, but for one scale. */
static bool have_same_offsets(const snw_retarget *r, const uint32_t *pairs, uint32_t count) {
	const double TOLERANCE = 2e-3; /* of the mean offset */
	const snw_transform *source = r->source->skeleton.rest_local, *target = r->target->skeleton.rest_local;
	double across = 0, squares = 0;
	for (uint32_t i = 0; i < count; i++) {
		const double *t = target[pairs[i]].translation, *s = source[r->match.sources[pairs[i]]].translation;
		across += snw_dot3(s, t);
		squares += snw_dot3(t, t);
	}
	const double ratio = squares > 0 ? across / squares : 0, mean = ratio * sqrt(squares / count);
	bool are_same = ratio > 0;
	for (uint32_t i = 0; i < count && are_same; i++) {
		const double *t = target[pairs[i]].translation, *s = source[r->match.sources[pairs[i]]].translation;
		const double off[3] = {s[0] - ratio * t[0], s[1] - ratio * t[1], s[2] - ratio * t[2]};
		are_same = snw_length3(off) <= TOLERANCE * mean;
	}
	return are_same;
}

static bool is_same_rig(const snw_retarget *r, snw_arena *arena) {
	uint32_t *pairs = SNW_NEW_ARRAY(arena, uint32_t, r->target->skeleton.joint_count);
	const uint32_t count = list_pairs(r, pairs);
	if (r->source->slot_count > 0 || !have_same_offsets(r, pairs, count)) {
		return false;
	}
	for (uint32_t i = 1; i < count; i++) {
		for (uint32_t k = 0; k < i; k++) {
			if (is_branch(&r->target->skeleton, pairs[i], pairs[k])) {
				return true;
			}
		}
	}
	return false;
}

/* ---- size and direction -------------------------------------------------------------------------------------------------- */

static double distance_between(const double *globals, uint32_t a, uint32_t b) {
	double p[3], q[3];
	position_of(globals, a, p);
	position_of(globals, b, q);
	return sqrt(snw_squared_distance3(p, q));
}

/* The centres of the matched joints. */
static void find_centers(const snw_retarget *r, double source[3], double target[3]) {
	memset(source, 0, 3 * sizeof *source);
	memset(target, 0, 3 * sizeof *target);
	for (uint32_t j = 0; j < r->target->skeleton.joint_count; j++) {
		double s[3], t[3];
		if (r->match.sources[j] == SNW_NONE) {
			continue;
		}
		position_of(r->source_globals, r->match.sources[j], s);
		position_of(r->target_globals, j, t);
		for (int i = 0; i < 3; i++) {
			source[i] += s[i] / r->match.count;
			target[i] += t[i] / r->match.count;
		}
	}
}

/* The spread of the target's matched joints to that of the source's; not finite if they are at one place. */
static double ratio_of_sizes(const snw_retarget *r) {
	double source_center[3], target_center[3], of_source = 0, of_target = 0;
	find_centers(r, source_center, target_center);
	for (uint32_t j = 0; j < r->target->skeleton.joint_count; j++) {
		double s[3], t[3];
		if (r->match.sources[j] != SNW_NONE) {
			position_of(r->source_globals, r->match.sources[j], s);
			position_of(r->target_globals, j, t);
			of_source += snw_squared_distance3(s, source_center);
			of_target += snw_squared_distance3(t, target_center);
		}
	}
	return sqrt(of_target / of_source);
}

/* The length of a leg of the target to that of the source: from the lowest matched joint up to the topmost above it. Of
 * a rig that stands on nothing, the ratio of sizes. */
static double scale_of_legs(const snw_retarget *r) {
	const snw_skeleton *target = &r->target->skeleton;
	uint32_t lowest = SNW_NONE;
	double of_target = 0, of_source = 0;
	for (uint32_t j = 0; j < target->joint_count; j++) {
		const bool is_lower =
			lowest == SNW_NONE || r->target_globals[12 * (size_t)j + 7] < r->target_globals[12 * (size_t)lowest + 7];
		lowest = r->match.sources[j] != SNW_NONE && is_lower ? j : lowest;
	}
	for (uint32_t j = lowest; j != SNW_NONE;) {
		const uint32_t above = snw_joint_match_above(&r->match, target, j);
		if (above != SNW_NONE) {
			of_target += distance_between(r->target_globals, j, above);
			of_source += distance_between(r->source_globals, r->match.sources[j], r->match.sources[above]);
		}
		j = above;
	}
	const double scale = of_source > 0 ? of_target / of_source : ratio_of_sizes(r);
	return scale > 0 && isfinite(scale) ? scale : 1;
}

/* How well the source's joints, rotated, lie as the target's: 1 where they are the same but for their size. */
static double likeness(const snw_retarget *r, const double rotation[4]) {
	double source_center[3], target_center[3], m[12], across = 0, of_source = 0, of_target = 0;
	find_centers(r, source_center, target_center);
	snw_quat_to_mat34(rotation, m);
	for (uint32_t j = 0; j < r->target->skeleton.joint_count; j++) {
		double s[3], t[3];
		if (r->match.sources[j] == SNW_NONE) {
			continue;
		}
		position_of(r->source_globals, r->match.sources[j], s);
		position_of(r->target_globals, j, t);
		for (int i = 0; i < 3; i++) {
			s[i] -= source_center[i];
			t[i] -= target_center[i];
		}
		snw_mat34_vector(m, s, s);
		across += snw_dot3(s, t);
		of_source += snw_dot3(s, s);
		of_target += snw_dot3(t, t);
	}
	return of_source > 0 && of_target > 0 ? across / sqrt(of_source * of_target) : 0;
}

/* Rigs that face another way, or lie on their back, are rotated by right angles. A rotation must explain most of what none
 * leaves unlike. */
static void find_rotation(const snw_retarget *r, double rotation[4]) {
	const double MOST = 0.7;
	const double unlike = 1 - likeness(r, rotation);
	double best = 1 - (1 - MOST) * unlike;
	for (int step = 1; step < 64; step++) {
		double candidate[4] = {0, 0, 0, 1};
		for (int axis = 0; axis < 3; axis++) {
			const double half = ((step >> (2 * axis)) & 3) * (M_PI / 4);
			double about_axis[4] = {0, 0, 0, cos(half)};
			about_axis[axis] = sin(half);
			snw_quat_multiply(about_axis, candidate, candidate);
		}
		const double found = likeness(r, candidate);
		if (found > best + 1e-9) {
			best = found;
			memcpy(rotation, candidate, sizeof candidate);
		}
	}
}

/* Rests the source as the target does. */
static void take_rest(const snw_retarget *r) {
	for (uint32_t j = 0; j < r->target->skeleton.joint_count; j++) {
		const uint32_t s = r->match.sources[j];
		if (s != SNW_NONE) {
			memcpy(r->source_rotations + 4 * (size_t)s, r->target_rotations + 4 * (size_t)j, 4 * sizeof(double));
		}
	}
}

snw_retarget snw_retarget_begin(const snw_scene *source, const snw_scene *target, const snw_pose *posture,
								const uint32_t *given, snw_arena *arena) {
	const uint32_t source_count = source->skeleton.joint_count, target_count = target->skeleton.joint_count;
	snw_retarget r = {.source = source,
					  .target = target,
					  .match = snw_joints_match(&source->skeleton, &target->skeleton, given, arena),
					  .rotation = {0, 0, 0, 1},
					  .source_rotations = SNW_NEW_ARRAY(arena, double, 4 * (size_t)source_count),
					  .target_rotations = SNW_NEW_ARRAY(arena, double, 4 * (size_t)target_count),
					  .source_globals = SNW_NEW_ARRAY(arena, double, 12 * (size_t)source_count),
					  .target_globals = SNW_NEW_ARRAY(arena, double, 12 * (size_t)target_count)};
	find_world(&source->skeleton, source->skeleton.rest_local, r.source_rotations, r.source_globals);
	find_world(&target->skeleton, posture->local, r.target_rotations, r.target_globals);
	r.scale = scale_of_legs(&r);
	r.is_same_rig = is_same_rig(&r, arena);
	if (r.is_same_rig) {
		take_rest(&r);
	} else {
		find_rotation(&r, r.rotation);
	}
	return r;
}
