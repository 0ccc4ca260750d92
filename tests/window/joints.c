/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The joints that could drive an example, and what is locked and hidden, when the document changes under them.
 */
#include "check.h"

#include "window/document/document.h"
#include "window/session/session.h"

static const char *const before[] = {"root", "upper", "lower"}, *const after[] = {"lower", "root"};

static snw_scene scene_of(uint32_t joint_count, const char *const *names, const snw_example *example) {
	return (snw_scene){
		.skeleton = {.joint_count = joint_count, .names = (const char **)names}, .example_count = 1, .examples = example};
}

static void joints_are_found_by_name_in_a_new_document_and_those_that_are_gone_are_dropped(void **state) {
	(void)state;
	static snw_session session;
	static const snw_driver items[] = {{.joint = 2, .share = 0.75}, {.joint = 1, .share = 0.5}, {.joint = 0, .share = 0.25}};
	const snw_example example = {.id = 7};
	snw_scene first = scene_of(3, before, &example), second = scene_of(2, after, &example);
	snw_document old = {.scene = &first, .number = 1}, next = {.scene = &second, .number = 2};
	session.document = &old;
	snw_drivers_take(&session, 0, 3, items);
	session.document = &next;
	snw_drivers_succeed(&session, &old);
	const snw_drivers *known = snw_drivers_known(&session);
	assert_non_null(known);
	assert_int_equal(known->count, 2);
	assert_int_equal(known->items[0].joint, 0);
	check_near(known->items[0].share, 0.75, 0);
	assert_int_equal(known->items[1].joint, 1);
	check_near(known->items[1].share, 0.25, 0);
	snw_drivers_forget(&session);
	assert_null(snw_drivers_known(&session));
}

static void joints_stay_locked_selected_and_pinned_by_name_and_when_they_are_renamed(void **state) {
	(void)state;
	static const struct {
		uint32_t count;
		const char *names[4];
		bool locked[4], selected[4], pinned[4], stiff[4];
	} rows[] = {
		{2, {"lower", "root"}, {0}, {false, true}, {true}, {false, true}},
		{4, {"hip", "root", "upper", "lower"}, {false, false, true}, {false, true}, {false, false, false, true}, {false, true}},
		{3, {"root", "lower", "upper"}, {false, false, true}, {true}, {false, true}, {true}},
		{3, {"root", "arm", "lower"}, {false, true}, {true}, {false, false, true}, {true}},
		{3, {"root", "spine", "neck"}, {false, true}, {true}, {false, false, true}, {true}}};
	bool locked[] = {false, true, false}, selected[] = {true, false, false}, pinned[] = {false, false, true},
		 stiff[] = {true, false, false};
	const snw_scene first = scene_of(3, before, NULL);
	const snw_display previous = {
		.scene = &first, .locked_joints = locked, .selected_joints = selected, .pinned_joints = pinned, .stiff_joints = stiff};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		bool locked_after[4] = {0}, selected_after[4] = {0}, pinned_after[4] = {0}, stiff_after[4] = {0};
		const snw_scene second = scene_of(rows[i].count, rows[i].names, NULL);
		snw_display next = {.scene = &second,
							.locked_joints = locked_after,
							.selected_joints = selected_after,
							.pinned_joints = pinned_after,
							.stiff_joints = stiff_after};
		snw_display_follow_joints(&next, &previous);
		assert_memory_equal(locked_after, rows[i].locked, sizeof locked_after);
		assert_memory_equal(selected_after, rows[i].selected, sizeof selected_after);
		assert_memory_equal(pinned_after, rows[i].pinned, sizeof pinned_after);
		assert_memory_equal(stiff_after, rows[i].stiff, sizeof stiff_after);
	}
}

