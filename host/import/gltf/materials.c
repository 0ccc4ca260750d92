/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Materials and their pictures. A picture that cannot be read is left out with a notice.
 */
#include <math.h>
#include <string.h>

#include "import/common/reading.h"
#include "import/gltf/gltf_internal.h"

/* ---- images -------------------------------------------------------------------------------------------------------------- */

/* The bytes of an image. False if they cannot be read; the document's error has the reason. */
static bool image_bytes(snw_gltf *g, uint32_t index, snw_bytes *bytes) {
	const cJSON *object = g->images.items[index];
	const char *uri = snw_gltf_text(object, "uri");
	uint32_t view, stride;
	if (uri) {
		return snw_gltf_resolve(g, uri, (snw_gltf_place){"image", index}, bytes);
	}
	return snw_gltf_required_index(g, (snw_gltf_place){"image", index}, object, "bufferView", &g->views, &view) &&
		   snw_gltf_view_bytes(g, view, bytes, &stride);
}

static const char *image_name(snw_gltf *g, uint32_t index) {
	const cJSON *object = g->images.items[index];
	const char *name = snw_name_clean(g->reading.arena, snw_gltf_text(object, "name"), g->reading.task),
			   *uri = snw_gltf_text(object, "uri");
	if (!name && uri && strncmp(uri, "data:", 5) != 0) {
		name = snw_name_clean(g->reading.arena, snw_path_name(uri), g->reading.task);
	}
	return name ? name : snw_arena_format(g->reading.arena, "image-%u", index);
}

/* Reads the images. image_indices[i] is the index of image i in the scene; SNW_NONE if it cannot be read. */
static bool read_images(snw_gltf *g, uint32_t *image_indices, snw_scene *scene) {
	snw_image *images = SNW_NEW_ARRAY(g->reading.arena, snw_image, g->images.count);
	uint32_t count = 0;
	for (uint32_t i = 0; i < g->images.count; i++) {
		snw_error reason = {0}, *previous = g->reading.error;
		snw_bytes bytes = {0};
		g->reading.error = &reason;
		const bool found = image_bytes(g, i, &bytes);
		g->reading.error = previous;
		g->reading.status = SNW_OK;
		const char *media = found ? snw_picture_media(bytes.data, bytes.count) : NULL;
		image_indices[i] = media ? count : SNW_NONE;
		if (!media) {
			snw_task_notice(g->reading.task, SNW_LOG_WARNING, "image %u is left out: %s", i,
							found ? "it is neither PNG nor JPEG" : reason.text);
			continue;
		}
		if (!snw_reading_reserve(&g->reading, bytes.count, 1)) {
			return false;
		}
		images[count++] = (snw_image){
			.name = image_name(g, i),
			.media = media,
			.bytes = snw_arena_copy(g->reading.arena, bytes.data, bytes.count),
			.byte_count = bytes.count,
		};
	}
	scene->images = images;
	scene->image_count = count;
	return true;
}

/* ---- materials ----------------------------------------------------------------------------------------------------------- */

/* The scene's image for the texture at `key`. */
static bool read_texture(snw_gltf *g, snw_gltf_place place, const cJSON *object, const char *key, const uint32_t *image_indices,
						 snw_material *material, uint32_t *image) {
	const cJSON *info = snw_gltf_member(object, key);
	uint32_t texture, source;
	*image = SNW_NONE;
	if (!info) {
		return true;
	}
	if (!snw_gltf_required_index(g, place, info, "index", &g->textures, &texture) ||
		!snw_gltf_index(g, (snw_gltf_place){"texture", texture}, g->textures.items[texture], "source", &g->images, &source)) {
		return false;
	}
	*image = source == SNW_NONE ? SNW_NONE : image_indices[source];
	uint32_t set;
	if (!snw_gltf_texture_set(g, place, info, &set)) {
		return false;
	}
	if (set != 0 && *image != SNW_NONE) {
		snw_task_notice(
			g->reading.task, SNW_LOG_WARNING,
			"material %u: %s has a place of its own on the mesh, which is kept for glTF; here it is shown where the first "
			"texture is",
			place.index, key);
	}
	material->has_further_uvs |= set != 0 && *image != SNW_NONE;
	return true;
}

/* KHR_materials_pbrSpecularGlossiness: the colour, and glossiness as its opposite. The colour of highlights is not shown. */
static bool read_glossiness(snw_gltf *g, snw_gltf_place place, const cJSON *surface, const uint32_t *image_indices,
							snw_material *material) {
	double glossiness = 1;
	if (!snw_gltf_numbers(g, place, surface, "diffuseFactor", 4, material->base_color) ||
		!snw_gltf_number(g, place, surface, "glossinessFactor", &glossiness)) {
		return false;
	}
	material->metallic = 0;
	material->roughness = 1 - glossiness;
	return read_texture(g, place, surface, "diffuseTexture", image_indices, material, &material->base_color_image);
}

