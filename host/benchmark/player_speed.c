/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times the C player beside the plain kernel, which is compiled with the same flags, and a crowd of players.
 */
#include <math.h>
#include <string.h>

#include "benchmark/benchmark.h"
#include "sinew/kit/clock.h"

#define SINEW_PLAYER_IMPLEMENTATION
#include "player/sinew_player.h"

enum {
	INFLUENCES = 4,
	SLOTS = 60,
	LEAST_ROUNDS = 5,
	MEMBERS = 100,
	GROUPS = 6,
	TARGETS = 5,
	MEMBER_POINTS = 5000,
	MEMBER_SLOTS = 24
};

static snw_status open_player(const unsigned char *bytes, size_t count, sinew_player **player, snw_error *error) {
	const char *problem = "memory is out";
	*player = bytes ? sinew_player_open(bytes, count, &problem) : NULL;
	return *player ? SNW_OK : snw_fail(error, SNW_ERROR_MEMORY, "the player does not open a skin file: %s", problem);
}

/* A pose that no other member has. */
static void pose_player(sinew_player *player, uint32_t member) {
	for (uint32_t j = 0; j < sinew_player_joint_count(player); j++) {
		const double angle = 0.02 + 0.3 * sin(member + 0.7 * j), vector[3] = {0.1 * angle, angle, 0.2 * angle};
		sinew_player_set_vector(player, j, vector);
	}
}

static void run_plain_kernel(const sinew_player *player, const snw_plain_vertex *vertices, const float *matrices,
							 float *points) {
	const uint32_t count = sinew_player_point_count(player, 0);
	if (player->blends[0] == SINEW_PLAYER_BLEND_DUAL_QUATERNION) {
		snw_plain_dual_quaternion_shortest(count, vertices, player->dual_quaternions, NULL, points);
	} else {
		snw_plain_linear(count, vertices, matrices, points);
	}
}

static snw_status bench_blend(uint32_t point_count, int32_t blend, double seconds, snw_bench_player_row *row,
							  snw_error *error) {
	snw_arena *arena = snw_arena_create();
	snw_synthetic_program subject =
		snw_synthetic_program_make(point_count, SLOTS, blend, INFLUENCES, SNW_SLOTS_SHARED, 0, arena);
	const snw_plain_vertex *vertices = snw_plain_vertices(&subject.program, arena);
	size_t byte_count = 0;
	float matrices[16 * (SLOTS + 1)] __attribute__((aligned(16))) = {0};
	sinew_player *player = NULL;
	const unsigned char *bytes = snw_player_skin_make(&subject.program, 0, arena, &byte_count);
	const snw_status status = open_player(bytes, byte_count, &player, error);
	*row = (snw_bench_player_row){.blend = blend == SNW_BLEND_LINEAR ? "linear" : "dual quaternions",
								  .points = point_count,
								  .plain_seconds = INFINITY,
								  .player_seconds = INFINITY};
	if (player) {
		pose_player(player, 0);
		sinew_player_evaluate(player);
		memcpy(matrices, player->palette, sizeof matrices);
	}
	const double begin = snk_clock_seconds();
	for (uint32_t i = 0; player && (i < LEAST_ROUNDS || snk_clock_seconds() - begin < seconds); i++) {
		const double before = snk_clock_thread_seconds();
		run_plain_kernel(player, vertices, matrices, subject.points);
		const double between = snk_clock_thread_seconds();
		sinew_player_points(player, 0, subject.points, NULL);
		const double after = snk_clock_thread_seconds();
		row->plain_seconds = fmin(row->plain_seconds, between - before);
		row->player_seconds = fmin(row->player_seconds, after - between);
	}
	row->ratio = row->plain_seconds / row->player_seconds;
	sinew_player_close(player);
	snw_synthetic_program_destroy(&subject);
	snw_arena_destroy(arena);
	return status;
}

static void time_crowd(sinew_player *const *players, double seconds, float *points, snw_bench_player_crowd *crowd) {
	const double begin = snk_clock_seconds();
	for (uint32_t i = 0; i < LEAST_ROUNDS || snk_clock_seconds() - begin < seconds; i++) {
		const double before = snk_clock_thread_seconds();
		for (uint32_t m = 0; m < MEMBERS; m++) {
			pose_player(players[m], m + i);
			sinew_player_evaluate(players[m]);
		}
		const double between = snk_clock_thread_seconds();
		for (uint32_t m = 0; m < MEMBERS; m++) {
			sinew_player_points(players[m], 0, points, points + 3 * (size_t)MEMBER_POINTS);
		}
		const double after = snk_clock_thread_seconds();
		crowd->pose_seconds = fmin(crowd->pose_seconds, between - before);
		crowd->points_seconds = fmin(crowd->points_seconds, after - between);
	}
}

static snw_status bench_members(double seconds, snw_bench_player_crowd *crowd, snw_error *error) {
	snw_arena *arena = snw_arena_create();
	snw_synthetic_program subject = snw_synthetic_program_make(MEMBER_POINTS, MEMBER_SLOTS, SNW_BLEND_LINEAR, INFLUENCES,
															   SNW_SLOTS_SHARED, GROUPS * TARGETS, arena);
	float *points = SNW_NEW_ARRAY(arena, float, 6 * (size_t)MEMBER_POINTS);
	sinew_player *players[MEMBERS] = {NULL};
	size_t byte_count = 0;
	const unsigned char *bytes = snw_player_skin_make(&subject.program, GROUPS, arena, &byte_count);
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < MEMBERS && !snw_failed(status); m++) {
		status = open_player(bytes, byte_count, &players[m], error);
	}
	*crowd = (snw_bench_player_crowd){.members = MEMBERS,
									  .groups = GROUPS,
									  .joints = MEMBER_SLOTS,
									  .coefficients = GROUPS * TARGETS,
									  .points = MEMBER_POINTS,
									  .pose_seconds = INFINITY,
									  .points_seconds = INFINITY};
	if (!snw_failed(status)) {
		time_crowd(players, seconds, points, crowd);
	}
	for (uint32_t m = 0; m < MEMBERS; m++) {
		sinew_player_close(players[m]);
	}
	snw_synthetic_program_destroy(&subject);
	snw_arena_destroy(arena);
	return status;
}

snw_status snw_bench_player_run(uint32_t point_count, double seconds, const snw_task *task, snw_bench_player *bench,
								snw_error *error) {
	static const int32_t blends[] = {SNW_BLEND_LINEAR, SNW_BLEND_DUAL_QUATERNION};
	snw_status status = SNW_OK;
	for (uint32_t i = 0; i < 3 && !snw_failed(status); i++) {
		if (!snw_task_progress(task, i / 3.0, "timing the C player")) {
			return snw_fail(error, SNW_CANCELLED, "the benchmark was cancelled");
		}
		status = i < 2 ? bench_blend(point_count, blends[i], seconds, &bench->rows[i], error)
					   : bench_members(seconds, &bench->crowd, error);
	}
	return status;
}
