/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample/trained_limbs.h"

#include <math.h>
#include <string.h>

#include "pose/pose.h"
#include "sample/arm.h"
#include "sample/makers.h"
#include "sample/rig.h"
#include "sample/tube.h"
#include "sinew/algebra.h"

/* The samples of which three poses train a skin, after R. Wang, K. Pulli, J. Popović: Real-time enveloping with rotational
 * regression, 2007: the twisting bar and the arm of Figure 13, and the arm with a muscle of Figures 4 and 6. The clip "train"
 * has the three poses, and "test" others between them. Both have targets, by a formula; the poses that train are sculpts
 * too. */

enum { TRAIN_FRAMES = 3, TEST_FRAMES = 24 };
enum { UPPER, LOWER, TWIST_JOINTS };
static const double bar_half = 0.6, bar_radius = 0.1;
/* The muscle at its thickest, metres; where it is; the angle of the elbow that it belongs to. */
static const double muscle_height = 0.022, muscle_centre = 0.14, muscle_width = 0.07, muscle_angle = 2 * M_PI / 3;

/* One of them: what rotates by one angle. */
typedef struct limb {
	snw_status (*make)(snw_scene *scene, snw_mesh *mesh, snw_error *error); /* the mesh and the rig */
	void (*truth)(double angle, const double rest[3], double posed[3]);
	uint32_t joint;                     /* it turns … */
	uint32_t axis;                      /* … about this axis */
	double train_degrees[TRAIN_FRAMES]; /* ascending */
	double test_degrees;                /* the test clip goes up to here */
} limb;

/* ---- the bar ------------------------------------------------------------------------------------------------------------- */

static double radius_of_bar(double x) {
	(void)x;
	return bar_radius;
}

static double share_of_bar(double x) {
	return fmin(fmax((x + bar_half) / (2 * bar_half), 0), 1);
}

static void weigh_bar(const double rest[3], double *weights) {
	weights[LOWER] = share_of_bar(rest[0]);
	weights[UPPER] = 1 - weights[LOWER];
}

/* Of 82 points: the paper's has 80 (Table 1). */
static snw_status make_bar(snw_scene *scene, snw_mesh *mesh, snw_error *error) {
	static const snw_tube tube = {
		.begin = -bar_half, .end = bar_half, .dome = 0.2, .rings = 10, .sides = 8, .radius = radius_of_bar};
	static const snw_rig_joint joints[] = {{"fixed", SNW_NONE, {-bar_half, 0, 0}}, {"twisting", UPPER, {2 * bar_half, 0, 0}}};
	mesh->name = "bar";
	snw_tube_build(&tube, scene->arena, mesh);
	snw_rig_skin(mesh, TWIST_JOINTS, weigh_bar, scene->arena);
	return snw_rig_make(scene, joints, TWIST_JOINTS, error);
}

static void twist_limb(double angle, const double rest[3], double posed[3]) {
	posed[0] = rest[0];
	posed[1] = rest[1] * cos(angle) - rest[2] * sin(angle);
	posed[2] = rest[1] * sin(angle) + rest[2] * cos(angle);
}

void snw_twist_bar_truth(double angle, const double rest[3], double posed[3]) {
	twist_limb(angle * share_of_bar(rest[0]), rest, posed);
}

/* ---- the elbow ----------------------------------------------------------------------------------------------------------- */

static double share_of_forearm(double x) {
	return fmin(fmax((x - SNW_ARM_ELBOW) / (SNW_ARM_WRIST - SNW_ARM_ELBOW), 0), 1);
}

static void weigh_elbow(const double rest[3], double *weights) {
	weights[LOWER] = share_of_forearm(rest[0]);
	weights[UPPER] = 1 - weights[LOWER];
}

