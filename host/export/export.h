/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Export: writes a scene and its stack to files for other programs. The format follows from the path; writes are atomic.
 */
#ifndef SINEW_HOST_EXPORT_EXPORT_H
#define SINEW_HOST_EXPORT_EXPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "file/file.h"
#include "scene/scene.h"
#include "stack/stack.h"
#include "task/task.h"

/* ---- engines ------------------------------------------------------------------------------------------------------------- */

/* What engines play of a glTF file, as data. docs/engines.md gives the source of each figure. */

/* Their names: for help, and as choices. */
#define SNW_ENGINE_NAMES "three|babylon|bevy|filament|godot|unity|unreal|vrm|maya|roblox"

/* An engine. Limits are those of its usual glTF importer at its default settings. */
typedef struct snw_engine {
	const char *name;       /* "three": what `sinew export --for` takes */
	const char *label;      /* "three.js" */
	uint32_t influences;    /* of a point: 4 or 8 */
	uint32_t joints;        /* of a skin */
	uint32_t morphs;        /* morph targets of a mesh; UINT32_MAX: as many as the file has */
	bool clamps_weights;    /* of morph targets, to 0 to 1 */
	bool plays_in_betweens; /* several shapes on a channel of FBX */
} snw_engine;

/* The rows of the table, NULL after the last one. */
const snw_engine *snw_engines(uint32_t index);
/* NULL if no engine has that name. */
const snw_engine *snw_engine_find(const char *name);
/* What each of them plays: the limits of a file that names no engine. */
const snw_engine *snw_engine_any(void);

/* ---- exports ------------------------------------------------------------------------------------------------------------- */

typedef struct snw_export_report snw_export_report;

/* What proxy joints are below. */
typedef enum snw_export_hierarchy {
	SNW_HIERARCHY_SKELETON, /* the joint of the skeleton that moves most like it; flat without a skeleton */
	SNW_HIERARCHY_TREE,     /* one another: each the one that moves most like it; flat if they are affine */
	SNW_HIERARCHY_FLAT,     /* one node for a mesh */
} snw_export_hierarchy;

/* The weights of a skin. Steps of 1/255 are what packers and many engines store, so they have nothing left to round. */
typedef enum snw_export_weights {
	SNW_WEIGHTS_EXACT,
	SNW_WEIGHTS_BYTES,  /* in steps of 1/255 */
	SNW_WEIGHTS_CHOSEN, /* the same where that adds at most 2 % to the error and moves points by at most 0.02 % */
} snw_export_weights;

typedef struct snw_export_request {
	const char *path;
	FILE *stream;  /* of snw_export_binary; otherwise NULL */
	uint32_t mesh; /* this one alone; SNW_NONE: all, or the only one in a format of one mesh */
	/* For glTF and FBX: the meshes and joints of this character alone, with the clips that move some of them; NULL: of all. */
	const snw_character *character;
	uint32_t clip;        /* SNW_NONE: all clips; for formats of frames the only one, or an error */
	const snw_pose *pose; /* for formats of one pose; NULL: the rest pose */
	uint32_t influences;  /* for each point, for formats with skins: 4 or 8 */
	/* For formats with skins: the engine that has to play the file; NULL: any. A file that it does not play is refused. */
	const snw_engine *engine;
	snw_export_weights weights;     /* for formats with skins */
	snw_export_hierarchy hierarchy; /* for formats with skins: of proxy joints */
	bool compresses;                /* glTF: KHR_mesh_quantization and EXT_meshopt_compression */
	bool is_live;                   /* glTF: KHR_interactivity, a graph that computes the weights of pose spaces */
	double centimetres;             /* FBX: in a unit of the file; 0: 1 */
	bool joins_in_betweens;         /* FBX: in-betweens are on the channel of their shape, whatever the engine */
	bool unmeasured;                /* for formats with skins: the plan is made, but its playback is not measured */
	/* Set by a format without clips: what plays it computes the weights that the layers describe, at every pose; others stay as
	 * they are at rest. */
	bool plays_drives;
	/* Set by a format whose player blends dual quaternions of the skeleton's joints as well. */
	bool plays_dual_quaternions;
	/* glTF: meshes of the scene that are levels of detail of others, [mesh_count]: of which; SNW_NONE for one that is none.
	 * They are written as MSFT_lod, in the scene's order. NULL: no mesh is. */
	const uint32_t *level_of;
	const double *screen_shares; /* [mesh_count]: of the screen's height, up to which a level is shown */
	/* For formats of points: the ground truth in place of the stack's points. */
	bool is_source;
	/* For formats of frames. */
	double frames_per_second;        /* 0: the frames of the clip's target, or its keys */
	double from_seconds, to_seconds; /* the part of the clip; to_seconds 0: its end */
	/* For formats with skins: called with what the file will lose, before it is written. An error of it is that of the export,
	 * and nothing is written. May be NULL. */
	snw_status (*review)(void *context, const snw_export_report *report, snw_error *error);
	void *review_context;
} snw_export_request;

