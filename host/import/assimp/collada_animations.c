/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "import/assimp/assimp_internal.h"

enum { INPUT, OUTPUT, INTERPOLATION, IN_TANGENT, OUT_TANGENT, SEMANTICS };
enum { FEWEST_STEPS = 8, MOST_STEPS = 64, STEPS_A_SECOND = 240, MOST_NUMBERS = 1 << 22, MOST_CLIPS = 1000 };

typedef struct source {
	snw_span id, whole, words, accessor; /* from "<source" to "</source>"; the text of its array; inside <accessor> */
	uint32_t stride, count;              /* of its words */
	bool has_curves;                     /* BEZIER or HERMITE is among them */
	double *numbers;                     /* [count], once they have been asked for */
} source;

/* Keys of `width` numbers. The tangents are control points, at their moments; NULL without any. */
typedef struct keys {
	uint32_t count, width;
	double *seconds, *values;
	double *in, *out;       /* [count][width][2]: a moment and a value */
	snw_span interpolation; /* the rest of its words */
} keys;

typedef struct sampler {
	snw_span id, sources[SEMANTICS]; /* their ids */
	bool is_tried;                   /* to straighten its curves */
	keys straight;                   /* of straight lines; without any if it has no curves, or they cannot be straightened */
} sampler;

typedef struct animation {
	snw_span id, name;
	uint32_t parent; /* SNW_NONE for an outer one */
	uint32_t outer;  /* the outer one that it is in, or is */
} animation;

typedef struct clip_element {
	snw_span name;
	double from_seconds, to_seconds; /* the same: all */
	uint32_t instance_count, instance_room;
	snw_span *instances; /* ids of animations */
} clip_element;

struct snw_collada_animations {
	snw_assimp *a;
	snw_arena *arena;
	uint32_t source_count, source_room, sampler_count, sampler_room, curve_count, curve_room;
	uint32_t animation_count, animation_room, clip_count, clip_room;
	source *sources;
	sampler *samplers;
	snw_collada_curve *curves;
	animation *animations;
	clip_element *clips;
	snw_id_table source_ids, sampler_ids, animation_ids;
	snw_written_text out;
	uint64_t made_count; /* of numbers of straightened curves */
	bool has_warned;     /* of curves that are not straightened */
};

/* ---- reading ------------------------------------------------------------------------------------------------------------- */

#define ADD(list, item)                                                                                                        \
	do {                                                                                                                       \
		r->list##s = snw_arena_grow(r->arena, r->list##s, r->list##_count, &r->list##_room, sizeof *r->list##s);               \
		r->list##s[r->list##_count++] = (item);                                                                                \
	} while (0)

static const char *next_angle(const char *at, const char *end) {
	const char *found = memchr(at, '<', (size_t)(end - at));
	return found ? found : end;
}

/* Inside a <source>, which is the last of the list. */
static void read_source(snw_collada_animations *r, const snw_tag *t, const char *end) {
	source *s = &r->sources[r->source_count - 1];
	double stride = 1;
	if (t->closes && snw_span_is(t->name, "source")) {
		s->whole.end = t->whole.end;
	} else if (!t->closes && (snw_span_is(t->name, "float_array") || snw_span_is(t->name, "Name_array"))) {
		s->words = (snw_span){t->whole.end, t->is_single ? t->whole.end : next_angle(t->whole.end, end)};
		s->numbers = NULL;
		s->has_curves = false;
		snw_span words = s->words, word;
		for (s->count = 0; snw_next_word(&words, &word); s->count++) {
			s->has_curves = s->has_curves || snw_span_is(word, "BEZIER") || snw_span_is(word, "HERMITE");
		}
	} else if (!t->closes && snw_span_is(t->name, "accessor")) {
		const snw_span text = snw_tag_attribute(t, "stride");
		s->accessor = (snw_span){t->whole.end, t->whole.end};
		s->stride =
			text.begin < text.end && snw_read_number(text.begin, &stride) && stride >= 1 && stride <= 64 ? (uint32_t)stride : 1;
	} else if (s->accessor.begin && snw_span_is(t->name, "accessor")) {
		s->accessor.end = t->whole.begin;
	}
}

static void read_input(const snw_tag *t, sampler *s) {
	static const char *const semantics[SEMANTICS] = {"INPUT", "OUTPUT", "INTERPOLATION", "IN_TANGENT", "OUT_TANGENT"};
	const snw_span semantic = snw_tag_attribute(t, "semantic");
	for (int i = 0; i < SEMANTICS; i++) {
		if (snw_span_is(semantic, semantics[i])) {
			s->sources[i] = snw_tag_reference(t, "source");
		}
	}
}

