/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A random skeleton of seven bones, and a body that it moves.
 */
#ifndef SINEW_TESTS_DEFORMERS_MOTION_RANDOM_SKELETON_H
#define SINEW_TESTS_DEFORMERS_MOTION_RANDOM_SKELETON_H

#include "known_skeleton.h"

/* A trunk of three bones that forks into two limbs of two. */
enum { BONES = 7, SAMPLES = 24, SEGMENTS = 8, RINGS = 10, BODY_POINTS = BONES * RINGS * SEGMENTS };
static const uint32_t parents[BONES] = {SNW_NONE, 0, 1, 2, 3, 2, 5};

static inline double random_number(uint64_t *state) {
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (double)(*state >> 11) / 9007199254740992.0;
}

static inline void random_direction(uint64_t *state, double dest[3]) {
	do {
		for (int c = 0; c < 3; c++) {
			dest[c] = 2 * random_number(state) - 1;
		}
	} while (snw_length3(dest) < 0.2 || snw_length3(dest) > 1);
	snw_normalize3(dest);
}

/* Joint b is where bone b begins, joint b + 1 of the list the end where nothing else begins there. */
static inline void make_bones(known_skeleton *known, uint64_t *state) {
	uint32_t joint_count = 1;
	for (uint32_t b = 0; b < BONES; b++) {
		const uint32_t begin = parents[b] == SNW_NONE ? 0 : known->ends[parents[b]][1];
		const double side = b == 3 || b == 4 ? 0.8 : b == 5 || b == 6 ? -0.8 : 0;
		double direction[3], length = 0.7 + 0.5 * random_number(state);
		random_direction(state, direction);
		for (int c = 0; c < 3; c++) {
			direction[c] = 0.4 * direction[c] + (c == 0) + side * (c == 1);
		}
		snw_normalize3(direction);
		for (int c = 0; c < 3; c++) {
			known->joints[joint_count][c] = known->joints[begin][c] + length * direction[c];
		}
		known->ends[b][0] = begin;
		known->ends[b][1] = joint_count++;
	}
	known->bone_count = BONES;
}

static inline void make_motions(known_skeleton *known, uint64_t *state) {
	double axes[BONES][3], speeds[BONES], phases[BONES], reaches[BONES];
	known->frame_count = SAMPLES;
	known->motions = malloc(sizeof *known->motions * BONES * SAMPLES);
	for (uint32_t b = 0; b < BONES; b++) {
		random_direction(state, axes[b]);
		speeds[b] = 0.2 + 0.6 * random_number(state);
		phases[b] = 6 * random_number(state);
		reaches[b] = 0.5 + 0.4 * random_number(state);
	}
	for (uint32_t f = 0; f < SAMPLES; f++) {
		for (uint32_t b = 0; b < BONES; b++) {
			double vector[3], quaternion[4], local[12], place[3], *bone_motion = known->motions[f * BONES + b];
			for (int c = 0; c < 3; c++) {
				/* a second axis, so that no joint is a hinge */
				vector[c] =
					reaches[b] * (axes[b][c] * sin(speeds[b] * f + phases[b]) + 0.6 * axes[b][(c + 1) % 3] * cos(0.37 * f + b));
			}
			const double *pivot = known->joints[known->ends[b][0]];
			snw_quat_from_rotation_vector(vector, quaternion);
			snw_quat_to_mat34(quaternion, local);
			snw_mat34_vector(local, pivot, place);
			for (int c = 0; c < 3; c++) {
				local[4 * c + 3] = pivot[c] - place[c];
			}
			if (parents[b] == SNW_NONE) {
				memcpy(bone_motion, local, sizeof local);
				bone_motion[3] += 0.1 * f;
			} else {
				snw_mat34_multiply(known->motions[f * BONES + parents[b]], local, bone_motion);
			}
		}
	}
}

/* Tubes around the bones; a bone's first ring is joined to its parent's last, unless they are shells apart. Weights go over
 * from bone to bone along a fifth of them. */
