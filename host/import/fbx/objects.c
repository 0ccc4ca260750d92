/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "import/common/reading.h"
#include "import/fbx/fbx_internal.h"
#include "sinew/algebra.h"

/* ---- objects by id ------------------------------------------------------------------------------------------------------- */

static size_t first_place(const snw_fbx_objects *objects, int64_t id) {
	uint64_t hash = (uint64_t)id * 0x9e3779b97f4a7c15u;
	hash ^= hash >> 32;
	return (size_t)hash & objects->mask;
}

static uint32_t find(const snw_fbx_objects *objects, int64_t id) {
	for (size_t at = first_place(objects, id); objects->table[at] != SNW_NONE; at = (at + 1) & objects->mask) {
		if (objects->objects[objects->table[at]].id == id) {
			return objects->table[at];
		}
	}
	return SNW_NONE;
}

static void put(snw_fbx_objects *objects, uint32_t object) {
	size_t at = first_place(objects, objects->objects[object].id);
	while (objects->table[at] != SNW_NONE) {
		at = (at + 1) & objects->mask;
	}
	objects->table[at] = object;
}

static bool has_id(const snw_fbx_node *node) {
	return node->value_count > 0 && node->values[0].kind == SNW_FBX_INTEGER;
}

enum { KINDS = 64 }; /* of objects that can have properties to begin with; files have about ten */

/* The properties that each kind of object begins with. */
static uint32_t list_kinds(const snw_fbx *f, const snw_fbx_node *kinds[KINDS]) {
	const snw_fbx_node *definitions = snw_fbx_child(&f->root, "Definitions");
	uint32_t count = 0;
	for (const snw_fbx_node *node = definitions ? definitions->child : NULL; node && count < KINDS; node = node->next) {
		if (snw_fbx_is(node, "ObjectType") && snw_fbx_child(node, "PropertyTemplate")) {
			kinds[count++] = node;
		}
	}
	return count;
}

static const snw_fbx_node *defaults_of(const snw_fbx_node *const kinds[KINDS], uint32_t count, const snw_fbx_node *object) {
	for (uint32_t i = 0; i < count; i++) {
		const snw_fbx_value *kind = kinds[i]->value_count > 0 ? &kinds[i]->values[0] : NULL;
		if (kind && kind->kind == SNW_FBX_TEXT && kind->bytes.count == object->name_length &&
			memcmp(kind->bytes.data, object->name, object->name_length) == 0) {
			return snw_fbx_child(kinds[i], "PropertyTemplate");
		}
	}
	return NULL;
}

static bool list_objects(snw_fbx *f, snw_fbx_objects *objects) {
	const snw_fbx_node *list = snw_fbx_child(&f->root, "Objects"), *kinds[KINDS];
	const uint32_t kind_count = list_kinds(f, kinds);
	size_t size = 16;
	for (const snw_fbx_node *node = list ? list->child : NULL; node; node = node->next) {
		objects->count += has_id(node);
	}
	while (size < 2 * (size_t)objects->count) {
		size *= 2;
	}
	if (!snw_reading_reserve(&f->reading, objects->count, sizeof(snw_fbx_object)) ||
		!snw_reading_reserve(&f->reading, size, sizeof(uint32_t))) {
		return false;
	}
	objects->objects = SNW_NEW_ARRAY(f->reading.scratch, snw_fbx_object, objects->count);
	objects->table = SNW_NEW_ARRAY(f->reading.scratch, uint32_t, size);
	objects->mask = size - 1;
	memset(objects->table, 0xff, size * sizeof *objects->table);
	uint32_t next = 0;
	for (const snw_fbx_node *node = list ? list->child : NULL; node; node = node->next) {
		if (!has_id(node)) {
			continue;
		}
		const int64_t id = node->values[0].integer;
		if (find(objects, id) != SNW_NONE) {
			return snw_reading_fail(&f->reading, SNW_ERROR_DATA,
									"two objects have the id %lld; the file is damaged: export it again", (long long)id);
		}
		objects->objects[next] = (snw_fbx_object){.id = id, .node = node, .defaults = defaults_of(kinds, kind_count, node)};
		put(objects, next++);
	}
	return true;
}

/* ---- connections --------------------------------------------------------------------------------------------------------- */

typedef struct connection {
	uint32_t source, owner;
	const snw_fbx_node *node;
} connection;

