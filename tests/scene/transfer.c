/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A changed character that replaces the old one: what is kept, what moves with the rig, and what is refused.
 */
#include "transfer/transfer.h"

#include "pose/pose.h"
#include "remesh/remesh.h"
#include "scene/fixture.h"
#include "scene/scene.h"
#include "sinew/algebra.h"

static snw_error error;

/* The fixture, with ids as a project gives them and binds that are those of its rest; and a copy of it that a test changes. */
typedef struct change {
	snw_scene *old, *fresh;
	snw_arena *arena;
	snw_transfer result;
} change;

static void bind_at_rest(snw_scene *scene) {
	double *binds = SNW_NEW_ARRAY(scene->arena, double, 12 * (size_t)scene->slot_count);
	for (uint32_t s = 0; s < scene->slot_count; s++) {
		assert_true(snw_mat34_invert(scene->skeleton.rest_global + 12 * (size_t)scene->slot_joints[s], binds + 12 * (size_t)s));
	}
	scene->slot_inverse_binds = binds;
}

static int open_change(void **state) {
	static change c;
	c.arena = snw_arena_create();
	c.old = fixture_scene();
	bind_at_rest(c.old);
	for (uint32_t i = 0; i < c.old->mesh_count; i++) {
		((snw_mesh *)(uintptr_t)c.old->meshes)[i].id = 10 + i;
	}
	for (uint32_t i = 0; i < c.old->pose_count; i++) {
		((snw_pose *)(uintptr_t)c.old->poses)[i].id = 20 + i;
	}
	for (uint32_t i = 0; i < c.old->field_count; i++) {
		((snw_field *)(uintptr_t)c.old->fields)[i].id = 30 + i;
	}
	c.fresh = snw_scene_copy(c.old);
	*state = &c;
	return 0;
}

static int close_change(void **state) {
	change *c = *state;
	snw_scene_destroy(c->old);
	snw_scene_destroy(c->fresh);
	snw_arena_destroy(c->arena);
	return 0;
}

static void transfer(change *c) {
	check_ok(snw_scene_transfer(c->old, c->fresh, c->arena, &c->result, &error), error);
}

static void expect_conflict(change *c, const char *word, const char *other) {
	assert_int_equal(snw_scene_transfer(c->old, c->fresh, c->arena, &c->result, &error), SNW_ERROR_CONFLICT);
	assert_non_null(strstr(error.text, word));
	assert_non_null(strstr(error.text, other));
}

/* The rig again, from changed parents and transforms. */
static void finish_rig(snw_scene *scene) {
	check_ok(snw_skeleton_finish(&scene->skeleton, scene->arena, &error), error);
	bind_at_rest(scene);
}

/* ---- what is kept -------------------------------------------------------------------------------------------------------- */

static void same_character_keeps_everything_as_it_was(void **state) {
	change *c = *state;
	transfer(c);
	const snw_transfer *r = &c->result;
	assert_int_equal(r->joints_added + r->joints_gone + r->joints_moved + r->meshes_added + r->meshes_gone, 0);
	assert_int_equal(r->points_moved + r->skins_changed + r->clips_added + r->clips_kept + r->examples_moved, 0);
	assert_int_equal(r->clips_renewed, c->old->clip_count);
	for (uint32_t i = 0; i < c->old->mesh_count; i++) {
		assert_int_equal(r->scene.meshes[i].id, c->old->meshes[i].id);
	}
	for (uint32_t i = 0; i < c->old->pose_count; i++) {
		assert_int_equal(r->scene.poses[i].id, c->old->poses[i].id);
		assert_memory_equal(r->scene.poses[i].local, c->old->poses[i].local, 4 * sizeof(snw_transform));
		assert_memory_equal(r->scene.poses[i].rotation_vectors, c->old->poses[i].rotation_vectors, 12 * sizeof(double));
	}
	assert_ptr_equal(r->scene.examples[0].points_posed, c->old->examples[0].points_posed);
	assert_int_equal(r->scene.layer_count, c->old->layer_count);
}