static void meshes_and_points_stay_locked_and_hidden_when_meshes_are_replaced(void **state) {
	(void)state;
	static const double coarse[][3] = {{0, 0, 0}, {1, 0, 0}}, fine[][3] = {{0.1, 0, 0}, {0.45, 0, 0}, {0.6, 0, 0}, {0.9, 0, 0}};
	const snw_mesh former[] = {{.id = 4, .name = "skin", .point_count = 2, .points_rest = coarse[0]},
							   {.id = 5, .name = "coat"},
							   {.id = 6, .name = "hat"}};
	const snw_mesh next[] = {{.id = 6, .name = "cap"},
							 {.id = 9, .name = "coat"},
							 {.id = 4, .name = "skin", .point_count = 4, .points_rest = fine[0]}};
	const snw_scene first = {.mesh_count = 3, .meshes = former}, second = {.mesh_count = 3, .meshes = next};
	bool hidden[] = {false, false, true}, locked[] = {false, true, false}, points[] = {false, true},
		 *masked[] = {points, NULL, NULL};
	bool hidden_after[3] = {0}, locked_after[3] = {0}, *masked_after[3] = {0}, *room[3] = {0};
	const snw_display previous = {.scene = &first, .hidden = hidden, .locked = locked, .hidden_points = masked};
	snw_display display = {.scene = &second,
						   .arena = snw_arena_create(),
						   .hidden = hidden_after,
						   .locked = locked_after,
						   .hidden_points = masked_after,
						   .hidden_room = room};
	snw_display_follow_meshes(&display, &previous);
	assert_true(hidden_after[0] && !hidden_after[1] && !hidden_after[2]);
	assert_true(!locked_after[0] && locked_after[1] && !locked_after[2]);
	assert_true(!masked_after[0] && !masked_after[1] && masked_after[2]);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(masked_after[2][i], i >= 2); /* as the nearest of the coarse points */
	}
	snw_arena_destroy(display.arena);
}

static void row_of_a_joint_leaves_out_what_all_names_begin_with(void **state) {
	(void)state;
	static const char *const names[][2] = {{"Skeleton_arm_joint_L__4_", "arm_joint_L__4_"},
										   {"mixamorig:LeftArm", "LeftArm"},
										   {"Armature|hand.R", "hand.R"},
										   {"hero:Skeleton_head", "head"},
										   {"skeletonize", "skeletonize"},
										   {"Armature", "Armature"},
										   {"rig_", "rig_"},
										   {"upperarm_l", "upperarm_l"}};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		assert_string_equal(snw_joint_short_name(names[i][0]), names[i][1]);
	}
}

static void exact_names_are_found_first_and_joints_by_what_they_are_on_a_body(void **state) {
	(void)state;
	static const char *const names[] = {"mixamorig:LeftHandThumb1", "mixamorig:LeftHand", "mixamorig:LeftForeArm"};
	uint32_t parents[] = {1, 2, SNW_NONE};
	const snw_skeleton skeleton = {.joint_count = 3, .names = (const char **)names, .parents = parents};
	snw_arena *scratch = snw_arena_create();
	assert_int_equal(snw_joint_search_rank(&skeleton, 1, "lefthand", scratch), SNW_SEARCH_EXACT);
	assert_int_equal(snw_joint_search_rank(&skeleton, 0, "lefthand", scratch), SNW_SEARCH_BEGINS);
	assert_int_equal(snw_joint_search_rank(&skeleton, 0, "Hand", scratch), SNW_SEARCH_CONTAINS);
	assert_int_equal(snw_joint_search_rank(&skeleton, 2, "left elbow", scratch), SNW_SEARCH_EXACT);
	assert_int_equal(snw_joint_search_rank(&skeleton, 2, "hand", scratch), SNW_SEARCH_LACKS);
	snw_arena_destroy(scratch);
}

TEST_GROUP(joints) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(joints_are_found_by_name_in_a_new_document_and_those_that_are_gone_are_dropped),
		cmocka_unit_test(joints_stay_locked_selected_and_pinned_by_name_and_when_they_are_renamed),
		cmocka_unit_test(meshes_and_points_stay_locked_and_hidden_when_meshes_are_replaced),
		cmocka_unit_test(row_of_a_joint_leaves_out_what_all_names_begin_with),
		cmocka_unit_test(exact_names_are_found_first_and_joints_by_what_they_are_on_a_body),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
