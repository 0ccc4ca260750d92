/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Motion coordinates have the distances of animation space over an affine stack, and forget how the character moves as a whole.
 */
#include "check.h"

#include "motion/motion.h"
#include "one_registry.h"
#include "pose/clip.h"
#include "pose/pose.h"
#include "sinew/algebra.h"
#include "tiny_arm.h"

typedef struct arm_motion {
	snw_scene *scene;
	snw_arena *arena;
	snw_stack *stack;
	snw_motion motion;
} arm_motion;

/* `away` moves and turns the whole arm in each pose but the rest. */
static arm_motion move_arm(bool away) {
	arm_motion m = {.scene = tiny_arm(), .arena = snw_arena_create()};
	snw_error error = {0};
	const snw_stack_options whole = {0};
	const uint32_t clip = snw_scene_find_clip(m.scene, "bend");
	uint32_t count;
	snw_pose **poses;
	check_ok(snw_stack_build(m.scene, registry, &whole, NULL, &m.stack, &error), error);
	snw_motion_choose_poses(m.scene, 1, &clip, m.arena, &count, &poses);
	for (uint32_t p = 1; p < count && away; p++) {
		const uint32_t root = m.scene->skeleton.order[0];
		const double vector[3] = {0.02 * p, 0.7, -0.01 * p};
		double rotation[4], rotated[4];
		snw_quat_from_rotation_vector(vector, rotation);
		snw_quat_multiply(rotation, poses[p]->local[root].rotation, rotated);
		memcpy(poses[p]->local[root].rotation, rotated, sizeof rotated);
		poses[p]->local[root].translation[1] += 0.1 * p;
	}
	check_ok(snw_motion_make(m.stack, m.scene, count, poses, NULL, m.arena, &m.motion, &error), error);
	return m;
}

static void end(arm_motion *m) {
	snw_stack_destroy(m->stack);
	snw_arena_destroy(m->arena);
	snw_scene_destroy(m->scene);
}

static double distance(const arm_motion *m, uint32_t a, uint32_t b) {
	double squares = 0;
	for (uint32_t i = 0; i < m->motion.axis_count; i++) {
		const double *at = m->motion.coordinates[0];
		const double apart = at[(size_t)a * m->motion.axis_count + i] - at[(size_t)b * m->motion.axis_count + i];
		squares += apart * apart;
	}
	return sqrt(squares);
}

/* sᵀ P s for s = p_a − p_b in animation space: P = E[Gᵀ G], the mean of |Σ_s T_s s_s|² over the poses. */
static double in_animation_space(const arm_motion *m, uint32_t a, uint32_t b) {
	const snw_mesh *mesh = &m->scene->meshes[0];
	const uint32_t slots = m->scene->slot_count;
	double *s = calloc(4 * (size_t)slots, sizeof *s), sum = 0;
	for (int e = 0; e < 2; e++) {
		const uint32_t point = e == 0 ? a : b;
		for (uint32_t k = mesh->influence_offsets[point]; k < mesh->influence_offsets[point + 1]; k++) {
			for (size_t c = 0; c < 4; c++) {
				const double rest = c < 3 ? mesh->points_rest[3 * (size_t)point + c] : 1;
				s[4 * (size_t)mesh->influence_slots[k] + c] += (e == 0 ? 1 : -1) * mesh->influence_weights[k] * rest;
			}
		}
	}
	for (uint32_t p = 0; p < m->motion.pose_count; p++) {
		snw_arena *arena = snw_arena_create();
		const snw_pose_view *view = snw_pose_view_make(m->scene, m->motion.poses[p], arena);
		for (size_t r = 0; r < 3; r++) {
			double x = 0;
			for (size_t i = 0; i < 4 * (size_t)slots; i++) {
				x += view->palette[12 * (i / 4) + 4 * r + i % 4] * s[i];
			}
			sum += x * x / m->motion.pose_count;
		}
		snw_arena_destroy(arena);
	}
	free(s);
	return sqrt(sum);
}

static void distances_of_an_affine_stack_are_those_of_animation_space(void **state) {
	(void)state;
	arm_motion m = move_arm(false);
	const snw_mesh *mesh = &m.scene->meshes[0];
	const double diagonal = snw_scene_diagonal(m.scene, 0);
	assert_true(m.motion.left_percent <= 0.2);
	for (uint32_t i = 0; i < 200; i++) {
		const uint32_t a = i * 37 % mesh->point_count, b = (i * 101 + 5) % mesh->point_count;
		check_near(distance(&m, a, b), in_animation_space(&m, a, b), 0.01 * diagonal);
	}
	end(&m);
}

static void a_character_that_moves_as_a_whole_has_the_same_coordinates(void **state) {
	(void)state;
	arm_motion here = move_arm(false), away = move_arm(true);
	const uint32_t count = here.scene->meshes[0].point_count;
	const double diagonal = snw_scene_diagonal(here.scene, 0);
	for (uint32_t i = 0; i < 100; i++) {
		const uint32_t a = i * 37 % count, b = (i * 101 + 5) % count;
		check_near(distance(&here, a, b), distance(&away, a, b), 1e-3 * diagonal);
	}
	end(&here);
	end(&away);
}

TEST_GROUP(motion) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distances_of_an_affine_stack_are_those_of_animation_space),
		cmocka_unit_test(a_character_that_moves_as_a_whole_has_the_same_coordinates),
	};
	(void)argc;
	(void)argv;
	return cmocka_run_group_tests(tests, open_registry, close_registry);
}
