/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Documents, and how they are viewed.
 */
#ifndef SINEW_UI_WINDOW_DOCUMENT_DOCUMENT_H
#define SINEW_UI_WINDOW_DOCUMENT_DOCUMENT_H

#include "bake/bake.h"
#include "operators/operator.h"
#include "plugin/registry.h"
#include "project/project.h"
#include "render/draw/viewport.h"
#include "render/render.h"
#include "scene/scene.h"
#include "stack/stack.h"
#include "window/command_table/command.h"

/* ---- a bake that is shown ------------------------------------------------------------------------------------------------ */

/* A bake whose skins can be shown in place of the stack, without changing the project. */

typedef struct snw_shown_bake {
	snw_arena *arena;       /* holds it */
	snw_operator_call call; /* that made it */
	snw_operator_work *work;
	snw_baked baked;
	snw_budget budget;
	const char *path; /* of the project */
	int64_t change; /* the project's last change when it was baked, as snw_document.change; after another one it is not shown */
} snw_shown_bake;

/* ---- documents ----------------------------------------------------------------------------------------------------------- */

/* What the window knows of a project at one moment: its scene, the methods that can pose it, its history. The job thread
 * creates it after every change. It is immutable, so the window can read it while the next one is created. */

/* A method by which the character can be shown. */
typedef struct snw_method {
	const char *name;       /* as shown to people */
	const char *method;     /* as in snw_stack_options */
	const snw_stack *stack; /* NULL until it is needed; those of the first method and the baseline are always there */
} snw_method;

/* A layer's segment, for the stack panel. */
typedef struct snw_segment_label {
	const char *layers, *where; /* "GPU", "CPU: why" */
} snw_segment_label;

typedef struct snw_document {
	snw_arena *arena;
	const char *path, *title; /* path NULL: no project is open */
	snw_scene *scene;
	snw_stack_owner *stacks; /* lends those of the scene, also to jobs; NULL without a project */
	double size;             /* metres: the diagonal of the character at rest */
	uint32_t method_count,
		baseline; /* `baseline`: the method that shows the character as in its file (SNW_BASELINE); SNW_NONE: none */
	snw_method *methods;
	uint32_t field_count;
	const char **fields; /* names of fields over points */
	uint32_t plot_count;
	const char **plots; /* names of fields over frames */
	uint32_t entry_count;
	snw_history_entry *entries; /* oldest first; undone ones at the end */
	const char *undo, *redo;    /* the changes that Undo and Redo affect; NULL: none */
	const char **stale;         /* [layer_count]: why a layer's model is out of date; NULL: it is not */
	const bool *level_is_stale; /* [level_count] */
	const bool
		*left_out; /* [layer_count]: it has failed in this window; the first method's stack, if there is one, is without it */
	uint32_t solo; /* the example that the first method's stack shows alone; SNW_NONE: all */
	uint32_t variant;              /* the skin of a bake that it shows; SNW_NONE: none */
	int64_t change;                /* the last change of the project, its id in the history; 0: none */
	snw_scene *shown;              /* the scene of that stack if it differs; else NULL */
	snw_stack_owner *shown_stacks; /* likewise */
	uint32_t changes;              /* since the last Save or, without one, since the project was created */
	bool was_saved;                /* a Save is among the entries */
	bool is_saved;                 /* nothing has changed since then */
	bool follows;                  /* it has the same meshes as the document before it */
	uint64_t number;               /* unique in the session: pointers may be reused, numbers are not */
	uint64_t shape; /* the number of the document that introduced these meshes; later ones with the same meshes share it */
	snw_gpu_scene_data *gpu_data; /* what must be uploaded; NULL once that is done, or if it follows */
} snw_document;

enum { SNW_LEFT_OUT_MOST = 32 };

