/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The C player has the bits of the plain float evaluator, with each blend and under scale.
 */
#include "check.h"

#include <math.h>

#include "benchmark/benchmark.h"
#include "program/program.h"
#include "random.h"

#define SINEW_PLAYER_IMPLEMENTATION
#include "player/sinew_player.h"

enum { POINTS = 3000, SLOTS = 20, POSES = 40, SHAPES = 12, GROUPS = 3 };

typedef struct played_skin {
	snw_arena *arena;
	snw_synthetic_program subject;
	sinew_player *player;
	snw_plain_vertex *vertices;
} played_skin;

static played_skin open_skin(int32_t blend, uint32_t influences, uint32_t shapes) {
	played_skin skin = {.arena = snw_arena_create()};
	const char *problem = NULL;
	size_t count = 0;
	skin.subject = snw_synthetic_program_make(POINTS, SLOTS, blend, influences, SNW_SLOTS_RANDOM, shapes, skin.arena);
	const unsigned char *bytes = snw_player_skin_make(&skin.subject.program, shapes > 0 ? GROUPS : 0, skin.arena, &count);
	skin.player = sinew_player_open(bytes, count, &problem);
	assert_non_null(skin.player);
	skin.vertices = SNW_NEW_ARRAY(skin.arena, snw_plain_vertex, POINTS);
	for (size_t i = 0; i < 4 * (size_t)POINTS && influences == 4; i++) {
		skin.vertices[i / 4].slots[i % 4] = (uint16_t)skin.player->slots[i];
		skin.vertices[i / 4].weights[i % 4] = skin.player->weights[i];
	}
	return skin;
}

static void close_skin(played_skin *skin) {
	sinew_player_close(skin->player);
	snw_synthetic_program_destroy(&skin->subject);
	snw_arena_destroy(skin->arena);
}

static void pose_at_random(sinew_player *player, bool is_scaled, uint64_t *state) {
	for (uint32_t j = 0; j < sinew_player_joint_count(player); j++) {
		double vector[3], place[3], scale[3];
		for (int c = 0; c < 3; c++) {
			vector[c] = random_between(state, -0.6, 0.6);
			place[c] = random_between(state, -0.1, 0.1);
			scale[c] = is_scaled ? random_between(state, 0.8, 1.25) : 1;
		}
		sinew_player_set_vector(player, j, vector);
		sinew_player_set_place(player, j, place, scale);
	}
	sinew_player_evaluate(player);
}

/* The vertices at rest with the player's morph targets, one after another. */
static void shape_vertices(const played_skin *skin) {
	for (uint32_t i = 0; i < POINTS; i++) {
		for (size_t c = 0; c < 3; c++) {
			skin->vertices[i].position[c] = (float)skin->subject.program.points_rest[3 * (size_t)i + c];
		}
	}
	const snw_displacements *shapes = &skin->subject.program.rest;
	for (uint32_t k = 0; k < shapes->count; k++) {
		const float weight = (float)sinew_player_coefficient(skin->player, k);
		for (size_t at = shapes->offsets[k]; at < shapes->offsets[k + 1]; at++) {
			for (size_t c = 0; c < 3; c++) {
				skin->vertices[shapes->points[at]].position[c] += weight * (float)shapes->vectors[3 * at + c];
			}
		}
	}
}

static void check_bits(int32_t blend, bool is_scaled) {
	uint64_t state = random_seed();
	played_skin skin = open_skin(blend, 4, SHAPES);
	const sinew_player *p = skin.player;
	float played[3 * POINTS], plain[3 * POINTS], matrices[16 * (SLOTS + 1)] __attribute__((aligned(16)));
	double largest = 0;
	for (int i = 0; i < POSES; i++) {
		pose_at_random(skin.player, is_scaled, &state);
		shape_vertices(&skin);
		sinew_player_points(skin.player, 0, played, NULL);
		if (blend == SNW_BLEND_LINEAR) {
			memcpy(matrices, p->palette, sizeof matrices);
			snw_plain_linear(POINTS, skin.vertices, matrices, plain);
		} else {
			snw_plain_dual_quaternion_shortest(POINTS, skin.vertices, p->dual_quaternions, is_scaled ? p->stretches : NULL,
											   plain);
		}
		assert_memory_equal(played, plain, sizeof played);
		for (uint32_t k = 0; k < SHAPES; k++) {
			largest = fmax(largest, sinew_player_coefficient(p, k));
		}
	}
	assert_true(largest > 0.01); /* shapes were on */
	close_skin(&skin);
}

static void linear_blend_has_the_bits_of_the_plain_evaluator(void **state) {
	(void)state;
	check_bits(SNW_BLEND_LINEAR, false);
	check_bits(SNW_BLEND_LINEAR, true);
}

static void dual_quaternions_have_the_bits_of_the_plain_evaluator(void **state) {
	(void)state;
	check_bits(SNW_BLEND_DUAL_QUATERNION, false);
	check_bits(SNW_BLEND_DUAL_QUATERNION, true);
}

/* With more than four influences too, and for dual quaternions with stretches, against the equation in doubles. */
static void eight_influences_are_near_the_reference(void **state) {
	(void)state;
	static const int32_t blends[] = {SNW_BLEND_LINEAR, SNW_BLEND_DUAL_QUATERNION};
	uint64_t random = random_seed();
	float played[3 * POINTS];
	double truth[3 * POINTS];
	for (int b = 0; b < 2; b++) {
		played_skin skin = open_skin(blends[b], 8, 0);
		snw_program program = skin.subject.program;
		program.sign_rule = SNW_SIGN_SHORTEST;
		program.dual_quaternion_palette = false;
		double worst = 0;
		for (int i = 0; i < POSES; i++) {
			pose_at_random(skin.player, true, &random);
			sinew_player_points(skin.player, 0, played, NULL);
			const snw_program_input input = {.matrices = skin.player->globals};
			snw_program_reference(&program, &input, NULL, truth);
			for (size_t n = 0; n < 3 * (size_t)POINTS; n++) {
				worst = fmax(worst, fabs((double)played[n] - truth[n]) / (1 + fabs(truth[n])));
			}
		}
		print_message("blend %d: %.3g from the reference\n", blends[b], worst);
		assert_true(worst < 1e-4);
		close_skin(&skin);
	}
}

TEST_GROUP(player) {
	const struct CMUnitTest tests[] = {cmocka_unit_test(linear_blend_has_the_bits_of_the_plain_evaluator),
									   cmocka_unit_test(dual_quaternions_have_the_bits_of_the_plain_evaluator),
									   cmocka_unit_test(eight_influences_are_near_the_reference)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