/* What the file loses. Lengths are in percent of the rest diagonal of the mesh, or of one metre if the mesh has no extent.
 *
 * For glTF and FBX, `playback` compares what an engine plays from the file (linear blend of the exported influences over morph
 * targets with the exported weights) with the stack: at the keys of the exported clips, between them if weights are baked, and
 * at the default pose. So it includes truncated influences, folded displacements and all that the format cannot represent. */
struct snw_export_report {
	uint32_t dropped_influences; /* that were truncated */
	/* Unless exact weights are asked for: whether the file's are in steps of 1/255; how far these move a point, at moments of
	 * the clips and at named poses; and the file's erms there with exact and with rounded weights. */
	bool has_rounded_weights;
	double rounding_max_percent, exact_erms, rounded_erms;
	double playback_max_percent; /* the largest distance */
	double playback_erms;        /* as in measure/measure.h, over all meshes */
	/* The same where the morph targets stay as the file has them: what an engine shows by itself of a file without clips, where
	 * nothing drives them. With clips, or without morph targets, as above. */
	double undriven_max_percent, undriven_erms;
	/* The same after a packer (plan/passes.h), at the moments of the clips; 0 without clips. */
	double packed_max_percent, packed_erms;
	/* The angles between the normals that an engine shows (those of the file, blended) and those of the stack's faces, degrees:
	 * root mean square and largest; NaN without faces. For files of points, between those of the file's faces and the
	 * stack's. */
	double playback_normals_degrees, playback_normals_max_degrees;
	/* Between the frames of a mesh animation, where the stack is the only reference; not included above. */
	double between_max_percent;
	/* Compared with the mesh animation at its frames, as the stack is too; erms is −1 without one. */
	double source_erms, source_max_percent, stack_source_erms;
	uint32_t folded_count;     /* displacements after the blend, exported as morph targets */
	double folded_max_percent; /* the error of that, each at its pose */
	/* The largest distances in metres, each over all meshes. */
	double rounding_max_metres, playback_max_metres, undriven_max_metres, packed_max_metres, between_max_metres,
		source_max_metres, folded_max_metres, inverted_again_max_metres;
	/* Sculpts that were inverted again for the file's blend, and the error of the file at them where correctives act. */
	uint32_t inverted_again_count;
	double inverted_again_max_percent;
	uint32_t refined_count; /* points of affine blends, exported as linear blend over refined rest points */
	uint32_t helper_count;  /* joints made for helpers of the blend, below those of the skeleton */
	uint32_t proxy_count;   /* joints made for palettes without joints, fitted under linear blend */
	uint32_t affine_count;  /* those that are affine: two nodes each, which represent any matrix */
	uint32_t mesh_count, skin_count, morph_count, clip_count;
	uint32_t most_morphs; /* of a mesh */
	uint64_t byte_count;  /* glTF, FBX: of the file */
	/* glTF, FBX: about how many bytes its morph targets take, and the frames of its meshes as a cache. */
	uint64_t morph_bytes, source_bytes;
	uint32_t frame_count; /* glTF, FBX: frames compared; caches: frames written */
	/* For formats of frames: the rate (0 if the times are uneven), and the times of the first and last frame. */
	double frame_rate, first_seconds, last_seconds;
};

