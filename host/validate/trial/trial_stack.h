/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stack of the trial character with the model that the harness has fitted, as the host runs it: lowered where it can be.
 */
#ifndef SINEW_HOST_VALIDATE_TRIAL_TRIAL_STACK_H
#define SINEW_HOST_VALIDATE_TRIAL_TRIAL_STACK_H

#include "plugin/memory_sink.h"
#include "validate/trial/harness.h"

typedef struct trial_stack {
	/* The harness's with its deformer on top, or, for one that replaces the blend, in place of all layers. */
	snw_scene scene;
	snw_memory_sink model;
	bool has_model;
	snw_stack *whole, *below; /* with the deformer's layer, and without it */
	snw_evaluation *whole_evaluation, *below_evaluation;
} trial_stack;

/* With the values that the harness has now. Without other layers if it `is_alone`, as a deformer that replaces the blend always
 * is. Close it in any case. The harness must be fitted and outlive it. */
snw_status trial_stack_open(trial_stack *stack, const harness *b, bool is_alone, snw_error *error);
void trial_stack_close(trial_stack *stack);

#endif
