/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A session's insides. Private to host/sculpt.
 *
 * A dab goes: region (which points, with what weights, and what lies around them) → brush (what would become of each) → mirror
 * (both sides) → apply (move them, renew normals, refit the index). Brushes read only what stood before the dab, so that no
 * point depends on the order in which points are worked on.
 */
#ifndef SINEW_HOST_SCULPT_SESSION_INTERNAL_H
#define SINEW_HOST_SCULPT_SESSION_INTERNAL_H

#include "mesh/adjacency.h"
#include "mesh/element_set.h"
#include "mesh/spatial_index.h"
#include "mesh/surface_distance.h"
#include "sculpt/sculpt.h"

enum { SNW_SCULPT_GRAIN = 1024 }; /* points to a thread at a time */

/* The points of a dab, ascending. */
typedef struct snw_region {
	uint32_t count;
	uint32_t *points;
	double *weights;   /* by the distance: what a reflected dab reaches alone has 0 */
	bool is_mirrored;  /* with each of its points it holds the partner */
	snw_set set;       /* the same points */
	double *distances; /* [mesh's point_count]: of the points that are in it */
	uint32_t *places;  /* [mesh's point_count]: where a point that is in it stands */
} snw_region;

/* A set, and what is in it, ascending. */
typedef struct snw_listed_set {
	snw_set set;
	uint32_t count;
	uint32_t *items;
} snw_listed_set;

/* How a displacement is carried to a point's partner. */
typedef struct snw_mirror {
	uint32_t *partners; /* NULL: no symmetry */
	uint32_t axis;
	uint32_t *matrix_of;   /* [point_count]: into turns; SNW_NONE for the plain reflection */
	double (*matrices)[9]; /* from a point's side to its partner's */
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
	snw_adjacency around;
	snw_spatial_index *index;
	snw_surface_walk *walk;
	snw_mirror mirror;
	snw_stroke stroke;
	snw_region region;
	double *result;  /* [point_count][3]: displacements, or in one column what mask or field become */
	double *partial; /* [point_count][3]: between the steps of a brush */
	double *evened;  /* [point_count][3]: between the passes of smoothing, with the one above */
	/* The face on which a sliding point was last in this stroke; SNW_NONE outside `stroked`. */
	uint32_t *anchors;
	snw_listed_set changes;     /* points, since asked */
	snw_set stroked;            /* points that this stroke has reached; empty between strokes */
	snw_listed_set faces, ring; /* of one dab: faces around the region, points of these faces and of the region */
	double *before;             /* [point_count][3]: points as the stroke began, also those that it has not reached */
	double *value_before;       /* [point_count]: the same of mask or field, but only of `stroked` */
};

/* Fills the region; false where it is empty. */
bool snw_region_find(snw_sculpt *sculpt, const snw_brush *brush, const snw_pick *pick);

/* Makes these points the region, without weights. */
void snw_region_take(snw_sculpt *sculpt, const snw_set *points);
/* Fills own->faces and own->ring. */
void snw_region_surround(snw_sculpt *sculpt);

/* What the brush of the stroke would make of the region: own->result. */
void snw_brush_run(snw_sculpt *sculpt, const snw_dab *dab);

/* What the mean of the region's points and normals is, by weight: false where there is none. */
bool snw_region_mean(const snw_sculpt *sculpt, double center[3], double normal[3]);

/* The steps of single brushes; each fills own->result. `amount` is strength and sign. */
void snw_brush_smooth(snw_sculpt *sculpt, double amount, bool along_surface);
void snw_brush_blur(snw_sculpt *sculpt, const double *values, double amount);
void snw_brush_slide(snw_sculpt *sculpt, const double drag[3], double amount);
/* Bends own->result so that it ends on the surface as it was when the stroke began. */
void snw_brush_bend_onto_surface(snw_sculpt *sculpt);

/* Whether what the brush does to a point is carried to its partner; else both sides are worked on by themselves. */
bool snw_brush_is_mirrored(snw_brush_kind kind);
void snw_mirror_make(snw_sculpt *sculpt, const uint32_t *partners, uint32_t axis);
/* Both sides of own->result. */
void snw_mirror_region(snw_sculpt *sculpt);

/* Moves the points of the region by own->result, or sets their mask or field to it, and brings all else up to date. */
void snw_apply(snw_sculpt *sculpt);
/* The region has moved: index, normals, floats. */
void snw_refresh_region(snw_sculpt *sculpt);
/* Of all points. */
void snw_refresh_all(snw_sculpt *sculpt);

#endif
