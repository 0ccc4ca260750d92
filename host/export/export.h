/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a scene and its stack to files that open elsewhere. The format follows from the path; writes are atomic.
 */
#ifndef SINEW_HOST_EXPORT_EXPORT_H
#define SINEW_HOST_EXPORT_EXPORT_H

#include "base/task.h"
#include "file/file_format.h"
#include "stack/stack.h"

typedef struct snw_export_request {
	const char *path;
	uint32_t mesh;        /* for formats that hold one; SNW_NONE: the only one */
	uint32_t clip;        /* SNW_NONE: all of them; for formats that hold frames the only one, or an error */
	const snw_pose *pose; /* for formats that hold one; NULL: the rest */
	uint32_t influences;  /* at a point, for formats that hold a skin: 4 or 8 */
	/* For formats that hold frames. */
	double frames_per_second;        /* 0: the frames of the clip's target, or its keys */
	double from_seconds, to_seconds; /* the part of the clip; to_seconds 0: to its end */
} snw_export_request;

/* What was lost on the way, known before the file is trusted. Lengths in percent of the rest diagonal of the mesh, or of one
 * metre where the mesh has no extent. For glTF,
 * `playback` compares what an engine plays from the file (linear blend of the kept influences over morph targets with the
 * exported weights) with the stack's truth, at the exported clips' keys, between them where weights are baked, and at the
 * default pose: truncated influences, folded displacements and all that glTF cannot say are in it. */
typedef struct snw_export_report {
	uint32_t dropped_influences; /* how many were cut off */
	double playback_max_percent; /* the largest distance */
	double playback_erms;        /* as in measure/measure.h, over all meshes */
	/* Between the frames of a mesh animation, where only the stack says what is right; not in the figures above. */
	double between_max_percent;
	/* Against the animation itself, at its frames; erms −1 where there is none. */
	double source_erms, source_max_percent;
	uint32_t folded_count;     /* displacements after the blend that became morph targets before it */
	double folded_max_percent; /* what folding them cost, each at its own pose */
	/* Sculpts that were inverted again, through what the file plays, and how far the file is from them where correctives act. */
	uint32_t inverted_again_count;
	double inverted_again_max_percent;
	uint32_t refined_count; /* points of affine blends, which play as linear blend over a refined rest */
	uint32_t proxy_count;   /* joints made for palettes that were none: fitted under linear blend, whatever the stack's */
	uint32_t affine_count;  /* those that are affine, written as two nodes each, which hold any matrix */
	uint32_t mesh_count, skin_count, morph_count, clip_count;
	uint32_t frame_count; /* glTF: compared; caches: written */
	/* Of files of frames: how many a second (0: they are not even), and the times of the first and last. */
	double frame_rate, first_seconds, last_seconds;
} snw_export_report;

/* A format: a row of the table that export/formats lists. */
typedef struct snw_export_format {
	snw_file_format file;
	snw_status (*write)(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request, const snw_task *task,
						snw_export_report *report, snw_error *error);
} snw_export_format;

/* The rows of the table. */
const snw_file_format *snw_export_formats(uint32_t index);

/* SNW_CANCELLED, like any error, leaves what was at `path` as it was. What glTF cannot say of a stack (a blend that is not linear,
 * a black box) is left out with a notice and counted in the report; SNW_ERROR_UNSUPPORTED where nothing sensible is left. */
snw_status snw_export(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request, const snw_task *task,
					  snw_export_report *report, snw_error *error);

#endif
