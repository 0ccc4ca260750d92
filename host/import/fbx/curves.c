/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Curves. A key says how its value goes on to the next: it stays (a step), goes straight, or as a cubic with a tangent at each
 * end. Tangents are stored, or follow from the keys around (automatic ones, and those of tension, continuity and bias).
 */
#include <math.h>
#include <string.h>

#include "import/fbx/fbx_internal.h"

/* How a curve goes on beyond its keys. */
typedef enum snw_fbx_beyond {
	SNW_FBX_HOLD,    /* the value of the last key */
	SNW_FBX_SLOPE,   /* straight on */
	SNW_FBX_REPEAT,  /* from the begin again */
	SNW_FBX_ADVANCE, /* from the begin again, from the value that was reached */
	SNW_FBX_MIRROR   /* back and forth */
} snw_fbx_beyond;

#define THIRD (1.0 / 3)

double snw_fbx_seconds(int64_t time) {
	return (double)time / SNW_FBX_TICKS;
}

/* ---- tangents ------------------------------------------------------------------------------------------------------------ */

/* A key with its attributes, and four numbers: the slope out of it, the slope into the next key, two weights of 16 bits each;
 * or tension, continuity and bias. */
typedef struct key {
	double seconds, value;
	uint32_t flags;
	float data[4];
} key;

/* The slope of a key by those around it. */
static double auto_slope(const key *before, const key *at, const key *after) {
	const bool is_progressive = (at->flags & SNW_FBX_KEY_CLAMP_PROGRESSIVE) && (at->flags & SNW_FBX_KEY_TIME_INDEPENDENT);
	if (!before || !after) {
		const key *from = before ? before : at, *to = before ? at : after;
		return !to || is_progressive ? 0 : (to->value - from->value) / (to->seconds - from->seconds);
	}
	if ((at->flags & SNW_FBX_KEY_CLAMP) && (at->value == before->value || at->value == after->value)) {
		return 0;
	}
	const double left = (at->value - before->value) / (at->seconds - before->seconds);
	const double right = (after->value - at->value) / (after->seconds - at->seconds);
	const double chord = (after->value - before->value) / (after->seconds - before->seconds);
	const double slope = at->flags & SNW_FBX_KEY_TIME_INDEPENDENT ? chord : (left + right) / 2;
	/* A progressive one goes no further than its neighbours' values. */
	const double most = !is_progressive ? HUGE_VAL : left * right <= 0 ? 0 : 3 * fmin(fabs(left), fabs(right));
	return fmin(fmax(slope, -most), most);
}

/* Kochanek and Bartels: the slopes into and out of a key by its tension, continuity and bias. At an end, the one side counts
 * twice. */
static double tcb_slope(const key *before, const key *at, const key *after, bool is_out) {
	const double tension = (double)at->data[0], bias = (double)at->data[2];
	const double continuity = is_out ? (double)at->data[1] : -(double)at->data[1];
	const double left = before ? (at->value - before->value) / (at->seconds - before->seconds) : 0;
	const double right = after ? (after->value - at->value) / (after->seconds - at->seconds) : 0;
	const double sum = (1 + continuity) * (1 + bias) * left + (1 - continuity) * (1 - bias) * right;
	return (1 - tension) * (before && after ? sum / 2 : sum);
}

/* A key stores the slope out of it and that into the next one. */
static double slope_of(const key *keys, uint32_t count, uint32_t index, bool is_out) {
	const key *at = &keys[index], *before = index > 0 ? at - 1 : NULL, *after = index + 1 < count ? at + 1 : NULL;
	const bool is_cubic = (at->flags & SNW_FBX_KEY_CUBIC) != 0;
	if (is_cubic && (at->flags & SNW_FBX_KEY_TCB)) {
		return tcb_slope(before, at, after, is_out);
	}
	if (!is_out && before && (before->flags & SNW_FBX_KEY_USER) && (!is_cubic || (at->flags & SNW_FBX_KEY_USER))) {
		return (double)before->data[1];
	}
	if (is_cubic && !(at->flags & SNW_FBX_KEY_AUTO)) {
		return at->flags & SNW_FBX_KEY_USER ? (double)at->data[0] : 0;
	}
	return auto_slope(before, at, after);
}

/* A weight of 0 to 9999 in half of a number's bits. */
static double weight_of(float data, bool is_high) {
	uint32_t bits;
	memcpy(&bits, &data, sizeof bits);
	return fmin((double)(is_high ? bits >> 16 : bits & 0xffff) / 9999, 1);
}

