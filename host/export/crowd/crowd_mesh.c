/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The meshes and their levels as static glTF: vertices with joints and weights, but no nodes for joints.
 */
#include <math.h>
#include <string.h>

#include "export/crowd/crowd_files_internal.h"
#include "export/gltf/document.h"
#include "file/file.h"
#include "mesh/mesh.h"

/* ---- crowd mesh ---------------------------------------------------------------------------------------------------------- */

static float *corner_normals(const snw_mesh *mesh, snw_arena *scratch) {
	const uint32_t corners = mesh->face_count > 0 ? mesh->face_offsets[mesh->face_count] : 0;
	float *points = SNW_NEW_ARRAY(scratch, float, 3 * (size_t)mesh->point_count);
	float *normals = SNW_NEW_ARRAY(scratch, float, 3 * (size_t)corners);
	for (size_t i = 0; i < 3 * (size_t)mesh->point_count; i++) {
		points[i] = (float)mesh->points_rest[i];
	}
	snw_normal_plan *plan = snw_normal_plan_create(mesh);
	snw_normals_of_corners(plan, points, normals);
	snw_normal_plan_destroy(plan);
	return normals;
}

static uint32_t write_indices(snw_gltf_document *document, const snw_mesh *mesh, const snw_vertices *vertices,
							  snw_arena *scratch) {
	const uint32_t corners = mesh->face_offsets[mesh->face_count];
	uint32_t *indices = SNW_NEW_ARRAY(scratch, uint32_t, 3 * (size_t)corners), count = 0;
	uint32_t *triangles = SNW_NEW_ARRAY(scratch, uint32_t, 3 * (size_t)corners);
	uint32_t *work = SNW_NEW_ARRAY(scratch, uint32_t, corners);
	for (uint32_t f = 0; f < mesh->face_count; f++) {
		const uint32_t begin = mesh->face_offsets[f], sides = mesh->face_offsets[f + 1] - begin;
		snw_face_triangulate(mesh, f, triangles, work);
		for (uint32_t i = 0; i < 3 * (sides - 2); i++) {
			indices[count++] = vertices->corner_vertices[begin + triangles[i]];
		}
	}
	return snw_gltf_integers(document, SNW_GLTF_INDICES, 1, count, indices, vertices->count);
}

/* What a vertex has of its point and of its corner. */
typedef struct attributes {
	float *positions, *normals, *uvs, *weights;
	uint32_t *joints;
} attributes;

static attributes fill_attributes(const snw_crowd_mesh *mesh, const snw_vertices *vertices, snw_arena *scratch) {
	const size_t count = vertices->count;
	const float *normals = corner_normals(mesh->mesh, scratch);
	const attributes made = {SNW_NEW_ARRAY(scratch, float, 3 * count), SNW_NEW_ARRAY(scratch, float, 3 * count),
							 SNW_NEW_ARRAY(scratch, float, 2 * count),
							 SNW_NEW_ARRAY(scratch, float, SNW_CROWD_INFLUENCES *count),
							 SNW_NEW_ARRAY(scratch, uint32_t, SNW_CROWD_INFLUENCES * count)};
	for (size_t v = 0; v < count; v++) {
		const size_t point = vertices->points[v], corner = vertices->corners[v];
		for (size_t c = 0; c < 3; c++) {
			made.positions[3 * v + c] = (float)mesh->mesh->points_rest[3 * point + c];
			made.normals[3 * v + c] = corner == SNW_NONE ? (float)(c == 1) : normals[3 * corner + c];
		}
		if (mesh->mesh->corner_uvs && corner != SNW_NONE) {
			memcpy(made.uvs + 2 * v, mesh->mesh->corner_uvs + 2 * corner, 2 * sizeof(float));
		}
		const size_t four = SNW_CROWD_INFLUENCES;
		memcpy(made.joints + four * v, mesh->joints + four * point, four * sizeof *made.joints);
		memcpy(made.weights + four * v, mesh->weights + four * point, four * sizeof *made.weights);
	}
	return made;
}

/* The colour and the roughness of the first face's material; pictures stay with the ordinary export. */
static uint32_t write_material(snw_gltf_document *document, const snw_scene *scene, const snw_mesh *mesh) {
	const uint32_t index = mesh->face_materials && mesh->face_count > 0 ? mesh->face_materials[0] : SNW_NONE;
	const snw_material *material = index == SNW_NONE ? NULL : &scene->materials[index];
	static const double clay[4] = {0.55, 0.52, 0.48, 1};
	uint32_t written;
	cJSON *object = snw_gltf_entry(document, "materials", &written);
	cJSON *surface = snw_gltf_put_object(document, object, "pbrMetallicRoughness");
	snw_gltf_put_numbers(document, surface, "baseColorFactor", material ? material->base_color : clay, 4);
	snw_gltf_put_number(document, surface, "metallicFactor", material ? material->metallic : 0);
	snw_gltf_put_number(document, surface, "roughnessFactor", material ? material->roughness : 0.8);
	return written;
}

