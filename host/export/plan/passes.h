/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The passes that make a plan, in this order:
 *
 *   plan            meshes, clips, and the program that represents each mesh's stack
 *   affine_blend    an affine blend becomes a linear one over refined rest points
 *   helper_joints   joints for slots behind the skeleton's
 *   proxy_joints    joints for a palette that is not the skeleton's
 *   proxy_hierarchy a tree of them, if the request wants one
 *   influences      the largest influences of each point, normalised
 *   skins           the slots of each skin
 *   morphs          rest displacements become morph targets, and fold_displacements those that act after the blend
 *   descriptions    which of them a layer describes the drive of
 *   invert_again    sculpts, if the file's blend differs from the stack's
 *   weights         morph weights over clips: as imported, or sampled
 *   thin_weights    the fewest keys that represent the samples
 *   shapes          the morph targets as they are written
 *   helper_joints   their tracks
 *   proxy_joints    tracks of the proxy joints, fitted under linear blend (palette_fit); keys of both are joint_tracks'
 *   round_weights   the weights in steps of 1/255, if the request wants that or it costs next to nothing
 *   round_points    rest points and morph targets as a compressed file holds them
 *   fit_normals     what is added to the normals of morph targets, so that they are right when an engine has rotated them
 *   playback_error  the difference between what an engine plays and the stack
 */
#ifndef SINEW_HOST_EXPORT_PLAN_PASSES_H
#define SINEW_HOST_EXPORT_PLAN_PASSES_H

#include "export/plan/plan.h"

/* Poses that are checked before decisions: the pose of the nodes, the scene's poses (also those of examples), and some moments
 * of each exported clip. */
typedef struct snw_plan_probes {
	uint32_t count;
	const snw_pose **poses;
} snw_plan_probes;

/* The passes that take long, in this order. */
typedef enum snw_plan_stage {
	SNW_PLAN_FITS_BLENDS,
	SNW_PLAN_SAMPLES_WEIGHTS,
	SNW_PLAN_FITS_JOINTS,
	SNW_PLAN_MEASURES,
	SNW_PLAN_FINDS_BOUNDS,
	SNW_PLAN_STAGE_COUNT
} snw_plan_stage;

/* Reports how much of a stage is done, from 0 to 1; false to stop. The progress of the whole export never falls. */
bool snw_plan_progress(const snw_plan *plan, snw_plan_stage stage, double fraction);
/* Drives the stack at a pose; the view is in `arena`. */
snw_status snw_plan_drive(const snw_plan *plan, const snw_pose *pose, snw_arena *arena, const snw_pose_view **view,
						  snw_error *error);
/* The weights of all morph targets at the last driven pose. */
void snw_plan_driven_weights(const snw_plan *plan, double *weights);
/* The moments of a clip of the scene that are exported and measured: those of the clip and, if joints are fitted, the frames of
 * its morph targets. */
void snw_plan_moments(const snw_plan *plan, uint32_t clip, snw_arena *arena, double **seconds, uint32_t *count);

/* Replaces affine blends by the nearest linear blends over refined rest points, for the exported moments. */
snw_status snw_plan_fit_affine_blends(snw_plan *plan, snw_error *error);
/* Finds the helper joints of the stack's blend; later adds them to the file's rig, and samples their tracks. */
void snw_plan_find_helpers(snw_plan *plan);
snw_status snw_plan_add_helpers(snw_plan *plan, snw_error *error);
snw_status snw_plan_sample_helpers(snw_plan *plan, snw_error *error);
/* From a helper's space to that of its parent, at the last driven pose: its node's matrix. */
void snw_plan_helper_matrix(const snw_plan *plan, const snw_pose_view *view, uint32_t helper, double matrix[12]);
/* A moment of a clip. A packer has keys of its own: its tracks are on the line between those around the moment. */
typedef struct snw_plan_instant {
	double seconds;
	bool is_packed;
	double before, after; /* the keys' times in the clip */
	double fraction;      /* 0: `before`, 1: `after` */
} snw_plan_instant;

/* The value of a track. */
void snw_plan_sample_track(const snw_track *track, const snw_plan_instant *at, double value[4]);

/* As snw_plan_palette, of a mesh without proxy joints: [the scene's slot_count + helper_count][12]. Outside clips helpers move
 * as the pose has them. */
const double *snw_plan_helper_palette(const snw_plan *plan, uint32_t clip, const snw_plan_instant *at,
									  const snw_pose_view *view, snw_arena *arena);
