/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks of data from outside, one for each kind of object in a scene. snw_scene_check (scene/scene.h) runs all of them; the
 * project checks each object before it stores it.
 *
 * Each returns SNW_OK, or SNW_ERROR_DATA with a message that names the object, the position in it and the error. Any thread.
 */
#ifndef SINEW_HOST_SCENE_CHECK_H
#define SINEW_HOST_SCENE_CHECK_H

#include "scene/scene.h"

/* The largest count of points, corners, keys or values in an array, and the largest coordinate in metres. No real file has
 * more, and products of a few such counts fit 64 bits, and squares of such coordinates a double. */
#define SNW_LARGEST_COUNT ((uint32_t)1 << 28)
#define SNW_LARGEST_NUMBER 1e15

/* SNW_ERROR_LIMIT if there are more. */
snw_status snw_scene_check_size(uint32_t joint_count, uint32_t mesh_count, snw_error *error);

/* Not NULL, not empty, at most 1000 bytes, no control characters. `kind` is that of the object: "mesh". */
snw_status snw_check_name(const char *kind, const char *name, snw_error *error);
/* One line of UTF-8, at most SNW_LONGEST_TEXT bytes, without control characters; it can be empty. */
snw_status snw_check_text(const char *kind, const char *name, const char *text, snw_error *error);
/* `count` numbers that are finite and at most SNW_LARGEST_NUMBER. `array` is the name of the array: "rest points". */
snw_status snw_check_numbers(const char *kind, const char *name, const char *array, const double *numbers, size_t count,
							 snw_error *error);

/* Points, faces, corners, base skin and morphs. */
snw_status snw_mesh_check(const snw_mesh *mesh, uint32_t material_count, uint32_t slot_count, uint32_t channel_count,
						  snw_error *error);
/* A base skin: ascending offsets, slots in range, and weights with a sum of 1 within 1e-4. */
snw_status snw_skin_check(const char *mesh, uint32_t point_count, const uint32_t *influence_offsets,
						  const uint32_t *influence_slots, const double *influence_weights, uint32_t slot_count,
						  snw_error *error);
snw_status snw_skeleton_check(const snw_skeleton *skeleton, snw_error *error);
snw_status snw_slots_check(const uint32_t *slot_joints, const double *slot_inverse_binds, uint32_t slot_count,
						   uint32_t joint_count, snw_error *error);
snw_status snw_clip_check(const snw_clip *clip, uint32_t joint_count, uint32_t channel_count, snw_error *error);
snw_status snw_pose_check(const snw_pose *pose, uint32_t joint_count, uint32_t channel_count, snw_error *error);
/* Only the points; snw_scene_check checks that pose and mesh are in range. */
snw_status snw_example_check(const snw_example *example, uint32_t point_count, snw_error *error);
snw_status snw_target_check(const snw_target *target, uint32_t point_count, snw_error *error);
/* Everything but the points. */
snw_status snw_target_check_times(const snw_target *target, snw_error *error);
/* domain_count: the number of elements of the domain, or SNW_NONE if any number is valid. */
snw_status snw_field_check(const snw_field *field, uint32_t domain_count, snw_error *error);
snw_status snw_layer_check(const snw_layer *layer, snw_error *error);
/* The shape and the stencils of a level of a mesh. */
snw_status snw_level_check(const snw_level *level, const snw_mesh *mesh, uint32_t material_count, snw_error *error);
snw_status snw_saved_model_check(const snw_saved_model *model, snw_error *error);

/* The number of elements of a field of this domain; SNW_NONE for examples and frames, whose numbers change later. */
uint32_t snw_scene_domain_count(const snw_scene *scene, int32_t domain, uint32_t mesh);

#endif
