/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The session of a window, with what it watches, compares and does in the background.
 */
#ifndef SINEW_UI_WINDOW_SESSION_SESSION_H
#define SINEW_UI_WINDOW_SESSION_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "compare/compare.h"
#include "export/export.h"
#include "measure/measure.h"
#include "operators/operator.h"
#include "plugin/registry.h"
#include "render/draw/viewport.h"
#include "scene/scene.h"
#include "window/command_table/command.h"
#include "window/display/display.h"
#include "window/jobs/job_thread.h"
#include "window/preferences/preferences.h"
#include "window/session/sculpting.h"

/* ---- watched contact ----------------------------------------------------------------------------------------------------- */

/* Contact in what is shown, found in a thread of its own: which points touch in the pose (contact/contact.h), and, once the
 * character rests, how deep contact is at the keys of the clip (measure/contact_moments.h).
 *
 * A pose is answered at once by testing what has moved differently since the last one. If no other pose comes for a while, all
 * is tested. */

struct snw_session;
typedef struct snw_contact_watch snw_contact_watch;

snw_contact_watch *snw_contact_watch_create(uint32_t wake_event); /* NULL: no memory; then nothing is found */
/* Waits for what the thread is at. NULL: does nothing. */
void snw_contact_watch_destroy(snw_contact_watch *watch);

/* Before the display is updated: gives it the points that touch, if the session shows contact. */
void snw_contact_watch_take(snw_contact_watch *watch, struct snw_session *session);
/* Afterwards: lets the thread find contact in what the display shows. */
void snw_contact_watch_send(snw_contact_watch *watch, struct snw_session *session);
/* Before the document is disposed of: the background thread waits for what the thread is at. The points that touched stay shown
 * until they are known in the next document, if its meshes have as many points. */
void snw_contact_watch_leave(snw_contact_watch *watch, struct snw_session *session);

/* The keys of the clip that is shown. */
typedef struct snw_contact_marks {
	uint32_t clip;
	uint32_t count; /* 0: not known yet, or there is no clip */
	const double *seconds;
	const double *deepest; /* metres; 0 where nothing is in contact */
	uint32_t worst;        /* the deepest */
	double place[3];       /* there */
} snw_contact_marks;
/* Valid until the next call of take or leave. */
snw_contact_marks snw_contact_watch_marks(const snw_contact_watch *watch);
/* How many points are shown as touching. */
uint32_t snw_contact_watch_touching(const snw_contact_watch *watch);
/* Seconds from when the pose was last changed until all of it was tested and shown; 0: not yet. */
double snw_contact_watch_seconds(const snw_contact_watch *watch);

/* ---- curves -------------------------------------------------------------------------------------------------------------- */

/* The curves of the timeline and of a group. */

struct snw_session;

/* ---- the error over time ------------------------------------------------------------------------------------------------- */

/* The error over time: how far the stack is from a clip's targets at each of their frames, computed in a thread of its own. */

typedef struct snw_error_curve snw_error_curve;

snw_error_curve *snw_error_curve_create(uint32_t wake_event); /* NULL if no thread can be started: then there is no plot */
void snw_error_curve_destroy(snw_error_curve *curve);         /* NULL: does nothing */

/* Starts again for the clip and the stack that the session shows; both must outlive the run. */
void snw_error_curve_begin(snw_error_curve *curve, struct snw_session *session);
void snw_error_curve_end(snw_error_curve *curve); /* waits for the current frame */
/* The same, but the background thread waits for it. What is freed in the background afterwards is no longer read by then. */
void snw_error_curve_leave(snw_error_curve *curve, struct snw_session *session);

/* The results so far: the largest error of each frame in millimetres, below 0 if it is not known yet. Returns the number of
 * frames; both arrays are [most]. */
uint32_t snw_error_curve_read(snw_error_curve *curve, uint32_t most, double *seconds, float *millimetres);

/* ---- group curve --------------------------------------------------------------------------------------------------------- */

/* How much an example acts around its pose, as curves for the panel: on the way from rest to the pose and beyond it, and
 * with the rotation of the joint that drives it to the sides. */

enum { SNW_GROUP_CURVE_POINTS = 33 };

typedef struct snw_group_curve {
	uint64_t document; /* the number of the document from which it was made; 0: none */
	uint32_t group, example;
	uint64_t drivers; /* the number of the document for which the example's drivers were found; 0: not known */
	bool is_known;    /* the example is fitted */
	uint32_t joint;   /* that drives it */
	double angle;     /* its rotation in the example's pose, radians */
	double end;       /* of the way from rest to the pose: beyond 1, but no rotation beyond π */
	double along[SNW_GROUP_CURVE_POINTS];  /* the weight on the way, from 0 to `end` of it */
	double around[SNW_GROUP_CURVE_POINTS]; /* the weight with the axis of the joint's rotation rotated by 0 to π */
	uint32_t layer;                        /* the layer that has the width; SNW_NONE: it has none */
	char width_key[64];                    /* of its parameter */
	double width;                          /* of the group's kernel, radians: an angle to the sides, or a distance of poses */
	bool width_is_distance;
	double edge; /* the angle to the sides that the width makes, radians; 0: it makes none */
} snw_group_curve;

/* The curve of the chosen group: of the chosen example if it is a member, else of the first. NULL if there is none. */
const snw_group_curve *snw_group_curve_read(struct snw_session *session);

/* The width that moves the edge to an angle. Exact for a kernel of angles; for one of distances the rest and the other examples
 * have a part in where the edge is, so that it comes near. */
