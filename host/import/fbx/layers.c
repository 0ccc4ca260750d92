/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Animation stacks and their layers. The base layer gives the values. A layer above adds a share of its own, by its weight;
 * or it does so to nothing (override); or it goes so far from the values below to its own (pass through).
 */
#include <math.h>
#include <string.h>

#include "import/fbx/fbx_internal.h"
#include "pose/clip.h"
#include "sinew/algebra.h"

/* ---- layers -------------------------------------------------------------------------------------------------------------- */

typedef enum snw_fbx_blend_mode { SNW_FBX_ADD, SNW_FBX_OVERRIDE, SNW_FBX_PASS_THROUGH } snw_fbx_blend_mode;

/* ---- what a stack has ---------------------------------------------------------------------------------------------------- */

snw_fbx_stack snw_fbx_make_stack(snw_fbx *f, const snw_fbx_objects *objects, const snw_fbx_models *models) {
	return (snw_fbx_stack){
		.f = f,
		.objects = objects,
		.models = models,
		.curves = SNW_NEW_ARRAY(f->reading.scratch, snw_fbx_curve *, objects->count),
		.animated = SNW_NEW_ARRAY(f->reading.scratch, snw_fbx_moved, objects->count),
	};
}

/* The curve that is connected to a property of a curve node; *curve is NULL for none, or for one without keys. */
static bool find_curve(snw_fbx_stack *stack, uint32_t curve_node, const char *property, const snw_fbx_curve **curve) {
	uint32_t at = 0;
	const uint32_t object = snw_fbx_next_source(stack->objects, curve_node, "AnimationCurve", NULL, property, &at);
	*curve = NULL;
	if (object == SNW_NONE) {
		return true;
	}
	if (!stack->curves[object]) {
		stack->curves[object] = SNW_NEW(stack->f->reading.scratch, snw_fbx_curve);
		if (!snw_fbx_read_curve(stack->f, stack->objects->objects[object].node, stack->curves[object])) {
			return false;
		}
	}
	stack->curves[object]->until = stack->end > stack->begin ? stack->end : HUGE_VAL;
	*curve = stack->curves[object]->key_count > 0 ? stack->curves[object] : NULL;
	return true;
}

static bool read_layer(snw_fbx_stack *stack, uint32_t object, snw_fbx_layer *layer) {
	const snw_fbx_objects *objects = stack->objects;
	uint32_t at = 0;
	const uint32_t weights = snw_fbx_next_source(objects, object, "AnimationCurveNode", NULL, "Weight", &at);
	*layer = (snw_fbx_layer){
		.object = object,
		.is_muted = snw_fbx_property_integer(objects, object, "Mute", 0) != 0,
		.blend_mode = (int)snw_fbx_property_integer(objects, object, "BlendMode", SNW_FBX_ADD),
		.adds_angles = snw_fbx_property_integer(objects, object, "RotationAccumulationMode", 0) == 1,
		.adds_scales = snw_fbx_property_integer(objects, object, "ScaleAccumulationMode", 0) == 1,
		.weight = snw_fbx_property_number(objects, object, "Weight", 100),
	};
	return weights == SNW_NONE || find_curve(stack, weights, "d|Weight", &layer->weights);
}

/* What a connection of a curve node moves. */
typedef struct moved_property {
	const char *name;
	snw_fbx_path path;
	const char *curves[3];
} moved_property;

static const moved_property moved_properties[] = {
	{"Lcl Translation", SNW_FBX_TRANSLATION, {"d|X", "d|Y", "d|Z"}},
	{"Lcl Rotation", SNW_FBX_ROTATION, {"d|X", "d|Y", "d|Z"}},
	{"Lcl Scaling", SNW_FBX_SCALE, {"d|X", "d|Y", "d|Z"}},
	{"DeformPercent", SNW_FBX_WEIGHT, {"d|DeformPercent", NULL, NULL}},
};

