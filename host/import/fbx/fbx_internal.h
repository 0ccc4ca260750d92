/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The steps from an FBX document to a scene, in this order: space, models, shapes, skins, skeleton, meshes, clips, materials.
 * Private to the reader. Everything here is in the document's scratch arena; the scene's data are in the scene's.
 *
 * Numbers leave the file's units and axes where they are read: all that follows is in metres, right-handed, Y up.
 */
#ifndef SINEW_HOST_IMPORT_FBX_FBX_INTERNAL_H
#define SINEW_HOST_IMPORT_FBX_FBX_INTERNAL_H

#include "import/common/finish_mesh.h"
#include "import/common/rig.h"
#include "import/fbx/objects.h"

/* ---- space (space.c) ----------------------------------------------------------------------------------------------------- */

/* From the file's space to the scene's: axis i of the scene is `sign` times axis `axis` of the file, times `scale`. It is
 * applied on both sides of a transform, so that each joint keeps its place in the tree and gets no scale from the unit. */
typedef struct snw_fbx_space {
	int axis[3];
	double sign[3];
	double scale;
	bool is_mirrored; /* a left-handed file */
} snw_fbx_space;

snw_fbx_space snw_fbx_read_space(const snw_fbx *f);
void snw_fbx_space_point(const snw_fbx_space *space, const double file[3], double dest[3]);
void snw_fbx_space_direction(const snw_fbx_space *space, const double file[3], double dest[3]);
void snw_fbx_space_scale(const snw_fbx_space *space, const double file[3], double dest[3]);
void snw_fbx_space_rotation(const snw_fbx_space *space, const double file[4], double dest[4]);
void snw_fbx_space_matrix(const snw_fbx_space *space, const double file[12], double dest[12]);

/* ---- models (models.c) --------------------------------------------------------------------------------------------------- */

/* A node of the scene graph. With Q = pre · R · post⁻¹, it maps x to
 *     T + rotation_offset + rotation_pivot + Q (S (x - scaling_pivot) + scaling_pivot + scaling_offset - rotation_pivot). */
typedef struct snw_fbx_model {
	uint32_t object;
	const char *name; /* clean; NULL for none */
	uint32_t parent;  /* a model; SNW_NONE at a root */
	bool is_bone;
	int order;   /* of the rotations about x, y and z */
	int inherit; /* snw_fbx_inherit */
	double rotation_offset[3], rotation_pivot[3], scaling_offset[3],
		scaling_pivot[3]; /* in the file's space, as what follows */
	double pre[4], post_inverse[4];
	double translation[3], rotation[3], scale[3]; /* of the default pose; degrees */
	double geometric[12];                         /* of its geometry alone, in the scene's space */
	uint32_t geometry;                            /* a shape; SNW_NONE for none */
	/* A joint below this one that has its scale, for what inherits it: see models.c. SNW_NONE for none. A node of the rig. */
	uint32_t scaled_node;
	uint32_t unscaled_parent; /* the model whose scale does not reach this one's axes: its parent, or SNW_NONE */
} snw_fbx_model;

/* What moves a model: T, R (degrees) and S. */
typedef struct snw_fbx_motion {
	double translation[3], rotation[3], scale[3];
} snw_fbx_motion;

typedef struct snw_fbx_models {
	uint32_t count;
	snw_fbx_model *models;
	uint32_t *of_objects; /* [objects.count]: the model of each, SNW_NONE for others */
} snw_fbx_models;

bool snw_fbx_read_models(snw_fbx *f, const snw_fbx_objects *objects, const snw_fbx_space *space, snw_fbx_models *models);
snw_fbx_motion snw_fbx_default_motion(const snw_fbx_model *model);
/* The local transform of a model, before what inherit modes do, in the scene's space. */
void snw_fbx_local(const snw_fbx_model *model, const snw_fbx_motion *motion, const snw_fbx_space *space, snw_transform *local);
/* The node of the rig that has the model's whole transform. */
uint32_t snw_fbx_full_node(const snw_fbx_models *models, uint32_t model);

/* ---- scale that is not inherited as in a skeleton (inherit.c) -----------------------------------------------------------*/

/* Finds the models that become two joints: see inherit.c. The nodes of the rig are the models, then their scaled nodes. */
bool snw_fbx_split_scales(snw_fbx *f, const snw_fbx_objects *objects, snw_fbx_models *models, uint32_t *node_count);

/* How a model moves at a moment; `context` knows which. */
typedef snw_fbx_motion snw_fbx_motion_of(const void *context, uint32_t model);
/* The transform of the rig's node of a model, with the scale of its scaled node if it has one, which is then its own no more.
 * */
void snw_fbx_pose_model(const snw_fbx_models *models, const snw_fbx_space *space, uint32_t model, snw_fbx_motion_of *motion_of,
						const void *context, snw_transform *local, double scaled[3]);
/* The rig's nodes in the file's default pose. */
bool snw_fbx_make_nodes(snw_fbx *f, const snw_fbx_models *models, const snw_fbx_space *space, uint32_t node_count,
						snw_rig *rig);

/* ---- shapes (shapes.c, elements.c) --------------------------------------------------------------------------------------- */

/* A target of a channel: displacements at a weight. */
typedef struct snw_fbx_target {
	const char *name; /* NULL for none */
	double full_weight;
	snw_morph morph; /* points and vectors */
} snw_fbx_target;

/* A blend shape channel: its targets ascend by full weight; those before the last are in-betweens. */
typedef struct snw_fbx_channel {
	uint32_t object;
	const char *name;
	double weight; /* of the default pose, percent */
	uint32_t target_count;
	snw_fbx_target *targets;
} snw_fbx_channel;

