/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Normal maps that hold in every pose.
 */
#include "normals/normal_map.h"

#include <string.h>

#include "base/error.h"
#include "file/file.h"
#include "lod/lod.h"
#include "operators/arguments.h"

enum { MOST_LEVEL = 16 };

static const uint64_t decoded_map_bytes = (uint64_t)1 << 30; /* of the normal maps that there are, decoded */

static const snw_argument normal_map_arguments[] = {
	{"level", SNW_ARGUMENT_COUNT, "N",
	 "the level of detail that gets a map; 0: the meshes themselves (default: all levels; with --from: 0)", .least = 0,
	 .most = MOST_LEVEL, .initial = SNW_NO_DEFAULT},
	{"from", SNW_ARGUMENT_FILE, "HIGH.obj",
	 "a mesh at rest with more detail, found by rays (default: the meshes themselves, with the normal maps that they have)",
	 .flags = 0},
	{"size", SNW_ARGUMENT_COUNT, "PIXELS", "pixels along a side of the map", .least = SNW_NORMAL_MAP_LEAST_SIZE,
	 .most = SNW_NORMAL_MAP_MOST_SIZE, .initial = SNW_NORMAL_MAP_SIZE},
	{"poses", SNW_ARGUMENT_CHOICE, "POSES", "mean: the mean over the poses; rest: the rest alone", .choices = "mean|rest"},
	{"mesh", SNW_ARGUMENT_THING, "MESH", "the only mesh that gets a map (default: all)", .flags = 0, .noun = SNW_NOUN_MESH},
	{"clip", SNW_ARGUMENT_THING, "CLIP,…", "a clip whose motion counts (default: all that move joints)",
	 .flags = SNW_ARGUMENT_MANY, .noun = SNW_NOUN_CLIP},
	{0},
};

/* The maps of several levels. */
typedef struct snw_level_maps {
	uint32_t count;
	uint32_t *levels;
	snw_normal_maps *maps;
} snw_level_maps;

/* ---- making -------------------------------------------------------------------------------------------------------------- */

static snw_status choose_levels(const snw_operation *o, snw_level_maps *made, snw_error *error) {
	const uint32_t most = snw_level_most(o->scene);
	made->levels = SNW_NEW_ARRAY(o->arena, uint32_t, (size_t)most + 1);
	made->maps = SNW_NEW_ARRAY(o->arena, snw_normal_maps, (size_t)most + 1);
	if (snw_operation_has(o, "level") || snw_operation_text(o, "from")) {
		made->levels[made->count++] = snw_operation_has(o, "level") ? snw_operation_count(o, "level") : 0;
		return SNW_OK;
	}
	for (uint32_t number = 1; number <= most; number++) {
		if (snw_scene_has_level(o->scene, number)) {
			made->levels[made->count++] = number;
		}
	}
	return made->count > 0
			   ? SNW_OK
			   : snw_fail(error, SNW_ERROR_MISSING,
						  "the project has no levels of detail to bake maps for; 'sinew lod P.sinew make' makes some, "
						  "--from HIGH.obj bakes from a mesh with more detail");
}

static snw_status read_high(const snw_operation *o, snw_normal_map_request *request, snw_error *error) {
	const char *path = snw_operation_text(o, "from");
	if (!path) {
		return SNW_OK;
	}
	const snw_worker_limits limits = o->in->limits ? *o->in->limits : (snw_worker_limits){0};
	snw_mesh *high = SNW_NEW(o->arena, snw_mesh);
	const snw_status status = snw_worker_read_mesh(path, &limits, o->in->task, o->arena, high, error);
	if (!snw_failed(status) && high->face_count == 0) {
		return snw_fail(error, SNW_ERROR_DATA, "%s: it has no faces to take normals from", path);
	}
	request->high = high;
	return status;
}

