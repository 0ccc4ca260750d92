/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A clip for another rig: a copy of a rig with other names, other axes, another size and another direction plays what the rig
 * plays; and joints are matched by name, by known rigs, and by a body's parts.
 */
#include "transfer/retarget.h"

#include "check.h"
#include "pose/pose.h"
#include "random.h"
#include "scene/scene.h"
#include "sinew/algebra.h"

enum { JOINTS = 8, KEYS = 6 };

/* A body: hips with two legs, a spine with a branch. */
static const uint32_t parents[JOINTS] = {SNW_NONE, 0, 1, 0, 3, 0, 5, 5};
static const char *const names[JOINTS] = {"hips", "thigh_l", "shin_l", "thigh_r", "shin_r", "spine", "head", "tail"};
static const double places[JOINTS][3] = {{0, 1, 0},       {0.1, -0.1, 0}, {0, -0.4, 0.05}, {-0.1, -0.1, 0},
										 {0, -0.4, 0.05}, {0, 0.2, -0.1}, {0, 0.4, 0.1},   {0.05, 0, -0.3}};

static void random_rotation(uint64_t *state, double most, double rotation[4]) {
	const double vector[3] = {random_between(state, -most, most), random_between(state, -most, most),
							  random_between(state, -most, most)};
	snw_quat_from_rotation_vector(vector, rotation);
}

/* The rig at rest: `axes` [JOINTS][4] are the rotations of its joints in the world, and lengths are `scale` times as long, in a
 * world that `rotation` rotates. */
static snw_scene *make_rig(const double axes[JOINTS][4], double scale, const double rotation[4], const char *prefix) {
	snw_scene *scene = snw_scene_create();
	snw_skeleton *skeleton = &scene->skeleton;
	double world[JOINTS][4];
	skeleton->joint_count = JOINTS;
	skeleton->names = SNW_NEW_ARRAY(scene->arena, const char *, JOINTS);
	skeleton->parents = SNW_NEW_ARRAY(scene->arena, uint32_t, JOINTS);
	skeleton->rest_local = SNW_NEW_ARRAY(scene->arena, snw_transform, JOINTS);
	for (size_t j = 0; j < JOINTS; j++) {
		double inverse[4] = {0, 0, 0, 1}, matrix[12], place[3];
		skeleton->names[j] = snw_arena_format(scene->arena, "%s%s", prefix, names[j]);
		skeleton->parents[j] = parents[j];
		snw_quat_multiply(rotation, axes[j], world[j]);
		if (parents[j] != SNW_NONE) {
			snw_quat_conjugate(world[parents[j]], inverse);
		}
		snw_transform *local = &skeleton->rest_local[j];
		*local = (snw_transform){.scale = {1, 1, 1}};
		snw_quat_multiply(inverse, world[j], local->rotation);
		snw_quat_multiply(inverse, rotation, inverse);
		snw_quat_to_mat34(inverse, matrix);
		snw_mat34_vector(matrix, places[j], place);
		for (int i = 0; i < 3; i++) {
			local->translation[i] = scale * place[i];
		}
	}
	snw_error error = {0};
	check_ok(snw_skeleton_finish(skeleton, scene->arena, &error), error);
	return scene;
}

static snw_track make_track(snw_scene *scene, uint32_t joint, int32_t path, int32_t interpolation, uint64_t *state) {
	const size_t width = path == SNW_PATH_ROTATION ? 4 : 3, parts = interpolation == SNW_CUBIC ? 3 : 1;
	double *seconds = SNW_NEW_ARRAY(scene->arena, double, KEYS);
	double *values = SNW_NEW_ARRAY(scene->arena, double, KEYS *width *parts);
	for (size_t k = 0; k < KEYS; k++) {
		seconds[k] = (double)k / 4;
		for (size_t part = 0; part < parts; part++) {
			double *value = values + (k * parts + part) * width;
			for (size_t i = 0; i < width; i++) {
				value[i] = random_between(state, -0.3, 0.3);
			}
			if (part == parts / 2 && path == SNW_PATH_ROTATION) {
				random_rotation(state, 1, value);
			} else if (part == parts / 2) {
				const double *rest = scene->skeleton.rest_local[joint].translation;
				value[0] += rest[0];
				value[1] += rest[1];
				value[2] += rest[2];
			}
		}
	}
	return (snw_track){joint, path, interpolation, KEYS, seconds, values};
}

