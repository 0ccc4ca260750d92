/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The scene: a character, its clips and poses, its examples and targets, and the stack that deforms it. It is plain data in one
 * arena: importers fill it, the project stores and loads it, everything else reads it.
 *
 * Geometry is in metres, right-handed, Y up; the rest is the bind. Indices refer to the arrays of snw_scene; `id` is the
 * row's id in the project (0 before it has one) and never changes meaning while a project lives.
 */
#ifndef SINEW_HOST_SCENE_SCENE_H
#define SINEW_HOST_SCENE_SCENE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/numbers.h"
#include "sinew/parameter.h"
#include "sinew/program.h"
#include "sinew/view.h"

/* ---- appearance ---------------------------------------------------------------------------------------------------------- */

/* An image in its original encoding. */
typedef struct snw_image {
	int64_t id;
	const char *name;
	const char *media; /* "image/png" or "image/jpeg" */
	const unsigned char *bytes;
	size_t byte_count;
} snw_image;

typedef struct snw_material {
	int64_t id;
	const char *name;
	double base_color[4]; /* linear RGBA */
	double metallic, roughness;
	double emissive[3];
	uint32_t base_color_image, metallic_roughness_image, normal_image, emissive_image; /* SNW_NONE for none */
	bool double_sided;
	int32_t alpha; /* 0 opaque, 1 mask, 2 blend */
	double alpha_cutoff;
	/* What glTF says of it and Sinew does not show, as JSON (import/gltf/gltf.c); NULL for nothing. It is kept for the glTF
	 * that Sinew writes. */
	const char *kept;
	uint32_t kept_image_count;
	const uint32_t *kept_images; /* [kept_image_count]: pictures that are in it alone */
	bool has_further_uvs;        /* one of the four pictures lies on a further UV set; `kept` says which */
} snw_material;

/* A node of a glTF file with a camera or a light, which Sinew does not show, and keeps for the glTF that it writes. */
typedef struct snw_kept_node {
	int64_t id;
	const char *name;
	uint32_t joint;   /* that it is on; SNW_NONE for none */
	double place[12]; /* in the space of its joint, or of the scene */
	const char *kept; /* JSON: {"camera": a camera as in the file, "light": one of KHR_lights_punctual} */
} snw_kept_node;

/* ---- meshes -------------------------------------------------------------------------------------------------------------- */

/* An imported morph target: sparse rest displacements, ascending points. */
typedef struct snw_morph {
	const char *name;
	uint32_t channel; /* into the scene's channels */
	uint32_t count;
	const uint32_t *points; /* [count] */
	const double *vectors;  /* [count][3] */
} snw_morph;

/* Numbers at the corners that Sinew does not use, and keeps for the files that it writes: a further UV set, or one of glTF's
 * attributes for programs. */
typedef struct snw_attribute {
	const char *name; /* of a UV set as in its file, or ""; of an attribute of glTF with its underscore: "_MASK" */
	bool is_uv;       /* then width is 2, and v points down */
	uint32_t width;   /* 1 to 4 */
	uint32_t corner_count;
	const float *values; /* [corner_count][width] */
} snw_attribute;

/* Deformers move points; corners are drawn. Corner c is at point face_points[c]. */
typedef struct snw_mesh {
	int64_t id;
	const char *name;
	uint32_t point_count;
	const double *points_rest; /* [point_count][3] */
	uint32_t face_count;
	const uint32_t *face_offsets;   /* [face_count + 1] */
	const uint32_t *face_points;    /* [corner_count]; corner_count = face_offsets[face_count] */
	const uint32_t *face_materials; /* [face_count], SNW_NONE for none; NULL if no face has one */
	const float *corner_uvs;        /* [corner_count][2], glTF's: v down; NULL for none */
	const float *corner_normals;    /* [corner_count][3], unit, rest space: custom normals; NULL for smooth ones from faces */
	/* [corner_count][4]: the direction of rising u, unit, rest space, and ±1, which multiplies normal × tangent to give the
	 * bitangent, as in glTF; zeros for a corner without one. NULL for none. Without corner_normals: across smooth ones. */
	const float *corner_tangents;
	const float *corner_colors; /* [corner_count][4]; NULL for none */
	/* Base skin: [point_count + 1], slots of the scene, weights with a sum of 1. NULL without one. */
	const uint32_t *influence_offsets;
	const uint32_t *influence_slots;
	const double *influence_weights;
	uint32_t morph_count;
	const snw_morph *morphs;
	uint32_t attribute_count;
	const snw_attribute *attributes; /* UV sets in their order, then others */
} snw_mesh;

