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

#endif
