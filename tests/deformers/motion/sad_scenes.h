/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mesh animations with a known construction for the tests of SAD: a grid that tumbles, waves, does not move, comes apart, or
 * follows a blend over a rig; and fits of them, measured through the stack.
 */
#ifndef SINEW_TESTS_DEFORMERS_MOTION_SAD_SCENES_H
#define SINEW_TESTS_DEFORMERS_MOTION_SAD_SCENES_H

#include "deformers/must_fit.h"
#include "scene/scene.h"

enum { SIDE = 12, POINTS = SIDE * SIDE, CLIP = 7, FRAMES = 21, SLOTS = 3 };

/* ---- scenes -------------------------------------------------------------------------------------------------------------- */

/* The position of point i in frame f. */
typedef void motion(uint32_t i, const double *rest, uint32_t f, double *posed);

static inline void put_grid(uint32_t i, double *rest) {
	const uint32_t column = i % SIDE, row = i / SIDE;
	const double u = (double)column / (SIDE - 1), v = (double)row / (SIDE - 1);
	rest[0] = u;
	rest[1] = v;
	rest[2] = 0.3 * sin(3 * u) * cos(2 * v);
}

static const uint32_t no_faces = 0;

static inline snw_scene *animate(uint32_t points, uint32_t frames, void (*put)(uint32_t, double *), motion *move) {
	snw_scene *scene = snw_scene_create();
	snw_arena *arena = scene->arena;
	double *rest = SNW_NEW_ARRAY(arena, double, (size_t)3 * points), *seconds = SNW_NEW_ARRAY(arena, double, frames);
	float *posed = SNW_NEW_ARRAY(arena, float, (size_t)3 * points * frames);
	snw_mesh *mesh = SNW_NEW(arena, snw_mesh);
	snw_target *target = SNW_NEW(arena, snw_target);
	snw_clip *clip = SNW_NEW(arena, snw_clip);
	for (uint32_t i = 0; i < points; i++) {
		put(i, rest + (size_t)3 * i);
	}
	for (uint32_t f = 0; f < frames; f++) {
		seconds[f] = f / 24.0;
		for (uint32_t i = 0; i < points; i++) {
			double p[3];
			move(i, rest + (size_t)3 * i, f, p);
			for (uint32_t c = 0; c < 3; c++) {
				posed[3 * ((size_t)f * points + i) + c] = (float)p[c];
			}
		}
	}
	*mesh = (snw_mesh){.name = "grid", .point_count = points, .points_rest = rest, .face_offsets = &no_faces};
	*target =
		(snw_target){.name = "frames", .clip = SNW_NONE, .frame_count = frames, .seconds = seconds, .points_posed = posed};
	*clip = (snw_clip){.id = CLIP, .name = "frames", .duration_seconds = seconds[frames - 1]};
	scene->mesh_count = scene->target_count = scene->clip_count = 1;
	scene->meshes = mesh;
	scene->targets = target;
	scene->clips = clip;
	return scene;
}

/* Quads between the points of the grid, whole rows of it. */
static inline void add_faces(snw_scene *scene) {
	snw_mesh *mesh = (snw_mesh *)(uintptr_t)scene->meshes;
	const uint32_t faces = (SIDE - 1) * (mesh->point_count / SIDE - 1);
	uint32_t *offsets = SNW_NEW_ARRAY(scene->arena, uint32_t, (size_t)faces + 1);
	uint32_t *points = SNW_NEW_ARRAY(scene->arena, uint32_t, (size_t)4 * faces);
	for (uint32_t face = 0; face < faces; face++) {
		const uint32_t i = face % (SIDE - 1) + face / (SIDE - 1) * SIDE;
		memcpy(points + (size_t)4 * face, (uint32_t[4]){i, i + 1, i + SIDE + 1, i + SIDE}, 4 * sizeof *points);
		offsets[face + 1] = 4 * face + 4;
	}
	mesh->face_count = faces;
	mesh->face_offsets = offsets;
	mesh->face_points = points;
}

/* The scene's mesh twice, each with the frames as a target of the one clip. */
static inline void double_mesh(snw_scene *scene) {
	snw_mesh *meshes = SNW_NEW_ARRAY(scene->arena, snw_mesh, 2);
	snw_target *targets = SNW_NEW_ARRAY(scene->arena, snw_target, 2);
	for (uint32_t m = 0; m < 2; m++) {
		meshes[m] = scene->meshes[0];
		targets[m] = scene->targets[0];
		targets[m].mesh = m;
		targets[m].clip = 0;
	}
	meshes[1].name = "other";
	targets[1].name = "others";
	scene->mesh_count = scene->target_count = 2;
	scene->meshes = meshes;
	scene->targets = targets;
}

static inline snw_scene *fit_sad(const snw_scene *scene, const char *settings) {
	return must_fit(scene, "sad", settings);
}

/* Root of the mean squared distance over points and frames. */
static inline double distance_of(const snw_scene *scene) {
	return distances_to(&scene->targets[0], scene, NULL).rms;
}

