/* SPDX-License-Identifier: MIT
 *
 * The C player, for tests and as an example:
 *
 *     player play FILE.snwskin JOINT…     poses on standard input, what they make of the file on standard output
 *     player fuzz FILE.snwskin SEED N     damages the file N times; whatever is still opened is played
 *
 * A pose is nine doubles for each named joint: the rotation vector away from rest, translation, scale. The answer, doubles:
 * the coefficients and the local matrices of helper joints of each pose; the points and normals of the first mesh at the last.
 */
#define SINEW_PLAYER_IMPLEMENTATION
#include "sinew_player.h"

#include <stdio.h>

static unsigned char *read_file(const char *path, size_t *count) {
	FILE *file = fopen(path, "rb");
	unsigned char *bytes = NULL;
	if (file && fseek(file, 0, SEEK_END) == 0) {
		*count = (size_t)ftell(file);
		rewind(file);
		bytes = malloc(*count + 1);
		*count = bytes ? fread(bytes, 1, *count, file) : 0;
	}
	if (file) {
		fclose(file);
	}
	return bytes;
}

static void put(const double *numbers, size_t count) {
	fwrite(numbers, sizeof *numbers, count, stdout);
}

static void answer(sinew_player *player) {
	sinew_player_evaluate(player);
	for (uint32_t k = 0; k < sinew_player_coefficient_count(player); k++) {
		const double value = sinew_player_coefficient(player, k);
		put(&value, 1);
	}
	for (uint32_t j = 0; j < sinew_player_joint_count(player); j++) {
		if (sinew_player_joint_is_helper(player, j)) {
			put(sinew_player_joint_local(player, j), 12);
		}
	}
}

static void answer_points(sinew_player *player, float *points, float *normals) {
	const size_t count = 3 * (size_t)sinew_player_point_count(player, 0);
	sinew_player_points(player, 0, points, normals);
	for (size_t i = 0; i < 2 * count; i++) {
		const double value = (double)(i < count ? points[i] : normals[i - count]);
		put(&value, 1);
	}
}

static int play(sinew_player *player, char **joints, int joint_count) {
	const size_t count = 3 * (size_t)sinew_player_point_count(player, 0) + 1;
	float *points = malloc(count * sizeof *points), *normals = malloc(count * sizeof *normals);
	double numbers[9];
	for (int next = 0; points && normals && fread(numbers, sizeof numbers, 1, stdin) == 1; next++) {
		const uint32_t joint = sinew_player_find_joint(player, joints[next % joint_count]);
		sinew_player_set_vector(player, joint, numbers);
		sinew_player_set_place(player, joint, numbers + 3, numbers + 6);
		if (next % joint_count == joint_count - 1) {
			answer(player);
		}
	}
	if (points && normals) {
		answer_points(player, points, normals);
	}
	free(points);
	free(normals);
	return 0;
}

/* All that can be asked of a file that was opened. */
static void play_damaged(sinew_player *player) {
	for (uint32_t j = 0; j < sinew_player_joint_count(player); j++) {
		const double angle = 0.1 * j, vector[3] = {angle, 1, -angle};
		sinew_player_set_vector(player, j, vector);
	}
	sinew_player_evaluate(player);
	for (uint32_t m = 0; m < sinew_player_mesh_count(player); m++) {
		const size_t count = 3 * (size_t)sinew_player_point_count(player, m) + 1;
		float *points = malloc(2 * count * sizeof *points);
		if (points) {
			sinew_player_points(player, m, points, points + count);
		}
		free(points);
	}
}

static int fuzz(const unsigned char *bytes, size_t count, uint64_t random, int rounds) {
	unsigned char *damaged = malloc(count);
	int opened = 0;
	for (int i = 0; i < rounds && damaged; i++) {
		const char *problem;
		size_t length = count;
		memcpy(damaged, bytes, count);
		for (int n = 0; n < 1 + i % 4; n++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			const size_t place = (size_t)(random >> 20) % (n == 0 && i % 2 ? 1024 : count);
			damaged[place % count] = (unsigned char)(random >> 12);
			length = random % 16 == 0 ? (size_t)(random >> 24) % count : length;
		}
		sinew_player *player = sinew_player_open(damaged, length, &problem);
		if (player) {
			opened++;
			play_damaged(player);
		}
		sinew_player_close(player);
	}
	free(damaged);
	printf("%d of %d opened\n", opened, rounds);
	return 0;
}

int main(int argument_count, char **arguments) {
	const char *problem = "its bytes cannot be read";
	size_t count = 0;
	int status = 1;
	if (argument_count < 4) {
		return 2;
	}
	unsigned char *bytes = read_file(arguments[2], &count);
	sinew_player *player = bytes ? sinew_player_open(bytes, count, &problem) : NULL;
	if (!player) {
		fprintf(stderr, "%s: %s\n", arguments[2], problem);
	} else if (strcmp(arguments[1], "play") == 0) {
		status = play(player, arguments + 3, argument_count - 3);
	} else {
		status = argument_count > 4 ? fuzz(bytes, count, (uint64_t)atoll(arguments[3]), atoi(arguments[4])) : 2;
	}
	sinew_player_close(player);
	free(bytes);
	return status;
}
