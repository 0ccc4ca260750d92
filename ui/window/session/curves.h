/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The curves of the timeline and of a group.
 */
#ifndef SINEW_UI_WINDOW_SESSION_CURVES_H
#define SINEW_UI_WINDOW_SESSION_CURVES_H

#include <stdbool.h>
#include <stdint.h>

struct snw_session;

/* ---- the error over time ------------------------------------------------------------------------------------------------- */

/* The error over time: how far the stack is from a clip's targets at each of their frames, computed in a thread of its own. */

typedef struct snw_error_curve snw_error_curve;

snw_error_curve *snw_error_curve_create(uint32_t wake_event); /* NULL if no thread can be started: then there is no plot */
void snw_error_curve_destroy(snw_error_curve *curve);         /* NULL: does nothing */

/* Starts again for the clip and the stack that the session shows; both must outlive the run. */
void snw_error_curve_begin(snw_error_curve *curve, struct snw_session *session);
void snw_error_curve_end(snw_error_curve *curve); /* waits for the current frame */
/* The same, but the background thread waits for it. What is freed in the background afterwards is no longer read by then. */
void snw_error_curve_leave(snw_error_curve *curve, struct snw_session *session);

/* The results so far: the largest error of each frame in millimetres, below 0 if it is not known yet. Returns the number of
 * frames; both arrays are [most]. */
uint32_t snw_error_curve_read(snw_error_curve *curve, uint32_t most, double *seconds, float *millimetres);

/* ---- group curve --------------------------------------------------------------------------------------------------------- */

/* How much an example acts around its pose, as curves for the panel: on the way from rest to the pose and beyond it, and
 * with the rotation of the joint that drives it to the sides. */

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
