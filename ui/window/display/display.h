/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the viewport shows: the character, the methods that can pose it, the sampled clip, and the error against the ground
 * truth. It follows the state. Once a clip and a method have been used, a redraw allocates nothing.
 */
#ifndef SINEW_UI_WINDOW_DISPLAY_DISPLAY_H
#define SINEW_UI_WINDOW_DISPLAY_DISPLAY_H

#include "measure/measured_frames.h"
#include "plugin/registry.h"
#include "render/draw/viewport.h"
#include "render/overlay/show_field.h"
#include "stack/influence_colors.h"
#include "weights/paint_weights.h"
#include "window/display/level_view.h"
#include "window/display/sampled_clip.h"
#include "window/document/view_state.h"

/* The weight of an example at the pose that is shown. */
typedef struct snw_example_bar {
	bool is_fitted; /* the corrective was fitted with it */
	double weight;
} snw_example_bar;

enum { SNW_GHOSTS_SHOWN = 3 };

/* The skin of the joint whose weights are painted, for the influence colours and for the points during a stroke. */
typedef struct snw_display_painting {
	snw_arena *arena;       /* NULL: no weights have been painted */
	snw_painted_skin *skin; /* NULL: the joint cannot be painted */
	uint32_t mesh, joint;
	float *points; /* of the mesh, posed by the weights painted so far */
} snw_display_painting;

enum { SNW_PAINTED_MESHES = 2 }; /* a mesh and its counterpart */

typedef struct snw_display {
	snw_document *document; /* borrowed */
	const snw_scene *scene; /* the document's */
	snw_arena *arena;
	snw_viewport *viewport;
	snw_sampled_clip sampled;
	/* What is shown. */
	snw_view view, side_view;
	snw_pose_view pose;
	double *global, *palette;
	const snw_pose *posed;       /* the sample for `pose`; NULL: none yet */
	const snw_pose *edited_pose; /* shown instead of the clip or pose while it is edited; NULL: none */
	const float *const *sculpt;  /* [mesh_count]: points shown instead of the stack's; NULL: none */
	const double *const *values; /* [mesh_count]: a heat map shown instead of the state's; NULL: none */
	bool values_shade;           /* they are a mask that tints the skin, if the state has no heat map */
	const char *values_label;
	const double *const *contact; /* [mesh_count]: 1 where a point touches, tinted if nothing else is shown; NULL: not known */
	/* The values are weights of these joints on these meshes; SNW_NONE: they are not. */
	uint32_t values_joints[SNW_PAINTED_MESHES], values_meshes[SNW_PAINTED_MESHES];
	bool values_move;                    /* the skin that is shown follows these weights */
	uint32_t subdivision;                /* of the viewport */
	bool is_uploading;                   /* the viewport's meshes are not complete on the graphics card */
	snw_level_view *levels;              /* NULL: not needed yet, or not made yet */
	bool levels_are_requested;           /* from the background */
	double height, aspect;               /* of the viewport: pixels, and its width for each of them */
	snw_ghost ghosts[SNW_GHOSTS_SHOWN];  /* of the examples nearest to the pose */
	const snw_pose_view **example_views; /* [example_count], created when first needed */
	bool is_stale;                       /* it must be posed again */
	bool *has_failed;                    /* [method_count]: a layer of its stack fails, so another method is shown instead */
	uint32_t failed_method;              /* the last one, until the session has handled it; SNW_NONE: none */
	snw_layer_failure failure;           /* of that method */
	snw_example_bar *bars;               /* [example_count] */
	double *example_weights;             /* [example_count], from the stack */
	unsigned char *marks;                /* [joint_count] */
	bool *hidden, *locked;               /* [mesh_count]: not drawn; taken by no stroke */
	bool *hidden_joints;                 /* [joint_count]: faces that they mostly move are not drawn */
	bool **hidden_points;                /* [mesh_count][point_count]: faces of these alone are not drawn; NULL: none */
	bool **hidden_room;                  /* where those are kept, from when points of a mesh were first hidden */
	bool *selected_joints;               /* [joint_count]: rotate together with the chosen joint */
	bool *pinned_joints;                 /* [joint_count]: stay in place while others are dragged */
	bool *stiff_joints;                  /* [joint_count]: do not rotate while others are dragged */
	bool *locked_joints;                 /* [joint_count]: no edit of the skin changes their weights */
	/* The heat map. */
	uint32_t heat;
	double heat_metres;                   /* what one of its values is in metres; 0: no length */
	double **distances;                   /* [mesh_count][point_count], millimetres */
	const double **shown;                 /* [mesh_count]: distances, a field's values, or NULL */
	float *points;                        /* of one mesh */
	double error_scale;                   /* the end of the colour scale for this clip or pose; 0: not known */
	bool scale_is_requested, needs_scale; /* it is being computed; it must be requested */
	uint32_t scale_round;                 /* counts how often it was dropped: earlier requests are ignored */
	bool has_truth;                       /* an example or target gives the ground truth at this moment */
	/* [points of moved_mesh]: how far the chosen sculpt moves them, millimetres; NULL: not known. */
	const double *sculpt_distances;
	uint32_t sculpt_mesh;
	double most_sculpt_distance;
	double error_most, error_mean; /* millimetres, over the points with a ground truth */
	snw_shown_field field;
	/* Influence colours: of the stack's slots. They are kept from one document to the next. */
	snw_influence_colors colors[2];
	double **mixes;         /* [mesh_count][point_count][3]; NULL until first shown */
	const snw_stack *mixed; /* the stack of the mixes; NULL: none, or weights that are being painted */
	char mixes_label[80];
	snw_display_painting paintings[SNW_PAINTED_MESHES];
	const float **painted; /* [mesh_count]: their points, NULL for other meshes */
} snw_display;

