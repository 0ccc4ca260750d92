/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of a glTF document, each written from the plan: nodes, skins, meshes with their materials and extras, clips.
 */
#ifndef SINEW_HOST_EXPORT_GLTF_WRITER_H
#define SINEW_HOST_EXPORT_GLTF_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "export/gltf/document.h"
#include "export/plan/plan.h"

/* The nodes: joints first, parents before children, then those of meshes. */
typedef struct snw_gltf_written_nodes {
	uint32_t *joints; /* [joint_count]: the node of each joint */
	uint32_t count;
	cJSON **objects;  /* [count] */
	cJSON **children; /* [count], NULL for none */
	bool *has_mesh;   /* [count] */
	cJSON *roots;     /* the scene's list */
} snw_gltf_written_nodes;

/* A skin for each of the plan's sets. If a joint has two inverse binds in one mesh, the second one has an
 * additional node. */
typedef struct snw_gltf_written_skin {
	uint32_t *places; /* [slot_count]: the index of a slot among the skin's joints, or SNW_NONE */
	uint32_t index;   /* in the document */
} snw_gltf_written_skin;

typedef struct snw_gltf_written_texture snw_gltf_written_texture; /* gltf.c */

/* A document being written. Indices are SNW_NONE until their object is written. */
typedef struct snw_gltf_writer {
	const snw_plan *plan;
	snw_gltf_document *document;
	snw_arena *arena;
	snw_gltf_written_nodes nodes;
	uint32_t *mesh_nodes;         /* [mesh_count] */
	snw_gltf_written_skin *skins; /* of the plan's skin_sets */
	uint32_t most_uv_sets;        /* of a mesh */
	uint32_t *materials;          /* [material_count][most_uv_sets + 1]: for meshes with so many UV sets */
	uint32_t *images;             /* [image_count] */
	snw_gltf_written_texture *textures;
	cJSON *lights; /* of KHR_lights_punctual; NULL before the first */
} snw_gltf_writer;

void snw_gltf_write_nodes(snw_gltf_writer *writer);
/* One more node, under `parent` or (SNW_NONE) at the root; `name` may be NULL. */
uint32_t snw_gltf_add_node(snw_gltf_writer *writer, const char *name, uint32_t parent);
void snw_gltf_write_skins(snw_gltf_writer *writer);
/* Cameras and lights. */
void snw_gltf_write_kept_nodes(snw_gltf_writer *writer);
/* Writes a mesh of the plan; *index is its index in the document. */
snw_status snw_gltf_write_mesh(snw_gltf_writer *writer, uint32_t mesh, uint32_t *index, snw_error *error);
void snw_gltf_write_morph_names(const snw_gltf_writer *writer, const snw_plan_mesh *mesh, cJSON *mesh_object);
/* What drives a mesh's correctives, and the sides of its morph targets, into an object; false without either. */
bool snw_gltf_write_description(const snw_gltf_writer *writer, uint32_t mesh, cJSON *sinew);
/* The extras of the node that has a mesh, and a part of them in those of the mesh. */
void snw_gltf_write_extras(const snw_gltf_writer *writer, uint32_t mesh, cJSON *node, cJSON *mesh_object);

/* A graph that computes the weights of morph targets (KHR_interactivity), from the extras that are written. */
snw_status snw_gltf_write_live(const snw_gltf_writer *writer, snw_error *error);

/* The number of a mesh's UV sets. */
uint32_t snw_gltf_count_uv_sets(const snw_mesh *mesh);
/* The document's index of a material for meshes with so many UV sets. It is written at the first call. */
uint32_t snw_gltf_write_material(snw_gltf_writer *writer, uint32_t material, uint32_t set_count);
void snw_gltf_write_clips(const snw_gltf_writer *writer);

/* ---- compression --------------------------------------------------------------------------------------------------------- */

/* How buffer views are compressed: by meshoptimizer's codecs and the filters of EXT_meshopt_compression. */

/* How the elements of a view are stored. */
typedef enum snw_gltf_filter { SNW_GLTF_NO_FILTER, SNW_GLTF_OCTAHEDRAL, SNW_GLTF_EXPONENTIAL } snw_gltf_filter;

/* As the extension names them; NULL for none. */
const char *snw_gltf_filter_name(snw_gltf_filter filter);

/* Numbers as multiples of 2^exponent, one exponent for all, which the exponential filter decodes. */
void snw_gltf_encode_exponential(const float *values, size_t count, int exponent, uint32_t *dest);

/* Unit vectors of `width` 3 or 4 (then the last is 1 or −1) as four 16-bit numbers each, which the octahedral filter
 * decodes. */
void snw_gltf_encode_octahedral(const float *vectors, uint32_t width, size_t count, int16_t *dest);

/* Compressed elements, to be freed; NULL if memory runs out. Triangles are indices of 2 or 4 bytes, their number a multiple of
 * three; attributes have a stride that is a multiple of 4, up to 256. */
unsigned char *snw_gltf_compress(const unsigned char *elements, size_t count, size_t stride, bool are_triangles,
								 size_t *byte_count);

/* Orders triangles so that they compress well; then the vertices by their first use: place [vertex_count] → the vertex.
 * Vertices without a triangle come last. */
void snw_gltf_order_triangles(uint32_t *indices, size_t count, uint32_t vertex_count);
void snw_gltf_order_vertices(const uint32_t *indices, size_t count, uint32_t vertex_count, uint32_t *order);

#endif
