/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A scene's materials on the GPU: pictures decoded into textures, and the uniforms of surface.frag.
 */
#ifndef SINEW_UI_RENDER_SHADING_MATERIAL_H
#define SINEW_UI_RENDER_SHADING_MATERIAL_H

#include "picture/pictures.h"
#include "render/gl/target.h"
#include "scene/scene.h"

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
