/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How each project was looked at last: camera, pose, what is selected, and the brush. It is written whenever the window comes
 * to rest, and restored when the project is opened again, also after a crash. In $XDG_STATE_HOME/sinew/views, a file for each
 * project:
 *
 *     project /home/me/arm.sinew
 *     joint elbow
 *     brush inflate
 *
 * Each line after the first is the text of a restore-view command.
 */
#ifndef SINEW_UI_WINDOW_VIEW_FILE_VIEW_FILE_H
#define SINEW_UI_WINDOW_VIEW_FILE_VIEW_FILE_H

struct snw_session;

/* Writes the file of the open project if it would differ. A file that cannot be written costs nothing but the convenience. */
void snw_view_file_write(struct snw_session *session);
/* Queues the commands that restore the view of the open project, if there is a file. Removes files of projects that no longer
 * exist. */
void snw_view_file_read(struct snw_session *session);

#endif