/* Makes the file's rig, with a joint for each slot of palettes that are not the skeleton's. */
snw_status snw_plan_add_proxies(snw_plan *plan, snw_error *error);
/* Below which joints the proxies of a mesh are. */
snw_status snw_plan_group_proxies(snw_plan *plan, snw_plan_mesh *mesh, snw_error *error);
/* The matrices of a mesh's proxies at the last driven pose, [proxy_count][12]. */
void snw_plan_read_proxies(const snw_plan *plan, const snw_plan_mesh *mesh, double *matrices);
/* Whether matrices [count][12] only rotate and translate. */
bool snw_plan_is_rigid(const double *matrices, uint32_t count);
/* Chooses the influences of a mesh. */
snw_status snw_plan_keep_influences(snw_plan *plan, snw_plan_mesh *mesh, snw_error *error);
/* A mesh that follows one slot becomes rigid, unless it has morph targets. */
void snw_plan_place_rigid_meshes(snw_plan *plan);
/* Groups the slots of meshes into skins. */
void snw_plan_group_skins(snw_plan *plan);
/* The morph targets of a mesh, with their names. */
snw_status snw_plan_add_morphs(snw_plan *plan, snw_plan_mesh *mesh, const snw_plan_probes *probes, snw_error *error);
/* Folds one segment's posed displacements into those of the first `rest_morphs` morph targets that have the same weights, or
 * new ones. */
snw_status snw_plan_fold(snw_plan *plan, snw_plan_mesh *mesh, uint32_t segment, uint32_t rest_morphs,
						 const snw_plan_probes *probes, snw_error *error);

/* Finds the morph targets that a layer describes the drive of. */
void snw_plan_find_described(snw_plan *plan);

/* Inverts the sculpts again for the file's blend, on meshes where it differs from the stack's. */
snw_status snw_plan_invert_again(snw_plan *plan, snw_error *error);
/* The displacement of a rest point that moves it by `posed` under `a`, the matrix of its blend: (AᵀA + λ² I)⁻¹ Aᵀ posed, with λ
 * this part of A's mean stretch. Returns the length of the residual. */
double snw_plan_invert_blend(const double a[12], const double posed[3], double regularisation, double vector[3]);
/* Adds vectors to those of a morph target. Both lists of points are ascending. */
void snw_plan_add_to_morph(const snw_plan *plan, snw_plan_morph *morph, uint32_t count, const uint32_t *points,
						   const double *vectors);

snw_status snw_plan_sample_weights(snw_plan *plan, snw_error *error);
#define SNW_PLAN_CLAMPED 1e-6 /* a weight beyond 0 to 1 by no more is clamped without a loss */
/* An imported weight beyond 0 to 1 by no more keeps its morph target whole: captured faces have such noise at both ends of
 * every morph target. */
#define SNW_PLAN_CHANNEL_CLAMPED 2e-3
/* Chooses the samples that are written. `tolerances` [weight_count] are for the weights between them. */
void snw_plan_thin_weights(snw_plan *plan, const double *tolerances);
/* Chooses the shapes of every mesh's morph targets, from the range of their weights. */
void snw_plan_choose_shapes(snw_plan *plan);
/* Rounds the weights of all meshes to steps of 1/255, as the request has it. Nothing else of the plan changes. */
snw_status snw_plan_round_weights(snw_plan *plan, snw_error *error);
/* For a compressed file, before its playback is measured. */
void snw_plan_round_points(snw_plan *plan);
/* Fits tracks of the proxy joints over all clips, each moment to the points of the stack under linear blend. */
snw_status snw_plan_fit_proxies(snw_plan *plan, snw_error *error);

/* The palette of a mesh in the file, [slots][12] from the mesh's first slot on, at a moment of one of the plan's clips
 * (SNW_NONE: in the pose of the nodes, and `at` is not read). `view` is that moment's pose. */
const double *snw_plan_palette(const snw_plan *plan, const snw_plan_mesh *mesh, uint32_t clip, const snw_plan_instant *at,
							   const snw_pose_view *view, snw_arena *arena);
/* The rest points with the morph targets at these weights, [point_count][3]. */
void snw_plan_apply_morphs(const snw_plan_mesh *mesh, const double *weights, double *points);
/* Fits the morph targets' changes of normals. SNW_OK or SNW_CANCELLED. */
snw_status snw_plan_fit_normals(snw_plan *plan);
/* Where the file puts a point of a skin. */
void snw_plan_play_point(const snw_plan_mesh *mesh, const double *palette, uint32_t point, const double rest[3],
						 double posed[3]);
snw_status snw_plan_measure_playback(snw_plan *plan, snw_error *error);

/* bounds.c: of each mesh, once its playback is measured. */
snw_status snw_plan_find_bounds(snw_plan *plan, snw_error *error);

#endif