static const moved_property *property_of(const snw_fbx_link *link) {
	for (size_t i = 0; i < sizeof moved_properties / sizeof *moved_properties; i++) {
		if (snw_fbx_text_is(link->connection, 3, moved_properties[i].name)) {
			return &moved_properties[i];
		}
	}
	return NULL;
}

/* The property of an object as this stack moves it; begun with the object's own value. */
static snw_fbx_animated *animated_of(snw_fbx_stack *stack, uint32_t object, snw_fbx_path path) {
	snw_fbx_animated **slot = &stack->animated[object][path == SNW_FBX_WEIGHT ? 0 : path];
	if (*slot) {
		return *slot;
	}
	snw_fbx_animated *animated = SNW_NEW(stack->f->reading.scratch, snw_fbx_animated);
	const uint32_t m = stack->models->of_objects[object];
	if (path == SNW_FBX_WEIGHT) {
		animated->initial[0] = snw_fbx_property_number(stack->objects, object, "DeformPercent", 0);
	} else {
		const snw_fbx_model *model = &stack->models->models[m];
		memcpy(animated->initial,
			   path == SNW_FBX_TRANSLATION ? model->translation
			   : path == SNW_FBX_ROTATION  ? model->rotation
										   : model->scale,
			   sizeof animated->initial);
		animated->order = model->order;
	}
	stack->touched =
		snw_arena_grow(stack->f->reading.scratch, stack->touched, stack->touched_count, &stack->touched_room, sizeof(uint32_t));
	stack->touched[stack->touched_count++] = object;
	*slot = animated;
	return animated;
}

/* Adds what a curve node does to a property. A component without a curve has the value of the curve node. */
static bool add_curves(snw_fbx_stack *stack, const snw_fbx_layer *layer, uint32_t curve_node, uint32_t object,
					   const moved_property *property) {
	snw_fbx_animated *animated = animated_of(stack, object, property->path);
	if (!snw_reading_reserve(&stack->f->reading, 1, sizeof(snw_fbx_layer_curves))) {
		return false;
	}
	snw_fbx_layer_curves *curves = SNW_NEW(stack->f->reading.scratch, snw_fbx_layer_curves);
	curves->layer = layer;
	for (int i = 0; i < 3 && property->curves[i]; i++) {
		const double initial = animated->initial[i];
		curves->constants[i] = snw_fbx_property_number(stack->objects, curve_node, property->curves[i], initial);
		if (!find_curve(stack, curve_node, property->curves[i], &curves->curves[i])) {
			return false;
		}
	}
	*(animated->last ? &animated->last->next : &animated->first) = curves;
	animated->last = curves;
	return true;
}

static bool read_curve_nodes(snw_fbx_stack *stack, const snw_fbx_layer *layer) {
	uint32_t at = 0, curve_node;
	while ((curve_node = snw_fbx_next_source(stack->objects, layer->object, "AnimationCurveNode", NULL, NULL, &at)) !=
		   SNW_NONE) {
		const snw_fbx_object *object = &stack->objects->objects[curve_node];
		for (uint32_t i = 0; i < object->owner_count; i++) {
			const snw_fbx_link *link = &stack->objects->owners[object->first_owner + i];
			const moved_property *property = property_of(link);
			const bool is_channel = snw_fbx_object_is(stack->objects, link->object, "Deformer", "BlendShapeChannel");
			const bool fits =
				property &&
				(property->path == SNW_FBX_WEIGHT ? is_channel : stack->models->of_objects[link->object] != SNW_NONE);
			if (fits && !add_curves(stack, layer, curve_node, link->object, property)) {
				return false;
			}
		}
	}
	return true;
}