/* The hips move, and all joints rotate: linearly or along cubic curves. */
static void add_clip(snw_scene *scene, uint64_t *state) {
	snw_track *tracks = SNW_NEW_ARRAY(scene->arena, snw_track, JOINTS + 1);
	snw_clip *clip = SNW_NEW(scene->arena, snw_clip);
	for (uint32_t j = 0; j < JOINTS; j++) {
		tracks[j] = make_track(scene, j, SNW_PATH_ROTATION, j % 2 ? SNW_CUBIC : SNW_LINEAR, state);
	}
	tracks[JOINTS] = make_track(scene, 0, SNW_PATH_TRANSLATION, SNW_CUBIC, state);
	*clip = (snw_clip){.name = "dance", .duration_seconds = (KEYS - 1) / 4.0, .track_count = JOINTS + 1, .tracks = tracks};
	scene->clips = clip;
	scene->clip_count = 1;
}

/* Where a joint takes a point that rests at a place in the world. */
static void take_point(const snw_scene *scene, const snw_pose *pose, uint32_t joint, const double rest[3], double place[3],
					   snw_arena *arena) {
	double *global = SNW_NEW_ARRAY(arena, double, 12 * JOINTS), inverse[12];
	snw_pose_view view;
	snw_pose_solve(scene, pose, global, NULL, &view);
	assert_true(snw_mat34_invert(scene->skeleton.rest_global + 12 * (size_t)joint, inverse));
	snw_mat34_point(inverse, rest, place);
	snw_mat34_point(global + 12 * (size_t)joint, place, place);
}

/* The largest distance between points that both clips move, in lengths of the target: `rotation` and `scale` map a place of the
 * target to one of the source. */
static double largest_distance(const snw_scene *source, const snw_scene *target, const uint32_t *sources,
							   const double rotation[4], double scale, snw_arena *arena) {
	double largest = 0, map[12];
	snw_quat_to_mat34(rotation, map);
	for (int i = 0; i < 12; i++) {
		map[i] *= scale;
	}
	for (int moment = 0; moment <= 20; moment++) {
		const snw_pose *from = snw_pose_sample(source, 0, moment / 16.0, arena);
		const snw_pose *to = snw_pose_sample(target, 0, moment / 16.0, arena);
		for (uint32_t j = 0; j < JOINTS; j++) {
			const double rest[3] = {0.3, 0.7 + 0.1 * j, -0.2};
			double mapped[3], expected[3], found[3];
			snw_mat34_vector(map, rest, mapped);
			take_point(source, from, sources[j], mapped, expected, arena);
			take_point(target, to, j, rest, found, arena);
			snw_mat34_vector(map, found, found);
			largest = fmax(largest, sqrt(snw_squared_distance3(found, expected)) / scale);
		}
	}
	return largest;
}

static void use_clip(snw_scene *target, const snw_clip *clip) {
	target->clips = snw_arena_copy(target->arena, clip, sizeof *clip);
	target->clip_count = 1;
}

