/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sample/sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pose/pose.h"
#include "sinew/algebra.h"

enum { ROOT, TRIAL_ELBOW, TRIAL_WRIST, HAND, MOST_JOINTS };
enum { REST, BENT, TWISTED, BOTH, POSES };
enum { TRIAL_FRAMES = 5, MOST_MESHES = 3 };

static const double elbow_x = 0.4, wrist_x = 0.8, hand_x = 1.0;

static double tube_radius(double x) {
	return 0.09 + 0.02 * cos(8 * x);
}

static double bead_radius(double x) {
	(void)x;
	return 0.05;
}

static double ramp(double x, double middle, double width) {
	const double t = fmin(fmax((x - middle) / width + 0.5, 0), 1);
	return t * t * (3 - 2 * t);
}

/* ---- rest ---------------------------------------------------------------------------------------------------------------- */

static uint32_t count_joints(snw_trial_shape shape) {
	return shape == SNW_TRIAL_MORE_JOINTS ? HAND + 1 : shape == SNW_TRIAL_FEWER_JOINTS ? TRIAL_ELBOW + 1 : TRIAL_WRIST + 1;
}

/* The wrist, or, where it has none, the elbow. */
static uint32_t find_twisting_joint(const snw_scene *scene) {
	return scene->skeleton.joint_count > TRIAL_WRIST ? TRIAL_WRIST : TRIAL_ELBOW;
}

static void make_rig(snw_scene *scene, snw_trial_shape shape) {
	const snw_rig_joint joints[MOST_JOINTS] = {{"root", SNW_NONE, {0, 0, 0}},
											   {"elbow", ROOT, {elbow_x, 0, 0}},
											   {"wrist", TRIAL_ELBOW, {wrist_x - elbow_x, 0, 0}},
											   {"hand", TRIAL_WRIST, {hand_x - wrist_x, 0, 0}}};
	snw_error error;
	if (snw_failed(snw_rig_make(scene, joints, count_joints(shape), &error))) {
		fprintf(stderr, "sinew: the trial character has a broken skeleton: %s\n", error.text);
		abort();
	}
}

static void find_tube_weights(const double rest[3], double *weights) {
	const double past_elbow = ramp(rest[0], elbow_x, 0.3), past_wrist = ramp(rest[0], wrist_x, 0.3);
	weights[ROOT] = 1 - past_elbow;
	weights[TRIAL_ELBOW] = past_elbow * (1 - past_wrist);
	weights[TRIAL_WRIST] = past_elbow * past_wrist;
}

static void find_weights_with_hand(const double rest[3], double *weights) {
	find_tube_weights(rest, weights);
	weights[HAND] = weights[TRIAL_WRIST] * ramp(rest[0], hand_x, 0.2);
	weights[TRIAL_WRIST] -= weights[HAND];
}

static void find_weights_without_wrist(const double rest[3], double *weights) {
	weights[TRIAL_ELBOW] = ramp(rest[0], elbow_x, 0.3);
	weights[ROOT] = 1 - weights[TRIAL_ELBOW];
}

static void find_bead_weights(const double rest[3], double *weights) {
	(void)rest;
	weights[TRIAL_WRIST] = 1;
}

static void skin_meshes(snw_scene *scene, snw_mesh *meshes, snw_trial_shape shape) {
	const uint32_t joints = count_joints(shape);
	snw_rig_weights *of_tube = shape == SNW_TRIAL_MORE_JOINTS    ? find_weights_with_hand
							   : shape == SNW_TRIAL_FEWER_JOINTS ? find_weights_without_wrist
																 : find_tube_weights;
	snw_rig_skin(&meshes[0], joints, of_tube, scene->arena);
	snw_rig_skin(&meshes[1], joints, joints > TRIAL_WRIST ? find_bead_weights : of_tube, scene->arena);
}

/* A morph that inflates every third point. */
static void add_inflated(snw_arena *arena, snw_mesh *mesh) {
	snw_morph *morph = SNW_NEW(arena, snw_morph);
	uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, mesh->point_count);
	double *vectors = SNW_NEW_ARRAY(arena, double, (size_t)3 * mesh->point_count);
	for (uint32_t i = 0; i < mesh->point_count; i += 3) {
		const double *p = mesh->points_rest + (size_t)3 * i;
		points[morph->count] = i;
		vectors[3 * morph->count + 1] = 0.2 * p[1];
		vectors[3 * morph->count + 2] = 0.2 * p[2];
		morph->count++;
	}
	morph->name = "puff";
	morph->points = points;
	morph->vectors = vectors;
	mesh->morph_count = 1;
	mesh->morphs = morph;
}

