/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The steps from an FBX document to a scene, in this order: space, models, shapes, skins, skeleton, meshes, clips, materials.
 * Private to the reader. Everything here is in the document's scratch arena; the scene's data are in the scene's.
 *
 * Numbers leave the file's units and axes where they are read: all that follows is in metres, right-handed, Y up.
 */
#ifndef SINEW_HOST_IMPORT_FBX_FBX_INTERNAL_H
#define SINEW_HOST_IMPORT_FBX_FBX_INTERNAL_H

#include "fbx/format.h"
#include "import/common/reading.h"

/* ---- the document -------------------------------------------------------------------------------------------------------- */

/* An FBX document (fbx/format.h), from a binary file or a text file. Values refer to the file's bytes; arrays are decoded
 * when they are asked for, so that a large file is not in memory twice.
 *
 * Functions that can fail return false (or NULL) and set the status and the error of the reading; their callers return at
 * once. */

typedef struct snw_fbx {
	snw_reading reading;
	snw_bytes file;
	unsigned char *block, *block_end; /* of the nodes that are allocated next */
	bool is_text;
	uint32_t version; /* 7400 */
	snw_fbx_node root;
} snw_fbx;

/* Reads the file and its nodes. */
bool snw_fbx_open(snw_fbx *f);

/* ---- nodes --------------------------------------------------------------------------------------------------------------- */

bool snw_fbx_is(const snw_fbx_node *node, const char *name);
/* The first child of that name; NULL for none, or of NULL. */
const snw_fbx_node *snw_fbx_child(const snw_fbx_node *node, const char *name);

/* The value at an index; `otherwise` if there is none of that kind. An integer is also a number and the other way round. */
int64_t snw_fbx_integer(const snw_fbx_node *node, uint32_t index, int64_t otherwise);
double snw_fbx_number(const snw_fbx_node *node, uint32_t index, double otherwise); /* finite, or `otherwise` */
bool snw_fbx_text_is(const snw_fbx_node *node, uint32_t index, const char *text);
/* The bytes of a text, up to a zero byte if there is one, in the scratch arena; NULL if the value is none. */
char *snw_fbx_text(snw_fbx *f, const snw_fbx_node *node, uint32_t index);

/* The array of a node, in `arena`; NULL after a failure. A node that is missing, or has no values, has an empty one. Integers
 * that do not fit are an error; numbers may be infinite or none. */
double *snw_fbx_numbers(snw_fbx *f, const snw_fbx_node *node, snw_arena *arena, uint32_t *count);
int32_t *snw_fbx_integers(snw_fbx *f, const snw_fbx_node *node, snw_arena *arena, uint32_t *count);
int64_t *snw_fbx_long_integers(snw_fbx *f, const snw_fbx_node *node, snw_arena *arena, uint32_t *count);

/* ---- the two forms (binary.c, document.c) -------------------------------------------------------------------------------- */

#define SNW_FBX_DEEPEST 64 /* levels of nodes; files have about six */

bool snw_fbx_parse_binary(snw_fbx *f);

/* A new node, after `last` or as the first child of `parent`; NULL if the budget is spent. */
snw_fbx_node *snw_fbx_add_node(snw_fbx *f, snw_fbx_node *parent, snw_fbx_node *last);
/* Room for the values of a node; NULL if the budget is spent. */
snw_fbx_value *snw_fbx_add_values(snw_fbx *f, uint32_t count);

/* ---- objects ------------------------------------------------------------------------------------------------------------- */

/* The objects of an FBX document by their ids, what is connected to each, and their properties. */

typedef struct snw_fbx_object {
	int64_t id;
	const snw_fbx_node *node;            /* "Model", "Geometry" …: values are the id, the name and the class */
	const snw_fbx_node *defaults;        /* the properties that its kind begins with; NULL for none */
	uint32_t first_source, source_count; /* into snw_fbx_objects.sources */
	uint32_t first_owner, owner_count;   /* into snw_fbx_objects.owners */
} snw_fbx_object;

/* A connection as seen from one of its ends: the object at the other end, and the property that it is connected to. */
typedef struct snw_fbx_link {
	uint32_t object;
	const snw_fbx_node *connection; /* with the property as value 3 */
} snw_fbx_link;

typedef struct snw_fbx_objects {
	uint32_t count;
	snw_fbx_object *objects;
	uint32_t *table; /* by id */
	size_t mask;
	snw_fbx_link *sources, *owners; /* of each object in the order of the file */
} snw_fbx_objects;

