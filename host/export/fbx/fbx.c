/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Exports FBX 7.4, planned and measured as glTF is. Polygons, units and axes are declared; joints are limbs whose transforms
 * multiply (RSrs), meshes are bound to them by clusters, morph targets are shapes, clips are stacks.
 *
 * The export is planned and measured first; then the document is built in memory and written.
 */
#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

#include "base/error.h"
#include "export/fbx/writer.h"
#include "sinew/algebra.h"

/* ---- the document -------------------------------------------------------------------------------------------------------- */

/* Nodes with values, in memory, as fbx/format.h has them. */

/* ---- values -------------------------------------------------------------------------------------------------------------- */

static snw_fbx_open add_node(snw_fbx_document *d, snw_fbx_open *parent, const char *name, uint32_t value_count,
							 snw_fbx_value **values) {
	snw_fbx_node *node = SNW_NEW(d->arena, snw_fbx_node);
	*values = SNW_NEW_ARRAY(d->arena, snw_fbx_value, value_count);
	node->name = name;
	node->name_length = (uint32_t)strlen(name);
	node->value_count = value_count;
	node->values = *values;
	*(parent->last ? &parent->last->next : &parent->node->child) = node;
	parent->last = node;
	return (snw_fbx_open){.node = node};
}

static snw_fbx_value integer_value(char type, int64_t integer) {
	return (snw_fbx_value){.kind = SNW_FBX_INTEGER, .type = type, .integer = integer};
}

static snw_fbx_value number_value(double number) {
	return (snw_fbx_value){.kind = SNW_FBX_NUMBER, .type = 'D', .number = number};
}

static snw_fbx_value bytes_value(char type, const void *bytes, size_t count) {
	return (snw_fbx_value){.kind = SNW_FBX_TEXT, .type = type, .bytes = {bytes, count}};
}

/* Names come from any file: bytes that are not UTF-8 would make the document unreadable. */
static snw_fbx_value text_value(snw_fbx_document *d, const char *text) {
	char *clean = snw_arena_text(d->arena, text);
	(void)snw_text_clean(clean, '?');
	return bytes_value('S', clean, strlen(clean));
}

/* "arm", then a zero and a one, then "Model". */
static snw_fbx_value class_value(snw_fbx_document *d, const char *name, const char *class) {
	const snw_fbx_value text = text_value(d, name);
	const size_t class_length = strlen(class), count = text.bytes.count + 2 + class_length;
	char *bytes = SNW_NEW_ARRAY(d->arena, char, count + 1);
	memcpy(bytes, text.bytes.data, text.bytes.count);
	bytes[text.bytes.count + 1] = '\1';
	memcpy(bytes + text.bytes.count + 2, class, class_length + 1);
	return bytes_value('S', bytes, count);
}

/* ---- nodes --------------------------------------------------------------------------------------------------------------- */

snw_fbx_open snw_fbx_put_node(snw_fbx_document *d, snw_fbx_open *parent, const char *name) {
	snw_fbx_value *values;
	return add_node(d, parent, name, 0, &values);
}

static void put_value(snw_fbx_document *d, snw_fbx_open *parent, const char *name, snw_fbx_value value) {
	snw_fbx_value *values;
	add_node(d, parent, name, 1, &values);
	values[0] = value;
}

void snw_fbx_put_integer(snw_fbx_document *d, snw_fbx_open *parent, const char *name, int32_t value) {
	put_value(d, parent, name, integer_value('I', value));
}

void snw_fbx_put_long(snw_fbx_document *d, snw_fbx_open *parent, const char *name, int64_t value) {
	put_value(d, parent, name, integer_value('L', value));
}

void snw_fbx_put_number(snw_fbx_document *d, snw_fbx_open *parent, const char *name, double value) {
	put_value(d, parent, name, number_value(value));
}

void snw_fbx_put_text(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const char *text) {
	put_value(d, parent, name, text_value(d, text));
}

/* The name of an object with its class. */
static void put_name(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const char *text, const char *class) {
	put_value(d, parent, name, class_value(d, text, class));
}

/* Bytes that last as long as the document. */
static void put_bytes(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const void *bytes, size_t count) {
	put_value(d, parent, name, bytes_value('R', bytes, count));
}

/* ---- arrays -------------------------------------------------------------------------------------------------------------- */

