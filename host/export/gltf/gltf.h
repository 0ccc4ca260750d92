/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * glTF 2.0 export, inside: how the work is split. Everything is planned and measured first; the document is then built in
 * memory and written in one go.
 *
 *   gltf_plan      which linear blend and which morph targets stand for the stack, mesh by mesh
 *   gltf_fold      displacements after the blend become morph targets before it
 *   gltf_weights   morph weights over clips: kept as they came, or sampled
 *   gltf_proxies   a palette of the stack's own becomes joints, fitted under linear blend (gltf_refit)
 *   gltf_playback  what an engine plays from all that, against the stack's truth
 *   gltf_vertices  points split at seams, polygons into triangles
 *   gltf_mesh, gltf_skin, gltf_clips, gltf_materials, gltf_extras   the parts of the document
 *   gltf_document  accessors, buffer views and the container
 */
#ifndef SINEW_HOST_EXPORT_GLTF_GLTF_H
#define SINEW_HOST_EXPORT_GLTF_GLTF_H

#include <cjson/cJSON.h>

#include "export/export.h"

/* ---- the document ------------------------------------------------------------------------------------------------- */

typedef struct snw_gltf_document snw_gltf_document;

snw_gltf_document *snw_gltf_document_create(void);
void snw_gltf_document_destroy(snw_gltf_document *document); /* NULL does nothing */

/* JSON that remembers when memory ran out; the commit then fails. Every function returns what it made. */
cJSON *snw_gltf_put_object(snw_gltf_document *document, cJSON *parent, const char *name); /* parent an array: name is NULL */
cJSON *snw_gltf_put_array(snw_gltf_document *document, cJSON *parent, const char *name);
void snw_gltf_put_number(snw_gltf_document *document, cJSON *parent, const char *name, double value);
void snw_gltf_put_numbers(snw_gltf_document *document, cJSON *parent, const char *name, const double *values, uint32_t count);
void snw_gltf_put_text(snw_gltf_document *document, cJSON *parent, const char *name, const char *text);
void snw_gltf_put_true(snw_gltf_document *document, cJSON *parent, const char *name);
void snw_gltf_put_item(snw_gltf_document *document, cJSON *parent, const char *name, cJSON *item);

/* Adds an object to a list of the root ("meshes"), which appears with its first; `*index` is its place there. */
cJSON *snw_gltf_entry(snw_gltf_document *document, const char *list, uint32_t *index);
cJSON *snw_gltf_root(snw_gltf_document *document);

/* What a buffer view is for. glTF wants a view a purpose; vertex attributes and indices get one each. */
typedef enum snw_gltf_use {
	SNW_GLTF_VERTICES,
	SNW_GLTF_INDICES,
	SNW_GLTF_SPARSE,
	SNW_GLTF_INVERSE_BINDS,
	SNW_GLTF_CLIP,
	SNW_GLTF_IMAGE,
	SNW_GLTF_USE_COUNT,
} snw_gltf_use;

/* Accessors; each returns its index. `width` is the number of floats in an element: 1, 3, 4 or 16 (2 for UVs). */
uint32_t snw_gltf_floats(snw_gltf_document *document, snw_gltf_use use, uint32_t width, uint32_t count, const float *values,
						 bool bounds);
/* Elements that are not zero alone, where that is smaller; `values` is the whole array. */
uint32_t snw_gltf_sparse(snw_gltf_document *document, uint32_t count, const float *vectors, bool bounds);
/* The smallest unsigned type that holds them: for joints of four (`width` 4) and indices (1). */
uint32_t snw_gltf_integers(snw_gltf_document *document, snw_gltf_use use, uint32_t width, uint32_t count,
						   const uint32_t *values, uint32_t largest);
uint32_t snw_gltf_image_view(snw_gltf_document *document, const unsigned char *bytes, size_t count);

/* Writes .glb, or .gltf with its buffer inside as a data URI (one file, so that one rename puts it in place). */
snw_status snw_gltf_document_write(snw_gltf_document *document, const char *path, snw_error *error);

/* ---- the plan ----------------------------------------------------------------------------------------------------- */

/* A morph target: rest displacements with one weight. The weight is coefficient `d` of the program's frame, or `e` where the
 * target is nothing but a folded displacement. */
typedef struct snw_gltf_target {
	const char *name;       /* unique on its mesh */
	const char *model_name; /* as the model calls it; NULL for none */
	uint32_t channel;       /* the scene's, where the target came with the file; else SNW_NONE */
	uint32_t d, e;          /* SNW_NONE for the other one */
	uint32_t count;
	uint32_t *points; /* ascending */
	double *vectors;  /* [count][3], metres, rest space */
} snw_gltf_target;

/* A morph target as it is written. One that time drives to below 0 or beyond 1 is written by its sides, each at the length that it
 * reaches, since tools hold a shape's weight between 0 and 1: between keys the sides add up to the whole. */