/* Lists the objects and their connections in time proportional to their number. An object without an id, and a connection of
 * one that does not exist, are left out. SNW_ERROR_DATA for two objects of one id. */
bool snw_fbx_read_objects(snw_fbx *f, snw_fbx_objects *objects);

/* Whether an object is a node of that name, and of that class (NULL for any): "Deformer", "Skin". */
bool snw_fbx_object_is(const snw_fbx_objects *objects, uint32_t object, const char *name, const char *class);
/* An object's name without its class, in the scratch arena; NULL if it has none. */
char *snw_fbx_object_name(snw_fbx *f, const snw_fbx_objects *objects, uint32_t object);

/* The next object of that name and class from *at on that is connected to `owner`, or SNW_NONE; *at begins at 0. With a
 * property, only objects that are connected to it. */
uint32_t snw_fbx_next_source(const snw_fbx_objects *objects, uint32_t owner, const char *name, const char *class,
							 const char *property, uint32_t *at);
/* The first object of that name and class that `object` is connected to; SNW_NONE for none. */
uint32_t snw_fbx_owner(const snw_fbx_objects *objects, uint32_t object, const char *name, const char *class);

/* ---- properties ---------------------------------------------------------------------------------------------------------- */

/* The property of a node's Properties70, otherwise that of its kind; NULL for none. Its values begin at index 4. */
const snw_fbx_node *snw_fbx_property(const snw_fbx_objects *objects, uint32_t object, const char *name);

double snw_fbx_property_number(const snw_fbx_objects *objects, uint32_t object, const char *name, double otherwise);
int64_t snw_fbx_property_integer(const snw_fbx_objects *objects, uint32_t object, const char *name, int64_t otherwise);
/* Three numbers; `vector` is unchanged if there is no such property. */
bool snw_fbx_property_vector(const snw_fbx_objects *objects, uint32_t object, const char *name, double vector[3]);

/* ---- space (objects.c) --------------------------------------------------------------------------------------------------- */

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

void snw_fbx_space_matrix(const snw_fbx_space *space, const double file[12], double dest[12]);

/* ---- models (objects.c) -------------------------------------------------------------------------------------------------- */

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
	/* A joint below this one that has its scale, for what inherits it: see objects.c. SNW_NONE for none. A node of the rig. */
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

/* The node of the rig that has the model's whole transform. */
uint32_t snw_fbx_full_node(const snw_fbx_models *models, uint32_t model);

/* ---- scale that is not inherited as in a skeleton (objects.c) ------------------------------------------------------------ */

/* Finds the models that become two joints: see objects.c. The nodes of the rig are the models, then their scaled nodes. */
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

/* ---- shapes (shapes.c, document.c) --------------------------------------------------------------------------------------- */

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
/* Corner normals that are smooth but across hard edges, from smoothing groups or edges (document.c). */
bool snw_fbx_read_smoothing(snw_fbx *f, const snw_fbx_node *geometry, snw_fbx_shape *shape);

/* ---- skins (meshes.c, shapes.c) ------------------------------------------------------------------------------------------ */

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

/* How the skins of a geometry blend its points (shapes.c). */
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

/* ---- animation (curves.c, layers.c, clips.c) ----------------------------------------------------------------------------- */

bool snw_fbx_read_clips(snw_fbx *f, const snw_fbx_objects *objects, const snw_fbx_space *space, const snw_fbx_models *models,
						const snw_fbx_shapes *shapes, const snw_rig *rig, snw_scene *scene);
/* Marks the models that any clip moves. */
void snw_fbx_mark_animated(const snw_fbx_objects *objects, const snw_fbx_models *models, bool *chosen);

/* ---- animation ----------------------------------------------------------------------------------------------------------- */

/* Animation on its way from curves to tracks: curves, the layers that blend them, and tracks that hold the result. Private
 * to the reader. */

/* ---- curves (curves.c) --------------------------------------------------------------------------------------------------- */

/* From a key to the next: a Bezier curve in time and value. A slope is per second; a weight is the share of the span that the
 * tangent takes, a third where the value is a cubic polynomial of the time. */
typedef struct snw_fbx_span {
	int32_t interpolation; /* snw_interpolation */
	bool takes_next;       /* a step to the value of the next key */
	double out_slope, out_weight, in_slope, in_weight;
} snw_fbx_span;

