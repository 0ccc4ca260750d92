/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window's session: the document, the view, and the jobs. Everything in it belongs to the window's thread;
 * what changes the project goes through the job thread.
 */
#ifndef SINEW_UI_WINDOW_SESSION_SESSION_H
#define SINEW_UI_WINDOW_SESSION_SESSION_H

#include "export/export.h"
#include "measure/measure.h"
#include "operators/operator.h"
#include "scene/scene.h"
#include "window/command_table/command.h"
#include "window/display/display.h"
#include "window/jobs/job_thread.h"
#include "window/preferences/preferences.h"
#include "window/session/contact_watch.h"
#include "window/session/curves.h"
#include "window/session/live_fit.h"
#include "window/session/method_comparison.h"
#include "window/session/renewed_plugins.h"
#include "window/session/sculpting.h"

/* A row of the error table. */
typedef struct snw_error_row {
	char subject[80], method[80];
	bool of_examples; /* not of a target */
	bool of_stack;    /* not of the baseline */
	snw_measure measure;
	double diagonal; /* of the mesh's box at rest, metres */
} snw_error_row;

/* A previewed export: what it loses, and the file, which has no name yet. */
typedef struct snw_pending_export {
	bool is_made;
	char path[2048], temporary[2100];
	snw_export_report report;
} snw_pending_export;

/* A fit that makes the examples or a target worse, until the user keeps or discards it. */
typedef struct snw_pending_fit {
	bool is_made;
	snw_arena *arena; /* of the next two */
	snw_operator_call call;
	snw_operator_work *work;
	char subject[80]; /* as in the error table: where it is worse */
	bool is_of_examples;
	double erms_before, erms_after; /* there */
	double diagonal;                /* as in the error table */
	char fitted[160];
} snw_pending_fit;
void snw_pending_fit_drop(snw_pending_fit *pending);

/* What the menu in the viewport is for; SNW_NONE: for no mesh, for no joint. */
typedef struct snw_view_menu {
	bool is_requested; /* until it is open */
	uint32_t mesh, joint;
} snw_view_menu;

/* The command whose key is waited for. */
typedef struct snw_key_capture {
	bool is_on, adds; /* adds: the command keeps the keys that it has */
	snw_command_id id;
} snw_key_capture;