static bool list_connections(snw_fbx *f, const snw_fbx_objects *objects, connection **list, uint32_t *count) {
	const snw_fbx_node *section = snw_fbx_child(&f->root, "Connections");
	uint32_t limit = 0;
	for (const snw_fbx_node *node = section ? section->child : NULL; node; node = node->next) {
		limit++;
	}
	if (!snw_reading_reserve(&f->reading, limit, sizeof(connection) + 2 * sizeof(snw_fbx_link))) {
		return false;
	}
	*list = SNW_NEW_ARRAY(f->reading.scratch, connection, limit);
	*count = 0;
	for (const snw_fbx_node *node = section ? section->child : NULL; node; node = node->next) {
		if (!snw_fbx_text_is(node, 0, "OO") && !snw_fbx_text_is(node, 0, "OP")) {
			continue; /* of properties to each other */
		}
		const uint32_t source = find(objects, snw_fbx_integer(node, 1, 0)), owner = find(objects, snw_fbx_integer(node, 2, 0));
		if (source != SNW_NONE && owner != SNW_NONE) {
			(*list)[(*count)++] = (connection){source, owner, node};
		}
	}
	return true;
}

/* Sorts the connections by each of their ends, by counting. */
static bool read_connections(snw_fbx *f, snw_fbx_objects *objects) {
	connection *list;
	uint32_t count, sources = 0, owners = 0;
	if (!list_connections(f, objects, &list, &count)) {
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		objects->objects[list[i].owner].source_count++;
		objects->objects[list[i].source].owner_count++;
	}
	for (uint32_t o = 0; o < objects->count; o++) {
		snw_fbx_object *object = &objects->objects[o];
		object->first_source = sources;
		object->first_owner = owners;
		sources += object->source_count;
		owners += object->owner_count;
		object->source_count = object->owner_count = 0;
	}
	objects->sources = SNW_NEW_ARRAY(f->reading.scratch, snw_fbx_link, count);
	objects->owners = SNW_NEW_ARRAY(f->reading.scratch, snw_fbx_link, count);
	for (uint32_t i = 0; i < count; i++) {
		snw_fbx_object *source = &objects->objects[list[i].source], *owner = &objects->objects[list[i].owner];
		objects->sources[owner->first_source + owner->source_count++] = (snw_fbx_link){list[i].source, list[i].node};
		objects->owners[source->first_owner + source->owner_count++] = (snw_fbx_link){list[i].owner, list[i].node};
	}
	return true;
}

bool snw_fbx_read_objects(snw_fbx *f, snw_fbx_objects *objects) {
	*objects = (snw_fbx_objects){0};
	return list_objects(f, objects) && read_connections(f, objects);
}

/* ---- finding ------------------------------------------------------------------------------------------------------------- */

bool snw_fbx_object_is(const snw_fbx_objects *objects, uint32_t object, const char *name, const char *class) {
	const snw_fbx_node *node = objects->objects[object].node;
	return snw_fbx_is(node, name) && (!class || snw_fbx_text_is(node, 2, class));
}

/* A binary file has "arm\0\1Model", which ends at its zero byte, a text file "Model::arm". */
char *snw_fbx_object_name(snw_fbx *f, const snw_fbx_objects *objects, uint32_t object) {
	char *text = snw_fbx_text(f, objects->objects[object].node, 1);
	char *separator = text && f->is_text ? strstr(text, "::") : NULL;
	return separator ? separator + 2 : text;
}

uint32_t snw_fbx_next_source(const snw_fbx_objects *objects, uint32_t owner, const char *name, const char *class,
							 const char *property, uint32_t *at) {
	const snw_fbx_object *object = &objects->objects[owner];
	while (*at < object->source_count) {
		const snw_fbx_link *link = &objects->sources[object->first_source + (*at)++];
		if (snw_fbx_object_is(objects, link->object, name, class) &&
			(!property || snw_fbx_text_is(link->connection, 3, property))) {
			return link->object;
		}
	}
	return SNW_NONE;
}

uint32_t snw_fbx_owner(const snw_fbx_objects *objects, uint32_t object, const char *name, const char *class) {
	const snw_fbx_object *source = &objects->objects[object];
	for (uint32_t i = 0; i < source->owner_count; i++) {
		const uint32_t owner = objects->owners[source->first_owner + i].object;
		if (snw_fbx_object_is(objects, owner, name, class)) {
			return owner;
		}
	}
	return SNW_NONE;
}

