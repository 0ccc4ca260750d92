/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Represents an affine joint by two nodes. A node has a translation, a rotation and a scale, but no shear. A node with rotation
 * U and scale S and a child with rotation Vᵀ make A = U S Vᵀ, the singular value decomposition.
 *
 * It is not unique: the singular values can be in any order, pairs of signs can change, and the axes of equal values can
 * rotate. Between two keys, engines interpolate U, S and V. So the decomposition of each key is the one whose U and V are
 * nearest to those of the previous key. Where the values are nearly equal, V turns by far for a small change of the matrix:
 * there V is held.
 */
#ifndef SINEW_HOST_EXPORT_PLAN_AFFINE_NODES_H
#define SINEW_HOST_EXPORT_PLAN_AFFINE_NODES_H

#include "sinew/view.h"

typedef struct snw_affine_nodes {
	snw_transform outer; /* translation, U, S */
	double inner[4];     /* Vᵀ, the rotation of the child */
} snw_affine_nodes;

/* `before`: the previous key; NULL for the first. A mirroring matrix gets a negative scale. */
void snw_affine_nodes_make(const double matrix[12], const snw_affine_nodes *before, snw_affine_nodes *nodes);

/* The nearest nodes with that inner rotation: exact if it is one of the matrix's own, or if the matrix hardly stretches. */
void snw_affine_nodes_hold(const double matrix[12], const double inner[4], snw_affine_nodes *nodes);

/* The matrix of the two nodes. */
void snw_affine_nodes_matrix(const snw_affine_nodes *nodes, double matrix[12]);

#endif
