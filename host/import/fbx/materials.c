/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Materials and their pictures: inside the file, beside it, or missing, which is reported.
 */
#include <math.h>
#include <string.h>

#include "import/common/reading.h"
#include "import/fbx/fbx_internal.h"

/* ---- pictures ------------------------------------------------------------------------------------------------------------ */

/* The pictures of the file, each once. */
typedef struct pictures {
	snw_fbx *f;
	const snw_fbx_objects *objects;
	snw_image *images;
	uint32_t count;
	uint32_t *of_objects; /* [objects.count]: 1 + the image of each texture, SNW_NONE for one that is left out */
} pictures;

/* A text file has pictures as base64, in one or more pieces. */
static bool decode_content(snw_fbx *f, const snw_fbx_node *content, snw_bytes *bytes) {
	size_t count = 0;
	for (uint32_t i = 0; i < content->value_count; i++) {
		count += content->values[i].kind == SNW_FBX_TEXT ? content->values[i].bytes.count : 0;
	}
	if (!snw_reading_reserve(&f->reading, count, 1)) {
		return false;
	}
	unsigned char *data = SNW_NEW_ARRAY(f->reading.scratch, unsigned char, count + 4);
	snw_base64 state = {.dest = data};
	for (uint32_t i = 0; i < content->value_count; i++) {
		const snw_fbx_value *value = &content->values[i];
		if (value->kind == SNW_FBX_TEXT && !snw_base64_decode(&state, (const char *)value->bytes.data, value->bytes.count)) {
			break;
		}
	}
	*bytes = (snw_bytes){data, state.count};
	return true;
}

/* The bytes of a video inside the file; none if it refers to another file. */
static bool read_content(snw_fbx *f, const snw_fbx_objects *objects, uint32_t video, snw_bytes *bytes) {
	const snw_fbx_node *content = video == SNW_NONE ? NULL : snw_fbx_child(objects->objects[video].node, "Content");
	*bytes = (snw_bytes){0};
	if (!content || content->value_count == 0) {
		return true;
	}
	if (f->is_text) {
		return decode_content(f, content, bytes);
	}
	*bytes = content->values[0].kind == SNW_FBX_TEXT ? content->values[0].bytes : *bytes;
	return true;
}

/* The first file name that the texture or its video has, with slashes; NULL for none. */
static char *file_name(snw_fbx *f, const snw_fbx_objects *objects, uint32_t texture, uint32_t video) {
	static const char *const keys[] = {"RelativeFilename", "Filename", "FileName"};
	for (int i = 0; i < 6; i++) {
		const uint32_t object = i < 3 ? texture : video;
		char *text = object == SNW_NONE ? NULL : snw_fbx_text(f, snw_fbx_child(objects->objects[object].node, keys[i % 3]), 0);
		for (char *c = text; c && *c; c++) {
			*c = *c == '\\' ? '/' : *c;
		}
		if (text && strspn(text, "./") < strlen(text)) {
			return text;
		}
	}
	return NULL;
}

static bool read_picture(pictures *p, uint32_t texture, uint32_t *image) {
	snw_fbx *f = p->f;
	uint32_t at = 0;
	const uint32_t video = snw_fbx_next_source(p->objects, texture, "Video", NULL, NULL, &at);
	const char *path = file_name(f, p->objects, texture, video);
	const char *name = path ? snw_name_clean(f->reading.arena, snw_path_name(path), f->reading.task) : NULL;
	snw_image found = {0};
	snw_error reason = {.text = "the file has no path for it; export with embedded textures"};
	snw_bytes bytes;
	name = name ? name : snw_arena_format(f->reading.arena, "texture-%u", p->count);
	if (!read_content(f, p->objects, video, &bytes)) {
		return false;
	}
	if (bytes.count > 0) {
		found.media = snw_picture_media(bytes.data, bytes.count);
		found.bytes = found.media && snw_reading_reserve(&f->reading, bytes.count, 1)
						  ? snw_arena_copy(f->reading.arena, bytes.data, bytes.count)
						  : NULL;
		found.byte_count = bytes.count;
		snw_fail(&reason, SNW_ERROR_UNSUPPORTED, "it is neither PNG nor JPEG; convert it");
	} else if (path) {
		(void)snw_picture_find(f->reading.path, path, f->reading.arena, &found, &reason);
	}
	*image = found.bytes ? p->count : SNW_NONE;
	if (!found.bytes) {
		snw_task_notice(f->reading.task, SNW_LOG_WARNING, "the texture %s is left out: %s", name, reason.text);
		return !snw_failed(f->reading.status);
	}
	found.name = name;
	p->images[p->count++] = found;
	return true;
}