static snw_fbx_span span_of(const key *keys, uint32_t count, uint32_t index) {
	const key *at = &keys[index];
	snw_fbx_span span = {.out_weight = THIRD, .in_weight = THIRD};
	if (at->flags & SNW_FBX_KEY_CONSTANT) {
		span.interpolation = SNW_STEP;
		span.takes_next = (at->flags & SNW_FBX_KEY_CONSTANT_NEXT) != 0;
		return span;
	}
	if (!(at->flags & SNW_FBX_KEY_CUBIC)) {
		span.interpolation = SNW_LINEAR;
		return span;
	}
	span.interpolation = SNW_CUBIC;
	span.out_slope = slope_of(keys, count, index, true);
	span.in_slope = slope_of(keys, count, index + 1, false);
	if (at->flags & SNW_FBX_KEY_WEIGHTED_OUT) {
		span.out_weight = weight_of(at->data[2], false);
	}
	if (at->flags & SNW_FBX_KEY_WEIGHTED_NEXT_IN) {
		span.in_weight = weight_of(at->data[2], true);
	}
	return span;
}

/* ---- reading ------------------------------------------------------------------------------------------------------------- */

/* The four numbers of an attribute. Text files write their bits as an integer. */
static void read_data(const snw_fbx *f, const double *numbers, float data[4]) {
	for (int i = 0; i < 4; i++) {
		data[i] = (float)numbers[i];
		if (f->is_text && f->version >= 7200 && numbers[i] == floor(numbers[i]) && fabs(numbers[i]) < 0x1p31) {
			const int32_t bits = (int32_t)numbers[i];
			memcpy(&data[i], &bits, sizeof bits);
		}
		data[i] = isfinite(data[i]) ? data[i] : 0;
	}
}

/* Attributes are stored once for so many keys in a row. */
static bool read_attributes(snw_fbx *f, const snw_fbx_node *node, snw_arena *arena, key *keys, uint32_t key_count) {
	uint32_t flag_count, number_count, repeat_count, next = 0;
	const int32_t *flags = snw_fbx_integers(f, snw_fbx_child(node, "KeyAttrFlags"), arena, &flag_count);
	const double *numbers = flags ? snw_fbx_numbers(f, snw_fbx_child(node, "KeyAttrDataFloat"), arena, &number_count) : NULL;
	const int32_t *repeats = numbers ? snw_fbx_integers(f, snw_fbx_child(node, "KeyAttrRefCount"), arena, &repeat_count) : NULL;
	if (!repeats) {
		return false;
	}
	for (uint32_t a = 0; a < flag_count; a++) {
		for (int32_t i = 0; i < (a < repeat_count ? repeats[a] : 1) && next < key_count; i++) {
			keys[next].flags = (uint32_t)flags[a];
			if (4 * ((uint64_t)a + 1) <= number_count) {
				read_data(f, numbers + 4 * (size_t)a, keys[next].data);
			}
			next++;
		}
	}
	for (; next < key_count; next++) {
		keys[next].flags = SNW_FBX_KEY_LINEAR;
	}
	return true;
}

/* Leaves out keys that are not later than the one before, and values that are none. */
static uint32_t drop_keys(key *keys, uint32_t count) {
	uint32_t used = 0;
	for (uint32_t k = 0; k < count; k++) {
		if (isfinite(keys[k].value) && (used == 0 || keys[k].seconds > keys[used - 1].seconds)) {
			keys[used++] = keys[k];
		}
	}
	return used;
}

static bool read_keys(snw_fbx *f, const snw_fbx_node *node, snw_arena *arena, key **keys, uint32_t *key_count) {
	uint32_t time_count, value_count = 0;
	const int64_t *times = snw_fbx_long_integers(f, snw_fbx_child(node, "KeyTime"), arena, &time_count);
	const double *values = times ? snw_fbx_numbers(f, snw_fbx_child(node, "KeyValueFloat"), arena, &value_count) : NULL;
	const uint32_t count = time_count < value_count ? time_count : value_count;
	if (!values || !snw_reading_reserve(&f->reading, count, sizeof(key) + sizeof(snw_fbx_span) + 16)) {
		return false;
	}
	*keys = SNW_NEW_ARRAY(arena, key, count);
	for (uint32_t k = 0; k < count; k++) {
		(*keys)[k] = (key){.seconds = snw_fbx_seconds(times[k]), .value = values[k]};
	}
	*key_count = count;
	return read_attributes(f, node, arena, *keys, count);
}