enum { LEAST_DEFLATED = 128 }; /* bytes */

/* Level 1: a character's arrays deflate in less time than they take to compute. */
static void put_array(snw_fbx_document *d, snw_fbx_open *parent, const char *name, char type, const void *values, size_t count,
					  size_t element_bytes) {
	const size_t bytes = count * element_bytes;
	snw_fbx_value value = {.kind = SNW_FBX_ARRAY, .type = type, .count = (uint32_t)count};
	uLongf packed = compressBound(bytes);
	unsigned char *deflated = bytes >= LEAST_DEFLATED ? SNW_NEW_ARRAY(d->arena, unsigned char, packed) : NULL;
	if (deflated && compress2(deflated, &packed, values, bytes, Z_BEST_SPEED) == Z_OK && packed < bytes) {
		value.is_deflated = true;
		value.bytes = (snw_bytes){deflated, packed};
	} else {
		value.bytes = (snw_bytes){snw_arena_copy(d->arena, values, bytes), bytes};
	}
	put_value(d, parent, name, value);
}

void snw_fbx_put_numbers(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const double *values, size_t count) {
	put_array(d, parent, name, 'd', values, count, sizeof *values);
}

void snw_fbx_put_floats(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const float *values, size_t count) {
	put_array(d, parent, name, 'f', values, count, sizeof *values);
}

void snw_fbx_put_integers(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const int32_t *values, size_t count) {
	put_array(d, parent, name, 'i', values, count, sizeof *values);
}

void snw_fbx_put_longs(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const int64_t *values, size_t count) {
	put_array(d, parent, name, 'l', values, count, sizeof *values);
}

void snw_fbx_put_matrix(snw_fbx_document *d, snw_fbx_open *parent, const char *name, const double matrix[12]) {
	double columns[16] = {0};
	for (int c = 0; c < 4; c++) {
		for (int r = 0; r < 3; r++) {
			columns[4 * c + r] = matrix[4 * r + c];
		}
	}
	columns[15] = 1;
	snw_fbx_put_numbers(d, parent, name, columns, 16);
}

/* ---- objects ------------------------------------------------------------------------------------------------------------- */

snw_fbx_open snw_fbx_put_object(snw_fbx_document *d, const char *kind, const char *name, const char *name_class,
								const char *class, int64_t *id) {
	snw_fbx_value *values;
	const snw_fbx_open object = add_node(d, &d->objects, kind, 3, &values);
	*id = d->next_id++;
	values[0] = integer_value('L', *id);
	values[1] = class_value(d, name, name_class);
	values[2] = text_value(d, class);
	return object;
}

void snw_fbx_connect(snw_fbx_document *d, int64_t source, int64_t owner, const char *property) {
	snw_fbx_value *values;
	add_node(d, &d->connections, "C", property ? 4 : 3, &values);
	values[0] = text_value(d, property ? "OP" : "OO");
	values[1] = integer_value('L', source);
	values[2] = integer_value('L', owner);
	if (property) {
		values[3] = text_value(d, property);
	}
}

static snw_fbx_value *put_property(snw_fbx_document *d, snw_fbx_open *list, const char *key, const char *type,
								   const char *label, const char *flags, uint32_t count) {
	snw_fbx_value *values;
	add_node(d, list, "P", 4 + count, &values);
	values[0] = text_value(d, key);
	values[1] = text_value(d, type);
	values[2] = text_value(d, label);
	values[3] = text_value(d, flags);
	return values + 4;
}

void snw_fbx_put_property_numbers(snw_fbx_document *d, snw_fbx_open *list, const char *key, const char *type, const char *label,
								  const char *flags, const double *values, uint32_t count) {
	snw_fbx_value *dest = put_property(d, list, key, type, label, flags, count);
	for (uint32_t i = 0; i < count; i++) {
		dest[i] = number_value(values[i]);
	}
}

void snw_fbx_put_property_integer(snw_fbx_document *d, snw_fbx_open *list, const char *key, const char *type, const char *label,
								  int32_t value) {
	*put_property(d, list, key, type, label, "", 1) = integer_value('I', value);
}

void snw_fbx_put_property_time(snw_fbx_document *d, snw_fbx_open *list, const char *key, double seconds) {
	*put_property(d, list, key, "KTime", "Time", "", 1) = integer_value('L', snw_fbx_time(seconds));
}

