/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "normals/normals_internal.h"
#include "sinew/algebra.h"

/* Directions of the three corners of a triangle, [3][pose_count] each. */
typedef struct corner_frames {
	const float *normals[3], *tangents[3];
	float sign;
} corner_frames;

static corner_frames frames_of(const nm_frames *frames, const uint32_t corners[3]) {
	corner_frames made = {.sign = 1};
	for (int k = 0; k < 3; k++) {
		const uint32_t vertex = frames->vertices.corner_vertices[corners[k]];
		const size_t at = 3 * (size_t)vertex * frames->pose_count;
		made.normals[k] = frames->normals + at;
		made.tangents[k] = frames->tangents ? frames->tangents + at : NULL;
		made.sign = k == 0 ? frames->signs[vertex] : made.sign;
	}
	return made;
}

/* Directions of a place in all poses. */
typedef struct directions {
	float x[NM_MOST_POSES], y[NM_MOST_POSES], z[NM_MOST_POSES];
} directions;

static void interpolate(const float *const corners[3], const float shares[3], uint32_t count, directions *dest) {
	float *const axes[3] = {dest->x, dest->y, dest->z};
	for (size_t axis = 0; axis < 3; axis++) {
		const float *a = corners[0] + axis * count, *b = corners[1] + axis * count, *c = corners[2] + axis * count;
		float *restrict to = axes[axis];
		for (uint32_t p = 0; p < count; p++) {
			to[p] = shares[0] * a[p] + shares[1] * b[p] + shares[2] * c[p];
		}
	}
}

static void cross(const directions *a, const directions *b, float factor, uint32_t count, directions *restrict dest) {
	for (uint32_t p = 0; p < count; p++) {
		dest->x[p] = factor * (a->y[p] * b->z[p] - a->z[p] * b->y[p]);
		dest->y[p] = factor * (a->z[p] * b->x[p] - a->x[p] * b->z[p]);
		dest->z[p] = factor * (a->x[p] * b->y[p] - a->y[p] * b->x[p]);
	}
}

static void dot(const directions *a, const directions *b, uint32_t count, float *restrict dest) {
	for (uint32_t p = 0; p < count; p++) {
		dest[p] = a->x[p] * b->x[p] + a->y[p] * b->y[p] + a->z[p] * b->z[p];
	}
}

/* Makes them unit, or zero. */
static void normalize(directions *v, uint32_t count) {
	for (uint32_t p = 0; p < count; p++) {
		const float squares = v->x[p] * v->x[p] + v->y[p] * v->y[p] + v->z[p] * v->z[p];
		const float scale = squares > 1e-30F ? 1 / sqrtf(squares) : 0;
		v->x[p] *= scale;
		v->y[p] *= scale;
		v->z[p] *= scale;
	}
}

/* ---- the source ---------------------------------------------------------------------------------------------------------- */

static const unsigned char *texel_at(const snw_mipmap *picture, int64_t x, int64_t y) {
	const int64_t width = picture->width, height = picture->height;
	return picture->pixels + 4 * (size_t)(((y % height + height) % height) * width + (x % width + width) % width);
}

/* Between four texels; the picture repeats. */
static void read_picture(const snw_mipmap *picture, const double uv[2], float normal[3]) {
	const double x = uv[0] * picture->width - 0.5, y = uv[1] * picture->height - 0.5;
	const double fx = x - floor(x), fy = y - floor(y);
	for (int c = 0; c < 3; c++) {
		double sum = 0;
		for (int k = 0; k < 4; k++) {
			const unsigned char *texel = texel_at(picture, (int64_t)floor(x) + k % 2, (int64_t)floor(y) + k / 2);
			sum += (k % 2 ? fx : 1 - fx) * (k / 2 ? fy : 1 - fy) * texel[c];
		}
		normal[c] = (float)(sum / 127.5 - 1);
	}
}

/* What the source's own normal map says at a place; false without one. */
static bool read_own_map(const nm_sheet *sheet, const nm_place *place, float normal[3]) {
	const snw_mipmap *picture = sheet->pictures ? sheet->pictures[place->triangle] : NULL;
	double uv[2] = {0};
	if (!picture || !picture->pixels || !sheet->source_frames.tangents) {
		return false;
	}
	for (int k = 0; k < 3; k++) {
		const float *at = sheet->source->corner_uvs + 2 * (size_t)sheet->source_triangles.corners[place->triangle][k];
		uv[0] += place->shares[k] * (double)at[0];
		uv[1] += place->shares[k] * (double)at[1];
	}
	read_picture(picture, uv, normal);
	return true;
}