typedef struct snw_gltf_shape {
	uint32_t target;
	double reach; /* the coefficient at which the shape has weight 1, negative for the side below 0; 1 for a whole target */
	bool is_side;
} snw_gltf_shape;

typedef enum snw_gltf_placement {
	SNW_GLTF_PLAIN,   /* moves with nothing: a node at the root */
	SNW_GLTF_RIGID,   /* all of it on one slot: on the joint's own node */
	SNW_GLTF_SKINNED, /* several influences */
} snw_gltf_placement;

typedef struct snw_gltf_mesh {
	const snw_mesh *mesh;
	uint32_t index;             /* in the scene */
	uint32_t segment;           /* the program segment that stands for the stack; SNW_NONE */
	const snw_program *program; /* NULL where there is none */
	bool runs_on_joints;        /* the program's palette is the joints' own */
	uint32_t proxy_count;    /* slots of a palette of the program's own that move the mesh, which become joints; 0 for none */
	uint32_t *proxy_slots;   /* [proxy_count]: theirs in that palette, rising */
	uint32_t *proxy_of_slot; /* [slots of that palette]: the way back; SNW_NONE for what moves other meshes */
	uint32_t first_slot;     /* of these in the file's rig; 0 without */
	uint32_t first_joint;
	snw_track **tracks; /* [clip_count][proxy_count][3]: translation, rotation and (key_count 0: none) scale */
	int32_t placement;  /* snw_gltf_placement */
	uint32_t slot;      /* where all of the mesh is on one; else SNW_NONE */
	uint32_t width;     /* 4 or 8: influences kept for each point */
	uint32_t *slots;    /* [point_count][width], largest weight first; weight 0 where there are fewer */
	float *weights;     /* [point_count][width], they sum to 1 */
	uint32_t target_count;
	snw_gltf_target *targets;
	uint32_t first_weight; /* of its targets, in the list of all */
	uint32_t shape_count;  /* what is written of the targets */
	snw_gltf_shape *shapes;
	double diagonal; /* what losses are measured by; one metre where all points are in one place */
	/* Filled while the document is built. */
	uint32_t node;
	uint32_t skin;
} snw_gltf_mesh;

/* Morph weights of all targets over one clip, at rising times; linear between them, or held where `step`. */
typedef struct snw_gltf_samples {
	bool step;
	uint32_t count, capacity;
	double *seconds; /* [count], each a float */
	double *weights; /* [count][weight_count] */
} snw_gltf_samples;

/* The joints and slots of the file: those of the scene, then proxy joints. Slots of meshes index these. */
typedef struct snw_gltf_rig {
	uint32_t joint_count;
	const char **names;
	uint32_t *parents, *order;
	snw_transform *local; /* as the nodes stand in the file */
	uint32_t slot_count;
	uint32_t *slot_joints;
	double *slot_inverse_binds; /* [slot_count][12] */
} snw_gltf_rig;

typedef struct snw_gltf_plan {
	const snw_scene *scene;
	const snw_stack *stack;
	const snw_export_request *request;
	const snw_task *task;
	snw_arena *arena;
	snw_stack_frame *frame;
	const snw_pose *rest; /* what nodes carry: the file's default pose, else the rest */
	snw_gltf_rig rig;
	uint32_t mesh_count;       /* of those exported: meshes without points are left out */
	snw_gltf_mesh *meshes;     /* [mesh_count] */
	uint32_t weight_count;     /* targets of all meshes */
	double *rest_weights;      /* [weight_count], at `rest` */
	uint32_t clip_count;       /* of those exported */
	uint32_t *clips;           /* [clip_count], into the scene's */
	snw_gltf_samples *samples; /* [clip_count] */
	snw_stack_description *descriptions;
	uint32_t description_count;
	/* Filled while the document is built; SNW_NONE before. */
	uint32_t *materials;      /* [material_count][2]: without UVs (and so without pictures), with */
	uint32_t *image_textures; /* [image_count] */
	snw_export_report report;
} snw_gltf_plan;

/* Chooses meshes, clips, influences and targets; folds what stands behind the blend. */
snw_status snw_gltf_plan_make(snw_gltf_plan *plan, snw_error *error);
/* Folds one segment's posed displacements into the first `rest_targets` targets, which act as they do, or new ones. */
snw_status snw_gltf_fold(snw_gltf_plan *plan, snw_gltf_mesh *mesh, uint32_t segment, uint32_t rest_targets,
						 const snw_pose *const *poses, uint32_t pose_count, snw_error *error);
/* Drives the stack at a pose; the view is in `arena`. */
snw_status snw_gltf_drive(const snw_gltf_plan *plan, const snw_pose *pose, snw_arena *arena, const snw_pose_view **view,
						  snw_error *error);
/* The weights of all targets as driven last. */
void snw_gltf_driven_weights(const snw_gltf_plan *plan, double *weights);

snw_status snw_gltf_sample_weights(snw_gltf_plan *plan, snw_error *error);
/* The track of a mesh's targets as it came, where all of them are channels that the clip keys together: `tracks` is
 * [target_count], NULL for a channel that the clip leaves alone. False where the weights have to be sampled. */
