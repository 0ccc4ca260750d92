/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Levels of small characters: they have the triangles that they were asked for, keep closed what was closed and borders where
 * they were, move as their meshes do, and have the same bits on any number of threads.
 */
#include "check.h"

#include <meshoptimizer.h>

#include "lod/lod.h"
#include "mesh/mesh.h"
#include "one_registry.h"
#include "sample/sample.h"
#include "sinew/algebra.h"
#include "sinew/field.h"
#include "task/task.h"

typedef struct made_levels {
	snw_scene *scene;
	snw_arena *arena;
	snw_lod_made made;
} made_levels;

enum { MOST = 4 };

/* Levels of samples that several cases look at. */
static made_levels of_arm, of_dressed;

/* Gives the first mesh a mask over the points beyond x. */
static void mask_beyond(snw_scene *scene, double x) {
	const snw_mesh *mesh = &scene->meshes[0];
	snw_field *field = SNW_NEW(scene->arena, snw_field);
	double *values = SNW_NEW_ARRAY(scene->arena, double, mesh->point_count);
	for (size_t p = 0; p < mesh->point_count; p++) {
		values[p] = mesh->points_rest[3 * p] > x;
	}
	*field =
		(snw_field){.name = "kept", .domain = SNW_DOMAIN_POINTS, .components = 1, .count = mesh->point_count, .values = values};
	scene->fields = field;
	scene->field_count = 1;
}

static snw_status try_making(made_levels *m, const char *sample, const char *protect, uint32_t count, const char *const *texts,
							 const snw_task *task, snw_error *error) {
	snw_lod_limits limits[MOST];
	check_ok(snw_sample_make(sample, &m->scene, error), *error);
	m->arena = snw_arena_create();
	if (protect) {
		mask_beyond(m->scene, 0.5);
	}
	for (uint32_t i = 0; i < count; i++) {
		check_ok(snw_lod_limits_parse(texts[i], &limits[i], error), *error);
	}
	uint32_t *clips = SNW_NEW_ARRAY(m->arena, uint32_t, m->scene->clip_count);
	for (uint32_t c = 0; c < m->scene->clip_count; c++) {
		clips[c] = c;
	}
	const snw_lod_request request = {.level_count = count,
									 .levels = limits,
									 .texts = texts,
									 .protect = protect,
									 .mesh = SNW_NONE,
									 .clip_count = m->scene->clip_count,
									 .clips = clips};
	return snw_lod_make(m->scene, registry, &request, task, m->arena, &m->made, error);
}

static made_levels make(const char *sample, uint32_t count, const char *const *texts) {
	made_levels m = {0};
	snw_error error = {0};
	check_ok(try_making(&m, sample, NULL, count, texts, NULL, &error), error);
	return m;
}

static void end(made_levels *m) {
	if (m->arena) {
		snw_arena_destroy(m->arena);
	}
	snw_scene_destroy(m->scene);
}

static const made_levels *levels_of_arm(void) {
	static const char *const texts[] = {"triangles=25%", "triangles=300,influences=2"};
	if (!of_arm.scene) {
		of_arm = make("small-arm", 2, texts);
	}
	return &of_arm;
}

static const made_levels *levels_of_dressed(void) {
	static const char *const texts[] = {"triangles=25%"};
	if (!of_dressed.scene) {
		of_dressed = make("dressed", 1, texts);
	}
	return &of_dressed;
}

static int close_all(void **state) {
	end(&of_arm);
	end(&of_dressed);
	return close_registry(state);
}

static uint32_t triangles_of(const made_levels *m, uint32_t number) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < m->made.count; i++) {
		count += m->made.levels[i].number == number ? snw_triangle_count(&m->made.levels[i].shape) : 0;
	}
	return count;
}