/* The normal maps that the meshes have; one that cannot be read is told. */
static void read_maps(const snw_operation *o, snw_normal_map_request *request) {
	const uint32_t count = o->scene->image_count;
	snw_picture_use *uses = SNW_NEW_ARRAY(o->arena, snw_picture_use, count);
	uint32_t *images = SNW_NEW_ARRAY(o->arena, uint32_t, count), used = 0;
	bool *is_listed = SNW_NEW_ARRAY(o->arena, bool, count);
	for (uint32_t m = 0; m < o->scene->mesh_count && !request->high; m++) {
		const snw_mesh *mesh = &o->scene->meshes[m];
		for (uint32_t f = 0; f < mesh->face_count && mesh->face_materials && mesh->corner_uvs; f++) {
			const uint32_t material = mesh->face_materials[f];
			const uint32_t image = material == SNW_NONE ? SNW_NONE : o->scene->materials[material].normal_image;
			if (image != SNW_NONE && !is_listed[image]) {
				const snw_image *from = &o->scene->images[image];
				is_listed[image] = true;
				uses[used] = (snw_picture_use){.name = from->name, .bytes = from->bytes, .byte_count = from->byte_count};
				images[used++] = image;
			}
		}
	}
	snw_mipmap *pictures = SNW_NEW_ARRAY(o->arena, snw_mipmap, count), *decoded = SNW_NEW_ARRAY(o->arena, snw_mipmap, used);
	if (used > 0) {
		snw_worker_decode_pictures(uses, used, decoded_map_bytes, o->in->task, o->arena, decoded);
	}
	for (uint32_t i = 0; i < used; i++) {
		pictures[images[i]] = decoded[i];
		if (!decoded[i].pixels) {
			snw_report_warn(o->report, "the normal map %s cannot be read: what it shows is not in the new map", uses[i].name);
		}
	}
	request->pictures = pictures;
}

/* ---- what is told -------------------------------------------------------------------------------------------------------- */

static void tell_map(const snw_operation *o, uint32_t level, const snw_normal_map *map, const char *material, uint32_t row) {
	const uint32_t size = snw_operation_count(o, "size");
	snw_report_row(o->report, "maps", row);
	snw_report_number(o->report, "level", level);
	snw_report_text(o->report, "material", material);
	snw_report_number(o->report, "size", size);
	snw_report_number(o->report, "covered", map->covered);
	snw_report_number(o->report, "overlapping", map->overlapping);
	snw_report_row(o->report, NULL, 0);
	snw_report_say(o->report, "level %u, material %s: a map of %u × %u, %.1f %% of it covered", level, material, size, size,
				   100 * map->covered);
	if (map->overlapping > 0.001) {
		snw_report_warn(
			o->report,
			"material %s: UVs overlap on %.1f %% of the square, and the first face has the texels there; 'sinew unwrap "
			"P.sinew' makes UVs that do not",
			material, 100 * map->overlapping);
	}
}

static void warn_of_left_out(const snw_operation *o, uint32_t level, const snw_normal_maps *made) {
	for (uint32_t i = 0; i < made->left_out_count; i++) {
		snw_report_warn(o->report, "level %u of mesh %s has no UVs and gets no map", level,
						o->scene->meshes[made->left_out[i]].name);
	}
}

/* ---- writing ------------------------------------------------------------------------------------------------------------- */

/* The materials of a scene and new ones behind them, as they are put. */
typedef struct materials {
	uint32_t count;
	snw_material *list;
	uint32_t *replaced; /* [material_count + 1] of the level that is written: which is in its place; the last: of none */
} materials;

static bool uses_material(const snw_mesh *mesh, uint32_t material) {
	for (uint32_t f = 0; mesh->face_materials && f < mesh->face_count; f++) {
		if (mesh->face_materials[f] == material) {
			return true;
		}
	}
	return false;
}

/* Whether a mesh that gets no map here has the material. */
static bool is_used_elsewhere(const snw_scene *scene, const snw_normal_maps *maps, uint32_t number, uint32_t material) {
	bool found = false;
	for (uint32_t m = 0; m < scene->mesh_count && !found; m++) {
		bool is_mapped = false;
		for (uint32_t i = 0; i < maps->mesh_count && number == 0; i++) {
			is_mapped = is_mapped || maps->meshes[i].mesh == m;
		}
		found = !is_mapped && uses_material(&scene->meshes[m], material);
	}
	for (uint32_t i = 0; i < scene->level_count && !found; i++) {
		bool is_mapped = false;
		for (uint32_t k = 0; k < maps->mesh_count; k++) {
			is_mapped = is_mapped || maps->meshes[k].level == &scene->levels[i];
		}
		found = !is_mapped && uses_material(&scene->levels[i].shape, material);
	}
	return found;
}

