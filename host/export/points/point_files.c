/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/export.h"

#include <assert.h>
#include <inttypes.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "file/file.h"

/* ---- OBJ ----------------------------------------------------------------------------------------------------------------- */

/* The distinct values of all corners, so that each UV and normal is written once. */
typedef struct distinct {
	uint32_t count;
	uint32_t *firsts;  /* [count]: the first corner with each value */
	uint32_t *indices; /* [corner_count]: the value of each corner */
} distinct;

static uint64_t hash_floats(const float *values, size_t width) {
	snw_hash hash = {0};
	snw_hash_bytes(&hash, values, width * sizeof *values);
	return snw_hash_value(&hash);
}

static distinct find_distinct(const float *values, size_t width, uint32_t corner_count, snw_arena *arena) {
	size_t slots = 16;
	while (slots < (size_t)2 * corner_count) {
		slots *= 2;
	}
	uint32_t *table = SNW_NEW_ARRAY(arena, uint32_t, slots); /* 0, or one more than a distinct value's index */
	distinct d = {0, SNW_NEW_ARRAY(arena, uint32_t, corner_count), SNW_NEW_ARRAY(arena, uint32_t, corner_count)};
	for (uint32_t c = 0; c < corner_count; c++) {
		const float *value = values + width * c;
		size_t slot = hash_floats(value, width) & (slots - 1);
		while (table[slot] && memcmp(values + width * d.firsts[table[slot] - 1], value, width * sizeof *value) != 0) {
			slot = (slot + 1) & (slots - 1);
		}
		if (!table[slot]) {
			d.firsts[d.count] = c;
			table[slot] = ++d.count;
		}
		d.indices[c] = table[slot] - 1;
	}
	return d;
}

static void write_corner(FILE *out, uint32_t point, const distinct *uvs, const distinct *normals, uint32_t c) {
	fprintf(out, " %" PRIu32, point + 1);
	if (uvs && normals) {
		fprintf(out, "/%" PRIu32 "/%" PRIu32, uvs->indices[c] + 1, normals->indices[c] + 1);
	} else if (uvs) {
		fprintf(out, "/%" PRIu32, uvs->indices[c] + 1);
	} else if (normals) {
		fprintf(out, "//%" PRIu32, normals->indices[c] + 1);
	}
}

static void write_faces(FILE *out, const snw_mesh *mesh, const distinct *uvs, const distinct *normals) {
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		fputs("f", out);
		for (uint32_t c = mesh->face_offsets[f]; c < mesh->face_offsets[f + 1]; c++) {
			write_corner(out, mesh->face_points[c], uvs, normals, c);
		}
		fputs("\n", out);
	}
}

static void write_mesh(FILE *out, const snw_mesh *mesh, const double *points, snw_arena *arena) {
	const uint32_t corner_count = mesh->face_offsets[mesh->face_count];
	const double *p = points ? points : mesh->points_rest;
	distinct uvs = {0}, normals = {0};
	fprintf(out, "# sinew %s\n", SINEW_VERSION);
	if (mesh->name && mesh->name[0] && !strpbrk(mesh->name, "\r\n\\")) {
		fprintf(out, "o %s\n", mesh->name);
	}
	for (size_t i = 0; i < mesh->point_count; i++) {
		fprintf(out, "v %.9g %.9g %.9g\n", (double)(float)p[3 * i], (double)(float)p[3 * i + 1], (double)(float)p[3 * i + 2]);
	}
	if (mesh->corner_uvs) {
		uvs = find_distinct(mesh->corner_uvs, 2, corner_count, arena);
		for (uint32_t i = 0; i < uvs.count; i++) {
			const float *uv = mesh->corner_uvs + (size_t)2 * uvs.firsts[i];
			fprintf(out, "vt %.9g %.9g\n", (double)uv[0], 1 - (double)uv[1]);
		}
	}
	const bool has_normals = mesh->corner_normals && !points;
	if (has_normals) {
		normals = find_distinct(mesh->corner_normals, 3, corner_count, arena);
		for (uint32_t i = 0; i < normals.count; i++) {
			const float *n = mesh->corner_normals + (size_t)3 * normals.firsts[i];
			fprintf(out, "vn %.9g %.9g %.9g\n", (double)n[0], (double)n[1], (double)n[2]);
		}
	}
	write_faces(out, mesh, mesh->corner_uvs ? &uvs : NULL, has_normals ? &normals : NULL);
}

