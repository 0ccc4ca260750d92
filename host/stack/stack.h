/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stack: a scene's layers, ready to run. Building it binds or loads each layer's model, lowers the layers that can be
 * lowered, and merges neighbours into segments. A segment maps points to points; it is a skin program or a black box.
 *
 * Layer n above the layers below: S_n(x) = S_{n-1}(x + d) + w for a corrective, blend(x) for a blend, deform(S_{n-1}(x)) for a
 * black box. So the rest displacements of all layers act first, on the rest, and then the layers act from the lowest up.
 */
#ifndef SINEW_HOST_STACK_STACK_H
#define SINEW_HOST_STACK_STACK_H

#include "plugin/registry.h"
#include "program/program.h"
#include "scene/scene.h"
#include "services/services.h"
#include "sinew/helper_joints.h"
#include "task/task.h"

typedef struct snw_stack snw_stack;

/* Selects layers. `method` is NULL or "stack" (if no layer has that name) for the whole stack; the name or method of a layer,
 * for the stack up to and including it; or a method that is not in the stack: a blend replaces the base blend, any other goes
 * on top. With `only_below`, only the layers below `below_layer` (an index into scene->layers; layer_count for all). */
typedef struct snw_stack_options {
	const char *method;
	bool only_below;
	uint32_t below_layer;
} snw_stack_options;

/* The scene and registry must outlive the stack. Muted layers are left out; so are layers whose plug-in is missing, with a
 * notice, and those whose plug-in has failed (isolation/isolated_deformer.h lists both). SNW_ERROR_MISSING for an unknown
 * method; the message lists the known ones. After SNW_CANCELLED there is no stack. */
snw_status snw_stack_build(const snw_scene *scene, const snw_registry *registry, const snw_stack_options *options,
						   const snw_task *task, snw_stack **stack, snw_error *error);
void snw_stack_destroy(snw_stack *stack);

/* Before long work: SNW_ERROR_MISSING where no layer may be left out (isolation/isolated_deformer.h) and one that is not
 * muted has no plug-in. */
snw_status snw_stack_check_required(const snw_scene *scene, const snw_registry *registry, snw_error *error);

/* The `below` services of a fit for the stack below its layer; all zero for NULL. The stack must outlive services
 * made with it. */
snw_below snw_stack_below_service(const snw_stack *stack);

/* The name of the base blend, the lowest layer that blends; NULL if none does. */
const char *snw_stack_base_blend(const snw_stack *stack);

/* Segments of a mesh, in the order in which they act. */
typedef struct snw_segment_info {
	bool is_program;
	const char *layers;         /* names of layers: "morph + mine + other" */
	const char *reason;         /* why it does not lower; NULL for a program */
	uint32_t rings;             /* the rings of neighbours that a black box reads; 0 for a program */
	const snw_program *program; /* NULL for a black box */
	bool has_palette;           /* its palette is driven by its layer, not the pose's */
	/* Joints for the last slots of that palette, those before them being the pose's (sinew/helper_joints.h); none for most. */
	uint32_t helper_count;
	const snw_helper_joint *helpers;
} snw_segment_info;
uint32_t snw_stack_segment_count(const snw_stack *stack, uint32_t mesh);
snw_segment_info snw_stack_segment(const snw_stack *stack, uint32_t mesh, uint32_t segment);

/* The memory in which a stack is evaluated: z, d, e, palettes and scratch. It is allocated once and reused, by one thread at a
 * time. A stack may have any number of evaluations. */
typedef struct snw_evaluation snw_evaluation;
snw_evaluation *snw_evaluation_create(const snw_stack *stack);
/* For the reference evaluator alone. Without the packed programs of snw_stack_run it is smaller and faster to create. */
snw_evaluation *snw_evaluation_create_reference(const snw_stack *stack);
void snw_evaluation_destroy(snw_evaluation *evaluation);
/* Drives every layer at one pose. The pose and its arrays must outlive the evaluation at it. Does not allocate. */
snw_status snw_stack_drive(const snw_stack *stack, const snw_pose_view *pose, snw_evaluation *evaluation, snw_error *error);
/* The layer whose plug-in failed in the last drive or run, and how: "failed in drive: it …". */
typedef struct snw_layer_failure {
	const char *layer; /* NULL if none failed */
	char problem[300];
} snw_layer_failure;
const snw_layer_failure *snw_evaluation_failure(const snw_evaluation *evaluation);
/* The weight of each example at that pose, [example_count of the scene]: the coefficient of the largest magnitude that belongs
 * to it (snw_model_layout.coefficient_examples); NaN if it has none. */
