/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Examples that push a mesh out of others, over clips: a shirt out of the body.
 *
 * They are at the fewest poses of the clips that leave nothing deeper than asked. All frames constrain all of them at once
 * (contact/contact.h): one pose cleared after another makes the frames between them worse. Frames of other clips ask that
 * nothing is deeper there than before. The corrective that learns from examples is fitted on trial, for the coefficients with
 * which it interpolates them; at rest they are 0. Where joints of both sides bend the mesh, each side has a group of its own.
 *
 * Only points that went through their own patch can be pushed out (measure/contact_moments.h). The layers below the corrective
 * must be affine at each point: SNW_ERROR_UNSUPPORTED.
 */
#ifndef SINEW_HOST_EXAMPLE_PUSH_OUT_H
#define SINEW_HOST_EXAMPLE_PUSH_OUT_H

#include "example/sculpts.h"
#include "measure/contact_moments.h"

typedef struct snw_push_request {
	uint32_t mesh; /* the only one that changes */
	uint32_t other_count;
	const uint32_t *others;
	uint32_t clip_count;
	const uint32_t *clips;
	uint32_t most_poses;
	double deepest;   /* metres: no pose more is added if nothing is deeper */
	double most;      /* no point goes farther, metres */
	double clearance; /* how far the mesh stays away, metres; half as far as at rest where that is less */
} snw_push_request;

/* Contact at the moments of some clips, metres. Depths are of points that went through their own patch. */
typedef struct snw_push_figures {
	double deepest, median; /* the median is of the moments' deepest */
	double outside_folds;   /* the deepest where none of the other meshes folds into itself */
	double share;           /* of the points, the mean over the moments */
	double inside;          /* the deepest in another part, which no push repairs */
} snw_push_figures;

typedef struct snw_push_clip {
	uint32_t clip;
	bool is_asked;
	snw_push_figures before, after;
} snw_push_clip;

typedef struct snw_pushed_example {
	snw_sculpt_commit commit;
	uint32_t moved_count;
	double most; /* metres */
} snw_pushed_example;

typedef struct snw_pushed_out {
	uint32_t count; /* 0: nothing is deeper than asked */
	snw_pushed_example *examples;
	snw_push_figures before, after; /* over the clips that were asked for */
	double most;                    /* the largest move at any moment, metres */
	double still_deepest;           /* what one displacement for all moments would leave; NAN: one pose is enough */
	uint32_t clip_count;
	snw_push_clip *clips; /* all that move joints */
} snw_pushed_out;

/* Changes nothing. All in `arena`. SNW_ERROR_MISSING if no clip has a moment at which a pose can be added. */
snw_status snw_push_out_find(const snw_scene *scene, const snw_registry *registry, const snw_push_request *request,
							 const snw_task *task, snw_arena *arena, snw_pushed_out *pushed, snw_error *error);

/* Within an open command: puts the examples; where no layer learns from examples, fits one. */
snw_status snw_project_put_pushed(snw_project *project, const snw_registry *registry, const snw_pushed_out *pushed,
								  const snw_task *task, snw_error *error);

#endif
