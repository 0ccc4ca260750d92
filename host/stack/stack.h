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

#include "base/numbers.h"
#include "plugin/registry.h"
#include "program/bounds/bounds.h"
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

/* ---- owners of stacks ---------------------------------------------------------------------------------------------------- */

/* The owner of a scene's stacks. A version of a document is asked for the same stacks again and again: to be shown, to be
 * sculpted on, to find what drives a sculpt, to fit and to measure. The owner builds each once, prepares each layer once for
 * all of them, and lends them. A change of the document makes another scene, with another owner, so nothing has to be
 * invalidated. */

typedef struct snw_stack_owner snw_stack_owner;

/* The scene knows its owner from then on (snw_scene.stacks), as do shallow copies of it; both must outlive the owner. */
snw_stack_owner *snw_stack_owner_create(snw_scene *scene, const snw_registry *registry);
/* Also destroys what it has lent; the scene has no owner then. NULL: does nothing. */
void snw_stack_owner_destroy(snw_stack_owner *owner);

/* The stack of these options (snw_stack_build), from any thread: the owner's, built if it is the first time; or one that is
 * built for the caller, if the scene has no owner, or if it is a copy with other layers, meshes or fields than the owner's
 * scene. */
snw_status snw_stack_borrow(const snw_scene *scene, const snw_registry *registry, const snw_stack_options *options,
							const snw_task *task, const snw_stack **stack, snw_error *error);
/* Destroys a stack that was built for the caller. NULL: does nothing. */
void snw_stack_give_back(const snw_stack *stack);

/* ---- boxes --------------------------------------------------------------------------------------------------------------- */

/* Where a stack takes a mesh, found from what drives its programs: no point is run. The boxes are made once for a stack, when
 * they are first asked for: most stacks are never shown. From an evaluation's second question on they are posed without
 * allocation. What a black box does is not known: the boxes are of what lies below it and of the programs above. */

typedef struct snw_stack_bounds {
	const snw_box *boxes; /* [count], of clusters of points; in the evaluation, until it is asked again */
	uint32_t count;
	/* Every point is in one of them. False if a black box, or dual quaternions that cancel each other, may move points out. */
	bool are_whole;
} snw_stack_bounds;

/* Makes the boxes now, from any thread: before a stack is shown, where the first redraw should not wait for them. */
void snw_stack_make_bounds(const snw_stack *stack);
/* At the pose that the evaluation is driven at. */
snw_stack_bounds snw_stack_bounds_posed(const snw_evaluation *evaluation, uint32_t mesh);
/* Of a mesh at rest, in `arena`. */
snw_stack_bounds snw_stack_bounds_rest(const snw_mesh *mesh, snw_arena *arena);
/* A box round all of them. */
snw_box snw_stack_bounds_join(const snw_stack_bounds *bounds);

/* Where a stack takes its meshes over time: a box for each clip, one for all poses, and samples of the coefficients. */

typedef struct snw_motion_bounds {
	/* [mesh_count][clip_count], from the keys and three moments between any two; empty for a clip without, and for one that was
	 * not asked for. */
	snw_box **clips;
	bool *are_whole; /* [mesh_count]: no black box; else the boxes are of its points at these moments */
	/* [mesh_count]: the clips, and the character as it may be posed (snw_pose_set_shuffle), but for poses that a layer cannot
	 * be driven to, widened by as much as one half of these poses reaches beyond the other; empty with a black box. */
	snw_box *poses;
	/* What the stack drove its coefficients to. */
	uint32_t sample_count, d_count, e_count;
	double *d, *e;        /* [sample_count][d_count], [sample_count][e_count] */
	snw_interval *ranges; /* [d_count]: of channels; empty for a coefficient that a method drives */
} snw_motion_bounds;

/* With the boxes of one clip, or of all: SNW_NONE. */
snw_status snw_motion_bounds_make(const snw_scene *scene, const snw_stack *stack, uint32_t clip, const snw_task *task,
								  snw_arena *arena, snw_motion_bounds *bounds, snw_error *error);

/* ---- influence colours --------------------------------------------------------------------------------------------------- */

/* Influences as colours. Each joint of a skin has a colour that differs clearly from its neighbours' on the mesh, and each
 * point mixes its joints' colours by its weights (Kavan et al. 2007, figure 2). The influences are read from the skin programs
 * that a stack lowers to, so rigs, fitted blends and proxy joints are shown alike, without help from the method.
 *
 * Colours are linear light with sRGB's primaries, 0 to 1 (SNW_UNIT_COLOR). */

typedef struct snw_influence_colors {
	bool of_skeleton; /* all are joints of the skeleton; otherwise proxy joints of a layer */
	uint32_t joint_count;
	uint32_t moving_count; /* joints that move points */
	const double *joints;  /* [joint_count][3], in the arena given to snw_influence_colors_choose */
} snw_influence_colors;

/* Chooses the colours. Each joint gets the least used colour of an even set that differs enough from its neighbours' colours.
 * The result is deterministic. False if no layer of the stack blends. */
bool snw_influence_colors_choose(const snw_scene *scene, const snw_stack *stack, snw_arena *arena,
								 snw_influence_colors *colors);

/* Whether colours chosen for another stack also fit the joints of this one. So they stay the same from method to method, and
 * while weights are painted. */
bool snw_influence_colors_fit(const snw_influence_colors *colors, const snw_scene *scene, const snw_stack *stack);

/* The mixed colour of each point of a mesh, [point_count][3]; weights below 0 count as 0. False, with nothing written, if no
 * layer blends it. */
bool snw_influence_colors_mix(const snw_influence_colors *colors, const snw_scene *scene, const snw_stack *stack, uint32_t mesh,
							  double *mixes);
/* The same for a base skin, with the colours of the skeleton's joints. */
void snw_influence_colors_mix_skin(const snw_influence_colors *colors, const snw_scene *scene, const snw_mesh *skin,
								   double *mixes);

/* "influences of 31 joints", truncated to `bytes`. */
void snw_influence_colors_text(const snw_influence_colors *colors, char *text, size_t bytes);

#endif