bool snw_fbx_read_stack(snw_fbx_stack *stack, uint32_t object) {
	const snw_fbx_objects *objects = stack->objects;
	for (uint32_t i = 0; i < stack->touched_count; i++) {
		memset(stack->animated[stack->touched[i]], 0, sizeof *stack->animated);
	}
	stack->touched_count = 0;
	stack->begin = snw_fbx_seconds(snw_fbx_property_integer(objects, object, "LocalStart", 0));
	stack->end = snw_fbx_seconds(snw_fbx_property_integer(objects, object, "LocalStop", 0));
	uint32_t at = 0, count = 0, source;
	snw_fbx_layer *layers = SNW_NEW_ARRAY(stack->f->reading.scratch, snw_fbx_layer, objects->objects[object].source_count);
	while ((source = snw_fbx_next_source(objects, object, "AnimationLayer", NULL, NULL, &at)) != SNW_NONE) {
		if (!read_layer(stack, source, &layers[count])) {
			return false;
		}
		layers[count].is_base = count == 0;
		count++;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (!layers[i].is_muted && !read_curve_nodes(stack, &layers[i])) {
			return false;
		}
	}
	return true;
}

/* ---- sampling ------------------------------------------------------------------------------------------------------------ */

static void rotate_by(const double rotation[4], double share, double dest[4]) {
	double vector[3];
	snw_quat_to_rotation_vector(rotation, vector);
	for (int i = 0; i < 3; i++) {
		vector[i] *= share;
	}
	snw_quat_from_rotation_vector(vector, dest);
}

/* Rotations as rotations. Autodesk's players take the angles of any order as those of XYZ, or of ZYX if it is an odd one, and
 * read them back the same way. They ignore the weight of an override. */
static void blend_rotation(const snw_fbx_layer *layer, const double value[3], int order, double share, double below[3]) {
	const int blended_as = order % 2 ? SNW_FBX_ZYX : SNW_FBX_XYZ;
	double base[4], rotation[4], back[4], part[4];
	if (layer->blend_mode == SNW_FBX_OVERRIDE) {
		memcpy(below, value, 3 * sizeof *below);
		return;
	}
	snw_fbx_euler(below, blended_as, base);
	snw_fbx_euler(value, blended_as, rotation);
	if (layer->blend_mode == SNW_FBX_PASS_THROUGH) {
		snw_quat_conjugate(base, back);
		snw_quat_multiply(back, rotation, rotation);
		rotate_by(rotation, share, part);
		snw_quat_multiply(base, part, base);
	} else {
		rotate_by(rotation, share, part);
		snw_quat_multiply(blended_as == SNW_FBX_XYZ ? base : part, blended_as == SNW_FBX_XYZ ? part : base, base);
	}
	snw_fbx_angles(base, blended_as, below);
}

static void blend(const snw_fbx_layer *layer, snw_fbx_path path, int order, const double value[3], double share,
				  double below[3]) {
	const bool multiplies = path == SNW_FBX_SCALE && !layer->adds_scales;
	if (path == SNW_FBX_ROTATION && !layer->adds_angles) {
		blend_rotation(layer, value, order, share, below);
		return;
	}
	for (int i = 0; i < 3; i++) {
		if (layer->blend_mode == SNW_FBX_OVERRIDE) {
			below[i] = multiplies ? 1 : 0;
		}
		if (layer->blend_mode == SNW_FBX_PASS_THROUGH) {
			below[i] += share * (value[i] - below[i]);
		} else if (multiplies) {
			below[i] *= value[i] > 0 ? pow(value[i], share) : 1 + share * (value[i] - 1);
		} else {
			below[i] += share * value[i];
		}
	}
}

void snw_fbx_sample(const snw_fbx_animated *animated, snw_fbx_path path, double seconds, bool before, double value[3]) {
	memcpy(value, animated->initial, sizeof animated->initial);
	for (const snw_fbx_layer_curves *curves = animated->first; curves; curves = curves->next) {
		const snw_fbx_layer *layer = curves->layer;
		double layer_value[3];
		for (int i = 0; i < 3; i++) {
			layer_value[i] =
				curves->curves[i] ? snw_fbx_sample_curve(curves->curves[i], seconds, before) : curves->constants[i];
		}
		if (layer->is_base) {
			memcpy(value, layer_value, sizeof layer_value);
		} else {
			const double percent = layer->weights ? snw_fbx_sample_curve(layer->weights, seconds, before) : layer->weight;
			blend(layer, path, animated->order, layer_value, fmin(fmax(percent / 100, 0), 1), value);
		}
	}
}

