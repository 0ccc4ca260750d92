/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a verb may write: never over what it reads, never over work that a slip of the keys would cost.
 */
#ifndef SINEW_UI_CLI_COMMAND_LINE_OUTPUT_PATH_H
#define SINEW_UI_CLI_COMMAND_LINE_OUTPUT_PATH_H

#include "cli/command_line/verb.h"

/* A path for a new project: it ends in .sinew, is none of the files that the call names, and holds no project that has been
 * worked in, unless --replace is given; its folder is there and can be written to. SNW_ERROR_ARGUMENT, SNW_ERROR_CONFLICT or
 * SNW_ERROR_IO, with words. */
snw_status snw_output_project(const snw_call *call, const char *path, snw_error *error);

/* A path for anything else: its ending is one of `endings` ("png" or "glb|gltf|obj"), it is none of the files that the call
 * names, and its folder is there and can be written to. */
snw_status snw_output_file(const snw_call *call, const char *path, const char *endings, snw_error *error);

#endif
