/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sample arm: shoulder, elbow and wrist, whose linear blend collapses at the elbow and candy-wraps
 * toward the wrist, with clips, targets and two sculpts from its truth.
 */
#include <math.h>

#include "base/arena.h"
#include "pose/pose.h"
#include "sample/arm_ground_truth.h"
#include "sample/makers.h"
#include "sample/tube.h"
#include "scene/skeleton.h"
#include "sinew/algebra.h"

#define PI 3.14159265358979323846

enum { SHOULDER, ELBOW, WRIST, JOINT_COUNT };
enum { FRAMES = 25 };
static const double frames_per_second = 24;

/* How bent and how twisted the arm is at a moment between 0 and 1 of a clip, as shares of the most. */
typedef struct motion {
	const char *name;
	double bend_turns, twist_turns; /* how often there and back */
} motion;

static const motion motions[] = {{"bend", 1, 0}, {"twist", 0, 1}, {"both", 1, 2}};
enum { MOTION_COUNT = sizeof motions / sizeof *motions };

/* What is sculpted: pose, example and group. */
static const struct {
	const char *pose, *group;
	double bend, twist;
} sculpts[] = {
	{"elbow-130", "elbow", SNW_ARM_BEND_MOST, 0},
	{"wrist-150", "wrist", 0, SNW_ARM_TWIST_MOST},
};
enum { SCULPT_COUNT = sizeof sculpts / sizeof *sculpts };

static double bump(double x, double centre, double width) {
	const double t = (x - centre) / width;
	return exp(-t * t);
}

static double smooth_step(double x, double from, double to) {
	const double t = fmin(fmax((x - from) / (to - from), 0), 1);
	return t * t * (3 - 2 * t);
}

/* Biceps, forearm, wrist, hand. */
static double radius(double x) {
	return 0.034 + 0.010 * bump(x, 0.13, 0.09) + 0.008 * bump(x, 0.42, 0.07) - 0.008 * smooth_step(x, 0.45, 0.57) +
		   0.009 * bump(x, 0.66, 0.05);
}

static void make_skeleton(snw_scene *scene) {
	static const char *const names[JOINT_COUNT] = {"shoulder", "elbow", "wrist"};
	static const uint32_t parents[JOINT_COUNT] = {SNW_NONE, SHOULDER, ELBOW};
	const double pivot = snw_arm_pivot();
	const double places[JOINT_COUNT][3] = {{0, 0, 0}, {SNW_ARM_ELBOW, pivot, 0}, {SNW_ARM_WRIST - SNW_ARM_ELBOW, -pivot, 0}};
	snw_arena *arena = scene->arena;
	snw_skeleton *skeleton = &scene->skeleton;
	skeleton->joint_count = JOINT_COUNT;
	skeleton->names = SNW_NEW_ARRAY(arena, const char *, JOINT_COUNT);
	skeleton->parents = SNW_NEW_ARRAY(arena, uint32_t, JOINT_COUNT);
	skeleton->rest_local = SNW_NEW_ARRAY(arena, snw_transform, JOINT_COUNT);
	for (uint32_t j = 0; j < JOINT_COUNT; j++) {
		skeleton->names[j] = names[j];
		skeleton->parents[j] = parents[j];
		skeleton->rest_local[j] = (snw_transform){.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
		memcpy(skeleton->rest_local[j].translation, places[j], sizeof places[j]);
	}
}

/* One slot a joint; each joint's rest is a translation, so its inverse bind is the way back. */
static void make_slots(snw_scene *scene) {
	uint32_t *joints = SNW_NEW_ARRAY(scene->arena, uint32_t, JOINT_COUNT);
	double *inverse_binds = SNW_NEW_ARRAY(scene->arena, double, 12 * JOINT_COUNT);
	for (uint32_t j = 0; j < JOINT_COUNT; j++) {
		joints[j] = j;
		snw_mat34_invert(scene->skeleton.rest_global + 12 * j, inverse_binds + 12 * j);
	}
	scene->slot_count = JOINT_COUNT;
	scene->slot_joints = joints;
	scene->slot_inverse_binds = inverse_binds;
}

/* The forearm takes over around the elbow, the hand from the middle of the forearm on. */
static void make_skin(snw_mesh *mesh, snw_arena *arena) {
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)mesh->point_count + 1);
	uint32_t *slots = SNW_NEW_ARRAY(arena, uint32_t, (size_t)mesh->point_count * JOINT_COUNT);
	double *weights = SNW_NEW_ARRAY(arena, double, (size_t)mesh->point_count *JOINT_COUNT);
	uint32_t count = 0;
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		const double x = mesh->points_rest[3 * i];
		const double below = smooth_step(x, SNW_ARM_ELBOW - 0.07, SNW_ARM_ELBOW + 0.07), hand = smooth_step(x, 0.43, 0.61);
		const double shares[JOINT_COUNT] = {1 - below, below * (1 - hand), below * hand};
		for (uint32_t j = 0; j < JOINT_COUNT; j++) {
			if (shares[j] > 0) {
				slots[count] = j;
				weights[count++] = shares[j];
			}
		}
		offsets[i + 1] = count;
	}
	mesh->influence_offsets = offsets;
	mesh->influence_slots = slots;
	mesh->influence_weights = weights;
}