/* ---- properties ---------------------------------------------------------------------------------------------------------- */

/* The property of a list that is no object's, such as GlobalSettings. */
static const snw_fbx_node *fbx_setting(const snw_fbx_node *node, const char *name) {
	const snw_fbx_node *list = snw_fbx_child(node, "Properties70");
	const snw_fbx_node *property = list ? list->child : NULL;
	while (property && !snw_fbx_text_is(property, 0, name)) {
		property = property->next;
	}
	return property;
}

const snw_fbx_node *snw_fbx_property(const snw_fbx_objects *objects, uint32_t object, const char *name) {
	const snw_fbx_node *property = fbx_setting(objects->objects[object].node, name);
	return property ? property : fbx_setting(objects->objects[object].defaults, name);
}

double snw_fbx_property_number(const snw_fbx_objects *objects, uint32_t object, const char *name, double otherwise) {
	return snw_fbx_number(snw_fbx_property(objects, object, name), 4, otherwise);
}

int64_t snw_fbx_property_integer(const snw_fbx_objects *objects, uint32_t object, const char *name, int64_t otherwise) {
	return snw_fbx_integer(snw_fbx_property(objects, object, name), 4, otherwise);
}

bool snw_fbx_property_vector(const snw_fbx_objects *objects, uint32_t object, const char *name, double vector[3]) {
	const snw_fbx_node *property = snw_fbx_property(objects, object, name);
	for (uint32_t i = 0; property && i < 3; i++) {
		vector[i] = snw_fbx_number(property, 4 + i, vector[i]);
	}
	return property != NULL;
}

/* ---- space --------------------------------------------------------------------------------------------------------------- */

/* One of the file's axes, as its settings name it. */
static bool read_axis(const snw_fbx_node *settings, const char *axis, const char *sign, int dest, snw_fbx_space *space) {
	const int64_t index = snw_fbx_integer(fbx_setting(settings, axis), 4, -1);
	if (index < 0 || index > 2) {
		return false;
	}
	space->axis[dest] = (int)index;
	space->sign[dest] = snw_fbx_integer(fbx_setting(settings, sign), 4, 1) < 0 ? -1 : 1;
	return true;
}

/* FBX names the axes to the right, up and to the front; its unit is so many centimetres. */
snw_fbx_space snw_fbx_read_space(const snw_fbx *f) {
	const snw_fbx_node *settings = snw_fbx_child(&f->root, "GlobalSettings");
	snw_fbx_space space = {.axis = {0, 1, 2}, .sign = {1, 1, 1}};
	if (!read_axis(settings, "CoordAxis", "CoordAxisSign", 0, &space) ||
		!read_axis(settings, "UpAxis", "UpAxisSign", 1, &space) ||
		!read_axis(settings, "FrontAxis", "FrontAxisSign", 2, &space) || space.axis[0] == space.axis[1] ||
		space.axis[0] == space.axis[2] || space.axis[1] == space.axis[2]) {
		space = (snw_fbx_space){.axis = {0, 1, 2}, .sign = {1, 1, 1}};
	}
	const bool is_even = (space.axis[0] + 1) % 3 == space.axis[1];
	space.is_mirrored = (space.sign[0] * space.sign[1] * space.sign[2] < 0) == is_even;
	const double unit = snw_fbx_number(fbx_setting(settings, "UnitScaleFactor"), 4, 1);
	space.scale = unit > 1e-9 && unit < 1e9 ? unit / 100 : 0.01;
	return space;
}

void snw_fbx_space_direction(const snw_fbx_space *space, const double file[3], double dest[3]) {
	const double v[3] = {file[0], file[1], file[2]};
	for (int i = 0; i < 3; i++) {
		dest[i] = space->sign[i] * v[space->axis[i]];
	}
}

void snw_fbx_space_point(const snw_fbx_space *space, const double file[3], double dest[3]) {
	snw_fbx_space_direction(space, file, dest);
	for (int i = 0; i < 3; i++) {
		dest[i] *= space->scale;
	}
}

static void fbx_space_scale(const snw_fbx_space *space, const double file[3], double dest[3]) {
	const double v[3] = {file[0], file[1], file[2]};
	for (int i = 0; i < 3; i++) {
		dest[i] = v[space->axis[i]];
	}
}

