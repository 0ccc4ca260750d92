/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What commands call of each other.
 */
#ifndef SINEW_UI_WINDOW_COMMANDS_COMMANDS_H
#define SINEW_UI_WINDOW_COMMANDS_COMMANDS_H

#include <stdbool.h>
#include <stdint.h>

#include "operators/operator.h"
#include "scene/scene.h"
#include "window/command_table/command.h"
#include "window/jobs/job_thread.h"

struct snw_session;

/* The argument that a dialog asks for, into which the command's text goes; NULL for commands without one. */
const snw_argument *snw_command_asked_argument(const snw_command *command);

/* ---- operators in jobs --------------------------------------------------------------------------------------------------- */

/* Operators in jobs, for commands that do more than run one. */

/* What an operator works on in a job, with an open project. */
snw_operator_context snw_job_operator_context(const snw_job_context *context, snw_arena *arena);

/* snw_operator_run; the job's caveat is the first layer that could not be fitted again, and layers that have failed and are
 * changed are tried again. */
snw_status snw_job_operate(snw_job_context *context, snw_job *job, const snw_operator_call *call,
						   const snw_operator_context *on, snw_operator_report *report, snw_error *error);

/* ---- store pose ---------------------------------------------------------------------------------------------------------- */

/* Stores a pose in the project, as one step. */

/* In place of the pose that is shown if that may change, else as the unnamed pose. */
void snw_store_edited_pose(struct snw_session *session, const char *label, const snw_pose *pose);

/* ---- store sculpt -------------------------------------------------------------------------------------------------------- */

/* Stores a sculpt in the project: an example with its pose and group, and the fit of the corrective. */

/* Whether the pose that is shown may have an example of the mesh; if not, a message says what to do. */
bool snw_may_store_sculpt(struct snw_session *session, uint32_t mesh);
/* Whether a stroke would be seen once it is stored. If something that is muted would hide it, a message says what. */
bool snw_would_stroke_show(struct snw_session *session, uint32_t mesh);

/* Stores `points` of the mesh as the example of the pose that is shown. If the pose has none, creates one that is called after
 * it, or that gives an unnamed pose its name. `verb` is for the history. `stroke`: its number in the sculpt; 0 if it is no
 * stroke. What a stroke moved of meshes beyond a seam or, by symmetry, of the counterpart is stored with it, as their examples
 * of this pose. */
void snw_store_sculpt(struct snw_session *session, const char *verb, uint32_t mesh, const double *points, uint32_t stroke);

/* ---- store shape --------------------------------------------------------------------------------------------------------- */

/* Stores a stroke in the morph target that is edited. */

/* Whether strokes on the mesh change a morph target: one is edited, and it is shown with the joints at rest. */
bool snw_is_editing_shape(const struct snw_session *session, uint32_t mesh);
/* The mesh as the artist leaves it, [point_count][3], as one step. */
void snw_store_shape(struct snw_session *session, uint32_t mesh, const double *points, uint32_t stroke);

#endif
