/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sculpting a mesh in a pose. A sculpt has the posed points and their spatial index, and applies strokes to them.
 *
 * Everything is in posed space, in metres. Points are moved in double; the float copies are for drawing. A dab allocates
 * nothing, and gives the same bits on any number of threads. One thread at a time uses a sculpt.
 *
 * Seams. Points of borders that lie in the same place at rest and in the pose are sculpted as one, so that the seams of a split
 * mesh stay closed (below).
 *
 * Symmetry. A mirror map gives each point its partner on the other side, by topology or rest position. With one, sculpting
 * one side sculpts both. The displacement of a point is mirrored to its partner by the rotation between their surroundings at
 * the start of the sculpt. So if one elbow is bent and the other is not, a bulge outward stays a bulge outward. In a
 * symmetric pose this is exactly the plain reflection. If a dab reaches across the middle, both sides are blended by their
 * weights, and a point in the middle plane stays in it. Smooth, relax, erase, morph, mask, paint and blur act on each side
 * separately, with the weights of the side that is sculpted.
 */
#ifndef SINEW_HOST_SCULPT_SCULPT_H
#define SINEW_HOST_SCULPT_SCULPT_H

#include "mesh/mesh.h"
#include "mesh/surface.h"
#include "scene/scene.h"
#include "sculpt/brush.h"

typedef struct snw_sculpt snw_sculpt;

/* The initial state of a sculpt. Everything but `mesh` is copied. */
typedef struct snw_sculpt_setup {
	const snw_mesh *mesh;          /* its faces; must outlive the sculpt */
	const double *points_posed;    /* [point_count][3] */
	const double *points_original; /* the skin that erase restores, without this sculpt; NULL: points_posed */
	const uint32_t *partners;      /* [point_count]: the mirror map, SNW_NONE for a point that has no partner; NULL for none */
	uint32_t mirror_axis;          /* of the reflection at rest: 0 for x, 1, 2 */
	const double *mask;            /* [point_count], 0 to 1: how far points are protected; NULL for none */
	const double *field;           /* [point_count], the field that paint changes; NULL for 0 everywhere */
} snw_sculpt_setup;

/* SNW_ERROR_ARGUMENT if a point is not finite, or if the map has an index out of range or a pair that is not mutual. */
snw_status snw_sculpt_create(const snw_sculpt_setup *setup, snw_sculpt **sculpt, snw_error *error);
void snw_sculpt_destroy(snw_sculpt *sculpt); /* NULL does nothing */

/* ---- state --------------------------------------------------------------------------------------------------------------- */

/* Valid as long as the sculpt. Each dab changes the arrays. */
typedef struct snw_sculpt_view {
	uint32_t point_count;
	const double *points;       /* [point_count][3] */
	const float *points_single; /* the same, for drawing */
	const float *normals;       /* [point_count][3], unit, weighted by area; zero if the area is 0 */
	const double *mask;         /* [point_count] */
	const double *field;        /* [point_count] */
	uint32_t face_count;        /* of the mesh */
	double longest;             /* the diagonal of the bounding box at the start of the sculpt */
} snw_sculpt_view;
const snw_sculpt_view *snw_sculpt_get_view(const snw_sculpt *sculpt);

/* The points whose position, normal, mask or field has changed since the last call, each once, in no particular order. Valid
 * until the next call of any function. For uploads. */
const uint32_t *snw_sculpt_take_changes(snw_sculpt *sculpt, uint32_t *count);

/* Replaces points, mask or field, for example after an undo; NULL leaves an array unchanged. Not during a stroke. */
snw_status snw_sculpt_reset(snw_sculpt *sculpt, const double *points_posed, const double *mask, const double *field,
							snw_error *error);

/* Sets the points that erase restores, after the layers below the sculpt have changed. Not during a stroke. */
snw_status snw_sculpt_set_original(snw_sculpt *sculpt, const double *points_original, snw_error *error);

/* Sets the shape that morph moves points towards, [point_count][3], copied; NULL: what erase restores, as at first. Not during
 * a stroke. */
snw_status snw_sculpt_set_morph(snw_sculpt *sculpt, const double *points, snw_error *error);

/* Hides faces, [face_count], copied; NULL: none. The ray passes through them, and no stroke changes points that have hidden
 * faces alone. Not during a stroke. */
snw_status snw_sculpt_hide_faces(snw_sculpt *sculpt, const bool *faces, snw_error *error);

/* Another surface, posed. It is read by this call alone. */
typedef struct snw_sculpt_wall {
	const snw_mesh *mesh;
	const double *points_posed; /* [point_count][3] */
} snw_sculpt_wall;

/* The surfaces through which brushes that stay outside push no point: they stop it where it meets one from the side that it is
 * on at rest, and let it come back from the other side. A point farther from a surface than `patch`, metres, has no such side,
 * and passes in neither direction. Not during a stroke. */
void snw_sculpt_set_walls(snw_sculpt *sculpt, uint32_t count, const snw_sculpt_wall *walls, double patch);

/* ---- picking ------------------------------------------------------------------------------------------------------------- */

/* The nearest face that the ray hits, from either side. Of faces at the same distance, the one with the lowest index. */
snw_pick snw_sculpt_pick(const snw_sculpt *sculpt, const snw_ray *ray);

/* The points that a dab would reach, with their weights, for a preview. During a stroke, the points of its last dab. The arrays
 * belong to the sculpt and are valid until the next call of any function. */
uint32_t snw_sculpt_reach(snw_sculpt *sculpt, const snw_brush *brush, const snw_pick *pick, const uint32_t **points,
						  const double **weights);

/* ---- strokes ------------------------------------------------------------------------------------------------------------- */

