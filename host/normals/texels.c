/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * UVs are rounded to a 256th of a sample, so that whether a sample is in a triangle is found in whole numbers: of two triangles
 * at an edge, one has each sample.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "mesh/mesh.h"
#include "normals/normals_internal.h"
#include "scene/scene.h"
#include "sinew/algebra.h"
#include "task/task.h"

/* ---- texels -------------------------------------------------------------------------------------------------------------- */

enum { NM_TILE_SAMPLES = 256 };

enum { FINE = 256, BAND = 64, TILE = 16, TRIANGLE_GRAIN = 4, GROWN = 16 };

/* A triangle in 256ths of samples, its corners counterclockwise as seen with v down. */
typedef struct flat {
	int64_t x[3], y[3];
	int64_t area;              /* doubled; 0: it covers nothing */
	int32_t least[2], most[2]; /* samples, both included; from 0 to twice the side */
	bool is_turned;            /* the second and third corner are exchanged */
} flat;

typedef struct drawing {
	int32_t side; /* samples */
	uint32_t count;
	flat *flats;
	nm_fill *fill;
	void *context;
	int32_t begin;                  /* of the band, rows of samples */
	uint32_t *owners;               /* [BAND][side]: triangles; SNW_NONE */
	bool *is_shared;                /* [BAND][side]: several triangles cover it */
	float (*normals)[3];            /* [BAND][side] */
	uint32_t *listed, listed_count; /* triangles in the band */
	nm_texels *texels;
	unsigned char *is_covered; /* [size][size] */
} drawing;

static int64_t floor_division(int64_t a, int64_t b) {
	return a / b - (a % b < 0);
}

static flat make_flat(const float uvs[3][2], int32_t side) {
	flat made = {0};
	int64_t *axes[2] = {made.x, made.y};
	for (int axis = 0; axis < 2; axis++) {
		int64_t least = INT64_MAX, most = INT64_MIN;
		for (int k = 0; k < 3; k++) {
			axes[axis][k] = llround((double)uvs[k][axis] * side * FINE);
			least = axes[axis][k] < least ? axes[axis][k] : least;
			most = axes[axis][k] > most ? axes[axis][k] : most;
		}
		const int64_t square = floor_division(least, (int64_t)side * FINE) * side * FINE;
		for (int k = 0; k < 3; k++) {
			axes[axis][k] -= square;
		}
		made.least[axis] = (int32_t)floor_division(least - square, FINE);
		made.most[axis] = (int32_t)floor_division(most - square, FINE);
	}
	made.area = (made.x[1] - made.x[0]) * (made.y[2] - made.y[0]) - (made.y[1] - made.y[0]) * (made.x[2] - made.x[0]);
	if (made.area < 0) {
		const int64_t x = made.x[1], y = made.y[1];
		made.x[1] = made.x[2];
		made.y[1] = made.y[2];
		made.x[2] = x;
		made.y[2] = y;
		made.area = -made.area;
		made.is_turned = true;
	}
	return made;
}

/* Whether the middle of a sample is in the triangle; then the shares of the second and third corner. */
static bool contains(const flat *f, int32_t x, int32_t y, double shares[2]) {
	const int64_t px = (int64_t)x * FINE + FINE / 2, py = (int64_t)y * FINE + FINE / 2;
	int64_t sides[3];
	for (int k = 0; k < 3; k++) {
		const int next = (k + 1) % 3;
		const int64_t dx = f->x[next] - f->x[k], dy = f->y[next] - f->y[k];
		sides[k] = dx * (py - f->y[k]) - dy * (px - f->x[k]);
		if (sides[k] < 0 || (sides[k] == 0 && !(dy > 0 || (dy == 0 && dx > 0)))) {
			return false;
		}
	}
	shares[f->is_turned] = (double)sides[2] / (double)f->area;
	shares[!f->is_turned] = (double)sides[0] / (double)f->area;
	return true;
}

static int32_t greater(int32_t a, int32_t b) {
	return a > b ? a : b;
}

