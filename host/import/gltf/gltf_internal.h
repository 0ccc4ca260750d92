/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The steps from a glTF document to a scene, in this order: nodes, shapes, skins, skeleton, meshes, clips, materials. Private
 * to the reader. Everything here is in the document's scratch arena; the scene's data are in the scene's.
 */
#ifndef SINEW_HOST_IMPORT_GLTF_GLTF_INTERNAL_H
#define SINEW_HOST_IMPORT_GLTF_GLTF_INTERNAL_H

#include <cjson/cJSON.h>

#include "file/file.h"
#include "import/common/reading.h"

/* ---- the document -------------------------------------------------------------------------------------------------------- */

/* A glTF document: its JSON and its bytes, with checked access to both.
 *
 * Functions that can fail return false and set the status and the error of the reading; their callers return false at once. */

/* One of the document's arrays of objects. */
typedef struct snw_gltf_list {
	const char *noun; /* for one of them: "accessor" */
	uint32_t count;
	const cJSON **items;
} snw_gltf_list;

/* A place in the document, for errors: "accessor 3". */
typedef struct snw_gltf_place {
	const char *noun;
	uint32_t index;
} snw_gltf_place;

/* A texture's UV set in the file, and KHR_texture_transform. */
typedef struct snw_gltf_texture_place {
	uint32_t set;
	double offset[2], rotation, scale[2];
} snw_gltf_texture_place;

/* The distinct places of a material's textures. `is_plain`: they are the UV sets of the file, in order. */
typedef struct snw_gltf_uv_sets {
	uint32_t count, room;
	snw_gltf_texture_place *places;
	bool is_plain;
} snw_gltf_uv_sets;

typedef struct snw_gltf {
	snw_reading reading;
	cJSON *root;
	snw_bytes binary;   /* the binary chunk of a .glb */
	snw_bytes *buffers; /* [buffer_list.count]; NULL data for one that only stands for what compressed views decode to */
	snw_bytes *decoded; /* [views.count]: of compressed views, when they have been asked for */
	snw_gltf_list buffer_list, views, accessors, nodes, meshes, skins, animations, materials, textures, images, samplers,
		scenes;
	snw_gltf_uv_sets *uv_sets; /* [materials.count] */
} snw_gltf;

/* Reads the file, its JSON and its buffers. The caller closes the document even after a failure. */
bool snw_gltf_open(snw_gltf *g);
void snw_gltf_close(snw_gltf *g);

/* ---- bytes (document.c) -------------------------------------------------------------------------------------------------- */

/* The bytes of a URI: base64 data, or a file in the document's folder or below. */
bool snw_gltf_resolve(snw_gltf *g, const char *uri, snw_gltf_place place, snw_bytes *bytes);
/* The bytes of a buffer view. */
bool snw_gltf_view_bytes(snw_gltf *g, uint32_t view, snw_bytes *bytes, uint32_t *stride);

/* ---- compressed views (accessor.c) --------------------------------------------------------------------------------------- */

/* The member EXT_meshopt_compression of a buffer or a view; NULL without one. */
const cJSON *snw_gltf_compression_of(const cJSON *object);
/* The bytes that a compressed view decodes to. */
bool snw_gltf_decompress(snw_gltf *g, uint32_t view, snw_bytes *bytes);

/* ---- JSON (document.c) --------------------------------------------------------------------------------------------------- */

/* A member; NULL if it is missing. */
const cJSON *snw_gltf_member(const cJSON *object, const char *key);
/* A member's text; NULL if it is missing or not text. */
const char *snw_gltf_text(const cJSON *object, const char *key);
bool snw_gltf_flag(const cJSON *object, const char *key);
/* An index into `list`; SNW_NONE if it is missing. */
bool snw_gltf_index(snw_gltf *g, snw_gltf_place place, const cJSON *object, const char *key, const snw_gltf_list *list,
					uint32_t *index);
