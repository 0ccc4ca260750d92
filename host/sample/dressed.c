/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A dressed figure: a body with a shirt and trousers over it, hair and a staff. y points up, z forward, x to its left. Each
 * part is made of tubes. The shape "breathe" is on the body and on the shirt, "smile" on the body alone. The sides are not
 * alike: there is a band around the right arm alone, the right sleeve is shorter, and the hair falls to the left. Hair and
 * staff have a skin of their own: slots for the joints that they hang on.
 */
#include <math.h>
#include <string.h>

#include "pose/pose.h"
#include "sample/sample.h"
#include "sinew/algebra.h"

enum {
	HIPS,
	SPINE,
	CHEST,
	HEAD,
	UPPER_ARM_L,
	LOWER_ARM_L,
	HAND_L,
	UPPER_ARM_R,
	LOWER_ARM_R,
	HAND_R,
	THIGH_L,
	SHIN_L,
	FOOT_L,
	THIGH_R,
	SHIN_R,
	FOOT_R,
	JOINTS,
	HAIR_SLOT = JOINTS,
	STAFF_SLOT,
	SLOTS
};
enum { BODY, SHIRT, TROUSERS, HAIR, STAFF, MESHES };
enum { BREATHE, SMILE, CHANNELS };
enum { KEYS = 7, BENDS = 4, MOST_TUBES = 6 };

static const snw_rig_joint rig[JOINTS] = {
	{"hips", SNW_NONE, {0, 0.95, 0}},
	{"spine", HIPS, {0, 0.17, 0}},
	{"chest", SPINE, {0, 0.2, 0}},
	{"head", CHEST, {0, 0.23, 0}},
	{"upper_arm_l", CHEST, {0.18, 0.08, 0}},
	{"lower_arm_l", UPPER_ARM_L, {0.27, 0, 0}},
	{"hand_l", LOWER_ARM_L, {0.25, 0, 0}},
	{"upper_arm_r", CHEST, {-0.18, 0.08, 0}},
	{"lower_arm_r", UPPER_ARM_R, {-0.27, 0, 0}},
	{"hand_r", LOWER_ARM_R, {-0.25, 0, 0}},
	{"thigh_l", HIPS, {0.095, -0.03, 0}},
	{"shin_l", THIGH_L, {0, -0.42, 0}},
	{"foot_l", SHIN_L, {0, -0.42, 0}},
	{"thigh_r", HIPS, {-0.095, -0.03, 0}},
	{"shin_r", THIGH_R, {0, -0.42, 0}},
	{"foot_r", SHIN_R, {0, -0.42, 0}},
};
static const double clothing_gap = 0.014; /* metres: how far clothes are from the skin */

static double smooth_step(double from, double to, double value) {
	const double t = fmin(fmax((value - from) / (to - from), 0), 1);
	return t * t * (3 - 2 * t);
}

/* ---- shapes -------------------------------------------------------------------------------------------------------------- */

/* By the height, and by the distance from the middle of an arm or from the ground of a leg. */
static double trunk_radius(double y) {
	const double hips = 0.04 * smooth_step(1.1, 0.95, y), chest = 0.03 * smooth_step(1.1, 1.32, y);
	const double neck = 0.1 * smooth_step(1.4, 1.5, y);
	return 0.13 + hips + chest - neck + 0.045 * smooth_step(1.53, 1.63, y);
}
static double arm_radius(double x) {
	return 0.052 - 0.014 * smooth_step(0.3, 0.75, fabs(x));
}
static double band_radius(double x) {
	return arm_radius(x) + 0.006;
}
static double leg_radius(double y) {
	return 0.045 + 0.027 * smooth_step(0.1, 0.8, y);
}
static double shirt_radius(double y) {
	return trunk_radius(fmin(y, 1.42)) + clothing_gap;
}
static double sleeve_radius(double x) {
	return arm_radius(x) + clothing_gap;
}
static double trouser_radius(double y) {
	return leg_radius(y) + clothing_gap;
}
static double waist_radius(double y) {
	return trunk_radius(y) + 1.5 * clothing_gap;
}
static double hair_radius(double y) {
	return 0.112 + 0.012 * smooth_step(1.66, 1.7, y);
}
static double staff_radius(double y) {
	(void)y;
	return 0.014;
}

/* A tube along an axis (0 x, 1 y), moved by x, y and z. */
typedef struct tube_part {
	int axis;
	double offset[3];
	snw_tube tube;
} tube_part;

