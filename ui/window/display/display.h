/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the viewport shows: the character, the methods that can pose it, the sampled clip, and the error against the ground truth. It follows the state; once a clip and a method have been met, a frame allocates nothing.
 */
#ifndef SINEW_UI_WINDOW_DISPLAY_DISPLAY_H
#define SINEW_UI_WINDOW_DISPLAY_DISPLAY_H

#include "edit/paint_weights.h"
#include "measure/ground_truth.h"
#include "plugin/registry.h"
#include "render/draw/viewport.h"
#include "render/overlay/show_field.h"
#include "stack/influence_colors.h"
#include "window/display/sampled_clip.h"
#include "window/document/view_state.h"

/* How much an example acts at the pose that is shown. */
typedef struct snw_example_bar {
	bool is_fitted; /* a corrective knows it */
	double weight;
} snw_example_bar;

enum { SNW_GHOSTS_SHOWN = 3 };

/* The skin of the joint whose weights are painted, for its colours. */
typedef struct snw_display_painting {
	snw_arena *arena;       /* NULL: no weights have been painted */
	snw_painted_skin *skin; /* NULL: the joint cannot be painted */
	uint32_t mesh, joint;
} snw_display_painting;

typedef struct snw_display {
	snw_document *document; /* not its own */
	const snw_scene *scene; /* the document's */
	snw_arena *arena;
	snw_viewport *viewport;
	snw_sampled_clip sampled;
	/* What is shown now. */
	snw_view view;
	snw_pose_view pose;
	double *global, *palette;
	const snw_pose *posed;       /* of `pose`; NULL: nothing yet */
	const snw_pose *edited_pose; /* shown instead of the clip or pose: one that is being changed; NULL: none */
	const float *const *sculpt;  /* [mesh_count]: points shown instead of the stack's; NULL: none */
	const double *const *values; /* [mesh_count]: shown as a heat map instead of the state's; NULL: none */
	bool values_shade;           /* they are a mask that darkens the skin, where the state has no heat map */
	const char *values_label;
	uint32_t values_joint, values_mesh;  /* they are its weights, of one mesh; SNW_NONE: of no joint */
	uint32_t subdivision;                /* of the viewport */
	bool is_uploading;                   /* the viewport's meshes are on their way */
	snw_ghost ghosts[SNW_GHOSTS_SHOWN];  /* of the examples nearest to the pose */
	const snw_pose_view **example_views; /* [example_count], made when they are first met */
	bool is_stale;                       /* what is shown has changed within */
	bool *has_failed;          /* [method_count]: a layer of its stack fails, so another method is shown in its place */
	uint32_t failed_method;    /* the last one, until the session has answered it; SNW_NONE: none */
	snw_layer_failure failure; /* of that method */
	snw_example_bar *bars;     /* [example_count] */
	double *example_weights;   /* [example_count], as the stack gives them */
	unsigned char *marks;      /* [joint_count] */
	/* The heat map. */
	uint32_t heat;
	double **distances;                   /* [mesh_count][point_count], millimetres */
	const double **shown;                 /* [mesh_count]: distances, a field's values, or NULL */
	float *points;                        /* of one mesh */
	double error_scale;                   /* the top of the colours for this clip or pose; 0: to be found (window/scale.h) */
	bool scale_is_requested, needs_scale; /* it is being found; it is to be sent for */
	uint32_t scale_round;                 /* how often it was forgotten: what is found for another time is not used */
	bool has_truth;                       /* an example or target says what this moment should look like */
	double error_most, error_mean;        /* millimetres, over points that have a truth */
	snw_shown_field field;
	/* Influences in colours: of proxy joints, of the skeleton's. They stay from one document to the next. */
	snw_influence_colors colors[2];
	double **mixes;         /* [mesh_count][point_count][3]; NULL until they are first shown */
	const snw_stack *mixed; /* of which the mixes are; NULL: none, or of weights that are being painted */
	char mixes_label[80];
	snw_display_painting painting;
} snw_display;

/* The document must outlive it. Its meshes are sent by slices: snw_display_upload. */
snw_status snw_display_create(snw_document *document, snw_renderer *renderer, snw_display *display, snw_error *error);
/* The same for a document with the same meshes: it takes the viewport, with meshes and textures, from the previous display, which can only be destroyed then. */
void snw_display_succeed(snw_display *previous, snw_document *document, snw_display *display);
/* Sends more of what the viewport needs; true once it is all there. */
bool snw_display_upload(snw_display *display);
void snw_display_destroy(snw_display *display);

/* Takes up another clip; the state's clip is SNW_NONE for a pose. */
void snw_display_choose_clip(snw_display *display, uint32_t clip);
/* The end of a colour scale for a largest error, both in millimetres; 1 for none. */
double snw_error_scale_round(double most);
/* What is shown now, as examples and targets name it. */
snw_moment snw_display_moment(const snw_display *display);

/* Forgets the error's scale, where clip or pose has changed. */
void snw_display_rescale(snw_display *display);

/* Poses what the state asks for, where that has changed, and finds its error where that is shown. Where a layer fails, the
 * baseline is shown instead of the method, or the rest; `failed_method` and `failure` tell. */
snw_status snw_display_update(snw_display *display, const snw_view_state *state, snw_error *error);

/* Corners of boxes that contain the character, at the pose or at moments of the clip, for framing: points [count][3] in `arena`. */
size_t snw_display_points(const snw_display *display, const snw_view_state *state, snw_arena *arena, double **points);
/* The same of what has been posed: a joint, those that hang on it, and the skin that goes mostly with it. */
size_t snw_display_joint_points(const snw_display *display, uint32_t joint, snw_arena *arena, double **points);

/* The pose that is shown now: the edited one, the clip's at the time, or the scene's; NULL where there is none. */
const snw_pose *snw_display_pose(const snw_display *display, const snw_view_state *state);
/* The method by which it is shown, of the document's. */
uint32_t snw_display_method(const snw_display *display, const snw_view_state *state);
/* The stack that makes what is shown, or the baseline's where that has failed; NULL: the rest. */
const snw_stack *snw_display_stack(const snw_display *display, const snw_view_state *state);

/* Inside the display: the heat map of what has just been posed, and the scale of errors. */
void snw_display_find_heat(snw_display *display, const snw_view_state *state);

#endif