static void limits_are_read_in_any_order_and_wrong_ones_are_named(void **state) {
	(void)state;
	snw_lod_limits limits;
	snw_error error = {0};
	check_ok(snw_lod_limits_parse("influences=2,triangles=12.5%,joints=30", &limits, &error), error);
	assert_true(limits.share == 0.125 && limits.triangles == 0 && limits.influences == 2 && limits.joints == 30);
	check_ok(snw_lod_limits_parse("triangles=3000", &limits, &error), error);
	assert_true(limits.triangles == 3000 && limits.influences == 4 && limits.joints == 0);
	static const struct {
		const char *text, *words;
	} wrong[] = {
		{"", "a level needs triangles="},
		{"influences=2", "a level needs triangles="},
		{"triangles=0", "triangles= takes"},
		{"triangles=0%", "triangles= takes"},
		{"triangles=101%", "triangles= takes"},
		{"triangles=x", "triangles= takes"},
		{"faces=3", "'faces=3': a level is"},
		{"triangles", "'triangles': triangles= takes"},
		{"triangles=3,", "nothing follows the comma"},
		{"triangles=", "triangles= takes"},
		{",triangles=3", "a level is"},
		{"triangles=1.5", "triangles= takes"},
		{"joints=-1", "joints= takes"},
		{"triangles=9,influences=9", "influences= takes 1 to 8"},
		{"triangles=nan", "triangles= takes"},
		{"triangles=9,joints=0", "joints= takes"},
		{"triangles=9,triangles=8", "this is given twice"},
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		if (snw_lod_limits_parse(wrong[i].text, &limits, &error) != SNW_ERROR_ARGUMENT) {
			fail_msg("%s is taken", wrong[i].text);
		}
		if (!strstr(error.text, wrong[i].words)) {
			fail_msg("%s: %s", wrong[i].text, error.text);
		}
	}
}

static void levels_reach_their_triangles_and_move_as_the_mesh_does(void **state) {
	(void)state;
	const made_levels *m = levels_of_arm();
	const uint32_t all = snw_triangle_count(&m->scene->meshes[0]);
	assert_int_equal(m->made.count, 2);
	assert_in_range(triangles_of(m, 1), all / 4 - 1, all / 4 + 1);
	assert_in_range(triangles_of(m, 2), 299, 300);
	for (uint32_t i = 0; i < 2; i++) {
		const snw_level *level = &m->made.levels[i];
		assert_true(level->rms_percent > 0 && level->rms_percent < (i == 0 ? 0.12 : 0.6));
		assert_true(level->largest_percent >= level->rms_percent && level->largest_percent < 4);
		assert_true(level->screen_share > 0 && level->worst_pose[0] != 0);
		for (uint32_t p = 0; p < level->shape.point_count; p++) {
			double sum = 0;
			const uint32_t begin = level->shape.influence_offsets[p], last = level->shape.influence_offsets[p + 1];
			assert_in_range(last - begin, 1, i == 0 ? 4 : 2);
			for (uint32_t k = begin; k < last; k++) {
				sum += level->shape.influence_weights[k];
			}
			check_near(sum, 1, 1e-9);
		}
		assert_false(snw_level_is_stale(m->scene, registry, level));
	}
}

/* Clothes whose parts lie over each other in UV: of the places with equal UV the nearest counts. */
static void overlapping_uvs_slide_no_more_than_others(void **state) {
	(void)state;
	const made_levels *m = levels_of_dressed();
	for (uint32_t i = 0; i < m->made.count; i++) {
		const snw_level *level = &m->made.levels[i];
		print_message("%s: %.4f %%, at most %.3f %%\n", m->scene->meshes[level->mesh].name, level->uv_rms_percent,
					  level->uv_largest_percent);
		assert_true(level->uv_rms_percent > 0 && level->uv_rms_percent < 0.2);
	}
}

