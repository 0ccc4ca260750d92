/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fit of one mesh in progress: which slots move each point (influence_sets.c); areas and cotangents, the sums over samples,
 * the system, its solution, and the choice of λ and δ (system.c).
 *
 * Rows are stored relative to their joints, in units of L: q = ((p − w c)/L, w) for a row (p, w), with c the joint's bind
 * position and L the longest side of the rest's bounding box.
 */
#ifndef SINEW_DEFORMERS_ANIMATION_SPACE_FIT
#define SINEW_DEFORMERS_ANIMATION_SPACE_FIT

#include "animation-space/animation-space.h"
#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/samples.h"
#include "sinew/kit/mesh/mesh.h"

/* The slots of each point, ascending, with weights of a linear blend to start from. A point that the mask leaves out is not
 * fitted: it starts from the weights of its skin and keeps them. */
typedef struct influence_sets {
	uint32_t *offsets; /* [point_count + 1] */
	uint32_t *slots;
	double *weights;
	uint32_t *pivots;   /* [point_count]: the influence of the largest weight, whose weight is eliminated */
	uint32_t *unknowns; /* [point_count + 1]: the first of each point's 4m − 1, none if the point is not fitted */
} influence_sets;

/* The surface, from the mean lengths of its edges. */
typedef struct surface {
	snk_adjacency edges;  /* of the triangles, neighbours ascending */
	double *conductances; /* beside edges.neighbours: cotangent weights, not negative */
	double *areas;        /* [point_count], in units of L², positive */
} surface;

/* Sums over some of the samples. */
typedef struct moments {
	uint32_t sample_count;
	double *gram;    /* [slot_count][slot_count][16]: Σ_f T_sᵀ T_t, row-major */
	double *right;   /* [influences][4]: Σ_f T_sᵀ v */
	double *squares; /* [point_count]: Σ_f |v|² */
} moments;

typedef struct mesh_fit {
	const snw_host *host;
	const snw_fit_input *input;
	const snw_character_view *character;
	uint32_t mesh_index;
	const snw_mesh_view *mesh;
	const snw_value *values; /* of the parameters */
	uint32_t sample_count;
	snk_sample *samples;
	double unit;      /* L, metres */
	double *centres;  /* [slot_count][3]: bind positions of joints, metres */
	double *palettes; /* [sample_count][slot_count][12]: of q, in units of L */
	double *origins;  /* [sample_count][3]: what was subtracted from the sample, metres */
	double *shares;   /* [point_count]: of the data, from the mask */
	influence_sets sets;
	surface surface;
	double *start; /* [influences][4]: q of the linear blend to start from */
} mesh_fit;

/* A mesh's λ and δ. */
typedef struct strengths {
	double ridge, smoothness;
} strengths;

/* Progress, as fractions of what the mesh takes. Returns 1 to continue, 0 to stop; SNW_CANCELLED for a stop. */
int report_step(const mesh_fit *f, const char *activity, double fraction);
snw_status run_step(const mesh_fit *f, uint32_t count, uint32_t grain, snk_range *range, void *argument,
					const snk_stretch *of_mesh);

snw_status find_influence_sets(snw_pool *pool, mesh_fit *f);
snw_status measure_surface(snw_pool *pool, mesh_fit *f);

/* Sums over samples [begin, end) are added to those that `sums` has; it begins with none. SNW_CANCELLED. */
snw_status open_moments(snw_pool *pool, const mesh_fit *f, moments *sums);
snw_status add_samples(const mesh_fit *f, uint32_t begin, uint32_t end, moments *sums);

/* The mean squared distance of a point's q [m][4] from the samples in `sums`, in units of L². */
double mean_square(const mesh_fit *f, const moments *sums, uint32_t point, const double *q);

/* q [influences][4] of all points. A tolerance of 0: as exact as doubles allow. */
snw_status solve(const mesh_fit *f, const moments *sums, strengths by, double tolerance, double *q);

/* λ and δ by cross-validation. */
snw_status choose_strengths(const mesh_fit *f, strengths *best);

#endif
