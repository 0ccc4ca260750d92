/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a scene and its stack to files that open elsewhere. The format follows from the extension; writes are atomic.
 */
#ifndef SINEW_HOST_EXPORT_EXPORT_H
#define SINEW_HOST_EXPORT_EXPORT_H

#include "base/task.h"
#include "stack/stack.h"

typedef struct snw_export_request {
	const char *path;     /* .glb, .gltf, .obj, .pc2, .mdd; a numbered OBJ sequence is a pattern with one star */
	uint32_t mesh;        /* for .obj, .pc2 and .mdd; SNW_NONE: the only one */
	uint32_t clip;        /* SNW_NONE: for caches the only one or an error; for glTF all of them */
	const snw_pose *pose; /* for one .obj */
	uint32_t influences;  /* glTF: 4 or 8 */
} snw_export_request;

/* What was lost on the way, known before the file is trusted. Lengths in percent of the rest diagonal. */
typedef struct snw_export_report {
	uint32_t dropped_influences;   /* how many were cut off */
	double truncation_max_percent; /* what that and the engine's linear blend cost, over the exported clips and poses */
	double truncation_erms;
	double folded_max_percent; /* what folding w into the morphs cost at its pose */
	uint32_t morph_count;
	uint32_t frame_count;
} snw_export_report;

snw_status snw_export(const snw_scene *scene, const snw_stack *stack, const snw_export_request *request, const snw_task *task,
					  snw_export_report *report, snw_error *error);

#endif