/* Of the clips, those alone that it was made from. */
static void a_level_is_stale_when_a_clip_that_it_was_made_from_has_changed(void **state) {
	(void)state;
	static const char *const texts[] = {"triangles=10%"};
	snw_error error = {0};
	made_levels m = {.arena = snw_arena_create()};
	snw_lod_limits limits;
	check_ok(snw_sample_make("tiny-arm", &m.scene, &error), error);
	check_ok(snw_lod_limits_parse(texts[0], &limits, &error), error);
	const uint32_t bend = snw_scene_find_clip(m.scene, "bend"), twist = snw_scene_find_clip(m.scene, "twist");
	const snw_lod_request request = {
		.level_count = 1, .levels = &limits, .texts = texts, .mesh = SNW_NONE, .clip_count = 1, .clips = &bend};
	check_ok(snw_lod_make(m.scene, registry, &request, NULL, m.arena, &m.made, &error), error);
	snw_level *level = &m.made.levels[0];
	for (int i = 0; i < 2; i++) {
		double *value = (double *)(uintptr_t)m.scene->clips[i == 0 ? twist : bend].tracks[0].values;
		*value += 0.25;
		assert_int_equal(snw_level_is_stale(m.scene, registry, level), i);
		*value -= 0.25;
		assert_false(snw_level_is_stale(m.scene, registry, level));
	}
	level->samples = NULL;
	level->reads = 0;
	assert_false(snw_level_is_stale(m.scene, registry, level)); /* as from a file */
	end(&m);
}

static void levels_have_the_same_bits_on_any_number_of_threads(void **state) {
	(void)state;
	static const char *const texts[] = {"triangles=20%,joints=2"};
	snw_parallel_threads(1);
	made_levels one = make("tiny-arm", 1, texts);
	snw_parallel_threads(4);
	made_levels four = make("tiny-arm", 1, texts);
	snw_parallel_threads(0);
	const snw_mesh *a = &one.made.levels[0].shape, *b = &four.made.levels[0].shape;
	assert_int_equal(a->point_count, b->point_count);
	assert_memory_equal(a->points_rest, b->points_rest, 3 * a->point_count * sizeof *a->points_rest);
	assert_memory_equal(a->face_points, b->face_points, 3 * a->face_count * sizeof *a->face_points);
	assert_memory_equal(a->influence_weights, b->influence_weights,
						a->influence_offsets[a->point_count] * sizeof *a->influence_weights);
	assert_true(one.made.levels[0].rms_percent == four.made.levels[0].rms_percent);
	assert_int_equal(one.made.levels[0].joint_count, 2);
	end(&one);
	end(&four);
}

/* The farthest that a border point of the level is from a border point of the mesh. */
static double border_apart(const snw_mesh *mesh, const snw_mesh *level, snw_arena *arena) {
	const bool *fine = snw_adjacency_make(mesh, NULL, arena).on_border,
			   *coarse = snw_adjacency_make(level, NULL, arena).on_border;
	double farthest = 0;
	for (uint32_t i = 0; i < level->point_count; i++) {
		double nearest = coarse[i] ? (double)INFINITY : 0;
		for (uint32_t p = 0; p < mesh->point_count && coarse[i]; p++) {
			const double *a = mesh->points_rest + 3 * (size_t)p, *b = level->points_rest + 3 * (size_t)i;
			nearest = fine[p] ? fmin(nearest, snw_squared_distance3(a, b)) : nearest;
		}
		farthest = fmax(farthest, sqrt(nearest));
	}
	return farthest;
}

static void what_is_closed_stays_closed_and_borders_stay_where_they_are(void **state) {
	(void)state;
	const made_levels *m = levels_of_dressed();
	assert_true(m->made.count > 3);
	for (uint32_t i = 0; i < m->made.count; i++) {
		const snw_level *level = &m->made.levels[i];
		const snw_mesh *mesh = &m->scene->meshes[level->mesh];
		const double diagonal = snw_scene_diagonal(m->scene, SNW_NONE);
		assert_true(level->shape.face_count > 0);
		assert_true(border_apart(mesh, &level->shape, m->arena) < 0.02 * diagonal);
	}
}