double snw_group_curve_width(const snw_group_curve *curve, double edge);

/* ---- live fits ----------------------------------------------------------------------------------------------------------- */

/* Methods whose fit takes too long to be stored with a stroke (those without SNW_REFITS) are fitted to changed sculpts all the
 * same while the window is idle, and shown. Nothing of that is stored: the layers stay stale until they are fitted (Ctrl+F).
 * Any job of the user ends such a fit. */

struct snw_session;

typedef struct snw_live_fit {
	uint64_t asked;  /* the number of the document that is to be shown so; 0 for none */
	bool is_running; /* the job thread has it */
} snw_live_fit;

/* For the document that is shown now, which follows a change of the project. */
void snw_live_fit_ask(struct snw_session *session);
/* Begins the fit that was asked for once nothing else runs or waits. */
void snw_live_fit_follow(struct snw_session *session);
/* Lets a job or a command that waits for the job thread go first. */
void snw_live_fit_yield(struct snw_session *session);

/* ---- comparisons --------------------------------------------------------------------------------------------------------- */

/* Which method for the sculpts: the last comparison, and its pictures. */

struct snw_session;

typedef struct snw_method_comparison {
	snw_arena *arena; /* of what follows; NULL: there is no comparison */
	snw_sculpts_comparison made;
	const char *sculpt;          /* the name of the pictured one */
	snw_panel_picture *pictures; /* [row_count + 1]: the sculpt, then each row's answer; none without pictures */
	const char *failure;         /* why there are no pictures; NULL */
} snw_method_comparison;

enum { SNW_METHOD_PICTURE_WIDTH = 440, SNW_METHOD_PICTURE_HEIGHT = 250 };

/* Takes over a comparison of the document that is shown, whose figures are in `arena`, and draws its pictures as the window
 * looks at the character. */
void snw_method_comparison_take(struct snw_session *session, const snw_sculpts_comparison *made, snw_arena *arena);
void snw_method_comparison_drop(struct snw_session *session);

/* ---- new versions of plug-ins -------------------------------------------------------------------------------------------- */

/* New versions of plug-ins while the window is open: a file that is built again, or is new in a plug-in folder, is loaded, and
 * the character is shown with it. Its settings and its fitted model stay, since they are in the project. If the new version
 * cannot be loaded, or cannot show the character although the old one could, the old one stays active and a message says why.
 *
 * Earlier versions stay loaded until the window closes: what was made with them may still be in use. */

struct snw_session;

/* A registry that was opened while the window is. */
typedef struct snw_renewal {
	struct snw_renewal *previous;
	snw_registry *registry;
} snw_renewal;

typedef struct snw_renewed_plugins {
	uint64_t known, seen; /* stamps of the search path: as loaded, and at the last look */
	double looked;        /* seconds of the clock */
	bool is_loading;
	snw_arena *arena;
	snw_renewal *last; /* NULL: none */
} snw_renewed_plugins;

void snw_renewed_plugins_start(snw_renewed_plugins *plugins);
void snw_renewed_plugins_end(snw_renewed_plugins *plugins);
/* How long the window may sleep between two looks, in milliseconds. */
int snw_renewed_plugins_interval(const struct snw_session *session);
/* Looks at the files now and then. Once what has changed is no longer being written, it is loaded. */
void snw_renewed_plugins_follow(struct snw_session *session);

/* ---- sessions ------------------------------------------------------------------------------------------------------------ */

/* The window's session: the document, the view, and the jobs. Everything in it belongs to the window's thread;
 * what changes the project goes through the job thread. */

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

/* ---- the background ------------------------------------------------------------------------------------------------------ */

/* A second job thread for long work that does not change the project: a mesh is prepared for sculpting, or refined, during a
 * fit. A job sees the document that is shown when it begins, which may be later than the one it was sent for, and may end
 * when a still later one is shown. So `run` compares the job's numbers with those of its document, and `done` with those of
 * the session's. It also frees documents that are no longer shown, after all jobs that may still read them. */

struct snw_session;

/* The job must not touch the project. Its `done` is called even if another document is shown by then. */
void snw_background_send(struct snw_session *session, snw_job *job);

/* ---- failed layers ------------------------------------------------------------------------------------------------------- */

/* A layer whose plug-in fails while the character is posed is left out of what this window shows; the project does not
 * change. The layer is shown again when it is changed or fitted, or when the user asks for it. */

/* Leaves a layer of the document out, or shows it again. */
void snw_session_leave_out(snw_session *session, const snw_layer *layer, bool is_left_out);

/* After the display has posed the character: reports a failure with a message that names the layer, and leaves the layer
 * out. */
void snw_session_answer_failure(snw_session *session);

/* ---- levels -------------------------------------------------------------------------------------------------------------- */

/* Levels of detail are prepared in the background once one is shown, and again after each change of the project. */

/* Requests the levels if they are missing, and continues their upload. */
void snw_levels_follow(snw_session *session);
bool snw_levels_are_uploading(const snw_session *session);

/* ---- method pictures ----------------------------------------------------------------------------------------------------- */

/* The pictures of methods: a PNG beside a plug-in, with its name. Deformers that ship have one (deformers/draw_pictures.py);
 * others may. */

/* The picture of the plug-in at this path, read when it is first asked for; NULL if it has none. */
snw_panel_picture *snw_method_picture(struct snw_session *session, const char *plugin);
void snw_method_pictures_drop(struct snw_session *session);

#endif