/* MSFT_lod of a mesh's node: the nodes of its levels, which no scene lists, and the shares of the screen down to which each is
 * shown. Nodes have the numbers of their meshes. */
static void write_mesh_levels(snw_gltf_document *document, const snw_crowd_files *files, uint32_t origin, cJSON *node) {
	const snw_level_scene *levels = files->character->levels;
	cJSON *ids = NULL, *shares = NULL;
	for (uint32_t m = origin + 1; levels && m < files->posed->mesh_count; m++) {
		if (levels->origins[m] != origin) {
			continue;
		}
		if (!ids) {
			cJSON *extension = snw_gltf_put_object(document, snw_gltf_put_object(document, node, "extensions"), "MSFT_lod");
			ids = snw_gltf_put_array(document, extension, "ids");
			shares = snw_gltf_put_array(document, snw_gltf_put_object(document, node, "extras"), "MSFT_screencoverage");
			snw_gltf_use_extension(document, "MSFT_lod");
		}
		snw_gltf_put_number(document, ids, NULL, m);
		snw_gltf_put_number(document, shares, NULL, fmin(levels->levels[m]->screen_share, 1));
	}
	if (ids) {
		snw_gltf_put_number(document, shares, NULL, 0);
	}
}

static void write_mesh(snw_gltf_document *document, const snw_crowd_files *files, uint32_t index, cJSON *roots) {
	const snw_crowd_mesh *mesh = &files->meshes[index];
	snw_arena *scratch = snw_arena_create();
	snw_vertices vertices;
	snw_vertices_split(mesh->mesh, scratch, &vertices);
	const attributes filled = fill_attributes(mesh, &vertices, scratch);
	const uint32_t count = vertices.count;
	uint32_t mesh_index, node_index;
	cJSON *object = snw_gltf_entry(document, "meshes", &mesh_index), *node = snw_gltf_entry(document, "nodes", &node_index);
	snw_gltf_put_text(document, object, "name", mesh->mesh->name);
	cJSON *primitive = snw_gltf_put_object(document, snw_gltf_put_array(document, object, "primitives"), NULL);
	cJSON *list = snw_gltf_put_object(document, primitive, "attributes");
	snw_gltf_put_number(document, list, "POSITION",
						snw_gltf_floats(document, SNW_GLTF_VERTICES, 3, count, filled.positions, true));
	snw_gltf_put_number(document, list, "NORMAL",
						snw_gltf_floats(document, SNW_GLTF_VERTICES, 3, count, filled.normals, false));
	if (mesh->mesh->corner_uvs) {
		snw_gltf_put_number(document, list, "TEXCOORD_0",
							snw_gltf_floats(document, SNW_GLTF_VERTICES, 2, count, filled.uvs, false));
	}
	snw_gltf_put_number(
		document, list, "JOINTS_0",
		snw_gltf_integers(document, SNW_GLTF_VERTICES, SNW_CROWD_INFLUENCES, count, filled.joints, mesh->slot_count));
	snw_gltf_put_number(document, list, "WEIGHTS_0",
						snw_gltf_floats(document, SNW_GLTF_VERTICES, SNW_CROWD_INFLUENCES, count, filled.weights, false));
	snw_gltf_put_number(document, primitive, "indices", write_indices(document, mesh->mesh, &vertices, scratch));
	snw_gltf_put_number(document, primitive, "material", write_material(document, files->posed, mesh->mesh));
	snw_gltf_put_text(document, node, "name", mesh->mesh->name);
	snw_gltf_put_number(document, node, "mesh", mesh_index);
	write_mesh_levels(document, files, index, node);
	if (!snw_crowd_is_level(files, index)) {
		snw_gltf_put_number(document, roots, NULL, node_index);
	}
	snw_arena_destroy(scratch);
}

snw_status snw_crowd_mesh_write(const snw_crowd_files *files, const char *path, snw_error *error) {
	snw_gltf_document *document = snw_gltf_document_create(false);
	uint32_t index;
	uint64_t bytes;
	cJSON *asset = snw_gltf_put_object(document, snw_gltf_root(document), "asset");
	snw_gltf_put_text(document, asset, "version", "2.0");
	snw_gltf_put_text(document, asset, "generator", "Sinew");
	cJSON *roots = snw_gltf_put_array(document, snw_gltf_entry(document, "scenes", &index), "nodes");
	snw_gltf_put_number(document, snw_gltf_root(document), "scene", index);
	for (uint32_t m = 0; m < files->posed->mesh_count; m++) {
		write_mesh(document, files, m, roots);
	}
	const snw_status status = snw_gltf_document_write(document, path, NULL, true, &bytes, error);
	snw_gltf_document_destroy(document);
	return status;
}

/* ---- ktx2 ---------------------------------------------------------------------------------------------------------------- */