/* A coarser mesh in place of one of the scene's, made by 'sinew lod' (host/lod). Its points are affine combinations of that
 * mesh's, and its skin blends linearly over the palette that the mesh has in the stack. */
typedef struct snw_level {
	int64_t id;
	uint32_t mesh;
	uint32_t number;      /* 1 is the finest */
	const char *request;  /* what it was asked for: "triangles=25%,influences=2" */
	const char *samples;  /* the poses that it was made from, as those of a layer that reads poses; NULL: it came in a file */
	uint64_t reads;       /* a hash of what it was made from; another one now: it is stale */
	snw_mesh shape;       /* without id and morphs; its name is the mesh's, its influences are of slots of the palette */
	uint32_t slot_count;  /* of the palette */
	uint32_t joint_count; /* joints that move points of this level's meshes */
	/* Point i is the sum of stencil_weights times the mesh's points stencil_points, from stencil_offsets[i]. */
	const uint32_t *stencil_offsets;
	const uint32_t *stencil_points;
	const double *stencil_weights;
	/* Told when it was made, in percent of the rest's diagonal: both ways from surface to surface, over poses that were held
	 * out; places of equal UV, 0 without any. */
	double rms_percent, largest_percent, uv_rms_percent, uv_largest_percent;
	const char *worst_pose; /* where the largest is */
	double worst_place[3];  /* of the mesh at rest */
	double screen_share;    /* of the screen's height: there the largest is one pixel of 1080 */
} snw_level;

/* A field of the project: painted, imported or proposed by a fit. */
typedef struct snw_field {
	int64_t id;
	const char *name; /* "mask-left"; those of a layer begin with its method: "mine.residual" */
	int32_t domain;   /* snw_domain */
	uint32_t mesh;    /* for points and faces; otherwise SNW_NONE */
	uint32_t components;
	uint32_t count;
	const double *values; /* [count][components] */
	const char *unit;     /* declared by its writer: "m", SNW_UNIT_COLOR; NULL or "" for none */
} snw_field;

#define SNW_JOINT_LIMITS "joint-limits" /* a field over joints: the largest rotation away from rest, radians; 0: none */

/* ---- skeleton and motion ------------------------------------------------------------------------------------------------- */

typedef struct snw_skeleton {
	uint32_t joint_count;
	const char **names; /* unique; a duplicate in a file gets a suffix and a notice */
	uint32_t *parents;  /* SNW_NONE at a root */
	uint32_t *order;    /* parents first */
	snw_transform *rest_local;
	double *rest_global; /* [joint_count][12] */
} snw_skeleton;

/* A morph channel, driven by clips and poses. */
typedef struct snw_channel {
	const char *name;
	double initial; /* the value in the rest pose and in clips without a track for it */
	/* In-betweens come before the channel of their shape, in rising order: the percent of it at which each is whole. 0 for what
	 * is no in-between. */
	double in_between_percent;
} snw_channel;

typedef enum snw_interpolation { SNW_STEP = 0, SNW_LINEAR = 1, SNW_CUBIC = 2 } snw_interpolation;
typedef enum snw_track_path {
	SNW_PATH_TRANSLATION = 0,
	SNW_PATH_ROTATION = 1,
	SNW_PATH_SCALE = 2,
	SNW_PATH_CHANNEL = 3,
} snw_track_path;

/* Keys of one property. Values are [key_count][width], with width 3, 4, 3 or 1 depending on the path; for SNW_CUBIC each key
 * has in-tangent, value and out-tangent, as in glTF: [key_count][3][width]. */
typedef struct snw_track {
	uint32_t target; /* a joint, or a channel */
	int32_t path;    /* snw_track_path */
	int32_t interpolation;
	uint32_t key_count;
	const double *seconds; /* ascending */
	const double *values;
} snw_track;

typedef struct snw_clip {
	int64_t id;
	const char *name;
	double duration_seconds;
	uint32_t track_count;
	const snw_track *tracks;
} snw_clip;

/* A pose. `rotation_vectors` are unwound; clip and seconds are those of its sample (id 0 without a clip). */
typedef struct snw_pose {
	int64_t id;
	const char *name;
	snw_transform *local;     /* [joint_count] */
	double *rotation_vectors; /* [joint_count][3] */
	double *channels;         /* [channel_count] */
	int64_t clip;
	double seconds;
} snw_pose;

/* ---- examples and targets ------------------------------------------------------------------------------------------------ */

enum { SNW_OPACITY_MOST = 10 };

