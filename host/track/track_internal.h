/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A search for poses in progress.
 *
 * The normal equations are first those of the joints' twists: each joint moves by itself, by a rotation vector about `centre`
 * and a translation, in world space. The unknowns of a jointed pose move all joints below them too, so their equations are sums
 * of these.
 */
#ifndef SINEW_HOST_TRACK_TRACK_INTERNAL_H
#define SINEW_HOST_TRACK_TRACK_INTERNAL_H

#include "track/track.h"

/* A pose with its matrices, and the normal equations there. */
typedef struct posed_equations {
	snw_pose *pose;
	double *global;    /* [joint_count][12] */
	double *palette;   /* [slot_count][12] */
	double squares;    /* Σ |residual|² */
	double *gradients; /* [joint_count][6]: Jᵀ residual */
	double *blocks;    /* [pair_count][6][6]: Jᵀ J */
} posed_equations;

/* What a joint may do. Unknowns are three numbers each, from these indices; SNW_NONE: none. */
typedef struct joint_unknowns {
	uint32_t rotation;
	uint32_t translation;
} joint_unknowns;

/* The derivative of a point by the twist of a joint: rows x, y, z. */
typedef struct point_derivative {
	uint32_t joint;
	double rows[3][6];
} point_derivative;

/* A mesh that is tracked; it has points. */
typedef struct tracked_part {
	uint32_t mesh;
	const snw_program *program;
	const float *frames; /* [frame_count][point_count][3] */
	const float *target; /* of these, the frame that is being tracked */
	double *points;      /* [point_count][3]: the rest with its displacements */
	double *added;       /* [point_count][3]: displacements after the blend */
} tracked_part;

typedef struct tracker {
	const snw_scene *scene;
	const snw_stack *stack;
	snw_evaluation *evaluation;
	const snw_track_request *request;
	uint32_t part_count;
	tracked_part *parts; /* [part_count] */
	double point_count;  /* of all parts */
	snw_arena *arena;
	double diagonal;
	bool *moves_points;  /* [joint_count]: by itself */
	bool *reaches;       /* [joint_count]: it or a joint below it does */
	bool *is_above_body; /* [joint_count]: only the body's place depends on it, as on others above */
	joint_unknowns *unknowns;
	uint32_t unknown_count;
	/* Joints that move a point together. */
	uint32_t pair_count;
	uint32_t *pair_of; /* [joint_count][joint_count]; SNW_NONE for none; symmetric */
	double centre[3];  /* of the frame that is being tracked */
	/* Scratch. */
	uint32_t most_influences;
	double *slot_quaternions;      /* [slot_count][8] */
	double *slot_stretches;        /* [slot_count][9] */
	point_derivative *derivatives; /* [thread][most_influences] */
	double *partial_sums;          /* [chunk][1 + 6 joint_count + 36 pair_count] */
	double *twists;                /* [6 joint_count][6 joint_count] */
	double *matrix, *damped;       /* [unknown_count][unknown_count] */
	double *right, *step;          /* [unknown_count] */
	posed_equations present, trial;
} tracker;

/* The number of chunks is fixed, so that sums have the same bits for any number of threads. */
enum { TRACK_CHUNKS = 16 };

/* Prepares the program's structure: pairs, unknowns, scratch. */
void tracker_prepare(tracker *t);

/* Steps from present.pose, which becomes the nearest pose found. */
snw_status tracker_fit_frame(tracker *t, snw_error *error);

#endif
