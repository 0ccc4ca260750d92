/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stack: a scene's layers, made ready to run. Building it binds or loads each layer's model, lowers what can be lowered,
 * and merges neighbours into segments, each a map from points to points: a skin program, or a black box.
 *
 * Layer n over what lies below: S_n(x) = S_{n-1}(x + d) + w for a corrective, blend(x) for a blend, deform(S_{n-1}(x)) for a
 * black box. So rest displacements of every layer act first, on the rest, and the rest runs upward from the lowest.
 */
#ifndef SINEW_HOST_STACK_STACK_H
#define SINEW_HOST_STACK_STACK_H

#include "base/task.h"
#include "plugin/registry.h"
#include "program/program.h"
#include "scene/scene.h"
#include "services/services.h"

typedef struct snw_stack snw_stack;

/* Which layers: the whole stack (method NULL, or "stack" where no layer has that name); up to and including a layer of the scene,
 * by its name or its method; or a method that is not in the stack, over what it belongs on: a blend in place of the base blend,
 * anything else over the whole stack below. `below_layer`: only the layers under that one (index into scene->layers); layer_count for all. */
typedef struct snw_stack_options {
	const char *method;
	bool only_below;
	uint32_t below_layer;
} snw_stack_options;

/* The scene and registry must outlive the stack. A muted layer is left out; a layer whose plug-in is missing is left out with
 * a notice that names it. SNW_ERROR_MISSING for an unknown method, with the names there are. SNW_CANCELLED leaves no stack. */
snw_status snw_stack_build(const snw_scene *scene, const snw_registry *registry, const snw_stack_options *options,
						   const snw_task *task, snw_stack **stack, snw_error *error);
void snw_stack_destroy(snw_stack *stack);

/* The services that a fit has over a stack below its layer; all zero for NULL. The stack must outlive the services made with it. */
snw_below snw_stack_below_services(const snw_stack *stack);

/* The name of the base blend, the lowest layer that blends; NULL where none does. */
const char *snw_stack_base_blend(const snw_stack *stack);

/* Segments of a mesh, in the order in which they act. */
typedef struct snw_segment_info {
	bool is_program;
	const char *layers;         /* "morph + linear-blend + inverse-psd" */
	const char *reason;         /* why it does not lower; NULL for a program */
	uint32_t rings;             /* a black box's reach; 0 for a program */
	const snw_program *program; /* NULL for a black box */
	bool has_palette;           /* it blends with a palette that its layer drives, not the pose's own */
} snw_segment_info;
uint32_t snw_stack_segment_count(const snw_stack *stack, uint32_t mesh);
snw_segment_info snw_stack_segment(const snw_stack *stack, uint32_t mesh, uint32_t segment);

/* What evaluating a stack works in: z, d, e, palettes and all scratch. It is made once and reused, by one thread at a time. A
 * stack may have any number of evaluations at once. */
typedef struct snw_evaluation snw_evaluation;
snw_evaluation *snw_evaluation_create(const snw_stack *stack);
/* For the reference evaluator alone, without the packed programs of snw_stack_run: smaller, and made sooner. */
snw_evaluation *snw_evaluation_create_reference(const snw_stack *stack);
void snw_evaluation_destroy(snw_evaluation *evaluation);
/* Drives every layer at one pose. The pose (with its arrays) must outlive what is evaluated at it. No allocation. Negative where a drive fails. */
snw_status snw_stack_drive(const snw_stack *stack, const snw_pose_view *pose, snw_evaluation *evaluation, snw_error *error);
/* How much each example acts at that pose: weights [example_count of the scene]. Of the coefficients that belong to an example
 * (snw_model_layout.coefficient_examples), the one of the largest magnitude; NaN for an example that has none. */
void snw_stack_example_weights(const snw_evaluation *evaluation, double *weights);
/* What drives one program segment at that pose; valid until the next drive. */
const snw_program_input *snw_stack_program_input(const snw_evaluation *evaluation, uint32_t mesh, uint32_t segment);

/* One mesh at the driven pose, [point_count][3], by the reference evaluator and in floats. `points_rest` takes the place of the mesh's rest (NULL: the rest itself).
 * SNW_ERROR_DATA where a black box gives a point that is not finite: names the layer, the plug-in and the first such point. */
snw_status snw_stack_reference(const snw_stack *stack, snw_evaluation *evaluation, uint32_t mesh, const double *points_rest,
							   double *points_posed, snw_error *error);
snw_status snw_stack_run(const snw_stack *stack, snw_evaluation *evaluation, uint32_t mesh, float *points_posed,
						 snw_error *error);

/* Normals of the points at the driven pose, [point_count][3], where the stack brings them itself: its last segment is a program
 * with a channel for them, and the only one. False, with nothing written, where they are to be taken from the faces. */
bool snw_stack_has_normals(const snw_stack *stack, uint32_t mesh);
bool snw_stack_normals(const snw_stack *stack, const snw_evaluation *evaluation, uint32_t mesh, float *normals);

/* What the layers' models say of what drives them (snw_deformer.describe), lowest first, for exports; layers that say nothing
 * are left out. Texts are in `arena`. */
typedef struct snw_stack_description {
	const char *layer, *deformer, *deformer_version;
	const char *json; /* one object; as the plug-in wrote it, not yet parsed */
} snw_stack_description;
snw_status snw_stack_describe(const snw_stack *stack, snw_arena *arena, snw_stack_description **descriptions, uint32_t *count,
							  snw_error *error);

/* The two questions of the `below` service. rings: 0 when every point depends on itself alone, SNW_NONE for the whole mesh. */
uint32_t snw_stack_rings(const snw_stack *stack, uint32_t mesh);
bool snw_stack_is_affine(const snw_stack *stack, uint32_t mesh);
snw_status snw_stack_reference_at(const snw_stack *stack, snw_evaluation *evaluation, uint32_t mesh, uint32_t count,
								  const uint32_t *indices, const double *points_rest, double *points_posed, snw_error *error);
/* Listed points of the rest through the programs alone, [count][3]: black boxes are passed over, so that no other point is run. */
void snw_stack_programs_at(const snw_stack *stack, const snw_evaluation *evaluation, uint32_t mesh, uint32_t count,
						   const uint32_t *indices, double *points_posed);
snw_status snw_stack_matrices(const snw_stack *stack, snw_evaluation *evaluation, uint32_t mesh, uint32_t count,
							  const uint32_t *indices, double *matrices, snw_error *error);

#endif
