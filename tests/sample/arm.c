/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The samples: complete scenes, and properties of the arm's ground truth.
 */
#include "check.h"

#include "pose/pose.h"
#include "sample/sample.h"
#include "sinew/algebra.h"

static snw_scene *arm;

static int make_arm(void **state) {
	(void)state;
	snw_error error = {0};
	const snw_status status = snw_sample_make("arm", &arm, &error);
	if (snw_failed(status)) {
		print_error("%s\n", error.text);
	}
	return status;
}

static int drop_arm(void **state) {
	(void)state;
	snw_scene_destroy(arm);
	return 0;
}

/* Six times the volume inside, faces cut into fans. */
static double volume_of(const snw_mesh *mesh, const double *points) {
	double sum = 0;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t *face = mesh->face_points + mesh->face_offsets[f];
		const uint32_t corners = mesh->face_offsets[f + 1] - mesh->face_offsets[f];
		for (uint32_t c = 1; c + 1 < corners; c++) {
			double cross[3];
			snw_cross3(points + 3 * (size_t)face[c], points + 3 * (size_t)face[c + 1], cross);
			sum += snw_dot3(points + 3 * (size_t)face[0], cross);
		}
	}
	return sum / 6;
}

static double *frame_of(const snw_target *target, uint32_t points, uint32_t frame) {
	double *result = malloc(3 * (size_t)points * sizeof *result);
	for (size_t i = 0; i < 3 * (size_t)points; i++) {
		result[i] = (double)target->points_posed[frame * 3 * (size_t)points + i];
	}
	return result;
}

static void blend_linearly(const snw_mesh *mesh, const double *palette, double *posed) {
	memset(posed, 0, 3 * (size_t)mesh->point_count * sizeof *posed);
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		for (uint32_t k = mesh->influence_offsets[i]; k < mesh->influence_offsets[i + 1]; k++) {
			double posed_point[3];
			snw_mat34_point(palette + 12 * (size_t)mesh->influence_slots[k], mesh->points_rest + 3 * (size_t)i, posed_point);
			for (int c = 0; c < 3; c++) {
				posed[3 * (size_t)i + c] += mesh->influence_weights[k] * posed_point[c];
			}
		}
	}
}

static void arm_mesh_is_closed_and_faces_out(void **state) {
	(void)state;
	const snw_mesh *mesh = &arm->meshes[0];
	assert_in_range(mesh->point_count, 9500, 10500);
	assert_true(volume_of(mesh, mesh->points_rest) > 0);
	/* Every edge is walked once each way. */
	const uint32_t corners = mesh->face_offsets[mesh->face_count];
	int64_t sum = 0;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		assert_int_equal(mesh->face_offsets[f + 1] - mesh->face_offsets[f], 4);
		for (uint32_t c = 0; c < 4; c++) {
			const int64_t a = mesh->face_points[4 * f + c], b = mesh->face_points[4 * f + (c + 1) % 4];
			sum += (a < b ? 1 : -1) * ((a < b ? a : b) * (int64_t)mesh->point_count + (a < b ? b : a));
		}
	}
	assert_int_equal(sum, 0);
	/* Euler's number of a sphere: points − edges + faces = 2. */
	assert_int_equal((int64_t)mesh->point_count - corners / 2 + mesh->face_count, 2);
}

static void arm_truth_at_rest_is_the_rest(void **state) {
	(void)state;
	const snw_mesh *mesh = &arm->meshes[0];
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		double posed[3];
		snw_arm_ground_truth(0, 0, mesh->points_rest + 3 * (size_t)i, posed);
		for (int c = 0; c < 3; c++) {
			check_near(posed[c], mesh->points_rest[3 * (size_t)i + c], 1e-12);
		}
	}
}

static void arm_truth_keeps_its_volume_in_every_frame(void **state) {
	(void)state;
	const snw_mesh *mesh = &arm->meshes[0];
	const double at_rest = volume_of(mesh, mesh->points_rest);
	double worst = 0;
	assert_int_equal(arm->target_count, 3);
	for (uint32_t t = 0; t < arm->target_count; t++) {
		for (uint32_t f = 0; f < arm->targets[t].frame_count; f++) {
			double *points = frame_of(&arm->targets[t], mesh->point_count, f);
			worst = fmax(worst, fabs(volume_of(mesh, points) / at_rest - 1));
			free(points);
		}
	}
	print_message("volume within %.3f %% of the rest in all frames\n", 100 * worst);
	assert_true(worst < 0.01);
}