static bool is_image_shared(const snw_scene *scene, uint32_t material, uint32_t image) {
	for (uint32_t m = 0; m < scene->material_count; m++) {
		const snw_material *at = &scene->materials[m];
		if (at->base_color_image == image || at->metallic_roughness_image == image || at->emissive_image == image ||
			(m != material && at->normal_image == image) || snw_material_keeps_image(at, image)) {
			return true;
		}
	}
	return false;
}

/* The material that gets the map: the one that there is, if nothing else has it, otherwise a copy. */
static snw_material choose_material(const snw_operation *o, const snw_normal_maps *maps, uint32_t level,
									const snw_normal_map *map) {
	const snw_scene *scene = o->scene;
	const bool has_one = map->material != SNW_NONE;
	snw_material made = {.name = scene->meshes[maps->meshes[0].mesh].name,
						 .base_color = {0.8, 0.8, 0.8, 1},
						 .roughness = 0.6,
						 .base_color_image = SNW_NONE,
						 .metallic_roughness_image = SNW_NONE,
						 .normal_image = SNW_NONE,
						 .emissive_image = SNW_NONE};
	made = has_one ? scene->materials[map->material] : made;
	if (!has_one || is_used_elsewhere(scene, maps, level, map->material)) {
		made.id = 0;
		made.name = level > 0 ? snw_arena_format(o->arena, "%s LOD%u", made.name, level) : made.name;
	}
	return made;
}

static snw_status put_map(const snw_operation *o, const snw_normal_maps *maps, uint32_t level, const snw_normal_map *map,
						  materials *to, snw_error *error) {
	snw_material material = choose_material(o, maps, level, map);
	snw_image image = {.name = snw_arena_format(o->arena, "%s normals", material.name),
					   .media = "image/png",
					   .bytes = map->bytes,
					   .byte_count = map->byte_count};
	if (material.id != 0 && material.normal_image != SNW_NONE &&
		!is_image_shared(o->scene, map->material, material.normal_image)) {
		image.id = o->scene->images[material.normal_image].id;
	}
	const uint32_t image_count = o->scene->image_count;
	int64_t *images = SNW_NEW_ARRAY(o->arena, int64_t, (size_t)image_count + 1);
	for (uint32_t i = 0; i < image_count; i++) {
		images[i] = o->scene->images[i].id;
	}
	snw_status status = snw_project_put_image(o->project, &image, &images[image_count], error);
	material.normal_image = image_count;
	snw_material_drop_normal_map(&material, o->arena); /* the new one lies on the first UV set */
	status = snw_failed(status) ? status
								: snw_project_put_material(o->project, &material, image_count + 1, images, &material.id, error);
	material.normal_image = SNW_NONE; /* the list is only for ids */
	to->replaced[map->material == SNW_NONE ? o->scene->material_count : map->material] = to->count;
	to->list[to->count++] = material;
	return status;
}

static uint32_t *replaced_materials(const snw_operation *o, const snw_mesh *mesh, const materials *put) {
	uint32_t *made = SNW_NEW_ARRAY(o->arena, uint32_t, mesh->face_count);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t before = mesh->face_materials ? mesh->face_materials[f] : SNW_NONE;
		made[f] = put->replaced[before == SNW_NONE ? o->scene->material_count : before];
	}
	return made;
}

static snw_status put_tangents(const snw_operation *o, const snw_normal_mapped *mapped, const materials *put,
							   snw_error *error) {
	const snw_mesh *mesh = &o->scene->meshes[mapped->mesh];
	if (mapped->level) {
		snw_scene with_new = *o->scene;
		with_new.materials = put->list;
		with_new.material_count = put->count;
		snw_level level = *mapped->level;
		level.shape.corner_tangents = mapped->tangents;
		level.shape.face_materials = replaced_materials(o, &mapped->level->shape, put);
		return snw_project_put_level(o->project, &with_new, &level, mesh->id, error);
	}
	uint32_t *ids = replaced_materials(o, mesh, put);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		ids[f] = (uint32_t)put->list[ids[f]].id;
	}
	return snw_project_put_shading(o->project, mesh->id, mesh->point_count, mesh->face_offsets[mesh->face_count],
								   mapped->tangents, mesh->face_count, ids, error);
}

