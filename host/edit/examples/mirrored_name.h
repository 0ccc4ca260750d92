/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The name of the mirror image of an example.
 */
#ifndef SINEW_HOST_EDIT_EXAMPLES_MIRRORED_NAME_H
#define SINEW_HOST_EDIT_EXAMPLES_MIRRORED_NAME_H

#include "mesh/mirror/mirror.h"
#include "scene/scene.h"

/* What the example of the other side is called if that does not follow from the sides in its name: as the image or the pose
 * that there is, or after the joint that drives it. NULL: as follows from the sides (mirror_examples.h). */
const char *snw_mirrored_example_name(const snw_scene *scene, const snw_mirror_plane *plane, uint32_t example,
									  snw_arena *arena);

#endif