static void a_full_mask_keeps_the_points_that_it_covers(void **state) {
	(void)state;
	static const char *const texts[] = {"triangles=30%"};
	snw_error error = {0};
	made_levels m = {0};
	check_ok(try_making(&m, "tiny-arm", "kept", 1, texts, NULL, &error), error);
	const snw_level *level = &m.made.levels[0];
	uint32_t covered = 0, kept = 0;
	for (uint32_t p = 0; p < m.scene->fields[0].count; p++) {
		covered += m.scene->fields[0].values[p] > 0;
	}
	for (uint32_t p = 0; p < level->shape.point_count; p++) {
		const uint32_t begin = level->stencil_offsets[p];
		kept += level->stencil_offsets[p + 1] == begin + 1 && m.scene->fields[0].values[level->stencil_points[begin]] > 0;
	}
	assert_true(covered > 50);
	assert_in_range(kept, covered * 9 / 10, covered); /* points of a seam are one */
	end(&m);
}

static void a_target_below_what_can_go_keeps_what_is_needed(void **state) {
	(void)state;
	static const char *const texts[] = {"triangles=1"};
	made_levels m = make("tiny-arm", 1, texts);
	assert_in_range(triangles_of(&m, 1), 2, 40);
	end(&m);
}

static bool stop_at_half(void *context, double fraction, const char *activity) {
	(void)activity;
	return fraction < *(const double *)context;
}

static void a_stop_keeps_the_levels_that_are_finished(void **state) {
	(void)state;
	static const char *const texts[] = {"triangles=50%", "triangles=10%"};
	snw_error error = {0};
	double first = 0.05, later = 0.6;
	made_levels m = {0};
	assert_int_equal(
		try_making(&m, "tiny-arm", NULL, 2, texts, &(snw_task){.context = &first, .progress = stop_at_half}, &error),
		SNW_CANCELLED);
	end(&m);
	m = (made_levels){0};
	/* Of a larger mesh, which reports between the levels. */
	check_ok(try_making(&m, "small-arm", NULL, 2, texts, &(snw_task){.context = &later, .progress = stop_at_half}, &error),
			 error);
	assert_int_equal(m.made.count, 1);
	assert_true(m.made.levels[0].rms_percent > 0);
	end(&m);
	double measuring = 0.9;
	m = (made_levels){0};
	check_ok(try_making(&m, "tiny-arm", NULL, 2, texts, &(snw_task){.context = &measuring, .progress = stop_at_half}, &error),
			 error);
	assert_true(m.made.count == 2 && m.made.held_count < 20 && m.made.levels[1].rms_percent > 0);
	end(&m);
}

/* With a cache of 16 vertices; a mesh as it comes has more than one for each triangle. */
static void triangles_are_in_an_order_that_poses_few_vertices_twice(void **state) {
	(void)state;
	const snw_mesh *shape = &levels_of_arm()->made.levels[0].shape;
	const struct meshopt_VertexCacheStatistics found =
		meshopt_analyzeVertexCache(shape->face_points, 3 * (size_t)shape->face_count, shape->point_count, 16, 0, 0);
	print_message("%.3f vertices for each triangle\n", (double)found.acmr);
	assert_true(found.acmr < 0.8F);
	for (uint32_t c = 0, next = 0; c < 3 * shape->face_count; c++) {
		assert_true(shape->face_points[c] <= next); /* points are in the order of their first use */
		next += shape->face_points[c] == next;
	}
}

TEST_GROUP(levels) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits_are_read_in_any_order_and_wrong_ones_are_named),
		cmocka_unit_test(levels_reach_their_triangles_and_move_as_the_mesh_does),
		cmocka_unit_test(overlapping_uvs_slide_no_more_than_others),
		cmocka_unit_test(a_level_is_stale_when_a_clip_that_it_was_made_from_has_changed),
		cmocka_unit_test(levels_have_the_same_bits_on_any_number_of_threads),
		cmocka_unit_test(what_is_closed_stays_closed_and_borders_stay_where_they_are),
		cmocka_unit_test(a_full_mask_keeps_the_points_that_it_covers),
		cmocka_unit_test(a_target_below_what_can_go_keeps_what_is_needed),
		cmocka_unit_test(triangles_are_in_an_order_that_poses_few_vertices_twice),
		cmocka_unit_test(a_stop_keeps_the_levels_that_are_finished),
	};
	(void)argc;
	(void)argv;
	return cmocka_run_group_tests(tests, open_registry, close_all);
}