static int32_t alpha_mode(const char *text) {
	return text && strcmp(text, "MASK") == 0 ? 1 : text && strcmp(text, "BLEND") == 0 ? 2 : 0;
}

static bool read_material(snw_gltf *g, uint32_t index, const uint32_t *image_indices, snw_material *material) {
	const snw_gltf_place place = {"material", index};
	const cJSON *object = g->materials.items[index], *surface = snw_gltf_member(object, "pbrMetallicRoughness");
	*material = (snw_material){
		.name = snw_name_clean(g->reading.arena, snw_gltf_text(object, "name"), g->reading.task),
		.base_color = {1, 1, 1, 1},
		.metallic = 1,
		.roughness = 1,
		.double_sided = snw_gltf_flag(object, "doubleSided"),
		.alpha = alpha_mode(snw_gltf_text(object, "alphaMode")),
		.alpha_cutoff = 0.5,
	};
	material->name = material->name ? material->name : snw_arena_format(g->reading.arena, "material-%u", index);
	const cJSON *glossy = snw_gltf_member(snw_gltf_member(object, "extensions"), "KHR_materials_pbrSpecularGlossiness");
	return snw_gltf_numbers(g, place, surface, "baseColorFactor", 4, material->base_color) &&
		   snw_gltf_number(g, place, surface, "metallicFactor", &material->metallic) &&
		   snw_gltf_number(g, place, surface, "roughnessFactor", &material->roughness) &&
		   snw_gltf_numbers(g, place, object, "emissiveFactor", 3, material->emissive) &&
		   snw_gltf_number(g, place, object, "alphaCutoff", &material->alpha_cutoff) &&
		   read_texture(g, place, surface, "baseColorTexture", image_indices, material, &material->base_color_image) &&
		   read_texture(g, place, surface, "metallicRoughnessTexture", image_indices, material,
						&material->metallic_roughness_image) &&
		   read_texture(g, place, object, "normalTexture", image_indices, material, &material->normal_image) &&
		   read_texture(g, place, object, "emissiveTexture", image_indices, material, &material->emissive_image) &&
		   (!glossy || read_glossiness(g, place, glossy, image_indices, material)) &&
		   snw_gltf_keep_material(g, index, image_indices, material);
}

bool snw_gltf_read_materials(snw_gltf *g, snw_scene *scene) {
	uint32_t *image_indices = SNW_NEW_ARRAY(g->reading.scratch, uint32_t, g->images.count);
	snw_material *materials = SNW_NEW_ARRAY(g->reading.arena, snw_material, g->materials.count);
	if (!read_images(g, image_indices, scene)) {
		return false;
	}
	for (uint32_t m = 0; m < g->materials.count; m++) {
		if (!read_material(g, m, image_indices, &materials[m])) {
			return false;
		}
	}
	scene->materials = materials;
	scene->material_count = g->materials.count;
	return true;
}

/* ---- textures ------------------------------------------------------------------------------------------------------------ */

/* Where the textures of materials lie. glTF gives each texture a UV set, and by KHR_texture_transform an offset, a rotation
 * and a scale. A scene has these in its UV sets instead: those of a face are the places of its material's textures, that of
 * the colour first. Then all that shows, unwraps or writes a mesh has them right. */

static bool read_place(snw_gltf *g, snw_gltf_place place, const cJSON *texture, snw_gltf_texture_place *dest) {
	uint64_t set = 0;
	*dest = (snw_gltf_texture_place){.scale = {1, 1}};
	const cJSON *transform = snw_gltf_member(snw_gltf_member(texture, "extensions"), "KHR_texture_transform");
	if (!snw_gltf_integer(g, place, texture, "texCoord", &set) || !snw_gltf_integer(g, place, transform, "texCoord", &set)) {
		return false;
	}
	dest->set = set < SNW_NONE ? (uint32_t)set : SNW_NONE;
	return snw_gltf_numbers(g, place, transform, "offset", 2, dest->offset) &&
		   snw_gltf_number(g, place, transform, "rotation", &dest->rotation) &&
		   snw_gltf_numbers(g, place, transform, "scale", 2, dest->scale);
}

static bool is_same_place(const snw_gltf_texture_place *a, const snw_gltf_texture_place *b) {
	return a->set == b->set && a->offset[0] == b->offset[0] && a->offset[1] == b->offset[1] && a->rotation == b->rotation &&
		   a->scale[0] == b->scale[0] && a->scale[1] == b->scale[1];
}

static uint32_t find_place(const snw_gltf_uv_sets *sets, const snw_gltf_texture_place *place) {
	uint32_t at = 0;
	while (at < sets->count && !is_same_place(&sets->places[at], place)) {
		at++;
	}
	return at;
}

