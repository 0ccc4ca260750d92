/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * glTF 2.0: what engines can play of a stack (export/plan), as one .glb or .gltf.
 *
 * The export is planned and measured first; then the document is built in memory and written.
 */
#include <math.h>
#include <meshoptimizer.h>
#include <stdlib.h>
#include <string.h>

#include "export/gltf/writer.h"
#include "export/plan/plan.h"

/* ---- gltf ---------------------------------------------------------------------------------------------------------------- */

#define BINARY_EXTENSION "glb"

/* ---- the file ------------------------------------------------------------------------------------------------------------ */

/* The mesh that this one is a level of; SNW_NONE. */
static uint32_t level_of(const snw_gltf_writer *w, uint32_t m) {
	const uint32_t *levels = w->plan->request->level_of;
	return levels ? levels[w->plan->meshes[m].index] : SNW_NONE;
}

static bool has_levels(const snw_gltf_writer *w, uint32_t m) {
	bool has = false;
	for (uint32_t l = 0; l < w->plan->mesh_count; l++) {
		has = has || level_of(w, l) == w->plan->meshes[m].index;
	}
	return has;
}

/* MSFT_lod of the node of a mesh: the nodes of its levels, which no scene lists, and the shares of the screen down to which
 * each is shown. */
static void write_levels(snw_gltf_writer *w, uint32_t m) {
	snw_gltf_document *document = w->document;
	cJSON *node = w->nodes.objects[w->mesh_nodes[m]], *extras = cJSON_GetObjectItemCaseSensitive(node, "extras");
	extras = extras ? extras : snw_gltf_put_object(document, node, "extras");
	cJSON *extension = snw_gltf_put_object(document, snw_gltf_put_object(document, node, "extensions"), "MSFT_lod");
	cJSON *ids = snw_gltf_put_array(document, extension, "ids");
	cJSON *shares = snw_gltf_put_array(document, extras, "MSFT_screencoverage");
	for (uint32_t l = 0; l < w->plan->mesh_count; l++) {
		if (level_of(w, l) == w->plan->meshes[m].index) {
			const double share = w->plan->request->screen_shares[w->plan->meshes[l].index];
			snw_gltf_put_number(document, ids, NULL, w->mesh_nodes[l]);
			snw_gltf_put_number(document, shares, NULL, share < 1 ? share : 1);
		}
	}
	snw_gltf_put_number(document, shares, NULL, 0);
}

/* The node of a mesh: for a rigid mesh its joint's node, or a child of it if another mesh uses that; for others a root node. */
static void place_mesh(snw_gltf_writer *w, uint32_t m) {
	const snw_plan_mesh *mesh = &w->plan->meshes[m];
	const uint32_t joint = mesh->placement == SNW_PLAN_RIGID ? w->nodes.joints[w->plan->rig.slot_joints[mesh->slot]] : SNW_NONE;
	const bool is_level = level_of(w, m) != SNW_NONE;
	const bool is_free = joint != SNW_NONE && !w->nodes.has_mesh[joint] && !is_level && !has_levels(w, m);
	w->mesh_nodes[m] = is_free ? joint : snw_gltf_add_node(w, mesh->mesh->name, is_level ? SNW_NONE : joint);
	if (is_level) { /* its finest mesh's node names it, no list does */
		cJSON_DeleteItemFromArray(w->nodes.roots, cJSON_GetArraySize(w->nodes.roots) - 1);
	}
	w->nodes.has_mesh[w->mesh_nodes[m]] = true;
}

static snw_status write_meshes(snw_gltf_writer *w, snw_error *error) {
	for (uint32_t m = 0; m < w->plan->mesh_count; m++) {
		if (!snw_task_progress(w->plan->task, SNW_PLAN_SHARE + 0.15 * m / w->plan->mesh_count, "writing meshes")) {
			return SNW_CANCELLED;
		}
		uint32_t index;
		const snw_status status = snw_gltf_write_mesh(w, m, &index, error);
		if (snw_failed(status)) {
			return status;
		}
		place_mesh(w, m);
		cJSON *node = w->nodes.objects[w->mesh_nodes[m]];
		snw_gltf_put_number(w->document, node, "mesh", index);
		cJSON *meshes = cJSON_GetObjectItemCaseSensitive(snw_gltf_root(w->document), "meshes");
		snw_gltf_write_extras(w, m, node, cJSON_GetArrayItem(meshes, (int)index));
		const uint32_t skin = w->plan->meshes[m].skin_set;
		if (skin != SNW_NONE) {
			snw_gltf_put_number(w->document, node, "skin", w->skins[skin].index);
		}
	}
	for (uint32_t m = 0; w->plan->request->level_of && m < w->plan->mesh_count; m++) {
		if (has_levels(w, m)) {
			write_levels(w, m);
		}
	}
	if (w->plan->request->level_of) {
		snw_gltf_use_extension(w->document, "MSFT_lod");
	}
	return SNW_OK;
}