/* A mirrored space turns the other way. */
static void fbx_space_rotation(const snw_fbx_space *space, const double file[4], double dest[4]) {
	snw_fbx_space_direction(space, file, dest);
	for (int i = 0; i < 3; i++) {
		dest[i] = space->is_mirrored ? -dest[i] : dest[i];
	}
	dest[3] = file[3];
}

void snw_fbx_space_matrix(const snw_fbx_space *space, const double file[12], double dest[12]) {
	double m[12];
	for (int r = 0; r < 3; r++) {
		for (int c = 0; c < 3; c++) {
			m[4 * r + c] = space->sign[r] * space->sign[c] * file[4 * space->axis[r] + space->axis[c]];
		}
		m[4 * r + 3] = space->scale * space->sign[r] * file[4 * space->axis[r] + 3];
	}
	memcpy(dest, m, sizeof m);
}

/* ---- models -------------------------------------------------------------------------------------------------------------- */

/* Models: the nodes of the scene graph, and their transforms. */

/* ---- transforms ---------------------------------------------------------------------------------------------------------- */

static void rotate(const double q[4], const double v[3], double dest[3]) {
	double matrix[12];
	snw_quat_to_mat34(q, matrix);
	snw_mat34_vector(matrix, v, dest);
}

/* The local transform of a model, before what inherit modes do, in the scene's space. */
static void fbx_local(const snw_fbx_model *model, const snw_fbx_motion *motion, const snw_fbx_space *space,
					  snw_transform *local) {
	double rotation[4], inner[3];
	snw_fbx_euler(motion->rotation, model->order, rotation);
	snw_quat_multiply(model->pre, rotation, rotation);
	snw_quat_multiply(rotation, model->post_inverse, rotation);
	for (int i = 0; i < 3; i++) {
		inner[i] = (1 - motion->scale[i]) * model->scaling_pivot[i] + model->scaling_offset[i] - model->rotation_pivot[i];
	}
	rotate(rotation, inner, inner);
	for (int i = 0; i < 3; i++) {
		inner[i] += motion->translation[i] + model->rotation_offset[i] + model->rotation_pivot[i];
	}
	snw_fbx_space_point(space, inner, local->translation);
	fbx_space_rotation(space, rotation, local->rotation);
	fbx_space_scale(space, motion->scale, local->scale);
}

snw_fbx_motion snw_fbx_default_motion(const snw_fbx_model *model) {
	snw_fbx_motion motion = {0};
	memcpy(motion.translation, model->translation, sizeof motion.translation);
	memcpy(motion.rotation, model->rotation, sizeof motion.rotation);
	memcpy(motion.scale, model->scale, sizeof motion.scale);
	return motion;
}

uint32_t snw_fbx_full_node(const snw_fbx_models *models, uint32_t model) {
	return models->models[model].scaled_node == SNW_NONE ? model : models->models[model].scaled_node;
}

/* ---- reading ------------------------------------------------------------------------------------------------------------- */

static void read_geometric(const snw_fbx_objects *objects, uint32_t object, const snw_fbx_space *space, double dest[12]) {
	double degrees[3] = {0};
	snw_transform file = {.scale = {1, 1, 1}};
	snw_fbx_property_vector(objects, object, "GeometricTranslation", file.translation);
	snw_fbx_property_vector(objects, object, "GeometricRotation", degrees);
	snw_fbx_property_vector(objects, object, "GeometricScaling", file.scale);
	snw_fbx_euler(degrees, 0, file.rotation);
	snw_transform_to_mat34(&file, dest);
	snw_fbx_space_matrix(space, dest, dest);
}

/* Pre- and post-rotation and the order of rotations count only where the model says so. */
static void read_rotation(const snw_fbx_objects *objects, snw_fbx_model *model) {
	double pre[3] = {0}, post[3] = {0};
	if (snw_fbx_property_integer(objects, model->object, "RotationActive", 0)) {
		const int64_t order = snw_fbx_property_integer(objects, model->object, "RotationOrder", 0);
		model->order = order > 0 && order < 6 ? (int)order : 0;
		snw_fbx_property_vector(objects, model->object, "PreRotation", pre);
		snw_fbx_property_vector(objects, model->object, "PostRotation", post);
	}
	snw_fbx_euler(pre, 0, model->pre);
	snw_fbx_euler(post, 0, model->post_inverse);
	snw_quat_conjugate(model->post_inverse, model->post_inverse);
}

