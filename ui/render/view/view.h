/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The description of a picture: a pose of a scene, the camera, and the appearance.
 */
#ifndef SINEW_UI_RENDER_VIEW_VIEW_H
#define SINEW_UI_RENDER_VIEW_VIEW_H

#include "render/view/camera.h"
#include "scene/scene.h"
#include "stack/stack.h"

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
