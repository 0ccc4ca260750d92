/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A mesh on the GPU: its posed points, their normals, and the ways to draw them. All functions need the context to be current.
 */
#ifndef SINEW_UI_RENDER_MESH_GPU_MESH_H
#define SINEW_UI_RENDER_MESH_GPU_MESH_H

#include "render/gl/target.h"
#include "render/shading/shading.h"
#include "render/skin/gpu_program.h"
#include "render/view/view.h"
#include "scene/scene.h"

/* point_normal: without tangents, and with them. */
typedef struct snw_normal_shaders {
	GLuint face_normal, point_normal[2];
} snw_normal_shaders;

typedef struct snw_gpu_mesh_shaders {
	snw_normal_shaders normals[SNW_GPU_PATH_COUNT];
	GLuint surface[2]; /* without shadows, and with them */
	GLuint wire, shadow, key_depth;
	GLuint face_array, point_array, edge_array, corner_array; /* vertex arrays: each mesh puts its buffers in */
	struct {
		snw_normal_shaders normals;
		GLuint surface[2], shadow, key_depth;
	} instanced; /* for crowds, by transform feedback */
	bool has_compute;
	snw_gpu_path path;      /* the one used for normals */
	GLint texel_limit;      /* of a buffer texture */
	uint64_t storage_limit; /* bytes of a buffer that compute shaders can access */
} snw_gpu_mesh_shaders;
snw_status snw_gpu_mesh_shaders_create(snw_gpu_mesh_shaders *shaders, snw_error *error);
/* Adds those for compute, if the driver supports it; the path stays transform feedback. */
snw_status snw_gpu_mesh_shaders_add_compute(snw_gpu_mesh_shaders *shaders, snw_error *error);
/* Adds those for crowds. */
snw_status snw_gpu_mesh_shaders_add_instanced(snw_gpu_mesh_shaders *shaders, snw_error *error);
void snw_gpu_mesh_shaders_destroy(snw_gpu_mesh_shaders *shaders);

typedef struct snw_gpu_mesh snw_gpu_mesh;

/* What is computed from a mesh before it goes to the GPU: in any thread, without a context. The mesh must outlive it. */
typedef struct snw_gpu_mesh_data snw_gpu_mesh_data;
snw_gpu_mesh_data *snw_gpu_mesh_data_create(const snw_mesh *mesh);
void snw_gpu_mesh_data_destroy(snw_gpu_mesh_data *data); /* NULL: does nothing */

/* The mesh must outlive it. `data` (NULL: computed here) is taken over, also on failure. `uploads` (NULL: at once) send it;
 * until then nothing is drawn. SNW_ERROR_LIMIT if the driver's buffer textures are too small. */
snw_status snw_gpu_mesh_create(const snw_gpu_mesh_shaders *shaders, const snw_mesh *mesh, snw_gpu_mesh_data *data,
							   snw_uploads *uploads, snw_gpu_mesh **gpu_mesh, snw_error *error);
void snw_gpu_mesh_destroy(snw_gpu_mesh *gpu_mesh); /* NULL: does nothing */
/* Replaces the mesh by another with the same points, faces and corners. */
void snw_gpu_mesh_replace(snw_gpu_mesh *gpu_mesh, const snw_mesh *mesh);

/* Another set of posed points and normals, for ghosts. The functions below pose, read and draw the one in use; NULL is the
 * mesh's first. Destroy a pose before its mesh. */
typedef struct snw_gpu_mesh_pose snw_gpu_mesh_pose;
snw_gpu_mesh_pose *snw_gpu_mesh_pose_create(const snw_gpu_mesh *gpu_mesh);
void snw_gpu_mesh_pose_destroy(snw_gpu_mesh_pose *pose); /* NULL: does nothing */
void snw_gpu_mesh_use_pose(snw_gpu_mesh *gpu_mesh, snw_gpu_mesh_pose *pose);
/* A set for `room` instances of a crowd, one after another. While it is in use, the functions below find normals of all of its
 * instances and draw them in their places, but for edges. */
snw_gpu_mesh_pose *snw_gpu_mesh_pose_create_instances(const snw_gpu_mesh *gpu_mesh, uint32_t room);
/* Which instances it has, at most `room`. */
void snw_gpu_mesh_pose_set_instances(snw_gpu_mesh_pose *pose, const snw_gpu_instances *instances);
/* The bytes of one instance's points, normals and areas. */
size_t snw_gpu_mesh_instance_bytes(const snw_mesh *mesh);

