/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window's session: the document, the view, and the jobs. Everything in it belongs to the window's thread;
 * what changes the project goes through the worker.
 */
#ifndef SINEW_UI_WINDOW_SESSION_SESSION_H
#define SINEW_UI_WINDOW_SESSION_SESSION_H

#include "export/export.h"
#include "measure/measure.h"
#include "window/command_table/command.h"
#include "window/display/display.h"
#include "window/jobs/worker.h"
#include "window/preferences/preferences.h"
#include "window/session/error_curve.h"
#include "window/session/redraw_times.h"
#include "window/session/sculpting.h"

/* A row of the error table. */
typedef struct snw_error_row {
	char subject[80], method[80];
	snw_measure measure;
} snw_error_row;
enum { SNW_ERROR_ROWS = 24 };

/* What an export would lose, and the file that waits for its name. */
typedef struct snw_pending_export {
	bool is_made;
	char path[2048], temporary[2100];
	snw_export_report report;
} snw_pending_export;

typedef struct snw_session {
	const snw_registry *registry;
	snw_renderer *renderer;
	snw_job_worker *worker;
	snw_document *document;
	snw_display display;
	snw_view_state state;
	snw_preferences preferences;
	/* Work that does not change the project. */
	snw_job_worker *background;
	snw_job_queue background_queue;
	snw_job *uploading_job; /* it is done, but the meshes of its document are on their way to the graphics card; NULL: none */
	snw_display uploading_display;
	snw_job_queue job_queue; /* for the worker */
	uint64_t document_count; /* how many documents it has shown: the number of the last one */
	double aspect;           /* width of the viewport over its height */
	int width, height;       /* of the window */
	snw_command_queue queue; /* what panels, keys and scripts ask for */
	/* Posing. */
	snw_arena *edited_pose_arena; /* NULL: no pose is being changed */
	snw_pose *edited_pose;
	bool edit_is_trial; /* it follows a drag and is not in the project */
	snw_arena *copied_arena;
	snw_pose *copied;
	/* Sculpting. */
	snw_sculpting sculpting;
	/* The error over time, worked out in the background. */
	snw_error_curve *error_curve;
	snw_progress progress;         /* when the worker was last asked */
	snw_redraw_times redraw_times; /* how long redraws took */
	/* The stack. */
	uint32_t error_row_count;
	snw_error_row error_rows[SNW_ERROR_ROWS];
	uint32_t errors_before; /* how many of them stem from before the last fit */
	char fitted[160];       /* "inverse-psd in 0.21 s" */
	snw_pending_export pending_export;
	/* Dialogs. */
	char folder[2048];  /* where files were last looked for */
	char recovered[24]; /* how many changes a session that crashed had made */
	snw_command asking; /* the command that SNW_DIALOG_NAME asks words for; of SNW_DIALOG_CHOOSE, the key */
	bool dialog_is_new; /* it was opened in this frame */
	/* The record of this session, as a script; what the window was started with is no part of it. */
	bool is_starting;
	char *record;
	size_t record_size, record_used;
	/* Pictures. */
	unsigned picture_count;
	bool picture_requested;
	char picture_path[2048];               /* where the next one goes; empty: the stem and a number */
	bool report_requested, report_at_once; /* once nothing is under way; after this frame */
	uint64_t redraws;                      /* that were drawn */
} snw_session;

snw_status snw_session_create(const snw_registry *registry, snw_renderer *renderer, uint32_t wake_event, snw_session *session,
							  snw_error *error);
void snw_session_destroy(snw_session *session);

/* Queues a job for the worker. */
void snw_session_send(snw_session *session, snw_job *job);
/* Applies the results of finished jobs, and sends those that wait. */
void snw_session_collect(snw_session *session);
/* Whether a job runs or waits, or an upload is not finished. */
bool snw_session_is_busy(const snw_session *session);
/* Whether something is on its way to the graphics card: collect sends it bit by bit. */
bool snw_session_is_uploading(const snw_session *session);
/* Runs the queued commands. Commands that must wait for the worker stay in the queue. `done` gets the others. */
void snw_session_apply(snw_session *session, snw_command_queue *done);

/* Discards the pose that is being edited. */
void snw_session_discard_pose(snw_session *session);
/* A changed copy of the pose that is shown; it is shown until the project has it, or it is dropped. NULL without a pose. */
snw_pose *snw_session_edit_pose(snw_session *session);
/* Shows a clip (SNW_NONE: the pose). */
void snw_session_choose_clip(snw_session *session, uint32_t clip);
void snw_session_choose_pose(snw_session *session, uint32_t pose);
void snw_session_open_dialog(snw_session *session, snw_dialog dialog);
/* Whether a command lacks its text. Then a dialog asks for it; its field starts with `initial`. */
bool snw_session_asks(snw_session *session, const snw_command *command, const char *initial);
/* What is marked in the viewport: joints, the brush, ghosts. After the display has posed what is shown. */
void snw_session_mark(snw_session *session, uint32_t hovered_joint);
/* Through a place in the viewport, by fractions of it from its top left corner. */
snw_ray snw_session_ray(const snw_session *session, double x, double y);
/* The example of that name, or, without one, the chosen one; SNW_NONE, with a message, where there is none. */
uint32_t snw_session_example(snw_session *session, const char *name);
/* Whether a pose is called as those are that nobody has named; and the pose that is shown where it is one of them and nobody
 * counts on it, so that it may be given another name; SNW_NONE else. */
bool snw_pose_is_unnamed(const char *name);
uint32_t snw_session_unnamed(const snw_session *session);
/* The sculpt of a mesh in the pose that is shown; SNW_NONE where there is none. */
uint32_t snw_session_example_here(const snw_session *session, uint32_t mesh);
/* The target of the clip that is shown, or SNW_NONE. */
uint32_t snw_session_clip_target(const snw_session *session);
/* Frames points, or everything that is shown (count 0), in the viewport. */
void snw_session_fit_camera(snw_session *session, const double *points, size_t count);

#endif
