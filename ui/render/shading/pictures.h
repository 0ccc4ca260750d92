/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pictures that a scene's materials show, decoded. They come from strangers, and their sum has a budget: pictures that would go
 * over it are all shown coarser, by the same number of halvings.
 */
#ifndef SINEW_UI_RENDER_SHADING_PICTURES_H
#define SINEW_UI_RENDER_SHADING_PICTURES_H

#include "render/image/mipmap.h"
#include "scene/scene.h"

/* [image_count]: as data, as colours. Without pixels where no material needs it so, and where it cannot be read, with a notice. In
 * `arena`, at most `budget` bytes of finest levels; one picture more is in memory while it is decoded. In any thread. */
typedef snw_mipmap snw_picture[2];
snw_picture *snw_pictures_decode(const snw_scene *scene, uint64_t budget, snw_arena *arena);

#endif