void snw_stack_example_weights(const snw_evaluation *evaluation, double *weights);
/* The input of one program segment at that pose; valid until the next drive. */
const snw_program_input *snw_stack_program_input(const snw_evaluation *evaluation, uint32_t mesh, uint32_t segment);

/* One mesh at the driven pose, [point_count][3], with the reference evaluator or in floats. `points_rest` replaces the mesh's
 * rest points (NULL: those of the mesh). SNW_ERROR_DATA if a black box gives a point that is not finite; the message names the
 * layer, the plug-in and the first such point. */
snw_status snw_stack_reference(const snw_stack *stack, snw_evaluation *evaluation, uint32_t mesh, const double *points_rest,
							   double *points_posed, snw_error *error);
snw_status snw_stack_run(const snw_stack *stack, snw_evaluation *evaluation, uint32_t mesh, float *points_posed,
						 snw_error *error);

/* The normals of the points at the driven pose, [point_count][3], if the stack has them: its only segment is a program with
 * normals. False, with nothing written, if they must be computed from the faces. */
bool snw_stack_has_normals(const snw_stack *stack, uint32_t mesh);
bool snw_stack_normals(const snw_stack *stack, const snw_evaluation *evaluation, uint32_t mesh, float *normals);

/* The descriptions of the layers' models (snw_deformer.describe), lowest first, for exports. Layers without one are left out.
 * Texts are in `arena`. */
typedef struct snw_stack_description {
	const char *layer, *deformer, *deformer_version;
	const char *json; /* one object, as written by the plug-in; not parsed */
} snw_stack_description;
snw_status snw_stack_describe(const snw_stack *stack, snw_arena *arena, snw_stack_description **descriptions, uint32_t *count,
							  snw_error *error);

/* The queries of the `below` service. Rings: 0 if every point depends on itself alone, SNW_NONE for the whole mesh. */
uint32_t snw_stack_rings(const snw_stack *stack, uint32_t mesh);
bool snw_stack_is_affine(const snw_stack *stack, uint32_t mesh);
snw_status snw_stack_reference_at(const snw_stack *stack, snw_evaluation *evaluation, uint32_t mesh, uint32_t count,
								  const uint32_t *indices, const double *points_rest, double *points_posed, snw_error *error);
/* Listed points of the rest through the programs alone, [count][3]: black boxes are passed over, so that no other point is
 * run. */
void snw_stack_programs_at(const snw_stack *stack, const snw_evaluation *evaluation, uint32_t mesh, uint32_t count,
						   const uint32_t *indices, double *points_posed);
snw_status snw_stack_matrices(const snw_stack *stack, snw_evaluation *evaluation, uint32_t mesh, uint32_t count,
							  const uint32_t *indices, double *matrices, snw_error *error);

/* Other meshes for a stack: those of `scene`, each driven as one of its own, by that one's segments or by a program for the
 * same input. What is given must outlive the stack. Before any evaluation of it. */
typedef struct snw_stack_mesh {
	uint32_t origin;            /* the mesh before */
	const snw_program *program; /* NULL: it is that mesh */
} snw_stack_mesh;
void snw_stack_replace_meshes(snw_stack *stack, const snw_scene *scene, const snw_stack_mesh *meshes);

/* What a layer had taken the place of whose plug-in is missing. A fitted blend mutes the one that it replaces; without its
 * plug-in nothing blends, and no pose shows. */

/* The muted blend nearest below a layer whose plug-in is missing, if no layer that runs blends. SNW_NONE otherwise. */
uint32_t snw_replaced_blend(const snw_scene *scene, const snw_registry *registry, uint32_t layer);

#endif
