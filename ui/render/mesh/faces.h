/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The faces of a mesh as needed for drawing: triangles sorted by material, edges, and the faces around each point.
 */
#ifndef SINEW_UI_RENDER_MESH_FACES_H
#define SINEW_UI_RENDER_MESH_FACES_H

#include "render/mesh/gpu_mesh.h"
#include "scene/scene.h"

/* Triangles of one material. */
typedef struct snw_material_span {
	uint32_t material; /* SNW_NONE for none */
	uint32_t begin;    /* index in triangle_corners */
	uint32_t count;    /* of corners: three a triangle */
} snw_material_span;

typedef struct snw_faces {
	uint32_t material_span_count;
	snw_material_span *material_spans;
	uint32_t triangle_count;
	uint32_t *triangle_corners; /* [triangle_count][3], corners of the mesh */
	uint32_t edge_count;
	uint32_t *edges;        /* [edge_count][2], points; each once */
	uint32_t *corner_faces; /* [corner_count] */
	uint32_t *face_spans;   /* [face_count][2]: corners begin, count */
	uint32_t *indices;      /* [corner_count]: the mesh's face_points; [corner_count]: the faces around each point, ascending */
	/* [point_count][3]: where its faces begin in `indices`, their count, and the other end of the longest edge at rest (the
	 * point itself if it has none). */
	uint32_t *around;
} snw_faces;

snw_faces *snw_faces_make(const snw_mesh *mesh, snw_arena *arena);

/* ---- corners ------------------------------------------------------------------------------------------------------------- */

/* The corners of a mesh as vertices for surface.vert. */

typedef struct snw_corner_vertex {
	uint32_t point, face;
	float uv[2];
	float normal[3]; /* along the point's normal, tangent and their cross product */
	float color[4];
	float tangent[4]; /* in the same axes, and the sign of the bitangent; 0: it has none */
} snw_corner_vertex;

/* [corner_count], in `arena`. Custom normals and tangents are relative to the axes of axes.glsl at rest; `unit` as there. */
snw_corner_vertex *snw_corners_make(const snw_mesh *mesh, const snw_faces *faces, double unit, snw_arena *arena);

/* ---- subdivide ----------------------------------------------------------------------------------------------------------- */

/* A smoother preview of a mesh: it is refined once, into stencils over its points, which the GPU applies to every pose.
 * Measuring and exporting use the mesh itself. */

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
