/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pose-regression on a symmetric bar: each side learns from the other, also where a joint has no partner.
 */
#include "learned.h"

#include "sample/sample.h"

static const char method[] = "pose-regression";

enum { MIDDLE, LEFT, RIGHT, SIDE_JOINTS, LEFT_HAND = SIDE_JOINTS, RIGHT_HAND, PROP, ALL_JOINTS, SIDE_FRAMES = 24 };
static const double reach = 0.6;

static double thickness(double x) {
	(void)x;
	return 0.1;
}

static double share_at(double x) {
	return fmin(fabs(x) / reach, 1);
}

static void weigh_sides(const double rest[3], double *weights) {
	weights[MIDDLE] = 1 - share_at(rest[0]);
	weights[LEFT] = rest[0] > 0 ? share_at(rest[0]) : 0;
	weights[RIGHT] = rest[0] < 0 ? share_at(rest[0]) : 0;
}

/* The angle of an end about the axis. In the first clip the left end moves for a moment, and the right one through all angles;
 * in the second the left one does. */
static double end_angle(uint32_t clip, uint32_t joint, uint32_t frame) {
	enum { MOMENT = 3 };
	if (clip == 1) {
		return joint == LEFT ? 2.0 * frame / (SIDE_FRAMES - 1) : 0;
	}
	if (joint == LEFT) {
		return frame < MOMENT ? 0.9 + 0.3 * frame : 0;
	}
	return frame < MOMENT ? 0 : 2.0 * (frame - MOMENT) / (SIDE_FRAMES - MOMENT - 1);
}

static void make_sides_clip(snw_scene *scene, uint32_t clip, snw_clip *dest, snw_target *target) {
	const snw_mesh *mesh = &scene->meshes[0];
	snw_track *tracks = SNW_NEW_ARRAY(scene->arena, snw_track, 3);
	double *seconds = SNW_NEW_ARRAY(scene->arena, double, SIDE_FRAMES);
	float *posed = SNW_NEW_ARRAY(scene->arena, float, (size_t)3 * mesh->point_count * SIDE_FRAMES);
	for (uint32_t joint = LEFT; joint <= RIGHT; joint++) {
		double *keys = SNW_NEW_ARRAY(scene->arena, double, 4 * SIDE_FRAMES);
		for (uint32_t f = 0; f < SIDE_FRAMES; f++) {
			seconds[f] = f / 24.0;
			snw_quat_from_rotation_vector((const double[]){end_angle(clip, joint, f), 0, 0}, keys + (size_t)4 * f);
		}
		tracks[joint - LEFT] = (snw_track){.target = joint,
										   .path = SNW_PATH_ROTATION,
										   .interpolation = SNW_LINEAR,
										   .key_count = SIDE_FRAMES,
										   .seconds = seconds,
										   .values = keys};
	}
	tracks[2] = tracks[0]; /* the prop turns with the left end */
	tracks[2].target = PROP;
	for (size_t n = 0; n < (size_t)SIDE_FRAMES * mesh->point_count; n++) {
		const double *rest = mesh->points_rest + 3 * (n % mesh->point_count);
		const uint32_t joint = rest[0] > 0 ? LEFT : RIGHT;
		const double angle = share_at(rest[0]) * end_angle(clip, joint, (uint32_t)(n / mesh->point_count));
		posed[3 * n] = (float)rest[0];
		posed[3 * n + 1] = (float)(rest[1] * cos(angle) - rest[2] * sin(angle));
		posed[3 * n + 2] = (float)(rest[1] * sin(angle) + rest[2] * cos(angle));
	}
	const char *name = clip == 0 ? "seen" : "unseen";
	*dest = (snw_clip){.name = name,
					   .duration_seconds = seconds[SIDE_FRAMES - 1],
					   .track_count = scene->skeleton.joint_count > PROP ? 3 : 2,
					   .tracks = tracks};
	*target = (snw_target){.name = name, .clip = clip, .frame_count = SIDE_FRAMES, .seconds = seconds, .points_posed = posed};
}

