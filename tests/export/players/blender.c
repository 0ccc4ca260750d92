/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Exported files played back by Blender, if it is installed: at keys of a clip, its points equal the stack's, vertex by
 * vertex. The argument "few" tests the arm with its fitted sculpts, "all" adds imported characters.
 */
#include "blender.h"
#include "export/fixture.h"
#include "import/import.h"

enum { TIME_COUNT = 3 };
static const double TOLERANCE = 1e-4; /* of the diagonal: what is promised for baked weights */

static bool all = false;

/* The stack's points as vertices of the file, all meshes one after another. */
static double *our_vertices(const fixture *f, uint32_t clip, double seconds, snw_arena *arena, uint32_t *count) {
	snw_error error = {0};
	double *vertices = NULL;
	snw_evaluation *evaluation = snw_evaluation_create(f->stack);
	const snw_pose *pose = snw_pose_sample(f->scene, clip, seconds, arena);
	check_ok(snw_stack_drive(f->stack, snw_pose_view_make(f->scene, pose, arena), evaluation, &error), error);
	*count = 0;
	for (uint32_t m = 0; m < f->scene->mesh_count; m++) {
		snw_vertices split;
		snw_vertices_split(&f->scene->meshes[m], arena, &split);
		double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)f->scene->meshes[m].point_count);
		check_ok(snw_stack_reference(f->stack, evaluation, m, NULL, points, &error), error);
		vertices = realloc(vertices, (*count + split.count + 1) * 3 * sizeof *vertices);
		for (uint32_t v = 0; v < split.count; v++) {
			memcpy(vertices + 3 * (size_t)(*count)++, points + 3 * (size_t)split.points[v], 3 * sizeof *vertices);
		}
	}
	snw_evaluation_destroy(evaluation);
	return vertices;
}

static double gap(const double *a, const double *b) {
	const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
	return snw_length3(d);
}

/* One mesh: vertex by vertex. Blender may list several meshes in another order: then each vertex is compared with the
 * nearest one. */
static double farthest(const double *ours, const double *theirs, uint32_t count, bool in_order) {
	double worst = 0;
	for (uint32_t i = 0; i < count; i++) {
		double nearest = gap(ours + 3 * (size_t)i, theirs + 3 * (size_t)i);
		for (uint32_t j = 0; j < count && !in_order && nearest > worst; j++) {
			nearest = fmin(nearest, gap(ours + 3 * (size_t)i, theirs + 3 * (size_t)j));
		}
		worst = fmax(worst, nearest);
	}
	return worst;
}

static void check_clip(fixture *f, const char *name, uint32_t clip) {
	snw_arena *arena = snw_arena_create();
	double *keys, seconds[TIME_COUNT], worst = 0;
	uint32_t key_count;
	snw_clip_key_seconds(&f->scene->clips[clip], arena, &keys, &key_count);
	for (uint32_t k = 0; k < TIME_COUNT; k++) {
		seconds[k] = keys[(size_t)key_count * (k + 1) / (TIME_COUNT + 1)];
	}
	FILE *stream = blender_play(f->path, clip, seconds, TIME_COUNT);
	assert_non_null(stream);
	for (uint32_t k = 0; k < TIME_COUNT; k++) {
		uint32_t our_count, their_count;
		double *ours = our_vertices(f, clip, seconds[k], arena, &our_count);
		double *theirs = blender_points(stream, &their_count);
		assert_int_equal(our_count, their_count);
		worst = fmax(worst, farthest(ours, theirs, our_count, f->scene->mesh_count == 1));
		free(ours);
		free(theirs);
	}
	fclose(stream);
	worst /= snw_scene_diagonal(f->scene, SNW_NONE);
	print_message("%s, clip %s: Blender's points lie at most %.2g of the diagonal away\n", name, f->scene->clips[clip].name,
				  worst);
	check_near(worst, 0, TOLERANCE);
	snw_arena_destroy(arena);
}

static void the_fitted_arm_plays_in_blender(void **state) {
	(void)state;
	check_blender();
	snw_error error = {0};
	fixture f = fitted_arm();
	check_ok(export_to(&f, check_scratch("fitted.glb"), 4, NULL, &error), error);
	for (uint32_t c = 0; c < f.scene->clip_count && (c < 1 || all); c++) {
		check_clip(&f, "the fitted arm", c);
	}
	end(&f);
}

static void characters_play_in_blender(void **state) {
	(void)state;
	static const char *const files[] = {"characters/CesiumMan.glb",       "characters/Fox.glb",   "characters/Knight.glb",
										"characters/MorphStressTest.glb", "characters/robot.glb", "human-rig/human.glb"};
	check_blender();
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		snw_error error = {0};
		const snw_import_request request = {.file = check_data(files[i])};
		fixture f = {.registry = kept_registry()};
		check_ok(snw_import(&request, NULL, &f.scene, &error), error);
		build_stack(&f);
		check_ok(export_to(&f, check_scratch("character.glb"), 4, NULL, &error), error);
		check_clip(&f, files[i], 0);
		end(&f);
	}
}

TEST_GROUP(blender) {
	all = argc > 1 && strcmp(argv[1], "all") == 0;
	const struct CMUnitTest arm[] = {cmocka_unit_test(the_fitted_arm_plays_in_blender)};
	const struct CMUnitTest arm_and_characters[] = {
		cmocka_unit_test(the_fitted_arm_plays_in_blender),
		cmocka_unit_test(characters_play_in_blender),
	};
	return all ? cmocka_run_group_tests(arm_and_characters, NULL, NULL) : cmocka_run_group_tests(arm, NULL, NULL);
}