/* A named part of an example's sculpt. What the example's points are already has it, unless it is muted: points = what no layer
 * has made + the sum of opacity · vectors. */
typedef struct snw_sculpt_layer {
	int64_t id;
	const char *name; /* unique within the example */
	double opacity;   /* usually 0 to 1; beyond them, up to SNW_OPACITY_MOST, the layer is exaggerated or inverted */
	bool muted;
	uint32_t count;
	const uint32_t *points; /* [count], ascending */
	const double *vectors;  /* [count][3], posed space, metres, at opacity 1 */
} snw_sculpt_layer;

/* A sculpt, with the points that were edited. Other points follow the layers below, even if those change later
 * (fit/samples.h); until that has been computed, they are where the base skin moves them. */
typedef struct snw_example {
	int64_t id;
	const char *name;
	uint32_t pose; /* into poses */
	uint32_t mesh;
	const double *points_posed; /* [point_count][3] */
	uint32_t edited_count;
	const uint32_t *edited; /* [edited_count], ascending points; NULL for all of them */
	bool muted;             /* ignored by fits and measures */
	bool has_chosen_driver; /* the user has chosen what drives it: a symmetric stroke does not part its sides */
	uint32_t layer_count;
	const snw_sculpt_layer *layers; /* lowest first; the points are their sum already */
} snw_example;

typedef struct snw_member {
	uint32_t example;
	uint32_t mask; /* a one-component field over the mesh's points, SNW_NONE for 1 everywhere */
} snw_member;

typedef struct snw_group {
	int64_t id;
	const char *name;
	uint32_t joint_count; /* 0: chosen by the method */
	const uint32_t *joints;
	uint32_t member_count;
	const snw_member *members;
} snw_group;

/* A mesh animation. With a clip it is a target (the result of a black-box rig for that clip); without one, a sequence. */
typedef struct snw_target {
	int64_t id;
	const char *name;
	uint32_t mesh;
	uint32_t clip; /* SNW_NONE for a sequence */
	uint32_t frame_count;
	const double *seconds;     /* [frame_count] */
	const float *points_posed; /* [frame_count][point_count][3]; NULL in an outline */
	uint64_t frames_hash;      /* in an outline: the stored hash of the frames (scene/scene.h) */
	bool is_set;               /* a sequence whose frames are poses in no order */
} snw_target;

/* ---- the stack ----------------------------------------------------------------------------------------------------------- */

/* The value of a parameter (sinew/parameter.h). But a joint is only its name, and a file is a path that is absolute or relative
 * to the project's folder. */
typedef struct snw_setting {
	const char *key;
	snw_value value;
} snw_setting;

/* The kinds of data that fits read. A model has a hash of each (fit/stale.h). */
typedef enum snw_read_kind {
	SNW_READ_METHOD = 0,   /* the plug-in's version, and its parameters of stage fit */
	SNW_READ_MESHES = 1,   /* rest points, faces, the fields that the method reads, and UVs if it does */
	SNW_READ_SKINS = 2,    /* base skins */
	SNW_READ_SKELETON = 3, /* joints at rest, slots, channels */
	SNW_READ_EXAMPLES = 4, /* their sculpts and poses */
	SNW_READ_GROUPS = 5,   /* with their masks */
	SNW_READ_FRAMES = 6,   /* targets and sequences, with their clips */
	SNW_READ_BELOW = 7,    /* the layers below */
	SNW_READ_KINDS = 8
} snw_read_kind;

/* The saved bytes of a fitted model, and the information needed to load them. */
typedef struct snw_saved_model {
	int64_t id;
	const char *name;
	const char *deformer; /* the plug-in's id */
	const char *deformer_version;
	const unsigned char *bytes;
	size_t byte_count;
	/* [SNW_READ_KINDS]: hashes of the data that its fit read; 0 for kinds that it did not read; NULL if unknown. */
	const uint64_t *reads;
} snw_saved_model;

/* A layer, lowest first in the scene's list. */
typedef struct snw_layer {
	int64_t id;
	const char *name;             /* unique; by default the method's short name */
	const char *deformer;         /* the plug-in's id: "com.example.mine" */
	const char *deformer_version; /* when the layer was added */
	bool muted;
	uint32_t model; /* SNW_NONE for a deformer that binds */
	uint32_t setting_count;
	const snw_setting *settings; /* only those that differ from the initial values of the parameter table */
	const char *samples;         /* names of the clips that its fit reads (fit/samples.h), one a line; NULL: all */
} snw_layer;