enum {
	VK_RGBA16_SFLOAT = 97,
	VK_RGBA32_SFLOAT = 109,
	HEADER_BYTES = 80,
	LEVEL_INDEX_BYTES = 24,
	BLOCK_BYTES = 24 + 4 * 16, /* of the descriptor */
	DATA_OFFSET = 208,         /* the first multiple of 16 after those and the descriptor's size */
};

static unsigned char *put16(unsigned char *to, uint32_t value) {
	to[0] = (unsigned char)value;
	to[1] = (unsigned char)(value >> 8);
	return to + 2;
}

static unsigned char *put32(unsigned char *to, uint32_t value) {
	return put16(put16(to, value), value >> 16);
}

static unsigned char *put64(unsigned char *to, uint64_t value) {
	return put32(put32(to, (uint32_t)value), (uint32_t)(value >> 32));
}

static unsigned char *put_header(unsigned char *to, bool is_half, uint32_t width, uint32_t height, uint64_t bytes) {
	static const unsigned char identifier[12] = {0xAB, 'K', 'T', 'X', ' ', '2', '0', 0xBB, '\r', '\n', 0x1A, '\n'};
	memcpy(to, identifier, sizeof identifier);
	to = put32(to + sizeof identifier, is_half ? VK_RGBA16_SFLOAT : VK_RGBA32_SFLOAT);
	const uint32_t sizes[] = {is_half ? 2 : 4, width, height, 0, 0, 1, 1, 0}; /* one face, one level */
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		to = put32(to, sizes[i]);
	}
	to = put32(to, HEADER_BYTES + LEVEL_INDEX_BYTES); /* the descriptor */
	to = put32(to, 4 + BLOCK_BYTES);
	to = put64(to, 0); /* no keys and values */
	to = put64(put64(to, 0), 0);
	return put64(put64(put64(to, DATA_OFFSET), bytes), bytes);
}

/* Four samples, linear, signed floats from −1 to 1. */
static void put_descriptor(unsigned char *to, bool is_half) {
	static const unsigned char channels[4] = {0, 1, 2, 15};
	enum { RGBSDA = 1, BT709 = 1, LINEAR = 1, SIGNED_FLOAT = 0xC0, VERSION = 2 };
	const uint32_t bits = is_half ? 16 : 32;
	to = put32(to, 4 + BLOCK_BYTES);
	to = put32(to, 0); /* vendor and type: the basic descriptor of Khronos */
	to = put16(put16(to, VERSION), BLOCK_BYTES);
	to = put32(to, RGBSDA | BT709 << 8 | LINEAR << 16);
	to = put32(to, 0);                        /* texel blocks of one texel */
	to = put64(to, (uint64_t)4 * (bits / 8)); /* bytes of a plane */
	for (uint32_t c = 0; c < 4; c++) {
		to = put16(to, c * bits);
		to = put16(to, (bits - 1) | (uint32_t)(channels[c] | SIGNED_FLOAT) << 8);
		to = put32(put32(put32(to, 0), 0xBF800000u), 0x3F800000u);
	}
}

snw_status snw_ktx2_write(const char *path, bool is_half, uint32_t width, uint32_t height, const void *texels,
						  snw_error *error) {
	unsigned char head[DATA_OFFSET] = {0};
	const size_t bytes = (size_t)width * height * (is_half ? 8 : 16);
	snw_file_write *file = NULL;
	const snw_status status = snw_file_write_begin(path, &file, error);
	if (snw_failed(status)) {
		return status;
	}
	put_descriptor(put_header(head, is_half, width, height, bytes), is_half);
	fwrite(head, 1, sizeof head, snw_file_write_stream(file));
	fwrite(texels, 1, bytes, snw_file_write_stream(file));
	return snw_file_write_commit(file, error);
}

/* ---- half floats --------------------------------------------------------------------------------------------------------- */

uint16_t snw_half_of(float value) {
	uint32_t bits;
	memcpy(&bits, &value, sizeof bits);
	const uint32_t sign = bits >> 16 & 0x8000;
	const float size = fabsf(value);
	if (isnan(value)) {
		return (uint16_t)(sign | 0x7E00);
	}
	if (size >= 65520.0f) {
		return (uint16_t)(sign | 0x7C00);
	}
	if (size < 0x1p-14f) { /* steps of 2^-24 */
		return (uint16_t)(sign | (uint32_t)rintf(size * 0x1p24f));
	}
	const uint32_t rounded = (bits & 0x7FFFFFFF) + 0xFFF + (bits >> 13 & 1);
	return (uint16_t)(sign | ((rounded >> 13) - (112u << 10)));
}

float snw_half_value(uint16_t half) {
	const uint32_t exponent = half >> 10 & 31, mantissa = half & 0x3FF;
	const float sign = half & 0x8000 ? -1.0f : 1.0f;
	if (exponent == 31) {
		return mantissa ? NAN : sign * INFINITY;
	}
	return exponent == 0 ? sign * (float)mantissa * 0x1p-24f : sign * ldexpf((float)(mantissa | 0x400), (int)exponent - 25);
}