static void read_model(snw_fbx *f, const snw_fbx_objects *objects, const snw_fbx_space *space, uint32_t object,
					   snw_fbx_model *model) {
	*model = (snw_fbx_model){.object = object, .parent = SNW_NONE, .geometry = SNW_NONE, .scale = {1, 1, 1}};
	model->scaled_node = model->unscaled_parent = SNW_NONE;
	model->name = snw_name_clean(f->reading.arena, snw_fbx_object_name(f, objects, object), f->reading.task);
	model->is_bone = snw_fbx_object_is(objects, object, "Model", "LimbNode") ||
					 snw_fbx_object_is(objects, object, "Model", "Limb") || snw_fbx_object_is(objects, object, "Model", "Root");
	const int64_t inherit = snw_fbx_property_integer(objects, object, "InheritType", SNW_FBX_RRSS);
	model->inherit = inherit >= SNW_FBX_RRSS && inherit <= SNW_FBX_RRS ? (int)inherit : SNW_FBX_RRSS;
	snw_fbx_property_vector(objects, object, "RotationOffset", model->rotation_offset);
	snw_fbx_property_vector(objects, object, "RotationPivot", model->rotation_pivot);
	snw_fbx_property_vector(objects, object, "ScalingOffset", model->scaling_offset);
	snw_fbx_property_vector(objects, object, "ScalingPivot", model->scaling_pivot);
	snw_fbx_property_vector(objects, object, "Lcl Translation", model->translation);
	snw_fbx_property_vector(objects, object, "Lcl Rotation", model->rotation);
	snw_fbx_property_vector(objects, object, "Lcl Scaling", model->scale);
	read_rotation(objects, model);
	read_geometric(objects, object, space, model->geometric);
}

bool snw_fbx_read_models(snw_fbx *f, const snw_fbx_objects *objects, const snw_fbx_space *space, snw_fbx_models *models) {
	*models = (snw_fbx_models){.of_objects = SNW_NEW_ARRAY(f->reading.scratch, uint32_t, objects->count)};
	for (uint32_t o = 0; o < objects->count; o++) {
		const bool is_model = snw_fbx_object_is(objects, o, "Model", NULL);
		models->of_objects[o] = is_model ? models->count++ : SNW_NONE;
	}
	if (!snw_reading_reserve(&f->reading, models->count, sizeof(snw_fbx_model) + sizeof(snw_rig_node))) {
		return false;
	}
	models->models = SNW_NEW_ARRAY(f->reading.scratch, snw_fbx_model, models->count);
	for (uint32_t o = 0; o < objects->count; o++) {
		if (models->of_objects[o] != SNW_NONE) {
			snw_fbx_model *model = &models->models[models->of_objects[o]];
			read_model(f, objects, space, o, model);
			const uint32_t parent = snw_fbx_owner(objects, o, "Model", NULL);
			model->parent = parent == SNW_NONE ? SNW_NONE : models->of_objects[parent];
		}
	}
	return true;
}

/* ---- inherit ------------------------------------------------------------------------------------------------------------- */

/* Scale that children do not inherit as in a skeleton.
 *
 * A model says how it inherits the scale of its parent. RSrs is a product of matrices, as in a skeleton. With Rrs (Maya's
 * segment scale compensation) the parent's own scale moves the child's origin and nothing else; with RrSs the scale acts
 * before both rotations. Neither is a product of joints where the scale is not uniform. So a parent with such children
 * becomes two joints: one without the scale, which has these children, and below it one with the scale, which has the points
 * and the children that inherit as RSrs.
 *
 * If such a parent itself inherits as RSrs below one of uneven scale, it is sheared, and programs disagree on what its child
 * inherits. The child is placed as Maya does, which takes away the parent's own scale and leaves the shear; this is told. */

#define SAME 1e-6

/* ---- which models are split ---------------------------------------------------------------------------------------------- */

/* What all scales that a model has over time are. */
typedef struct scales {
	bool is_one, is_uniform;
} scales;

