/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sinew pose suggest.
 */
#ifndef SINEW_UI_CLI_SUGGEST_H
#define SINEW_UI_CLI_SUGGEST_H

#include "cli/open.h"
#include "cli/verb.h"

/* The desk has plug-ins, and is open for writing. */
snw_status snw_suggest_poses(const snw_call *call, const snw_desk *desk, snw_error *error);

#endif
