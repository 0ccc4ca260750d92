/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An affine joint as two nodes. A node holds a translation, a rotation and a scale, so no shear. A node with rotation U and scale S and
 * a child with rotation Vᵀ hold A = U S Vᵀ: the singular value decomposition.
 *
 * It is not unique: its values may come in any order, pairs of signs may change, and where two values are equal the axes between them
 * may be any. Between two keys an engine goes straight from one U, S and V to the next. So each key takes the decomposition whose U and
 * V are nearest to those of the key before.
 */
#ifndef SINEW_HOST_EXPORT_PLAN_AFFINE_NODES_H
#define SINEW_HOST_EXPORT_PLAN_AFFINE_NODES_H

#include "sinew/view.h"

typedef struct snw_affine_nodes {
	snw_transform outer; /* translation, U, S */
	double inner[4];     /* Vᵀ, the rotation of the child */
} snw_affine_nodes;

/* `before`: the key before; NULL for the first. A matrix that mirrors becomes the nearest one that does not. */
void snw_affine_nodes_make(const double matrix[12], const snw_affine_nodes *before, snw_affine_nodes *nodes);

/* The matrix that the two nodes make. */
void snw_affine_nodes_matrix(const snw_affine_nodes *nodes, double matrix[12]);

#endif
