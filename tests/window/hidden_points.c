/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The points that the window hides, from command to command.
 */
#include "check.h"

#include "window/display/display.h"

enum { POINTS = 1000 };

static void points_that_are_hidden_again_take_no_more_memory(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const snw_mesh mesh = {.point_count = POINTS};
	const snw_scene scene = {.mesh_count = 1, .meshes = &mesh};
	bool *hidden[1] = {NULL}, *room[1] = {NULL}, points[POINTS];
	snw_display display = {.scene = &scene, .arena = arena, .hidden_points = hidden, .hidden_room = room};
	const bool *kept = NULL;
	for (int round = 0; round < 20; round++) {
		for (int i = 0; i < POINTS; i++) {
			points[i] = (i + round) % 3 == 0;
		}
		snw_display_hide_points(&display, 0, points);
		assert_memory_equal(hidden[0], points, sizeof points);
		assert_true(round == 0 || hidden[0] == kept);
		kept = hidden[0];
		if (round % 4 == 0) {
			snw_display_hide_points(&display, 0, NULL);
			assert_null(hidden[0]);
		}
	}
	snw_arena_destroy(arena);
}

TEST_GROUP(hidden_points) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(points_that_are_hidden_again_take_no_more_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
