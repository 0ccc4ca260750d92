/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether an engine plays a plan.
 */
#ifndef SINEW_HOST_EXPORT_ENGINES_LIMITS_H
#define SINEW_HOST_EXPORT_ENGINES_LIMITS_H

#include "export/plan/plan.h"

/* SNW_ERROR_LIMIT if a skin or a mesh of the plan has more than the request's engine plays. The message says what to do. */
snw_status snw_engine_check(const snw_plan *plan, snw_error *error);

#endif
