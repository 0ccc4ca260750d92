/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sculpting in the pose that is shown: the chosen brush, the host's sculpt, and the points that are shown. When a
 * stroke ends, it is stored in an example and the corrective is fitted again.
 */
#ifndef SINEW_UI_WINDOW_SESSION_SCULPTING_H
#define SINEW_UI_WINDOW_SESSION_SCULPTING_H

#include "example/groups.h"
#include "fit/samples.h"
#include "mesh/mesh.h"
#include "scene/scene.h"
#include "sculpt/sculpt.h"

struct snw_session;

struct snw_display;
enum { SNW_BRUSH_TARGETS = 3 };

/* What the next drag draws around the points to mask. */
typedef enum snw_outline_kind { SNW_OUTLINE_NONE = 0, SNW_OUTLINE_BOX, SNW_OUTLINE_LASSO } snw_outline_kind;

/* A mesh that strokes move as well: seams of the sculpted one lead to it, or it is its counterpart
 * (sculpt/sculpt.h), to which symmetry takes them. Its points and faces come after those of the others. */
typedef struct snw_sculpted_part {
	uint32_t mesh, first_point, first_face;
	double *before; /* [point_count][3]: its points when the session was created or updated */
	bool is_counterpart;
} snw_sculpted_part;

typedef struct snw_sculpting {
	snw_brush brush; /* as the user set it; radius in metres */
	double strengths[SNW_BRUSH_COUNT];
	snw_brush_alpha alpha; /* the brush's */
	snw_arena *alpha_arena;
	char alpha_path[2000]; /* its picture; empty: none */
	snw_arena *arena;      /* holds the session below */
	snw_sculpt *sculpt;    /* NULL: none, or a background job is updating it */
	uint32_t entered;      /* counts requests: results of earlier ones are discarded */
	bool is_preparing;     /* a background job creates or updates it */
	const snw_mesh *mesh;  /* a copy of the scene's, as far as it is needed, joined with its parts; NULL: none */
	uint32_t mesh_index;
	uint32_t point_count, face_count; /* of the mesh without its parts */
	uint32_t part_count;
	snw_sculpted_part *parts;
	bool is_switching;         /* to another mesh: the brush stays as it is */
	bool has_chosen_mesh;      /* the next stroke has, by its ray */
	bool is_outdated;          /* the document has changed during a stroke */
	uint64_t pose_hash;        /* of the pose that it was prepared for; 0: the rest */
	double longest;            /* the size of the mesh, metres */
	bool has_radius;           /* the brush has one that was chosen, or that fits this project */
	const float **shown;       /* [mesh_count]: the points of its mesh; NULL for others */
	snw_brush stroke;          /* the brush of the current stroke, with its modifier keys */
	const uint32_t *partners;  /* the mirrored point of each point; NULL: none */
	snw_mirror_plane plane;    /* of symmetry */
	char morph_to[200];        /* what the morph brush moves towards: "rest", or "example NAME"; else the skin below */
	bool carries;              /* strokes to the meshes over the sculpted one (example/sculpts.h) */
	bool paints_weights;       /* of the chosen joint, instead of a field */
	char requested_field[200]; /* the field to paint if none is shown; empty: "painted" */
	char painted[200];         /* what is painted: a field, or "weights of JOINT" */
	uint32_t painted_joint;    /* SNW_NONE for a field */
	uint32_t painted_partner;  /* its joint of the other side, whose weights are painted on the counterpart; SNW_NONE: none */
	uint32_t chosen_point;     /* whose weights are listed; SNW_NONE: none */
	const double **values;     /* [mesh_count]: the values that the brush paints on its mesh */
	/* The number of strokes made, and of the last one that was stored or could not be, by what they change. */
	uint32_t made[SNW_BRUSH_TARGETS], sent[SNW_BRUSH_TARGETS];
	/* The position of the brush ring, and the mesh under it. */
	snw_pick under;
	uint32_t under_mesh;
	bool is_over;
	bool reaches_none; /* no point is as near to the ring's middle as the radius */
	double other[3];   /* its mirrored position, with symmetry */
	bool has_other;
	snw_outline_kind outline;
} snw_sculpting;

/* What the morph brush moves towards, and which example if it is one. An example that no longer exists is the skin below. */
snw_morph_kind snw_sculpting_morph(const struct snw_session *session, uint32_t *example);

void snw_sculpting_start(snw_sculpting *sculpting); /* sets the initial brush */
void snw_sculpting_end(snw_sculpting *sculpting);

/* Whether the mesh is being prepared in the background. Strokes wait for it. */
void snw_sculpting_enter(struct snw_session *session);
bool snw_sculpting_is_preparing(const struct snw_session *session);
/* Whether strokes take the mesh: it is visible and not locked. */
bool snw_may_be_stroked(const struct snw_display *display, uint32_t mesh);
/* While sculpting: goes on with another mesh. */
void snw_sculpting_take_mesh(struct snw_session *session, uint32_t mesh);
/* After meshes were hidden, shown, locked or unlocked: only visible and unlocked ones are sculpted together. Not during a
 * stroke. */
void snw_sculpting_take_parts(struct snw_session *session);
void snw_sculpting_leave(struct snw_session *session); /* does nothing if nothing is being sculpted */
/* After a new document, and when the brush is to stay outside of other meshes, or no longer: updates the session in the
 * background; strokes wait for it. Ends the session if the project is another one. */
void snw_sculpting_follow(struct snw_session *session, bool is_other);

/* After another pose or another moment of a clip is shown: goes on there. Once a clip that plays stands still. */
void snw_sculpting_follow_pose(struct snw_session *session);

