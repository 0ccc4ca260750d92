/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The colours of joints and their mixes: for a tail of many joints, the trial character, and meaningless weights.
 */
#include "setup.h"

#include "base/color.h"
#include "kept_registry.h"
#include "scene/scene.h"
#include "stack/stack.h"

static double apart(const double *a, const double *b) {
	double p[3], q[3], square = 0;
	snw_oklab_from_linear(a, p);
	snw_oklab_from_linear(b, q);
	for (int c = 0; c < 3; c++) {
		square += (p[c] - q[c]) * (p[c] - q[c]);
	}
	return sqrt(square);
}

/* ---- a tail ---------------------------------------------------------------------------------------------------------- */

enum { ACROSS = 4 };

/* A strip of `joints` rings of faces, each ring's points moved by the joint of their place alone (`soft`: and by the next). */
static snw_scene *make_tail(uint32_t joints, bool soft) {
	snw_scene *scene = snw_scene_create();
	snw_arena *arena = scene->arena;
	const uint32_t points = ACROSS * (joints + 1), faces = (ACROSS - 1) * joints;
	double *rest = SNW_NEW_ARRAY(arena, double, 3 * points), *weights = SNW_NEW_ARRAY(arena, double, 2 * points);
	double *binds = SNW_NEW_ARRAY(arena, double, 12 * joints);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, points + 1), *slots = SNW_NEW_ARRAY(arena, uint32_t, 2 * points);
	uint32_t *face_offsets = SNW_NEW_ARRAY(arena, uint32_t, faces + 1), *corners = SNW_NEW_ARRAY(arena, uint32_t, 4 * faces);
	uint32_t *slot_joints = SNW_NEW_ARRAY(arena, uint32_t, joints), used = 0;
	for (uint32_t i = 0; i < points; i++) {
		const uint32_t along = i / ACROSS, joint = along < joints ? along : joints - 1;
		rest[3 * i] = along;
		rest[3 * i + 1] = i % ACROSS;
		slots[used] = joint;
		weights[used++] = soft && joint + 1 < joints ? 0.5 : 1;
		if (soft && joint + 1 < joints) {
			slots[used] = joint + 1;
			weights[used++] = 0.5;
		}
		offsets[i + 1] = used;
	}
	for (uint32_t f = 0; f < faces; f++) {
		const uint32_t at = f / (ACROSS - 1) * ACROSS + f % (ACROSS - 1);
		memcpy(corners + 4 * f, (uint32_t[4]){at, at + ACROSS, at + ACROSS + 1, at + 1}, 4 * sizeof *corners);
		face_offsets[f + 1] = 4 * (f + 1);
	}
	for (uint32_t j = 0; j < joints; j++) {
		binds[12 * j] = binds[12 * j + 5] = binds[12 * j + 10] = 1;
		slot_joints[j] = joints - 1 - j; /* a slot is not its joint's number */
	}
	snw_mesh *mesh = SNW_NEW(arena, snw_mesh);
	*mesh = (snw_mesh){.name = "tail",
					   .point_count = points,
					   .points_rest = rest,
					   .face_count = faces,
					   .face_offsets = face_offsets,
					   .face_points = corners,
					   .influence_offsets = offsets,
					   .influence_slots = slots,
					   .influence_weights = weights};
	scene->meshes = mesh;
	scene->mesh_count = 1;
	scene->slot_count = joints;
	scene->slot_joints = slot_joints;
	scene->slot_inverse_binds = binds;
	const char **names = SNW_NEW_ARRAY(arena, const char *, joints);
	uint32_t *parents = SNW_NEW_ARRAY(arena, uint32_t, joints);
	snw_transform *local = SNW_NEW_ARRAY(arena, snw_transform, joints);
	for (uint32_t j = 0; j < joints; j++) {
		names[j] = snw_arena_format(arena, "j%u", j);
		parents[j] = j == 0 ? SNW_NONE : j - 1;
		local[j] = (snw_transform){.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}};
	}
	scene->skeleton = (snw_skeleton){.joint_count = joints, .names = names, .parents = parents, .rest_local = local};
	snw_error error = {0};
	check_ok(snw_skeleton_finish(&scene->skeleton, arena, &error), error);
	return scene;
}

