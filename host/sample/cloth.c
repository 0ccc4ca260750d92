/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sample cloth: a square sheet that hangs by two corners and swings in gusts of wind, by a small mass-spring simulation:
 * positions by Verlet integration, then corrections of the springs' lengths (Jakobsen 2001). The springs are visited in a
 * fixed order, so the sequence is the same on every machine.
 */
#include "sample/makers.h"

#include <math.h>

#include "pose/clip_times.h"

void snw_grid_faces(uint32_t columns, uint32_t rows, snw_arena *arena, snw_mesh *mesh) {
	static const uint32_t order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
	const uint32_t quads = (columns - 1) * (rows - 1);
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, (size_t)quads + 1);
	uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, (size_t)4 * quads);
	float *uvs = SNW_NEW_ARRAY(arena, float, (size_t)8 * quads);
	uint32_t corner = 0;
	for (uint32_t face = 0; face < quads; face++) {
		for (int c = 0; c < 4; c++, corner++) {
			const uint32_t column = face % (columns - 1) + order[c][0], row = face / (columns - 1) + order[c][1];
			points[corner] = row * columns + column;
			uvs[(size_t)2 * corner] = (float)column / (float)(columns - 1);
			uvs[(size_t)2 * corner + 1] = (float)row / (float)(rows - 1);
		}
		offsets[face + 1] = corner;
	}
	mesh->face_count = quads;
	mesh->face_offsets = offsets;
	mesh->face_points = points;
	mesh->corner_uvs = uvs;
}

enum { SIDE = 41, POINTS = SIDE * SIDE, CLOTH_FRAMES = 60, STEPS = 8, SWEEPS = 12 };
static const double cloth_width = 1.0;

typedef struct cloth {
	double current[POINTS][3], before[POINTS][3];
} cloth;

static uint32_t at(uint32_t column, uint32_t row) {
	return row * SIDE + column;
}

/* It hangs in the plane z = 0 from y = 1 down. */
static void place_rest(double (*points)[3]) {
	for (uint32_t row = 0; row < SIDE; row++) {
		for (uint32_t column = 0; column < SIDE; column++) {
			double *point = points[at(column, row)];
			point[0] = cloth_width * ((double)column / (SIDE - 1) - 0.5);
			point[1] = cloth_width * (1 - (double)row / (SIDE - 1));
			point[2] = 0;
		}
	}
}

static int is_pinned(uint32_t point) {
	return point == at(0, 0) || point == at(SIDE - 1, 0);
}

static void pull(cloth *c, uint32_t a, uint32_t b, double rest_length) {
	double gap[3], squared = 0;
	for (int k = 0; k < 3; k++) {
		gap[k] = c->current[b][k] - c->current[a][k];
		squared += gap[k] * gap[k];
	}
	const double share_a = is_pinned(a) ? 0 : is_pinned(b) ? 1 : 0.5, share_b = is_pinned(b) ? 0 : 1 - share_a;
	const double stretch = 1 - rest_length / sqrt(squared);
	for (int k = 0; k < 3; k++) {
		c->current[a][k] += share_a * stretch * gap[k];
		c->current[b][k] -= share_b * stretch * gap[k];
	}
}

static void pull_all(cloth *c) {
	/* Along, across, and the two diagonals against shear. */
	static const int steps[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
	const double spacing = cloth_width / (SIDE - 1);
	for (int s = 0; s < 4; s++) {
		const double rest_length = spacing * (steps[s][0] && steps[s][1] ? sqrt(2) : 1);
		for (int row = 0; row + steps[s][1] < SIDE; row++) {
			for (int column = steps[s][0] < 0 ? 1 : 0; column + steps[s][0] < SIDE; column++) {
				pull(c, at((uint32_t)column, (uint32_t)row),
					 at((uint32_t)(column + steps[s][0]), (uint32_t)(row + steps[s][1])), rest_length);
			}
		}
	}
}

static void advance(cloth *c, double seconds, double step) {
	for (uint32_t i = 0; i < POINTS; i++) {
		if (is_pinned(i)) {
			continue;
		}
		const double gust = 5 * sin(2.1 * seconds) + 3 * sin(5.3 * seconds + 4 * c->current[i][0]);
		const double acceleration[3] = {0, -9.81, gust};
		for (int k = 0; k < 3; k++) {
			const double drift = 0.995 * (c->current[i][k] - c->before[i][k]);
			c->before[i][k] = c->current[i][k];
			c->current[i][k] += drift + acceleration[k] * step * step;
		}
	}
	for (int sweep = 0; sweep < SWEEPS; sweep++) {
		pull_all(c);
	}
}

snw_status snw_sample_make_cloth(snw_scene *scene, snw_error *error) {
	(void)error;
	snw_mesh *mesh = SNW_NEW(scene->arena, snw_mesh);
	double(*rest)[3] = snw_arena_array(scene->arena, POINTS, sizeof *rest);
	cloth *c = SNW_NEW(scene->arena, cloth);
	double *seconds = SNW_NEW_ARRAY(scene->arena, double, CLOTH_FRAMES);
	float *points = SNW_NEW_ARRAY(scene->arena, float, (size_t)3 * POINTS * CLOTH_FRAMES);
	place_rest(rest);
	place_rest(c->current);
	place_rest(c->before);
	mesh->name = "cloth";
	mesh->point_count = POINTS;
	mesh->points_rest = rest[0];
	snw_grid_faces(SIDE, SIDE, scene->arena, mesh);
	for (uint32_t f = 0; f < CLOTH_FRAMES; f++) {
		seconds[f] = f / SNW_SAMPLE_FRAMES_PER_SECOND;
		for (uint32_t i = 0; i < 3 * POINTS; i++) {
			points[(size_t)f * 3 * POINTS + i] = (float)c->current[i / 3][i % 3];
		}
		for (int s = 0; s < STEPS; s++) {
			const double step = 1 / (SNW_SAMPLE_FRAMES_PER_SECOND * STEPS);
			advance(c, seconds[f] + s * step, step);
		}
	}
	snw_target *sequence = SNW_NEW(scene->arena, snw_target);
	*sequence =
		(snw_target){.name = "wind", .clip = SNW_NONE, .frame_count = CLOTH_FRAMES, .seconds = seconds, .points_posed = points};
	scene->mesh_count = 1;
	scene->meshes = mesh;
	scene->target_count = 1;
	scene->targets = sequence;
	snw_scene_clip_sequences(scene);
	return SNW_OK;
}
