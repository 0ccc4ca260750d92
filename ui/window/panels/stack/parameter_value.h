/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The widgets for one value of a parameter, by its kind. Each queues the command that sets it.
 */
#ifndef SINEW_UI_WINDOW_PANELS_STACK_PARAMETER_VALUE_H
#define SINEW_UI_WINDOW_PANELS_STACK_PARAMETER_VALUE_H

#include "parameter/parameters.h"
#include "window/panels/panels.h"

/* A value that is edited: the one for all, or the one for a single group or joint. */
typedef struct snw_parameter_row {
	const snw_descriptor *descriptor;
	const snw_parameter *parameter;
	const char *name; /* the group or joint; NULL: the value for all */
	snw_value value;
} snw_parameter_row;

void snw_parameter_draw(snw_session *session, const snw_parameter_row *row);
void snw_parameter_set(snw_session *session, const snw_parameter_row *row, const snw_value *value);
/* Help for the previous widget. */
void snw_parameter_explain(const snw_parameter_row *row);

#endif