static int32_t lesser(int32_t a, int32_t b) {
	return a < b ? a : b;
}

/* Rows of the triangle in the band, where it goes on in the next square if `square` is 1. */
static bool rows_in_band(const drawing *d, const flat *f, int32_t square, int32_t rows[2]) {
	rows[0] = greater(f->least[1], d->begin + square * d->side);
	rows[1] = lesser(f->most[1], lesser(d->begin + BAND, d->side) - 1 + square * d->side);
	return f->area > 0 && rows[0] <= rows[1];
}

static size_t place_of(const drawing *d, int32_t x, int32_t y) {
	return (size_t)(y % d->side - d->begin) * (size_t)d->side + (size_t)(x % d->side);
}

static void find_owners(drawing *d) {
	double shares[2];
	memset(d->owners, 0xFF, (size_t)BAND * (size_t)d->side * sizeof *d->owners); /* SNW_NONE */
	memset(d->is_shared, 0, (size_t)BAND * (size_t)d->side * sizeof *d->is_shared);
	d->listed_count = 0;
	for (uint32_t t = 0; t < d->count; t++) {
		const flat *f = &d->flats[t];
		bool is_listed = false;
		for (int32_t square = 0; square < 2; square++) {
			int32_t rows[2];
			if (!rows_in_band(d, f, square, rows)) {
				continue;
			}
			for (int32_t y = rows[0]; y <= rows[1]; y++) {
				for (int32_t x = f->least[0]; x <= f->most[0]; x++) {
					if (contains(f, x, y, shares)) {
						const size_t place = place_of(d, x, y);
						const bool is_free = d->owners[place] == SNW_NONE;
						d->texels->overlapping += !is_free && !d->is_shared[place];
						d->is_shared[place] = !is_free;
						d->owners[place] = is_free ? t : d->owners[place];
						is_listed = true;
					}
				}
			}
		}
		if (is_listed) {
			d->listed[d->listed_count++] = t;
		}
	}
}

static void fill_tile(const drawing *d, uint32_t triangle, const int32_t least[2], const int32_t most[2], snw_arena *scratch) {
	double shares[NM_TILE_SAMPLES][2];
	float normals[NM_TILE_SAMPLES][3];
	size_t places[NM_TILE_SAMPLES];
	uint32_t count = 0;
	for (int32_t y = least[1]; y <= most[1]; y++) {
		for (int32_t x = least[0]; x <= most[0]; x++) {
			if (d->owners[place_of(d, x, y)] == triangle && contains(&d->flats[triangle], x, y, shares[count])) {
				places[count++] = place_of(d, x, y);
			}
		}
	}
	if (count > 0) {
		d->fill(d->context, triangle, count, (const double(*)[2])shares, normals, scratch);
	}
	for (uint32_t i = 0; i < count; i++) {
		memcpy(d->normals[places[i]], normals[i], sizeof normals[i]);
	}
}

static void fill_triangles(void *argument, uint32_t begin, uint32_t end, uint32_t thread) {
	const drawing *d = argument;
	snw_arena *scratch = snw_arena_create();
	(void)thread;
	for (uint32_t i = begin; i < end; i++) {
		const flat *f = &d->flats[d->listed[i]];
		for (int32_t square = 0; square < 2; square++) {
			int32_t rows[2];
			if (!rows_in_band(d, f, square, rows)) {
				continue;
			}
			for (int32_t y = rows[0]; y <= rows[1]; y += TILE) {
				for (int32_t x = f->least[0]; x <= f->most[0]; x += TILE) {
					const int32_t least[2] = {x, y};
					const int32_t most[2] = {lesser(x + TILE - 1, f->most[0]), lesser(y + TILE - 1, rows[1])};
					fill_tile(d, d->listed[i], least, most, scratch);
				}
			}
		}
	}
	snw_arena_destroy(scratch);
}

/* ---- texels -------------------------------------------------------------------------------------------------------------- */

