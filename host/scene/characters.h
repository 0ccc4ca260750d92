/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The characters of a scene: joints that move together, with the meshes that they move.
 */
#ifndef SINEW_HOST_SCENE_CHARACTERS_H
#define SINEW_HOST_SCENE_CHARACTERS_H

#include "scene/scene.h"

typedef struct snw_character {
	const char *name;   /* of its mesh, if that is the only one; otherwise of its topmost joint. Unique */
	const bool *joints; /* [joint_count]: its own, and all above them, which others may share */
	const bool *meshes; /* [mesh_count] */
} snw_character;

/* A joint that moves points, or that a clip moves, belongs to one character with all joints below it. Joints above that do
 * neither may hold several characters. Joints that move one mesh together are one character's; a mesh that no joint moves is a
 * character of its own. In the order of their first meshes; each has at least one. In `arena`. */
uint32_t snw_scene_characters(const snw_scene *scene, snw_arena *arena, const snw_character **characters);

#endif
