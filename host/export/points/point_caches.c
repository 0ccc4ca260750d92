/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/points/point_caches.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "file/file.h"

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