/* The fixture's joints in the order root, hand, other root, arm. */
static void reorder(snw_scene *scene) {
	static const uint32_t from[] = {1, 0, 3, 2}, to[] = {1, 0, 3, 2};
	snw_skeleton *skeleton = &scene->skeleton;
	const snw_skeleton was = *skeleton;
	skeleton->names = SNW_NEW_ARRAY(scene->arena, const char *, 4);
	skeleton->parents = SNW_NEW_ARRAY(scene->arena, uint32_t, 4);
	skeleton->rest_local = SNW_NEW_ARRAY(scene->arena, snw_transform, 4);
	for (int j = 0; j < 4; j++) {
		const uint32_t parent = was.parents[from[j]];
		skeleton->names[j] = was.names[from[j]];
		skeleton->parents[j] = parent == SNW_NONE ? SNW_NONE : to[parent];
		skeleton->rest_local[j] = was.rest_local[from[j]];
	}
	uint32_t *slots = SNW_NEW_ARRAY(scene->arena, uint32_t, scene->slot_count);
	for (uint32_t s = 0; s < scene->slot_count; s++) {
		slots[s] = to[scene->slot_joints[s]];
	}
	scene->slot_joints = slots;
	snw_pose *poses = (snw_pose *)(uintptr_t)scene->poses;
	poses[0].local = snw_arena_copy(scene->arena, skeleton->rest_local, 4 * sizeof(snw_transform));
	finish_rig(scene);
}

static void joints_in_another_order_are_found_by_name(void **state) {
	change *c = *state;
	reorder(c->fresh);
	transfer(c);
	assert_int_equal(c->result.joints_moved + c->result.joints_added + c->result.joints_gone, 0);
	assert_int_equal(c->result.skins_changed, 0);
	assert_int_equal(c->result.examples_moved, 0);
	for (uint32_t p = 0; p < c->old->pose_count; p++) {
		for (uint32_t j = 0; j < 4; j++) {
			const uint32_t place = snw_scene_find_joint(&c->result.scene, c->old->skeleton.names[j]);
			assert_memory_equal(&c->result.scene.poses[p].local[place], &c->old->poses[p].local[j], sizeof(snw_transform));
		}
	}
	const snw_group *group = &c->result.scene.groups[0];
	assert_string_equal(c->result.scene.skeleton.names[group->joints[0]], "other root");
	assert_string_equal(c->result.scene.skeleton.names[group->joints[1]], "hand");
	const snw_field *field = &c->result.scene.fields[2];
	assert_string_equal(field->name, "stiff");
	assert_memory_equal(field->values, c->old->fields[2].values + 2, 2 * sizeof(double)); /* of root, which was second */
}

static void weights_that_changed_leave_sculpts_as_sculpted(void **state) {
	change *c = *state;
	double *weights = snw_arena_copy(c->fresh->arena, c->fresh->meshes[0].influence_weights, 11 * sizeof(double));
	weights[1] = 0.5;
	weights[2] = 0.5;
	((snw_mesh *)(uintptr_t)c->fresh->meshes)[0].influence_weights = weights;
	transfer(c);
	assert_int_equal(c->result.skins_changed, 1);
	assert_int_equal(c->result.examples_moved, 0);
	assert_memory_equal(c->result.scene.examples[0].points_posed, c->old->examples[0].points_posed, 24 * sizeof(double));
}

/* ---- what moves ---------------------------------------------------------------------------------------------------------- */

static void poses_keep_their_rotations_if_a_joint_has_moved(void **state) {
	change *c = *state;
	snw_transform *arm = &c->fresh->skeleton.rest_local[2];
	arm->translation[1] += 0.75;
	memcpy(arm->rotation, (double[]){0.6, 0, 0, 0.8}, sizeof arm->rotation);
	finish_rig(c->fresh);
	transfer(c);
	assert_int_equal(c->result.joints_moved, 2); /* and the hand with it */
	for (uint32_t p = 1; p < c->old->pose_count; p++) {
		const snw_transform *before = &c->old->poses[p].local[2], *after = &c->result.scene.poses[p].local[2];
		const snw_transform *rest = &c->old->skeleton.rest_local[2];
		double back[4], wanted[4], found[4];
		for (int i = 0; i < 3; i++) {
			check_near(after->translation[i] - arm->translation[i], before->translation[i] - rest->translation[i], 1e-12);
		}
		snw_quat_conjugate(rest->rotation, back);
		snw_quat_multiply(back, before->rotation, wanted);
		snw_quat_conjugate(arm->rotation, back);
		snw_quat_multiply(back, after->rotation, found);
		check_near(fabs(snw_quat_dot(wanted, found)), 1, 1e-12);
	}
}