/* A sheet as long as the tube, in the plane y = 0. */
static void build_sheet(const snw_tube *tube, double half_width, snw_arena *arena, snw_mesh *mesh) {
	const uint32_t columns = tube->rings, rows = tube->sides + 1;
	double *points = SNW_NEW_ARRAY(arena, double, (size_t)3 * columns * rows);
	for (uint32_t i = 0; i < columns * rows; i++) {
		const uint32_t column = i % columns, row = i / columns;
		points[(size_t)3 * i] = tube->begin + (tube->end - tube->begin) * column / (columns - 1);
		points[(size_t)3 * i + 2] = half_width * (2.0 * row / (rows - 1) - 1);
	}
	mesh->point_count = columns * rows;
	mesh->points_rest = points;
	snw_grid_faces(columns, rows, arena, mesh);
}

static void build_meshes(snw_trial_shape shape, snw_arena *arena, snw_mesh *meshes) {
	const uint32_t rings = shape == SNW_TRIAL_MORE_POINTS ? 61 : shape == SNW_TRIAL_FEWER_POINTS ? 21 : 41;
	const snw_tube tube = {.begin = 0, .end = 1.2, .dome = 0.5, .rings = rings, .sides = 16, .radius = tube_radius};
	static const snw_tube bead = {.begin = 0.75, .end = 0.85, .dome = 1, .rings = 3, .sides = 8, .radius = bead_radius};
	meshes[0].name = "tube";
	meshes[1].name = "bead";
	if (shape == SNW_TRIAL_FLAT) {
		build_sheet(&tube, 0.1, arena, &meshes[0]);
		build_sheet(&bead, 0.05, arena, &meshes[1]);
	} else {
		snw_tube_build(&tube, arena, &meshes[0]);
		snw_tube_build(&bead, arena, &meshes[1]);
	}
}

static void make_meshes(snw_scene *scene, snw_trial_shape shape) {
	snw_mesh *meshes = SNW_NEW_ARRAY(scene->arena, snw_mesh, MOST_MESHES);
	build_meshes(shape, scene->arena, meshes);
	skin_meshes(scene, meshes, shape);
	meshes[2] = meshes[1];
	meshes[2].name = "second bead";
	add_inflated(scene->arena, &meshes[0]);
	scene->meshes = meshes;
	scene->mesh_count = shape == SNW_TRIAL_FEWER_MESHES ? 1 : shape == SNW_TRIAL_MORE_MESHES ? MOST_MESHES : 2;
	snw_channel *channel = SNW_NEW(scene->arena, snw_channel);
	channel->name = "puff";
	scene->channels = channel;
	scene->channel_count = 1;
	double *mask = SNW_NEW_ARRAY(scene->arena, double, meshes[0].point_count);
	for (uint32_t i = 0; i < meshes[0].point_count; i++) {
		mask[i] = ramp(meshes[0].points_rest[(size_t)3 * i], 0.6, 0.2);
	}
	snw_field *field = SNW_NEW(scene->arena, snw_field);
	*field = (snw_field){
		.name = "mask", .domain = SNW_DOMAIN_POINTS, .components = 1, .count = meshes[0].point_count, .values = mask};
	scene->fields = field;
	scene->field_count = 1;
}

/* ---- poses and clip ------------------------------------------------------------------------------------------------------ */

static void rotate_joint(const snw_scene *scene, snw_pose *pose, uint32_t joint, const double vector[3]) {
	double q[4];
	snw_quat_from_rotation_vector(vector, q);
	snw_quat_multiply(scene->skeleton.rest_local[joint].rotation, q, pose->local[joint].rotation);
	memcpy(pose->rotation_vectors + (size_t)3 * joint, vector, 3 * sizeof *vector);
}