static snw_status write_document(snw_gltf_writer *w, uint64_t *byte_count, snw_error *error) {
	const char *path = w->plan->request->path;
	cJSON *asset = snw_gltf_put_object(w->document, snw_gltf_root(w->document), "asset");
	snw_gltf_put_text(w->document, asset, "version", "2.0");
	snw_gltf_put_text(w->document, asset, "generator", "Sinew " SINEW_VERSION);
	snw_gltf_write_nodes(w);
	snw_gltf_write_skins(w);
	snw_status status = write_meshes(w, error);
	status = snw_failed(status) || !w->plan->request->is_live ? status : snw_gltf_write_live(w, error);
	if (snw_failed(status)) {
		return status;
	}
	snw_gltf_write_kept_nodes(w);
	snw_gltf_write_clips(w);
	if (w->nodes.count == 0) {
		return snw_fail(error, SNW_ERROR_MISSING, "%s: the project has no mesh and no skeleton to export; import one first",
						path ? path : "glTF");
	}
	if (!snw_task_progress(w->plan->task, 0.95, "writing")) {
		return SNW_CANCELLED;
	}
	const bool is_binary = !path || snw_path_has_extension(path, BINARY_EXTENSION);
	return snw_gltf_document_write(w->document, path, w->plan->request->stream, is_binary, byte_count, error);
}

/* [count], all SNW_NONE. */
static uint32_t *make_unwritten(snw_arena *arena, size_t count) {
	uint32_t *list = SNW_NEW_ARRAY(arena, uint32_t, count);
	memset(list, 0xff, count * sizeof *list);
	return list;
}

static snw_status write_plan(const snw_plan *plan, uint64_t *byte_count, snw_error *error) {
	snw_gltf_writer writer = {
		.plan = plan, .document = snw_gltf_document_create(plan->request->compresses), .arena = snw_arena_create()};
	snw_status status;
	if (writer.document) {
		writer.mesh_nodes = make_unwritten(writer.arena, plan->mesh_count);
		for (uint32_t m = 0; m < plan->mesh_count; m++) {
			const uint32_t sets = snw_gltf_count_uv_sets(plan->meshes[m].mesh);
			writer.most_uv_sets = sets > writer.most_uv_sets ? sets : writer.most_uv_sets;
		}
		writer.materials =
			make_unwritten(writer.arena, ((size_t)writer.most_uv_sets + 1) * (size_t)plan->scene->material_count);
		writer.images = make_unwritten(writer.arena, plan->scene->image_count);
		status = write_document(&writer, byte_count, error);
	} else {
		status = snw_fail(error, SNW_ERROR_MEMORY, "%s: out of memory", plan->request->path ? plan->request->path : "glTF");
	}
	snw_gltf_document_destroy(writer.document);
	snw_arena_destroy(writer.arena);
	return status;
}

static snw_status export_gltf(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request,
							  const snw_task *task, snw_export_report *report, snw_error *error) {
	snw_plan *plan = NULL;
	snw_status status = snw_plan_make(scene, stack, request, "glTF", task, &plan, error);
	if (!snw_failed(status) && request->review) {
		status = request->review(request->review_context, &plan->report, error);
	}
	status = snw_failed(status) ? status : write_plan(plan, &plan->report.byte_count, error);
	if (!snw_failed(status)) {
		*report = plan->report;
	}
	snw_plan_destroy(plan);
	return status;
}

snw_status snw_export_losses(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request,
							 const snw_task *task, snw_export_report *report, snw_error *error) {
	snw_plan *plan = NULL;
	const snw_status status = snw_plan_make(scene, stack, request, "glTF", task, &plan, error);
	if (!snw_failed(status)) {
		*report = plan->report;
	}
	snw_plan_destroy(plan);
	return status;
}