/* What is shown without being stored in the project; ids of rows, 0 for none. */
typedef struct snw_preview {
	int64_t left_out[SNW_LEFT_OUT_MOST]; /* layers that have failed */
	int64_t solo;                        /* the example that is shown alone */
	int64_t layer;                       /* the layer whose parameter is being dragged */
	char key[200];
	snw_value value;            /* without text */
	const snw_shown_bake *bake; /* a skin of it is shown in place of the stack; NULL: none */
	uint32_t variant;
} snw_preview;

/* Leaves a layer out of the stack that is shown; false if no more can be left out. */
bool snw_preview_leave_out(snw_preview *preview, int64_t layer);
/* Includes a layer again. */
void snw_preview_include(snw_preview *preview, int64_t layer);

/* From an open project; NULL project: an empty document. NULL preview: the project as it is. If a stack cannot be built, the
 * document shows the rest and `caveat` says why. A layer whose plug-in ends meanwhile is added to those that the preview leaves
 * out. */
snw_status snw_document_load(snw_project *project, const char *path, snw_preview *preview, const snw_registry *registry,
							 const snw_task *task, snw_document **document, snw_error *caveat, snw_error *error);
void snw_document_destroy(snw_document *document); /* NULL: does nothing */

/* Sets `follows` if what is on the graphics card for `former` can be kept, because meshes, materials and pictures are the
 * same. Otherwise prepares what must be uploaded, with the meshes refined `level` times. */
void snw_document_prepare(snw_document *document, const snw_document *previous, uint32_t level);
/* Whether two documents are of one project with the same numbers of joints, channels, meshes and points, so that a request
 * made for one applies to the other. */
bool snw_document_same_counts(const snw_document *one, const snw_document *other);

/* ---- changed place ------------------------------------------------------------------------------------------------------- */

/* Where a change of the project is seen, so that Undo and Redo can go there. */

/* Indices of the later document; SNW_NONE for what the change does not say, or what is not there any more. */
typedef struct snw_changed_place {
	uint32_t example, mesh, pose, clip;
	double seconds; /* of the clip */
} snw_changed_place;

/* The first example, target, clip, pose, mesh or field that differs; of several examples the one of a mesh, by its id. A pose
 * that is a moment of a clip is given as that moment too. */
snw_changed_place snw_document_changed_place(const snw_document *old, const snw_document *next, int64_t mesh);

/* ---- titles -------------------------------------------------------------------------------------------------------------- */

/* What people read for methods, layers and joints: a method's title in place of its short name, and what it is for; a
 * joint's part of the body in place of its name. */

/* The title of the deformer with this id or short name; the given name if none is loaded. */
const char *snw_method_title(const snw_registry *registry, const char *method);
/* The title of a layer. A layer that still has the short name of its method, with or without a number, gets the method's title
 * ("Smooth 2"); one that was renamed keeps its name. Written to `words` where needed. */
const char *snw_layer_title(const snw_registry *registry, const snw_layer *layer, char *words, size_t size);
/* A text of the journal or of a job, with the titles of methods in place of their short names: "mute layer sad" becomes
 * "mute layer Skinning arbitrary deformations". A short name of one plain word counts only after "layer" or "fitting". Written
 * to `words`, which are returned. */
const char *snw_words_with_titles(const snw_registry *registry, const char *text, char *words, size_t size);
/* One sentence by what the deformer declares: when to use it. */
const char *snw_method_purpose(const snw_descriptor *descriptor);

/* What the plug-in of a layer being missing means, and what to do if it had replaced the character's blend. Written to `words`,
 * which are returned. */
const char *snw_missing_words(const snw_registry *registry, const snw_scene *scene, uint32_t layer, char *words, size_t size);

/* The name of a morph target without that of its mesh, which an import puts before it: "smile" of "body.smile". Part of its
 * name. */
const char *snw_shape_short_name(const snw_scene *scene, uint32_t channel);
/* The first channel with that short name: one slider is for all of them. */
uint32_t snw_shape_first(const snw_scene *scene, uint32_t channel);

