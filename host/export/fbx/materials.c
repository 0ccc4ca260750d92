/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Materials as FBX has them: diffuse and emissive colours, opacity, shininess; their pictures are inside the file.
 */
#include <math.h>
#include <string.h>
#include <strings.h>

#include <cjson/cJSON.h>

#include "export/fbx/writer.h"

static int64_t write_video(snw_fbx_writer *w, uint32_t image, const char *file) {
	const snw_image *source = &w->plan->scene->images[image];
	snw_fbx_document *d = w->document;
	if (w->videos[image] == 0) {
		snw_fbx_open video = snw_fbx_put_object(d, "Video", file, "Video", "Clip", &w->videos[image]);
		snw_fbx_put_text(d, &video, "Type", "Clip");
		snw_fbx_open list = snw_fbx_put_node(d, &video, "Properties70");
		snw_fbx_put_property_text(d, &list, "Path", "", file);
		snw_fbx_put_integer(d, &video, "UseMipMap", 0);
		snw_fbx_put_text(d, &video, "Filename", file);
		snw_fbx_put_text(d, &video, "RelativeFilename", file);
		snw_fbx_put_bytes(d, &video, "Content", source->bytes, source->byte_count);
	}
	return w->videos[image];
}

static bool is_repeated(const snw_scene *scene, uint32_t image) {
	for (uint32_t i = 0; i < image; i++) {
		if (scene->images[i].name && scene->images[image].name &&
			strcmp(scene->images[i].name, scene->images[image].name) == 0) {
			return true;
		}
	}
	return false;
}

/* Programs choose a decoder by the name, and tell pictures apart by it. */
static const char *file_of(const snw_fbx_writer *w, uint32_t image) {
	const snw_image *source = &w->plan->scene->images[image];
	const bool is_png = strcmp(source->media, "image/png") == 0;
	const char *name = source->name && source->name[0] ? source->name : "texture";
	name = is_repeated(w->plan->scene, image) ? snw_arena_format(w->arena, "%u-%s", image, name) : name;
	const char *dot = strrchr(name, '.');
	const bool has_extension =
		dot && (is_png ? strcasecmp(dot, ".png") == 0 : strcasecmp(dot, ".jpg") == 0 || strcasecmp(dot, ".jpeg") == 0);
	return has_extension ? name : snw_arena_format(w->arena, "%s.%s", name, is_png ? "png" : "jpg");
}

/* The UV set of a texture, by what is kept of its material (import/gltf/gltf.c). */
static uint32_t uv_set_of(const cJSON *kept, const char *texture) {
	const cJSON *set = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(kept, texture), "texCoord");
	return cJSON_IsNumber(set) && set->valuedouble > 0 && set->valuedouble < SNW_NONE ? (uint32_t)set->valuedouble : 0;
}

static void write_fbx_texture(snw_fbx_writer *w, int64_t material, const char *property, uint32_t image, const char *uv_set) {
	snw_fbx_document *d = w->document;
	if (image == SNW_NONE) {
		return;
	}
	const char *file = file_of(w, image);
	int64_t id;
	snw_fbx_open texture = snw_fbx_put_object(d, "Texture", file, "Texture", "", &id);
	snw_fbx_put_text(d, &texture, "Type", "TextureVideoClip");
	snw_fbx_put_integer(d, &texture, "Version", 202);
	snw_fbx_put_name(d, &texture, "TextureName", file, "Texture");
	snw_fbx_put_name(d, &texture, "Media", file, "Video");
	snw_fbx_open list = snw_fbx_put_node(d, &texture, "Properties70");
	snw_fbx_put_property_text(d, &list, "UVSet", "", uv_set);
	snw_fbx_put_text(d, &texture, "FileName", file);
	snw_fbx_put_text(d, &texture, "RelativeFilename", file);
	snw_fbx_connect(d, id, material, property);
	snw_fbx_connect(d, write_video(w, image, file), id, NULL);
}

/* Roughness as a specular exponent of at most 100, which Blender reads back as the same. */
static double shininess(double roughness) {
	const double smooth = 10 * (1 - fmin(fmax(roughness, 0), 1));
	return smooth * smooth;
}

static void write_textures(snw_fbx_writer *w, const snw_material *source, int64_t material, const snw_mesh *mesh) {
	cJSON *kept = source->has_further_uvs && source->kept ? cJSON_Parse(source->kept) : NULL;
	const struct {
		const char *property, *texture;
		uint32_t image;
	} textures[] = {{"DiffuseColor", "baseColorTexture", source->base_color_image},
					{"NormalMap", "normalTexture", source->normal_image},
					{"EmissiveColor", "emissiveTexture", source->emissive_image}};
	for (size_t i = 0; i < sizeof textures / sizeof *textures; i++) {
		write_fbx_texture(w, material, textures[i].property, textures[i].image,
						  snw_fbx_uv_set_name(w, mesh, uv_set_of(kept, textures[i].texture)));
	}
	cJSON_Delete(kept);
}

int64_t snw_fbx_write_material(snw_fbx_writer *w, uint32_t material, const snw_mesh *mesh) {
	const snw_material *source = &w->plan->scene->materials[material];
	int64_t *id = &w->materials[material];
	if (*id != 0) {
		return *id;
	}
	const double one = 1, opacity = source->alpha == 2 ? source->base_color[3] : 1, transparency = 1 - opacity;
	const double exponent = shininess(source->roughness);
	snw_fbx_document *d = w->document;
	snw_fbx_open object = snw_fbx_put_object(d, "Material", source->name ? source->name : "", "Material", "", id);
	snw_fbx_put_integer(d, &object, "Version", 102);
	snw_fbx_put_text(d, &object, "ShadingModel", "phong");
	snw_fbx_put_integer(d, &object, "MultiLayer", 0);
	snw_fbx_open list = snw_fbx_put_node(d, &object, "Properties70");
	snw_fbx_put_property_numbers(d, &list, "DiffuseColor", "Color", "", "A", source->base_color, 3);
	snw_fbx_put_property_numbers(d, &list, "DiffuseFactor", "Number", "", "A", &one, 1);
	snw_fbx_put_property_numbers(d, &list, "EmissiveColor", "Color", "", "A", source->emissive, 3);
	snw_fbx_put_property_numbers(d, &list, "EmissiveFactor", "Number", "", "A", &one, 1);
	snw_fbx_put_property_numbers(d, &list, "TransparencyFactor", "Number", "", "A", &transparency, 1);
	snw_fbx_put_property_numbers(d, &list, "Opacity", "Number", "", "A", &opacity, 1);
	snw_fbx_put_property_numbers(d, &list, "Shininess", "Number", "", "A", &exponent, 1);
	snw_fbx_put_property_numbers(d, &list, "ShininessExponent", "Number", "", "A", &exponent, 1);
	snw_fbx_put_property_numbers(d, &list, "ReflectionFactor", "Number", "", "A", &source->metallic, 1);
	write_textures(w, source, *id, mesh);
	return *id;
}