static void source_normals(const nm_sheet *sheet, const nm_place *place, directions *normals) {
	const uint32_t count = sheet->source_frames.pose_count;
	const corner_frames corners = frames_of(&sheet->source_frames, sheet->source_triangles.corners[place->triangle]);
	const float shares[3] = {(float)place->shares[0], (float)place->shares[1], (float)place->shares[2]};
	float mapped[3];
	interpolate(corners.normals, shares, count, normals);
	if (!read_own_map(sheet, place, mapped)) {
		normalize(normals, count);
		return;
	}
	directions tangents, bitangents;
	interpolate(corners.tangents, shares, count, &tangents);
	cross(normals, &tangents, corners.sign, count, &bitangents);
	for (uint32_t p = 0; p < count; p++) {
		normals->x[p] = mapped[0] * tangents.x[p] + mapped[1] * bitangents.x[p] + mapped[2] * normals->x[p];
		normals->y[p] = mapped[0] * tangents.y[p] + mapped[1] * bitangents.y[p] + mapped[2] * normals->y[p];
		normals->z[p] = mapped[0] * tangents.z[p] + mapped[1] * bitangents.z[p] + mapped[2] * normals->z[p];
	}
	normalize(normals, count);
}

/* ---- in the frame of the mesh -------------------------------------------------------------------------------------------- */

/* The sum over poses of the unit vector m with N ∥ m_x t + m_y b + m_z n, by the cofactors of (t, b, n). */
static void mean_in_frames(const corner_frames *frames, const double at[2], const directions *source, uint32_t count,
						   float mean[3]) {
	const float shares[3] = {(float)(1 - at[0] - at[1]), (float)at[0], (float)at[1]};
	directions n, t, b, cofactor, m;
	float determinants[NM_MOST_POSES];
	interpolate(frames->normals, shares, count, &n);
	interpolate(frames->tangents, shares, count, &t);
	cross(&n, &t, frames->sign, count, &b);
	cross(&b, &n, 1, count, &cofactor);
	dot(&cofactor, source, count, m.x);
	dot(&cofactor, &t, count, determinants);
	cross(&n, &t, 1, count, &cofactor);
	dot(&cofactor, source, count, m.y);
	cross(&t, &b, 1, count, &cofactor);
	dot(&cofactor, source, count, m.z);
	normalize(&m, count);
	memset(mean, 0, 3 * sizeof *mean);
	for (uint32_t p = 0; p < count; p++) {
		const float sign = determinants[p] < 0 ? -1 : 1;
		mean[0] += sign * m.x[p];
		mean[1] += sign * m.y[p];
		mean[2] += sign * m.z[p];
	}
}

/* ---- partners ------------------------------------------------------------------------------------------------------------ */

static nm_patch patch_of(const nm_sheet *sheet, uint32_t triangle) {
	nm_patch made = {.normal = sheet->triangles.normals[triangle]};
	for (int k = 0; k < 3; k++) {
		const uint32_t point = sheet->mesh->face_points[sheet->triangles.corners[triangle][k]];
		made.corners[k] = sheet->coordinates + (size_t)sheet->axis_count * point;
	}
	return made;
}

static void gather(const nm_sheet *sheet, uint32_t triangle, uint32_t count, const double (*shares)[2],
				   nm_candidates *candidates) {
	double least[2] = {1, 1}, most[2] = {0, 0};
	for (uint32_t i = 0; i < count; i++) {
		for (int k = 0; k < 2; k++) {
			least[k] = fmin(least[k], shares[i][k]);
			most[k] = fmax(most[k], shares[i][k]);
		}
	}
	const nm_patch patch = patch_of(sheet, triangle);
	nm_candidates_gather(candidates, &patch, least, most);
}

/* The triangle of a face that has a position, and its shares there. */
static nm_place place_in_face(const nm_sheet *sheet, uint32_t face, const double position[3]) {
	const nm_triangles *triangles = &sheet->source_triangles;
	nm_place best = {.triangle = SNW_NONE};
	double inner = -(double)INFINITY;
	for (uint32_t t = triangles->first_of_face[face]; t < triangles->first_of_face[face + 1]; t++) {
		double from[3][3], shares[3], area[3], sum = 0;
		for (size_t k = 0; k < 3; k++) {
			const double *p = sheet->source->points_rest + 3 * (size_t)triangles->face_points[triangles->corners[t][k]];
			for (size_t c = 0; c < 3; c++) {
				from[k][c] = p[c] - position[c];
			}
		}
		for (int k = 0; k < 3; k++) {
			snw_cross3(from[(k + 1) % 3], from[(k + 2) % 3], area);
			shares[k] = snw_dot3(area, triangles->normals[t]);
			sum += shares[k];
		}
		const double least = fmin(shares[0], fmin(shares[1], shares[2])) / sum;
		if (sum > 0 && least > inner) {
			inner = least;
			best = (nm_place){t, {shares[0] / sum, shares[1] / sum, shares[2] / sum}};
		}
	}
	return best;
}