static const tube_part part_tubes[MESHES][MOST_TUBES] = {
	[BODY] = {{1, {0}, {0.86, 1.72, 0.6, 48, 24, trunk_radius}},
			  {0, {0, 1.4, 0}, {0.1, 0.84, 0.8, 40, 16, arm_radius}},
			  {0, {0, 1.4, 0}, {-0.84, -0.1, 0.8, 40, 16, arm_radius}},
			  {0, {0, 1.4, 0}, {-0.52, -0.48, 0.1, 6, 16, band_radius}},
			  {1, {0.095, 0, 0}, {0.06, 0.93, 0.8, 36, 16, leg_radius}},
			  {1, {-0.095, 0, 0}, {0.06, 0.93, 0.8, 36, 16, leg_radius}}},
	[SHIRT] = {{1, {0}, {1, 1.46, 0.1, 28, 24, shirt_radius}},
			   {0, {0, 1.4, 0}, {0.12, 0.5, 0.1, 22, 16, sleeve_radius}},
			   {0, {0, 1.4, 0}, {-0.42, -0.12, 0.1, 18, 16, sleeve_radius}}},
	[TROUSERS] = {{1, {0}, {0.84, 1.03, 0.1, 10, 24, waist_radius}},
				  {1, {0.095, 0, 0}, {0.25, 0.93, 0.1, 26, 16, trouser_radius}},
				  {1, {-0.095, 0, 0}, {0.25, 0.93, 0.1, 26, 16, trouser_radius}}},
	[HAIR] = {{1, {0.008, 0, -0.012}, {1.65, 1.75, 0.7, 12, 24, hair_radius}}},
	[STAFF] = {{1, {-0.76, 0, 0.06}, {0.5, 1.9, 1, 30, 8, staff_radius}}},
};

static void place(const tube_part *from, double *points, uint32_t count) {
	for (size_t i = 0; i < 3 * (size_t)count; i += 3) {
		double p[3] = {points[i], points[i + 1], points[i + 2]};
		if (from->axis == 1) { /* keeps the faces outside */
			p[0] = points[i + 1];
			p[1] = points[i];
			p[2] = -points[i + 2];
		}
		for (size_t c = 0; c < 3; c++) {
			points[i + c] = p[c] + from->offset[c];
		}
	}
}

/* Appends a mesh to another that has room for it. */
static void append(const snw_mesh *from, double *points, uint32_t *face_points, float *uvs, snw_mesh *mesh) {
	const uint32_t corners = 4 * mesh->face_count;
	memcpy(points + 3 * (size_t)mesh->point_count, from->points_rest, 3 * (size_t)from->point_count * sizeof *points);
	memcpy(uvs + 2 * (size_t)corners, from->corner_uvs, 8 * (size_t)from->face_count * sizeof *uvs);
	for (uint32_t c = 0; c < 4 * from->face_count; c++) {
		face_points[corners + c] = mesh->point_count + from->face_points[c];
	}
	mesh->point_count += from->point_count;
	mesh->face_count += from->face_count;
}

/* One for each mesh. */
static void make_materials(snw_scene *scene, const char *const names[MESHES]) {
	static const double colors[MESHES][4] = {
		{0.72, 0.5, 0.4, 1}, {0.25, 0.36, 0.5, 1}, {0.2, 0.19, 0.18, 1}, {0.16, 0.09, 0.05, 1}, {0.4, 0.27, 0.15, 1}};
	snw_material *materials = SNW_NEW_ARRAY(scene->arena, snw_material, MESHES);
	for (int m = 0; m < MESHES; m++) {
		materials[m] = (snw_material){.name = names[m],
									  .roughness = 0.7,
									  .base_color_image = SNW_NONE,
									  .metallic_roughness_image = SNW_NONE,
									  .normal_image = SNW_NONE,
									  .emissive_image = SNW_NONE};
		memcpy(materials[m].base_color, colors[m], sizeof colors[m]);
	}
	scene->materials = materials;
	scene->material_count = MESHES;
}

static void paint(snw_arena *arena, uint32_t material, snw_mesh *mesh) {
	uint32_t *faces = SNW_NEW_ARRAY(arena, uint32_t, mesh->face_count);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		faces[f] = material;
	}
	mesh->face_materials = faces;
}

static void make_part_mesh(snw_arena *arena, const tube_part *of, const char *name, snw_mesh *mesh) {
	snw_mesh tubes[MOST_TUBES];
	uint32_t count = 0, points = 0, faces = 0;
	for (; count < MOST_TUBES && of[count].tube.radius; count++) {
		snw_tube_build(&of[count].tube, arena, &tubes[count]);
		place(&of[count], (double *)(uintptr_t)tubes[count].points_rest, tubes[count].point_count);
		points += tubes[count].point_count;
		faces += tubes[count].face_count;
	}
	double *rest = SNW_NEW_ARRAY(arena, double, 3 * (size_t)points);
	uint32_t *face_points = SNW_NEW_ARRAY(arena, uint32_t, 4 * (size_t)faces);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)faces + 1);
	float *uvs = SNW_NEW_ARRAY(arena, float, 8 * (size_t)faces);
	*mesh =
		(snw_mesh){.name = name, .points_rest = rest, .face_points = face_points, .face_offsets = offsets, .corner_uvs = uvs};
	for (uint32_t t = 0; t < count; t++) {
		append(&tubes[t], rest, face_points, uvs, mesh);
	}
	for (uint32_t f = 0; f <= faces; f++) {
		offsets[f] = 4 * f;
	}
}