/* ---- tracks -------------------------------------------------------------------------------------------------------------- */

/* Tracks of values over time. The keys are where the curves have keys; a cubic track takes its tangents from the values,
 * which is exact where they are cubic polynomials of the time. Where the value between two keys is further off than the
 * tolerance, a key is added in the middle, and so on. */

#define STEP_SECONDS 1e-4 /* a step inside a cubic track takes so long */
enum { DEEPEST = 10, PROBES = 5 };

typedef struct builder {
	snw_fbx *f;
	const snw_fbx_track_request *request;
	uint32_t width;
	uint32_t count, room; /* of the keys */
	double *seconds;
	double *values; /* [count][3][width]: in-tangent, value, out-tangent */
} builder;

static void sample(const builder *b, double seconds, bool before, double value[4]) {
	b->request->sampler(b->request->context, seconds, before, value);
}

/* How far two values are from each other; for rotations, the angle between them. */
static double distance(const builder *b, const double x[4], const double y[4]) {
	double sum = 0, opposite = 0;
	for (uint32_t i = 0; i < b->width; i++) {
		sum += (x[i] - y[i]) * (x[i] - y[i]);
		opposite += (x[i] + y[i]) * (x[i] + y[i]);
	}
	if (b->request->path != SNW_PATH_ROTATION) {
		return sqrt(sum);
	}
	return 4 * asin(fmin(sqrt(fmin(sum, opposite)) / 2, 1));
}

/* ---- cubic keys ---------------------------------------------------------------------------------------------------------- */

/* Makes a quaternion the nearer of the two that are its rotation. Returns whether it was the other. */
static bool go_on(const builder *b, const double before[4], double value[4]) {
	if (b->request->path != SNW_PATH_ROTATION || snw_quat_dot(before, value) >= 0) {
		return false;
	}
	for (int i = 0; i < 4; i++) {
		value[i] = -value[i];
	}
	return true;
}

/* The value at the end of an interval, reached in small steps from that at its begin. */
static void reach_end(const builder *b, double from, double to, const double first[4], double last[4]) {
	enum { STEPS = 16 };
	double before[4];
	memcpy(before, first, sizeof before);
	for (int i = 1; i <= STEPS; i++) {
		sample(b, i == STEPS ? to : from + (to - from) * i / STEPS, i == STEPS, last);
		(void)go_on(b, before, last);
		memcpy(before, last, sizeof before);
	}
}

/* The slope at one end of an interval, where it has `value`, from four values in it: exact for a cubic. */
static void find_slope(const builder *b, double at, double toward, const double value[4], double slope[4]) {
	const double step = (toward - at) / 48;
	double values[4][4];
	for (int i = 0; i < 4; i++) {
		sample(b, at + i * step, toward < at, values[i]);
		(void)go_on(b, i > 0 ? values[i - 1] : value, values[i]);
	}
	for (uint32_t i = 0; i < b->width; i++) {
		slope[i] = (-11 * values[0][i] + 18 * values[1][i] - 9 * values[2][i] + 2 * values[3][i]) / (6 * step);
	}
}

static double *new_key(builder *b, double seconds) {
	const size_t row = 3 * (size_t)b->width;
	if (b->count == b->room) {
		const uint32_t room = b->room < 16 ? 16 : 2 * b->room;
		double *times = SNW_NEW_ARRAY(b->f->reading.scratch, double, room),
			   *values = SNW_NEW_ARRAY(b->f->reading.scratch, double, room *row);
		if (b->count > 0) {
			memcpy(times, b->seconds, b->count * sizeof *times);
			memcpy(values, b->values, b->count * row * sizeof *values);
		}
		b->seconds = times;
		b->values = values;
		b->room = room;
	}
	b->seconds[b->count] = seconds;
	return b->values + row * b->count++;
}

