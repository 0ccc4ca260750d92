/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Methods that learn weights move a mesh to where the samples have it in all poses: exactly, if that is all that differs; not
 * with rest=kept, nor if what differs changes with the pose.
 */
#include "arms/shared_arm.h"
#include "arms/shrunk_arm.h"
#include "must_fit.h"

static const char *const methods[] = {"linear-blend-fit", "helper-joints"}, *const settings[] = {"", "helpers=2"};
enum { METHODS = sizeof methods / sizeof *methods };

/* The points of a fitted scene at rest. */
static double *points_at_rest(const snw_scene *scene) {
	double *points = malloc(3 * (size_t)scene->meshes[0].point_count * sizeof *points);
	fitting_stack stack = fitting_stack_of(scene, registry, NULL);
	fitting_truth(&stack, snw_pose_view_make(scene, snw_pose_rest(scene, scene->arena), scene->arena), 0, points);
	fitting_stack_drop(&stack);
	return points;
}

static void thinner_mesh_is_found_again(void **state) {
	(void)state;
	snw_scene *scene = shrunk_arm(arm, registry, true);
	const double diagonal = snw_scene_diagonal(scene, 0);
	for (size_t m = 0; m < METHODS; m++) {
		snw_scene *fitted = must_fit(scene, methods[m], settings[m]),
				  *kept = must_fit(scene, methods[m], m == 0 ? "rest=kept" : "rest=kept helpers=2");
		const distances near = distances_to(&scene->targets[0], fitted, NULL),
						far = distances_to(&scene->targets[0], kept, NULL);
		double *rest = points_at_rest(fitted), worst = 0;
		for (uint32_t i = 0; i < scene->meshes[0].point_count; i++) {
			double wanted[3];
			shrunk_point(scene->meshes[0].points_rest + 3 * (size_t)i, wanted);
			worst = fmax(worst, fitting_distance(1, rest + 3 * (size_t)i, wanted));
		}
		print_message("%s: %.3g mm off, kept %.3g mm; at rest %.3g mm at most\n", methods[m], 1e3 * near.rms, 1e3 * far.rms,
					  1e3 * worst);
		assert_true(near.rms < 0.05 * far.rms && near.most < 1e-3 * diagonal && worst < 1e-4 * diagonal);
		free(rest);
		snw_scene_destroy(fitted);
		snw_scene_destroy(kept);
	}
	snw_scene_destroy(scene);
}

static void mesh_stays_where_samples_differ_in_poses_alone(void **state) {
	(void)state;
	snw_scene *blended = shrunk_arm(arm, registry, false);
	const snw_scene *const scenes[] = {arm,
									   blended}; /* another rig, whose twist linear blend does not have; and nothing to learn */
	for (size_t s = 0; s < 2; s++) {
		for (size_t m = 0; m < METHODS; m++) {
			snw_scene *fitted = must_fit(scenes[s], methods[m], settings[m]);
			double *rest = points_at_rest(fitted);
			assert_true(fitting_distance(arm->meshes[0].point_count, rest, arm->meshes[0].points_rest) < 1e-12);
			free(rest);
			snw_scene_destroy(fitted);
		}
	}
	snw_scene_destroy(blended);
}

static void threads_do_not_change_a_bit(void **state) {
	(void)state;
	snw_scene *scene = shrunk_arm(arm, registry, true);
	check_threads(scene, methods[0], "");
	snw_scene_destroy(scene);
}

TEST_GROUP(rest_shape) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(thinner_mesh_is_found_again),
		cmocka_unit_test(mesh_stays_where_samples_differ_in_poses_alone),
		cmocka_unit_test(threads_do_not_change_a_bit),
	};
	return cmocka_run_group_tests(tests, open_arm, close_arm);
}
