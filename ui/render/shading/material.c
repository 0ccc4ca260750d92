/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Textures and uniforms of materials.
 */
#include "render/shading/material.h"

#include <assert.h>
#include <stdio.h>

#include "render/gl/shader.h"
#include "worker/worker.h"

/* ---- material ------------------------------------------------------------------------------------------------------------ */

typedef struct gpu_material {
	const snw_material *material;
	GLuint base_color, metallic_roughness, normal, emissive; /* 0: none */
} gpu_material;

struct snw_materials {
	snw_arena *arena;
	uint32_t count;
	gpu_material *materials;
	GLuint white;
	uint32_t texture_count;
	GLuint *textures;
};

struct snw_materials_data {
	snw_arena *arena;
	snw_picture *pictures; /* [image_count] */
};

/* ---- pictures ------------------------------------------------------------------------------------------------------------ */

/* The finest level of all pictures together. */
static const uint64_t PICTURE_BYTES = (uint64_t)1 << 30;

snw_materials_data *snw_materials_data_create(const snw_scene *scene) {
	snw_arena *arena = snw_arena_create();
	snw_materials_data *data = SNW_NEW(arena, snw_materials_data);
	data->arena = arena;
	data->pictures = snw_pictures_of_scene(scene, PICTURE_BYTES, arena);
	return data;
}

void snw_materials_data_destroy(snw_materials_data *data) {
	if (data) {
		snw_arena_destroy(data->arena);
	}
}

/* ---- materials ----------------------------------------------------------------------------------------------------------- */

/* A scene's pictures on the GPU, each once for each of its formats. */
typedef struct sending {
	const snw_scene *scene;
	const snw_materials_data *data;
	snw_uploads *uploads;
	GLuint (*textures)[2]; /* [image_count] */
	GLint side_limit;
} sending;

/* 0 if there is no picture, or if it cannot be shown. */
static GLuint send_image(snw_materials *made, const sending *from, uint32_t index, bool is_color) {
	const snw_mipmap *image = index == SNW_NONE ? NULL : &from->data->pictures[index][is_color];
	if (!image || !image->pixels || from->textures[index][is_color]) {
		return image && image->pixels ? from->textures[index][is_color] : 0;
	}
	if (image->width > (uint32_t)from->side_limit || image->height > (uint32_t)from->side_limit) {
		fprintf(stderr, "sinew: picture %s is larger than this graphics driver takes; its material is shown without it\n",
				from->scene->images[index].name);
		return 0;
	}
	const GLuint texture = snw_uploads_texture(from->uploads, image, is_color ? GL_SRGB8_ALPHA8 : GL_RGBA8);
	from->textures[index][is_color] = texture;
	made->textures[made->texture_count++] = texture;
	return texture;
}