static snw_status make_elbow(snw_scene *scene, snw_mesh *mesh, snw_error *error) {
	static const snw_tube tube = {.begin = -0.06, .end = 0.71, .dome = 0.8, .rings = 69, .sides = 36, .radius = snw_arm_radius};
	static const snw_rig_joint joints[] = {{"upper", SNW_NONE, {0, 0, 0}}, {"lower", UPPER, {SNW_ARM_ELBOW, 0, 0}}};
	mesh->name = "arm";
	snw_tube_build(&tube, scene->arena, mesh);
	snw_rig_skin(mesh, TWIST_JOINTS, weigh_elbow, scene->arena);
	return snw_rig_make(scene, joints, TWIST_JOINTS, error);
}

void snw_elbow_truth(double angle, const double rest[3], double posed[3]) {
	twist_limb(angle * share_of_forearm(rest[0]), rest, posed);
}

/* ---- the arm with a muscle ----------------------------------------------------------------------------------------------- */

static snw_status make_muscle_arm(snw_scene *scene, snw_mesh *mesh, snw_error *error) {
	snw_arm_make_mesh(115, 44, scene->arena, mesh);
	return snw_arm_make_rig(scene, error);
}

void snw_muscle_arm_truth(double angle, const double rest[3], double posed[3]) {
	const double radius = hypot(rest[1], rest[2]);
	const double side = radius > 0 ? fmax(rest[1] / radius, 0) : 0; /* 1 at the inside of the elbow */
	const double height = muscle_height * angle / muscle_angle * side * side * snw_bump(rest[0], muscle_centre, muscle_width);
	const double grown = radius > 0 ? 1 + height / radius : 1, thick[3] = {rest[0], grown * rest[1], grown * rest[2]};
	snw_arm_ground_truth(angle, 0, thick, posed);
}

/* ---- clips and sculpts --------------------------------------------------------------------------------------------------- */

static const limb twist_bar = {make_bar, snw_twist_bar_truth, LOWER, 0, {0, 90, 180}, 180};
static const limb elbow = {make_elbow, snw_elbow_truth, LOWER, 0, {0, 90, 180}, 180};
static const limb muscle_arm = {make_muscle_arm, snw_muscle_arm_truth, SNW_ARM_ELBOW_JOINT, 2, {40, 80, 120}, 120};

/* The poses of the test clip are between those that train: none of them is the same. */
static double limb_angle(const limb *l, bool trains, uint32_t frame) {
	const double degrees = trains ? l->train_degrees[frame] : l->test_degrees * (frame + 0.5) / TEST_FRAMES;
	return degrees * M_PI / 180;
}

static void rotation_vector(const limb *l, double angle, double vector[3]) {
	memset(vector, 0, 3 * sizeof *vector);
	vector[l->axis] = angle;
}

static void make_limb_clip(const limb *l, bool trains, snw_scene *scene, snw_clip *clip, snw_target *target) {
	const uint32_t frames = trains ? TRAIN_FRAMES : TEST_FRAMES;
	const size_t points = scene->meshes[0].point_count;
	const char *name = trains ? "train" : "test";
	double *seconds = SNW_NEW_ARRAY(scene->arena, double, frames), *rotations = SNW_NEW_ARRAY(scene->arena, double, 4 * frames);
	float *posed = SNW_NEW_ARRAY(scene->arena, float, 3 * points * frames);
	for (uint32_t f = 0; f < frames; f++) {
		const double angle = limb_angle(l, trains, f);
		double vector[3];
		seconds[f] = f / SNW_SAMPLE_FRAMES_PER_SECOND;
		rotation_vector(l, angle, vector);
		snw_quat_from_rotation_vector(vector, rotations + 4 * (size_t)f);
		for (size_t i = 0; i < points; i++) {
			double point[3];
			l->truth(angle, scene->meshes[0].points_rest + 3 * i, point);
			for (size_t c = 0; c < 3; c++) {
				posed[3 * (f * points + i) + c] = (float)point[c];
			}
		}
	}
	snw_track *track = SNW_NEW(scene->arena, snw_track);
	*track = (snw_track){.target = l->joint,
						 .path = SNW_PATH_ROTATION,
						 .interpolation = SNW_LINEAR,
						 .key_count = frames,
						 .seconds = seconds,
						 .values = rotations};
	*clip = (snw_clip){.name = name, .duration_seconds = seconds[frames - 1], .track_count = 1, .tracks = track};
	*target =
		(snw_target){.name = name, .clip = trains ? 0 : 1, .frame_count = frames, .seconds = seconds, .points_posed = posed};
}

