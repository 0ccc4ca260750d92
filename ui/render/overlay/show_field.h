/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shows a field over points or faces in a view: a colour as it is; one number on a scale from the smallest value to the
 * largest; several numbers by their length. Metres are shown as millimetres. A point shows the mean of the faces around it.
 */
#ifndef SINEW_UI_RENDER_OVERLAY_SHOW_FIELD_H
#define SINEW_UI_RENDER_OVERLAY_SHOW_FIELD_H

#include "render/view/view.h"

/* The arrays that a view of a field points to. */
typedef struct snw_shown_field {
	const double **heat;    /* [mesh_count] */
	double *const *numbers; /* [mesh_count][3 * point_count]: for values that must be computed */
	char label[240];
} snw_shown_field;

/* False if no mesh of the view's scene has a field with this name over points or faces. A mesh whose field is of another
 * kind than the first one's is omitted. */
bool snw_view_show_field(snw_view *view, const char *name, snw_shown_field *shown);

#endif