static void make_trial_poses(snw_scene *scene) {
	static const char *const names[POSES] = {"rest", "bent", "twisted", "both"};
	snw_pose *poses = SNW_NEW_ARRAY(scene->arena, snw_pose, POSES);
	for (uint32_t p = 0; p < POSES; p++) {
		poses[p] = *snw_pose_rest(scene, scene->arena);
		poses[p].name = names[p];
	}
	const double bend[3] = {0, 0, 1.8}, twist[3] = {2.2, 0, 0};
	rotate_joint(scene, &poses[BENT], TRIAL_ELBOW, bend);
	rotate_joint(scene, &poses[BOTH], TRIAL_ELBOW, bend);
	rotate_joint(scene, &poses[TWISTED], find_twisting_joint(scene), twist);
	rotate_joint(scene, &poses[BOTH], find_twisting_joint(scene), twist);
	poses[BOTH].channels[0] = 0.5;
	scene->poses = poses;
	scene->pose_count = POSES;
}

static void make_trial_clip(snw_scene *scene) {
	const uint32_t track_count = find_twisting_joint(scene) == TRIAL_ELBOW ? 1 : 2;
	snw_track *tracks = SNW_NEW_ARRAY(scene->arena, snw_track, track_count);
	double *seconds = SNW_NEW_ARRAY(scene->arena, double, TRIAL_FRAMES);
	for (uint32_t t = 0; t < track_count; t++) {
		double *values = SNW_NEW_ARRAY(scene->arena, double, 4 * TRIAL_FRAMES);
		for (uint32_t f = 0; f < TRIAL_FRAMES; f++) {
			const double angle = 1.5 * f / (TRIAL_FRAMES - 1);
			const double vector[3] = {t == 1 ? angle : 0, 0, t == 0 ? angle : 0};
			snw_quat_from_rotation_vector(vector, values + 4 * f);
			seconds[f] = 0.25 * f;
		}
		tracks[t] = (snw_track){.target = t == 0 ? TRIAL_ELBOW : TRIAL_WRIST,
								.path = SNW_PATH_ROTATION,
								.interpolation = SNW_LINEAR,
								.key_count = TRIAL_FRAMES,
								.seconds = seconds,
								.values = values};
	}
	snw_clip *clip = SNW_NEW(scene->arena, snw_clip);
	*clip =
		(snw_clip){.name = "move", .duration_seconds = seconds[TRIAL_FRAMES - 1], .track_count = track_count, .tracks = tracks};
	scene->clips = clip;
	scene->clip_count = 1;
}

/* ---- ground truth -------------------------------------------------------------------------------------------------------- */

/* Linear blend of the tube, with a bulge around the elbow and the wrist that grows with their rotations. */
static void sculpt(const snw_scene *scene, const snw_pose *pose, double *points_posed) {
	const snw_mesh *mesh = &scene->meshes[0];
	double global[12 * MOST_JOINTS], palette[12 * MOST_JOINTS];
	snw_pose_view view;
	snw_pose_solve(scene, pose, global, palette, &view);
	const double bent = snw_length3(pose->rotation_vectors + 3 * TRIAL_ELBOW),
				 twisted = snw_length3(pose->rotation_vectors + (size_t)3 * find_twisting_joint(scene));
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		const double *rest = mesh->points_rest + (size_t)3 * i;
		const double at_elbow = (rest[0] - elbow_x) / 0.15, at_wrist = (rest[0] - wrist_x) / 0.15;
		const double bulge = 0.2 * bent * exp(-at_elbow * at_elbow) + 0.15 * twisted * exp(-at_wrist * at_wrist);
		const double x[3] = {rest[0], rest[1] * (1 + bulge), rest[2] * (1 + bulge)};
		double *posed = points_posed + (size_t)3 * i;
		memset(posed, 0, 3 * sizeof *posed);
		for (uint32_t k = mesh->influence_offsets[i]; k < mesh->influence_offsets[i + 1]; k++) {
			double displaced[3];
			snw_mat34_point(palette + (size_t)12 * mesh->influence_slots[k], x, displaced);
			for (int c = 0; c < 3; c++) {
				posed[c] += mesh->influence_weights[k] * displaced[c];
			}
		}
	}
}