static snw_status write_level(const snw_operation *o, uint32_t level, const snw_normal_maps *maps, uint32_t *row,
							  snw_error *error) {
	const uint32_t before = o->scene->material_count;
	materials put = {.count = before,
					 .list = SNW_NEW_ARRAY(o->arena, snw_material, (size_t)before + maps->count),
					 .replaced = SNW_NEW_ARRAY(o->arena, uint32_t, (size_t)before + 1)};
	snw_status status = SNW_OK;
	for (uint32_t m = 0; m < before; m++) {
		put.list[m] = o->scene->materials[m];
	}
	for (uint32_t i = 0; i < maps->count && !snw_failed(status); i++) {
		status = put_map(o, maps, level, &maps->maps[i], &put, error);
		tell_map(o, level, &maps->maps[i], put.list[put.count - 1].name, (*row)++);
	}
	for (uint32_t i = 0; i < maps->mesh_count && !snw_failed(status); i++) {
		status = put_tangents(o, &maps->meshes[i], &put, error);
	}
	warn_of_left_out(o, level, maps);
	return status;
}

static snw_status write_normal_maps(snw_operation *o, snw_error *error) {
	const snw_level_maps *made = o->work->normal_maps;
	snw_status status = SNW_OK;
	uint32_t row = 0;
	o->is_unread = true;
	for (uint32_t i = 0; i < made->count && !snw_failed(status); i++) {
		status = write_level(o, made->levels[i], &made->maps[i], &row, error);
	}
	snw_report_number(o->report, "poses", made->maps[0].pose_count);
	snw_report_say(o->report, "normals are the mean over %u pose%s", made->maps[0].pose_count,
				   snw_plural(made->maps[0].pose_count));
	return status;
}

/* The entry of the history. */
static const char *label_of(const snw_operation *o) {
	const char *path = snw_operation_text(o, "from");
	return path                             ? snw_arena_format(o->arena, "bake normal maps from %s", snw_path_name(path))
		   : !snw_operation_has(o, "level") ? "bake normal maps"
		   : snw_operation_count(o, "level") > 0
			   ? snw_arena_format(o->arena, "bake normal maps of level %u", snw_operation_count(o, "level"))
			   : "bake normal maps of the meshes";
}

static snw_status bake_normal_maps(snw_operation *o, snw_error *error) {
	snw_level_maps *made = SNW_NEW(o->arena, snw_level_maps);
	snw_normal_map_request request = {.mesh = snw_operation_thing(o, "mesh"),
									  .size = snw_operation_count(o, "size"),
									  .at_rest = snw_operation_count(o, "poses") == 1};
	snw_status status = choose_levels(o, made, error);
	status = snw_failed(status) ? status : read_high(o, &request, error);
	if (snw_failed(status)) {
		return status;
	}
	request.clips = snw_operation_clips(o, &request.clip_count);
	read_maps(o, &request);
	for (uint32_t i = 0; i < made->count && !snw_failed(status); i++) {
		snw_subtask part = {o->in->task, (double)i / made->count, (i + 1.0) / made->count};
		const snw_task baking = snw_task_of_subtask(&part);
		request.level = made->levels[i];
		status = snw_normal_map_bake(o->scene, o->in->registry, &request, &baking, o->arena, &made->maps[i], error);
	}
	if (!snw_failed(status)) {
		*o->work = (snw_operator_work){.write = write_normal_maps, .label = label_of(o), .normal_maps = made};
	}
	return status;
}

static const snw_operator normal_map_operators[] = {
	{"", "Bake normal maps", "Bakes normal maps of levels of detail, or from a mesh with more detail, that hold in every pose.",
	 "bake normal maps", SNW_OPERATOR_LONG | SNW_OPERATOR_PLUGINS | SNW_OPERATOR_CURRENT, normal_map_arguments,
	 bake_normal_maps},
	{0},
};

const snw_operator_noun snw_operators_normal_map = {"normal-map", "Bakes normal maps that hold in every pose.",
													normal_map_operators};
