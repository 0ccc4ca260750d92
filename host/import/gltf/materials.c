/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Materials and their pictures. A picture that cannot be read is left out with a notice.
 */
#include <string.h>

#include "import/common/names.h"
#include "import/common/picture.h"
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