snw_status snw_export_binary(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request,
							 const snw_task *task, snw_export_report *report, snw_error *error) {
	snw_plan *plan = NULL;
	snw_export_request unnamed = *request;
	unnamed.path = NULL;
	snw_status status = snw_plan_make(scene, stack, &unnamed, "glTF", task, &plan, error);
	status = snw_failed(status) ? status : write_plan(plan, &plan->report.byte_count, error);
	if (!snw_failed(status)) {
		*report = plan->report;
	}
	snw_plan_destroy(plan);
	return status;
}

enum { CONTENTS = SNW_FILE_MESH | SNW_FILE_SKIN | SNW_FILE_ANIMATION };

const snw_export_format snw_export_glb = {
	.file = {.extensions = BINARY_EXTENSION, .label = "glTF for engines", .holds = CONTENTS},
	.write = export_gltf,
};

const snw_export_format snw_export_gltf = {
	.file = {.extensions = "gltf", .label = "glTF as text", .holds = CONTENTS},
	.write = export_gltf,
};

/* ---- materials ----------------------------------------------------------------------------------------------------------- */

/* Materials and their pictures, which are written unchanged, with what was kept of a material that came from glTF
 * (import/gltf/gltf.c). */

/* ---- textures ------------------------------------------------------------------------------------------------------------ */

/* A picture and how it is sampled. */
struct snw_gltf_written_texture {
	uint32_t image;
	const cJSON *sampler; /* NULL: glTF's own */
	uint32_t index;       /* in the document */
	struct snw_gltf_written_texture *next;
};

static uint32_t write_image(snw_gltf_writer *writer, uint32_t image) {
	snw_gltf_document *document = writer->document;
	const snw_image *source = &writer->plan->scene->images[image];
	uint32_t *index = &writer->images[image];
	if (*index == SNW_NONE) {
		cJSON *object = snw_gltf_entry(document, "images", index);
		if (source->name && source->name[0]) {
			snw_gltf_put_text(document, object, "name", source->name);
		}
		snw_gltf_put_text(document, object, "mimeType", source->media);
		snw_gltf_put_number(document, object, "bufferView", snw_gltf_image_view(document, source->bytes, source->byte_count));
	}
	return *index;
}

static bool is_same_sampler(const cJSON *a, const cJSON *b) {
	return a == b || (a && b && cJSON_Compare(a, b, true));
}

/* The document's index of a texture, which is written at the first call. */
static uint32_t write_texture_once(snw_gltf_writer *writer, uint32_t image, const cJSON *sampler) {
	snw_gltf_document *document = writer->document;
	for (const snw_gltf_written_texture *t = writer->textures; t; t = t->next) {
		if (t->image == image && is_same_sampler(t->sampler, sampler)) {
			return t->index;
		}
	}
	snw_gltf_written_texture *made = SNW_NEW(writer->arena, snw_gltf_written_texture);
	*made = (snw_gltf_written_texture){.image = image, .next = writer->textures};
	writer->textures = made;
	const uint32_t source = write_image(writer, image);
	cJSON *object = snw_gltf_entry(document, "textures", &made->index);
	snw_gltf_put_number(document, object, "source", source);
	if (sampler) {
		uint32_t index;
		cJSON *written = snw_gltf_entry(document, "samplers", &index);
		for (const cJSON *member = sampler->child; member; member = member->next) {
			snw_gltf_put_item(document, written, member->string, cJSON_Duplicate(member, true));
		}
		snw_gltf_put_number(document, object, "sampler", index);
		made->sampler = written;
	}
	return made->index;
}

/* ---- a material ---------------------------------------------------------------------------------------------------------- */

/* A material being written, for meshes with `set_count` UV sets. */
typedef struct material_writer {
	snw_gltf_writer *file;
	const snw_material *source;
	cJSON *kept;
	uint32_t set_count;
} material_writer;

