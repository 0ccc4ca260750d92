/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loading a plug-in runs its code. A child process tries that first, under a time limit, so that a file that crashes, exits or
 * hangs while it is loaded is refused with a reason and ends nothing. What was found is kept by path, size and time of change
 * in $XDG_CACHE_HOME/sinew/plugins, so that the next start tries nothing again. Where that cannot be written, each start tries.
 * A file that took too long in two children is tried at the next start too, since the machine may have been busy, and so is one
 * whose trial exited or was killed, since the memory may have been used up.
 */
#ifndef SINEW_HOST_PLUGIN_TRIAL_LOAD_H
#define SINEW_HOST_PLUGIN_TRIAL_LOAD_H

#include "base/arena.h"

/* Loads a file, asks it for its deformers and unloads it. */
typedef void snw_plugin_loader(const char *path, void *context);

/* Why the file is not to be loaded, in `arena`; NULL where loading it did no harm, or where no child could be started. With a
 * `context`, for which a child writes what it finds, a file that did no harm before is loaded in a child again. */
const char *snw_plugin_trial(const char *path, snw_plugin_loader *load, void *context, snw_arena *arena);

#endif