snw_materials *snw_materials_create(const snw_scene *scene, snw_materials_data *data, snw_uploads *uploads) {
	static const unsigned char white[4] = {255, 255, 255, 255};
	static const snw_mipmap plain = {1, 1, 1, white};
	snw_arena *arena = snw_arena_create(), *scratch = snw_arena_create();
	snw_materials *made = SNW_NEW(arena, snw_materials);
	data = data ? data : snw_materials_data_create(scene);
	sending from = {.scene = scene, .data = data, .uploads = uploads};
	from.textures = snw_arena_array(scratch, scene->image_count, sizeof *from.textures);
	glGetIntegerv(GL_MAX_TEXTURE_SIZE, &from.side_limit);
	made->arena = arena;
	made->count = scene->material_count;
	made->materials = SNW_NEW_ARRAY(arena, gpu_material, made->count);
	made->textures = SNW_NEW_ARRAY(arena, GLuint, 4 * (size_t)made->count);
	made->white = snw_uploads_texture(NULL, &plain, GL_RGBA8);
	for (uint32_t m = 0; m < made->count; m++) {
		const snw_material *material = &scene->materials[m];
		made->materials[m].material = material;
		made->materials[m].base_color = send_image(made, &from, material->base_color_image, true);
		made->materials[m].metallic_roughness = send_image(made, &from, material->metallic_roughness_image, false);
		made->materials[m].normal = send_image(made, &from, material->normal_image, false);
		made->materials[m].emissive = send_image(made, &from, material->emissive_image, true);
	}
	snw_arena_destroy(scratch);
	snw_uploads_adopt(uploads, data->arena);
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

void snw_materials_replace(snw_materials *materials, const snw_scene *scene) {
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
	static const snw_material clay = {.base_color = {0.50, 0.465, 0.43, 1}, .metallic = 0, .roughness = 0.62};
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
	snw_uniform_whole(program, "normal_mapped", used && used->normal);
	bind_texture(SNW_UNIT_NORMAL, used && used->normal ? used->normal : materials->white);
	bind_texture(SNW_UNIT_EMISSIVE, used && used->emissive ? used->emissive : materials->white);
	bind_texture(SNW_UNIT_BASE_COLOR, used && used->base_color ? used->base_color : materials->white);
	bind_texture(SNW_UNIT_METALLIC_ROUGHNESS, used && used->metallic_roughness ? used->metallic_roughness : materials->white);
}

GLuint snw_material_base_color(const snw_materials *materials, uint32_t material) {
	return material < materials->count ? materials->materials[material].base_color : 0;
}

bool snw_material_is_blended(const snw_materials *materials, uint32_t material) {
	return material < materials->count && materials->materials[material].material->alpha == 2;
}

/* ---- pictures ------------------------------------------------------------------------------------------------------------ */

typedef struct uses {
	snw_picture_use *items;
	uint32_t *images; /* [count]: into the scene's */
	uint32_t count;
	bool (*seen)[2]; /* [image_count] */
} uses;

static void add(uses *list, const snw_scene *scene, uint32_t index, bool is_color) {
	if (index == SNW_NONE || list->seen[index][is_color]) {
		return;
	}
	const snw_image *image = &scene->images[index];
	list->seen[index][is_color] = true;
	list->images[list->count] = index;
	list->items[list->count++] = (snw_picture_use){image->name, image->bytes, image->byte_count, is_color};
}

/* Each picture once for each of its uses. */
static uses list_uses(const snw_scene *scene, snw_arena *arena) {
	uses list = {
		.items = SNW_NEW_ARRAY(arena, snw_picture_use, 2 * (size_t)scene->image_count),
		.images = SNW_NEW_ARRAY(arena, uint32_t, 2 * (size_t)scene->image_count),
		.seen = snw_arena_array(arena, scene->image_count, sizeof *list.seen),
	};
	for (uint32_t m = 0; m < scene->material_count; m++) {
		add(&list, scene, scene->materials[m].base_color_image, true);
		add(&list, scene, scene->materials[m].metallic_roughness_image, false);
		add(&list, scene, scene->materials[m].normal_image, false);
		add(&list, scene, scene->materials[m].emissive_image, true);
	}
	return list;
}

static void print_notice(void *context, snw_log_level level, const char *line) {
	(void)context, (void)level;
	fprintf(stderr, "sinew: %s\n", line);
}

snw_picture *snw_pictures_of_scene(const snw_scene *scene, uint64_t budget, snw_arena *arena) {
	const snw_task task = {.notice = print_notice};
	snw_picture *pictures = snw_arena_array(arena, scene->image_count, sizeof *pictures);
	snw_arena *scratch = snw_arena_create();
	const uses list = list_uses(scene, scratch);
	snw_mipmap *decoded = SNW_NEW_ARRAY(scratch, snw_mipmap, list.count);
	snw_worker_decode_pictures(list.items, list.count, budget, &task, arena, decoded);
	for (uint32_t i = 0; i < list.count; i++) {
		pictures[list.images[i]][list.items[i].is_color] = decoded[i];
	}
	snw_arena_destroy(scratch);
	return pictures;
}
