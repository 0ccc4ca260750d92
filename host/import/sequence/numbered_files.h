/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the frames of an animation in numbered .obj files.
 */
#ifndef SINEW_HOST_IMPORT_SEQUENCE_NUMBERED_FILES_H
#define SINEW_HOST_IMPORT_SEQUENCE_NUMBERED_FILES_H

#include "base/arena.h"
#include "base/error.h"
#include "task/task.h"

/* The files that match a pattern ("frames/f_*.obj"), in the order of their numbers. Files without a number beside numbered ones
 * are left out, and gaps in the numbering are closed, both with a notice to `task` (may be NULL). Fails if two animations
 * match. */
snw_status snw_numbered_paths(const char *pattern, snw_arena *arena, const snw_task *task, char ***paths, size_t *count,
							  snw_error *error);

#endif
