/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The input of a fit: the scene's examples, groups, sequences and targets as views of the ABI.
 */
#ifndef SINEW_HOST_FIT_INPUT_H
#define SINEW_HOST_FIT_INPUT_H

#include "scene/scene.h"
#include "sinew/sinew.h"
#include "stack/stack.h"
#include "task/task.h"

/* Views of the scene in `arena`. The scene and the caller's `values` must outlive them. The input has the examples, sequences
 * and targets that `needs` asks for and `samples` (samples.h) selects. It leaves out `left_out_example` (SNW_NONE for none),
 * muted examples and groups without members. Fails as snw_frames_choose does. */
snw_status snw_fit_input_make(const snw_scene *scene, uint32_t needs, const char *samples, uint32_t left_out_example,
							  uint32_t value_count, const snw_value *values, const snw_task *task, snw_arena *arena,
							  snw_fit_input **made, snw_error *error);

/* Adds the layer's settings of single groups and joints to `input`. Settings of groups that are left out, or of groups and
 * joints that no longer exist, are ignored. Fails as snw_value_resolve does. */
snw_status snw_fit_input_override(const snw_scene *scene, const snw_descriptor *descriptor, const snw_layer *layer,
								  snw_arena *arena, snw_fit_input *input, snw_error *error);

/* Places the unedited points of the examples where `below` puts them, in new arrays of `arena`. Sets *read if there are any. */
snw_status snw_fit_input_place_unedited(const snw_scene *scene, const snw_stack *below, uint32_t left_out_example,
										snw_arena *arena, snw_fit_input *input, bool *read, snw_error *error);

/* ---- skeleton ------------------------------------------------------------------------------------------------------------ */

/* Skeletons of fits: slots for joints that have none, and a character whose skeleton goes. */

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