typedef struct snw_scene {
	snw_arena *arena;   /* owns everything below */
	const char *folder; /* of its project, absolute: paths in settings are relative to it; NULL: to the current folder */
	bool is_outline;    /* without the points of frames and the bytes of pictures (snw_project_open_outline) */
	snw_skeleton skeleton;
	uint32_t slot_count;
	const uint32_t *slot_joints;
	const double *slot_inverse_binds; /* [slot_count][12] */
	uint32_t mesh_count, material_count, image_count, field_count, channel_count, clip_count, pose_count;
	uint32_t example_count, group_count, target_count, layer_count, model_count, level_count, kept_node_count;
	const snw_mesh *meshes;
	const snw_material *materials;
	const snw_image *images;
	const snw_field *fields;
	const snw_channel *channels;
	const snw_clip *clips;
	const snw_pose *poses; /* poses[0] is "rest" in every scene with a skeleton or channels; the file's default pose, where it
	                          differs, is "default" */
	const snw_example *examples;
	const snw_group *groups; /* in the order in which they are applied */
	const snw_target *targets;
	const snw_layer *layers;
	const snw_saved_model *models;
	const snw_level *levels; /* by number, then by mesh */
	const snw_kept_node *kept_nodes;
	struct snw_stack_owner *stacks; /* who lends its stacks (stack/stack.h); NULL: each is built for who needs it */
} snw_scene;

snw_scene *snw_scene_create(void);
void snw_scene_destroy(snw_scene *scene); /* NULL does nothing */

/* Checks a scene that comes from outside: from a reader (snw_import), a project file, the result of a plug-in (snw_fit_apply),
 * or a caller that writes it to a project (snw_project_write). Scenes are not checked again within the host, where asserts
 * suffice. Checks that indices are in range, numbers finite, names unique, and sums of weights 1, and that there are no cycles.
 * The error names the mesh, joint or clip and what is wrong with it. */
snw_status snw_scene_check(const snw_scene *scene, snw_error *error);

/* By name; SNW_NONE for none. */
uint32_t snw_scene_find_mesh(const snw_scene *scene, const char *name);
uint32_t snw_scene_find_joint(const snw_scene *scene, const char *name);
uint32_t snw_scene_find_clip(const snw_scene *scene, const char *name);
uint32_t snw_scene_find_pose(const snw_scene *scene, const char *name);
uint32_t snw_scene_find_example(const snw_scene *scene, const char *name);
uint32_t snw_scene_find_group(const snw_scene *scene, const char *name);
uint32_t snw_scene_find_target(const snw_scene *scene, const char *name);
uint32_t snw_scene_find_field(const snw_scene *scene, uint32_t mesh, const char *name);
uint32_t snw_scene_find_layer(const snw_scene *scene, const char *name);
uint32_t snw_scene_find_channel(const snw_scene *scene, const char *name); /* of a morph target */

/* The number of examples that are not muted. */
uint32_t snw_scene_active_example_count(const snw_scene *scene);

/* A name that `find` does not find yet: `name`, otherwise "name-2", "name-3" …; in the arena. */
typedef uint32_t snw_scene_finder(const snw_scene *scene, const char *name);
const char *snw_scene_free_name(const snw_scene *scene, snw_scene_finder *find, const char *name, snw_arena *arena);
/* The mesh with the most points, the first of several; SNW_NONE without meshes. */
uint32_t snw_scene_largest_mesh(const snw_scene *scene);
/* Replaces the layers of a scene by the baseline: a linear blend of the imported skin. */
void snw_scene_add_baseline(snw_scene *scene);
/* The same by a dual quaternion blend of the imported skin. */
void snw_scene_add_dual_quaternions(snw_scene *scene);

/* The bounding box at rest, of one mesh or of all (SNW_NONE), and its diagonal. */
snw_box snw_scene_box(const snw_scene *scene, uint32_t mesh);
double snw_scene_diagonal(const snw_scene *scene, uint32_t mesh);

/* ---- skeleton ------------------------------------------------------------------------------------------------------------ */

/* Builds skeletons from parents and rest transforms. */

/* Fills order (parents before children, otherwise by index) and rest_global, from parents and rest_local. SNW_ERROR_DATA names
 * a joint on a cycle or with a parent out of range. */
snw_status snw_skeleton_finish(snw_skeleton *skeleton, snw_arena *arena, snw_error *error);

/* Whether `ancestor` is the joint or an ancestor of it. */
bool snw_skeleton_is_below(const snw_skeleton *skeleton, uint32_t joint, uint32_t ancestor);

