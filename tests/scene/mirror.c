/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Left and right: maps of points by position and by topology, pairs of joints, and poses and sculpts of the other side.
 */
#include "check.h"

#include "import/import.h"
#include "mesh/mesh.h"
#include "pose/pose.h"
#include "scene/scene.h"
#include "sculpt/sculpt.h"
#include "sinew/algebra.h"

/* A sheet of quads, `half` to each side of x = 0, its points in an order of their own; `skew` moves the left side away from
 * what would be the reflection of the right one. */
static snw_mesh sheet(uint32_t half, uint32_t rows, double skew, snw_arena *arena) {
	const uint32_t width = 2 * half + 1, count = width * rows;
	double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, 2 * half * (rows - 1) + 1);
	uint32_t *corners = SNW_NEW_ARRAY(arena, uint32_t, (size_t)8 * half * (rows - 1));
	uint32_t faces = 0;
	for (uint32_t r = 0; r < rows; r++) {
		for (uint32_t c = 0; c < width; c++) {
			/* 7 shares no factor with the counts used here. */
			double *p = points + 3 * (size_t)((r * width + c) * 7 % count);
			p[0] = (double)c - half;
			p[1] = r + (c < half ? skew * (half - c) : 0);
			p[2] = c < half ? skew * r : 0;
		}
	}
	for (uint32_t r = 0; r + 1 < rows; r++) {
		for (uint32_t c = 0; c < 2 * half; c++) {
			const uint32_t at[] = {r * width + c, r * width + c + 1, (r + 1) * width + c + 1, (r + 1) * width + c};
			for (int k = 0; k < 4; k++) {
				corners[4 * (size_t)faces + k] = at[k] * 7 % count;
			}
			faces++;
			offsets[faces] = 4 * faces;
		}
	}
	return (snw_mesh){.name = "sheet",
					  .point_count = count,
					  .points_rest = points,
					  .face_count = faces,
					  .face_offsets = offsets,
					  .face_points = corners};
}

static snw_mirror_map build(const snw_mesh *mesh, snw_mirror_method method, double tolerance, snw_arena *arena) {
	const snw_mirror_options options = {.method = method, .tolerance = tolerance};
	snw_mirror_map map;
	snw_error error;
	check_ok(snw_mirror_map_build(mesh, &options, arena, &map, &error), error);
	for (uint32_t i = 0; i < map.point_count; i++) {
		assert_true(map.partners[i] == SNW_NONE || map.partners[map.partners[i]] == i);
	}
	assert_int_equal(2 * map.pair_count + map.middle_count + map.unpaired_count, mesh->point_count);
	return map;
}

static void map_by_position_pairs_reflections(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const snw_mesh mesh = sheet(5, 9, 0, arena);
	const snw_mirror_map map = build(&mesh, SNW_MIRROR_POSITION, 0, arena);
	assert_int_equal(map.pair_count, 45);
	assert_int_equal(map.middle_count, 9);
	check_near(map.largest_mismatch, 0, 1e-12);
	for (uint32_t i = 0; i < mesh.point_count; i++) {
		const double *a = mesh.points_rest + 3 * (size_t)i, *b = mesh.points_rest + 3 * (size_t)map.partners[i];
		check_near(a[0] + b[0], 0, 1e-12);
		check_near(a[1] - b[1], 0, 1e-12);
	}
	snw_arena_destroy(arena);
}

static void map_by_position_pairs_points_that_lie_on_each_other(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	static const double points[] = {1, 0, 0, 1, 0, 0, -1, 0, 0, -1, 0, 0, 0, 2, 0, 0, 2, 0};
	const snw_mesh mesh = {.name = "seams", .point_count = 6, .points_rest = points};
	const snw_mirror_map map = build(&mesh, SNW_MIRROR_AUTO, 0, arena);
	assert_int_equal(map.unpaired_count, 0);
	assert_int_equal(map.pair_count, 2);
	snw_arena_destroy(arena);
}

/* Heaps of points, as files with nothing set in them have: work must not grow with the square of a heap, or this does not
 * end. */
