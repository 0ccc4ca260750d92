/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Driving, running and queries of contact allocate nothing: every allocation that the host makes goes through the counters
 * below (the linker's --wrap, see meson.build).
 */
#include "setup.h"

#include "contact/contact.h"
#include "sample/sample.h"

#include <stdatomic.h>

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);

static atomic_uint allocations;

void *__wrap_malloc(size_t bytes) {
	allocations++;
	return __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes) {
	allocations++;
	return __real_calloc(count, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes) {
	allocations++;
	return __real_realloc(memory, bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes) {
	allocations++;
	return __real_aligned_alloc(alignment, bytes);
}

static void evaluation_allocates_nothing(void **state) {
	(void)state;
	snw_error error = {0};
	snw_registry *registry = setup_registry(TEST_LAYERS);
	snw_scene *scene = snw_trial_character();
	setup_add_layer(scene, registry, "test-blend", "blend", "kind=combined");
	setup_add_layer(scene, registry, "test-corrective", "corrective", "");
	setup_add_layer(scene, registry, "test-ring", "ring", "passes=3");
	setup_add_layer(scene, registry, "test-blend", "upper", "kind=dual-quaternion");
	snw_stack *stack = setup_stack(scene, registry, NULL);
	const unsigned before_drive = allocations;
	snw_evaluation *evaluation = snw_evaluation_create(stack);
	assert_true(allocations > before_drive); /* the counters count */
	const uint32_t points = scene->meshes[0].point_count, indices[2] = {3, 5};
	double *truth = malloc(3 * sizeof *truth * points), listed[6];
	float *fast = malloc(3 * sizeof *fast * points);
	const snw_pose_view *poses[4];
	for (uint32_t p = 0; p < 4; p++) {
		poses[p] = snw_pose_view_make(scene, &scene->poses[p], scene->arena);
	}
	/* The pool of threads is started by its first run. */
	check_ok(snw_stack_drive(stack, poses[0], evaluation, &error), error);
	check_ok(snw_stack_run(stack, evaluation, 0, fast, &error), error);
	const unsigned before = allocations;
	for (uint32_t p = 0; p < 4; p++) {
		check_ok(snw_stack_drive(stack, poses[p], evaluation, &error), error);
		check_ok(snw_stack_reference(stack, evaluation, 0, NULL, truth, &error), error);
		check_ok(snw_stack_run(stack, evaluation, 0, fast, &error), error);
		check_ok(snw_stack_reference_at(stack, evaluation, 0, 2, indices, scene->meshes[0].points_rest, listed, &error), error);
	}
	assert_int_equal(allocations, before);
	free(truth);
	free(fast);
	snw_evaluation_destroy(evaluation);
	snw_stack_destroy(stack);
	snw_scene_destroy(scene);
	snw_registry_close(registry);
}

static void contact_queries_allocate_nothing(void **state) {
	(void)state;
	static const char *const methods[] = {"linear-blend", "dual-quaternion"};
	for (int i = 0; i < 2; i++) {
		snw_error error = {0};
		snw_registry *registry = snw_registry_open();
		snw_scene *scene;
		check_ok(snw_sample_make("small-arm", &scene, &error), error);
		snw_stack *stack = setup_stack(scene, registry, methods[i]);
		snw_evaluation *evaluation = snw_evaluation_create_reference(stack);
		const snw_pose_view *pose =
			snw_pose_view_make(scene, snw_pose_sample(scene, 0, scene->clips[0].duration_seconds, scene->arena), scene->arena);
		check_ok(snw_stack_drive(stack, pose, evaluation, &error), error);
		const snw_program_input *input = snw_stack_program_input(evaluation, 0, 0);
		const snw_contact_tree *tree =
			snw_contact_tree_make(&scene->meshes[0], snw_stack_segment(stack, 0, 0).program, scene->arena);
		snw_contact_mesh_pose *first = snw_contact_mesh_pose_make(tree, scene->arena),
							  *second = snw_contact_mesh_pose_make(tree, scene->arena);
		snw_contact_pair pairs[4];
		snw_contact_list met = {.capacity = 4, .pairs = pairs}, near = met;
		const unsigned before = allocations;
		snw_contact_pose_program(first, input);
		snw_contact_pose_program(second, input);
		snw_contact_pairs(first, second, 0, snw_contact_list_take, &met);
		snw_contact_pose_program(first, input);
		snw_contact_self_pairs(first, 0.01, snw_contact_list_take, &near);
		const snw_triangle at = snw_contact_mesh_triangle(first, 0);
		const double way[3] = {0, -1, 0};
		const bool is_hit = snw_contact_ray(first, at.corners[0], way, 2, NULL, NULL).triangle != SNW_NONE;
		const bool is_near = snw_contact_nearest(first, at.corners[1], 0.01, NULL, NULL).triangle != SNW_NONE;
		snw_contact_pose_all(first);
		snw_contact_make_dipoles(first);
		const double winding = snw_contact_winding(first, at.corners[2], SNW_CONTACT_INSIDE);
		assert_int_equal(allocations, before);
		assert_true(met.count > 4 && near.count > 4 && is_hit && is_near && winding > 0);
		snw_evaluation_destroy(evaluation);
		snw_stack_destroy(stack);
		snw_scene_destroy(scene);
		snw_registry_close(registry);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(evaluation_allocates_nothing),
									   cmocka_unit_test(contact_queries_allocate_nothing)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
