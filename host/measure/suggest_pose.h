/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which pose to sculpt next: how much one more example would reduce the error of a clip, found by trial. The clip's target
 * is the ground truth; its frames are added as examples, fitted, and the whole clip is measured.
 */
#ifndef SINEW_HOST_MEASURE_SUGGEST_POSE_H
#define SINEW_HOST_MEASURE_SUGGEST_POSE_H

#include "measure/measure.h"

typedef struct snw_suggest_request {
	uint32_t target;        /* a target of a clip */
	const char *method;     /* a deformer's short name or id; it must learn from examples */
	const snw_layer *layer; /* a layer of that method, whose name and settings are used; NULL if there is none */
	uint32_t count;         /* how many examples to choose, one after another */
} snw_suggest_request;

/* A frame of the clip. Its figures include the frames before it in the list. */
typedef struct snw_suggestion {
	uint32_t frame; /* of the target */
	double seconds;
	const char *pose;   /* "walk:1.25" */
	double erms_before; /* of this frame alone, before it is added */
	double erms;        /* of the whole clip, afterwards */
	uint32_t group_count;
	const char **groups; /* those that the example joins */
} snw_suggestion;

typedef struct snw_suggestions {
	double erms; /* of the clip, with the scene's examples */
	uint32_t example_count;
	const char **examples; /* [example_count]: their names */
	/* [example_count], in the scene's order: of the clip without this example; NaN for examples of other meshes. */
	double *erms_without;
	uint32_t count; /* at most the requested number: fewer if no tried frame reduces the error */
	snw_suggestion *list;
} snw_suggestions;

/* A greedy search: each round tries the frames with the largest errors, at some distance from each other, and keeps the best. A
 * frame joins every group of its mesh whose joints it moves elsewhere than the group's examples do, under the mask of the
 * group's first member; if there is none, a new one. A frame that the method cannot fit is skipped. The result is in `arena`.
 * SNW_CANCELLED if the task is stopped. */
snw_status snw_suggest(const snw_scene *scene, const snw_registry *registry, const snw_suggest_request *request,
					   const snw_task *task, snw_arena *arena, snw_suggestions *suggestions, snw_error *error);

#endif