static void make_mesh(snw_scene *scene, uint32_t rings, uint32_t sides) {
	const snw_tube tube = {.begin = -0.06, .end = 0.71, .dome = 0.8, .rings = rings, .sides = sides, .radius = radius};
	snw_mesh *mesh = SNW_NEW(scene->arena, snw_mesh);
	mesh->name = "arm";
	snw_tube_build(&tube, scene->arena, mesh);
	make_skin(mesh, scene->arena);
	mesh->face_materials = SNW_NEW_ARRAY(scene->arena, uint32_t, mesh->face_count); /* all 0 */
	scene->mesh_count = 1;
	scene->meshes = mesh;
	snw_material *material = SNW_NEW(scene->arena, snw_material);
	*material = (snw_material){.name = "skin",
							   .base_color = {0.72, 0.45, 0.35, 1},
							   .roughness = 0.55,
							   .base_color_image = SNW_NONE,
							   .metallic_roughness_image = SNW_NONE,
							   .normal_image = SNW_NONE,
							   .emissive_image = SNW_NONE,
							   .alpha_cutoff = 0.5};
	scene->material_count = 1;
	scene->materials = material;
}

static double there_and_back(double most, double turns, double share) {
	return most * (1 - cos(2 * PI * turns * share)) / 2;
}

static void angles_at(const motion *moving, uint32_t frame, double *bend, double *twist) {
	const double share = (double)frame / (FRAMES - 1);
	*bend = there_and_back(SNW_ARM_BEND_MOST, moving->bend_turns, share);
	*twist = there_and_back(SNW_ARM_TWIST_MOST, moving->twist_turns, share);
}

static double *key_times(snw_arena *arena) {
	double *seconds = SNW_NEW_ARRAY(arena, double, FRAMES);
	for (uint32_t f = 0; f < FRAMES; f++) {
		seconds[f] = f / frames_per_second;
	}
	return seconds;
}

static void make_track(snw_track *track, uint32_t joint, const double *seconds, double *rotations) {
	*track = (snw_track){.target = joint,
						 .path = SNW_PATH_ROTATION,
						 .interpolation = SNW_LINEAR,
						 .key_count = FRAMES,
						 .seconds = seconds,
						 .values = rotations};
}

static void make_clip(const motion *moving, snw_arena *arena, snw_clip *clip) {
	double *seconds = key_times(arena);
	double *bends = SNW_NEW_ARRAY(arena, double, 4 * FRAMES), *twists = SNW_NEW_ARRAY(arena, double, 4 * FRAMES);
	for (uint32_t f = 0; f < FRAMES; f++) {
		double bend, twist;
		angles_at(moving, f, &bend, &twist);
		snw_quat_from_rotation_vector((const double[3]){0, 0, bend}, bends + 4 * f);
		snw_quat_from_rotation_vector((const double[3]){twist, 0, 0}, twists + 4 * f);
	}
	snw_track *tracks = SNW_NEW_ARRAY(arena, snw_track, 2);
	make_track(&tracks[0], ELBOW, seconds, bends);
	make_track(&tracks[1], WRIST, seconds, twists);
	*clip = (snw_clip){.name = moving->name, .duration_seconds = seconds[FRAMES - 1], .track_count = 2, .tracks = tracks};
}