static void sculpt_follows_the_rig_and_the_rest(void **state) {
	change *c = *state;
	/* The whole character one metre to the side: its roots and its points. */
	for (int j = 1; j < 4; j += 2) {
		c->fresh->skeleton.rest_local[j].translation[0] += 1;
	}
	finish_rig(c->fresh);
	double *points = snw_arena_copy(c->fresh->arena, c->fresh->meshes[0].points_rest, 24 * sizeof(double));
	for (int i = 0; i < 24; i += 3) {
		points[i] += 1;
	}
	((snw_mesh *)(uintptr_t)c->fresh->meshes)[0].points_rest = points;
	transfer(c);
	assert_int_equal(c->result.points_moved, 8);
	assert_true(c->result.example_moved[0]);
	const double *before = c->old->examples[0].points_posed, *after = c->result.scene.examples[0].points_posed;
	for (int i = 0; i < 24; i++) {
		check_near(after[i] - before[i], i % 3 == 0, 1e-9);
	}
}

static void clip_that_the_file_lacks_is_kept_over_the_new_rest(void **state) {
	change *c = *state;
	((snw_clip *)(uintptr_t)c->fresh->clips)[0].name = "run";
	c->fresh->skeleton.rest_local[1].translation[0] += 2;
	finish_rig(c->fresh);
	transfer(c);
	assert_int_equal(c->result.clips_kept, 1);
	assert_int_equal(c->result.clips_added, 1);
	assert_string_equal(c->result.scene.clips[0].name, "walk");
	assert_string_equal(c->result.scene.clips[2].name, "run");
	assert_int_equal(c->result.scene.clips[0].id, 7);
	/* The fixture's second track moves the hand, whose own rest is the same; its first rotates the arm. */
	assert_memory_equal(c->result.scene.clips[0].tracks[1].values, c->old->clips[0].tracks[1].values, 9 * sizeof(double));
	((snw_clip *)(uintptr_t)c->fresh->clips)[0].name = "run";
	c->fresh->skeleton.rest_local[0].translation[2] += 3;
	finish_rig(c->fresh);
	transfer(c);
	for (int k = 0; k < 3; k++) {
		const double *was = c->old->clips[0].tracks[1].values + 3 * (size_t)k;
		const double *is = c->result.scene.clips[0].tracks[1].values + 3 * (size_t)k;
		check_near(is[0], was[0], 0);
		check_near(is[2], was[2] + 3, 1e-12);
	}
}

/* ---- what is refused ----------------------------------------------------------------------------------------------------- */

static void other_topology_is_refused_with_the_difference(void **state) {
	change *c = *state;
	snw_mesh *body = (snw_mesh *)(uintptr_t)c->fresh->meshes;
	uint32_t *faces = snw_arena_copy(c->fresh->arena, body->face_points, 12 * sizeof(uint32_t));
	faces[4] = 0;
	body->face_points = faces;
	expect_conflict(c, "'body'", "face 1");
	body->point_count = 7;
	expect_conflict(c, "7 points", "8");
}

static void removed_mesh_with_a_sculpt_is_refused(void **state) {
	change *c = *state;
	((snw_mesh *)(uintptr_t)c->fresh->meshes)[1].name = "twig";
	expect_conflict(c, "'leaf'", "gone");
}

static void removed_joint_in_use_is_refused(void **state) {
	change *c = *state;
	c->fresh->skeleton.names[3] = "third root";
	expect_conflict(c, "'other root'", "'left'");
	c->fresh->skeleton.names[3] = "other root";
	c->fresh->skeleton.names[1] = "trunk"; /* turned in the poses of the examples */
	expect_conflict(c, "'root'", "'bend'");
}

static void points_in_another_order_are_matched_by_their_places(void **state) {
	change *c = *state;
	snw_mesh *mesh = (snw_mesh *)(uintptr_t)c->fresh->meshes;
	uint32_t *order = SNW_NEW_ARRAY(c->arena, uint32_t, mesh->point_count);
	for (uint32_t p = 0; p < mesh->point_count; p++) {
		order[p] = mesh->point_count - 1 - p;
	}
	*mesh = snw_mesh_in_order(mesh, order, c->arena);
	transfer(c);
	const snw_mesh *old = &c->old->meshes[0], *result = &c->result.scene.meshes[0];
	assert_int_equal(c->result.meshes_ordered, 1);
	assert_int_equal(c->result.points_moved, 0);
	assert_int_equal(c->result.skins_changed, 0);
	assert_memory_equal(result->points_rest, old->points_rest, 3 * old->point_count * sizeof *old->points_rest);
	assert_memory_equal(result->face_points, old->face_points, old->face_offsets[old->face_count] * sizeof *old->face_points);
}

/* ---- other faces --------------------------------------------------------------------------------------------------------- */

