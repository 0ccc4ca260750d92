/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Baking: a stack, black boxes included, becomes what engines play within a budget, with its error known before anything is
 * written.
 *
 *   poses     frames of clips and shuffled poses, some of them held out, and a range of motion
 *   scenes    what the stack makes of them
 *   variants  skins of fewer influences, and of more helper joints, proxy joints and morph targets: fitted by the methods with
 *             the roles for it (snw_role), sized by the export, measured on the poses held out and over the range of motion
 *
 * The operator bake (operators/bake.c) puts the best one within the budget into the project.
 */
#ifndef SINEW_HOST_BAKE_BAKE_H
#define SINEW_HOST_BAKE_BAKE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "export/export.h"
#include "fit/fit.h"
#include "measure/measure.h"

/* What a baked skin may cost. */

typedef struct snw_budget {
	uint32_t influences; /* of a point */
	uint32_t joints;     /* that move points, helper joints and proxy joints included */
	uint32_t helpers;    /* helper joints */
	uint32_t proxies;    /* proxy joints of a mesh, in place of the rig's */
	uint32_t morphs;     /* morph targets of a mesh */
	uint64_t bytes;      /* of the glTF file; 0: any */
} snw_budget;

/* "influences=4,joints=80,helpers=24,proxies=40,morphs=8,bytes=2M": parts in any order, each at most once; others are 4, 255,
 * 0, 0, 0 and any. Bytes may end in k,
 * M or G. SNW_ERROR_ARGUMENT names the part and what is expected. */
snw_status snw_budget_parse(const char *text, snw_budget *budget, snw_error *error);

/* The inverse, with all parts; bytes only where they are limited. In `arena`. */
const char *snw_budget_text(const snw_budget *budget, snw_arena *arena);

enum { SNW_BAKE_LAYERS = 2 };  /* of a variant: the blend, and displacements above it */
#define SNW_BAKE_BLEND "baked" /* their names */
#define SNW_BAKE_MORPHS "baked-morphs"

typedef struct snw_bake_request {
	snw_budget budget;
	/* Whose file has to keep to the budget: what `sinew export --for ENGINE` writes; NULL: what it writes for any engine. */
	const snw_engine *engine;
	const char *method; /* as in snw_stack_options: the stack to bake; NULL: the whole */
	uint32_t clip_count;
	const uint32_t *clips; /* of the scene; none: its named poses */
	bool names_clips;      /* someone chose them; otherwise they are all that move joints */
} snw_bake_request;

/* An error of all meshes with skin weights together (snw_measure_together). */
typedef struct snw_bake_error {
	snw_measure all;
	uint32_t farthest;         /* which of them all.max_percent is of, and all.max_point */
	const snw_measure *meshes; /* of each: as snw_baked.meshes */
} snw_bake_error;

/* The errors of a skin. */
typedef struct snw_bake_errors {
	snw_bake_error stack; /* against the stack, at frames and shuffled poses that were held out */
	/* Against the ground truth, at the frames that were held out and have one; frame_count 0 without any. */
	snw_bake_error truth;
	snw_bake_error range; /* against the stack, with each joint alone at the ends of its range; frame_count 0 without a joint */
} snw_bake_errors;

/* A point of the curve of error over bytes. */
typedef struct snw_bake_variant {
	/* The limits of its fits. Each of `morphs` may be two morph targets in the file, one for each side of its weight. */
	uint32_t influences, helpers, proxies, morphs;
	/* What the file has; the joints include helpers and proxies. Proxies of a mesh: with any, no joint of the rig moves
	 * points. */
	uint32_t joint_count, helper_count, proxy_count, morph_count;
	uint64_t bytes; /* of the file, as it is exported by default */
	/* What a file of it loses in the clips, as snw_export_report has it: nodes cannot move as helper joints do below a joint
	 * that is scaled unevenly, and between keys they move otherwise than proxy joints. 0 without either. */
	double lost_erms, lost_max_percent;
	bool is_within; /* the budget */
	snw_bake_errors errors;
	double seconds; /* of its fits */
	uint32_t outcome_count;
	snw_fit_outcome outcomes[SNW_BAKE_LAYERS];
} snw_bake_variant;

typedef struct snw_baked {
	uint32_t mesh_count;
	/* That are measured: those with skin weights, but for rigid ones that any skin has right. The one with the most points is
	 * first, the others are in the scene's order. */
	const uint32_t *meshes;
	const char *const *mesh_names;
	uint32_t rig_joints; /* that move points before the bake; within a budget of fewer some are merged into others */
	const snw_bake_request *request;
	uint32_t fitted_frames, fitted_shuffles, held_frames, held_shuffles, range_count;
	const char *const *held_names;  /* [held_frames + held_shuffles]: "walk, frame 12", "shuffled pose 3" */
	const char *const *truth_names; /* of the held-out frames that have a ground truth */
	const char *const *range_names; /* [range_count]: what turns in each pose of the range, "elbow z +60" */
	snw_bake_errors source, plain;  /* of the stack (against itself: 0), and of plain linear blend */
	uint32_t variant_count, best;
	snw_bake_variant *variants;
} snw_baked;

/* The clips of a request that names none: those that move joints, in `arena`. */
void snw_bake_take_all_clips(const snw_scene *scene, snw_arena *arena, snw_bake_request *request);

/* "4 influences, 2 helpers, 1 morph", or proxies in place of helpers: the limits of a variant, and the morph targets of its
 * file. */
void snw_bake_variant_name(const snw_bake_variant *variant, char *name, size_t size);

/* "2 helpers, 1 morph": what it has beyond the influences, which all but the first ones have alike; "2 influences" without
 * either. */
void snw_bake_variant_parts(const snw_bake_variant *variant, char *name, size_t size);

/* Gives what the request leaves at 0 or NULL the values of the bake that the project has, if there is one: budget (with 0
 * influences), engine, method and clips. snw_engine_any() becomes NULL, whatever engine that bake named. What is then missing
 * is as snw_budget_parse and snw_bake_take_all_clips have it. In `arena`. */
void snw_bake_request_complete(const snw_scene *scene, snw_arena *arena, snw_bake_request *request);

/* What hinders a bake of the project, before any work: SNW_ERROR_CONFLICT if another layer has the name of a baked one, or if
 * all layers below a bake are muted, and it is muted too or does not say which it has read. */
snw_status snw_bake_check(const snw_scene *scene, snw_error *error);

/* Fits and measures the variants; all in `arena`, where the request has to be too. Of a project that is baked, the layers below
 * the bake are baked (fit/stale.h). The errors of snw_bake_check; SNW_ERROR_LIMIT if none is within the budget: the
 * message has the nearest one's size. SNW_CANCELLED if the task is stopped. */
snw_status snw_bake_run(const snw_scene *scene, const snw_registry *registry, const snw_bake_request *request,
						const snw_task *task, snw_arena *arena, snw_baked *baked, snw_error *error);

/* The scene with its layers muted and those of a variant on top. In a project that is baked already, these take the place of
 * the baked ones; layers above them stay. Shares the scene's data and the bake's. In `arena`. */
void snw_scene_after_bake(const snw_scene *scene, const snw_baked *baked, uint32_t variant, snw_arena *arena, snw_scene *after);

#endif
