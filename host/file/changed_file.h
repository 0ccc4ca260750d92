/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The project file that this process has changed last. Whatever ends the process can name it: another thread, the end of
 * memory, a plug-in's crash.
 */
#ifndef SINEW_HOST_FILE_CHANGED_FILE_H
#define SINEW_HOST_FILE_CHANGED_FILE_H

/* Records a change. NULL: nothing is changed any more. */
void snw_changed_file_set(const char *path);

/* NULL for none. For any thread, and safe in a signal handler. Valid until the second change of another file. */
const char *snw_changed_file(void);

#endif
