/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sculpting a mesh in a pose: a session holds the posed points, knows what lies where, and takes strokes.
 *
 * Everything is in posed space, in metres. Points are moved in double; the float copies are for drawing. A dab allocates
 * nothing, and gives the same bits on any number of threads. One thread at a time uses a session.
 *
 * Symmetry. With a mirror map (which point answers to which on the other side, by topology or rest position), sculpting one side
 * sculpts both. What a dab does to a point is carried to its partner by the turn from the one's surroundings to the other's as
 * the session began, so that in a pose where one elbow is bent and the other is not, a bulge outward stays a bulge outward;
 * where the pose is symmetric this is the plain reflection, to the last bit. Where a dab reaches across the middle, each side
 * takes part by its weight, and a point of the middle stays in it. Smooth, relax, erase, mask, paint and blur act on each side by
 * itself, with the weights of the side that is sculpted.
 */
#ifndef SINEW_HOST_SCULPT_SCULPT_H
#define SINEW_HOST_SCULPT_SCULPT_H

#include "mesh/ray.h"
#include "scene/scene.h"
#include "sculpt/brush.h"

typedef struct snw_sculpt snw_sculpt;

/* What a session starts from. Everything but `mesh` is copied. */
typedef struct snw_sculpt_setup {
	const snw_mesh *mesh;          /* its faces; must outlive the session */
	const double *points_posed;    /* [point_count][3] */
	const double *points_original; /* what erase brings back: the stack without this sculpt; NULL: points_posed */
	const uint32_t *partners;      /* [point_count]: the mirror map, SNW_NONE for a point that has no partner; NULL for none */
	uint32_t mirror_axis;          /* of the reflection at rest: 0 for x, 1, 2 */
	const double *mask;            /* [point_count], 0 to 1: how far points are guarded; NULL for not at all */
	const double *field;           /* [point_count], what paint changes; NULL for 0 everywhere */
} snw_sculpt_setup;

/* SNW_ERROR_ARGUMENT for points that are not finite and for a map that leads out of the mesh or does not lead back. */
snw_status snw_sculpt_create(const snw_sculpt_setup *setup, snw_sculpt **sculpt, snw_error *error);
void snw_sculpt_destroy(snw_sculpt *sculpt); /* NULL does nothing */

/* ---- what there is to draw and to keep ---- */

/* Valid as long as the session; what they point to changes with each dab. */
typedef struct snw_sculpt_view {
	uint32_t point_count;
	const double *points;       /* [point_count][3] */
	const float *points_single; /* the same, for drawing */
	const float *normals;       /* [point_count][3], unit, weighted by area; zero where there is no area */
	const double *mask;         /* [point_count] */
	const double *field;        /* [point_count] */
	uint32_t face_count;        /* of the mesh */
	double longest;             /* the diagonal of the box around all points as the session began */
} snw_sculpt_view;
const snw_sculpt_view *snw_sculpt_look(const snw_sculpt *sculpt);

/* The points whose place, normal, mask or field has changed since this was last asked, each once, in no order: for uploads.
 * Valid until the next call of any function. */
const uint32_t *snw_sculpt_take_changes(snw_sculpt *sculpt, uint32_t *count);

/* Replaces all points, or mask or field (NULL leaves one alone): after an undo, say. Not during a stroke. */
snw_status snw_sculpt_reset(snw_sculpt *sculpt, const double *points_posed, const double *mask, const double *field,
							snw_error *error);

/* What erase brings back from now on: where what lies below the sculpt has changed. Not during a stroke. */
snw_status snw_sculpt_set_original(snw_sculpt *sculpt, const double *points_original, snw_error *error);

/* ---- where the mouse is ---- */

/* The first face that the ray meets, from either side; of faces as near as each other, the first. */
snw_pick snw_sculpt_pick(const snw_sculpt *sculpt, const snw_ray *ray);

/* The points that a dab would reach, with their weights: for a preview; during a stroke those of its last dab. The arrays are the session's, valid until the next
 * call of any function. */
uint32_t snw_sculpt_reach(snw_sculpt *sculpt, const snw_brush *brush, const snw_pick *pick, const uint32_t **points,
						  const double **weights);

/* ---- strokes ---- */

/* A stroke begins where it was picked and ends, or is aborted: then all is as before. */
snw_status snw_sculpt_begin(snw_sculpt *sculpt, const snw_brush *brush, const snw_pick *pick, snw_error *error);

/* One dab. */
typedef struct snw_dab {
	snw_pick pick;
	/* Grab: where the mouse has come to since the stroke began. Slide: since the last dab. Metres; others do not read it. */
	double drag[3];
	double pressure; /* 0 to 1, times the strength; the whole strength is 1 */
} snw_dab;
void snw_sculpt_dab(snw_sculpt *sculpt, const snw_dab *dab);

/* The same for who only has a mouse: it moved along to `ray`. Sets as many dabs as fit in between, by the brush's spacing,
 * wherever the way meets the mesh; grab is dragged in the plane through where it began, square to `forward`, the camera's axis
 * (NULL: the ray's own direction as it was picked). Returns how many dabs there were. */
uint32_t snw_sculpt_move(snw_sculpt *sculpt, const snw_ray *ray, const double *forward, double pressure);

/* Ends it; `changed` (may be NULL) says whether anything differs from how it began. */
void snw_sculpt_end(snw_sculpt *sculpt, bool *changed);
void snw_sculpt_abort(snw_sculpt *sculpt); /* without a stroke does nothing */
bool snw_sculpt_is_stroking(const snw_sculpt *sculpt);

#endif