/* Whether a cubic between two moments is near the values there. */
static bool is_near_cubic(const builder *b, double from, double to, const double first[4], const double out[4],
						  const double last[4], const double in[4]) {
	const double span = to - from;
	for (int p = 1; p <= PROBES; p++) {
		const double s = (double)p / (PROBES + 1), s2 = s * s, s3 = s2 * s;
		double value[4], cubic[4];
		sample(b, from + s * span, false, value);
		for (uint32_t i = 0; i < b->width; i++) {
			cubic[i] = (2 * s3 - 3 * s2 + 1) * first[i] + span * (s3 - 2 * s2 + s) * out[i] + (3 * s2 - 2 * s3) * last[i] +
					   span * (s3 - s2) * in[i];
		}
		if (b->request->path == SNW_PATH_ROTATION) {
			snw_quat_normalize(cubic);
		}
		if (!(distance(b, value, cubic) <= b->request->tolerance)) {
			return false;
		}
	}
	return true;
}

/* Adds the keys of an interval after its first key, which is the last one that was added and has the value `first`. */
static void add_interval(builder *b, double from, double to, const double first[4], int depth) {
	double last[4], out[4], in[4];
	reach_end(b, from, to, first, last);
	find_slope(b, from, to, first, out);
	find_slope(b, to, from, last, in);
	if (depth < DEEPEST && !is_near_cubic(b, from, to, first, out, last, in)) {
		const double middle = from + (to - from) / 2;
		add_interval(b, from, middle, first, depth + 1);
		double half[4];
		memcpy(half, b->values + (3 * (size_t)(b->count - 1) + 1) * b->width, b->width * sizeof *half);
		add_interval(b, middle, to, half, depth + 1);
		return;
	}
	const size_t bytes = b->width * sizeof *out;
	memcpy(b->values + (3 * (size_t)(b->count - 1) + 2) * b->width, out, bytes);
	double after[4];
	sample(b, to, false, after);
	(void)go_on(b, last, after);
	const bool steps = distance(b, last, after) > b->request->tolerance;
	const double end = steps ? to - fmin(STEP_SECONDS, (to - from) / 2) : to;
	if (steps) {
		double value[4];
		sample(b, end, true, value);
		(void)go_on(b, last, value);
		memcpy(last, value, sizeof last);
	}
	double *key = new_key(b, end);
	memcpy(key, in, bytes);
	memcpy(key + b->width, last, bytes);
	if (steps) {
		/* A straight line through the step. */
		const double span = to - b->seconds[b->count - 1];
		for (uint32_t i = 0; i < b->width; i++) {
			key[2 * b->width + i] = (after[i] - last[i]) / span;
		}
		key = new_key(b, to);
		const double *before = key - 3 * (size_t)b->width;
		memcpy(key, before + 2 * b->width, bytes);
		memcpy(key + b->width, after, bytes);
	}
}

static void make_cubic(builder *b, snw_track *track) {
	const snw_fbx_track_request *r = b->request;
	double first[4];
	sample(b, r->seconds[0], false, first);
	memcpy(new_key(b, r->seconds[0]) + b->width, first, b->width * sizeof *first);
	for (uint32_t k = 0; k + 1 < r->key_count; k++) {
		memcpy(first, b->values + (3 * (size_t)(b->count - 1) + 1) * b->width, b->width * sizeof *first);
		add_interval(b, r->seconds[k], r->seconds[k + 1], first, 0);
	}
	track->interpolation = SNW_CUBIC;
	track->key_count = b->count;
	track->seconds = b->seconds;
	track->values = b->values;
}

/* ---- simpler tracks ------------------------------------------------------------------------------------------------------ */

