/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A mesh on the GPU: its posed points, their normals, and the ways to draw them. All functions need the context to be current.
 */
#ifndef SINEW_UI_RENDER_MESH_GPU_MESH_H
#define SINEW_UI_RENDER_MESH_GPU_MESH_H

#include "render/gl/uploads.h"
#include "render/render.h"
#include "render/shading/key_light.h"
#include "render/shading/material.h"
#include "render/skin/gpu_program.h"
#include "render/view/camera.h"

typedef struct snw_surface_shaders {
	GLuint face_normal[SNW_GPU_PATH_COUNT], point_normal[SNW_GPU_PATH_COUNT];
	GLuint surface, wire, shadow, key_depth;
	bool has_compute;
	snw_gpu_path path;      /* the one that finds normals */
	GLint texel_limit;      /* of a buffer texture */
	uint64_t storage_limit; /* bytes of a buffer that compute shaders see */
} snw_surface_shaders;
snw_status snw_surface_shaders_create(snw_surface_shaders *shaders, snw_error *error);
/* Those of compute too, where the driver has it; the path stays transform feedback. */
snw_status snw_surface_shaders_add_compute(snw_surface_shaders *shaders, snw_error *error);
void snw_surface_shaders_destroy(snw_surface_shaders *shaders);

typedef struct snw_surface snw_surface;

/* What is worked out of a mesh before it goes to the GPU: in any thread, without a context. The mesh must outlive it. */
typedef struct snw_surface_draft snw_surface_draft;
snw_surface_draft *snw_surface_draft_create(const snw_mesh *mesh);
void snw_surface_draft_destroy(snw_surface_draft *draft); /* NULL does nothing */

/* The mesh must outlive it. `draft` (NULL: made here) becomes its own, in any case. `uploads` (NULL: all at once) send what
 * is in it; until they have, nothing is drawn. SNW_ERROR_LIMIT where the driver's buffer textures are too small. */
snw_status snw_surface_create(const snw_surface_shaders *shaders, const snw_mesh *mesh, snw_surface_draft *draft,
							  snw_uploads *uploads, snw_surface **surface, snw_error *error);
void snw_surface_destroy(snw_surface *surface); /* NULL does nothing */
/* Another mesh with the same points, faces and corners, which takes the place of its own. */
void snw_surface_follow(snw_surface *surface, const snw_mesh *mesh);

/* Points and normals beside those of the surface's own, for ghosts. What is posed, read and drawn is the shape that the surface
 * wears: NULL for its own. A shape is destroyed before its surface. */
typedef struct snw_surface_shape snw_surface_shape;
snw_surface_shape *snw_surface_shape_create(const snw_surface *surface);
void snw_surface_shape_destroy(snw_surface_shape *shape); /* NULL does nothing */
void snw_surface_wear(snw_surface *surface, snw_surface_shape *shape);

/* The posed points, [point_count][3]: a buffer for the GPU to fill, or points from the CPU (NULL: the rest). Afterwards the
 * normals are to be found anew. */
GLuint snw_surface_points(const snw_surface *surface);
GLuint snw_surface_points_texture(const snw_surface *surface); /* a buffer texture over them */
GLuint snw_surface_normals(const snw_surface *surface);        /* the buffer of the points' normals, [point_count][3] */
void snw_surface_send_points(snw_surface *surface, const float *points);
void snw_surface_read_points(const snw_surface *surface, float *points);
void snw_surface_find_normals(snw_surface *surface);
/* Normals that a method brings itself, [point_count][3], in place of those found last. */
void snw_surface_send_normals(snw_surface *surface, const float *normals);
/* The normals as they are, [point_count][3]: for tests. */
void snw_surface_read_normals(const snw_surface *surface, float *normals);

/* What finding normals reads and writes in the GPU's memory, each number counted once, bytes. */
double snw_surface_normal_bytes(const snw_surface *surface);

/* A heat map: a value for each point; NULL for none. Values outside the range take the colours of its ends. */
void snw_surface_set_heat(snw_surface *surface, const double *values, double minimum, double maximum);
/* In place of a heat map: a colour for each point, [point_count][3], linear light. */
void snw_surface_set_colors(snw_surface *surface, const double *colors);

/* What all surfaces of a picture are drawn with. */
typedef struct snw_surface_setting {
	const snw_camera_matrices *camera;
	const snw_key_light *light;
	const snw_key_view *key;
	GLuint heat_ramp;
	bool flat;
	bool dark;     /* behind it: the ground's lines are light */
	bool shaded;   /* heat maps darken the materials, and do not take their place */
	bool clay;     /* no materials */
	float opacity; /* where the surface faces the eye; its edges are denser. 1: solid */
	float tint[4]; /* linear: a share of the last takes the place of the material's colour */
	const snw_brush_ring *brush;
} snw_surface_setting;
/* The triangles of opaque materials, or those of blended ones. */
void snw_surface_draw(const snw_surface *surface, const snw_materials *materials, const snw_surface_setting *setting,
					  bool blended);
/* Into the key light's depth. */
void snw_surface_draw_key_depth(const snw_surface *surface, const snw_surface_setting *setting);
/* Polygon edges, `width` pixels wide. */
void snw_surface_draw_wire(const snw_surface *surface, const snw_camera_matrices *camera, uint32_t picture_width,
						   uint32_t picture_height, const float color[4], double width);
/* From above, into what becomes the soft shadow: x and z within `reach` of the middle fill the picture. */
void snw_surface_draw_shadow(const snw_surface *surface, const float middle[3], double reach);

#endif
