/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "import/fbx/objects.h"

#include <string.h>

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

const snw_fbx_node *snw_fbx_setting(const snw_fbx_node *node, const char *name) {
	const snw_fbx_node *list = snw_fbx_child(node, "Properties70");
	const snw_fbx_node *property = list ? list->child : NULL;
	while (property && !snw_fbx_text_is(property, 0, name)) {
		property = property->next;
	}
	return property;
}

const snw_fbx_node *snw_fbx_property(const snw_fbx_objects *objects, uint32_t object, const char *name) {
	const snw_fbx_node *property = snw_fbx_setting(objects->objects[object].node, name);
	return property ? property : snw_fbx_setting(objects->objects[object].defaults, name);
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