/* The poses that train as sculpts of one group; not the rest, which is known. */
static void make_limb_sculpts(const limb *l, snw_scene *scene) {
	const size_t points = scene->meshes[0].point_count;
	snw_pose *poses = SNW_NEW_ARRAY(scene->arena, snw_pose, 1 + TRAIN_FRAMES);
	snw_example *examples = SNW_NEW_ARRAY(scene->arena, snw_example, TRAIN_FRAMES);
	snw_member *members = SNW_NEW_ARRAY(scene->arena, snw_member, TRAIN_FRAMES);
	snw_group *group = SNW_NEW(scene->arena, snw_group);
	poses[scene->pose_count++] = *snw_pose_rest(scene, scene->arena);
	for (uint32_t f = 0; f < TRAIN_FRAMES; f++) {
		const double angle = limb_angle(l, true, f);
		if (angle == 0) {
			continue;
		}
		snw_pose *pose = &poses[scene->pose_count];
		*pose = *snw_pose_rest(scene, scene->arena);
		pose->name = snw_arena_format(scene->arena, "turned-%.0f", l->train_degrees[f]);
		rotation_vector(l, angle, pose->rotation_vectors + 3 * (size_t)l->joint);
		snw_quat_from_rotation_vector(pose->rotation_vectors + 3 * (size_t)l->joint, pose->local[l->joint].rotation);
		double *posed = SNW_NEW_ARRAY(scene->arena, double, 3 * points);
		for (size_t i = 0; i < points; i++) {
			l->truth(angle, scene->meshes[0].points_rest + 3 * i, posed + 3 * i);
		}
		members[scene->example_count] = (snw_member){.example = scene->example_count, .mask = SNW_NONE};
		examples[scene->example_count++] =
			(snw_example){.name = pose->name, .pose = scene->pose_count++, .points_posed = posed};
	}
	*group = (snw_group){.name = "turned", .member_count = scene->example_count, .members = members};
	scene->poses = poses;
	scene->examples = examples;
	scene->groups = group;
	scene->group_count = 1;
}

static snw_status make_limb(const limb *l, snw_scene *scene, snw_error *error) {
	snw_mesh *mesh = SNW_NEW(scene->arena, snw_mesh);
	const snw_status status = l->make(scene, mesh, error);
	if (snw_failed(status)) {
		return status;
	}
	scene->mesh_count = 1;
	scene->meshes = mesh;
	snw_clip *clips = SNW_NEW_ARRAY(scene->arena, snw_clip, 2);
	snw_target *targets = SNW_NEW_ARRAY(scene->arena, snw_target, 2);
	make_limb_clip(l, true, scene, &clips[0], &targets[0]);
	make_limb_clip(l, false, scene, &clips[1], &targets[1]);
	scene->clip_count = scene->target_count = 2;
	scene->clips = clips;
	scene->targets = targets;
	make_limb_sculpts(l, scene);
	snw_scene_add_baseline(scene);
	return SNW_OK;
}

snw_status snw_sample_make_twist_bar(snw_scene *scene, snw_error *error) {
	return make_limb(&twist_bar, scene, error);
}

snw_status snw_sample_make_elbow(snw_scene *scene, snw_error *error) {
	return make_limb(&elbow, scene, error);
}

snw_status snw_sample_make_muscle_arm(snw_scene *scene, snw_error *error) {
	return make_limb(&muscle_arm, scene, error);
}
