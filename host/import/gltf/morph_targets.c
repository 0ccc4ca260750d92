/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Morph targets: sparse displacements of points, names and default weights. Displaced normals and tangents are not read:
 * normals follow from the deformed faces, or rotate with their points.
 */
#include <string.h>

#include "import/common/names.h"
#include "import/gltf/gltf_internal.h"

static const cJSON *targets_of(const cJSON *primitive) {
	const cJSON *targets = snw_gltf_member(primitive, "targets");
	return cJSON_IsArray(targets) ? targets->child : NULL;
}

static uint32_t count_targets(const cJSON *primitives) {
	uint32_t largest = 0;
	for (const cJSON *primitive = primitives; primitive; primitive = primitive->next) {
		uint32_t count = 0;
		for (const cJSON *target = targets_of(primitive); target; target = target->next) {
			count++;
		}
		largest = count > largest ? count : largest;
	}
	return largest;
}

/* The displacements of one primitive in one target, appended to the morph. */
static bool read_part(snw_gltf *g, uint32_t mesh, const cJSON *target, uint32_t first_point, uint32_t count, snw_morph *morph,
					  uint32_t *points, double *vectors) {
	uint32_t accessor, found = 0;
	double *values = NULL;
	if (!snw_gltf_index(g, (snw_gltf_place){"mesh", mesh}, target, "POSITION", &g->accessors, &accessor)) {
		return false;
	}
	if (accessor == SNW_NONE) {
		return true;
	}
	snw_arena *arena = snw_arena_create();
	bool ok = snw_gltf_read_numbers(g, accessor, 3, arena, &values, &found, NULL);
	if (ok && found != count) {
		ok = snw_reading_fail(&g->reading, SNW_ERROR_DATA,
							  "mesh %u: a morph target has %u displacements for %u vertices; the file is damaged", mesh, found,
							  count);
	}
	for (uint32_t i = 0; ok && i < count; i++) {
		const double *v = values + 3 * (size_t)i;
		if (v[0] != 0 || v[1] != 0 || v[2] != 0) {
			memcpy(vectors + 3 * (size_t)morph->count, v, 3 * sizeof v[0]);
			points[morph->count++] = first_point + i;
		}
	}
	snw_arena_destroy(arena);
	return ok;
}

/* Reads one target of all primitives. `parts` [primitives] is this target in each; they advance to the next. */
static bool read_target(snw_gltf *g, uint32_t mesh, const cJSON **parts, uint32_t part_count, const uint32_t *first_points,
						const uint32_t *counts, uint32_t point_count, snw_morph *morph) {
	if (!snw_reading_reserve(&g->reading, point_count, sizeof(uint32_t) + 3 * sizeof(double))) {
		return false;
	}
	snw_arena *arena = snw_arena_create();
	uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, point_count);
	double *vectors = SNW_NEW_ARRAY(arena, double, 3 * (size_t)point_count);
	bool ok = true;
	for (uint32_t p = 0; ok && p < part_count; p++) {
		if (parts[p] && counts[p] > 0) {
			ok = read_part(g, mesh, parts[p], first_points[p], counts[p], morph, points, vectors);
		}
		parts[p] = parts[p] ? parts[p]->next : NULL;
	}
	morph->points = snw_arena_copy(g->reading.scratch, points, morph->count * sizeof points[0]);
	morph->vectors = snw_arena_copy(g->reading.scratch, vectors, 3 * morph->count * sizeof vectors[0]);
	snw_arena_destroy(arena);
	return ok;
}

/* The targetNames of an object's extras, for targets that have no name yet. */
static void name_from_extras(snw_gltf *g, const cJSON *object, snw_gltf_shape *shape) {
	const cJSON *names = snw_gltf_member(snw_gltf_member(object, "extras"), "targetNames");
	uint32_t i = 0;
	for (const cJSON *name = names ? names->child : NULL; name && i < shape->target_count; name = name->next, i++) {
		if (!shape->target_names[i]) {
			shape->target_names[i] = snw_name_clean(g->reading.scratch, cJSON_GetStringValue(name), g->reading.task);
		}
	}
}

/* The name in the "extra" of each target, for targets that have no name yet. */
static void name_from_targets(snw_gltf *g, const cJSON *primitive, snw_gltf_shape *shape) {
	uint32_t i = 0;
	for (const cJSON *target = targets_of(primitive); target && i < shape->target_count; target = target->next, i++) {
		const cJSON *name = snw_gltf_member(snw_gltf_member(target, "extra"), "name");
		if (!shape->target_names[i] && cJSON_IsString(name)) {
			shape->target_names[i] = snw_name_clean(g->reading.scratch, cJSON_GetStringValue(name), g->reading.task);
		}
	}
}

/* glTF has no names of targets. Its convention is mesh.extras.targetNames; VRM files of UniVRM have them in the extras of the
 * primitives, and before its version 0.36 in each target's "extra". */
static void read_names(snw_gltf *g, const cJSON *mesh, const cJSON *primitives, snw_gltf_shape *shape) {
	name_from_extras(g, mesh, shape);
	for (const cJSON *primitive = primitives; primitive; primitive = primitive->next) {
		name_from_extras(g, primitive, shape);
	}
	for (const cJSON *primitive = primitives; primitive; primitive = primitive->next) {
		name_from_targets(g, primitive, shape);
	}
}

bool snw_gltf_read_targets(snw_gltf *g, uint32_t mesh, const uint32_t *first_points, const uint32_t *counts,
						   snw_gltf_shape *shape) {
	const cJSON *object = g->meshes.items[mesh], *array = snw_gltf_member(object, "primitives");
	const cJSON *primitives = array ? array->child : NULL;
	const uint32_t count = shape->point_count > 0 ? count_targets(primitives) : 0;
	shape->target_count = count;
	shape->target_names = SNW_NEW_ARRAY(g->reading.scratch, const char *, count);
	shape->target_weights = SNW_NEW_ARRAY(g->reading.scratch, double, count);
	shape->targets = SNW_NEW_ARRAY(g->reading.scratch, snw_morph, count);
	read_names(g, object, primitives, shape);
	uint32_t part_count = 0;
	for (const cJSON *primitive = primitives; primitive; primitive = primitive->next) {
		part_count++;
	}
	const cJSON **parts = SNW_NEW_ARRAY(g->reading.scratch, const cJSON *, part_count);
	part_count = 0;
	for (const cJSON *primitive = primitives; primitive; primitive = primitive->next) {
		parts[part_count++] = targets_of(primitive);
	}
	for (uint32_t t = 0; t < count; t++) {
		if (!read_target(g, mesh, parts, part_count, first_points, counts, shape->point_count, &shape->targets[t])) {
			return false;
		}
	}
	return count == 0 || snw_gltf_numbers(g, (snw_gltf_place){"mesh", mesh}, object, "weights", count, shape->target_weights);
}
