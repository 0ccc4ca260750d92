/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands behind the picture: the character, the methods that can pose it, the clip that is scrubbed, and the error against
 * what should be. It follows the state; once a clip and a method have been met, a frame allocates nothing.
 */
#ifndef SINEW_UI_WINDOW_STUDIO_H
#define SINEW_UI_WINDOW_STUDIO_H

#include "plugin/registry.h"
#include "render/viewport.h"
#include "window/clip.h"
#include "window/state.h"

/* A way to pose the character; its stack is built when it is first chosen. */
typedef struct snw_studio_method {
	const char *name;   /* for people */
	const char *method; /* as for snw_stack_options */
	snw_stack *stack;   /* NULL until then */
} snw_studio_method;

typedef struct snw_studio {
	const snw_scene *scene;
	const snw_registry *registry;
	const snw_task *task;
	snw_arena *arena;
	snw_viewport *viewport;
	uint32_t method_count, linear; /* `linear`: the linear blend among the methods, SNW_NONE where nothing is skinned */
	snw_studio_method *methods;
	uint32_t field_count;
	const char **fields; /* names of fields with one number a point */
	snw_clip_reel reel;
	/* What is shown now. */
	snw_view view;
	snw_pose_view pose;
	double *global, *palette;
	const snw_pose *posed; /* of `pose`; NULL: nothing yet */
	/* The heat map. */
	uint32_t heat;
	double **distances;            /* [mesh_count][point_count], millimetres */
	const double **shown;          /* [mesh_count]: distances, a field's values, or NULL */
	float *points;                 /* of one mesh */
	double error_scale;            /* the top of the colours for this clip or pose; 0: to be found */
	bool has_truth;                /* an example or target says what this moment should look like */
	double error_most, error_mean; /* millimetres, over points that have a truth */
} snw_studio;

/* The scene, registry and task must outlive it. */
snw_status snw_studio_create(const snw_scene *scene, const snw_registry *registry, const snw_task *task, snw_renderer *renderer,
							 snw_studio *studio, snw_error *error);
void snw_studio_destroy(snw_studio *studio);

/* Builds a method's stack. On failure it stays unbuilt. */
snw_status snw_studio_ready(snw_studio *studio, uint32_t method, snw_error *error);
/* Takes up another clip; the state's clip is SNW_NONE for a pose. */
void snw_studio_choose_clip(snw_studio *studio, uint32_t clip);
/* Forgets the error's scale, where clip or pose has changed. */
void snw_studio_rescale(snw_studio *studio);

/* Poses what the state asks for, where that has changed, and finds its error where that is shown. */
snw_status snw_studio_update(snw_studio *studio, const snw_view_state *state, snw_error *error);

/* Some of the points that are shown, at the pose or at moments of the clip, for framing: points [count][3] in `arena`. */
size_t snw_studio_points(const snw_studio *studio, const snw_view_state *state, snw_arena *arena, double **points);

/* Inside the studio: the heat map of what has just been posed, and the scale of errors. */
void snw_studio_find_heat(snw_studio *studio, const snw_view_state *state);

#endif