/* Two sheets of 3 × 3 points, the second one above the first; and a triangle far away. Of the new upper sheet the middle
 * reaches down, nearer to the lower sheet than to its own. */
typedef struct sheets {
	double points[21][3];
	uint32_t offsets[10], corners[35];
	snw_mesh mesh;
} sheets;

static void make_sheets(sheets *s, double middle, bool with_triangle) {
	uint32_t faces = 0;
	for (uint32_t p = 0; p < 18; p++) {
		const uint32_t row = p % 9 / 3;
		const double height = p == 13 ? middle : p < 9 ? 0 : 0.1;
		memcpy(s->points[p], (double[3]){p % 3, row, height}, sizeof *s->points);
	}
	for (uint32_t sheet = 0; sheet < 18; sheet += 9) {
		for (uint32_t q = 0; q < 4; q++, faces++) {
			const uint32_t at = sheet + q % 2 + 3 * (q / 2);
			memcpy(s->corners + 4 * (size_t)faces, (uint32_t[4]){at, at + 1, at + 4, at + 3}, 4 * sizeof *s->corners);
			s->offsets[faces + 1] = 4 * (faces + 1);
		}
	}
	s->mesh = (snw_mesh){.name = "sheets",
						 .point_count = 18,
						 .points_rest = s->points[0],
						 .face_count = faces,
						 .face_offsets = s->offsets,
						 .face_points = s->corners};
	if (with_triangle) {
		memcpy(s->points[18], (double[9]){9, 0, 0, 9, 1, 0, 9, 0, 1}, 3 * sizeof *s->points);
		memcpy(s->corners + 32, (uint32_t[3]){18, 19, 20}, 3 * sizeof *s->corners);
		s->offsets[9] = 35;
		s->mesh.point_count = 21;
		s->mesh.face_count = 9;
	}
}

static void new_points_follow_their_own_shell_and_far_ones_are_counted(void **state) {
	(void)state;
	static sheets before, after;
	make_sheets(&before, 0.1, false);
	make_sheets(&after, 0.045, true);
	double is_upper[18];
	for (uint32_t p = 0; p < 18; p++) {
		is_upper[p] = p >= 9;
	}
	const snw_field field = {
		.name = "upper", .domain = SNW_DOMAIN_POINTS, .mesh = 0, .count = 18, .components = 1, .values = is_upper};
	const snw_scene old = {.mesh_count = 1, .meshes = &before.mesh, .field_count = 1, .fields = &field};
	const snw_scene fresh = {.mesh_count = 1, .meshes = &after.mesh};
	snw_arena *arena = snw_arena_create();
	snw_remesh made;
	check_ok(snw_remesh_make(&old, &fresh, NULL, arena, &made, &error), error);
	assert_int_equal(made.mesh_count, 1);
	assert_int_equal(made.far_count, 3);
	assert_int_equal(made.scene.meshes[0].face_count, 9);
	for (uint32_t p = 0; p < 18; p++) {
		check_near(made.scene.fields[0].values[p], p >= 9, 1e-12);
	}
	check_near(made.scene.meshes[0].points_rest[3 * 13 + 2], 0.1, 1e-12); /* on the old surface */
	/* What is as it was needs nothing. */
	check_ok(snw_remesh_make(&old, &old, NULL, arena, &made, &error), error);
	assert_int_equal(made.mesh_count, 0);
	snw_arena_destroy(arena);
}

#define TRANSFER_TEST(name) cmocka_unit_test_setup_teardown(name, open_change, close_change)

TEST_GROUP(transfer) {
	const struct CMUnitTest tests[] = {
		TRANSFER_TEST(same_character_keeps_everything_as_it_was),
		TRANSFER_TEST(joints_in_another_order_are_found_by_name),
		TRANSFER_TEST(weights_that_changed_leave_sculpts_as_sculpted),
		TRANSFER_TEST(poses_keep_their_rotations_if_a_joint_has_moved),
		TRANSFER_TEST(sculpt_follows_the_rig_and_the_rest),
		TRANSFER_TEST(clip_that_the_file_lacks_is_kept_over_the_new_rest),
		TRANSFER_TEST(other_topology_is_refused_with_the_difference),
		TRANSFER_TEST(removed_mesh_with_a_sculpt_is_refused),
		TRANSFER_TEST(removed_joint_in_use_is_refused),
		TRANSFER_TEST(points_in_another_order_are_matched_by_their_places),
		cmocka_unit_test(new_points_follow_their_own_shell_and_far_ones_are_counted),
	};
	return cmocka_run_group_tests_name("transfer", tests, NULL, NULL);
}
