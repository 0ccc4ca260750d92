/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ground under a character: a grid in steps of a power of ten metres, and a soft shadow. All functions need the context to
 * be current.
 */
#ifndef SINEW_UI_RENDER_DRAW_GROUND_H
#define SINEW_UI_RENDER_DRAW_GROUND_H

#include "render/mesh/gpu_mesh.h"

typedef struct snw_ground {
	GLuint programs[2]; /* without shadows, and with them */
	GLuint blur, array;
	GLuint framebuffers[2], textures[2]; /* the shadow; one is blurred into the other */
} snw_ground;
snw_status snw_ground_create(snw_ground *ground, snw_error *error);
void snw_ground_destroy(snw_ground *ground);

/* The ground under a character in `box`. */
typedef struct snw_ground_place {
	float middle[3]; /* y is the ground's height: 0 if the box reaches down to it, else the lower side of the box */
	double reach;    /* half the side of the drawn square, metres */
	double shadow_reach;
	double grid_step;
} snw_ground_place;
snw_ground_place snw_ground_place_under(const snw_box *box);

#endif
