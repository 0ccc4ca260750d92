/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Materials and their textures: inside the file, beside it, or missing, which is reported.
 */
#include <assimp/cimport.h>
#include <assimp/material.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file/file.h"
#include "import/assimp/assimp_internal.h"
#include "import/common/names.h"
#include "import/common/picture.h"

/* The pictures of the file, each once. */
typedef struct picture_list {
	snw_assimp *a;
	snw_image *images;
	const char **paths; /* as the file names them */
	uint32_t count, limit;
} picture_list;

static double unit(double value) {
	return isfinite(value) ? fmin(fmax(value, 0), 1) : 0;
}

static double read_number(const struct aiMaterial *m, const char *key, double initial) {
	ai_real value;
	unsigned count = 1;
	return aiGetMaterialFloatArray(m, key, 0, 0, &value, &count) == AI_SUCCESS && count == 1 && isfinite(value) ? (double)value
																												: initial;
}

static bool read_color(const struct aiMaterial *m, const char *key, double dest[4]) {
	struct aiColor4D color;
	if (aiGetMaterialColor(m, key, 0, 0, &color) != AI_SUCCESS) {
		return false;
	}
	dest[0] = unit((double)color.r);
	dest[1] = unit((double)color.g);
	dest[2] = unit((double)color.b);
	return true;
}

/* ---- textures ------------------------------------------------------------------------------------------------------------ */

static const struct aiTexture *find_embedded(const struct aiScene *file, const char *path) {
	if (path[0] == '*') {
		const unsigned long index = strtoul(path + 1, NULL, 10);
		return index < file->mNumTextures ? file->mTextures[index] : NULL;
	}
	for (unsigned t = 0; t < file->mNumTextures; t++) {
		const char *text = file->mTextures[t]->mFilename.data;
		if (text[0] && strcmp(snw_path_name(text), snw_path_name(path)) == 0) {
			return file->mTextures[t];
		}
	}
	return NULL;
}

static snw_status read_embedded(const picture_list *g, const struct aiTexture *texture, const char *name, snw_image *image,
								snw_error *error) {
	const unsigned char *bytes = (const unsigned char *)texture->pcData;
	const char *media = texture->mHeight == 0 && bytes ? snw_picture_media(bytes, texture->mWidth) : NULL;
	if (!media) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED, "neither PNG nor JPEG; convert it");
	}
	*image = (snw_image){
		.name = snw_arena_text(g->a->arena, name),
		.media = media,
		.bytes = snw_arena_copy(g->a->arena, bytes, texture->mWidth),
		.byte_count = texture->mWidth,
	};
	return SNW_OK;
}

/* Reads the picture at its path if that is below the file's folder. Otherwise the path is that of another machine, and the
 * picture is looked for beside the file. */
static snw_status read_beside(const picture_list *g, const char *path, snw_image *image, snw_error *error) {
	snw_arena *scratch = g->a->scratch;
	const char *folder = snw_path_folder(g->a->path, scratch), *beside = snw_path_join(scratch, folder, snw_path_name(path));
	const bool relative = path[0] != '/' && path[0] != '\0' && path[1] != ':' && strncmp(path, "file:", 5) != 0;
	const char *named = relative ? snw_path_join(scratch, folder, path) : beside;
	if (!snw_failed(snw_below_folder(folder, named, error)) &&
		!snw_failed(snw_picture_read(named, g->a->arena, image, error))) {
		return SNW_OK;
	}
	const snw_status status = snw_below_folder(folder, beside, error);
	return snw_failed(status) ? status : snw_picture_read(beside, g->a->arena, image, error);
}

static uint32_t read_texture(picture_list *g, const struct aiMaterial *m, enum aiTextureType type) {
	struct aiString text;
	if (aiGetMaterialTexture(m, type, 0, &text, NULL, NULL, NULL, NULL, NULL, NULL) != AI_SUCCESS || !text.data[0]) {
		return SNW_NONE;
	}
	char *path = snw_arena_text(g->a->scratch, text.data);
	for (char *c = path; *c; c++) {
		*c = *c == '\\' ? '/' : *c;
	}
	if (strspn(path, "./") == strlen(path)) {
		snw_task_notice(g->a->task, SNW_LOG_WARNING,
						"a texture is left out: the file has no path for it; export with embedded textures");
		return SNW_NONE;
	}
	for (uint32_t i = 0; i < g->count; i++) {
		if (strcmp(g->paths[i], path) == 0) {
			return i;
		}
	}
	snw_error error = {0};
	snw_image image;
	const struct aiTexture *embedded = find_embedded(g->a->file, path);
	const char *cleaned = snw_name_clean(g->a->arena, snw_path_name(path), g->a->task);
	const char *name = path[0] == '*' || !cleaned ? snw_arena_format(g->a->arena, "texture-%u", g->count) : cleaned;
	const snw_status status =
		embedded ? read_embedded(g, embedded, name, &image, &error) : read_beside(g, path, &image, &error);
	if (snw_failed(status) || g->count == g->limit) {
		snw_task_notice(g->a->task, SNW_LOG_WARNING, "the texture %s is left out: %s", name,
						snw_failed(status) ? error.text : "there are too many");
		return SNW_NONE;
	}
	image.name = name;
	g->images[g->count] = image;
	g->paths[g->count] = path;
	return g->count++;
}