/* ---- skins --------------------------------------------------------------------------------------------------------------- */

/* Along a chain of joints: all of the first before `at`, all of the last behind it. */
static void share(double *weights, uint32_t first, uint32_t next, double amount) {
	const double whole = weights[first];
	weights[next] += amount * whole;
	weights[first] = (1 - amount) * whole;
}

static void find_body_weights(const double rest[3], double *weights) {
	const double x = fabs(rest[0]), y = rest[1], in_arm = smooth_step(0.1, 0.2, x) * smooth_step(1.25, 1.33, y);
	const uint32_t arm = rest[0] > 0 ? UPPER_ARM_L : UPPER_ARM_R, leg = rest[0] > 0 ? THIGH_L : THIGH_R;
	memset(weights, 0, SLOTS * sizeof *weights);
	weights[HIPS] = 1;
	share(weights, HIPS, SPINE, smooth_step(1, 1.14, y));
	share(weights, SPINE, CHEST, smooth_step(1.2, 1.34, y));
	share(weights, CHEST, HEAD, smooth_step(1.47, 1.57, y));
	share(weights, HIPS, leg, smooth_step(0.93, 0.8, y) * smooth_step(0, 0.009, x));
	share(weights, leg, leg + 1, smooth_step(0.56, 0.44, y));
	share(weights, leg + 1, leg + 2, smooth_step(0.13, 0.05, y));
	share(weights, CHEST, arm, in_arm);
	share(weights, HEAD, arm, in_arm);
	share(weights, arm, arm + 1, smooth_step(0.39, 0.51, x));
	share(weights, arm + 1, arm + 2, smooth_step(0.66, 0.74, x));
}

static void find_hair_weights(const double rest[3], double *weights) {
	(void)rest;
	memset(weights, 0, SLOTS * sizeof *weights);
	weights[HAIR_SLOT] = 1;
}

static void find_staff_weights(const double rest[3], double *weights) {
	(void)rest;
	memset(weights, 0, SLOTS * sizeof *weights);
	weights[STAFF_SLOT] = 1;
}

static void add_slots(snw_scene *scene) {
	static const uint32_t second[SLOTS - JOINTS] = {HEAD, HAND_R};
	uint32_t *joints = SNW_NEW_ARRAY(scene->arena, uint32_t, SLOTS);
	double *binds = SNW_NEW_ARRAY(scene->arena, double, 12 * (size_t)SLOTS);
	for (uint32_t s = 0; s < SLOTS; s++) {
		joints[s] = s < JOINTS ? s : second[s - JOINTS];
		memcpy(binds + 12 * (size_t)s, scene->slot_inverse_binds + 12 * (size_t)joints[s], 12 * sizeof *binds);
	}
	scene->slot_count = SLOTS;
	scene->slot_joints = joints;
	scene->slot_inverse_binds = binds;
}

/* ---- named shapes -------------------------------------------------------------------------------------------------------- */

/* How far a shape takes a point. False if it leaves it. */
static bool shape_at(int channel, const double rest[3], double vector[3]) {
	const double x = fabs(rest[0]), y = rest[1];
	const double breath = 0.02 * smooth_step(1.15, 1.3, y) * smooth_step(1.42, 1.32, y) * smooth_step(0.2, 0.12, x);
	const double smile = 0.012 * smooth_step(0.02, 0.035, x) * smooth_step(0.02, 0.05, rest[2]) * smooth_step(1.56, 1.6, y) *
						 smooth_step(1.66, 1.62, y);
	const bool is_front = rest[2] > 0;
	vector[0] = 0;
	vector[1] = channel == SMILE ? smile : 0.2 * breath;
	vector[2] = channel == SMILE || !is_front ? 0 : breath;
	return channel == SMILE ? smile > 0 : breath > 0 && is_front;
}

