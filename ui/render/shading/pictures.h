/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pictures that a scene's materials show, decoded by the worker.
 */
#ifndef SINEW_UI_RENDER_SHADING_PICTURES_H
#define SINEW_UI_RENDER_SHADING_PICTURES_H

#include "picture/pictures.h"
#include "scene/scene.h"

/* [image_count]: as data, as colours. Without pixels where no material needs it so, and where it cannot be read, with a line on
 * standard error. In `arena`, at most `budget` bytes of finest levels (host/picture/pictures.h). In any thread. */
typedef snw_mipmap snw_picture[2];
snw_picture *snw_pictures_of_scene(const snw_scene *scene, uint64_t budget, snw_arena *arena);

#endif
