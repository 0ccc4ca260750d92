/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stores one element of a scene as rows. The caller has checked it. Private to host/project.
 *
 * On entry, `id` is the row to replace, 0 for a new one; on return, the row's id. References are ids, 0 for none.
 */
#ifndef SINEW_HOST_PROJECT_STORE_STORE_H
#define SINEW_HOST_PROJECT_STORE_STORE_H

#include "project/database/database.h"

snw_status snw_store_image(snw_project *project, const snw_image *image, int64_t *id, snw_error *error);
/* `images` are ids by the scene's index; likewise in the functions below. */
snw_status snw_store_material(snw_project *project, const snw_material *material, const int64_t *images, int64_t *id,
							  snw_error *error);
snw_status snw_store_joint(snw_project *project, const snw_skeleton *skeleton, uint32_t joint, int64_t parent, int64_t *id,
						   snw_error *error);
/* Replaces all slots. */
snw_status snw_store_slots(snw_project *project, uint32_t slot_count, const uint32_t *slot_joints,
						   const double *slot_inverse_binds, const int64_t *joints, snw_error *error);
snw_status snw_store_channel(snw_project *project, const snw_channel *channel, int64_t *id, snw_error *error);
snw_status snw_store_mesh(snw_project *project, const snw_mesh *mesh, const int64_t *materials, const int64_t *channels,
						  int64_t *id, snw_error *error);
snw_status snw_store_skin(snw_project *project, int64_t mesh, uint32_t point_count, const uint32_t *influence_offsets,
						  const uint32_t *influence_slots, const double *influence_weights, snw_error *error);
snw_status snw_store_clip(snw_project *project, const snw_clip *clip, const int64_t *joints, const int64_t *channels,
						  int64_t *id, snw_error *error);
snw_status snw_store_pose(snw_project *project, const snw_pose *pose, uint32_t joint_count, uint32_t channel_count,
						  int64_t clip, int64_t *id, snw_error *error);
snw_status snw_store_field(snw_project *project, const snw_field *field, int64_t mesh, int64_t *id, snw_error *error);
snw_status snw_store_example(snw_project *project, const snw_example *example, int64_t pose, int64_t mesh, uint32_t point_count,
							 int64_t *id, snw_error *error);
/* Members as ids, as in snw_project_put_group; `joints` by the scene's index. */
snw_status snw_store_group(snw_project *project, const snw_group *group, const int64_t *joints, const int64_t *examples,
						   const int64_t *masks, int64_t *id, snw_error *error);
/* Reports each frame. */
snw_status snw_store_target(snw_project *project, const snw_target *target, int64_t mesh, uint32_t point_count, int64_t clip,
							const snw_task *task, int64_t *id, snw_error *error);
snw_status snw_store_model(snw_project *project, const snw_saved_model *model, int64_t *id, snw_error *error);
snw_status snw_store_layer(snw_project *project, const snw_layer *layer, int64_t position, int64_t model, int64_t *id,
						   snw_error *error);

#endif
