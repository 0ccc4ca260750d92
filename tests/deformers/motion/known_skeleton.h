/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mesh animations whose skeleton is known, and how near a recovered skeleton comes to it.
 */
#ifndef SINEW_TESTS_DEFORMERS_MOTION_KNOWN_SKELETON_H
#define SINEW_TESTS_DEFORMERS_MOTION_KNOWN_SKELETON_H

#include "deformers/must_fit.h"

enum { MOST_KNOWN_BONES = 32 };

/* The truth: a linear blend. Bone b begins at joint ends[b][0] and ends at ends[b][1]; two bones are connected where they share
 * one. */
typedef struct known_skeleton {
	snw_scene *scene; /* one mesh, one sequence "frames", no skeleton */
	uint32_t bone_count, frame_count;
	uint32_t ends[MOST_KNOWN_BONES][2];
	double joints[2 * MOST_KNOWN_BONES][3];
	double *weights;       /* [bone][point] */
	double (*motions)[12]; /* [frame][bone], rest → posed */
} known_skeleton;

/* How far a recovered skeleton is off. */
typedef struct skeleton_gap {
	double degrees; /* the largest over bones of the root mean square over frames, of the rotation */
	double percent; /* the largest distance of a joint from the true one, of the rest's diagonal */
	double mean_degrees, mean_percent;
	/* The largest of bones that have a part, points that follow nothing else, and of joints between two such bones. */
	double part_degrees, part_percent;
	uint32_t parts;     /* bones that have one */
	uint32_t bones;     /* that were compared */
	uint32_t joints;    /* that were compared: those between bones that are connected in truth */
	uint32_t misplaced; /* recovered bones whose parent is not connected to them in truth */
} skeleton_gap;

/* The true bone that moves most of what a recovered slot moves. */
static inline uint32_t best_match(const known_skeleton *known, const snw_mesh *mesh, uint32_t slot) {
	uint32_t best = 0;
	double most = -1;
	for (uint32_t b = 0; b < known->bone_count; b++) {
		double shared = 0;
		for (uint32_t i = 0; i < mesh->point_count; i++) {
			for (uint32_t k = mesh->influence_offsets[i]; k < mesh->influence_offsets[i + 1]; k++) {
				if (mesh->influence_slots[k] == slot) {
					shared += mesh->influence_weights[k] * known->weights[(size_t)b * mesh->point_count + i];
				}
			}
		}
		if (shared > most) {
			most = shared;
			best = b;
		}
	}
	return best;
}

/* The joint that two bones share; SNW_NONE where they share none. */
static inline uint32_t shared_joint(const known_skeleton *known, uint32_t a, uint32_t b) {
	for (int i = 0; i < 2; i++) {
		for (int j = 0; j < 2; j++) {
			if (known->ends[a][i] == known->ends[b][j]) {
				return known->ends[a][i];
			}
		}
	}
	return SNW_NONE;
}

static inline double degrees_between(const double a[12], const double b[12]) {
	double p[4], q[4];
	snw_quat_from_mat34(a, p);
	snw_quat_from_mat34(b, q);
	double difference = 0, sum = 0;
	for (int i = 0; i < 4; i++) {
		difference += (p[i] - q[i]) * (p[i] - q[i]);
		sum += (p[i] + q[i]) * (p[i] + q[i]);
	}
	return 4 * asin(fmin(sqrt(fmin(difference, sum)) / 2, 1)) * 180 / M_PI;
}

/* How far two connected bones turn against each other, root mean square, in degrees: what there is to see of their joint. */
static inline double rotation_between(const known_skeleton *known, uint32_t a, uint32_t b) {
	double squares = 0;
	for (uint32_t f = 0; f < known->frame_count; f++) {
		const double(*motions)[12] = (const double(*)[12])known->motions + (size_t)f * known->bone_count;
		squares += pow(degrees_between(motions[a], motions[b]), 2);
	}
	return sqrt(squares / known->frame_count);
}

/* Whether points follow a bone alone, or nearly. */
static inline bool has_part(const known_skeleton *known, uint32_t bone, uint32_t point_count) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < point_count; i++) {
		count += known->weights[(size_t)bone * point_count + i] > 0.9;
	}
	return count > 0;
}