void snw_fbx_put_property_text(snw_fbx_document *d, snw_fbx_open *list, const char *key, const char *flags, const char *text) {
	*put_property(d, list, key, "KString", "", flags, 1) = text_value(d, text);
}

int64_t snw_fbx_time(double seconds) {
	return llround(seconds * SNW_FBX_TICKS);
}

/* ---- fbx ----------------------------------------------------------------------------------------------------------------- */

enum { FBX_VERSION = 7400 };
#define CREATOR "Sinew " SINEW_VERSION
#define MOST_BYTES ((uint64_t)UINT32_MAX - 4096)

/* ---- around the objects -------------------------------------------------------------------------------------------------- */

/* Readers expect a date; the same one in every file keeps files of the same scene alike. */
static void write_header(snw_fbx_document *d) {
	static const char *const parts[] = {"Year", "Month", "Day", "Hour", "Minute", "Second", "Millisecond"};
	static const int32_t date[] = {1970, 1, 1, 10, 0, 0, 0};
	static const unsigned char file_id[] = {0x28, 0xb3, 0x2a, 0xeb, 0xb6, 0x24, 0xcc, 0xc2,
											0xbf, 0xc8, 0xb0, 0x2a, 0xa9, 0x2b, 0xfc, 0xf1};
	snw_fbx_open header = snw_fbx_put_node(d, &d->root, "FBXHeaderExtension");
	snw_fbx_put_integer(d, &header, "FBXHeaderVersion", 1003);
	snw_fbx_put_integer(d, &header, "FBXVersion", FBX_VERSION);
	snw_fbx_put_integer(d, &header, "EncryptionType", 0);
	snw_fbx_open stamp = snw_fbx_put_node(d, &header, "CreationTimeStamp");
	snw_fbx_put_integer(d, &stamp, "Version", 1000);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		snw_fbx_put_integer(d, &stamp, parts[i], date[i]);
	}
	snw_fbx_put_text(d, &header, "Creator", CREATOR);
	put_bytes(d, &d->root, "FileId", file_id, sizeof file_id);
	snw_fbx_put_text(d, &d->root, "CreationTime", "1970-01-01 10:00:00:000");
	snw_fbx_put_text(d, &d->root, "Creator", CREATOR);
}

/* Y up, Z to the front, right-handed. */
static void write_settings(snw_fbx_document *d, double centimetres) {
	static const struct {
		const char *key;
		int32_t value;
	} axes[] = {{"UpAxis", 1},    {"UpAxisSign", 1},    {"FrontAxis", 2},      {"FrontAxisSign", 1},
				{"CoordAxis", 0}, {"CoordAxisSign", 1}, {"OriginalUpAxis", 1}, {"OriginalUpAxisSign", 1}};
	enum { FRAMES_30 = 6 };
	snw_fbx_open settings = snw_fbx_put_node(d, &d->root, "GlobalSettings");
	snw_fbx_put_integer(d, &settings, "Version", 1000);
	snw_fbx_open list = snw_fbx_put_node(d, &settings, "Properties70");
	for (size_t i = 0; i < sizeof axes / sizeof *axes; i++) {
		snw_fbx_put_property_integer(d, &list, axes[i].key, "int", "Integer", axes[i].value);
	}
	snw_fbx_put_property_numbers(d, &list, "UnitScaleFactor", "double", "Number", "", &centimetres, 1);
	snw_fbx_put_property_numbers(d, &list, "OriginalUnitScaleFactor", "double", "Number", "", &centimetres, 1);
	snw_fbx_put_property_integer(d, &list, "TimeMode", "enum", "", FRAMES_30);
}

static void write_documents(snw_fbx_document *d) {
	snw_fbx_open documents = snw_fbx_put_node(d, &d->root, "Documents");
	snw_fbx_put_integer(d, &documents, "Count", 1);
	snw_fbx_open one = snw_fbx_put_node(d, &documents, "Document");
	snw_fbx_value *values = SNW_NEW_ARRAY(d->arena, snw_fbx_value, 3);
	values[0] = (snw_fbx_value){.kind = SNW_FBX_INTEGER, .type = 'L', .integer = d->next_id++};
	values[1] = values[2] = (snw_fbx_value){.kind = SNW_FBX_TEXT, .type = 'S', .bytes = {(const unsigned char *)"Scene", 5}};
	one.node->values = values;
	one.node->value_count = 3;
	snw_fbx_put_long(d, &one, "RootNode", 0);
	(void)snw_fbx_put_node(d, &d->root, "References");
}

