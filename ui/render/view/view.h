/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is looked at: cameras, what is under a pixel, and views.
 */
#ifndef SINEW_UI_RENDER_VIEW_VIEW_H
#define SINEW_UI_RENDER_VIEW_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/numbers.h"
#include "scene/scene.h"
#include "stack/stack.h"

/* ---- cameras ------------------------------------------------------------------------------------------------------------- */

/* The camera: it is at `distance` from its target and looks at it. At yaw 0 it looks along −Z (from the front of a character
 * that faces +Z); a positive yaw moves it to the character's left, a positive pitch up. */

typedef struct snw_camera {
	double target[3];     /* metres */
	double yaw, pitch;    /* radians */
	double distance;      /* metres; 0: framed automatically */
	double field_of_view; /* radians, over the shorter side of the picture; 0: 32 degrees */
} snw_camera;

/* Rows: right, up, back (from the target to the eye), world. */
void snw_camera_axes(const snw_camera *camera, double axes[3][3]);
/* Half the height of the view one metre in front of the eye, metres; aspect is width divided by height. */
double snw_camera_tangent(const snw_camera *camera, double aspect);

/* Moves: orbits by angles in radians, not past the poles; pans by fractions of the picture's height; zooms by a factor on
 * the distance, and what is in the target's plane at (x, y), from (-1, -1) to (1, 1) in the picture, stays there. */
void snw_camera_orbit(snw_camera *camera, double yaw, double pitch);
void snw_camera_pan(snw_camera *camera, double right, double up);
void snw_camera_zoom(snw_camera *camera, double times, double x, double y, double aspect);
/* Removes or restores perspective; what is at the target keeps its size. */
void snw_camera_flatten(snw_camera *camera, bool is_flat);
bool snw_camera_is_flat(const snw_camera *camera);
bool snw_camera_is_level(const snw_camera *camera); /* without perspective, looking along the ground */

/* Sets target and distance so that `count` points (stride 3) fit a picture of this aspect (width divided by height) with a
 * margin; yaw, pitch and field of view stay. Without points it looks at the origin from 3 m. */
void snw_camera_fit(snw_camera *camera, const double *points, size_t count, double aspect);

/* Free space around the points: shares of the picture's width (start, end) and of its height (above, below). */
typedef struct snw_camera_margins {
	double start, end, above, below;
} snw_camera_margins;
/* The same with given margins; opposite ones add up to less than 1. */
void snw_camera_fit_within(snw_camera *camera, const double *points, size_t count, double aspect,
						   const snw_camera_margins *margins);

/* Matrices for shaders, column-major. */
typedef struct snw_camera_matrices {
	float clip_from_world[16];
	float eye_from_world[9];
	float eye[3]; /* world */
} snw_camera_matrices;
/* `box` is what must be between the near and the far plane. */
void snw_camera_matrices_make(const snw_camera *camera, double aspect, const snw_box *box, snw_camera_matrices *matrices);
/* False if the whole box is beside the picture or behind the eye. Boxes near a corner may count as seen although they are
 * not. */
bool snw_camera_sees(const snw_camera_matrices *matrices, const snw_box *box);

/* ---- picking ------------------------------------------------------------------------------------------------------------- */

/* What is under the mouse: rays through pixels, the nearest face, the nearest joint; on the CPU. Pixels count from the upper
 * left corner of the view, y down. */

/* The size of a view's picture in pixels. */
typedef struct snw_picture_size {
	double width, height;
} snw_picture_size;

typedef struct snw_view_ray {
	double from[3];  /* the eye, world */
	double along[3]; /* unit */
} snw_view_ray;

snw_view_ray snw_camera_ray(const snw_camera *camera, snw_picture_size size, double x, double y);
/* The pixel of a place; false behind the eye, with x and y unchanged. */
bool snw_camera_project(const snw_camera *camera, snw_picture_size size, const double place[3], double *x, double *y);
/* The width of a pixel at that place in metres, for handles of constant size on the screen; 0 at the eye's depth or behind
 * it. */
double snw_camera_pixel_metres(const snw_camera *camera, snw_picture_size size, const double place[3]);

typedef struct snw_hit {
	uint32_t mesh, face, point; /* `point`: the nearest of the face */
	double distance;            /* from the eye, metres */
	double place[3], normal[3]; /* posed; the face's normal is unit and points toward the ray's origin */
} snw_hit;

/* The nearest face of a mesh whose posed points are [point_count][3], from either side. `hidden` [face_count]: faces that are
 * passed over; NULL: none. `hit` keeps a nearer hit that it
 * already holds: begin with distance INFINITY. True if it changed. */
bool snw_pick_mesh(const snw_mesh *mesh, uint32_t index, const float *points, const bool *hidden, const snw_view_ray *ray,
				   snw_hit *hit);

/* The middle of the part of a mesh that a ray passes through first, at rest: halfway between the nearest face and the next one
 * that the ray meets from the other side, or on the face if there is none. False if it meets no face nearer than *distance,
 * which becomes that of the nearest face: begin with INFINITY. */
bool snw_pick_middle(const snw_mesh *mesh, const snw_view_ray *ray, double *distance, double place[3]);

