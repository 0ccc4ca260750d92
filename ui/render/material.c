/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Textures and uniforms of materials.
 */
#include "render/material.h"

#include <assert.h>
#include <stdio.h>

#include "render/image.h"
#include "render/shader.h"

typedef struct gpu_material {
	const snw_material *material;
	GLuint base_color, metallic_roughness; /* 0: white */
} gpu_material;

struct snw_materials {
	snw_arena *arena;
	uint32_t count;
	gpu_material *materials;
	GLuint white;
	uint32_t texture_count;
	GLuint *textures;
};

static GLuint make_texture(const unsigned char *pixels, uint32_t width, uint32_t height, GLenum format) {
	GLuint texture = 0;
	glGenTextures(1, &texture);
	glActiveTexture(GL_TEXTURE0);
	glBindTexture(GL_TEXTURE_2D, texture);
	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, (GLsizei)width, (GLsizei)height, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	glGenerateMipmap(GL_TEXTURE_2D);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
	if (GLEW_EXT_texture_filter_anisotropic) {
		glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, 4);
	}
	return texture;
}

/* 0 where there is no picture, or none that can be read. */
static GLuint load_image(snw_materials *made, const snw_scene *scene, uint32_t index, GLenum format) {
	if (index == SNW_NONE) {
		return 0;
	}
	const snw_image *image = &scene->images[index];
	snw_arena *scratch = snw_arena_create();
	snw_decoded_image decoded;
	snw_error error;
	GLint limit = 0;
	GLuint texture = 0;
	glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
	if (snw_image_decode(image->bytes, image->byte_count, image->name, scratch, &decoded, &error) < 0) {
		fprintf(stderr, "sinew: %s; its material is shown without it\n", error.text);
	} else if (decoded.width > (uint32_t)limit || decoded.height > (uint32_t)limit) {
		fprintf(stderr, "sinew: picture %s is larger than this graphics driver takes; its material is shown without it\n",
				image->name);
	} else {
		texture = make_texture(decoded.pixels, decoded.width, decoded.height, format);
		made->textures[made->texture_count++] = texture;
	}
	snw_arena_destroy(scratch);
	return texture;
}

snw_materials *snw_materials_create(const snw_scene *scene) {
	static const unsigned char white[4] = {255, 255, 255, 255};
	snw_arena *arena = snw_arena_create();
	snw_materials *made = SNW_NEW(arena, snw_materials);
	made->arena = arena;
	made->count = scene->material_count;
	made->materials = SNW_NEW_ARRAY(arena, gpu_material, made->count);
	made->textures = SNW_NEW_ARRAY(arena, GLuint, 2 * (size_t)made->count);
	made->white = make_texture(white, 1, 1, GL_RGBA8);
	for (uint32_t m = 0; m < made->count; m++) {
		const snw_material *material = &scene->materials[m];
		made->materials[m].material = material;
		made->materials[m].base_color = load_image(made, scene, material->base_color_image, GL_SRGB8_ALPHA8);
		made->materials[m].metallic_roughness = load_image(made, scene, material->metallic_roughness_image, GL_RGBA8);
	}
	return made;
}

void snw_materials_destroy(snw_materials *materials) {
	if (!materials) {
		return;
	}
	glDeleteTextures((GLsizei)materials->texture_count, materials->textures);
	glDeleteTextures(1, &materials->white);
	snw_arena_destroy(materials->arena);
}

void snw_materials_follow(snw_materials *materials, const snw_scene *scene) {
	assert(scene->material_count == materials->count);
	for (uint32_t m = 0; m < materials->count; m++) {
		materials->materials[m].material = &scene->materials[m];
	}
}

static void bind_texture(int unit, GLuint texture) {
	glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
	glBindTexture(GL_TEXTURE_2D, texture);
}

void snw_material_use(const snw_materials *materials, uint32_t material, GLuint program) {
	static const snw_material clay = {.base_color = {0.58, 0.54, 0.50, 1}, .metallic = 0, .roughness = 0.62};
	const gpu_material *used = material < materials->count ? &materials->materials[material] : NULL;
	const snw_material *m = used ? used->material : &clay;
	float base[4], emissive[3];
	for (int c = 0; c < 4; c++) {
		base[c] = (float)m->base_color[c];
	}
	for (int c = 0; c < 3; c++) {
		emissive[c] = (float)m->emissive[c];
	}
	const float surface[2] = {(float)m->metallic, (float)m->roughness};
	snw_uniform_vector(program, "base_color", 4, base);
	snw_uniform_vector(program, "emissive", 3, emissive);
	snw_uniform_vector(program, "metallic_roughness", 2, surface);
	snw_uniform_float(program, "alpha_cutoff", m->alpha == 1 ? m->alpha_cutoff : -1);
	bind_texture(SNW_UNIT_BASE_COLOR, used && used->base_color ? used->base_color : materials->white);
	bind_texture(SNW_UNIT_METALLIC_ROUGHNESS, used && used->metallic_roughness ? used->metallic_roughness : materials->white);
}

bool snw_material_is_blended(const snw_materials *materials, uint32_t material) {
	return material < materials->count && materials->materials[material].material->alpha == 2;
}