/* The area of the ring of 64 points nearest to x at rest: the narrowest ring shows where the skin collapses. */
static double section_of(const snw_mesh *mesh, const double *points, double x) {
	uint32_t first = 0;
	for (uint32_t i = 0; i < 150 * 64; i += 64) {
		if (fabs(mesh->points_rest[3 * (size_t)i] - x) < fabs(mesh->points_rest[3 * (size_t)first] - x)) {
			first = i;
		}
	}
	double centre[3] = {0, 0, 0}, area = 0;
	for (uint32_t i = 0; i < 3 * 64; i++) {
		centre[i % 3] += points[3 * (size_t)first + i] / 64;
	}
	for (uint32_t i = 0; i < 64; i++) {
		double edges[2][3], cross[3];
		for (int c = 0; c < 3; c++) {
			edges[0][c] = points[3 * (size_t)(first + i) + c] - centre[c];
			edges[1][c] = points[3 * (size_t)(first + (i + 1) % 64) + c] - centre[c];
		}
		snw_cross3(edges[0], edges[1], cross);
		area += snw_length3(cross) / 2;
	}
	return area;
}

static void arm_linear_blend_collapses_and_the_hand_is_in_place(void **state) {
	(void)state;
	const snw_mesh *mesh = &arm->meshes[0];
	snw_arena *arena = snw_arena_create();
	double *posed = malloc(3 * (size_t)mesh->point_count * sizeof *posed);
	for (uint32_t e = 0; e < arm->example_count; e++) {
		const snw_pose_view *pose = snw_pose_view_make(arm, &arm->poses[arm->examples[e].pose], arena);
		blend_linearly(mesh, pose->palette, posed);
		const double x = e == 0 ? SNW_ARM_ELBOW : 0.52; /* where two joints have half each */
		const double ratio = section_of(mesh, posed, x) / section_of(mesh, mesh->points_rest, x);
		print_message("linear blend at %s: %.0f %% of the section is left\n", arm->examples[e].name, 100 * ratio);
		assert_true(ratio < 0.5);
		for (uint32_t i = 0; i < mesh->point_count; i++) {
			if (mesh->points_rest[3 * (size_t)i] > 0.62) {
				for (int c = 0; c < 3; c++) {
					check_near(posed[3 * (size_t)i + c], arm->examples[e].points_posed[3 * (size_t)i + c], 1e-9);
				}
			}
		}
	}
	free(posed);
	snw_arena_destroy(arena);
}

static void arm_targets_belong_to_their_clips_keys(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	for (uint32_t t = 0; t < arm->target_count; t++) {
		const snw_target *target = &arm->targets[t];
		for (uint32_t f = 0; f < target->frame_count; f++) {
			const snw_pose *pose = snw_pose_sample(arm, target->clip, target->seconds[f], arena);
			const uint32_t point = 5000;
			double posed[3];
			snw_arm_ground_truth(pose->rotation_vectors[3 + 2], pose->rotation_vectors[6],
								 arm->meshes[0].points_rest + 3 * point, posed);
			for (int c = 0; c < 3; c++) {
				check_near(posed[c], target->points_posed[3 * ((size_t)f * arm->meshes[0].point_count + point) + c], 1e-6);
			}
		}
	}
	snw_arena_destroy(arena);
}