static void map_by_position_shares_out_heaps_of_points(void **state) {
	(void)state;
	enum { HEAP = 50000 };
	snw_arena *arena = snw_arena_create();
	double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)HEAP);
	snw_mesh mesh = {.name = "heap", .point_count = HEAP, .points_rest = points};
	snw_mirror_map map = build(&mesh, SNW_MIRROR_POSITION, 0.01, arena); /* all in the middle */
	assert_true(map.middle_count == HEAP && map.largest_mismatch == 0);
	for (uint32_t i = 0; i < HEAP; i++) {
		points[3 * (size_t)i] = i % 5 < 2 ? 1 : i % 10 < 7 ? -1 : 0;
	}
	uint32_t right = 0, left = 0;
	for (uint32_t i = 0; i < HEAP; i++) {
		right += points[3 * (size_t)i] > 0;
		left += points[3 * (size_t)i] < 0;
	}
	map = build(&mesh, SNW_MIRROR_POSITION, 0.01, arena);
	assert_int_equal(map.pair_count, right < left ? right : left);
	assert_int_equal(map.unpaired_count, right < left ? left - right : right - left);
	assert_int_equal(map.middle_count, HEAP - right - left);
	snw_arena_destroy(arena);
}

static void map_by_topology_pairs_points_that_positions_cannot(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const snw_mesh straight = sheet(5, 9, 0, arena), skewed = sheet(5, 9, 0.13, arena);
	const snw_mirror_map truth = build(&straight, SNW_MIRROR_POSITION, 0, arena);
	const snw_mirror_map map = build(&skewed, SNW_MIRROR_AUTO, 0, arena);
	assert_int_equal(map.method, SNW_MIRROR_TOPOLOGY);
	assert_int_equal(map.unpaired_count, 0);
	assert_memory_equal(map.partners, truth.partners, straight.point_count * sizeof *map.partners);
	assert_true(map.largest_mismatch > 0.1);
	const snw_mirror_map position = build(&skewed, SNW_MIRROR_POSITION, 0, arena);
	assert_true(position.unpaired_count > 0);
	snw_arena_destroy(arena);
}

static void map_without_a_single_pair_is_refused(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	static const double points[] = {1, 0, 0, 2, 0, 0, 3, 1, 0};
	const snw_mesh mesh = {.name = "lonely", .point_count = 3, .points_rest = points};
	const snw_mirror_options options = {0}, walk = {.method = SNW_MIRROR_TOPOLOGY};
	snw_mirror_map map;
	snw_error error;
	assert_int_equal(snw_mirror_map_build(&mesh, &options, arena, &map, &error), SNW_ERROR_MISSING);
	assert_non_null(strstr(error.text, "tolerance"));
	assert_int_equal(snw_mirror_map_build(&mesh, &walk, arena, &map, &error), SNW_ERROR_ARGUMENT);
	snw_arena_destroy(arena);
}

static void sculpt_mirrored_twice_is_the_sculpt(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const snw_mesh mesh = sheet(5, 9, 0, arena);
	const snw_mirror_map map = build(&mesh, SNW_MIRROR_POSITION, 0, arena);
	const size_t numbers = 3 * (size_t)mesh.point_count;
	double *sculpt = SNW_NEW_ARRAY(arena, double, numbers), *other = SNW_NEW_ARRAY(arena, double, numbers),
		   *back = SNW_NEW_ARRAY(arena, double, numbers);
	for (size_t i = 0; i < numbers; i++) {
		sculpt[i] = mesh.points_rest[i] + sin((double)i);
	}
	snw_mirror_sculpt(&map, mesh.points_rest, sculpt, mesh.points_rest, other);
	snw_mirror_sculpt(&map, mesh.points_rest, other, mesh.points_rest, back);
	for (uint32_t i = 0; i < mesh.point_count; i++) {
		const uint32_t partner = map.partners[i];
		check_near(other[3 * (size_t)partner], -sculpt[3 * (size_t)i], 1e-12);
		check_near(other[3 * (size_t)partner + 2], sculpt[3 * (size_t)i + 2], 1e-12);
		check_near(back[3 * (size_t)i + 1], sculpt[3 * (size_t)i + 1], 1e-12);
	}
	snw_arena_destroy(arena);
}

static void name_exchanges_its_side(void **state) {
	(void)state;
	static const char *const names[][2] = {
		{"left", "right"},
		{"mixamorig:LeftForeArm", "mixamorig:RightForeArm"},
		{"upperarm_l", "upperarm_r"},
		{"thigh.R.001", "thigh.L.001"},
		{"lShoulder", "rShoulder"},
		{"armR", "armL"},
		{"Bip01 L Thigh", "Bip01 R Thigh"},
		{"LEFT_eye", "RIGHT_eye"},
	};
	static const char *const plain[] = {"spine", "leftover", "Larynx", "collar", "brightness", "HR"};
	snw_arena *arena = snw_arena_create();
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		assert_string_equal(snw_mirror_name(names[i][0], arena), names[i][1]);
		assert_string_equal(snw_mirror_name(names[i][1], arena), names[i][0]);
	}
	for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
		assert_null(snw_mirror_name(plain[i], arena));
	}
	snw_arena_destroy(arena);
}

