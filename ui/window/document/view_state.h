/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The view state: what is shown, and how. Everything else that can change is in the project. Only commands change it.
 */
#ifndef SINEW_UI_WINDOW_DOCUMENT_VIEW_STATE_H
#define SINEW_UI_WINDOW_DOCUMENT_VIEW_STATE_H

#include "render/render.h"
#include "window/command_table/command.h"
#include "window/document/document.h"

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