typedef struct snw_session {
	const snw_registry *registry; /* the newest */
	snw_renewed_plugins renewed_plugins;
	snw_renderer *renderer;
	snw_job_thread *job_thread;
	snw_document *document;
	snw_display display;
	snw_view_state state;
	snw_preferences preferences;
	/* Work that does not change the project. */
	snw_job_thread *background;
	snw_job_queue background_queue;
	snw_job *uploading_job; /* a finished job whose document is still being uploaded to the graphics card; NULL: none */
	snw_display uploading_display;
	snw_job_queue job_queue; /* for the job thread */
	uint64_t document_count; /* how many documents were shown: the number of the current one */
	double aspect;           /* width of the viewport divided by its height */
	int width, height;       /* of the window */
	snw_command_queue queue; /* from panels, keys and scripts */
	snw_command_id last;     /* the last command that is not silent */
	/* Posing. */
	snw_arena *edited_pose_arena; /* NULL: no pose is being edited */
	snw_pose *edited_pose;
	bool edit_is_trial; /* it follows a drag and is not stored */
	bool is_restoring;  /* an undo or redo is not done: a stroke would bring back what it undoes */
	snw_arena *copied_arena;
	snw_pose *copied;
	const char *copied_from; /* "POSE" or "CLIP:SECONDS" */
	/* Sculpting. */
	snw_sculpting sculpting;
	snw_group_curve group_curve;           /* of the chosen group */
	snw_drivers drivers;                   /* of the chosen example */
	snw_sculpt_distances sculpt_distances; /* the same */
	/* The error over time, computed in the background. */
	snw_error_curve *error_curve;
	snw_contact_watch *contact_watch; /* contact in what is shown, likewise */
	snw_progress progress;            /* as of the last query */
	snw_redraw_times redraw_times;    /* how long redraws took */
	/* The stack. */
	uint32_t error_row_count;
	snw_error_row *error_rows;
	snw_arena *error_arena; /* of the rows; NULL: there are none */
	uint32_t errors_before; /* the first of them are from before the last fit */
	char fitted[160];       /* by which method and how fast: "mine in 0.21 s" */
	snw_method_comparison method_comparison;
	struct snw_method_pictures *method_pictures; /* of the list of methods; NULL: it was not open */
	snw_pending_export pending_export;
	snw_pending_fit pending_fit;
	snw_live_fit live_fit;
	bool fits_stale;          /* the stale layers are fitted one after another */
	snw_budget bake_budget;   /* of the next bake */
	const snw_engine *engine; /* that bakes and exports are for; NULL: any */
	snw_shown_bake *bake;     /* the last one; NULL: none */
	/* Dialogs. */
	char folder[2048];  /* the folder of the last file dialog */
	char recovered[24]; /* how many changes a crashed session had made */
	snw_command asking; /* the command that SNW_DIALOG_NAME asks a text for; for SNW_DIALOG_CHOOSE, the parameter's key */
	snw_key_capture key_capture;
	snw_view_menu view_menu;
	bool dialog_is_new; /* it was opened in this redraw */
	/* This session as a script, without the arguments that the window was started with. */
	bool is_starting;
	char *record;
	size_t record_size, record_used;
	/* The view of the open project, as it was written last; NULL: not yet. Scripts keep no views: they run alike anywhere. */
	char *kept_view;
	bool keeps_view;
	/* Pictures. */
	unsigned picture_count;
	bool picture_requested;
	char picture_path[2048];               /* the path of the next one; empty: the stem and a number */
	bool report_requested, report_at_once; /* when no job runs; after this redraw */
	uint64_t redraws, shown_redraws;       /* how many there were; how many of them showed something new */
} snw_session;

snw_status snw_session_create(const snw_registry *registry, snw_renderer *renderer, uint32_t wake_event, snw_session *session,
							  snw_error *error);
void snw_session_destroy(snw_session *session);

/* Queues a job for the job thread. */
void snw_session_send(snw_session *session, snw_job *job);
/* Runs an operator as the DO row of a command does; `line` is as in the row (commands/operate.c). */
void snw_session_operate(snw_session *session, const snw_command *command, const char *line);
/* Runs an operator with these values, which is recorded. The label is for the history; NULL: the row's. */
void snw_session_send_operator(snw_session *session, const snw_operator_call *call, const char *label);
/* Names the pose that is shown in the call of a row that is for it (SNW_OPERATOR_SHOWN), unless another is named. */
void snw_session_name_shown(snw_session *session, snw_operator_call *call, snw_arena *arena);
/* Adds a call to the session as a script. */
void snw_session_record(snw_session *session, const snw_operator_call *call);
/* A line that moves in the history: "undo". */
void snw_session_record_step(snw_session *session, const char *word);
/* Removes the newest line of such a call, which has failed. */
void snw_session_forget_record(snw_session *session, const snw_operator_call *call);
/* Applies the results of finished jobs, and starts waiting ones. */
void snw_session_collect(snw_session *session);
/* Whether a job runs or waits, or an upload is not finished. */
bool snw_session_is_busy(const snw_session *session);
/* Whether an upload to the graphics card is not complete: each call of collect continues it. */
bool snw_session_is_uploading(const snw_session *session);
/* Whether a change of the project runs, waits, or is being uploaded: further ones wait for it. */
bool snw_session_holds_edits(const snw_session *session);
/* Runs the queued commands. Commands that must wait for the job thread stay in the queue. `done` gets those that ran. */
void snw_session_apply(snw_session *session, snw_command_queue *done);
/* Before a job changes what is chosen: changes of the project in the queue keep what is chosen now. */
void snw_session_keep_choices(snw_session *session);
/* Before the choices of the session follow a new document (NULL: that of another project): converts what the waiting commands
 * keep. */