/* A spine with an arm to each side, whose joints' axes have nothing to do with each other. */
static snw_scene *two_arms(bool named) {
	snw_scene *scene = snw_scene_create();
	snw_arena *arena = scene->arena;
	static const char *with_sides[] = {"spine", "arm.L", "arm.R", "hand.L", "hand.R", "tail"};
	static const char *without[] = {"spine", "a", "b", "c", "d", "tail"};
	const double places[6][3] = {{0, 1, 0}, {0.2, 1.5, 0}, {-0.2, 1.5, 0}, {0.7, 1.4, 0.1}, {-0.7, 1.4, 0.1}, {0.1, 0.5, -0.3}};
	snw_skeleton *skeleton = &scene->skeleton;
	skeleton->joint_count = 6;
	skeleton->names = snw_arena_copy(arena, named ? with_sides : without, sizeof with_sides);
	skeleton->parents = snw_arena_copy(arena, (uint32_t[]){SNW_NONE, 0, 0, 1, 2, 0}, 6 * sizeof(uint32_t));
	skeleton->rest_local = SNW_NEW_ARRAY(arena, snw_transform, 6);
	double globals[6][12], inverse[12], local[12];
	for (uint32_t j = 0; j < 6; j++) {
		double q[4];
		snw_quat_from_rotation_vector((double[]){sin(3.0 * j), cos(5.0 * j), sin(7.0 * j + 1)}, q);
		snw_quat_to_mat34(q, globals[j]);
		for (int i = 0; i < 3; i++) {
			globals[j][4 * i + 3] = places[j][i];
		}
		const uint32_t parent = skeleton->parents[j];
		memcpy(local, globals[j], sizeof local);
		if (parent != SNW_NONE) {
			snw_mat34_invert(globals[parent], inverse);
			snw_mat34_multiply(inverse, globals[j], local);
		}
		snw_transform_from_mat34(local, &skeleton->rest_local[j]);
	}
	snw_error error;
	check_ok(snw_skeleton_finish(skeleton, arena, &error), error);
	return scene;
}

static void joints_are_paired_by_name_or_by_place(void **state) {
	(void)state;
	for (int named = 0; named < 2; named++) {
		snw_scene *scene = two_arms(named);
		snw_mirror_joints joints;
		snw_mirror_joints_find(scene, &(snw_mirror_plane){0}, 0, scene->arena, &joints);
		assert_int_equal(joints.partners[0], 0);
		assert_int_equal(joints.partners[1], 2);
		assert_int_equal(joints.partners[4], 3);
		assert_int_equal(joints.partners[5], SNW_NONE);
		assert_int_equal(joints.named_count, named ? 4 : 0);
		assert_int_equal(joints.pair_count, 2);
		assert_int_equal(joints.middle_count, 1);
		assert_int_equal(joints.unpaired_count, 1);
		snw_scene_destroy(scene);
	}
}

/* T = G Ĝ⁻¹ of the partner is R T R. */
static void mirrored_pose_moves_the_character_as_its_reflection(void **state) {
	(void)state;
	snw_scene *scene = two_arms(true);
	snw_arena *arena = scene->arena;
	snw_mirror_joints joints;
	snw_mirror_joints_find(scene, &(snw_mirror_plane){0}, 0, arena, &joints);
	snw_pose *pose = snw_pose_rest(scene, arena);
	for (uint32_t j = 0; j < 5; j++) {
		double q[4], *rotation_vector = pose->rotation_vectors + 3 * (size_t)j;
		for (int i = 0; i < 3; i++) {
			rotation_vector[i] = 2.3 * sin(11.0 * j + i);
		}
		snw_quat_from_rotation_vector(rotation_vector, q);
		snw_quat_multiply(scene->skeleton.rest_local[j].rotation, q, pose->local[j].rotation);
	}
	pose->local[0].translation[0] += 0.25;
	const snw_pose *mirrored = snw_mirror_pose(scene, &joints, pose, arena);
	const snw_pose_view *a = snw_pose_view_make(scene, pose, arena), *b = snw_pose_view_make(scene, mirrored, arena);
	for (uint32_t j = 0; j < 5; j++) {
		const uint32_t k = joints.partners[j];
		double inverse[12], from[12], to[12];
		snw_mat34_invert(scene->skeleton.rest_global + 12 * (size_t)j, inverse);
		snw_mat34_multiply(a->global + 12 * (size_t)j, inverse, from);
		snw_mat34_invert(scene->skeleton.rest_global + 12 * (size_t)k, inverse);
		snw_mat34_multiply(b->global + 12 * (size_t)k, inverse, to);
		for (int r = 0; r < 3; r++) {
			for (int c = 0; c < 4; c++) {
				check_near(to[4 * r + c], (r == 0 ? -1 : 1) * (c == 0 ? -1 : 1) * from[4 * r + c], 1e-9);
			}
		}
		check_near(snw_length3(mirrored->rotation_vectors + 3 * (size_t)k), snw_length3(pose->rotation_vectors + 3 * (size_t)j),
				   1e-12);
	}
	const snw_pose *back = snw_mirror_pose(scene, &joints, mirrored, arena);
	for (uint32_t i = 0; i < 15; i++) {
		check_near(back->rotation_vectors[i], pose->rotation_vectors[i], 1e-9);
	}
	snw_scene_destroy(scene);
}

