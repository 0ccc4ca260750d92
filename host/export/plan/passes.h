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

#include <stdbool.h>

#include "base/arena.h"
#include "export/plan/plan.h"
#include "sinew/view.h"

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

/* Inverts the sculpts again for the file's blend, on meshes where it differs from the stack's. */
snw_status snw_plan_invert_again(snw_plan *plan, snw_error *error);
/* The displacement of a rest point that moves it by `posed` under `a`, the matrix of its blend: (AᵀA + λ² I)⁻¹ Aᵀ posed, with λ
 * this part of A's mean stretch. Returns the length of the residual. */
double snw_plan_invert_blend(const double a[12], const double posed[3], double regularisation, double vector[3]);
/* Adds vectors to those of a morph target. Both lists of points are ascending. */
void snw_plan_add_to_morph(const snw_plan *plan, snw_plan_morph *morph, uint32_t count, const uint32_t *points,
						   const double *vectors);

snw_status snw_plan_sample_weights(snw_plan *plan, snw_error *error);

/* An imported weight beyond 0 to 1 by no more keeps its morph target whole: captured faces have such noise at both ends of
 * every morph target. */
#define SNW_PLAN_CHANNEL_CLAMPED 2e-3

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

/* shapes.c: of each mesh, once its playback is measured. */
snw_status snw_plan_find_bounds(snw_plan *plan, snw_error *error);

/* ---- packing ------------------------------------------------------------------------------------------------------------- */

/* What is left of a file after a packer, so that an export can say it before anybody packs. The packer is gltfpack at its
 * defaults, with -c; others round less. It has
 *
 *   points               rest and morph targets: on one grid of 14 bits for all meshes
 *   weights of a skin    in bytes, which they are already if the plan has rounded them
 *   tracks               30 keys per second with lines between them, rotations in 12 bits, weights of morph targets in bytes */

typedef struct snw_packing snw_packing;

/* For a finished plan; in `arena`. */
snw_packing *snw_packing_make(const snw_plan *plan, snw_arena *arena);

/* One moment of a packed clip. */
typedef struct snw_packed_moment {
	const double *shape_weights; /* of all meshes, mesh by mesh */
	const double **palettes;     /* [mesh_count], as of snw_plan_palette */
} snw_packed_moment;

/* Drives the plan's evaluation to other moments. */
snw_status snw_packing_at(const snw_packing *packing, uint32_t clip, double seconds, snw_arena *arena,
						  snw_packed_moment *moment, snw_error *error);

/* The packed rest points with the morph targets at a moment's weights, [point_count][3]. */
void snw_packing_morph(const snw_packing *packing, uint32_t mesh, const snw_packed_moment *moment, double *points);

/* The plan's mesh with packed weights. */
const snw_plan_mesh *snw_packing_skin(const snw_packing *packing, uint32_t mesh);

/* ---- playback normals ---------------------------------------------------------------------------------------------------- */

/* The normals that an engine shows when it plays the file: those at rest with the changes that the morph targets bring,
 * rotated by the blended matrix of their point. The file's custom corner normals rotate alike and are not looked at. */

typedef struct snw_played_normals snw_played_normals;

/* For a mesh whose shapes are chosen; in `arena`. NULL for a mesh without faces. */
snw_played_normals *snw_played_normals_make(const snw_plan_mesh *mesh, snw_arena *arena);

/* The points whose faces a shape rotates at rest, ascending: a shape's changes of normals (plan.h) are in this order. */
typedef struct snw_rotated_points {
	uint32_t count;
	const uint32_t *points;
} snw_rotated_points;
snw_rotated_points snw_played_normals_rotated(const snw_played_normals *played, uint32_t shape);

/* The normals at rest with what the shapes add at these weights [shape_count], [point_count][3]. Valid until the next call. */
const float *snw_played_normals_at_rest(snw_played_normals *played, const double *weights);

/* ---- affine nodes -------------------------------------------------------------------------------------------------------- */

/* Represents an affine joint by two nodes. A node has a translation, a rotation and a scale, but no shear. A node with
 * rotation U and scale S and a child with rotation Vᵀ make A = U S Vᵀ, the singular value decomposition.
 *
 * It is not unique: the singular values can be in any order, pairs of signs can change, and the axes of equal values can
 * rotate. Between two keys, engines interpolate U, S and V. So the decomposition of each key is the one whose U and V are
 * nearest to those of the previous key. Where the values are nearly equal, V turns by far for a small change of the matrix:
 * there V is held. */

typedef struct snw_affine_nodes {
	snw_transform outer; /* translation, U, S */
	double inner[4];     /* Vᵀ, the rotation of the child */
} snw_affine_nodes;