void snw_session_follow_commands(snw_session *session, const snw_document *old, const snw_document *next);

/* Discards the pose that is being edited. */
void snw_session_discard_pose(snw_session *session);
/* An editable copy of the pose that is shown. It is shown until the project has stored it, or until it is discarded. NULL if
 * no pose is shown. */
snw_pose *snw_session_edit_pose(snw_session *session);
/* Undoes the stroke or the drag in progress, if there is one. */
bool snw_session_cancel_drag(snw_session *session);
/* Shows a clip (SNW_NONE: the pose). Sculpting goes on in it. */
void snw_session_choose_clip(snw_session *session, uint32_t clip);
/* Shows a pose. Sculpting goes on in it. */
void snw_session_choose_pose(snw_session *session, uint32_t pose);
/* Says so if a layer that plays frames has none of what is shown now. */
void snw_session_say_no_frames(snw_session *session);
void snw_session_open_dialog(snw_session *session, snw_dialog dialog);
/* Whether a command lacks its text. If so, a dialog asks for it, starting with `initial`. */
bool snw_session_asks(snw_session *session, const snw_command *command, const char *initial);
/* The same for a path: by SNW_DIALOG_PROJECT, SNW_DIALOG_FRAMES or SNW_DIALOG_FOLDER. */
bool snw_session_asks_path(snw_session *session, const snw_command *command, snw_dialog dialog);
/* Updates what is marked in the viewport: joints, the brush, ghosts. Call it after the display has posed the character. */
void snw_session_mark(snw_session *session, uint32_t hovered_joint);
/* The ray through a place in the viewport, given as fractions from its top left corner. */
snw_ray snw_session_ray(const snw_session *session, double x, double y);
/* The middle of the limb, at rest, at a place in the viewport, as above; false if there is no skin. Hidden meshes do not
 * count. */
bool snw_session_limb_middle(const snw_session *session, double x, double y, double place[3]);
/* Whether there is a bake of the project as it is. */
bool snw_shown_bake_is_current(const snw_session *session);
/* Takes the budget and the engine of the bake that the document has for its next bake and its export; without a bake the
 * defaults. */
void snw_bake_record_take(snw_session *session);
/* Forgets the bake. No job may be under way, or it may still read it. */
void snw_shown_bake_drop(snw_session *session);
/* What is chosen of a kind: of meshes the active one, of poses and clips the one that is shown; SNW_NONE for none. */
uint32_t snw_session_chosen(const snw_session *session, snw_noun noun);
/* The thing with this name or, if it is empty, the chosen one; SNW_NONE with a message if there is none. */
uint32_t snw_session_find(snw_session *session, snw_noun noun, const char *name);
uint32_t snw_session_example(snw_session *session, const char *name);
/* The pose that is shown if it has no name (snw_pose_is_unnamed) and no example refers to it, so that it may be renamed, else
 * SNW_NONE. */
uint32_t snw_session_unnamed(const snw_session *session);
/* The active mesh: the one that is sculpted, the chosen one, or the one with most points; SNW_NONE without meshes. */
uint32_t snw_session_mesh(const snw_session *session);
/* The example of a mesh in the pose that is shown; SNW_NONE if there is none. */
uint32_t snw_session_example_here(const snw_session *session, uint32_t mesh);
/* Whether the pose of an example is shown, also as a moment of a clip. */
bool snw_session_shows_example(const snw_session *session, uint32_t example);
/* The target of the clip that is shown, or SNW_NONE. */
uint32_t snw_session_clip_target(const snw_session *session);
/* Frames the points, or everything that is shown if `count` is 0, in the viewport. */
void snw_session_fit_camera(snw_session *session, const double *points, size_t count);

#endif