static void clip_of_a_rig_with_other_names_axes_size_and_direction_plays_the_same(void **unused) {
	(void)unused;
	uint64_t state = random_seed();
	double axes[2][JOINTS][4];
	for (size_t j = 0; j < JOINTS; j++) {
		random_rotation(&state, 2, axes[0][j]);
		random_rotation(&state, 2, axes[1][j]);
	}
	const double none[4] = {0, 0, 0, 1}, right[4] = {0, sqrt(0.5), 0, sqrt(0.5)};
	snw_scene *source = make_rig((const double(*)[4])axes[0], 2.5, right, "mixamorig:");
	snw_scene *target = make_rig((const double(*)[4])axes[1], 1, none, "DEF-");
	add_clip(source, &state);
	const snw_pose *posture = snw_pose_rest(target, target->arena);
	const snw_retarget r = snw_retarget_begin(source, target, posture, NULL, target->arena);
	snw_retarget_loss loss;
	const snw_clip clip = snw_retarget_clip(&r, 0, target->arena, &loss);
	assert_int_equal(r.match.count, JOINTS);
	assert_false(r.is_same_rig);
	assert_true(fabs(r.scale - 1 / 2.5) < 1e-12);
	assert_int_equal(loss.joint_count, 0);
	assert_int_equal(clip.track_count, JOINTS + 1);
	assert_int_equal(clip.tracks[0].key_count, KEYS); /* its keys are kept */
	use_clip(target, &clip);
	const double distance = largest_distance(source, target, r.match.sources, right, 2.5, target->arena);
	print_message("largest distance: %.3g\n", distance);
	assert_true(distance < 1e-12);
	snw_scene_destroy(source);
	snw_scene_destroy(target);
}

/* The rig of a clip without a skin is in some pose, not at rest; its offsets tell that it is the same rig, twice as large. */
static void clip_of_the_same_rig_in_another_pose_keeps_its_rotations(void **unused) {
	(void)unused;
	uint64_t state = random_seed();
	double axes[JOINTS][4];
	for (size_t j = 0; j < JOINTS; j++) {
		random_rotation(&state, 2, axes[j]);
	}
	const double none[4] = {0, 0, 0, 1};
	snw_scene *source = make_rig((const double(*)[4])axes, 2, none, "mixamorig:");
	snw_scene *target = make_rig((const double(*)[4])axes, 1, none, "");
	add_clip(source, &state);
	for (uint32_t j = 0; j < JOINTS; j++) {
		random_rotation(&state, 1, source->skeleton.rest_local[j].rotation);
	}
	snw_error error = {0};
	check_ok(snw_skeleton_finish(&source->skeleton, source->arena, &error), error);
	const snw_retarget r = snw_retarget_begin(source, target, snw_pose_rest(target, target->arena), NULL, target->arena);
	snw_retarget_loss loss;
	const snw_clip clip = snw_retarget_clip(&r, 0, target->arena, &loss);
	assert_true(r.is_same_rig);
	for (uint32_t t = 0; t < clip.track_count; t++) {
		const snw_track *track = &clip.tracks[t];
		if (track->path == SNW_PATH_ROTATION) {
			const snw_track *from = &source->clips[0].tracks[track->target];
			for (size_t i = 0; i < (size_t)4 * KEYS * (from->interpolation == SNW_CUBIC ? 3 : 1); i++) {
				assert_true(fabs(track->values[i] - from->values[i]) < 1e-12);
			}
		}
	}
	snw_scene_destroy(source);
	snw_scene_destroy(target);
}

/* A joint between others that the target does not have: what it does goes to the joint below it. */
static void joints_that_the_target_lacks_act_on_those_below(void **unused) {
	(void)unused;
	uint64_t state = random_seed();
	double axes[JOINTS][4];
	for (size_t j = 0; j < JOINTS; j++) {
		random_rotation(&state, 2, axes[j]);
	}
	const double none[4] = {0, 0, 0, 1};
	snw_scene *source = make_rig((const double(*)[4])axes, 1, none, "");
	snw_scene *target = make_rig((const double(*)[4])axes, 1, none, "");
	add_clip(source, &state);
	target->skeleton.names[5] = "another"; /* the spine */
	source->slot_count = 1;                /* it has a skin: it rests where it says */
	snw_retarget r = snw_retarget_begin(source, target, snw_pose_rest(target, target->arena), NULL, target->arena);
	snw_retarget_loss loss;
	const snw_clip clip = snw_retarget_clip(&r, 0, target->arena, &loss);
	source->slot_count = 0;
	assert_int_equal(r.match.count, JOINTS - 1);
	assert_int_equal(loss.joint_count, 0); /* the spine is in the chain of the head */
	use_clip(target, &clip);
	double *globals[2] = {SNW_NEW_ARRAY(target->arena, double, 12 * JOINTS), SNW_NEW_ARRAY(target->arena, double, 12 * JOINTS)};
	double largest = 0;
	for (int moment = 0; moment <= 20; moment++) {
		const snw_scene *scenes[2] = {source, target};
		for (int i = 0; i < 2; i++) {
			snw_pose_view view;
			snw_pose_solve(scenes[i], snw_pose_sample(scenes[i], 0, moment / 16.0, target->arena), globals[i], NULL, &view);
		}
		for (int i = 0; i < 12; i++) {
			if (i % 4 < 3) { /* the head rotates in the world as that of the source does */
				largest = fmax(largest, fabs(globals[0][12 * 6 + i] - globals[1][12 * 6 + i]));
			}
		}
	}
	print_message("largest difference between new keys: %.3g\n", largest);
	assert_true(largest < 1e-2); /* joints of up to two radians in a quarter of a second */
	snw_scene_destroy(source);
	snw_scene_destroy(target);
}

