/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Merges points that a file had to split at seams: glTF and FBX have one UV, normal and colour for each point, so a point with
 * several of them is repeated.
 */
#ifndef SINEW_HOST_MESH_MERGE_POINTS_H
#define SINEW_HOST_MESH_MERGE_POINTS_H

#include "scene/scene.h"

/* Merges points of equal position, influences and morph displacements, in the order of first appearance, and returns the number
 * of points removed. Corners keep their UV, normal and colour. If all corners of such points are equal (and of one material),
 * the file split them for another reason, such as two shells that touch, and they are not merged; unless `corners_may_match`,
 * for formats that repeat each point at each corner. Points without faces are unchanged. Arrays are replaced by new ones in
 * `arena`; the influences of each point must be in ascending order of slots. */
uint32_t snw_mesh_merge_points(snw_mesh *mesh, bool corners_may_match, snw_arena *arena);

/* Removes corners that repeat the previous point, then faces with fewer than three corners; returns the number of faces
 * removed. */
uint32_t snw_mesh_drop_degenerate_faces(snw_mesh *mesh, snw_arena *arena);

#endif
