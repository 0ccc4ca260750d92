/* SPDX-License-Identifier: MIT
 *
 * The skin program: what every method runs.
 *
 *     v_i = blend_i(T ; p_i ⊕ Σ_k d_k D_k,i) + Σ_l e_l F_l E_l,i
 *
 * A deformer that can be lowered returns its part for each mesh; the host merges the parts of neighbouring layers.
 * ⊕ adds a rest-space displacement x to influence row s as w_is (x, 0); for dual quaternions, to the rest point. The w_is of an
 * affine row is the fourth component of p_is: it may be negative. Weights under LINEAR, and the fourth components under AFFINE,
 * should sum to 1 for each point: the host evaluates them as they are, and where they do not, the point does not follow a
 * translation of the whole character.
 * F_l is the rotation of a joint's global matrix in the pose (snw_mat34_rotation in algebra.h), so that what is added after
 * the blend rotates with the character; the identity where no joint is named. Normals are those of the deformed faces, unless
 * the part brings its own:
 *
 *     n_i ∝ blend_i(N ; n̂_i + Σ_k d_k D_k,i)
 *
 * with n̂ the normals at rest, N a palette of linear maps or of rotations, and the influences of the points.
 *
 * The host checks a part before it runs it: indices in range, offsets that do not fall, finite numbers, z long enough for the
 * palettes. A layer whose part fails is refused with an error that says what is wrong. A value that a host does not know, in
 * one of the enumerations below, is no fault: the layer then runs by deform, if it has one.
 */
#ifndef SINEW_PROGRAM_H
#define SINEW_PROGRAM_H

#include "sinew/base.h"

typedef enum snw_blend {
	SNW_BLEND_NONE = 0,            /* no blend of its own: only displacements */
	SNW_BLEND_LINEAR = 1,          /* Σ_s w_is T_s (x_i, 1): scalar weights over the point that comes in */
	SNW_BLEND_AFFINE = 2,          /* Σ_s T_s p_is: a 4-vector for each influence */
	SNW_BLEND_DUAL_QUATERNION = 3, /* Σ_s w_is q_s, normalised by the length of its real part, applied to x_i */
	/* 4 and 5 are kept for two blends that no host runs yet: moments with a polar step at each point (Direct Delta Mush), and
	 * the blended rotation about a centre for each point (optimised centres of rotation). Their arrays will be further members
	 * of snw_program_part. */
} snw_blend;

typedef enum snw_palette {
	SNW_PALETTE_JOINTS = 0,           /* the pose's own palette; z is empty */
	SNW_PALETTE_MATRICES = 1,         /* z is [slots][12] */
	SNW_PALETTE_DUAL_QUATERNIONS = 2, /* z is [slots][8]: real x, y, z, w, then dual; need not be unit */
	/* T = C z: C is [4·slots][n] constant, dense or sparse; z is [n][3]; row 4s+c of C z is column c of T_s */
	SNW_PALETTE_COMBINED = 3,
} snw_palette;

/* Which sign a dual quaternion is blended with: it and its negative are the same transform. */
typedef enum snw_sign_rule {
	SNW_SIGN_SHORTEST = 0, /* each dual quaternion against that of the largest weight, ties to the lowest slot */
	SNW_SIGN_AS_GIVEN = 1, /* as drive wrote them */
} snw_sign_rule;

/* Where the normals of a part come from. */
typedef enum snw_normal_palette {
	SNW_NORMALS_FROM_FACES = 0, /* none of their own */
	/* N is [slots][9], row-major, blended with the weights. It maps normals: the inverse transpose of what maps points. */
	SNW_NORMALS_MATRICES = 1,
	/* N is [slots][4]: x, y, z, w, need not be unit. Blended under the sign rule, then used as a rotation. */
	SNW_NORMALS_QUATERNIONS = 2,
} snw_normal_palette;

