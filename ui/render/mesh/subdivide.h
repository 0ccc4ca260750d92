/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A mesh shown smoother than it is: refined once, as stencils over its points, which the GPU applies to every pose. Only a
 * preview: what is measured and exported is the mesh itself.
 */
#ifndef SINEW_UI_RENDER_MESH_SUBDIVIDE_H
#define SINEW_UI_RENDER_MESH_SUBDIVIDE_H

#include "render/mesh/gpu_mesh.h"

enum { SNW_SUBDIVISION_MOST = 2 };

/* What applies stencils. */
typedef struct snw_stencil_shader {
	GLuint program;
} snw_stencil_shader;
snw_status snw_stencil_shader_create(snw_stencil_shader *shader, snw_error *error);
void snw_stencil_shader_destroy(snw_stencil_shader *shader);

/* A mesh refined `level` times, 1 to SNW_SUBDIVISION_MOST, before it goes to the GPU: in any thread, without a context. Nothing
 * of the mesh is kept. SNW_ERROR_DATA where it cannot be refined, SNW_ERROR_LIMIT where it is too large for it. */
typedef struct snw_subdivided_draft snw_subdivided_draft;
snw_status snw_subdivided_draft_create(const snw_mesh *mesh, uint32_t level, snw_subdivided_draft **draft, snw_error *error);
void snw_subdivided_draft_destroy(snw_subdivided_draft *draft); /* NULL does nothing */

typedef struct snw_subdivided snw_subdivided;
/* `draft` becomes its own, in any case; `uploads` (NULL: all at once) send it. SNW_ERROR_LIMIT where the driver's buffers are
 * too small for it. */
snw_status snw_subdivided_create(const snw_surface_shaders *shaders, const snw_stencil_shader *stencil,
								 snw_subdivided_draft *draft, snw_uploads *uploads, snw_subdivided **subdivided,
								 snw_error *error);
void snw_subdivided_destroy(snw_subdivided *subdivided); /* NULL does nothing */

snw_surface *snw_subdivided_surface(const snw_subdivided *subdivided);
const snw_mesh *snw_subdivided_mesh(const snw_subdivided *subdivided); /* the refined one, at rest */
/* Takes the posed points of the mesh's own surface, and finds the normals of what they make. */
void snw_subdivided_pose(snw_subdivided *subdivided, const snw_surface *control);
/* A heat map of the mesh's points (NULL: none), spread over the refined ones. */
void snw_subdivided_set_heat(snw_subdivided *subdivided, const double *values, double minimum, double maximum);
void snw_subdivided_set_colors(snw_subdivided *subdivided, const double *colors);

#endif
