/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Wavefront .mtl: base colours, textures and the physically based extension (Pr, Pm, Ke, norm), as Blender reads and writes
 * them. Errors are not fatal: a material that cannot be read has default values, with a notice.
 */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "import/common/reading.h"
#include "import/obj/obj.h"

/* The most textures and .mtl files of one .obj. */
enum { IMAGE_LIMIT = 4096, LIBRARY_LIMIT = 64 };

typedef struct library {
	const char *root;   /* the folder of the .obj; files outside it are not read */
	const char *folder; /* of the .mtl; textures are relative to it */
	snw_text_lines text;
	snw_arena *scratch;
	const snw_task *task;
	snw_scene *scene;
	snw_material *materials;  /* [scene->material_count] */
	snw_image *images;        /* [IMAGE_LIMIT] */
	const char **image_paths; /* [IMAGE_LIMIT] */
} library;

static bool is_property(const char *word, size_t length, const char *name) {
	return strlen(name) == length && strncasecmp(word, name, length) == 0;
}

static void read_colour(library *l, double dest[3]) {
	double c[3];
	int count = 0;
	while (count < 3 && snw_text_number(&l->text, &c[count])) {
		count++;
	}
	for (int i = 0; i < 3 && count > 0; i++) {
		dest[i] = fmin(fmax(c[count == 3 ? i : 0], 0), 1e6); /* one number sets all three */
	}
}

static double read_unit(library *l, double initial) {
	double value;
	return snw_text_number(&l->text, &value) ? fmin(fmax(value, 0), 1) : initial;
}

/* The file name after the options of a map (-bm 0.5, -o 0 0 0, …). An option has numbers, or one word such as "on". */
static char *map_file(library *l) {
	const char *word;
	size_t length;
	for (;;) {
		const snw_text_lines start = l->text;
		if (!snw_text_word(&l->text, &word, &length)) {
			return NULL;
		}
		if (word[0] != '-' || length < 2) {
			l->text = start;
			snw_text_line_done(&l->text);
			return snw_text_rest(&l->text, l->scratch);
		}
		double ignored;
		if (is_property(word, length, "-imfchan") || is_property(word, length, "-type") ||
			is_property(word, length, "-blendu") || is_property(word, length, "-blendv") || is_property(word, length, "-cc") ||
			is_property(word, length, "-clamp")) {
			snw_text_word(&l->text, &word, &length);
		}
		while (snw_text_number(&l->text, &ignored)) {
		}
	}
}

/* The index of the picture, which is read once even if several materials use it; SNW_NONE if there is none. */
static uint32_t read_map(library *l) {
	char *name = map_file(l);
	if (!name || !name[0]) {
		return SNW_NONE;
	}
	for (char *c = name; *c; c++) {
		*c = *c == '\\' ? '/' : *c;
	}
	/* A is_absolute path is one of the machine that wrote it: the texture is looked for beside the file then. */
	const bool is_absolute = name[0] == '/' || name[1] == ':';
	const char *shown = snw_path_name(name);
	const char *file = snw_path_join(l->scratch, l->folder, is_absolute ? shown : name);
	for (uint32_t i = 0; i < l->scene->image_count; i++) {
		if (strcmp(l->image_paths[i], file) == 0) {
			return i;
		}
	}
	snw_error error;
	snw_image image;
	if (l->scene->image_count == IMAGE_LIMIT || snw_failed(snw_below_folder(l->root, file, &error)) ||
		snw_failed(snw_picture_read(file, l->scene->arena, &image, &error))) {
		snw_task_notice(l->task, SNW_LOG_WARNING, "the texture %s is left out: %s", shown,
						l->scene->image_count == IMAGE_LIMIT ? "there are too many" : error.text);
		return SNW_NONE;
	}
	l->images[l->scene->image_count] = image;
	l->image_paths[l->scene->image_count] = file;
	return l->scene->image_count++;
}

static snw_material *find_material(library *l, const char *name) {
	for (uint32_t i = 0; i < l->scene->material_count; i++) {
		if (strcmp(l->materials[i].name, name) == 0) {
			return &l->materials[i];
		}
	}
	return NULL;
}

static void read_material_property(library *l, snw_material *m, const char *word, size_t length) {
	double value;
	if (is_property(word, length, "Kd")) {
		read_colour(l, m->base_color);
	} else if (is_property(word, length, "Ke")) {
		read_colour(l, m->emissive);
	} else if (is_property(word, length, "d")) {
		m->base_color[3] = read_unit(l, 1);
	} else if (is_property(word, length, "Tr")) {
		m->base_color[3] = 1 - read_unit(l, 0);
	} else if (is_property(word, length, "Pm")) {
		m->metallic = read_unit(l, 0);
	} else if (is_property(word, length, "Pr")) {
		m->roughness = read_unit(l, m->roughness);
	} else if (is_property(word, length, "Ns") && snw_text_number(&l->text, &value)) {
		/* As Blender reads it: the exponent is 1000 (1 - roughness)². */
		m->roughness = 1 - sqrt(fmin(fmax(value, 0), 1000) / 1000);
	} else if (is_property(word, length, "map_Kd")) {
		m->base_color_image = read_map(l);
	} else if (is_property(word, length, "map_Ke")) {
		m->emissive_image = read_map(l);
	} else if (is_property(word, length, "norm") || is_property(word, length, "map_Kn")) {
		m->normal_image = read_map(l);
	}
	m->alpha = m->base_color[3] < 1 ? 2 : 0;
}

