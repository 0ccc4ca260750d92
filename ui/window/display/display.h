/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the viewport shows: the character, the methods that can pose it, the sampled clip, and the error against the ground
 * truth. It follows the state. Once a clip and a method have been used, a redraw allocates nothing.
 */
#ifndef SINEW_UI_WINDOW_DISPLAY_DISPLAY_H
#define SINEW_UI_WINDOW_DISPLAY_DISPLAY_H

#include <stdint.h>

#include "lod/lod.h"
#include "measure/measure.h"
#include "plugin/registry.h"
#include "pose/pose.h"
#include "render/draw/viewport.h"
#include "render/overlay/canvas.h"
#include "stack/stack.h"
#include "weights/weights.h"
#include "window/document/document.h"

/* ---- levels of detail ---------------------------------------------------------------------------------------------------- */

/* Levels of detail in the viewport: all of them are posed beside their meshes, and one of each mesh is drawn. */

typedef struct snw_level_view {
	snw_arena *arena;
	snw_level_scene made;         /* the meshes, then their levels */
	snw_stack *stack;             /* of all layers, for that scene */
	snw_gpu_scene_data *gpu_data; /* NULL once the viewport has it */
	snw_viewport *viewport;       /* NULL: none yet */
	bool is_uploading;
	uint32_t number; /* the level that is drawn; 0: none, but the meshes by the display's own viewport */
	snw_view view;
	bool *hidden; /* [mesh_count], with levels */
	double side;  /* metres: the longest of the box at rest */
	/* The heat map: values of the meshes' points, taken to those of the levels. */
	const double **heat; /* [mesh_count], with levels */
	double **values;     /* of levels, [point_count][3]; NULL until needed */
	lod_tree **trees;    /* [mesh_count] of the meshes, to measure the distance; NULL until needed */
	float *mesh_points, *points;
	bool is_measured; /* the heat map is that distance, at this pose */
} snw_level_view;

/* For a job. The document must outlive it. */
snw_status snw_level_view_make(const snw_document *document, const snw_registry *registry, const snw_task *task,
							   snw_level_view **made, snw_error *error);
/* In the window's thread: creates its viewport, whose meshes snw_level_view_upload sends for about so long. True when the
 * upload is complete. */
snw_status snw_level_view_start(snw_level_view *levels, snw_renderer *renderer, snw_error *error);
bool snw_level_view_upload(snw_level_view *levels, double seconds);
void snw_level_view_destroy(snw_level_view *levels); /* NULL: does nothing */

/* Poses the levels as the view of the meshes says. */
snw_status snw_level_view_pose(snw_level_view *levels, const snw_view *view, snw_error *error);
/* The view of the meshes as one of the level that is drawn, until the next call. */
const snw_view *snw_level_view_of(snw_level_view *levels, const snw_view *view);
/* Shows the view's heat map on the levels, or the distance if that was measured after the pose. */
void snw_level_view_heat(snw_level_view *levels, const snw_view *view);
/* Measures how far points of the levels that are drawn are from their meshes, which `viewport` has posed. Returns the largest,
 * millimetres. */
double snw_level_view_measure(snw_level_view *levels, const snw_viewport *viewport);

/* ---- sampled clip -------------------------------------------------------------------------------------------------------- */

/* A clip prepared for scrubbing. Its poses are sampled when they are first needed, and a few in each redraw, so that even a
 * long clip is shown at once and showing a pose is usually a look-up. */

typedef struct snw_sampled_clip {
	snw_arena *arena; /* NULL: empty */
	uint32_t clip;
	double duration_seconds;
	uint32_t key_count;
	double *key_seconds; /* the frames that the arrow keys step through: ascending, at least one */
	uint32_t count;
	double *seconds; /* [count]: the keys, the targets' frames, and moments between them for smooth motion */
	const snw_scene *scene;
	snw_pose **poses; /* [count]; NULL until needed */
	uint32_t truth_count;
	double *truth_seconds; /* [truth_count]: moments with a target */
} snw_sampled_clip;

/* The latest pose at or before a time; or by index. */
const snw_pose *snw_sampled_clip_pose(const snw_sampled_clip *sampled, double seconds);
const snw_pose *snw_sampled_clip_pose_at(const snw_sampled_clip *sampled, uint32_t index);
/* The time of the frame `steps` frames later, wrapping around the ends, in seconds. */
double snw_sampled_clip_step(const snw_sampled_clip *sampled, double seconds, int steps);

/* ---- redraw times -------------------------------------------------------------------------------------------------------- */

/* How long redraws take: for each operation, the longest pass of the loop, by its parts. The report (F11, `report` in a
 * script) shows it. Waiting for events and for the screen does not count. */

typedef enum snw_redraw_part {
	SNW_REDRAW_COLLECT, /* replacing the document */
	SNW_REDRAW_COMMANDS,
	SNW_REDRAW_POSE, /* posing, with uploads to the GPU */
	SNW_REDRAW_DRAW,
	SNW_REDRAW_PARTS,
} snw_redraw_part;
extern const char *const snw_redraw_part_names[SNW_REDRAW_PARTS];

enum { SNW_REDRAW_ROWS = 96, SNW_REDRAW_NAME = 64 };

/* Milliseconds of wall clock time and of the thread's CPU time. If they differ much, the thread waited, or other programs
 * had the processor. */
typedef struct snw_redraw_row {
	char name[SNW_REDRAW_NAME];
	uint32_t redraws;                                     /* that had this name, be it the first or not */
	double wall[SNW_REDRAW_PARTS], cpu[SNW_REDRAW_PARTS]; /* of its longest pass */
	double wall_whole, cpu_whole;
} snw_redraw_row;

typedef struct snw_redraw_times {
	uint32_t row_count;
	snw_redraw_row rows[SNW_REDRAW_ROWS];
	/* The current pass. */
	snw_redraw_row current;
	double wall_mark, cpu_mark;
} snw_redraw_times;

void snw_redraw_times_begin(snw_redraw_times *times);
/* Names the current pass, whose time belongs to its first name. Each name has one redraw more. */
void snw_redraw_times_name(snw_redraw_times *times, const char *name);
/* Adds the time since the last mark to `part`. */
void snw_redraw_times_mark(snw_redraw_times *times, snw_redraw_part part);
/* An unnamed pass counts as "redraw". When the table is full, new names are ignored. */
void snw_redraw_times_end(snw_redraw_times *times);

/* ---- display ------------------------------------------------------------------------------------------------------------- */

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

/* The same as one of two views shows it, until the next call. */
const snw_view *snw_display_side(snw_display *display, const snw_view_state *state, uint32_t side, snw_viewport **viewport);

const float *const *snw_display_edited_points(snw_display *display);

/* For the display's files: the heat map of what was posed last, and the scale of errors. */
void snw_display_find_heat(snw_display *display, const snw_view_state *state);

#endif