/* A stroke, and all before it, are stored or cannot be: they no longer wait for the project. */
void snw_sculpting_settle(snw_sculpting *sculpting, snw_brush_target target, uint32_t stroke);
/* Whether strokes have not been stored yet: the session is ahead of the project. */
bool snw_sculpting_is_ahead(const snw_sculpting *sculpting);
bool snw_sculpting_is_stroking(const snw_sculpting *sculpting);
/* Whether the mask protects any points. */
bool snw_sculpting_is_masked(const snw_sculpting *sculpting);
/* Whether strokes move a part: a counterpart only by symmetry. */
bool snw_sculpting_reaches(const snw_sculpting *sculpting, const snw_sculpted_part *part);
/* Strokes of this kind pass through the faces that are hidden in the viewport, and through the parts that they do not change.
 * Not during a stroke. */
void snw_sculpting_hide_faces(struct snw_session *session, snw_brush_target target);
void snw_sculpting_abort(struct snw_session *session);
/* After a stroke that changed nothing or was aborted: shows what the project has, or the strokes that it has not stored yet. */
void snw_sculpting_rest(struct snw_session *session);
/* Places the ring at the intersection of the ray and the mesh, and its mirrored counterpart. */
void snw_sculpting_point(snw_sculpting *sculpting, const snw_ray *ray);
/* The mesh on which a stroke begins at these fractions of the viewport; SNW_NONE if none can be stroked there. */
uint32_t snw_sculpting_mesh_at(struct snw_session *session, double x, double y);
/* The mouse is over the viewport at these fractions of it (x, y), or outside (`inside` false). */
void snw_sculpting_hover(struct snw_session *session, double x, double y, bool inside);

/* ---- drivers ------------------------------------------------------------------------------------------------------------- */

/* The joints that could drive the chosen example, for the panel: found by the job that stores a new example, or in the
 * background for each new document. Until the search is done, those of the document before it are shown. */

struct snw_document;
/* An example of a document. */
typedef struct snw_drivers_key {
	int64_t example;   /* its id; 0: none */
	uint64_t document; /* its number */
} snw_drivers_key;

typedef struct snw_drivers {
	snw_arena *arena;    /* NULL: none are known */
	snw_drivers_key key; /* what they were found for */
	uint32_t count;
	snw_driver *items;         /* the best first; their joints are those of the document that is shown */
	snw_drivers_key requested; /* what a background job was sent for */
} snw_drivers;

/* Those of an example, copied. */
void snw_drivers_take(struct snw_session *session, uint32_t example, uint32_t count, const snw_driver *items);
/* Finds those of the chosen example, if they are not known. */
void snw_drivers_follow(struct snw_session *session);
void snw_drivers_forget(struct snw_session *session);
/* After a new document: finds their joints in it by their names. */
void snw_drivers_succeed(struct snw_session *session, const struct snw_document *former);
/* Those of the chosen example; NULL if they are not known. */
const snw_drivers *snw_drivers_known(const struct snw_session *session);

/* ---- sculpt distances ---------------------------------------------------------------------------------------------------- */

/* How far the chosen example's sculpt moves each point from where the layers below it put it: for the heat map "sculpt".
 * Computed in the background while that heat map is shown. */

typedef struct snw_sculpt_distances {
	snw_arena *arena;          /* NULL: none are known */
	snw_drivers_key key;       /* what they were found for */
	uint32_t mesh, count;      /* of its points */
	double *values;            /* [count], millimetres */
	snw_drivers_key requested; /* what a background job was sent for */
} snw_sculpt_distances;

/* Requests them if they are shown and not known, and gives them to the display. Once a redraw. */
void snw_sculpt_distances_follow(struct snw_session *session);
void snw_sculpt_distances_forget(struct snw_session *session);

/* ---- painted values ------------------------------------------------------------------------------------------------------ */

/* The values that brushes paint: the mask and a field. Both are fields of the project, so undo covers them, and deformers,
 * groups and later sessions can read them. */

struct snw_sculpted_part;
#define SNW_SCULPT_MASK "sculpt-mask"

/* Whether the weights of the chosen joint are painted, and not a field. */
bool snw_painted_values_are_weights(const struct snw_session *session);

/* Follows the choice of a field or joint, unless values are still being stored. Returns false while it cannot. */
bool snw_painted_values_follow(struct snw_session *session);

/* A field's values for a mesh, one a point; NULL if the project has no such field. */
const double *snw_painted_values_stored(const snw_scene *scene, uint32_t mesh, const char *name);

/* Loads both from the project, unless painted values are still being stored. */
void snw_painted_values_read(struct snw_session *session);

/* Shows the values that the chosen brush paints as a heat map. */
void snw_painted_values_show(struct snw_session *session);

/* The counterpart of the mesh that is painted, if symmetry takes strokes of this kind to it; NULL: none. The weights that they
 * paint there are those of the joint of the other side. */
const struct snw_sculpted_part *snw_painted_values_counterpart(const struct snw_session *session, snw_brush_target target);
/* The joint of the other side; the joint itself in the middle, SNW_NONE for none. */
uint32_t snw_painted_values_partner(const struct snw_session *session, uint32_t joint);

/* Stores the mask or the field in the project, at the end of a stroke or after another change. */
void snw_painted_values_commit(struct snw_session *session, const char *verb, bool is_mask);

/* Whether the stack blends by the skin weights, so that painting them changes what is shown. If not, `layer` has weights of its
 * own. */
bool snw_painted_values_show_through(const struct snw_session *session, uint32_t *layer);

#endif
