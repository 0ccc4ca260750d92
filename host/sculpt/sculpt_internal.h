/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The state of a sculpt. Private to host/sculpt.
 *
 * A dab has four steps: region (find the points, their weights and their ring) → brush (compute each point's result) → mirror
 * (both sides) → apply (move the points, update normals, refit the index). Brushes read only the state before the dab, so
 * results do not depend on the order of points.
 */
#ifndef SINEW_HOST_SCULPT_SCULPT_INTERNAL_H
#define SINEW_HOST_SCULPT_SCULPT_INTERNAL_H

#include "contact/contact.h"
#include "mesh/mesh.h"
#include "mesh/surface.h"
#include "sculpt/sculpt.h"

/* ---- Kelvinlets ---------------------------------------------------------------------------------------------------------- */

/* Regularised Kelvinlets: how an unbounded elastic body moves when a force pulls at one place (de Goes and James,
 * "Regularized Kelvinlets: Sculpting Brushes based on Fundamental Solutions of Elasticity", 2017).
 *
 * Equation 6: u(r) = ((a - b)/r_e + b/r_e³ r rᵀ + a/2 e²/r_e³) f with r_e = √(r² + e²). Poisson's ratio is 1/2, so b = a/2
 * and the field has no divergence: it keeps volumes. Three scales are combined as in section 5 ("tri-scale"), which makes
 * the displacement fade with the fifth power of the distance.
 *
 * Where we depart: the field is scaled so that the place that is pulled moves by the drag itself. */

/* The displacement at `offset` from the place that is dragged; `scale` (above 0) is the size of the region that follows it.
 * Metres. */
void snw_kelvinlet_grab(double scale, const double offset[3], const double drag[3], double dest[3]);

/* ---- walls --------------------------------------------------------------------------------------------------------------- */

/* Other surfaces that a dab pushes no point through. */

typedef struct snw_walls {
	snw_arena *arena; /* NULL: there are none */
	uint32_t count;
	snw_contact_mesh_pose **poses;
	int8_t **sides; /* [count][point_count]: 1 for points outside a wall at rest, -1 inside, 0 where that is not known */
	double gap;     /* how far points stay away, metres */
} snw_walls;

/* Shortens the way of a point, [3] each, to where it meets a wall from its side. A point that has gone through already may come
 * back. Any thread. */
void snw_walls_stop(const snw_walls *walls, uint32_t point, const double from[3], double to[3]);

/* ---- sculpt internal ----------------------------------------------------------------------------------------------------- */

enum { SNW_SCULPT_GRAIN = 1024 }; /* points per chunk */

/* The points of a dab, ascending. */
typedef struct snw_region {
	uint32_t count;
	uint32_t *points;
	double *weights;                  /* from the distance; 0 for points that only the mirrored dab reaches */
	bool is_mirrored;                 /* it contains the partner of each of its points */
	snw_set set;                      /* the same points */
	double *distances;                /* [point_count of the mesh]: set for the region's points */
	uint32_t *places;                 /* [point_count of the mesh]: a point's index in `points` */
	double place[3], right[3], up[3]; /* of the brush's alpha */
} snw_region;

/* A set with the ascending list of its elements. */
typedef struct snw_listed_set {
	snw_set set;
	uint32_t count;
	uint32_t *items;
} snw_listed_set;

/* How a displacement is mirrored to a point's partner. */
typedef struct snw_mirror {
	uint32_t *partners; /* NULL: no symmetry */
	uint32_t axis;
	uint32_t *matrix_of;   /* [point_count]: into `matrices`; SNW_NONE for the plain reflection */
	double (*matrices)[9]; /* from a point's side to its partner's */
} snw_mirror;

typedef struct snw_stroke {
	bool is_open;
	snw_brush brush;
	snw_pick first, last;
	double forward[3]; /* of the plane in which a grab is dragged; zero until known */
	snw_ray last_ray;  /* of the last dab */
	bool has_ray;
	double pressure; /* of the last dab; below 0: none yet */
} snw_stroke;

struct snw_sculpt {
	snw_arena *arena;
	snw_sculpt_view view;
	const snw_mesh *mesh;
	double *points, *original, *normals, *areas;
	double *morph;      /* NULL until one was set */
	const double *goal; /* of morph: `morph` or `original` */
	float *points_single, *normals_single;
	double *mask, *field;
	snw_weld weld;
	snw_adjacency around; /* of the welded mesh */
	/* The faces at each point of the split mesh, for the normals that are drawn. */
	const uint32_t *split_starts, *split_faces;
	snw_spatial_index *index;
	snw_surface_walk *walk;
	bool *hidden_faces;    /* [face_count]; NULL until faces are hidden */
	snw_set hidden_points; /* points that have hidden faces alone */
	snw_mirror mirror;
	snw_stroke stroke;
	snw_region region;
	double *result;   /* [point_count][3]: displacements; or in [0] the new mask or field */
	double *partial;  /* [point_count][3]: between the steps of a brush */
	double *smoothed; /* [point_count][3]: the second buffer of smoothing's passes */
	/* The last face of a sliding point in this stroke; SNW_NONE outside `stroked`. */
	uint32_t *anchors;
	snw_walls walls;
	snw_listed_set changes;     /* points changed since the last query */
	snw_set stroked;            /* points that this stroke has reached; empty between strokes */
	snw_listed_set faces, ring; /* of one dab: faces around the region, points of these faces and of the region */
	double *before;             /* [point_count][3]: all points at the start of the stroke */
	double *value_before;       /* [point_count]: mask or field at the start of the stroke, set for `stroked` alone */
};

/* Fills the region; false if it is empty. */
bool snw_region_find(snw_sculpt *sculpt, const snw_brush *brush, const snw_pick *pick);

/* Makes these points the region, without weights. */
void snw_region_take(snw_sculpt *sculpt, const snw_set *points);
/* Gives the points of a seam the same displacement. */
void snw_region_keep_together(snw_sculpt *sculpt);
/* Fills sculpt->faces and sculpt->ring. */
void snw_region_surround(snw_sculpt *sculpt);

/* Computes sculpt->result for the region with the stroke's brush. */
void snw_brush_run(snw_sculpt *sculpt, const snw_dab *dab);

/* The weighted mean of the region's points and normals; false if there is none. */
bool snw_region_mean(const snw_sculpt *sculpt, double center[3], double normal[3]);

/* Whether the brush's effect on a point is mirrored to its partner; otherwise it works on each side separately. */
bool snw_brush_is_mirrored(snw_brush_kind kind);
void snw_mirror_make(snw_sculpt *sculpt, const uint32_t *partners, uint32_t axis);
/* Blends both sides of sculpt->result. */
void snw_mirror_region(snw_sculpt *sculpt);

/* Moves the region's points by sculpt->result, or sets their mask or field to it, and updates all derived state. */
void snw_apply(snw_sculpt *sculpt);
/* Updates the index, normals and float copies after the region has moved. */
void snw_refresh_region(snw_sculpt *sculpt);
/* The same for all points. */
void snw_refresh_all(snw_sculpt *sculpt);

#endif
