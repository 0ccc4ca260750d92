/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Animation on its way from curves to tracks: curves, the layers that blend them, and tracks that hold the result. Private
 * to the reader.
 */
#ifndef SINEW_HOST_IMPORT_FBX_ANIMATION_H
#define SINEW_HOST_IMPORT_FBX_ANIMATION_H

#include "import/fbx/fbx_internal.h"

/* ---- curves (curves.c) --------------------------------------------------------------------------------------------------- */

/* From a key to the next: a Bezier curve in time and value. A slope is per second; a weight is the share of the span that the
 * tangent takes, a third where the value is a cubic polynomial of the time. */
typedef struct snw_fbx_span {
	int32_t interpolation; /* snw_interpolation */
	bool takes_next;       /* a step to the value of the next key */
	double out_slope, out_weight, in_slope, in_weight;
} snw_fbx_span;

/* How a curve goes on beyond its keys. */
typedef enum snw_fbx_beyond {
	SNW_FBX_HOLD,    /* the value of the last key */
	SNW_FBX_SLOPE,   /* straight on */
	SNW_FBX_REPEAT,  /* from the begin again */
	SNW_FBX_ADVANCE, /* from the begin again, from the value that was reached */
	SNW_FBX_MIRROR   /* back and forth */
} snw_fbx_beyond;

typedef struct snw_fbx_curve {
	uint32_t key_count;
	double *seconds; /* ascending */
	double *values;
	snw_fbx_span *spans;            /* [key_count - 1] */
	int before, after;              /* snw_fbx_beyond: of its first key, and of its last */
	double most_before, most_after; /* how often its keys repeat there; infinite for always */
	double until;                   /* the end of the clip, after which nothing repeats */
} snw_fbx_curve;

/* The seconds of a time of the file. */
double snw_fbx_seconds(int64_t time);
/* Reads the keys of an AnimationCurve; keys that are not later than the one before are left out. */
bool snw_fbx_read_curve(snw_fbx *f, const snw_fbx_node *node, snw_fbx_curve *curve);
/* Gives `add` the moments at which the curve has keys, repeated ones included, those beyond `begin` or `end` as the nearer of
 * the two. False if they are too many. */
bool snw_fbx_list_keys(snw_fbx *f, const snw_fbx_curve *curve, double begin, double end, void *context,
					   void (*add)(void *context, double seconds));
/* The value at a moment, or what it comes to before it: they differ at a step. */
double snw_fbx_sample_curve(const snw_fbx_curve *curve, double seconds, bool before);

/* ---- layers (layers.c) --------------------------------------------------------------------------------------------------- */

typedef enum snw_fbx_path {
	SNW_FBX_TRANSLATION,
	SNW_FBX_ROTATION,
	SNW_FBX_SCALE,
	SNW_FBX_WEIGHT, /* of a blend shape channel, percent */
	SNW_FBX_PATHS
} snw_fbx_path;

typedef enum snw_fbx_blend_mode { SNW_FBX_ADD, SNW_FBX_OVERRIDE, SNW_FBX_PASS_THROUGH } snw_fbx_blend_mode;

typedef struct snw_fbx_layer {
	uint32_t object;
	bool is_base, is_muted;
	int blend_mode;               /* snw_fbx_blend_mode */
	bool adds_angles;             /* rotations are blended by their angles, not as rotations */
	bool adds_scales;             /* scales are added, not multiplied */
	double weight;                /* percent */
	const snw_fbx_curve *weights; /* percent over time; NULL for none */
} snw_fbx_layer;

/* What one layer does with one property. */
typedef struct snw_fbx_layer_curves {
	const snw_fbx_layer *layer;
	const snw_fbx_curve *curves[3]; /* NULL for a constant */
	double constants[3];
	struct snw_fbx_layer_curves *next; /* of the layer above */
} snw_fbx_layer_curves;

/* A property that a stack animates, from the base layer up. */
typedef struct snw_fbx_animated {
	snw_fbx_layer_curves *first, *last;
	double initial[3]; /* the property's own value */
	int order;         /* of rotations */
} snw_fbx_animated;

/* What moves each object in one stack: T, R and S of a model; the weight of a channel is the first of its three. NULL for none.
 * */
typedef snw_fbx_animated *snw_fbx_moved[3];

/* An animation stack. What it holds is that of the last stack that was read. */
typedef struct snw_fbx_stack {
	snw_fbx *f;
	const snw_fbx_objects *objects;
	const snw_fbx_models *models;
	snw_fbx_curve **curves;  /* [objects.count]: those that have been read */
	snw_fbx_moved *animated; /* [objects.count] */
	uint32_t *touched;       /* objects that are moved */
	uint32_t touched_count, touched_room;
	double begin, end; /* seconds; the same if the stack does not say */
} snw_fbx_stack;

snw_fbx_stack snw_fbx_make_stack(snw_fbx *f, const snw_fbx_objects *objects, const snw_fbx_models *models);
/* Reads the stack of an AnimationStack, instead of the one before. */
bool snw_fbx_read_stack(snw_fbx_stack *stack, uint32_t object);
/* The value at a moment, or what it comes to before it. */
void snw_fbx_sample(const snw_fbx_animated *animated, snw_fbx_path path, double seconds, bool before, double value[3]);

/* ---- tracks (tracks.c) --------------------------------------------------------------------------------------------------- */

/* A value of a track over time: [width] at a moment, or just before it. */
typedef void snw_fbx_sampler(const void *context, double seconds, bool before, double value[4]);

typedef struct snw_fbx_track_request {
	uint32_t target;
	int32_t path; /* snw_track_path */
	snw_fbx_sampler *sampler;
	const void *context;
	uint32_t key_count; /* of the moments where curves have keys, ascending, from the begin to the end of the clip */
	const double *seconds;
	double begin;     /* of the clip */
	double tolerance; /* of a value; of the angle, in radians */
} snw_fbx_track_request;

/* The track of a value: one key if it is constant, steps, straight lines between the keys or cubic ones; more keys where the
 * tolerance needs them. */
bool snw_fbx_make_track(snw_fbx *f, const snw_fbx_track_request *request, snw_track *track);

#endif
