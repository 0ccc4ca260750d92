/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lights that can be chosen. They move with the camera.
 */
#ifndef SINEW_UI_RENDER_VIEW_LIGHTS_H
#define SINEW_UI_RENDER_VIEW_LIGHTS_H

typedef enum snw_lights {
	SNW_LIGHTS_STUDIO = 0, /* a key light from above left, in front */
	SNW_LIGHTS_RAKING = 1, /* from the side, with little else: shows every dent */
	SNW_LIGHTS_EVEN = 2,   /* from the eye: no side is dark */
	SNW_LIGHTS_COUNT = 3,
} snw_lights;

#endif