/* How a curve goes on beyond its keys, and how often: a letter and a number. */
static int read_beyond(const snw_fbx_node *curve, const char *name, double *most) {
	static const char letters[] = "CKRAM"; /* in the order of snw_fbx_beyond */
	const snw_fbx_node *node = snw_fbx_child(curve, name), *type = snw_fbx_child(node, "Type");
	const int64_t count = snw_fbx_integer(snw_fbx_child(node, "Repetition"), 0, -1);
	*most = count < 0 ? HUGE_VAL : (double)count;
	for (int i = SNW_FBX_SLOPE; i <= SNW_FBX_MIRROR; i++) {
		const char letter[] = {letters[i], '\0'};
		if (snw_fbx_text_is(type, 0, letter) || snw_fbx_integer(type, 0, 0) == letters[i]) {
			return i;
		}
	}
	return SNW_FBX_HOLD;
}

bool snw_fbx_read_curve(snw_fbx *f, const snw_fbx_node *node, snw_fbx_curve *curve) {
	snw_arena *arena = snw_arena_create();
	key *keys;
	uint32_t count;
	const bool ok = read_keys(f, node, arena, &keys, &count);
	if (ok) {
		count = drop_keys(keys, count);
		*curve = (snw_fbx_curve){.key_count = count,
								 .seconds = SNW_NEW_ARRAY(f->reading.scratch, double, count),
								 .values = SNW_NEW_ARRAY(f->reading.scratch, double, count),
								 .spans = SNW_NEW_ARRAY(f->reading.scratch, snw_fbx_span, count)};
		curve->before = read_beyond(node, "Pre-Extrapolation", &curve->most_before);
		curve->after = read_beyond(node, "Post-Extrapolation", &curve->most_after);
		curve->until = HUGE_VAL;
		for (uint32_t k = 0; k < count; k++) {
			curve->seconds[k] = keys[k].seconds;
			curve->values[k] = keys[k].value;
			if (k + 1 < count) {
				curve->spans[k] = span_of(keys, count, k);
			}
		}
	}
	snw_arena_destroy(arena);
	return ok;
}

/* ---- sampling ------------------------------------------------------------------------------------------------------------ */

/* The parameter of a Bezier curve at a share of its time; its time is 3 u (1-u)² a + 3 u² (1-u) (1-b) + u³, and ascends. */
static double solve_parameter(double share, double a, double b) {
	double low = 0, high = 1, u = share;
	for (int i = 0; i < 64 && high - low > 1e-15; i++) {
		const double v = 1 - u, time = 3 * u * v * v * a + 3 * u * u * v * (1 - b) + u * u * u;
		const double rate = 3 * v * v * a + 6 * u * v * (1 - b - a) + 3 * u * u * b;
		if (time < share) {
			low = u;
		} else {
			high = u;
		}
		const double newton = rate > 1e-9 ? u + (share - time) / rate : -1;
		u = newton > low && newton < high ? newton : (low + high) / 2;
		if (fabs(time - share) < 1e-15) {
			break;
		}
	}
	return u;
}

static double sample_span(const snw_fbx_span *span, double seconds, double from, double to, double share) {
	if (span->interpolation == SNW_LINEAR) {
		return from + share * (to - from);
	}
	const bool is_even = fabs(span->out_weight - THIRD) < 1e-4 && fabs(span->in_weight - THIRD) < 1e-4;
	const double out_weight = is_even ? THIRD : span->out_weight, in_weight = is_even ? THIRD : span->in_weight;
	const double u = is_even ? share : solve_parameter(share, out_weight, in_weight), v = 1 - u;
	const double first = from + span->out_slope * out_weight * seconds, second = to - span->in_slope * in_weight * seconds;
	return v * v * v * from + 3 * u * v * v * first + 3 * u * u * v * second + u * u * u * to;
}