/* The nearer of what the rays along the normal and against it meet, if it faces as the mesh does. */
static nm_place send_rays(const nm_sheet *sheet, uint32_t triangle, const corner_frames *frames, const double at[2]) {
	const double shares[3] = {1 - at[0] - at[1], at[0], at[1]};
	double origin[3] = {0}, normal[3] = {0}, nearest = sheet->reach;
	nm_place found = {.triangle = SNW_NONE};
	for (int k = 0; k < 3; k++) {
		const double *p =
			sheet->mesh->points_rest + 3 * (size_t)sheet->mesh->face_points[sheet->triangles.corners[triangle][k]];
		for (int c = 0; c < 3; c++) {
			origin[c] += shares[k] * p[c];
			normal[c] += shares[k] * (double)frames->normals[k][c * (int)sheet->frames.pose_count];
		}
	}
	snw_normalize3(normal);
	for (int way = 0; way < 2 && snw_dot3(normal, normal) > 0; way++) {
		snw_ray ray = {{origin[0], origin[1], origin[2]}, {normal[0], normal[1], normal[2]}};
		for (int c = 0; c < 3 && way == 1; c++) {
			ray.direction[c] = -normal[c];
		}
		const snw_pick hit = snw_spatial_index_pick(sheet->rays, &ray);
		const nm_place place =
			hit.face != SNW_NONE && hit.distance <= nearest ? place_in_face(sheet, hit.face, hit.position) : found;
		if (place.triangle != SNW_NONE && snw_dot3(sheet->source_triangles.normals[place.triangle], normal) > 0) {
			nearest = hit.distance;
			found = place;
		}
	}
	return found;
}

/* ---- drawing ------------------------------------------------------------------------------------------------------------- */

typedef struct filling {
	const nm_entry *entries;
	uint32_t *sent, *met; /* [count]: samples of each, and those whose rays met the source */
} filling;

static void fill_samples(void *context, uint32_t index, uint32_t count, const double (*shares)[2], float (*normals)[3],
						 snw_arena *scratch) {
	const filling *f = context;
	const nm_sheet *sheet = f->entries[index].sheet;
	const uint32_t triangle = f->entries[index].triangle;
	const corner_frames frames = frames_of(&sheet->frames, sheet->triangles.corners[triangle]);
	nm_candidates *candidates = nm_candidates_create(sheet->tree, scratch);
	directions source;
	gather(sheet, triangle, count, shares, candidates);
	for (uint32_t i = 0; i < count; i++) {
		nm_place place = {.triangle = SNW_NONE};
		if (sheet->rays) {
			place = send_rays(sheet, triangle, &frames, shares[i]);
			f->sent[index]++;
			f->met[index] += place.triangle != SNW_NONE;
		}
		place = place.triangle != SNW_NONE ? place : nm_candidates_nearest(candidates, shares[i][0], shares[i][1]);
		memset(normals[i], 0, sizeof normals[i]);
		if (place.triangle != SNW_NONE) {
			source_normals(sheet, &place, &source);
			mean_in_frames(&frames, shares[i], &source, sheet->frames.pose_count, normals[i]);
		}
	}
}

snw_status nm_sheets_draw(uint32_t size, uint32_t count, const nm_entry *entries, const snw_task *task, snw_arena *arena,
						  nm_drawn *drawn, snw_error *error) {
	snw_arena *scratch = snw_arena_create();
	filling f = {entries, SNW_NEW_ARRAY(scratch, uint32_t, count), SNW_NEW_ARRAY(scratch, uint32_t, count)};
	float(*uvs)[3][2] = snw_arena_array(scratch, count, sizeof *uvs);
	for (uint32_t i = 0; i < count; i++) {
		for (int k = 0; k < 3; k++) {
			const uint32_t corner = entries[i].sheet->triangles.corners[entries[i].triangle][k];
			memcpy(uvs[i][k], entries[i].sheet->mesh->corner_uvs + 2 * (size_t)corner, sizeof uvs[i][k]);
		}
	}
	const snw_status status =
		nm_texels_draw(size, count, (const float(*)[3][2])uvs, fill_samples, &f, task, arena, &drawn->texels, error);
	uint64_t sent = 0, met = 0;
	for (uint32_t i = 0; i < count; i++) {
		sent += f.sent[i];
		met += f.met[i];
	}
	drawn->met = sent > 0 ? (double)met / (double)sent : 1;
	snw_arena_destroy(scratch);
	return status;
}
