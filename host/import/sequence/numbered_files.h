/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which files are the frames of an animation of numbered .obj files.
 */
#ifndef SINEW_HOST_IMPORT_SEQUENCE_NUMBERED_FILES_H
#define SINEW_HOST_IMPORT_SEQUENCE_NUMBERED_FILES_H

#include "base/arena.h"
#include "base/error.h"
#include "base/task.h"

/* The files that a pattern ("frames/f_*.obj") names, in the order of their numbers. Files without a number beside numbered ones are
 * left out, and gaps in the numbering close up; both are reported to `task` (may be NULL). Two animations under one pattern are refused. */
snw_status snw_numbered_paths(const char *pattern, snw_arena *arena, const snw_task *task, char ***paths, size_t *count,
							  snw_error *error);

#endif