static void put_normal(const float sum[3], unsigned char *pixel) {
	const float size = sqrtf(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
	for (int c = 0; c < 3; c++) {
		const float unit = size > 0 ? sum[c] / size : c == 2 ? 1.0F : 0.0F;
		pixel[c] = (unsigned char)lrintf((0.5F * unit + 0.5F) * 255);
	}
}

static void take_texels(const drawing *d) {
	const uint32_t size = d->texels->size;
	for (int32_t row = d->begin; row < lesser(d->begin + BAND, d->side); row += 2) {
		for (int32_t x = 0; x < d->side; x += 2) {
			float sum[3] = {0};
			uint32_t count = 0;
			for (int32_t k = 0; k < 4; k++) {
				const size_t place = place_of(d, x + k % 2, row + k / 2);
				for (int c = 0; c < 3 && d->owners[place] != SNW_NONE; c++) {
					sum[c] += d->normals[place][c];
				}
				count += d->owners[place] != SNW_NONE;
			}
			const size_t texel = (size_t)(row / 2) * size + (size_t)(x / 2);
			d->texels->covered += count;
			d->is_covered[texel] = count > 0;
			put_normal(sum, d->texels->pixels + 3 * texel);
		}
	}
}

/* The mean of the neighbours that have a normal; false without any. The texture repeats. */
static bool mean_around(const drawing *d, uint32_t x, uint32_t y, unsigned char *pixel) {
	const uint32_t size = d->texels->size;
	float sum[3] = {0};
	uint32_t count = 0;
	for (uint32_t k = 0; k < 9; k++) {
		const size_t texel = (size_t)((y + size + k / 3 - 1) % size) * size + (x + size + k % 3 - 1) % size;
		if (d->is_covered[texel] == 1) {
			for (int c = 0; c < 3; c++) {
				sum[c] += (float)d->texels->pixels[3 * texel + (size_t)c] - 127.5F;
			}
			count++;
		}
	}
	if (count > 0) {
		put_normal(sum, pixel);
	}
	return count > 0;
}

/* A ring of texels around what is covered. */
static void grow(const drawing *d) {
	const uint32_t size = d->texels->size;
	for (uint32_t y = 0; y < size; y++) {
		for (uint32_t x = 0; x < size; x++) {
			const size_t texel = (size_t)y * size + x;
			if (!d->is_covered[texel] && mean_around(d, x, y, d->texels->pixels + 3 * texel)) {
				d->is_covered[texel] = 2; /* from the next ring on */
			}
		}
	}
	for (size_t texel = 0; texel < (size_t)size * size; texel++) {
		d->is_covered[texel] = d->is_covered[texel] != 0;
	}
}

snw_status nm_texels_draw(uint32_t size, uint32_t count, const float (*uvs)[3][2], nm_fill *fill, void *context,
						  const snw_task *task, snw_arena *arena, nm_texels *texels, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	const size_t samples = (size_t)BAND * 2 * size;
	*texels = (nm_texels){.size = size, .pixels = SNW_NEW_ARRAY(arena, unsigned char, 3 * (size_t)size * size)};
	drawing d = {.side = (int32_t)(2 * size),
				 .count = count,
				 .flats = SNW_NEW_ARRAY(scratch, flat, count),
				 .fill = fill,
				 .context = context,
				 .owners = SNW_NEW_ARRAY(scratch, uint32_t, samples),
				 .is_shared = SNW_NEW_ARRAY(scratch, bool, samples),
				 .normals = snw_arena_array(scratch, samples, sizeof *d.normals),
				 .listed = SNW_NEW_ARRAY(scratch, uint32_t, count),
				 .texels = texels,
				 .is_covered = SNW_NEW_ARRAY(scratch, unsigned char, (size_t)size *size)};
	for (uint32_t t = 0; t < count; t++) {
		d.flats[t] = make_flat(uvs[t], d.side);
	}
	snw_status status = SNW_OK;
	for (d.begin = 0; d.begin < d.side && !snw_failed(status); d.begin += BAND) {
		find_owners(&d);
		snw_parallel_for(d.listed_count, TRIANGLE_GRAIN, fill_triangles, &d);
		take_texels(&d);
		if (!snw_task_progress(task, (double)(d.begin + BAND) / d.side, "drawing the normal map")) {
			status = snw_fail(error, SNW_CANCELLED, "baking normals was cancelled");
		}
	}
	for (int ring = 0; ring < GROWN && !snw_failed(status); ring++) {
		grow(&d);
	}
	snw_arena_destroy(scratch);
	return status;
}

/* ---- frames -------------------------------------------------------------------------------------------------------------- */

enum { VERTEX_GRAIN = 256 };

static float *rest_points(const snw_mesh *mesh, snw_arena *arena) {
	float *points = SNW_NEW_ARRAY(arena, float, 3 * (size_t)mesh->point_count);
	for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
		points[i] = (float)mesh->points_rest[i];
	}
	return points;
}