typedef struct snw_fbx_uv_set {
	const char *name; /* NULL for none */
	float *uvs;       /* [corner_count][2] */
} snw_fbx_uv_set;

/* A geometry before it is placed by a model. */
typedef struct snw_fbx_shape {
	uint32_t object;
	uint32_t point_count;
	double *points; /* [point_count][3], in the scene's space */
	uint32_t face_count, corner_count;
	uint32_t *face_offsets;   /* [face_count + 1] */
	uint32_t *face_points;    /* [corner_count] */
	uint32_t *face_materials; /* into the model's materials; SNW_NONE for none; NULL if no face has one */
	float *colors, *normals;  /* [corner_count] · 4 and 3; NULL for none */
	uint32_t uv_set_count;
	snw_fbx_uv_set *uv_sets;
	uint32_t channel_count, target_count; /* of all channels */
	snw_fbx_channel *channels;
	double box[2][3];
	double *dual_shares; /* [point_count]: how far each blends dual quaternions, from 0 to 1; NULL: all linearly */
} snw_fbx_shape;

typedef struct snw_fbx_shapes {
	uint32_t count;
	snw_fbx_shape *shapes;
} snw_fbx_shapes;

/* The geometries with polygons that models have, each once; sets the geometry of the models. */
bool snw_fbx_read_shapes(snw_fbx *f, const snw_fbx_objects *objects, const snw_fbx_space *space, snw_fbx_models *models,
						 snw_fbx_shapes *shapes);
/* The values of a layer element at each corner, [corner_count][width]: normals, UVs or colours. Into *dest, NULL if the element
 * has none. `values` and `indices` name its arrays. */
bool snw_fbx_read_corners(snw_fbx *f, const snw_fbx_node *element, const char *values, const char *indices, uint32_t width,
						  const int32_t *polygon_corners, const snw_fbx_shape *shape, float **dest);
/* Corner normals that are smooth but across hard edges, from smoothing groups or edges (elements.c). */
bool snw_fbx_read_smoothing(snw_fbx *f, const snw_fbx_node *geometry, snw_fbx_shape *shape);
/* The blend shape channels of a geometry (blend_shapes.c). */
bool snw_fbx_read_channels(snw_fbx *f, const snw_fbx_objects *objects, const snw_fbx_space *space, snw_fbx_shape *shape);

/* ---- skins (skins.c, blends.c) ------------------------------------------------------------------------------------------ */

/* The skin of one model's geometry: its joints are clusters. */
typedef struct snw_fbx_skin {
	snw_influence *influences; /* slots are joints of the skin */
	uint32_t influence_count;
	bool has_loose_points; /* points that no cluster moves, or not wholly: they follow the mesh's own node */
	const snw_fbx_shape *shape;
	snw_mesh mesh; /* with the points of the shape, before they are merged */
} snw_fbx_skin;

typedef struct snw_fbx_skins {
	uint32_t count; /* skins of the rig, and theirs here */
	snw_rig_skin *rig_skins;
	snw_fbx_skin *skins;
} snw_fbx_skins;

/* A skin for each model whose geometry has clusters. Sets the mesh and the skin of the rig's nodes. */
bool snw_fbx_read_skins(snw_fbx *f, const snw_fbx_objects *objects, const snw_fbx_space *space, const snw_fbx_models *models,
						snw_fbx_shapes *shapes, snw_rig *rig, snw_fbx_skins *skins);
/* Places the skins in the world. */
void snw_fbx_place_skins(snw_rig *rig, const snw_fbx_skins *skins);

/* How the skins of a geometry blend its points (blends.c). */
bool snw_fbx_read_blend(snw_fbx *f, const snw_fbx_objects *objects, snw_fbx_shape *shape);
/* Gives the scene the layer that blends as the skins of the file do, unless that is linear; the nearer one, if they blend in
 * both ways. Needs the scene's clips. */
void snw_fbx_choose_blend(snw_fbx *f, const snw_fbx_skins *skins, snw_scene *scene);

/* ---- meshes and materials (meshes.c, materials.c) ------------------------------------------------------------------------ */

/* What the materials of a model are in the scene: each model has a list of its own. */
typedef struct snw_fbx_materials {
	uint32_t *of_objects; /* [objects.count]: into the scene's materials; SNW_NONE for none */
	const char **uv_sets; /* [the scene's material_count]: the name of that of the colour's texture; NULL for the first */
} snw_fbx_materials;

bool snw_fbx_read_materials(snw_fbx *f, const snw_fbx_objects *objects, snw_fbx_materials *materials, snw_scene *scene);
/* The share of a target where the channel has a weight: its own up to its full weight, then the next one's. */
double snw_fbx_target_weight(const snw_fbx_channel *channel, uint32_t target, double percent);
bool snw_fbx_make_meshes(snw_fbx *f, const snw_fbx_objects *objects, const snw_fbx_space *space, const snw_fbx_models *models,
						 const snw_fbx_shapes *shapes, const snw_fbx_skins *skins, const snw_fbx_materials *materials,
						 snw_rig *rig, snw_rig_slots *slots, bool keep_points, snw_scene *scene);

/* ---- animation (curves.c, layers.c, tracks.c, clips.c) ------------------------------------------------------------------*/

bool snw_fbx_read_clips(snw_fbx *f, const snw_fbx_objects *objects, const snw_fbx_space *space, const snw_fbx_models *models,
						const snw_fbx_shapes *shapes, const snw_rig *rig, snw_scene *scene);
/* Marks the models that any clip moves. */
void snw_fbx_mark_animated(const snw_fbx_objects *objects, const snw_fbx_models *models, bool *chosen);

#endif
