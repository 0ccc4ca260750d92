/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A field over points or faces in a view: colours as they are; one number on a scale from the smallest to the largest; of several
 * numbers their length. A point shows the mean of the faces around it.
 */
#ifndef SINEW_UI_RENDER_OVERLAY_SHOW_FIELD_H
#define SINEW_UI_RENDER_OVERLAY_SHOW_FIELD_H

#include "render/view/view.h"

/* What a view of a field points at. */
typedef struct snw_shown_field {
	const double **heat;    /* [mesh_count] */
	double *const *numbers; /* [mesh_count][3 * point_count]: room for what is not in the field as it is shown */
	char label[240];
} snw_shown_field;

/* False where no mesh of the view's scene has a field over points or faces of that name. A mesh whose field is of another
 * kind than the first one's is left out. */
bool snw_view_show_field(snw_view *view, const char *name, snw_shown_field *shown);

#endif
