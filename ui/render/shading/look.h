/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The looks of the character and the lights, by name, for the window and for pictures. One look is active at a time.
 */
#ifndef SINEW_UI_RENDER_SHADING_LOOK_H
#define SINEW_UI_RENDER_SHADING_LOOK_H

#include <GL/glew.h>
#include <stdint.h>

#include "base/error.h"
#include "render/view/camera.h"
#include "render/view/view.h"

/* ---- the key light ------------------------------------------------------------------------------------------------------- */

/* The shadow of the key light, which moves with the camera: the depth of the surfaces as seen from the light. All functions
 * need the context to be current. */

typedef struct snw_key_light {
	GLuint framebuffer, depth;
} snw_key_light;
snw_status snw_key_light_create(snw_key_light *light, snw_error *error);
void snw_key_light_destroy(snw_key_light *light);

/* The light's view of a box, in the form for shaders. */
typedef struct snw_key_view {
	float direction[3];     /* toward the light, eye axes */
	float key_from_eye[16]; /* from eye axes, with the eye at the origin, to the depth texture, 0 to 1 */
	double texel;           /* metres */
	float shares[3];        /* of key, fill and sky */
	bool casts_shadows;
} snw_key_view;
/* `lights` is an snw_lights, whose key is turned about the eye's vertical by `angle` radians. It casts shadows. */
snw_key_view snw_key_view_make(const snw_camera_matrices *camera, const snw_box *box, uint32_t lights, double angle);

/* Of a program that includes shaders/draw/key_shadow.glsl: without shadows, and with them. */
extern const char *const snw_key_light_defines[2];

/* Binds and clears the depth; what is then drawn with key_depth.vert casts the shadow. Leaves another framebuffer bound. */
void snw_key_light_enter(const snw_key_light *light);
/* Sets the uniforms of key_shadow.glsl and of the lights in `program`, which is in use, and binds the depth. */
void snw_key_light_use(const snw_key_light *light, const snw_key_view *view, GLuint program);

/* ---- look ---------------------------------------------------------------------------------------------------------------- */

typedef struct snw_look {
	const char *word;  /* "x-ray": in scripts and options */
	const char *label; /* "X-ray": shown to people */
	uint32_t flags;    /* snw_view_flags */
} snw_look;

/* Those from SNW_LOOK_MATCAPS on are matcaps. */
enum { SNW_LOOK_MATCAPS = 4, SNW_LOOK_COUNT = 7 };
extern const snw_look snw_looks[SNW_LOOK_COUNT];

/* The names of snw_lights, in order; ends with NULL. */
extern const char *const snw_lights_words[];

/* The look with this name; NULL if there is none. */
const snw_look *snw_look_find(const char *word);
/* The look of a view with these flags. */
uint32_t snw_look_of(uint32_t flags);
/* The flags with another look, and everything else unchanged. */
uint32_t snw_look_put(uint32_t flags, uint32_t look);

#endif
