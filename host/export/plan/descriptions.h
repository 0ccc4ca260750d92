/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The texts in which layers describe how the pose drives their morph targets and joints (snw_deformer.describe).
 */
#ifndef SINEW_HOST_EXPORT_PLAN_DESCRIPTIONS_H
#define SINEW_HOST_EXPORT_PLAN_DESCRIPTIONS_H

#include <cjson/cJSON.h>
#include <stdbool.h>

/* Whether a text is among the values of a description, at any depth. */
bool snw_plan_description_names(const cJSON *description, const char *text);

#endif
