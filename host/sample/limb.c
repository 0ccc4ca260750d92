/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample/limb.h"

#include <math.h>
#include <string.h>

#include "pose/pose.h"
#include "sample/rig.h"
#include "sinew/algebra.h"

/* Rings around the z axis, with a radius that varies. */

enum { LIMB_UPPER, LIMB_LOWER, LIMB_JOINTS };

static uint32_t segments_of(uint32_t point_count) {
	return 2 * (uint32_t)fmax(4, round(sqrt(point_count) / 2));
}

static uint32_t across(uint32_t segment, uint32_t segments) {
	return (segments - segment) % segments;
}

static void make_points(snw_mesh *mesh, uint32_t rings, uint32_t segments, snw_arena *arena) {
	double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)rings * segments);
	for (uint32_t i = 0; i < rings * segments; i++) {
		const uint32_t s = i % segments, other = across(s, segments), ring = i / segments;
		/* Both sides from the same numbers, so that they are reflections to the last bit. */
		const double angle = 2 * M_PI * (s < other ? s : other) / segments, z = 4.0 * ring / (rings - 1) - 2;
		const double radius = 0.5 + 0.1 * cos(5 * z) + 0.02 * cos(40 * z) * cos(16 * angle);
		points[3 * (size_t)i] = s == other ? 0 : (s < other ? 1 : -1) * radius * sin(angle);
		points[3 * (size_t)i + 1] = radius * cos(angle);
		points[3 * (size_t)i + 2] = z;
	}
	mesh->point_count = rings * segments;
	mesh->points_rest = points;
}

static void make_faces(snw_mesh *mesh, uint32_t rings, uint32_t segments, snw_arena *arena) {
	mesh->face_count = (rings - 1) * segments;
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)mesh->face_count + 1);
	uint32_t *corners = SNW_NEW_ARRAY(arena, uint32_t, 4 * (size_t)mesh->face_count);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t next = f - f % segments + (f % segments + 1) % segments;
		const uint32_t indices[4] = {f, next, next + segments, f + segments};
		memcpy(corners + 4 * (size_t)f, indices, sizeof indices);
		offsets[f + 1] = 4 * (f + 1);
	}
	mesh->face_offsets = offsets;
	mesh->face_points = corners;
}

/* From one joint to the other over a metre. */
static void find_limb_weights(const double rest[3], double *weights) {
	const double t = fmin(fmax(rest[2] + 0.5, 0), 1), lower = t * t * (3 - 2 * t);
	weights[LIMB_UPPER] = 1 - lower;
	weights[LIMB_LOWER] = lower;
}

static void make_limb_poses(snw_scene *scene) {
	snw_pose *poses = SNW_NEW_ARRAY(scene->arena, snw_pose, 2);
	poses[0] = *snw_pose_rest(scene, scene->arena);
	poses[1] = *snw_pose_rest(scene, scene->arena);
	poses[1].name = "bent";
	poses[1].rotation_vectors[3 * LIMB_LOWER] = 1.4;
	snw_quat_from_rotation_vector(poses[1].rotation_vectors + 3 * LIMB_LOWER, poses[1].local[LIMB_LOWER].rotation);
	scene->poses = poses;
	scene->pose_count = 2;
}

snw_scene *snw_limb_make(uint32_t point_count) {
	snw_scene *scene = snw_scene_create();
	snw_mesh *mesh = SNW_NEW(scene->arena, snw_mesh);
	const uint32_t segments = segments_of(point_count);
	const uint32_t rings = (uint32_t)fmax(8, round((double)point_count / segments));
	mesh->name = "limb";
	make_points(mesh, rings, segments, scene->arena);
	make_faces(mesh, rings, segments, scene->arena);
	snw_rig_skin(mesh, LIMB_JOINTS, find_limb_weights, scene->arena);
	scene->mesh_count = 1;
	scene->meshes = mesh;
	static const snw_rig_joint joints[LIMB_JOINTS] = {{"upper", SNW_NONE, {0}}, {"lower", LIMB_UPPER, {0}}};
	snw_rig_make(scene, joints, LIMB_JOINTS, NULL); /* cannot fail: one joint below the other */
	make_limb_poses(scene);
	snw_scene_add_baseline(scene);
	return scene;
}

const uint32_t *snw_limb_partners(const snw_mesh *mesh, snw_arena *arena) {
	const uint32_t segments = mesh->face_points[3]; /* a point of the next ring */
	uint32_t *partners = SNW_NEW_ARRAY(arena, uint32_t, mesh->point_count);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		partners[i] = i - i % segments + across(i % segments, segments);
	}
	return partners;
}