/* As snw_gltf_index; it is an error if it is missing. */
bool snw_gltf_required_index(snw_gltf *g, snw_gltf_place place, const cJSON *object, const char *key, const snw_gltf_list *list,
							 uint32_t *index);
/* A non-negative integer; *value is unchanged if it is missing. */
bool snw_gltf_integer(snw_gltf *g, snw_gltf_place place, const cJSON *object, const char *key, uint64_t *value);
/* One finite number, or an array of exactly `count`; the values are unchanged if it is missing. */
bool snw_gltf_number(snw_gltf *g, snw_gltf_place place, const cJSON *object, const char *key, double *value);
bool snw_gltf_numbers(snw_gltf *g, snw_gltf_place place, const cJSON *object, const char *key, uint32_t count, double *values);
/* An array of indices into `list`, in the scratch arena; empty if it is missing. */
bool snw_gltf_indices(snw_gltf *g, snw_gltf_place place, const cJSON *object, const char *key, const snw_gltf_list *list,
					  uint32_t **indices, uint32_t *count);

/* ---- accessors (accessor.c) ---------------------------------------------------------------------------------------------- */

/* Elements as doubles [count][width] in `arena`, all finite; normalised integers are converted. `width` is the required one; 0
 * accepts any, and *actual_width is set. */
bool snw_gltf_read_numbers(snw_gltf *g, uint32_t accessor, uint32_t width, snw_arena *arena, double **values, uint32_t *count,
						   uint32_t *actual_width);
/* Unsigned integers, [count][width] in `arena`. */
bool snw_gltf_read_integers(snw_gltf *g, uint32_t accessor, uint32_t width, snw_arena *arena, uint32_t **values,
							uint32_t *count);

/* ---- nodes (nodes.c) ----------------------------------------------------------------------------------------------------- */

bool snw_gltf_read_nodes(snw_gltf *g, snw_rig *nodes);
/* Sets the names and parents of the scene's joints; their rest transforms follow from the skins. */
bool snw_gltf_choose_joints(snw_gltf *g, snw_rig *nodes, snw_scene *scene);

/* ---- shapes (primitives.c) ----------------------------------------------------------------------------------------------- */

/* An attribute that is kept for export. */
typedef struct snw_gltf_attribute {
	const char *key; /* "TEXCOORD_1", "_MASK" */
	uint32_t width;
	float *values; /* [the shape's point_count][width]; 0 for a primitive without it */
} snw_gltf_attribute;

/* Whether an attribute of a primitive is one of those: a UV set after the first, or one of a program with up to four numbers
 * that are no matrix. */
bool snw_gltf_keeps_attribute(const snw_gltf *g, const cJSON *attribute);

/* A glTF mesh before it is placed by a node: the triangles of all primitives, with one point for each vertex. Vertices that
 * primitives share appear once. */
typedef struct snw_gltf_shape {
	uint32_t point_count;
	double *points;   /* [point_count][3] */
	double *normals;  /* [point_count][3], zero for a primitive without normals; NULL if none has them */
	double *tangents; /* [point_count][4], zero for a primitive without tangents or without normals; NULL if none has them */
	float *uvs;       /* [point_count][2]; NULL */
	float *colors;    /* [point_count][4]; NULL */
	uint32_t attribute_count;
	snw_gltf_attribute *attributes; /* further UV sets and those of programs, in the order of snw_mesh */
	uint32_t face_count;
	uint32_t *face_points; /* [face_count][3] */
	uint32_t *face_materials;
	bool has_materials;
	bool repeats_points; /* a primitive without indices repeats each point at every corner */
	/* JOINTS_n and WEIGHTS_n, [point_count][influence_width]; 0 for none */
	uint32_t influence_width;
	uint32_t *joints; /* into the skin's joints */
	double *weights;
	uint32_t target_count;
	const char **target_names; /* [target_count]; NULL for a target without a name */
	double *target_weights;    /* [target_count] */
	snw_morph *targets;        /* [target_count]: points and vectors */
	double box[2][3];
} snw_gltf_shape;

