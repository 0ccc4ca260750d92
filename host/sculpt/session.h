/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A session's insides. Private to host/sculpt.
 *
 * A dab goes: region (which points, with what weights) → brush (what would become of each) → mirror (both sides) → apply (move
 * them, remember where they were, refit the index, renew normals). Brushes read only what stood before the dab, so that no
 * point depends on the order in which points are worked on.
 */
#ifndef SINEW_HOST_SCULPT_SESSION_H
#define SINEW_HOST_SCULPT_SESSION_H

#include "sculpt/index.h"
#include "sculpt/surroundings.h"
#include "sculpt/walk.h"

enum { SNW_SCULPT_GRAIN = 1024 }; /* points to a thread at a time */

/* The points of a dab. */
typedef struct snw_region {
	uint32_t count;
	uint32_t *points;
	double *distances;
	double *weights;    /* by the distance: what a reflected dab reaches alone has 0 */
	uint32_t *partners; /* where the point's partner stands in the region; SNW_NONE for none */
	uint32_t *places;   /* [point_count]: where a point stands in the region, if that holds it */
} snw_region;

/* A list in which a point stands once. */
typedef struct snw_marked_list {
	uint32_t count;
	uint32_t *items;
	bool *has;
} snw_marked_list;

/* How a displacement is carried to a point's partner. */
typedef struct snw_mirror {
	uint32_t *partners; /* NULL: no symmetry */
	uint32_t axis;
	uint32_t *turn_of;  /* [point_count]: into turns; SNW_NONE for the plain reflection */
	double (*turns)[9]; /* from a point's side to its partner's */
} snw_mirror;

typedef struct snw_stroke {
	bool is_open;
	snw_brush brush;
	snw_pick first, last;
	double forward[3]; /* of the plane in which a grab is dragged; zero until known */
	snw_ray last_ray;  /* of the last dab */
	bool has_ray;
} snw_stroke;

struct snw_sculpt {
	snw_arena *arena;
	snw_sculpt_view view;
	const snw_mesh *mesh;
	double *points, *original, *normals, *areas;
	float *points_single, *normals_single;
	double *mask, *field;
	snw_surroundings around;
	snw_index *index;
	snw_walk *walk;
	snw_mirror mirror;
	snw_stroke stroke;
	snw_region region;
	double *result;                   /* [point_count][3]: displacements, or in one column what mask or field become */
	double *partial;                  /* [point_count][3]: between the passes of a brush */
	uint32_t *anchors;                /* [point_count]: the face on which a sliding point was last in this stroke */
	snw_marked_list changes, stroked; /* since asked; in this stroke */
	snw_marked_list faces, ring;      /* of one dab: faces around what moved, points of these faces */
	double *before;                   /* [point_count][3]: as the stroke began; of mask and field the first column */
};

void snw_marked_add(snw_marked_list *list, uint32_t item);
void snw_marked_clear(snw_marked_list *list);

/* Fills the region; false where it is empty. */
bool snw_region_find(snw_sculpt *own, const snw_brush *brush, const snw_pick *pick);

/* What the brush of the stroke would make of the region: own->result. */
void snw_brush_run(snw_sculpt *own, const snw_dab *dab);

/* What the mean of the region's points and normals is, by weight: false where there is none. */
bool snw_region_mean(const snw_sculpt *own, double center[3], double normal[3]);

/* The steps of single brushes; each fills own->result. `amount` is strength and sign. */
void snw_brush_smooth(snw_sculpt *own, double amount, bool along_surface);
void snw_brush_blur(snw_sculpt *own, const double *values, double amount);
void snw_brush_slide(snw_sculpt *own, const double drag[3], double amount);
/* Bends own->result so that it ends on the surface as it was when the stroke began. */
void snw_brush_keep_on_surface(snw_sculpt *own);

/* Whether what the brush does to a point is carried to its partner; else both sides are worked on by themselves. */
bool snw_brush_is_carried(snw_brush_kind kind);
void snw_mirror_make(snw_sculpt *own, const uint32_t *partners, uint32_t axis);
/* Both sides of own->result. */
void snw_mirror_carry(snw_sculpt *own);

/* Moves the points of the region by own->result, or sets their mask or field to it, and brings all else up to date. */
void snw_apply(snw_sculpt *own);
/* Of some points that have moved: index, normals, floats. */
void snw_apply_moved(snw_sculpt *own, uint32_t count, const uint32_t *points);
/* Of all points. */
void snw_apply_all(snw_sculpt *own);

#endif
