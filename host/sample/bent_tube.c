/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sample tube: two joints, a clip that bends it and one that twists it, each to 90°, and what a tube that keeps its
 * sections does in both. Its linear blend collapses at the joint, as in figure 2 of B. Merry, P. Marais, J. Gain: Animation
 * space, 2006.
 */
#include <math.h>

#include "pose/pose.h"
#include "sample/makers.h"
#include "sample/rig.h"
#include "sample/tube.h"
#include "sinew/algebra.h"

#define PI 3.14159265358979323846

enum { LOWER, UPPER, JOINT_COUNT };
enum { BEND, TWIST, CLIP_COUNT };
enum { FRAMES = 40 };
static const char *const clip_names[CLIP_COUNT] = {"bend", "twist"};
static const double frames_per_second = 24, half_length = 0.6, reach = 0.2; /* the joint's, on either side, metres */

static double radius(double x) {
	(void)x;
	return 0.1;
}

static void find_weights(const double rest[3], double *weights) {
	const double t = fmin(fmax(rest[0] / reach / 2 + 0.5, 0), 1);
	weights[UPPER] = t * t * (3 - 2 * t);
	weights[LOWER] = 1 - weights[UPPER];
}

static double angle_at(uint32_t frame) {
	return PI / 2 * frame / (FRAMES - 1);
}

/* Within reach the axis is the arc that is tangent to both bones at its ends; sections keep their shape. */
static void bend(double angle, const double rest[3], double posed[3]) {
	const double share = fmin(fmax(rest[0] / reach / 2 + 0.5, 0), 1), local_angle = share * angle;
	const double beyond = rest[0] - fmin(fmax(rest[0], -reach), reach);
	double axis[2] = {2 * reach * share - reach, 0};
	if (angle > 1e-9) {
		const double curve = reach / tan(angle / 2);
		axis[0] = curve * sin(local_angle) - reach;
		axis[1] = curve * (1 - cos(local_angle));
	}
	posed[0] = axis[0] + beyond * cos(local_angle) - rest[1] * sin(local_angle);
	posed[1] = axis[1] + beyond * sin(local_angle) + rest[1] * cos(local_angle);
	posed[2] = rest[2];
}

static void twist(double angle, const double rest[3], double posed[3]) {
	const double local_angle = angle * fmin(fmax(rest[0] / reach / 2 + 0.5, 0), 1);
	posed[0] = rest[0];
	posed[1] = rest[1] * cos(local_angle) - rest[2] * sin(local_angle);
	posed[2] = rest[1] * sin(local_angle) + rest[2] * cos(local_angle);
}

static void make_mesh(snw_scene *scene) {
	const snw_tube tube = {.begin = -half_length, .end = half_length, .dome = 0.5, .rings = 61, .sides = 32, .radius = radius};
	snw_mesh *mesh = SNW_NEW(scene->arena, snw_mesh);
	mesh->name = "tube";
	snw_tube_build(&tube, scene->arena, mesh);
	snw_rig_skin(mesh, JOINT_COUNT, find_weights, scene->arena);
	scene->mesh_count = 1;
	scene->meshes = mesh;
}

static void make_clip(snw_arena *arena, uint32_t clip, double *seconds, snw_clip *dest) {
	double *rotations = SNW_NEW_ARRAY(arena, double, 4 * FRAMES);
	for (uint32_t f = 0; f < FRAMES; f++) {
		const double angle = angle_at(f), vector[3] = {clip == TWIST ? angle : 0, 0, clip == BEND ? angle : 0};
		seconds[f] = f / frames_per_second;
		snw_quat_from_rotation_vector(vector, rotations + 4 * f);
	}
	snw_track *track = SNW_NEW(arena, snw_track);
	*track = (snw_track){.target = UPPER,
						 .path = SNW_PATH_ROTATION,
						 .interpolation = SNW_LINEAR,
						 .key_count = FRAMES,
						 .seconds = seconds,
						 .values = rotations};
	*dest = (snw_clip){.name = clip_names[clip], .duration_seconds = seconds[FRAMES - 1], .track_count = 1, .tracks = track};
}

static void make_target(const snw_scene *scene, uint32_t clip, const double *seconds, snw_target *target) {
	const snw_mesh *mesh = &scene->meshes[0];
	const size_t numbers = 3 * (size_t)mesh->point_count;
	float *points = SNW_NEW_ARRAY(scene->arena, float, FRAMES *numbers);
	for (uint32_t f = 0; f < FRAMES; f++) {
		for (size_t i = 0; i < numbers; i += 3) {
			double posed[3];
			(clip == BEND ? bend : twist)(angle_at(f), mesh->points_rest + i, posed);
			for (size_t c = 0; c < 3; c++) {
				points[f * numbers + i + c] = (float)posed[c];
			}
		}
	}
	*target = (snw_target){
		.name = clip_names[clip], .mesh = 0, .clip = clip, .frame_count = FRAMES, .seconds = seconds, .points_posed = points};
}

snw_status snw_sample_make_tube(snw_scene *scene, snw_error *error) {
	const snw_rig_joint joints[JOINT_COUNT] = {{"lower", SNW_NONE, {-half_length, 0, 0}},
											   {"upper", LOWER, {half_length, 0, 0}}};
	const snw_status status = snw_rig_make(scene, joints, JOINT_COUNT, error);
	if (snw_failed(status)) {
		return status;
	}
	make_mesh(scene);
	snw_clip *clips = SNW_NEW_ARRAY(scene->arena, snw_clip, CLIP_COUNT);
	snw_target *targets = SNW_NEW_ARRAY(scene->arena, snw_target, CLIP_COUNT);
	for (uint32_t c = 0; c < CLIP_COUNT; c++) {
		double *seconds = SNW_NEW_ARRAY(scene->arena, double, FRAMES);
		make_clip(scene->arena, c, seconds, &clips[c]);
		make_target(scene, c, seconds, &targets[c]);
	}
	scene->clip_count = scene->target_count = CLIP_COUNT;
	scene->clips = clips;
	scene->targets = targets;
	scene->poses = snw_pose_rest(scene, scene->arena);
	scene->pose_count = 1;
	snw_scene_add_baseline(scene);
	return SNW_OK;
}