/* A name in sentence case: "Smooth" for "smooth". Written to `words`, which are returned. */
const char *snw_sentence_case(const char *name, char *words, size_t size);

/* How well a name fits what is typed to find it: it is that, begins with it, contains it, or does none of these. All fit "". */
typedef enum snw_search_rank {
	SNW_SEARCH_EXACT = 0,
	SNW_SEARCH_BEGINS = 1,
	SNW_SEARCH_CONTAINS = 2,
	SNW_SEARCH_LACKS = 3,
} snw_search_rank;
snw_search_rank snw_search_rank_of(const char *name, const char *typed);

/* A joint's title (pose/pose.h), written to `words`, which are returned. */
const char *snw_joint_words(const snw_skeleton *skeleton, uint32_t joint, char *words, size_t size);
/* A joint's name without what all joints of its skeleton may begin with: a namespace ("mixamorig:"), "Skeleton_", "Armature|".
 * Part of `name`. */
const char *snw_joint_short_name(const char *name);
/* By its name, with and without what all begin with; if it lacks what is typed, by its title, which is made in `arena`. */
snw_search_rank snw_joint_search_rank(const snw_skeleton *skeleton, uint32_t joint, const char *typed, snw_arena *arena);
/* The text of a widget for a joint: its title, and its name to tell it from others of the same title, "Right
 * shoulder##upperarm_r". Written to `words`, which are returned. */
const char *snw_joint_label(const snw_skeleton *skeleton, uint32_t joint, char *words, size_t size);

/* ---- the state of the view ----------------------------------------------------------------------------------------------- */

/* The view state: what is shown, and how. Everything else that can change is in the project. Only commands change it. */

/* The heat map, by number: none, the error, the joints' influences, the chosen sculpt, how far a level of detail is from its
 * mesh, then the document's fields. */
enum {
	SNW_HEAT_NONE = 0,
	SNW_HEAT_ERROR = 1,
	SNW_HEAT_INFLUENCES = 2,
	SNW_HEAT_SCULPT = 3,
	SNW_HEAT_LEVEL = 4,
	SNW_HEAT_FIELDS = 5
};
/* The curve of the timeline: the error, then the document's plots. */
enum { SNW_PLOT_ERROR = 0, SNW_PLOT_FIELDS = 1 };

#define SNW_LEVEL_BY_SIZE UINT32_MAX /* the coarsest level whose error is at most a pixel */

typedef enum snw_gizmo_space { SNW_SPACE_LOCAL = 0, SNW_SPACE_PARENT = 1, SNW_SPACE_WORLD = 2 } snw_gizmo_space;
typedef enum snw_tab { SNW_TAB_SHAPE = 0, SNW_TAB_STACK = 1, SNW_TAB_VIEW = 2, SNW_TAB_HISTORY = 3 } snw_tab;
typedef enum snw_dialog {
	SNW_DIALOG_NONE = 0,
	SNW_DIALOG_OPEN,
	SNW_DIALOG_SAVE_AS,
	SNW_DIALOG_EXPORT,
	SNW_DIALOG_CHOOSE,  /* a file for a parameter */
	SNW_DIALOG_ALPHA,   /* a picture for the brush */
	SNW_DIALOG_PROJECT, /* a project for the command that is asking */
	SNW_DIALOG_FRAMES,  /* frames for it */
	SNW_DIALOG_FOLDER,  /* a folder of sculpts for it */
	SNW_DIALOG_REPORT,  /* what an export loses */
	SNW_DIALOG_PREFERENCES,
	SNW_DIALOG_PALETTE,
	SNW_DIALOG_KEYS,
	SNW_DIALOG_RECOVER,
	SNW_DIALOG_NAME, /* a text for a command */
	SNW_DIALOG_PAGES,
	SNW_DIALOG_ABOUT,
	SNW_DIALOG_METHODS, /* which method for the sculpts */
	SNW_DIALOG_FIT,     /* a fit that makes something worse */
} snw_dialog;