static const cJSON *member_of(const cJSON *object, const char *name) {
	return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* A texture at `name`, with what is kept of it. A mesh that lacks its UV set is without it. */
static void put_texture(const material_writer *w, cJSON *parent, const char *name, uint32_t image, const cJSON *kept) {
	snw_gltf_document *document = w->file->document;
	const cJSON *set = member_of(kept, "texCoord");
	if (image == SNW_NONE || (cJSON_IsNumber(set) ? set->valuedouble : 0) >= w->set_count) {
		return;
	}
	cJSON *info = snw_gltf_put_object(document, parent, name);
	snw_gltf_put_number(document, info, "index", write_texture_once(w->file, image, member_of(kept, "sampler")));
	for (const cJSON *member = kept ? kept->child : NULL; member; member = member->next) {
		if (member->string && strcmp(member->string, "index") != 0 && strcmp(member->string, "sampler") != 0) {
			snw_gltf_put_item(document, info, member->string, cJSON_Duplicate(member, true));
		}
	}
}

/* One that is in `kept` alone. */
static void put_kept_texture(const material_writer *w, cJSON *parent, const cJSON *kept) {
	const cJSON *index = member_of(kept, "index");
	if (cJSON_IsNumber(index) && index->valuedouble >= 0 && index->valuedouble < w->source->kept_image_count) {
		put_texture(w, parent, kept->string, w->source->kept_images[(uint32_t)index->valuedouble], kept);
	}
}

static void put_extensions(const material_writer *w, cJSON *object) {
	snw_gltf_document *document = w->file->document;
	const cJSON *list = member_of(w->kept, "extensions");
	cJSON *written = list && list->child ? snw_gltf_put_object(document, object, "extensions") : NULL;
	for (const cJSON *extension = list ? list->child : NULL; extension; extension = extension->next) {
		cJSON *made = snw_gltf_put_object(document, written, extension->string);
		snw_gltf_use_extension(document, extension->string);
		for (const cJSON *member = extension->child; member; member = member->next) {
			if (member_of(member, "index")) {
				put_kept_texture(w, made, member);
			} else {
				snw_gltf_put_item(document, made, member->string, cJSON_Duplicate(member, true));
			}
		}
	}
}

static double clamp(double value) {
	return value < 0 ? 0 : value > 1 ? 1 : value;
}

static void write_factors(snw_gltf_document *document, cJSON *parent, const char *name, const double *values, uint32_t count,
						  double initial) {
	double factors[4];
	bool differs = false;
	for (uint32_t i = 0; i < count; i++) {
		factors[i] = clamp(values[i]);
		differs = differs || factors[i] != initial;
	}
	if (differs) {
		snw_gltf_put_numbers(document, parent, name, factors, count);
	}
}

static void put_textures(const material_writer *w, cJSON *object, cJSON *surface) {
	const snw_material *source = w->source;
	put_texture(w, surface, "baseColorTexture", source->base_color_image, member_of(w->kept, "baseColorTexture"));
	put_texture(w, surface, "metallicRoughnessTexture", source->metallic_roughness_image,
				member_of(w->kept, "metallicRoughnessTexture"));
	put_texture(w, object, "normalTexture", source->normal_image, member_of(w->kept, "normalTexture"));
	put_texture(w, object, "emissiveTexture", source->emissive_image, member_of(w->kept, "emissiveTexture"));
	if (member_of(w->kept, "occlusionTexture")) {
		put_kept_texture(w, object, member_of(w->kept, "occlusionTexture"));
	}
}

static void put_kept(const material_writer *w, cJSON *object) {
	const cJSON *extras = member_of(w->kept, "extras");
	put_extensions(w, object);
	if (extras) {
		snw_gltf_put_item(w->file->document, object, "extras", cJSON_Duplicate(extras, true));
	}
}

uint32_t snw_gltf_write_material(snw_gltf_writer *writer, uint32_t material, uint32_t set_count) {
	snw_gltf_document *document = writer->document;
	uint32_t *index = &writer->materials[(size_t)material * (writer->most_uv_sets + 1) + set_count];
	if (*index != SNW_NONE) {
		return *index;
	}
	const snw_material *source = &writer->plan->scene->materials[material];
	const material_writer w = {
		.file = writer, .source = source, .kept = source->kept ? cJSON_Parse(source->kept) : NULL, .set_count = set_count};
	cJSON *object = snw_gltf_entry(document, "materials", index);
	if (source->name && source->name[0]) {
		snw_gltf_put_text(document, object, "name", source->name);
	}
	cJSON *surface = snw_gltf_put_object(document, object, "pbrMetallicRoughness");
	write_factors(document, surface, "baseColorFactor", source->base_color, 4, 1);
	if (clamp(source->metallic) != 1) {
		snw_gltf_put_number(document, surface, "metallicFactor", clamp(source->metallic));
	}
	if (clamp(source->roughness) != 1) {
		snw_gltf_put_number(document, surface, "roughnessFactor", clamp(source->roughness));
	}
	put_textures(&w, object, surface);
	write_factors(document, object, "emissiveFactor", source->emissive, 3, 0);
	if (source->alpha != 0) {
		snw_gltf_put_text(document, object, "alphaMode", source->alpha == 1 ? "MASK" : "BLEND");
	}
	if (source->alpha == 1) {
		snw_gltf_put_number(document, object, "alphaCutoff", source->alpha_cutoff < 0 ? 0 : source->alpha_cutoff);
	}
	if (source->double_sided) {
		snw_gltf_put_true(document, object, "doubleSided");
	}
	put_kept(&w, object);
	cJSON_Delete(w.kept);
	return *index;
}

/* ---- compression --------------------------------------------------------------------------------------------------------- */

enum { NORMAL_BITS = 12 };

const char *snw_gltf_filter_name(snw_gltf_filter filter) {
	return filter == SNW_GLTF_OCTAHEDRAL ? "OCTAHEDRAL" : filter == SNW_GLTF_EXPONENTIAL ? "EXPONENTIAL" : NULL;
}

/* An exponent of 8 bits above a mantissa of 24. */
void snw_gltf_encode_exponential(const float *values, size_t count, int exponent, uint32_t *dest) {
	for (size_t i = 0; i < count; i++) {
		const int32_t mantissa = (int32_t)lround(ldexp((double)values[i], -exponent));
		dest[i] = (uint32_t)exponent << 24 | ((uint32_t)mantissa & 0xffffffu);
	}
}

void snw_gltf_encode_octahedral(const float *vectors, uint32_t width, size_t count, int16_t *dest) {
	for (size_t i = 0; i < count; i++) {
		float vector[4] = {0, 0, 0, 1};
		memcpy(vector, vectors + i * width, width * sizeof *vector);
		meshopt_encodeFilterOct(dest + 4 * i, 1, 4 * sizeof *dest, NORMAL_BITS, vector);
	}
}

static unsigned char *compress_triangles(const unsigned char *elements, size_t count, size_t stride, size_t *byte_count) {
	unsigned *indices = malloc((count + 1) * sizeof *indices), most = 0;
	for (size_t i = 0; i < count && indices; i++) {
		uint16_t half;
		memcpy(&half, elements + i * stride, sizeof half);
		indices[i] = half;
		if (stride == sizeof *indices) {
			memcpy(&indices[i], elements + i * stride, sizeof *indices);
		}
		most = indices[i] > most ? indices[i] : most;
	}
	const size_t bound = meshopt_encodeIndexBufferBound(count, (size_t)most + 1);
	unsigned char *bytes = indices ? malloc(bound + 1) : NULL;
	if (bytes) {
		*byte_count = meshopt_encodeIndexBuffer(bytes, bound, indices, count);
	}
	free(indices);
	return bytes;
}

unsigned char *snw_gltf_compress(const unsigned char *elements, size_t count, size_t stride, bool are_triangles,
								 size_t *byte_count) {
	if (are_triangles) {
		return compress_triangles(elements, count, stride, byte_count);
	}
	const size_t bound = meshopt_encodeVertexBufferBound(count, stride);
	unsigned char *bytes = malloc(bound + 1);
	if (bytes) {
		*byte_count = meshopt_encodeVertexBuffer(bytes, bound, elements, count, stride);
	}
	return bytes;
}

void snw_gltf_order_triangles(uint32_t *indices, size_t count, uint32_t vertex_count) {
	meshopt_optimizeVertexCache(indices, indices, count, vertex_count);
}

void snw_gltf_order_vertices(const uint32_t *indices, size_t count, uint32_t vertex_count, uint32_t *order) {
	bool *is_placed = calloc((size_t)vertex_count + 1, sizeof *is_placed);
	uint32_t next = 0;
	for (size_t i = 0; i < count && is_placed; i++) {
		if (!is_placed[indices[i]]) {
			is_placed[indices[i]] = true;
			order[next++] = indices[i];
		}
	}
	for (uint32_t v = 0; v < vertex_count; v++) {
		if (!is_placed) {
			order[v] = v; /* out of memory: the order is only worse */
		} else if (!is_placed[v]) {
			order[next++] = v;
		}
	}
	free(is_placed);
}
