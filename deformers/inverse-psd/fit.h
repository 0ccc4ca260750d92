/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fit in progress, in three steps: the pose space of each group (pose_space.c), then, group by group, the sculpts taken
 * back into the rest pose (invert.c; black_box.c where what lies below is not affine), and all of it gathered into a model
 * (fit.c).
 */
#ifndef SINEW_DEFORMERS_INVERSE_PSD_FIT
#define SINEW_DEFORMERS_INVERSE_PSD_FIT

#include "inverse-psd/inverse-psd.h"

/* Poses of a group that are closer than this are one pose; a joint that turns less than this stays where it is. Radians. */
#define SAME_POSE 1e-4

/* In units of the diagonal of the mesh's rest bounding box: what is edited, and what of w is worth keeping. */
#define EDITED 1e-7
#define LEFT_OVER 1e-9

/* d is never longer than this times the sculpt: at nearly singular points it would tear the poses between the examples. */
#define LONGEST 20.0

/* One coefficient's displacement of one mesh, before (joint is SNW_NONE) or after the blend. */
typedef struct displacement {
	struct displacement *next;
	uint32_t coefficient;
	uint32_t joint;
	uint32_t count;
	uint32_t *points; /* ascending */
	double *vectors;
} displacement;

typedef struct displacement_list {
	displacement *first;
	displacement **last;
	uint32_t count;
	size_t point_count; /* of all displacements together */
} displacement_list;

/* What is known of one mesh while fitting. */
typedef struct mesh_state {
	int has_examples;
	double diagonal;
	uint32_t *carriers; /* [point_count]: the joint of the largest influence, SNW_NONE where there is none */
	displacement_list rest, posed;
	double *residual;     /* [point_count]: the longest w, metres */
	double *conditioning; /* [point_count]: the worst condition number at any example */
} mesh_state;

typedef struct fitting {
	const snw_host *host;
	const snw_fit_input *input;
	snw_pool *kept;   /* what becomes the model */
	snw_pool scratch; /* what lasts as long as the fit */
	uint32_t group_count;
	const snw_group_view *groups;
	pose_space *spaces;             /* [group_count] */
	uint32_t **member_coefficients; /* [group_count][members]: coefficient of each member, within its group */
	mesh_state *meshes;
	double *matrices;         /* [points of the largest mesh][12] */
	double *posed;            /* [points of the largest mesh][3] */
	uint32_t ill_conditioned; /* groups whose kernel's system nearly is singular */
} fitting;

/* The mask of an example in a group at a point; 0 where the example is not in the group. */
double mask_at(const snw_group_view *group, uint32_t example, uint32_t point);
int group_has(const snw_group_view *group, uint32_t example);

/* The inversion of one example in one group: [points] arrays. */
typedef struct inversion {
	fitting *f;
	uint32_t group, example;
	const snw_mesh_view *mesh;
	double progress;         /* of the fit, as this begins */
	double *rest;            /* [3]: rest points with the earlier groups' displacements */
	double *posed;           /* [3]: where what lies below takes them */
	double *after;           /* [3]: what earlier groups add after the blend */
	double *gap;             /* [3]: what this group is to add to posed; 0 where a point is not edited */
	double *moved;           /* [3]: d, then */
	double *left;            /* [3]: w in posed space */
	double *conditioning;    /* [1] */
	const double *rotations; /* [joints][9]: F at this pose */
} inversion;

/* Where what lies below takes rest points of the example's mesh at its pose. */
snw_status find_posed(const fitting *f, uint32_t example, const double *points_rest, double *points_posed);

/* The part of an example that its group takes at a point of what is left: its mask over the masks of the groups still to come.
 * `all` gets the sum over all groups. */
double share_at(const inversion *in, uint32_t point, double *all);

/* Fills moved, left and conditioning from rest, posed and gap, by the solver that is set, asking what lies below for nothing
 * but points. */
snw_status invert_black_box(inversion *in);

/* Chooses the group's joints and poses and solves for its weights: fills f->spaces[g], f->member_coefficients[g]. */
snw_status find_pose_space(fitting *f, uint32_t g);

/* The joints that drive the group: its own list, or those that bend the skin where its examples are sculpted. */
snw_status choose_joints(fitting *f, uint32_t g, uint32_t **joints, uint32_t *joint_count);

/* Takes the examples of group g back into the rest pose; groups before it are done. */
snw_status invert_group(fitting *f, uint32_t g);

#endif
