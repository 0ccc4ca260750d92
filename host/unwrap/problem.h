/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A chart as a problem for flattening: its triangles as their lengths make them, and a sparse matrix over its vertices' UVs.
 * Private to host/unwrap.
 */
#ifndef SINEW_HOST_UNWRAP_PROBLEM_H
#define SINEW_HOST_UNWRAP_PROBLEM_H

#include "sinew/kit/numerics/solver.h"
#include "task/task.h"
#include "unwrap/charts.h"

/* A triangle as its lengths make it. J, from it to UV, has the rows (Σ u_k g_k, Σ v_k g_k). */
typedef struct unwrap_element {
	double gradients[3][2]; /* g_k */
	double own_area;        /* of that triangle */
	double area;            /* its weight */
} unwrap_element;

typedef struct unwrap_problem {
	const unwrap_chart *chart;
	unwrap_element *elements;
	double mean_area;
	/* The lower triangle of a matrix over u and v of each vertex. */
	uint32_t *columns, *rows, *blocks;
	double *values;
	uint32_t *neighbour_offsets, *neighbours; /* of each vertex: itself, then those above it, ascending */
	snk_factor factor;
	bool has_factor;
	const struct snw_host *host;
	const snw_task *task;
} unwrap_problem;

/* The triangles by their lengths. In `arena`. */
void unwrap_elements_make(unwrap_problem *problem, const unwrap_lengths *lengths, snw_arena *arena);

/* [2][2]: the map from a triangle to UV, and its determinant. */
void unwrap_jacobian(const unwrap_element *element, const uint32_t *vertices, const double (*uvs)[2], double j[2][2]);
double unwrap_determinant(const double (*j)[2]);

/* Whether every triangle has an area that is not lost in rounding. */
bool unwrap_turns_none(const unwrap_problem *problem, const double (*uvs)[2]);

/* Where the matrix has entries: between vertices of one triangle. In `arena`. */
void unwrap_pattern_make(unwrap_problem *problem, snw_arena *arena);
void unwrap_matrix_clear(const unwrap_problem *problem);

/* Of a form over J = (J₀₀, J₀₁, J₁₀, J₁₁) that over (u₀, v₀, u₁, v₁, u₂, v₂). */
void unwrap_form_pull_back(const unwrap_element *element, const double (*form)[4], double (*matrix)[6]);
void unwrap_matrix_add(const unwrap_problem *problem, const uint32_t *vertices, const double (*matrix)[6]);

/* SNW_ERROR_SINGULAR, SNW_ERROR_MEMORY. */
snw_status unwrap_matrix_factorize(unwrap_problem *problem);

#endif
