/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The objects of an FBX document by their ids, what is connected to each, and their properties. Private to the reader.
 */
#ifndef SINEW_HOST_IMPORT_FBX_OBJECTS_H
#define SINEW_HOST_IMPORT_FBX_OBJECTS_H

#include "import/fbx/document.h"

typedef struct snw_fbx_object {
	int64_t id;
	const snw_fbx_node *node;            /* "Model", "Geometry" …: values are the id, the name and the class */
	const snw_fbx_node *defaults;        /* the properties that its kind begins with; NULL for none */
	uint32_t first_source, source_count; /* into snw_fbx_objects.sources */
	uint32_t first_owner, owner_count;   /* into snw_fbx_objects.owners */
} snw_fbx_object;

/* A connection as seen from one of its ends: the object at the other end, and the property that it is connected to. */
typedef struct snw_fbx_link {
	uint32_t object;
	const snw_fbx_node *connection; /* with the property as value 3 */
} snw_fbx_link;

typedef struct snw_fbx_objects {
	uint32_t count;
	snw_fbx_object *objects;
	uint32_t *table; /* by id */
	size_t mask;
	snw_fbx_link *sources, *owners; /* of each object in the order of the file */
} snw_fbx_objects;

/* Lists the objects and their connections in time proportional to their number. An object without an id, and a connection of
 * one that does not exist, are left out. SNW_ERROR_DATA for two objects of one id. */
bool snw_fbx_read_objects(snw_fbx *f, snw_fbx_objects *objects);

/* Whether an object is a node of that name, and of that class (NULL for any): "Deformer", "Skin". */
bool snw_fbx_object_is(const snw_fbx_objects *objects, uint32_t object, const char *name, const char *class);
/* An object's name without its class, in the scratch arena; NULL if it has none. */
char *snw_fbx_object_name(snw_fbx *f, const snw_fbx_objects *objects, uint32_t object);

/* The next object of that name and class from *at on that is connected to `owner`, or SNW_NONE; *at begins at 0. With a
 * property, only objects that are connected to it. */
uint32_t snw_fbx_next_source(const snw_fbx_objects *objects, uint32_t owner, const char *name, const char *class,
							 const char *property, uint32_t *at);
/* The first object of that name and class that `object` is connected to; SNW_NONE for none. */
uint32_t snw_fbx_owner(const snw_fbx_objects *objects, uint32_t object, const char *name, const char *class);

/* ---- properties ---------------------------------------------------------------------------------------------------------- */

/* The property of a node's Properties70, otherwise that of its kind; NULL for none. Its values begin at index 4. */
const snw_fbx_node *snw_fbx_property(const snw_fbx_objects *objects, uint32_t object, const char *name);
/* The property of a list that is no object's, such as GlobalSettings. */
const snw_fbx_node *snw_fbx_setting(const snw_fbx_node *node, const char *name);
double snw_fbx_property_number(const snw_fbx_objects *objects, uint32_t object, const char *name, double otherwise);
int64_t snw_fbx_property_integer(const snw_fbx_objects *objects, uint32_t object, const char *name, int64_t otherwise);
/* Three numbers; `vector` is unchanged if there is no such property. */
bool snw_fbx_property_vector(const snw_fbx_objects *objects, uint32_t object, const char *name, double vector[3]);

#endif