static void make_target(const snw_scene *scene, uint32_t clip, snw_target *target) {
	const snw_mesh *mesh = &scene->meshes[0];
	const size_t numbers = 3 * (size_t)mesh->point_count;
	float *points = SNW_NEW_ARRAY(scene->arena, float, FRAMES *numbers);
	for (uint32_t f = 0; f < FRAMES; f++) {
		double bend, twist;
		angles_at(&motions[clip], f, &bend, &twist);
		for (size_t i = 0; i < numbers; i += 3) {
			double posed[3];
			snw_arm_ground_truth(bend, twist, mesh->points_rest + i, posed);
			for (int c = 0; c < 3; c++) {
				points[f * numbers + i + c] = (float)posed[c];
			}
		}
	}
	*target = (snw_target){.name = motions[clip].name,
						   .mesh = 0,
						   .clip = clip,
						   .frame_count = FRAMES,
						   .seconds = key_times(scene->arena),
						   .points_posed = points};
}

static void make_clips(snw_scene *scene) {
	snw_clip *clips = SNW_NEW_ARRAY(scene->arena, snw_clip, MOTION_COUNT);
	snw_target *targets = SNW_NEW_ARRAY(scene->arena, snw_target, MOTION_COUNT);
	for (uint32_t m = 0; m < MOTION_COUNT; m++) {
		make_clip(&motions[m], scene->arena, &clips[m]);
		make_target(scene, m, &targets[m]);
	}
	scene->clip_count = scene->target_count = MOTION_COUNT;
	scene->clips = clips;
	scene->targets = targets;
}

static void pose_arm(const snw_scene *scene, const char *name, double bend, double twist, snw_pose *pose) {
	*pose = *snw_pose_rest(scene, scene->arena);
	pose->name = name;
	pose->rotation_vectors[3 * ELBOW + 2] = bend;
	pose->rotation_vectors[3 * WRIST] = twist;
	snw_quat_from_rotation_vector(pose->rotation_vectors + 3 * ELBOW, pose->local[ELBOW].rotation);
	snw_quat_from_rotation_vector(pose->rotation_vectors + 3 * WRIST, pose->local[WRIST].rotation);
}

static void make_sculpts(snw_scene *scene) {
	const snw_mesh *mesh = &scene->meshes[0];
	snw_pose *poses = SNW_NEW_ARRAY(scene->arena, snw_pose, 2 + SCULPT_COUNT);
	snw_example *examples = SNW_NEW_ARRAY(scene->arena, snw_example, SCULPT_COUNT);
	snw_group *groups = SNW_NEW_ARRAY(scene->arena, snw_group, SCULPT_COUNT);
	poses[0] = *snw_pose_rest(scene, scene->arena);
	for (uint32_t s = 0; s < SCULPT_COUNT; s++) {
		pose_arm(scene, sculpts[s].pose, sculpts[s].bend, sculpts[s].twist, &poses[1 + s]);
		double *points = SNW_NEW_ARRAY(scene->arena, double, 3 * (size_t)mesh->point_count);
		for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i += 3) {
			snw_arm_ground_truth(sculpts[s].bend, sculpts[s].twist, mesh->points_rest + i, points + i);
		}
		examples[s] = (snw_example){.name = sculpts[s].pose, .pose = 1 + s, .mesh = 0, .points_posed = points};
		snw_member *member = SNW_NEW(scene->arena, snw_member);
		*member = (snw_member){.example = s, .mask = SNW_NONE};
		groups[s] = (snw_group){.name = sculpts[s].group, .member_count = 1, .members = member};
	}
	pose_arm(scene, "both", SNW_ARM_BEND_MOST, SNW_ARM_TWIST_MOST, &poses[1 + SCULPT_COUNT]);
	scene->poses = poses;
	scene->pose_count = 2 + SCULPT_COUNT;
	scene->examples = examples;
	scene->groups = groups;
	scene->example_count = scene->group_count = SCULPT_COUNT;
}

static snw_status make_arm(snw_scene *scene, uint32_t rings, uint32_t sides, snw_error *error) {
	make_skeleton(scene);
	const snw_status status = snw_skeleton_finish(&scene->skeleton, scene->arena, error);
	if (snw_failed(status)) {
		return status;
	}
	make_slots(scene);
	make_mesh(scene, rings, sides);
	make_clips(scene);
	make_sculpts(scene);
	snw_scene_add_baseline(scene);
	return SNW_OK;
}

snw_status snw_sample_make_arm(snw_scene *scene, snw_error *error) {
	return make_arm(scene, 150, 64, error);
}

snw_status snw_sample_make_small_arm(snw_scene *scene, snw_error *error) {
	return make_arm(scene, 75, 32, error);
}
