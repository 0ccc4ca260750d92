/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Slots for joints that have none, so that a mesh can be bound to them. Their inverse bind is that of the skeleton at rest.
 */
#ifndef SINEW_HOST_FIT_JOINT_SLOTS_H
#define SINEW_HOST_FIT_JOINT_SLOTS_H

#include "scene/scene.h"

/* How many joints have no slot. A joint whose place at rest has no inverse can have none and is not counted. */
uint32_t snw_scene_missing_slots(const snw_scene *scene);

/* Appends a slot for each of them. */
void snw_scene_complete_slots(snw_scene *scene);

#endif
