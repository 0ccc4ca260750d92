/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A crowd on the GPU, for gpu_crowd.c and gpu_crowd_ways.c alone.
 */
#ifndef SINEW_UI_RENDER_DRAW_GPU_CROWD_INTERNAL_H
#define SINEW_UI_RENDER_DRAW_GPU_CROWD_INTERNAL_H

#include "render/draw/gpu_crowd.h"
#include "render/draw/renderer.h"

struct snw_gpu_crowd {
	snw_arena *arena;
	snw_renderer *renderer;
	snw_crowd *crowd;
	snw_crowd_character character;
	const snw_scene *posed; /* the character's scene, or that with its levels */
	snw_gpu_scene gpu_scene;
	snw_gpu_stack *gpu_stack;
	snw_gpu_mesh_pose **poses; /* [mesh_count] */
	uint32_t *rooms;           /* [mesh_count]: instances that they have room for */
	snw_gpu_instances *shown;  /* [mesh_count] */
	GLuint buffer, texture;    /* of instances */
	float *sent;               /* [count][SNW_INSTANCE_FLOATS] */
	uint32_t *order;           /* [count + 1]: the members in view, by level */
	unsigned char *level_of;   /* [count]: while they are sorted */
	uint32_t level_count;
	uint32_t *at_level; /* [level_count]: members */
	double side;        /* metres: the longest of the rest */
	snw_box box;        /* of all members at all frames */
	snw_box seen;       /* of those in view */
	uint32_t count;     /* of those */
	size_t kept_bytes;
	snw_target_buffers target; /* width 0: none yet */
};

/* Chooses the members in view and their levels, and sends them: returns the bytes. */
size_t snw_gpu_crowd_choose(snw_gpu_crowd *gpu_crowd, const snw_camera *camera, uint32_t width, uint32_t height,
							double seconds);
/* The points and normals of the chosen members that show a mesh. */
void snw_gpu_crowd_skin(snw_gpu_crowd *gpu_crowd, uint32_t mesh);

#endif
