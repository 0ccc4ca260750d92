/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SINEW_UI_RENDER_DRAW_STACK_CHANGE_H
#define SINEW_UI_RENDER_DRAW_STACK_CHANGE_H

#include "stack/stack.h"

/* A stack that replaces another when a scene is replaced: data that are equal in their programs stay on the GPU. */
typedef struct snw_stack_change {
	const snw_stack *from, *to;
} snw_stack_change;

#endif
