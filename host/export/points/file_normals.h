/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files of points have no normals: a program that reads them shows those of the faces. How far these are from the stack's,
 * which may bring normals of its own, and whose points have more digits than the file's.
 */
#ifndef SINEW_HOST_EXPORT_POINTS_FILE_NORMALS_H
#define SINEW_HOST_EXPORT_POINTS_FILE_NORMALS_H

#include "export/export.h"

typedef struct snw_file_normals snw_file_normals;

/* For one mesh of the stack's scene, in `arena`. */
snw_file_normals *snw_file_normals_create(const snw_mesh *mesh, snw_arena *arena);
void snw_file_normals_destroy(snw_file_normals *normals); /* NULL does nothing */

/* Adds a shape that goes into a file as floats, [point_count][3]. `evaluation` is the one that the stack made it with; NULL: no
 * layer acts on it. `mesh` is the index of the mesh in the scene. */
void snw_file_normals_add(snw_file_normals *normals, const double *points, const snw_stack *stack,
						  const snw_evaluation *evaluation, uint32_t mesh);

/* Sets what the report says of normals. */
void snw_file_normals_report(const snw_file_normals *normals, snw_export_report *report);

#endif