static void read_library(library *l) {
	snw_material *current = NULL; /* NULL inside a material that no face uses */
	const char *word;
	size_t length;
	for (; l->text.at < l->text.end; snw_text_next_line(&l->text)) {
		if (!snw_text_word(&l->text, &word, &length)) {
			continue;
		}
		if (is_property(word, length, "newmtl")) {
			current = find_material(l, snw_text_rest(&l->text, l->scratch));
		} else if (current) {
			read_material_property(l, current, word, length);
		}
	}
}

/* Materials with default values, and the names that the faces use. */
static snw_material *make_default_materials(const snw_obj *obj, snw_arena *arena) {
	snw_material *materials = SNW_NEW_ARRAY(arena, snw_material, obj->material_count);
	for (uint32_t i = 0; i < obj->material_count; i++) {
		materials[i] = (snw_material){
			.name = obj->material_names[i],
			.base_color = {0.8, 0.8, 0.8, 1},
			.roughness = 0.5,
			.base_color_image = SNW_NONE,
			.metallic_roughness_image = SNW_NONE,
			.normal_image = SNW_NONE,
			.emissive_image = SNW_NONE,
			.alpha_cutoff = 0.5,
			.double_sided = true, /* an .obj cannot say, and its surfaces may be open */
		};
	}
	return materials;
}

static void read_libraries(library *l, const char *path, const snw_obj *obj) {
	l->root = snw_path_folder(path, l->scratch);
	for (uint32_t i = 0; i < obj->library_count && i < LIBRARY_LIMIT; i++) {
		snw_error error;
		snw_bytes bytes;
		const char *name = obj->libraries[i];
		/* A is_absolute path is one of the machine that wrote it, as a texture's is. */
		const char *file = snw_path_join(l->scratch, l->root, name[0] == '/' ? snw_path_name(name) : name);
		if (snw_failed(snw_below_folder(l->root, file, &error)) ||
			snw_failed(snw_file_read(file, l->scratch, &bytes, &error))) {
			snw_task_notice(l->task, SNW_LOG_WARNING, "the materials have default values: %s", error.text);
			continue;
		}
		l->folder = snw_path_folder(file, l->scratch);
		l->text = snw_text_start(bytes);
		read_library(l);
	}
}

/* Lets textures replace colours, and makes names valid and unique. */
static void finish_materials(library *l) {
	const uint32_t count = l->scene->material_count;
	const char **names = SNW_NEW_ARRAY(l->scratch, const char *, count);
	for (uint32_t i = 0; i < count; i++) {
		snw_material *m = &l->materials[i];
		if (m->base_color_image != SNW_NONE) {
			/* The texture is the colour; the value of Kd beside it depends on the program that wrote it. */
			m->base_color[0] = m->base_color[1] = m->base_color[2] = 1;
		}
		if (m->emissive_image != SNW_NONE) {
			m->emissive[0] = m->emissive[1] = m->emissive[2] = 1;
		}
		names[i] = snw_name_clean(l->scene->arena, m->name, l->task);
	}
	snw_names_make_unique(l->scene->arena, names, count, "material", l->task);
	for (uint32_t i = 0; i < count; i++) {
		l->materials[i].name = names[i];
	}
	for (uint32_t i = 0; i < l->scene->image_count; i++) {
		const char *name = snw_name_clean(l->scene->arena, l->images[i].name, l->task);
		l->images[i].name = name ? name : "texture";
	}
}

void snw_obj_read_materials(const char *path, const snw_obj *obj, const snw_task *task, snw_scene *scene) {
	const uint32_t image_limit = obj->library_count ? IMAGE_LIMIT : 0;
	snw_arena *scratch = snw_arena_create();
	library l = {
		.scratch = scratch,
		.task = task,
		.scene = scene,
		.materials = make_default_materials(obj, scene->arena),
		.images = SNW_NEW_ARRAY(scene->arena, snw_image, image_limit),
		.image_paths = SNW_NEW_ARRAY(scratch, const char *, image_limit),
	};
	scene->materials = l.materials;
	scene->material_count = obj->material_count;
	scene->images = l.images;
	scene->image_count = 0;
	read_libraries(&l, path, obj);
	finish_materials(&l);
	snw_arena_destroy(scratch);
}