/* Begins a stroke at the picked position. Then end it, or abort it to restore everything. */
snw_status snw_sculpt_begin(snw_sculpt *sculpt, const snw_brush *brush, const snw_pick *pick, snw_error *error);

/* One dab. */
typedef struct snw_dab {
	snw_pick pick;
	/* The movement of the mouse, in metres: for grab and elastic since the start of the stroke, for slide since the last dab.
	 * Unused by others. */
	double drag[3];
	double pressure; /* 0 to 1, multiplies the strength */
} snw_dab;
void snw_sculpt_dab(snw_sculpt *sculpt, const snw_dab *dab);

/* The radius from the next dab on, above 0; brushes that drag keep theirs, as they keep their points. */
void snw_sculpt_set_radius(snw_sculpt *sculpt, double radius);

/* Continues the stroke to `ray`, the mouse's new position. Sets dabs at the brush's spacing wherever the path meets the mesh;
 * between two calls the pressure changes evenly. Grab
 * moves in the plane through the start of the stroke that is perpendicular to `forward`, the camera's axis (NULL: the direction
 * of the first ray). Returns the number of dabs. */
uint32_t snw_sculpt_move(snw_sculpt *sculpt, const snw_ray *ray, const double *forward, double pressure);

/* Ends the stroke; `changed` (may be NULL) says whether it changed anything. */
void snw_sculpt_end(snw_sculpt *sculpt, bool *changed);
void snw_sculpt_abort(snw_sculpt *sculpt); /* does nothing without a stroke */
bool snw_sculpt_is_stroking(const snw_sculpt *sculpt);

/* ---- seams --------------------------------------------------------------------------------------------------------------- */

/* Seams of a mesh, and of meshes that meet, as one surface. */

/* ---- meshes that meet ---------------------------------------------------------------------------------------------------- */

/* Several meshes as one, to sculpt them together: the points and faces of one after those of another. Sculpting welds their
 * seams, so a stroke over the border of two meshes does not part them. */

/* The meshes that must be sculpted together with `mesh`: itself first, then those to which seams lead, however many are
 * between, in order. A seam is where border points of two meshes lie in the same place at rest. `takes_part` [mesh_count]:
 * meshes that may be sculpted; `mesh` itself always is. Returns their number; the list is in `arena`. */
uint32_t snw_seam_meshes(const snw_scene *scene, uint32_t mesh, const bool *takes_part, snw_arena *arena, uint32_t **meshes);

/* A copy of these meshes as one, as far as sculpting needs it: name (of the first), points at rest, faces. In `arena`. */
snw_mesh *snw_join_meshes(const snw_scene *scene, uint32_t count, const uint32_t *meshes, snw_arena *arena);

/* ---- welding ------------------------------------------------------------------------------------------------------------- */

/* Seams of a split mesh: points of its borders that lie in the same place at rest, and in the pose before the sculpt.
 * Sculpting welds them: brushes see the mesh as if it were not split, and its seams stay closed. Lips that merely touch at
 * rest are apart in most poses and are not welded there, nor are points inside a surface, nor hundreds of points at one
 * place. */

typedef struct snw_weld {
	uint32_t
		*first;     /* [point_count]: the lowest point of the same place, for most points itself; NULL: the mesh has no seams */
	uint32_t *next; /* [point_count]: the other points of the place, in a circle */
	snw_mesh mesh;  /* the mesh with faces at first points alone */
} snw_weld;

/* Finds the seams. `around` is that of the split mesh and becomes that of the welded one; points in the same place have equal
 * rows. */
snw_weld snw_weld_make(const snw_mesh *mesh, const double *points_posed, const uint32_t *partners, snw_adjacency *around,
					   snw_arena *arena);

/* ---- the plane of symmetry ----------------------------------------------------------------------------------------------- */

/* The plane of symmetry of a mesh: strokes, masks, halves and mirror images reach across it. A prop or a scanned head need not
 * stand at x = 0. */

/* ---- symmetry plane ------------------------------------------------------------------------------------------------------ */

/* The plane x = const across which most points of a mesh, and of those that seams join to it, have partners at rest. That is
 * the plane of the character unless another one pairs clearly more points: x = 0, the middle of their bounds, or the middle of
 * points of the same height and depth. It stays that of the character if the mesh has a counterpart across it
 * (below), or if several joints move the mesh that are not symmetric about the other plane: a sleeve alone is not
 * symmetric about its elbow. Any thread. */
snw_mirror_plane snw_symmetry_plane(const snw_scene *scene, uint32_t mesh);
/* That of the largest mesh, for which x = 0 is usual. */
snw_mirror_plane snw_character_plane(const snw_scene *scene);

/* ---- counterpart --------------------------------------------------------------------------------------------------------- */

/* The counterpart of a mesh: another mesh that is its reflection at rest, such as the other glove. The two are sculpted as
 * one, so that symmetry reaches across them. */

/* The counterpart of a mesh across a plane x = const, of those that take part [mesh_count]. SNW_NONE if most
 * of its points have partners on the mesh itself, or fewer than nine in ten have one on another mesh, which lies where its
 * reflection does, or is offset from it by up to a hundredth of the character's diagonal; of several the nearest. Any
 * thread. */
uint32_t snw_counterpart_of(const snw_scene *scene, uint32_t mesh, const snw_mirror_plane *plane, const bool *takes_part);

/* The mesh, its counterpart, and perhaps others as one, to pair their points: a copy in which the points of the
 * counterpart, from `first`, are moved by its small offset. In `arena`. */
const snw_mesh *snw_counterpart_align(const snw_scene *scene, uint32_t mesh, uint32_t counterpart,
									  const snw_mirror_plane *plane, const snw_mesh *joined, uint32_t first, snw_arena *arena);

#endif
