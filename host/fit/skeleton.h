/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skeletons of fits: slots for joints that have none, and a character whose skeleton goes.
 */
#ifndef SINEW_HOST_FIT_SKELETON_H
#define SINEW_HOST_FIT_SKELETON_H

#include "scene/scene.h"

/* ---- slots --------------------------------------------------------------------------------------------------------------- */

/* Slots are for joints that have none, so that a mesh can be bound to them. Their inverse bind is that of the skeleton at
 * rest. */

/* How many joints have no slot. A joint whose place at rest has no inverse can have none and is not counted. */
uint32_t snw_scene_missing_slots(const snw_scene *scene);

/* Appends a slot for each of them. */
void snw_scene_complete_slots(snw_scene *scene);

/* ---- a method that makes another skeleton -------------------------------------------------------------------------------- */

/* A copy without joints, slots, skins and the tracks of joints; poses keep their channels. SNW_ERROR_CONFLICT where that would
 * leave something without sense: a group with joints, an example in a pose, a target of a clip, a fitted layer that is not
 * muted, a skin of a mesh that has no sequence. */
snw_status snw_scene_without_skeleton(const snw_scene *scene, snw_scene **bare, snw_error *error);

/* Takes the tracks of joints out of all clips of a scene. */
void snw_scene_drop_joint_tracks(snw_scene *scene);

#endif
