/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The skeleton drawn over the mesh: an octahedral bone from each joint to each of its children, a small octahedron at joints
 * that have none. All functions need the context to be current.
 */
#ifndef SINEW_UI_RENDER_OVERLAY_BONES_H
#define SINEW_UI_RENDER_OVERLAY_BONES_H

#include <GL/glew.h>

#include "base/error.h"
#include "render/view/camera.h"
#include "scene/scene.h"

typedef struct snw_bones {
	GLuint program, array, vertices;
} snw_bones;
snw_status snw_bones_create(snw_bones *bones, snw_error *error);
void snw_bones_destroy(snw_bones *bones);

/* `global` is [joint_count][12]; `marks` is [joint_count] snw_joint_mark or NULL; `size` is the diagonal of the character,
 * metres; `height` that of the picture in pixels, for bones and joints are never thinner than a few of them. Clears the depth
 * buffer, and draws half transparent. */
void snw_bones_draw(const snw_bones *bones, const snw_skeleton *skeleton, const double *global, const unsigned char *marks,
					double size, const snw_camera_matrices *camera, uint32_t height);

#endif