/* A bar along x whose ends twist, with a mirror plane in its middle. `holder`: the joint that holds a prop; SNW_NONE for no
 * prop. */
static snw_scene *make_sides(uint32_t holder) {
	const snw_rig_joint joints[ALL_JOINTS] = {{"middle", SNW_NONE, {0, 0, 0}},     {"left", MIDDLE, {0.6, 0, 0}},
											  {"right", MIDDLE, {-0.6, 0, 0}},     {"left-hand", LEFT, {0.1, 0, 0}},
											  {"right-hand", RIGHT, {-0.1, 0, 0}}, {"prop", holder, {0.1, 0.2, 0}}};
	static const snw_tube tube = {.begin = -0.6, .end = 0.6, .dome = 0.2, .rings = 11, .sides = 8, .radius = thickness};
	snw_scene *scene = snw_scene_create();
	snw_mesh *mesh = SNW_NEW(scene->arena, snw_mesh);
	snw_clip *clips = SNW_NEW_ARRAY(scene->arena, snw_clip, 2);
	snw_target *targets = SNW_NEW_ARRAY(scene->arena, snw_target, 2);
	mesh->name = "bar";
	snw_tube_build(&tube, scene->arena, mesh);
	snw_rig_skin(mesh, SIDE_JOINTS, weigh_sides, scene->arena);
	snw_rig_make(scene, joints, holder == SNW_NONE ? PROP : ALL_JOINTS, NULL);
	scene->mesh_count = 1;
	scene->meshes = mesh;
	scene->pose_count = 1;
	scene->poses = snw_pose_rest(scene, scene->arena);
	snw_scene_add_baseline(scene);
	for (uint32_t clip = 0; clip < 2; clip++) {
		make_sides_clip(scene, clip, &clips[clip], &targets[clip]);
	}
	scene->clip_count = scene->target_count = 2;
	scene->clips = clips;
	scene->targets = targets;
	return scene;
}

/* How far a fit to the first clip is from the second. */
static double distance_to_unseen(uint32_t holder, const char *settings, const char *words) {
	snw_scene *scene = make_sides(holder), *seen = snw_scene_copy(scene);
	seen->target_count = 1;
	snw_scene *fitted = must_fit(seen, method, settings);
	assert_int_equal(fitting_logged("points near them do not learn from the other side"), words != NULL);
	assert_true(!words || fitting_logged(words));
	fitted->targets = &scene->targets[1];
	const double unseen = distance_to_targets(fitted);
	print_message("%s: %.3g m from the unseen clip\n", settings, unseen);
	snw_scene_destroy(fitted);
	snw_scene_destroy(seen);
	snw_scene_destroy(scene);
	return unseen;
}

static void each_side_learns_from_the_other(void **state) {
	(void)state;
	const double mirrored = distance_to_unseen(SNW_NONE, "mirror=auto", NULL);
	assert_true(fitting_logged("and their mirror images"));
	const double alone = distance_to_unseen(SNW_NONE, "mirror=off", NULL);
	assert_false(fitting_logged("and their mirror images"));
	assert_true(mirrored < 0.6 * alone);
}

/* In a hand it corrects no point. At the end of the bar it is beside all of that side's. */
static void a_joint_without_a_partner_leaves_the_others_theirs(void **state) {
	(void)state;
	const double alone = distance_to_unseen(SNW_NONE, "mirror=off", NULL);
	assert_true(distance_to_unseen(LEFT_HAND, "mirror=auto", "x = 0: 'prop'") < 0.6 * alone);
	assert_true(distance_to_unseen(LEFT, "mirror=auto", "x = 0: 'prop'") > 0.6 * alone);
}

TEST_GROUP(mirrored_samples) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_side_learns_from_the_other),
		cmocka_unit_test(a_joint_without_a_partner_leaves_the_others_theirs),
	};
	return cmocka_run_group_tests(tests, open_registry, close_registry);
}
