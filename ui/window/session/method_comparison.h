/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which method for the sculpts: the last comparison, and its pictures.
 */
#ifndef SINEW_UI_WINDOW_SESSION_METHOD_COMPARISON_H
#define SINEW_UI_WINDOW_SESSION_METHOD_COMPARISON_H

#include "compare/compare.h"
#include "render/draw/panel_picture.h"

struct snw_session;

typedef struct snw_method_comparison {
	snw_arena *arena; /* of what follows; NULL: there is no comparison */
	snw_sculpts_comparison made;
	const char *sculpt;          /* the name of the pictured one */
	snw_panel_picture *pictures; /* [row_count + 1]: the sculpt, then each row's answer; none without pictures */
	const char *failure;         /* why there are no pictures; NULL */
} snw_method_comparison;

enum { SNW_METHOD_PICTURE_WIDTH = 440, SNW_METHOD_PICTURE_HEIGHT = 250 };

/* Takes over a comparison of the document that is shown, whose figures are in `arena`, and draws its pictures as the window
 * looks at the character. */
void snw_method_comparison_take(struct snw_session *session, const snw_sculpts_comparison *made, snw_arena *arena);
void snw_method_comparison_drop(struct snw_session *session);

#endif