typedef struct painted {
	snw_registry *registry;
	snw_scene *scene;
	snw_stack *stack;
	snw_arena *arena;
	snw_influence_colors colors;
	double *mixes;
} painted;

static painted paint(snw_scene *scene) {
	painted fixture = {.registry = kept_registry(), .scene = scene, .arena = snw_arena_create()};
	fixture.stack = setup_stack(scene, fixture.registry, "linear-blend");
	fixture.mixes = SNW_NEW_ARRAY(fixture.arena, double, 3 * (size_t)scene->meshes[0].point_count);
	assert_true(snw_influence_colors_choose(scene, fixture.stack, fixture.arena, &fixture.colors));
	assert_true(snw_influence_colors_mix(&fixture.colors, scene, fixture.stack, 0, fixture.mixes));
	return fixture;
}

static void drop(painted *fixture) {
	snw_stack_destroy(fixture->stack);
	snw_scene_destroy(fixture->scene);
	snw_arena_destroy(fixture->arena);
}

static void neighbours_have_colours_well_apart(void **state) {
	(void)state;
	static const uint32_t counts[] = {2, 3, 40, 500};
	for (size_t i = 0; i < 2 * sizeof counts / sizeof *counts; i++) {
		const uint32_t count = counts[i / 2];
		painted fixture = paint(make_tail(count, i % 2));
		assert_true(fixture.colors.of_skeleton);
		assert_int_equal(fixture.colors.joint_count, count);
		assert_int_equal(fixture.colors.moving_count, count);
		for (uint32_t j = 0; j < 3 * count; j++) {
			assert_true(fixture.colors.joints[j] >= 0 && fixture.colors.joints[j] <= 1);
		}
		for (uint32_t j = 0; j + 1 < count; j++) {
			assert_true(apart(fixture.colors.joints + 3 * j, fixture.colors.joints + 3 * (j + 1)) > 0.2);
			if (j + 2 < count) { /* of one face too, where weights are soft */
				assert_true(i % 2 == 0 || apart(fixture.colors.joints + 3 * j, fixture.colors.joints + 3 * (j + 2)) > 0.2);
			}
		}
		drop(&fixture);
	}
}

static void colours_of_many_joints_are_used_evenly(void **state) {
	(void)state;
	enum { COUNT = 360 };
	painted fixture = paint(make_tail(COUNT, false));
	uint32_t most = 0;
	for (uint32_t j = 0; j < COUNT; j++) {
		uint32_t alike = 0;
		for (uint32_t k = 0; k < COUNT; k++) {
			alike += apart(fixture.colors.joints + 3 * j, fixture.colors.joints + 3 * k) < 1e-9;
		}
		most = alike > most ? alike : most;
	}
	assert_true(most <= 2 * COUNT / 36);
	drop(&fixture);
}

static void point_is_the_mix_of_its_joints_colours(void **state) {
	(void)state;
	painted fixture = paint(make_tail(5, true));
	const snw_mesh *mesh = &fixture.scene->meshes[0];
	for (uint32_t i = 0; i < mesh->point_count; i++) {
		for (uint32_t c = 0; c < 3; c++) {
			double wanted = 0;
			for (uint32_t k = mesh->influence_offsets[i]; k < mesh->influence_offsets[i + 1]; k++) {
				const uint32_t joint = fixture.scene->slot_joints[mesh->influence_slots[k]];
				wanted += mesh->influence_weights[k] * fixture.colors.joints[3 * joint + c];
			}
			check_near(fixture.mixes[3 * i + c], wanted, 1e-12);
		}
	}
	double *skin = SNW_NEW_ARRAY(fixture.arena, double, 3 * (size_t)mesh->point_count);
	snw_influence_colors_mix_skin(&fixture.colors, fixture.scene, mesh, skin);
	assert_memory_equal(skin, fixture.mixes, 3 * (size_t)mesh->point_count * sizeof *skin);
	drop(&fixture);
}

