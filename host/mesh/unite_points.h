/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Points that a file had to split at seams become one again: glTF and FBX keep one UV, one normal and one colour a point, so a
 * point with several of them stands in the file several times.
 */
#ifndef SINEW_HOST_MESH_UNITE_POINTS_H
#define SINEW_HOST_MESH_UNITE_POINTS_H

#include "scene/scene.h"

/* Unites points of equal position, equal skin and equal morph displacements, in order of first appearance, and returns how many
 * went. Corners keep their own UV, normal and colour. Where all corners of such points are alike (and of one material), the
 * file split them for another reason, two shells that touch for one, and they stay apart; unless `corners_may_match`, for files
 * and formats that repeat every point at every corner. Points of no face stay as they are. Arrays are replaced by new ones in
 * `arena`; the influences of each point must be in ascending order of slots. */
uint32_t snw_mesh_unite_points(snw_mesh *mesh, bool corners_may_match, snw_arena *arena);

/* Removes corners that repeat the point before them, then faces of less than three corners; returns how many faces went. */
uint32_t snw_mesh_drop_thin_faces(snw_mesh *mesh, snw_arena *arena);

#endif
