/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sets what joints may do while they are posed (pose/joint_limits.h), within an open command.
 */
#ifndef SINEW_HOST_EDIT_JOINTS_JOINT_VALUES_H
#define SINEW_HOST_EDIT_JOINTS_JOINT_VALUES_H

#include "pose/joint_limits.h"
#include "project/project.h"

/* Sets the value of a joint in the field of that name, which is made if there is none. SNW_ERROR_CONFLICT if a field of that
 * name has another shape. */
snw_status snw_project_put_joint_value(snw_project *project, const snw_scene *scene, const char *field, uint32_t joint,
									   double value, snw_error *error);

#endif