/* The name of the UV set that a texture lies on; NULL for the first. */
static const char *read_uv_set(const pictures *p, uint32_t texture) {
	const snw_fbx_node *property = snw_fbx_property(p->objects, texture, "UVSet");
	const char *name = property ? snw_fbx_text(p->f, property, 4) : NULL;
	return name && name[0] ? name : NULL;
}

/* The picture of the texture that is connected to a property of a material, the first of several names of it; and its UV
 * set. */
static bool read_texture(pictures *p, uint32_t material, const char *const *properties, uint32_t *image, const char **uv_set) {
	*image = SNW_NONE;
	*uv_set = NULL;
	for (; *properties; properties++) {
		uint32_t at = 0;
		const uint32_t texture = snw_fbx_next_source(p->objects, material, "Texture", NULL, *properties, &at);
		if (texture == SNW_NONE) {
			continue;
		}
		if (p->of_objects[texture] == 0) {
			uint32_t read;
			if (!read_picture(p, texture, &read)) {
				return false;
			}
			p->of_objects[texture] = read == SNW_NONE ? SNW_NONE : read + 1;
		}
		*image = p->of_objects[texture] == SNW_NONE ? SNW_NONE : p->of_objects[texture] - 1;
		*uv_set = read_uv_set(p, texture);
		return true;
	}
	return true;
}

/* ---- materials ----------------------------------------------------------------------------------------------------------- */

static double unit(double value) {
	return isfinite(value) ? fmin(fmax(value, 0), 1) : 0;
}

/* A colour times its factor. */
static bool read_color(const snw_fbx_objects *objects, uint32_t material, const char *color, const char *factor,
					   double dest[3]) {
	double values[3] = {0};
	if (!snw_fbx_property_vector(objects, material, color, values)) {
		return false;
	}
	const double scale = snw_fbx_property_number(objects, material, factor, 1);
	for (int i = 0; i < 3; i++) {
		dest[i] = unit(values[i] * scale);
	}
	return true;
}

/* Opaque is 1. A file has either an opacity, or how much of a colour passes. */
static double read_opacity(const snw_fbx_objects *objects, uint32_t material) {
	double through[3] = {0};
	if (snw_fbx_property(objects, material, "Opacity")) {
		return unit(snw_fbx_property_number(objects, material, "Opacity", 1));
	}
	snw_fbx_property_vector(objects, material, "TransparentColor", through);
	const double factor = snw_fbx_property_number(objects, material, "TransparencyFactor", 0);
	return unit(1 - factor * (through[0] + through[1] + through[2]) / 3);
}

/* Roughness from a specular exponent of at most 100, as Blender converts it for FBX. */
static double read_roughness(const snw_fbx_objects *objects, uint32_t material) {
	static const char *const names[] = {"Shininess", "ShininessExponent"};
	for (int i = 0; i < 2; i++) {
		if (snw_fbx_property(objects, material, names[i])) {
			return 1 - sqrt(fmin(fmax(snw_fbx_property_number(objects, material, names[i], 0), 0), 100)) / 10;
		}
	}
	return 0.5;
}

/* The scene has one UV set for all textures of a material, that of the colour. */
static void tell_uv_set(const pictures *p, uint32_t object, const char *what, const char *uv_set, const char *shown) {
	if (uv_set && shown && strcmp(uv_set, shown) != 0) {
		const char *name = snw_fbx_object_name(p->f, p->objects, object);
		snw_task_notice(p->f->reading.task, SNW_LOG_WARNING,
						"material %s: its %s lies on the UV set %s; it is shown on %s, where the colour is", name ? name : "",
						what, uv_set, shown);
	}
}

