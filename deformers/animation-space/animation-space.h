/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Animation space: B. Merry, P. Marais, J. Gain, Animation space: a truly linear framework for character animation, ACM
 * Transactions on Graphics 25(4), 2006. A point has a 4-vector for each influence, and its posed position is their sum, v = Σ_s
 * T_s p_s. The weights (fourth components) sum to one. Linear blend is the case p_s = w_s (r, 1). The fit minimises (equations
 * 15–18)
 *
 *     Σ_i a_i (1/F Σ_f |Σ_s T_s^f p_is − v_i^f|² + λ Σ_s |x_is|²) + δ Σ_ij c_ij Σ_s |x_is − x_js|²
 *
 * over the p of all points at once. Lengths are in units of L, the longest side of the rest's bounding box.
 *
 * Where we depart:
 *   - x is p − p of the linear blend that the fit starts from, not p: the character's, or with sets=motion one by what explains
 *     the samples, but for points that the mask leaves out. What the samples do not determine stays as it was, and the
 *     model does not shrink as influence sets grow. Where bones keep their length, the weights of a fitted p are arbitrary
 *     (theorem 3 of the thesis): this pins them, and displacements of correctives go through these weights.
 *   - λ and δ measure x in each joint's axes, as the paper does, whose p stands there. Ours are in rest space: x is moved to
 *     the joint's bind position first.
 *   - The data are means over samples, a is the area around a point, c are the cotangent weights of edges, both from the
 *     lengths that edges have on average over the samples. So λ and δ mean the same for more samples and on a finer mesh. On a
 *     mesh of triangles with edges ℓ, in units of L, the paper's δ is ours times F / 1.5 ℓ: for its 0.005, 11 samples and ℓ =
 *     0.015 ours is 1e-5.
 *   - One sparse positive definite system is solved by conjugate gradients, preconditioned with the blocks of the points, or
 *     factored by blocks where these take long, instead of LSQR. Its 4×4 blocks Σ_f T_sᵀ T_t are the same for all points.
 *   - A refit keeps λ, δ and what the guard found of each region.
 */
#ifndef SINEW_DEFORMERS_ANIMATION_SPACE
#define SINEW_DEFORMERS_ANIMATION_SPACE

#include "sinew/kit/fit/fit.h"
#include "sinew/kit/fit/guard.h"
#include "sinew/kit/fit/samples.h"
#include "sinew/kit/mesh/mesh.h"
#include "sinew/kit/skin/skins.h"
#include "sinew/plugin.h"
#include "sinew/sinew.h"

/* Rows of the parameter table. */
enum { INFLUENCES, RINGS, SETS, RIDGE, SMOOTHNESS, CHOOSE, MEMORY, GUARD, PARAMETER_COUNT };
enum { SETS_FROM_SKIN, SETS_FROM_MOTION };
enum { CHOOSE_GIVEN, CHOOSE_LEAVE_ONE_OUT };

/* How much the samples count at each point: a field over points that users paint. */
#define MASK_FIELD "animation-space-mask"

/* What a fit has chosen for a mesh, which a refit keeps. */
typedef struct mesh_choices {
	uint32_t is_made; /* 0: nothing, since the mesh had no samples */
	double ridge, smoothness;
	uint32_t region_count;     /* that of joints; 0 without a guard */
	snk_guard_region *regions; /* [region_count] */
} mesh_choices;

struct snw_model {
	snw_pool pool; /* holds the model itself and its arrays */
	snk_row_skin skin;
	mesh_choices *choices; /* [skin.mesh_count] */
};

snw_status SNW_CALL fit(snw_instance *instance, const snw_fit_input *input, snw_model **model);
snw_status SNW_CALL reskin(const snw_deformer *self, const snw_reskin_call *call, snw_model **model);

/* ---- a fit --------------------------------------------------------------------------------------------------------------- */

/* A fit of one mesh in progress: which slots move each point (influence_sets.c); areas and cotangents, the sums over samples,
 * the system, its solution, and the choice of λ and δ (system.c).
 *
 * Rows are stored relative to their joints, in units of L: q = ((p − w c)/L, w) for a row (p, w), with c the joint's bind
 * position and L the longest side of the rest's bounding box. */

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