typedef struct snw_fbx_curve {
	uint32_t key_count;
	double *seconds; /* ascending */
	double *values;
	snw_fbx_span *spans;            /* [key_count - 1] */
	int before, after;              /* snw_fbx_beyond: of its first key, and of its last */
	double most_before, most_after; /* how often its keys repeat there; infinite for always */
	double until;                   /* the end of the clip, after which nothing repeats */
} snw_fbx_curve;

/* The seconds of a time of the file. */
double snw_fbx_seconds(int64_t time);
/* Reads the keys of an AnimationCurve; keys that are not later than the one before are left out. */
bool snw_fbx_read_curve(snw_fbx *f, const snw_fbx_node *node, snw_fbx_curve *curve);
/* Gives `add` the moments at which the curve has keys, repeated ones included, those beyond `begin` or `end` as the nearer of
 * the two. False if they are too many. */
bool snw_fbx_list_keys(snw_fbx *f, const snw_fbx_curve *curve, double begin, double end, void *context,
					   void (*add)(void *context, double seconds));
/* The value at a moment, or what it comes to before it: they differ at a step. */
double snw_fbx_sample_curve(const snw_fbx_curve *curve, double seconds, bool before);

/* ---- layers (layers.c) --------------------------------------------------------------------------------------------------- */

typedef enum snw_fbx_path {
	SNW_FBX_TRANSLATION,
	SNW_FBX_ROTATION,
	SNW_FBX_SCALE,
	SNW_FBX_WEIGHT, /* of a blend shape channel, percent */
	SNW_FBX_PATHS
} snw_fbx_path;

typedef struct snw_fbx_layer {
	uint32_t object;
	bool is_base, is_muted;
	int blend_mode;               /* snw_fbx_blend_mode */
	bool adds_angles;             /* rotations are blended by their angles, not as rotations */
	bool adds_scales;             /* scales are added, not multiplied */
	double weight;                /* percent */
	const snw_fbx_curve *weights; /* percent over time; NULL for none */
} snw_fbx_layer;

/* What one layer does with one property. */
typedef struct snw_fbx_layer_curves {
	const snw_fbx_layer *layer;
	const snw_fbx_curve *curves[3]; /* NULL for a constant */
	double constants[3];
	struct snw_fbx_layer_curves *next; /* of the layer above */
} snw_fbx_layer_curves;

/* A property that a stack animates, from the base layer up. */
typedef struct snw_fbx_animated {
	snw_fbx_layer_curves *first, *last;
	double initial[3]; /* the property's own value */
	int order;         /* of rotations */
} snw_fbx_animated;

/* What moves each object in one stack: T, R and S of a model; the weight of a channel is the first of its three. NULL for none.
 * */
typedef snw_fbx_animated *snw_fbx_moved[3];

/* An animation stack. What it holds is that of the last stack that was read. */
typedef struct snw_fbx_stack {
	snw_fbx *f;
	const snw_fbx_objects *objects;
	const snw_fbx_models *models;
	snw_fbx_curve **curves;  /* [objects.count]: those that have been read */
	snw_fbx_moved *animated; /* [objects.count] */
	uint32_t *touched;       /* objects that are moved */
	uint32_t touched_count, touched_room;
	double begin, end; /* seconds; the same if the stack does not say */
} snw_fbx_stack;

snw_fbx_stack snw_fbx_make_stack(snw_fbx *f, const snw_fbx_objects *objects, const snw_fbx_models *models);
/* Reads the stack of an AnimationStack, instead of the one before. */
bool snw_fbx_read_stack(snw_fbx_stack *stack, uint32_t object);
/* The value at a moment, or what it comes to before it. */
void snw_fbx_sample(const snw_fbx_animated *animated, snw_fbx_path path, double seconds, bool before, double value[3]);

/* ---- tracks (layers.c) --------------------------------------------------------------------------------------------------- */

/* A value of a track over time: [width] at a moment, or just before it. */
typedef void snw_fbx_sampler(const void *context, double seconds, bool before, double value[4]);

typedef struct snw_fbx_track_request {
	uint32_t target;
	int32_t path; /* snw_track_path */
	snw_fbx_sampler *sampler;
	const void *context;
	uint32_t key_count; /* of the moments where curves have keys, ascending, from the begin to the end of the clip */
	const double *seconds;
	double begin;     /* of the clip */
	double tolerance; /* of a value; of the angle, in radians */
} snw_fbx_track_request;

/* The track of a value: one key if it is constant, steps, straight lines between the keys or cubic ones; more keys where the
 * tolerance needs them. */
bool snw_fbx_make_track(snw_fbx *f, const snw_fbx_track_request *request, snw_track *track);

#endif