/* How many objects of each kind there are; written before them. */
static void fill_definitions(snw_fbx_document *d, snw_fbx_open *definitions) {
	enum { KINDS = 16 };
	struct {
		const char *name;
		int32_t count;
	} kinds[KINDS] = {{"GlobalSettings", 1}};
	uint32_t kind_count = 1;
	int32_t all = 1;
	for (const snw_fbx_node *node = d->objects.node->child; node; node = node->next) {
		uint32_t k = 0;
		while (k < kind_count && strcmp(kinds[k].name, node->name) != 0) {
			k++;
		}
		kind_count += k == kind_count;
		kinds[k].name = node->name;
		kinds[k].count++;
		all++;
	}
	snw_fbx_put_integer(d, definitions, "Version", 100);
	snw_fbx_put_integer(d, definitions, "Count", all);
	for (uint32_t k = 0; k < kind_count; k++) {
		snw_fbx_open type = snw_fbx_put_node(d, definitions, "ObjectType");
		snw_fbx_value *value = SNW_NEW(d->arena, snw_fbx_value);
		*value = (snw_fbx_value){
			.kind = SNW_FBX_TEXT, .type = 'S', .bytes = {(const unsigned char *)kinds[k].name, strlen(kinds[k].name)}};
		type.node->values = value;
		type.node->value_count = 1;
		snw_fbx_put_integer(d, &type, "Count", kinds[k].count);
	}
}

/* ---- the file ------------------------------------------------------------------------------------------------------------ */

static void tell_attributes(const snw_plan *plan) {
	const char *first = NULL;
	uint32_t count = 0;
	for (uint32_t m = 0; m < plan->mesh_count; m++) {
		const snw_mesh *mesh = plan->meshes[m].mesh;
		bool has = false;
		for (uint32_t i = 0; i < mesh->attribute_count; i++) {
			has = has || !mesh->attributes[i].is_uv;
			first = first || mesh->attributes[i].is_uv ? first : mesh->attributes[i].name;
		}
		count += has;
	}
	if (count > 0) {
		snw_task_notice(plan->task, SNW_LOG_WARNING,
						"attributes such as %.60s are left out of %u mesh%s, because FBX has no place for them", first, count,
						count == 1 ? "" : "es");
	}
}

static void tell_kept(const snw_plan *plan) {
	uint32_t count = 0;
	for (uint32_t m = 0; m < plan->scene->material_count; m++) {
		count += plan->scene->materials[m].kept != NULL;
	}
	if (plan->scene->kept_node_count > 0) {
		snw_task_notice(plan->task, SNW_LOG_WARNING, "cameras and lights (%u) are kept for glTF and left out here",
						plan->scene->kept_node_count);
	}
	if (count > 0) {
		snw_task_notice(plan->task, SNW_LOG_WARNING,
						"what glTF alone says of materials (%u) is kept for glTF and left out here", count);
	}
}

static void tell_left_out(const snw_plan *plan) {
	uint32_t count = 0;
	tell_attributes(plan);
	tell_kept(plan);
	for (uint32_t m = 0; m < plan->scene->material_count; m++) {
		count += plan->scene->materials[m].metallic_roughness_image != SNW_NONE;
	}
	if (count > 0) {
		snw_task_notice(plan->task, SNW_LOG_WARNING,
						"pictures of metal and roughness are left out of %u materials, because FBX has no place for them",
						count);
	}
}

static snw_status write_objects(snw_fbx_writer *w, snw_error *error) {
	const snw_plan *plan = w->plan;
	snw_status status = snw_fbx_write_joints(w, error);
	for (uint32_t m = 0; m < plan->mesh_count && !snw_failed(status); m++) {
		if (!snw_task_progress(plan->task, SNW_PLAN_SHARE + 0.1 * m / plan->mesh_count, "writing meshes")) {
			return SNW_CANCELLED;
		}
		snw_fbx_write_mesh(w, m);
	}
	if (!snw_failed(status)) {
		snw_fbx_write_bind_pose(w);
		snw_fbx_write_clips(w);
		tell_left_out(plan);
	}
	return status;
}