float *nm_rest_normals(const snw_mesh *mesh, snw_arena *arena) {
	const size_t size = 3 * (size_t)mesh->face_offsets[mesh->face_count];
	if (mesh->corner_normals) {
		return snw_arena_copy(arena, mesh->corner_normals, size * sizeof(float));
	}
	float *normals = SNW_NEW_ARRAY(arena, float, size);
	snw_arena *scratch = snw_arena_create();
	snw_normal_plan *plan = snw_normal_plan_create(mesh);
	snw_normals_of_corners(plan, rest_points(mesh, scratch), normals);
	snw_normal_plan_destroy(plan);
	snw_arena_destroy(scratch);
	return normals;
}

static nm_frames begin(const snw_mesh *mesh, const float *tangents, uint32_t pose_count, snw_arena *arena) {
	snw_mesh drawn = *mesh;
	drawn.corner_uvs = drawn.corner_colors = NULL;
	drawn.corner_tangents = tangents;
	nm_frames made = {.pose_count = pose_count};
	snw_vertices_split(&drawn, arena, &made.vertices);
	const uint32_t count = made.vertices.count;
	made.normals = SNW_NEW_ARRAY(arena, float, 3 * (size_t)pose_count * count);
	made.tangents = tangents ? SNW_NEW_ARRAY(arena, float, 3 * (size_t)pose_count * count) : NULL;
	made.signs = SNW_NEW_ARRAY(arena, float, count);
	for (uint32_t v = 0; v < count; v++) {
		const uint32_t corner = made.vertices.corners[v];
		made.signs[v] = tangents && corner != SNW_NONE && tangents[4 * (size_t)corner + 3] < 0 ? -1 : 1;
	}
	return made;
}

/* A unit vector, or zero, into its pose. */
static void put(float *directions, const nm_frames *frames, uint32_t vertex, uint32_t pose, double direction[3]) {
	snw_normalize3(direction);
	for (size_t c = 0; c < 3; c++) {
		directions[(3 * (size_t)vertex + c) * frames->pose_count + pose] = (float)direction[c];
	}
}

/* ---- by points ----------------------------------------------------------------------------------------------------------- */

/* The tangents of all vertices, not unit, [vertices.count][3]. */
static void pose_tangents(const snw_mesh *mesh, const float *tangents, const nm_frames *frames, const float *points,
						  double *sums) {
	memset(sums, 0, 3 * (size_t)frames->vertices.count * sizeof *sums);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t begin_corner = mesh->face_offsets[f], count = mesh->face_offsets[f + 1] - begin_corner;
		for (uint32_t k = 0; k < count; k++) {
			const uint32_t corner = begin_corner + k, *points_of = mesh->face_points + begin_corner;
			const uint32_t around[3] = {points_of[(k + count - 1) % count], points_of[k], points_of[(k + 1) % count]};
			if (tangents[4 * (size_t)corner + 3] != 0) {
				snw_tangent_add_posed(mesh->points_rest, points, around, tangents + 4 * (size_t)corner,
									  sums + 3 * (size_t)frames->vertices.corner_vertices[corner]);
			}
		}
	}
}

