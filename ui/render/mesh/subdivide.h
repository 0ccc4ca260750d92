/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A smoother preview of a mesh: it is refined once, into stencils over its points, which the GPU applies to every pose.
 * Measuring and exporting use the mesh itself.
 */
#ifndef SINEW_UI_RENDER_MESH_SUBDIVIDE_H
#define SINEW_UI_RENDER_MESH_SUBDIVIDE_H

#include "render/mesh/gpu_mesh.h"

enum { SNW_SUBDIVISION_MOST = 2 };

/* The shaders that apply stencils. */
typedef struct snw_stencil_shader {
	GLuint program;
} snw_stencil_shader;
snw_status snw_stencil_shader_create(snw_stencil_shader *shader, snw_error *error);
void snw_stencil_shader_destroy(snw_stencil_shader *shader);

/* A mesh refined `level` times, 1 to SNW_SUBDIVISION_MOST, before it goes to the GPU: in any thread, without a context. It
 * does not refer to the mesh. SNW_ERROR_DATA if it cannot be refined, SNW_ERROR_LIMIT if it is too large. */
typedef struct snw_gpu_subdivision_data snw_gpu_subdivision_data;
snw_status snw_gpu_subdivision_data_create(const snw_mesh *mesh, uint32_t level, snw_gpu_subdivision_data **data,
										   snw_error *error);
void snw_gpu_subdivision_data_destroy(snw_gpu_subdivision_data *data);               /* NULL: does nothing */
uint32_t snw_gpu_subdivision_data_point_count(const snw_gpu_subdivision_data *data); /* of the mesh that was refined */

typedef struct snw_gpu_subdivision snw_gpu_subdivision;
/* `data` is taken over, also on failure; `uploads` (NULL: at once) send it. SNW_ERROR_LIMIT if the driver's buffers are too
 * small. */
snw_status snw_gpu_subdivision_create(const snw_gpu_mesh_shaders *shaders, const snw_stencil_shader *stencil,
									  snw_gpu_subdivision_data *data, snw_uploads *uploads, snw_gpu_subdivision **subdivision,
									  snw_error *error);
void snw_gpu_subdivision_destroy(snw_gpu_subdivision *subdivision); /* NULL: does nothing */

snw_gpu_mesh *snw_gpu_subdivision_mesh(const snw_gpu_subdivision *subdivision);
const snw_mesh *snw_gpu_subdivision_refined(const snw_gpu_subdivision *subdivision); /* the refined one, at rest */
/* Applies the stencils to the posed points of the original mesh, and finds the normals. */
void snw_gpu_subdivision_pose(snw_gpu_subdivision *subdivision, const snw_gpu_mesh *control);
/* A heat map of the original mesh's points (NULL: none), interpolated to the refined ones. */
void snw_gpu_subdivision_set_heat(snw_gpu_subdivision *subdivision, const double *values, double minimum, double maximum);
/* Faces of the original mesh that are not drawn; NULL: none. */
void snw_gpu_subdivision_hide_faces(snw_gpu_subdivision *subdivision, const bool *hidden);
void snw_gpu_subdivision_set_colors(snw_gpu_subdivision *subdivision, const double *colors);

#endif
