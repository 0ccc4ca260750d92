/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skin files of synthetic programs. By itself: the tests of the player link it, and have a player of their own.
 */
#include "benchmark/benchmark.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/skin/skin_file.h"

enum { WIDEST = 8, GROUP_JOINTS = 2, CONE = 4 };

static void put_joints(snw_skin_fields *f, const snw_program *program, snw_arena *arena) {
	static const double rest[10] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1}, bind[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
	for (uint32_t s = 0; s < program->slot_count; s++) {
		snw_skin_put_name(f, SNW_SKIN_JOINT_NAMES, snw_arena_format(arena, "joint %u", s));
		snw_skin_put_integer(f, SNW_SKIN_JOINT_PARENTS, s == 0 ? SNW_NONE : s - 1);
		snw_skin_put_numbers(f, SNW_SKIN_JOINT_RESTS, rest, 10);
		snw_skin_put_integer(f, SNW_SKIN_SLOT_JOINTS, s);
		snw_skin_put_numbers(f, SNW_SKIN_SLOT_BINDS, bind, 12);
	}
}

static void put_points(snw_skin_fields *f, const snw_program *program) {
	for (uint32_t i = 0; i < program->point_count; i++) {
		const uint32_t begin = program->influence_offsets[i], count = program->influence_offsets[i + 1] - begin;
		for (size_t c = 0; c < 3; c++) {
			const float x = (float)program->points_rest[3 * (size_t)i + c];
			snw_skin_put_float(f, SNW_SKIN_POINT_RESTS, x);
			snw_skin_put_float(f, SNW_SKIN_POINT_SOURCES, x);
		}
		for (uint32_t k = 0; k < WIDEST; k++) { /* the largest weight first, which synthetic programs have last */
			const uint32_t at = begin + count - 1 - k;
			snw_skin_put_integer(f, SNW_SKIN_POINT_SLOTS, k < count ? program->influence_slots[at] : SNW_NONE);
			snw_skin_put_float(f, SNW_SKIN_POINT_WEIGHTS, k < count ? (float)program->influence_weights[at] : 0);
		}
	}
	for (uint32_t i = 0; i + 2 < program->point_count; i++) { /* a strip */
		for (uint32_t c = 0; c < 3; c++) {
			snw_skin_put_integer(f, SNW_SKIN_TRIANGLES, i + c);
		}
	}
}

static void put_morphs(snw_skin_fields *f, const snw_program *program, snw_arena *arena) {
	static const double none = 0;
	snw_skin_put_integer(f, SNW_SKIN_MORPH_MOVES, 0);
	for (uint32_t k = 0; k < program->rest.count; k++) {
		snw_skin_put_name(f, SNW_SKIN_MORPH_NAMES, snw_arena_format(arena, "shape %u", k));
		snw_skin_put_integer(f, SNW_SKIN_MORPH_MESHES, 0);
		snw_skin_put_numbers(f, SNW_SKIN_MORPH_WEIGHTS, &none, 1);
		for (size_t at = program->rest.offsets[k]; at < program->rest.offsets[k + 1]; at++) {
			snw_skin_put_integer(f, SNW_SKIN_MOVE_POINTS, program->rest.points[at]);
			for (size_t c = 0; c < 3; c++) {
				snw_skin_put_float(f, SNW_SKIN_MOVE_VECTORS, (float)program->rest.vectors[3 * at + c]);
			}
		}
		snw_skin_put_integer(f, SNW_SKIN_MORPH_MOVES, snw_skin_count(f, SNW_SKIN_MOVE_POINTS));
	}
}

