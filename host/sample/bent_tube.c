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

enum { TUBE_LOWER, TUBE_UPPER, TUBE_JOINTS };
enum { BEND, TWIST, CLIP_COUNT };
enum { TUBE_FRAMES = 40 };
static const char *const clip_names[CLIP_COUNT] = {"bend", "twist"};
static const double half_length = 0.6, reach = 0.2; /* the joint's, on either side, metres */

static double tube_radius_at(double x) {
	(void)x;
	return 0.1;
}

static void find_bent_weights(const double rest[3], double *weights) {
	const double t = fmin(fmax(rest[0] / reach / 2 + 0.5, 0), 1);
	weights[TUBE_UPPER] = t * t * (3 - 2 * t);
	weights[TUBE_LOWER] = 1 - weights[TUBE_UPPER];
}

static double tube_angle(uint32_t frame) {
	return M_PI / 2 * frame / (TUBE_FRAMES - 1);
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

static void make_tube_mesh(snw_scene *scene) {
	const snw_tube tube = {
		.begin = -half_length, .end = half_length, .dome = 0.5, .rings = 61, .sides = 32, .radius = tube_radius_at};
	snw_mesh *mesh = SNW_NEW(scene->arena, snw_mesh);
	mesh->name = "tube";
	snw_tube_build(&tube, scene->arena, mesh);
	snw_rig_skin(mesh, TUBE_JOINTS, find_bent_weights, scene->arena);
	scene->mesh_count = 1;
	scene->meshes = mesh;
}

static void make_tube_clip(snw_arena *arena, uint32_t clip, double *seconds, snw_clip *dest) {
	double *rotations = SNW_NEW_ARRAY(arena, double, 4 * TUBE_FRAMES);
	for (uint32_t f = 0; f < TUBE_FRAMES; f++) {
		const double angle = tube_angle(f), vector[3] = {clip == TWIST ? angle : 0, 0, clip == BEND ? angle : 0};
		seconds[f] = f / SNW_SAMPLE_FRAMES_PER_SECOND;
		snw_quat_from_rotation_vector(vector, rotations + 4 * f);
	}
	snw_track *track = SNW_NEW(arena, snw_track);
	*track = (snw_track){.target = TUBE_UPPER,
						 .path = SNW_PATH_ROTATION,
						 .interpolation = SNW_LINEAR,
						 .key_count = TUBE_FRAMES,
						 .seconds = seconds,
						 .values = rotations};
	*dest =
		(snw_clip){.name = clip_names[clip], .duration_seconds = seconds[TUBE_FRAMES - 1], .track_count = 1, .tracks = track};
}

static void make_tube_target(const snw_scene *scene, uint32_t clip, const double *seconds, snw_target *target) {
	const snw_mesh *mesh = &scene->meshes[0];
	const size_t numbers = 3 * (size_t)mesh->point_count;
	float *points = SNW_NEW_ARRAY(scene->arena, float, TUBE_FRAMES *numbers);
	for (uint32_t f = 0; f < TUBE_FRAMES; f++) {
		for (size_t i = 0; i < numbers; i += 3) {
			double posed[3];
			(clip == BEND ? bend : twist)(tube_angle(f), mesh->points_rest + i, posed);
			for (size_t c = 0; c < 3; c++) {
				points[f * numbers + i + c] = (float)posed[c];
			}
		}
	}
	*target = (snw_target){.name = clip_names[clip],
						   .mesh = 0,
						   .clip = clip,
						   .frame_count = TUBE_FRAMES,
						   .seconds = seconds,
						   .points_posed = points};
}

snw_status snw_sample_make_tube(snw_scene *scene, snw_error *error) {
	const snw_rig_joint joints[TUBE_JOINTS] = {{"lower", SNW_NONE, {-half_length, 0, 0}},
											   {"upper", TUBE_LOWER, {half_length, 0, 0}}};
	const snw_status status = snw_rig_make(scene, joints, TUBE_JOINTS, error);
	if (snw_failed(status)) {
		return status;
	}
	make_tube_mesh(scene);
	snw_clip *clips = SNW_NEW_ARRAY(scene->arena, snw_clip, CLIP_COUNT);
	snw_target *targets = SNW_NEW_ARRAY(scene->arena, snw_target, CLIP_COUNT);
	for (uint32_t c = 0; c < CLIP_COUNT; c++) {
		double *seconds = SNW_NEW_ARRAY(scene->arena, double, TUBE_FRAMES);
		make_tube_clip(scene->arena, c, seconds, &clips[c]);
		make_tube_target(scene, c, seconds, &targets[c]);
	}
	scene->clip_count = scene->target_count = CLIP_COUNT;
	scene->clips = clips;
	scene->targets = targets;
	scene->poses = snw_pose_rest(scene, scene->arena);
	scene->pose_count = 1;
	snw_scene_add_baseline(scene);
	return SNW_OK;
}