/* The joint whose position or bone is nearest to a pixel and within `reach` pixels; SNW_NONE for none. `global` is
 * [joint_count][12]. */
uint32_t snw_pick_joint(const snw_skeleton *skeleton, const double *global, const snw_camera *camera, snw_picture_size size,
						double x, double y, double reach);

/* ---- views --------------------------------------------------------------------------------------------------------------- */

/* The description of a picture: a pose of a scene, the camera, and the appearance. */

/* ---- lights -------------------------------------------------------------------------------------------------------------- */

/* The lights that can be chosen. They move with the camera. */

typedef enum snw_lights {
	SNW_LIGHTS_STUDIO = 0, /* a key light from above left, in front */
	SNW_LIGHTS_RAKING = 1, /* from the side, with little else: shows every dent */
	SNW_LIGHTS_EVEN = 2,   /* from the eye: no side is dark */
	SNW_LIGHTS_COUNT = 3,
} snw_lights;

/* ---- view ---------------------------------------------------------------------------------------------------------------- */

typedef struct snw_lines snw_lines; /* render/overlay/lines.h */

typedef enum snw_view_flags {
	SNW_VIEW_GRID = 1 << 0, /* the ground: grid and soft shadow */
	SNW_VIEW_SKELETON = 1 << 1,
	SNW_VIEW_WIREFRAME = 1 << 2,
	SNW_VIEW_FLAT = 1 << 3,
	SNW_VIEW_SCALE_BAR = 1 << 4,    /* if there is a heat map; for colours, only its label */
	SNW_VIEW_DARK = 1 << 5,         /* on a dark background */
	SNW_VIEW_CLAY = 1 << 6,         /* plain clay instead of the materials */
	SNW_VIEW_XRAY = 1 << 7,         /* surfaces are see-through */
	SNW_VIEW_HOLLOW = 1 << 8,       /* no surfaces, only edges */
	SNW_VIEW_SHADOWLESS = 1 << 9,   /* nothing casts a shadow, which takes half of a software rasteriser's time */
	SNW_VIEW_MATCAP_CLAY = 1 << 10, /* a ball's colours by the normal alone instead of materials and lights */
	SNW_VIEW_MATCAP_SKIN = 1 << 11,
	SNW_VIEW_MATCAP_CHROME = 1 << 12,
	SNW_VIEW_MATCAPS = SNW_VIEW_MATCAP_CLAY | SNW_VIEW_MATCAP_SKIN | SNW_VIEW_MATCAP_CHROME,
} snw_view_flags;

/* How a joint of the skeleton is drawn, with the bones to its children. */
typedef enum snw_joint_mark { SNW_JOINT_PLAIN = 0, SNW_JOINT_HOVERED = 1, SNW_JOINT_SELECTED = 2 } snw_joint_mark;

/* The character once more, transparent, in another pose. */
typedef struct snw_ghost {
	const snw_stack *stack; /* NULL: the rest */
	const snw_pose_view *pose;
	const float *const *points; /* [mesh_count], as in snw_view */
	float color[4];             /* sRGB, opacity last */
} snw_ghost;
enum { SNW_GHOST_MOST = 8 };

/* A brush on the surface: a ring at `radius`, a faint one at `core` of it, both along the surface. */
typedef struct snw_brush_ring {
	double place[3], radius; /* world, metres; radius 0: none */
	double core;             /* 0 to 1: where the fall-off begins; 0: not shown */
	double other[3];         /* the mirrored place, drawn fainter */
	double other_radius;     /* 0: none */
	float color[4];          /* sRGB */
} snw_brush_ring;

/* One picture of a pose of the scene. */
typedef struct snw_view {
	const snw_scene *scene;
	const snw_stack *stack; /* NULL: the rest */
	const snw_pose_view *pose;
	const float *const *points; /* [mesh_count]: posed points instead of the stack's (a sculpt); NULL, or NULL entries: none */
	/* [mesh_count][point_count]: a scalar field as heat map; NULL: materials. A NULL entry leaves out that mesh, a value that
	 * is not finite that point. */
	const double *const *heat;
	bool heat_is_color;                /* colours, [point_count][3] (SNW_UNIT_COLOR), shown unchanged and without a scale */
	bool heat_is_shade;                /* a mask: 0 to 1 tints the materials, without a scale */
	bool heat_is_contact;              /* a shade that warns, in red */
	double heat_minimum, heat_maximum; /* equal: from the values */
	const char *heat_label;            /* "error (mm)": at the scale bar */
	const char *caption;               /* UTF-8 */
	uint32_t flags;
	snw_camera camera;                /* distance 0: framed automatically */
	const unsigned char *joint_marks; /* [joint_count] snw_joint_mark; NULL: all plain */
	const bool *hidden;               /* [mesh_count]: meshes that are not drawn; NULL: none */
	const snw_ghost *ghosts;          /* at most SNW_GHOST_MOST */
	uint32_t ghost_count;
	snw_brush_ring brush;
	uint32_t lights;        /* snw_lights */
	double light_turn;      /* of the key light about the vertical, radians, to the right of the eye */
	uint32_t subdivision;   /* 0 to 2: of a sheet's views; a viewport has snw_viewport_subdivide */
	const snw_lines *lines; /* gizmos and handles; NULL: none */
} snw_view;

#endif
