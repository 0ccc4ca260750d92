/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A palette without joints, as glTF: fitted under linear blend at every moment, played back by the tests' player and by
 * Blender, if it is installed.
 */
#include "fit_with.h"

#include "export/export.h"
#include "export/players/blender.h"
#include "export/players/player.h"
#include "mesh/mesh.h"
#include "sinew/algebra.h"

typedef struct playback_fixture {
	snw_scene *scene;
	snw_registry *registry;
	snw_stack *stack;
	snw_export_report report;
	const char *path;
} playback_fixture;

static void build(playback_fixture *s) {
	snw_error error = {0};
	check_ok(snw_stack_build(s->scene, s->registry, NULL, NULL, &s->stack, &error), error);
}

/* A place for a file: in the folder that the validator reads (SINEW_EXPORTS), where one is named. */
static const char *place(const char *name) {
	static char path[2048];
	const char *folder = getenv("SINEW_EXPORTS");
	if (!folder) {
		return check_scratch(name);
	}
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

static playback_fixture exported(const char *settings, uint32_t influences, const char *name) {
	playback_fixture s = {.registry = snw_registry_open(), .scene = snw_trial_sequence(), .path = place(name)};
	snw_error error = {0};
	check_ok(snw_registry_load(s.registry, TEST_PLAYBACK, &error), error);
	fit_with(&s.scene, s.registry, "test-playback", settings);
	build(&s);
	const snw_export_request request = {.path = s.path, .mesh = SNW_NONE, .clip = SNW_NONE, .influences = influences};
	check_ok(snw_export(s.scene, s.stack, &request, NULL, &s.report, &error), error);
	print_message("%s, %u influences: %u joints, erms %.4f, at most %.4f %%, between %.4f %%; %u affine; dropped %u\n",
				  settings, influences, s.report.proxy_count, s.report.playback_erms, s.report.playback_max_percent,
				  s.report.between_max_percent, s.report.affine_count, s.report.dropped_influences);
	return s;
}

static void close_fixture(playback_fixture *s) {
	snw_stack_destroy(s->stack);
	snw_registry_close(s->registry);
	snw_scene_destroy(s->scene);
}

/* The stack's points at a moment, as the file's vertices. */
static double *stack_vertices(const playback_fixture *s, double seconds, snw_arena *arena, uint32_t *count) {
	snw_error error = {0};
	snw_vertices split;
	const snw_mesh *mesh = &s->scene->meshes[0];
	snw_evaluation *evaluation = snw_evaluation_create(s->stack);
	const snw_pose *pose = snw_pose_sample(s->scene, 0, seconds, arena);
	double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)mesh->point_count);
	check_ok(snw_stack_drive(s->stack, snw_pose_view_make(s->scene, pose, arena), evaluation, &error), error);
	check_ok(snw_stack_reference(s->stack, evaluation, 0, NULL, points, &error), error);
	snw_evaluation_destroy(evaluation);
	snw_vertices_split(mesh, arena, &split);
	double *vertices = SNW_NEW_ARRAY(arena, double, 3 * (size_t)split.count);
	for (uint32_t v = 0; v < split.count; v++) {
		memcpy(vertices + 3 * (size_t)v, points + 3 * (size_t)split.points[v], 3 * sizeof *points);
	}
	*count = split.count;
	return vertices;
}

static double farthest(const double *a, const double *b, uint32_t count) {
	double most = 0;
	for (uint32_t i = 0; i < count; i++) {
		const double gap[3] = {a[3 * i] - b[3 * i], a[3 * i + 1] - b[3 * i + 1], a[3 * i + 2] - b[3 * i + 2]};
		most = fmax(most, snw_length3(gap));
	}
	return most;
}

/* The largest distance between file and stack in percent of the diagonal, at the frames of the sequence. */
static double played(const playback_fixture *s) {
	snw_arena *arena = snw_arena_create();
	player *p = player_open(s->path);
	double worst = 0;
	for (uint32_t f = 0; f < s->scene->targets[0].frame_count; f++) {
		uint32_t count;
		int there;
		const double *ours = stack_vertices(s, s->scene->targets[0].seconds[f], arena, &count);
		player_pose(p, 0, s->scene->targets[0].seconds[f]);
		double *theirs = player_points(p, player_node_of_mesh(p, 0), &there);
		assert_int_equal(there, count);
		worst = fmax(worst, farthest(ours, theirs, count));
		free(theirs);
	}
	player_close(p);
	snw_arena_destroy(arena);
	return 100 * worst / snw_scene_diagonal(s->scene, 0);
}

