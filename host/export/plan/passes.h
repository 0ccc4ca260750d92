/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a plan is made, pass by pass, in this order:
 *
 *   plan         meshes, clips, and the program that stands for each mesh's stack
 *   affine_blend an affine blend becomes a linear one over a refined rest
 *   proxy_joints a palette that is not the joints' gets joints
 *   influences   the largest influences of each point, normalised
 *   targets      rest displacements become morph targets, and fold_displacements those that act after the blend
 *   invert_again sculpts, where the file does not play what they were inverted through
 *   weights      morph weights over clips: kept as they came, or sampled
 *   thin_weights as few keys of the samples as say the same
 *   shapes       what is written of the targets
 *   proxy_joints tracks of the proxy joints, fitted under linear blend (palette_fit)
 *   playback_error  what an engine plays from all that, against the stack
 */
#ifndef SINEW_HOST_EXPORT_PLAN_PASSES_H
#define SINEW_HOST_EXPORT_PLAN_PASSES_H

#include "export/plan/plan.h"

/* Poses that are looked at before anything is decided: that of the nodes, the scene's (examples have theirs among them) and some
 * moments of each exported clip. */
typedef struct snw_plan_probes {
	uint32_t count;
	const snw_pose **poses;
} snw_plan_probes;

/* Drives the stack at a pose; the view is in `arena`. */
snw_status snw_plan_drive(const snw_plan *plan, const snw_pose *pose, snw_arena *arena, const snw_pose_view **view,
						  snw_error *error);
/* The weights of all targets as driven last. */
void snw_plan_driven_weights(const snw_plan *plan, double *weights);
/* The moments of one of the scene's clips that the file is made and measured at: the clip's, and where joints are fitted the frames
 * of its targets too. */
void snw_plan_moments(const snw_plan *plan, uint32_t clip, snw_arena *arena, double **seconds, uint32_t *count);

/* An affine blend gets the linear one over a refined rest that comes nearest to it over what is exported. */
snw_status snw_plan_fit_affine_blends(snw_plan *plan, snw_error *error);
/* The file's rig, with a joint for each slot of the palettes that are not the joints'. */
snw_status snw_plan_add_proxies(snw_plan *plan, snw_error *error);
/* Chooses and keeps the influences of a mesh. */
snw_status snw_plan_keep_influences(snw_plan *plan, snw_plan_mesh *mesh, snw_error *error);
/* A mesh that follows one slot becomes rigid, unless it has morph targets. */
void snw_plan_place_rigid_meshes(snw_plan *plan);
/* The morph targets of a mesh, with their names. */
snw_status snw_plan_add_targets(snw_plan *plan, snw_plan_mesh *mesh, const snw_plan_probes *probes, snw_error *error);
/* Folds one segment's posed displacements into the first `rest_targets` targets, which act as they do, or new ones. */
snw_status snw_plan_fold(snw_plan *plan, snw_plan_mesh *mesh, uint32_t segment, uint32_t rest_targets,
						 const snw_plan_probes *probes, snw_error *error);

/* Inverts the sculpts again, through what the file plays, on meshes where that is not what the stack plays. */
snw_status snw_plan_invert_again(snw_plan *plan, snw_error *error);
/* The displacement of a rest point under `a`, the matrix of its blend, that moves it by `posed`: (AᵀA + λ² I)⁻¹ Aᵀ posed with λ this
 * part of A's mean stretch. Returns the length of what is left over. */
double snw_plan_invert_blend(const double a[12], const double posed[3], double regularisation, double vector[3]);
/* Adds vectors to a target that has others already: both lists of points ascend. */
void snw_plan_add_to_target(const snw_plan *plan, snw_plan_target *target, uint32_t count, const uint32_t *points,
							const double *vectors);

snw_status snw_plan_sample_weights(snw_plan *plan, snw_error *error);
/* Chooses the samples that are written; how far each weight may be off in between, [weight_count]. */
void snw_plan_thin_weights(snw_plan *plan, const double *tolerances);
/* Chooses what is written of every mesh's targets, from the weights they reach. */
void snw_plan_choose_shapes(snw_plan *plan);
/* Tracks of the proxy joints over all clips, each moment fitted under linear blend to what the stack shows. */
snw_status snw_plan_fit_proxies(snw_plan *plan, snw_error *error);

/* What moves a mesh in the file, [slots][12] from the mesh's first slot on, at a moment of one of the plan's clips; SNW_NONE: as
 * the file stands. `view` is that moment's pose. */
const double *snw_plan_palette(const snw_plan *plan, const snw_plan_mesh *mesh, uint32_t clip, double seconds,
							   const snw_pose_view *view, snw_arena *arena);
/* The rest with its morph targets at these weights, [point_count][3]. */
void snw_plan_morph(const snw_plan_mesh *mesh, const double *weights, double *points);
snw_status snw_plan_measure_playback(snw_plan *plan, snw_error *error);

/* bounds.c: of each mesh, once its playback is measured. */
snw_status snw_plan_find_bounds(snw_plan *plan, snw_error *error);

#endif
