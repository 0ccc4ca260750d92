/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fit in progress. For each group: its joints and poses (pose_space.c); its sculpts, inverted into the rest pose (invert.c,
 * or black_box.c if the layers below are not affine); the classes of its points if these have distances of their own; and the
 * weights of its basis functions. The result becomes a model (fit.c).
 */
#ifndef SINEW_DEFORMERS_INVERSE_PSD_FIT
#define SINEW_DEFORMERS_INVERSE_PSD_FIT

#include "inverse-psd/inverse-psd.h"
#include "sinew/kit/clock.h"
#include "sinew/kit/fit/fit.h"

#define NEGLIGIBLE_RESIDUAL 1e-9

/* How many points' matrices are requested at a time. */
enum { MATRIX_BLOCK = 8192 };

/* d is never longer than this times the sculpt: at nearly singular points it would distort the poses between the examples. */
#define LONGEST 20.0

/* One coefficient's displacement of one mesh, before (joint is SNW_NONE) or after the blend. */
typedef struct displacement {
	struct displacement *next;
	uint32_t group, coefficient; /* the coefficient within the group */
	uint32_t joint;
	uint32_t count;
	uint32_t *points; /* ascending */
	double *vectors;
	uint32_t *classes; /* NULL: all of class 0 */
} displacement;

typedef struct displacement_list {
	displacement *first;
	displacement **last;
	uint32_t count;
	size_t point_count; /* of all displacements together */
} displacement_list;

/* The data of one mesh during the fit. */
typedef struct mesh_state {
	int has_examples;
	double diagonal;
	uint32_t *rotation_joints; /* [point_count]: the joint of the largest influence, SNW_NONE where there is none */
	displacement_list rest, posed;
	double *residual;     /* [point_count]: the longest w, metres */
	double *conditioning; /* [point_count]: the worst condition number at any example */
} mesh_state;

/* The seconds of each part. */
typedef struct part_seconds {
	double poses, inversion, closed_form, functions; /* closed_form: matrices and their inverses, a part of inversion */
} part_seconds;

/* Sculpts of groups with several, each left out in turn: how many are worse off than with the layers below alone, and which
 * most. */
typedef struct left_out_sculpts {
	uint32_t count, worse;
	const char *worst;    /* "group/example" */
	double others, below; /* how far what the others say, and nothing, are: root mean square over the points that any sculpt of
						   * the group moves, metres */
} left_out_sculpts;

typedef struct fitting {
	const snw_host *host;
	const snw_fit_input *input;
	snw_pool *model_pool; /* what becomes the model */
	snw_pool scratch;     /* memory for the duration of the fit */
	uint32_t group_count;
	const snw_group_view *const *groups;
	pose_space *spaces;             /* [group_count] */
	uint32_t **member_coefficients; /* [group_count][members]: coefficient of each member, within its group */
	mesh_state *meshes;
	uint32_t is_weighted;
	inverted *inverted; /* [group members of all groups]: those through a black box, `coefficient` within `inverted_groups` */
	uint32_t *inverted_groups;
	uint32_t inverted_count;
	double *matrices;         /* [MATRIX_BLOCK][12]; of a weighted model [points of the largest mesh][12] */
	double *posed;            /* [points of the largest mesh][3] */
	uint32_t ill_conditioned; /* groups whose kernel system is nearly singular */
	left_out_sculpts left_out;
	part_seconds seconds;
} fitting;

/* The mask of an example in a group at a point; 0 where the example is not in the group. */
double mask_at(const snw_group_view *group, uint32_t example, uint32_t point);
int group_has(const snw_group_view *group, uint32_t example);

/* The inversion of one example in one group: [points] arrays. */
typedef struct inversion {
	fitting *f;
	uint32_t group, example;
	const snw_mesh_view *mesh;
	double progress;         /* of the fit, when this begins */
	double *rest;            /* [3]: rest points with the earlier groups' displacements */
	double *posed;           /* [3]: their image under the layers below */
	double *after;           /* [3]: what earlier groups add after the blend */
	double *gap;             /* [3]: what this group must add to posed; 0 if a point is not edited */
	double *rest_offsets;    /* [3]: d, then */
	double *posed_offsets;   /* [3]: w in posed space */
	double *conditioning;    /* [1] */
	const double *rotations; /* [joints][9]: F at this pose */
	/* [1]: the joint with which the displacement after the blend rotates. A forward group has one for all points. */
	const uint32_t *rotation_joints;
	uint32_t coefficient; /* within the group */
	uint64_t *sums;       /* [ranges of points]: scratch for sums over points */
} inversion;

/* Points in a range of work. */
enum { POINT_GRAIN = 1024 };

/* Deforms rest points of the example's mesh by the layers below, at its pose. */
snw_status find_posed(const fitting *f, uint32_t example, const double *points_rest, double *points_posed);

/* The share of the remaining gap that a group takes at a point: its mask divided by the sum of the masks of this and later
 * groups. `all` receives the sum over all groups. */
double share_at(const inversion *in, uint32_t point, double *all);

/* Fills rest_offsets, posed_offsets and conditioning from rest, posed and gap, with the chosen solver, using the layers
 * below only as a black box. */
snw_status invert_black_box(inversion *in);

/* A checksum of an inversion's inputs (rest, targets, which points may move, the solver, the black box's Jacobians), and one
 * of its remainder. */
uint64_t sum_inputs(inversion *in, const double *jacobians);
uint64_t sum_result(inversion *in);

/* Copies d from the last fit's model if its inputs were the same; returns 1 if so. *result_sum: the checksum of its
 * remainder. */
int find_previous(const inversion *in, uint64_t input_sum, uint64_t *result_sum);

/* Stores an inversion for the next fit. */
void record_inversion(inversion *in, uint64_t input_sum);

/* Chooses the group's joints and poses: fills f->spaces[g] but for its classes and weights, and f->member_coefficients[g]. */
snw_status find_pose_space(fitting *f, uint32_t g);

/* Inverts the examples of group g into the rest pose; earlier groups are done. */
snw_status invert_group(fitting *f, uint32_t g);

/* The nearest joint above all joints of a group; SNW_NONE where there is none. */
uint32_t find_anchor(const snw_skeleton_view *skeleton, uint32_t count, const uint32_t *joints);

#endif