static void rigid_palette_under_linear_blend_is_written_exactly(void **state) {
	(void)state;
	playback_fixture s = exported("kind=rigid slots=5 spread=3", 4, "playback-rigid.glb");
	assert_int_equal(s.report.proxy_count, 5);
	assert_int_equal(s.report.affine_count, 0);
	assert_int_equal(s.report.morph_count, 2); /* its one displacement swings to both sides */
	assert_int_equal(s.report.clip_count, 1);
	check_near(played(&s), 0, 2e-4);
	/* What is left is between the frames, where an engine goes straight. */
	assert_true(s.report.playback_max_percent < 10);
	close_fixture(&s);
}

static void joints_compensate_for_dropped_influences(void **state) {
	(void)state;
	playback_fixture four = exported("kind=rigid slots=12 spread=12 detail=0", 4, "playback-four.glb");
	playback_fixture eight = exported("kind=rigid slots=12 spread=12 detail=0", 8, "playback-eight.glb");
	assert_true(four.report.dropped_influences > eight.report.dropped_influences);
	assert_true(eight.report.dropped_influences > 0);
	assert_true(eight.report.playback_erms < four.report.playback_erms);
	close_fixture(&four);
	close_fixture(&eight);
}

static void dual_quaternions_are_refitted_under_linear_blend(void **state) {
	(void)state;
	playback_fixture s = exported("kind=dual-quaternion slots=4 spread=3 detail=1", 4, "playback-dual.glb");
	assert_int_equal(s.report.affine_count, 0);
	const double at_frames = played(&s);
	print_message("at the frames: %.4f %%\n", at_frames);
	/* The report holds for what is written, between frames too. */
	assert_true(s.report.playback_max_percent >= at_frames - 1e-3);
	/* The same rotations and moves without a fit, under linear blend. */
	assert_true(s.report.playback_erms < 20);
	close_fixture(&s);
}

static void matrices_are_written_exactly_by_two_nodes_each(void **state) {
	(void)state;
	playback_fixture s = exported("kind=affine slots=4 spread=2 detail=0", 4, "playback-affine.glb");
	assert_int_equal(s.report.affine_count, 4);
	/* Two influences a point: the palette of matrices is exact. */
	check_near(played(&s), 0, 2e-4);
	close_fixture(&s);
}

static void one_joint_and_one_frame_are_enough(void **state) {
	(void)state;
	playback_fixture s = exported("kind=rigid slots=1 spread=2", 4, "playback-one.glb");
	check_near(played(&s), 0, 2e-4);
	close_fixture(&s);
}

static void blender_plays_what_the_export_reports(void **state) {
	(void)state;
	check_blender();
	static const char *const settings[] = {"kind=dual-quaternion slots=4 spread=3", "kind=affine slots=4"};
	for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
		playback_fixture s = exported(settings[i], 4, "playback-blender.glb");
		const double seconds[] = {s.scene->targets[0].seconds[1], s.scene->targets[0].seconds[3]};
		FILE *stream = blender_play(s.path, 0, seconds, 2);
		assert_non_null(stream);
		player *p = player_open(s.path);
		for (int k = 0; k < 2; k++) {
			int count;
			uint32_t their_count;
			player_pose(p, 0, seconds[k]);
			double *ours = player_points(p, player_node_of_mesh(p, 0), &count);
			double *theirs = blender_points(stream, &their_count);
			assert_int_equal(their_count, count);
			const double worst = farthest(ours, theirs, their_count);
			print_message("%s: Blender's points lie %.2g of the diagonal from what was said\n", settings[i],
						  worst / snw_scene_diagonal(s.scene, 0));
			check_near(worst / snw_scene_diagonal(s.scene, 0), 0, 1e-4);
			free(ours);
			free(theirs);
		}
		fclose(stream);
		player_close(p);
		close_fixture(&s);
	}
}

int main(int count, char **arguments) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rigid_palette_under_linear_blend_is_written_exactly),
		cmocka_unit_test(joints_compensate_for_dropped_influences),
		cmocka_unit_test(dual_quaternions_are_refitted_under_linear_blend),
		cmocka_unit_test(matrices_are_written_exactly_by_two_nodes_each),
		cmocka_unit_test(one_joint_and_one_frame_are_enough),
	};
	const struct CMUnitTest blender[] = {cmocka_unit_test(blender_plays_what_the_export_reports)};
	return count > 1 && strcmp(arguments[1], "blender") == 0 ? cmocka_run_group_tests(blender, NULL, NULL)
															 : cmocka_run_group_tests(tests, NULL, NULL);
}