static void put_group(snw_skin_fields *f, uint32_t joint, uint32_t first, uint32_t targets) {
	static const double gains[] = {1, 0.5}, place[6] = {0, 0, 0, 1, 1, 1}, zeros[GROUP_JOINTS] = {0}, width = 0.7;
	static const double axes[3 * GROUP_JOINTS] = {1, 0, 0, 1, 0, 0};
	const uint32_t head[] = {GROUP_JOINTS, targets + 1, targets, CONE, 0, 0, joint, joint + 1, 0, 0};
	const uint32_t integers = snw_skin_count(f, SNW_SKIN_DRIVE_INTEGERS), numbers = snw_skin_count(f, SNW_SKIN_DRIVE_NUMBERS);
	for (size_t i = 0; i < sizeof head / sizeof *head; i++) {
		snw_skin_put_integer(f, SNW_SKIN_DRIVE_INTEGERS, head[i]);
	}
	for (uint32_t k = 0; k < targets; k++) {
		snw_skin_put_integer(f, SNW_SKIN_DRIVE_INTEGERS, first + k);
	}
	snw_skin_put_numbers(f, SNW_SKIN_DRIVE_NUMBERS, &width, 1);
	snw_skin_put_numbers(f, SNW_SKIN_DRIVE_NUMBERS, axes, 3 * (size_t)GROUP_JOINTS);
	for (int gain = 0; gain < 4; gain++) { /* swing, twist, translation, scale */
		for (int j = 0; j < GROUP_JOINTS; j++) {
			snw_skin_put_numbers(f, SNW_SKIN_DRIVE_NUMBERS, gain < 2 ? &gains[gain] : zeros, 1);
		}
	}
	for (uint32_t c = 0; c <= targets; c++) { /* the last one is rest */
		for (uint32_t j = 0; j < GROUP_JOINTS; j++) {
			const double bend[3] = {0, j == c % GROUP_JOINTS && c < targets ? 0.4 * (c + 1) : 0, 0};
			snw_skin_put_numbers(f, SNW_SKIN_DRIVE_NUMBERS, bend, 3);
		}
	}
	for (uint32_t c = 0; c < GROUP_JOINTS * (targets + 1); c++) {
		snw_skin_put_numbers(f, SNW_SKIN_DRIVE_NUMBERS, place, 6);
	}
	for (uint32_t k = 0; k < targets; k++) {
		for (uint32_t c = 0; c <= targets; c++) {
			const double weight = k == c ? 1 : 0;
			snw_skin_put_numbers(f, SNW_SKIN_DRIVE_NUMBERS, &weight, 1);
		}
	}
	for (uint32_t k = 0; k < targets; k++) {
		snw_skin_put_numbers(f, SNW_SKIN_DRIVE_NUMBERS, zeros, 1);
	}
	const uint32_t row[] = {0, integers, snw_skin_count(f, SNW_SKIN_DRIVE_INTEGERS) - integers, numbers,
							snw_skin_count(f, SNW_SKIN_DRIVE_NUMBERS) - numbers};
	for (int i = 0; i < 5; i++) {
		snw_skin_put_integer(f, SNW_SKIN_DRIVES, row[i]);
	}
}

unsigned char *snw_player_skin_make(const snw_program *program, uint32_t group_count, snw_arena *arena, size_t *byte_count) {
	snw_skin_fields *f = snw_skin_fields_create(arena);
	put_joints(f, program, arena);
	snw_skin_put_name(f, SNW_SKIN_MESH_NAMES, "mesh");
	snw_skin_put_integer(f, SNW_SKIN_MESH_BLENDS, program->blend == SNW_BLEND_DUAL_QUATERNION ? 1 : 0);
	put_points(f, program);
	for (int end = 0; end < 2; end++) {
		snw_skin_put_integer(f, SNW_SKIN_MESH_POINTS, end ? snw_skin_count(f, SNW_SKIN_POINT_RESTS) : 0);
		snw_skin_put_integer(f, SNW_SKIN_MESH_TRIANGLES, end ? snw_skin_count(f, SNW_SKIN_TRIANGLES) : 0);
	}
	put_morphs(f, program, arena);
	for (uint32_t g = 0; g < group_count; g++) {
		const uint32_t each = program->rest.count / group_count;
		put_group(f, g * (program->slot_count - 1) / group_count, g * each, each);
	}
	char *text = NULL;
	FILE *stream = open_memstream(&text, byte_count);
	unsigned char *bytes = NULL;
	if (stream) {
		snw_skin_fields_write(f, stream);
		fclose(stream);
		bytes = snw_arena_array(arena, *byte_count, 1);
		memcpy(bytes, text, *byte_count);
		free(text);
	}
	return bytes;
}
