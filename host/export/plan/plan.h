/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The part of a stack that an engine can play: joints with tracks, points that follow a few joints by non-negative weights, and
 * morph targets with one weight each. A plan is made and measured once; every format for engines is written from it.
 *
 *   rig       the joints of the scene, and proxy joints if the stack blends with another palette
 *   meshes    rest points, at most K influences for each, and morph targets
 *   clips     the scene's with their tracks of joints; tracks of helper joints and proxy joints; weights of the morph targets
 *   report    the losses, and the difference between the result and the stack
 *
 * Materials and images are the scene's. Coordinates are in metres, in rest space.
 */
#ifndef SINEW_HOST_EXPORT_PLAN_PLAN_H
#define SINEW_HOST_EXPORT_PLAN_PLAN_H

#include <cjson/cJSON.h>
#include <math.h>
#include <stdbool.h>

#include "export/export.h"
#include "pose/pose.h"
#include "program/bounds/bounds.h"

/* A morph target: rest displacements with one weight. The weight is coefficient `d` of the stack, or `e` for a morph target of
 * folded displacements alone. */
typedef struct snw_plan_morph {
	const char *name;       /* unique on its mesh */
	const char *model_name; /* its name in the model; NULL without one */
	uint32_t channel;       /* of the scene, for an imported morph target; otherwise SNW_NONE */
	uint32_t d, e;          /* one of them is SNW_NONE */
	bool is_described;      /* a layer says how the pose drives it */
	uint32_t count;
	uint32_t *points; /* ascending */
	double *vectors;  /* [count][3] */
} snw_plan_morph;

/* A morph target as it is written. If its weight over time leaves 0 to 1, it is written as two sides, each scaled to its
 * largest weight, because programs clamp the weight of a shape to 0 to 1. Between keys the sides add up to the whole. */
typedef struct snw_plan_shape {
	uint32_t morph;
	double reach; /* the weight of the morph target for a weight 1 of the shape: negative for the side below 0; 1 if whole */
	bool is_side;
	/* What is added to the changes of normals that its displaced faces bring, for the points whose faces it rotates. */
	uint32_t normal_count; /* 0: nothing */
	const uint32_t *normal_points;
	float *normal_changes; /* [normal_count][3], rest space */
} snw_plan_shape;

/* Influences of a mesh's points, any number for each. */
typedef struct snw_plan_skin {
	const uint32_t *offsets; /* [point_count + 1]; NULL for a mesh that no slot moves */
	const uint32_t *slots;
	const double *weights;
} snw_plan_skin;

/* The slots of a skin in the file, which meshes share. */
typedef struct snw_plan_skin_set {
	bool *has;      /* [the rig's slot_count] */
	uint32_t count; /* of them */
} snw_plan_skin_set;

typedef enum snw_plan_placement {
	SNW_PLAN_STILL,   /* does not move: a node at the root */
	SNW_PLAN_RIGID,   /* follows one slot: on the joint's node */
	SNW_PLAN_SKINNED, /* several influences */
} snw_plan_placement;

/* The tracks of a proxy joint: translation, rotation and scale of its node, and the rotation of the child of an affine one. */
enum { SNW_PLAN_TRACKS = 4, SNW_PLAN_INNER = 3 };

/* How much of an export's progress the plan is; the rest is writing. */
#define SNW_PLAN_SHARE 0.8

typedef struct snw_plan_mesh {
	const snw_mesh *mesh;
	uint32_t index;            /* in the scene */
	const double *points_rest; /* [point_count][3]: the mesh's, or refined ones for an affine blend */
	/* [point_count][9]: maps a rest displacement of the program to the refined rest points; NULL for the identity. */
	const double *displacement_maps;
	int32_t placement; /* snw_plan_placement */
	uint32_t slot;     /* if the whole mesh follows one; otherwise SNW_NONE */
	uint32_t skin_set; /* of the plan; SNW_NONE for a mesh that is not skinned */
	uint32_t width;    /* 4 or 8: influences of each point */
	uint32_t *slots;   /* [point_count][width]: of the rig, largest weight first; unused ones have weight 0 */
	float *weights;    /* [point_count][width]: their sum is 1 */
	uint32_t morph_count;
	snw_plan_morph *morphs;
	uint32_t first_weight; /* of its morph targets, among those of all meshes */
	bool splits_channels;  /* weights of imported morph targets leave 0 to 1, and the engine clamps them */
	uint32_t shape_count;  /* the morph targets as written */
	snw_plan_shape *shapes;
	double diagonal; /* the unit of losses; one metre if all points coincide */

	/* Bounds of what plays. */
	snw_slot_boxes boxes;     /* of the influences kept, morph targets included; none for a mesh that is not skinned */
	snw_box *clip_boxes;      /* [the plan's clip_count]; NULL without clips, or if they are not known */
	snw_box box_of_all_poses; /* of the clips and of shuffled poses; empty where that is not known */

	/* The program that represents the stack. */
	uint32_t segment;           /* SNW_NONE without one */
	const snw_program *program; /* NULL without one */
	bool runs_on_joints;        /* the program's palette is the skeleton's, with or without helper joints behind it */
	snw_plan_skin skin;         /* the linear blend for the program, with slots of its palette */
	/* The influences above as dual quaternions of the skeleton's joints, with the shortest signs, where that is what the
	 * format plays; NULL: linear blend. */
	const snw_program *dual_quaternions;

	/* Proxy joints, if the program has another palette. */
	uint32_t proxy_count;    /* slots that move the mesh; 0 for the skeleton's palette */
	uint32_t *proxy_slots;   /* [proxy_count]: their slots in that palette, ascending */
	uint32_t *proxy_of_slot; /* [slots of that palette]: the inverse map; SNW_NONE for slots that do not move the mesh */
	uint32_t first_slot;     /* of the proxies in the rig; 0 without proxies */
	uint32_t first_joint;
	uint32_t
		*proxy_parents; /* [proxy_count]: the joint of the rig above each, SNW_NONE for the common root; NULL: all below that */
	bool has_affine_proxies; /* each is two nodes, see passes.h: that joint and the next; otherwise one node */
	snw_track **tracks;      /* [clip_count][proxy_count][SNW_PLAN_TRACKS]; key_count 0 for none */
} snw_plan_mesh;