static void weights_below_zero_count_as_none(void **state) {
	(void)state;
	snw_scene *scene = make_tail(3, true);
	double *weights = (double *)(uintptr_t)scene->meshes[0].influence_weights;
	weights[0] = -0.5;
	weights[1] = 1.5;
	painted fixture = paint(scene);
	const double *pure = fixture.colors.joints + 3 * (size_t)scene->slot_joints[1];
	for (int c = 0; c < 3; c++) {
		check_near(fixture.mixes[c], pure[c], 1e-12);
	}
	drop(&fixture);
}

static void same_stack_has_the_same_colours(void **state) {
	(void)state;
	painted one = paint(make_tail(70, true)), two = paint(make_tail(70, true)), other = paint(make_tail(71, true));
	assert_memory_equal(one.colors.joints, two.colors.joints, 3 * 70 * sizeof(double));
	assert_true(snw_influence_colors_fit(&one.colors, two.scene, two.stack));
	assert_false(snw_influence_colors_fit(&one.colors, other.scene, other.stack));
	assert_false(snw_influence_colors_fit(&(snw_influence_colors){0}, one.scene, one.stack));
	drop(&one);
	drop(&two);
	drop(&other);
}

static void mesh_without_faces_or_skin_is_no_trouble(void **state) {
	(void)state;
	snw_scene *scene = make_tail(6, true);
	snw_mesh *mesh = (snw_mesh *)(uintptr_t)&scene->meshes[0];
	mesh->face_count = 0;
	painted fixture = paint(scene);
	assert_true(apart(fixture.colors.joints, fixture.colors.joints + 3) > 0.2);
	snw_stack_destroy(fixture.stack);
	mesh->influence_offsets = mesh->influence_slots = NULL;
	mesh->influence_weights = NULL;
	fixture.stack = setup_stack(scene, fixture.registry, NULL);
	snw_influence_colors none;
	assert_false(snw_influence_colors_choose(scene, fixture.stack, fixture.arena, &none));
	assert_false(snw_influence_colors_mix(&fixture.colors, scene, fixture.stack, 0, fixture.mixes));
	drop(&fixture);
}

/* ---- colours by themselves ------------------------------------------------------------------------------------------- */

static void oklab_equals_its_definition(void **state) {
	(void)state;
	static const struct {
		double linear[3], lab[3];
	} rows[] = {{{1, 1, 1}, {1, 0, 0}},
				{{1, 0, 0}, {0.6279554, 0.2248631, 0.1258463}},
				{{0, 0, 1}, {0.4520137, -0.0324570, -0.3115281}},
				{{0, 0, 0}, {0, 0, 0}}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double lab[3], back[3];
		snw_oklab_from_linear(rows[i].linear, lab);
		snw_linear_from_oklab(lab, back);
		for (int c = 0; c < 3; c++) {
			check_near(lab[c], rows[i].lab[c], 1e-4);
			check_near(back[c], rows[i].linear[c], 1e-5);
		}
	}
}

static void colour_of_a_hue_is_as_strong_as_a_screen_shows(void **state) {
	(void)state;
	for (int i = 0; i < 50; i++) {
		double linear[3], lab[3];
		snw_color_of_hue(0.7, i / 50.0, 0.5, linear);
		snw_oklab_from_linear(linear, lab);
		check_near(lab[0], 0.7, 1e-4);
		assert_true(hypot(lab[1], lab[2]) > 0.1);
		double nearest = 1; /* to the ends of what a screen can show */
		for (int c = 0; c < 3; c++) {
			nearest = fmin(nearest, fmin(linear[c], 1 - linear[c]));
		}
		assert_true(nearest >= 0 && nearest < 1e-4);
	}
}

TEST_GROUP(influence_colors) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(neighbours_have_colours_well_apart),
		cmocka_unit_test(colours_of_many_joints_are_used_evenly),
		cmocka_unit_test(point_is_the_mix_of_its_joints_colours),
		cmocka_unit_test(weights_below_zero_count_as_none),
		cmocka_unit_test(same_stack_has_the_same_colours),
		cmocka_unit_test(mesh_without_faces_or_skin_is_no_trouble),
		cmocka_unit_test(oklab_equals_its_definition),
		cmocka_unit_test(colour_of_a_hue_is_as_strong_as_a_screen_shows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
