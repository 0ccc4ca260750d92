/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions that fill an empty scene, one for each sample.
 */
#ifndef SINEW_HOST_SAMPLE_MAKERS_H
#define SINEW_HOST_SAMPLE_MAKERS_H

#include "scene/scene.h"

#define SNW_SAMPLE_FRAMES_PER_SECOND 24.0 /* of all clips */

/* The arm of so many rings of points, and so many points a ring. */
snw_status snw_sample_make_arm_of(snw_scene *scene, uint32_t rings, uint32_t sides, snw_error *error);
snw_status snw_sample_make_arm(snw_scene *scene, snw_error *error);
snw_status snw_sample_make_small_arm(snw_scene *scene, snw_error *error);
snw_status snw_sample_make_tiny_arm(snw_scene *scene, snw_error *error);
snw_status snw_sample_make_bar(snw_scene *scene, snw_error *error);
snw_status snw_sample_make_cloth(snw_scene *scene, snw_error *error);
snw_status snw_sample_make_face(snw_scene *scene, snw_error *error);
snw_status snw_sample_make_tube(snw_scene *scene, snw_error *error);
snw_status snw_sample_make_twist_bar(snw_scene *scene, snw_error *error);
snw_status snw_sample_make_elbow(snw_scene *scene, snw_error *error);
snw_status snw_sample_make_muscle_arm(snw_scene *scene, snw_error *error);
snw_status snw_sample_make_dressed(snw_scene *scene, snw_error *error);
snw_status snw_sample_make_limbs(snw_scene *scene, snw_error *error);

/* The quads of a sheet: a grid of points, row by row. */

/* Fills faces and UVs of the mesh, in `arena`. Point row · columns + column is at the column and row; there are at least two of
 * each. */
void snw_grid_faces(uint32_t columns, uint32_t rows, snw_arena *arena, snw_mesh *mesh);

#endif