static void make_examples(snw_scene *scene) {
	static const uint32_t posed_as[2] = {BENT, TWISTED};
	const uint32_t driven_by[2] = {TRIAL_ELBOW, find_twisting_joint(scene)};
	snw_example *examples = SNW_NEW_ARRAY(scene->arena, snw_example, 2);
	snw_group *groups = SNW_NEW_ARRAY(scene->arena, snw_group, 2);
	snw_member *members = SNW_NEW_ARRAY(scene->arena, snw_member, 2);
	for (uint32_t i = 0; i < 2; i++) {
		double *points = SNW_NEW_ARRAY(scene->arena, double, (size_t)3 * scene->meshes[0].point_count);
		sculpt(scene, &scene->poses[posed_as[i]], points);
		examples[i] = (snw_example){.name = scene->poses[posed_as[i]].name, .pose = posed_as[i], .points_posed = points};
		members[i] = (snw_member){.example = i, .mask = SNW_NONE};
		groups[i] = (snw_group){.name = examples[i].name,
								.joint_count = 1,
								.joints = snw_arena_copy(scene->arena, &driven_by[i], sizeof driven_by[i]),
								.member_count = 1,
								.members = &members[i]};
	}
	scene->examples = examples;
	scene->example_count = 2;
	scene->groups = groups;
	scene->group_count = 2;
}

static void make_targets(snw_scene *scene) {
	static const char *const names[2] = {"move", "swing"};
	const size_t numbers = (size_t)3 * scene->meshes[0].point_count;
	double *points = SNW_NEW_ARRAY(scene->arena, double, numbers), *seconds = SNW_NEW_ARRAY(scene->arena, double, TRIAL_FRAMES);
	float *frames = SNW_NEW_ARRAY(scene->arena, float, TRIAL_FRAMES *numbers);
	for (uint32_t f = 0; f < TRIAL_FRAMES; f++) {
		seconds[f] = 0.25 * f;
		sculpt(scene, snw_pose_sample(scene, 0, seconds[f], scene->arena), points);
		for (size_t i = 0; i < numbers; i++) {
			frames[f * numbers + i] = (float)points[i];
		}
	}
	snw_target *targets = SNW_NEW_ARRAY(scene->arena, snw_target, 2);
	for (uint32_t t = 0; t < 2; t++) {
		targets[t] = (snw_target){.name = names[t],
								  .clip = t == 0 ? 0 : SNW_NONE,
								  .frame_count = TRIAL_FRAMES,
								  .seconds = seconds,
								  .points_posed = frames};
	}
	scene->targets = targets;
	scene->target_count = 2;
}

static void check_whole(const snw_scene *scene) {
	snw_error error;
	if (snw_failed(snw_scene_check(scene, &error))) {
		fprintf(stderr, "sinew: the trial character is broken: %s\n", error.text);
		abort();
	}
}

snw_scene *snw_trial_character_like(snw_trial_shape shape) {
	snw_scene *scene = snw_scene_create();
	make_rig(scene, shape);
	make_meshes(scene, shape);
	make_trial_poses(scene);
	make_trial_clip(scene);
	make_examples(scene);
	make_targets(scene);
	check_whole(scene);
	return scene;
}

snw_scene *snw_trial_character(void) {
	return snw_trial_character_like(SNW_TRIAL_USUAL);
}

snw_scene *snw_trial_sequence(void) {
	return snw_trial_sequence_like(SNW_TRIAL_USUAL);
}

snw_scene *snw_trial_sequence_like(snw_trial_shape shape) {
	enum { MOMENTS = 4, CLIP_ID = 7 };
	static const char *const names[MOMENTS] = {"rest", "begin", "between", "past"};
	static const double seconds[MOMENTS] = {0, 0, 0.6, 2};
	snw_scene *scene = snw_trial_character_like(shape);
	snw_arena *arena = scene->arena;
	snw_mesh *tube = snw_arena_copy(arena, &scene->meshes[0], sizeof *tube);
	tube->influence_offsets = tube->influence_slots = NULL;
	tube->influence_weights = NULL;
	tube->morph_count = 0;
	snw_pose *poses = SNW_NEW_ARRAY(arena, snw_pose, MOMENTS);
	for (uint32_t p = 0; p < MOMENTS; p++) {
		poses[p] = (snw_pose){.name = names[p], .clip = p == 0 ? 0 : CLIP_ID, .seconds = seconds[p]};
	}
	snw_clip *clip = SNW_NEW(arena, snw_clip);
	const snw_target *swing = &scene->targets[1];
	*clip = (snw_clip){.id = CLIP_ID, .name = swing->name, .duration_seconds = swing->seconds[TRIAL_FRAMES - 1]};
	*scene = (snw_scene){
		.arena = arena,
		.mesh_count = 1,
		.meshes = tube,
		.clip_count = 1,
		.clips = clip,
		.pose_count = MOMENTS,
		.poses = poses,
		.target_count = 1,
		.targets = swing,
	};
	check_whole(scene);
	return scene;
}