/* ---- names --------------------------------------------------------------------------------------------------------------- */

static const char *const mixamo[] = {
	"mixamorig:Hips",     "mixamorig:Spine",       "mixamorig:Spine1",      "mixamorig:Spine2",   "mixamorig:Neck",
	"mixamorig:Head",     "mixamorig:LeftArm",     "mixamorig:LeftForeArm", "mixamorig:LeftHand", "mixamorig:LeftUpLeg",
	"mixamorig:LeftLeg",  "mixamorig:LeftFoot",    "mixamorig:RightUpLeg",  "mixamorig:RightLeg", "mixamorig:RightFoot",
	"mixamorig:RightArm", "mixamorig:RightForeArm"};
static const uint32_t body_parents[] = {SNW_NONE, 0, 1, 2, 3, 4, 3, 6, 7, 0, 9, 10, 0, 12, 13, 3, 15};
enum { BODY = sizeof mixamo / sizeof *mixamo };

static snw_skeleton make_skeleton(const char *const *joint_names, snw_arena *arena) {
	snw_skeleton skeleton = {.joint_count = BODY,
							 .names = snw_arena_copy(arena, joint_names, BODY * sizeof *joint_names),
							 .parents = snw_arena_copy(arena, body_parents, sizeof body_parents),
							 .rest_local = SNW_NEW_ARRAY(arena, snw_transform, BODY)};
	snw_error error = {0};
	for (uint32_t j = 0; j < BODY; j++) {
		skeleton.rest_local[j] = (snw_transform){.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	}
	check_ok(snw_skeleton_finish(&skeleton, arena, &error), error);
	return skeleton;
}

static void known_rigs_are_matched_by_parts(void **unused) {
	(void)unused;
	static const struct {
		snw_rig_kind kind;
		const char *names[BODY];
	} others[] = {
		{SNW_RIG_RIGIFY,
		 {"DEF-spine", "DEF-spine.001", "DEF-spine.002", "DEF-spine.003", "DEF-spine.004", "DEF-spine.006", "DEF-upper_arm.L",
		  "DEF-forearm.L", "DEF-hand.L", "DEF-thigh.L", "DEF-shin.L", "DEF-foot.L", "DEF-thigh.R", "DEF-shin.R", "DEF-foot.R",
		  "DEF-upper_arm.R", "DEF-forearm.R"}},
		{SNW_RIG_UNREAL,
		 {"pelvis", "spine_01", "spine_02", "spine_03", "neck_01", "head", "upperarm_l", "lowerarm_l", "hand_l", "thigh_l",
		  "calf_l", "foot_l", "thigh_r", "calf_r", "foot_r", "upperarm_r", "lowerarm_r"}},
		{SNW_RIG_VROID,
		 {"J_Bip_C_Hips", "J_Bip_C_Spine", "J_Bip_C_Chest", "J_Bip_C_UpperChest", "J_Bip_C_Neck", "J_Bip_C_Head",
		  "J_Bip_L_UpperArm", "J_Bip_L_LowerArm", "J_Bip_L_Hand", "J_Bip_L_UpperLeg", "J_Bip_L_LowerLeg", "J_Bip_L_Foot",
		  "J_Bip_R_UpperLeg", "J_Bip_R_LowerLeg", "J_Bip_R_Foot", "J_Bip_R_UpperArm", "J_Bip_R_LowerArm"}},
		{SNW_RIG_VRM,
		 {"hips", "spine", "chest", "upperChest", "neck", "head", "leftUpperArm", "leftLowerArm", "leftHand", "leftUpperLeg",
		  "leftLowerLeg", "leftFoot", "rightUpperLeg", "rightLowerLeg", "rightFoot", "rightUpperArm", "rightLowerArm"}},
		{SNW_RIG_CMU,
		 {"Hips", "LowerBack", "Spine", "Spine1", "Neck", "Head", "LeftArm", "LeftForeArm", "LeftHand", "LeftUpLeg", "LeftLeg",
		  "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot", "RightArm", "RightForeArm"}},
	};
	snw_arena *arena = snw_arena_create();
	const snw_skeleton target = make_skeleton(mixamo, arena);
	for (size_t r = 0; r < sizeof others / sizeof *others; r++) {
		const snw_skeleton source = make_skeleton(others[r].names, arena);
		const snw_joint_match match = snw_joints_match(&source, &target, NULL, arena);
		assert_int_equal(match.source_rig, others[r].kind);
		assert_int_equal(match.target_rig, SNW_RIG_MIXAMO);
		for (uint32_t j = 0; j < BODY; j++) {
			assert_int_equal(match.sources[j], j);
		}
	}
	snw_arena_destroy(arena);
}

static void matches_keep_the_order_of_the_hierarchy(void **unused) {
	(void)unused;
	snw_arena *arena = snw_arena_create();
	const char *swapped[BODY];
	memcpy(swapped, mixamo, sizeof swapped);
	swapped[9] = mixamo[11]; /* the foot above the leg */
	swapped[11] = mixamo[9];
	const snw_skeleton source = make_skeleton(swapped, arena), target = make_skeleton(mixamo, arena);
	const snw_joint_match match = snw_joints_match(&source, &target, NULL, arena);
	assert_int_equal(match.sources[9], 11);
	assert_int_equal(match.sources[10], SNW_NONE);
	assert_int_equal(match.sources[11], SNW_NONE);
	assert_int_equal(match.count, BODY - 2);
	snw_arena_destroy(arena);
}

/* "Spine" of CMU's rig is "Spine1" of Mixamo's. A user who says otherwise is right. */
static void given_matches_come_before_names(void **unused) {
	(void)unused;
	static const char *const cmu[BODY] = {"Hips",       "LowerBack",   "Spine",     "Spine1",    "Neck",        "Head",
										  "LeftArm",    "LeftForeArm", "LeftHand",  "LeftUpLeg", "LeftLeg",     "LeftFoot",
										  "RightUpLeg", "RightLeg",    "RightFoot", "RightArm",  "RightForeArm"};
	snw_arena *arena = snw_arena_create();
	const snw_skeleton source = make_skeleton(cmu, arena), target = make_skeleton(mixamo, arena);
	uint32_t given[BODY];
	for (uint32_t j = 0; j < BODY; j++) {
		given[j] = SNW_NONE;
	}
	given[2] = 1;
	const snw_joint_match match = snw_joints_match(&source, &target, given, arena);
	assert_int_equal(match.sources[0], 0);
	assert_int_equal(match.sources[1], SNW_NONE); /* its part is taken */
	assert_int_equal(match.sources[2], 1);
	assert_int_equal(match.sources[3], 3);
	assert_int_equal(match.count, BODY - 1);
	snw_arena_destroy(arena);
}

TEST_GROUP(retarget) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(clip_of_a_rig_with_other_names_axes_size_and_direction_plays_the_same),
		cmocka_unit_test(clip_of_the_same_rig_in_another_pose_keeps_its_rotations),
		cmocka_unit_test(joints_that_the_target_lacks_act_on_those_below),
		cmocka_unit_test(known_rigs_are_matched_by_parts),
		cmocka_unit_test(matches_keep_the_order_of_the_hierarchy),
		cmocka_unit_test(given_matches_come_before_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