/* Inside an animation. */
static void read_tag(snw_collada_animations *r, const snw_tag *t, uint32_t open, const char *end) {
	if (snw_span_is(t->name, "source") && !t->closes) {
		ADD(source, ((source){.id = snw_tag_attribute(t, "id"), .whole = t->whole, .stride = 1}));
	} else if (snw_span_is(t->name, "sampler") && !t->closes) {
		ADD(sampler, ((sampler){.id = snw_tag_attribute(t, "id")}));
	} else if (snw_span_is(t->name, "input") && r->sampler_count > 0) {
		read_input(t, &r->samplers[r->sampler_count - 1]);
	} else if (snw_span_is(t->name, "channel") && !t->closes) {
		ADD(curve,
			((snw_collada_curve){
				.target = snw_tag_attribute(t, "target"), .sampler = snw_tag_reference(t, "source"), .animation = open}));
	} else if (r->source_count > 0) {
		read_source(r, t, end);
	}
}

static double seconds_of(const snw_tag *t, const char *name) {
	const snw_span text = snw_tag_attribute(t, name);
	double seconds = 0;
	return text.begin < text.end && snw_read_number(text.begin, &seconds) && fabs(seconds) < 1e9 ? seconds : 0;
}

/* One more than there may be is in the list until limit_clips. */
static void add_clip(snw_collada_animations *r, clip_element added) {
	if (r->clip_count <= MOST_CLIPS) {
		ADD(clip, added);
	}
}

static void limit_clips(snw_collada_animations *r) {
	if (r->clip_count > MOST_CLIPS) {
		snw_task_notice(r->a->task, SNW_LOG_WARNING, "it has more than %d clips; the others are left out", MOST_CLIPS);
		r->clip_count = MOST_CLIPS;
	}
}

static void read_clip(snw_collada_animations *r, const snw_tag *t) {
	const snw_span name = snw_tag_attribute(t, "name");
	add_clip(r, (clip_element){.name = name.begin < name.end ? name : snw_tag_attribute(t, "id"),
							   .from_seconds = seconds_of(t, "start"),
							   .to_seconds = seconds_of(t, "end")});
}

static void read_instance(snw_collada_animations *r, const snw_tag *t) {
	clip_element *c = &r->clips[r->clip_count - 1];
	c->instances = snw_arena_grow(r->arena, c->instances, c->instance_count, &c->instance_room, sizeof *c->instances);
	c->instances[c->instance_count++] = snw_tag_reference(t, "url");
}

snw_collada_animations *snw_collada_animations_read(snw_assimp *a, const char *begin, const char *end) {
	snw_collada_animations *r = SNW_NEW(a->scratch, snw_collada_animations);
	uint32_t open = SNW_NONE;
	snw_tag t;
	*r = (snw_collada_animations){.a = a, .arena = a->scratch, .out = {.arena = a->scratch}};
	for (const char *at = begin; snw_next_tag(&at, end, &t);) {
		if (snw_span_is(t.name, "animation")) {
			if (t.closes) {
				open = open == SNW_NONE ? SNW_NONE : r->animations[open].parent;
			} else if (!t.is_single) {
				const uint32_t outer = open == SNW_NONE ? r->animation_count : r->animations[open].outer;
				ADD(animation, ((animation){.id = snw_tag_attribute(&t, "id"),
											.name = snw_tag_attribute(&t, "name"),
											.parent = open,
											.outer = outer}));
				open = r->animation_count - 1;
			}
		} else if (open != SNW_NONE) {
			read_tag(r, &t, open, end);
		} else if (snw_span_is(t.name, "animation_clip") && !t.closes) {
			read_clip(r, &t);
		} else if (snw_span_is(t.name, "instance_animation") && !t.closes && r->clip_count > 0) {
			read_instance(r, &t);
		}
	}
	r->source_ids = snw_id_table_make(r->sources, r->source_count, sizeof *r->sources, r->arena);
	r->sampler_ids = snw_id_table_make(r->samplers, r->sampler_count, sizeof *r->samplers, r->arena);
	r->animation_ids = snw_id_table_make(r->animations, r->animation_count, sizeof *r->animations, r->arena);
	return r;
}

snw_collada_curve *snw_collada_curves(const snw_collada_animations *r, uint32_t *count) {
	*count = r->curve_count;
	return r->curves;
}

