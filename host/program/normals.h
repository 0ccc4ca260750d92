/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Normals of deformed meshes.
 */
#ifndef SINEW_HOST_PROGRAM_NORMALS_H
#define SINEW_HOST_PROGRAM_NORMALS_H

#include "program/float_evaluator.h"
#include "program/program.h"
#include "scene/scene.h"

/* Faces around each point, built once for a mesh, which must outlive it: sums are taken in this order, so normals do not depend
 * on threads. It owns the scratch: one call at a time. */
snw_normal_plan *snw_normal_plan_create(const snw_mesh *mesh);
void snw_normal_plan_destroy(snw_normal_plan *plan);

/* Area-weighted normals of the points, unit (zero where all faces are degenerate): [point_count][3]. No allocation. */
void snw_normals_of_points(snw_normal_plan *plan, const float *points, float *normals);

/* Normals of the corners [corner_count][3]: the mesh's custom normals turned with their point's frame from rest to posed,
 * else the points' normals. A point's frame is its normal and the direction of its longest edge at rest, made square to the
 * normal; where it has none, at rest or posed, a custom normal stays as it is. */
void snw_normals_of_corners(snw_normal_plan *plan, const float *points, float *normals);

/* The normals that a program brings itself (program->normals), [point_count][3], unit; zero where the blend leaves nothing. No
 * allocation. */
void snw_normals_of_program(const snw_program *program, const snw_program_input *frame, float *normals);

#endif
