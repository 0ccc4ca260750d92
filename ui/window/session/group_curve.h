/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much an example acts around its pose, as curves for the panel: on the way from rest to the pose and beyond it, and with
 * the rotation of the joint that drives it to the sides.
 */
#ifndef SINEW_UI_WINDOW_SESSION_GROUP_CURVE_H
#define SINEW_UI_WINDOW_SESSION_GROUP_CURVE_H

#include <stdbool.h>
#include <stdint.h>

struct snw_session;

enum { SNW_GROUP_CURVE_POINTS = 33 };

typedef struct snw_group_curve {
	uint64_t document; /* the number of the document from which it was made; 0: none */
	uint32_t group, example;
	uint64_t drivers; /* the number of the document for which the example's drivers were found; 0: not known */
	bool is_known;    /* the example is fitted */
	uint32_t joint;   /* that drives it */
	double angle;     /* its rotation in the example's pose, radians */
	double end;       /* of the way from rest to the pose: beyond 1, but no rotation beyond π */
	double along[SNW_GROUP_CURVE_POINTS];  /* the weight on the way, from 0 to `end` of it */
	double around[SNW_GROUP_CURVE_POINTS]; /* the weight with the axis of the joint's rotation rotated by 0 to π */
	uint32_t layer;                        /* the layer that has the width; SNW_NONE: it has none */
	char width_key[64];                    /* of its parameter */
	double width;                          /* of the group's kernel, radians: an angle to the sides, or a distance of poses */
	bool width_is_distance;
	double edge; /* the angle to the sides that the width makes, radians; 0: it makes none */
} snw_group_curve;

/* The curve of the chosen group: of the chosen example if it is a member, else of the first. NULL if there is none. */
const snw_group_curve *snw_group_curve_read(struct snw_session *session);

/* The width that moves the edge to an angle. Exact for a kernel of angles; for one of distances the rest and the other examples
 * have a part in where the edge is, so that it comes near. */
double snw_group_curve_width(const snw_group_curve *curve, double edge);

#endif
