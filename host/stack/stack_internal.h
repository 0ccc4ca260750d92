/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The state of a stack. Private to host/stack.
 */
#ifndef SINEW_HOST_STACK_STACK_INTERNAL_H
#define SINEW_HOST_STACK_STACK_INTERNAL_H

#include <pthread.h>

#include "base/numbers.h"
#include "program/bounds/bounds.h"
#include "program/program.h"
#include "services/services.h"
#include "stack/stack.h"

/* A layer's part for one mesh, and its displacements in this host's layout. */
typedef struct lowered_part {
	snw_program_part part;
	snw_displacements rest, posed, rest_normals;
} lowered_part;

/* A prepared layer: its model, its values, and its part for each mesh. */
typedef struct stack_layer {
	const char *name;
	bool is_trial;  /* a method that is not a layer of the scene */
	bool is_shared; /* prepared for another stack, which owns its model */
	bool is_kept;   /* a muted blend, for the meshes alone that the blend in its place leaves out */
	const snw_deformer *deformer;
	snw_model *model;
	snw_value *values; /* [parameter_count] */
	snw_model_layout layout;
	uint32_t z_offset, d_offset, e_offset; /* of its coefficients in the arrays of an evaluation */
	uint32_t passes;
	lowered_part *parts;  /* [mesh_count] */
	const char **reasons; /* [mesh_count]: why it is a black box; NULL if it lowers */
	uint32_t helper_count;
	const snw_helper_joint *helpers; /* [helper_count], in this host's layout, complete */
} stack_layer;

typedef struct stack_segment {
	snw_segment_info info;
	snw_program program;          /* if info.is_program */
	const snw_program_part *part; /* the part whose palette the program uses; NULL without a blend */
	uint32_t layer;               /* the layer of that part, or the black box */
	snw_program_bounds *bounds;   /* NULL for a black box, and until they are made */
} stack_segment;

typedef struct stack_mesh {
	uint32_t segment_count;
	stack_segment *segments;
	bool has_black_box;
	snw_program_bounds *rest_bounds; /* if no segment is a program; NULL until they are made */
} stack_mesh;

/* Of the bounds of all meshes, which the first who asks for them makes. */
typedef struct stack_bounds_memory {
	pthread_mutex_t lock;
	snw_arena *arena; /* NULL until they are made */
} stack_bounds_memory;

struct snw_stack {
	snw_arena *arena;
	bool is_owned; /* by a snw_stack_owner, which lends it */
	const snw_scene *scene;
	const snw_character_view *character;
	const snw_stack *built; /* while it is built: another one of the scene, whose layers it shares; NULL for none */
	snw_task task;          /* of the build; silent afterwards, because models still use the services */
	snw_services *services;
	uint32_t layer_count;
	stack_layer *layers;
	stack_mesh *meshes; /* [scene->mesh_count] */
	/* Lengths of z, d and e in an evaluation. The first d are the pose's morph channels. */
	uint32_t z_count, d_count, e_count;
	uint32_t *d_examples, *e_examples; /* [d_count], [e_count]: the example that each belongs to, SNW_NONE for none */
	size_t scratch_bytes;              /* the most that a layer needs, a multiple of 64 */
	size_t prepared_bytes;             /* likewise */
	uint32_t most_points;              /* of any mesh */
	uint32_t rotation_joint_count;     /* the joints whose rotations posed displacements use */
	uint32_t *rotation_joints;
	stack_bounds_memory *bounds;
};

/* The evaluation of one program segment. */
typedef struct segment_state {
	snw_program_input program;
	double *combined;  /* C z as matrices, if the palette is combined */
	double *rotations; /* [posed.count][9] */
	snw_packed_program *packed;
	snw_program_bounds_scratch *bounds;
} segment_state;

/* What posing the bounds works in; zero until they are asked for. */
typedef struct evaluation_bounds {
	snw_program_bounds_scratch **rest; /* [mesh_count] */
	snw_box *boxes;                    /* of the clusters of one program */
} evaluation_bounds;

struct snw_evaluation {
	snw_arena *arena;
	const snw_stack *stack;
	const snw_pose_view *pose;
	double *z, *d, *e;
	double *joint_rotations;  /* [joint_count][9], of the stack's rotation_joints */
	segment_state **segments; /* [mesh_count][segment_count] */
	unsigned char *scratch, *prepared;
	uint32_t scratch_threads;
	double *points[3], *points_assembled; /* [most_points][3], if there is a black box */
	double *shared;                       /* the memory of those four, if plug-in processes share it; else NULL */
	bool *wanted;                         /* [ranges of points], likewise: whether the current run includes it */
	float *floats[2];
	evaluation_bounds *bounds;
	snw_layer_failure failure; /* of the last drive or run */
};

/* A call into a layer's plug-in, for snw_thread_enter. */
static inline snw_thread_call stack_call_of(const stack_layer *layer, snw_thread_role role, const char *function) {
	return (snw_thread_call){.role = role,
							 .who = layer->deformer->descriptor->short_name,
							 .function = function,
							 .layer = layer->is_trial ? NULL : layer->name};
}

/* The driven coefficients of a layer. */
snw_drive_output stack_driven(const snw_evaluation *evaluation, const stack_layer *layer);

/* evaluation_state.c: records the failure of a layer and sets the error. The text continues "layer 'bulge' (test-small) ". */
snw_status stack_layer_failed(snw_evaluation *evaluation, const stack_layer *layer, snw_status status, snw_error *error,
							  const char *format, ...) __attribute__((format(printf, 5, 6)));

/* build.c: as snw_stack_build. What `built` (NULL for none), a stack of the same scene, has of the layers is shared. */
snw_status stack_build_sharing(const snw_scene *scene, const snw_registry *registry, const snw_stack_options *options,
							   const snw_stack *built, const snw_task *task, snw_stack **stack, snw_error *error);

/* prepare_layer.c: sets the error of a layer, with what to do. The text continues "layer 'bulge' (test-small) ". */
snw_status stack_layer_fail(const stack_layer *layer, snw_status status, snw_error *error, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* prepare_layer.c: prepares one layer. `layer` has its settings and model; NULL for a method that is not in the scene. */
snw_status stack_layer_prepare(snw_stack *stack, const snw_deformer *deformer, const snw_layer *layer, stack_layer *prepared,
							   snw_error *error);
/* Takes a layer that was prepared for another stack of the scene, which must outlive this one. */
void stack_layer_share(snw_stack *stack, const stack_layer *prepared, stack_layer *layer);
void stack_layer_release(stack_layer *layer);
bool stack_layer_blends_mesh(const stack_layer *layer, uint32_t mesh);
bool stack_layer_blends(const stack_layer *layer, uint32_t mesh_count);

/* merge_segments.c: merges the parts of all layers into the segments of one mesh. */
snw_status stack_merge(snw_stack *stack, uint32_t mesh, snw_error *error);

#endif