/* One of two views side by side: where it looks from, and what it looks like. */
typedef struct snw_view_side {
	snw_camera camera;
	uint32_t flags, lights; /* snw_view_flags, snw_lights */
	double light_turn;
} snw_view_side;

typedef struct snw_view_state {
	snw_camera camera;
	uint32_t clip; /* SNW_NONE: the pose below is shown */
	uint32_t pose; /* index in the scene's poses */
	double seconds, speed;
	bool playing, loop;
	bool ghosts;                 /* the nearest examples are shown faintly */
	bool shows_contact;          /* points that touch are tinted, and the timeline marks contact */
	bool shows_cone;             /* of the chosen group, in the viewport */
	bool before;                 /* the linear blend is shown instead of the method */
	uint32_t method;             /* index in the document's methods */
	uint32_t heat;               /* SNW_HEAT_… */
	uint32_t plot;               /* SNW_PLOT_… */
	uint32_t flags;              /* snw_view_flags */
	uint32_t lights;             /* snw_lights */
	double light_turn;           /* of their key, radians */
	uint32_t look_before_matcap; /* an index of snw_looks */
	bool is_split;               /* the viewport shows two views */
	uint32_t side;        /* which of them the mouse was in last, 0 left, 1 right: camera, flags and lights above are its */
	snw_view_side other;  /* those of the other one */
	uint32_t subdivision; /* 0 to 2: how often the meshes that are shown are refined */
	uint32_t level;       /* of detail; 0: the meshes themselves; SNW_LEVEL_BY_SIZE */
	/* The choices; SNW_NONE for none. */
	uint32_t mesh, joint, example, group, layer;
	int64_t sculpt_layer; /* of the chosen example: the id of the one that takes strokes; otherwise the topmost does */
	uint32_t shape;       /* the morph target that strokes change: 1 + its channel; 0: none */
	snw_gizmo_space space;
	bool sculpting;
	bool drawing_joints; /* at rest, instead of posing */
	snw_tab tab;
	bool bare; /* without panels */
	snw_dialog dialog;
	bool finished;
	bool alarmed;       /* the message reports a failure */
	char message[1024]; /* the last result or failure, for the status line */
} snw_view_state;

void snw_view_state_say(snw_view_state *state, const char *format, ...) __attribute__((format(printf, 2, 3)));
void snw_view_state_warn(snw_view_state *state, const char *words);

/* Their names in commands and lists: "error", "influences", the name of a field. */
const char *snw_heat_name(const snw_document *document, uint32_t heat);
const char *snw_plot_name(const snw_document *document, uint32_t plot);

/* The state for a newly opened document: the rest pose; without a skeleton, the start of the first clip. The appearance is
 * kept. */
void snw_view_state_start(snw_view_state *state, const snw_document *document);

/* Camera, look and lights of one of the views, 0 left, 1 right. */
snw_view_side snw_view_state_side(const snw_view_state *state, uint32_t side);
/* Commands are then for that view, if there are two. */
void snw_view_state_use_side(snw_view_state *state, uint32_t side);
/* The other view becomes like this one, from another side: a quarter of a turn away. */
void snw_view_state_copy_side(snw_view_state *state);

/* What is chosen in it. */
snw_choices snw_view_state_choices(const snw_view_state *state);
void snw_view_state_choose(snw_view_state *state, const snw_choices *choices);

/* Converts choices from `old` to `next`; what no longer exists becomes SNW_NONE. */
void snw_choices_follow(snw_choices *choices, const snw_document *old, const snw_document *next);

/* Converts the state from `old` to `next`, by ids and names, since indices change. If what was shown no longer exists, the
 * rest is shown. */
void snw_view_state_follow(snw_view_state *state, const snw_document *old, const snw_document *next);

#endif
