/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The checks that stand at the boundary, one for each kind of thing a scene holds. snw_scene_check (scene/scene.h) runs them
 * all; the project runs the one that fits on whatever is put into it.
 *
 * Each returns SNW_OK, or SNW_ERROR_DATA with a line that names the thing, the place in it and what is wrong. Any thread.
 */
#ifndef SINEW_HOST_SCENE_CHECK_H
#define SINEW_HOST_SCENE_CHECK_H

#include "scene/scene.h"

/* The largest count of points, corners, keys or values in one array, and the largest coordinate in metres: beyond them no real
 * file lies, and below them products of a few of them stay within 64 bits, and squares within a double. */
#define SNW_LARGEST_COUNT ((uint32_t)1 << 28)
#define SNW_LARGEST_NUMBER 1e15

/* Not NULL, not empty, at most 1000 bytes, no control characters. `what` is the kind: "mesh". */
snw_status snw_check_name(const char *kind, const char *name, snw_error *error);
/* One line of UTF-8, at most SNW_LONGEST_TEXT bytes, no control characters; it may be empty. */
snw_status snw_check_text(const char *kind, const char *name, const char *text, snw_error *error);
/* `count` numbers that are finite and not absurdly large. `what` names the array: "rest points". */
snw_status snw_check_numbers(const char *kind, const char *name, const char *array, const double *numbers, size_t count,
							 snw_error *error);
snw_status snw_check_floats(const char *kind, const char *name, const char *array, const float *numbers, size_t count,
							snw_error *error);
/* Finite, with a unit rotation. */
snw_status snw_check_transform(const char *kind, const char *name, uint32_t joint, const snw_transform *transform,
							   snw_error *error);

/* Points, faces, corners and base skin; morphs as well. */
snw_status snw_mesh_check(const snw_mesh *mesh, uint32_t material_count, uint32_t slot_count, uint32_t channel_count,
						  snw_error *error);
/* A base skin alone: rising offsets, slots in range, weights that sum to 1 within 1e-4. */
snw_status snw_skin_check(const char *mesh, uint32_t point_count, const uint32_t *influence_offsets,
						  const uint32_t *influence_slots, const double *influence_weights, uint32_t slot_count,
						  snw_error *error);
snw_status snw_skeleton_check(const snw_skeleton *skeleton, snw_error *error);
snw_status snw_slots_check(const uint32_t *slot_joints, const double *slot_inverse_binds, uint32_t slot_count,
						   uint32_t joint_count, snw_error *error);
snw_status snw_clip_check(const snw_clip *clip, uint32_t joint_count, uint32_t channel_count, snw_error *error);
snw_status snw_pose_check(const snw_pose *pose, uint32_t joint_count, uint32_t channel_count, snw_error *error);
/* The numbers alone; whether pose and mesh are in range is the scene's to know. */
snw_status snw_example_check(const snw_example *example, uint32_t point_count, snw_error *error);
snw_status snw_target_check(const snw_target *target, uint32_t point_count, snw_error *error);
/* domain_count: how many elements the domain has, or SNW_NONE where any number will do. */
snw_status snw_field_check(const snw_field *field, uint32_t domain_count, snw_error *error);
snw_status snw_layer_check(const snw_layer *layer, snw_error *error);
snw_status snw_saved_model_check(const snw_saved_model *model, snw_error *error);

/* How many elements a field of this domain has; SNW_NONE for examples and frames, whose number changes under it. */
uint32_t snw_scene_domain_count(const snw_scene *scene, int32_t domain, uint32_t mesh);

#endif
