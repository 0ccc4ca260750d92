/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks output paths: a verb never overwrites its input, nor a project with changes by mistake.
 */
#ifndef SINEW_UI_CLI_COMMAND_LINE_OUTPUT_PATH_H
#define SINEW_UI_CLI_COMMAND_LINE_OUTPUT_PATH_H

#include "cli/command_line/verb.h"

/* A path for a new project: it ends in .sinew, is none of the files that the call names, and is not a project with changes
 * unless --replace is given; its folder exists and is writable. SNW_ERROR_ARGUMENT, SNW_ERROR_CONFLICT or SNW_ERROR_IO, with
 * a message. */
snw_status snw_output_project(const snw_call *call, const char *path, snw_error *error);

/* A path for any other file: it has one of the `endings` ("png" or "glb|gltf|obj"), is none of the files that the call
 * names, and its folder exists and is writable. */
snw_status snw_output_file(const snw_call *call, const char *path, const char *endings, snw_error *error);

#endif