static void sequences_start_at_rest_and_stay_finite(void **state) {
	(void)state;
	static const char *const names[] = {"bar", "cloth"};
	for (int n = 0; n < 2; n++) {
		snw_scene *scene, *again;
		snw_error error;
		check_ok(snw_sample_make(names[n], &scene, &error), error);
		check_ok(snw_sample_make(names[n], &again, &error), error);
		const snw_mesh *mesh = &scene->meshes[0];
		const snw_target *sequence = &scene->targets[0];
		const size_t numbers = 3 * (size_t)mesh->point_count;
		double farthest = 0;
		for (size_t i = 0; i < numbers; i++) {
			check_near(sequence->points_posed[i], mesh->points_rest[i], 1e-6);
		}
		for (size_t i = 0; i < numbers * sequence->frame_count; i++) {
			assert_true(fabs((double)sequence->points_posed[i]) < 3);
			farthest = fmax(farthest, fabs((double)sequence->points_posed[i] - mesh->points_rest[i % numbers]));
		}
		assert_true(farthest > 0.1);
		assert_memory_equal(sequence->points_posed, again->targets[0].points_posed,
							numbers * sequence->frame_count * sizeof(float));
		snw_scene_destroy(scene);
		snw_scene_destroy(again);
	}
}

/* Of two points in a frame of a sequence. */
static double distance_in(const snw_mesh *mesh, const snw_target *sequence, uint32_t frame, uint32_t a, uint32_t b) {
	const float *points = sequence->points_posed + 3 * (size_t)frame * mesh->point_count;
	double sum = 0;
	for (int c = 0; c < 3; c++) {
		const double gap = (double)points[3 * (size_t)a + c] - (double)points[3 * (size_t)b + c];
		sum += gap * gap;
	}
	return sqrt(sum);
}

/* The length of a side (1) or of a diagonal (2) of a face, from one of its corners on, in parts of that at rest. */
static double stretch_in(const snw_scene *scene, uint32_t frame, uint32_t corner, uint32_t step) {
	const snw_mesh *mesh = &scene->meshes[0];
	const uint32_t a = mesh->face_points[corner], b = mesh->face_points[corner / 4 * 4 + (corner + step) % 4];
	const double *rest = mesh->points_rest;
	return distance_in(mesh, &scene->targets[0], frame, a, b) /
		   sqrt(snw_squared_distance3(rest + 3 * (size_t)a, rest + 3 * (size_t)b));
}

/* The cloth hangs open: neighbours stay near each other, and the ends of a row apart. Only near the two corners by which it
 * hangs does it stretch by more than a few percent. */
static void cloth_keeps_its_lengths_and_stays_open(void **state) {
	(void)state;
	snw_scene *scene;
	snw_error error;
	check_ok(snw_sample_make("cloth", &scene, &error), error);
	const snw_mesh *mesh = &scene->meshes[0];
	const uint32_t frames = scene->targets[0].frame_count, corners = mesh->face_offsets[mesh->face_count];
	const uint32_t side = (uint32_t)lround(sqrt(mesh->point_count));
	double shortest = 1, longest = 1, squares = 0, nearest_ends = 1;
	for (uint32_t i = 0; i < 2 * corners * frames; i++) {
		const double stretch = stretch_in(scene, i / (2 * corners), i / 2 % corners, 1 + i % 2);
		shortest = fmin(shortest, stretch);
		longest = fmax(longest, stretch);
		squares += (stretch - 1) * (stretch - 1);
	}
	for (uint32_t i = 0; i < side * frames; i++) {
		const uint32_t first = i % side * side;
		nearest_ends = fmin(nearest_ends, distance_in(mesh, &scene->targets[0], i / side, first, first + side - 1));
	}
	const double usual = sqrt(squares / (2.0 * corners * frames));
	print_message("lengths from %.2f to %.2f of those at rest, off by %.1f %% in the mean; ends of rows %.2f m apart\n",
				  shortest, longest, 100 * usual, nearest_ends);
	assert_true(shortest > 0.75 && longest < 1.8 && usual < 0.03);
	assert_true(nearest_ends > 0.4);
	snw_scene_destroy(scene);
}

static void unknown_sample_lists_the_samples(void **state) {
	(void)state;
	snw_scene *scene = NULL;
	snw_error error;
	assert_int_equal(snw_sample_make("leg", &scene, &error), SNW_ERROR_MISSING);
	assert_non_null(strstr(error.text, "arm"));
	assert_null(scene);
}

