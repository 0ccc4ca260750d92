/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A crowd on the GPU (crowd/crowd.h). The input of the skin programs at all frames of the clips is kept there: palettes (dual
 * quaternions where the blend has them), coefficients, rotations. A redraw sends 16 bytes for each member that is in view: its
 * place, its turn and its frame, sorted by level of detail in one buffer. Then every mesh, and every level of one, is skinned,
 * gets its normals, and is drawn for all of its members at once: a call for each pass and material.
 *
 * A skinned member has the points and normals that a viewport shows at that frame; where the processor finds those normals
 * (render/skin/gpu_stack.h), it has normals of its faces instead. Members out of view are left out by the boxes of their
 * clips, and cast no shadow.
 */
#ifndef SINEW_UI_RENDER_DRAW_GPU_CROWD_H
#define SINEW_UI_RENDER_DRAW_GPU_CROWD_H

#include "crowd/crowd.h"
#include "render/render.h"

typedef struct snw_gpu_crowd snw_gpu_crowd;

/* How many members the driver and the memory of the card have room for, all in view at the finest level. `bytes` is what one
 * takes, `memory` that of the card, or half of the machine's where the processor draws; 0: not known. */
typedef struct snw_crowd_room {
	uint64_t count, bytes, memory;
} snw_crowd_room;
snw_status snw_gpu_crowd_room(snw_renderer *renderer, const snw_crowd_character *character, snw_crowd_room *room,
							  snw_error *error);

/* Drives all frames of the clips, which finds the boxes of `crowd`. All must outlive it. SNW_ERROR_LIMIT if there is no room
 * for the crowd; the message says how many fit. Further errors as of snw_crowd_drive. */
snw_status snw_gpu_crowd_create(snw_renderer *renderer, snw_crowd *crowd, const snw_crowd_character *character,
								const snw_task *task, snw_gpu_crowd **gpu_crowd, snw_error *error);
void snw_gpu_crowd_destroy(snw_gpu_crowd *gpu_crowd); /* NULL: does nothing */

/* Boxes round all members at all frames, to frame the camera: from the view's yaw and pitch, in a picture of this size. */
snw_camera snw_gpu_crowd_frame_camera(const snw_gpu_crowd *gpu_crowd, const snw_camera *camera, uint32_t width,
									  uint32_t height);

/* What the last pose showed. */
typedef struct snw_crowd_shown {
	uint32_t count;         /* of members in view */
	uint32_t level_count;   /* of levels, with the meshes themselves */
	const uint32_t *levels; /* [level_count]: members at each */
	uint64_t triangles;
	size_t bytes_sent, kept_bytes; /* by the pose; by creation: all frames */
} snw_crowd_shown;

/* Chooses the members in view and their levels, and skins them. */
snw_status snw_gpu_crowd_pose(snw_gpu_crowd *gpu_crowd, const snw_camera *camera, uint32_t width, uint32_t height,
							  double seconds, snw_error *error);
snw_crowd_shown snw_gpu_crowd_shown(const snw_gpu_crowd *gpu_crowd);
/* Draws what was posed, with the flags and lights of the view but for edges and bones, into an RGBA picture
 * [height][width][4], top row first. */
snw_status snw_gpu_crowd_picture(snw_gpu_crowd *gpu_crowd, const snw_view *view, uint32_t width, uint32_t height,
								 unsigned char *pixels, snw_error *error);
/* The same into the renderer's window. */
snw_status snw_gpu_crowd_draw_window(snw_gpu_crowd *gpu_crowd, const snw_view *view, uint32_t width, uint32_t height,
									 snw_error *error);

/* The posed points and the normals of a member that was posed last, in its own space, [point_count][3], read back; `mesh` is
 * that of the level it is shown at. False if it is not in view: for tests. */
bool snw_gpu_crowd_read(const snw_gpu_crowd *gpu_crowd, uint32_t member, uint32_t *mesh, float *points, float *normals);

/* ---- other ways ---------------------------------------------------------------------------------------------------------- */

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