static void add_channel_morph(snw_arena *arena, int channel, const char *name, snw_mesh *mesh) {
	snw_morph *morphs = SNW_NEW_ARRAY(arena, snw_morph, mesh->morph_count + 1u), *made = &morphs[mesh->morph_count];
	uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, mesh->point_count);
	double *vectors = SNW_NEW_ARRAY(arena, double, 3 * (size_t)mesh->point_count);
	if (mesh->morph_count > 0) {
		memcpy(morphs, mesh->morphs, mesh->morph_count * sizeof *morphs);
	}
	*made = (snw_morph){.name = name, .channel = (uint32_t)channel, .points = points, .vectors = vectors};
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		if (shape_at(channel, mesh->points_rest + 3 * (size_t)i, vectors + 3 * (size_t)made->count)) {
			points[made->count++] = i;
		}
	}
	mesh->morphs = morphs;
	mesh->morph_count++;
}

/* ---- motion -------------------------------------------------------------------------------------------------------------- */

/* It raises an arm, bends the elbow and lifts a knee; radians at the middle of the clip. */
static const struct {
	uint32_t joint;
	double vector[3];
} bends[BENDS] = {{UPPER_ARM_L, {0, 0, 0.9}}, {LOWER_ARM_L, {0, -1.6, 0}}, {THIGH_R, {-1.2, 0, 0}}, {SHIN_R, {1.5, 0, 0}}};

static void make_bends(snw_scene *scene) {
	snw_clip *clip = SNW_NEW(scene->arena, snw_clip);
	snw_track *tracks = SNW_NEW_ARRAY(scene->arena, snw_track, BENDS);
	double *seconds = SNW_NEW_ARRAY(scene->arena, double, KEYS);
	for (uint32_t t = 0; t < BENDS; t++) {
		double *rotations = SNW_NEW_ARRAY(scene->arena, double, 4 * KEYS);
		for (uint32_t k = 0; k < KEYS; k++) {
			const double amount = sin(M_PI * k / (KEYS - 1)), *whole = bends[t].vector;
			const double vector[3] = {amount * whole[0], amount * whole[1], amount * whole[2]};
			seconds[k] = 0.25 * k;
			snw_quat_from_rotation_vector(vector, rotations + 4 * (size_t)k);
		}
		tracks[t] = (snw_track){.target = bends[t].joint,
								.path = SNW_PATH_ROTATION,
								.interpolation = SNW_LINEAR,
								.key_count = KEYS,
								.seconds = seconds,
								.values = rotations};
	}
	*clip = (snw_clip){.name = "wave", .duration_seconds = seconds[KEYS - 1], .track_count = BENDS, .tracks = tracks};
	scene->clips = clip;
	scene->clip_count = 1;
}

static void make_dressed_poses(snw_scene *scene) {
	snw_pose *poses = SNW_NEW_ARRAY(scene->arena, snw_pose, 2), *bent = &poses[1];
	poses[0] = *snw_pose_rest(scene, scene->arena);
	*bent = *snw_pose_rest(scene, scene->arena);
	bent->name = "elbow bent";
	bent->rotation_vectors[3 * LOWER_ARM_L + 1] = -1.4;
	snw_quat_from_rotation_vector(bent->rotation_vectors + 3 * LOWER_ARM_L, bent->local[LOWER_ARM_L].rotation);
	scene->poses = poses;
	scene->pose_count = 2;
}

/* ---- the figure ---------------------------------------------------------------------------------------------------------- */

snw_status snw_sample_make_dressed(snw_scene *scene, snw_error *error) {
	static const char *const names[MESHES] = {"body", "shirt", "trousers", "hair", "staff"};
	static const snw_channel channels[CHANNELS] = {{.name = "breathe"}, {.name = "smile"}};
	const snw_status status = snw_rig_make(scene, rig, JOINTS, error);
	if (snw_failed(status)) {
		return status;
	}
	add_slots(scene);
	make_materials(scene, names);
	snw_mesh *meshes = SNW_NEW_ARRAY(scene->arena, snw_mesh, MESHES);
	for (int m = 0; m < MESHES; m++) {
		make_part_mesh(scene->arena, part_tubes[m], names[m], &meshes[m]);
		paint(scene->arena, (uint32_t)m, &meshes[m]);
		snw_rig_skin(&meshes[m], SLOTS,
					 m == HAIR    ? find_hair_weights
					 : m == STAFF ? find_staff_weights
								  : find_body_weights,
					 scene->arena);
	}
	add_channel_morph(scene->arena, BREATHE, "breathe", &meshes[BODY]);
	add_channel_morph(scene->arena, SMILE, "smile", &meshes[BODY]);
	add_channel_morph(scene->arena, BREATHE, "breathe", &meshes[SHIRT]);
	scene->meshes = meshes;
	scene->mesh_count = MESHES;
	scene->channels = channels;
	scene->channel_count = CHANNELS;
	make_bends(scene);
	make_dressed_poses(scene);
	snw_scene_add_baseline(scene);
	return SNW_OK;
}