/* The distances that a frame moves the points on one side (x times `side` > 2 mm) from the rest, summed, metres. */
static double moved_on(const snw_scene *scene, uint32_t frame, double side) {
	const snw_mesh *mesh = &scene->meshes[0];
	double sum = 0;
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		const double *rest = mesh->points_rest + 3 * (size_t)i;
		const float *posed = scene->targets[0].points_posed + 3 * ((size_t)frame * mesh->point_count + i);
		const double d[3] = {(double)posed[0] - rest[0], (double)posed[1] - rest[1], (double)posed[2] - rest[2]};
		sum += side * rest[0] > 0.002 ? sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) : 0;
	}
	return sum;
}

static void face_has_a_hundred_shapes_of_left_right_and_both_sides(void **state) {
	(void)state;
	snw_scene *face = NULL;
	snw_error error = {0};
	check_ok(snw_sample_make("face", &face, &error), error);
	const snw_target *shapes = &face->targets[0];
	assert_true(shapes->is_set && shapes->frame_count >= 100);
	for (uint32_t s = 0; s < shapes->frame_count; s++) {
		assert_true(moved_on(face, s, 1) + moved_on(face, s, -1) > 0.005);
	}
	for (uint32_t s = 0; s < 48; s += 3) { /* left, right, both */
		const double left = moved_on(face, s, 1), right = moved_on(face, s + 1, -1);
		assert_true(fabs(left - right) < 1e-3 * left && moved_on(face, s, -1) < 0.2 * left &&
					moved_on(face, s + 1, 1) < 0.2 * right);
		assert_true(moved_on(face, s + 2, 1) > 0.9 * left && moved_on(face, s + 2, -1) > 0.9 * right);
	}
	snw_scene_destroy(face);
}

static double largest_x(const snw_mesh *mesh, double side) {
	double most = 0;
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		most = fmax(most, side * mesh->points_rest[3 * (size_t)i]);
	}
	return most;
}

static void dressed_figure_has_clothes_over_its_skin_and_sides_that_differ(void **state) {
	(void)state;
	snw_scene *figure = NULL;
	snw_error error = {0};
	check_ok(snw_sample_make("dressed", &figure, &error), error);
	assert_int_equal(figure->mesh_count, 5);
	assert_int_equal(figure->slot_count, figure->skeleton.joint_count + 2);
	const snw_mesh *body = &figure->meshes[0], *shirt = &figure->meshes[1];
	assert_int_equal(body->morph_count, 2);
	assert_int_equal(shirt->morph_count, 1);
	assert_int_equal(shirt->morphs[0].channel, body->morphs[0].channel);
	for (uint32_t m = 0; m < figure->mesh_count; m++) {
		assert_true(volume_of(&figure->meshes[m], figure->meshes[m].points_rest) > 0);
		for (uint32_t k = 0; k < figure->meshes[m].morph_count; k++) {
			assert_in_range(figure->meshes[m].morphs[k].count, 8, figure->meshes[m].point_count / 4);
		}
	}
	check_near(largest_x(body, 1), largest_x(body, -1), 1e-9);
	assert_true(largest_x(shirt, 1) > largest_x(shirt, -1) + 0.05);
	assert_true(figure->clips[0].track_count > 0);
	snw_scene_destroy(figure);
}

TEST_GROUP(arm) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arm_mesh_is_closed_and_faces_out),
		cmocka_unit_test(arm_truth_at_rest_is_the_rest),
		cmocka_unit_test(arm_truth_keeps_its_volume_in_every_frame),
		cmocka_unit_test(arm_linear_blend_collapses_and_the_hand_is_in_place),
		cmocka_unit_test(arm_targets_belong_to_their_clips_keys),
		cmocka_unit_test(sequences_start_at_rest_and_stay_finite),
		cmocka_unit_test(cloth_keeps_its_lengths_and_stays_open),
		cmocka_unit_test(unknown_sample_lists_the_samples),
		cmocka_unit_test(dressed_figure_has_clothes_over_its_skin_and_sides_that_differ),
		cmocka_unit_test(face_has_a_hundred_shapes_of_left_right_and_both_sides),
	};
	return cmocka_run_group_tests(tests, make_arm, drop_arm);
}