/* Sparse displacements: displacement k moves points[offsets[k]] to points[offsets[k + 1] - 1]. */
typedef struct snw_displacements {
	uint32_t size;
	uint32_t count;
	const uint32_t *coefficients; /* [count]: which of the model's d (or e) scales displacement k */
	const uint64_t *offsets;      /* [count + 1], from 0, not falling */
	/* [offsets[count]], ascending within each displacement. NULL: each displacement moves all points in order, and offsets[k]
	 * is k times their number. */
	const uint32_t *points;
	const double *vectors; /* [offsets[count]][3], metres */
	/* Posed displacements: [count], the joint whose rotation F_l applies, SNW_NONE for none. Rest displacements: NULL. */
	const uint32_t *joints;
	/* [count], for people and exports: "elbow/bend-90". NULL, or NULL entries, for none. The host reads nothing out of them:
	 * examples are named in snw_model_layout. */
	const char *const *names;
} snw_displacements;

/* A constant matrix in compressed rows: row r holds the entries offsets[r] to offsets[r + 1] - 1. All others are 0. */
typedef struct snw_sparse_rows {
	uint32_t row_count;
	uint32_t column_count;
	const uint32_t *offsets; /* [row_count + 1], from 0, not falling */
	const uint32_t *columns; /* [offsets[row_count]], below column_count, ascending within each row */
	const double *values;    /* [offsets[row_count]] */
} snw_sparse_rows SNW_FROZEN;

/* One layer's part for one mesh. The arrays belong to the model and live as long as it does. */
typedef struct snw_program_part {
	uint32_t size;
	int32_t blend;   /* snw_blend */
	int32_t palette; /* snw_palette; of no meaning for SNW_BLEND_NONE */
	int32_t sign_rule;
	uint32_t slot_count; /* of the palette; of no meaning for SNW_PALETTE_JOINTS, which has the character's slots */
	/* Influences, as in snw_mesh_view, but with slots of the palette. NULL with SNW_BLEND_NONE. */
	const uint32_t *influence_offsets;
	const uint32_t *influence_slots;
	const double *influence_weights; /* LINEAR and DUAL_QUATERNION: w; AFFINE: NULL */
	const double *influence_rows;    /* AFFINE: [influences][4] p_is, rest coordinates; else NULL */
	/* SNW_PALETTE_COMBINED: C, dense or sparse, and NULL for the other. A sparse C gives the bits of the dense one with the
	 * same numbers, in proportion to its entries. */
	uint32_t combined_count;              /* n */
	const double *combined;               /* dense: [4·slot_count][n] */
	const snw_sparse_rows *combined_rows; /* sparse: 4·slot_count rows of n columns */
	const snw_displacements *rest;        /* D, scaled by d, before the blend; NULL for none */
	const snw_displacements *posed;       /* E, scaled by e, after the blend; NULL for none */
	/* Normals that a part with a blend brings. The host shows them where nothing else moves the points: where another layer's
	 * displacements do, or a layer that acts on top, the normals are those of the faces. */
	int32_t normal_palette;                /* snw_normal_palette */
	uint32_t normal_z;                     /* the palette N starts at z[normal_z] */
	const double *normals_rest;            /* [point_count][3], unit */
	const snw_displacements *rest_normals; /* of n̂, scaled by d, joints NULL; NULL for none */
} snw_program_part;

/* How much a model's drive writes, and the memory that its evaluation works in: one layout for all meshes of the character. It
 * does not change while the model lives. */
typedef struct snw_model_layout {
	uint32_t size;
	uint32_t z_count; /* doubles */
	uint32_t d_count;
	uint32_t e_count;
	size_t scratch_bytes;  /* for one call of drive, prepare, or deform on one range */
	size_t prepared_bytes; /* for one pass of deform over one mesh, filled by prepare */
	/* Which example each coefficient belongs to, so that people see how much an example acts: [d_count + e_count] names as in
	 * snw_example_view, first those of d, then those of e. NULL for a coefficient of no single example; NULL for none at all. A
	 * name that the project no longer has is ignored. They live as long as the model. */
	const char *const *coefficient_examples;
} snw_model_layout;

/* What drive writes, into arrays of the host with the lengths of the layout. drive writes every entry: they hold anything on
 * entry. */
typedef struct snw_drive_output {
	uint32_t size;
	double *z; /* [z_count], the palettes */
	double *d; /* [d_count], scales rest displacements */
	double *e; /* [e_count], scales posed displacements */
} snw_drive_output;

#endif
