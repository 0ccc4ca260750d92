/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sculpting in the pose that is shown: the chosen brush, the host's sculpting session, and the points that are shown. When a stroke
 * ends, it is stored in an example and the corrective is fitted again.
 */
#ifndef SINEW_UI_WINDOW_SESSION_SCULPTING_H
#define SINEW_UI_WINDOW_SESSION_SCULPTING_H

#include "sculpt/sculpt.h"

struct snw_session;

enum { SNW_BRUSH_TARGETS = 3 };

typedef struct snw_sculpting {
	snw_brush brush; /* of the user's choice; radius in metres */
	double strengths[SNW_BRUSH_COUNT];
	snw_arena *arena;     /* of the session below */
	snw_sculpt *sculpt;   /* NULL: none, or a background job is updating it */
	uint32_t entered;     /* how often one was asked for: what was made ready for another time is not used */
	bool is_preparing;    /* a background job prepares or updates it */
	const snw_mesh *mesh; /* a copy of what it needs of the scene's; NULL: none */
	uint32_t mesh_index;
	double longest;            /* the mesh's size, metres */
	const float **shown;       /* [mesh_count]: its points at its mesh */
	snw_brush stroke;          /* of the stroke that is made, with its keys */
	const uint32_t *partners;  /* the mirror map; NULL: none */
	bool paints_weights;       /* of the joint that is chosen, instead of a field */
	char requested_field[200]; /* the field that is to be painted where none is shown; empty: "painted" */
	char painted[200];         /* what paint changes: a field, or "weights of JOINT" */
	uint32_t painted_joint;    /* SNW_NONE for a field */
	const double **values;     /* [mesh_count]: the values that the brush paints, at its mesh */
	/* Strokes by what they change: made, and the last that the project has. */
	uint32_t made[SNW_BRUSH_TARGETS], sent[SNW_BRUSH_TARGETS];
	/* Where the mouse is, for the ring. */
	snw_pick under;
	bool is_over;
	double other[3]; /* where symmetry works besides */
	bool has_other;
} snw_sculpting;

void snw_sculpting_start(snw_sculpting *sculpting); /* the brush that it begins with */
void snw_sculpting_end(snw_sculpting *sculpting);

/* Whether the mesh is being prepared in the background. Strokes wait for it. */
void snw_sculpting_enter(struct snw_session *session);
bool snw_sculpting_is_preparing(const struct snw_session *session);
void snw_sculpting_leave(struct snw_session *session); /* where nothing is sculpted it does nothing */
/* After a new document: updates the session in the background; strokes wait for it. It ends if the project is another one. */
void snw_sculpting_follow(struct snw_session *session, bool is_other);

/* Whether strokes are on their way to the project, or did not get there: the session is ahead of it. */
bool snw_sculpting_is_ahead(const snw_sculpting *sculpting);
bool snw_sculpting_is_stroking(const snw_sculpting *sculpting);
/* Some points are guarded, more or less. */
bool snw_sculpting_is_masked(const snw_sculpting *sculpting);
void snw_sculpting_abort(struct snw_session *session);
/* Places the ring where the ray meets the mesh, and its mirrored place. */
void snw_sculpting_point(snw_sculpting *sculpting, const snw_ray *ray);
/* The mouse is over the viewport at fractions of it (x, y), or not (`inside`). */
void snw_sculpting_hover(struct snw_session *session, double x, double y, bool inside);

#endif