/* ---- keys ---------------------------------------------------------------------------------------------------------------- */

static sampler *sampler_of(const snw_collada_animations *r, const snw_collada_curve *c) {
	const uint32_t found = snw_id_table_find(&r->sampler_ids, c->sampler);
	return found == SNW_NONE ? NULL : &r->samplers[found];
}

static source *source_of(const snw_collada_animations *r, const sampler *s, int semantic) {
	const uint32_t found = s->sources[semantic].begin ? snw_id_table_find(&r->source_ids, s->sources[semantic]) : SNW_NONE;
	return found == SNW_NONE ? NULL : &r->sources[found];
}

/* One that is no number is 0. Samplers can share a source. */
static double *numbers_of(const snw_collada_animations *r, source *s, uint32_t *count) {
	snw_span word, words = s ? s->words : (snw_span){0};
	*count = s ? s->count : 0;
	if (s && !s->numbers) {
		s->numbers = SNW_NEW_ARRAY(r->arena, double, s->count);
		for (uint32_t i = 0; i < s->count && snw_next_word(&words, &word); i++) {
			(void)snw_read_number(word.begin, &s->numbers[i]);
		}
	}
	return s ? s->numbers : NULL;
}

/* Tangents with a moment for each number, or without moments: then they are a third of the span away. NULL if they are
 * neither. */
static double *read_tangents(const snw_collada_animations *r, const sampler *s, int semantic, const keys *k) {
	uint32_t count;
	const double *read = numbers_of(r, source_of(r, s, semantic), &count);
	const size_t numbers = (size_t)k->count * k->width;
	if (count != numbers && count != 2 * numbers) {
		return NULL;
	}
	double *made = SNW_NEW_ARRAY(r->arena, double, 2 * numbers);
	if (count == 2 * numbers) {
		memcpy(made, read, 2 * numbers * sizeof *made);
		return made;
	}
	for (size_t i = 0; i < numbers; i++) {
		const size_t key = i / k->width, next = semantic == OUT_TANGENT ? key + 1 : key, before = next > 0 ? next - 1 : 0;
		const double length = next < k->count ? k->seconds[next] - k->seconds[before] : 0;
		made[2 * i] = k->seconds[key] + (semantic == OUT_TANGENT ? length : -length) / 3;
		made[2 * i + 1] = read[i];
	}
	return made;
}

/* Without tangents. False if there are no keys. */
static bool read_keys(const snw_collada_animations *r, const sampler *s, keys *k) {
	uint32_t value_count;
	source *values = source_of(r, s, OUTPUT);
	const source *kinds = source_of(r, s, INTERPOLATION);
	*k = (keys){.interpolation = kinds ? kinds->words : (snw_span){0}};
	k->seconds = numbers_of(r, source_of(r, s, INPUT), &k->count);
	k->values = numbers_of(r, values, &value_count);
	k->width = values ? values->stride : 1;
	k->count = value_count / k->width < k->count ? value_count / k->width : k->count;
	return k->count > 0;
}

static double bezier(double a, double b, double c, double d, double t) {
	const double s = 1 - t;
	return s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d;
}

/* The value of a span's curve at a moment: that of the parameter at which the curve is there. Control points outside of the
 * span are moved into it, so that there is one. */