/* Curves of one scale: uniform if they have the same values at the same keys. */
static bool read_scale_curves(snw_fbx *f, const snw_fbx_objects *objects, uint32_t curve_node, scales *found) {
	static const char *const properties[] = {"d|X", "d|Y", "d|Z"};
	snw_arena *arena = snw_arena_create();
	const double *first = NULL;
	uint32_t first_count = 0;
	bool ok = true;
	for (int i = 0; i < 3 && ok; i++) {
		uint32_t at = 0, count = 0;
		const uint32_t curve = snw_fbx_next_source(objects, curve_node, "AnimationCurve", NULL, properties[i], &at);
		const double *values = snw_fbx_numbers(
			f, curve == SNW_NONE ? NULL : snw_fbx_child(objects->objects[curve].node, "KeyValueFloat"), arena, &count);
		ok = values != NULL;
		for (uint32_t k = 0; ok && k < count; k++) {
			found->is_one &= fabs(values[k] - 1) <= SAME;
			found->is_uniform &= i == 0 || (count == first_count && fabs(values[k] - first[k]) <= SAME * fabs(first[k]));
		}
		found->is_uniform &= ok && count == (i == 0 ? count : first_count);
		first = i == 0 ? values : first;
		first_count = i == 0 ? count : first_count;
	}
	snw_arena_destroy(arena);
	return ok;
}

static bool read_scales(snw_fbx *f, const snw_fbx_objects *objects, const snw_fbx_model *model, scales *found) {
	uint32_t at = 0, node;
	*found = (scales){true, true};
	for (int i = 0; i < 3; i++) {
		found->is_one &= fabs(model->scale[i] - 1) <= SAME;
		found->is_uniform &= fabs(model->scale[i] - model->scale[0]) <= SAME * fabs(model->scale[0]);
	}
	while ((node = snw_fbx_next_source(objects, model->object, "AnimationCurveNode", NULL, "Lcl Scaling", &at)) != SNW_NONE) {
		if (!read_scale_curves(f, objects, node, found)) {
			return false;
		}
	}
	return true;
}

/* The model above a parent whose uneven scale shears it; SNW_NONE for none. A loop of parents ends where it began. */
static uint32_t shears(const snw_fbx_models *models, const scales *found, uint32_t parent) {
	uint32_t steps = 0;
	for (uint32_t m = parent; models->models[m].inherit == SNW_FBX_RSRS && steps < models->count; steps++) {
		m = models->models[m].parent;
		if (m == SNW_NONE || !found[m].is_uniform) {
			return m;
		}
	}
	return SNW_NONE;
}

/* One line for the models that are sheared, with the first of them. */
static void tell_sheared(snw_fbx *f, const snw_fbx_models *models, const scales *found) {
	uint32_t count = 0, first = 0, cause = 0;
	for (uint32_t m = 0; m < models->count; m++) {
		const snw_fbx_model *model = &models->models[m];
		const uint32_t above =
			model->parent == SNW_NONE || model->inherit == SNW_FBX_RSRS ? SNW_NONE : shears(models, found, model->parent);
		first = above != SNW_NONE && count == 0 ? m : first;
		cause = above != SNW_NONE && count == 0 ? above : cause;
		count += above != SNW_NONE;
	}
	if (count > 0) {
		const char *name = models->models[first].name, *of = models->models[cause].name;
		snw_task_notice(
			f->reading.task, SNW_LOG_WARNING,
			"%u models leave out a parent's scale below one that is scaled unevenly: %s below %s. They are placed as "
			"Maya does, and other programs differ; give %s a uniform scale",
			count, name ? name : "", of ? of : "", of ? of : "it");
	}
}

bool snw_fbx_split_scales(snw_fbx *f, const snw_fbx_objects *objects, snw_fbx_models *models, uint32_t *node_count) {
	scales *found = SNW_NEW_ARRAY(f->reading.scratch, scales, models->count);
	*node_count = models->count;
	for (uint32_t m = 0; m < models->count; m++) {
		if (!read_scales(f, objects, &models->models[m], &found[m])) {
			return false;
		}
	}
	tell_sheared(f, models, found);
	for (uint32_t m = 0; m < models->count; m++) {
		snw_fbx_model *model = &models->models[m];
		if (model->parent == SNW_NONE || model->inherit == SNW_FBX_RSRS || found[model->parent].is_one ||
			(model->inherit == SNW_FBX_RRSS && found[model->parent].is_uniform)) {
			continue;
		}
		snw_fbx_model *parent = &models->models[model->parent];
		model->unscaled_parent = model->parent;
		if (parent->scaled_node == SNW_NONE) {
			parent->scaled_node = (*node_count)++;
			snw_task_notice(f->reading.task, SNW_LOG_INFO,
							"model %s: not all of its children inherit its scale; a joint below it has the scale",
							parent->name ? parent->name : "");
		}
	}
	return true;
}