/* ---- materials ----------------------------------------------------------------------------------------------------------- */

/* Roughness from a specular exponent of at most 100, as Blender converts it for FBX. */
static double roughness_of_shininess(double shininess) {
	return 1 - sqrt(fmin(fmax(shininess, 0), 100)) / 10;
}

static void read_factors(const struct aiMaterial *file, snw_material *m) {
	if (!read_color(file, "$clr.base", m->base_color)) {
		(void)read_color(file, "$clr.diffuse", m->base_color);
	}
	m->base_color[3] = unit(read_number(file, "$mat.opacity", 1));
	m->metallic = unit(read_number(file, "$mat.metallicFactor", 0));
	const double shininess = read_number(file, "$mat.shininess", -1);
	m->roughness = shininess >= 0 ? roughness_of_shininess(shininess) : 0.5;
	m->roughness = unit(read_number(file, "$mat.roughnessFactor", m->roughness));
	double emissive[4];
	if (read_color(file, "$clr.emissive", emissive)) {
		memcpy(m->emissive, emissive, sizeof m->emissive);
	}
	m->alpha = m->base_color[3] < 1 ? 2 : 0;
}

static void read_textures(picture_list *g, const struct aiMaterial *file, snw_material *m) {
	m->base_color_image = read_texture(g, file, aiTextureType_BASE_COLOR);
	if (m->base_color_image == SNW_NONE) {
		m->base_color_image = read_texture(g, file, aiTextureType_DIFFUSE);
	}
	m->normal_image = read_texture(g, file, aiTextureType_NORMALS);
	m->emissive_image = read_texture(g, file, aiTextureType_EMISSIVE);
	if (m->base_color_image != SNW_NONE) {
		/* FBX and Collada do not multiply a texture by the colour. */
		m->base_color[0] = m->base_color[1] = m->base_color[2] = 1;
	}
	/* glTF keeps both in one picture, so they are read only if both refer to the same one. */
	const uint32_t metallic = read_texture(g, file, aiTextureType_METALNESS);
	const uint32_t roughness = read_texture(g, file, aiTextureType_DIFFUSE_ROUGHNESS);
	if (metallic != SNW_NONE && metallic == roughness) {
		m->metallic_roughness_image = metallic;
		m->metallic = m->roughness = 1;
	}
}

void snw_assimp_read_materials(snw_assimp *a) {
	const uint32_t count = a->file->mNumMaterials;
	const uint32_t limit = count < 1024 ? 6 * count : 6 * 1024;
	picture_list g = {
		.a = a,
		.images = SNW_NEW_ARRAY(a->arena, snw_image, limit),
		.paths = SNW_NEW_ARRAY(a->scratch, const char *, limit),
		.limit = limit,
	};
	snw_material *materials = SNW_NEW_ARRAY(a->arena, snw_material, count);
	const char **names = SNW_NEW_ARRAY(a->scratch, const char *, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct aiMaterial *file = a->file->mMaterials[i];
		struct aiString name;
		names[i] = aiGetMaterialString(file, "?mat.name", 0, 0, &name) == AI_SUCCESS
					   ? snw_name_clean(a->arena, name.data, a->task)
					   : NULL;
		int two_sided = 1;
		(void)aiGetMaterialIntegerArray(file, "$mat.twosided", 0, 0, &two_sided, NULL);
		materials[i] = (snw_material){
			.base_color = {0.8, 0.8, 0.8, 1},
			.metallic_roughness_image = SNW_NONE,
			.double_sided = two_sided != 0,
			.alpha_cutoff = 0.5,
		};
		read_factors(file, &materials[i]);
		read_textures(&g, file, &materials[i]);
	}
	snw_names_make_unique(a->arena, names, count, "material", a->task);
	for (uint32_t i = 0; i < count; i++) {
		materials[i].name = names[i];
	}
	a->scene->materials = materials;
	a->scene->material_count = count;
	a->scene->images = g.images;
	a->scene->image_count = g.count;
}
