/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The engine that --for names.
 */
#ifndef SINEW_UI_CLI_OUTPUT_ENGINE_OPTION_H
#define SINEW_UI_CLI_OUTPUT_ENGINE_OPTION_H

#include "cli/command_line/verb.h"
#include "export/engine.h"

/* NULL without --for. SNW_ERROR_ARGUMENT lists the names of all. */
snw_status snw_call_engine(const snw_call *call, const snw_engine **engine, snw_error *error);

#endif