/* The document must outlive the display. Its meshes are uploaded in slices by snw_display_upload. */
snw_status snw_display_create(snw_document *document, snw_renderer *renderer, snw_display *display, snw_error *error);
/* The same for a document with the same meshes: the display takes the viewport, with meshes and textures, from `former`,
 * which can then only be destroyed. */
void snw_display_succeed(snw_display *previous, snw_document *document, snw_display *display);
/* A method of the document has this stack now in place of the one before. */
void snw_display_take_stack(snw_display *display, const snw_stack *before, const snw_stack *stack);
/* Locks, pins and leaves out of IK the joints for which an earlier display of the character does so, by their names. */
void snw_display_follow_joints(snw_display *display, const snw_display *previous);
/* Locks and hides what is locked and hidden there: meshes, and the faces of joints and of points. snw_display_hide_faces
 * follows, unless the display has taken its viewport. */
void snw_display_follow_meshes(snw_display *display, const snw_display *previous);
/* The joints that are locked, in `arena`; returns how many there are. */
uint32_t snw_display_locked_joints(const snw_display *display, snw_arena *arena, const uint32_t **joints);
/* Continues the upload; returns true when it is complete. */
bool snw_display_upload(snw_display *display);
void snw_display_destroy(snw_display *display);

/* The points of a mesh to hide, [point_count], copied; NULL: none. snw_display_hide_faces follows. */
void snw_display_hide_points(snw_display *display, uint32_t mesh, const bool *points);
/* Hides the faces of which each point is hidden or mostly moved by hidden joints, and shows the others. Not while uploading. */
void snw_display_hide_faces(snw_display *display);

/* Switches to the state's clip; SNW_NONE for a pose. */
void snw_display_choose_clip(snw_display *display, uint32_t clip);
/* The end of the colour scale for a largest error, both in millimetres; 1 for no error. */
double snw_error_scale_round(double most);
/* The moment that is shown, to find its examples and targets. */
snw_moment snw_display_moment(const snw_display *display);

/* Drops the error's scale if the clip or pose has changed. */
void snw_display_rescale(snw_display *display);

/* Poses what the state asks for if it has changed, and computes its error if that is shown. If a layer fails, shows the
 * baseline instead of the method, or the rest, and sets `failed_method` and `failure`. */
snw_status snw_display_update(snw_display *display, const snw_view_state *state, snw_error *error);

/* Corners of boxes that contain the character, at the pose or at moments of the clip, to frame it: points [count][3] in
 * `arena`. */
size_t snw_display_points(const snw_display *display, const snw_view_state *state, snw_arena *arena, double **points);
/* The same for a joint, its descendants and the skin that they mostly move, as posed last. */
size_t snw_display_joint_points(const snw_display *display, uint32_t joint, snw_arena *arena, double **points);

/* The pose that is shown: the edited one, the clip's at the time, or the scene's; NULL if there is none. */
const snw_pose *snw_display_pose(const snw_display *display, const snw_view_state *state);
/* The index of its method in the document. */
uint32_t snw_display_method(const snw_display *display, const snw_view_state *state);
/* Its stack, or the baseline's if that failed; NULL: the rest. */
const snw_stack *snw_display_stack(const snw_display *display, const snw_view_state *state);

/* Why the meshes are drawn instead of a level, in a sentence; NULL: for no reason. */
const char *snw_display_level_hindrance(const snw_display *display, const snw_view_state *state);
/* The level that is drawn; 0: the meshes. */
uint32_t snw_display_level(const snw_display *display);
/* What is drawn, and in which viewport. */
const snw_view *snw_display_drawn(snw_display *display, snw_viewport **viewport);

/* The same as one of two views shows it, until the next call. */
const snw_view *snw_display_side(snw_display *display, const snw_view_state *state, uint32_t side, snw_viewport **viewport);

/* For the display's files: the skin with the weights painted so far, of the mesh (0) or its counterpart (1), NULL if none are
 * painted; and the points to show, which are those of the sculpt, moved by the painted weights as linear blend moves
 * them. */
const snw_mesh *snw_display_painted_skin(snw_display *display, int which);
const float *const *snw_display_edited_points(snw_display *display);

/* For the display's files: the heat map of what was posed last, and the scale of errors. */
void snw_display_find_heat(snw_display *display, const snw_view_state *state);

#endif