/* Which forms can hold the values: one key, steps, straight lines. */
typedef struct forms {
	bool is_constant, is_stepped, is_linear;
} forms;

static void probe_interval(const builder *b, double from, double to, const double first[4], forms *found) {
	const double tolerance = b->request->tolerance, exact = 1e-9 * tolerance;
	double last[4], after[4], value[4], line[4];
	sample(b, to, true, last);
	sample(b, to, false, after);
	found->is_constant &= distance(b, first, last) <= exact && distance(b, first, after) <= exact;
	found->is_stepped &= distance(b, first, last) <= exact;
	found->is_linear &= distance(b, last, after) <= exact;
	for (int p = 1; p <= PROBES && (found->is_constant || found->is_stepped || found->is_linear); p++) {
		const double s = (double)p / (PROBES + 1);
		sample(b, from + s * (to - from), false, value);
		found->is_constant &= distance(b, first, value) <= exact;
		found->is_stepped &= distance(b, first, value) <= exact;
		if (b->request->path == SNW_PATH_ROTATION) {
			snw_quat_slerp(first, last, s, line);
		} else {
			for (uint32_t i = 0; i < b->width; i++) {
				line[i] = (1 - s) * first[i] + s * last[i];
			}
		}
		found->is_linear &= distance(b, value, line) <= tolerance;
	}
}

static forms probe(const builder *b) {
	const snw_fbx_track_request *r = b->request;
	forms found = {true, true, true};
	double first[4];
	for (uint32_t k = 0; k + 1 < r->key_count && (found.is_stepped || found.is_linear); k++) {
		sample(b, r->seconds[k], false, first);
		probe_interval(b, r->seconds[k], r->seconds[k + 1], first, &found);
	}
	return found;
}

static void make_keys(const builder *b, int32_t interpolation, uint32_t count, snw_track *track) {
	double *seconds = SNW_NEW_ARRAY(b->f->reading.scratch, double, count);
	double *values = SNW_NEW_ARRAY(b->f->reading.scratch, double, (size_t)count * b->width);
	for (uint32_t k = 0; k < count; k++) {
		double value[4];
		seconds[k] = b->request->seconds[k];
		sample(b, seconds[k], false, value);
		memcpy(values + (size_t)k * b->width, value, b->width * sizeof *value);
	}
	track->interpolation = interpolation;
	track->key_count = count;
	track->seconds = seconds;
	track->values = values;
}

bool snw_fbx_make_track(snw_fbx *f, const snw_fbx_track_request *request, snw_track *track) {
	*track = (snw_track){.target = request->target, .path = request->path};
	builder b = {.f = f, .request = request, .width = snw_track_width(track)};
	const forms found = probe(&b);
	if (found.is_constant) {
		make_keys(&b, SNW_LINEAR, 1, track);
	} else if (found.is_stepped) {
		make_keys(&b, SNW_STEP, request->key_count, track);
	} else if (found.is_linear) {
		make_keys(&b, SNW_LINEAR, request->key_count, track);
	} else {
		make_cubic(&b, track);
	}
	const size_t row = (size_t)b.width * (track->interpolation == SNW_CUBIC ? 3 : 1);
	if (!snw_reading_reserve(&f->reading, track->key_count, (row + 1) * sizeof(double))) {
		return false;
	}
	double *seconds = snw_arena_copy(f->reading.arena, track->seconds, track->key_count * sizeof *seconds);
	double *values = snw_arena_copy(f->reading.arena, track->values, track->key_count * row * sizeof *values);
	for (uint32_t k = 0; k < track->key_count; k++) {
		seconds[k] -= request->begin;
	}
	for (size_t k = 0; request->path == SNW_PATH_ROTATION && k < track->key_count; k++) {
		snw_quat_normalize(values + row * k + (track->interpolation == SNW_CUBIC ? b.width : 0));
	}
	track->seconds = seconds;
	track->values = values;
	return true;
}