/* The posed points, [point_count][3]: a buffer for the GPU to fill, or points from the CPU (NULL: the rest). Find the
 * normals again afterwards. */
GLuint snw_gpu_mesh_points(const snw_gpu_mesh *gpu_mesh);
GLuint snw_gpu_mesh_points_texture(const snw_gpu_mesh *gpu_mesh); /* a buffer texture over them */
GLuint snw_gpu_mesh_normals(const snw_gpu_mesh *gpu_mesh);        /* the buffer of the points' normals, [point_count][3] */
void snw_gpu_mesh_send_points(snw_gpu_mesh *gpu_mesh, const float *points);
const snw_box *snw_gpu_mesh_rest_box(const snw_gpu_mesh *gpu_mesh);
void snw_gpu_mesh_read_points(const snw_gpu_mesh *gpu_mesh, float *points);
void snw_gpu_mesh_find_normals(snw_gpu_mesh *gpu_mesh);
/* Reads the normals back, [point_count][3]: for tests. */
void snw_gpu_mesh_read_normals(const snw_gpu_mesh *gpu_mesh, float *normals);

/* The bytes of GPU memory that finding normals reads and writes, each number counted once. */
double snw_gpu_mesh_normal_bytes(const snw_gpu_mesh *gpu_mesh);

/* A heat map: a value for each point; NULL for none. Values outside the range get the colours of its ends. */
void snw_gpu_mesh_set_heat(snw_gpu_mesh *gpu_mesh, const double *values, double minimum, double maximum);
/* Instead of a heat map: a colour for each point, [point_count][3], linear light. */
void snw_gpu_mesh_set_colors(snw_gpu_mesh *gpu_mesh, const double *colors);

/* Faces that are not drawn and cast no shadow, [face_count]; NULL: none. Call it when the mesh was sent completely. */
void snw_gpu_mesh_hide_faces(snw_gpu_mesh *gpu_mesh, const bool *hidden);

/* What is the same for all meshes of a picture. */
typedef struct snw_draw_settings {
	const snw_camera_matrices *camera;
	const snw_key_light *light;
	const snw_key_view *key;
	GLuint heat_ramp;
	bool flat;
	bool dark;     /* dark background: the ground has light lines */
	bool shaded;   /* heat maps tint the materials instead of replacing them */
	bool warns;    /* and in red */
	bool clay;     /* no materials */
	int matcap;    /* instead of materials and lights: 1 clay, 2 skin, 3 chrome (shaders/draw/matcap.glsl); 0: none */
	float opacity; /* where the surface faces the eye; the silhouette is more opaque. 1: opaque */
	float tint[4]; /* linear; the last is the share that it has in the colour */
	const snw_brush_ring *brush;
	const bool *hidden; /* [mesh_count]; NULL: none */
} snw_draw_settings;
/* Before meshes are drawn with these settings: sends what is the same for all of them, of a renderer, that are instanced as
 * this one is. */
void snw_gpu_mesh_begin_draw(const snw_gpu_mesh *gpu_mesh, const snw_draw_settings *settings);
/* Draws the triangles of opaque materials, or those of blended ones. */
void snw_gpu_mesh_draw(const snw_gpu_mesh *gpu_mesh, const snw_materials *materials, const snw_draw_settings *settings,
					   bool blended);
/* Into the depth of the key light, likewise. */
void snw_gpu_mesh_begin_key_depth(const snw_gpu_mesh *gpu_mesh, const snw_draw_settings *settings);
void snw_gpu_mesh_draw_key_depth(const snw_gpu_mesh *gpu_mesh);
/* Polygon edges, `width` pixels wide. */
void snw_gpu_mesh_draw_wire(const snw_gpu_mesh *gpu_mesh, const snw_camera_matrices *camera, uint32_t picture_width,
							uint32_t picture_height, const float color[4], double width);
/* From above, for the soft shadow: x and z within `reach` of the middle fill the picture. */
void snw_gpu_mesh_draw_shadow(const snw_gpu_mesh *gpu_mesh, const float middle[3], double reach);

/* ---- faces --------------------------------------------------------------------------------------------------------------- */

/* The faces of a mesh as needed for drawing: triangles sorted by material, edges, and the faces around each point. */

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
