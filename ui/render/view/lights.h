/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lights to choose from.
 */
#ifndef SINEW_UI_RENDER_VIEW_LIGHTS_H
#define SINEW_UI_RENDER_VIEW_LIGHTS_H

/* The lights; all of them move with the camera. */
typedef enum snw_lights {
	SNW_LIGHTS_STUDIO = 0, /* a key light from above, left and before */
	SNW_LIGHTS_RAKING = 1, /* from the side, with little else: shows every dent */
	SNW_LIGHTS_EVEN = 2,   /* from the eye: no side lies in the dark */
	SNW_LIGHTS_COUNT = 3,
} snw_lights;

#endif
