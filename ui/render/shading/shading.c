/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/shading/shading.h"

#include <GL/glew.h>
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "render/gl/shader.h"
#include "render/view/view.h"
#include "sinew/algebra.h"
#include "worker/worker.h"

/* ---- look ---------------------------------------------------------------------------------------------------------------- */

const snw_look snw_looks[SNW_LOOK_COUNT] = {
	{"materials", "Materials", 0},
	{"clay", "Clay", SNW_VIEW_CLAY},
	{"x-ray", "X-ray", SNW_VIEW_XRAY},
	{"edges", "Edges", SNW_VIEW_HOLLOW},
	{"matcap-clay", "Clay", SNW_VIEW_MATCAP_CLAY},
	{"matcap-skin", "Skin", SNW_VIEW_MATCAP_SKIN},
	{"matcap-chrome", "Chrome", SNW_VIEW_MATCAP_CHROME},
};

const char *const snw_lights_words[] = {"studio", "raking", "even", NULL};
_Static_assert(sizeof snw_lights_words / sizeof *snw_lights_words == SNW_LIGHTS_COUNT + 1, "a word is missing");

const snw_look *snw_look_find(const char *word) {
	for (int i = 0; i < SNW_LOOK_COUNT; i++) {
		if (strcmp(snw_looks[i].word, word) == 0) {
			return &snw_looks[i];
		}
	}
	return NULL;
}

uint32_t snw_look_of(uint32_t flags) {
	uint32_t look = SNW_LOOK_COUNT - 1;
	while (look > 0 && (flags & snw_looks[look].flags) != snw_looks[look].flags) {
		look--;
	}
	return look;
}

uint32_t snw_look_put(uint32_t flags, uint32_t look) {
	return (flags & ~snw_looks[snw_look_of(flags)].flags) | snw_looks[look].flags;
}

/* ---- key light ----------------------------------------------------------------------------------------------------------- */

/* A shadow map around the visible box. */

enum { SNW_KEY_DEPTH_SIDE = 2048, SNW_UNIT_KEY_DEPTH = 8 };

/* By snw_lights. */
static const struct {
	double direction[3];
	float shares[3];
} setups[SNW_LIGHTS_COUNT] = {
	{{-0.60, 0.64, 0.48}, {1, 1, 1}},
	{{-0.92, 0.30, 0.24}, {1.25f, 0.25f, 0.45f}},
	{{-0.12, 0.22, 0.97}, {0.92f, 0.6f, 0.9f}},
};

const char *const snw_key_light_defines[2] = {NULL, "#define KEY_SHADOWS 1\n"};

/* For the texture that is bound. */
static void size_depth(int side) {
	glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, side, side, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, NULL);
}

/* The depth gets its full size, of 16 MB, with the first shadow: not every window shows one. */
snw_status snw_key_light_create(snw_key_light *light, snw_error *error) {
	static const float lit[4] = {1, 1, 1, 1};
	glGenTextures(1, &light->depth);
	glActiveTexture(GL_TEXTURE0);
	glBindTexture(GL_TEXTURE_2D, light->depth);
	size_depth(1);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
	glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, lit);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
	glGenFramebuffers(1, &light->framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, light->framebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, light->depth, 0);
	glDrawBuffer(GL_NONE);
	glReadBuffer(GL_NONE);
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
		return snw_fail(error, SNW_ERROR_UNSUPPORTED, "rendering: the OpenGL driver draws no depth textures; update it");
	}
	return SNW_OK;
}

void snw_key_light_destroy(snw_key_light *light) {
	glDeleteFramebuffers(1, &light->framebuffer);
	glDeleteTextures(1, &light->depth);
	*light = (snw_key_light){0};
}

snw_key_view snw_key_view_make(const snw_camera_matrices *camera, const snw_box *box, uint32_t lights, double angle) {
	double axes[3][3] = {{0}}, lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
	const double up[3] = {0, 1, 0};
	snw_key_view view = {.casts_shadows = true};
	assert(lights < SNW_LIGHTS_COUNT);
	const double *direction = setups[lights].direction;
	axes[2][0] = cos(angle) * direction[0] + sin(angle) * direction[2];
	axes[2][1] = direction[1];
	axes[2][2] = cos(angle) * direction[2] - sin(angle) * direction[0];
	memcpy(view.shares, setups[lights].shares, sizeof view.shares);
	snw_normalize3(axes[2]);
	snw_cross3(up, axes[2], axes[0]);
	snw_normalize3(axes[0]);
	snw_cross3(axes[2], axes[0], axes[1]);
	for (int corner = 0; corner < 8 && !snw_box_is_empty(box); corner++) {
		double in_eye[3] = {0};
		for (int c = 0; c < 3; c++) {
			const double away = (corner >> c & 1 ? box->upper[c] : box->lower[c]) - (double)camera->eye[c];
			for (int r = 0; r < 3; r++) {
				in_eye[r] += (double)camera->eye_from_world[3 * c + r] * away;
			}
		}
		for (int r = 0; r < 3; r++) {
			lower[r] = fmin(lower[r], snw_dot3(axes[r], in_eye));
			upper[r] = fmax(upper[r], snw_dot3(axes[r], in_eye));
		}
	}
	const double size = fmax(fmax(upper[0] - lower[0], upper[1] - lower[1]), upper[2] - lower[2]);
	const double side = size > 0 ? 1.06 * size : 1; /* one scale for all axes, so that texels are square */
	for (int r = 0; r < 3; r++) {
		const double middle = size > 0 ? (lower[r] + upper[r]) / 2 : 0, sign = r == 2 ? -1 : 1;
		for (int c = 0; c < 3; c++) {
			view.key_from_eye[4 * c + r] = (float)(sign * axes[r][c] / side);
		}
		view.key_from_eye[12 + r] = (float)(0.5 - sign * middle / side);
		view.direction[r] = (float)axes[2][r];
	}
	view.key_from_eye[15] = 1;
	view.texel = side / SNW_KEY_DEPTH_SIDE;
	return view;
}

void snw_key_light_enter(const snw_key_light *light) {
	GLint side = 0;
	glActiveTexture(GL_TEXTURE0 + SNW_UNIT_KEY_DEPTH);
	glBindTexture(GL_TEXTURE_2D, light->depth);
	glGetTexLevelParameteriv(GL_TEXTURE_2D, 0, GL_TEXTURE_WIDTH, &side);
	if (side != SNW_KEY_DEPTH_SIDE) {
		size_depth(SNW_KEY_DEPTH_SIDE);
	}
	glBindFramebuffer(GL_FRAMEBUFFER, light->framebuffer);
	glViewport(0, 0, SNW_KEY_DEPTH_SIDE, SNW_KEY_DEPTH_SIDE);
	glEnable(GL_DEPTH_TEST);
	glClear(GL_DEPTH_BUFFER_BIT);
}

void snw_key_light_use(const snw_key_light *light, const snw_key_view *view, GLuint program) {
	glActiveTexture(GL_TEXTURE0 + SNW_UNIT_KEY_DEPTH);
	glBindTexture(GL_TEXTURE_2D, light->depth);
	snw_uniform_vector(program, "key_direction", 3, view->direction);
	snw_uniform_vector(program, "light_shares", 3, view->shares);
	snw_uniform_matrix(program, "key_from_eye", 4, view->key_from_eye);
	snw_uniform_float(program, "key_texel", view->texel);
}

/* ---- materials ----------------------------------------------------------------------------------------------------------- */

/* Textures and uniforms of materials. */

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
