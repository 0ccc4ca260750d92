/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The actions of `sinew plugin`.
 */
#ifndef SINEW_UI_CLI_DEVELOPER_PLUGIN_H
#define SINEW_UI_CLI_DEVELOPER_PLUGIN_H

#include "cli/command_line/verb.h"

snw_status snw_cli_plugin_build(const snw_call *call, snw_error *error);

/* Whoever may read the file may run it; nobody but its owner may write to it. What the umask denies stays denied. */
snw_status snw_cli_make_executable(const char *path, snw_error *error);

/* Those of one file alone. SNW_ERROR_DATA if it is rejected, or if it is installed and not found. */
snw_status snw_cli_list_plugin(const snw_call *call, const char *path, bool is_installed, snw_error *error);

/* The results of the checks, as lines and in the answer. SNW_ERROR_DATA says how many failed. */
typedef struct snw_validate_options snw_validate_options;
snw_status snw_cli_validate(const snw_call *call, const char *path, const snw_validate_options *options, snw_error *error);

#endif
