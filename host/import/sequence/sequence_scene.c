/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "file/file.h"
#include "import/common/reading.h"
#include "import/obj/obj.h"
#include "import/sequence/read_sequence.h"
#include "pose/clip.h"

/* ---- a scene of one sequence --------------------------------------------------------------------------------------------- */

static const double LARGEST_RATIO = 5; /* of the sizes of the rest pose and the first frame, without a warning */

/* "walk" for walk_*.obj, "horse-gallop" for horse-gallop/*.obj, "frames" for frames.pc2. */
static const char *sequence_name(const char *path, snw_arena *arena, const snw_task *task) {
	char *text = snw_arena_text(arena, path);
	char *name = (char *)snw_path_name(text);
	name[strcspn(name, "*")] = '\0';
	char *dot = strrchr(name, '.');
	if (dot) {
		*dot = '\0';
	}
	size_t length = strlen(name);
	while (length > 0 && !isalnum((unsigned char)name[length - 1]) && (signed char)name[length - 1] > 0) {
		name[--length] = '\0'; /* the separator between a name and its number */
	}
	const char *clean = snw_name_clean(arena, name, task);
	if (clean) {
		return clean;
	}
	if (name > text) {
		name[-1] = '\0';
		const char *folder = snw_path_name(text);
		clean = folder[0] != '.' ? snw_name_clean(arena, folder, task) : NULL;
		if (clean) {
			return clean;
		}
	}
	return "sequence";
}

static snw_status rest_path(const snw_import_request *request, snw_arena *arena, const char **path, snw_error *error) {
	bool is_cache;
	snw_status status = snw_frames_kind(request->sequence, &is_cache, error);
	if (snw_failed(status)) {
		return status;
	}
	if (request->rest) {
		*path = request->rest;
		return snw_path_has_extension(*path, snw_import_obj.file.extensions)
				   ? SNW_OK
				   : snw_fail(error, SNW_ERROR_UNSUPPORTED,
							  "%s: the rest pose of a sequence must be an .obj with the point order of the frames; export it "
							  "again as .obj",
							  *path);
	}
	if (is_cache) {
		return snw_fail(error, SNW_ERROR_ARGUMENT, "%s: it has points but no faces; give the mesh with --rest FILE.obj",
						request->sequence);
	}
	char **paths;
	size_t count;
	status = snw_numbered_paths(request->sequence, arena, NULL, &paths, &count, error);
	if (!snw_failed(status)) {
		*path = paths[0];
	}
	return status;
}

/* A mesh without a name in its file is named after the file ("0001", "rest"). It gets the name of the sequence instead. */
static void rename_mesh(snw_scene *scene, const char *path, const char *name) {
	const char *file = snw_path_name(path);
	const size_t length = strlen(scene->meshes[0].name);
	if (strncmp(file, scene->meshes[0].name, length) == 0 && file[length] == '.') {
		snw_mesh *mesh = SNW_NEW(scene->arena, snw_mesh);
		*mesh = scene->meshes[0];
		mesh->name = name;
		scene->meshes = mesh;
	}
}

static double size_of(const float *points, uint32_t count) {
	double sum = 0;
	for (int c = 0; c < 3; c++) {
		float least = points[c], most = points[c];
		for (uint32_t i = 1; i < count; i++) {
			least = fminf(least, points[3 * (size_t)i + (size_t)c]);
			most = fmaxf(most, points[3 * (size_t)i + (size_t)c]);
		}
		sum += pow((double)most - (double)least, 2);
	}
	return sqrt(sum);
}

/* With a rest pose in other units, or of another mesh with as many points, a fit would be useless. */
static void warn_of_size(const snw_import_request *request, const snw_scene *scene, const float *frame, const snw_task *task) {
	const double rest = snw_scene_diagonal(scene, 0), first = size_of(frame, scene->meshes[0].point_count);
	if (request->rest && first > 0 && !(rest / first < LARGEST_RATIO && first / rest < LARGEST_RATIO)) {
		snw_task_notice(
			task, SNW_LOG_WARNING,
			"%s is %.3g m across, but the first frame is %.3g: check that they use the same units and show the same mesh",
			snw_path_name(request->rest), rest, first);
	}
}

/* A scene of one mesh without a skeleton, with request->sequence as a target without a clip. The rest pose is request->rest, or
 * the first frame of numbered .obj files; the pose "rest" has no joints. */
static snw_status sequence_read(const snw_import_request *request, const snw_task *task, snw_scene *scene, snw_error *error) {
	snw_arena *arena = scene->arena;
	const char *rest = NULL;
	snw_status status = rest_path(request, arena, &rest, error);
	if (!snw_failed(status)) {
		status = snw_import_obj.read(rest, request, task, scene, error);
	}
	if (snw_failed(status)) {
		return status;
	}
	const char *name = sequence_name(request->sequence, arena, task);
	rename_mesh(scene, rest, name);
	snw_point_frames frames;
	status = snw_frames_read(request->sequence, &scene->meshes[0], scene->meshes[0].point_count, request->frames_per_second,
							 arena, task, &frames, error);
	if (snw_failed(status)) {
		return status;
	}
	warn_of_size(request, scene, frames.points, task);
	snw_target *target = SNW_NEW(arena, snw_target);
	*target = (snw_target){
		.name = name,
		.mesh = 0,
		.clip = SNW_NONE,
		.frame_count = frames.frame_count,
		.seconds = frames.seconds,
		.points_posed = frames.points,
		.is_set = request->is_set,
	};
	snw_pose *pose = SNW_NEW(arena, snw_pose);
	pose->name = "rest";
	scene->targets = target;
	scene->target_count = 1;
	scene->poses = pose;
	scene->pose_count = 1;
	return SNW_OK;
}

/* ---- several sequences --------------------------------------------------------------------------------------------------- */

/* Sequences of several meshes of one body, which share a clip. */

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
		uint32_t *kept = snw_arena_copy(part->arena, m->kept_images, m->kept_image_count * sizeof *kept);
		for (uint32_t k = 0; k < m->kept_image_count; k++) {
			kept[k] = shifted(kept[k], scene->image_count);
		}
		m->kept_images = kept;
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
	snw_status status = sequence_read(&of_part, task, &part, error);
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
	snw_status status = sequence_read(request, task, scene, error);
	for (uint32_t i = 0; i < request->further_count && !snw_failed(status); i++) {
		status = add_sequence(request, &request->further[i], task, scene, error);
	}
	if (!snw_failed(status)) {
		name_all(scene, task);
		snw_scene_clip_sequences(scene);
	}
	return status;
}