/* ---- their transforms ---------------------------------------------------------------------------------------------------- */

/* The scale of a model with what it inherits, in the axes of its node. A loop stops where it would repeat. */
static void full_scale(const snw_fbx_models *models, const snw_fbx_space *space, uint32_t model, snw_fbx_motion_of *motion_of,
					   const void *context, double dest[3]) {
	dest[0] = dest[1] = dest[2] = 1;
	bool is_compensated = false; /* the scale of this ancestor itself is left out */
	for (uint32_t m = model; m != SNW_NONE; m = models->models[m].unscaled_parent) {
		double scale[3];
		const snw_fbx_motion motion = motion_of(context, m);
		fbx_space_scale(space, motion.scale, scale);
		for (int i = 0; i < 3; i++) {
			dest[i] *= is_compensated ? 1 : scale[i];
		}
		is_compensated = models->models[m].inherit == SNW_FBX_RRS;
	}
}

void snw_fbx_pose_model(const snw_fbx_models *models, const snw_fbx_space *space, uint32_t m, snw_fbx_motion_of *motion_of,
						const void *context, snw_transform *local, double scaled[3]) {
	const snw_fbx_model *model = &models->models[m];
	const snw_fbx_motion motion = motion_of(context, m);
	fbx_local(model, &motion, space, local);
	if (model->unscaled_parent != SNW_NONE) {
		double above[3];
		full_scale(models, space, model->unscaled_parent, motion_of, context, above);
		full_scale(models, space, m, motion_of, context, local->scale);
		for (int i = 0; i < 3; i++) {
			local->translation[i] *= above[i];
		}
	}
	memcpy(scaled, local->scale, sizeof local->scale);
	if (model->scaled_node != SNW_NONE) {
		local->scale[0] = local->scale[1] = local->scale[2] = 1;
	}
}

static snw_fbx_motion default_motion(const void *context, uint32_t model) {
	const snw_fbx_models *models = context;
	return snw_fbx_default_motion(&models->models[model]);
}

bool snw_fbx_make_nodes(snw_fbx *f, const snw_fbx_models *models, const snw_fbx_space *space, uint32_t node_count,
						snw_rig *rig) {
	*rig = (snw_rig){.scratch = f->reading.scratch, .arena = f->reading.arena, .task = f->reading.task};
	snw_rig_begin(rig, node_count);
	for (uint32_t m = 0; m < models->count; m++) {
		const snw_fbx_model *model = &models->models[m];
		rig->nodes[m].parent = model->parent == SNW_NONE            ? SNW_NONE
							   : model->unscaled_parent == SNW_NONE ? snw_fbx_full_node(models, model->parent)
																	: model->parent;
		if (model->scaled_node != SNW_NONE) {
			rig->nodes[model->scaled_node].parent = m;
		}
	}
	const uint32_t looped = snw_rig_order(rig);
	if (looped != SNW_NONE) {
		const char *name = looped < models->count ? models->models[looped].name : NULL;
		return snw_reading_fail(&f->reading, SNW_ERROR_DATA,
								"model %s is among its own ancestors; the file is damaged: export it again", name ? name : "");
	}
	for (uint32_t m = 0; m < models->count; m++) {
		double scaled[3];
		rig->nodes[m].is_shown = true;
		snw_fbx_pose_model(models, space, m, default_motion, models, &rig->nodes[m].local, scaled);
		if (models->models[m].scaled_node != SNW_NONE) {
			snw_rig_node *node = &rig->nodes[models->models[m].scaled_node];
			*node =
				(snw_rig_node){.parent = m, .mesh = SNW_NONE, .skin = SNW_NONE, .joint = SNW_NONE, .first_channel = SNW_NONE};
			node->slot = SNW_NONE;
			node->local = (snw_transform){.rotation = {0, 0, 0, 1}};
			memcpy(node->local.scale, scaled, sizeof scaled);
		}
	}
	snw_rig_solve(rig);
	return true;
}
