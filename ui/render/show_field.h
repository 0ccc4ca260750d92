/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A field over points in a view: colours as they are; one number a point on a scale from the smallest to the largest; of several
 * numbers their length.
 */
#ifndef SINEW_UI_RENDER_SHOW_FIELD_H
#define SINEW_UI_RENDER_SHOW_FIELD_H

#include "render/render.h"

/* What a view of a field points at. */
typedef struct snw_shown_field {
	const double **heat;    /* [mesh_count] */
	double *const *lengths; /* [mesh_count][point_count]: written where they are shown */
	char label[240];
} snw_shown_field;

/* False where no mesh of the view's scene has a field over points of that name. A mesh whose field is of another kind than the
 * first one's is left out. Allocates nothing. */
bool snw_view_show_field(snw_view *view, const char *name, snw_shown_field *shown);

#endif