static inline double fit_distance(const snw_scene *scene, const char *settings) {
	snw_scene *fitted = fit_sad(scene, settings);
	const double distance = distance_of(fitted);
	snw_scene_destroy(fitted);
	return distance;
}

/* ---- motions ------------------------------------------------------------------------------------------------------------- */

static inline void rotate_about(const double axis[3], double angle, const double *p, double *dest) {
	const double vector[3] = {axis[0] * angle, axis[1] * angle, axis[2] * angle};
	double q[4], m[12];
	snw_quat_from_rotation_vector(vector, q);
	snw_quat_to_mat34(q, m);
	snw_mat34_point(m, p, dest);
}

/* One and a half rotations, through π, along a path through space. */
static inline void tumble(uint32_t i, const double *rest, uint32_t f, double *posed) {
	(void)i;
	const double axis[3] = {0.6, 0, 0.8};
	rotate_about(axis, f * 3 * M_PI / (FRAMES - 1), rest, posed);
	posed[0] += 0.2 * f;
}

static inline void stand_still(uint32_t i, const double *rest, uint32_t f, double *posed) {
	(void)i;
	(void)f;
	memcpy(posed, rest, 3 * sizeof *posed);
}

static inline void wave(uint32_t i, const double *rest, uint32_t f, double *posed) {
	(void)i;
	memcpy(posed, rest, 3 * sizeof *posed);
	posed[2] += 0.2 * sin(6 * rest[0] + 0.4 * f) + 0.1 * cos(5 * rest[1] - 0.3 * f);
	posed[0] += 0.05 * sin(0.5 * f + 4 * rest[1]);
}

/* Four quarters, each rigid by itself. */
static inline void quarters(uint32_t i, const double *rest, uint32_t f, double *posed) {
	const uint32_t part = (i % SIDE < SIDE / 2) + 2 * (i / SIDE < SIDE / 2);
	const double axis[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.6, 0.8, 0}};
	rotate_about(axis[part], 0.13 * f * (1 + part), rest, posed);
	posed[part % 3] += 0.05 * f;
}

/* A blend of three transforms with the weights of blend_weight. */
static inline double blend_weight(uint32_t i, uint32_t slot) {
	const double weights[SLOTS] = {1 + (i * 7) % 5, (i * 3) % 7, 1 + (i * 5) % 3};
	return weights[slot] / (weights[0] + weights[1] + weights[2]);
}

static inline void blend_affine(uint32_t i, const double *rest, uint32_t f, double *posed) {
	memset(posed, 0, 3 * sizeof *posed);
	for (uint32_t s = 0; s < SLOTS; s++) {
		const double axis[3] = {s == 0, s == 1, s == 2};
		double p[3];
		rotate_about(axis, 0.1 * f, rest, p);
		for (int c = 0; c < 3; c++) {
			posed[c] += blend_weight(i, s) * (p[c] * (1 + 0.03 * (double)f * c) + 0.02 * (double)f * s);
		}
	}
}

static inline void blend_rigid(uint32_t i, const double *rest, uint32_t f, double *posed) {
	memset(posed, 0, 3 * sizeof *posed);
	for (uint32_t s = 0; s < SLOTS; s++) {
		const double axis[3] = {s == 0, s == 1, s == 2};
		double p[3];
		rotate_about(axis, 0.05 * f, rest, p);
		for (int c = 0; c < 3; c++) {
			posed[c] += blend_weight(i, s) * (p[c] + 0.02 * (double)f * s);
		}
	}
}

/* The grid with the weights of blend_weight over three joints. */
static inline snw_scene *rigged(motion *move) {
	snw_scene *arm = NULL, *scene = animate(POINTS, FRAMES, put_grid, move);
	snw_error error;
	check_ok(snw_sample_make("arm", &arm, &error), error);
	snw_mesh *mesh = (snw_mesh *)(uintptr_t)scene->meshes;
	uint32_t *offsets = SNW_NEW_ARRAY(scene->arena, uint32_t, POINTS + 1);
	uint32_t *slots = SNW_NEW_ARRAY(scene->arena, uint32_t, SLOTS * POINTS);
	double *weights = SNW_NEW_ARRAY(scene->arena, double, SLOTS *POINTS);
	for (uint32_t i = 0; i < POINTS; i++) {
		offsets[i + 1] = offsets[i];
		for (uint32_t s = 0; s < SLOTS; s++) {
			slots[offsets[i + 1]] = s;
			weights[offsets[i + 1]] = blend_weight(i, s);
			offsets[i + 1] += blend_weight(i, s) > 0;
		}
	}
	mesh->influence_offsets = offsets;
	mesh->influence_slots = slots;
	mesh->influence_weights = weights;
	snw_scene *with = snw_scene_copy(arm);
	with->mesh_count = with->target_count = with->clip_count = 1;
	with->meshes = scene->meshes;
	with->targets = scene->targets;
	with->clips = scene->clips;
	with->example_count = with->group_count = with->field_count = with->layer_count = 0;
	with->material_count = 0;
	snw_scene *whole = snw_scene_copy(with);
	snw_scene_destroy(with);
	snw_scene_destroy(scene);
	snw_scene_destroy(arm);
	return whole;
}

#endif