static bool add_texture(snw_gltf *g, snw_gltf_place place, const cJSON *texture, snw_gltf_uv_sets *sets) {
	snw_gltf_texture_place found;
	if (!cJSON_IsObject(texture)) {
		return true;
	}
	if (!read_place(g, place, texture, &found)) {
		return false;
	}
	if (find_place(sets, &found) == sets->count) {
		sets->places = snw_arena_grow(g->reading.scratch, sets->places, sets->count, &sets->room, sizeof *sets->places);
		sets->places[sets->count++] = found;
	}
	return true;
}

bool snw_gltf_texture_set(snw_gltf *g, snw_gltf_place place, const cJSON *texture, uint32_t *set) {
	snw_gltf_texture_place found;
	if (!read_place(g, place, texture, &found)) {
		return false;
	}
	*set = find_place(&g->uv_sets[place.index], &found);
	return true;
}

bool snw_gltf_is_texture(const cJSON *member) {
	const size_t length = member->string ? strlen(member->string) : 0;
	return cJSON_IsObject(member) && length >= 7 && strcasecmp(member->string + length - 7, "texture") == 0 &&
		   cJSON_IsNumber(snw_gltf_member(member, "index"));
}

/* Those of extensions come last, in the order of the file; but the colour of KHR_materials_pbrSpecularGlossiness is shown in
 * place of the other one. */
static bool list_places(snw_gltf *g, uint32_t material, snw_gltf_uv_sets *sets) {
	const snw_gltf_place place = {"material", material};
	const cJSON *object = g->materials.items[material], *surface = snw_gltf_member(object, "pbrMetallicRoughness");
	const cJSON *extensions = snw_gltf_member(object, "extensions");
	const cJSON *textures[] = {
		snw_gltf_member(snw_gltf_member(extensions, "KHR_materials_pbrSpecularGlossiness"), "diffuseTexture"),
		snw_gltf_member(surface, "baseColorTexture"),
		snw_gltf_member(surface, "metallicRoughnessTexture"),
		snw_gltf_member(object, "normalTexture"),
		snw_gltf_member(object, "emissiveTexture"),
		snw_gltf_member(object, "occlusionTexture"),
	};
	bool ok = true;
	for (size_t i = 0; ok && i < sizeof textures / sizeof *textures; i++) {
		ok = add_texture(g, place, textures[i], sets);
	}
	for (const cJSON *extension = extensions ? extensions->child : NULL; extension; extension = extension->next) {
		for (const cJSON *member = extension->child; ok && member; member = member->next) {
			ok = !snw_gltf_is_texture(member) || add_texture(g, place, member, sets);
		}
	}
	return ok;
}

bool snw_gltf_read_uv_sets(snw_gltf *g) {
	g->uv_sets = SNW_NEW_ARRAY(g->reading.scratch, snw_gltf_uv_sets, g->materials.count);
	for (uint32_t m = 0; m < g->materials.count; m++) {
		snw_gltf_uv_sets *sets = &g->uv_sets[m];
		if (!list_places(g, m, sets)) {
			return false;
		}
		bool is_plain = true;
		for (uint32_t k = 0; k < sets->count; k++) {
			const snw_gltf_texture_place plain = {.set = k, .scale = {1, 1}};
			is_plain = is_plain && is_same_place(&sets->places[k], &plain);
		}
		sets->is_plain = is_plain;
	}
	return true;
}

/* ---- UVs of a mesh ------------------------------------------------------------------------------------------------------- */

/* Counter-clockwise where v points down, and after the scale. */
static void move_uv(const snw_gltf_texture_place *place, const float *uv, float *dest) {
	const double u = place->scale[0] * (double)uv[0], v = place->scale[1] * (double)uv[1];
	const double c = cos(place->rotation), s = sin(place->rotation);
	dest[0] = (float)(place->offset[0] + c * u + s * v);
	dest[1] = (float)(place->offset[1] - s * u + c * v);
}

static bool is_used(const snw_gltf_uv_sets *sets, uint32_t set) {
	bool is_used = false;
	for (uint32_t k = 0; k < sets->count; k++) {
		is_used = is_used || sets->places[k].set == set;
	}
	return is_used;
}

/* The place of set `k` of faces with a material: those of its textures, then the file's sets that no texture uses. */
static snw_gltf_texture_place place_of(const snw_gltf_uv_sets *sets, uint32_t file_count, uint32_t k) {
	if (sets && k < sets->count) {
		return sets->places[k];
	}
	uint32_t set = sets ? 0 : k;
	for (uint32_t at = sets ? sets->count : k; sets && set < file_count; set++) {
		if (!is_used(sets, set) && at++ == k) {
			break;
		}
	}
	return (snw_gltf_texture_place){.set = set, .scale = {1, 1}};
}

