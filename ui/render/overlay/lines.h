/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Strokes in the scene: gizmos, rings, handles. A list is filled on the CPU for each redraw, and drawn as smooth bands with
 * round ends, a number of pixels wide. A stroke whose ends coincide is a dot.
 */
#ifndef SINEW_UI_RENDER_OVERLAY_LINES_H
#define SINEW_UI_RENDER_OVERLAY_LINES_H

#include <GL/glew.h>
#include <stdint.h>

#include "base/error.h"
#include "render/view/view.h"
#include "scene/scene.h"

typedef struct snw_lines snw_lines;

typedef struct snw_line {
	float from[3], to[3]; /* world, metres */
	float color[4];       /* sRGB, 0 to 1, opacity last */
	float width;          /* pixels */
	float behind;         /* opacity where a surface hides it, as a share: 0: hidden, 1: drawn over everything */
} snw_line;

/* In the caller's memory: strokes beyond `most` are dropped. */
struct snw_lines {
	snw_line *lines; /* [most] */
	uint32_t count, most;
};

/* The appearance of a stroke. */
typedef struct snw_pen {
	float color[4], width, behind;
} snw_pen;

void snw_lines_add(snw_lines *lines, const double from[3], const double to[3], const snw_pen *pen);
void snw_lines_dot(snw_lines *lines, const double place[3], double width, const snw_pen *pen);
/* A circle about `axis`, or an arc of it between two angles in radians from a fixed direction; SNW_CIRCLE_LINES strokes.
 * `from_angle` = `to_angle`: the whole circle. */
enum { SNW_CIRCLE_LINES = 64 };
void snw_lines_circle(snw_lines *lines, const double middle[3], const double axis[3], double radius, double from_angle,
					  double to_angle, const snw_pen *pen);
/* The directions at which the angles about `axis` (unit) are measured: `across` is 0, `over` π/2. */
void snw_circle_directions(const double axis[3], double across[3], double over[3]);
/* A stroke with an arrowhead: nine strokes. */
void snw_lines_arrow(snw_lines *lines, const double from[3], const double to[3], double head, const snw_pen *pen);

/* ---- line drawer --------------------------------------------------------------------------------------------------------- */

/* Draws lists of strokes (lines.h). The context must be current. */

typedef struct snw_line_drawer {
	GLuint program, array, instances;
} snw_line_drawer;
snw_status snw_line_drawer_create(snw_line_drawer *drawer, snw_error *error);
void snw_line_drawer_destroy(snw_line_drawer *drawer);
/* Into the bound framebuffer of `width` × `height` pixels; tests its depth but does not write it. */
void snw_lines_draw(const snw_line_drawer *drawer, const snw_lines *lines, const snw_camera_matrices *camera, uint32_t width,
					uint32_t height);

/* ---- bones --------------------------------------------------------------------------------------------------------------- */

/* The skeleton drawn over the mesh: an octahedral bone from each joint to each of its children, a small octahedron at joints
 * that have none. All functions need the context to be current. */

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
