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

#include "sinew/kit/fit/guard.h"
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
snw_status SNW_CALL lower(const snw_lower_call *call);
snw_status SNW_CALL save(const snw_model *model, const snw_sink *sink);
snw_status SNW_CALL load(const snw_deformer *self, const snw_load_call *call, snw_model **model);
snw_status SNW_CALL transfer(const snw_deformer *self, const snw_transfer_call *call, snw_model **model);

#endif