static inline void make_body(known_skeleton *known, double noise, uint64_t seed, bool is_apart) {
	static double rest[3 * BODY_POINTS];
	static uint32_t offsets[BODY_POINTS + 1], faces[4 * BODY_POINTS];
	uint32_t face_count = 0;
	known->weights = calloc((size_t)BONES * BODY_POINTS, sizeof *known->weights);
	for (uint32_t b = 0; b < BONES; b++) {
		const double *begin = known->joints[known->ends[b][0]], *end = known->joints[known->ends[b][1]];
		const double along[3] = {end[0] - begin[0], end[1] - begin[1], end[2] - begin[2]};
		double u[3], v[3];
		snw_cross3(along, (double[]){0, 0, 1}, u);
		snw_normalize3(u);
		snw_cross3(along, u, v);
		snw_normalize3(v);
		for (uint32_t r = 0; r < RINGS; r++) {
			const double s = (r + 0.5) / RINGS, go = s < 0.2 && b > 0 ? 0.5 * (1 - s / 0.2) : 0;
			for (uint32_t k = 0; k < SEGMENTS; k++) {
				const uint32_t i = (b * RINGS + r) * SEGMENTS + k, next = (b * RINGS + r) * SEGMENTS + (k + 1) % SEGMENTS;
				const double angle = 2 * M_PI * k / SEGMENTS, x = 0.12 * cos(angle), y = 0.1 * sin(angle);
				for (uint32_t c = 0; c < 3; c++) {
					rest[3 * i + c] = begin[c] + s * along[c] + x * u[c] + y * v[c];
				}
				known->weights[(size_t)b * BODY_POINTS + i] = 1 - go;
				if (b > 0) {
					known->weights[(size_t)parents[b] * BODY_POINTS + i] = go;
				}
				const uint32_t above = r > 0                ? SEGMENTS
									   : b == 0 || is_apart ? 0
															: i - (parents[b] * RINGS + RINGS - 1) * SEGMENTS - k;
				if (above > 0) {
					memcpy(faces + (size_t)4 * face_count++, (uint32_t[]){i - above, next - above, next, i}, 4 * sizeof *faces);
					offsets[face_count] = 4 * face_count;
				}
			}
		}
	}
	float *posed = pose_known(known, BODY_POINTS, rest, noise, seed);
	known->scene = sequence_scene(BODY_POINTS, rest, face_count, offsets, faces, SAMPLES, posed);
	free(posed);
}

static inline known_skeleton make_shells(uint64_t seed, double noise_percent, bool is_apart) {
	known_skeleton known = {.bone_count = 0};
	uint64_t state = seed;
	make_bones(&known, &state);
	make_motions(&known, &state);
	make_body(&known, 0, seed, is_apart);
	const double diagonal = snw_scene_diagonal(known.scene, 0);
	snw_scene_destroy(known.scene);
	free(known.weights);
	make_body(&known, noise_percent / 100 * diagonal, seed, is_apart);
	return known;
}

static inline known_skeleton make_random(uint64_t seed, double noise_percent) {
	return make_shells(seed, noise_percent, false);
}

/* Limits in degrees and percent of the diagonal, at this noise in percent. */
typedef struct known_limit {
	double noise, degrees, percent;
} known_limit;

/* Ends the fitted skeleton and the known one, which it has to come back to. */
static inline void check_random(known_skeleton *known, snw_scene *fitted, uint64_t seed, const known_limit *limit) {
	const skeleton_gap gap = skeleton_gap_of(known, fitted, 5);
	print_message("seed %u, noise %g %%: rotations within %.3g degrees, joints within %.3g %%\n", (unsigned)seed, limit->noise,
				  gap.degrees, gap.percent);
	if (!(gap.degrees < limit->degrees && gap.percent < limit->percent) || gap.joints != BONES - 1 || gap.misplaced > 0) {
		fail_msg("seed %u, noise %g %%: %g degrees, %g %%, %u joints, %u misplaced", (unsigned)seed, limit->noise, gap.degrees,
				 gap.percent, gap.joints, gap.misplaced);
	}
	snw_scene_destroy(fitted);
	known_drop(known);
}

#endif