/* `before`: the previous key; NULL for the first. A mirroring matrix gets a negative scale. */
void snw_affine_nodes_make(const double matrix[12], const snw_affine_nodes *before, snw_affine_nodes *nodes);

/* The nearest nodes with that inner rotation: exact if it is one of the matrix's own, or if the matrix hardly stretches. */
void snw_affine_nodes_hold(const double matrix[12], const double inner[4], snw_affine_nodes *nodes);

/* The matrix of the two nodes. */
void snw_affine_nodes_matrix(const snw_affine_nodes *nodes, double matrix[12]);

/* ---- joint tracks -------------------------------------------------------------------------------------------------------- */

/* Tracks of the joints that a file adds to the character's: helper joints and proxy joints. An engine moves a node along a
 * line between two keys, and what the stack does there is no line. So keys are added where the middle is off, and those are
 * left out that the lines between others pass by. "Off" is the root mean square distance over the points that a joint moves. */

typedef struct snw_added_joints {
	uint32_t count;
	bool are_affine;       /* two nodes each; otherwise what one node can hold of a matrix */
	const double *moments; /* [count][16]: snw_added_joint_moments */
	double tolerance;      /* metres */
	double between_frames; /* the same between the frames of a clip without tracks, which has its truth at them alone */
	/* The matrices of all at the last driven pose, [count][12]: from joint space to that of the node above. */
	void (*read)(const void *context, const snw_pose_view *view, double *matrices);
	const void *context;
} snw_added_joints;

/* The times at which joints are sampled over one of the plan's clips, each a float: the clip's moments and more, so that lines
 * between them are near everywhere. In the plan's arena. */
snw_status snw_plan_choose_keys(const snw_plan *plan, uint32_t clip, const snw_added_joints *joints, double **seconds,
								uint32_t *count, snw_error *error);

/* The tracks of one joint from its matrices at those times, [count][joints->count][12]. A track of scales that are all 1 has no
 * keys, but for affine joints. Targets are `node`, and the next for the inner rotation. In `arena`. */
void snw_added_joint_tracks(const snw_added_joints *joints, uint32_t joint, uint32_t node, uint32_t count,
							const double *seconds, const double *matrices, snw_arena *arena, snw_track *tracks);

/* Σ w (r, 1)(r, 1)ᵀ / Σ w over the points that slots `first` to first + count of the file move, in the spaces of their joints;
 * 0 without points. [count][16], in the plan's arena. */
double *snw_added_joint_moments(const snw_plan *plan, uint32_t first, uint32_t count);

/* ---- palette fit --------------------------------------------------------------------------------------------------------- */

/* Fits a palette under linear blend at one moment: the transforms of proxy joints that move rest points nearest to given
 * positions. Each joint is rigid or affine.
 *
 * With v̂ = (x − c_j, 1), G_jk = Σ w_j w_k v̂_j v̂_kᵀ and D_j = Σ w_j v' v̂_jᵀ, the sum of squares is tr(A G Aᵀ) − 2 tr(A
 * Dᵀ) + const over all joints' A_j, independent of the number of points. Affine A are solved by conjugate gradients;
 * rotations one joint after the other, each optimal with the others fixed (the orthogonal Procrustes problem). */

/* The exported influences, [point_count][width]; unused ones have weight 0. Slots index the joints. */
typedef struct snw_palette_skin {
	uint32_t point_count, joint_count, width;
	const uint32_t *slots;
	const float *weights;
	double *centres;          /* [joint_count][3]: the joints' rest positions */
	uint32_t *offsets, *near; /* [joint_count + 1]; the joints that share points with each, itself included, ascending */
} snw_palette_skin;

/* Computes centres and neighbours from slots, weights and rest points. */
void snw_palette_skin_finish(snw_palette_skin *skin, const double *points_rest, snw_arena *arena);

/* One moment. */
typedef struct snw_palette_fit {
	const snw_palette_skin *skin;
	bool affine;               /* joints are affine; otherwise they are rigid */
	const double *points_rest; /* [point_count][3], displaced as at that moment */
	const double *points;      /* [point_count][3]: the given positions */
	/* [point_count][3]: the normals of the faces for each, for affine joints; NULL for a mesh without faces. */
	const float *normals_rest, *normals;
	/* [joint_count][12]: on entry, initial matrices from rest to posed space. On return if `affine`: from the joints'
	 * centres. */
	double *matrices;
	snw_transform *joints; /* [joint_count], set if rigid: the transform of each joint, whose rest position is its centre */
} snw_palette_fit;

/* Can be called for several moments at the same time. */
void snw_palette_fit_solve(snw_palette_fit *moment);
/* The sum of the squared distances of the points from the given positions, once it is solved. */
double snw_palette_fit_residual(const snw_palette_fit *moment);

#endif
