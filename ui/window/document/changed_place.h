/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a change of the project is seen, so that Undo and Redo can go there.
 */
#ifndef SINEW_UI_WINDOW_DOCUMENT_CHANGED_PLACE_H
#define SINEW_UI_WINDOW_DOCUMENT_CHANGED_PLACE_H

#include "window/document/document.h"

/* Indices of the later document; SNW_NONE for what the change does not say, or what is not there any more. */
typedef struct snw_changed_place {
	uint32_t example, mesh, pose, clip;
	double seconds; /* of the clip */
} snw_changed_place;

/* The first example, target, clip, pose, mesh or field that differs; of several examples the one of a mesh, by its id. A pose
 * that is a moment of a clip is given as that moment too. */
snw_changed_place snw_document_changed_place(const snw_document *old, const snw_document *next, int64_t mesh);

#endif