/* ---- field display ------------------------------------------------------------------------------------------------------- */

/* The display of fields: colours, single numbers, or the lengths of vectors. */

/* Whether the unit of a field is that of colours. A checked field then has three components from 0 to 1. */
bool snw_field_is_color(const snw_field *field);

/* Whether it is in metres. It is then shown in millimetres, or in the window's unit of length. */
bool snw_field_is_length(const snw_field *field);

/* The number of an element, or the length of its vector, also for colours. */
double snw_field_number(const snw_field *field, uint32_t element);

/* The title of a legend: "mine.residual (mm)", "mine.velocity (length, m/s)". Truncated to `bytes`. */
void snw_field_title(const snw_field *field, char *title, size_t bytes);

/* ---- nouns --------------------------------------------------------------------------------------------------------------- */

/* What a command can name in a scene, and the one message for a name that is not there. */

typedef enum snw_noun {
	SNW_NOUN_MESH,
	SNW_NOUN_JOINT,
	SNW_NOUN_POSE,
	SNW_NOUN_CLIP,
	SNW_NOUN_EXAMPLE,
	SNW_NOUN_GROUP,
	SNW_NOUN_LAYER,
	SNW_NOUN_TARGET,
	SNW_NOUN_SHAPE, /* a morph target: a channel of the scene */
	SNW_NOUN_COUNT
} snw_noun;

/* "joint"; "morph target". */
const char *snw_noun_word(snw_noun noun);
/* "a" or "an". */
const char *snw_noun_article(snw_noun noun);
uint32_t snw_noun_count(const snw_scene *scene, snw_noun noun);
const char *snw_noun_name(const snw_scene *scene, snw_noun noun, uint32_t index);

/* The index of what has the name; SNW_ERROR_MISSING lists what there is. */
snw_status snw_noun_find(const snw_scene *scene, snw_noun noun, const char *name, uint32_t *index, snw_error *error);
/* SNW_ERROR_CONFLICT if something has the name. */
snw_status snw_noun_expect_free(const snw_scene *scene, snw_noun noun, const char *name, snw_error *error);
/* As snw_scene_free_name. */
const char *snw_noun_free_name(const snw_scene *scene, snw_noun noun, const char *name, snw_arena *arena);

/* ---- copies -------------------------------------------------------------------------------------------------------------- */

/* Copies scenes and settings. */

/* A new scene that shares nothing with the old one; destroy it with snw_scene_destroy. */
snw_scene *snw_scene_copy(const snw_scene *scene);

/* Settings with their keys and texts, in `arena`. */
snw_setting *snw_settings_copy(snw_arena *arena, const snw_setting *settings, uint32_t count);

/* ---- views for plug-ins -------------------------------------------------------------------------------------------------- */

/* Views of a scene's arrays for plug-ins, as defined by the ABI. */

/* Views in `arena` over the scene, which must outlive them. */
const snw_character_view *snw_character_view_make(const snw_scene *scene, snw_arena *arena);

/* ---- hashes of frames ---------------------------------------------------------------------------------------------------- */

/* The hash of a mesh animation: of the times and points of its frames. A project stores it with each target, so that a model
 * that was fitted to the target can be shown as stale without reading the frames. */

/* All frames of a target with their points. Never 0. */
static inline uint64_t snw_frames_hash(const snw_target *target, uint32_t point_count) {
	const size_t numbers = 3 * (size_t)point_count;
	snw_hash hash = {0};
	for (uint32_t f = 0; f < target->frame_count; f++) {
		snw_hash_f64s(&hash, &target->seconds[f], 1);
		snw_hash_bytes(&hash, target->points_posed + f * numbers, numbers * sizeof *target->points_posed);
	}
	return snw_hash_value(&hash);
}

/* ---- characters ---------------------------------------------------------------------------------------------------------- */

/* The characters of a scene: joints that move together, with the meshes that they move. */

typedef struct snw_character {
	const char *name;   /* of its mesh, if that is the only one; otherwise of its topmost joint. Unique */
	const bool *joints; /* [joint_count]: its own, and all above them, which others may share */
	const bool *meshes; /* [mesh_count] */
} snw_character;

/* A joint that moves points, or that a clip moves, belongs to one character with all joints below it. Joints above that do
 * neither may hold several characters. Joints that move one mesh together are one character's; a mesh that no joint moves is a
 * character of its own. In the order of their first meshes; each has at least one. In `arena`. */
uint32_t snw_scene_characters(const snw_scene *scene, snw_arena *arena, const snw_character **characters);

#endif