/* The last key at a moment or before it, if `before` strictly before it; 0 if there is none. */
static uint32_t key_at(const snw_fbx_curve *curve, double seconds, bool before) {
	uint32_t low = 0, high = curve->key_count;
	while (high - low > 1) {
		const uint32_t middle = low + (high - low) / 2;
		if (curve->seconds[middle] < seconds || (!before && curve->seconds[middle] == seconds)) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return low;
}

/* The value between the first key and the last. */
static double sample_keys(const snw_fbx_curve *curve, double seconds, bool before) {
	const uint32_t k = key_at(curve, seconds, before);
	if (k + 1 >= curve->key_count || seconds <= curve->seconds[k]) {
		return curve->values[k];
	}
	const snw_fbx_span *span = &curve->spans[k];
	if (span->interpolation == SNW_STEP) {
		return curve->values[span->takes_next ? k + 1 : k];
	}
	const double length = curve->seconds[k + 1] - curve->seconds[k];
	return sample_span(span, length, curve->values[k], curve->values[k + 1], (seconds - curve->seconds[k]) / length);
}

/* ---- beyond the keys ----------------------------------------------------------------------------------------------------- */

#define SHORTEST_SECONDS 1e-3  /* keys over a shorter time do not repeat */
enum { REPEATED_BYTES = 256 }; /* of the budget for a key more, which costs time rather than memory */

/* The time that the keys of a curve take; 0 for one that does not go on. */
static double period_of(const snw_fbx_curve *curve) {
	const double period = curve->seconds[curve->key_count - 1] - curve->seconds[0];
	return curve->key_count > 1 && period >= SHORTEST_SECONDS ? period : 0;
}

/* The slope at the first key, or at the last. */
static double end_slope(const snw_fbx_curve *curve, bool is_last) {
	const uint32_t k = is_last ? curve->key_count - 2 : 0;
	const snw_fbx_span *span = &curve->spans[k];
	if (span->interpolation == SNW_LINEAR) {
		return (curve->values[k + 1] - curve->values[k]) / (curve->seconds[k + 1] - curve->seconds[k]);
	}
	return span->interpolation == SNW_STEP ? 0 : is_last ? span->in_slope : span->out_slope;
}

/* The value `cycle` times after the keys, or before them. Where a cycle ends and the next begins, a moment is of the next. */
static double sample_cycle(const snw_fbx_curve *curve, int beyond, double cycle, double seconds, bool before) {
	const double first = curve->seconds[0], last = curve->seconds[curve->key_count - 1];
	const double at = seconds - cycle * period_of(curve);
	if (beyond == SNW_FBX_MIRROR && fmod(fabs(cycle), 2) > 0.5) {
		return sample_keys(curve, fmin(fmax(first + last - at, first), last), !before);
	}
	const double step = curve->values[curve->key_count - 1] - curve->values[0];
	return sample_keys(curve, fmin(fmax(at, first), last), before) + (beyond == SNW_FBX_ADVANCE ? cycle * step : 0);
}

double snw_fbx_sample_curve(const snw_fbx_curve *curve, double seconds, bool before) {
	const double first = curve->seconds[0], last = curve->seconds[curve->key_count - 1], period = period_of(curve);
	const bool is_after = seconds > last || (seconds == last && !before && seconds < curve->until);
	const int beyond = period == 0 ? SNW_FBX_HOLD : is_after ? curve->after : seconds < first ? curve->before : SNW_FBX_HOLD;
	if (beyond == SNW_FBX_HOLD) {
		return sample_keys(curve, seconds, before);
	}
	if (beyond == SNW_FBX_SLOPE) {
		return is_after ? curve->values[curve->key_count - 1] + (seconds - last) * end_slope(curve, true)
						: curve->values[0] + (seconds - first) * end_slope(curve, false);
	}
	const bool from_before = before || seconds >= curve->until;
	double cycle = floor((seconds - first) / period);
	cycle -= from_before && first + cycle * period >= seconds ? 1 : 0;
	if (is_after && cycle > curve->most_after) {
		return sample_cycle(curve, beyond, curve->most_after, last + curve->most_after * period, false);
	}
	if (!is_after && -cycle > curve->most_before) {
		return sample_cycle(curve, beyond, -curve->most_before, first - curve->most_before * period, false);
	}
	return sample_cycle(curve, beyond, cycle, seconds, from_before);
}

bool snw_fbx_list_keys(snw_fbx *f, const snw_fbx_curve *curve, double begin, double end, void *context,
					   void (*add)(void *context, double seconds)) {
	const double first = curve->seconds[0], last = curve->seconds[curve->key_count - 1], period = period_of(curve);
	const bool goes_before = period > 0 && curve->before >= SNW_FBX_REPEAT && begin < first;
	const bool goes_after = period > 0 && curve->after >= SNW_FBX_REPEAT && end > last;
	const int64_t from = goes_before ? -(int64_t)fmin(ceil((first - begin) / period), curve->most_before) : 0;
	const int64_t to = goes_after ? (int64_t)fmin(ceil((end - last) / period), curve->most_after) : 0;
	if (period > 0 && curve->before != SNW_FBX_HOLD && begin < first) {
		add(context, begin);
	}
	if (period > 0 && curve->after != SNW_FBX_HOLD && end > last) {
		add(context, end);
	}
	for (int64_t cycle = from; cycle <= to; cycle++) {
		const bool is_mirrored = (cycle < 0 ? curve->before : curve->after) == SNW_FBX_MIRROR && cycle % 2 != 0;
		if (!snw_reading_reserve(&f->reading, curve->key_count, cycle == 0 ? 0 : REPEATED_BYTES)) {
			return false;
		}
		for (uint32_t k = 0; k < curve->key_count; k++) {
			const double at = is_mirrored ? first + last - curve->seconds[k] : curve->seconds[k];
			add(context, fmin(fmax(at + (double)cycle * period, begin), end));
		}
	}
	return true;
}