static void human_is_paired_the_same_by_either_way(void **state) {
	(void)state;
	const snw_import_request request = {.file = check_data("human-rig/human.glb")};
	snw_scene *scene = NULL;
	snw_error error;
	check_ok(snw_import(&request, NULL, &scene, &error), error);
	const snw_mesh *mesh = &scene->meshes[0];
	const snw_mirror_map position = build(mesh, SNW_MIRROR_POSITION, 0, scene->arena);
	const snw_mirror_map topology = build(mesh, SNW_MIRROR_TOPOLOGY, 0, scene->arena);
	print_message("human: position %u pairs, %u middle, %u alone, mismatch %.3g m; topology %u, %u, %u, %.3g m\n",
				  position.pair_count, position.middle_count, position.unpaired_count, position.largest_mismatch,
				  topology.pair_count, topology.middle_count, topology.unpaired_count, topology.largest_mismatch);
	assert_int_equal(position.unpaired_count, 0);
	/* Its quads were cut into triangles without regard to sides: a walk may miss a point here and there. */
	uint32_t different = 0;
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		different += topology.partners[i] != position.partners[i];
	}
	print_message("human: %u points differ\n", different);
	assert_true(different <= mesh->point_count / 500);
	snw_mirror_joints joints;
	snw_mirror_joints_find(scene, &(snw_mirror_plane){0}, 0, scene->arena, &joints);
	print_message("human: %u pairs of joints, %u middle, %u alone, %u by name, mismatch %.3g m\n", joints.pair_count,
				  joints.middle_count, joints.unpaired_count, joints.named_count, joints.largest_mismatch);
	assert_int_equal(joints.unpaired_count, 0);
	snw_scene_destroy(scene);
}

/* A copy of a mesh with its points in reverse, moved along x and then, with `reflects`, reflected. */
static snw_mesh shifted_mesh(const snw_mesh *mesh, double along, bool reflects, snw_arena *arena) {
	const uint32_t count = mesh->point_count, corners = mesh->face_offsets[mesh->face_count];
	double *points = SNW_NEW_ARRAY(arena, double, 3 * (size_t)count);
	uint32_t *face_points = SNW_NEW_ARRAY(arena, uint32_t, corners);
	snw_mesh copy = *mesh;
	for (uint32_t i = 0; i < count; i++) {
		double *point = points + 3 * (size_t)(count - 1 - i);
		memcpy(point, mesh->points_rest + 3 * (size_t)i, 3 * sizeof *point);
		point[0] = (reflects ? -1 : 1) * (point[0] + along);
	}
	for (uint32_t c = 0; c < corners; c++) {
		face_points[c] = count - 1 - mesh->face_points[c];
	}
	copy.points_rest = points;
	copy.face_points = face_points;
	return copy;
}

