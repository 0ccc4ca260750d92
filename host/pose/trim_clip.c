/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pose/trim_clip.h"

#include <math.h>
#include <string.h>

#include "pose/clip.h"
#include "sinew/algebra.h"

/* A track under construction. */
typedef struct track_builder {
	const snw_track *from;
	size_t width, row; /* numbers of a value, and of a key with its tangents */
	double begin;
	double *seconds, *values;
	uint32_t count;
} track_builder;

static void add_row(track_builder *b, double seconds, const double *row) {
	b->seconds[b->count] = seconds - b->begin;
	memcpy(b->values + b->row * b->count++, row, b->row * sizeof *row);
}

/* The value and the slope of a cubic curve between two keys: a part of it is the cubic curve with these at its end. */
static void cut_cubic(const track_builder *b, uint32_t key, double seconds, double *row) {
	const double span = b->from->seconds[key + 1] - b->from->seconds[key], s = (seconds - b->from->seconds[key]) / span;
	const double *v0 = b->from->values + b->row * key + b->width, *out0 = v0 + b->width;
	const double *v1 = v0 + b->row, *in1 = v1 - b->width;
	double squares = 0;
	for (size_t i = 0; i < b->width; i++) {
		const double rise = v1[i] - v0[i];
		row[b->width + i] = v0[i] + s * s * (3 - 2 * s) * rise + span * s * (1 - s) * ((1 - s) * out0[i] - s * in1[i]);
		row[i] = 6 * s * (1 - s) / span * rise + (1 - s) * (1 - 3 * s) * out0[i] + s * (3 * s - 2) * in1[i];
		squares += row[b->width + i] * row[b->width + i];
	}
	const double length = b->from->path == SNW_PATH_ROTATION && squares > 0 ? sqrt(squares) : 1;
	for (size_t i = 0; i < 2 * b->width; i++) {
		row[i] /= length;
	}
	memcpy(row + 2 * b->width, row, b->width * sizeof *row);
}

/* A key between others; none before the first and after the last, where the track stands still. */
static void cut(track_builder *b, double seconds) {
	double row[12];
	const uint32_t key = snw_track_key(b->from, seconds), last = b->from->key_count - 1;
	if (seconds < b->from->seconds[0] || (seconds > b->from->seconds[last] && b->count > 0)) {
		return;
	}
	if (b->from->interpolation == SNW_CUBIC && key < last && seconds > b->from->seconds[key]) {
		cut_cubic(b, key, seconds, row);
	} else if (b->from->interpolation == SNW_CUBIC) {
		memcpy(row, b->from->values + b->row * key, b->row * sizeof *row);
	} else {
		snw_track_sample(b->from, seconds, row);
	}
	add_row(b, seconds, row);
}

static void trim_track(const snw_track *from, double begin, double end, snw_arena *arena, snw_track *track) {
	const size_t width = snw_track_width(from), row = width * (from->interpolation == SNW_CUBIC ? 3 : 1);
	track_builder b = {.from = from,
					   .width = width,
					   .row = row,
					   .begin = begin,
					   .seconds = SNW_NEW_ARRAY(arena, double, (size_t)from->key_count + 2),
					   .values = SNW_NEW_ARRAY(arena, double, row *((size_t)from->key_count + 2))};
	cut(&b, begin);
	for (uint32_t k = 0; k < from->key_count; k++) {
		if (from->seconds[k] > begin && from->seconds[k] < end) {
			add_row(&b, from->seconds[k], from->values + row * k);
		}
	}
	if (end > begin) {
		cut(&b, end);
	}
	if (b.count == 0) { /* all keys are later */
		add_row(&b, begin, from->values);
	}
	*track = *from;
	track->key_count = b.count;
	track->seconds = b.seconds;
	track->values = b.values;
}

snw_clip snw_clip_trim(const snw_clip *clip, double from_seconds, double to_seconds, snw_arena *arena) {
	snw_track *tracks = SNW_NEW_ARRAY(arena, snw_track, clip->track_count);
	for (uint32_t t = 0; t < clip->track_count; t++) {
		trim_track(&clip->tracks[t], from_seconds, to_seconds, arena, &tracks[t]);
	}
	return (snw_clip){.name = snw_arena_text(arena, clip->name),
					  .duration_seconds = to_seconds - from_seconds,
					  .track_count = clip->track_count,
					  .tracks = tracks};
}
