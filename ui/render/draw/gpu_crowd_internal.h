/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A crowd on the GPU, for gpu_crowd.c and gpu_crowd.c alone.
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

/* ---- gpu crowd ways ------------------------------------------------------------------------------------------------------ */

/* Other ways to draw a crowd, to compare its own with (benchmark/graphics.h). Each draws the surfaces alone, without
 * shadows, in the same picture. */

typedef enum snw_crowd_way {
	SNW_CROWD_AT_ONCE,     /* a draw call for each mesh; 16 bytes a member */
	SNW_CROWD_ONE_BY_ONE,  /* the same frames on the card, but a draw call for each member */
	SNW_CROWD_POINTS_SENT, /* the points and normals of all members; a draw call for each mesh (Kavan et al. 2007, section 6) */
	SNW_CROWD_WAYS,
} snw_crowd_way;

/* The points and normals of all meshes at all frames, as the GPU computes them, read back. The crowd must outlive it. Of a
 * crowd without levels. */
typedef struct snw_crowd_points snw_crowd_points;
snw_crowd_points *snw_crowd_points_create(snw_gpu_crowd *gpu_crowd);
void snw_crowd_points_destroy(snw_crowd_points *points); /* NULL: does nothing */

/* Draws the crowd at a moment; returns the bytes that were sent for it. */
size_t snw_gpu_crowd_draw_way(snw_gpu_crowd *gpu_crowd, snw_crowd_way way, const snw_crowd_points *points, const snw_view *view,
							  double seconds);
/* The size of its pictures. */
snw_status snw_gpu_crowd_fit_target(snw_gpu_crowd *gpu_crowd, uint32_t width, uint32_t height, snw_error *error);

#endif
