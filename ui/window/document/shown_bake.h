/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A bake whose skins can be shown in place of the stack, without changing the project.
 */
#ifndef SINEW_UI_WINDOW_DOCUMENT_SHOWN_BAKE_H
#define SINEW_UI_WINDOW_DOCUMENT_SHOWN_BAKE_H

#include "bake/bake.h"
#include "operators/operator.h"

typedef struct snw_shown_bake {
	snw_arena *arena;       /* holds it */
	snw_operator_call call; /* that made it */
	snw_operator_work *work;
	snw_baked baked;
	snw_budget budget;
	const char *path; /* of the project */
	int64_t change; /* the project's last change when it was baked, as snw_document.change; after another one it is not shown */
} snw_shown_bake;

#endif
