/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looks, lights and materials.
 */
#ifndef SINEW_UI_RENDER_SHADING_SHADING_H
#define SINEW_UI_RENDER_SHADING_SHADING_H

#include <GL/glew.h>
#include <stdint.h>

#include "base/error.h"
#include "picture/pictures.h"
#include "render/gl/target.h"
#include "render/view/view.h"
#include "scene/scene.h"

/* ---- the key light ------------------------------------------------------------------------------------------------------- */

/* The looks of the character and the lights, by name, for the window and for pictures. One look is active at a time. */

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

/* ---- materials ----------------------------------------------------------------------------------------------------------- */

/* A scene's materials on the GPU: pictures decoded into textures, and the uniforms of surface.frag. */

/* Texture units of surface.frag after its buffer textures. */
enum {
	SNW_UNIT_BASE_COLOR = 5,
	SNW_UNIT_METALLIC_ROUGHNESS = 6,
	SNW_UNIT_HEAT_RAMP = 7,
	SNW_UNIT_NORMAL = 9,
	SNW_UNIT_EMISSIVE = 10,
};

/* The pictures of a scene, decoded: in any thread, without a context. Pictures that cannot be read are omitted, with a
 * notice. */
typedef struct snw_materials_data snw_materials_data;
snw_materials_data *snw_materials_data_create(const snw_scene *scene);
void snw_materials_data_destroy(snw_materials_data *data); /* NULL: does nothing */

typedef struct snw_materials snw_materials;
/* `data` (NULL: decoded here) is taken over. `uploads` (NULL: at once) send the pictures. */
snw_materials *snw_materials_create(const snw_scene *scene, snw_materials_data *data, snw_uploads *uploads);
/* Replaces the scene by another with the same materials and pictures. */
void snw_materials_replace(snw_materials *materials, const snw_scene *scene);
void snw_materials_destroy(snw_materials *materials); /* NULL: does nothing */

/* Sets the uniforms of `program`, which is in use. SNW_NONE: plain clay. */
void snw_material_use(const snw_materials *materials, uint32_t material, GLuint program);
/* Its texture, sRGB; 0: none. */
GLuint snw_material_base_color(const snw_materials *materials, uint32_t material);
bool snw_material_is_blended(const snw_materials *materials, uint32_t material);

/* ---- pictures ------------------------------------------------------------------------------------------------------------ */

/* The pictures that a scene's materials show, decoded by the worker. */

/* [image_count]: as data, as colours. Without pixels where no material needs it so, and where it cannot be read, with a line on
 * standard error. In `arena`, at most `budget` bytes of finest levels (host/picture/pictures.h). In any thread. */
typedef snw_mipmap snw_picture[2];
snw_picture *snw_pictures_of_scene(const snw_scene *scene, uint64_t budget, snw_arena *arena);

#endif