/* Whether a file plays something else than the stack: what it adds is over 0.5 % of the diagonal somewhere, and, where there is
 * a mesh animation to learn from, over 1.5 times the stack's own error. */
bool snw_export_is_far_off(const snw_export_report *report);

/* A format: a row of the table that export/formats lists. */
typedef struct snw_export_format {
	snw_file_format file;
	snw_status (*write)(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request, const snw_task *task,
						snw_export_report *report, snw_error *error);
} snw_export_format;

typedef struct snw_vectors_report {
	uint32_t pose_count, joint_count, coefficient_count, helper_count;
	uint64_t byte_count;
} snw_vectors_report;

/* The rows of the table. */
const snw_file_format *snw_export_formats(uint32_t index);

/* On any error, SNW_CANCELLED included, the file at `path` is unchanged. Layers that glTF cannot represent (a blend that is not
 * linear, a black box) are left out with a notice and measured in the report; SNW_ERROR_UNSUPPORTED if nothing useful
 * remains. */
snw_status snw_export(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request, const snw_task *task,
					  snw_export_report *report, snw_error *error);

/* Test vectors for players: poses, and what the stack's descriptions make of them (docs/pose-space.md). The request is that of
 * the glTF file to be played; its path is the vectors'. SNW_ERROR_MISSING if no layer says how the pose drives it. */
snw_status snw_export_vectors(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request,
							  const snw_task *task, snw_vectors_report *report, snw_error *error);

/* A binary glTF of the stack, into the request's stream; without one, only its report, with the size that it would have. The
 * request's path is not read. */
snw_status snw_export_binary(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request,
							 const snw_task *task, snw_export_report *report, snw_error *error);

/* What a glTF file of the stack would lose, without writing one; the request's path is not read. */
snw_status snw_export_losses(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request,
							 const snw_task *task, snw_export_report *report, snw_error *error);

/* ---- files of points ----------------------------------------------------------------------------------------------------- */

/* Writes one mesh as Wavefront .obj for a sculpting program: points and polygons in order, UVs and custom normals of the
 * corners, with nine digits, so that coordinates are read back as the same floats. */

/* `points` [point_count][3] replaces the rest points. Custom normals belong to the rest pose, so they are written only if
 * `points` is NULL. Atomic. */
snw_status snw_export_obj(const char *path, const snw_mesh *mesh, const double *points, snw_error *error);

/* Writes mesh animations as point caches, frame by frame: .pc2 (little-endian, evenly spaced) and .mdd (big-endian, with
 * times). */

typedef enum snw_cache_kind { SNW_CACHE_PC2, SNW_CACHE_MDD } snw_cache_kind;
typedef struct snw_cache_write snw_cache_write;

/* `seconds` [frame_count] is written to .mdd only. `path` is unchanged until the commit. SNW_ERROR_LIMIT for counts that the
 * formats cannot hold. */
snw_status snw_cache_begin(const char *path, snw_cache_kind kind, uint32_t point_count, uint32_t frame_count,
						   const double *seconds, snw_cache_write **cache, snw_error *error);
/* Writes the next frame, [point_count][3]. A write error is reported by the commit. */
void snw_cache_frame(snw_cache_write *cache, const float *points);
/* Call it after exactly frame_count frames. Frees `cache` even if it fails. */
snw_status snw_cache_commit(snw_cache_write *cache, snw_error *error);
void snw_cache_abandon(snw_cache_write *cache); /* NULL does nothing */

#endif