bool snw_gltf_weights_are_tracks(const snw_gltf_mesh *mesh, const snw_clip *clip, const snw_track **tracks);

/* Chooses what is written of every mesh's targets, from the weights they reach. */
void snw_gltf_choose_shapes(snw_gltf_plan *plan);
/* The weight of a shape where its target has `weight`. */
double snw_gltf_shape_weight(const snw_gltf_shape *shape, double weight);
const char *snw_gltf_shape_name(const snw_gltf_mesh *mesh, const snw_gltf_shape *shape, snw_arena *arena);

/* The moments of one of the scene's clips that the file is made and measured at: its own, and where joints are fitted the frames of
 * its targets too. */
void snw_gltf_moments(const snw_gltf_plan *plan, uint32_t clip, snw_arena *arena, double **seconds, uint32_t *count);

/* The file's rig, with a joint for each slot of the palettes that are no joints'. */
void snw_gltf_add_proxies(snw_gltf_plan *plan);
/* Their tracks over all clips, each moment fitted under linear blend to what the stack shows. */
snw_status snw_gltf_refit(snw_gltf_plan *plan, snw_error *error);
/* What moves a mesh in the file, [slots][12] from the mesh's first slot on, at a moment of one of the plan's clips; SNW_NONE: as
 * the file stands. `view` is that moment's pose. */
const double *snw_gltf_palette(const snw_gltf_plan *plan, const snw_gltf_mesh *mesh, uint32_t clip, double seconds,
							   const snw_pose_view *view, snw_arena *arena);
/* The rest with its morph targets at these weights, [point_count][3]. */
void snw_gltf_morph(const snw_gltf_mesh *mesh, const double *weights, double *points);

snw_status snw_gltf_measure_playback(snw_gltf_plan *plan, snw_error *error);

/* ---- the parts of the document ------------------------------------------------------------------------------------ */

/* A mesh as it is drawn: a vertex for each point and each different UV, normal and colour around it, in point order. */
typedef struct snw_gltf_vertices {
	uint32_t count;
	uint32_t *points;          /* [count] */
	uint32_t *corners;         /* [count], a corner that shows it; SNW_NONE for a point without faces */
	uint32_t *corner_vertices; /* [corner_count] */
} snw_gltf_vertices;
void snw_gltf_split_points(const snw_mesh *mesh, snw_arena *arena, snw_gltf_vertices *vertices);
/* Triangles of one face as places around it, [face's corners − 2][3]. */
void snw_gltf_triangulate(const snw_mesh *mesh, uint32_t face, uint32_t *triangles, uint32_t *scratch);

/* The nodes: joints first, parents before children, then what meshes need besides. */
typedef struct snw_gltf_nodes {
	uint32_t *joints; /* [joint_count]: the node of each joint */
	uint32_t count;
	cJSON **objects;  /* [count] */
	cJSON **children; /* [count], NULL for none */
	bool *has_mesh;   /* [count] */
	cJSON *roots;     /* the scene's list */
} snw_gltf_nodes;
void snw_gltf_write_nodes(snw_gltf_document *document, const snw_gltf_plan *plan, snw_gltf_nodes *nodes);
/* One more node, under `parent` or (SNW_NONE) at the root; `name` may be NULL. */
uint32_t snw_gltf_add_node(snw_gltf_document *document, snw_gltf_nodes *nodes, const char *name, uint32_t parent);

/* Slots by skin: a skin for each set of slots that meshes share, each joint at most once (a joint with two inverse binds in one mesh
 * gets a node of its own for the second). */
typedef struct snw_gltf_skin {
	uint32_t *places; /* [slot_count]: where a slot stands in the skin's joints; SNW_NONE */
	uint32_t index;   /* in the document */
} snw_gltf_skin;
void snw_gltf_write_skins(snw_gltf_document *document, snw_gltf_plan *plan, snw_gltf_nodes *nodes, snw_gltf_skin **skins);

/* `places` is the skin's; NULL for a mesh without one. */
snw_status snw_gltf_write_mesh(snw_gltf_document *document, snw_gltf_plan *plan, const snw_gltf_mesh *mesh,
							   const uint32_t *places, uint32_t *index, snw_error *error);
void snw_gltf_write_clips(snw_gltf_document *document, const snw_gltf_plan *plan, const snw_gltf_nodes *nodes);
/* The document's index of a material for a mesh with or without UVs; written when it is first asked for. */
uint32_t snw_gltf_write_material(snw_gltf_document *document, snw_gltf_plan *plan, uint32_t material, bool has_uvs);
void snw_gltf_write_extras(snw_gltf_document *document, const snw_gltf_plan *plan, const snw_gltf_mesh *mesh,
						   cJSON *mesh_object);

snw_status snw_gltf_export(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request,
						   const snw_task *task, snw_export_report *report, snw_error *error);

#endif
