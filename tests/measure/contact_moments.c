/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contact over the clip of a dressed figure: what is at rest does not count, threads change nothing, and a task can stop it.
 */
#include "measure/contact_moments.h"

#include "check.h"
#include "pose/pose.h"
#include "sample/sample.h"
#include "sinew/algebra.h"
#include "task/parallel.h"

static snw_error fault;

typedef struct fixture {
	snw_scene *scene;
	snw_registry *registry;
	snw_stack *stack;
	snw_arena *arena;
	snw_contact_request request;
	snw_contact_moment *moments;
} fixture;

static int open_fixture(void **state) {
	fixture *f = calloc(1, sizeof *f);
	uint32_t room = 0;
	f->registry = snw_registry_open();
	f->arena = snw_arena_create();
	check_ok(snw_sample_make("dressed", &f->scene, &fault), fault);
	check_ok(snw_stack_build(f->scene, f->registry, &(snw_stack_options){0}, NULL, &f->stack, &fault), fault);
	snw_contact_moments_add_clip(f->scene, 0, f->arena, &f->moments, &f->request.moment_count, &room);
	f->request.moments = f->moments;
	f->request.pairs = snw_mesh_pairs_list(f->scene, true, true, f->arena, &f->request.pair_count);
	f->request.neighbours = snw_contact_default_neighbours(f->scene);
	f->request.patch = snw_contact_default_patch(f->scene);
	*state = f;
	return 0;
}

static int close_fixture(void **state) {
	fixture *f = *state;
	snw_stack_destroy(f->stack);
	snw_registry_close(f->registry);
	snw_scene_destroy(f->scene);
	snw_arena_destroy(f->arena);
	free(f);
	return 0;
}

static snw_contact_moments find(const fixture *f) {
	snw_contact_moments found;
	check_ok(snw_contact_moments_find(f->scene, f->stack, &f->request, NULL, f->arena, &found, &fault), fault);
	return found;
}

static void contact_at_rest_is_reported_and_not_counted(void **state) {
	fixture *f = *state;
	const snw_contact_moment rest = {
		.name = "rest", .clip = SNW_NONE, .pose = snw_pose_view_make(f->scene, snw_pose_rest(f->scene, f->arena), f->arena)};
	f->request.moments = &rest;
	f->request.moment_count = 1;
	const snw_contact_moments found = find(f);
	uint32_t at_rest = 0;
	for (uint32_t p = 0; p < f->request.pair_count; p++) {
		at_rest += found.rest[p].triangles;
		assert_int_equal(found.found[p].through.count + found.found[p].inside.count, 0);
	}
	assert_true(at_rest > 0);
}

static void arms_that_wave_go_through_the_shirt_the_same_on_any_number_of_threads(void **state) {
	fixture *f = *state;
	const uint32_t shirt = snw_scene_find_mesh(f->scene, "shirt"), body = snw_scene_find_mesh(f->scene, "body");
	const size_t count = (size_t)f->request.moment_count * f->request.pair_count;
	snw_parallel_threads(1);
	const snw_contact_moments one = find(f);
	snw_parallel_threads(3);
	const snw_contact_moments three = find(f);
	snw_parallel_threads(0);
	assert_memory_equal(one.found, three.found, count * sizeof *one.found);
	assert_memory_equal(one.deepest[shirt], three.deepest[shirt],
						f->scene->meshes[shirt].point_count * sizeof *one.deepest[shirt]);
	double deepest = 0, of_points = 0;
	for (size_t i = 0; i < count; i++) {
		const snw_mesh_pair *pair = &f->request.pairs[i % f->request.pair_count];
		const snw_contact_depth *through = &one.found[i].through;
		if ((pair->first == body && pair->second == shirt) || (pair->first == shirt && pair->second == body)) {
			deepest = fmax(deepest, through->deepest);
			assert_true(through->count == 0 || fabs(snw_length3(through->direction) - 1) < 1e-9);
			assert_true(through->deepest < f->request.patch);
		}
	}
	for (uint32_t m = 0; m < 2; m++) {
		for (uint32_t p = 0; p < f->scene->meshes[m ? body : shirt].point_count; p++) {
			of_points = fmax(of_points, one.deepest[m ? body : shirt][p]);
		}
	}
	assert_true(deepest > 0.001 && of_points >= deepest);
}

static bool stop(void *context, double fraction, const char *activity) {
	(void)context;
	(void)fraction;
	(void)activity;
	return false;
}

static void task_stops_it(void **state) {
	fixture *f = *state;
	const snw_task task = {.progress = stop};
	snw_contact_moments found;
	f->request.pair_count = 1;
	assert_int_equal(snw_contact_moments_find(f->scene, f->stack, &f->request, &task, f->arena, &found, &fault), SNW_CANCELLED);
}

static void clearance_finds_what_is_near_and_neighbours_hide_what_is_folded(void **state) {
	fixture *f = *state;
	const uint32_t trousers = snw_scene_find_mesh(f->scene, "trousers");
	const snw_mesh_pair with_itself = {trousers, trousers};
	f->request.pairs = &with_itself;
	f->request.pair_count = 1;
	f->request.moments = &f->moments[f->request.moment_count / 2];
	f->request.moment_count = 1;
	const snw_pair_contact plain = find(f).found[0];
	f->request.clearance = 0.002;
	const snw_pair_contact with_clearance = find(f).found[0];
	f->request.clearance = 0;
	f->request.neighbours *= 4;
	const snw_pair_contact wide = find(f).found[0];
	assert_true(plain.triangles > 0);
	assert_int_equal(with_clearance.triangles, plain.triangles);
	assert_true(with_clearance.near > 0);
	assert_true(wide.triangles < plain.triangles && wide.hidden > plain.hidden);
}

TEST_GROUP(contact_moments) {
#define FIXTURE_TEST(name) cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(contact_at_rest_is_reported_and_not_counted),
		FIXTURE_TEST(arms_that_wave_go_through_the_shirt_the_same_on_any_number_of_threads),
		FIXTURE_TEST(task_stops_it),
		FIXTURE_TEST(clearance_finds_what_is_near_and_neighbours_hide_what_is_folded),
	};
#undef FIXTURE_TEST
	return cmocka_run_group_tests(tests, NULL, NULL);
}