/* A shape for each mesh of a shown node; the others stay empty. [g->meshes.count] */
bool snw_gltf_read_shapes(snw_gltf *g, const snw_rig *nodes, snw_gltf_shape **shapes);
/* The morph displacements of a shape (meshes.c). `first_points` and `counts` are the points of each primitive. */
bool snw_gltf_read_targets(snw_gltf *g, uint32_t mesh, const uint32_t *first_points, const uint32_t *counts,
						   snw_gltf_shape *shape);

/* ---- skins (nodes.c) ----------------------------------------------------------------------------------------------------- */

/* [g->skins.count]. Chooses the placement of each, and sets the bind of its nodes. */
bool snw_gltf_read_skins(snw_gltf *g, snw_rig *nodes, const snw_gltf_shape *shapes, snw_rig_skin **skins);

/* ---- meshes (meshes.c) --------------------------------------------------------------------------------------------------- */

/* A mesh for each shown node that has one, and the channels of their morph targets. */
bool snw_gltf_meshes(snw_gltf *g, snw_rig *nodes, const snw_gltf_shape *shapes, const snw_rig_skin *skins, snw_rig_slots *slots,
					 bool keep_points, snw_scene *scene);

/* One mesh: that of a node, on its skin or, without one, as a rigid part of it, mapped by a matrix first unless that is
 * NULL. */
bool snw_gltf_make_mesh(snw_gltf *g, const snw_gltf_shape *shape, const snw_rig_node *node, const double *own_place,
						const snw_rig_skin *skin, const snw_scene *scene, snw_rig_slots *slots, bool keep_points,
						snw_mesh *mesh);

/* ---- textures (materials.c) ---------------------------------------------------------------------------------------------- */

/* Fills the document's uv_sets. */
bool snw_gltf_read_uv_sets(snw_gltf *g);
/* The scene's UV set of a texture of the material `place`. */
bool snw_gltf_texture_set(snw_gltf *g, snw_gltf_place place, const cJSON *texture, uint32_t *set);
/* Whether a member of an extension of a material is a texture. */
bool snw_gltf_is_texture(const cJSON *member);
/* The UV sets of a mesh become the places of the textures of its faces. */
bool snw_gltf_place_uvs(snw_gltf *g, snw_mesh *mesh);

/* ---- levels of detail (gltf.c) ------------------------------------------------------------------------------------------- */

/* Marks the nodes that MSFT_lod of a shown node with a mesh names as levels of it. */
bool snw_gltf_mark_levels(snw_gltf *g, snw_rig *nodes);
/* The name of a node's mesh: without "_LOD0" if the node has levels. NULL stays NULL. */
const char *snw_gltf_name_of_levels(snw_gltf *g, uint32_t node, const char *name);
/* The levels of the scene's meshes, which mesh_nodes have. */
bool snw_gltf_levels(snw_gltf *g, snw_rig *nodes, const snw_gltf_shape *shapes, const snw_rig_skin *skins,
					 const uint32_t *mesh_nodes, snw_rig_slots *slots, bool keep_points, snw_scene *scene);

/* ---- clips and materials (nodes.c, materials.c) -------------------------------------------------------------------------- */

bool snw_gltf_clips(snw_gltf *g, const snw_rig *nodes, const snw_gltf_shape *shapes, snw_scene *scene);
bool snw_gltf_read_materials(snw_gltf *g, snw_scene *scene);
/* What Sinew does not show of a material, for its `kept` (gltf.c). image_indices[i] is the scene's index of image i. */
bool snw_gltf_keep_material(snw_gltf *g, uint32_t index, const uint32_t *image_indices, snw_material *material);
/* The nodes with cameras and lights. */
bool snw_gltf_has_camera_or_light(const snw_gltf *g, uint32_t node);

/* Whether `kept` of a material has an extension. */
bool snw_gltf_keeps_extension(const char *name);

#endif
