/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The contact that a stack makes, for verbs that print its errors.
 */
#ifndef SINEW_UI_CLI_STACK_CONTACT_H
#define SINEW_UI_CLI_STACK_CONTACT_H

#include "cli/command_line/open_project.h"

/* Prints where the stack of a method (NULL: the whole) makes contact that its base blend does not, or a bake that the stack it
 * was made of does not, at a few poses that are measured. Prints nothing where there is no layer but the base blend. */
snw_status snw_contact_made_print(const snw_call *call, const snw_opened *opened, const char *method, snw_error *error);

#endif
