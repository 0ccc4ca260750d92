/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The weights of one mesh in progress: the slots that each point may use (learn_weights.c), and the weights of each point, from
 * sums over the samples (point_weights.c). Only the point that is being fitted has a Gram matrix. Private to
 * deformers/motion.
 */
#ifndef SINEW_DEFORMERS_MOTION_WEIGHT_FIT_H
#define SINEW_DEFORMERS_MOTION_WEIGHT_FIT_H

#include "motion/learn_weights.h"
#include "sinew/kit/mesh/mesh.h"
#include "sinew/kit/numerics/nnls.h"

/* A point's candidates: all slots if they fit, else those near it. */
#define MOST_CANDIDATES 32

enum {
	LANES = 4,
	BLOCK = 32,               /* samples that are held at a time */
	MOST_PRODUCT_SLOTS = 512, /* of more, the products take too much memory */
};

typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));

/* Half of a row of four numbers: what every x86-64 processor has in a register. */
typedef double row_half __attribute__((vector_size(2 * sizeof(double))));

/* M and T', all zero for more than MOST_PRODUCT_SLOTS. */
typedef struct slot_products {
	uint32_t slot_count, sample_count;
	double *middles;    /* [sample_count][3] */
	row_half *matrices; /* [slot_count][sample_count][3 rows][2] */
	row_half *products; /* of slots a ≥ b: [product_index(a, b)][4 rows][2] */
} slot_products;

/* Lists by index: items [offsets[i], offsets[i + 1]) are those of i, ascending. */
typedef struct lists {
	uint32_t *offsets;
	uint32_t *items;
} lists;

/* At most `influences` influences of a point; elements after `count` are not read. */
typedef struct influence_set {
	uint32_t count;
	uint32_t slots[SNK_NNLS_INFLUENCES];
	double weights[SNK_NNLS_INFLUENCES];
} influence_set;

typedef struct weight_fit {
	const snw_character_view *character;
	const snw_mesh_view *mesh;
	const snk_weight_options *options;
	double diagonal;     /* of the rest bounding box, metres */
	snk_adjacency rings; /* neighbours ascending */
	slot_products products;
	lists near_slots;         /* slots of the joint, its parent and its children, of each slot */
	const uint32_t *likes;    /* [slot_count]: the first slot that moves as this one in all samples */
	const uint32_t *parts;    /* [slot_count]: the first joint of the part of the skeleton that the slot is of */
	influence_set *current;   /* [point_count]: the previous round's result; in the first round the base weights */
	influence_set *next;      /* [point_count] */
	unsigned char *held;      /* [point_count]: keeps its base weights */
	double *residuals_before; /* [point_count]: root of the mean squared distance over samples, metres */
	double *residuals;
} weight_fit;

/* SNW_ERROR_MEMORY. */
snw_status open_products(const snw_host *host, const weight_fit *f, snw_pool *pool, slot_products *p);

/* The Gram matrix [count][count] of a point's candidates, from the products: mean over samples, square metres. */
void product_gram(const weight_fit *f, uint32_t point, uint32_t count, const uint32_t *candidates, double *gram);

/* A point's candidates, its base slots first. Returns how many. */
uint32_t find_candidates(const weight_fit *f, uint32_t point, uint32_t candidates[MOST_CANDIDATES]);

/* One round over the points [begin, end): current → next, and both residuals. Reads any point's `current`, writes only these
 * points. */
void fit_points(const weight_fit *f, uint32_t begin, uint32_t end);

#endif
