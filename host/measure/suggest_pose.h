/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which pose to sculpt next: what one more example would buy, found by trying. A clip's target says what the mesh should look like
 * at each frame; frames are taken as examples, fitted, and the whole clip is measured.
 */
#ifndef SINEW_HOST_MEASURE_SUGGEST_POSE_H
#define SINEW_HOST_MEASURE_SUGGEST_POSE_H

#include "measure/measure.h"

typedef struct snw_suggest_request {
	uint32_t target;        /* with a clip behind it */
	const char *method;     /* a deformer's short name or id, that learns from examples */
	const snw_layer *layer; /* of that method, whose name and settings are used; NULL where there is none yet */
	uint32_t count;         /* of examples to choose, one after another */
} snw_suggest_request;

/* A frame of the clip, chosen with those before it in the list. */
typedef struct snw_suggestion {
	uint32_t frame; /* of the target */
	double seconds;
	double erms_there; /* of this frame alone, before it is an example */
	double erms;       /* of the whole clip, with it */
} snw_suggestion;

typedef struct snw_suggestions {
	double erms_now; /* of the clip, with the examples that there are */
	uint32_t example_count;
	double *erms_without; /* [example_count], in the scene's order: of the clip without it; NaN where it is of another mesh */
	uint32_t count;       /* at most as many as asked for: fewer where none that was tried helps any more */
	snw_suggestion *list;
} snw_suggestions;

/* A greedy choice: in each round the frames that are worst now, apart from one another, are tried, and the best is kept. A frame
 * joins every group of its mesh, under the mask of the group's first member; without groups, one of its own. `arena` holds the
 * result. SNW_CANCELLED where the task says so. */
snw_status snw_suggest(const snw_scene *scene, const snw_registry *registry, const snw_suggest_request *request,
					   const snw_task *task, snw_arena *arena, snw_suggestions *suggestions, snw_error *error);

#endif
