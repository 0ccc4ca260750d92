/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A character whose skeleton goes, for a method that makes another.
 */
#ifndef SINEW_HOST_FIT_REPLACE_SKELETON_H
#define SINEW_HOST_FIT_REPLACE_SKELETON_H

#include "scene/scene.h"

/* A copy without joints, slots, skins and the tracks of joints; poses keep their channels. SNW_ERROR_CONFLICT where that would
 * leave something without sense: a group with joints, an example in a pose, a target of a clip, a fitted layer that is not
 * muted, a skin of a mesh that has no sequence. */
snw_status snw_scene_without_skeleton(const snw_scene *scene, snw_scene **bare, snw_error *error);

/* Takes the tracks of joints out of all clips of a scene. */
void snw_scene_drop_joint_tracks(snw_scene *scene);

#endif