static bool read_material(pictures *p, uint32_t object, snw_material *m, const char **uv_set) {
	static const char *const colors[] = {"DiffuseColor", "Maya|TEX_color_map", "Maya|baseColor",
										 "3dsMax|Parameters|base_color_map", NULL};
	static const char *const normals[] = {"NormalMap", "Maya|TEX_normal_map", "Maya|normalCamera", "Bump", NULL};
	static const char *const emissives[] = {"EmissiveColor", "Maya|TEX_emissive_map", "Maya|emissionColor", NULL};
	*m = (snw_material){
		.base_color = {0.8, 0.8, 0.8, 1}, .metallic_roughness_image = SNW_NONE, .double_sided = true, .alpha_cutoff = 0.5};
	(void)read_color(p->objects, object, "DiffuseColor", "DiffuseFactor", m->base_color);
	(void)read_color(p->objects, object, "EmissiveColor", "EmissiveFactor", m->emissive);
	m->base_color[3] = read_opacity(p->objects, object);
	m->roughness = read_roughness(p->objects, object);
	m->alpha = m->base_color[3] < 1 ? 2 : 0;
	const char *of_normals, *of_emissive;
	if (!read_texture(p, object, colors, &m->base_color_image, uv_set) ||
		!read_texture(p, object, normals, &m->normal_image, &of_normals) ||
		!read_texture(p, object, emissives, &m->emissive_image, &of_emissive)) {
		return false;
	}
	if (m->base_color_image == SNW_NONE) {
		*uv_set = of_normals ? of_normals : of_emissive;
	}
	tell_uv_set(p, object, "normal map", of_normals, *uv_set);
	tell_uv_set(p, object, "emissive texture", of_emissive, *uv_set);
	if (m->base_color_image != SNW_NONE) {
		m->base_color[0] = m->base_color[1] = m->base_color[2] = 1; /* FBX does not multiply a texture by the colour */
	}
	return true;
}

bool snw_fbx_read_materials(snw_fbx *f, const snw_fbx_objects *objects, snw_fbx_materials *materials, snw_scene *scene) {
	uint32_t count = 0, textures = 0;
	materials->of_objects = SNW_NEW_ARRAY(f->reading.scratch, uint32_t, objects->count);
	for (uint32_t o = 0; o < objects->count; o++) {
		textures += snw_fbx_object_is(objects, o, "Texture", NULL);
		materials->of_objects[o] = snw_fbx_object_is(objects, o, "Material", NULL) ? count++ : SNW_NONE;
	}
	pictures p = {.f = f, .objects = objects, .images = SNW_NEW_ARRAY(f->reading.arena, snw_image, textures)};
	p.of_objects = SNW_NEW_ARRAY(f->reading.scratch, uint32_t, objects->count);
	snw_material *list = SNW_NEW_ARRAY(f->reading.arena, snw_material, count);
	const char **names = SNW_NEW_ARRAY(f->reading.scratch, const char *, count);
	materials->uv_sets = SNW_NEW_ARRAY(f->reading.scratch, const char *, count);
	for (uint32_t o = 0; o < objects->count; o++) {
		const uint32_t m = materials->of_objects[o];
		if (m == SNW_NONE) {
			continue;
		}
		if (!read_material(&p, o, &list[m], &materials->uv_sets[m])) {
			return false;
		}
		names[m] = snw_name_clean(f->reading.arena, snw_fbx_object_name(f, objects, o), f->reading.task);
	}
	snw_names_make_unique(f->reading.arena, names, count, "material", f->reading.task);
	for (uint32_t m = 0; m < count; m++) {
		list[m].name = names[m];
	}
	scene->materials = list;
	scene->material_count = count;
	scene->images = p.images;
	scene->image_count = p.count;
	return true;
}