nm_frames nm_frames_by_points(const snw_mesh *mesh, const float *tangents, uint32_t pose_count, const float *posed,
							  snw_arena *arena) {
	nm_frames made = begin(mesh, tangents, pose_count, arena);
	snw_arena *scratch = snw_arena_create();
	snw_normal_plan *plan = snw_normal_plan_create(mesh);
	float *normals = SNW_NEW_ARRAY(scratch, float, 3 * (size_t)mesh->face_offsets[mesh->face_count]);
	double *sums = SNW_NEW_ARRAY(scratch, double, 3 * (size_t)made.vertices.count);
	for (uint32_t p = 0; p < pose_count; p++) {
		const float *points = posed + 3 * (size_t)p * mesh->point_count;
		snw_normals_of_corners(plan, points, normals);
		if (tangents) {
			pose_tangents(mesh, tangents, &made, points, sums);
		}
		for (uint32_t v = 0; v < made.vertices.count; v++) {
			if (made.vertices.corners[v] == SNW_NONE) {
				continue;
			}
			const float *n = normals + 3 * (size_t)made.vertices.corners[v];
			double normal[3] = {(double)n[0], (double)n[1], (double)n[2]}, *tangent = sums + 3 * (size_t)v;
			const double along = snw_dot3(normal, tangent);
			for (int c = 0; c < 3; c++) {
				tangent[c] -= along * normal[c];
			}
			put(made.normals, &made, v, p, normal);
			if (tangents) {
				put(made.tangents, &made, v, p, tangent);
			}
		}
	}
	snw_normal_plan_destroy(plan);
	snw_arena_destroy(scratch);
	return made;
}

/* ---- by the skin --------------------------------------------------------------------------------------------------------- */

typedef struct skinning {
	const snw_mesh *mesh;
	const nm_frames *frames;
	const float *normals, *tangents; /* of corners at rest */
	uint32_t slot_count;
	const double *palettes;
} skinning;

static void rotate(const double matrix[12], const float *from, double dest[3]) {
	const double v[3] = {(double)from[0], (double)from[1], (double)from[2]};
	snw_mat34_vector(matrix, v, dest);
}

static void skin_vertices(void *argument, uint32_t first, uint32_t end, uint32_t thread) {
	const skinning *s = argument;
	const snw_mesh *mesh = s->mesh;
	(void)thread;
	for (uint32_t v = first; v < end; v++) {
		const uint32_t corner = s->frames->vertices.corners[v], point = s->frames->vertices.points[v];
		for (uint32_t p = 0; p < s->frames->pose_count && corner != SNW_NONE; p++) {
			const double *palette = s->palettes + 12 * (size_t)p * s->slot_count;
			double matrix[12] = {0}, direction[3];
			for (uint32_t i = mesh->influence_offsets[point]; i < mesh->influence_offsets[point + 1]; i++) {
				for (size_t k = 0; k < 12; k++) {
					matrix[k] += mesh->influence_weights[i] * palette[12 * (size_t)mesh->influence_slots[i] + k];
				}
			}
			rotate(matrix, s->normals + 3 * (size_t)corner, direction);
			put(s->frames->normals, s->frames, v, p, direction);
			rotate(matrix, s->tangents + 4 * (size_t)corner, direction);
			put(s->frames->tangents, s->frames, v, p, direction);
		}
	}
}

nm_frames nm_frames_by_skin(const snw_mesh *mesh, const float *tangents, uint32_t pose_count, uint32_t slot_count,
							const double *palettes, snw_arena *arena) {
	const nm_frames made = begin(mesh, tangents, pose_count, arena);
	snw_arena *scratch = snw_arena_create();
	skinning s = {mesh, &made, nm_rest_normals(mesh, scratch), tangents, slot_count, palettes};
	snw_parallel_for(made.vertices.count, VERTEX_GRAIN, skin_vertices, &s);
	snw_arena_destroy(scratch);
	return made;
}
