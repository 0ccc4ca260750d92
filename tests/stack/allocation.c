/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Driving and running allocate nothing: every allocation that the host makes goes through the counters below (the linker's
 * --wrap, see meson.build).
 */
#include "setup.h"

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

int main(void) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(evaluation_allocates_nothing)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