snw_status snw_export_obj(const char *path, const snw_mesh *mesh, const double *points, snw_error *error) {
	snw_file_write *file;
	const snw_status status = snw_file_write_begin(path, &file, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_arena *arena = snw_arena_create();
	const locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	const locale_t previous = uselocale(c_locale);
	write_mesh(snw_file_write_stream(file), mesh, points, arena);
	uselocale(previous);
	freelocale(c_locale);
	snw_arena_destroy(arena);
	return snw_file_write_commit(file, error);
}

/* ---- point caches -------------------------------------------------------------------------------------------------------- */

struct snw_cache_write {
	snw_file_write *file;
	bool big_endian;
	uint32_t point_count, frame_count, frames_written;
	unsigned char *frame; /* [point_count][12] */
};

static void put_u32(unsigned char *dest, uint32_t value, bool big_endian) {
	for (unsigned i = 0; i < 4; i++) {
		dest[i] = (unsigned char)(value >> (big_endian ? 24 - 8 * i : 8 * i));
	}
}

static void put_float(unsigned char *dest, float value, bool big_endian) {
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	put_u32(dest, bits, big_endian);
}

/* "POINTCACHE2\0", version 1, points, start 0, rate 1, frames. */
static void write_pc2_header(const snw_cache_write *cache) {
	unsigned char header[32] = "POINTCACHE2";
	put_u32(header + 12, 1, false);
	put_u32(header + 16, cache->point_count, false);
	put_float(header + 20, 0, false);
	put_float(header + 24, 1, false);
	put_u32(header + 28, cache->frame_count, false);
	fwrite(header, 1, sizeof header, snw_file_write_stream(cache->file));
}

/* Frames, points, then the time of each frame. */
static void write_mdd_header(const snw_cache_write *cache, const double *seconds) {
	FILE *out = snw_file_write_stream(cache->file);
	unsigned char word[4];
	put_u32(word, cache->frame_count, true);
	fwrite(word, 1, sizeof word, out);
	put_u32(word, cache->point_count, true);
	fwrite(word, 1, sizeof word, out);
	for (uint32_t f = 0; f < cache->frame_count; f++) {
		put_float(word, (float)seconds[f], true);
		fwrite(word, 1, sizeof word, out);
	}
}

static void cache_free(snw_cache_write *cache) {
	free(cache->frame);
	free(cache);
}

snw_status snw_cache_begin(const char *path, snw_cache_kind kind, uint32_t point_count, uint32_t frame_count,
						   const double *seconds, snw_cache_write **cache, snw_error *error) {
	if (point_count == 0 || point_count > INT32_MAX || frame_count == 0 || frame_count > INT32_MAX) {
		return snw_fail(error, SNW_ERROR_LIMIT, "%s: a point cache cannot hold %u frames of %u points", path, frame_count,
						point_count);
	}
	snw_cache_write *c = calloc(1, sizeof *c);
	if (!c || !(c->frame = malloc((size_t)point_count * 12))) {
		free(c);
		return snw_fail(error, SNW_ERROR_MEMORY, "%s: out of memory for a frame of %u points", path, point_count);
	}
	c->big_endian = kind == SNW_CACHE_MDD;
	c->point_count = point_count;
	c->frame_count = frame_count;
	const snw_status status = snw_file_write_begin(path, &c->file, error);
	if (snw_failed(status)) {
		cache_free(c);
		return status;
	}
	if (kind == SNW_CACHE_MDD) {
		write_mdd_header(c, seconds);
	} else {
		write_pc2_header(c);
	}
	*cache = c;
	return SNW_OK;
}

void snw_cache_frame(snw_cache_write *cache, const float *points) {
	assert(cache->frames_written < cache->frame_count);
	cache->frames_written++;
	const size_t count = (size_t)3 * cache->point_count;
	for (size_t i = 0; i < count; i++) {
		put_float(cache->frame + 4 * i, points[i], cache->big_endian);
	}
	fwrite(cache->frame, 4, count, snw_file_write_stream(cache->file));
}

snw_status snw_cache_commit(snw_cache_write *cache, snw_error *error) {
	assert(cache->frames_written == cache->frame_count);
	const snw_status status = snw_file_write_commit(cache->file, error);
	cache_free(cache);
	return status;
}

void snw_cache_abandon(snw_cache_write *cache) {
	if (cache) {
		snw_file_write_abandon(cache->file);
		cache_free(cache);
	}
}
