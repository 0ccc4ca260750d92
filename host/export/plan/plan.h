/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an engine can play of a stack: joints with tracks, points on a few of them by non-negative weights, and morph targets with
 * one weight each. A plan is made and measured once; every format that engines read is written from it.
 *
 *   rig       the joints of the scene, and proxy joints where the stack blends with another palette than theirs
 *   meshes    the rest, at most K influences at each point, morph targets; nothing else moves a point
 *   clips     the scene's, whose tracks hold for the scene's joints; tracks of the proxy joints; weights of the morph targets
 *   report    what was lost, and how far the result is from the stack
 *
 * Materials and images are the scene's. Coordinates are in metres, in rest space.
 */
#ifndef SINEW_HOST_EXPORT_PLAN_PLAN_H
#define SINEW_HOST_EXPORT_PLAN_PLAN_H

#include "export/export.h"
#include "pose/pose.h"
#include "program/slot_boxes.h"

/* A morph target: rest displacements with one weight. The weight is coefficient `d` of the program's frame, or `e` where the
 * target is nothing but a folded displacement. */
typedef struct snw_plan_target {
	const char *name;       /* unique on its mesh */
	const char *model_name; /* as the model calls it; NULL for none */
	uint32_t channel;       /* the scene's, where the target came with the file; else SNW_NONE */
	uint32_t d, e;          /* SNW_NONE for the other one */
	uint32_t count;
	uint32_t *points; /* ascending */
	double *vectors;  /* [count][3] */
} snw_plan_target;

/* A morph target as it is written. One that time drives to below 0 or beyond 1 is written by its sides, each at the length that it
 * reaches, since tools hold a shape's weight between 0 and 1: between keys the sides add up to the whole. */
typedef struct snw_plan_shape {
	uint32_t target;
	double reach; /* the coefficient at which the shape has weight 1, negative for the side below 0; 1 for a whole target */
	bool is_side;
} snw_plan_shape;

/* Influences of a mesh's points, any number at each. */
typedef struct snw_plan_skin {
	const uint32_t *offsets; /* [point_count + 1]; NULL for a mesh that no slot moves */
	const uint32_t *slots;
	const double *weights;
} snw_plan_skin;

typedef enum snw_plan_placement {
	SNW_PLAN_STILL,   /* moves with nothing: a node at the root */
	SNW_PLAN_RIGID,   /* all of it on one slot: on the joint's node */
	SNW_PLAN_SKINNED, /* several influences */
} snw_plan_placement;

/* The tracks of a proxy joint: translation, rotation and scale of its node, and the rotation of the child of an affine one. */
enum { SNW_PLAN_TRACKS = 4, SNW_PLAN_INNER = 3 };

typedef struct snw_plan_mesh {
	const snw_mesh *mesh;
	uint32_t index;            /* in the scene */
	const double *points_rest; /* [point_count][3]: the mesh's; where an affine blend was fitted, the refined rest */
	const double
		*displacement_maps; /* [point_count][9]: what a rest displacement of the program's is over that rest; NULL: itself */
	int32_t placement;      /* snw_plan_placement */
	uint32_t slot;          /* where all of the mesh is on one; else SNW_NONE */
	uint32_t width;         /* 4 or 8: influences kept for each point */
	uint32_t *slots;        /* [point_count][width] into the rig's, largest weight first; weight 0 where there are fewer */
	float *weights;         /* [point_count][width], they sum to 1 */
	uint32_t target_count;
	snw_plan_target *targets;
	uint32_t first_weight; /* of its targets, in the list of all */
	uint32_t shape_count;  /* what is written of the targets */
	snw_plan_shape *shapes;
	double diagonal; /* what losses are measured by; one metre where all points are in one place */

	/* Bounds of what plays. */
	snw_slot_boxes boxes;     /* of the influences kept, targets included; none for a mesh that is not skinned */
	snw_box *clip_boxes;      /* [the plan's clip_count] */
	snw_box box_of_all_poses; /* of the clips, and with joints that turn as they like; empty where neither is known */

	/* The program that stands for the stack. */
	uint32_t segment;           /* SNW_NONE without */
	const snw_program *program; /* NULL without */
	bool runs_on_joints;        /* the program's palette is that of the joints */
	snw_plan_skin skin;         /* the linear blend that stands for the program's: slots of the program's palette */

	/* Where the program has another palette: proxy joints. */
	uint32_t proxy_count;    /* its slots that move the mesh; 0 where the palette is that of the joints */
	uint32_t *proxy_slots;   /* [proxy_count]: theirs in that palette, rising */
	uint32_t *proxy_of_slot; /* [slots of that palette]: the way back; SNW_NONE for what moves other meshes */
	uint32_t first_slot;     /* of these in the rig; 0 without */
	uint32_t first_joint;
	bool has_affine_proxies; /* each is two nodes, see affine_nodes.h: that joint and the next; else one */
	snw_track **tracks;      /* [clip_count][proxy_count][SNW_PLAN_TRACKS]; key_count 0: none */
} snw_plan_mesh;