static inline skeleton_gap skeleton_gap_of(const known_skeleton *known, const snw_scene *fitted, double least_degrees) {
	const snw_mesh *mesh = &fitted->meshes[0];
	const snw_skeleton *skeleton = &fitted->skeleton;
	const double diagonal = snw_scene_diagonal(fitted, 0);
	skeleton_gap gap = {0};
	uint32_t matches[2 * MOST_KNOWN_BONES] = {0}, slot_of[2 * MOST_KNOWN_BONES];
	memset(slot_of, 0xff, sizeof slot_of);
	for (uint32_t s = 0; s < fitted->slot_count; s++) {
		matches[s] = best_match(known, mesh, s);
		slot_of[fitted->slot_joints[s]] = s;
	}
	for (uint32_t s = 0; s < fitted->slot_count; s++) {
		double squares = 0;
		for (uint32_t f = 0; f < known->frame_count; f++) {
			const snw_pose *pose = snw_pose_sample(fitted, 0, fitted->targets[0].seconds[f], fitted->arena);
			const snw_pose_view *view = snw_pose_view_make(fitted, pose, fitted->arena);
			squares += pow(
				degrees_between(view->palette + (size_t)12 * s, known->motions[(size_t)f * known->bone_count + matches[s]]), 2);
		}
		const double degrees = sqrt(squares / known->frame_count);
		gap.degrees = fmax(gap.degrees, degrees);
		gap.mean_degrees += degrees / fitted->slot_count;
		gap.bones++;
		const bool is_part = has_part(known, matches[s], mesh->point_count);
		gap.parts += is_part;
		gap.part_degrees = is_part ? fmax(gap.part_degrees, degrees) : gap.part_degrees;
		const uint32_t joint = fitted->slot_joints[s], parent = skeleton->parents[joint];
		if (parent == SNW_NONE || slot_of[parent] == SNW_NONE || matches[slot_of[parent]] == matches[s]) {
			continue;
		}
		const uint32_t above = matches[slot_of[parent]], shared = shared_joint(known, matches[s], above);
		gap.misplaced += shared == SNW_NONE;
		if (shared != SNW_NONE && rotation_between(known, matches[s], above) >= least_degrees) {
			const double *m = skeleton->rest_global + (size_t)12 * joint;
			const double place[3] = {m[3], m[7], m[11]};
			const double percent = 100 * sqrt(snw_squared_distance3(place, known->joints[shared])) / diagonal;
			gap.percent = fmax(gap.percent, percent);
			gap.mean_percent += percent;
			gap.part_percent =
				is_part && has_part(known, above, mesh->point_count) ? fmax(gap.part_percent, percent) : gap.part_percent;
			gap.joints++;
		}
	}
	gap.mean_percent /= gap.joints > 0 ? gap.joints : 1;
	return gap;
}

/* A scene of one mesh with a sequence "frames". All arrays are copied. */
static inline snw_scene *sequence_scene(uint32_t points, const double *rest, uint32_t faces, const uint32_t *face_offsets,
										const uint32_t *face_points, uint32_t frames, const float *posed) {
	snw_scene *scene = snw_scene_create();
	snw_arena *arena = scene->arena;
	double *seconds = SNW_NEW_ARRAY(arena, double, frames);
	snw_mesh *mesh = SNW_NEW(arena, snw_mesh);
	snw_target *target = SNW_NEW(arena, snw_target);
	snw_clip *clip = SNW_NEW(arena, snw_clip);
	for (uint32_t f = 0; f < frames; f++) {
		seconds[f] = f / 24.0;
	}
	*mesh = (snw_mesh){.name = "body",
					   .point_count = points,
					   .points_rest = snw_arena_copy(arena, rest, (size_t)3 * points * sizeof *rest),
					   .face_count = faces,
					   .face_offsets = snw_arena_copy(arena, face_offsets, ((size_t)faces + 1) * sizeof *face_offsets),
					   .face_points = snw_arena_copy(arena, face_points, face_offsets[faces] * sizeof *face_points)};
	*target = (snw_target){.name = "frames",
						   .clip = SNW_NONE,
						   .frame_count = frames,
						   .seconds = seconds,
						   .points_posed = snw_arena_copy(arena, posed, (size_t)3 * points * frames * sizeof *posed)};
	*clip = (snw_clip){.name = "frames", .duration_seconds = seconds[frames - 1]};
	scene->mesh_count = scene->target_count = scene->clip_count = 1;
	scene->meshes = mesh;
	scene->targets = target;
	scene->clips = clip;
	return scene;
}

/* Poses the rest by the truth, with noise of so many metres (uniform on each coordinate), into the scene. */
static inline float *pose_known(const known_skeleton *known, uint32_t points, const double *rest, double noise, uint64_t seed) {
	float *posed = malloc((size_t)3 * points * known->frame_count * sizeof *posed);
	for (uint32_t f = 0; f < known->frame_count; f++) {
		for (uint32_t i = 0; i < points; i++) {
			double sum[3] = {0}, p[3];
			for (uint32_t b = 0; b < known->bone_count; b++) {
				const double weight = known->weights[(size_t)b * points + i];
				snw_mat34_point(known->motions[(size_t)f * known->bone_count + b], rest + (size_t)3 * i, p);
				for (int c = 0; c < 3; c++) {
					sum[c] += weight * p[c];
				}
			}
			for (size_t c = 0; c < 3; c++) {
				seed = seed * 6364136223846793005u + 1442695040888963407u;
				posed[3 * ((size_t)f * points + i) + c] = (float)(sum[c] + noise * ((double)(seed >> 33) / 1073741824.0 - 1));
			}
		}
	}
	return posed;
}

static inline void known_drop(known_skeleton *known) {
	snw_scene_destroy(known->scene);
	free(known->weights);
	free(known->motions);
}

#endif