/* The sets of a mesh as the file has them: [*count][corners][2]. */
static const float **file_sets(const snw_mesh *mesh, snw_arena *arena, uint32_t *count) {
	const float **sets = SNW_NEW_ARRAY(arena, const float *, (size_t)mesh->attribute_count + 1);
	sets[(*count)++] = mesh->corner_uvs;
	for (uint32_t i = 0; i < mesh->attribute_count; i++) {
		if (mesh->attributes[i].is_uv) {
			sets[(*count)++] = mesh->attributes[i].values;
		}
	}
	return sets;
}

/* The places of a face's textures that are not the UV sets of the file as they are; NULL for none. */
static const snw_gltf_uv_sets *sets_of_face(const snw_gltf *g, const snw_mesh *mesh, uint32_t face) {
	const uint32_t material = mesh->face_materials ? mesh->face_materials[face] : SNW_NONE;
	return material == SNW_NONE || g->uv_sets[material].is_plain ? NULL : &g->uv_sets[material];
}

/* The number of sets that the mesh needs; 0 if they are those of the file. */
static uint32_t count_uv_sets(const snw_gltf *g, const snw_mesh *mesh, uint32_t file_count) {
	uint32_t most = 0;
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const snw_gltf_uv_sets *sets = sets_of_face(g, mesh, f);
		uint32_t count = sets ? sets->count : 0;
		for (uint32_t set = 0; sets && set < file_count; set++) {
			count += !is_used(sets, set);
		}
		most = count > most ? count : most;
	}
	return most > 0 && most < file_count ? file_count : most;
}

static void tell_lacking_set(const snw_gltf *g, const snw_mesh *mesh, uint32_t file_count) {
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t material = mesh->face_materials ? mesh->face_materials[f] : SNW_NONE;
		const snw_gltf_uv_sets *sets = material == SNW_NONE ? NULL : &g->uv_sets[material];
		for (uint32_t k = 0; sets && k < sets->count; k++) {
			if (sets->places[k].set >= file_count) {
				snw_task_notice(g->reading.task, SNW_LOG_WARNING,
								"mesh %s: a texture of material %u is on UV set %u, which the mesh lacks; its first is used",
								mesh->name, material, sets->places[k].set);
				return;
			}
		}
	}
}

static void place_face(const snw_mesh *mesh, const snw_gltf_uv_sets *sets, uint32_t face, const float *const *before,
					   uint32_t file_count, float *const *after, uint32_t count) {
	for (uint32_t k = 0; k < count; k++) {
		const snw_gltf_texture_place place = place_of(sets, file_count, k);
		const float *from = place.set < file_count ? before[place.set] : before[0];
		for (size_t c = mesh->face_offsets[face]; c < mesh->face_offsets[face + 1]; c++) {
			move_uv(&place, from + 2 * c, after[k] + 2 * c);
		}
	}
}

bool snw_gltf_place_uvs(snw_gltf *g, snw_mesh *mesh) {
	snw_arena *arena = g->reading.arena;
	const uint32_t corner_count = mesh->face_offsets[mesh->face_count];
	uint32_t file_count = 0, attribute_count = 0;
	if (!mesh->corner_uvs) {
		return true;
	}
	const float **before = file_sets(mesh, g->reading.scratch, &file_count);
	const uint32_t count = count_uv_sets(g, mesh, file_count);
	tell_lacking_set(g, mesh, file_count);
	if (count == 0) {
		return true;
	}
	if (!snw_reading_reserve(&g->reading, corner_count, 2 * sizeof(float) * (uint64_t)count)) {
		return false;
	}
	snw_attribute *attributes = SNW_NEW_ARRAY(arena, snw_attribute, (size_t)count - 1 + mesh->attribute_count);
	float **after = SNW_NEW_ARRAY(g->reading.scratch, float *, count);
	for (uint32_t k = 0; k < count; k++) {
		after[k] = SNW_NEW_ARRAY(arena, float, 2 * (size_t)corner_count);
		if (k > 0) {
			attributes[attribute_count++] =
				(snw_attribute){.name = "", .is_uv = true, .width = 2, .corner_count = corner_count, .values = after[k]};
		}
	}
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		place_face(mesh, sets_of_face(g, mesh, f), f, before, file_count, after, count);
	}
	for (uint32_t i = 0; i < mesh->attribute_count; i++) {
		if (!mesh->attributes[i].is_uv) {
			attributes[attribute_count++] = mesh->attributes[i];
		}
	}
	mesh->corner_uvs = after[0];
	mesh->attributes = attributes;
	mesh->attribute_count = attribute_count;
	return true;
}
