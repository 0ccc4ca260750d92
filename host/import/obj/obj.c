/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Wavefront .obj and .mtl.
 */
#include <math.h>
#include <search.h>
#include <string.h>
#include <strings.h>

#include "import/common/reading.h"
#include "import/import.h"
#include "mesh/mesh.h"
#include "sinew/algebra.h"

/* ---- materials ----------------------------------------------------------------------------------------------------------- */

/* Wavefront .mtl: base colours, textures and the physically based extension (Pr, Pm, Ke, norm), as Blender reads and writes
 * them. Errors are not fatal: a material that cannot be read has default values, with a notice. */

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

/* Fills scene->materials and scene->images from the .mtl files beside `path` and their textures. A material that is missing
 * gets default values, with a notice. */
static void read_obj_materials(const char *path, const snw_obj *obj, const snw_task *task, snw_scene *scene) {
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

/* ---- lines of an .obj ---------------------------------------------------------------------------------------------------- */

/* A growing array in the reader's scratch arena. */
typedef struct number_list {
	unsigned char *items;
	size_t count, capacity;
} number_list;

/* SNW_NONE for an index that the corner does not have. */
typedef struct face_corner {
	uint32_t point, uv, normal;
} face_corner;

/* An entry in the tree of materials by name. */
typedef struct named_part {
	const char *name;
	uint32_t index;
} named_part;

typedef struct obj_reader {
	const char *path;
	snw_text_lines text;
	snw_arena *scratch;
	snw_error *error;
	number_list points;  /* double[3] */
	number_list uvs;     /* float[2] */
	number_list normals; /* float[3] */
	number_list corners; /* corner */
	number_list face_ends, face_lines, face_materials;
	number_list names, libraries; /* char * */
	void *tree;
	uint32_t material;
	uint32_t object_count;
	const char *object;
} obj_reader;

static void *push(obj_reader *r, number_list *items, size_t item_bytes) {
	if (items->count == items->capacity) {
		const size_t capacity = items->capacity ? 2 * items->capacity : 1024;
		unsigned char *grown = snw_arena_array(r->scratch, capacity, item_bytes);
		if (items->count) {
			memcpy(grown, items->items, items->count * item_bytes);
		}
		items->items = grown;
		items->capacity = capacity;
	}
	return items->items + item_bytes * items->count++;
}

static void push_u32(obj_reader *r, number_list *items, uint32_t value) {
	*(uint32_t *)push(r, items, sizeof(uint32_t)) = value;
}

static const face_corner *corners_of(const obj_reader *r) {
	return (const face_corner *)r->corners.items;
}

static uint32_t u32_at(const number_list *items, size_t index) {
	return ((const uint32_t *)items->items)[index];
}

/* ---- lines --------------------------------------------------------------------------------------------------------------- */

static snw_status read_point(obj_reader *r) {
	double p[3];
	for (int i = 0; i < 3; i++) {
		if (!snw_text_number(&r->text, &p[i])) {
			return snw_fail(r->error, SNW_ERROR_DATA, "%s:%u: a point needs three finite numbers; export the mesh again",
							r->path, r->text.line);
		}
	}
	memcpy(push(r, &r->points, sizeof p), p, sizeof p);
	return SNW_OK;
}

static snw_status read_uv(obj_reader *r) {
	double u, v = 0;
	if (!snw_text_number(&r->text, &u) || (!snw_text_line_done(&r->text) && !snw_text_number(&r->text, &v)) ||
		fabs(u) > (double)__FLT_MAX__ || fabs(v) > (double)__FLT_MAX__) {
		return snw_fail(r->error, SNW_ERROR_DATA, "%s:%u: a UV needs two finite numbers; export the mesh again", r->path,
						r->text.line);
	}
	const float uv[2] = {(float)u, (float)(1 - v)}; /* v points down in a scene */
	memcpy(push(r, &r->uvs, sizeof uv), uv, sizeof uv);
	return SNW_OK;
}

static snw_status read_normal(obj_reader *r) {
	double n[3];
	for (int i = 0; i < 3; i++) {
		if (!snw_text_number(&r->text, &n[i])) {
			return snw_fail(r->error, SNW_ERROR_DATA, "%s:%u: a normal needs three finite numbers; export the mesh again",
							r->path, r->text.line);
		}
	}
	float *normal = push(r, &r->normals, 3 * sizeof(float));
	(void)snw_unit_vector(n);
	for (int i = 0; i < 3; i++) {
		normal[i] = (float)n[i];
	}
	return SNW_OK;
}

/* One index of a corner: from 1 upwards, or from -1, the last element so far, downwards. Positive ones are checked at the end
 * of the file. */
static bool read_index(const char **at, size_t count, uint32_t *index) {
	const char *p = *at;
	const bool negative = *p == '-';
	p += negative;
	uint64_t value = 0;
	const char *digits = p;
	for (; *p >= '0' && *p <= '9'; p++) {
		value = value < UINT32_MAX ? 10 * value + (uint64_t)(*p - '0') : value;
	}
	if (p == digits || value == 0 || value >= UINT32_MAX || (negative && value > count)) {
		return false;
	}
	*index = (uint32_t)(negative ? count - value : value - 1);
	*at = p;
	return true;
}

/* point, point/uv, point//normal, point/uv/normal */
static bool read_corner(obj_reader *r, const char *word, size_t length, face_corner *c) {
	const char *at = word;
	*c = (face_corner){.uv = SNW_NONE, .normal = SNW_NONE};
	if (!read_index(&at, r->points.count, &c->point)) {
		return false;
	}
	if (*at == '/') {
		at++;
		if (*at != '/' && at < word + length && !read_index(&at, r->uvs.count, &c->uv)) {
			return false;
		}
	}
	if (*at == '/') {
		at++;
		if (at < word + length && !read_index(&at, r->normals.count, &c->normal)) {
			return false;
		}
	}
	return at == word + length;
}

static snw_status read_face(obj_reader *r) {
	const size_t first = r->corners.count;
	const uint32_t line = r->text.line;
	const char *word;
	size_t length;
	while (snw_text_word(&r->text, &word, &length)) {
		face_corner c;
		if (!read_corner(r, word, length, &c)) {
			return snw_fail(r->error, SNW_ERROR_DATA,
							"%s:%u: '%.*s' does not refer to a point, UV or normal above it; export the mesh again", r->path,
							r->text.line, (int)(length < 40 ? length : 40), word);
		}
		*(face_corner *)push(r, &r->corners, sizeof c) = c;
	}
	if (r->corners.count - first < 3) {
		return snw_fail(r->error, SNW_ERROR_DATA, "%s:%u: a face needs at least three corners; export the mesh again", r->path,
						line);
	}
	push_u32(r, &r->face_ends, (uint32_t)r->corners.count);
	push_u32(r, &r->face_lines, line);
	push_u32(r, &r->face_materials, r->material);
	return SNW_OK;
}

static int compare_named(const void *a, const void *b) {
	return strcmp(((const named_part *)a)->name, ((const named_part *)b)->name);
}

static void read_material(obj_reader *r) {
	named_part *candidate = SNW_NEW(r->scratch, named_part);
	candidate->name = snw_text_rest(&r->text, r->scratch);
	candidate->index = (uint32_t)r->names.count;
	const named_part *found = *(named_part **)tsearch(candidate, &r->tree, compare_named);
	if (found == candidate) {
		*(const char **)push(r, &r->names, sizeof(char *)) = candidate->name;
	}
	r->material = found->index;
}

static bool is_keyword(const char *word, size_t length, const char *name) {
	return strlen(name) == length && memcmp(word, name, length) == 0;
}

static snw_status read_line(obj_reader *r) {
	const char *word;
	size_t length;
	if (!snw_text_word(&r->text, &word, &length)) {
		return SNW_OK;
	}
	if (is_keyword(word, length, "v")) {
		return read_point(r);
	}
	if (is_keyword(word, length, "vt")) {
		return read_uv(r);
	}
	if (is_keyword(word, length, "vn")) {
		return read_normal(r);
	}
	if (is_keyword(word, length, "f") || is_keyword(word, length, "fo")) {
		return read_face(r);
	}
	if (is_keyword(word, length, "usemtl")) {
		read_material(r);
	} else if (is_keyword(word, length, "mtllib")) {
		*(char **)push(r, &r->libraries, sizeof(char *)) = snw_text_rest(&r->text, r->scratch);
	} else if (is_keyword(word, length, "o")) {
		r->object = snw_text_rest(&r->text, r->scratch);
		r->object_count++;
	}
	return SNW_OK;
}

static snw_status read_lines(obj_reader *r) {
	while (r->text.at < r->text.end) {
		const snw_status status = read_line(r);
		if (snw_failed(status)) {
			return status;
		}
		snw_text_next_line(&r->text);
	}
	if (r->face_ends.count == 0) {
		return snw_fail(r->error, SNW_ERROR_DATA, "%s: %zu points but no faces; export the mesh with its polygons", r->path,
						r->points.count);
	}
	return SNW_OK;
}

static snw_status check_corners(const obj_reader *r) {
	size_t c = 0;
	for (size_t f = 0; f < r->face_ends.count; f++) {
		for (; c < u32_at(&r->face_ends, f); c++) {
			const face_corner *k = &corners_of(r)[c];
			const bool no_uv = k->uv != SNW_NONE && k->uv >= r->uvs.count;
			const bool no_normal = k->normal != SNW_NONE && k->normal >= r->normals.count;
			if (k->point >= r->points.count || no_uv || no_normal) {
				const bool no_point = k->point >= r->points.count;
				return snw_fail(
					r->error, SNW_ERROR_DATA,
					"%s:%u: the face refers to %s %u, but the file has %zu; it is truncated or damaged: export it again",
					r->path, u32_at(&r->face_lines, f),
					no_point ? "point"
					: no_uv  ? "UV"
							 : "normal",
					(no_point ? k->point
					 : no_uv  ? k->uv
							  : k->normal) +
						1,
					no_point ? r->points.count
					: no_uv  ? r->uvs.count
							 : r->normals.count);
			}
		}
	}
	return SNW_OK;
}

/* ---- the mesh ------------------------------------------------------------------------------------------------------------ */

/* Corners without a normal, in a file that has some, get that of their face. */
static void fill_normals(const obj_reader *r, snw_arena *arena, snw_mesh *mesh) {
	const float *normals = (const float *)r->normals.items;
	float *dest = SNW_NEW_ARRAY(arena, float, 3 * r->corners.count);
	size_t first = 0;
	for (size_t f = 0; f < r->face_ends.count; f++) {
		const size_t end = u32_at(&r->face_ends, f);
		for (size_t c = first; c < end; c++) {
			const uint32_t n = corners_of(r)[c].normal;
			const float *normal = n == SNW_NONE ? NULL : normals + 3 * (size_t)n;
			if (normal && (normal[0] != 0 || normal[1] != 0 || normal[2] != 0)) {
				memcpy(dest + 3 * c, normal, 3 * sizeof *dest);
				continue;
			}
			double face_normal[3];
			snw_face_normal(mesh->points_rest, mesh->face_points + first, (uint32_t)(end - first), face_normal);
			for (size_t i = 0; i < 3; i++) {
				dest[3 * c + i] = (float)face_normal[i];
			}
		}
		first = end;
	}
	mesh->corner_normals = dest;
}

static void fill_uvs(const obj_reader *r, snw_arena *arena, snw_mesh *mesh) {
	const float *uvs = (const float *)r->uvs.items;
	float *dest = SNW_NEW_ARRAY(arena, float, 2 * r->corners.count);
	for (size_t c = 0; c < r->corners.count; c++) {
		const uint32_t uv = corners_of(r)[c].uv;
		if (uv != SNW_NONE) {
			memcpy(dest + 2 * c, uvs + 2 * (size_t)uv, 2 * sizeof *dest);
		}
	}
	mesh->corner_uvs = dest;
}

static void fill_polygons(const obj_reader *r, snw_arena *arena, snw_mesh *mesh) {
	const size_t faces = r->face_ends.count, corners = r->corners.count;
	uint32_t *offsets = SNW_NEW_ARRAY(arena, uint32_t, faces + 1);
	memcpy(offsets + 1, r->face_ends.items, faces * sizeof *offsets);
	uint32_t *points = SNW_NEW_ARRAY(arena, uint32_t, corners);
	bool uvs = false, normals = false;
	for (size_t c = 0; c < corners; c++) {
		points[c] = corners_of(r)[c].point;
		uvs = uvs || corners_of(r)[c].uv != SNW_NONE;
		normals = normals || corners_of(r)[c].normal != SNW_NONE;
	}
	mesh->face_count = (uint32_t)faces;
	mesh->face_offsets = offsets;
	mesh->face_points = points;
	if (r->names.count) {
		mesh->face_materials = snw_arena_copy(arena, r->face_materials.items, faces * sizeof(uint32_t));
	}
	if (uvs) {
		fill_uvs(r, arena, mesh);
	}
	if (normals) {
		fill_normals(r, arena, mesh);
	}
}

static char **copy_names(const number_list *names, snw_arena *arena) {
	char **copy = SNW_NEW_ARRAY(arena, char *, names->count);
	for (size_t i = 0; i < names->count; i++) {
		copy[i] = snw_arena_text(arena, ((char **)names->items)[i]);
	}
	return copy;
}

/* The file's name without its extension. */
static char *stem(const char *path, snw_arena *arena) {
	char *name = snw_arena_text(arena, snw_path_name(path));
	char *dot = strrchr(name, '.');
	if (dot && dot != name) {
		*dot = '\0';
	}
	return name;
}

static void fill(const obj_reader *r, snw_arena *arena, snw_obj *obj) {
	*obj = (snw_obj){
		.mesh.point_count = (uint32_t)r->points.count,
		.mesh.points_rest = snw_arena_copy(arena, r->points.items, 3 * r->points.count * sizeof(double)),
		.material_count = (uint32_t)r->names.count,
		.material_names = copy_names(&r->names, arena),
		.library_count = (uint32_t)r->libraries.count,
		.libraries = copy_names(&r->libraries, arena),
	};
	char *object = r->object_count == 1 ? snw_name_clean(arena, r->object, NULL) : NULL;
	char *file = snw_name_clean(arena, stem(r->path, arena), NULL);
	obj->mesh.name = object ? object : file ? file : "mesh";
	fill_polygons(r, arena, &obj->mesh);
}

static void free_nothing(void *node) {
	(void)node; /* the entries are in the arena */
}

snw_status snw_obj_read(const char *path, snw_arena *arena, snw_obj *obj, snw_error *error) {
	obj_reader r = {.path = path, .scratch = snw_arena_create(), .error = error, .material = SNW_NONE};
	snw_bytes bytes;
	snw_status status = snw_file_read(path, r.scratch, &bytes, error);
	if (!snw_failed(status)) {
		r.text = snw_text_start(bytes);
		status = read_lines(&r);
	}
	if (!snw_failed(status)) {
		status = check_corners(&r);
	}
	if (!snw_failed(status)) {
		fill(&r, arena, obj);
	}
	tdestroy(r.tree, free_nothing);
	snw_arena_destroy(r.scratch);
	return status;
}

snw_status snw_import_obj_mesh(const char *path, snw_arena *arena, snw_mesh *mesh, snw_error *error) {
	snw_obj obj;
	const snw_status status = snw_obj_read(path, arena, &obj, error);
	if (!snw_failed(status)) {
		*mesh = obj.mesh;
	}
	return status;
}

static bool is_obj(const char *path, const unsigned char *head, size_t head_count) {
	(void)head, (void)head_count;
	return snw_path_has_extension(path, snw_import_obj.file.extensions);
}

static snw_status read_obj(const char *path, const snw_import_request *request, const snw_task *task, snw_scene *scene,
						   snw_error *error) {
	(void)request; /* an .obj has no duplicated points to merge */
	snw_obj obj;
	const snw_status status = snw_obj_read(path, scene->arena, &obj, error);
	if (snw_failed(status)) {
		return status;
	}
	scene->meshes = snw_arena_copy(scene->arena, &obj.mesh, sizeof obj.mesh);
	scene->mesh_count = 1;
	read_obj_materials(path, &obj, task, scene);
	return SNW_OK;
}

const snw_import_format snw_import_obj = {
	.file = {.extensions = "obj", .label = "OBJ", .holds = SNW_FILE_MESH},
	.recognizes = is_obj,
	.read = read_obj,
};