/* Morph weights of all targets over one clip as the file plays them, at rising times; linear between them, or held where `step`. */
typedef struct snw_plan_samples {
	bool step;
	uint32_t count, capacity;
	double *seconds; /* [count], each a float */
	double *weights; /* [count][weight_count] */
	bool *written;   /* [mesh_count][count]: which of them are keys of a mesh; the others lie on the lines between keys */
} snw_plan_samples;

/* The joints and slots of the file: those of the scene, then proxy joints. Slots of meshes index these. */
typedef struct snw_plan_rig {
	uint32_t joint_count;
	const char **names;
	uint32_t *parents, *order;
	snw_transform *local; /* as the nodes stand in the file */
	uint32_t slot_count;
	uint32_t *slot_joints;
	double *slot_inverse_binds; /* [slot_count][12] */
} snw_plan_rig;

typedef struct snw_plan {
	const snw_scene *scene;
	const snw_stack *stack;
	const snw_export_request *request;
	const char *format; /* "glTF": as messages call it */
	const snw_task *task;
	snw_arena *arena;
	snw_evaluation *evaluation;
	const snw_pose *rest; /* how nodes stand in the file: in its default pose, else in the rest */
	snw_plan_rig rig;
	uint32_t mesh_count;               /* of those exported: meshes without points are left out */
	snw_plan_mesh *meshes;             /* [mesh_count] */
	uint32_t weight_count;             /* targets of all meshes */
	double *rest_weights;              /* [weight_count], at `rest` */
	uint32_t clip_count;               /* of those exported */
	uint32_t *clips;                   /* [clip_count], into the scene's */
	const snw_clip_sampler **samplers; /* [clip_count] */
	snw_plan_samples *samples;         /* [clip_count] */
	snw_stack_description *descriptions;
	uint32_t description_count;
	snw_export_report report;
} snw_plan;

/* All of it, measured. The scene, stack and request must outlive the plan. SNW_CANCELLED leaves no plan. */
snw_status snw_plan_make(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request, const char *format,
						 const snw_task *task, snw_plan **plan, snw_error *error);
void snw_plan_destroy(snw_plan *plan); /* NULL does nothing */

/* The track of a mesh's targets as it came, where all of them are channels that the clip keys together: `tracks` is
 * [target_count], NULL for a channel that the clip leaves alone. False where the samples say what the weights are. */
bool snw_plan_weights_are_tracks(const snw_plan_mesh *mesh, const snw_clip *clip, const snw_track **tracks);

/* The weight of a shape where its target has `weight`. */
double snw_plan_shape_weight(const snw_plan_shape *shape, double weight);
const char *snw_plan_shape_name(const snw_plan_mesh *mesh, const snw_plan_shape *shape, snw_arena *arena);

#endif
