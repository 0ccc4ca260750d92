/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The owner of a scene's stacks. A version of a document is asked for the same stacks again and again: to be shown, to be
 * sculpted on, to find what drives a sculpt, to fit and to measure. The owner builds each once, prepares each layer once for
 * all of them, and lends them. A change of the document makes another scene, with another owner, so nothing has to be
 * invalidated.
 */
#ifndef SINEW_HOST_STACK_BORROW_H
#define SINEW_HOST_STACK_BORROW_H

#include "stack/stack.h"

typedef struct snw_stack_owner snw_stack_owner;

/* The scene knows its owner from then on (snw_scene.stacks), as do shallow copies of it; both must outlive the owner. */
snw_stack_owner *snw_stack_owner_create(snw_scene *scene, const snw_registry *registry);
/* Also destroys what it has lent; the scene has no owner then. NULL: does nothing. */
void snw_stack_owner_destroy(snw_stack_owner *owner);

/* The stack of these options (snw_stack_build), from any thread: the owner's, built if it is the first time; or one that is
 * built for the caller, if the scene has no owner, or if it is a copy with other layers, meshes or fields than the owner's
 * scene. */
snw_status snw_stack_borrow(const snw_scene *scene, const snw_registry *registry, const snw_stack_options *options,
							const snw_task *task, const snw_stack **stack, snw_error *error);
/* Destroys a stack that was built for the caller. NULL: does nothing. */
void snw_stack_give_back(const snw_stack *stack);

#endif
