/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Animation stacks and their layers. The base layer gives the values. A layer above adds a share of its own, by its weight;
 * or it does so to nothing (override); or it goes so far from the values below to its own (pass through).
 */
#include <math.h>
#include <string.h>

#include "import/fbx/animation.h"
#include "sinew/algebra.h"

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
