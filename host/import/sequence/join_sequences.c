/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sequences of several meshes of one body, which share a clip.
 */
#include <math.h>
#include <string.h>

#include "base/plural.h"
#include "import/common/names.h"
#include "import/sequence/read_sequence.h"
#include "pose/clip_times.h"

/* Moments that differ by less are one. */
static const double same_moment = 1e-4; /* seconds */

static uint32_t shifted(uint32_t index, uint32_t by) {
	return index == SNW_NONE ? SNW_NONE : index + by;
}

/* An array and more elements behind it. */
static void *joined(snw_arena *arena, const void *items, uint32_t count, const void *added, uint32_t added_count,
					size_t bytes) {
	char *all = snw_arena_array(arena, (size_t)count + added_count, bytes);
	if (count > 0) {
		memcpy(all, items, count * bytes);
	}
	if (added_count > 0) {
		memcpy(all + count * bytes, added, added_count * bytes);
	}
	return all;
}

#define JOINED(scene, part, items, count)                                                                                      \
	joined((scene)->arena, (scene)->items, (scene)->count, (part)->items, (part)->count, sizeof *(scene)->items)

/* The indices of a part's materials and images among those of the whole scene. */
static void move_materials(const snw_scene *scene, snw_scene *part) {
	snw_material *materials = snw_arena_copy(part->arena, part->materials, part->material_count * sizeof *materials);
	for (uint32_t i = 0; i < part->material_count; i++) {
		snw_material *m = &materials[i];
		m->base_color_image = shifted(m->base_color_image, scene->image_count);
		m->metallic_roughness_image = shifted(m->metallic_roughness_image, scene->image_count);
		m->normal_image = shifted(m->normal_image, scene->image_count);
		m->emissive_image = shifted(m->emissive_image, scene->image_count);
	}
	snw_mesh *mesh = snw_arena_copy(part->arena, part->meshes, sizeof *mesh);
	if (mesh->face_materials) {
		uint32_t *faces = snw_arena_copy(part->arena, mesh->face_materials, mesh->face_count * sizeof *faces);
		for (uint32_t f = 0; f < mesh->face_count; f++) {
			faces[f] = shifted(faces[f], scene->material_count);
		}
		mesh->face_materials = faces;
	}
	part->materials = materials;
	part->meshes = mesh;
}

/* Frames of one moment each, of all meshes: a skeleton and a clip are those of a whole body. */
static snw_status expect_same_moments(const snw_scene *scene, const snw_scene *part, const snw_import_request *request,
									  const snw_import_frames_of_mesh *from, snw_error *error) {
	const snw_target *first = &scene->targets[0], *next = &part->targets[0];
	if (first->frame_count != next->frame_count) {
		return snw_fail(error, SNW_ERROR_DATA,
						"%s has %u frame%s and %s has %u; sequences of one body need a frame of each mesh for each moment",
						request->sequence, first->frame_count, snw_plural(first->frame_count), from->sequence,
						next->frame_count);
	}
	for (uint32_t f = 0; f < first->frame_count; f++) {
		if (!(fabs(first->seconds[f] - next->seconds[f]) < same_moment)) {
			return snw_fail(error, SNW_ERROR_DATA,
							"frame %u of %s is at %g s and that of %s at %g s; export both at one rate, or give it with --fps",
							f, request->sequence, first->seconds[f], from->sequence, next->seconds[f]);
		}
	}
	return SNW_OK;
}

static snw_status add_sequence(const snw_import_request *request, const snw_import_frames_of_mesh *from, const snw_task *task,
							   snw_scene *scene, snw_error *error) {
	snw_scene part = {.arena = scene->arena};
	snw_import_request of_part = *request;
	of_part.sequence = from->sequence;
	of_part.rest = from->rest;
	snw_status status = snw_sequence_read(&of_part, task, &part, error);
	status = snw_failed(status) ? status : expect_same_moments(scene, &part, request, from, error);
	if (snw_failed(status)) {
		return status;
	}
	move_materials(scene, &part);
	snw_target *target = snw_arena_copy(scene->arena, part.targets, sizeof *target);
	target->mesh = scene->mesh_count;
	target->seconds = scene->targets[0].seconds;
	part.targets = target;
	scene->meshes = JOINED(scene, &part, meshes, mesh_count);
	scene->targets = JOINED(scene, &part, targets, target_count);
	scene->materials = JOINED(scene, &part, materials, material_count);
	scene->images = JOINED(scene, &part, images, image_count);
	scene->mesh_count++;
	scene->target_count++;
	scene->material_count += part.material_count;
	scene->image_count += part.image_count;
	return SNW_OK;
}

/* Unique names for the meshes, and the targets named after the first sequence and their meshes. */
static void name_all(snw_scene *scene, const snw_task *task) {
	const char **names = SNW_NEW_ARRAY(scene->arena, const char *, scene->mesh_count);
	snw_mesh *meshes = snw_arena_copy(scene->arena, scene->meshes, scene->mesh_count * sizeof *meshes);
	snw_target *targets = snw_arena_copy(scene->arena, scene->targets, scene->target_count * sizeof *targets);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		names[m] = meshes[m].name;
	}
	snw_names_make_unique(scene->arena, names, scene->mesh_count, "mesh", task);
	for (uint32_t m = 0; m < scene->mesh_count; m++) {
		meshes[m].name = names[m];
		targets[m].name = m == 0 ? targets[0].name : snw_sequence_name(targets[0].name, names[m], scene->arena);
	}
	scene->meshes = meshes;
	scene->targets = targets;
}

snw_status snw_import_sequence(const snw_import_request *request, const snw_task *task, snw_scene *scene, snw_error *error) {
	snw_status status = snw_sequence_read(request, task, scene, error);
	for (uint32_t i = 0; i < request->further_count && !snw_failed(status); i++) {
		status = add_sequence(request, &request->further[i], task, scene, error);
	}
	if (!snw_failed(status)) {
		name_all(scene, task);
		snw_scene_clip_sequences(scene);
	}
	return status;
}