/* Weights of all morph targets over one clip as the file plays them, at ascending times; linear between them, or constant if
 * `step`. */
typedef struct snw_plan_samples {
	bool step;
	uint32_t count, capacity;
	double *seconds; /* [count], each a float */
	double *weights; /* [count][weight_count] */
	bool *written;   /* [mesh_count][count]: whether a sample is a key of a mesh; the others are on the lines between keys */
} snw_plan_samples;

/* The joints and slots of the file: those of the scene, then helper joints and proxy joints. Slots of meshes index these. */
typedef struct snw_plan_rig {
	uint32_t joint_count;
	const char **names;
	uint32_t *parents, *order;
	bool *is_left_out;    /* [joint_count]: of another character than the request's; nothing in the file refers to it */
	snw_transform *local; /* the transforms of the nodes */
	uint32_t slot_count;
	uint32_t *slot_joints;
	double *slot_inverse_binds; /* [slot_count][12] */
} snw_plan_rig;

typedef struct snw_plan {
	const snw_scene *scene;
	const snw_stack *stack;
	const snw_export_request *request;
	const char *format; /* its name in messages: "glTF" */
	const snw_task *task;
	snw_arena *arena;
	snw_evaluation *evaluation;
	const snw_pose *rest; /* the pose of the nodes: "default" if the scene has it, otherwise the rest pose */
	snw_plan_rig rig;
	bool *is_playable;     /* [the scene's pose_count]: whether the stack runs at a pose */
	uint32_t mesh_count;   /* exported meshes; those without points are left out */
	snw_plan_mesh *meshes; /* [mesh_count] */
	uint32_t skin_set_count;
	snw_plan_skin_set *skin_sets;      /* [skin_set_count] */
	uint32_t weight_count;             /* morph targets of all meshes */
	double *rest_weights;              /* [weight_count], at `rest` */
	uint32_t clip_count;               /* exported clips */
	uint32_t *clips;                   /* [clip_count]: indices of the scene's clips */
	const snw_clip_sampler **samplers; /* [clip_count] */
	snw_plan_samples *samples;         /* [clip_count] */
	uint32_t helper_count; /* of the blend: their slots in the file and in its palette are those after the scene's */
	const snw_helper_joint *helpers;
	uint32_t helper_mesh; /* of the plan: one whose program has them */
	uint32_t helper_track_count;
	snw_track **helper_tracks; /* [clip_count][helper_track_count] */
	snw_stack_description *descriptions;
	uint32_t description_count;
	snw_export_report report;
} snw_plan;

/* Makes and measures a plan; one that the request's engine does not play is refused before it is measured. The scene, stack and
 * request must outlive it. After SNW_CANCELLED there is no plan. */
snw_status snw_plan_make(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request, const char *format,
						 const snw_task *task, snw_plan **plan, snw_error *error);
void snw_plan_destroy(snw_plan *plan); /* NULL does nothing */

/* The tracks of the file's joints in one of the plan's clips, in `arena`: those of the clip, of helpers and of proxies, one for
 * each property of a joint that is not left out. A track without keys has none to write. */
const snw_track **snw_plan_joint_tracks(const snw_plan *plan, uint32_t clip, snw_arena *arena, uint32_t *count);

/* The imported tracks of a mesh's morph targets, if all morph targets are channels that the clip keys at the same times, and
 * none is split into sides: `tracks` is [morph_count], NULL for a channel without keys. False if the weights are in the samples
 * instead. */
bool snw_plan_weights_are_tracks(const snw_plan_mesh *mesh, const snw_clip *clip, const snw_track **tracks);

/* The weight of a shape when its morph target has `weight`. */
double snw_plan_shape_weight(const snw_plan_shape *shape, double weight);
const char *snw_plan_shape_name(const snw_plan_mesh *mesh, const snw_plan_shape *shape, snw_arena *arena);

/* ---- descriptions -------------------------------------------------------------------------------------------------------- */

/* The texts in which layers describe how the pose drives their morph targets and joints (snw_deformer.describe). */

/* Whether a text is among the values of a description, at any depth. */
bool snw_plan_description_names(const cJSON *description, const char *text);

/* ---- grid ---------------------------------------------------------------------------------------------------------------- */

/* The grid of compressed coordinates: multiples of a power of two, so that floats hold them exactly. The plan rounds points
 * to it before it measures playback; the file holds the same numbers. */

enum { SNW_GRID_BITS = 16, SNW_GRID_NORMAL_BITS = 12, SNW_GRID_LEAST = -100 };

/* The exponent of the step for numbers up to `largest`: at most 2^(bits − 1) steps. The same for the rounded numbers. */
static inline int snw_grid_exponent(double largest, int bits) {
	int exponent = SNW_GRID_LEAST;
	if (largest > 0) {
		const double fraction = frexp(largest, &exponent);
		exponent -= fraction == 0.5; /* a power of two */
		exponent -= bits - 1;
	}
	return exponent < SNW_GRID_LEAST ? SNW_GRID_LEAST : exponent;
}

static inline double snw_grid_round(double value, int exponent) {
	return ldexp(round(ldexp(value, -exponent)), exponent);
}

#endif