static snw_status write_fbx_file(const snw_fbx_document *d, const char *path, uint64_t *byte_count, snw_error *error) {
	snw_file_write *file = NULL;
	for (const snw_fbx_node *node = d->root.node->child; node; node = node->next) {
		*byte_count += snw_fbx_node_bytes(node, FBX_VERSION);
	}
	if (*byte_count > MOST_BYTES) {
		return snw_fail(error, SNW_ERROR_LIMIT, "%s: over 4 GiB, which FBX 7.4 cannot hold; export fewer clips at a time",
						path);
	}
	const snw_status status = snw_file_write_begin(path, &file, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_fbx_write_binary(snw_file_write_stream(file), d->root.node, FBX_VERSION);
	*byte_count = (uint64_t)ftell(snw_file_write_stream(file));
	return snw_file_write_commit(file, error);
}

static snw_status write_fbx_plan(const snw_plan *plan, uint64_t *byte_count, snw_error *error) {
	const double centimetres = plan->request->centimetres > 0 ? plan->request->centimetres : 1;
	snw_fbx_document d = {.arena = snw_arena_create(), .next_id = 1000};
	d.root.node = SNW_NEW(d.arena, snw_fbx_node);
	snw_fbx_writer w = {.plan = plan, .document = &d, .arena = d.arena, .scale = 100 / centimetres};
	w.meshes = SNW_NEW_ARRAY(d.arena, int64_t, plan->mesh_count);
	w.joined = SNW_NEW_ARRAY(d.arena, snw_fbx_joined *, plan->mesh_count);
	w.materials = SNW_NEW_ARRAY(d.arena, int64_t, plan->scene->material_count);
	w.videos = SNW_NEW_ARRAY(d.arena, int64_t, plan->scene->image_count);
	write_header(&d);
	write_settings(&d, centimetres);
	write_documents(&d);
	snw_fbx_open definitions = snw_fbx_put_node(&d, &d.root, "Definitions");
	d.objects = snw_fbx_put_node(&d, &d.root, "Objects");
	d.connections = snw_fbx_put_node(&d, &d.root, "Connections");
	*byte_count = 0;
	snw_status status = write_objects(&w, error);
	if (!snw_failed(status) && plan->mesh_count + plan->rig.joint_count == 0) {
		status = snw_fail(error, SNW_ERROR_MISSING, "%s: the project has no mesh and no skeleton to export; import one first",
						  plan->request->path);
	}
	if (!snw_failed(status) && !snw_task_progress(plan->task, 0.95, "writing")) {
		status = SNW_CANCELLED;
	}
	if (!snw_failed(status)) {
		fill_definitions(&d, &definitions);
		status = write_fbx_file(&d, plan->request->path, byte_count, error);
	}
	snw_arena_destroy(d.arena);
	return status;
}

static snw_status export_fbx(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request,
							 const snw_task *task, snw_export_report *report, snw_error *error) {
	snw_plan *plan = NULL;
	snw_status status = snw_plan_make(scene, stack, request, "FBX", task, &plan, error);
	if (!snw_failed(status)) {
		plan->report.packed_max_percent = plan->report.packed_erms = plan->report.packed_max_metres = 0; /* nobody packs FBX */
	}
	if (!snw_failed(status) && request->review) {
		status = request->review(request->review_context, &plan->report, error);
	}
	status = snw_failed(status) ? status : write_fbx_plan(plan, &plan->report.byte_count, error);
	if (!snw_failed(status)) {
		*report = plan->report;
	}
	snw_plan_destroy(plan);
	return status;
}

const snw_export_format snw_export_fbx = {
	.file = {.extensions = "fbx", .label = "FBX", .holds = SNW_FILE_MESH | SNW_FILE_SKIN | SNW_FILE_ANIMATION},
	.write = export_fbx,
};

/* ---- materials ----------------------------------------------------------------------------------------------------------- */

/* Materials as FBX has them: diffuse and emissive colours, opacity, shininess; their pictures are inside the file. */

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
		put_bytes(d, &video, "Content", source->bytes, source->byte_count);
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
	put_name(d, &texture, "TextureName", file, "Texture");
	put_name(d, &texture, "Media", file, "Video");
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
