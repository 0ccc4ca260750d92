/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pictures that a scene's materials show, decoded. They are untrusted, and their sum has a budget: if they exceed it,
 * all are shown coarser, by the same number of halvings.
 */
#ifndef SINEW_UI_RENDER_SHADING_PICTURES_H
#define SINEW_UI_RENDER_SHADING_PICTURES_H

#include "render/image/mipmap.h"
#include "scene/scene.h"

/* [image_count]: as data, as colours. Pictures that no material uses in this way, or that cannot be read (with a notice),
 * have no pixels. In `arena`, at most `budget` bytes of finest levels, plus the picture that is being decoded. In any
 * thread. */
typedef snw_mipmap snw_picture[2];
snw_picture *snw_pictures_decode(const snw_scene *scene, uint64_t budget, snw_arena *arena);

#endif