static double value_at(const double times[4], const double values[4], double seconds) {
	const double first = fmin(fmax(times[1], times[0]), times[3]), second = fmin(fmax(times[2], times[0]), times[3]);
	double low = 0, high = 1;
	for (int i = 0; i < 50; i++) {
		const double middle = (low + high) / 2;
		if (bezier(times[0], first, second, times[3], middle) < seconds) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return bezier(values[0], values[1], values[2], values[3], (low + high) / 2);
}

/* Hermite's tangents are derivatives, three times as long as the way to the control point. */
static double curve_value(const keys *k, uint32_t key, uint32_t c, bool is_hermite, double seconds) {
	const size_t from = (size_t)key * k->width + c, to = from + k->width;
	const double *out = k->out + 2 * from, *in = k->in + 2 * to;
	double times[4] = {k->seconds[key], out[0], in[0], k->seconds[key + 1]};
	double values[4] = {k->values[from], out[1], in[1], k->values[to]};
	if (is_hermite) {
		times[1] = times[0] + out[0] / 3;
		times[2] = times[3] - in[0] / 3;
		values[1] = values[0] + out[1] / 3;
		values[2] = values[3] - in[1] / 3;
	}
	return value_at(times, values, seconds);
}

static uint32_t steps_of(double seconds) {
	const double steps = ceil(seconds * STEPS_A_SECOND);
	return steps > MOST_STEPS ? MOST_STEPS : steps > FEWEST_STEPS ? (uint32_t)steps : FEWEST_STEPS;
}

static void append_key(keys *to, const keys *from, uint32_t key, double seconds) {
	to->seconds[to->count] = seconds;
	memcpy(to->values + (size_t)to->width * to->count++, from->values + (size_t)from->width * key,
		   from->width * sizeof *from->values);
}

/* Straight lines in place of curves; a step becomes a steep line. */
static keys straighten(const snw_collada_animations *r, const keys *k) {
	const size_t most = (size_t)k->count * MOST_STEPS + 1;
	keys made = {.width = k->width,
				 .seconds = SNW_NEW_ARRAY(r->arena, double, most),
				 .values = SNW_NEW_ARRAY(r->arena, double, most * k->width)};
	snw_span words = k->interpolation, word = {0};
	for (uint32_t key = 0; key < k->count; key++) {
		const bool has_word = snw_next_word(&words, &word), is_hermite = has_word && snw_span_is(word, "HERMITE");
		const double length = key + 1 < k->count ? k->seconds[key + 1] - k->seconds[key] : 0;
		append_key(&made, k, key, k->seconds[key]);
		if (!(length > 0) || !has_word) {
			continue;
		}
		if (is_hermite || snw_span_is(word, "BEZIER")) {
			const uint32_t steps = steps_of(length);
			for (uint32_t i = 1; i < steps; i++) {
				const double seconds = k->seconds[key] + length * i / steps;
				for (uint32_t c = 0; c < k->width; c++) {
					made.values[(size_t)made.width * made.count + c] = curve_value(k, key, c, is_hermite, seconds);
				}
				made.seconds[made.count++] = seconds;
			}
		} else if (snw_span_is(word, "STEP")) {
			append_key(&made, k, key, k->seconds[key + 1] - 1e-4 * length);
		}
	}
	return made;
}

static void make_straight(snw_collada_animations *r, sampler *s) {
	const source *kinds = source_of(r, s, INTERPOLATION);
	keys k;
	if (!kinds || !kinds->has_curves || !read_keys(r, s, &k)) {
		return;
	}
	const bool has_room = r->made_count + (uint64_t)k.count * k.width * MOST_STEPS < MOST_NUMBERS;
	k.in = has_room ? read_tangents(r, s, IN_TANGENT, &k) : NULL;
	k.out = has_room ? read_tangents(r, s, OUT_TANGENT, &k) : NULL;
	if (k.in && k.out) {
		s->straight = straighten(r, &k);
		r->made_count += (uint64_t)s->straight.count * s->straight.width;
	} else if (!r->has_warned) {
		snw_task_notice(r->a->task, SNW_LOG_WARNING, "%s, so they are straight lines between their keys",
						has_room ? "tangents of curves are missing, or have other numbers" : "curves have too many keys");
		r->has_warned = true;
	}
}

/* The keys of a sampler whose curves can be straightened; NULL for another. */
static const keys *straight_keys(snw_collada_animations *r, sampler *s) {
	if (!s->is_tried) {
		s->is_tried = true;
		make_straight(r, s);
	}
	return s->straight.count > 0 ? &s->straight : NULL;
}

void snw_collada_read_keys(snw_collada_animations *r, uint32_t curve, snw_assimp_curve *dest) {
	sampler *s = sampler_of(r, &r->curves[curve]);
	const keys *straight = s ? straight_keys(r, s) : NULL;
	keys k = straight ? *straight : (keys){0};
	*dest = (snw_assimp_curve){.index = curve};
	if (!s || (!straight && !read_keys(r, s, &k)) || k.width != 1) {
		return;
	}
	snw_span word = {0}, words = k.interpolation;
	dest->key_count = k.count;
	dest->seconds = k.seconds;
	dest->weights = k.values;
	dest->is_stepped = snw_next_word(&words, &word) && snw_span_is(word, "STEP");
}

/* ---- clips --------------------------------------------------------------------------------------------------------------- */

static int compare_targets(const void *a, const void *b) {
	const snw_id_row *x = a, *y = b;
	return snw_span_compare(x->id, y->id);
}

/* Whether two outer animations move the same thing. */
static bool move_the_same(const snw_collada_animations *r) {
	snw_id_row *rows = SNW_NEW_ARRAY(r->arena, snw_id_row, r->curve_count);
	bool same = false;
	for (uint32_t i = 0; i < r->curve_count; i++) {
		rows[i] = (snw_id_row){r->curves[i].target, r->animations[r->curves[i].animation].outer};
	}
	qsort(rows, r->curve_count, sizeof *rows, compare_targets);
	for (uint32_t i = 1; i < r->curve_count; i++) {
		same = same || (snw_span_is_same(rows[i].id, rows[i - 1].id) && rows[i].index != rows[i - 1].index);
	}
	return same;
}

static snw_span name_of(const animation *a) {
	return a->name.begin < a->name.end ? a->name : a->id;
}

/* The clips of a file that lists none. */
static void make_clips(snw_collada_animations *r) {
	uint32_t outer_count = 0, outer = 0;
	for (uint32_t i = 0; i < r->animation_count; i++) {
		outer_count += r->animations[i].parent == SNW_NONE;
		outer = outer_count == 1 && r->animations[i].parent == SNW_NONE ? i : outer;
	}
	if (outer_count < 2 || !move_the_same(r)) {
		static const char plain[] = "animation";
		add_clip(r, (clip_element){.name = outer_count == 1 ? name_of(&r->animations[outer])
															: (snw_span){plain, plain + sizeof plain - 1}});
		return;
	}
	for (uint32_t i = 0; i < r->animation_count; i++) {
		if (r->animations[i].parent == SNW_NONE) {
			add_clip(r, (clip_element){.name = name_of(&r->animations[i])});
		}
	}
}

/* Which curves each clip has, [clip][curve]. Clips of the file name animations, whose inner ones belong to them. */
static bool *list_members(const snw_collada_animations *r, bool are_made) {
	bool *members = snw_arena_array(r->arena, (size_t)r->clip_count, (size_t)r->curve_count + 1);
	uint32_t *outer_clips = SNW_NEW_ARRAY(r->arena, uint32_t, r->animation_count);
	for (uint32_t i = 0, next = 0; i < r->animation_count; i++) {
		outer_clips[i] = r->animations[i].parent == SNW_NONE ? next++ : 0;
	}
	bool *is_named = SNW_NEW_ARRAY(r->arena, bool, r->animation_count);
	for (uint32_t c = 0; c < r->clip_count; c++) {
		memset(is_named, 0, r->animation_count);
		for (uint32_t i = 0; i < r->clips[c].instance_count; i++) {
			const uint32_t found = snw_id_table_find(&r->animation_ids, r->clips[c].instances[i]);
			if (found != SNW_NONE) {
				is_named[found] = true;
			}
		}
		for (uint32_t i = 0; i < r->animation_count; i++) { /* outer ones come first */
			const uint32_t parent = r->animations[i].parent;
			is_named[i] = is_named[i] || (parent != SNW_NONE && is_named[parent]);
		}
		for (uint32_t i = 0; i < r->curve_count; i++) {
			const uint32_t at = r->curves[i].animation;
			members[(size_t)c * r->curve_count + i] =
				are_made ? r->clip_count == 1 || outer_clips[r->animations[at].outer] == c : is_named[at];
		}
	}
	return members;
}

/* ---- writing ------------------------------------------------------------------------------------------------------------- */

static void put_number(snw_collada_animations *r, double number) {
	char text[40];
	snprintf(text, sizeof text, " %.9g", number);
	for (char *at = text; *at; at++) { /* in any locale */
		*at = *at == ',' ? '.' : *at;
	}
	snw_write_text(&r->out, text);
}

/* A source of a straightened curve, whose numbers mean what those before did. */
static void put_source(snw_collada_animations *r, const char *word, uint32_t index, const double *numbers, uint32_t count,
					   uint32_t width, snw_span params) {
	snw_write_text(&r->out,
				   snw_arena_format(r->arena, "<source id=\"sinew-%s-%u\"><float_array id=\"sinew-%s-%u-a\" count=\"%u\">",
									word, index, word, index, count * width));
	for (size_t i = 0; i < (size_t)count * width; i++) {
		put_number(r, numbers[i]);
	}
	snw_write_text(&r->out, snw_arena_format(r->arena,
											 "</float_array><technique_common><accessor source=\"#sinew-%s-%u-a\" count=\"%u\" "
											 "stride=\"%u\">",
											 word, index, count, width));
	snw_write_span(&r->out, params);
	snw_write_text(&r->out, "</accessor></technique_common></source>");
}

static void put_input(snw_collada_animations *r, const char *semantic, snw_span id) {
	snw_write_text(&r->out, snw_arena_format(r->arena, "<input semantic=\"%s\" source=\"#%.*s\"/>", semantic,
											 (int)(id.end - id.begin), id.begin));
}

static void put_sources(snw_collada_animations *r) {
	static const char time[] = "<param name=\"TIME\" type=\"float\"/>";
	for (uint32_t i = 0; i < r->source_count; i++) {
		snw_write_span(&r->out, r->sources[i].whole);
	}
	for (uint32_t i = 0; i < r->sampler_count; i++) {
		sampler *s = &r->samplers[i];
		const keys *straight = straight_keys(r, s);
		if (straight) {
			put_source(r, "times", i, straight->seconds, straight->count, 1, (snw_span){time, time + sizeof time - 1});
			put_source(r, "values", i, straight->values, straight->count, straight->width, source_of(r, s, OUTPUT)->accessor);
		}
	}
}

static void put_curve(snw_collada_animations *r, const snw_collada_curve *c, uint32_t number) {
	sampler *s = sampler_of(r, c);
	if (!s) {
		return;
	}
	snw_write_text(&r->out, snw_arena_format(r->arena, "<sampler id=\"sinew-sampler-%u\">", number));
	if (straight_keys(r, s)) {
		const uint32_t at = (uint32_t)(s - r->samplers);
		snw_write_text(&r->out,
					   snw_arena_format(r->arena,
										"<input semantic=\"INPUT\" source=\"#sinew-times-%u\"/><input semantic=\"OUTPUT\" "
										"source=\"#sinew-values-%u\"/>",
										at, at));
	} else {
		put_input(r, "INPUT", s->sources[INPUT]);
		put_input(r, "OUTPUT", s->sources[OUTPUT]);
	}
	snw_write_text(&r->out, snw_arena_format(r->arena, "</sampler><channel source=\"#sinew-sampler-%u\" target=\"%.*s\"/>",
											 number, (int)(c->target.end - c->target.begin), c->target.begin));
}

/* For snw_assimp, which reads the clips that Assimp then has of them. */
static void list_clips(snw_collada_animations *r, const bool *members) {
	snw_assimp *a = r->a;
	a->collada_clip_count = r->clip_count;
	a->collada_clips = SNW_NEW_ARRAY(r->arena, snw_assimp_clip, r->clip_count);
	for (uint32_t c = 0; c < r->clip_count; c++) {
		a->collada_clips[c] = (snw_assimp_clip){
			.assimp_name = snw_arena_format(r->arena, "sinew-clip-%u", c),
			.name = snw_arena_format(r->arena, "%.*s", (int)(r->clips[c].name.end - r->clips[c].name.begin),
									 r->clips[c].name.begin),
			.from_seconds = r->clips[c].from_seconds,
			.to_seconds = r->clips[c].to_seconds,
			.has_curves = members + (size_t)c * r->curve_count,
		};
	}
}

const char *snw_collada_animations_write(snw_collada_animations *r) {
	uint32_t number = 0;
	const bool are_made = r->clip_count == 0;
	if (r->curve_count == 0) {
		return NULL;
	}
	if (are_made) {
		make_clips(r);
	}
	limit_clips(r);
	const bool *members = list_members(r, are_made);
	list_clips(r, members);
	snw_write_text(&r->out, "<library_animations>");
	for (uint32_t c = 0; c < r->clip_count; c++) {
		snw_write_text(&r->out, snw_arena_format(r->arena, "<animation id=\"sinew-clip-%u\">", c));
		if (c == 0) { /* Assimp finds them for all */
			put_sources(r);
		}
		for (uint32_t i = 0; i < r->curve_count; i++) {
			if (members[(size_t)c * r->curve_count + i] && !r->curves[i].is_of_morph) {
				put_curve(r, &r->curves[i], number++);
			}
		}
		snw_write_text(&r->out, "</animation>");
	}
	snw_write_text(&r->out, "</library_animations>");
	/* Assimp 5.2 takes such a library for one clip, and all animations that are in it for that clip's. */
	for (uint32_t c = 0; c < r->clip_count; c++) {
		snw_write_text(&r->out, snw_arena_format(r->arena,
												 "<library_animation_clips name=\"sinew-clip-%u\"><instance_animation "
												 "url=\"#sinew-clip-%u\"/></library_animation_clips>",
												 c, c));
	}
	return r->out.text;
}