static void counterpart_is_the_mesh_of_the_other_side(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const snw_mesh middle = sheet(3, 5, 0, arena), bent = sheet(3, 5, 0.01, arena);
	snw_mesh meshes[] = {shifted_mesh(&middle, 0, false, arena), shifted_mesh(&bent, 10, false, arena),
						 shifted_mesh(&middle, 10, true, arena), shifted_mesh(&middle, 0, true, arena),
						 shifted_mesh(&bent, 10, true, arena)};
	const snw_scene scene = {.mesh_count = 5, .meshes = meshes};
	static const bool all[5] = {true, true, true, true, true}, but_last[5] = {true, true, true, true, false};
	assert_int_equal(snw_counterpart_of(&scene, 1, &(snw_mirror_plane){0}, all), 4);
	assert_int_equal(snw_counterpart_of(&scene, 4, &(snw_mirror_plane){0}, all), 1);
	assert_int_equal(snw_counterpart_of(&scene, 1, &(snw_mirror_plane){0}, but_last), SNW_NONE);
	/* A symmetric mesh is its own; one with nothing on the other side has none. */
	assert_int_equal(snw_counterpart_of(&scene, 0, &(snw_mirror_plane){0}, all), SNW_NONE);
	assert_int_equal(snw_counterpart_of(&scene, 2, &(snw_mirror_plane){0}, all), SNW_NONE);
	/* As one mesh, the points of one are the partners of the other's. */
	const uint32_t both[2] = {1, 4}, count = bent.point_count;
	const snw_mesh *joined = snw_join_meshes(&scene, 2, both, arena);
	const snw_mirror_map map = build(joined, SNW_MIRROR_AUTO, 0, arena);
	for (uint32_t i = 0; i < count; i++) {
		const double *here = joined->points_rest + 3 * (size_t)i, *there = joined->points_rest + 3 * (size_t)map.partners[i];
		assert_true(map.partners[i] >= count);
		assert_true(fabs(here[0] + there[0]) < 1e-12 && here[1] == there[1] && here[2] == there[2]);
	}
	snw_arena_destroy(arena);
}

/* As in characters whose parts were mirrored one by one: each limb has a middle of its own. */
static void counterpart_may_lie_a_little_aside(void **state) {
	(void)state;
	snw_arena *arena = snw_arena_create();
	const snw_mesh bent = sheet(3, 5, 0.01, arena);
	snw_mesh meshes[] = {shifted_mesh(&bent, 10, false, arena), shifted_mesh(&bent, 10, true, arena),
						 shifted_mesh(&bent, 10.02, true, arena), shifted_mesh(&bent, 11, true, arena)};
	const snw_scene scene = {.mesh_count = 4, .meshes = meshes};
	static const bool all[4] = {true, true, true, true}, but_near[4] = {true, false, true, true},
					  far[4] = {true, false, false, true};
	assert_int_equal(snw_counterpart_of(&scene, 0, &(snw_mirror_plane){0}, all), 1);
	assert_int_equal(snw_counterpart_of(&scene, 0, &(snw_mirror_plane){0}, but_near), 2);
	assert_int_equal(snw_counterpart_of(&scene, 0, &(snw_mirror_plane){0}, far), SNW_NONE);
	/* Each point is paired with the one that would be its reflection. */
	const uint32_t both[2] = {0, 2}, count = bent.point_count;
	const snw_mesh *joined = snw_join_meshes(&scene, 2, both, arena);
	const snw_mirror_map map =
		build(snw_counterpart_align(&scene, 0, 2, &(snw_mirror_plane){0}, joined, count, arena), SNW_MIRROR_AUTO, 0, arena);
	for (uint32_t i = 0; i < count; i++) {
		const double *here = joined->points_rest + 3 * (size_t)i, *there = joined->points_rest + 3 * (size_t)map.partners[i];
		assert_true(map.partners[i] >= count);
		assert_true(fabs(here[0] + there[0] + 0.02) < 1e-9 && here[1] == there[1] && here[2] == there[2]);
	}
	snw_arena_destroy(arena);
}

TEST_GROUP(mirror) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counterpart_may_lie_a_little_aside),
		cmocka_unit_test(counterpart_is_the_mesh_of_the_other_side),
		cmocka_unit_test(map_by_position_pairs_reflections),
		cmocka_unit_test(map_by_position_pairs_points_that_lie_on_each_other),
		cmocka_unit_test(map_by_position_shares_out_heaps_of_points),
		cmocka_unit_test(map_by_topology_pairs_points_that_positions_cannot),
		cmocka_unit_test(map_without_a_single_pair_is_refused),
		cmocka_unit_test(sculpt_mirrored_twice_is_the_sculpt),
		cmocka_unit_test(name_exchanges_its_side),
		cmocka_unit_test(joints_are_paired_by_name_or_by_place),
		cmocka_unit_test(mirrored_pose_moves_the_character_as_its_reflection),
		cmocka_unit_test(human_is_paired_the_same_by_either_way),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
